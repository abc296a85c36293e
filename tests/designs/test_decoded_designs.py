"""Squared loss with free output values: published and enumerated optima, and random mechanisms above the bound."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest

import rropt
from rropt.core.errors import InvalidParameterError
from rropt.designs.decoded_designs import DecodedLoss
from rropt.designs.sweeps import sweep

PRIOR = ["1/2", "1/5", "1/10", "1/10", "1/10"]


def _decoded(prior: list[str], level: str) -> DecodedLoss:
    asked = {"population": prior, "objective": "loss:squared", "outputs": "any"}
    return DecodedLoss.of(rropt.design.kary(epsilon=level, fast=True, **asked))


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


def test_the_page_shows_the_problem_as_asked(cli, tmp_path: Path) -> None:
    """The loss and the proportions of the question come first; the chi-square that is solved is a note."""
    report = tmp_path / "page.md"
    asked = ["--proportions", ",".join(PRIOR), "--gamma", "3", "--objective", "loss:squared", "--outputs", "any"]
    status, out, _ = cli("design", "kary", *asked, "--fast", "--report", str(report))
    assert status == 0
    printed = " ".join(out.split())
    assert printed.startswith(
        "Optimal design problem smallest expected squared loss, each output decoded to the posterior mean: epsilon = "
        "log(3), delta = 0, k = 5 categories, output alphabet unrestricted, proportions 1/2, 1/5, 1/10, 1/10, 1/10 "
        "expected squared loss, categories numbered from 1 993/640 = 1.5515625 "
    )
    assert printed.count("expected squared loss, categories") == 1
    assert printed.index("posterior mean at output 1") < printed.index("solved as the largest chi-square")
    page = report.read_text()
    assert page.index("smallest expected squared loss") < page.index("993/640") < page.index("chi-square")


def test_a_solution_and_a_sweep_have_the_loss_that_was_asked() -> None:
    asked = {"population": PRIOR, "objective": "loss:squared", "outputs": "any"}
    solution = rropt.design.kary(epsilon="log(3)", fast=True, **asked)
    assert str(solution.problem).endswith("proportions 1/2, 1/5, 1/10, 1/10, 1/10")
    assert solution.asked_ends() == dict.fromkeys(("value", "lower", "upper"), Fraction(993, 640))
    assert solution.found.guess(solution.problem) == tuple(map(Fraction, PRIOR))
    again = rropt.Problem.from_dict(solution.problem.to_dict())
    assert again == solution.problem
    assert hash(again.objective) == hash(solution.problem.objective)
    rows = sweep(rropt.design.kary, epsilon=["log(3)"], exact=True, fast=True, **{k: [v] for k, v in asked.items()})
    assert rows[0]["value"] == Fraction(993, 640)
    chi = rropt.design.kary(
        epsilon="log(3)", objective=rropt.objectives.ChiSquare(["1/2", "1/2"]), population=["3/8", "5/8"], fast=True
    )
    assert str(chi.problem).startswith("largest chi-square: ")
