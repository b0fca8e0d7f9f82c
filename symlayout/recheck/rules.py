"""Parts of a claim that are shown for all values of its digits, without a solver, by short reasons.

    relations    both sides are one polynomial, or their difference has a sign (sums.py)
    within       the sum of the greatest (or least) that each mode adds
    aligned      every stride is a multiple
    injective    strides in an order in which each is more than all before it can add up to, swizzled or not
    covers       modes of stride 0 repeat; the others are injective, stay below n, and are n
    equal maps   the same modes, after neighbours that go on in each other are joined
    spread       all groups add whole units, so only differences of lanes count, and classes depend on the
                 parameters only modulo their number (with a swizzle: modulo the bits that it touches)

Each is sufficient and none necessary. Premises of the part are not used: what holds without them holds with
them. That a
part says something at all is another question, which a computed point answers.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product as every
from typing import Any

from .. import evaluator
from .sums import Digits, Modes, Open, Poly, Split, constant, modes_of, plus, product

MOST_SPLITS = 40
MOST_RESIDUES = 1 << 12
MOST_ORDERS = 2000


def shown(part: Mapping[str, Any], domain: Sequence[Mapping[str, Any]], facts: Sequence[str] = ()) -> bool:
    """Whether the part is shown at every point where the facts hold. Raises evaluator.Malformed."""
    try:
        digits = Digits([*domain, *part.get("digits", ())], facts)
        for _ in range(MOST_SPLITS):
            try:
                return RULES[part["kind"]](part, digits)
            except Split as split:
                digits.write_as_two(split.name, split.by)
    except (Open, Split, OverflowError, RecursionError, KeyError, ValueError, TypeError):
        return False
    return False


def _relations(part: Any, digits: Digits) -> bool:
    return all(_relation(text, digits) for text in part["hold"])


def _relation(text: str, digits: Digits) -> bool:
    found = re.fullmatch(r"([^=<>!]+) (=|!=|<|<=|>|>=) ([^=<>!]+)", text)
    if found is None:
        raise Open
    difference = plus(digits.read(found[3]), digits.read(found[1]), -1)  # right - left
    opposite = plus({}, difference, -1)
    match found[2]:
        case "=":
            return not difference
        case "!=":
            return digits.positive(difference) or digits.positive(opposite)
        case "<":
            return digits.positive(difference)
        case "<=":
            return digits.nonneg(difference)
        case ">":
            return digits.positive(opposite)
    return digits.nonneg(opposite)


def _ends(modes: Modes, digits: Digits) -> tuple[Poly, Poly]:
    """The least and the greatest sum that modes make. Raises Open for a stride of unknown sign."""
    low: Poly = {}
    high: Poly = {}
    for size, _, stride in modes:
        reach = product(stride, plus(size, constant(-1)))
        if digits.nonneg(stride):
            high = plus(high, reach)
        elif digits.nonneg(plus({}, stride, -1)):
            low = plus(low, reach)
        else:
            raise Open
    return low, high


def _columns(modes: Modes) -> dict[evaluator.Path, Modes]:
    columns: dict[evaluator.Path, Modes] = {}
    for mode in modes:
        if mode[2]:
            columns.setdefault(mode[1], []).append(mode)
    return columns


def _within(part: Any, digits: Digits) -> bool:
    low, below = digits.read(part["low"]), digits.read(part["below"])
    for column in (_columns(modes_of(part["map"], digits)) or {(): []}).values():
        least, greatest = _ends(column, digits)
        if not (digits.nonneg(plus(least, low, -1)) and digits.positive(plus(below, greatest, -1))):
            return False
    return True


def _aligned(part: Any, digits: Digits) -> bool:
    by = evaluator.number(part["by"], {})
    strides = [stride for _, _, stride in modes_of(part["map"], digits)]
    return by > 0 and all(c % by == 0 for stride in strides for c in stride.values())


def _injective(part: Any, digits: Digits) -> bool:
    swizzle, _, inner = _moved(part["map"])
    modes = modes_of(inner, digits)
    if swizzle is not None and (abs(swizzle[2]) < swizzle[0] or any(path for _, path, _ in modes)):
        raise Open  # only a swizzle whose bits do not meet has an inverse
    return _apart(modes, digits)


def _apart(modes: Modes, digits: Digits) -> bool:
    kept = [mode for mode in modes if mode[0] != constant(1)]
    if any(not stride for _, _, stride in kept):
        return False
    return all(_nested(column, digits) for column in _columns(kept).values())


def _nested(modes: Modes, digits: Digits) -> bool:
    sizes = []
    for size, _, stride in modes:  # a mode with its digits counted backwards is as injective
        sign = 1 if digits.nonneg(stride) else -1
        sizes.append((size, plus({}, stride, sign)))
    left = [MOST_ORDERS]

    def goes_on(rest: list[tuple[Poly, Poly]], reach: Poly) -> bool:
        left[0] -= 1
        if left[0] < 0:
            raise Open
        for k, (size, stride) in enumerate(rest):
            if digits.positive(plus(stride, reach, -1)):
                more = plus(reach, product(stride, plus(size, constant(-1))))
                if goes_on(rest[:k] + rest[k + 1 :], more):
                    return True
        return not rest

    return goes_on(sizes, {})


def _count(modes: Modes) -> Poly:
    found = constant(1)
    for size, _, _ in modes:
        found = product(found, size)
    return found


def _covers(part: Any, digits: Digits) -> bool:
    modes, n = modes_of(part["map"], digits), digits.read(part["n"])
    moving = [mode for mode in modes if mode[2]]
    if any(path for _, path, _ in moving):
        raise Open
    least, greatest = _ends(moving, digits)
    inside = not least and digits.positive(plus(n, greatest, -1))
    often = part["times"] is None or digits.read(part["times"]) == _count([m for m in modes if not m[2]])
    return inside and often and _count(moving) == n and _apart(moving, digits)


def _equal_maps(part: Any, digits: Digits) -> bool:
    return _joined(modes_of(part["a"], digits)) == _joined(modes_of(part["b"], digits))


def _joined(modes: Modes) -> Modes:
    found: Modes = []
    for size, path, stride in modes:
        if size == constant(1):
            continue
        path = path if stride else ()
        if found and found[-1][1] == path and stride == product(found[-1][0], found[-1][2]):
            found[-1] = (product(found[-1][0], size), path, found[-1][2])
        else:
            found.append((size, path, stride))
    return found


# --- spread -------------------------------------------------------------------------------------------------


def _spread(part: Any, digits: Digits) -> bool:
    lanes, unit, classes, low, high = (
        evaluator.number(part[k], {}) for k in ("lanes", "unit", "classes", "low", "high")
    )
    moved, base, inner = _moved(part["map"])
    modes = modes_of(inner, digits)
    own, rest = _lane_modes(modes, lanes)
    groups = constant(1)
    for mode in part["groups"]:
        size = digits.read(mode["size"])
        if not digits.positive(size):
            raise Open
        groups = product(groups, size)
    if _count(rest) != groups or min(unit, classes) < 1 or any(path for _, path, _ in modes):
        raise Open
    units = [_in_units(value, unit) for value in _lane_values(own)]
    steps = [(size, _whole(stride, unit)) for size, _, stride in rest]
    start = _whole(constant(base), unit).get((), 0)
    period, swap = _periodic(moved, unit, classes)
    apart = _Apart(units, digits, part["each_lane"])
    names = sorted({name for p in (*units, *(stride for _, stride in steps)) for term in p for name in term})
    if period ** len(names) > MOST_RESIDUES or digits.written:
        raise Open
    for residues in every(range(period), repeat=len(names)):
        point = dict(zip(names, residues, strict=True))
        here = [_modulo(p, point, period) for p in units]
        bases = {0} if moved is None else _bases(start, steps, point, period)
        for at in bases:
            least, most = apart.fullest([swap((at + x) % period) % classes for x in here])
            if not low <= least <= most <= high:
                return False
    return True


def _moved(text: Any) -> tuple[tuple[int, int, int] | None, int, str]:
    """The swizzle in front of a layout, its offset, and the layout."""
    found = re.fullmatch(r"Sw<([0-9]{1,2}),([0-9]{1,2}),(-?[0-9]{1,2})> o (-?[0-9]+) o ([^o]+)", text)
    if found is None:
        return None, 0, text
    b, low, shift = map(int, found.group(1, 2, 3))
    return (b, low, shift), int(found[4]), found[5]


def _periodic(
    moved: tuple[int, int, int] | None, unit: int, classes: int
) -> tuple[int, Callable[[int], int]]:
    """Modulo which number of units a class is known, and the swizzle on units."""
    if moved is None:
        return classes, lambda x: x
    (b, low, shift), k = moved, unit.bit_length() - 1
    if unit != 1 << k or classes & (classes - 1) or (b and low < k) or abs(shift) < b:
        raise Open
    low = max(0, low - k)
    mask = ((1 << b) - 1) << (low + max(0, shift))
    period = max(classes, 1 << (low + b + abs(shift)))

    def swap(x: int) -> int:
        return x ^ ((x & mask) >> shift if shift >= 0 else (x & mask) << -shift)

    return period, swap


def _lane_modes(modes: Modes, lanes: int) -> tuple[Modes, Modes]:
    count = 1
    for k, (size, _, _) in enumerate(modes):
        if count == lanes:
            return modes[:k], modes[k:]
        if size.keys() - {()}:
            raise Open
        count *= size[()]
    if count != lanes:
        raise Open
    return modes, []


def _lane_values(modes: Modes) -> list[Poly]:
    found: list[Poly] = [{}]
    for size, _, stride in modes:
        found = [plus(x, stride, c) for c in range(size[()]) for x in found]
    return found


def _in_units(p: Poly, unit: int) -> Poly:
    """p // unit, where only its constant is not a whole number of units."""
    rest = p.get((), 0) % unit
    return _whole(plus(p, constant(-rest)), unit)


def _whole(p: Poly, unit: int) -> Poly:
    if any(c % unit for c in p.values()):
        raise Open
    return {term: c // unit for term, c in p.items()}


def _modulo(p: Poly, point: Mapping[str, int], n: int) -> int:
    total = 0
    for term, c in p.items():
        for name in term:
            c = c * point[name] % n
        total += c
    return total % n


def _bases(start: int, steps: Sequence[tuple[Poly, Poly]], point: Mapping[str, int], period: int) -> set[int]:
    """What groups add to all lanes, modulo the period; of a size that is not known, any digit."""
    found = {start % period}
    for size, stride in steps:
        step = _modulo(stride, point, period)
        count = period if size.keys() - {()} else min(size.get((), 0), period)
        found = {(x + step * c) % period for x in found for c in range(count)}
    return found


class _Apart:
    """Which lanes have different units: surely, or perhaps."""

    def __init__(self, units: list[Poly], digits: Digits, each_lane: bool) -> None:
        self.units, self.each_lane = units, each_lane
        self.surely: dict[tuple[int, int], bool] = {}
        for i, x in enumerate(units):
            for j in range(i):
                d = plus(x, units[j], -1)
                self.surely[j, i] = each_lane or (
                    bool(d) and (digits.positive(d) or digits.positive(plus({}, d, -1)))
                )

    def fullest(self, classes: list[int]) -> tuple[int, int]:
        """How many different units the fullest class has, at least and at most."""
        least = most = 0
        for c in set(classes):
            members = [k for k, own in enumerate(classes) if own == c]
            different = len(members) if self.each_lane else len(list(self._first_of_each(members)))
            sure: list[int] = []
            for k in members:
                if all(self.surely[j, k] for j in sure):
                    sure.append(k)
            least, most = max(least, len(sure)), max(most, different)
        return least, most

    def _first_of_each(self, members: list[int]) -> Iterator[int]:
        for n, k in enumerate(members):
            if all(self.units[j] != self.units[k] for j in members[:n]):
                yield k


RULES: dict[str, Callable[[Any, Digits], bool]] = {
    "relations": _relations,
    "within": _within,
    "aligned": _aligned,
    "injective": _injective,
    "covers": _covers,
    "equal maps": _equal_maps,
    "spread": _spread,
}
