"""The two sides of a retile against plain enumeration, thread by thread and register by register."""

import pytest

from symlayout import Layout, LayoutError, atoms, make_identity_layout
from symlayout.copy_tiling import TiledCopy
from symlayout.delivery import project
from symlayout.tiled_copy import make_tiled_copy_A, make_tiled_copy_B, make_tiled_copy_C
from symlayout.tiled_mma import TiledMMA, make_tiled_mma

HMMA = "SM80_16x8x16_F32F16F16F32_TN"
SWAPPED = Layout((8, 2, 2), (1, 16, 8))


def wrong_by_walking(
    copy: TiledCopy, mma: TiledMMA, operand: str, shape: tuple[int, int], view: Layout
) -> tuple[int, tuple[int, int] | None]:
    """How many registers hold a wrong element after the copy, and the first (thread, value)."""
    fragment = mma.fragment(operand, shape)
    identity = make_identity_layout(shape)
    wrong, first = 0, None
    for t in mma.thread_ids():
        part = mma.get_slice(t).partition(operand, identity)
        reads = {fragment(i): part(i) for i in range(part.size())}
        given_part = copy.get_slice(t).partition_D(identity)
        for i in range(given_part.size()):
            if reads.get(view(i)) != given_part(i):
                wrong += 1
                first = first or (t, i)
    return wrong, first


CASES = [
    ("A", "SM75_U32x4_LDSM_N", HMMA, (1, 1, 1), None, (32, 32)),
    ("B", "SM75_U32x4_LDSM_N", HMMA, (1, 1, 1), (16, 8, 32), (32, 32)),
    ("B", "SM75_U32x4_LDSM_N", HMMA, (1, 1, 1), (16, SWAPPED, 16), (64, 32)),
    ("B", "UniversalCopy<uint32_t>", HMMA, (2, 2, 1), (32, SWAPPED, 16), (64, 32)),
    ("A", "UniversalCopy<uint32_t>", HMMA, (1, 1, 1), (Layout((16, 2, 2), (1, 32, 16)), 8, 16), (64, 16)),
    ("B", "SM75_U32x4_LDSM_N", HMMA, (1, 1, 1), (16, 8, Layout((16, 2, 2), (1, 32, 16))), (16, 64)),
    ("B", "UniversalCopy<half_t>", "SM70_8x8x4_F32F16F16F32_TN", (1, 1, 1), (8, SWAPPED, 4), (64, 8)),
    ("C", "UniversalCopy<float>", HMMA, (2, 1, 1), None, (64, 16)),
]
MAKE = {"A": make_tiled_copy_A, "B": make_tiled_copy_B, "C": make_tiled_copy_C}


@pytest.mark.parametrize("operand, atom, mma_name, atom_layout, permutation, shape", CASES)
def test_faults_are_those_of_a_plain_walk(
    operand: str,
    atom: str,
    mma_name: str,
    atom_layout: tuple[int, int, int],
    permutation: object,
    shape: tuple[int, int],
) -> None:
    mma = make_tiled_mma(mma_name, atom_layout, permutation)
    copy = MAKE[operand](atom, mma)
    delivery = copy.delivery(mma, operand, shape)
    wrong, first = wrong_by_walking(copy, mma, operand, shape, delivery.view)
    fault = delivery.fault
    assert delivery.wrong_registers == wrong
    assert (None if fault is None else (fault.thread, fault.index)) == first
    if fault is not None:
        assert delivery.fault_at(fault.thread, fault.index) == fault
        assert fault.total == len(mma.thread_ids()) * delivery.view.size()
    right = delivery.right_view()
    assert wrong_by_walking(copy, mma, operand, shape, right) == (0, None)
    assert right.shape == delivery.view.shape
    assert (right == delivery.view) == (wrong == 0)


def test_a_view_that_repeats_a_register_is_at_fault() -> None:
    mma = make_tiled_mma(HMMA)
    copy = make_tiled_copy_A("SM75_U32x1_LDSM_N", mma)
    delivery = copy.delivery(mma, "A", (16, 16))
    worse = type(delivery)(
        delivery.threads,
        delivery.delivered,
        delivery.expected,
        delivery.fragment,
        Layout(((2, 4), 1, 1), ((1, 0), 0, 0)),
    )
    assert worse.fault is not None
    assert (worse.fault.thread, worse.fault.index, worse.fault.slot) == (0, 2, 0)


def test_no_right_view_names_the_thread() -> None:
    """Registers of B dealt out as for C: lane 1 owns other elements."""
    mma = make_tiled_mma(HMMA)
    copy = make_tiled_copy_A(atoms.UniversalCopy("half_t"), mma)
    other = make_tiled_mma("SM80_16x8x16_F32F16F16F32_TN", (1, 1, 1), (Layout((2, 8), (8, 1)), 8, 16))
    with pytest.raises(LayoutError, match=r"no right view.*\n  thread \d+ is delivered"):
        copy.right_view(other, "A", (16, 16))


def test_project() -> None:
    identity = make_identity_layout((4, 8))
    assert (str(project(identity, 0)), str(project(identity, 1))) == ("(4,8):(1,0)", "(4,8):(0,1)")
    with pytest.raises(LayoutError, match="nested"):
        project(make_identity_layout(((2, 2), 8)), 0)
    with pytest.raises(LayoutError, match="is not a step"):
        project(Layout(4, 1), 0)
