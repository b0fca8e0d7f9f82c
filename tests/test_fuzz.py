"""Random claims against counting: 20,000 of them, one in 32 over parameters; `make fuzz` tries a million."""

import pytest

from symlayout.verdict import Proved, Refuted
from tests.fuzz import trial
from tests.fuzz.made_up import KINDS, made_up
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
from tests.fuzz.trial import complaint, numbered, reproduce, trials

CLAIMS = 20_000
BATCHES = 4


@pytest.mark.parametrize("batch", range(BATCHES))
def test_no_verdict_is_wrong(batch: int) -> None:
    each = CLAIMS // BATCHES
    verdicts, complaints = trials(range(batch * each, (batch + 1) * each))
    assert not complaints, "\n".join(complaints)
    for kind in KINDS:
        assert verdicts[f"{kind} refuted"] > each // 100, verdicts
        assert verdicts[f"{kind} proved"] > each // 100, verdicts
        assert verdicts[f"{kind} over parameters refuted"], verdicts
    for kind in ("equal", "injective", "bijective"):  # no engine proves disjoint over parameters
        assert verdicts[f"{kind} over parameters proved"], verdicts


def test_a_complaint_says_how_to_see_it_again() -> None:
    claim = made_up(7)
    assert claim == made_up(7)
    line = reproduce(7, "fast", 0)
    assert line.startswith(f"prove({claim.text()}, engine='fast', confirm_up_to=0)")
    assert line.endswith("# python -m tests.fuzz --seed 7 --claims 1")


def test_a_complaint_about_parameters_says_how_to_see_it_again() -> None:
    claim = numbered(37)
    assert claim == numbered(37) == over_parameters(37)
    line = reproduce(37, "", 0)
    assert line.startswith(f"N, K = dims(\"N K\"); prove({claim.text()}, engine='', confirm_up_to=0)")
    assert line.endswith("# python -m tests.fuzz --seed 37 --claims 1")


def test_polynomials_of_the_fuzzer() -> None:
    p = number(2) * N * N * K + MINUS * K + number(3)
    assert repr(p) == "2*N*N*K + -1*K + 3"
    assert p.at({"N": 5, "K": 7}) == 2 * 25 * 7 - 7 + 3
    assert p + MINUS * p == ZERO
    assert str(trial.value(p)) == "2*K*N*N-K+3"


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
        monkeypatch.setattr(trial, "prove", lambda *_, verdict=verdict, **__: verdict)
        assert complaint(claim)[1]
    right = Refuted("", witness={"N": 3, "K": 2, "i": 2, "j": 3})
    monkeypatch.setattr(trial, "prove", lambda *_, **__: right)
    assert not complaint(false)[1]
