"""Where single bits show that a swizzle passes through a layout, it does; enumeration says so."""

from hypothesis import given, settings

from symlayout import Layout, LayoutError, Swizzle, composition, parse
from symlayout.algebra.masks import carries_bits
from tests import strategies as make


@settings(max_examples=300, deadline=None, derandomize=True)
@given(make.layouts(), make.swizzles())
def test_what_bits_show_is_so(a: Layout, s: Swizzle) -> None:
    try:
        front = composition(a, s, unchecked=True)
    except LayoutError:
        return
    n = 2 * a.size()
    if carries_bits(a, s, front, n):
        image = front.swizzle if s.b else s
        assert [a(s(x)) for x in range(n)] == [image(a(x)) for x in range(n)]


def test_the_usual_cases_are_shown() -> None:
    for text, s in [
        ("(8,64):(64,1)", Swizzle(3, 0, 3)),
        ("(4,8):(8,1)", Swizzle(2, 0, 2)),
        ("64:1", Swizzle(2, 1, -3)),
    ]:
        a = parse(text)
        assert carries_bits(a, s, composition(a, s), a.size())
    a = parse("(3,4):(4,1)")
    assert not carries_bits(a, Swizzle(2, 0, 2), composition(a, Swizzle(2, 0, 2), unchecked=True), 12)
