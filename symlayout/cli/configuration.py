"""The configuration of a retile, from the options of the command line: an MMA, a copy, an operand and a
tensor."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ..algebra import shape
from ..dim import is_symbolic
from ..errors import LayoutError, NotationError, UnsupportedError
from ..inttuple import show

if TYPE_CHECKING:
    from ..atoms.atom import CopyAtom
    from ..claim import Claim
    from ..delivery import Delivery
    from ..tiled_copy import TiledCopy
    from ..tiled_mma import TiledMMA

Command = TypeVar("Command", bound=Callable[..., Any])

MOST_THREADS = 1 << 10  # of a thread block
MOST_REGISTERS = 1 << 16  # values of one thread; hardware holds 255 words
MOST_POINTS = 1 << 21  # threads x values: what is decided in seconds
PLACES = {"gmem_ptr": "global memory", "rmem_ptr": "registers", "tmem_ptr": "tensor memory"}


class Letters(click.Choice[str]):
    """One of a few names, in either case; a wrong one is told the names as they are written."""

    def __init__(self, *names: str) -> None:
        super().__init__(names, case_sensitive=False)

    def get_invalid_choice_message(self, value: Any, ctx: click.Context | None) -> str:
        return f"{value!r} is not one of {', '.join(self.choices)}"


_OPTIONS = (
    click.option("--mma", required=True, metavar="ATOM", help="The MMA atom: SM80_16x8x16_F32F16F16F32_TN."),
    click.option(
        "--atoms",
        default="1,1,1",
        metavar="M,N,K",
        show_default=True,
        help="Atoms side by side in M, N, K: a shape, or a layout of them.",
    ),
    click.option(
        "--permutation",
        metavar="P",
        help="The MMA's tile in M,N,K, each an int, a layout or _ (one step of all atoms): "
        "16,(8,2,2):(1,16,8),16.",
    ),
    click.option(
        "--copy", "copy_atom", required=True, metavar="ATOM", help="The copy atom: SM75_U32x4_LDSM_N."
    ),
    click.option(
        "--type",
        "value_type",
        metavar="TYPE",
        help="What the copy moves: half_t, float, ... The default is the type of the MMA's operand.",
    ),
    click.option(
        "--operand",
        required=True,
        type=Letters("A", "B", "C"),
        metavar="A|B|C",
        help="Which operand is copied: A is (M,K), B (N,K), C (M,N).",
    ),
    click.option(
        "--tensor",
        metavar="LAYOUT",
        help="The operand's tensor, a layout or a bare shape: (32,32):(32,1). "
        "The default is one tile, K contiguous.",
    ),
    click.option(
        "--side",
        type=Letters("auto", "S", "D"),
        metavar="auto|S|D",
        default="auto",
        show_default=True,
        help="The side on which the copy has the registers: D for loads, S for stores; auto asks the atom.",
    ),
)


class CopyRefused(LayoutError):
    """CuTe makes no tiled copy of this atom and MMA; `figures` are the counts that do not fit."""

    def __init__(self, message: str, figures: dict[str, int]) -> None:
        super().__init__(message)
        self.figures = figures


def configuration_options(command: Command) -> Command:
    """The options above. The command gets them as keyword arguments, to hand on to `Request`."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def memory_options(command: Command) -> Command:
    """The same without the side of the registers, which the bank model takes from the atom."""
    for option in reversed(_OPTIONS[:-1]):
        command = option(command)
    return command


@dataclass(frozen=True)
class Request:
    """The options as they were written."""

    mma: str
    atoms: str
    permutation: str | None
    copy_atom: str
    value_type: str | None
    operand: str
    tensor: str | None
    side: str

    def tiled_mma(self) -> TiledMMA:
        """Raises UnsupportedError for an unknown atom, NotationError and LayoutError for what makes no
        MMA."""
        from ..tiled_mma import make_tiled_mma

        permutation = None if self.permutation is None else read_tiler("--permutation", self.permutation)
        mma = make_tiled_mma(self.mma, _atom_layout(self.atoms), permutation)
        threads = mma.thr_layout_vmnk.size()
        if threads > MOST_THREADS:
            raise LayoutError(
                f"--atoms {self.atoms} makes {threads} threads; a thread block has at most {MOST_THREADS}"
            )
        return mma

    def configuration(self, mma: TiledMMA, assumed: Callable[[Any], Any] | None = None) -> Configuration:
        """The tiled copy and the tensor for an MMA; `assumed` works facts into a tensor over parameters.

        Raises what `copied` raises, UnsupportedError for more values than can be checked, and LayoutError
        for a tensor that the MMA cannot be given.
        """
        result = self.copied(mma, assumed)
        if result.over_parameters:
            return result
        registers = result.fragment.size()
        points = registers * mma.thr_layout_vmnk.size()
        if registers > MOST_REGISTERS or points > MOST_POINTS:
            raise UnsupportedError(
                f"the tensor {self.tensor or show(result.tensor)} is too large to check\n"
                f"  {registers} values a thread, {points} in all; at most {MOST_REGISTERS} and {MOST_POINTS} "
                "are checked\n  give a smaller one: every tile is copied alike"
            )
        return result

    def copied(
        self, mma: TiledMMA, assumed: Callable[[Any], Any] | None = None, shared: bool = False
    ) -> Configuration:
        """The same, whatever its size, and for tensors of which there is no fragment: swizzled ones. `shared`
        says that the tensor is asked about as one of shared memory.

        Raises CopyRefused where CuTe makes no copy of these, UnsupportedError for an unknown atom,
        LayoutError for a permutation that the atoms do not fill, and for a pointer to where the copy does not
        go.
        """
        from .. import atoms as catalogue
        from ..atoms.value_types import value_bits
        from ..tiled_copy import make_tiled_copy_A, make_tiled_copy_B, make_tiled_copy_C
        from ..tiled_mma import axes, check_permutation

        mma.atom.check_registers(self.operand)
        check_permutation(mma, axes(self.operand))  # which we refuse, not CuTe
        atom = catalogue.copy(self.copy_atom)
        if (reason := atom.no_registers()) and atom.no_memory():
            raise UnsupportedError(f"{atom.name} is not a copy of an mma's registers: {reason}")
        tensor = mma.tile_shape(self.operand) if self.tensor is None else _tensor(self.tensor)
        make = {"A": make_tiled_copy_A, "B": make_tiled_copy_B, "C": make_tiled_copy_C}[self.operand]
        tensor = tensor if assumed is None else assumed(tensor)
        try:
            atom = atom.with_type(self.value_type) if self.value_type else atom
            copy = make(atom, mma)
        except LayoutError as error:
            raise CopyRefused(str(error), _figures(atom, mma, self.operand)) from None
        self._check_pointers(value_bits(copy.atom.val_type), copy.atom.val_type, shared)
        return Configuration(mma, copy, self.operand, tensor, self.register_side())

    def read_tensor(self) -> Any:
        """The tensor as it is written, 0 for none."""
        return 0 if self.tensor is None else _tensor(self.tensor)

    def units(self) -> list[str]:
        """In what the tensor's swizzle was read to count: elements, or bytes before a pointer."""
        from ..notation import parse_units

        if self.tensor is None:
            return []
        _, units = parse_units(self.tensor)
        return [str(u) for u in units if u.written.b]

    def _check_pointers(self, bits: int, name: str, shared: bool) -> None:
        """Raises LayoutError for a pointer to elements of another size than the copy moves, or to another
        memory than the copy goes to."""
        from ..notation import parse_units
        from ..smem import moves_matrices

        _, units = parse_units(self.tensor or "1")
        for pointer in [unit.pointer for unit in units if unit.pointer is not None]:
            if pointer.bits != bits:
                raise LayoutError(
                    f"--tensor: {pointer} points to elements of {pointer.bits} bits, and "
                    f"{self.copy_atom} moves {name} of {bits}\n  --type says what it moves"
                )
            if pointer.space in ("rmem_ptr", "tmem_ptr"):
                raise LayoutError(
                    f"--tensor: {pointer} points to {PLACES[pointer.space]}; --tensor is the side in memory, "
                    "shared or global"
                )
            if pointer.space != "smem_ptr" and (shared or moves_matrices(self.copy_atom)):
                asks = "only shared memory has banks" if shared else f"{self.copy_atom} goes to shared memory"
                raise LayoutError(f"--tensor: {pointer} points to {PLACES[pointer.space]}, and {asks}")

    def over_parameters(self) -> bool:
        """Whether the tensor is written with parameters."""
        return _over_parameters(self.read_tensor())

    def register_side(self) -> str:
        """S or D: as it was asked, or what the atom says. Raises UnsupportedError for an unknown atom."""
        from .. import atoms as catalogue

        return catalogue.copy(self.copy_atom).register_side if self.side == "auto" else self.side


def _figures(atom: CopyAtom, mma: TiledMMA, operand: str) -> dict[str, int]:
    """TiledNumThr, AtomNumThr, TiledNumVal and AtomNumVal of a copy that CuTe does not make; none if the
    instruction cannot move such values at all."""
    typed = replace(atom, val_type=atom.val_type or mma.atom.type(operand))
    try:
        tiled, ref = mma.layout_TV(operand), typed.layout_ref
    except LayoutError:
        return {}
    return {
        "TiledNumThr": tiled[0].size(),
        "AtomNumThr": ref[0].size(),
        "TiledNumVal": tiled[1].size(),
        "AtomNumVal": ref[1].size(),
    }


@dataclass(frozen=True)
class Configuration:
    """A copy made for an operand of an MMA, and the tensor that it copies."""

    mma: TiledMMA
    copy: TiledCopy
    operand: str
    tensor: Any
    side: str

    @property
    def retile(self) -> str:
        """`retile_D` or `retile_S`."""
        return f"retile_{self.side}"

    @property
    def over_parameters(self) -> bool:
        """Whether the tensor's sizes or strides are parameters."""
        return _over_parameters(self.tensor)

    @property
    def memory(self) -> Any:
        """The tensor as a layout in memory."""
        from ..tiled_mma import as_tensor

        return as_tensor(self.operand, self.tensor)

    @property
    def fragment_name(self) -> str:
        """`tCrA`, as CuTe's examples call the fragment."""
        return f"tCr{self.operand}"

    @property
    def view_name(self) -> str:
        """`tXrA`, as CuTe's examples call the view."""
        return f"tXr{self.operand}"

    @property
    def fragment(self) -> Any:
        """One thread's registers for the tensor."""
        return self.mma.fragment(self.operand, self.tensor)

    @property
    def view(self) -> Any:
        """CuTe's view of them, right or wrong. Raises LayoutError where CuTe refuses to make one."""
        return self.copy.retile(self.fragment)

    def delivery(self, view: Any) -> Delivery:
        """Who delivers what to which register, under a view of the fragment."""
        return replace(self.copy.delivery(self.mma, self.operand, self.tensor, side=self.side), view=view)

    def claim(self, view: Any) -> Claim:
        """That the view is right, for all threads and values."""
        return self.copy.retile_correct(self.mma, self.operand, self.tensor, side=self.side, view=view)

    def outside(self) -> list[str]:
        """A note where the tensor is not made of whole tiles."""
        from ..algebra import product_each
        from ..tiled_mma import as_tensor

        sizes = product_each(as_tensor(self.operand, self.tensor).shape)
        tile = product_each(self.mma.tile_shape(self.operand))
        over = [f"{n} % {t} = {n % t}" for n, t in zip(sizes, tile, strict=False) if n % t]
        if not over:
            return []
        return [
            f"the tensor {show(sizes)} is not a multiple of the tile {show(tile)}: {', '.join(over)}\n"
            "  the verdict includes points outside the tensor, which the kernel has to predicate"
        ]

    def data(self) -> dict[str, Any]:
        """The configuration for JSON."""
        from ..tiled_mma import as_tensor

        return {
            "mma": self.mma.atom.name,
            "atom_layout": str(self.mma.atom_layout),
            "permutation": [None if p is None else show(p) for p in self.mma.permutation],
            "tile_mnk": list(self.mma.tile_size_mnk),
            "copy": self.copy.atom.name,
            "value_type": self.copy.atom.val_type,
            "operand": self.operand,
            "tensor": str(as_tensor(self.operand, self.tensor)),
            "side": self.side,
        }

    def text(self) -> str:
        """The configuration in one or two lines."""
        d = self.data()
        m, n, k = self.mma.tile_size_mnk
        shape = {"A": "(M,K)", "B": "(N,K)", "C": "(M,N)"}[self.operand]
        return (
            f"{d['mma']}, {self.mma.thr_layout_vmnk.size()} threads, tile {m}x{n}x{k}\n"
            f"{d['copy']} of {d['value_type']}, {self.operand} {shape} = {d['tensor']}"
        )


def read_tiler(option: str, text: str) -> Any:
    """The tiler that is the value of an option. Raises NotationError, which names the option."""
    from ..notation import parse_tiler

    return _named(option, text, lambda: parse_tiler(text))


def _over_parameters(tensor: Any) -> bool:
    inside = getattr(tensor, "layout", tensor)  # of a swizzled one
    return is_symbolic((shape(inside), getattr(inside, "stride", 0)))


def _atom_layout(text: str) -> Any:
    from ..layout import Layout
    from ..notation import parse, parse_shape

    value = _named("--atoms", text, lambda: parse(text))
    return value if isinstance(value, Layout) else _named("--atoms", text, lambda: parse_shape(text))


def _tensor(text: str) -> Any:
    from ..layout import Layout
    from ..notation import parse, parse_shape
    from ..swizzle import ComposedLayout

    value = _named("--tensor", text, lambda: parse(text))
    return (
        value
        if isinstance(value, (Layout, ComposedLayout))
        else _named("--tensor", text, lambda: parse_shape(text))
    )


def _named(option: str, text: str, read: Callable[[], Any]) -> Any:
    """What `read` gives; a notation error says in which option it stands."""
    try:
        return read()
    except NotationError as error:
        raise NotationError(f"{option}: {error}", error.text or text, error.column) from None
