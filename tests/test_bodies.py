"""Bodies: a claim is about integers, whatever Python code makes of symbols.

Each body here tells a symbol from an integer, and takes one branch for all values where it is run on symbols
alone. The right answer is an error; a verdict has to be the one that walking the domain gives.
"""

import functools
import random
import sys
import types
import warnings
from collections.abc import Callable
from typing import Any

import pytest

from symlayout import (
    ComposedLayout,
    Layout,
    LayoutError,
    NeedFact,
    Swizzle,
    SymlayoutError,
    assume,
    dims,
    equal,
    injective,
    prove,
    theorem,
)
from symlayout.basis import E as basis
from symlayout.claim import AllOf, Claim, Pointwise
from symlayout.errors import NotAnInteger
from symlayout.symbolic import Var
from symlayout.verdict import Proved, Refuted

K, N, ld = dims("K N ld")
FAR = 1 << 40
TABLE = {2: 5}
facts = assume("K % 16 == 0, ld >= K, ld % 8 == 0")


def caught(a: Any) -> Claim:
    try:
        return equal(5 if a == 2 else 0, 0)
    except NeedFact:
        return equal(0, 0)


def caught_hash(a: Any) -> Claim:
    try:
        return equal(TABLE.get(a, 0), 0)
    except (LayoutError, TypeError):
        return equal(0, 0)


def matched(a: Any) -> Claim:
    match a:
        case int():
            return equal(5, 0)
        case _:
            return equal(0, 0)


def matched_by_value(a: Any) -> Claim:
    match a:
        case 2:
            return equal(5, 0)
        case _:
            return equal(0, 0)


ON_A_DIGIT: dict[str, Callable[..., Any]] = {
    "in a set": lambda a: equal(5 if a in {2, 3} else 0, 0),
    "in a tuple": lambda a: equal(5 if a in (2, 3) else 0, 0),
    "in a list": lambda a: equal(5 if a in [2, 3] else 0, 0),
    "in a range": lambda a: equal(5 if a in range(3) else 0, 0),
    "a dict": lambda a: equal(TABLE.get(a, 0), 0),
    "a dict's entry": lambda a: equal(TABLE[a], 5),
    "hash": lambda a: equal(5 if hash(a) == 2 else 0, 0),
    "str": lambda a: equal(len(str(a)), 1),
    "repr": lambda a: equal(len(repr(a)), 7),
    "f-string": lambda a: equal(len(f"{a}"), 1),
    "format": lambda a: equal(len(f"{a:>4}"), 4),
    "percent": lambda a: equal(len("%s" % a), 1),  # noqa: UP031  the operator is what is asked
    "type": lambda a: equal(5 if type(a) is int else 0, 0),
    "isinstance": lambda a: equal(5 if isinstance(a, int) else 0, 0),
    "isinstance and a value": lambda a: equal(5 if isinstance(a, int) and a == 3 else 0, 0),
    "hasattr": lambda a: equal(5 if hasattr(a, "bit_length") else 0, 0),
    "callable name": lambda a: equal(5 if type(a).__name__ == "int" else 0, 0),
    "catches NeedFact": caught,
    "catches a refused hash": caught_hash,
    "match class": matched,
    "match value": matched_by_value,
    "==": lambda a: equal(5 if a == 2 else 0, 0),
    "!=": lambda a: equal(0 if a != 2 else 5, 0),
    "== a float": lambda a: equal(5 if a == 2.0 else 0, 0),
    "== True": lambda a: equal(5 if a == True else 0, 0),  # noqa: E712
    "== a Dim": lambda a: equal(5 if a == K else 0, 0),
    "a tuple ==": lambda a: equal(5 if (a, 1) == (2, 1) else 0, 0),
    "a layout ==": lambda a: equal(5 if Layout(2, a) == Layout(2, 1) else 0, 0),
    "<": lambda a: equal(5 if a < 3 else 0, 0),
    ">=": lambda a: equal(5 if a >= 3 else 0, 5),
    "min": lambda a: equal(min(a, 2), 2),
    "max": lambda a: equal(max(2, a), a),
    "sorted": lambda a: equal(sorted((a, 2))[0], 2),
    "and": lambda a: equal(a and 5, 5),
    "or": lambda a: equal(a or 5, a),
    "not": lambda a: equal(5 if not a else 0, 0),
    "bool": lambda a: equal(5 if bool(a) else 0, 5),
    "/": lambda a: equal(a / 2, 1),
    "2 /": lambda a: equal(2 / a, 1),
    "float": lambda a: equal(float(a) == 2.0, False),
    "int": lambda a: equal(int(a), a),
    "complex": lambda a: equal(complex(a) == 2, False),
    "round": lambda a: equal(round(a), a),
    "abs of an open sign": lambda a: equal(abs(a - 2), a),
    "** of it": lambda a: equal(2**a, 1),
    "<< by it": lambda a: equal(1 << a, 1),
    ">> by it": lambda a: equal(64 >> a, 1),
    "~": lambda a: equal(~a, 1),
    "range": lambda a: equal(sum(range(a)), 0),
    "an index": lambda a: equal([0, 0][a], 0),
    "a slice": lambda a: equal(len([0, 0][:a]), 0),
    "len": lambda a: equal(len(a), 0),
    "iteration": lambda a: equal(tuple(a), (0,)),
    "unpacking": lambda a: equal((*a, 0)[0], 0),
    "no claim": lambda a: a,
    "a generator": lambda a: (equal(x, 0) for x in (a,)),
    "a fault": lambda a: equal(a // 0, 0),
}


@pytest.mark.parametrize("bound", [4, FAR], ids=["few", "many"])
@pytest.mark.parametrize("name", ON_A_DIGIT)
def test_one_branch_for_all_digits_is_refused(name: str, bound: int) -> None:
    with pytest.raises(LayoutError):
        prove(ON_A_DIGIT[name], a=bound)


def by_type() -> int:
    return 5 if isinstance(K, int) else 0


def in_turn(n: int) -> int:
    return by_type() if n == 0 else in_turn(n - 1)


class Sizes:
    k = dims("K")

    def __init__(self) -> None:
        self.n = dims("N")

    def five(self) -> int:
        return 5 if isinstance(self.n, int) else 0

    @property
    def as_property(self) -> int:
        return by_type()

    @functools.cached_property
    def once(self) -> int:
        return by_type()

    @staticmethod
    def alone() -> int:
        return by_type()

    @classmethod
    def of_class(cls) -> int:
        return 5 if isinstance(cls.k, int) else 0


sizes = Sizes()
settings = types.ModuleType("settings_of_mine")
vars(settings)["K"] = K


def with_default(*, k: Any = K) -> int:
    return 5 if isinstance(k, int) and k == 7 else 0


@functools.cache
def remembered() -> int:
    return by_type()


@functools.cache
def remembered_dims() -> int:
    return 5 if isinstance(dims("K"), int) else 0


@theorem(a=8)
def quoted(a: Any) -> Claim:
    """a % 8 = a."""
    return equal(a % 8, a + by_type())


ON_A_PARAMETER: dict[str, Callable[..., Any]] = {
    "dims in the body": lambda: equal(5 if type(dims("K")) is int else 0, 0),
    "a global": lambda: equal(5 if isinstance(K, int) else 0, 0),
    "a global at a value": lambda: equal(5 if isinstance(K, int) and K == 7 else 0, 0),
    "a function": lambda: equal(by_type(), 0),
    "a function that calls itself": lambda: equal(in_turn(3), 0),
    "a default": lambda: equal(with_default(), 0),
    "a partial": lambda: equal(functools.partial(with_default, k=K)(), 0),
    "a layout": lambda: equal(5 if isinstance(Layout(K, 1).shape, int) else 0, 0),
    "a class": lambda: equal(5 if isinstance(Sizes.k, int) else 0, 0),
    "an object": lambda: equal(5 if isinstance(sizes.n, int) else 0, 0),
    "a method": lambda: equal(sizes.five(), 0),
    "a property": lambda: equal(sizes.as_property, 0),
    "a property that is remembered": lambda: equal(sizes.once, 0),
    "a static method": lambda: equal(sizes.alone(), 0),
    "a class method": lambda: equal(Sizes.of_class(), 0),
    "a function that remembers": lambda: equal(remembered(), 0),
    "one that remembers dims": lambda: equal(remembered_dims(), 0),
    "a theorem that is quoted": lambda: quoted(3),
    "a module": lambda: equal(5 if isinstance(settings.K, int) else 0, 0),
    "under facts": lambda: equal(5 if isinstance(facts(K), int) and facts(K) == 48 else 0, 0),
    "its text": lambda: equal(len(str(K)), 1),
    "==": lambda: equal(5 if K == 2 else 0, 0),
    "a hash": lambda: equal(5 if K in {2, 3} else 0, 0),
    "is True": lambda: equal(5 if (K >= 8) is True else 0, 0),
}


@pytest.mark.parametrize("name", ON_A_PARAMETER)
def test_one_branch_for_all_parameters_is_refused(name: str) -> None:
    with pytest.raises(LayoutError):
        prove(ON_A_PARAMETER[name])


@pytest.mark.parametrize("hold", [lambda x: (x, 1), lambda x: [x], lambda x: {"k": x}, lambda x: {"k": (x,)}])
def test_parameters_in_containers(hold: Callable[[Any], Any]) -> None:
    held = hold(K)

    def first(x: Any) -> Any:
        while isinstance(x, (tuple, list, dict)):
            x = next(iter(x.values())) if isinstance(x, dict) else x[0]
        return x

    with pytest.raises(LayoutError, match="on plain integers: 5 = 0"):
        prove(lambda: equal(5 if isinstance(first(held), int) else 0, 0))


def swizzled(offset: Any, layout: Layout) -> ComposedLayout:
    return ComposedLayout(Swizzle(1, 2, 3), offset, layout)


@pytest.mark.parametrize(
    "ask",
    [
        lambda: K == 2,
        lambda: K != 2,
        lambda: K == 2.0,
        lambda: K == N,
        lambda: K == N + 1,
        lambda: K in (2, 3),
        lambda: K in {2, 3},
        lambda: {2: 5}.get(K, 0),
        lambda: (K, 1) == (2, 1),
        lambda: [K] == [2],
        lambda: {"k": K} == {"k": 2},
        lambda: hash(K),
        lambda: Layout(K, 1) == Layout(2, 1),
        lambda: Layout(2, 1) == Layout(K, 1),
        lambda: Layout(4, K) != Layout(4, 1),
        lambda: Layout(K, 1) in {Layout(2, 1)},
        lambda: Layout(K, 1) in [Layout(2, 1)],
        lambda: hash(Layout((4, K), (1, 4))),
        lambda: swizzled(0, Layout(K, 1)) == swizzled(0, Layout(2, 1)),
        lambda: swizzled(K, Layout(2, 1)) in {swizzled(0, Layout(2, 1))},
        lambda: basis(0) * K == basis(0) * 2,
        lambda: basis(0) * K in {basis(0) * 2},
        lambda: K % 16 == 1,
        lambda: (K >= 8) == True,  # noqa: E712
        lambda: (K >= 8) in {True},
        lambda: bool(K % 16 == 0),
        lambda: bool(K - 1),
        lambda: Var("a", 8) == K,
        lambda: K == Var("a", 8),
    ],
)  # fmt: skip
def test_equality_over_parameters_is_decided_or_asks(ask: Callable[[], Any]) -> None:
    with pytest.raises(LayoutError):
        ask()


def test_equality_that_no_value_changes_is_decided() -> None:
    assert K + 1 != K
    assert K != 0
    assert K * 2 == K + K
    assert (K, 1) == (K, 1)
    assert Layout(K, 1) == Layout(K, 1)
    assert Layout(K, 1) != Layout((K, 2), (1, 1))
    assert K != "K"
    assert K is not None
    n = assume("N >= 2")["N"]
    assert n != 1, "N is 2 or more"
    assert 2 * n != 3
    a = Var("a", 8)
    assert a != 8
    assert a < 8
    assert max(a, 9) == 9
    assert min(a, -1) == -1
    assert abs(a) is a


def test_what_is_missing_is_a_fact() -> None:
    with pytest.raises(NeedFact) as asked:
        K == 2  # noqa: B015
    assert asked.value.fact == "K == 2"
    assert prove(equal(assume(asked.value.fact)(K), 2))


def test_the_message_names_the_point_and_both_claims() -> None:
    with pytest.raises(LayoutError) as wrong:
        prove(lambda a: equal(5 if isinstance(a, int) and a == 77 else 0, 0), a=FAR)
    text = str(wrong.value)
    assert "at a = 77" in text
    assert "on symbols:        0 = 0" in text
    assert "on plain integers: 5 = 0" in text
    with pytest.raises(NotAnInteger, match="`a` stands for many integers"):
        prove(lambda a: equal(len(str(a)), 1), a=FAR)
    with pytest.raises(LayoutError, match="went on after `a = 2` was refused"):
        prove(caught, a=FAR)


def test_a_refusal_is_not_swallowed_where_digits_are_integers_and_a_parameter_is_none() -> None:
    K = dims("K")

    def swallows(a: Any) -> Claim:
        try:
            return equal(1 if (a - K) // 3 == 1 else 0, 0)
        except NeedFact:
            return equal(1, 0)

    with pytest.raises(LayoutError, match=r"went on after `3 \| K` was refused"):
        prove(swallows, a=1)


def test_what_python_does_alike_with_symbols_and_integers_is_a_claim() -> None:
    assert prove(lambda a: equal(a**2, a * a), a=FAR)
    assert prove(lambda a: equal(abs(a), a), a=FAR)
    assert prove(lambda a: equal(divmod(a, 4), (a // 4, a % 4)), a=FAR)
    assert prove(lambda a: equal(min(a, FAR), a), a=FAR)
    assert prove(lambda a: equal(+a << 2, 4 * a), a=FAR)
    assert prove(lambda a: equal(-(a // 3), -a // 3), a=1)
    assert prove(lambda a, b: equal(sum([a, b]), b + a), a=FAR, b=FAR)
    assert prove(lambda a: equal(Layout((K, 2), (2, 1))(a, 0), 2 * a), a=K)
    assert prove(lambda: injective(facts(Layout((K, 4), (1, ld)))))
    refuted = prove(lambda a: equal(a % 4, a), a=FAR)
    assert isinstance(refuted, Refuted)
    assert refuted.witness == {"a": 4}


def test_a_body_has_its_side_effects_and_is_the_same_for_all_points() -> None:
    calls: list[Any] = []

    def body(a: Any) -> Claim:
        calls.append(a)
        return equal(a % 2 * 2, a * 2 % 4)

    assert prove(body, a=FAR)
    assert len(calls) > 100, "it is run at points of a domain of any size"

    def changing(a: Any) -> Claim:
        calls.append(a)
        return equal(a + len(calls), a)

    with pytest.raises(LayoutError, match="one claim about symbols and another"):
        prove(changing, a=FAR)


class Called:
    def __call__(self, a: Any) -> Claim:
        return equal(a % 4, a)

    def method(self, a: Any) -> Claim:
        return self(a)


@pytest.mark.parametrize(
    "body", [Called(), Called().method, functools.partial(lambda b, a: equal(a % b, a), 4)]
)
def test_whatever_can_be_called_is_a_body(body: Callable[..., Claim]) -> None:
    verdict = prove(body, a=FAR)
    assert isinstance(verdict, Refuted)
    assert verdict.witness == {"a": 4}


def test_claims_of_other_kinds_and_numbers_of_parts_differ() -> None:
    with pytest.raises(LayoutError, match="one claim about symbols"):
        prove(lambda a: equal(a, a) if isinstance(a, int) else injective(Layout(4, 1)), a=FAR)
    with pytest.raises(LayoutError, match="one claim about symbols"):
        prove(lambda a: AllOf((equal(a, a),) * (1 + isinstance(a, int))), a=FAR)
    with pytest.raises(LayoutError, match=r"fails on plain integers\n  at a = .*ZeroDivisionError"):
        prove(lambda a: equal(1 // 0 if isinstance(a, int) else 0, 0), a=FAR)


@pytest.mark.parametrize(
    "say",
    [
        lambda: equal((), ()),
        lambda: equal(((),), ((),)),
        lambda: equal((), []),
        lambda: prove(AllOf(())),
        lambda: prove(lambda a: AllOf(()), a=4),
        lambda: prove(Pointwise((), (0, 0))),
        lambda: prove(lambda a: equal((), ()), a=4),
        lambda: prove(lambda a: equal(a, a), a=0),
        lambda: prove(lambda a: equal(a, a), a=True),
    ],
)
def test_a_claim_that_states_nothing_is_refused(say: Callable[[], Any]) -> None:
    with pytest.raises(LayoutError):
        say()


# --- made up ---

_CONDITIONS = [
    "a == {n}",
    "a != {n}",
    "a < {n}",
    "{n} <= a",
    "a % 4 == {n}",
    "a // 2 > {n}",
    "a in ({n}, 1)",
    "a in {{{n}, 1}}",
    "a in range({n})",
    "type(a) is int",
    "isinstance(a, int) and a == {n}",
    "not isinstance(a, int)",
    "hasattr(a, 'bit_length')",
    "str(a) == '{n}'",
    "hash(a) == {n}",
    "a",
    "not a",
    "a - a",
    "a is None",
    "a >= 0",
    "a * 0 == 0",
    "min(a, {n}) == {n}",
    "(a, 1) == ({n}, 1)",
    "f'{{a}}'.isdigit()",
    "callable(getattr(a, 'conjugate', None))",
]
_VALUES = ["a", "{n}", "a + {n}", "a % 4", "a * 2", "a // 2", "{{{n}: 5}}.get(a, 0)", "max(a, {n})", "abs(a)"]


@pytest.mark.parametrize("seed", range(300))
def test_made_up_bodies_are_refused_or_answered_as_computing_answers(seed: int) -> None:
    draw = random.Random(seed)

    def pick(texts: list[str]) -> str:
        return draw.choice(texts).format(n=draw.randrange(4))

    source = (
        f"lambda a: equal(({pick(_VALUES)}) if ({pick(_CONDITIONS)}) else ({pick(_VALUES)}), {pick(_VALUES)})"
    )
    body: Callable[[int], Claim] = eval(source, {"equal": equal})
    bound = draw.choice([1, 5, 9])
    truth = all(body(a).failure() is None for a in range(bound))
    try:
        verdict = prove(body, a=bound)
    except SymlayoutError:
        return
    assert isinstance(verdict, (Proved, Refuted)), source
    assert bool(verdict) == truth, f"{source}, a={bound}"


def test_own_code_is_told_from_a_body() -> None:
    """The package's tables hold symbols, whoever uses them meanwhile."""
    layouts = [Layout((4, K), (1, 4)), Layout((K, 4), (4, 1)), Layout((2, 2, N), (1, 2, 4))]
    assert all(prove(injective(x)) for x in layouts)
    assert "symlayout.symbol" in sys.modules


@pytest.mark.parametrize(
    "asked",
    ["2 * b - a is 3", "3 is not b - a", "3 is f(b - a)", "(b - a is not 3) == True", "f(g(2 * b - a))"],
)
def test_a_body_may_not_ask_which_object_an_integer_is(asked: str) -> None:
    """Perhaps nowhere near the points at which it is run."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)  # Python's own word on it
        own: dict[str, Any] = {"equal": equal, "f": lambda x: x, "__name__": "somewhere"}
        exec("def g(x): return x is 3", own)
        body = eval(f"lambda a, b: equal(5 if {asked} else 0, 0)", own)
    for engine in ("", "fast"):
        with pytest.raises(LayoutError, match="asks whether something `is 3`"):
            prove(body, a=6 * FAR, b=FAR, engine=engine)


def test_a_body_may_ask_whether_something_is_none() -> None:
    assert isinstance(prove(lambda a: equal(a if a is not None else 3, a), a=8), Proved)
