"""Designs of any number of answers in rationals: mechanism and dual from floats, and their certificate (rule 5).

With h = S/s - 1 for a pattern S, s = S . pi, the dual of a sum of variances, of targets B, is sought as ``W = pi pi^T B
+ Z`` and ``alpha = t pi + beta`` with ``1^T Z = 0`` and ``1 . beta = 0``: exactly so, however Z and beta are rounded.
Then ``S W / s = B^T pi + h Z`` and ``alpha . S / s = t + beta . h`` without cancellation, and t is the least number for
which the inequality of the page holds for all patterns. Floats say which patterns may decide it: all within ``_NEAR``
of the largest side.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import ceil, frexp
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from rropt.core.certificates.record import Certificate
from rropt.core.exact import Bracket, as_text
from rropt.core.exact.numbers import dot
from rropt.mechanisms import Mechanism
from rropt.mechanisms.left_inverse import consistent_solution
from rropt.mechanisms.mechanism import text_rows
from rropt.objectives.mutual_information import information_digits
from rropt.objectives.objective import Rows
from rropt.objectives.variance_sums import VarianceSum

if TYPE_CHECKING:
    from rropt.designs.problem import Problem
    from rropt.privacy.region import RationalLevels

Numbers = Sequence[Fraction]
Bits = Sequence[int]

# Bits of what is rounded, relative to the largest number of its kind: finer than the floats that are rounded, and
# coarse enough for certificates of a few hundred kilobytes at ten categories.
_BITS = 72

_NEAR = 1e-11  # relative: what floats lose in the sum of a hundred products, a thousand times over


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


class VarianceDual(NamedTuple):
    """W, alpha with ``abs(S W)^2 <= (alpha . S)(S . pi)`` for all patterns.

    Then ``tr B^T M^- B >= (tr B^T W)^2 / sum alpha``. B has the targets of the objective in its columns, and W as
    many: k of A-optimality, one of a contrast.
    """

    matrix: Rows
    alpha: tuple[Fraction, ...]
    excess: tuple[Fraction, ...] | None = None  # what the excesses cost, of two inputs with delta > 0

    def bound(self, objective: VarianceSum, population: Numbers) -> Fraction:
        """Return the lower bound of the objective."""
        return objective.proved(self.matrix, sum(self.alpha, Fraction(0)), population)

    def written(self) -> dict[str, Any]:
        """Return the form of certificates."""
        more = {} if self.excess is None else {"excess": [as_text(x) for x in self.excess]}
        return {"alpha": [as_text(x) for x in self.alpha], **written_columns(self.matrix), **more}


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
    rest = [1 - dot(theta, column) for column in _columns(rows[k:], len(rows[0]))]
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
    objective: VarianceSum,
    z: Sequence[Sequence[float]],
    beta: Sequence[float],
    patterns: Iterable[Bits],
    gamma: Fraction,
    pi: Numbers,
) -> VarianceDual:
    """Return the dual of an approximate Z (k x r; symmetric of k columns) and beta, at a level, by all patterns."""
    columns = _symmetric(z) if len(z[0]) > 1 else [_summing_to_0([x for (x,) in z])]
    slopes, means = _summing_to_0(beta), objective.means(pi)
    needed = _needed(means, columns, slopes, patterns, gamma, pi)
    return _dual(means, columns, slopes, rounded(needed, needed), pi)


def exact_dual(
    objective: VarianceSum, support: Sequence[Bits], patterns: Iterable[Bits], gamma: Fraction, pi: Numbers
) -> VarianceDual | None:
    """Return the dual of the mechanism of k linearly independent patterns at a level: it is optimal if that one is."""
    k, means = len(support), objective.means(pi)
    mechanism = pattern_mechanism(support, [1.0] * k, gamma)
    solution = objective.solution(mechanism, pi) if mechanism and mechanism.outputs == k else None
    if solution is None:
        return None
    columns, scaled = list(zip(*solution, strict=True)), [_scaled(bits, gamma, pi) for bits in support]
    alpha = _solution(scaled, [sum((dot(g, column) ** 2 for column in columns), Fraction(0)) for g in scaled])
    z = [[x - mean * p for x, p in zip(column, pi, strict=True)] for column, mean in zip(columns, means, strict=True)]
    beta = [a - sum(alpha) * p for a, p in zip(alpha, pi, strict=True)]
    return _dual(means, z, beta, _needed(means, z, beta, patterns, gamma, pi), pi)


def _summing_to_0(numbers: Sequence[float]) -> list[Fraction]:
    exact = [rounded(x, max(map(abs, numbers))) for x in numbers]
    exact[0] -= sum(exact)
    return exact


def _symmetric(z: Sequence[Sequence[float]]) -> list[list[Fraction]]:
    """Return Z rounded off the diagonal, and its rows summing to 0."""
    k, largest = len(z), max(abs(x) for row in z for x in row)
    off = [[rounded(z[min(i, j)][max(i, j)], largest) * Fraction(i != j) for j in range(k)] for i in range(k)]
    return [[-sum(row, Fraction(0)) if i == j else x for j, x in enumerate(row)] for i, row in enumerate(off)]


def _needed(
    means: Numbers, z: Sequence[Numbers], beta: Numbers, patterns: Iterable[Bits], gamma: Fraction, pi: Numbers
) -> Fraction:
    """Return the least t >= ``abs(B^T pi + h Z)^2 - beta . h`` for all patterns, Z of these columns, exactly."""
    import numpy as np

    listed, needed = list(patterns), Fraction(0)
    h, columns, slopes, start = float_steps(listed, gamma, pi), *(np.array(x, dtype=float) for x in (z, beta, means))
    sides = ((start + h @ columns.T) ** 2).sum(1) - h @ slopes
    size = ((np.abs(start) + np.abs(h) @ np.abs(columns.T)) ** 2).sum(1) + np.abs(h) @ np.abs(slopes)
    for j in deciding(sides, size):
        g = _scaled(listed[j], gamma, pi)
        moved = [mean + dot(g, column) for mean, column in zip(means, z, strict=True)]
        needed = max(needed, dot(moved, moved) - dot(beta, g))
    return needed


def deciding(sides: Any, size: Any) -> list[int]:
    """Return which patterns may have the largest side, by sides in floats and the sizes of the sums in them."""
    return [int(j) for j in (sides + _NEAR * size >= (sides - _NEAR * size).max()).nonzero()[0]]


def float_steps(patterns: Sequence[Bits], gamma: Fraction, population: Numbers) -> Any:
    """Return h of all patterns in floats."""
    import numpy as np

    bits = np.array(patterns, dtype=float)
    q = bits @ np.array(population, dtype=float)
    step = float(gamma - 1)
    return step * (bits - q[:, None]) / (1 + step * q)[:, None]


def _dual(means: Numbers, z: Sequence[Numbers], beta: Numbers, t: Fraction, pi: Numbers) -> VarianceDual:
    rows = zip(*z, strict=True)
    matrix = (tuple(x + p * mean for x, mean in zip(row, means, strict=True)) for row, p in zip(rows, pi, strict=True))
    return VarianceDual(tuple(matrix), tuple(t * p + b for p, b in zip(pi, beta, strict=True)))


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
    elif (solution := objective.solution(mechanism, problem.population)) is not None:
        witness["primal"] = written_columns(solution, ("solution", "inverse"))
    return Certificate.write(problem.to_dict(), {**claim, "mechanism": mechanism.to_dict()}, witness)


def _solution(matrix: Sequence[Numbers], right: Numbers) -> list[Fraction]:
    """Return the solution of a square system."""
    from rropt.core.linear.square_systems import solve_square  # SciPy: only when it is used

    return list(solve_square(matrix, right))


def _scaled(bits: Bits, gamma: Fraction, population: Numbers) -> list[Fraction]:
    """Return S/s for the pattern S that is gamma where a bit is set, else 1."""
    s = 1 + (gamma - 1) * sum((p for p, bit in zip(population, bits, strict=True) if bit), Fraction(0))
    return [(gamma if bit else Fraction(1)) / s for bit in bits]


def written_columns(rows: Rows, names: tuple[str, str] = ("vector", "matrix")) -> dict[str, Any]:
    """Return rows in the form of certificates: numbers under the first name if it is one column, else a matrix."""
    one, several = names
    return {one: [as_text(x) for (x,) in rows]} if len(rows[0]) == 1 else {several: text_rows(rows)}


def _columns(rows: Sequence[Numbers], k: int) -> list[list[Fraction]]:
    return [[row[j] for row in rows] for j in range(k)]


def rounded(value: float | Fraction, largest: float | Fraction) -> Fraction:
    """Return the number rounded up to ``_BITS`` bits of the largest."""
    unit = Fraction(2) ** (frexp(largest)[1] - _BITS)
    return ceil(Fraction(value) / unit) * unit
