"""Published bugs of layout algebras, each with its right value; the facts are in algebra.json."""

import json
from pathlib import Path
from typing import Any

import pytest

import symlayout as sl
from symlayout import Inadmissible, Layout, Proved, Refuted, admissible, composition, injective, parse, prove
from symlayout.algebra.laws import check_composition

CASES: dict[str, dict[str, Any]] = {
    case["id"]: case
    for case in json.loads((Path(__file__).parent / "algebra.json").read_text(encoding="utf-8"))
}


def values(layout: Layout) -> list[int]:
    return [layout(i) for i in range(layout.size())]


def layouts(case: dict[str, Any], *names: str) -> list[Any]:
    return [parse(case[name]) for name in names]


def test_compose_weak_guard() -> None:
    """No layout is A after B; CuTe's answer first fails at 2, and no layout reaches beyond 2."""
    case = CASES["compose-weak-guard"]
    a, b, cute = layouts(case, "a", "b", "cute")
    assert [a(b(i)) for i in range(6)] == case["values"]
    assert composition(a, b, unchecked=True) == cute
    with pytest.raises(Inadmissible, match="no layout has the values of A after B") as refusal:
        composition(a, b)
    assert (refusal.value.index, refusal.value.want, refusal.value.got) == (2, 7, 3)
    with pytest.raises(Inadmissible) as refusal:
        admissible(a, b)
    assert (refusal.value.index, refusal.value.want) == (3, 8)


def test_compose_dynamic_loses_size() -> None:
    case = CASES["compose-dynamic-loses-size"]
    a, b, right, dynamic = layouts(case, "a", "b", "right", "dynamic")
    assert composition(a, b) == admissible(a, b) == right
    assert values(right) == [a(b(i)) for i in range(6)] == case["values"]
    assert values(dynamic) == case["dynamic_values"]
    with pytest.raises(Inadmissible, match="does not refine") as refusal:
        check_composition(a, b, dynamic)
    assert (refusal.value.want, refusal.value.got) == (b.shape, dynamic.shape)


def test_divide_by_a_layout_and_by_mode() -> None:
    """A layout as tiler counts along the flat index: the first tile is the offsets 0..31, no 4 x 8 block."""
    case = CASES["divide-nonbymode"]
    layout, tiler, right, old, by_mode = layouts(case, "layout", "tiler", "right", "old", "by_mode")
    assert sl.logical_divide(layout, tiler, strict=True) == right
    assert sorted(values(right)) == list(range(384))
    assert len(set(range(384)) - set(values(old))) == 32
    assert values(right[0]) == list(range(32))
    assert sl.logical_divide(layout, (4, 8)) == parse("((4,3),(8,4)):((1,4),(12,96))")
    assert sl.zipped_divide(layout, (4, 8), strict=True) == by_mode


def test_left_inverse_of_sizes_that_are_no_powers_of_two() -> None:
    case = CASES["left-inverse-nonpow2"]
    layout, right, old = layouts(case, "layout", "right", "old")
    assert sl.left_inverse(layout) == right
    assert all(right(layout(i)) == i for i in range(layout.size()))
    wrong = [i for i in range(layout.size()) if old(layout(i)) != i]
    assert (wrong[0], len(wrong)) == (1, case["old_wrong"])


@pytest.mark.parametrize("a, b, right", CASES["compose-nondivisible-ok"]["pairs"])
def test_compositions_that_old_versions_refuse(a: str, b: str, right: str) -> None:
    left, inner, answer = parse(a), parse(b), parse(right)
    assert composition(left, inner) == admissible(left, inner) == answer
    assert values(answer) == [left(inner(i)) for i in range(inner.size())]


def test_injective_without_nested_strides() -> None:
    case = CASES["torch-injective"]
    good, bad = layouts(case, "injective", "not_injective")
    assert values(good) == case["values"]
    assert isinstance(prove(injective(good)), Proved)
    assert isinstance(prove(injective(bad)), Refuted)
    first, second = case["same"]
    assert bad(*first) == bad(*second) == 2


def test_coalesce_of_ones_is_the_same_function() -> None:
    layout, right = layouts(CASES["torch-coalesce-ones"], "layout", "right")
    assert sl.coalesce(layout) == right
    assert values(layout) == values(right) == [0]
