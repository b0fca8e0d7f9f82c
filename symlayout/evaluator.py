"""The second opinion on a finite claim: every point, computed from the words of a certificate (statement.py).

It shares no code with the layout algebra or the prover: it imports nothing of this package. Maps are
tabulated column-major, mode by mode, so no index is ever divided into a coordinate.
"""

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from math import prod
from typing import Any

Env = Mapping[str, int]
Path = tuple[int, ...]
Table = dict[Path, list[int]]  # the coordinate, () for integers -> its value at every index
Point = dict[str, int]

SIGNS = {"=": (0,), "!=": (-1, 1), "<": (-1,), "<=": (-1, 0), ">": (1,), ">=": (0, 1)}  # of left - right
ALLOWED = (
    *(ast.BinOp, ast.UnaryOp, ast.Constant, ast.Name, ast.Load, ast.Tuple, ast.USub, ast.MatMult),
    *(ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod, ast.BitAnd, ast.BitOr, ast.BitXor),
)
LETTERS = "A-Za-z0-9_αβγδεζηθλμξπστφψω"  # of names: none of them looks like another, or is read as another
MOST_DIGITS = 100  # of one number
MOST_VALUES = 1 << 22  # of one map


class Malformed(ValueError):
    """Words that are not of the language."""


@lru_cache(maxsize=4096)
def syntax(text: str) -> ast.expr:
    """The syntax of an expression: integers, names, tuples and arithmetic, nothing that could do harm,
    nothing, as comments, that is printed and not read, and nothing that Python takes for something else, as
    letters that it makes others of, and `__debug__`."""
    if re.search(rf"[^{LETTERS} +\-*/%(),@&|^]|__debug__|[0-9]{{{MOST_DIGITS + 1}}}", text):
        raise Malformed(f"no expression: {text[:80]!r}")
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, RecursionError, MemoryError, ValueError):
        raise Malformed(f"no expression: {text[:80]!r}") from None
    for node in ast.walk(tree):
        constant = isinstance(node, ast.Constant) and type(node.value) is not int
        if constant or not isinstance(node, ALLOWED):
            raise Malformed(f"{type(node).__name__} in the expression {text[:80]!r}")
    return tree


@lru_cache(maxsize=4096)
def _code(expression: str | ast.expr) -> Any:
    tree = expression if isinstance(expression, ast.expr) else syntax(expression)
    return compile(ast.Expression(tree), "<certificate>", "eval")


def number(expression: str | ast.expr, env: Env) -> int:
    """The value of an integer expression at one point."""
    return int(eval(_code(expression), {"__builtins__": {}}, env))  # nothing but arithmetic got past `syntax`


def holds(relation: str, env: Env) -> bool:
    """Whether `left op right` is true at one point."""
    found = re.fullmatch(r"([^=<>!]+) (=|!=|<|<=|>|>=) ([^=<>!]+)", relation)
    if found is None:
        raise Malformed(f"no relation: {relation[:80]!r}")
    left, right = number(found[1], env), number(found[3], env)
    return (left > right) - (left < right) in SIGNS[found[2]]


def entries_of(node: ast.expr, path: Path = ()) -> list[tuple[Path, ast.expr]]:
    nested = enumerate(node.elts) if isinstance(node, ast.Tuple) else ()
    return [e for k, x in nested for e in entries_of(x, (*path, k))] or [(path, node)]


def _step(node: ast.expr, env: Env) -> tuple[Path, int]:
    """A stride: along which coordinate, and how far. `2@1@0` is ((0, 1), 2), and 2 is ((), 2)."""
    path: Path = ()
    while isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
        path, node = (*path, number(node.right, env)), node.left
    return path, number(node, env)


def _modes(text: str, env: Env) -> list[tuple[int, Path, int]]:
    sizes, steps = (entries_of(syntax(half)) for half in text.partition(":")[::2])
    if len(sizes) != len(steps):
        raise Malformed(f"no layout: {text[:80]!r}")
    modes = [(number(s, env), *_step(d, env)) for (_, s), (_, d) in zip(sizes, steps, strict=True)]
    if min(count for count, _, _ in modes) < 1:
        raise Malformed(f"a size below 1 in {text[:80]!r}")
    return modes


def _paths(modes: list[tuple[int, Path, int]]) -> set[Path]:
    """The coordinates along which a map steps; a stride of 0 is along any."""
    paths = {path for _, path, step in modes if path or step} or {()}
    if () in paths and len(paths) > 1:
        raise Malformed("a map with strides of integers and of coordinates")
    return paths


def swizzled(text: str, env: Env) -> tuple[Callable[[int], int], str] | None:
    """What `Sw<b,m,s> o offset o` in front of a layout does to its values, and the layout; None without."""
    found = re.fullmatch(r"Sw<([0-9]{1,2}),([0-9]{1,2}),(-?[0-9]{1,2})> o (.+?) o (.+)", text)
    if found is None:
        return None
    b, low, shift = map(int, found.group(1, 2, 3))
    mask, base = ((1 << b) - 1) << (low + max(0, shift)), number(found[4], env)

    def moved(x: int) -> int:
        x += base
        return x ^ ((x & mask) >> shift if shift >= 0 else (x & mask) << -shift)

    return moved, found[5]


def size(m: Any, env: Env) -> int:
    """How many values a map has."""
    while isinstance(m, dict):
        m = m["layout"]
    found = swizzled(m, env)
    return size(found[1], env) if found else prod(count for count, _, _ in _modes(m, env))


def value(m: Any, index: int, env: Env) -> dict[Path, int]:
    """One value of a map, without a table of all."""
    if isinstance(m, dict):
        inner, entries = value(m["layout"], index, env), entries_of(syntax(m["offset"]))
        for path, start in entries:
            inner[path] = number(start, env) + inner.get(path, 0)
        return inner
    if found := swizzled(m, env):
        return {(): found[0](value(found[1], index, env).get((), 0))}
    result: dict[Path, int] = {}
    _paths(modes := _modes(m, env))
    for count, path, step in modes:
        index, digit = divmod(index, count)
        result[path] = result.get(path, 0) + step * digit
    return result


def table(m: Any, env: Env) -> Table:
    """All values of a map."""
    if isinstance(m, dict):
        inner, entries = table(m["layout"], env), entries_of(syntax(m["offset"]))
        zeros = [0] * len(next(iter(inner.values())))
        if entries[0][0]:  # a coordinate: the column of integers can only be that of no stride at all
            inner.pop((), None)
        for path, start in entries:
            inner[path] = [number(start, env) + x for x in inner.get(path, zeros)]
        return inner
    if found := swizzled(m, env):
        return {(): [found[0](x) for x in table(found[1], env)[()]]}
    modes = _modes(m, env)
    if prod(count for count, _, _ in modes) > MOST_VALUES:
        raise OverflowError(f"more than {MOST_VALUES} values")
    columns: Table = {path: [0] for path in _paths(modes)}
    for count, own, step in modes:
        for path, column in columns.items():
            columns[path] = [x + (own == path) * step * c for c in range(count) for x in column]
    return columns


def _values(env: Env, *maps: Any) -> list[list[Any]]:
    """The values of several maps, as tuples over the same coordinates."""
    tables = [table(m, env) for m in maps]
    paths = sorted({p for t in tables for p in t})
    zeros = [[0] * len(next(iter(t.values()))) for t in tables]
    return [list(zip(*(t.get(p, z) for p in paths), strict=True)) for t, z in zip(tables, zeros, strict=True)]


def _equal_maps(part: Any, env: Env) -> Point | None:
    a, b = _values(env, part["a"], part["b"])
    return {} if len(a) != len(b) else next(({"i": i} for i in range(len(a)) if a[i] != b[i]), None)


def _every_value(part: Any, env: Env) -> Point | None:
    by = number(part["by"], env) if part["kind"] == "aligned" else 0  # then the remainders are within 0 .. 0
    low, below = (0, 1) if by else (number(part["low"], env), number(part["below"], env))
    columns = table(part["map"], env).values()
    bad = [i for c in columns for i, x in enumerate(c) if not low <= (x % by if by else x) < below]
    return {"i": min(bad)} if bad else None


def _injective(part: Any, env: Env) -> Point | None:
    first: dict[Any, int] = {}
    pairs = [(i, j) for j, x in enumerate(_values(env, part["map"])[0]) if (i := first.setdefault(x, j)) != j]
    return dict(zip("ij", min(pairs), strict=True)) if pairs else None


def _disjoint(part: Any, env: Env) -> Point | None:
    a, b = _values(env, part["a"], part["b"])
    first = {x: j for j, x in reversed(list(enumerate(b)))}
    return next(({"i": i, "j": first[x]} for i, x in enumerate(a) if x in first), None)


def _covers(part: Any, env: Env) -> Point | None:
    found = Counter(table(part["map"], env)[()])
    times = None if part["times"] is None else number(part["times"], env)
    if times is not None and times < 1:
        raise Malformed(f"covers each value {times} times")
    missed = (x for x in range(number(part["n"], env)) if not found[x] or times not in (None, found[x]))
    return next(({"value": x} for x in missed), None)


def _delivered(part: Any, env: Env) -> Point | None:
    threads, fragment, view = (table(part[k], env)[()] for k in ("threads", "fragment", "view"))
    expected, delivered = (
        list(zip(*(table(m, env)[()] for m in part[k]), strict=True)) for k in ("expected", "delivered")
    )
    lanes, copying = len(threads), len(delivered) // len(view)
    held: dict[int, list[int]] = {}
    for v, slot in enumerate(fragment):
        held.setdefault(slot, []).append(v)
    if len(expected) != lanes * len(fragment) or len(delivered) != copying * len(view):
        return {}
    for t, lane in sorted((t, lane) for lane, t in enumerate(threads)):
        for x, slot in enumerate(view):
            known = slot in held and 0 <= t < copying
            if not known or any(expected[lane + lanes * v] != delivered[t + copying * x] for v in held[slot]):
                return {"thread": t, "value": x, "slot": slot}
    return None


def _spread(part: Any, env: Env) -> Point | None:
    lanes, unit, classes, low, high = (
        number(part[k], env) for k in ("lanes", "unit", "classes", "low", "high")
    )
    found = [x // unit for x in table(part["map"], env)[()]]
    sizes = [number(mode["size"], env) for mode in part["groups"]]
    if min(lanes, unit, classes, *sizes) < 1 or lanes * prod(sizes) != len(found):
        raise Malformed(f"{lanes} lanes in groups of {sizes} are not a map of {len(found)} values")
    for group in range(len(found) // lanes):
        units = found[group * lanes : (group + 1) * lanes]
        units = units if part["each_lane"] else list(set(units))
        if not low <= max(Counter(u % classes for u in units).values()) <= high:
            point: Point = {}
            for mode in part["groups"]:
                group, point[mode["name"]] = divmod(group, number(mode["size"], env))
            return point
    return None


KINDS: dict[str, Callable[[Any, Env], Point | None]] = {
    "relations": lambda part, env: None if all(holds(r, env) for r in part["hold"]) else {},
    "equal maps": _equal_maps,
    "within": _every_value,
    "aligned": _every_value,
    "injective": _injective,
    "disjoint": _disjoint,
    "covers": _covers,
    "delivered": _delivered,
    "spread": _spread,
}


def points(domain: list[Any], env: Env) -> Iterator[Env]:
    """Every point of a bounded domain, the last digit fastest."""
    if not domain:
        yield env
    for digit in domain[:1]:
        for value in range(*(number(str(digit[end]), env) for end in ("from", "below"))):
            yield from points(domain[1:], {**env, digit["name"]: value})


def _says_nothing(part: Any, env: Env) -> bool:
    """Whether there is nothing that a part says at a point."""
    if part["kind"] == "covers":
        return number(part["n"], env) < 1
    return part["kind"] == "relations" and not part["hold"]


def at(part: Any, env: Env) -> tuple[bool, Point | None]:
    """Whether a part speaks about one point (its `given` holds), and where it fails there first, None if it
    does not, {} if it has no indices of its own. Raises Malformed, and OverflowError for a map too large."""
    try:
        speaks = all(holds(relation, env) for relation in part["given"]) and not _says_nothing(part, env)
        return speaks, KINDS[part["kind"]](part, env) if speaks else None
    except (KeyError, NameError, TypeError, AttributeError, RecursionError, ZeroDivisionError) as error:
        raise Malformed(f"{str(part)[:80]}: {error!r}") from None
