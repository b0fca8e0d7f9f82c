"""A script of linear integer arithmetic as one set in isl's notation: it is empty iff the script is unsat.

isl decides Presburger arithmetic by projection and parametric integer programming, which has nothing in
common with the search of an SMT solver.
"""

from __future__ import annotations

from math import prod

from .script import Script, Term

MOST_LETTERS = 100_000  # of one definition
_COMPARE = {"=": "=", "<=": "<=", "<": "<", ">=": ">=", ">": ">"}


class NotLinear(ValueError):
    """A script that isl has no words for."""


def as_set(script: Script) -> str:
    """Raises NotLinear."""
    if script.logic != "QF_LIA":
        raise NotLinear(script.logic)
    names = {name: f"x{k}" for k, name in enumerate(script.constants)}
    writer = _Writer(names, script.definitions)
    body = " and ".join(writer.formula(a) for a in script.assertions) or "1 = 1"
    return f"{{ [{', '.join(names.values())}] : {body} }}"


class _Writer:
    def __init__(self, names: dict[str, str], definitions: dict[str, Term]) -> None:
        self.names = names
        self.definitions = definitions

    def formula(self, t: Term) -> str:
        match t:
            case "true":
                return "(1 = 1)"
            case "false":
                return "(1 = 0)"
            case ["not", x]:
                return f"not {self.formula(x)}"
            case [("and" | "or") as word, *xs] if xs:
                return f"({f' {word} '.join(map(self.formula, xs))})"
            case [str(word), a, b] if word in _COMPARE:
                return f"({self.number(a)} {_COMPARE[word]} {self.number(b)})"
        raise NotLinear(str(t)[:80])

    def number(self, t: Term) -> str:
        match t:
            case str(word) if word.isdecimal():
                return word
            case str(word):
                return self._symbol(word.strip("|"))
            case ["-", x]:
                return f"(-{self.number(x)})"
            case [("+" | "-") as word, *xs] if xs:
                return f"({f' {word} '.join(map(self.number, xs))})"
            case ["div", x, str(n)] if n.isdecimal() and int(n) > 0:
                return f"floor(({self.number(x)}) / {n})"
            case ["mod", x, str(n)] if n.isdecimal() and int(n) > 0:
                return f"(({self.number(x)}) mod {n})"
            case ["*", *factors] if len(factors) > 2:
                return self.number(["*", factors[0], ["*", *factors[1:]]])
            case ["*", a, b]:
                for factor, x in ((_constant(a), b), (_constant(b), a)):
                    if factor is not None:  # isl takes a product only by a number, on its left
                        return f"({factor} * {self.number(x)})"
        raise NotLinear(str(t)[:80])

    def _symbol(self, name: str) -> str:
        if name in self.definitions:
            text = self.number(self.definitions[name])
            if len(text) > MOST_LETTERS:  # definitions of definitions can double each time
                raise NotLinear(f"{name} is too long to be written out")
            return text
        if name not in self.names:
            raise NotLinear(name)
        return self.names[name]


def _constant(t: Term) -> int | None:
    match t:
        case str(word) if word.isdecimal():
            return int(word)
        case ["-", str(word)] if word.isdecimal():
            return -int(word)
        case ["*", *factors]:
            known = [_constant(f) for f in factors]
            return None if None in known else prod(n for n in known if n is not None)
    return None
