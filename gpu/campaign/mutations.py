"""All kinds of mutations, in the order of the campaign's table.

| in | kinds |
|---|---|
| `mutations_addresses` | swapped matrices, wrong or swapped lanes, lane modulo, wrong warp, stale address |
| the same, of the instruction | wrong .trans |
| `mutations_slots` | off by one, swapped registers, direct divide, exchanged loops |
| `mutations_memory` | swizzle left out by the reader or the writer, another swizzle, another row pitch |
| `mutations_tiling` | tiles permuted on one side, or permuted under CuTe's own view |
"""

from __future__ import annotations

from .mutation import Mutation
from .mutations_addresses import (
    LaneModulo,
    StaleAddress,
    SwappedLanes,
    SwappedMatrices,
    WrongLane,
    WrongTrans,
    WrongWarp,
)
from .mutations_memory import ReaderUnswizzled, WriterPitch, WriterSwizzle, WriterUnswizzled
from .mutations_slots import DirectDivide, ExchangedLoops, OffByOneSlot, SwappedRegisters
from .mutations_tiling import CuteView, OtherTiles

MUTATIONS: tuple[type[Mutation], ...] = (
    SwappedMatrices,
    WrongTrans,
    WrongLane,
    SwappedLanes,
    LaneModulo,
    WrongWarp,
    StaleAddress,
    OffByOneSlot,
    SwappedRegisters,
    DirectDivide,
    ExchangedLoops,
    ReaderUnswizzled,
    WriterUnswizzled,
    WriterSwizzle,
    WriterPitch,
    OtherTiles,
    CuteView,
)
