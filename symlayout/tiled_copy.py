"""The ways to make a TiledCopy: from an MMA's operand, from thread and value layouts, from another copy, from
addresses.

Where the atom has no value type, that of the MMA's operand is taken, or that of the other copy.

Source: cute/atom/copy_atom.hpp (CUTLASS 4.2).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from . import atoms
from .algebra import (
    coalesce,
    composition,
    left_inverse,
    make_layout,
    product_each,
    raked_product,
    right_inverse,
)
from .algebra import filter as filter_layout
from .atoms.atom import CopyAtom
from .copy_tiling import ThrCopy, TiledCopy, make_tiled_copy_impl, with_type_of
from .errors import LayoutError
from .inttuple import show
from .layout import Layout
from .tiled_mma import TiledMMA, axes, check_permutation

__all__ = [
    "ThrCopy",
    "TiledCopy",
    "make_cotiled_copy",
    "make_tiled_copy",
    "make_tiled_copy_A",
    "make_tiled_copy_B",
    "make_tiled_copy_C",
    "make_tiled_copy_C_atom",
    "make_tiled_copy_D",
    "make_tiled_copy_S",
    "make_tiled_copy_impl",
]

_NOTHING = Layout(1, 0)


def _for_operand(atom: str | CopyAtom, mma: TiledMMA, operand: str) -> TiledCopy:
    check_permutation(mma, axes(operand))
    typed = with_type_of(atoms.copy(atom), mma.atom.type(operand))
    return make_tiled_copy_impl(
        typed, mma.layout_TV(operand), mma.tile_shape(operand), mma=mma, operand=operand
    )


def make_tiled_copy_A(atom: str | CopyAtom, mma: TiledMMA) -> TiledCopy:
    """The copy that fills (or stores) the registers of the MMA's A. Its retile views are checked against the
    MMA."""
    return _for_operand(atom, mma, "A")


def make_tiled_copy_B(atom: str | CopyAtom, mma: TiledMMA) -> TiledCopy:
    """The copy that fills (or stores) the registers of the MMA's B."""
    return _for_operand(atom, mma, "B")


def make_tiled_copy_C(atom: str | CopyAtom, mma: TiledMMA) -> TiledCopy:
    """The copy that fills (or stores) the registers of the MMA's C."""
    return _for_operand(atom, mma, "C")


def make_tiled_copy_S(atom: str | CopyAtom, copy: TiledCopy) -> TiledCopy:
    """Another atom over the source layout of a copy."""
    return _over_side(atom, copy, copy.layout_S_TV)


def make_tiled_copy_D(atom: str | CopyAtom, copy: TiledCopy) -> TiledCopy:
    """Another atom over the destination layout of a copy."""
    return _over_side(atom, copy, copy.layout_D_TV)


def _over_side(atom: str | CopyAtom, copy: TiledCopy, layout_tv: Layout) -> TiledCopy:
    typed = with_type_of(atoms.copy(atom), copy.atom.val_type)
    # when the side kept the copy's own layout, the registers are still the mma's and can be checked
    if layout_tv.canonical() == copy.layout_tv.canonical():
        return make_tiled_copy_impl(typed, layout_tv, copy.tiler_mn, mma=copy.mma, operand=copy.operand)
    return make_tiled_copy_impl(typed, layout_tv, copy.tiler_mn)


def make_tiled_copy(atom: str | CopyAtom, thr_layout: Any, val_layout: Any = 1) -> TiledCopy:
    """Threads by values: each thread gets a block of `val_layout`'s shape, the threads rake over
    `thr_layout`'s.

    `make_tiled_copy(atoms.UniversalCopy("uint128_t").with_type("half_t"), Layout((32, 4), (4, 1)), Layout((1,
    8)))` has the tiler (32,32) and the layout ((4,32),8):((256,1),32). A UniversalCopy without value type
    moves its own.

    As in CuTe, layouts that overlap (a stride 0, say) make a copy all the same, and not the one that they
    describe: `memory_correct` refutes it.

    Raises LayoutError without a value type, and when the values are too few for the atom.
    """
    found = atoms.copy(atom)
    if not found.val_type and found.name.startswith("UniversalCopy"):
        found = found.with_type(found.registers_S[0])
    threads, values = _as_layout(thr_layout), _as_layout(val_layout)
    layout_mn = raked_product(threads, values, unchecked=True)
    shape = (threads.size(), values.size())
    layout_tv = right_inverse(layout_mn, unchecked=True).with_shape(shape, unchecked=True)
    try:
        copy = make_tiled_copy_impl(found, layout_tv, product_each(layout_mn.shape))
        return replace(copy, given=layout_mn)
    except LayoutError as e:
        hint = _wider(found, threads, values)
        raise LayoutError(f"{e}\n  {hint}") if hint else e from None


def _wider(atom: CopyAtom, threads: Layout, values: Layout) -> str:
    """The same tile with more values a thread, in words; empty when that does not help."""
    if not atom.val_type:
        return ""
    want, have = atom.with_type(atom.val_type).layout_ref[1].size(), values.size()
    vals, thrs = list(product_each(values.shape)), list(product_each(threads.shape))
    for i, (v, t) in enumerate(zip(vals, thrs, strict=False)):
        if want % have == 0 and v == max(vals) and t % (want // have) == 0:
            vals[i], thrs[i] = v * (want // have), t // (want // have)
            return f"values {show(tuple(vals))} with threads {show(tuple(thrs))} cover the same tile"
    return ""


def make_tiled_copy_C_atom(atom: str | CopyAtom, mma: TiledMMA) -> TiledCopy:
    """The smallest copy whose values are a beginning of the MMA's C values: one instruction of the atom.

    For epilogues that store C piece by piece. Raises LayoutError when the atom moves more values than a
    thread holds.
    """
    typed = with_type_of(atoms.copy(atom), mma.atom.type("C"))
    typed = typed.with_type(typed.val_type)
    whole = mma.layout_C_TV
    values = typed.layout_src[1].size()
    if values > whole[1].size():
        raise LayoutError(
            f"make_tiled_copy_C_atom: {typed.name} moves {values} values of {typed.val_type} a thread, "
            f"the mma's C has {whole[1].size()}"
        )
    layout_tv = composition(whole, Layout((whole[0].size(), values)), unchecked=True)
    tiler, layout_tv = _restride(mma.tile_shape("C"), layout_tv)
    return make_tiled_copy_impl(typed, layout_tv, tiler, mma=mma, operand="C")


def make_cotiled_copy(atom: str | CopyAtom, atom_tv_layout: Layout, data_layout: Layout) -> TiledCopy:
    """The copy whose (thread, value) addresses are given, over the tensor that `data_layout` addresses.

    Raises LayoutError when a value's address is not in the tensor.
    """
    found = atoms.copy(atom)
    to_data = make_layout(left_inverse(data_layout, unchecked=True), _NOTHING)
    tv_data = composition(to_data, atom_tv_layout, unchecked=True)
    back = composition(make_layout(data_layout, _NOTHING), tv_data[1], unchecked=True)
    if coalesce(back) != coalesce(atom_tv_layout[1]):
        raise LayoutError(
            "make_cotiled_copy: The memory pointed to by AtomTVLayout does not exist in the DataLayout\n"
            f"  values {atom_tv_layout[1]} are read back from {data_layout} as {back}"
        )
    tiler, layout_tv = _restride(product_each(data_layout.shape), tv_data)
    return make_tiled_copy_impl(found, layout_tv, tiler)


def _restride(shape: tuple[int, ...], layout_tv: Layout) -> tuple[Any, Layout]:
    """A tiler for the coordinates of `shape` that `layout_tv` touches, and layout_tv in terms of that
    tile."""
    ranks = range(len(shape))
    tiler = tuple(
        filter_layout(
            composition(Layout(shape, tuple(1 if j == i else 0 for j in ranks)), layout_tv, unchecked=True)
        )
        for i in ranks
    )
    tile = composition(Layout(shape), tiler, unchecked=True)
    return tiler, composition(left_inverse(tile, unchecked=True), layout_tv, unchecked=True)


def _as_layout(x: Any) -> Layout:
    return x if isinstance(x, Layout) else Layout(x)
