"""Objectives as functions of rays: what the engine optimizes, and what a certificate proves.

A mechanism is a measure on the rays of its region. An objective defines the value of a row (``phi``), the functions
with which floats find the weights (a ``RayCriterion``: value, gradient and curvature), the bound that a mechanism
proves, and the bound that a dual solution proves:

    phi(p) <= g(p) on every ray   =>   sum_i phi(p_i) <= B for every private mechanism   =>   the other bound.

``SumForm`` is for objectives ``sum_i phi(p_i)`` with convex and homogeneous phi. ``SquaresForm`` is for functions of
the Fisher information, ``phi(p) = abs(p W)^2/(p.pi)`` with a matrix W whose columns sum to 0. To add an
objective, subclass one of them in a new file. The rest of the library does not depend on the kind of objective.

*Groups.* Let the categories be in groups of sizes n_g, with the proportion pi_g of each category of group g. Some
optimal mechanism is invariant under permutations inside the groups: the average of all permutations of a mechanism is
at least as good. A row then counts with all its permutations, as an orbit. With the sums sigma_g and Q_g of its entries
and of their squares in group g, and ``s = sum_g pi_g sigma_g``, the mean of ``abs(p W)^2`` over the orbit is

    sum_g x_g (Q_g - sigma_g^2/n_g) + sum_j d_j (sum_g sigma_g F_gj)^2,    sum_g n_g F_gj = 0,

since W is then a multiple of the identity on the contrasts inside a group. Groups of one category are rays. Of a
staircase row with c_g entries gamma in group g, the first bracket is ``(gamma - 1)^2 c_g (n_g - c_g)/n_g``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from copy import copy
from fractions import Fraction
from operator import mul
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

from rropt.checker.counts import Function
from rropt.checker.documents import WorkBudget
from rropt.checker.groups_way import GroupSquares, squares_function
from rropt.core.exact.numbers import dot, whole_numbers
from rropt.core.lazy import numpy as np
from rropt.mechanisms import Mechanism
from rropt.mechanisms.fisher_information import information_inverse
from rropt.mechanisms.orbits import GroupMatrix, OrbitMechanism, orbit_information
from rropt.objectives.estimators import Matrix, covariance_of, rounded_up, unbiased_estimator, with_zero_columns
from rropt.objectives.ray_criteria import RayCriterion, Squares, orthogonal_to

if TYPE_CHECKING:
    from rropt.objectives.ray_criteria import Array

Primal = dict[str, list[Matrix]]

_SAME_COLUMN = 1e-9  # columns that differ by less, because a design need not distinguish their categories, become equal

_TRACE = Fraction(1, 2**44)  # weight of randomized response that is mixed in if a mechanism alone identifies too little


class ScaledRays(NamedTuple):
    """Rays or orbits in floats, divided by s.

    Attributes:
        rows: the rays, shape (n, k); of orbits of staircase rows the two entries, shape (n, 2).
        steps: rows minus 1, accurate relative to their own size.
        root: the matrix of the coordinates ``c = sigma root``, shape (k, d); its columns sum to 0 over all categories.
        c: these contrasts, followed by zeros for conditions that are not rays, shape (n + q, d).
        inside: the roots of ``Q_g - sigma_g^2/n_g`` of the groups of at least two categories, shape (n, q).
        chances: the probability of the categories of each entry, for orbits, shape (n, 2).
    """

    rows: Array
    steps: Array
    root: Array
    c: Array
    inside: Array | None = None
    chances: Array | None = None

    def padded(self, numbers: Array) -> Array:
        """Return numbers or features of the rays, followed by zeros for conditions that are not rays."""
        return np.pad(numbers, [(0, len(self.c) - len(numbers)), *[(0, 0)] * (numbers.ndim - 1)])


class RayForm(ABC):
    """An objective at one distribution of the categories, as a function of rays, or of orbits (``over``).

    Args:
        population: pi.
        gamma: an upper bound of the largest ratio exp(epsilon) of the region.

    Attributes:
        groups: n_g, the number of categories that each proportion of pi stands for.
        several: the indices of the groups of at least two categories.
        is_sum: whether the objective is ``sum_i phi(p_i)``.
        has_any_scale: whether floats of phi are right for rays that are not scaled to ``r.pi = 1``.
        is_rational: whether phi of a rational row is rational and exact. Then a linear program closes the gap between
            the bounds.
        is_piecewise_linear: whether phi is the largest of finitely many linear functions.
        is_largest_variance: whether the objective is the largest variance of a contrast of norm 1.
        direction: W up to a factor if phi has a W that the objective does not choose; then phi is a sum over outputs.
        has_corners: whether a mechanism with as many rays as active equations determines the optimal dual solution
            (alpha and beta, and W by ``corner_matrix``).
        takes_any_width: whether W of a certificate may have any number of columns.
        digits: the number of digits of logarithms in certificates; None if there are no logarithms.
        margin: what the checker's enclosure of phi may exceed the exact value by, relative to the size of its terms.
        linear: a linear function whose entries sum to 0; phi of a certificate is ``phi + linear.r``. The form leaves it
            out if phi of a nearly constant row would otherwise lose its digits. No sum over outputs depends on it.
    """

    is_sum: ClassVar[bool] = False
    has_any_scale: ClassVar[bool] = False
    has_corners: ClassVar[bool] = False
    is_rational: ClassVar[bool] = False
    is_piecewise_linear: ClassVar[bool] = False
    is_largest_variance: ClassVar[bool] = False
    takes_any_width: ClassVar[bool] = False
    direction: Any = None
    digits: int | None = None
    margin: Fraction = Fraction(0)

    def __init__(self, population: Sequence[Fraction], gamma: Fraction) -> None:
        self.pi, self.gamma, self.k = tuple(population), gamma, len(population)
        self.groups: tuple[int, ...] = (1,) * self.k
        self.several: list[int] = []
        self.linear: Sequence[Fraction] = [Fraction(0)] * self.k

    def over(self, groups: tuple[int, ...]) -> Self:
        """Return the form for groups of these sizes, with the proportions of one category of each."""
        made = copy(self)
        made.groups, made.several = groups, [g for g, n in enumerate(groups) if n > 1]
        return made

    @abstractmethod
    def criterion(self, lines: ScaledRays) -> RayCriterion:
        """Return phi and psi in floats."""

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

    def corner_matrix(self, mechanism: Mechanism) -> Any:
        """Return the exact W of a mechanism that identifies all proportions; None for sums.

        Raises:
            ZeroDivisionError: the mechanism does not identify them.
        """
        return None

    def weights_at(self, mechanism: Mechanism) -> Sequence[Any]:
        """Return matrices W whose bounds hold for every mechanism; that of the first is the value at this one.

        A list of ``None`` is for sums.

        Raises:
            ZeroDivisionError: the mechanism does not identify the proportions.
        """
        return [self.corner_matrix(mechanism)]

    def completed(
        self, mechanism: Mechanism, regular: Callable[[], Mechanism], is_private: Callable[[Mechanism], bool]
    ) -> Mechanism:
        """Return the mechanism, or one close to it that identifies what the objective needs.

        Args:
            mechanism: the best mechanism that was found.
            regular: returns a private mechanism that identifies the distribution of the categories.
            is_private: the exact test of privacy.
        """
        return mechanism

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
    def bound(self, dual: Any) -> Fraction:
        """Return the other bound, which follows from ``sum_i phi(p_i) <= B`` for a dual."""


class SumForm(RayForm):
    """An objective ``sum_i phi(p_i)`` that is maximized."""

    is_sum: ClassVar[bool] = True
    has_corners: ClassVar[bool] = True

    def __init__(self, objective: Any, population: Sequence[Fraction], gamma: Fraction) -> None:
        super().__init__(population, gamma)
        self.objective = objective

    def criterion(self, lines: ScaledRays) -> RayCriterion:
        """Return phi of the rays; the program is linear in their weights."""
        return RayCriterion(lines.padded(self.float_phi(None, lines.rows, lines.steps)))

    def proved(self, mechanism: Mechanism) -> tuple[Fraction, Primal] | None:
        """Return a lower bound of the value of the mechanism."""
        return -rounded_up(-self.value(mechanism)), {}

    def value(self, mechanism: Mechanism) -> Fraction:
        """Return the objective, or a lower bound of it."""
        value: Fraction = self.objective.value(mechanism, self.pi)
        return value

    def bound(self, dual: Any) -> Fraction:
        """Return B itself."""
        total: Fraction = dual.bound()
        return total


class CountedForm(RayForm):
    """An objective whose designs for groups are found over counts of staircase rows (``engine/orbit_designs.py``)."""

    @property
    def slices(self) -> tuple[int, ...]:
        """The weights of the groups in the sums by which the checker tests the inequality, slice by slice."""
        return (1,) * len(self.groups)

    @abstractmethod
    def over_counts(self, dual: Any, budget: WorkBudget) -> Function:
        """Return the function of the counts that the checker bounds by 0, for the dual of groups."""

    @abstractmethod
    def excess(self, dual: Any, counts: Sequence[int]) -> Fraction:
        """Return ``(phi - g)/s`` of the rows with these counts."""

    @abstractmethod
    def proved_by_orbits(self, mechanism: OrbitMechanism) -> Fraction | None:
        """Return the end of the bracket that a mechanism proves; None if it does not identify the proportions."""

    def chance(self, counts: Sequence[int]) -> Fraction:
        """Return s of the rows with these counts."""
        return 1 + (self.gamma - 1) * dot(self.pi, counts)

    def paid(self, dual: Any, counts: Sequence[int]) -> Fraction:
        """Return ``alpha.sigma`` of the rows with these counts."""
        total: Fraction = dual.bound()
        return total + (self.gamma - 1) * dot(dual.alpha, counts)


class SquaresForm(CountedForm):
    """An objective of the Fisher information, with ``phi(p) = abs(p W)^2/(p.pi)``."""

    @property
    def column_weights(self) -> tuple[Fraction, ...] | None:
        """The weights d_j of the columns of W for groups; None if all are 1."""
        return None

    def insides(self, dual: Any) -> Sequence[Fraction]:
        """Return the numbers x_g of a dual."""
        numbers: Sequence[Fraction] = dual.inside
        return numbers

    def _invariant(self, dual: Any) -> GroupSquares:
        """Return X with the left side ``r^T X r``."""
        x, lines = self.insides(dual), list(zip(*dual.matrix, strict=True))
        weights = dual.weights or (Fraction(1),) * len(lines)
        p = [
            [sum((d * f[g] * f[h] for d, f in zip(weights, lines, strict=True)), Fraction(0)) for h in range(self.k)]
            for g in range(self.k)
        ]
        for g, n in enumerate(self.groups):
            p[g][g] -= x[g] / n
        return GroupSquares([*x], p)

    def over_counts(self, dual: Any, budget: WorkBudget) -> Function:
        """Return the difference of the two sides, which is quadratic in the counts."""
        return squares_function(self.groups, self.pi, dual.alpha, self._invariant(dual), self.gamma, budget)

    def excess(self, dual: Any, counts: Sequence[int]) -> Fraction:
        """Return the left side divided by s^2, minus ``alpha.r/s``."""
        x, p = self._invariant(dual)
        s = self.chance(counts)
        sigma = [n + (self.gamma - 1) * c for n, c in zip(self.groups, counts, strict=True)]
        own = [n + (self.gamma**2 - 1) * c for n, c in zip(self.groups, counts, strict=True)]
        return (dot(x, own) + dot(sigma, [dot(row, sigma) for row in p])) / s**2 - self.paid(dual, counts) / s

    def information(self, mechanism: OrbitMechanism) -> GroupMatrix:
        """Return the information of a mechanism of groups."""
        return orbit_information(self.groups, list(mechanism.counted()), self.pi)

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
        """Return W, scaled so that the largest entry is 1, and the square of the scale factor.

        Raises:
            numpy.linalg.LinAlgError: X is 0 or singular in floats.
        """
        w = self.float_matrix(criterion, y, root)
        if not w.size:
            raise np.linalg.LinAlgError("X is 0 in floats")
        largest = float(np.abs(w).max())
        return with_zero_columns(w / largest), largest**2

    def float_covariance(self, mechanism: Mechanism) -> Array:
        """Return n times the covariance of the efficient estimator of pi, ``M^-1 - pi pi^T``, in floats.

        Raises:
            ZeroDivisionError: M is singular.
        """
        inverse = information_inverse(mechanism, self.pi)
        if inverse is None:
            raise ZeroDivisionError
        exact = [
            [x - p * q for x, q in zip(row, self.pi, strict=True)] for row, p in zip(inverse, self.pi, strict=True)
        ]
        return np.array([[float(x) for x in row] for row in exact])

    def full_covariance(self, mechanism: Mechanism) -> tuple[list[list[Fraction]], list[list[Fraction]]] | None:
        """Return the covariance of an unbiased estimator of pi, and the estimator."""
        identity = [[Fraction(int(i == j)) for j in range(self.k)] for i in range(self.k)]
        found = unbiased_estimator(mechanism, self.pi, identity)
        return None if found is None else (covariance_of(found, mechanism, self.pi, identity), found)


class VarianceForm(SquaresForm):
    """The sum of the variances of the unbiased estimates of all ``b.pi``, where b are the rows of ``targets``."""

    has_corners: ClassVar[bool] = True

    def __init__(self, population: Sequence[Fraction], gamma: Fraction, targets: Matrix) -> None:
        super().__init__(population, gamma)
        self.targets = [list(row) for row in targets]
        self.is_total = self.targets == [[Fraction(i == j) for j in range(self.k)] for i in range(self.k)]
        if self.k == 2:  # the columns of W sum to 0
            falls = [row[1] - row[0] for row in self.targets]
            self.direction = ([-x for x in falls], falls)

    def corner_matrix(self, mechanism: Mechanism) -> Any:
        """Return ``W = V C^T`` with the covariance ``V = M^-1 - pi pi^T`` of the efficient estimator of pi.

        The efficient estimator of the targets has the values ``a_i`` with ``p_i W = s_i (a_i - C pi)`` at the outputs.
        """
        inverse = information_inverse(mechanism, self.pi)
        if inverse is None:
            raise ZeroDivisionError
        return [
            [dot(row, target) - p * dot(target, self.pi) for target in self.targets]
            for row, p in zip(inverse, self.pi, strict=True)
        ]

    def _turn(self) -> Array | None:
        """Return a map from k targets, which span only k - 1 dimensions, to k - 1 targets; None for other targets."""
        root = np.sqrt(np.array(self.groups, dtype=float))
        return orthogonal_to(root) / root[:, None] if self.is_total else None

    def over(self, groups: tuple[int, ...]) -> Self:
        """Return the form for groups; a target counts a category of a group n_g times."""
        made = super().over(groups)
        made.targets = [[x * n for x, n in zip(row, groups, strict=True)] for row in self.targets]
        return made

    def criterion(self, lines: ScaledRays) -> Squares:
        """Return the squares of the contrasts between groups, and of those inside each group."""
        along = lines.root.T @ np.array([[float(x) for x in row] for row in self.targets]).T
        turn = self._turn()
        along = along if turn is None else along @ turn
        size = float(np.abs(along).max(initial=0)) or 1.0
        parts = [(lines.c, along / size)] if len(along) else []
        inside = lines.rows[:, :0] if lines.inside is None else lines.inside
        for column, g in zip(inside.T, self.several, strict=True):
            parts.append((column[:, None], np.array([[(self.groups[g] - 1) / size]])))
        return Squares(parts, len(self.several))

    @property
    def column_weights(self) -> tuple[Fraction, ...]:
        """The sizes of the groups: each category has a column."""
        return tuple(map(Fraction, self.groups))

    def insides(self, dual: Any) -> Sequence[Fraction]:
        """Return the squares of the numbers of a dual."""
        return [a * a for a in dual.inside]

    def proved_by_orbits(self, mechanism: OrbitMechanism) -> Fraction | None:
        """Return the total variance of a mechanism."""
        inverse = self.information(mechanism).inverse()
        return None if inverse is None else inverse.trace() - dot([p * p for p in self.pi], self.groups)

    def float_matrix(self, criterion: Any, y: Array, root: Array) -> Array:
        """Return W with k rows and a column for each target."""
        w: Array = root @ (criterion.blocks(y)[0] if root.size else np.zeros((0, 0)))
        turn = self._turn()
        return w if turn is None else w @ turn.T

    def completed(
        self, mechanism: Mechanism, regular: Callable[[], Mechanism], is_private: Callable[[Mechanism], bool]
    ) -> Mechanism:
        """Return the mechanism; if its information is singular, make nearly equal columns equal, or mix it.

        The best design for a contrast need not distinguish categories that the contrast does not distinguish. Their
        columns are nearly equal, and with their mean in place of them an estimator needs no more rows. Otherwise a
        regular mechanism of small weight is mixed in: the relative loss is at most this weight.
        """
        if unbiased_estimator(mechanism, self.pi, self.targets) is not None:
            return mechanism
        even = self._with_equal_columns(mechanism)
        if is_private(even) and unbiased_estimator(even, self.pi, self.targets) is not None:
            return even
        parts = ((1 - _TRACE, mechanism), (_TRACE, regular()))
        return Mechanism([[part * x for x in row] for part, each in parts for row in each.matrix])

    def _with_equal_columns(self, mechanism: Mechanism) -> Mechanism:
        """Return the mechanism with the mean of its nearly equal columns whose targets are equal."""
        floats, targets = mechanism.to_numpy(), list(zip(*self.targets, strict=True))

        def is_near(i: int, j: int) -> bool:
            return targets[i] == targets[j] and bool(np.abs(floats[:, i] - floats[:, j]).max() < _SAME_COLUMN)

        places = range(self.k)
        near = [[i for i in places if is_near(i, next(f for f in places if is_near(f, j)))] for j in places]
        return Mechanism([[sum((row[i] for i in n), Fraction(0)) / len(n) for n in near] for row in mechanism.matrix])

    def proved(self, mechanism: Mechanism) -> tuple[Fraction, Primal] | None:
        """Return the variance of an unbiased estimator."""
        found = unbiased_estimator(mechanism, self.pi, self.targets)
        if found is None:
            return None
        total = self.variance(found, mechanism)
        return total if mechanism.outputs == self.k else rounded_up(total), {"estimators": [found]}

    def variance(self, estimator: Matrix, mechanism: Mechanism) -> Fraction:
        """Return the sum of the variances ``sum_o s_o abs(a_o)^2 - abs(C pi)^2`` of an unbiased estimator."""
        columns = zip(mechanism.matrix, zip(*estimator, strict=True), strict=True)
        squares = (dot(row, self.pi) * dot(column, column) for row, column in columns)
        return sum(squares, -sum((dot(target, self.pi) ** 2 for target in self.targets), Fraction(0)))

    def bound(self, dual: Any) -> Fraction:
        """Return ``tr(C W)^2 / B``; the numbers of groups and of two categories are few, and not rounded."""
        trace = Fraction(dual.along(self.targets))
        if dual.groups:
            trace += dot(dual.inside, [n - 1 for n in self.groups])
        found: Fraction = trace**2 / dual.bound()
        return found if dual.groups or self.k == 2 else -rounded_up(-found)
