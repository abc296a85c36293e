"""``repr`` is the answer: the numbers that were asked for, in one short line; sequences behave as their shape says."""

from __future__ import annotations

import pickle
import re
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from plans import planned
from support.table_calls import table_estimate
from table_calls import regress_table

import rropt
import rropt_fieldwork
from rropt.core.exact import Bracket, Epsilon
from rropt.core.results.answer_text import value_text
from rropt.designs.minimax_risk import minimax_risk
from rropt.designs.orders import sufficient
from rropt.inference import confidence_interval

ESTIMATE = rropt.inference.estimate("warner:3/4", [60, 40])
PAIR = rropt.answers.Answers(rropt.Mechanism("bits:3/4*2"), np.array([[0, 0], [1, 1]] * 20), None)
NORTH = {"region": ["n", "n", "s", "s", "s", "n"], "sick": ["yes", "no", "no", "yes", "no", "yes"]}


@pytest.mark.parametrize(
    ("made", "shown"),
    [
        (lambda: ESTIMATE, "<Estimate n=100 estimate=(0.7, 0.3) standard_errors=(0.0979796, 0.0979796)>"),
        (
            lambda: confidence_interval(ESTIMATE, kind="normal"),
            "<Interval lower=~0.107964 upper=~0.492036 kind=normal",
        ),
        (
            lambda: planned("warner:3/4", margin="1/20", interval="normal"),
            "<MechanismPlan n=1537 goal=margin ",
        ),
        (lambda: rropt.compose(["log(3)"] * 5, delta=0), "<Composition epsilon=log(243) delta=0>"),
        (lambda: rropt.compose(["log(3)"] * 5, delta="1/1000000"), "<Composition epsilon=~5.49306 delta=1e-06>"),
        (lambda: rropt.shuffle("warner:3/4", 1000, delta="1/1000000"), "<Shuffle epsilon=~0."),
        (
            lambda: rropt.audit_privacy("warner:3/4", epsilon="log(2)"),
            "<Finding epsilon=log(3) at=log(2) delta=0.25",
        ),
        (lambda: rropt.compare("warner:3/4", "warner:2/3", fast=True), "<Comparison relation=better>"),
        (
            lambda: rropt.every_level(rropt.design.kary, 3, objective="trace", fast=True),
            "<EveryLevel trace {every gamma: 3*gamma/(gamma + 2)}>",
        ),
        (
            lambda: rropt.every_level(rropt.design.kary, 60, objective="a-optimal", fast=True),
            "<ClosedLevels value={gamma <= ",
        ),
        (
            lambda: rropt.inference.estimate_pairs(PAIR),
            "<PairEstimates n=40 estimate={0 and 1: (1.25, -0.75, -0.75, 1.25",
        ),
        (
            lambda: rropt_fieldwork.compare_designs("log(3)", prevalence="1/4"),
            "<DesignComparison epsilon=log(3) delta=0 variance={",
        ),
        (
            lambda: rropt_fieldwork.compare_designs("log(3)", prevalence="1/4").for_goal(margin="1/20"),
            "<DesignComparison epsilon",
        ),
        (lambda: rropt.plans.compare_precision(rropt.Mechanism("bits:3/4*2")), "<PrecisionComparison loss={bits:"),
        (lambda: sufficient("warner:3/4", "warner:2/3"), "<Sufficiency is_sufficient=yes "),
    ],
)
def test_repr_is_the_answer(made: Any, shown: str) -> None:
    text = repr(made())
    assert text.startswith(shown)
    assert "\n" not in text


@pytest.mark.parametrize(("goal", "columns"), [({}, 8), ({"margin": "1/20"}, 9)])
def test_a_comparison_of_designs_has_eight_columns(goal: dict[str, str], columns: int) -> None:
    found = rropt_fieldwork.compare_designs("log(3)", prevalence="1/4", certify=False)
    text = (found.for_goal(**goal) if goal else found)._repr_html_()
    counts = {row.count("<t") - row.count("<tr") for row in re.findall("<tr>.*?</tr>", text)}
    assert counts == {columns}
    assert "warner (p = 3/4)" in text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(3, 10), "0.3"),
        (Fraction(-1, 4), "-0.25"),
        (Fraction(2, 3), "2/3"),
        (Fraction(12345, 67891), "~0.181836"),
        (Fraction(10) ** 400, "1e+400"),
        (Fraction(1, 3**400), "~"),
        (float("inf"), "inf"),
        (Bracket(Fraction(1, 3), Fraction(1, 2)), "[0.333333, 0.5]"),
        (Bracket(Fraction(1, 3), Fraction(1, 3) + Fraction(1, 10**9)), "~0.333333"),
        (Epsilon.of("log(3)"), "log(3)"),
        (Epsilon.of("log(12345/12344)"), "~8.1"),
        ((1, Fraction(1, 2), 3, 4, 5, 6), "(1, 0.5, 3, 4, ...)"),
        (True, "yes"),
        (None, ""),
        ("a\x1b[31m  text of two lines\n" * 9, "a"),
    ],
)
def test_a_value_in_a_few_characters(value: Any, text: str) -> None:
    found = value_text(value)
    assert found.startswith(text)
    assert len(found) <= 60


def test_a_mechanism_is_iterated_as_its_matrix() -> None:
    for text in ("warner:3/4", "forced:2/3,1/6,1/6", "rappor:1/2", "grr:4,2/5"):
        mechanism = rropt.Mechanism(text)
        m, k = mechanism.shape
        rows = [tuple(row) for row in mechanism]
        assert rows == [tuple(row) for row in mechanism.matrix]
        assert (len(mechanism), bool(mechanism)) == (m, True)
        assert [mechanism[i] for i in range(m)] == rows
        assert mechanism[-1] == rows[-1]
        assert [[mechanism[i, j] for j in range(k)] for i in range(m)] == [list(row) for row in rows]
        assert mechanism[-1, -1] == mechanism[np.int64(m - 1), k - 1] == rows[-1][-1]
        for wrong in ((m, 0), (0, k), (-m - 1, 0), m):
            with pytest.raises(IndexError, match="the shape is"):
                mechanism[wrong]
        for wrong in ("a", (0, "a"), 0.5, None):
            with pytest.raises(TypeError, match="entries m"):
                mechanism[wrong]
        assert np.asarray(mechanism).shape == (m, k)
        exact, floats = np.array(rows, object), np.asarray(mechanism)
        for place in (np.s_[:, 0], np.s_[:, -1], np.s_[0, 1:], np.s_[1:], np.s_[::-1], np.s_[1:, :1]):
            assert np.array_equal(np.array(mechanism[place], object), exact[place])
        with pytest.raises(IndexError, match="the shape is"):
            mechanism[:, k]
        assert [*map(float, mechanism @ ([0.5] * k))] == pytest.approx(floats @ np.full(k, 0.5))
    first, second = rropt.Mechanism("warner:3/4")
    assert (first, second) == ((Fraction(3, 4), Fraction(1, 4)), (Fraction(1, 4), Fraction(3, 4)))


def test_a_large_mechanism_is_true_and_gives_single_rows() -> None:
    large = rropt.mechanisms.ProductMechanism([rropt.Mechanism("warner:3/4")] * 200)
    assert large
    assert large[0, 0] == large[-1, -1] == Fraction(3, 4) ** 200


def test_an_interval_is_a_pair() -> None:
    interval = confidence_interval(ESTIMATE)
    low, high = interval
    assert (low, high, interval[0], interval[-1], len(interval)) == (interval.lower, interval.upper, low, high, 2)
    assert np.asarray(interval).tolist() == [float(low), float(high)]
    assert interval.kind == "exact"
    assert interval.confidence == Fraction(19, 20)
    assert low < Fraction(3, 10) in interval
    assert pickle.loads(pickle.dumps(interval)) == interval


def test_results_with_several_things_are_sequences() -> None:
    every = rropt.every_level(rropt.design.kary, 5, objective="a-optimal", fast=True)
    assert [*every] == [*every.pieces]
    assert every[0] is every.pieces[0]
    assert every[-1:] == every.pieces[-1:]
    assert len(every) == len(every.pieces)
    profile = rropt.Mechanism("warner:3/4").profile()
    assert [*profile] == [*profile.pieces]
    compared = rropt_fieldwork.compare_designs(epsilon=1, prevalence="1/10", respondents=20)
    assert [one.design for one in compared][:2] == ["warner", "unrelated"]
    assert compared["warner"] is compared[0]
    with pytest.raises(KeyError, match=re.escape("there is no 'kuks': allowed are warner")):
        compared["kuks"]


def test_estimates_by_group_are_sequences_of_their_groups() -> None:
    columns = {**NORTH, "w": [1, 2, 1, 2, 1, 2], "report": [0, 1, 1, 0, 1, 1]}
    data = {name: np.array(values) for name, values in columns.items()}
    asked: dict[str, Any] = {"data": data, "column": "sick", "categories": ["no", "yes"], "by": "region"}
    weighted = table_estimate("warner:3/4", **asked, weights="w")
    numbers = rropt.Mechanism([["3/4", "1/4"], ["1/4", "3/4"]]).valued([0, 1], [0, 1])
    means = rropt_fieldwork.TableResponses("report", numbers, data=data).estimate(by="region")
    contrasts = table_estimate("warner:3/4", **asked, contrast=[-1, 1])
    for found in (table_estimate("warner:3/4", **asked), weighted, means, contrasts):
        assert len(found) == 2
        assert [one.group for one in found] == ["n", "s"]
        assert found["s"] is found[1] is found[-1]
        assert f"{float(found['n'].estimate):.3f}" == f"{found.to_frame()['estimate'][0]:.3f}"
        assert repr(found["n"]).startswith("<Estimate n")
        with pytest.raises(KeyError, match="there is no 'kuks': allowed are"):
            found["kuks"]


def test_estimates_of_several_categories_are_found_by_group_and_proportion() -> None:
    data = {
        "region": np.array(["n", "n", "s", "s"] * 5),
        "often": np.array(["a", "b", "c", "a", "b"] * 4),
        "w": np.arange(20) + 1,
    }
    asked: dict[str, Any] = {"data": data, "column": "often", "categories": ["a", "b", "c"]}
    by = table_estimate("grr:3,1/2", **asked, by="region")
    assert len(by) == 6
    assert by["s", "b"] is by[4]
    with pytest.raises(KeyError, match="'s' names 3 of 6 estimates"):
        by["s"]
    alone = table_estimate("grr:3,1/2", **asked, weights="w")
    assert alone["c"] is alone[2]


def test_the_answer_of_a_result_is_a_number_that_was_asked_for() -> None:
    data = {"y": np.array([0, 1, 1, 0, 1] * 6), "g": np.array(["n", "s", "w"] * 10)}
    fit = regress_table(data, "y ~ g", "warner:3/4")
    for made, part in (
        (fit.wald_test("g[T.s]"), "p_value="),
        (minimax_risk(1, 2), "upper="),
    ):
        assert part in repr(made)
    for made in (rropt_fieldwork.TableResponses("y", "warner:3/4", data=data).estimate(by="g"), fit.prevalence("g")):
        assert made.plot()._repr_svg_().startswith("<svg")
