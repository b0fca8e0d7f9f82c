"""The front door: every public function, in every position, with what it cannot take. It answers, or raises a
SymlayoutError; and integers of other kinds are integers."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import symlayout as s
from symlayout import (
    ComposedLayout,
    E,
    Layout,
    LayoutError,
    Swizzle,
    SymlayoutError,
    atoms,
    dims,
    equal,
    make_tiled_copy,
    make_tiled_copy_A,
    make_tiled_mma,
    prove,
)
from symlayout.arguments import checked
from symlayout.integers import plain

MMA = make_tiled_mma("SM80_16x8x16_F32F16F16F32_TN")
ATOM = atoms.copy("SM75_U32x4_LDSM_N")
COPY = make_tiled_copy_A(ATOM, MMA)
FLOAT = atoms.copy("UniversalCopy<float>").with_type("float")
PLAIN = Layout((4, 8), (8, 1))
VIEW = COPY.get_slice(0).partition_S((16, 16))
SWIZZLED = ComposedLayout(Swizzle(3, 3, 3), 0, PLAIN)


class Odd:
    """Looks like a layout from afar."""

    shape, stride = (2,), 3

    def size(self) -> str:
        return "many"

    def __call__(self, *_: object) -> str:
        return "value"


# every sort of thing that somebody may give by mistake
ZOO: list[Any] = [
    *(None, "x", "", b"4", 2.5, float("nan"), float("inf"), 1 + 2j, True, False, object(), Odd()),
    *([], [1, 2], {}, {1: 2}, {1}, (), (None,), ("a",), (2.5, 1), ((),), (1, (2, (3, None))), (True, 4)),
    *(int, print, len, lambda: 0, slice(0, 2), range(3), Exception("x"), Ellipsis),
    *(PLAIN, SWIZZLED, Swizzle(3, 3, 3), MMA, COPY, ATOM, MMA.atom, COPY.get_slice(0), MMA.get_slice(0)),
    *(equal(1, 1), prove(equal(1, 1)), VIEW, E(0), dims("K"), -1, 0, 3, 10**30, -(10**30)),
    *(np.int64(4), np.float64(2.0), np.bool_(True), np.array([1, 2]), np.array(4), np.array([])),
]

# what a function is rightly given, where layouts in every place would not do; one argument of it is exchanged
RIGHT: dict[str, tuple[Any, ...]] = {
    "composition": (PLAIN, Layout(4)),
    "crd2idx": ((1, 2), (4, 8), (8, 1)),
    "idx2crd": (3, (4, 8)),
    "slice_": ((None, 1), PLAIN),
    "dice": ((None, 1), PLAIN),
    "make_tiled_copy": (FLOAT, Layout((4, 8)), Layout((1, 1))),
    "make_cotiled_copy": (FLOAT, Layout((32, 1)), Layout(32)),
    "make_tiled_copy_A": (ATOM, MMA),
    "make_tiled_copy_B": (ATOM, MMA),
    "make_tiled_copy_C": (ATOM.with_type("half_t"), MMA),
    "make_tiled_copy_C_atom": (ATOM.with_type("half_t"), MMA),
    "make_tiled_copy_S": (ATOM, COPY),
    "make_tiled_copy_D": (ATOM, COPY),
    "make_tiled_mma": ("SM80_16x8x16_F32F16F16F32_TN", (1, 1, 1), (16, 8, 16)),
    "conflict_free": (COPY, PLAIN),
    "wavefronts": (COPY, PLAIN, 2),
    "at_most_wavefronts": (COPY, PLAIN, 2),
    "memory_correct": (COPY, PLAIN),
    "owned": (MMA, "A", 0, "M"),
    "contiguous_permutation": (MMA, "B", "N"),
    "accesses": (COPY, PLAIN),
    "worst_degree": (COPY, PLAIN),
    "within": (PLAIN, 0, 32),
    "aligned": (PLAIN, 1),
    "covers": (PLAIN, 32),
    "prove": (equal(1, 1),),
    "layout_of": (lambda m, k: 8 * m + k, (4, 8)),
    "TiledCopy.retile_correct": (MMA, "A", (16, 16)),
    "TiledCopy.delivery": (MMA, "A", (16, 16)),
    "TiledCopy.right_view": (MMA, "A", (16, 16)),
    "TiledMMA.fragment": ("A", (16, 16)),
    "TiledMMA.thrfrg": ("A", (16, 16)),
    "ThrMMA.partition": ("A", (16, 16)),
}
OBJECTS: dict[str, Any] = {
    "Layout": PLAIN,
    "ComposedLayout": SWIZZLED,
    "Swizzle": Swizzle(3, 3, 3),
    "TiledMMA": MMA,
    "TiledCopy": COPY,
    "ThrCopy": COPY.get_slice(0),
    "ThrMMA": MMA.get_slice(0),
    "View": VIEW,
    "CopyAtom": ATOM,
    "MmaAtom": MMA.atom,
}
PLAIN_DATA = ("Verdict", "Proved", "Refuted", "Unknown", "Bounded", "Vacuous", "Claim", "Domain", "Dim")


def public() -> dict[str, Callable[..., Any]]:
    """Everything that can be called: functions, classes, and the methods of what they make."""
    found = {
        name: f
        for name in s.__all__
        if callable(f := getattr(s, name))
        and name not in PLAIN_DATA  # what `prove` and `dims` fill in
        and not (inspect.isclass(f) and issubclass(f, BaseException))
    }
    for owner, thing in OBJECTS.items():
        for name, member in vars(type(thing)).items():
            if inspect.isfunction(member) and (name[0] != "_" or name in ("__call__", "__getitem__")):
                found[f"{owner}.{name}"] = getattr(thing, name)
    return found


PUBLIC = public()


def calls(name: str, f: Callable[..., Any]) -> Iterator[tuple[list[Any], dict[str, Any]]]:
    """Arguments of which one is odd, in each position and under each name."""
    parameters = list(inspect.signature(f).parameters.values())
    places = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    several = any(p.kind == p.VAR_POSITIONAL for p in parameters)
    needed = [*RIGHT.get(name, (PLAIN,) * sum(p.default is p.empty for p in places))]
    for k in range(max(len(places), len(needed), 2 * several)):
        for odd in ZOO:
            given = needed[: k + 1] + [p.default for p in places[len(needed) : k + 1]]
            given += [PLAIN] * (k + 1 - len(given)) + needed[k + 1 :]
            given[k] = odd
            yield given, {}
    for p in parameters:
        if p.kind == p.KEYWORD_ONLY:
            for odd in ZOO:
                yield needed, {p.name: odd}


@pytest.mark.parametrize("name", PUBLIC)
def test_it_answers_or_refuses(name: str) -> None:
    wrong = []
    for given, named in calls(name, PUBLIC[name]):
        try:
            PUBLIC[name](*given, **named)
        except SymlayoutError:
            continue
        except Exception as error:
            if "stands for many integers" in str(error):  # what a Dim says where one integer is needed
                continue
            wrong.append(f"{name}{tuple(given)} {named}: {type(error).__name__}: {error}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: make_tiled_copy_A(MMA, ATOM), "make_tiled_copy_A: atom = TiledMMA.*: a text or a copy atom"),  # type: ignore[arg-type]
        (lambda: make_tiled_copy_A(ATOM, None), "mma = None: a TiledMMA, of make_tiled_mma is expected"),  # type: ignore[arg-type]
        (lambda: COPY.retile_correct(COPY, "A", (16, 16)), "mma = TiledCopy.*: a TiledMMA"),  # type: ignore[arg-type]
        (lambda: COPY.retile_correct(MMA, 3, (16, 16)), "operand = 3: a text is expected"),  # type: ignore[arg-type]
        (lambda: PLAIN([1, 2]), r"\[1, 2\] is not an integer|no integer"),
        (lambda: PLAIN(np.array([1, 2])), "integer"),
        (lambda: PLAIN(2.0), "integer"),
        (lambda: PLAIN(True), "integer"),
        (lambda: Layout((4, True)), "integer"),
        (lambda: Layout((4, 2.0)), "integer"),
        (lambda: Layout(np.array([4, 8])), "integer"),
        (lambda: Layout((4, np.float64(8))), "integer"),
        (lambda: Layout((4, np.bool_(True))), "integer"),
        (lambda: Swizzle(3, True, 3), "integer"),
        (lambda: s.take(PLAIN, 0, True), "e = True: an integer is expected"),
        (lambda: s.logical_divide(PLAIN, 2, strict=1), "strict = 1: True or False is expected"),  # type: ignore[arg-type]
        (lambda: s.conflict_free(PLAIN, PLAIN), "copy = .*: a TiledCopy, of make_tiled_copy_A"),  # type: ignore[arg-type]
        (lambda: prove(3), "claim = 3: a claim: equal, injective, ... or a function"),  # type: ignore[arg-type]
        (lambda: s.shape_div(None, 3), "shape_div: a cannot be None here"),
        (lambda: s.append(PLAIN, 3, n=2.0), "n = 2.0: an integer or None is expected"),  # type: ignore[arg-type]
        (lambda: ComposedLayout(None, 0, PLAIN), "is not a map"),
        (lambda: ComposedLayout(Swizzle(3, 3, 3), 0.5, PLAIN), "the offset 0.5 is not an integer"),
    ],
)
def test_the_message_says_what_is_expected(call: Callable[[], Any], says: str) -> None:
    with pytest.raises(LayoutError, match=says):
        call()


INT: Any = np.int64


def of_ints(x: Any) -> bool:
    """Whether nothing in a layout, a tuple or a view is an integer of another kind."""
    if isinstance(x, (tuple, list)):
        return all(map(of_ints, x))
    if isinstance(x, Layout):
        return of_ints((x.shape, x.stride))
    if isinstance(x, ComposedLayout):
        return of_ints((x.offset, x.layout))
    if isinstance(x, Swizzle):
        return of_ints((x.b, x.m, x.s))
    return type(x) is int


@pytest.mark.parametrize("kind", [np.int64, np.int32, np.uint8], ids=lambda k: k.__name__)
@pytest.mark.parametrize(
    "make",
    [
        lambda i: Layout((i(4), i(8)), (i(8), i(1))),
        lambda i: Layout(i(4)),
        lambda i: Layout((i(4), (i(2), 4))),
        lambda i: PLAIN(i(5)),
        lambda i: PLAIN(i(3), i(2)),
        lambda i: PLAIN((i(3), (i(2)))),
        lambda i: PLAIN(None, i(2)),
        lambda i: PLAIN[i(1)],
        lambda i: SWIZZLED(i(5)),
        lambda i: SWIZZLED(i(3), i(2)),
        lambda i: Swizzle(i(3), i(3), i(3)),
        lambda i: Swizzle(3, 3, 3)(i(64)),
        lambda i: ComposedLayout(Swizzle(3, 3, 3), i(8), PLAIN),
        lambda i: s.make_swizzle(i(56), i(7)),
        lambda i: s.composition(PLAIN, i(4)),
        lambda i: s.composition(PLAIN, (i(2), i(4))),
        lambda i: PLAIN.compose(i(2), i(4)),
        lambda i: PLAIN.with_shape(i(8), i(4)),
        lambda i: s.complement(Layout(4), i(32)),
        lambda i: s.logical_divide(PLAIN, (i(2), i(4))),
        lambda i: s.zipped_divide(PLAIN, (i(2), i(4))),
        lambda i: s.blocked_product(PLAIN, i(2)),
        lambda i: s.upcast(PLAIN, i(1)),
        lambda i: s.take(PLAIN, i(0), i(1)),
        lambda i: s.select(PLAIN, i(1), i(0)),
        lambda i: s.crd2idx((i(1), i(2)), (i(4), i(8)), (i(8), i(1))),
        lambda i: s.idx2crd(i(11), (i(4), i(8))),
        lambda i: s.shape_div((i(4), i(8)), i(2)),
        lambda i: s.tile_to_shape(Layout((2, 2)), (i(4), i(8))),
        lambda i: s.size((i(4), i(8))),
        lambda i: s.layout_from_table([i(0), i(2), i(4), i(6)]),
        lambda i: make_tiled_mma(MMA.atom, (i(2), i(1), i(1)), (i(32), i(8), i(16))).tile_shape("A"),
        lambda i: make_tiled_copy(FLOAT, Layout((i(4), i(8))), (i(1), i(1))).layout_tv,
        lambda i: MMA.fragment_A((i(16), i(16))),
        lambda i: COPY.get_slice(i(3)).partition_S((i(16), i(16))).layout,
        lambda i: COPY.get_slice(i(3)).thr_idx,
        lambda i: VIEW(i(3)),
        lambda i: MMA.tile_size(i(0)),
    ],
)  # fmt: skip
def test_integers_of_numpy_are_integers(make: Callable[[Any], Any], kind: Any) -> None:
    found = make(kind)
    assert found == make(int)
    assert of_ints(found), repr(found)


def test_claims_take_them_too() -> None:
    bank = Layout((64, 64), (INT(72), INT(1)))
    for verdict in (
        prove(s.injective(Layout((INT(5), INT(6)), (INT(6), INT(1))))),
        prove(s.bijective(Layout((INT(5), INT(6))), onto=INT(30))),
        prove(equal(Layout((INT(4), INT(8))), Layout(32))),
        prove(equal(INT(3), 3)),
        prove(s.within(PLAIN, INT(0), INT(32))),
        prove(s.aligned(Layout(4, 8), INT(8))),
        prove(s.covers(PLAIN, INT(32), INT(1))),
        prove(s.disjoint(Layout(INT(4)), ComposedLayout(Swizzle(0, 0, 0), INT(4), Layout(4)))),
        prove(lambda a: equal(Layout((4, 8))(a), a), a=INT(32)),
        prove(s.conflict_free(COPY, bank)),
        prove(s.wavefronts(COPY, Layout((64, 64), (64, 1)), INT(8))),
        prove(s.memory_correct(COPY, bank)),
        prove(COPY.retile_correct(MMA, "A", (INT(32), INT(32)))),
    ):
        assert verdict.name == "proved", str(verdict)


def test_an_answer_needs_no_copy_of_what_is_plain() -> None:
    given = (4, (2, 8), [1, 2])
    assert plain(given) is given
    assert plain((4, INT(2))) == (4, 2)


def test_a_defect_is_not_laid_at_the_caller_s_door() -> None:
    @checked
    def broken(layout: Any, n: int) -> Any:  # what it is called with is not what it says
        raise AttributeError("a defect")

    with pytest.raises(AttributeError, match="a defect"):
        broken(PLAIN, 4)
    with pytest.raises(LayoutError, match=r"layout = 2\.5 is not an integer, a tuple or a layout"):
        broken(2.5, 4)
    with pytest.raises(LayoutError, match="n = 'x': an integer is expected"):
        broken(PLAIN, "x")  # type: ignore[arg-type]


def test_what_a_body_raises_is_its_own() -> None:
    with pytest.raises(LayoutError, match="the body raised ZeroDivisionError") as wrong:
        prove(lambda a: equal(a // (1 - 1), 0), a=4)
    assert isinstance(wrong.value.__cause__, ZeroDivisionError)
    with pytest.raises(KeyError):
        s.layout_of(lambda i: {}[i], 4)


def test_importing_the_package_loads_no_numpy() -> None:
    import subprocess
    import sys

    code = "import sys, symlayout; symlayout.Layout((4, 8)); print('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "False\n"
