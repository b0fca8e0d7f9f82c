"""Stores through `retile_S`, and C, on the emulator."""

from __future__ import annotations

import numpy as np
import pytest

from gpu.cases_of_c import EPILOGUES, FLOAT, HALF, SILENT_STORES, X4
from gpu.configuration import Configuration
from gpu.crosscheck import crosscheck
from gpu.element import Array
from gpu.emulator import Emulator
from gpu.report import exit_code, text
from gpu.store_plan import StorePlan, store_plan
from gpu.stores import observed_names
from symlayout import LayoutError, NotationError, UnsupportedError, prove
from symlayout.verdict import Refuted


@pytest.mark.parametrize("configuration", EPILOGUES, ids=str)
def test_epilogues_are_right_and_the_control_is_wrong(configuration: Configuration) -> None:
    check = crosscheck(*configuration.objects(), backend=Emulator())
    assert check.passed
    assert check.retile.right
    assert not check.beside.right


@pytest.mark.parametrize("configuration", SILENT_STORES, ids=str)
def test_silent_stores_are_wrong_as_predicted_and_the_proven_view_is_right(
    configuration: Configuration,
) -> None:
    check = crosscheck(*configuration.objects(), backend=Emulator())
    assert check.passed
    assert check.retile.wrong == check.retile.places // 2
    assert check.beside.title == "the proven right view"
    assert exit_code(check) == 1


@pytest.mark.parametrize("configuration", [*EPILOGUES, *SILENT_STORES], ids=str)
def test_the_prover_says_the_same(configuration: Configuration) -> None:
    mma, copy, operand, tensor, side = configuration.objects()
    plain = getattr(tensor, "layout", tensor)
    verdict = prove(copy.retile_correct(mma, operand, plain, side=side))
    assert isinstance(verdict, Refuted) == (store_plan(mma, copy, operand, tensor).wrong > 0)


def test_the_report_names_the_element_and_both_registers() -> None:
    report = text(crosscheck(*SILENT_STORES[0].objects(), backend=Emulator()))
    first = "C(0,8): the mma has it in thread 0, register 32, the copy stores thread 0, register 16"
    assert first in report
    assert "elements of C are wrong, as predicted" in report


@pytest.mark.parametrize("atoms", ["2,1,2", "1,1,4"])
@pytest.mark.parametrize("side", ["S", "D"])
def test_warps_along_k_hold_parts_of_one_sum(atoms: str, side: str) -> None:
    configuration = Configuration(HALF, "UniversalCopy<uint32_t>", "C", atoms=atoms, side=side)
    assert crosscheck(*configuration.objects(), backend=Emulator()).passed


def test_a_loaded_c_is_added_to() -> None:
    tensor = "(32,64):(72,1)"
    configuration = Configuration(HALF, "SM75_U32x4_LDSM_N", "C", tensor, permutation="16,16,16")
    check = crosscheck(*configuration.objects(), backend=Emulator())
    assert check.passed
    assert check.beside.products["random"][1] > 0


class Reversed(Emulator):
    """A machine whose stmatrix takes the registers in the other order."""

    def _stmatrix(self, plan: StorePlan, image: Array, words: Array, rows: Array) -> None:
        super()._stmatrix(plan, image, np.asarray(words[:, ::-1]), rows)


class Lazy(Emulator):
    """A machine that stores nothing."""

    def stored(self, plan: StorePlan, registers: Array, image: Array) -> Array:
        return image.copy()


@pytest.mark.parametrize("machine", [Reversed, Lazy])
def test_a_machine_that_does_something_else_is_a_disagreement(machine: type[Emulator]) -> None:
    check = crosscheck(*EPILOGUES[0].objects(), backend=machine())
    assert exit_code(check) == 4
    assert check.retile.first is not None
    assert check.retile.first.where == "C(0,0)"
    assert "DISAGREEMENT" in text(check)


def test_names_wider_than_an_element_are_stored_in_pieces() -> None:
    configuration = Configuration("SM80_16x8x32_S32S8S8S32_TN", X4, "A", "(32,64):(64,1)")
    plan = store_plan(*configuration.objects()[:4])
    assert plan.element.bits == 8
    assert plan.threads * plan.slots > 256
    assert (observed_names(plan, Emulator()) == plan.predicted).all()


REFUSED = [
    (
        Configuration(FLOAT, "SM75_U32x4_LDSM_N", "A", side="S"),
        UnsupportedError,
        "is not a store from registers",
    ),
    (Configuration(HALF, X4, "C", "(32,32):(36,1)", permutation="16,16,16"), LayoutError, "16-byte aligned"),
    (Configuration(HALF, "UniversalCopy<uint32_t>", "C", atoms="1,2,2", side="S"), LayoutError, "leaves the"),
    (Configuration(FLOAT, X4, "C", side="X"), NotationError, "is not a side of a copy"),
    (Configuration(FLOAT, X4, "D"), NotationError, "is not an operand"),
]


@pytest.mark.parametrize(("configuration", "error", "says"), REFUSED, ids=lambda x: str(x))
def test_what_cannot_be_stored_is_refused(
    configuration: Configuration, error: type[Exception], says: str
) -> None:
    with pytest.raises(error, match=says):
        crosscheck(*configuration.objects(), backend=Emulator())
