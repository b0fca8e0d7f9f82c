"""Names have spaces of their own: what is spelled alike is told apart, and nothing collides."""

import inspect
import json
import keyword
import pickle
from collections.abc import Callable

import pytest

from symlayout import Layout, Proved, Refuted, assume, dims, prove
from symlayout.claim import Claim
from symlayout.claims import bijective, equal, injective
from symlayout.names import Inner, respelled, spelled, together
from symlayout.polynomial import Param
from symlayout.smtlib import RESERVED, to_smtlib
from symlayout.symbolic import Int, Var

WORDS = [
    "i",
    "j",
    "t",
    "lane",
    "q",
    "p",
    "k",
    "x",
    "i_0",
    "value",
    "let",
    "mod",
    "true",
    "lambda",
    "if",
    "_as",
]


def called(word: str, body: Callable[[Int, Int], Claim]) -> Callable[..., Claim]:
    """The body with its first parameter called so."""

    def renamed(**digits: Int) -> Claim:
        return body(*digits.values())

    kind = inspect.Parameter.KEYWORD_ONLY
    names = [inspect.Parameter(name, kind) for name in (word, "b")]
    renamed.__signature__ = inspect.Signature(names)  # type: ignore[attr-defined]
    return renamed


def test_kinds_of_names_are_never_equal() -> None:
    names = ["K", Param("K"), Param("K", 0), Inner("K"), Param("K", 1, None, "made")]
    assert len({*names}) == len(names)
    assert {str(name) for name in names} == {"K"} == {f"{name}" for name in names}
    for name in names:
        again = pickle.loads(pickle.dumps(name))
        assert (again, type(again), str(again)) == (name, type(name), "K")
        other = respelled(name, "L")
        assert (other, str(other)) == (name, "L")
        assert str(pickle.loads(pickle.dumps(other))) == "L"


def test_spelled() -> None:
    made = dict(assume("K % 2 == 0").values)["K"].params()[0]
    texts = spelled([Inner("k"), made, "k", Param("k")], ["q"])
    assert list(texts.values()) == ["k", "k_", "k__", "k___"]
    assert [texts[name] for name in (Param("k"), "k", made, Inner("k"))] == list(texts.values())
    assert spelled(["q"], ["q"]) == {"q": "q_"}
    assert together({Param("i"): 3, "j": 1}, {"i": 0, "j": 2}) == {"i": 3, "j": 1, "i_": 0, "j_": 2}


@pytest.mark.parametrize("word", WORDS)
def test_a_parameter_may_be_called_anything(word: str) -> None:
    size = dims(word)
    assert isinstance(prove(injective(Layout((size, 4), (4, 1)))), Proved)
    assert isinstance(prove(bijective(Layout((size, 4), (4, 1)))), Proved)
    refuted = prove(injective(Layout((size, 4), (3, 1))))
    assert isinstance(refuted, Refuted)
    assert (refuted.witness[word], refuted.left, refuted.right) == (2, 1, 6)
    assert sorted(refuted.witness.values()) == [1, 2, 6]
    even = assume(f"{word} % 2 == 0")
    assert isinstance(prove(injective(even(Layout((size, 4), (4, 1))))), Proved)
    json.dumps(refuted.to_json())


@pytest.mark.parametrize("word", [w for w in WORDS if not keyword.iskeyword(w)])
def test_digits_of_a_body_beside_parameters_of_the_same_name(word: str) -> None:
    size = dims(word)
    rows = Layout((size, 4), (4, 1))
    verdict = prove(called(word, lambda a, b: equal(rows(a, b), 4 * a + b)), **{word: size, "b": 4})
    assert isinstance(verdict, Proved)
    assert verdict.claim.startswith(f"for all {word} >= 1, {word}_ < {word}, b < 4: 4*{word}_ + b = ")


def test_a_digit_and_a_parameter_of_one_name_at_one_point() -> None:
    size = dims("K")
    verdict = prove(lambda K: equal(K, K % 2), K=size)
    assert isinstance(verdict, Refuted)
    assert verdict.witness == {"K": 3, "K_": 2}


def test_bounded_parameters_and_digits_of_claims() -> None:
    K, M, N, q, p = dims("K M N q p")
    even = assume("ld >= K, ld % 2 == 0")
    assert isinstance(prove(bijective(even(Layout((2 * K,), (1,))))), Proved)
    pitch = assume("K % 16 == 0, ld >= K, ld % 8 == 0")
    rows = pitch(Layout((M, K), (dims("ld"), 1)))
    assert isinstance(
        prove(lambda k, p: equal(rows(p, k), pitch(dims("ld")) * p + k), k=pitch(K), p=M), Proved
    )
    made = assume("K % 8 == 0, N % 8 == 0")
    verdict = prove(lambda q: equal(made(Layout(N))(q) * 0 + q, q), q=made(q * N + p))
    assert isinstance(verdict, Proved)


def test_scripts_spell_names_apart() -> None:
    from symlayout.engines import calculus

    K = dims("K")
    (free,) = (Var("K", K),)
    found = calculus.obligations(equal(Layout((K, 2), (2, 1))(free, 0), 2 * free), (free,))
    assert found is not None
    text = to_smtlib(found[-1])
    assert "(declare-const |K| Int)" in text
    assert "(declare-const |K_| Int)" in text
    assert {"true", "let", "_", "as"} <= RESERVED
