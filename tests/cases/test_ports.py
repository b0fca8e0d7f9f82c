"""Public reports in which a port of CuTe, its run-time path or its documentation differs from the static
headers: what the reporter would ask, in one or two calls, and the right answer. ports.jsonl has the reports;
each has the test of its name."""

import json
from pathlib import Path

from symlayout import (
    E,
    Layout,
    Swizzle,
    blocked_product,
    coalesce,
    complement,
    composition,
    equal,
    injective,
    logical_product,
    make_layout,
    prove,
    right_inverse,
    zipped_divide,
)
from symlayout.dim import dims


def test_every_report_has_its_test() -> None:
    with Path(__file__).with_name("ports.jsonl").open(encoding="utf-8") as lines:
        reports = [json.loads(line)["id"] for line in lines]
    tests = {name.removeprefix("test_") for name in globals() if name.startswith("test_")}
    assert tests - {"every_report_has_its_test"} == {r.replace("-", "_") for r in reports}


def test_pycute_product_int() -> None:
    """An int tiler is the layout of that size; pycute divides instead."""
    product = logical_product(Layout((2, 5), (5, 1)), 4)
    assert str(product) == "((2,5),4):((5,1),10)"
    assert product == logical_product(Layout((2, 5), (5, 1)), Layout(4))
    assert product.size() == 40


def test_pycute_swizzle_shift0() -> None:
    """A swizzle of no bits is the identity, whatever its shift; pycute never returns."""
    assert Swizzle(0, 4, 0)(123) == 123


def test_cosize() -> None:
    """The largest offset plus one, although every offset is even."""
    layout = Layout((2, 4), (2, 4))
    assert layout.cosize() == 15
    assert {layout(i) % 2 for i in range(8)} == {0}


def test_right_inverse_dynamic() -> None:
    """The whole inverse of a blocked product, also for sizes that are symbols; run-time CuTe gives half."""
    tiled = blocked_product(Layout((2, 3), (1, 2)), Layout((4, 2)))
    assert str(tiled) == "((2,4),(3,2)):((1,6),(2,24))"
    inverse = right_inverse(tiled)
    assert str(inverse) == "(2,3,4,2):(1,8,2,24)"
    assert prove(lambda k: equal(tiled(inverse(k)), k), k=48)
    m, n = dims("m n")
    whole = blocked_product(Layout((2, 3), (1, 2)), Layout((m, n)))
    assert str(right_inverse(whole)) == "(2,3,m,n):(1,2*m,2,6*m)"


def test_compose_dynamic_basis() -> None:
    """One size is known at run time only, and the result does not depend on it."""
    q = dims("q")  # n / 8
    basis = Layout((32, q, 8, 128), (E(0), 8 * E(1), E(1), 32 * E(0)))
    found = composition(Layout((4096, 8192), (1, 4096)), basis)
    assert str(found) == "(32,q,8,128):(1,32768,4096,32)"


def test_doc_stride_typo() -> None:
    """(3,6,2,8):(w,x,y,z) in steps of 72: three modes are used up and the fourth in twos; y, not x, was meant
    in the third."""
    w, x, y, z = dims("w x y z")
    layout = Layout((3, 6, 2, 8), (w, x, y, z))
    assert str(composition(layout, Layout(4, 72))) == "4:2*z"
    assert str(composition(layout, Layout(2, 18))) == "2:y"


def test_coalesce_complement_crash() -> None:
    """The complement of 6:4 in 24, put before it: CuTe DSL corrupts memory, the answer is the identity."""
    rest = complement(Layout(6, 4), 24)
    assert str(rest) == "4:1"
    both = make_layout(rest, Layout(6, 4))
    assert str(coalesce(both)) == "24:1"
    assert prove(equal(both, Layout(24)))
    assert prove(injective(both))


def test_flydsl_divide() -> None:
    """Tilers of fewer modes than the layout; a mode of which nothing is taken is tiled by 1."""
    layout = Layout((64, 50, 80), (16000, 160, 1))
    right = {
        (32,): "((32),(2,50,80)):((16000),(512000,160,1))",
        (32, 1, 1): "((32,1,1),(2,50,80)):((16000,0,0),(512000,160,1))",
        (32, 1, 40): "((32,1,40),(2,50,2)):((16000,0,1),(512000,160,40))",
    }
    assert {tiler: str(zipped_divide(layout, tiler)) for tiler in right} == right
