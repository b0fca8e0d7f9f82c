"""What counts as an integer, and integers of other kinds as plain ints.

Integers that come out of an array are numpy's; they are numbers.Integral, and every one of them can be an
int. Truth values, floats and arrays are not integers, even where Python lets them pass for one.
"""

from __future__ import annotations

from numbers import Integral, Number
from typing import Any


def is_integer(x: object) -> bool:
    """Whether x is an integer of some kind; True and False are not."""
    return isinstance(x, Integral) and not isinstance(x, bool)


def counts(x: object) -> bool:
    """Whether arithmetic takes x for an integer: one of some kind, or a symbol that stands for many."""
    if isinstance(x, Number) and not hasattr(x, "free_symbols"):
        return is_integer(x)
    if isinstance(x, type) or hasattr(x, "__array__"):
        return False
    counted = hasattr(x, "__len__") and not hasattr(x, "__floordiv__")  # a symbol has both, and says why not
    return hasattr(x, "__mul__") and not counted


def plain(x: Any) -> Any:
    """x with plain ints for integers of other kinds, however deep in tuples and lists; the same object where
    there are none."""
    kind = type(x)
    if kind is int:
        return x
    if kind is tuple or kind is list:
        if all(type(e) is int for e in x):
            return x
        entries = [plain(e) for e in x]
        return x if all(a is b for a, b in zip(entries, x, strict=True)) else kind(entries)
    return int(x) if is_integer(x) else x
