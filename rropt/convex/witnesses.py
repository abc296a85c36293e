"""A design of the Fisher information in floats, with prices that prove a bound of it (``core.results.guesses``).

The weights come from the program of the problem (``designs/problem.py``), and the least favourable distribution from
its dual solution. The prices solve a second program, the dual one at that distribution q. Rows are divided by ``r.q``,
and l_r is the part of a row on contrasts, ``U^T r``:

    maximize 2 tr X^T K - eta - delta sum z,   |K^T l_r|^2 <= eta + v.l_r + sum_jl z_jl (r_j - gamma r_l)+.

Under several levels z has a price for each level and pair.

Then ``G = U K`` and ``y = eta q + U v`` with ``sum y = eta``. For E-optimality ``K K^T`` is a matrix of trace 1, and
for D-optimality it is the inverse of the information: the prices then solve a linear program.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cvxpy as cp
import numpy as np

from rropt.convex.objectives.a_c_contrasts import targets
from rropt.convex.polytopes import vertices_of
from rropt.convex.posing import INACCURATE, solve
from rropt.convex.regions import Array, Rows, contrasts, numbers, scaled
from rropt.core.errors import UnsupportedProblemError
from rropt.core.results.guesses import Exponents, Guess

_LEAST_WEIGHT = 1e-9  # of a row, relative to the largest one
_SUPPORT = 1e-5  # of a weight and a slack, relative to the largest weight and to delta
_SMALL = 1e-3  # of a weight relative to the largest one, which may be an error of the solver
_REGULAR = 1e10  # condition number of an information that is inverted
_NEWTON_STEPS, _CONVERGED = 8, 1e-15


def of_posed(problem: Any, own: Any) -> Guess:
    """Return the design and the prices of a problem that has been posed and solved.

    Raises:
        UnsupportedProblemError: it has no program over weights of rows, or a solver failed.
    """
    rows = own.rows
    if not isinstance(rows, Rows) or not rows.has_names:
        raise UnsupportedProblemError("prices are computed for privacy levels and any number of outputs")
    objective = problem.to_dict()["objective"]
    weights = np.maximum(np.asarray(rows.weights.value), 0.0)
    mixture, at = _prior(problem, objective, own)
    if len(mixture) == 1 and problem.populations is None:
        return guess(objective, rows, weights, mixture, at)
    estimates, centre = _estimators(objective, own, weights, problem)
    return guess(objective, rows, weights, mixture, at, estimates, centre)


def guess(
    objective: dict[str, Any],
    rows: Rows,
    weights: Array,
    mixture: Array,
    prior: Array,
    estimates: Array | None = None,
    centre: Sequence[float] = (),
) -> Guess:
    """Return the prices of a design at a distribution.

    Args:
        objective: the objective as JSON.
        rows: the rows.
        weights: their weights.
        mixture: the distribution as a mixture of the vertices, or of the categories.
        prior: the distribution.
        estimates: the estimates of each row, for the worst case.
        centre: the tangent point of the worst case over a polytope.
    """
    weights = _with_sums(rows.rows, weights)
    polished = _polished(objective, rows, weights, prior)
    directions, prices, pair_prices = prices_of(objective, rows, polished, prior)
    if estimates is None:
        weights = polished
    kept = np.flatnonzero(weights > _LEAST_WEIGHT * weights.max())
    exponents, sizes = zip(*(_named(rows, int(i)) for i in kept), strict=True)
    return Guess(
        list(exponents),
        [float(weights[i] * size) for i, size in zip(kept, sizes, strict=True)],
        [float(x) for x in mixture],
        directions.tolist(),
        prices.tolist(),
        () if estimates is None else estimates[kept].tolist(),
        centre,
        pair_prices,
    )


def _with_sums(listed: Array, weights: Array) -> Array:
    """Return the weights after the relatively smallest change by which the columns sum to 1."""
    for _ in range(2):  # the second step takes away the rounding of the first
        change = np.linalg.lstsq((listed * weights[:, None]).T, 1 - listed.T @ weights, rcond=None)[0]
        if abs(change).max() >= 1:
            return weights
        weights = weights * (1 + change)
    return weights


def _polished(objective: dict[str, Any], rows: Rows, weights: Array, prior: Array) -> Array:
    """Return the weights after Newton's method on their support, of D-optimality and sums of variances.

    Prices that prove a bound have an error of the first order in that of the weights, and solvers of cones stop at
    about 1e-7. The rows with weight and the tight pairs stay: ``F(M(w))`` is minimized subject to linear equations. A
    row of small weight may have none at the optimum: it is left out if its weight would become negative.
    """
    kind = objective["kind"]
    if kind == "e-optimal":
        return weights
    kept = np.flatnonzero(weights > _SUPPORT * weights.max())
    while True:
        found = _newton(objective, rows, weights, prior, kept)
        if found is None:
            return weights
        is_negative = found < 0
        if not is_negative.any():
            break
        if weights[kept][is_negative].max() > _SMALL * weights.max():
            return weights
        kept = kept[~is_negative]
    polished = np.zeros_like(weights)
    polished[kept] = found
    return polished


def _newton(objective: dict[str, Any], rows: Rows, weights: Array, prior: Array, kept: Array) -> Array | None:
    """Return the weights of some rows after Newton's method, or the first ones that are not all positive.

    ``None`` if the information is close to a singular one.
    """
    kind, k = objective["kind"], len(prior)
    listed, w = rows.rows[kept], weights[kept]
    equations, sides = listed.T, np.ones(k)
    slacks, use = np.array([slack for _, _, slack in rows.pairs()]), rows.excesses(listed).T
    tight = slacks - use @ w < _SUPPORT * slacks
    equations, sides = np.vstack([equations, use[tight]]), np.concatenate([sides, slacks[tight]])
    own = listed / np.sqrt(listed @ prior)[:, None]
    C = np.eye(k) if kind == "d-optimal" else _lines_of_targets(objective, k)
    count = len(equations)
    for _ in range(_NEWTON_STEPS):
        information = (own * w[:, None]).T @ own
        if np.linalg.cond(information) > _REGULAR:
            return None
        inverse = np.linalg.inv(information)
        cross = own @ inverse @ own.T
        if kind == "d-optimal":
            slope, curve = -np.diag(cross), cross**2
        else:
            half = own @ inverse @ C.T
            slope, curve = -(half**2).sum(1), 2 * cross * (half @ half.T)
        unit = abs(curve).max()  # near gamma = 1 it is 10^9, and the equations would count as rounding
        system = np.block([[curve / unit, equations.T], [equations, np.zeros((count, count))]])
        right = np.concatenate([-slope / unit, sides - equations @ w])
        step = np.linalg.lstsq(system, right, rcond=1e-13)[0][: len(w)]
        if not np.isfinite(step).all():
            return None
        w = w + step
        if w.min() < 0 or abs(step).max() < _CONVERGED * w.max():
            break
    return w


def _lines_of_targets(objective: dict[str, Any], k: int) -> Array:
    if objective["kind"] == "conditional-variance":
        return np.array([numbers(objective["contrast"])])
    return targets(objective, k)


def _named(rows: Rows, place: int) -> tuple[Any, float]:
    """Return the exponents of a row, and by what the row that they name is multiplied."""
    if rows.powers is None:
        own = rows.names[place]
        gammas = [float(level.gamma.value) for level in rows.limits.levels]
        top = max(float(np.prod([g**e for g, e in zip(gammas, x, strict=True)])) for x in own if x is not None)
        return own, float(rows.rows[place].max()) / top
    found = _exponents(np.asarray(rows.powers)[place])
    gamma = float(rows.limits.levels[0].gamma.value)
    return found, float(rows.rows[place].max()) * gamma ** -max(x for x in found if x is not None)


def _exponents(powers: Array) -> Exponents:
    least = powers[np.isfinite(powers)].min()
    return tuple(int(x - least) if np.isfinite(x) else None for x in powers)


def _prior(problem: Any, objective: dict[str, Any], own: Any) -> tuple[Array, Array]:
    """Return the least favourable distribution, as a mixture of corners and as proportions."""
    if problem.populations is None and objective["kind"] != "conditional-variance":
        return np.ones(1), np.array(numbers(problem.population))
    k = problem.region.inputs
    corners = np.eye(k)
    if problem.populations is not None:
        corners = vertices_of(problem.to_dict()["population"], k)
    mixture = mixture_of(own)
    if len(mixture) != len(corners):
        raise UnsupportedProblemError(INACCURATE)
    return mixture, mixture @ corners


def mixture_of(own: Any) -> Array:
    """Return the least favourable distribution as weights of vertices or categories, from the dual solution."""
    (worst,) = (each for each in own.goal.conditions if isinstance(each, cp.constraints.Inequality))
    mixture = np.maximum(np.asarray(worst.dual_value, dtype=float).ravel(), 0.0)
    if not mixture.sum() > 0:
        raise UnsupportedProblemError(INACCURATE)
    return np.asarray(mixture / mixture.sum())


def _estimators(objective: dict[str, Any], own: Any, weights: Array, problem: Any) -> tuple[Array, list[float]]:
    """Return the estimates of each row, shape (n, q), and the tangent point, from the solved program."""
    variables = own.scaled.var_dict
    with np.errstate(divide="ignore", invalid="ignore"):
        if problem.populations is None:
            given = np.array(numbers(objective["contrast"]))
            size = np.sqrt(float(getattr(own.goal.unit, "value", own.goal.unit)))
            found = (given.max() + given.min()) / 2 + size * variables["sums"].value / weights
            return np.where(weights > 0, found, 0.0)[:, None], []
        vertices = vertices_of(problem.to_dict()["population"], problem.region.inputs)
        middle = (vertices @ targets(objective, vertices.shape[1]).T).mean(0)
        found = variables["estimates"].value / weights[:, None] + middle
        return np.where(weights[:, None] > 0, found, 0.0), (middle + variables["centre"].value).tolist()


def prices_of(objective: dict[str, Any], rows: Rows, weights: Array, prior: Array) -> tuple[Array, Array, Any]:
    """Return G, y, and z by pair."""
    listed = rows.rows
    k = listed.shape[1]
    basis = contrasts(k)
    chances = listed @ prior
    if chances.min() <= 0:
        raise UnsupportedProblemError("a row has probability 0 at these proportions")
    own = listed / chances[:, None]
    lines, factor = scaled(own @ basis)  # shape (k - 1, n)
    lines = lines.T
    over = rows.excesses(own)
    exceeded = over.max(0) > 0  # a level that another one implies has no excess, and no price
    pairs, over = [pair for pair, is_one in zip(rows.pairs(), exceeded, strict=True) if is_one], over[:, exceeded]
    sizes = over.max(0) if pairs else np.ones(0)
    eta, v = cp.Variable(), cp.Variable(k - 1)
    z = cp.Variable(len(pairs), nonneg=True) if pairs else None
    paid = eta if z is None else eta + (z @ (np.array([slack for _, _, slack in pairs]) / sizes))
    limit = eta + lines @ v if z is None else eta + lines @ v + (over / sizes) @ z
    kind = objective["kind"]
    if kind in ("d-optimal", "e-optimal"):
        X, choices = None, [_root(kind, factor, lines, weights * chances, limit, paid)]
    else:
        X = np.linalg.solve(factor, basis.T @ _lines_of_targets(objective, k).T)
        choices = [_estimates(X, lines, limit, paid)]
        information = (lines * (weights * chances)[:, None]).T @ lines
        if np.linalg.cond(information) < _REGULAR:
            choices.append(np.linalg.solve(information, X))
    K, values = max(
        ((K, _cheapest(K, lines, limit, paid, (eta, v, *([] if z is None else [z])))) for K in choices),
        key=lambda one: _gain(X, *one),
    )
    back = np.linalg.solve(factor.T, np.column_stack([K, values[2]]))
    directions = basis @ back[:, :-1]
    y = float(values[1]) * prior + basis @ back[:, -1]
    if kind == "d-optimal":  # with the direction of the sums: M q = 1, q^T M q = 1
        directions = np.column_stack([directions, prior])
        y = y + prior
    found = [] if z is None else [(pair, float(x)) for (pair, *_), x in zip(pairs, values[3] / sizes, strict=True)]
    return directions, y, found


def _cheapest(K: Array, lines: Array, limit: Any, paid: Any, variables: Sequence[Any]) -> list[Any]:
    """Return what is paid at the cheapest prices of K, and these prices."""
    squares = ((lines @ K) ** 2).sum(1)
    size = float(squares.max()) or 1.0
    solve(cp.Problem(cp.Minimize(paid), [limit >= squares / size]), solvers=(cp.CLARABEL, cp.SCIPY))
    return [size * float(paid.value), *(size * np.asarray(each.value) for each in variables)]


def _gain(X: Array | None, K: Array, values: Sequence[Any]) -> float:
    return 0.0 if X is None else 2 * float((X * K).sum()) - float(values[0])


def _estimates(X: Array, lines: Array, limit: Any, paid: Any) -> Array:
    """Return K of the targets X, in the basis of the lines."""
    size = float(np.linalg.norm(X)) or 1.0
    K = cp.Variable(X.shape)
    curved = cp.SOC(limit + 1, cp.hstack([2 * (lines @ K), cp.reshape(limit - 1, (len(lines), 1), order="C")]), axis=1)
    solve(cp.Problem(cp.Maximize(2 * cp.sum(cp.multiply(X / size, K)) - paid), [curved]))
    return np.asarray(K.value) * size


def _root(kind: str, factor: Array, lines: Array, weights: Array, limit: Any, paid: Any) -> Array:
    """Return a root K of the prices of the information on contrasts, in the basis of the lines."""
    size = lines.shape[1]
    if kind == "d-optimal":
        found = np.linalg.inv((lines * weights[:, None]).T @ lines)
    else:
        X = cp.Variable((size, size), PSD=True)
        flat = cp.reshape(X, (size * size,), order="C")
        squares = np.einsum("ni,nj->nij", lines, lines).reshape(len(lines), -1)
        inner = np.linalg.inv(factor.T @ factor)  # |G|^2 = tr K^T L^-1 L^-T K
        inner /= np.trace(inner)
        solve(cp.Problem(cp.Minimize(paid), [limit >= squares @ flat, cp.trace(inner @ X) == 1]))
        found = np.asarray(X.value)
    values, vectors = np.linalg.eigh((found + found.T) / 2)
    return np.asarray(vectors * np.sqrt(np.maximum(values, 0.0)))
