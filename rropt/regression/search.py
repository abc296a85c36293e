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
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np

from rropt.core.errors import InfeasibleError, InvalidParameterError, shown
from rropt.core.exact import rational
from rropt.core.exact.numbers import whole_where
from rropt.core.random_numbers import RandomSource, seed_of
from rropt.mechanisms.columns import required_list
from rropt.regression.existence import direction_text, infinite_maximum
from rropt.regression.models import (
    Derivatives,
    DeviceResponses,
    Floats,
    Ints,
    WeightedLikelihood,
    latent_covariate,
    model_of,
)

MODELS = ("logit", "probit", "linear", "ordinal-logit", "ordinal-probit", "multinomial")
METHODS = ("ml", "corrected")
_COLLINEAR = 1e-9  # smallest allowed ratio of the diagonal of a pivoted QR decomposition of the scaled covariates
_NO_PART = 1e-9  # part of a combination, relative to the largest, that is a rounding error
_SINGULAR = 1e-7  # smallest eigenvalue of the whitened information of a proper maximum, for each unit of weight
_DECREMENT = 1e-16  # Newton decrement of a proper maximum, in units of the mean weight
_NEWTON_STEPS = 6
_FAR = 1e4  # norm of the whitened coefficients beyond which no maximum is expected
_SAME = 1e-4  # relative distance below which two ends are one
_MOST_ROWS = 5_000  # of the random searches
_STARTS = (20, 10)  # searches by default: with at most so many rows, and with more
_PROBIT = 1.7  # the coefficients of a logit are about this multiple of those of a probit


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


class MaximizedSum(Protocol):
    """A function that is maximized: a sum over units with weights."""

    weights: Floats
    is_corrected: bool

    def derivatives(self, theta: Floats) -> Derivatives:
        """Return the value, gradient and Hessian at a point."""

    def scores(self, theta: Floats) -> Floats:
        """Return the gradient of each unit without its weight, shape (units, coefficients)."""


class Fit(NamedTuple):
    """The result of a fit.

    Attributes:
        objective: the maximized function of whitened coefficients.
        end: the estimate.
        ends: the ends of all searches.
        corrected: the end of the search for the corrected estimate, if the model has one and it exists.
    """

    objective: WeightedLikelihood
    end: End
    ends: list[End]
    corrected: End | None


def climb(objective: MaximizedSum, start: Floats) -> End:
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
        if there.value < now.value - 1e-13 * abs(now.value):  # by more than the rounding of the sum
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
    own, unit, scale, mean, constant = _scaled(X, centre=centre)
    own *= np.sqrt(weights / weights.sum())[:, None]
    R = np.linalg.qr(own, mode="r")
    del own  # it is as large as X
    _, diagonal, pivots = qr(R, pivoting=True)
    weak = pivots[np.abs(np.diag(diagonal)) <= _COLLINEAR * abs(diagonal[0, 0])]
    if len(weak):
        listed = shown(", ".join(names[int(place)] for place in weak[:5]))
        raise InvalidParameterError(
            f"the columns are combinations of each other up to rounding: received {listed}; leave terms out, or center "
            "them, as in center(x)"
        )
    M = np.linalg.inv(R) / scale[:, None]
    T, offset = M / unit[:, None], mean @ M
    if constant is not None:
        T[constant] -= offset
    return (X / unit - mean) @ M, T, offset


def combinations(X: Floats, weights: Floats, *, centre: bool = False) -> tuple[list[int], list[int], Floats]:
    """Return which columns to keep: those that are no combination of columns before them, as R's ``lm`` does.

    Args:
        X, weights, centre: as for ``whitened``.

    Returns:
        The columns that are kept, those that are left out, and the multiples, shape (1 + kept, left out), of a constant
        (0 without ``centre``) and of the kept columns that give them.
    """
    n = len(X)
    own, unit, *_ = _scaled(X, centre=centre)
    own *= np.sqrt(weights / weights.sum())[:, None]
    R = np.asarray(np.linalg.qr(own, mode="r"))
    basis: list[Floats] = []
    kept, left = [], []
    for place, column in enumerate(R.T):
        rest = np.array(column)
        for _ in range(2):  # once more, for the digits
            for each in basis:
                rest -= (each @ rest) * each
        if (size := float(np.linalg.norm(rest))) > _COLLINEAR * max(1.0, float(np.linalg.norm(column))):
            basis.append(rest / size)
            kept.append(place)
        else:
            left.append(place)
    if not left:
        return kept, left, np.zeros((1 + len(kept), 0))
    outer = [np.ones((n, 1))] if centre else []
    known = np.hstack([*outer, X[:, kept] / unit[kept]])
    parts = np.linalg.lstsq(known, X[:, left] / unit[left], rcond=None)[0]
    parts[np.abs(parts) < _NO_PART * np.maximum(1.0, np.abs(parts).max(axis=0, initial=0.0))] = 0.0
    whole = np.zeros((1 + len(kept), len(left)))
    whole[1 - len(outer) :] = parts
    whole[1:] /= unit[kept][:, None]
    return kept, left, whole * unit[left]


def _scaled(X: Floats, *, centre: bool) -> tuple[Floats, Floats, Floats, Floats, int | None]:
    """Return the columns centered and of length 1, their units, lengths and means, and the constant column."""
    p = X.shape[1]
    unit = np.abs(X).max(axis=0)  # scale first, so no square overflows
    unit = np.where(unit > 0, unit, 1.0)
    own = X / unit
    constant = None if centre else next((j for j in range(p) if (own[:, j] == 1).all()), None)
    mean = np.zeros(p)
    if centre or constant is not None:
        mean = own.mean(axis=0)
        mean += (own - mean).mean(axis=0)
        mean[[] if constant is None else constant] = 0.0
    own -= mean
    scale = np.sqrt((own**2).mean(axis=0))
    scale = np.where(scale > 1e-13, scale, 1.0)  # a constant column is collinear with the intercept
    own /= scale
    return own, unit, scale, mean, constant


class WhitenedModel:
    """A model of some rows in whitened coordinates, with ``theta = T theta_z + shift`` (attributes T and shift).

    Args:
        name: one of ``MODELS``.
        X: the covariates, shape (n, p).
        names: the names of the columns of X.
        responses: the responses of the rows; with a latent covariate, those to its question, and to that of a
            yes-or-no outcome (``Responses.with_outcome``).
        weights: the weights of the rows, positive.
        effects: the columns that a latent covariate multiplies; a column of ones gives its main effect.
        outcome: the numbers of a linear outcome with a latent covariate.

    Raises:
        InvalidParameterError: columns are collinear.
    """

    def __init__(
        self,
        name: str,
        X: Floats,
        names: Sequence[str],
        responses: DeviceResponses,
        weights: Floats,
        effects: Floats | None = None,
        outcome: Floats | None = None,
    ) -> None:
        from scipy.linalg import block_diag

        self.name, self.X, self.names, self.responses, self.weights = name, X, names, responses, weights
        self.scale, self.unit = _PROBIT if name == "probit" else 1.0, 1.0
        Z, own, offset = whitened(X, names, weights, centre=name.startswith("ordinal"))
        self.matrices, k, p = [Z], responses.matrices.shape[2], len(own)
        if effects is not None:
            E, right, _ = whitened(effects, [f"x:{j}" for j in range(effects.shape[1])], weights)
            self.matrices.append(E)
            if outcome is not None:
                self.unit = float(outcome.std()) or 1.0
                self.matrices.append(outcome / self.unit)
            self.T = block_diag(self.unit * own, self.unit * right, own, *[np.eye(1)] * (outcome is not None))
        elif name.startswith("ordinal"):
            self.T = block_diag(own, np.eye(k - 1))
            self.T[p:, :p] = offset
        else:
            self.T = block_diag(*[own] * (k - 1))
        self.shift = np.append(np.zeros(len(self.T) - 1), np.log(self.unit))

    def objective(self, rows: Any = slice(None), *, is_corrected: bool = False) -> WeightedLikelihood:
        """Return the log-likelihood of some rows, or minus the corrected loss, for a probit model that of the logit."""
        own, k = [matrix[rows] for matrix in self.matrices], self.responses.matrices.shape[2]
        name = "logit" if is_corrected and self.name == "probit" else self.name
        model = model_of(name, own[0], k) if len(own) == 1 else latent_covariate(name, self.unit, *own)
        return WeightedLikelihood(model, self.responses.where(rows), self.weights[rows], is_corrected=is_corrected)

    def moments(self, link: str) -> list[Floats]:
        """Return the coefficients of the model without covariates, or the nearest ones if there is no intercept.

        With a latent covariate these are three points: a positive, a negative and no effect of the covariate.
        """
        from scipy.special import logit, ndtri

        name, weights, Z = self.name, self.weights, self.matrices[0]
        shares = weights @ self.responses.debiased() / weights.sum()
        if len(self.matrices) == 2:  # pairs of the covariate and a yes-or-no outcome
            shares = shares.reshape(2, 2).sum(axis=1)
        shares = np.clip(shares, 0.02, 0.98)  # a starting point near 0 or 1 has a flat likelihood
        shares /= shares.sum()

        inverse_link = {"logit": logit, "probit": ndtri}.get(link.removeprefix("ordinal-"), np.asarray)

        if name.startswith("ordinal"):
            return [np.concatenate([np.zeros(Z.shape[1]), inverse_link(np.cumsum(shares)[:-1])])]
        # some rows suffice for a starting point
        flat = [np.linalg.lstsq(M[:10_000], np.ones(len(M[:10_000])), rcond=None)[0] for M in self.matrices[:2]]
        if len(self.matrices) == 1:
            targets = np.log(shares[1:] / shares[0]) if name == "multinomial" else inverse_link(shares[1:])
            return [np.concatenate([t * flat[0] for t in targets])]
        last, size = [], 1.0
        # starting values only: proportions away from 0 and 1 keep the inverse link finite
        if len(self.matrices) == 3:
            y = self.matrices[2]
            own = np.linalg.lstsq(Z, y, rcond=None)[0]
            size = max(float((y - Z @ own).std()), 1e-12)
            last = [np.log(size)]
        else:
            given = self.responses.matrices[self.responses.device, self.responses.answer]
            no, yes = given.reshape(-1, 2, 2).sum(axis=1).T
            share = np.clip(weights @ (yes > no) / weights.sum(), 0.02, 0.98)
            own = inverse_link(share) * flat[0]
        gamma = logit(shares[1]) * flat[0]
        return [np.concatenate([own, e * size * flat[1], gamma, last]) for e in (0.5, -0.5, 0.0)]

    def corrected(self, few: Ints | None) -> tuple[WeightedLikelihood | None, End | None]:
        """Return minus the corrected loss and its maximum, of a probit model those of the logit model.

        Args:
            few: the rows of a first search; ``None`` for all.
        """
        if len(self.matrices) > 1 or self.name.startswith("ordinal"):
            return None, None
        loss, (start,) = self.objective(is_corrected=True), self.moments(self.name.replace("probit", "logit"))
        if few is not None:
            first = climb(self.objective(few, is_corrected=True), start)
            start = first.theta if first.is_proper else start
        return loss, climb(loss, start)

    def fit(
        self,
        *,
        method: str = "ml",
        start: Sequence[float] | Floats | None = None,
        starts: int | None = None,
        rng: RandomSource = 0,
        told: Sequence[str] = (),
        references: Mapping[str, str] | None = None,
    ) -> Fit:
        """Return the estimate (see the module for the choice among several maxima).

        Args:
            method: ``ml``, or ``corrected`` for the corrected loss (logit, multinomial and linear models).
            start: coefficients of the only starting point, beside the corrected estimate.
            starts: the number of searches; ``None``: 20, or 10 with more than 5000 rows.
            rng: the seed of the random starting points, and of the rows of their searches; or a NumPy ``Generator``.
            told: the names of the coefficients in messages; by default ``names``.
            references: the reference level of each factor, for messages.

        Raises:
            InvalidParameterError: the starting point has the wrong size.
            InfeasibleError: there is neither a proper maximum nor a corrected estimate; the message names a direction
                in which the likelihood increases.
        """
        told, n = told or self.names, len(self.weights)
        seed = seed_of(rng)
        random = np.random.default_rng(seed)
        few = np.sort(random.choice(n, _MOST_ROWS, replace=False)) if n > _MOST_ROWS else None
        with np.errstate(all="ignore"):  # far from the maximum, probabilities can be 0 and values infinite
            objective, (loss, corrected) = self.objective(), self.corrected(few)
            if loss and corrected and (method == "corrected" or self.name == "linear"):
                if corrected.is_proper:
                    return Fit(loss, corrected, [corrected], corrected)
                raise infinite(
                    "the corrected loss has no minimum: it falls forever",
                    self.far(corrected), told, "take the likelihood (`method=ml`), ",
                )  # fmt: skip
            if corrected is not None and not corrected.is_proper:
                corrected = None
            given = None if start is None else self.given(start, told)
            ends = self._searched(objective, corrected, given, starts, seed, few)
            if proper := [end for end in ends if end.is_proper]:
                best = max(proper, key=lambda end: end.value)
                if loss and corrected and not all(best.equals(end) for end in proper):  # in its standard errors
                    A, s = loss.derivatives(corrected.theta).hessian, loss.scores(corrected.theta)
                    metric = A @ np.linalg.pinv((s * loss.weights[:, None]).T @ s) @ A
                    gaps = [self.scale * end.theta - corrected.theta for end in proper]
                    best = proper[int(np.argmin([gap @ metric @ gap for gap in gaps]))]
                return Fit(objective, best, ends, corrected)
            is_plain = self.name in ("logit", "probit") and len(self.matrices) == 1
            if is_plain:
                error = infinite_maximum(self.X, self.responses, self.weights, self.names, references or {})
                if error is not None:
                    raise error
            if loss and corrected and self.name != "probit":
                return Fit(loss, corrected, ends, corrected)
            far = self.far(max(ends, key=lambda end: end.value)) if ends else np.zeros(1)
            if not far.any():
                raise InfeasibleError(
                    "no maximum of the likelihood was found: received data at which no start has a positive "
                    "likelihood; leave columns out, or in Python give start="
                )
            raise infinite(
                "the likelihood has no maximum that the searches reach: it rises towards infinity",
                far, told, "take `model=linear`, " * is_plain,
            )  # fmt: skip

    def far(self, end: End) -> Floats:
        """Return the direction of an end at infinity, with 0 for entries that are small in their own unit."""
        far = self.T @ end.theta
        sizes = np.abs(far) / np.linalg.norm(self.T, axis=1)
        return np.where(sizes > 1e-6 * sizes.max(), far, 0.0)  # smaller ones are those of other columns, by rounding

    def _searched(
        self,
        objective: WeightedLikelihood,
        corrected: End | None,
        given: Floats | None,
        starts: int | None,
        seed: int,
        few: Ints | None,
    ) -> list[End]:
        """Return the ends of all searches; searches on some rows that end at one maximum have the same end."""
        count = whole_where(_STARTS[few is not None] if starts is None else starts, 1, 10_000, name="`starts`")
        near = None if corrected is None else corrected.theta / self.scale
        known = [each for each in (near, given) if each is not None]
        ends = [climb(objective, each) for each in known if np.isfinite(objective.derivatives(each).value)]
        if given is not None:
            if any(end.is_proper for end in ends):
                return ends
            count = 3  # the start may lie on a plateau
        points, random = self.moments(self.name), np.random.default_rng(seed)
        size, p = len(points[0]), self.matrices[0].shape[1]
        while (place := len(points)) + len(ends) < count:
            if self.name.startswith("ordinal"):  # thresholds must stay in increasing order
                move = np.concatenate([random.normal(0, 1, p), np.sort(random.normal(0, 1, size - p))])
                points.append(move if place % 2 else points[0] + np.where(np.arange(size) < p, move, 0.0))
            else:
                points.append(random.normal(0, (1.0, 2.0, 4.0)[place % 3], size))
        part = objective if few is None else self.objective(few)
        met = [(climb(part, end.theta), end) for end in ends if end.is_proper] if few is not None else []
        for each in points[: max(count - len(ends), 0 if ends else 1)]:
            if not np.isfinite(part.derivatives(each).value):
                continue
            whole = there = climb(part, each)
            if few is not None:
                same = [end for one, end in met if there.equals(one)]
                whole = same[0] if same else End(there.theta, -np.inf, False)
                if not same and (there.is_proper or not ends):
                    whole = climb(objective, there.theta if there.is_proper else each)
                    met.append((there, whole))
            ends.append(whole)
        return ends

    def given(self, start: Sequence[float] | Floats, names: Sequence[str]) -> Floats:
        """Return the whitened coefficients of a starting point."""
        size = len(self.T)
        listed = required_list(start, "`start`", f"a list of {size} numbers")
        given = np.array([float(rational(x, name=f"start[{i}]")) for i, x in enumerate(listed)])
        if given.shape != (size,) or not np.isfinite(given).all():
            raise InvalidParameterError(
                f"the start does not fit: received {given.size} numbers; allowed are {size} finite ones: "
                f"{shown(', '.join(names))}"
            )
        return np.linalg.solve(self.T, given - self.shift)


def infinite(what: str, far: Floats, told: Sequence[str], advice: str) -> InfeasibleError:
    """Return the error for a maximum at infinity, with its direction and what to do."""
    direction = direction_text(far / max(float(np.abs(far).max()), 1e-300), told)
    return InfeasibleError(f"{what} along the direction {direction}; {advice}leave columns out, or join levels")
