"""symlayout: a symbolic algebra of CuTe layouts with a formal checker.

    >>> from symlayout import Layout, composition, zipped_divide
    >>> print(zipped_divide(Layout((8, 8), (8, 1)), (2, 4)))
    ((2,4),(4,2)):((8,1),(16,4))

The algebra carries CuTe's names and, with `unchecked=True`, gives CuTe's answers to the letter; by default
a result that breaks its law is refused. Importing this package loads no solver and no numerics.
"""

from .algebra import *  # noqa: F403  the algebra's __all__ is the public list
from .algebra import __all__ as _algebra
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
from .notation import parse
from .swizzle import ComposedLayout, Swizzle, make_swizzle

__version__ = "0.1.0"

__all__ = [
    *_algebra,
    "ArithTuple",
    "ComposedLayout",
    "E",
    "EngineDisagreement",
    "Inadmissible",
    "Layout",
    "LayoutError",
    "NeedFact",
    "NotationError",
    "ScaledBasis",
    "Swizzle",
    "SymlayoutError",
    "UnsupportedError",
    "make_swizzle",
    "parse",
]
