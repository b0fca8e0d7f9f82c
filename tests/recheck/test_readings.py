"""Certificates that a reader and a program would not understand alike, and those that would keep it busy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from symlayout import Layout, atoms, equal, evaluator, make_tiled_copy_C, make_tiled_mma, prove
from symlayout.certificate import FORMAT, Certificate, certify, hash_of, load
from symlayout.errors import NotationError
from symlayout.recheck import Report, Worker, recheck, solvers
from symlayout.recheck.process import Ask
from symlayout.sentence import LETTERS, phrase, sentence

A = {"name": "a", "from": 0, "below": 8}
N = {"name": "n", "from": 0, "below": None}


@pytest.fixture(scope="module")
def asked() -> Iterator[Mapping[str, Ask]]:
    with Worker() as worker:
        yield solvers(worker)


def made(item: dict[str, Any], *domain: dict[str, Any], **changed: Any) -> Certificate:
    """A file with the title and the parts that fit, hashed by the published rule."""
    data = {"kind": "all of", "claims": [item]}
    facts = changed.get("facts", [])
    text = sentence(data, domain, facts)
    content = {
        **{"format": FORMAT, "name": "", "engine": "z3", "cross_checked": [], "versions": {}, "date": ""},
        **{"domain": list(domain), "facts": facts, "verdict": "proved", "witness": {}, "obligations": []},
        "claim": {"text": text, "called": "", "data": data, "parts": [{"says": phrase(item), **item}]},
    }
    return Certificate({**content, **changed})


def holds(*relations: str, **more: Any) -> dict[str, Any]:
    return {"kind": "relations", "given": [], "hold": list(relations), "digits": [], **more}


def rechecked(certificate: Certificate, asked: Mapping[str, Ask], seconds: float = 20.0) -> Report:
    return recheck(load(certificate.text().encode()), asked, time_limit=seconds)


@pytest.mark.parametrize("name", ["\uff41", "\u0430", "\xaa", "__debug__", "if", "None", "a b", "\x1b[2J"])
def test_names_that_are_not_read_as_they_stand(name: str, asked: Mapping[str, Ask]) -> None:
    for digit in (A, {**A, "name": name}):  # Python takes the first and the third for the digit a
        with pytest.raises(NotationError) as raised:
            rechecked(made(holds(f"{name} = 0"), digit), asked)
        assert str(raised.value).isprintable()


def test_letters_are_those_that_are_read() -> None:
    assert LETTERS == evaluator.LETTERS


def test_debug_is_no_digit(asked: Mapping[str, Ask]) -> None:
    with pytest.raises(NotationError):  # Python's constant, whatever a domain says
        rechecked(made(holds("__debug__ = 1")), asked)


@pytest.mark.parametrize("body", [lambda α: equal(α % 4 % 4, α % 4), lambda ж: equal(ж % 4 % 4, ж % 4)])
def test_names_of_other_letters_are_spelled_out(body: Any, asked: Mapping[str, Ask]) -> None:
    (name,) = body.__code__.co_varnames
    quantifiers: dict[str, Any] = {name: 64}
    certificate = certify(body, prove(body, **quantifiers), quantifiers)
    assert rechecked(certificate, asked).exit_code == 0
    assert certificate.domain[0]["name"] == {"\u03b1": "\u03b1", "\u0436": "_436"}[name]


@pytest.mark.parametrize("kind", ["injective", "within"])
def test_a_map_that_is_none_far_out(kind: str, asked: Mapping[str, Ask]) -> None:
    ends = {"low": "0", "below": "20"} if kind == "within" else {}
    item = {"kind": kind, "given": [], "map": "(20 - n):(1)", **ends}
    assert rechecked(made(item, N), asked).exit_code != 0
    assert rechecked(made({**item, "given": ["n < 20"]}, N), asked).exit_code == 0


def test_a_register_that_is_expected_to_hold_two_elements(asked: Mapping[str, Ask]) -> None:
    delivered = {"kind": "delivered", "given": [], "threads": "1:0", "fragment": "2:0", "view": "1:0"}
    for given in ("0", "1"):
        item = {**delivered, "expected": ["2:1"], "delivered": [{"offset": given, "layout": "1:0"}]}
        assert rechecked(made(item), asked).exit_code != 0


def test_what_an_author_calls_an_obligation_is_said_as_such(asked: Mapping[str, Ask]) -> None:
    powers = "(= (+ (* a a a a a) (* b b b b b)) (* c c c c c))"
    text = "; \x1b[1A\x1b[2Kconfirmed: 1 = 2\n(set-logic QF_NIA)\n"
    text += "".join(f"(declare-const {x} Int)\n(assert (> {x} 0))\n" for x in "abc")
    text += f"(assert {powers})\n(check-sat)\n"
    obligation = {"smt2": text, "sha256": hash_of(text), "expected": "unsat"}
    report = rechecked(made(holds("0 = 0"), obligations=[obligation]), asked, 0.2)
    lines = report.lines()
    assert report.exit_code == 0
    assert all(line.isprintable() for line in lines)
    assert [line for line in lines if "1 = 2" in line] == [
        "  obligation 0, which its author calls: [1A[2Kconfirmed: 1 = 2"
    ]


@pytest.mark.parametrize(
    ("item", "domain"),
    [
        (holds("0 = 0"), [{**A, "below": 10**12}, {**A, "name": "b", "below": 0}]),
        (holds("x = 0", digits=[{"name": "x", "from": 0, "below": 0}]), [{**A, "below": 10**12}]),
        (holds(*["a ^ 1 >= 0"] * 1000), [{**A, "below": 1 << 17}]),
        (holds("*".join(["9" * 4000] * 80) + " >= 0"), [N]),
    ],
)
def test_what_would_take_long_is_not_looked_at_long(
    item: dict[str, Any], domain: list[dict[str, Any]], asked: Mapping[str, Ask]
) -> None:
    try:
        report = rechecked(made(item, *domain), asked, 1.0)
    except NotationError:  # a number of too many digits
        return
    assert report.exit_code != 0
    assert report.points < 5000


def test_a_refutation_that_cannot_be_computed_is_not_called_false(asked: Mapping[str, Ask]) -> None:
    mma = make_tiled_mma(
        atoms.SM70_8x8x4_F32F16F16F32_TN, (1, 2, 1), (Layout((8, 2, 2), (1, 16, 8)), None, None)
    )
    claim = make_tiled_copy_C(atoms.SM75_U32x4_LDSM_N, mma).retile_correct(mma, "C", (32, 16))
    verdict = prove(claim)
    assert verdict.name == "refuted"
    report = rechecked(certify(claim, verdict), asked)
    assert (report.exit_code, report.verdict) in ((0, "confirmed"), (3, "undecided"))
    unstated = {"kind": "unstated", "given": [], "why": "it is so"}
    assert rechecked(made(unstated, verdict="refuted"), asked).exit_code == 3


def test_facts_that_are_nested_too_deep(asked: Mapping[str, Ask]) -> None:
    with pytest.raises(NotationError):
        rechecked(made(holds("0 = 0"), A, facts=["+".join(["1"] * 1500) + " >= 0"]), asked)
