"""Design problems with k inputs: their programs written down naively, honest certificates, what is true of any."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

from rropt.core.certificates import Certificate
from rropt.core.exact import Delta, Epsilon
from rropt.core.linear import Infeasible, LinearProgram, Optimal, ProgramBuilder, solve
from rropt.designs.certificates.linear_designs import certify_design, certify_infeasible_design
from rropt.mechanisms import Mechanism
from rropt.privacy.region import LevelPart, RationalLevel, RationalLevels

F = Fraction
Document = dict[str, Any]
Gammas = Callable[[int, int], Fraction | None]


def uniform(k: int, m: int, epsilon: str, delta: str = "0") -> Document:
    """Return the region of one level."""
    level = {"epsilon": Epsilon.of(epsilon).to_dict(), "delta": Delta.of(delta).to_dict(), "family": "all"}
    return {"kind": "differential-privacy", "inputs": str(k), "outputs": str(m), **level}


def pairwise(m: int, levels: list[list[str | None]]) -> Document:
    """Return the region of a level for each pair."""
    written = [
        {"epsilon": Epsilon.of(level).to_dict(), "delta": "0", "pairs": [[str(j), str(i)]]}
        for j, line in enumerate(levels)
        for i, level in enumerate(line)
        if level is not None
    ]
    return {"kind": "privacy-levels", "inputs": str(len(levels)), "outputs": str(m), "levels": written}


def by_distance(k: int, m: int, epsilon: str) -> Document:
    """Return the region with level ``abs(j - l) epsilon``, epsilon rational, for each pair."""
    return pairwise(m, [[None if j == i else str(abs(j - i) * F(epsilon)) for i in range(k)] for j in range(k)])


def bounded(region: Document, least: list[list[Any]], most: list[list[Any]]) -> Document:
    """Return the region with bounds on the entries."""
    texts = {name: [[str(F(x)) for x in row] for row in rows] for name, rows in (("least", least), ("most", most))}
    return {"kind": "bounded", "region": region, **texts}


def trace(region: Document, weights: list[Any]) -> Document:
    """Return the problem of the largest weighted trace; the population does not matter."""
    k = len(weights)
    objective = {"kind": "trace", "weights": [str(F(w)) for w in weights]}
    return {"region": region, "objective": objective, "population": [str(F(1, k))] * k}


def loss(region: Document, matrix: list[list[Any]], population: list[Any]) -> Document:
    """Return the problem of the least expected loss."""
    objective = {"kind": "loss", "matrix": [[str(F(x)) for x in row] for row in matrix]}
    return {"region": region, "objective": objective, "population": [str(F(p)) for p in population]}


def inner(problem: Document) -> Document:
    """Return the region without bounds."""
    region = problem["region"]
    return region["region"] if region["kind"] == "bounded" else region


def shape(problem: Document) -> tuple[int, int]:
    """Return m, k."""
    return int(inner(problem)["outputs"]), int(inner(problem)["inputs"])


@cache
def _gamma(items: tuple[tuple[str, str], ...], digits: int) -> tuple[Fraction, Fraction]:
    return tuple(Epsilon.from_dict(dict(items)).gamma_bracket(digits))  # type: ignore[return-value]


def levels(problem: Document, digits: int) -> RationalLevels:
    """Return rational levels around those of a problem."""
    region = inner(problem)
    if region["kind"] == "privacy-levels":
        parts = []
        for level in region["levels"]:
            low, high = (RationalLevel(gamma, F(0)) for gamma in _gamma(tuple(level["epsilon"].items()), digits))
            parts.append(LevelPart(low, high, tuple((int(j), int(i)) for j, i in level["pairs"])))
        return RationalLevels(tuple(parts))
    gamma, delta = _gamma(tuple(region["epsilon"].items()), digits), Delta.from_dict(region["delta"]).bracket(digits)
    return RationalLevels.single(RationalLevel(gamma[0], delta.lower), RationalLevel(gamma[1], delta.upper))


def at_end(bracket: RationalLevels, end: str) -> tuple[Gammas, Fraction]:
    """Return gamma of a pair, and delta, at one end."""
    if not bracket.is_single:
        gammas = {part.pairs: getattr(part, end).gamma for part in bracket.listed}
        return lambda j, i: gammas.get(((j, i),)), F(0)
    level: RationalLevel = getattr(bracket, end)
    return lambda j, i: level.gamma, level.delta


def costs(problem: Document) -> list[list[Fraction]]:
    """Return the coefficient of every p_ij in the objective."""
    m, k = shape(problem)
    objective = problem["objective"]
    if objective["kind"] == "trace":
        return [[F(objective["weights"][i]) if i == j else F(0) for j in range(k)] for i in range(m)]
    return [[F(problem["population"][j]) * F(objective["matrix"][i][j]) for j in range(k)] for i in range(m)]


def programme(problem: Document, gamma: Gammas, delta: Fraction) -> LinearProgram:
    """Return the program of a linear design, its rows labelled by their names (``certificates.linear_designs``)."""
    (m, k), region, cost = shape(problem), inner(problem), costs(problem)
    builder = ProgramBuilder("maximise" if problem["objective"]["kind"] == "trace" else "minimise")
    p = [[builder.variable(f"p[{i},{j}]", cost=cost[i][j]) for j in range(k)] for i in range(m)]
    ordered = [(j, other) for j in range(k) for other in range(k) if j != other]
    for j in range(k):
        builder.row(f"sum {j}", {p[i][j]: 1 for i in range(m)}, "=", 1)
    if region["kind"] == "privacy-levels":
        for i in range(m):
            for j, other in ordered:
                factor = gamma(j, other)
                if factor is not None:
                    builder.row(f"pair {i},{j},{other}", {p[i][other]: factor, p[i][j]: -1}, ">=", 0)
    elif region["delta"] == "0":
        t = [builder.variable(f"t[{i}]") for i in range(m)]
        for i in range(m):
            for j in range(k):
                builder.row(f"lower {i},{j}", {p[i][j]: 1, t[i]: -1}, ">=", 0)
        for i in range(m):
            for j in range(k):
                builder.row(f"upper {i},{j}", {t[i]: gamma(0, 1) or 0, p[i][j]: -1}, ">=", 0)
    else:
        e = {(i, pair): builder.variable(f"e[{i},{pair}]") for i in range(m) for pair in ordered}
        for i in range(m):
            for j, other in ordered:
                terms = {e[i, (j, other)]: 1, p[i][j]: -1, p[i][other]: gamma(j, other) or 0}
                builder.row(f"excess {i},{j},{other}", terms, ">=", 0)
        for j, other in ordered:
            builder.row(f"total {j},{other}", {e[i, (j, other)]: 1 for i in range(m)}, "<=", delta)
    if problem["region"]["kind"] == "bounded":
        for name, relation in (("least", ">="), ("most", "<=")):
            for i in range(m):
                for j in range(k):
                    builder.row(f"{name} {i},{j}", {p[i][j]: 1}, relation, F(problem["region"][name][i][j]))  # type: ignore[arg-type]
    return builder.build()


def named(program: LinearProgram, multipliers: Sequence[Fraction]) -> dict[tuple[Any, ...], Fraction]:
    """Return multipliers by the names of the rows."""
    words = (row.label.split() for row in program.rows)
    names = ((word, *map(int, at.split(","))) for word, at in words)
    return dict(zip(names, multipliers, strict=True))


def certificate(problem: Document, digits: int = 24) -> Certificate:
    """Return the certificate that exact linear programming finds: of a bracket, or of infeasibility."""
    bracket = levels(problem, digits)
    program = programme(problem, *at_end(bracket, "above"))
    above = solve(program)
    if isinstance(above, Infeasible):
        return certify_infeasible_design(problem, bracket, named(program, above.farkas))
    below = solve(programme(problem, *at_end(bracket, "below")))
    assert isinstance(above, Optimal)
    assert isinstance(below, Optimal)
    m, k = shape(problem)
    matrix = [below.primal[i * k : i * k + k] for i in range(m)]
    lower, upper = sorted((above.value, below.value))
    dual = named(program, above.dual)
    mechanism = Mechanism(matrix)
    return certify_design(problem, bracket, lower=lower, upper=upper, mechanism=mechanism, dual=dual)


def largest_trace(k: int, epsilon: str, delta: str = "0") -> Certificate:
    """Return the certificate of ``k (gamma + delta (k - 1)) w``, ``w = 1/(gamma + k - 1)``, by a dual.

    alpha_j = w gamma; with delta excess_j,jl = -w and total_jl = w, else low_ij = -w gamma and high_ii = -w (k - 1).
    """
    problem = trace(uniform(k, k, epsilon, delta), [1] * k)
    bracket = levels(problem, 24)
    gamma = bracket.above.gamma
    w, others = 1 / (gamma + k - 1), [(j, other) for j in range(k) for other in range(k) if j != other]
    dual: dict[tuple[Any, ...], Fraction] = {("sum", j): w * gamma for j in range(k)}
    if delta == "0":
        dual |= {("lower", *pair): -w * gamma for pair in others}
        dual |= {("upper", j, j): -w * (k - 1) for j in range(k)}
    else:
        dual |= {("excess", j, j, other): -w for j, other in others}
        dual |= {("total", *pair): w for pair in others}
    lower, upper = (k * (x.gamma + x.delta * (k - 1)) / (x.gamma + k - 1) for x in (bracket.below, bracket.above))
    g, d = bracket.below.gamma, bracket.below.delta
    rest = (1 - d) / (g + k - 1)
    mechanism = Mechanism([[rest * g + d if i == j else rest for j in range(k)] for i in range(k)])
    return certify_design(problem, bracket, lower=lower, upper=upper, mechanism=mechanism, dual=dual)


# What is true.


def value(problem: Document, matrix: list[list[Fraction]]) -> Fraction:
    """Return the objective at a mechanism."""
    cost = costs(problem)
    return sum((c * x for row, line in zip(cost, matrix, strict=True) for c, x in zip(row, line, strict=True)), F(0))


EPSILONS = ["log(2)", "log(5/3)", "1/2", "1", "1/3*log(5)", "0"]


def problem(rng: random.Random, most_inputs: int = 3) -> Document:
    """Return a random problem: every kind of region, both objectives, feasible or not."""
    k = rng.randint(2, most_inputs)
    objective = rng.choice(["trace", "loss"])
    m = k if objective == "trace" else rng.randint(2, most_inputs)
    kind = rng.choice(["parity", "excess", "pairwise", "distance"])
    if kind == "pairwise":
        drawn = [[None if j == i or rng.random() < 0.3 else rng.choice(EPSILONS) for i in range(k)] for j in range(k)]
        region = pairwise(m, drawn)
    elif kind == "distance":
        region = by_distance(k, m, rng.choice(["1/2", "1/7", "2"]))
    else:
        delta = rng.choice(["1/10", "exp(-3)", "3/4"]) if kind == "excess" else "0"
        region = uniform(k, m, rng.choice(EPSILONS), delta)
    if rng.random() < 0.5:
        least = [[rng.choice([0, 0, F(1, 10), F(1, 6)]) for _ in range(k)] for _ in range(m)]
        most = [[rng.choice([1, 1, F(3, 5), F(4, 7)]) for _ in range(k)] for _ in range(m)]
        if rng.random() < 0.5:
            least[0][0] = F(9, 10)
            most[0][0] = F(1)
        region = bounded(region, least, most)
    if objective == "trace":
        return trace(region, [F(rng.randint(-1, 5), rng.choice([1, 3])) for _ in range(k)])
    shares = [rng.randint(0, 3) for _ in range(k - 1)] + [1]
    matrix = [[F(rng.randint(-2, 5), rng.choice([1, 2, 7])) for _ in range(k)] for _ in range(m)]
    return loss(region, matrix, [F(share, sum(shares)) for share in shares])
