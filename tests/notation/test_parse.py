"""Reading and printing notation: every written form, the column of every error, and str -> parse -> str."""

import doctest
import importlib
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symlayout.basis import ScaledBasis
from symlayout.errors import LayoutError, NotationError
from symlayout.layout import Layout
from symlayout.notation import (
    format_layout,
    format_value,
    parse,
    parse_coord,
    parse_layout,
    parse_shape,
    parse_tiler,
)
from symlayout.swizzle import ComposedLayout, Swizzle

FRAGMENT = Layout(((2, 2, 2), 1, 1), ((1, 2, 4), 0, 0))
PERMUTED = Layout((8, 2, 2), (1, 16, 8))
SWIZZLED = ComposedLayout(Swizzle(3, 3, 3), 0, Layout((8, 64), (64, 1)))


@pytest.mark.parametrize(
    "text, value",
    [
        # the prints of CuTe
        ("4:1", Layout(4, 1)),
        ("((2,2,2),1,1):((1,2,4),0,0)", FRAGMENT),
        ("((_2,_2,_2),_1,_1):((_1,_2,_4),_0,_0)", FRAGMENT),
        (" ( (2, 2,2),1 ,1) :\n((1,2,4),0,0) ", FRAGMENT),
        ("4:_-1", Layout(4, -1)),
        ("((2)):((1))", Layout(((2,),), ((1,),))),
        ("Sw<3,3,3>", Swizzle(3, 3, 3)),
        ("S<2,0,-2>", Swizzle(2, 0, -2)),
        ("Sw<3,3,3> o 0 o (8,64):(64,1)", SWIZZLED),
        ("Sw<3,3,3> o _0 o (_8,_64):(_64,_1)", SWIZZLED),
        ("S<3,3,3>o0o(8,64):(64,1)", SWIZZLED),
        ("(4,8):(1@0,1@1)", Layout((4, 8), (ScaledBasis(1, (0,)), ScaledBasis(1, (1,))))),
        ("2@0@1", ScaledBasis(2, (1, 0))),  # mode 0 of mode 1
        # C++ type text
        ("Layout<Shape<_8,_2,_2>,Stride<_1,_16,_8>>", PERMUTED),
        ("Layout<Shape<_4,Shape<_2,_1>>>", Layout((4, (2, 1)), (1, (4, 0)))),
        ("cute::Layout<cute::tuple<cute::C<8>,cute::C<2>>,cute::tuple<C<1>,C<8>>>{}", Layout((8, 2), (1, 8))),
        ("Layout<C<8>>", Layout(8, 1)),
        ("Swizzle<3,3,3>", Swizzle(3, 3, 3)),
        ("ComposedLayout<Swizzle<3,3,3>,_0,Layout<Shape<_8,_64>,Stride<_64,_1>>>", SWIZZLED),
        ("Layout<tuple<I<1>>,tuple<ScaledBasis<I<2>,0,1>>>", Layout((1,), (ScaledBasis(2, (0, 1)),))),
        ("Int<4>", 4),
        ("integral_constant<int,4>", 4),
        ("_4{}", 4),
        # integers, shapes, coordinates, tilers
        ("1" + 30 * "0", 10**30),
        ("(6)", (6,)),
        ("(6,)", (6,)),
        ("()", ()),
        ("_", None),
        ("(_,(2,_))", (None, (2, None))),
        ("Shape<_4,Shape<_2,_2>>", (4, (2, 2))),
        ("<4:1,(2,4):(1,8)>", (Layout(4, 1), Layout((2, 4), (1, 8)))),
        ("(4:1,2,_)", (Layout(4, 1), 2, None)),
        ("Tile<_32,Underscore,Int<4>>", (32, None, 4)),
        ("Tile<_16,Layout<Shape<_8,_2,_2>,Stride<_1,_16,_8>>,_16>", (16, PERMUTED, 16)),
        ("16,(8,2,2):(1,16,8),16", (16, PERMUTED, 16)),
        ("_,4,(2,2)", (None, 4, (2, 2))),
    ],
)
def test_written_forms(text: str, value: object) -> None:
    assert parse(text) == value


@pytest.mark.parametrize(
    "text, column, words",
    [
        ("", 0, "nothing to read"),
        ("(4,4:(1,4)", 0, "the '(' at column 1 is never closed: expected ')'"),
        ("(4,4)):(1,4)", 5, "closes a bracket that was never opened"),
        ("(4,<4):(1,4)>", 5, "expected '>' for the '<' at column 4, found ')'"),
        ("4::1", 2, "expected a number"),
        ("4:", 2, "the text ends here; expected a number"),
        ("(4,,4)", 3, "unexpected ','"),
        ("4 4", 2, "expected ',', ':', '@', 'o' or the end of the text"),
        ("4:1:2", 3, "expected ',', 'o' or the end of the text"),
        ("4%2", 1, "unexpected character '%'"),
        ("(4,?{div=0})", 3, "expected ?, ?{div=8} or"),
        ("(" * 5000 + ")" * 5000, 64, "more than 64 brackets"),
        ("1@", 2, "expected a number"),
        ("Sw<3,3,3> o", 11, "the text ends here"),
        ("(2,3):(1,2,6)", 6, "shape  (2,3)\n  stride (1,2,6)"),
        ("(2,3):((1,2),3)", 6, "not congruent"),
        ("(2,(3,0)):(1,(2,6))", 6, "0 is not a size"),
        ("(2,-3):(1,2)", 3, "-3 is not a size"),
        ("Layout<Shape<_2,_0>>", 16, "0 is not a size"),
        ("Layout<_2,_3,_4>", 0, "takes a shape"),
        ("4:_", 2, "expected strides"),
        ("_:1", 0, "expected a size"),
        ("(4:1):3", 1, "found the layout 4:1"),
        ("Foo<3>", 0, "unknown type"),
        ("foo::bar", 0, "unknown name 'foo::bar'"),
        ("size(4:1)", 0, "not a notation of a layout"),
        ("Sw<1,2>", 0, "three numbers"),
        ("4:1 o 4:1", 0, "a composed layout reads"),
        ("4:1@0@9999", 6, "not a mode number"),
        ("9" * 5000, 0, "5000 digits"),
    ],
)
def test_errors_point_at_the_column(text: str, column: int, words: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse(text)
    assert words in str(caught.value)
    assert caught.value.column == column
    if text:
        line, caret = str(caught.value).splitlines()[-2:]
        assert caret.strip() == "^"
        assert line.strip()


def test_the_caret_stands_under_the_column_of_its_line() -> None:
    with pytest.raises(NotationError) as caught:
        parse("(2,\n  0):(1,2)")
    assert str(caught.value).endswith("\n    0):(1,2)\n    ^")


def test_the_whole_message_of_an_unbalanced_layout() -> None:
    with pytest.raises(NotationError) as caught:
        parse("((4,8:(8,1)")
    assert str(caught.value) == "the '(' at column 2 is never closed: expected ')'\n  ((4,8:(8,1)\n   ^"


def test_a_swizzle_that_cute_refuses_is_a_layout_error() -> None:
    with pytest.raises(LayoutError, match=r"must be at least B"):
        parse("Sw<3,3,2>")


def test_readers_of_one_kind() -> None:
    assert parse_layout("4:1") == Layout(4, 1)
    assert parse_layout("Sw<3,3,3> o 0 o (8,64):(64,1)") == SWIZZLED
    assert parse_shape("4,(2,3)") == (4, (2, 3))
    assert parse_shape("8") == 8
    assert parse_coord("_,(0,-1)") == (None, (0, -1))
    assert parse_tiler("(4:1,(2,_))") == (Layout(4, 1), (2, None))
    for reader, text, words in (
        (parse_layout, "(4,8)", "expected a layout, like (4,8):(8,1); found the tuple (4,8)"),
        (parse_layout, "Sw<3,3,3>", "found the swizzle Sw<3,3,3>"),
        (parse_shape, "(4,0)", "0 is not a size"),
        (parse_shape, "4:1", "expected a size, an integer; found the layout 4:1"),
        (parse_coord, "4:1", "expected a coordinate"),
        (parse_tiler, "Sw<1,2,3>", "expected a tiler"),
        (parse_tiler, "16,(0,_),16", "0 is not a size"),
    ):
        with pytest.raises(NotationError) as caught:
            reader(text)
        assert words in str(caught.value)


def test_printing() -> None:
    assert format_layout(FRAGMENT) == "((2,2,2),1,1):((1,2,4),0,0)"
    assert format_layout(FRAGMENT, "cpp") == "((_2,_2,_2),_1,_1):((_1,_2,_4),_0,_0)"
    assert format_layout(SWIZZLED, "cpp") == "Sw<3,3,3> o _0 o (_8,_64):(_64,_1)"
    assert format_value((Layout(4, -1), 2, None), "cpp") == "(_4:_-1,_2,_)"
    with pytest.raises(ValueError, match="style is"):
        format_value(4, "latex")  # type: ignore[arg-type]


# --- str -> parse -> str ---

strides = st.one_of(
    st.integers(-64, 1 << 40),
    st.builds(
        ScaledBasis, st.integers(-8, 8), st.lists(st.integers(0, 4), min_size=1, max_size=3).map(tuple)
    ),
)
modes = st.recursive(
    st.tuples(st.integers(1, 1 << 40), strides),
    lambda inner: st.lists(inner, min_size=1, max_size=4),
    max_leaves=12,
)


def unzip(tree: object, side: int) -> object:
    return tuple(unzip(t, side) for t in tree) if isinstance(tree, list) else tree[side]  # type: ignore[index]


layouts = modes.map(lambda tree: Layout(unzip(tree, 0), unzip(tree, 1)))
swizzles = st.builds(
    lambda b, m, s, sign: Swizzle(b, m, sign * (b + s)),
    st.integers(0, 5),
    st.integers(0, 5),
    st.integers(0, 5),
    st.sampled_from([1, -1]),
)
composed = st.builds(ComposedLayout, swizzles, st.integers(0, 99), layouts)
tilers = st.recursive(
    st.one_of(st.none(), st.integers(1, 99), layouts),
    lambda inner: st.lists(inner, min_size=1, max_size=3).map(tuple),
    max_leaves=6,
)


@given(st.one_of(layouts, swizzles, composed, tilers))
def test_what_is_printed_reads_back(value: object) -> None:
    assert parse(format_value(value)) == value
    assert parse(format_value(value, "cpp")) == value


@given(st.text(alphabet="(){}<>[]:,@._o 0123456789SwLayout?-", max_size=40))
def test_any_text_is_read_or_refused_politely(text: str) -> None:
    try:
        value = parse(text)
    except (NotationError, LayoutError):
        return
    assert parse(format_value(value)) == value


@pytest.mark.parametrize("module", ["", ".complaint", ".expression", ".printing", ".reading", ".tree"])
def test_examples_in_docstrings(module: str) -> None:
    assert doctest.testmod(importlib.import_module("symlayout.notation" + module)).failed == 0


def test_lark_waits_for_the_first_text() -> None:
    program = """
import sys
import symlayout.notation as notation
assert "lark" not in sys.modules
notation.parse("4:1")
assert "lark" in sys.modules
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


@pytest.mark.parametrize(
    "text, printed",
    [
        ("(4,N,2*K):(1,8*K,4)", "(4,N,2*K):(1,8*K,4)"),
        ("(N - 1 + 2, K):(-K, 1)", "(N+1,K):(-K,1)"),
        ("?:1", "d0:1"),
        ("(?,?{div=8}):(?{i64 div=8},1)", "(d0,8*d1):(8*d2,1)"),
        ("(d0,?):(?{i32},1)", "(d0,d1):(d2,1)"),
        ("(M,K):(1@0,2*K@1)", "(M,K):(1@0,2*K@1)"),
        ("(2*K*N+1):(3)", "(2*K*N+1):(3)"),
        ("Layout<Shape<_4,N>,Stride<_1,_4>>", "(4,N):(1,4)"),
        ("2*3:1", "6:1"),
    ],
)
def test_parameters(text: str, printed: str) -> None:
    value = parse(text)
    assert str(value) == printed
    assert parse(printed) == value


@pytest.mark.parametrize(
    "text, words",
    [
        ("(N-1):1", "N-1 is not a size where it is 0 or less"),
        ("K*(2,3)", "expected a number or a name beside '[*]'"),
        ("-(3)", "after '-'"),
        ("N+", "the text ends here"),
        ("Sw<N,1,2>", "expected an integer; found the size N"),
        ("1@0*1@1", "two basis strides have no product"),
    ],
)
def test_parameters_that_make_no_sense(text: str, words: str) -> None:
    with pytest.raises(NotationError, match=words):
        parse(text)
