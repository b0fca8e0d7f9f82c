"""What the rules show for all values is true at every point that is computed."""

from __future__ import annotations

import random
from typing import Any

import pytest

from symlayout import evaluator
from symlayout.recheck.rules import shown
from symlayout.recheck.sums import Digits, Open

K = {"name": "K", "from": 1, "below": None}
N = {"name": "N", "from": 1, "below": None}
A = {"name": "a", "from": 0, "below": "8*N"}


def relations(*hold: str, digits: tuple[dict[str, Any], ...] = ()) -> dict[str, Any]:
    return {"kind": "relations", "given": [], "hold": list(hold), "digits": list(digits)}


def spread(layout: str, low: str, high: str, groups: str = "K", **changed: Any) -> dict[str, Any]:
    found = {"kind": "spread", "given": [], "map": layout, "lanes": "8", "unit": "8", "classes": "8"}
    group = {"name": "step", "size": groups}
    return {**found, "low": low, "high": high, "each_lane": False, "groups": [group], **changed}


SHOWN: list[dict[str, Any]] = [
    relations("a//8 < N", "a%8 + 8*(a//8) = a", "0 <= a", "a != -1", "K*N > 0", "a*K >= 0"),
    relations("(n + N*k)%N*K + (n + N*k)//N = n*K + k", digits=(
        {"name": "n", "from": 0, "below": "N"}, {"name": "k", "from": 0, "below": "K"})),
    relations("x//K//N = x//(K*N)", digits=({"name": "x", "from": 0, "below": "2*K*N"},)),
    {"kind": "within", "map": "(4,K,N):(1,4,4*K)", "low": "0", "below": "4*K*N"},
    {"kind": "within", "map": "(4,K):(-1,4)", "low": "-3", "below": "4*K"},
    {"kind": "aligned", "map": "(K,N):(16*K,8)", "by": "8"},
    {"kind": "injective", "map": "(N,4,K):(4*K,1,4)"},
    {"kind": "injective", "map": "(K,N):(1@0,1@1)"},
    {"kind": "injective", "map": "(4,K):(-1,4)"},
    {"kind": "injective", "map": "Sw<3,4,3> o 8 o (4,K):(1,4)"},
    {"kind": "covers", "map": "(K,4,3):(4,1,0)", "n": "4*K", "times": "3"},
    {"kind": "equal maps", "a": "(4,1,K):(2,7,8)", "b": "4*K:2"},
    spread("((2,2,2),K):((72,144,288),16)", "1", "1"),
    spread("((2,2,2),K):((16*N-8,32*N-16,64*N-32),16)", "1", "1"),
    spread("((2,2,2),K):((64*N,128*N,256*N),16)", "8", "8"),
    spread("Sw<3,3,3> o 0 o ((2,2,2),K):((64,128,256),1024)", "1", "1"),
    spread("((2,2,2),K):((0,0,0),16)", "8", "8", each_lane=True),
]  # fmt: skip
NOT_SHOWN: list[dict[str, Any]] = [
    relations("a//8 < N - 1"),
    relations("a%4 = a"),
    {"kind": "within", "map": "(4,K):(1,4)", "low": "0", "below": "4*K - 1"},
    {"kind": "aligned", "map": "(K,N):(16,4)", "by": "8"},
    {"kind": "injective", "map": "(K,N):(N,1@0)"},
    {"kind": "injective", "map": "(K,N):(K,1)"},
    {"kind": "injective", "map": "(4,K):(1,0)"},
    {"kind": "injective", "map": "Sw<3,4,2> o 8 o (4,K):(1,4)"},
    {"kind": "injective", "map": "Sw<3,4,3> o 8 o (4,K):(1@0,1@1)"},
    {"kind": "covers", "map": "(K,4):(4,1)", "n": "4*K", "times": "2"},
    {"kind": "covers", "map": "(K,4):(4,1)", "n": "4*K + 1", "times": None},
    {"kind": "equal maps", "a": "(K,N):(1,K)", "b": "(N,K):(K,1)"},
    {"kind": "disjoint", "a": "(4,K):(1,4)", "b": "(4,K):(1,4)"},
    spread("((2,2,2),K):((64,128,256),16)", "1", "1"),
    spread("((2,2,2),K):((72,144,288),16)", "1", "1", groups="2*K"),
    spread("((2,2,2),K):((72,144,288),4)", "1", "1"),
    spread("Sw<3,3,3> o 0 o ((2,2,2),K):((64,128,256),1024)", "2", "2"),
    {"kind": "delivered"},
]


@pytest.mark.parametrize("part", SHOWN, ids=str)
def test_shown(part: dict[str, Any]) -> None:
    assert shown({"given": [], **part}, [K, N, A])


@pytest.mark.parametrize("part", NOT_SHOWN, ids=str)
def test_not_shown(part: dict[str, Any]) -> None:
    try:
        assert not shown({"given": [], **part}, [K, N, A])
    except evaluator.Malformed:
        assert part["kind"] == "injective", "integers and coordinates in one map"


def test_facts_are_used() -> None:
    part = {"kind": "injective", "given": [], "map": "(K,N):(1,a)"}
    free = [K, N, {**N, "name": "a"}]
    assert not shown(part, free)
    assert shown(part, free, ["-K*N + a >= 0"])
    assert shown(part, free, ["0 = 0", "a >= K"])
    assert not shown(part, free, ["N - a >= 0"])


def expression(rng: random.Random, names: list[str], depth: int = 3) -> str:
    if depth == 0 or rng.random() < 0.3:
        return rng.choice([*names, str(rng.randrange(9))])
    a, b = (expression(rng, names, depth - 1) for _ in range(2))
    match rng.choice("+-**/%"):
        case "/":
            return f"({a})//{rng.choice(['2', '3', '4', '8', 'K', '(2*K)', 'N', '(K*N)'])}"
        case "%":
            return f"({a})%{rng.choice(['2', '4', '8', 'K', '(2*K)', 'N', '(4*N)'])}"
        case op:
            return f"({a}{op}{b})"


def layout(rng: random.Random) -> str:
    sizes = [
        rng.choice(["1", "2", "3", "4", "8", "K", "N", "2*K", "K*N"]) for _ in range(rng.randrange(1, 5))
    ]
    strides, below = [], rng.choice(["1", "2", "K"])
    for s in sizes:
        strides.append(below if rng.random() < 0.8 else rng.choice(["0", "1", "8", "2*K - 1", "-N"]))
        below = f"{below}*({s})"
    order = list(range(len(sizes)))
    rng.shuffle(order)
    return f"({','.join(sizes[k] for k in order)},):({','.join(strides[k] for k in order)},)"


def made_up(rng: random.Random) -> dict[str, Any]:
    m, count = layout(rng), rng.choice(["4*K", "K*N", "8", "64*K*N"])
    match rng.randrange(8):
        case 0 | 1:
            own = {"name": "j", "from": 0, "below": rng.choice([4, "K", "8*K", "K*N", 6])}
            sides = [expression(rng, ["K", "N", "a", "j"]) for _ in range(2)]
            return relations(f"{sides[0]} {rng.choice(['=', '<=', '<', '!='])} {sides[1]}", digits=(own,))
        case 2:
            return {"kind": "within", "map": m, "low": rng.choice(["0", "-K"]), "below": count}
        case 3:
            return {"kind": "aligned", "map": m, "by": rng.choice(["1", "2", "8"])}
        case 4:
            return {"kind": "injective", "map": m}
        case 5:
            return {"kind": "covers", "map": m, "n": count, "times": rng.choice([None, "1", "2"])}
        case 6:
            return {"kind": "equal maps", "a": m, "b": rng.choice([m, layout(rng)])}
    lanes = rng.choice(["(2,2,2)", "(8)"])
    steps = [rng.choice(["0", "8", "64", "8*K", "16*K-8", "128*K-64", "1"]) for _ in lanes.split(",")]
    front = rng.choice(["", "Sw<3,3,3> o 0 o ", "Sw<2,3,3> o 8 o ", "Sw<1,4,-2> o 0 o "])
    text = f"{front}({lanes},N):(({','.join(steps)}),{rng.choice(['8', '64', '16*K', '4'])})"
    low = rng.choice(["1", "1", "2", "8"])
    return spread(text, low, str(max(int(low), rng.choice([1, 4, 8]))), "N", each_lane=rng.random() < 0.3)


def test_what_is_shown_is_true_where_it_is_computed() -> None:
    rng = random.Random(0)
    count = 0
    for _ in range(2000):
        part = {"given": [], **made_up(rng)}
        if not shown(part, [K, N, A]):
            continue
        count += 1
        for k, n in ((1, 1), (1, 3), (2, 1), (3, 2), (4, 3)):
            for point in evaluator.points([{**A, "below": "2*N"}, *part.get("digits", ())], {"K": k, "N": n}):
                assert evaluator.at(part, point)[1] is None, (part, point)
    assert count > 200


def test_a_digit_is_split_where_that_lets_a_quotient_be_taken() -> None:
    digits = Digits([N, {"name": "a", "from": 0, "below": "8*N"}])
    digits.write_as_two("a", {("N",): 1})
    assert digits.read("a//N") == {(digits_of(digits, "a")[1],): 1}
    digits.write_as_two("N", {(): 2})  # it has no end: nothing is known of its parts
    assert "N" not in digits.written
    with pytest.raises(Open):
        digits.read("a & 1")


def digits_of(digits: Digits, name: str) -> list[str]:
    return [name for name in digits.least if name.startswith("a.")]
