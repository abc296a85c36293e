"""Floating-point ranges of the derivatives of regression rows, which rules 35 and 39 of the checker enclose.

They propose the radius of a box and the cells of a cover; the checker decides. The formulas are on the page
regression_rules.md. They are evaluated for all rows of a mechanism at once.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rropt.survey.regression.existence import Groups
from rropt.survey.regression.families import Floats, link

Range = tuple[Floats, Floats]


def factors(model: str, X: Floats, categories: int, effects: int = 0) -> Floats:
    """Return the factors of the coefficients in the linear predictors, shape (n, q, p).

    Args:
        model: the regression model; for a randomized covariate, ``covariate-`` and the model of the outcome.
        X: the covariates, shape (n, columns); for a randomized covariate its effects are the last columns.
        categories: the number k of categories.
        effects: the number of columns of X that are effects.
    """
    n, q = len(X), categories - 1
    if model == "multinomial":
        blocks: Floats = np.einsum("jl,nc->njlc", np.eye(q), X).reshape(n, q, -1)
        return blocks
    if model.startswith("ordinal"):
        return np.concatenate([-np.repeat(X[:, None], q, axis=1), np.tile(np.eye(q), (n, 1, 1))], axis=2)
    if model.startswith("covariate"):
        x, e = X[:, : X.shape[1] - effects], X[:, X.shape[1] - effects :]
        zero, none = np.zeros_like(x), np.zeros_like(e)
        return np.stack([np.hstack([zero, none, x]), np.hstack([x, none, zero]), np.hstack([x, e, zero])], axis=1)
    return X[:, None]


def curvature_ranges(
    model: str, groups: Groups, chances: Sequence[Floats], t: Floats, reach: Floats
) -> tuple[Floats, Floats, Floats]:
    """Return the gradient of each row in its predictors, and ranges of its second derivatives.

    Args:
        model, groups, chances: the model, the rows and the matrices of the devices.
        t, reach: centers and half-widths of the ranges of the predictors, shape (n, q).

    Returns:
        The gradient at t, shape (n, q), and lower and upper bounds of the second derivatives, shape (n, q, q). Entries
        are not finite if no bound is known.
    """
    with np.errstate(all="ignore"):  # for large predictors, values can be infinite or undefined
        return _all_ranges(model, groups, chances, t, reach)


def _all_ranges(
    model: str, groups: Groups, chances: Sequence[Floats], t: Floats, reach: Floats
) -> tuple[Floats, Floats, Floats]:
    """Return the result of ``curvature_ranges``, without its handling of floating-point warnings."""
    n, q = t.shape
    slope, least, most = np.zeros((n, q)), np.zeros((n, q, q)), np.zeros((n, q, q))
    for device, matrix in enumerate(chances):
        own = groups.device == device
        if not own.any():
            continue
        counts = groups.counts[own]
        if model == "linear":
            total = counts.sum(axis=1)
            slope[own, 0] = (
                counts[:, :2] @ (([0, 1] - matrix[1, 0]) / (matrix[1, 1] - matrix[1, 0])) - total * t[own, 0]
            )
            least[own, 0, 0] = most[own, 0, 0] = -total
            continue
        parts = _ratios if model in ("logit", "multinomial") else _intervals
        rows = [(row, counts[:, z]) for z, row in enumerate(matrix) if counts[:, z].any()]
        if parts is _ratios:
            rows.append((np.ones(q + 1), -counts.sum(axis=1)))
        for row, weight in rows:
            first, low, high = parts(model, row, t[own], reach[own])
            w = weight[:, None, None]
            slope[own] += weight[:, None] * first
            least[own] += np.where(w != 0, w * np.where(w >= 0, low, high), 0)
            most[own] += np.where(w != 0, w * np.where(w >= 0, high, low), 0)
    return slope, least, most


def _curved(t: Floats) -> Floats:
    """Return the derivative of the logistic function."""
    falling = np.exp(-np.abs(t))
    found: Floats = falling / (1 + falling) ** 2
    return found


def _ratios(model: str, row: Floats, t: Floats, reach: Floats) -> tuple[Floats, Floats, Floats]:
    """Return gradient and second-derivative ranges of ``log sum_x M_x e^t_x``, with t_0 = 0."""
    n, q = t.shape
    zero = np.zeros((n, 1))
    here, low, high = (np.hstack([zero, end]) for end in (t, t - reach, t + reach))
    f, f_low, f_high = (np.zeros((n, q)) for _ in range(3))
    least, most = np.zeros((n, q, q)), np.zeros((n, q, q))
    logs = np.log(row)
    for j in range(1, q + 1):
        if row[j] == 0:
            continue
        others = [x for x in range(q + 1) if x != j]

        def odds(up: Floats, down: Floats, others: list[int] = others, j: int = j) -> Floats:
            found: Floats = np.logaddexp.reduce(logs[others] + up[:, others], axis=1) - logs[j] - down[:, j]
            return found

        middle, small, large = odds(here, here), odds(low, high), odds(high, low)
        f[:, j - 1], f_low[:, j - 1], f_high[:, j - 1] = (link("logit", -v)[0] for v in (middle, large, small))
        ends = _curved(small), _curved(large)
        least[:, j - 1, j - 1] = np.minimum(*ends)
        most[:, j - 1, j - 1] = np.where((small <= 0) & (large >= 0), 0.25, np.maximum(*ends))
    for j in range(q):
        for i in range(j):
            least[:, i, j] = least[:, j, i] = -f_high[:, i] * f_high[:, j]
            most[:, i, j] = most[:, j, i] = -f_low[:, i] * f_low[:, j]
    return f, least, most


def _times(a: Range, b: Range) -> Range:
    products = np.stack([a[i] * b[j] for i in (0, 1) for j in (0, 1)])
    return products.min(axis=0), products.max(axis=0)


def _scaled(c: float, a: Range) -> Range:
    return (c * a[0], c * a[1]) if c >= 0 else (c * a[1], c * a[0])


def _plus(a: Range, b: Range) -> Range:
    return a[0] + b[0], a[1] + b[1]


def _minus(a: Range) -> Range:
    return -a[1], -a[0]


def _ranges(name: str, t: Floats, reach: Floats) -> tuple[Range, Range, Range]:
    """Return the ranges of F, f and f' of a link on [t - reach, t + reach]."""
    (F_low, f_low, _), (F_high, f_high, _) = link(name, t - reach), link(name, t + reach)
    top = float(link(name, np.zeros(1))[1][0])
    crossing = np.abs(t) < reach
    f = np.minimum(f_low, f_high), np.where(crossing, top, np.maximum(f_low, f_high))
    factor = (-t - reach, -t + reach) if name == "probit" else (1 - 2 * F_high, 1 - 2 * F_low)
    return (F_low, F_high), f, _times(factor, f)


def _intervals(model: str, row: Floats, t: Floats, reach: Floats) -> tuple[Floats, Floats, Floats]:
    """Return gradient and second-derivative ranges of log P, where P is linear in each distribution function."""
    first, _ = _relative(model, row, t, np.zeros_like(t))
    _, second = _relative(model, row, t, reach)
    slope = np.stack([0.5 * (low + high) for low, high in first], axis=1)
    q = t.shape[1]
    least = np.stack([np.stack([second[j][i][0] for i in range(q)], axis=1) for j in range(q)], axis=1)
    most = np.stack([np.stack([second[j][i][1] for i in range(q)], axis=1) for j in range(q)], axis=1)
    return slope, least, most


def _relative(model: str, row: Floats, t: Floats, reach: Floats) -> tuple[list[Range], list[list[Range]]]:
    """Return ranges of the gradient and of the second derivatives of ln P."""
    q, zero = t.shape[1], np.zeros(len(t))
    name = "probit" if model.endswith("probit") else "logit"
    is_covariate = model.startswith("covariate")
    links = ["logit", name, name] if is_covariate else [name] * q
    parts = [_ranges(one, t[:, j], reach[:, j]) for j, one in enumerate(links)]
    second: list[list[Range]] = [[(zero, zero)] * q for _ in range(q)]
    if is_covariate:
        (F, f, bend), low, high = parts
        a, b, c, d = row.tolist()
        A, B = (
            _plus((zero + base, zero + base), _scaled(step, part[0]))
            for base, step, part in ((a, b - a, low), (c, d - c, high))
        )
        step, no = _plus(B, _minus(A)), (1 - F[1], 1 - F[0])
        first = [_times(f, step), _times(no, _scaled(b - a, low[1])), _times(F, _scaled(d - c, high[1]))]
        second[0][0] = _times(bend, step)
        second[1][0] = _minus(_times(f, _scaled(b - a, low[1])))
        second[2][0] = _times(f, _scaled(d - c, high[1]))
        second[1][1] = _times(no, _scaled(b - a, low[2]))
        second[2][2] = _times(F, _scaled(d - c, high[2]))
        P = (
            np.minimum(*((1 - end) * A[0] + end * B[0] for end in F)),
            np.maximum(*((1 - end) * A[1] + end * B[1] for end in F)),
        )
    else:
        steps = np.diff(row) if model == "probit" else -np.diff(row)
        base = float(row[0] if model == "probit" else row[-1])
        P = zero + base, zero + base
        for step, part in zip(steps.tolist(), parts, strict=True):
            P = _plus(P, _scaled(step, part[0]))
        first = [_scaled(step, part[1]) for step, part in zip(steps.tolist(), parts, strict=True)]
        for j, (step, part) in enumerate(zip(steps.tolist(), parts, strict=True)):
            second[j][j] = _scaled(step, part[2])
    inverse = 1 / np.where(P[1] > 0, P[1], np.nan), 1 / np.where(P[0] > 0, P[0], np.nan)
    relative = [_times(one, inverse) for one in first]
    for j in range(q):
        for i in range(j + 1):
            curve = _plus(_times(second[j][i], inverse), _minus(_times(relative[j], relative[i])))
            second[j][i] = second[i][j] = curve
    return relative, second
