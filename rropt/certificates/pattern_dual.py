"""A-optimal designs in rationals: a mechanism and a dual from floats, and their certificate (FORMAT.md, rule 5).

With h = S/s - 1 for a pattern S, s = S . pi, the dual is sought as ``W = pi pi^T + Z`` and ``alpha = c pi + beta`` with
``Z 1 = 0`` and ``1 . beta = 0``: exactly so, however Z and beta are rounded. Then ``S W / s = pi + h Z`` and
``alpha . S / s = c + beta . h`` without cancellation, and c is the least number for which the inequality of the page
holds for all patterns.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import ceil, frexp
from typing import TYPE_CHECKING, Any, NamedTuple

from rropt.certificates.certificate import Certificate
from rropt.exact import Bracket, as_text
from rropt.mechanisms import Mechanism
from rropt.mechanisms.forms import text_rows
from rropt.objectives.variances import information_inverse

if TYPE_CHECKING:
    from rropt.privacy.region import RationalLevels
    from rropt.problem import Problem

Numbers = Sequence[Fraction]
Bits = Sequence[int]

# Bits of what is rounded, relative to the largest number of its kind: finer than the floats that are rounded, and
# coarse enough for certificates of a few hundred kilobytes at ten categories.
_BITS = 72


class PatternDual(NamedTuple):
    """W and alpha with ``abs(S W)^2 <= (alpha . S)(S . pi)`` for all patterns: ``tr M^-1 >= (tr W)^2 / sum alpha``."""

    matrix: tuple[tuple[Fraction, ...], ...]
    alpha: tuple[Fraction, ...]
    excess: tuple[Fraction, ...] | None = None  # what the excesses cost, of two inputs with delta > 0

    def bound(self, population: Numbers) -> Fraction:
        """Return the lower bound of ``tr M^-1 - pi . pi``."""
        trace = sum((row[j] for j, row in enumerate(self.matrix)), Fraction(0))
        return trace**2 / sum(self.alpha, Fraction(0)) - _dot(population, population)


def pattern_mechanism(patterns: Sequence[Bits], weights: Sequence[float], gamma: Fraction) -> Mechanism | None:
    """Return the mechanism of rows ``theta_j S_j``, exactly stochastic; None if some theta would be negative.

    Args:
        patterns: the S_j; the first k of them are linearly independent.
        weights: theta, approximately; those beyond the first k are rounded, these solve ``sum_j theta_j S_j = 1``.
        gamma: the level at which it is private.
    """
    k = len(patterns[0])
    rows = [[gamma if bit else Fraction(1) for bit in bits] for bits in patterns]
    theta = [_rounded(weight, max(weights)) for weight in weights[k:]]
    rest = [1 - _dot(theta, column) for column in _columns(rows[k:], k)]
    theta = [*_solution(_columns(rows[:k], k), rest), *theta]
    if min(theta) < 0:
        return None
    return Mechanism([[t * x for x in row] for t, row in zip(theta, rows, strict=True) if t])


def rounded_dual(
    z: Sequence[Sequence[float]], beta: Sequence[float], patterns: Iterable[Bits], gamma: Fraction, population: Numbers
) -> PatternDual:
    """Return the dual of an approximate Z (symmetric) and beta, at a level, by all patterns."""
    k = len(population)
    largest = max(abs(z[i][j]) for i in range(k) for j in range(k))
    off = [[_rounded(z[min(i, j)][max(i, j)], largest) * Fraction(i != j) for j in range(k)] for i in range(k)]
    exact = [[-sum(row, Fraction(0)) if i == j else x for j, x in enumerate(row)] for i, row in enumerate(off)]
    slopes = [_rounded(x, max(map(abs, beta))) for x in beta]
    slopes[0] -= sum(slopes)
    needed = _needed(exact, slopes, patterns, gamma, population)
    return _dual(exact, slopes, _rounded(needed, needed), population)


def exact_dual(
    support: Sequence[Bits], patterns: Iterable[Bits], gamma: Fraction, population: Numbers
) -> PatternDual | None:
    """Return the dual of the mechanism of k linearly independent patterns at a level: it is optimal if that one is."""
    k = len(support)
    mechanism = pattern_mechanism(support, [1.0] * k, gamma)
    inverse = information_inverse(mechanism, population) if mechanism and mechanism.outputs == k else None
    if inverse is None:
        return None
    scaled = [_scaled(bits, gamma, population) for bits in support]
    sides = [_dot(moved, moved) for moved in ([_dot(g, row) for row in inverse] for g in scaled)]
    alpha = _solution(scaled, sides)
    share = sum(alpha)
    z = [[x - p * q for x, q in zip(row, population, strict=True)] for row, p in zip(inverse, population, strict=True)]
    beta = [a - share * p for a, p in zip(alpha, population, strict=True)]
    return _dual(z, beta, _needed(z, beta, patterns, gamma, population), population)


def _needed(
    z: list[list[Fraction]], beta: list[Fraction], patterns: Iterable[Bits], gamma: Fraction, population: Numbers
) -> Fraction:
    """Return the least c >= ``abs(pi + h Z)^2 - beta . h`` for all patterns."""
    needed = Fraction(0)
    for bits in patterns:
        g = _scaled(bits, gamma, population)
        moved = [p + _dot(g, row) for p, row in zip(population, z, strict=True)]
        needed = max(needed, _dot(moved, moved) - _dot(beta, g))
    return needed


def _dual(z: list[list[Fraction]], beta: list[Fraction], c: Fraction, population: Numbers) -> PatternDual:
    matrix = (
        tuple(x + p * q for x, q in zip(row, population, strict=True)) for row, p in zip(z, population, strict=True)
    )
    return PatternDual(tuple(matrix), tuple(c * p + b for p, b in zip(population, beta, strict=True)))


def certify_patterns(
    problem: Problem,
    levels: RationalLevels,
    *,
    mechanism: Mechanism,
    dual: PatternDual,
    lower: Fraction,
    upper: Fraction,
) -> Certificate:
    """Return the certificate that the mechanism is private and that ``lower <= optimum <= upper``, its value.

    Args:
        problem: of objective ``a-optimal``, or ``variance`` with any number of answers.
        levels: rational levels around the problem's: the mechanism is private at the one below, the dual holds above.
        mechanism: rows in any number; its information is not singular.
        dual: W and alpha.
        lower: the bound of the dual.
        upper: ``tr M^-1 - pi . pi``; of a variance half of it.
    """
    claim = {"kind": "design-bracket", **Bracket(lower, upper).written()}
    witness: dict[str, Any] = {"rule": "pattern", **levels.to_dict()}
    witness["dual"] = {"alpha": [as_text(x) for x in dual.alpha], "matrix": text_rows(dual.matrix)}
    if dual.excess is not None:
        witness["dual"]["excess"] = [as_text(x) for x in dual.excess]
    witness["patterns"] = {"kind": "enumeration"}
    witness["primal"] = {"inverse": text_rows(information_inverse(mechanism, problem.population) or ())}
    witness["logarithms"] = []
    return Certificate.write(problem.to_dict(), {**claim, "mechanism": mechanism.to_dict()}, witness)


def _solution(matrix: Sequence[Numbers], right: Numbers) -> list[Fraction]:
    """Return the solution of a square system."""
    from rropt.linear.square_systems import solve_square  # SciPy: only when it is used

    return list(solve_square(matrix, right))


def _scaled(bits: Bits, gamma: Fraction, population: Numbers) -> list[Fraction]:
    """Return S/s for the pattern S that is gamma where a bit is set, else 1."""
    s = 1 + (gamma - 1) * sum((p for p, bit in zip(population, bits, strict=True) if bit), Fraction(0))
    return [(gamma if bit else Fraction(1)) / s for bit in bits]


def _dot(left: Numbers, right: Numbers) -> Fraction:
    return sum((a * b for a, b in zip(left, right, strict=True)), Fraction(0))


def _columns(rows: Sequence[Numbers], k: int) -> list[list[Fraction]]:
    return [[row[j] for row in rows] for j in range(k)]


def _rounded(value: float | Fraction, largest: float | Fraction) -> Fraction:
    """Return the number rounded up to ``_BITS`` bits of the largest."""
    unit = Fraction(2) ** (frexp(largest)[1] - _BITS)
    return ceil(Fraction(value) / unit) * unit
