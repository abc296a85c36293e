"""Designs with k inputs and any number of outputs: a mechanism, and a dual over all staircase rows (FORMAT.md, rule 5).

Let M = sum_i p_i p_i^T / (p_i . pi) over the rows p_i of a mechanism, and s = S . pi for a staircase row S in {1,
gamma}^k. The bounds are

    a-optimal   upper = tr X - pi . pi, M X = I        lower = (tr W)^2 / sum alpha - pi . pi
    c-optimal   upper = c . z - (c . pi)^2, M z = c    lower = (c . w)^2 / sum alpha - (c . pi)^2

The mechanism must be private at gamma.below, and ``abs(S W)^2 <= (alpha . S) s`` for all 2^k rows S at gamma.above (w
is a W with one column).

1. The rows of a mechanism are nonnegative combinations of staircase rows. Hence the inequality gives tr(W W^T M) <= sum
alpha.
2. For every t, tr M^-1 >= 2 t tr W - t^2 tr(W W^T M). The best t gives the lower bound.

Everything is decided in integers over common denominators. ``pattern_divergences`` treats the distance of two
distributions of outputs and the information of outputs, and ``pattern_ellipsoids`` treats D- and E-optimality.

With two inputs delta may be positive. Then a row may also be (1, 0) or (0, 1). Its excess over gamma times the other
entry costs x_j, which adds delta (x_0 + x_1) in total. For two inputs, n Var of a proportion is half the trace.
"""

from fractions import Fraction
from math import gcd
from typing import Any

from .brackets import uniform_level
from .documents import Budget, Rejected, fields, items, of_kind
from .limits import MAX_ENTRIES, MAX_PARAMETER_DIGITS, MAX_PATTERN_INPUTS
from .matrices import (
    Vector,
    columns,
    matrix_over_one_denominator,
    multiply,
    over_one_denominator,
    read_matrix,
    read_mechanism,
    read_population,
    require_sum,
)
from .pattern_divergences import DIVERGENCES, Design, require_patterns
from .pattern_ellipsoids import check_determinant, check_eigenvalue
from .polynomials import whole
from .regions import require_excess, require_parity

EXPLAINED = {
    "pattern": "Every row of a private mechanism is a mixture of staircase rows. The checker tested the inequality"
    " behind the bound for all of them (with delta > 0 and two inputs also for outputs that only one input gives). It "
    "computed the value of the mechanism (a variance by an inverse or a linear system, logarithms by enclosures).",
}

_Square = tuple[list[list[int]], int]  # rows of integers over a common denominator


def check_pattern(problem: Any, claim: Any, witness: Any) -> str:
    """Check a claim of kind design-bracket for an objective with k inputs and any number of outputs."""
    budget = Budget()
    data, objective, shares = fields(problem, ["region", "objective", "population"], "problem")
    lower, upper, made = of_kind(claim, "design-bracket", ["lower", "upper", "mechanism"], "claim")
    parts = ["rule", "gamma", "delta", "dual", "patterns", "primal", "logarithms"]
    _, gamma, delta, *proof = fields(witness, parts, "witness")
    level = uniform_level(data, gamma, delta, budget)
    kind = str(objective.get("kind")) if isinstance(objective, dict) else ""
    k = whole(level.sizes[0], "inputs", MAX_ENTRIES if kind == "total-variation" else MAX_PATTERN_INPUTS, 2)
    m = None if level.sizes[1] == "any" else whole(level.sizes[1], "outputs", MAX_ENTRIES, 2)
    if level.family != "all" or (level.has_delta and (k > 2 or kind not in ("a-optimal", "variance"))):
        raise Rejected("the pattern rule needs a region with delta 0, or a variance of two inputs, and family all")
    if not level.has_delta and level.gamma.above == 1:
        raise Rejected("the pattern rule needs gamma above 1 where delta is 0")
    pi = over_one_denominator(read_population(shares, k, budget), budget)
    budget.spend_in_bulk(k, pi.bits, pi.bits)
    matrix = read_mechanism(made, "the mechanism", budget, (m, k))
    read = columns(matrix, "the mechanism", budget)
    if level.has_delta:
        require_excess(read, level, budget)
    else:
        require_parity(level.gamma.below, read, budget)
    if kind == "variance" and (k != 2 or m == 2):
        raise Rejected("the pattern rule takes the variance with two inputs and not two outputs")
    rows = [over_one_denominator(row, budget) for row in matrix]
    ends = budget.number(lower, "lower"), budget.number(upper, "upper")
    design = Design(objective, level, pi, rows, *ends, *proof)
    if kind in ("d-optimal", "e-optimal"):
        if design.patterns != {"kind": "enumeration"}:
            raise Rejected("patterns are not enumerated")
        check = check_determinant if kind == "d-optimal" else check_eigenvalue
        check(design, _information(rows, pi, budget), budget)
        return level.tier
    DIVERGENCES.get(kind, _check_contrast if kind == "c-optimal" else _check_trace)(design, budget)
    return level.tier


def _check_trace(design: Design, budget: Budget) -> None:
    """Check the bracket of the trace of the covariance, or of n Var of one of two inputs, which is half the trace."""
    pi = design.pi
    is_variance = design.objective == {"kind": "variance"}
    if not is_variance:
        of_kind(design.objective, "a-optimal", [], "objective")
    design.require_enumerated()
    times = 2 if is_variance else 1
    spread = require_trace(pi, design.rows, design.primal, times * design.upper, budget)
    w, scale, *total = _bound(design, "matrix", budget)
    trace = sum(row[i] for i, row in enumerate(w))
    bound = trace**2 * total[1], scale**2 * total[0]
    require_sum([bound, spread], times * design.lower, "lower is not the bound of the dual", budget)


def _check_contrast(design: Design, budget: Budget) -> None:
    """Check the bracket of the variance of a contrast c . pi."""
    design.require_enumerated()
    c, square = require_contrast(design.objective, design.pi, design.rows, design.primal, design.upper, budget)
    w, scale, *total = _bound(design, "vector", budget)
    along = sum(a * row[0] for a, row in zip(c.numerators, w, strict=True))
    bound = along**2 * total[1], (scale * c.denominator) ** 2 * total[0]
    require_sum([bound, square], design.lower, "lower is not the bound of the dual", budget)


def require_trace(pi: Vector, rows: list[Vector], primal: Any, value: Fraction, budget: Budget) -> tuple[int, int]:
    """Reject unless ``tr M^-1 - pi . pi`` equals the value; return ``-pi . pi``."""
    k = len(pi.numerators)
    (inverse,) = fields(primal, ["inverse"], "primal")
    x, divisor = matrix_over_one_denominator(read_matrix(inverse, "the inverse", budget, (k, k)), budget)
    information, scale = _information(rows, pi, budget)
    one = scale * divisor
    product = multiply(information, x, budget)
    if any(entry != one * (i == j) for i, row in enumerate(product) for j, entry in enumerate(row)):
        raise Rejected("the inverse is not that of the mechanism's information")
    spread = -sum(share * share for share in pi.numerators), pi.denominator**2
    trace = sum(row[i] for i, row in enumerate(x)), divisor
    require_sum([trace, spread], value, "upper is not the value of the mechanism", budget)
    return spread


def require_contrast(
    objective: Any, pi: Vector, rows: list[Vector], primal: Any, value: Fraction, budget: Budget
) -> tuple[Vector, tuple[int, int]]:
    """Reject unless ``c . z - (c . pi)^2`` with M z = c equals the value; return c and ``-(c . pi)^2``."""
    k = len(pi.numerators)
    (texts,) = of_kind(objective, "c-optimal", ["contrast"], "objective")
    entries = [budget.number(text, "the contrast", MAX_PARAMETER_DIGITS) for text in items(texts, "contrast", count=k)]
    c = over_one_denominator(entries, budget)
    if not any(c.numerators):
        raise Rejected("the contrast is 0")
    (solution,) = fields(primal, ["solution"], "primal")
    (line,) = read_matrix([solution], "the solution", budget, (1, k))
    z = over_one_denominator(line, budget)
    information, scale = _information(rows, pi, budget)
    product = multiply(information, [[entry] for entry in z.numerators], budget)
    one = scale * z.denominator
    budget.spend(2 * k, one.bit_length(), c.bits)
    if any(row[0] * c.denominator != x * one for row, x in zip(product, c.numerators, strict=True)):
        raise Rejected("the solution is not that of the mechanism's information")
    budget.spend(4 * k, max(z.bits, pi.bits), c.bits)
    mean = sum(a * b for a, b in zip(c.numerators, pi.numerators, strict=True))
    square = -(mean**2), (c.denominator * pi.denominator) ** 2
    found = sum(a * b for a, b in zip(c.numerators, z.numerators, strict=True)), c.denominator * z.denominator
    require_sum([found, square], value, "upper is not the value of the mechanism", budget)
    return c, square


def _information(rows: list[Vector], pi: Vector, budget: Budget) -> _Square:
    """Return M. For p = c q / r, q integers without a common divisor, p p^T / (p . pi) = c q q^T / (r (q . pi))."""
    k = len(pi.numerators)
    parts, weights = [], []
    for row in rows:
        budget.spend(4 * k, row.bits, row.bits + pi.bits)
        content = gcd(*row.numerators)
        if content:  # a row of zeros is an output that never occurs
            q = [entry // content for entry in row.numerators]
            mean = sum(a * b for a, b in zip(q, pi.numerators, strict=True))
            if not mean:
                raise Rejected("an output has chance 0 though an input has it: the information is infinite")
            parts.append(q)
            weights.append(Fraction(content * pi.denominator, row.denominator * mean))
    w = over_one_denominator(weights, budget)
    longest = max(row.bits for row in rows)
    budget.spend(len(parts) * k, w.bits, longest)
    weighted = [[weight * entry for entry in q] for weight, q in zip(w.numerators, parts, strict=True)]
    return multiply([list(column) for column in zip(*parts, strict=True)], weighted, budget), w.denominator


def _bound(design: Design, name: str, budget: Budget) -> tuple[list[list[int]], int, int, int]:
    """Return W, its denominator, and sum alpha + delta sum x as a fraction; reject a dual that is not valid."""
    level, pi = design.level, design.pi
    names = ["alpha", name, "excess"] if level.has_delta else ["alpha", name]
    texts, matrix, *beyond = fields(design.dual, names, "dual")
    k, delta = len(pi.numerators), level.delta.above
    if name == "vector":
        read = [[entry] for entry in read_matrix([matrix], "the dual's vector", budget, (1, k))[0]]
    else:
        read = read_matrix(matrix, "the dual's matrix", budget, (k, k))
    w, scale = matrix_over_one_denominator(read, budget)
    together, unit = matrix_over_one_denominator(
        read_matrix([texts, *beyond], "alpha", budget, (1 + len(beyond), k)), budget
    )
    alpha, *slopes = together
    scales = unit * pi.denominator, scale**2
    require_patterns(w, alpha, pi.numerators, level.gamma.above, scales, budget)
    total = delta.denominator * sum(alpha)
    for x in slopes:
        _require_outer(w, [a + b for a, b in zip(alpha, x, strict=True)], pi.numerators, scales, budget)
        if min(x) < 0:
            raise Rejected("an excess costs less than nothing")
        total += delta.numerator * sum(x)
    if total <= 0:
        raise Rejected("alpha does not sum to a positive number")
    return w, scale, total, unit * delta.denominator


def _require_outer(
    w: list[list[int]], alpha: list[int], pi: list[int], scales: tuple[int, int], budget: Budget
) -> None:
    """Reject unless ``abs(S w)^2 scales[0] <= (alpha . S)(pi . S) scales[1]`` for S = (1, 0) and (0, 1)."""
    longest = max(abs(entry).bit_length() for entry in (*(e for row in w for e in row), *alpha, *pi, *scales))
    budget.spend(8, longest, longest)
    for row, a, p in zip(w, alpha, pi, strict=True):
        if sum(x * x for x in row) * scales[0] > a * p * scales[1]:
            raise Rejected("the dual fails at an answer that only one input gives")
