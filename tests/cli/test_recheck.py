"""`symlayout recheck`, and `--certificate` and `--recheck` of the commands that prove."""

import io
import json
import sys
from pathlib import Path

import pytest

from symlayout.certificate import Certificate, read
from symlayout.cli.progress import Bar

from .conftest import MMA, Run

OPERAND_A = str(Path(__file__).parent.parent.parent / "proofs" / "operand_a.py")
RETILE = ("prove", "retile", "--mma", MMA, "--copy", "SM75_U32x4_LDSM_N", "--operand", "A")
STATED = (
    "from symlayout.claims import equal\nfrom symlayout.theory import refutation, theorem\n\n"
    '@theorem(a=4, b=3)\ndef commutes(a, b):\n    """a + b = b + a."""\n    return equal(a + b, b + a)\n\n'
    '@refutation(a=8, witness={"a": 4})\ndef wraps(a):\n    """a % 4 = a."""\n    return equal(a % 4, a)\n'
)


@pytest.fixture
def folder(run: Run, tmp_path: Path) -> Path:
    """Certificates of one theorem and one refutation."""
    (tmp_path / "stated.py").write_text(STATED, encoding="utf-8")
    certificates = tmp_path / "certificates"
    outcome = run("prove", str(tmp_path / "stated.py"), "--certificate", str(certificates))
    assert outcome.code == 0
    assert f"2 certificates in {certificates}" in outcome.out
    return certificates


def test_a_folder_of_certificates(run: Run, folder: Path) -> None:
    assert sorted(p.name for p in folder.iterdir()) == ["stated.commutes.json", "stated.wraps.json"]
    outcome = run("recheck", str(folder))
    assert outcome.code == 0
    assert "2 confirmed, by cvc5 " in outcome.out
    data = run("recheck", str(folder), "--format", "json").data
    assert (data["verdict"], data["confirmed"], data["total"]) == ("confirmed", 2, 2)
    commutes, wraps = data["certificates"]
    assert (commutes["name"], commutes["certified"], commutes["points"]) == ("stated.commutes", "proved", 12)
    assert commutes["answered"]["cvc5"] == commutes["obligations"] > 0
    assert (wraps["certified"], wraps["verdict"], wraps["points"]) == ("refuted", "confirmed", 1)


def test_one_certificate_in_words(run: Run, folder: Path) -> None:
    outcome = run("recheck", str(folder / "stated.commutes.json"))
    assert outcome.code == 0
    assert outcome.out.startswith("confirmed: for all a < 4, b < 3: a + b = b + a\n")
    assert "  called by its author: a + b = b + a.\n" in outcome.out
    assert "all 12 points computed" in outcome.out


def test_a_retile_and_its_certificate(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "deep" / "retile.json"
    outcome = run(*RETILE, "--certificate", str(file), "--recheck")
    assert outcome.code == 0
    assert f"certificate: {file}" in outcome.out
    assert "recheck: confirmed, " in outcome.out
    data = run("recheck", str(file), "--format", "json").data
    assert data["certificates"][0]["points"] == 256
    data = run(*RETILE, "--certificate", str(file), "--recheck", "--format", "json").data
    assert (data["certificate"], data["recheck"], data["exit_code"]) == (str(file), "confirmed", 0)


@pytest.mark.parametrize(
    "tensor, facts, code, says",
    [
        ("(M,K)", "M % 16 == 0, K % 16 == 0", 0, "recheck: confirmed, "),
        ("(M,K):(ld,1)", "M % 16 == 0, K % 16 == 0, ld >= K", 1, "recheck: confirmed"),
        ("(M,K)", "M % 16 == 0", 3, "no certificate: the verdict is unknown"),
        ("(M,K)", "M % 16 == 0, M % 32 == 8", 3, "no certificate: the verdict is vacuous"),
    ],
)
def test_a_retile_over_parameters_too(
    run: Run, tmp_path: Path, tensor: str, facts: str, code: int, says: str
) -> None:
    file = tmp_path / "retile.json"
    asked = (*RETILE, "--tensor", tensor, "--assume", facts, "--certificate", str(file), "--recheck")
    outcome = run(*asked)
    assert outcome.code == code
    assert says in outcome.out.rpartition("the load of A is correct")[2], "below the verdict"
    data = run(*asked, "--format", "json").data
    assert (data.get("recheck"), data["certificate"]) == (
        ("confirmed", str(file)) if file.exists() else (None, None)
    )
    assert file.exists() == (code < 3)


def test_a_refuted_retile_has_one_too(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "wrong.json"
    wrong = ("--mma", MMA, "--copy", "SM90_U32x1_STSM_N", "--operand", "C", "--type", "half_t", "--side", "D")
    assert run("prove", "retile", *wrong, "--certificate", str(file)).code == 1
    assert read(file).verdict == "refuted"
    assert run("recheck", str(file)).code == 0


def test_what_cute_refuses_has_none(run: Run, tmp_path: Path) -> None:
    refused = ("--mma", MMA, "--copy", "SM75_U32x4_LDSM_N", "--operand", "B")
    outcome = run("prove", "retile", *refused, "--certificate", str(tmp_path / "none.json"))
    assert outcome.code == 1
    assert "no certificate: CuTe makes no view" in outcome.out
    assert not (tmp_path / "none.json").exists()
    assert "no certificate: CuTe makes no view" in run("prove", "retile", *refused, "--recheck").out


def test_a_file_of_the_article(run: Run) -> None:
    outcome = run("prove", OPERAND_A, "--recheck")
    assert outcome.code == 0
    assert " rechecked, in " in outcome.out


@pytest.mark.parametrize("place", [0.0, 0.2, 0.5, 0.9, 1.0])
def test_a_flipped_byte_is_bad_input(run: Run, folder: Path, place: float) -> None:
    file = folder / "stated.commutes.json"
    data = bytearray(file.read_bytes())
    data[int(place * (len(data) - 1))] ^= 1
    file.write_bytes(bytes(data))
    alone = run("recheck", str(file))
    assert (alone.code, alone.out) == (2, "")
    assert str(file) in alone.err
    assert "Traceback" not in alone.err
    among = run("recheck", str(folder))
    assert among.code == 2
    assert "1 confirmed, 1 NOT confirmed" in among.out
    data_of_all = run("recheck", str(folder), "--format", "json").data
    assert [c["verdict"] for c in data_of_all["certificates"]] == ["bad input", "confirmed"]


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff", b"{}", b"[" * 100_000])
def test_what_is_no_certificate(run: Run, tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "c.json"
    file.write_bytes(content)
    outcome = run("recheck", str(file))
    assert (outcome.code, outcome.out) == (2, "")
    assert "no certificate" in outcome.err
    assert run("recheck", str(file), "--format", "json").data["verdict"] == "bad input"


def test_files_that_cannot_be_read(run: Run, tmp_path: Path) -> None:
    assert run("recheck", str(tmp_path / "nowhere.json")).code == 2
    empty = run("recheck", str(tmp_path))
    assert (empty.code, "no certificates" in empty.err) == (2, True)
    with (tmp_path / "huge.json").open("wb") as file:
        file.truncate(1 << 30)
    huge = run("recheck", str(tmp_path / "huge.json"))
    assert (huge.code, "larger than 64 MiB" in huge.err) == (2, True)
    assert run("recheck").code == 2


def test_a_forged_claim_fails(run: Run, folder: Path) -> None:
    file = folder / "stated.commutes.json"
    content = json.loads(file.read_text(encoding="utf-8"))
    del content["sha256"]
    for item in (*content["claim"]["parts"], *content["claim"]["data"]["claims"]):
        item["hold"] = ["a + b = b + a + a//3"]
    content["claim"]["parts"][0]["says"] = "a + b = b + a + a//3"
    content["claim"]["text"] = "for all a < 4, b < 3: a + b = b + a + a//3"
    Certificate(content).write(file)
    outcome = run("recheck", str(file))
    assert outcome.code == 4
    assert "is false at a = 3, b = 0, although every obligation holds" in outcome.out
    data = run("recheck", str(file), "--format", "json").data
    assert data["certificates"][0]["verdict"] == "disagreement"


def test_without_cvc5_there_is_one_sentence(run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("symlayout.recheck.process.find_spec", lambda _name: None)
    outcome = run("recheck", str(folder))
    assert (outcome.code, outcome.out) == (3, "")
    assert outcome.err.count("\n") == 1
    assert "python -m pip install 'symlayout[recheck]'" in outcome.err
    assert run("recheck", str(folder), "--format", "json").data["error"] == "MissingPackage"
    assert run("prove", OPERAND_A, "--recheck").code == 3


def test_a_bar_for_those_who_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = io.StringIO()
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    with Bar("rechecking", 3) as quick:
        quick.tick()
    assert terminal.getvalue() == ""
    monkeypatch.setattr("symlayout.cli.progress.PATIENCE", 0.0)
    with Bar("rechecking", 3) as slow:
        slow.tick()
        slow.tick()
    assert "rechecking" in terminal.getvalue()
    assert "2/3" in terminal.getvalue()


def test_no_bar_without_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    file = io.StringIO()
    monkeypatch.setattr(sys, "stderr", file)
    monkeypatch.setattr("symlayout.cli.progress.PATIENCE", 0.0)
    with Bar("rechecking", 3) as bar:
        bar.tick()
    assert file.getvalue() == ""
