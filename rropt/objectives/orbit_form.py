"""Objectives as functions of orbits of staircase rows: many categories in groups of equal proportions.

Let the categories be in groups of sizes n_g, with the proportion pi_g of each category of group g. Some optimal
mechanism is invariant under permutations inside the groups: the average of all permutations of a mechanism is at least
as good. An orbit consists of all staircase rows with c_g entries gamma in group g, for given counts c. Let ``sigma_g =
n_g + (gamma - 1) c_g`` be the sum of the entries in group g, and ``s = sum_g pi_g sigma_g``. All contrasts inside group
g have the information

    v_g = ((gamma - 1)/s)^2 c_g (n_g - c_g) / (n_g (n_g - 1)).

Contrasts between groups have that of ``u_g = sigma_g / (sqrt(n_g) s)``, in the coordinates ``L^T u``. The columns of L
are orthonormal, and orthogonal to the vector of the ``sqrt(n_g)``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import frexp
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from rropt.checker.counts import Function
from rropt.checker.documents import Budget
from rropt.checker.groups_way import Squares, squares_function
from rropt.core.errors import UnsupportedProblemError
from rropt.core.exact.numbers import dot
from rropt.core.lazy import numpy as np
from rropt.mechanisms.orbits import GroupMatrix, OrbitMechanism, grouped_information
from rropt.objectives.criteria import orthogonal_to
from rropt.objectives.estimators import rounded_to_bits

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rropt.objectives.criteria import Array, Criterion

Numbers = Sequence[Fraction]

_LEAST_UNIT = 1e-150  # smaller numbers of an orbit: their squares are no floats
BITS = 72  # of rounded numbers of a dual, relative to the largest number of their kind: finer than floats


class OrbitRows(NamedTuple):
    """Orbits of staircase rows in floats.

    Attributes:
        counts: c, shape (n, G).
        s: the probability of a row of least entry 1, shape (n,).
        between: ``L^T u`` divided by ``unit``, shape (n, G - 1).
        inside: ``sqrt(v_g)`` divided by ``unit``, for the groups of at least two categories, shape (n, q).
        basis: L, shape (G, G - 1).
        several: the indices of the groups of at least two categories.
        unit: the scale of ``between`` and ``inside``, a power of 2.
    """

    counts: NDArray[np.int64]
    s: Array
    between: Array
    inside: Array
    basis: Array
    several: list[int]
    unit: float


def orbit_rows(
    groups: Sequence[int], shares: Numbers, gamma: Fraction, counts: NDArray[np.int64], unit: float | None = None
) -> OrbitRows:
    """Return the orbits with these counts; without a unit, the entries of ``between`` and ``inside`` are about 1.

    Raises:
        UnsupportedProblemError: the level is so small that floats do not distinguish the orbits.
    """
    c, n, step = counts.astype(float), np.array(groups, dtype=float), float(gamma - 1)
    s = 1 + step * (c @ np.array([float(p) for p in shares]))
    root = np.sqrt(n)
    basis = orthogonal_to(root)
    between = (step * c / root / s[:, None]) @ basis  # L is orthogonal to the other part of u, sqrt(n)/s
    several = [g for g, size in enumerate(groups) if size > 1]
    wide = n[several]
    inside = step / s[:, None] * np.sqrt(c[:, several] * (wide - c[:, several]) / (wide * (wide - 1)))
    if unit is None:
        largest = float(max(np.abs(between).max(initial=0), np.abs(inside).max(initial=0)))
        if largest < _LEAST_UNIT:
            raise UnsupportedProblemError(
                f"the level is too small for groups of categories: received exp(epsilon) - 1 of about {step:.0e}; "
                "raise epsilon, for example to 1e-20"
            )
        unit = 2.0 ** frexp(largest)[1]
    return OrbitRows(counts, s, between / unit, inside / unit, basis, several, unit)


@dataclass(frozen=True)
class OrbitDual(ABC):
    """A dual solution over groups; it proves a bound if its inequality holds for all counts.

    Attributes:
        groups: n_g.
        shares: pi_g, the proportion of one category of each group.
        alpha: alpha_g.
    """

    groups: tuple[int, ...]
    shares: tuple[Fraction, ...]
    alpha: tuple[Fraction, ...]

    @property
    def total(self) -> Fraction:
        """The sum of alpha over all categories."""
        return dot(self.alpha, self.groups)

    @property
    def slices(self) -> tuple[int, ...]:
        """The weights of the groups in the sums by which the checker tests the inequality, slice by slice."""
        return (1,) * len(self.groups)

    @abstractmethod
    def proof(self) -> dict[str, Any]:
        """Return the keys of the certificate (checker/groups_way.md)."""

    def raised(self, by: Fraction) -> Self:
        """Return the dual with ``alpha + by pi``."""
        return replace(self, alpha=tuple(a + by * p for a, p in zip(self.alpha, self.shares, strict=True)))

    def chance(self, gamma: Fraction, counts: Sequence[int]) -> Fraction:
        """Return s of the rows with these counts."""
        return 1 + (gamma - 1) * dot(self.shares, counts)

    def paid(self, gamma: Fraction, counts: Sequence[int]) -> Fraction:
        """Return ``alpha.sigma`` of the rows with these counts."""
        return self.total + (gamma - 1) * dot(self.alpha, counts)

    @abstractmethod
    def function(self, gamma: Fraction, budget: Budget) -> Function:
        """Return the function of the counts that the checker bounds by 0."""

    @abstractmethod
    def needed(self, gamma: Fraction, counts: Sequence[int]) -> Fraction:
        """Return the number by which alpha must be raised so that the inequality holds for these counts."""

    @abstractmethod
    def bound(self) -> Fraction:
        """Return the bound on the objective."""


@dataclass(frozen=True)
class SquaresDual(OrbitDual):
    """A dual whose inequality is ``sum_g x_g (Q_g - sigma_g^2/n_g) + sum_j d_j (sigma.F_j)^2 <= (alpha.r)(pi.r)``.

    Attributes:
        inside: x_g >= 0; for A-optimality a root of it.
        lines: F_j, one number for each group, whose sum over the categories is 0.
        weights: d_j.
    """

    inside: tuple[Fraction, ...]
    lines: tuple[tuple[Fraction, ...], ...]
    weights: tuple[Fraction, ...]

    @property
    def squares(self) -> tuple[Fraction, ...]:
        """The numbers x_g."""
        return self.inside

    def proof(self) -> dict[str, Any]:
        """Return the keys of the certificate."""
        return {"alpha": self.alpha, "inside": self.inside, "lines": self.lines, "weights": self.weights}

    def _matrix(self) -> Squares:
        """Return X with the left side ``r^T X r``."""
        places = range(len(self.groups))
        p = [
            [sum((d * f[g] * f[h] for d, f in zip(self.weights, self.lines, strict=True)), Fraction(0)) for h in places]
            for g in places
        ]
        for g, (x, n) in enumerate(zip(self.squares, self.groups, strict=True)):
            p[g][g] -= x / n
        return Squares([*self.squares], p)

    def function(self, gamma: Fraction, budget: Budget) -> Function:
        """Return the difference of the two sides, which is quadratic in the counts."""
        return squares_function(self.groups, self.shares, self.alpha, self._matrix(), gamma, budget)

    def needed(self, gamma: Fraction, counts: Sequence[int]) -> Fraction:
        """Return the left side divided by s^2, minus ``alpha.r/s``."""
        x, p = self._matrix()
        s = self.chance(gamma, counts)
        sigma = [n + (gamma - 1) * c for n, c in zip(self.groups, counts, strict=True)]
        own = [n + (gamma**2 - 1) * c for n, c in zip(self.groups, counts, strict=True)]
        square = dot(x, own) + dot(sigma, [dot(row, sigma) for row in p])
        return square / s**2 - self.paid(gamma, counts) / s


class OrbitForm(ABC):
    """An objective as a function of the orbits of staircase rows.

    Attributes:
        digits: the number of digits of logarithms in a certificate; None if it contains none.
    """

    digits: int | None = None

    def __init__(self, groups: tuple[int, ...], shares: tuple[Fraction, ...], gamma: Fraction) -> None:
        self.groups, self.shares, self.gamma = groups, shares, gamma

    @property
    def population(self) -> list[Fraction]:
        """The proportions of all categories."""
        return [p for p, n in zip(self.shares, self.groups, strict=True) for _ in range(n)]

    @abstractmethod
    def criterion(self, rows: OrbitRows) -> Criterion:
        """Return the criterion of the interior-point method."""

    @abstractmethod
    def dual(self, criterion: Any, y: Array, v: Array, rows: OrbitRows) -> OrbitDual:
        """Return a rational dual from Y and v of the interior-point method; its inequality may fail slightly."""

    @abstractmethod
    def proved(self, mechanism: OrbitMechanism) -> Fraction | None:
        """Return the end of the bracket that a mechanism proves; None if it does not identify the proportions."""

    def alpha(self, v: Array, rows: OrbitRows, scale: int = 0) -> tuple[Fraction, ...]:
        """Return alpha for ``g = v_0 + v.c``, times the unit to a power; the part along pi is rounded on its own.

        At a small level the other part is far larger, but its sum over the categories is 0.
        """
        slopes = line_of(rows.basis @ v[1:] / np.sqrt(np.array(self.groups, dtype=float)), self.groups, 0)
        start, unit = rounded_to_bits(float(v[0]), float(v[0]), BITS), Fraction(rows.unit)
        return tuple(
            start * unit**scale * p + x * unit ** (scale - 1) for p, x in zip(self.shares, slopes, strict=True)
        )

    def information(self, mechanism: OrbitMechanism) -> GroupMatrix:
        """Return the information of a mechanism at the population."""
        found = grouped_information(mechanism, self.population)
        assert found is not None  # pi is constant within the groups
        return found


def line_of(numbers: Array, groups: Sequence[int], free: int, largest: float | None = None) -> tuple[Fraction, ...]:
    """Return numbers of the groups, rounded, of which one makes their sum over the categories 0."""
    size = float(np.abs(numbers).max()) if largest is None else largest
    found = [rounded_to_bits(float(x), size, BITS) for x in numbers]
    found[free] = Fraction(0)
    found[free] = -dot(found, groups) / groups[free]
    return tuple(found)


def rounded_numbers(several: Sequence[int], numbers: Array, count: int) -> tuple[Fraction, ...]:
    """Return the numbers of the groups of at least two categories, rounded, and 0 for the others."""
    found, size = [Fraction(0)] * count, float(np.abs(numbers).max(initial=0))
    for g, x in zip(several, numbers, strict=True):
        found[g] = rounded_to_bits(max(float(x), 0.0), size, BITS)
    return tuple(found)
