"""admissible against plain enumeration: a layout where there is one, else the least index that none reaches.

tests/oracle/pairs.py tries every way to split B's modes and knows nothing of symlayout.
"""

import json
import random
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import symlayout as sl
from symlayout import (
    ComposedLayout,
    Inadmissible,
    Layout,
    LayoutError,
    Swizzle,
    UnsupportedError,
    admissible,
    composition,
    make_identity_layout,
    parse,
)
from symlayout.algebra.fit import least_difference
from symlayout.basis import ScaledBasis
from symlayout.inttuple import flatten_to_tuple
from tests import every_pair
from tests import strategies as make
from tests.oracle import pairs
from tests.oracle.maps import Basis, value
from tests.oracle.maps import Layout as Pair

GOLDEN = Path(__file__).parent.parent / "golden"

thorough = settings(
    max_examples=150,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
)


def asked(a: Layout, b: Layout) -> tuple[Layout | None, Inadmissible | None]:
    """The answer, or the refusal."""
    try:
        return admissible(a, b), None
    except Inadmissible as e:
        return None, e


def judged(a: Layout, b: Layout) -> Layout | None:
    """What admissible says, held against enumeration; None where it refuses."""
    row, reach = pairs.decide(Pair((a.shape, a.stride)), Pair((b.shape, b.stride)))
    found, error = asked(a, b)
    if error is not None:
        assert (error.index, error.want) == (reach, row[reach]), f"{a} o {b}: {error}"
        assert error.got != error.want
        return None
    assert found is not None
    assert reach == len(row), f"{a} o {b}: {found}, and no layout reaches {reach}"
    assert sl.compatible(b.shape, found.shape)
    assert [found(i) for i in range(len(row))] == row
    return found


@thorough
@given(make.layouts(), make.layouts(largest=60))
@example(parse("(3,2):(1,4)"), parse("(2,2):(1,2)"))
@example(parse("(4,6,8):(2,3,5)"), parse("6:3"))
@example(parse("(4,2,8):(1,5,9)"), parse("((2,2),3):((-1,0),3)"))
def test_there_is_a_layout_or_there_is_none(a: Layout, b: Layout) -> None:
    found = judged(a, b)
    try:
        answer = composition(a, b)
    except LayoutError:
        return
    assert found == answer, "where composition answers, so does admissible, to the letter"


def test_a_slice_of_every_pair() -> None:
    """`python -m tests.every_pair` runs all of them."""
    kinds, wrong = every_pair.run(every_pair.lefts()[::5], every_pair.rights()[3::41])
    assert wrong == []
    assert kinds.total() > 3000
    assert {"none, CuTe refuses", "none, CuTe errs", "some, CuTe refuses", "some, CuTe errs"} < set(kinds)


def compositions(name: str) -> list[tuple[str, str]]:
    """The pairs (A, B) of the records that compose two layouts."""
    found = []
    for line in (GOLDEN / name).read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        op, arguments = record["op"], record.get("args", [])
        if op == "dynamic_probe" and arguments[0].startswith("composition dyn "):
            op, arguments = "composition", arguments[0].removeprefix("composition dyn ").split(" o ")
        if op in ("composition", "composition_dynamic", "with_shape"):
            found.append((arguments[0], arguments[1]))
    return found


@pytest.mark.parametrize(
    "name, least", [("silent_wrong", 43), ("silent_wrong_hand", 2), ("silent_wrong_dynamic", 27)]
)
def test_what_cute_gets_wrong_without_a_word(name: str, least: int) -> None:
    found = compositions(f"{name}.jsonl")
    assert len(found) >= least
    for a, b in found:
        left, right = parse(a), parse(b)
        judged(left, right if isinstance(right, Layout) else Layout(right))


def test_layouts_that_cute_refuses_to_compute() -> None:
    assert str(admissible(parse("(3,4):(4,1)"), parse("2:4"))) == "2:5"
    assert str(admissible(parse("(10,2):(16,4)"), parse("(3,4):(1,5)"))) == "(3,(2,2)):(16,(80,4))"
    assert str(admissible(parse("(2,3):(1,10)"), parse("3:2"))) == "3:10"


def test_the_words_of_a_refusal() -> None:
    with pytest.raises(Inadmissible) as refusal:
        admissible(parse("(4,6,8):(2,3,5)"), parse("6:3"))
    assert (refusal.value.index, refusal.value.want, refusal.value.got) == (3, 8, 13)
    assert "the values below 3 force the modes (2,3):(6,7)" in str(refusal.value)
    with pytest.raises(Inadmissible, match="ends after 4 steps, which do not divide the 6 left"):
        admissible(parse("(4,2):(1,8)"), 6)


def test_what_b_may_be() -> None:
    a = parse("(8,(3,2)):(1,(8,40))")
    assert admissible(a, None) == a
    assert admissible(Layout(12), 4) == Layout(4, 1)
    assert admissible(a, (4, None)) == composition(a, (4, None))
    with pytest.raises(Inadmissible, match="mode 1: admissible: no layout is A after B") as refusal:
        admissible(a, (4, parse("(2,2):(1,2)")))
    assert (refusal.value.index, refusal.value.want, refusal.value.got) == (3, 40, 24)
    with pytest.raises(LayoutError, match="more modes"):
        admissible(a, (1, 1, 1))
    with pytest.raises(LayoutError):
        admissible(a, 0)


def test_under_a_swizzle() -> None:
    """A swizzle is one-to-one, so what is decided is the layout under it."""
    swizzle = Swizzle(1, 0, 1)
    under = ComposedLayout(swizzle, 2, parse("(3,4):(4,1)"))
    found = admissible(under, parse("2:4"))
    assert str(found) == "Sw<1,0,1> o 2 o 2:5"
    assert [found(i) for i in range(2)] == [under(4 * i) for i in range(2)]
    refused = ComposedLayout(swizzle, 0, parse("(3,2):(1,4)"))
    with pytest.raises(Inadmissible) as refusal:
        admissible(refused, parse("(2,2):(1,2)"))
    assert (refusal.value.index, refusal.value.want, refusal.value.got) == (3, swizzle(4), swizzle(3))
    assert admissible(swizzle, Layout(8)) == composition(swizzle, Layout(8))
    with pytest.raises(UnsupportedError, match="swizzled"):
        admissible(Layout(8), ComposedLayout(swizzle, 0, Layout(8)))


def test_coordinates() -> None:
    """A stride of the answer moves along one mode of A, or there is no answer."""
    identity = make_identity_layout((4, 6))
    assert str(admissible(identity, parse("(2,3):(2,4)"))) == "(2,3):(2@0,1@1)"
    assert str(admissible(identity, parse("8:1"))) == "(4,2):(1@0,1@1)"
    with pytest.raises(Inadmissible, match=r"a step to \(1,1\) moves along 2 modes") as refusal:
        admissible(identity, parse("2:5"))
    assert (refusal.value.index, refusal.value.want, refusal.value.got) == (1, (1, 1), None)
    with pytest.raises(Inadmissible) as refusal:
        admissible(identity, 6)
    assert (refusal.value.index, refusal.value.want, refusal.value.got) == (4, (0, 1), (4,))
    by_mode = parse("(2,3):(1@1,2@0)")
    assert admissible(parse("(6,4):(1,10)"), by_mode) == composition(parse("(6,4):(1,10)"), by_mode)


def plain_index(a: Layout, b: Layout, i: int) -> int:
    return int(a(b(i)))


def test_nothing_is_enumerated() -> None:
    """Sizes to 2^40 and beyond, each decided at once and confirmed at chosen indices."""
    n = 1 << 20
    wide = Layout((n, n), (1, 2 * n))
    assert admissible(wide, Layout(n * n)) == Layout((n, n), (1, 2 * n))
    with pytest.raises(Inadmissible) as refusal:
        admissible(wide, Layout((n, n), (1, 1)))
    assert (refusal.value.index, refusal.value.want, refusal.value.got) == (2 * n - 1, 2 * n, n)
    straddling = admissible(Layout((n - 1, 3 * n), (0, 0)), Layout(n, n - 3))
    assert straddling == Layout(n, 0)
    with pytest.raises(Inadmissible) as refusal:  # index 2 may begin a mode, index 3 may not
        admissible(Layout((3 * n, n), (1, 9 * n)), Layout(n, 3 * n - 1))
    assert (refusal.value.index, refusal.value.want, refusal.value.got) == (3, 21 * n - 3, 15 * n - 3)
    rng = random.Random(7)
    slowest = 0.0
    for _ in range(300):
        a, b = big(rng), big(rng)
        start = time.process_time()
        found, error = asked(a, b)
        if error is not None:
            assert isinstance(error.index, int)
            assert plain_index(a, b, error.index) == error.want != error.got
        else:
            assert found is not None
            assert all(found(i) == plain_index(a, b, i) for i in points(b, rng))
            assert least_difference(a, b, found) is None
        slowest = max(slowest, time.process_time() - start)
    assert slowest < 1.0, f"a decision took {slowest} s"


def big(rng: random.Random) -> Layout:
    sizes = [rng.choice((2, 3, 7, 64, 1000, 1 << 10, 1 << 13, 3 << 11)) for _ in range(rng.randint(1, 3))]
    if rng.random() < 0.6:
        steps, step = [], rng.choice((1, 1, 2, -1))
        for s in sizes:
            steps.append(step * rng.choice((1, 1, 1, 2)))
            step *= s
    else:
        steps = [rng.choice((-3, -1, 0, 1, 2, 3, 64, 1000, 4096, 12288)) for _ in sizes]
    return Layout(tuple(sizes), tuple(steps))


def points(b: Layout, rng: random.Random) -> list[int]:
    n = b.size()
    return [0, n - 1, *(rng.randrange(n) for _ in range(20))]


def test_an_answer_is_remembered_with_its_layout() -> None:
    a, b = parse("(3,4):(4,1)"), parse("2:4")
    assert admissible(a, b) is admissible(a, b)
    assert admissible(parse("(3,4):(4,1)"), parse("2:4")) == admissible(a, b)


def test_refusals_by_mode_name_the_mode() -> None:
    a: Any = parse("(8,(3,2)):(1,(8,40))")
    with pytest.raises(Inadmissible, match=r"^mode 1: composition: ") as refusal:
        composition(a, (4, parse("(2,2):(1,2)")))
    assert (refusal.value.index, refusal.value.want, refusal.value.got) == (3, 40, 24)
    with pytest.raises(Inadmissible, match=r"^mode 1: divide: "):
        sl.logical_divide(parse("(4,(8,3)):(1,(12,4))"), (2, parse("6:3")))
    with pytest.raises(Inadmissible, match=r"^mode 0: divide: "):
        sl.zipped_divide(parse("((8,3),4):((12,4),1)"), (parse("6:3"), 2))


@thorough
@given(st.integers(1, 3).flatmap(make.basis_layouts), make.layouts(largest=60))
@example(make_identity_layout((4, 6)), parse("(2,3):(2,4)"))
def test_coordinates_against_enumeration(a: Layout, b: Layout) -> None:
    left, right = Pair((a.shape, plain_strides(a.stride))), Pair((b.shape, b.stride))
    points = [value(left, value(right, i)) or {} for i in range(b.size())]
    reach = pairs.decide_coordinates(points, tuple(flatten_to_tuple(b.shape)))
    found, error = asked(a, b)
    if error is not None:
        assert error.index == reach
        return
    assert found is not None
    assert reach == b.size()
    answer = Pair((found.shape, plain_strides(found.stride)))
    assert [value(answer, i) or {} for i in range(b.size())] == points


def plain_strides(d: Any) -> Any:
    """Basis strides as the oracle writes them."""
    if isinstance(d, tuple):
        return tuple([plain_strides(x) for x in d])
    return Basis(d.value, d.modes) if isinstance(d, ScaledBasis) else d
