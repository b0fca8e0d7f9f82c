"""`symlayout eval` of composed layouts of every kind: an answer (0), a law that breaks (1), a refusal (2), a
missing fact (3), and never a defect."""

from __future__ import annotations

import json

import pytest

from symlayout.cli import main
from symlayout.notation.expression import function_names
from tests.composed_zoo import ZOO

OTHERS = [
    "2",
    "(2,2)",
    "(2,2):(1,2)",
    "Sw<2,0,3>",
    "Sw<2,0,3> o 0 o (8,8):(8,1)",
    "64:1 o -8 o Sw<2,0,3>",
    "(_,1)",
]


def expressions(text: str) -> list[str]:
    found = [text, f"({text})(3)", f"({text})(_,1)", f"({text})[0]", f"({text}).with_shape(8,8)"]
    for name in function_names():
        found += [f"{name}({text})", f"{name}<2>({text})", f"{name}({text},0,1)", f"{name}<16,32>({text})"]
        found += [f"{name}({text},{other})" for other in OTHERS]
        found += [f"{name}({other},{text})" for other in OTHERS]
    return found


@pytest.mark.parametrize("k", range(len(ZOO)), ids=lambda k: str(ZOO[k]))
def test_every_expression_ends_in_an_answer_or_a_refusal(k: int, capsys: pytest.CaptureFixture[str]) -> None:
    """Each of the zoo meets every eleventh expression; together they meet all."""
    for n, expression in enumerate(expressions(str(ZOO[k]))):
        if n % 11 == k % 11:
            form = "json" if n % 2 else "text"
            code = main(["eval", expression, "--format", form])
            told = capsys.readouterr()
            assert code in (0, 1, 2, 3), (expression, told.err)
            assert "defect" not in told.err


def test_the_inverse_without_shape_is_an_answer(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["eval", "right_inverse(Sw<2,0,3> o 8 o (8,8):(1,8))", "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["value"] == "64:1 o -8 o Sw<2,0,3>"
    assert (told["swizzle"], told["offset"], told["inner"]) == ("64:1", -8, "Sw<2,0,3>")
    assert "size" not in told
    assert main(["eval", "size(64:1 o -8 o Sw<2,0,3>)"]) == 2
    assert "has no shape" in capsys.readouterr().err
