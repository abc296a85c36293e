"""The weighted trace and the expected loss: values, forms and bad input."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from support.regions import by_distance

from rropt.core.errors import InvalidParameterError, UnsupportedProblemError
from rropt.designs.problem import Problem
from rropt.mechanisms import Mechanism, OrbitMechanism
from rropt.objectives import AOptimality, EstimatorVariance, Loss, Trace, objective_from_dict
from rropt.objectives.expected_loss import ZeroOneShares
from rropt.objectives.mutual_information import information_bounds
from rropt.objectives.ray_criteria import Squares
from rropt.objectives.ray_form import ScaledRays
from rropt.objectives.trace import WeightRuns
from rropt.privacy.bounded_regions import BoundedRegion
from rropt.privacy.region import PrivacyRegion

P = Mechanism([["1/2", "1/4", "1/3"], ["1/4", "1/2", "1/3"], ["1/4", "1/4", "1/3"]])
PI = (Fraction(1, 2), Fraction(1, 3), Fraction(1, 6))


def test_values_by_hand() -> None:
    assert Trace([1, 2, 3]).value(P, PI) == Fraction(1, 2) + 1 + 1
    assert Loss.zero_one(3).value(P, PI) == 1 - Trace(PI).value(P, PI)
    assert Loss.absolute(3).value(P, PI) == Fraction(3, 8) + Fraction(1, 6) + Fraction(1, 6)
    assert Loss.squared(3).value(P, PI) == Fraction(5, 8) + Fraction(1, 6) + Fraction(5, 18)


def test_values_are_the_costs() -> None:
    for objective in (Trace([1, -2, "1/3"]), Loss([[0, 1, 2], [3, 4, 5], [-6, 7, "1/8"]])):
        costs = objective.costs(PI)
        assert objective.value(P, PI) == sum(costs[i][j] * P[i, j] for i in range(3) for j in range(3))


def test_forms_both_ways() -> None:
    runs = Loss(ZeroOneShares(WeightRuns([(3, "1/6"), (1, "1/2")])))
    for objective in (Trace([1, "1/2"]), Loss([[0, 1], ["1/3", -2], [1, 1]]), EstimatorVariance(), runs):
        assert objective_from_dict(objective.to_dict()) == objective
    short = {"zero-one": {"runs": [["3", "1/6"]]}}  # of the sum 1/2
    for wrong in (
        {"kind": "loss", "matrix": short},
        {},
        None,
        {"kind": "trace"},
        {"kind": "loss", "matrix": [], "more": 1},
        {"kind": "entropy"},
    ):
        with pytest.raises(InvalidParameterError):
            objective_from_dict(wrong)


@pytest.mark.parametrize(
    ("region", "objective"),
    [
        (PrivacyRegion("1", inputs=3, outputs=3), Trace([1, 2, 3])),
        (PrivacyRegion("1/2*log(3)", "exp(-2)", inputs=3, outputs=2), Loss([[0, 1, 2], [1, 0, 1]])),
        (by_distance(3, "log(2)"), Loss.absolute(3)),
        (BoundedRegion.sparse(by_distance(3, "1"), least={(0, 0): "1/4"}), Trace([1, 1, 1])),
    ],
)
def test_problems_both_ways(region, objective) -> None:
    problem = Problem(region, objective, PI)
    assert Problem.from_json(problem.to_json()) == problem
    assert hash(Problem.from_json(problem.to_json())) == hash(problem)
    assert str(region) in str(problem)


@pytest.mark.parametrize(
    ("region", "objective", "error"),
    [
        (PrivacyRegion("1", inputs=3, outputs=2), Trace([1, 1, 1]), InvalidParameterError),
        (PrivacyRegion("1", inputs=3, outputs=3), Trace([1, 1]), InvalidParameterError),
        (PrivacyRegion("1", inputs=3, outputs=3), Loss.zero_one(2), InvalidParameterError),
        (PrivacyRegion("1", inputs=3, outputs=3), EstimatorVariance(), UnsupportedProblemError),
        (by_distance(3, "1"), EstimatorVariance(), UnsupportedProblemError),
        (PrivacyRegion("1", "1/10", inputs=3, outputs=2), AOptimality(), UnsupportedProblemError),
        ("everything", Trace([1, 1, 1]), InvalidParameterError),
        (PrivacyRegion("1", inputs=3, outputs=3), "trace", InvalidParameterError),
    ],
)
def test_objectives_that_do_not_fit(region, objective, error) -> None:
    with pytest.raises(error):
        Problem(region, objective, PI)
    with pytest.raises(UnsupportedProblemError):
        Problem(by_distance(2, "1"), EstimatorVariance(), ["1/2", "1/2"])
    with pytest.raises(UnsupportedProblemError):
        Problem(PrivacyRegion("1", family="warner"), Trace([1, 1]), ["1/2", "1/2"])


def test_little_information_is_bracketed_to_many_digits() -> None:
    """The terms nearly cancel: with entries 1/2 + h and 1/2 - h the sum is about 2 h^2."""
    for bits in (2, 40, 300):
        h = Fraction(1, 2**bits)
        columns = [Fraction(1, 2) + h, Fraction(1, 2) - h], [Fraction(1, 2) - h, Fraction(1, 2) + h]
        found = information_bounds(Mechanism(columns), [Fraction(1, 2), Fraction(1, 2)])
        assert 0 < found.lower <= found.upper
        assert found.upper - found.lower < found.lower * Fraction(1, 10**30)
        assert abs(found.lower / (2 * h * h) - 1) < h


def test_orbits_have_the_information_of_their_matrix() -> None:
    """At entries and shares of 0 too."""
    mechanism = OrbitMechanism([1, 2], [[[("1/3", 1)], [(0, 2)]], [[("1/3", 1)], [("3/4", 1), ("1/4", 1)]]])
    for pi in (["0", "1/2", "1/2"], ["1", "0", "0"], ["1/3", "1/3", "1/3"]):
        shares = list(map(Fraction, pi))
        found, listed = (information_bounds(each, shares) for each in (mechanism, Mechanism(mechanism)))
        assert abs(found.lower - listed.lower) < Fraction(1, 10**30)
        assert abs(found.upper - listed.upper) < Fraction(1, 10**30)


def test_conditions_that_are_no_rays_have_no_features() -> None:
    """Features of a block cover the rays; for further conditions they are zeros, and contrasts stand as they are."""
    features, contrasts = np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([[1.0], [2.0], [3.0]])
    lines = ScaledRays(features, features, np.eye(2), contrasts)
    criterion = Squares([(lines.padded(features), np.zeros((2, 3))), (lines.c, np.zeros((1, 2)))])
    moments = criterion.moments()
    assert moments.shape == (3, 3 + 1)
    assert moments[:, :3].tolist() == [[1, 2, 4], [9, 12, 16], [0, 0, 0]]
    assert moments[:, 3].tolist() == [1, 4, 9]
    assert lines.padded(features[:, 0]).tolist() == [1, 3, 0]
    first, second = criterion.blocks(np.arange(8.0))
    assert (first.tolist(), second.tolist()) == ([[0, 1, 2], [3, 4, 5]], [[6, 7]])
