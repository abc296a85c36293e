"""The lines on a design of k categories: its family, two probabilities, and what GRR would lose."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from math import comb, sqrt

import pytest

from rropt.designs import report_costs, solve
from rropt.designs.problem import Problem
from rropt.designs.report_costs import _percent, _sets
from rropt.mechanisms import Mechanism

Cli = Callable[..., tuple[int, str, str]]


def _asked(cli: Cli, *more: str) -> str:
    status, out, error = cli("design", "kary", "--objective", "a-optimal", "--fast", *more)
    assert status == 0, error
    return out


def _variance(k: int, size: int, gamma: Fraction) -> Fraction:
    """Return n tr Cov of subset selection at equal proportions, by hand: k h (1 - h)/(p - q)^2 with h = size/k."""
    return (k - 1) ** 2 * (size * gamma + k - size) ** 2 / (k * size * (k - size) * (gamma - 1) ** 2)


@pytest.mark.parametrize(("k", "gamma"), [(4, "3"), (6, "3/2"), (7, "2")])
def test_family_probabilities_and_cost_are_those_by_hand(cli: Cli, k: int, gamma: str) -> None:
    g, given = Fraction(gamma), ("-k", str(k), "--gamma", gamma)
    record = json.loads(_asked(cli, *given, "--json"))["report_cost"]
    size = min(range(1, k), key=lambda d: _variance(k, d, g))
    normal = comb(k - 1, size - 1) * g + comb(k - 1, size)
    own, other = map(Fraction, record["entries"])
    assert float(own) == pytest.approx(float(g / normal), rel=1e-6)
    assert float(other) == pytest.approx(float(1 / normal), rel=1e-6)
    assert f"sets of {size}" in record["family"] or size == 1
    if size == 1:
        assert record["direct_loss"] is None
    else:
        lost = _variance(k, 1, g) / _variance(k, size, g) - 1
        assert float(Fraction(record["direct_loss"])) == pytest.approx(float(lost), rel=1e-6)


def test_ten_lines_and_the_matrix_in_full(cli: Cli) -> None:
    """15 rows are left to --exact; ten lines are printed, two of them wrapped at 80 columns."""
    short = _asked(cli, "-k", "6", "--gamma", "3/2")
    assert len(short.splitlines()) <= 12
    assert "probabilities" in short
    assert "  GRR at this epsilon" in short
    assert "certificate accepted; --exact prints the matrix (15 x 6)" in short
    assert "rows are outputs" not in short
    assert "rows are outputs" in _asked(cli, "-k", "6", "--gamma", "3/2", "--exact")


def test_a_loss_above_100_percent_has_no_exponent() -> None:
    losses = ("1/300000", "1/300", "993/1000", "996/1000", "29/25", "1234567/100")
    assert [_percent(Fraction(x)) for x in losses] == ["less than 0.001", "0.33", "99", "99.6", "116", "1234567"]


def test_a_matrix_that_is_no_family_is_printed_and_has_no_two_numbers(cli: Cli) -> None:
    text = _asked(cli, "--proportions", "1/2,1/3,1/6", "--epsilon", "1/2")
    assert ("probabilities" in text) != ("rows are outputs" in text)
    third = Fraction(1, 3)
    assert _sets(Mechanism([[third] * 3] * 3)) is None
    assert _sets(Mechanism([["1/2", "1/4", "1/4"], ["1/4", "1/2", "1/4"], ["1/4", "1/4", "1/2"]])) is not None
    assert _sets(Mechanism([["1/2", "1/4", "1/2"], ["1/4", "1/2", "1/4"], ["1/4", "1/4", "1/4"]])) is None
    assert _sets(Mechanism([["1", "0", "0"], ["0", "1", "0"], ["0", "0", "1"]])) is None


@pytest.mark.parametrize("k", range(3, 101))
def test_sets_of_two_are_better_below_the_root_that_the_page_names(k: int) -> None:
    """GRR loses to sets of two categories where gamma is below sqrt((k - 1)(k - 2)/2), and to no sets above."""
    root = Fraction(round(sqrt((k - 1) * (k - 2) / 2) * 10**9), 10**9)
    for gamma, is_direct in ((root * Fraction(1001, 1000), True), (root * Fraction(999, 1000), False)):
        if gamma <= 1:
            continue
        best = min(range(1, k), key=lambda d: _variance(k, d, gamma))
        assert (best == 1) == is_direct, (k, gamma)


@pytest.mark.parametrize("objective", ["a-optimal", "e-optimal"])
def test_many_categories_have_the_loss_of_grr_by_the_formula_of_blocks(
    objective: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The matrix and the formula agree where both can be computed; the command has the line for 66 categories."""
    problem = Problem.kary(12, epsilon=1, objective=objective)
    value = solve(problem, ["exact"], fast=True).value
    by_matrix = report_costs._direct_loss(problem, value)
    monkeypatch.setattr(report_costs, "_MOST_COMPARED", 0)
    by_formula = report_costs._direct_loss(problem, value)
    assert by_matrix is not None
    assert by_formula is not None
    assert float(by_formula) == pytest.approx(float(by_matrix), rel=1e-9)
    many = Problem.kary(66, epsilon=1, objective=objective)
    loss = report_costs._direct_loss(many, solve(many, ["exact"], fast=True).value)
    assert loss is not None
    assert 5 < loss < 6
