"""Every combination that CuTe was asked about: the check of retile against its counts of wrong registers.

That all printed layouts agree is tested in test_conform.py; here are the verdicts and the repaired views.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from symlayout import Inadmissible, Layout, atoms, make_identity_layout, parse
from symlayout.copy_tiling import TiledCopy
from symlayout.tiled_copy import make_tiled_copy_A, make_tiled_copy_B, make_tiled_copy_C
from symlayout.tiled_mma import TiledMMA, make_tiled_mma

GOLDEN = Path(__file__).parent / "golden"
MAKE = {"A": make_tiled_copy_A, "B": make_tiled_copy_B, "C": make_tiled_copy_C}


def records(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (GOLDEN / name).read_text().splitlines()]


def objects(record: dict[str, Any]) -> tuple[TiledMMA, TiledCopy, Layout]:
    mma = make_tiled_mma(record["mma"], parse(record["atom"]), parse(record["perm"]))
    atom = atoms.copy(record["copy"])
    copy = MAKE[record["op"]](atom.with_type(record["vt"]) if "vt" in record else atom, mma)
    tensor = parse(record["tensor"])
    assert isinstance(tensor, Layout)
    return mma, copy, tensor


def check(record: dict[str, Any], side: str, wrong: int) -> None:
    """The default refuses iff registers would be wrong, and the right view is CuTe's own iff none would."""
    mma, copy, tensor = objects(record)
    fragment = mma.fragment(record["op"], tensor)
    retile = copy.retile_S if side == "S" else copy.retile_D
    right = copy.right_view(mma, record["op"], tensor, side=side)
    view = retile(fragment, unchecked=True)
    assert str(view) == record["retile"]
    assert right.shape == view.shape
    if not wrong:
        assert retile(fragment) == view == right
        return
    with pytest.raises(Inadmissible) as e:
        retile(fragment)
    assert right != view
    assert str(right) in str(e.value)
    delivery = copy.delivery(mma, record["op"], tensor, side=side)
    assert delivery.wrong_registers == wrong
    assert delivered(mma, copy, record["op"], tensor, right)


def delivered(mma: TiledMMA, copy: TiledCopy, operand: str, tensor: Layout, view: Layout) -> bool:
    """Whether the view is right, register by register and thread by thread."""
    identity = make_identity_layout(tensor.shape)
    fragment = mma.fragment(operand, tensor)
    for t in mma.thread_ids():
        part = mma.get_slice(t).partition(operand, identity)
        given = copy.get_slice(t).partition_D(identity)
        holds = {view(i): given(i) for i in range(given.size())}
        if holds != {fragment(i): part(i) for i in range(part.size())}:
            return False
    return True


def test_the_check_agrees_with_cute_s_counts() -> None:
    seen = {True: 0, False: 0}
    for record in records("tiled.jsonl"):
        if not record["rejects"]:
            check(record, record["register_side"], record["valid_bad"])
            seen[record["valid_bad"] > 0] += 1
    assert seen == {False: 532, True: 8}


@pytest.mark.parametrize("record", records("retile_e2e_host.jsonl"), ids=lambda r: r["id"])
def test_the_check_agrees_with_what_cute_copy_did(record: dict[str, Any]) -> None:
    check(record, "D", record["wrong_registers"])


@pytest.mark.parametrize(
    "record", records("kernel_retiles.jsonl"), ids=lambda r: f"{r['kernel']}-{r['name']}"
)
def test_retiles_of_published_kernels(record: dict[str, Any]) -> None:
    """FlashAttention-2, CUTLASS and others. Their fragments, which swizzled memory decides, are given."""
    permutation = record["permutation"] and tuple(parse(p) for p in record["permutation"])
    mma = make_tiled_mma(record["mma"], parse(record["atoms"]), permutation)
    copy = MAKE[record["operand"]](atoms.copy(record["copy"]).with_type(record["elem"]), mma)
    fragment = parse(record["fragment"])
    assert isinstance(fragment, Layout)
    shape = parse(record["shape"])
    assert [m.size() for m in mma.fragment(record["operand"], shape)] == [m.size() for m in fragment]
    retile = copy.retile_S if record["side"] == "S" else copy.retile_D
    assert record["wrong_slots"] == 0
    assert str(retile(fragment)) == record["retile"]
