"""Real CuTe asked on the device: do its registers hold what the model says, for the permutations where its
retile fails without a word and for loads of production kernels?

Each case is one CUDA text that includes the CUTLASS headers and is compiled by nvcc: make_tiled_mma,
make_tiled_copy_A or _B, partition_S, retile_D, copy and gemm are CuTe's own (`kernels/cute_retile.cu`).
Shared memory holds each element's own name, and every slot of every thread must hold the name that the model
predicts; then D must be the product of what the registers hold, A*B where they are right. The layouts of the
fragment and of the view must be printed by CuTe as the model prints them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from symlayout import SymlayoutError

from ..backend import memory
from ..configuration import Configuration
from ..device import kernel_hash
from ..element import Array
from ..loads import named, observed_names
from ..plan import LoadPlan
from ..records import packed, today, unpacked
from .cases import CASES, Case
from .device import Machine
from .source import KERNEL
from .ways import Way, ways


@dataclass(frozen=True)
class Seen:
    """What CuTe's code left on a machine: names [thread, slot], D [m, n], and its two layouts as text."""

    names: Array
    d: Array
    fragment: str
    view: str


@dataclass(frozen=True)
class Answer:
    """What was predicted of one way, and how what was seen differs."""

    case: str
    kernel: str
    title: str
    registers: int
    wrong: int  # registers that hold another element than the MMA reads, as predicted
    unlike: int  # registers that hold another element than predicted
    d_size: int
    d_wrong: int  # elements of D that are not A*B, as predicted
    d_unlike: int  # elements of D that are not as predicted
    first_wrong: str  # the first register that is wrong, as predicted
    differing: tuple[str, ...]  # one line for each thing that is not as predicted

    @property
    def as_predicted(self) -> bool:
        return not self.differing


class _Coded:
    """One way as the machine that `observed_names` wants."""

    def __init__(self, machine: Machine, case: str, way: Way) -> None:
        self._asked = machine, case, way

    def registers(self, plan: LoadPlan, image: Array) -> Array:
        machine, case, way = self._asked
        return machine.run(case, way, image, np.zeros_like(way.other)).registers


def ask(machine: Machine, case: Case, way: Way) -> Seen:
    """The names in the registers, and then a product of random whole numbers."""
    names = observed_names(way.plan, _Coded(machine, case.name, way))  # type: ignore[arg-type]  # only `registers` is used
    product = machine.run(case.name, way, memory(way.plan, way.image), way.other)
    return Seen(names, product.d, product.fragment, product.view)


def compare(case: Case, way: Way, seen: Seen) -> Answer:
    """What was seen against today's prediction."""
    plan, where = way.plan, f"{case}, {way.title}"
    predicted, d = plan.predicted, way.predicted_d
    lines = [
        f"{where}: CuTe's {what} is {got}, predicted {want}"
        for what, got, want in (
            ("fragment", seen.fragment, str(way.fragment)),
            ("view", seen.view, str(plan.view)),
        )
        if got != want
    ]
    unlike, d_unlike = (_differences(a, b) for a, b in ((seen.names, predicted), (seen.d, d)))
    if unlike:
        lines.append(f"{where}: {unlike} of {predicted.size} registers differ{_first_name(way, seen.names)}")
    if d_unlike:
        lines.append(f"{where}: {d_unlike} of {d.size} elements of D differ{_first_of_d(d, seen.d)}")
    return Answer(
        *(case.name, way.kernel, way.title, predicted.size, way.wrong, unlike),
        *(d.size, int((way.right_d != d).sum()), d_unlike, _first_wrong(way), tuple(lines)),
    )


def _differences(seen: Array, predicted: Array) -> int:
    if seen.shape != predicted.shape:
        return int(predicted.size)
    return int((seen != predicted).sum())


def _first_name(way: Way, names: Array) -> str:
    predicted = way.plan.predicted
    if names.shape != predicted.shape:
        return f"\n  {names.shape} registers were seen, predicted {predicted.shape}"
    t, s = (int(x) for x in np.argwhere(names != predicted)[0])
    want, got = named(way.plan, predicted[t, s]), named(way.plan, names[t, s])
    return f"\n  first at thread {t}, register {s}: predicted {want}, observed {got}"


def _first_of_d(predicted: Array, seen: Array) -> str:
    if seen.shape != predicted.shape:
        return f"\n  {seen.shape} elements were seen, predicted {predicted.shape}"
    m, n = (int(x) for x in np.argwhere(seen != predicted)[0])
    return f"\n  first at D({m},{n}): predicted {predicted[m, n]:g}, observed {seen[m, n]:g}"


def _first_wrong(way: Way) -> str:
    if not way.wrong:
        return ""
    t, s = (int(x) for x in np.argwhere(way.wanted != way.plan.predicted)[0])
    want, got = named(way.plan, way.wanted[t, s]), named(way.plan, way.plan.predicted[t, s])
    return f"thread {t}, register {s}: the mma reads {want}, the copy writes {got}"


def stored(a: Array) -> str:
    """An array as text: each entry's step from the one before. The steps of a register file repeat, so that
    they pack to a hundredth."""
    return packed(np.diff(a.reshape(-1).astype(np.int64), prepend=0))


def restored(text: str) -> Array:
    """The flat array that was `stored`."""
    return np.asarray(np.cumsum(unpacked(text)))


Asked = tuple[Case, Sequence[tuple[Way, Seen]]]


def document(asked: Iterable[Asked], rests_on: dict[str, str]) -> dict[str, Any]:
    """The results file; `rests_on` names device, driver, CUDA, nvcc and CUTLASS. Each array stands once."""
    arrays: dict[str, int] = {}

    def place(a: Array) -> int:
        return arrays.setdefault(stored(a), len(arrays))

    entries = [
        {
            "name": case.name,
            "source": case.source,
            "configuration": asdict(case.configuration),
            "fragment": case.fragment,
            "ways": [
                {
                    "kernel": way.kernel,
                    "fragment": seen.fragment,
                    "view": seen.view,
                    "registers": place(seen.names),
                    "d": place(np.nan_to_num(seen.d, nan=-(2**31))),  # NaN where D was never written
                }
                for way, seen in answers
            ],
        }
        for case, answers in asked
    ]
    kernels = {KERNEL: kernel_hash(KERNEL)}
    return {
        **rests_on,
        "date": today(),
        "kernels": kernels,
        "arrays": list(arrays),
        "cute_registers": entries,
    }


def differing(content: dict[str, Any]) -> list[str]:
    """What differs between the results of a file and today's predictions of them."""
    return [line for entry in content["cute_registers"] for line in _differing(entry, content["arrays"])]


def _differing(entry: dict[str, Any], arrays: list[str]) -> list[str]:
    configuration = Configuration(**entry["configuration"])
    case = Case(entry["name"], configuration, entry["source"], entry["fragment"])
    if case not in CASES:
        return [f"{entry['name']}: no case that is asked today"]
    try:
        today_asked = {way.kernel: way for way in ways(case)}
    except SymlayoutError as error:
        return [f"{case}: refused today: {error}"]
    recorded = [seen["kernel"] for seen in entry["ways"]]
    if recorded != list(today_asked):
        return [f"{case}: recorded are {', '.join(recorded)}, asked today {', '.join(today_asked)}"]
    found: list[str] = []
    for seen in entry["ways"]:
        way = today_asked[seen["kernel"]]
        names, d = (
            _shaped(restored(arrays[seen[key]]), like)
            for key, like in (("registers", way.plan.predicted), ("d", way.predicted_d))
        )
        found += compare(case, way, Seen(names, d, seen["fragment"], seen["view"])).differing
    return found


def _shaped(flat: Array, like: Array) -> Array:
    """A recorded array in the shape that is expected today, or as it is where it has another size."""
    return flat.reshape(like.shape) if flat.size == like.size else flat
