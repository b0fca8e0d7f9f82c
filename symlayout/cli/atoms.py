"""`symlayout atoms`: the catalogue, and one atom in detail with its fragments drawn."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from .answer import answer, colourful, format_option

if TYPE_CHECKING:
    from ..atoms.atom import CopyAtom, MmaAtom
    from ..render.grid import Grid

    Atom = MmaAtom | CopyAtom

MOST_DRAWN = 32 * 32  # elements of a fragment that is drawn


@click.command()
@click.argument("pattern", nargs=-1, metavar="[ATOM | WORD...]")
@click.option("--draw/--no-draw", default=True, show_default=True, help="Draw the fragments of one atom.")
@format_option
def command(pattern: tuple[str, ...], draw: bool, form: str) -> int:
    """List the instructions of the catalogue, those that have all the words, or detail one.

    A word is looked for in the name, the types and the PTX mnemonic. The name of an atom gives its details:
    its layouts, who shares them, where its operands lie, its PTX instruction and CUTLASS's header, and a
    picture of each fragment that is not too large.

    \b
    symlayout atoms
    symlayout atoms 16x8x16 bf16
    symlayout atoms SM80_16x8x16_F32F16F16F32_TN
    symlayout atoms "SM90_64x128x16_F32F16F16_RS<GMMA::Major::K,GMMA::Major::MN>"
    """
    from .. import atoms
    from ..errors import UnsupportedError

    words = " ".join(pattern)
    if not words:
        return _list([atoms.get(name) for name in atoms.names()], form)
    try:
        one = atoms.get(words)
    except atoms.UnknownAtom:
        return _list(atoms.find(words), form)
    except UnsupportedError:
        if len(pattern) == 1 and "<" in words:
            raise
        return _list(atoms.find(words), form)
    return _detail(one, form, draw)


def _list(found: list[Atom], form: str) -> int:
    if form == "json":
        return answer(form, "", {"command": "atoms", "exit_code": 0, "atoms": [_summary(a) for a in found]})
    from rich import box
    from rich.console import Console
    from rich.table import Table

    from .atom_rows import HEADER, rows

    lines = rows(found)
    listing = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for name in HEADER:
        listing.add_column(name, no_wrap=True)
    for row in lines:
        listing.add_row(*row)
    width = sum(max(len(row[k]) for row in [HEADER, *lines]) + 3 for k in range(len(HEADER)))
    console = Console(highlight=False, markup=False, soft_wrap=True, width=width, no_color=not colourful())
    with console.capture() as shown:
        console.print(listing)
    print("\n".join(line.rstrip() for line in shown.get().splitlines()))
    more = f" in {len(lines)} lines" if len(lines) < len(found) else ""
    print(f"\n{len(found)} atom{'s' * (len(found) != 1)}{more}; `symlayout atoms ATOM` details one")
    return 0


def _detail(atom: Atom, form: str, draw: bool) -> int:
    from ..atoms.atom import MmaAtom

    if form == "json":
        data = _mma_data(atom) if isinstance(atom, MmaAtom) else _copy_data(atom)
        return answer(form, "", {"command": "atoms", "exit_code": 0, "atoms": [data]})
    print(_mma_text(atom) if isinstance(atom, MmaAtom) else _copy_text(atom))
    if not draw:
        return 0
    for picture in _mma_pictures(atom) if isinstance(atom, MmaAtom) else _copy_pictures(atom):
        if isinstance(picture, str) or not colourful():
            print(picture if isinstance(picture, str) else picture.text().removesuffix("\n"))
        else:
            from rich.console import Console

            Console(highlight=False, soft_wrap=True).print(picture.coloured(), end="")
    return 0


def _summary(atom: Atom) -> dict[str, Any]:
    from ..atoms.atom import MmaAtom

    common = {
        "name": atom.name,
        "arch": atom.arch,
        "ptx": atom.ptx or None,
        "header": atom.header,
        "threads": atom.thr_id,
    }
    if isinstance(atom, MmaAtom):
        layouts = {f"layout_{x}": atom.layout(x) for x in "ABC"}
        types = {f"type_{x}": getattr(atom, f"type_{x}") for x in "DABC"}
        return {"kind": "mma", **common, "shape_mnk": list(atom.shape_mnk), **types, **layouts}
    return {"kind": "copy", **common, "src": atom.bits_src, "dst": atom.bits_dst, "ref": atom.bits_ref}


def _mma_data(atom: MmaAtom) -> dict[str, Any]:
    from .. import atoms

    return {
        **_summary(atom),
        "bits": {x: atom.bits(x) for x in "ABC"},
        "registers": {x: list(getattr(atom, f"registers_{x}")) for x in "DABC"},
        "storage": {x: atom.storage(x) for x in "ABC"},
        "more": dict(atom.more) or None,
        "sharing": {x: [other.name for other in atoms.sharing(atom, x)] for x in "ABC"},
        "note": atom.note or None,
    }


def _copy_data(atom: CopyAtom) -> dict[str, Any]:
    sides = {"S": atom.registers_S, "D": atom.registers_D}
    return {**_summary(atom), "registers": {x: list(r) for x, r in sides.items()}}


def _mma_text(atom: MmaAtom) -> str:
    from .. import atoms

    m, n, k = atom.shape_mnk
    lines = [
        f"{atom.name}: D = A * B + C, {m}x{n}x{k}",
        f"  PTX      {atom.ptx or '-'}",
        f"  header   cute/atom/{atom.header}",
        f"  threads  {atom.thr_id}",
    ]
    for x, axes in (("A", "(M,K)"), ("B", "(N,K)"), ("C", "(M,N)")):
        register, count = atom.registers(x)
        lines.append(
            f"  {x} {axes}  {atom.layout(x)}\n"
            f"           {atom.type(x)}, {atom.bits(x)} bits, in {atom.storage(x)}, {register} x {count}"
            f"\n           {_shared(atoms.sharing(atom, x), atom)}"
        )
    lines += [f"  {x:<8} {layout}" for x, layout in atom.more]
    if atom.note:
        lines.append(f"  note     {atom.note}")
    return "\n".join(lines)


def _mma_pictures(atom: MmaAtom) -> list[Grid | str]:
    return [_picture(x, atom.layout(x), atom.tile(x)) for x in "ABC" if atom.storage(x) == "registers"]


def _shared(others: list[MmaAtom], atom: MmaAtom) -> str:
    names = [other.name.partition("<")[0] for other in others if other.name != atom.name]
    names = list(dict.fromkeys(names))
    if not names:
        return "no other atom has this fragment"
    shown = ", ".join(names[:4]) + (f" and {len(names) - 4} more" if len(names) > 4 else "")
    return f"shared with {shown}"


def _copy_text(atom: CopyAtom) -> str:
    lines = [
        f"{atom.name}",
        f"  PTX      {atom.ptx or '-'}",
        f"  header   cute/atom/{atom.header}",
        f"  threads  {atom.thr_id}",
    ]
    for x, bits, (register, count) in (
        ("Src", atom.bits_src, atom.registers_S),
        ("Dst", atom.bits_dst, atom.registers_D),
    ):
        lines.append(f"  {x} bits {bits}, {register} x {count}")
    lines.append(f"  Ref bits {atom.bits_ref}")
    return "\n".join(lines)


def _copy_pictures(atom: CopyAtom) -> list[Grid | str]:
    """The sides that are registers, over the rows of the memory side; see where.copies."""
    from ..render.grid import Grid
    from ..where import fragment

    pictures: list[Grid | str] = []
    for side, name in (("S", "source"), ("D", "destination")):
        if "UTCCP" in atom.name:
            continue
        f = fragment(atom, side)
        rows, columns = f.tile
        if f.register_bits is None or not 1 < rows * columns <= MOST_DRAWN:
            continue
        places = [[f.places(i, j) for j in range(columns)] for i in range(rows)]
        cells = tuple(tuple(f"T{p[0].thread} V{p[0].slot}" if p else "" for p in row) for row in places)
        shades = tuple(tuple((p[0].thread or 0) if p else 0 for p in row) for row in places)
        title = f"{side}, the {name}, over the rows of its memory side: {f.name}"
        width = max(len(c) for row in cells for c in row)
        pictures.append(Grid(title, cells, shades, width))
    return pictures


def _picture(operand: str, layout: Any, tile: tuple[int, int]) -> Grid | str:
    if tile[0] * tile[1] > MOST_DRAWN:
        return (
            f"{operand} has {tile[0]} x {tile[1]} elements, too many to draw: `symlayout where` has a table"
        )
    from ..render import tv_grid

    grid = tv_grid(layout, tile)
    return replace(grid, title=f"{operand}: {grid.title}")
