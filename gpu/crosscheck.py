"""A retile, asked of a machine: do the registers hold what the model says, and do the products come out?

Three questions of each view. Index-coded: shared memory holds each element's own name, the copy writes
through the view, and every slot of every thread must hold the name that the model predicts. Random: small
whole numbers are loaded and multiplied, D must be A*B exactly. One-hot: each row of A has a single 1, so
that D repeats single elements of B.

One of the views is wrong, as a negative control: its registers and its D must be wrong, exactly as
predicted. Where CuTe's own retile is wrong it is the control, and the proven right view stands beside it. A
control that comes out right means that the check would not notice.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np

from symlayout import ComposedLayout, Layout, TiledCopy, TiledMMA

from .backend import UNTOUCHED, Backend, Chain, memory
from .element import Array, accumulated, element
from .emulator import Emulator
from .maps import extent, grid, table
from .plan import UNWRITTEN, LoadPlan, divided, load_plan

SEED = 20261130  # of the data; predictions are replayed with the same


@dataclass(frozen=True)
class Mismatch:
    """The first place, in order of threads, at which a machine and the model differ."""

    thread: int
    place: int
    predicted: str
    observed: str


@dataclass
class Outcome:
    """One view asked of one machine."""

    title: str
    view: str
    registers: int
    wrong: int  # registers that hold another element than the MMA reads there, as predicted
    unlike: int = 0  # registers that hold another element than predicted
    first: Mismatch | None = None
    first_wrong: str = ""
    products: dict[str, tuple[int, int, int]] = field(default_factory=dict)  # (size of D, wrong, unlike)
    names: Array | None = None  # what was observed: [thread, slot] of names ...
    words: dict[str, Array] = field(default_factory=dict)  # ... and the accumulators of each product

    @property
    def as_predicted(self) -> bool:
        return self.unlike == 0 and all(unlike == 0 for _, _, unlike in self.products.values())

    @property
    def right(self) -> bool:
        return self.wrong == 0 and all(wrong == 0 for _, wrong, _ in self.products.values())


@dataclass
class CrossCheck:
    """A configuration, asked through CuTe's retile and through one more view: a wrong one where retile is
    right, the right one where retile is wrong."""

    configuration: dict[str, str]
    backend: str
    hardware: bool
    retile: Outcome
    beside: Outcome

    @property
    def outcomes(self) -> tuple[Outcome, Outcome]:
        return self.retile, self.beside

    @property
    def as_predicted(self) -> bool:
        """The machine says what the model says."""
        return all(o.as_predicted for o in self.outcomes)

    @property
    def passed(self) -> bool:
        """And a wrong view was seen to be wrong beside a right one."""
        return self.as_predicted and self.retile.right != self.beside.right

    def to_json(self) -> dict[str, Any]:
        result = {**asdict(self), "as_predicted": self.as_predicted, "passed": self.passed}
        for outcome in (result["retile"], result["beside"]):  # the raw arrays are for `observations`
            del outcome["names"], outcome["words"]
        return result


def crosscheck(mma: TiledMMA, copy: TiledCopy, operand: str, tensor: Any, backend: Backend) -> CrossCheck:
    """Ask `backend` about a configuration. Raises LayoutError or UnsupportedError where there is nothing to
    ask."""
    plan = load_plan(mma, copy, operand, tensor)
    if plan.wrong:
        plain = tensor.layout if isinstance(tensor, ComposedLayout) else tensor
        right = copy.right_view(mma, operand, plain)
        beside = ask(load_plan(mma, copy, operand, tensor, right), backend, "the proven right view")
    elif (divided(plan).slot != plan.slot).any():
        beside = ask(divided(plan), backend, "direct divide")
    else:
        beside = ask(exchanged(plan), backend, "retile, its first and last register exchanged")
    return CrossCheck(
        configuration={
            "mma": str(mma),
            "copy": copy.atom.name,
            "operand": operand,
            "tensor": str(tensor),
            "instruction": str(plan.instruction),
        },
        backend=backend.name,
        hardware=backend.hardware,
        retile=ask(plan, backend, "retile"),
        beside=beside,
    )


def exchanged(plan: LoadPlan) -> LoadPlan:
    """The plan with the slots of its first and last value exchanged."""
    slot = plan.slot.copy()
    slot[0, 0], slot[-1, -1] = plan.slot[-1, -1], plan.slot[0, 0]
    return replace(plan, slot=slot)


def ask(plan: LoadPlan, backend: Backend, title: str) -> Outcome:
    """The registers through one view, and the products of the MMAs that read them."""
    rng = np.random.default_rng(SEED)
    names = observed_names(plan, backend)
    unlike = names != plan.predicted
    outcome = Outcome(title, str(plan.view), plan.predicted.size, plan.wrong, int(unlike.sum()), names=names)
    if outcome.unlike:
        t, s = (int(x) for x in np.argwhere(unlike)[0])
        outcome.first = Mismatch(t, s, named(plan, plan.predicted[t, s]), named(plan, names[t, s]))
    if plan.wrong:
        t, s = (int(x) for x in np.argwhere(plan.wanted != plan.predicted)[0])
        want, got = named(plan, plan.wanted[t, s]), named(plan, plan.predicted[t, s])
        outcome.first_wrong = f"thread {t}, register {s}: the mma reads {want}, the copy writes {got}"
    for kind in ("random", "one-hot"):
        outcome.words[kind], outcome.products[kind] = products(plan, backend, rng, kind)
    return outcome


def observed_names(plan: LoadPlan, backend: Backend) -> Array:
    """[thread, slot]: the name found in each register. Names wider than an element are asked for piece by
    piece."""
    width = plan.element.bits
    names = np.arange(plan.elements, dtype=np.uint64)
    found = np.zeros((plan.threads, plan.slots), dtype=np.int64)
    untouched = np.zeros(found.shape, dtype=bool)
    mask = np.uint64((1 << min(width, 32)) - 1)
    for shift in range(0, max(1, int(plan.elements - 1).bit_length()), min(width, 32)):
        piece = backend.registers(plan, memory(plan, names >> np.uint64(shift) & mask))
        untouched |= piece == UNTOUCHED
        found |= (piece & mask).astype(np.int64) << shift
    found[untouched] = UNWRITTEN
    return found


def named(plan: LoadPlan, offset: Any) -> str:
    """The element at an offset of shared memory, as the engineer calls it: `B(8,0)`."""
    if offset == UNWRITTEN:
        return "nothing"
    found = np.argwhere(grid(plan.tensor) == offset)
    return f"{plan.operand}({found[0][0]},{found[0][1]})" if len(found) else f"offset {int(offset)}"


def products(
    plan: LoadPlan, backend: Backend, rng: np.random.Generator, kind: str
) -> tuple[Array, tuple[int, int, int]]:
    """The accumulators, and (elements of D, those that are not A*B, those that are not as predicted)."""
    mma = plan.mma
    rows, k = extent(plan.tensor)
    other = "B" if plan.operand == "A" else "A"
    other_rows = mma.tile_size(1 if other == "B" else 0)
    loaded = _data(mma.atom.type(plan.operand), rng, kind if plan.operand == "A" else "random", rows, k)
    given = _data(mma.atom.type(other), rng, kind if other == "A" else "random", other_rows, k)

    image = np.zeros(plan.elements, dtype=np.int64)
    image[grid(plan.tensor)] = element(mma.atom.type(plan.operand)).encode(loaded)
    found = backend.registers(plan, memory(plan, image))
    predicted = image[np.maximum(plan.predicted, 0)].astype(np.uint64)
    held = _held(mma, other, given, plan.threads)

    plain = plan.tensor.layout if isinstance(plan.tensor, ComposedLayout) else plan.tensor
    fragments = {plan.operand: mma.fragment(plan.operand, plain), other: mma.fragment(other, (other_rows, k))}
    chain = Chain(mma, (fragments["A"], fragments["B"]))
    pair = {plan.operand: found, other: held}
    words = backend.accumulators(chain, pair["A"], pair["B"])
    got = accumulated(mma.atom.type_C, words)
    pair[plan.operand] = predicted
    expected = accumulated(mma.atom.type_C, Emulator().accumulators(chain, pair["A"], pair["B"]))
    a, b = (loaded, given) if plan.operand == "A" else (given, loaded)
    right = _gathered(mma, _multiplied(chain.mnemonic, a, b), plan.threads, got.shape)
    return words, (got.size, int((got != right).sum()), int((got != expected).sum()))


def _data(kind: str, rng: np.random.Generator, what: str, rows: int, columns: int) -> Array:
    low, high = element(kind).low, element(kind).high
    if what == "one-hot":
        data = np.zeros((rows, columns), dtype=np.int64)
        data[np.arange(rows), (5 * np.arange(rows) + 3) % columns] = 1
        return data
    return rng.integers(low, high + 1, (rows, columns))


def _multiplied(mnemonic: str, a: Array, b: Array) -> Array:
    if ".xor" in mnemonic:
        return np.array((a[:, None, :] != b[None]).sum(axis=2), dtype=np.float64)
    return np.array(a.astype(np.float64) @ b.astype(np.float64).T)


def _held(mma: TiledMMA, operand: str, data: Array, threads: int) -> Array:
    """The other operand's registers, filled straight from the MMA's partition: [thread, slot] of elements
    as bits."""
    rows, columns = data.shape
    tensor = Layout((rows, columns), (columns, 1))
    fragment = mma.fragment(operand, tensor)
    flat = element(mma.atom.type(operand)).encode(data).reshape(-1).astype(np.uint64)
    result = np.zeros((threads, fragment.cosize()), dtype=np.uint64)
    slots = table(fragment)
    for t in range(threads):
        part = mma.get_slice(t).partition(operand, tensor)
        result[t, slots] = flat[table(part.layout) + part.offset]
    return result


def _gathered(mma: TiledMMA, d: Array, threads: int, shape: tuple[int, ...]) -> Array:
    """A matrix D as the accumulators [thread, m, n, value] that hold it, by the MMA's partition of C."""
    rows, columns = d.shape
    result = np.zeros(shape)
    _, ms, ns, count = shape
    for t in range(threads):
        part = mma.get_slice(t).partition("C", Layout((rows, columns), (columns, 1)))
        held = d.reshape(-1)[table(part.layout) + part.offset]  # values fastest, then m, then n
        result[t] = held.reshape(ns, ms, count).transpose(1, 0, 2)
    return result
