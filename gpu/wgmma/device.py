"""wgmma on the GPU: its instruction text, and the kernels of `wgmma.cu` launched."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from symlayout.atoms.atom import MmaAtom

from ..device import NoDevice, about, cupy, source
from ..element import Array
from .compile import cubins
from .operands import LEADING, ROW, STRIDE, THREADS

ARCH = "sm_90a"


class WgmmaDevice:
    """The current GPU. `asked` are the atoms that will be asked for: all are compiled at once."""

    hardware = True

    def __init__(self, asked: Sequence[MmaAtom]) -> None:
        has = about()["compute_capability"]
        if has != "9.0":
            raise NoDevice(
                f"wgmma is an instruction of compute capability 9.0; {about()['device']} has {has}"
            )
        self.name = f"{about()['device']} ({ARCH})"
        texts = {atom.ptx: source("wgmma", defines(atom)) for atom in asked}
        self._files = dict(zip(texts, cubins(ARCH, texts.values()), strict=True))

    def from_memory(self, atom: MmaAtom, a: Array, b: Array, d: Array) -> Array:
        return self._launch("from_memory", atom, a, b, d)

    def from_registers(self, atom: MmaAtom, a: Array, b: Array, d: Array) -> Array:
        return self._launch("from_registers", atom, a, b, d)

    def _launch(self, kernel: str, atom: MmaAtom, a: Array, b: Array, d: Array) -> Array:
        cp = cupy()
        module = cp.RawModule(path=str(self._files[atom.ptx]))
        sent = [cp.asarray(np.ascontiguousarray(x, dtype=np.uint32)) for x in (a, b, d)]
        module.get_function(kernel)((d.shape[0],), (THREADS,), tuple(sent))
        return np.array(sent[2].get())


def defines(atom: MmaAtom) -> dict[str, str]:
    """What `wgmma.cu` wants filled in for an instruction.

    The operands are D, A, B's descriptor, the predicate of adding, and then for floating point the signs of A
    and B, and for 16-bit types whether A, where it is in memory, and B are transposed. Source: PTX ISA 9,
    wgmma.mma_async (9.7.15.5.2).
    """
    count = atom.registers_C[1]
    d = _list(range(count))
    signs = "" if atom.type_C == "int32_t" else ", 1, 1"
    turn = ", 0" if atom.bits_A == 16 else ""
    letter = "f" if atom.registers_C[0] == "float" else "r"
    in_memory = f"{d}, %{count}, %{count + 1}, add{signs}{turn}{turn}"
    in_registers = f"{d}, {_list(range(count, count + 4))}, %{count + 4}, add{signs}{turn}"
    return {
        "FROM_MEMORY": _instruction(atom, in_memory),
        "FROM_REGISTERS": _instruction(atom, in_registers),
        "B_WORDS": str(atom.shape_mnk[1] * ROW // 4),
        "LEADING": str(LEADING),
        "STRIDE": str(STRIDE),
        "C_REGS": str(count),
        "ACC": "float" if letter == "f" else "unsigned",
        "C_OPERANDS": ", ".join(f'"+{letter}"(c[{i}])' for i in range(count)),
    }


def _list(numbers: Any) -> str:
    return "{" + ", ".join(f"%{i}" for i in numbers) + "}"


def _instruction(atom: MmaAtom, operands: str) -> str:
    return f'"{atom.ptx} {operands};\\n"'
