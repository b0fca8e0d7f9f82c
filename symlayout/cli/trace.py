"""`symlayout trace retile`: the article's steps, by their names in CuTe's source."""

from __future__ import annotations

import click

from .answer import answer, format_option
from .configuration import Request, configuration_options


@click.group(subcommand_metavar="retile [OPTIONS]")
def command() -> None:
    """Print every step of a retile by its CuTe name."""


@command.command()
@configuration_options
@format_option
def retile(form: str, **options: str) -> int:
    """Print every step of CuTe's TiledCopy::retile, to be laid beside cute/atom/copy_atom.hpp.

    First the figures V, TiledNumThr, TiledNumVal, AtomNumVal and Tiler_MN, then each intermediate layout
    and what it maps to what. The result is CuTe's, unchecked; `prove retile` says whether it is right.

    \b
    symlayout trace retile --mma SM80_16x8x16_F32F16F16F32_TN --copy SM75_U32x1_LDSM_N --operand A
    """
    from .. import trace

    request = Request(**options)
    c = request.configuration(request.tiled_mma())
    steps = c.copy.retile_trace(c.fragment)
    text = f"{c.text()}\n\n{trace.text(steps, c.copy.layout_tv)}"
    data = {
        "command": "trace retile",
        "exit_code": 0,
        "configuration": c.data(),
        "fragment": str(c.fragment),
        "TiledLayout_TV": str(c.copy.layout_tv),
        **trace.data(steps),
        "result": str(steps.result),
    }
    return answer(form, text, data)
