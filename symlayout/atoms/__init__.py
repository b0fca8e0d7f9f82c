"""Instructions as layouts, under CUTLASS's names: SM50 to SM120, MMA and copy.

    from symlayout import atoms

    atoms.SM80_16x8x16_F32F16F16F32_TN.layout_A       ((4,8),(2,2,2)):((32,1),(16,8,128))
    atoms.get("UniversalCopy<uint32_t>")              names with arguments, as CUTLASS spells them
    atoms.UniversalCopy("uint32_t")                   the same atom
    atoms.find("16x8x16 bf16")                        what has all these words
    atoms.sharing(atoms.SM80_16x8x16_F32F16F16F32_TN, "A")    who has the same fragment
    atoms.names()                                     every name here

A family of instructions is a module; it names each fragment once, then lists the instructions that have it.
wgmma and tcgen05.mma are formulas over N (and M), so any instance is made from its name. A family is loaded
when one of its atoms is first asked for. TMA is not here: it has no thread-value layout.

Source: cute/atom/*_traits*.hpp (CUTLASS 4.2). Where a literal is deliberately another, `note` says so, and
CUTLASS's own has the same name with `_CUTE_4_2` (not among `names()`).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ..errors import UnsupportedError

if TYPE_CHECKING:
    from .atom import CopyAtom, MmaAtom

FAMILIES = (
    *("sm50", "sm61", "sm70", "sm75", "sm80", "sm89", "sm90", "sm90_gmma"),
    *("sm100", "sm100_umma", "sm100_tmem", "sm120", "universal"),
)

_CLASSES = ("MmaAtom", "CopyAtom")


class UnknownAtom(UnsupportedError, AttributeError):
    """No atom of that name is here; the message holds the nearest names."""


@cache
def _family(name: str) -> dict[str, MmaAtom | CopyAtom]:
    module = import_module(f".{name}", __name__)
    variants = getattr(module, "VARIANTS", ())
    return {atom.name: atom for atom in (*module.MMA, *module.COPY, *variants)}


def _families_of(name: str) -> tuple[str, ...]:
    """The families in which a name may be: by its architecture, and those without one."""
    arch = name.partition("_")[0].partition(":")[0].lower()
    return (*(f for f in FAMILIES if f.partition("_")[0] == arch and arch != "universal"), "universal")


@cache
def family_names(family: str) -> tuple[str, ...]:
    """The names in one of FAMILIES. Of those with arguments, the usual instances."""
    module = import_module(f".{family}", __name__)
    made: Iterator[str] = module.instances() if hasattr(module, "instances") else iter(())
    return (*(atom.name for atom in (*module.MMA, *module.COPY)), *made)


def names() -> list[str]:
    """Every atom's name, MMA and copy, by family. Of the names with arguments, the usual instances."""
    return [name for family in FAMILIES for name in family_names(family)]


def get(name: str) -> MmaAtom | CopyAtom:
    """The atom of that name. Raises UnknownAtom, with the nearest names, when there is none, and
    UnsupportedError for arguments that it does not take."""
    found = _found(name)
    if found is not None:
        return found
    near = nearest(name)
    hint = f"did you mean {' or '.join(near)}?" if near else "`symlayout atoms` lists those that are here"
    raise UnknownAtom(f"unknown atom {name!r}\n  {hint}")


@cache
def _found(name: str) -> MmaAtom | CopyAtom | None:
    plain = name.strip().replace(" ", "").replace("cute::", "").replace("cutlass::", "")
    for family in _families_of(plain):
        known = _family(family)
        if plain in known:
            return known[plain]
        module = import_module(f".{family}", __name__)
        made: MmaAtom | CopyAtom | None = (
            module.instantiate(name.strip()) if hasattr(module, "instantiate") else None
        )
        if made is not None:
            return made if made.name == name else _found(made.name)
    return None


def nearest(name: str) -> list[str]:
    """The names that look most like this one, three at most."""
    from difflib import get_close_matches  # only for messages

    plain = name.strip().replace(" ", "")
    near = get_close_matches(plain, names(), n=3, cutoff=0.6)
    if not near:  # perhaps only the arguments are missing, or the case is wrong
        bases = {n.partition("<")[0].lower(): n for n in reversed(names())}
        near = [bases[b] for b in get_close_matches(plain.partition("<")[0].lower(), bases, n=3, cutoff=0.6)]
    return near


def find(words: str) -> list[MmaAtom | CopyAtom]:
    """The atoms of `names()` that have all these words, in their order there.

    A word is looked for in the name, the types and the PTX mnemonic, and ends where letters or digits do:
    `f16` is not in `BF16`, `16x8x16` not in `116x8x16`. Case does not matter, `*` and `?` stand for other
    characters. `find("16x8x16 bf16")` gives [SM80_16x8x16_F32BF16BF16F32_TN].

    Raises UnknownAtom, with the nearest names, when there is none.
    """
    from .search import matches

    listed = names()
    if "cute_4_2" in words.lower():  # CUTLASS's own where it is wrong, which are not listed otherwise
        listed += [atom.name for atom in import_module(".sm80", __name__).VARIANTS]
    found = [atom for name in listed if matches(words, atom := get(name))]
    if found:
        return found
    if (exact := _found(words)) is not None:
        return [exact]
    near = nearest(words)
    hint = f"did you mean {' or '.join(near)}?" if near else "`symlayout atoms` lists those that are here"
    raise UnknownAtom(f"no atom has all of {words!r}\n  {hint}")


def sharing(atom: str | MmaAtom, operand: str) -> list[MmaAtom]:
    """The MMA atoms of `names()` whose operand is laid out the same: same threads, same layout, same tile."""
    wanted = mma(atom)
    key = (wanted.thr_id, wanted.layout(operand), wanted.tile(operand))
    every = (get(name) for name in names())
    return [
        mma(other)  # type: ignore[arg-type]
        for other in every
        if type(other).__name__ == "MmaAtom"
        and (other.thr_id, other.layout(operand), other.tile(operand)) == key  # type: ignore[union-attr]
    ]


def mma(atom: str | MmaAtom) -> MmaAtom:
    """The MMA atom of that name (an atom passes through). Raises UnsupportedError for a copy atom's name."""
    found = get(atom) if isinstance(atom, str) else atom
    if type(found).__name__ != "MmaAtom":
        raise _no_atom(found, "an MMA atom", "SM80_16x8x16_F32F16F16F32_TN")
    return found  # type: ignore[return-value]


def copy(atom: str | CopyAtom) -> CopyAtom:
    """The copy atom of that name (an atom passes through). Raises UnsupportedError for an MMA atom's name."""
    found = get(atom) if isinstance(atom, str) else atom
    if type(found).__name__ != "CopyAtom":
        raise _no_atom(found, "a copy atom", "SM75_U32x4_LDSM_N")
    return found  # type: ignore[return-value]


def _no_atom(found: Any, wanted: str, such_as: str) -> UnsupportedError:
    """Why this is not the atom that is wanted."""
    if type(found).__name__ in ("MmaAtom", "CopyAtom"):
        is_a = "an MMA atom" if type(found).__name__ == "MmaAtom" else "a copy atom"
        return UnsupportedError(f"{found!r} is {is_a}; {wanted} is wanted")
    if callable(found):
        name = getattr(found, "__name__", str(found))
        return UnsupportedError(f"{name} is a template, no atom; give it its types, as in {name}('float')")
    return UnsupportedError(f"{found!r} is not an atom; {wanted} is wanted, or the name of one: {such_as}")


def __getattr__(name: str) -> Any:
    if name in _CLASSES:
        return getattr(import_module(".atom", __name__), name)
    if name.startswith("_") or name in FAMILIES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    for family in _families_of(name):
        templates = getattr(import_module(f".{family}", __name__), "PARAMETRIC", {})
        if name in templates:
            return templates[name]
    return get(name)


def __dir__() -> list[str]:
    own = {"get", "find", "names", "sharing", "mma", "copy", *_CLASSES}
    return sorted(own | {n for n in names() if n.isidentifier()})
