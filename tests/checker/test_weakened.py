"""Weakened checkers: each accepts a false file that was built for the condition or the step that it lacks."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from adversary.fuzz import cells
from adversary.fuzz.version_2 import judge_of
from adversary.fuzz.weakened import Weakening, survivors, weakened
from few_rows import few_rows

import rropt.checker

LINES = [json.loads(line) for line in Path(__file__).with_name("weaker.jsonl").read_text("utf-8").splitlines()]


@few_rows(4)
@pytest.mark.parametrize("line", LINES, ids=lambda line: line["drops"])
def test_a_weakened_checker_accepts_its_file(line: dict[str, str], tmp_path: Path) -> None:
    """The checker itself rejects it."""
    text = line.pop("text")
    assert survivors([Weakening(**line)], [text], tmp_path) == []


# Steps of arithmetic of which no file is known that is false without them: the fuzzer of cells sees them.
ARITHMETIC = [
    (
        "expansions",
        "f = Expansion(self.zero, self.zero, self._lowered(f, f.a))",
        "f = f._replace(a=self.zero)",
        "exp of what vanishes",
    ),
    (
        "expansions",
        'Fraction(-1 if seen == "high" else 1)',
        "Fraction(1)",
        "w falls with p seen from above",
    ),
    ("expansions", "factor *= (exponent - i) / (i + 1)", "factor *= exponent / (i + 1)", "derivatives of a power"),
    ("expansions", "Fraction((-1) ** (j - 1), j)", "Fraction(1, j)", "derivatives of a logarithm"),
    (
        "expansions",
        "steep = _derivative(a, kind, exponent, k, between)",
        "steep = _derivative(a, kind, exponent, k, a.of(Fraction(1)))",
        "Lagrange's rest",
    ),
    ("constants", "return self.power(argument, factor)", "return argument", "exp(r log x) = x^r"),
]


@few_rows(1)
@pytest.mark.parametrize(("file", "old", "new", "drops"), ARITHMETIC, ids=lambda x: x if len(x) < 30 else "")
def test_wrong_arithmetic_is_seen_by_the_fuzzer_of_cells(
    file: str, old: str, new: str, drops: str, tmp_path: Path
) -> None:
    with weakened(Weakening(f"parity_bound/{file}.py", old, new, drops), tmp_path) as check:
        wrong = cells.run(judge_of(check.__module__.partition(".")[0]), random.Random(7), 20_000, failures=1)[1]
    assert wrong


def test_the_text_that_a_weakening_changes_stands_once_in_the_checker() -> None:
    """Of all of them in each run: those above are drawn, and a change of the checker would leave them behind."""
    named = [(line["file"], line["old"]) for line in LINES]
    named += [(f"parity_bound/{file}.py", old) for file, old, _, _ in ARITHMETIC]
    texts = {file: (Path(rropt.checker.__file__).parent / file).read_text("utf-8") for file, _ in named}
    assert [(file, old) for file, old in named if texts[file].count(old) != 1] == []
