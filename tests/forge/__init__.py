"""Forged certificates: changed in every way that a forger may think of, and hashed by the published rule.

    make forge        10,000 of them, from all theorems of proofs/ and a hundred made-up claims

`forging` makes them, `truth` says by counting whether what a file claims is true, and `judge` asks recheck.
Nothing that counting finds false may be confirmed. What is still true after the change may be.
"""
