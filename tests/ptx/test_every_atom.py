"""No atom is left out: each one whose registers the manual describes is in a theorem of proofs/atoms*.py."""

from pathlib import Path

from symlayout import Layout, atoms
from symlayout.atoms.atom import CopyAtom, MmaAtom
from symlayout.theory import load

MODULES = [m for m in load(Path(__file__).parents[2] / "proofs") if "atoms" in m.__name__]
HELD: dict[tuple[str, str], Layout] = MODULES[0].shared.__globals__["HELD"]
(WGMMA,) = (m for m in MODULES if m.__name__.endswith("atoms_warpgroup"))


def proved(atom: MmaAtom, operand: str) -> bool:
    layout = atom.layout(operand)
    if (atom.name, operand) in HELD:
        return HELD[atom.name, operand] == layout
    # the accumulator of wgmma is proved for a symbolic number of columns
    return operand == "C" and layout == Layout(
        ((4, 8, 4), (2, 2, atom.shape_mnk[1] // 8)), WGMMA.C_64xN.stride
    )


def test_every_mma() -> None:
    missing, seen = [], 0
    for name in atoms.names():
        atom = atoms.get(name)
        if isinstance(atom, MmaAtom) and atom.thr_id.size() > 2:  # not one thread's, not a CTA pair's
            held = [x for x in "ABC" if atom.storage(x) == "registers"]
            seen += len(held)
            missing += [(name, x) for x in held if not proved(atom, x)]
    assert not missing
    assert seen > 1000


def test_every_matrix_move() -> None:
    moves = [n for n in atoms.names() if isinstance(atoms.get(n), CopyAtom) and ("LDSM" in n or "STSM" in n)]
    assert len(moves) > 20
    for name in moves:
        assert (name, "registers") in HELD
        assert (name, "memory") in HELD
