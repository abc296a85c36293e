"""User-defined objectives: a convex function of the rows, or a concave function of the Fisher information.

A subclass defines the value of a row or of the information matrix. The engine optimizes it like any other objective.
The result is *not certified*, because the checker does not know the objective: it relies on floating-point arithmetic.
Before a problem is solved, the function is tested at random points: the theory requires that it is convex (concave) and
homogeneous.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rropt.core.errors import InvalidParameterError
from rropt.mechanisms import Mechanism
from rropt.objectives.criteria import Criterion, Smooth
from rropt.objectives.objective import AnyOutputObjective, shares_of_inputs
from rropt.objectives.ray_form import Primal, RayForm, SumForm
from rropt.objectives.variances import information_matrix, unidentified

if TYPE_CHECKING:
    from rropt.objectives.criteria import Array

_POINTS = 300  # number of pairs of random points at which a function is tested
_SEED = 34
_ERROR = 1e-9  # tolerance for floating-point errors, relative to the size of the compared numbers


class ConvexSum(AnyOutputObjective):
    """Maximize ``sum_i phi(p_i)`` over the rows p_i of a mechanism, where phi is convex and homogeneous of degree 1.

    By subadditivity of phi, postprocessing a mechanism never increases the value.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True, slots=True)
    ... class Norm(ConvexSum):
    ...     kind = "norm"
    ...     title = "sum of the norms of the rows"
    ...     form = '{"kind": "norm"}'
    ...     def of_row(self, row, population):
    ...         return sum(float(x) ** 2 for x in row) ** 0.5
    >>> round(float(Norm().value(Mechanism.binary("3/5", "4/5"), ["1/2", "1/2"])), 6)
    1.526883
    """

    __slots__ = ()

    sense = "maximise"
    is_on_rays = True

    @abstractmethod
    def of_row(self, row: Sequence[Fraction], population: Sequence[Fraction]) -> Fraction | float:
        """Return phi of a row (k nonnegative numbers, not all 0) at a distribution of k proportions."""

    def value(self, mechanism: Mechanism, population: Sequence[object]) -> Fraction:
        """Return the sum of phi over the nonzero rows."""
        pi = shares_of_inputs(mechanism, population)
        return sum((Fraction(self.of_row(row, pi)) for row in mechanism.matrix if any(row)), Fraction(0))

    def on_rays(self, population: Sequence[Fraction], gamma: Fraction) -> RayForm:
        """Return the form on rays with the function phi."""
        return _GivenSum(self, population, gamma)


class _GivenSum(SumForm):
    def __init__(self, objective: ConvexSum, population: Sequence[Fraction], gamma: Fraction) -> None:
        super().__init__(population, gamma)
        self.objective = objective

    def phi(self, matrix: Any, row: Sequence[Fraction]) -> Fraction:
        """Return phi of a row, as computed by the user's function."""
        return Fraction(self.objective.of_row(row, self.pi))

    def float_phi(self, matrix: Any, rows: Array) -> Array:
        """Return phi of several rows in floats."""
        import numpy as np

        return np.array([float(self.objective.of_row(row.tolist(), self.pi)) for row in rows])

    def value(self, mechanism: Mechanism) -> Fraction:
        """Return the sum over the rows."""
        return self.objective.value(mechanism, self.pi)

    def require_valid(self) -> None:
        """Test that phi is convex and homogeneous at pairs of random rows.

        Raises:
            InvalidParameterError: a test fails; the message contains the point.
        """
        import numpy as np

        rng = np.random.default_rng(_SEED)
        for _ in range(_POINTS):
            p, q = rng.dirichlet(np.full(self.k, rng.choice([0.3, 1.0, 10.0])), 2)
            times = float(rng.uniform(0.1, 5))
            both = np.array([p, q, p + q, times * p])
            one, other, total, scaled = (float(x) for x in self.float_phi(None, both))
            size = _ERROR * (1 + abs(one) + abs(other) + abs(total) + abs(scaled))
            if not np.isfinite([one, other, total, scaled]).all():
                raise _refused(self.objective, "finite", f"the row {_text(p)} or {_text(q)}", "not a number")
            if abs(scaled - times * one) > size:
                found = f"{times:.6g} times the row has {scaled:.9g}, not {times * one:.9g}"
                raise _refused(self.objective, "homogeneous of degree 1", f"the row {_text(p)}", found)
            if total > one + other + size:
                found = f"their sum has {total:.9g}, more than {one:.9g} + {other:.9g}"
                raise _refused(self.objective, "convex", f"the rows {_text(p)} and {_text(q)}", found)


class InformationObjective(AnyOutputObjective):
    """An objective of the k x k Fisher information M, concave and increasing in M.

    If it is minimized, it must be convex and decreasing. Here ``M = sum_i p_i p_i^T/(p_i.pi)``. Postprocessing a
    mechanism never increases its information in Loewner's order, so it never improves the objective.
    """

    __slots__ = ()

    sense = "maximise"
    is_on_rays = True

    @property
    def is_stated(self) -> bool:
        """False: a user-defined function has no CVXPY form."""
        return False

    @abstractmethod
    def of_information(self, information: Array) -> float:
        """Return the value at M; infinite or NaN at a singular M where the objective is undefined."""

    @abstractmethod
    def gradient(self, information: Array) -> Array:
        """Return the derivative with respect to M, a symmetric k x k matrix."""

    def curvature(self, information: Array) -> Array:
        """Return the second derivative, shape (k k, k k); by default from differences of the gradient."""
        import numpy as np

        k = len(information)
        step = 1e-5 * float(np.abs(information).max())
        columns = []
        for unit in np.eye(k * k).reshape(-1, k, k):
            move = step * (unit + unit.T) / 2
            change = self.gradient(information + move) - self.gradient(information - move)
            columns.append((change / (2 * step)).ravel())
        matrix = np.array(columns)
        return np.asarray((matrix + matrix.T) / 2)

    def value(self, mechanism: Mechanism, population: Sequence[object]) -> Fraction:
        """Return the value at a distribution of the categories, computed in floats.

        Raises:
            InfeasibleError: the objective is undefined at the information of the mechanism.
        """
        import numpy as np

        matrix = information_matrix(mechanism, shares_of_inputs(mechanism, population))
        rows = None if matrix is None else np.array([[float(x) for x in row] for row in matrix.tolist()])
        with np.errstate(all="ignore"):
            value = np.nan if rows is None else self.of_information(rows)
        if not np.isfinite(value):
            raise unidentified(mechanism)
        return Fraction(float(value))

    def on_rays(self, population: Sequence[Fraction], gamma: Fraction) -> RayForm:
        """Return the form on rays, which uses tangents of the objective."""
        return _GivenInformation(self, population, gamma)


class _GivenInformation(RayForm):
    """F(M) <= F(M_0) + <F'(M_0), M - M_0> for concave F, hence phi(r) = r G r^T/(r.pi) with G = F'(M_0)."""

    def __init__(self, objective: InformationObjective, population: Sequence[Fraction], gamma: Fraction) -> None:
        super().__init__(population, gamma)
        self.objective = objective
        self.sign = 1 if objective.sense == "maximise" else -1

    def criterion(self, rows: Array, steps: Array, root: Array) -> Criterion:
        """Return the criterion of a smooth function of M."""
        k, sign, objective = self.k, self.sign, self.objective
        features = (rows[:, :, None] * rows[:, None, :]).reshape(len(rows), -1)

        def matrix(s: Array) -> Array:
            m = s.reshape(k, k)
            half: Array = (m + m.T) / 2
            return half

        return Smooth(
            features,
            lambda s: sign * float(objective.of_information(matrix(s))),
            lambda s: sign * objective.gradient(matrix(s)).ravel(),
            lambda s: sign * objective.curvature(matrix(s)),
        )

    def witness(self, criterion: Any, y: Array, root: Array) -> tuple[Any, float]:
        """Return G, with ``F(M_0) - <G, M_0>`` as an additional last row."""
        slope = criterion.gradient(y)
        start = criterion.value(y) - float(slope @ y)
        rows = [[Fraction(float(x)) for x in row] for row in slope.reshape(self.k, self.k)]
        return (*map(tuple, rows), (Fraction(float(start)),)), 1.0

    def phi(self, matrix: Any, row: Sequence[Fraction]) -> Fraction:
        """Return ``r G r^T/(r.pi)``."""
        g = matrix[:-1]
        moved = [sum((x * y for x, y in zip(row, line, strict=True)), Fraction(0)) for line in g]
        s = sum((x * p for x, p in zip(row, self.pi, strict=True)), Fraction(0))
        return sum((x * y for x, y in zip(row, moved, strict=True)), Fraction(0)) / s

    def float_phi(self, matrix: Any, rows: Array) -> Array:
        """Return ``phi`` of several rows with ``r.pi = 1``, in floats."""
        import numpy as np

        g = np.array([[float(x) for x in line] for line in matrix[:-1]])
        values: Array = ((rows @ g) * rows).sum(1)
        return values

    def proved(self, mechanism: Mechanism) -> tuple[Fraction, Primal] | None:
        """Return the value of the mechanism."""
        return self.objective.value(mechanism, self.pi), {}

    def bound(self, matrix: Any, total: Fraction) -> Fraction:
        """Return ``F(M_0) - <G, M_0> + B``."""
        return self.sign * (Fraction(matrix[-1][0]) + total)

    def require_valid(self) -> None:
        """Test that the function is concave and increasing (or convex and decreasing) at random matrices.

        Raises:
            InvalidParameterError: a test fails; the message contains the point.
        """
        import numpy as np

        rng, pi = np.random.default_rng(_SEED), np.array([float(p) for p in self.pi])
        what = "concave" if self.sign > 0 else "convex"

        def information() -> Array:
            rows = rng.dirichlet(np.full(self.k + 3, 1.0), self.k).T
            return np.asarray((rows / (rows @ pi)[:, None]).T @ rows)

        for _ in range(_POINTS):
            m, n = information(), information()
            v = rng.standard_normal(self.k)
            v -= v.mean()
            with np.errstate(all="ignore"):
                values = [self.sign * self.objective.of_information(x) for x in (m, n, (m + n) / 2)]
                more = self.sign * self.objective.of_information(m + 0.1 * np.outer(v, v))
            size = _ERROR * (1 + max(map(abs, (*values, more))))
            where = f"M = {_text(m.ravel())} and N = {_text(n.ravel())}"
            if not np.isfinite([*values, more]).all():
                raise _refused(self.objective, "finite", where, "not a number")
            if values[2] < (values[0] + values[1]) / 2 - size:
                found = f"at their mean {self.sign * values[2]:.9g}, at them {self.sign * values[0]:.9g} and "
                raise _refused(self.objective, what, where, f"{found}{self.sign * values[1]:.9g}")
            if more < values[0] - size:
                grows = "monotone under garbling (more information is never worse)"
                raise _refused(self.objective, grows, where.split(" and")[0], "with v v^T added it is worse")


def _refused(objective: AnyOutputObjective, what: str, where: str, found: str) -> InvalidParameterError:
    return InvalidParameterError(
        f"the objective {objective.kind} is not {what}: received at {where}: {found}; allowed are objectives that are, "
        "since the theory of rays needs it"
    )


def _text(numbers: Any) -> str:
    return f"({', '.join(f'{float(x):.6g}' for x in numbers)})"
