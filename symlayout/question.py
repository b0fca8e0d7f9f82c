"""What is asked: a claim, or a body that returns one, with the quantifiers of its parameters."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

from .claim import Claim, Pointwise
from .dim import Dim
from .errors import LayoutError, SymlayoutError
from .formula import Obligation, Relation
from .names import Inner
from .symbol import running_body
from .symbolic import Var


@dataclass(frozen=True)
class Question:
    body: Callable[..., Claim] | None
    free: tuple[Var, ...]
    claim: Claim

    def at(self, point: Mapping[str, int]) -> Claim:
        """The claim at one point, on plain ints. Parameters that the body reaches are still symbols there,
        and may refuse what they are asked: see `_stated`."""
        return self.claim if self.body is None else _stated(self.body, point)

    def points(self) -> Iterator[dict[str, int]]:
        names = [v.name for v in self.free]
        for values in product(*(range(v.bound or 0) for v in self.free)):
            yield dict(zip(names, values, strict=True))


def read_question(claim: Claim | Callable[..., Claim], quantifiers: Mapping[str, int]) -> Question:
    for name, bound in quantifiers.items():
        if isinstance(bound, Dim):  # surely 1 or more, or NeedFact says what is missing
            if not bound >= 1:
                raise LayoutError(f"prove: {name} = {bound}: a quantifier is the number of values, 1 or more")
        elif not isinstance(bound, int) or isinstance(bound, bool) or bound < 1:
            raise LayoutError(f"prove: {name} = {bound!r}: a quantifier is the number of values, 1 or more")
    if isinstance(claim, Claim):
        unbound = [v.name for v in claim.free() if v.param is None]
        if quantifiers or unbound:
            raise LayoutError(
                f"prove: quantify {', '.join([*quantifiers, *unbound])} by a body: "
                "prove(lambda a, b: equal(f(a), g(b)), a=2, b=4)"
            )
        return Question(None, (), _stating(claim))
    wanted = list(inspect.signature(claim).parameters)
    if set(wanted) != set(quantifiers):
        raise LayoutError(
            f"prove: the body takes {', '.join(wanted) or 'nothing'}; "
            f"quantified are {', '.join(quantifiers) or 'none'}"
        )
    free = tuple(Var(name, bound) for name, bound in quantifiers.items())
    return Question(claim, free, _stating(_stated(claim, {v.name: v for v in free})))


def _stating(claim: Claim) -> Claim:
    """The claim, which has to say something. Raises LayoutError where it has no parts, or one without a
    relation."""
    parts = claim.parts()
    if not parts or any(isinstance(p, Pointwise) and not p.goals for p in parts):
        raise LayoutError(f"prove: `{claim}` states nothing: it compares no integers")
    return claim


def _stated(body: Callable[..., Claim], digits: Mapping[str, Any]) -> Claim:
    """The claim that a body states about these digits, symbols or integers. Raises LayoutError where it
    states none, fails, or goes on after a question that a symbol refused."""
    with running_body() as refused:
        try:
            stated = body(**digits)
        except (SymlayoutError, MemoryError):
            raise
        except (Exception, SystemExit) as error:  # the author's code, which may raise anything
            raise LayoutError(
                f"prove: the body raised {type(error).__name__}: {error}\n"
                "  it is called once on symbols, each of which stands for many integers"
            ) from error
    if refused:
        raise LayoutError(
            f"prove: the body went on after `{refused[0]}` was refused\n"
            "  this is so for some values and not for others, and Python took one branch for all:\n"
            "  state a claim for each case, equal(a, b).given(...)"
        )
    if not isinstance(stated, Claim):
        raise LayoutError(f"prove: the body returned {stated!r}, not a claim; equal(a, b) states one")
    return stated


def statement(question: Question) -> str:
    bounds = ", ".join(f"{v.name} < {v.bound}" for v in question.free)
    return f"for all {bounds}: {question.claim}" if bounds else str(question.claim)


def pins(search: Obligation, point: Mapping[str, int], own: Mapping[str, object]) -> tuple[Relation, ...]:
    """The digits of an obligation at a witness: those of the point, and of the claim's own those named
    there, and `i.0, i.1, ...` for the index i."""
    found: list[Relation] = []
    rest: dict[str, int] = {name: x for name, x in own.items() if type(x) is int}
    for v in sorted(search.digits, key=_place):
        name = str(v.name)
        index = name.rpartition(".")[0]
        if not isinstance(v.name, Inner):
            found += [Relation("=", v, point[v.name])] if v.name in point else []
        elif name in rest:
            found.append(Relation("=", v, rest[name]))
        elif _place(v) >= 0 and index in rest and v.lower == 0 and v.bound is not None:
            rest[index], digit = divmod(rest[index], v.bound)
            found.append(Relation("=", v, digit))
    return tuple(found)


def _place(v: Var) -> int:
    """The place of a digit in its index, from the fastest: 1 for `i.1`."""
    k = str(v.name).rpartition(".")[2]
    return int(k) if k.isdigit() else -1
