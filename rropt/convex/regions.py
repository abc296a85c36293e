"""Privacy regions in CVXPY: conditions on the entries of a mechanism, or weights of listed rows.

Let r be a row of a mechanism (the probabilities of one output) and ``gamma = exp(epsilon)``. The levels are read from
the JSON of the region.

1. *Entries* (``entries``). The variable is the matrix P: columns sum to 1, and for each level and ordered pair (j, l)
   ``sum_i max(0, p_ij - gamma p_il) <= delta``. At delta = 0 and one level for all pairs, the least entry t_i of each
   row makes this ``t_i <= p_ij <= gamma t_i``: 2 m k inequalities in place of m k (k - 1). This is the definition. It
   fits objectives that are linear in P. A Renyi divergence of order a is at most D if
   ``sum_i (p_ij/C^(1/a))^a p_il^(1-a) <= 1`` with ``C = exp((a-1) D)``: power cones.

2. *Weights* (``Rows``). Information is maximized and convex in P, so that P is no variable of a convex program. The
   variables are weights w >= 0 of listed rows: ``sum_r w_r r = 1`` and ``sum_r w_r max(0, r_j - gamma r_l) <= delta``.
   On a cell between the planes ``r_j = 0`` and ``r_j = gamma r_l`` every condition is linear, and every objective is
   convex and homogeneous, so that a row may be replaced by the edges of its cell. An edge is one direction: its
   positive entries are joined by a tree of equations ``r_j = gamma r_l``. For one level its entries are 0 or
   ``gamma^n``, and the exponents n do not depend on gamma: the rows are functions of the Parameter gamma.

All numbers of a program are about 1: a row with largest entry 1 has a weight of at most 1, and of at most delta
divided by its excess. Rows are multiplied by this bound.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from math import exp, inf, log, sqrt
from statistics import NormalDist
from typing import Any, NamedTuple

import cvxpy as cp
import numpy as np
from numpy.typing import NDArray

from rropt.core.errors import UnsupportedProblemError

Array = NDArray[Any]
Powers = tuple[tuple[int, ...] | None, ...]
"""A row by the exponents of the levels in each entry; ``None`` is the entry 0."""

TOO_DIFFERENT = "the numbers of the problem differ too much for floating-point numbers"
TOO_MANY = "too many rows"
TOO_SMALL = "epsilon is too small for floating-point numbers"
SMALLEST = 1e-9  # gamma - 1: differences of the entries of a row then have seven digits
_LARGEST = 1e10  # gamma beside delta > 0: from epsilon = 25 on, the excess of entries near 0 is rounding error
_LEAST_WEIGHT = 1e-9  # of a row
# categories for which the rows are listed: with delta, 541 rows for 5 and 4 683 for 6, whose cones take minutes
_MOST_ROWS = {"one level": 8, "delta": 5, "several levels": 4}
_MOST_LEVELS = 4  # levels with their own odds bounds: eight give 17 000 rows of three categories
_MOST_ENTRIES, _MOST_EXCESSES = 90_000, 20_000  # m k of a program at delta = 0; m times the pairs of other programs
_ORDERS = (1.0, 1.25, 1.5, 2.0, 3.0, 4.5, 7.0, 11.0, 17.0)  # of zCDP
_TANGENTS = 40  # of the Gaussian trade-off function


class PairCondition(NamedTuple):
    """One level: ``sum_i max(0, p_ij - gamma p_il) <= delta`` for each ordered pair (j, l).

    Attributes:
        gamma: a Parameter.
        delta: a Parameter; None if it is 0.
        pairs: the ordered pairs.
    """

    gamma: Any
    delta: Any
    pairs: list[tuple[int, int]]


class DivergenceBound(NamedTuple):
    """A bound of the Renyi divergence of ``order`` by ``most``, for all ordered pairs; order 1 is Kullback-Leibler."""

    order: float
    most: float


@dataclass(frozen=True, slots=True)
class Limits:
    """The conditions of a region.

    Attributes:
        k: the number of categories.
        levels: privacy levels; their rows are a finite list.
        curves: bounds of Renyi divergences; their rows are no finite list.
        is_relaxed: whether the conditions are implied by the region, but do not imply it.
        reach: with curves, the largest log ratio of a row on the lattice.
        bounds: the least and the largest values of the entries, or None.
        inequalities: for each inequality ``sum_n max_a f_na(P) <= b``, the matrices of the functions by part, and b.
    """

    k: int
    levels: Sequence[PairCondition]
    curves: Sequence[DivergenceBound] = ()
    is_relaxed: bool = False
    reach: float = 0.0
    bounds: tuple[Array, Array] | None = None
    inequalities: Sequence[tuple[list[list[Array]], float]] = ()

    @property
    def has_one_level(self) -> bool:
        """Whether one level for all pairs is the only condition."""
        return not self.curves and len(self.levels) == 1 and len(self.levels[0].pairs) == self.k * (self.k - 1)

    @property
    def named(self) -> list[Any]:
        """Conditions in which each Parameter of a level appears, so that ``param_dict`` of a program has it."""
        found = [level.gamma >= 1 for level in self.levels]
        return found + [level.delta <= 1 for level in self.levels if level.delta is not None]


def numbers(texts: Sequence[Any]) -> list[float]:
    """Return numbers of JSON as floats."""
    return [exp(Fraction(x["exp"])) if isinstance(x, dict) else float(Fraction(x)) for x in texts]


def gamma_of(level: dict[str, str]) -> float:
    """Return exp(epsilon) of a level as it is written in a file."""
    if "rational" in level:
        return exp(Fraction(level["rational"]))
    base, times = Fraction(level["log"]), Fraction(level.get("times", "1"))
    return float(base) if times == 1 else float(base) ** float(times)


def limits_of(region: dict[str, Any], k: int) -> Limits:
    """Return the conditions of a region, read from its JSON.

    Raises:
        UnsupportedProblemError: a number is too large or too small for floats.
    """
    try:
        return _limits(region, k)
    except (OverflowError, ZeroDivisionError):
        raise UnsupportedProblemError(TOO_DIFFERENT) from None


def _limits(region: dict[str, Any], k: int) -> Limits:
    everyone, kind = list(permutations(range(k), 2)), region["kind"]
    if kind == "bounded":
        own = _limits(region["region"], k)
        least, most = (np.array([numbers(row) for row in region[side]]) for side in ("least", "most"))
        rows = [_inequality(each, least.shape) for each in region["entry_inequalities"]]
        return Limits(k, own.levels, own.curves, own.is_relaxed, own.reach, (least, most), rows)
    if kind == "every-mechanism":
        return Limits(k, [])
    if kind == "renyi-privacy":
        bound = log(gamma_of(region["epsilon"]))
        curve = DivergenceBound(float(Fraction(region["order"])), bound)
        return Limits(k, [], [curve], reach=2 + 3 * sqrt(bound) + 2 * bound)
    if kind == "zcdp-privacy":
        rho = float(Fraction(region["rho"]))
        curves = [DivergenceBound(order, rho * order) for order in _ORDERS]
        return Limits(k, [], curves, is_relaxed=True, reach=2 + 4 * sqrt(rho) + 2 * rho)
    if kind == "gaussian-privacy":
        normal, mu = NormalDist().cdf, float(Fraction(region["mu"]))
        slopes = [4 * mu * i / _TANGENTS for i in range(_TANGENTS + 1)]
        deltas = [normal(mu / 2 - slope / mu) - exp(slope) * normal(-mu / 2 - slope / mu) for slope in slopes]
        return Limits(k, _conditions([(exp(s), d, everyone) for s, d in zip(slopes, deltas, strict=True)]), (), True)
    if kind not in ("differential-privacy", "privacy-levels"):
        raise UnsupportedProblemError(f"no posing in CVXPY is written for the region {kind}")
    levels = [{"pairs": "all", **region}] if kind == "differential-privacy" else region["levels"]
    pairs = [everyone if each["pairs"] == "all" else [(int(j), int(i)) for j, i in each["pairs"]] for each in levels]
    deltas = numbers([each["delta"] for each in levels])
    three = zip(levels, deltas, pairs, strict=True)
    return Limits(k, _conditions([(gamma_of(each["epsilon"]), delta, named) for each, delta, named in three]))


def _inequality(data: dict[str, Any], shape: tuple[int, ...]) -> tuple[list[list[Array]], float]:
    """Return the matrices of the functions of an inequality by part, and its right side."""
    parts = []
    for part in data["parts"]:
        matrices = []
        for terms in part:
            matrix = np.zeros(shape)
            for i, j, x in terms:
                matrix[int(i), int(j)] = float(Fraction(x))
            matrices.append(matrix)
        parts.append(matrices)
    return parts, float(Fraction(data["bound"]))


def _conditions(levels: Sequence[tuple[float, float, list[tuple[int, int]]]]) -> list[PairCondition]:
    """Return levels with Parameters: ``gamma`` and ``delta``, or ``gamma[0]`` and so on if there are several."""
    found = []
    for n, (gamma, delta, pairs) in enumerate(levels):
        place = f"[{n}]" if len(levels) > 1 else ""
        own = cp.Parameter(nonneg=True, name=f"delta{place}", value=delta) if delta else None
        found.append(PairCondition(cp.Parameter(pos=True, name=f"gamma{place}", value=gamma), own, pairs))
    return found


# --- entries ---------------------------------------------------------------------------------------------------------


def entries(m: int, limits: Limits) -> tuple[Any, list[Any]]:
    """Return the matrix P of m outputs, and its conditions.

    Raises:
        UnsupportedProblemError: the program has too many entries, or its numbers differ too much.
    """
    k = limits.k
    P = cp.Variable((m, k), nonneg=True, name="P")
    conditions = [cp.sum(P, axis=0) == 1]
    if limits.has_one_level and limits.levels[0].delta is None:
        if m * k > _MOST_ENTRIES:
            raise UnsupportedProblemError("too many entries")
        least = cp.Variable((m, 1), nonneg=True, name="least")
        conditions += [least <= P, limits.levels[0].gamma * least >= P]
    else:
        if m * sum(len(level.pairs) for level in limits.levels) > _MOST_EXCESSES:
            raise UnsupportedProblemError("too many entries")
        for gamma, delta, pairs in limits.levels:
            if delta is not None and gamma.value > _LARGEST:
                raise UnsupportedProblemError(TOO_DIFFERENT)
            first, second = np.zeros((k, len(pairs))), np.zeros((k, len(pairs)))
            for place, (j, other) in enumerate(pairs):
                first[j, place] = second[other, place] = 1
            over = P @ first - gamma * (P @ second)
            conditions.append(over <= 0 if delta is None else cp.sum(cp.pos(over), axis=0) <= delta)
    for (order, most), (j, other) in product(limits.curves, permutations(range(k), 2)):
        if order == 1:
            conditions.append(cp.sum(cp.rel_entr(P[:, j], P[:, other])) <= most)
        else:
            t = cp.Variable(m, nonneg=True)
            size = exp((order - 1) * most / order)
            conditions += [cp.PowCone3D(t, P[:, other], P[:, j] / size, 1 / order), cp.sum(t) <= 1]
    if limits.bounds is not None:
        conditions += [limits.bounds[0] <= P, limits.bounds[1] >= P]
    for parts, bound in limits.inequalities:
        values = [[cp.sum(cp.multiply(matrix, P)) for matrix in part] for part in parts]
        conditions.append(sum(own[0] if len(own) == 1 else cp.maximum(*own) for own in values) <= bound)
    return P, conditions


# --- weights of rows -------------------------------------------------------------------------------------------------


@dataclass(eq=False)
class Rows:
    """Weights of listed rows; what depends on the rows is a function of the Parameters gamma and delta.

    Attributes:
        limits: the conditions.
        powers: the rows, by the exponents of gamma (minus infinity for 0), or
        listed: the rows themselves, with largest entry 1; then gamma is a number.
        names: of listed rows under several levels, the exponents of each gamma in each entry; else empty.
        weights: the variable: for each row the part of its largest possible weight.
    """

    limits: Limits
    powers: Array | None = None
    listed: Array | None = None
    names: Sequence[Powers] = ()
    weights: Any = field(init=False)
    _kept: tuple[Any, Array] | None = None

    def __post_init__(self) -> None:
        both = self.powers if self.listed is None else self.listed
        if both is None:
            raise TypeError("rows are given by exponents or by their entries")
        self.weights = cp.Variable(len(both), nonneg=True, name="weights")

    def __len__(self) -> int:
        return int(self.weights.size)

    @property
    def rows(self) -> Array:
        """The rows at the values of the Parameters, shape (n, k), multiplied by their largest possible weights."""
        key = [(gamma.value, delta and delta.value) for gamma, delta, _ in self.limits.levels]
        if self._kept is None or self._kept[0] != key:
            if self.powers is None:
                rows = np.asarray(self.listed)
            else:
                rows = np.where(np.isinf(self.powers), 0.0, key[0][0] ** np.maximum(self.powers, -1e3))
            if any(0 < gamma - 1 < SMALLEST for gamma, _ in key):
                raise UnsupportedProblemError(TOO_SMALL)
            most = np.ones(len(rows))
            for (gamma, delta, pairs), (_, bound) in zip(self.limits.levels, key, strict=True):
                if delta is not None:
                    for j, other in pairs:
                        most = np.maximum(most, (rows[:, j] - gamma.value * rows[:, other]) / bound)
            if most.max() > 1 / _LEAST_WEIGHT:
                raise UnsupportedProblemError(TOO_DIFFERENT)
            self._kept = key, np.asarray(rows / most[:, None])
        return self._kept[1]

    @property
    def has_names(self) -> bool:
        """Whether the rows have exponents, by which SymPy knows them."""
        return self.powers is not None or bool(self.names)

    def pairs(self) -> list[tuple[tuple[int, ...], float, float]]:
        """Return the pairs of each condition with delta > 0, with its gamma and delta.

        They are (j, l) at one level, and (n, j, l) with the number of the level under several ones.
        """
        found: list[tuple[tuple[int, ...], float, float]] = []
        for n, (gamma, delta, pairs) in enumerate(self.limits.levels):
            own = [pair if self.limits.has_one_level else (n, *pair) for pair in (pairs if delta is not None else [])]
            found += [(pair, float(gamma.value), float(delta.value)) for pair in own]
        return found

    def excesses(self, rows: Array) -> Array:
        """Return the excesses of rows for each of ``pairs``, shape (n, pairs)."""
        columns = [np.maximum(0.0, rows[:, pair[-2]] - gamma * rows[:, pair[-1]]) for pair, gamma, _ in self.pairs()]
        return np.array(columns).T if columns else np.empty((len(rows), 0))

    def design(self) -> Array:
        """Return the mechanism of the weights."""
        weights = np.asarray(self.weights.value)
        return np.asarray((weights[:, None] * self.rows)[weights > 0])

    @property
    def parameter(self) -> cp.Parameter:
        """The rows as a Parameter that follows the level."""
        return cp.CallbackParam(callback=lambda: self.rows, shape=(len(self), self.limits.k), name="rows")

    def of(self, function: Callable[[Array], Any], *shape: int, name: str, **attributes: bool) -> Any:
        """Return a function of the rows: a ``CallbackParam`` with a name, or a number if the rows are listed."""
        if self.listed is not None:
            return function(self.rows)
        return cp.CallbackParam(callback=lambda: function(self.rows), shape=shape, name=name, **attributes)

    def conditions(self, mean: Array) -> list[Any]:
        """Return the conditions on the weights.

        Args:
            mean: proportions; that columns sum to 1 is posed for their mean, and for contrasts of the rows.
        """
        k, n = self.limits.k, len(self)
        basis = contrasts(k)
        found = [self.of(lambda rows: rows @ mean, n, name="columns") @ self.weights == 1]
        found.append(self.of(lambda rows: scaled(rows @ basis)[0], k - 1, n, name="contrasts") @ self.weights == 0)
        for gamma, delta, pairs in self.limits.levels:
            if delta is None:
                continue
            first, second = (np.array([pair[end] for pair in pairs]) for end in (0, 1))

            def use(rows: Array, g: Any = gamma, d: Any = delta, j: Any = first, other: Any = second) -> Array:
                return np.asarray(np.maximum(0, rows[:, j] - g.value * rows[:, other]).T / d.value)

            found.append(self.of(use, len(pairs), n, name="excess", nonneg=True) @ self.weights <= 1)
        for (order, bound), (j, other) in product(self.limits.curves, permutations(range(k), 2)):
            p, q = self.rows[:, j], self.rows[:, other]
            odds = np.log(p / q)
            with np.errstate(over="ignore"):  # of a row that exceeds the level by far
                use_of = p * odds / bound if order == 1 else p * np.exp((order - 1) * (odds - bound))
            found.append(use_of @ self.weights <= 1)
        return found


def rows_of(limits: Limits) -> Rows:
    """Return the weights of the edges of all cells between the planes ``r_j = 0`` and ``r_j = gamma r_l``.

    Raises:
        UnsupportedProblemError: there are too many rows.
    """
    k = limits.k
    if limits.has_one_level:
        has_delta = limits.levels[0].delta is not None
        if k > _MOST_ROWS["delta" if has_delta else "one level"]:
            raise UnsupportedProblemError(TOO_MANY)
        return Rows(limits, powers=with_zeros(k) if has_delta else without_zeros(k))
    both = named_edges(k, limits.levels)
    return Rows(limits, listed=np.array([row for row, _ in both]), names=[name for _, name in both])


@cache
def without_zeros(k: int) -> Array:
    """Return the exponents of gamma at delta = 0: 0 and -1, with a largest entry of 1."""
    found = np.array(list(product((-1.0, 0.0), repeat=k)))
    return np.asarray(found[found.max(1) == 0])


@cache
def with_zeros(k: int) -> Array:
    """Return the exponents of gamma of the edges with delta > 0; minus infinity stands for 0."""
    grown = {tuple(0.0 if i == j else -inf for i in range(k)) for j in range(k)}
    every = set(grown)
    for _ in range(k - 1):
        new = set()
        for row in grown:
            for j in (j for j, x in enumerate(row) if x == -inf):
                for y in {x for x in row if x != -inf}:
                    for power in (y + 1, y - 1):
                        top = max(*row, power)
                        new.add(tuple((power if i == j else x) - top for i, x in enumerate(row)))
        grown = new
        every |= new
    return np.array(sorted(every))


def named_edges(k: int, conditions: Sequence[PairCondition]) -> list[tuple[tuple[float, ...], Powers]]:
    """Return the edges of the cells of several levels at the values of their Parameters, with their names.

    The largest entry of an edge is 1. SymPy knows it by its name.
    """
    if k > _MOST_ROWS["several levels"]:
        raise UnsupportedProblemError(TOO_MANY)
    everyone = set(permutations(range(k), 2))
    ratios: dict[tuple[int, int], dict[float, tuple[int, int]]] = {pair: {} for pair in everyone}
    for n, condition in enumerate(conditions):
        for j, other in condition.pairs:  # r_j = gamma r_other
            ratios[j, other].setdefault(condition.gamma.value, (n, 1))
            ratios[other, j].setdefault(1 / condition.gamma.value, (n, -1))
    if k > 2 and max(map(len, ratios.values())) > 2 * _MOST_LEVELS:
        raise UnsupportedProblemError(TOO_MANY)
    strict = [(level.gamma.value, pair) for level in conditions if level.delta is None for pair in level.pairs]

    def allowed(row: Sequence[float], *, whole: bool) -> bool:
        tied = [(g, j, other) for g, (j, other) in strict if row[j] and (whole or row[other])]
        return all(row[j] <= g * row[other] * (1 + 1e-9) for g, j, other in tied)  # 1e-9: rounding of products

    start = (0,) * len(conditions)
    grown: dict[Any, tuple[tuple[float, ...], Powers]] = {
        j: (tuple(float(i == j) for i in range(k)), tuple(start if i == j else None for i in range(k)))
        for j in range(k)
    }
    every = dict(grown)
    for _ in range(k - 1):
        new = ((one, name) for each in grown.values() for one, name in _tied(each, ratios) if allowed(one, whole=False))
        grown = {
            tuple(f"{x / max(one):.9g}" for x in one): (tuple(x / max(one) for x in one), name) for one, name in new
        }
        every |= grown
    return [each for each in every.values() if allowed(each[0], whole=True)]


def _tied(
    edge: tuple[tuple[float, ...], Powers], ratios: dict[tuple[int, int], dict[float, tuple[int, int]]]
) -> Iterator[tuple[tuple[float, ...], Powers]]:
    """Yield the rows with one more positive entry, tied to another one by a ratio."""
    row, name = edge
    for j, x in enumerate(row):
        if not x:
            for other, y in enumerate(row):
                near = name[other]
                if near is None:
                    continue
                for ratio, (n, step) in ratios[j, other].items():
                    power = tuple(e + step * (i == n) for i, e in enumerate(near))
                    yield (*row[:j], ratio * y, *row[j + 1 :]), (*name[:j], power, *name[j + 1 :])


def contrasts(k: int) -> Array:
    """Return an orthonormal basis of the vectors with sum 0, in columns."""
    return np.asarray(np.linalg.svd(np.ones((1, k)))[2][1:].T)


def scaled(lines: Array) -> tuple[Array, Array]:
    """Return lines in a basis in which the mean of their squares is the identity, ``L^-1 l``, and L."""
    try:
        factor = np.linalg.cholesky(lines.T @ lines / len(lines))
    except np.linalg.LinAlgError:
        raise UnsupportedProblemError(TOO_DIFFERENT) from None
    return np.linalg.solve(factor, lines.T), factor
