"""The safe mode accepts an answer exactly where its law holds, found by counting.

Two truths, neither of which uses the code of the laws: the values that C++ computed (golden/negative.jsonl),
and a plain walk over every index in tests/oracle, which restates CuTe's algorithms in its own words.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import symlayout as sl
from symlayout import Inadmissible, Layout, LayoutError
from symlayout.algebra.notes import notes
from symlayout.conform import conform
from symlayout.inttuple import flatten_to_tuple, show
from symlayout.notation import parse
from tests.oracle import records

GOLDEN = Path(__file__).parent.parent / "golden" / "negative.jsonl"
Record = dict[str, Any]


def recorded() -> list[Record]:
    return [json.loads(line) for line in GOLDEN.read_text(encoding="utf-8").splitlines()]


def sizes_are_positive(result: str) -> bool:
    shape = result.partition(":")[0]
    return "-" not in shape and 0 not in flatten_to_tuple(parse(shape))


# --- the values that C++ computed ---

IN_VALUES = {"composition", "composition_int", "with_shape", "right_inverse", "left_inverse", "coalesce"}


@pytest.fixture(scope="module")
def refused() -> set[str]:
    report = conform(GOLDEN, checked=True)
    assert report.ok, report.text()
    return set(report.refused_ids)


def test_there_are_enough_records() -> None:
    backward = [r for r in recorded() if any("-" in a.partition(":")[2] for a in r["args"])]
    assert len(backward) >= 2000
    assert {r["op"] for r in backward} > IN_VALUES | {
        *(
            "logical_divide",
            "zipped_divide",
            "tiled_divide",
            "flat_divide",
            "complement",
            "complement_default",
        ),
        *("tile_to_shape", "crd2idx", "layout_table", "logical_product", "get_hier_coord"),
    }


def test_an_answer_is_accepted_where_cpp_computes_the_values_that_the_law_asks_for(
    refused: set[str],
) -> None:
    seen: Counter[bool] = Counter()
    for r in recorded():
        if r["op"] not in IN_VALUES or "result" not in r:
            continue
        holds = sizes_are_positive(r["result"]) and r.get("want") == r.get("got")
        if r["op"] == "with_shape":
            a, shape = parse(r["args"][0]), Layout(parse(r["args"][1]))
            holds = holds and a.size() == shape.size()
        assert (r["id"] not in refused) == holds, r
        seen[holds] += 1
    assert seen[True] > 400
    assert seen[False] > 60


def test_an_accepted_divide_has_the_tile_that_cpp_computed(refused: set[str]) -> None:
    seen = 0
    for r in recorded():
        if r["op"] == "logical_divide" and "result" in r:
            if not sizes_are_positive(r["result"]) or r["want"] != r["got"]:
                assert r["id"] in refused, r
                seen += 1
    assert seen > 10


def test_what_is_refused_in_the_records_breaks_its_law(refused: set[str]) -> None:
    for r in recorded():
        if "result" not in r:
            continue
        verdict = records.judge(r["op"], r["args"], r["result"])
        broken = verdict is not None and verdict.broken is not None
        assert (r["id"] in refused) == broken, r


# --- a walk over every index ---

SIZES = (1, 2, 2, 3, 4, 4, 5, 6)
STEPS = (0, 1, 1, 2, 2, 3, 4, 5, 6, 8, 9, 12, 16, -1, -1, -2, -3, -4, -6, -8)


class Inputs:
    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)

    def layout(self, most: int = 120, rank: int = 3) -> Layout:
        c = self.chance
        while True:
            shape: Any = [c.choice(SIZES) for _ in range(c.randint(1, rank))]
            stride: Any = [c.choice(STEPS) for _ in shape]
            if c.random() < 0.4:  # compact, perhaps with a mode turned round
                step = 1
                for k in c.sample(range(len(shape)), len(shape)):
                    stride[k] = -step if c.random() < 0.2 else step
                    step *= shape[k]
            found = Layout(tuple(shape), tuple(stride)) if len(shape) > 1 else Layout(shape[0], stride[0])
            if found.size() <= most:
                return found

    def number(self) -> int:
        return self.chance.choice((1, 2, 3, 4, 6, 8, 12, 16, 24, 48))

    def target(self, block: Layout) -> tuple[int, ...]:
        return tuple([int(m.size()) * self.chance.choice((1, 1, 2, 3)) for m in block])


Make = Callable[[Inputs], tuple[Any, ...]]
CASES: dict[str, Make] = {
    "composition": lambda i: (i.layout(), i.layout(24, 2)),
    "composition_int": lambda i: (i.layout(), i.number()),
    "logical_divide": lambda i: (i.layout(), i.layout(16, 2)),
    "logical_divide_int": lambda i: (i.layout(), i.number()),
    "logical_product": lambda i: (i.layout(16, 2), i.layout(8, 2)),
    "blocked_product": lambda i: (i.layout(16, 2), i.layout(8, 2)),
    "complement": lambda i: (i.layout(), i.number()),
    "complement_default": lambda i: (i.layout(),),
    "right_inverse": lambda i: (i.layout(),),
    "left_inverse": lambda i: (i.layout(),),
    "tile_to_shape": lambda i: (lambda b: (b, i.target(b)))(i.layout(16, 2)),
}


# by one run from 0 on, or into a layout, CuTe has no way to err with flat modes
NEVER_BROKEN = {"right_inverse", "composition_int", "logical_divide_int"}


@pytest.mark.parametrize("op", CASES)
def test_the_safe_mode_accepts_where_the_law_holds_and_nowhere_else(op: str) -> None:
    inputs, seen = Inputs(1), Counter[bool]()
    function = getattr(sl, op.removesuffix("_int").removesuffix("_default"))
    for _ in range(400):
        arguments = CASES[op](inputs)
        try:
            raw = function(*arguments, unchecked=True)
        except LayoutError:
            continue  # CuTe rejects it
        verdict = records.judge(op, [show(x) for x in arguments], str(raw))
        assert verdict is not None
        holds = verdict.broken is None
        try:
            answer = function(*arguments)
        except Inadmissible:
            assert not holds, (op, *map(str, arguments))
        else:
            assert holds, (op, *map(str, arguments), verdict.broken)
            assert answer == raw
            assert min(flatten_to_tuple(answer.shape)) >= 1
        seen[holds] += 1
    assert seen[True] > 40
    assert seen[False] > 3 or op in NEVER_BROKEN


def test_admissible_has_the_values_that_counting_has() -> None:
    inputs = Inputs(2)
    for _ in range(400):
        a, b = inputs.layout(), inputs.layout(24, 2)
        wanted = [a(b(i)) for i in range(b.size())]
        refusal = None
        try:
            found = sl.admissible(a, b)
        except Inadmissible as error:
            refusal = error
        if refusal is None:
            assert [found(i) for i in range(b.size())] == wanted
        else:
            assert isinstance(refusal.index, int)
            assert wanted[refusal.index] == refusal.want != refusal.got


# --- faults of their kinds ---


def refusal(text: str, function: Callable[..., Any], *arguments: Any) -> Inadmissible:
    with pytest.raises(Inadmissible) as error:
        function(*[parse(x) if isinstance(x, str) else x for x in arguments])
    assert text in str(error.value)
    return error.value


def test_negative_strides_are_judged_as_cpp_evaluates_them() -> None:
    error = refusal("R is not A after B", sl.composition, "(3,2,3):(6,18,1)", "(3,2):(1,-6)")
    assert (error.index, error.want, error.got) == (4, -30, 5)
    assert str(sl.composition(parse("(2,3):(2,1)"), parse("6:-1"))) == "(2,3):(-2,-1)"
    layout = parse("(2,3,5):(-10,16,2)")
    assert layout(-1) == sl.crd2idx(-1, layout) == 10


@pytest.mark.parametrize(
    "name, arguments, answer",
    [
        ("left_inverse", ("(2,4):(4,-1)",), "(-1,-4,2):(0,2,1)"),
        ("tile_to_shape", ("(4,5):(-1,4)", (4, 10)), "((4,1),(5,(-1,-2))):((-1,0),(4,(1,-4)))"),
        ("complement", ("4:-1", 16), "(-1,-2):(1,-4)"),
        ("logical_divide", ("16:1", "4:-1"), "(4,(-1,-2)):(-1,(1,-4))"),
        ("logical_product", ("4:-1", "2:1"), "(4,(-1,-2)):(-1,(1,-4))"),
    ],
)
def test_negative_sizes_are_refused_and_are_cutes_own_unchecked(
    name: str, arguments: tuple[Any, ...], answer: str
) -> None:
    read = [parse(x) if isinstance(x, str) else x for x in arguments]
    error = refusal("a negative stride", getattr(sl, name), *read)
    assert error.want == 1
    assert str(getattr(sl, name)(*read, unchecked=True)) == answer


def test_the_tile_of_a_divide_is_a_after_the_tiler() -> None:
    for name in ("logical_divide", "zipped_divide", "tiled_divide", "flat_divide"):
        error = refusal("divide: the answer R is not A after B", getattr(sl, name), "(5,4,3):(1,5,0)", "16:6")
        assert (error.index, error.want, error.got) == (4, 4, 0)


def test_copies_of_a_product_share_no_offset() -> None:
    error = refusal("copies 0 and 4 of the block overlap", sl.logical_product, "(16,2):(12,4)", "5:1")
    assert (error.index, error.got) == (4, 4)
    assert str(sl.logical_product(parse("(16,2):(12,4)"), 4)) == "((16,2),4):((12,4),1)"
    # copies that the tiler puts at one place, and elements that the block repeats, are not an overlap
    assert (
        str(sl.logical_product(parse("(2,3):(1,0)"), parse("(2,2):(0,1)"))) == "((2,3),(2,2)):((1,0),(0,2))"
    )
    assert str(sl.logical_product(parse("4:1"), parse("(2,2):(1,1)"))) == "(4,(2,2)):(1,(4,4))"
    # one copy needs no room
    assert str(sl.logical_product(parse("4:-1"), 1)) == "(4,1):(-1,0)"


@pytest.mark.parametrize("layout, gap", [("(4,6):(1,6)", 10), ("(4,8):(1,5)", 7)])
def test_a_complement_may_leave_a_gap_where_no_size_is_asked_for(layout: str, gap: int) -> None:
    a = parse(layout)
    assert str(sl.complement(a)) == "1:0"
    assert notes("complement", (a,)) == [
        f"a gap: {gap} of the offsets below {a.cosize()} are reached by no copy"
    ]
    refusal("A and its complement reach", sl.complement, a, 2 * a.cosize())
