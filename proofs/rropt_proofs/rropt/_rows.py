"""The claims in rows of rropt's own companions: each function returns (name, true value, sign, stated value)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

Row = tuple[str, Any, str, Any]
Numbers = tuple[Fraction, ...]
Matrix = tuple[Numbers, ...]


def _dot(left: Any, right: Any) -> Any:
    return sum((x * y for x, y in zip(left, right, strict=True)), Fraction(0))


def total_variation(first: Numbers, second: Numbers, u: Numbers, gamma: Fraction, *, more: Any = 0) -> list[Row]:
    """A row of entries 1 + (gamma - 1) u_j, and yes of the two answers, against alpha and the distance."""
    differences = [p - q for p, q in zip(first, second, strict=True)]
    sizes = [abs(x) for x in differences]
    alpha = [(gamma - 1) / (gamma + 1) * x for x in sizes]
    row = [1 + (gamma - 1) * x for x in u]
    yes = [(gamma if x > 0 else 1) / (gamma + 1) for x in differences]
    attained = (gamma - 1) / (gamma + 1) * sum(sizes) / 2
    return [
        ("how far the chances of an answer are apart", abs(_dot(differences, row)), "<=", _dot(alpha, row) - more),
        ("how far those of yes are apart", _dot(differences, yes), "=", attained + more),
        ("how far those of no are apart", -_dot(differences, [1 - x for x in yes]), "=", attained + more),
    ]


def keeps(P: Matrix, gamma: Fraction, delta: Fraction) -> bool:
    """p_ii <= gamma p_il + delta for all i and l"""
    order = range(len(P))
    return all(P[i][i] <= gamma * P[i][x] + delta for i in order for x in order)


def keeps_epsilon(P: Matrix, gamma: Fraction) -> bool:
    """p_ii <= gamma p_il for all i and l"""
    return keeps(P, gamma, Fraction(0))


def _weights(steps: Numbers) -> Numbers:
    """Return the weights in descending order: w_i is the sum of the steps from i on."""
    return tuple(sum(steps[i:], Fraction(0)) for i in range(len(steps)))


def _best(w: Numbers, gamma: Fraction) -> tuple[Any, int]:
    """Return V, and the largest m that attains it."""
    values = [gamma * sum(w[: m + 1], Fraction(0)) / (gamma + m) for m in range(len(w))]
    most = max(values)
    return most, max(m + 1 for m, value in enumerate(values) if value == most)


def _few_answers(k: int, m: int, gamma: Fraction) -> list[list[Any]]:
    """Return the mechanism that answers with the first m categories only."""
    rare = 1 / (gamma + m - 1)
    return [
        [Fraction(0) if i >= m else Fraction(1, m) if j >= m else gamma * rare if i == j else rare for j in range(k)]
        for i in range(k)
    ]


def delta_trace(
    steps: Numbers, P: Matrix, gamma: Fraction, delta: Fraction, k: int, *, less: Any = 1, more: int = 0
) -> list[Row]:
    """The weighted trace of a mechanism; and of the one that reveals the truth with probability delta."""
    w = _weights(steps)
    most, m = _best(w, gamma)
    best = _few_answers(k, m, gamma)
    value = delta * sum(w) + (1 - delta) * most
    attained = sum((x * (delta + (1 - delta) * best[i][i]) for i, x in enumerate(w)), Fraction(0))
    loose = [1 - sum(row[j] for row in best) for j in range(k)]
    return [
        ("trace", sum((x * P[i][i] for i, x in enumerate(w)), Fraction(0)), "<=", value * less),
        ("attained", attained, "=", value + more),
        ("the column sum of its mechanism that is furthest from 1", max(map(abs, loose)), "=", more),
    ]


def weighted_trace(steps: Numbers, P: Matrix, gamma: Fraction, k: int, *, less: Any = 1, more: int = 0) -> list[Row]:
    """The same at delta = 0; and what one more category as an answer gains."""
    w = (*_weights(steps), Fraction(0))
    m = _best(w[:k], gamma)[1]
    total = sum(w[:m], Fraction(0))
    gain = gamma * (total + w[m]) / (gamma + m) - gamma * total / (gamma + m - 1)
    sign = gamma * (w[m] * (gamma + m - 1) - total) / ((gamma + m - 1) * (gamma + m))
    return [
        *delta_trace(steps, P, gamma, Fraction(0), k, less=less, more=more),
        ("gain of one more category", gain, "=", sign + more),
    ]


def is_private(P: Matrix, gamma: Fraction) -> bool:
    """epsilon-privacy: p_ij <= gamma p_il"""
    return all(x <= gamma * y for row in P for x in row for y in row)


def all_positive(pi: Numbers) -> bool:
    """every category has a positive share"""
    return all(x > 0 for x in pi)


def merging(
    pi: Numbers, P: Matrix, a: Numbers, cells: tuple[int, ...], gamma: Fraction, i: int, j: int, *, more: Any = 0
) -> list[Row]:
    """The mechanism whose columns are the means of those of a group, and weights of its answers."""
    groups = range(max(cells) + 1)
    share = [sum((p for p, cell in zip(pi, cells, strict=True) if cell == g), Fraction(0)) for g in groups]

    def mean(values: Any, g: int) -> Any:
        return sum((p * x for p, x, c in zip(pi, values, cells, strict=True) if c == g), Fraction(0)) / share[g]

    merged = [[mean(row, g) for g in groups] for row in P]
    of_category = [_dot(a, column) for column in zip(*P, strict=True)]
    own, other = cells[j], cells[-1]
    return [
        ("a chance in one group, against another", merged[i][own], "<=", gamma * merged[i][other] - more),
        (
            "the mean of the weights in a group",
            _dot(a, [row[own] for row in merged]),
            "=",
            mean(of_category, own) + more,
        ),
        ("the chance of an answer", _dot(share, merged[i]), "=", _dot(pi, P[i]) + more),
    ]
