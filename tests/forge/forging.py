"""Ways to change a certificate. Each takes the content of one, and that of another for spare parts."""

from __future__ import annotations

import copy
import random
import re
from collections.abc import Callable
from typing import Any

from symlayout.certificate import Certificate, hash_of
from symlayout.sentence import phrase, sentence

Content = dict[str, Any]
Change = Callable[[random.Random, Content, Content], None]

TRUE = [
    {"kind": "relations", "given": [], "hold": ["0 = 0"], "digits": []},
    {"kind": "relations", "given": [], "hold": [], "digits": []},
    {"kind": "covers", "given": [], "map": "4:1", "n": "-1", "times": None},
    {"kind": "covers", "given": [], "map": "4:1", "n": "4", "times": "1"},
    {"kind": "injective", "given": [], "map": "(4,2):(2,1)"},
    {"kind": "relations", "given": ["1 < 0"], "hold": ["0 = 1"], "digits": []},
    {"kind": "relations", "given": [], "hold": ["x = 0"], "digits": [{"name": "x", "from": 0, "below": 0}]},
    {"kind": "unstated", "given": [], "why": "it is so"},
]
OBLIGATION = "(set-logic QF_LIA)\n(declare-const a Int)\n(assert (not (= a a)))\n(check-sat)\n"


def items(content: Content) -> list[Any]:
    found: list[Any] = content["claim"]["data"]["claims"]
    return found


def number_in(rng: random.Random, text: str) -> str:
    """The text with one of its numbers a little other."""
    places = list(re.finditer(r"(?<![\w<])\d+", text))
    if not places:
        return text
    at = rng.choice(places)
    n = int(at[0])
    other = rng.choice([n + 1, max(0, n - 1), 2 * n, n // 2, n + 8, 1])
    return f"{text[: at.start()]}{other}{text[at.end() :]}"


def texts_of(x: Any) -> list[tuple[Any, Any]]:
    """Every place of a text in an object: the container and the key."""
    entries = x.items() if isinstance(x, dict) else enumerate(x) if isinstance(x, list) else ()
    found = []
    for key, value in entries:
        if isinstance(value, str) and key not in ("kind", "says", "name", "type", "why"):
            found.append((x, key))
        found += texts_of(value)
    return found


def verdict_flipped(_rng: random.Random, c: Content, _other: Content) -> None:
    c["verdict"] = "refuted" if c["verdict"] == "proved" else "proved"


def number_changed(rng: random.Random, c: Content, _other: Content) -> None:
    places = texts_of(items(c))
    if places:
        at, key = rng.choice(places)
        at[key] = number_in(rng, at[key])


def texts_exchanged(rng: random.Random, c: Content, other: Content) -> None:
    mine, theirs = texts_of(items(c)), texts_of(items(other))
    if mine and theirs:
        (a, k), (b, j) = rng.choice(mine), rng.choice(theirs)
        a[k] = b[j]


def item_dropped(rng: random.Random, c: Content, _other: Content) -> None:
    if items(c):
        items(c).pop(rng.randrange(len(items(c))))


def item_of_another(rng: random.Random, c: Content, other: Content) -> None:
    if items(other):
        items(c).append(rng.choice(items(other)))


def items_of_another(_rng: random.Random, c: Content, other: Content) -> None:
    c["claim"]["data"] = other["claim"]["data"]


def first_items_kept(rng: random.Random, c: Content, _other: Content) -> None:
    c["claim"]["data"]["claims"] = items(c)[: rng.randrange(3)]


def items_true(rng: random.Random, c: Content, _other: Content) -> None:
    c["claim"]["data"]["claims"] = [rng.choice(TRUE)]


def item_weakened(rng: random.Random, c: Content, _other: Content) -> None:
    if items(c):
        item = rng.choice(items(c))
        if item["kind"] == "relations":
            item["hold"] = item["hold"][: rng.randrange(2)] or ["0 = 0"]
        elif item["kind"] in ("within", "covers"):
            key = "below" if item["kind"] == "within" else "n"
            item[key] = rng.choice([f"{item[key]} + 1", "1", "0", "-1", f"{item[key]} - 1"])
        elif item["kind"] == "spread":
            item[rng.choice(["low", "high", "unit", "classes", "lanes"])] = rng.choice(
                ["1", "2", "4", "8", "0"]
            )
        elif item["kind"] in ("retile", "memory"):
            item["side"] = "S" if item["side"] == "D" else "D"


def items_exchanged(rng: random.Random, c: Content, _other: Content) -> None:
    rng.shuffle(items(c))


def negated(rng: random.Random, c: Content, _other: Content) -> None:
    relations = [i for i in items(c) if i["kind"] == "relations" and i["hold"]]
    if relations:
        item = rng.choice(relations)
        k = rng.randrange(len(item["hold"]))
        item["hold"][k] = re.sub(r" (=|<=?|!=) ", lambda m: " != " if m[1] == "=" else " = ", item["hold"][k])


def premise_impossible(rng: random.Random, c: Content, _other: Content) -> None:
    if items(c):
        rng.choice(items(c))["given"].append(rng.choice(["1 < 0", "0 = 1", "0 = 0"]))


def fact_dropped(rng: random.Random, c: Content, _other: Content) -> None:
    if c["facts"]:
        c["facts"].pop(rng.randrange(len(c["facts"])))


def fact_added(rng: random.Random, c: Content, _other: Content) -> None:
    names = [d["name"] for d in c["domain"]] or ["1"]
    name = rng.choice(names)
    c["facts"].append(rng.choice([f"{name} < 0", f"{name}%2 = 0", f"{name} >= 3", "1 = 2", "0 <= 0"]))


def domain_changed(rng: random.Random, c: Content, _other: Content) -> None:
    if c["domain"]:
        digit = rng.choice(c["domain"])
        way = rng.randrange(6)
        if way == 0:
            digit["from"] += rng.choice([-1, 1, -8, 100])
        elif way == 1:
            digit["below"] = None
        elif way == 2:
            digit["below"] = digit["from"] + rng.choice([0, 1, 2, 5])
        elif way == 3 and type(digit["below"]) is int:
            digit["below"] += rng.choice([1, -1, 8, 1000])
        elif way == 4 and digit["below"] is not None:
            digit["below"] = f"{digit['below']} + 1"
        else:
            c["domain"].remove(digit)


def domain_of_another(_rng: random.Random, c: Content, other: Content) -> None:
    c["domain"], c["facts"] = other["domain"], other["facts"]


def digit_added(rng: random.Random, c: Content, _other: Content) -> None:
    c["domain"].append({"name": f"z{rng.randrange(9)}", "from": 0, "below": rng.choice([None, 0, 1, 4])})


def witness_changed(rng: random.Random, c: Content, other: Content) -> None:
    witness = c["witness"] or {d["name"]: d["from"] for d in c["domain"]}
    if witness and rng.random() < 0.8:
        name = rng.choice(sorted(witness))
        x = witness[name]
        witness[name] = rng.choice([-7, 0, x + 1 if type(x) is int else 1, 10**9, True, 1.0, "0", 2, 3])
        if rng.random() < 0.2:
            del witness[name]
    else:
        witness = other["witness"] or {"i": 0}
    c["witness"] = witness


def refuted_somewhere(rng: random.Random, c: Content, _other: Content) -> None:
    c["verdict"] = "refuted"
    own = rng.choice([{}, {"i": 1}, {"i": 0, "j": 1}, {"thread": 0, "value": 1}, {"value": 0}, {"extra": 1}])
    c["witness"] = {d["name"]: d["from"] + rng.choice([0, 1, -1, 7]) for d in c["domain"]} | own


def title_of_another(_rng: random.Random, c: Content, other: Content) -> None:
    c["claim"]["text"] = other["claim"]["text"]


def title_of_the_author(_rng: random.Random, c: Content, other: Content) -> None:
    c["claim"]["text"] = c["claim"]["called"] = other["claim"]["called"]


def obligations_true(_rng: random.Random, c: Content, _other: Content) -> None:
    c["obligations"] = [{"smt2": OBLIGATION, "sha256": hash_of(OBLIGATION), "expected": "unsat"}]


def obligations_of_another(_rng: random.Random, c: Content, other: Content) -> None:
    c["obligations"] = other["obligations"]


def obligations_gone(_rng: random.Random, c: Content, _other: Content) -> None:
    c["obligations"] = []


def parts_of_another(_rng: random.Random, c: Content, other: Content) -> None:
    c["claim"]["parts"] = other["claim"]["parts"]


def first_parts_kept(rng: random.Random, c: Content, _other: Content) -> None:
    c["claim"]["parts"] = c["claim"]["parts"][: rng.randrange(3)]


def field_dropped(rng: random.Random, c: Content, _other: Content) -> None:
    at: Any = rng.choice([c, c["claim"], *items(c), *c["domain"]])
    at.pop(rng.choice(sorted(at)), None)


def field_added(rng: random.Random, c: Content, _other: Content) -> None:
    rng.choice([c, c["claim"], *items(c)])["remark"] = "as was shown"


def instruction_changed(rng: random.Random, c: Content, other: Content) -> None:
    mine = [i for i in items(c) if "copy" in i]
    theirs = [i for i in items(other) if "copy" in i]
    if not mine:
        return
    item = rng.choice(mine)
    way = rng.randrange(5)
    if way == 0 and theirs:
        item["copy"] = rng.choice(theirs)["copy"]
    elif way == 1 and "mma" in item and theirs and "mma" in theirs[0]:
        item["mma"] = theirs[0]["mma"]
    elif way == 2:
        item["copy"]["name"] = rng.choice(["SM75_U32x4_LDSM_N", "SM75_U32x1_LDSM_N", "SM90_U32x4_STSM_N"])
    elif way == 3 and "mma" in item:
        item["mma"]["permutation"] = [rng.choice([None, 32, 16, "(2,16):(16,1)"]) for _ in range(3)]
    elif "mma" in item:
        item["operand"] = rng.choice("ABC")


CHANGES: tuple[Change, ...] = (
    *(verdict_flipped, number_changed, texts_exchanged, item_dropped, item_of_another, items_of_another),
    *(first_items_kept, items_true, item_weakened, items_exchanged, negated, premise_impossible),
    *(fact_dropped, fact_added, domain_changed, domain_of_another, digit_added, witness_changed),
    *(refuted_somewhere, title_of_another, title_of_the_author, obligations_true, obligations_of_another),
    *(obligations_gone, parts_of_another, first_parts_kept, field_dropped, field_added, instruction_changed),
)


def forged(rng: random.Random, base: Content, other: Content) -> tuple[Content, str]:
    """One changed certificate, and how it was changed. Most forgers give it the title and the parts that
    fit, so that nothing but what it claims is wrong with it."""
    content, spare = copy.deepcopy(base), copy.deepcopy(other)
    names = []
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        change = rng.choice(CHANGES)
        try:
            change(rng, content, spare)
        except (KeyError, IndexError, TypeError, AttributeError):  # after a field was dropped
            continue
        names.append(change.__name__)
    if rng.random() < 0.8:
        fitted(content, keeps_title=any(name.startswith("title") for name in names))
    return content, ", ".join(names)


def fitted(content: Content, keeps_title: bool) -> None:
    """Title and parts as the data have them, where that can be."""
    try:
        data = content["claim"]["data"]
        plain = [item for item in data["claims"] if item["kind"] not in ("retile", "memory")]
        if len(plain) == len(data["claims"]):
            content["claim"]["parts"] = [{"says": phrase(item), **item} for item in plain]
        if not keeps_title:
            content["claim"]["text"] = sentence(data, content["domain"], content["facts"])
    except (KeyError, TypeError, IndexError, AttributeError):
        return


def file_of(content: Content) -> bytes:
    """The file, with the hash that the published rule gives it."""
    return Certificate(content).text().encode()
