"""The one sentence that a certificate's data says: what a checker confirms, and prints, is made here.

The data of a claim is what it is about (claim_data.py), with the digits that it is for all of and the facts
about them. Nothing of the text that an author or a prover wrote beside it gets into the sentence, so a title
cannot say one thing and the data another. It imports nothing of this package.
"""

from collections.abc import Mapping, Sequence
from typing import Any

Data = Mapping[str, Any]
LETTERS = "A-Za-z0-9_αβγδεζηθλμξπστφψω"  # of names: none of them looks like another, or is read as another


def sentence(data: Data, domain: Sequence[Data], facts: Sequence[str]) -> str:
    """`for all a < 8: a%4 = 3 and (4,2):(1,4) is injective`."""
    said = " and ".join(dict.fromkeys(phrase(item, facts) for item in data["claims"])) or "nothing"
    over = ", ".join(map(_digit, domain))
    where = f"where {' and '.join(facts)}" if facts else ""
    head = ", ".join(filter(None, (f"for all {over}" if over else "", where)))
    return f"{head}: {said}" if head else said


def phrase(item: Data, facts: Sequence[str] = ()) -> str:
    """One item of the data, or one part of a claim; facts that hold throughout are not said again."""
    said = KINDS[item["kind"]](item)
    digits = ", ".join(map(_digit, item.get("digits", ())))
    said += f" for all {digits}" if digits else ""
    given = [g for g in item.get("given", ()) if g not in facts]
    return f"{said}, given {' and '.join(given)}" if given else said


def _digit(digit: Data) -> str:
    name, least, below = digit["name"], digit["from"], digit["below"]
    if below is None:
        return f"{name} >= {least}"
    return f"{name} < {below}" if least == 0 else f"{least} <= {name} < {below}"


def a_map(m: Any) -> str:
    """A map as it is printed; with an offset in front where it has one."""
    return f"{m['offset']} + {a_map(m['layout'])}" if isinstance(m, Mapping) else str(m)


def _covers(item: Data) -> str:
    times = item["times"]
    often = "" if times is None else f" exactly {times} time{'s' * (times != '1')}"
    return f"{a_map(item['map'])} hits each of 0 .. n-1{often}, n = {item['n']}"


def _spread(item: Data) -> str:
    low, high = item["low"], item["high"]
    count = f"at most {high}" if low == "1" else f"exactly {low}" if low == high else f"{low} to {high}"
    what = "lane" if item["each_lane"] else "different unit"
    groups = ", ".join(f"{mode['name']} < {mode['size']}" for mode in item["groups"])
    return (
        f"in every group ({groups}) of {item['lanes']} lanes of {a_map(item['map'])} the fullest of "
        f"{item['classes']} classes has {count} {what}{'s' * (high != '1')}, units of {item['unit']}"
    )


def _delivered(item: Data) -> str:
    expected, delivered = (", ".join(map(a_map, item[k])) for k in ("expected", "delivered"))
    return (
        f"registers of the fragment {a_map(item['fragment'])} in which threads {a_map(item['threads'])} "
        f"expect ({expected}) are given, through the view {a_map(item['view'])}, ({delivered})"
    )


def _retile(item: Data) -> str:
    verb = "is given the element that the mma reads there"
    if item["side"] == "S":
        verb = "holds the element that the copy takes from there"
    return (
        f"retile_{item['side']} of {item['operand']}: of {_mma(item['mma'])} and {_copy(item['copy'])}, over "
        f"{item['tensor']}, every register of the fragment {item['fragment']} {verb} "
        f"in the view {item['view']}, which has each register once"
    )


def _mma(mma: Data) -> str:
    given = ",".join("_" if p is None else str(p) for p in mma["permutation"])
    return f"{mma['name']} (atoms {mma['atoms']}, permutation <{given}>)"


def _copy(copy: Data) -> str:
    made = "tiled as that operand of the mma"
    if copy["tv"] is not None:
        made = f"tiled by {copy['tv']} over the tile ({','.join(map(str, copy['tiler']))})"
    return f"Copy_Atom<{copy['name']},{copy['type']}> {made}"


def _memory(item: Data) -> str:
    copy, tensor = _copy(item["copy"]), item["tensor"]
    what = "source" if item["side"] == "S" else "destination"
    if item["says"] == "aligned":
        return f"every address that {copy} is given in its {what} {tensor} is aligned"
    if item["says"] == "inside":
        return f"{copy} names no element outside its {what} of shape {tensor}"
    return f"each instruction of {copy} moves elements that are neighbours in its {what} {tensor}"


KINDS: dict[str, Any] = {
    "relations": lambda item: " and ".join(item["hold"]) or "nothing",
    "equal maps": lambda item: f"{a_map(item['a'])} = {a_map(item['b'])} as functions",
    "within": lambda item: f"{item['low']} <= {a_map(item['map'])} < {item['below']}",
    "aligned": lambda item: f"{item['by']} divides every value of {a_map(item['map'])}",
    "injective": lambda item: f"{a_map(item['map'])} is injective",
    "disjoint": lambda item: f"{a_map(item['a'])} and {a_map(item['b'])} share no value",
    "covers": _covers,
    "spread": _spread,
    "delivered": _delivered,
    "unstated": lambda item: f"something for which there are no words ({item['why']})",
    "retile": _retile,
    "memory": _memory,
}
