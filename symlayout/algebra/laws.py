"""The laws of the operations, decided: what the safe mode refuses.

The algebra answers as CuTe does and knows, from a closed condition that costs next to nothing inside its own
loops, when the answer is surely right. Only where that condition fails it calls a function of this module,
which decides exactly: returns, or raises Inadmissible with the least witness. Nothing here enumerates a
domain of any size.

    sizes            of every result are positive: a negative one, which CuTe makes of negative strides, is no
                     number of elements, and is refused also where the law below holds.
    composition      every size and stride of B that meets a mode of A divides it, and no digit of A overflows
                     over all modes of B together. Else: agreement.py.
    divide           the composition is right, the tiler's strides are multiples of what the lesser ones span,
                     and tile times rest has at least size(A) elements: then (tile, rest) counts through
                     0..size(A)-1 once, and the tile is A after the tiler. Else: check_divide, axis by axis.
    complement       the sorted strides of A' = filter(A) step over all that the lesser ones span (else CuTe
                     rejects), so C and A' interleave like digits: C is increasing and all sums are distinct.
                     What can fail is the size, which is a product, where it is asked for.
    right_inverse    never fails: it strings together modes of L whose strides are 1, n_1, n_1*n_2, ..., at
                     their places in L's index, so `L(R(i))` puts i together from its own digits. Swizzled:
                     agreement.py.
    left_inverse     positive strides, each a multiple of the lesser one (else CuTe rejects) and not less than
                     what it spans: R reads the digits of L(i) off. Else: agreement.py.
    products         the composition inside is right, and the tiler's values, none negative, are below
                     size(C): then the copies are disjoint. Else: collision.py.
    casts            bits.py: from the modes alone.
    tile_to_shape    collision.py, where nested strides suffice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from ..basis import ScaledBasis
from ..errors import Inadmissible
from ..inttuple import compatible, flatten_to_tuple, product, show
from ..layout import Layout
from ..swizzle import ComposedLayout, Swizzle
from .agreement import Chain, least_index
from .collision import least_repeat, refined, repeats, shared_copies
from .fit import Misfit, after, in_integers, least_difference, value_after

FEW = 16  # so many values of a swizzled layout are looked at one by one, which is faster


def _refuse(headline: str, lines: list[str], index: object, want: object, got: object) -> NoReturn:
    raise Inadmissible("\n  ".join([headline, *lines]), index, want, got)


def _refuse_sizes(name: str, r: Any, context: Sequence[str] = (), **layouts: Any) -> None:
    """Every size of the result is positive. Layouts are put into words only where it is refused."""
    least = min(flatten_to_tuple(r.shape))
    if least < 1:
        _refuse(
            f"{name}: a negative stride leads to a result with a size of {least}: {r}",
            [
                *context,
                *_named(**layouts),
                "turn the mode round: start at its other end, with a positive stride",
            ],
            None,
            1,
            least,
        )


def _named(**layouts: Any) -> list[str]:
    return [f"{name} = {layout}" for name, layout in layouts.items()]


def in_mode(k: int, operation: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    """One mode of an operation by mode; its refusal names the mode."""
    try:
        return operation(*arguments, **options)
    except Inadmissible as e:
        raise Inadmissible(f"mode {k}: {e}", e.index, e.want, e.got) from None


# --- law 1: composition -------------------------------------------------------------------------------------


def check_composition(
    a: Layout, b: Layout, r: Layout, name: str = "composition", context: Sequence[str] = ()
) -> None:
    """R is compatible with B and `R(i) = A(B(i))` for all i below size(B)."""
    _refuse_sizes(name, r, context, A=a, B=b)
    if not compatible(b.shape, r.shape):
        _refuse(
            f"{name}: the answer has the shape {show(r.shape)}, which does not refine B's {show(b.shape)}",
            _named(A=a, B=b, R=r),
            None,
            b.shape,
            r.shape,
        )
    i = least_difference(a, b, r)
    if i is None:
        return
    place, want, got = b(i), value_after(a, b, i), r(i)
    try:
        advice = f"{after(a, b)} would be right"
    except Misfit:
        advice = "no layout has the values of A after B"
    _refuse(
        f"{name}: the answer R is not A after B: R({i}) = {got}, A(B({i})) = {want}",
        [
            *context,
            *_named(A=a, B=b, R=r),
            f"B({i}) = {place}, A({place}) = {want}, R({i}) = {got}",
            advice,
            "sizes and strides of B that divide A's modes, or are divided by them, compose without a carry;",
            "unchecked=True gives CuTe's answer R",
        ],
        i,
        want,
        got,
    )


def check_reshape(a: Layout, shape: Any) -> None:
    """with_shape keeps the size."""
    want, got = a.size(), product(shape)
    if want != got:
        _refuse(
            f"with_shape: the shape {show(shape)} has {got} elements, the layout {want}",
            [*_named(A=a), "CuTe would go on past the layout's end, or stop before it, without a word"],
            None,
            want,
            got,
        )


def check_after_swizzle(a: Layout, swizzle: Swizzle, b: Layout | None, r: Any) -> None:
    """`R(i) = A(S(B(i)))` for all i below size(B); without B for all i below size(A)."""
    n = r.size()
    if n <= FEW:
        i = next((i for i in range(n) if r(i) != a(swizzle(i if b is None else b(i)))), None)
    elif b is not None and _passes_through(a, swizzle, b, r):
        return
    else:
        chain: Chain = (a, swizzle, b) if b is not None else (a, swizzle)
        i = least_index(flatten_to_tuple(r.shape), [(1, (r,)), (-1, chain)])
    if i is None:
        return
    place = i if b is None else b(i)
    want, got = a(swizzle(place)), r(i)
    _refuse(
        f"composition: the swizzle does not pass through A: R({i}) = {got}, A(S({place})) = {want}",
        [
            *_named(A=a, S=swizzle, **({} if b is None else {"B": b}), R=r),
            f"S({place}) = {swizzle(place)}, A({swizzle(place)}) = {want}, R({i}) = {got}",
            "A must carry each bit that S reads or changes to one bit: powers of two, in sizes and strides",
        ],
        i,
        want,
        got,
    )


def _passes_through(a: Layout, swizzle: Swizzle, b: Layout, r: Any) -> bool:
    """Whether, with `R = S' o R'`, R' is A after B and `S'(A(x)) = A(S(x))` on a power of two that holds all
    values of B: enough for the law, and few cuts whatever the sizes of B.
    """
    front, layout = (r.swizzle, r.layout) if isinstance(r, ComposedLayout) else (Swizzle(0, 0, 0), r)
    if min(flatten_to_tuple(b.stride)) < 0 or not isinstance(front, Swizzle):
        return False
    reach = 1 << (b.cosize() - 1).bit_length()
    if least_index((reach,), [(1, (front, a)), (-1, (a, swizzle))]) is not None:
        return False
    return least_index(flatten_to_tuple(r.shape), [(1, (layout,)), (-1, (a, b))]) is None


# --- law 2: divide ------------------------------------------------------------------------------------------


def check_divide(a: Layout, tiler: Layout, r: Layout, visited: Layout, shape: Any, strict: bool) -> None:
    """No coordinate inside `shape` (that of coalesce(A)) is missed, none is hit twice, and R's tile mode is A
    after the tiler; strict: none lies outside.

    `visited` is the same divide of the basis layout over `shape`: each of its modes moves along one axis, so
    the axes are judged one by one. Along an axis of s elements the modes sorted by stride must read 1, n_1,
    n_1*n_2, ... until their product reaches s, and the strides that are left must be s or more: a lesser
    stride hits an element for the second time, a greater one misses the next. A tiler that CuTe accepts is
    injective but for its stride-0 modes, which are left out here, as every mode of stride 0 is.
    """
    layouts = {"A": a, "tiler": tiler, "R": r, "coordinates": visited}
    _refuse_sizes("divide", r, A=a, tiler=tiler)
    sizes = flatten_to_tuple(shape)
    for axis, s in enumerate(sizes):
        fault = _axis_fault(s, _axis_modes(visited, axis))
        if fault is not None:
            at, hits = fault
            crd = tuple([at if k == axis else 0 for k in range(len(sizes))])
            _refuse(
                f"divide: the coordinate {show(crd)} of A's shape {show(shape)} is "
                + ("missed" if hits == 0 else f"hit {hits} times"),
                [
                    *_named(**layouts),
                    "choose a tiler whose sizes and strides divide A's modes; unchecked=True gives CuTe's R",
                ],
                crd,
                1,
                hits,
            )
    check_composition(a, tiler, r[0], "divide", ["B is the tiler, R the tile mode of the answer"])
    if strict and (beyond := outside(visited, sizes)):
        _refuse(
            f"divide: {beyond} coordinates lie outside A's shape {show(shape)}, and strict=True allows none",
            [
                *_named(**layouts),
                "the tiler does not divide the shape: predicate, or take a tiler that does",
            ],
            None,
            0,
            beyond,
        )


def _axis_modes(visited: Layout, axis: int) -> list[tuple[int, int]]:
    """(stride, size) of the modes that move along an axis, sorted."""
    modes = []
    for s, d in zip(flatten_to_tuple(visited.shape), flatten_to_tuple(visited.stride), strict=True):
        where, step = (d.modes[0], d.value) if isinstance(d, ScaledBasis) else (0, d)
        if where == axis and step != 0 and s != 1:
            modes.append((step, s))
    return sorted(modes)


def _axis_fault(s: int, modes: list[tuple[int, int]]) -> tuple[int, int] | None:
    """The least element of 0..s-1 that is not hit once, and how often it is hit."""
    reach = 1  # 0..reach-1 are hit once
    for k, (d, n) in enumerate(modes):
        if d < min(reach, s):
            return d, 1 + sum(1 for e, _ in modes[k:] if e == d)
        if reach >= s:
            break
        if d > reach:
            return reach, 0
        reach *= n
    return None if reach >= s else (reach, 0)


def outside(visited: Layout, sizes: tuple[int, ...]) -> int:
    """How many coordinates lie outside, when every one inside is hit once; stride-0 modes count once."""
    total = 1
    for s, d in zip(flatten_to_tuple(visited.shape), flatten_to_tuple(visited.stride), strict=True):
        total *= s if d else 1
    return int(total - product(sizes))


# --- law 3: complement --------------------------------------------------------------------------------------


def check_complement(a: Layout, cotarget: Any, c: Layout, covered: int) -> None:
    """For an integer cotarget M at least M elements; `covered` is size(C) * size(A'). Where none is given, a
    gap may be left.
    """
    _refuse_sizes("complement", c, A=a)
    if isinstance(cotarget, int) and covered < cotarget:
        _refuse(
            f"complement: A and its complement reach {covered} of {cotarget} elements",
            [
                *_named(A=a, C=c),
                f"size(C) = {c.size()}, size(filter(A)) = {covered // c.size()}, {covered} < {cotarget}",
                "a stride of A is not a multiple of what the lesser ones span: CuTe drops the gap between",
            ],
            None,
            cotarget,
            covered,
        )


# --- law 4: inverses ----------------------------------------------------------------------------------------


def check_right_inverse(x: Any, r: Any) -> None:
    """`L(R(i)) = i` for all i below size(R); only a swizzled L can fail."""
    n = r.size()
    if n <= FEW:
        i = next((i for i in range(n) if x(r(i)) != i), None)
    else:
        i = least_index(flatten_to_tuple(r.shape), [(1, (x, r)), (-1, (Layout._make(1, 1),))])
    if i is not None:
        _refuse(
            f"right_inverse: L(R({i})) = {x(r(i))}, not {i}",
            [*_named(L=x, R=r), f"R({i}) = {r(i)}", "the swizzle does not pass through the layout's inverse"],
            i,
            i,
            x(r(i)),
        )


def check_left_inverse(x: Any, r: Any) -> None:
    """`L(R(L(i))) = L(i)` for all i below size(L)."""
    if isinstance(r, Layout):  # composed answers may have no shape; composed_inverses.py looks at their parts
        _refuse_sizes("left_inverse", r, L=x)
    i = least_index(flatten_to_tuple(x.shape), [(1, (x, r, x)), (-1, (x,))])
    if i is not None:
        want = x(i)
        got = x(r(want))
        _refuse(
            f"left_inverse: L(R(L({i}))) = {got}, L({i}) = {want}",
            [
                *_named(L=x, R=r),
                f"L({i}) = {want}, R({want}) = {r(want)}, L({r(want)}) = {got}",
                "CuTe reads digits off L's strides: each must be positive and step over the lesser ones",
            ],
            i,
            want,
            got,
        )


# --- laws 5 and 6: products ---------------------------------------------------------------------------------


def check_product(block: Layout, rest: Layout, tiler: Layout, copies: Layout) -> None:
    """The composition inside a product, complement(block) after the tiler, obeys the law of composition, and
    copies of the block at different values of the tiler share no offset.
    """
    context = _named(block=block, tiler=tiler)
    if all(s == 1 or d == 0 for s, d in _modes(tiler)):
        return  # one copy, in place
    if any(s < 1 for s in flatten_to_tuple(rest.shape)):
        _refuse_sizes("product", copies, context)
        _refuse(
            f"product: a negative stride in the block leaves no room for copies: its complement is {rest}",
            [*context, "turn the mode round: start at its other end, with a positive stride"],
            None,
            1,
            min(flatten_to_tuple(rest.shape)),
        )
    context.append("A is the block's complement, B the tiler")
    check_composition(rest, tiler, copies, "product", context)
    if not in_integers(tiler):
        return
    shared = shared_copies(block, refined(tiler, copies), copies)
    if shared is not None:
        i, j = shared
        _refuse(
            f"product: the copies {j} and {i} of the block overlap",
            [
                *_named(block=block, tiler=tiler, copies=copies),
                f"copy {j} begins at {copies(j)}, copy {i} at {copies(i)}; the block spans {block.cosize()}",
                f"the block's gaps hold {rest.size()} copies: take fewer, or a block whose strides nest",
            ],
            i,
            "offsets of its own",
            copies(i),
        )


def _modes(x: Layout) -> list[tuple[Any, Any]]:
    return list(zip(flatten_to_tuple(x.shape), flatten_to_tuple(x.stride), strict=True))


def check_tile_to_shape(block: Layout, r: Layout) -> None:
    """R is injective if the block is."""
    _refuse_sizes("tile_to_shape", r, block=block)
    if repeats(block):
        return
    repeat = least_repeat(r)
    if repeat is None:
        return
    i, j = repeat
    _refuse(
        f"tile_to_shape: two elements share the offset {r(i)}: R({j}) = R({i}) = {r(i)}",
        [
            *_named(block=block, R=r),
            f"the block is injective, and i = {i} is the least index that repeats an offset",
            "the block has gaps that its copies do not fill evenly: fill the gaps in the block first",
        ],
        i,
        f"an offset not used before i = {i}",
        r(i),
    )


__all__ = [
    "check_after_swizzle",
    "check_complement",
    "check_composition",
    "check_divide",
    "check_left_inverse",
    "check_product",
    "check_reshape",
    "check_right_inverse",
    "check_tile_to_shape",
    "in_mode",
]
