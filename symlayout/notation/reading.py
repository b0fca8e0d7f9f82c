"""Syntax tree to values: what each written form stands for.

    4:1  (4,8):(8,1)  Layout<Shape<_4,_8>,Stride<_8,_1>>          Layout
    Sw<3,3,3>  S<3,3,3>  Swizzle<3,3,3>                           Swizzle
    Sw<3,3,3> o 0 o (8,64):(64,1)                                 ComposedLayout
    Sw<3,4,3> o smem_ptr[16b](unset) o (8,64):(64,1)              the same: this one counts bytes
    smem_ptr[16b](0x400) o (8,64):(64,1)                          Layout: a tensor, as C++ prints it
    64:1 o -8 o Sw<2,0,3>   Sw<2,0,3> o 4 o 64:1 o -8 o Sw<2,0,3>  ComposedLayout, of any maps, nested
    18 + (2,4):(1,8)   (1,2) + (2,4):(1@0,1@1)   18 + (4:1)       View: what a thread sees, and from where
    8  _8  Int<8>  C<8>  _8{}                                     int
    (4,(2,2))  Shape<_4,Shape<_2,_2>>  tuple<C<4>,...>  (6)       tuple
    _  Underscore                                                 None
    N  2*K  8*K+1                                                 Dim, parameters from 1 on
    ?  ?{div=8}  ?{i64 div=8}                                     Dim: d0, 8*d0 (CuTe DSL: known at run time)
    2@0  1@0@1  ScaledBasis<_2,0>  E<1,0>                         ScaledBasis
    <4:1,(2,4):(1,8)>  (4:1,2,_)  Tile<_32,_,_16>  16,4:1,_       tiler: a tuple of ints, layouts and None

Parentheses always make a tuple: `(6)` is a tuple of one, as in CuTe's prints.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from ..basis import ScaledBasis
from ..dim import Dim, dims
from ..errors import LayoutError, NotationError
from ..inttuple import show
from ..layout import Layout
from ..swizzle import ComposedLayout, Swizzle, as_offset
from ..view import View
from .complaint import complaint
from .pointer import NO_SWIZZLE, Pointer, Units, read_pointer
from .tree import Node, syntax_tree

_MOST_DIGITS = 4000  # CPython refuses to read longer integers

# C++ names, without namespace, of the same thing
_TUPLES = {
    "Shape",
    "Stride",
    "Coord",
    "Step",
    "Tile",
    "Tiler",
    "tuple",
    "IntTuple",
    "ArithmeticTuple",
    "ArithTuple",
}
_INTEGERS = {"Int", "C", "I", "constant", "integral_constant"}
_SWIZZLES = {"Sw", "S", "Swizzle"}
_UNDERSCORES = {"Underscore", "X"}
_TYPES = _TUPLES | _INTEGERS - {"C", "I"} | _SWIZZLES - {"S"} | {"Layout", "ComposedLayout", "ScaledBasis"}
_QUESTION = re.compile(r"\?(?:\{\s*(?:i\d+)?\s*(?:div\s*=\s*([1-9]\d{0,17}))?\s*\})?")


class Reader:
    """Reads the trees of one text. `symlayout eval` derives from it and adds names and calls."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.asked = 0  # how many '?' had to be given a name
        self.values: Mapping[str, Any] = {}  # of names, where more is known than that they are 1 or more
        self.units: list[Units] = []  # in what the swizzles of the text count

    def wrong(self, node: Node, message: str) -> NotationError:
        return complaint(self.text, node.column, message)

    def read(self, node: Node) -> Any:
        method: Callable[[Node], Any] = getattr(self, "read_" + node.kind)
        return method(node)

    def read_list(self, node: Node) -> Any:
        """The whole text: one item, or several as the entries of a tiler."""
        if len(node.parts) == 1:
            return self.read(node.parts[0])
        return tuple([self.read(part) for part in node.parts])

    def read_number(self, node: Node) -> int:
        digits = node.parts.lstrip("_").rstrip("uUlL")
        if len(digits) > _MOST_DIGITS:
            raise self.wrong(node, f"an integer of {len(digits)} digits")
        return int(digits)

    def read_underscore(self, node: Node) -> None:
        return None

    def read_name(self, node: Node) -> Any:
        name = _base(node.parts)
        if name in _UNDERSCORES:
            return None
        if name != node.parts or name in _TYPES:
            raise self.wrong(node, f"unknown name {node.parts!r}")
        return self.values[name] if name in self.values else dims(name)

    def read_question(self, node: Node) -> Any:
        """An integer known at run time: a parameter of its own, times what its `div=` says."""
        found = _QUESTION.fullmatch(node.parts)
        if found is None:
            raise self.wrong(node, "expected ?, ?{div=8} or ?{i64 div=8}")
        name = f"d{self.asked}"
        while re.search(rf"\b{name}\b", self.text):
            self.asked += 1
            name = f"d{self.asked}"
        self.asked += 1
        return dims(name) * int(found[1] or 1)

    def read_operation(self, node: Node) -> Any:
        sign, *parts = node.parts
        a, b = (self.read(part) for part in parts)
        if sign == "+" and isinstance(_bare(b), _MAPS):
            return View(self.offset(parts[0]), _bare(b))
        for value, part in zip((a, b), parts, strict=True):
            if not isinstance(value, (int, Dim)) and not (sign == "*" and isinstance(value, ScaledBasis)):
                raise self.wrong(part, f"expected a number or a name beside {sign!r}; found {kind_of(value)}")
        if sign == "*" and isinstance(a, ScaledBasis) and isinstance(b, ScaledBasis):
            raise self.wrong(node, "two basis strides have no product")
        return a * b if sign == "*" else a + b if sign == "+" else a - b

    def read_negative(self, node: Node) -> Any:
        value = self.read(node.parts)
        if not isinstance(value, (int, Dim)):
            raise self.wrong(node, f"expected a number or a name after '-'; found {kind_of(value)}")
        return -value

    def read_tuple(self, node: Node) -> Any:
        return tuple([self.read(part) for part in node.parts])

    read_angles = read_tuple

    def read_basis(self, node: Node) -> ScaledBasis:
        value = self.read(node.parts[0])
        if isinstance(value, tuple) and len(value) == 1:  # `(K+1)@0`
            value = value[0]
        if not isinstance(value, (int, Dim)):
            raise self.wrong(node.parts[0], f"expected an integer before '@'; found {kind_of(value)}")
        modes = [self.integer(part, "a mode number") for part in node.parts[1]]
        for mode, part in zip(modes, node.parts[1], strict=True):
            if not 0 <= mode < 1000:
                raise self.wrong(part, f"{mode} is not a mode number")
        return ScaledBasis(value, tuple(reversed(modes)))  # CuTe prints the innermost mode first

    def read_layout(self, node: Node) -> Layout | View:
        shape_node, stride_node = node.parts
        if _is_begin_of_view(shape_node):  # `18 + (2,4):(1,8)`: no shape is the sum of a number and a tuple
            _, offset, shape_node = shape_node.parts
            return View(self.offset(offset), self.read_layout(Node("layout", (shape_node, stride_node), 0)))
        shape = self.shape(shape_node)
        return self.layout(stride_node, shape, self.strides(stride_node))

    def read_pointer(self, node: Node) -> Any:
        raise self.wrong(node, "a pointer alone is not a tensor: smem_ptr[16b](0x400) o (8,64):(64,1)")

    read_pointed = read_pointer

    def read_chain(self, node: Node) -> Any:
        """Maps and offsets in turn, `A o x o B o y o C`; `S o L` is short for `S o 0 o L`. Or a layout at a
        pointer, perhaps behind a swizzle of addresses."""
        nodes = [part for n in node.parts for part in (n.parts if n.kind == "pointed" else [n])]
        parts = [read_pointer(n.parts) if n.kind == "pointer" else _bare(self.read(n)) for n in nodes]
        if any(isinstance(part, Pointer) for part in parts):
            return self._at_a_pointer(node, parts)
        if isinstance(parts[0], View):  # `18 + Sw<3,3,3> o 0 o L`: the sum of all that follows
            view, parts[0] = parts[0], parts[0].layout
            return View(view.offset, self._chain(node, nodes, parts))
        return self._chain(node, nodes, parts)

    def _chain(self, node: Node, nodes: list[Node], parts: list[Any]) -> ComposedLayout:
        if len(parts) == 2 and isinstance(parts[0], Swizzle):
            parts.insert(1, 0)
            nodes.insert(1, nodes[0])
        if len(parts) % 2 == 0 or not all(isinstance(part, _MAPS) for part in parts[::2]):
            raise self.wrong(
                node, "a composed layout reads `swizzle o offset o layout`: Sw<3,3,3> o 0 o (8,64):(64,1)"
            )
        found = parts[-1]
        for k in range(len(parts) - 2, 0, -2):
            if not isinstance(parts[k], (int, Dim, tuple)) or not _all_leaves(parts[k], (int, Dim)):
                raise self.wrong(nodes[k], f"the offset {show(parts[k])} is not an integer or a coordinate")
            found = ComposedLayout(parts[k - 1], parts[k], found)
        self.units += [Units(part, part) for part in parts if isinstance(part, Swizzle)]
        result: ComposedLayout = found
        return result

    def offset(self, node: Node) -> Any:
        """Where a view begins: an integer or a coordinate."""
        value = self.read(node)
        if not _all_leaves(value, (int, Dim)):
            raise self.wrong(node, f"expected an offset, like 18 or (1,2); found {kind_of(value)}")
        return as_offset(value)

    def _at_a_pointer(self, node: Node, parts: list[Any]) -> Any:
        """A layout at a pointer, and in front of it a swizzle of the address, which counts bytes."""
        swizzle, pointer, layout = parts if len(parts) == 3 else (NO_SWIZZLE, *parts[-2:])
        of_a_tensor = isinstance(swizzle, Swizzle) and isinstance(pointer, Pointer)
        if not of_a_tensor or not isinstance(layout, Layout) or len(parts) > 3:
            raise self.wrong(
                node, "a tensor reads `swizzle o pointer o layout`: Sw<3,4,3> o smem_ptr[16b](unset) o 8:1"
            )
        try:
            in_elements, offset = pointer.places(swizzle)
        except LayoutError as error:
            raise self.wrong(node, str(error)) from None
        self.units.append(Units(swizzle, in_elements, pointer))
        if in_elements.b == 0 and offset == 0:
            return layout
        return ComposedLayout(in_elements, offset, layout)

    def read_template(self, node: Node) -> Any:
        """C++ type text `Name<...>`."""
        name, arguments = _base(node.parts[0]), node.parts[1]
        if name in _TUPLES:
            return tuple([self.read(part) for part in arguments])
        if name in _INTEGERS:
            if not arguments or len(arguments) > 2:
                raise self.wrong(node, f"{name}<...> takes one integer")
            return self.integer(arguments[-1], "an integer")  # integral_constant<int, 4> names the type first
        if name in _SWIZZLES:
            return self.swizzle(node, arguments)
        if name == "Layout":
            return self.layout_type(node, arguments)
        if name == "ComposedLayout" and len(arguments) == 3:
            return self.read_chain(Node("chain", arguments, node.column))
        if name in ("ScaledBasis", "E"):
            numbers = [self.integer(part, "an integer") for part in arguments]
            value, modes = (1, numbers) if name == "E" else (numbers[0] if numbers else 1, numbers[1:])
            if not modes:
                raise self.wrong(node, f"{name}<...> names no mode")
            return ScaledBasis(value, tuple(modes))
        raise self.wrong(
            node, f"unknown type {node.parts[0]}<...>; known are Layout, Shape, Stride, Tile, Int, Swizzle"
        )

    def read_call(self, node: Node) -> Any:
        raise self.wrong(
            node, "a function call is not a notation of a layout; `symlayout eval` evaluates calls"
        )

    read_index = read_call
    read_method = read_call

    def read_keyword(self, node: Node) -> Any:
        raise self.wrong(node, f"`{node.parts[0]}=` belongs into a function call")

    # --- parts that must be of one kind ---

    def integer(self, node: Node, role: str) -> int:
        value = self.read(node)
        if not isinstance(value, int):
            raise self.wrong(node, f"expected {role}; found {kind_of(value)}")
        return value

    def shape(self, node: Node) -> Any:
        """A shape: integers of at least 1, nested."""
        value = self.read(node)
        self._check_sizes(node, value, "a size, an integer", ())
        return value

    def tiler(self, node: Node) -> Any:
        """A tiler: integers of at least 1, layouts and `_`, nested."""
        value = self.read(node)
        self._check_sizes(node, value, "a tiler: an integer, a layout or '_'", (Layout, type(None)))
        return value

    def _check_sizes(self, node: Node, value: Any, expected: str, others: tuple[type, ...]) -> None:
        if isinstance(value, tuple):
            parts = node.parts if node.kind in ("tuple", "angles") else None
            if node.kind == "template" and _base(node.parts[0]) in _TUPLES:
                parts = node.parts[1]
            for i, entry in enumerate(value):
                self._check_sizes(parts[i] if parts is not None else node, entry, expected, others)
        elif isinstance(value, int):
            if value < 1:
                raise self.wrong(node, f"{value} is not a size: sizes are 1 or more")
        elif isinstance(value, Dim):
            if not _surely_positive(value):
                raise self.wrong(node, f"{value} is not a size where it is 0 or less: sizes are 1 or more")
        elif not isinstance(value, others):
            raise self.wrong(node, f"expected {expected}; found {kind_of(value)}")

    def strides(self, node: Node) -> Any:
        value = self.read(node)
        if not _all_leaves(value, (int, Dim, ScaledBasis)):
            raise self.wrong(node, f"expected strides, integers like 8 or 1@0; found {kind_of(value)}")
        return value

    def layout(self, node: Node, shape: Any, stride: Any) -> Layout:
        try:
            return Layout(shape, stride)
        except LayoutError as error:
            raise self.wrong(node, str(error).removeprefix("Layout: ")) from None

    def layout_type(self, node: Node, arguments: list[Node]) -> Layout:
        if not 1 <= len(arguments) <= 2:
            raise self.wrong(node, "Layout<Shape,Stride> takes a shape and, unless compact, strides")
        shape = self.shape(arguments[0])
        return self.layout(arguments[-1], shape, self.strides(arguments[1]) if len(arguments) == 2 else None)

    def swizzle(self, node: Node, arguments: list[Node]) -> Swizzle:
        if len(arguments) != 3:
            raise self.wrong(node, f"a swizzle has three numbers, Sw<B,M,S>; found {len(arguments)}")
        numbers = [self.integer(part, "an integer") for part in arguments]
        if max(map(abs, numbers)) > 1000:
            raise self.wrong(node, "a swizzle that shifts by more than 1000 bits")
        return Swizzle(*numbers)


_MAPS = (Layout, ComposedLayout, Swizzle)


def _bare(value: Any) -> Any:
    """The map inside `(A o 0 o B)`: parentheses make a tuple of one, and in a chain or a sum the map alone is
    meant."""
    return value[0] if isinstance(value, tuple) and len(value) == 1 and isinstance(value[0], _MAPS) else value


def _is_begin_of_view(node: Node) -> bool:
    return node.kind == "operation" and node.parts[0] == "+" and node.parts[2].kind == "tuple"


def _surely_positive(size: Dim) -> bool:
    return (size >= 1) is True


def _base(name: str) -> str:
    """The name without namespaces: `cute::Layout` is `Layout`."""
    return name.rpartition("::")[2]


def _all_leaves(value: Any, kinds: tuple[type, ...]) -> bool:
    if isinstance(value, tuple):
        return all(_all_leaves(x, kinds) for x in value)
    return isinstance(value, kinds)


def kind_of(value: Any) -> str:
    """What a reader would call the value, with its text: `the layout 4:1`, `the tuple (1,2)`, `'_'`."""
    if value is None:
        return "'_'"
    if isinstance(value, bool):
        return "true" if value else "false"
    names = {
        Layout: "layout",
        ComposedLayout: "composed layout",
        Swizzle: "swizzle",
        ScaledBasis: "basis stride",
        View: "view",
    }
    for cls, name in names.items():
        if isinstance(value, cls):
            return f"the {name} {value}"
    if isinstance(value, tuple):
        what = "tuple" if _all_leaves(value, (int, Dim, ScaledBasis)) else "tiler"
        return f"the {what} {show(value)}"
    if isinstance(value, Dim):
        return f"the size {value}"
    return f"the integer {value}" if isinstance(value, int) else repr(value)


def read_tree(reader: Reader, text: str) -> Any:
    """What `reader` makes of its text; thousands of calls one after the other are refused like bad text."""
    try:
        return reader.read(syntax_tree(text))
    except RecursionError:
        raise complaint(text, 0, "too many calls on the result of calls") from None


def read_text(text: str) -> Any:
    """The value that `text` stands for; see the table above."""
    return read_tree(Reader(text), text)
