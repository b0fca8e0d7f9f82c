"""`python -m gpu`: the cross-check from a plain checkout, on a machine that has CuPy but neither z3 nor
lark."""

from .cli import main

if __name__ == "__main__":
    main()
