"""`symlayout eval` and `symlayout explain`."""

import inspect

import pytest

from symlayout import algebra
from symlayout.cli import derivation

from .conftest import Run


@pytest.mark.parametrize(
    "expression, value",
    [
        ("zipped_divide((4,4,2):(1,8,4), 8:1)", "((4,2),(2,2)):((1,8),(16,4))"),
        ("coalesce((2,(1,6)):(1,(6,2)))", "12:1"),
        ("right_inverse((8,4):(4,1)).with_shape(2,16)", "(2,(2,8)):(8,(16,1))"),
        ("composition(Sw<3,3,3>, (8,64):(64,1))", "Sw<3,3,3> o 0 o (8,64):(64,1)"),
        ("((4,4):(1,4))((1,2))", "9"),
        ("(8,64):(64,1)[1]", "64:1"),
        ("make_identity_layout((4,8))", "(4,8):(1@0,1@1)"),
        ("compatible(8, (4,2))", "true"),
        ("Layout<Shape<_8,_2>,Stride<_1,_16>>", "(8,2):(1,16)"),
        ("-1:-1", None),
        ("8:-1", "8:-1"),
        ("_", "_"),
    ],
)
def test_values(run: Run, expression: str, value: str | None) -> None:
    outcome = run("eval", expression)
    if value is None:
        assert outcome.code == 2
        return
    assert (outcome.code, outcome.out) == (0, value + "\n")
    assert run("eval", expression, "--format", "json").data["value"] == value


def test_json_of_a_layout(run: Run) -> None:
    data = run("eval", "((2,2),8):((1,4),8)", "--format", "json").data
    assert data == {
        "command": "eval",
        "exit_code": 0,
        "expression": "((2,2),8):((1,4),8)",
        "value": "((2,2),8):((1,4),8)",
        "kind": "layout",
        "notes": [],
        "shape": [[2, 2], 8],
        "stride": [[1, 4], 8],
        "size": 32,
        "cosize": 62,
    }


def test_an_answer_that_breaks_its_law_is_refused_with_the_witness(run: Run) -> None:
    text = "composition((3,2):(1,4), (2,2):(1,2))"
    outcome = run("eval", text)
    assert (outcome.code, outcome.out) == (1, "")
    assert "R(3) = 3, A(B(3)) = 4" in outcome.err
    data = run("eval", text, "--format", "json").data
    assert data["error"] == "Inadmissible"
    assert (data["verdict"], data["index"], data["want"], data["got"]) == ("refuted", 3, 4, 3)


@pytest.mark.parametrize(
    "expression, note",
    [
        ("logical_divide((3,4):(4,1), 2:1)", "over-cover: 4 of 16 coordinates lie outside"),
        ("zipped_divide(8:1, (2,2):(1,0))", "each element 2 times"),
        ("left_inverse((4,2):(1,0))", "L is not injective"),
    ],
)
def test_notes(run: Run, expression: str, note: str) -> None:
    for command in ("eval", "explain"):
        outcome = run(command, expression)
        assert outcome.code == 0
        assert f"note: {note}" in outcome.out
        assert note in run(command, expression, "--format", "json").data["notes"][0]


def test_strict_refuses_over_cover(run: Run) -> None:
    outcome = run("eval", "logical_divide(10:1, 4:1, strict=true)")
    assert (outcome.code, outcome.out) == (1, "")
    assert "2 coordinates lie outside" in outcome.err


def test_cutes_own_answer_carries_a_note(run: Run) -> None:
    outcome = run("eval", "composition((3,2):(1,4), (2,2):(1,2), unchecked=true)")
    assert outcome.code == 0
    assert outcome.out.startswith("(2,2):(1,2)\nnote: CuTe's answer, unchecked: ")
    assert "note" not in run("eval", "composition((4,2):(1,4), (2,2):(1,2), unchecked=true)").out


@pytest.mark.parametrize(
    "expression, lines",
    [
        (
            "zipped_divide((4,4,2):(1,8,4), 8:1)",
            [
                "shape(coalesce(A)) = (4,4,2)",
                "rest = complement(8:1, (4,4,2)) = 4:8",
                "composition(A, (8:1, 4:8)) = ((4,2),(2,2)):((1,8),(16,4))",
            ],
        ),
        ("((4,4):(1,4))((1,2))", ["1*1 + 2*4 = 9"]),
        ("((4,(2,2)):(2,(1,8)))(9)", ["index 9 is the coordinate (1,(0,1))", "1*2 + 0*1 + 1*8 = 10"]),
        (
            "(Sw<2,0,3> o 0 o (8,8):(8,1))(1,2)",
            ["1*8 + 2*1 = 10", "Sw<2,0,3>: 0b1010 ^ 0b1 = 0b1011 = 11"],
        ),
        ("complement(4:2, 24)", ["size(C) * size(A') = 6 * 4 = 24", "C(i)  0 1 8 9 16 17"]),
        (
            "logical_product(4:1, 3:1)",
            ["complement(A, size(A)*cosize(B) = 4*3) = 3:4", "composition(3:4, 3:1) = 3:4"],
        ),
        ("right_inverse((2,2):(2,1))", ["law: L(R(i)) = i", "R(i)     0 2 1 3", "L(R(i))  0 1 2 3"]),
        ("zipped_divide((8,8):(8,1),(2,4))", ["mode 1: logical_divide(8:1, 4) = (4,2):(1,4)"]),
    ],
)
def test_the_arithmetic(run: Run, expression: str, lines: list[str]) -> None:
    outcome = run("explain", expression)
    assert outcome.code == 0
    for line in lines:
        assert line in outcome.out


def test_explain_goes_from_the_inside_out(run: Run) -> None:
    data = run("explain", "coalesce(composition((4,4):(4,1), (2,8):(8,1)))", "--format", "json").data
    assert [step["call"].partition("(")[0] for step in data["steps"]] == ["composition", "coalesce"]
    assert data["steps"][-1]["value"] == data["value"]
    assert all(step["law"] for step in data["steps"])


def test_explain_takes_facts_about_names(run: Run) -> None:
    out = run("explain", "composition((M,4):(1,M), 8:1)", "--assume", "8 | M").out
    assert "composition((8*m,4):(1,8*m), 8:1)" in out
    assert "A(B(i))  0 1 2 3 4 5 6 7" in out


def test_a_broken_law_is_marked(run: Run) -> None:
    outcome = run("explain", "composition((3,2):(1,4), (2,2):(1,2), unchecked=true)")
    assert outcome.code == 0
    assert "law (broken here): " in outcome.out
    assert "A(B(i))  0 1 2 4\n" in outcome.out
    assert "R(i)     0 1 2 3\n" in outcome.out


def test_every_law_belongs_to_an_operation() -> None:
    assert set(derivation.LAWS) <= set(algebra.__all__)


def test_every_checked_operation_has_its_law() -> None:
    functions = {name: getattr(algebra, name) for name in algebra.__all__}
    callables = {name: f for name, f in functions.items() if inspect.isfunction(f)}
    checked = {name for name, f in callables.items() if "unchecked" in inspect.signature(f).parameters}
    assert checked <= set(derivation.LAWS)


@pytest.mark.parametrize(
    "expression, says",
    [
        ("hello", "hello is a name, of which nothing is known"),
        ("1000000000000000000000000000000:1", "a size of 31 digits: CuTe's integers have 64 bits"),
        ("(1000000000000,1000000000000):(1,2)", "a size of 25 digits"),
        ("4:10000000000000000000", "a number of 20 digits"),
        ("size((1000000000000,1000000000000):(1,2))", "a number of 25 digits"),
    ],
)
def test_what_there_is_nothing_to_evaluate_of(run: Run, expression: str, says: str) -> None:
    for command in ("eval", "explain"):
        found = run(command, expression)
        assert found.code == 2
        assert says in found.err


def test_the_largest_sizes_are_evaluated(run: Run) -> None:
    assert run("eval", "4611686018427387904:1").out == "4611686018427387904:1\n"
    assert run("eval", "M", "--assume", "16 | M").out == "16*m\n"


@pytest.mark.parametrize(
    "expression, value, offset",
    [
        ("slice_((_,3), (4,8):(8,1))", "(4):(8)", 3),
        ("((4,8):(8,1))(2,_)", "(8):(1)", 16),
        ("slice_((4,8):(8,1), (_,0))", "(4):(8)", 0),
        ("((4,8):(8,1))(_,_)", "(4,8):(8,1)", 0),
    ],
)
def test_a_slice_says_where_it_begins(run: Run, expression: str, value: str, offset: int) -> None:
    lines = run("eval", expression).out.splitlines()
    assert lines[0] == value
    assert (len(lines) > 1) == bool(offset)
    assert not offset or f"the slice begins at offset {offset}" in lines[1]


def test_a_swizzled_slice_keeps_its_offset(run: Run) -> None:
    assert run("eval", "slice_((_,3), Sw<1,0,1> o 0 o (4,8):(8,1))").out == "Sw<1,0,1> o 3 o (4):(8)\n"
