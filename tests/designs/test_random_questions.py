"""Random questions: the form, its privacy and precision against the matrix and a published formula, and the files."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import combinations, product
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from plans import planned
from support.table_calls import table_estimate

import rropt_fieldwork
from rropt.core.errors import FileFormatError, InfeasibleError, InvalidParameterError, RroptError
from rropt.design import random_questions
from rropt.designs.asked_designs import RandomQuestionsDesign
from rropt.mechanisms import Mechanism, RandomQuestions, named_mechanism
from rropt.plans.combined_responses import compare_precision


@pytest.mark.parametrize(
    ("questions", "asked", "gamma"), [(3, 1, 3), (3, 2, 5), (4, 3, "7/2"), (2, 2, 4), (1, 1, 2), (5, 2, "3/2")]
)
def test_the_form_against_its_definition(questions: int, asked: int, gamma: object) -> None:
    """Every entry from the words: a uniform set, then randomized response on the cells of its answers."""
    some, g = RandomQuestions(questions, asked, gamma), Fraction(str(gamma))
    rows = []
    for chosen in combinations(range(questions), asked):
        for cell in product((0, 1), repeat=asked):
            truths = [x[::-1] for x in product((0, 1), repeat=questions)]  # question 0 varies fastest
            likely = [tuple(x[q] for q in chosen) == cell[::-1] for x in truths]
            below = (g + 2**asked - 1) * comb(questions, asked)
            rows.append([(g if same else 1) / below for same in likely])
    plain = Mechanism(rows)
    assert some.matrix == plain.matrix
    assert some.parity() == plain.parity()
    for level in ("log(2)", "1/10", 0):
        assert some.delta(level) == plain.delta(level)
    assert Mechanism.from_json(some.to_json()) == some == named_mechanism(f"ask:{questions},{asked},{gamma}")
    assert [some.set_of(i << asked) for i in range(some.outputs >> asked)] == [*combinations(range(questions), asked)]


@pytest.mark.parametrize(("questions", "asked", "gamma"), [(3, 1, 3), (4, 2, 20), (4, 3, 20)])
def test_the_variance_is_that_of_the_matrix(questions: int, asked: int, gamma: int) -> None:
    """By the information about one question, at the uniform distribution, from the written matrix."""
    found = random_questions(questions, ask=asked, epsilon=f"log({gamma})")
    p = found.mechanism.to_numpy()
    half = p.mean(axis=1)
    own = np.array([x & 1 for x in range(2**questions)])
    slope = p[:, own == 1].mean(axis=1) - p[:, own == 0].mean(axis=1)
    assert float(found.n_variances[0]) == pytest.approx(1 / (slope**2 / half).sum(), rel=1e-9)


def test_weights_prevalences_and_levels() -> None:
    """The value is the weighted sum of the marginal variances; an irrational level has ends on both sides."""
    found = random_questions(ask=2, epsilon="log(20)", weights=[1, 2, 0], prevalences=["1/10", "1/2", "1/5"])
    p = Fraction(21, 23)
    noise = p * (1 - p) / (2 * p - 1) ** 2
    each = [Fraction(3, 2) * (pi * (1 - pi) + noise) for pi in (Fraction(1, 10), Fraction(1, 2), Fraction(1, 5))]
    assert found.n_variances == tuple(each)
    assert found.value == each[0] + 2 * each[1]
    one = random_questions(10, ask=1, epsilon=1)
    assert one.lower < one.upper
    assert float(one.upper) == pytest.approx(117.07, abs=0.005)  # the figure of the enumeration
    assert float(one.split / one.value) == pytest.approx(8.556, abs=0.001)
    assert float(one.mechanism.gamma) <= np.exp(1.0)
    assert one.cards == "ask:10,1,19/7"  # 26 cards; no other deck of at most 100 is nearer
    assert RandomQuestionsDesign.from_dict(one.to_dict()) == one


@pytest.mark.parametrize("ask", [4, 0])
def test_the_number_of_random_questions_is_checked(ask: int) -> None:
    with pytest.raises(InvalidParameterError, match="1 to 3"):
        random_questions(3, ask=ask, epsilon=1)


def test_no_level_leaves_nothing_to_estimate() -> None:
    with pytest.raises(InfeasibleError):
        random_questions(3, ask=1, epsilon=0)


@pytest.mark.parametrize("text", ["ask:3", "ask:3,4,2", "ask:3,1,1", "ask:0,1,2", "ask:3,1,x", "ask:"])
def test_bad_names(text: str) -> None:
    with pytest.raises(RroptError):
        named_mechanism(text)


ROWS = 4_000


def _answers(tmp_path: Path) -> tuple[Path, np.ndarray[Any, Any]]:
    """Write answers to four questions, of which b follows from a."""
    random = np.random.default_rng(5)
    truth = (random.random((ROWS, 4)) < [0.3, 0.2, 0.5, 0.05]).astype(int)
    truth[:, 1] |= truth[:, 0]
    path = tmp_path / "answers.csv"
    lines = ["a,b,c,d,region,w"]
    for i, row in enumerate(truth):
        lines.append(",".join([*(["no", "yes"][x] for x in row), "NS"[i % 2], "1.5"]))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path, truth


@pytest.mark.slow
@pytest.mark.parametrize("asked", [1, 2])
def test_from_answers_to_estimates(tmp_path: Path, asked: int) -> None:
    """Randomize a file and estimate it: blanks, the marginals, pairs, groups with weights, one column."""
    from rropt_fieldwork.randomizing.randomized_tables import randomize_file, randomizing_of
    from rropt_fieldwork.reading.counting import request_of

    answers, truth = _answers(tmp_path)
    some = RandomQuestions(4, asked, 9)
    names = ["a", "b", "c", "d"]
    request = request_of(names, some.each(), 4, categories=["no", "yes"])
    private = tmp_path / "private.csv"
    how = randomizing_of(some, request, keep=("region", "w"), seed=3)
    randomize_file(str(answers), str(private), how)
    rows = [line.split(",") for line in private.read_text(encoding="utf-8").splitlines()[1:]]
    answered = [sum(text != "" for text in row[:4]) for row in rows]
    assert set(answered) == {asked}
    sets = {tuple(i for i in range(4) if row[i]) for row in rows}
    assert sets == set(combinations(range(4), asked))
    asks = {"data": str(private), "columns": names, "categories": ["no", "yes"]}
    found = table_estimate(some, **asks)
    for row, share in zip(found, truth.mean(axis=0), strict=True):
        error = row.se
        expected = (4 / asked * (share * (1 - share) + 9 / 64 if asked == 1 else 0) / ROWS) ** 0.5
        assert abs(float(row) - share) < 4 * error  # a chance of 6e-5 for each table, with a fixed seed
        if asked == 1:
            assert error == pytest.approx(expected, rel=0.1)  # its own sampling error is about 3 %
    assert sum(row.n for row in found) == asked * ROWS
    if asked == 2:
        pairs = table_estimate(some, marginals=2, **asks)
        table = pairs.only(question="a, b")
        for cell in range(4):
            share = ((truth[:, 0] == (cell & 1)) & (truth[:, 1] == (cell >> 1))).mean()
            assert abs(float(table[cell]) - share) < 4 * table[cell].se + 1e-12
        with pytest.raises(InvalidParameterError, match="marginals"):
            table_estimate(some, marginals=3, **asks)
        with pytest.raises(FileFormatError, match="more questions than they were asked"):
            table_estimate("ask:4,1,9", **asks)
    one = rropt_fieldwork.TableResponses("c", some, data=str(private), categories=["no", "yes"]).estimate()
    assert float(one.estimate) == pytest.approx(float(found[2]), abs=1e-12)
    weighted = table_estimate(some, by="region", weights="w", **asks)  # equal weights change nothing
    groups = list(table_estimate(some, by="region", **asks).to_frame().estimate)
    assert list(weighted.to_frame().estimate) == pytest.approx(groups, abs=1e-9)
    singles = [float(row) for row in found]
    assert [float(row) for row in weighted.overall] == pytest.approx(singles, abs=1e-9)
    assert list(table_estimate(some, weights="w", **asks).to_frame().estimate) == pytest.approx(singles, abs=1e-9)


def test_single_answers_of_a_device_that_asks_two(tmp_path: Path) -> None:
    """Everybody was asked: the device is another one than that of the table, and the error says so."""
    file = tmp_path / "a.csv"
    file.write_text("a,b,c\n0,,\n,1,\n,,1\n1,,\n")
    with pytest.raises(FileFormatError, match="at most 1 answer of one, and the mechanism asks 2 of 3 questions"):
        rropt_fieldwork.TableResponses(["a", "b", "c"], "ask:3,2,3", data=str(file)).estimate()
    assert len(rropt_fieldwork.TableResponses(["a", "b", "c"], "ask:3,1,3", data=str(file)).estimate()) == 3


def test_plan_compare_and_sheet() -> None:
    """A plan scales that of Warner's device; the sheet plays the law; the table of precision has the formula."""
    found = planned("ask:10,2,20", margin="0.05")
    alone = planned(RandomQuestions(10, 2, 20).question, margin="0.05").found.n
    assert (found.n, found.asked_each) == (alone * 5, alone)
    assert json.loads(found.to_json())["definition"].startswith(f"each question: {alone} is the smallest number")
    of_some = planned("ask:10,2,20", n=99, prevalence="1/5", null=0, regions=2)
    assert (of_some.n, of_some.asked_each, of_some.sample.total) == (99, 19, 198)
    assert all(type(one).from_dict(one.to_dict()) == one for one in (found, of_some))
    with pytest.raises(InvalidParameterError, match="each question is asked"):
        planned("ask:10,1,3", n=9)
    page = rropt_fieldwork.sheet("ask:10,2,20", "Which of these?", n=1000)
    assert page.instructions[0] == "Shuffle the 10 question cards and draw 2. Read their questions."
    assert "If you get 20: say “no, no”, whatever the truth is." in page.instructions
    assert page.spoken == ("no, no", "yes, no", "no, yes", "yes, yes")
    assert str(page.epsilon) == "log(20)"
    (row,) = [one for one in compare_precision(named_mechanism("bits:3/4*4"), designs=["ask"]) if one.design == "ask"]
    assert row.asked is not None
    values = {j: Fraction(4, j) / 4 * Fraction(2**j + 80, 80) ** 2 for j in (1, 2, 3, 4)}
    assert row.marginal_variance == min(values.values()) == values[row.asked]
