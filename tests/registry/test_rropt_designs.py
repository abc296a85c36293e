"""The entries about duals of designs at the library's own solutions, and against random mechanisms."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
import sympy as sp

import rropt
from rropt.mechanisms import Mechanism
from rropt.mechanisms.fisher_information import information_inverse
from rropt.objectives import AOptimality, ChiSquare, DOptimality, EOptimality, TotalVariation
from rropt.privacy import PrivacyRegion

GAMMA = Fraction(3)


def dot(left: Any, right: Any) -> Any:
    return sum((x * y for x, y in zip(left, right, strict=True)), Fraction(0))


def private(rng: random.Random, k: int, pairs: int, gamma: Fraction) -> Any:
    """Draw a mechanism of k inputs and two answers for each pair: a row between 1 and gamma, and what it leaves."""
    weights = [rng.randint(1, 9) for _ in range(pairs)]
    rows = []
    for weight in weights:
        whole = rng.random() < 0.5
        row = [1 + (gamma - 1) * (rng.randint(0, 1) if whole else Fraction(rng.randint(0, 4), 4)) for _ in range(k)]
        share = Fraction(weight, sum(weights)) / (1 + gamma)
        rows += [tuple(share * x for x in row), tuple(share * (1 + gamma - x) for x in row)]
    return tuple(rows)


def _solved(objective: Any, population: list[str]) -> tuple[Any, tuple[Fraction, ...], Any, Any]:
    """Return a solution of the library with its population and the alpha and W of its dual."""
    region = PrivacyRegion("log(3)", inputs=len(population), outputs="any")
    solution = rropt.solve(rropt.Problem(region, objective, population))
    proof = solution.certificate.proof
    vectors = [tuple(map(Fraction, w)) for w in proof["vectors"][0]]
    pi, alpha = tuple(map(Fraction, population)), tuple(map(Fraction, proof["alpha"]))
    matrix = tuple(zip(*vectors, strict=True))
    if "weights" in proof:  # W = sum of d_j w_j w_j^T, which is 0 along pi
        scaled = [[Fraction(d) * x for x in w] for d, w in zip(proof["weights"], vectors, strict=True)]
        matrix = tuple(tuple(dot(row, column) for column in zip(*scaled, strict=True)) for row in matrix)
        if isinstance(objective, DOptimality):  # and along pi, where M pi = 1: (r.pi)^2/(r.pi) is linear in r
            share = sum(alpha) / (len(pi) - 1)
            matrix = tuple(
                tuple(w + share * p * q for w, q in zip(row, pi, strict=True))
                for row, p in zip(matrix, pi, strict=True)
            )
            alpha = tuple(a + share * p for a, p in zip(alpha, pi, strict=True))
    return solution, pi, alpha, matrix


def _factors(matrix: Any) -> tuple[tuple[Fraction, ...], tuple[tuple[Fraction, ...], ...]]:
    lower, diagonal = sp.Matrix(matrix).LDLdecomposition(hermitian=False)
    rows = [[Fraction(str(x)) for x in row] for row in lower.tolist()]
    return tuple(Fraction(str(x)) for x in diagonal.diagonal()), tuple(map(tuple, rows))


def _regular(rng: random.Random, k: int, pi: Any) -> tuple[Mechanism, Any]:
    while True:
        mechanism = Mechanism(private(rng, k, 2, GAMMA))
        inverse = information_inverse(mechanism, pi)
        if inverse is not None:
            return mechanism, inverse


@pytest.mark.parametrize("population", [["1/3"] * 3, ["3/4", "1/4"]], ids=["equal", "two"])
def test_no_mechanism_has_a_larger_determinant(population: list[str], rng: random.Random) -> None:
    """The bound at the dual of the library's optimum is its own value, and above all random mechanisms."""
    solution, pi, alpha, w = _solved(DOptimality(), population)
    bound = (sum(alpha) / len(pi)) ** len(pi) / sp.prod(_factors(w)[0])

    def value(inverse: Any) -> Fraction:
        return 1 / Fraction(str(sp.Matrix(inverse).det()))

    best = value(information_inverse(solution.mechanism, pi))
    assert bound * (1 - Fraction(1, 10**9)) <= best <= bound
    for _ in range(20):
        assert value(_regular(rng, len(pi), pi)[1]) <= bound


@pytest.mark.parametrize("population", [["1/3"] * 3, ["3/4", "1/4"]], ids=["equal", "two"])
def test_no_estimate_has_a_shorter_axis(population: list[str], rng: random.Random) -> None:
    """tr W V at least (tr W)^2/sum alpha, for the library's dual: tight at its optimum."""
    solution, pi, alpha, w = _solved(EOptimality(), population)
    k, trace, total = len(pi), sum(w[j][j] for j in range(len(pi))), sum(alpha)
    inverse = information_inverse(solution.mechanism, pi)
    assert inverse is not None
    bound = trace**2 / total
    for place, own in enumerate([inverse, *(_regular(rng, k, pi)[1] for _ in range(10))]):
        covariance = [[x - p * q for x, q in zip(row, pi, strict=True)] for row, p in zip(own, pi, strict=True)]
        value = sum(dot(a, b) for a, b in zip(w, covariance, strict=True))
        assert bound <= value
        if place == 0:
            assert value <= bound * (1 + Fraction(1, 10**7))


def test_the_dual_of_the_library_holds_for_all_rows(rng: random.Random, size: Callable[[int, int], int]) -> None:
    """It was tested for the patterns; the rows are none, and not in order."""
    _, pi, alpha, w = _solved(AOptimality(), ["1/2", "3/10", "1/5"])
    columns = list(zip(*w, strict=True))
    least = Fraction(1)
    for _ in range(size(200, 5000)):
        row = [1 + (GAMMA - 1) * Fraction(rng.choice((0, rng.randint(0, 20), 20)), 20) for _ in pi]
        left, right = sum(dot(row, c) ** 2 for c in columns), dot(alpha, row) * dot(row, pi)
        assert left <= right
        least = min(least, (right - left) / right)
    assert least < Fraction(1, 1000)  # tight at patterns of the optimum


def test_mechanisms_within_bounds_are_not_better_than_their_cell(rng: random.Random) -> None:
    """Three answers of entries from 1/10 to 1/2 at gamma = 3: 3 at the least, by the duals of the format's page."""
    pi, objective, tried = (Fraction(1, 2),) * 2, AOptimality(), 0
    while tried < 30:
        first, second = (sorted(Fraction(rng.randint(10, 50), 100) for _ in range(2)) for _ in range(2))
        rows = [*zip(first, reversed(second), strict=True)]
        rows.append(tuple(1 - sum(column) for column in zip(*rows, strict=True)))
        mechanism = Mechanism(rows) if all(x >= Fraction(1, 10) for x in rows[-1]) else None
        if mechanism is None or max(map(max, rows)) > Fraction(1, 2) or mechanism.parity() > 3:
            continue
        if information_inverse(mechanism, pi) is None:
            continue
        tried += 1
        assert objective.value(mechanism, pi) >= 3


def test_rearranged_mechanisms_are_not_worse(rng: random.Random) -> None:
    """The efficient estimate of the orbits is at least as good, and not better than the library's optimum."""
    pi, objective = tuple(map(Fraction, ("1/4", "1/4", "1/2"))), AOptimality()
    region = PrivacyRegion("log(3)", inputs=3, outputs="any")
    optimum = rropt.solve(rropt.Problem(region, objective, pi))
    better = 0
    for _ in range(20):
        mechanism, _ = _regular(rng, 3, pi)
        ways = ((0, 1, 2), (1, 0, 2))
        rows = [[row[way[j]] / len(ways) for j in range(3)] for row in mechanism.matrix for way in ways]
        orbits_of_it, own = Mechanism(rows), objective.value(mechanism, pi)
        assert orbits_of_it.parity() == mechanism.parity()
        assert optimum.lower <= objective.value(orbits_of_it, pi) <= own
        better += objective.value(orbits_of_it, pi) < own
    assert better >= 10


@pytest.mark.slow
@pytest.mark.parametrize("objective", [TotalVariation, ChiSquare])
def test_no_mechanism_tells_two_populations_further_apart(objective: Any, rng: random.Random) -> None:
    """At the library's optimum the bound is attained; random mechanisms are below it."""
    first, second = (tuple(map(Fraction, row)) for row in (("1/2", "1/3", "1/6"), ("1/4", "1/4", "1/2")))
    region = PrivacyRegion("log(3)", inputs=3, outputs="any")
    solution = rropt.solve(rropt.Problem(region, objective(second), first))
    record = solution.certificate.to_dict()
    alpha = tuple(map(Fraction, record["proof"]["alpha"]))
    is_square = objective is ChiSquare
    if is_square:  # the inequality of the dual, for all patterns
        apart = [p - q for p, q in zip(first, second, strict=True)]
        assert all(dot(s, apart) ** 2 <= dot(alpha, s) * dot(s, second) for s in product((1, GAMMA), repeat=3))
    for place, rows in enumerate([solution.mechanism.matrix, *(private(rng, 3, 2, GAMMA) for _ in range(20))]):
        if is_square:
            bound = sum(alpha)
            value = sum((dot(row, first) - dot(row, second)) ** 2 / dot(row, second) for row in rows)
        else:
            bound = (GAMMA - 1) / (GAMMA + 1) * sum(abs(p - q) for p, q in zip(first, second, strict=True)) / 2
            value = sum(abs(dot(row, first) - dot(row, second)) for row in rows) / 2
        assert value == objective(second).value(Mechanism(rows), first)
        assert value <= bound
        if place == 0:
            assert value >= bound * (1 - Fraction(1, 10**9))
