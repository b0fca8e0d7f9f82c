"""TiledMMA: an MMA atom laid out over warps and repeated over a tile.

Three decisions make one: the atom; `atom_layout`, how many atoms stand side by side in M, N and K, each with
its own threads; and `permutation`, the tile that they cover together, which may be larger than one step of
all atoms (each thread then owns several) and may reorder M, N or K before the atoms are laid on it.

    mma = make_tiled_mma(atoms.SM80_16x8x16_F32F16F16F32_TN, (2, 2, 1), (32, 32, 16))
    mma.tile_size_mnk               (32, 32, 16)
    mma.layout_B_TV                 ((4,8,2,2),((2,2),(2,1))):((64,1,0,8),((32,256),(16,0)))
    mma.fragment_B((64, 32))        ((2,2),4,2):((1,2),8,4)

Operands are A (M,K), B (N,K) and C (M,N). A bare shape stands for a tensor whose K is contiguous (A, B), or
compact in its shape's order (C). All algebra in here is CuTe's own, unchecked, so that every layout agrees to
the letter.

Source: cute/atom/mma_atom.hpp (CUTLASS 4.2).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from . import atoms
from .algebra import (
    complement,
    composition,
    get_flat_coord,
    logical_divide,
    make_fragment_like,
    make_layout,
    right_inverse,
    tiled_product,
    zipped_divide,
)
from .arguments import guarded
from .atoms.atom import MmaAtom
from .errors import LayoutError, NeedFact, UnsupportedError
from .inttuple import compact_col_major, product, show
from .layout import Layout
from .swizzle import ComposedLayout
from .tile_fit import tile_fit
from .view import Tensor, View, slice_threads

Operand = Literal["A", "B", "C"]

AXES = {"A": (0, 2), "B": (1, 2), "C": (0, 1)}  # which of M, N, K an operand's two modes are
NAMES = "MNK"


@guarded
@dataclass(frozen=True)
class TiledMMA:
    """Made by `make_tiled_mma`; immutable, compared by value."""

    atom: MmaAtom
    atom_layout: Layout  # (M, N, K) of atoms -> number of the atom
    permutation: tuple[Any, Any, Any]
    unchecked: bool = False  # take every permutation that CuTe compiles

    def __str__(self) -> str:
        given = ",".join("_" if p is None else str(p) for p in self.permutation)
        atoms_over = ",".join(str(self.thr_layout_vmnk[i].size()) for i in (1, 2, 3))
        return f"{self.atom.name}, atoms ({atoms_over}), permutation <{given}>"

    @cached_property
    def thr_layout_vmnk(self) -> Layout:
        """(thread of the atom, atom in M, in N, in K) -> hardware thread."""
        layout: Layout = tiled_product(self.atom.thr_id, self.atom_layout, unchecked=True)
        return layout

    def permutation_mnk(self, i: int) -> Any:
        """The permutation of M, N or K; one step of all atoms where none was given."""
        if i not in (0, 1, 2):
            raise LayoutError(f"mode {i} of the tile: 0, 1 and 2 are M, N and K")
        given = self.permutation[i]
        return self.atom.shape_mnk[i] * self.thr_layout_vmnk[i + 1].size() if given is None else given

    def tile_size(self, i: int) -> int:
        """The extent of the tile in M, N or K."""
        return int(_size(self.permutation_mnk(i)))

    @property
    def tile_size_mnk(self) -> tuple[int, int, int]:
        """The tile that all threads cover together: (M, N, K)."""
        return (self.tile_size(0), self.tile_size(1), self.tile_size(2))

    def tile_shape(self, operand: str) -> tuple[int, int]:
        """The operand's part of the tile: (M,K), (N,K) or (M,N)."""
        i, j = axes(operand)
        return (self.tile_size(i), self.tile_size(j))

    def thread_ids(self) -> tuple[int, ...]:
        """The hardware threads that take part, ascending: 0-3 and 16-19 for one Volta quad pair."""
        layout = self.thr_layout_vmnk
        return tuple(sorted({layout(i) for i in range(layout.size())}))

    def thrfrg(self, operand: str, tensor: Any) -> Any:
        """The tensor with modes ((ThrV,(ThrM,ThrK)),(FrgV,(RestM,RestK,...))), for A; N for B, (M,N) for C.

        Raises LayoutError when the tensor has less than two modes, or where the algebra refuses.
        """
        tensor = as_tensor(operand, tensor)
        known = self._thrfrgs.get((operand, tensor))
        if known is None:
            known = self._thrfrgs[operand, tensor] = self._thrfrg(operand, tensor)
        return known

    @cached_property
    def _thrfrgs(self) -> dict[tuple[str, Tensor], Any]:
        """Answers of thrfrg: every thread's partition asks for the same one."""
        return {}

    def _thrfrg(self, operand: str, tensor: Tensor) -> Any:
        if tensor.rank() < 2:
            raise LayoutError(
                f"thrfrg_{operand}: {tensor} has rank {tensor.rank()}, and two modes are wanted at least"
            )
        i, j = axes(operand)
        mnk, vmnk = self.atom.shape_mnk, self.thr_layout_vmnk
        tiler = (self.permutation_mnk(i), self.permutation_mnk(j))
        try:
            permuted = logical_divide(tensor, tiler, unchecked=True)
        except NeedFact:  # over parameters: the fact is what is missing
            raise
        except LayoutError as error:
            why = tile_fit(tensor, tiler, operand, NAMES[i] + NAMES[j], self.atom.bits(operand))
            raise LayoutError(f"thrfrg_{operand}: {why}\n  {error}") if why else error from None
        tiled = zipped_divide(permuted, (Layout(mnk[i]), Layout(mnk[j])), unchecked=True)
        by_thread = composition(tiled, (self.atom.layout(operand), None), unchecked=True)
        atoms_over = (Layout(vmnk[i + 1].size()), Layout(vmnk[j + 1].size()))
        return zipped_divide(by_thread, (None, atoms_over), unchecked=True)

    def thrfrg_A(self, tensor: Any) -> Any:
        """`thrfrg("A", tensor)`."""
        return self.thrfrg("A", tensor)

    def thrfrg_B(self, tensor: Any) -> Any:
        """`thrfrg("B", tensor)`."""
        return self.thrfrg("B", tensor)

    def thrfrg_C(self, tensor: Any) -> Any:
        """`thrfrg("C", tensor)`."""
        return self.thrfrg("C", tensor)

    def by_logical_thread(self, operand: str, tensor: Any) -> Any:
        """thrfrg with threads (V,M,N,K) for every operand: stride 0 in the mode that the operand does not
        have.

        Its mode 0 runs over the same logical threads as `thr_layout_vmnk`.
        """
        _, m, n, k = (mode.size() for mode in self.thr_layout_vmnk)
        spread = {
            "A": (Layout((m, n), (1, 0)), None),
            "B": (Layout((m, n), (0, 1)), None),
            "C": (None, Layout((n, k), (1, 0))),
        }
        return composition(self.thrfrg(operand, tensor), ((None, spread[operand]), None), unchecked=True)

    @cached_property
    def _thread_of_idx(self) -> Layout:
        """Hardware thread -> logical thread, column-major in thr_layout_vmnk's shape."""
        vmnk = self.thr_layout_vmnk
        whole = make_layout(vmnk, complement(vmnk, unchecked=True))
        inverse = right_inverse(whole, unchecked=True)
        result: Layout = composition(Layout((vmnk.size(), 1), (1, 0)), inverse, unchecked=True)
        return result

    def layout_TV(self, operand: str) -> Layout:
        """(hardware thread, value) -> column-major index in the operand's part of the tile."""
        reference = Layout(self.tile_shape(operand))
        # CuTe spreads the threads of A and B over the mode they lack, and leaves C to the thread map
        frg = self.thrfrg_C(reference) if operand == "C" else self.by_logical_thread(operand, reference)
        result: Layout = composition(frg, (self._thread_of_idx, None), unchecked=True)
        return result

    @cached_property
    def layout_A_TV(self) -> Layout:
        """(thread, value) -> (M,K), CuTe's get_layoutA_TV()."""
        return self.layout_TV("A")

    @cached_property
    def layout_B_TV(self) -> Layout:
        """(thread, value) -> (N,K), CuTe's get_layoutB_TV()."""
        return self.layout_TV("B")

    @cached_property
    def layout_C_TV(self) -> Layout:
        """(thread, value) -> (M,N), CuTe's get_layoutC_TV()."""
        return self.layout_TV("C")

    def get_slice(self, thread: int) -> ThrMMA:
        """The part of one hardware thread."""
        return ThrMMA(self, thread, get_flat_coord(thread, self.thr_layout_vmnk))

    def fragment(self, operand: str, tensor: Any) -> Layout:
        """The registers in which a thread holds its part: (V, RestM, RestK) -> register. See fragment_A."""
        return self.get_slice(0).partition_fragment(operand, tensor)

    def fragment_A(self, tensor: Any) -> Layout:
        """Registers for A. Their order follows the strides of the tensor: mode 0 first, then the smaller
        stride first."""
        return self.fragment("A", tensor)

    def fragment_B(self, tensor: Any) -> Layout:
        """Registers for B: `(16,32):(32,1)` gives ((2,2),2,2):((1,2),8,4) for SM80_16x8x16, K before N."""
        return self.fragment("B", tensor)

    def fragment_C(self, tensor: Any) -> Layout:
        """Registers for C: compact in the order of the modes, whatever the tensor's strides."""
        return self.fragment("C", tensor)

    partition_fragment_A, partition_fragment_B, partition_fragment_C = fragment_A, fragment_B, fragment_C


@guarded
@dataclass(frozen=True)
class ThrMMA:
    """One thread's part of a TiledMMA."""

    mma: TiledMMA
    thr_idx: int
    thr_vmnk: tuple[int, int, int, int]

    def partition(self, operand: str, tensor: Any) -> View:
        """What this thread holds of the tensor: a `View`, offset + (FrgV, RestM, RestK, ...)."""
        frg = self.mma.thrfrg(operand, tensor)
        i, j = axes(operand)
        thread = (self.thr_vmnk[0], (self.thr_vmnk[i + 1], self.thr_vmnk[j + 1]))
        rest = frg[1][1].rank()
        return slice_threads(frg, thread, ((None, (None,) * rest if rest > 1 else None),))

    def partition_A(self, tensor: Any) -> View:
        """`partition("A", tensor)`."""
        return self.partition("A", tensor)

    def partition_B(self, tensor: Any) -> View:
        """`partition("B", tensor)`."""
        return self.partition("B", tensor)

    def partition_C(self, tensor: Any) -> View:
        """`partition("C", tensor)`."""
        return self.partition("C", tensor)

    def partition_fragment(self, operand: str, tensor: Any) -> Layout:
        """The register layout for this thread's part.

        Raises LayoutError when the partition has no V, M and K modes or V is not the atom's, UnsupportedError
        for a swizzled tensor: CuTe orders its registers by strides that depend on the thread's offset, and
        for an operand in shared or tensor memory.
        """
        axes(operand)
        self.mma.atom.check_registers(operand)
        part = self.partition(operand, tensor).layout
        if isinstance(part, ComposedLayout) and operand != "C":
            raise UnsupportedError(
                f"make_fragment_{operand}: {part} is swizzled\n"
                "  the order of its registers is not modelled: give the layout under the swizzle, or a shape"
            )
        values = self.mma.atom.layout(operand)[1].size()
        if part.rank() < 3 or part[0].size() != values:
            raise LayoutError(
                f"make_fragment_{operand}: {part} is not a partition of {operand}\n"
                f"  three modes are wanted, the first of {values} values (the atom's)"
            )
        if operand == "C":
            return Layout(part.shape)
        fragment: Layout = make_fragment_like(part)
        return fragment

    def partition_fragment_A(self, tensor: Any) -> Layout:
        """`partition_fragment("A", tensor)`."""
        return self.partition_fragment("A", tensor)

    def partition_fragment_B(self, tensor: Any) -> Layout:
        """`partition_fragment("B", tensor)`."""
        return self.partition_fragment("B", tensor)

    def partition_fragment_C(self, tensor: Any) -> Layout:
        """`partition_fragment("C", tensor)`."""
        return self.partition_fragment("C", tensor)


def make_tiled_mma(
    atom: str | MmaAtom, atom_layout: Any = (1, 1, 1), permutation: Any = None, *, unchecked: bool = False
) -> TiledMMA:
    """`make_tiled_mma("SM80_16x8x16_F32F16F16F32_TN", (2, 2, 1), (32, 32, 16))`.

    `atom_layout` is a Layout or a shape of up to three modes. `permutation` has up to three entries, each an
    int, a Layout or None (one step of all atoms).

    Raises LayoutError when there are more than three modes, and, unless `unchecked`, when the permutation
    of M or N is not a multiple of one step of all atoms: CuTe compiles that, hands out elements twice or
    outside the tile, and stops later, at `copy()`, without naming the tile. K, which C has not, is checked
    when a copy is made for A or B.
    """
    layout = atom_layout if isinstance(atom_layout, Layout) else Layout(atom_layout)
    if layout.rank() > 3:
        raise LayoutError(f"make_tiled_mma: TiledMMA requires rank-3 atoms (M,N,K), here is {layout}")
    entries = permutation if isinstance(permutation, tuple) else (permutation,)
    if len(entries) > 3:
        raise LayoutError(
            f"make_tiled_mma: TiledMMA requires rank-3 permutations (M,N,K), here are {len(entries)}"
        )
    filled = entries + (None,) * (3 - len(entries))
    mma = TiledMMA(atoms.mma(atom), _three(layout), (filled[0], filled[1], filled[2]), unchecked)
    check_permutation(mma, (0, 1))
    mma.tile_size(2)
    return mma


def check_permutation(mma: TiledMMA, modes: tuple[int, ...]) -> None:
    """Raises LayoutError when the permutation of one of these modes (of M, N, K) is not a multiple of one
    step of all atoms, unless the mma is unchecked."""
    for i in modes:
        size = mma.tile_size(i)
        if not mma.unchecked:
            _check_multiple(mma, i, size)


def _check_multiple(mma: TiledMMA, i: int, tile: int) -> None:
    atom, count = mma.atom.shape_mnk[i], mma.thr_layout_vmnk[i + 1].size()
    if tile % (atom * count) == 0:
        return
    refuses = "symlayout refuses a tile that its atoms do not fill, whether or not CuTe compiles it"
    unit = "warp" if mma.atom.thr_id.size() == 32 else "atom"
    step = f"{count} {unit}{'s' if count > 1 else ''} x {atom}"
    what = f"permutation {NAMES[i]} = {tile}"
    given = mma.permutation[i]
    shown = "" if isinstance(given, int) else f"\n  {NAMES[i]} entry {given}, size {tile}"
    if tile < atom * count:
        raise LayoutError(
            f"{what} is smaller than {step}{shown}\n"
            f"  {mma.atom.name} steps {atom} in {NAMES[i]}: "
            f"the tile holds {atom * count} or a multiple of it\n  {refuses}"
        )
    raise LayoutError(
        f"{what} is not a multiple of {step}{shown}\n  {tile} % {atom * count} = {tile % (atom * count)}\n"
        f"  {refuses}"
    )


def axes(operand: str) -> tuple[int, int]:
    """The positions in (M,N,K) of the operand's modes. Raises LayoutError unless it is "A", "B" or "C"."""
    try:
        return AXES[operand]
    except KeyError:
        raise LayoutError(f"operand {operand!r}: it is A (M,K), B (N,K) or C (M,N)") from None


def as_tensor(operand: str, tensor: Any) -> Tensor:
    """A layout as it is; a bare shape with K contiguous for A and B, compact in its shape's order for C."""
    if isinstance(tensor, (Layout, ComposedLayout)):
        return tensor
    if not isinstance(tensor, tuple) or len(tensor) < 2:
        raise LayoutError(
            f"{operand}: {tensor!r} is not a tensor: give a Layout or a shape of two modes or more"
        )
    if operand == "C":
        return Layout(tensor)
    inner = compact_col_major(tensor[1])
    outer = compact_col_major(tensor[0], product(tensor[1]))
    rest = compact_col_major(tensor[2:], product(tensor[:2]))
    return Layout(tensor, (outer, inner, *rest))


def _three(layout: Layout) -> Layout:
    shape = layout.shape if isinstance(layout.shape, tuple) else (layout.shape,)
    stride = layout.stride if isinstance(layout.stride, tuple) else (layout.stride,)
    missing = 3 - len(shape)
    return Layout(shape + (1,) * missing, stride + (0,) * missing)


def _size(permutation: Any) -> Any:
    if isinstance(permutation, (Layout, ComposedLayout)):
        return permutation.size()
    if isinstance(permutation, tuple):
        size = 1
        for entry in permutation:
            size *= _size(entry)
        return size
    if not isinstance(permutation, int) or permutation < 1:
        raise LayoutError(
            f"make_tiled_mma: permutation {show(permutation)}: an int above 0, a layout or None is wanted"
        )
    return permutation
