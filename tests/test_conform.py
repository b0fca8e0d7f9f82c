"""The record runner, over everything that CuTe's headers printed for us."""

import json
from pathlib import Path

import pytest

from symlayout.conform import conform, same_text
from symlayout.conform.operations import OPERATIONS, find_operation

GOLDEN = Path(__file__).parent / "golden"

# the 109 operations of CuTe's dumps
NAMES = """
append append_N blocked_product ceil_div_layout coalesce coalesce_profile compatible complement
complement_default complement_shape composition composition_basis composition_int composition_tile congruent
coshape cosize cosize_mode crd2idx depth detail_coalesce_x domain_distribute downcast evenly_divides filter
filter_profile filter_zeros filter_zeros_profile flat_divide flat_divide_int flat_divide_tile flat_product
flat_product_int flat_product_tile flatten get_1d_coord get_flat_coord get_hier_coord get_mode group
identity_coalesce identity_composition identity_cosize identity_crd2idx identity_zipped_divide idx2crd
idx2crd_stride layout_after_swizzle layout_table left_inverse logical_divide logical_divide_int
logical_divide_tile logical_product logical_product_int logical_product_tile make_fragment_like
make_identity_layout make_layout2 make_layout_left make_layout_like make_layout_right make_ordered_layout
max_alignment max_common_layout max_common_vector nullspace prepend product_each raked_product rank
recast_layout replace right_inverse select shape_div shape_div_rev size size_mode slice slice_offset
swizzle_compose swizzle_compose_table swizzle_compose_then swizzle_downcast swizzle_right_inverse
swizzle_table swizzle_tile_to_shape swizzle_upcast swizzle_zipped_divide take tile_to_shape tiled_divide
tiled_divide_int tiled_divide_tile tiled_product tiled_product_int tiled_product_tile unflatten upcast
weakly_congruent with_shape zip zipped_divide zipped_divide_int zipped_divide_tile zipped_product
zipped_product_int zipped_product_tile
""".split()


@pytest.mark.parametrize(
    "name, records, skipped",
    [
        ("golden", 4756, 0),
        ("composed", 550, 12),
        ("golden_rejects", 96, 0),
        ("rejects", 52, 12),
        ("silent_wrong", 90, 0),
        ("silent_wrong_hand", 12, 5),
        ("silent_wrong_dynamic", 43, 43),
        ("more", 133, 0),
        ("negative", 2985, 0),
        ("recombined", 345, 0),
        ("retile_e2e_host", 20, 0),
        ("tiled", 625, 0),
    ],
)
def test_every_record_agrees(name: str, records: int, skipped: int) -> None:
    report = conform(GOLDEN / f"{name}.jsonl")
    assert report.ok, report.text()
    assert (report.total, report.skipped, report.agreed) == (records, skipped, records - skipped)


def test_no_operation_is_missing() -> None:
    assert len(NAMES) == 109
    assert [name for name in NAMES if find_operation(name) is None] == []


def test_arguments_in_any_notation() -> None:
    report = conform(
        [
            {"op": "coalesce", "args": ["Layout<Shape<_4,_8>>"], "result": "_32:_1"},
            {
                "op": "composition_tile",
                "args": ["(8,8):(8,1)", "Tile<_4,Underscore>"],
                "result": "(4,8):(8,1)",
            },
            {"op": "logical_divide", "args": ["(_8):(_1)", "_4:_1"], "result": "(_4,_2):(_1,_4)"},
            {"op": "slice", "args": ["(_,1)", "(4,8):(8,1)"], "result": "(4):(8)"},
            {"op": "swizzle_compose", "args": ["Swizzle<2,0,2>", "4:1"], "result": "S<2,0,2> o 0 o 4:1"},
            {"op": "crd2idx", "args": [[1, [0, 1]], "(2,(2,2)):(1,(2,4))"], "result": 5},
            {"op": "make_layout", "args": ["(2,3)", "(3,1)"], "result": "(2,3):(3,1)"},
        ]
    )
    assert report.ok, report.text()
    assert report.agreed == 7


def test_counts_of_what_does_not_agree() -> None:
    report = conform(
        [
            {"id": "a", "op": "size", "args": ["4:1"], "result": "5"},
            {"id": "b", "op": "size", "args": ["4:1"], "error": "static_assert"},
            {"id": "c", "op": "composition", "args": ["(3,4):(4,1)", "2:4"], "result": "2:1"},
            {"id": "d", "op": "frobnicate", "args": ["4:1"], "result": "4:1"},
            {"id": "e", "op": "size", "args": ["4:"], "result": "4"},
            {"id": "f", "op": "size", "args": ["(4,8)"], "result": "32"},
            {"id": "g", "op": "size", "args": ["4:1", "4:1"], "result": "4"},
            {"id": "h", "op": "size", "args": ["4:1"]},
            {"id": "i", "op": "frobnicate", "args": ["text"], "callable": False, "result": "text"},
            {"id": "j", "op": "size", "args": ["4:1"], "result": "4"},
        ]
    )
    assert not report.ok
    assert report.counts() == {
        "records": 10,
        "agreed": 1,
        "differing": 3,
        "unknown_operation": 1,
        "unparsed": 4,
        "refused": 0,
        "skipped": 1,
    }
    assert [d.id for d in report.differing] == ["a", "b", "c"]
    text = report.text(first=1)
    assert "a size(4:1)\n  expected 5\n  got      4" in text
    assert "... and 2 more differing" in text


def test_the_safe_mode_lists_what_it_refuses() -> None:
    wrong = {"id": "w", "op": "composition", "args": ["(3,2):(1,4)", "(2,2):(1,2)"], "result": "(2,2):(1,2)"}
    unchecked, checked = conform([wrong]), conform([wrong], checked=True)
    assert unchecked.refused == []
    assert checked.refused_ids == ["w"]
    assert checked.ok


def test_the_safe_mode_over_what_cute_printed() -> None:
    """The answers of CuTe that break their operation's law, and no others; each was found by enumeration."""
    refused = conform(GOLDEN / "golden.jsonl", checked=True)
    assert refused.ok, refused.text()
    assert refused.refused_ids == [
        *("g2208", "g2262", "g2263", "g2317", "g2445"),  # composition
        *("g4109", "g4164"),  # blocked and raked products
        "g4747",  # downcast: three modes of stride 1
        *("g4775", "g4803", "g4829", "g4830", "g4832"),  # recast_layout, by way of upcast
        "g4899",  # tile_to_shape
        "g5966",  # swizzle_downcast
        "g5987",  # swizzle_compose_then
        "g6182",  # swizzle_upcast: Sw<2,0,-2> reads bits inside the new element
        "g6235",  # swizzle_downcast
        "g6300",  # layout_after_swizzle
        "g6321",  # identity_composition: (2,6):(12,1) leaves mode 0 of (16,4)
        *("g6453", "g6462"),  # upcast of negative strides
        *("g6490", "g6498", "g6508"),  # complement of negative strides
        "g6515",  # left_inverse of negative strides: a size of -1
    ]


def test_lines_that_are_no_records(tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    path.write_text('{"op": "size", "args": ["4:1"], "result": "4"}\n\n{"op": \n[1]\n', encoding="utf-8")
    report = conform(path)
    assert (report.agreed, len(report.unparsed)) == (1, 2)


def test_same_text() -> None:
    assert same_text("((_2,_-1),_4)", "((2,-1),4)")
    assert same_text("0 1  2\n", "0 1 2")
    assert not same_text("0 12", "01 2")
    assert not same_text("(4):(1)", "4:1")


def test_every_operation_of_the_table_is_well_formed() -> None:
    for name, operation in OPERATIONS.items():
        assert set(operation.kinds.upper()) <= set("LWNSTCYOXBM*"), name


def test_golden_files_hold_facts_only() -> None:
    """Hints of other tools about which record is wrong must not reach the tests."""
    for name in ("golden", "golden_rejects", "rejects", "silent_wrong", "more", "recombined"):
        for line in (GOLDEN / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
            assert set(json.loads(line)) <= {"id", "op", "args", "result", "error", "callable", "note"}
