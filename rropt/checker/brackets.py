"""Brackets of the privacy level of a region: proves ``below <= exp(epsilon) <= above``, and the same for delta and B.

See brackets.md. The mechanisms that meet a criterion are those of parity at most B. Hence
the level of a criterion is gamma = B, delta = 0. Its bracket of gamma comes with a claim and a proof of
``parity-bound``.
"""

from fractions import Fraction
from math import ceil
from typing import Any, NamedTuple

from .documents import Rejected, WorkBudget, bits_of, fields, items, of_kind
from .intervals import Arithmetic
from .limits import (
    MAX_BRACKET_DIGITS,
    MAX_EXPONENT,
    MAX_PARAMETER_DIGITS,
    MAX_POWER_BITS,
    MAX_PRECISION_DIGITS,
    MAX_ZCDP_CATEGORIES,
)
from .parity_bound import check_parity_bound

_SPARE_DIGITS = 20  # digits of a series beyond those of the bracket, in the first attempt


class LevelBracket(NamedTuple):
    """Rationals with ``below <= number <= above``."""

    below: Fraction
    above: Fraction


def gamma_bracket(epsilon: Any, witness: Any, budget: WorkBudget, most: int = MAX_EXPONENT) -> LevelBracket:
    """Prove the bracket of gamma = exp(epsilon) and return it; reject if epsilon is above ``most``."""
    bracket = read_bracket(witness, "gamma", budget)
    if not 1 <= bracket.below <= bracket.above:  # an even power would hide the sign of an endpoint
        raise Rejected("gamma's bracket begins below 1, or ends before it begins")
    if isinstance(epsilon, dict) and "log" in epsilon:
        _prove_power(epsilon, bracket, budget, most)
        return bracket
    (text,) = fields(epsilon, ["rational"], "epsilon")
    exponent = budget.number(text, "epsilon", MAX_PARAMETER_DIGITS)
    if not 0 <= exponent <= most:
        raise Rejected(f"epsilon is not in [0, {most}]")
    if exponent == 0:
        _require_exact(bracket, Fraction(1), "gamma")
    else:
        _prove_exponential(exponent, bracket, "gamma", budget)
    return bracket


def one_bracket(epsilon: Any, brackets: Any, budget: WorkBudget) -> LevelBracket:
    """Return the bracket of gamma from a list of this bracket alone."""
    (bracket,) = items(brackets, "brackets", count=1)
    return gamma_bracket(epsilon, bracket, budget)


def read_kary(data: Any, brackets: Any, budget: WorkBudget) -> tuple[LevelBracket, Fraction]:
    """Return the bracket of the parity of k-ary randomized response at a level, and k, which need not be whole."""
    local, categories = of_kind(data, "kary", ["local", "categories"], "randomized response")
    k = budget.number(categories, "categories", MAX_PARAMETER_DIGITS)
    if not 2 <= k <= MAX_ZCDP_CATEGORIES:
        raise Rejected(f"categories is not a number from 2 to {MAX_ZCDP_CATEGORIES}")
    return one_bracket(local, brackets, budget), k


def delta_bracket(delta: Any, witness: Any, budget: WorkBudget) -> LevelBracket:
    """Prove the bracket of delta and return it; delta is a rational in [0, 1] or exp(r), -100 <= r < 0."""
    bracket = read_bracket(witness, "delta", budget)
    if not 0 <= bracket.below <= bracket.above <= 1:
        raise Rejected("delta's bracket is not within [0, 1]")
    if isinstance(delta, dict):
        (text,) = fields(delta, ["exp"], "delta")
        exponent = budget.number(text, "delta's exponent", MAX_PARAMETER_DIGITS)
        if not -MAX_EXPONENT <= exponent < 0:
            raise Rejected(f"delta's exponent is not in [-{MAX_EXPONENT}, 0)")
        if not bracket.below:
            raise Rejected("delta's bracket begins at 0: it must be finer")
        _prove_exponential(exponent, bracket, "delta", budget)
    else:
        _require_exact(bracket, budget.number(delta, "delta", MAX_PARAMETER_DIGITS), "delta")
    return bracket


def read_bracket(witness: Any, where: str, budget: WorkBudget) -> LevelBracket:
    """Return a bracket as written in the file; nothing is proved yet."""
    ends = fields(witness, ["below", "above"], f"the bracket of {where}")
    return LevelBracket(*(budget.number(end, f"an end of {where}'s bracket", MAX_BRACKET_DIGITS) for end in ends))


def _require_exact(bracket: LevelBracket, value: Fraction, where: str) -> None:
    if not bracket.below == value == bracket.above:
        raise Rejected(f"{where} is rational: its bracket must be {str(value)[:40]} at both ends")


def _prove_power(epsilon: Any, bracket: LevelBracket, budget: WorkBudget, most: int) -> None:
    """Prove ``below^b <= q^a <= above^b`` for gamma = q^(a/b), and epsilon <= most."""
    base = budget.number(epsilon["log"], "epsilon's log", MAX_PARAMETER_DIGITS)
    if base <= 1:
        raise Rejected("epsilon's log is not above 1")
    if "times" not in epsilon:
        fields(epsilon, ["log"], "epsilon")
        _require_exact(bracket, base, "gamma")
        return
    times = budget.number(fields(epsilon, ["log", "times"], "epsilon")[1], "epsilon's times", MAX_PARAMETER_DIGITS)
    if times <= 0 or times.denominator == 1:
        raise Rejected("epsilon's times is not positive, or is whole: then it is carried out")
    a, b = times.numerator, times.denominator
    bits = max(a * bits_of(base), b * bits_of(bracket.below), b * bits_of(bracket.above))
    if bits > MAX_POWER_BITS:
        raise Rejected(f"gamma = q^(a/b) needs powers of more than {MAX_POWER_BITS} bits")
    budget.spend(6 + int((bits // 512) ** 1.6))  # products of numbers of this many bits, by Karatsuba's method
    if base.numerator**a > base.denominator**a << (3 * most // 2 * b):  # exp(100) < 2^150
        raise Rejected(f"epsilon is above {most}")
    below, above = bracket.below, bracket.above
    if below.numerator**b * base.denominator**a > base.numerator**a * below.denominator**b:
        raise Rejected("gamma's bracket begins above exp(epsilon)")
    if base.numerator**a * above.denominator**b > above.numerator**b * base.denominator**a:
        raise Rejected("gamma's bracket ends below exp(epsilon)")


def _prove_exponential(exponent: Fraction, bracket: LevelBracket, where: str, budget: WorkBudget) -> None:
    """Prove ``below <= exp(exponent) <= above``, doubling the precision until it suffices."""
    digits = _SPARE_DIGITS + ceil((bits_of(bracket.below) + bits_of(bracket.above)) * 0.30103)  # log10 of 2
    while digits <= 2 * MAX_PRECISION_DIGITS:
        arithmetic = Arithmetic(min(digits, MAX_PRECISION_DIGITS), budget)
        low, high = map(Fraction, arithmetic.exp(arithmetic.of(exponent)))
        if bracket.below <= low and high <= bracket.above:
            return
        if bracket.below > high or bracket.above < low:
            raise Rejected(f"{where}'s bracket does not hold the number")
        digits *= 2
    raise Rejected(f"{where}'s bracket is too fine to be proved")


def criterion_bracket(criterion: Any, gamma: Any, budget: WorkBudget) -> tuple[LevelBracket, str]:
    """Return the bracket of B, proved by a cover, and the tier of the proof."""
    below, above, infimum = fields(gamma, ["below", "above", "infimum"], "the bracket of gamma")
    claim, proof = fields(infimum, ["claim", "proof"], "the infimum")
    tier = check_parity_bound(criterion, claim, proof, budget)
    low, high = (budget.number(claim[end], f"{end} of the infimum") for end in ("lower", "upper"))
    bracket = read_bracket({"below": below, "above": above}, "gamma", budget)
    if not 1 <= bracket.below <= low <= high <= bracket.above:
        raise Rejected("gamma's bracket begins below 1, or does not hold the bounds of the infimum")
    return bracket, tier
