"""Kernels for a named architecture, compiled by NVRTC and kept as files.

CuPy's RawKernel asks for the architecture of the device, sm_90, and that has no wgmma: the instruction
belongs to sm_90a. So NVRTC is called with the architecture in its options, and CuPy loads the binary. NVRTC
compiles one program at a time in a process, so that many programs go to many processes. Binaries are kept
below `$XDG_CACHE_HOME/symlayout` (`~/.cache/symlayout`) by the hash of what they were made from.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from multiprocessing import get_context
from pathlib import Path

from symlayout import UnsupportedError
from symlayout.children import deaf

from ..device import cupy

FEW = 4  # programs that are compiled sooner than processes are started
MOST = 16  # processes


def cubins(arch: str, texts: Iterable[str]) -> list[Path]:
    """The binary of each program text for an architecture, `sm_90a` say, compiled where it is not kept yet.

    Raises UnsupportedError with what NVRTC says.
    """
    version = ".".join(str(x) for x in cupy().cuda.nvrtc.getVersion())
    files = {_folder() / f"{_name(arch, version, text)}.cubin": text for text in texts}
    missing = {file: text for file, text in files.items() if not file.exists()}
    compiled = partial(cubin, arch)
    if len(missing) <= FEW:
        for file, text in missing.items():
            _keep(file, compiled(text))
    else:
        workers = min(len(os.sched_getaffinity(0)), len(missing) // FEW, MOST)
        with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
            with deaf():  # the processes are started while the texts are handed out
                binaries = pool.map(compiled, missing.values(), chunksize=FEW)
            for file, binary in zip(missing, binaries, strict=True):
                _keep(file, binary)
    return list(files)


def cubin(arch: str, text: str) -> bytes:
    """One program compiled."""
    nvrtc = cupy().cuda.nvrtc
    program = nvrtc.createProgram(text, "kernel.cu", (), ())
    try:
        nvrtc.compileProgram(program, (f"-arch={arch}", "-std=c++17"))
        return bytes(nvrtc.getCUBIN(program))
    except nvrtc.NVRTCError as error:
        log = nvrtc.getProgramLog(program).strip("\0\n")
        raise UnsupportedError(f"NVRTC does not compile this kernel for {arch}: {error}\n{log}") from None
    finally:
        nvrtc.destroyProgram(program)


def _name(arch: str, version: str, text: str) -> str:
    return hashlib.sha256("\n".join((arch, version, text)).encode()).hexdigest()[:32]


@cache
def _folder() -> Path:
    """Where binaries are kept; for the time of this process only, where the home directory takes none."""
    folder = Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "symlayout"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return Path(tempfile.mkdtemp(prefix="symlayout-"))
    return folder


def _keep(file: Path, binary: bytes) -> None:
    """Written whole or not at all: another process may read it."""
    with tempfile.NamedTemporaryFile(dir=file.parent, delete=False) as part:
        part.write(binary)
    os.replace(part.name, file)
