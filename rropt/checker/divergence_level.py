"""The statement ``divergence-level``: the Renyi divergence at an order, or rho of zCDP (divergence_level.md).

A pair of distributions (p, q), here called laws, has the privacy losses L_i = log(p_i/q_i). Its exponent
``psi(a) = (a - 1) D_a`` is the logarithm of the mean of exp((a - 1) L) under p. The number rho is an upper bound on
the supremum of D_a/a over all orders a > 1 if ``U(a) = rho a (a - 1) - psi(a)`` is nonnegative at all of them. In each
cell of orders an expansion of the third degree proves this. All numbers are intervals.
"""

from fractions import Fraction
from itertools import pairwise
from typing import Any

from .brackets import read_kary
from .documents import Rejected, WorkBudget, bits_of, fields, items, key_of
from .intervals import ZERO, Arithmetic, Interval, read_arithmetic
from .limits import MAX_CELLS, MAX_PARAMETER_DIGITS
from .matrices import columns, read_mechanism

Atoms = tuple[tuple[Fraction, Fraction], ...]
_INFINITE = ["infinite", "infinite"]


def check_divergence_level(problem: Any, claim: Any, proof: Any) -> str:
    """Check bounds on the largest D_a at an order, or, where the order is null, on the supremum of D_a/a."""
    budget = WorkBudget()
    mechanism, order = fields(problem, ["mechanism", "order"], "problem")
    ends = fields(claim, ["lower", "upper"], "claim")
    brackets, listed, digits = fields(proof, ["brackets", "orders", "digits"], "proof")
    a = None if order is None else budget.number(order, "the order", MAX_PARAMETER_DIGITS)
    if a is not None and a < 1:
        raise Rejected("the order is below 1")
    arithmetic = read_arithmetic(digits, budget)
    laws = _read_laws(mechanism, brackets, budget)
    texts = items(listed, "orders", count=len(laws[1]) if laws and a is None else 0)
    if laws is None:
        if ends != _INFINITE:
            raise Rejected("the divergence is infinite, and the claim is another one")
        return ""
    lower, upper = (budget.number(end, "a bound") for end in ends)
    if upper < 0:
        raise Rejected("upper is below 0")
    above = [LawExponents(pair, arithmetic) for pair in laws[1]]
    below = above if laws[0] == laws[1] else [LawExponents(pair, arithmetic) for pair in laws[0]]
    lists = [[a]] * len(above) if a is not None else [read_orders(each, budget) for each in texts]
    value = LawExponents.quotient if a is None else LawExponents.divergence
    if lower > 0 and not any(
        arithmetic.of(lower)[1] <= value(pair, order)[0]
        for pair, orders in zip(below, lists, strict=False)
        for order in orders
    ):
        raise Rejected("lower is above the divergence at all of the orders")
    for pair, orders in zip(above, lists, strict=True):
        if a is None:
            require_bound(pair, upper, orders)
        elif arithmetic.of(upper)[0] < pair.divergence(a)[1]:
            raise Rejected("upper is below the divergence at the order")
    return ""


def read_orders(listed: Any, budget: WorkBudget) -> list[Fraction]:
    """Return the orders of a list with 1 in front; reject the list unless they increase strictly."""
    texts = items(listed, "the orders of a pair", most=MAX_CELLS)
    found = [Fraction(1), *(budget.number(text, "an order", MAX_PARAMETER_DIGITS) for text in texts)]
    if any(a >= b for a, b in pairwise(found)):
        raise Rejected("the orders do not increase from 1 on")
    return found


def _read_laws(mechanism: Any, brackets: Any, budget: WorkBudget) -> tuple[list[Atoms], list[Atoms]] | None:
    """Return the different pairs of laws for lower and for upper bounds, or None if a divergence is infinite."""
    if isinstance(mechanism, dict) and "kind" in mechanism:
        parity, k = read_kary(mechanism, brackets, budget)
        below, above = (_response(g, k, budget) for g in parity)
        return below, above
    items(brackets, "brackets", count=0)
    rows = read_mechanism(mechanism, "the mechanism", budget)
    columns(rows, "the mechanism", budget)
    different = matrix_laws(rows, budget)
    return None if different is None else (different, different)


def matrix_laws(rows: list[list[Fraction]], budget: WorkBudget) -> list[Atoms] | None:
    """Return the different pairs of unequal columns in the order of the page; None if a divergence is infinite."""
    inputs = [list(column) for column in zip(*rows, strict=True)]
    pairs = [_merged(p, q, budget) for i, p in enumerate(inputs) for j, q in enumerate(inputs) if i != j]
    found: dict[str, Atoms] = {}
    for pair in pairs:
        if pair is None:
            return None
        found.setdefault(key_of(*(x for atom in pair for x in atom)), pair)
    return [pair for pair in found.values() if len(pair) > 1]


def _response(g: Fraction, k: Fraction, budget: WorkBudget) -> list[Atoms]:
    """Return a list with the pair of laws of k-ary randomized response; an empty list if the two laws are equal."""
    size = g + k - 1
    budget.spend(8, bits_of(g), bits_of(k))
    pair = _merged([g / size, 1 / size, (k - 2) / size], [1 / size, g / size, (k - 2) / size], budget)
    return [pair] if pair is not None and len(pair) > 1 else []


def _merged(ps: list[Fraction], qs: list[Fraction], budget: WorkBudget) -> Atoms | None:
    """Return the atoms (p_i, q_i) by increasing odds, equal odds merged; None if the divergence is infinite."""
    found: dict[str, tuple[Fraction, Fraction, Fraction]] = {}
    budget.spend(4)
    for p, q in zip(ps, qs, strict=True):
        budget.spend(5, bits_of(p), bits_of(q))
        if not p:
            continue
        if not q:
            return None
        odds = p / q
        key = key_of(odds)
        _, one, other = found.get(key, (odds, Fraction(0), Fraction(0)))
        found[key] = odds, one + p, other + q
    return tuple((p, q) for _, p, q in sorted(found.values()))


class LawExponents:
    """The exponent psi(a) = (a - 1) D_a, and its derivatives, of a pair of laws with at least two different odds."""

    def __init__(self, atoms: Atoms, arithmetic: Arithmetic) -> None:
        self.arithmetic = arithmetic
        self._masses = [arithmetic.of(p) for p, _ in atoms]
        self._losses = [arithmetic.log(arithmetic.of(p / q)) for p, q in atoms]
        self.largest = self._losses[-1]
        self.spread = self._minus(self._losses[-1], self._losses[0])
        self._known: dict[str, tuple[Interval, ...]] = {}

    def _minus(self, a: Interval, b: Interval) -> Interval:
        return self.arithmetic.add(a, self.arithmetic.negative(b))

    def _sum(self, terms: list[Interval]) -> Interval:
        total = terms[0]
        for term in terms[1:]:
            total = self.arithmetic.add(total, term)
        return total

    def at(self, order: Fraction) -> tuple[Interval, ...]:
        """Return psi at an order, and its first three derivatives: mean, variance, third central moment of the loss.

        The moments are those under the tilted law, with weights proportional to p_i exp((a - 1) L_i).
        """
        key = str(order)
        if key not in self._known:
            self._known[key] = self._at(order)
        return self._known[key]

    def _at(self, order: Fraction) -> tuple[Interval, ...]:
        times, one = self.arithmetic.multiply, order == 1
        shift = self.arithmetic.of(order - 1)
        weights = [
            mass if one else times(mass, self.arithmetic.exp(times(shift, loss)))
            for mass, loss in zip(self._masses, self._losses, strict=True)
        ]
        total = self.arithmetic.unit if one else self._sum(weights)
        part = self.arithmetic.inverse(total)
        found = [self.arithmetic.zero if one else self.arithmetic.log(total)]
        terms = list(map(times, weights, self._losses))
        found.append(times(self._sum(terms), part))
        away = [self._minus(loss, found[1]) for loss in self._losses]
        terms = [times(w, self.arithmetic.square(x)) for w, x in zip(weights, away, strict=True)]
        found.append(times(self._sum(terms), part))
        found.append(times(self._sum(list(map(times, terms, away))), part))
        return tuple(found)

    def divergence(self, order: Fraction) -> Interval:
        """Return an interval around D_a."""
        psi, mean, *_ = self.at(order)
        return mean if order == 1 else self.arithmetic.multiply(psi, self.arithmetic.of(1 / (order - 1)))

    def quotient(self, order: Fraction) -> Interval:
        """Return an interval around D_a/a."""
        return self.arithmetic.multiply(self.divergence(order), self.arithmetic.of(1 / order))

    def is_below(self, rho: Interval, a: Fraction, b: Fraction, end: Fraction) -> bool:
        """Return whether the expansion at one endpoint (a or b) proves ``U >= 0`` on the cell [a, b]."""
        of, add, times = self.arithmetic.of, self.arithmetic.add, self.arithmetic.multiply
        psi, mean, second, third = self.at(end)
        sign = of(Fraction(1 if end == a else -1))
        c0 = self._minus(times(rho, of(end * (end - 1))), psi)
        c1 = times(sign, self._minus(times(rho, of(2 * end - 1)), mean))
        c2 = self._minus(rho, times(second, of(Fraction(1, 2))))
        square = times(self.spread, self.spread)
        grown = times(second, self.arithmetic.exp(times(self.spread, of(b - a))))
        most = min(grown[1], times(square, of(Fraction(1, 4)))[1])
        rest = times(times(square, (most, most)), of((b - a) / 24))
        c3 = self.arithmetic.negative(add(times(times(sign, third), of(Fraction(1, 6))), rest))
        step = of((b - a) / 3)
        x, y, z = times(c1, step), times(c2, times(step, step)), times(c3, times(step, times(step, step)))
        ends = (
            c0,
            add(c0, x),
            add(add(c0, times(of(Fraction(2)), x)), times(of(Fraction(3)), y)),
            add(add(c0, times(of(Fraction(3)), x)), add(times(of(Fraction(9)), y), times(of(Fraction(27)), z))),
        )
        return all(low >= ZERO for low, _ in ends)


def require_bound(exponents: LawExponents, upper: Fraction, orders: list[Fraction]) -> None:
    """Reject unless ``D_a <= upper a`` is proved in every cell of orders and beyond the last order."""
    arithmetic = exponents.arithmetic
    rho = arithmetic.of(upper)
    if arithmetic.of(upper * orders[-1])[0] < exponents.largest[1]:
        raise Rejected("upper is below the largest loss over the last order")
    for a, b in pairwise(orders):
        if not any(exponents.is_below(rho, a, b, end) for end in (a, b)):
            raise Rejected("upper is not proved in a cell of orders")
