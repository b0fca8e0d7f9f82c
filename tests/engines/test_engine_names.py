"""`engine=` and `confirm_up_to=` mean the same over integers and over parameters."""

import pytest

from symlayout import Layout, LayoutError, Proved, Refuted, Unknown, assume, dims, prove
from symlayout.claims import equal, injective
from symlayout.engines import NAMES
from symlayout.spread_claim import Spread
from symlayout.verdict import Verdict

N, ld = dims("N ld")
ROWS = injective(Layout((4, N), (1, 4)))
BANKS = Spread(assume("ld % 16 == 8")(Layout((8, 1), (ld, 0))), ("g",), 8, 16, 1, 1)


@pytest.mark.parametrize("engine", NAMES)
def test_every_engine_answers_or_declines(engine: str) -> None:
    over_parameters = prove(ROWS, engine=engine)
    integers = prove(injective(Layout((4, 5), (1, 4))), engine=engine, confirm_up_to=0)
    false = prove(injective(Layout((5, 6), (0, 2))), engine=engine, confirm_up_to=0)
    assert isinstance(over_parameters, (Proved, Unknown))
    assert not isinstance(false, Proved)
    for verdict in (over_parameters, integers, false):
        assert isinstance(verdict, Verdict)
        if isinstance(verdict, Proved):
            assert verdict.engine.startswith(engine)


def test_only_the_engine_that_is_asked_has_a_say() -> None:
    assert isinstance(prove(ROWS, engine="calculus"), Proved)
    for engine in ("nested", "residues", "canonical", "f2"):
        verdict = prove(ROWS, engine=engine)
        assert isinstance(verdict, Unknown)
        assert verdict.reason == f"the engine {engine} has no answer to a claim of this kind over parameters"
    false = injective(Layout((4, N), (1, 3)))
    assert isinstance(prove(false, engine="bounded"), Refuted)
    assert isinstance(prove(false, engine="calculus"), Unknown)
    assert isinstance(prove(BANKS, engine="residues"), Proved)
    assert isinstance(prove(BANKS, engine="calculus"), Unknown)
    with pytest.raises(LayoutError, match="no engine is called 'cvc5'"):
        prove(ROWS, engine="cvc5")


def test_z3_on_plain_integers_needs_no_facts() -> None:
    verdict = prove(injective(Layout((5, 6), (0, 2))), engine="z3", confirm_up_to=0)
    assert isinstance(verdict, Refuted)
    assert verdict.witness == {"i": 0, "j": 1}


def test_how_many_points_confirm() -> None:
    assert prove(ROWS, confirm_up_to=0).to_json()["cross_checked"] == []
    few, more = prove(ROWS, confirm_up_to=5), prove(ROWS)
    assert isinstance(few, Proved)
    assert isinstance(more, Proved)
    assert 0 < few.instances < more.instances
    refuted = prove(lambda x: equal(x, 0), x=N, confirm_up_to=0)
    assert isinstance(refuted, Refuted)
