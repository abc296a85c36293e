"""A certificate, a picture or a page that fails never takes the result along: it is printed, and the status is 2."""

from __future__ import annotations

import json
from typing import Any

import pytest

ESTIMATE = ("estimate", "--counts", "50,30,18,2", "--mechanism", "bits:3/4*2", "--marginals", "2")
LIES = ("noncompliance", "--yes", "50", "--n", "100", "--mechanism", "warner:3/4", "--at-most", "1/10")
COMMANDS: dict[str, tuple[tuple[str, ...], str]] = {
    "estimate": (ESTIMATE, "certificate"),
    "admissible": (("admissible", "warner:3/4"), "certificate"),
    "bound": (("bound", "--beta", "2"), "certificate"),
    "compose": (("compose", "warner:3/4*4", "--epsilon", "2"), "certificate"),
    "compose, picture": (("compose", "warner:3/4*4", "--epsilon", "2"), "plot"),
    "shuffle": (("shuffle", "warner:3/4", "--n", "100", "--epsilon", "1/2"), "certificate"),
    "noncompliance": (LIES, "plot"),
    "audit, page": (("audit", "--counts", "400,100", "--counts", "100,400"), "report"),
    "privacy": (("privacy", "warner:3/4", "--renyi", "2"), "certificate"),
    "repair": (("repair", "grr:3,1/2", "--epsilon", "1/2"), "certificate"),
    "design binary": (("design", "binary", "--epsilon", "1", "--prevalence", "1/4"), "certificate"),
    "design binary, page": (("design", "binary", "--epsilon", "1", "--prevalence", "1/4"), "report"),
    "design kary": (("design", "kary", "--epsilon", "1", "--categories", "3", "--objective", "trace"), "certificate"),
    "compare": (("compare", "warner:3/4", "warner:2/3"), "plot"),
}
ENDINGS = {"certificate": "c.json", "plot": "p.svg", "report": "r.html"}
FAILURES = (RecursionError("deep"), MemoryError(), OSError(28, "No space left on device"))


def fails(error: Exception) -> Any:
    def broken(*_: object, **__: object) -> Any:
        raise error

    return broken


@pytest.mark.parametrize("name", COMMANDS)
def test_the_result_is_printed_whatever_happens_to_its_file(
    name: str, cli: Any, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    words, option = COMMANDS[name]
    target = tmp_path / ENDINGS[option]
    known, plain, _ = cli(*words)
    assert known in (0, 1)
    assert plain
    for number, error in enumerate(FAILURES):
        for place in ("rropt.plots.picture_layout.picture_bytes", "rropt.reports.audit_page.audit_page"):
            monkeypatch.setattr(place, fails(error))
        monkeypatch.setattr("rropt.reports.design_pages.design_page", fails(error))
        monkeypatch.setattr("rropt.core.certificates.Certificate.file_text", property(fails(error)))
        status, out, err = cli(*words, f"--{option}", str(target))
        assert status == (known or 2)
        assert out == plain
        assert f"{target} was not written: " in err
        assert type(error).__name__ in err
        assert "internal error" not in err
        assert not target.exists()
        if not number:
            _, out, _ = cli(*words, f"--{option}", str(target), "--json")
            assert "error" not in json.loads(out)


@pytest.mark.parametrize("name", ["estimate", "compose", "design binary, page"])
def test_a_disk_that_is_full_leaves_the_result(name: str, cli: Any) -> None:
    words, option = COMMANDS[name]
    if option == "certificate":
        status, out, err = cli(*words, f"--{option}", "/dev/full")
        assert (status, bool(out), "No space left" in err) == (2, True, True)


def test_a_certificate_that_the_checker_rejects_leaves_the_estimate(
    cli: Any, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from rropt.core.errors import CertificateError

    plain = cli(*ESTIMATE)[1]
    for error in (CertificateError("rejected: x"), RecursionError(), MemoryError()):
        monkeypatch.setattr("rropt.survey.estimates.certificate.certify_estimate", fails(error))
        status, out, err = cli(*ESTIMATE, "--certificate", str(tmp_path / "c.json"))
        assert (status, out) == (2, plain)
        assert "was not written" in err
