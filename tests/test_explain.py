"""Counterexamples in words: the author's own texts, and values decoded in the layouts that a claim names."""

from symlayout.claim import Claim, Failure
from symlayout.claims import all_of, equal
from symlayout.explain import coordinate_of, decode, describe, mode_names, named_layouts, sides
from symlayout.layout import Layout
from symlayout.symbolic import Int

tCrB = Layout(((2, 2), 4, 2), ((1, 2), 8, 4))
other = Layout((2, 3), (3, 1))


def body(a: Int) -> Claim:
    """A claim with two comparisons."""
    return all_of(
        equal(tCrB(a, 0, 0), a),
        equal(tCrB(a % 4, a // 4, 0), a),
    )


def test_sides_are_the_author_s_text() -> None:
    assert sides(body) == ("tCrB(a, 0, 0)", "a")
    assert sides(body, 1) == ("tCrB(a % 4, a // 4, 0)", "a")
    assert sides(body, 2) == ("left", "right")
    assert sides(lambda a: equal(other(a), a + 1)) == ("other(a)", "a + 1")
    assert sides(eval("lambda a: equal(a, 1)", {"equal": equal})) == ("left", "right")
    assert sides(len) == ("left", "right")


def test_of_several_lambdas_in_a_line_each_has_its_own_sides() -> None:
    f, g = (lambda a: equal(a, a * a)), (lambda a: equal(7 * a, a + 1))
    assert sides(f) == ("a", "a * a")
    assert sides(g) == ("7 * a", "a + 1")
    many = [(lambda a: equal(a, 3)), (lambda a: all_of(equal(a, 4), equal(a, 5)))]
    assert [sides(many[1], k) for k in range(3)] == [("a", "4"), ("a", "5"), ("left", "right")]
    listed = lambda a: all_of(*[equal(a + k, a) for k in range(2)])  # noqa: E731
    assert sides(listed) == ("a + k", "a")
    outer = lambda a: all_of(  # noqa: E731
        equal(a, 6),
        equal(a, 7),
    )
    assert sides(outer, 1) == ("a", "7")


def test_the_layouts_that_a_body_names() -> None:
    assert named_layouts(body) == {"tCrB": tCrB}
    inner = Layout(4, 1)
    assert named_layouts(lambda a: equal(inner(a), other(a))) == {"inner": inner, "other": other}


def test_modes_by_cute_s_naming_convention() -> None:
    assert [mode_names(n) for n in ("tCrA", "tCrB_x2", "tCrC", "tXrB", "sA")] == ["VMK", "VNK", "VMN", "", ""]


def test_decoding() -> None:
    assert coordinate_of(tCrB, 8) == (0, 1, 0)
    assert coordinate_of(tCrB, 99) is None
    assert coordinate_of(Layout(4, 2), 6) == (3,)
    assert coordinate_of(Layout((1 << 10, 1 << 10), (1, 1 << 10)), 5) is None, "too large to search"
    assert decode(8, {"tCrB": tCrB, "other": other}) == "8 is tCrB(0,1,0): V 0, N 1, K 0"
    assert decode(4, {"tCrB": tCrB, "other": other}) == "4 is tCrB(0,0,1): V 0, N 0, K 1, other(1,1)"
    assert decode(99, {"tCrB": tCrB}) == ""


def test_a_description() -> None:
    assert describe(Failure({}, 8, 4), body, {"a": 4}).splitlines() == [
        "at a = 4",
        "  tCrB(a, 0, 0) = 8    8 is tCrB(0,1,0): V 0, N 1, K 0",
        "  a             = 4    4 is tCrB(0,0,1): V 0, N 0, K 1",
    ]
    said = Failure({"thread": 3}, 8, 9, "the mma has 8 there", (("tCrB", tCrB),))
    assert describe(said, None, {}).splitlines() == [
        "at thread = 3",
        "  the mma has 8 there",
        "  8 is tCrB(0,1,0): V 0, N 1, K 0",
        "  9 is tCrB(1,1,0): V 1, N 1, K 0",
    ]
    assert describe(Failure({}, 1, 2, "1 is not 2"), None, {}) == "1 is not 2"
