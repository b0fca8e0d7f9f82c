"""An evaluation that remembers every call on the way, innermost first."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ..dim import Dim
from ..errors import Inadmissible, SymlayoutError
from ..inttuple import flatten_to_tuple, show
from ..layout import Layout
from ..notation import parse
from ..notation.complaint import complaint
from ..notation.expression import Evaluator
from ..notation.tree import Node, syntax_tree
from ..swizzle import ComposedLayout

MOST_MODES = 1000  # modes to append, bits to swizzle


@dataclass(frozen=True)
class Call:
    """One function of the algebra (or a layout, with `function` None) applied to its arguments, and the
    value."""

    name: str
    function: Callable[..., Any] | None
    arguments: tuple[Any, ...]
    flags: dict[str, Any] = field(hash=False)
    value: Any

    def text(self) -> str:
        """`composition(A, B)` with the layouts written out."""
        if self.function is None:
            return f"({self.name})({', '.join(map(show, self.arguments))})"
        flags = [f"{name}={str(x).lower()}" for name, x in self.flags.items()]
        return f"{self.name}({', '.join([*map(show, self.arguments), *flags])})"

    def notes(self) -> list[str]:
        """What the algebra has to say about an answer that is right: over-cover, a gap, repeated elements,
        the offset of a slice."""
        from ..algebra.notes import notes, slice_notes

        if self.function is None:
            crd = self.arguments[0] if len(self.arguments) == 1 else self.arguments
            return slice_notes(crd, layout_of(self))

        found = notes(self.function.__name__, self.arguments)
        broken = self.broken_law()
        return [*found, f"CuTe's answer, unchecked: {broken}"] if broken else found

    def broken_law(self) -> str:
        """Where an answer under unchecked=true breaks the operation's law; empty when it keeps it."""
        if self.function is None or not self.flags.get("unchecked"):
            return ""
        flags = {name: x for name, x in self.flags.items() if name != "unchecked"}
        try:
            self.function(*self.arguments, **flags)
        except Inadmissible as error:
            return str(error).splitlines()[0]
        except SymlayoutError:
            return ""
        return ""


class _Recorder(Evaluator):
    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.calls: list[Call] = []
        self._function_runs = False

    def _call(
        self, node: Node, name: str, function: Callable[..., Any], arguments: list[Any], flags: dict[str, Any]
    ) -> Any:
        self._refuse_large(node, name, arguments, flags)
        self._function_runs = True
        value = super()._call(node, name, function, arguments, flags)
        self.calls.append(Call(name, function, tuple(arguments), flags, value))
        return value

    def _refuse_large(self, node: Node, name: str, arguments: list[Any], flags: dict[str, Any]) -> None:
        """Numbers that count modes or bits would fill the memory when they are mistyped."""
        counts = (
            [flags.get("n", 0)] if name in ("append", "prepend") else arguments if name == "Swizzle" else []
        )
        for count in counts:
            if isinstance(count, int) and abs(count) > MOST_MODES:
                what = "bits" if name == "Swizzle" else "modes"
                raise self.wrong(node, f"{name}: {count} {what}, and at most {MOST_MODES} are taken")

    def _guarded(self, node: Node, name: str, arguments: list[Any], run: Callable[[], Any]) -> Any:
        of_function, self._function_runs = self._function_runs, False
        value = super()._guarded(node, name, arguments, run)
        if not of_function:  # a layout at a coordinate; its name is its text
            self.calls.append(Call(name, None, tuple(arguments), {}, value))
        return value


class Record(NamedTuple):
    """The value of an expression, the calls in the order in which they ran, and in what its swizzles before a
    pointer were read to count."""

    value: Any
    calls: list[Call]
    units: list[str]


def record(text: str, facts: str = "") -> Record:
    """The record of an expression. `facts` are about names in it.

    Raises as `evaluate` does, and NotationError for a name alone.
    """
    recorder = _Recorder(text)
    if facts:
        from ..domain import assume

        recorder.values = assume(facts, taken=re.findall(r"[^\W\d]\w*", text)).values
    tree = syntax_tree(text)
    value = recorder.read(tree)
    only = tree.parts[0] if len(tree.parts) == 1 else tree
    if only.kind == "name" and isinstance(value, Dim) and only.parts not in recorder.values:
        raise complaint(
            text, only.column, f"{only.parts} is a name, of which nothing is known: write an expression"
        )
    return Record(value, recorder.calls, [str(u) for u in recorder.units if u.pointer is not None])


def check_width(text: str, found: Record) -> None:
    """Raises NotationError for integers, sizes and strides that CuTe's integers do not hold."""
    for x in (found.value, *(y for call in found.calls for y in (call.value, *call.arguments))):
        _refuse_wide(text, x)


def _refuse_wide(text: str, x: Any) -> None:
    if isinstance(x, ComposedLayout):
        _refuse_wide(text, x.offset)
        return _refuse_wide(text, x.layout)
    if isinstance(x, Layout):
        numbers: list[Any] = [*flatten_to_tuple(x.shape), *flatten_to_tuple(x.stride), x.size()]
    else:
        numbers = list(flatten_to_tuple(x)) if isinstance(x, (int, tuple)) else []
    for n in numbers:
        if isinstance(n, int) and abs(n) >= 1 << 63:
            what = "a size" if isinstance(x, Layout) and n == x.size() else "a number"
            raise complaint(text, 0, f"{what} of {len(str(abs(n)))} digits: CuTe's integers have 64 bits")
    return None


def layout_of(call: Call) -> Any:
    """The layout that a call without function evaluated."""
    return parse(call.name)
