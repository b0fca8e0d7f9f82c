"""Random claims of every kind against counting, and faults put into the prover that the fuzzer has to see.

20,000 claims here; `make fuzz` asks a million, and looks for every fault among all kinds as they come.
"""

import json
from pathlib import Path
from typing import Any

import pytest

import tests.fuzz.bodies as bodies
from symlayout import decide
from symlayout.verdict import Proved, Refuted, Vacuous
from tests.fuzz import seeded, trial
from tests.fuzz.case import Case, Error, outcome
from tests.fuzz.descriptors import in_memory
from tests.fuzz.facts import Facts
from tests.fuzz.made_up import KINDS, Plain, made_up
from tests.fuzz.over_parameters import (
    MINUS,
    ONE,
    ZERO,
    K,
    N,
    OverParameters,
    PlainOver,
    number,
    over_parameters,
)
from tests.fuzz.plain_maps import Map
from tests.fuzz.retiles import BITS, Configuration, configuration, instruction, recorded, retile
from tests.fuzz.trial import complaint, kind_of, numbered, reproduce, trials
from tests.fuzz.tv_model import Atom, Leaves, Mma, Retile, answer, flat, leaves, read, value_at

CLAIMS = 20_000
BATCHES = 10
GOLDEN = Path(__file__).parent / "golden"


@pytest.mark.parametrize("batch", range(BATCHES))
def test_no_answer_is_wrong(batch: int) -> None:
    each = CLAIMS // BATCHES
    verdicts, complaints = trials(range(batch * each, (batch + 1) * each))
    assert not complaints, "\n".join(complaints)
    assert verdicts.total() == each
    for kind in KINDS:
        assert verdicts[f"{kind} refuted"] > each // 100, verdicts
        assert verdicts[f"{kind} proved"] > each // 200, verdicts
    for kind in ("body", "body, large", "body over K"):
        for word in ("proved", "refuted", "refused"):
            assert verdicts[f"{kind} {word}"], verdicts
    assert verdicts["facts answered"]
    assert verdicts["facts, chained answered"]
    assert verdicts["algebra answered"] > verdicts["algebra refused"] // 4
    assert verdicts["descriptor refused"]
    assert verdicts["forged answered"]
    assert verdicts["retile refuted"]


@pytest.mark.parametrize("fault", seeded.FAULTS, ids=lambda f: f.name)
def test_a_fault_is_seen(fault: seeded.Fault) -> None:
    """With the fault there is a complaint about that claim; without it there is none."""
    assert not trials([fault.seen])[1]
    ((after, text),) = seeded.found([(fault, [fault.seen])], 1)
    assert after == 1
    assert f"--seed {fault.seen} " in text


def test_a_fault_without_its_place_is_an_error() -> None:
    gone = seeded.Fault("gone", "ranges", "this text is nowhere", "")
    with pytest.raises(seeded.Gone, match=r"stands 0 times in symlayout\.ranges"):
        list(seeded.found([(gone, [0])], 1))


def test_kinds_take_turns() -> None:
    kinds = [kind_of(n) for n in range(64)]
    shares = {**trial.SHARES, "layouts": trial.SHARES["layouts"] - 1, trial.LAST: 1}
    assert {kind: kinds.count(kind) for kind in set(kinds)} == shares
    assert sum(trial.SHARES.values()) == 64


# --- what a complaint prints --------------------------------------------------------------------------------


def first(kind: str, over: bool = False) -> int:
    return next(n for n in range(10_000) if kind_of(n) == kind and trial.over(n) == over)


def test_a_complaint_says_how_to_see_it_again() -> None:
    n = first("layouts")
    claim = made_up(n)
    assert claim == made_up(n) == numbered(n)
    line = reproduce(n, "fast", 0)
    assert line.startswith(f"prove({claim.text()}, engine='fast', confirm_up_to=0)")
    assert line.endswith(f"# python -m tests.fuzz --seed {n} --claims 1")


def test_a_complaint_about_parameters_says_how_to_see_it_again() -> None:
    n = first("layouts", over=True)
    claim = numbered(n)
    assert claim == over_parameters(n)
    assert isinstance(claim, OverParameters)
    line = reproduce(n, "", 0)
    assert line.startswith(f"N, K = dims(\"N K\"); prove({claim.text()}, engine='', confirm_up_to=0)")
    assert line.endswith(f"# python -m tests.fuzz --seed {n} --claims 1")


@pytest.mark.parametrize("kind", trial.LINES)
def test_a_complaint_of_any_kind_is_what_was_run(kind: str) -> None:
    n = first(kind)
    again, claim = numbered(n), numbered(n)
    assert isinstance(claim, Case)
    assert isinstance(again, Case)
    assert again.text() == claim.text()
    assert reproduce(n) == f"{claim.text()}  # python -m tests.fuzz --seed {n} --claims 1"


def test_polynomials_of_the_fuzzer() -> None:
    p = number(2) * N * N * K + MINUS * K + number(3)
    assert repr(p) == "2*N*N*K + -1*K + 3"
    assert p.at({"N": 5, "K": 7}) == 2 * 25 * 7 - 7 + 3
    assert p + MINUS * p == ZERO
    assert str(trial.value(p)) == "2*K*N*N-K+3"


# --- the judges ---------------------------------------------------------------------------------------------


def test_wrong_verdicts_over_parameters_are_complaints(monkeypatch: pytest.MonkeyPatch) -> None:
    both = ((1, 1), (3, 2))
    false = OverParameters("injective", (PlainOver((N, K), (ONE, number(2))),), both)
    true = OverParameters("injective", (PlainOver((N, K), (ONE, N)),), both)
    for claim, verdict in (
        (false, Proved("", engine="nobody")),
        (true, Refuted("", witness={"N": 3, "K": 2, "i": 0, "j": 3})),
        (false, Refuted("", witness={"N": 3, "K": 2, "i": 1, "j": 2})),
        (false, Refuted("", witness={"N": 3, "K": 2, "i": 2, "j": 3}, replayed=False)),
    ):
        monkeypatch.setattr(decide, "prove", lambda *_, verdict=verdict, **__: verdict)
        assert complaint(claim)[1]
    right = Refuted("", witness={"N": 3, "K": 2, "i": 2, "j": 3})
    monkeypatch.setattr(decide, "prove", lambda *_, **__: right)
    assert not complaint(false)[1]


def test_wrong_verdicts_about_bodies_are_complaints() -> None:
    text = "def body(a):\n    return equal(5 if a == 3 else 0, 0)\n"
    judge = bodies._judge(bodies.Body(text, (("a", 1 << 40),)))
    assert judge(Proved("", engine="nobody")) == "proved, but it fails at {'a': 3}"
    assert judge(Refuted("", witness={"a": 2})) == "refuted at {'a': 2}, but it holds there"
    assert judge(Refuted("", witness={"a": 1 << 40})).endswith("not in the domain")
    assert not judge(Refuted("", witness={"a": 3}))
    assert not judge(Error("NeedFact", "", True))
    assert judge(Error("KeyError", "2", False)) == "ends in KeyError: 2"
    assert outcome(Error("KeyError", "2", False)) == "fault"


def test_wrong_verdicts_under_facts_are_complaints() -> None:
    from tests.fuzz.facts import _judge

    asked = Facts(("M", "K"), ("P0 <= 2*P1", "P1 <= 1"), "within(Layout(P0, 1), 0, 2)")
    judge = _judge(asked)
    out = Refuted("", witness={"M": 3, "K": 2, "i": 2})
    assert "which the facts exclude" in judge([(out, ["M", "K"])])
    assert "the order of the facts" in judge([(out, ["M", "K"]), (Proved(""), ["M", "K"])])
    assert judge([(Vacuous(""), [])]).startswith("vacuous, but {'M': 1, 'K': 1}")
    assert not judge([(Proved(""), ["M", "K"])])
    false = Facts(("M",), ("P0 >= 3",), "within(Layout(P0, 1), 0, 2)")
    assert "fails at {'M': 3}" in _judge(false)([(Proved(""), ["M"])])
    never = Facts(("M",), ("P0 % 16 == 8", "P0 % 32 == 0"), "within(Layout(P0, 1), 0, 2)")
    assert "contradict" in _judge(never)([(Proved(""), ["M"])])


def test_maps_are_computed_as_in_cpp() -> None:
    assert [Map("(4,4):(4,1)")(i) for i in (-5, -1, 0, 5, 17)] == [-5, -4, 0, 5, 8]
    assert Map("Sw<2,0,3> o 8 o (8,8):(1,8)")(9) == (8 + 9) ^ ((8 + 9) >> 3 & 3)
    assert Map("Sw<1,0,1> o 0 o Sw<1,0,2> o 4 o 4:1").values() == [5, 4, 6, 7]
    assert Map("64:1 o -8 o Sw<2,0,3>")(24) == (24 ^ 3) - 8
    assert Plain((2, 2), (1, 8), 16, (1, 0, 3)).values() == [16, 17, 25, 24]


def test_operands_that_are_in_no_register() -> None:
    found = in_memory()
    assert len(found) > 700
    assert ("SM90_64x16x32_S32S8S8_RS_TN", "A") not in found
    assert ("SM90_64x16x32_S32S8S8_RS_TN", "B") in found


# --- the model of who holds what, against CuTe's own answers ------------------------------------------------


def cpp_leaves(text: str) -> Leaves | None:
    """`_16`, `Int<4>`, `Underscore` or a flat `Layout<Shape<...>,Stride<...>>` of tiled.jsonl."""
    import re

    if text == "Underscore":
        return None
    numbers = [int(x) for x in re.findall(r"\d+", text)]
    if not text.startswith("Layout"):
        return ((numbers[0], 1),)
    half = len(numbers) // 2
    return leaves(tuple(numbers[:half]), tuple(numbers[half:]))


def parts(text: str) -> list[str]:
    """The arguments of `Tile<...>`."""
    found, depth = [""], 0
    for c in text[5:-1]:
        depth += (c == "<") - (c == ">")
        if c == "," and depth == 0:
            found.append("")
        else:
            found[-1] += c
    return found


def modelled(record: dict[str, Any]) -> Retile:
    """What a record of tiled.jsonl or retile_e2e_host.jsonl is about, for the model."""
    import re

    one = "(1,1):(0,0)"
    fma = {"ThrID": "1:0", "Shape_MNK": "(1,1,1)", **{x + "Layout": one for x in "ABC"}}
    found = recorded("atoms_mma.jsonl").get(record["mma"], fma)
    m, n, k = (int(x) for x in found["Shape_MNK"].strip("()").split(","))
    sizes, _, strides = record["atom"].partition("Stride")
    counts = [int(x) for x in re.findall(r"\d+", sizes)]
    steps = [int(x) for x in re.findall(r"\d+", strides)] or [1, counts[0], counts[0] * counts[1]]
    atoms = [((s, d),) for s, d in zip(counts, steps, strict=True)]
    given = [cpp_leaves(x) for x in parts(record["perm"])]
    layouts = {x: (read(found[x + "Layout"])[0], read(found[x + "Layout"])[1]) for x in "ABC"}
    mma = Mma(
        flat(found["ThrID"]),
        layouts,
        (m, n, k),
        (atoms[0], atoms[1], atoms[2]),
        (given[0], given[1], given[2]),
    )
    operand = record["op"]
    bits = BITS[record["vt"]] if "vt" in record else 16
    value = (((1, 0),), ((bits, 1),))
    copy = recorded("atoms_copy.jsonl").get(record["copy"])
    if copy is None or record["copy"].startswith(("Default", "Auto")):
        atom = Atom(value, value, value, bits)
    else:
        src, dst, ref = ((x[0], x[1]) for x in (read(copy[s + "Layout"]) for s in ("Src", "Dst", "Ref")))
        atom = Atom(src, dst, ref, bits)
    tensor = cpp_leaves(record["tensor"]) if record["tensor"].startswith("Layout") else None
    modes = tuple((x,) for x in tensor) if tensor else read(record["tensor"])
    return Retile(mma, atom, operand, (modes[0], modes[1]), record.get("register_side", "D"))


def of_print(text: str) -> list[int]:
    modes = flat(text)
    total = 1
    for size, _ in modes:
        total *= size
    return [value_at(modes, i) for i in range(total)]


def test_the_model_is_cute_s() -> None:
    """Fragments, views and wrong registers of everything that CuTe compiled or ran, none left out."""
    seen = 0
    for name in ("tiled.jsonl", "retile_e2e_host.jsonl"):
        for record in map(json.loads, (GOLDEN / name).read_text().splitlines()):
            if record.get("rejects"):
                continue
            asked = modelled(record)
            truth = answer(asked)
            total = record.get("valid_total", record.get("total_registers"))
            assert (truth.wrong, truth.total) == (
                record.get("valid_bad", record.get("wrong_registers")),
                total,
            )
            assert asked.view() == of_print(record["retile"]), record["id"]
            assert asked.mma.slots(asked.operand, asked.tensor) == of_print(record["fragment"]), record["id"]
            if record.get("valid_first_bad"):
                assert truth.first is not None
                place = "t={} i={} slot={}".format(*truth.first)
                assert record["valid_first_bad"].startswith(place)
            seen += 1
    assert seen == 560


def test_configurations_are_of_every_kind() -> None:
    import random

    rng = random.Random(1)
    found: list[Configuration] = [configuration(rng) for _ in range(300)]
    assert {c.operand for c in found} == set("ABC")
    assert {c.side for c in found} == set("SD")
    assert len({c.mma for c in found}) > 10
    assert sum(c.atoms[0][2] > 1 for c in found) > 20
    assert any(p is not None and len(p) > 2 for c in found for p in c.permutation)
    asked = [c.model() for c in found]
    wrong = sum(
        answer(m).wrong > 0 for m in asked if m is not None and len(m.delivered()[0]) == len(m.view())
    )
    assert wrong > 60
    assert instruction("SM80_16x8x16_F32F16F16F32_TN")[2] == (16, 8, 16)


def test_a_wrong_answer_about_a_retile_is_a_complaint() -> None:
    case = next(c for c in map(retile, range(500)) if c.kind == "retile" and 'engine="fast")' in c.line)
    name, wrong = trial.ask(case)
    assert not wrong
    other = Proved("") if name == "refuted" else Refuted("", witness={"thread": 0, "value": 0, "slot": 0})
    assert case.judge(other)
