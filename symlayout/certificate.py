"""Certificates: why a verdict should be believed, in a file that somebody else can check.

    claim = copy.retile_correct(mma, "A", (16, 16))
    certify(claim, prove(claim)).write("retile.json")        # $ symlayout recheck retile.json

A file is one JSON object, `FIELDS` below:

- what is claimed: `claim.data` (claim_data.py) for all digits of `domain` that satisfy `facts`. `claim.text`
  is the sentence that they make (sentence.py), `claim.called` what the author calls it;
- what helps to show it: the `parts` that the prover took the claim apart into (statement.py), and every
  obligation as SMT-LIB 2 text with the answer that it must have and its hash. A refuted claim has a witness
  instead;
- who decided it with which versions, and when.

The text is canonical: keys sorted, indented by two blanks, a newline at the end; `sha256` is the hash of that
text without the field itself. `read` makes the text anew and compares, so one flipped byte anywhere is seen.
The hash finds damage, not forgery: whoever writes a false claim can hash it too. That it is false, or that
an obligation is, is what `recheck` finds.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from keyword import iskeyword, kwlist
from pathlib import Path
from typing import Any

from .claim import Claim
from .claim_data import claim_data
from .dim import make
from .errors import LayoutError, NotationError, UnsupportedError
from .formula import Obligation
from .names import spelled
from .over_parameters import distinct, parameters
from .polynomial import show
from .question import read_question
from .sentence import LETTERS, phrase, sentence
from .smtlib import to_smtlib
from .statement import digit, plain, relation, statement
from .symbolic import Var
from .verdict import Proved, Refuted, Verdict

FORMAT = "symlayout certificate 2"
OLDER = ("symlayout certificate 1",)
MOST_BYTES = 64 << 20
MAP = object()  # the form of a text, or of {"offset": text, "layout": map}

DIGIT: dict[str, Any] = {"name": str, "from": int, "below": (int, str, None)}
COPY: dict[str, Any] = {
    **dict.fromkeys(("name", "type", "source", "destination", "reference"), str),
    "tv": (str, None),
    "tiler": ([(int, str)], None),
}
KINDS: dict[str, dict[str, Any]] = {  # the fields of a part, besides `kind`, `says` and `given`
    "relations": {"hold": [str], "digits": [DIGIT]},
    "equal maps": {"a": MAP, "b": MAP},
    "within": {"map": MAP, "low": str, "below": str},
    "aligned": {"map": MAP, "by": str},
    "injective": {"map": MAP},
    "disjoint": {"a": MAP, "b": MAP},
    "covers": {"map": MAP, "n": str, "times": (str, None)},
    "delivered": {
        **dict.fromkeys(("threads", "fragment", "view"), MAP),
        "expected": [MAP],
        "delivered": [MAP],
    },
    "spread": {
        "map": MAP,
        **dict.fromkeys(("lanes", "unit", "classes", "low", "high"), str),
        "each_lane": bool,
        "groups": [{"name": str, "size": str}],
    },
    "unstated": {"why": str},
}
ITEMS: dict[str, dict[str, Any]] = {  # what is not said of maps alone
    "retile": {
        "mma": {
            **dict.fromkeys(("name", "threads", "layout", "atoms"), str),
            "shape": [int],
            "permutation": [(int, str, None)],
        },
        "copy": COPY,
        "operand": ("A", "B", "C"),
        "side": ("S", "D"),
        **dict.fromkeys(("tensor", "fragment", "view"), str),
    },
    "memory": {"says": ("contiguous", "aligned", "inside"), "copy": COPY, "tensor": str, "side": ("S", "D")},
}
PARTS = tuple({"kind": (kind,), "says": str, "given": [str], **own} for kind, own in KINDS.items())
CLAIMS = tuple({"kind": (kind,), "given": [str], **own} for kind, own in (KINDS | ITEMS).items())
FIELDS: dict[str, Any] = {
    "format": (FORMAT,),
    "name": str,
    "claim": {
        "text": str,
        "called": str,
        "data": {"kind": ("all of",), "claims": [CLAIMS]},
        "parts": [PARTS],
    },
    "domain": [DIGIT],
    "facts": [str],
    "verdict": ("proved", "refuted"),
    "witness": dict,
    "obligations": [{"smt2": str, "sha256": str, "expected": ("unsat", "sat")}],
    "engine": str,
    "cross_checked": [str],
    "versions": dict,
    "date": str,
}


@dataclass(frozen=True)
class Certificate:
    """The content of a file, without its hash; `certify` and `read` make one."""

    content: dict[str, Any]

    @property
    def name(self) -> str:
        return str(self.content["name"])

    @property
    def claim(self) -> str:
        """The statement in words, as the file has it."""
        return str(self.content["claim"]["text"])

    @property
    def called(self) -> str:
        """What its author calls it."""
        return str(self.content["claim"]["called"])

    @property
    def sentence(self) -> str:
        """The statement that the data make."""
        return sentence(self.content["claim"]["data"], self.domain, self.facts)

    @property
    def items(self) -> list[dict[str, Any]]:
        """The data of the claim."""
        return list(self.content["claim"]["data"]["claims"])

    @property
    def facts(self) -> list[str]:
        return list(self.content["facts"])

    @property
    def parts(self) -> list[dict[str, Any]]:
        return list(self.content["claim"]["parts"])

    @property
    def domain(self) -> list[dict[str, Any]]:
        return list(self.content["domain"])

    @property
    def obligations(self) -> list[dict[str, str]]:
        return list(self.content["obligations"])

    @property
    def verdict(self) -> str:
        return str(self.content["verdict"])

    @property
    def witness(self) -> dict[str, Any]:
        return dict(self.content["witness"])

    def text(self) -> str:
        """The file's text, with the hash over all of it."""
        return canonical({**self.content, "sha256": hash_of(canonical(self.content))})

    def write(self, path: str | Path) -> None:
        """Raises OSError."""
        Path(path).write_bytes(self.text().encode())


def certify(
    claim: Claim | Callable[..., Claim],
    verdict: Verdict,
    quantifiers: Mapping[str, int] | None = None,
    *,
    name: str = "",
) -> Certificate:
    """The certificate of a verdict that `prove(claim, **quantifiers)` gave.

    Raises LayoutError for a verdict that decides nothing: unknown, bounded, vacuous.
    """
    if not isinstance(verdict, (Proved, Refuted)):
        raise LayoutError(f"no certificate: {verdict.name} is not proved and not refuted: {verdict.claim}")
    question = read_question(claim, quantifiers or {})
    stated, free = question.claim, question.free
    found = parameters((free, stated))
    as_printed = spelled([*found, *(v.name for v in free)])
    renamed = _own_words(verdict, set(as_printed.values()))
    if found:  # whose names may be anything: here they are Python's, and no claim's own words for a witness
        free, stated = distinct((free, stated), {*kwlist, "__debug__", *renamed.values()}, plain)
        found = parameters((free, stated))
    renamed |= {as_printed[v]: str(v) for v in (*found, *(w.name for w in free))}
    facts = [plain(f"{show(fact)} >= 0") for v in found for fact in v.facts]
    facts += [plain(f"({show(p)}) % ({show(n)}) = 0") for v in found for n, p in v.divides]
    facts += [relation(r) for r in stated.premises]
    facts = list(dict.fromkeys(facts))
    refuted = isinstance(verdict, Refuted)
    items = claim_data(stated, refuted)
    data = {"kind": "all of", "claims": items}
    parts = [statement(part) for part in stated.parts()]
    for part in (*parts, *items):
        part["given"] = [g for g in part["given"] if g not in facts]
    for part in parts:
        part["says"] = phrase(part)
    domain = [
        *(digit(v.name, v.least, None if v.bound is None else make(v.bound)) for v in found),
        *(digit(v.name, v.lower, v.bound) for v in free if v.param is None),
    ]
    obligations: list[dict[str, str]] = []
    if isinstance(verdict, Proved):
        texts = dict.fromkeys(_settings(stated, free), "sat") | dict.fromkeys(verdict.certificate, "unsat")
        obligations = [{"smt2": t, "sha256": hash_of(t), "expected": e} for t, e in texts.items()]
    return Certificate(
        {
            "format": FORMAT,
            "name": name,
            "claim": {
                "text": sentence(data, domain, facts),
                "called": verdict.claim,
                "data": data,
                "parts": parts,
            },
            "domain": domain,
            "facts": facts,
            "verdict": verdict.name,
            "witness": _witness(verdict, renamed),
            "obligations": obligations,
            "engine": verdict.engine if isinstance(verdict, Proved) else "computed",
            "cross_checked": list(verdict.cross_checked) if isinstance(verdict, Proved) else [],
            "versions": _versions(),
            "date": datetime.now(UTC).isoformat(timespec="seconds"),
        }
    )


def _own_words(verdict: Verdict, taken: set[str]) -> dict[str, str]:
    """What a refuted claim calls the digits of its own in a witness: `i_` there is `i` beside an `i` of the
    user's."""
    own = [name for name in verdict.to_json().get("witness", {}) if name not in taken]
    return {name: name.rstrip("_") if name.rstrip("_") in taken else name for name in own}


def _witness(verdict: Verdict, renamed: Mapping[str, str]) -> dict[str, Any]:
    """The witness of a refutation, its digits called as in the domain."""
    found = verdict.to_json().get("witness", {})
    return {renamed.get(name, name): x for name, x in found.items()}


def _settings(claim: Claim, free: tuple[Var, ...]) -> list[str]:
    """For each part with premises: a point meets them, so the part says something."""
    texts = []
    for part in claim.parts():
        if part.premises:
            digits = tuple(dict.fromkeys((*free, *part.free())))
            about = Obligation(f"a point meets the premises of: {part}", digits, part.premises, ())
            try:
                texts.append(to_smtlib(about, goal=False))
            except UnsupportedError:  # then computing has to find the point
                continue
    return texts


def _versions() -> dict[str, str]:
    """Of what wrote the certificate."""
    try:
        z3 = version("z3-solver")
    except PackageNotFoundError:
        z3 = "unknown"
    # the front door is above this storey, but whoever runs this has come through it
    return {"symlayout": str(getattr(sys.modules[__package__], "__version__", "unknown")), "z3": z3}


def hash_of(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def canonical(content: Any) -> str:
    """The one text of a content, as `jq -S` prints it too."""
    return json.dumps(content, indent=2, sort_keys=True, ensure_ascii=False, allow_nan=False) + "\n"


def read(path: str | Path) -> Certificate:
    """The certificate in a file. Raises OSError, and NotationError for another file or a damaged one."""
    where = Path(path)
    if where.stat().st_size > MOST_BYTES:
        raise NotationError(f"{path}: larger than {MOST_BYTES >> 20} MiB, which no certificate is")
    try:
        return load(where.read_bytes())
    except NotationError as error:
        raise NotationError(f"{path}: {error}", error.text, error.column) from None


def load(data: bytes) -> Certificate:
    """The certificate that a file's bytes are. Raises NotationError."""
    try:
        return _load(data.decode())
    except UnicodeDecodeError as error:
        raise NotationError(f"no certificate: byte {error.start} is not UTF-8") from None
    except json.JSONDecodeError as error:
        line = "".join(c if c.isprintable() else " " for c in error.doc.split("\n")[error.lineno - 1][:200])
        message = f"no certificate, or not all of it: {error.msg} in line {error.lineno}"
        raise NotationError(message, line, error.colno - 1) from None
    except RecursionError:
        raise NotationError("no certificate: it is nested too deep") from None


def _load(text: str) -> Certificate:
    try:
        content = json.loads(text)
        again = canonical(content)
    except ValueError as error:  # numbers that Python does not read, or that JSON does not have
        if isinstance(error, json.JSONDecodeError):
            raise
        raise NotationError(f"no certificate: {error}") from None
    if isinstance(content, dict) and content.get("format") in OLDER:
        raise NotationError(
            f'a certificate of an older format, "{content["format"]}", which did not say what it is about\n'
            "  prove the claim again with --certificate"
        )
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise NotationError(f'no certificate: it has no "format": "{FORMAT}"')
    stated = content.pop("sha256", None)
    fault = _fault(content, FIELDS, "the certificate")
    if fault:
        raise NotationError(f"no certificate: {fault}")
    for part in (*content["claim"]["parts"], *content["claim"]["data"]["claims"]):
        groups = [group["name"] for group in part.get("groups", ())]
        digits = [d["name"] for d in (*content["domain"], *part.get("digits", ()))]
        for names in (digits, groups):
            if len(set(names)) != len(names) or not all(map(_is_name, names)):
                raise NotationError(
                    f"no certificate: {', '.join(map(ascii, names))} are not names of digits, each of its own"
                )
    if again != text:
        raise NotationError("damaged: its text is not the one that its content has in a certificate")
    for k, obligation in enumerate(content["obligations"]):
        if obligation["sha256"] != hash_of(obligation["smt2"]):
            raise NotationError(f"damaged: the hash of obligation {k} is not that of its text")
    if stated != hash_of(canonical(content)):
        raise NotationError("damaged: its hash is not that of its content")
    return Certificate(content)


def _is_name(text: str) -> bool:
    """Whether a text is a name that is read as it stands."""
    letters = re.fullmatch(f"[{LETTERS}]+", text) is not None
    return letters and text.isidentifier() and not iskeyword(text) and text != "__debug__"


def _fault(value: Any, form: Any, where: str) -> str | None:
    """Why a value has not a form: a type, MAP, None, literal text, a list of one form, an object with exactly
    these keys, or a tuple of such, one of which it has to have."""
    if form is MAP:
        form = {"offset": str, "layout": MAP} if isinstance(value, dict) else str
    if isinstance(form, tuple):
        fits = any(_fault(value, one, where) is None for one in form)
        return None if fits else f"{where} is nothing that may stand there"
    if isinstance(form, list):
        if not isinstance(value, list):
            return f"{where} is not a list"
        return next((f for k, v in enumerate(value) if (f := _fault(v, form[0], f"{where}[{k}]"))), None)
    if isinstance(form, dict):
        if not isinstance(value, dict) or value.keys() != form.keys():
            return f"{where} has not the keys {', '.join(form)}"
        return next((f for key in form if (f := _fault(value[key], form[key], f"{where}.{key}"))), None)
    fits = type(value) is form if isinstance(form, type) else value == form
    return None if fits else f"{where} is {value!r:.60}"
