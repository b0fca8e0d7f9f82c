"""Records of tiled objects: a TiledMMA, a TiledCopy and a tensor, and every layout on the way to retile.

    {"mma": "SM80_16x8x16_F32F16F16F32_TN", "atom": "Layout<Shape<_2,_2,_1>>", "perm": "Tile<_32,_32,_16>",
     "op": "B", "copy": "SM75_U32x4_LDSM_N", "vt": "half_t", "tensor": "(64,32):(32,1)",
     "retile": "...", "rejects": {}, ...}

Every value that a record holds is computed and compared. `rejects` names the steps that CuTe refused (copy,
retile, and the direct divides dzip, dmode, dld): the same steps must be refused here, and no others. Not
compared are texts and what other tools said: the reasons under `rejects`, `vs_*`, `first_group_*`,
`partition_t0_check`, `note`.

Records that were executed (`wrong_registers`) say how many registers held a wrong element after CuTe's own
copy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from .. import atoms
from ..algebra import logical_divide, zipped_divide
from ..copy_tiling import TiledCopy
from ..delivery import Delivery
from ..errors import LayoutError, NotationError
from ..inttuple import crd2idx, show
from ..layout import Layout
from ..notation import parse, parse_layout
from ..tiled_copy import make_tiled_copy_A, make_tiled_copy_B, make_tiled_copy_C
from ..tiled_mma import TiledMMA, axes, make_tiled_mma
from .operations import same_text

INPUTS = {"id", "mma", "atom", "perm", "op", "copy", "vt", "tensor"}
TEXTS = {"rejects", "note", "partition_t0_check", "callable"}
FOREIGN = ("vs_", "first_group_")
STEPS = ("copy", "retile", "dzip", "dmode", "dld")

_MAKE_COPY: dict[str, Callable[..., TiledCopy]] = {
    "A": make_tiled_copy_A,
    "B": make_tiled_copy_B,
    "C": make_tiled_copy_C,
}

Values = dict[str, Any]


def is_tiled(record: dict[str, Any]) -> bool:
    """Whether the record is one of tiled objects: it names an MMA atom."""
    return "mma" in record


def tiled_differences(record: dict[str, Any]) -> list[tuple[str, str, str]]:
    """(key, CuTe's value, ours) wherever they are not the same; empty when the record agrees.

    Raises NotationError when the inputs cannot be read, UnsupportedError for an atom that is not here.
    """
    found, refused = computed(record)
    differences = []
    for step in STEPS:
        theirs = step in record.get("rejects", {})
        if theirs != (step in refused):
            differences.append((step, "refused" if theirs else "accepted", refused.get(step, "accepted")))
    for key, value in record.items():
        if key in INPUTS or key in TEXTS or key.startswith(FOREIGN):
            continue
        ours = found.get(key, "not computed")
        if not _same(value, ours):
            differences.append((key, _shown(value), _shown(ours)))
    return differences


def _same(theirs: Any, ours: Any) -> bool:
    if isinstance(theirs, str):
        return same_text(theirs, _text(ours))
    if isinstance(theirs, list) and theirs[-1:] == ["..."] and isinstance(ours, list):  # the dump cut it here
        return theirs[:-1] == ours[: len(theirs) - 1] and len(ours) >= len(theirs)
    return bool(theirs == ours)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else show(value)


def _shown(value: Any) -> str:
    text = _text(value)
    return text if len(text) <= 300 else text[:300] + "..."


def computed(record: dict[str, Any]) -> tuple[Values, dict[str, str]]:
    """All values under the records' keys, and why steps were refused."""
    for key in sorted(INPUTS - {"id", "vt"}):
        if not isinstance(record.get(key), str):
            raise NotationError(f"a tiled record needs the text {key!r}", str(record.get(key)), 0)
    operand = record["op"]
    if operand not in _MAKE_COPY:
        raise NotationError(f"the operand is A, B or C, not {operand!r}", operand, 0)
    tensor = parse_layout(record["tensor"])
    if not isinstance(tensor, Layout):
        raise NotationError(f"the tensor {tensor} is swizzled", record["tensor"], 0)
    mma = make_tiled_mma(record["mma"], parse(record["atom"]), parse(record["perm"]), unchecked=True)
    fragment = mma.fragment(operand, tensor)
    values = dict(_mma_values(mma, operand, tensor, fragment))
    refused: dict[str, str] = {}
    try:
        atom = atoms.copy(record["copy"])
        if "vt" in record:
            atom = atom.with_type(record["vt"])
        copy = _MAKE_COPY[operand](atom, mma)
        values |= _copy_values(copy, tensor)
    except LayoutError as error:
        return values, dict.fromkeys(STEPS, str(error))
    n = Layout(copy.atom_num_val)
    divides: dict[str, tuple[str, Callable[[], Any]]] = {
        "dzip": ("direct_zip", lambda: zipped_divide(fragment, n, unchecked=True)),
        "dmode": ("direct_mode", lambda: logical_divide(fragment, (n,), unchecked=True)),
        "dld": ("direct_logical", lambda: logical_divide(fragment, n, unchecked=True)),
    }
    for step, (key, divide) in divides.items():
        try:
            values[key] = divide()
        except LayoutError as error:
            refused[step] = str(error)
    try:
        values |= _retile_values(copy, mma, operand, tensor, fragment)
    except LayoutError as error:
        refused["retile"] = str(error)
    return values, refused


def _mma_values(mma: TiledMMA, operand: str, tensor: Layout, fragment: Layout) -> Iterator[tuple[str, Any]]:
    thrfrg = mma.thrfrg(operand, tensor)
    i, j = axes(operand)
    ids = mma.thread_ids()
    offsets = []
    for t in ids:
        v, *mnk = mma.get_slice(t).thr_vmnk
        offsets.append(thrfrg[0]((v, (mnk[i], mnk[j]))))
    yield "thr_layout_vmnk", mma.thr_layout_vmnk
    yield "tile_shape", mma.tile_size_mnk
    yield "layout_TV", mma.layout_TV(operand)
    yield "atom_TV", mma.atom.layout(operand)
    yield "thrfrg", thrfrg
    yield "partition_t0", mma.get_slice(0).partition(operand, tensor).layout
    yield "fragment", fragment
    yield "frag_size", fragment.size()
    yield "thread_ids", f"0..{len(ids) - 1}" if ids == tuple(range(len(ids))) else list(ids)
    yield "partition_offsets", offsets


def _copy_values(copy: TiledCopy, tensor: Layout) -> Values:
    source, destination = copy.tidfrg_S(tensor), copy.tidfrg_D(tensor)
    first = copy.get_slice(0)
    return {
        "TiledLayout_TV": copy.layout_tv,
        "Tiler_MN": copy.tiler_mn,
        "AtomLayoutSrc": copy.atom.layout_src,
        "AtomLayoutDst": copy.atom.layout_dst,
        "AtomLayoutRef": copy.atom.layout_ref,
        "AtomNumThr": copy.atom_num_thr,
        "AtomNumVal": copy.atom_num_val,
        "TiledNumThr": copy.num_thr,
        "TiledNumVal": copy.num_val,
        "layoutS_TV": copy.layout_S_TV,
        "layoutD_TV": copy.layout_D_TV,
        "tidfrg_S": source,
        "tidfrg_D": destination,
        "partition_S_t0": first.partition_S(tensor).layout,
        "partition_D_t0": first.partition_D(tensor).layout,
        "partition_S_offsets": [source[0](t) for t in range(copy.num_thr)],
        "partition_D_offsets": [destination[0](t) for t in range(copy.num_thr)],
    }


def _retile_values(copy: TiledCopy, mma: TiledMMA, operand: str, tensor: Layout, fragment: Layout) -> Values:
    trace = copy.retile_trace(fragment)
    side = (
        "S" if "STSM" in copy.atom.name else "D"
    )  # stmatrix reads its registers, every other copy here writes them
    view = copy.retile_S(fragment, unchecked=True) if side == "S" else copy.retile_D(fragment, unchecked=True)
    first = copy.get_slice(0)
    registers = first.partition_S(tensor) if side == "S" else first.partition_D(tensor)
    slots = [view(i) for i in range(view.size())]
    total = len(mma.thread_ids()) * view.size()
    values: Values = {
        "V": trace.V,
        "right_inverse_TV": trace.right_inverse_TV,
        "right_inverse_TV_with_shape": trace.right_inverse_TV_with_shape,
        "frg_layout_mn": trace.frg_layout_mn,
        "frg_layout_mn_shape": trace.frg_layout_mn_shape,
        "right_inverse_frg": trace.right_inverse_frg,
        "logical_product": trace.logical_product,
        "frg_layout_v": trace.frg_layout_v,
        "t_tensor": trace.t_tensor,
        "v_tensor": trace.v_tensor,
        "manual_result": trace.result,
        "retile": view,
        "register_side": side,
        "retile_size": view.size(),
        "partD_size": registers.size(),  # the dump's name; for stmatrix it is the size of partition_S
        "mode_sizes_match": [m.size() for m in view] == [m.size() for m in registers.layout],
        "retile_slots": slots,
        "retile_is_permutation_of_fragment": sorted(slots)
        == sorted(fragment(i) for i in range(fragment.size())),
    }
    delivery = copy.delivery(mma, operand, tensor, side=side)
    if not delivery.mismatch:
        values |= {
            "valid_total": total,
            "valid_bad": delivery.wrong_registers,
            "valid_first_bad": _first_bad(delivery, tensor),
            "total_registers": total,
            "wrong_registers": delivery.wrong_registers,
            "first_wrong": _first_wrong(delivery, tensor),
        }
    return values


def _first_bad(delivery: Delivery, tensor: Layout) -> str | None:
    """The first wrong register by value of the copy, in offsets of the tensor."""
    fault = delivery.fault
    if fault is None or fault.want is None:
        return None
    wants, writes = tensor(fault.want), tensor(fault.got)
    where = f"t={fault.thread} i={fault.index} slot={fault.slot}"
    return f"{where} mma_wants_offset={wants} copy_writes_offset={writes}"


def _first_wrong(delivery: Delivery, tensor: Layout) -> str:
    """The first wrong register by index of the fragment, in column-major numbers of the tensor's elements."""
    if delivery.fault is None:
        return ""
    t = delivery.fault.thread
    threads = delivery.threads
    logical = next(i for i in range(threads.size()) if threads(i) == t)

    def number(layouts: tuple[Layout, ...], thread: int, value: int) -> int:
        coordinate = tuple([layout[0](thread) + layout[1](value) for layout in layouts])
        return int(crd2idx(coordinate, tuple([m.size() for m in tensor])))

    view = delivery.view
    holds = {view(i): number(delivery.delivered, t, i) for i in range(view.size())}
    for i in range(delivery.fragment.size()):
        needs = number(delivery.expected, logical, i)
        got = holds.get(delivery.fragment(i))
        if got != needs:
            return f"thread {t} fragment index {i} holds element id {got}, MMA needs id {needs}"
    return ""
