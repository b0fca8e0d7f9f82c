"""Scripts as isl's sets: empty iff unsat, by isl itself and by trying every point of small ones."""

import itertools

import pytest

from symlayout import Layout, bijective, injective
from symlayout.recheck import Worker
from symlayout.recheck.presburger import NotLinear, as_set
from symlayout.recheck.script import read_script
from symlayout.smtlib import to_smtlib


def script(*assertions: str, logic: str = "QF_LIA", before: str = "") -> str:
    body = "".join(f"(assert {a})" for a in assertions)
    return f"(set-logic {logic})(declare-const |a.0| Int)(declare-const b Int){before}{body}(check-sat)"


def number(n: int) -> str:
    return str(n) if n >= 0 else f"(- {-n})"


def test_the_text() -> None:
    text = script("(<= 0 |a.0|)", "(not (and (< |a.0| (* 3 b)) (= b (- 2 (- 1)))))")
    assert as_set(read_script(text)) == (
        "{ [x0, x1] : (0 <= x0) and not ((x0 < (3 * x1)) and (x1 = (2 - (-1)))) }"
    )


def test_definitions_that_double_each_time() -> None:
    define = "".join(f"(define-fun d{k + 1} () Int (+ d{k} d{k}))" for k in range(60))
    text = script("(= d60 b)", before=f"(define-fun d0 () Int b){define}")
    with pytest.raises(NotLinear, match="too long"):
        as_set(read_script(text))


@pytest.mark.parametrize(
    "text",
    [
        script("(= (* |a.0| b) 3)"),
        script("(= (div |a.0| b) 3)"),
        script("(= c 3)"),
        script("(=> true false)"),
        script("true", logic="QF_BV"),
        script("true", logic="QF_NIA"),
    ],
)
def test_what_isl_is_not_asked(text: str) -> None:
    with pytest.raises(NotLinear):
        as_set(read_script(text))


def test_its_answers() -> None:
    bounds = ("(<= 0 |a.0|)", "(<= |a.0| 3)", "(<= 0 b)", "(<= b 3)")
    with Worker() as worker:
        for p, q, r in itertools.product(range(-2, 3), repeat=3):
            goal = f"(= (+ (* {number(p)} |a.0|) (* {number(q)} b)) {r + 5})"
            found = any(p * a + q * b == r + 5 for a in range(4) for b in range(4))
            answer = worker.ask("isl", as_set(read_script(script(*bounds, goal))), 5)
            assert answer.status == ("sat" if found else "unsat")


def test_quotients() -> None:
    with Worker() as worker:
        for b in range(-7, 8):
            text = script(
                f"(= b {number(b)})", f"(not (and (= (div b 3) {number(b // 3)}) (= (mod b 3) {b % 3})))"
            )
            assert worker.ask("isl", as_set(read_script(text)), 5).status == "unsat"


def test_definitions_and_constants() -> None:
    text = script("(= two b)", "(not (= b 2))", "(or false true)", before="(define-fun two () Int (+ 1 1))")
    with Worker() as worker:
        assert worker.ask("isl", as_set(read_script(text)), 5).status == "unsat"


@pytest.mark.parametrize(
    "layout, status",
    [(Layout((4, (2, 8)), (1, (32, 4))), "unsat"), (Layout((4, 8), (1, 3)), "sat")],
)
def test_our_own_obligations(layout: Layout, status: str) -> None:
    (obligation,) = injective(layout).obligations()
    with Worker() as worker:
        assert worker.ask("isl", as_set(read_script(to_smtlib(obligation))), 5).status == status
    assert len(bijective(layout).parts()) == 3
