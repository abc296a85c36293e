"""The statement ``budget-split``: one privacy budget for independent yes/no questions (budget_split.md).

A question is answered with the mechanism p00 = p11 = p, whose parity is x = p/(1-p). Let u = log x. The value is a sum
of convex functions of u, with slope -s at the claimed mechanism. Every other mechanism has u' >= 0 with sum at most log
gamma. By convexity its value is smaller by at most

    sum s (u' - u) <= S log(gamma/prod x) + sum (S - s) log x <= S (gamma/prod x - 1) + sum (S - s)(x - 1),   S = max s

For the covariance of the joint distribution the value is ``C - squares``. Only C depends on the mechanism, and log C is
such a sum.
"""

from collections.abc import Iterable
from fractions import Fraction
from operator import add, mul
from typing import Any

from .brackets import one_bracket
from .documents import Rejected, WorkBudget, bits_of, fields, items, of_kind
from .limits import MAX_PARAMETER_DIGITS, MAX_QUESTIONS
from .matrices import columns, read_matrix, read_numbers
from .sentences import power_of_ten

_MOST_POWER = 30  # exponent of the smallest power of ten that the sentence states

Parts = tuple[Fraction, Fraction, list[Fraction]]  # the value, the factor of the decrease, the slopes


def check_budget_split(problem: Any, claim: Any, proof: Any) -> str:
    """Check a bracket of the least value, and return its width in words."""
    budget = WorkBudget()
    (brackets,) = fields(proof, ["brackets"], "proof")
    epsilon, objective = fields(problem, ["epsilon", "objective"], "problem")
    lower_text, upper_text, mechanism = fields(claim, ["lower", "upper", "mechanism"], "claim")
    lower, upper = budget.number(lower_text, "lower"), budget.number(upper_text, "upper")
    gamma = one_bracket(epsilon, brackets, budget)
    (listed,) = fields(mechanism, ["product"], "mechanism")
    parities = [_parity(rows, budget) for rows in items(listed, "product", most=MAX_QUESTIONS)]
    together = _reduced(mul, Fraction(1), parities, budget)
    if together > gamma.below:
        raise Rejected("the parities of the bits multiply to more than gamma's bracket begins with")
    joint = isinstance(objective, dict) and objective.get("kind") == "joint"
    value, scale, slopes = (_joint if joint else _marginals)(objective, parities, budget)
    steepest = max(slopes)
    budget.spend(4, bits_of(gamma.above) + bits_of(steepest), bits_of(together))
    distances = [steepest * (gamma.above / together - 1)]
    for x, slope in zip(parities, slopes, strict=True):
        budget.spend(4, bits_of(steepest), bits_of(slope) + bits_of(x))
        distances.append((steepest - slope) * (x - 1))
    decrease = _reduced(add, Fraction(0), distances, budget)
    budget.spend(4, bits_of(decrease) + bits_of(lower), bits_of(scale) + bits_of(value))
    if upper < value:
        raise Rejected("upper is below the value of the mechanism")
    if lower > value - scale * decrease:
        raise Rejected("lower is above what the slopes prove")
    return f"no devices of {len(parities)} questions at this level have a value {_less(upper - lower)} upper"


def _parity(rows: Any, budget: WorkBudget) -> Fraction:
    """Return p/(1-p) for the mechanism of one question; reject it unless p00 = p11 = p in [1/2, 1)."""
    matrix = read_matrix(rows, "a bit", budget, (2, 2))
    columns(matrix, "a bit", budget)
    p = matrix[0][0]
    if p != matrix[1][1]:
        raise Rejected("a bit has p00 other than p11")
    if not Fraction(1, 2) <= p < 1:
        raise Rejected("a bit has p outside of 1/2 <= p < 1")
    budget.spend(1, bits_of(p), bits_of(p))
    return p / (1 - p)


def _marginals(objective: Any, parities: list[Fraction], budget: WorkBudget) -> Parts:
    """Return the value ``sum w (pi (1-pi) + x/(x-1)^2)`` and its slopes ``w x (x+1)/(x-1)^3``."""
    lists = of_kind(objective, "marginals", ["weights", "prevalences"], "objective")
    weights, prevalences = (
        read_numbers(texts, where, budget, len(parities), MAX_PARAMETER_DIGITS)
        for texts, where in zip(lists, ("weights", "prevalences"), strict=True)
    )
    if any(w < 0 for w in weights) or not any(weights):
        raise Rejected("a weight is negative, or all are 0")
    if any(pi < 0 or pi > 1 for pi in prevalences):
        raise Rejected("a prevalence is not in [0, 1]")
    values, slopes = [], []
    for x, w, pi in zip(parities, weights, prevalences, strict=True):
        if w and x == 1:
            raise Rejected("a bit whose question has a weight says nothing of the truth")
        budget.spend(8, 3 * bits_of(x) + bits_of(w), 3 * bits_of(x) + 2 * bits_of(pi))
        values.append(w * (pi * (1 - pi) + x / (x - 1) ** 2) if w else w)
        slopes.append(w * x * (x + 1) / (x - 1) ** 3 if w else w)
    return _reduced(add, Fraction(0), values, budget), Fraction(1), slopes


def _joint(objective: Any, parities: list[Fraction], budget: WorkBudget) -> Parts:
    """Return the value ``C - squares``, ``C = prod (x^2+1)/(x-1)^2``, and the slopes ``2x(x+1)/((x^2+1)(x-1))`` of log
    C.
    """
    questions, squares_text = of_kind(objective, "joint", ["questions", "squares"], "objective")
    squares = budget.number(squares_text, "squares")
    if not parities or questions != str(len(parities)):
        raise Rejected("the mechanism has another number of bits than there are questions")
    if not Fraction(1, 2 ** len(parities)) <= squares <= 1:
        raise Rejected("squares is not the sum of the squares of a distribution")
    if 1 in parities:
        raise Rejected("a bit says nothing of the truth")
    factors, slopes = [], []
    for x in parities:
        budget.spend(8, 3 * bits_of(x), 3 * bits_of(x))
        factors.append((x**2 + 1) / (x - 1) ** 2)
        slopes.append(2 * x * (x + 1) / ((x**2 + 1) * (x - 1)))
    scale = _reduced(mul, Fraction(1), factors, budget)
    return scale - squares, scale, slopes


def _reduced(operation: Any, start: Fraction, terms: Iterable[Fraction], budget: WorkBudget) -> Fraction:
    """Return the sum or the product of fractions; each step costs work by the lengths of its numbers."""
    for term in terms:
        budget.spend(4, bits_of(start), bits_of(term))
        start = operation(start, term)
    return start


def _less(gap: Fraction) -> str:
    """Return the gap in words, rounded up to a power of ten."""
    return f"more than {power_of_ten(gap, _MOST_POWER)} below" if gap else "below"
