"""What a claim is about, as data from which somebody else can state it anew (see certificate.py).

| kind | fields | says |
|---|---|---|
| those of statement.py | `map`, `hold`, ... | what is said there |
| `retile` | `mma`, `copy`, `operand`, `side`, `tensor` (its shape), `fragment`, `view` | in all threads every
register of the fragment is given what the mma reads there, and the view has each register once |
| `memory` | `copy`, `tensor`, `side`, `says` | `contiguous`, `aligned` (memory_claim.py) or `inside` the
tensor, which is then its shape (coverage_claim.py) |

An `mma` is `{"name", "shape": [m, n, k], "threads": layout, "layout": (thread, value) -> tile of the operand,
"atoms": layout, "permutation": [null, integer or layout] * 3}`. A `copy` is `{"name", "type", "source",
"destination", "reference": (thread, value) -> bit number in values, "tv": (thread, value) -> tile, "tiler":
[integer or layout, ...]}`; without `tv` it is tiled as the operand of the mma. All layouts are text.

A claim of no kind of its own, or over a tensor whose sizes are parameters, is its parts in the words of
statement.py: then those are what is confirmed, and a name that somebody gave them is only repeated.
"""

from __future__ import annotations

from functools import singledispatch
from typing import Any

from .atoms.atom import CopyAtom
from .claim import AllOf, Claim
from .copy_tiling import TiledCopy
from .coverage_claim import Inside
from .dim import is_symbolic
from .inttuple import show
from .layout import Layout
from .memory_claim import Aligned, Contiguous
from .memory_parameters import AlignedForAll
from .quantified import ForAllSizes
from .retile_claim import RetileCorrect
from .statement import Statement, plain, statement
from .swizzle import ComposedLayout
from .tiled_mma import TiledMMA

Item = dict[str, Any]


@singledispatch
def claim_data(claim: Claim, refuted: bool = False) -> list[Item]:
    """The items that a claim is the conjunction of. A refuted claim may be stated over a tensor whose sizes
    are parameters, since it is false at one choice of them."""
    return [in_words(claim)]


def in_words(claim: Claim) -> Statement:
    """One part of a claim in the words of statement.py, without what they are called."""
    return {key: value for key, value in statement(claim).items() if key != "says"}


@claim_data.register
def _(claim: AllOf, refuted: bool = False) -> list[Item]:
    if claim.premises:  # they are those of every part
        return [in_words(part) for part in claim.parts()]
    return [item for one in claim.claims for item in claim_data(one, refuted)]


@claim_data.register
def _(claim: RetileCorrect, refuted: bool = False) -> list[Item]:
    about, delivery = claim.about, claim.delivery
    symbolic = is_symbolic((delivery.fragment.shape, delivery.view.shape))
    if about is None or claim.premises or (symbolic and not refuted):
        return [in_words(part) for part in claim.parts()]
    return [
        {
            "kind": "retile",
            "given": [],
            "mma": _mma(about.mma, claim.operand),
            "copy": _copy(about.copy, about.mma, claim.operand),
            "operand": claim.operand,
            "side": claim.side,
            "tensor": plain(show(about.tensor.shape)),
            "fragment": plain(str(delivery.fragment)),
            "view": plain(str(delivery.view)),
        }
    ]


@claim_data.register(Contiguous)
@claim_data.register(Aligned)
def _(claim: Any, refuted: bool = False) -> list[Item]:
    inner = claim.tensor.layout if isinstance(claim.tensor, ComposedLayout) else claim.tensor
    if claim.premises or not isinstance(inner, Layout):
        return [in_words(claim)]
    if is_symbolic((inner.shape, inner.stride)) and not refuted:
        return [in_words(claim)]
    moved = claim.atom.layout_src if claim.side == "S" else claim.atom.layout_dst
    if claim.sizes[1] != moved[1].size():  # a copy that vectorizes by itself
        return [in_words(claim)]
    return [
        {
            "kind": "memory",
            "given": [],
            "says": "aligned" if isinstance(claim, Aligned) else "contiguous",
            "copy": _copy(claim.copy, None, ""),
            "tensor": plain(str(claim.tensor)),
            "side": claim.side,
        }
    ]


@claim_data.register
def _(claim: Inside, refuted: bool = False) -> list[Item]:
    if claim.premises or (is_symbolic(claim.sizes) and not refuted):
        return [in_words(claim)]
    return [
        {
            "kind": "memory",
            "given": [],
            "says": "inside",
            "copy": _copy(claim.copy, None, ""),
            "tensor": plain(show(claim.sizes)),
            "side": claim.side,
        }
    ]


@claim_data.register(AlignedForAll)
@claim_data.register(ForAllSizes)
def _(claim: Any, refuted: bool = False) -> list[Item]:
    return claim_data(claim.exact, refuted) if refuted and not claim.premises else [in_words(claim)]


def _mma(mma: TiledMMA, operand: str) -> Item:
    atom = mma.atom
    return {
        "name": atom.name,
        "shape": list(atom.shape_mnk),
        "threads": str(atom.thr_id),
        "layout": str(atom.layout(operand)),
        "atoms": str(mma.atom_layout),
        "permutation": [p if p is None or type(p) is int else str(p) for p in mma.permutation],
    }


def _copy(copy: TiledCopy, mma: TiledMMA | None, operand: str) -> Item:
    atom: CopyAtom = copy.atom
    found: Item = {
        "name": atom.name,
        "type": atom.val_type,
        "source": str(atom.layout_src),
        "destination": str(atom.layout_dst),
        "reference": str(atom.layout_ref),
        "tv": None,
        "tiler": None,
    }
    if mma is not None and copy.mma == mma and copy.operand == operand:
        if (copy.layout_tv, copy.tiler_mn) == (mma.layout_TV(operand), mma.tile_shape(operand)):
            return found
    tiler = copy.tiler_mn if isinstance(copy.tiler_mn, tuple) else (copy.tiler_mn,)
    return found | {
        "tv": str(copy.layout_tv),
        "tiler": [t if type(t) is int else str(t) for t in tiler],
    }
