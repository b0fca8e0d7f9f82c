"""Tagged pointers: a swizzle in front of one counts bytes, one in front of an offset counts elements."""

import pytest

from symlayout import ComposedLayout, Layout, NotationError, Swizzle, parse
from symlayout.notation import parse_units

L = "(8,64):(64,1)"


@pytest.mark.parametrize("bits", [8, 16, 32, 64, 128])
@pytest.mark.parametrize("swizzle", [Swizzle(3, 4, 3), Swizzle(2, 4, 3), Swizzle(1, 4, 3), Swizzle(3, 4, 4)])
@pytest.mark.parametrize("address", [0, 0x80, 0x440])
def test_a_swizzle_of_bytes_swizzles_addresses(bits: int, swizzle: Swizzle, address: int) -> None:
    """The byte at which an element lies, worked out from its address, is where the layout has it."""
    size = bits // 8
    for text in (
        f"{swizzle} o smem_ptr[{bits}b]({address:#x}) o {L}",
        f"{swizzle}_smem_ptr[{bits}b]({address:#x}) o {L}",
    ):
        found = parse(text)
        assert isinstance(found, ComposedLayout)
        for i in range(512):
            want = swizzle(address + size * Layout((8, 64), (64, 1))(i))
            assert (size * found(i) - want) % 1024 == 0


@pytest.mark.parametrize(
    "text, value",
    [
        (f"Sw<3,4,3> o smem_ptr[16b](unset) o {L}", f"Sw<3,3,3> o 0 o {L}"),
        ("Sw<3,4,3> o smem_ptr[16b](unset) o (_8,_64):(_64,_1)", f"Sw<3,3,3> o 0 o {L}"),
        (f"Sw<3,4,3> o smem_ptr[4b](unset) o {L}", f"Sw<3,5,3> o 0 o {L}"),
        (f"smem_ptr[16b](0x7f0000000400) o {L}", L),
        (f"gmem_ptr[16b](0x7f0000000402) o {L}", L),
        (f"smem_ptr[16b](nullptr) o {L}", L),
        (f"Sw<0,4,3> o smem_ptr[16b](unset) o {L}", L),
        (f"smem_ptr[16b](0x410) o {L}", f"Sw<0,4,3> o 8 o {L}"),
    ],
)
def test_read(text: str, value: str) -> None:
    assert str(parse(text)) == value


def test_how_it_was_read_is_said() -> None:
    _, (units,) = parse_units(f"Sw<3,4,3> o smem_ptr[16b](unset) o {L}")
    assert str(units) == "Sw<3,4,3> counts bytes, as smem_ptr[16b] says: of 16-bit elements it is Sw<3,3,3>"
    _, (units,) = parse_units(f"Sw<3,4,3> o 0 o {L}")
    assert str(units).startswith("Sw<3,4,3> is read as counting elements")
    assert parse_units(L) == (parse(L), [])


@pytest.mark.parametrize(
    "text, says",
    [
        ("smem_ptr[16b](unset)", "a pointer alone is not a tensor"),
        ("Sw<3,4,3>_smem_ptr[16b](0x400)", "a pointer alone is not a tensor"),
        ("smem_ptr[16b](unset) o 64", "a tensor reads"),
        ("4:1 o smem_ptr[16b](unset) o 8:1", "a tensor reads"),
        ("Sw<3,4,3> o smem_ptr[16b](unset) o 0 o 8:1", "a tensor reads"),
        ("Sw<3,0,3> o smem_ptr[16b](unset) o 8:1", "M = 0 is less than 1"),
        ("Sw<3,4,3> o smem_ptr[6b](unset) o 8:1", "elements of 6 bits"),
        ("Sw<3,4,3> o smem_ptr[16b](0x401) o 8:1", "not a multiple of an element"),
        ("Sw<3,4,3> o smem_ptr[16](unset) o 8:1", "function call"),
    ],
)
def test_refused(text: str, says: str) -> None:
    with pytest.raises(NotationError, match=says):
        parse(text)
