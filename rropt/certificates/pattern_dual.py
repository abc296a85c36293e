"""Designs of any number of answers in rationals: mechanism and dual from floats, and their certificate (rule 5).

With h = S/s - 1 for a pattern S, s = S . pi, the dual of a variance is sought as ``W = pi pi^T + Z`` (of a contrast c:
``y = (c . pi) pi + v``) and ``alpha = t pi + beta`` with ``Z 1 = 0``, ``1 . v = 0`` and ``1 . beta = 0``: exactly so,
however Z, v and beta are rounded. Then ``S W / s = pi + h Z``, ``S . y / s = c . pi + h . v`` and ``alpha . S / s = t +
beta . h`` without cancellation, and t is the least number for which the inequality of the page holds for all patterns.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import ceil, frexp
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from rropt.certificates.certificate import Certificate
from rropt.exact import Bracket, as_text
from rropt.mechanisms import Mechanism
from rropt.mechanisms.forms import text_rows
from rropt.mechanisms.left_inverse import consistent_solution
from rropt.objectives.information import information_digits
from rropt.objectives.variances import COptimality, contrast_solution, information_inverse

if TYPE_CHECKING:
    from rropt.privacy.region import RationalLevels
    from rropt.problem import Problem

Numbers = Sequence[Fraction]
Bits = Sequence[int]

# Bits of what is rounded, relative to the largest number of its kind: finer than the floats that are rounded, and
# coarse enough for certificates of a few hundred kilobytes at ten categories.
_BITS = 72

NEAR = 1e-11  # relative: what floats lose in the sum of a hundred products, a thousand times over


class WrittenDual(Protocol):
    """A dual of rule 5."""

    def written(self) -> dict[str, Any]:
        """Return the form of certificates."""


class PatternDesign(Protocol):
    """What is certified."""

    @property
    def lower(self) -> Fraction:
        """One end of the bracket."""

    @property
    def upper(self) -> Fraction:
        """The other end."""

    @property
    def mechanism(self) -> Mechanism:
        """Private at the level below; its value is one end."""

    @property
    def dual(self) -> WrittenDual:
        """What proves the other end, at the level above."""


class PatternDual(NamedTuple):
    """W and alpha with ``abs(S W)^2 <= (alpha . S)(S . pi)`` for all patterns: ``tr M^-1 >= (tr W)^2 / sum alpha``."""

    matrix: tuple[tuple[Fraction, ...], ...]
    alpha: tuple[Fraction, ...]
    excess: tuple[Fraction, ...] | None = None  # what the excesses cost, of two inputs with delta > 0

    def bound(self, population: Numbers) -> Fraction:
        """Return the lower bound of ``tr M^-1 - pi . pi``."""
        trace = sum((row[j] for j, row in enumerate(self.matrix)), Fraction(0))
        return trace**2 / sum(self.alpha, Fraction(0)) - _dot(population, population)

    def written(self) -> dict[str, Any]:
        """Return the form of certificates."""
        more = {} if self.excess is None else {"excess": [as_text(x) for x in self.excess]}
        return {"alpha": [as_text(x) for x in self.alpha], "matrix": text_rows(self.matrix), **more}


class ContrastDual(NamedTuple):
    """y, alpha with ``(S . y)^2 <= (alpha . S)(S . pi)`` for all patterns: ``c^T M^- c >= (c . y)^2 / sum alpha``."""

    vector: tuple[Fraction, ...]
    alpha: tuple[Fraction, ...]

    def bound(self, contrast: Numbers, population: Numbers) -> Fraction:
        """Return the lower bound of ``c^T M^- c - (c . pi)^2``."""
        return _dot(contrast, self.vector) ** 2 / sum(self.alpha, Fraction(0)) - _dot(contrast, population) ** 2

    def written(self) -> dict[str, Any]:
        """Return the form of certificates."""
        return {"alpha": [as_text(x) for x in self.alpha], "vector": [as_text(x) for x in self.vector]}


class SumDual(NamedTuple):
    """alpha with ``f(S) <= alpha . S`` for all patterns, f convex and homogeneous: its sum bounds all mechanisms."""

    alpha: tuple[Fraction, ...]

    def written(self) -> dict[str, Any]:
        """Return the form of certificates."""
        return {"alpha": [as_text(x) for x in self.alpha]}


def pattern_mechanism(
    patterns: Sequence[Bits], weights: Sequence[float], gamma: Fraction, rank: int | None = None
) -> Mechanism | None:
    """Return the mechanism of rows ``theta_j S_j``, exactly stochastic; None if some theta would be negative.

    Args:
        patterns: the S_j; the first ``rank`` of them (k by default) are linearly independent.
        weights: theta, approximately; those beyond the first are rounded, these solve ``sum_j theta_j S_j = 1``.
        gamma: the level at which it is private.
        rank: less than k only where the others are combinations of the first; else None is returned.
    """
    k = len(patterns[0]) if rank is None else rank
    rows = [[gamma if bit else Fraction(1) for bit in bits] for bits in patterns]
    theta = [rounded(weight, max(weights)) for weight in weights[k:]]
    rest = [1 - _dot(theta, column) for column in _columns(rows[k:], len(rows[0]))]
    first = combination(rows[:k], rest)
    if first is None or min([*first, *theta]) < 0:
        return None
    return Mechanism([[t * x for x in row] for t, row in zip([*first, *theta], rows, strict=True) if t])


def combination(rows: Sequence[Numbers], target: Numbers) -> list[Fraction] | None:
    """Return the x with ``sum_i x_i rows_i = target`` of linearly independent rows, or None if there is none."""
    columns = _columns(rows, len(target))
    found = _solution(columns, target) if len(rows) == len(target) else consistent_solution(columns, target)
    return None if found is None else list(found)


def rounded_dual(
    z: Sequence[Sequence[float]], beta: Sequence[float], patterns: Iterable[Bits], gamma: Fraction, population: Numbers
) -> PatternDual:
    """Return the dual of an approximate Z (symmetric) and beta, at a level, by all patterns."""
    k = len(population)
    largest = max(abs(z[i][j]) for i in range(k) for j in range(k))
    off = [[rounded(z[min(i, j)][max(i, j)], largest) * Fraction(i != j) for j in range(k)] for i in range(k)]
    exact = [[-sum(row, Fraction(0)) if i == j else x for j, x in enumerate(row)] for i, row in enumerate(off)]
    slopes = [rounded(x, max(map(abs, beta))) for x in beta]
    slopes[0] -= sum(slopes)
    needed = _needed(population, exact, slopes, patterns, gamma, population)
    return _dual(exact, slopes, rounded(needed, needed), population)


def rounded_contrast_dual(
    v: Sequence[float], beta: Sequence[float], mean: Fraction, patterns: Iterable[Bits], gamma: Fraction, pi: Numbers
) -> ContrastDual:
    """Return the dual of a contrast of mean ``c . pi`` from an approximate v and beta, at a level, by all patterns."""
    along = [rounded(x, max(map(abs, v))) for x in v]
    slopes = [rounded(x, max(map(abs, beta)) or 1.0) for x in beta]
    along[0] -= sum(along)
    slopes[0] -= sum(slopes)
    needed = _needed([mean], [along], slopes, patterns, gamma, pi)
    return _contrast_dual(along, slopes, rounded(needed, needed), mean, pi)


def exact_contrast_dual(
    support: Sequence[Bits], contrast: Numbers, patterns: Iterable[Bits], gamma: Fraction, pi: Numbers
) -> ContrastDual | None:
    """Return the dual of the mechanism of k linearly independent patterns at a level: it is optimal if that one is."""
    k, mean = len(support), _dot(contrast, pi)
    mechanism = pattern_mechanism(support, [1.0] * k, gamma)
    y = contrast_solution(mechanism, pi, contrast) if mechanism and mechanism.outputs == k else None
    if y is None:
        return None
    scaled = [_scaled(bits, gamma, pi) for bits in support]
    alpha = _solution(scaled, [_dot(g, y) ** 2 for g in scaled])
    v = [x - mean * p for x, p in zip(y, pi, strict=True)]
    beta = [a - sum(alpha) * p for a, p in zip(alpha, pi, strict=True)]
    return _contrast_dual(v, beta, _needed([mean], [v], beta, patterns, gamma, pi), mean, pi)


def _contrast_dual(v: Numbers, beta: Numbers, t: Fraction, mean: Fraction, pi: Numbers) -> ContrastDual:
    return ContrastDual(
        tuple(mean * p + x for p, x in zip(pi, v, strict=True)), tuple(t * p + b for p, b in zip(pi, beta, strict=True))
    )


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
    z = [[x - p * q for x, q in zip(row, population, strict=True)] for row, p in zip(inverse, population, strict=True)]
    beta = [a - sum(alpha) * p for a, p in zip(alpha, population, strict=True)]
    return _dual(z, beta, _needed(population, z, beta, patterns, gamma, population), population)


def _needed(
    base: Numbers,
    z: Sequence[Numbers],
    beta: Numbers,
    patterns: Iterable[Bits],
    gamma: Fraction,
    population: Numbers,
) -> Fraction:
    """Return the least t >= ``abs(base + h Z)^2 - beta . h`` for all patterns, Z of these columns, exactly.

    Floats say which patterns may decide: all within ``NEAR`` of the largest, which is far more than floats lose.
    """
    listed, needed = list(patterns), Fraction(0)
    for j in _deciding(base, z, beta, listed, gamma, population):
        g = _scaled(listed[j], gamma, population)
        moved = [p + _dot(g, row) for p, row in zip(base, z, strict=True)]
        needed = max(needed, _dot(moved, moved) - _dot(beta, g))
    return needed


def float_steps(patterns: Sequence[Bits], gamma: Fraction, population: Numbers) -> Any:
    """Return h of all patterns in floats."""
    import numpy as np

    bits = np.array(patterns, dtype=float)
    q = bits @ np.array(population, dtype=float)
    step = float(gamma - 1)
    return step * (bits - q[:, None]) / (1 + step * q)[:, None]


def _deciding(
    base: Numbers, z: Sequence[Numbers], beta: Numbers, patterns: list[Bits], gamma: Fraction, population: Numbers
) -> Iterable[int]:
    import numpy as np

    h = float_steps(patterns, gamma, population)
    columns, slopes, start = (np.array(x, dtype=float) for x in (z, beta, base))
    sides = ((start + h @ columns.T) ** 2).sum(1) - h @ slopes
    size = ((np.abs(start) + np.abs(h) @ np.abs(columns.T)) ** 2).sum(1) + np.abs(h) @ np.abs(slopes)
    return [int(j) for j in np.flatnonzero(sides + NEAR * size >= (sides - NEAR * size).max())]


def _dual(z: list[list[Fraction]], beta: list[Fraction], c: Fraction, population: Numbers) -> PatternDual:
    matrix = (
        tuple(x + p * q for x, q in zip(row, population, strict=True)) for row, p in zip(z, population, strict=True)
    )
    return PatternDual(tuple(matrix), tuple(c * p + b for p, b in zip(population, beta, strict=True)))


def certify_patterns(problem: Problem, levels: RationalLevels, design: PatternDesign) -> Certificate:
    """Return the certificate that the mechanism is private and that ``lower <= optimum <= upper``, one its value.

    Args:
        problem: of an objective of rule 5.
        levels: rational levels around the problem's: the mechanism is private at the one below, the dual holds above.
        design: the bracket, the mechanism, and the dual.
    """
    claim = {"kind": "design-bracket", **Bracket(design.lower, design.upper).written()}
    objective, mechanism = problem.objective, design.mechanism
    witness: dict[str, Any] = {"rule": "pattern", **levels.to_dict(), "dual": design.dual.written()}
    witness["patterns"] = None if objective.kind == "total-variation" else {"kind": "enumeration"}
    witness["primal"], witness["logarithms"] = {}, []
    if objective.kind in ("mutual-information", "d-optimal", "e-optimal"):
        digits = str(information_digits(levels.one_level().above.gamma))
        if objective.kind != "e-optimal":
            witness["logarithms"] = {"digits": digits}
        if objective.kind != "mutual-information":
            witness["primal"] = {"rounded": digits if design.lower < design.upper else None}
    elif isinstance(objective, COptimality):
        solution = contrast_solution(mechanism, problem.population, objective.contrast)
        witness["primal"] = {"solution": [as_text(x) for x in solution or ()]}
    elif objective.sense == "minimise":
        witness["primal"] = {"inverse": text_rows(information_inverse(mechanism, problem.population) or ())}
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


def rounded(value: float | Fraction, largest: float | Fraction) -> Fraction:
    """Return the number rounded up to ``_BITS`` bits of the largest."""
    unit = Fraction(2) ** (frexp(largest)[1] - _BITS)
    return ceil(Fraction(value) / unit) * unit
