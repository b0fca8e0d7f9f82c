"""Who decides: the order of the engines, picking one, and what a verdict says about it."""

import sys
from subprocess import run

import pytest

from symlayout import Layout, smt
from symlayout.claims import bijective, equal, injective, within
from symlayout.decide import prove
from symlayout.engines import NAMES, bounded
from symlayout.errors import EngineDisagreement, LayoutError
from symlayout.symbolic import Var
from symlayout.verdict import Bounded, Proved, Refuted, Unknown

IDENTITY = Layout((64, 128), (128, 1))


def test_names_in_order() -> None:
    assert NAMES == (
        "canonical",
        "box",
        "nested",
        "f2",
        "enumeration",
        "z3",
        "calculus",
        "residues",
        "bounded",
    )


def test_a_verdict_names_who_decided() -> None:
    verdict = prove(bijective(IDENTITY))
    assert isinstance(verdict, Proved)
    assert verdict.engine == f"z3 and box and nested, checked by {smt.version()}"


@pytest.mark.parametrize("engine", ["nested", "f2", "z3"])
def test_one_engine_alone(engine: str) -> None:
    verdict = prove(injective(IDENTITY), engine=engine)
    assert isinstance(verdict, Proved)
    assert verdict.engine.startswith(engine)
    assert verdict.certificate
    refuted = prove(injective(Layout((4, 4), (1, 2))), engine=engine)
    assert isinstance(refuted, (Refuted, Unknown))


def test_an_engine_that_has_nothing_to_say() -> None:
    verdict = prove(injective(IDENTITY), engine="canonical", confirm_up_to=0)
    assert isinstance(verdict, Unknown)
    assert verdict.reason == "the engine canonical has no answer to a claim of this kind"
    with pytest.raises(LayoutError, match="no engine is called 'cvc5'; there are fast, canonical, "):
        prove(equal(3, 3), engine="cvc5")


def test_counting_is_no_proof_but_says_that_all_points_hold() -> None:
    verdict = prove(injective(IDENTITY), engine="enumeration")
    assert isinstance(verdict, Bounded)
    assert verdict.instances == 8192


def test_fast_leaves_the_solver_out_and_says_so() -> None:
    code = (
        "import sys; from symlayout import Layout; from symlayout.claims import injective; "
        "from symlayout.decide import prove; "
        "v = prove(injective(Layout((64, 128), (128, 1))), engine='fast'); "
        "print(v.engine, len(v.certificate), 'z3' in sys.modules)"
    )
    out = run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out.strip() == "nested, not checked by a solver 0 False"


def test_contradictory_assumptions_are_no_fast_proof() -> None:
    verdict = prove(lambda a: equal(a, 7).given(within(a, 9, 12)), a=8, engine="fast")
    assert not isinstance(verdict, Proved)


def test_the_first_points_of_what_nobody_decides() -> None:
    """A claim that z3 is given no time for, and with too many points to compute."""
    verdict = prove(lambda a, b: equal((a * b) % 7, (b * a) % 7), a=1 << 30, b=1 << 30, time_limit=1e-6)
    assert isinstance(verdict, Bounded)
    assert (verdict.bound, verdict.instances) == ("a < 64, b < 64", 4096)
    late = bounded.decide(
        within(Layout(1 << 30, 1), 0, 1000), (), lambda _: within(Layout(1 << 30, 1), 0, 1000)
    )
    assert getattr(late, "witness", None) == {"i": 1000}
    open_end = Var("p", None)
    found = bounded.decide(
        equal(open_end, 0), (open_end,), lambda point: equal(point["p"] % 4096, point["p"])
    )
    assert getattr(found, "bound", None) == "p < 4096"


def test_z3_has_to_agree_with_an_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    from symlayout.engines import Fails, Holds, nested

    monkeypatch.setattr(nested, "decide", lambda part, free: Holds(part.obligations(free)))
    with pytest.raises(EngineDisagreement, match=r"nested says that .* holds, z3 refutes it"):
        prove(injective(Layout((4, 4), (1, 3))), confirm_up_to=0)
    monkeypatch.setattr(nested, "decide", lambda part, free: Fails({"i": 0, "j": 1}))
    with pytest.raises(EngineDisagreement, match=r"nested refutes .* but it holds there"):
        prove(injective(Layout((4, 4), (1, 4))), confirm_up_to=0)
    monkeypatch.setattr(nested, "decide", lambda part, free: Holds(()))
    with pytest.raises(EngineDisagreement, match=r"nested proves .*, but it fails"):
        prove(injective(Layout((4, 4), (1, 3))))
