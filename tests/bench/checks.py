"""Proving, process start included: theorems, and one retile against the same check in CuTe C++."""

import importlib.util
import os
import shutil
import statistics
import sys
import tempfile
from pathlib import Path

from .figure import Figure, duration, wall

ROUNDS = 5
COMPILE_ROUNDS = 3
ARTICLE_MOST = 2.0  # seconds

ROOT = Path(__file__).parent.parent.parent
SYMLAYOUT = str(Path(sys.executable).parent / "symlayout")
RETILE = [
    *("prove", "retile", "--mma", "SM80_16x8x16_F32F16F16F32_TN", "--copy", "SM75_U32x4_LDSM_N"),
    *("--operand", "B", "--permutation", "16,8,32", "--tensor", "(32,32):(32,1)"),
]


def cute_headers() -> Path | None:
    """Return the include folder that the package nvidia-cutlass brings."""
    spec = importlib.util.find_spec("cutlass_library")
    if spec is None or spec.origin is None:
        return None
    folder = Path(spec.origin).parent / "source" / "include"
    return folder if (folder / "cute" / "tensor.hpp").exists() else None


def cuda_headers() -> Path | None:
    """Return CUDA's include folder: $CUDA_HOME, the packages nvidia-cuda-*, or the usual place."""
    folders = [Path(os.environ["CUDA_HOME"]) / "include"] if "CUDA_HOME" in os.environ else []
    for folder in sys.path:
        folders += sorted(Path(folder).glob("nvidia/cu*/include"))
    folders.append(Path("/usr/local/cuda/include"))
    return next((folder for folder in folders if (folder / "cuda_runtime.h").exists()), None)


ARTICLE = ("operand_a", "operand_b", "gather", "ldmatrix", "direct_divide", "silent_failure", "configuration")


def theorems(name: str, paths: list[Path], most: float | None) -> Figure:
    command = [SYMLAYOUT, "prove", *map(str, paths)]
    wall(command)
    took = statistics.median(wall(command) for _ in range(ROUNDS))
    if most is None:
        return Figure(name, duration(took))
    return Figure(name, duration(took), target=f"< {duration(most)}", met=took < most)


def retile() -> Figure:
    name = "retile of the gather, against compiling and running it in CuTe C++"
    prove = [SYMLAYOUT, *RETILE]
    wall(prove)
    ours = statistics.median(wall(prove) for _ in range(ROUNDS))
    cute, cuda = cute_headers(), cuda_headers()
    missing = [
        what
        for what, found in (("g++", shutil.which("g++")), ("nvidia-cutlass", cute), ("CUDA headers", cuda))
        if not found
    ]
    if missing:
        return Figure(name, duration(ours), f"not measured: no {', no '.join(missing)}")
    with tempfile.TemporaryDirectory() as folder:
        program = str(Path(folder) / "retile")
        source = str(Path(__file__).with_name("retile.cpp"))
        build = ["g++", "-std=c++17", "-x", "c++", "-O0", "-w", f"-I{cute}", f"-I{cuda}", f"-I{cuda}/cccl"]
        build += [source, "-o", program]
        theirs = statistics.median(wall(build) + wall([program]) for _ in range(COMPILE_ROUNDS))
    return Figure(name, duration(ours), duration(theirs), theirs / ours)


def figures() -> list[Figure]:
    article = [ROOT / "proofs" / f"{name}.py" for name in ARTICLE]
    return [
        theorems("the article's theorems, process start included", article, ARTICLE_MOST),
        theorems("all of proofs/, process start included", [ROOT / "proofs"], None),
        retile(),
    ]
