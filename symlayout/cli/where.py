"""`symlayout where`: which lane and register hold an element of an instruction's operand, and the reverse."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ..errors import NotationError, UnsupportedError
from .answer import answer
from .table import FORMS, table

if TYPE_CHECKING:
    from ..where import Element, Fragment, Place

    Entries = list[tuple[Element, Place]]

AXES = {"A": ("m", "k"), "B": ("n", "k"), "C": ("m", "n"), "S": ("row", "column"), "D": ("row", "column")}


@click.command()
@click.argument("atom")
@click.argument("operand")
@click.argument("element", nargs=-1, type=int, metavar="[I J]")
@click.option("--lane", type=int, metavar="L", help="What lane L holds: of all registers, or of --reg.")
@click.option("--reg", "register", type=int, metavar="R", help="What register R of --lane or --thread holds.")
@click.option(
    "--warp",
    type=int,
    default=0,
    metavar="W",
    show_default=True,
    help="The warp of --lane: wgmma has four, a tiled MMA as many as its atoms.",
)
@click.option("--thread", type=int, metavar="T", help="What thread T holds, instead of --lane and --warp.")
@click.option("--all", "everything", is_flag=True, help="Every element, a line each.")
@click.option(
    "--matrix-layout", "matrix", is_flag=True, help="A matrix of lanes and registers, element by element."
)
@click.option(
    "--register-layout", "registers", is_flag=True, help="A line for every thread, a column for every slot."
)
@click.option(
    "--type", "value_type", default="", metavar="TYPE", help="What a copy moves: half_t, float, ..."
)
@click.option("--atoms", default=None, metavar="M,N,K", help="A tiled MMA: atoms side by side in M, N, K.")
@click.option("--permutation", metavar="P", help="A tiled MMA: its tile in M,N,K, as in `prove retile`.")
@click.option(
    "--format",
    "form",
    type=click.Choice([*FORMS, "json"]),
    default="text",
    show_default=True,
    help="Words, a table, or JSON as `symlayout schema` describes it.",
)
def command(
    atom: str,
    operand: str,
    element: tuple[int, ...],
    lane: int | None,
    register: int | None,
    warp: int,
    thread: int | None,
    everything: bool,
    matrix: bool,
    registers: bool,
    value_type: str,
    atoms: str | None,
    permutation: str | None,
    form: str,
) -> int:
    """Say where an element of an operand is: lane, register, part and slot; or what is there.

    ATOM is an instruction's name (`symlayout atoms` lists them). OPERAND is A (M,K), B (N,K) or C (M,N) of an
    MMA, S or D of a copy, whose elements are rows and columns of its memory side. Ask with an element, with
    --lane, or for a whole table.

    Registers are numbered as the instruction's operands: 32 bits for packed types, 64 for double. The part is
    the half, byte, nibble or bit of it, from the low end. The slot is the value's index in the thread. For
    ldmatrix and stmatrix, row_address_lane is the lane that gives the address of the element's row.

    \b
    symlayout where SM80_16x8x16_F32F16F16F32_TN A 3 7
    symlayout where SM80_16x8x16_F32F16F16F32_TN A --lane 5 --reg 1
    symlayout where SM75_U32x4_LDSM_N D --all --format csv
    symlayout where SM80_16x8x16_F32F16F16F32_TN B 30 4 --atoms 2,2,1 --permutation 32,32,16
    """
    fragment = _fragment(atom, operand, value_type, atoms, permutation)
    by_thread = lane is not None or thread is not None
    asked = [bool(element), by_thread, everything, matrix, registers]
    if sum(asked) != 1 or (register is not None and not by_thread):
        raise click.UsageError(
            "ask with an element (I J), with --lane or --thread (and --reg), or with one of --all, "
            "--matrix-layout and --register-layout"
        )
    if element:
        if len(element) != 2:
            raise click.UsageError(f"an element has two coordinates, here are {len(element)}")
        return _of_element(fragment, (element[0], element[1]), form)
    if by_thread:
        return _of_thread(fragment, lane, warp, thread, register, form)
    entries = list(fragment.table())
    if matrix and form != "json":
        return _print(_matrix(fragment, form))
    if registers and form != "json":
        return _print(_registers(fragment, entries, form))
    return _entries(fragment, entries, form, {})


def _fragment(
    atom: str, operand: str, value_type: str, atoms: str | None, permutation: str | None
) -> Fragment:
    from ..where import fragment, tiled_fragment

    if atoms is None and permutation is None:
        return fragment(atom, operand, value_type)
    from .configuration import Request

    if value_type:
        raise NotationError("--type: an MMA's types are its own", value_type)
    request = Request(atom, atoms or "1,1,1", permutation, "", None, "A", None, "auto")
    return tiled_fragment(request.tiled_mma(), operand)


def _of_element(fragment: Fragment, element: Element, form: str) -> int:
    places = fragment.places(*element)
    if not places:
        raise UnsupportedError(f"{_named(fragment, element)}: nobody holds it\n  {fragment}")
    entries = [(element, place) for place in places]
    if form in ("csv", "markdown"):
        return _entries(fragment, entries, form, {})
    lines = [f"{_named(fragment, element)} of {fragment.name}: {_words(fragment, places[0])}"]
    lines += [f"  also {_words(fragment, place)}" for place in places[1:]]
    if (why := _arithmetic(fragment, element, places[0])) is not None:
        lines.append(f"  {why}")
    if fragment.note:
        lines.append(f"  {fragment.note}")
    data = {
        **_about(fragment),
        "element": list(element),
        **_data(fragment, places[0]),
        "holders": [_data(fragment, place) for place in places],
    }
    return answer(form, "\n".join(lines), data)


def _of_thread(
    fragment: Fragment, lane: int | None, warp: int, thread: int | None, register: int | None, form: str
) -> int:
    entries = list(fragment.elements(lane=lane, warp=warp, thread=thread, register=register))
    asked = lane + 32 * warp if thread is None and lane is not None else thread
    return _entries(fragment, entries, form, {"thread": asked, "register": register})


def _entries(fragment: Fragment, entries: Entries, form: str, asked: dict[str, Any]) -> int:
    if form == "json":
        rows = [{"element": list(element), **_data(fragment, place)} for element, place in entries]
        return answer(form, "", {**_about(fragment), **asked, "elements": rows})
    columns = _columns(entries)
    header = [*AXES[fragment.operand], *(name for name, _ in columns)]
    rows_of_text = [[*element, *(value(place) for _, value in columns)] for element, place in entries]
    if form == "text":
        what = (
            f"{fragment.part_name} = part" if fragment.part_name != "whole" else "a register holds one value"
        )
        print(f"{fragment}, {fragment.tile[0]} x {fragment.tile[1]}; {what}")
    return _print(table(form, header, rows_of_text))


def _columns(entries: Entries) -> list[tuple[str, Any]]:
    """The columns that have anything in them."""
    known: list[tuple[str, Any]] = [
        ("thread", lambda p: p.thread),
        ("warp", lambda p: p.warp),
        ("lane", lambda p: p.lane),
        ("register", lambda p: p.register),
        ("part", lambda p: p.part),
        ("slot", lambda p: p.slot),
        ("row_address_lane", lambda p: p.row_address_lane),
    ]
    names = dict.fromkeys(name for _, place in entries for name, _ in place.memory)
    known += [(f"memory_{name}", lambda p, name=name: dict(p.memory).get(name)) for name in names]
    return [(name, value) for name, value in known if any(value(place) is not None for _, place in entries)]


def _matrix(fragment: Fragment, form: str) -> str:
    """AMD's matrix-layout: the place of each element, as `T15 R0.1`."""
    rows, columns = fragment.tile
    first, second = AXES[fragment.operand]
    body = [
        [i, *(" ".join(_short(fragment, place) for place in fragment.places(i, j)) for j in range(columns))]
        for i in range(rows)
    ]
    return table(form, [f"{first}\\{second}", *map(str, range(columns))], body)


def _registers(fragment: Fragment, entries: Entries, form: str) -> str:
    """AMD's register-layout: what each thread has in each slot, as `(3,7)`."""
    held: dict[tuple[int | None, int], str] = {}
    for element, place in entries:
        held[place.thread, place.slot] = f"({element[0]},{element[1]})"
    slots = sorted({slot for _, slot in held})
    places = {place.slot: place for _, place in entries}
    header = ["thread", *(_short(fragment, places[slot]).split(" ")[-1] for slot in slots)]
    threads = sorted({thread for thread, _ in held}, key=lambda t: -1 if t is None else t)
    return table(form, header, [[t, *(held.get((t, slot), "") for slot in slots)] for t in threads])


def _short(fragment: Fragment, place: Place) -> str:
    thread = "" if place.thread is None else f"T{place.thread} "
    if place.register is None:
        return f"{thread}S{place.slot}"
    return f"{thread}R{place.register}" + (f".{place.part}" if fragment.part_name != "whole" else "")


def _words(fragment: Fragment, place: Place) -> str:
    words = []
    if place.thread is not None:
        if max((t or 0) for t in fragment.threads) >= 32:
            words.append(f"thread {place.thread} (warp {place.warp}, lane {place.lane})")
        else:
            words.append(f"lane {place.lane}")
    if place.register is not None:
        words.append(f"register {place.register}")
        if fragment.part_name != "whole":
            words.append(f"{fragment.part_name} {place.part}")
    words += [f"{name} {number}" for name, number in place.memory]
    if not words and fragment.memory is not None:
        words.append(fragment.memory[0])
    words.append(f"slot {place.slot}")
    if place.row_address_lane is not None:
        words.append(f"address of the row from lane {place.row_address_lane}")
    return ", ".join(words)


def _arithmetic(fragment: Fragment, element: Element, place: Place) -> str | None:
    """The layout at the answer, where the thread and the slot are the layout's own coordinates."""
    if place.thread is None or fragment.slots is not None or fragment.element_of is not None:
        return None
    logical = fragment.threads.index(place.thread)
    number = fragment.layout(logical, place.slot)
    i, j = element
    return (
        f"layout_{fragment.operand}({logical}, {place.slot}) = {number} = {i} + {fragment.tile[0]} * {j}, "
        f"with layout_{fragment.operand} = {fragment.layout}"
    )


def _named(fragment: Fragment, element: Element) -> str:
    return f"{fragment.operand}({element[0]},{element[1]})"


def _about(fragment: Fragment) -> dict[str, Any]:
    return {
        "command": "where",
        "exit_code": 0,
        "atom": fragment.name,
        "operand": fragment.operand,
        "tile": list(fragment.tile),
        "layout": str(fragment.layout),
        "part_name": fragment.part_name,
        "note": fragment.note or None,
    }


def _data(fragment: Fragment, place: Place) -> dict[str, Any]:
    return {
        "thread": place.thread,
        "warp": place.warp,
        "lane": place.lane,
        "register": place.register,
        "part": place.part,
        "slot": place.slot,
        "row_address_lane": place.row_address_lane,
        "memory": dict(place.memory) or None,
    }


def _print(text: str) -> int:
    print(text)
    return 0
