"""`symlayout trace retile`: the article's figures and steps."""

import pytest

from .conftest import MMA, Run

A = ("--copy", "SM75_U32x1_LDSM_N", "--operand", "A")
B1 = ("--copy", "SM75_U32x1_LDSM_N", "--operand", "B")
B2 = ("--copy", "SM75_U32x2_LDSM_N", "--operand", "B")
GATHER = (
    "--copy",
    "SM75_U32x4_LDSM_N",
    "--operand",
    "B",
    "--permutation",
    "16,8,32",
    "--tensor",
    "(32,32):(32,1)",
)

FIGURES = ("V", "TiledNumThr", "TiledNumVal", "AtomNumVal", "Tiler_MN")


@pytest.mark.parametrize(
    "options, figures, steps",
    [
        (
            A,
            (8, 32, 8, 2, "(16,16)"),
            {
                "frg_layout_mn_shape": "(1,1)",
                "right_inverse_frg": "1:0",
                "logical_product": "(8,1):(1,0)",
                "frg_layout_v": "(2,4):(1,2)",
                "t_tensor": "((8,1,1),(1,1,1)):((1,0,0),(0,0,0))",
                "v_tensor": "((2,4),(1,1,1)):((1,2),(0,0,0))",
                "result": "((2,4),1,1):((1,2),0,0)",
            },
        ),
        (
            B1,
            (4, 32, 4, 2, "(8,16)"),
            {
                "right_inverse_TV_with_shape": "(8,(2,4,2)):(4,(32,1,64))",
                "logical_product": "(4,1):(1,0)",
                "frg_layout_v": "(2,2):(1,2)",
                "t_tensor": "((4,1,1),(1,1,1)):((1,0,0),(0,0,0))",
                "v_tensor": "((2,2),(1,1,1)):((1,2),(0,0,0))",
                "result": "((2,2),1,1):((1,2),0,0)",
            },
        ),
        (B2, (4, 32, 4, 4, "(8,16)"), {"result": "((4,1),1,1):((1,0),0,0)"}),
        (
            GATHER,
            (4, 32, 8, 8, "(8,32)"),
            {
                "right_inverse_TV_with_shape": "(8,(2,4,4)):(4,(32,1,64))",
                "frg_layout_mn": "(1,(1,1,2)):(1,(1,1,1))",
                "frg_layout_mn_shape": "(1,2)",
                "right_inverse_frg": "2:1",
                "logical_product": "(4,2):(1,4)",
                "frg_layout_v": "(8,1):(1,0)",
                "t_tensor": "((4,1,2),(1,4,1)):((1,0,4),(0,8,0))",
                "v_tensor": "((8,1),(1,4,1)):((1,0),(0,8,0))",
                "result": "((8,1),4,1):((1,0),8,0)",
            },
        ),
    ],
)
def test_the_articles_steps(
    run: Run, options: tuple[str, ...], figures: tuple[object, ...], steps: dict[str, str]
) -> None:
    data = run("trace", "retile", "--mma", MMA, *options, "--format", "json").data
    assert tuple(data["figures"][name] for name in FIGURES) == figures
    found = {step["key"]: step["value"] for step in data["steps"]}
    assert {key: found[key] for key in steps} == steps
    assert data["result"] == steps["result"]


def test_the_text_names_cutes_variables_in_order(run: Run) -> None:
    outcome = run("trace", "retile", "--mma", MMA, *GATHER)
    assert outcome.code == 0
    names = [
        *FIGURES,
        "TiledLayout_TV\n",
        "right_inverse(TiledLayout_TV).with_shape(Tiler_MN)",
        "frg_layout_mn = upcast<32*4>",
        "product_each(shape(frg_layout_mn))",
        "right_inverse(frg_layout_mn)",
        "logical_product(V, right_inverse(frg_layout_mn))",
        "frg_layout_v = zipped_divide(..., 8)",
        "t_tensor = zipped_divide(tensor, (4,1,2))",
        "v_tensor = t_tensor.compose(frg_layout_v, _)",
        "result = v_tensor(_, (0, _, ...))",
    ]
    at = [outcome.out.index(name) for name in names]
    assert at == sorted(at)


def test_a_configuration_that_cute_refuses_has_no_trace(run: Run) -> None:
    outcome = run("trace", "retile", "--mma", MMA, "--copy", "SM75_U32x4_LDSM_N", "--operand", "B")
    assert outcome.code == 2
    assert "4 % 8 = 4" in outcome.err
