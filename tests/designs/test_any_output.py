"""Two inputs, any number of answers, (epsilon, delta): four answers against other programs and laws."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations, product
from math import factorial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sympy
from later import later

import rropt
from rropt.core.errors import InfeasibleError
from rropt.estimates import estimates_of_counts
from rropt.mechanisms import Mechanism
from rropt.mechanisms.fisher_information import fisher_information
from rropt.mechanisms.left_inverse import left_inverse
from rropt.objectives import AOptimality, EstimatorVariance
from rropt.privacy import PrivacyRegion
from rropt.privacy.criteria import rho_to_rho
from rropt.privacy.criterion_region import CriterionRegion

linprog = later("scipy.optimize", "linprog")

F = Fraction


def four(gamma: Fraction, delta: Fraction) -> Mechanism:
    """Return the mechanism, written down again."""
    c = (1 - delta) / (1 + gamma)
    return Mechanism([[delta, 0], [c * gamma, c], [c, c * gamma], [0, delta]])


def information(gamma: Any, delta: Any, pi: Any) -> Any:
    """Return the formula."""
    spread = pi * (1 - pi)
    return delta / spread + (1 - delta) * (gamma - 1) ** 2 / (gamma + (gamma - 1) ** 2 * spread)


def random_mechanism(rng: random.Random, gamma: Fraction, delta: Fraction) -> Mechanism:
    """Return an (epsilon, delta) mechanism of at most six answers: a mixture that meets the definition exactly.

    Any mechanism mixed with answers that reveal nothing has excesses that fall to 0: the largest share that is private.
    """
    while True:
        m = rng.randint(1, 5)
        columns = [[F(rng.choice((0, 0, 1, 2, rng.randint(1, 50)))) for _ in range(m)] for _ in range(2)]
        if all(map(sum, columns)) and columns[0] != columns[1]:
            break
    rows = [[a / sum(columns[0]), b / sum(columns[1])] for a, b in zip(*columns, strict=True)]
    share = F(1)
    for j in (0, 1):  # the excess of share * P + (1 - share) * nothing is at most share times that of P
        excess = sum(max(row[j] - gamma * row[1 - j], F(0)) for row in rows)
        share = min(share, delta / excess) if excess else share
    if share == 1 or rng.random() < 0.5:
        return Mechanism([*([share * x for x in row] for row in rows), [1 - share] * 2])
    mixed = four(gamma, delta)  # or the best one, its answers confused
    kernel = [[F(rng.choice((0, 0, 1, 5))) for _ in range(6)] for _ in range(4)]
    sums = [sum(row) or F(1) for row in kernel]
    kernel = [row if any(row) else [F(1), *row[1:]] for row in kernel]
    return Mechanism([[sum(kernel[y][i] / sums[y] * mixed[y, j] for y in range(4)) for j in (0, 1)] for i in range(6)])


def kernel_of(mechanism: Mechanism, gamma: Fraction, delta: Fraction) -> list[list[Fraction]]:
    """Return C with ``mechanism = C four(gamma, delta)``, gamma > 1, 0 < delta < 1: ``rropt.garbling-of-four``."""
    rows = [(row[0], row[1]) for row in mechanism.matrix]
    sums = [sum(max(r[j] - gamma * r[1 - j], F(0)) for r in rows) for j in (0, 1)]
    if sums[0] > sums[1]:
        turned = kernel_of(Mechanism([r[::-1] for r in rows]), gamma, delta)
        return [row[::-1] for row in turned]
    e, f = sums
    found = []
    for a, b in rows:
        x, y = min(a, gamma * b), min(b, gamma * a)
        theta = (f - e) / (1 - e - (1 - f) / gamma)
        kappa = (1 - delta) / (1 - f)
        x, y = kappa * ((1 - theta) * x + theta * y / gamma), kappa * y
        unit = (1 - delta) * (gamma - 1)
        found.append([(a - x) / delta, (gamma * x - y) / unit, (gamma * y - x) / unit, (b - y) / delta])
    return found


@pytest.mark.parametrize("answers", [3, 6])
def test_no_program_over_grids_of_answers_is_better(answers: int, size: Callable[[int, int], int]) -> None:
    """SciPy over rows in many directions, as a mechanism of many answers: the information is what the formula says."""
    rng = np.random.default_rng(answers)
    for _ in range(size(6, 300)):
        gamma, delta, pi = 1 + rng.exponential(), rng.uniform(0, 1), rng.uniform(0.01, 0.99)
        t = np.concatenate([np.linspace(0, 1, 40 * answers), [1 / (1 + gamma), gamma / (1 + gamma)]])
        a, b = 1 - t, t
        costs = (b - a) ** 2 / (a * (1 - pi) + b * pi)
        beyond = np.maximum([a - gamma * b, b - gamma * a], 0)
        found = linprog(-costs, A_ub=beyond, b_ub=[delta] * 2, A_eq=[a, b], b_eq=[1, 1])
        assert -found.fun == pytest.approx(information(gamma, delta, pi), rel=1e-7)


def test_random_mechanisms_are_garblings_and_never_better(rng: random.Random, size: Callable[[int, int], int]) -> None:
    """The explicit kernel: nonnegative, columns of sum 1, the product is the mechanism, exactly."""
    count = near = turned = 0
    while count < size(150, 10_000):
        gamma = F(rng.randint(11, 60), 10)
        delta = F(rng.randint(1, 99), 100)
        mechanism = random_mechanism(rng, gamma, delta)
        assert PrivacyRegion(f"log({gamma})", delta, outputs="any").contains(mechanism)
        kernel, source = kernel_of(mechanism, gamma, delta), four(gamma, delta)
        assert min(map(min, kernel)) >= 0
        assert [sum(column) for column in zip(*kernel, strict=True)] == [1] * 4
        for row, made in zip(mechanism.matrix, kernel, strict=True):
            assert [sum(c * source[y, j] for y, c in enumerate(made)) for j in (0, 1)] == list(row)
        pi = F(rng.randint(1, 99), 100)
        own, best = fisher_information(mechanism, pi), information(gamma, delta, pi)
        assert own is not None
        assert own <= best
        near += own > best / 2
        turned += own < best
        count += 1
    assert near > count // 20
    assert turned > count // 2


def test_compare_certifies_the_garbling() -> None:
    best = rropt.solve(rropt.Problem.binary("1/3", epsilon="log(3)", delta="1/5", outputs="any")).mechanism
    for other in (
        Mechanism.binary("4/5", "4/5"),
        Mechanism.binary("1", "1/5"),
        Mechanism([["1/5", 0], ["3/5", "3/5"], ["1/5", "2/5"]]),
    ):
        assert PrivacyRegion("log(3)", "1/5", outputs="any").contains(other)
        relation = rropt.compare(best, other, fast=True)
        assert str(relation.relation) == "better"


def test_strictly_better_than_two_answers_and_equal_at_the_ends(rng: random.Random) -> None:
    for _ in range(12):
        delta, pi = (F(rng.randint(1, 99), 100) for _ in range(2))
        parts = {"epsilon": f"log({F(rng.randint(11, 60), 10)})", "prevalence": pi}
        best = rropt.solve(rropt.Problem.binary(delta=delta, outputs="any", **parts), fast=True)
        two = rropt.solve(rropt.Problem.binary(delta=delta, **parts), fast=True)
        assert best.value < two.value
        for end in (0, 1):
            best = rropt.solve(rropt.Problem.binary(delta=end, outputs="any", **parts), fast=True)
            assert best.value == rropt.solve(rropt.Problem.binary(delta=end, **parts), fast=True).value
            assert best.mechanism.outputs == 2
    assert rropt.solve(rropt.Problem.binary(0, epsilon="1", delta="1/9")).value == 0
    ends = [rropt.solve(rropt.Problem.binary(0, epsilon="1", outputs=m)) for m in (2, "any")]
    assert ends[0].mechanism == Mechanism(ends[1].mechanism.matrix)


def test_n_var_is_that_of_the_locally_best_unbiased_estimator(rng: random.Random) -> None:
    """At every n: one answer has the variance 1/I at its own guess, and is unbiased at every other prevalence."""
    for _ in range(8):
        gamma, delta, pi = F(rng.randint(11, 60), 10), F(rng.randint(1, 99), 100), F(rng.randint(1, 99), 100)
        mechanism = four(gamma, delta)
        weights = left_inverse(mechanism, (1 - pi, pi))[1]
        for other in (F(0), F(1, 3), pi):
            chances = mechanism.apply([1 - other, other])
            assert sum(w * c for w, c in zip(weights, chances, strict=True)) == other
        chances = mechanism.apply([1 - pi, pi])
        variance = sum(w * w * c for w, c in zip(weights, chances, strict=True)) - pi**2
        assert variance == EstimatorVariance().value(mechanism, (1 - pi, pi)) == 1 / information(gamma, delta, pi)
        assert 2 * variance == AOptimality().value(mechanism, (1 - pi, pi))


def test_values_of_other_mechanisms() -> None:
    value = EstimatorVariance().value
    halves = Mechanism([["3/8", "1/8"], ["3/8", "1/8"], ["1/4", "3/4"]])
    assert value(halves, ["3/5", "2/5"]) == value(Mechanism.binary("3/4", "3/4"), ["3/5", "2/5"])
    assert value(four(F(2), F(1, 4)), [1, 0]) == 0
    with pytest.raises(InfeasibleError, match="columns must differ"):
        value(Mechanism([["1/3"] * 2] * 3), ["1/2", "1/2"])


def test_under_a_criterion() -> None:
    region = CriterionRegion(rho_to_rho("1/5", "1/2"), outputs="any")
    solution = rropt.solve(rropt.Problem(region, EstimatorVariance(), ["3/4", "1/4"]))
    assert solution.value == rropt.solve(rropt.Problem.binary("1/4", epsilon="log(4)")).value
    (level,) = solution.certificate.problem["levels"]
    assert set(level["epsilon"]) == {"up", "down"}


def test_the_command_line(
    cli_json: Callable[..., dict], cli: Callable[..., tuple[int, str, str]], tmp_path: Path
) -> None:
    proof, page, made = (str(tmp_path / name) for name in ("proof.json", "page.html", "made.json"))
    line = ("design", "binary", "--epsilon", "log(2)", "--delta", "1/4", "--prevalence", "1/4", "--outputs", "any")
    data = cli_json(*line, "--certificate", proof, "--report", page, "--output", made, "--n", "100")
    assert data["value"] == data["lower"] == data["upper"] == "105/176"
    assert data["mechanism"]["matrix"] == [["1/4", "0"], ["1/2", "1/4"], ["1/4", "1/2"], ["0", "1/4"]]
    assert rropt.check(proof)
    for file in (proof, made):
        estimate = cli_json("estimate", "--counts", "20,40,30,10", "--mechanism", file)
        assert 0 < F(estimate["rows"][0]["most_likely"]) < 1
    status, _, error = cli(*line[:-4], "--prevalence", "1/4..1/2", "--outputs", "any")
    assert status == 2
    assert "one prevalence" in error


@pytest.mark.slow
def test_three_answers_by_theorem_and_by_all_vertices(rng: random.Random, size: Callable[[int, int], int]) -> None:
    """Between two and four answers, private, and of the same value by both routes, at every kind of level."""
    levels = [("0", "1/5", "1/3"), ("1/2", "exp(-3)", "1/50")]
    levels += [("1", "0", "1/2"), ("log(3)", "1", "1/7")] if size(0, 1) else []
    for _ in range(size(1, 40)):
        levels.append((f"log({F(rng.randint(11, 60), 10)})", F(rng.randint(1, 99), 100), F(rng.randint(1, 99), 100)))
    for epsilon, delta, pi in levels:
        parts = {"epsilon": epsilon, "delta": delta, "prevalence": pi}
        three = rropt.solve(rropt.Problem.binary(outputs=3, **parts))
        assert list(three.routes) == ["closed-form", "exact"]
        assert three.routes["closed-form"].upper == three.routes["exact"].upper == three.value
        assert three.mechanism.shape == (3, 2)
        assert three.problem.region.contains(three.mechanism)
        four_best = rropt.solve(rropt.Problem.binary(outputs="any", **parts), routes="closed-form")
        assert three.is_closed
        assert four_best.lower <= three.lower <= three.upper
        assert four_best.value <= three.value
        two = rropt.solve(rropt.Problem.binary(**parts), routes="closed-form").value if epsilon != "0" else None
        assert two is None or three.value <= two
        form = three.to_sympy().form.at().evalf(30)
        assert float(form / sympy.Rational(three.value)) == pytest.approx(1, abs=1e-12)


def test_no_mechanism_of_three_answers_is_better(rng: random.Random, size: Callable[[int, int], int]) -> None:
    """Random private ones, the four answers confused among them."""
    near = 0
    for _ in range(size(4, 60)):
        gamma, delta, pi = F(rng.randint(11, 60), 10), F(rng.randint(1, 99), 100), F(rng.randint(1, 99), 100)
        problem = rropt.Problem.binary(pi, epsilon=f"log({gamma})", delta=delta, outputs=3)
        best = rropt.solve(problem, routes="closed-form", fast=True).value
        for _ in range(20):
            rows = random_mechanism(rng, gamma, delta).matrix
            places = [rng.randrange(3) for _ in rows]
            sums = [[sum(r[j] for r, y in zip(rows, places, strict=True) if y == i) for j in (0, 1)] for i in range(3)]
            own = fisher_information(Mechanism(sums), pi)
            assert own is not None
            assert own * best <= 1
            near += 2 * own * best > 1
    assert near


@pytest.mark.slow
def test_three_answers_on_the_command_line(cli_json: Callable[..., dict], cli: Callable[..., tuple]) -> None:
    line = ("design", "binary", "--epsilon", "log(2)", "--delta", "1/4", "--outputs", "3", "--prevalence")
    data = cli_json(*line, "1/4")
    assert (data["value"], data["lower"]) == ("5/8", "5/8")
    assert data["mechanism"]["matrix"] == [["3/4", "1/4"], ["1/4", "1/2"], ["0", "1/4"]]
    assert rropt.check(data["certificate"])
    assert "the best of six ways to merge two of four outputs" in cli(*line, "1/4")[1]
    status, _, error = cli(*line, "1/4..1/2")
    assert status == 2
    assert "--outputs 3 belongs to a single prevalence" in error


def test_estimates_from_four_answers_at_every_n(rng: random.Random, size: Callable[[int, int], int]) -> None:
    """Over all answers of n respondents: the unbiased estimator's mean and variance, and the most likely prevalence."""
    gamma, delta, pi, n = F(3), F(1, 5), F(1, 3), size(3, 8)
    mechanism = four(gamma, delta)
    chances = mechanism.apply([1 - pi, pi])
    mean = square = whole = F(0)
    for counts in product(range(n + 1), repeat=4):
        if sum(counts) != n:
            continue
        weight = F(factorial(n))
        for chance, count in zip(chances, counts, strict=True):
            weight *= chance**count / factorial(count)
        found = rropt.inference.estimate(mechanism, counts, reference=[1 - pi, pi])
        whole, mean = whole + weight, mean + weight * found.prevalence
        square += weight * found.prevalence**2
        best = most_likely(counts, gamma)
        assert float(found.constrained_estimate[1]) == pytest.approx(best, abs=1e-8)
    assert (whole, mean) == (1, pi)
    assert n * (square - mean**2) == 1 / information(gamma, delta, pi)


def most_likely(counts: tuple[int, ...], gamma: Fraction) -> float:
    """Return the root in [0, 1] of the derivative of the log-likelihood, a cubic, or the better end."""
    x, g = np.polynomial.Polynomial([0, 1]), float(gamma)
    factors = [1 - x, g - (g - 1) * x, 1 + (g - 1) * x, x]
    score = sum(
        (c * f.deriv() * np.prod([h for j, h in enumerate(factors) if j != i]))
        for i, (c, f) in enumerate(zip(counts, factors, strict=True))
    )
    ends = [r.real for r in np.atleast_1d(score.roots()) if abs(r.imag) < 1e-9 and 0 <= r.real <= 1] + [0.0, 1.0]

    def value(at: float) -> float:
        terms = [(c, f(at)) for c, f in zip(counts, factors, strict=True) if c]
        return sum(c * np.log(v) for c, v in terms) if min(v for _, v in terms) > 0 else -np.inf

    return max(ends, key=value)


def test_the_efficient_estimate_of_four_answers(rng: random.Random) -> None:
    """Its variance is 1/(n I) at the most likely prevalence, its interval is around that, and both come back."""
    for _ in range(5):
        gamma, delta = F(rng.randint(11, 60), 10), F(rng.randint(1, 99), 100)
        counts = [rng.randint(1, 500) for _ in range(4)]
        counted = rropt.inference.estimate(four(gamma, delta), counts)
        survey, covariance = estimates_of_counts(counted, confidence="0.9"), counted.efficient_covariance()
        share, n = counted.constrained_estimate[1], sum(counts)
        assert covariance is not None
        (a, b), (c, d) = covariance
        assert a == d == -b == -c == 1 / (n * information(gamma, delta, share))
        interval = survey.rows[0].conf_int(confidence="0.9", kind="efficient")
        half = pytest.approx(1.6448536269514722 * float(d) ** 0.5, rel=1e-9)
        assert share in interval
        assert interval.lower == 0 or float(share - interval.lower) == half
        assert interval.upper == 1 or float(interval.upper - share) == half
        assert type(survey).from_json(survey.to_json()) == survey
    two = estimates_of_counts(rropt.inference.estimate(Mechanism.binary("3/4", "3/4"), [40, 60]))
    assert "efficient" not in two.rows[0].kinds
    end = rropt.inference.estimate(four(F(2), F(1, 4)), [5, 5, 0, 0])  # prevalence 0: nobody says 3
    assert end.efficient_covariance() is None
    assert "efficient" not in estimates_of_counts(end).rows[0].kinds


def test_the_covariance_of_three_categories_is_the_inverse_information() -> None:
    """Subset selection, 6 answers to 4 categories: against numpy at the most likely distribution."""
    rows = [[F(3) if j in pair else F(1) for j in range(4)] for pair in combinations(range(4), 2)]
    mechanism = Mechanism([[x / 12 for x in row] for row in rows])
    counted = rropt.inference.estimate(mechanism, [60, 50, 40, 45, 30, 25])
    survey = estimates_of_counts(counted, contrast=[1, 0, 0, -1])
    pi = np.array(counted.constrained_estimate, float)
    p = np.array(mechanism.matrix, float)
    expected = (np.linalg.inv(p.T @ np.diag(1 / (p @ pi)) @ p) - np.outer(pi, pi)) / 250
    assert np.array(counted.efficient_covariance(), float) == pytest.approx(expected, rel=1e-9)
    c = np.array([1, 0, 0, -1])
    low, high = map(float, survey.rows[0].conf_int(kind="efficient"))
    assert (high - low) / 2 / 1.959963984540054 == pytest.approx((c @ expected @ c) ** 0.5, rel=1e-9)
