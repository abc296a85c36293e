"""Intervals for the proportion of one response: normal, Wilson, Chebyshev and Clopper-Pearson.

The first three kinds bound ``|lambda_hat - lambda|`` in standard deviations. The endpoints of the Clopper-Pearson
interval are verified. All endpoints are rounded outwards before they are mapped to the prevalence."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from rropt.answers.response_counts import least_integer
from rropt.core.errors import one_of
from rropt.core.exact import Bracket, both_texts
from rropt.core.exact.display import decimal_places, is_in_full, rounded
from rropt.core.exact.numbers import root_above
from rropt.core.exact.rational_bounds import ball, to_fraction
from rropt.inference.distributions import (
    FIRST_PRECISION,
    binomial_mass,
    proposed_lower_end,
    tail_at_most,
    two_sided_quantile,
    upper_tail,
)

# Endpoints are rounded outwards to 13 decimals, plus half as many as n has digits, because an interval shrinks like
# 1/sqrt(n). The rounding then adds less than 1e-12 of the width.
END_DIGITS = 13


def end_digits(n: int) -> int:
    """Return the number of decimals to which the endpoints of an interval from n responses are rounded outwards."""
    return END_DIGITS + (len(str(n)) + 1) // 2


EMPTY = "none: no possible prevalence fits these responses"


def is_empty(lower: float | Fraction, upper: float | Fraction, value: float | Fraction) -> bool:
    """Return whether an interval of a proportion contains no possible value.

    An interval that was cut to [0, 1] is empty if its endpoints are equal and the estimate ``value`` is outside.
    """
    return upper < 0 or lower > 1 or (lower == upper and not 0 <= value <= 1)


def ends_text(lower: float | Fraction, upper: float | Fraction, places: int | None, value: float | Fraction) -> str:
    """Return the interval of a proportion around its estimate ``value`` as text, rounded to a decimal place.

    >>> ends_text(0.1, 0.25, 2, 0.2), ends_text(0.0, 0.0, 3, -0.188)
    ('0.10 to 0.25', 'none: no possible prevalence fits these responses')
    """
    return EMPTY if is_empty(lower, upper, value) else f"{rounded(lower, places)} to {rounded(upper, places)}"


def share_text(value: Fraction | float, places: int | None) -> str:
    """Return a proportion rounded to a decimal place; where numbers are shown in full, also its exact value."""
    return both_texts(value) if is_in_full() and isinstance(value, Fraction) else rounded(value, places)


def places_of(errors: Iterable[float | None]) -> int | None:
    """Return the decimal place that the smallest of some standard errors requires."""
    return max((place for place in map(decimal_places, errors) if place is not None), default=None)


def empty_remark(names: Sequence[str], kind: str = "") -> tuple[str, ...]:
    """Return the remark on empty intervals, which are named by their estimates; no remark without names.

    >>> empty_remark(["q in north", "q in south"])[0][:34]
    'interval of q in north; q in south'
    """
    told = f"{kind} interval of {few(names)}".strip()
    return (f"{told}: {EMPTY}; check the mechanism and the responses",) if names else ()


def equal_remark(names: Sequence[str], *, are_left: bool) -> tuple[str, ...]:
    """Return the remark on estimates with a standard error of 0 since all responses are equal; none without names.

    Args:
        names: the names of the estimates.
        are_left: whether differences of these groups are not tested for this reason.

    >>> equal_remark(["q in north"], are_left=True)[0][:43]
    'the responses are all equal (q in north): t'
    """
    left = "; their differences from other groups are not tested" * are_left
    told = f"the responses are all equal ({few(names)}): the standard error 0 states nothing about the error{left}"
    return (told,) if names else ()


def few(names: Sequence[str]) -> str:
    """Return the first three names, and how many more there are."""
    return "; ".join(names[:3]) + (f", and {len(names) - 3} more" if len(names) > 3 else "")


def normal(y: int, n: int, confidence: Fraction) -> tuple[Fraction, Fraction]:
    """Return Wald's interval ``l -+ z sqrt(l (1 - l)/n)``, with l = y/n and the two-sided normal quantile z."""
    digits = end_digits(n)
    share = Fraction(y, n)
    z = two_sided_quantile(confidence, digits)[1]
    half = z * root_above(share * (1 - share) / n, digits + 4)
    ends = Bracket(share - half, share + half).rounded_outwards(digits)
    return ends.lower, ends.upper


def wilson(y: int, n: int, confidence: Fraction) -> tuple[Fraction, Fraction]:
    """Return Wilson's interval, all lambda with ``|y/n - lambda| <= z sqrt(lambda (1 - lambda)/n)``.

    Source: Wilson, Probable inference (1927).
    """
    return _inverted(y, n, two_sided_quantile(confidence, end_digits(n))[1] ** 2)


def chebyshev(y: int, n: int, confidence: Fraction) -> tuple[Fraction, Fraction]:
    """Return Chebyshev's interval, all lambda with ``|y/n - lambda| <= c sqrt(lambda (1 - lambda)/n)``.

    Here ``c = 1/sqrt(1 - confidence)``. By Chebyshev's inequality, the true lambda violates the condition with
    probability at most ``1/c^2 = 1 - confidence``, for every n and lambda. The condition uses the true variance, not
    its estimate.

    Source: Holohan, Leith and Mason (2016), (7b), inverted in lambda; at 95 % confidence, c = sqrt(20) = 4.47.
    """
    return _inverted(y, n, 1 / (1 - confidence))


def _inverted(y: int, n: int, square: Fraction) -> tuple[Fraction, Fraction]:
    """Return the roots of ``(y/n - t)^2 = square t (1 - t)/n``, rounded outwards.

    With h = square/n the roots are ``t = (l + h/2 -+ sqrt(h l (1 - l) + h^2/4)) / (1 + h)``. They move outwards as
    ``square`` grows.
    """
    digits = end_digits(n)
    share, h = Fraction(y, n), square / n
    root = root_above(h * share * (1 - share) + h * h / 4, digits + 4)
    lower = (share + h / 2 - root) / (1 + h) if y else Fraction(0)
    upper = (share + h / 2 + root) / (1 + h) if y < n else Fraction(1)
    ends = Bracket(lower, upper).rounded_outwards(digits)
    return max(ends.lower, Fraction(0)), min(ends.upper, Fraction(1))


# a floating-point proposal of an endpoint is never 0; the least one that occurs is about 10^-68
_SMALLEST_PROPOSAL = 1e-300
_MOST_NEWTON = 3  # interval Newton steps; each doubles the digits


def clopper_pearson(y: int, n: int, confidence: Fraction) -> tuple[Fraction, Fraction]:
    """Return the Clopper-Pearson interval for lambda, from y successes among n.

    Let ``a = (1 - confidence)/2``. The lower endpoint L satisfies ``Pr(Y >= y | L) <= a`` (L = 0 if y = 0). The upper
    endpoint U satisfies ``Pr(Y <= y | U) <= a`` (U = 1 if y = n). Each endpoint is the extreme decimal of about 13
    significant digits for which the inequality is verified; floating-point arithmetic only proposes it. Since
    ``Pr(Y >= y | lambda)`` increases in lambda, ``lambda < L(Y)`` and ``lambda > U(Y)`` each have probability at most
    a, for every n and lambda.

    Source: Clopper and Pearson (1934).

    >>> lower, upper = clopper_pearson(0, 10, Fraction(19, 20))
    >>> lower, round(float(upper), 6)  # 1 - 40^(-1/10)
    (Fraction(0, 1), 0.308497)
    """
    level = (1 - confidence) / 2
    return _lower_end(y, n, level), 1 - _lower_end(n - y, n, level)


@lru_cache(maxsize=1 << 16)
def _lower_end(y: int, n: int, level: Fraction) -> Fraction:
    """Return the largest decimal L <= y/n for which ``Pr(Y >= y | L) <= level`` is proved."""
    if y == 0:
        return Fraction(0)
    proposal = max(proposed_lower_end(y, n, float(level)), _SMALLEST_PROPOSAL)
    scale = 10 ** (end_digits(n) + max(0, -math.floor(math.log10(proposal))))

    unit = _decimals(y, n, level, Fraction(proposal), scale)
    if unit is not None:
        return Fraction(unit, scale)

    def too_large(unit: int) -> bool:
        return tail_at_most(y, n, Fraction(unit, scale), level) is not True

    return Fraction(least_integer(too_large, int(Fraction(proposal) * scale) + 1, 1, scale) - 1, scale)


def _decimals(y: int, n: int, level: Fraction, near: Fraction, scale: int) -> int | None:
    """Return the proved floor of x times a scale, where ``Pr(Y >= y | x) = level``, 0 < y <= n.

    It returns ``None`` if the proof fails, or if a multiple of 1/scale is closer to x than the precision.

    The function makes an interval Newton step, and up to two more where floats propose a start that is too far from x
    (above a million responses). F(x) = Pr(Y >= y | x) - level increases, and F' = f is the density of the beta
    distribution (y, n - y + 1), which is ``Pr(Y = y | x) y/x``. The logarithm of f has the slope
    ``g(x) = (y - 1)/x - (n - y)/(1 - x)``. Let X be an interval around c. If the set
    ``c - F(c) / (f(c) exp(g(X) (X - c)))`` is contained in X, then it contains the solution.
    """
    from flint import arb, ctx

    precision = FIRST_PRECISION + max(16, 2 * n.bit_length())  # Arb's incomplete beta function loses log2(n) bits
    with ctx.workprec(precision):
        for _ in range(_MOST_NEWTON):
            if not 0 < near < 1:
                return None
            hits, centre, mass = arb(y), ball(near), binomial_mass(y, n, near)
            miss = upper_tail(y, n, near, mass) - ball(level)
            density = mass * hits / centre
            step = 2 * abs(miss / density) + centre * arb(2) ** -precision
            around = centre.union(centre + step).union(centre - step)
            slope = (hits - 1 - (n - 1) * around) / (around * (1 - around))
            found = centre - miss / (density * (slope * (around - centre)).exp())
            if not (around.contains(found) and found.is_finite()):
                return None
            unit = (found * scale).floor().unique_fmpz()
            if unit is not None:
                return int(unit)
            near = to_fraction(found.mid())
    return None


Ends = Callable[[int, int, Fraction], tuple[Fraction, Fraction]]


class IntervalKind(NamedTuple):
    """A kind of confidence interval.

    Attributes:
        name: the name of the kind in options and JSON.
        guarantee: the proved statement about its coverage, in words.
        ends: a function from (y, n, confidence) to the endpoints for the proportion lambda, rounded outwards.
    """

    name: str
    guarantee: str
    ends: Ends


INTERVAL_KINDS: dict[str, IntervalKind] = {
    name: IntervalKind(name, guarantee, ends)
    for name, ends, guarantee in (
        (
            "normal",
            normal,
            "no guarantee at any n: coverage tends to the nominal one as n grows, and falls far below it when "
            "few responses of one kind are expected",
        ),
        (
            "wilson",
            wilson,
            "no guarantee at any n: the normal approximation with the true variance; coverage is near the nominal one "
            "on average over the prevalence, and can fall below it at single points",
        ),
        (
            "chebyshev",
            chebyshev,
            "coverage at least nominal for every n and every distribution of the categories (Chebyshev's inequality)",
        ),
        (
            "exact",
            clopper_pearson,
            "coverage at least nominal for every n and every distribution of the categories (the binomial "
            "distribution itself)",
        ),
    )
}


# The recommended kind has proved coverage and is as a rule shorter than Chebyshev's interval.
RECOMMENDED = "exact"


def interval_kind(name: object) -> IntervalKind:
    """Return the kind of interval with the given name.

    Raises:
        InvalidParameterError: the name is unknown.
    """
    return INTERVAL_KINDS[one_of(name, INTERVAL_KINDS, "interval")]
