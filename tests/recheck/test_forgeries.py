"""Certificates that are forged in the ways that once got the word `confirmed`, and others of their kinds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from symlayout import (
    Layout,
    all_of,
    atoms,
    bijective,
    equal,
    injective,
    make_tiled_copy_B,
    make_tiled_mma,
    prove,
)
from symlayout.certificate import Certificate, certify, load
from symlayout.errors import NotationError
from symlayout.memory_claim import memory_correct
from symlayout.recheck import Report, Worker, recheck, solvers
from symlayout.recheck.process import Ask
from symlayout.sentence import phrase

PERMUTED = (32, Layout((8, 2, 2), (1, 16, 8)), 16)
SILENT = make_tiled_mma(atoms.SM80_16x8x16_F32F16F16F32_TN, (2, 1, 1), PERMUTED)
COPY = make_tiled_copy_B(atoms.SM75_U32x4_LDSM_N, SILENT)
ZERO = {"kind": "relations", "given": [], "hold": ["0 = 0"], "digits": []}
Q = {"name": "q", "from": 1, "below": None}


@pytest.fixture(scope="module")
def asked() -> Iterator[Mapping[str, Ask]]:
    with Worker() as worker:
        yield solvers(worker)


@pytest.fixture(scope="module")
def refuted() -> Certificate:
    """CuTe's silent permutation of registers."""
    claim = COPY.retile_correct(SILENT, "B", (64, 32))
    return certify(claim, prove(claim))


def forged(certificate: Certificate, claim: dict[str, Any] | None = None, **changed: Any) -> Certificate:
    content = {**certificate.content, **changed}
    return Certificate({**content, "claim": {**content["claim"], **(claim or {})}})


def stating(certificate: Certificate, *items: dict[str, Any], **changed: Any) -> Certificate:
    """The same file about something else, with the title and the parts that fit."""
    parts = [{"says": phrase(item), **item} for item in items if item["kind"] not in ("retile", "memory")]
    made = forged(
        certificate,
        {"data": {"kind": "all of", "claims": list(items)}, "parts": parts},
        **changed,
    )
    return forged(made, {"text": made.sentence})


def findings(report: Report) -> str:
    return "\n".join(text for _, text in report.findings)


def confirmed(certificate: Certificate, asked: Mapping[str, Ask], strict: bool = False) -> bool:
    """As the command line does it: a file that is not in the language is not confirmed."""
    try:
        return recheck(load(certificate.text().encode()), asked, strict=strict).exit_code == 0
    except NotationError:
        return False


def test_as_they_are(refuted: Certificate, asked: Mapping[str, Ask]) -> None:
    report = recheck(refuted, asked)
    assert report.exit_code == 0
    where = "that it fails at thread = 0, value = 4, slot = 8"
    assert report.says.startswith(f"{where}: retile_D of B: of SM80_16x8x16")


@pytest.mark.parametrize("strict", [False, True])
def test_a_refuted_retile_is_not_proved_by_its_first_parts(
    refuted: Certificate, strict: bool, asked: Mapping[str, Ask]
) -> None:
    proved: dict[str, Any] = {"verdict": "proved", "witness": {}}
    parts = refuted.parts
    title = {"text": "retile_D of B is correct", "called": "retile_D of B is correct"}
    zero = {"says": "0 = 0", **ZERO}
    for claim in (
        {"parts": parts[:2]},
        {"parts": [zero]},
        {"parts": [zero], "data": {"kind": "all of", "claims": [ZERO]}},
        {"parts": [zero], "data": {"kind": "all of", "claims": [ZERO]}, **title},
        {"parts": parts[:2], **title},
        {},
    ):
        made = forged(refuted, claim, **proved)
        assert not confirmed(made, asked, strict)
        report = recheck(made, asked, strict=strict)
        if report.wrong:
            assert "is false at thread = 0, value = 4, slot = 8" in findings(report)


def test_what_is_confirmed_is_said_in_the_words_of_the_data(
    refuted: Certificate, asked: Mapping[str, Ask]
) -> None:
    honest = stating(refuted, ZERO, verdict="proved", witness={})
    report = recheck(forged(honest, {"called": "retile_D of B is correct"}), asked)
    assert report.exit_code == 0
    assert report.lines()[:2] == ["confirmed: 0 = 0", "  called by its author: retile_D of B is correct"]


def test_the_instruction_is_the_catalogue_s(refuted: Certificate, asked: Mapping[str, Ask]) -> None:
    (item,) = refuted.items
    right = {**item, "view": str(COPY.right_view(SILENT, "B", (64, 32)))}
    good = recheck(stating(refuted, right, verdict="proved", witness={}), asked)
    assert good.exit_code == 0
    assert f"in the view {right['view']}, which has each register once" in good.says
    other = {**right, "copy": {**right["copy"], "name": "SM75_U16x8_LDSM_T"}}
    report = recheck(stating(refuted, other, verdict="proved", witness={}), asked)
    assert report.exit_code == 3
    assert "SM75_U16x8_LDSM_T is ((4,8)" in findings(report)
    unknown = {**right, "mma": {**right["mma"], "name": "SM80_OF_MY_OWN"}}
    assert "not in the catalogue" in findings(recheck(stating(refuted, unknown, verdict="proved"), asked))


@pytest.mark.parametrize(
    "witness",
    [{"q": -7}, {"q": 0}, {"q": 1.0}, {"q": True}, {}, {"q": 1, "r": 1}, {"q": "1"}, {"q": [1]}],
)
@pytest.mark.parametrize("strict", [False, True])
def test_a_witness_lies_in_the_domain(
    refuted: Certificate, witness: dict[str, Any], strict: bool, asked: Mapping[str, Ask]
) -> None:
    positive = {**ZERO, "hold": ["0 < q"]}
    made = stating(refuted, positive, domain=[Q], witness=witness)
    assert not confirmed(made, asked, strict)
    assert recheck(made, asked, strict=strict).exit_code == 1


def test_a_witness_satisfies_the_facts(refuted: Certificate, asked: Mapping[str, Ask]) -> None:
    small = {**ZERO, "hold": ["q < 9"]}
    facts = ["q%2 = 0"]
    made = stating(refuted, small, domain=[Q], facts=facts, witness={"q": 9})
    assert "q%2 = 0 does not hold there" in findings(recheck(made, asked))
    assert confirmed(stating(refuted, small, domain=[Q], facts=facts, witness={"q": 10}), asked)
    premise = {**small, "given": ["q < 9"]}
    assert not confirmed(stating(refuted, premise, domain=[Q], witness={"q": 10}), asked)


@pytest.fixture(scope="module")
def huge() -> Certificate:
    claim = bijective(Layout((1 << 20, 1 << 20), (1 << 20, 1)))
    return certify(claim, prove(claim))


@pytest.mark.parametrize(
    "item",
    [
        {"kind": "covers", "map": "(1048576,1048576):(2,1048576)", "n": str(1 << 40), "times": None},
        {
            "kind": "equal maps",
            "a": "Sw<1,0,39> o 0 o (1048576,1048576):(1,1048576)",
            "b": "(1048576,1048576):(1,1048576)",
        },
        {"kind": "injective", "map": "(1048576,1048576):(1,1048575)"},
    ],
)
@pytest.mark.parametrize("strict", [False, True])
def test_true_obligations_of_another_claim_carry_nothing(
    huge: Certificate, item: dict[str, Any], strict: bool, asked: Mapping[str, Ask]
) -> None:
    assert recheck(huge, asked).exit_code == 0
    assert not confirmed(stating(huge, {"given": [], **item}), asked, strict)
    parts = [*huge.parts, {"says": phrase(item), "given": [], **item}]
    assert not confirmed(forged(huge, {"parts": parts}), asked, strict)


@pytest.mark.parametrize(
    "item",
    [
        {**ZERO, "hold": []},
        {"kind": "covers", "given": [], "map": "4:1", "n": "-1", "times": None},
        {"kind": "covers", "given": [], "map": "4:1", "n": "0", "times": None},
        {"kind": "covers", "given": [], "map": "4:1", "n": "4", "times": "0"},
        {**ZERO, "given": ["1 < 0"]},
        {**ZERO, "hold": ["x = 1"], "digits": [{"name": "x", "from": 0, "below": 0}]},
        {"kind": "unstated", "given": [], "why": "it is so"},
        {"kind": "injective", "given": [], "map": "0:1"},
        {"kind": "injective", "given": [], "map": ":"},
        {"kind": "equal maps", "given": [], "a": "(2,2):(1@0,1)", "b": "(2,2):(1@0,5)"},
    ],
)
@pytest.mark.parametrize("strict", [False, True])
def test_what_says_nothing_is_not_confirmed(
    refuted: Certificate, item: dict[str, Any], strict: bool, asked: Mapping[str, Ask]
) -> None:
    assert not confirmed(stating(refuted, item, verdict="proved", witness={}), asked, strict)


@pytest.mark.parametrize(
    "item",
    [
        {**ZERO, "hold": ["0 = 0 # and retile_D of B is correct"]},
        {**ZERO, "hold": ["0 = 0\n"]},
        {"kind": "injective", "given": [], "map": "4:1 # retile_D of B is correct"},
        {
            **{
                "kind": "spread",
                "given": [],
                "map": "(2,1):(1,0)",
                "lanes": "2",
                "unit": "1",
                "classes": "2",
            },
            **{"low": "1", "high": "1", "each_lane": False},
            "groups": [{"name": "retile_D of B is correct", "size": "1"}],
        },
    ],
)
def test_nothing_is_printed_that_is_not_read(
    refuted: Certificate, item: dict[str, Any], asked: Mapping[str, Ask]
) -> None:
    assert not confirmed(stating(refuted, item, verdict="proved", witness={}), asked)


def test_no_words_beside_an_instruction(refuted: Certificate, asked: Mapping[str, Ask]) -> None:
    (item,) = refuted.items
    right = {**item, "view": str(COPY.right_view(SILENT, "B", (64, 32)))}
    assert confirmed(stating(refuted, right, verdict="proved", witness={}), asked)
    permutation = ["any, and it is fast", *item["mma"]["permutation"][1:]]
    for changed in (
        {"tensor": f"{item['tensor']}: and of any other"},
        {"mma": {**item["mma"], "permutation": permutation}},
        {"copy": {**item["copy"], "type": "anything"}},
    ):
        assert not confirmed(stating(refuted, {**right, **changed}, verdict="proved", witness={}), asked)


def test_what_the_author_says_is_one_line(refuted: Certificate, asked: Mapping[str, Ask]) -> None:
    report = recheck(forged(refuted, {"called": "it is so\nconfirmed: \x1b[2Jall is well"}), asked)
    assert report.lines()[1] == "  called by its author: it is so confirmed: [2Jall is well"


def test_no_point_of_the_domain(refuted: Certificate, asked: Mapping[str, Ask]) -> None:
    for changed in ({"domain": [{**Q, "below": 1}]}, {"domain": [Q], "facts": ["q < 1"]}):
        made = stating(refuted, ZERO, verdict="proved", witness={}, **changed)
        assert "says nothing" in findings(recheck(made, asked))


def test_unknown_fields(refuted: Certificate, asked: Mapping[str, Ask]) -> None:
    (item,) = refuted.items
    for made in (
        stating(refuted, {**ZERO, "because": "it is so"}, verdict="proved"),
        forged(refuted, remark="as was shown"),
        forged(refuted, {"remark": "as was shown"}),
        stating(refuted, {k: v for k, v in item.items() if k != "side"} | {"side": "D", "note": ""}),
    ):
        assert not confirmed(made, asked)


def test_a_claim_over_a_part_and_an_instruction(asked: Mapping[str, Ask]) -> None:
    mma = make_tiled_mma(atoms.SM80_16x8x16_F32F16F16F32_TN)
    copy = make_tiled_copy_B(atoms.SM75_U32x2_LDSM_N, mma)
    right = copy.retile_correct(mma, "B", (8, 16))
    claim = all_of(right, injective(Layout(8)), memory_correct(copy, Layout((8, 16), (16, 1))))
    certificate = certify(claim, prove(claim))
    assert [i["kind"] for i in certificate.items][:2] == ["retile", "injective"]
    assert recheck(certificate, asked).exit_code == 0
    fewer = stating(certificate, *certificate.items[:1])
    assert recheck(fewer, asked).says == phrase(certificate.items[0])


def test_a_load_that_is_wrong_is_refuted_where_it_is(asked: Mapping[str, Ask]) -> None:
    mma = make_tiled_mma(atoms.SM80_16x8x16_F32F16F16F32_TN)
    copy = make_tiled_copy_B(atoms.SM75_U32x2_LDSM_N, mma)
    for tensor in (Layout((8, 16), (1, 8)), Layout((8, 16), (17, 1)), Layout((12, 16), (16, 1))):
        claim = memory_correct(copy, tensor)
        certificate = certify(claim, prove(claim))
        assert certificate.verdict == "refuted"
        assert recheck(certificate, asked).exit_code == 0
        moved = {k: x + 1 for k, x in certificate.witness.items()}
        assert recheck(forged(certificate, witness=moved), asked).exit_code == 1


def test_a_false_obligation_does_not_make_the_claim_false(asked: Mapping[str, Ask]) -> None:
    def body(a: Any) -> Any:
        return equal(a % 4 + 4 * (a // 4), a)

    certificate = certify(body, prove(body, a=8), {"a": 8})
    text = "(set-logic QF_LIA)(declare-const a Int)(assert (< a 4))(check-sat)"
    from symlayout.certificate import hash_of

    obligation = {"smt2": text, "sha256": hash_of(text), "expected": "unsat"}
    report = recheck(forged(certificate, obligations=[obligation]), asked)
    assert (report.exit_code, report.lines()[0]) == (1, "false: the certificate, not what it claims")
