r"""A box that is proved to hold one maximum of the log-likelihood: proposed by ball arithmetic (Arb), then certified.

Let theta be the end of the search, W with ``W^T A W`` near the identity, A the observed information, and
``G(u) = W^T grad l(theta + W u)``. On the cube of radius r (in standard errors, in the coordinates u) let every entry
of ``I + W^T Hess l W`` be enclosed, and let rho bound the largest row sum of their absolute values. If ``rho < 1`` and
``max |G(0)| <= (1 - rho) r``, then ``u -> u + G(u)`` is a contraction of the cube into itself: there is exactly one
stationary point in it (Banach). Since all eigenvalues of ``W^T Hess l W`` are at most ``rho - 1 < 0`` there, the
log-likelihood is strictly concave on the cube and the point is its only maximum. It lies within
``|W| max |G(0)| / (1 - rho)`` of theta, coefficient by coefficient.

Covariates, weights and coefficients are floats, taken as their shortest decimals; devices are exact. The checker verifies
the box by another enclosure of the second derivatives (rule 35). The proof says nothing of maxima elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from rropt.core.certificates.record import Certificate
from rropt.core.results import Result, says
from rropt.survey.regression.certificates import certify_box, exact
from rropt.survey.regression.existence import Groups
from rropt.survey.regression.families import Floats
from rropt.survey.regression.likelihoods import Responses

_RADII = (0.05, 0.02, 0.005, 1e-3)  # in standard errors; the first that is proved
_BITS = 200
_SPARE = 1 + 1e-6  # by which errors are larger than ball arithmetic proves: the checker encloses otherwise
MOST_CELLS = 200_000  # distinct rows times columns squared: beyond it a proof takes more than a second


@dataclass(frozen=True, slots=True)
class CertifiedBox(Result):
    """A box that holds exactly one maximum.

    Attributes:
        radius: of the cube, in standard errors, in coordinates in which the information is the identity.
        errors: how far the maximum is from the printed coefficients at most, by name.
        largest_error: the largest of these over the standard error.
        contraction: rho; below 1.
        rows: distinct rows.
        certificate: that the checker has accepted; it holds all rows, and does not stand in JSON.
    """

    radius: float
    errors: tuple[float, ...]
    largest_error: float
    contraction: float
    rows: int
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
    from flint import arb, ctx

    groups = Groups.of(X, responses, weights)
    if groups.X.shape[0] * X.shape[1] ** 2 > MOST_CELLS:
        return None
    before = ctx.prec
    ctx.prec = _BITS
    try:
        rows = _rows(groups, theta, W, mechanisms, arb)
        for radius in _RADII:
            found = _proved(rows, radius, len(theta), arb)
            if found is not None:
                rho, gradient = found
                reach = gradient / (1 - rho)
                errors = [float(up) for up in (np.abs(W).sum(axis=1) * reach * _SPARE)]
                longest = np.maximum(np.abs(W).max(axis=1), 1e-300)
                spreads = longest * np.sqrt(((W / longest[:, None]) ** 2).sum(axis=1))
                relative = max(e / s for e, s in zip(errors, spreads.tolist(), strict=True))
                made = certify_box(theta, W, groups, mechanisms, radius, errors)
                if made is not None:
                    return CertifiedBox(radius, tuple(errors), relative, rho, len(rows), made)
    finally:
        ctx.prec = before
    return None


def _rows(groups: Groups, theta: Floats, W: Floats, mechanisms: Any, arb: Any) -> list[Any]:
    """Return for each distinct row t, y = W^T x, the reach of t per unit of the radius, and its responses."""
    chances = [[[_ball(p, arb) for p in row] for row in matrix] for matrix in mechanisms]
    point = [_ball(exact(b), arb) for b in theta]
    turned = [[_ball(exact(w), arb) for w in column] for column in W.T]
    rows = []
    seen: dict[float, Any] = {}
    for x, device, counts in zip(groups.X.tolist(), groups.device.tolist(), groups.counts.tolist(), strict=True):
        for v in {*x, *counts} - seen.keys():
            seen[v] = _ball(exact(v), arb)
        given = [seen[v] for v in x]
        t = sum((a * b for a, b in zip(given, point, strict=True)), arb(0))
        y = [sum((a * b for a, b in zip(given, column, strict=True)), arb(0)) for column in turned]
        reach = sum((abs(v) for v in y), arb(0))
        own = [(seen[n], *chances[device][z]) for z, n in enumerate(counts) if n > 0]
        rows.append((t, y, reach, own))
    return rows


def _ball(value: Fraction, arb: Any) -> Any:
    return arb(value.numerator) / arb(value.denominator)


def _proved(rows: Sequence[Any], radius: float, p: int, arb: Any) -> tuple[float, float] | None:
    """Return rho and the largest entry of the gradient, where the contraction is proved."""
    gradient = [arb(0)] * p
    hessian = [[arb(0)] * p for _ in range(p)]
    for t, y, reach, responses in rows:
        slope, _ = _slopes(t, responses, arb)
        wide = t + reach * arb(0, radius)
        _, bend = _slopes(wide, responses, arb)
        for j in range(p):
            gradient[j] = gradient[j] + slope * y[j]
            scaled = bend * y[j]
            row = hessian[j]
            for k in range(j, p):
                row[k] = row[k] + scaled * y[k]
    for j in range(p):
        for k in range(j):
            hessian[j][k] = hessian[k][j]
    sums = []
    for j in range(p):
        own = [abs(hessian[j][k] + (1 if j == k else 0)) for k in range(p)]
        sums.append(sum(own, arb(0)))
    rho = max(_above(total) for total in sums)
    size = max(_above(abs(g)) for g in gradient)
    return (rho, size) if rho < 1 and size <= (1 - rho) * radius * (1 - 1e-12) else None


def _above(ball: Any) -> float:
    """Return a float that is at least everything in a ball."""
    value = float(ball.upper())
    return float(np.nextafter(value, np.inf)) if np.isfinite(value) else float("inf")


def _slopes(t: Any, responses: Sequence[Any], arb: Any) -> tuple[Any, Any]:
    """Return the first two derivatives of the log-likelihood of a row to t."""
    F = 1 / (1 + (-t).exp())
    f = F * (1 - F)
    bend = f * (1 - 2 * F)
    first, second = arb(0), arb(0)
    for n, at_0, at_1 in responses:
        d = at_1 - at_0
        chance = at_0 + d * F
        ratio = d * f / chance
        first = first + n * ratio
        second = second + n * (d * bend / chance - ratio * ratio)
    return first, second
