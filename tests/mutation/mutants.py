"""The mutants of a theorem: its claim with one layout, or one assumption, changed.

| change | what becomes of `(4,8):(2,16)` |
|---|---|
| a stride off by one | `(4,8):(3,16)`, `(4,8):(2,17)` |
| swapped modes | `(4,8):(16,2)` |
| a missing lane bit | `((2,2),8):((2,0),16)`: the upper half of a mode repeats the lower |
| a dropped assumption | `.given(...)` is left out |

Where all that changes nothing, one of the body's integers or variables is made one more.

A layout is changed wherever the body has an expression for one; in the claim that a retile is correct it is
the view, for another tensor has another view, which is as right. What says the same is not a mutant:
both sides of every comparison have the values that they had, or, in a claim about which values occur, the
layout has the values that it had, in whatever order.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import islice, pairwise, product
from typing import Any

from symlayout import Layout, ScaledBasis
from symlayout.claim import AllOf, Claim, Pointwise, values
from symlayout.errors import NeedFact, SymlayoutError
from symlayout.inttuple import flatten_to_tuple, unflatten
from symlayout.map_claims import Covers, EqualMaps, EveryValue, Injective
from symlayout.parametric import at, instances, parameters
from symlayout.question import read_question
from symlayout.retile_claim import Delivered, retile_claim
from symlayout.theory import Theorem

INSTANCES, POINTS = 12, 2000  # of a theorem over parameters, where it is compared with its mutant


@dataclass(frozen=True)
class Mutant:
    """A changed theorem: what was changed, in words, and the body that states it."""

    says: str
    body: Callable[..., Claim]


def mutants(stated: Theorem) -> Iterator[Mutant]:
    """Every mutant of a theorem, in the order of its text."""
    tree = expression(stated)
    names = ", ".join(stated.quantifiers)
    scope = dict(stated.body.__globals__)
    none = True
    for mutant in (
        *of_layouts(tree, names, scope),
        *of_assumptions(tree, names, scope),
        *(() if stated.quantifiers else (*retiles(stated.body()), *parts(stated.body()))),
        *retiles_over_parameters(tree, names, scope),
    ):
        none = False
        yield mutant
    if none:
        yield from numbers(tree, stated, names, scope)


def of_layouts(tree: ast.Expression, names: str, scope: dict[str, Any]) -> Iterator[Mutant]:
    """One layout of the text changed."""
    for k, layout in layouts(tree, scope):
        for says, changed in changes(layout):
            yield Mutant(f"{says}: {layout} becomes {changed}", _with(tree, k, changed, names, scope))


def of_assumptions(tree: ast.Expression, names: str, scope: dict[str, Any]) -> Iterator[Mutant]:
    """One `.given(...)` left out."""
    for k, node in enumerate(ast.walk(tree)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "given":
            dropped = _Replace(k, node.func.value)
            yield Mutant(f"dropped {ast.unparse(node)}", _body(dropped.over(tree), names, scope))


def parts(claim: Claim) -> Iterator[Mutant]:
    """A claim that a function makes of whole objects: a lane bit less in one of the layouts that have to keep
    elements apart or reach all of them."""
    found = claim.parts()
    if any(isinstance(part, Delivered) for part in found):
        return
    for k, part in enumerate(found):
        if isinstance(part, (Injective, Covers)) and isinstance(part.layout, Layout):
            for says, layout in changes(part.layout):
                if says == "a missing lane bit":
                    changed = AllOf((*found[:k], replace(part, layout=layout), *found[k + 1 :]))
                    yield Mutant(f"{says}: {part.layout} becomes {layout}", _states(changed))


def numbers(tree: ast.Expression, stated: Theorem, names: str, scope: dict[str, Any]) -> Iterator[Mutant]:
    """The body with one more than one of its integers, or than a variable where it stands."""
    for k, node in enumerate(ast.walk(tree)):
        integer = isinstance(node, ast.Constant) and type(node.value) is int
        if integer or (isinstance(node, ast.Name) and node.id in stated.quantifiers):
            assert isinstance(node, ast.expr)
            more = _Replace(k, ast.BinOp(node, ast.Add(), ast.Constant(1)))
            changed = more.over(tree)
            yield Mutant(f"off by one: {ast.unparse(changed)}", _body(changed, names, scope))


def same_statement(stated: Theorem, mutant: Mutant) -> bool:
    """Whether the mutant says at every point what the theorem says there; over parameters, at the points of
    some small instances."""
    ours, theirs = (read_question(body, stated.quantifiers) for body in (stated.body, mutant.body))
    params = parameters((ours.free, ours.claim))
    if not params:
        return all(_said(theirs.at(point)) == _said(ours.at(point)) for point in ours.points())
    points = (
        {**values, **dict(zip([v.name for v in ours.free], digits, strict=True))}
        for values in islice(instances(params), INSTANCES)
        for digits in product(*(range(at(v.bound, values)) for v in ours.free))
    )
    return all(
        _said(at(theirs.claim, point)) == _said(at(ours.claim, point)) for point in islice(points, POINTS)
    )


def _said(claim: Claim) -> list[Any]:
    found: list[Any] = []
    for part in claim.parts():
        if isinstance(part, Pointwise):
            found.append((part.premises, part.goals))
        elif isinstance(part, EqualMaps):
            found.append((values(part.a), values(part.b)))
        elif isinstance(part, (Injective, Covers, EveryValue)):
            found.append(sorted(values(part.layout), key=str))
        else:
            found.append(part)
    return found


def retiles(claim: Claim) -> Iterator[Mutant]:
    """The claim that a retile is correct, about other views."""
    for part in claim.parts():
        if isinstance(part, Delivered):
            for says, view in changes(part.delivery.view):
                changed = retile_claim(part.delivery, part.operand, part.side, view=view)
                yield Mutant(f"{says}: the view {part.delivery.view} becomes {view}", _states(changed))


def _states(claim: Claim) -> Callable[..., Claim]:
    return lambda: claim


def retiles_over_parameters(tree: ast.Expression, names: str, scope: dict[str, Any]) -> Iterator[Mutant]:
    """The same where the tensor's sizes are parameters: the view is handed to `retile_correct`."""
    for k, node in enumerate(ast.walk(tree)):
        if not _claims_a_retile(node):
            continue
        assert isinstance(node, ast.Call)
        assert isinstance(node.func, ast.Attribute)
        copy, mma, operand, tensor = (_value(x, scope) for x in (node.func.value, *node.args[:3]))
        if not parameters(tensor):
            continue
        for says, view in changes(copy.retile_D(mma.fragment(operand, tensor))):
            asked = ast.Call(
                node.func, node.args, [*node.keywords, ast.keyword("view", ast.Name("_changed", ast.Load()))]
            )
            body = _body(_Replace(k, asked).over(tree), names, {**scope, "_changed": view})
            yield Mutant(f"{says}: the view becomes {view}", body)


def _value(node: ast.expr, scope: dict[str, Any]) -> Any:
    return eval(compile(ast.Expression(node), "<theorem>", "eval"), dict(scope))


def changes(layout: Layout) -> Iterator[tuple[str, Layout]]:
    """The layout with one thing changed, unless it is the same function then."""
    sizes, strides = flatten_to_tuple(layout.shape), flatten_to_tuple(layout.stride)
    modes = [k for k, s in enumerate(sizes) if not isinstance(s, int) or s > 1]
    found: list[tuple[str, Layout]] = []

    def restrided(says: str, new: list[Any]) -> None:
        found.append((says, Layout(layout.shape, unflatten(tuple(new), layout.shape))))

    for k in modes:
        d = strides[k]
        new = list(strides)
        new[k] = ScaledBasis(d.value + 1, d.modes) if isinstance(d, ScaledBasis) else d + 1
        if isinstance(d, int) and d == 0 and any(isinstance(x, ScaledBasis) for x in strides):
            continue  # an integer stride beside coordinates is not a layout
        restrided("a stride off by one", new)
    for k, j in pairwise(modes):
        new = list(strides)
        new[k], new[j] = strides[j], strides[k]
        restrided("swapped modes", new)
    for k in modes:
        if isinstance(sizes[k], int) and sizes[k] % 2 == 0:
            shape, stride = list(sizes), list(strides)
            shape[k], stride[k] = (sizes[k] // 2, 2), (strides[k], 0)
            folded = unflatten(tuple(range(len(sizes))), layout.shape)
            found.append(("a missing lane bit", Layout(_refold(folded, shape), _refold(folded, stride))))
    for says, changed in found:
        if not _same_function(changed, layout):
            yield says, changed


def _same_function(a: Layout, b: Layout) -> bool:
    try:
        return a.canonical() == b.canonical()
    except NeedFact:
        return False  # for some sizes they may be; the theorem speaks of all


def _refold(places: Any, leaves: list[Any]) -> Any:
    return tuple(_refold(p, leaves) for p in places) if isinstance(places, tuple) else leaves[places]


def expression(stated: Theorem) -> ast.Expression:
    """The claim that the body returns, as a tree."""
    (function,) = ast.parse(textwrap.dedent(inspect.getsource(stated.body))).body
    assert isinstance(function, ast.FunctionDef)
    returned = function.body[-1]
    assert isinstance(returned, ast.Return)
    assert returned.value is not None
    return ast.Expression(returned.value)


def layouts(tree: ast.Expression, scope: dict[str, Any]) -> Iterator[tuple[int, Layout]]:
    """The expressions for layouts that no quantifier occurs in: which node of the walk, and the layout."""
    aside = {id(node) for call in ast.walk(tree) if _claims_a_retile(call) for node in ast.walk(call)}
    for k, node in enumerate(ast.walk(tree)):
        if id(node) not in aside and isinstance(node, (ast.Name, ast.Attribute, ast.Call, ast.Subscript)):
            try:
                value = _value(node, scope)
            except (NameError, SymlayoutError, TypeError):
                continue
            if isinstance(value, Layout):
                yield k, value


def _claims_a_retile(node: ast.AST) -> bool:
    """`copy.retile_correct(mma, "B", tensor)`: another tensor has another view, which is as right."""
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "retile_correct"
    )


class _Replace(ast.NodeTransformer):
    """Puts another node in the place of the k-th of `ast.walk`."""

    def __init__(self, k: int, new: ast.expr) -> None:
        self.k = k
        self.new = new

    def over(self, tree: ast.Expression) -> ast.Expression:
        copied = ast.parse(ast.unparse(tree), mode="eval")
        self.old = list(ast.walk(copied))[self.k]
        return ast.fix_missing_locations(self.visit(copied))  # type: ignore[no-any-return]

    def visit(self, node: ast.AST) -> Any:
        return self.new if node is self.old else self.generic_visit(node)


def _with(
    tree: ast.Expression, k: int, layout: Layout, names: str, scope: dict[str, Any]
) -> Callable[..., Claim]:
    changed = _Replace(k, ast.Name("_changed", ast.Load())).over(tree)
    return _body(changed, names, {**scope, "_changed": layout})


def _body(tree: ast.Expression, names: str, scope: dict[str, Any]) -> Callable[..., Claim]:
    body: Callable[..., Claim] = eval(f"lambda {names}: {ast.unparse(tree)}", scope)
    return body
