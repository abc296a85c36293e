"""Squared loss with free output values: published and enumerated optima, and random mechanisms above the bound."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

import rropt
from rropt.core.errors import InvalidParameterError
from rropt.designs.decoded_designs import DecodedLoss

PRIOR = ["1/2", "1/5", "1/10", "1/10", "1/10"]


def _decoded(prior: list[str], level: str) -> DecodedLoss:
    asked = {"population": prior, "objective": "loss", "loss": "squared", "outputs": "any"}
    return DecodedLoss.of(rropt.design(level, fast=True, **asked))


def _loss(matrix: np.ndarray, prior: list[str]) -> float:
    """Return the expected squared error of the posterior means, from their definition."""
    q, x = np.array([float(Fraction(p)) for p in prior]), np.arange(1, len(prior) + 1)
    chances = matrix @ q
    means = matrix @ (q * x) / chances
    return float(sum(q[j] * matrix[i, j] * (x[j] - means[i]) ** 2 for i in range(len(means)) for j in range(len(q))))


def test_the_figure_of_the_page() -> None:
    """Randomized response on the bins {1, 2} and {3, 4, 5}: 1.5515625, exactly."""
    found = _decoded(PRIOR, "log(3)")
    assert found.loss == found.least == Fraction(993, 640)
    assert sorted(map(str, found.posterior_means)) == ["13/8", "45/16"]
    assert found.without == Fraction(189, 100)


@pytest.mark.parametrize(
    ("prior", "gamma"), [(PRIOR, 3), (["1/4"] * 4, 2), (["1/10", "6/10", "3/10"], 5), (["2/3", "1/3"], 4), (PRIOR, 20)]
)
def test_against_random_mechanisms(prior: list[str], gamma: int) -> None:
    """The loss follows from its definition; no mechanism of random staircase rows and a last row is below the bound."""
    found, random = _decoded(prior, f"log({gamma})"), np.random.default_rng(1)
    assert float(found.loss) == pytest.approx(_loss(found.mechanism.to_numpy(), prior), rel=1e-12)
    assert found.least <= found.loss <= found.least + Fraction(1, 10**6)
    k = len(prior)
    rays = np.array([ray for ray in product((1.0, float(gamma)), repeat=k) if len(set(ray)) > 1])
    for ray in rays:  # the ray and its opposite: randomized response on a set and its complement
        pair = np.array([ray, gamma + 1 - ray]) / (gamma + 1)
        assert _loss(pair, prior) >= float(found.least) - 1e-12
    for _ in range(200):
        chosen = rays[random.permutation(len(rays))[:3]]
        some = chosen * random.random((len(chosen), 1))
        total = some.sum(axis=0)  # one more row completes the columns; its largest entry is gamma times its least
        matrix = np.vstack([some, (gamma * total.max() - total.min()) / (gamma - 1) - total])
        assert _loss(matrix / matrix.sum(axis=0), prior) >= float(found.least) - 1e-12


def test_the_command(cli_json) -> None:
    prior = ",".join(PRIOR)
    found = cli_json(
        *("design", "kary", "--proportions", prior, "--gamma", "3"),
        *("--objective", "loss:squared", "--outputs", "any", "--fast"),
    )
    assert found["loss"] == "993/640"
    assert found["posterior_means"] in (["13/8", "45/16"], ["45/16", "13/8"])


@pytest.mark.parametrize("prior", [["0", "1"], ["1/4..1/2", "1/2..3/4"]])
def test_refused(prior: list[str]) -> None:
    with pytest.raises(InvalidParameterError):
        _decoded(prior, "1")
