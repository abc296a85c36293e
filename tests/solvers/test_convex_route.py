"""The convex route: its rational bracket against the exact optimum, boundaries, extremes, and a solver that errs."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rropt
from rropt.core.errors import RouteDisagreementError, UnsupportedProblemError
from rropt.core.exact import Delta, Epsilon
from rropt.core.linear.vertices import vertices
from rropt.designs.binary_variance import BinaryVariance, solve_closed_form
from rropt.designs.convex import binary_variance as convex_route
from rropt.designs.convex.binary_variance import CONVEX_GAP, corners, half_planes, on_boundary, product, solve_convex
from rropt.designs.solution import RouteResult
from rropt.objectives import binary_variance

F = Fraction
DIGITS = 24
ACCURACY = F(2, 10**12)  # the width at which the route stops, and the rounding of its ends

EXTREME_EPSILONS = ("0", "1e-9", "1e-6", "log(1.001)", "1/2*log(3)", "3", "30", "100")
EXTREME_DELTAS = ("0", "1e-300", "exp(-100)", "1e-12", "exp(-3)", "1/2", "0.999", "1")
EXTREME_PREVALENCES = ("0", "1e-300", "1e-12", "1/4", "0.4999", "1/2", "0.999999", "1")


def _both(epsilon: str, delta: str, pi: str, family: str = "all") -> tuple[RouteResult, RouteResult]:
    problem = rropt.binary_problem(epsilon=epsilon, delta=delta, prevalence=pi, family=family)
    levels = problem.region.bracket(DIGITS)
    return solve_convex(problem, levels), solve_closed_form(problem, levels)


def _assert_close(found: RouteResult, exact: RouteResult) -> None:
    assert found.lower <= exact.lower <= exact.upper <= found.upper
    assert found.upper - found.lower <= ACCURACY * exact.upper
    assert not found.designs


def test_random_points_and_boundaries(rng: random.Random, parameters, size: Callable[[int, int], int]) -> None:
    points, seen = 0, dict.fromkeys(("epsilon 0", "delta 0", "delta 1", "pi 0", "pi 1/2", "pi 1", "tie", "warner"), 0)
    exact_levels = closed = 0
    while points < size(150, 2000):
        epsilon, delta, pi = parameters(rng)
        family = "warner" if rng.random() < 0.15 else "all"
        found, exact = _both(epsilon, delta, pi, family)
        _assert_close(found, exact)
        points += 1
        for name in (f"delta {delta}", f"pi {pi}", family, "epsilon 0" if epsilon == "0" else ""):
            seen[name] = seen.get(name, 0) + 1
        seen["tie"] += len(exact.optima or ()) > 1
        if exact.lower == exact.upper:
            exact_levels += 1
            closed += found.lower == found.upper
    assert points >= 150
    for name in ("epsilon 0", "delta 0", "delta 1", "pi 0", "pi 1/2", "pi 1", "tie", "warner"):
        assert seen[name] >= points // 50, name
    assert closed >= exact_levels * 9 // 10  # rounding the solver's floats meets the exact optimum nearly always
    assert exact_levels >= points // 4


def test_extreme_parameters(rng: random.Random, size: Callable[[int, int], int]) -> None:
    """Levels from 1e-9 to 100, delta and prevalence down to 1e-300: the program is scaled before it is solved."""
    grid = [(e, d, p) for e in EXTREME_EPSILONS for d in EXTREME_DELTAS for p in EXTREME_PREVALENCES]
    grid = [(e, d, p) for e, d, p in grid if (e, d) != ("0", "0")]
    chosen = rng.sample(grid, size(100, len(grid)))
    for epsilon, delta, pi in chosen:
        _assert_close(*_both(epsilon, delta, pi))
        _assert_close(*_both(epsilon, delta, pi, "warner"))
    assert len(chosen) >= 100


def test_published_values() -> None:
    """Warner's design at epsilon = log 3, and the worked example whose two designs tie at 15/16."""
    found, _ = _both("log(3)", "0", "1/2")
    assert (found.lower, found.upper) == (1, 1)
    found, _ = _both("log(2)", "1/4", "1/4")
    assert (found.lower, found.upper) == (F(15, 16), F(15, 16))


@pytest.mark.parametrize(
    ("epsilon", "delta", "pi"), [("1", "0", "1/3"), ("1/2", "exp(-2)", "1/50"), ("log(3)/2", "1/9", "1")]
)
def test_irrational_optimum_lies_inside(epsilon: str, delta: str, pi: str) -> None:
    """Against the least of the three designs at 60 digits."""
    found, _ = _both(epsilon, delta, pi)
    with mpmath.workdps(60):
        gamma, slack = _decimal(Epsilon.of(epsilon).exact_gamma()), _decimal(Delta.of(delta).exact())
        prevalence = mpmath.mpf(F(pi).numerator) / F(pi).denominator
        p = (gamma + slack) / (gamma + 1)
        designs = [(p, p)] if slack == 0 else [(p, p), (mpmath.mpf(1), slack), (slack, mpmath.mpf(1))]
        value = min(_n_var(a, b, prevalence) for a, b in designs)
        lower, upper = (mpmath.mpf(x.numerator) / x.denominator for x in (found.lower, found.upper))
        assert lower <= value <= upper
        assert upper - lower <= 1e-11 * max(value, 1e-30)


def _decimal(exact) -> mpmath.mpf:
    below, _ = exact.bracket(70)
    return mpmath.mpf(below.numerator) / below.denominator


def _n_var(a, b, pi):
    positive = (1 - pi) * (1 - a) + pi * b
    return positive * (1 - positive) / (a + b - 1) ** 2


def test_mirror_image(rng: random.Random, size: Callable[[int, int], int]) -> None:
    """Swapping the categories turns prevalence pi into 1 - pi and leaves the optimum where it is."""
    points = 0
    for _ in range(size(30, 500)):
        epsilon, delta = f"log({F(rng.randint(11, 80), 10)})", str(F(rng.randint(0, 40), 40))
        pi = F(rng.randint(0, 40), 40)
        (left, _), (right, _) = _both(epsilon, delta, str(pi)), _both(epsilon, delta, str(1 - pi))
        assert max(left.lower, right.lower) <= min(left.upper, right.upper)
        points += 1
    assert points >= 30


@st.composite
def _designs(draw: st.DrawFn) -> tuple[Fraction, Fraction, Fraction, Fraction]:
    p00, p11 = (draw(st.fractions(0, 1, max_denominator=60)) for _ in range(2))
    gamma, delta = draw(st.fractions(1, 8, max_denominator=20)), draw(st.fractions(0, 1, max_denominator=20))
    return p00, p11, gamma, delta


@given(_designs(), st.fractions(0, 1, max_denominator=30))
def test_change_of_variables(parameters: tuple[Fraction, Fraction, Fraction, Fraction], pi: Fraction) -> None:
    """(r, s) lies in the half-planes iff the design is private, and the product is n Var, for p00 + p11 > 1."""
    p00, p11, gamma, delta = parameters
    if p00 + p11 == 1 or (gamma, delta) == (1, 0):
        return
    if p00 + p11 < 1:
        p00, p11 = 1 - p00, 1 - p11
    region = rropt.PrivacyRegion(Epsilon.of_gamma(gamma), delta)
    rows = half_planes(region, region.bracket(DIGITS).below)
    u = 1 / (p00 + p11 - 1)
    r, s = (1 - p00) * u, (1 - p11) * u
    assert product((r, s), pi) == binary_variance(p00, p11, pi)
    inside = all(a * r + b * s >= c for a, b, c in rows)
    assert inside == region.contains(rropt.Mechanism.binary(p00, p11))
    assert ((1 + s) / (1 + r + s), (1 + r) / (1 + r + s)) == (p00, p11)
    for ray in ((r, s), (r + 1, s + 2), (F(0), F(1)), (F(1), F(0))):
        point = on_boundary(rows, ray)
        assert point is None or all(a * point[0] + b * point[1] >= c for a, b, c in rows)
        assert point is not None or not all(ray)


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6), st.integers(-9, 40)), max_size=6))
def test_corners_are_the_vertices_of_enumeration(cuts: list[tuple[int, int, int]]) -> None:
    cuts = [(1, 0, 0), (0, 1, 0), *((a, b, c) for a, b, c in cuts if a or b)]
    assert set(corners(cuts)) == {vertex.point() for vertex in vertices([(a, b, -c) for a, b, c in cuts])}


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6), st.integers(-9, 40)), max_size=6))
def test_the_corner_of_the_diagonal(cuts: list[tuple[int, int, int]]) -> None:
    cuts = [(a, b, c) for a, b, c in cuts if a or b]
    least = max([F(0), *(F(c, a + b) for a, b, c in cuts)])
    assert set(corners([(1, 0, 0), (0, 1, 0), (1, -1, 0), (-1, 1, 0), *cuts])) == {(least, least)}


@given(_designs(), st.data())
def test_weak_duality(parameters: tuple[Fraction, Fraction, Fraction, Fraction], data: st.DataObject) -> None:
    """Any multipliers, clipped at 0, make a cut around the region: the float solver cannot spoil the bound."""
    p00, p11, gamma, delta = parameters
    if (gamma, delta) == (1, 0) or delta == 1:
        return
    region = rropt.PrivacyRegion(Epsilon.of_gamma(gamma), delta)
    rows = half_planes(region, region.bracket(DIGITS).below)
    wild = st.lists(st.fractions(-1, 5, max_denominator=50), min_size=len(rows), max_size=len(rows))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(convex_route, "_solved", lambda *_: ([F(1), F(1)], data.draw(wild)))
        answer = convex_route._least(rows, (F(1), F(2)))
    point = on_boundary(rows, (p00 + F(1, 60), p11))
    if answer is not None and point is not None:
        a, b, c = answer[1]
        assert a >= 0
        assert b >= 0
        assert a * point[0] + b * point[1] >= c


@pytest.mark.parametrize("family", ["all", "warner"])
def test_a_lying_solver_costs_width_never_truth(
    monkeypatch: pytest.MonkeyPatch, rng: random.Random, family: str
) -> None:
    """Random 'solutions', far off, negative or zero: the bracket still holds the optimum."""

    def lie(rows, cost):
        wild = [F(rng.randint(-20, 200), 100) * F(10) ** rng.randint(-20, 20) for _ in range(2 + len(rows))]
        return wild[:2], [rng.choice([y, F(0), F(1), F(rng.randint(-100, 0), 50)]) for y in wild[2:]]

    monkeypatch.setattr(convex_route, "_solved", lie)
    wide = points = 0
    for _ in range(200):
        epsilon, delta = f"log({F(rng.randint(11, 80), 10)})", str(F(rng.randint(0, 39), 40))
        found, exact = _both(epsilon, delta, str(F(rng.randint(0, 20), 20)), family)
        assert found.lower <= exact.lower <= exact.upper <= found.upper
        wide += found.upper - found.lower > CONVEX_GAP * found.upper
        points += 1
    assert points == 200
    assert wide >= 20  # the lies were told


def test_a_failing_solver_leaves_a_wide_bracket(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(convex_route, "_solved", lambda *args, **kwargs: None)
    found, exact = _both("log(2)", "1/10", "1/4")
    assert F(3, 16) == found.lower < exact.lower <= exact.upper <= found.upper


def test_a_solver_error_is_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    import cvxpy as cp

    def fail(self, *args, **kwargs):
        raise cp.SolverError("no")

    monkeypatch.setattr(cp.Problem, "solve", fail)
    found, exact = _both("log(5)", "1/10", "1/4")
    assert found.lower < exact.lower <= exact.upper <= found.upper


def test_all_three_routes_agree_in_solve() -> None:
    solution = rropt.solve(rropt.binary_problem(epsilon="log(2)", delta="1/4", prevalence="1/4"))
    assert list(solution.routes) == ["closed-form", "convex", "exact"]
    assert solution.to_dict()["routes"] == dict.fromkeys(solution.routes, "15/16")
    assert solution.value == F(15, 16)


def test_a_wrong_bracket_is_a_disagreement() -> None:
    """The mutant: the bracket moved by a thousandth must be noticed."""
    problem = rropt.binary_problem(epsilon="1", delta="1/10", prevalence="1/4")
    levels = problem.region.bracket(DIGITS)
    right, exact = solve_convex(problem, levels), solve_closed_form(problem, levels)
    BinaryVariance().agreed(problem, {"convex": right, "closed-form": exact})
    moved = RouteResult(right.lower * F(1001, 1000), right.upper * F(1001, 1000))
    with pytest.raises(RouteDisagreementError, match="convex and closed-form disagree"):
        BinaryVariance().agreed(problem, {"convex": moved, "closed-form": exact})


def test_alone_it_does_not_decide_ties() -> None:
    with pytest.raises(UnsupportedProblemError, match="add closed-form or exact"):
        rropt.solve(rropt.binary_problem(epsilon="log(2)", prevalence="1/4"), routes=["convex"])


def test_threads_share_one_programme() -> None:
    problems = [rropt.binary_problem(epsilon=f"log({q})/2", delta="1/10", prevalence=F(q, 40)) for q in range(2, 22)]
    alone = [solve_convex(problem, problem.region.bracket(DIGITS)) for problem in problems]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda problem: solve_convex(problem, problem.region.bracket(DIGITS)), problems))
    assert together == alone


def test_cvxpy_is_imported_only_when_used() -> None:
    code = (
        "import sys, rropt; p = rropt.binary_problem(epsilon='log(2)', delta='1/4', prevalence='1/4');"
        "rropt.solve(p, routes=['closed-form', 'exact']); assert 'cvxpy' not in sys.modules;"
        "rropt.solve(p, routes=['closed-form', 'convex']); assert 'cvxpy' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
