r"""Existence of the maximum of a regression of randomized responses: a direction of recession, by a linear program.

Rows with equal covariates x and equal device form one group. The log-likelihood of a group,
``g(t) = sum_z n_z log(a_z0 (1 - F) + a_z1 F)``, is concave in F = F(t). There are three cases:

1. If its slope at F = 0 is at most 0, g is strictly decreasing in t.
2. If its slope at F = 1 is at least 0, g is strictly increasing in t.
3. Otherwise g has its maximum at a finite t.

Consider a vector v with ``x.v <= 0`` for decreasing groups, ``x.v >= 0`` for increasing groups and ``x.v = 0`` for the
others, where not all of these products are 0. Such a v is a direction of recession: from every point the likelihood
increases strictly along it, so it has no maximum. (Separation is the special case in which every group has one row.)

The linear program finds v; it is rounded to rationals and verified by exact arithmetic before it is reported.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rropt.core.errors import InfeasibleError, shown
from rropt.core.visible import with_noun
from rropt.regression.models import DeviceResponses, Floats, Ints

_LARGEST_DENOMINATOR = 1000
_NO_PROPORTION = 1e-12  # an estimated proportion up to this counts as 0: the logit of the group has no maximum
_READ_OTHERWISE = re.compile(r"[,;:=\"'`]|->|\.\.")  # signs of the grammar of recodings
_MOST_CELLS_NAMED = 5  # groups in a message
_MOST_CELLS = 20_000_000  # largest number of groups times columns of a linear program


def infinite_maximum(
    X: Floats, responses: DeviceResponses, weights: Floats, names: Sequence[str], references: Mapping[str, str]
) -> InfeasibleError | None:
    """Return the error for a logit or probit model whose likelihood is proved to increase along a direction.

    Args:
        X: the covariates.
        responses: the responses.
        weights: the weights of the rows.
        names: the names of the columns of X.
        references: the reference level of each factor.

    Returns:
        The error names the group or covariate, the reason and what to do; ``None`` if no direction is found.
    """
    weighted = "" if (weights == 1).all() else "weighted "
    X, device, counts = _grouped(X, responses, weights)
    if X.size > _MOST_CELLS:
        return None
    P = responses.matrices[device]
    signs = _signs(P, counts)
    v = _direction(X, signs)
    if v is None:
        return None
    step = np.array([float(x) for x in v])
    along = X @ step
    # what is left of terms that cancel is a rounding error of the direction
    along[np.abs(along) <= 1e-9 * (np.abs(X) @ np.abs(step))] = 0.0
    moving = along != 0
    where = _group(X, names, references, moving)
    kinds = np.unique(np.sign(along[moving]))
    if where and len(kinds) == 1:
        has, who = (1, "everybody") if kinds[0] > 0 else (0, "nobody")
        reason = (
            f"{where} has {counts[moving, 1].sum():.6g} yes among {counts[moving].sum():.6g} {weighted}responses, and "
            f"the device alone gives {counts[moving].sum(axis=1) @ P[moving, 1, has]:.6g} if {who} has the trait"
        )
    else:
        own = [name for name, value in zip(names, v, strict=True) if value and name != "Intercept"]
        reason = f"{shown(', '.join(own[:5]))} separates the responses"
    return InfeasibleError(
        f"the likelihood has no maximum: {reason}; it rises forever along the direction {direction_text(v, names)}; "
        "take `model=linear`, join levels, or leave columns out"
    )


def _group(X: Floats, names: Sequence[str], references: Mapping[str, str], moving: NDArray[np.bool_]) -> str:
    """Return the level of a factor that is equal to the moving groups; empty if there is none."""
    if moving.all():
        return "the sample"
    factors: dict[str, NDArray[np.bool_]] = {}
    for name, column in zip(names, X.T, strict=True):
        factor, mark, level = name.partition("[")
        if mark and ":" not in name:
            inside = column == 1
            if (inside == moving).all():
                return f"the group {factor} = {shown(level.removeprefix('T.').rstrip(']'))}"
            factors[factor] = factors.get(factor, np.zeros(len(inside), bool)) | inside
    left = [name for name, one in factors.items() if (one != moving).all()]
    return f"the group {left[0]} = {shown(references.get(left[0], 'reference level'))}" if left else ""


class LevelCell(NamedTuple):
    """The rows of one level of a factor, or of one combination of levels.

    Attributes:
        name: the level in words, such as ``sex = d``.
        column: the column of the first factor with three levels or more.
        level: its level.
        other: another level of this factor, with the most rows; empty if no factor has three.
        rows: the mask of its rows.
    """

    name: str
    column: str
    level: str
    other: str
    rows: NDArray[np.bool_]


def cells_without_information(
    cells: Sequence[LevelCell], responses: DeviceResponses, weights: Floats, categories: Sequence[str]
) -> str:
    """Return which cells give no proportion inside of (0, 1), with their rows and what to do; empty if none does.

    Args:
        cells: the levels, or combinations of levels.
        responses: the responses.
        weights: the weights of the rows.
        categories: the names of the categories.
    """
    found, joined = list[str](), list[str]()
    xhat, is_binary = responses.debiased(), responses.matrices.shape[1:] == (2, 2) and responses.matrices.any()
    weighted = "" if (weights == 1).all() else "weighted "
    for cell in cells:
        w = weights[cell.rows]
        means = w @ xhat[cell.rows] / w.sum()
        if (means > _NO_PROPORTION).all():
            continue
        if cell.other and not _READ_OTHERWISE.search(f"{cell.column}{cell.level}{cell.other}"):
            joined.append(f'`recode="{cell.column}: {cell.level} -> {cell.other}"`')
        rows = with_noun(len(w), "row")
        if is_binary:
            has, who = (0, "nobody") if means[1] <= _NO_PROPORTION else (1, "everybody")
            P, z = responses.matrices[responses.device[cell.rows]], responses.answer[cell.rows]
            found.append(
                f"the group {cell.name} has {w @ z:.6g} yes among {w.sum():.6g} {weighted}responses, and the device "
                f"alone gives {w @ P[:, 1, has]:.6g} if {who} has the trait" + f" ({rows})" * bool(weighted)
            )
        else:
            name, least = categories[int(np.argmin(means))], float(means.min())
            found.append(f"the group {cell.name}, {rows}, has the estimated proportion {least:.3g} of {shown(name)}")
    if not found:
        return ""
    more = f"; and {len(found) - _MOST_CELLS_NAMED} more" * (len(found) > _MOST_CELLS_NAMED)
    linear = "take `model=linear`, " * (len(categories) == 2)
    ways = ", ".join(dict.fromkeys(joined[:_MOST_CELLS_NAMED]))
    join = f"join levels, for example {ways}, " if ways else ""
    return (
        f"{'; '.join(found[:_MOST_CELLS_NAMED])}{more}; {linear}{join}leave the rows out "
        "(`where`), or leave the column out"
    )


def _grouped(X: Floats, responses: DeviceResponses, weights: Floats) -> tuple[Floats, Ints, Floats]:
    """Return the groups of the rows that have equal covariates and equal device.

    Returns:
        The covariates of each group, its device, and the total weight of each response, shape (groups, m).
    """
    keys = np.column_stack([X, responses.device])
    _, first, inverse = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    m = responses.matrices.shape[1]
    counts = np.bincount(inverse.ravel() * m + responses.answer, weights, len(first) * m)
    return X[first], responses.device[first], counts.reshape(-1, m).astype(np.float64)


def _signs(P: Floats, counts: Floats) -> Ints:
    """Return 1 for each group whose log-likelihood increases in t, -1 if it decreases, 0 if it has a maximum.

    Slopes are compared with 0 up to a relative rounding tolerance; a slope of 0 at F = 0 counts as decreasing.

    Args:
        P: the matrix of the device of each group.
        counts: the total weight of each response.
    """
    step = counts * (P[:, :, 1] - P[:, :, 0])

    def slope(at: Floats) -> Floats:
        with np.errstate(divide="ignore", invalid="ignore"):
            each = np.where(step != 0, step / at, 0.0)
        total = each.sum(axis=1)
        # what is left of terms that cancel is a rounding error
        is_zero = np.isfinite(total) & (np.abs(total) <= 1e-13 * np.abs(each).sum(axis=1))
        return np.where(is_zero, 0.0, total)

    low, high = slope(P[:, :, 0]), slope(P[:, :, 1])
    return np.where(low <= 0, -1, np.where(high >= 0, 1, 0))


def _direction(X: Floats, signs: Ints) -> tuple[Fraction, ...] | None:
    """Return a direction along which the likelihood increases, by a linear program over v in [-1, 1]^p."""
    from scipy.optimize import linprog

    moving = signs != 0
    if not moving.any():
        return None
    S = X * np.where(moving, signs, 1)[:, None]
    scale = np.maximum(np.abs(S).max(axis=0), 1e-300)
    constant = (S[0] == S).all(axis=0) & (S[0] != 0) & moving.all()
    if constant.any():  # all groups increase, or all decrease
        return _exact(np.where(np.arange(len(scale)) == np.argmax(constant), S[0], 0.0) / scale, S, S[:0])
    found = linprog(
        -S[moving].sum(axis=0) / scale,
        A_ub=-S[moving] / scale,
        b_ub=np.zeros(int(moving.sum())),
        A_eq=S[~moving] / scale,
        b_eq=np.zeros(int((~moving).sum())),
        bounds=[(-1, 1)] * len(scale),
        method="highs",
    )
    # 1e-7 is the feasibility of HiGHS; the direction is then judged in fractions
    return _exact(found.x / scale, S[moving], S[~moving]) if found.status == 0 and found.fun < -1e-7 else None


def _exact(v: Floats, at_least: Floats, equal: Floats) -> tuple[Fraction, ...] | None:
    """Round v to rationals with ``at_least v >= 0``, some entry positive, and ``equal v = 0``, or return ``None``.

    Floats are rationals, so the covariates are used without rounding.
    """
    largest = float(np.abs(v).max())
    for bound in (1, 12, 100, _LARGEST_DENOMINATOR, 10**6):
        near = tuple(Fraction(float(x) / largest).limit_denominator(bound) for x in v)
        moves, still = (
            [sum((Fraction(x) * y for x, y in zip(row, near, strict=True) if y), Fraction(0)) for row in rows.tolist()]
            for rows in (at_least, equal)
        )
        if any(moves) and min(moves) >= 0 and not any(still):
            return near
    return None


def direction_text(direction: Sequence[Fraction] | Floats, names: Sequence[str]) -> str:
    """Format a direction for output, as in ``+1 region[T.north], -2 age``; zeros are omitted."""
    parts = [
        f"{'+' if value > 0 else '-'}{f'{abs(float(value)):.4g}'} {name}"
        for value, name in zip(direction, names, strict=True)
        if value
    ]
    return ", ".join(parts[:10]) + (", ..." if len(parts) > 10 else "")
