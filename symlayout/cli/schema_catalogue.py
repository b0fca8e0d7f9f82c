"""What `where` and `atoms` print for --format json."""

from __future__ import annotations

from .schema_words import COUNT, LAYOUT, TEXT, Schema, command, or_null, says, schema_object

_NUMBER = or_null(COUNT)
_PLACE: dict[str, Schema] = {
    "thread": says("of the warp, the warpgroup or the tiled MMA; null where no thread holds it", _NUMBER),
    "warp": _NUMBER,
    "lane": says("thread % 32", _NUMBER),
    "register": says("the number of the instruction's operand register; null outside of registers", _NUMBER),
    "part": says("which half, byte, nibble or bit of it, from the low end", _NUMBER),
    "slot": says("the value's index in the thread", COUNT),
    "row_address_lane": says("ldmatrix, stmatrix: the lane that gives the address of the row", _NUMBER),
    "memory": says(
        "coordinates outside of registers: cta, datapath, column, part, byte",
        {"type": ["object", "null"], "additionalProperties": COUNT},
    ),
}
_ELEMENT = says("its row and column in the tile", {"type": "array", "items": COUNT})
_NAMES: Schema = {"type": "array", "items": TEXT}
_OBJECT: Schema = {"type": "object"}

CATALOGUE: tuple[Schema, ...] = (
    command(
        "where",
        {
            "atom": TEXT,
            "operand": {"enum": ["A", "B", "C", "S", "D"]},
            "tile": says("rows and columns", {"type": "array", "items": COUNT}),
            "layout": says("(thread, value) -> element", LAYOUT),
            "part_name": says("half, byte, nibble, bit; whole when a register holds one value", TEXT),
            "note": or_null(TEXT),
        },
        {
            **_PLACE,
            "element": _ELEMENT,
            "holders": says("all who hold the element", {"type": "array", "items": schema_object(_PLACE)}),
            "elements": says(
                "what is asked for by thread, or the whole table",
                {"type": "array", "items": schema_object({"element": _ELEMENT, **_PLACE})},
            ),
        },
    ),
    command(
        "atoms",
        {
            "atoms": {
                "type": "array",
                "items": schema_object(
                    {
                        "kind": {"enum": ["mma", "copy"]},
                        "name": TEXT,
                        "arch": TEXT,
                        "ptx": or_null(TEXT),
                        "header": TEXT,
                        "threads": LAYOUT,
                    },
                    {
                        "shape_mnk": {"type": "array", "items": COUNT},
                        **{f"type_{x}": TEXT for x in "DABC"},
                        **{f"layout_{x}": LAYOUT for x in "ABC"},
                        **{x: says("in bits", LAYOUT) for x in ("src", "dst", "ref")},
                        "bits": says("of one value", _OBJECT),
                        "registers": says("type and count", _OBJECT),
                        "storage": says("registers, shared memory or tensor memory", _OBJECT),
                        "more": says("layouts of metadata and scale factors", or_null(_OBJECT)),
                        "sharing": says("the atoms that have the same fragment", _OBJECT),
                        "note": or_null(TEXT),
                    },
                ),
            },
        },
    ),
)
