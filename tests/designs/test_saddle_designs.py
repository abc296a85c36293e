"""The minimax value over a polytope of populations: closed forms, other solvers, no mechanism better at its end."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations, product
from math import exp, log
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from later import later

import rropt
from rropt.core.errors import InfeasibleError, InvalidParameterError
from rropt.designs.problem import Problem
from rropt.mechanisms import Mechanism
from rropt.objectives import AOptimality, Contrast, Objective

linprog = later("scipy.optimize", "linprog")

F = Fraction
LEVELS = ("1/20", "1/10", "1/2", "log(2)", "1", "log(5)", "3", "5", "8")
Point = tuple[Fraction, ...]


def over(
    level: object,
    populations: rropt.objectives.Populations,
    contrast: list[Any] | None = None,
    routes: str | None = "exact",
) -> rropt.designs.Solution:
    """Return the solution at a level, of all shares or of a contrast."""
    objective: Objective = AOptimality() if contrast is None else Contrast(contrast)
    region = rropt.privacy.PrivacyRegion(level, inputs=populations.inputs, outputs="any")
    return rropt.solve(rropt.designs.Problem(region, objective, populations), routes=routes)


def simplex(k: int) -> rropt.objectives.Populations:
    """Return all populations."""
    return rropt.objectives.Populations.between([0] * k, [1] * k)


def population(rng: random.Random, k: int) -> Point:
    """Return random shares, at times rare or 0."""
    shares = [rng.choice((0, 1, rng.randint(1, 99), rng.randint(1, 99))) for _ in range(k)]
    shares[rng.randrange(k)] += 50
    return tuple(F(x, sum(shares)) for x in shares)


def polytope(rng: random.Random, k: int) -> rropt.objectives.Populations:
    """Return a hull, a box, inequalities, a segment, a point or the simplex."""
    kind = rng.choice(("hull", "box", "rows", "segment", "point", "simplex"))
    if kind == "box":
        middle = population(rng, k)
        return rropt.objectives.Populations.between(
            [p * F(rng.randint(0, 9), 10) for p in middle], [(p + 1) / 2 for p in middle]
        )
    if kind == "rows":
        first, last = rng.sample(range(k), 2)
        row = [F((j == first) - (j == last)) for j in range(k)]
        return rropt.objectives.Populations.where([(row, ">=", F(rng.randint(0, 5), 10))])
    count = {"hull": rng.randint(3, 6), "segment": 2, "point": 1, "simplex": 0}[kind]
    return rropt.objectives.Populations.hull([population(rng, k) for _ in range(count)]) if count else simplex(k)


def contrast(rng: random.Random, k: int) -> list[Fraction] | None:
    """Return None, or a contrast."""
    if rng.random() < 0.5:
        return None
    c = [F(rng.randint(-3, 3)) for _ in range(k)]
    c[0] += len(set(c)) == 1
    return c


def mixed(rng: random.Random, populations: rropt.objectives.Populations) -> Point:
    """Return a population of a polytope: a vertex, or a mixture."""
    vertices = populations.vertices
    weights = [F(rng.choice((0, 0, 1, rng.randint(1, 9)))) for _ in vertices]
    weights[rng.randrange(len(vertices))] += 1
    return tuple(
        sum(w * p for w, p in zip(weights, column, strict=True)) / sum(weights)
        for column in zip(*vertices, strict=True)
    )


def variance(found: Any, contrast: list[Any] | None, pi: Point) -> Fraction:
    """Return n times the variance of the fixed estimate at a population, by its law."""
    chances = [sum(p * x for p, x in zip(pi, row, strict=True)) for row in found.mechanism.matrix]
    total = F(0)
    for line in found.estimator:
        mean = sum(a * q for a, q in zip(line, chances, strict=True))
        total += sum(a * a * q for a, q in zip(line, chances, strict=True)) - mean**2
    return total


@pytest.mark.slow
def test_the_bracket_is_narrow_and_everything_is_as_it_says(
    rng: random.Random, size: Callable[[int, int], int]
) -> None:
    """Private and unbiased exactly; no population of the polytope above the upper end; the lower end at its own."""
    for i in range(size(6, 100)):
        k = 2 + i % size(3, 5)
        populations, c = polytope(rng, k), contrast(rng, k)
        solution = over(LEVELS[i % len(LEVELS)], populations, c)
        found: Any = solution.found
        assert solution.gap <= solution.upper / 10**8, (i, populations.to_dict(), c)
        assert solution.mechanism.parity() <= solution.problem.region.bracket(40).below.gamma
        targets = [c] if c else [[F(a == b) for b in range(k)] for a in range(k)]
        assert [
            [sum(a * row[j] for a, row in zip(line, solution.mechanism.matrix, strict=True)) for j in range(k)]
            for line in found.estimator
        ] == targets
        pi = found.population
        assert min(pi) >= 0 == sum(pi) - 1
        assert variance(found, c, pi) >= solution.problem.objective.value(solution.mechanism, pi)
        for q in (pi, *populations.vertices, *(mixed(rng, populations) for _ in range(4))):
            assert all(row.holds(q) for row in populations.rows)
            assert variance(found, c, q) <= solution.upper
        at_pi = rropt.solve(rropt.Problem(solution.problem.region, solution.problem.objective, pi), fast=True)
        assert abs(at_pi.lower - solution.lower) <= solution.lower / 10**9
        for _ in range(1):  # the optimum at any one population is no larger: the minimax theorem, from below
            q = mixed(rng, populations)
            assert (
                rropt.solve(rropt.Problem(solution.problem.region, solution.problem.objective, q), fast=True).lower
                <= solution.upper
            )


@pytest.mark.slow
def test_no_mechanism_has_a_better_worst_case(rng: random.Random, size: Callable[[int, int], int]) -> None:
    """Randomized response, subsets, the optima at single populations: each is as bad as the lower end somewhere."""
    near = 0
    for k in (2, 3, 4):
        gamma, populations, c = rng.choice((F(6, 5), F(2), F(5), F(30))), polytope(rng, k), contrast(rng, k)
        solution = over(f"log({gamma})", populations, c)
        objective, found = solution.problem.objective, solution.found
        named = [subset(k, d, gamma) for d in range(1, k)]
        region = solution.problem.region
        named += [
            rropt.solve(rropt.Problem(region, objective, q), fast=True).mechanism for q in populations.vertices[:4]
        ]
        for mechanism in named:
            assert region.contains(mechanism)
            try:
                value = objective.value(mechanism, found.population)  # type: ignore[attr-defined]
            except InfeasibleError:
                continue
            assert value >= solution.lower
            near += value < 2 * solution.lower
    assert near >= 5


def subset(k: int, d: int, gamma: Fraction) -> Mechanism:
    """Return subset selection: gamma on d of k inputs, for all such sets."""
    chosen = [set(s) for s in combinations(range(k), d)]
    rows = [[gamma if j in s else F(1) for j in range(k)] for s in chosen]
    total = sum(row[0] for row in rows)
    return Mechanism([[x / total for x in row] for row in rows])


@pytest.mark.slow
def test_a_single_population_has_its_own_optimum(rng: random.Random) -> None:
    for k in (2, 4):
        pi, c, level = population(rng, k), contrast(rng, k), rng.choice(LEVELS)
        solution = over(level, rropt.objectives.Populations.hull([pi]), c)
        alone = rropt.solve(rropt.Problem(solution.problem.region, solution.problem.objective, pi), fast=True)
        assert abs(solution.lower - alone.lower) <= alone.lower / 10**25
        assert abs(solution.upper - alone.upper) <= alone.upper / 10**9


@pytest.mark.slow
def test_smaller_polytopes_have_smaller_worst_cases(rng: random.Random) -> None:
    for k in (2, 3):
        vertices, c, level = [population(rng, k) for _ in range(4)], contrast(rng, k), rng.choice(LEVELS)
        ends = [over(level, rropt.objectives.Populations.hull(vertices[:count]), c) for count in (1, 2, 4)]
        for smaller, larger in zip(ends, [*ends[1:], over(level, simplex(k), c)], strict=True):
            assert smaller.lower <= larger.upper


@pytest.mark.slow
def test_the_same_polytope_by_vertices_ranges_and_rows(rng: random.Random) -> None:
    low, high = [F(1, 10), F(0), F(1, 5)], [F(1, 2), F(1, 2), F(3, 4)]
    box = rropt.objectives.Populations.between(low, high)
    unit = [[int(i == j) for i in range(3)] for j in range(3)]
    ends = [
        *((u, ">=", a) for u, a in zip(unit, low, strict=True)),
        *((u, "<=", b) for u, b in zip(unit, high, strict=True)),
    ]
    rows = rropt.objectives.Populations.where(ends)
    assert set(box.vertices) == set(rows.vertices)
    corners = list(product(*zip(low, high, strict=True)))
    assert len(box.vertices) > 3
    assert all(v not in corners or sum(v) == 1 for v in box.vertices)
    for c in (None, [1, 0, -1]):
        values = [over("1", each, c).upper for each in (box, rows, rropt.objectives.Populations.hull(box.vertices))]
        assert max(values) - min(values) <= values[0] / 10**9


@pytest.mark.slow
def test_another_solver_at_single_populations(rng: random.Random) -> None:
    """The upper level alone: cutting planes over the optima at single populations (concave), by linear programs."""
    k, level = 3, "log(4)"
    populations = rropt.objectives.Populations.hull([population(rng, k) for _ in range(4)])
    solution = over(level, populations)
    vertices = np.array([[float(p) for p in v] for v in populations.vertices])
    weights, cuts, best = np.full(len(vertices), 1 / len(vertices)), [], 0.0
    for _ in range(25):
        pi = tuple(F(float(x)).limit_denominator(10**9) for x in weights @ vertices)
        pi = (*pi[:-1], 1 - sum(pi[:-1]))
        alone = rropt.solve(rropt.Problem(solution.problem.region, AOptimality(), pi), fast=True)
        best = max(best, float(alone.lower))
        inverse = np.linalg.inv(information(alone.mechanism, pi))
        rows = np.array(alone.mechanism.matrix, dtype=float)
        means = rows @ np.array(pi, dtype=float)
        slope = (((rows @ inverse) ** 2).sum(1) / means**2) @ rows - 2 * np.array(pi, dtype=float)
        cuts.append((vertices @ slope, float(alone.upper) - slope @ np.array(pi, dtype=float)))
        found = linprog(
            [-1.0, *[0.0] * len(vertices)],
            A_ub=np.array([[1.0, *-line] for line, _ in cuts]),
            b_ub=[value for _, value in cuts],
            A_eq=[[0.0, *[1.0] * len(vertices)]],
            b_eq=[1.0],
            bounds=[(None, None), *[(0, 1)] * len(vertices)],
        )
        weights = np.maximum(found.x[1:], 0) / np.maximum(found.x[1:], 0).sum()
        if -found.fun - best < 1e-7 * best:
            break
    assert best <= float(solution.upper) * (1 + 1e-12)
    assert best == pytest.approx(float(solution.upper), rel=1e-5)
    assert -found.fun >= float(solution.lower) * (1 - 1e-9)


def information(mechanism: Mechanism, pi: Point) -> np.ndarray:
    """Return M in floats."""
    rows = np.array(mechanism.matrix, dtype=float)
    return (rows / (rows @ np.array(pi, dtype=float))[:, None]).T @ rows


@pytest.mark.slow
def test_extreme_levels() -> None:
    box = rropt.objectives.Populations.between(["1/2", 0, 0], [1, "1/3", "1/3"])
    for level in ("1/1000000", "20"):
        for c in (None, [1, 0, -1]):
            solution = over(level, box, c)
            assert solution.gap <= solution.upper / 10**6
    tiny = float(over("1/1000000", simplex(3)).upper)
    assert tiny == pytest.approx(4 / 3 * 9 / 2 * 1e12, rel=1e-5)
    assert float(over("20", simplex(3)).upper) == pytest.approx(2 / 3, rel=1e-6)
    assert log(exp(1)) == 1


def test_what_it_says_and_guarantees() -> None:
    solution = over("log(7)", rropt.objectives.Populations.between(["1/2", 0, 0], [1, 1, 1]))
    found: Any = solution.found
    assert solution.value == F(35, 24)
    assert found.guaranteed(100) == F(35, 2400)
    assert found.population == (F(1, 2), F(1, 4), F(1, 4))
    data = solution.to_dict()
    assert data["least_favourable"] == ["1/2", "1/4", "1/4"]
    assert data["decimals"]["least_favourable"] == [0.5, 0.25, 0.25]
    assert len(data["estimator"]) == 3
    again = rropt.designs.Solution.from_dict(data)
    assert {**again.to_dict(), "twins": data["twins"]} == data  # they are left to the first access
    assert "least favourable distribution" in str(solution)
    assert "no closed form" in solution.to_sympy().why
    assert solution.twins.sympy.value == "35/24"
    assert solution.twins.sympy.agrees == "equal"
    with pytest.raises(InvalidParameterError, match="number of respondents"):
        found.guaranteed(0)


def test_the_command_line(cli_json: Callable[..., dict], cli: Callable[..., Any], tmp_path: Path) -> None:
    proof, page, made = (tmp_path / name for name in ("proof.json", "page.html", "made.json"))
    line = ("design", "kary", "--epsilon", "log(7)", "--objective")
    files = ("--certificate", str(proof), "--report", str(page), "--output", str(made))
    data = cli_json(*line, "a-optimal", "--proportions", "1/2..1,0..1,0..1", *files)
    assert rropt.check(proof)
    assert (data["value"], data["least_favourable"]) == ("35/24", ["1/2", "1/4", "1/4"])
    assert rropt.mechanisms.load_mechanism(made).parity() == 7
    assert "least favourable distribution" in page.read_text()
    problem = tmp_path / "problem.json"
    text = rropt.designs.Problem(
        rropt.privacy.PrivacyRegion("log(7)", inputs=3, outputs="any"),
        AOptimality(),
        {"rows": [([1, 0, 0], ">=", "1/2")]},
    ).to_json()
    problem.write_text(text)
    assert cli_json("design", "problem", str(problem))["value"] == "35/24"
    assert rropt.solve(Problem.kary(epsilon="log(7)", objective="a-optimal", population="1/2..1,0..1,0..1")).value == F(
        35, 24
    )
    status, out, _ = cli("check", str(proof))
    assert status == 0
    words = " ".join(out.split())
    assert "in the worst case over the distributions x with [1, 0, 0].x >= 1/2" in words
    assert "lies in [35/24, 35/24]" in words
