"""The convex route under bounds on Renyi divergences, against local search, grids and definitions."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from later import later

import rropt
from rropt import Problem
from rropt.designs.convex import column_weights
from rropt.designs.convex.divergence_cells import largest_violation
from rropt.designs.convex.divergence_conditions import Condition, Conditions, any_mechanism_ratio
from rropt.designs.convex.divergence_entries import _bound
from rropt.designs.convex.divergences import by_cvxpy
from rropt.designs.engine.columns import joined_weights
from rropt.designs.engine.interior_point import program
from rropt.mechanisms import Mechanism
from rropt.objectives import (
    AOptimality,
    COptimality,
    DOptimality,
    EOptimality,
    Hellinger,
    MutualInformation,
    Payoff,
    TotalVariation,
)
from rropt.privacy import RenyiRegion, ZcdpRegion

minimize = later("scipy.optimize", "minimize")
F = Fraction
TWO, THREE = [F(3, 4), F(1, 4)], [F(1, 2), F(1, 3), F(1, 6)]
FULL = pytest.mark.full_size


def divergences(p: Any, q: Any, orders: Any) -> Any:
    """Return D_a for each order by its definition."""
    u, a = np.log(p) - np.log(q), np.asarray(orders, dtype=float)[:, None]
    top = (a * u).max(1)
    with np.errstate(all="ignore"):
        found = (top + np.log((q * np.exp(a * u - top[:, None])).sum(1))) / (a[:, 0] - 1)
    return np.where(a[:, 0] == 1, (p * u).sum(), found)


def value_of(objective: Any, p: Any, pi: Any) -> float:
    """Return the objective of a float matrix by its definition."""
    s = p @ pi
    if isinstance(objective, MutualInformation):
        return float((p * np.log(p / s[:, None]) @ pi).sum())
    if isinstance(objective, TotalVariation):
        return float(np.abs(p @ (pi - np.array(objective.against, dtype=float))).sum() / 2)
    if isinstance(objective, Payoff):
        return float((p * np.array(objective.matrix, dtype=float) * pi).sum())  # one output for each decision
    information = (p / s[:, None]).T @ p
    if np.linalg.cond(information) > 1e9:
        return 1e9
    return float(np.trace(np.linalg.inv(information)) - pi @ pi)


def by_local_search(region: Any, objective: Any, pi: Any, outputs: int, starts: int) -> float:
    """Return the best value that SLSQP finds over m x k matrices; under zCDP at 200 orders."""
    k, rng = len(pi), np.random.default_rng(outputs)
    shares = np.array([float(x) for x in pi])
    sign = 1 if objective.sense == "minimise" else -1
    orders = [float(region.order)] if region.order else [1.0, *(1 + np.geomspace(0.01, 30, 199))]
    allowed = np.array([float(region.allowed(F(a))) for a in orders])

    def columns(x: Any) -> Any:
        e = np.exp(np.clip(np.nan_to_num(x), -15, 15).reshape(outputs, k))
        return e / e.sum(0)

    def rooms(x: Any) -> Any:
        p = columns(x)
        pairs = permutations(range(k), 2)
        return np.concatenate([allowed - divergences(p[:, j], p[:, i], orders) for j, i in pairs])

    best = np.inf
    for _ in range(starts):
        found = minimize(
            lambda x: sign * value_of(objective, columns(x), shares),
            0.3 * rng.normal(size=outputs * k),
            constraints={"type": "ineq", "fun": rooms},
            method="SLSQP",
            options={"maxiter": 300, "ftol": 1e-12},
        )
        if rooms(found.x).min() > -1e-7 and found.fun < best:
            best = float(found.fun)
    return sign * best


SEARCHED = [
    (RenyiRegion(2, "1/2"), AOptimality(), TWO, 2),
    (RenyiRegion("3/2", 1), MutualInformation(), TWO, 2),
    (RenyiRegion(1, "1/4"), Payoff([[1, 0], [0, 2]]), TWO, 2),
    (RenyiRegion(10, "1/2"), TotalVariation(["1/4", "3/4"]), TWO, 2),
    (ZcdpRegion("1/8"), AOptimality(), TWO, 2),
    (RenyiRegion(5, "1/2", inputs=3), TotalVariation(["1/6", "1/3", "1/2"]), THREE, 2),
    (ZcdpRegion("1/8", inputs=3), TotalVariation(["1/6", "1/3", "1/2"]), THREE, 2),
    pytest.param(RenyiRegion(2, "1/2", inputs=3), AOptimality(), THREE, 4, marks=FULL),
]


@pytest.mark.parametrize(("region", "objective", "pi", "outputs"), SEARCHED)
def test_local_search_over_matrices_meets_its_bracket(
    region: Any, objective: Any, pi: Any, outputs: int, size: Any
) -> None:
    found = by_cvxpy(Problem(region, objective, pi), region.bracket(20))
    assert found.is_closed
    value = by_local_search(region, objective, pi, outputs, size(4, 20))
    assert float(found.lower) * (1 - 1e-6) < value < float(found.upper) * (1 + 1e-6)


@pytest.mark.parametrize(
    ("region", "objective", "pi"),
    [
        (RenyiRegion(2, "1/2"), EOptimality(), TWO),
        (RenyiRegion(5, "1/2"), DOptimality(), TWO),
        (RenyiRegion(1, "1/2"), COptimality([1, -1]), TWO),
        (ZcdpRegion("1/2"), Hellinger(["1/2", "1/2"]), TWO),
        (ZcdpRegion("2"), AOptimality(), [F(999, 1000), F(1, 1000)]),
        # orders at which entering rows use a condition so much that equal weights would not be feasible
        pytest.param(RenyiRegion(5, "1/2", inputs=3), TotalVariation(["1/2", "1/3", "1/6"]), [F(1, 3)] * 3, marks=FULL),
        pytest.param(RenyiRegion(10, "1/2", inputs=3), EOptimality(), THREE, marks=FULL),
        pytest.param(RenyiRegion(2, "1/2", inputs=3), EOptimality(), THREE, marks=FULL),
        pytest.param(RenyiRegion(2, "1/2", inputs=3), COptimality([1, -1, 0]), THREE, marks=FULL),
        pytest.param(ZcdpRegion("1/2", inputs=3), MutualInformation(), [F(1, 3)] * 3, marks=FULL),
    ],
)
def test_it_agrees_with_the_exact_route(region: Any, objective: Any, pi: Any) -> None:
    """By default both routes run; each closes its own bracket, and the brackets overlap."""
    solution = rropt.solve(Problem(region, objective, pi))
    assert set(solution.routes) == {"convex", "exact"}
    assert not solution.not_closed
    assert not solution.skipped
    convex = solution.routes["convex"]
    assert max(convex.lower, solution.lower) <= min(convex.upper, solution.upper)
    assert dict(solution.lines())["routes that agree"] == "convex, exact"


def test_steep_rows_enter_with_small_weights() -> None:
    """Equal weights of entering rows would leave no room in a condition; weights by their use of it are positive."""
    c = np.array([[0.5], [-0.5], [0.0], [0.9]])
    used = np.array([[0.5], [0.5], [0.0], [1e20]])
    given = program(c, used, np.ones(1))
    begun = np.array([0.25, 0.25, 0.5, 0.75])  # three rows and the room that they leave
    assert joined_weights(given, 3, begun).min() <= 0
    w = joined_weights(given, 3, begun, np.array([1e-32]))
    assert w.min() > 0
    assert np.abs(given.affine.T @ w - given.right).max() < 1e-9


def test_a_solver_without_an_answer_is_no_agreement(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(column_weights, "is_answered", lambda program: False)
    solution = rropt.solve(Problem(RenyiRegion(2, "1/2"), AOptimality(), TWO))
    assert solution.not_closed == ("convex",)
    assert dict(solution.lines())["routes that agree"] == "exact"


@pytest.mark.parametrize("answer", [None, float("nan")])
def test_a_bracket_without_an_answer_holds_the_optimum(answer: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Payoffs far beyond a million: the bound of a failed solver is the value of reports of the truth."""

    def failed(program: Any, **options: Any) -> None:
        for variable in program.variables():
            variable.value = None if answer is None else np.full(variable.shape, answer)

    monkeypatch.setattr("cvxpy.Problem.solve", failed)
    problem = Problem(RenyiRegion(2, "1/2"), Payoff([[10**9, 0], [0, 2 * 10**9]]), TWO)
    found = by_cvxpy(problem, problem.region.bracket(20))
    assert not found.is_closed
    assert found.lower <= 862_002_277 <= found.upper == 1_250_000_000 * (1 + F(1, 10**6))


@pytest.mark.parametrize("region", [RenyiRegion(2, "1/2"), ZcdpRegion("1/8")])
def test_one_decision_is_a_constant(region: Any) -> None:
    """The first decision is best after every output, so no condition is used."""
    for payoffs, best in (([[1, 1]], 1), ([[5, 0], [4, 0]], F(15, 4))):
        problem = Problem(region, Payoff(payoffs), TWO)
        found = by_cvxpy(problem, region.bracket(20))
        assert found.lower <= best <= found.upper
        proved = rropt.solve(problem, routes="exact")
        assert proved.status == "optimal"
        assert proved.lower <= best <= proved.upper


def test_conditions_are_the_divergences(size: Any) -> None:
    """A sum of h is at most 1 iff D_a is at most the level, and tangents are below h."""
    rng = np.random.default_rng(5)
    for _ in range(size(200, 5000)):
        a, level = float(rng.choice([1, 1.01, 1.5, 2, 7])), float(rng.choice([0.01, 0.3, 2]))
        p = rng.dirichlet(np.full(4, rng.choice([0.3, 3.0, 300.0])), 2).T + 1e-9
        p /= p.sum(0)
        region = RenyiRegion(F(a).limit_denominator(100), F(level).limit_denominator(100))
        conditions = Conditions(region)
        used, own = conditions.uses(p).sum(1), [divergences(*p.T, [a])[0], divergences(*p.T[::-1], [a])[0]]
        for x, d in zip(used, own, strict=True):
            assert abs(d - level) < 1e-9 or (x <= 1) == (d <= level)
        each, t = conditions.listed[0], np.exp(rng.normal(size=4) * 2)
        m, b, bend = each.tangent(t)
        x, y = np.exp(rng.normal(size=(2, 4)))
        assert (each.use(x, y) >= m * x - b * y - 1e-9 * (np.abs(m * x) + np.abs(b * y)) - 1e-9).all()
        assert (bend > 0).all()


@pytest.mark.parametrize("k", [2, 3])
def test_cells_bound_the_largest_violation_on_a_grid(k: int, size: Any) -> None:
    """For random duals: no row of a fine grid exceeds the upper bound, and the value that was met is met."""
    rng, region = np.random.default_rng(k), RenyiRegion(2, "1/2", inputs=k)
    steps = np.linspace(-5, 5, 1001 if k == 2 else 61)
    grid = np.exp(np.column_stack([np.zeros(len(steps) ** (k - 1)), *map(np.ravel, np.meshgrid(*[steps] * (k - 1)))]))
    for number in range(size(6, 60)):
        shares = rng.dirichlet(np.full(k, 3.0))
        conditions = [
            Condition(float(rng.choice([1, 1.5, 2, 9])), each.j, each.other, 0.6) for each in Conditions(region).listed
        ]
        beta = rng.exponential(size=len(conditions)) * (rng.random(len(conditions)) < 0.7)
        beta *= number != 0  # once no curve at all
        alpha = rng.normal(size=k) * 0.1
        w = rng.normal(size=(k, 2)) * 0.3

        def phi(rows: Any, w: Any = w) -> Any:
            return ((rows @ w) ** 2).sum(1)

        found = largest_violation(phi, alpha, beta, conditions, shares, 1e-6, 100_000)
        rows = grid / (grid @ shares)[:, None]
        uses = np.array([each.use(rows[:, each.j], rows[:, each.other]) for each in conditions])
        assert (phi(rows) - rows @ alpha - beta @ uses).max() <= found.above + 1e-12
        assert found.at_least <= found.above <= max(1.3 * found.at_least, 0) + 1.1e-6 or not beta.any()


def test_the_bound_in_the_entries_holds_for_any_rows() -> None:
    """Tangents at the ratios of arbitrary rows give a bound above the optimum, which tangents there meet."""
    rng, shares = np.random.default_rng(8), np.array([0.75, 0.25])
    conditions = Conditions(RenyiRegion(2, "1/2"))
    gains = np.array([[0.5, -0.5], [-0.5, 0.5]])
    p = 0.5 + 0.5 * (1 - 4 / (np.exp(0.5) + 3)) ** 0.5  # Warner's design at this level: p^2/(1-p) + (1-p)^2/p
    assert abs(p**2 / (1 - p) + (1 - p) ** 2 / p - np.exp(0.5)) < 1e-12
    for _ in range(10):
        bound = _bound(gains, rng.dirichlet([1.0, 1.0], 2).T, conditions.listed, shares)
        assert bound is not None
        assert bound >= 2 * p - 1 - 1e-9
    bound = _bound(gains, np.array([[p, 1 - p], [1 - p, p]]), conditions.listed, shares)
    assert bound == pytest.approx(2 * p - 1, rel=1e-8)


def test_the_simple_mechanism_is_in_the_region() -> None:
    for region in (RenyiRegion(50, "1/100"), RenyiRegion(1, 9), ZcdpRegion("1/1000"), ZcdpRegion(50)):
        gamma = any_mechanism_ratio(region)
        rows = [[gamma / (gamma + 1), 1 / (gamma + 1)], [1 / (gamma + 1), gamma / (gamma + 1)]]
        assert region.contains(Mechanism(rows))
