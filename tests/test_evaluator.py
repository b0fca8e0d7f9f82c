"""The evaluator of certificates against hand-computed values, and against the claims' own walk."""

import ast
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symlayout import (
    Layout,
    Swizzle,
    aligned,
    bijective,
    covers,
    disjoint,
    equal,
    evaluator,
    injective,
    make_identity_layout,
    within,
)
from symlayout.claim import Claim
from symlayout.evaluator import Malformed, at, holds, number, points, table
from symlayout.statement import statement
from symlayout.swizzle import ComposedLayout
from symlayout.view import View

from .strategies import layouts


def test_it_stands_alone() -> None:
    assert evaluator.__file__ is not None
    tree = ast.parse(Path(evaluator.__file__).read_text(encoding="utf-8"))
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module or "." for node in nodes if isinstance(node, ast.ImportFrom)}
    assert names == {"ast", "re", "collections", "collections.abc", "functools", "math", "typing"}


@pytest.mark.parametrize(
    "text, env, value",
    [
        ("7", {}, 7),
        ("-3", {}, -3),
        ("a%4*16 + a//4", {"a": 7}, 49),
        ("2*(a - b)", {"a": 1, "b": 4}, -6),
        ("a ^ (a & 56)//8", {"a": 57}, 57 ^ 7),
        ("-1//2", {}, -1),
        ("a | 6 ^ 3 & 2", {"a": 8}, 8 | (6 ^ (3 & 2))),
    ],
)
def test_numbers(text: str, env: Mapping[str, int], value: int) -> None:
    assert number(text, env) == value


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os')",
        "().__class__",
        "a()",
        "a.b",
        "a[0]",
        "2**9",
        "1 << 4",
        "1 if a else 2",
        "a and b",
        "a < b",
        "[1]",
        "{}",
        "lambda: 0",
        "(a := 1)",
        "f'{a}'",
        "'a'",
        "1.5",
        "True",
        "None",
        "...",
        "",
        "1 +",
        "9" * 5000,
        "(" * 500 + "1" + ")" * 500,
        "a\nb",
    ],
)
def test_nothing_but_arithmetic_is_computed(text: str) -> None:
    part = {"kind": "relations", "given": [], "hold": [f"{text} = 0"]}
    with pytest.raises(Malformed):
        at(part, {"a": 1, "b": 2})
    layout = {"kind": "injective", "given": [], "map": f"{text}:1"}
    with pytest.raises(Malformed):
        at(layout, {"a": 1, "b": 2})


@pytest.mark.parametrize("text", ["x = 0", "1//0 = 0", "1 % 0 = 0", "(1, 2) = 0", "1@0 = 0", "1 == 1", "1"])
def test_other_malformed_relations(text: str) -> None:
    with pytest.raises(Malformed):
        at({"kind": "relations", "given": [], "hold": [text]}, {})


@pytest.mark.parametrize(
    "part",
    [
        {"kind": "magic", "given": []},
        {"kind": "injective", "given": []},
        {"kind": "injective", "given": [], "map": "(2,2):(1)"},
        {"kind": "injective", "given": [], "map": "0:1"},
        {"kind": "injective", "given": [], "map": "(2,-1):(1,2)"},
        {"kind": "injective", "given": [], "map": "4"},
        {"kind": "injective", "given": [], "map": "Sw<300,3,3> o 0 o 4:1"},
        {"kind": "injective", "given": [], "map": {"layout": "4:1"}},
        {"kind": "injective", "given": [], "map": 5},
        {"kind": "covers", "given": [], "map": "4:1", "n": None, "times": None},
        {"kind": "relations", "given": ["nonsense"], "hold": []},
    ],
)
def test_malformed_parts(part: Any) -> None:
    with pytest.raises(Malformed):
        at(part, {})


def test_a_map_that_is_too_large() -> None:
    with pytest.raises(OverflowError):
        at({"kind": "injective", "given": [], "map": "(4194304,2):(1,4194304)"}, {})


@pytest.mark.parametrize(
    "relation, true",
    [
        ("1 = 1", True),
        ("1 != 1", False),
        ("1 < 2", True),
        ("2 <= 1", False),
        ("2 > 1", True),
        ("1 >= 2", False),
    ],
)
def test_relations(relation: str, true: bool) -> None:
    assert holds(relation, {}) is true


@pytest.mark.parametrize(
    "text, columns",
    [
        ("(2,3):(1,10)", {(): [0, 1, 10, 11, 20, 21]}),
        ("((2,2),2):((1,16),2)", {(): [0, 1, 16, 17, 2, 3, 18, 19]}),
        ("4:-1", {(): [0, -1, -2, -3]}),
        ("(2,2):(0,0)", {(): [0, 0, 0, 0]}),
        ("(2,2):(1@1,3@0)", {(0,): [0, 0, 3, 3], (1,): [0, 1, 0, 1]}),
        ("(2,2):(1@0@1,0)", {(1, 0): [0, 1, 0, 1]}),
        ("Sw<1,0,1> o 0 o 4:1", {(): [0, 1, 3, 2]}),
        ("Sw<1,0,-1> o 0 o 4:1", {(): [0, 3, 2, 1]}),
        ("Sw<2,0,3> o 8 o 2:1", {(): [9, 8]}),
        ({"offset": "5", "layout": "2:3"}, {(): [5, 8]}),
        ({"offset": "(5,1)", "layout": "2:3@0"}, {(0,): [5, 8], (1,): [1, 1]}),
        ({"offset": "((5,),1)", "layout": "2:0"}, {(0, 0): [5, 5], (1,): [1, 1]}),
        ("(2,K):(K,1)", {(): [0, 3, 1, 4, 2, 5]}),
    ],
)
def test_maps(text: Any, columns: Any) -> None:
    assert table(text, {"K": 3}) == columns


def test_points_of_a_domain() -> None:
    domain = [{"name": "n", "from": 1, "below": 3}, {"name": "i", "from": 0, "below": "n"}]
    assert list(points(domain, {})) == [{"n": 1, "i": 0}, {"n": 2, "i": 0}, {"n": 2, "i": 1}]


def test_where_nothing_is_said_nothing_fails() -> None:
    part = {"kind": "relations", "given": ["a < 2"], "hold": ["a = 0"]}
    assert [at(part, {"a": a}) for a in range(3)] == [(True, None), (True, {}), (False, None)]


ROW = Layout((4, 4), (4, 1))
IDENTITY = make_identity_layout((4, 4))
CORNER = View(IDENTITY((1, 3)), Layout(1, 0))


@pytest.mark.parametrize(
    "claim",
    [
        equal(ROW, Layout((4, 4), (1, 4))),
        equal(ROW, Layout((2, 2, 4), (4, 8, 1))),
        equal(Layout(4), Layout(5)),
        equal(make_identity_layout((4, 4)), make_identity_layout((2, 8))),
        equal(make_identity_layout((4, 4)), make_identity_layout((4, 4))),
        equal(View(IDENTITY((1, 3)), IDENTITY), View(IDENTITY((1, 3)), IDENTITY)),
        equal(View(IDENTITY((1, 3)), IDENTITY), View(IDENTITY((1, 2)), IDENTITY)),
        equal(View(3, ROW), View(4, ROW)),
        within(CORNER, 1, 4),
        within(CORNER, 1, 3),
        within(ROW, 0, 16),
        within(ROW, 0, 15),
        within(make_identity_layout((4, 4)), 0, 4),
        aligned(Layout((4, 4), (2, 6)), 2),
        aligned(Layout((4, 4), (2, 6)), 4),
        injective(Layout((4, 2), (1, 3))),
        injective(Layout((4, 2), (1, -4))),
        injective(make_identity_layout((4, 4))),
        injective(ComposedLayout(Swizzle(2, 0, 3), 0, Layout((8, 4), (1, 8)))),
        bijective(ROW),
        covers(Layout((4, 2), (1, 0)), 4, times=2),
        covers(Layout((4, 2), (1, 0)), 4, times=1),
        covers(Layout((4, 2), (1, 2)), 6),
        covers(Layout((4, 2), (1, 2)), 7),
        disjoint(Layout(4, 2), View(1, Layout(4, 2))),
        disjoint(Layout(4, 2), Layout(3, 3)),
        equal(3, 4),
        equal((1, (2, 3)), (1, (2, 3))),
    ],
    ids=str,
)
def test_it_agrees_with_the_claim_itself(claim: Claim) -> None:
    for part in claim.parts():
        expected = part.failure()
        assert at(statement(part), {}) == (True, None if expected is None else expected.witness)


@given(layouts(), layouts())
def test_it_agrees_on_any_two_layouts(a: Layout, b: Layout) -> None:
    for claim in (equal(a, b), injective(a), disjoint(a, b), within(a, 0, 20), aligned(b, 2), covers(a, 3)):
        expected = claim.failure()
        assert at(statement(claim), {}) == (True, None if expected is None else expected.witness)


@given(st.integers(-20, 20), st.integers(1, 9))
def test_quotients_floor(x: int, n: int) -> None:
    assert (number("x//n", {"x": x, "n": n}), number("x%n", {"x": x, "n": n})) == divmod(x, n)
