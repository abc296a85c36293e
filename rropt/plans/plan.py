"""Sample size plans: what n respondents achieve as a function of n, and the least n for a goal.

A planned quantity is a function ``value(n)``: a variance, a squared margin, or 1 - power. The plan is the least n with
``value(n) <= bound``. If the value does not increase in n, galloping and bisection find this n. Otherwise a bound that
does not increase gives a number from which on every n is sufficient, and every smaller n is visited, downwards, until
the first one that fails.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from math import ceil, floor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rropt.answers.response_counts import answer_count, least_integer
from rropt.core.errors import InfeasibleError, InvalidParameterError
from rropt.core.exact import decimal_text, exact_confidence
from rropt.core.exact.numbers import finite_float, rational_where, square_root
from rropt.core.exact.rational_bounds import to_fraction
from rropt.core.limits import MAX_ANSWERS
from rropt.core.mappings import ReadOnlyMapping
from rropt.core.results import Result, labelled, plain_lines
from rropt.core.visible import with_noun
from rropt.inference.distributions import LAST_PRECISION, at_most, two_sided_quantile

# A quantity that is not monotone in n is computed in floating point for all n, in blocks of SCAN_WIDTH, up to
# SCAN_LIMIT respondents. A float within a relative SCAN_MARGIN of the bound decides nothing; balls decide. The measured
# error of scipy.special is at most 4e-10 up to 10^10 responses, which leaves a factor of 25.
SCAN_LIMIT = 10**9
SCAN_WIDTH = 1 << 10  # the first block; later blocks double in size
SCAN_MARGIN = 1e-8
# For n = 10^6, scipy.special returned completely wrong values of some tail probabilities below 10^-30. The search in
# floating point therefore ends at SCAN_DEEP_LIMIT if a probability of the plan is below SCAN_DEPTH.
SCAN_DEPTH = Fraction(1, 10**12)
SCAN_DEEP_LIMIT = 10**4

_PRINTED_PRECISION = 256  # bits: 1 - power of a power of 10^-50 still has the digits of a float

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Plan(Result):
    """The number of respondents that a survey needs.

    Attributes:
        n: the number of respondents.
        goal: ``"margin"``, ``"power"``, ``"variance"`` or ``"standard-error"``.
        achieved: the margin, the power, the variance or the standard error with n responses, as a decimal.
        definition: the condition that defines n, in words.
        least: whether n - 1 is proved to fail. For margins of exact intervals and the power of exact tests, which are
            not monotone in n, n is the least number from which on every number suffices. It is proved that n suffices,
            that n - 1 does not, and that every number beyond some bound suffices. All numbers between n and this bound
            were checked in floating point. Above 10^9 responses nothing is checked and ``least`` is False; n and all
            larger numbers are then proved to suffice, but a smaller number may suffice too. The limit is 10^4 if the
            significance, the power or 1 - power is below 10^-12.
    """

    n: int
    goal: str
    achieved: float
    definition: str
    least: bool = True

    LABELS = labelled(n="respondents", goal="goal", achieved="achieved", definition="condition", least="minimal")

    def __str__(self) -> str:
        sign = "least n" if self.least else "sufficient n"
        return f"{sign} = {self.n}: {self.goal} {decimal_text(self.achieved)}; {self.definition}"


@dataclass(frozen=True, slots=True)
class Achieved(Result):
    """The precision that n respondents achieve.

    Attributes:
        n: the number of respondents.
        variance: the exact variance of the unbiased estimate; for several cells, that of the least precise cell.
        margins: the half-width of the interval of each kind, as a decimal.
        confidence: the confidence of the intervals.
        power: the power of the test, if requested.
        where: text that explains at which distribution, such as ``"at the worst case"``.
    """

    n: int
    variance: Fraction
    margins: Mapping[str, float]
    confidence: Fraction
    power: float | None = None
    where: str = field(default="", compare=False)

    LABELS = labelled(
        n="n",
        variance="variance",
        standard_error="standard error",
        margins="margins",
        confidence="at confidence",
        power="power",
        where="",
    )

    def __post_init__(self) -> None:
        object.__setattr__(self, "margins", ReadOnlyMapping(self.margins))

    @property
    def standard_error(self) -> float:
        """The square root of the variance."""
        return square_root(self.variance)

    def lines(self) -> list[tuple[str, str]]:
        """Return (label, value) pairs for a table; the last one states at which distribution, if that is known."""
        computed = [("computed", self.where)] if self.where else []
        return [*plain_lines(self), *computed]


def expected_precision(
    n_variance: object, n: object, confidence: object = Fraction(19, 20), *, where: str = ""
) -> Achieved:
    """Return the standard error and the margin of the normal interval that n respondents will give.

    Args:
        n_variance: n times the variance of the estimate, exact.
        n: number of respondents.
        confidence: the confidence of the margin, exact, in (0, 1).
        where: text that explains where n Var is attained, for example ``"at the worst case"``.

    >>> expected_precision(Fraction(21, 25), 2100).standard_error
    0.02
    """
    size, level = answer_count(n, "n", least=1), exact_confidence(confidence)
    variance = rational_where(n_variance, lambda v: v >= 0, "n Var >= 0", name="n Var") / size
    margin = float(two_sided_quantile(level)[1]) * square_root(variance)
    return Achieved(size, variance, {"normal": margin}, level, where=where)


# For each goal: its number from ``value(n)``, ``value(n)`` from its number, and the words of the condition.
_GOALS: dict[str, tuple[Callable[[Any], float], Callable[[Fraction], Fraction], str]] = {
    "margin": (lambda value: square_root(value), lambda asked: asked * asked, "most"),
    "power": (lambda value: float(1 - value), lambda asked: 1 - asked, "least"),
    "variance": (lambda value: finite_float(value), lambda asked: asked, "most"),
}


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number that n respondents achieve.

    Attributes:
        goal: ``"margin"``, ``"power"`` or ``"variance"``.
        what: the quantity in words.
        value: maps n to the squared margin, to 1 - power, or to the variance: a fraction, or a ball at the working
            precision.
        above: for a value that is not monotone in n, a proved upper bound that does not increase in n.
        floats: for such a value, maps many n to upper bounds in floating point, with a margin for their errors.
        tail: the smallest probability that ``floats`` uses.
        effect: the design effect D of the sample. n respondents count as ``n/D``; where counts are integers, as the
            largest integer below.
    """

    goal: str
    what: str
    value: Callable[[int], Any]
    above: Callable[[int], Any] | None = None
    floats: Callable[[Numbers], Floats] | None = None
    tail: Fraction = Fraction(1, 2)
    effect: Fraction = Fraction(1)

    def achieved(self, n: int) -> Any:
        """Return the value that n respondents of the sample have.

        Raises:
            InvalidParameterError: the effective number of respondents is below 1.
        """
        if self.effect == 1:
            return self.value(n)
        number = Fraction(n) / self.effect
        if self.above is not None:
            number = Fraction(floor(number))
        if number < 1:
            raise InvalidParameterError(
                f"the sample is too small: received {with_noun(n, 'respondent')} at the design effect "
                f"{decimal_text(self.effect)}, an effective number below 1; give more "
                "respondents"
            )
        return self.value(number if self.above is None else int(number))  # type: ignore[arg-type]

    def at(self, n: int) -> float:
        """Return the margin, the power or the variance with n respondents."""
        from flint import ctx

        with ctx.workprec(_PRINTED_PRECISION):
            value = self.achieved(n)
        return _GOALS[self.goal][0](value if isinstance(value, Fraction) else to_fraction(value.mid()))

    def plan(self, asked: Fraction) -> Plan:
        """Return the least n whose margin or variance is at most ``asked``, or whose power is at least ``asked``.

        Raises:
            InfeasibleError: more than 10^15 respondents are needed.
        """
        _, bound_of, least_or_most = _GOALS[self.goal]
        bound = bound_of(asked)
        if self.above is not None:
            counted, is_least = least_lasting(self, bound)
            n = require_possible(ceil(counted * self.effect))
        else:
            first, is_least = max(1, ceil(self.effect)), True
            n = counted = least(self.value if self.effect == 1 else self.achieved, bound, first)
        points = decimal_text(100 * asked, 9) if (10**9 * asked).denominator == 1 else str(100 * asked)
        goal = f"is at most {with_noun(points, 'point')}" if self.goal == "margin" else f"is at {least_or_most} {asked}"
        reached = f"from which on {self.what} {goal}"
        if not is_least:
            text = f"{n} is a number {reached}; a smaller number may do"
        else:
            text = f"{n} is the smallest number {reached}"
            if self.above is not None:
                size = counted
                known = f"{size}, {size - 1} and all large numbers" if size > 1 else "1 and all large numbers"
                counts = "" if self.effect == 1 else "effective numbers: "
                text += f" ({counts}{known} are proved; numbers just above {size} were checked in floating point)"
        if self.effect != 1:
            text += f"; at the design effect {decimal_text(self.effect)}"
        return Plan(n=n, goal=self.goal, achieved=self.at(n), definition=text, least=is_least)


def least(value: Callable[[int], Any], bound: Fraction, first: int = 1) -> int:
    """Return the least n >= first with ``value(n) <= bound``, for a value that does not increase in n.

    Args:
        value: maps n to a fraction, or to a ball at the working precision. Balls are compared with growing precision;
            one that is undecided at 600 decimals counts as larger than the bound.
        bound: the bound, exact.
        first: the least number that is tried.

    Raises:
        InfeasibleError: n is above 10^15.
    """
    return require_possible(least_integer(lambda n: _reaches(value, n, bound), first, first, MAX_ANSWERS + 1))


def _reaches(value: Callable[[int], Any], n: int, bound: Fraction) -> bool:
    return at_most(lambda: value(n), bound, LAST_PRECISION) is True


def least_lasting(quantity: Quantity, bound: Fraction) -> tuple[int, bool]:
    """Return the least N such that every n >= N has ``value(n) <= bound``, and whether N is proved to be the least.

    The code proves that N is sufficient, that N - 1 is not, and that every n is sufficient from some number on. For the
    numbers between them it relies on floats where they are clear, and on balls elsewhere.
    """
    assert quantity.above is not None
    assert quantity.floats is not None
    works = partial(_reaches, quantity.value, bound=bound)
    above = high = least(quantity.above, bound)
    width, most = SCAN_WIDTH, float(bound) * (1 - 1e-15)  # a bound next to 1 may be rounded to 1
    if high > (SCAN_DEEP_LIMIT if min(quantity.tail, bound, 1 - bound) < SCAN_DEPTH else SCAN_LIMIT):
        return high, False
    while high > 1:
        low = max(high - width, 1)
        numbers = np.arange(high - 1, low - 1, -1)
        for n, is_clear in zip(numbers.tolist(), (quantity.floats(numbers) <= most).tolist(), strict=True):
            if not is_clear and not works(n):
                while not works(above):  # a float was wrong
                    above += 1
                return above, True
            above = n
        high, width = low, 2 * width
    return 1, True


def require_possible(n: int) -> int:
    """Return n, or raise InfeasibleError if it is above 10^15."""
    if n > MAX_ANSWERS:
        raise InfeasibleError(
            f"the plan is out of reach: more than {MAX_ANSWERS} respondents are needed; plan for less precision, or "
            "use a mechanism with less privacy"
        )
    return n
