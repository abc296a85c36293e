"""Real surveys of several sensitive questions, against figures worked out by hand from the published counts."""

from __future__ import annotations

import csv
from collections import defaultdict
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from few_rows import few_rows

from rropt.answers import answers_of_counts
from rropt.answers.respondents import Answers
from rropt.inference import estimate_cells, estimate_joint, estimate_marginals, estimate_pairs
from rropt.mechanisms import named_mechanism

F = Fraction
TABLES = Path(__file__).resolve().parents[3] / "shared" / "data"
CONDITIONS = {"CM pick-a-number": (706, 4), "CM unrelated question": (721, 60)}


def test_plagiarism_in_student_papers() -> None:
    """Jann, Jerke and Krumpal: crosswise, p = 1/4, 310 respondents, 198 and 230 answers "same": 0.222581, 0.016129."""
    for same, share in ((198, "0.222581"), (230, "0.016129")):
        answers = answers_of_counts(named_mechanism("bits:crosswise:1/4"), [310 - same, same])
        (table,) = estimate_marginals(answers, 1)
        assert f"{float(table.estimate[1]):.6f}" == share
        p = F(same, 310)
        assert table.variances[1] == p * (1 - p) / 310 * 4
        assert named_mechanism("bits:crosswise:1/4").epsilon.exact_gamma() == 3


@pytest.fixture(scope="module")
def students() -> dict[str, dict[tuple[str, ...], list[int]]]:
    """Condition, p of the five items, counts of the 32 patterns: Hoeglinger, Jann and Diekmann (2016)."""
    file = TABLES / "ethbe_crosswise.csv"
    if not file.exists():
        pytest.skip(f"the table {file.name} is not beside this checkout")
    found: dict[str, dict[tuple[str, ...], list[int]]] = {name: defaultdict(lambda: [0] * 32) for name in CONDITIONS}
    with file.open() as stream:
        for row in csv.DictReader(stream):
            chances = tuple(row[f"p_item{item}"] for item in range(5))
            cell = sum(int(answer) << item for item, answer in enumerate(row["answers"]))
            found[row["condition"]][chances][cell] += int(row["count"])
    return found


def _groups(survey: dict[tuple[str, ...], list[int]]) -> list[Answers]:
    return [
        answers_of_counts(named_mechanism("bits:" + ",".join(f"crosswise:{p}" for p in chances)), counts)
        for chances, counts in survey.items()
    ]


@few_rows(1)
@pytest.mark.parametrize("condition", CONDITIONS)
def test_students_and_cheating(students: dict[str, dict[tuple[str, ...], list[int]]], condition: str) -> None:
    survey = students[condition]
    groups = _groups(survey)
    respondents, devices = CONDITIONS[condition]
    assert (sum(group.n for group in groups), len(groups)) == (respondents, devices)
    both = estimate_joint(groups)
    assert both.likelihood_gap < F(1, 10**9)
    assert sum(both.population) == sum(both.table.estimate) == 1
    pairs = estimate_pairs(groups)
    for item in range(5):
        by_hand = F(0)  # sum over groups of (answers 1 - m (1 - p))/(2 p - 1), over all respondents
        for chances, counts in survey.items():
            p, ones = F(chances[item]), sum(c for cell, c in enumerate(counts) if cell >> item & 1)
            by_hand += (ones - sum(counts) * (1 - p)) / (2 * p - 1)
        table = estimate_cells(groups, [item])
        assert table.estimate[1] == by_hand / respondents
        assert both.table.marginal([item]) == table.estimate
        assert pairs.table(item, item)[1, 1] == pytest.approx(float(table.estimate[1]))
        precise = estimate_cells(groups, [item], weights="precision")
        assert abs(float(precise.estimate[1] - table.estimate[1])) < 4 * table.standard_errors[1]
    for group in groups[:3]:  # each question and the full report, as they were really asked
        levels = [float(device.epsilon) for device in group.mechanism.factors]
        assert float(group.mechanism.epsilon) == pytest.approx(sum(levels))
        assert max(levels) <= np.log(5) + 1e-12
