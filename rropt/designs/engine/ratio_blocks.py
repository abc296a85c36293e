"""Optimal designs for divergences of two distributions: blocks of the order of the likelihood ratios.

Sort the categories by ``pi_j/q_j``, cut them into blocks, and report the block by randomized response: some design of
this form is optimal for every f-divergence (Ghazi, Sort, Partition, Randomize, 2026). The value of m blocks is

    sum_i phi(1 + u pi(I_i), 1 + u q(I_i)) / (u + m),   u = gamma - 1

*The design.* For a number v the longest path in ``phi(I) - v`` over the intervals I gives the best blocks; Dinkelbach's
method raises v to the value of these blocks until it stays. Each path takes O(k^2).

*The bound.* ``alpha_j = c pi_j + d q_j + sum_i kappa_i max(0, pi_j q_i - pi_i q_j)`` with kappa >= 0 needs
``phi(r) <= alpha.r`` on the rows of the intervals alone (checker/blocks_way.md). A linear program in floats finds which
of these inequalities are tight, and one in fractions makes the numbers exact. Bends at the categories beside the cuts
suffice for most problems, at all categories for nearly all. Where no such alpha proves the value of the blocks, the
bracket stays open, and the caller lists the rays if they are few enough.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate, pairwise
from math import ceil
from typing import TYPE_CHECKING, Any, NamedTuple

from rropt.core import linear
from rropt.core.lazy import numpy as np

if TYPE_CHECKING:
    from rropt.objectives.ray_criteria import Array

_ROUNDS = 100  # of added inequalities, and of Dinkelbach's method: a few are needed
_TIGHT = 1e-9  # inequalities that are nearer to equality in floats, relative to the largest term, are tested exactly
_CLOSED = 1e-11  # gaps in floats, relative to the value or the scale of a bend, that are rounding errors
_SAME = 1e-12  # the error of a violation in floats, relative to the largest term, is far below
_NO_BEND = 1e-12  # smaller multipliers, relative to the largest, are rounding errors of the linear program
_MOST_EXACT = 24  # bends of an exact program: a second
_BITS = 150  # of the numbers of the bound where the terms are enclosed: more than the digits of their logarithms
_SHORT_BITS = 60  # of the numbers of a bound that comes from floats

Interval = tuple[int, int]


class RatioDual(NamedTuple):
    """The multipliers of the way of blocks: c, d, and kappa by the category i of its bend."""

    line: tuple[Fraction, Fraction]
    bends: tuple[tuple[int, Fraction], ...]

    def alpha(self, pi: Sequence[Fraction], q: Sequence[Fraction]) -> list[Fraction]:
        """Return alpha, shape (k,)."""
        (c, d), found = self.line, []
        for p, x in zip(pi, q, strict=True):
            bent = sum((w * max(Fraction(0), p * q[i] - pi[i] * x) for i, w in self.bends), Fraction(0))
            found.append(c * p + d * x + bent)
        return found


class RatioBlocks(NamedTuple):
    """The categories in the order of their ratios, and the terms of all intervals in floats, over ``gamma``."""

    form: Any  # of a divergence
    objective: Any
    pi: tuple[Fraction, ...]  # sorted
    q: tuple[Fraction, ...]
    order: tuple[int, ...]
    gamma: Fraction
    sums: tuple[list[Fraction], list[Fraction]]  # partial sums of pi and q
    terms: Array  # (k + 1, k + 1): of the interval from s to t, divided by gamma; -inf unless s < t

    @classmethod
    def of(cls, form: Any, objective: Any, gamma: Fraction) -> RatioBlocks:
        """Return the blocks of a problem at a level above 1."""
        pi, q = form.pi, objective.against
        ratios = [p / (p + x) if p + x else Fraction(-1) for p, x in zip(pi, q, strict=True)]
        order = tuple(sorted(range(len(pi)), key=ratios.__getitem__))
        u = float(gamma - 1)

        def sums(line: Sequence[Fraction]) -> Array:
            return np.array([float(x) for x in _sums([line[j] for j in order])])

        p, o, apart = (sums(line) for line in (pi, q, [x - y for x, y in zip(pi, q, strict=True)]))
        a, b, d = (u * (line[None, :] - line[:, None]) for line in (p, o, apart))
        below = np.tri(len(p), dtype=bool)
        with np.errstate(all="ignore"):
            terms = objective.float_terms(1 + np.abs(a), 1 + np.abs(b), d) / (1 + u)
        terms = np.where(below, -np.inf, np.nan_to_num(terms, nan=0.0))
        first, second = (tuple(line[j] for j in order) for line in (pi, q))
        return cls(form, objective, first, second, order, gamma, (_sums(first), _sums(second)), terms)

    def best(self) -> list[int]:
        """Return the ends of the best blocks, ascending; the last one is k."""
        k, u, value, ends = len(self.pi), float(self.gamma - 1), 0.0, list[int]()
        for _ in range(_ROUNDS):
            longest, back = np.zeros(k + 1), np.zeros(k + 1, int)
            for t in range(1, k + 1):
                found = longest[:t] + self.terms[:t, t] - value
                back[t] = int(np.argmax(found))
                longest[t] = found[back[t]]
            cuts, t = list[int](), k
            while t > 0:
                cuts.append(t)
                t = int(back[t])
            cuts.reverse()
            own = self._value(cuts, u)
            if ends and own <= value * (1 + 1e-15):  # below the rounding error of a sum
                return ends
            value, ends = own, cuts
        return ends

    def _value(self, ends: Sequence[int], u: float) -> float:
        """Return the value of blocks in floats, over gamma."""
        total = sum(self.terms[s, t] for s, t in pairwise([0, *ends]))
        return float(total / (u + len(ends)))

    def rows(self, ends: Sequence[int], gamma: Fraction) -> list[list[Fraction]]:
        """Return the matrix of randomized response of blocks, its columns in the order of the categories."""
        place = {j: n for n, j in enumerate(self.order)}
        share = 1 / (gamma - 1 + len(ends))
        return [
            [share * (gamma if s <= place[j] < t else 1) for j in range(len(self.order))]
            for s, t in pairwise([0, *ends])
        ]

    def dual(self, ends: Sequence[int]) -> RatioDual | None:
        """Return the multipliers of the least bound that was found; None if the solver fails."""
        found = self._in_floats(ends)
        if found is None:
            return None
        line, kappa = found
        bends, numbers = list(kappa), [*line, *kappa.values()]
        exact = self._exactly(bends, numbers, ends) if len(bends) <= _MOST_EXACT else None
        return self._placed(exact or self._lifted(bends, [Fraction(x) for x in numbers], _SHORT_BITS))

    def _placed(self, dual: RatioDual) -> RatioDual:
        """Return the multipliers with the bends at the categories as given, in ascending order."""
        bends = sorted((self.order[i], x) for i, x in dual.bends if x)
        return RatioDual(dual.line, tuple(bends))

    def _basis(self, bends: Sequence[int]) -> Array:
        """Return the functions pi, q and ``max(0, pi_j q_i - pi_i q_j)``, shape (n, k), in floats."""
        p, q = (np.array([float(x) for x in line]) for line in (self.pi, self.q))
        own = [*bends]
        return np.vstack([p, q, np.maximum(0.0, p[None, :] * q[own, None] - p[own, None] * q[None, :])])

    def _in_floats(self, ends: Sequence[int]) -> tuple[list[float], dict[int, float]] | None:
        """Return c and d, and kappa by its category, of the least bound; None if the solver fails.

        The program begins with few intervals and with bends beside the cuts. Violated inequalities are added, and then
        the bends that would lower the bound.
        """
        from scipy.optimize import linprog

        k, u = len(self.pi), float(self.gamma - 1)
        basis = self._basis(range(k))
        scales = np.abs(basis).max(1)
        scales[scales == 0] = 1.0
        basis = basis / scales[:, None]
        sums = np.hstack([np.zeros((len(basis), 1)), np.cumsum(basis, axis=1)])
        size = float(np.abs(self.terms[np.isfinite(self.terms)]).max())
        if not size > 0:
            return None
        terms, total, value = self.terms / size, sums[:, -1], self._value(ends, u) / size
        used = [0, 1, *sorted({i + 2 for end in ends[:-1] for i in (end - 1, end) if 0 < i < k - 1})]
        listed = {*pairwise([0, *ends]), *((0, t) for t in range(1, k + 1)), *((s, k) for s in range(k))}
        tolerance = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}  # the least of HiGHS
        for _ in range(_ROUNDS):
            starts, stops = np.array(sorted(listed)).T
            left = (total[:, None] + u * (sums[:, stops] - sums[:, starts])).T / (1 + u)
            found = linprog(
                total[used],
                A_ub=-left[:, used],
                b_ub=-terms[starts, stops],
                bounds=[(None, None)] * 2 + [(0, None)] * (len(used) - 2),
                method="highs-ds",
                options=tolerance,
            )
            if found.status:
                return None
            path = found.x @ sums[used]
            short = terms - (path[-1] + u * (path[None, :] - path[:, None])) / (1 + u)
            # a tenth of the tolerance of HiGHS; below the second number, rounding errors
            worst = self._nearest(short, 2.0, 2 * k) if short.max() > 1e-11 else set[Interval]()
            added = {one for one in worst if short[one] > 1e-12} - listed
            if added:
                listed |= added
                continue
            lowering = total + left.T @ found.ineqlin.marginals  # of the bound, for each bend
            lowering[[0, 1, *used]] = 0.0
            if found.fun <= value * (1 + u) * (1 + _CLOSED) or lowering.min() > -_CLOSED:
                break
            used += [int(n) for n in np.argsort(lowering)[: 2 * len(ends)] if lowering[n] < -_CLOSED]
        x = found.x * size / scales[used]
        least = _NO_BEND * float(np.max(found.x[2:], initial=0.0))
        kappa = {n - 2: float(y) for n, y, own in zip(used, x, found.x, strict=True) if n > 1 and own > least}
        return [float(y) for y in x[:2]], dict(sorted(kappa.items()))

    def _exactly(self, bends: Sequence[int], near: Sequence[float], ends: Sequence[int]) -> RatioDual | None:
        """Return the multipliers of the least bound with these bends in fractions; None if the program fails.

        The inequalities that are nearly tight in floats enter, and then those that the result violates.
        """
        functions = [_sums(own) for own in (self.pi, self.q, *(self._bend(i) for i in bends))]
        listed, numbers = set(pairwise([0, *ends])), list[Fraction]()
        added = self._nearest(self._short(bends, near), _TIGHT, 4 * len(near))
        terms = dict[Interval, Fraction]()
        for _ in range(_ROUNDS):
            listed |= added
            builder = linear.ProgramBuilder("minimise")
            columns = [
                builder.variable(f"x{n}", cost=own[-1], sign="free" if n < 2 else "nonnegative")
                for n, own in enumerate(functions)
            ]
            for s, t in sorted(listed):
                left = {x: self._on_row(own, s, t) for x, own in zip(columns, functions, strict=True)}
                terms[s, t] = terms.get((s, t)) or self.term(s, t)
                builder.row(f"interval {s} {t}", left, ">=", terms[s, t])
            found = linear.optimum(builder.build())
            if found is None:
                return None
            numbers = list(found.primal)
            added = self._violated(bends, numbers)
            if not added:
                break
        else:
            return None
        if self.form.is_rational:
            return RatioDual((numbers[0], numbers[1]), tuple(zip(bends, numbers[2:], strict=True)))
        return self._lifted(bends, numbers, _BITS)

    def _lifted(self, bends: Sequence[int], numbers: Sequence[Fraction], bits: int) -> RatioDual:
        """Return the multipliers with short numbers, and c raised until no inequality is violated."""
        size = max(map(abs, numbers)) or Fraction(1)
        places = bits + size.denominator.bit_length() - size.numerator.bit_length()
        unit = Fraction(2) ** places
        c, d, *kappa = (Fraction(round(x * unit)) / unit for x in numbers)
        dual = RatioDual((c, d), tuple(zip(bends, kappa, strict=True)))
        alpha, pi = _sums(dual.alpha(self.pi, self.q)), _sums(self.pi)
        need = max(
            ((self.term(s, t) - self._on_row(alpha, s, t)) / self._on_row(pi, s, t))
            for s, t in self._nearest(self._short(bends, [c, d, *kappa]), _SAME, None)
        )
        need = max(need, -alpha[-1])
        return RatioDual((c + Fraction(ceil(need * unit)) / unit, d), dual.bends) if need > 0 else dual

    def _bend(self, i: int) -> list[Fraction]:
        """Return ``max(0, pi_j q_i - pi_i q_j)`` of each category."""
        return [max(Fraction(0), p * self.q[i] - self.pi[i] * x) for p, x in zip(self.pi, self.q, strict=True)]

    def _on_row(self, sums: Sequence[Fraction], s: int, t: int) -> Fraction:
        """Return ``line.r`` for the row r of an interval, from the partial sums of a line."""
        return sums[-1] + (self.gamma - 1) * (sums[t] - sums[s])

    def term(self, s: int, t: int) -> Fraction:
        """Return ``phi(r)`` for the row r of an interval, or a number above it."""
        high: Fraction = self.form.phi_at(*(self._on_row(line, s, t) for line in self.sums))
        return high

    def _short(self, bends: Sequence[int], numbers: Sequence[Any]) -> Array:
        """Return by how much the inequality of each interval is violated, in floats, relative to the largest term."""
        u = float(self.gamma - 1)
        alpha = np.array([float(x) for x in numbers]) @ self._basis(bends)
        path = np.concatenate([[0.0], np.cumsum(alpha)])
        size = float(np.abs(self.terms[np.isfinite(self.terms)]).max())
        above = (path[-1] + u * (path[None, :] - path[:, None])) / (1 + u)
        return np.asarray((self.terms - above) / size)

    @staticmethod
    def _nearest(short: Array, within: float, most: int | None) -> set[Interval]:
        """Return the intervals whose violation is nearest to the worst one, at most some of them."""
        order = np.argsort(short, axis=None)[::-1][:most]
        worst = short.max()
        return {divmod(int(at), len(short)) for at in order if short.flat[at] > worst - within}

    def _violated(self, bends: Sequence[int], numbers: Sequence[Fraction]) -> set[Interval]:
        """Return the intervals whose inequality the multipliers violate, in fractions."""
        dual = RatioDual((numbers[0], numbers[1]), tuple(zip(bends, numbers[2:], strict=True)))
        alpha, short = _sums(dual.alpha(self.pi, self.q)), self._short(bends, numbers)
        near = zip(*np.nonzero(short > -_SAME), strict=True)
        found = [(int(s), int(t)) for s, t in near if self.term(int(s), int(t)) > self._on_row(alpha, int(s), int(t))]
        found.sort(key=lambda one: -short[one])
        return set(found[: 4 * len(numbers)])


def _sums(line: Sequence[Fraction]) -> list[Fraction]:
    """Return the partial sums of a line, from the sum of nothing on."""
    return list(accumulate(line, initial=Fraction(0)))
