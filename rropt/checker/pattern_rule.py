"""A-optimal designs: a mechanism and a dual over all patterns (FORMAT.md, rule 5).

With s = S . pi for a pattern S in {1, gamma}^k, M = sum_i p_i p_i^T / (p_i . pi) over the rows p_i of a mechanism,

    upper = tr X - pi . pi,   M X = I,   the mechanism private at gamma.below
    lower = (tr W)^2 / sum alpha - pi . pi,   abs(S W)^2 <= (alpha . S) s for all 2^k patterns at gamma.above

since rows of mechanisms are nonnegative combinations of patterns, so that the inequality sums to tr(W W^T M) <= sum
alpha, and tr M^-1 >= 2 t tr W - t^2 tr(W W^T M) for every t. All is decided in integers over common denominators.

With two inputs delta may be positive: a row may also be (1, 0) or (0, 1), whose excess over gamma times the other entry
costs x_j each, delta (x_0 + x_1) in all. n Var of the share of one of two inputs is half the trace.
"""

from fractions import Fraction
from math import gcd
from typing import Any

from .brackets import UniformLevel, uniform_level
from .documents import Budget, Rejected, fields, of_kind
from .limits import MAX_ENTRIES, MAX_PATTERN_INPUTS
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
from .polynomials import whole
from .regions import excess, require_parity

EXPLAINED = {
    "pattern": "Every row of a private mechanism mixes patterns of 1 and gamma; the inequality behind the bound was "
    "tested for all of them (with delta > 0 and two inputs also for answers that one input alone gives), and the "
    "mechanism's value by an inverse.",
}

_Square = tuple[list[list[int]], int]  # rows of integers over one denominator


def check_pattern(problem: Any, claim: Any, witness: Any) -> None:
    """Decide a claim of kind design-bracket for the objective a-optimal, or n Var of two inputs."""
    budget = Budget()
    data, objective, shares = fields(problem, ["region", "objective", "population"], "problem")
    is_variance = objective == {"kind": "variance"}
    if not is_variance:
        of_kind(objective, "a-optimal", [], "objective")
    lower, upper, mechanism = of_kind(claim, "design-bracket", ["lower", "upper", "mechanism"], "claim")
    parts = ["rule", "gamma", "delta", "dual", "patterns", "primal", "logarithms"]
    _, gamma, delta, dual, patterns, primal, logarithms = fields(witness, parts, "witness")
    if patterns != {"kind": "enumeration"} or logarithms != []:
        raise Rejected("patterns are not enumerated, or there are logarithms where none is needed")
    level, k, m = _read_region(data, gamma, delta, budget)
    if is_variance and (k != 2 or m == 2):
        raise Rejected("the pattern rule takes the variance with two inputs and not two outputs")
    pi = over_one_denominator(read_population(shares, k, budget), budget)
    budget.spend_in_bulk(k, pi.bits, pi.bits)
    spread = -sum(share * share for share in pi.numerators), pi.denominator**2  # -pi . pi
    times = 2 if is_variance else 1
    value = _value(mechanism, primal, level, (m, k), pi, budget)
    upper, lower = times * budget.number(upper, "upper"), times * budget.number(lower, "lower")
    require_sum([value, spread], upper, "upper is not the value of the mechanism", budget)
    bound = _bound(dual, level, pi, budget)
    require_sum([bound, spread], lower, "lower is not the bound of the dual", budget)


def _read_region(data: Any, gamma: Any, delta: Any, budget: Budget) -> tuple[UniformLevel, int, int | None]:
    """Return the level, the number of inputs, and of outputs if it is given."""
    level = uniform_level(data, gamma, delta, budget)
    inputs, outputs = level.sizes
    k = whole(inputs, "inputs", MAX_PATTERN_INPUTS, 2)
    if level.family != "all" or (level.has_delta and k > 2):
        raise Rejected("the pattern rule needs a region with delta 0, or two inputs, and family all")
    return level, k, None if outputs == "any" else whole(outputs, "outputs", MAX_ENTRIES, 2)


def _value(
    mechanism: Any, primal: Any, level: UniformLevel, shape: tuple[int | None, int], pi: Vector, budget: Budget
) -> tuple[int, int]:
    """Return tr M^-1, as a fraction, of a mechanism that is private at the level below; the witness is the inverse."""
    (inverse,) = fields(primal, ["inverse"], "primal")
    matrix = read_mechanism(mechanism, "the mechanism", budget, shape)
    read = columns(matrix, "the mechanism", budget)
    if level.has_delta:
        _require_excess(read, level, budget)
    else:
        require_parity(level.gamma.below, read, budget)
    information, scale = _information([over_one_denominator(row, budget) for row in matrix], pi, budget)
    k = shape[1]
    x, divisor = matrix_over_one_denominator(read_matrix(inverse, "the inverse", budget, (k, k)), budget)
    product = multiply(information, x, budget)
    one = scale * divisor
    if any(entry != one * (i == j) for i, row in enumerate(product) for j, entry in enumerate(row)):
        raise Rejected("the inverse is not that of the mechanism's information")
    return sum(row[i] for i, row in enumerate(x)), divisor


def _require_excess(read: list[Vector], level: UniformLevel, budget: Budget) -> None:
    """Reject unless each of the two columns exceeds gamma times the other by no more than delta."""
    delta = level.delta.below
    for column, other in (read, read[::-1]):
        above, scale = excess(column, other, level.gamma.below, budget)
        if above * delta.denominator > delta.numerator * scale:
            raise Rejected("the mechanism exceeds gamma by more than delta")


def _information(rows: list[Vector], pi: Vector, budget: Budget) -> _Square:
    """Return M: with p = c q / r, q integers without a common divisor, p p^T / (p . pi) = c q q^T / (r (q . pi))."""
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


def _bound(dual: Any, level: UniformLevel, pi: Vector, budget: Budget) -> tuple[int, int]:
    """Return (tr W)^2 / (sum alpha + delta sum x), as a fraction, of a dual that holds at the level above."""
    names = ["alpha", "matrix", "excess"] if level.has_delta else ["alpha", "matrix"]
    texts, matrix, *beyond = fields(dual, names, "dual")
    k, gamma, delta = len(pi.numerators), level.gamma.above, level.delta.above
    w, scale = matrix_over_one_denominator(read_matrix(matrix, "the dual's matrix", budget, (k, k)), budget)
    rows = read_matrix([texts, *beyond], "alpha", budget, (1 + len(beyond), k))
    together, unit = matrix_over_one_denominator(rows, budget)
    alpha, *slopes = together
    scales = unit * pi.denominator, scale**2
    _require_patterns(w, alpha, pi.numerators, gamma, scales, budget)
    total = delta.denominator * sum(alpha)
    for x in slopes:
        _require_outer(w, [a + b for a, b in zip(alpha, x, strict=True)], pi.numerators, scales, budget)
        if min(x) < 0:
            raise Rejected("an excess costs less than nothing")
        total += delta.numerator * sum(x)
    if total <= 0:
        raise Rejected("alpha does not sum to a positive number")
    return sum(row[i] for i, row in enumerate(w)) ** 2 * unit * delta.denominator, scale**2 * total


def _require_outer(
    w: list[list[int]], alpha: list[int], pi: list[int], scales: tuple[int, int], budget: Budget
) -> None:
    """Reject unless ``abs(S w)^2 scales[0] <= (alpha . S)(pi . S) scales[1]`` for S = (1, 0) and (0, 1)."""
    longest = max(abs(entry).bit_length() for entry in (*(e for row in w for e in row), *alpha, *pi, *scales))
    budget.spend(8, longest, longest)
    for row, a, p in zip(w, alpha, pi, strict=True):
        if sum(x * x for x in row) * scales[0] > a * p * scales[1]:
            raise Rejected("the dual fails at an answer that only one input gives")


def _require_patterns(
    w: list[list[int]], alpha: list[int], pi: list[int], gamma: Fraction, scales: tuple[int, int], budget: Budget
) -> None:
    """Reject unless ``abs(S w)^2 scales[0] <= (alpha . S)(pi . S) scales[1]`` for all S in {1, gamma}^k.

    Both sides are homogeneous: S may be in {h, g}^k, gamma = g/h. From one pattern to the next a single input changes
    (Gray code: the one whose number is that of the trailing zeros), and with it S w, alpha . S and pi . S.
    """
    k, low, step = len(pi), gamma.denominator, gamma.numerator - gamma.denominator
    longest = max(abs(entry).bit_length() for entry in (*(e for row in w for e in row), *alpha, *pi, *scales))
    longest += k.bit_length() + gamma.numerator.bit_length()
    budget.spend(1 << k, longest, longest)
    budget.spend_in_bulk(2 * k << k, longest, longest)
    high = [False] * k
    moved, a, s = [low * sum(column) for column in zip(*w, strict=True)], low * sum(alpha), low * sum(pi)
    for number in range(1, (1 << k) + 1):
        if sum(x * x for x in moved) * scales[0] > a * s * scales[1]:
            raise Rejected(f"the dual fails at the pattern {''.join('g' if is_high else '1' for is_high in high)}")
        j = ((number & -number).bit_length() - 1) % k  # after the last pattern: any
        change = -step if high[j] else step
        high[j] = not high[j]
        moved = [x + change * y for x, y in zip(moved, w[j], strict=True)]
        a, s = a + change * alpha[j], s + change * pi[j]
