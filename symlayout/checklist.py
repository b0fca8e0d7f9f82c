"""What the article asks a reader to check when the configuration changes, as claims that can fail one by one.

1. TiledNumThr % AtomNumThr = 0     the tile's threads are whole instructions
2. TiledNumVal % AtomNumVal = 0     so are a thread's values
3. Dst = Ref (for side S: Src)      retile knows the reference side only
4. the first V values               V = size<0>(fragment): they are the fragment's mode 0, in its order
5. the retile                       which the first four do not imply: CuTe also takes the order of the
                                    fragment's other modes for granted

Source: cute/atom/copy_atom.hpp, TiledCopy (CUTLASS 4.2).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from .algebra import composition, make_identity_layout, product_each, zipped_divide
from .claim import Claim, Failure, Pointwise
from .errors import LayoutError
from .formula import Relation
from .inttuple import show
from .layout import Layout
from .map_claims import EqualMaps
from .retile_claim import retile_claim


def checklist(copy: Any, mma: Any, operand: str, tensor: Any, side: str = "D") -> tuple[Claim, ...]:
    """The claims of the module's text about a tiled copy and the mma whose registers it fills (side D) or
    reads (S).

    The copy may be one that `make_tiled_copy` refuses; where CuTe refuses the retile the last claim is left
    out.
    """
    atom, ref = copy.atom, copy.atom.layout_ref
    mine, word = (atom.layout_dst, "Dst") if side == "D" else (atom.layout_src, "Src")
    claims: list[Claim] = [
        _divides("TiledNumThr", copy.num_thr, "AtomNumThr", copy.atom_num_thr),
        _divides("TiledNumVal", copy.num_val, "AtomNumVal", copy.atom_num_val),
        SameElements(mine, ref, what=(f"in {word}", "in Ref")).named(f"{word} = Ref in {atom.name}"),
        _first_values(copy, mma, operand, tensor),
    ]
    try:
        claims.append(retile_claim(copy.delivery(mma, operand, tensor, side=side), operand, side))
    except LayoutError:
        return tuple(claims)
    return tuple(claims)


@dataclass(frozen=True)
class Divides(Pointwise):
    """One count divides another, in CuTe's names."""

    def failure(self) -> Failure | None:
        found = super().failure()
        return None if found is None else replace(found, says=self.form)


def _divides(name: str, n: int, divisor_name: str, divisor: int) -> Claim:
    form = f"{name} % {divisor_name} = {n} % {divisor} = {n % divisor}: whole instructions need 0"
    return Divides((Relation("=", n % divisor, 0),), (n % divisor, 0), form).named(
        f"{name} % {divisor_name} = 0"
    )


@dataclass(frozen=True)
class SameElements(EqualMaps):
    """Two maps over (thread, value) are equal; a failure names the thread and the value."""

    what: tuple[str, str] = ("", "")

    def read(self, model: Mapping[str, int]) -> dict[str, Any]:
        found = super().read(model)
        return self._where(found["i"]) if found else found

    def failure_at(self, witness: Mapping[str, Any]) -> Failure | None:
        if not witness or "i" in witness:  # the sizes, or an index as an engine has it
            return super().failure_at(witness)
        return super().failure_at({"i": witness["thread"] + self.a[0].size() * witness["value"]})

    def _where(self, i: int) -> dict[str, Any]:
        threads = self.a[0].size()
        return {"thread": i % threads, "value": i // threads}

    def _sizes(self) -> Failure:
        texts = [
            f"{m[0].size()} threads of {m[1].size()} values {name}"
            for m, name in zip((self.a, self.b), self.what, strict=True)
        ]
        return Failure({}, self.a.size(), self.b.size(), ", ".join(texts))

    def _at(self, i: int, x: Any, y: Any) -> Failure:
        where = self._where(i)
        value, thread = where["value"], where["thread"]
        says = f"value {value} of thread {thread} is {show(x)} {self.what[0]}, {show(y)} {self.what[1]}"
        return Failure(where, x, y, says)


def _first_values(copy: Any, mma: Any, operand: str, tensor: Any) -> Claim:
    """The element that the copy's reference gives thread t as value v < V is the one that the mma gives
    it."""
    v = Layout(mma.atom.layout(operand)[1].size())
    identity = make_identity_layout(product_each(tensor.shape if isinstance(tensor, Layout) else tensor))
    tile = zipped_divide(identity, copy.tiler_mn, unchecked=True)[0]
    own = make_identity_layout(mma.tile_shape(operand))
    copied, held = (
        composition(elements, composition(tv, (None, v), unchecked=True), unchecked=True)
        for elements, tv in ((tile, copy.layout_tv), (own, mma.layout_TV(operand)))
    )
    what = ("in the copy's reference", "in the mma")
    return SameElements(copied, held, what=what).named(
        f"the first V = {v.size()} values are the fragment's mode 0"
    )
