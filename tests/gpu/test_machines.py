"""The kernels that ask the device, as text, and how what they give back is read, with a host in its place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from gpu.discovery import machines
from gpu.discovery.census import asked
from gpu.discovery.discover import discover
from gpu.discovery.machines import Silicon, module_text, modules, symbol
from gpu.discovery.moves import MOVES
from gpu.element import Array

HALF = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"


def test_every_instruction_has_its_kernel_in_a_module() -> None:
    groups = list(modules(asked()))
    assert Counter(name for group in groups for name in group) == Counter([*asked()])
    assert len({symbol(name) for name in asked()}) == len(asked())
    for group in groups:
        text = module_text(group)
        assert all(f"#define NAME {symbol(name)}\n" in text for name in group)


def test_the_probe_issues_the_instruction_itself() -> None:
    text = module_text([HALF])
    issued = f'"{HALF} {{%0, %1, %2, %3}}, {{%4, %5, %6, %7}}, {{%8, %9}}, {{%10, %11, %12, %13}};"'
    assert issued in text
    mixed = module_text(["mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32"])
    assert "#define ONE_A 56ull" in mixed  # 0x38, 1.0 of e4m3
    assert "#define ONE_B 60ull" in mixed  # 0x3C, 1.0 of e5m2


class HostArray(np.ndarray[Any, Any]):
    """What CuPy gives back, on the host."""

    def get(self) -> Array:
        return np.array(self)


HOST = SimpleNamespace(
    zeros=lambda n, dtype: np.zeros(n, dtype).view(HostArray),
    asarray=lambda a: np.array(a).view(HostArray),
    uint8=np.uint8,
    uint16=np.uint16,
)


def kernel_of(name: str) -> Callable[..., None]:
    """`moves.cu` and `copies.cu` on the host: memory and registers as the manual's table says."""
    move = MOVES[name]
    says = move.manual()

    def moves(grid: Any, block: Any, arguments: tuple[Any, ...]) -> None:
        given, out = arguments
        if move.defines["KIND"] == "STORE":
            out[:] = 0xFFFF
            out[says.reshape(-1)] = given
        else:
            out[:] = given[says.reshape(-1)]

    def copies(grid: Any, block: Any, arguments: tuple[Any, ...]) -> None:
        given, out, fill, size = arguments
        count = int(move.defines["BYTES"])
        own = np.arange(32 * count) % count
        out[:] = np.where(own < size, given, 0 if name.endswith("zfill") else fill)

    return copies if move.kernel == "copies" else moves


def host_silicon(kernels: dict[str, Callable[..., None]]) -> Silicon:
    silicon = Silicon.__new__(Silicon)
    silicon.cp, silicon._kernels, silicon._refused = HOST, dict(kernels), {}
    return silicon


@pytest.mark.parametrize("name", MOVES)
def test_what_a_kernel_gives_back_is_read_into_the_table(name: str) -> None:
    seen = host_silicon({name: kernel_of(name)}).moved(name)
    assert (seen == MOVES[name].manual()).all()


def test_bytes_that_do_not_come_are_not_taken_for_others() -> None:
    def lazy(grid: Any, block: Any, arguments: tuple[Any, ...]) -> None:
        kernel_of("cp.async.ca.8")(grid, block, arguments)
        arguments[1][5::8] = arguments[2]  # the sixth byte of each lane stays as it was

    row = discover("cp.async.ca.8", host_silicon({"cp.async.ca.8": lazy}))
    assert not row.as_expected
    assert "32 of 256, first lane 0, part 5: 5, seen -1" in row.unlike[0]


def test_a_refused_instruction_does_not_spoil_its_module() -> None:
    class Broken(Exception):
        pass

    class Module:
        def __init__(self, code: str, options: tuple[str, ...]) -> None:
            if "dp2a" in code:
                raise Broken("ptxas application ptx input, line 9; error   : '.hi/.lo' modifier required")

        def get_function(self, name: str) -> str:
            return name

    silicon = host_silicon({})
    silicon.cp = SimpleNamespace(
        RawModule=Module,
        cuda=SimpleNamespace(
            compiler=SimpleNamespace(CompileException=Broken),
            driver=SimpleNamespace(CUDADriverError=Broken),
            runtime=SimpleNamespace(free=lambda pointer: None),
        ),
    )
    silicon.prepare(asked())
    assert silicon._refused == {"dp2a.s32.s32": "ptxas: '.hi/.lo' modifier required"}
    assert {*silicon._kernels} == {*asked()} - {"dp2a.s32.s32"}
    assert machines.TOGETHER > 1
