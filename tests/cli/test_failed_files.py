"""A certificate, a picture or a page that fails never takes the result along: it is printed, and the status is 2."""

from __future__ import annotations

import argparse
import json
import re
import shlex
from typing import Any

import pytest
from few_rows import few_rows
from stored_cases import cases_of

from rropt.cli.pending import OutputFile, PendingFiles
from rropt.core.certificates.record import _verdict_of
from rropt.core.errors import InvalidParameterError

STORED = cases_of(__file__)
COMMANDS = {name: (tuple(shlex.split(line)), option) for name, (line, option) in STORED["commands"].items()}
ENDINGS = {"certificate": "c.json", "plot": "p.svg", "report": "r.html", "output": "o.svg"}
FAILURES = (RecursionError("deep"), MemoryError(), OSError(28, "No space left on device"))


def fails(error: Exception) -> Any:
    def broken(*_: object, **__: object) -> Any:
        raise error

    return broken


@few_rows(1)
@pytest.mark.parametrize("name", COMMANDS)
def test_the_result_is_printed_whatever_happens_to_its_file(
    name: str, cli: Any, tmp_path: Any, monkeypatch: pytest.MonkeyPatch, size: Any
) -> None:
    """In the gate with one failure for each command, in turn; at full size with each."""
    words, option = COMMANDS[name]
    target = tmp_path / ENDINGS[option]
    known, plain, _ = cli(*words)
    assert known in (0, 1)
    assert plain
    first = list(COMMANDS).index(name)
    for number in range(size(1, len(FAILURES))):
        error = FAILURES[(first + number) % len(FAILURES)]
        for place in ("rropt.plots.figures.Figure.to_bytes", "rropt_fieldwork.audits.audit_page.audit_page"):
            monkeypatch.setattr(place, fails(error))
        monkeypatch.setattr("rropt.reports.design_pages.design_page", fails(error))
        monkeypatch.setattr("rropt.core.certificates.Certificate.file_text", property(fails(error)))
        status, out, err = cli(*words, f"--{option}", str(target))
        assert status == (known or 2)
        assert out.replace(f'"{target}"', "null") == plain  # `plot` repeats the name in JSON
        assert f"{target} was not written: " in err
        assert type(error).__name__ in err
        assert "internal error" not in err
        assert not target.exists()
        if not number:
            _, out, _ = cli(*words, f"--{option}", str(target), "--json")
            assert "error" not in json.loads(out)


def _proved() -> list[tuple[str, ...]]:
    further = (tuple(line.split()) for line in STORED["proved"].splitlines())
    return list(dict.fromkeys([*(words for words, _ in COMMANDS.values()), *further]))


@few_rows(5)
@pytest.mark.parametrize("words", _proved(), ids=" ".join)
def test_a_proof_that_fails_leaves_the_result(
    words: tuple[str, ...], cli: Any, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An infeasible design has status 1 with its proof too."""
    file = tmp_path / "c.json"
    is_design = words[0] == "design"
    asked = (
        ("--certificate", str(file))
        if is_design or words[0] == "compose" or "--admissible" in words or words[:2] == ("privacy", "--level")
        else ()
    )
    for number, error in enumerate((RecursionError("deep"), ValueError("wrong"))):
        _verdict_of.cache_clear()  # the last verdict may be the one of this certificate
        with monkeypatch.context() as patched:
            for where in (("record.check_text",), ("Certificate.state",))[number]:
                patched.setattr(f"rropt.core.certificates.{where}", fails(error))
            status, out, err = cli(*words, *asked)
        assert status == 2 if asked and "--bounds" not in words else status in (0, 1)
        assert re.search(r"[0-9]/[0-9]|0\.[0-9]{3}|infeasible|B[(]h[)]", out)
        assert "Optimal" not in out or words[0] == "plan"
        assert f"{file} was not written: " in err or not asked
        assert not file.exists()
        if not is_design:
            break


@pytest.mark.slow
@pytest.mark.parametrize("option", ["report", "coq"])
def test_verdicts_are_printed_whatever_happens_to_their_files(
    option: str, cli: Any, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for place in ("reports.claims_pages.claims_files", "reports.coq_files.coq_files"):
        monkeypatch.setattr(f"rropt.{place}", fails(RecursionError("deep")))
    target = tmp_path / {"report": "r.html", "coq": "proofs"}[option]
    for more in ((), ("--json",)):
        status, out, err = cli("verify", "rropt.adaptivity", f"--{option}", str(target), *more)
        assert (status, "rropt.adaptivity" in out) == (2, True)
        assert f"{target} was not written: its content could not be made (RecursionError)" in err


def test_a_sweep_keeps_the_rows_whose_certificates_fail(
    cli: Any, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    grid = tmp_path / "grid.json"
    grid.write_text('{"problem": "binary", "grid": {"epsilon": ["log(2)", "log(3)"], "prevalence": "1/4"}}')
    words = ("sweep", str(grid), "--output", str(tmp_path / "t.csv"), "--certificate", str(tmp_path / "c"))
    for place in ("core.certificates.record.check_text", "designs.sweep_files.write_named_by_content"):
        with monkeypatch.context() as patched:
            patched.setattr(f"rropt.{place}", fails(OSError(28, "No space left on device")))
            status, out, err = cli(*words, "--json")
        assert (status, json.loads(out)["unproved"]) == (2, 2)
        assert "2 certificates were not written" in err
        rows = (tmp_path / "t.csv").read_text().splitlines()
        assert (len(rows), "35/16" in rows[1]) == (3, True)  # n Var = 3/16 + 2/(2 - 1)^2
        assert not list((tmp_path / "c").iterdir())
    assert (cli(*words)[0], len(list((tmp_path / "c").iterdir()))) == (0, 2)


@pytest.mark.parametrize("name", ["estimate", "compose", "design binary, page"])
def test_a_disk_that_is_full_leaves_the_result(name: str, cli: Any) -> None:
    words, option = COMMANDS[name]
    if option == "certificate":
        status, out, err = cli(*words, f"--{option}", "/dev/full")
        assert (status, bool(out), "No space left" in err) == (2, True, True)


@pytest.mark.parametrize("call", ["compare --admissible warner:3/4 --gamma 4", "privacy --level posterior:1/5,1/2"])
def test_an_answer_without_its_certificate_has_status_2(
    call: str, cli: Any, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    _verdict_of.cache_clear()  # the last verdict may be the one of this certificate
    monkeypatch.setattr("rropt.core.certificates.record.check_text", fails(RecursionError("deep")))
    status, out, err = cli(*call.split(), "--certificate", str(tmp_path / "c.json"))
    assert (status, bool(out), "c.json was not written: " in err) == (2, True, True)


@pytest.mark.parametrize("error", [*FAILURES, InvalidParameterError("bad")], ids=repr)
def test_a_file_whose_content_fails_is_left_out(error: Exception, capsys: pytest.CaptureFixture[str]) -> None:
    pending = PendingFiles(argparse.Namespace(spelled={}, output=OutputFile("o.txt")))
    with pending.left_out_on_failure("o.txt"):
        raise error
    assert not pending.write()
    assert "rropt: o.txt was not written: " in capsys.readouterr().err


def test_a_certificate_that_the_checker_rejects_leaves_the_estimate(
    cli: Any, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from rropt.core.errors import CertificateError

    plain = cli(*COMMANDS["estimate"][0])[1]
    for error in (CertificateError("rejected: x"), RecursionError(), MemoryError()):
        monkeypatch.setattr("rropt.inference.joint_likelihood.certify_estimate", fails(error))
        status, out, err = cli(*COMMANDS["estimate"][0], "--certificate", str(tmp_path / "c.json"))
        assert (status, out) == (2, plain)
        assert "was not written" in err
