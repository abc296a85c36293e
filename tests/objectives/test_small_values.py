"""Values of objectives at small mechanisms by hand, their limits, and the sentences of their errors."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import factorial, log, prod, sqrt
from typing import Any

import numpy as np
import pytest

from rropt.core.errors import InfeasibleError, InvalidParameterError, RroptError, UnsupportedProblemError
from rropt.core.exact.numbers import dot
from rropt.mechanisms import Mechanism, named_mechanism
from rropt.mechanisms.product import ProductMechanism
from rropt.objectives import Objective, greenwood, objective_from_dict
from rropt.objectives.a_c_contrasts import AOptimality, Contrast, Contrasts
from rropt.objectives.bayes_mixture import BayesMixture
from rropt.objectives.conditional_variance import ConditionalVariance
from rropt.objectives.d_optimality import DOptimality
from rropt.objectives.divergences import (
    AlphaDivergence,
    ChiSquare,
    Hellinger,
    JensenShannon,
    KullbackLeibler,
    TotalVariation,
)
from rropt.objectives.estimator_variance import EstimatorVariance, n_var
from rropt.objectives.expected_loss import Loss, ZeroOneShares
from rropt.objectives.greenwood import greenwood_loss, greenwood_moments, loss_bounds, spreads
from rropt.objectives.mutual_information import MutualInformation
from rropt.objectives.objective import objective_of_text
from rropt.objectives.payoff import Payoff
from rropt.objectives.possible_populations import PopulationRow, Populations
from rropt.objectives.ray_criteria import Squares
from rropt.objectives.ray_form import ScaledRays
from rropt.objectives.trace import Trace, WeightRuns
from rropt.objectives.user_defined import ConvexSum, InformationObjective
from rropt.privacy import PrivacyRegion

F = Fraction
PI = (F(1, 2), F(1, 3), F(1, 6))
P = Mechanism([["1/2", "1/4", "1/3"], ["1/4", "1/2", "1/3"], ["1/4", "1/4", "1/3"]])


# the loss at a random distribution


def moment(cells: int, power: int) -> Fraction:
    """Return the mean of |pi|^(2 power), by the moments of the uniform distribution on the simplex."""
    total = F(0)
    for places in product(range(cells), repeat=power):
        times = [2 * places.count(x) for x in range(cells)]
        total += F(factorial(cells - 1) * prod(map(factorial, times)), factorial(cells - 1 + 2 * power))
    return total


def test_moments_of_the_sum_of_squares() -> None:
    for cells in (1, 2, 3, 4):
        mean, variance = greenwood_moments(cells)
        assert mean == moment(cells, 1)
        assert variance == moment(cells, 2) - mean**2
    for wrong in (0, "1/2", -1):
        with pytest.raises(InvalidParameterError, match="an integer > 0"):
            greenwood_moments(wrong)  # type: ignore[arg-type]


def test_the_mean_of_the_inverse(monkeypatch: pytest.MonkeyPatch) -> None:
    """The terms 1 + S + ... + S^3 by enumeration, and the rest N (N - 1) B(K + 1, N - 2) with K = 4."""
    monkeypatch.setattr(greenwood, "_MOST_TERMS", 4)
    for cells in (3, 4):
        found = greenwood._inverse_mean.__wrapped__(cells)
        assert found.lower == sum(moment(cells, power) for power in range(4))
        beta = F(factorial(4) * factorial(cells - 3), factorial(4 + cells - 2))
        assert found.gap == cells * (cells - 1) * beta
    monkeypatch.setattr(greenwood, "_FINE", F(1))
    assert greenwood._inverse_mean.__wrapped__(8).gap < greenwood._inverse_mean.__wrapped__(4).gap
    first = greenwood._inverse_mean.__wrapped__(30)  # the rest is below 1 after one term
    assert first.lower == 1 + moment(30, 1)


def test_the_loss_of_questions() -> None:
    """Two different devices; s by the left inverse, the loss from the products over cells."""
    one, two = (F(3, 4), F(2, 3)), (F(4, 5), F(9, 10))

    def spread(p: Fraction, q: Fraction) -> list[Fraction]:
        """Return s(0) and s(1) for a question with p00 = p and p11 = q."""
        inverse = [[q / (p + q - 1), (q - 1) / (p + q - 1)], [(p - 1) / (p + q - 1), p / (p + q - 1)]]
        lengths = [inverse[0][z] ** 2 + inverse[1][z] ** 2 for z in (0, 1)]
        return [p * lengths[0] + (1 - p) * lengths[1], (1 - q) * lengths[0] + q * lengths[1]]

    device = ProductMechanism([Mechanism.binary(*one), Mechanism.binary(*two)])
    s, t = spread(*one), spread(*two)
    assert [list(each) for each in spreads(device)] == [s, t]
    assert [list(each) for each in spreads(device, [1])] == [t]
    products = [a * b for a in s for b in t]
    average, mean = sum(products) / 4, F(2, 5)
    found = greenwood_loss(device)
    assert (found.cells, found.average) == (4, average)
    assert found.mean_square == sum(x * x for x in products) / 4
    assert (found.ends.lower, found.ends.upper) == (min(products), max(products))
    assert found.loss_at_mean == (average - mean) / (1 - mean)
    inverse = greenwood._inverse_mean(4)
    assert found.mean_loss is not None
    assert tuple(found.mean_loss) == tuple(1 + (average - 1) * x for x in inverse)
    assert found.ratio is not None
    assert tuple(found.ratio) == tuple(x / found.loss_at_mean for x in found.mean_loss)
    low, high = loss_bounds(device)
    assert (low, high) == ((min(products) - F(1, 4)) / F(3, 4), None)
    assert loss_bounds(device, "1/2") == tuple((x - F(1, 2)) * 2 for x in (min(products), max(products)))
    assert loss_bounds(device, "1/4")[0] == low
    for wrong in ("1/5", 1):
        with pytest.raises(InvalidParameterError, match="1/4 <= squares < 1"):
            loss_bounds(device, wrong)


def test_the_band_of_a_loss() -> None:
    """Chebyshev's inequality for S and, if it varies, the mean of the products: 1/t^2 is 1 - confidence, or half."""
    even = greenwood_loss(named_mechanism("bits:3/4*4"))
    mean, variance = (float(x) for x in greenwood_moments(16))
    average = float(even.average)
    for confidence, square in (("3/4", 4.0), (0, 1.0)):
        low, high = even.band(confidence)
        assert high is not None
        ends = [(average - s) / (1 - s) for s in (mean - sqrt(square * variance), mean + sqrt(square * variance))]
        assert (float(low), float(high)) == pytest.approx(tuple(ends), rel=1e-12)
    low, high = even.band("999999/1000000")
    assert (low, high) == ((even.average - F(1, 16)) / F(15, 16), None)  # S >= 1/16, and no bound below 1
    uneven = greenwood_loss(ProductMechanism([Mechanism.binary("3/4", "2/3")] * 3))
    mean, variance = (float(x) for x in greenwood_moments(8))
    sway = sqrt(4 * float(uneven.mean_square - uneven.average**2) / 9)
    low, high = uneven.band("1/2")
    s, t = mean - 2 * sqrt(variance), mean + 2 * sqrt(variance)
    s, least = max(s, 1 / 8), max(float(uneven.average) - sway, float(uneven.ends.lower))
    most = min(float(uneven.average) + sway, float(uneven.ends.upper))
    assert high is not None
    assert (float(low), float(high)) == pytest.approx(((least - s) / (1 - s), (most - t) / (1 - t)), rel=1e-12)
    for wrong in (1, "-1/2"):
        with pytest.raises(InvalidParameterError, match="0 <= confidence < 1"):
            even.band(wrong)
    truth = greenwood_loss(named_mechanism("bits:1*2"))
    assert truth.band() == (1, 1)
    assert tuple(truth.mean_loss or ()) == (1, 1)
    assert loss_bounds(named_mechanism("bits:1*2")) == (1, 1)
    assert greenwood_loss(Mechanism.binary("3/4", "3/4")).mean_loss is None
    assert greenwood_loss(Mechanism.binary("3/4", "3/4")).ratio is None
    assert tuple(greenwood_loss(Mechanism.binary(1, 1)).mean_loss or ()) == (1, 1)


def test_square_roots_are_upper_bounds() -> None:
    for x in (F(0), F(2), F(1, 3), F(49, 9)):
        found = greenwood._root(x)
        assert found - F(sqrt(x)) + F(1, 10**15) >= 0
        assert found * found > x
        assert (found - F(2, 10**19)) ** 2 < x or found < F(3, 10**10)


# divergences and information


def test_every_divergence_of_one_mechanism() -> None:
    """The terms of all kinds, in a row: outputs with (a, b) = (1/4, 1/2), (1/2, 1/4), (1/4, 1/4)."""
    one = Mechanism([["1/4", "1/2"], ["1/2", "1/4"], ["1/4", "1/4"]])
    a, b = (0.25, 0.5, 0.25), (0.5, 0.25, 0.25)
    pairs = list(zip(a, b, strict=True))
    first, second = [1, 0], [0, 1]
    for objective, truth in (
        (TotalVariation(second), 0.25),
        (ChiSquare(second), 0.125 + 0.25),
        (Hellinger(second), sum((sqrt(x) - sqrt(y)) ** 2 / 2 for x, y in pairs)),
        (KullbackLeibler(second), sum(x * log(x / y) for x, y in pairs)),
        (JensenShannon(second), sum(x * log(2 * x / (x + y)) / 2 + y * log(2 * y / (x + y)) / 2 for x, y in pairs)),
        (AlphaDivergence(second, 2), 0.375 / 2),
        (AlphaDivergence(second, "-1/2"), (sum(y**1.5 / sqrt(x) for x, y in pairs) - 1) / 0.75),
    ):
        assert float(objective.value(one, first)) == pytest.approx(truth, rel=1e-12), objective.kind
        x, y = np.array([0.25, 0.5, 0.2502]), np.array([0.5, 0.25, 0.25])
        terms = objective.float_terms(x, y, x - y)
        expected = [
            float(objective.enclosed(F(p), F(q)).lower) - objective.slope * (p - q) for p, q in zip(x, y, strict=True)
        ]
        np.testing.assert_allclose(terms, expected, rtol=1e-9, err_msg=objective.kind)
    zeros = Mechanism([["1/2", "0"], ["1/2", "1/2"], ["0", "1/2"]])
    assert float(JensenShannon(second).value(zeros, first)) == pytest.approx(log(2) / 2)
    assert float(Hellinger(second).value(zeros, first)) == pytest.approx(0.5)
    assert AlphaDivergence(second, "1/2").value(zeros, first) - 2 < F(1, 10**30)
    lines = TotalVariation(PI[::-1])
    assert lines.ratios(PI) == [1, 0, 0]
    assert lines.absolute_line(PI) == (F(1, 6), 0, F(-1, 6))
    assert lines.labelled_costs(PI) == ((F(-1, 6), 0, F(1, 6)), (F(1, 6), 0, F(-1, 6)))


def test_infinite_terms() -> None:
    for objective, cases in (
        (KullbackLeibler([1, 0]), (True, False)),
        (ChiSquare([1, 0]), (True, False)),
        (Hellinger([1, 0]), (False, False)),
        (AlphaDivergence([1, 0], 2), (True, False)),
        (AlphaDivergence([1, 0], "1/2"), (False, False)),
        (AlphaDivergence([1, 0], -1), (False, True)),
    ):
        assert (objective.infinite(F(1), F(0)), objective.infinite(F(0), F(1))) == cases, objective.kind
        assert not objective.infinite(F(1), F(1))
    for order in (10, "-10", "1/10", "99/10"):
        assert AlphaDivergence([1, 0], order).order == F(order)
    for order in (0, 1, 11, "-101/10", "1/11"):
        with pytest.raises(InvalidParameterError, match="order"):
            AlphaDivergence([1, 0], order)


def test_the_best_subsets_for_information() -> None:
    """The best of all sizes, by the information of a subset: k - 1 at a small and 1 at a large level."""
    one = MutualInformation()
    for k, gamma in ((2, F(3)), (5, F(2)), (7, F(3, 2)), (9, F(20)), (12, F(3)), (6, F(10**4))):
        best = max(range(1, k), key=lambda d, k=k, gamma=gamma: one.of_subsets(k, d, gamma))  # type: ignore[misc]
        assert one.best_subsets(k, gamma) == best, (k, gamma)
    p = 4 / 7
    truth = p * log(p * 5 / 2) + (1 - p) * log((1 - p) * 5 / 3)
    assert float(one.of_subsets(5, 2, F(2))) == pytest.approx(truth, rel=1e-14)
    assert float(one.of_subsets(5, 2, F(2), F(1, 4))) == pytest.approx(0.75 * truth + 0.25 * log(5), rel=1e-14)
    assert (one.constant_value((F(1), F(0))), one.constant_value(PI)) == (0, None)
    assert one.restricted([0]) is one


# variances of two categories, and of a report


def test_variances_of_the_prevalence() -> None:
    assert n_var(Mechanism.binary("3/4", "2/3"), "1/10") == F(7, 24) * F(17, 24) / F(5, 12) ** 2
    three = Mechanism([["1/2", "0"], ["1/4", "1/4"], ["1/4", "3/4"]])
    chances = [dot(row, (F(9, 10), F(1, 10))) for row in three.matrix]
    information = sum((row[1] - row[0]) ** 2 / c for row, c in zip(three.matrix, chances, strict=True))
    assert n_var(three, "1/10") == 1 / information
    assert n_var(three, 1) == 0  # the first output has probability 0 there, and its slope is not
    assert n_var(three, 0) == 1 / (F(1, 4) / F(1, 2) + F(1, 4) / F(1, 4))
    for wrong in ("-1/10", "11/10"):
        with pytest.raises(InvalidParameterError, match="a number from 0 to 1"):
            n_var(three, wrong)
    with pytest.raises(InfeasibleError, match="the columns must differ"):
        n_var(Mechanism([["1/2"] * 2, ["1/4"] * 2, ["1/4"] * 2]), "1/2")
    with pytest.raises(RroptError, match=r"two inputs|2 inputs|binary"):
        EstimatorVariance().value(P, ["1/2", "1/2"])
    assert EstimatorVariance().at((F(9, 10), F(1, 10))) == " at prevalence 1/10"
    form: Any = EstimatorVariance().on_rays((F(1, 2), F(1, 2)), F(2))
    assert (form.targets, form.direction) == ([[0, 1]], ([-1], [1]))


def test_the_variance_of_a_report() -> None:
    """z solves the equations of unbiasedness; the worst variance is over the numbers."""
    x, one = [F(0), F(1), F(3)], Mechanism([["1/2", "1/4", "1/4"], ["1/4", "1/2", "1/4"], ["1/4", "1/4", "1/2"]])
    # P^T = (J + I)/4, whose inverse is 4 I - J; z = 4 x - sum x
    z = [4 * number - 4 for number in x]
    expected = max(
        sum(p * v * v for p, v in zip(column, z, strict=True)) - number**2
        for column, number in zip(zip(*one.matrix, strict=True), x, strict=True)
    )
    assert ConditionalVariance(x).value(one, PI) == expected
    assert ConditionalVariance(x).marks(3) == [(0,), (1,), (3,)]
    assert (ConditionalVariance(x).contrast_rows(3), ConditionalVariance(x).at(PI)) == ((tuple(x),), "")
    with pytest.raises(UnsupportedProblemError, match="received 2 outputs for 3 categories"):
        ConditionalVariance(x).value(Mechanism([["1/2", "1/4", "1/4"], ["1/2", "3/4", "3/4"]]), PI)
    with pytest.raises(UnsupportedProblemError, match="received 3 outputs for 3 categories"):
        ConditionalVariance(x).value(Mechanism([["1/3"] * 3] * 3), PI)
    for wrong, text in (("x", "not a list of numbers"), ([1], "not a list of numbers"), ([2, 2, "2"], "is constant")):
        for kind in (ConditionalVariance, Contrast):
            with pytest.raises(InvalidParameterError, match=f"contrast {text}|contrast is {text}"):
                kind(wrong)


def test_contrasts_on_some_categories() -> None:
    one = Contrast([1, 1, 0])
    assert one.restricted([0, 1]) is None
    assert one.restricted([1, 2]) == Contrast([1, 0])
    many = Contrasts([[1, 1, 0], [0, 0, 2]])
    assert many.restricted([0, 1]) is None
    assert many.restricted([1, 2]) == Contrasts([[1, 0], [0, 2]])
    assert many.marks(3) == [(1, 0), (1, 0), (0, 2)]
    assert (many.parameter(), AOptimality().parameter(), AOptimality().marks(3)) == ((1, 1, 0), None, None)
    assert AOptimality().targets(2) == ((1, 0), (0, 1))
    with pytest.raises(InvalidParameterError, match="contrasts are constant"):
        Contrasts([[1, 1], [0, 0]])
    assert Contrasts([[1, 1], [0, 1]]).contrast_rows(2) == ((1, 1), (0, 1))
    assert objective_of_text("contrasts:1,-1,0;0,1,-1").contrasts == ((1, -1, 0), (0, 1, -1))  # type: ignore[attr-defined]
    assert objective_of_text("contrasts:1,-1,0") == Contrasts([[1, -1, 0]])
    with pytest.raises(InvalidParameterError, match="needs contrasts"):
        objective_of_text("contrasts")
    with pytest.raises(InfeasibleError, match="a combination of the mechanism's rows"):
        Contrast([1, 0, 0]).value(Mechanism([["1/2"] * 3] * 2), PI)


# traces, losses and weights in runs


def test_weights_in_runs() -> None:
    runs = WeightRuns([(2, "1/2"), (1, "1/2"), (2, 0), (1, 3)])
    assert runs.runs == ((3, F(1, 2)), (2, 0), (1, 3))
    plain = [F(1, 2)] * 3 + [F(0)] * 2 + [F(3)]
    assert (len(runs), list(runs), runs[-6:], runs[1:6:2]) == (6, plain, plain, plain[1:6:2])
    assert [runs[i] for i in (-6, -1, 0, 2, 3, 5)] == [F(1, 2), 3, F(1, 2), F(1, 2), 0, 3]
    for place in (6, -7):
        with pytest.raises(IndexError):
            runs[place]
    assert WeightRuns.from_dict(runs.to_dict()) == runs
    assert hash(WeightRuns([(3, "1/2"), (2, 0), (1, 3)])) == hash(runs)
    assert (runs != plain, repr(runs)) == (True, "WeightRuns(3 runs of 6 categories)")
    assert len(WeightRuns([(1, 1), (1, 1)])) == 2
    assert len(WeightRuns([(10**7, 1)])) == 10**7
    for wrong in ([(1, 1)], [(0, 1), (3, 1)], [("3/2", 1), (2, 1)], [(10**7 + 1, 1)]):
        with pytest.raises(InvalidParameterError):
            WeightRuns(wrong)
    for data in ({"runs": [["3", "1"]], "x": 1}, {"runs": [["3"]]}, {"runs": "3"}, [["3", "1"]]):
        with pytest.raises(InvalidParameterError, match="weights are not of the form"):
            WeightRuns.from_dict(data)
    many = Trace(WeightRuns([(10_001, 1)]))
    with pytest.raises(UnsupportedProblemError, match="received 10001 categories; allowed are 10000"):
        many.costs(())
    assert Trace(WeightRuns([(2, 1), (1, 2)])).value(P, ()) == Trace([1, 1, 2]).value(P, ()) == F(5, 3)
    direct = named_mechanism("grr:4,1/2")
    assert Trace(WeightRuns([(3, 1), (1, "1/2")])).value(direct, ()) == F(7, 4)
    assert Trace().sized(3).weights == objective_of_text("trace").sized(3).weights == (1, 1, 1)  # type: ignore[attr-defined]
    assert Trace([1, 2]).sized(2) == objective_of_text("trace:1,2") == Trace([1, 2])
    assert Trace("2x1/2,3").weights == (F(1, 2), F(1, 2), 3)
    assert Trace("301x1/2").weights == WeightRuns([(301, "1/2")])
    assert Trace([1, 2]).weight_runs() is None
    assert Trace([1, 2]).at(PI) == ""
    for text, inputs, outputs in (
        ("as many outputs as inputs: received 3 inputs and 2 outputs", 3, 2),
        ("received 2 for 3 categories; give 3 numbers", 3, 3),
    ):
        assert text in str(Trace([1, 2]).misfit(inputs, outputs))
    assert Trace([1, 2]).misfit(2, 2) is None


def test_losses_and_their_limits() -> None:
    assert Loss.zero_one(3).matrix == ((0, 1, 1), (1, 0, 1), (1, 1, 0))
    assert Loss.squared(3).matrix == ((0, 1, 4), (1, 0, 1), (4, 1, 0))
    assert Loss("absolute").sized(3).matrix == ((0, 1, 2), (1, 0, 1), (2, 1, 0))
    assert Loss([[1, 2], [3, 4], [5, 6]]).sized(2).outputs(2) == 3
    assert (Loss("squared").name, Loss.squared(3).name) == ("squared", None)
    assert len(Loss.zero_one(2).matrix) == 2
    assert len(Loss.zero_one(300).matrix) == 300
    for wrong in (1, 301, "5/2"):
        with pytest.raises(InvalidParameterError, match="an integer with 2 <= inputs <= 300"):
            Loss.absolute(wrong)  # type: ignore[arg-type]
    with pytest.raises(InvalidParameterError, match="allowed are zero-one, absolute, squared"):
        Loss("none")
    with pytest.raises(InvalidParameterError, match="needs the name of a loss"):
        objective_of_text("loss")
    with pytest.raises(InvalidParameterError, match="loss is not a matrix"):
        Loss([[1, 2]])
    many = Loss(ZeroOneShares(WeightRuns([(2, "1/4"), (1, "1/2")])))
    assert many.value(P, ()) == 1 - (F(1, 2) + F(1, 2)) / 4 - F(1, 3) / 2
    assert (many.outputs(3), many.misfit(3, 3), len(many.matrix)) == (3, None, 3)
    with pytest.raises(UnsupportedProblemError, match="received 3 categories in runs"):
        many.costs(PI)
    assert "the loss has 3 rows of 3 entries; mechanisms with 2 outputs and 4 inputs" in str(many.misfit(4, 2))
    assert Loss([[1, 2], [3, 4], [5, 6]]).misfit(2, 3) is None
    assert "3 rows of 2 entries" in str(Loss([[1, 2], [3, 4], [5, 6]]).misfit(3, 2))
    for runs in ([(2, "1/3")], [(1, "3/2"), (1, "-1/2")]):
        with pytest.raises(InvalidParameterError, match="not a distribution"):
            ZeroOneShares(WeightRuns(runs))
    assert ZeroOneShares(WeightRuns([(1, 1), (1, 0)])).to_dict() == {"zero-one": {"runs": [["1", "1"], ["1", "0"]]}}
    assert Loss.zero_one(3).described == "expected 0/1 loss"
    assert Loss.absolute(3).described == "expected absolute loss"
    assert Loss([[0, 2], [1, 0]]).described == "expected loss"
    signs = [Trace([1, 2]).labelled_costs(PI), Loss([[1, 2], [3, 4]]).labelled_costs((F(1, 2), F(1, 2)))]
    assert signs == [((-1, 0), (0, -2)), ((F(1, 2), 1), (F(3, 2), 2))]


# words, and what an objective does not have


def test_proportions_in_words() -> None:
    one = AOptimality()
    equal, half, third = [F(1, 4)] * 4, F(1, 2), F(1, 3)
    for shares, text in (
        (equal, ", equal proportions"),
        ([half, third, F(1, 6)], ", proportions 1/2, 1/3, 1/6"),
        ([F(1, 12)] * 3 + [F(3, 4)], ", proportions 1/12, 1/12, 1/12, 3/4"),
        ([F(1, 20)] * 4 + [F(4, 5)], ", proportions 4x1/20, 4/5"),
        (WeightRuns([(5, "1/10"), (1, half)]), ", proportions 5x1/10, 1/2"),
    ):
        assert one.at(shares) == text
    for count in (12, 13):
        total = F(2, count * (count + 1))
        told = one.at([(i + 1) * total for i in range(count)])
        assert told.count(",") == count if count == 12 else told.endswith(", ...")
    assert told.count(",") == 13  # twelve proportions and the dots


def test_parts_that_other_objectives_do_not_have() -> None:
    for call, text in (
        (lambda: ConditionalVariance([0, 1]).on_rays(PI, F(2)), "is not a function of the rays"),
        (lambda: AOptimality().added([0, 1]), "does not add categories"),
        (lambda: DOptimality().targets(3), "is not a sum of variances: allowed are a-optimal and c-optimal"),
        (lambda: Contrast([1, 0]).of_subsets(3, 1, F(2)), "no formula gives n Var of the contrast"),
        (lambda: AOptimality().costs(PI), "is not linear in the mechanism: allowed are trace and loss"),
    ):
        with pytest.raises(UnsupportedProblemError, match=text):
            call()
    for name in ("limit", "absolute_line", "ratios", "weight_runs", "labelled_costs", "constant_value"):
        arguments = {"limit": (None, PI), "weight_runs": ()}.get(name, (PI,))
        assert getattr(DOptimality(), name)(*arguments) is None
    assert (DOptimality().is_zero(PI), AOptimality().outputs(3), Trace([1, 2]).outputs(2)) == (False, 0, 2)
    assert MutualInformation().is_zero((F(1), F(0)))
    assert (MutualInformation().described, DOptimality().described) == (
        "mutual information",
        "ln det of the information",
    )
    with pytest.raises(InvalidParameterError, match="needs one number per category: received the name alone"):
        objective_of_text("c-optimal")
    with pytest.raises(InvalidParameterError, match="needs an order and another distribution: received '1/2,1/2'"):
        objective_of_text("alpha-divergence:1/2,1/2")
    assert objective_of_text("alpha-divergence:1/2:1/3,2/3") == AlphaDivergence(["1/3", "2/3"], "1/2")
    with pytest.raises(InvalidParameterError, match="an objective, weights and distributions"):
        objective_of_text("bayes")
    with pytest.raises(InvalidParameterError, match="d-optimal has no parameters"):
        objective_of_text("d-optimal:1")


def test_regions_that_an_objective_does_not_take() -> None:
    for region, objective, text in (
        (
            PrivacyRegion(1, inputs=3, outputs=2),
            DOptimality(),
            "allowed is any number of outputs; set `outputs` to any",
        ),
        (PrivacyRegion(1, "1/10", inputs=3, outputs=2), AOptimality(), "delta = 0 alone; set delta to 0, or set"),
        (PrivacyRegion(1, outputs=2, family="warner"), DOptimality(), "allowed is the family all, not warner"),
        (PrivacyRegion(0, inputs=3, outputs="any"), DOptimality(), "leaves nothing to estimate"),
        (PrivacyRegion(1, inputs=3, outputs="any"), Contrast([1, 0]), "received 2 numbers for 3 categories"),
        (PrivacyRegion(1, inputs=3, outputs="any"), Payoff([[1, 0]]), "`matrix` needs one number per category"),
        (PrivacyRegion(1, inputs=3, outputs="any"), EstimatorVariance(), "received 3 inputs and any outputs"),
        (PrivacyRegion(0, inputs=2, outputs=2), EstimatorVariance(), "leaves nothing to estimate"),
        (PrivacyRegion(1, inputs=2, outputs=2, family="warner"), Trace([1, 1]), "received the family warner"),
        (PrivacyRegion(1, inputs=3, outputs=2), Trace([1, 1, 1]), "received 3 inputs and 2 outputs"),
    ):
        with pytest.raises(RroptError, match=text):
            objective.require(region)
    for region, accepted in (
        (PrivacyRegion(1, inputs=3, outputs=2), AOptimality()),
        (PrivacyRegion(1, "1/10", inputs=3, outputs="any"), AOptimality()),
        (PrivacyRegion(0, "1/10", inputs=3, outputs="any"), DOptimality()),
        (PrivacyRegion(1, inputs=2, outputs=3), EstimatorVariance()),
    ):
        accepted.require(region)


def test_mixtures_that_are_refused() -> None:
    two = (PI, PI[::-1])
    for weights, populations, text in (
        (["1"], two, "received 1 weight and 2 distributions"),
        ([], [], "received 0 weights and 0 distributions"),
        (["1", "0"], two, "received a weight of 0"),
        (["1/2", "1/3"], two, "does not sum to 1"),
        (["1/2", "1/2"], [PI, ["1/2", "1/2"]], "population has 2 entries"),
    ):
        with pytest.raises(InvalidParameterError, match=text):
            BayesMixture(AOptimality(), weights, populations)
    region = PrivacyRegion(1, inputs=2, outputs="any")
    with pytest.raises(InvalidParameterError, match="populations have 3 proportions: the region has 2 inputs"):
        BayesMixture(AOptimality(), ["1/2", "1/2"], two).require(region)
    region = PrivacyRegion(1, inputs=3, outputs="any")
    with pytest.raises(UnsupportedProblemError, match="cannot be mixed"):
        BayesMixture(ConditionalVariance([0, 1, 2]), ["1/2", "1/2"], two).require(region)
    same = BayesMixture(KullbackLeibler(PI), ["1/2", "1/2"], (PI, PI))
    assert "is 0 for every mechanism: received kullback-leibler" in str(same.limit(region, PI))
    assert BayesMixture(KullbackLeibler(PI), ["1/2", "1/2"], two).limit(region, PI) is None
    zero = BayesMixture(AOptimality(), ["1/2", "1/2"], (PI, ("1/2", "1/2", 0)))
    assert zero.limit(region, PI) is None  # at delta = 0 each row has no zeros
    loose = PrivacyRegion(1, "1/10", inputs=3, outputs="any")
    assert "or set delta to 0" in str(zero.limit(loose, PI))
    assert BayesMixture(AOptimality(), ["1/2", "1/2"], two).limit(loose, PI) is None


# polytopes


def test_conditions_on_proportions() -> None:
    for relation, truths in (("<=", (True, True, False)), (">=", (False, True, True)), ("=", (False, True, False))):
        row = PopulationRow((F(1), F(0)), relation, F(1, 2))  # type: ignore[arg-type]
        assert tuple(row.holds((x, 1 - x)) for x in (F(1, 4), F(1, 2), F(3, 4))) == truths
        assert row.to_dict() == {"coefficients": ["1", "0"], "relation": relation, "bound": "1/2"}


def test_limits_of_polytopes() -> None:
    points = [[F(i, 200), 1 - F(i, 200)] for i in range(201)]
    assert len(Populations.hull(points[:200]).vertices) == 200
    found = Populations.hull([*points[:2], points[0]])
    assert (found.vertices, found.inputs) == (((0, 1), (F(1, 200), F(199, 200))), 2)
    assert found.middle == (F(1, 400), F(399, 400))
    assert str(Populations.hull(points[:1])) == "a polytope of 1 vertex in 2 categories"
    row = ([1, 0], "<=", "1/2")
    assert Populations.where([row] * 64).vertices == ((0, 1), (F(1, 2), F(1, 2)))
    for call, text in (
        (lambda: Populations.hull(points), "1 to 200 vertices"),
        (lambda: Populations.hull([]), "1 to 200 vertices"),
        (lambda: Populations.hull([[1]]), "k >= 2 numbers with sum 1"),
        (lambda: Populations.where([row] * 65), "1 to 64 rows"),
        (lambda: Populations.where([]), "1 to 64 rows"),
        (lambda: Populations.where([([1], "<=", 1)]), "rows differ in length"),
        (lambda: Populations.where([row, ([1, 0, 0], "<=", 1)]), "rows differ in length"),
        (lambda: Populations.where([([1, 0], "<", 1)]), "a row is not of its form"),
        (lambda: Populations.where([([1, 0], "<=")]), "a row is not of its form"),
        (lambda: Populations.where([([1, 0], ">=", 2)]), "no distribution satisfies the rows: received 1 of them"),
        (lambda: Populations.between(["0"], ["1"]), "proportions have no range"),
        (lambda: Populations.between(["1/2", "0"], ["1/4", "1"]), "proportions have no range"),
        (lambda: Populations.between(["0", "0"], ["1", "9/8"]), "proportions have no range"),
        (lambda: Populations.between(["1/2", "5/8"], ["1", "1"]), "lower bounds with sum 9/8, upper bounds with sum 2"),
        (lambda: Populations.between(["0", "0"], ["1/2", "1/4"]), "lower bounds with sum 0, upper bounds with sum 3/4"),
        (lambda: Populations.between(["0"] * 11, ["1"] * 11), "received 11 categories; allowed are 10"),
        (lambda: Populations.between(["0"] * 10, ["1/5"] * 10), "received 252; allowed are 200"),
        (lambda: Populations.written(["0..1..2", "1"]), "a proportion is not a range"),
        (lambda: Populations.of({"vertices": [], "rows": []}), "not a polytope of distributions"),
    ):
        with pytest.raises(RroptError, match=text):
            call()
    assert Populations.between(["1/2", "1/2"], ["1/2", "1/2"]).vertices == ((F(1, 2), F(1, 2)),)
    assert len(Populations.between(["0"] * 10, ["1"] * 10).vertices) == 10
    ranges = Populations.between(["1/4", "0"], ["1", "1/2"])
    assert [(r.relation, r.bound) for r in ranges.rows] == [(">=", F(1, 4)), ("<=", F(1, 2))]
    assert Populations.of(found) is found
    assert Populations.of(ranges.to_dict()).vertices == ranges.vertices
    assert Populations.of(found.to_dict()) == found


# criteria in floats, and objectives of a third party


def lines_of(rows: Any, root: Any, inside: Any = None, chances: Any = None) -> ScaledRays:
    rows = np.array(rows, dtype=float)
    steps = rows - 1
    return ScaledRays(rows, steps, root, steps @ root if inside is None else rows[:, :1] @ root[:1], inside, chances)


def test_criteria_of_variances() -> None:
    """One block of contrasts, whose targets are turned if all proportions are estimated, and one for each group."""
    root = np.linalg.qr(np.column_stack([np.ones(3), np.eye(3)[:, 1:]]))[0][:, 1:]
    rays = [[2, 1, 1], [1, 2, 1], [1, 1, 2], [2, 2, 1]]
    some: Any = Contrasts([[1, -1, 0], [2, 1, 1]]).on_rays(PI, F(2))
    lines = lines_of(rays, root)
    along = root.T @ np.array([[1, 2], [-1, 1], [0, 1]])
    ((features, target),) = some.criterion(lines).parts
    assert features is lines.c
    np.testing.assert_allclose(target, along / np.abs(along).max(), atol=1e-12)
    whole: Any = AOptimality().on_rays(PI, F(2))
    ((_, target),) = whole.criterion(lines).parts
    assert target.shape == (2, 2)
    np.testing.assert_allclose(np.abs(target).max(), 1)
    gram = target @ target.T  # a turn changes the targets, and not their products
    np.testing.assert_allclose(gram / gram[0, 0], np.eye(2), atol=1e-12)
    criterion = whole.criterion(lines)
    w = whole.float_matrix(criterion, np.arange(1.0, 5.0), root)
    assert w.shape == (3, 3)
    np.testing.assert_allclose(w.sum(0), 0, atol=1e-12)
    np.testing.assert_allclose((w**2).sum(), (np.arange(1.0, 5.0) ** 2).sum())
    groups: Any = whole.over((1, 3, 2))
    inside = np.abs(np.array([[0.5, 1.0], [0.25, 0.5], [0.125, 0.75], [1.0, 1.0]]))
    made = groups.criterion(ScaledRays(lines.rows, lines.steps, root, lines.c, inside))
    size = float(np.abs(root.T @ np.diag([1.0, 3.0, 2.0]) @ groups._turn()).max())
    for (f, b), column, n in zip(made.parts[1:], inside.T, (3, 2), strict=True):
        assert f[:, 0].tolist() == column.tolist()
        assert b.item() == pytest.approx((n - 1) / size)
    assert made.alone(np.arange(9.0)).tolist() == [7, 8]


def test_criteria_of_determinants_and_eigenvalues() -> None:
    root = np.linalg.qr(np.column_stack([np.ones(2), np.eye(2)[:, 1:]]))[0][:, 1:]
    rows = np.array([[2.0, 1.0], [1.0, 2.0], [0.5, 1.5]])
    inside = np.array([[0.5, 1.0], [0.25, 0.5], [0.125, 0.75]])
    lines = ScaledRays(rows, rows - 1, root, (rows - 1) @ root, inside)
    shares = (F(1, 6), F(1, 8))
    determinant: Any = DOptimality().on_rays(shares, F(2)).over((3, 4))
    criterion = determinant.criterion(lines)
    np.testing.assert_allclose(criterion.features, np.hstack([inside, lines.c]))
    assert criterion.times.tolist() == [2, 3, 1]
    y = criterion.units.T @ np.diag([2.0, 3.0, 5.0]).ravel()
    w = determinant.float_matrix(criterion, y, root)
    np.testing.assert_allclose((np.array([3.0, 4.0]) @ w), 0, atol=1e-12)
    np.testing.assert_allclose(w[0] @ w[0], 5 * (root @ root.T)[0, 0])
    eigen: Any = objective_from_dict({"kind": "e-optimal"})
    form: Any = eigen.on_rays(shares, F(2)).over((3, 4))
    made = form.criterion(lines)
    unit = float(root[:, 0] @ np.diag([3.0, 4.0]) @ root[:, 0])
    np.testing.assert_allclose(made.unit, np.diag([2.0, 3.0, unit]))
    x = np.diag([1.0, 1.0, 4.0])
    x /= (made.unit * x).sum()
    found = form.float_matrix(made, made.coordinates(x, np.eye(3)), root)
    np.testing.assert_allclose(found @ found.T, x[2, 2] * root @ root.T, atol=1e-12)
    with pytest.raises(np.linalg.LinAlgError, match="X is 0"):
        form.witness(_Nothing(), np.zeros(1), root)


class _Nothing:
    def between(self, y: Any) -> Any:
        return np.zeros((1, 1))


class _Powers(ConvexSum):
    """|r|^2 / sum r, exact."""

    __slots__ = ()
    kind, title, form = "powers", "powers", "{}"

    def of_row(self, row: Any, population: Any) -> Any:
        return sum(x * x for x in row) / sum(row)


class _LogDeterminant(InformationObjective):
    """ln det M."""

    __slots__ = ()
    kind, title, form = "log", "ln det", "{}"

    def of_information(self, information: Any) -> float:
        return float(np.linalg.slogdet(information)[1])

    def gradient(self, information: Any) -> Any:
        return np.linalg.inv(information)


def test_a_given_sum() -> None:
    one = _Powers()
    form: Any = one.on_rays(PI, F(2))
    assert form.phi(None, (F(1), F(2), F(1))) == F(6, 4)
    assert one.value(P, PI) == sum(dot(row, row) / sum(row) for row in P.matrix)
    assert form.value(P) == one.value(P, PI)
    rows = np.array([[1.0, 2.0, 1.0], [1.0, 1.0, 1.0]])
    assert form.float_phi(None, rows, rows - 1).tolist() == [1.5, 1]
    assert form._error == 0  # exact for fractions
    assert form.proved(P) == (one.value(P, PI), {})


def test_a_given_function_of_the_information() -> None:
    one = _LogDeterminant()
    m = np.array([[2.0, 0.5], [0.5, 1.0]])
    inverse = np.linalg.inv(m)
    # the second derivative of ln det along E is -tr M^-1 E M^-1 E; the differences have the step 2e-5
    units = [(e + e.T) / 2 for e in np.eye(4).reshape(-1, 2, 2)]
    expected = [[-np.trace(inverse @ a @ inverse @ b) for b in units] for a in units]
    np.testing.assert_allclose(one.curvature(m), expected, atol=1e-7)
    assert float(one.value(P, PI)) == pytest.approx(float(DOptimality().value(P, PI)), abs=1e-12)
    with pytest.raises(InfeasibleError):
        one.value(Mechanism([["1/2"] * 3] * 2), PI)
    form: Any = one.on_rays((F(1, 2), F(1, 2)), F(2))
    rows = np.array([[4 / 3, 2 / 3], [2 / 3, 4 / 3], [1.0, 1.0]])
    root = np.array([[1.0], [-1.0]]) / sqrt(2)
    criterion = form.criterion(ScaledRays(rows, rows - 1, root, (rows - 1) @ root))
    np.testing.assert_allclose(criterion.features[0], [16 / 9, 8 / 9, 8 / 9, 4 / 9])
    y = criterion.start(np.array([0.5, 0.5, 0.0]))
    assert criterion.value(y) == pytest.approx(log((10 / 9) ** 2 - (8 / 9) ** 2))
    matrices, scale = form.witness(criterion, y, root)
    assert scale == 1
    g = np.linalg.inv(y.reshape(2, 2))
    np.testing.assert_allclose(np.array(matrices[:2], dtype=float), g)
    assert float(matrices[2][0]) == pytest.approx(criterion.value(y) - 2)  # <G, M> = 2
    row = (F(2), F(1))
    assert float(form.phi(matrices, row)) == pytest.approx(float(np.array([2, 1]) @ g @ [2, 1]) / 1.5)
    np.testing.assert_allclose(form.float_phi(matrices, rows, rows - 1)[:1], [rows[0] @ g @ rows[0]])

    class Dual:
        matrix = matrices

        @staticmethod
        def bound() -> Fraction:
            return F(2)

    assert form.bound(Dual) == matrices[2][0] + 2
    assert float(form.bound(Dual)) == pytest.approx(criterion.value(y))


def test_objectives_are_read_in_their_form_alone() -> None:
    for wrong in ({"kind": "payoff", "matrix": [[1]]}, {"kind": "payoff", "matrix": [[1, 2], [1]]}, {"kind": "payoff"}):
        with pytest.raises(InvalidParameterError):
            objective_from_dict(wrong)
    assert isinstance(objective_from_dict({"kind": "payoff", "matrix": [["1", "2"]]}), Objective)
    with pytest.raises(InvalidParameterError, match=r"payoff of entry \(1, 0\)"):
        Payoff([[1, 2], ["x", 1]])


def test_values_of_subsets_by_formulas() -> None:
    """v is n Var of a unit contrast of subset selection, by the estimate that counts memberships."""
    for k, d, gamma in ((4, 1, F(3)), (5, 2, F(2)), (6, 3, F(7, 2))):
        below = gamma * d + k - d
        hit = gamma * d / below
        miss = (hit * (d - 1) + (1 - hit) * d) / (k - 1)
        mean = miss + (hit - miss) / k
        v = mean * (1 - mean) / (hit - miss) ** 2 * k / (k - 1)  # of a unit contrast: memberships are exchangeable
        assert objective_from_dict({"kind": "e-optimal"}).of_subsets(k, d, gamma) == v
        assert AOptimality().of_subsets(k, d, gamma) == (k - 1) * v
        assert float(DOptimality().of_subsets(k, d, gamma)) == pytest.approx(log(k) - (k - 1) * log(v), rel=1e-13)
    assert AOptimality().restricted([0]) == AOptimality()
    assert AOptimality().best_subsets(6, F(2)) in (1, 2, 3)
    single = Squares([(np.array([[1.0, 2.0], [0.5, -1.0], [2.0, 0.0]]), np.array([[1.0], [3.0]]))])
    w, y = np.array([1.0, 2.0, 0.5]), np.array([0.3, -0.7])
    first, root = single.derivatives(w, y)
    f = single.parts[0][0]
    np.testing.assert_allclose(first, 2 * (f @ y)[:, None] * f)
    np.testing.assert_allclose(root.T @ root, 2 * (f * w[:, None]).T @ f)
    runs = WeightRuns([(2, 1), (1, 2)])
    uneven = Mechanism([["1/2", "1/4", "1/3"], ["1/4", "1/2", "1/3"], ["1/4", "1/4", "1/3"]])
    assert Trace(runs).value(uneven, ()) == F(1, 2) + F(1, 2) + F(2, 3)
    for first_q, second_q, missed in (((1, 0), (0, 1), True), ((1, 0), (F(1, 2), F(1, 2)), False)):
        region = PrivacyRegion(1, "1/10", inputs=2, outputs="any")
        assert (KullbackLeibler(second_q).limit(region, tuple(map(F, first_q))) is not None) is missed
    three = PrivacyRegion(1, "1/10", inputs=3, outputs="any")
    both = KullbackLeibler([F(1, 2), F(1, 2), 0])
    assert both.limit(three, (F(1, 2), F(1, 4), F(1, 4))) is not None
    assert "for category 2" in str(both.limit(three, (F(1, 2), F(1, 4), F(1, 4))))
    assert both.limit(three, (F(1, 4), F(3, 4), F(0))) is None
    assert both.limit(PrivacyRegion(1, inputs=3, outputs="any"), (F(1, 2), F(1, 4), F(1, 4))) is None
