"""The checker that is proved in Coq: its sources, the build, verdicts, and, at full size, mutants and sizes."""

from __future__ import annotations

import importlib.util
import json
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import Any

import coq_proofs
import pytest
from javascript import is_explained, with_all_digits
from vectors import vectors

from adversary.built import built, said
from adversary.programs import largest_trace
from adversary.stored import STATEMENTS, cases
from rropt.checker import check_text
from rropt.checker import verdicts as verdicts_module
from rropt.checker.conformance import File, run_suite
from rropt.checker.conformance.suite_runner import verdict_of
from rropt.checker.design_bracket import OBJECTIVES

from .conftest import COQ_STATEMENTS, ROOT, verdicts
from .judging import (
    agree,
    bracket_texts,
    forged_texts,
    large_a_optimal,
    require_hostile_rejected,
)
from .mutants import mutant_texts, mutants

COQ = ROOT / "kernels" / "coq"
REGISTRY = ROOT / "proofs" / "rropt_proofs" / "coq"
AXIOMS = {  # of the real numbers of the standard library, and the law of the excluded middle
    "ClassicalDedekindReals.sig_forall_dec",
    "ClassicalDedekindReals.sig_not_dec",
    "FunctionalExtensionality.functional_extensionality_dep",
    "Classical_Prop.classic",
}
UNPROVED = re.compile(
    r"\b(Admitted|admit|Axioms?|Parameters?|Conjecture|Abort|Hypothesis|Variables?|bypass_check|Unset|Declare|Load|Add)\b"
)
CLOSING = "Theorem accepted : forall c, accept c = true -> true_claim (claim_of c)."


def _code(path: Path) -> str:
    return re.sub(r"\(\*.*?\*\)", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)


def _make(name: str) -> list[str]:
    return re.findall(rf"^{name} = (.*)$", (COQ / "Makefile").read_text("utf-8"), re.MULTILINE)[0].split()


def test_the_sources_assume_nothing() -> None:
    """No lemma is admitted, and `Extract` stands in the one file that writes the program."""
    proofs = _make("PROOFS")
    assert {path.stem for path in COQ.glob("*.v")} == {*proofs, "Extract", "Assumptions"}
    for name in proofs:
        text = _code(COQ / f"{name}.v")
        assert UNPROVED.findall(text) == [], name
        assert "Extract" not in text, name
        assert len(re.findall(r"^Proof\b", text, re.MULTILINE)) == len(re.findall(r"\bQed\.", text)), name
    assert CLOSING in _code(COQ / "Checker.v")
    assert not re.search(r"\b(Lemma|Theorem)\b", _code(COQ / "Statement.v"))
    assert "Print Assumptions accepted." in _code(COQ / "Assumptions.v")


def test_numbers_are_made_by_the_proved_functions_alone() -> None:
    """The interface makes rationals, sizes and factors private: no module of the program can make one by itself."""
    text = (COQ / "program" / "kernel.mli").read_text("utf-8")
    for line in ("type q = private {", "type nat = private int", "type positive = private Z.t"):
        assert line in text
    assert {path.stem for path in (COQ / "program").glob("*.ml")} == set(_make("MODULES"))
    for path in (COQ / "program").glob("*.ml"):
        words = path.read_text("utf-8")
        assert "Obj." not in words
        assert path.stem == "kernel" or "Checked" not in words


def test_every_other_statement_is_known_by_name() -> None:
    """Its files get `not covered`: a statement that the reader does not know is rejected."""
    reader = (COQ / "program" / "reader.ml").read_text("utf-8")
    others = re.search(r"\(([^()]*)\) as name -> not_covered", reader)
    assert others is not None
    known = set(verdicts_module._STATEMENTS)
    assert set(re.findall(r'"([a-z-]+)"', others[1])) == known - set(COQ_STATEMENTS)


def _families() -> list[tuple[str, dict[str, Any]]]:
    """Certificates of families that are theorems of Coq, from the vectors, with the names of the theorems."""
    stored = {each["reason"]: each["certificate"] for each in vectors("family")}
    named = {"zero_one": "the example of the page"}
    named |= {f"{name.replace('-', '_')}": f"the family {name}" for name in ("one-and-others", "reject", "taxonomy")}
    return [(name, stored[reason]) for name, reason in named.items()]


def _writer() -> Any:
    spec = importlib.util.spec_from_file_location("write_families", COQ / "write_families.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_theorems_of_families_are_those_of_the_certificates() -> None:
    """The file is what the writer makes of the vectors, and the checker accepts these."""
    named = _families()
    assert all(check_text(json.dumps(certificate)).accepted for _, certificate in named)
    assert _writer().text_of(named) == (COQ / "FamilyTheorems.v").read_text("utf-8")


@pytest.mark.slow
def test_false_families_are_no_theorems(tmp_path: Path) -> None:
    """Coq proves the theorem of a family, and none with a smaller value, a formula too few or another cost."""
    if shutil.which("coqc") is None:
        pytest.skip("coqc is not installed")
    for name in ("Definitions", "Sums"):
        _compile(tmp_path, name, (REGISTRY / f"{name}.v").read_text("utf-8"), "Rropt")
    for name in ("Statement", "Numbers", "EveryLevel", "Families"):
        _compile(tmp_path, name, (COQ / f"{name}.v").read_text("utf-8"), "Kernel")
    honest = dict(_families())["reject"]
    assert _proves(tmp_path, honest)
    for place, text in (("value", '"3"'), ("cost", '{"product": ["a", "a"]}')):
        false = json.loads(json.dumps(honest))
        if place == "value":
            false["claim"]["formulas"][1]["value"]["quotient"][0] = {"sum": ["k", {"negative": json.loads(text)}]}
        else:
            false["problem"]["decisions"][1]["costs"] = [json.loads(text)]
        assert not check_text(json.dumps(false)).accepted
        assert not _proves(tmp_path, false), place


def _compile(folder: Path, name: str, text: str, room: str) -> bool:
    (folder / room).mkdir(exist_ok=True)
    (folder / room / f"{name}.v").write_text(text, "utf-8")
    rooms = [part for each in ("Rropt", "Kernel") for part in ("-Q", each, each)]
    command = ["coqc", *rooms, f"{room}/{name}.v"]
    return subprocess.run(command, cwd=folder, capture_output=True, timeout=600, check=False).returncode == 0


def _proves(folder: Path, certificate: dict[str, Any]) -> bool:
    return _compile(folder, "Member", _writer().text_of([("member", certificate)]), "Kernel")


def test_the_page_quotes_the_theorem() -> None:
    page = (ROOT / "docs" / "developers" / "kernels.md").read_text("utf-8")
    assert CLOSING in page
    statement = _code(COQ / "Statement.v")
    for quoted in re.findall(r"```coq\n(.*?)```", page, re.DOTALL):
        for part in quoted.strip().split("\n\n"):
            words = " ".join(re.sub(r"\(\*.*?\*\)", "", part, flags=re.DOTALL).split())
            sources = (statement, _code(COQ / "Checker.v"), _code(REGISTRY / "Definitions.v"))
            assert any(words in " ".join(source.split()) for source in sources), words


@pytest.fixture(scope="session")
def coq(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The command of the proved checker: what `make coq` has built from these sources, else a build of their copy."""
    for program in ("coqc", "ocamlfind", "make"):
        if shutil.which(program) is None:
            pytest.skip(
                f"{program} is not installed: it builds the proved checker (apt-get install coq libzarith-ocaml-dev)"
            )
    found = subprocess.run(["ocamlfind", "query", "zarith"], capture_output=True, text=True, check=False)
    if found.returncode or not (Path(found.stdout.strip()) / "z.cmi").exists():
        pytest.skip("zarith is not installed: the proved checker needs it (apt-get install libzarith-ocaml-dev)")
    if subprocess.run(["make", "-q", "-C", str(COQ)], capture_output=True, check=False).returncode == 0:
        return [str(COQ / "_build" / "rropt-kernel")]
    folder = tmp_path_factory.mktemp("coq") / "coq"
    shutil.copytree(COQ, folder, ignore=shutil.ignore_patterns("_build"))
    make, whole = ["make", "-C", str(folder), f"REGISTRY={REGISTRY}"], folder / "_build" / "Whole.v"
    subprocess.run([*make, "_build/Whole.v"], capture_output=True, check=True)
    whole.write_text(coq_proofs.to_compile(whole.read_text("utf-8")), "utf-8")
    done = subprocess.run(make, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return [str(folder / "_build" / "rropt-kernel")]


def test_the_axioms(coq: list[str]) -> None:
    whole = (Path(coq[0]).parent / "Whole.v").read_text("utf-8")
    if "Proof" not in whole:
        return  # the text of the record, without its proofs
    printed = (Path(coq[0]).parent / "assumptions.txt").read_text("utf-8").split("Axioms:\n")
    assert printed[0] == ""
    named = [set(re.findall(r"^(\S+)(?: :|$)", part, re.MULTILINE)) for part in printed[1:]]
    assert len(named) == len(re.findall("Print Assumptions", (COQ / "Assumptions.v").read_text("utf-8")))
    assert named[0] == AXIOMS
    assert all(each <= AXIOMS for each in named)
    coq_proofs.require_recorded(whole)


def test_its_verdicts(coq: list[str], files: list[File], size: Callable[[int, int], int]) -> None:
    """Every tenth file, at full size every file; other rules get `not covered`, or are rejected for their form."""
    drawn = [file for i, file in enumerate(files) if i % size(10, 1) == 0]
    outcome = run_suite([*coq, "--stdin"], drawn, names_on_input=True)
    assert not outcome.differences, "\n".join(map(str, outcome.differences[:20]))
    for rule, covered in COQ_STATEMENTS.items():
        judged, left = outcome.judged.get(rule, 0), outcome.not_covered.get(rule, 0)
        assert judged > size(0, 50), rule
        assert left == 0 or covered == "in part", rule
    accepted = {file.statement for file in drawn if file.accepted and file.statement not in outcome.not_covered}
    assert accepted <= set(COQ_STATEMENTS)


ROOM = Fraction(1, 10**40)


def with_room(text: str) -> str:
    """Return a certificate of rays whose bounds leave room for what Python rounds and Coq computes exactly."""
    certificate = json.loads(text)
    dual = certificate["proof"]
    alpha, claim = dual["alpha"], certificate["claim"]
    dual["alpha"] = [str(Fraction(x) + ROOM) for x in alpha]
    claim["lower"] = str(Fraction(claim["lower"]) - ROOM)
    claim["upper"] = str(Fraction(claim["upper"]) + len(alpha) * ROOM)
    return json.dumps(with_all_digits(certificate))


LEFT = {  # of design brackets, and of covers among the built files
    "sums of rational functions",
    "polytopes of populations",
    "determinants at a share of 0",
    "lower ends of a divergence that are not positive",
    "bounds on entries by rays",
    "the way of cells",
    "the way of branches",
    "the way of groups",
    "the way of formula",
    "pieces that end at a root",
    "criteria that are no rational functions of the prior",
}


@pytest.mark.slow
def test_design_brackets(coq: list[str], tmp_path: Path, size: Callable[[int, int], int]) -> None:
    """Format 2: the verdict of Python on built, stored, forged and altered files, but for named parts."""

    def is_precise(text: str, accepted: bool, line: str, told: str) -> bool:
        return is_explained(text, accepted, line, told) or ('"digits"' in text and check_text(with_room(text)).accepted)

    texts = bracket_texts(size(5, 1), size(200, 2500))
    judged = agree(texts, verdicts(coq, texts, tmp_path), is_precise)
    assert {what for what in judged.left if not what.startswith("the statement ")} <= LEFT
    covered: Counter[str] = Counter()
    for problem in (json.loads(text)["problem"] for text in judged.accepted):
        if "population" not in problem:
            continue  # of another statement
        covered[problem["objective"]["kind"]] += 1
        covered["slopes of a level"] += any(level["delta"] != "0" for level in problem["levels"])
        covered["several levels"] += len(problem["levels"]) > 1
        covered["bounds"] += problem["bounds"] is not None
        covered["mixture"] += isinstance(problem["population"], dict)
    few = {"conditional-variance"}  # has few files
    assert set(covered) | few == {*OBJECTIVES} - {"rational-sum"} | {
        "slopes of a level",
        "several levels",
        "bounds",
        "mixture",
    }
    assert min(count for goal, count in covered.items() if goal not in few) > size(0, 20)


def test_binary_brackets(coq: list[str], tmp_path: Path, size: Callable[[int, int], int]) -> None:
    """Stored and forged files get the verdict of the checker in Python, but for three outputs."""
    texts = [each["text"] for each in vectors("binary-bracket")][:: size(4, 1)]
    texts += forged_texts("binary-bracket", size(100, 3000))
    judged = agree(texts, verdicts(coq, texts, tmp_path))
    assert judged.left <= {"three outputs"}
    documents = map(json.loads, judged.accepted)
    covered = {(each["problem"]["goal"], each["claim"]["optima"] is None) for each in documents}
    assert covered == {("variance", False), ("variance", True), ("regret", True)}


@pytest.mark.slow
def test_it_prints_the_statement_of_a_design_bracket(coq: list[str], tmp_path: Path) -> None:
    """No population stands in a claim that does not depend on one."""
    honest = [text for text in built("honest") if '"way": "rays"' in text or '"way": "linear"' in text]
    linear, variance = (next(text for text in honest if kind in text) for kind in ('"trace"', '"variance"'))
    lines = verdicts(coq, [linear, variance], tmp_path)
    assert all(line.startswith("accepted: Bracket: 2 categories, ") for line in lines)
    assert ["population" in line for line in lines] == [False, True]


@pytest.mark.slow
def test_mutants(coq: list[str], files: list[File], tmp_path: Path, size: Callable[[int, int], int]) -> None:
    """Every mutant that it covers gets the verdict of Python, or Python reaches it with more digits of logarithms."""
    texts = mutant_texts(files, COQ_STATEMENTS, size(40, 3000))
    judged = agree(texts, verdicts(coq, texts, tmp_path))
    assert judged.covered > len(texts) / 4
    assert len(judged.accepted) > judged.covered / 50


@pytest.mark.slow
@pytest.mark.parametrize("statement", STATEMENTS)
def test_forged_files(statement: str, coq: list[str], tmp_path: Path) -> None:
    """What it covers gets the verdict of the checker in Python."""
    texts = forged_texts(statement, 100)
    agree(texts, verdicts(coq, texts, tmp_path))


def inside_region(cover: dict[str, Any]) -> dict[str, Any]:
    """Return a certificate of designs that is accepted if and only if its cover is, with B from 1 to infinity."""
    problem, claim = cover["problem"], cover["claim"]
    bracket = {"below": "1", "above": claim.get("upper"), "infimum": {"claim": claim, "proof": cover["proof"]}}
    level = {"epsilon": {"up": problem.get("up"), "down": problem.get("down")}, "delta": "0", "pairs": "all"}
    trace = {"objective": {"kind": "trace", "weights": ["0", "0"]}, "population": None, "bounds": None}
    nothing = {"alpha": ["0", "0"], "slopes": [], "multipliers": []}
    return {
        "format": "2",
        "statement": "design-bracket",
        "problem": {"inputs": "2", "outputs": "2", "levels": [level], **trace},
        "claim": {"lower": "0", "upper": "0", "mechanism": {"matrix": [["1/2", "1/2"], ["1/2", "1/2"]]}},
        "proof": {"way": "linear", "brackets": [{"gamma": bracket, "delta": {"below": "0", "above": "0"}}], **nothing},
    }


IRRATIONAL = ("sqrt", "exp", "log", "minimum", "maximum", "root")


@pytest.mark.slow
def test_covers_inside_a_region(
    coq: list[str], files: list[File], tmp_path: Path, size: Callable[[int, int], int]
) -> None:
    """All covers of the suite, and mutants of those that it accepts; what is no rational function is not covered."""
    whole: list[dict[str, Any]] = []
    for file in files:
        if file.statement == "parity-bound" and len(file.text) < 50_000:
            with suppress(ValueError):  # a file of the suite that is not JSON
                cover = json.loads(file.text)
                if all(isinstance(cover.get(key), dict) for key in ("problem", "claim")):
                    whole.append(cover)
    texts = [json.dumps(inside_region(cover)) for cover in whole]
    lines = verdicts([*coq, "--quiet"], texts, tmp_path)
    accepted = [json.loads(text) for text, line in zip(texts, lines, strict=True) if line == "accepted"]
    assert len(accepted) > 30
    changed = list(mutants(accepted, size(200, 20_000), 12))
    judged = [*zip(texts, lines, strict=True), *zip(changed, verdicts(coq, changed, tmp_path), strict=True)]
    for text, line in judged:
        if not line.startswith("not covered"):
            assert verdict_of(line) == check_text(text).accepted, f"{line}: {text[:3000]}"
    for text, line in zip(texts, lines, strict=True):
        if any(f'"{name}"' in text for name in IRRATIONAL):
            assert line.startswith(("not covered: ", "rejected: ")), f"{line}: {text[:3000]}"
    assert any(line.startswith("not covered: ") for line in lines)


def test_it_prints_what_is_said_of_built_files(coq: list[str], tmp_path: Path) -> None:
    """What it compares of a criterion, and whether a prior attains B only where that is claimed."""
    lines = verdicts(coq, list(said()), tmp_path)
    for line, (text, words) in zip(lines, said().items(), strict=True):
        assert all(each in line for each in words), line
        is_told = '"attained": true' in text or '"attained": false' in text
        assert ("attains B" in line) == (is_told and '"parity-bound"' in text), line


@pytest.mark.slow
def test_hostile_files_are_rejected(coq: list[str], tmp_path: Path) -> None:
    require_hostile_rejected(coq, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("k", [12, 16])
def test_a_large_a_optimal_certificate(coq: list[str], tmp_path: Path, k: int) -> None:
    assert verdicts([*coq, "--quiet"], [large_a_optimal(k)], tmp_path) == ["accepted"]


@pytest.mark.slow
def test_its_limit_is_a_count(coq: list[str], tmp_path: Path) -> None:
    """A file needs a fixed number of units of work, on any machine: with one less it is rejected."""
    text = large_a_optimal(6)

    def line(units: int) -> str:
        return verdicts([*coq, "--quiet", "--work", str(units)], [text], tmp_path)[0]

    fewer, enough = 1, 1 << 20
    assert line(enough) == "accepted"
    while enough - fewer > 1:
        between = (fewer + enough) // 2
        if line(between) == "accepted":
            enough = between
        else:
            fewer = between
    for _ in range(3):
        assert line(enough) == "accepted"
        assert line(enough - 1) == "rejected: beyond the work limit of this checker"


@pytest.mark.slow
def test_a_large_linear_program(coq: list[str], tmp_path: Path) -> None:
    assert verdicts([*coq, "--quiet"], [largest_trace(60, "1")], tmp_path) == ["accepted"]


@pytest.mark.slow
def test_it_prints_the_statement(coq: list[str], tmp_path: Path) -> None:
    path = tmp_path / "c.json"
    path.write_text(large_a_optimal(3))
    done = subprocess.run([*coq, str(path)], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("accepted: Bracket: 3 categories, any number of outputs, epsilon = log(6), delta = 0")
    assert "128/75 <= optimum <= 128/75" in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("binary-bracket", "2 categories, 2 outputs, "),
        ("polynomial", ""),
        ("parity-bound", "LargestRatio: "),
        ("every-level", "EveryLevel: "),
    ],
)
def test_it_prints_the_statement_of_each_rule(
    coq: list[str], files: list[File], tmp_path: Path, rule: str, words: str
) -> None:
    texts = [file.text for file in files if file.accepted and file.statement == rule]
    lines = [line for line in verdicts(coq, texts, tmp_path) if not line.startswith("not covered")]
    assert len(lines) > 5
    assert all(line.startswith("accepted: ") and words in line for line in lines)


@pytest.mark.slow
def test_it_prints_the_statement_of_both_objectives_of_bits(coq: list[str], files: list[File], tmp_path: Path) -> None:
    words = {"marginals": "least weighted sum of n Var", "joint": "least trace of n Cov"}
    texts = [file.text for file in files if file.accepted and file.statement == "budget-split"]
    printed: dict[str, int] = {}
    for text, line in zip(texts, verdicts(coq, texts, tmp_path), strict=True):
        goal = json.loads(text)["problem"]["objective"]["kind"]
        assert line.startswith("accepted: "), line
        assert words[goal] in line, line
        printed[goal] = printed.get(goal, 0) + 1
    assert set(printed) == set(words)
    assert min(printed.values()) > 5


GOALS = {  # of design brackets, with words of the printed claim
    "variance": "n times the variance of unbiased estimates",
    "a-optimal": "n times the variance of unbiased estimates",
    "c-optimal": "n times the variance of unbiased estimates",
    "contrasts": "n times the variance of unbiased estimates",
    "e-optimal": "the worst contrast of length 1",
    "d-optimal": "the determinant of n times the covariance",
    "chi-square": "chi-square against ",
    "total-variation": "total variation against ",
    "trace": "trace with the weights ",
    "loss": "expected loss, L = ",
    "payoff": "expected gain, U = ",
    "mutual-information": "mutual information of category and output",
    "kullback-leibler": "Kullback-Leibler divergence from ",
    "hellinger": "squared Hellinger distance",
    "jensen-shannon": "Jensen-Shannon divergence from ",
    "alpha-divergence": "alpha-divergence from ",
}


@pytest.mark.slow
def test_it_prints_the_statement_of_each_goal(coq: list[str], tmp_path: Path) -> None:
    listed = [case["certificate"] for case in cases() if case["verdict"] == "accepted"]
    texts = [json.dumps(made) for made in listed if made["problem"]["objective"]["kind"] in GOALS]
    printed: dict[str, int] = {}
    for text, line in zip(texts, verdicts(coq, texts, tmp_path), strict=True):
        problem = json.loads(text)["problem"]
        goal = problem["objective"]["kind"]
        if line.startswith("not covered: "):
            assert line.removeprefix("not covered: ") in LEFT, line
            continue
        assert line.startswith("accepted: "), line
        assert GOALS[goal] in line, line
        printed[goal] = printed.get(goal, 0) + 1
    assert set(printed) == set(GOALS)


@pytest.mark.slow
def test_it_prints_the_statement_about_reports(coq: list[str], files: list[File], tmp_path: Path) -> None:
    """By rays and by values; the shares of the proof do not stand in the claim."""
    texts = [file.text for file in files if file.accepted and '"conditional-variance"' in file.text]
    lines = [line for line in verdicts(coq, texts, tmp_path) if not line.startswith("not covered")]
    assert lines
    assert all(line.startswith("accepted: ConditionalVariance: ") and "population" not in line for line in lines)
