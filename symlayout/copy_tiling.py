"""TiledCopy: a copy atom repeated over threads and values until it covers a tile.

    mma  = make_tiled_mma(atoms.SM80_16x8x16_F32F16F16F32_TN)
    copy = make_tiled_copy_A(atoms.SM75_U32x1_LDSM_N, mma)
    tCrA = mma.fragment_A((16, 16))          ((2,2,2),1,1):((1,2,4),0,0)
    tXrA = copy.retile_D(tCrA)               ((2,4),1,1):((1,2),0,0)

`layout_tv` sends (thread, value) to the column-major index in the tile, in terms of the atom's reference
side; `partition_S` and `partition_D` translate to the side on which a thread reads or writes. `retile_S` and
`retile_D` regroup registers that were laid out for an MMA; a copy made from an MMA checks that the view
delivers what the MMA reads. Everything else in here is CuTe's own algebra, unchecked, so that every layout
agrees to the letter.

Source: cute/atom/copy_atom.hpp (CUTLASS 4.2).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from .algebra import coalesce, composition, make_identity_layout, product_each, right_inverse, zipped_divide
from .algebra import zip as zip_modes
from .arguments import guarded
from .atoms.atom import CopyAtom
from .atoms.value_types import value_bits
from .delivery import Delivery, project
from .dim import is_symbolic
from .errors import Inadmissible, LayoutError, NeedFact, UnsupportedError
from .inttuple import show
from .layout import Layout
from .remedy import remedy
from .retile import RetileTrace, tiler_shape, trace_retile
from .swizzle import ComposedLayout
from .tile_fit import tile_fit
from .tiled_mma import NAMES, TiledMMA, as_tensor, axes
from .view import View, slice_threads

if TYPE_CHECKING:
    from .claim import Claim


@guarded
@dataclass(frozen=True)
class TiledCopy:
    """Made by the `make_tiled_copy*` functions of `tiled_copy`; immutable, compared by value.

    `mma` and `operand` are those that the copy was made from, if any; `given` is what `make_tiled_copy` was
    given: place of the tile -> thread + threads * value.
    """

    atom: CopyAtom
    layout_tv: Layout
    tiler_mn: Any
    mma: TiledMMA | None = None
    operand: str = ""
    given: Layout | None = None

    @property
    def num_thr(self) -> int:
        """Threads of the tile: CuTe's TiledNumThr."""
        return int(self.layout_tv[0].size())

    @property
    def num_val(self) -> int:
        """Values that a thread holds of the tile: CuTe's TiledNumVal."""
        return int(self.layout_tv[1].size())

    @property
    def atom_num_thr(self) -> int:
        """Threads of one instruction."""
        return int(self.atom.layout_ref[0].size())

    @property
    def atom_num_val(self) -> int:
        """Values that a thread holds of one instruction, on the reference side."""
        return int(self.atom.layout_ref[1].size())

    def _thr_val(self, side: str) -> Layout:
        """((thread of the atom, atom), (value of the atom, atom)) -> tile index, on side "S" or "D"."""
        on_side = self.atom.layout_src if side == "S" else self.atom.layout_dst
        ref_to_side = right_inverse(self.atom.layout_ref, unchecked=True).compose(on_side, unchecked=True)
        by_atom = zipped_divide(self.layout_tv, (self.atom_num_thr, self.atom_num_val), unchecked=True)
        by_side = composition(by_atom, (ref_to_side, None), unchecked=True)
        result: Layout = coalesce(zip_modes(by_side), (1, (1, 1)))
        return result

    @cached_property
    def _tidfrgs(self) -> dict[tuple[str, Any], Any]:
        """Answers of tidfrg: every thread's partition asks for the same one."""
        return {}

    def _tidfrg(self, side: str, tensor: Any) -> Any:
        tensor = as_layout(tensor)
        known = self._tidfrgs.get((side, tensor))
        if known is None:
            known = self._tidfrgs[side, tensor] = self._new_tidfrg(side, tensor)
        return known

    def _new_tidfrg(self, side: str, tensor: Any) -> Any:
        tiler_rank = len(self.tiler_mn) if isinstance(self.tiler_mn, tuple) else 1
        if tensor.rank() < tiler_rank:
            raise LayoutError(
                f"tidfrg_{side}: Rank of tensor to be partitioned too small\n"
                f"  {tensor} has rank {tensor.rank()}, the tiler {show_tiler(self.tiler_mn)} {tiler_rank}"
            )
        try:
            tiled = zipped_divide(tensor, self.tiler_mn, unchecked=True)
        except NeedFact:  # over parameters: the fact is what is missing
            raise
        except LayoutError as error:
            names = "" if self.mma is None else "".join(NAMES[k] for k in axes(self.operand))
            bits = value_bits(self.atom.val_type)
            why = tile_fit(tensor, self.tiler_mn, self.operand or "the tensor", names, bits)
            raise LayoutError(f"tidfrg_{side}: {why}\n  {error}") if why else error from None
        return composition(tiled, (self._thr_val(side), None), unchecked=True)(((None, None), None))

    def tidfrg_S(self, tensor: Any) -> Any:
        """The source tensor with modes (Thr,(FrgV,FrgX),(RestM,RestN,...)): FrgV is one instruction's."""
        return self._tidfrg("S", tensor)

    def tidfrg_D(self, tensor: Any) -> Any:
        """The destination tensor with modes (Thr,(FrgV,FrgX),(RestM,RestN,...))."""
        return self._tidfrg("D", tensor)

    def _side_tv(self, side: str) -> Layout:
        tile = Layout((tiler_shape(self.tiler_mn), 1))
        whole = composition(tile, (self._thr_val(side), None), unchecked=True)
        result: Layout = whole(((None, None), None))((None, None, 0))
        return result

    @cached_property
    def layout_S_TV(self) -> Layout:
        """(thread, value) -> tile index on the source side, CuTe's get_layoutS_TV()."""
        return self._side_tv("S")

    @cached_property
    def layout_D_TV(self) -> Layout:
        """(thread, value) -> tile index on the destination side, CuTe's get_layoutD_TV()."""
        return self._side_tv("D")

    def get_slice(self, thread: int) -> ThrCopy:
        """The part of one hardware thread."""
        return ThrCopy(self, thread)

    def retile_trace(self, fragment: Any) -> RetileTrace:
        """Every step of CuTe's retile of these registers, by CuTe's names."""
        return trace_retile(as_layout(fragment), self.layout_tv, self.tiler_mn, self.atom_num_val)

    def retile(self, fragment: Any) -> Any:
        """CuTe's view of the registers, (AtomVal, Rest), RestM, RestN -> register, unchecked."""
        return self.retile_trace(fragment).result

    def retile_S(self, fragment: Any, *, unchecked: bool = False) -> Any:
        """The view of registers that the copy reads (stores, stmatrix). Checked as retile_D, on the source
        side."""
        return self._checked_retile("S", fragment, unchecked)

    def retile_D(self, fragment: Any, *, unchecked: bool = False) -> Any:
        """The view of registers that the copy writes (loads, ldmatrix).

        Law: the mma reads from slot R(a,g) the element that the copy delivers as value a of step g, in every
        thread, and R hits every slot once. It is checked when the copy was made from an mma
        (make_tiled_copy_A, _B, _C); other copies know no register order to check against. Raises Inadmissible
        with `.index = (thread, slot)`, `.want` and `.got` the tile coordinates, where CuTe silently permutes
        registers; `unchecked=True` gives CuTe's answer. Raises LayoutError where CuTe refuses.
        """
        return self._checked_retile("D", fragment, unchecked)

    def _checked_retile(self, side: str, fragment: Any, unchecked: bool) -> Any:
        fragment = as_layout(fragment)
        if unchecked or self.mma is None or isinstance(fragment, ComposedLayout):
            return self.retile(fragment)
        self.check_registers()
        if is_symbolic(fragment.shape):  # for all sizes it takes a proof: prove(copy.retile_correct(...))
            return self.retile(fragment)
        shape = self._shape_of(self.mma, self.operand, fragment)
        view = self.retile(fragment)
        self._raise_fault(side, self._delivery(self.mma, self.operand, shape, fragment, view, side))
        return view

    def check_registers(self) -> None:
        """Raises UnsupportedError for a copy made for an operand that no thread holds in registers."""
        if self.mma is not None and self.operand:
            self.mma.atom.check_registers(self.operand)

    def _check_fills_registers(self) -> None:
        if reason := self.atom.no_registers():
            raise UnsupportedError(f"{self.atom.name} fills no registers of an mma: {reason}")

    def _raise_fault(self, side: str, delivery: Delivery) -> None:
        name = f"retile_{side}"
        text = f"  fragment {delivery.fragment}\n  CuTe's view {delivery.view}"
        if delivery.mismatch:
            assert self.mma is not None, "what is checked was made from an mma"
            raise Inadmissible(
                f"{name}: {delivery.mismatch}\n{text}\n  {remedy(self, self.mma, self.operand, side)}"
            )
        fault = delivery.fault
        if fault is None:
            return
        wanted = "nothing" if fault.want is None else f"{self.operand}{show(fault.want)}"
        verb = "is given" if side == "D" else "takes"
        try:
            right = f"the right view is {delivery.right_view()}"
        except LayoutError as e:
            right = str(e)
        raise Inadmissible(
            f"{name}: {fault.wrong} of {fault.total} registers would hold a wrong element\n{text}\n"
            f"  thread {fault.thread}, value {fault.index} at {show(fault.coordinate)} is "
            f"register {fault.slot}: the mma has {wanted} there, "
            f"the copy {verb} {self.operand}{show(fault.got)}\n"
            f"  {right}; unchecked=True gives CuTe's",
            index=(fault.thread, fault.slot),
            want=fault.want,
            got=fault.got,
        )

    def _shape_of(self, mma: TiledMMA, operand: str, fragment: Layout) -> tuple[int, ...]:
        """The shape of the tensor whose partition has these modes."""
        modes = [m.size() for m in fragment]
        if len(modes) < 3:
            raise LayoutError(f"retile: {fragment} has no V, M and K modes: give a fragment of the mma")
        steps = [mma.atom.shape_mnk[i] * mma.thr_layout_vmnk[i + 1].size() for i in axes(operand)]
        return (modes[1] * steps[0], modes[2] * steps[1], *modes[3:])

    def _delivery(
        self, mma: TiledMMA, operand: str, shape: Any, fragment: Layout, view: Layout, side: str
    ) -> Delivery:
        if side not in ("S", "D"):
            raise LayoutError(f"side {side!r}: it is S, the copy's source, or D, its destination")
        identity = make_identity_layout(product_each(shape))
        copied = self.tidfrg_D(identity) if side == "D" else self.tidfrg_S(identity)
        held = mma.by_logical_thread(operand, identity)
        ranks = range(len(identity))
        # (Thr,(FrgV,FrgX),(RestM,RestN)) and ((V,(M,N,K)),(FrgV,(RestM,RestK))), both to (thread, (value,
        # rest...))
        copied = Layout._make(
            (copied.shape[0], (copied.shape[1], *copied.shape[2])),
            (copied.stride[0], (copied.stride[1], *copied.stride[2])),
        )
        held = Layout._make(
            (held.shape[0], (held.shape[1][0], *held.shape[1][1])),
            (held.stride[0], (held.stride[1][0], *held.stride[1][1])),
        )
        return Delivery(
            threads=mma.thr_layout_vmnk,
            delivered=tuple([project(copied, k) for k in ranks]),
            expected=tuple([project(held, k) for k in ranks]),
            fragment=fragment,
            view=view,
        )

    def delivery(self, mma: TiledMMA, operand: str, tensor: Any, *, side: str = "D") -> Delivery:
        """Both sides of the retile of `mma`'s fragment of `operand` over `tensor` (a Layout or a bare shape),
        with CuTe's view. A prover takes its layouts; `.fault` decides them here, `.right_view()` repairs the
        view."""
        tensor = as_tensor(operand, tensor)
        fragment = mma.fragment(operand, tensor)
        return self._delivery(mma, operand, tensor.shape, fragment, self.retile(fragment), side)

    @property
    def register_side(self) -> str:
        """The atom's: "S" for stmatrix, else "D"."""
        return self.atom.register_side

    def retile_correct(
        self, mma: TiledMMA, operand: str, tensor: Any, *, side: str = "D", view: Layout | None = None
    ) -> Claim:
        """The claim that retile_D (or retile_S) of the mma's fragment over `tensor` gives every register what
        the mma reads.

        For all hardware threads t, values a, steps g: `P_t(R(a,g)) = D(t,(a,g))`, the sizes agree mode by
        mode, and R hits every register once. R is CuTe's view, or `view`. To be decided by `prove`. It is
        about the view of the registers alone: `load_correct` and `store_correct` ask about the copy.

        Raises UnsupportedError for an operand in shared or tensor memory, and for a copy past the registers.
        """
        from .retile_claim import About, retile_claim

        self._check_fills_registers()
        delivery = self.delivery(mma, operand, tensor, side=side)
        if view is not None:
            delivery = replace(delivery, view=view)
        about = About(self, mma, as_tensor(operand, tensor))
        words = remedy(self, mma, operand, side)
        return retile_claim(delivery, operand, side, f"{self.atom} for {mma}", words, about=about)

    def right_view(self, mma: TiledMMA, operand: str, tensor: Any, *, side: str = "D") -> Layout:
        """The view of the fragment that delivers every element to its register.

        R*(a,g) = F(P_t^-1(D(t,(a,g)))), in the shape of CuTe's view where that is possible. Raises
        LayoutError, naming the thread or value, when no such layout exists.
        """
        return self.delivery(mma, operand, tensor, side=side).right_view()


@guarded
@dataclass(frozen=True)
class ThrCopy:
    """One thread's part of a TiledCopy."""

    copy: TiledCopy
    thr_idx: int

    def partition_S(self, tensor: Any) -> View:
        """What this thread reads: a `View`, offset + ((FrgV,FrgX), RestM, RestN, ...)."""
        return self._sliced(self.copy.tidfrg_S(tensor))

    def partition_D(self, tensor: Any) -> View:
        """What this thread writes."""
        return self._sliced(self.copy.tidfrg_D(tensor))

    def _sliced(self, tensor: Any) -> View:
        rest = tensor[2].rank()
        return slice_threads(tensor, self.thr_idx, (None, (None,) * rest if rest > 1 else None))

    def retile_S(self, fragment: Any, *, unchecked: bool = False) -> Any:
        """`TiledCopy.retile_S`: the same for every thread."""
        return self.copy.retile_S(fragment, unchecked=unchecked)

    def retile_D(self, fragment: Any, *, unchecked: bool = False) -> Any:
        """`TiledCopy.retile_D`: the same for every thread."""
        return self.copy.retile_D(fragment, unchecked=unchecked)


def make_tiled_copy_impl(
    atom: CopyAtom, layout_tv: Layout, tiler_mn: Any, *, mma: TiledMMA | None = None, operand: str = ""
) -> TiledCopy:
    """The atom (with a value type) tiled by `layout_tv` over `tiler_mn`; the other constructors end here.

    Raises LayoutError when the tile has too few threads or values for the atom.
    """
    if not atom.val_type:
        raise LayoutError(f"{atom.name} has no value type: write atom.with_type('half_t')")
    copy = TiledCopy(atom.with_type(atom.val_type), layout_tv, tiler_mn, mma, operand)
    for what, have, want in (
        ("thrs", copy.num_thr, copy.atom_num_thr),
        ("vals", copy.num_val, copy.atom_num_val),
    ):
        if have % want != 0:
            raise LayoutError(_too_few(copy, what, have, want))
    return copy


def _too_few(copy: TiledCopy, what: str, have: int, want: int) -> str:
    lines = [
        f"TiledCopy uses too few {what} for the copy atom: {have} % {want} = {have % want}",
        f"{copy.atom.name} has {want} {what} of {copy.atom.val_type}; layout_TV {copy.layout_tv} has {have}",
    ]
    if copy.mma is not None and what == "vals" and have < want and want % have == 0:
        i, j = axes(copy.operand)
        size = copy.mma.tile_size_mnk
        wider = [
            f"{NAMES[k]} = {size[k] * (want // have)}" for k in ((j, i) if copy.operand == "A" else (i, j))
        ]
        lines.append(
            f"a thread holds {have} values of {copy.operand}'s {size[i]}x{size[j]} tile; "
            f"a permutation with {' or '.join(wider)} gives {want}"
        )
    return "\n  ".join(lines)


def with_type_of(atom: CopyAtom, val_type: str) -> CopyAtom:
    """The atom with its own value type, or else with this one."""
    return atom if atom.val_type else replace(atom, val_type=val_type)


def show_tiler(tiler: Any) -> str:
    """A tiler as CuTe prints it."""
    if isinstance(tiler, tuple):
        return "(" + ",".join(map(show_tiler, tiler)) + ")"
    return str(tiler) if isinstance(tiler, Layout) else show(tiler)


def as_layout(tensor: Any) -> Any:
    """A layout as it is, that of a view, or the compact one of a shape. Raises LayoutError for others."""
    if isinstance(tensor, View):
        tensor = tensor.layout
    if isinstance(tensor, (Layout, ComposedLayout)):
        return tensor
    if isinstance(tensor, (int, tuple)):
        return Layout(tensor)
    raise LayoutError(f"{tensor!r} is not a tensor: give a Layout or a shape")
