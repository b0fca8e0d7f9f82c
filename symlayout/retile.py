"""retile: the registers of a fragment, regrouped into what one copy instruction moves at a time.

CuTe assumes that the first V = size<0>(fragment) values of the copy's thread-value layout are the fragment's
mode 0, asks over which part of the tile such a thread-value block repeats (`frg_layout_mn`), and gathers
those repetitions from the other modes of the fragment, AtomNumVal values at a time. `RetileTrace` holds every
value on the way under CuTe's name.

What CuTe assumes it does not check; `TiledCopy.retile_D` does (see delivery.py).

Source: cute/atom/copy_atom.hpp, TiledCopy::retile (CUTLASS 4.2).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .algebra import composition, logical_product, product_each, right_inverse, upcast, zipped_divide
from .errors import LayoutError
from .layout import Layout
from .view import Tensor


@dataclass(frozen=True)
class RetileTrace:
    """retile, step by step. For the article's A with ldmatrix.x1 (SM80_16x8x16, fragment
    ((2,2,2),1,1):((1,2,4),0,0)):

    right_inverse_TV             (8,2,2,4,2):(4,64,32,1,128)           tile index -> (thread, value)
    right_inverse_TV_with_shape  ((8,2),(2,4,2)):((4,64),(32,1,128))   tile coordinate -> (thread, value)
    frg_layout_mn                ((1,1),(1,1,1)):((1,1),(1,1,1))       tile coordinate -> block of V values
    right_inverse_frg            1:0                                   block -> tile coordinate
    logical_product              (8,1):(1,0)                           (value, block) -> (v, m, n)
    frg_layout_v                 (2,4):(1,2)                           (atom value, rest) -> (v, m, n)
    t_tensor                     ((8,1,1),(1,1,1)):((1,0,0),(0,0,0))   the fragment, tiled by block
    v_tensor                     ((2,4),(1,1,1)):((1,2),(0,0,0))       ... its tile read through frg_layout_v
    result                       ((2,4),1,1):((1,2),0,0)
    """

    tensor: Tensor
    V: int
    TiledNumThr: int
    TiledNumVal: int
    AtomNumVal: int
    Tiler_MN: Any
    right_inverse_TV: Layout
    right_inverse_TV_with_shape: Layout
    frg_layout_mn: Layout
    frg_layout_mn_shape: tuple[int, ...]
    right_inverse_frg: Layout
    logical_product: Layout
    frg_layout_v: Layout
    t_tensor: Any
    v_tensor: Any
    result: Any


def trace_retile(tensor: Tensor, layout_TV: Layout, tiler_mn: Any, atom_num_val: int) -> RetileTrace:
    """All of CuTe's steps for one fragment. Raises LayoutError, naming the step, where CuTe's assertions
    do."""
    v = tensor[0].size()
    num_thr = layout_TV[0].size()
    r = tensor.rank()
    try:
        step = "right_inverse(TiledLayout_TV).with_shape(Tiler_MN)"
        inverse = right_inverse(layout_TV, unchecked=True)
        shaped = inverse.with_shape(tiler_shape(tiler_mn), unchecked=True)
        step = f"upcast<TiledNumThr * V = {num_thr} * {v}>"
        frg_mn = upcast(num_thr * v, shaped, unchecked=True)
        block = product_each(frg_mn.shape)
        step = "right_inverse(frg_layout_mn)"
        inverse_frg = right_inverse(frg_mn, unchecked=True)
        step = "logical_product(V, right_inverse(frg_layout_mn))"
        blocks = logical_product(Layout(v), inverse_frg, unchecked=True)
        step = f"zipped_divide by AtomNumVal = {atom_num_val}"
        frg_v = zipped_divide(blocks, Layout(atom_num_val), unchecked=True)
        step = f"zipped_divide of the fragment by {(v, *block)}"
        t_tensor = zipped_divide(tensor, (v, *block), unchecked=True)
        step = "composition of the fragment's tile with frg_layout_v"
        v_tensor = composition(t_tensor, (frg_v, None), unchecked=True)
        step = "slicing the steps"
        result = _unfold(v_tensor, r)
    except LayoutError as e:
        raise LayoutError(f"retile of {tensor}: at {step}\n  {e}") from None
    return RetileTrace(
        tensor=tensor,
        V=v,
        TiledNumThr=num_thr,
        TiledNumVal=layout_TV[1].size(),
        AtomNumVal=atom_num_val,
        Tiler_MN=tiler_mn,
        right_inverse_TV=inverse,
        right_inverse_TV_with_shape=shaped,
        frg_layout_mn=frg_mn,
        frg_layout_mn_shape=block,
        right_inverse_frg=inverse_frg,
        logical_product=blocks,
        frg_layout_v=frg_v,
        t_tensor=t_tensor,
        v_tensor=v_tensor,
        result=result,
    )


def _unfold(v_tensor: Any, r: int) -> Any:
    """((AtomVal, Rest), (1, RestM, RestN, ...)) to ((AtomVal, Rest), RestM, RestN, ...)."""
    return v_tensor((None, (0,) + (None,) * (r - 1))) if r > 1 else v_tensor((None, 0))


def tiler_shape(tiler: Any) -> Any:
    """The shape of the tile that a tiler cuts out: its ints, and the shapes of its layouts."""
    if isinstance(tiler, tuple):
        return tuple([tiler_shape(t) for t in tiler])
    return tiler.shape if isinstance(tiler, Layout) else tiler
