"""Certificates: what a file holds, and that no damage to it goes unseen."""

import json
from hashlib import sha256
from keyword import iskeyword
from pathlib import Path
from typing import Any

import pytest

from symlayout import Layout, Swizzle, aligned, all_of, assume, bijective, dims, equal, injective, prove
from symlayout.certificate import FORMAT, Certificate, canonical, certify, load, read
from symlayout.errors import LayoutError, NotationError
from symlayout.swizzle import ComposedLayout
from symlayout.symbolic import Int
from symlayout.verdict import Unknown, Verdict

NOTHING: dict[str, Any] = {
    "text": "",
    "called": "",
    "data": {"kind": "all of", "claims": []},
    "parts": [],
}


def wraps(a: Int) -> Any:
    return equal(a % 4 + 4 * (a // 4), a)


@pytest.fixture(scope="module")
def certificate() -> Certificate:
    return certify(wraps, prove(wraps, says="a is what it is made of", a=8), {"a": 8}, name="stated.wraps")


def forged(certificate: Certificate, **changed: Any) -> bytes:
    """The file of somebody who changes fields and hashes anew."""
    return Certificate({**certificate.content, **changed}).text().encode()


def test_what_it_holds(certificate: Certificate) -> None:
    content = json.loads(certificate.text())
    assert content["format"] == FORMAT
    assert (content["name"], content["verdict"]) == ("stated.wraps", "proved")
    assert content["claim"]["text"] == "for all a < 8: a%4 + 4*(a//4) = a"
    assert content["claim"]["called"] == "a is what it is made of"
    assert content["claim"]["data"] == {
        "kind": "all of",
        "claims": [{"kind": "relations", "given": [], "hold": ["a%4 + 4*(a//4) = a"], "digits": []}],
    }
    assert content["claim"]["parts"] == [
        {
            "kind": "relations",
            "says": "a%4 + 4*(a//4) = a",
            "given": [],
            "hold": ["a%4 + 4*(a//4) = a"],
            "digits": [],
        }
    ]
    assert content["domain"] == [{"name": "a", "from": 0, "below": 8}]
    assert (content["facts"], content["witness"]) == ([], {})
    assert content["engine"].endswith(content["versions"]["z3"][:3]) or "z3" in content["engine"]
    assert content["versions"]["symlayout"]
    assert content["date"].startswith("20")
    assert content["obligations"], "a proof is a list of obligations"
    for obligation in content["obligations"]:
        assert obligation["sha256"] == sha256(obligation["smt2"].encode()).hexdigest()
        assert obligation["expected"] == "unsat"
        assert obligation["smt2"].endswith("(check-sat)\n")


def test_the_hash_is_that_of_the_text_without_it(certificate: Certificate) -> None:
    content = json.loads(certificate.text())
    stated = content.pop("sha256")
    text = json.dumps(content, indent=2, sort_keys=True, ensure_ascii=False) + "\n"
    assert stated == sha256(text.encode()).hexdigest()


def test_it_comes_back_as_it_went(certificate: Certificate, tmp_path: Path) -> None:
    certificate.write(tmp_path / "c.json")
    assert read(tmp_path / "c.json") == certificate


def test_every_flipped_bit_is_seen(certificate: Certificate) -> None:
    data = certificate.text().encode()
    for place in range(len(data)):
        for bit in range(8):
            damaged = bytearray(data)
            damaged[place] ^= 1 << bit
            with pytest.raises(NotationError):
                load(bytes(damaged))


def test_every_truncation_is_seen(certificate: Certificate) -> None:
    data = certificate.text().encode()
    for length in range(len(data)):
        with pytest.raises(NotationError):
            load(data[:length])


@pytest.mark.parametrize(
    "data, message",
    [
        (b"", "not all of it"),
        (b"\xff\xfe", "byte 0 is not UTF-8"),
        (b"[1, 2]", "no certificate"),
        (b"17", "no certificate"),
        (b'"x"', "no certificate"),
        (b"{}", FORMAT),
        (b'{"format": "symlayout certificate 3"}', FORMAT),
        (b'{"format": NaN}', "no certificate"),
        (b"[" * 100_000, "nested too deep"),
        (b'{"format": ' + b'{"a":' * 50_000, "nested too deep"),
        (b'{"format": ' + b"9" * 10_000 + b"}", "no certificate"),
        (b'{"format": "\\ud800"}', FORMAT),
    ],
)
def test_what_is_no_certificate(data: bytes, message: str) -> None:
    with pytest.raises(NotationError, match="no certificate") as error:
        load(data)
    assert message in str(error.value)


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("\n", ""),
        lambda text: text + "\n",
        lambda text: text.replace('"date"', '"date" '),
        lambda text: text.replace('"name": ', '"name": "first",\n  "name": ', 1),
        lambda text: text.replace("stated", "\\u0073tated", 1),
        lambda text: "\ufeff" + text,
    ],
)
def test_other_text_of_the_same_content_is_damage(certificate: Certificate, change: Any) -> None:
    with pytest.raises(NotationError, match=r"damaged|no certificate"):
        load(change(certificate.text()).encode())


@pytest.mark.parametrize(
    "changed, message",
    [
        ({"verdict": "bounded"}, "verdict"),
        ({"name": 5}, "name"),
        ({"domain": [{"name": "a", "from": 0}]}, r"domain\[0\] has not the keys"),
        ({"domain": [{"name": "a", "from": 0, "below": 1.5}]}, r"domain\[0\]\.below"),
        ({"domain": [{"name": "a", "from": True, "below": 2}]}, r"domain\[0\]\.from"),
        ({"obligations": [{"smt2": "", "sha256": "", "expected": "unknown"}]}, r"obligations\[0\]\.expected"),
        ({"obligations": {}}, "obligations is not a list"),
        ({"claim": {**NOTHING, "parts": [{"kind": "magic"}]}}, r"claim\.parts\[0\]"),
        ({"claim": {**NOTHING, "data": {"kind": "all of", "claims": [{"kind": "magic"}]}}}, r"data\.claims"),
        ({"claim": {**NOTHING, "data": {"kind": "some of", "claims": []}}}, r"data\.kind"),
        ({"claim": {"text": ""}}, "claim has not the keys"),
        ({"domain": [{"name": "a) (assert false", "from": 0, "below": 8}]}, "not names of digits"),
        ({"domain": [{"name": "a", "from": 0, "below": 8}] * 2}, "not names of digits"),
        ({"remark": "x"}, "the certificate has not the keys"),
    ],
)
def test_another_structure_is_refused_although_its_hash_is_right(
    certificate: Certificate, changed: dict[str, Any], message: str
) -> None:
    with pytest.raises(NotationError, match=message):
        load(forged(certificate, **changed))


def test_an_older_format_is_named() -> None:
    with pytest.raises(NotationError, match=r"of an older format[^\n]*\n  prove the claim again"):
        load(b'{"format": "symlayout certificate 1"}')


def test_a_changed_obligation_is_named(certificate: Certificate) -> None:
    obligations = [{**o, "smt2": o["smt2"] + " "} for o in certificate.obligations]
    with pytest.raises(NotationError, match="the hash of obligation 0"):
        load(forged(certificate, obligations=obligations))


def test_a_missing_file_and_a_huge_one(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read(tmp_path / "nowhere.json")
    with (tmp_path / "huge.json").open("wb") as file:
        file.truncate(1 << 30)  # sparse: it takes no place
    with pytest.raises(NotationError, match="larger than 64 MiB"):
        read(tmp_path / "huge.json")


def test_an_undecided_claim_has_none() -> None:
    undecided: Verdict = Unknown("it is so", "nobody knows")
    with pytest.raises(LayoutError, match="unknown is not proved"):
        certify(wraps, undecided, {"a": 8})


def test_a_refutation_has_its_witness_and_no_obligations() -> None:
    claim = injective(Layout((4, 2), (1, 3)))
    content = certify(claim, prove(claim)).content
    assert (content["verdict"], content["witness"], content["obligations"]) == (
        "refuted",
        {"i": 3, "j": 4},
        [],
    )
    assert content["domain"] == []


def test_premises_must_be_possible() -> None:
    def claim(a: Int) -> Any:
        return equal(a % 2, 0).given(aligned(a, 4))

    content = certify(claim, prove(claim, a=16), {"a": 16}).content
    assert content["claim"]["parts"][0]["given"] == []  # it is a fact of the whole claim
    assert content["facts"] == ["a%4 = 0"]
    assert content["claim"]["text"] == "for all a < 16, where a%4 = 0: a%2 = 0"
    assert [o["expected"] for o in content["obligations"]] == ["sat", "unsat"]


def test_layouts_are_written_as_cute_prints_them() -> None:
    layout = Layout(((2, 2), 8), ((1, 16), 2))
    swizzled = ComposedLayout(Swizzle(3, 3, 3), 0, Layout((8, 64), (64, 1)))
    claim = all_of(bijective(layout), injective(swizzled))
    parts = certify(claim, prove(claim)).parts
    assert {part["map"] for part in parts if "map" in part} == {
        "((2,2),8):((1,16),2)",
        "Sw<3,3,3> o 0 o (8,64):(64,1)",
    }


def test_parameters_come_first_and_have_no_end() -> None:
    from symlayout.dim import dims

    n, k = dims("N K")
    claim = lambda i: equal(Layout((n, k), (k, 1))(i, 0), i * k)  # noqa: E731
    content = certify(claim, prove(claim, i=n), {"i": n}).content
    domain = {digit["name"]: (digit["from"], digit["below"]) for digit in content["domain"]}
    assert domain == {"N": (1, None), "K": (1, None), "i": (0, "N")}
    assert content["domain"][-1]["name"] == "i"


def test_canonical_text_is_sorted() -> None:
    assert canonical({"b": [1], "a": "ü"}) == '{\n  "a": "ü",\n  "b": [\n    1\n  ]\n}\n'


@pytest.mark.parametrize("word", ["i", "j", "K", "lambda", "t_0"])
def test_names_in_a_certificate_are_python_s_and_apart(word: str, tmp_path: Path) -> None:
    """Parameters may be called anything, also what the claim itself calls the digits of a witness."""
    size = dims(word)
    for stated in (injective(Layout((size, 4), (4, 1))), injective(Layout((size, 4), (3, 1)))):
        certificate = certify(stated, prove(stated))
        certificate.write(tmp_path / "names.json")
        again = read(tmp_path / "names.json")
        names = [d["name"] for d in again.domain]
        assert len(set(names)) == len(names)
        assert all(name.isidentifier() and not iskeyword(name) for name in names)
        if again.verdict == "refuted":
            assert again.witness == {names[0]: 2, "i": 1, "j": 6}


def test_facts_of_every_kind_are_in_a_certificate() -> None:
    given = assume("4 | A*B, A*B >= 9")
    stated = injective(given(Layout(dims("A"), dims("B"))))
    assert certify(stated, prove(stated)).facts == ["A*B-9 >= 0", "(A*B) % (4) = 0"]
