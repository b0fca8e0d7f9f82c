"""Claims on plain ints: what each says, its least counterexample, and the texts of refusals."""

from collections.abc import Callable

import pytest

from symlayout.algebra import make_identity_layout
from symlayout.basis import E
from symlayout.claim import Claim, Failure, values
from symlayout.claims import aligned, all_of, bijective, covers, disjoint, equal, injective, within
from symlayout.decide import prove
from symlayout.errors import LayoutError
from symlayout.layout import Layout
from symlayout.map_claims import common_radix, coordinate_in, digits
from symlayout.swizzle import ComposedLayout, Swizzle
from symlayout.symbolic import Var, evaluate


def fails(claim: Claim) -> Failure:
    failure = claim.failure()
    assert failure is not None, f"{claim} holds"
    return failure


def holds(claim: Claim) -> bool:
    return claim.failure() is None


def test_equal_of_integers_and_coordinates() -> None:
    assert holds(equal(3, 3))
    assert holds(equal((1, (2, 3)), (1, (2, 3))))
    failure = fails(equal((1, 2), (1, 5)))
    assert (failure.left, failure.right) == ((1, 2), (1, 5))


def test_equal_of_layouts_is_about_the_functions() -> None:
    assert holds(equal(Layout((2, 4), (1, 2)), Layout(8, 1)))
    assert holds(equal(Layout((4, 1), (1, 77)), Layout(4, 1)))
    failure = fails(equal(Layout((2, 2), (1, 3)), Layout(4, 1)))
    assert failure.witness == {"i": 2}
    assert (failure.left, failure.right) == (3, 2)
    assert failure.says == "((2,2):(1,3))(2) = 3, (4:1)(2) = 2"
    assert fails(equal(Layout(4, 1), Layout(5, 1))).says == "4:1 has 4 elements, 5:1 has 5"


def test_equal_of_coordinate_layouts() -> None:
    x = Layout((2, 4), (E(0), E(1)))
    assert holds(equal(x, Layout((2, 2, 2), (E(0), E(1), E(1) * 2))))
    assert fails(equal(x, Layout((4, 2), (E(0), E(1))))).witness == {"i": 2}
    assert holds(equal(Layout(4, 0), Layout(4, E(0) * 0))), "a missing entry of a coordinate is 0"


def test_within_and_aligned() -> None:
    assert holds(within(3, 0, 4))
    assert fails(within(4, 0, 4)).left == 4
    assert holds(within(Layout((4, 8), (8, 1)), 0, 32))
    assert fails(within(Layout((4, 8), (9, 1)), 0, 32)).witness == {"i": 23}
    assert holds(aligned(24, 8))
    assert holds(aligned(Layout((4, 8), (16, 8)), 8))
    assert fails(aligned(Layout((4, 8), (16, 4)), 8)).witness == {"i": 4}


def test_injective_finds_the_least_pair() -> None:
    assert holds(injective(Layout((4, 8), (8, 1))))
    failure = fails(injective(Layout((4, 4), (2, 3))))
    assert failure.witness == {"i": 3, "j": 8}
    assert failure.says == "the coordinates 3 and 8 of (4,4):(2,3) share the value 6"
    assert fails(injective(Layout((2, 2), (1, 0)))).witness == {"i": 0, "j": 2}


def test_injective_of_a_swizzled_layout() -> None:
    assert holds(injective(ComposedLayout(Swizzle(3, 3, 3), 0, Layout((8, 64), (64, 1)))))


def test_bijective_is_injective_and_onto() -> None:
    assert holds(bijective(Layout((4, 8), (8, 1))))
    assert fails(bijective(Layout((4, 8), (9, 1)))).left == 32
    assert fails(bijective(Layout(4, 1), onto=8)).left == 4
    assert [p.label or str(p) for p in bijective(Layout(4, 1)).parts()] == [
        "4:1 has 4 coordinates",
        "0 <= 4:1 < 4",
        "4:1 is injective",
    ]


def test_covers_counts() -> None:
    assert holds(covers(Layout((8, 4), (1, 0)), 8, times=4))
    assert (
        fails(covers(Layout((8, 4), (1, 0)), 8, times=2)).says == "(8,4):(1,0) hits 0 4 times, wanted 2 times"
    )
    assert fails(covers(Layout(4, 2), 7)).witness == {"value": 1}
    assert holds(covers(Layout((4, 2), (1, 2)), 6)), "repeats are fine without times"


def test_disjoint() -> None:
    assert holds(disjoint(Layout(4, 2), ComposedLayout(Swizzle(0, 0, 0), 1, Layout(4, 2))))
    assert fails(disjoint(Layout(4, 2), Layout(3, 3))).witness == {"i": 0, "j": 0}


def test_all_of_tries_in_order() -> None:
    claim = all_of(equal(1, 1), equal(2, 3), equal(4, 5))
    assert fails(claim).left == 2
    assert len(claim.parts()) == 3
    assert claim.instances() == 1


def test_premises_weaken_a_claim() -> None:
    assert holds(equal(2, 3).given(equal(0, 1)))
    assert not holds(equal(2, 3).given(equal(1, 1)))
    a = Var("a", 8)
    assert str(equal(a, 3).given(within(a, 3, 4))) == "a = 3, given 3 <= a and a < 4"
    assert all(p.premises for p in all_of(equal(1, 1), equal(2, 2)).given(equal(1, 1)).parts())


def test_names_and_texts() -> None:
    a = Var("a", 8)
    assert str(equal(a * 2, 4)) == "2*a = 4"
    assert str(equal(a, 4).named("a is four")) == "a is four"
    assert str(within(a, 0, 4)) == "0 <= a < 4"
    assert str(aligned(a, 4)) == "4 divides a"
    assert equal(a, 4).free() == (a,)
    assert injective(Layout(4, 1)).free() == ()


@pytest.mark.parametrize(
    "make, text",
    [
        (lambda: equal((1, 2), (1, 2, 3)), r"equal: \(1,2\) against \(1,2,3\): 2 entries against 3"),
        (lambda: equal(1, "x"), "equal: 1 against x: x is not an integer"),
        (lambda: equal(Layout(4, 1), 4), "equal: a layout against 4; evaluate it first"),
        (lambda: within("x", 0, 1), "within: x is not an integer"),
        (lambda: aligned(4, 0), "aligned: to multiples of 0; a positive integer is needed"),
        (lambda: injective(4), "injective: 4 is not a layout"),
        (lambda: covers((4,), 4), r"covers: \(4\) is not a layout"),
        (lambda: equal(1, 1).given(injective(Layout(4, 1))), "given: a premise speaks about integers"),
    ],
)
def test_refusals(make: object, text: str) -> None:
    with pytest.raises(LayoutError, match=text):
        make()  # type: ignore[operator]


def test_all_of_wants_claims() -> None:
    with pytest.raises(TypeError, match=r"all_of: True is not a claim; equal\(a, b\) states one"):
        all_of(True)  # type: ignore[arg-type]


def test_values_are_those_of_the_layout() -> None:
    for layout in (
        Layout(((2, 3), 4), ((1, 40), 3)),
        ComposedLayout(Swizzle(2, 0, 2), 3, Layout((4, 4), (4, 1))),
    ):
        assert values(layout) == [layout(i) for i in range(layout.size())]


@pytest.mark.parametrize(
    "shapes, radix",
    [
        (((8, 4), (2, 16)), (2, 4, 4)),
        (((6,), (2, 3)), (2, 3)),
        (((6,), (4, 3)), None),
        (((2, 3), (3, 2)), None),
        (((1,), (1, 1)), (1,)),
    ],
)
def test_common_radix(shapes: tuple[tuple[int, ...], ...], radix: tuple[int, ...] | None) -> None:
    assert common_radix(*shapes) == radix
    if radix is not None:
        found = digits(radix, "i")
        for shape in shapes:
            coordinate = coordinate_in(shape, radix, found)
            for i in range(Layout(shape).size()):
                point, rest = {}, i
                for v, r in zip(found, radix, strict=True):
                    point[v.name], rest = rest % r, rest // r
                assert Layout(shape)(tuple(evaluate(c, point) for c in coordinate)) == i


def test_a_claim_is_neither_true_nor_false() -> None:
    """`and` would drop the first claim, `if` would choose by nothing."""
    for ask in (
        lambda: equal(1, 1) and equal(1, 2),
        lambda: not equal(1, 2),
        lambda: 1 if equal(1, 1) else 2,
    ):
        with pytest.raises(TypeError, match="neither true nor false"):
            ask()
    with pytest.raises(LayoutError, match="no claims"):
        all_of()


@pytest.mark.parametrize(
    "state",
    [
        lambda: equal(True, 1),
        lambda: equal((1, 2 > 1), (1, 1)),
        lambda: within(True, 0, 2),
        lambda: within(Layout(4), False, 9),
        lambda: aligned(8, True),
        lambda: aligned(Layout(4), True),
        lambda: covers(Layout(4), True),
        lambda: covers(Layout(4), 4, times=True),
        lambda: bijective(Layout(1), onto=True),
    ],
)
def test_true_and_false_are_no_integers(state: Callable[[], Claim]) -> None:
    with pytest.raises(LayoutError, match=r"not an integer|positive integer"):
        state()


def test_integers_and_coordinates_share_no_value_but_zero() -> None:
    """An integer is a coordinate only where both are zero, on plain ints and for the solver alike."""
    places, line = make_identity_layout((8, 8)), Layout(4, 1)
    for claim in (disjoint(places, line), disjoint(line, places)):
        assert fails(claim).witness == {"i": 0, "j": 0}
        assert prove(claim).name == "refuted"
    assert holds(disjoint(places, ComposedLayout(Layout(8, 1), 1, line)))
    assert prove(disjoint(places, ComposedLayout(Layout(8, 1), 1, line)))
    apart = equal(make_identity_layout((4,)), line)
    assert fails(apart).witness == {"i": 1}
    assert prove(apart).name == "refuted"
