r"""Whether a regression of randomized responses has a maximum: directions of recession, by one linear program.

**Likelihood.** Rows with equal covariates x and equal device are one group, whose log-likelihood
``g(t) = sum_z n_z log(a_z0 (1 - F) + a_z1 F)`` is concave in F = F(t). If its slope at F = 0 is at most 0 it falls
strictly in t, if that at F = 1 is at least 0 it rises strictly, else its maximum is at a finite t. A direction v with
``x.v <= 0`` for falling groups, ``x.v >= 0`` for rising ones and ``x.v = 0`` for the others, not all 0, is a direction
of recession: from every point the likelihood rises strictly along it, so that it has no maximum. (Separation is the
special case of groups of one row.)

**Corrected loss.** It is convex with strictly convex summands, so that it has a minimum iff no v with X v not 0 has
``sum_i w_i (max(0, x_i.v) - xhat_i x_i.v) <= 0``.

Both are linear programs in v. A direction is rounded to rationals and verified by exact arithmetic before it is
reported.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from rropt.survey.regression.families import Floats
from rropt.survey.regression.likelihoods import Responses

Ints = NDArray[np.int64]
_LARGEST_DENOMINATOR = 1000
_MOST_CELLS = 20_000_000  # groups times columns of a program


@dataclass(frozen=True, slots=True)
class Groups:
    """Rows that have covariates and device in common.

    Attributes:
        X: their covariates, shape (groups, p).
        device: of each.
        counts: the weight of each response, shape (groups, m).
    """

    X: Floats
    device: Ints
    counts: Floats

    @classmethod
    def of(cls, X: Floats, responses: Responses, weights: Floats) -> Groups:
        """Return the groups of rows of positive weight."""
        used = weights > 0
        keys = np.ascontiguousarray(np.column_stack([X[used], responses.device[used]]))
        _, first, inverse = np.unique(
            keys.view([("", keys.dtype)] * keys.shape[1]).ravel(), return_index=True, return_inverse=True
        )
        m = responses.matrices.shape[1]
        counts = np.bincount(inverse.ravel() * m + responses.answer[used], weights[used], len(first) * m)
        return cls(X[used][first], responses.device[used][first], counts.reshape(-1, m).astype(np.float64))

    def signs(self, responses: Responses) -> Ints:
        """Return for each group 1 where its log-likelihood rises in t, -1 where it falls, 0 where it has a maximum.

        Slopes are decided with a relative tolerance of rounding: a proportion of exactly ``c`` counts as falling.
        """
        P = responses.matrices[self.device]
        step = P[:, :, 1] - P[:, :, 0]
        size = np.abs(step) * self.counts

        def slope(at: Floats) -> Floats:
            with np.errstate(divide="ignore", invalid="ignore"):
                each = np.where(self.counts * step != 0, self.counts * step / at, 0.0)
                noise = np.where(size != 0, size / at, 0.0).sum(axis=1) * 1e-13
            total = each.sum(axis=1)
            return np.where(np.isfinite(total), np.where(np.abs(total) <= noise, 0.0, total), total)

        low, high = slope(P[:, :, 0]), slope(P[:, :, 1])
        signs = np.zeros(len(self.X), np.int64)
        signs[high >= 0], signs[low <= 0] = 1, -1
        return signs


def likelihood_direction(X: Floats, responses: Responses, weights: Floats) -> tuple[Fraction, ...] | None:
    """Return a direction along which the likelihood of a logit or probit model rises forever; ``None``: none found."""
    groups = Groups.of(X, responses, weights)
    if groups.X.size > _MOST_CELLS:
        return None
    signs = groups.signs(responses)
    moving = signs != 0
    if not moving.any():
        return None
    S = groups.X * np.where(moving, signs, 1)[:, None]
    scale = np.maximum(np.abs(S).max(axis=0), 1e-300)
    found = _solved(-S[moving].sum(axis=0) / scale, S[moving] / scale, S[~moving] / scale)
    if found is None:
        return None
    return _exact(found / scale, S[moving], S[~moving])


def _solved(cost: Floats, at_least: Floats, equal: Floats) -> Floats | None:
    """Return v in [-1, 1]^p of least cost with ``at_least v >= 0`` and ``equal v = 0``; ``None`` where it is 0."""
    from scipy.optimize import linprog

    found = linprog(
        cost,
        A_ub=-at_least,
        b_ub=np.zeros(len(at_least)),
        A_eq=equal if len(equal) else None,
        b_eq=np.zeros(len(equal)) if len(equal) else None,
        bounds=[(-1, 1)] * len(cost),
        method="highs",
    )
    return found.x if found.status == 0 and found.fun < -1e-7 else None


def _exact(v: Floats, at_least: Floats, equal: Floats) -> tuple[Fraction, ...] | None:
    """Return the direction as rationals that meet the conditions exactly; ``None`` where rounding does not find them.

    Floats are rationals, so that the covariates are taken as they are.
    """
    largest = float(np.abs(v).max())
    for bound in (1, 12, 100, _LARGEST_DENOMINATOR, 10**6):
        near = tuple(Fraction(float(x) / largest).limit_denominator(bound) for x in v)
        if any(near) and is_direction(near, at_least, equal):
            return near
    return None


def is_direction(v: Sequence[Fraction], at_least: Floats, equal: Floats) -> bool:
    """Return whether ``at_least v >= 0``, not all 0, and ``equal v = 0``, exactly."""

    def products(rows: Floats) -> list[Fraction]:
        return [sum((Fraction(x) * y for x, y in zip(row, v, strict=True) if y), Fraction(0)) for row in rows.tolist()]

    rising = products(at_least)
    return min(rising, default=Fraction(0)) >= 0 and any(rising) and not any(products(equal))


def corrected_direction(X: Floats, xhat: Floats, weights: Floats) -> Floats | None:
    """Return a direction along which the corrected loss never rises; ``None``: there is none.

    The program: minimise ``sum w (u - xhat x.v)`` over ``u >= x.v``, u >= 0, v in [-1, 1]^p, over distinct rows.
    """
    from scipy.optimize import linprog
    from scipy.sparse import csr_matrix, hstack, identity

    used = weights > 0
    rows, inverse = np.unique(X[used], axis=0, return_inverse=True)
    w = np.bincount(inverse.ravel(), weights[used])
    pull = np.bincount(inverse.ravel(), weights[used] * xhat[used])
    if rows.size > _MOST_CELLS:
        return None
    scale = np.maximum(np.abs(rows).max(axis=0), 1e-300)
    A = rows / scale
    n, p = A.shape
    cost = np.concatenate([-(pull @ A), w]) / w.sum()
    found = linprog(
        cost,
        A_ub=hstack([csr_matrix(A), -identity(n)]),
        b_ub=np.zeros(n),
        bounds=[(-1, 1)] * p + [(0, None)] * n,
        method="highs",
    )
    if found.status != 0 or found.fun > -1e-9:
        return None
    v: Floats = found.x[:p] / scale
    longest: Floats = v / np.abs(v).max()
    return longest


def direction_text(direction: Sequence[Fraction] | Floats, names: Sequence[str]) -> str:
    """Return a direction for people: ``+1 region[T.north], -2 age``; what is 0 is left out."""
    parts = [
        f"{'+' if value > 0 else '-'}{f'{abs(float(value)):.4g}'} {name}"
        for value, name in zip(direction, names, strict=True)
        if abs(float(value)) > 1e-6
    ]
    return ", ".join(parts[:10]) + (", ..." if len(parts) > 10 else "")
