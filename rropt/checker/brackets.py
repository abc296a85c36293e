"""Brackets of exp: proves ``below <= exp(epsilon) <= above`` and the same for delta (FORMAT.md, gamma bracket)."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from .documents import Rejected, fields, fraction
from .limits import (
    MAX_BRACKET_DIGITS,
    MAX_EXPONENT,
    MAX_PARAMETER_DIGITS,
    MAX_POWER_BITS,
    MAX_PRECISION_BITS,
)


@dataclass(frozen=True)
class Bracket:
    """Rationals ``below <= number <= above``."""

    below: Fraction
    above: Fraction

    @property
    def is_exact(self) -> bool:
        """Whether the number is known exactly."""
        return self.below == self.above


def gamma_bracket(epsilon: Any, witness: Any) -> Bracket:
    """Return the proved bracket of gamma = exp(epsilon)."""
    bracket = _read(witness, "gamma")
    if not 1 <= bracket.below <= bracket.above:  # an even power would hide the sign of its end
        raise Rejected("gamma's bracket begins below 1, or ends before it begins")
    if isinstance(epsilon, dict) and "log" in epsilon:
        _prove_power(epsilon, bracket)
        return bracket
    (text,) = fields(epsilon, ["rational"], "epsilon")
    exponent = fraction(text, "epsilon", MAX_PARAMETER_DIGITS)
    if not 0 <= exponent <= MAX_EXPONENT:
        raise Rejected(f"epsilon is not in [0, {MAX_EXPONENT}]")
    if exponent == 0:
        _require_exact(bracket, Fraction(1), "gamma")
    else:
        _prove_exponential(exponent, bracket, "gamma")
    return bracket


def delta_bracket(delta: Any, witness: Any) -> Bracket:
    """Return the proved bracket of delta: a rational in [0, 1] or exp(r), -100 <= r < 0."""
    bracket = _read(witness, "delta")
    if not 0 <= bracket.below <= bracket.above <= 1:
        raise Rejected("delta's bracket is not within [0, 1]")
    if isinstance(delta, dict):
        (text,) = fields(delta, ["exp"], "delta")
        exponent = fraction(text, "delta's exponent", MAX_PARAMETER_DIGITS)
        if not -MAX_EXPONENT <= exponent < 0:
            raise Rejected(f"delta's exponent is not in [-{MAX_EXPONENT}, 0)")
        # exp(r) >= below iff exp(-r) <= 1/below
        if not bracket.below:
            raise Rejected("delta's bracket begins at 0: it must be finer")
        _prove_exponential(-exponent, Bracket(1 / bracket.above, 1 / bracket.below), "delta")
    else:
        _require_exact(bracket, fraction(delta, "delta", MAX_PARAMETER_DIGITS), "delta")
    return bracket


def _read(witness: Any, where: str) -> Bracket:
    ends = fields(witness, ["below", "above"], f"the bracket of {where}")
    return Bracket(*(fraction(end, f"an end of {where}'s bracket", MAX_BRACKET_DIGITS) for end in ends))


def _require_exact(bracket: Bracket, value: Fraction, where: str) -> None:
    if not bracket.below == value == bracket.above:
        raise Rejected(f"{where} is rational: its bracket must be {str(value)[:40]} at both ends")


def _prove_power(epsilon: Any, bracket: Bracket) -> None:
    """Prove ``below^b <= q^a <= above^b`` for gamma = q^(a/b)."""
    base = fraction(epsilon["log"], "epsilon's log", MAX_PARAMETER_DIGITS)
    if base <= 1:
        raise Rejected("epsilon's log is not above 1")
    if "times" not in epsilon:
        fields(epsilon, ["log"], "epsilon")
        _require_exact(bracket, base, "gamma")
        return
    times = fraction(fields(epsilon, ["log", "times"], "epsilon")[1], "epsilon's times", MAX_PARAMETER_DIGITS)
    if times <= 0 or times.denominator == 1:
        raise Rejected("epsilon's times is not positive, or is whole: then it is carried out")
    a, b = times.numerator, times.denominator
    if max(a * _bits(base), b * _bits(bracket.below), b * _bits(bracket.above)) > MAX_POWER_BITS:
        raise Rejected(f"gamma = q^(a/b) needs powers of more than {MAX_POWER_BITS} bits")
    if base.numerator**a > base.denominator**a << (3 * MAX_EXPONENT // 2 * b):  # exp(100) < 2^150
        raise Rejected(f"epsilon is above {MAX_EXPONENT}")
    below, above = bracket.below, bracket.above
    if below.numerator**b * base.denominator**a > base.numerator**a * below.denominator**b:
        raise Rejected("gamma's bracket begins above exp(epsilon)")
    if base.numerator**a * above.denominator**b > above.numerator**b * base.denominator**a:
        raise Rejected("gamma's bracket ends below exp(epsilon)")


def _prove_exponential(exponent: Fraction, bracket: Bracket, where: str) -> None:
    """Prove ``below <= exp(exponent) <= above``, exponent > 0, by Taylor series at growing precision."""
    bits = 64 + _bits(bracket.below) + _bits(bracket.above)
    while bits <= 2 * MAX_PRECISION_BITS:
        low, high = _exponential(exponent, min(bits, MAX_PRECISION_BITS))
        if bracket.below <= low and high <= bracket.above:
            return
        if bracket.below > high or bracket.above < low:
            raise Rejected(f"{where}'s bracket does not hold the number")
        bits *= 2
    raise Rejected(f"{where}'s bracket is too fine to be proved")


def _exponential(x: Fraction, bits: int) -> tuple[Fraction, Fraction]:
    """Return rationals around exp(x), 0 < x <= 100, by the Taylor series in fixed point.

    Each term is rounded down for the lower and up for the upper sum. The series stops at n + 1 >= 2x, where every
    further term is at most half of the one before, so that the rest is at most twice the first term left out.
    """
    numerator, denominator = x.numerator, x.denominator
    low = high = low_sum = high_sum = 1 << bits
    n = 0
    while high > 1 or (n + 1) * denominator < 2 * numerator:
        n += 1
        low = low * numerator // (denominator * n)
        high = -(-high * numerator // (denominator * n))
        low_sum += low
        high_sum += high
    return Fraction(low_sum, 1 << bits), Fraction(high_sum + 2 * high, 1 << bits)


def _bits(x: Fraction) -> int:
    return max(x.numerator.bit_length(), x.denominator.bit_length())
