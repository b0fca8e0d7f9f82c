"""nvcc and the CUTLASS headers: where they are, and CUDA texts made into cubins, as many at a time as there
are processors."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from symlayout import UnsupportedError
from symlayout.errors import MissingPackage

LONGEST = 400  # seconds for one text; about 20 on an idle processor
OPTIONS = ("-std=c++17", "--expt-relaxed-constexpr", "-w")


@dataclass(frozen=True)
class Toolchain:
    """`cutlass` is the folder that holds cute/ and cutlass/; `arch` as nvcc writes it, sm_90a."""

    nvcc: Path
    cutlass: Path
    arch: str

    @cached_property
    def nvcc_version(self) -> str:
        try:
            done = subprocess.run([self.nvcc, "--version"], capture_output=True, text=True, check=True)
        except (OSError, subprocess.CalledProcessError) as error:
            raise MissingPackage(f"{self.nvcc} is not an nvcc that runs: {error}") from None
        found = re.search(r"V(\d+(\.\d+)+)", done.stdout)
        return found[1] if found else "unknown"

    @cached_property
    def cutlass_version(self) -> str:
        text = (self.cutlass / "cutlass" / "version.h").read_text(encoding="utf-8")
        return ".".join(re.findall(r"#define CUTLASS_(?:MAJOR|MINOR|PATCH) (\d+)", text))

    @property
    def about(self) -> dict[str, str]:
        return {"nvcc": self.nvcc_version, "cutlass": self.cutlass_version, "arch": self.arch}

    def command(self, text: Path, cubin: Path) -> list[str]:
        virtual = self.arch.replace("sm_", "compute_")
        target = f"-gencode=arch={virtual},code={self.arch}"
        return [str(self.nvcc), "-cubin", *OPTIONS, target, f"-I{self.cutlass}", "-o", str(cubin), str(text)]

    def compile(self, text: str, folder: Path) -> Path:
        """The cubin of a text, in `folder`; one that is there already is taken. Raises UnsupportedError with
        nvcc's first error."""
        made_of = "\n".join([text, *OPTIONS, *self.about.values()])
        name = hashlib.sha256(made_of.encode()).hexdigest()[:16]
        cubin, source, partial = (folder / f"{name}.{end}" for end in ("cubin", "cu", "partial"))
        if cubin.exists():
            return cubin
        source.write_text(text, encoding="utf-8")
        try:
            done = subprocess.run(
                self.command(source, partial), capture_output=True, text=True, check=False, timeout=LONGEST
            )
        except subprocess.TimeoutExpired:
            raise UnsupportedError(f"nvcc was stopped after {LONGEST} seconds on {source}") from None
        if done.returncode:
            raise UnsupportedError(f"nvcc refuses {source}\n  {_first_error(done.stdout + done.stderr)}")
        partial.replace(cubin)
        return cubin

    def compile_all(self, texts: Mapping[str, str], folder: Path) -> dict[str, Path | str]:
        """Each text's cubin, or what nvcc says against it."""
        self.about  # noqa: B018  once, and not in every thread at a time; raises where nvcc does not run
        folder.mkdir(parents=True, exist_ok=True)

        def one(text: str) -> Path | str:
            try:
                return self.compile(text, folder)
            except UnsupportedError as error:
                return str(error)

        with ThreadPoolExecutor(os.cpu_count()) as pool:
            return dict(zip(texts, pool.map(one, texts.values()), strict=True))


def _first_error(log: str) -> str:
    lines = [line.strip() for line in log.splitlines() if line.strip()]
    return next((line for line in lines if "error" in line), lines[-1] if lines else "it says nothing")


def toolchain(cutlass: Path | None, nvcc: Path | None, arch: str) -> Toolchain:
    """What was asked for, or what is found. Raises MissingPackage with what is missing."""
    return Toolchain(nvcc or _nvcc(), headers(cutlass), arch)


def headers(given: Path | None) -> Path:
    """The folder of the CUTLASS headers: given (or a checkout's root), or of the package nvidia-cutlass."""
    candidates = [given, given / "include"] if given else [_packaged()]
    for folder in candidates:
        if folder and all((folder / f).exists() for f in ("cute/tensor.hpp", "cutlass/version.h")):
            return folder
    if given:
        raise MissingPackage(f"{given} holds no cute/tensor.hpp and cutlass/version.h")
    raise MissingPackage(
        "no CUTLASS headers here: pip install --no-deps nvidia-cutlass==4.2.0.0,\n"
        "  or name their folder with --cutlass or CUTLASS_PATH"
    )


def _packaged() -> Path | None:
    spec = importlib.util.find_spec("cutlass_library")
    return Path(spec.origin).parent / "source" / "include" if spec and spec.origin else None


def _nvcc() -> Path:
    homes = [Path(os.environ[name]) for name in ("CUDA_HOME", "CUDA_PATH") if name in os.environ]
    homes += [Path("/usr/local/cuda"), *(p for f in sys.path for p in sorted(Path(f).glob("nvidia/cu*")))]
    on_path = shutil.which("nvcc")
    candidates = [*([Path(on_path)] if on_path else []), *(home / "bin" / "nvcc" for home in homes)]
    found = next((path for path in candidates if path.exists()), None)
    if found is None:
        raise MissingPackage("no nvcc here: install the CUDA toolkit, or name it with --nvcc")
    return found
