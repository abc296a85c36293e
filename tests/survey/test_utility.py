"""Traces, covariances and losses against dense Kronecker products, exactly; random populations against draws."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import permutations
from math import prod

import numpy as np
import pytest
from few_rows import few_rows

from rropt.core.exact import Bracket
from rropt.inference import cell_variances, utility
from rropt.mechanisms import Mechanism, ProductMechanism, named_mechanism
from rropt.objectives import binary_variance, greenwood_loss, greenwood_moments, loss_bounds, spreads

F = Fraction
MIXED = "bits:generalised:9/10,3/4,grr:3,2/3,warner:1/6"  # two, three, two categories


def _bits(rng: random.Random, n: int) -> ProductMechanism:
    """Different bits that need not be bisymmetric; answer 1 may speak against truth 1."""
    bits = []
    while len(bits) < n:
        a, b = (F(rng.randint(0, 12), 12) for _ in range(2))
        if a + b != 1:
            bits.append(Mechanism.binary(a, b))
    return ProductMechanism(bits)


def _population(rng: random.Random, cells: int) -> list[F]:
    weights = [rng.randint(0, 6) for _ in range(cells)]
    weights[0] += 1
    weights[-1] += 1
    return [F(w, sum(weights)) for w in weights]


def _covariance(mechanism: ProductMechanism, population: list[F]) -> np.ndarray:
    """A diag(C pi) A^T - pi pi^T by its definition: fractions in dense matrices, the first question varying fastest."""
    whole = inverse = np.array([[F(1)]])
    for factor in mechanism.factors:
        rows = np.array(factor.matrix)
        whole = np.kron(rows, whole)
        inverse = np.kron(_inverse(rows), inverse)
    pi = np.array(population)
    return (inverse * (whole @ pi)) @ inverse.T - np.outer(pi, pi)


def _inverse(rows: np.ndarray) -> np.ndarray:
    size = len(rows)
    work = np.hstack([rows, np.array([[F(int(i == j)) for j in range(size)] for i in range(size)])])
    for column in range(size):
        pivot = next(i for i in range(column, size) if work[i, column])
        work[[column, pivot]] = work[[pivot, column]]
        work[column] = work[column] / work[column, column]
        for i in range(size):
            if i != column:
                work[i] = work[i] - work[i, column] * work[column]
    return work[:, size:]


def test_traces_and_covariances_are_those_of_dense_matrices(rng: random.Random) -> None:
    for mechanism in [*(_bits(rng, n) for n in (1, 2, 3, 3)), named_mechanism(MIXED)]:
        assert isinstance(mechanism, ProductMechanism)
        population = _population(rng, mechanism.inputs)
        dense, found = _covariance(mechanism, population), utility(mechanism, population=population)
        assert found.trace() == np.trace(dense) == sum(cell_variances(mechanism, population))
        assert found.loss() == np.trace(dense) / (1 - sum(p * p for p in population))
        for _ in range(10):
            x, y = (rng.randrange(mechanism.inputs) for _ in range(2))
            assert found.covariance(x, y) == dense[x, y]
        every = range(len(mechanism.factors))
        for _ in range(10):
            first, second = (
                {q: rng.randrange(mechanism.factors[q].inputs) for q in every if rng.random() < 0.5} for _ in range(2)
            )
            expected = sum(
                dense[x, y]
                for x in range(mechanism.inputs)
                for y in range(mechanism.inputs)
                if all(mechanism.digits(x)[q] == c for q, c in first.items())
                and all(mechanism.digits(y)[q] == c for q, c in second.items())
            )
            assert found.covariance(first, second) == expected


def test_the_trace_of_a_marginal_is_the_sum_of_its_variances(rng: random.Random) -> None:
    mechanism = named_mechanism(MIXED)
    population = _population(rng, 12)
    found = utility(mechanism, population=population)
    for questions in permutations(range(3), 2):
        cells = [{questions[0]: a, questions[1]: b} for a in range(3) for b in range(3)]
        inside = [
            c
            for c in cells
            if all(v < mechanism.factors[q].inputs for q, v in c.items())  # type: ignore[attr-defined]
        ]
        assert found.trace(questions) == sum(found.variance(cell) for cell in inside)
        assert found.squares(questions) == sum(found._share(cell) ** 2 for cell in inside)


def test_floats_and_other_populations_agree(rng: random.Random) -> None:
    mechanism = _bits(rng, 4)
    prevalences = [F(rng.randint(0, 5), 5) for _ in range(4)]
    product = [prod((p if x >> q & 1 else 1 - p) for q, p in enumerate(prevalences)) for x in range(16)]
    exact, alone = utility(mechanism, population=product), utility(mechanism, prevalences=prevalences)
    floats = utility(mechanism, population=[float(p) for p in product], exact=False)
    assert exact.trace() == alone.trace() == pytest.approx(floats.trace(), rel=1e-12)
    assert exact.trace([2, 0]) == alone.trace([0, 2]) == pytest.approx(floats.trace([2, 0]), rel=1e-12)
    assert exact.covariance(3, 9) == alone.covariance(3, 9) == pytest.approx(floats.covariance(3, 9), abs=1e-9)
    assert isinstance(floats.trace(), float)
    assert alone.marginal_variances() == tuple(
        binary_variance(bit.p00, bit.p11, p) for bit, p in zip(mechanism.factors, prevalences, strict=True)
    )
    assert utility(mechanism).trace() == utility(mechanism, population=[F(1, 16)] * 16).trace()


def test_bisymmetric_bits_have_the_trace_of_lemma_4_5(rng: random.Random) -> None:
    """A constant less |pi|^2: the uniform population is the worst."""
    mechanism = named_mechanism("bits:3/4,5/6,1/3")
    constant = prod((a * a + (1 - a) ** 2) / (2 * a - 1) ** 2 for a in (F(3, 4), F(5, 6), F(1, 3)))
    assert utility(mechanism).trace() == constant - F(1, 8)
    for _ in range(20):
        population = _population(rng, 8)
        found = utility(mechanism, population=population)
        assert found.trace() == constant - sum(p * p for p in population) <= utility(mechanism).trace()
        if max(population) < 1:
            assert loss_bounds(mechanism, found.squares()) == (found.loss(), found.loss())
            assert loss_bounds(mechanism)[0] <= found.loss()


def test_permuting_questions_changes_no_trace(rng: random.Random) -> None:
    mechanism = _bits(rng, 3)
    prevalences = [F(1, 5), F(1, 2), F(2, 3)]
    for order in permutations(range(3)):
        turned = ProductMechanism([mechanism.factors[q] for q in order])
        assert (
            utility(turned, prevalences=[prevalences[q] for q in order]).trace()
            == utility(mechanism, prevalences=prevalences).trace()
        )
        assert greenwood_loss(turned) == greenwood_loss(mechanism)


def test_a_transparent_bit_adds_nothing_to_the_marginals() -> None:
    found = utility(named_mechanism("bits:1,3/4"), prevalences=["1/4", "1/4"])
    assert found.marginal_variances()[0] == F(3, 16)
    assert utility(named_mechanism("bits:1*3")).loss() == 1
    assert loss_bounds(named_mechanism("bits:1*3")) == (1, 1)
    assert greenwood_loss(named_mechanism("bits:1*3")).band() == (1, 1)
    assert greenwood_loss(named_mechanism("warner:1")).band() == (1, 1)
    assert greenwood_loss(named_mechanism("warner:1")).mean_loss == Bracket(F(1), F(1))


def test_losses_of_random_populations_lie_within_the_bounds(rng: random.Random) -> None:
    for n in (1, 2, 3):
        mechanism = _bits(rng, n)
        for _ in range(20):
            found = utility(mechanism, population=_population(rng, 2**n))
            if found.squares() < 1:
                low, high = loss_bounds(mechanism, found.squares())
                assert loss_bounds(mechanism)[0] <= low <= found.loss() <= high
            assert all(x >= 1 for s in spreads(mechanism) for x in s)


@pytest.mark.parametrize(
    "name", ["bits:3/4*3", "bits:generalised:9/10,2/3,3/4,generalised:1,1/2"], ids=["equal", "other"]
)
def test_the_greenwood_loss_is_that_of_draws(name: str) -> None:
    """A mean of 10^5 draws, and its spread: within four standard errors; bands hold more than they promise."""
    mechanism = named_mechanism(name)
    rows = spreads(mechanism)
    average = np.ones(1)
    for s in rows:
        average = np.kron(np.array(s, float), average)
    draws = np.random.default_rng(7).dirichlet(np.ones(8), 100_000)
    squares = (draws**2).sum(axis=1)
    losses = (draws @ average - squares) / (1 - squares)
    found = greenwood_loss(mechanism)
    assert found.mean_loss is not None
    assert found.ratio is not None
    assert float(found.mean_square) == pytest.approx((average**2).mean())
    assert found.mean_loss.lower <= found.mean_loss.upper < found.mean_loss.lower * (1 + F(1, 10**6))
    assert abs(losses.mean() - float(found.mean_loss.lower)) < 4 * losses.std() / 100_000**0.5
    assert 1 <= found.ratio.lower < F(1007, 1000)
    assert float(found.loss_at_mean) == pytest.approx(
        (draws @ average - squares).mean() / (1 - squares).mean(), rel=5e-3
    )
    mean, variance = greenwood_moments(8)
    assert (float(mean), float(variance)) == pytest.approx((squares.mean(), squares.var()), rel=0.02)
    for confidence in ("1/2", "9/10", "0.97"):
        low, high = found.band(confidence)
        inside = (losses >= float(low)) & (True if high is None else losses <= float(high))
        assert inside.mean() >= float(F(confidence))


@few_rows(2)
@pytest.mark.parametrize("cells", [3, 4, 8])
def test_the_mean_inverse_holds_a_quadrature(cells: int) -> None:
    """E 1/(1-S): for 3 cells an integral of rational functions; else the fraction of draws, roughly."""
    device = named_mechanism("grr:3,2/3") if cells == 3 else named_mechanism(f"bits:3/4*{cells.bit_length() - 1}")
    found = greenwood_loss(device)
    assert found.mean_loss is not None
    low, high = ((x - 1) / (found.average - 1) for x in found.mean_loss)
    draws = np.random.default_rng(11).dirichlet(np.ones(cells), 400_000)
    rough = (1 / (1 - (draws**2).sum(axis=1))).mean()
    assert float(low) * 0.97 < rough < float(high) * 1.03
    if cells == 3:  # 1 - S = 2 (p (1-p) + (1-p)^2 t (1-t)), p the first share, t how the rest is shared
        p, t = ((np.arange(2000) + 0.5) / 2000 for _ in range(2))
        values = 2 * (1 - p)[:, None] / (2 * (p * (1 - p))[:, None] + 2 * ((1 - p) ** 2)[:, None] * (t * (1 - t)))
        assert float(low) - 1e-2 < values.mean() < float(high) + 1e-2


def test_the_mean_loss_of_one_bit_is_infinite() -> None:
    found = greenwood_loss(named_mechanism("warner:3/4"))
    assert found.mean_loss is None
    assert found.ratio is None
    assert found.band()[1] is None
    assert found.loss_at_mean == F(11, 2)


def test_sixty_four_questions_and_a_million_cells() -> None:
    many = utility(named_mechanism("bits:3/4*64"), prevalences=[F(1, 3)] * 64)
    assert many.trace([3, 60]) == F(25, 4) - F(25, 81)
    assert many.covariance({0: 1, 63: 0}, {0: 0, 5: 1}) == F(0) - F(2, 9) * F(2, 9) + F(-3, 4) * F(2, 3) * F(1, 3)
    assert greenwood_loss(named_mechanism("bits:3/4*64")).ratio.upper < 1 + F(1, 10**12)  # type: ignore[union-attr]
    rng = random.Random(3)
    mechanism = _bits(rng, 16)
    shares = np.random.default_rng(3).dirichlet(np.ones(2**16))
    joint = utility(mechanism, population=shares)
    rows = np.ones(1)
    for s in spreads(mechanism):
        rows = np.kron(np.array(s, float), rows)
    assert joint.trace() == pytest.approx(shares @ rows - shares @ shares, rel=1e-9)
