r"""A box that is proved to contain exactly one maximum of a regression's log-likelihood (rule 35 of the checker).

Let theta be the last point of the search, A the observed information, W a matrix with ``W^T A W`` near the identity,
and ``G(u) = W^T grad l(theta + W u)``. Consider the cube of radius r around 0 in the coordinates u, which are measured
in standard errors. Let every entry of ``I + W^T Hess l W`` be enclosed on the cube, and let rho be an upper bound of
the largest row sum of absolute values. The proof has three steps:

1. If ``rho < 1`` and ``max |G(0)| <= (1 - rho) r``, then ``u -> u + G(u)`` is a contraction of the cube into itself. By
   Banach's theorem the cube contains exactly one stationary point.
2. All eigenvalues of ``W^T Hess l W`` are at most ``rho - 1 < 0`` on the cube. The log-likelihood is therefore strictly
   concave there, and the stationary point is its only maximum in the cube.
3. For each coefficient, the distance of this maximum from theta is at most the corresponding entry of
   ``|W| e max |G(0)| / (1 - rho)``, where e is the vector of ones.

Floating-point arithmetic proposes the radius, ball arithmetic proposes the errors, and the checker decides. Covariates,
weights and coefficients are floats, which stand for their shortest decimals; devices are exact. The box proves nothing
about maxima elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np

from rropt.checker import is_large_budget
from rropt.core.certificates.record import Certificate
from rropt.core.results import Result, labelled
from rropt.survey.regression.certificates import Box, certify_maximum, exact
from rropt.survey.regression.covers import cover
from rropt.survey.regression.existence import Groups
from rropt.survey.regression.families import Floats
from rropt.survey.regression.likelihoods import Responses
from rropt.survey.regression.ranges import curvature_ranges, factors

_RADII = (1.0, 0.5, 0.2, 0.1, 0.05, 0.02, 0.005, 1e-3)  # in standard errors; the first one that works is used
_MOST_RHO = 0.9  # for larger values the error bounds are too large compared with the box
_BITS = 200
_ROUNDING = 1e-24  # rounding error of a derivative in the checker's interval arithmetic
_SPARE = 1 + 1e-6  # safety factor for floating-point proposals
# limits of the checker's work in its units; the checker stops at 2^20, with the large budget at 2^26
MOST_WORK, LARGE_WORK = 1_000_000, 64_000_000
_MOST_ENTRIES = 1 << 24  # entries of the array of factors of the predictors
_COVERED = ("logit", "probit")


@dataclass(frozen=True, slots=True)
class CertifiedBox(Result):
    """A box that contains exactly one maximum of the log-likelihood.

    Attributes:
        radius: the radius of the cube, in standard errors, in coordinates in which the information is the identity (in
            the linear model that of errors with variance 1).
        errors: an upper bound of the distance between the maximum and each printed coefficient.
        largest_error: the largest ratio of such a bound to its standard error.
        contraction: the contraction constant rho < 1.
        rows: the number of distinct rows.
        is_global: whether the maximum is proved to be the unique global one.
        certificate: the certificate that the checker has accepted. It contains all rows and is not part of the JSON.
    """

    radius: float
    errors: tuple[float, ...]
    largest_error: float
    contraction: float
    rows: int
    is_global: bool = False
    certificate: Certificate | None = field(default=None, compare=False, repr=False)

    LABELS = labelled(
        radius="radius of the box (standard errors)", largest_error="error (standard errors)", contraction="rho"
    )


def certified_box(
    theta: Floats,
    W: Floats,
    X: Floats,
    responses: Responses,
    mechanisms: Sequence[Sequence[Sequence[Fraction]]],
    weights: Floats,
    model: str = "logit",
    effects: int = 0,
) -> CertifiedBox | None:
    """Return a box of a regression that is proved to contain exactly one maximum; ``None`` if none was proved.

    Args:
        theta: the coefficients.
        W: a matrix for which ``W W^T`` is the inverse of the observed information.
        X, responses, weights: the rows of the data.
        mechanisms: the exact matrices of the devices.
        model: the regression model; for a randomized covariate, ``covariate-`` and the model of the outcome.
        effects: for a randomized covariate, the number of last columns of X that it multiplies.
    """
    groups = Groups.of(X, responses, weights)
    k = responses.categories
    Y = factors(model, groups.X, k, effects) if len(groups.X) * len(theta) * k <= _MOST_ENTRIES else None
    outputs = float((groups.counts > 0).sum(axis=1).mean())
    most = LARGE_WORK if is_large_budget() else MOST_WORK
    if model == "linear" and any(len(matrix) != 2 for matrix in mechanisms):
        return None
    if Y is None or not np.isfinite(theta).all() or (work := len(groups.X) * _units(model, Y, outputs)) > most:
        return None
    chances = [np.array([[float(p) for p in row] for row in matrix]) for matrix in mechanisms]
    proposed = None
    for r in _RADII:
        rho = _rho(model, groups, Y, theta, W, chances, r)
        if rho < _MOST_RHO:
            proposed = r, rho
            break
    if proposed is None:
        return None
    radius, rho = proposed
    noise = _ROUNDING * float((groups.counts.sum(axis=1) + 1) @ np.abs(Y @ W).max(axis=(1, 2)))
    gradient = _gradient(model, groups, Y, theta, W, mechanisms)
    reach = (gradient + noise) / (1 - rho) * _SPARE
    errors = (np.abs(W).sum(axis=1) * reach * _SPARE).tolist()
    box = Box(model, theta, W, groups, mechanisms, radius, errors, effects)
    cells = cover(model, theta, W, groups, chances, radius, most - work) if model in _COVERED else None
    made = None if cells is None else certify_maximum(box, cells)
    is_global = made is not None or model == "linear"
    made = made or certify_maximum(box)
    if made is None:
        return None
    longest = np.maximum(np.abs(W).max(axis=1), 1e-300)
    spreads = longest * np.sqrt(((W / longest[:, None]) ** 2).sum(axis=1))
    relative = max(e / s for e, s in zip(errors, spreads.tolist(), strict=True))
    return CertifiedBox(radius, tuple(errors), relative, rho, len(groups.X), is_global, made)


def _units(model: str, Y: Floats, outputs: float) -> float:
    """Estimate the checker's work for one row, from the array of factors and the mean number of observed outputs."""
    _, q, p = Y.shape
    if model == "linear":
        return float(20 + p * p)
    enclosing = 80 * q + 40 * (outputs + 1) * q * q
    if model not in ("logit", "multinomial"):
        enclosing = 300 * q + 40 * outputs * q * (q + 1)
    return float(enclosing + q * p * p)


def _rho(
    model: str, groups: Groups, Y: Floats, theta: Floats, W: Floats, chances: Sequence[Floats], radius: float
) -> float:
    """Return an approximation of rho for the cube, in floating-point arithmetic; infinite if it is not available."""
    t, y = Y @ theta, Y @ W
    reach = radius * np.abs(y).sum(axis=2)
    if not np.isfinite(t).all() or (np.abs(t) + reach).max() > 500:
        return float("inf")
    _, least, most = curvature_ranges(model, groups, chances, t, reach)
    if not (np.isfinite(least).all() and np.isfinite(most).all()):
        return float("inf")
    q = t.shape[1]
    middle, width = np.eye(len(theta)), np.zeros(len(theta))
    for j in range(q):
        for i in range(q):
            middle = middle + y[:, j].T @ (y[:, i] * ((least + most)[:, j, i] / 2)[:, None])
            width = width + np.abs(y[:, j]).T @ ((most - least)[:, j, i] / 2 * np.abs(y[:, i]).sum(axis=1))
    return float((np.abs(middle).sum(axis=1) + width).max() * _SPARE)


def _gradient(model: str, groups: Groups, Y: Floats, theta: Floats, W: Floats, mechanisms: Any) -> float:
    """Return an upper bound of the absolute entries of ``W^T grad l(theta)``, by ball arithmetic."""
    from flint import arb, ctx

    with ctx.workprec(_BITS):
        seen: dict[float, Any] = {}

        def ball(value: float) -> Any:
            if value not in seen:
                seen[value] = _ball(exact(value), arb)
            return seen[value]

        chances = [[[_ball(p, arb) for p in row] for row in matrix] for matrix in mechanisms]
        point = [ball(b) for b in theta.tolist()]
        gradient = [arb(0)] * len(theta)
        for factors_of, device, counts in zip(Y.tolist(), groups.device.tolist(), groups.counts.tolist(), strict=True):
            given = [[ball(v) for v in own] for own in factors_of]
            t = [sum((a * b for a, b in zip(own, point, strict=True)), arb(0)) for own in given]
            pi, J = truth_in_balls(model, t, arb) if model != "linear" else ([], [])
            slope = [arb(0)] * len(t)
            if model == "linear":
                a, b = chances[device][1]
                slope = [sum((ball(n) * ((z - a) / (b - a) - t[0]) for z, n in enumerate(counts)), arb(0))]
                counts = []
            for z, n in enumerate(counts):
                if n > 0:
                    row = chances[device][z]
                    chance = _inner(row, pi, arb)
                    slope = [
                        g + ball(n) * _inner(row, column, arb) / chance for g, column in zip(slope, J, strict=True)
                    ]
            for own, each in zip(given, slope, strict=True):
                gradient = [g + each * v for g, v in zip(gradient, own, strict=True)]
        turned = [_inner([ball(w) for w in column], gradient, arb) for column in W.T.tolist()]
        return max((float(abs(g).upper()) for g in turned), default=0.0)


def _inner(a: Sequence[Any], b: Sequence[Any], arb: Any) -> Any:
    return sum((x * y for x, y in zip(a, b, strict=True)), arb(0))


def truth_in_balls(model: str, t: Sequence[Any], arb: Any) -> tuple[list[Any], list[list[Any]]]:
    """Return the probabilities of the true categories, and their derivatives in each linear predictor, as balls."""

    def logit(v: Any) -> tuple[Any, Any]:
        return 1 / (1 + (-v).exp()), 1 / (2 + v.exp() + (-v).exp())

    def probit(v: Any) -> tuple[Any, Any]:
        return (-v / arb(2).sqrt()).erfc() / 2, (-v * v / 2).exp() / (2 * arb.pi()).sqrt()

    F = [(probit if model.endswith("probit") else logit)(v) for v in t]
    if model == "multinomial":
        powers = [arb(1), *(v.exp() for v in t)]
        pi = [power / sum(powers, arb(0)) for power in powers]
        return pi, [[p * (int(x == j + 1) - pi[j + 1]) for x, p in enumerate(pi)] for j in range(len(t))]
    if model.startswith("ordinal"):
        ends = [arb(0), *(value for value, _ in F), arb(1)]
        pi = [after - before for before, after in pairwise(ends)]
        return pi, [
            [f if x == j else -f if x == j + 1 else arb(0) for x in range(len(pi))] for j, (_, f) in enumerate(F)
        ]
    if model.startswith("covariate"):
        x, dx = logit(t[0])
        (low, d_low), (high, d_high) = F[1:]
        pi = [(1 - x) * (1 - low), (1 - x) * low, x * (1 - high), x * high]
        zero = arb(0)
        J = [[-dx * (1 - low), -dx * low, dx * (1 - high), dx * high]]
        J += [[-(1 - x) * d_low, (1 - x) * d_low, zero, zero], [zero, zero, -x * d_high, x * d_high]]
        return pi, J
    ((value, slope),) = F
    return [1 - value, value], [[-slope, slope]]


def _ball(value: Fraction, arb: Any) -> Any:
    return arb(value.numerator) / arb(value.denominator)
