"""The atoms' literals against CUTLASS's traits, and what the names and value types promise."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from symlayout import LayoutError, SymlayoutError, UnsupportedError, atoms, parse
from symlayout.atoms.atom import MmaAtom
from symlayout.atoms.spelling import arguments
from symlayout.atoms.value_types import ALIASES, BITS, value_bits, value_type
from symlayout.layout import Layout

GOLDEN = Path(__file__).parent / "golden"


def records(kind: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (GOLDEN / f"atoms_{kind}.jsonl").read_text().splitlines()]


MMA, COPY = records("mma"), records("copy")
BY_NAME = {"mma": {r["name"]: r for r in MMA}, "copy": {r["name"]: r for r in COPY}}

# not CUTLASS 4.2's literals: its B of int4 does not cover the tile, its A of single bits nests too deep
REPAIRED = {
    ("(16,8,32)", "BLayout", "((4,8),(8)):((32,1),(8))"): "((4,8),(8)):((64,1),(8))",
    ("(16,8,128)", "ALayout", "((4,8),(32,2)):((512,1),((16,8)))"): "((4,8),(32,2)):((512,1),(16,8))",
}


def registers(text: str) -> tuple[str, int]:
    """`unsigned int [4]` as ("uint32_t", 4); what has none is `void`."""
    if text == "void":
        return ("void", 0)
    name, _, count = text.rpartition(" [")
    return value_type(name.split("::")[-1]), int(count[:-1])


def own_names(text: str) -> str:
    """A type that a compiler printed, its C types by CUTLASS's names: `sparse_elem<2, unsigned char>`."""
    text = text.removeprefix("SM80_8x8x4_GC64C64C64GC64_TN::")
    base, bracket, rest = text.partition("<")
    if not bracket or text.replace(" ", "") in ALIASES:
        return value_type(text) if text.replace(" ", "") in {*ALIASES, *BITS} or text in ALIASES else text
    return f"{base}<{','.join(own_names(x) for x in arguments(rest[:-1]))}>"


@pytest.mark.parametrize("name", BY_NAME["mma"])
def test_mma(name: str) -> None:
    record, atom = BY_NAME["mma"][name], atoms.mma(name)
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
    assert (atom.name, atom.ptx, atom.header) == (name, record["ptx"], record["header"])
    assert atom.arch == record["arch"].partition("_")[0]
    for side in "ABC":
        assert getattr(atom, f"bits_{side}") == record[f"bits{side}"]
    for side in "ABCD":
        assert getattr(atom, f"type_{side}") == own_names(record[f"ValType{side}"])
        assert getattr(atom, f"registers_{side}") == registers(record[f"{side}Registers"])
    assert atom.fragments == tuple(own_names(record.get(f"FrgType{side}", "")) for side in "ABC")


@pytest.mark.parametrize("name", BY_NAME["copy"])
def test_copy(name: str) -> None:
    record, atom = BY_NAME["copy"][name], atoms.copy(name)
    assert (atom.name, str(atom.thr_id), atom.arch) == (name, record["ThrID"], record["arch"])
    assert [str(x) for x in (atom.bits_src, atom.bits_dst, atom.bits_ref)] == [
        record[f"{side}Layout"] for side in ("Src", "Dst", "Ref")
    ]
    assert atom.registers_S == registers(record["SRegisters"])
    assert atom.registers_D == registers(record["DRegisters"])
    assert atom.header == record["header"]
    # CuTe leaves shuffles to the compiler
    assert atom.ptx == (record["ptx"] or ("shfl.sync.bfly.b32" if "Shuffle" in name else ""))


@pytest.mark.parametrize("record", records("more"), ids=lambda r: r["name"])
def test_other_sizes_and_types(record: dict[str, Any]) -> None:
    """Instances that no literal names: N of mma_traits_sm90_gmma_ext.hpp, sparse, scaled, other types."""
    atom = atoms.mma(record["name"])
    layouts = {
        "ThrID": atom.thr_id,
        **{f"{x}Layout": atom.layout(x) for x in ("A", "B", "C", *dict(atom.more))},
    }
    wanted = {key: text for key, text in record.items() if key == "ThrID" or key.endswith("Layout")}
    assert {key: str(layout) for key, layout in layouts.items()} == wanted
    assert str(parse(record["Shape_MNK"])) == str(atom.shape_mnk)
    for side in "ABC":
        assert getattr(atom, f"type_{side}") == own_names(record[f"ValType{side}"])
    assert atom.registers_A == registers(record["ARegisters"])
    assert atom.registers_C == registers(record["CRegisters"])
    assert (atom.ptx, atom.header) == (record["ptx"], record["header"])


def test_names_list_what_is_recorded() -> None:
    listed = atoms.names()
    assert len(listed) == len(set(listed))
    mn_major = {n for n in BY_NAME["mma"] if "Major::MN" in n}  # of those with arguments, the usual instances
    assert not {*BY_NAME["mma"], *BY_NAME["copy"]} - set(listed) - mn_major


def test_every_listed_name_makes_its_atom() -> None:
    for name in atoms.names():
        atom = atoms.get(name)
        assert atom.name == name
        if isinstance(atom, MmaAtom):
            threads = {atom.layout(operand)[0].size() for operand in ("A", "B", "C", *dict(atom.more))}
            assert threads == {atom.thr_id.size()}
            for operand in "ABC":
                held, (register, count) = atom.storage(operand), atom.registers(operand)
                values = atom.layout(operand)[1].size()
                assert held != "registers" or values * atom.slot_bits(operand) == count * value_bits(register)
                assert held != "shared memory" or register == "uint64_t", "a descriptor"


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


@pytest.mark.parametrize(
    "name, why",
    [
        ("SM90_64x12x16_F32F16F16_SS", "N = 12"),
        ("SM90_64x40x32_S32S8S8_SS_TN", "8, 16, 24 or a multiple of 16"),
        ("SM90_64x8x16_F32F16F16_RS<GMMA::Major::MN,GMMA::Major::K>", "K-major"),
        ("SM90_64x8x16_F32F16F16_SS<GMMA::Major::L>", "not one of GMMA::Major::K"),
        ("SM90_64x8x32_S32S8S8_SS_TN<GMMA::ScaleIn::One>", "takes 0 at most"),
        ("SM100_MMA_F16BF16_SS<half_t,half_t,float,96,64>", "M = 96"),
        ("SM100_MMA_F16BF16_TS<half_t,half_t,float,128,8>", "N = 8"),
        ("SM100_MMA_F16BF16_TS<half_t,half_t,float,128,16,UMMA::Major::MN,UMMA::Major::K>", "K-major"),
        ("SM100_MMA_TF32_SS<half_t,half_t,float,128,64>", "16 bits, wanted 32"),
        ("SM100_MMA_S8_SS<int8_t,int8_t,int32_t,64>", "takes a_type, b_type, c_type, M, N"),
        ("SM100_MMA_S8_SS<int8_t,int8_t,int32_t,64,n>", "is not an integer"),
        ("SM120_16x8x32_TN<half_t,half_t,float>", "not one of float_e2m1_t"),
        ("SM120_16x8x64_TN_VS<float_e2m1_t,float_e2m1_t,float,float_ue8m0_t,64>", "no scales"),
    ],
)
def test_arguments_that_cutlass_does_not_take(name: str, why: str) -> None:
    with pytest.raises(UnsupportedError, match=why):
        atoms.get(name)


def test_arguments_may_be_left_out_where_cutlass_has_a_default() -> None:
    full = "SM90_64x128x16_F32F16F16_SS<GMMA::Major::K,GMMA::Major::MN,GMMA::ScaleIn::One,GMMA::ScaleIn::One>"
    assert atoms.get("SM90::GMMA::MMA_64x128x16_F32F16F16_SS<GMMA::Major::K, GMMA::Major::MN>").name == full
    assert atoms.SM90_64x128x32_S32S8S8_RS_TN.fragments[0] == ""
    umma = atoms.SM100_MMA_F16BF16_SS("half_t", "half_t", "float", 128, 128)
    assert umma.name == "SM100_MMA_F16BF16_SS<half_t,half_t,float,128,128,UMMA::Major::K,UMMA::Major::K>"
    assert umma is not atoms.get(umma.name)
    assert umma == atoms.get(umma.name)
    fp4 = atoms.SM120_16x8x64_TN_VS("float_e2m1_t", "float_e2m1_t", "float", "float_ue8m0_t", 32)
    assert dict(fp4.more)["SFB"] == parse("((4,8),64):((0,1),8)")


def test_cutlass_own_int4_has_a_name() -> None:
    repaired, own = (atoms.mma(f"SM80_16x8x32_S32S4S4S32_TN{end}") for end in ("", "_CUTE_4_2"))
    assert (str(repaired.layout_B), str(own.layout_B)) == (
        "((4,8),(8)):((64,1),(8))",
        "((4,8),(8)):((32,1),(8))",
    )
    assert own.ptx == repaired.ptx
    assert "_CUTE_4_2" in repaired.note
    assert own.name not in atoms.names()


@pytest.mark.parametrize(
    "words, found",
    [
        ("16x8x16 bf16", ["SM80_16x8x16_F32BF16BF16F32_TN"]),
        ("16x8x16 F16 mma", ["SM80_16x8x16_F16F16F16F16_TN", "SM80_16x8x16_F32F16F16F32_TN"]),
        ("ldmatrix x1 b16 trans", ["SM75_U16x2_LDSM_T"]),
        ("movmatrix", ["SM75_U32x1_MOVM_T"]),
        ("SM75_U16*LDSM_? x4", ["SM75_U16x4_LDSM_T", "SM75_U16x8_LDSM_T"]),
        ("SM61 int16_t", ["SM61_DP2A"]),
        ("UniversalCopy<cutlass::half_t>", ["UniversalCopy<half_t>"]),
    ],
)
def test_find(words: str, found: list[str]) -> None:
    assert [atom.name for atom in atoms.find(words)] == found


def test_find_suggests_when_nothing_is_found() -> None:
    with pytest.raises(UnsupportedError, match="did you mean SM80_16x8x16_F32F16F16F32_TN"):
        atoms.find("SM80_16x8x17_F32F16F16F32_TN")


def test_atoms_that_share_a_fragment() -> None:
    sharing = [atom.name for atom in atoms.sharing("SM80_16x8x32_S32S8S8S32_TN", "A")]
    assert "SM89_16x8x32_F32E4M3E5M2F32_TN" in sharing
    assert "SM120_16x8x32_TN<float_e2m1_t,float_e2m1_t,float>" in sharing
    assert not [name for name in sharing if "16x8x64" in name]


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
