"""What an obligation may say: everything else is refused before a solver sees it."""

import pytest

from symlayout.errors import NotationError
from symlayout.recheck.script import read_script

HEAD = "(set-logic QF_LIA)\n(declare-const |a.0| Int)\n"


def test_the_parts_of_a_script() -> None:
    text = (
        "; a comment with ( and |\n(set-logic QF_LIA)\n(declare-const |i-j.0| Int)\n(declare-fun b () Int)\n"
        "(define-fun |t| () Int (+ b 1))\n(assert (<= 0 |i-j.0|))\n(assert (not (= |t| (- 3))))\n"
        "(check-sat)\n"
    )
    script = read_script(text)
    assert script.logic == "QF_LIA"
    assert script.constants == {"i-j.0": "Int", "b": "Int"}
    assert script.definitions == {"t": ["+", "b", "1"]}
    assert script.assertions == [["<=", "0", "|i-j.0|"], ["not", ["=", "|t|", ["-", "3"]]]]


@pytest.mark.parametrize(
    "text, message",
    [
        ("", "no (check-sat)"),
        (HEAD, "no (check-sat)"),
        (HEAD + "(check-sat)(check-sat)", "after (check-sat)"),
        (HEAD + "(check-sat)(assert false)", "after (check-sat)"),
        ("(check-sat)", "check-sat is not a command"),
        ("(set-logic HORN)(check-sat)", "set-logic is not a command"),
        (HEAD + HEAD + "(check-sat)", "set-logic is not a command"),
        (HEAD + "(set-option :regular-output-channel |x|)(check-sat)", "set-option is not a command"),
        (HEAD + "(push 1)(assert false)(pop 1)(check-sat)", "push is not a command"),
        (HEAD + "(reset)(check-sat)", "reset is not a command"),
        (HEAD + "(exit)(check-sat)", "exit is not a command"),
        (HEAD + "(define-fun f ((x Int)) Int x)(check-sat)", "define-fun is not a command"),
        (HEAD + "(declare-fun f (Int) Int)(check-sat)", "declare-fun is not a command"),
        (HEAD + '(echo "unsat")(check-sat)', "a character that has no place"),
        (HEAD + "()(check-sat)", "is not a command"),
        (HEAD + "((assert) false)(check-sat)", "is not a command"),
        (HEAD + "(assert (= 1 1)", "a ( that is not closed"),
        (HEAD + "(check-sat))", "a ) too many"),
        (HEAD + "unsat (check-sat)", "outside of a command"),
        (HEAD + "(assert |a)", "a character that has no place"),
    ],
)
def test_what_is_no_obligation(text: str, message: str) -> None:
    with pytest.raises(NotationError, match="no obligation") as error:
        read_script(text)
    assert message in str(error.value)


def test_depth_is_no_matter() -> None:
    deep = "(not " * 50_000 + "true" + ")" * 50_000
    assert len(read_script(f"(set-logic QF_LIA)(assert {deep})(check-sat)").assertions) == 1


def test_where_it_goes_wrong() -> None:
    with pytest.raises(NotationError, match="line 3"):
        read_script(HEAD + "(pop 1)(check-sat)")
