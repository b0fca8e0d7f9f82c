"""What the algebra's functions take: shapes stand for their compact layouts, and what is neither a layout nor
a shape is refused with a LayoutError, before it reaches the arithmetic."""

from __future__ import annotations

import pytest

import symlayout as s
from symlayout import E, Layout, LayoutError, NotationError, Swizzle, parse

SHAPES = [8, (4, 8), [2, 4], ((2, 2), 4)]
OF_ONE = (
    "coalesce complement coshape cosize detail_coalesce_x filter filter_zeros flatten left_inverse "
    "make_fragment_like make_layout_like nullspace right_inverse"
).split()
OF_TWO = (
    "blocked_product complement composition flat_divide flat_product logical_divide logical_product "
    "max_common_layout max_common_vector raked_product tile_to_shape tiled_divide tiled_product with_shape "
    "zipped_divide zipped_product"
).split()


def outcome(name: str, *arguments: object) -> str:
    """The answer or the refusal as text; any other exception is a failure."""
    try:
        return str(getattr(s, name)(*arguments))
    except LayoutError:
        return "refused"


@pytest.mark.parametrize("name", OF_ONE)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_a_shape_is_its_compact_layout(name: str, shape: object) -> None:
    if name not in ("flatten", "make_fragment_like"):  # which answer a shape in a way of their own
        assert outcome(name, shape) == outcome(name, Layout(shape))


@pytest.mark.parametrize("name", OF_TWO)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_so_is_the_first_of_two_arguments(name: str, shape: object) -> None:
    for second in (2, 4, (2, 2), Layout(4, 2)):
        assert outcome(name, shape, second) == outcome(name, Layout(shape), second)


@pytest.mark.parametrize(
    ("call", "answer"),
    [
        (lambda: s.composition((4, 8), Layout(4, 2)), "4:2"),
        (lambda: s.zipped_divide((8, 8), (2, 4)), "((2,4),(4,2)):((1,8),(2,32))"),
        (lambda: s.complement(4, 16), "4:4"),
        (lambda: s.blocked_product((2, 2), (3, 3)), "((2,3),(2,3)):((1,4),(2,12))"),
        (lambda: s.slice_((None, 2), (4, 8)), "(4):(1)"),
        (lambda: s.dice((None, 2), (4, 8)), "(8):(4)"),
        (lambda: s.zip((1, 2), (3, 4)), "((1, 3), (2, 4))"),
    ],
)
def test_answers_over_shapes(call: object, answer: str) -> None:
    assert str(call()) == answer  # type: ignore[operator]


@pytest.mark.parametrize("name", [name for name in (*OF_ONE, *OF_TWO) if name != "flatten"])
@pytest.mark.parametrize("bad", ["4", 2.5, None, -4, 0, True, (2, "x"), (Swizzle(1, 2, 3), 1)], ids=repr)
def test_what_is_no_layout_is_refused(name: str, bad: object) -> None:
    """In the first place; what a tiler, a shape or a profile may be in the second is another question.
    `flatten` takes tuples of anything apart."""
    with pytest.raises(LayoutError):
        print(getattr(s, name)(*((bad,) if name in OF_ONE else (bad, 4))))


@pytest.mark.parametrize("name", OF_TWO)
@pytest.mark.parametrize("bad", ["4", 2.5, True, (2, "x"), (2, 2.5), {}, b"4"], ids=repr)
def test_nor_is_it_taken_for_the_second(name: str, bad: object) -> None:
    with pytest.raises(LayoutError):
        print(getattr(s, name)(Layout((4, 8)), bad))


@pytest.mark.parametrize("bad", ["4", 2.5, -4, 0, (2, 0), (Swizzle(1, 2, 3),), E(0)], ids=repr)
def test_a_tiler_is_made_of_positive_integers(bad: object) -> None:
    for name in ("composition", "logical_divide", "zipped_divide", "logical_product"):
        for layout in (Layout(8), Layout((4, 8))):
            with pytest.raises(LayoutError):
                getattr(s, name)(layout, bad)


@pytest.mark.parametrize("bad", [0, -3, (0, 2), 2.5, "a", True, E(0)], ids=repr)
def test_a_cotarget_is_a_number_of_elements(bad: object) -> None:
    for layout in (Layout(4), Layout(4, -1), Layout(4, 0), Layout((2, 2), (8, 1))):
        with pytest.raises(LayoutError, match=r"complement|Layout"):
            s.complement(layout, bad)


@pytest.mark.parametrize("bad", [1.5, "a", (1.5, 2), (1, "a"), Swizzle(1, 2, 3)], ids=repr)
def test_a_coordinate_is_made_of_integers(bad: object) -> None:
    with pytest.raises(LayoutError, match="is not an integer"):
        Layout((4, 8))(bad)
    if not isinstance(bad, tuple):
        with pytest.raises(LayoutError, match="is not an integer"):
            Layout(4)(bad)


@pytest.mark.parametrize("bad", [slice(0, 1), "a", 1.5, (0, "b")], ids=repr)
def test_a_mode_is_named_by_an_integer(bad: object) -> None:
    with pytest.raises(LayoutError, match="is not a mode"):
        Layout((4, 8))[bad]  # type: ignore[index]


@pytest.mark.parametrize(
    "bad", [Swizzle(1, 2, 3), Layout(4), 2 + 1j, b"4", object()], ids=lambda x: type(x).__name__
)
def test_a_size_is_an_integer(bad: object) -> None:
    for shape in (bad, (4, bad)):
        with pytest.raises(LayoutError, match="is not an integer"):
            Layout(shape)


@pytest.mark.parametrize("bad", [None, 4, ["4:1"], Layout(4)], ids=repr)
def test_parse_reads_text(bad: object) -> None:
    with pytest.raises(NotationError, match="expected text"):
        parse(bad)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("a", "b", "answer"),
    [
        ("((3,2),8):((16,48),1)", "(2,2):(1@0@0,0)", "(2,2):(16,0)"),
        (
            "(3,(1),8,(2)):(16,(8),1,(8))",
            "((2,2,2),(2,3,1)):((2@0@3,0,2@2),(1@0@1,2@2,4@2))",
            "((2,2,2),(2,3,1)):((16,0,2),(8,2,4))",
        ),
    ],
)
def test_stride_zero_beside_basis_strides_needs_no_mode(a: str, b: str, answer: str) -> None:
    """The answers are those of CuTe 4.2, compiled."""
    assert str(s.composition(parse(a), parse(b), unchecked=True)) == answer


def test_an_integer_stride_beside_basis_strides_needs_a_flat_mode() -> None:
    with pytest.raises(LayoutError, match="names a mode that has modes itself"):
        s.composition(parse("((3,2),8):((16,48),1)"), parse("(2,2):(1@0@0,1)"))


@pytest.mark.parametrize(
    ("shape", "crd", "answer"),
    [
        ((8,), 11, "11@0"),
        ((8,), (3,), "3@0"),
        (8, 11, "11"),
        ((8, 4), 11, "(3,1)"),
        (((8,), 4), 11, "((3),1)"),
    ],
)
def test_the_coordinate_of_a_single_mode_stays_a_basis(shape: object, crd: object, answer: str) -> None:
    """CuTe's crd2idx adds the modes up; one alone is added to nothing and prints `_11@0`."""
    assert str(s.crd2idx(crd, s.make_identity_layout(shape))) == answer


@pytest.mark.parametrize("pad", [s.append, s.prepend])
def test_padding_to_fewer_modes_is_refused(pad: object) -> None:
    """cute/algorithm/tuple_algorithms.hpp: static_assert(N > tuple_size<T>::value)."""
    with pytest.raises(LayoutError, match="N is rank or more"):
        pad(Layout((2, 2, 2)), n=2)  # type: ignore[operator]
    assert pad(Layout((2, 2, 2)), n=3) == Layout((2, 2, 2))  # type: ignore[operator]


def test_inverses_stop_at_a_thousand_modes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sorting and checking them is quadratic; no kernel has so many. They are refused before that."""
    monkeypatch.setattr("symlayout.algebra.inverses._sorted_indices", None)
    for invert in (s.left_inverse, s.right_inverse):
        with pytest.raises(LayoutError, match="at most 1000 are inverted"):
            invert(Layout((2,) * 1500, (1,) * 1500))


@pytest.mark.parametrize(
    ("block", "tiler", "answer"),
    [
        ("4:-1", "3:1", "(4,(-1,-3)):(-1,(1,-4))"),
        ("2:-1", "2:1", "(2,(-1,-2)):(-1,(1,-2))"),
        ("(2,3):(-1,-2)", "4:1", "((2,3),(-1,-4)):((-1,-2),(1,-6))"),
        ("4:-1", "(2,(8)):(8,(1))", "Shape Divisibility Condition: 2 % 0"),
        ("4:-1", "(2,2):(1,4)", "Shape Divisibility Condition: 2 % 0"),
        ("3:-2", "4:2", "Shape Divisibility Condition: 4 % 0"),
        ("4:-2", "3:1", "Stride Divisibility Condition: 1 % -2"),
        ("2:-3", "2:5", "Stride Divisibility Condition: 5 % -3"),
        ("6:-4", "2:-1", "Stride Divisibility Condition: -1 % -4"),
    ],
)
def test_products_of_blocks_with_negative_strides(block: str, tiler: str, answer: str) -> None:
    """What CuTe 4.2 prints, or the assertion that stops g++; its complement makes modes of negative size."""
    if ":" in answer and "Condition" not in answer:
        assert str(s.logical_product(parse(block), parse(tiler), unchecked=True)) == answer
    else:
        with pytest.raises(LayoutError, match=answer):
            s.logical_product(parse(block), parse(tiler), unchecked=True)
    with pytest.raises(LayoutError):
        s.logical_product(parse(block), parse(tiler))


@pytest.mark.parametrize("width", [0, -8])
def test_a_width_is_a_positive_number_of_bits(width: int) -> None:
    with pytest.raises(LayoutError, match="is not a width in bits"):
        s.recast_layout(width, 8, Layout(8))


def test_integers_of_numpy_are_integers() -> None:
    np = pytest.importorskip("numpy")
    x, two = Layout((8, 4)), np.int64(2)
    assert s.upcast(two, x) == s.upcast(x, two) == s.upcast(2, x)
    assert s.downcast(two, x) == s.downcast(2, x)
    assert s.recast_layout(np.int64(16), np.int64(32), x) == s.recast_layout(16, 32, x)
    assert s.domain_distribute((8, 4), np.int64(4)) == s.domain_distribute((8, 4), 4)
    assert s.blocked_product(x, two) == s.blocked_product(x, 2)
    assert s.coalesce(two) == Layout(2)
    for narrow in (np.uint8, np.int8):  # their own arithmetic would overflow
        assert s.complement(x, narrow(64)) == s.complement(x, 64)
        assert s.complement(x, (narrow(64), narrow(2))) == s.complement(x, (64, 2))
    for f in (s.ceil_div, s.shape_div):
        assert [type(n) for n in f((np.int64(4), np.int64(2)), two)] == [int, int]
