"""Is a part of a claim false where a witness says? On plain integers, at that one place.

Like `evaluator`, on which it stands, it shares no code with the layout algebra or the prover.
"""

from collections import Counter
from math import prod
from typing import Any

from .. import evaluator

Env = evaluator.Env
Point = evaluator.Point


def refutes(part: Any, env: Env, where: Point) -> bool:
    """Whether a part is false exactly where a witness says, `where` being the part's own digits."""
    kind, keys = part["kind"], set(where)
    if kind == "relations":
        names = [digit["name"] for digit in part["digits"]]
        inside = keys == set(names) and within_digits(part["digits"], {**env, **where})
        return inside and not all(evaluator.holds(r, {**env, **where}) for r in part["hold"])
    if kind in ("equal maps", "within", "aligned", "injective", "disjoint"):
        return _refutes_map(part, env, where)
    found = evaluator.KINDS[kind](part, env)  # of the rest the first failure is the witness
    if kind == "covers" and keys == {"value"}:
        values, x = Counter(evaluator.table(part["map"], env)[()]), where["value"]
        times = None if part["times"] is None else evaluator.number(part["times"], env)
        return 0 <= x < evaluator.number(part["n"], env) and (not values[x] or times not in (None, values[x]))
    if kind == "spread" and found is not None and {"lane", "other"} <= keys:
        return _clash(part, env, where, found)
    return found is not None and where == found


def _refutes_map(part: Any, env: Env, where: Point) -> bool:
    kind = part["kind"]
    a, b = (part.get(name, part.get("map")) for name in ("a", "b"))
    n = evaluator.size(a, env), evaluator.size(b, env)
    if kind == "equal maps" and n[0] != n[1]:
        return not where
    if kind == "equal maps" and set(where) == {"thread", "value"}:  # of two layouts of both
        threads = _first_mode(a, env)
        if not 0 <= where["thread"] < threads:
            return False
        where = {"i": where["thread"] + threads * where["value"]}
    pair = set(where) == {"i", "j"}
    i, j = where.get("i", -1), where.get("j" if pair else "i", -1)
    if set(where) not in ({"i"}, {"i", "j"}) or not (0 <= i < n[0] and 0 <= j < n[1]):
        return False
    x, y = evaluator.value(a, i, env), evaluator.value(b, j, env)
    if kind in ("within", "aligned"):
        return not pair and any(_bad(part, v, env) for v in x.values())
    same = all(x.get(p, 0) == y.get(p, 0) for p in {*x, *y})
    if kind == "equal maps":
        return not pair and not same
    return pair and same and (kind == "disjoint" or i != j)


def _first_mode(m: Any, env: Env) -> int:
    shape = evaluator.syntax(m.partition(":")[0]) if isinstance(m, str) else None
    modes = getattr(shape, "elts", ())
    return prod(evaluator.number(s, env) for _, s in evaluator.entries_of(modes[0])) if modes else 0


def _bad(part: Any, x: int, env: Env) -> bool:
    if part["kind"] == "aligned":
        return x % evaluator.number(part["by"], env) != 0
    return not evaluator.number(part["low"], env) <= x < evaluator.number(part["below"], env)


def _clash(part: Any, env: Env, where: Point, found: Point) -> bool:
    """Whether two lanes of the first group that fails have different units of one class. Lanes are counted
    through the phases of an access."""
    lanes, unit, classes = (evaluator.number(part[k], env) for k in ("lanes", "unit", "classes"))
    group, weight = 0, 1
    for mode in part["groups"]:
        group, weight = group + weight * found[mode["name"]], weight * evaluator.number(mode["size"], env)
    pair = [where[k] - lanes * found.get("phase", 0) for k in ("lane", "other")]
    if where != {**found, "lane": where["lane"], "other": where["other"]} or part["high"] != "1":
        return False
    if not all(0 <= k < lanes for k in pair) or pair[0] == pair[1]:
        return False
    x, y = (evaluator.value(part["map"], k + lanes * group, env)[()] // unit for k in pair)
    return (x - y) % classes == 0 and (part["each_lane"] or x != y)


def within_digits(digits: list[Any], point: Env) -> bool:
    """Whether a point has integers in the ranges of all digits."""
    seen: dict[str, int] = {}
    for digit in digits:
        x = point.get(digit["name"])
        if type(x) is not int or x < digit["from"]:
            return False
        if digit["below"] is not None and x >= evaluator.number(str(digit["below"]), {**point, **seen}):
            return False
        seen[digit["name"]] = x
    return True
