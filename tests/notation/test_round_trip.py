"""What is printed is read back: `parse(str(x)) == x`, as CuTe's Python and as its C++ print it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symlayout import (
    ArithTuple,
    ComposedLayout,
    E,
    Layout,
    NotationError,
    ScaledBasis,
    Swizzle,
    dims,
    make_identity_layout,
    parse,
)
from symlayout.notation import format_value
from symlayout.view import View
from tests.composed_zoo import ZOO
from tests.strategies import layouts, swizzles

K = dims("K")
IDENTITY = make_identity_layout((4, 8))
offsets = st.integers(-(1 << 40), 1 << 40)


@st.composite
def maps(draw: st.DrawFn, depth: int = 2) -> Any:
    """Layouts, swizzles, and compositions of these with offsets, nested on both sides."""
    kind = draw(
        st.sampled_from(("layout", "swizzle", "composed", "composed") if depth else ("layout", "swizzle"))
    )
    if kind == "composed":
        return ComposedLayout(draw(maps(depth - 1)), draw(offsets), draw(maps(depth - 1)))
    return draw(layouts()) if kind == "layout" else draw(swizzles())


bases = st.builds(ScaledBasis, offsets, st.lists(st.integers(0, 5), min_size=1, max_size=3).map(tuple))
coordinates = st.lists(offsets, min_size=1, max_size=3).map(lambda t: ArithTuple(t))
views = st.builds(View, offsets, maps()) | st.builds(View, coordinates, st.just(IDENTITY))
entries = st.none() | st.integers(1, 64) | maps()
tilers = st.lists(entries | st.lists(entries, max_size=2).map(tuple), max_size=3).map(tuple)


def check(x: Any) -> None:
    for style in ("plain", "cpp"):
        text = format_value(x, style)
        assert parse(text) == x, text
    assert str(x) == format_value(x) or isinstance(x, tuple) or x is None


@settings(deadline=None)
@given(maps() | bases | coordinates | views | tilers)
def test_what_is_printed_is_read_back(x: Any) -> None:
    check(x)


@pytest.mark.parametrize(
    "x",
    [
        *ZOO,
        View(18, Layout(4, 1)),
        View(0, ComposedLayout(Layout(64, 1), -8, Swizzle(2, 0, 3))),
        View(0, ComposedLayout(Swizzle(2, 0, 3), 8, Layout((8, 8), (8, 1)))),
        View(8 * K + 1, Layout((8, 8), (1, 8))),
        ComposedLayout(Layout((4, 8), (8, 1)), (1, 2), IDENTITY),
        ComposedLayout(Swizzle(1, 0, 1), (1, (2, 3)), IDENTITY),
        E(1, 0),
        ScaledBasis(K + 1, (0,)),
        Layout((4,), (ScaledBasis(K + 1, (0,)),)),
    ],
    ids=str,
)
def test_what_is_printed_of_these_is_read_back(x: Any) -> None:
    check(x)


@pytest.mark.parametrize(
    "text", ["4:1 o 4:1", "Sw<1,0,1> o 4", "4 o 0 o 4:1", "Sw<1,0,1> o (4:1) o 4:1", "(_,1) + (4):(1)"]
)
def test_what_is_not_composed_is_refused(text: str) -> None:
    with pytest.raises(NotationError):
        parse(text)
