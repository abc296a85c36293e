"""The boundary suite: the oracle agrees, it quotes the pages, it covers them, and the checker agrees."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from functools import cache

from adversary.boundary import oracle
from every_case import every_case
from stored_cases import cases_of
from stress import STRESS

from rropt.checker import check_text, verdicts
from rropt.checker.conformance.boundary_suite import CASES, FOLDER, WITNESSES, read_lines, suite_files

FILES = list(suite_files())
CASES_OF_SUITE = read_lines(FOLDER / CASES)
PAGES = FOLDER.parent
STATED, LIMITS = cases_of(__file__).values()
ASKED = [case for case in CASES_OF_SUITE if case["known"] != "by hand"][:: 1 if STRESS else 12]  # again, of the oracle


def _conditions() -> dict[tuple[str, str], set[str]]:
    """Return the sides of the boundary that have files, by page and sentence."""
    sides: dict[tuple[str, str], set[str]] = defaultdict(set)
    for entry in read_lines(FOLDER / WITNESSES):
        for page, sentence, side in [(entry["page"], entry["sentence"], entry["boundary"]), *entry["also"]]:
            sides[page, sentence].add(side)
    return sides


CONDITIONS = _conditions()


@cache
def page(name: str) -> str:
    """Return a page without its examples, its blanks as one."""
    text = (PAGES / name).read_text(encoding="utf-8")
    return " ".join(re.sub(r"```json\n.*?```", "", text, flags=re.DOTALL).split())


def without_proofs(name: str) -> str:
    """Return what a page asks and defines: without its examples, proofs and remarks."""
    text = re.sub(r"```json\n.*?```", "", (PAGES / name).read_text(encoding="utf-8"), flags=re.DOTALL)
    kept, proof = [], False
    for paragraph in re.split(r"\n\s*\n", text):
        start = paragraph.strip()
        if re.match(r"#|\*\*(?!Why)|\*(Conditions|Vacuous|Cells)", start):
            proof = False
        if re.match(r"\*+Why|\*\*Theorem", start):
            proof = True
        if proof or re.match(r"\*(Why|Proofs?|Lemma|Remark|What is estimated|Two inputs and delta\.\*)", start):
            continue
        kept.append(re.sub(r"\n?\s*\*(Why it is sound|Proof)\.\*.*", "", start, flags=re.DOTALL))
    return " ".join(" ".join(kept).split())


OTHER_PAGES = {
    "conformance.md",
    "binary_bracket.md",
    "design_bracket.md",
    "rays_way.md",
    "cells_way.md",
    "branches_way.md",
    "groups_way.md",
    "formula_way.md",
    "block_families.md",
    "linear_way.md",
    "inequalities.md",
    "values_way.md",
    "blocks_way.md",
    "rational_sums.md",
}  # test_design_bracket.py
RULE_PAGES = sorted(path.relative_to(PAGES).as_posix() for path in PAGES.rglob("*.md") if path.name not in OTHER_PAGES)


def test_the_oracle_decides_the_cases_again() -> None:
    """The truth that is stored is that of the oracle: one case of twelve in every run, all with `make stress`."""
    asked: Counter[str] = Counter()
    for case in ASKED:
        assert case["truth"] == {True: "true", False: "false", None: "open"}[oracle.truth(case)], case
        asked[case["truth"]] += 1
    assert asked["true"] > 30, asked
    assert asked["false"] > 30, asked


def test_every_sentence_stands_on_its_page() -> None:
    quoted = {*CONDITIONS, *((name, words) for name, listed in STATED.items() for words, _ in listed)}
    missing = [(name, words) for name, words in sorted(quoted) if words not in page(name)]
    assert missing == []
    assert len(quoted) > 150


def test_every_condition_is_tried_at_its_boundary() -> None:
    """On two sides of it at least, or at the special value that it names."""
    assert [each for each, sides in CONDITIONS.items() if len(sides) == 1 and sides != {"special value"}] == []
    assert sum(map(len, CONDITIONS.values())) > 410


@every_case("name", RULE_PAGES)
def test_every_comparison_of_a_page_is_quoted(name: str) -> None:
    """Each sign <=, >=, < or > outside proofs belongs to a condition with its files, or is listed with a reason."""
    text = without_proofs(name)
    covered = bytearray(len(text))
    for words in [sentence for page, sentence in CONDITIONS if page == name] + [w for w, _ in STATED.get(name, ())]:
        for found in re.finditer(re.escape(words), text):
            covered[found.start() : found.end()] = b"\1" * len(words)
    signs = list(re.finditer(r"<=|>=|(?<![-=])[<>](?!=)", text))
    left = [text[max(0, sign.start() - 60) : sign.end() + 40] for sign in signs if not covered[sign.start()]]
    assert left == []


def test_every_limit_is_tried_or_named() -> None:
    """Each constant of FORMAT.md has files at it and beyond it, or a reason why no file is stored."""
    names = set(re.findall(r"\| `(MAX_[A-Z_]+)` \|", page("FORMAT.md")))
    quoted = " ".join(sentence for _, sentence in CONDITIONS)
    tried = {name for name in names if name in quoted}
    assert tried | set(LIMITS) == names
    assert not tried & set(LIMITS)


def test_what_the_suite_holds() -> None:
    counts = Counter(file.statement for file in FILES)
    assert set(counts) == set(verdicts._STATEMENTS) - {"binary-bracket"}
    for rule in counts:
        files = [file for file in FILES if file.statement == rule]
        assert sum(file.accepted for file in files) >= 5, rule
        assert sum(not file.accepted for file in files) >= 10, rule
    assert len(FILES) > 1450
    assert len({file.name for file in FILES}) == len({file.text for file in FILES}) == len(FILES)
    assert {file.because for file in FILES} == {"", "claim", "proof", "form", "limit"}
    assert sum(path.stat().st_size for path in FOLDER.glob("*.jsonl")) < 8 * 2**20


def test_no_false_claim_is_accepted_by_the_suite() -> None:
    """The truth of a case comes from an oracle that reads no witness; an accepted file has a case that is true."""
    cases = dict(enumerate(read_lines(FOLDER / CASES), start=1))
    entries = read_lines(FOLDER / WITNESSES)
    assert {entry["case"] for entry in entries} == set(cases)
    assert all(cases[entry["case"]]["truth"] == "true" for entry in entries if entry["expected"] == "accepted")
    false = [entry for entry in entries if cases[entry["case"]]["truth"] == "false"]
    assert all(entry["expected"] == "rejected" for entry in false)
    by_oracle = sum(case["known"] == "oracle" for case in cases.values())
    assert by_oracle > 0.8 * len(cases)
    assert len(false) > 550


def test_the_oracle_shares_no_code_with_the_checker() -> None:
    source = FOLDER.parent.parent.parent / "tests" / "adversary" / "boundary" / "oracle.py"
    if not source.exists():  # the tests run against an installed package
        from adversary.boundary import oracle

        source = type(FOLDER)(str(oracle.__file__))
    imports = [line for line in source.read_text(encoding="utf-8").splitlines() if re.match(r"\s*(from|import) ", line)]
    assert not [line for line in imports if "rropt" in line or "fuzz" in line]


def test_the_checker_gives_every_verdict() -> None:
    wrong = []
    for file in FILES:
        verdict = check_text(file.text)
        if bool(verdict) != file.accepted or "unforeseen" in verdict.reason:
            wrong.append((file.name, file.because, str(verdict), file.reason))
    assert wrong == []


def test_lines_are_plain() -> None:
    for name in (CASES, WITNESSES):
        for line in (FOLDER / name).read_text(encoding="ascii").splitlines():
            json.loads(line)
