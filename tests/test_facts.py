"""Facts are a set, and every witness meets all of them as they were given: small cases, and random facts and
claims against every point of a box."""

import random
from itertools import islice, permutations, product
from typing import Any

import pytest

from symlayout import Domain, Layout, NotationError, Proved, Refuted, Unknown, Vacuous, assume, dims, prove
from symlayout.assumed import completed, instances, meets
from symlayout.claim import Claim
from symlayout.claims import aligned, bijective, equal, injective, within
from symlayout.domain import Contradiction
from symlayout.errors import NeedFact
from symlayout.verdict import Verdict

from .facts_in_a_box import NAMES, BoxClaim, BoxFact, Point, claim, facts, points

K, M, N, n, ld, A, B, p, q = dims("K M N n ld A B p q")
BY_NAME = {"K": K, "N": N, "M": M}
BOX = 10


# --- their order ---


@pytest.mark.parametrize("given", list(permutations(["M <= 2*K", "K <= 1"])))
def test_a_bound_keeps_up_with_what_it_is_made_of(given: tuple[str, ...]) -> None:
    domain = assume(*given)
    assert str(domain).endswith("for all 1 <= M < 3")
    assert isinstance(prove(within(domain(Layout(M, 1)), 0, 2)), Proved)


@pytest.mark.parametrize("given", list(permutations(["ld % 8 == 0", "ld <= 8*q*q", "q <= 1"])))
def test_a_bound_of_a_square(given: tuple[str, ...]) -> None:
    domain = assume(*given)
    assert (domain["ld"], domain["q"]) == (8, 1)


def old_points(domain: Domain, size: int) -> set[tuple[int, ...]]:
    """The points of the box that a domain has, as values of K, N and M."""
    params = domain.params()
    extra = [v for name, x in BY_NAME.items() if name not in domain.values for v in x.params()]
    found = set()
    for values in instances((*params, *extra)):
        old = {**values, **domain.before(values)}
        point = tuple([old[BY_NAME[name].params()[0]] for name in NAMES])
        if max(point) <= size:
            found.add(point)
    return found


@pytest.mark.parametrize("seed", range(25))
def test_the_order_of_facts_changes_nothing(seed: int) -> None:
    rng = random.Random(seed)
    given, stated = facts(rng), claim(rng)
    found = set()
    for order in islice(permutations([f.text for f in given]), 0, 120, 1 if len(given) < 5 else 7):
        try:
            domain = assume(*order)
        except Contradiction:
            found.add("contradiction")
            continue
        ranges = sorted(str(domain).partition("for all ")[2].split(", "))
        found.add(f"{ranges} {sorted(old_points(domain, BOX))}")
    assert len(found) == 1
    names = {verdict_of([given[k].text for k in order], stated)[0] for order in orders(len(given), rng)}
    assert len(names) == 1


def orders(count: int, rng: random.Random) -> list[list[int]]:
    """The order as it stands, reversed, and another one."""
    other = rng.sample(range(count), count)
    return [list(range(count)), list(range(count))[::-1], other]


# --- what cannot be ---


@pytest.mark.parametrize(
    "given",
    [
        "ld % 16 == 8, ld % 32 == 0",
        "ld % 4 == 0, ld % 6 == 3",
        "ld % 16 == 0, ld % 32 == 8",
        "ld % 6 == 1, ld % 10 == 2",
        "ld % 16 == 0, ld <= 15",
        "ld % 16 == 0, ld >= 17, ld <= 31",
        "2*K == 3",
        "K*K == 2",
        "K*K == 5*K, K <= 4",
        "2 | N*N + N + 5",
        "K % N == 3, N <= 3",
        "K >= N + 1, N >= K + 1",
        "4 | 2*A*B + 1",
        "M <= 2*K, K <= 1, M >= 3",
    ],
)
def test_contradictions(given: str) -> None:
    for order in permutations(given.split(", ")):
        with pytest.raises(Contradiction):
            assume(*order)


@pytest.mark.parametrize(
    "given, words",
    [
        ("ld % 16 == 24", "a remainder modulo 16, which is 0 to 15, not 24"),
        ("ld % 16 == 16", "a remainder modulo 16, which is 0 to 15, not 16"),
        ("ld % 8 == -1", "a remainder modulo 8, which is never negative, not -1"),
        ("24 == ld % 16", "a remainder modulo 16, which is 0 to 15, not 24"),
        ("0 | M", "a positive divisor"),
        ("M - M | K", "a positive divisor"),
        ("-4 | M", "a positive divisor"),
        ("M % 0 == 0", "a positive divisor"),
        ("ld % 16 == M", "an integer that ld % 16 is, not M"),
        ("ld % 16 <= 3", "a remainder with =="),
    ],
)
def test_remainders_that_no_division_leaves(given: str, words: str) -> None:
    with pytest.raises(NotationError, match=words):
        assume(given)


@pytest.mark.parametrize(
    "given, text",
    [
        ("8 == ld % 16", "ld = 16*q-8, for all q >= 1"),
        ("ld % 6 == 5, ld % 10 == 3", "ld = 30*q-7, for all q >= 1"),
        ("2*K == 3*N", "K = 3*n, N = 2*n, for all n >= 1"),
        ("K*K <= 9", "for all 1 <= K < 4"),
        ("K*K == 9", "K = 3"),
        ("K % N == 3", "K = N*k+3, for all N >= 4, k >= 0"),
        ("K % N == 0, K >= 5", "K = N*k, for all N >= 1, k >= 1, given N*k-5>=0"),
        ("M*N == 64", "for all M >= 1, N >= 1, given M*N-64=0"),
        ("if % 16 == 0, let >= 2", "if = 16*q, for all let >= 2, q >= 1"),
    ],
)
def test_what_becomes_of_facts(given: str, text: str) -> None:
    assert str(assume(given)) == text


def test_facts_set_aside_that_nothing_meets() -> None:
    """The solver of facts does not see it, z3 does."""
    aside = assume("A*B == 7, A >= 2, B >= 2, A + B <= 11")
    assert aside.side
    verdict = prove(injective(aside(Layout((A, B), (1, A)))))
    assert isinstance(verdict, Vacuous)
    assert "no values meet the facts: A>=2" in verdict.reason or "A*B-7" in verdict.reason
    both = assume("A*B == 7, A >= 2, B >= 2, A + B <= 11, 16 | K")
    assert isinstance(prove(aligned(both(Layout(4, K)), 16)), Vacuous)
    assert not isinstance(prove(aligned(both(Layout(4, K)), 16), engine="fast"), (Proved, Refuted))


# --- assume after assume ---


def test_nothing_is_lost_by_another_assume() -> None:
    first = assume("K >= 5")
    second = assume(first(K) % n == 0)
    assert isinstance(prove(injective(second(first(Layout((4, 2), (1, K - 1)))))), Proved)
    narrow = assume("K <= 8*q, ld >= K")
    fewer = assume(narrow(q) <= 1)
    assert isinstance(prove(within(fewer(narrow(Layout(K, 1))), 0, 8)), Proved)
    aligned_rows = assume(narrow(ld) % 8 == 0)
    assert isinstance(prove(injective(aligned_rows(narrow(Layout((K, M), (1, ld)))))), Proved)
    rows = assume("K >= 5, ld >= K")
    pitched = assume(rows(ld) % 8 == 0)
    verdict = prove(injective(pitched(rows(Layout((K, M), (1, ld - 1))))))
    assert isinstance(verdict, Refuted)
    assert (verdict.witness["K"] + verdict.witness["p"]) % 8 == 0


def test_old_and_new_are_one_number() -> None:
    first = assume("K >= 5")
    assert str(assume(first(K) % 4 == 0, "K >= 9")).endswith("for all k >= 3")
    with pytest.raises(Contradiction):
        assume(first(K) <= 20, "K >= 21")
    second = assume("K >= 2")
    verdict = prove(equal(first(Layout(K, 1)), second(Layout(K, 1))))
    assert not isinstance(verdict, Refuted), "K is K, whatever is known of it"


# --- witnesses ---


def test_what_the_facts_tie_to_the_claim_has_values_too() -> None:
    """K is 4 or 8, and not 5: N has to be 2 or 4 with it."""
    given = assume("K == 2*N, 4 | N*N, K <= 9, M*N == 8")
    verdict = prove(within(given(Layout(M, 1)), 0, 2))
    assert isinstance(verdict, Refuted)
    assert verdict.witness["M"] == 4
    (param,) = [v for v in given.params() if v.name == "M"]
    assert completed({param: 3}) is None
    found = completed({param: 4})
    assert found is not None
    assert meets(found)


def test_an_obligation_keeps_every_fact() -> None:
    given = assume("ld >= M*K, ld % 4 == 0, M >= 2, K >= 2")
    assert isinstance(prove(injective(given(Layout((K, M), (1, ld))))), Proved)


def test_large_values_from_a_solver() -> None:
    given = assume("A*A == 2*B*B + 1, A >= 4")
    verdict = prove(within(given(Layout(A, 1)), 0, 16))
    assert isinstance(verdict, Refuted)
    assert (verdict.witness["A"], verdict.witness["B"]) == (17, 12)


def test_the_sentence_names_the_whole_domain() -> None:
    body = prove(lambda x: within(x, 0, N), x=N)
    assert body.claim.startswith("for all N >= 1, x < N: ")
    given = assume("ld >= M*K, ld % 4 == 0")
    verdict = prove(injective(given(Layout((K, M), (1, ld)))))
    assert verdict.claim.startswith("for all K >= 1, M >= 1, q >= 1, given -K*M+4*q>=0: ")
    said = prove(injective(given(Layout((K, M), (1, ld)))), says="for all of them: rows are apart")
    assert said.claim.startswith("for all K >= 1, M >= 1, q >= 1, given -K*M+4*q>=0: ")


# --- against a box ---


def number(x: int | str) -> Any:
    return x if isinstance(x, int) else BY_NAME[x]


def stated(c: BoxClaim, domain: Domain) -> Claim:
    layout = domain(Layout(tuple(map(number, c.sizes)), tuple(map(number, c.strides))))
    if c.kind == "within":
        return within(layout, 0, domain(number(c.bound)))
    return {"injective": injective, "bijective": bijective}.get(c.kind, lambda x: aligned(x, 2))(layout)


def verdict_of(given: list[str], c: BoxClaim) -> tuple[str, Verdict | None, Domain | None]:
    try:
        domain = assume(*given)
        verdict = prove(stated(c, domain), time_limit=2.0)
    except Contradiction:
        return "contradiction", None, None
    except NeedFact:
        return "needs a fact", None, None
    return verdict.name, verdict, domain


def some_values(given: list[BoxFact], c: BoxClaim, known: Point) -> bool:
    """Whether some values of the other parameters, with these, meet the facts, and the claim fails there."""
    free = [name for name in NAMES if name not in known]
    most = {0: 1, 1: 4000, 2: 100, 3: 20}[len(free)]
    for values in product(range(1, most + 1), repeat=len(free)):
        point = {**known, **dict(zip(free, values, strict=True))}
        if all(f.holds(point) for f in given) and not c.at(point):
            return True
    return False


@pytest.mark.parametrize("seed", range(100))
def test_verdicts_agree_with_every_point_of_a_box(seed: int) -> None:
    rng = random.Random(10_000 + seed)
    given, c = facts(rng), claim(rng)
    name, verdict, domain = verdict_of([f.text for f in given], c)
    meant = [point for point in points(BOX) if all(f.holds(point) for f in given)]
    if name in ("contradiction", "vacuous"):
        assert not meant, f"{meant[0]} meets {[f.text for f in given]}"
    if name == "proved":
        assert all(c.at(point) for point in meant), f"{c} with {[f.text for f in given]}"
    if isinstance(verdict, Refuted):
        assert domain is not None
        known: Point = {name: verdict.witness[name] for name in NAMES if name in verdict.witness}
        for old, x in domain.values.items():
            if isinstance(x, int) or all(v.name in verdict.witness for v in x.params()):
                known[old] = x if isinstance(x, int) else x.evaluate(verdict.witness)
        assert some_values(given, c, known), f"{verdict} with {[f.text for f in given]}"
    assert not isinstance(verdict, Unknown) or verdict.reason
