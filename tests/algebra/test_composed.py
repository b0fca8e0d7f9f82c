"""Composed layouts, nested and with offsets: every operation answers or says why not, and an answer is read
back from its text.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from contextlib import suppress
from itertools import product
from typing import Any

import pytest

import symlayout as s
from symlayout import (
    ComposedLayout,
    Layout,
    Swizzle,
    SymlayoutError,
    UnsupportedError,
    algebra,
    composition,
    right_inverse,
)
from tests.composed_zoo import ZOO

SECONDS = [
    2,
    (2, 2),
    Layout((2, 2), (1, 2)),
    Layout(4, 1),
    Swizzle(2, 0, 3),
    ComposedLayout(Swizzle(2, 0, 3), 0, Layout((8, 8), (8, 1))),
    ComposedLayout(Layout(64, 1), -8, Swizzle(2, 0, 3)),
    ComposedLayout(Swizzle(2, 0, 3), 0, ComposedLayout(Swizzle(1, 2, 2), 0, Layout((8, 8), (1, 8)))),
]
#: what an operation is asked beside one composed layout; `x` stands for that, and the others get one argument
ARGUMENTS: dict[str, list[tuple[Any, ...]]] = {
    "append": [("x",), ("x", Layout(2, 1)), ("x", None, 5)],
    "prepend": [("x",), ("x", Layout(2, 1)), ("x", None, 5)],
    "replace": [("x", 0, Layout(2, 1))],
    "take": [("x", 0, 1), ("x", 1, 2)],
    "group": [("x", 0, 2), ("x", 0, 1)],
    "select": [("x", 0), ("x", 1, 0)],
    "get": [("x", 0), ("x", 1), ("x", 0, 0)],
    "slice_": [((None, 1), "x"), ((1, None), "x"), (None, "x"), (3, "x")],
    "dice": [((None, 1), "x"), ((1, None), "x")],
    "crd2idx": [(5, "x"), ((1, 2), "x"), ((None, 1), "x")],
    "idx2crd": [(5, "x")],
    "get_1d_coord": [(5, "x")],
    "get_flat_coord": [(5, "x")],
    "get_hier_coord": [(5, "x")],
    "upcast": [(1, "x"), (2, "x"), (3, "x"), (4, "x")],
    "downcast": [(1, "x"), (2, "x"), (3, "x")],
    "recast_layout": [(16, 32, "x"), (32, 16, "x"), ("half_t", "uint8_t", "x"), (16, 16, "x"), (6, 8, "x")],
    "domain_distribute": [("x", 4)],
    "tile_to_shape": [("x", (16, 16)), ("x", (8, 8)), ("x", 64), ("x", (16, 16, 2), (2, 1, 0))],
    "with_shape": [("x", (16, 4)), ("x", 64), ("x", (8, 8))],
    "unflatten": [("x", (0, 0)), ("x", 0)],
    "filter": [("x",), ("x", (0, 0))],
    "filter_zeros": [("x",), ("x", (0, 0))],
    "coalesce": [("x",), ("x", (0, 0)), ("x", 0)],
    "make_ordered_layout": [("x", (1, 0)), ("x", "LayoutLeft")],
    "ceil_div": [("x", 3), ("x", Layout(2, 1))],
    "shape_div": [("x", 2)],
    "evenly_divides": [("x", 2), ("x", (2, 2))],
    "layout_from_table": [],  # of integers
    "layout_of": [("x", 8)],
    "shape": [("x",), ("x", 0)],
    "size": [("x",), ("x", 0)],
    "cosize": [("x",), ("x", 0)],
    "stride": [("x",), ("x", 0)],
    "complement": [("x",), ("x", 256), ("x", (16, 16)), (Layout(2, 1), "x")],
}
OF_TWO = (
    "admissible blocked_product compatible composition congruent flat_divide flat_product logical_divide zip "
    "logical_product make_layout max_common_layout max_common_vector raked_product tiled_divide "
    "tiled_product weakly_congruent zipped_divide zipped_product"
).split()


#: what CuTe has for strides or tables only
OF_STRIDES = (
    "detail_coalesce_x",
    "layout_from_table",
    "stride",
    "make_layout",
    "get_1d_coord",
    "get_flat_coord",
    "get_hier_coord",
)


def sizes_in(x: Any) -> list[int]:
    layouts = [part.partition(":")[0] for part in str(x).split(" o ") if ":" in part]
    return [int(n) for text in layouts for n in re.findall(r"-?\d+", text)]


def calls(name: str, x: Any) -> list[tuple[Any, ...]]:
    if name in OF_TWO:
        return [(x, other) for other in SECONDS] + [(other, x) for other in SECONDS] + [(x, None)]
    forms = ARGUMENTS.get(name, [("x",)])
    return [tuple(x if isinstance(a, str) and a == "x" else a for a in form) for form in forms]


FUNCTIONS = [name for name in algebra.__all__ if inspect.isfunction(getattr(algebra, name))]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_operation_answers_or_says_why_not(name: str) -> None:
    """An answer has a text and a hash, and is read back from its text; negative sizes, CuTe's, are not."""
    function = getattr(algebra, name)
    modes: list[dict[str, Any]] = [{}]
    if "unchecked" in inspect.signature(function).parameters:
        modes.append({"unchecked": True})
    answered = 0
    for x in ZOO:
        for arguments, options in product(calls(name, x), modes):
            with suppress(SymlayoutError):
                result = function(*arguments, **options)
                answered += 1
                hash(result)
                is_map = isinstance(result, (Layout, ComposedLayout, Swizzle))
                if is_map and all(n > 0 for n in sizes_in(result)):
                    assert s.parse(str(result)) == result, (name, arguments)
    assert bool(answered) != (name in OF_STRIDES)


CLAIMS: list[Callable[[Any], Any]] = [
    s.injective,
    s.bijective,
    lambda x: s.equal(x, x),
    lambda x: s.covers(x, 64),
    lambda x: s.within(x, 0, 64),
    lambda x: s.aligned(x, 2),
    lambda x: s.disjoint(x, x),
]


@pytest.mark.parametrize("x", ZOO, ids=str)
def test_every_claim_about_one_is_decided_or_says_why_not(x: Any) -> None:
    for claim in CLAIMS:
        try:
            s.prove(claim(x))
        except s.EngineDisagreement:
            raise
        except SymlayoutError:
            continue


METHODS: list[Callable[[Any], Any]] = [
    *(len, list, ComposedLayout.rank, ComposedLayout.depth, ComposedLayout.size, ComposedLayout.cosize),
    *(lambda x: x[0], lambda x: x(3), lambda x: x(None, 1), lambda x: x(1, 1), lambda x: x.shape),
    *(lambda x: x.compose(4), lambda x: x.with_shape(8, 8)),
]


@pytest.mark.parametrize("x", [x for x in ZOO if isinstance(x, ComposedLayout)], ids=str)
def test_methods_answer_or_say_why_not(x: Any) -> None:
    for ask in METHODS:
        with suppress(SymlayoutError):
            ask(x)


def test_what_has_no_shape_says_what_to_do() -> None:
    x = right_inverse(ComposedLayout(Swizzle(2, 0, 3), 8, Layout((8, 8), (1, 8))))
    assert str(x) == "64:1 o -8 o Sw<2,0,3>"
    assert [x(i) for i in (8, 9, 10, 11, 12)] == [1, 0, 3, 2, 5]
    for ask in (x.size, lambda: s.filter(x), lambda: s.upcast(2, x), lambda: s.size(x), lambda: x[0]):
        with pytest.raises(UnsupportedError, match=r"has no shape|takes every integer"):
            ask()
    assert str(s.upcast(2, x, unchecked=True)) == "32:1 o 2147483644 o Sw<1,0,3>"
    assert str(composition(x, Layout(8, 1))) == "64:1 o -8 o Sw<2,0,3> o 0 o 8:1"
