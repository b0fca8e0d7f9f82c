"""Layout: an integer map written as `shape:stride`.

A layout sends a coordinate to `sum(c_k * stride_k)`. The coordinate may be as nested as the shape or
coarser, down to one integer, which unrolls with the leftmost mode fastest:

    L = Layout((4, (2, 2)), (2, (1, 8)))      prints (4,(2,2)):(2,(1,8))
    L(1, (0, 1)) = 1*2 + 0*1 + 1*8 = 10
    L(1, 2)      = 10                          2 unrolls to (0, 1) in (2,2)
    L(9)         = 10                          9 = 1 + 4*2

Units are elements of whatever the layout indexes. The last mode is not bounded by evaluation (`L(16) = 16`
here), divisions truncate towards zero as in C++, so that `L(-i) = -L(i)`, and claims about a layout speak of
`0 <= i < size(L)` unless they say otherwise.

Source: cute/layout.hpp (CUTLASS 4.2).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .basis import ScaledBasis
from .dim import Dim, is_symbolic
from .errors import LayoutError
from .integers import counts, is_integer, plain
from .inttuple import compact_col_major, depth, flatten_to_tuple, product, rank, show, unroll
from .sympy_edge import from_sympy


class _Fields:
    """The slots of a Layout, open while it is being made; answers often asked for are kept beside them."""

    __slots__ = ("_answers", "_coalesced", "_hash", "_modes", "_right_inverse", "shape", "stride")

    shape: Any
    stride: Any
    _hash: int
    _modes: tuple[tuple[Any, Any], ...]
    _answers: Any  # see algebra/memo.py
    _coalesced: Layout | None
    _right_inverse: Layout | None


class Layout(_Fields):
    """A value: equal iff shape and stride are equal to the letter, hashable, never changed. Over parameters
    `==` is decided for all their values, or NeedFact, and there is no hash (see `symbol`).

    `stride=None` makes the compact layout of the shape, leftmost mode fastest, size-1 modes with stride 0
    as CuTe prints them. Raises LayoutError when shape and stride are not congruent or a size is below 1.
    """

    __slots__ = ()

    def __new__(cls, shape: Any, stride: Any = None) -> Layout:
        if type(shape) is tuple and type(stride) is tuple and _are_plain(shape, stride):
            return Layout._make(shape, stride)
        if type(shape) is int and type(stride) is int and shape > 0:
            return Layout._make(shape, stride)
        shape = _as_tuples(shape)
        if stride is None:
            stride = compact_col_major(shape)
        else:
            stride = _as_tuples(stride)
            _check_congruent(shape, stride, shape, stride)
        for s in flatten_to_tuple(shape):
            if (isinstance(s, int) and s < 1) or (isinstance(s, Dim) and not s >= 1) or _is_basis(s):
                raise LayoutError(
                    f"Layout: a mode of size {s}\n  {show(shape)}:{show(stride)}\n  sizes are 1 or more"
                )
        return Layout._make(shape, stride)

    @staticmethod
    def _make(shape: Any, stride: Any) -> Layout:
        """The layout without any check: for the algebra, which also has to print what CuTe gets wrong."""
        self = _Fields()
        self.shape = shape
        self.stride = stride
        self._answers = self._coalesced = self._right_inverse = None
        self.__class__ = Layout  # closed from here on; thrice as fast as passing the guard for each slot
        return self  # type: ignore[return-value]

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Layout does not change; {name} cannot be set")

    def __reduce__(self) -> tuple[Any, ...]:
        return (Layout._make, (self.shape, self.stride))

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return isinstance(other, Layout) and self.shape == other.shape and self.stride == other.stride

    def __hash__(self) -> int:
        try:
            return self._hash
        except AttributeError:
            h = hash((self.shape, self.stride))
            if not is_symbolic((self.shape, self.stride)):  # there each asker is told whether he may
                keep(self, "_hash", h)
            return h

    def __str__(self) -> str:
        return f"{show(self.shape)}:{show(self.stride)}"

    def __repr__(self) -> str:
        return f"Layout({self.shape!r}, {self.stride!r})"

    def size(self) -> Any:
        """The number of coordinates."""
        return product(self.shape)

    def cosize(self) -> Any:
        """One more than the largest value, when no stride is negative: `1 + sum((s - 1) * |d|)`. For basis
        strides the product of the coordinate box, as CuTe's.
        """
        result: Any = 1
        for s, d in zip(flatten_to_tuple(self.shape), flatten_to_tuple(self.stride), strict=True):
            if isinstance(d, ScaledBasis):
                from .algebra.modes import coshape

                return product(coshape(self))
            result = result + (s - 1) * abs(d)
        return result

    def rank(self) -> int:
        return rank(self.shape)

    def depth(self) -> int:
        return depth(self.shape)

    def __len__(self) -> int:
        return rank(self.shape)

    def __iter__(self) -> Iterator[Layout]:
        if not isinstance(self.shape, tuple):
            return iter((self,))
        return map(Layout._make, self.shape, self.stride)

    def __getitem__(self, i: int | tuple[int, ...]) -> Layout:
        """Mode `i` as a layout; `L[0, 1]` is mode 1 of mode 0."""
        shape, stride = self.shape, self.stride
        for k in i if isinstance(i, tuple) else (i,):
            if not isinstance(shape, tuple):
                shape, stride = (shape,), (stride,)
            if type(k) is not int and not is_integer(k):
                raise LayoutError(f"get: {k!r} is not a mode of {self}: give the number of one, or a path")
            if not -len(shape) <= k < len(shape):
                raise LayoutError(
                    f"get: mode {k} of {show(shape)}:{show(stride)}, which has rank {len(shape)}"
                )
            shape, stride = shape[k], stride[k]
        return Layout._make(shape, stride)

    def __call__(self, *crd: Any) -> Any:
        """The value at a coordinate, or, when the coordinate holds `None` (CuTe's `_`), the layout of those
        modes.
        """
        c = crd[0] if len(crd) == 1 else crd
        if type(c) is int:
            return self._at(c)
        try:
            if not isinstance(c, tuple):
                value = slice_layout(c, self) if c is None else self._at(c)
            elif _has_none(c):
                return slice_layout(c, self)
            else:
                value = _evaluate(c, self.shape, self.stride)
        except (TypeError, AttributeError) as error:
            _check_coordinate(c, self)
            if any(map(_is_basis, flatten_to_tuple(c))):
                raise LayoutError(f"the coordinate {show(c)} of {self} is made of strides") from error
            raise
        if type(c) is tuple and type(value) is int:
            return value
        _check_coordinate(c, self)
        return plain(value)

    def _at(self, i: Any) -> Any:
        shape, stride = self.shape, self.stride
        if not isinstance(shape, tuple):
            return i * stride
        shape, stride = flatten_to_tuple(shape), flatten_to_tuple(stride)
        if not shape:
            return 0
        if type(i) is not int or i < 0:
            return unroll(i, shape, stride)
        total: Any = 0
        rest = i
        last = len(shape) - 1
        for k in range(last):
            s = shape[k]
            digit = rest % s
            if rest < 0 or digit < 0:  # a negative size, which CuTe makes of negative strides
                return unroll(i, shape, stride)
            total = total + digit * stride[k]
            rest = rest // s
        return total + rest * stride[last]

    def canonical(self) -> tuple[tuple[Any, Any], ...]:
        """The flat coalesced modes ((size, stride), ...), sizes above 1, no two of them mergeable.

        Law: two layouts of equal size are the same function on their domain iff these are equal, since the
        value at 1 forces the first stride and the first deviation from it forces its size.
        """
        try:
            return self._modes
        except AttributeError:
            modes: list[tuple[Any, Any]] = []
            for s, d in zip(flatten_to_tuple(self.shape), flatten_to_tuple(self.stride), strict=True):
                if s == 1:
                    continue
                if modes and modes[-1][0] * modes[-1][1] == d:
                    modes[-1] = (modes[-1][0] * s, modes[-1][1])
                else:
                    modes.append((s, d))
            result = tuple(modes)
            keep(self, "_modes", result)
            return result

    def compose(self, *tiler: Any, unchecked: bool = False) -> Any:
        """`composition(self, tiler)`; several arguments make a by-mode tiler."""
        from .algebra import composition

        return composition(self, tiler[0] if len(tiler) == 1 else tiler, unchecked=unchecked)

    def with_shape(self, *shape: Any, unchecked: bool = False) -> Any:
        """`with_shape(self, shape)`."""
        from .algebra import with_shape

        return with_shape(self, shape[0] if len(shape) == 1 else shape, unchecked=unchecked)


_new = object.__new__
keep = object.__setattr__  # for the slots that remember an answer


def _are_plain(shape: tuple[Any, ...], stride: tuple[Any, ...]) -> bool:
    """Whether both are congruent tuples of plain ints, with sizes of 1 or more: nothing is left to check."""
    if len(shape) != len(stride):
        return False
    for s, d in zip(shape, stride):  # noqa: B905  the lengths have just been compared
        if type(s) is int:
            if s < 1 or type(d) is not int:
                return False
        elif type(s) is not tuple or type(d) is not tuple or not _are_plain(s, d):
            return False
    return True


def _is_basis(x: Any) -> bool:
    return type(x) is ScaledBasis


def _as_tuples(t: Any) -> Any:
    if isinstance(t, (tuple, list)):
        return tuple([_as_tuples(x) for x in t])
    if not counts(t):
        raise LayoutError(f"Layout: {t!r} is not an integer")
    return from_sympy(t) if hasattr(t, "free_symbols") else plain(t)


def _check_congruent(s: Any, d: Any, shape: Any, stride: Any) -> None:
    s_rank = len(s) if isinstance(s, tuple) else None
    d_rank = len(d) if isinstance(d, tuple) else None
    if s_rank != d_rank:
        raise LayoutError(
            f"Layout: shape and stride are not congruent\n  shape  {show(shape)}\n  stride {show(stride)}\n"
            f"  {show(s)} stands against {show(d)}: give one stride for each size, nested alike"
        )
    if isinstance(s, tuple):
        for x, y in zip(s, d, strict=True):
            _check_congruent(x, y, shape, stride)


def _has_none(c: tuple[Any, ...]) -> bool:
    for x in c:
        if x is None or (isinstance(x, tuple) and _has_none(x)):
            return True
    return False


def _check_coordinate(c: Any, layout: Layout) -> None:
    """Raises LayoutError for a coordinate with an entry that is not an integer."""
    for x in flatten_to_tuple(c):
        if x is not None and not counts(x):
            raise LayoutError(f"the coordinate {show(c)} of {layout}: {x!r} is not an integer")


def _evaluate(c: Any, shape: Any, stride: Any) -> Any:
    if not isinstance(c, tuple):
        return Layout._make(shape, stride)._at(c)
    if not isinstance(shape, tuple) or len(c) != len(shape):
        raise LayoutError(
            f"the coordinate {show(c)} does not fit {show(shape)}:{show(stride)}\n"
            f"  {len(c)} entries against rank {rank(shape)}: give one entry a mode, or one integer for all"
        )
    total: Any = 0
    for x, s, d in zip(c, shape, stride, strict=True):
        total = total + (
            x * d if not isinstance(s, tuple) and not isinstance(x, tuple) else _evaluate(x, s, d)
        )
    return total


def _lift(c: Any, t: Any, keep_none: bool) -> tuple[Any, ...]:
    """The parts of `t` where the coordinate is `None` (or is not); nested ones splice into one level."""
    if isinstance(c, tuple):
        if not isinstance(t, tuple) or len(c) != len(t):
            raise LayoutError(f"slice: the coordinate {show(c)} does not fit {show(t)}: Mismatched Ranks")
        return tuple([x for ci, ti in zip(c, t, strict=True) for x in _lift(ci, ti, keep_none)])
    return (t,) if (c is None) == keep_none else ()


def slice_layout(crd: Any, layout: Layout) -> Layout:
    """The modes of `layout` where `crd` is `None`: `slice((_,1), (4,8):(8,1)) = (4):(8)`."""
    if crd is None:
        return layout
    return Layout._make(_lift(crd, layout.shape, True), _lift(crd, layout.stride, True))


def dice_layout(crd: Any, layout: Layout) -> Layout:
    """The modes of `layout` where `crd` is not `None`: `dice((_,1), (4,8):(8,1)) = (8):(1)`."""
    if crd is not None and not isinstance(crd, tuple):
        return layout
    return Layout._make(_lift(crd, layout.shape, False), _lift(crd, layout.stride, False))


def slot(name: str) -> Any:
    """The function that sets a slot of a Layout past its guard: for answers that are kept beside it."""
    return _Fields.__dict__[name].__set__
