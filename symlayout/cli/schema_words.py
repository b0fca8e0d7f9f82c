"""The words that the schema of --format json is made of."""

from __future__ import annotations

from typing import Any

Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
COUNT: Schema = {"type": "integer", "minimum": 0}
NOTES: Schema = {
    "type": "array",
    "items": TEXT,
    "description": "what may surprise in an answer that is right",
}


def says(description: str, schema: Schema) -> Schema:
    return {**schema, "description": description}


def or_null(schema: Schema) -> Schema:
    kind = schema["type"]
    return {**schema, "type": [*(kind if isinstance(kind, list) else [kind]), "null"]}


def schema_object(required: dict[str, Schema], optional: dict[str, Schema] | None = None) -> Schema:
    return {
        "type": "object",
        "properties": {**required, **(optional or {})},
        "required": list(required),
        "additionalProperties": False,
    }


def command(name: str, required: dict[str, Schema], optional: dict[str, Schema] | None = None) -> Schema:
    first = {
        "command": {"const": name},
        "exit_code": says("the exit code of the process", {"type": "integer"}),
    }
    return {"title": name, **schema_object({**first, **required}, optional)}


LAYOUT = says("as CuTe prints it, without the _ of static integers", TEXT)
ANY: Schema = {}  # an integer, a list of them, or text
