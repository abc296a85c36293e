"""User-defined objectives: a convex function of the rows, or a concave function of the Fisher information.

A subclass defines the value of a row or of the information matrix. The engine optimizes it like any other objective.
The result is *not certified*, because the checker does not know the objective: it relies on floating-point arithmetic.
Before a problem is solved, the function is tested at random points: the theory requires that it is convex (concave) and
homogeneous.
"""

from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, is_dataclass
from fractions import Fraction
from math import isfinite
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from rropt.checker.limits import MAX_PATTERN_INPUTS
from rropt.core.errors import InvalidParameterError, shown
from rropt.core.exact import as_text
from rropt.core.exact.numbers import dot
from rropt.core.lazy import numpy as np
from rropt.core.mappings import ReadOnlyMapping
from rropt.core.visible import with_noun
from rropt.mechanisms import Mechanism
from rropt.mechanisms.fisher_information import information_matrix, unidentified
from rropt.objectives.estimators import rounded_up
from rropt.objectives.expression_values import exact_form, names_of, value_of
from rropt.objectives.objective import AnyOutputObjective, register_objective, shares_of_inputs
from rropt.objectives.ray_criteria import RayCriterion, Smooth
from rropt.objectives.ray_form import Primal, RayForm, ScaledRays, SumForm
from rropt.objectives.stated_sums import StatedSum, stated_sum
from rropt.objectives.traced_numbers import UncertifiedError

if TYPE_CHECKING:
    from rropt.objectives.ray_criteria import Array

_POINTS = 300  # number of pairs of random points at which a function is tested
_SEED = 34
_ERROR = 1e-9  # tolerance for floating-point errors, relative to the size of the compared numbers
_MOST_STATED = 64  # functions whose form in certificates is kept
_STATED: dict[Any, StatedSum | str] = {}  # by class, parameters and distribution: the form, or why there is none
_SAMPLE, _SCALES, _TIMES = 64, (1.1, 1.37, 1.9), 8  # rows and factors that show the rounding error; its multiple


class ConvexSum(AnyOutputObjective):
    """Maximize ``sum_i phi(p_i)`` over the rows p_i of a mechanism, where phi is convex and homogeneous of degree 1.

    By subadditivity of phi, postprocessing a mechanism never increases the value. With ``sense = "minimise"`` the sum
    is minimized, and phi must be concave: for example, the risk of the best decision after an output.

    >>> from dataclasses import dataclass, is_dataclass
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

    sense: ClassVar[Literal["minimise", "maximise"]] = "maximise"
    is_on_rays = True
    has_statement = True

    @abstractmethod
    def of_row(self, row: Sequence[Fraction], population: Sequence[Fraction]) -> Fraction | float:
        """Return phi of a row (k nonnegative numbers, not all 0) at a distribution of k proportions."""

    def value(self, mechanism: Mechanism, population: Sequence[object]) -> Fraction:
        """Return the sum of phi over the nonzero rows."""
        pi = shares_of_inputs(mechanism, population)
        return sum((_exact_phi(self, row, pi) for row in mechanism.matrix if any(row)), Fraction(0))

    def stated(self, population: Sequence[Fraction]) -> StatedSum:
        """Return phi as a sum of quotients with a proof that each is convex, for the certificate.

        Raises:
            UncertifiedError: phi is no rational function of the row, or no proof of its convexity is found.
        """
        if len(population) > MAX_PATTERN_INPUTS:
            raise UncertifiedError(f"it has more than {MAX_PATTERN_INPUTS} categories")
        key = (type(self), json.dumps(self.to_dict()) if is_dataclass(self) else self, tuple(population))
        if key not in _STATED:
            try:
                _STATED[key] = stated_sum(self.of_row, population, self.sense)
            except UncertifiedError as error:
                _STATED[key] = str(error)
            if len(_STATED) > _MOST_STATED:
                del _STATED[next(iter(_STATED))]
        found = _STATED[key]
        if isinstance(found, str):
            raise UncertifiedError(found)
        return found

    def on_rays(self, population: Sequence[Fraction], gamma: Fraction) -> RayForm:
        """Return the form on rays with the function phi."""
        return _GivenSum(self, population, gamma)


@register_objective
@dataclass(frozen=True, slots=True, init=False)
class RationalSum(ConvexSum):
    """Maximize ``sum_i phi(p_i)`` for a rational function phi of the row, given by an expression.

    phi is convex and homogeneous of degree 1; with ``sense="minimise"`` it is concave. The result has a certificate if
    phi is proved to be so (``rropt.objectives.stated_sums``).

    Args:
        expression: phi, as text or as a SymPy expression, with ``+ - * / **``, whole exponents, exact numbers and
            parentheses. ``r1, ..., rk`` are the entries of the row, ``p1, ..., pk`` the proportions of the problem, and
            the names of ``forms`` stand for linear functions of the row.
        sense: ``"maximise"`` or ``"minimise"``.
        forms: by name, the k coefficients of a linear function of the row. A distribution gives the probability of the
            output under it.

    Raises:
        InvalidParameterError: the expression has another part, or a form is no list of exact numbers.

    >>> triangular = RationalSum("(a - b)^2/(a + b)", forms={"a": ["3/4", "1/4"], "b": ["1/4", "3/4"]})
    >>> print(triangular.value(Mechanism.binary("3/4", "3/4"), ["1/2", "1/2"]))
    1/8
    """

    kind = "rational-sum"
    title = "sum of a rational function of the rows"
    form = '{"kind": "rational-sum", "expression": "(a - b)**2/b", "sense": "maximise", "forms": {"a": [...], ...}}'
    parameters: ClassVar[tuple[str, ...]] = ("expression", "sense", "forms")
    needs: ClassVar[str] = "an expression in r1 to rk, as in rational-sum:r1**2/(r1 + r2)"
    expression: str
    sense: Literal["minimise", "maximise"]  # type: ignore[misc]
    forms: Mapping[str, tuple[Fraction, ...]]

    def __init__(
        self, expression: object, sense: str = "maximise", forms: Mapping[str, Sequence[object]] | None = None
    ) -> None:
        text = str(expression).replace("^", "**")
        if sense not in ("minimise", "maximise"):
            raise InvalidParameterError(f"sense is unknown: received {shown(sense)}; allowed are maximise, minimise")
        given = {} if forms is None else forms
        if not isinstance(given, Mapping):
            raise InvalidParameterError(f"forms are no mapping: received {shown(given)}; give the coefficients by name")
        exact = {str(name): exact_form(str(name), line) for name, line in given.items()}
        object.__setattr__(self, "expression", text)
        object.__setattr__(self, "sense", sense)
        object.__setattr__(self, "forms", ReadOnlyMapping(exact))
        names_of(text, exact)

    @classmethod
    def of_text(cls, text: str) -> RationalSum:
        """Read an expression that is maximized."""
        if not text:
            raise cls.without_parameter(text)
        return cls(text)

    def require_length(self, inputs: int) -> None:
        """Raise ``InvalidParameterError`` unless the expression and its forms have one number for each category."""
        for name, line in self.forms.items():
            if len(line) != inputs:
                raise InvalidParameterError(
                    f"the form {name} needs one number per category: received {with_noun(len(line), 'number')} for "
                    f"{inputs} categories"
                )
        for name in names_of(self.expression, self.forms):
            if name not in self.forms and int(name[1:]) > inputs:
                raise InvalidParameterError(f"{name} is no entry: received {inputs} categories; lower the number")

    def of_row(self, row: Sequence[Any], population: Sequence[Any]) -> Any:
        """Return the value of the expression at a row and a distribution."""
        values = {f"r{j}": x for j, x in enumerate(row, 1)} | {f"p{j}": x for j, x in enumerate(population, 1)}
        for name, line in self.forms.items():
            values[name] = sum(c * x for c, x in zip(line, row, strict=True) if c)
        return value_of(self.expression, values)

    def to_dict(self) -> dict[str, Any]:
        """Return the dictionary for problems."""
        forms = {name: list(map(as_text, line)) for name, line in self.forms.items()}
        return {"kind": self.kind, "expression": self.expression, "sense": self.sense, "forms": forms}


def _exact_phi(objective: ConvexSum, row: Sequence[Fraction], pi: Sequence[Fraction]) -> Fraction:
    """Return phi of a row of fractions; a function that accepts floats only receives floats.

    Raises:
        InvalidParameterError: the function fails, or its value is not a finite number.
    """
    try:
        return Fraction(objective.of_row(row, pi))
    except Exception:  # for example a function of NumPy, which takes no fractions
        return Fraction(_float_phi(objective, [float(x) for x in row], [float(p) for p in pi]))


def _float_phi(objective: ConvexSum, row: Sequence[float], pi: Sequence[float]) -> float:
    """Return phi of a row of floats.

    Raises:
        InvalidParameterError: the function fails, or its value is not a finite number.
    """
    return _called(objective, objective.of_row, f"the row {_text(row)}", row, pi)


def _called(objective: AnyOutputObjective, function: Callable[..., Any], where: str, *arguments: object) -> float:
    """Return the value of a user-defined function, a finite number.

    Raises:
        InvalidParameterError: the function fails, or its value is not a finite number.
    """
    try:
        value = float(function(*arguments))
    except Exception as error:
        raise _refused(objective, "defined", where, f"{type(error).__name__}: {error}") from error
    if not isfinite(value):
        raise _refused(objective, "finite", where, str(value))
    return value


class _GivenSum(SumForm):
    objective: ConvexSum

    def __init__(self, objective: ConvexSum, population: Sequence[Fraction], gamma: Fraction) -> None:
        super().__init__(objective, population, gamma)
        self._shares = [float(p) for p in population]
        self.sign = 1 if objective.sense == "maximise" else -1
        self._error: float | None = None
        try:
            self.is_rational = bool(objective.stated(self.pi).terms)  # type: ignore[misc]
        except UncertifiedError:
            self.is_rational = False  # type: ignore[misc]

    def _values(self, rows: Array) -> Array:
        return self.sign * np.array([_float_phi(self.objective, row, self._shares) for row in rows.tolist()])

    def _rounding_error(self, rows: Array, values: Array) -> float:
        """Return the error of the user's function in floats, from its values at multiples of some of the rows.

        For nearly constant rows, most digits of a divergence cancel. The error is 0 if the function is exact.
        """
        row = [Fraction(x) for x in rows[0].tolist()]
        try:
            if isinstance(self.objective.of_row(row, self.pi), int | Fraction):
                return 0.0
        except Exception:  # a function that takes floats only
            pass
        chosen = slice(None, None, max(1, len(rows) // _SAMPLE))
        errors = [np.abs(self._values(t * rows[chosen]) / t - values[chosen]).max() for t in _SCALES]
        return _TIMES * float(max(errors))

    @property
    def _margin(self) -> Fraction:
        return Fraction(self._error or 0.0)

    def phi(self, matrix: Any, row: Sequence[Fraction]) -> Fraction:
        """Return the user's function of a row, or minus it if the sum is minimized."""
        return self.sign * _exact_phi(self.objective, row, self.pi)

    def float_phi(self, matrix: Any, rows: Array, steps: Array) -> Array:
        """Return ``phi`` of several rows in floats."""
        values = self._values(rows)
        if self._error is None:
            self._error = self._rounding_error(rows, values)
        return values

    def value(self, mechanism: Mechanism) -> Fraction:
        """Return the sum of ``phi`` over the rows."""
        return self.sign * super().value(mechanism)

    def proved(self, mechanism: Mechanism) -> tuple[Fraction, Primal] | None:
        """Return the value of the mechanism, moved to the conservative side by the error of the user's function."""
        return -self.sign * rounded_up(self._margin - self.value(mechanism)), {}

    def bound(self, dual: Any) -> Fraction:
        """Return B, or -B if the sum is minimized."""
        return self.sign * (Fraction(dual.bound()) + self._margin)

    def require_valid(self, has_zeros: bool) -> None:
        """Test that phi is convex (or concave, if the sum is minimized) and homogeneous at pairs of random rows.

        Raises:
            InvalidParameterError: a test fails; the message contains the point.
        """
        rng, pairs, times = np.random.default_rng(_SEED), [], []
        for _ in range(_POINTS):
            # rows near the boundary, of any kind, and near the uniform one
            p, q = rng.dirichlet(np.full(self.k, rng.choice([0.3, 1.0, 10.0])), 2)
            if has_zeros:
                kept = rng.random((2, self.k)) < rng.choice([0.5, 1.0])
                kept[np.arange(2), rng.integers(0, self.k, 2)] = True
                p, q = np.where(kept, (p, q), 0.0)
            pairs.append((p, q))
            times.append(float(rng.uniform(0.1, 5)))
        tests = list(zip(pairs, times, strict=True))
        values = self._values(np.array([row for (p, q), t in tests for row in (p, q, p + q, t * p)]))
        typical = float(np.abs(values).mean())
        for ((p, q), factor), (one, other, total, scaled) in zip(tests, values.reshape(-1, 4).tolist(), strict=True):
            size = _ERROR * (typical + abs(one) + abs(other) + abs(total) + abs(scaled))
            if abs(scaled - factor * one) > size:
                found = f"{factor:.6g} times the row has {self.sign * scaled:.9g}, not {self.sign * factor * one:.9g}"
                raise _refused(self.objective, "homogeneous of degree 1", f"the row {_text(p)}", found)
            if total > one + other + size:
                what, than = ("convex", "more") if self.sign > 0 else ("concave", "less")
                found = f"their sum has {self.sign * total:.9g}, {than} than {self.sign * one:.9g} + "
                where = f"the rows {_text(p)} and {_text(q)}"
                raise _refused(self.objective, what, where, f"{found}{self.sign * other:.9g}")


class InformationObjective(AnyOutputObjective):
    """An objective of the k x k Fisher information M, concave and increasing in M.

    If it is minimized, it must be convex and decreasing. Here ``M = sum_i p_i p_i^T/(p_i.pi)``. Postprocessing a
    mechanism never increases its information in Loewner's order, so it never improves the objective.
    """

    __slots__ = ()

    sense = "maximise"
    is_on_rays = True

    @abstractmethod
    def of_information(self, information: Array) -> float:
        """Return the value at M; infinite or NaN at a singular M where the objective is undefined."""

    @abstractmethod
    def gradient(self, information: Array) -> Array:
        """Return the derivative with respect to M, a symmetric k x k matrix."""

    def curvature(self, information: Array) -> Array:
        """Return the second derivative, shape (k k, k k); by default from differences of the gradient."""
        k = len(information)
        # the cube root of the rounding error, which suits central differences
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
        matrix = information_matrix(mechanism, shares_of_inputs(mechanism, population))
        rows = None if matrix is None else np.array([[int(x.p) / int(x.q) for x in row] for row in matrix.tolist()])
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

    def criterion(self, lines: ScaledRays) -> RayCriterion:
        """Return the criterion of a smooth function of M."""
        k, sign, objective = self.k, self.sign, self.objective
        rows = lines.rows
        features = lines.padded((rows[:, :, None] * rows[:, None, :]).reshape(len(rows), -1))

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
        return dot(row, [dot(row, line) for line in matrix[:-1]]) / dot(row, self.pi)

    def float_phi(self, matrix: Any, rows: Array, steps: Array) -> Array:
        """Return ``phi`` of several rows with ``r.pi = 1``, in floats."""
        g = np.array([[float(x) for x in line] for line in matrix[:-1]])
        values: Array = ((rows @ g) * rows).sum(1)
        return values

    def proved(self, mechanism: Mechanism) -> tuple[Fraction, Primal] | None:
        """Return the value of the mechanism."""
        return self.objective.value(mechanism, self.pi), {}

    def bound(self, dual: Any) -> Fraction:
        """Return ``F(M_0) - <G, M_0> + B``."""
        return self.sign * Fraction(dual.matrix[-1][0] + dual.bound())

    def require_valid(self, has_zeros: bool) -> None:
        """Test that the function is concave and increasing (or convex and decreasing) at random matrices.

        The gradient must be that of the function: the bound of a dual is a tangent.

        Raises:
            InvalidParameterError: a test fails; the message contains the point.
        """
        rng, pi = np.random.default_rng(_SEED), np.array([float(p) for p in self.pi])
        objective, what = self.objective, "concave" if self.sign > 0 else "convex"

        def information() -> Array:
            rows = rng.dirichlet(np.full(self.k + 3, 1.0), self.k).T
            return np.asarray((rows / (rows @ pi)[:, None]).T @ rows)

        def value(matrix: Array) -> float:
            with np.errstate(all="ignore"):
                where = f"M = {_text(matrix.ravel())}"
                return self.sign * _called(objective, objective.of_information, where, matrix)

        points = [(information(), information(), rng.standard_normal(self.k)) for _ in range(_POINTS)]
        typical = float(np.mean([abs(value(m)) for m, _, _ in points]))
        for m, n, v in points:
            grown = m + 0.1 * np.outer(v - v.mean(), v - v.mean())
            first, second, middle, more = map(value, (m, n, (m + n) / 2, grown))
            along = self._along(m, n - m)
            size = _ERROR * (typical + max(map(abs, (first, second, middle, more, along))))
            where = f"M = {_text(m.ravel())} and N = {_text(n.ravel())}"
            if middle < (first + second) / 2 - size:
                found = f"at their mean {self.sign * middle:.9g}, at them {self.sign * first:.9g} and "
                raise _refused(objective, what, where, f"{found}{self.sign * second:.9g}")
            if more < first - size:
                grows = "monotone under garbling (more information is never worse)"
                raise _refused(objective, grows, where.split(" and")[0], "with v v^T added it is worse")
            if second > first + along + size:
                found = f"the tangent at M has {self.sign * (first + along):.9g} at N, the function "
                raise _refused(objective, "that of its gradient", where, f"{found}{self.sign * second:.9g}")

    def _along(self, matrix: Array, step: Array) -> float:
        """Return the derivative along a step, from the user's gradient."""

        def derivative() -> float:
            gradient = np.asarray(self.objective.gradient(matrix), dtype=float)
            if gradient.shape != matrix.shape:
                raise ValueError(f"the gradient has the shape {gradient.shape}, not {matrix.shape}")
            return float((gradient * step).sum())

        return self.sign * _called(self.objective, derivative, f"M = {_text(matrix.ravel())}")


def _refused(objective: AnyOutputObjective, what: str, where: str, found: str) -> InvalidParameterError:
    return InvalidParameterError(
        f"the objective {objective.kind} is not {what}: received at {where}: {found}; allowed are objectives that are, "
        "since the theory of rays needs it"
    )


def _text(numbers: Any) -> str:
    return f"({', '.join(f'{float(x):.6g}' for x in numbers)})"
