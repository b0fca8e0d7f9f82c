"""`--shrink`: the smallest configuration that fails in the same way."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ..errors import LayoutError, UnsupportedError
from ..inttuple import flatten_to_tuple, product_each, show, unflatten
from ..layout import Layout
from .configuration import Configuration, Request, read_tiler

if TYPE_CHECKING:
    from ..tiled_mma import TiledMMA

Command = TypeVar("Command", bound=Callable[..., Any])


def shrink_option(command: Command) -> Command:
    """The option `--shrink`, as argument `shrinks`."""
    return click.option(
        "--shrink",
        "shrinks",
        is_flag=True,
        help="Also name the smallest atoms, permutation and tensor with the same failure.",
    )(command)


def shrunk(request: Request, failure: Callable[[Configuration], str | None]) -> Request:
    """The smallest request with the failure that this one has; `failure` says which, None for none."""
    from ..shrink import smallest

    kind = failure(request.configuration(request.tiled_mma()))

    def fails(smaller: Request) -> bool:
        try:
            mma = smaller.tiled_mma()
            return _whole_tiles(smaller, mma) and failure(smaller.configuration(mma)) == kind
        except (LayoutError, UnsupportedError):
            return False  # CuTe makes nothing of it, which is another failure

    return smallest(request, simpler, fails)


def _whole_tiles(request: Request, mma: TiledMMA) -> bool:
    """Whether the tensor is made of whole tiles, as the larger one was."""
    tensor = request.read_tensor()
    if tensor == 0:
        return True
    sizes = product_each(tensor.shape if hasattr(tensor, "shape") else tensor)
    return all(s % t == 0 for s, t in zip(sizes, mma.tile_shape(request.operand), strict=True))


def simpler(request: Request) -> Iterator[Request]:
    """One option smaller, the largest steps first."""
    if request.atoms != "1,1,1":
        yield replace(request, atoms="1,1,1")
        for atoms in _smaller_list(request.atoms):
            yield replace(request, atoms=atoms)
    if request.permutation is not None:
        yield replace(request, permutation=None)
        tiler = read_tiler("--permutation", request.permutation)
        entries = tiler if isinstance(tiler, tuple) else (tiler,)
        for k, entry in enumerate(entries):
            for less in _smaller_entry(entry):
                changed = (*entries[:k], less, *entries[k + 1 :])
                yield replace(request, permutation=",".join("_" if x is None else show(x) for x in changed))
    tensor = request.read_tensor()
    if tensor != 0:
        if _elements(tensor) > _elements(request.tiled_mma().tile_shape(request.operand)):
            yield replace(request, tensor=None)
        for smaller in _smaller_tensor(tensor):
            yield replace(request, tensor=show(smaller))


def lines(before: Request, after: Request) -> list[str]:
    """What `--shrink` found, in words."""
    if before == after:
        return ["", "no smaller configuration fails in this way"]
    return ["", f"the smallest that fails in this way: {options(after)}"]


def options(request: Request) -> str:
    """The options that make the size, as they would be typed."""
    found = [] if request.atoms == "1,1,1" else [f"--atoms {request.atoms}"]
    found += [] if request.permutation is None else [f'--permutation "{request.permutation}"']
    found += [] if request.tensor is None else [f'--tensor "{request.tensor}"']
    return " ".join(found) or "one atom and its own tile"


def data(request: Request) -> dict[str, Any]:
    """The same for JSON."""
    return {"atoms": request.atoms, "permutation": request.permutation, "tensor": request.tensor}


def _elements(tensor: Any) -> int:
    shape = tensor.shape if hasattr(tensor, "shape") else tensor
    total = 1
    for s in flatten_to_tuple(shape):
        total *= s
    return total


def _parts(n: int) -> Iterator[int]:
    """What is left of a number without one of its small prime factors."""
    for p in (2, 3, 5, 7):
        if n % p == 0:
            yield n // p


def _smaller_list(text: str) -> Iterator[str]:
    numbers = text.split(",")
    if all(x.strip().isdigit() for x in numbers):
        for k, x in enumerate(numbers):
            for less in _parts(int(x)):
                yield ",".join([*numbers[:k], str(less), *numbers[k + 1 :]])


def _smaller_entry(entry: Any) -> Iterator[Any]:
    if entry is not None:
        yield None
    if isinstance(entry, int):
        yield from _parts(entry)
    if isinstance(entry, Layout):
        yield from _smaller_tensor(entry)


def _smaller_tensor(tensor: Any) -> Iterator[Any]:
    """A shape or a layout with one of its sizes divided."""
    shape = tensor.shape if isinstance(tensor, Layout) else tensor
    if not isinstance(shape, (int, tuple)):
        return  # a swizzled tensor stays as it is
    sizes = flatten_to_tuple(shape)
    for k, s in enumerate(sizes):
        for less in _parts(s):
            new = unflatten((*sizes[:k], less, *sizes[k + 1 :]), shape) if isinstance(shape, tuple) else less
            yield Layout(new, tensor.stride) if isinstance(tensor, Layout) else new
