"""Random claims against plain counting: 20,000 of them; `make fuzz` tries a million."""

import pytest

from tests.fuzz.made_up import KINDS, made_up
from tests.fuzz.trial import reproduce, trials

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


def test_a_complaint_says_how_to_see_it_again() -> None:
    claim = made_up(7)
    assert claim == made_up(7)
    line = reproduce(7, "fast", 0)
    assert line.startswith(f"prove({claim.text()}, engine='fast', confirm_up_to=0)")
    assert line.endswith("# python -m tests.fuzz --seed 7 --claims 1")
