"""Is what a certificate claims true? By counting, from its data alone, with nothing of recheck's.

Maps and relations are evaluated here, one index at a time. An mma and a copy are made by name and asked
through the layout algebra, which recheck does not use.
"""

from __future__ import annotations

import random
import re
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice, product
from math import prod
from typing import Any

from symlayout import atoms
from symlayout.access_width import by_access
from symlayout.copy_tiling import TiledCopy, make_tiled_copy_impl
from symlayout.coverage_claim import _inside, _places
from symlayout.errors import SymlayoutError
from symlayout.memory_claim import Aligned, Contiguous
from symlayout.notation import parse
from symlayout.retile_claim import retile_claim
from symlayout.tiled_mma import make_tiled_mma

MOST_POINTS = 1000  # of a domain
MOST_VALUES = 1 << 13  # of a map
MOST_SECONDS = 1.0  # of one certificate, after a first point
FAR = (0, 1, 2, 3, 5, 8, 17, 100)  # how far above its least value a digit without an end is tried

Env = Mapping[str, int]
Value = dict[tuple[int, ...], int]


class Senseless(Exception):
    """It states nothing that could be true."""


class TooLong(Exception):
    """It has too many values to be counted."""


class Step:
    """A number, or a step along a coordinate: what `2@1` is."""

    def __init__(self, n: int, path: tuple[int, ...] = ()) -> None:
        self.n, self.path = n, path

    def __add__(self, other: Step) -> Step:
        return Step(self.n + other.n, self.path)

    def __sub__(self, other: Step) -> Step:
        return Step(self.n - other.n, self.path)

    def __mul__(self, other: Step) -> Step:
        return Step(self.n * other.n, self.path or other.path)

    def __neg__(self) -> Step:
        return Step(-self.n, self.path)

    def __floordiv__(self, other: Step) -> Step:
        return Step(self.n // other.n)

    def __mod__(self, other: Step) -> Step:
        return Step(self.n % other.n)

    def __xor__(self, other: Step) -> Step:
        return Step(self.n ^ other.n)

    def __and__(self, other: Step) -> Step:
        return Step(self.n & other.n)

    def __or__(self, other: Step) -> Step:
        return Step(self.n | other.n)

    def __matmul__(self, other: Step) -> Step:
        return Step(self.n, (*self.path, other.n))


@lru_cache(maxsize=4096)
def code(text: str) -> Any:
    words = re.sub(r"[A-Za-z_]\w*|\d+", lambda m: f"_s({m[0]!r})", text)
    return compile(words, "<forged>", "eval")


def computed(text: str, env: Env) -> Any:
    """The numbers of an expression, nested as it is."""
    look = lambda word: Step(int(word) if word.isdigit() else env[word])  # noqa: E731
    return eval(code(str(text)), {"__builtins__": {}, "_s": look})  # what a test made itself


def number(text: Any, env: Env) -> int:
    found = computed(text, env)
    if not isinstance(found, Step):
        raise Senseless(f"{text} is not a number")
    return found.n


def leaves(x: Any) -> Iterator[Step]:
    if isinstance(x, tuple):
        for y in x:
            yield from leaves(y)
    else:
        yield x


def modes(text: str, env: Env) -> list[tuple[int, Step]]:
    shape, _, stride = text.partition(":")
    sizes, steps = list(leaves(computed(shape, env))), list(leaves(computed(stride, env)))
    if len(sizes) != len(steps) or any(s.n < 1 for s in sizes):
        raise Senseless(text)
    return [(s.n, d) for s, d in zip(sizes, steps, strict=True)]


def unwrapped(m: Any) -> str:
    while isinstance(m, dict):
        m = m["layout"]
    return str(m).rpartition(" o ")[2]


def size(m: Any, env: Env) -> int:
    return prod(s for s, _ in modes(unwrapped(m), env))


def value(m: Any, index: int, env: Env) -> Value:
    return values(m, [index], env)[0]


def values(m: Any, indices: Sequence[int], env: Env) -> list[Value]:
    """The values of a map at some indices, each index divided into its own digits."""
    if isinstance(m, dict):
        found = values(m["layout"], indices, env)
        start = computed(m["offset"], env)
        flat = enumerate(start) if isinstance(start, tuple) else [(None, start)]
        for k, x in flat:
            path = () if k is None else (k,)
            for one in found:
                one[path] = one.get(path, 0) + x.n
        return found
    if m.startswith("Sw<"):
        b, low, shift, offset, inner = re.fullmatch(r"Sw<(\d+),(\d+),(-?\d+)> o (.+?) o (.+)", m).groups()  # type: ignore[union-attr]
        bits, base = (1 << int(b)) - 1, number(offset, env)
        return [
            {(): moved(one.get((), 0) + base, bits, int(low), int(shift))}
            for one in values(inner, indices, env)
        ]
    split = modes(m, env)
    result: list[Value] = []
    for index in indices:
        one = {}
        for count, step in split:
            index, digit = divmod(index, count)
            one[step.path] = one.get(step.path, 0) + digit * step.n
        result.append(one)
    return result


def moved(x: int, bits: int, low: int, shift: int) -> int:
    if shift >= 0:
        return x ^ (x >> (low + shift) & bits) << low
    return x ^ (x >> low & bits) << (low - shift)


def trimmed(found: Value) -> tuple[tuple[tuple[int, ...], int], ...]:
    return tuple(sorted((path, x) for path, x in found.items() if x))


def table(m: Any, env: Env) -> list[Any]:
    return [trimmed(one) for one in whole(m, env)]


def whole(m: Any, env: Env) -> list[Value]:
    if size(m, env) > MOST_VALUES:
        raise TooLong
    return values(m, range(size(m, env)), env)


def plain(m: Any, env: Env) -> list[int]:
    return [one.get((), 0) for one in whole(m, env)]


def holds(relation: str, env: Env) -> bool:
    left, sign, right = re.fullmatch(r"([^=<>!]+) (=|!=|<=?|>=?) ([^=<>!]+)", relation).groups()  # type: ignore[union-attr]
    a, b = number(left, env), number(right, env)
    return {"=": a == b, "!=": a != b, "<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[sign]


def false_at(item: Any, env: Env) -> list[dict[str, int]] | None:
    """Where an item is false at a point, as witnesses name it; empty if it is true there. None where it is
    false as a whole, at no index of its own."""
    kind = item["kind"]
    if kind == "relations":
        if not item["hold"]:
            raise Senseless("no relations")
        own = points(item["digits"], env)
        names = [d["name"] for d in item["digits"]]
        return [{n: at[n] for n in names} for at in own if not all(holds(r, at) for r in item["hold"])] or (
            [] if names or all(holds(r, env) for r in item["hold"]) else None
        )
    if kind == "equal maps":
        a, b = table(item["a"], env), table(item["b"], env)
        return None if len(a) != len(b) else [{"i": i} for i in range(len(a)) if a[i] != b[i]]
    if kind == "within":
        low, below = number(item["low"], env), number(item["below"], env)
        xs = values(item["map"], range(min(size(item["map"], env), MOST_VALUES)), env)
        return [{"i": i} for i, x in enumerate(xs) if not all(low <= c < below for c in x.values())]
    if kind == "aligned":
        by = number(item["by"], env)
        xs = values(item["map"], range(min(size(item["map"], env), MOST_VALUES)), env)
        return [{"i": i} for i, x in enumerate(xs) if any(c % by for c in x.values())]
    if kind == "injective":
        xs = table(item["map"], env)
        seen: dict[Any, list[int]] = {}
        for i, x in enumerate(xs):
            seen.setdefault(x, []).append(i)
        return [{"i": i, "j": j} for js in seen.values() for i in js[:50] for j in js[:50] if i != j]
    if kind == "disjoint":
        a, b = table(item["a"], env), table(item["b"], env)
        return [{"i": i, "j": j} for i, x in enumerate(a) if x in set(b) for j, y in enumerate(b) if x == y]
    if kind == "covers":
        count, n = Counter(plain(item["map"], env)), number(item["n"], env)
        times = None if item["times"] is None else number(item["times"], env)
        if n < 1 or (times is not None and times < 1):
            raise Senseless("covers nothing")
        return [{"value": x} for x in range(n) if not count[x] or times not in (None, count[x])]
    if kind == "spread":
        return _spread(item, env)
    if kind == "delivered":
        return _delivered(item, env)
    if kind in ("retile", "memory"):
        return _made(item, env)
    raise Senseless(kind)


def _spread(item: Any, env: Env) -> list[dict[str, int]]:
    lanes, unit, classes, low, high = (
        number(item[k], env) for k in ("lanes", "unit", "classes", "low", "high")
    )
    sizes = [number(g["size"], env) for g in item["groups"]]
    xs = plain(item["map"], env)
    if lanes * prod(sizes) != len(xs) or min(lanes, unit, classes) < 1:
        raise Senseless("lanes and groups are not those of the map")
    wrong = []
    for g, place in enumerate(product(*(range(n) for n in reversed(sizes)))):
        units = [x // unit for x in xs[g * lanes : (g + 1) * lanes]]
        load = Counter(u % classes for u in (units if item["each_lane"] else set(units)))
        if not low <= max(load.values()) <= high:
            names = [m["name"] for m in item["groups"]]
            wrong.append(dict(zip(names, reversed(place), strict=True)))
    return wrong


def _delivered(item: Any, env: Env) -> list[dict[str, int]] | None:
    threads, fragment, view = (plain(item[k], env) for k in ("threads", "fragment", "view"))
    expected = list(zip(*(plain(m, env) for m in item["expected"]), strict=True))
    delivered = list(zip(*(plain(m, env) for m in item["delivered"]), strict=True))
    each = len(delivered) // len(view)
    if len(expected) != len(threads) * len(fragment) or len(delivered) != each * len(view):
        return None
    wrong = []
    for lane, t in enumerate(threads):
        for x, slot in enumerate(view):
            v = fragment.index(slot) if slot in fragment and 0 <= t < each else None
            if v is None or expected[lane + len(threads) * v] != delivered[t + each * x]:
                wrong.append({"thread": t, "value": x, "slot": slot})
    return wrong


def _at(text: str, env: Env) -> str:
    """A layout or a shape with integers for its names."""
    return re.sub(r"[A-Za-z_]\w*", lambda m: m[0] if m[0] in ("Sw", "o") else str(env[m[0]]), text)


def _layout(text: str, env: Env) -> Any:
    def shown(x: Any) -> Any:
        if not isinstance(x, tuple):
            return str(x.n)
        return f"({','.join(map(shown, x))})"

    head, arrow, inner = text.rpartition(" o ")
    shape, _, stride = inner.partition(":")
    return parse(f"{head}{arrow}{shown(computed(shape, env))}:{shown(computed(stride, env))}")


def _copy(data: Any, mma: Any, operand: str) -> TiledCopy:
    atom = atoms.copy(data["name"]).with_type(data["type"])
    if data["tv"] is None:
        if mma is None:
            raise Senseless("a copy of no tile")
        return make_tiled_copy_impl(
            atom, mma.layout_TV(operand), mma.tile_shape(operand), mma=mma, operand=operand
        )
    tiler = tuple([t if isinstance(t, int) else parse(t) for t in data["tiler"]])
    return make_tiled_copy_impl(atom, parse(data["tv"]), tiler)


def _made(item: Any, env: Env) -> list[dict[str, int]] | None:
    try:
        return _claim_of(item, env)
    except (SymlayoutError, KeyError, ValueError, TypeError, IndexError, AttributeError) as error:
        raise Senseless(str(error)) from None


def _claim_of(item: Any, env: Env) -> list[dict[str, int]] | None:
    shape = computed(item["tensor"].rpartition(" o ")[2].partition(":")[0], env)
    sizes = tuple([prod(s.n for s in leaves(mode)) for mode in shape])
    if item["kind"] == "retile":
        permutation = tuple(
            [p if p is None or isinstance(p, int) else parse(p) for p in item["mma"]["permutation"]]
        )
        mma = make_tiled_mma(item["mma"]["name"], parse(item["mma"]["atoms"]), permutation)
        copy = _copy(item["copy"], mma, item["operand"])
        fragment, view = _layout(item["fragment"], env), _layout(item["view"], env)
        delivery = copy._delivery(mma, item["operand"], sizes, fragment, view, item["side"])
        found = []
        for part in retile_claim(delivery, item["operand"], item["side"]).parts():
            failure = part.failure()
            if failure is not None and not failure.witness:  # sizes that differ: nothing else can be asked
                return None
            found += [] if failure is None else [failure.witness]
        return found
    copy = _copy(item["copy"], None, "")
    if item["says"] == "inside":
        failure = _inside(copy, _places(copy, sizes, item["side"]), sizes, item["side"]).failure()
    else:
        tensor = _layout(item["tensor"], env)
        kind = Aligned if item["says"] == "aligned" else Contiguous
        failure = kind(by_access(copy, tensor, item["side"]), tensor, copy, item["side"]).failure()
    return [] if failure is None else [failure.witness]


def tried(digit: Any, env: Env) -> Sequence[int]:
    """All values of a digit; of one without an end, or with many, those near its ends and some far out."""
    least = digit["from"]
    if digit["below"] is None:
        return [least + n for n in FAR]
    below = number(digit["below"], env)
    if below - least < 1000:
        return range(least, below)
    return [*range(least, least + 9), *range(below - 9, below)]


def points(domain: Sequence[Any], env: Env) -> Iterator[dict[str, int]]:
    """The points of a domain with these values."""
    if not domain:
        yield dict(env)
    for x in tried(domain[0], env) if domain else ():
        yield from points(domain[1:], {**env, domain[0]["name"]: x})


def some_points(domain: Sequence[Any]) -> list[dict[str, int]]:
    """All points where they are few; else the first ones, and some from everywhere, in any order."""
    every = list(islice(points(domain, {}), MOST_POINTS + 1))
    if len(every) <= MOST_POINTS:
        return every
    choice = random.Random(0)
    found = every[:50]
    for _ in range(MOST_POINTS):
        env: dict[str, int] = {}
        for digit in domain:
            values_of = tried(digit, env)
            if not values_of:
                break
            env[digit["name"]] = choice.choice(values_of)
        else:
            found.append(env)
    choice.shuffle(found)
    return found


def true(content: Mapping[str, Any]) -> bool:
    """Whether counting finds nothing wrong with what a certificate claims, and something that it says."""
    data, domain = content["claim"]["data"], content["domain"]
    if not data["claims"]:
        return False
    if content["verdict"] == "refuted":
        return _refuted(content)
    spoke = dict.fromkeys(range(len(data["claims"])), False)
    end = time.perf_counter() + MOST_SECONDS
    for env in some_points(domain):
        if time.perf_counter() > end and all(spoke.values()):
            break
        if not all(holds(f, env) for f in content["facts"]):
            continue
        for k, item in enumerate(data["claims"]):
            if all(holds(g, env) for g in item["given"]):
                try:
                    if false_at(item, env) != []:
                        return False
                    spoke[k] = True
                except Senseless:
                    continue
                except TooLong:
                    spoke[k] = True
    return all(spoke.values())


def _refuted(content: Mapping[str, Any]) -> bool:
    names = [d["name"] for d in content["domain"]]
    witness = content["witness"]
    if any(type(x) is not int for x in witness.values()) or not set(names) <= set(witness):
        return False
    env: dict[str, int] = {}
    for digit in content["domain"]:
        x = witness[digit["name"]]
        if x < digit["from"] or (digit["below"] is not None and x >= number(digit["below"], env)):
            return False
        env[digit["name"]] = x
    if not all(holds(f, env) for f in content["facts"]):
        return False
    where = {k: x for k, x in witness.items() if k not in names}
    for item in content["claim"]["data"]["claims"]:
        try:
            if all(holds(g, env) for g in item["given"]) and _fails_there(item, env, where):
                return True
        except (Senseless, TooLong):
            continue
    return False


def _fails_there(item: Any, env: Env, where: dict[str, int]) -> bool:
    found = false_at(item, env)
    if found is None:
        return not where
    if item["kind"] == "spread" and "lane" in where:
        return _clash(item, env, where, found)
    if item["kind"] == "equal maps" and "thread" in where:
        shape = computed(item["a"].partition(":")[0], env)
        threads = prod(s.n for s in leaves(shape[0]))
        return where["thread"] < threads and {"i": where["thread"] + threads * where["value"]} in found
    return where in found


def _clash(item: Any, env: Env, where: dict[str, int], found: list[dict[str, int]]) -> bool:
    place = {k: x for k, x in where.items() if k not in ("lane", "other")}
    lanes, unit, classes = (number(item[k], env) for k in ("lanes", "unit", "classes"))
    group, weight = 0, 1
    for mode in item["groups"]:
        group, weight = group + weight * place.get(mode["name"], 0), weight * number(mode["size"], env)
    pair = [where[k] - lanes * place.get("phase", 0) for k in ("lane", "other")]
    if place not in found or not all(0 <= k < lanes for k in pair):
        return False
    x, y = (value(item["map"], k + lanes * group, env)[()] // unit for k in pair)
    return pair[0] != pair[1] and (x - y) % classes == 0 and (item["each_lane"] or x != y)
