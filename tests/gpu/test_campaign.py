"""The campaign on the emulator: the same pairs, tables and verdicts that a GPU is asked about."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from gpu.campaign import verdicts as campaign_verdicts
from gpu.campaign.base import UNNAMED, Tables, base, sources, tables_of
from gpu.campaign.campaign import Campaign, campaign, differing, digest_of, document
from gpu.campaign.claims import harmless, key, questions
from gpu.campaign.machine import (
    CampaignEmulator,
    batches,
    block_of,
    packed_blocks,
    unpacked_registers,
)
from gpu.campaign.mutations import MUTATIONS
from gpu.campaign.mutations_addresses import WrongLane, WrongTrans
from gpu.campaign.mutations_memory import WriterSwizzle
from gpu.campaign.space import COPIES, SEED, Pair, configurations, digest, pairs
from gpu.campaign.verdicts import Verdicts, from_json, prove_all, read_verdicts
from gpu.cases import ARTICLE, LAYOUTS, SILENT_FAILURES
from gpu.cli import gpu
from gpu.cli.campaign import last
from gpu.configuration import Configuration
from gpu.element import Array
from gpu.emulator import move_places
from gpu.plan import UNWRITTEN, load_plan
from gpu.records import RESULTS, packed, unpacked, write
from gpu.replay import replay
from symlayout import NotationError

ROOT = Path(__file__).parent.parent.parent
COUNT, POOL = 170, 60
RECORDED = sorted(RESULTS.glob("campaign-*.json"))


@pytest.fixture(scope="module")
def drawn() -> tuple[Pair, ...]:
    return pairs(SEED, COUNT, POOL)


@pytest.fixture(scope="module")
def verdicts(drawn: tuple[Pair, ...]) -> Verdicts:
    return last(prove_all(drawn, SEED, POOL))


@pytest.fixture(scope="module")
def asked(drawn: tuple[Pair, ...], verdicts: Verdicts) -> Campaign:
    return last(campaign(drawn, verdicts, CampaignEmulator()))


def test_prover_and_machine_agree_on_every_mutant(asked: Campaign, verdicts: Verdicts) -> None:
    assert asked.disagreements == []
    assert asked.asked == COUNT
    assert "z3" in verdicts.prover
    for row in asked.rows():
        assert row.pairs == row.agree == COUNT // len(MUTATIONS)
        assert row.predicted_harmless == row.observed_harmless
        assert row.predicted_harmful == row.observed_harmful
    assert 20 < verdicts.harmless.sum() < COUNT - 20


def test_the_same_seed_draws_the_same_pairs_everywhere(drawn: tuple[Pair, ...]) -> None:
    assert digest(drawn) == "1bd28a2fc6c6497d"
    assert len(set(map(str, drawn))) == COUNT
    assert digest(pairs(SEED + 1, COUNT, POOL)) != digest(drawn)


def test_the_pool_has_every_kind_of_load_and_silent_failures() -> None:
    bases = configurations(SEED, POOL)
    assert {b.configuration.copy for b in bases} == set(COPIES)
    assert any(b.plan is not b.cute for b in bases)
    assert {b.cute.threads for b in bases} == {32, 64, 128}


@pytest.mark.parametrize("configuration", [*ARTICLE, *LAYOUTS, *SILENT_FAILURES], ids=str)
def test_tables_predict_what_the_plan_does(configuration: Configuration) -> None:
    mma, copy, operand, tensor, *_ = configuration.objects()
    plan = load_plan(mma, copy, operand, tensor)
    assert (tables_of(plan).predicted()[..., 0] == plan.predicted).all()


@pytest.mark.parametrize("trans", [False, True])
@pytest.mark.parametrize("matrices", [1, 2, 4])
def test_cutes_trait_and_the_manual_name_the_same_lane_and_column(matrices: int, trans: bool) -> None:
    lane, column = sources(matrices, trans)
    row, there = move_places("ldmatrix", trans)
    assert (lane == np.hstack([8 * m + row for m in range(matrices)])).all()
    assert (column == np.hstack([there] * matrices)).all()


# machines that do something else, and verdicts that are wrong


class DeafToTrans(CampaignEmulator):
    """Its ldmatrix never transposes."""

    def ldmatrix(self, tables: Tables, names: Array, at: Array) -> Array:
        return super().ldmatrix(replace(tables, trans=False), names, at)


class FirstEightLanes(CampaignEmulator):
    """Its ldmatrix takes every matrix from the rows of the first eight lanes."""

    def ldmatrix(self, tables: Tables, names: Array, at: Array) -> Array:
        t = np.arange(at.size)
        return super().ldmatrix(tables, names, at[t // 32 * 32 + t % 8])


class OneUnitLost(CampaignEmulator):
    """One unit of one register of every pair is another."""

    def one(self, tables: Tables) -> Array:
        found = super().one(tables)
        found[-1, 0, 0] += 1
        return found


@pytest.mark.parametrize("machine", [DeafToTrans, FirstEightLanes, OneUnitLost])
def test_a_machine_that_does_something_else_is_noticed(
    machine: type[CampaignEmulator], drawn: tuple[Pair, ...], verdicts: Verdicts
) -> None:
    found = last(campaign(drawn, verdicts, machine()))
    assert found.disagreements
    first = found.disagreements[0]
    assert first.registers_unlike > 0
    assert first.observed != first.predicted
    if machine is OneUnitLost:
        assert len(found.disagreements) == COUNT


def test_a_wrong_verdict_is_a_disagreement_though_the_registers_are_as_predicted(
    drawn: tuple[Pair, ...], verdicts: Verdicts
) -> None:
    bits = verdicts.harmless.copy()
    bits[3] = not bits[3]
    found = last(campaign(drawn, replace(verdicts, harmless=bits), CampaignEmulator()))
    (only,) = found.disagreements
    assert (only.pair, only.registers_unlike) == (3, 0)
    assert only.prover != only.machine
    assert sum(row.agree for row in found.rows()) == COUNT - 1


# the kernel's arguments


class Kernel:
    """`campaign.cu` read line by line in Python: the same arguments, pass by pass, on memory of words."""

    name, hardware = "the kernel's text in Python", False

    def registers(self, asked: Sequence[Tables]) -> Iterator[tuple[int, Array]]:
        for (matrices, trans, threads), places in batches(asked):
            tables = [asked[place] for place in places]
            head, names, address, slot, words = packed_blocks([block_of(t) for t in tables])
            registers = np.full(words, UNWRITTEN, dtype=np.int64)
            for h in head.tolist():
                self._block(h, names[h[6] :], address[h[7] :], slot[h[8] :], registers[h[9] :],
                            matrices, trans, threads)  # fmt: skip
            for place, t, start in zip(places, tables, head[:, 9], strict=True):
                yield place, unpacked_registers(t, registers[start : start + t.threads * t.slots * t.parts])

    def _block(
        self, h: list[int], names: Array, address: Array, slot: Array, registers: Array,
        matrices: int, trans: bool, threads: int,
    ) -> None:  # fmt: skip
        width, bits, units, steps, values, slots = h[:6]
        mine = registers[: threads * slots].reshape(threads, slots)
        row, column = move_places("ldmatrix", trans)
        for shift in range(0, bits, width):
            pieces: Array
            shared = names[:units] >> shift & (1 << width) - 1
            for step in range(steps):
                if matrices:
                    rows = address[step * threads : (step + 1) * threads].reshape(-1, 32)
                    per_cell = 16 // width
                    pieces = np.empty((threads, matrices, 2, per_cell), dtype=np.int64)
                    for m in range(matrices):
                        start = rows[:, 8 * m + row] + column * per_cell
                        at = start[..., None] + np.arange(per_cell)
                        pieces[:, m] = shared[at].reshape(threads, 2, per_cell)
                    pieces = pieces.reshape(threads, -1)
                else:
                    count = threads * values
                    pieces = shared[address[step * count : (step + 1) * count]].reshape(threads, values)
                for a in range(values):
                    s = slot[step * values + a]
                    low = mine[:, s] & (1 << shift) - 1 if shift else 0
                    mine[:, s] = low | pieces[:, a].astype(np.int64) << shift


def test_the_kernels_arguments_say_the_same_as_the_tables(
    drawn: tuple[Pair, ...], verdicts: Verdicts
) -> None:
    found = last(campaign(drawn, verdicts, Kernel()))
    assert found.asked == COUNT
    assert found.disagreements == []


def test_memory_that_nobody_wrote_has_a_name_of_its_own() -> None:
    known = next(b for b in configurations(SEED, POOL) if b.tables.matrices and b.tables.parts == 1)
    tables = WriterSwizzle(3, 5, 5).tables(known)
    size = tables.names.size
    names = np.where(np.arange(size) % 2 == 0, UNNAMED, tables.names)
    ((_, seen),) = Kernel().registers([replace(tables, names=names)])
    assert (seen == UNNAMED).any()
    assert (seen == replace(tables, names=names).predicted()).all()


def test_equal_tables_are_sent_once(drawn: tuple[Pair, ...]) -> None:
    block = block_of(drawn[0].base.tables)
    once, twice = packed_blocks([block]), packed_blocks([block, block])
    assert [a.size for a in twice[1:4]] == [a.size for a in once[1:4]]
    assert twice[4] == 2 * once[4]


# the prover


def test_equal_questions_are_asked_once_and_different_ones_are_not_taken_for_equal() -> None:
    half, bfloat = (
        base(Configuration(f"SM80_16x8x16_F32{t}{t}F32_TN", "SM75_U32x2_LDSM_N", "A", "(16,64):(72,1)"))
        for t in ("F16", "BF16")
    )
    mutants = [
        Pair(half, WrongLane(3, 5)), Pair(bfloat, WrongLane(3, 5)), Pair(half, WrongLane(3, 6)),
        Pair(half, WrongLane(20, 5)), Pair(half, WrongTrans()),
    ]  # fmt: skip
    keys = [key(questions(pair)[0]) for pair in mutants]
    assert keys[0] == keys[1]
    assert len(set(keys)) == 4
    known: dict[str, bool] = {}
    assert [harmless(pair, "", known) for pair in mutants] == [False, False, False, True, False]
    assert len(known) == 4


def test_without_a_solver_the_engines_decide_alone_and_say_so(
    drawn: tuple[Pair, ...], verdicts: Verdicts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(campaign_verdicts, "find_spec", lambda name: None)
    found = last(prove_all(drawn[:34], SEED, POOL))
    assert found.prover == "symlayout's own engines, without a solver"
    assert (found.harmless == verdicts.harmless[:34]).all()


def test_nothing_on_the_path_of_the_device_imports_z3_or_lark() -> None:
    code = (
        "import sys; from gpu.campaign import verdicts as v; v.find_spec = lambda name: None;"
        "from gpu.campaign.campaign import campaign; from gpu.campaign.machine import CampaignEmulator;"
        "from gpu.campaign.space import pairs; from gpu.cli import gpu;"
        "drawn = pairs(1, 17, 20); *_, says = v.prove_all(drawn, 1, 20);"
        "v._pairs = drawn; v._proved(list(range(17)), 'fast');"
        "*_, found = campaign(drawn, says, CampaignEmulator());"
        "print(found.asked, [m for m in ('z3', 'lark', 'cvc5') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "17 []", done.stderr


# files


def test_verdicts_come_back_from_a_file(verdicts: Verdicts, tmp_path: Path) -> None:
    verdicts.write(tmp_path / "verdicts")
    back = read_verdicts(tmp_path / "verdicts")
    assert (back.harmless == verdicts.harmless).all()
    assert (back.seed, back.digest, back.prover) == (SEED, verdicts.digest, verdicts.prover)
    for content in ("no json", "[1]", "{}"):
        (tmp_path / "other").write_text(content)
        with pytest.raises(NotationError, match="no verdicts of a campaign"):
            read_verdicts(tmp_path / "other")
    with pytest.raises(ValueError, match="verdicts"):
        from_json({**verdicts.to_json(), "pairs": 10 * COUNT})


def test_a_recorded_campaign_is_replayed_and_a_change_is_found(asked: Campaign, tmp_path: Path) -> None:
    content = json.loads(json.dumps(document(asked, {"device": "the emulator"})))
    assert differing(content) == []
    write(tmp_path / "campaign.json", content)
    assert replay(tmp_path / "campaign.json").differing == ()

    digests = unpacked(content["registers"]).copy()
    digests[7] += 1
    (line,) = differing({**content, "registers": packed(digests)})
    assert line == f"pair 7, {asked.pairs[7]}: other registers than predicted"

    wrong = unpacked(content["wrong"]).copy()
    wrong[8] += 1
    assert differing({**content, "wrong": packed(wrong)})[0].startswith("pair 8, ")

    bits = asked.verdicts.harmless.copy()
    bits[9] = not bits[9]
    changed = replace(asked.verdicts, harmless=bits).to_json()
    assert any("prover's verdict" in line for line in differing({**content, **changed}))

    assert "other pairs" in differing({**content, "seed": SEED + 1})[0]
    rows = [{**row, "agree": 0} for row in content["campaign"]]
    assert differing({**content, "campaign": rows}) == ["the table is not that of the pairs"]


def test_a_recorded_disagreement_does_not_pass(drawn: tuple[Pair, ...], verdicts: Verdicts) -> None:
    found = last(campaign(drawn, verdicts, OneUnitLost()))
    content = json.loads(json.dumps(document(found, {"device": "the emulator"})))
    assert len(content["disagreements"]) == COUNT
    assert differing(content)[0].startswith(f"{COUNT} disagreements recorded, the first on pair 0: ")


def test_the_digest_tells_registers_apart() -> None:
    a = np.arange(8).reshape(2, 4, 1)
    assert digest_of(a) == digest_of(a.copy())
    assert digest_of(a) != digest_of(a[:, ::-1])


@pytest.mark.parametrize("path", RECORDED, ids=lambda p: p.stem)
def test_a_sample_of_the_recorded_verdicts_is_proved_again(path: Path) -> None:
    """What no verdict of a prover stands for any more would show here; all registers are in test_replay."""
    says = read_verdicts(path)
    everything = pairs(says.seed, len(says.harmless), says.configurations)
    known: dict[str, bool] = {}
    for place in range(5, len(everything), len(everything) // 100):
        assert harmless(everything[place], "", known) == says.harmless[place], str(everything[place])


@pytest.mark.parametrize("path", RECORDED, ids=lambda p: p.stem)
def test_the_recorded_campaign_is_one(path: Path) -> None:
    content = json.loads(path.read_text())
    assert content["pairs"] >= 10000
    assert content["disagreements"] == []
    assert "z3" in content["prover"]
    harmless_seen = sum(row["observed_harmless"] for row in content["campaign"])
    assert 0.1 < harmless_seen / content["pairs"] < 0.9
    assert all(row["pairs"] >= 250 for row in content["campaign"])


# the command line


def test_the_command_asks_and_says_the_table(tmp_path: Path) -> None:
    few = ["campaign", "--pairs", "34", "--configurations", "20", "--seed", "3"]
    runner = CliRunner()
    made = runner.invoke(gpu, [*few, "--prove", str(tmp_path / "v")], standalone_mode=False)
    assert made.exit_code == 0, made.output
    assert read_verdicts(tmp_path / "v").harmless.size == 34
    options = ["--backend", "emulator", "--verdicts", str(tmp_path / "v")]
    said = runner.invoke(gpu, [*few, *options, "--format", "json"], standalone_mode=False)
    answer = json.loads(said.stdout)
    assert answer["exit_code"] == said.return_value == 0
    assert answer["hardware"] is False
    assert [row["mutation"] for row in answer["campaign"]] == [kind.title for kind in MUTATIONS]
    table = runner.invoke(gpu, [*few, *options], standalone_mode=False).output
    assert "0 disagreements" in table
    assert "not hardware" in table


def test_verdicts_on_other_pairs_are_refused(verdicts: Verdicts, tmp_path: Path) -> None:
    verdicts.write(tmp_path / "v")
    command = [sys.executable, "-m", "gpu", "campaign", "--pairs", "17", "--configurations", "20",
               "--backend", "emulator", "--verdicts", str(tmp_path / "v")]  # fmt: skip
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "has verdicts on other pairs" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(find_spec("cupy") is not None, reason="there may be a device here")
def test_without_a_device_one_sentence_and_exit_3() -> None:
    command = [sys.executable, "-m", "gpu", "campaign", "--pairs", "17"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 3
    assert "no CuPy here" in done.stderr
