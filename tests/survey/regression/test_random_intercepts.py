"""Mixed models: figures of mpmath with 34 digits, likelihoods with 16, the boundary, refusals, what a result says."""

from __future__ import annotations

import json
from functools import cache

import numpy as np
import pytest
from few_rows import few_rows
from table_calls import regress_table

import rropt
from rropt.core.errors import InfeasibleError, InvalidParameterError, UnsupportedProblemError
from rropt.regression.models import DeviceResponses, WeightedLikelihood, model_of
from rropt.regression.random_intercepts import RULES, MixedLikelihood, averaged
from rropt.regression.regressions import Regression

DEVICES = ("warner:3/4", "direct", "forced:2/3,1/6,1/6")
# Newton's method in mpmath with 34 digits, its own score and information at the nodes, and the trapezoidal rule of step
# 1/12 on [-13, 13]: the coefficients, sigma last, their standard errors, and the log-likelihood.
LOGIT = (
    [-0.8785892910061163888034, 0.9376587810325363078787, 0.5613275030100948340911],
    [0.5309590284545184499748, 0.570029944380096502941, 0.8182850242491080159731],
    -33.93548153728109638681,
)


def _rows(groups: int = 6, size: int = 9, levels=(0.9, -1.6, 0.3, -0.4, 1.4, -0.9)) -> dict[str, np.ndarray]:
    """Return rows with three devices, from a formula in place of random numbers."""
    k = np.arange(groups * size)
    g = k // size
    x = ((7 * k + 3) % 11 - 5) / 4
    y = (np.array(levels)[g % 6] + x - 0.3 + (((13 * k + 5) % 17) / 17 - 0.5) * 5 > 0).astype(int)
    return {"school": np.array([f"S{one}" for one in g]), "x": x, "device": np.array(DEVICES)[(k * k + g) % 3], "y": y}


@cache
def _fit(model: str = "logit") -> Regression:
    return regress_table(_rows(), "y ~ x", devices="device", random="school", model=model, starts=2)


def _mixed(c: float, d: float, groups: int, size: int, sigma: float):
    """Return the likelihood of a logit model where Pr(y = 1) = c + d F, its rows, and a point."""
    random = np.random.default_rng(1)
    g, x = np.repeat(np.arange(groups), size), random.normal(size=groups * size)
    y = (random.random(groups * size) < c + d / (1 + np.exp(-x - sigma * random.normal(size=groups)[g]))).astype(int)
    P = np.array([[[1 - c, 1 - c - d], [c, c + d]]])
    X = np.column_stack([np.ones(len(x)), x])
    responses = DeviceResponses(P, np.linalg.inv(P), np.zeros(len(x), int), y)
    rows = WeightedLikelihood(model_of("logit", X, 2), responses, np.ones(len(x)))
    return rows, g, x, y, np.array([-0.3, 0.7, sigma])


def test_figures_of_thirty_digits() -> None:
    """The tolerance is a few roundings of sums of 54 terms of size 1, far above what a wrong digit of mpmath moves."""
    coefficients, errors, loglik = LOGIT
    found = _fit()
    assert list(found.names) == ["Intercept", "x", "sigma(school)"]
    assert list(found.params) == pytest.approx(coefficients, rel=1e-12)
    assert list(found.bse) == pytest.approx(errors, rel=1e-12)
    assert found.llf == pytest.approx(loglik, rel=1e-13)
    assert found.random is not None
    assert found.random.sigma == found.params["sigma(school)"]


@few_rows(1)
@pytest.mark.parametrize(("c", "d", "size", "sigma"), [(0.0, 1.0, 4, 1.0), (0.25, 0.5, 6, 3.0)])
def test_the_likelihood_is_that_of_mpmath(c: float, d: float, size: int, sigma: float) -> None:
    """mpmath integrates by tanh-sinh on pieces, which shares no rule with the library; 1e-13 is rounding."""
    mp = pytest.importorskip("mpmath")
    rows, g, x, y, theta = _mixed(c, d, 2, size, sigma)
    total = mp.mpf(0)
    with mp.workdps(16):
        for group in range(2):
            own = [(float(a), int(b)) for a, b in zip(x[g == group], y[g == group], strict=True)]

            def density(u, own=own):
                value = mp.npdf(u)
                for a, b in own:
                    p = c + d / (1 + mp.exp(-(theta[0] + theta[1] * a + theta[2] * u)))
                    value *= p if b else 1 - p
                return value

            total += mp.log(mp.quad(density, [-10, -2, 1, 10], maxdegree=6))
    found = MixedLikelihood(rows, g, RULES[-3]).derivatives(theta)
    assert found.value == pytest.approx(float(total), abs=1e-13)


def test_derivatives_are_those_of_the_value() -> None:
    """Central differences of step 1e-5 have errors of 1e-10 times third derivatives, which are below 10."""
    rows, g, _, _, theta = _mixed(0.25, 0.5, 5, 12, 1.0)
    likelihood = MixedLikelihood(rows, g, RULES[-3])
    here, step = likelihood.derivatives(theta), 1e-5 * np.eye(3)
    moved = [(likelihood.derivatives(theta + e), likelihood.derivatives(theta - e)) for e in step]
    assert here.gradient == pytest.approx(np.array([(a.value - b.value) / 2e-5 for a, b in moved]), abs=1e-8)
    assert here.hessian == pytest.approx(np.array([(a.gradient - b.gradient) / 2e-5 for a, b in moved]), abs=1e-8)
    assert likelihood.scores(theta).sum(axis=0) == pytest.approx(here.gradient, abs=1e-12)


def test_rules_converge_to_one_value() -> None:
    """With a large sigma and a device, 15 nodes of Gauss and Hermite are wrong, and the trapezoidal rule is right."""
    rows, g, _, _, theta = _mixed(1 / 6, 2 / 3, 2, 60, 3.0)
    values = [MixedLikelihood(rows, g, rule).derivatives(theta).value for rule in RULES]
    assert abs(values[0] - values[-1]) > 1e-4 > 1e-12 > abs(values[-2] - values[-1])


@pytest.mark.slow
def test_a_boundary_has_the_figures_of_the_plain_model() -> None:
    """Where groups do not differ, sigma is 0; the other figures are those without it, up to the search's digits."""
    data = _rows(levels=(0,) * 6)
    plain = regress_table(data, "y ~ x", devices="device")
    found = regress_table(data, "y ~ x", devices="device", random="school", starts=1)
    assert found.random is not None
    assert (found.random.sigma, found.random.standard_error, found.random.p_value) == (0.0, None, 1.0)
    assert found.random.interval[0] == 0 < found.random.interval[1]
    for name, value in plain.params.items():
        assert found.params[name] == pytest.approx(value, rel=1e-9)
        assert found.bse[name] == pytest.approx(plain.bse[name], rel=1e-9)
    assert found.llf == pytest.approx(plain.llf, rel=1e-13)
    assert "is 0, the boundary" in " ".join(found.notes())


def test_the_interval_is_one_of_the_profile() -> None:
    """At its ends, twice the fall of the profile is the quantile of chi-squared: each is a fit of the other ones."""
    found = _fit()
    assert found.random is not None
    assert found.random.loglik_without is not None
    low, high = found.random.interval
    assert low == 0.0  # as twice the fall to sigma = 0 is below the quantile
    assert 2 * (found.llf - found.random.loglik_without) < 3.841458820694124
    data = _rows()
    from scipy.optimize import minimize

    P = {name: np.array([[float(p) for p in row] for row in rropt.Mechanism(name).matrix]) for name in DEVICES[::2]}
    P["direct"] = np.eye(2)
    given = np.array([P[d][z] for d, z in zip(data["device"], data["y"], strict=True)])
    nodes = np.linspace(-8, 8, 161)

    def minus(beta: np.ndarray) -> float:
        eta = beta[0] + beta[1] * data["x"][:, None] + high * nodes
        F = 1 / (1 + np.exp(-eta))
        L = given[:, :1] * (1 - F) + given[:, 1:] * F
        each = np.array([L[data["school"] == one].prod(axis=0) for one in np.unique(data["school"])])
        return -float(np.log(each @ np.exp(-0.5 * nodes**2) * 0.1 / np.sqrt(2 * np.pi)).sum())

    best = minimize(minus, list(found.params)[:2], method="BFGS", options={"gtol": 1e-6})
    assert 2 * (found.llf + best.fun) == pytest.approx(3.841458820694124, abs=1e-7)  # BFGS ends 1e-12 below
    assert tuple(found.conf_int()["sigma(school)"]) == (low, high)
    wald = found.conf_int(confidence="0.9")["sigma(school)"]
    assert wald[0] * wald[1] == pytest.approx(found.random.sigma**2)  # symmetric for the logarithm


def test_order_units_and_names_of_groups_do_not_matter() -> None:
    """Newton's method ends within rounding errors of one maximum."""
    data = _rows()
    order = np.random.default_rng(0).permutation(len(data["y"]))
    moved = {name: column[order] for name, column in data.items()}
    moved["x"] = 1000 * moved["x"] + 5
    moved["school"] = np.array([int(one[1:]) + 7 for one in moved["school"]])
    found = regress_table(moved, "y ~ x", devices="device", random="school", starts=1)
    assert found.params["x"] * 1000 == pytest.approx(_fit().params["x"], rel=1e-9)
    assert found.llf == pytest.approx(_fit().llf, rel=1e-13)


def test_predictions_are_means_over_the_groups() -> None:
    """The probability of a row is the mean over the intercept; its derivatives are those of differences."""
    found = _fit()
    a, b, sigma = found.params
    u = np.linspace(-9, 9, 4001)
    w = np.exp(-0.5 * u**2)
    expected = (w / (1 + np.exp(-(a + 0.5 * b + sigma * u)))).sum() / w.sum()
    assert found.predict({"x": np.array([0.5])})[0] == pytest.approx(expected, rel=1e-12)
    model, theta = model_of("ordinal-probit", np.array([[0.3], [-1.0]]), 3), np.array([0.4, -0.5, 0.8, 0.9])
    J, step = averaged(model, theta)[1], 1e-6 * np.eye(4)
    moved = [(averaged(model, theta + e)[0] - averaged(model, theta - e)[0]) / 2e-6 for e in step]
    assert pytest.approx(np.array(moved).T, abs=1e-9) == J
    assert found.predict({"x": np.array([0.5])}, interval=True)["low"][0] < expected


def test_an_ordinal_model_of_two_categories_is_the_binary_one() -> None:
    found, binary = _fit("ordinal-logit"), _fit()
    assert found.params["x"] == pytest.approx(binary.params["x"], rel=1e-9)
    assert found.params["sigma(school)"] == pytest.approx(binary.params["sigma(school)"], rel=1e-9)
    assert found.params["0|1"] == pytest.approx(-binary.params["Intercept"], rel=1e-9)
    assert set(found.odds_ratios) == {"x"}  # neither the threshold nor sigma has one
    assert "0|1" not in found.concluded()


def test_a_result_comes_back_and_names_what_it_is() -> None:
    found = _fit()
    again = Regression.from_dict(json.loads(found.to_json()))
    assert again == found
    assert again.random == found.random
    assert again.predict({"x": np.array([0.5])}) == pytest.approx(found.predict({"x": np.array([0.5])}))
    text = found.summary()
    for part in ("mixed model with a random intercept", "school: 6 groups of 9 rows", "profile likelihood"):
        assert part in " ".join(text.split())
    assert "sigma(school)" in found.to_latex()
    assert list(found.to_frame()["name"])[-1] == "sigma(school)"
    assert "sigma(school)" not in found.odds_ratios
    assert found.pvalues["sigma(school)"] is None
    assert set(found.fit.covariances) == {"observed", "outer-product", "sandwich"}


def test_separated_groups_have_no_maximum() -> None:
    """If each group answers alike, the likelihood rises with sigma forever."""
    data = {"y": np.repeat([0, 1] * 4, 5), "g": np.repeat(np.arange(8), 5)}
    with pytest.raises(InfeasibleError, match=r"sigma\(g\)"):
        regress_table(data, "y ~ 1", "warner:1", random="g", starts=1)


def test_rows_without_a_group_are_left_out_and_counted() -> None:
    data = _rows()
    data["school"] = np.where(np.arange(54) % 9 == 0, "", data["school"])
    found = regress_table(data, "y ~ x", devices="device", random="school", starts=1)
    assert (found.nobs, found.fit.missing["school"]) == (48, 6)


@pytest.mark.parametrize(
    ("options", "kind", "message"),
    [
        ({"random": "x"}, InvalidParameterError, "a term of the formula"),
        ({"random": "y"}, InvalidParameterError, "a term of the formula"),
        ({"random": ""}, InvalidParameterError, "`random` is empty"),
        ({"random": "row"}, InvalidParameterError, "54 groups of 'row' with 54 rows"),
        ({"random": "one"}, InvalidParameterError, "1 group of 'one'"),
        ({"model": "linear"}, UnsupportedProblemError, "received linear"),
        ({"method": "corrected"}, UnsupportedProblemError, "corrected loss"),
        ({"weights": "w"}, UnsupportedProblemError, "no weights"),
        ({"standard_errors": "expected"}, InvalidParameterError, "allowed are observed, outer-product, sandwich"),
    ],
)
def test_refusals(options: dict, kind: type[Exception], message: str) -> None:
    data = _rows() | {"row": np.arange(54).astype(str), "one": np.full(54, "a"), "w": np.ones(54)}
    with pytest.raises(kind, match=message):
        regress_table(data, "y ~ x", **{"devices": "device", "random": "school"} | options)


def test_sigma_has_no_wald_test_and_other_groups_no_likelihood_ratio() -> None:
    with pytest.raises(UnsupportedProblemError, match="0 is a boundary"):
        _fit().wald_test("sigma(school)")
    smaller = regress_table(_rows(), "y ~ 1", devices="device", random="school", starts=1)
    assert _fit().compare_lr_test(smaller).degrees_of_freedom == 1
    with pytest.raises(InvalidParameterError, match="random intercept"):
        _fit().compare_lr_test(regress_table(_rows(), "y ~ 1", devices="device"))


def test_a_random_intercept_in_the_formula_names_the_way() -> None:
    with pytest.raises(InvalidParameterError, match="a random intercept with `random`"):
        regress_table(_rows(), "y ~ x + (1 | school)", devices="device")
