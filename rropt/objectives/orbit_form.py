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
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from rropt.checker.counts import Function
from rropt.checker.documents import Budget
from rropt.checker.groups_way import Squares, squares_function
from rropt.core.exact.numbers import dot
from rropt.core.lazy import numpy as np
from rropt.mechanisms.orbits import GroupMatrix, OrbitMechanism, grouped_information
from rropt.objectives.criteria import orthogonal_to
from rropt.objectives.estimators import rounded_to_bits

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rropt.objectives.criteria import Array, Criterion

Numbers = Sequence[Fraction]

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
        unit: the scale of ``between`` and ``inside``.
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
    """Return the orbits with these counts; without a unit, the largest entry of ``between`` and ``inside`` is 1."""
    c, n, step = counts.astype(float), np.array(groups, dtype=float), float(gamma - 1)
    s = 1 + step * (c @ np.array([float(p) for p in shares]))
    root = np.sqrt(n)
    basis = orthogonal_to(root)
    between = (step * c / root / s[:, None]) @ basis  # L is orthogonal to the other part of u, sqrt(n)/s
    several = [g for g, size in enumerate(groups) if size > 1]
    wide = n[several]
    inside = step / s[:, None] * np.sqrt(c[:, several] * (wide - c[:, several]) / (wide * (wide - 1)))
    if unit is None:
        unit = float(max(np.abs(between).max(initial=0), np.abs(inside).max(initial=0)))
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
    def weights(self) -> tuple[int, ...]:
        """The weights a_g of the slices in which the checker tests the inequality."""
        return (1,) * len(self.groups)

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


class SquaresDual(OrbitDual):
    """A dual over groups whose inequality is ``r^T X r <= (alpha.r)(pi.r)``."""

    @abstractmethod
    def squares(self) -> Squares:
        """Return X."""

    def function(self, gamma: Fraction, budget: Budget) -> Function:
        """Return the difference of the two sides, which is quadratic in the counts."""
        return squares_function(self.groups, self.shares, self.alpha, self.squares(), gamma, budget)

    def needed(self, gamma: Fraction, counts: Sequence[int]) -> Fraction:
        """Return ``r^T X r/s^2 - alpha.r/s``."""
        x, p = self.squares()
        s = self.chance(gamma, counts)
        sigma = [n + (gamma - 1) * c for n, c in zip(self.groups, counts, strict=True)]
        own = [n + (gamma**2 - 1) * c for n, c in zip(self.groups, counts, strict=True)]
        square = dot(x, own) + dot(sigma, [dot(row, sigma) for row in p])
        return square / s**2 - self.paid(gamma, counts) / s


@dataclass(frozen=True)
class FactoredDual(SquaresDual):
    """``X = x_g (I - J/n_g) + F F^T``: the dual of E- and D-optimality.

    Attributes:
        inside: x_g >= 0.
        factor: F, one row for each group; its columns sum to 0 over the categories.
    """

    inside: tuple[Fraction, ...]
    factor: tuple[tuple[Fraction, ...], ...]

    def squares(self) -> Squares:
        """Return X."""
        p = [
            [dot(a, b) - (x / n if g == h else 0) for h, b in enumerate(self.factor)]
            for g, (a, x, n) in enumerate(zip(self.factor, self.inside, self.groups, strict=True))
        ]
        return Squares(list(self.inside), p)


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

    def alpha(self, v: Array, rows: OrbitRows) -> tuple[Fraction, ...]:
        """Return alpha for ``g = v_0 + v.c``, rounded."""
        root = np.sqrt(np.array(self.groups, dtype=float))
        slopes = rows.basis @ v[1:] / root / rows.unit
        found = v[0] * np.array([float(p) for p in self.shares]) + slopes
        largest = float(np.abs(found).max())
        return tuple(rounded_to_bits(float(x), largest, BITS) for x in found)

    def information(self, mechanism: OrbitMechanism) -> GroupMatrix:
        """Return the information of a mechanism at the population."""
        found = grouped_information(mechanism, self.population)
        assert found is not None  # pi is constant within the groups
        return found


def rounded_factor(
    form: OrbitForm, inside: Array, matrix: Array, rows: OrbitRows, *, is_triangular: bool
) -> tuple[tuple[Fraction, ...], tuple[tuple[Fraction, ...], ...]]:
    """Return x_g and F, rounded: F F^T is close to ``L X L^T`` between the groups, and ``n.F = 0`` exactly.

    Args:
        form: gives the sizes of the groups.
        inside: x_g in the units of ``rows``, shape (G,).
        matrix: X between groups in the units of ``rows``, shape (G - 1, G - 1).
        rows: gives L and the unit.
        is_triangular: whether the first G - 1 rows of F are a lower triangular matrix.
    """
    n = form.groups
    x = inside / rows.unit**2
    numbers = tuple(rounded_to_bits(float(v), float(x.max(initial=0)), BITS) for v in x)
    if len(n) == 1:
        return numbers, ((),)
    lines = rows.basis / np.sqrt(np.array(n, dtype=float))[:, None] / rows.unit
    if is_triangular:
        top = np.linalg.cholesky((lines @ matrix @ lines.T)[:-1, :-1])
    else:
        values, vectors = np.linalg.eigh(matrix)
        kept = values > 1e-18 * max(values[-1], 0)
        kept[-1] = True  # one column, of zeros if X is 0
        top = (lines @ (vectors[:, kept] * np.sqrt(np.maximum(values[kept], 0))))[:-1]
    largest = float(np.abs(top).max())
    factor = [tuple(rounded_to_bits(float(v), largest, BITS) for v in row) for row in top]
    sizes = [*map(Fraction, n)]
    last = tuple(-dot(sizes[:-1], column) / n[-1] for column in zip(*factor, strict=True))
    return numbers, (*factor, last)
