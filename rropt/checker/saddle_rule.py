"""Minimax designs over a polytope of distributions, proved by a saddle point (FORMAT.md, rule 15).

Let T be an unbiased estimate of the proportions from one response of the mechanism P: T P = I, or t P = c for a
contrast. At a distribution q, n times its variance is

    a-optimal   sum_i abs(T_i)^2 (p_i . q) - q . q          c-optimal   sum_i t_i^2 (p_i . q) - (c . q)^2

1. The variance is concave in q, so it is at most its tangent at a distribution pi.
2. The tangent is linear. Its maximum over the polytope is at a vertex, or it is bounded by multipliers of the rows.
This bound is ``upper``.
3. ``lower`` is the bound of rule 5 at pi, which lies in the polytope. No mechanism has a smaller variance at pi, even
with an estimator made for pi.
"""

from fractions import Fraction
from typing import Any

from .brackets import uniform_level
from .documents import Budget, Rejected, bits_of, fields, items, of_kind
from .limits import MAX_ENTRIES, MAX_PARAMETER_DIGITS, MAX_PATTERN_INPUTS
from .matrices import (
    Rows,
    columns,
    matrix_over_one_denominator,
    multiply,
    over_one_denominator,
    read_matrix,
    read_mechanism,
    read_population,
    require_distribution,
)
from .pattern_divergences import require_patterns
from .polynomials import whole
from .regions import require_parity

EXPLAINED = {
    "saddle": "At one distribution of the polytope no mechanism has a smaller variance. (Every row of a private "
    "mechanism is a mixture of staircase rows, and the checker tested the inequality behind the bound for all of "
    "them.) One unbiased estimator from the mechanism has at most this variance on the whole polytope, by its tangent "
    "at that distribution.",
}

Numbers = list[Fraction]


def check_saddle(problem: Any, claim: Any, witness: Any) -> str:
    """Check a claim of kind design-bracket about the worst case over a polytope of distributions."""
    budget = Budget()
    data, objective, polytope = fields(problem, ["region", "objective", "population"], "problem")
    lower_text, upper_text, made = of_kind(claim, "design-bracket", ["lower", "upper", "mechanism"], "claim")
    parts = ["rule", "gamma", "delta", "dual", "population", "weights", "estimator", "multipliers"]
    _, gamma, delta, dual, least, weights, estimator, multipliers = fields(witness, parts, "witness")
    level = uniform_level(data, gamma, delta, budget)
    k = whole(level.sizes[0], "inputs", MAX_PATTERN_INPUTS, 2)
    m = None if level.sizes[1] == "any" else whole(level.sizes[1], "outputs", MAX_ENTRIES, 2)
    if level.family != "all" or level.has_delta or level.gamma.above == 1:
        raise Rejected("the saddle rule needs a region with delta 0, gamma above 1, and family all")
    contrast = _contrast(objective, k, budget)
    pi = read_population(least, k, budget, "the witness's population")
    lower, upper = budget.number(lower_text, "lower"), budget.number(upper_text, "upper")
    if lower != _bound(dual, pi, contrast, level.gamma.above, budget):
        raise Rejected("lower is not the bound of the dual")
    matrix = read_mechanism(made, "the mechanism", budget, (m, k))
    require_parity(level.gamma.below, columns(matrix, "the mechanism", budget), budget)
    tangent = _tangent(matrix, estimator, pi, contrast, budget)
    if isinstance(polytope, dict) and "rows" in polytope:
        if weights is not None:
            raise Rejected("weights stand beside rows")
        largest = _over_rows(polytope, multipliers, pi, tangent, budget)
    else:
        if multipliers is not None:
            raise Rejected("multipliers stand beside vertices")
        largest = _over_vertices(polytope, weights, pi, tangent, budget)
    if upper != largest:
        raise Rejected("upper is not the largest value of the tangent")
    return level.tier


def _contrast(objective: Any, k: int, budget: Budget) -> Numbers | None:
    """Return c, or None for a-optimal."""
    if isinstance(objective, dict) and objective.get("kind") == "c-optimal":
        (texts,) = of_kind(objective, "c-optimal", ["contrast"], "objective")
        c = [budget.number(text, "the contrast", MAX_PARAMETER_DIGITS) for text in items(texts, "contrast", count=k)]
        if not any(c):
            raise Rejected("the contrast is 0")
        return c
    of_kind(objective, "a-optimal", [], "objective")
    return None


def _dot(left: Numbers, right: Numbers, budget: Budget) -> Fraction:
    """Return the scalar product; each step is charged by the current lengths of its numbers."""
    total = Fraction(0)
    for x, y in zip(left, right, strict=True):
        a, b, c = bits_of(x), bits_of(y), bits_of(total)
        budget.spend(2, max(a + b, c), max(a + b, c))
        total += x * y
    return total


def _bound(dual: Any, pi: Numbers, contrast: Numbers | None, gamma: Fraction, budget: Budget) -> Fraction:
    """Return the bound of rule 5 at pi; reject the dual unless it is valid for all staircase rows at gamma."""
    k, name = len(pi), "matrix" if contrast is None else "vector"
    texts, found = fields(dual, ["alpha", name], "dual")
    if contrast is None:
        w = read_matrix(found, "the dual's matrix", budget, (k, k))
        along = sum((w[j][j] for j in range(k)), Fraction(0))
    else:
        (line,) = read_matrix([found], "the dual's vector", budget, (1, k))
        w, along = [[entry] for entry in line], _dot(contrast, line, budget)
    (alpha,) = read_matrix([texts], "alpha", budget, (1, k))
    rows, scale = matrix_over_one_denominator(w, budget)
    sides, shares = over_one_denominator(alpha, budget), over_one_denominator(pi, budget)
    scales = sides.denominator * shares.denominator, scale**2
    require_patterns(rows, sides.numerators, shares.numerators, gamma, scales, budget)
    total = Fraction(sum(sides.numerators), sides.denominator)
    if total <= 0:
        raise Rejected("alpha does not sum to a positive number")
    budget.spend(4, 2 * bits_of(along), bits_of(total))
    less = _dot(pi, pi, budget) if contrast is None else _dot(contrast, pi, budget) ** 2
    return along**2 / total - less


def _tangent(matrix: Rows, data: Any, pi: Numbers, contrast: Numbers | None, budget: Budget) -> Numbers:
    """Return t such that t . q is the tangent at pi (constants are multiplied by sum q = 1)."""
    k, m = len(pi), len(matrix)
    estimator = read_matrix(data, "the estimator", budget, (k if contrast is None else 1, m))
    left, scale = matrix_over_one_denominator(estimator, budget)
    right, divisor = matrix_over_one_denominator(matrix, budget)
    product = multiply(left, right, budget)
    targets = [contrast] if contrast else [[Fraction(i == j) for j in range(k)] for i in range(k)]
    budget.spend(k * len(left), scale.bit_length(), divisor.bit_length())
    if any(
        entry != target * scale * divisor
        for row, wanted in zip(product, targets, strict=True)
        for entry, target in zip(row, wanted, strict=True)
    ):
        raise Rejected("the estimator is not unbiased")
    longest = max(abs(entry).bit_length() for row in left for entry in row)
    budget.spend(m * len(left), longest, longest)
    squares = [[sum(row[i] ** 2 for row in left) for i in range(m)]]
    (sums,) = multiply(squares, right, budget)
    one = scale**2 * divisor
    budget.spend(4 * k, one.bit_length(), one.bit_length())
    values = [Fraction(each, one) for each in sums]
    if contrast is None:
        square = _dot(pi, pi, budget)
        return [x - 2 * p + square for x, p in zip(values, pi, strict=True)]
    mean = _dot(contrast, pi, budget)
    return [x - 2 * mean * c + mean**2 for x, c in zip(values, contrast, strict=True)]


def _over_vertices(polytope: Any, data: Any, pi: Numbers, tangent: Numbers, budget: Budget) -> Fraction:
    """Return the maximum of the tangent over the vertices; reject unless pi is their mean with the weights."""
    (listed,) = fields(polytope, ["vertices"], "population")
    given = items(listed, "population's vertices", most=MAX_ENTRIES)
    if not given:
        raise Rejected("population has no vertices")
    vertices = [read_population(vertex, len(pi), budget, "a vertex of the population") for vertex in given]
    weights = [budget.number(text, "a weight") for text in items(data, "the weights", count=len(vertices))]
    together = over_one_denominator(weights, budget)
    require_distribution(together.numerators, together.denominator, "the list of weights")
    for j, share in enumerate(pi):
        if _dot(weights, [vertex[j] for vertex in vertices], budget) != share:
            raise Rejected("the witness's population is not the mean of the vertices")
    return max(_dot(tangent, vertex, budget) for vertex in vertices)


def _over_rows(polytope: Any, data: Any, pi: Numbers, tangent: Numbers, budget: Budget) -> Fraction:
    """Return the upper bound of the tangent that the multipliers prove; reject unless pi satisfies the rows."""
    (listed,) = fields(polytope, ["rows"], "population")
    given = items(listed, "population's rows", most=MAX_ENTRIES)
    multipliers = [budget.number(text, "a multiplier") for text in items(data, "multipliers", count=len(given) + 1)]
    rest, value = [t - multipliers[-1] for t in tangent], multipliers[-1]
    for row, y in zip(given, multipliers[:-1], strict=True):
        texts, relation, text = fields(row, ["coefficients", "relation", "bound"], "a row of the population")
        numbers = items(texts, "coefficients", count=len(pi))
        a = [budget.number(each, "a coefficient", MAX_PARAMETER_DIGITS) for each in numbers]
        b = budget.number(text, "the bound of a row", MAX_PARAMETER_DIGITS)
        if relation not in ("<=", ">=", "="):
            raise Rejected("a relation is none of <=, >=, =")
        sign = {"<=": 1, ">=": -1, "=": 0}[relation]
        excess = _dot(a, pi, budget) - b
        if excess if not sign else sign * excess > 0:
            raise Rejected("the witness's population is not in the polytope")
        if sign * y < 0:
            raise Rejected("a multiplier has the wrong sign")
        longest = max(map(bits_of, (y, value, *a, b, *rest)))
        budget.spend(4 * len(pi) + 4, 2 * longest, 2 * longest)
        rest = [x - y * each for x, each in zip(rest, a, strict=True)]
        value += y * b
    if max(rest) > 0:
        raise Rejected("the multipliers do not bound the tangent")
    return value
