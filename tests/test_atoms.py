"""The atoms' literals against CUTLASS's traits, and what the names and value types promise."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from symlayout import LayoutError, SymlayoutError, UnsupportedError, atoms, parse
from symlayout.atoms.value_types import value_bits, value_type
from symlayout.layout import Layout

GOLDEN = Path(__file__).parent / "golden"


def records(kind: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (GOLDEN / f"atoms_{kind}.jsonl").read_text().splitlines()]


MMA, COPY = records("mma"), records("copy")

# not CUTLASS 4.2's literals: its B of int4 does not cover the tile, its A of single bits nests too deep
REPAIRED = {
    ("(16,8,32)", "BLayout", "((4,8),(8)):((32,1),(8))"): "((4,8),(8)):((64,1),(8))",
    ("(16,8,128)", "ALayout", "((4,8),(32,2)):((512,1),((16,8)))"): "((4,8),(32,2)):((512,1),(16,8))",
}


def registers(text: str) -> tuple[str, int]:
    """`unsigned int [4]` as ("uint32_t", 4)."""
    name, _, count = text.rpartition(" [")
    return value_type(name.split("::")[-1]), int(count[:-1])


@pytest.mark.parametrize("record", MMA, ids=lambda r: r["name"])
def test_mma(record: dict[str, Any]) -> None:
    atom = atoms.mma(record["name"])
    layouts = {
        "ThrID": atom.thr_id,
        "ALayout": atom.layout_A,
        "BLayout": atom.layout_B,
        "CLayout": atom.layout_C,
    }
    for key, layout in layouts.items():
        wanted = REPAIRED.get((record["Shape_MNK"], key, record[key]), record[key])
        assert str(layout) == wanted
        assert bool(atom.note) or wanted == record[key], "a repaired literal says so"
    assert str(parse(record["Shape_MNK"])) == str(atom.shape_mnk)
    assert atom.arch == record["arch"]
    for side in "ABC":
        assert getattr(atom, f"bits_{side}") == record[f"bits{side}"]
    for side in "ABCD":
        assert getattr(atom, f"type_{side}") == value_type(record[f"ValType{side}"].split("::")[-1])
        assert getattr(atom, f"registers_{side}") == registers(record[f"{side}Registers"])


@pytest.mark.parametrize("record", COPY, ids=lambda r: r["name"])
def test_copy(record: dict[str, Any]) -> None:
    atom = atoms.copy(record["name"])
    assert (str(atom.thr_id), atom.arch) == (record["ThrID"], record["arch"])
    assert [str(x) for x in (atom.bits_src, atom.bits_dst, atom.bits_ref)] == [
        record[f"{side}Layout"] for side in ("Src", "Dst", "Ref")
    ]
    assert atom.registers_S == registers(record["SRegisters"])
    assert atom.registers_D == registers(record["DRegisters"])


def test_every_atom_has_a_record() -> None:
    recorded = {r["name"] for r in MMA + COPY}
    ours = {n for n in atoms.names() if not n.startswith("UniversalFMA")}
    assert ours == recorded


@pytest.mark.parametrize("name", [r["name"] for r in MMA] + ["UniversalFMA<float,float,float,float>"])
def test_every_operand_covers_its_tile_once(name: str) -> None:
    atom = atoms.mma(name)
    m, n, k = atom.shape_mnk
    for operand, size in (("A", m * k), ("B", n * k), ("C", m * n)):
        layout = atom.layout(operand)
        assert sorted(layout(i) for i in range(layout.size())) == list(range(size)), operand
        assert layout[0].size() == atom.thr_id.size()


def test_universal_names() -> None:
    fma = atoms.mma("UniversalFMA<float,float,float,float>")
    assert fma == atoms.UniversalFMA("float") == atoms.get("UniversalFMA<float>")
    assert str(fma.layout_A) == "(1,1):(0,0)"
    assert atoms.UniversalCopy("uint32_t") == atoms.get("UniversalCopy<uint32_t>")
    assert atoms.get("cute::UniversalCopy< unsigned int >") == atoms.get("UniversalCopy<uint32_t>")
    assert atoms.get("UniversalCopy<cutlass::half_t>").name == "UniversalCopy<half_t>"
    assert atoms.copy("SM80_CP_ASYNC_CACHEGLOBAL<cute::uint128_t>").bits_src == Layout((1, 128))
    assert atoms.copy("UniversalCopy<uint32_t,uint64_t>").bits_dst == Layout((1, 64))


def test_attribute_access_and_dir() -> None:
    assert atoms.SM80_16x8x16_F32F16F16F32_TN is atoms.get("SM80_16x8x16_F32F16F16F32_TN")
    assert "SM75_U32x4_LDSM_N" in dir(atoms)
    assert not hasattr(atoms, "SM75_U32x3_LDSM_N")


@pytest.mark.parametrize(
    "name, nearest",
    [
        ("SM80_16x8x16_F32F16F16F32_NT", "SM80_16x8x16_F32F16F16F32_TN"),
        ("SM75_U32x3_LDSM_N", "SM75_U32x4_LDSM_N"),
        ("UniversalCopy<unt32_t>", "uint32_t"),
        ("universalcopy<uint32_t>", "UniversalCopy<uint32_t>"),
    ],
)
def test_unknown_names_suggest_the_nearest(name: str, nearest: str) -> None:
    with pytest.raises(UnsupportedError, match="did you mean") as e:
        atoms.get(name)
    assert nearest in str(e.value)


@pytest.mark.parametrize(
    "name", ["UniversalCopy<uint4_t>", "SM80_CP_ASYNC_CACHEGLOBAL<uint32_t>", "UniversalCopy<>", "", "SM75"]
)
def test_refused_names(name: str) -> None:
    with pytest.raises(SymlayoutError):
        atoms.get(name)


def test_kinds_are_told_apart() -> None:
    with pytest.raises(UnsupportedError, match="copy atom"):
        atoms.mma("SM75_U32x1_LDSM_N")
    with pytest.raises(UnsupportedError, match="MMA atom"):
        atoms.copy("SM70_8x8x4_F32F16F16F32_TN")


def test_with_type_counts_elements() -> None:
    atom = atoms.SM75_U32x1_LDSM_N.with_type("half_t")
    assert [str(x) for x in (atom.layout_src, atom.layout_dst, atom.layout_ref)] == [
        "((8,4),8):((8,0),1)",
        "(32,2):(2,1)",
        "(32,2):(2,1)",
    ]
    assert repr(atom) == "Copy_Atom<SM75_U32x1_LDSM_N,half_t>"
    with pytest.raises(LayoutError, match="no value type"):
        _ = atoms.SM75_U32x1_LDSM_N.layout_src


def test_with_type_refuses_what_cute_refuses() -> None:
    with pytest.raises(LayoutError, match=r"SM75_U32x1_LDSM_N is not valid for Dst of double") as e:
        atoms.SM75_U32x1_LDSM_N.with_type("double")
    assert "16 threads remain of 32" in str(e.value)
    with pytest.raises(LayoutError, match="not valid for"):
        atoms.SM75_U16x8_LDSM_T.with_type("float")


def test_value_types() -> None:
    assert (value_bits("half_t"), value_bits("cutlass::bfloat16_t"), value_bits("int4_t")) == (16, 16, 4)
    assert value_type("integer_subbyte<4, true>") == "int4_t"
    with pytest.raises(UnsupportedError, match="half_t"):
        value_type("half_tt")


def test_import_is_cheap_and_loads_no_family() -> None:
    code = (
        "import sys, symlayout; from time import process_time as t; s = t();"
        "import symlayout.atoms; print(t() - s, [m for m in sys.modules if m.startswith('symlayout.atoms.')])"
    )
    seconds = []
    for _ in range(3):  # the quickest: the machine may be busy, and the first run compiles
        out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
        time, loaded = out.split(maxsplit=1)
        assert loaded.strip() == "[]"
        seconds.append(float(time))
    assert min(seconds) < 0.01
