"""Every step of a retile, by the name that it has in CuTe's source, to be laid beside `copy_atom.hpp`.

    trace = copy.retile_trace(mma.fragment_A((16, 16)))
    print(text(trace))          figures, then one line a step
    data(trace)                 the same for JSON: the figures, and each step as the text of its layout

The steps are those of `TiledCopy::retile` (CUTLASS 4.2): from the copy's thread-value layout to the block
of the tile that one fragment fills, from there to the order in which a copy takes the fragment's values,
and on to the registers.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from .inttuple import show
from .retile import RetileTrace

FIGURES = ("V", "TiledNumThr", "TiledNumVal", "AtomNumVal", "Tiler_MN")


class Step(NamedTuple):
    """One step: CuTe's name, the key in JSON, the value, and what it maps to what."""

    name: str
    key: str
    value: Any
    says: str


def steps(trace: RetileTrace) -> tuple[Step, ...]:
    """The steps in the order of CuTe's source."""
    t = trace
    tile = (t.V, *t.frg_layout_mn_shape)
    return (
        Step(
            "right_inverse(TiledLayout_TV)",
            "right_inverse_TV",
            t.right_inverse_TV,
            "tile index -> (thread, value)",
        ),
        Step(
            "right_inverse(TiledLayout_TV).with_shape(Tiler_MN)",
            "right_inverse_TV_with_shape",
            t.right_inverse_TV_with_shape,
            "tile coordinate -> (thread, value)",
        ),
        Step(
            f"frg_layout_mn = upcast<{t.TiledNumThr}*{t.V}>(...)",
            "frg_layout_mn",
            t.frg_layout_mn,
            f"tile coordinate -> block of {t.V} values of all threads",
        ),
        Step(
            "product_each(shape(frg_layout_mn))",
            "frg_layout_mn_shape",
            t.frg_layout_mn_shape,
            "how many fragments one tile holds, by mode",
        ),
        Step(
            "right_inverse(frg_layout_mn)",
            "right_inverse_frg",
            t.right_inverse_frg,
            "block -> fragment of the tile",
        ),
        Step(
            "logical_product(V, right_inverse(frg_layout_mn))",
            "logical_product",
            t.logical_product,
            "(value in the fragment, block) -> number in the gathered tile",
        ),
        Step(
            f"frg_layout_v = zipped_divide(..., {t.AtomNumVal})",
            "frg_layout_v",
            t.frg_layout_v,
            "(value of one copy, copy) -> number in the gathered tile",
        ),
        Step(
            f"t_tensor = zipped_divide(tensor, {show(tile)})",
            "t_tensor",
            t.t_tensor,
            "(gathered tile, rest) -> register",
        ),
        Step(
            "v_tensor = t_tensor.compose(frg_layout_v, _)",
            "v_tensor",
            t.v_tensor,
            "((value, copy), rest) -> register",
        ),
        Step(
            "result = v_tensor(_, (0, _, ...))", "result", t.result, "((value, copy), rest modes) -> register"
        ),
    )


def figures(trace: RetileTrace) -> dict[str, Any]:
    """V, TiledNumThr, TiledNumVal, AtomNumVal and Tiler_MN."""
    return {name: getattr(trace, name) for name in FIGURES}


def text(trace: RetileTrace, layout_tv: Any = None) -> str:
    """Figures and steps, a name and its layout on two lines; `layout_tv` (CuTe's TiledLayout_TV) stands
    before them when it is given."""
    lines = [f"{name:<12} = {show(value)}" for name, value in figures(trace).items()]
    given = [("tensor", show(trace.tensor), "the fragment: (V, rest modes) -> register")]
    if layout_tv is not None:
        given.append(("TiledLayout_TV", show(layout_tv), "(thread, value) -> tile index"))
    rows = given + [(step.name, show(step.value), step.says) for step in steps(trace)]
    width = max(len(value) for _, value, _ in rows)
    lines += [line for n, v, says in rows for line in ("", n, f"  {v:<{width}}  {says}")]
    return "\n".join(lines)


def data(trace: RetileTrace) -> dict[str, Any]:
    """`{"figures": {...}, "steps": [{"name", "key", "value", "says"}, ...]}`, layouts as CuTe prints them."""
    return {
        "figures": {
            name: show(value) if isinstance(value, tuple) else value for name, value in figures(trace).items()
        },
        "steps": [
            {"name": step.name, "key": step.key, "value": show(step.value), "says": step.says}
            for step in steps(trace)
        ],
    }
