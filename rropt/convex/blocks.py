"""Divergences of two distributions of nine categories and more, at delta = 0: a program over intervals of ratios.

Sort the categories by ``pi_j/q_j``; those with equal ratios are one *group*. A row that is gamma on an interval I of
groups and 1 elsewhere has the weight ``w_I``, in units of its largest possible one:

    maximize sum_I w_I phi(r_I.pi, r_I.q),   sum_I w_I r_I = 1,   w >= 0.

*Convexity.* The terms are numbers, so that this is a linear program. Its rows are some of the 2^k rows of all
mechanisms, and some optimal mechanism cuts the order into blocks (Ghazi, Sort, Partition, Randomize, 2026): its rows
are intervals. Two neighbouring columns have the same sum if as much weight ends at the cut between them as begins
there. So w is a flow on the cuts 0, 1, ..., n, an interval is an arc, and each path of positive weight of an optimal
flow has the same value. The value is that of such a path, and the error its distance from the bound of the dual
solution, with the largest violation of it over all intervals.

*Multipliers.* ``alpha = c pi + d q + sum_i kappa_i max(0, pi_j q_i - pi_i q_j)`` with kappa >= 0 proves the value V of
blocks if ``alpha.r_I >= phi(I)`` on all intervals, with equality on the blocks (``rropt.symbolic.blocks``). A second
program makes the smallest slack of all other intervals as large as possible, so that they can be rounded.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Any

import cvxpy as cp
import numpy as np
from scipy.sparse import csr_array

from rropt.convex.objectives.divergences import SHIFTS, TERMS, goal_over
from rropt.convex.objectives.goal import Goal
from rropt.convex.posing import INACCURATE, Solved
from rropt.convex.regions import SMALLEST, TOO_MANY, TOO_SMALL, Array, Limits
from rropt.core.errors import UnsupportedProblemError
from rropt.core.results.guesses import BlockGuess

FROM, MOST = 9, 300
"""Numbers of categories: fewer have all rows listed, and more intervals than those of 300 categories take too long."""

KINDS = ("chi-square", "kullback-leibler", "hellinger", "jensen-shannon", "alpha-divergence")
_ROUNDS = 60  # of added inequalities
_VIOLATED, _SMALLEST_SLACK = 1e-11, 1e-10  # relative to the largest term: rounding errors, and slacks that are none
_NEAR = 1e-6  # relative distance of the values of the flow and of its path
_ROUNDED = 2e-14  # error of a slack from the rounding of terms whose parts are about 1
_SURE = 1e-9  # a slack, relative to the largest term, that the tolerances of a solver do not change
_CLEAR = 1e-7  # a negative margin that is no rounding error
_NO_BEND = 1e-13  # a smaller kappa, in units of the terms, is 0
_PART = 0.1  # of a positive margin that is required of all intervals
_MOST_WORK = 600_000  # entries of the programs of a problem, all together: about two seconds
_GAIN = 1e-9  # of the margin for a new bend, in units of the terms
_SIMPLEX = {"method": "highs-ds", "primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}


Interval = tuple[int, int]


def serves(objective: dict[str, Any], limits: Limits) -> bool:
    """Return whether a problem is a divergence of two distributions with one level, delta = 0 and enough categories."""
    is_plain = limits.has_one_level and limits.levels[0].delta is None and limits.bounds is None
    return objective["kind"] in KINDS and is_plain and limits.k >= FROM


@dataclass(eq=False)
class Intervals:
    """Weights of the rows of all intervals of groups; what depends on the level follows the Parameter gamma.

    Attributes:
        limits: the level.
        groups: the categories of each group, in the order of the ratios.
        shares: the probabilities of the groups under pi and under q, shape (2, n).
        firsts, lasts: the cuts at which each interval begins and ends.
        weights: the variable.
    """

    limits: Limits
    groups: Sequence[Sequence[int]]
    shares: Array
    firsts: Array = field(init=False)
    lasts: Array = field(init=False)
    weights: Any = field(init=False)

    def __post_init__(self) -> None:
        self.firsts, self.lasts = np.triu_indices(len(self.groups) + 1, 1)
        self.weights = cp.Variable(len(self.firsts), nonneg=True, name="weights")

    def __len__(self) -> int:
        return len(self.firsts)

    @property
    def level(self) -> float:
        """Gamma, the value of its Parameter."""
        found = float(self.limits.levels[0].gamma.value)
        if 0 < found - 1 < SMALLEST:
            raise UnsupportedProblemError(TOO_SMALL)
        return found

    @cached_property
    def parts(self) -> Array:
        """The probabilities of the intervals under pi and under q, shape (N, 2)."""
        sums = np.hstack([np.zeros((2, 1)), np.cumsum(self.shares, axis=1)])
        return np.asarray((sums[:, self.lasts] - sums[:, self.firsts]).T)

    @property
    def means(self) -> Array:
        """``r_I.pi`` and ``r_I.q`` of all rows, whose largest entry is 1, shape (N, 2)."""
        return np.asarray((1 + (self.level - 1) * self.parts) / self.level)

    @property
    def rows(self) -> Array:
        """The rows, shape (N, k)."""
        return self.rows_at(np.arange(len(self)))

    def rows_at(self, places: Array) -> Array:
        """Return some of the rows."""
        found = np.full((len(places), self.limits.k), 1 / self.level)
        for row, place in zip(found, places, strict=True):
            for group in self.groups[self.firsts[place] : self.lasts[place]]:
                row[list(group)] = 1.0
        return found

    def members(self, first: int, last: int) -> tuple[int, ...]:
        """Return the categories between two cuts, in the order of the ratios."""
        return tuple(j for group in self.groups[first:last] for j in group)

    def design(self) -> Array:
        """Return the mechanism of the weights."""
        weights = np.asarray(self.weights.value)
        places = np.flatnonzero(weights > 0)
        return np.asarray(weights[places, None] * self.rows_at(places))

    @property
    def parameter(self) -> Any:
        """What has the rows as ``value``, at the level of the program."""
        return Listed(self)

    def of(self, function: Callable[[Array], Any], *shape: int, name: str, **attributes: bool) -> Any:
        """Return a function of the means: a ``CallbackParam`` with a name."""
        return cp.CallbackParam(callback=lambda: function(self.means), shape=shape, name=name, **attributes)

    def conditions(self) -> list[Any]:
        """Return the conditions that the columns of the mechanism sum to 1: the first one, and neighbouring ones."""
        n, count = len(self.groups), len(self)
        places = np.arange(count)
        entries = np.concatenate([np.ones(count), -np.ones(count)])
        ends = np.concatenate([self.lasts, self.firsts]), np.concatenate([places, places])
        flow = csr_array((entries, ends), shape=(n + 1, count))[1:n]
        cover = self.of(self._first_column, count, name="columns")
        return [cover @ self.weights == 1, flow @ self.weights == 0]

    def _first_column(self, _: Array) -> Array:
        return np.asarray(np.where(self.firsts == 0, 1.0, 1 / self.level))

    def square(self, values: Array) -> Array:
        """Return numbers of the intervals as a matrix by their ends, minus infinity elsewhere."""
        found = np.full((len(self.groups) + 1,) * 2, -np.inf)
        found[self.firsts, self.lasts] = values
        return found

    def path(self) -> list[int]:
        """Return the cuts of a path of positive weight, from 0 to n."""
        weights, n = self.square(np.asarray(self.weights.value)), len(self.groups)
        cuts = [0]
        while cuts[-1] < n:
            cuts.append(int(np.argmax(weights[cuts[-1]])))
        return cuts


@dataclass(frozen=True)
class Listed:
    """The rows of a program over intervals, listed when ``value`` is read: those of 300 categories fill 100 MB."""

    intervals: Intervals

    @property
    def value(self) -> Array:
        """The rows, shape (N, k)."""
        return self.intervals.rows


def intervals_of(objective: dict[str, Any], population: Sequence[Fraction], limits: Limits) -> Intervals:
    """Return the intervals of the ratios of a problem; categories that have probability 0 in both are in the first.

    Raises:
        UnsupportedProblemError: there are too many.
    """
    if limits.k > MOST:
        raise UnsupportedProblemError(TOO_MANY)
    ratios: dict[Fraction, list[int]] = {}
    against = [Fraction(x) for x in objective["against"]]
    for j, (p, q) in enumerate(zip(population, against, strict=True)):
        ratios.setdefault(p / (p + q) if p + q else Fraction(0), []).append(j)
    groups = [ratios[x] for x in sorted(ratios)]
    shares = [[float(sum(line[j] for j in group)) for group in groups] for line in (population, against)]
    return Intervals(limits, groups, np.array(shares))


def goal_of(objective: dict[str, Any], own: Intervals) -> Goal:
    """Return the divergence as an objective of the weights."""
    return goal_over(objective, own)


def solved(own: Intervals, posed: Any) -> Solved:
    """Return the value of a path of an optimal flow, and its distance from the bound of the dual solution.

    The weights then are those of the path.

    Args:
        own: the intervals.
        posed: the posed problem, with ``scaled`` and ``goal``.
    """
    found: Solved = posed.solved()
    unit = float(posed.goal.unit.value)
    values, n, gamma = posed.goal.phi(own.means), len(own.groups), own.level
    cover, flow = (np.asarray(each.dual_value, dtype=float) * unit for each in posed.conditions[:2])
    cuts = own.path()
    value = _value(own.square(values), cuts, gamma)
    best = np.inf
    for sign in (1.0, -1.0):  # the sign of a dual value depends on the sense
        price, heights = sign * float(cover), sign * np.concatenate([[0.0], flow, [0.0]])
        paid = price * own._first_column(values) + heights[own.lasts] - heights[own.firsts]
        best = min(best, price + gamma * max(float((values - paid).max()), 0.0))
    if found.value - value > found.error + _NEAR * abs(
        found.value
    ):  # the solver was not accurate, or the path is wrong
        return found
    weights = np.zeros(len(own))
    places = np.full((n + 1, n + 1), -1)
    places[own.firsts, own.lasts] = np.arange(len(own))
    weights[[places[s, t] for s, t in pairwise(cuts)]] = gamma / (gamma - 1 + len(cuts) - 1)
    own.weights.value = weights
    return Solved(value, max(best - value, 0.0) + 1e-15 * float(abs(values).max()), found.solver)


def _value(values: Array, cuts: Sequence[int], gamma: float) -> float:
    """Return the value of blocks; the terms are those of rows with the largest entry 1."""
    return float(sum(values[s, t] for s, t in pairwise(cuts)) * gamma / (gamma - 1 + len(cuts) - 1))


# --- multipliers -----------------------------------------------------------------------------------------------------


def guess_of(own: Intervals, objective: dict[str, Any]) -> BlockGuess:
    """Return the blocks of a solved program with the multipliers of their bound, in floats.

    Raises:
        UnsupportedProblemError: no multipliers were found; the message says why.
    """
    gamma, cuts = own.level, own.path()
    a, b = 1 + (gamma - 1) * own.parts.T
    terms = TERMS[objective["kind"]](a, b, float(Fraction(objective.get("order", 0)))) / gamma
    program = _Margins(own.shares, own.square(terms), gamma, cuts)
    found = program.best()
    if isinstance(found, float):
        is_clear = found < -_CLEAR
        raise UnsupportedProblemError(NO_MULTIPLIERS if is_clear else "CVXPY finds no multipliers for the blocks here")
    (c, d), kappa, tight = found
    shift = SHIFTS.get(objective["kind"], 0.0)
    return BlockGuess(
        [own.members(s, t) for s, t in pairwise(cuts)],
        (c + shift, d - shift),
        [(own.groups[i][0], x) for i, x in kappa.items()],
        [own.members(s, t) for s, t in tight],
        program.is_clear,
    )


NO_MULTIPLIERS = "no multipliers that are convex in the likelihood ratio prove the value of the blocks"
"""Why there is no proof, where the program for the multipliers shows it clearly."""


class _Margins:
    """The program for the multipliers: the smallest slack, relative to the distance from the blocks, is maximized.

    It begins with few intervals, and with bends beside the cuts. Violated inequalities are added, and then the bends
    that would increase the margin.

    Args:
        shares: the probabilities of the groups, shape (2, n).
        terms: ``phi(I)/gamma`` by the ends of the interval.
        gamma: the level.
        cuts: the cuts of the blocks.
    """

    def __init__(self, shares: Array, terms: Array, gamma: float, cuts: list[int]) -> None:
        p, q = shares
        n = self.n = len(p)
        bent = np.maximum(0.0, p[None, :] * q[:, None] - p[:, None] * q[None, :])
        basis = np.vstack([p, q, bent])
        self.scales = np.where(abs(basis).max(1) > 0, abs(basis).max(1), 1.0)
        basis = basis / self.scales[:, None]
        self.sums = np.hstack([np.zeros((len(basis), 1)), np.cumsum(basis, axis=1)])
        self.gamma = gamma
        self.used = [0, 1, *sorted({i + 2 for cut in cuts[1:-1] for i in (cut - 1, cut) if 0 < i < n - 1})]
        self.tight = self.blocks = list(pairwise(cuts))
        self.size = float(abs(terms[np.isfinite(terms)]).max()) or 1.0
        self.terms = terms / self.size
        self.noise, self.is_clear = _ROUNDED / self.size, False
        mass = np.concatenate([[0.0], np.cumsum(p + q)]) / 2
        apart = [abs(mass[:, None] - mass[s]) + abs(mass[None, :] - mass[t]) for s, t in self.blocks]
        self.distance = np.min(apart, axis=0)

    def lines(self, listed: Sequence[Interval]) -> Array:
        """Return the coefficients of ``alpha.r_I/gamma`` for some intervals, shape (N, n + 2)."""
        starts, stops = np.array(listed).T
        inside = self.sums[:, stops] - self.sums[:, starts]
        return np.asarray((self.sums[:, -1:] + (self.gamma - 1) * inside).T / self.gamma)

    def best(self) -> tuple[tuple[float, float], dict[int, float], list[Interval]] | float:
        """Return c and d, kappa by its group, and the intervals without slack that are no blocks; else the margin."""
        n = self.n
        listed = {*((0, t) for t in range(1, n + 1)), *((s, n) for s in range(n))} - set(self.tight)
        work = 0
        for _ in range(_ROUNDS):
            own = sorted(listed)
            work += len(own) * len(self.used)
            if work > _MOST_WORK:
                raise UnsupportedProblemError("the search for the multipliers of the blocks takes too long")
            found = self._solved(own)
            if found is None:
                return 0.0
            x, margin, prices, gains = found
            if new := self._violated(x, margin) - listed:
                listed |= new
                continue
            least = -float(self._short(x, 0.0).max())
            if margin > _SMALLEST_SLACK and least > self.noise:
                self.is_clear = least > _SURE
                return self._multipliers(x)
            if raising := [int(b) for b in np.argsort(gains)[::-1][: 2 * len(self.blocks)] if gains[b] > _GAIN]:
                self.used += raising
                continue
            forced = {one for one, price in zip(own, prices, strict=True) if price > _SMALLEST_SLACK}
            if margin < -_SMALLEST_SLACK or not forced:
                return margin
            self.tight = [*self.tight, *sorted(forced)]
            listed -= forced
        return 0.0

    def _violated(self, x: Array, margin: float) -> set[Interval]:
        """Return for each cut the interval from it, and that to it, that violates its inequality most."""
        short = self._short(x, min(margin, _PART * margin))
        each = np.arange(self.n + 1)
        worst = {*zip(each.tolist(), short.argmax(1).tolist(), strict=True)}
        worst |= {*zip(short.argmax(0).tolist(), each.tolist(), strict=True)}
        return {one for one in worst if short[one] > _VIOLATED}

    def _short(self, x: Array, margin: float) -> Array:
        """Return by how much each interval violates its inequality with a margin; minus infinity for tight ones."""
        path = x @ self.sums[self.used]
        above = (path[-1] + (self.gamma - 1) * (path[None, :] - path[:, None])) / self.gamma
        short = np.asarray(self.terms - above + margin * self.distance)
        for one in self.tight:
            short[one] = -np.inf
        return short

    def _multipliers(self, x: Array) -> tuple[tuple[float, float], dict[int, float], list[Interval]]:
        (c, d), kappa = (x[:2] * self.size / self.scales[:2]).tolist(), x[2:] * self.size
        bent = {b - 2: float(y / self.scales[b]) for b, y in zip(self.used[2:], kappa, strict=True) if y > _NO_BEND}
        return (c, d), dict(sorted(bent.items())), [one for one in self.tight if one not in self.blocks]

    def _solved(self, listed: list[Interval]) -> tuple[Array, float, Array, Array] | None:
        """Return the multipliers, the margin, the prices of the listed inequalities, and what each bend would gain."""
        line, margin, bends = cp.Variable(2), cp.Variable(), len(self.used) - 2
        x = cp.hstack([line, cp.Variable(bends, nonneg=True)]) if bends else line  # CVXPY 1.8.0 has no empty variable
        free, fixed = self.lines(listed), self.lines(self.tight)
        terms, room, tight = (
            values[tuple(np.array(places).T)]
            for values, places in ((self.terms, listed), (self.distance, listed), (self.terms, self.tight))
        )
        conditions = [
            free[:, self.used] @ x - terms >= cp.multiply(room, margin),
            fixed[:, self.used] @ x == tight,
            margin <= 1,
        ]
        program = cp.Problem(cp.Maximize(margin), conditions)
        try:
            program.solve(solver=cp.SCIPY, scipy_options=dict(_SIMPLEX))
        except (cp.SolverError, ArithmeticError, ValueError):
            raise UnsupportedProblemError(INACCURATE) from None
        if x.value is None or not np.isfinite(x.value).all():
            return None
        prices, others = (np.asarray(each.dual_value, dtype=float) for each in conditions[:2])
        sides = [prices @ free + sign * (others @ fixed) for sign in (1.0, -1.0)]  # CVXPY's sign depends on the sense
        gains = min(sides, key=lambda side: float(abs(side[:2]).max()))  # c and d gain nothing
        gains[self.used] = 0.0
        return np.asarray(x.value), float(margin.value), abs(prices), gains
