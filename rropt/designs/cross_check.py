"""Pose a solved problem again in CVXPY, from its definition, and compare the value with the certified bracket.

The comparison decides nothing: it runs after the certificate is accepted. It reads the problem from its JSON, lists its
own rows, and shares no formula, dual or rounding with the engine. Let r be a row of a mechanism (the probabilities of
one output), pi the proportions, ``g = exp(epsilon)``, and ``M = sum_z p_z p_z^T/(p_z.pi)`` the Fisher information.

1. *Entries* (trace, loss, payoff, total variation). The variable is the matrix P itself, with one output for each
   decision: ``P >= 0``, columns sum to 1, ``sum_i max(0, p_ij - g p_il) <= delta`` for each level and pair, and bounds
   on entries. This is the definition. Total variation is the payoff ``max(x, -x)/2`` with ``x = (pi - q).r``. A Renyi
   divergence of order a is at most D if ``sum_i (p_ij/C^(1/a))^a p_il^(1-a) <= 1``, ``C = exp((a-1) D)``: power cones.

2. *Weights* (all other objectives, any number of outputs). ``p p^T/(p.pi)`` is matrix-convex in p and information is
   maximized, so P is no variable of a convex program. The variables are weights w >= 0 of listed rows r:
   ``sum_r w_r r = 1`` and ``sum_r w_r max(0, r_j - g r_l) <= delta``. On a cell between the planes
   ``r_j = 0`` and ``r_j = g r_l`` of all levels, every condition is linear, and every objective is convex and
   homogeneous, so a row may be replaced by the edges of its cell. An edge is one direction: its positive entries are
   joined by a tree of equations ``r_j = g r_l``. Under Renyi, zCDP and Gaussian conditions there are infinitely many
   directions, and the rows are a lattice of log ratios, refined where rows have weight.

   With U an orthonormal basis of the vectors of sum 0, ``M pi = 1`` gives ``M Cov = I - 1 pi^T`` and ``Cov 1 = 0``, so
   ``(U^T M U)(U^T Cov U) = I``. With ``B = sum_r w_r (U^T r)(U^T r)^T/(r.pi)``, A is ``tr B^-1``, a set C of contrasts
   ``tr C U B^-1 U^T C^T``, E ``1/lambda_min(B)``, and D ``ln det B + ln k`` (for ``u = 1/sqrt(k)``,
   ``u^T M^-1 u = 1/k``). Divergences and information are sums ``sum_r w_r phi(r)``.

3. *Worst case over a polytope with vertices v* (A and c, one level, delta 0), for targets C. With estimates a_r for the
   outputs and ``b_r = w_r a_r``: minimize ``|y|^2 + t`` subject to ``sum_r q_r (r.v) - 2 y.(C v) <= t`` for every v,
   ``q_r >= |b_r|^2/w_r``, ``sum_r b_r r^T = C``, ``sum_r w_r r = 1``. *Proof.* The variance of the fixed estimator at
   pi is ``E|a|^2 - |C pi|^2 = min_y E|a - y|^2``, where ``E|a - y|^2 = sum q_r (r.pi) - 2 y.(C pi) + |y|^2`` is linear
   in pi and convex in (w, b, y). So the maximum over pi and the minimum over y may be exchanged, and the maximum of a
   linear function over a polytope is at a vertex.

4. *Two inputs, two outputs.* With ``v = p11 - p01``, ``r = p01/v`` and ``s = (1 - p11)/v``, n Var is
   ``(r + pi)(s + 1 - pi)``, and all conditions are linear in r and s: ``r + 1 <= g r + delta (r + s + 1)`` and its
   mirror image. As ``2 sqrt(a b) = min_t t a + b/t``, the program is linear for a fixed t, and ``t = sqrt(b/a)`` is
   the next t. Several first values of t reach all vertices.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations, product
from math import exp, isfinite, log, sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, NamedTuple

from rropt.core.errors import RouteDisagreementError
from rropt.core.exact import decimal_text
from rropt.core.lazy import cvxpy as cp
from rropt.core.lazy import numpy as np
from rropt.designs.problem import Problem, WorstCaseProblem
from rropt.designs.solution import RouteResult
from rropt.objectives.user_defined import ConvexSum

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

TOLERANCE = 1e-5  # relative: 235 of 238 problems agree to it, the others are beyond the limits of size below
_ACCURACY = 1e-7  # of linear programs, absolute, relative to the largest coefficient
_MOST_CONDITION = 100.0  # of the basis of E-optimality: its square multiplies the error of the solver
_LEAST_WEIGHT = 1e-9  # of a row
_LEAST_INFORMATION = 1e-3  # relative to the largest: the error of the solver is divided by it
_TOO_DIFFERENT = "the numbers of the problem differ too much for floating-point numbers"
_CANCELLED = 1e-9  # terms of a sum, relative to their parts, below which fewer than six digits are left
_SMALLEST = 1e-9  # gamma - 1: differences of entries then have seven digits
_LARGEST = 1e10  # gamma beside delta > 0: from epsilon = 25 on, the excess of entries near 0 is rounding error
_RENYI_TOLERANCE = 1e-4  # three categories: the lattice of rows leaves up to 5.4e-6
_ONE_SIDED = 1e-2  # finitely many orders or levels are a relaxation
_OF_INFORMATION = ("a-optimal", "c-optimal", "contrasts", "variance", "d-optimal", "e-optimal")
_MOST_CATEGORIES = 1000  # beyond it, proportions are not listed
_MOST_ROWS = {"one level": 8, "delta": 6, "several levels": 4}  # categories for which the rows are listed
_MOST_LEVELS = 4  # levels with their own odds bounds: eight give 17 000 rows of three categories
_MOST_BOUNDS = 20_000  # inequalities between entries of the first program
_MOST_CURVED = 3  # categories under Renyi, zCDP and Gaussian differential privacy
_ORDERS = (1.0, 1.25, 1.5, 2.0, 3.0, 4.5, 7.0, 11.0, 17.0)  # of zCDP
_TANGENTS = 40  # of the Gaussian trade-off function
_STARTS, _ALTERNATIONS = (1e-6, 1e-3, 1 / 16, 1.0, 16.0, 1e3, 1e6), 3  # values of t in the fourth program, and steps
_NO_CHANCE = 1e-4  # ratio of its factors, of which the smaller one has an absolute error of 1e-9
_LATTICE = {2: (160, 6), 3: (16, 9)}  # by k: steps of the lattice to either side, refinements to half the step


class OutOfReachError(Exception):
    """CVXPY cannot check a problem; the text says why."""


class Condition(NamedTuple):
    """One level: ``sum_i max(0, p_ij - gamma p_il) <= delta`` for each ordered pair (j, l)."""

    gamma: float
    delta: float
    pairs: list[tuple[int, int]]


class Curve(NamedTuple):
    """A bound of the Renyi divergence of ``order`` by ``most``, for all ordered pairs; order 1 is Kullback-Leibler."""

    order: float
    most: float


class Limits(NamedTuple):
    """The conditions of a region.

    Attributes:
        levels: privacy levels; their rows are a finite list.
        curves: bounds of Renyi divergences; their rows are no finite list.
        is_relaxed: whether the conditions are implied by the region, but do not imply it.
        reach: with curves, the largest log ratio of a row on the lattice.
    """

    levels: Sequence[Condition]
    curves: Sequence[Curve] = ()
    is_relaxed: bool = False
    reach: float = 0.0


@dataclass(frozen=True, slots=True)
class CrossCheck(RouteResult):
    """The value that CVXPY finds, with a tolerance on either side: it agrees with the certified bracket.

    Attributes:
        value: the optimal value in floats.
    """

    value: float


def cross_check(problem: Problem, lower: Fraction, upper: Fraction) -> CrossCheck:
    """Solve a problem by CVXPY and compare the value with the certified bracket.

    Args:
        problem: the problem.
        lower, upper: the certified bracket of its optimum.

    Raises:
        OutOfReachError: CVXPY cannot check this problem; the text says why.
        RouteDisagreementError: the value is outside the bracket by more than the tolerance.
    """
    try:
        value, tolerance, is_relaxed, smallest = _optimum(problem)
    except OutOfReachError:
        raise
    except (ZeroDivisionError, OverflowError):
        raise OutOfReachError(_TOO_DIFFERENT) from None
    except Exception as error:  # the comparison decides nothing, so that it never takes the design along
        raise OutOfReachError(f"the comparison failed ({type(error).__name__}); please report the problem") from None
    size = max(abs(lower), abs(upper), Fraction(smallest)) or Fraction(1)
    limit, better = f"tolerance {_short(tolerance)}", tolerance
    if is_relaxed:  # it may be better than the optimum by more than it may be worse
        limit, better = f"tolerance {_short(_ONE_SIDED)} on the side of a relaxation", _ONE_SIDED
    rooms = [Fraction(better) * size, Fraction(tolerance) * size]
    below, above = rooms if problem.objective.sense == "minimise" else rooms[::-1]
    exact = Fraction(value)
    outside = max(lower - exact, exact - upper, Fraction(0))
    if not lower - below <= exact <= upper + above:
        raise RouteDisagreementError(
            f"CVXPY and the certified bracket disagree on {problem}: {value!r} against [{decimal_text(lower, 17)}, "
            f"{decimal_text(upper, 17)}]"
        )
    by = f"differs by {_short(outside / size)}" if outside else "inside the bracket"
    least, most = (Fraction(f"{float(end):.9g}") for end in (exact - above, exact + below))
    return CrossCheck(least, most, value, compared=f"{value:.9g}, {by} ({limit})")


def _short(x: float | Fraction) -> str:
    return f"{float(x):.0e}".replace("e-0", "e-")


class Optimum(NamedTuple):
    """The optimal value in floats, and how it is compared.

    Attributes:
        value: the value.
        tolerance: relative to the value, or to ``least`` if that is larger.
        is_relaxed: whether the conditions of the program are implied by the region, but do not imply it.
        least: the smallest size to which the tolerance is relative.
    """

    value: float
    tolerance: float = TOLERANCE
    is_relaxed: bool = False
    least: float = 0.0


def _optimum(problem: Problem) -> Optimum:
    """Return the optimal value of the program that fits the problem."""
    data, k = problem.to_dict(), problem.region.inputs
    region, objective = data["region"], data["objective"]
    if k > _MOST_CATEGORIES:
        raise OutOfReachError("too many rows")
    limits = _limits(region, k)
    if (limits.curves or limits.is_relaxed) and k > _MOST_CURVED:
        raise OutOfReachError("so many categories under this criterion were not tried")
    if isinstance(problem, WorstCaseProblem):
        vertices = np.array([_floats(vertex) for vertex in problem.populations.vertices])
        return Optimum(_worst_case(limits.levels, _targets(objective, k), vertices))
    pi, kind = np.array(_floats(problem.population)), objective["kind"]
    outputs = region.get("outputs") or region["region"]["outputs"]
    bounds = (region["least"], region["most"]) if region["kind"] == "bounded" else None
    tolerance = _RENYI_TOLERANCE if limits.curves and k > 2 else TOLERANCE
    if kind in ("trace", "loss", "payoff", "total-variation"):
        lines = _decisions(objective, pi)
        size = float(abs(lines).max())
        value = size * _entries(problem.objective.sense, lines / (size or 1.0), limits, bounds)
        return Optimum(value, tolerance, limits.is_relaxed, _ACCURACY / tolerance * size)
    if kind == "variance" and outputs == "2":
        (condition,) = limits.levels
        return Optimum(_two_outputs(condition, pi, is_symmetric=region.get("family") == "warner"))
    if bounds or outputs not in ("any", "0"):
        raise OutOfReachError("the problem is not convex")
    if limits.curves:
        value = _over_lattice(problem, objective, pi, limits)
    else:
        value = _weighed(problem, objective, pi, _rows(k, limits.levels), limits)[0]
    return Optimum(value, tolerance, limits.is_relaxed, float(kind == "d-optimal"))


# --- reading the problem ---------------------------------------------------------------------------------------------


def _floats(numbers: Sequence[Any]) -> list[float]:
    return [exp(Fraction(x["exp"])) if isinstance(x, dict) else float(Fraction(x)) for x in numbers]


def _gamma(level: dict[str, str]) -> float:
    """Return exp(epsilon) of a level as it is written in a file."""
    if "rational" in level:
        gamma = exp(Fraction(level["rational"]))
    else:
        gamma = float(Fraction(level["log"])) ** float(Fraction(level.get("times", "1")))
    if 0 < gamma - 1 < _SMALLEST:
        raise OutOfReachError("epsilon is too small for floating-point numbers")
    return gamma


def _limits(region: dict[str, Any], k: int) -> Limits:
    """Return the conditions of a region, read from its JSON."""
    everyone, kind = list(permutations(range(k), 2)), region["kind"]
    if kind == "bounded":
        return _limits(region["region"], k)
    if kind == "renyi-privacy":
        most = log(_gamma(region["epsilon"]))
        return Limits([], [Curve(float(Fraction(region["order"])), most)], reach=2 + 3 * sqrt(most) + 2 * most)
    if kind == "zcdp-privacy":
        rho = float(Fraction(region["rho"]))
        return Limits([], [Curve(order, rho * order) for order in _ORDERS], True, 2 + 4 * sqrt(rho) + 2 * rho)
    if kind == "gaussian-privacy":
        normal, mu = NormalDist().cdf, float(Fraction(region["mu"]))
        slopes = [4 * mu * i / _TANGENTS for i in range(_TANGENTS + 1)]
        deltas = [normal(mu / 2 - slope / mu) - exp(slope) * normal(-mu / 2 - slope / mu) for slope in slopes]
        tangents = [Condition(exp(slope), delta, everyone) for slope, delta in zip(slopes, deltas, strict=True)]
        return Limits(tangents, is_relaxed=True)
    levels = [{"pairs": "all", **region}] if kind == "differential-privacy" else region["levels"]
    pairs = [everyone if each["pairs"] == "all" else [(int(j), int(i)) for j, i in each["pairs"]] for each in levels]
    deltas = _floats([each["delta"] for each in levels])
    three = zip(levels, deltas, pairs, strict=True)
    return Limits([Condition(_gamma(each["epsilon"]), delta, named) for each, delta, named in three])


def _targets(objective: dict[str, Any], k: int) -> Array:
    """Return the matrix C of the linear functions of the proportions that an objective of the information is about."""
    kind = objective["kind"]
    if kind in ("a-optimal", "d-optimal", "e-optimal"):
        return np.eye(k)
    lines = [["0", "1"]] if kind == "variance" else objective.get("contrasts") or [objective["contrast"]]
    return np.array([_floats(line) for line in lines])


def _decisions(objective: dict[str, Any], pi: Array) -> Array:
    """Return the payoff (or loss) of each output for each truth, with its probability."""
    kind = objective["kind"]
    if kind == "total-variation":
        line = (pi - _floats(objective["against"])) / 2
        return np.array([line, -line])
    listed = objective["weights" if kind == "trace" else "matrix"]
    if not isinstance(listed, list):  # in runs of equal numbers
        raise OutOfReachError("too many categories")
    return np.diag(_floats(listed)) if kind == "trace" else pi * np.array([_floats(row) for row in listed])


def _phi(objective: dict[str, Any], rows: Array, pi: Array) -> Array:
    """Return the term of each row in an objective that is a sum over outputs."""

    def xlogy(x: Array, y: Array) -> Array:
        return np.asarray(np.where(x > 0, x * np.log(np.where(x > 0, y, 1.0)), 0.0))

    kind, a, r = objective["kind"], rows @ pi, float(Fraction(objective.get("order", 0)))
    b = rows @ np.array(_floats(objective.get("against", [0] * len(pi))))
    terms: dict[str, Callable[[], Array]] = {
        "total-variation": lambda: abs(a - b) / 2,
        "payoff": lambda: (rows @ _decisions(objective, pi).T).max(1),
        "mutual-information": lambda: xlogy(rows, rows) @ pi - xlogy(a, a),
        "chi-square": lambda: (a - b) ** 2 / b,
        "kullback-leibler": lambda: xlogy(a, a / b) - a + b,  # the sums of a and of b are 1
        "hellinger": lambda: (np.sqrt(a) - np.sqrt(b)) ** 2 / 2,
        "jensen-shannon": lambda: (xlogy(a, 2 * a / (a + b)) + xlogy(b, 2 * b / (a + b))) / 2,
        "alpha-divergence": lambda: (a**r * b ** (1 - r) - r * a - (1 - r) * b) / (r * (r - 1)),
    }
    if kind not in terms:
        raise OutOfReachError(f"no program is written for the objective {kind}")
    with np.errstate(divide="ignore", invalid="ignore"):
        phi = terms[kind]()
    if kind != "chi-square" and abs(phi).max() < _CANCELLED * a.max():
        raise OutOfReachError("the terms of the sum cancel in floating-point numbers")
    if not np.isfinite(phi).all():
        raise OutOfReachError("a row has probability 0 under one of the distributions")
    return np.asarray(phi)


# --- rows ------------------------------------------------------------------------------------------------------------


def _rows(k: int, conditions: Sequence[Condition]) -> Array:
    """Return the edges of all cells between the planes ``r_j = 0`` and ``r_j = gamma r_l``, the largest entry 1."""
    everyone, first = set(permutations(range(k), 2)), conditions[0]
    if len(conditions) == 1 and not first.delta and set(first.pairs) == everyone:
        if k > _MOST_ROWS["one level"]:
            raise OutOfReachError("too many rows")
        listed = np.array(list(product((1 / first.gamma, 1.0), repeat=k)))
        return np.asarray(listed[listed.max(1) == 1])
    if k > _MOST_ROWS["delta" if len(conditions) == 1 else "several levels"]:
        raise OutOfReachError("too many rows")
    ratios: dict[tuple[int, int], set[float]] = {pair: set() for pair in everyone}
    for condition in conditions:
        for j, other in condition.pairs:  # r_j = gamma r_other
            ratios[j, other].add(condition.gamma)
            ratios[other, j].add(1 / condition.gamma)
    if k > 2 and max(map(len, ratios.values())) > 2 * _MOST_LEVELS:
        raise OutOfReachError("too many rows")
    strict = [(condition.gamma, pair) for condition in conditions if not condition.delta for pair in condition.pairs]

    def allowed(row: Sequence[float], *, whole: bool) -> bool:
        tied = [(g, j, other) for g, (j, other) in strict if row[j] and (whole or row[other])]
        return all(row[j] <= g * row[other] * (1 + 1e-9) for g, j, other in tied)  # 1e-9: rounding of products

    grown: dict[Any, tuple[float, ...]] = {j: tuple(float(i == j) for i in range(k)) for j in range(k)}
    every = dict(grown)
    for _ in range(k - 1):
        new = (one for row in grown.values() for one in _tied(row, ratios) if allowed(one, whole=False))
        grown = {tuple(f"{x / max(one):.9g}" for x in one): tuple(x / max(one) for x in one) for one in new}
        every |= grown
    return np.array([row for row in every.values() if allowed(row, whole=True)])


def _tied(row: tuple[float, ...], ratios: dict[tuple[int, int], set[float]]) -> Iterator[tuple[float, ...]]:
    """Yield the rows with one more positive entry, tied to another one by a ratio."""
    for j, x in enumerate(row):
        if not x:
            for other, y in enumerate(row):
                for ratio in ratios[j, other] if y else ():
                    yield (*row[:j], ratio * y, *row[j + 1 :])


# --- programs --------------------------------------------------------------------------------------------------------


class Goal(NamedTuple):
    """An expression in CVXPY of size about 1, and its unit.

    An objective of the information B also has B, in the basis that scales the rows. With a function to the objective
    (D and E), the expression is maximized.
    """

    value: Any
    unit: float
    information: Any = None
    final: Callable[[float], float] | None = None


def _weighed(problem: Problem, objective: dict[str, Any], pi: Array, rows: Array, given: Limits) -> tuple[float, Array]:
    """Return the optimal value over the weights of rows, and the weights relative to their largest possible values.

    A row with largest entry 1 has a weight of at most 1, and of at most delta divided by its excess. Rows are
    multiplied by this bound, so that all numbers of the program are about 1.
    """
    w = cp.Variable(len(rows), nonneg=True)
    soft = [(gamma, delta, pair) for gamma, delta, pairs in given.levels if delta for pair in pairs]
    uses = [np.maximum(0, rows[:, j] - gamma * rows[:, other]) / delta for gamma, delta, (j, other) in soft]
    most = 1 / np.max([np.ones(len(rows)), *uses], axis=0)
    if most.min() < _LEAST_WEIGHT:
        raise OutOfReachError(_TOO_DIFFERENT)
    rows = rows * most[:, None]
    limits = [*_columns(rows, w, pi), *((use * most) @ w <= 1 for use in uses)]
    for (order, bound), (j, other) in product(given.curves, permutations(range(len(pi)), 2)):
        p, q = rows[:, j], rows[:, other]
        odds = np.log(p / q)
        with np.errstate(over="ignore"):  # of a row that exceeds the level by far
            use = p * odds / bound if order == 1 else p * np.exp((order - 1) * (odds - bound))
        limits.append(use @ w <= 1)
    goal = _goal(problem, objective, rows, w, pi)
    side = cp.Maximize if goal.final or problem.objective.sense == "maximise" else cp.Minimize
    found = _solved(cp.Problem(side(goal.value), limits))
    if goal.information is not None:
        sizes = np.linalg.eigvalsh(goal.information.value)
        least = 1 / found if side is cp.Minimize else sizes[0]  # about the targets, whose variance is minimized
        if least < _LEAST_INFORMATION * sizes[-1]:
            raise OutOfReachError(_TOO_DIFFERENT)
    value = found * goal.unit
    return goal.final(value) if goal.final else value, np.asarray(w.value)


def _columns(rows: Array, w: Any, pi: Array) -> list[Any]:
    """Return the conditions that columns sum to 1: their mean under pi, and the contrasts of the rows."""
    return [(rows @ pi) @ w == 1, _scaled(rows @ _contrasts(rows.shape[1]))[0] @ w == 0]


def _contrasts(k: int) -> Array:
    """Return an orthonormal basis of the vectors with sum 0, in columns."""
    return np.asarray(np.linalg.svd(np.ones((1, k)))[2][1:].T)


def _scaled(lines: Any) -> tuple[Any, Any]:
    """Return lines in a basis in which the mean of their squares is the identity, ``L^-1 l``, and L."""
    try:
        factor = np.linalg.cholesky(lines.T @ lines / len(lines))
    except np.linalg.LinAlgError:
        raise OutOfReachError(_TOO_DIFFERENT) from None
    return np.linalg.solve(factor, lines.T), factor


def _goal(problem: Problem, objective: dict[str, Any], rows: Array, w: Any, pi: Array) -> Goal:
    """Return the objective as an expression in the weights of rows."""
    kind, k, own = objective["kind"], len(pi), problem.objective
    if kind == "bayes":
        populations = [np.array(_floats(population)) for population in objective["populations"]]
        parts = [_goal(problem, objective["objective"], rows, w, population) for population in populations]
        shares, unit = _floats(objective["weights"]), max(part.unit for part in parts)
        return Goal(sum(share * part.unit / unit * part.value for share, part in zip(shares, parts, strict=True)), unit)
    if kind not in _OF_INFORMATION:
        if isinstance(own, ConvexSum):
            phi = np.array([float(own.of_row([*row], [*pi])) for row in rows])
        else:
            phi = _phi(objective, rows, pi)
        size = float(abs(phi).max()) or 1.0
        return Goal(phi / size @ w, size)
    chances = rows @ pi
    if chances.min() <= 0:
        raise OutOfReachError("a row has probability 0 at these proportions")
    basis = _contrasts(k)
    scaled, factor = _scaled(rows @ basis / np.sqrt(chances)[:, None])
    squares = np.einsum("in,jn->ijn", scaled, scaled).reshape((k - 1) ** 2, -1)
    information = cp.reshape(squares @ w, (k - 1, k - 1), order="C")
    if kind == "d-optimal":
        shift = 2 * float(np.log(np.diag(factor)).sum()) + log(k)
        return Goal(cp.log_det(information), 1.0, information, lambda found: found + shift)
    if kind == "e-optimal":
        if np.linalg.cond(factor) > _MOST_CONDITION:
            raise OutOfReachError(_TOO_DIFFERENT)
        size = float(np.linalg.norm(factor, 2))
        least = cp.lambda_min((factor / size) @ information @ (factor / size).T)
        return Goal(least, size**2, information, lambda found: 1 / found)
    targets = np.linalg.solve(factor, (_targets(objective, k) @ basis).T)
    size = float(np.linalg.norm(targets)) or 1.0
    return Goal(cp.matrix_frac(targets / size, information), size**2, information)


def _entries(sense: str, lines: Array, given: Limits, bounds: tuple[Any, Any] | None) -> float:
    """Return the optimum of a linear objective over matrices with one output for each line."""
    m, k = lines.shape
    if m * sum(len(level.pairs) for level in given.levels) > _MOST_BOUNDS:
        raise OutOfReachError("too many entries")
    P = cp.Variable((m, k), nonneg=True)
    limits = [cp.sum(P, axis=0) == 1]
    for gamma, delta, pairs in given.levels:
        if delta and gamma > _LARGEST:
            raise OutOfReachError(_TOO_DIFFERENT)
        for j, other in pairs:
            over = P[:, j] - gamma * P[:, other]
            limits.append(cp.sum(cp.pos(over)) <= delta if delta else over <= 0)
    for (order, most), (j, other) in product(given.curves, permutations(range(k), 2)):
        if order == 1:
            limits.append(cp.sum(cp.rel_entr(P[:, j], P[:, other])) <= most)
        else:
            t = cp.Variable(m, nonneg=True)
            size = exp((order - 1) * most / order)
            limits += [cp.PowCone3D(t, P[:, other], P[:, j] / size, 1 / order), cp.sum(t) <= 1]
    if bounds is not None:
        least, most_allowed = (np.array([_floats(row) for row in side]) for side in bounds)
        limits += [P - least >= 0, most_allowed - P >= 0]
    side = cp.Minimize if sense == "minimise" else cp.Maximize
    return _solved(cp.Problem(side(cp.sum(cp.multiply(lines, P))), limits))


def _worst_case(conditions: Sequence[Condition], C: Array, vertices: Array) -> float:
    """Return the least worst-case variance over the polytope with these vertices."""
    rows = _rows(vertices.shape[1], conditions)
    n = len(rows)
    w, q = cp.Variable(n, nonneg=True), cp.Variable(n, nonneg=True)
    b, y, t = cp.Variable((n, len(C))), cp.Variable(len(C)), cp.Variable()
    limits = [*_columns(rows, w, vertices.mean(0)), b.T @ rows == C]
    limits += [q[i] >= cp.quad_over_lin(b[i], w[i]) for i in range(n)]
    limits += [(rows @ v) @ q - 2 * ((C @ v) @ y) <= t for v in vertices]
    return _solved(cp.Problem(cp.Minimize(cp.sum_squares(y) + t), limits))


def _two_outputs(condition: Condition, pi: Array, *, is_symmetric: bool) -> float:
    """Return the least n Var of two outputs by linear programs in r and s, for fixed t."""
    gamma, delta, _ = condition
    size = min(1.0, max(gamma - 1, delta))  # r and s are multiples of 1/size
    r, s = cp.Variable(nonneg=True), cp.Variable(nonneg=True)
    t, inverse = cp.Parameter(pos=True), cp.Parameter(pos=True)
    first, second = r + pi[1] * size, s + pi[0] * size
    limits = [each * (1 - 1 / gamma) >= (size - delta * (r + s + size)) / gamma for each in (r, s)]
    program = cp.Problem(cp.Minimize(t * first + inverse * second), limits + [r == s] * is_symmetric)
    best = float("inf")
    for start in _STARTS:
        t.value = start
        for _ in range(_ALTERNATIONS):
            inverse.value = 1 / t.value
            _solved(program)
            one, other = max(float(first.value), 0.0), max(float(second.value), 0.0)
            best = min(best, one * other / size**2)
            if min(one, other) <= _NO_CHANCE * max(one, other):
                if delta and not min(pi):
                    return 0.0
                raise OutOfReachError(_TOO_DIFFERENT)
            t.value = sqrt(other / one)
    return best


def _over_lattice(problem: Problem, objective: dict[str, Any], pi: Array, given: Limits) -> float:
    """Return the optimum over rows on a lattice of log ratios, halved around the rows that have weight."""
    k, value, kept = len(pi), 0.0, np.zeros((1, len(pi)))
    count, refinements = _LATTICE[k]
    step = given.reach / count
    for _ in range(refinements):
        near = np.array([(0.0, *each) for each in product(range(-count, count + 1), repeat=k - 1)]) * step
        logs = np.unique((kept[:, None] + near).reshape(-1, k), axis=0)
        value, w = _weighed(problem, objective, pi, np.exp(logs - logs.max(1)[:, None]), given)
        kept = logs[w > 1e-7 * w.max()]  # 1e-7: weights of an interior-point solver
        count, step = 2, step / 2
    return value


def _solved(program: Any) -> float:
    """Solve a program; return its value if the solver reports ``optimal``.

    Raises:
        OutOfReachError: the solver reports something else, or its value is not that of its solution.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # an inaccurate solution is not compared
        try:
            value = program.solve(solver=cp.CLARABEL)
        except (cp.SolverError, ArithmeticError, ValueError):
            value = None
    if program.status == cp.OPTIMAL and value is not None and isfinite(value):
        again = float(program.objective.expr.value)  # at the solution, as a test of the accuracy
        if abs(again - value) <= TOLERANCE / 10 * max(abs(value), _ACCURACY):
            return float(value)
    raise OutOfReachError("the solver did not reach its accuracy")
