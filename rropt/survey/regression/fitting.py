r"""Fit a regression by trust-region searches in whitened coordinates; raise an error if there is no maximum.

Covariates are centered (if there is an intercept), scaled, and whitened by their QR decomposition, ``Z = X M``. The fit
is therefore invariant to a change of units. The parameters are transformed back by ``theta = T theta_z``. The searches
start from the minimum of the corrected loss, from the model without covariates, and from random points. The result is
the best strict local maximum. If a search without a maximum reaches a higher value, the supremum lies at infinity, and
the fit raises an error.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rropt.core.errors import InfeasibleError, InvalidParameterError, shown
from rropt.core.exact import rational
from rropt.core.exact.numbers import whole_where
from rropt.core.limits import MAX_SEED
from rropt.mechanisms.columns import required_list
from rropt.survey.regression.existence import corrected_direction, direction_text, likelihood_direction
from rropt.survey.regression.families import (
    Binary,
    Covariate,
    Family,
    Floats,
    Multinomial,
    Ordinal,
    Predictors,
    binary_predictors,
    covariate_predictors,
    inverse_link,
    multinomial_predictors,
    ordinal_predictors,
)
from rropt.survey.regression.likelihoods import CorrectedLoss, Likelihood, Responses
from rropt.survey.regression.trust_region import Found, maximise

MODELS = ("logit", "probit", "linear", "ordinal-logit", "ordinal-probit", "multinomial")
METHODS = ("ml", "corrected")
_COLLINEAR = 1e-9  # smallest allowed ratio of the extreme singular values of the scaled covariates
_SAME = 1e-7  # tolerance of the log-likelihood, relative to the mean weight, for searches that end at one maximum


@dataclass(frozen=True, slots=True)
class LatentCovariate:
    """A covariate that is observed through randomized responses.

    Attributes:
        responses: the responses to the question about it.
        effects: the columns that it multiplies; a column of ones gives its main effect.
        W: the covariates in the logit model of this covariate.
    """

    responses: Responses
    effects: Floats
    W: Floats


@dataclass(frozen=True, slots=True)
class Fit:
    """The result of a fit, in the coordinates of the formula.

    Attributes:
        theta: the parameters.
        value: the log-likelihood, or minus the corrected loss.
        steps: the number of steps of the best search.
        starts: the number of searches.
        agreeing: the number of searches that end at this value.
        lower: the number of searches that end at another, lower maximum.
        lost: the number of searches that do not end at a maximum.
        decrement: the Newton decrement at the end.
        objective: the maximized function of whitened parameters.
        whitened: the whitened parameters at the maximum.
        T: the matrix with ``theta = T whitened``.
        corrected: the corrected estimate, if it exists and was a starting point.
    """

    theta: Floats
    value: float
    steps: int
    starts: int
    agreeing: int
    lower: int
    lost: int
    decrement: float
    objective: Likelihood
    whitened: Floats
    T: Floats
    corrected: Floats | None


@dataclass(frozen=True, slots=True)
class _White:
    """Whitened covariates: ``Z = X M``, or ``Z = (X - mean) M`` if all columns are centered."""

    Z: Floats
    M: Floats
    mean: Floats


def whitened(X: Floats, names: Sequence[str], used: NDArray[np.bool_], *, centre: bool = False) -> _White:
    """Return the covariates in coordinates in which their cross-product matrix is n times the identity.

    Args:
        X: the covariates, shape (n, p).
        names: the names of the columns.
        used: the rows with positive weight.
        centre: whether to center all columns, as needed if thresholds replace the intercept.

    Raises:
        InvalidParameterError: a column is a linear combination of the others.
    """
    p = X.shape[1]
    if p == 0:
        return _White(X, np.zeros((0, 0)), np.zeros(0))
    if int(used.sum()) < p:
        raise InvalidParameterError(
            f"the rows are fewer than the columns: received {int(used.sum())} rows of positive weight for {p} columns; "
            "leave columns out"
        )
    unit = np.abs(X[used]).max(axis=0)  # scale first, so no square overflows
    unit = np.where(unit > 0, unit, 1.0)
    X = X / unit
    own = X[used]
    constant = None if centre else next((j for j in range(p) if (own[:, j] == 1).all()), None)
    M, mean = np.eye(p), np.zeros(p)
    if centre:
        mean = own.mean(axis=0)
        own = own - mean
    elif constant is not None:
        M[constant] -= own.mean(axis=0)
        M[constant, constant] = 1.0
        own = own @ M
        M[constant] -= own.mean(axis=0) * (np.arange(p) != constant)  # remove rounding errors of large means
        own = X[used] @ M
    scale = np.sqrt((own**2).mean(axis=0))
    size = np.abs(X[used]).max(axis=0)
    flat = scale <= 1e-13 * np.maximum(size, 1e-300)
    if flat.any():
        raise _collinear(names, np.flatnonzero(flat), constant)
    own, M = own / scale, M / scale
    R = np.linalg.qr(own, mode="r") / np.sqrt(len(own)) if len(own) >= p else np.zeros((p, p))
    singular = np.linalg.svd(R, compute_uv=False)
    if len(own) < p or singular[-1] < _COLLINEAR * singular[0]:
        from scipy.linalg import qr

        _, diagonal, pivots = qr(R, pivoting=True)
        weak = np.abs(np.diag(diagonal)) < 10 * _COLLINEAR * abs(diagonal[0, 0])
        raise _collinear(names, pivots[weak] if weak.any() else pivots[-1:], constant)
    inverse = np.linalg.inv(R)
    M = M @ inverse
    Z = (X - mean) @ M if centre else X @ M
    return _White(Z, M / unit[:, None], mean * unit)


def _collinear(names: Sequence[str], places: Sequence[int] | NDArray[np.int64], constant: int | None) -> Exception:
    listed = [names[int(place)] for place in places][:5]
    return InvalidParameterError(
        f"{'a column is a combination' if len(listed) == 1 else 'columns are combinations'} of the others (collinear): "
        f"received {shown(', '.join(listed))}; leave {'it' if len(listed) == 1 else 'them'} out, or join levels"
        + (" (a constant column doubles the intercept)" if constant is not None else "")
    )


@dataclass(frozen=True, slots=True)
class _Setting:
    """A model in whitened coordinates."""

    family: Family
    predictors: Predictors
    T: Floats


def _setting(
    model: str,
    X: Floats,
    names: Sequence[str],
    used: NDArray[np.bool_],
    categories: int,
    latent: LatentCovariate | None,
    outcome: Floats | None,
) -> _Setting:
    if latent is not None:
        assert outcome is not None
        white = whitened(X, names, used)
        other = whitened(latent.W, [f"x: {j}" for j in range(latent.W.shape[1])], used)
        is_linear = model == "linear"
        predictors = covariate_predictors(white.Z, latent.effects, other.Z, is_linear=is_linear)
        T = np.eye(predictors.size)
        p, r, s = X.shape[1], latent.effects.shape[1], latent.W.shape[1]
        T[:p, :p], T[p + r : p + r + s, p + r : p + r + s] = white.M, other.M
        return _Setting(Covariate(model, outcome), predictors, T)
    if model.startswith("ordinal"):
        white = whitened(X, names, used, centre=True)
        p = X.shape[1]
        T = np.eye(p + categories - 1)
        T[:p, :p] = white.M
        T[p:, :p] = white.mean @ white.M
        return _Setting(Ordinal(model.removeprefix("ordinal-"), categories), ordinal_predictors(white.Z, categories), T)
    white = whitened(X, names, used)
    if model == "multinomial":
        return _Setting(
            Multinomial(categories),
            multinomial_predictors(white.Z, categories),
            np.asarray(np.kron(np.eye(categories - 1), white.M), np.float64),
        )
    return _Setting(Binary(model), binary_predictors(white.Z), white.M)


def fit(
    model: str,
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
    outcome: Floats | None = None,
    parameter_names: Sequence[str] = (),
) -> Fit:
    """Return the best local maximum of a model.

    Args:
        model: one of ``MODELS``.
        X: the covariates, shape (n, p).
        names: the names of the columns of X.
        responses: the responses of the rows; with a latent covariate, the responses to its question.
        weights: the weights of the rows, at least 0.
        method: ``ml``, or ``corrected`` for the corrected loss (logit, multinomial and linear models).
        start: parameters of the only starting point; it replaces all other starting points.
        starts: the number of searches; with ``None`` it depends on the size of the data.
        seed: the seed of the random starting points.
        latent, outcome: the latent covariate and the outcome, for a model with a latent covariate.
        parameter_names: names for messages; by default ``names``.

    Raises:
        InvalidParameterError: columns are collinear, or the starting point has the wrong size.
        InfeasibleError: there is no maximum; the message names a direction in which the likelihood increases.
    """
    with np.errstate(all="ignore"):  # far from the maximum, probabilities can be 0 and values infinite
        return _searched(
            *(model, X, names, responses, weights, method, start, starts, seed, latent, outcome), parameter_names
        )


def _searched(
    model: str,
    X: Floats,
    names: Sequence[str],
    responses: Responses,
    weights: Floats,
    method: str,
    start: Sequence[float] | Floats | None,
    starts: int | None,
    seed: int,
    latent: LatentCovariate | None,
    outcome: Floats | None,
    parameter_names: Sequence[str],
) -> Fit:
    used = weights > 0
    setting = _setting(model, X, names, used, responses.categories, latent, outcome)
    scale = float(weights[used].mean())
    told = tuple(parameter_names or names)
    plain = latent is None and not model.startswith("ordinal")
    corrected: Found | None = None
    if plain and (model != "probit"):
        assert isinstance(setting.family, Binary | Multinomial)
        loss = CorrectedLoss(setting.family, setting.predictors, responses, weights)
        corrected = maximise(loss, _moments(model, setting, responses, weights, X), weights)
        if method == "corrected" or model == "linear":
            if not corrected.converged:
                raise _no_minimum(X, names, responses, weights, setting.T @ corrected.theta, told)
            return _fit(loss, corrected, [corrected], setting, corrected, scale)
    likelihood = Likelihood(setting.family, setting.predictors, responses, weights)
    first = _starts(model, setting, responses, weights, X, corrected, start, starts, seed, told, latent)
    ends = [maximise(likelihood, each, weights) for each in first if np.isfinite(likelihood.value(each))]
    good = [end for end in ends if end.converged]
    if start is not None and not good:  # the start may lie on a plateau without a usable gradient: use other starts
        again = _starts(model, setting, responses, weights, X, corrected, None, 3, seed, told, latent)
        ends += [maximise(likelihood, each, weights) for each in again if np.isfinite(likelihood.value(each))]
        good = [end for end in ends if end.converged]
    best = max(good, key=lambda end: end.value, default=None)
    highest = max(ends, key=lambda end: end.value, default=None)
    if best is None or (highest is not None and highest.value > best.value + _SAME * scale):
        far = setting.T @ highest.theta if highest is not None else None
        raise _no_maximum(model, X, names, responses, weights, far, told, plain=plain)
    return _fit(likelihood, best, ends, setting, corrected, scale)


def _fit(
    objective: Likelihood,
    best: Found,
    ends: Sequence[Found],
    setting: _Setting,
    corrected: Found | None,
    scale: float,
) -> Fit:
    good = [end for end in ends if end.converged]
    agreeing = sum(abs(end.value - best.value) <= _SAME * scale for end in good)
    return Fit(
        setting.T @ best.theta,
        best.value,
        best.steps,
        len(ends),
        agreeing,
        len(good) - agreeing,
        len(ends) - len(good),
        best.decrement,
        objective,
        best.theta,
        setting.T,
        setting.T @ corrected.theta if corrected is not None and corrected.converged else None,
    )


def _proportions(responses: Responses, weights: Floats) -> Floats:
    """Return the debiased estimates of the category proportions, moved to the interior of the simplex."""
    shares = (weights @ responses.debiased()) / weights.sum()
    inside = np.clip(shares, 0.02, 0.98)
    found: Floats = np.asarray(inside / inside.sum())
    return found


def _moments(model: str, setting: _Setting, responses: Responses, weights: Floats, X: Floats) -> Floats:
    """Return the parameters of the model without covariates, or the nearest ones if there is no intercept."""
    shares = _proportions(responses, weights)
    if model == "multinomial":
        target = np.log(shares[1:] / shares[0])
    else:
        target = np.array([inverse_link(model, float(shares[1]))])
    Z = setting.predictors.X[0]
    ones = np.linalg.lstsq(Z[:: max(1, len(Z) // 10_000)], np.ones(len(Z[:: max(1, len(Z) // 10_000)])), rcond=None)[0]
    found: Floats = np.concatenate([ones * t for t in target])
    return found


def _starts(
    model: str,
    setting: _Setting,
    responses: Responses,
    weights: Floats,
    X: Floats,
    corrected: Found | None,
    start: Sequence[float] | Floats | None,
    starts: int | None,
    seed: int,
    names: Sequence[str],
    latent: LatentCovariate | None,
) -> list[Floats]:
    """Return the starting points of the searches, in whitened coordinates."""
    size = setting.predictors.size
    if start is not None:
        listed = required_list(start, "`start`", f"a list of {size} numbers")
        given = np.array([float(rational(x, name=f"start[{i}]")) for i, x in enumerate(listed)])
        if given.shape != (size,) or not np.isfinite(given).all():
            raise InvalidParameterError(
                f"the start does not fit: received {given.size} numbers; allowed are {size} finite ones: "
                f"{shown(', '.join(names))}"
            )
        return [np.asarray(np.linalg.solve(setting.T, given), np.float64)]
    n = len(X)
    count = (20 if n <= 5_000 else 5 if n <= 100_000 else 2) if starts is None else starts
    count = whole_where(count, 1, 10_000, name="`starts`")
    found: list[Floats] = []
    if latent is not None:
        found += _latent_starts(model, setting, responses, weights, X, latent)
    elif model.startswith("ordinal"):
        cumulated = np.cumsum(_proportions(responses, weights))[:-1]
        kappa = [inverse_link(model.removeprefix("ordinal-"), float(c)) for c in cumulated]
        found.append(np.concatenate([np.zeros(X.shape[1]), kappa]))
    else:
        if corrected is not None and corrected.converged:
            found.append(corrected.theta)
        found.append(_moments(model, setting, responses, weights, X))
    random = np.random.default_rng(whole_where(seed, 0, MAX_SEED, name="`seed`"))
    base = found[-1]
    while len(found) < count:
        if model.startswith("ordinal"):  # thresholds must stay in increasing order
            p = X.shape[1]
            move = np.concatenate([random.normal(0, 1, p), np.sort(random.normal(0, 1, size - p))])
            found.append(move if len(found) % 2 else base + np.concatenate([move[:p], np.zeros(size - p)]))
        else:
            found.append(random.normal(0, (1.0, 2.0, 4.0)[len(found) % 3], size))
    return found[: max(count, 1)]


def _latent_starts(
    model: str, setting: _Setting, responses: Responses, weights: Floats, X: Floats, latent: LatentCovariate
) -> list[Floats]:
    """Return starting points for a model with a latent covariate: a positive, a negative and no effect."""
    size, p, r, s = setting.predictors.size, X.shape[1], latent.effects.shape[1], latent.W.shape[1]
    assert isinstance(setting.family, Covariate)
    outcome = setting.family.outcome
    base = np.zeros(size)
    Z, W = setting.predictors.X[0], setting.predictors.X[2]
    share = float(_proportions(responses, weights)[1])
    base[p + r : p + r + s] = inverse_link("logit", share) * np.linalg.lstsq(W, np.ones(len(W)), rcond=None)[0]
    if model == "linear":
        base[:p] = np.linalg.lstsq(Z, outcome[:, 0], rcond=None)[0]
        base[-1] = np.log(max(float((outcome[:, 0] - Z @ base[:p]).std()), 1e-12))
        unit = float(np.exp(base[-1]))
    else:
        level = outcome[:, 1] > outcome[:, 0]
        mean = float(np.clip(weights @ level / weights.sum(), 0.02, 0.98))
        base[:p] = inverse_link(model, mean) * np.linalg.lstsq(Z, np.ones(len(Z)), rcond=None)[0]
        unit = 1.0
    found = []
    for effect in (0.5, -0.5, 0.0):
        moved = base.copy()
        moved[p] = effect * unit
        found.append(moved)
    return found


def _no_maximum(
    model: str,
    X: Floats,
    names: Sequence[str],
    responses: Responses,
    weights: Floats,
    far: Floats | None,
    told: Sequence[str],
    *,
    plain: bool,
) -> InfeasibleError:
    """Return the error for data without a maximum; its message names a direction of increasing likelihood."""
    if plain and model in ("logit", "probit"):
        direction = likelihood_direction(X, responses, weights)
        if direction is not None:
            return InfeasibleError(
                "the likelihood has no maximum: it rises forever along the direction "
                f"{direction_text(direction, names)}, as where a factor separates the responses, or a group has fewer "
                "yes than the device forces; leave these columns out, or join levels"
            )
    if far is None or not np.linalg.norm(far):
        return InfeasibleError(
            "no maximum of the likelihood was found: received data at which no start has a positive likelihood; give "
            "`start`"
        )
    return InfeasibleError(
        "the likelihood has no maximum that the searches reach: it rises towards infinity along the direction "
        f"{direction_text(far / np.abs(far).max(), told)}; leave columns out, or join levels"
    )


def _no_minimum(
    X: Floats, names: Sequence[str], responses: Responses, weights: Floats, far: Floats, told: Sequence[str]
) -> InfeasibleError:
    direction = corrected_direction(X, responses.debiased()[:, 1], weights) if responses.categories == 2 else None
    shown_direction = far / max(float(np.abs(far).max()), 1e-300) if direction is None else direction
    return InfeasibleError(
        "the corrected loss has no minimum: it falls forever along the direction "
        f"{direction_text(shown_direction, told)}; take the likelihood (`method=ml`), leave columns out, or join levels"
    )
