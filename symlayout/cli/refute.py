"""`symlayout refute divide`: a plain divide of the fragment is not what retile does."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from ..inttuple import flatten_to_tuple, idx2crd, product_each, show
from .answer import answer, format_option
from .configuration import Configuration, Request, configuration_options, read_tiler
from .exits import AS_STATED, REFUTED, UNDECIDED
from .shrinking import data as shrunk_data
from .shrinking import lines as shrunk_lines
from .shrinking import shrink_option, shrunk

if TYPE_CHECKING:
    from ..verdict import Verdict

DIVIDES = ("zipped_divide", "logical_divide", "tiled_divide", "flat_divide")
_MODES = {"A": "VMK", "B": "VNK", "C": "VMN"}
_SHOWN = 32  # registers of one copy that are listed


class Refute(click.Group):
    """A group in which `divide --symbolic`, which takes no configuration, is a command of its own."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if "divide" in args and "--symbolic" in args:
            words = [a for a in args if a not in ("divide", "--symbolic")]
            args = ["divide-symbolic", *words]
        return super().parse_args(ctx, args)


@click.group(cls=Refute, subcommand_metavar="divide [OPTIONS] | divide --symbolic")
def command() -> None:
    """Refute that a direct divide of the registers gives the retile's view."""


@command.command()
@configuration_options
@click.option(
    "--tiler",
    metavar="T",
    help="The divide's tiler: 8, 8:1 or (4,1,2). The default is the copy's AtomNumVal.",
)
@click.option("--by", type=click.Choice(DIVIDES), default=DIVIDES[0], show_default=True, help="Which divide.")
@shrink_option
@format_option
def divide(form: str, tiler: str | None, by: str, shrinks: bool, **options: str) -> int:
    """Refute that zipped_divide(fragment, tiler) numbers the registers as retile does.

    The claim: both have the same register at every index, counted column-major. It is refuted with the
    first index where they differ and what its registers mean in the fragment's own modes: V, and N or M,
    and K.

    Exit code 0 when it is refuted, for that is what was stated; 1 when the two agree; 3 unknown.

    \b
    symlayout refute divide --mma SM80_16x8x16_F32F16F16F32_TN --copy SM75_U32x4_LDSM_N \\
        --operand B --permutation 16,8,32 --tensor "(32,32):(32,1)" --tiler 8
    symlayout refute divide --symbolic      (alone: for which sizes at all the two agree)
    """
    from .. import algebra
    from ..claims import equal
    from ..decide import prove

    request = Request(**options)
    c = request.configuration(request.tiled_mma())
    written = c.copy.atom_num_val if tiler is None else read_tiler("--tiler", tiler)
    divided = getattr(algebra, by)(c.fragment, written, unchecked=True)
    view = c.view
    statement = f"{by}({c.fragment_name}, {show(written)}) = {c.view_name} at every index"
    verdict = prove(equal(divided, view), says=statement)
    if c.over_parameters and verdict.name == "refuted":  # what is shown is the smallest instance that differs
        from ..parametric import at

        values = getattr(verdict, "witness", {})
        divided, view, c = at(divided, values), at(view, values), replace(c, tensor=at(c.tensor, values))
    found = _Difference(c, by, divided, view, verdict)
    repair = _repair(c, view) if verdict.name == "refuted" else ""
    code = {"refuted": AS_STATED, "proved": REFUTED}.get(verdict.name, UNDECIDED)
    text = _text(c, by, written, divided, view, verdict, found, repair)
    smaller = None
    if shrinks and verdict.name == "refuted":
        smaller = shrunk(request, lambda c: _difference(c, by, tiler))
        text = "\n".join([text, *shrunk_lines(request, smaller)])
    data = {
        "command": "refute divide",
        "verdict": verdict.name,
        "exit_code": code,
        "as_stated": code == AS_STATED,
        "claim": statement,
        "configuration": c.data(),
        "fragment": str(c.fragment),
        "view": str(view),
        "divide": by,
        "tiler": show(written),
        "divided": str(divided),
        **found.data(),
        "repair": repair or None,
        **({} if smaller is None else {"shrunk": shrunk_data(smaller)}),
    }
    return answer(form, text, data)


def _difference(c: Configuration, by: str, tiler: str | None) -> str | None:
    """What makes divide and retile differ: an index, or their sizes; None where they agree."""
    from .. import algebra
    from ..claims import equal
    from ..decide import prove
    from ..verdict import Refuted

    written = c.copy.atom_num_val if tiler is None else read_tiler("--tiler", tiler)
    verdict = prove(equal(getattr(algebra, by)(c.fragment, written, unchecked=True), c.view))
    return ",".join(sorted(verdict.witness)) if isinstance(verdict, Refuted) else None


@command.command(name="divide-symbolic", hidden=True)
@format_option
def divide_symbolic(form: str) -> int:
    """Derive for which sizes a direct divide is the retile, which gathers G steps of K of (V,N,G*K)."""
    from ..conditions import divide_against_retile

    fragment, view, regimes = divide_against_retile()
    proved = all(r.condition.proved for r in regimes)
    condition = " or ".join(dict.fromkeys(str(r.condition) for r in reversed(regimes)))
    lines = [
        f"fragment = {fragment}    (V,N,G*K) -> register, V values a step, G steps of K a load",
        f"retile   = {view}    ((V,G),N,K)",
        "divided  = zipped_divide(fragment, V*G), where one of N and G divides the other",
        "           (else elements are missed, or CuTe refuses)",
    ]
    data = []
    for r in regimes:
        old, new = next((name, str(v)) for name, v in r.domain.values.items() if str(v) != name)
        c = r.condition
        lines += [
            "",
            f"{old} = {new}",
            f"  divided = {r.divided}",
            f"  at index {c.index} the divide has register {c.left}, the retile {c.right}: "
            f"they differ unless {c}",
            f"  if {c}, the two are the same function",
        ]
        data.append(
            {
                "facts": f"{old} = {new}",
                "divided": str(r.divided),
                "agrees_iff": str(c),
                "index": str(c.index),
                "got": str(c.left),
                "want": str(c.right),
            }
        )
    obligations = sum(r.condition.obligations for r in regimes)
    verdict = "proved" if proved else "unknown"
    word = "Proved" if proved else "Unknown"
    lines += [
        "",
        f"{word}: the divide agrees with retile iff {condition}",
        f"  by canonical forms; both directions by the calculus, {obligations} obligations checked by z3",
    ]
    result = {
        "command": "refute divide",
        "verdict": verdict,
        "exit_code": AS_STATED if proved else UNDECIDED,
        "agrees_iff": condition,
        "fragment": str(fragment),
        "view": str(view),
        "regimes": data,
        "obligations": obligations,
    }
    return answer(form, "\n".join(lines), result)


class _Difference:
    """The first index where divide and retile give different registers, and what it says; empty where there
    is none."""

    def __init__(self, c: Configuration, by: str, divided: Any, view: Any, verdict: Verdict) -> None:
        self.c = c
        self.by = by
        self.divided = divided
        self.view = view
        self.failures = getattr(verdict, "failures", None)
        witness = getattr(verdict, "witness", {})
        self.i: int | None = witness.get("i")

    @property
    def group(self) -> range:
        """The indices of the copy that index i belongs to."""
        size = self.view[0, 0].size()
        start = (self.i or 0) // size * size
        return range(start, start + size)

    def registers(self, layout: Any) -> list[int]:
        return [layout(j) for j in self.group]

    def coordinate(self, register: int) -> tuple[int, ...] | None:
        """The fragment's coordinate of a register, one integer a mode."""
        from ..explain import coordinate_of

        return coordinate_of(self.c.fragment, register)

    def decoded(self, register: int) -> str:
        """`tCrB(0,1,0): V 0, N 1, K 0`."""
        crd = self.coordinate(register)
        if crd is None:
            return "no register of the fragment"
        modes = ", ".join(f"{m} {x}" for m, x in zip(_MODES[self.c.operand], crd, strict=False))
        return f"{self.c.fragment_name}{show(crd)}: {modes}"

    def direction(self) -> str:
        """`it walks along N instead of K`, where the two registers say so."""
        assert self.i is not None
        got, want = self.coordinate(self.divided(self.i)), self.coordinate(self.view(self.i))
        if got is None or want is None:
            return ""
        names = _MODES[self.c.operand]
        ahead = [m for m, x, y in zip(names, got, want, strict=False) if x > y]
        behind = [m for m, x, y in zip(names, got, want, strict=False) if x < y]
        if len(ahead) == 1 and len(behind) == 1:
            return f"the divide walks along {ahead[0]} instead of {behind[0]}"
        return ""

    def lines(self) -> list[str]:
        if self.i is None:
            return []
        got, want = self.divided(self.i), self.view(self.i)
        width = max(len(self.by), len(self.c.retile))
        numbers = max(len(str(got)), len(str(want)))
        lines = [
            f"first difference at index {self.i}: value a = {self.i - self.group.start} "
            f"of copy {self._copy()}"
        ]
        for name, x in ((self.by, got), (self.c.retile, want)):
            lines.append(f"  {name:<{width}} has register {x:>{numbers}}    {self.decoded(x)}")
        lines.append("registers of that copy")
        for name, layout in ((self.by, self.divided), (self.c.retile, self.view)):
            registers = self.registers(layout)
            more = f" ... ({len(registers)} in all)" if len(registers) > _SHOWN else ""
            lines.append(f"  {name:<{width}} {' '.join(map(str, registers[:_SHOWN]))}{more}")
        return [*lines, self.direction()] if self.direction() else lines

    def _copy(self) -> int:
        return self.group.start // len(self.group)

    def data(self) -> dict[str, Any]:
        if self.i is None:
            return {"witness": {}, "got": None, "want": None, "direction": None, "registers": None}
        sides = {}
        for key, layout in (("got", self.divided), ("want", self.view)):
            register = layout(self.i)
            crd = self.coordinate(register)
            modes = None if crd is None else dict(zip(_MODES[self.c.operand], crd, strict=False))
            sides[key] = {"register": register, "modes": modes}
        at = flatten_to_tuple(idx2crd(self.i, product_each(self.view.shape)))
        return {
            "witness": {
                "i": self.i,
                "a": self.i - self.group.start,
                "copy": self._copy(),
                "coordinate": list(at),
            },
            **sides,
            "direction": self.direction() or None,
            "registers": {"divide": self.registers(self.divided), "retile": self.registers(self.view)},
        }


def _repair(c: Configuration, view: Any) -> str:
    """The tiler with which zipped_divide is retile, `(4,1,2)`, when z3 confirms that it is; else empty."""
    from ..algebra import zipped_divide
    from ..claims import equal
    from ..decide import prove

    trace = c.copy.retile_trace(c.fragment)
    tiler = (trace.V, *trace.frg_layout_mn_shape)
    repaired = zipped_divide(c.fragment, tiler, unchecked=True)
    return show(tiler) if prove(equal(repaired, view)).name == "proved" else ""


def _text(
    c: Configuration,
    by: str,
    tiler: Any,
    divided: Any,
    view: Any,
    verdict: Verdict,
    found: _Difference,
    repair: str,
) -> str:
    rows = [
        (c.fragment_name, str(c.fragment), f"({','.join(_MODES[c.operand])}) -> register"),
        (c.view_name, str(view), f"{c.retile}({c.fragment_name})"),
        ("divided", str(divided), f"{by}({c.fragment_name}, {show(tiler)})"),
    ]
    width = max(len(value) for _, value, _ in rows)
    lines = [c.text(), "", *(f"{name:<7} = {value:<{width}}    {says}" for name, value, says in rows), ""]
    if verdict.name == "refuted":
        lines.append(f"Refuted, as stated: {verdict.claim}")
        details = found.lines() or [line.strip() for line in str(verdict).splitlines()[1:]]
        lines += [f"  {line}" for line in details]
        if repair:
            lines.append(f"  the tiler {repair} repairs it: zipped_divide then is {c.retile} (proved)")
    elif verdict.name == "proved":
        lines += [
            f"Not refuted: {verdict.claim}",
            "  the divide and the retile agree",
            f"  {str(verdict).splitlines()[-1].strip()}",
        ]
    else:
        lines.append(str(verdict))
    return "\n".join(lines)
