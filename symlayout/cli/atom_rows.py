"""The lines of `symlayout atoms`: atoms that differ in one size only share a line."""

from __future__ import annotations

import re

from ..atoms.atom import CopyAtom, MmaAtom

Line = tuple[str, str, str, str, str]
HEADER: Line = ("atom", "MxNxK", "D A B C", "PTX", "arguments")

_WGMMA_N = re.compile(r"(_64x)(\d+)(x)")  # N of wgmma's names, which have one instance for each
_COUNT = re.compile(r"(SM100_TMEM_[A-Z]+_\d+dp\d+b)(\d+)(x)")  # and the repeats of tcgen05.ld, .st


def rows(found: list[MmaAtom | CopyAtom]) -> list[Line]:
    """One line for an atom, or for a family over N: `SM90_64x{8..256}x16_F32F16F16_SS<...>`."""
    grouped: dict[str, list[MmaAtom | CopyAtom]] = {}
    for atom in found:
        key = _COUNT.sub(r"\1{}\3", _WGMMA_N.sub(r"\1{}\3", atom.name, count=1), count=1)
        grouped.setdefault(key, []).append(atom)
    return [_line(key, atoms) for key, atoms in grouped.items()]


def _line(key: str, atoms: list[MmaAtom | CopyAtom]) -> Line:
    first = atoms[0]
    name, shape, ptx = first.name, _shape(first), first.ptx
    if len(atoms) > 1:
        sizes = [_size(atom.name) for atom in atoms]
        span = f"{{{sizes[0]}..{sizes[-1]}}}"
        name = key.replace("{}", span)
        shape = shape.replace(f"x{sizes[0]}x", "xNx", 1)
        ptx = re.sub(rf"(n|\.x){sizes[0]}(?=\D)", r"\1{}", ptx, count=1).replace("{}", "N")
    types = "" if isinstance(first, CopyAtom) else " ".join(_types(first))
    base, bracket, arguments = name.partition("<")
    return base, shape, types, ptx, bracket + arguments


def _size(name: str) -> int:
    found = _WGMMA_N.search(name) or _COUNT.search(name)
    return int(found[2]) if found else 0


def _shape(atom: MmaAtom | CopyAtom) -> str:
    return "copy" if isinstance(atom, CopyAtom) else "x".join(map(str, atom.shape_mnk))


def _types(atom: MmaAtom) -> tuple[str, ...]:
    return atom.type_D, atom.type_A, atom.type_B, atom.type_C
