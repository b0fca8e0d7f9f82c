"""Instructions as layouts, under CUTLASS's names.

    from symlayout import atoms

    atoms.SM80_16x8x16_F32F16F16F32_TN.layout_A       ((4,8),(2,2,2)):((32,1),(16,8,128))
    atoms.get("UniversalCopy<uint32_t>")              names with arguments, as CUTLASS spells them
    atoms.UniversalCopy("uint32_t")                   the same atom
    atoms.names()                                     every name here

Here are the warp-wide and single-thread atoms of SM50 to SM90; wgmma, tcgen05 and TMA are not. A family is
loaded when one of its atoms is first asked for. Source: cute/atom/*_traits*.hpp (CUTLASS 4.2).
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ..errors import UnsupportedError

if TYPE_CHECKING:
    from .atom import CopyAtom, MmaAtom

FAMILIES = ("sm50", "sm61", "sm70", "sm75", "sm80", "sm89", "sm90", "universal")

_CLASSES = ("MmaAtom", "CopyAtom")


class UnknownAtom(UnsupportedError, AttributeError):
    """No atom of that name is here; the message holds the nearest names."""


@cache
def _family(name: str) -> dict[str, MmaAtom | CopyAtom]:
    module = import_module(f".{name}", __name__)
    return {atom.name: atom for atom in (*module.MMA, *module.COPY)}


def names() -> list[str]:
    """Every atom's name, MMA and copy, by family. Of the names with arguments, the usual instances."""
    return [name for family in FAMILIES for name in _family(family)]


def get(name: str) -> MmaAtom | CopyAtom:
    """The atom of that name. Raises UnknownAtom, with the nearest names, when there is none."""
    plain = name.strip().replace(" ", "").removeprefix("cute::")
    family = plain.split("_")[0].lower()
    for candidate in (family, "universal"):
        if candidate in FAMILIES and plain in (atoms := _family(candidate)):
            return atoms[plain]
    made = import_module(".universal", __name__).instantiate(name.strip())
    if made is not None:
        found: MmaAtom | CopyAtom = made
        return found
    from difflib import get_close_matches  # only for the message

    near = get_close_matches(plain, names(), n=3, cutoff=0.6)
    hint = f"did you mean {' or '.join(near)}?" if near else "atoms.names() lists those that are here"
    raise UnknownAtom(f"unknown atom {name!r}\n  {hint}")


def mma(atom: str | MmaAtom) -> MmaAtom:
    """The MMA atom of that name (an atom passes through). Raises UnsupportedError for a copy atom's name."""
    found = get(atom) if isinstance(atom, str) else atom
    if type(found).__name__ != "MmaAtom":
        raise UnsupportedError(f"{found!r} is a copy atom; an MMA atom is wanted")
    return found  # type: ignore[return-value]


def copy(atom: str | CopyAtom) -> CopyAtom:
    """The copy atom of that name (an atom passes through). Raises UnsupportedError for an MMA atom's name."""
    found = get(atom) if isinstance(atom, str) else atom
    if type(found).__name__ != "CopyAtom":
        raise UnsupportedError(f"{found!r} is an MMA atom; a copy atom is wanted")
    return found  # type: ignore[return-value]


def __getattr__(name: str) -> Any:
    if name in _CLASSES:
        return getattr(import_module(".atom", __name__), name)
    if not name.startswith("_"):
        universal = import_module(".universal", __name__)
        if name in universal.PARAMETRIC:
            return universal.PARAMETRIC[name]
        return get(name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({"get", "names", "mma", "copy", *_CLASSES, *(n for n in names() if n.isidentifier())})
