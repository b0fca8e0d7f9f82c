"""symlayout: a symbolic algebra of CuTe layouts with a formal checker.

    >>> from symlayout import Layout, composition, zipped_divide
    >>> print(zipped_divide(Layout((8, 8), (8, 1)), (2, 4)))
    ((2,4),(4,2)):((8,1),(16,4))

The algebra carries CuTe's names and, with `unchecked=True`, gives CuTe's answers to the letter; by default
a result that breaks its law is refused. Importing this package loads no solver and no numerics; what needs
more than the algebra is loaded when its name is first asked for.
"""

from importlib import import_module
from inspect import isfunction
from typing import TYPE_CHECKING, Any

from . import starting as _starting  # noqa: F401  loading the rest takes long enough to be interrupted
from .algebra import *  # noqa: F403  the algebra's __all__ is the public list
from .algebra import __all__ as _algebra
from .arguments import checked as _checked
from .basis import ArithTuple, E, ScaledBasis
from .errors import (
    EngineDisagreement,
    Inadmissible,
    LayoutError,
    NeedFact,
    NotationError,
    SymlayoutError,
    UnsupportedError,
)
from .layout import Layout
from .swizzle import ComposedLayout, Swizzle, make_swizzle

if TYPE_CHECKING:
    from . import atoms
    from .bank_claim import at_most_wavefronts, conflict_free, wavefronts
    from .claim import Claim
    from .claims import (
        aligned,
        all_of,
        bijective,
        covers,
        disjoint,
        equal,
        injective,
        within,
    )
    from .decide import prove
    from .dim import Dim, dims
    from .domain import Domain, assume
    from .load_claim import load_correct, store_correct
    from .memory_claim import memory_correct
    from .notation import parse
    from .ownership import contiguous_permutation, owned
    from .smem import Access, accesses, worst_degree
    from .theory import refutation, theorem
    from .tiled_copy import (
        ThrCopy,
        TiledCopy,
        make_cotiled_copy,
        make_tiled_copy,
        make_tiled_copy_A,
        make_tiled_copy_B,
        make_tiled_copy_C,
        make_tiled_copy_C_atom,
        make_tiled_copy_D,
        make_tiled_copy_S,
    )
    from .tiled_mma import ThrMMA, TiledMMA, make_tiled_mma
    from .verdict import Bounded, Proved, Refuted, Unknown, Vacuous, Verdict

__version__ = "0.1.0"

for _name in _algebra:
    if isfunction(globals()[_name]):
        globals()[_name] = _checked(globals()[_name])
make_swizzle = _checked(make_swizzle)

_LATER = {  # module: the names that it gives, loaded at first use
    "bank_claim": ("at_most_wavefronts", "conflict_free", "wavefronts"),
    "claim": ("Claim",),
    "theory": ("refutation", "theorem"),
    "dim": ("Dim", "dims"),
    "domain": ("Domain", "assume"),
    "claims": ("aligned", "all_of", "bijective", "covers", "disjoint", "equal", "injective", "within"),
    "notation": ("parse",),
    "decide": ("prove",),
    "load_claim": ("load_correct", "store_correct"),
    "memory_claim": ("memory_correct",),
    "ownership": ("contiguous_permutation", "owned"),
    "smem": ("Access", "accesses", "worst_degree"),
    "tiled_copy": (
        "ThrCopy",
        "TiledCopy",
        "make_cotiled_copy",
        "make_tiled_copy",
        "make_tiled_copy_A",
        "make_tiled_copy_B",
        "make_tiled_copy_C",
        "make_tiled_copy_C_atom",
        "make_tiled_copy_D",
        "make_tiled_copy_S",
    ),
    "tiled_mma": ("ThrMMA", "TiledMMA", "make_tiled_mma"),
    "verdict": ("Bounded", "Proved", "Refuted", "Unknown", "Vacuous", "Verdict"),
}
_HOME = {name: module for module, names in _LATER.items() for name in names}


def __getattr__(name: str) -> Any:
    if name == "atoms":
        return import_module(".atoms", __name__)
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module("." + _HOME[name], __name__), name)
    if isfunction(value) and name != "parse":  # which points at the column of what it cannot read
        value = _checked(value)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


__all__ = [
    *_algebra,
    "ArithTuple",
    "Access",
    "Bounded",
    "Claim",
    "ComposedLayout",
    "Dim",
    "Domain",
    "E",
    "EngineDisagreement",
    "Inadmissible",
    "Layout",
    "LayoutError",
    "NeedFact",
    "NotationError",
    "Proved",
    "Refuted",
    "ScaledBasis",
    "Swizzle",
    "SymlayoutError",
    "ThrCopy",
    "ThrMMA",
    "TiledCopy",
    "TiledMMA",
    "Unknown",
    "UnsupportedError",
    "Vacuous",
    "Verdict",
    "accesses",
    "aligned",
    "all_of",
    "assume",
    "at_most_wavefronts",
    "atoms",
    "bijective",
    "conflict_free",
    "contiguous_permutation",
    "covers",
    "dims",
    "disjoint",
    "equal",
    "injective",
    "load_correct",
    "make_cotiled_copy",
    "make_swizzle",
    "make_tiled_copy",
    "make_tiled_copy_A",
    "make_tiled_copy_B",
    "make_tiled_copy_C",
    "make_tiled_copy_C_atom",
    "make_tiled_copy_D",
    "make_tiled_copy_S",
    "make_tiled_mma",
    "memory_correct",
    "owned",
    "parse",
    "prove",
    "refutation",
    "store_correct",
    "theorem",
    "wavefronts",
    "within",
    "worst_degree",
]
