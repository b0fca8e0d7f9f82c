"""Names with arguments, as CUTLASS spells them: `Base<argument,argument,...>`."""

from __future__ import annotations


def split(name: str) -> tuple[str, tuple[str, ...]] | None:
    """The base, without `cute::` and spaces, and the arguments; None when the brackets do not close.

    `cute::UniversalCopy< unsigned int >` gives ("UniversalCopy", ("unsigned int",)).
    """
    base, bracket, rest = name.strip().replace("cute::", "").replace("cutlass::", "").partition("<")
    base = base.replace(" ", "")
    if not bracket:
        return base, ()
    if not rest.endswith(">"):
        return None
    return base, arguments(rest[:-1])


def arguments(text: str) -> tuple[str, ...]:
    """The parts between commas that stand outside angle brackets."""
    parts, depth, start = [], 0, 0
    for i, c in enumerate(text):
        depth += (c == "<") - (c == ">")
        if c == "," and depth == 0:
            parts.append(text[start:i])
            start = i + 1
    parts.append(text[start:])
    return tuple(p.strip() for p in parts if p.strip())


def join(base: str, args: tuple[str, ...]) -> str:
    """The canonical spelling: no spaces, no brackets around nothing."""
    return f"{base}<{','.join(args)}>" if args else base
