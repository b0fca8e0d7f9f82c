"""Real CuTe: the text that is generated, what is asked, recorded and replayed, and the headers' own word on
it where they are installed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest

from gpu.cute import cute
from gpu.cute.build import Toolchain, headers, toolchain
from gpu.cute.cases import CASES, PRODUCTION, SILENT, Case
from gpu.cute.device import Loaded
from gpu.cute.source import cpp
from gpu.cute.ways import Way, source_of, ways
from gpu.element import Array
from gpu.emulator import Emulator, numbers
from gpu.maps import grid
from gpu.reading import read, read_tensor
from gpu.records import write
from gpu.replay import replay
from symlayout import Layout, UnsupportedError, composition, tile_to_shape
from symlayout.errors import MissingPackage
from tests.bench.checks import cuda_headers, cute_headers

ROOT = Path(__file__).parent.parent.parent


class Numpy:
    """A machine without CuTe: ldmatrix by the PTX ISA's formulas, and a product of what is in its registers,
    each taken for the element that the MMA reads there."""

    name = "numpy"

    def run(self, case: str, way: Way, image: Array, other: Array) -> Loaded:
        plan = way.plan
        held = self.registers(way, image)
        kind = plan.mma.atom.type(plan.operand)
        value = np.zeros(plan.elements)
        with np.errstate(invalid="ignore"):  # names are not numbers
            value[way.wanted] = np.nan_to_num(numbers(kind, held))
            loaded, given = value[grid(plan.tensor)], numbers(kind, other)
            d = loaded @ given.T if plan.operand == "A" else given @ loaded.T
        return Loaded(held, d, str(way.fragment), self.view(way))

    def registers(self, way: Way, image: Array) -> Array:
        return Emulator().registers(way.plan, image)

    def view(self, way: Way) -> str:
        return str(way.plan.view)


def asked(case: Case, machine: Numpy) -> list[tuple[Way, cute.Seen]]:
    return [(way, cute.ask(machine, case, way)) for way in ways(case)]


def answers(case: Case, machine: Numpy) -> list[cute.Answer]:
    return [cute.compare(case, way, seen) for way, seen in asked(case, machine)]


@pytest.mark.parametrize("case", SILENT, ids=str)
def test_silent_failures_are_wrong_as_predicted_and_the_proven_view_is_right(case: Case) -> None:
    retile, right = answers(case, Numpy())
    assert (retile.kernel, right.kernel) == ("retile", "right_view")
    assert retile.as_predicted
    assert right.as_predicted
    assert retile.wrong == retile.registers // 2
    assert retile.d_wrong > retile.d_size // 4
    assert retile.first_wrong.startswith("thread 0, register ")
    assert (right.wrong, right.d_wrong) == (0, 0)


def test_d_goes_wrong_where_an_h200_was_seen_to_go_wrong() -> None:
    """Measured with CuTe on an H200 before there was a prediction: first at D(0,8), and at D(0,0)."""
    for case, first in ((SILENT[0], [0, 8]), (SILENT[1], [0, 8]), (SILENT[2], [0, 8]), (SILENT[3], [0, 0])):
        way = ways(case)[0]
        assert np.argwhere(way.predicted_d != way.right_d)[0].tolist() == first


@pytest.mark.parametrize("case", PRODUCTION, ids=str)
def test_production_kernels_are_right_in_either_order_of_their_registers(case: Case) -> None:
    found = answers(case, Numpy())
    assert [a.kernel for a in found] == ["retile", "swizzled"]
    assert all(a.as_predicted and not a.wrong and not a.d_wrong for a in found)


ATOMS: dict[
    str, tuple[str, tuple[int, int], str]
] = {  # atom of shared memory, tile, layout that it is read by
    "flash-attention 2 forward, head dim 32, V transposed": ("(8,32):(32,1)", (128, 32), "(32,128):(128,1)"),
    "flash-attention 2 forward, head dim 64, Q": ("(8,64):(64,1)", (128, 64), ""),
    "flash-attention 2 forward, head dim 128, K": ("(8,64):(64,1)", (64, 128), ""),
    "flash-attention 2 forward, head dim 256, V transposed": ("(8,64):(64,1)", (64, 256), "(256,64):(64,1)"),
    "flash-attention 2 backward, head dim 64, P transposed": (
        "(128,64):(64,1)",
        (128, 128),
        "(128,128):(128,1)",
    ),
    "CuTe tutorial sgemm_sm80 in half, A": ("(8,(8,8)):(8,(1,64))", (128, 64), ""),
    "reed-lau's multi-stage gemm, B": ("(8,32):(32,1)", (128, 32), ""),
    "CUTLASS 3 default for SM80, half, A": ("(8,32):(32,1)", (128, 32), ""),
    "CUTLASS 3 default for SM80, int8, B": ("(16,64):(64,1)", (128, 64), ""),
    "CUTLASS 3 default for SM80, tf32, B": ("(8,32):(32,1)", (128, 32), ""),
}


@pytest.mark.parametrize("case", PRODUCTION, ids=str)
def test_shared_memory_is_the_kernels_atom_tiled_to_its_tile(case: Case) -> None:
    atom, tile, transposed = ATOMS[case.name]
    layout = tile_to_shape(read(atom), tile)
    if transposed:
        layout = composition(layout, read(transposed))
    assert read_tensor(case.configuration.tensor).layout == layout


class Swapped(Numpy):
    """A machine whose registers have their halves exchanged in pairs."""

    def registers(self, way: Way, image: Array) -> Array:
        held = super().registers(way, image)
        return np.asarray(held.reshape(len(held), -1, 2)[:, :, ::-1].reshape(held.shape))


class OneOff(Numpy):
    """A machine with one other register in its last thread."""

    def registers(self, way: Way, image: Array) -> Array:
        held = super().registers(way, image).copy()
        held[-1, -1] ^= np.uint64(1)
        return held


class OtherView(Numpy):
    """CuTe with another view of the same registers."""

    def view(self, way: Way) -> str:
        return "(" + super().view(way)


class NoProduct(Numpy):
    """A machine whose mma does nothing."""

    def run(self, case: str, way: Way, image: Array, other: Array) -> Loaded:
        return super().run(case, way, image, other)._replace(d=np.full(way.shape_of_d, np.nan))


@pytest.mark.parametrize(
    ("machine", "says"),
    [
        (Swapped, "registers differ\n  first at thread 0, register 0: predicted B(0,0), observed B(0,1)"),
        (OneOff, ": 1 of 2048 registers differ\n  first at thread 31, register 63: "),
        (OtherView, "CuTe's view is ((("),
        (NoProduct, "512 of 512 elements of D differ\n  first at D(0,0): "),
    ],
)
def test_a_machine_that_does_something_else_is_noticed(machine: Callable[[], Numpy], says: str) -> None:
    retile, _ = answers(SILENT[1], machine())
    assert not retile.as_predicted
    assert any(says in line for line in retile.differing), retile.differing


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    """A results file of two cases; what is in it was made up by numpy."""
    two = [(case, asked(case, Numpy())) for case in (SILENT[1], PRODUCTION[8])]
    rests_on = {"device": "numpy", "nvcc": "none", "cutlass": "none"}
    write(tmp_path / "cute.json", cute.document(two, rests_on))
    return tmp_path / "cute.json"


def test_what_was_recorded_is_predicted_again(recorded: Path) -> None:
    replayed = replay(recorded)
    assert replayed.differing == ()
    assert replayed.results == 2


def _changed(path: Path, change: Callable[[dict[str, object], list[str]], None]) -> tuple[str, ...]:
    content = json.loads(path.read_text())
    entry = content["cute_registers"][0]
    change(entry["ways"][0], content["arrays"])
    write(path, content)
    return replay(path).differing


def test_a_changed_register_is_found(recorded: Path) -> None:
    def change(way: dict[str, object], arrays: list[str]) -> None:
        assert isinstance(way["registers"], int)
        names = cute.restored(arrays[way["registers"]])
        names[5] ^= 1
        way["registers"] = len(arrays)
        arrays.append(cute.stored(names))

    (line,) = _changed(recorded, change)
    assert line.startswith(f"{SILENT[1]}, retile_D: 1 of 2048 registers differ")
    assert "first at thread 0, register 5" in line


def test_missing_registers_another_view_and_another_d_are_found(recorded: Path) -> None:
    def change(way: dict[str, object], arrays: list[str]) -> None:
        way["registers"], way["view"], way["d"] = len(arrays), "64:1", len(arrays) + 1
        arrays += [cute.stored(np.arange(7)), cute.stored(np.zeros(512))]

    lines = _changed(recorded, change)
    assert len(lines) == 3
    assert "CuTe's view is 64:1, predicted (((4,2),2),1,4)" in lines[0]
    assert "2048 of 2048 registers differ\n  (7,) registers were seen" in lines[1]
    assert "elements of D differ\n  first at D(0," in lines[2]


def test_a_way_that_is_not_asked_any_more_is_found(recorded: Path) -> None:
    def change(way: dict[str, object], arrays: list[str]) -> None:
        way["kernel"] = "gone"

    (line,) = _changed(recorded, change)
    assert line.endswith("recorded are gone, right_view, asked today retile, right_view")


def test_types_are_spelled_as_cute_spells_them() -> None:
    assert cpp(Layout(((2, 4), 8), ((1, 16), 2))) == (
        "Layout<Shape<Shape<Int<2>,Int<4>>,Int<8>>,Stride<Stride<Int<1>,Int<16>>,Int<2>>>"
    )
    assert cpp(read_tensor("Sw<3,3,3> o 0 o (8,64):(64,1)")) == (
        "ComposedLayout<Swizzle<3,3,3>,Int<0>,Layout<Shape<Int<8>,Int<64>>,Stride<Int<64>,Int<1>>>>"
    )
    assert cpp(None) == "Underscore"
    with pytest.raises(UnsupportedError, match="no C"):
        cpp("text")


def test_packed_elements_are_refused() -> None:
    fours = replace(
        SILENT[0].configuration,
        mma="SM80_16x8x64_S32S4S4S32_TN", copy="SM75_U32x4_LDSM_N",
        operand="A", permutation="", tensor="(32,128):(128,1)",
    )  # fmt: skip
    with pytest.raises(UnsupportedError, match="4-bit elements"):
        source_of(ways(Case("int4", fours)))


FAKE = """#!/bin/sh
echo run >> {log}
case "$*" in --version) echo "Cuda compilation tools, release 13.0, V13.0.88"; exit 0;; esac
for last; do :; done
grep -q broken "$last" && {{ echo "t.cu(3): error: src failed to vectorize"; exit 1; }}
while [ "$1" != -o ]; do shift; done
cp "$last" "$2"
"""


@pytest.fixture
def tools(tmp_path: Path) -> Toolchain:
    """A compiler that copies, and headers that hold a version."""
    nvcc, include = tmp_path / "nvcc", tmp_path / "include"
    nvcc.write_text(FAKE.format(log=tmp_path / "log"))
    nvcc.chmod(0o755)
    for name in ("cute/tensor.hpp", "cutlass/version.h"):
        (include / name).parent.mkdir(parents=True)
        (include / name).write_text(
            "#define CUTLASS_MAJOR 4\n#define CUTLASS_MINOR 2\n#define CUTLASS_PATCH 0 \n"
        )
    return toolchain(tmp_path, nvcc, "sm_90a")


def test_texts_are_compiled_once_and_refusals_name_the_first_error(tools: Toolchain, tmp_path: Path) -> None:
    assert tools.about == {"nvcc": "13.0.88", "cutlass": "4.2.0", "arch": "sm_90a"}
    found = tools.compile_all({"good": "int x;", "bad": "broken"}, tmp_path / "build")
    assert isinstance(found["good"], Path)
    assert found["good"].read_text() == "int x;"
    assert "src failed to vectorize" in str(found["bad"])
    runs = (tmp_path / "log").read_text().count("run")
    assert tools.compile("int x;", tmp_path / "build") == found["good"]
    assert (tmp_path / "log").read_text().count("run") == runs
    assert tools.compile("int y;", tmp_path / "build") != found["good"]


def test_missing_headers_and_a_broken_nvcc_are_one_message(tmp_path: Path) -> None:
    with pytest.raises(MissingPackage, match="holds no cute/tensor"):
        headers(tmp_path)
    with pytest.raises(MissingPackage, match="not an nvcc that runs"):
        Toolchain(tmp_path / "none", tmp_path, "sm_90a").compile_all({"x": "y"}, tmp_path)


def test_the_command_without_a_gpu() -> None:
    command = [sys.executable, "-m", "gpu", "cute"]
    blind = {**os.environ, "CUDA_VISIBLE_DEVICES": ""}
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, env=blind)
    assert done.returncode == 3, done.stderr
    assert done.stderr.startswith("symlayout: no ")


HOST = [SILENT[2], PRODUCTION[0], PRODUCTION[2]]


@pytest.mark.skipif(not shutil.which("g++"), reason="needs g++")
@pytest.mark.skipif(
    not cute_headers() or not cuda_headers(), reason="needs nvidia-cutlass and CUDA's headers"
)
@pytest.mark.parametrize("case", HOST, ids=str)
def test_the_headers_say_the_same_on_the_host(case: Case, tmp_path: Path) -> None:
    """CuTe's layouts, where each thread's copies start, and, where the copy needs no GPU, what it writes."""
    found = ways(case)
    run = case.configuration.copy.startswith("UniversalCopy")
    lines = iter(_host_says(source_of(found), run, tmp_path))
    for way in found:
        assert next(lines).split() == [way.kernel, str(way.fragment), str(way.plan.view)]
        starts = way.plan.address if way.plan.address.ndim == 2 else way.plan.address[:, :, 0]
        for t in range(way.plan.threads):
            assert next(lines).split() == [str(x) for x in starts[:, t]]
            if run:
                assert next(lines).split() == [str(x) for x in way.plan.predicted[t]]
    assert list(lines) == []


def _host_says(unit: str, run: bool, folder: Path) -> list[str]:
    program, source = folder / "host", folder / "host.cpp"
    main = (Path(__file__).with_name("cute_host.cpp")).read_text()
    source.write_text(("#define RUN 1\n" if run else "") + unit + main)
    cuda = cuda_headers()
    build = ["g++", "-std=c++17", "-O0", "-w", f"-I{cute_headers()}", f"-I{cuda}", f"-I{cuda}/cccl"]
    done = subprocess.run(
        [*build, str(source), "-o", str(program)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[:2000]
    return subprocess.run([program], capture_output=True, text=True, check=True).stdout.splitlines()


def test_every_case_has_a_name_of_its_own_and_ten_are_of_production() -> None:
    assert len({case.name for case in CASES}) == len(CASES)
    assert len(PRODUCTION) == 10
    assert len({str(asdict(case.configuration)) for case in CASES}) == len(CASES)
