"""Objectives that are sums over outputs of a convex, homogeneous function phi of the row (design_bracket.md).

``read_sum`` returns phi as a function that maps a row of integers to a lower and an upper rational bound. Both are
exact if phi is rational; otherwise logarithms and roots are enclosed. A mixture over distributions is a sum of such
functions.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from .documents import Rejected, WorkBudget, bits_of
from .information import Information
from .intervals import Arithmetic, Interval
from .limits import MAX_PARAMETER_DIGITS
from .matrices import dot, over_one_denominator, read_matrix, read_population, widest

Ends = tuple[Fraction, Fraction]
Phi = Callable[[Sequence[int]], Ends]
Term = Callable[[Fraction, Fraction], Ends]
EnclosedTerm = Callable[[Fraction, Fraction, Arithmetic], Interval]

_ENCLOSED = 10  # largest order of an alpha-divergence, in absolute value, and largest denominator of an order


def read_sum(objective: Any, pi: Sequence[Fraction], budget: WorkBudget, arithmetic: Arithmetic | None) -> Phi | None:
    """Return phi of an objective at a distribution; None if the objective is not such a sum.

    Args:
        objective: its JSON, with exactly the keys of its kind.
        pi: the distribution, shape (k,).
        budget: the work budget of the certificate.
        arithmetic: for logarithms and roots; None if the certificate gives no digits.
    """
    kind, lines = objective["kind"], lines_of(objective, pi, budget)
    if lines is not None:
        return greatest(lines, budget)
    if kind == "mutual-information":
        return Information(pi, _needed(arithmetic)).ends
    if kind in DIVERGENCES and kind != "chi-square":
        return _divergence(*read_pair_term(objective, pi, budget, arithmetic), pi, budget)
    return None


def read_pair_term(
    objective: Any, pi: Sequence[Fraction], budget: WorkBudget, arithmetic: Arithmetic | None
) -> tuple[list[Fraction], Term]:
    """Return the other distribution of a divergence, and its term as a function of ``a = p.pi`` and ``b = p.q``."""
    kind, q = objective["kind"], _against(objective, pi, budget)
    if kind == "total-variation":
        return q, _of_total_variation
    if kind == "chi-square":
        return q, _of_chi_square
    enclosed = _needed(arithmetic)
    if kind in _TERMS:
        term = _TERMS[kind]
    else:
        order = budget.number(objective["order"], "the order", MAX_PARAMETER_DIGITS)
        if order in (0, 1) or abs(order) > _ENCLOSED or order.denominator > _ENCLOSED:
            raise Rejected("the order of the divergence is out of range")
        if order.denominator == 1:
            return q, _of_whole_order(int(order), budget)
        term = _alpha(order)

    def ends(a: Fraction, b: Fraction) -> Ends:
        low, high = term(a, b, enclosed) if a or b else enclosed.zero
        return Fraction(low), Fraction(high)

    return q, ends


def lines_of(objective: Any, pi: Sequence[Fraction], budget: WorkBudget) -> list[list[Fraction]] | None:
    """Return the linear functions whose largest is phi, of a payoff or a total variation; None for others."""
    kind = objective["kind"]
    if kind == "payoff":
        payoffs = read_matrix(objective["matrix"], "payoffs", budget, (None, len(pi)))
        budget.spend(len(payoffs) * len(pi), max(bits_of(x) for row in payoffs for x in row), max(map(bits_of, pi)))
        return [[p * u for p, u in zip(pi, row, strict=True)] for row in payoffs]
    if kind == "total-variation":
        q = _against(objective, pi, budget)
        halves = [(x - y) / 2 for x, y in zip(pi, q, strict=True)]
        return [halves, [-x for x in halves]]
    return None


def is_enclosed(objective: Any) -> bool:
    """Return whether phi needs logarithms or roots."""
    kind = objective["kind"]
    return kind == "mutual-information" or kind == "alpha-divergence" or kind in _TERMS


def mixture(parts: Sequence[tuple[Fraction, Phi]], budget: WorkBudget) -> Phi:
    """Return the function ``sum_b w_b phi_b``."""

    def phi(row: Sequence[int]) -> Ends:
        low = high = Fraction(0)
        for weight, each in parts:
            below, above = each(row)
            budget.spend(4, bits_of(low) + bits_of(weight), max(bits_of(below), bits_of(above)))
            low, high = low + weight * below, high + weight * above
        return low, high

    return phi


def _needed(arithmetic: Arithmetic | None) -> Arithmetic:
    if arithmetic is None:
        raise Rejected("the digits of logarithms are missing")
    return arithmetic


def _against(objective: Any, pi: Sequence[Fraction], budget: WorkBudget) -> list[Fraction]:
    return read_population(objective["against"], len(pi), budget, "against")


def greatest(lines: Sequence[Sequence[Fraction]], budget: WorkBudget) -> Phi:
    """Return the function that is the largest of linear functions of the row."""
    vectors = [over_one_denominator(line, budget) for line in lines]

    def phi(row: Sequence[int]) -> Ends:
        longest = widest(row)
        budget.spend((2 + len(row)) * len(vectors), longest, max(vector.bits for vector in vectors))
        value = max(Fraction(dot(row, vector.numerators), vector.denominator) for vector in vectors)
        return value, value

    return phi


def _divergence(q: Sequence[Fraction], term: Term, pi: Sequence[Fraction], budget: WorkBudget) -> Phi:
    pair = _chances(pi, q, budget)
    return lambda row: term(*pair(row))


def _chances(
    pi: Sequence[Fraction], q: Sequence[Fraction], budget: WorkBudget
) -> Callable[[Sequence[int]], tuple[Fraction, Fraction]]:
    vectors = [over_one_denominator(line, budget) for line in (pi, q)]

    def pair(row: Sequence[int]) -> tuple[Fraction, Fraction]:
        longest, own = widest(row), max(vector.bits for vector in vectors)
        budget.spend_in_bulk(2 * len(row), longest, own)
        budget.spend(4, longest + own, longest + own)
        a, b = (Fraction(dot(row, vector.numerators), vector.denominator) for vector in vectors)
        return a, b

    return pair


def _of_total_variation(a: Fraction, b: Fraction) -> Ends:
    return (abs(a - b) / 2,) * 2


def _of_chi_square(a: Fraction, b: Fraction) -> Ends:
    return ((a - b) ** 2 / b,) * 2  # b > 0: this term serves the way of blocks alone, where every row is positive


def _of_kullback_leibler(a: Fraction, b: Fraction, arithmetic: Arithmetic) -> Interval:
    if not a:
        return arithmetic.zero
    if not b:
        raise Rejected("the divergence is infinite")
    return arithmetic.multiply(arithmetic.of(a), arithmetic.log(arithmetic.of(a / b)))


def _of_hellinger(a: Fraction, b: Fraction, arithmetic: Arithmetic) -> Interval:
    """Return an interval that contains ``(a + b)/2 - sqrt(a b)``."""
    root = arithmetic.power(arithmetic.of(a * b), Fraction(1, 2))
    return arithmetic.add(arithmetic.of((a + b) / 2), arithmetic.negative(root))


def _of_jensen_shannon(a: Fraction, b: Fraction, arithmetic: Arithmetic) -> Interval:
    """Return an interval around ``(a ln a + b ln b)/2 - m ln m = (a ln(a/m) + b ln(b/m))/2``, m = (a + b)/2."""
    total = arithmetic.zero
    for x in (a, b):
        if x:
            part = arithmetic.multiply(arithmetic.of(x / 2), arithmetic.log(arithmetic.of(2 * x / (a + b))))
            total = arithmetic.add(total, part)
    return total


def _alpha(order: Fraction) -> EnclosedTerm:
    """Return the term ``(b (a/b)^r - r a - (1 - r) b)/(r (r - 1))`` as a function of a and b, where r is the order."""

    def term(a: Fraction, b: Fraction, arithmetic: Arithmetic) -> Interval:
        if (order > 1 and not b) or (order < 0 and not a):
            raise Rejected("the divergence is infinite")
        unit = order * (order - 1)
        total = arithmetic.of(-(order * a + (1 - order) * b) / unit)
        if a and b:
            odds = arithmetic.power(arithmetic.of(a / b), order)
            total = arithmetic.add(total, arithmetic.multiply(arithmetic.of(b / unit), odds))
        return total

    return term


def _of_whole_order(order: int, budget: WorkBudget) -> Term:
    """Return the term of ``_alpha`` for a whole order, exactly."""

    def term(a: Fraction, b: Fraction) -> Ends:
        if (order > 1 and a and not b) or (order < 0 and b and not a):
            raise Rejected("the divergence is infinite")
        longest = abs(order) * (bits_of(a) + bits_of(b))
        budget.spend(4 + 2 * abs(order), longest, longest)
        power = b * (a / b) ** order if a and b else Fraction(0)
        return ((power - order * a - (1 - order) * b) / (order * (order - 1)),) * 2

    return term


_TERMS: dict[str, EnclosedTerm] = {
    "kullback-leibler": _of_kullback_leibler,
    "hellinger": _of_hellinger,
    "jensen-shannon": _of_jensen_shannon,
}
DIVERGENCES = (*_TERMS, "alpha-divergence", "chi-square", "total-variation")
"""The divergences of two distributions: sums of ``t(p_i.pi, p_i.q)`` with t convex and homogeneous of degree 1."""
