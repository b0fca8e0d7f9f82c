"""The instructions whose accesses to shared memory are counted, as inline PTX for `kernels/banks.cu`.

Source: PTX ISA 9, "ld", "st", "cp.async", "atom", "red", "ldmatrix" (9.7.14.5.15) and "stmatrix"
(9.7.14.5.16). Only what becomes a single access is here. `atom` and `red` of 64-bit add, of floats, of halves
and of 16 bits are not: ptxas makes a loop of loads and compare-and-swaps of them.
"""

from __future__ import annotations

from symlayout.smem import Access


def _asm(text: str, outputs: str = "", inputs: str = "") -> str:
    """One asm statement, or a block in braces; the address is the last operand."""
    end = "" if text.startswith("{") else ";"
    return f'asm volatile("{text}{end}" : {outputs} : {inputs + ", " if inputs else ""}"r"(a) : "memory");'


def _registers(letter: str, names: list[str], assign: str = "") -> str:
    return ", ".join(f'"{assign}{letter}"({name})' for name in names)


def _listed(n: int) -> str:
    return "{" + ", ".join(f"%{k}" for k in range(n)) + "}"


_HALVES = [f"h[{k}]" for k in range(4)]
_WORDS = [f"r[{k}]" for k in range(4)]
_DOUBLES = ["q[0]", "q[1]"]
_HELD = {"h": _HALVES, "r": _WORDS, "l": _DOUBLES}


def _plain(width: str, letter: str, n: int = 1) -> dict[str, str]:
    """A load and a store of one width, of n registers."""
    names, held = _HELD[letter][:n], _listed(n) if n > 1 else "%0"
    return {
        f"ld.shared.{width}": _asm(f"ld.shared.{width} {held}, [%{n}]", _registers(letter, names, "=")),
        f"st.shared.{width}": _asm(f"st.shared.{width} [%{n}], {held}", "", _registers(letter, names)),
    }


def _quad() -> dict[str, str]:
    """A load and a store of 128 bits, whose register two 64-bit ones make up."""
    out, into = _registers("l", _DOUBLES, "="), _registers("l", _DOUBLES)
    load = "{.reg .b128 t; ld.shared.b128 t, [%2]; mov.b128 {%0, %1}, t;}"
    store = "{.reg .b128 t; mov.b128 t, {%0, %1}; st.shared.b128 [%2], t;}"
    return {"ld.shared.b128": _asm(load, out), "st.shared.b128": _asm(store, "", into)}


def _moved(form: str, n: int, store: bool) -> str:
    """ldmatrix or stmatrix of n registers."""
    names = _WORDS[:n]
    if store:
        return _asm(f"stmatrix.sync.aligned.{form} [%{n}], {_listed(n)}", "", _registers("r", names))
    return _asm(f"ldmatrix.sync.aligned.{form} {_listed(n)}, [%{n}]", _registers("r", names, "="))


def _matrix(n: int, trans: bool) -> dict[str, str]:
    suffix = ".trans" if trans else ""
    form = f"m8n8.x{n}{suffix}.shared.b16"
    return {
        f"ldmatrix.x{n}{suffix}": _moved(form, n, False),
        f"stmatrix.x{n}{suffix}": _moved(form, n, True),
    }


def _copy(cache: str, size: int) -> dict[str, str]:
    """cp.async from `from`, where every lane has `size` bytes of its own, side by side."""
    name = f"cp.async.{cache}.shared.global"
    return {f"{name}.{size}": _asm(f"{name} [%1], [%0], {size}; cp.async.wait_all", "", '"l"(from)')}


def _atomic(operation: str, letter: str, operands: int = 1) -> dict[str, str]:
    """atom of one or (cas) two operands."""
    result, *given = (_HELD[letter] * 2)[: operands + 1]
    held = ", ".join(f"%{k + 1}" for k in range(operands))
    text = f"atom.shared.{operation} %0, [%{operands + 1}], {held}"
    return {f"atom.shared.{operation}": _asm(text, f'"={letter}"({result})', _registers(letter, given))}


def _reduction(operation: str) -> dict[str, str]:
    return {f"red.shared.{operation}": _asm(f"red.shared.{operation} [%1], %0", "", '"r"(r[0])')}


def _quad_atomics() -> dict[str, str]:
    """exch and cas of 128 bits (sm_90)."""
    frame = "{{.reg .b128 t, u; mov.b128 t, {{%0, %1}}; {}; mov.b128 {{%0, %1}}, u;}}"
    both = _registers("l", _DOUBLES, "+")
    return {
        "atom.shared.exch.b128": _asm(frame.format("atom.shared.exch.b128 u, [%2], t"), both),
        "atom.shared.cas.b128": _asm(frame.format("atom.shared.cas.b128 u, [%2], t, t"), both),
    }


FIRST: dict[str, str] = {  # of the first measurement; the order is that of its accesses
    **_plain("u8", "h"),
    **_plain("u16", "h"),
    **_plain("u32", "r"),
    **_plain("b64", "l"),
    **_plain("v2.u32", "r", 2),
    **_plain("v4.u32", "r", 4),
    **_plain("v2.b64", "l", 2),
    **_matrix(1, False),
    **_matrix(2, True),
    **_matrix(4, False),
}
FURTHER: dict[str, str] = {
    **_plain("s8", "h"),
    **_plain("v2.u8", "h", 2),
    **_plain("v4.u8", "h", 4),
    **_plain("v2.b16", "h", 2),
    **_plain("v4.b16", "h", 4),
    **_quad(),
    **_matrix(1, True),
    **_matrix(2, False),
    **_matrix(4, True),
}
COPIES: dict[str, str] = {**_copy("ca", 4), **_copy("ca", 8), **_copy("ca", 16), **_copy("cg", 16)}
ATOMICS: dict[str, str] = {
    **_reduction("add.u32"),
    # ptxas has an instruction of its own for this one: it counts the lanes of an address
    "red.shared.add.u32 by 1": _asm("red.shared.add.u32 [%0], 1"),
    **_reduction("or.b32"),
    **_atomic("add.u32", "r"),
    **_atomic("max.s32", "r"),
    **_atomic("inc.u32", "r"),
    **_atomic("exch.b32", "r"),
    **_atomic("cas.b32", "r", 2),
    **_atomic("exch.b64", "l"),
    **_atomic("cas.b64", "l", 2),
    **_quad_atomics(),
}
ASM: dict[str, str] = {**FIRST, **FURTHER, **COPIES, **ATOMICS}


def _bytes_forms() -> dict[str, str]:
    """ldmatrix and stmatrix of bytes, and of 6 and 4 bits that become bytes."""
    packed = [f"b8x16.{bits}" for bits in ("b6x16_p32", "b4x16_p64")]
    loads = [("m16n16", f"x{n}.trans", kind, 2 * n) for n in (1, 2) for kind in ["b8", *packed]]
    loads += [("m8n16", f"x{n}", kind, n) for n in (1, 2, 4) for kind in packed]
    forms = {f"ldmatrix.{a}.{b}.{c}": _moved(f"{a}.{b}.shared.{c}", n, False) for a, b, c, n in loads}
    for n in (1, 2, 4):
        forms[f"stmatrix.m16n8.x{n}.trans.b8"] = _moved(f"m16n8.x{n}.trans.shared.b8", n, True)
    return forms


#: A device is asked for each of these and its answer recorded. PTX has them for sm_100a and later; none of
#: the devices measured has them, so that nothing here says how such an access is served.
BYTES: dict[str, str] = _bytes_forms()
BYTES_SINCE = 10  # compute capability, the major number


def defines(name: str) -> dict[str, str]:
    """What `banks.cu` wants filled in for an instruction."""
    text = ASM[name] if name in ASM else BYTES[name]
    return {"ACCESS": text, "STEP": str(Access(name).bytes if name in COPIES else 16)}
