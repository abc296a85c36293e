"""An objective as a function of rays: what the engine optimises and what a certificate of rule 25 proves.

A mechanism is a measure on rays of its region. An objective says what a row is worth (``phi``), how floats find the
weights (a ``Criterion``: value, gradient and curvature), what a mechanism proves, and what the dual bounds:

    phi(p) <= g(p) on every ray   =>   sum_i phi(p_i) <= B for every private mechanism   =>   the other end.

``SumForm`` is for objectives ``sum_i phi(p_i)``, phi convex and homogeneous; ``SquaresForm`` for those of the Fisher
information, ``phi(p) = abs(p W)^2/(p.pi)`` with W a matrix whose columns sum to 0. An objective in a file of its own
subclasses one of them; nothing else in the library asks for its kind.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from rropt.core.exact.numbers import dot
from rropt.mechanisms import Mechanism
from rropt.mechanisms.left_inverse import flint_matrix, fractions_of
from rropt.objectives.criteria import Criterion, Squares, Sum, orthogonal_to
from rropt.objectives.estimators import Matrix, covariance_of, rounded_up, unbiased_estimator, with_zero_columns

if TYPE_CHECKING:
    from rropt.objectives.criteria import Array

Primal = dict[str, Matrix]

_TRACE = Fraction(1, 2**44)  # of randomized response, where a mechanism alone identifies too little


class Statement(NamedTuple):
    """A concave function F of the weights of columns, to be maximised, and its tangent.

    Attributes:
        goal: an expression of CVXPY, of about the size of 1.
        unit: F is so many times the goal, up to a constant.
        conditions: further constraints.
        tangent: from the weights w that were found, phi and the constant with ``F(v) <= constant + phi.v`` for all v.
        squares: lines c and B of ``F = -tr B^T (sum w c^T c)^-1 B``, whose tangents are ``abs(c W)^2 - 2 tr B^T W``.
    """

    goal: Any
    unit: float
    conditions: list[Any]
    tangent: Callable[[Array], tuple[Array, float]]
    squares: tuple[Array, Array] | None = None


class RayForm(ABC):
    """An objective at one population, over rays.

    Args:
        population: pi.
        gamma: the largest ratio exp(epsilon) of the region, from above.

    Attributes:
        is_sum: whether the objective is ``sum_i phi(p_i)``.
        is_rational: whether phi of a rational row is rational, and exact: then a linear program closes the bracket.
        has_vertices: whether k rays without delta alone fix the optimal dual: alpha, and W by ``vertex_matrix``.
        digits: of the logarithms in certificates, None where there are none.
    """

    is_sum: ClassVar[bool] = False
    has_vertices: ClassVar[bool] = False
    is_rational: ClassVar[bool] = False
    digits: int | None = None

    def __init__(self, population: Sequence[Fraction], gamma: Fraction) -> None:
        self.pi, self.gamma, self.k = tuple(population), gamma, len(population)

    @abstractmethod
    def criterion(self, rows: Array, steps: Array, root: Array) -> Criterion:
        """Return phi and psi in floats.

        Args:
            rows: r/s of the rays, s = r.pi, shape (n, k).
            steps: rows less 1, accurate relative to their own size.
            root: coordinates ``c = steps root``, shape (k, k - 1), whose columns sum to 0.
        """

    def witness(self, criterion: Any, y: Array, root: Array) -> tuple[Any, float]:
        """Return W, exact, and the factor by which alpha and beta are divided; (None, 1) where phi needs none."""
        return None, 1.0

    @abstractmethod
    def phi(self, matrix: Any, row: Sequence[Fraction]) -> Fraction:
        """Return phi of a row, exact or from above."""

    @abstractmethod
    def float_phi(self, matrix: Any, rows: Array) -> Array:
        """Return phi of rays with ``r.pi = 1``, shape (n, k), in floats."""

    def step_phi(self, matrix: Any, rows: Array, steps: Array) -> Array:
        """Return the same; a form that cancels where rows are nearly constant works with ``steps = rows - 1``."""
        return self.float_phi(matrix, rows)

    def vertex_matrix(self, mechanism: Mechanism) -> Any:
        """Return W of a mechanism of k independent rows, exact; None of sums."""
        return None

    def completed(self, mechanism: Mechanism, regular: Callable[[], Mechanism]) -> Mechanism:
        """Return the mechanism, or one close to it that identifies what the objective needs.

        Args:
            mechanism: the best that was found.
            regular: returns a private mechanism that identifies the population.
        """
        return mechanism

    def stated(self, cp: Any, w: Any, columns: Array) -> Statement | None:
        """Return the objective as CVXPY states it, for the witness of the engine; None where it has no statement.

        Args:
            cp: the module cvxpy.
            w: a variable, the weights of columns.
            columns: with ``r.pi = 1``, shape (n, k).
        """
        return None

    def from_statement(self, value: float) -> float:
        """Return the objective that a value of the statement means."""
        return value

    def require_valid(self) -> None:  # noqa: B027  # what the checker knows needs no test
        """Test at random points what the theory asks of an objective that the checker does not know.

        Raises:
            InvalidParameterError: a point at which it does not hold.
        """

    @abstractmethod
    def proved(self, mechanism: Mechanism) -> tuple[Fraction, Primal] | None:
        """Return what a mechanism proves of its side of the bracket, and the witness; None where it proves nothing."""

    @abstractmethod
    def bound(self, matrix: Any, total: Fraction) -> Fraction:
        """Return the other side of the bracket, from ``sum_i phi(p_i) <= total``."""


class SumForm(RayForm):
    """``sum_i phi(p_i)`` of an objective that is made large."""

    is_sum: ClassVar[bool] = True
    has_vertices: ClassVar[bool] = True

    def criterion(self, rows: Array, steps: Array, root: Array) -> Criterion:
        """Return phi of the rays: the program is linear in their weights."""
        return Sum(self.step_phi(None, rows, steps))

    def stated(self, cp: Any, w: Any, columns: Array) -> Statement | None:
        """Return the sum over columns, linear in their weights."""
        import numpy as np

        values = self.float_phi(None, columns)
        size = float(np.abs(values).max()) or 1.0
        return Statement((values / size) @ w, size, [], lambda found: (values, 0.0))

    def proved(self, mechanism: Mechanism) -> tuple[Fraction, Primal] | None:
        """Return a number at most the value of the mechanism."""
        return -rounded_up(-self.value(mechanism)), {}

    @abstractmethod
    def value(self, mechanism: Mechanism) -> Fraction:
        """Return the objective, or a number below it."""

    def bound(self, matrix: Any, total: Fraction) -> Fraction:
        """Return B itself."""
        return total


class SquaresForm(RayForm):
    """An objective of the Fisher information: ``phi(p) = abs(p W)^2/(p.pi)``."""

    def phi(self, matrix: Any, row: Sequence[Fraction]) -> Fraction:
        """Return ``abs(p W)^2/(p.pi)``."""
        mean = dot(row, self.pi)
        return sum((dot(row, column) ** 2 for column in zip(*matrix, strict=True)), Fraction(0)) / mean

    def float_phi(self, matrix: Any, rows: Array) -> Array:
        """Return ``abs(r W)^2``."""
        import numpy as np

        w = np.array([[float(x) for x in row] for row in matrix])
        return np.asarray(((rows @ w) ** 2).sum(1))

    def step_phi(self, matrix: Any, rows: Array, steps: Array) -> Array:
        """Return ``abs(h W)^2`` of the steps h: columns of W sum to 0."""
        return self.float_phi(matrix, steps)

    @abstractmethod
    def float_matrix(self, criterion: Any, y: Array, root: Array) -> Array:
        """Return W in floats, its columns summing to 0 up to rounding."""

    def witness(self, criterion: Any, y: Array, root: Array) -> tuple[Any, float]:
        """Return W with 1 as its largest entry."""
        import numpy as np

        w = self.float_matrix(criterion, y, root)
        largest = float(np.abs(w).max())
        return with_zero_columns(w / largest), largest**2

    def full_covariance(self, mechanism: Mechanism) -> tuple[list[list[Fraction]], list[list[Fraction]]] | None:
        """Return the covariance of an unbiased estimator of pi, and the estimator."""
        identity = [[Fraction(int(i == j)) for j in range(self.k)] for i in range(self.k)]
        found = unbiased_estimator(mechanism, self.pi, identity)
        return None if found is None else (covariance_of(found, mechanism, self.pi, identity), found)


class VarianceForm(SquaresForm):
    """The sum of the variances of the unbiased estimates of all ``b.pi``, b the rows of ``targets``."""

    has_vertices: ClassVar[bool] = True

    def __init__(self, population: Sequence[Fraction], gamma: Fraction, targets: Matrix) -> None:
        super().__init__(population, gamma)
        self.targets = [list(row) for row in targets]

    def vertex_matrix(self, mechanism: Mechanism) -> Any:
        """Return ``W = V C^T``, V the covariance of the efficient estimator ``A = C P^-1``.

        Its rows a_i give W by ``p_i W = s_i (a_i - C pi)``.
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
        """Return the map from k targets, which span k - 1 dimensions of contrasts, to k - 1; None of fewer."""
        import numpy as np

        return orthogonal_to(np.ones(self.k)) if self._is_identity else None

    @property
    def _is_identity(self) -> bool:
        k = self.k
        return self.targets == [[Fraction(int(i == j)) for j in range(k)] for i in range(k)]

    def criterion(self, rows: Array, steps: Array, root: Array) -> Criterion:
        """Return the squares of the contrasts in the coordinates of the rays."""
        import numpy as np

        along = root.T @ np.array([[float(x) for x in row] for row in self.targets]).T
        turn = self._turn()
        along = along if turn is None else along @ turn
        return Squares(along / np.abs(along).max())

    def float_matrix(self, criterion: Any, y: Array, root: Array) -> Array:
        """Return W, k rows, a column for each target."""
        w: Array = root @ criterion.matrix(y)
        turn = self._turn()
        return w if turn is None else w @ turn.T

    def stated(self, cp: Any, w: Any, columns: Array) -> Statement | None:
        """Return ``-sum_b b^T M^-1 b`` on contrasts: a matrix-fractional function of the weights."""
        import numpy as np

        basis = contrast_basis(self.k)
        lines, size = scaled_lines(columns @ basis)
        targets = basis.T @ np.array([[float(x) for x in row] for row in self.targets]).T
        scale = float(np.abs(targets).max())
        goal = -cp.matrix_frac(targets / scale, information_of(cp, w, lines))

        def tangent(found: Array) -> tuple[Array, float]:
            root = np.linalg.pinv((lines * found[:, None]).T @ lines, rcond=1e-13, hermitian=True) @ targets
            phi = ((lines @ root) ** 2).sum(1) / size**2
            return np.asarray(phi), -2 * float((targets * root).sum()) / size**2

        return Statement(goal, (scale / size) ** 2, [], tangent, (lines * size, targets))

    def from_statement(self, value: float) -> float:
        """Return the sum of the variances: on contrasts ``M^-1`` is the covariance."""
        return -value

    def completed(self, mechanism: Mechanism, regular: Callable[[], Mechanism]) -> Mechanism:
        """Return the mechanism, with a trace of a regular one where its information is singular.

        The best design for a contrast need not distinguish categories that the contrast does not distinguish. The
        mixture costs at most its own probability, as a relative loss.
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
        return total if mechanism.outputs == self.k else rounded_up(total), {"estimator": found}

    def bound(self, matrix: Any, total: Fraction) -> Fraction:
        """Return ``tr(C W)^2 / B``."""
        trace = sum((dot(c, [row[i] for row in matrix]) for i, c in enumerate(self.targets)), Fraction(0))
        return -rounded_up(-(trace**2) / total)


# what statements in CVXPY's terms share; the engine uses none of it


def contrast_basis(k: int) -> Array:
    """Return an orthonormal basis of the vectors whose entries sum to 0, in columns: Helmert's."""
    import numpy as np

    rows = np.tril(np.ones((k - 1, k)), 0)
    for i in range(k - 1):
        rows[i, i + 1] = -(i + 1)
    return np.asarray((rows / np.linalg.norm(rows, axis=1)[:, None]).T)


def scaled_lines(lines: Array) -> tuple[Array, float]:
    """Return lines of length at most 1, and the factor that they were divided by."""
    import numpy as np

    size = float(np.linalg.norm(lines, axis=1).max()) or 1.0
    return np.asarray(lines / size), size


def information_of(cp: Any, w: Any, lines: Array) -> Any:
    """Return ``sum_r w_r c_r c_r^T`` as a symmetric expression."""
    import numpy as np

    d = lines.shape[1]
    products = (lines[:, :, None] * lines[:, None, :]).reshape(len(lines), -1)
    entries = cp.reshape(products.T @ w, (d, d), order="C")
    return (entries + entries.T) / 2 if d > 1 else cp.reshape(products.T @ w, (1, 1), order="C") + np.zeros((1, 1))
