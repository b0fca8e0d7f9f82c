"""The safe mode against plain enumeration: it refuses what breaks a law, with the least witness, and no more.

The oracle (tests/oracle) enumerates nested tuples and knows nothing of symlayout. It judges CuTe's answer,
which `unchecked=True` gives; the default mode must refuse that answer exactly when the oracle finds it wrong.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

import symlayout as sl
from symlayout import Inadmissible, Layout, LayoutError, Swizzle, parse
from symlayout.algebra.agreement import least_index, value
from symlayout.algebra.collision import least_repeat
from symlayout.algebra.notes import notes
from symlayout.conform import conform
from symlayout.inttuple import flatten_to_tuple, show
from tests import strategies as make
from tests.oracle import records

GOLDEN = Path(__file__).parent.parent / "golden"

# The records of golden.jsonl whose answer by CuTe breaks a law. g6321 is an identity layout:
# (16,4) o (2,6):(12,1) carries out of mode 0 at index 9.
REFUSED = """
g2208 g2262 g2263 g2317 g2445 g4109 g4164 g4747 g4775 g4803 g4829 g4830 g4832 g4899 g5966 g5987 g6182 g6235
g6300 g6321 g6453 g6462 g6490 g6498 g6508 g6515
""".split()

thorough = settings(
    max_examples=80,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
)


def recorded(name: str) -> list[dict[str, Any]]:
    lines = (GOLDEN / name).read_text(encoding="utf-8").splitlines()
    return [record for record in map(json.loads, lines) if record.get("callable", True)]


def test_the_oracle_restates_cute_to_the_letter() -> None:
    """Laws 2 and 5 speak of steps that CuTe does not print, so the oracle takes them too."""
    compared = 0
    for record in recorded("golden.jsonl"):
        modes = records.reproduce(record["op"], record["args"])
        if modes is not None:
            assert modes == records.printed(record["result"]), record["id"]
            compared += 1
    assert compared > 1000


def test_enumeration_finds_the_broken_records() -> None:
    broken = []
    for record in recorded("golden.jsonl"):
        verdict = records.judge(record["op"], record["args"], record["result"])
        if verdict is not None and verdict.broken is not None:
            broken.append(record["id"])
    assert broken == REFUSED


@pytest.mark.parametrize("name", ["golden.jsonl", "silent_wrong.jsonl", "silent_wrong_hand.jsonl"])
def test_the_safe_mode_refuses_the_broken_records_and_no_others(name: str) -> None:
    report = conform(GOLDEN / name, checked=True)
    assert report.ok
    broken = []
    for record in recorded(name):
        verdict = records.judge(record["op"], record["args"], record["result"])
        if verdict is not None and verdict.broken is not None:
            broken.append(record["id"])
    assert report.refused_ids == broken


def against_the_oracle(op: str, record: list[Any], function: Callable[..., Any], *arguments: Any) -> None:
    """The safe mode of a call; *op* and *record* are the record that the call would make."""
    try:
        answer = function(*arguments, unchecked=True)
    except LayoutError:
        assume(False)  # CuTe rejects it: the laws have nothing to say
    assume(abs(answer.size()) <= 4000)
    texts = [f"S<{x.b},{x.m},{x.s}>" if isinstance(x, Swizzle) else show(x) for x in record]
    verdict = records.judge(op, texts, show(answer))
    assert verdict is not None
    broken, error = verdict.broken, refusal(function, *arguments)
    if broken is None:
        assert error is None, f"refused although right: {error}"
        assert function(*arguments) == answer
        return
    assert error is not None, f"accepted although wrong: {broken}"
    if broken.why == "value":
        assert error.index == broken.index
        if isinstance(broken.want, int) and isinstance(broken.got, int) and "identity" not in op:
            assert (error.want, error.got) == (broken.want, broken.got)
    elif broken.why == "missed":
        assert (error.index, error.want, error.got) == (broken.want, 1, 0)
    elif broken.why.startswith("hit before"):
        assert error.index == broken.index


def refusal(function: Callable[..., Any], *arguments: Any) -> Inadmissible | None:
    try:
        function(*arguments)
    except Inadmissible as error:
        return error
    return None


@thorough
@given(make.layouts(), make.layouts(largest=60))
@example(parse("(4,2,8):(1,5,9)"), parse("2:-1"))  # a backward step that comes out right: A(-1) = -A(1)
@example(parse("(2,3):(2,1)"), parse("6:-1"))  # and six of them
@example(parse("(3,2,3):(6,18,1)"), parse("(3,2):(1,-6)"))  # A(-5) = -A(5) = -30
@example(
    parse("(5,8):(0,1)"), parse("4:3")
)  # 3 does not divide 5, and the digit that this spoils counts nothing
@example(parse("(3,2):(1,4)"), parse("(2,2):(1,2)"))
def test_composition(a: Layout, b: Layout) -> None:
    against_the_oracle("composition", [a, b], sl.composition, a, b)


@thorough
@given(st.data())
def test_composition_by_tile(data: st.DataObject) -> None:
    a = data.draw(make.layouts())
    t = data.draw(make.tilers(a))
    against_the_oracle("composition_tile", [a, t], sl.composition, a, t)


@thorough
@given(st.data())
def test_composition_by_basis_strides(data: st.DataObject) -> None:
    a = data.draw(make.layouts().filter(lambda x: isinstance(x.shape, tuple)))
    b = data.draw(make.basis_layouts(a.rank()))
    against_the_oracle("composition_basis", [a, b], sl.composition, a, b)


@thorough
@given(make.shapes(), make.layouts(largest=60))
def test_composition_of_an_identity_layout(shape: Any, b: Layout) -> None:
    a = sl.make_identity_layout(shape)
    against_the_oracle("identity_composition", [shape, b], sl.composition, a, b)


@thorough
@given(make.layouts(), make.shapes())
def test_with_shape(a: Layout, shape: Any) -> None:
    against_the_oracle("with_shape", [a, shape], sl.with_shape, a, shape)


@thorough
@given(make.swizzles(), make.layouts(), make.layouts(largest=60))
def test_composition_under_a_swizzle(s: Swizzle, a: Layout, b: Layout) -> None:
    outer = sl.composition(s, a)
    against_the_oracle("swizzle_compose_then", [s, a, b], sl.composition, outer, b)


@thorough
@given(make.layouts(), make.swizzles(), make.layouts(largest=60) | st.none())
def test_layout_after_swizzle(a: Layout, s: Swizzle, b: Layout | None) -> None:
    inner = s if b is None else sl.composition(s, b)
    arguments = [a, s] if b is None else [a, s, b]
    against_the_oracle("layout_after_swizzle", arguments, sl.composition, a, inner)


@thorough
@given(st.data())
@example(parse("(8,3):(3,1)"))
@example(parse("(3,4):(4,1)"))
def test_divide(data: Any) -> None:
    if isinstance(data, Layout):
        a, t = data, parse("6:3") if data.shape == (8, 3) else parse("2:1")
    else:
        a = data.draw(make.layouts())
        t = data.draw(make.tilers(a))
    against_the_oracle("logical_divide_tile", [a, t], sl.logical_divide, a, t)


@thorough
@given(st.data())
def test_divide_of_an_identity_layout(data: st.DataObject) -> None:
    shape = data.draw(make.shapes())
    t = data.draw(make.tilers(Layout(shape)))
    a = sl.make_identity_layout(shape)
    against_the_oracle("identity_zipped_divide", [shape, t], sl.zipped_divide, a, t)


@thorough
@given(st.data())
def test_strict_divide_refuses_over_cover_and_nothing_else(data: st.DataObject) -> None:
    a = data.draw(make.layouts())
    t = data.draw(make.tilers(a))
    try:
        answer = sl.logical_divide(a, t)
    except LayoutError:
        assume(False)
    over = [note for note in notes("logical_divide", (a, t)) if "over-cover" in note]
    expected = records.judge("logical_divide_tile", [show(a), show(t)], show(answer))
    assert expected is not None
    assert [n.split(" of ")[0].split()[-1] for n in over] == [
        n.split()[-1] for n in expected.notes if "over-cover" in n
    ]
    repeated = [
        n.split("each element ")[1].split()[0] for n in notes("logical_divide", (a, t)) if "each element" in n
    ]
    assert repeated == [n.split("each element ")[1].split()[0] for n in expected.notes if "each element" in n]
    if over:
        with pytest.raises(Inadmissible, match="strict"):
            sl.logical_divide(a, t, strict=True)
    else:
        assert sl.logical_divide(a, t, strict=True) == answer


@thorough
@given(make.layouts(), st.sampled_from((1, 2, 16, 24, 37, 60, 64, 128)))
@example(parse("(4,2):(2,11)"), 18)
@example(parse("4:-1"), 16)
def test_complement(a: Layout, cotarget: int) -> None:
    against_the_oracle("complement", [a, cotarget], sl.complement, a, cotarget)


@thorough
@given(make.layouts(), make.shapes())
def test_complement_in_a_shape(a: Layout, shape: Any) -> None:
    against_the_oracle("complement_shape", [a, shape], sl.complement, a, shape)


@thorough
@given(make.layouts())
def test_complement_in_the_cosize(a: Layout) -> None:
    against_the_oracle("complement_default", [a], sl.complement, a)


@thorough
@given(make.layouts())
def test_right_inverse_never_fails(a: Layout) -> None:
    verdict = records.judge("right_inverse", [show(a)], show(sl.right_inverse(a)))
    assert verdict is not None
    assert verdict.broken is None


@thorough
@given(make.swizzles(), make.layouts())
def test_right_inverse_of_a_swizzled_layout(s: Swizzle, a: Layout) -> None:
    x = sl.composition(s, a)
    against_the_oracle("swizzle_right_inverse", [s, a], sl.right_inverse, x)


@thorough
@given(make.layouts())
@example(parse("(4,2,4):(8,2,4)"))
@example(parse("(4,4):(1,2)"))  # not injective, not nested, and right all the same
def test_left_inverse(a: Layout) -> None:
    against_the_oracle("left_inverse", [a], sl.left_inverse, a)


@thorough
@given(st.data())
def test_product(data: st.DataObject) -> None:
    a = data.draw(make.layouts(largest=60))
    t = data.draw(make.tilers(a))
    against_the_oracle("logical_product_tile", [a, t], sl.logical_product, a, t)


@thorough
@given(
    make.layouts(largest=60), make.layouts(largest=60), st.sampled_from(("blocked_product", "raked_product"))
)
def test_ranked_product(a: Layout, b: Layout, name: str) -> None:
    against_the_oracle(name, [a, b], getattr(sl, name), a, b)


@thorough
@given(st.data())
def test_tile_to_shape(data: st.DataObject) -> None:
    block = data.draw(make.layouts(largest=40))
    shape = data.draw(make.targets(block))
    order = data.draw(st.sampled_from(("LayoutLeft", "LayoutRight")))
    against_the_oracle(
        "tile_to_shape",
        [block, shape, parse("1")],
        sl.tile_to_shape,
        block,
        shape,
        order,
    )


# --- the decisions themselves -------------------------------------------------------------------------------


@thorough
@given(make.layouts(), make.layouts(), make.layouts(largest=120), make.swizzles() | st.none())
def test_least_index_where_two_chains_differ(f: Layout, g: Layout, b: Layout, s: Swizzle | None) -> None:
    left = (f, s, b) if s is not None else (f, b)
    for right in ((g, b), (f, b), (g,), (f, g, b)):
        sum_ = [(1, left), (-1, right)]
        expected = next((i for i in range(b.size()) if value(sum_, i) != 0), None)
        assert least_index(flatten_to_tuple(b.shape), sum_) == expected


@thorough
@given(make.layouts())
def test_least_repeated_value(layout: Layout) -> None:
    seen: dict[int, int] = {}
    expected = next((i for i in range(layout.size()) if seen.setdefault(layout(i), i) != i), None)
    found = least_repeat(layout)
    assert (found and found[0]) == expected
    if found:
        assert layout(found[0]) == layout(found[1])
        assert found[1] < found[0]


def test_the_laws_do_not_enumerate() -> None:
    """Sizes up to 2^41, decided at once, with the least witness."""
    n = 1 << 20
    wide = Layout((n, n), (1, 2 * n))
    with pytest.raises(Inadmissible) as refusal:
        sl.composition(wide, Layout((n, n), (1, 1)))  # a + b first leaves mode 0 at a = n-1, b = 1
    assert refusal.value.index == 2 * n - 1
    assert (refusal.value.want, refusal.value.got) == (2 * n, n)
    with pytest.raises(Inadmissible) as refusal:
        sl.composition(
            Layout((2 * n - 1, n), (1, 4 * n)), Layout(2 * n, 2)
        )  # 2*i jumps over the end of mode 0
    assert (refusal.value.index, refusal.value.want, refusal.value.got) == (n, 4 * n + 1, 4 * n)
    assert least_repeat(Layout((n, n), (2, 3))) == (2 * n, 3)
    assert sl.composition(Layout((n, n)), Layout((n, n), (n, 1))).size() == n * n
    assert sl.logical_divide(Layout((n, 3 * n)), (3, 2)).size() == (n + 2) // 3 * 3 * 3 * n


def test_refusals_say_what_and_why() -> None:
    error = refusal(sl.composition, parse("(3,2):(1,4)"), parse("(2,2):(1,2)"))
    assert error is not None
    assert (error.index, error.want, error.got) == (3, 4, 3)
    for part in (
        "A = (3,2):(1,4)",
        "B = (2,2):(1,2)",
        "A(B(3)) = 4",
        "R(3) = 3",
        "no layout",
        "unchecked=True",
    ):
        assert part in str(error)
    with pytest.raises(Inadmissible, match=r"\(0,2\) of A's shape \(8,3\) is missed"):
        sl.logical_divide(parse("(8,3):(3,1)"), parse("6:3"))
    with pytest.raises(Inadmissible, match="16 elements, the layout 8"):
        sl.with_shape(parse("(2,4):(4,1)"), (4, 4))
    with pytest.raises(Inadmissible, match="reach 16 of 18 elements"):
        sl.complement(parse("(4,2):(2,11)"), 18)
    with pytest.raises(Inadmissible, match=r"R\(8\) = R\(66\) = 6"):
        sl.tile_to_shape(parse("(2,(4,2)):(1,(6,24))"), (8, 16), "LayoutRight")


def test_a_legitimate_apparent_violation_is_accepted() -> None:
    """The stride 3 does not divide mode 0 of size 4, but two steps of it end inside."""
    assert str(sl.composition(parse("(4,3):(1,10)"), parse("2:3"))) == "2:3"
    assert str(sl.composition(parse("(4,2,8):(1,5,9)"), parse("2:-1"))) == "2:-1"


def test_notes() -> None:
    assert notes("logical_divide", (parse("(3,4):(4,1)"), parse("2:1"))) == [
        "over-cover: 4 of 16 coordinates lie outside (3,4); predicate them"
    ]
    assert notes("zipped_divide", (parse("(8,4):(1,8)"), (parse("2:0"), 3))) == [
        "mode 0: each element 2 times: the tiler has modes of stride 0",
        "mode 1: over-cover: 2 of 6 coordinates lie outside 4; predicate them",
    ]
    assert notes("complement", (parse("(2,2):(1,3)"), 24)) == [
        "a gap: 7 of the offsets below 23 are reached by no copy"
    ]
    assert notes("left_inverse", (parse("(4,4):(1,2)"),)) == [
        "L is not injective: L(2) = L(4) = 2; R gives one of the indices of a value"
    ]
    assert notes("composition", (parse("4:1"), parse("4:1"))) == []
