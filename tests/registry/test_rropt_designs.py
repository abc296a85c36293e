"""The entries about duals of designs at the library's own solutions, and against random mechanisms."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
import sympy as sp

import rropt
from rropt.claims import find_claims
from rropt.mechanisms import Mechanism
from rropt.mechanisms.information import information_inverse
from rropt.objectives import AOptimality, ChiSquare, DOptimality, EOptimality, TotalVariation
from rropt.privacy import PrivacyRegion
from rropt_proofs.rropt import chi_square, cones, ellipsoid_axis, ellipsoid_volume, patterns
from rropt_proofs.rropt._designs import dot, private
from rropt_proofs.rropt._orbits import rearrangements

GAMMA = Fraction(3)
ENTRIES = ("cones", "ellipsoid-axis", "ellipsoid-volume", "orbits", "patterns")


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


def _estimates(mechanism: Mechanism, inverse: Any, pi: Any) -> Any:
    return tuple(tuple(dot(line, row) / dot(row, pi) for line in inverse) for row in mechanism.matrix)


@pytest.mark.parametrize("population", [["1/3"] * 3, ["3/4", "1/4"]], ids=["equal", "two"])
def test_no_mechanism_has_a_larger_determinant(population: list[str], rng: random.Random) -> None:
    """The bound at the dual of the library's optimum is its own value, and above all random mechanisms."""
    solution, pi, alpha, w = _solved(DOptimality(), population)
    d, g = _factors(w)
    case = {"pi": pi, "d": d, "G": g, "alpha": alpha, "odds": GAMMA}
    bound = ellipsoid_volume.theory({"case": case}).value
    best = ellipsoid_volume.computed({"case": {**case, "P": solution.mechanism.matrix}})
    assert bound * (1 - Fraction(1, 10**9)) <= best <= bound
    for _ in range(20):
        mechanism, inverse = _regular(rng, len(pi), pi)
        value = ellipsoid_volume.computed({"case": {**case, "P": mechanism.matrix}})
        assert value <= bound
        assert value * ellipsoid_volume.determinant(inverse) == 1


@pytest.mark.parametrize("population", [["1/3"] * 3, ["3/4", "1/4"]], ids=["equal", "two"])
def test_no_estimate_has_a_shorter_axis(population: list[str], rng: random.Random) -> None:
    """tr W V at least (tr W)^2/sum alpha, for the library's dual: tight at its optimum."""
    solution, pi, alpha, w = _solved(EOptimality(), population)
    d, f = _factors(w)
    k, trace, total = len(pi), sum(w[j][j] for j in range(len(pi))), sum(alpha)
    u = Fraction(trace, 1) / total
    scaled = {
        "d": d,
        "F": f,
        "G": tuple(tuple(u * x for x in row) for row in f),
        "alpha": tuple(u**2 * a for a in alpha),
    }
    inverse = information_inverse(solution.mechanism, pi)
    assert inverse is not None
    listed = [(solution.mechanism, inverse), *(_regular(rng, k, pi) for _ in range(10))]
    for place, (mechanism, own) in enumerate(listed):
        full = _estimates(mechanism, own, pi)
        estimates = tuple(tuple(dot(line, column) for column in zip(*f, strict=True)) for line in full)
        case = {**scaled, "pi": pi, "P": mechanism.matrix, "A": estimates, "v": Fraction(0)}
        point = {"case": {**case, **dict.fromkeys(("total", "w", "u"), Fraction(1))}}
        bound, value = ellipsoid_axis.theory(point)["variances"].value, ellipsoid_axis.computed(point)["variances"]
        assert bound == trace**2 / total
        covariance = [[x - p * q for x, q in zip(row, pi, strict=True)] for row, p in zip(own, pi, strict=True)]
        assert value == sum(dot(a, b) for a, b in zip(w, covariance, strict=True))
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
        order = sorted(row, reverse=True)
        found = patterns._made(order, GAMMA, pi, w, (Fraction(1),) * 3, alpha)
        mixed = [dot(found["c"], column) for column in zip(*found["rays"], strict=True)]
        assert mixed == order
        assert min(found["c"]) >= 0
    assert least < Fraction(1, 1000)  # tight at patterns of the optimum


def test_mechanisms_within_bounds_are_not_better_than_their_cell(rng: random.Random) -> None:
    """Three answers of entries from 1/10 to 1/2 at gamma = 3: 3 at the least, by the duals of the format's page."""
    page = cones._of_page()
    assert cones.theory({"case": page})["second moment"].value == Fraction(7, 2)
    assert cones.computed({"case": page})["second moment"] == Fraction(7, 2)
    pi, objective, tried = page["pi"], AOptimality(), 0
    while tried < 30:
        first, second = (sorted(Fraction(rng.randint(10, 50), 100) for _ in range(2)) for _ in range(2))
        rows = [*zip(first, reversed(second), strict=True)]
        rows.append(tuple(1 - sum(column) for column in zip(*rows, strict=True)))
        mechanism = Mechanism(rows) if all(x >= Fraction(1, 10) for x in rows[-1]) else None
        if mechanism is None or max(map(max, rows)) > Fraction(1, 2) or mechanism.parity() > 3:
            continue
        inverse = information_inverse(mechanism, pi)
        if inverse is None:
            continue
        tried += 1
        assert objective.value(mechanism, pi) >= 3
        case = {**page, "P": rows, "A": _estimates(mechanism, inverse, pi)}
        made = cones._made({**case, "up": page["up"], "down": page["down"]}, GAMMA)
        assert cones.computed({"case": made})["second moment"] == objective.value(mechanism, pi) + dot(pi, pi)
        assert cones.theory({"case": made})["second moment"].value <= cones.computed({"case": made})["second moment"]


def test_rearranged_mechanisms_are_not_worse(rng: random.Random) -> None:
    """The efficient estimate of the orbits is at least as good, and not better than the library's optimum."""
    group, pi, objective = (0, 0, 1), tuple(map(Fraction, ("1/4", "1/4", "1/2"))), AOptimality()
    region = PrivacyRegion("log(3)", inputs=3, outputs="any")
    optimum = rropt.solve(rropt.Problem(region, objective, pi))
    better = 0
    for _ in range(20):
        mechanism, _ = _regular(rng, 3, pi)
        ways = rearrangements(group)
        assert len(ways) == 2
        rows = [[row[way[j]] / len(ways) for j in range(3)] for row in mechanism.matrix for way in ways]
        orbits_of_it, own = Mechanism(rows), objective.value(mechanism, pi)
        assert orbits_of_it.parity() == mechanism.parity()
        assert optimum.lower <= objective.value(orbits_of_it, pi) <= own
        better += objective.value(orbits_of_it, pi) < own
    assert better >= 10


@pytest.mark.parametrize("name", ENTRIES)
def test_points_are_of_all_kinds(name: str, rng: random.Random) -> None:
    """Drawn cases are private, and those of one entry have different sizes."""
    claim, _ = find_claims([f"rropt.{name}"])[f"rropt.{name}"]
    draw = claim.variables["case"].draw
    assert draw is not None
    cases = [draw(rng) for _ in range(12)]
    assert len({len(case.get("share", case.get("pi", ()))) for case in cases}) >= 2
    for case in cases:
        rows = case.get("P", [case.get("p")])
        assert all(min(row) > 0 for row in rows)
        if len(rows) > 1:
            assert all(sum(column) == 1 for column in zip(*rows, strict=True))


@pytest.mark.parametrize("objective", [TotalVariation, ChiSquare])
def test_no_mechanism_tells_two_populations_further_apart(objective: Any, rng: random.Random) -> None:
    """At the library's optimum the bound is attained; random mechanisms are below it."""
    first, second = (tuple(map(Fraction, row)) for row in (("1/2", "1/3", "1/6"), ("1/4", "1/4", "1/2")))
    region = PrivacyRegion("log(3)", inputs=3, outputs="any")
    solution = rropt.solve(rropt.Problem(region, objective(second), first))
    record = solution.certificate.to_dict()
    alpha = tuple(map(Fraction, (record["proof"] if "proof" in record else record["witness"]["dual"])["alpha"]))
    is_square = objective is ChiSquare
    for place, rows in enumerate([solution.mechanism.matrix, *(private(rng, 3, 2, GAMMA) for _ in range(20))]):
        if is_square:
            case = {**chi_square._made(first, second, rows, GAMMA, (Fraction(0),) * 3), "alpha": alpha}
            assert chi_square.holds({"case": case})
            bound, value = chi_square.theory({"case": case}).value, chi_square.computed({"case": case})
        else:
            bound = (GAMMA - 1) / (GAMMA + 1) * sum(abs(p - q) for p, q in zip(first, second, strict=True)) / 2
            value = sum(abs(dot(row, first) - dot(row, second)) for row in rows) / 2
        assert value == objective(second).value(Mechanism(rows), first)
        assert value <= bound
        if place == 0:
            assert value >= bound * (1 - Fraction(1, 10**9))
