"""The phases of a tiled copy's accesses to shared memory, as one layout:

    (lane of a phase, phase of an access, warp, step of the copy) -> offset that the lane names, in elements

Phases are those of smem.py, merged where a wide load merges them. Every lane names what lane^1 names iff
bit 0 of the lane has stride 0, and what lane^2 names iff bit 1 has; a swizzle, which keeps different
offsets different, changes nothing about that. So all accesses of a copy merge, or none does.
"""

from __future__ import annotations

from typing import Any

from .access_width import by_access
from .copy_tiling import TiledCopy
from .errors import UnsupportedError
from .inttuple import flatten_to_tuple
from .layout import Layout
from .map_claims import common_radix
from .smem import Access
from .spread_claim import inner
from .swizzle import ComposedLayout

NAMES = ("phase", "warp", "step")  # of the modes behind that of the lanes
WARP = 32  # lanes

Modes = list[tuple[Any, Any]]


def addresses(copy: TiledCopy, tensor: Any, side: str) -> Any:
    """(thread, step) -> offset that the thread names."""
    whole = by_access(copy, tensor, side)
    layout = inner(whole)
    (thr, _, steps), (d_thr, _, d_steps) = layout.shape, layout.stride
    return _around(whole, Layout._make((thr, steps), (d_thr, d_steps)))


def phases(access: Access, named: Any) -> tuple[Any, bool]:
    """The layout of this file for what `addresses` gives, and whether phases are cut so whatever the
    parameters. Where that depends on them the phases are merged, which never makes a phase shorter.

    Raises UnsupportedError for threads that are not whole warps, or whose modes are not bits of a lane.
    """
    threads, steps = inner(named)[0], inner(named)[1]
    lane, warps = _lane_bits(access, threads)
    paired = [_is_zero(d) for _, d in lane[:2]] if access.merges else []
    merged = any(p is not False for p in paired)
    own = min(5, access.phase.bit_length() - 1 + merged)
    used = access.lanes.bit_length() - 1
    modes = [_mode(lane[:own]), _mode(lane[own:used]), _mode(warps), (steps.shape, steps.stride)]
    found = Layout._make(tuple([s for s, _ in modes]), tuple([d for _, d in modes]))
    return _around(named, found), not merged or True in paired


def _around(swizzled: Any, layout: Layout) -> Any:
    """Another layout inside the same swizzle, if there is one."""
    if isinstance(swizzled, ComposedLayout):
        return ComposedLayout(swizzled.swizzle, swizzled.offset, layout)
    return layout


def _lane_bits(access: Access, threads: Layout) -> tuple[Modes, Modes]:
    """The threads' modes cut into the five bits of a lane, and what counts warps."""
    count = int(threads.size())
    if count % WARP:
        raise UnsupportedError(f"{access.instruction}: {count} threads are not whole warps")
    shape, stride = flatten_to_tuple(threads.shape), flatten_to_tuple(threads.stride)
    radix = common_radix(shape, (2, 2, 2, 2, 2, count // WARP))
    if radix is None:
        raise UnsupportedError(
            f"{access.instruction}: the threads {threads} are not counted by the bits of a lane"
        )
    modes = []
    weight = 1
    for r in radix:
        below = 1
        for s, d in zip(shape, stride, strict=True):
            if below <= weight < below * s:
                modes.append((r, d * (weight // below)))
            below *= s
        weight *= r
    return modes[:5], modes[5:]


def _mode(modes: Modes) -> tuple[Any, Any]:
    """Shape and stride of one mode made of these."""
    return (tuple([s for s, _ in modes]), tuple([d for _, d in modes])) if modes else (1, 0)


def _is_zero(d: Any) -> bool | None:
    """Whether a stride is 0; None where that depends on parameters."""
    if type(d) is int:
        return d == 0
    return False if (d >= 1) is True or (d <= -1) is True else None
