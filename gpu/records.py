"""Results files: what they rest on, and arrays as text.

Every file holds `device`, `driver`, `cuda`, `date`, the hashes of the `kernels`, and one list of results
whose name says what they are (see `replay`).
"""

from __future__ import annotations

import base64
import datetime
import json
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from .element import Array

RESULTS = Path(__file__).parent / "results"


def today() -> str:
    return datetime.date.today().isoformat()


def packed(a: Array) -> str:
    """An integer array as text: 16, 32 or 64 bits each, whichever holds it, compressed."""
    a = np.ascontiguousarray(a).astype("<i8")
    kind = next((k for k in ("<i2", "<i4") if (a.astype(k) == a).all()), "<i8")
    return f"{kind[1:]}:" + base64.b64encode(zlib.compress(a.astype(kind).tobytes(), 9)).decode()


def unpacked(text: str) -> Array:
    """The flat array that `packed` wrote."""
    kind, data = text.split(":")
    return np.frombuffer(zlib.decompress(base64.b64decode(data)), dtype=f"<{kind}").astype("<i8")


def same(text: str, a: Array) -> bool:
    seen = unpacked(text)
    return seen.size == a.size and bool((seen == np.ascontiguousarray(a).astype("<i8").reshape(-1)).all())


def write(path: Path, content: dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [f" {json.dumps(key)}: {_value(value)}" for key, value in content.items()]
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def _value(value: Any) -> str:
    """JSON with one entry of a long list a line, so that a change shows in a diff."""
    if isinstance(value, list):
        return "[\n" + ",\n".join(f"  {json.dumps(entry)}" for entry in value) + "\n ]"
    return json.dumps(value)
