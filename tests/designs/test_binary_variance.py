"""The binary design: routes against each other, brute force, the paper's example, and restatements."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction

import mpmath
import pytest
from few_rows import few_rows
from support.binary_designs import private_designs

import rropt
from rropt.core.errors import RouteDisagreementError
from rropt.core.exact import Delta, Epsilon
from rropt.designs.routes import DecidedDesigns, require_agreement
from rropt.objectives import binary_variance

F = Fraction
EXACT = ["closed-form", "exact"]
PROMISED_GAP = F(1, 10**12)  # what the project promises at irrational gamma


def _solve(epsilon: str, delta: str, pi: str, family: str = "all") -> rropt.designs.Solution:
    problem = rropt.Problem.binary(pi, epsilon=epsilon, delta=delta, symmetric=family == "warner")
    return rropt.solve(problem, routes=EXACT)


def _designs(solution: rropt.designs.Solution) -> list[tuple[Fraction, Fraction]]:
    return [(mechanism.p00, mechanism.p11) for mechanism in solution.optima]


@pytest.mark.slow
def test_routes_agree_and_nothing_is_better(rng: random.Random, parameters, size: Callable[[int, int], int]) -> None:
    """Random points on and off the boundaries: routes agree (solve checks), and a rational search finds no better."""
    points = searched = exact = ties = irrational = 0
    for _ in range(size(80, 10_000)):
        epsilon, delta, pi = parameters(rng)
        family = "warner" if rng.random() < 0.15 else "all"
        solution = _solve(epsilon, delta, pi, family)
        region = solution.problem.region
        assert solution.certificate.check()
        assert set(solution.routes) == set(EXACT)
        assert solution.lower <= solution.upper == solution.value
        for mechanism in solution.optima:
            assert region.contains(mechanism)
            assert mechanism.p00 + mechanism.p11 > 1
            value = binary_variance(mechanism.p00, mechanism.p11, F(pi))
            assert solution.lower <= value
            assert value - solution.lower <= PROMISED_GAP * min(F(1), max(value, F(1, 10**30)))
        if region.epsilon.gamma is not None and region.delta.rational is not None:
            assert solution.gap == 0
            exact += 1
        else:
            irrational += 1
        inside = region.bracket(30).below  # designs of the region itself, up to its edges if the level is rational
        for a, b in private_designs(rng, inside.gamma, inside.delta, 12):
            if family == "warner":
                a = b = min(a, b)
            if a + b > 1:
                assert binary_variance(a, b, F(pi)) >= solution.lower
                searched += 1
        ties += len(solution.optima) > 1
        points += 1
    assert points >= size(80, 10_000)
    assert searched >= size(700, 9000)
    assert min(exact, irrational, ties) >= size(4, 50)


def test_three_optima_tie() -> None:
    """pi = 1/2 = g: both corners and the diagonal; gamma = x solves 2 delta (x + delta) = (x + 2 delta - 1)^2."""
    found = 0  # small rational deltas at which that x is rational
    for numerator in range(1, 40):
        for denominator in range(numerator + 1, 41):
            delta = F(numerator, denominator)
            # x^2 + x (2 delta - 2) + (2 delta - 1)^2 - 2 delta^2 = 0
            half = 1 - delta
            square = half * half - (2 * delta - 1) ** 2 + 2 * delta**2
            root = _rational_root(square)
            if root is None or half + root <= 1:
                continue
            gamma = half + root
            solution = _solve(f"log({gamma})", str(delta), "1/2")
            diagonal = (gamma + delta) / (gamma + 1)
            assert _designs(solution) == [(delta, F(1)), (diagonal, diagonal), (F(1), delta)]
            found += 1
    assert found >= 1


def _rational_root(square: Fraction) -> Fraction | None:
    from math import isqrt

    if square < 0:
        return None
    root = F(isqrt(square.numerator), isqrt(square.denominator))
    return root if root * root == square else None


@pytest.mark.parametrize(("pi", "after", "through"), [("0", (1, 0), (1, F(1, 4))), ("1", (0, 1), (F(1, 4), 1))])
def test_everything_on_an_edge_is_optimal_at_the_ends(pi: str, after: tuple, through: tuple) -> None:
    solution = _solve("log(2)", "1/4", pi)
    assert solution.value == 0
    assert solution.optimal_set is not None
    assert (solution.optimal_set.after, solution.optimal_set.through) == (after, through)
    for share in (F(1, 100), F(1, 2), F(1)):
        a, b = (x + share * (y - x) for x, y in zip(after, through, strict=True))
        assert binary_variance(a, b, F(pi)) == 0
        assert solution.problem.region.contains(rropt.Mechanism.binary(a, b))
    assert _solve("log(2)", "0", pi).optimal_set is None
    assert _solve("log(2)", "1/4", pi, "warner").optimal_set is None


@pytest.mark.slow
def test_metamorphic(rng: random.Random, parameters, size: Callable[[int, int], int]) -> None:
    """Swapping the categories mirrors the design; more privacy never lowers the variance; Warner is never better."""
    points = 0
    for _ in range(size(20, 60)):
        epsilon, delta, pi = parameters(rng)
        solution = _solve(epsilon, delta, pi)
        mirrored = _solve(epsilon, delta, str(1 - F(pi)))
        assert sorted(design[::-1] for design in _designs(mirrored)) == _designs(solution)
        assert (mirrored.lower, mirrored.upper) == (solution.lower, solution.upper)
        assert _solve(epsilon, delta, pi, "warner").upper >= solution.lower
        looser = _solve("10", delta, pi)
        assert looser.lower <= solution.upper
        again = rropt.Problem.from_json(solution.problem.to_json())
        assert rropt.solve(again, fast=True).optima == solution.optima
        points += 1
    assert points == size(20, 60)


def test_disagreeing_routes_are_named() -> None:
    problem = rropt.Problem.binary("1/2", epsilon="log(2)")
    design = (rropt.Mechanism.binary("2/3", "2/3"),)
    good = DecidedDesigns(F(1), F(1), design)
    with pytest.raises(RouteDisagreementError, match="left and right"):
        require_agreement({"left": good, "right": DecidedDesigns(F(2), F(2), design)}, problem)
    other = DecidedDesigns(F(1), F(1), (rropt.Mechanism.binary(1, 1),))
    with pytest.raises(RouteDisagreementError, match="optimal designs"):
        require_agreement({"left": good, "right": other}, problem)


def test_a_solution_prints_itself() -> None:
    solution = _solve("log(2)", "1/4", "1/4")
    assert "15/16 = 0.9375" in str(solution)
    assert "accepted" in str(solution)
    assert "15/16" in solution._repr_html_()
    assert "0.9375" in repr(solution)


@pytest.mark.slow
def test_irrational_brackets_hold_the_truth(rng: random.Random, size: Callable[[int, int], int]) -> None:
    """Against the least of the three candidate values at 80 digits, computed from the design, not from the formulas."""
    points = 0
    for _ in range(size(50, 3000)):
        epsilon = rng.choice(
            [str(F(rng.randint(1, 400), 100)), f"log({rng.randint(2, 9)})/{rng.randint(2, 7)}", "1e-9"]
        )
        delta = rng.choice(["0", str(F(rng.randint(1, 19), 20)), f"exp(-{rng.randint(1, 25)})"])
        pi = F(rng.randint(0, 20), 20)
        solution = _solve(epsilon, delta, str(pi))
        with mpmath.workdps(80):
            level = Epsilon.of(epsilon)
            log = mpmath.log(mpmath.mpf(level.base.numerator) / level.base.denominator)
            times = mpmath.mpf(level.times.numerator) / level.times.denominator
            gamma = mpmath.exp(times if level.kind == "rational" else times * log)
            exact = Delta.of(delta)
            given = exact.exponent if exact.rational is None else exact.rational
            slack = mpmath.mpf(given.numerator) / given.denominator
            slack = mpmath.exp(slack) if exact.rational is None else slack
            share = mpmath.mpf(pi.numerator) / pi.denominator
            diagonal = (gamma + slack) / (gamma + 1)
            values = []
            for a, b in ((diagonal, diagonal), (1, slack), (slack, 1)):
                if a + b > 1:
                    yes = (1 - share) * (1 - a) + share * b
                    values.append(yes * (1 - yes) / (a + b - 1) ** 2)
            truth, slop = min(values), mpmath.mpf(10) ** -60  # of 80 digits, 20 are left to cancellation
            assert mpmath.mpf(solution.lower.numerator) / solution.lower.denominator <= truth * (1 + slop) + slop
            assert truth <= (mpmath.mpf(solution.upper.numerator) / solution.upper.denominator) * (1 + slop) + slop
        assert solution.gap < PROMISED_GAP
        points += 1
    assert points >= 50


@few_rows(3)
@pytest.mark.parametrize("digits", [20, 26, 30, 60, 300])
def test_near_ties_at_irrational_levels_are_decided(digits: int) -> None:
    """pi within 10^-digits of g: the bracket is refined until the tie is decided, which it is: g is irrational."""
    delta = F(1, 10)
    gamma, _ = Epsilon.of(1).gamma_bracket(400)
    g = delta * (gamma + delta) / (gamma + 2 * delta - 1) ** 2
    below = F(int(g * 10**digits), 10**digits)
    for pi, corner in ((below, True), (below + F(1, 10**digits), False)):
        solution = _solve("1", "1/10", str(pi))
        assert solution.certificate.check()
        assert len(solution.optima) == 1
        assert (solution.mechanism.p00 == 1) is corner


def test_routes_are_one_text_as_on_the_command_line() -> None:
    found = rropt.design.binary("1/4", epsilon="log(3)", routes="closed-form, exact")
    assert [*found.routes] == ["closed-form", "exact"]
