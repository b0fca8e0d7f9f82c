"""wgmma's fragments found out of a machine: on the emulator, on machines that do something else, and the text
of every instruction."""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from gpu.cli import main
from gpu.element import Array
from gpu.replay import replay
from gpu.wgmma import compile as wgmma_compile
from gpu.wgmma import operands as wgmma_operands
from gpu.wgmma.compile import cubins
from gpu.wgmma.device import defines
from gpu.wgmma.emulator import WgmmaEmulator
from gpu.wgmma.operands import byte_of, memory, names, registers, wgmma_atom
from gpu.wgmma.wgmma import discover_wgmma, predictions
from symlayout import UnsupportedError
from symlayout.atoms.atom import MmaAtom

ROOT = Path(__file__).parent.parent.parent
SOME = [name for name in names() if re.match(r"SM90_64x(8|24|96|256)x", name)]
HALF = "SM90_64x16x16_F32F16F16_RS"


def test_every_type_and_every_n_is_asked() -> None:
    sizes: dict[str, list[int]] = {}
    for name in names():
        m, n, _ = wgmma_atom(name).shape_mnk
        assert m == 64
        sizes.setdefault(name.split("_")[2], []).append(n)
    integer = [8, 16, 24, *range(32, 257, 16)]
    assert len(sizes) == 16
    assert all(
        found == (integer if types.startswith("S32") else list(range(8, 257, 8)))
        for types, found in sizes.items()
    )


@pytest.mark.parametrize("name", SOME)
def test_the_emulator_is_found_to_do_what_cute_and_the_manual_say(name: str) -> None:
    atom = wgmma_atom(name)
    found = discover_wgmma(atom, WgmmaEmulator())
    assert found.agree
    assert found.first == ""
    assert found.control > found.products // 2
    assert found.asked == 64 * sum(atom.shape_mnk[1:])


def test_what_is_found_is_cutes_layout() -> None:
    found = discover_wgmma(wgmma_atom("SM90_64x128x32_F16E4M3E5M2_RS_TN"), WgmmaEmulator()).found
    assert found == (
        "C ((4,8,4),(2,2,16)):((128,1,16),(64,8,512)), A ((4,8,4),(4,2,2)):((256,1,16),(64,8,1024))"
    )


# ── machines that do something else ────────────────────────────────────────────────────────────────────────


class OtherAccumulators(WgmmaEmulator):
    """Exchanges the accumulators 1 and 2 of every thread."""

    def held(self, atom: MmaAtom) -> tuple[Array, Array]:
        order = np.arange(atom.layout_C[1].size())
        order[[1, 2]] = 2, 1
        row, column = super().held(atom)
        return row[:, order], column[:, order]


class OtherRegisters(WgmmaEmulator):
    """Exchanges the registers 1 and 2 of A."""

    def from_registers(self, atom: MmaAtom, a: Array, b: Array, d: Array) -> Array:
        return super().from_registers(atom, np.ascontiguousarray(a[..., [0, 2, 1, 3]]), b, d)


class OtherColumns(WgmmaEmulator):
    """Takes the first two columns k of B for each other when A is in registers."""

    def from_registers(self, atom: MmaAtom, a: Array, b: Array, d: Array) -> Array:
        halves = b.view("<u2").copy()
        at = byte_of(np.arange(atom.shape_mnk[1])[:, None], np.arange(2), 16) // 2
        halves[:, at] = halves[:, at[:, ::-1]]
        return super().from_registers(atom, a, halves.view("<u4"), d)


class Overwriting(WgmmaEmulator):
    """Gives A*B without what D held."""

    def _add(self, atom: MmaAtom, a: Array, b: Array, d: Array) -> Array:
        return super()._add(atom, a, b, np.zeros_like(d))


class Deaf(WgmmaEmulator):
    """Leaves D as it was."""

    def _add(self, atom: MmaAtom, a: Array, b: Array, d: Array) -> Array:
        return d


def test_exchanged_accumulators_are_found_and_named() -> None:
    found = discover_wgmma(wgmma_atom(HALF), OtherAccumulators())
    assert (found.agree, found.cute, found.manual) == (False, False, False)
    assert found.first == "C of thread 0, value 1: seen (8,0), CuTe (0,1), PTX ISA (0,1); 256 places differ"
    assert found.wrong == 0  # the product is right in the order that was found


def test_exchanged_registers_of_a_are_found_and_named() -> None:
    found = discover_wgmma(wgmma_atom(HALF), OtherRegisters())
    assert (found.agree, found.cute, found.manual) == (False, False, False)
    assert found.first.startswith("A of thread 0, value 2: seen (0,8), CuTe (8,0), PTX ISA (8,0)")
    assert found.found.startswith("C ((4,8,4),(2,2,2)):((128,1,16),(64,8,512))")


def test_a_column_that_memory_and_registers_name_differently_is_found() -> None:
    found = discover_wgmma(wgmma_atom(HALF), OtherColumns())
    assert not found.agree
    assert found.first.startswith("A of thread 0, value 0: seen (0,1), CuTe (0,0)")


def test_a_machine_that_does_not_add_is_found_by_the_product() -> None:
    found = discover_wgmma(wgmma_atom(HALF), Overwriting())
    assert found.cute
    assert found.manual
    assert found.wrong > found.products // 2
    assert not found.agree


def test_a_machine_that_does_nothing_names_nothing() -> None:
    found = discover_wgmma(wgmma_atom(HALF), Deaf())
    assert not found.agree
    assert found.first.startswith("C of thread 0, value 0: seen none, CuTe (0,0)")
    assert found.wrong == found.products
    assert "no layout" in found.found


def test_strides_taken_for_each_other_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    class OtherStrides(WgmmaEmulator):
        def from_memory(self, atom: MmaAtom, a: Array, b: Array, d: Array) -> Array:
            with monkeypatch.context() as other:
                other.setattr(wgmma_operands, "LEADING", 256)
                other.setattr(wgmma_operands, "STRIDE", 128)
                return super().from_memory(atom, a, b, d)

    assert not discover_wgmma(wgmma_atom(HALF), OtherStrides()).agree


# ── operands and instruction text ──────────────────────────────────────────────────────────────────────────


def test_where_shared_memory_holds_an_element() -> None:
    tile = np.zeros((16, 16), dtype=np.int64)
    tile[9, 11] = 1
    image = memory("half_t", tile).view("<u2")
    # second eight rows: 256 bytes; second core matrix along K: 128; row 1 of it: 16; column 3 of it: 6
    assert list(np.flatnonzero(image)) == [(256 + 128 + 16 + 6) // 2]
    assert image.max() == 0x3C00


def test_registers_are_filled_from_the_low_bits_up() -> None:
    values = np.array([1, 0, 0, 0, 0, 2, 0, 0])
    assert list(registers("int8_t", values)) == [1, 2 << 8]


@pytest.mark.parametrize(
    "name, in_memory, in_registers",
    [
        ("SM90_64x8x16_F16F16F16_RS", "m64n8k16.f16.f16.f16 {%0, %1}, %2, %3, add, 1, 1, 0, 0;",
         "m64n8k16.f16.f16.f16 {%0, %1}, {%2, %3, %4, %5}, %6, add, 1, 1, 0;"),
        ("SM90_64x8x8_F32TF32TF32_RS_TN", "m64n8k8.f32.tf32.tf32 {%0, %1, %2, %3}, %4, %5, add, 1, 1;",
         "m64n8k8.f32.tf32.tf32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, %8, add, 1, 1;"),
        ("SM90_64x8x32_S32U8S8_RS_TN", "m64n8k32.s32.u8.s8 {%0, %1, %2, %3}, %4, %5, add;",
         "m64n8k32.s32.u8.s8 {%0, %1, %2, %3}, {%4, %5, %6, %7}, %8, add;"),
    ],
)  # fmt: skip
def test_the_text_of_an_instruction(name: str, in_memory: str, in_registers: str) -> None:
    filled = defines(wgmma_atom(name))
    for key, text in (("FROM_MEMORY", in_memory), ("FROM_REGISTERS", in_registers)):
        assert filled[key] == f'"wgmma.mma_async.sync.aligned.{text}\\n"'


def test_every_operand_of_every_instruction_is_bound() -> None:
    for name in names():
        filled = defines(wgmma_atom(name))
        count = int(filled["C_REGS"])
        letter = "f" if filled["ACC"] == "float" else "r"
        assert filled["C_OPERANDS"].count(f'"+{letter}"(c[') == count
        for key, inputs in (("FROM_MEMORY", 2), ("FROM_REGISTERS", 5)):
            used = [int(x) for x in re.findall(r"%(\d+)", filled[key])]
            assert used == list(range(count + inputs))


def test_other_atoms_are_refused() -> None:
    for name in ("SM90_64x8x16_F32F16F16_SS", "SM80_16x8x16_F32F16F16F32_TN"):
        with pytest.raises(UnsupportedError, match="is not a dense wgmma with A in registers"):
            wgmma_atom(name)


# ── binaries ───────────────────────────────────────────────────────────────────────────────────────────────


class FakeCompiler:
    """Stands for `cupy.cuda.nvrtc`: a program's binary is its text with the options."""

    class NVRTCError(RuntimeError):
        pass

    def __init__(self) -> None:
        self.compiled: list[str] = []

    def getVersion(self) -> tuple[int, int]:
        return 13, 2

    def createProgram(
        self, text: str, name: str, headers: tuple[str, ...], names: tuple[str, ...]
    ) -> list[str]:
        return [text]

    def compileProgram(self, program: list[str], options: tuple[str, ...]) -> None:
        if program[0] == "bad":
            raise self.NVRTCError("NVRTC")
        self.compiled.append(program[0])
        program.extend(options)

    def getCUBIN(self, program: list[str]) -> bytes:
        return " ".join(program).encode()

    def getProgramLog(self, program: list[str]) -> str:
        return "kernel.cu(1): error\n\0"

    def destroyProgram(self, program: list[str]) -> None:
        program.clear()


@pytest.fixture
def compiler(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> FakeCompiler:
    fake = FakeCompiler()
    monkeypatch.setattr(wgmma_compile, "cupy", lambda: SimpleNamespace(cuda=SimpleNamespace(nvrtc=fake)))
    monkeypatch.setattr(wgmma_compile, "_folder", lambda: tmp_path)
    return fake


def test_binaries_are_compiled_once_for_the_architecture_and_kept(compiler: FakeCompiler) -> None:
    files = cubins("sm_90a", ["x", "y"])
    assert [f.read_bytes() for f in files] == [b"x -arch=sm_90a -std=c++17", b"y -arch=sm_90a -std=c++17"]
    assert cubins("sm_90a", ["y", "z"])[0] == files[1]
    assert compiler.compiled == ["x", "y", "z"]
    assert cubins("sm_100a", ["x"])[0] != files[0]


def test_what_does_not_compile_is_said_and_not_kept(compiler: FakeCompiler) -> None:
    for _ in range(2):
        with pytest.raises(UnsupportedError, match="does not compile this kernel for sm_90a: NVRTC\nkernel"):
            cubins("sm_90a", ["bad"])


# ── the command, and what it records ───────────────────────────────────────────────────────────────────────


def gpu(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "gpu", "wgmma", *words]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_the_command_and_its_patterns() -> None:
    done = gpu("SM90_64x8x*_F32F16F16_RS", HALF, "--backend", "emulator", "--format", "json")
    assert done.returncode == 0, done.stderr
    assert [row["name"] for row in json.loads(done.stdout)["wgmma"]] == ["SM90_64x8x16_F32F16F16_RS", HALF]
    done = gpu("SM90_64x*x16_F32BF16BF16_RS", "--backend", "emulator")
    assert "│ m64nNk16.f32.bf16.bf16 │ 8..256 (32) │" in done.stdout
    assert "not hardware), 0 not as predicted" in done.stdout


@pytest.mark.parametrize("name", ["SM90_64x12x16_F32F16F16_RS", "SM80_*", "nonsense"])
def test_a_name_that_is_none_is_refused(name: str) -> None:
    done = gpu(name, "--backend", "emulator")
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert done.stderr.startswith("symlayout: ")


@pytest.mark.skipif(importlib.util.find_spec("cupy") is not None, reason="there is CuPy here")
def test_without_a_device_one_sentence() -> None:
    done = gpu(HALF)
    assert done.returncode == 3
    assert "no CuPy here" in done.stderr


def test_a_machine_that_does_something_else_ends_with_4(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("gpu.cli.wgmma.WgmmaEmulator", OtherAccumulators)
    with pytest.raises(SystemExit) as stop:
        main(["wgmma", HALF, "--backend", "emulator"])
    assert stop.value.code == 4
    said = capsys.readouterr().out
    assert "DIFFERS" in said
    assert "m64n16k16.f32.f16.f16: C of thread 0, value 1: seen (8,0), CuTe (0,1)" in said


def test_what_is_recorded_is_replayed_and_a_change_is_found(tmp_path: Path) -> None:
    file = tmp_path / "wgmma.json"
    assert (
        gpu(HALF, "SM90_64x8x8_F32TF32TF32_RS_TN", "--backend", "emulator", "--record", str(file)).returncode
        == 0
    )
    assert replay(file).differing == ()
    content = json.loads(file.read_text())
    assert {row["seen"] for row in content["wgmma"]} == {
        predictions(row["name"])["manual"] for row in content["wgmma"]
    }
    first, second = content["wgmma"]
    first["seen"] = second["seen"]
    second["wrong"] = 1
    file.write_text(json.dumps(content))
    instruction = "wgmma.mma_async.sync.aligned"
    assert replay(file).differing == (
        f"{instruction}.m64n16k16.f32.f16.f16: the manual's formula says something else",
        f"{instruction}.m64n16k16.f32.f16.f16: CuTe's layout says something else than it did",
        f"{instruction}.m64n8k8.f32.tf32.tf32: 1 of 4096 products wrong, {second['control']} in the control",
    )
