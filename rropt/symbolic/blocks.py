"""Divergences of two distributions of many categories: the value of blocks of ratios, and its proof by multipliers.

Sort the categories by ``pi_j/q_j``; those with equal ratios are one *group*. Let u = gamma - 1, F(a, b) the term of the
divergence, and ``F(I) = F(1 + u pi(I), 1 + u q(I))`` for an interval I of groups. Randomized response of m blocks
I_1, ..., I_m of the order has the value

    V(gamma) = sum_i F(I_i)/(u + m).

Blocks come from CVXPY (``convex.blocks``), with multipliers in floats. Let

    y_j = c pi_j + d q_j + sum_i kappa_i max(0, pi_j q_i - pi_i q_j),   kappa_i >= 0.

*The solution.* ``V + u y(I_i) = F(I_i)`` is required of the blocks, so that ``sum y = V``. These equations for c, d and
kappa have a rational matrix: unknowns that they leave free are V times a rational number near that of CVXPY, the others
are solved for. So each unknown is ``sum_i D_i F(I_i)/u + (e/u + h) V`` with rational D, e, h, at every gamma.

*The proof.* ``F(I) <= V + u y(I)`` on all intervals implies that no private mechanism has a value above V:

1. Let S be a set of categories, r its row of gamma on S and 1 elsewhere, and T the linear function that supports F at
   (r.pi, r.q): ``T <= F``, with equality there. F is convex and homogeneous of degree 1, so T exists.
2. With T_j = T(pi_j, q_j) and I the set of all j with T_j > y_j, ``F(r.pi, r.q) - V - u y(S)`` is
   ``T(1, 1) - V + u sum_S (T_j - y_j)``, which is at most ``T(1, 1) - V + u sum_I (T_j - y_j)``.
3. y - T is convex and homogeneous as a function of (pi_j, q_j), so that it is negative on a convex cone: the ratios of
   I follow each other. I is an interval of groups, or empty.
4. So 2 is at most ``F(I) - V - u y(I) <= 0``; if I is empty it is ``F(1, 1) - V = -V``, and ``V >= 0``.
5. Hence ``F(r.pi, r.q) <= V + u y(S) = sum_j y_j r_j`` on the edges of the cone of private rows, and, as F is convex
   and homogeneous, on all private rows. The sum over the rows of a mechanism is ``sum F <= sum_j y_j = V``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

import sympy as sp
from flint import arb, arb_series, ctx, fmpq, fmpq_mat

from rropt.core.errors import UnsupportedProblemError
from rropt.core.results.guesses import BlockGuess
from rropt.core.visible import with_noun
from rropt.symbolic.balls import enclosed
from rropt.symbolic.extents import stretched
from rropt.symbolic.fields import Field, ProofRefusedError
from rropt.symbolic.objectives.divergences import part
from rropt.symbolic.posing import Form
from rropt.symbolic.programs import levels_of
from rropt.symbolic.sums import At, Sum, total
from rropt.symbolic.symbols import gamma

_BITS = 256
_MOST_GROUPS = 16  # for which the interval of gamma is sought: 136 conditions on each step
_ONE: dict[str, Callable[[Any, Any, fmpq], Any]] = {
    "chi-square": lambda a, b, _: (a - b) * (a - b) / b,
    "kullback-leibler": lambda a, b, _: a * (a / b).log(),
    "hellinger": lambda a, b, _: (a + b) / 2 - (a * b).sqrt(),
    "jensen-shannon": lambda a, b, _: (a * (2 * a / (a + b)).log() + b * (2 * b / (a + b)).log()) / 2,
    "alpha-divergence": lambda a, b, n: (
        ((a.log() * n + b.log() * (1 - n)).exp() - a * n - b * (1 - n)) / arb(n * (n - 1))
    ),
}
"""The terms for intervals of numbers and for their series; a and b are positive."""

_WRITTEN: dict[str, Callable[[sp.Expr, sp.Expr, sp.Rational], sp.Expr]] = {
    "chi-square": lambda a, b, _: (a - b) ** 2 / b,
    "kullback-leibler": lambda a, b, _: a * sp.log(a / b),
    "hellinger": lambda a, b, _: (sp.sqrt(a) - sp.sqrt(b)) ** 2 / 2,
    "jensen-shannon": lambda a, b, _: (a * sp.log(2 * a / (a + b)) + b * sp.log(2 * b / (a + b))) / 2,
    "alpha-divergence": lambda a, b, n: (a**n * b ** (1 - n) - n * a - (1 - n) * b) / (n * (n - 1)),
}
"""The terms as expressions."""

Interval = tuple[int, int]


class Unknown(NamedTuple):
    """A multiplier as ``sum_i D_i F(I_i)/u + (e/u + h) V``.

    Attributes:
        terms: D, by the interval I_i.
        plain: e.
        scaled: h.
    """

    terms: Sequence[fmpq]
    plain: fmpq
    scaled: fmpq


class RatioCuts:
    """Blocks of a divergence with multipliers that prove their value.

    Args:
        data: the problem as JSON.
        guess: what CVXPY found.

    Attributes:
        data: the problem as JSON.
        own: its objective.
        k: the number of categories.
        level: gamma.
        groups: the categories of each group, in the order of the ratios.
        cuts: where the blocks begin and end, from 0 to the number of groups.
        bends: the groups at which y bends.
        equal: the intervals that are found without slack, besides those whose equations are solved.

    Raises:
        UnsupportedProblemError: the problem is no divergence of two distributions at one level with delta = 0.
        ProofRefusedError: the blocks are no intervals of the order, or their equations have no solution.
    """

    def __init__(self, data: Mapping[str, Any], guess: BlockGuess) -> None:
        self.data, region, self.own = data, data["region"], data["objective"]
        if region["kind"] != "differential-privacy" or region.get("family", "all") != "all":
            raise UnsupportedProblemError("no blocks of likelihood ratios for several levels, bounds, or other regions")
        if self.own["kind"] not in _ONE or region.get("outputs", "any") != "any":
            raise UnsupportedProblemError("no blocks of likelihood ratios for this objective and number of outputs")
        self.k, given = int(region["inputs"]), data["population"]
        (level,) = levels_of(region, self.k)
        self.level = level.values[gamma]
        if level.delta is not None or self.level == 1:
            raise UnsupportedProblemError("no blocks of likelihood ratios with delta, or at epsilon = 0")
        listed = given if isinstance(given, list) else [Fraction(1, self.k)] * self.k
        shares = [[Fraction(x) for x in line] for line in (listed, self.own["against"])]
        self.order = Fraction(self.own.get("order", 0))
        ratios: dict[Fraction, list[int]] = {}
        for j, (p, q) in enumerate(zip(*shares, strict=True)):
            ratios.setdefault(p / (p + q) if p + q else Fraction(0), []).append(j)
        self.groups = [ratios[x] for x in sorted(ratios)]
        self.pi, self.q = ([_fmpq(sum(line[j] for j in group)) for group in self.groups] for line in shares)
        self.sums = [_partial(line) for line in (self.pi, self.q)]
        self._place = {j: n for n, group in enumerate(self.groups) for j in group}
        blocks = [self._interval(block) for block in guess.blocks]
        if [end for _, end in blocks[:-1]] != [start for start, _ in blocks[1:]]:
            raise ProofRefusedError("SymPy: the blocks that CVXPY found do not follow each other")
        self.cuts = [0, *(end for _, end in blocks)]
        if blocks[0][0] != 0 or self.cuts[-1] != len(self.groups):
            raise ProofRefusedError("SymPy: the blocks that CVXPY found are no partition of the categories")
        self.equal: set[Interval] = set()
        self.tight = [self._interval(each) for each in guess.tight]
        self.bends = [self._place[i] for i, _ in guess.bends]
        self._guess = [*guess.line, *(x for _, x in guess.bends)]

    def _interval(self, categories: Sequence[int]) -> Interval:
        """Return the interval of a set of categories."""
        places = {self._place[j] for j in categories}
        start, end = min(places), max(places) + 1
        if sum(len(group) for group in self.groups[start:end]) != len(set(categories)):
            raise ProofRefusedError("SymPy: a set of categories that CVXPY found is no interval of likelihood ratios")
        return start, end

    @property
    def blocks(self) -> list[Interval]:
        """The blocks."""
        return list(pairwise(self.cuts))

    def members(self, interval: Interval) -> list[int]:
        """Return the categories of an interval, ascending."""
        return sorted(j for group in self.groups[interval[0] : interval[1]] for j in group)

    def intervals(self) -> Iterator[Interval]:
        """Yield all intervals."""
        n = len(self.groups)
        return ((s, t) for s in range(n) for t in range(s + 1, n + 1))

    # --- the multipliers ----------------------------------------------------------------------------------------------

    @cached_property
    def functions(self) -> list[list[fmpq]]:
        """The partial sums of pi, q and the bends, at the cuts."""
        bent = [
            [max(fmpq(0), p * self.q[i] - self.pi[i] * q) for p, q in zip(self.pi, self.q, strict=True)]
            for i in self.bends
        ]
        return [*self.sums, *map(_partial, bent)]

    def _on(self, interval: Interval) -> list[fmpq]:
        s, t = interval
        return [line[t] - line[s] for line in self.functions]

    @cached_property
    def equations(self) -> list[Interval]:
        """The blocks, and other intervals without slack whose equations do not follow from those of the others."""
        kept: list[Interval] = []
        for one in [*self.blocks, *self.tight]:
            rank = fmpq_mat([self._on(each) for each in [*kept, one]]).rref()[1]
            if rank > len(kept):
                kept.append(one)
            elif one in self.blocks:
                raise ProofRefusedError("SymPy: the multipliers that CVXPY found cannot make all blocks tight")
        return kept

    @cached_property
    def unknowns(self) -> list[Unknown]:
        """The multipliers: c, d, and kappa of each bend."""
        rows, n = [self._on(one) for one in self.equations], len(self.functions)
        size = [
            abs(x) * max(abs(int(y.p) / int(y.q)) for y in line)
            for x, line in zip(self._guess, self.functions, strict=True)
        ]
        order = sorted(range(n), key=lambda column: -size[column])  # those with the largest part are solved for
        count = len(rows)
        augmented = [
            [*(row[j] for j in order), *(fmpq(int(i == j)) for j in range(count))] for i, row in enumerate(rows)
        ]
        reduced = fmpq_mat(augmented).rref()[0].tolist()
        value = self._value_in_floats()
        free = {j: _fmpq(self._guess[j] / value) for j in range(n)}
        found: list[Unknown] = [Unknown([fmpq(0)] * count, fmpq(0), free[j]) for j in range(n)]
        pivots = [next(place for place, x in enumerate(line) if x) for line in reduced]
        for line, pivot in zip(reduced, pivots, strict=True):
            terms = list(line[n:])
            rest = sum((line[c] * free[order[c]] for c in range(n) if c not in pivots and line[c]), fmpq(0))
            found[order[pivot]] = Unknown(terms, -sum(terms, fmpq(0)), -rest)
        return found

    def _value_in_floats(self) -> float:
        with ctx.workprec(_BITS):
            value = float(self.at(enclosed(self.level, {})).value.mid())
        if not value > 0:
            raise ProofRefusedError("SymPy: the value of the blocks that CVXPY found is not positive")
        return value

    @cached_property
    def heights(self) -> tuple[list[list[fmpq]], list[fmpq], list[fmpq]]:
        """The parts D, e and h of the partial sums of y, at the cuts."""
        columns = list(zip(*self.functions, strict=True))
        own = self.unknowns
        terms = [[_dot(column, [x.terms[i] for x in own]) for i in range(len(self.equations))] for column in columns]
        plain = [_dot(column, [x.plain for x in own]) for column in columns]
        return terms, plain, [_dot(column, [x.scaled for x in own]) for column in columns]

    # --- numbers ------------------------------------------------------------------------------------------------------

    def term(self, x: Any, interval: Interval) -> Any:
        """Return F of an interval at gamma, as an interval of numbers or a series of them."""
        s, t = interval
        a, b = ((x - 1) * (line[t] - line[s]) + 1 for line in self.sums)
        return _ONE[self.own["kind"]](a, b, _fmpq(self.order))

    def at(self, x: Any) -> Numbers:
        """Return the numbers at gamma, an interval of numbers or a series of them."""
        return Numbers(self, x)

    def conditions(self, x: Any) -> Iterator[tuple[Any, str, Any]]:
        """Yield all numbers that are nonnegative where the proof holds, each with what it is.

        Args:
            x: gamma, as an interval of numbers or a series of them.
        """
        own = self.at(x)
        for n in range(len(self.bends)):
            yield own.unknown(n + 2), "kappa", n
        equations = set(self.equations)
        for interval in self.intervals():
            if interval not in equations:
                yield own.slack(interval), "slack", interval

    def exactly(self, what: str, which: Any) -> Sum:
        """Return one of the ``conditions`` times u + m, in symbols."""
        field = Field({gamma: self.level})
        u = field(gamma) - field.one
        terms = [self._exact_term(field, one) for one in self.equations]
        whole = u + field(len(self.blocks))
        value = total(terms[: len(self.blocks)])  # times u + m, as all others

        def combined(parts: Sequence[fmpq], plain: fmpq, scaled: fmpq) -> Sum:
            own = total(each.times(_element(field, x) * whole) for each, x in zip(terms, parts, strict=True) if x)
            return own + value.times(_element(field, plain) + _element(field, scaled) * u)

        if what == "kappa":
            return combined(*self.unknowns[which + 2])
        (s, t), (parts, plain, scaled) = which, self.heights
        own = [x - y for x, y in zip(parts[t], parts[s], strict=True)]
        return (
            value
            + combined(own, plain[t] - plain[s], scaled[t] - scaled[s])
            - self._exact_term(field, which).times(whole)
        )

    def _exact_term(self, field: Field, interval: Interval) -> Sum:
        s, t = interval
        u = field(gamma) - field.one
        a, b = (u * _element(field, line[t] - line[s]) + field.one for line in self.sums)
        return part(field, self.own, a, b)

    # --- the form -----------------------------------------------------------------------------------------------------

    def value(self) -> sp.Expr:
        """Return ``sum_i F(I_i)/(gamma - 1 + m)``."""
        n = sp.Rational(self.order.numerator, self.order.denominator)
        terms = []
        for s, t in self.blocks:
            a, b = (sp.together(1 + (gamma - 1) * _rational(line[t] - line[s])) for line in self.sums)
            terms.append(_WRITTEN[self.own["kind"]](a, b, n))
        return sp.Add(*terms) / (gamma - 1 + len(self.blocks))

    def mechanism(self) -> sp.ImmutableMatrix:
        """Return randomized response of the blocks, the columns in the order of the problem."""
        size = gamma - 1 + len(self.blocks)
        rows = [[1 / size] * self.k for _ in self.blocks]
        for row, block in zip(rows, self.blocks, strict=True):
            for j in self.members(block):
                row[j] = gamma / size
        return sp.ImmutableMatrix(rows)

    def extent(self) -> tuple[sp.Expr, sp.Expr]:
        """Return the ends of the interval of gamma around the level on which the proof holds; of many groups none."""
        if len(self.groups) > _MOST_GROUPS:
            return self.level, self.level
        identities = {
            (what, which)
            for value, what, which in self.conditions(arb_series([enclosed(self.level, {}), arb(1)], 3))
            if not value[0] > 0 and not self.exactly(what, which)
        }

        def holds(ball: arb) -> bool:
            middle = arb(ball.mid())
            step = ball - middle
            near, far = (self.conditions(arb_series([x, arb(1)], 3)) for x in (middle, ball))
            return all(
                one[0] + one[1] * step + other[2] * step * step > 0
                for (one, what, which), (other, _, _) in zip(near, far, strict=True)
                if (what, which) not in identities
            )

        with ctx.workprec(_BITS):
            return stretched(self.level, holds, sp.Integer(1), sp.oo)

    def form(self) -> Form:
        """Return the optimum as a form; where it holds is computed when it is first read."""

        def domain() -> Any:
            low, high = self.extent()
            if low == high:
                return sp.Eq(gamma, self.level)
            return sp.And(sp.Ge(gamma, low), sp.Le(gamma, high))

        theorem = (
            f"{with_noun(len(self.blocks), 'block')} of likelihood ratios (Ghazi 2026), proved by multipliers that are "
            "convex in the ratio"
        )
        return Form(self.value(), theorem, domain, self.mechanism(), {gamma: self.level}, is_sum=True)


class Numbers:
    """Values of the multipliers at gamma, as intervals of numbers or series of them."""

    def __init__(self, own: RatioCuts, x: Any) -> None:
        self.own, self.x, self.u = own, x, x - 1
        count = len(own.blocks)
        self.value = sum((own.term(x, one) for one in own.blocks[1:]), own.term(x, own.blocks[0])) / (self.u + count)

    @cached_property
    def terms(self) -> list[Any]:
        """F of the equations."""
        return [self.own.term(self.x, one) for one in self.own.equations]

    def _combined(self, parts: Sequence[fmpq], plain: fmpq, scaled: fmpq) -> Any:
        found = self.value * (self.u * scaled + plain)
        for each, x in zip(self.terms, parts, strict=True):
            found = found + each * x
        return found

    def unknown(self, n: int) -> Any:
        """Return u times a multiplier."""
        return self._combined(*self.own.unknowns[n])

    @cached_property
    def heights(self) -> list[Any]:
        """U times the partial sums of y, at the cuts."""
        return [self._combined(*three) for three in zip(*self.own.heights, strict=True)]

    def slack(self, interval: Interval) -> Any:
        """Return ``V + u y(I) - F(I)``."""
        s, t = interval
        return self.value + self.heights[t] - self.heights[s] - self.own.term(self.x, interval)


def proved(data: Mapping[str, Any], guess: BlockGuess) -> RatioCuts:
    """Return blocks whose value is proved to be the optimum at the level.

    Conditions are proved in intervals of numbers; one whose interval contains 0 is computed in symbols.

    Raises:
        ProofRefusedError: a condition of the proof is violated.
        UnsupportedProblemError: the problem is none of these.
    """
    found = RatioCuts(data, guess)
    with ctx.workprec(_BITS):
        unsure = []
        for value, what, which in found.conditions(enclosed(found.level, {})):
            if value < 0:
                raise ProofRefusedError(_VIOLATED[what])
            if not value > 0:
                unsure.append((what, which))
    if unsure:
        at = At(Field({gamma: found.level}))
        for what, which in unsure:
            sign = at.sign(found.exactly(what, which))
            if sign < 0:
                raise ProofRefusedError(_VIOLATED[what])
            if not sign and what == "slack":
                found.equal.add(which)
    return found


_VIOLATED = {
    "kappa": "SymPy: a multiplier is not convex in the likelihood ratio",
    "slack": "SymPy: an interval of likelihood ratios has a larger term than the multipliers of the blocks allow",
}


def _fmpq(x: Any) -> fmpq:
    return fmpq(Fraction(x).numerator, Fraction(x).denominator)


def _rational(x: fmpq) -> sp.Rational:
    return sp.Rational(int(x.p), int(x.q))


def _element(field: Field, x: fmpq) -> Any:
    return field(_rational(x))


def _partial(line: Sequence[fmpq]) -> list[fmpq]:
    found = [fmpq(0)]
    for x in line:
        found.append(found[-1] + x)
    return found


def _dot(one: Sequence[fmpq], other: Sequence[fmpq]) -> fmpq:
    return sum((x * y for x, y in zip(one, other, strict=True) if x and y), fmpq(0))
