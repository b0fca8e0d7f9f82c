"""composition where plain integers fulfil every condition of its law, in one short walk.

A mode `s:d` of B walks through the modes of A as digits of a mixed radix. The answer is exact when each
size and stride that meet divide one another, and when over all modes of B together no digit overflows. These
functions give CuTe's answer then, and None as soon as a condition is not met or something is not a plain
integer; there the general way of `composition` has to look: to refuse, to decide, or to work with symbols.
"""

from __future__ import annotations

from typing import Any

from ..errors import NeedFact
from ..layout import Layout

UNBOUNDED = 1 << 256  # stands for the size of A's last mode, which has no bound


def compose_linear(factor: Any, s: Any, d: Any) -> Layout | None:
    """A single mode of stride `factor` after `s:d`; None for strides that are not integers."""
    if type(d) is int:
        return Layout._make(s, d * factor if d else 0)
    scaled = _scale(d, factor) if type(d) is tuple else None
    return None if scaled is None else Layout._make(s, scaled)


def compose_modes(sizes: list[Any], strides: list[Any], s: Any, d: Any) -> Layout | None:
    """The composition of A, given by its extended coalesced modes, two or more, with `s:d`; None where a
    condition may not be met. The size of A's last mode is overwritten.
    """
    sizes[-1] = UNBOUNDED
    try:
        if type(s) is tuple:
            room = sizes[:]
            plain = _walk_modes(sizes, strides, room, s, d)
            if plain is None or min(room) < 1:
                return None
        elif d == 0:
            return Layout._make(s, 0)
        else:
            plain = _walk(sizes, strides, s, d)
            if plain is None:
                return None
    except NeedFact:  # symbols want the general way, which knows what to ask for
        return None
    return Layout._make(plain[0], plain[1])


def _walk(sizes: list[Any], strides: list[Any], s: Any, d: Any) -> tuple[Any, Any] | None:
    """A's modes that `s:d` walks through, d not 0, A's last size UNBOUNDED."""
    if type(d) is not int or d < 0:
        return None
    if s == 1:
        step = _step(sizes, strides, d)
        return None if step is None else (s, step)
    parts: Any = ()
    steps: Any = ()
    for size, stride in zip(sizes, strides):  # noqa: B905  two lists made together
        if d >= size:  # the mode is stepped over
            if d % size:
                return None
            d //= size
        elif (s - 1) * d < size:  # the walk ends in it
            return ((*parts, s), (*steps, d * stride)) if parts else (s, d * stride)
        else:
            if size % d:
                return None
            n = size // d
            if s % n:
                return None
            if parts:
                parts = (*parts, n)
                steps = (*steps, d * stride)
            else:
                parts = (n,)
                steps = (d * stride,)
            s //= n
            d = 1
    return None


def _step(sizes: list[Any], strides: list[Any], d: Any) -> Any:
    """The stride that CuTe gives to a size-1 mode: it steps through all of A's modes."""
    for size in sizes:
        if size is UNBOUNDED:
            break
        if d < size:
            d = 1
        elif d % size:
            return None
        else:
            d //= size
    return d * strides[-1]


def _walk_modes(
    sizes: list[Any], strides: list[Any], room: list[Any], shape: Any, stride: Any
) -> tuple[Any, Any] | None:
    """As `_walk`, for a tuple of modes; what each takes of the digit of A's mode k is taken off `room[k]`."""
    out_s = []
    out_d = []
    for s, d in zip(shape, stride):  # noqa: B905  congruent by construction, and this loop is hot
        if type(s) is tuple:
            pair = _walk_modes(sizes, strides, room, s, d)
            if pair is None:
                return None
            s, d = pair
        elif d == 0:
            d = 0
        elif type(d) is not int or d < 0:
            return None
        elif s == 1:
            step = _step(sizes, strides, d)
            if step is None:
                return None
            d = step
        else:
            parts: Any = None
            steps: Any = None
            k = 0
            for size in sizes:
                if d >= size:
                    if d % size:
                        return None
                    d //= size
                else:
                    reach = (s - 1) * d
                    if reach < size:
                        room[k] -= reach
                        d *= strides[k]
                        if parts is not None:
                            s = (*parts, s)
                            d = (*steps, d)
                        break
                    if size % d:
                        return None
                    n = size // d
                    if s % n:
                        return None
                    room[k] -= size - d
                    if parts is None:
                        parts = (n,)
                        steps = (d * strides[k],)
                    else:
                        parts = (*parts, n)
                        steps = (*steps, d * strides[k])
                    s //= n
                    d = 1
                k += 1
        out_s.append(s)
        out_d.append(d)
    return tuple(out_s), tuple(out_d)


def _scale(d: Any, factor: Any) -> Any:
    """The integer strides `d` times `factor`, 0 staying a plain 0; None if there are others."""
    out = []
    for x in d:
        if type(x) is tuple:
            x = _scale(x, factor)
            if x is None:
                return None
        elif type(x) is int:
            x = x * factor if x else 0
        else:
            return None
        out.append(x)
    return tuple(out)
