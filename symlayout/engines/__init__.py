"""The engines, each a file with one job: `decide` asks them in this order.

| engine | decides |
|---|---|
| canonical | equality of layouts as functions, at any size, with the least difference in closed form |
| box | whether every value of a layout lies in a range, or is a multiple |
| nested | injectivity, covering, disjointness of layouts whose strides nest |
| f2 | power-of-two layouts with swizzles: equality, injectivity, ranges, disjointness |
| enumeration | whatever has at most 2^22 points; collisions beyond, by meeting in the middle |
| z3 | whatever can be said in formulas |
| calculus | sums, products, quotients and remainders of digits, whose ranges may be parameters |
| residues | how values spread over classes, over parameters alone: by cases of their remainders |
| bounded | some points of what is left; never a proof |

What each answers is in `finding`. The first four and the calculus give obligations that are easy for a solver
where the claim's own may be hard; every proof names the engine and the solver.
"""

from .finding import Fails, Finding, Holds, Open, Tried, Walked

NAMES = ("canonical", "box", "nested", "f2", "enumeration", "z3", "calculus", "residues", "bounded")

__all__ = ["NAMES", "Fails", "Finding", "Holds", "Open", "Tried", "Walked"]
