r"""Fit a regression: search the maxima of its likelihood in whitened coordinates, and choose one of them.

Covariates are centered (if there is an intercept) and whitened by their QR decomposition, ``Z = (X - mean) M``, so that
the fit is invariant to a change of units; ``theta = T theta_z + shift``. A search (``climb``) is the trust-region
method of SciPy with the exact Hessian, finished by at most six steps of Newton's method. Its end is a *proper maximum*
if the information is positive definite in whitened coordinates and a further step changes no digit. A test of the
gradient alone would also accept plateaus at infinity.

The searches start from the minimum of the corrected loss, from the model without covariates, and from random points.
With more than 5000 rows, the random searches use 5000 of them, and each distinct end climbs on all rows. The estimate
is the proper maximum nearest to the corrected estimate (in its standard errors), which is consistent; a higher end of
another search is reported. Without a corrected estimate it is the highest proper maximum, and without a proper maximum
it is the corrected estimate.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rropt.core.errors import InfeasibleError, InvalidParameterError, shown
from rropt.core.exact import rational
from rropt.core.exact.numbers import whole_where
from rropt.core.limits import MAX_SEED
from rropt.mechanisms.columns import required_list
from rropt.survey.regression.existence import direction_text, infinite_maximum
from rropt.survey.regression.likelihoods import Objective
from rropt.survey.regression.models import (
    Floats,
    Responses,
    inverse_link,
    latent_covariate,
    model_of,
)

MODELS = ("logit", "probit", "linear", "ordinal-logit", "ordinal-probit", "multinomial")
METHODS = ("ml", "corrected")
_COLLINEAR = 1e-9  # smallest allowed ratio of the diagonal of a pivoted QR decomposition of the scaled covariates
_SINGULAR = 1e-7  # smallest eigenvalue of the whitened information of a proper maximum, for each unit of weight
_DECREMENT = 1e-16  # Newton decrement of a proper maximum, in units of the mean weight
_NEWTON_STEPS = 6
_FAR = 1e4  # norm of the whitened coefficients beyond which no maximum is expected
_SAME = 1e-4  # relative distance below which two ends are one
_HIGHER = 1e-7  # difference of two log-likelihoods that counts, in units of the mean weight
_MOST_ROWS = 5_000  # of the random searches
_STARTS = (20, 10)  # searches by default: with at most so many rows, and with more
_PROBIT = 1.7  # the coefficients of a logit are about this multiple of those of a probit


@dataclass(frozen=True, slots=True)
class LatentCovariate:
    """A covariate that is observed through randomized responses.

    Attributes:
        responses: the responses to the question about it.
        effects: the columns that it multiplies; a column of ones gives its main effect.
        outcome: the numbers of a linear outcome, shape (n, 1); otherwise the row of the outcome's device for the given
            response, shape (n, 2).
    """

    responses: Responses
    effects: Floats
    outcome: Floats


@dataclass(frozen=True, slots=True)
class End:
    """The end of a search.

    Attributes:
        theta: the whitened coefficients.
        value: the value of the objective.
        is_proper: whether it is a strict local maximum up to the tolerances of this module.
    """

    theta: Floats
    value: float
    is_proper: bool

    def equals(self, other: End) -> bool:
        """Return whether two searches ended at the same proper maximum."""
        gap = float(np.linalg.norm(self.theta - other.theta))
        return self.is_proper and other.is_proper and gap <= _SAME * (1 + float(np.linalg.norm(self.theta)))


@dataclass(frozen=True, slots=True)
class Fit:
    """The result of a fit, in the coordinates of the formula.

    Attributes:
        theta: the coefficients.
        value: the log-likelihood, or minus the corrected loss.
        starts: the number of searches.
        agreeing: the number of searches that end at the estimate.
        others: the number of searches that end at another proper maximum.
        higher: the log-likelihood of the highest end of all searches if it exceeds that of the estimate.
        objective: the maximized function of whitened coefficients.
        whitened: the whitened coefficients at the estimate.
        T: the derivative of the coefficients in the whitened ones.
        corrected: the corrected estimate, if the model has one and it exists.
    """

    theta: Floats
    value: float
    starts: int
    agreeing: int
    others: int
    higher: float | None
    objective: Objective
    whitened: Floats
    T: Floats
    corrected: Floats | None


def climb(objective: Objective, start: Floats) -> End:
    """Search a maximum from a starting point at which the objective is finite."""
    from scipy.optimize import minimize

    total, scale = float(objective.weights.sum()), float(objective.weights.mean())
    reached = [start]

    def stop(theta: Floats) -> None:
        reached.append(np.array(theta))
        if np.linalg.norm(theta) > _FAR:
            raise StopIteration

    at = objective.derivatives
    with suppress(np.linalg.LinAlgError, ValueError):  # a Hessian of zeros or of infinite entries, on a plateau
        minimize(
            lambda t: -at(t).value / total, start, method="trust-exact", jac=lambda t: -at(t).gradient / total,
            hess=lambda t: -at(t).hessian / total, callback=stop, options={"gtol": 1e-7, "maxiter": 100},
        )  # fmt: skip
    theta = reached[-1]
    now = at(theta)
    for _ in range(_NEWTON_STEPS):
        values, vectors = np.linalg.eigh(-now.hessian)
        if not np.isfinite(now.value) or not values[0] > _SINGULAR * total:
            return End(theta, now.value, False)
        slope = vectors.T @ now.gradient
        decrement = float(np.sum(slope**2 / values))
        moved = theta + vectors @ (slope / values)
        there = at(moved)
        if there.value < now.value - 1e-13 * abs(now.value):
            break
        theta, now = moved, there
        if decrement < _DECREMENT * scale:  # of the last step, which doubled the number of digits
            return End(theta, now.value, True)
    return End(theta, now.value, False)


def whitened(
    X: Floats, names: Sequence[str], weights: Floats, *, centre: bool = False
) -> tuple[Floats, Floats, Floats]:
    """Return the covariates in coordinates in which their weighted cross-product matrix is the identity.

    Args:
        X: the covariates, shape (n, p).
        names: the names of the columns.
        weights: the weights of the rows.
        centre: whether to center without a constant column, where thresholds replace the intercept.

    Returns:
        Z, T and the vector m with ``X T = Z``; with ``centre``, ``X T = Z + m`` in every row.

    Raises:
        InvalidParameterError: a column is a linear combination of the others.
    """
    from scipy.linalg import qr

    n, p = X.shape
    if p == 0:
        return X, np.zeros((0, 0)), np.zeros(0)
    if n < p:
        raise InvalidParameterError(
            f"the rows are fewer than the columns: received {n} rows of positive weight for {p} columns; leave columns "
            "out"
        )
    unit = np.abs(X).max(axis=0)  # scale first, so no square overflows
    unit = np.where(unit > 0, unit, 1.0)
    own = X / unit
    constant = None if centre else next((j for j in range(p) if (own[:, j] == 1).all()), None)
    mean = np.zeros(p)
    if centre or constant is not None:
        mean = own.mean(axis=0)
        mean += (own - mean).mean(axis=0)
        mean[[] if constant is None else constant] = 0.0
    own = own - mean
    share = weights / weights.sum()
    scale = np.sqrt((own**2).mean(axis=0))
    scale = np.where(scale > 1e-13, scale, 1.0)  # a constant column is collinear with the intercept
    own = own / scale
    R = np.linalg.qr(own * np.sqrt(share)[:, None], mode="r")
    _, diagonal, pivots = qr(R, pivoting=True)
    weak = pivots[np.abs(np.diag(diagonal)) <= _COLLINEAR * abs(diagonal[0, 0])]
    if len(weak):
        listed, is_one = shown(", ".join(names[int(place)] for place in weak[:5])), len(weak) == 1
        raise InvalidParameterError(
            f"{'a column is a combination' if is_one else 'columns are combinations'} of the others (collinear): "
            f"received {listed}; leave {'it' if is_one else 'them'} out, or join levels"
            + (" (a constant column doubles the intercept)" if constant is not None else "")
        )
    M = np.linalg.inv(R) / scale[:, None]
    T, offset = M / unit[:, None], mean @ M
    if constant is not None:
        T[constant] -= offset
    return (X / unit - mean) @ M, T, offset


@dataclass(frozen=True, slots=True)
class _Problem:
    """A model of some rows in whitened coordinates.

    Attributes:
        name, responses, weights: as for ``fit``.
        matrices: the covariates, whitened; with a latent covariate its effects, whitened, and the outcome too.
        unit: the unit of a numerical outcome.
        T, shift: ``theta = T theta_z + shift``.
    """

    name: str
    responses: Responses
    weights: Floats
    matrices: tuple[Floats, ...]
    unit: float
    T: Floats
    shift: Floats

    def objective(self, rows: Any = slice(None), *, is_corrected: bool = False) -> Objective:
        """Return the log-likelihood, or minus the corrected loss, of some rows."""
        own = [matrix[rows] for matrix in self.matrices]
        model = (
            latent_covariate(self.name, own[0], own[1], own[2], self.unit)
            if len(own) > 1
            else model_of(self.name, own[0], self.responses.categories)
        )
        return Objective(model, self.responses.where(rows), self.weights[rows], is_corrected)

    def some_rows(self, seed: int) -> NDArray[np.int64] | None:
        """Return the rows of the random searches; ``None`` if they use all rows."""
        n = len(self.weights)
        return np.sort(np.random.default_rng(seed).choice(n, _MOST_ROWS, replace=False)) if n > _MOST_ROWS else None


def _problem(
    name: str, X: Floats, names: Sequence[str], responses: Responses, weights: Floats, latent: LatentCovariate | None
) -> _Problem:
    from scipy.linalg import block_diag

    Z, own, offset = whitened(X, names, weights, centre=name.startswith("ordinal"))
    k, p = responses.categories, len(own)
    if latent is None:
        T = block_diag(*[own] * (k - 1))
        if name.startswith("ordinal"):
            T = block_diag(own, np.eye(k - 1))
            T[p:, :p] = offset
        return _Problem(name, responses, weights, (Z,), 1.0, T, np.zeros(len(T)))
    E, effects, _ = whitened(latent.effects, [f"x:{j}" for j in range(latent.effects.shape[1])], weights)
    is_linear = name == "linear"
    unit = (float(latent.outcome.std()) or 1.0) if is_linear else 1.0
    T = block_diag(unit * own, unit * effects, own, *[np.eye(1)] * is_linear)
    shift = np.append(np.zeros(len(T) - 1), np.log(unit))
    return _Problem(name, responses, weights, (Z, E, latent.outcome / unit), unit, T, shift)


def fit(
    name: str,
    X: Floats,
    names: Sequence[str],
    responses: Responses,
    weights: Floats,
    *,
    method: str = "ml",
    start: Sequence[float] | Floats | None = None,
    starts: int | None = None,
    seed: int = 0,
    latent: LatentCovariate | None = None,
    parameter_names: Sequence[str] = (),
    references: Mapping[str, str] | None = None,
) -> Fit:
    """Return the estimate of a model (see the module for the choice among several maxima).

    Args:
        name: one of ``MODELS``.
        X: the covariates, shape (n, p).
        names: the names of the columns of X.
        responses: the responses of the rows; with a latent covariate, the responses to its question.
        weights: the weights of the rows, positive.
        method: ``ml``, or ``corrected`` for the corrected loss (logit, multinomial and linear models).
        start: coefficients of the only starting point, beside the corrected estimate.
        starts: the number of searches; ``None``: 20, or 10 with more than 5000 rows.
        seed: the seed of the random starting points, and of the rows of their searches.
        latent: the latent covariate, with the outcome.
        parameter_names: names for messages; by default ``names``.
        references: the reference level of each factor, for messages.

    Raises:
        InvalidParameterError: columns are collinear, or the starting point has the wrong size.
        InfeasibleError: there is neither a proper maximum nor a corrected estimate; the message names a direction in
            which the likelihood increases.
    """
    problem = _problem(name, X, names, responses, weights, latent)
    told = tuple(parameter_names or names)
    with np.errstate(all="ignore"):  # far from the maximum, probabilities can be 0 and values infinite
        objective = problem.objective()
        loss, corrected = _corrected(problem)
        if loss and corrected and (method == "corrected" or name == "linear"):
            if not corrected.is_proper:
                raise InfeasibleError(
                    "the corrected loss has no minimum: it falls forever along "
                    + _way_out(problem.T @ corrected.theta, told, "take the likelihood (`method=ml`), ")
                )
            return _fit(problem, loss, corrected, [corrected], corrected)
        if corrected is not None and not corrected.is_proper:
            corrected = None
        given = None if start is None else _given(start, problem, told)
        ends = _searched(problem, objective, corrected, given, starts, seed)
        proper = [end for end in ends if end.is_proper]
        if proper:
            return _fit(problem, objective, _chosen(proper, loss, corrected, _unit(name)), ends, corrected)
        is_plain = name in ("logit", "probit") and latent is None
        error = infinite_maximum(X, responses, weights, names, references or {}) if is_plain else None
        if error is not None:
            raise error
        if loss and corrected and name != "probit":
            return _fit(problem, loss, corrected, ends, corrected)
        far = problem.T @ max(ends, key=lambda end: end.value).theta if ends else np.zeros(1)
        if not far.any():
            raise InfeasibleError(
                "no maximum of the likelihood was found: received data at which no start has a positive likelihood; "
                "give `start`"
            )
        raise InfeasibleError(
            "the likelihood has no maximum that the searches reach: it rises towards infinity along "
            + _way_out(far, told, "take `model=linear`, " * is_plain)
        )


def _way_out(far: Floats, told: Sequence[str], advice: str) -> str:
    """Return the end of a message on a maximum at infinity: its direction, and what to do."""
    direction = direction_text(far / max(float(np.abs(far).max()), 1e-300), told)
    return f"the direction {direction}; {advice}leave columns out, or join levels"


def _unit(name: str) -> float:
    """Return the size of the coefficients of the corrected estimate, which of a probit model is that of the logit."""
    return _PROBIT if name == "probit" else 1.0


def _chosen(proper: Sequence[End], loss: Objective | None, corrected: End | None, unit: float) -> End:
    """Return the proper maximum nearest to the corrected estimate in its standard errors; without one the highest."""
    if corrected is None or loss is None or all(proper[0].equals(end) for end in proper):
        return max(proper, key=lambda end: end.value)
    A = loss.derivatives(corrected.theta).hessian
    metric = A @ np.linalg.pinv(loss.outer(corrected.theta)) @ A

    def distance(end: End) -> float:
        gap = unit * end.theta - corrected.theta
        return float(gap @ metric @ gap)

    return min(proper, key=distance)


def _fit(problem: _Problem, objective: Objective, chosen: End, ends: Sequence[End], corrected: End | None) -> Fit:
    agreeing = sum(chosen.equals(end) for end in ends)
    highest = max((end.value for end in ends), default=-np.inf)
    is_higher = not objective.is_corrected and highest > chosen.value + _HIGHER * objective.weights.mean()
    return Fit(
        problem.T @ chosen.theta + problem.shift,
        chosen.value,
        len(ends),
        agreeing,
        sum(end.is_proper for end in ends) - agreeing,
        highest if is_higher else None,
        objective,
        chosen.theta,
        problem.T,
        None if corrected is None else problem.T @ corrected.theta / _unit(problem.name),
    )


def _corrected(problem: _Problem) -> tuple[Objective | None, End | None]:
    """Return minus the corrected loss and its maximum, for a probit model those of the logit model."""
    if len(problem.matrices) > 1 or problem.name.startswith("ordinal"):
        return None, None
    near = replace(problem, name="logit") if problem.name == "probit" else problem
    loss, start, few = near.objective(is_corrected=True), _moments(near)[0], near.some_rows(0)
    if few is not None:
        first = climb(near.objective(few, is_corrected=True), start)
        start = first.theta if first.is_proper else start
    return loss, climb(loss, start)


def _searched(
    problem: _Problem,
    objective: Objective,
    corrected: End | None,
    given: Floats | None,
    starts: int | None,
    seed: int,
) -> list[End]:
    """Return the ends of all searches; searches on some rows that end at one maximum have the same end."""
    few = problem.some_rows(whole_where(seed, 0, MAX_SEED, name="`seed`"))
    count = whole_where(_STARTS[few is not None] if starts is None else starts, 1, 10_000, name="`starts`")
    near = None if corrected is None else corrected.theta / _unit(problem.name)
    ends = [climb(objective, each) for each in (near, given) if each is not None and _is_finite(objective, each)]
    if given is not None:
        if any(end.is_proper for end in ends):
            return ends
        count = 3  # the start may lie on a plateau
    points = _moments(problem)
    random = np.random.default_rng(seed)
    while len(ends) + len(points) < count:
        points.append(_random_point(problem, points[0], len(points), random))
    points = points[: max(count - len(ends), 0 if ends else 1)]
    if few is None:
        return ends + [climb(objective, each) for each in points if _is_finite(objective, each)]
    part = problem.objective(few)
    known = [(climb(part, end.theta), end) for end in ends if end.is_proper]
    for each in (point for point in points if _is_finite(part, point)):
        there = climb(part, each)
        whole = next((end for one, end in known if there.equals(one)), None)
        if whole is None and (there.is_proper or not ends):
            whole = climb(objective, there.theta if there.is_proper else each)
            known.append((there, whole))
        ends.append(whole or End(there.theta, -np.inf, False))
    return ends


def _is_finite(objective: Objective, theta: Floats) -> bool:
    return bool(np.isfinite(objective.derivatives(theta).value))


def _given(start: Sequence[float] | Floats, problem: _Problem, names: Sequence[str]) -> Floats:
    size = len(problem.T)
    listed = required_list(start, "`start`", f"a list of {size} numbers")
    given = np.array([float(rational(x, name=f"start[{i}]")) for i, x in enumerate(listed)])
    if given.shape != (size,) or not np.isfinite(given).all():
        raise InvalidParameterError(
            f"the start does not fit: received {given.size} numbers; allowed are {size} finite ones: "
            f"{shown(', '.join(names))}"
        )
    return np.asarray(np.linalg.solve(problem.T, given - problem.shift), np.float64)


def _random_point(problem: _Problem, base: Floats, place: int, random: np.random.Generator) -> Floats:
    size, p = len(base), problem.matrices[0].shape[1]
    if problem.name.startswith("ordinal"):  # thresholds must stay in increasing order
        move = np.concatenate([random.normal(0, 1, p), np.sort(random.normal(0, 1, size - p))])
        return move if place % 2 else base + np.concatenate([move[:p], np.zeros(size - p)])
    return random.normal(0, (1.0, 2.0, 4.0)[place % 3], size)


def _moments(problem: _Problem) -> list[Floats]:
    """Return the coefficients of the model without covariates, or the nearest ones if there is no intercept.

    With a latent covariate these are three points: a positive, a negative and no effect of the covariate.
    """
    name, weights, Z = problem.name, problem.weights, problem.matrices[0]
    shares = np.clip(weights @ problem.responses.debiased() / weights.sum(), 0.02, 0.98)
    shares /= shares.sum()

    def constant(Z: Floats, value: float) -> Floats:
        some = Z[:10_000]
        return np.asarray(value * np.linalg.lstsq(some, np.ones(len(some)), rcond=None)[0])

    if name.startswith("ordinal"):
        kappa = inverse_link(name.removeprefix("ordinal-"), np.cumsum(shares)[:-1])
        return [np.concatenate([np.zeros(Z.shape[1]), kappa])]
    if len(problem.matrices) == 1:
        targets = np.log(shares[1:] / shares[0]) if name == "multinomial" else inverse_link(name, shares[1:])
        return [np.concatenate([constant(Z, float(t)) for t in targets])]
    _, effects, outcome = problem.matrices
    if name == "linear":
        own = np.linalg.lstsq(Z, outcome[:, 0], rcond=None)[0]
        size = max(float((outcome[:, 0] - Z @ own).std()), 1e-12)
        last = [np.log(size)]
    else:
        share = float(np.clip(weights @ (outcome[:, 1] > outcome[:, 0]) / weights.sum(), 0.02, 0.98))
        own, last, size = constant(Z, float(inverse_link(name, np.array(share)))), [], 1.0
    gamma = constant(Z, float(inverse_link("logit", shares[1])))
    return [np.concatenate([own, constant(effects, effect * size), gamma, last]) for effect in (0.5, -0.5, 0.0)]
