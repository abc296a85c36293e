r"""A box that is proved to hold one maximum of the log-likelihood of a logistic regression (rule 35 of the checker).

Let theta be the end of the search, W with ``W^T A W`` near the identity, A the observed information, and
``G(u) = W^T grad l(theta + W u)``. On the cube of radius r (in standard errors, in the coordinates u) let every entry
of ``I + W^T Hess l W`` be enclosed, and let rho bound the largest row sum of their absolute values. If ``rho < 1`` and
``max |G(0)| <= (1 - rho) r``, then ``u -> u + G(u)`` is a contraction of the cube into itself: there is exactly one
stationary point in it (Banach). Since all eigenvalues of ``W^T Hess l W`` are at most ``rho - 1 < 0`` there, the
log-likelihood is strictly concave on the cube and the point is its only maximum. It lies within
``|W| max |G(0)| / (1 - rho)`` of theta, coefficient by coefficient.

Floats propose the radius, and ball arithmetic the errors; the checker decides. Covariates, weights and coefficients are
floats, taken as their shortest decimals; devices are exact. The proof says nothing of maxima elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from rropt.core.certificates.record import Certificate
from rropt.core.results import Result, says
from rropt.survey.regression.certificates import Box, certify_maximum, exact
from rropt.survey.regression.covers import cover, curvature_ranges
from rropt.survey.regression.existence import Groups
from rropt.survey.regression.families import Floats
from rropt.survey.regression.likelihoods import Responses

_RADII = (1.0, 0.5, 0.2, 0.1, 0.05, 0.02, 0.005, 1e-3)  # in standard errors; the first that is proved
_MOST_RHO = 0.9  # beyond it the errors grow more than the box
_BITS = 200
_ROUNDING = 1e-24  # of a derivative, of the intervals of the checker
_SPARE = 1 + 1e-6  # by which errors are larger than what is proposed
MOST_WORK = 1_000_000  # of the checker, in its units: it stops at 2^20


@dataclass(frozen=True, slots=True)
class CertifiedBox(Result):
    """A box that holds exactly one maximum.

    Attributes:
        radius: the radius of the cube, in standard errors, in coordinates in which the information is the identity.
        errors: how far the maximum is from the printed coefficients at most, by name.
        largest_error: the largest of these over the standard error.
        contraction: rho; below 1.
        rows: distinct rows.
        is_global: whether the maximum is proved to be the only global one.
        certificate: that the checker has accepted; it holds all rows, and does not stand in JSON.
    """

    radius: float
    errors: tuple[float, ...]
    largest_error: float
    contraction: float
    rows: int
    is_global: bool = False
    certificate: Certificate | None = field(default=None, compare=False, repr=False)

    SAYS = says(
        radius="radius of the box (standard errors)", largest_error="error (standard errors)", contraction="rho"
    )


def certified_box(
    theta: Floats,
    W: Floats,
    X: Floats,
    responses: Responses,
    mechanisms: Sequence[Sequence[Sequence[Fraction]]],
    weights: Floats,
) -> CertifiedBox | None:
    """Return a box of a logistic regression that is proved to hold one maximum; ``None``: none was proved.

    Args:
        theta: the coefficients.
        W: with ``W W^T`` the inverse of the observed information.
        X, responses, weights: the rows.
        mechanisms: the exact matrices of the devices.
    """
    groups = Groups.of(X, responses, weights)
    work = len(groups.X) * (80 + 40 * (groups.counts > 0).sum(axis=1).mean() + X.shape[1] ** 2)
    if work > MOST_WORK or not np.isfinite(theta).all():
        return None
    chances = [np.array([[float(p) for p in row] for row in matrix]) for matrix in mechanisms]
    proposed = next(((r, rho) for r in _RADII if (rho := _rho(groups, theta, W, chances, r)) < _MOST_RHO), None)
    if proposed is None:
        return None
    radius, rho = proposed
    noise = _ROUNDING * float((groups.counts.sum(axis=1) + 1) @ np.abs(groups.X @ W).max(axis=1))
    reach = (_gradient(groups, theta, W, mechanisms) + noise) / (1 - rho) * _SPARE
    errors = (np.abs(W).sum(axis=1) * reach * _SPARE).tolist()
    box = Box(theta, W, groups, mechanisms, radius, errors)
    cells = cover(theta, W, groups, chances, radius, MOST_WORK - work)
    made = None if cells is None else certify_maximum(box, cells)
    is_global = made is not None
    made = made or certify_maximum(box)
    if made is None:
        return None
    longest = np.maximum(np.abs(W).max(axis=1), 1e-300)
    spreads = longest * np.sqrt(((W / longest[:, None]) ** 2).sum(axis=1))
    relative = max(e / s for e, s in zip(errors, spreads.tolist(), strict=True))
    return CertifiedBox(radius, tuple(errors), relative, rho, len(groups.X), is_global, made)


def _rho(groups: Groups, theta: Floats, W: Floats, chances: Sequence[Floats], radius: float) -> float:
    """Return rho of the cube, in floats; infinite if it is not known."""
    t, y = groups.X @ theta, groups.X @ W
    reach = radius * np.abs(y).sum(axis=1)
    if not np.isfinite(t).all() or (np.abs(t) + reach).max() > 500:
        return float("inf")
    _, least, most = curvature_ranges(groups, chances, t, reach)
    middle = np.eye(len(theta)) + y.T @ (y * ((least + most) / 2)[:, None])
    width = np.abs(y).T @ ((most - least) / 2 * np.abs(y).sum(axis=1))
    return float((np.abs(middle).sum(axis=1) + width).max() * _SPARE)


def _gradient(groups: Groups, theta: Floats, W: Floats, mechanisms: Any) -> float:
    """Return a bound on the entries of ``W^T grad l(theta)``, by ball arithmetic."""
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
        for x, device, counts in zip(groups.X.tolist(), groups.device.tolist(), groups.counts.tolist(), strict=True):
            given = [ball(v) for v in x]
            t = sum((a * b for a, b in zip(given, point, strict=True)), arb(0))
            F = 1 / (1 + (-t).exp())
            slope = arb(0)
            for z, n in enumerate(counts):
                if n > 0:
                    at_0, at_1 = chances[device][z]
                    slope += ball(n) * (at_1 - at_0) * F * (1 - F) / (at_0 + (at_1 - at_0) * F)
            gradient = [g + slope * v for g, v in zip(gradient, given, strict=True)]
        turned = [sum((ball(w) * g for w, g in zip(column, gradient, strict=True)), arb(0)) for column in W.T.tolist()]
        return max(float(abs(g).upper()) for g in turned)


def _ball(value: Fraction, arb: Any) -> Any:
    return arb(value.numerator) / arb(value.denominator)
