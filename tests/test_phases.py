"""The layout of phases: how lanes, phases, warps and steps are cut, and when wide loads merge."""

import pytest

from symlayout import ComposedLayout, Layout, Swizzle, UnsupportedError, dims
from symlayout.phases import phases
from symlayout.smem import Access

D = dims("D")


def named(*bits: object, warps: int = 1) -> Layout:
    return Layout((((2,) * 5, warps), 3), ((tuple(bits), 512), 1024))


@pytest.mark.parametrize(
    "instruction, shape",
    [
        ("ldmatrix.x1", ((2, 2, 2), 1, 2, 3)),
        ("ldmatrix.x2", ((2, 2, 2), (2,), (2,), 3)),
        ("ldmatrix.x4", ((2, 2, 2), (2, 2), (2,), 3)),
        ("ld.shared.b64", ((2, 2, 2, 2), (2,), (2,), 3)),
        ("ld.shared.u32", ((2, 2, 2, 2, 2), 1, (2,), 3)),
        ("ld.shared.u8", ((2, 2, 2, 2, 2), 1, (2,), 3)),
    ],
)
def test_how_a_warp_is_cut(instruction: str, shape: object) -> None:
    layout, surely = phases(Access(instruction), named(16, 32, 64, 128, 256, warps=2))
    assert surely
    sizes = [layout[k].size() for k in range(4)]
    wanted = Layout(shape)
    assert sizes == [wanted[k].size() for k in range(4)]
    assert layout((1, 0, 0, 0)) == 16
    assert layout((0, 0, 1, 2)) == 512 + 2048


@pytest.mark.parametrize("bit", [0, 1])
def test_loads_merge_where_a_lane_names_what_its_neighbour_names(bit: int) -> None:
    strides = [16, 32, 64, 128, 256]
    strides[bit] = 0
    for wrap in (lambda x: x, lambda x: ComposedLayout(Swizzle(3, 4, 3), 0, x)):
        layout, surely = phases(Access("ld.shared.v4.u32"), wrap(named(*strides)))
        assert surely
        assert layout[0].size() == 16
        assert phases(Access("st.shared.v4.u32"), wrap(named(*strides)))[0][0].size() == 8
    assert phases(Access("ld.shared.u32"), named(*strides))[0][0].size() == 32


def test_merging_over_parameters() -> None:
    load = Access("ld.shared.v4.u32")
    assert phases(load, named(D, 32, 64, 128, 256))[1]
    layout, surely = phases(load, named(D - 1, 32, 64, 128, 256))
    assert not surely
    assert layout[0].size() == 16
    assert phases(load, named(D - 1, 0, 64, 128, 256))[1]


def test_what_cannot_be_cut() -> None:
    with pytest.raises(UnsupportedError, match="24 threads are not whole warps"):
        phases(Access("ld.shared.u32"), Layout((24, 1), (1, 0)))
    with pytest.raises(UnsupportedError, match="not counted by the bits of a lane"):
        phases(Access("ld.shared.u32"), Layout(((3, 32), 1), ((1, 3), 0)))
