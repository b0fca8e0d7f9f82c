"""Who is asked by `discover`: the device, or a machine made from the manual's formulas.

Both answer two questions. `pairs(form, a, b)`: where D lights up for a one at each of the places `a` of A
and `b` of B. `moved(name)`: the table of a move (see `moves`). Both raise Refused for an instruction that
they do not have.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol

import numpy as np

from ..device import KERNELS, cupy, device_name
from ..element import Array
from .fragments import NOWHERE, Fragments, Pairs
from .mma_form import ONE_THREAD, Form, read_form
from .moves import MOVES, NOT_WRITTEN, ZERO, Move

TOGETHER = 8  # instructions in one module: a module compiles in one piece, modules beside each other


class Refused(Exception):
    """The machine does not have this instruction; the message says who says so."""


class Machine(Protocol):
    """What `discover` needs."""

    name: str
    hardware: bool

    def prepare(self, names: Iterable[str]) -> None: ...

    def pairs(self, form: Form, a: Array, b: Array) -> Pairs: ...

    def moved(self, name: str) -> Array: ...


# ── what is compiled ───────────────────────────────────────────────────────────────────────────────────────


def kernel_and_defines(name: str) -> tuple[str, dict[str, str]]:
    """The kernel file that asks for an instruction, and what is filled in but for its NAME."""
    if name in MOVES:
        return MOVES[name].kernel, MOVES[name].defines
    return "onehot", _onehot(read_form(name))


def _onehot(form: Form) -> dict[str, str]:
    words = {"r": "unsigned", "h": "unsigned short", "f": "float", "d": "double"}
    counts = [form.registers(operand) for operand in "CABZ"]
    places = iter(range(sum(counts)))
    lists = [", ".join(f"%{next(places)}" for _ in range(count)) for count in counts]
    if form.text not in ONE_THREAD:
        lists = ["{" + held + "}" for held in lists]
    arrays = zip("dxyz", "CABZ", counts, strict=True)
    operands = [
        ", ".join(
            f'"{"=" if array == "d" else ""}{form.letter(operand)}"({array}[{i}])' for i in range(count)
        )
        for array, operand, count in arrays
    ]
    asm = f'asm volatile("{form.text} {", ".join(lists)};" : {operands[0]} : {", ".join(operands[1:])})'
    halves = form.bits("C") == 16 and form.letter("C") == "r"
    return {
        "ISSUE(d, x, y, z)": asm,
        **{f"{operand}_TYPE": words[form.letter(operand)] for operand in "ABCZ"},
        **{f"{operand}_REGS": str(form.registers(operand)) for operand in "ABCZ"},
        **{f"{operand}_VALUES": str(form.values(operand)) for operand in "AB"},
        **{f"ONE_{operand}": f"{form.one(operand)}ull" for operand in "AB"},
        "BITS": str(form.bits("A")),
        "PER_C": "2" if halves else "1",
        "XOR": "1" if form.xor else "0",
    }


def module_text(names: Iterable[str]) -> str:
    """One module of the probes of these instructions, all of one kernel file: the file once for each, its
    macros filled in anew."""
    text = []
    for name in names:
        kernel, defines = kernel_and_defines(name)
        for key, value in {"NAME": symbol(name), **defines}.items():
            text += [f"#undef {key.partition('(')[0]}", f"#define {key} {value}"]
        text.append((KERNELS / f"{kernel}.cu").read_text(encoding="utf-8"))
    return "\n".join(text)


def symbol(name: str) -> str:
    """An instruction's name as one that C allows."""
    return "ask_" + "".join(c if c.isalnum() else "_" for c in name)


def modules(names: Iterable[str]) -> Iterator[list[str]]:
    """The instructions that are compiled together: TOGETHER of one kernel file; those of one thread apart,
    because one that ptxas refuses spoils its module."""
    kinds: dict[tuple[str, bool], list[str]] = {}
    for name in names:
        kinds.setdefault((kernel_and_defines(name)[0], name in ONE_THREAD), []).append(name)
    for held in kinds.values():
        yield from (held[i : i + TOGETHER] for i in range(0, len(held), TOGETHER))


# ── the device ─────────────────────────────────────────────────────────────────────────────────────────────


class Silicon:
    """The current device, through CuPy. Raises NoDevice where there is none."""

    hardware = True

    def __init__(self) -> None:
        self.cp = cupy()
        self.name = device_name()
        self._kernels: dict[str, Any] = {}
        self._refused: dict[str, str] = {}

    def prepare(self, names: Iterable[str]) -> None:
        """Compile the probes of all these instructions, many at a time."""
        missing = [n for n in names if n not in self._kernels and n not in self._refused]
        groups = list(modules(missing))
        if len(groups) < 2:  # no thread for one module
            list(map(self._compile, groups))
            return
        context = self.cp.cuda.runtime.free, 0  # the first call of a thread makes it a context
        with ThreadPoolExecutor(8, initializer=context[0], initargs=context[1:]) as pool:
            list(pool.map(self._compile, groups))

    def _compile(self, names: list[str]) -> None:
        complaints = (self.cp.cuda.compiler.CompileException, self.cp.cuda.driver.CUDADriverError)
        try:
            module = self.cp.RawModule(code=module_text(names), options=("-std=c++17",))
            kernels = {name: module.get_function(symbol(name)) for name in names}
        except complaints as error:  # NVRTC's log holds what ptxas says
            if len(names) == 1:
                self._refused[names[0]] = _complaint(str(error))
                return
            self._compile(names[: len(names) // 2])
            self._compile(names[len(names) // 2 :])
            return
        self._kernels.update(kernels)

    def _kernel(self, name: str) -> Any:
        self.prepare([name])
        if name in self._refused:
            raise Refused(self._refused[name])
        return self._kernels[name]

    def pairs(self, form: Form, a: Array, b: Array) -> Pairs:
        cp, kernel = self.cp, self._kernel(form.text)
        met = cp.zeros((len(a), len(b)), cp.uint8)
        where = cp.zeros((len(a), len(b)), cp.uint16)
        places = (cp.asarray(np.ascontiguousarray(x, dtype=np.int32)) for x in (a, b))
        kernel((len(a), len(b)), (32,), (*places, met, where))
        return Pairs(np.array(met.get()), np.array(where.get()))

    def moved(self, name: str) -> Array:
        move, kernel = MOVES[name], self._kernel(name)
        return self._bytes(move, kernel) if move.kernel == "copies" else self._parts(move, kernel)

    def _parts(self, move: Move, kernel: Any) -> Array:
        load, store = move.defines["KIND"] == "LOAD", move.defines["KIND"] == "STORE"
        named = np.arange(256 if load else 32 * move.parts, dtype=np.uint16)
        out = self.cp.zeros(256 if store else 32 * move.parts, dtype=self.cp.uint16)
        kernel((1,), (32,), (self.cp.asarray(named), out))
        seen = np.array(out.get()).astype(np.int64)
        if not store:
            return seen.reshape(32, -1)
        result = np.full(32 * move.parts, NOT_WRITTEN, dtype=np.int64)  # where each part went
        written = np.flatnonzero(seen < len(result))
        result[seen[written]] = written
        return result.reshape(32, -1)

    def _bytes(self, move: Move, kernel: Any) -> Array:
        count = int(move.defines["BYTES"])
        names = np.arange(32 * count)

        def ask(source: Array, fill: int, size: int) -> Array:
            out = self.cp.zeros(32 * count, dtype=self.cp.uint8)
            sent = self.cp.asarray(source.astype(np.uint8))
            kernel((1,), (32,), (sent, out, np.uint32(fill), np.uint32(size)))
            return np.array(out.get()).astype(np.int64)

        full = np.full(32 * count, 0xFF)
        moved = ask(names & 0xFF, 0, count) | ask(names >> 8, 0, count) << 8
        moved[ask(full, 0, count) != 0xFF] = NOT_WRITTEN
        result = np.asarray(moved).reshape(32, count)
        if move.parts == count:
            return result
        left = ask(full, 0xFF, 0)  # told to read nothing
        zeros = np.where(left == 0, ZERO, NOT_WRITTEN).reshape(32, count)
        return np.concatenate([result, zeros], axis=1)


def _complaint(log: str) -> str:
    """The line of a compiler's log that says what is wrong, without where in the generated text."""
    lines = [line.strip() for line in log.splitlines() if "error" in line.lower()]
    said = (lines or log.strip().splitlines() or ["no reason given"])[0]
    who = "ptxas" if "ptxas" in said else "NVRTC"
    return f"{who}: {said.rpartition('error')[2].strip(' :') or said}"


# ── the manual ─────────────────────────────────────────────────────────────────────────────────────────────


class Emulated:
    """A machine that does what the PTX ISA's formulas say. What it says is not an observation."""

    name = "emulator (PTX ISA formulas; not hardware)"
    hardware = False

    def prepare(self, names: Iterable[str]) -> None:
        """Nothing is compiled."""

    def pairs(self, form: Form, a: Array, b: Array) -> Pairs:
        if form.text == "dp2a.s32.s32":
            raise Refused("the manual has dp2a.lo and dp2a.hi only")
        one = self.fragments(form).pairs()
        product_a, place_a = _in_groups(form, "A", a)
        product_b, place_b = _in_groups(form, "B", b)
        met = one.met[np.ix_(place_a, place_b)] * (product_a[:, None] == product_b)
        at = one.where[np.ix_(place_a, place_b)].astype(np.int64)
        lanes = np.array([form.group(g) for g in range(form.groups)])
        values = form.values("C")
        where = (
            lanes[product_a[:, None], np.minimum(at // values, len(form.lanes) - 1)] * values + at % values
        )
        return Pairs(met.astype(np.uint8), np.where(met, where, NOWHERE).astype(np.uint16))

    def fragments(self, form: Form) -> Fragments:
        return manual_fragments(form)

    def moved(self, name: str) -> Array:
        return MOVES[name].manual()


def _in_groups(form: Form, operand: str, places: Array) -> tuple[Array, Array]:
    """The product, and the place in it, of each place of a warp."""
    values = form.values(operand)
    product, logical = np.zeros(32, dtype=np.int64), np.zeros(32, dtype=np.int64)
    for g in range(form.groups):
        product[form.group(g)], logical[form.group(g)] = g, np.arange(len(form.lanes))
    return product[places // values], logical[places // values] * values + places % values


def manual_fragments(form: Form) -> Fragments:
    """The fragments by the manual's formulas; of one thread, value i stands at k = i."""
    manual = form.manual
    if manual is None:
        k = np.arange(form.shape[2])
        row = np.stack([np.zeros_like(k), k], axis=1)
        return Fragments(row, row, np.zeros((1, 2), dtype=np.int64))
    held = [
        np.array([[int(x) for x in f(lane, i)] for lane in form.lanes for i in range(f.values)])
        for f in (manual.A, manual.B, manual.C)
    ]
    return Fragments(held[0], held[1][:, ::-1], held[2])  # B is K x N in the manual
