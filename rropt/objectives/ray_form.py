"""Objectives as functions of rays: what the engine optimizes, and what a certificate proves.

A mechanism is a measure on the rays of its region. An objective defines the value of a row (``phi``), the functions
with which floats find the weights (a ``Criterion``: value, gradient and curvature), the bound that a mechanism proves,
and the bound that a dual solution proves:

    phi(p) <= g(p) on every ray   =>   sum_i phi(p_i) <= B for every private mechanism   =>   the other bound.

``SumForm`` is for objectives ``sum_i phi(p_i)`` with convex and homogeneous phi. ``SquaresForm`` is for functions of
the Fisher information, ``phi(p) = abs(p W)^2/(p.pi)`` with a matrix W whose columns sum to 0. To add an
objective, subclass one of them in a new file. The rest of the library does not depend on the kind of objective.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from fractions import Fraction
from operator import mul
from typing import TYPE_CHECKING, Any, ClassVar

from rropt.core.exact.numbers import dot, whole_numbers
from rropt.core.lazy import numpy as np
from rropt.mechanisms import Mechanism
from rropt.mechanisms.left_inverse import flint_matrix, fractions_of
from rropt.objectives.criteria import Criterion, Squares, orthogonal_to
from rropt.objectives.estimators import Matrix, covariance_of, rounded_up, unbiased_estimator, with_zero_columns

if TYPE_CHECKING:
    from rropt.objectives.criteria import Array

Primal = dict[str, list[Matrix]]

_TRACE = Fraction(1, 2**44)  # weight of randomized response that is mixed in if a mechanism alone identifies too little


class RayForm(ABC):
    """An objective at one distribution of the categories, as a function of rays.

    Args:
        population: pi.
        gamma: an upper bound of the largest ratio exp(epsilon) of the region.

    Attributes:
        is_sum: whether the objective is ``sum_i phi(p_i)``.
        has_any_scale: whether floats of phi are right for rays that are not scaled to ``r.pi = 1``.
        is_rational: whether phi of a rational row is rational and exact. Then a linear program closes the gap between
            the bounds.
        has_vertices: whether, at delta = 0, k rays determine the optimal dual solution (alpha, and W by
            ``vertex_matrix``).
        takes_any_width: whether W of a certificate may have any number of columns.
        digits: the number of digits of logarithms in certificates; None if there are no logarithms.
        margin: what the checker's enclosure of phi may exceed the exact value by, relative to the size of its terms.
        linear: a linear function whose entries sum to 0; phi of a certificate is ``phi + linear.r``. The form leaves it
            out if phi of a nearly constant row would otherwise lose its digits. No sum over outputs depends on it.
    """

    is_sum: ClassVar[bool] = False
    has_any_scale: ClassVar[bool] = False
    has_vertices: ClassVar[bool] = False
    is_rational: ClassVar[bool] = False
    takes_any_width: ClassVar[bool] = False
    digits: int | None = None
    margin: Fraction = Fraction(0)

    def __init__(self, population: Sequence[Fraction], gamma: Fraction) -> None:
        self.pi, self.gamma, self.k = tuple(population), gamma, len(population)

    @property
    def linear(self) -> Sequence[Fraction]:
        """The linear function that phi leaves out; by default 0."""
        return [Fraction(0)] * self.k

    @property
    def has_exact_phi(self) -> bool:
        """Whether phi of a rational row is exact or enclosed, so that an exact linear program gives the design."""
        return self.is_rational or self.margin > 0

    @abstractmethod
    def criterion(self, rows: Array, steps: Array, root: Array) -> Criterion:
        """Return phi and psi in floats.

        Args:
            rows: the rays divided by s = r.pi, shape (n, k).
            steps: rows minus 1, accurate relative to their own size.
            root: the matrix of the coordinates ``c = steps root``, shape (k, k - 1), whose columns sum to 0.
        """

    def witness(self, criterion: Any, y: Array, root: Array) -> tuple[Any, float]:
        """Return W, exact, and the factor by which alpha and beta are divided; (None, 1) if phi needs no W."""
        return None, 1.0

    @abstractmethod
    def phi(self, matrix: Any, row: Sequence[Fraction]) -> Fraction:
        """Return phi of a row: the exact value or an upper bound."""

    def exact_phi(self, matrix: Any) -> Callable[[Sequence[Fraction]], Fraction]:
        """Return ``phi`` as a function of the row, for many rows and one W."""
        return lambda row: self.phi(matrix, row)

    @abstractmethod
    def float_phi(self, matrix: Any, rows: Array, steps: Array) -> Array:
        """Return phi of rays with ``r.pi = 1``, shape (n, k), in floats.

        A form that loses accuracy for nearly constant rows uses ``steps = rows - 1``, accurate relative to their size.
        """

    def cancelled(self, matrix: Any, rows: Array, steps: Array) -> Array:
        """Return the size of the terms of ``float_phi`` that cancel each other, to which its error is relative."""
        return np.abs(self.float_phi(matrix, rows, steps))

    def vertex_matrix(self, mechanism: Mechanism) -> Any:
        """Return the exact W for a mechanism with k independent rows; None for sums."""
        return None

    def completed(self, mechanism: Mechanism, regular: Callable[[], Mechanism]) -> Mechanism:
        """Return the mechanism, or one close to it that identifies what the objective needs.

        Args:
            mechanism: the best mechanism that was found.
            regular: returns a private mechanism that identifies the distribution of the categories.
        """
        return mechanism

    @property
    def decisions(self) -> Matrix | None:
        """The rows L_d if ``phi(p) = max_d L_d.p``; None for other objectives.

        The convex route then states the problem in the entries of a mechanism with one output for each d.
        """
        return None

    def require_valid(self, has_zeros: bool) -> None:  # noqa: B027  # objectives that the checker knows need no test
        """Test at random points the assumptions of the theory, for an objective that the checker does not know.

        Args:
            has_zeros: whether rows of the region may contain zeros.

        Raises:
            InvalidParameterError: a test fails at a point.
        """

    @abstractmethod
    def proved(self, mechanism: Mechanism) -> tuple[Fraction, Primal] | None:
        """Return the bound that a mechanism proves, and its witness; None if it proves no bound."""

    @abstractmethod
    def bound(self, matrix: Any, total: Fraction) -> Fraction:
        """Return the other bound, which follows from ``sum_i phi(p_i) <= total``."""


class SumForm(RayForm):
    """An objective ``sum_i phi(p_i)`` that is maximized."""

    is_sum: ClassVar[bool] = True
    has_vertices: ClassVar[bool] = True

    def __init__(self, objective: Any, population: Sequence[Fraction], gamma: Fraction) -> None:
        super().__init__(population, gamma)
        self.objective = objective

    def criterion(self, rows: Array, steps: Array, root: Array) -> Criterion:
        """Return phi of the rays; the program is linear in their weights."""
        return Criterion(self.float_phi(None, rows, steps))

    def proved(self, mechanism: Mechanism) -> tuple[Fraction, Primal] | None:
        """Return a lower bound of the value of the mechanism."""
        return -rounded_up(-self.value(mechanism)), {}

    def value(self, mechanism: Mechanism) -> Fraction:
        """Return the objective, or a lower bound of it."""
        value: Fraction = self.objective.value(mechanism, self.pi)
        return value

    def bound(self, matrix: Any, total: Fraction) -> Fraction:
        """Return B itself."""
        return total


class SquaresForm(RayForm):
    """An objective of the Fisher information, with ``phi(p) = abs(p W)^2/(p.pi)``."""

    def phi(self, matrix: Any, row: Sequence[Fraction]) -> Fraction:
        """Return ``abs(p W)^2/(p.pi)``."""
        return self.exact_phi(matrix)(row)

    def exact_phi(self, matrix: Any) -> Callable[[Sequence[Fraction]], Fraction]:
        """Return ``phi`` as a function of the row; W and pi become integers only once."""
        width = len(matrix[0])
        entries, scale = whole_numbers([x for line in matrix for x in line])
        columns = [entries[i::width] for i in range(width)]
        shares, unit = whole_numbers(self.pi)

        def phi(row: Sequence[Fraction]) -> Fraction:
            p, below = whole_numbers(row)
            square = sum(sum(map(mul, p, column)) ** 2 for column in columns)
            return Fraction(square * unit, scale**2 * below * sum(map(mul, p, shares)))

        return phi

    def float_phi(self, matrix: Any, rows: Array, steps: Array) -> Array:
        """Return ``abs(h W)^2`` of the steps h; that of the rows is equal, because the columns of W sum to 0."""
        w = np.array([[float(x) for x in row] for row in matrix])
        return np.asarray(((steps @ w) ** 2).sum(1))

    def cancelled(self, matrix: Any, rows: Array, steps: Array) -> Array:
        """Return ``(abs(h) abs(W)) . abs(h W)``, summed over the columns of W."""
        w = np.array([[float(x) for x in row] for row in matrix])
        return np.asarray((np.abs(steps) @ np.abs(w) * np.abs(steps @ w)).sum(1))

    @abstractmethod
    def float_matrix(self, criterion: Any, y: Array, root: Array) -> Array:
        """Return W in floats; its columns sum to 0 up to rounding."""

    def witness(self, criterion: Any, y: Array, root: Array) -> tuple[Any, float]:
        """Return W, scaled so that the largest entry is 1, and the square of the scale factor."""
        w = self.float_matrix(criterion, y, root)
        largest = float(np.abs(w).max())
        return with_zero_columns(w / largest), largest**2

    def full_covariance(self, mechanism: Mechanism) -> tuple[list[list[Fraction]], list[list[Fraction]]] | None:
        """Return the covariance of an unbiased estimator of pi, and the estimator."""
        identity = [[Fraction(int(i == j)) for j in range(self.k)] for i in range(self.k)]
        found = unbiased_estimator(mechanism, self.pi, identity)
        return None if found is None else (covariance_of(found, mechanism, self.pi, identity), found)


class VarianceForm(SquaresForm):
    """The sum of the variances of the unbiased estimates of all ``b.pi``, where b are the rows of ``targets``."""

    has_vertices: ClassVar[bool] = True

    def __init__(self, population: Sequence[Fraction], gamma: Fraction, targets: Matrix) -> None:
        super().__init__(population, gamma)
        self.targets = [list(row) for row in targets]

    def vertex_matrix(self, mechanism: Mechanism) -> Any:
        """Return ``W = V C^T``, where V is the covariance of the efficient estimator ``A = C P^-1``.

        The columns a_i of A determine W by ``p_i W = s_i (a_i - C pi)``.
        """
        inverse = flint_matrix(mechanism.matrix).inv()
        estimator = fractions_of(flint_matrix(self.targets) * inverse)
        means = [dot(row, self.pi) for row in self.targets]
        chances = mechanism.apply(self.pi)
        moved = [
            [s * (row[i] - mean) for row, mean in zip(estimator, means, strict=True)] for i, s in enumerate(chances)
        ]
        return fractions_of(inverse * flint_matrix(moved))

    def _turn(self) -> Array | None:
        """Return a map from k targets, which span only k - 1 dimensions, to k - 1 targets; None for other targets."""
        return orthogonal_to(np.ones(self.k)) if self._is_identity else None

    @property
    def _is_identity(self) -> bool:
        k = self.k
        return self.targets == [[Fraction(int(i == j)) for j in range(k)] for i in range(k)]

    def criterion(self, rows: Array, steps: Array, root: Array) -> Squares:
        """Return the squares of the contrasts in the coordinates of the rays."""
        along = root.T @ np.array([[float(x) for x in row] for row in self.targets]).T
        turn = self._turn()
        along = along if turn is None else along @ turn
        return Squares([(None, along / np.abs(along).max())])

    def float_matrix(self, criterion: Any, y: Array, root: Array) -> Array:
        """Return W with k rows and a column for each target."""
        w: Array = root @ criterion.blocks(y)[0]
        turn = self._turn()
        return w if turn is None else w @ turn.T

    def completed(self, mechanism: Mechanism, regular: Callable[[], Mechanism]) -> Mechanism:
        """Return the mechanism; if its information is singular, mix it with a regular one of small weight.

        The best design for a contrast need not distinguish categories that the contrast does not distinguish. The
        relative loss due to the mixture is at most the weight of the regular mechanism.
        """
        if unbiased_estimator(mechanism, self.pi, self.targets) is not None:
            return mechanism
        parts = ((1 - _TRACE, mechanism), (_TRACE, regular()))
        return Mechanism([[part * x for x in row] for part, each in parts for row in each.matrix])

    def proved(self, mechanism: Mechanism) -> tuple[Fraction, Primal] | None:
        """Return the variance of an unbiased estimator."""
        found = unbiased_estimator(mechanism, self.pi, self.targets)
        if found is None:
            return None
        covariance = covariance_of(found, mechanism, self.pi, self.targets)
        total = sum((covariance[i][i] for i in range(len(found))), Fraction(0))
        return total if mechanism.outputs == self.k else rounded_up(total), {"estimators": [found]}

    def bound(self, matrix: Any, total: Fraction) -> Fraction:
        """Return ``tr(C W)^2 / B``."""
        trace = sum((dot(c, [row[i] for row in matrix]) for i, c in enumerate(self.targets)), Fraction(0))
        return -rounded_up(-(trace**2) / total)
