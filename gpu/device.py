"""The GPU backend: the kernels of `kernels/`, compiled by NVRTC through CuPy and launched on the current
device."""

from __future__ import annotations

import hashlib
import re
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from symlayout.errors import MissingPackage

from .backend import UNTOUCHED, Chain
from .element import Array
from .plan import SHARED_BYTES, CopyPlan, LoadPlan
from .store_plan import StorePlan

KERNELS = Path(__file__).parent / "kernels"

WITHOUT_ONE = (
    "  all but `gpu banks`, `gpu cute` and `gpu equal --bench` go the same way with --backend emulator"
)


class NoDevice(MissingPackage):
    """There is no CuPy, or no GPU that it can use."""


def cupy() -> Any:
    """CuPy with a usable device. Raises NoDevice with what is missing."""
    try:
        import cupy
    except ImportError:
        raise NoDevice(
            f"no CuPy here: pip install 'symlayout[gpu]' where there is a GPU\n{WITHOUT_ONE}"
        ) from None
    try:
        cupy.cuda.runtime.getDeviceCount()
    except cupy.cuda.runtime.CUDARuntimeError as error:
        raise NoDevice(f"no GPU here ({error})\n{WITHOUT_ONE}") from None
    return cupy


@cache
def about() -> dict[str, str]:
    """What an observation rests on: device, compute capability, driver, CUDA."""
    cp = cupy()
    properties = cp.cuda.runtime.getDeviceProperties(cp.cuda.Device().id)
    version = cp.cuda.runtime.runtimeGetVersion()
    return {
        "device": properties["name"].decode(),
        "compute_capability": f"{properties['major']}.{properties['minor']}",
        "driver": _driver(),
        "cuda": f"{version // 1000}.{version % 1000 // 10}",
        "cupy": cp.__version__,
    }


def device_name() -> str:
    """`NVIDIA H200 (sm_90)`."""
    return f"{about()['device']} (sm_{about()['compute_capability'].replace('.', '')})"


def _driver() -> str:
    version = Path("/proc/driver/nvidia/version")
    found = re.search(r"\d+(\.\d+)+", version.read_text()) if version.exists() else None
    return found[0] if found else "unknown"


def source(name: str, defines: dict[str, str]) -> str:
    """A kernel file with what is filled in in front of it."""
    lines = [f"#define {key} {value}" for key, value in defines.items()]
    return "\n".join([*lines, (KERNELS / f"{name}.cu").read_text(encoding="utf-8")])


def kernel_hash(name: str) -> str:
    """The hash under which observations of a kernel file are recorded."""
    return hashlib.sha256((KERNELS / f"{name}.cu").read_bytes()).hexdigest()[:16]


@cache
def compiled(name: str, text: str) -> Any:
    """The kernel of that name in a text, with all of the shared memory that a block may ask for."""
    kernel = cupy().RawKernel(text, name, options=("-std=c++17",))
    kernel.max_dynamic_shared_size_bytes = SHARED_BYTES
    return kernel


def _sent(a: Array, dtype: Any) -> Any:
    """An array on the device, row by row: CuPy keeps the memory order of a transposed one, and a kernel
    would misread it."""
    return cupy().asarray(np.ascontiguousarray(a, dtype=dtype))


class Device:
    """The CuPy backend."""

    hardware = True

    def __init__(self) -> None:
        self.name = device_name()

    def registers(self, plan: LoadPlan, image: Array) -> Array:
        cp = cupy()
        kernel = compiled("load", source("load", move_defines(plan)))
        registers = cp.full((plan.threads, plan.slots), UNTOUCHED, dtype=cp.uint64)
        kernel(
            (1,),
            (plan.threads,),
            (
                _sent(image, np.uint8),
                np.int32(image.size),
                _sent(plan.address * plan.element.bits // 8, np.uint32),
                _sent(plan.slot, np.int32),
                np.int32(plan.steps),
                np.int32(plan.values),
                np.int32(plan.slots),
                registers,
            ),
            shared_mem=(image.size + 1023) // 1024 * 1024,
        )
        return np.array(registers.get())

    def stored(self, plan: StorePlan, registers: Array, image: Array) -> Array:
        cp = cupy()
        kernel = compiled("store", source("store", move_defines(plan)))
        held = cp.asarray(np.ascontiguousarray(image, dtype=np.uint8))
        kernel(
            (1,),
            (plan.threads,),
            (
                _sent(registers, np.uint64),
                _sent(plan.address * plan.element.bits // 8, np.uint32),
                _sent(plan.slot, np.int32),
                np.int32(plan.steps),
                np.int32(plan.values),
                np.int32(registers.shape[1]),
                held,
                np.int32(image.size),
            ),
            shared_mem=(image.size + 1023) // 1024 * 1024,
        )
        return np.array(held.get())

    def accumulators(self, chain: Chain, a: Array, b: Array, c: Array) -> Array:
        ms, ns, ks = chain.counts
        kernel = compiled("chain", source("chain", chain_defines(chain)))
        d = _sent(c, np.uint64).copy()
        kernel(
            (1,),
            (a.shape[0],),
            (
                *(_sent(x, np.uint64) for x in (a, b)),
                *(_sent(chain.slots(which), np.int32) for which in (0, 1)),
                *(np.int32(x) for x in (a.shape[1], b.shape[1], ms, ns, ks)),
                d,
            ),
        )
        return np.array(d.get())


def move_defines(plan: CopyPlan) -> dict[str, str]:
    """What `load.cu` and `store.cu` want filled in."""
    what, bits = plan.instruction, plan.element.bits
    defines = {"BITS": str(bits), "MATRICES": str(what.matrices)}
    if what.matrices:
        trans = ".trans" if what.trans else ""
        text = f"{what.name}.sync.aligned.m8n8.x{what.matrices}{trans}.shared.b16"
        defines[what.name.upper()] = f'"{text}"'
    return defines


def chain_defines(chain: Chain) -> dict[str, str]:
    """What `chain.cu` wants filled in for an instruction: its text, register counts and operand lists."""
    atom = chain.mma.atom
    letters = {"float": "f", "double": "d"}
    c_type, c_count = atom.registers_C
    counts = (c_count, atom.registers_A[1], atom.registers_B[1])
    operand = letters.get(atom.registers_A[0], "r")
    c_letter = letters.get(c_type, "r")
    first = 0
    lists = []
    for count in counts:
        lists.append('"' + ", ".join(f"%{first + i}" for i in range(count)) + '"')
        first += count

    def operands(letter: str, name: str, count: int) -> str:
        return ", ".join(f'"{letter}"({name}[{i}])' for i in range(count))

    return {
        "MMA": f'"{chain.mnemonic}"',
        "BITS": str(chain.width),
        "REG": "double" if operand == "d" else "unsigned",
        "ACC": {"f": "float", "d": "double", "r": "unsigned"}[c_letter],
        "C_REGS": str(counts[0]),
        "A_REGS": str(counts[1]),
        "B_REGS": str(counts[2]),
        "C_LIST": lists[0],
        "A_LIST": lists[1],
        "B_LIST": lists[2],
        "C_OPERANDS": operands("+" + c_letter, "c", counts[0]),
        "A_OPERANDS": operands(operand, "x", counts[1]),
        "B_OPERANDS": operands(operand, "y", counts[2]),
    }
