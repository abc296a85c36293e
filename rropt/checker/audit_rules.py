"""Lower bounds on epsilon from samples of a black box (FORMAT.md, rules 36 and 37): binomial tails and e-values.

Fix a set of outputs. Let p and q be its probabilities under the first and the second input. The claim ``refuted``
states that a test of the hypothesis ``p <= gamma q + delta`` rejects it on the given counts.
"""

from fractions import Fraction
from typing import Any, NamedTuple

from .documents import Budget, Rejected, bits_of, fields, of_kind
from .limits import MAX_PARAMETER_DIGITS
from .tail_sums import MAX_COUNT, binomial_law, binomial_tail

EXPLAINED = {
    "binomial-tails": "Exact binomial tails give a lower confidence bound for the probability p and an upper one "
    "for the probability q. These bounds contradict p <= gamma q + delta.",
    "e-value": "A product over pairs of samples has expectation at most 1 under p <= gamma q + delta, at any "
    "stopping time. Its value is too large for the level of the test.",
}

MAX_BITS = 4096  # bits of the unit in which a tail is bounded
MAX_TESTS = 10**6
EXACT_BITS = 1 << 14  # bits of the denominator up to which a tail is summed exactly
_PRECISION = 192  # bits of the mantissa of an e-value factor


class _Claim(NamedTuple):
    gamma: Fraction
    alpha: Fraction  # significance level of this test: alpha/tests


def check_tails(problem: Any, claim: Any, witness: Any) -> None:
    """Check a claim of kind refuted by two binomial tails."""
    budget = Budget()
    (*texts, delta_text) = of_kind(problem, "audit-counts", ["n1", "hits1", "n2", "hits2", "delta"], "problem")
    n1, hits1, n2, hits2 = (_count(text, "a count", budget) for text in texts)
    delta = _chance(delta_text, "delta", budget)
    asked = _claim(claim, budget)
    _, p_text, q_text, bits_text = fields(witness, ["rule", "p", "q", "bits"], "witness")
    p, q, bits = _chance(p_text, "p", budget), _chance(q_text, "q", budget), _count(bits_text, "bits", budget)
    if not 1 <= bits <= MAX_BITS:
        raise Rejected(f"bits is not from 1 to {MAX_BITS}")
    if hits1 > n1 or hits2 > n2:
        raise Rejected("there are more hits than samples")
    budget.spend(4, bits_of(asked.gamma) + bits_of(q), bits_of(p) + bits_of(delta))
    if p < asked.gamma * q + delta:
        raise Rejected("p is below gamma q + delta")
    if not _is_rare(n1, p, hits1, bits, asked.alpha / 2, budget):
        raise Rejected("so many hits of the first input are too likely at p")
    if not _is_rare(n2, 1 - q, n2 - hits2, bits, asked.alpha / 2, budget):
        raise Rejected("so few hits of the second input are too likely at q")


def _is_rare(n: int, p: Fraction, least: int, bits: int, level: Fraction, budget: Budget) -> bool:
    """Return whether ``Pr(Bin(n, p) >= least) <= level``; a long sum is replaced by an upper bound."""
    a, b = p.numerator, p.denominator - p.numerator
    size = n * p.denominator.bit_length()
    if size <= EXACT_BITS:
        budget.spend(4, size, bits_of(level))
        total: int = p.denominator**n
        return binomial_tail(n, least, a, b, budget) * level.denominator <= level.numerator * total
    above = binomial_law(n, a, b, bits, budget).at_least(least)[1]
    budget.spend(4, bits, bits_of(level))
    return above <= level


def check_e_value(problem: Any, claim: Any, witness: Any) -> None:
    """Check a claim of kind refuted by an e-value of pairs of samples."""
    budget = Budget()
    names = ["both", "first", "second", "neither", "delta"]
    (*texts, delta_text) = of_kind(problem, "audit-pairs", names, "problem")
    counts = [_count(text, "a count", budget) for text in texts]
    delta = _chance(delta_text, "delta", budget)
    asked = _claim(claim, budget)
    _, text = fields(witness, ["rule", "lambda"], "witness")
    bet = budget.number(text, "lambda", MAX_PARAMETER_DIGITS)
    budget.spend(16, 2 * bits_of(bet) + bits_of(delta), bits_of(asked.gamma) + bits_of(delta))
    if not 0 <= bet * (asked.gamma + delta) <= 1:
        raise Rejected("lambda is not from 0 to 1/(gamma + delta)")
    fall, loss = bet * delta, bet * asked.gamma
    factors = (1 + bet - loss - fall, 1 + bet - fall, 1 - loss - fall, 1 - fall)
    value = _Below.of(1)
    for factor, count in zip(factors, counts, strict=True):
        if count:
            value = value.times(_Below.of(factor).power(count, budget))
    if not value.reaches(1 / asked.alpha, budget):
        raise Rejected("the e-value is below tests/alpha")


def _claim(claim: Any, budget: Budget) -> _Claim:
    gamma_text, alpha_text, tests_text = of_kind(claim, "refuted", ["gamma", "alpha", "tests"], "claim")
    gamma = budget.number(gamma_text, "gamma", MAX_PARAMETER_DIGITS)
    alpha, tests = _chance(alpha_text, "alpha", budget), _count(tests_text, "tests", budget)
    if gamma < 1:
        raise Rejected("gamma is below 1")
    if not 0 < alpha < 1:
        raise Rejected("alpha is not between 0 and 1")
    if not 1 <= tests <= MAX_TESTS:
        raise Rejected(f"tests is not from 1 to {MAX_TESTS}")
    return _Claim(gamma, alpha / tests)


def _chance(text: Any, where: str, budget: Budget) -> Fraction:
    value = budget.number(text, where, MAX_PARAMETER_DIGITS)
    if not 0 <= value <= 1:
        raise Rejected(f"{where} is not from 0 to 1")
    return value


def _count(text: Any, where: str, budget: Budget) -> int:
    value = budget.number(text, where, MAX_PARAMETER_DIGITS)
    if value.denominator != 1 or not 0 <= value <= MAX_COUNT:
        raise Rejected(f"{where} is not an integer from 0 to {MAX_COUNT}")
    return value.numerator


class _Below(NamedTuple):
    """A lower bound ``mantissa 2^exponent`` of a number; the mantissa has at most ``_PRECISION`` bits."""

    mantissa: int
    exponent: int

    @classmethod
    def of(cls, number: Fraction | int) -> "_Below":
        exact = Fraction(number)
        shift = _PRECISION + exact.denominator.bit_length()
        return cls((exact.numerator << shift) // exact.denominator, -shift).cut()

    def cut(self) -> "_Below":
        extra = max(self.mantissa.bit_length() - _PRECISION, 0)
        return _Below(self.mantissa >> extra, self.exponent + extra)

    def times(self, other: "_Below") -> "_Below":
        return _Below(self.mantissa * other.mantissa, self.exponent + other.exponent).cut()

    def power(self, count: int, budget: Budget) -> "_Below":
        found, square = _Below(1, 0), self
        while count:
            budget.spend(2)
            if count & 1:
                found = found.times(square)
            square, count = square.times(square), count >> 1
        return found

    def reaches(self, number: Fraction, budget: Budget) -> bool:
        """Return whether ``mantissa 2^exponent >= number``."""
        size = self.mantissa.bit_length() + self.exponent  # 2^(size - 1) <= mantissa 2^exponent < 2^size
        top, bottom = number.numerator.bit_length(), number.denominator.bit_length()
        if not self.mantissa or size < top - bottom - 1:
            return False
        if size > top - bottom + 2:
            return True
        budget.spend(4, top + bottom + _PRECISION)
        left, right = self.mantissa * number.denominator, number.numerator
        return left << self.exponent >= right if self.exponent >= 0 else left >= right << -self.exponent
