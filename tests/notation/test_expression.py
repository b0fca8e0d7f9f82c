"""The language of `symlayout eval`: calls by CuTe's names, evaluation, methods, flags, refusals."""

import json
from pathlib import Path

import pytest

from symlayout import algebra
from symlayout.conform import same_text
from symlayout.conform.operations import as_text
from symlayout.errors import Inadmissible, LayoutError, NotationError
from symlayout.notation import format_value
from symlayout.notation.element_types import type_bits
from symlayout.notation.expression import evaluate, function_names

GOLDEN = Path(__file__).parent.parent / "golden"


@pytest.mark.parametrize(
    "expression, printed",
    [
        ("zipped_divide((4,4,2):(1,8,4), 8:1)", "((4,2),(2,2)):((1,8),(16,4))"),
        ("composition(Sw<2,0,3>, (8,8):(8,1))", "Sw<2,0,3> o 0 o (8,8):(8,1)"),
        ("(4,4):(1,4)(5)", "5"),
        ("((4,4):(1,4))((1,2))", "9"),
        ("(4,4):(1,4)(1,2)", "9"),
        ("(4,4):(1,4)(_,2)", "(4):(1)"),
        ("composition((4,4):(1,4), 8:2)(3)", "6"),
        ("Sw<3,3,3>(100)", "108"),
        ("((4,(2,8)):(1,(4,8)))[1,0]", "2:4"),
        ("right_inverse(8:1).with_shape(2,4)", "(2,4):(1,2)"),
        ("upcast<4>(8:1)", "2:1"),
        ("upcast(4, 8:1)", "2:1"),
        ("get<1>((4,8):(8,1))", "8:1"),
        ("append<3>(4:1)", "(4,1,1):(1,0,0)"),
        ("recast_layout<half_t,float>((8,8):(1,8))", "(4,8):(1,4)"),
        ("recast_layout(half, 32, (8,8):(1,8))", "(4,8):(1,4)"),
        ("make_layout((4,8), LayoutRight)", "(4,8):(8,1)"),
        ("make_layout(make_shape(4,8), make_stride(8,1))", "(4,8):(8,1)"),
        ("make_identity_layout((4,8))(9)", "(1,2)"),
        ("compatible(4, (2,2))", "true"),
        ("composition((2,2):(1,4), 4:1, unchecked=true)", "(2,2):(1,4)"),
        ("Swizzle(3,3,3)", "Sw<3,3,3>"),
        ("4:1", "4:1"),
        ("size(1" + 30 * "0" + ":1)", str(10**30)),
    ],
)
def test_values(expression: str, printed: str) -> None:
    assert format_value(evaluate(expression)) == printed


@pytest.mark.parametrize(
    "expression, words",
    [
        ("compositon(4:1, 2:1)", "unknown function 'compositon'; did you mean composition"),
        ("composition(4:1)", "composition(a, b, unchecked): missing a required argument: 'b'"),
        ("composition(4:1, 2:1, foo=true)", "unexpected keyword argument 'foo'"),
        ("composition(4:1, unchecked=true, 4:1)", "flags like strict=true stand after the other arguments"),
        ("evenly_divides(8, Sw<1,2,3>)", "cannot take the integer 8, the swizzle Sw<1,2,3>"),
        ("size", "size is a function: write size(...)"),
        ("4(3)", "the integer 4 is not a layout"),
        ("(4,4):(1,4)()", "a layout is evaluated at a coordinate"),
        ("exec(4:1)", "unknown function 'exec'"),
        ("__import__(4)", "unexpected '_'"),
        ("os.system(4)", "unknown function 'system'"),
        ("'; import os'", "unexpected character"),
        ("4:1.foo()", "unknown function 'foo'"),
        ("recast_layout<hal,float>(4:1)", "unknown element type 'hal'; did you mean half"),
        ("upcast<x::y>(4:1)", "unknown name 'x::y'"),
        ("size(", "is never closed"),
        ("4:1" + 20000 * "(0)", "too many calls"),
    ],
)
def test_refusals_with_a_caret(expression: str, words: str) -> None:
    with pytest.raises(NotationError) as caught:
        evaluate(expression)
    assert words in str(caught.value)
    assert str(caught.value).splitlines()[-1].strip() == "^"


def test_what_the_algebra_refuses_keeps_its_own_words() -> None:
    with pytest.raises(LayoutError, match="Stride Divisibility Condition"):
        evaluate("composition((4,4):(4,1), 2:6)")
    with pytest.raises(Inadmissible):
        evaluate("composition((3,2):(1,4), (2,2):(1,2))")
    with pytest.raises(LayoutError, match="does not fit"):
        evaluate("((4,4):(1,4))((1,2,3))")


def test_unchecked_reaches_every_call() -> None:
    text = "size(composition((3,2):(1,4), (2,2):(1,2)))"
    assert evaluate(text, unchecked=True) == 4
    with pytest.raises(Inadmissible):
        evaluate(text.replace("(2,2):(1,2)", "(2,2):(1,2), unchecked=false"), unchecked=True)


def test_only_functions_of_the_algebra_can_be_called() -> None:
    extra = set(function_names()) - set(algebra.__all__)
    assert all(
        name.startswith("make_") or name in ("slice", "coalesce_x", "Layout", "Swizzle") for name in extra
    )


def test_element_types() -> None:
    assert [type_bits(t) for t in ("half", "6bit", "cute::int4_t", "uint128_t", "24")] == [16, 6, 4, 128, 24]


def test_expressions_of_cute_sources() -> None:
    """Expressions as the C++ that printed the golden results was written; three of each operation."""
    for line in (GOLDEN / "cpp_expressions.jsonl").read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        if record["expression"].endswith(")"):
            got = as_text(evaluate(record["expression"], unchecked=True))
            assert same_text(record["result"], got), record
