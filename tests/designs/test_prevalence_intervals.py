"""Designs over an interval of prevalences: theorems against brute force in rationals, boundaries, restatements."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from fractions import Fraction

import pytest
from every_case import every_case
from hypothesis import given
from hypothesis import strategies as st
from support.binary_designs import private_designs

import rropt
from rropt.core.errors import InfeasibleError, InvalidParameterError, UnsupportedProblemError
from rropt.core.exact import Delta, Epsilon, ExactReal
from rropt.core.exact.reals import Quotient
from rropt.designs.prevalence_intervals import (
    IntervalDesign,
    IntervalSolution,
    PrevalenceInterval,
    solve_over_interval,
)
from rropt.designs.two_inputs import solve_closed_form
from rropt.objectives import binary_variance

F = Fraction
GAP = F(1, 10**12)


def _solve(epsilon: object, delta: object, interval: object, family: str = "all") -> IntervalSolution:
    return solve_over_interval(rropt.privacy.PrivacyRegion(epsilon, delta, family=family), interval, fast=True)


def _designs(solution: IntervalSolution) -> list[IntervalDesign]:
    return [*solution.candidates, *([solution.hedge] if solution.hedge else [])]


def _best(gamma: Fraction, delta: Fraction, pi: Fraction, family: str = "all") -> Fraction:
    """The optimum at one prevalence, by another route."""
    problem = rropt.Problem.binary(pi, epsilon=Epsilon.of_gamma(gamma), delta=delta, symmetric=family == "warner")
    return solve_closed_form(problem, problem.region.bracket(10)).lower


def _grid(low: Fraction, high: Fraction, steps: int) -> list[Fraction]:
    return [low + (high - low) * F(i, steps) for i in range(steps + 1)]


def _random_level(rng: random.Random) -> tuple[Fraction, Fraction]:
    gamma = rng.choice([F(1), 1 + F(rng.randint(1, 60), 12), 1 + F(rng.randint(1, 60), 12)])
    delta = rng.choice([F(0), F(1), F(rng.randint(1, 19), 20), F(rng.randint(1, 19), 20), F(1, 1000)])
    return (gamma, delta) if (gamma, delta) != (1, 0) else (F(1), F(1, 2))


def _random_interval(rng: random.Random) -> tuple[Fraction, Fraction]:
    low, high = sorted((F(rng.randint(0, 24), 24), F(rng.randint(0, 24), 24)))
    return rng.choice([(low, high), (low, high), (F(0), high), (low, F(1)), (low, low), (F(0), F(1)), (low, 1 - low)])


@pytest.mark.slow
def test_against_brute_force(rng: random.Random, size: Callable[[int, int], int]) -> None:
    """Every number is attained, nothing on a grid exceeds it, and no private design found at random is better."""
    points = searched = hedges = strict = 0
    for _ in range(size(75, 1500)):
        gamma, delta = _random_level(rng)
        low, high = _random_interval(rng)
        if low > high:
            low, high = high, low
        family = "warner" if rng.random() < 0.1 else "all"
        solution = _solve(Epsilon.of_gamma(gamma), delta, (low, high), family)
        grid = [(pi, _best(gamma, delta, pi, family)) for pi in _grid(low, high, 12)]
        for design in _designs(solution):
            p00, p11 = design.mechanism.p00, design.mechanism.p11
            assert solution.region.contains(design.mechanism)
            assert p00 + p11 > 1
            values = [(pi, binary_variance(p00, p11, pi), best) for pi, best in grid]
            assert max(value for _, value, _ in values) <= design.worst_case
            assert binary_variance(p00, p11, design.worst_at) == design.worst_case
            assert low <= design.worst_at <= high
            assert design.regret.lower == design.regret.upper
            assert max(value - best for _, value, best in values) == design.regret.upper
            assert design.regret_at in (low, high)
        assert solution.minimax.lower == solution.minimax.upper == min(d.worst_case for d in solution.candidates)
        assert solution.minimax_regret.lower == solution.minimax_regret.upper
        assert {d.worst_case for d in solution.minimax.designs} == {solution.minimax.upper}
        assert {d.regret.upper for d in solution.minimax_regret.designs} == {solution.minimax_regret.upper}
        for found in private_designs(rng, gamma, delta, 25 if family == "all" else 0):
            values = [(binary_variance(*found, pi), best) for pi, best in grid]
            stationary = (2 * found[0] - 1) / (2 * (sum(found) - 1))  # where the answer is a fair coin: lambda = 1/2
            worst = max(value for value, _ in values)
            if low <= stationary <= high:
                worst = max(worst, binary_variance(*found, stationary))
            assert worst >= solution.minimax.upper
            assert max(value - best for value, best in values) >= solution.minimax_regret.upper
            searched += 1
        hedges += solution.hedge is not None
        strict += solution.minimax_regret.upper < solution.minimax_regret_candidate.upper
        points += 1
    assert points >= size(75, 1500)
    assert searched >= size(1000, 20_000)
    assert hedges >= size(10, 200)
    assert strict >= size(5, 100)


def test_least_regret_may_be_no_vertex() -> None:
    """gamma = 2, delta = 1/2 over [0, 3/4]: the hedge (9/10, 7/10) beats all vertices; its neighbours are worse."""
    solution = _solve("log(2)", "1/2", "0..3/4")
    best = solution.minimax_regret
    assert (best.upper, solution.minimax_regret_candidate.upper) == (F(1, 4), F(5, 16))
    assert (best.design.name, best.design.mechanism) == ("hedge", rropt.Mechanism.binary("9/10", "7/10"))
    excess = [binary_variance(F(9, 10), F(7, 10), pi) - _best(F(2), F(1, 2), pi) for pi in (F(0), F(3, 4))]
    assert excess == [F(1, 4), F(1, 4)]
    neighbours = 0
    for step in range(-200, 201):
        p00 = F(9, 10) + F(step, 4000)
        p11 = min(2 * (1 - p00) + F(1, 2), 1 - (p00 - F(1, 2)) / 2)
        regret = max(binary_variance(p00, p11, pi) - _best(F(2), F(1, 2), pi) for pi in (F(0), F(3, 4)))
        assert regret >= F(1, 4)
        assert (regret == F(1, 4)) == (step == 0)
        neighbours += 1
    assert neighbours == 401


@pytest.mark.slow
def test_a_single_prevalence_is_the_plain_problem(
    rng: random.Random, parameters, size: Callable[[int, int], int]
) -> None:
    points = ties = 0
    for _ in range(size(40, 500)):
        epsilon, delta, pi = parameters(rng)
        plain = rropt.solve(
            rropt.Problem.binary(pi, epsilon=epsilon, delta=delta),
            routes=["closed-form", "exact"],
            fast=True,
        )
        found = _solve(epsilon, delta, f"{pi}..{pi}")
        assert tuple(d.mechanism for d in found.minimax.designs) == plain.optima
        assert tuple(d.mechanism for d in found.minimax_regret.designs) == plain.optima
        assert (found.minimax.lower, found.minimax.upper) == (plain.lower, plain.upper)
        assert found.optimal_set == plain.optimal_set
        assert found.hedge is None
        assert 0 == found.minimax_regret.lower <= found.minimax_regret.upper <= GAP * max(plain.upper, GAP)
        ties += len(plain.optima) > 1
        points += 1
    assert points >= 40
    assert ties >= 3


@pytest.mark.slow
@every_case("interval", ["0..1", "0..1/3", "1/3..1", "1/10..9/10", "1/2..1/2"])
@every_case("delta", ["0", "1", "1/3", "exp(-2)"])
@every_case("epsilon", ["1/2", "log(3)", "log(2)/3", "0"])
def test_boundaries(epsilon: str, delta: str, interval: str) -> None:
    if (epsilon, delta) == ("0", "0"):
        with pytest.raises(InfeasibleError):
            _solve(epsilon, delta, interval)
        return
    solution = _solve(epsilon, delta, interval)
    assert 0 <= solution.minimax.upper - solution.minimax.lower <= GAP
    assert 0 <= solution.minimax_regret.upper - solution.minimax_regret.lower <= GAP
    for design in _designs(solution):
        assert solution.region.contains(design.mechanism)
        assert design.regret.lower <= design.regret.upper
    if delta in ("0", "1"):  # one design is optimal at every prevalence
        assert [design.name for design in solution.candidates] == ["diagonal"]
        assert solution.hedge is None
        assert solution.minimax_regret.lower == 0
        assert solution.minimax_regret.upper <= GAP
    if interval in ("0..1", "1/10..9/10", "1/2..1/2") and delta not in ("0", "1"):  # symmetric: the corners tie
        corners = [design for design in solution.candidates if design.name != "diagonal"]
        assert corners[0].worst_case == corners[1].worst_case
        assert corners[0].regret.upper == corners[1].regret.upper


@pytest.mark.slow
def test_irrational_levels_lie_between_rational_ones(rng: random.Random, size: Callable[[int, int], int]) -> None:
    """At rational levels 1e-30 away every number is exact; it must lie within 1e-20 of the bracket in between."""
    points = hedges = 0
    for _ in range(size(25, 300)):
        epsilon = rng.choice([str(F(rng.randint(1, 40), 10)), f"log({rng.randint(2, 9)})/{rng.randint(2, 7)}"])
        delta = rng.choice([f"exp(-1/{rng.randint(1, 9)})", str(F(rng.randint(1, 19), 20))])
        low, high = sorted((F(rng.randint(0, 20), 20), F(rng.randint(0, 20), 20)))
        solution = _solve(epsilon, delta, (low, high))
        level = solution.region.bracket(40).above
        near = _solve(Epsilon.of_gamma(level.gamma), level.delta, (low, high))
        for name in ("minimax", "minimax_regret", "minimax_regret_candidate"):
            found, exact = getattr(solution, name), getattr(near, name)
            assert found.lower - F(1, 10**20) <= exact.upper <= found.upper + F(1, 10**20)
            assert found.upper - found.lower <= GAP
            assert {design.name for design in exact.designs} <= {design.name for design in found.designs}
        for design, twin in zip(solution.candidates, near.candidates, strict=True):
            assert design.name == twin.name
            assert abs(design.worst_case - twin.worst_case) < F(1, 10**15)
            assert design.regret.lower - F(1, 10**15) <= twin.regret.upper <= design.regret.upper + F(1, 10**15)
        hedges += solution.hedge is not None
        points += 1
    assert points >= 25
    assert hedges >= 3


@pytest.mark.slow
@given(
    st.fractions(1, 6, max_denominator=12),
    st.fractions(0, 1, max_denominator=12),
    st.fractions(0, 1, max_denominator=12),
    st.fractions(0, 1, max_denominator=12),
)
def test_mirror_image_and_wider_intervals(gamma: Fraction, delta: Fraction, one: Fraction, other: Fraction) -> None:
    """Swapping the categories mirrors interval and designs; a wider interval costs no less."""
    if (gamma, delta) == (1, 0):
        return
    low, high = min(one, other), max(one, other)
    epsilon = Epsilon.of_gamma(gamma)
    left, right = _solve(epsilon, delta, (low, high)), _solve(epsilon, delta, (1 - high, 1 - low))
    for name in ("minimax", "minimax_regret", "minimax_regret_candidate"):
        a, b = getattr(left, name), getattr(right, name)
        assert (a.lower, a.upper) == (b.lower, b.upper)
        mirrored = sorted((d.mechanism.p11, d.mechanism.p00) for d in a.designs)
        assert mirrored == [(d.mechanism.p00, d.mechanism.p11) for d in b.designs]
    wider = _solve(epsilon, delta, (low / 2, (1 + high) / 2))
    assert wider.minimax.upper >= left.minimax.upper
    assert wider.minimax_regret.upper >= left.minimax_regret.upper


def test_every_design_ties_at_epsilon_zero() -> None:
    """gamma = 1, delta = 1/2 over [0, 1]: both corners have worst case 1, and so has every design between them."""
    solution = _solve("0", "1/2", "0..1")
    assert [design.name for design in solution.minimax.designs] == ["corner_p11", "corner_p00"]
    assert solution.minimax.upper == 1
    assert [design.mechanism.p00 for design in solution.minimax_regret.designs] == [F(3, 4)]
    for p00 in _grid(F(1, 2), F(1), 8):
        values = [binary_variance(p00, F(3, 2) - p00, pi) for pi in (2 * p00 - 1, F(0), F(1))]
        assert max(values) == values[0] == 1


_small = st.fractions(-4, 4, max_denominator=9)


@given(_small, _small, _small, _small)
def test_quotients_are_a_field(a: Fraction, b: Fraction, c: Fraction, d: Fraction) -> None:
    """With e transcendental, (a + b e)/(1 + e^2) behaves like the rational function; floats agree on the order."""
    e = ExactReal.exponential(F(1))
    x, y = Quotient(e * b + a, e * e + 1), Quotient(e * d + c, e * -2 - 1)
    assert x + y == y + x
    assert (x - y) + y == x
    assert 2 * x == x + x
    assert x * (y + 1) == x * y + x
    if y.sign():
        assert x / y * y == x
    else:
        with pytest.raises(ZeroDivisionError):
            x / y
    if abs(float(x) - float(y)) > 1e-9:
        assert (x < y) == (float(x) < float(y))
    assert (x == y) == ((a, b, c, d) == (0, 0, 0, 0) or x - y == 0)


def test_intervals_are_read() -> None:
    assert PrevalenceInterval.of("0.1..2/5") == PrevalenceInterval(F(1, 10), F(2, 5))
    assert PrevalenceInterval.of((0, 1)) == PrevalenceInterval.of("0..1")
    assert str(PrevalenceInterval.of(" 1/10 .. 1/2 ")) == "1/10..1/2"


@pytest.mark.parametrize(
    "wrong", ["1/2", "0.4..0.1", "0..2", "-1/2..1/2", "..1/2", "0..", "a..b", "0..1..1", 3, None, (0,)]
)
def test_wrong_intervals(wrong: object) -> None:
    with pytest.raises(InvalidParameterError, match="prevalence"):
        _solve("1", "0", wrong)


def test_wrong_regions() -> None:
    with pytest.raises(UnsupportedProblemError):
        solve_over_interval(rropt.privacy.PrivacyRegion(1, inputs=3, outputs=3), "0..1", fast=True)


def test_json_is_exact() -> None:
    data = json.loads(json.dumps(_solve("log(2)", "1/2", "0..3/4").to_dict()))
    assert data["interval"] == {"low": "0", "high": "3/4"}
    assert data["hedge"]["matrix"] == [["9/10", "3/10"], ["1/10", "7/10"]]
    certificate = data["minimax_regret"].pop("certificate")
    assert rropt.check(certificate).accepted
    assert certificate["claim"]["mechanism"]["matrix"] == data["hedge"]["matrix"]
    assert data["minimax_regret"] == {"lower": "1/4", "upper": "1/4", "designs": ["hedge"]}
    assert {design["name"]: design["regret"] for design in data["candidates"]} == {
        "corner_p11": "1", "diagonal": "5/16", "corner_p00": "1/2"
    }  # fmt: skip
    irrational = _solve("1", "exp(-2)", "0.1..0.4").to_dict()
    assert [design["name"] for design in irrational["candidates"]] == ["corner_p11", "diagonal", "corner_p00"]
    assert set(irrational["candidates"][1]["regret"]) == {"lower", "upper"}
    assert dict(_solve("log(2)", "1/2", "0..3/4").lines())["minimax regret"].startswith("hedge, 1/4")


def test_extreme_levels() -> None:
    points = 0
    for epsilon in ("1e-9", "100", "log(7)/997"):
        for delta in ("0", "1e-12", "exp(-100)", str(Delta.of("1/3"))):
            solution = _solve(epsilon, delta, "1/1000..1/3")
            scale = min(F(1), solution.minimax.upper)
            assert solution.minimax.upper - solution.minimax.lower <= GAP * scale
            assert solution.minimax_regret.upper - solution.minimax_regret.lower <= GAP * scale
            points += 1
    assert points == 12
