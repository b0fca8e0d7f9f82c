"""retile_correct against everything that CuTe was seen to do: counts of wrong registers, witnesses, right
views."""

import json
from pathlib import Path
from typing import Any

import pytest

from symlayout import Layout, atoms, parse
from symlayout.checklist import checklist
from symlayout.claim import Claim
from symlayout.copy_tiling import TiledCopy
from symlayout.decide import prove
from symlayout.delivery import Delivery
from symlayout.errors import LayoutError
from symlayout.retile_claim import Delivered, retile_claim
from symlayout.tiled_copy import make_tiled_copy_A, make_tiled_copy_B, make_tiled_copy_C
from symlayout.tiled_mma import TiledMMA, make_tiled_mma
from symlayout.verdict import Proved, Refuted

GOLDEN = Path(__file__).parent / "golden"
MAKE = {"A": make_tiled_copy_A, "B": make_tiled_copy_B, "C": make_tiled_copy_C}
SM80 = "SM80_16x8x16_F32F16F16F32_TN"


def records(name: str) -> list[dict[str, Any]]:
    """The records in which CuTe made a retile."""
    with (GOLDEN / name).open() as lines:
        found = [json.loads(line) for line in lines]
    return [r for r in found if not {"copy", "retile"} & set(r.get("rejects", {}))]


def built(record: dict[str, Any]) -> tuple[TiledCopy, TiledMMA, Layout]:
    mma = make_tiled_mma(record["mma"], parse(record["atom"]), parse(record["perm"]), unchecked=True)
    atom = atoms.copy(record["copy"])
    copy = MAKE[record["op"]](atom.with_type(record["vt"]) if "vt" in record else atom, mma)
    return copy, mma, parse(record["tensor"])


def stated(record: dict[str, Any]) -> Claim:
    copy, mma, tensor = built(record)
    return copy.retile_correct(mma, record["op"], tensor, side=copy.register_side)


def wrong_registers(claim: Claim) -> int | None:
    """How many registers would be wrong by walking them all; None where the sizes do not even agree."""
    *first, last = claim.parts()
    assert isinstance(last, Delivered)
    if any(part.failure() for part in first):
        return None
    failure = last.failure()
    return 0 if failure is None else failure.count


def test_every_record_has_the_number_of_wrong_registers_that_was_measured() -> None:
    differing = []
    for record in records("tiled.jsonl"):
        found = wrong_registers(stated(record))
        if found != record["valid_bad"]:
            differing.append((record["id"], record["valid_bad"], found))
    assert differing == []


BAD = [r for r in records("tiled.jsonl") if r["valid_bad"]]
SAMPLE = records("tiled.jsonl")[::40]


@pytest.mark.parametrize("record", BAD, ids=[r["id"] for r in BAD])
def test_silently_wrong_retiles_are_refuted_and_repaired(record: dict[str, Any]) -> None:
    copy, mma, tensor = built(record)
    claim = copy.retile_correct(mma, record["op"], tensor)
    verdict = prove(claim)
    assert isinstance(verdict, Refuted)
    assert (verdict.failures, verdict.instances) == (record["valid_bad"], record["valid_total"])
    want, got = tensor(verdict.left), tensor(verdict.right)
    where = "t={thread} i={value} slot={slot}".format(**verdict.witness)
    first = f"{where} mma_wants_offset={want} copy_writes_offset={got}"
    assert first == record["valid_first_bad"]
    by_z3 = prove(claim, confirm_up_to=0)
    assert isinstance(by_z3, Refuted)
    assert by_z3.minimal
    assert by_z3.witness == verdict.witness, "z3's bisection finds the same least witness"
    right = copy.right_view(mma, record["op"], tensor)
    assert f"the right view is {right} (proved)" in verdict.explanation
    assert isinstance(
        prove(copy.retile_correct(mma, record["op"], tensor, view=right), confirm_up_to=0), Proved
    )


@pytest.mark.parametrize("record", SAMPLE, ids=[r["id"] for r in SAMPLE])
def test_z3_alone_proves_what_is_right(record: dict[str, Any]) -> None:
    verdict = prove(stated(record), confirm_up_to=0)
    assert isinstance(verdict, Proved) == (record["valid_bad"] == 0), str(verdict)


def test_executed_retiles() -> None:
    """What real cute::copy did on the host, counted by reading the registers."""
    for record in records("retile_e2e_host.jsonl"):
        assert wrong_registers(stated(record)) == record["wrong_registers"], record["id"]


def t184() -> tuple[TiledCopy, TiledMMA, Layout]:
    return built(next(r for r in BAD if r["id"] == "t184"))


def test_the_words_of_a_refutation() -> None:
    copy, mma, tensor = t184()
    verdict = prove(copy.retile_correct(mma, "B", tensor))
    assert isinstance(verdict, Refuted)
    assert verdict.explanation == (
        "at thread = 0, value = 4, slot = 8\n"
        "  register 8 is\n"
        "            (0,2,0) of the fragment ((2,2),(2,2,2),2):((1,2),(16,8,32),4): V 0, N 2, K 0\n"
        "    (((0,1),0),0,0) of the view     (((4,2),2),2,2):(((1,8),16),32,4)\n"
        "  the mma has B(8,0) there, the copy writes B(16,0) there\n"
        "  2048 of 4096 registers hold a wrong element\n"
        "  the right view is (((4,2),2),2,2):(((1,16),8),32,4) (proved)"
    )


def test_walking_every_register_agrees_with_the_closed_form() -> None:
    for record in [*BAD, *SAMPLE]:
        copy, mma, tensor = built(record)
        delivery: Delivery = copy.delivery(mma, record["op"], tensor, side=copy.register_side)
        if not delivery.mismatch:
            assert wrong_registers(retile_claim(delivery, record["op"], "D")) == delivery.wrong_registers


def test_sizes_are_compared_before_any_thread() -> None:
    mma = make_tiled_mma(SM80)
    stmatrix = make_tiled_copy_C(atoms.SM90_U32x1_STSM_N.with_type("half_t"), mma)
    verdict = prove(stmatrix.retile_correct(mma, "C", (16, 8)))
    assert isinstance(verdict, Refuted)
    assert verdict.witness == {}
    assert "partition has 16 values, view has 4; by mode (16,1,1) and (4,1,1)" in verdict.explanation
    assert "use retile_S" in verdict.explanation
    assert isinstance(prove(stmatrix.retile_correct(mma, "C", (16, 8), side="S")), Proved)


def test_a_view_that_repeats_a_register_is_refuted() -> None:
    mma = make_tiled_mma(SM80)
    copy = make_tiled_copy_A(atoms.SM75_U32x1_LDSM_N, mma)
    verdict = prove(copy.retile_correct(mma, "A", (16, 16), view=Layout(((2, 4), 1, 1), ((1, 1), 0, 0))))
    assert isinstance(verdict, Refuted)
    assert "share the value 1" in verdict.explanation


def test_a_view_that_is_one_register_off_is_refuted() -> None:
    mma = make_tiled_mma(SM80)
    copy = make_tiled_copy_A(atoms.SM75_U32x1_LDSM_N, mma)
    verdict = prove(
        copy.retile_correct(mma, "A", (16, 16), view=Layout(((2, (2, 2)), 1, 1), ((1, (4, 2)), 0, 0)))
    )
    assert isinstance(verdict, Refuted)
    assert verdict.witness == {"thread": 0, "value": 2, "slot": 4}
    assert (verdict.left, verdict.right) == ((0, 8), (8, 0))


def holding(claims: tuple[Claim, ...]) -> list[bool]:
    return [isinstance(prove(c), Proved) for c in claims]


def test_the_checklist_names_what_breaks() -> None:
    mma = make_tiled_mma(SM80)
    ldmatrix = make_tiled_copy_A(atoms.SM75_U32x1_LDSM_N, mma)
    assert holding(checklist(ldmatrix, mma, "A", (16, 16))) == [True] * 5
    stmatrix = make_tiled_copy_C(
        atoms.SM90_U32x4_STSM_N.with_type("half_t"), make_tiled_mma(SM80, (1, 1, 1), (16, 16, 16))
    )
    assert holding(checklist(stmatrix, stmatrix.mma, "C", (16, 16))) == [True, True, False, True, False]
    assert holding(checklist(stmatrix, stmatrix.mma, "C", (16, 16), side="S")) == [True] * 5


def test_the_checklist_does_not_imply_the_retile() -> None:
    """CuTe's own assumptions hold for t184, and the retile is wrong: the order of the other modes is one
    too."""
    copy, mma, tensor = t184()
    assert holding(checklist(copy, mma, "B", tensor)) == [True, True, True, True, False]


def test_the_checklist_s_words() -> None:
    mma = make_tiled_mma(SM80)
    few = TiledCopy(atoms.SM75_U32x4_LDSM_N.with_type("half_t"), mma.layout_B_TV, (8, 16))
    with pytest.raises(LayoutError, match="too few vals"):
        make_tiled_copy_B(atoms.SM75_U32x4_LDSM_N, mma)
    threads, values, reference, first = checklist(few, mma, "B", (8, 16))[:4]
    assert prove(threads)
    assert prove(reference)
    assert prove(first)
    assert str(prove(values)) == (
        "Refuted: TiledNumVal % AtomNumVal = 0\n"
        "  TiledNumVal % AtomNumVal = 4 % 8 = 4: whole instructions need 0"
    )
    other = make_tiled_mma(SM80, (1, 1, 1), (16, 8, Layout((2, 4, 2), (1, 4, 2))))
    copy = make_tiled_copy_B(atoms.SM75_U32x1_LDSM_N, other)
    verdict = prove(checklist(copy, mma, "B", (8, 16))[3])
    assert isinstance(verdict, Refuted)
    assert verdict.explanation.splitlines() == [
        "at thread = 1, value = 0",
        "  value 0 of thread 1 is (0,4) in the copy's reference, (0,2) in the mma",
    ]
