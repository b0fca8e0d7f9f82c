"""box: ranges and multiples of layouts, read off their modes."""

import random
from typing import Any

from symlayout import ComposedLayout, Layout, Swizzle
from symlayout.claim import values
from symlayout.claims import aligned, within
from symlayout.decide import prove
from symlayout.engines import Fails, Holds, Open
from symlayout.engines.box import decide
from symlayout.verdict import Proved, Refuted


def some(rng: random.Random) -> Any:
    n = rng.randint(1, 3)
    layout = Layout(
        tuple(rng.choice((1, 2, 3, 4)) for _ in range(n)), tuple(rng.randint(-6, 12) for _ in range(n))
    )
    return layout if rng.random() < 0.5 else ComposedLayout(Swizzle(0, 0, 0), rng.randint(-9, 9), layout)


def test_as_by_counting() -> None:
    rng = random.Random(11)
    held = failed = 0
    for _ in range(3000):
        layout = some(rng)
        table = values(layout)
        if rng.random() < 0.5:
            lo = rng.randint(-20, 5)
            hi = lo + rng.randint(0, 60)
            found = decide(within(layout, lo, hi), ())
            wrong = [i for i, x in enumerate(table) if not lo <= x < hi]
        else:
            n = rng.choice((1, 2, 3, 4))
            found = decide(aligned(layout, n), ())
            wrong = [i for i, x in enumerate(table) if x % n]
        if wrong:
            failed += 1
            assert found == Fails({"i": wrong[0]})
        else:
            held += 1
            assert isinstance(found, Holds)
    assert held > 500
    assert failed > 500


def test_beyond_any_enumeration() -> None:
    layout = Layout((1 << 30, 1 << 30), (1 << 30, 1))
    assert isinstance(prove(within(layout, 0, 1 << 60)), Proved)
    verdict = prove(within(layout, 0, (1 << 60) - 5))
    assert isinstance(verdict, Refuted)
    assert verdict.witness == {"i": (((1 << 30) - 5) << 30) + (1 << 30) - 1}
    assert isinstance(prove(aligned(Layout((1 << 30, 1 << 30), (1 << 30, 8)), 8)), Proved)


def test_a_swizzle_is_not_its_business() -> None:
    assert decide(within(ComposedLayout(Swizzle(1, 0, 1), 0, Layout(4, 1)), 0, 4), ()) == Open()
