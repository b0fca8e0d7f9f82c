"""The words of a configuration, as `symlayout prove retile` takes them, turned into the objects that they
name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from symlayout import (
    Layout,
    LayoutError,
    NotationError,
    TiledCopy,
    TiledMMA,
    make_tiled_copy_A,
    make_tiled_copy_B,
    make_tiled_copy_C,
    make_tiled_mma,
)
from symlayout import atoms as catalogue

from .reading import read, read_tensor

MAKE = {"A": make_tiled_copy_A, "B": make_tiled_copy_B, "C": make_tiled_copy_C}


@dataclass(frozen=True)
class Configuration:
    """Names and texts only, so that it can be recorded. `tensor` empty: one tile, K contiguous."""

    mma: str
    copy: str
    operand: str
    tensor: str = ""
    atoms: str = "1,1,1"
    permutation: str = ""
    type: str = ""
    side: str = "auto"

    def objects(self) -> tuple[TiledMMA, TiledCopy, str, Any, str]:
        """(mma, copy, operand, tensor, side of the registers). Raises NotationError, LayoutError or
        UnsupportedError, each saying what is wrong."""
        if self.operand not in MAKE:
            raise NotationError(f"{self.operand!r} is not an operand: A, B or C")
        if self.side not in ("auto", "S", "D"):
            raise NotationError(f"{self.side!r} is not a side of a copy: S, D or auto")
        atoms = read(self.atoms)
        if isinstance(atoms, int):
            atoms = (atoms, 1, 1)
        permutation = read(self.permutation) if self.permutation else None
        mma = make_tiled_mma(self.mma, atoms, permutation)
        atom = catalogue.copy(self.copy)
        copy = MAKE[self.operand](atom.with_type(self.type) if self.type else atom, mma)
        rows, k = mma.tile_shape(self.operand)
        tensor = read_tensor(self.tensor) if self.tensor else Layout((rows, k), (k, 1))
        if len(tensor.shape) != 2:
            raise LayoutError(f"the tensor {tensor} has rank {len(tensor.shape)}; an operand has 2")
        return mma, copy, self.operand, tensor, copy.register_side if self.side == "auto" else self.side

    def __str__(self) -> str:
        words = [self.mma, self.copy, self.operand, self.tensor or "one tile"]
        if self.atoms != "1,1,1":
            words.append(f"atoms {self.atoms}")
        if self.permutation:
            words.append(f"permutation {self.permutation}")
        words += [f"of {self.type}"] if self.type else []
        words += [f"side {self.side}"] if self.side != "auto" else []
        return ", ".join(words)
