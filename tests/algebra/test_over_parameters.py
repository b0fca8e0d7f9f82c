"""The algebra over parameters: a random instance of the answer is the answer on the instance.

There the parameters are at least 2: where a size is 1, CuTe drops the mode before it looks at it, and may
answer with a smaller domain. At 1 too the answer obeys the law of its operation (test_laws_at_instances).
"""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symlayout import Inadmissible, Layout, LayoutError, NeedFact, assume, dims
from symlayout.algebra import (
    blocked_product,
    coalesce,
    complement,
    composition,
    flat_divide,
    left_inverse,
    logical_divide,
    logical_product,
    make_layout,
    make_ordered_layout,
    raked_product,
    right_inverse,
    tile_to_shape,
    tiled_divide,
    with_shape,
    zipped_divide,
    zipped_product,
)
from symlayout.inttuple import show
from symlayout.notation import parse
from symlayout.parametric import at
from tests.oracle import answers, records
from tests.oracle.maps import read

MOST_ELEMENTS = 3000  # of an answer that is enumerated
M, N, K = dims("M N K")
SIZES = (1, 2, 4, 8, 3, N, 2 * N, 4 * K, K, N * K, 8 * M, M)
STRIDES = (0, 1, 2, 4, N, K, 8 * K, 2 * N * K, M)


@st.composite
def layouts(draw: st.DrawFn) -> Layout:
    """Compact, ordered, padded and wild ones."""
    shape = tuple(draw(st.lists(st.sampled_from(SIZES), min_size=1, max_size=3)))
    kind = draw(st.sampled_from(("left", "right", "ordered", "padded", "wild")))
    if kind == "left":
        return Layout(shape)
    if kind == "right":
        return make_layout(shape, "LayoutRight")
    order = tuple(draw(st.permutations(range(len(shape)))))
    if kind == "ordered":
        return make_ordered_layout(shape, order)
    if kind == "wild":
        return Layout(shape, tuple(draw(st.sampled_from(STRIDES)) for _ in shape))
    strides: list[Any] = [0] * len(shape)
    step: Any = 1
    for k in order:
        step = step * draw(st.sampled_from((1, 2, N)))
        strides[k] = step
        step = step * shape[k]
    return Layout(shape, tuple(strides))


instances = st.fixed_dictionaries({name: st.integers(2, 5) for name in "MNK"})
CASES: dict[str, tuple[Callable[..., Any], tuple[st.SearchStrategy[Any], ...]]] = {
    "coalesce": (coalesce, (layouts(),)),
    "composition": (composition, (layouts(), layouts())),
    "complement": (complement, (layouts(), st.sampled_from((None, 16 * K, 8 * N * K, 64 * N * K * M)))),
    "right_inverse": (right_inverse, (layouts(),)),
    "left_inverse": (left_inverse, (layouts(),)),
    "logical_divide": (logical_divide, (layouts(), st.sampled_from((2, 4, N, 2 * N)) | layouts())),
    "zipped_divide": (zipped_divide, (layouts(), st.sampled_from(((2,), (4, 2), (N, 2), (N, K))))),
    "tiled_divide": (tiled_divide, (layouts(), st.sampled_from(((2,), (4, 2), (N, 2), (N, K))))),
    "flat_divide": (flat_divide, (layouts(), st.sampled_from(((2,), (4, 2), (N, 2), (N, K))))),
    "with_shape": (lambda a: with_shape(coalesce(a), a.shape), (layouts(),)),
    "logical_product": (logical_product, (layouts(), layouts())),
    "zipped_product": (zipped_product, (layouts(), layouts())),
    "blocked_product": (blocked_product, (layouts(), layouts())),
    "raked_product": (raked_product, (layouts(), layouts())),
}


@pytest.mark.parametrize("name", CASES)
@settings(max_examples=60, deadline=None)
@given(st.data())
def test_instances(name: str, data: st.DataObject) -> None:
    operation, strategies = CASES[name]
    arguments = tuple(data.draw(s) for s in strategies)
    values = data.draw(instances)
    try:
        answer = operation(*arguments)
    except LayoutError as error:  # refused, or a fact is missing, which is then named
        if isinstance(error, NeedFact) and not error.fact:
            pytest.fail(f"{error} names no fact")
        return
    wanted = operation(*at(arguments, values))
    found = at(answer, values)
    assert found.size() == wanted.size(), f"{name}{arguments} = {answer} at {values}: {found}, {wanted}"
    assert found.canonical() == wanted.canonical(), f"{name}{arguments} = {answer} at {values}"


def pair(x: Any) -> Any:
    """As the oracle reads it."""
    return read(show(x))


def judged(op: str, *arguments: Any, answer: Any) -> Any:
    """What the oracle finds wrong, after enumeration."""
    verdict = records.judge(op, [show(x) for x in arguments], show(answer))
    assert verdict is not None
    return verdict.broken


def divided(op: str) -> Callable[..., Any]:
    def broken(answer: Any, a: Any, tiler: Any) -> Any:
        return answers.divide(pair(a), judged(op, a, tiler, answer=answer[0]), pair(answer))

    return broken


def multiplied(answer: Any, a: Any, b: Any) -> Any:
    return answers.product(pair(a), pair(b), pair(answer[0]), pair(answer[1]))


# what is wrong with the answer, first argument, on the others
LAWS: dict[str, Callable[..., Any]] = {
    "coalesce": lambda answer, a: answers.coalesce(pair(a), pair(answer)),
    "composition": lambda answer, a, b: judged("composition", a, b, answer=answer),
    "complement": lambda answer, a, cotarget: (
        judged("complement_default", a, answer=answer)
        if cotarget is None
        else judged("complement", a, cotarget, answer=answer)
    ),
    "right_inverse": lambda answer, a: judged("right_inverse", a, answer=answer),
    "left_inverse": lambda answer, a: judged("left_inverse", a, answer=answer),
    "logical_divide": divided("composition"),
    "zipped_divide": divided("composition_tile"),
    "tiled_divide": lambda answer, a, tiler: answers.divide(pair(a), None, pair(answer)),
    "flat_divide": lambda answer, a, tiler: answers.divide(pair(a), None, pair(answer)),
    "with_shape": lambda answer, a: judged("with_shape", a, a.shape, answer=answer),
    "logical_product": multiplied,
    "zipped_product": multiplied,
    "blocked_product": lambda answer, a, b: answers.ranked_product(pair(a), pair(b), pair(answer), 0),
    "raked_product": lambda answer, a, b: answers.ranked_product(pair(a), pair(b), pair(answer), 1),
}
near_one = st.fixed_dictionaries({name: st.sampled_from((1, 1, 2, 3)) for name in "MNK"})


@pytest.mark.parametrize("name", CASES)
@settings(max_examples=100, deadline=None)
@given(st.data())
def test_laws_at_instances(name: str, data: st.DataObject) -> None:
    operation, strategies = CASES[name]
    arguments = tuple(data.draw(s) for s in strategies)
    try:
        answer = operation(*arguments)
    except LayoutError:
        return  # see test_instances
    for values in (dict.fromkeys("MNK", 1), data.draw(near_one)):
        found = at(answer, values)
        if found.size() <= MOST_ELEMENTS:
            broken = LAWS[name](found, *at(arguments, values))
            assert broken is None, f"{name}{arguments} = {answer} at {values}: {found}: {broken}"


@pytest.mark.parametrize(
    "name, arguments, wrong",
    [
        ("coalesce", ("(2,3):(1,2)",), "6:2"),
        ("composition", ("(4,3):(1,4)", "6:2"), "6:1"),
        ("complement", ("4:1", "8:1"), "2:1"),
        ("right_inverse", ("(2,3):(3,1)",), "6:1"),
        ("left_inverse", ("(2,3):(3,1)",), "6:1"),
        ("logical_divide", ("8:1", "4:1"), "(4,2):(1,3)"),
        ("logical_divide", ("8:1", "4:1"), "(4,2):(2,1)"),
        ("flat_divide", ("8:1", "4:1"), "(4,2):(1,2)"),
        ("with_shape", ("(2,3):(1,2)",), "(2,3):(2,1)"),
        ("logical_product", ("4:1", "2:1"), "(4,2):(1,3)"),
        ("logical_product", ("4:1", "3:0"), "(4,3):(1,4)"),
        ("logical_product", ("4:1", "2:1"), "(4,3):(1,4)"),
        ("logical_product", ("4:1", "(2,2):(2,1)"), "(4,(2,2)):(1,(4,8))"),
        ("blocked_product", ("4:1", "2:1"), "(2,4):(4,1)"),
        ("blocked_product", ("(2,2):(1,2)", "(3,1):(1,0)"), "((2,3),(2,1)):((1,3),(2,0))"),
        ("raked_product", ("4:1", "2:1"), "(4,2):(1,4)"),
    ],
)
def test_what_breaks_a_law_is_seen(name: str, arguments: tuple[str, ...], wrong: str) -> None:
    operands = [parse(x) for x in arguments]
    if name == "complement":
        operands[1] = operands[1].size()
    assert LAWS[name](parse(wrong), *operands) is not None


@pytest.mark.parametrize(
    "call, answer",
    [
        (lambda: coalesce(parse("(4,N,2*K):(1,4,4*N)")), "8*K*N:1"),
        (lambda: coalesce(parse("(4,N,2*K):(1,8*K,4)")), "(4,N,2*K):(1,8*K,4)"),
        (lambda: composition(parse("(4,N,2*K):(1,8*K,4)"), parse("(2,2):(1,2)")), "(2,2):(1,2)"),
        (lambda: composition(parse("(8,N):(N,1)"), parse("(4,2*N):(2,8)")), "(4,2*N):(2*N,1)"),
        (lambda: complement(Layout(4, 2), 8 * K), "(2,K):(1,8)"),
        (lambda: complement(parse("(K,M):(1,2*K)"), 4 * K * M), "(2,2):(K,2*K*M)"),
        (lambda: right_inverse(parse("(M,K):(K,1)")), "(K,M):(M,1)"),
        (lambda: left_inverse(parse("(M,K):(K+1,1)")), "(K+1,M):(M,1)"),
        (lambda: logical_divide(parse("8*M:1"), 4), "(4,2*M):(1,4)"),
        (lambda: logical_divide(parse("N*M:1"), N), "(N,M):(1,N)"),
        (
            lambda: zipped_divide(parse("(32*M,16*K):(16*K,1)"), (16, 8)),
            "((16,8),(2*M,2*K)):((16*K,1),(256*K,8))",
        ),
        (
            lambda: logical_product(parse("(4,N):(N,1)"), parse("(2,K):(K,1)")),
            "((4,N),(2,K)):((N,1),(4*K*N,4*N))",
        ),
        (lambda: with_shape(parse("4*K:1"), (4, K)), "(4,K):(1,4)"),
        (lambda: make_ordered_layout((M, K), (1, 0)), "(M,K):(K,1)"),
    ],
)
def test_by_hand(call: Callable[[], Any], answer: str) -> None:
    assert str(call()) == answer


@pytest.mark.parametrize(
    "call, fact",
    [
        (lambda: logical_divide(Layout(M), 4), "4 | M"),
        (lambda: zipped_divide(parse("(M,K):(K,1)"), (16, 8)), "16 | M"),
        (lambda: complement(Layout(4, 2), K), "8 | K"),
        (lambda: logical_divide(parse("8*M:1"), N), "N | 8*M"),
        (lambda: composition(parse("(K,N):(N,1)"), parse("(4,N):(2,K)")), "K<=2"),
        (lambda: right_inverse(parse("(8):(N)")), "N>1"),
    ],
)
def test_what_is_missing(call: Callable[[], Any], fact: str) -> None:
    with pytest.raises(NeedFact) as caught:
        call()
    assert caught.value.fact == fact


def test_a_missing_fact_can_be_given() -> None:
    layout = parse("(M,K):(K,1)")
    facts: list[str] = []
    for _ in range(5):
        try:
            answer = zipped_divide(assume(*facts)(layout), (16, 8))
            break
        except NeedFact as missing:
            facts.append(missing.fact)
    assert facts == ["16 | M", "8 | K"]
    assert str(answer) == "((16,8),(m,k)):((8*k,1),(128*k,8))"


def test_sizes_that_differ_for_some_values_are_refused() -> None:
    with pytest.raises(Inadmissible):
        with_shape(parse("4*K:1"), (4, N))


def test_tile_to_shape_wants_to_know() -> None:
    with pytest.raises(NeedFact):
        tile_to_shape(parse("(8,8):(8,1)"), (8 * M, 8 * K))
