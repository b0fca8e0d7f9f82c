"""ForAll: a claim with digits of its own, by z3, by the calculus and by walking."""

from symlayout import dims, prove
from symlayout.claim import Pointwise
from symlayout.formula import Relation
from symlayout.quantified import ForAll
from symlayout.symbolic import Var
from symlayout.verdict import Proved, Refuted

i, j = Var("i", 4), Var("j", 3)


def claim(right: int) -> ForAll:
    left = (i + 4 * j) // 4
    return ForAll((j, i), Pointwise((Relation("=", left, j * right),), (left, j)))


def test_on_integers() -> None:
    stated = claim(1)
    assert stated.free() == ()
    assert stated.instances() == 12
    assert stated.failure() is None
    assert str(stated) == "(i + 4*j)//4 = j for all j < 3, i < 4"
    assert isinstance(prove(stated), Proved)


def test_refuted_with_the_least_witness() -> None:
    verdict = prove(claim(2))
    assert isinstance(verdict, Refuted)
    assert verdict.witness == {"j": 1, "i": 0}
    failure = claim(2).failure_at({"j": 1, "i": 0})
    assert failure is not None
    assert (failure.left, failure.right) == (1, 2)
    assert claim(2).failure_at({"j": 0, "i": 3}) is None


def test_over_parameters() -> None:
    n, k = dims("N K")
    a, b = Var("a", n), Var("b", k)
    left = (a + n * b) // n
    verdict = prove(ForAll((a, b), Pointwise((Relation("=", left, b),), (left, b))))
    assert isinstance(verdict, Proved)
    assert verdict.engine.startswith("calculus, ")
    assert isinstance(prove(ForAll((a, b), Pointwise((Relation("=", left, a),), (left, a)))), Refuted)
