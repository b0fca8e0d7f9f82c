"""The operations that records name: how their arguments are written, and which function answers.

An operation's arguments are described by one letter each:

    L  layout, swizzled or not     W  swizzle      N  integer       S  shape, profile or other nested integers
    T  tiler: int, layout, `_` or a tuple of those                  C  coordinate, may hold `_`
    B  layout, swizzle or tiler    M  layout or shape               Y  element type or number of bits
    O  order: `LayoutLeft`, `LayoutRight` or a tuple                X  text, as it is

A letter in lower case may be missing; one with `*` behind it takes all that is left. Names that are not in
the table are tried as `<function>_int` and `<function>_tile`, `swizzle_<function>(S, L, ...)`,
`identity_<function>(shape, ...)`, or as the plain name of a function of the algebra.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

from .. import algebra
from .. import inttuple as it
from ..errors import LayoutError, NotationError
from ..inttuple import show
from ..layout import Layout
from ..notation import parse
from ..notation.element_types import type_bits
from ..notation.reading import kind_of
from ..swizzle import ComposedLayout, Swizzle

ORDERS = ("LayoutLeft", "LayoutRight")


class Operation(NamedTuple):
    """`answer(call, *arguments)`, where `call(function, ...)` runs a function checked or unchecked."""

    kinds: str
    answer: Callable[..., Any]


MOST_LISTED = 1 << 20  # values of a table; the longest that was ever recorded has 4096


def table(f: Callable[[int], Any], n: int) -> str:
    """The values at 0 .. n-1 as the records list them. Raises LayoutError for more than MOST_LISTED."""
    if n > MOST_LISTED:
        raise LayoutError(f"a table of {n} values; at most {MOST_LISTED} are listed")
    return " ".join([str(f(i)) for i in range(n)])


# --- reading arguments ---


def _is_nested(value: Any, leaves: tuple[type, ...]) -> bool:
    if isinstance(value, tuple):
        return all(_is_nested(x, leaves) for x in value)
    return isinstance(value, leaves)


_LAYOUTS = (Layout, ComposedLayout)
_ACCEPTS: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "L": ("a layout", lambda v: isinstance(v, _LAYOUTS)),
    "M": ("a layout or a shape", lambda v: isinstance(v, _LAYOUTS) or _is_nested(v, (int,))),
    "W": ("a swizzle", lambda v: isinstance(v, Swizzle)),
    "N": ("an integer", lambda v: isinstance(v, int)),
    "S": ("a shape", lambda v: _is_nested(v, (int,))),
    "C": ("a coordinate", lambda v: _is_nested(v, (int, type(None)))),
    "T": ("a tiler", lambda v: _is_nested(v, (int, type(None), *_LAYOUTS))),
    "B": ("a layout, a swizzle or a tiler", lambda v: _is_nested(v, (int, type(None), *_LAYOUTS, Swizzle))),
}


def read_argument(kind: str, text: Any) -> Any:
    """The value of one argument. Raises NotationError when it is not of its kind."""
    if not isinstance(text, str):
        text = show(_tuples(text))
    if kind == "X":
        return text
    if kind == "Y":
        return type_bits(text)
    if kind == "O" and text.strip() in ORDERS:
        return text.strip()
    value = parse(text)
    wanted, accepts = _ACCEPTS["S" if kind == "O" else kind]
    if not accepts(value):
        raise NotationError(f"expected {wanted}, found {kind_of(value)}", text, 0)
    return value


def _tuples(value: Any) -> Any:
    return tuple([_tuples(x) for x in value]) if isinstance(value, list) else value


def read_arguments(kinds: str, texts: list[Any]) -> list[Any]:
    """All arguments of a record. Raises NotationError when their number or one of their kinds is wrong."""
    letters: list[str] = []
    for i, letter in enumerate(kinds):
        if letter == "*":
            continue
        if kinds[i + 1 : i + 2] == "*":
            letters += [letter] * (len(texts) - len(letters))
        elif letter.isupper() or len(letters) < len(texts):
            letters.append(letter.upper())
    if len(letters) != len(texts):
        raise NotationError(
            f"expected {len(letters)} arguments, found {len(texts)}", " ".join(map(str, texts)), 0
        )
    if letters in (["C", "L"], ["C", "M"], ["L", "C"]):  # both orders occur in records
        first = parse(texts[0]) if isinstance(texts[0], str) else None
        if isinstance(first, _LAYOUTS) == (letters[0] == "C"):
            texts = texts[::-1]
    return [read_argument(kind, text) for kind, text in zip(letters, texts, strict=True)]


# --- the table ---


def _hier_coord(i: int, layout: Layout) -> Any:
    """get_hier_coord, where a mode of stride 0 has no coordinate and prints as `?`."""

    def go(s: Any, d: Any) -> Any:
        if isinstance(s, tuple):
            return tuple([go(x, y) for x, y in zip(s, d, strict=True)])
        if not isinstance(d, int):
            raise LayoutError(f"get_hier_coord: the stride {d} of {layout} counts coordinates, not elements")
        return "?" if d == 0 and s != 1 else it.idx2crd(i, s, d)

    return go(layout.shape, layout.stride)


def _flat_coord(i: int, layout: Layout) -> Any:
    crd = _hier_coord(i, layout)
    if not isinstance(crd, tuple):
        return crd
    flat = [
        "?" if "?" in it.flatten_to_tuple(c) else it.crd2idx(c, s)
        for c, s in zip(crd, layout.shape, strict=True)
    ]
    if len(flat) > 1:
        return tuple(flat)
    return flat[0]


def _swizzled(name: str, position: int = 0) -> Callable[..., Any]:
    """The function `name` on `composition(S, L)`, which stands at `position` among its arguments."""

    def answer(call: Callable[..., Any], *arguments: Any) -> Any:
        before, (swizzle, layout, *after) = arguments[:position], arguments[position:]
        inner = call(algebra.composition, swizzle, layout)
        return call(getattr(algebra, name), *before, inner, *after)

    return answer


def _identity(name: str) -> Callable[..., Any]:
    def answer(call: Callable[..., Any], shape: Any, *arguments: Any) -> Any:
        return call(getattr(algebra, name), algebra.make_identity_layout(shape), *arguments)

    return answer


def _plain(name: str) -> Callable[..., Any]:
    return lambda call, *arguments: call(getattr(algebra, name), *arguments)


_A = algebra
_PAIRS = [f"{how}_{what}" for what in ("divide", "product") for how in ("logical", "zipped", "tiled", "flat")]
_OF_ONE = [
    "cosize", "coshape", "depth", "flatten", "left_inverse", "make_fragment_like", "make_layout_like",
    "max_alignment", "nullspace", "rank", "right_inverse", "size",
]  # fmt: skip
OPERATIONS: dict[str, Operation] = {
    "append": Operation("LL", _plain("append")),
    "append_N": Operation("LN", lambda call, x, n: call(_A.append, x, n=n)),
    "prepend": Operation("LL", _plain("prepend")),
    "prepend_N": Operation("LN", lambda call, x, n: call(_A.prepend, x, n=n)),
    "replace": Operation("LNL", _plain("replace")),
    "take": Operation("LNN", _plain("take")),
    "group": Operation("LNN", _plain("group")),
    "select": Operation("LN*", _plain("select")),
    "get_mode": Operation("LN", _plain("get")),
    "size_mode": Operation("LN", _plain("size")),
    "cosize_mode": Operation("LN", _plain("cosize")),
    "depth_mode": Operation("LN", _plain("depth")),
    "rank_mode": Operation("LN", _plain("rank")),
    "unflatten": Operation("LS", _plain("unflatten")),
    "zip": Operation("Ll", _plain("zip")),
    "make_layout": Operation("X*", lambda call, *texts: call(_A.make_layout, *[parse(t) for t in texts])),
    "make_layout2": Operation("LL", _plain("make_layout")),
    "make_layout_left": Operation("S", lambda call, s: call(_A.make_layout, s, "LayoutLeft")),
    "make_layout_right": Operation("S", lambda call, s: call(_A.make_layout, s, "LayoutRight")),
    "make_ordered_layout": Operation("SO", _plain("make_ordered_layout")),
    "make_identity_layout": Operation("S", _plain("make_identity_layout")),
    "coalesce": Operation("Ls", _plain("coalesce")),
    "coalesce_profile": Operation("LS", _plain("coalesce")),
    "detail_coalesce_x": Operation("L", _plain("detail_coalesce_x")),
    "filter": Operation("Ls", _plain("filter")),
    "filter_profile": Operation("LS", _plain("filter")),
    "filter_zeros": Operation("Ls", _plain("filter_zeros")),
    "filter_zeros_profile": Operation("LS", _plain("filter_zeros")),
    "identity_cosize": Operation("S", _identity("coshape")),
    "identity_crd2idx": Operation("SC", lambda call, s, c: call(_A.crd2idx, c, _A.make_identity_layout(s))),
    "composition": Operation("BB", _plain("composition")),
    "composition_int": Operation("LN", _plain("composition")),
    "composition_tile": Operation("LT", _plain("composition")),
    "composition_basis": Operation("LL", _plain("composition")),
    "blocked_product": Operation("LL", _plain("blocked_product")),
    "raked_product": Operation("LL", _plain("raked_product")),
    "identity_coalesce": Operation("Ss", _identity("coalesce")),
    "identity_composition": Operation("ST", _identity("composition")),
    "identity_zipped_divide": Operation("ST", _identity("zipped_divide")),
    "swizzle_right_inverse": Operation("WL", _swizzled("right_inverse")),
    "swizzle_zipped_divide": Operation("WLT", _swizzled("zipped_divide")),
    "complement": Operation("Ls", _plain("complement")),
    "complement_shape": Operation("LS", _plain("complement")),
    "complement_default": Operation("L", _plain("complement")),
    "with_shape": Operation("LS", _plain("with_shape")),
    "crd2idx": Operation("CMs", _plain("crd2idx")),
    "idx2crd": Operation("NS", _plain("idx2crd")),
    "idx2crd_stride": Operation("NSS", _plain("idx2crd")),
    "get_1d_coord": Operation("CL", lambda call, c, x: call(_A.crd2idx, c, x.shape)),
    "get_hier_coord": Operation("NL", lambda call, i, x: _hier_coord(i, x)),
    "get_flat_coord": Operation("NL", lambda call, i, x: _flat_coord(i, x)),
    "slice": Operation("LC", lambda call, x, c: call(_A.slice_, c, x)),
    "slice_table": Operation("LC", lambda call, x, c: _slice_table(call, x, c)),
    "slice_offset": Operation("LC", lambda call, x, c: call(_A.crd2idx, _with_zeros(c), x)),
    "layout_table": Operation("LN", lambda call, x, n: table(x, n)),
    "ceil_div_layout": Operation("NL", _plain("ceil_div")),
    "shape_div": Operation("SS", _plain("shape_div")),
    "shape_div_rev": Operation("SS", _plain("shape_div")),
    "product_each": Operation("S", _plain("product_each")),
    "compatible": Operation("SS", _plain("compatible")),
    "congruent": Operation("SS", _plain("congruent")),
    "weakly_congruent": Operation("SS", _plain("weakly_congruent")),
    "evenly_divides": Operation("SS", _plain("evenly_divides")),
    "domain_distribute": Operation("SN", _plain("domain_distribute")),
    "max_common_layout": Operation("LL", _plain("max_common_layout")),
    "max_common_vector": Operation("LL", _plain("max_common_vector")),
    "upcast": Operation("NL", _plain("upcast")),
    "downcast": Operation("NL", _plain("downcast")),
    "recast_layout": Operation("YYL", _plain("recast_layout")),
    "tile_to_shape": Operation("LSo", _plain("tile_to_shape")),
    "Swizzle": Operation("W", lambda call, s: s),
    "swizzle_table": Operation("WN", lambda call, s, n: table(s, n)),
    "swizzle_compose": Operation("WL", _plain("composition")),
    "swizzle_compose_table": Operation("WL", lambda call, s, x: table(lambda i: s(x(i)), x.size())),
    "swizzle_compose_then": Operation("WLT", _swizzled("composition")),
    "layout_after_swizzle": Operation("LWt", lambda call, a, s, b=None: _after_swizzle(call, a, s, b)),
    "swizzle_upcast": Operation("NWL", _swizzled("upcast", 1)),
    "swizzle_downcast": Operation("NWL", _swizzled("downcast", 1)),
    "swizzle_recast_layout": Operation("YYWL", _swizzled("recast_layout", 2)),
    "swizzle_tile_to_shape": Operation("WLSo", _swizzled("tile_to_shape")),
    **{name: Operation("LT", _plain(name)) for name in _PAIRS},
    **{name + "_int": Operation("LN", _plain(name)) for name in _PAIRS},
    **{name + "_tile": Operation("LT", _plain(name)) for name in _PAIRS},
    **{name: Operation("L", _plain(name)) for name in _OF_ONE},
    "Copy_Atom": Operation("XX", lambda call, atom, value_type: _copy_atom(atom, value_type)),
}


def _slice_table(call: Callable[..., Any], x: Any, crd: Any) -> str:
    """The values of a slice: its layout and where it begins, however CuTe divides the two."""
    rest = call(_A.slice_, crd, x)
    base = call(_A.crd2idx, crd, x) if isinstance(x, Layout) else 0
    return table(lambda i: base + rest(i), rest.size())


def _with_zeros(crd: Any) -> Any:
    if isinstance(crd, tuple):
        return tuple([_with_zeros(c) for c in crd])
    return 0 if crd is None else crd


def _after_swizzle(call: Callable[..., Any], a: Layout, swizzle: Swizzle, b: Any) -> Any:
    inner = swizzle if b is None else call(algebra.composition, swizzle, b)
    return call(algebra.composition, a, inner)


def _copy_atom(name: str, value_type: str) -> str:
    from ..atoms import copy as copy_atom

    return str(copy_atom(name).with_type(value_type))


def find_operation(name: str) -> Operation | None:
    """The operation of that name, or None."""
    if name in OPERATIONS:
        return OPERATIONS[name]
    for suffix, kind in (("_int", "N"), ("_tile", "T"), ("_basis", "L")):
        stem = name.removesuffix(suffix)
        if stem != name and _function(stem) is not None:
            return Operation("L" + kind, _plain(stem))
    for prefix, kind, make in (("swizzle_", "WL", _swizzled), ("identity_", "S", _identity)):
        stem = name.removeprefix(prefix)
        if stem != name and _function(stem) is not None:
            return Operation(kind + "T*", make(stem))
    function = _function(name)
    if function is not None:
        given = [p for p in inspect.signature(function).parameters.values() if p.kind is not p.KEYWORD_ONLY]
        letters = [
            "T*" if p.kind is p.VAR_POSITIONAL else "T" if p.default is p.empty else "t" for p in given
        ]
        return Operation("".join(letters), _plain(name))
    return None


def _function(name: str) -> Callable[..., Any] | None:
    found = getattr(algebra, name, None) if name in getattr(algebra, "__all__", ()) else None
    return found if callable(found) and not isinstance(found, type) else None


@lru_cache(maxsize=256)
def has_law(function: Callable[..., Any]) -> bool:
    """Whether the function checks a law of its own and takes `unchecked`."""
    return "unchecked" in inspect.signature(function).parameters


def as_text(value: Any) -> str:
    """A result as the records write it."""
    if isinstance(value, bool):
        return str(int(value))
    return value if isinstance(value, str) else show(value)


_STATIC = re.compile(r"_(?=-?\d)")
_SHORT_SWIZZLE = re.compile(r"\bS<")
_TABLE = re.compile(r"[-\d\s]+")


def same_text(expected: str, got: str) -> bool:
    """Equal to the letter, apart from white space, the `_` of static integers, and `S<...>` for `Sw<...>`."""
    return expected == got or _plain_text(expected) == _plain_text(got)


def _plain_text(text: str) -> str:
    if _TABLE.fullmatch(text):
        return " ".join(text.split())
    return "".join(_SHORT_SWIZZLE.sub("Sw<", _STATIC.sub("", text)).split())
