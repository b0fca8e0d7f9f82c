"""Is an instruction in a certificate the one of that name? The catalogue is read as data: what it says of an
atom is compared with what the certificate says, and nothing else of it is used."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from .. import atoms
from ..errors import SymlayoutError


def differs(item: Mapping[str, Any]) -> Iterator[str]:
    """What a certificate says of an mma or a copy that the catalogue does not, in words."""
    if "mma" in item:
        yield from _told(item["mma"], _mma(item["mma"]["name"], item["operand"]))
    if "copy" in item:
        yield from _told(item["copy"], _copy(item["copy"]["name"], item["copy"]["type"]))


def _told(said: Mapping[str, Any], known: Mapping[str, Any]) -> Iterator[str]:
    if not known:
        yield f"{said['name']} is not in the catalogue, so nothing says that this is what it does"
    for key, value in known.items():
        if said[key] != value:
            yield f"the {key} of {said['name']} is {value} in the catalogue, here it is {said[key]}"


def _mma(name: str, operand: str) -> dict[str, Any]:
    try:
        atom = atoms.mma(name)
    except SymlayoutError:
        return {}
    return {
        "name": atom.name,
        "shape": list(atom.shape_mnk),
        "threads": str(atom.thr_id),
        "layout": str(atom.layout(operand)),
    }


def _copy(name: str, value_type: str) -> dict[str, Any]:
    try:
        atom = atoms.copy(name).with_type(value_type)
    except SymlayoutError:
        return {}
    return {
        "name": atom.name,
        "type": atom.val_type,
        "source": str(atom.layout_src),
        "destination": str(atom.layout_dst),
        "reference": str(atom.layout_ref),
    }
