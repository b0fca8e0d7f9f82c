"""Theorems about ldmatrix, mma and retile, each for all lanes and values; `symlayout prove proofs/` proves
them.

`operand_a`, `operand_b` and `gather` follow the three programs of the article that this package started from
("Reading CuTe's retile_D: giving the MMA's registers another grouping", in Chinese); the others are its side
remarks, and `silent_failure` is what it does not mention. `atoms` and its sisters set every instruction that
CuTe describes against the formulas of the PTX ISA manual, and `coverage` says that fragments hit their tile
exactly once.

To add one: name the layouts, each with its printed form in a comment at the end of the line, and write one
function a theorem: a docstring that states it and one `return` of a claim. A refutation pins the least
counterexample.
"""
