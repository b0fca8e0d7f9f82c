"""Bank conflicts, measured: single accesses to shared memory under Nsight Compute, held against
`symlayout.smem`.

The accesses are aimed at what could break the model: phases that merge or just fail to, lanes that stay
out, narrow accesses, the same address in odd places. Predictions come first, then one profiler run.
"""

from __future__ import annotations

import csv
import io
import random
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from symlayout.smem import Access

from .device import NoDevice, cupy, source

METRICS = {
    "wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{}.sum",
    "conflicts": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_{}.sum",
}


def _asm(text: str, outputs: str = "", inputs: str = "") -> str:
    """One asm statement; the address is the last operand."""
    return f'asm volatile("{text};" : {outputs} : {inputs + ", " if inputs else ""}"r"(a) : "memory");'


def _registers(letter: str, names: list[str], assign: str = "") -> str:
    return ", ".join(f'"{assign}{letter}"({name})' for name in names)


def _plain(width: str, letter: str, names: list[str]) -> dict[str, str]:
    """A load and a store of one width."""
    n = len(names)
    held = "{" + ", ".join(f"%{k}" for k in range(n)) + "}" if n > 1 else "%0"
    return {
        f"ld.shared.{width}": _asm(f"ld.shared.{width} {held}, [%{n}]", _registers(letter, names, "=")),
        f"st.shared.{width}": _asm(f"st.shared.{width} [%{n}], {held}", "", _registers(letter, names)),
    }


def _matrix(n: int, trans: bool) -> dict[str, str]:
    names, suffix = [f"r[{k}]" for k in range(n)], ".trans" if trans else ""
    held, form = ", ".join(f"%{k}" for k in range(n)), f"sync.aligned.m8n8.x{n}{suffix}.shared.b16"
    return {
        f"ldmatrix.x{n}{suffix}": _asm(f"ldmatrix.{form} {{{held}}}, [%{n}]", _registers("r", names, "=")),
        f"stmatrix.x{n}{suffix}": _asm(f"stmatrix.{form} [%{n}], {{{held}}}", "", _registers("r", names)),
    }


_WORDS = [f"r[{k}]" for k in range(4)]
ASM: dict[str, str] = {
    **_plain("u8", "h", ["h"]),
    **_plain("u16", "h", ["h"]),
    **_plain("u32", "r", _WORDS[:1]),
    **_plain("b64", "l", ["q[0]"]),
    **_plain("v2.u32", "r", _WORDS[:2]),
    **_plain("v4.u32", "r", _WORDS),
    **_plain("v2.b64", "l", ["q[0]", "q[1]"]),
    **_matrix(1, False),
    **_matrix(2, True),
    **_matrix(4, False),
}

ALL = 0xFFFFFFFF


class Probe(NamedTuple):
    """One access: byte offset by lane, and the lanes that take part."""

    instruction: str
    pattern: str
    offsets: tuple[int, ...]
    active: int = ALL

    @property
    def kind(self) -> str:
        return "ld" if self.instruction.startswith("ld") else "st"

    def predicted(self) -> tuple[int, int]:
        """(wavefronts, conflicts)."""
        access = Access(self.instruction)
        lanes: list[int | None] = [o if self.active >> k & 1 else None for k, o in enumerate(self.offsets)]
        return access.wavefronts(lanes), access.conflicts(lanes)


def probes(seed: int = 5) -> list[Probe]:
    """At least 300 accesses; the same list for the same seed."""
    rng = random.Random(seed)
    result = []
    for name in ASM:
        w = Access(name).bytes
        for pattern, offsets in _patterns(rng, w).items():
            result.append(Probe(name, pattern, tuple(o % 65536 for o in offsets)))
        if "matrix" not in name:  # these are .aligned: no lane may stay out
            for pattern, active in _activities(rng).items():
                base = rng.sample(range(1024), 32)
                result.append(Probe(name, f"{pattern}, random", tuple(b * w for b in base), active))
                result.append(
                    Probe(name, f"{pattern}, pairs", tuple(base[k // 2] * w for k in range(32)), active)
                )
    return result


def _patterns(rng: random.Random, w: int) -> dict[str, list[int]]:
    """Offsets by lane around the places where phases merge, words are shared, and banks wrap."""
    base = rng.sample(range(512), 32)
    pairs = [base[k // 2] * w for k in range(32)]  # l = l^1 everywhere
    crossed = [base[(k & ~3) // 2 + (k & 1)] * w for k in range(32)]  # l = l^2 everywhere
    fours = [base[k // 4] * w for k in range(32)]
    broken = {
        f"{name} but lane {lane}": [base[31] * w if k == lane else o for k, o in enumerate(offsets)]
        for name, offsets in (("pairs", pairs), ("crossed", crossed))
        for lane in (0, 15, 31)
    }
    half = [pairs[k] if k < 16 else crossed[k] for k in range(32)]
    near = [(base[k // 2] * 4 + k % 2) * w for k in range(32)]
    return {
        "pairs": pairs,
        "crossed": crossed,
        "fours": fours,
        "pairs in one half, crossed in the other": half,
        "neighbours in pairs": near,
        "l = l^4": [base[k & ~4] * w for k in range(32)],
        "l = l^16": [base[k % 16] * w for k in range(32)],
        "one address": [base[0] * w] * 32,
        "random": [b * w for b in base],
        "same bank": [k * 128 for k in range(32)],
        "same bank, pairs": [(k // 2) * 128 for k in range(32)],
        "stride 132": [k * (132 if w <= 4 else 128 + w) for k in range(32)],
        **broken,
    }


def _activities(rng: random.Random) -> dict[str, int]:
    return {
        "first half": 0x0000FFFF,
        "even lanes": 0x55555555,
        "one lane": 0x00000100,
        "lanes 0 to 7": 0x000000FF,
        "some lanes": rng.getrandbits(32) | 1,
    }


def launch(chosen: list[Probe]) -> None:
    """Every access once, in order, for the profiler that this process runs under."""
    cp = cupy()
    sink, memory = cp.zeros(32, cp.uint32), cp.zeros(1024, cp.uint8)
    kernels = {}
    for name in {p.instruction for p in chosen}:
        kernel = cp.RawKernel(source("banks", {"ACCESS": ASM[name]}), "banks", options=("-std=c++17",))
        kernel.max_dynamic_shared_size_bytes = 72 * 1024
        kernels[name] = kernel
    for p in chosen:
        offsets = cp.asarray(np.array(p.offsets, dtype=np.uint32))
        kernels[p.instruction](
            (1,), (32,), (offsets, np.uint32(p.active), memory, sink), shared_mem=72 * 1024
        )
    cp.cuda.Device().synchronize()


def measure(folder: Path) -> list[dict[str, Any]]:
    """All probes under one run of Nsight Compute: what was predicted and what was counted."""
    ncu = shutil.which("ncu")
    if ncu is None:
        raise NoDevice("no ncu here: Nsight Compute counts the wavefronts")
    metrics = ",".join(m.format(kind) for m in METRICS.values() for kind in ("ld", "st"))
    command = [ncu, "--clock-control", "none", "--kernel-name", "banks", "--metrics", metrics, "--csv"]
    command += [sys.executable, "-m", __package__, "banks", "--launch-only"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False)
    lines = done.stdout.splitlines()
    start = next((k for k, line in enumerate(lines) if line.startswith('"ID"')), None)
    if start is None:
        raise NoDevice(f"ncu counted nothing:\n{done.stdout[-500:]}{done.stderr[-500:]}")
    counted: dict[int, dict[str, int]] = {}
    for row in csv.DictReader(io.StringIO("\n".join(lines[start:]))):
        counted.setdefault(int(row["ID"]), {})[row["Metric Name"]] = round(
            float(row["Metric Value"].replace(",", ""))
        )
    chosen = probes()
    if len(counted) != len(chosen):
        raise NoDevice(f"ncu counted {len(counted)} launches of {len(chosen)}")
    result = []
    for p, (_, values) in zip(chosen, sorted(counted.items()), strict=True):
        seen = tuple(values[m.format(p.kind)] for m in METRICS.values())
        result.append({**p._asdict(), "predicted": p.predicted(), "measured": seen})
    return result


def differing(content: dict[str, Any]) -> list[str]:
    """Recorded accesses that today's model does not predict."""
    found = []
    for entry in content["accesses"]:
        p = Probe(entry["instruction"], entry["pattern"], tuple(entry["offsets"]), entry["active"])
        if list(p.predicted()) != list(entry["measured"]):
            seen = tuple(entry["measured"])
            found.append(f"{p.instruction}, {p.pattern}: predicted {p.predicted()}, measured {seen}")
    return found
