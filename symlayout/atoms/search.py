"""Finding atoms by words: shapes, types, pieces of the name or of the PTX mnemonic."""

from __future__ import annotations

import re
from functools import cache

from .atom import CopyAtom, MmaAtom


def matches(words: str, atom: MmaAtom | CopyAtom) -> bool:
    """Whether the atom has every word."""
    text = description(atom)
    return all(pattern.search(text) for pattern in _patterns(words))


@cache
def description(atom: MmaAtom | CopyAtom) -> str:
    """All that a word is looked for in."""
    if isinstance(atom, CopyAtom):
        return f"{atom.name} {atom.ptx} copy"
    m, n, k = atom.shape_mnk
    types = f"{atom.type_D} {atom.type_A} {atom.type_B} {atom.type_C}"
    return f"{atom.name} {m}x{n}x{k} {types} {atom.ptx} mma"


@cache
def _patterns(words: str) -> tuple[re.Pattern[str], ...]:
    return tuple(_pattern(word) for word in words.split())


def _pattern(word: str) -> re.Pattern[str]:
    """A word does not start in the middle of letters, nor start or end in the middle of a number; `*` and `?`
    stand for other characters, as in a shell."""
    before = "(?<![A-Za-z])" if word[0].isalpha() else r"(?<!\d)" if word[0].isdigit() else ""
    after = r"(?!\d)" if word[-1].isdigit() else ""
    text = re.escape(word).replace(r"\*", r"\S*").replace(r"\?", r"\S")
    return re.compile(before + text + after, re.IGNORECASE)
