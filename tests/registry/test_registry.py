"""The registry: complete, without defects, and as recorded."""

from __future__ import annotations

import json
import random
import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from html import unescape
from importlib import import_module
from pathlib import Path

import pytest
from shared_outcomes import BESIDE, Claims, Outcomes, computed, is_computed, record, recorded_part
from stress import STRESS

import rropt
from rropt.claims import Claim, Outcome
from rropt.claims.claim import sides
from rropt.claims.domains import points
from rropt.claims.outcomes import EVIDENCE, VERDICTS, value_text
from rropt.claims.registry import papers_of
from rropt.claims.stated_values import agrees
from rropt.reports import claims_report
from rropt.reports.coq_files import coq_files

RECORD = record()
EXPECTED = set(RECORD)  # the record is the list of the claims: a file that is lost is missed, a new one is recorded


PROVED = {name for name, entry in RECORD.items() if "proved" in entry["label"]}  # or its correction, or a reading
FEWEST = {  # claims of a paper, and proved ones among them
    "chainayak2018": (42, 25),
    "holohan2016": (30, 21),
    "literature": (22, 19),
    "rropt": (23, 5),
    "sun2023": (46, 39),
    "vinterbo2018": (38, 28),
    "ziani": (17, 12),
}

CLAIMS = Claims()
OUTCOMES = Outcomes(CLAIMS)
COMPUTED = sorted(filter(is_computed, EXPECTED))  # the claims of which this run computes the outcomes


def test_every_entry_is_there() -> None:
    assert set(CLAIMS) == EXPECTED
    for paper, (claims, proved) in FEWEST.items():
        assert sum(name.startswith(f"{paper}.") for name in EXPECTED) >= claims
        assert sum(name.startswith(f"{paper}.") for name in PROVED) >= proved


def _is_false_without(claim: Claim, outcome: Outcome) -> bool:
    """Return whether the statement as printed, without what is missing, is false at the counterexample."""
    example = outcome.counterexample
    assert example is not None
    if claim.card is not None:
        return not all(row.is_true(example.point) for row in claim.card.printed.rows)
    for changes in [reading.changes for reading in claim.readings] or [{}]:
        form = replace(claim, readings=(), **changes)
        meets = all(condition.holds(example.point) for condition in (*form.assumptions, *form.defined))
        if meets and not agrees(*sides(form.rows(example.point))):
            return True
    return False


@pytest.mark.parametrize("name", COMPUTED)
def test_the_entry_has_a_verdict_that_counts(name: str, size: Callable[[int, int], int]) -> None:
    claim, _ = CLAIMS[name]
    outcome, _ = OUTCOMES[name]
    assert outcome.problems == ()
    assert outcome.verdict in {*VERDICTS} - {"error"}
    held = outcome.evidence in ("proved", "proved at sizes", "enumerated")
    assert held or not outcome.verdict.startswith("holds")  # what was only sampled or argued is not refuted
    assert (outcome.verdict == "fails") == (outcome.evidence == "refuted")
    assert outcome.evidence in EVIDENCE[1:]  # not empty
    assert outcome.points > 0
    assert claim.printed
    assert claim.precise
    if outcome.verdict == "not-checkable":
        assert outcome.reason
        assert outcome.scope
        assert outcome.scope != outcome.reason
        return
    assert outcome.mutant_rejected_at is not None
    if outcome.verdict not in ("holds", "not-refuted"):
        assert outcome.counterexample is not None
        assert outcome.counterexample.working
    if outcome.verdict == "fails":
        assert outcome.correction
    if outcome.verdict.endswith("-with-assumption"):
        assert outcome.assumption
        assert _is_false_without(claim, outcome)
    for step, certificate in outcome.certificates[:: 1 + len(outcome.certificates) // size(4, 10**9)]:
        verdict = certificate.check()  # every one was accepted when it was made
        assert verdict
        if verdict.note:  # what it assumes holds somewhere: it names a point, unless it refutes
            assert certificate.claim == {"relation": ">"}, step
            assert certificate.problem["left"] == "0", step


def test_the_theorems_are_proved_for_all_parameters() -> None:
    for name in PROVED.intersection(COMPUTED):
        outcome, _ = OUTCOMES[name]
        assert "proved" in outcome.label, (name, outcome.unchecked_steps)
        assert outcome.scope
        assert not outcome.unchecked_steps, name


def test_what_is_not_proved_is_told_with_the_reason() -> None:
    """A claim in Python that stays tested prints what the run on symbols did not prove, a card its rows."""
    for name in COMPUTED:
        outcome, _ = OUTCOMES[name]
        if "tested" in outcome.label and not outcome.readings:
            assert any("not proved" in step for step in outcome.unchecked_steps), name


def test_the_record_is_reproduced() -> None:
    for name in COMPUTED:
        assert recorded_part(OUTCOMES[name][0]) == RECORD[name], name


def test_a_run_computes_a_fixed_third_of_the_claims() -> None:
    names = sorted(EXPECTED)
    each = names[:: 1 if STRESS else 3]
    assert len(COMPUTED) == len(each)
    assert {*each} - {*COMPUTED} == (set() if STRESS else {*BESIDE})
    place = {name: i for i, name in enumerate(names)}
    assert all(abs(place[name] - place[other]) == 1 for name, other in BESIDE.items())


def test_known_errors_of_the_papers_are_found() -> None:
    """Errors that do not depend on a reading: a wrong figure, a lost square, a tie, a swapped mean.

    The record has them; what is computed is found again.
    """
    for name in ("holohan2016.example-1.3", "holohan2016.eq-24", "holohan2016.theorem-3", "ziani.claim-3-mean"):
        assert RECORD[name]["verdict"] == "fails"
        assert not is_computed(name) or OUTCOMES[name][0].verdict == "fails"
    if is_computed("holohan2016.theorem-3"):
        tie = OUTCOMES["holohan2016.theorem-3"][0].counterexample
        assert tie is not None
        assert str(tie.point["pi"]) == "1/2"


def _check_coq_files(folder: Path) -> None:
    """Theorems have names of their own, after claim and step, a proof each, and brackets that match."""
    files = sorted(folder.glob("*.v"))
    assert "holohan2016_eq_11.v" in {file.name for file in files}
    for file in files:
        text = file.read_text()
        names = re.findall(r"^Theorem (\w+) :", text, re.MULTILINE)
        assert len(set(names)) == len(names) == text.count("Proof.") == text.count("Qed.") > 0
        assert all(name.startswith(f"{file.stem}__") for name in names)
        assert "   printed: " in text.partition("Require Import")[0]  # the statement, as a comment
        assert text.count("(") == text.count(")")


def test_command(cli, cli_json) -> None:
    data = cli_json("verify", "holohan2016.lemma-1", "ziani.theorem-2")
    assert {entry["id"] for entry in data["claims"]} == {"holohan2016.lemma-1", "ziani.theorem-2"}
    keys = {"id", "verdict", "evidence", "scope", "unchecked_steps", "points", "seconds"}
    assert all(keys <= set(entry) for entry in data["claims"])


@pytest.mark.usefixtures("_shared")
def test_files_of_the_command(cli, tmp_path) -> None:
    report = tmp_path / "report.html"
    few = [f"holohan2016.{entry}" for entry in ("example-1.1", "eq-11", "eq-24")]
    status, out, err = cli("verify", *few, "--report", str(report), "--coq", str(tmp_path / "coq"))
    assert status == 0, err
    _check_coq_files(tmp_path / "coq")
    missing = (tmp_path / "coq" / "WITHOUT_THEOREM.txt").read_text()
    assert "holohan2016.example-1.1: no certificate; the claim is enumerated, not proved" in missing
    assert sorted(file.name for file in tmp_path.glob("report*")) == [
        "report-holohan2016.html",
        "report-holohan2016.json",
        "report.html",
    ]
    for file in tmp_path.glob("report*.html"):
        page = file.read_text()
        assert page.startswith("<!doctype html>")
        assert "http" not in page.replace("http-equiv", "")  # no network
        assert page.count("<script") == ("script-src 'sha256-" in page)  # its own checker, or none
    assert "<math" in page
    status, out, _ = cli("verify", "holohan2016.eq-24", "--explain")
    assert "counterexample" in out


@pytest.fixture
def _shared(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command shows the outcomes that the tests share."""
    monkeypatch.setattr(
        import_module("rropt.claims.verifications"),
        "run_all",
        lambda claims, **_: {name: OUTCOMES[name][0] for name in claims},
    )


@pytest.mark.usefixtures("_shared")
def test_conventions_are_shown_with_a_paper(cli, cli_json, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pattern that names a paper, not one that names some of its claims; one outcome stands for all."""
    outcome = OUTCOMES["ziani.theorem-8"][0]
    monkeypatch.setattr(
        import_module("rropt.claims.verifications"),
        "run_all",
        lambda claims, **_: {name: replace(outcome, id=name) for name in claims},
    )
    status, out, err = cli("verify", "ziani")
    assert status == 0, err
    assert out.startswith(papers_of(CLAIMS)["ziani"].title)
    assert "Laplace noise: Lap(b) has the density" in out
    assert "Laplace noise" not in cli("verify", "ziani.theorem-8")[1]
    paper = {"ziani": papers_of(CLAIMS)["ziani"].to_dict()}
    assert cli_json("verify", "ziani")["papers"] == paper
    assert cli_json("verify", "ziani.theorem-8")["papers"] == paper  # to be read back


def test_the_pages_are_small_and_their_formulas_are_set(size: Callable[[int, int], int]) -> None:
    """All papers at full size, one in every run: no LaTeX and no backquote is left in the words of a page."""
    entries = {
        name: (CLAIMS[name][0], OUTCOMES[name][0]) for name in COMPUTED if size(0, 1) or name.startswith("ziani.")
    }
    papers = {claim.paper for claim, _ in entries.values()}
    index, pages = claims_report(entries, papers_of(CLAIMS), {"": "all.html", **{paper: paper for paper in papers}})
    assert len(index.encode()) < 100_000
    assert set(pages) == papers
    for paper, (page, data) in pages.items():
        assert len(page.encode()) < 1_000_000, paper
        assert json.loads(data)["paper"] == paper
        body = re.sub(
            r"<style>.*?</style>|<script>.*?</script>|<math>.*?</math>|<pre class=\"certificate\".*?</pre>",
            "",
            page,
            flags=re.DOTALL,
        )
        words = unescape(re.sub(r"<[^>]+>", "", body))
        assert re.findall(r".{,20}(?:\\|\$|[<>!]=|`).{,20}", words) == [], paper
        assert "<code>" not in body, paper


@pytest.mark.parametrize("paper", sorted(FEWEST))
def test_the_order_of_print(paper: str) -> None:
    """Every entry has a place of its own, and says how its true value is computed."""
    own = [claim for claim, _ in CLAIMS.values() if claim.paper == paper]
    assert all(claim.place for claim in own)
    assert len({claim.place for claim in own}) == len(own)
    for claim in own:
        assert next(iter(claim.told.values())), claim.id


@pytest.mark.usefixtures("_shared")
def test_explanations_can_be_checked_by_hand(cli) -> None:
    """The variables with their meaning, the relation, and the working with its numbers; of what is computed."""
    if is_computed("holohan2016.theorem-3"):
        status, out, err = cli("verify", "holohan2016.theorem-3", "--explain")
        assert status == 0, err
        assert "gamma = 7/5   (a number of at least 1)" in out
        assert "it should be: equal to what the statement says" in out
        assert "(1/8)(7/8)/(1/4)^2 = 7/4" in out
        assert "(7/8)(1/8)/(1/4)^2 = 7/4" in out
        assert "(11/16, 11/16)" in out


WORKED = {
    "chainayak2018": "lemma-4.2-proof lemma-6.1-proof remark-4.1",
    "holohan2016": "theorem-3 corollary-2 theorem-1",
    "ziani": "theorem-5 lemma-4 theorem-12-accuracy",
    "sun2023": "algorithm-2 algorithm-4 unbiased-prose appendix-a appendix-b theorem-5.7 theorem-5.6",
    "vinterbo2018": "sec-3.2-distribution sec-3.2-mle theorem-4.1 proposition-4.3-proof "
    "proposition-4.7 implementation-1 proposition-4.8-proof theorem-4.9 sec-5.2-equal sec-2-krr",
}


WORKED_CLAIMS = [f"{paper}.{entry}" for paper, text in WORKED.items() for entry in text.split()]


@pytest.mark.parametrize("name", computed(WORKED_CLAIMS))
def test_the_working_is_given_wherever_the_statement_fails(name: str, size: Callable[[int, int], int]) -> None:
    claim, _ = CLAIMS[name]
    assert claim.working is not None
    outcome = OUTCOMES[name][0]
    example = outcome.counterexample
    assert example is not None or outcome.verdict == "depends-on-reading"  # then a reading holds, with a condition
    assert example is None or example.working == claim.working(example.point)
    tried = 0
    for point in claim.cases() if claim.cases else points(claim.variables, claim.count):
        if not all(condition.holds(point) for condition in (*claim.assumptions, *claim.defined)):
            continue
        if not agrees(*sides(claim.rows(point))):
            assert value_text(claim.working(point))
            tried += 1
        if tried >= size(20, 500):
            break
    assert tried >= 3


def test_the_boundary_of_an_empty_region() -> None:
    """Lemma 5 is false at epsilon = delta = 0, and both readings leave that level out."""
    card = CLAIMS["holohan2016.lemma-5"][0].card
    assert card is not None
    point = {"gamma": Fraction(1), "delta": Fraction(0), "u": Fraction(1, 2), "v": Fraction(1)}
    not_empty = next(row for row in card.printed.rows if row.text == "r(1, gamma, delta) + s(1, gamma, delta) > 1")
    assert not not_empty.is_true(point)
    for _, _, reading in card.readings:
        assert not reading.printed.contains(point)


def test_mutated_proofs_of_the_registry(rng: random.Random, size: Callable[[int, int], int]) -> None:
    """Numbers in the witnesses of the papers' proofs, changed: a sum that no longer is the polynomial is rejected."""
    pool = [certificate for name in COMPUTED for _, certificate in OUTCOMES[name][0].certificates]
    proofs = [c.to_dict() for c in pool if (c.proof or {}).get("way") == "handelman"]
    proofs = [document for document in proofs if document["proof"]["terms"]]
    # a contradiction may assume 0 > 0: a power of 0 is 0, so that a changed power is as true
    proofs = [each for each in proofs if all(given["polynomial"] != "0" for given in each["problem"]["hypotheses"])]
    tried = 0
    for _ in range(size(300, 6000)):
        document = json.loads(json.dumps(rng.choice(proofs)))
        term = rng.choice(document["proof"]["terms"])
        if rng.random() < 0.5:
            term["coefficient"] = rng.choice([term["coefficient"] + "1", "-" + term["coefficient"], "0", "1/1000003"])
        elif term["powers"]:
            rng.choice(term["powers"])[1] = "7"
        else:
            term["powers"] = [["0", "1"]]
        assert not rropt.check(document)
        tried += 1
    assert tried >= size(300, 6000)


@pytest.mark.skipif(
    shutil.which("coqc") is None,
    reason="coqc is not installed (apt-get install coq)",
)
def test_coq_compiles_every_certificate(tmp_path, size: Callable[[int, int], int]) -> None:
    """Every file at full size; two of them, with inequalities, identities and relations, in every run."""
    names = sorted(OUTCOMES) if size(0, 1) else ["holohan2016.eq-24", "chainayak2018.theorem-4.4a"]
    files = coq_files({name: (CLAIMS[name][0], OUTCOMES[name][0]) for name in names})
    assert files.theorems >= size(13, 800)
    texts = {name.removesuffix(".v"): text for name, text in files.texts.items() if name.endswith(".v")}
    if not size(0, 1):  # one process: each reads the real numbers again
        texts = {"both": "\n".join(f"Module {name}.\n{text}\nEnd {name}." for name, text in texts.items())}
    for name, text in texts.items():
        (tmp_path / f"{name}.v").write_text(text)
        command = ["coqc", "-w", "-require-in-module", f"{name}.v"]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
        assert done.returncode == 0, (name, done.stderr)


def test_solvers_state_the_label_of_what_they_rest_on() -> None:
    cited = set()
    for file in (Path(rropt.__file__).parent / "symbolic").rglob("*.py"):
        cited |= set(re.findall(r'"(rropt\.[a-z-]+) \((\w+)[;)]', file.read_text()))
    assert len(cited) >= 3
    for name, label in cited:
        assert RECORD[name]["label"] == label, name
