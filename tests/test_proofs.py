"""The theorems of proofs/: all as stated, none empty (a mutant of each is refuted), all readable."""

import ast
import inspect
import re
import textwrap
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from symlayout import Layout, at_most_wavefronts, conflict_free, make_layout, smt
from symlayout.atoms.coverage import distinct_claims
from symlayout.claim import Claim
from symlayout.claims import all_of, bijective, equal, injective, within
from symlayout.decide import prove
from symlayout.errors import LayoutError
from symlayout.theory import Theorem, load, printed_forms, theorems
from symlayout.verdict import Proved, Refuted

MODULES = load(Path(__file__).parent.parent / "proofs")
ALL = [(module, stated) for module in MODULES for stated in theorems(module)]
STATED = pytest.mark.parametrize(
    "module, stated", ALL, ids=[f"{m.__name__.rpartition('.')[2]}.{t.name}" for m, t in ALL]
)


@STATED
def test_as_stated(module: ModuleType, stated: Theorem) -> None:
    verdict = stated.prove()
    assert stated.as_stated(verdict), str(verdict)
    if isinstance(verdict, Proved):
        assert verdict.engine.endswith(smt.version())
        (computed,) = verdict.cross_checked
        small = re.fullmatch(r"computed at \d+ points of small instances", computed)  # sizes are symbols
        assert small or computed == f"all {verdict.instances} points computed"


@STATED
def test_the_body_is_one_return_and_the_statement_a_sentence(module: ModuleType, stated: Theorem) -> None:
    (function,) = ast.parse(textwrap.dedent(inspect.getsource(stated.body))).body
    assert isinstance(function, ast.FunctionDef)
    docstring, body = function.body
    assert isinstance(docstring, ast.Expr)
    assert isinstance(body, ast.Return)
    assert stated.statement.endswith(".")
    assert (stated.kind == "refutation") == ("(false" in stated.statement)


def test_printed_forms() -> None:
    forms = [(module.__name__, form) for module in MODULES for form in printed_forms(module)]
    assert len(forms) > 30
    for name, form in forms:
        assert form.claimed == form.printed, f"{name}, line {form.line}: {form.name} prints {form.printed}"


def test_the_article_s_counts() -> None:
    """128 destination matches, 512 source references and 128 matches with x2, counted by the checker."""
    counts = {}
    for _, stated in ALL:
        if stated.name in ("x1_destinations_match", "x1_sources_match", "x2_destinations_match"):
            verdict = stated.prove()
            assert isinstance(verdict, Proved)
            counts[stated.name] = verdict.instances
    assert counts == {"x1_destinations_match": 128, "x1_sources_match": 512, "x2_destinations_match": 128}


def test_the_article_s_slots() -> None:
    (gather,) = (m for m in MODULES if m.__name__.endswith(".gather"))
    assert [gather.tXrB((a, 0), 0, 0) for a in range(8)] == [0, 1, 2, 3, 4, 5, 6, 7]
    assert [gather.by_eight(a, 0) for a in range(8)] == [0, 1, 2, 3, 8, 9, 10, 11]


class _Change(ast.NodeTransformer):
    """Adds 1 to the n-th integer or quantified variable of an expression."""

    def __init__(self, n: int, variables: Collection[str]) -> None:
        self.left = n
        self.variables = variables
        self.done = False

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        return self.count(node) if type(node.value) is int else node

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return self.count(node) if node.id in self.variables else node

    def count(self, node: ast.expr) -> ast.expr:
        self.left -= 1
        if self.left != -1:
            return node
        self.done = True
        return ast.BinOp(node, ast.Add(), ast.Constant(1))


def changed(stated: Theorem) -> Iterator[tuple[str, Callable[..., Claim]]]:
    """The body with 1 added to one of its integers or variables, for each of them."""
    (function,) = ast.parse(textwrap.dedent(inspect.getsource(stated.body))).body
    assert isinstance(function, ast.FunctionDef)
    body = function.body[-1]
    assert isinstance(body, ast.Return)
    assert body.value is not None
    text = ast.unparse(body.value)
    for n in range(100):
        change = _Change(n, stated.quantifiers)
        mutant = ast.unparse(change.visit(ast.parse(text, mode="eval")))
        if not change.done:
            return
        yield mutant, eval(f"lambda {', '.join(stated.quantifiers)}: {mutant}", dict(stated.body.__globals__))


def exchanged(view: Layout) -> Layout:
    """The layout with two of its strides exchanged, the least and the greatest."""
    flat = sorted({d for d in _leaves(view.stride) if d})
    swap = {flat[0]: flat[-1], flat[-1]: flat[0]} if len(flat) > 1 else {flat[0]: 2 * flat[0]}

    def go(d: Any) -> Any:
        return tuple(go(x) for x in d) if isinstance(d, tuple) else swap.get(d, d)

    return Layout(view.shape, go(view.stride))


def _leaves(t: Any) -> Iterator[int]:
    if isinstance(t, tuple):
        for x in t:
            yield from _leaves(x)
    else:
        yield t


def doubled(layout: Layout) -> Layout:
    """The layout with its first stride other than 0 twice as great."""
    done = False

    def go(d: Any) -> Any:
        nonlocal done
        if isinstance(d, tuple):
            return tuple([go(x) for x in d])
        if done or d == 0:
            return d
        done = True
        return 2 * d

    return Layout(layout.shape, go(layout.stride))


# theorems about whole objects, whose text has no integer to change: a claim with one layout of theirs changed
BY_HAND: dict[str, Callable[[ModuleType], Claim]] = {
    "coverage.every_mma_sync": lambda m: all_of(
        *distinct_claims(replace(atom, layout_B=doubled(atom.layout_B)) for atom in m.MMA_SYNC)
    ),
    "coverage.every_ldmatrix_and_stmatrix": lambda m: all_of(
        *distinct_claims(replace(atom, bits_dst=doubled(atom.bits_dst)) for atom in m.MATRIX_MOVES)
    ),
    "operand_a.mma_reads_each_element_once": lambda m: bijective(exchanged(m.mma.layout_A_TV)),
    "operand_a.retile_is_correct": lambda m: m.copy.retile_correct(
        m.mma, "A", (16, 16), view=exchanged(m.tXrA)
    ),
    "operand_b.mma_reads_each_element_once": lambda m: bijective(exchanged(m.mma.layout_B_TV)),
    "operand_b.x1_keeps_the_fragment": lambda m: equal(exchanged(m.tXrB), m.tCrB),
    "operand_b.x1_retile_is_correct": lambda m: m.copy.retile_correct(
        m.mma, "B", (8, 16), view=exchanged(m.tXrB)
    ),
    "operand_b.x2_retile_is_correct": lambda m: m.copy_x2.retile_correct(
        m.mma, "B", (8, 16), view=Layout(((2, 2), 1, 1), ((2, 1), 0, 0))
    ),
    "gather.retile_is_correct": lambda m: m.copy.retile_correct(
        m.mma, "B", m.sB, view=Layout(((4, 2), 4, 1), ((1, 8), 4, 0))
    ),
    "ldmatrix.each_element_is_received_once": lambda m: bijective(m.source),
    "direct_divide.logical_divide_agrees": lambda m: equal(exchanged(m.direct_mode), m.tXrA),
    "direct_divide.logical_divide_agrees_for_b": lambda m: equal(exchanged(m.direct_mode_b), m.tXrB),
    "silent_failure.right_view_is_correct": lambda m: m.copy.retile_correct(
        m.mma, "B", m.sB, view=m.cute_view
    ),
    "silent_failure.plain_permutation_is_correct": lambda m: m.copy_in_order.retile_correct(
        m.in_order, "B", m.sB, view=m.right_view
    ),
    "parametric.gather_is_a_correct_retile": lambda m: m.gather.retile_correct(
        m.wide, "B", (8 * m.N, 32 * m.K), view=Layout(((4, 2), m.N, m.K), ((1, 8), 8 * m.K, 4))
    ),
    "parametric.retile_of_a_is_correct": lambda m: m.x4.retile_correct(
        m.mma, "A", (16 * m.M, 16 * m.K), view=Layout(((2, 4), m.M, m.K), ((2, 1), 8 * m.K, 8))
    ),
    "parametric.a_is_partitioned": lambda m: bijective(doubled(m.part_A)),
    "parametric.b_is_partitioned": lambda m: bijective(doubled(m.part_B)),
    "parametric.c_is_partitioned": lambda m: bijective(doubled(m.part_C)),
    "parametric.padding_keeps_elements_apart": lambda m: injective(Layout((m.M, m.K), (m.K - 1, 1))),
    "parametric.coalesce_of_two": lambda m: equal(doubled(m.two), m.two),
    "parametric.coalesce_of_three": lambda m: equal(doubled(m.three), m.three),
    "parametric.complement_completes": lambda m: bijective(make_layout(m.block, doubled(m.others))),
    "parametric.complement_of_two_completes": lambda m: bijective(make_layout(m.block, m.between)),
    "parametric.complement_is_ordered": lambda m: within(
        m.between((m.d - 1, m.u, 0)), 0, m.between((0, 0, 1))
    ),
    "parametric.logical_divide_permutes": lambda m: bijective(doubled(m.divided)),
    "parametric.divide_differs_otherwise": lambda m: equal(m.by_n, m.some_n(m.view)),
    "configuration.the_article_s_configuration_holds": lambda m: m.too_few_values.retile_correct(
        m.permuted, "B", (8, 32)
    ),
    "banks.odd_pitch": lambda m: conflict_free(m.load, m.rows_by_64),
    "banks.wide_loads_and_any_pitch": lambda m: at_most_wavefronts(m.load, m.rows_by_8, 7),
    "configuration.stmatrix_through_retile_s_holds": lambda m: m.stmatrix.retile_correct(m.mma, "C", (16, 8)),
}


@pytest.mark.parametrize(
    "module, stated",
    [(m, t) for m, t in ALL if t.kind == "theorem"],
    ids=[f"{m.__name__.rpartition('.')[2]}.{t.name}" for m, t in ALL if t.kind == "theorem"],
)
def test_a_mutant_is_refuted(module: ModuleType, stated: Theorem) -> None:
    """A claim that stays true when it is changed would say nothing."""
    name = f"{module.__name__.rpartition('.')[2]}.{stated.name}"
    if name in BY_HAND:
        assert isinstance(prove(BY_HAND[name](module)), Refuted)
        return
    tried = []
    for text, body in changed(stated):
        try:
            verdict = prove(body, **dict[str, Any](stated.quantifiers))
        except LayoutError:
            continue
        if isinstance(verdict, Refuted):
            return
        tried.append(text)
    pytest.fail(f"no mutant of {name} is refuted: {tried}")
