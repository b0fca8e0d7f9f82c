"""Run the command line in this process, and check what it prints against its own schema."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from click.testing import CliRunner

from symlayout.cli import program
from symlayout.cli.schema import SCHEMA

MMA = "SM80_16x8x16_F32F16F16F32_TN"


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        """Standard output as JSON, valid under the schema."""
        value = json.loads(self.out)
        faults = [fault for variant in SCHEMA["oneOf"] if (fault := invalid(value, variant)) is not None]
        assert len(SCHEMA["oneOf"]) - len(faults) == 1, f"{value}\n" + "\n".join(faults)
        assert value["exit_code"] == self.code
        return value


Run = Callable[..., Outcome]


@pytest.fixture
def run() -> Run:
    def invoke(*arguments: str) -> Outcome:
        result = CliRunner().invoke(program, list(arguments))
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
        return Outcome(result.exit_code, result.stdout, result.stderr)

    return invoke


KINDS: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
    "null": (type(None),),
}


def invalid(value: Any, schema: dict[str, Any], where: str = "$") -> str | None:
    """Why `value` breaks `schema`, None if it does not: the part of JSON Schema that schema.py uses."""
    if "const" in schema and value != schema["const"]:
        return f"{where}: {value!r} is not {schema['const']!r}"
    if "enum" in schema and value not in schema["enum"]:
        return f"{where}: {value!r} is not one of {schema['enum']}"
    if "anyOf" in schema:
        faults = [invalid(value, variant, where) for variant in schema["anyOf"]]
        if None not in faults:
            return f"{where}: {faults}"
    if "type" in schema:
        names = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        kinds = tuple(kind for name in names for kind in KINDS[name])
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
            return f"{where}: {value!r} is not of type {names}"
    if "minimum" in schema and value is not None and value < schema["minimum"]:
        return f"{where}: {value} < {schema['minimum']}"
    if isinstance(value, dict):
        return _invalid_object(value, schema, where)
    if isinstance(value, list) and "items" in schema:
        for i, item in enumerate(value):
            if (fault := invalid(item, schema["items"], f"{where}[{i}]")) is not None:
                return fault
    return None


def _invalid_object(value: dict[str, Any], schema: dict[str, Any], where: str) -> str | None:
    missing = [key for key in schema.get("required", []) if key not in value]
    if missing:
        return f"{where}: no {missing}"
    properties = schema.get("properties", {})
    more = schema.get("additionalProperties", True)
    for key, item in value.items():
        if key not in properties and more is False:
            return f"{where}: {key!r} is not in the schema"
        rules = properties.get(key, more if isinstance(more, dict) else {})
        if (fault := invalid(item, rules, f"{where}.{key}")) is not None:
            return fault
    return None
