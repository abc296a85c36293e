"""Compute optimal designs under bounds on Renyi divergences, with any number of outputs.

Let ``h_a(x, y) = y (x/y)^a``, and ``h_1(x, y) = x log(x/y)``. A mechanism with rows p_i is in the region iff ``sum_i
h_a(p_ij, p_il) <= C_a`` for each order a of the region and each ordered pair (j, l). Every nonnegative row is allowed,
so the optimum is the value of a semi-infinite program over rows:

    minimize B = sum alpha + sum C_a lambda_a,jl   subject to   phi(p) <= alpha.p + sum lambda_a,jl h_a(p_j, p_l)

for all rows p >= 0. An exchange method solves this program. The interior-point method optimizes over finitely many
rows. A local search then finds the rows that violate the inequality most, and adds them. This is repeated until no
violation is left. Under zCDP, the orders a at which the mechanism violates ``D_a <= rho a`` are added in the same way.

The proof does not depend on floating-point numbers. The mechanism is mixed with a constant output until interval
arithmetic proves that it is in the region. Alpha is raised until the checker proves the inequality cell by cell
(checker/cells_way.md).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import permutations, product
from typing import TYPE_CHECKING, Any, cast

from rropt.checker import is_large_budget
from rropt.checker.documents import WorkBudget
from rropt.checker.intervals import Arithmetic
from rropt.core.certificates import Certificate
from rropt.core.lazy import numpy as np
from rropt.designs.drawable_designs import LONG_BITS, WORD_BITS, drawable
from rropt.designs.engine.column_generation import joined_weights
from rropt.designs.engine.interior_point import Iterate, interior_point, program
from rropt.designs.engine.polish import polished
from rropt.designs.engine.ray_designs import order_of_outputs
from rropt.designs.engine.ray_rounding import corrected_weights, support_of
from rropt.designs.problem import Problem
from rropt.designs.routes import NoDesignError, ProvedDesign
from rropt.designs.writers.bracket_writer import (
    DIVERGENCE_DIGITS,
    Curve,
    RayDual,
    Rows,
    certify_design,
    form_of,
    is_known,
)
from rropt.mechanisms import Mechanism
from rropt.objectives.estimators import rounded_matrix, rounded_to_bits, with_zero_columns
from rropt.objectives.ray_criteria import orthogonal_to
from rropt.objectives.ray_form import ScaledRays
from rropt.privacy.divergence_regions import DivergenceRegion, ZcdpRegion
from rropt.privacy.region import RationalLevels

if TYPE_CHECKING:
    from rropt.objectives.ray_criteria import Array

_GRID = {2: 61, 3: 11, 4: 6}  # points per axis of the initial grid of log ratios, by k
_OUTER = {2: 31, 3: 7, 4: 4}  # points per axis of a coarse grid beyond it, by k
_FARTHEST = 600.0  # log ratio of the grids at most
_STEEPEST = 1e100  # larger values of h, relative to C, would overflow as squares
_FAR = 3.0  # log ratio that this grid reaches at least
_TOO_STEEP = 1e5  # initial rows with a larger h, relative to C, are left out
_USED = 0.5  # fraction of each C that the initial weights use
_ROUNDS, _STEPS, _NEWTON = 40, 24, 4  # rounds of entering rows; axis steps and Newton steps of the local search
_KEEPING = 20  # last rounds in which no order is dropped: orders that bound the mechanism alone would enter again
_CLOSED = {2: 1e-11, 3: 1e-9, 4: 1e-8}  # the rounds end when the relative violation is smaller, by k
_COARSE = 1e-6  # rows around an entering row enter too if the relative violation is larger
_ENTERING = 60  # rows that enter in a round
_PARTS = (-0.5, 0.5)  # steps around an entering row, relative to the way from the nearest row with weight
_SAME = 1e-3  # rows that differ by less in every log ratio are merged into one output
_NEGLIGIBLE = 1e-9  # rows with smaller relative weights are dropped
_ROW_BITS = 48
_DENOMINATOR = 512  # largest denominator of the orders
_LARGEST = 495.0  # largest exponent of C: exp overflows above 709, and rows need some powers beyond C
_MOST_ORDER = 1000.0
_LIFT = {2: 1e-9, 3: 1e-7, 4: 1e-6}  # first increase of alpha that is tried, relative to B, by k
_COARSER = (10.0, 30.0, 100.0, 300.0, 1e3, 3e3, 1e4, 3e4, 1e5)  # factors of this increase that are tried next
_UNUSED = 1e-9  # orders with smaller multipliers, relative to B, are dropped
_VIOLATED = 1e-8  # smaller relative violations of zCDP are removed by mixing
_LOOSE = 2e-5  # the same in a second attempt: fewer orders in the dual cost the checker less for each cell
_FEW = 4  # factors of ``_COARSER`` that are tried before the second attempt
_CLOSE_ORDERS = 1.02  # orders of a pair with smaller ratios are joined
_VIOLATED_JOINED = 2e-7  # smaller relative violations are then removed by mixing
_MOST_JOINED = 3  # times that this is done
_AS_GOOD = 0.9  # an order of another pair is taken if it is violated by this part of the largest violation
_MIXED = (0.0, 1e-9, 1e-7, 1e-5)  # additional probabilities of the constant output
_RARE = Fraction(1, 10**9)  # a constant output with a smaller probability is merged into the most frequent output


Pairs = tuple[tuple[int, int], ...]  # ordered pairs of inputs
Condition = tuple[Fraction, Pairs]  # a bound on the mean divergence of an order over some pairs


def solved_by_exchange(problem: Problem, levels: RationalLevels) -> ProvedDesign:
    """Solve a problem by the exchange method, and return a design whose certificate the checker accepts.

    Raises:
        UnsupportedProblemError: the method finds no mechanism or no dual that can be verified.
    """
    first = _Exchange(problem, levels, _VIOLATED)
    has_orders = cast("DivergenceRegion", problem.region).order is None
    found = first.design(_COARSER[:_FEW] if has_orders else _COARSER)
    if found is None and has_orders:
        second = _Exchange(problem, levels, _LOOSE)
        found = second.design(_COARSER)
        first.is_long |= second.is_long
    if found is None:
        merge = ", or merge categories" * (first.k > 2)
        raise first.lost(
            f" within the default budget of the checker; allow the large one (`budget` large){merge}"
            * (first.is_long and not is_large_budget())
        )
    return found


class _Exchange:
    """The exchange method for one problem, in floating-point numbers, with rows scaled to ``r.pi = 1``.

    If the objective and the proportions do not change when categories are exchanged, the mean over all pairs of inputs
    is bounded instead. The average of a design over all permutations then has the same bounds for all pairs. The dual
    is averaged too, so that it has few orders, and all pairs have the same multiplier.

    From ``h_a(x, y)`` the method subtracts the tangent at x = y. Over the outputs of a mechanism, the tangents sum to 1
    (to 0 for a = 1). The difference is divided by the bound that the region implies for its sum. Hence each condition
    reads ``sum_i H(p_i) <= 1``, with H >= 0.
    """

    def __init__(self, problem: Problem, levels: RationalLevels, violated: float) -> None:
        self.entries: Counter[Condition] = Counter()  # a condition that enters twice stays: otherwise rounds repeat
        self._rooms: dict[Fraction, float] = {}  # by order
        self.joined = 0  # how often orders close to each other were replaced by their mean
        self.violated = violated  # orders of zCDP enter if their relative violation is larger
        self.is_long = False  # whether the checker rejected a design for its work
        self.problem, self.levels = problem, levels
        self.region = cast("DivergenceRegion", problem.region)
        self.pi, self.k = problem.population, len(problem.population)
        self.form = form_of(problem, levels)
        self.shares = np.array([float(x) for x in self.pi])
        self.pairs = list(permutations(range(self.k), 2))
        self.is_symmetric = problem.objective.has_formulas and len(set(self.pi)) == 1
        self.bounded: list[Pairs] = [tuple(self.pairs)] if self.is_symmetric else [(pair,) for pair in self.pairs]
        first = self.region.order
        self.orders = [first] if first is not None else [Fraction(1), Fraction(2)]
        self.conditions = [(a, pairs) for a in self.orders for pairs in self.bounded]

    def room(self, order: Fraction) -> float:
        """Return C_a minus the sum of the tangents.

        If D is the upper bound on D_a, this is ``exp((a - 1) D) - 1`` for a > 1, and D for a = 1.
        """
        if order in self._rooms:
            return self._rooms[order]
        from math import expm1

        level = self.region.allowed(order)
        if (float(order) - 1) * level > _LARGEST:
            raise NoDesignError(
                f"(order - 1) times the level is {(float(order) - 1) * level:.0f} at the order {float(order):g}: "
                f"received {{}}; allowed is at most {_LARGEST:.0f}, as exp of it must be a floating-point number; "
                "lower the order or the level, or give a level epsilon with delta = 0",
                self.problem,
            )
        self._rooms[order] = found = level if order == 1 else expm1((float(order) - 1) * level)
        return found

    def heights(self, rows: Array, conditions: Sequence[Condition] | None = None) -> Array:
        """Return H for each row and each condition, shape (n, q)."""
        chosen = self.conditions if conditions is None else conditions
        of_order = self.heights_by_order(rows)
        return np.stack([of_order(order, pairs) for order, pairs in chosen], 1) if chosen else np.zeros((len(rows), 0))

    def heights_by_order(self, rows: Array) -> Callable[[Fraction, Pairs], Array]:
        """Return the function that gives H of each row, shape (n,); what all orders of a pair share is kept."""
        logs = np.log(rows)
        shared: dict[tuple[int, int], tuple[Array, Array]] = {}

        def of_order(order: Fraction, pairs: Pairs) -> Array:
            a, found = float(order), np.zeros(len(rows))
            for j, i in pairs:
                if (j, i) not in shared:
                    step = logs[:, j] - logs[:, i]
                    # exp(600) is far beyond each level, and its products are still finite
                    shared[j, i] = step, np.expm1(np.minimum(step, 600))
                (step, change), x, y = shared[j, i], rows[:, j], rows[:, i]
                curved = y * (np.expm1(np.minimum(a * step, 600)) - a * change) if order != 1 else x * step - x + y
                found += np.maximum(curved, 0.0)
            return np.asarray(found / (self.room(order) * len(pairs)))

        return of_order

    def rows(self, logs: Array) -> Array:
        """Return the rows with these logarithms, scaled to ``r.pi = 1``."""
        rows = np.exp(logs - logs.max(1, keepdims=True))
        return np.asarray(rows / (rows @ self.shares)[:, None])

    def begin(self) -> None:
        """Set the initial rows, a grid that is closed under permutations, and positive weights that sum to 1."""
        level = self.region.allowed(self.orders[0])
        reach = min(4 * level**0.5 + 2 * level, _FARTHEST / 4)
        inner, outer = (
            np.array([u for u in product(range(count), repeat=self.k) if min(u) == 0], dtype=float) / (count - 1)
            for count in (_GRID[self.k], _OUTER[self.k])
        )
        outer *= 3 * reach + _FAR  # a payoff may gain only by rare outputs with a large ratio
        grid = reach * inner
        if self.form.is_piecewise_linear:
            grid = np.vstack([grid, outer[outer.max(1) > reach]])
        rows = np.exp(grid - grid.max(1, keepdims=True))
        listed = sorted({order for order, _ in self.conditions})
        every = [(order, (pair,)) for order in listed for pair in self.pairs]
        height = self.heights(rows, every).max(1)
        grid, rows, height = (x[height < _TOO_STEEP] for x in (grid, rows, height))
        theta = 1 / (1 + height) ** 2  # invariant under permutations: the weighted rows have equal sums
        used = theta @ self.heights(rows, every)
        mass = theta @ rows
        theta = theta * min(_USED / mass.max(), _USED / used.max())
        flat = np.flatnonzero(grid.max(1) == 0)[0]
        theta[flat] += 1 - (theta @ rows)[0]
        self.logs = grid
        self.weights = theta * (rows @ self.shares)

    def weighed(self) -> tuple[Any, Iterate]:
        """Optimize the weights, adding violating rows and orders; return the criterion and the solution."""
        self.begin()
        rows = self.rows(self.logs)
        basis = orthogonal_to(np.ones(self.k))
        c = rows @ basis
        values, vectors = np.linalg.eigh((c * self.weights[:, None]).T @ c)
        self.root = basis @ (vectors / np.sqrt(values)) @ vectors.T
        for last in range(_ROUNDS - 1, -1, -1):
            rows, first = self.rows(self.logs), len(self.weights)
            self.count = len(rows)
            heights, ones = self.heights(rows), np.ones(len(self.conditions))
            given = program(rows @ self.root, heights, ones)
            criterion = self.form.criterion(ScaledRays(rows, rows - 1, self.root, given.c))
            begun = np.concatenate([self.weights, ones - heights[:first].T @ self.weights])
            entering = 1 / (1 + np.minimum(heights[first:].max(1, initial=0.0), _STEEPEST)) ** 2
            start = begun if len(rows) == first else joined_weights(given, first, begun, entering)
            point = interior_point(given, criterion, start)
            if criterion.is_polished:
                point = polished(given, criterion, point)
            found = self._violations(point)
            is_closed = not len(found) or self.worst < _CLOSED[self.k] * self._size(point)
            drops = last > _KEEPING
            is_done = not last or (not self._exchanged_orders(rows, point, is_closed, drops=drops) and is_closed)
            if is_done and (not last or not self._joined_orders(point)):
                break
            self.logs = np.vstack([self.logs, found])
        return criterion, point

    def _at(self, logs: Array) -> tuple[Any, Array]:
        """Return the criterion of the rows with these logarithms, and ``(1, c, H)`` with their contrasts c."""
        rows = self.rows(logs)
        c = rows @ self.root
        affine = np.column_stack([np.ones(len(c)), c, self.heights(rows)])
        return self.form.criterion(ScaledRays(rows, rows - 1, self.root, c)), affine

    def _excess(self, logs: Array, point: Iterate) -> Array:
        """Return the violation ``phi_Y - g`` at the rows with these logarithms."""
        criterion, affine = self._at(logs)
        v = np.array(point.v)
        at = len(v) - len(self.conditions)
        v[at:] = np.maximum(v[at:], 0.0)  # a multiplier of -1e-17 would matter where H is large
        return np.asarray(criterion.values(point.y) - affine @ v)

    def _size(self, point: Iterate) -> float:
        """Return the size of the terms of B; v[0] alone may be 0."""
        return float(abs(point.v[0]) + np.maximum(point.v[-len(self.conditions) :], 0.0).sum())

    def _violations(self, point: Iterate) -> Array:
        """Return the positive local maxima of ``phi_Y - g`` found from rows with large weight or small slack."""
        n = len(self.logs)
        heavy = np.argsort(-point.w[:n])[: 6 * self.k * self.k]
        near = np.argsort(point.z[:n])[: 6 * self.k * self.k]
        logs = self.logs[np.union1d(heavy, near)]
        logs = _climbed(lambda x: self._excess(x, point), logs - logs.min(1, keepdims=True))
        values = self._excess(logs, point)
        self.worst = float(values.max())
        order = np.argsort(-values)
        kept: list[Any] = []
        for i in order[values[order] > 0]:
            own = logs[i] - logs[i].min()
            # climbs that end nearer to each other have found one maximum
            if all(np.abs(own - other).max() > 1e-6 for other in kept) and len(kept) < _ENTERING:
                kept.append(own)
        found = np.array(kept).reshape(-1, self.k)
        return self._surrounded(found, self.logs[heavy]) if self.worst > _COARSE * self._size(point) else found

    def _surrounded(self, found: Array, heavy: Array) -> Array:
        """Return the found rows and rows around them, at steps as long as the way from the nearest row with weight.

        Without them the optimum moves by a fraction of this way in a round, and the violation only halves.
        """
        rows = [found]
        if len(found):
            apart = np.abs(found[:, None, :] - (heavy - heavy.min(1, keepdims=True))[None, :, :]).max(2)
            near = apart.min(1)[:, None]
            for axis in np.eye(self.k):
                rows += [found + part * near * axis for part in _PARTS]
        whole = np.vstack(rows)
        return np.asarray(whole - whole.min(1, keepdims=True))

    def _exchanged_orders(self, rows: Array, point: Iterate, is_closed: bool, *, drops: bool) -> bool:
        """Add the orders at which the weights violate zCDP most, one for each pair, and drop the unused ones.

        Args:
            rows: the rows of the weights.
            point: the solution.
            is_closed: whether no row violates the inequality; then unused orders may go even if none is added.
            drops: whether unused orders are dropped at all.

        Returns:
            Whether the orders have changed.
        """
        if self.region.order is not None:
            return False
        w = np.maximum(point.w[: len(rows)], 0)
        new: list[Condition] = []
        of_order = self.heights_by_order(rows)
        for pair in self.bounded:
            order, part = self._worst_order(of_order, w, pair)
            if part > self.violated:
                known = {each for each, _ in [*self.conditions, *new]}  # an order of another pair may do as well
                uses = {each: float(w @ of_order(each, pair)) - 1 for each in known}
                best = max(uses, key=lambda each: uses[each])
                order = best if uses[best] > _AS_GOOD * part else order
                if (order, pair) not in self.conditions:
                    new.append((order, pair))
        multipliers = point.v[-len(self.conditions) :]
        self.entries.update(new if self.is_symmetric else [])
        least = _UNUSED * self._size(point)
        used = [
            c
            for c, x in zip(self.conditions, multipliers, strict=True)
            if not drops or x > least or self.entries[c] > 1
        ]
        if not new and (len(used) == len(self.conditions) or not is_closed):
            return False
        before, conditions = self.conditions, sorted({*used, *new})
        if not conditions or conditions == before:  # none is used if the best design reveals nothing
            return False
        self._replaced(conditions)
        return True

    def _replaced(self, conditions: Sequence[Condition]) -> None:
        """Take other conditions, and begin again with all rows that were found."""
        known = self.logs
        self.conditions = sorted(conditions)
        self.begin()  # the initial weights must satisfy the new conditions strictly
        kept = self.heights(self.rows(known)).max(1) < _TOO_STEEP
        rest = [u for u in known[kept] if np.abs(self.logs - u).max(1).min() > 0]
        self.logs = np.vstack([self.logs, *(u[None, :] for u in rest)])

    def _joined_orders(self, point: Iterate) -> bool:
        """Replace orders of a pair that are close to each other by their mean, weighted with the multipliers.

        The checker's work for a cell is proportional to the number of conditions. The divergence depends on the order
        only to second order around the one where it comes closest to its bound.
        """
        if self.region.order is not None or not self.is_symmetric or self.joined == _MOST_JOINED:
            return False
        self.joined += 1
        found: dict[Pairs, list[list[float]]] = {}
        weights = np.maximum(point.v[-len(self.conditions) :], 0.0)
        for (order, pair), x in sorted(zip(self.conditions, weights, strict=True), key=lambda each: each[0][0]):
            groups = found.setdefault(pair, [])
            if groups and order != 1 and float(order) < _CLOSE_ORDERS * groups[-1][0]:
                mean, weight = groups[-1]
                total = weight + x
                groups[-1] = [(mean * weight + float(order) * x) / total if total > 0 else mean, total]
            else:
                groups.append([float(order), float(x)])
        conditions = [
            (Fraction(1) if mean == 1 else Fraction(mean).limit_denominator(8 * _DENOMINATOR), pair)
            for pair, groups in found.items()
            for mean, _ in groups
        ]
        if len(conditions) == len(self.conditions):
            return False
        self.violated = max(self.violated, _VIOLATED_JOINED)
        self._replaced(conditions)
        return True

    def _worst_order(
        self, of_order: Callable[[Fraction, Pairs], Array], w: Array, pairs: Pairs
    ) -> tuple[Fraction, float]:
        """Return the order that nearly maximizes ``sum H`` for some pairs, and the value ``sum H - 1`` there."""

        def at(order: float) -> float:
            exact = Fraction(1) if order == 1 else Fraction(order).limit_denominator(_DENOMINATOR)
            return float(w @ of_order(exact, pairs)) - 1

        # 60 orders find the neighbourhood of the largest value, which golden section then refines
        grid = [1.0, *(1 + np.geomspace(1e-2, _MOST_ORDER, 60))]
        # exp of a larger exponent overflows as a square
        values = [at(a) for a in grid if self.region.allowed(Fraction(a)) * (a - 1) < 300]
        best = int(np.argmax(values))
        low, high = grid[max(best - 1, 0)], grid[min(best + 1, len(values) - 1)]
        for _ in range(30):
            # golden section; 30 steps leave a millionth of the interval
            a, b = low + 0.382 * (high - low), low + 0.618 * (high - low)
            low, high = (low, b) if at(a) > at(b) else (a, high)
        order = (low + high) / 2 if at((low + high) / 2) > values[best] else grid[best]
        exact = Fraction(1) if order == 1 else max(Fraction(1), Fraction(order).limit_denominator(_DENOMINATOR))
        return exact, at(float(exact))

    def design(self, coarser: Sequence[float]) -> ProvedDesign | None:
        """Return the design with the narrowest verified bracket, or None if the checker accepts none in its budget.

        Args:
            coarser: the factors of the first increase of alpha that are tried.
        """
        criterion, point = self.weighed()
        mechanism, orders = self.mechanism(point)
        mechanism = self.form.completed(mechanism, lambda: mechanism, lambda _: False)
        proved = self.form.proved(mechanism)
        if proved is None:
            raise self.lost()
        value, primal = proved
        more = {**primal, "brackets": [{"orders": orders}]} if self.region.order is None else primal
        dual, first = self.dual(criterion, point), _LIFT[self.k]

        def verified(lift: float) -> ProvedDesign | None:
            """Return the design with alpha raised by ``lift abs(B) pi``, or None if the checker rejects it.

            If the checker does not know the objective, the inequality rests on the violations that floats found.
            """
            raised = dual.raised(Fraction(lift) * abs(dual.bound()), self.pi)
            found = ProvedDesign.between(value, self.form.bound(raised), mechanism, raised, more)
            if not is_known(self.problem):
                return found
            proof = Certificate.attempt(lambda: certify_design(self.problem, self.levels, found))
            self.is_long |= "more work" in proof.failure
            return found if not proof.failure or proof.is_missing else None

        best = verified(first)
        if best is not None:
            return verified(first / 10) or best
        for times in reversed(coarser):  # a smaller alpha needs more cells in the proof: only the last trial is long
            found = verified(first * times)
            if found is None:
                break
            best = found
        return best

    def dual(self, criterion: Any, point: Iterate) -> RayDual:
        """Return the dual at a point, with alpha raised by the largest violation found in floating-point arithmetic."""
        worst = max(0.0, float(self._excess(self.logs, point).max()), getattr(self, "worst", 0.0))
        matrix, scale = self.form.witness(criterion, point.y, self.root)
        v, d = point.v / scale, self.root.shape[1]
        alpha = (v[0] + worst / scale) * self.shares + self.root @ v[1 : 1 + d]
        found: dict[Fraction, Any] = {}
        for (order, pairs), x in zip(self.conditions, np.maximum(v[1 + d :], 0.0), strict=True):
            a = float(order)
            weight = x / self.room(order) / len(pairs)
            square = found.setdefault(order, np.zeros((self.k, self.k)))
            # smaller multipliers are rounding errors of the interior point
            if x > 1e-13 * self._size(point) / scale:
                for j, i in pairs:
                    square[j, i] = weight
                    alpha[j] -= weight * (a if order != 1 else 1)
                    alpha[i] += weight * (a - 1 if order != 1 else 1)
        if self.is_symmetric:
            alpha, matrix = np.full(self.k, alpha.mean()), averaged(matrix, self.form.takes_any_width)
        # under a bound at one order the certificate names it, even if no condition has a multiplier
        orders = tuple(order for order in sorted(found) if found[order].any() or order == self.region.order)
        curves = tuple(Curve(a, tuple(map(tuple, rounded_matrix(found[a]))), self._allowed(a)) for a in orders)
        (rounded,) = rounded_matrix(alpha[None])
        return RayDual(tuple(rounded), (), matrix, curves=curves)

    def _allowed(self, order: Fraction) -> Fraction:
        """Return an upper bound on C_a that exceeds the interval bound computed with the certificate's digits."""
        arithmetic = Arithmetic(DIVERGENCE_DIGITS, WorkBudget())
        if self.levels.listed:
            nats = arithmetic.log(arithmetic.of(self.levels.listed[0].above.gamma))
        else:
            nats = arithmetic.of(cast("ZcdpRegion", self.region).rho * order)
        found = nats if order == 1 else arithmetic.exp(arithmetic.multiply(nats, arithmetic.of(order - 1)))
        return Fraction(found[1]) * (1 + Fraction(1, 10 ** (DIVERGENCE_DIGITS - 5)))

    def mechanism(self, point: Iterate) -> tuple[Mechanism, tuple[tuple[Fraction, ...], ...]]:
        """Return a mechanism of the region close to the weights, and under zCDP the orders that prove membership."""
        places = np.arange(self.count)
        support, weights = support_of(places, np.maximum(point.w[: len(places)], 0), self._moments, _NEGLIGIBLE)
        w = dict(zip(support, weights, strict=True))
        outputs: list[Any] = []
        turns = [*permutations(range(self.k))] if self.is_symmetric else [tuple(range(self.k))]
        for n, turn in product(sorted(support, key=lambda place: -w[place]), turns):
            row = w[n] / len(turns) * self.rows(self.logs[[n]])[0][[*turn]]
            near = [o for o in outputs if np.abs(np.log(o / o.max()) - np.log(row / row.max())).max() < _SAME]
            if near:
                near[0] += row
            else:
                outputs.append(row)
        rows = np.array(outputs)
        rows = rows / rows.sum(1, keepdims=True)
        exact = [[rounded_to_bits(float(x), float(x), _ROW_BITS) for x in row] for row in rows]
        theta = [Fraction(float(o.sum())) for o in outputs]
        theta = corrected_weights(theta, [(list(column), Fraction(1)) for column in zip(*exact, strict=True)])
        if min(theta) < 0 or min(min(row) for row in exact) <= 0:
            raise self.lost()
        part = self._mixing(np.array([float(t) for t in theta]), np.array([[float(x) for x in r] for r in exact]))
        for more, bits in product(_MIXED, (WORD_BITS, LONG_BITS)):
            near = _with_constant(exact, theta, Fraction(part + more))
            made = drawable(near, lambda each: self.region.proof(each) is not None, bits=bits)
            if made is not None:
                orders = self.region.proof(made) or []
                return Mechanism([made.row(i) for i in order_of_outputs(made)]), tuple(map(tuple, orders))
        raise self.lost()

    def _moments(self, kept: Any) -> Array:
        """Return the quantities whose weighted sums must not change when rows are dropped.

        These are the columns, the values H, and the moments of the objective.
        """
        criterion, affine = self._at(self.logs[kept])
        return np.column_stack([affine, criterion.moments()])

    def _mixing(self, theta: Array, rows: Array) -> float:
        """Return the probability of a constant output with which every sum of H is at most 1."""
        part = 0.0
        pi = rows @ self.shares
        for pair in self.pairs:
            orders = [order for order, pairs in self.conditions if pair in pairs]
            if self.region.order is None:
                of_order = self.heights_by_order(rows / pi[:, None])
                orders.append(self._worst_order(of_order, theta * pi, (pair,))[0])
            for order in orders:
                used = float(theta @ self.heights(rows, [(order, (pair,))])[:, 0])
                part = max(part, 1 - 1 / used if used > 1 else 0.0)
        return part

    def lost(self, advice: str = "") -> NoDesignError:
        """Return the error of a problem for which no design was found or proved."""
        advice = (
            advice or "; its parameters are extreme: round them, raise or lower the level, or please report the problem"
        )
        return NoDesignError(
            f"the exchange method found no design that can be proved{advice}: received {{}}", self.problem
        )


def _with_constant(rows: Rows, theta: Sequence[Fraction], part: Fraction) -> list[list[Fraction]]:
    """Return the weighted rows, mixed with a constant output of probability ``part``; a rare one joins another row."""
    made = [[(1 - part) * t * x for x in row] for t, row in zip(theta, rows, strict=True)]
    if part < _RARE:
        largest = max(range(len(made)), key=lambda i: min(made[i]))
        made[largest] = [x + part for x in made[largest]]
    else:
        made.append([part] * len(made[0]))
    return made


def averaged(matrix: Any, takes_any_width: bool) -> Any:
    """Return a matrix W for which phi is the same for all permutations of a row, from the mean over permutations.

    A square W becomes a multiple of ``I - J/k`` with the same trace. Another W becomes such a multiple with the same
    sum of squares if the objective takes any number of columns, and otherwise, nearly, a root of such a multiple.
    """
    if matrix is None:
        return None
    w = np.array([[float(x) for x in row] for row in matrix])
    k = len(w)
    length = float(np.sqrt((w**2).sum() / (k - 1)))
    if w.shape[1] != k and not takes_any_width:
        top = np.linalg.cholesky(np.eye(k - 1) - 1 / k) * length
        return with_zero_columns(np.vstack([top, -top.sum(0)]))
    part = sum((matrix[j][j] for j in range(k)), Fraction(0)) / (k - 1) if w.shape[1] == k else Fraction(length)
    return tuple(tuple(part * (k * (i == j) - 1) / k for i in range(k)) for j in range(k))


def _climbed(f: Any, points: Array) -> Array:
    """Maximize f locally from each point: coordinate steps that are halved, then finite-difference Newton steps."""
    n, k = points.shape
    best, step = f(points), np.full(n, 0.3)  # a first step within the unit cube; each failure halves it
    moves = np.vstack([np.eye(k), -np.eye(k)])
    for _ in range(_STEPS):
        tried = points[:, None, :] + step[:, None, None] * moves[None, :, :]
        values = f(tried.reshape(-1, k)).reshape(n, len(moves))
        chosen = values.argmax(1)
        gains = values[np.arange(n), chosen] > best
        points = np.where(gains[:, None], tried[np.arange(n), chosen], points)
        best = np.where(gains, values[np.arange(n), chosen], best)
        step = np.where(gains, step, step / 2)
    # h is the fourth root of the rounding error, which suits second differences
    axes, h = np.eye(k)[: k - 1], 1e-4
    for _ in range(_NEWTON):
        ahead = np.stack([f(points + h * e) for e in axes], 1)
        behind = np.stack([f(points - h * e) for e in axes], 1)
        slope = (ahead - behind) / (2 * h)
        curve = np.zeros((n, k - 1, k - 1))
        for a in range(k - 1):
            curve[:, a, a] = (ahead[:, a] - 2 * best + behind[:, a]) / h**2
            for b in range(a):
                cross = f(points + h * (axes[a] + axes[b])) - ahead[:, a] - ahead[:, b] + best
                curve[:, a, b] = curve[:, b, a] = cross / h**2
        # no move along directions without curvature, such as that of a common factor
        change = np.stack([np.linalg.lstsq(m, -s, rcond=1e-10)[0] for m, s in zip(curve, slope, strict=True)])
        tried = points + np.clip(np.pad(change, ((0, 0), (0, 1))), -0.5, 0.5)
        values = f(tried)
        gains = values > best
        points, best = np.where(gains[:, None], tried, points), np.where(gains, values, best)
    return np.asarray(points)
