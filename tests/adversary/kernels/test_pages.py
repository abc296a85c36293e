"""Pages that check their own certificates: what they say, what they say after an edit, and what they may load."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import subprocess
from collections.abc import Callable
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from support.row_claims import row_claim

import rropt_fieldwork
from rropt import solve
from rropt.claims import Domain, run_claim
from rropt.claims.positivity import prove_identity
from rropt.designs import Problem
from rropt.reports import claims_page, design_page
from rropt.reports.browser_checker import drop_page, script

from .conftest import KERNEL


@pytest.fixture(scope="module")
def report() -> str:
    return design_page(solve(Problem.binary("1/4", epsilon="log(2)", delta="1/4"), ["exact"])).to_html()


def in_node(node: str, page: Path, *edit: str) -> dict[str, Any]:
    """Return what a page says in Node, before and after an edit."""
    command = [node, str(Path(__file__).with_name("page_in_node.js")), str(page), *edit]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.slow
def test_a_report_checks_its_certificate(node: str, tmp_path: Path, report: str) -> None:
    page = tmp_path / "report.html"
    page.write_text(report)
    found = in_node(node, page, '"15/16"', '"14/16"')
    assert found["first"]["total"] == "This page has checked 1 of its 1 certificates by itself, offline: all accepted."
    (told,) = found["first"]["verdicts"]
    assert told.startswith("Checked by this page, offline: Accepted. The least n Var of the estimated prevalence")
    assert "with epsilon = log 2, delta = 1/4, for all pairs of categories, lies in [15/16, 15/16]" in told
    (told,) = found["edited"]["verdicts"]
    assert "Rejected: a fraction is not in lowest terms" in told
    assert re.search(r'Line \d+, claim\.lower: "lower": "14/16"', told)
    assert "differs from the file that the link saves" in told
    assert found["edited"]["total"].endswith("1 rejected.")


def test_a_digit_edited_in_the_file_of_a_report(node: str, tmp_path: Path, report: str) -> None:
    """Each number of the claim in turn: the page names a line, and never says that it has accepted."""
    page = tmp_path / "report.html"
    text = unescape(re.findall(r'<pre class="certificate"[^>]*>(.*?)</pre>', report, re.DOTALL)[0])
    numbers = sorted(set(re.findall(r'"\d+/\d+"', text)))
    assert len(numbers) == 3
    for number in numbers:
        page.write_text(report.replace(number, '"1/7"'))
        (told,) = in_node(node, page)["first"]["verdicts"]
        assert "Rejected" in told
        assert re.search(r"Line [1-9]\d*", told)


def test_text_that_is_no_json_has_a_line_too(node: str, tmp_path: Path, report: str) -> None:
    page = tmp_path / "report.html"
    page.write_text(report)
    (told,) = in_node(node, page, '"lower": "15/16"', '"lower": 15/16')["edited"]["verdicts"]
    assert re.search(r'a bare number stands in the file.* Line [1-9]\d+: "lower": 15/16,', told)


DROPPED = """
import { readFileSync } from "node:fs";
const { fileVerdict } = await import(process.argv[1]);
const good = readFileSync(0);
const bad = Uint8Array.from([123, 255, 125]);
console.log(JSON.stringify([good, bad, good.subarray(9)].map(fileVerdict)));
"""


def test_files_that_are_dropped_on_the_page(node: str, report: str) -> None:
    text = unescape(re.findall(r'<pre class="certificate"[^>]*>(.*?)</pre>', report, re.DOTALL)[0])
    module = (KERNEL / "drop_page.js").as_uri()
    command = [node, "--input-type=module", "-e", DROPPED, module]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    assert [each["accepted"] for each in found] == [True, False, False]
    assert found[1]["words"] == "Rejected: the file is no UTF-8 text"


def test_answers_with_a_certificate(node: str, tmp_path: Path, report: str) -> None:
    text = unescape(re.findall(r'<pre class="certificate"[^>]*>(.*?)</pre>', report, re.DOTALL)[0])
    page = tmp_path / "answers.html"
    page.write_text(rropt_fieldwork.report(json.loads(text), json.loads(text)).to_html())
    found = in_node(node, page)["first"]
    assert found["total"] == "This page has checked 2 of its 2 certificates by itself, offline: all accepted."


def test_a_page_of_claims_checks_its_certificates(node: str, tmp_path: Path) -> None:
    import sympy as sp

    x, y = sp.symbols("x y")
    claim = row_claim(lambda _: 1, lambda _: 1, mutant=lambda _: 2, variables={"x": Domain.values("x", 1)})
    proofs = [("one", prove_identity((x + y) ** 2, x**2 + 2 * x * y + y**2)), ("two", prove_identity(x + x, 2 * x))]
    outcome = replace(run_claim(claim), certificates=tuple(proofs))
    page = tmp_path / "claims.html"
    page.write_text(claims_page({claim.id: (claim, outcome)}))
    found = in_node(node, page)["first"]
    assert found["total"] == "This page has checked 2 of its 2 certificates by itself, offline: all accepted."
    assert "wherever no divisor is 0: (x + y)^2 = x^2 + y^2 + 2 * x * y" in found["verdicts"][0]


def test_a_page_runs_one_script_and_loads_nothing(report: str) -> None:
    for page in (report, drop_page()):
        (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
        (code,) = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()
        pictures = "; img-src data:" * ("<img " in page)
        assert policy == f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'{pictures}"
        assert not re.search(r"https?:|fetch\(|XMLHttp|import\(|eval\(|innerHTML|document\.write|<!--", code)
    assert len(report) < 400_000


@pytest.mark.slow
def test_the_bundle_gives_the_verdicts_of_the_modules(node: str, tmp_path: Path, report: str) -> None:
    text = unescape(re.findall(r'<pre class="certificate"[^>]*>(.*?)</pre>', report, re.DOTALL)[0])
    program = tmp_path / "bundle.js"
    bundle = script().removesuffix("m_report_page.startReport(document);")
    told = "console.log(JSON.stringify(m_verdict.checkCertificate(require('fs').readFileSync(0, 'utf8'))))"
    program.write_text(f"{bundle}\n{told}")
    for given in (text, text.replace("15/16", "17/16")):
        done = subprocess.run([node, str(program)], input=given, capture_output=True, text=True, check=True)
        path = tmp_path / "c.json"
        path.write_text(given)
        line = subprocess.run([node, str(KERNEL / "node.js"), str(path)], capture_output=True, text=True, check=False)
        found = json.loads(done.stdout)
        assert found["accepted"] == line.stdout.startswith("accepted")
        assert found["accepted"] or found["reason"] in line.stdout


def test_the_page_that_check_writes_judges_what_is_dropped_on_it(
    node: str, tmp_path: Path, cli: Callable[..., tuple[int, str, str]]
) -> None:
    page, good, bad, other = (tmp_path / name for name in ("checker.html", "good.json", "bad.json", "other.json"))
    assert cli("check", "--output", str(page)) == (0, "", f"page written to {page}\n")
    assert page.read_text("utf-8") == drop_page()
    found = solve(Problem.binary("1/4", epsilon="log(2)", delta="1/4"), ["exact"])
    text = found.certificate.file_text
    good.write_text(text)
    bad.write_text(text.replace('"15/16"', '"14/16"'))
    other.write_bytes(b"\xff no text")
    command = [node, str(Path(__file__).with_name("drop_in_node.js")), str(page), str(good), str(bad), str(other)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    lines = json.loads(done.stdout)
    assert [verdict for verdict, _ in lines] == ["accepted", "rejected", "rejected", "accepted"]  # the last comes first
    for _, words in (lines[0], lines[3]):
        assert re.match(r"(text|good\.json): Accepted\. The least n Var of the estimated prevalence", words)
        assert "lies in [15/16, 15/16]" in words
    assert re.search(r"bad\.json: Rejected: a fraction is not in lowest terms.*claim\.lower", lines[2][1])
    assert lines[1][1].startswith("other.json: Rejected: the file is no UTF-8 text")
