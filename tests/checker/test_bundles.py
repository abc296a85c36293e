"""Bundles: one file for several certificates, judged one by one; empty, doubled and cut bundles are rejected, twice."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

import pytest
from javascript import judge

import rropt
from rropt.checker import check_text, documents
from rropt.checker.verdicts import state_text
from rropt.claims.registry import find_claims
from rropt.claims.verifying import run_all
from rropt.core.certificates import Bundle
from rropt.core.errors import InvalidParameterError

LEVELS = ("log(3)", "log(2)", "log(5)")
SOLVED = [rropt.design.binary("1/4", epsilon=level, fast=True).certificate for level in LEVELS]
FILES = [proof.to_dict() for proof in SOLVED]


def bundle(*certificates: Any, **more: Any) -> str:
    """Return the text of a bundle with these certificates, and other values of its keys."""
    return json.dumps({"format": "2", "count": str(len(certificates)), "bundle": list(certificates)} | more)


def refused(text: str) -> str:
    """Return the reason of Python for rejecting a file that JavaScript rejects too."""
    found = check_text(text)
    assert not found
    assert judge(text) is not None
    return found.reason


def test_each_statement_has_its_verdict() -> None:
    found, lines = state_text(bundle(*FILES))
    assert str(found) == "accepted (3 statements)"
    assert judge(bundle(*FILES)) is None
    assert [line.partition(": The least")[0] for line in lines] == [f"statement {i} of 3: accepted" for i in (1, 2, 3)]
    assert ["log 3" in lines[0], "log 2" in lines[1], "log 5" in lines[2]] == [True] * 3
    wrong = deepcopy(FILES)
    wrong[1]["claim"]["upper"] = "1/2"
    found, lines = state_text(bundle(*wrong))
    assert found.reason.startswith("statement 2 of 3: upper is below")
    assert [": accepted: " in line for line in lines] == [True, False, True]
    assert "statement 2 of 3" in judge(bundle(*wrong))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (bundle(), "no certificate"),
        (bundle(FILES[0], FILES[1], FILES[0]), "certificate 3 of the bundle is certificate 1 again"),
        (bundle(FILES[0], dict(reversed(FILES[0].items()))), "again"),  # the order of keys means nothing
        (bundle(*FILES, count="4"), "its count is 4"),
        (bundle(*FILES[:2], count="3"), "its count is 3"),
        (bundle(*FILES)[:-1], "brackets"),
        (bundle(*FILES)[: len(bundle(*FILES)) // 2], "brackets"),
        (bundle(*FILES) + bundle(*FILES), "not JSON"),
        (bundle(FILES[0], json.loads(bundle(FILES[1]))), "certificate 2 of the bundle is a bundle"),
        (bundle(FILES[0], {}), "statement 2 of 2"),
        (bundle(FILES[0], "text"), "statement 2 of 2"),
        (bundle(*FILES, format="3"), "format"),
        (bundle(*FILES, name="lemma"), "unknown keys"),
        (bundle(*FILES, bundle={}), "not an array"),
        (json.dumps({"format": "2", "bundle": FILES}), "missing keys"),
        (json.dumps({"format": "2", "count": "3"}), "missing keys"),
        (bundle(*[FILES[0] | {"statement": str(i)} for i in range(4097)]), "4097 entries"),
    ],
)
def test_a_file_that_is_no_bundle_is_rejected(text: str, reason: str) -> None:
    assert reason in refused(text)


def test_certificates_of_a_bundle_share_their_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each alone is accepted, and so are all; with less work for the bundle the last one is not reached."""
    assert check_text(bundle(*FILES))
    budgets = []
    made = documents.WorkBudget.__init__
    monkeypatch.setattr(documents.WorkBudget, "__init__", lambda self, *a: (made(self, *a), budgets.append(self))[0])
    assert all(map(check_text, map(json.dumps, FILES)))
    spent = sum(budget.given - budget.left for budget in budgets)
    monkeypatch.setattr(documents, "MAX_BUNDLE_WORK", spent - 1)
    found = check_text(bundle(*FILES))
    assert found.reason == "statement 3 of 3: the certificate needs more work than the checker does"
    assert all(map(check_text, map(json.dumps, FILES)))  # the limit is that of a bundle


def test_the_bundle_of_certificates() -> None:
    made = Bundle.of([*SOLVED, SOLVED[0]])
    assert [proof.to_dict() for proof in made.certificates] == FILES
    assert made.check().accepted
    assert json.loads(made.file_text)["bundle"] == FILES
    assert made.sha256 != Bundle.of(SOLVED[:2]).sha256
    with pytest.raises(InvalidParameterError, match="no certificate"):
        Bundle.of([])


@pytest.mark.slow
@pytest.mark.parametrize("name", ["holohan2016.eq-24", "literature.block-designs", "literature.staircase-rows"])
def test_a_lemma_is_cited_by_one_file(name: str, cli: Any, tmp_path: Any) -> None:
    """As a referee does: the report has the hash of the file, which two checkers accept, statement by statement."""
    path, report = tmp_path / "lemma.json", tmp_path / "lemma.md"
    status, _, told = cli("verify", name, "--certificate", str(path), "--report", str(report))
    assert status == 0
    outcome = run_all(find_claims([name]))[name]
    assert outcome.sha256 in report.read_text()
    assert outcome.sha256 in told
    assert report.read_text().count(outcome.sha256) == 1
    status, out, _ = cli("check", str(path))
    assert (status, outcome.sha256 in out, "negative(" in out) == (0, True, False)
    n = len(json.loads(path.read_text())["bundle"])
    assert out.count("statement ") == n
    assert judge(path.read_text()) is None
    if n > 1:
        cut = json.loads(path.read_text())
        cut["bundle"].pop()
        assert "its count is" in refused(json.dumps(cut))
