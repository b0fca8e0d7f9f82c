"""`symlayout schema`: what `--format json` prints, as a JSON Schema.

One object a command, told apart by its `command`. The keys are stable: new ones may come, none changes its
meaning.
"""

from __future__ import annotations

import json

import click

from .schema_catalogue import CATALOGUE
from .schema_words import ANY as _ANY
from .schema_words import COUNT as _COUNT
from .schema_words import LAYOUT as _LAYOUT
from .schema_words import NOTES as _NOTES
from .schema_words import TEXT as _TEXT
from .schema_words import Schema
from .schema_words import command as _command
from .schema_words import or_null as _or_null
from .schema_words import says as _says
from .schema_words import schema_object as _object

VERDICTS = ["proved", "refuted", "unknown", "bounded", "vacuous"]
RECHECKED = ["confirmed", "false", "undecided", "disagreement"]

_VERDICT_FIELDS: dict[str, Schema] = {  # which of these there are depends on the verdict
    "witness": _says("refuted: where it fails first, name -> value", {"type": "object"}),
    "left": _says("refuted: the value on the left side there", _ANY),
    "right": _says("refuted: the value on the right side there", _ANY),
    "part": _says("refuted: the part of the claim that fails; empty for the whole", _TEXT),
    "minimal": _says("refuted: no smaller witness exists", {"type": "boolean"}),
    "replayed": _says("refuted: computed again on plain integers", {"type": "boolean"}),
    "explanation": _says("refuted: the witness in words", _TEXT),
    "failures": _says("refuted: how many points fail, if they were counted", _or_null(_COUNT)),
    "instances": _says("how many points the claim speaks about", _or_null(_COUNT)),
    "engine": _says("proved: who decided", _TEXT),
    "cross_checked": _says("proved: what else agrees", {"type": "array", "items": _TEXT}),
    "obligations": _says("proved: how many formulas the solver found unsatisfiable", _COUNT),
    "reason": _says("unknown, bounded, vacuous: why", _TEXT),
    "missing_fact": _says("unknown, or refuted for want of it: what it would help to know", _TEXT),
    "certificate": _says("the file that --certificate wrote, null if none", _or_null(_TEXT)),
    "recheck": _says("what --recheck found", {"enum": RECHECKED}),
    "bound": _says("bounded: up to where every point was computed", _TEXT),
}

_CONFIGURATION: Schema = {
    **_object(
        {
            "mma": _says("atom", _TEXT),
            "atom_layout": _LAYOUT,
            "permutation": {"type": "array", "items": {"type": ["string", "null"]}},
            "tile_mnk": {"type": "array", "items": _COUNT},
            "copy": _says("atom", _TEXT),
            "value_type": _TEXT,
            "operand": {"enum": ["A", "B", "C"]},
            "tensor": _LAYOUT,
            "side": _says(
                "where the copy has the registers: S for stores, D for loads", {"enum": ["S", "D"]}
            ),
        }
    ),
    "description": "the MMA, the copy and the tensor",
}

_ASKED: Schema = {
    **_object(
        {
            "mma": _TEXT,
            "atoms": _TEXT,
            "permutation": _or_null(_TEXT),
            "copy_atom": _TEXT,
            "value_type": _or_null(_TEXT),
            "operand": {"enum": ["A", "B", "C"]},
            "tensor": _or_null(_TEXT),
            "side": {"enum": ["auto", "S", "D"]},
        }
    ),
    "description": "the options as written, where CuTe makes no copy of them",
}

_SHRUNK: Schema = {
    **_object({"atoms": _TEXT, "permutation": _or_null(_TEXT), "tensor": _or_null(_TEXT)}),
    "description": "--shrink: the smallest options that fail in the same way",
}

_REGISTER: Schema = _object(
    {
        "register": {"type": "integer"},
        "modes": _says(
            "its coordinate in the fragment's modes: V, M or N, K",
            {"type": ["object", "null"], "additionalProperties": _COUNT},
        ),
    }
)

_VALUE: dict[str, Schema] = {
    "expression": _TEXT,
    "value": _says("as CuTe prints it", _TEXT),
    "kind": {
        "enum": [
            *("layout", "composed layout", "swizzle", "int", "Dim", "bool", "tuple", "_"),
            *("ScaledBasis", "str", "View"),
        ]
    },
    "notes": _NOTES,
}
_VALUE_PARTS: dict[str, Schema] = {
    "shape": _says("of a layout, nested lists", _ANY),
    "stride": _says("of a layout, nested lists; a basis stride is text", _ANY),
    "swizzle": _TEXT,
    "offset": _ANY,
    "inner": _says("what the outer map comes after, where that is not a plain layout", _TEXT),
    "size": _says("the number of coordinates", _ANY),
    "cosize": _says("one more than the largest value", _ANY),
}

COMMANDS: tuple[Schema, ...] = (
    _command(
        "prove retile",
        {
            "subject": _says(
                "what the verdict is about: the view of the registers, the side in memory, or both",
                {"enum": ["view", "memory", "load", "store"]},
            ),
            "verdict": _says("on the subject: that of its worst part", {"enum": VERDICTS}),
            "parts": _says(
                "of a load or a store that was decided on integers: the view, and the memory",
                {
                    "type": "array",
                    "items": _object({"part": _TEXT, "claim": _TEXT, "verdict": {"enum": VERDICTS}}),
                },
            ),
            "claim": _TEXT,
            "configuration": {"anyOf": [_CONFIGURATION, _ASKED]},
            "fragment": _or_null(_LAYOUT),
            "view": _says("CuTe's view; null where CuTe refuses", _or_null(_LAYOUT)),
            "right_view": _says(
                "the view that is right where CuTe's is not, if there is one", _or_null(_LAYOUT)
            ),
            "right_view_verdict": _says("the verdict on that view", _or_null(_TEXT)),
            "checks": _says(
                "what CuTe assumes, decided one by one where the claim is refuted",
                {
                    "type": "array",
                    "items": _object({"check": _TEXT, "verdict": {"enum": VERDICTS}, "says": _TEXT}),
                },
            ),
        },
        {
            **_VERDICT_FIELDS,
            "assumed": _says("over parameters: what --assume says", _TEXT),
            "notes": _NOTES,
            "shrunk": _SHRUNK,
        },
    ),
    _command(
        "prove banks",
        {
            "subject": {"const": "banks"},
            "verdict": {"enum": VERDICTS},
            "claim": _TEXT,
            "configuration": {"anyOf": [_CONFIGURATION, _ASKED]},
            "instruction": _says("how the copy accesses shared memory", _or_null(_TEXT)),
            "assumed": _says("what --assume says", _TEXT),
            "notes": _NOTES,
            **dict.fromkeys(
                ("accesses", "phases", "wavefronts"),
                _says(
                    "of the whole copy; null over parameters, or for no aligned addresses", _or_null(_COUNT)
                ),
            ),
        },
        _VERDICT_FIELDS,
    ),
    _command(
        "prove",
        {
            "verdict": {"enum": ["as stated", "not as stated", "interrupted"]},
            "theorems": {
                "type": "array",
                "items": _object(
                    {
                        "module": _TEXT,
                        "name": _TEXT,
                        "kind": {"enum": ["theorem", "refutation"]},
                        "statement": _TEXT,
                        "verdict": {"enum": [*VERDICTS, "error"]},
                        "as_stated": {"type": "boolean"},
                        "exit_code": _COUNT,
                        "seconds": {"type": "number"},
                    },
                    {**_VERDICT_FIELDS, "claim": _TEXT, "message": _TEXT},
                ),
            },
            "as_stated": _COUNT,
            "total": _COUNT,
            "seconds": {"type": "number"},
        },
    ),
    _command(
        "refute divide",
        {
            "verdict": {"enum": VERDICTS},
            "as_stated": _says("whether it was refuted, as was asked for", {"type": "boolean"}),
            "claim": _TEXT,
            "configuration": _CONFIGURATION,
            "fragment": _LAYOUT,
            "view": _LAYOUT,
            "divide": _says("the name of the divide", _TEXT),
            "tiler": _TEXT,
            "divided": _LAYOUT,
            "witness": _says(
                "i: index; a: value of the copy; copy: its number; coordinate in the view", {"type": "object"}
            ),
            "got": _says("what the divide has there", {"anyOf": [_REGISTER, {"type": "null"}]}),
            "want": _says("what retile has there", {"anyOf": [_REGISTER, {"type": "null"}]}),
            "direction": _or_null(_TEXT),
            "registers": _says("those of the whole copy, by both", {"type": ["object", "null"]}),
            "repair": _says("the tiler with which zipped_divide is retile, proved", _or_null(_TEXT)),
        },
        {"shrunk": _SHRUNK},
    ),
    _command(  # divide --symbolic
        "refute divide",
        {
            "verdict": {"enum": ["proved", "unknown"]},
            "agrees_iff": _says("the sizes for which divide and retile agree", _TEXT),
            "fragment": _LAYOUT,
            "view": _LAYOUT,
            "regimes": {
                "type": "array",
                "items": _object(
                    dict.fromkeys(("facts", "divided", "agrees_iff", "index", "got", "want"), _TEXT)
                ),
            },
            "obligations": _COUNT,
        },
    ),
    _command(
        "recheck",
        {
            "verdict": {"enum": ["confirmed", "not confirmed", "interrupted"]},
            "certificates": {
                "type": "array",
                "items": _object(
                    {
                        "file": _TEXT,
                        "verdict": {"enum": [*RECHECKED, "bad input"]},
                        "exit_code": _COUNT,
                        "seconds": {"type": "number"},
                    },
                    {
                        "message": _says("bad input: what is wrong with the file", _TEXT),
                        "name": _TEXT,
                        "claim": _says("what the data of the certificate say, in a sentence", _TEXT),
                        "called": _says("what its author calls it", _TEXT),
                        "says": _says("what the verdict is about", _TEXT),
                        "shown": _says("the statements that were shown", {"type": "array", "items": _TEXT}),
                        "certified": _says("what the certificate says", {"enum": ["proved", "refuted"]}),
                        "obligations": _COUNT,
                        "answered": _says(
                            "solver -> how many obligations it answered as they must be",
                            {"type": "object", "additionalProperties": _COUNT},
                        ),
                        "points": _says("how many points were computed", _COUNT),
                        "whole": _says("whether those are all points of the domain", {"type": "boolean"}),
                        "worded": _says("statements that were shown for all values at once", _COUNT),
                        "notes": _says("obligations without an answer", {"type": "array", "items": _TEXT}),
                        "findings": _says("why it is not confirmed", {"type": "array", "items": _TEXT}),
                    },
                ),
            },
            "confirmed": _COUNT,
            "total": _COUNT,
            "solvers": _says("name -> version", {"type": "object", "additionalProperties": _TEXT}),
            "seconds": {"type": "number"},
        },
    ),
    _command(
        "trace retile",
        {
            "configuration": _CONFIGURATION,
            "fragment": _LAYOUT,
            "TiledLayout_TV": _LAYOUT,
            "figures": _says("V, TiledNumThr, TiledNumVal, AtomNumVal, Tiler_MN", {"type": "object"}),
            "steps": {
                "type": "array",
                "items": _object({"name": _TEXT, "key": _TEXT, "value": _LAYOUT, "says": _TEXT}),
            },
            "result": _LAYOUT,
        },
    ),
    _command("eval", _VALUE, _VALUE_PARTS),
    _command(
        "explain",
        {
            **_VALUE,
            "steps": {
                "type": "array",
                "items": _object(
                    {
                        "call": _TEXT,
                        "value": _TEXT,
                        "law": _or_null(_TEXT),
                        "arithmetic": {"type": "array", "items": _TEXT},
                        "notes": _NOTES,
                    }
                ),
            },
        },
        _VALUE_PARTS,
    ),
    _command(
        "show",
        {
            "layout": _LAYOUT,
            "tile": _says("of a thread-value layout", {"type": ["array", "null"], "items": _COUNT}),
            "cells": {"type": "array", "items": {"type": "array", "items": _TEXT}},
        },
    ),
    _command(
        "conform",
        {
            "verdict": {"enum": ["as stated", "refuted", "interrupted"]},
            "checked": {"type": "boolean"},
            "files": {
                "type": "array",
                "items": _object(
                    {
                        "file": _TEXT,
                        **dict.fromkeys(
                            (
                                "records",
                                "agreed",
                                "differing",
                                "unknown_operation",
                                "unparsed",
                                "refused",
                                "skipped",
                            ),
                            _COUNT,
                        ),
                        "differences": _says(
                            "the first of each kind", {"type": "array", "items": {"type": "object"}}
                        ),
                        "refused_ids": {"type": "array", "items": _TEXT},
                    }
                ),
            },
        },
    ),
    *CATALOGUE,
)

ERROR: Schema = {
    "title": "error",
    **_object(
        {
            "command": _TEXT,
            "verdict": {"enum": ["bad input", "refuted", "unknown", "defect"]},
            "exit_code": {"enum": [1, 2, 3, 4]},
            "error": _says("the class of the error", _TEXT),
            "message": _says("the text that also stands on standard error", _TEXT),
        },
        {
            "text": _says("NotationError: what was read", _TEXT),
            "column": _says("NotationError: where it goes wrong, from 0", _COUNT),
            "index": _says("Inadmissible: the least coordinate at which the law breaks", _ANY),
            "want": _says("Inadmissible: what the law asks for there", _ANY),
            "got": _says("Inadmissible: what CuTe's answer gives there", _ANY),
            "missing_fact": _says("NeedFact: what has to be assumed about a name", _TEXT),
        },
    ),
}

SCHEMA: Schema = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "symlayout --format json",
    "description": "One object a run. Exit codes: 0 as stated, 1 refuted, 2 bad input, "
    "3 unknown, bounded or vacuous, 4 a defect of symlayout.",
    "oneOf": [*COMMANDS, ERROR],
}


@click.command()
def command() -> int:
    """Print the JSON Schema of what --format json prints."""
    print(json.dumps(SCHEMA, indent=2))
    return 0
