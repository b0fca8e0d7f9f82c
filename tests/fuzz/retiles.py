"""Random configurations of retile, and the truth about each from tv_model.py. No import of symlayout.

Atoms are the headers' own, as tests/golden records them. Tiles are powers of two, so that every composition
in CuTe is exact; what is wrong with a retile is then the order of registers, of which CuTe says nothing.
"""

from __future__ import annotations

import ast
import json
import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from math import prod
from pathlib import Path
from typing import Any

from .case import Case, Error, fault
from .tv_model import AXES, Answer, Atom, Leaves, Mma, Retile, answer, flat, read, size_of, table

GOLDEN = Path(__file__).parent.parent / "golden"
MMAS = (
    *("SM80_16x8x16_F32F16F16F32_TN",) * 5,
    *("SM80_16x8x8_F32F16F16F32_TN", "SM80_16x8x16_F32BF16BF16F32_TN", "SM75_16x8x8_F32F16F16F32_TN"),
    *("SM80_16x8x32_S32S8S8S32_TN", "SM80_16x8x8_F32TF32TF32F32_TN", "SM80_16x8x4_F32TF32TF32F32_TN"),
    *("SM80_8x8x4_F64F64F64F64_TN", "SM89_16x8x32_F32E4M3E4M3F32_TN", "SM80_16x8x16_F16F16F16F16_TN"),
    *("SM70_8x8x4_F32F16F16F32_TN", "SM70_8x8x4_F32F16F16F32_NT", "SM70_8x8x4_F16F16F16F16_TT"),
    *("SM75_8x8x16_S32S8S8S32_TN", "SM90_16x8x4_F64F64F64F64_TN", "SM80_8x8x16_S32S8S8S32_TN"),
)
BITS = {
    **{"half_t": 16, "bfloat16_t": 16, "float": 32, "tfloat32_t": 32, "double": 64, "int8_t": 8},
    **{"float_e4m3_t": 8, "float_e5m2_t": 8, "int32_t": 32, "uint16_t": 16, "uint8_t": 8},
}
SPELLED = {"signed char": "int8_t", "int": "int32_t", "unsigned char": "uint8_t"}
LDSM = ("SM75_U32x1_LDSM_N", "SM75_U32x2_LDSM_N", "SM75_U32x4_LDSM_N")
LDSM_T = ("SM75_U16x2_LDSM_T", "SM75_U16x4_LDSM_T", "SM75_U16x8_LDSM_T")
STSM = ("SM90_U32x1_STSM_N", "SM90_U32x2_STSM_N", "SM90_U32x4_STSM_N")
STSM_T = ("SM90_U16x2_STSM_T", "SM90_U16x4_STSM_T", "SM90_U16x8_STSM_T")
WIDTHS = {"uint8_t": 8, "uint16_t": 16, "uint32_t": 32, "uint64_t": 64, "uint128_t": 128}
ATOMS = (
    (1, 1, 1),
    (1, 1, 1),
    (1, 1, 1),
    (2, 1, 1),
    (1, 2, 1),
    (2, 2, 1),
    (4, 1, 1),
    (1, 1, 2),
    (2, 1, 2),
    (1, 2, 2),
)
THREADS, VALUES = 128, 64


@cache
def recorded(name: str) -> dict[str, dict[str, Any]]:
    return {r["name"]: r for r in map(json.loads, (GOLDEN / name).read_text().splitlines())}


@cache
def instruction(name: str) -> tuple[Leaves, dict[str, tuple[Leaves, Leaves]], tuple[int, int, int]]:
    """Thread ids, the three layouts and the shape of a recorded MMA."""
    found = recorded("atoms_mma.jsonl")[name]
    layouts = {x: (read(found[x + "Layout"])[0], read(found[x + "Layout"])[1]) for x in "ABC"}
    m, n, k = ast.literal_eval(found["Shape_MNK"])
    return flat(found["ThrID"]), layouts, (m, n, k)


def value_type(name: str, operand: str) -> str:
    found = str(recorded("atoms_mma.jsonl")[name]["ValType" + operand])
    return SPELLED.get(found, found)


@dataclass(frozen=True)
class Configuration:
    mma: str
    atoms: tuple[tuple[int, int, int], tuple[int, int, int]]
    permutation: tuple[Leaves | None, Leaves | None, Leaves | None]
    operand: str
    copy: str
    type: str
    tensor: tuple[Leaves, Leaves]
    side: str

    def model(self) -> Retile | None:
        """None where CuTe refuses the copy: values that are not whole bits of the atom, or too few."""
        thr_id, layouts, shape = instruction(self.mma)
        number = [((s, d),) for s, d in zip(*self.atoms, strict=True)]
        mma = Mma(thr_id, layouts, shape, (number[0], number[1], number[2]), self.permutation)
        found = recorded("atoms_copy.jsonl")[self.copy]
        sides = [read(found[x + "Layout"]) for x in ("Src", "Dst", "Ref")]
        bits = BITS[self.type]
        for threads, held in sides:
            steps = table(held)
            starts = range(0, len(steps), bits)
            if len(steps) % bits or any(x % bits for x in (*steps[::bits], *table(threads))):
                return None
            if any(steps[k + j] != steps[k] + j for k in starts for j in range(bits)):
                return None
        src, dst, ref = ((s[0], s[1]) for s in sides)
        asked = Retile(mma, Atom(src, dst, ref, bits), self.operand, self.tensor, self.side)
        few = len(asked.of_tile[0]) % (size_of(ref[1]) // bits) or len(mma.logical) % size_of(ref[0])
        return None if few else asked

    def copy_text(self) -> tuple[str, str]:
        """The mma (named m) inside the copy, and the rest of the arguments."""
        given = ", ".join("None" if p is None else layout_text(p) for p in self.permutation)
        mma = f'make_tiled_mma("{self.mma}", Layout({self.atoms[0]}, {self.atoms[1]}), ({given}))'
        atom = f'atoms.copy("{self.copy}").with_type("{self.type}")'
        tensor = f"Layout({self.tensor_of(0)}, {self.tensor_of(1)})"
        return f"make_tiled_copy_{self.operand}({atom}, m := {mma})", f'm, "{self.operand}", {tensor}'

    def tensor_of(self, which: int) -> str:
        def mode(modes: Leaves) -> str:
            found = [str(x[which]) for x in modes]
            return found[0] if len(found) == 1 else f"({', '.join(found)})"

        return f"({', '.join(map(mode, self.tensor))})"


def layout_text(modes: Leaves) -> str:
    if len(modes) == 1 and modes[0][1] == 1:
        return str(modes[0][0])
    sizes, steps = zip(*modes, strict=True)
    return f"Layout({sizes}, {steps})" if len(modes) > 1 else f"Layout({sizes[0]}, {steps[0]})"


def configuration(rng: random.Random) -> Configuration:
    while True:
        found = _configuration(rng)
        if found is not None:
            return found


def _configuration(rng: random.Random) -> Configuration | None:
    name, operand = rng.choice(MMAS), rng.choice("AABBBC")
    thr_id, layouts, shape = instruction(name)
    counts = rng.choice(ATOMS)
    if size_of(thr_id) * prod(counts) > THREADS or (operand == "C" and counts[2] > 1):
        return None  # C over atoms along K is handed out beyond its tile, which is a matter of its own
    order = rng.choice(((0, 1, 2), (0, 1, 2), (1, 0, 2), (2, 1, 0)))
    steps, below = [0, 0, 0], 1
    for axis in order:
        steps[axis], below = below, below * counts[axis]
    i, j = AXES[operand]
    permutation: list[Leaves | None] = [None, None, None]
    extents, values = [0, 0], size_of(layouts[operand][1])
    shuffled = rng.choice((i, j, -1))  # the mode whose steps are out of order
    for mode, axis in enumerate((i, j)):
        step = shape[axis] * counts[axis]
        wide = rng.choice((4, 8) if axis == shuffled else (1, 1, 2, 2, 4))
        permutation[axis] = permuted(rng, shape[axis], step, wide, axis == shuffled)
        tile = step if permutation[axis] is None else size_of(permutation[axis] or ())
        repeat = rng.choice((1, 1, 2))
        extents[mode] = tile * repeat
        values *= tile // step * repeat
    if values > VALUES:
        return None
    kind = rng.choice(("LDSM", "LDSM", "LDSM_T", "STSM", "STSM_T", "wide", "wide", "wide"))
    if operand == "C" and kind.startswith("LDSM"):
        kind = "STSM"
    own = value_type(name, operand)
    typed = own if rng.random() < 0.9 else rng.choice(("half_t", "float", "int8_t"))
    copies = {"LDSM": LDSM, "LDSM_T": LDSM_T, "STSM": STSM, "STSM_T": STSM_T}
    width = [f"UniversalCopy<{w}>" for w, bits in WIDTHS.items() if bits >= BITS[typed]]
    copy = rng.choice(copies.get(kind) or width)
    side = "S" if kind.startswith("STSM") else "D" if kind.startswith("LDSM") else rng.choice("DDS")
    if rng.random() < 0.03:
        side = "D" if side == "S" else "S"
    return Configuration(
        name,
        (counts, (steps[0], steps[1], steps[2])),
        (permutation[0], permutation[1], permutation[2]),
        operand,
        copy,
        typed,
        memory(rng, extents[0], extents[1]),
        side,
    )


def permuted(rng: random.Random, atom: int, step: int, wide: int, shuffled: bool) -> Leaves | None:
    """A bijective permutation of `step * wide` positions: none, a number, any order of any powers of two, or
    (always if `shuffled`) whole steps of the atom, or of all atoms, in another order."""
    way = rng.choice(("atom", "step")) if shuffled else rng.choice(("none", "int", "atom", "any"))
    if way == "none":
        return None
    if way == "int" or step * wide == 1:
        return ((step * wide, 1),)
    sizes = [x for x in ({"atom": atom, "step": step}.get(way, 1),) if x > 1]
    kept, rest = len(sizes), step * wide // prod(sizes)
    while rest > 1:
        s = rng.choice([x for x in (2, 2, 4, 8) if rest % x == 0 and (x < rest or not shuffled)] or [rest])
        sizes.append(s)
        rest //= s
    tail = rng.sample(range(kept, len(sizes)), len(sizes) - kept)
    if shuffled and tail == sorted(tail):
        tail.reverse()
    strides, below = [0] * len(sizes), 1
    for k in (*range(kept), *tail):
        strides[k], below = below, below * sizes[k]
    return tuple(zip(sizes, strides, strict=True))


def memory(rng: random.Random, rows: int, columns: int) -> tuple[Leaves, Leaves]:
    """Row- or column-major, padded, or with a mode in two pieces (panels)."""
    pad = rng.choice((0, 0, 0, 8, 16))
    way = rng.choice(("row", "row", "row", "column", "panel"))
    if way == "panel" and columns % 16 == 0:
        return ((rows, 8),), ((8, 1), (columns // 8, 8 * rows))
    if way == "column":
        return ((rows, 1),), ((columns, rows + pad),)
    return ((rows, columns + pad),), ((columns, 1),)


def retile(seed: int) -> Case:
    """The configuration with that number, asked in one of four ways."""
    rng = random.Random(seed)
    asked = configuration(rng)
    copy, arguments = asked.copy_text()
    claim = f'{copy}.retile_correct({arguments}, side="{asked.side}")'
    way = rng.choices(("computed", "engines", "z3", "fault"), (14, 2, 1, 5))[0]
    if way == "fault":
        line = f'{copy}.delivery({arguments}, side="{asked.side}").fault'
        return Case("retile fault", line, _judge(asked, _fault))
    limits = {"computed": ', engine="fast"', "engines": ', engine="fast", confirm_up_to=0', "z3": ""}
    return Case("retile", f"prove({claim}{limits[way]})", _judge(asked, _verdict))


def _judge(asked: Configuration, of: Callable[[Any, Answer], str]) -> Callable[[Any], str]:
    def judge(got: Any) -> str:
        if fault(got):
            return fault(got)
        model = asked.model()
        if model is None:
            return "" if isinstance(got, Error) else f"{got!r}, but CuTe refuses such a copy"
        if len(model.delivered()[0]) != len(model.view()):  # the side that is not the registers'
            proved = not isinstance(got, Error) and getattr(got, "name", "") in ("", "proved")
            return "the copy moves another number of values, and that is taken for right" if proved else ""
        if isinstance(got, Error):
            return f"refused, but CuTe takes it: {got}"
        return of(got, answer(model))

    return judge


def _verdict(got: Any, truth: Answer) -> str:
    if got.name not in ("proved", "refuted"):
        return ""
    if got.name == "proved":
        return f"proved, but {truth.wrong} registers are wrong, first {truth.first}" if truth.wrong else ""
    if truth.first is None:
        return f"refuted at {got.witness}, but every register is right"
    if "thread" not in got.witness:
        return f"refuted at {got.witness}: {got.part}; but {truth.wrong} registers are wrong"
    place = tuple(got.witness[x] for x in ("thread", "value", "slot"))
    if got.minimal and place != truth.first:
        return f"refuted at {place}, but the first is {truth.first}"
    if not got.replayed:
        return "refuted without computing the witness anew"
    if got.failures is not None and got.failures != truth.wrong:
        return f"{got.failures} wrong registers, but {truth.wrong} are"
    mark = "the right view is "
    told = got.explanation.partition(mark)[2].split()
    if told:
        view = [0]
        for size, stride in flat(told[0]):
            view = [x + stride * k for k in range(size) for x in view]
        if view != truth.right:
            return f"{told[0]} is called the right view, which is {truth.right}"
    return ""


def _fault(got: Any, truth: Answer) -> str:
    found = None if got is None else (got.thread, got.index, got.slot)
    if found != truth.first:
        return f"the first fault is {found}, but {truth.first} is"
    if got is not None and (got.wrong, got.total) != (truth.wrong, truth.total):
        return f"{got.wrong} of {got.total} wrong registers, but {truth.wrong} of {truth.total} are"
    return ""
