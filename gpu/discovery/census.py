"""Every atom of the catalogue: the instruction that `discover` asks for it, or why none is asked.

Several atoms may share an instruction; complex atoms issue several of the real one, with the same fragments
for the real and the imaginary parts.
"""

from __future__ import annotations

from difflib import get_close_matches
from functools import cache

from symlayout import LayoutError, UnsupportedError, atoms
from symlayout.atoms import sm80
from symlayout.atoms.atom import CopyAtom, MmaAtom

from .mma_form import NOT_IN_THE_CATALOGUE, ONE_THREAD
from .moves import MOVES, move_of

_FMA = {"float": "fma.rn.f32", "double": "fma.rn.f64", "half_t": "fma.rn.f16"}


def instruction_of(atom: MmaAtom | CopyAtom) -> str:
    """The instruction that is asked for an atom; empty where none is."""
    if isinstance(atom, CopyAtom):
        return move_of(atom)
    if atom.arch == "universal":
        types = {atom.type_A, atom.type_B, atom.type_C, atom.type_D}
        return _FMA.get(types.pop(), "") if len(types) == 1 else ""
    return atom.ptx if _old(atom) and atom.ptx.startswith(("mma.sync", "dp")) else ""


def _old(atom: MmaAtom | CopyAtom) -> bool:
    """Of an architecture up to sm_90."""
    return atom.arch == "universal" or int(atom.arch[2:]) <= 90


def reason(atom: MmaAtom | CopyAtom) -> str:
    """Why no instruction is asked for an atom; empty where one is."""
    if instruction_of(atom):
        return ""
    if not _old(atom):
        return f"an instruction of {atom.arch.replace('sm', 'sm_')}: needs another device than sm_90"
    if atom.ptx.startswith("wgmma"):
        if "SPARSE" in atom.name:
            return "sparse wgmma: A is compressed, and its metadata says where; no probe makes metadata"
        return (
            "wgmma: not a warp's but a warp group's, B in shared memory: `gpu wgmma` asks for its fragments"
        )
    return "it converts or combines types: no one instruction"


@cache
def asked() -> dict[str, tuple[str, ...]]:
    """Every instruction that is asked, with the atoms that issue it: moves, then MMAs.

    The atoms are those of the catalogue, and CUTLASS 4.2's own where the catalogue repairs it.
    """
    found: dict[str, list[str]] = {name: [] for name in MOVES}
    for name in (*atoms.names(), *(atom.name for atom in sm80.VARIANTS)):
        if instruction := instruction_of(atoms.get(name)):
            found.setdefault(instruction, []).append(name)
    for text in (*ONE_THREAD, *NOT_IN_THE_CATALOGUE):
        found.setdefault(text, [])
    return {instruction: tuple(names) for instruction, names in found.items()}


@cache
def not_asked() -> dict[str, tuple[str, ...]]:
    """The atoms for which nothing is asked, by the reason."""
    found: dict[str, list[str]] = {}
    for name in atoms.names():
        if why := reason(atoms.get(name)):
            found.setdefault(why, []).append(name)
    return {why: tuple(names) for why, names in found.items()}


def resolve(name: str) -> tuple[str, tuple[str, ...]]:
    """The instruction that a name stands for, and the atoms to compare with it.

    A name is PTX's (`ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16`, or short `ldmatrix.x4.trans`;
    `mma.sync.aligned.m16n8k16...`, or short from `m16n8k16` on), or an atom's. Raises UnsupportedError with
    the nearest names, or with the reason why an atom cannot be asked.
    """
    plain = name.strip()
    for text in (plain, _short(plain), f"mma.sync.aligned.{plain}"):
        if text in asked():
            return text, asked()[text]
    try:
        atom = atoms.get(plain)
    except (UnsupportedError, LayoutError):
        near = nearest(plain)
        hint = (
            f"did you mean {' or '.join(near)}?" if near else f"known are {', '.join(MOVES)}, and MMA atoms"
        )
        raise UnsupportedError(f"{name} is not an instruction or atom that can be asked\n  {hint}") from None
    if why := reason(atom):
        raise UnsupportedError(f"{atom.name} is not asked here\n  {why}")
    return instruction_of(atom), (atom.name,)


def nearest(name: str) -> list[str]:
    """The three names that look most like this one."""
    known = {**dict.fromkeys(asked()), **dict.fromkeys(n for names in asked().values() for n in names)}
    short = {text.removeprefix("mma.sync.aligned."): text for text in known}
    found = get_close_matches(name.removeprefix("mma.sync.aligned."), short, n=3, cutoff=0.6)
    return [short[text] for text in found]


def _short(text: str) -> str:
    """`ldmatrix.x4.trans` for what PTX writes with shape, space and width, in either order."""
    words = text.replace("shared::cta", "shared").split(".")
    if words[0] == "movmatrix":
        return "movmatrix" if {*words[1:]} <= {"sync", "aligned", "m8n8", "trans", "b16"} else text
    rest = [w for w in words[1:] if w not in ("sync", "aligned", "m8n8", "shared", "b16")]
    return ".".join([words[0], *sorted(rest, reverse=True)]) if words[0] in ("ldmatrix", "stmatrix") else text
