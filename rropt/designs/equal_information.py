"""Largest mutual information for k equal proportions under one level with delta > 0: a computed bracket.

Averaging over the permutations of the categories changes neither the information nor the privacy level. So a design is
a distribution of rows r with sum 1, in which only two numbers count, with g = exp(epsilon):

    psi(r) = ln k + sum_j r_j ln r_j,    t(r) = sum_{j != l} max(0, r_j - g r_l)/(k - 1),

and the mean of t is at most delta. The optimum is the upper concave envelope of the points (t, psi) at delta.

*The design.* The rows are subset selection (t = 0), the rows with m entries 1, k - 1 - m entries g and one entry g^2
(1 <= m <= k - 2), and the row of a revealed category (t = 1). From k = 10 on, rows of three values may be better than
the mixture of the other two. One or two of these rows carry the envelope at delta, on a line ``mu + lam t``.

*The bound.* If ``psi <= mu + lam t`` on all rows, the optimum is at most ``mu + lam delta``. Both sides are
homogeneous. t is linear between the planes r_j = 0 and r_j = g r_l, and psi is convex. So the inequality holds if it
holds on *chains*: rows with zeros and values 1, g, ..., g^H up to scale, of any multiplicities. For a row of sum R, let

    T = sum_{j != l} min(r_j, g r_l),   nu = mu + lam - ln k,   kappa = lam/(k - 1),
    f = R ln R + nu R - sum_j r_j ln r_j - kappa T >= 0.

1. *Rows with one value* need nu >= 0 and mu >= 0 only, since f/R is concave in the number of entries.
2. *Removal.* Let e > 0 be the largest violation -f/R, in a row of sum 1 with d largest entries of total p. Without
   these entries, the row violates f by e at most. Hence ``h(p) = p ln(d/p) - (1-p) ln(1-p) - kappa (p (d-1) + (1-p) d
   (g+1)) + p nu < 0``. h is concave and h(1) >= 0: where h(q) >= 0, only rows with p < q remain.
3. *Nodes.* Let N entries be fixed from the top, with sum R_0, ``F = -sum r ln r`` and T_0. The other n lie in [0, V],
   have the sum Y = n V x, and are V c_j. With ``R = R_0 + Y``,

       f = R ln R + nu R + F - Y ln V - kappa (T_0 + ((g+1) N + n-1) Y)
           + V (sum_j -c_j ln c_j + kappa sum_{j != l} max(0, c_j - g c_l)).

   By Jensen's inequality over j or over l, with shares th and 1 - th, the last bracket is at least ``sum_j phi(c_j)``,
   ``phi(c) = -c ln c + kappa n (th max(0, x - g c) + (1-th) max(0, c - g x))``. phi is concave between 0, x/g, gx and
   1, so this is at least n times the lowest chord of phi at x between two of these points.
4. *Pieces.* On a piece of values x, a factor that is not concave takes its least value, the rest is replaced by its
   chord, and ``R ln R >= (1 + ln R*) R - R*``. What remains is linear: both endpoints of the piece are tested.
5. *Branching.* Where a piece fails, it is halved; where halving does not help, the number of entries equal to V is
   fixed, for each number, and only the range of R that failed is examined.

All tests are in ball arithmetic. What fails in the end is a violation, which raises the bound. No certificate repeats
this computation.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import ceil, exp, floor, log
from typing import Any, ClassVar, NamedTuple

from rropt.core.errors import UnsupportedProblemError
from rropt.core.exact.rational_bounds import ball, to_fraction
from rropt.core.lazy import numpy as np
from rropt.designs.problem import Problem
from rropt.designs.routes import RouteResult
from rropt.mechanisms import Mechanism, OrbitMechanism
from rropt.mechanisms.arrangements import count_of
from rropt.mechanisms.orbits import MAX_INPUTS
from rropt.objectives.estimators import rounded_up
from rropt.privacy.region import RationalLevels

_PRECISION = 128  # bits of the balls
_RAISED = 1e-13  # mu is raised by this times 1 + ln k: f is 0 on some rows, which no ball decides
_SHARES = (1.0, 0.8, 0.5)  # th, of which the best in floats is taken
_HALVINGS, _DEPTH = 5, 7  # of a range of x; multiplicities that are fixed after the first one
_MOST_PIECES = 150_000  # pieces that are examined before halving and branching end
_CLEAR = 1e-12  # the removal is tried at a p larger than the root of h by this, relative

Row = tuple[tuple[Fraction, int], ...]  # the values of a row up to scale, each with its multiplicity


@dataclass(frozen=True, slots=True)
class ComputedDesign(RouteResult):
    """A design with one or two kinds of rows, and the computed bound of all mechanisms.

    Attributes:
        mechanism: all permutations of these rows.
        kinds: the values of each kind of rows, as multiplicities of 0, 1, g and g^2.
    """

    mechanism: OrbitMechanism
    kinds: tuple[tuple[int, ...], ...]

    unproved: ClassVar[tuple[str, str]] = ("bound computed, no certificate", "upper bound not proved")

    @property
    def designs(self) -> tuple[Mechanism, ...]:
        """The design, in a tuple."""
        return (self.mechanism,)

    @property
    def uncertified(self) -> str:
        """What is known of the upper bound, which has no certificate."""
        return self.unproved[not self.is_closed]

    def extra_fields(self) -> dict[str, Any]:
        """Return the kinds of rows."""
        return {"rows": [list(kind) for kind in self.kinds]}

    def lines(self) -> list[tuple[str, str]]:
        """Return the kinds of rows and the status of the bound, as label and value."""
        names = ("0", "1", "exp(epsilon)", "exp(2 epsilon)")
        kinds = [", ".join(f"{n} x {name}" for n, name in zip(kind, names, strict=True) if n) for kind in self.kinds]
        how = "computed in ball arithmetic; no certificate repeats it"
        if not self.is_closed:
            how = f"{how}; the computation ended before the bound met the design"
        return [("rows, up to scale and order", "; ".join(kinds)), ("upper bound", how)]


def is_of_information(problem: Problem) -> bool:
    """Return whether the bound is computed without a certificate: for one level with delta > 0."""
    region = problem.region
    return problem.objective.has_computed_bound and region.form == "excess" and region.has_one_level


def limit_of_information(problem: Problem) -> str | None:
    """Return which limit a problem of equal proportions with delta > 0 exceeds."""
    k, region = problem.region.inputs, problem.region
    if region.outputs:
        return (
            f"mutual information with delta > 0 needs subsets of many categories: received at most {region.outputs} "
            "outputs; leave out the length in bits"
        )
    if k > MAX_INPUTS:
        return (
            f"mutual information with delta > 0: received {k} categories; allowed are at most {MAX_INPUTS}; merge "
            "categories"
        )
    return None


def information_with_delta(problem: Problem, levels: RationalLevels) -> ComputedDesign:
    """Return the design at the level below, and the bound of all mechanisms at the level above."""
    k = problem.region.inputs
    below, above = levels.below, levels.above
    if below.gamma <= 1:
        raise UnsupportedProblemError(
            f"mutual information of equal proportions with delta > 0 needs epsilon > 0: received {problem.region}; "
            "raise epsilon, for example to 1/1000"
        )
    size = problem.objective.best_subsets(k, below.gamma)
    kinds, _ = _supporting(k, float(below.gamma), float(below.delta), size)
    mechanism, used = _mechanism(k, kinds, below.gamma, below.delta)
    value = -rounded_up(-problem.objective.value(mechanism, problem.population))
    _, line = _supporting(k, float(above.gamma), float(above.delta), problem.objective.best_subsets(k, above.gamma))
    return ComputedDesign(value, max(value, InformationBound(k, above.gamma, *line).at(above.delta)), mechanism, used)


def _supporting(k: int, g: float, delta: float, size: int) -> tuple[tuple[tuple[int, ...], ...], tuple[float, float]]:
    """Return the kinds of rows of the envelope at delta, and the line (mu, lam) through their points, in floats."""
    m = np.arange(1, k - 1)
    step, many = log(g), k - 1.0 - m
    total = m + many * g + g * g
    psi = log(k) + (many * g * step + 2 * g * g * step) / total - np.log(total)
    t = m * g * (g - 1) / ((k - 1) * total)
    first = log(k) + size * g * step / (size * g + k - size) - log(size * g + k - size)
    points: list[tuple[float, float, tuple[int, ...]]] = [(0.0, first, (0, k - size, size, 0))]
    points += [(float(x), float(y), (0, int(n), int(k - 1 - n), 1)) for x, y, n in zip(t, psi, m, strict=True)]
    points.append((1.0, log(k), (k - 1, 1, 0, 0)))
    hull: list[tuple[float, float, tuple[int, ...]]] = []
    for point in sorted(points, key=lambda one: one[:2]):
        while hull and (hull[-1][0] == point[0] or _is_below(hull, point)):
            hull.pop()
        hull.append(point)
    right = next((i for i, point in enumerate(hull) if point[0] > delta), len(hull) - 1)
    a, b = hull[right - 1], hull[right]
    lam = max((b[1] - a[1]) / (b[0] - a[0]), 0.0)
    return (a[2], b[2]), (b[1] - lam * b[0] if b[0] < 1 else a[1] - lam * a[0], lam)


def _is_below(hull: Sequence[tuple[float, float, Any]], point: tuple[float, float, Any]) -> bool:
    """Return whether the last point of a hull is on or below the line from the one before it to a new point."""
    if len(hull) < 2:
        return False
    (a, x, _), (b, y, _), (c, z, _) = *hull[-2:], point
    return (y - x) * (c - a) <= (z - x) * (b - a)


def _mechanism(
    k: int, kinds: Sequence[tuple[int, ...]], gamma: Fraction, delta: Fraction
) -> tuple[OrbitMechanism, tuple[tuple[int, ...], ...]]:
    """Return the mechanism with the largest weight of the second of two kinds of rows, and the kinds that it has."""
    values = [Fraction(0), Fraction(1), gamma, gamma * gamma]
    rows = [tuple((value, n) for value, n in zip(values, kind, strict=True) if n) for kind in kinds]
    sums = [sum((value * n for value, n in row), Fraction(0)) for row in rows]
    least, most = (_excess(k, kind, gamma) / total for kind, total in zip(kinds, sums, strict=True))
    part = min(max((delta - least) / (most - least), Fraction(0)), Fraction(1))
    orbits = []
    for row, total, weight in zip(rows, sums, (1 - part, part), strict=True):
        if weight:
            count = count_of([n for _, n in row])
            orbits.append([[(weight * k * value / (total * count), n) for value, n in row]])
    used = tuple(kind for kind, weight in zip(kinds, (1 - part, part), strict=True) if weight)
    return OrbitMechanism([k], orbits), used


def _excess(k: int, kind: Sequence[int], gamma: Fraction) -> Fraction:
    """Return ``sum_{j != l} max(0, r_j - g r_l)/(k - 1)`` of a kind of rows, not scaled."""
    values = [Fraction(0), Fraction(1), gamma, gamma * gamma]
    found = sum(
        (
            n * m * max(x - gamma * y, Fraction(0))
            for x, n in zip(values, kind, strict=True)
            for y, m in zip(values, kind, strict=True)
        ),
        Fraction(0),
    )
    return found / (k - 1)


def _joined(pieces: Sequence[tuple[Any, Any, Any]]) -> list[tuple[Any, Any]]:
    """Return the ranges of pieces in ascending order, with neighbours joined."""
    found: list[tuple[Any, Any]] = []
    for a, b, _ in pieces:
        if found and found[-1][1] is a:
            found[-1] = (found[-1][0], b)
        else:
            found.append((a, b))
    return found


class _Node(NamedTuple):
    """The rows whose largest entries have fixed multiplicities: N entries, R_0, F, T_0; n others in [0, V]."""

    many: int
    total: Any
    entropy: Any
    pairs: Any
    others: int
    top: Any

    def child(self, count: int, g: Any) -> _Node:
        """Return the node in which ``count`` more entries are V, and the others at most V/g."""
        added = count * self.top
        return _Node(
            self.many + count,
            self.total + added,
            self.entropy - added * self.top.log(),
            self.pairs + (g + 1) * self.many * added + (count - 1) * added,
            self.others - count,
            self.top / g,
        )


class InformationBound:
    """The bound ``mu + lam delta`` of the information of all mechanisms, raised by the violations that remain.

    Args:
        k: the number of categories.
        gamma: g > 1.
        mu, lam: a line that is probably above the points (t, psi) of all rows.
    """

    def __init__(self, k: int, gamma: Fraction, mu: float, lam: float) -> None:
        self.k, self.gamma, self.lam = k, gamma, Fraction(lam)
        self.mu = Fraction(mu + _RAISED * (1 + log(k)))
        self._pieces = 0

    def at(self, delta: Fraction) -> Fraction:
        """Return the bound at delta, at most ln k."""
        from flint import arb, ctx

        with ctx.workprec(_PRECISION):
            self._g = ball(self.gamma)
            self._step, self._fine = self._g.log(), float(self.gamma)
            self._nu = ball(self.mu + self.lam) - arb(self.k).log()
            self._kappa = ball(self.lam / (self.k - 1))
            most = to_fraction(arb(self.k).log().upper())
            if not (self._nu >= 0 and self.mu >= 0):
                return rounded_up(most)
            worst = arb(0)
            for d in range(1, self.k):
                for lower in self._remaining(d):
                    node = _Node(d, d * self._g, -d * self._g * self._step, d * (d - 1) * self._g, self.k - d, arb(1))
                    worst = worst.max(self._violation(node, lower, arb(1), 0))
            return rounded_up(min(self.mu + self.lam * delta + to_fraction(worst.upper()), most))

    def _remaining(self, d: int) -> Iterator[Any]:
        """Yield the least x of the rows with d largest entries that the removal leaves; nothing if it leaves none."""
        from flint import arb

        n, whole = self.k - d, d * self._g
        least = whole / (whole + n)
        if self._removal(d, least) >= 0:
            return
        low, high, kappa, nu = float(least), 1.0, float(self._kappa), float(self._nu)
        for _ in range(60):
            p = (low + high) / 2
            slope = p * (d - 1) + (1 - p) * d * (self._fine + 1)
            rest = (1 - p) * log(1 - p) if p < 1 else 0.0
            low, high = (low, p) if p * log(d / p) - rest - kappa * slope + p * nu >= 0 else (p, high)
        p = arb(min(high * (1 + _CLEAR), 1.0))
        first = whole * (1 / p - 1) if p < 1 and self._removal(d, p) >= 0 else arb(0)
        yield arb((first.max(arb(1)) / n).lower())

    def _removal(self, d: int, p: Any) -> Any:
        """Return h(p), for p < 1."""
        slope = p * (d - 1) + (1 - p) * d * (self._g + 1)
        return p * (d / p).log() - (1 - p) * (1 - p).log() - self._kappa * slope + p * self._nu

    def _violation(self, node: _Node, low: Any, high: Any, depth: int) -> Any:
        """Return an upper bound of -f/R in a node for x from low to high; 0 if there is no violation."""
        from flint import arb

        worst, failing = arb(0), list[tuple[Any, Any, Any]]()
        threshold = 1 / self._g
        ends = [low, threshold, high] if low < threshold and threshold < high else [low, high]
        stack = [(a, b, _HALVINGS) for a, b in pairwise(ends)][::-1]  # from small to large x
        while stack:
            a, b, left = stack.pop()
            self._pieces += 1
            found = self._on_piece(node, a, b)
            if found is None:
                continue
            if left and self._pieces < _MOST_PIECES:
                middle = arb(((a + b) / 2).mid())
                stack += [(middle, b, left - 1), (a, middle, left - 1)]
            else:
                failing.append((a, b, found))
        if depth == _DEPTH or self._pieces >= _MOST_PIECES:
            for _, _, found in failing:
                worst = worst.max(found)
        else:
            for a, b in _joined(failing):
                worst = worst.max(self._below(node, a, b, depth))
        return worst

    def _below(self, node: _Node, a: Any, b: Any, depth: int) -> Any:
        """Return the largest violation of the rows of a node with x from a to b, by the number of entries V."""
        from flint import arb

        worst, span = arb(0), node.others * node.top
        low, high = node.total + span * a, node.total + span * b
        lower = node.top / self._g  # the largest other value
        first = float(((low - node.total - node.others * lower) / (node.top - lower)).lower())
        last = float(((high - node.total) / node.top).upper())
        # one number more where the end, as a float, may be rounded to the wrong side of an integer
        for count in range(max(1, ceil(first - 1e-6)), min(node.others, floor(last + 1e-6)) + 1):
            child = node.child(count, self._g)
            worst = worst.max(self._alone(child))
            if child.others:
                width = child.others * child.top
                x = ((low - child.total) / width).max(1 / arb(child.others))
                y = ((high - child.total) / width).min(arb(1))
                if not x > y:
                    worst = worst.max(self._violation(child, arb(x.lower()), arb(y.upper()), depth + 1))
        return worst

    def _alone(self, node: _Node) -> Any:
        """Return the violation of the row whose other entries are 0."""
        from flint import arb

        r = node.total
        value = r * r.log() + self._nu * r + node.entropy - self._kappa * node.pairs
        return (-value / r).max(arb(0))

    def _on_piece(self, node: _Node, a: Any, b: Any) -> Any | None:
        """Return an upper bound of the violation for x from a to b, where b <= 1/g or a >= 1/g; None if it is 0."""
        from flint import arb

        n, top, g, kappa = node.others, node.top, self._g, self._kappa
        is_small = not a * g >= 1
        share = self._best_share(node, float(a), float(b), is_small)
        th, rest = arb(share), arb(1 - share)
        log_ratio, slope = (g / b).log() / (g - b), (g - 1) / (g - a)
        reached = [node.total + n * top * x for x in (a, b)]
        chords = []
        for x in (a, b):
            beyond = rest * (1 - g * x) if is_small else arb(0)
            at_x = [kappa * n * x * (th * (1 - x) + beyond), x * (1 - x) * log_ratio + kappa * n * slope * x * beyond]
            if is_small:
                at_x.append(kappa * n * th * x * (g - 1) / g - x * (g * x).log())
                at_x.append(-x * x.log() - x * self._step * (g - 1) / (g + 1))
            chords.append(at_x)
        base = []
        for x, r in zip((a, b), reached, strict=True):
            y = n * top * x
            base.append(
                self._nu * r + node.entropy - y * top.log() - kappa * (node.pairs + ((g + 1) * node.many + n - 1) * y)
            )
        worst = None
        for left, right in zip(*chords, strict=True):
            ends = [base[0] + top * n * left, base[1] + top * n * right]
            width = float(reached[1] - reached[0])
            tilt = float(ends[1] - ends[0]) / width if width > 0 else 0.0
            place = exp(min(max(-1 - tilt, log(float(reached[0]))), log(float(reached[1]))))
            star = arb(place)
            values = [end + (1 + star.log()) * r - star for end, r in zip(ends, reached, strict=True)]
            if not (values[0] >= 0 and values[1] >= 0):
                found = (-values[0].min(values[1]) / reached[0]).max(arb(0))
                worst = found if worst is None else worst.max(found)
        return worst

    def _best_share(self, node: _Node, a: float, b: float, is_small: bool) -> float:
        """Return th with the largest lowest chord in the middle of a piece, in floats; 1 where g x >= 1."""
        if not is_small:
            return 1.0
        g, weight, x = self._fine, float(self._kappa) * node.others, (a + b) / 2

        def lowest(th: float) -> float:
            beyond = (1 - th) * max(0.0, 1 - g * x)
            return min(
                weight * x * (th * (1 - x) + beyond),
                x * (1 - x) * log(g / x) / (g - x) + weight * (g - 1) * x * beyond / (g - x),
                weight * th * x * (g - 1) / g - x * log(g * x),
            )

        return max(_SHARES, key=lowest)
