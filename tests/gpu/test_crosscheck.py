"""The cross-check on the emulator: the same path that a GPU takes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from gpu.backend import Chain
from gpu.cases import ARTICLE, LAYOUTS, SILENT_FAILURES, X4
from gpu.configuration import Configuration
from gpu.crosscheck import crosscheck
from gpu.element import Array
from gpu.emulator import Emulator
from gpu.loads import observed_names
from gpu.plan import LoadPlan, load_plan
from gpu.report import exit_code, text
from symlayout import LayoutError, UnsupportedError

ROOT = Path(__file__).parent.parent.parent


@pytest.mark.parametrize("configuration", [*ARTICLE, *LAYOUTS], ids=str)
def test_right_views_are_right_and_the_control_is_wrong(configuration: Configuration) -> None:
    check = crosscheck(*configuration.objects(), backend=Emulator())
    assert check.passed
    assert check.retile.right
    assert not check.beside.right
    assert exit_code(check) == 0


@pytest.mark.parametrize("configuration", SILENT_FAILURES, ids=str)
def test_silent_failures_are_wrong_as_predicted_and_the_proven_view_is_right(
    configuration: Configuration,
) -> None:
    check = crosscheck(*configuration.objects(), backend=Emulator())
    assert check.passed
    assert check.retile.wrong == check.retile.places // 2
    assert check.beside.title == "the proven right view"
    assert check.beside.right
    assert exit_code(check) == 1


def test_the_report_names_thread_and_register() -> None:
    check = crosscheck(*SILENT_FAILURES[1].objects(), backend=Emulator())
    report = text(check)
    assert "thread 0, register 16: the mma reads B(8,0), the copy writes B(16,0)" in report
    assert "not hardware" in report


class Swapped(Emulator):
    """A machine whose ldmatrix exchanges the two halves of every register."""

    def _ldmatrix(self, plan: LoadPlan, image: Array, rows: Array) -> Array:
        words = super()._ldmatrix(plan, image, rows)
        return np.asarray(words >> np.uint64(16) | words << np.uint64(16) & np.uint64(0xFFFF0000))


class Deaf(Emulator):
    """A machine whose mma does nothing."""

    def accumulators(self, chain: Chain, a: Array, b: Array, c: Array) -> Array:
        return c


@pytest.mark.parametrize("machine", [Swapped, Deaf])
def test_a_machine_that_does_something_else_is_a_disagreement(machine: type[Emulator]) -> None:
    check = crosscheck(*ARTICLE[0].objects(), backend=machine())
    assert not check.passed
    assert exit_code(check) == 4
    assert "DISAGREEMENT" in text(check)


def test_names_wider_than_an_element_are_read_in_pieces() -> None:
    configuration = Configuration("SM80_16x8x32_S32S8S8S32_TN", X4, "A", "(32,64):(64,1)")
    plan = load_plan(*configuration.objects()[:4])
    assert plan.element.bits == 8
    assert plan.elements > 256
    assert (observed_names(plan, Emulator()) == plan.predicted).all()


def test_what_the_instruction_cannot_do_is_refused() -> None:
    half = "SM80_16x8x16_F32F16F16F32_TN"
    with pytest.raises(LayoutError, match="not 16-byte aligned"):
        crosscheck(*Configuration(half, X4, "A", "(16,32):(36,1)").objects(), backend=Emulator())
    with pytest.raises(LayoutError, match="src failed to vectorize"):
        crosscheck(*Configuration(half, X4, "A", "(16,16):(1,16)").objects(), backend=Emulator())
    with pytest.raises(UnsupportedError, match="bytes, and a block has"):
        crosscheck(*Configuration(half, X4, "A", "(16384,65536)").objects(), backend=Emulator())
    int4 = Configuration("SM80_16x8x64_S32S4S4S32_TN", "UniversalCopy<uint32_t>", "A")
    with pytest.raises(UnsupportedError, match="4-bit elements cannot be moved one by one"):
        crosscheck(*int4.objects(), backend=Emulator())
    with pytest.raises(UnsupportedError, match="is not a load from shared memory"):
        crosscheck(*Configuration(half, "SM90_U32x4_STSM_N", "A", side="D").objects(), backend=Emulator())


def test_the_command_line_of_a_plain_checkout() -> None:
    words = ["--mma", "SM80_16x8x16_F32F16F16F32_TN", "--copy", X4, "--operand", "A", "--format", "json"]
    command = [sys.executable, "-m", "gpu", "retile", *words, "--backend", "emulator"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["passed"] is True


def test_nothing_on_the_path_of_the_device_imports_z3_or_lark() -> None:
    code = (
        "import sys; from gpu.cli import gpu; from gpu.crosscheck import crosscheck;"
        "from gpu.cases import ARTICLE; from gpu.emulator import Emulator;"
        "crosscheck(*ARTICLE[0].objects(), backend=Emulator());"
        "print([m for m in ('z3', 'lark', 'cvc5') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "[]", done.stderr
