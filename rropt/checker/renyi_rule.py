"""Renyi divergence at one order, and zCDP: the supremum of D_a/a over all orders a (rule 29, renyi_rule.md).

A pair of distributions (p, q), here called laws, has the privacy losses L_i = log(p_i/q_i). Its exponent
``psi(a) = (a - 1) D_a`` is the logarithm of the mean of exp((a - 1) L) under p. The number rho is an upper bound if
``U(a) = rho a (a - 1) - psi(a)`` is nonnegative at all orders a > 1. In each cell of orders an expansion of the third
degree proves this. All numbers are intervals.
"""

from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple

from .brackets import gamma_bracket
from .documents import Budget, Rejected, bits_of, fields, items, of_kind
from .intervals import ZERO, Arithmetic, Interval
from .limits import MAX_COVER_CELLS, MAX_COVER_DIGITS, MAX_PARAMETER_DIGITS, MAX_ZCDP_CATEGORIES
from .matrices import columns, read_mechanism

Atoms = tuple[tuple[Fraction, Fraction], ...]
_INFINITE = "infinite"


class _Laws(NamedTuple):
    """The different pairs of laws at the lower level (for lower bounds) and at the upper level (for upper bounds)."""

    below: list[Atoms]
    above: list[Atoms]


def check_renyi(problem: Any, claim: Any, witness: Any) -> None:
    """Check a claim of kind divergence; reject it unless both bounds are proved at the order."""
    budget = Budget()
    mechanism, order = of_kind(problem, "renyi", ["mechanism", "order"], "problem")
    ends = of_kind(claim, "divergence", ["lower", "upper"], "claim")
    laws, (digits,) = _laws(mechanism, witness, ["digits"], budget)
    a = budget.number(order, "the order", MAX_PARAMETER_DIGITS)
    if a < 1:
        raise Rejected("the order is below 1")
    arithmetic = _arithmetic(digits, budget)
    if _is_infinite(laws, ends):
        return
    lower, upper = (budget.number(end, "a bound") for end in ends)
    found = [Exponents(pair, arithmetic).divergence(a) for pair in laws.above]
    least = found if laws.below == laws.above else [Exponents(pair, arithmetic).divergence(a) for pair in laws.below]
    if lower > 0 and not any(arithmetic.of(lower)[1] <= low for low, _ in least):
        raise Rejected("lower is above the divergence at the order")
    if upper < 0 or any(arithmetic.of(upper)[0] < high for _, high in found):
        raise Rejected("upper is below the divergence at the order")


def check_zcdp(problem: Any, claim: Any, witness: Any) -> None:
    """Check a claim of kind rho; reject it unless both bounds on the supremum of D_a/a are proved."""
    budget = Budget()
    (mechanism,) = of_kind(problem, "zcdp", ["mechanism"], "problem")
    ends = of_kind(claim, "rho", ["lower", "upper"], "claim")
    laws, (listed, digits) = _laws(mechanism, witness, ["orders", "digits"], budget)
    arithmetic = _arithmetic(digits, budget)
    if _is_infinite(laws, ends):
        items(listed, "the orders of no pair", count=0)
        return
    lower, upper = (budget.number(end, "a bound") for end in ends)
    lists = [read_orders(each, budget) for each in items(listed, "orders", count=len(laws.above), most=MAX_COVER_CELLS)]
    if upper < 0:
        raise Rejected("upper is below 0")
    is_proved = lower <= 0
    for i, (pair, orders) in enumerate(zip(laws.above, lists, strict=True)):
        exponents = Exponents(pair, arithmetic)
        require_bound(exponents, upper, orders)
        if not is_proved and i < len(laws.below):
            least = exponents if laws.below[i] == pair else Exponents(laws.below[i], arithmetic)
            is_proved = any(arithmetic.of(lower)[1] <= least.quotient(order)[0] for order in orders)
    if not is_proved:
        raise Rejected("lower is above the quotient at all of the orders")


def _arithmetic(text: Any, budget: Budget) -> Arithmetic:
    digits = budget.number(text, "digits", MAX_PARAMETER_DIGITS)
    if digits.denominator != 1 or not 1 <= digits <= MAX_COVER_DIGITS:
        raise Rejected(f"digits is not a whole number from 1 to {MAX_COVER_DIGITS}")
    return Arithmetic(int(digits), budget)


def read_orders(listed: Any, budget: Budget) -> list[Fraction]:
    """Return the orders of a list with 1 in front; reject the list unless they increase strictly."""
    texts = items(listed, "the orders of a pair", most=MAX_COVER_CELLS)
    found = [Fraction(1), *(budget.number(text, "an order", MAX_PARAMETER_DIGITS) for text in texts)]
    if any(a >= b for a, b in pairwise(found)):
        raise Rejected("the orders do not increase from 1 on")
    return found


def _is_infinite(laws: _Laws | None, ends: list[Any]) -> bool:
    """Return whether a divergence is infinite; reject a claim that then has other bounds than infinite ones."""
    if laws is None and ends != [_INFINITE, _INFINITE]:
        raise Rejected("the divergence is infinite, and the claim is another one")
    return laws is None


def _laws(mechanism: Any, witness: Any, names: list[str], budget: Budget) -> tuple[Any, list[Any]]:
    """Return the laws of a mechanism, or None if a divergence is infinite, and the fields ``names`` of the witness."""
    if isinstance(mechanism, dict) and "kind" in mechanism:
        local, categories = of_kind(mechanism, "kary", ["local", "categories"], "the mechanism")
        _, own, *rest = fields(witness, ["rule", "local", *names], "witness")
        k = budget.number(categories, "categories", MAX_PARAMETER_DIGITS)
        if not 2 <= k <= MAX_ZCDP_CATEGORIES:
            raise Rejected(f"categories is not a number from 2 to {MAX_ZCDP_CATEGORIES}")
        bracket = gamma_bracket(local, own, budget)
        below = _response(bracket.below, k, budget)
        return _Laws(below, below if bracket.below == bracket.above else _response(bracket.above, k, budget)), rest
    _, *rest = fields(witness, ["rule", *names], "witness")
    rows = read_mechanism(mechanism, "the mechanism", budget)
    columns(rows, "the mechanism", budget)
    different = matrix_laws(rows, budget)
    return None if different is None else _Laws(different, different), rest


def matrix_laws(rows: list[list[Fraction]], budget: Budget) -> list[Atoms] | None:
    """Return the different pairs of unequal columns, ordered as in renyi_rule.md; None if a divergence is infinite."""
    inputs = [list(column) for column in zip(*rows, strict=True)]
    pairs = [_merged(p, q, budget) for i, p in enumerate(inputs) for j, q in enumerate(inputs) if i != j]
    found: dict[str, Atoms] = {}
    for pair in pairs:
        if pair is None:
            return None
        found.setdefault(";".join(f"{n:x}" for p, q in pair for x in (p, q) for n in x.as_integer_ratio()), pair)
    return [pair for pair in found.values() if len(pair) > 1]


def _response(g: Fraction, k: Fraction, budget: Budget) -> list[Atoms]:
    """Return a list with the pair of laws of k-ary randomized response; an empty list if the two laws are equal."""
    size = g + k - 1
    budget.spend(8, bits_of(g), bits_of(k))
    pair = _merged([g / size, 1 / size, (k - 2) / size], [1 / size, g / size, (k - 2) / size], budget)
    return [pair] if pair is not None and len(pair) > 1 else []


def _merged(ps: list[Fraction], qs: list[Fraction], budget: Budget) -> Atoms | None:
    """Return the atoms (p_i, q_i) by increasing odds, equal odds merged; None if the divergence is infinite."""
    found: dict[str, tuple[Fraction, Fraction, Fraction]] = {}  # texts as keys: the hashes of numbers can collide
    for p, q in zip(ps, qs, strict=True):
        budget.spend(3, bits_of(p), bits_of(q))
        if not p:
            continue
        if not q:
            return None
        odds = p / q
        key = "/".join(f"{n:x}" for n in odds.as_integer_ratio())
        _, one, other = found.get(key, (odds, Fraction(0), Fraction(0)))
        found[key] = odds, one + p, other + q
    return tuple((p, q) for _, p, q in sorted(found.values()))


class Exponents:
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
        terms = [times(w, times(x, x)) for w, x in zip(weights, away, strict=True)]
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


def require_bound(exponents: Exponents, upper: Fraction, orders: list[Fraction]) -> None:
    """Reject unless ``D_a <= upper a`` is proved in every cell of orders and beyond the last order."""
    arithmetic = exponents.arithmetic
    rho = arithmetic.of(upper)
    if arithmetic.of(upper * orders[-1])[0] < exponents.largest[1]:
        raise Rejected("upper is below the largest loss over the last order")
    for a, b in pairwise(orders):
        if not any(exponents.is_below(rho, a, b, end) for end in (a, b)):
            raise Rejected("upper is not proved in a cell of orders")
