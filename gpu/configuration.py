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
    make_tiled_mma,
)

from .reading import read, read_tensor


@dataclass(frozen=True)
class Configuration:
    """Names and texts only, so that it can be recorded. `tensor` empty: one tile, K contiguous."""

    mma: str
    copy: str
    operand: str
    tensor: str = ""
    atoms: str = "1,1,1"
    permutation: str = ""

    def objects(self) -> tuple[TiledMMA, TiledCopy, str, Any]:
        """(mma, copy, operand, tensor). Raises NotationError, LayoutError or UnsupportedError, each saying
        what is wrong."""
        if self.operand not in ("A", "B"):
            raise NotationError(f"{self.operand!r} is no operand that is loaded: A or B")
        atoms = read(self.atoms)
        if isinstance(atoms, int):
            atoms = (atoms, 1, 1)
        permutation = read(self.permutation) if self.permutation else None
        mma = make_tiled_mma(self.mma, atoms, permutation)
        copy = (make_tiled_copy_A if self.operand == "A" else make_tiled_copy_B)(self.copy, mma)
        rows, k = mma.tile_shape(self.operand)
        tensor = read_tensor(self.tensor) if self.tensor else Layout((rows, k), (k, 1))
        if len(tensor.shape) != 2:
            raise LayoutError(f"the tensor {tensor} has rank {len(tensor.shape)}; an operand has 2")
        return mma, copy, self.operand, tensor

    def __str__(self) -> str:
        words = [self.mma, self.copy, self.operand, self.tensor or "one tile"]
        if self.atoms != "1,1,1":
            words.append(f"atoms {self.atoms}")
        if self.permutation:
            words.append(f"permutation {self.permutation}")
        return ", ".join(words)
