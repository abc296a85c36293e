"""Models of the truth at a few rows: derivatives are those of differences, and covariances those of their formulas."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace

import numpy as np
import pytest
from table_calls import regress_table

import rropt
from rropt.regression.models import DeviceResponses, WeightedLikelihood, latent_covariate, model_of
from rropt.regression.random_intercepts import RULES, MixedLikelihood
from rropt.regression.variances import mixed_covariances

ROWS = 7
STEP = 1e-5  # central differences have errors of STEP squared times third derivatives, which are below 1000 here


def responses(k: int, m: int, seed: int) -> DeviceResponses:
    """Return responses to one device with positive probabilities, the same at each call."""
    random = np.random.default_rng(seed)
    P = (random.dirichlet(np.ones(m), k).T * 0.5 + 0.5 * np.eye(m, k))[None]
    return DeviceResponses(P, np.linalg.pinv(P[0])[None], np.zeros(ROWS, int), random.integers(0, m, ROWS))


def likelihoods() -> Iterator[WeightedLikelihood]:
    random = np.random.default_rng(11)
    X, w = np.column_stack([np.ones(ROWS), random.normal(size=ROWS)]), random.uniform(0.5, 2, ROWS)
    for name, k in (("logit", 2), ("probit", 2), ("multinomial", 3)):
        yield WeightedLikelihood(model_of(name, X, k), responses(k, k + 1, 1), w)
    for name in ("ordinal-logit", "ordinal-probit"):
        yield WeightedLikelihood(model_of(name, X[:, 1:], 3), responses(3, 3, 2), w)
    pairs = responses(2, 2, 3).with_outcome(responses(2, 3, 4))
    for name in ("logit", "probit"):
        yield WeightedLikelihood(latent_covariate(name, 1.0, X, X[:, :1]), pairs, w)
    outcome = random.normal(size=ROWS)
    yield WeightedLikelihood(latent_covariate("linear", 1.5, X, X[:, :1], outcome), responses(2, 3, 5), w)
    for name, k in (("logit", 2), ("linear", 2), ("multinomial", 3)):
        yield WeightedLikelihood(model_of(name, X, k), responses(k, k, 6), w, is_corrected=True)


def are_differences(of: WeightedLikelihood | MixedLikelihood, theta: np.ndarray) -> None:
    here = of.derivatives(theta)
    for j, step in enumerate(np.eye(len(theta)) * STEP):
        up, down = of.derivatives(theta + step), of.derivatives(theta - step)
        assert (up.value - down.value) / (2 * STEP) == pytest.approx(here.gradient[j], abs=1e-7)
        assert (up.gradient - down.gradient) / (2 * STEP) == pytest.approx(here.hessian[j], abs=1e-7)


def test_derivatives_are_those_of_differences() -> None:
    for one in likelihoods():
        theta = np.random.default_rng(12).normal(0, 0.4, one.model.size)
        if one.model.name.startswith("ordinal"):
            theta[1:] = -0.7, 0.9
        are_differences(one, theta)
        assert one.weights @ one.scores(theta) == pytest.approx(one.derivatives(theta).gradient, abs=1e-12)


def test_a_normal_outcome_has_its_density() -> None:
    """Of a latent covariate: the density is the mixture of two normal ones, in the unit of the outcome."""
    X, outcome, unit = np.ones((1, 1)), np.array([0.8]), 2.5
    model = latent_covariate("linear", unit, X, X, outcome)
    b, effect, gamma, log_sigma = 0.3, -0.6, 0.4, -0.2
    q = model.cells(model.eta(np.array([b, effect, gamma, log_sigma])))[0][:, 0]
    prior, sigma = 1 / (1 + np.exp(-gamma)), np.exp(log_sigma)
    densities = [
        np.exp(-(((0.8 - mean) / sigma) ** 2) / 2) / (sigma * unit * np.sqrt(2 * np.pi)) for mean in (b, b + effect)
    ]
    assert q == pytest.approx([(1 - prior) * densities[0], prior * densities[1]], rel=1e-14)


def mixed() -> MixedLikelihood:
    g, x = np.repeat(np.arange(4), 3), np.linspace(-1, 1, 12)
    y = np.repeat([0, 1, 0, 1], 3)
    P = np.array([[[0.95, 0.05], [0.05, 0.95]]])
    given = DeviceResponses(P, np.linalg.inv(P), np.zeros(12, int), y)
    likelihood = WeightedLikelihood(model_of("logit", np.column_stack([np.ones(12), x]), 2), given, np.ones(12))
    return MixedLikelihood(likelihood, g, RULES[-3])


@pytest.mark.parametrize("sigma", [0.0, 2.0])
def test_covariances_of_a_mixed_model(sigma: float) -> None:
    """By their formulas; on the boundary sigma has none."""
    likelihood, T = mixed(), np.array([[1.0, 0.5, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 1.0]])
    theta = np.array([0.2, -0.5, sigma])
    are_differences(likelihood, theta)
    end = SimpleNamespace(objective=likelihood, end=SimpleNamespace(theta=theta))
    here, scores = likelihood.derivatives(theta), likelihood.scores(theta)
    found, step = mixed_covariances(end, T)  # type: ignore[arg-type]
    own = slice(None) if sigma else slice(-1)
    inverse, outer = np.linalg.inv(-here.hessian), scores.T @ scores
    free = T[own, own]
    for kind, V in (
        ("observed", inverse[own, own]),
        ("outer-product", np.linalg.inv(outer[own, own])),
        ("sandwich", (inverse @ outer @ inverse)[own, own]),
    ):
        assert found[kind][own, own] == pytest.approx(free @ V @ free.T, rel=1e-9)
        if not sigma:
            assert not found[kind][-1].any()
            assert not found[kind][:, -1].any()
    newton = np.abs(T @ inverse) @ np.abs(here.gradient)
    assert (step >= newton).all()
    assert step == pytest.approx(newton, rel=1e-6)  # besides the roundings of the scores


def rows(groups: int, size: int, height: float) -> dict[str, np.ndarray]:
    """Return rows of groups that differ by a height, from a formula in place of random numbers."""
    k = np.arange(groups * size)
    x, noise = ((7 * k + 3) % 11 - 5) / 4, ((13 * k + 5) % 17) / 17 - 0.5
    level = height * ((k // size) % 2 - 0.5)
    return {"g": np.array([f"G{i // size}" for i in k]), "x": x, "y": (level + x + 4 * noise > 0).astype(int)}


def test_predictions_have_errors_by_the_delta_method() -> None:
    found = regress_table(rows(3, 20, 1.0), "y ~ x", mechanism="warner:3/4")
    told = found.predict({"x": np.array([0.4])}, interval=True)
    (value,), (error,), (low,), (high,) = (told[name] for name in ("estimate", "standard_error", "low", "high"))
    b, slope = found.params
    assert value == pytest.approx(1 / (1 + np.exp(-b - 0.4 * slope)), rel=1e-14)
    along = np.array([1, 0.4])
    on_the_link = np.sqrt(along @ found.cov_params() @ along)
    assert error == pytest.approx(value * (1 - value) * on_the_link, rel=1e-12)
    z = 1.959963984540054
    ends = [1 / (1 + np.exp(-(b + 0.4 * slope + sign * z * on_the_link))) for sign in (-1, 1)]
    assert [low, high] == pytest.approx(ends, rel=1e-12)


def test_a_fit_by_a_coarse_rule_that_does_not_stand_is_repeated() -> None:
    """Of large groups 15 nodes are not enough; the score is 0 by a rule that is much finer."""
    data = rows(4, 60, 2.0)
    found = regress_table(data, "y ~ x", mechanism="forced:2/3,1/6,1/6", random="g", starts=1)
    P = np.array([[float(p) for p in row] for row in rropt.Mechanism("forced:2/3,1/6,1/6").matrix])[None]
    given = DeviceResponses(P, np.linalg.inv(P), np.zeros(240, int), data["y"])
    X = np.column_stack([np.ones(240), data["x"]])
    likelihood = WeightedLikelihood(model_of("logit", X, 2), given, np.ones(240))
    there = MixedLikelihood(likelihood, np.repeat(range(4), 60), RULES[-1])
    theta = np.array(list(found.params))
    assert theta[-1] > 1
    errors = np.sqrt(np.diag(np.linalg.inv(-there.derivatives(theta).hessian)))
    assert np.abs(there.derivatives(theta).gradient * errors).max() < 1e-6
    assert there.derivatives(theta).value == pytest.approx(found.llf, rel=1e-10)
