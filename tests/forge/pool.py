"""Certificates to forge: of all theorems, and of claims that are made up."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from symlayout import atoms
from symlayout.algebra import logical_divide
from symlayout.bank_claim import at_most_wavefronts
from symlayout.certificate import certify
from symlayout.claim import Claim
from symlayout.claims import aligned, all_of, bijective, covers, disjoint, equal, injective, within
from symlayout.decide import prove
from symlayout.dim import dims
from symlayout.errors import SymlayoutError
from symlayout.layout import Layout
from symlayout.memory_claim import memory_correct
from symlayout.swizzle import ComposedLayout, Swizzle
from symlayout.theory import load, theorems
from symlayout.tiled_copy import make_tiled_copy_A, make_tiled_copy_B, make_tiled_copy_C
from symlayout.tiled_mma import make_tiled_mma

PROOFS = Path(__file__).parent.parent.parent / "proofs"
Named = tuple[str, dict[str, Any]]
MAKE = {"A": make_tiled_copy_A, "B": make_tiled_copy_B, "C": make_tiled_copy_C}


def of_claim(name: str, claim: Any, **quantifiers: Any) -> Named | None:
    verdict = prove(claim, **quantifiers)
    if verdict.name not in ("proved", "refuted"):
        return None
    return name, certify(claim, verdict, quantifiers, name=name).content


def of_theorems(every: int = 1) -> list[Named]:
    """The certificates of all theorems and refutations, or of one in `every`."""
    found = []
    stated = [(m, t) for m in load(PROOFS) for t in theorems(m)]
    for module, t in stated[::every]:
        verdict = t.prove()
        name = f"{Path(module.__file__ or '').stem}.{t.name}"
        found.append((name, certify(t.body, verdict, t.quantifiers, name=name).content))
    return found


def layout(rng: random.Random) -> Layout:
    sizes = [rng.choice([1, 2, 2, 3, 4, 8]) for _ in range(rng.randrange(1, 4))]
    strides, next_one = [], 1
    for s in sizes:
        strides.append(next_one if rng.random() < 0.8 else rng.choice([0, 1, 2, 8]))
        next_one *= s
    order = list(range(len(sizes)))
    rng.shuffle(order)
    return Layout(tuple(sizes[k] for k in order), tuple(strides[k] for k in order))


def made_up(rng: random.Random) -> tuple[Any, dict[str, Any]]:
    """A claim, or a body with its quantifiers."""
    a, b = layout(rng), layout(rng)
    k, n = dims("K N")
    c, s, t = (rng.choice([2, 3, 4, 8]) for _ in range(3))
    mma = make_tiled_mma(
        rng.choice(["SM80_16x8x16_F32F16F16F32_TN", "SM80_16x8x8_F32F16F16F32_TN"]),
        rng.choice([(1, 1, 1), (2, 1, 1), (2, 2, 1)]),
        rng.choice([None, (32, 32, 16), (32, Layout((2, 2, 2, 2, 2), (1, 2, 8, 4, 16)), 32)]),
    )
    operand = rng.choice("ABC")
    atom = rng.choice(["SM75_U32x4_LDSM_N", "SM75_U32x2_LDSM_N", "UniversalCopy<uint32_t>"])
    ways: list[Any] = [
        lambda: (injective(a), {}),
        lambda: (bijective(a), {}),
        lambda: (equal(a, b) if rng.random() < 0.5 else equal(a, Layout(a.size())), {}),
        lambda: (all_of(within(a, 0, a.cosize()), aligned(a, rng.choice([1, 2]))), {}),
        lambda: (covers(a, rng.choice([a.size(), 1])), {}),
        lambda: (disjoint(a, b), {}),
        lambda: (injective(ComposedLayout(Swizzle(2, 0, 3), 0, a)), {}),
        lambda: (lambda i: equal(i % c + c * (i // c), i + rng.choice([0, 0, 1])), {"i": s * t}),
        lambda: (lambda i: equal(i % c, i).given(within(i, 0, c)), {"i": s * t}),
        lambda: (bijective(Layout((c, k, n), (1, c, c * k))), {}),
        lambda: (injective(Layout((k, n), (s, rng.choice([1, s * k])))), {}),
        lambda: (lambda i: equal(Layout((c, k), (k, 1))(i), i % c * k + i // c), {"i": c * k}),
        lambda: (bijective(logical_divide(Layout(c * s * t), Layout(s, t))), {}),
        lambda: (_retile(mma, atom, operand), {}),
        lambda: (_retile(mma, atom, operand), {}),
        lambda: (
            memory_correct(
                MAKE[operand](atom, mma), Layout((64, 64), rng.choice([(64, 1), (1, 64), (72, 1)]))
            ),
            {},
        ),
        lambda: (
            at_most_wavefronts(
                MAKE["A"]("SM75_U32x4_LDSM_N", mma), Layout((64, 64), (rng.choice([64, 72]), 1)), s
            ),
            {},
        ),
    ]
    found: tuple[Claim, dict[str, Any]] = rng.choice(ways)()
    return found


def _retile(mma: Any, atom: str, operand: str) -> Claim:
    claim: Claim = MAKE[operand](atoms.copy(atom), mma).retile_correct(mma, operand, mma.tile_shape(operand))
    return claim


def claims_made_up(count: int, seed: int = 0) -> list[Named]:
    found: list[Named] = []
    rng = random.Random(seed)
    while len(found) < count:
        try:
            claim, quantifiers = made_up(rng)
            one = of_claim(f"made up {len(found)}", claim, **quantifiers)
        except SymlayoutError:  # a copy that the mma refuses, or a divide that has no answer
            continue
        if one is not None:
            found.append(one)
    return found
