"""Margins of the four kinds of interval, the variance of the estimate, and the sample size for each."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from rropt.core.errors import InvalidParameterError
from rropt.core.exact import rational_where
from rropt.core.exact.numbers import finite_float, square_root
from rropt.mechanisms import Mechanism
from rropt.survey.estimates.counts import answer_count
from rropt.survey.estimates.distributions import bound_above, exact_confidence, two_sided_quantile
from rropt.survey.estimates.interval_kinds import END_DIGITS, clopper_pearson, interval_kind
from rropt.survey.estimates.precision import shares_of, variance_at
from rropt.survey.plans.contrasts import contrast_margin, plan_contrast_margin, plan_contrast_variance
from rropt.survey.plans.plan import (
    SCAN_MARGIN,
    SCAN_WIDTH,
    Plan,
    ceiling,
    has_more_answers,
    least_number,
    minimality_text,
    planned_share,
    slope,
    smallest_lasting_size,
)

# Digits of z and of printed decimals. A comparison that is undecided at this precision counts as a tie (none is known).
_FINEST_DIGITS = 320

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]

# Maps (square of the multiplier, proportion, n) to the square of the half-width of the interval for the proportion.
_HALF_SQUARED: dict[str, Callable[[Fraction, Fraction, int], Fraction]] = {
    "normal": lambda square, share, n: square * share * (1 - share) / n,
    "wilson": lambda square, share, n: _inverted(square, share, n),
    "chebyshev": lambda square, share, n: _inverted(square, share, n),
}


def margin(
    mechanism: Mechanism,
    n: object,
    *,
    kind: str = "exact",
    confidence: object = Fraction(19, 20),
    prevalence: object | None = None,
) -> float:
    """Return the expected margin with n respondents: the half-width of the interval.

    The margin belongs to the interval before it is cut to [0, 1]. It is taken at lambda, the proportion of responses 1
    expected under the guessed prevalence. The default is the worst case, the attainable lambda nearest to 1/2. With
    ``d = p00 + p11 - 1``:

    * normal: ``z sqrt(lambda (1 - lambda)/n) / |d|``;
    * wilson: ``sqrt(z^2 lambda (1 - lambda)/n + z^4/(4 n^2)) / ((1 + z^2/n) |d|)``;
    * chebyshev: the Wilson formula with ``c^2 = 1/(1 - confidence)`` in place of z^2;
    * exact: the half-width of the wider of the intervals at the two integers next to ``n lambda``.

    Args:
        mechanism: a mechanism for a yes/no question: a binary design with p00 + p11 != 1, or a mechanism with more
            than two outputs, for which only the kind ``"normal"`` is available.
        n: the number of responses.
        kind: ``"normal"``, ``"wilson"``, ``"chebyshev"`` or ``"exact"``.
        confidence: the confidence, exact, in (0, 1).
        prevalence: the guessed prevalence; the default is the worst case.

    Returns:
        The margin on the scale of the prevalence, as a decimal.

    Raises:
        InvalidParameterError: the kind is unknown, or a parameter is outside its domain.
        InfeasibleError: p00 + p11 = 1.

    Source: Wilson (1927); Clopper and Pearson (1934); Holohan, Leith and Mason (2016), (7).

    >>> from rropt.mechanisms import named_mechanism
    >>> margin(named_mechanism("warner:3/4"), 1980, kind="chebyshev", prevalence="1/2")  # sqrt(20/2000)
    0.1
    """
    if has_more_answers(mechanism):
        return contrast_margin(mechanism, n, kind=kind, confidence=confidence, prevalence=prevalence)
    name, level = interval_kind(kind).name, exact_confidence(confidence)
    share, _ = planned_share(mechanism, prevalence)
    total, unit = answer_count(n, "n", least=1), slope(mechanism)
    if name == "exact":
        return finite_float(_exact_margin(share, total, level) / unit)
    return square_root(_HALF_SQUARED[name](_square(name, level, _FINEST_DIGITS)[1], share, total) / unit**2)


def plan_margin(
    mechanism: Mechanism,
    goal: object,
    *,
    kind: str = "exact",
    confidence: object = Fraction(19, 20),
    prevalence: object | None = None,
) -> Plan:
    """Return the smallest n with margin (see ``margin``) at most ``goal``.

    For the normal, Wilson and Chebyshev intervals the margin decreases in n, so every larger n suffices too. The
    comparison is exact: it is rational for Chebyshev and uses enclosures of z otherwise. The margin of the exact
    interval is not monotone in n, because counts are integers. For it the result is the least N such that every n >= N
    suffices.

    Args:
        mechanism: a mechanism for a yes/no question: a binary design with p00 + p11 != 1, or a mechanism with more
            than two outputs, for which only the kind ``"normal"`` is available.
        kind: ``"normal"``, ``"wilson"``, ``"chebyshev"`` or ``"exact"``.
        confidence: the confidence, exact, in (0, 1).
        prevalence: the guessed prevalence; the default is the worst case.
        goal: the margin on the scale of the prevalence, exact, in (0, 1).

    Raises:
        InvalidParameterError: the margin is outside (0, 1), or the normal interval is used at a proportion of 0 or 1,
            where its width is always 0.
        InfeasibleError: more than 10^15 responses are needed.

    >>> from rropt.mechanisms import named_mechanism
    >>> die = named_mechanism("forced:2/3,1/6,1/6")
    >>> for kind in ("normal", "wilson", "chebyshev", "exact"):
    ...     plan = plan_margin(die, "0.05", kind=kind, prevalence="1/4")
    ...     print(kind, plan.n, round(plan.achieved, 6))
    normal 769 0.049977
    wilson 765 0.049998
    chebyshev 3983 0.049997
    exact 797 0.049975
    """
    if has_more_answers(mechanism):
        return plan_contrast_margin(mechanism, goal, kind=kind, confidence=confidence, prevalence=prevalence)
    name, level = interval_kind(kind).name, exact_confidence(confidence)
    most = rational_where(goal, lambda margin: 0 < margin < 1, "0 < margin < 1", name="margin")
    share, where = planned_share(mechanism, prevalence)
    half = most * slope(mechanism)
    text = f"the half-width of the {name} interval {where} is at most {most}"
    if name == "exact":
        n, least = _plan_exact_margin(share, half, level)
        text += " for n and every larger number of responses"
    else:
        n, least = _least_for(name, share, half, level), True
    text += minimality_text(n, "more", least=least, searched=name == "exact")
    achieved = margin(mechanism, n, kind=name, confidence=level, prevalence=prevalence)
    return Plan(n=n, goal="margin", achieved=achieved, definition=text, least=least)


def _least_for(name: str, share: Fraction, half: Fraction, level: Fraction) -> int:
    formula, bound = _HALF_SQUARED[name], half * half
    if name == "normal" and share in (0, 1):
        raise InvalidParameterError(
            f"the normal interval cannot be planned here: the expected proportion of response 1 is {share}, where its "
            "plug-in width is always 0; use wilson, chebyshev or exact"
        )

    def works(n: int) -> bool:
        digits = 20
        while digits <= _FINEST_DIGITS:
            low, high = _square(name, level, digits)
            if formula(high, share, n) <= bound:  # the width increases with the multiplier
                return True
            if formula(low, share, n) > bound:
                return False
            digits *= 2
        return False

    square = _square(name, level, 20)[1]
    return least_number(works, int(square * max(share * (1 - share), half) / bound))


def _square(name: str, level: Fraction, digits: int) -> tuple[Fraction, Fraction]:
    """Return a bracket of the squared multiplier of the interval: z^2, or 1/(1 - confidence) for Chebyshev."""
    if name == "chebyshev":
        return 1 / (1 - level), 1 / (1 - level)
    low, high = two_sided_quantile(level, digits)
    return low * low, high * high


def _inverted(square: Fraction, share: Fraction, n: int) -> Fraction:
    """Return the square of ``sqrt(s l (1 - l)/n + s^2/(4 n^2)) / (1 + s/n)``, which decreases in n for every l."""
    return (square * share * (1 - share) * n + square**2 / 4) / (n + square) ** 2


def _exact_margin(share: Fraction, n: int, level: Fraction) -> Fraction:
    """Return the half-width of the wider Clopper-Pearson interval at the two integers next to ``n share``."""
    return max(_half_width(y, n, level) for y in {math.floor(n * share), math.ceil(n * share)})


def _plan_exact_margin(share: Fraction, half: Fraction, level: Fraction) -> tuple[int, bool]:
    """Return the least N with ``_exact_margin(share, n, level) <= half`` for every n >= N, and whether it is the least.

    For t = share -+ 2/n, the endpoints of every interval next to ``n share`` lie between bounds that remain valid for
    all larger n (``universal.bound_above``). If these bounds are close enough at one n, every larger n suffices too.
    """
    square = two_sided_quantile(level)[1] ** 2

    def proved(n: int) -> bool:
        upper, lower = bound_above(share, n, square), 1 - bound_above(1 - share, n, square)
        return (upper - lower) / 2 + Fraction(1, 10**END_DIGITS) <= half  # endpoints are rounded outwards

    def clear(numbers: Numbers) -> NDArray[np.bool_]:
        return _float_margins(share, numbers, level) <= float(half) * (1 - SCAN_MARGIN)

    enough = least_number(proved, int(square * max(share * (1 - share), half) / half**2))
    return smallest_lasting_size(
        enough,
        lambda n: _exact_margin(share, n, level) <= half,
        lambda low, high: _sizes_with_rises(share, low, high),
        clear,
    )


def _sizes_with_rises(share: Fraction, low: int, high: int) -> Numbers:
    """Return the n in [low, high) at which an integer next to ``n share`` changes; all n if there would be many.

    Between two such n the two counts are constant, and to first order their intervals become narrower as n increases
    (``Plan`` states what is proved). For a fixed count, the endpoints decrease by about U(1 - U)/n and L(1 - L)/n. The
    upper endpoint decreases by more as long as U + L <= 1, which is the case here.
    """
    rare = min(share, 1 - share)
    if rare * high >= high // 4 or low < SCAN_WIDTH:
        return np.arange(low, high, dtype=np.int64)
    if not rare:  # the count is 0 or n for every n
        return np.array([low], dtype=np.int64)
    wholes = range(math.floor(low * rare), math.floor(high * rare) + 1)
    found = [n for j in wholes for n in (-(-j // rare), j // rare + 1) if low <= n < high]
    return np.array(found, dtype=np.int64)


def _half_width(y: int, n: int, level: Fraction) -> Fraction:
    lower, upper = clopper_pearson(y, n, level)
    return (upper - lower) / 2


def _float_margins(share: Fraction, numbers: Numbers, level: Fraction) -> Floats:
    """Return ``_exact_margin`` for many n, computed in floating point."""
    tail = float((1 - level) / 2)
    below = np.array([n * share.numerator // share.denominator for n in numbers.tolist()], dtype=np.int64)
    above = np.array([-(-n * share.numerator // share.denominator) for n in numbers.tolist()], dtype=np.int64)
    widths = [_upper_ends(y, numbers, tail) - _lower_ends(y, numbers, tail) for y in (below, above)]
    return np.maximum(*widths) / 2


def _lower_ends(counts: Numbers, numbers: Numbers, tail: float) -> Floats:
    from scipy.special import betaincinv

    inner = betaincinv(np.maximum(counts, 1), np.maximum(numbers - counts, 0) + 1, tail)
    return np.where(counts > 0, inner, 0.0)


def _upper_ends(counts: Numbers, numbers: Numbers, tail: float) -> Floats:
    return 1.0 - _lower_ends(numbers - counts, numbers, tail)


def variance(mechanism: Mechanism, n: object, *, prevalence: object | None = None) -> Fraction:
    """Return the exact variance of the unbiased estimate of the prevalence with n respondents.

    The formula is ``lambda (1 - lambda)/(n (p00 + p11 - 1)^2)``, where lambda = Pr(response 1) at the prevalence, or at
    the worst prevalence.

    Args:
        mechanism: a mechanism for a yes/no question.
        n: number of respondents.
        prevalence: pi, exact; the default is the worst case.

    Raises:
        InvalidParameterError: n is not a count, or the prevalence is outside [0, 1].
        InfeasibleError: p00 + p11 = 1.

    Source: Holohan, Leith and Mason (2016), equation (6).

    >>> from rropt.mechanisms import named_mechanism
    >>> exact = variance(named_mechanism("forced:2/3,1/6,1/6"), 2435, prevalence="2551/9740")
    >>> exact, round(float(exact), 9)  # Nigeria: the square of the standard error 0.014413
    (Fraction(2999079, 14437662875), 0.000207726)
    """
    if has_more_answers(mechanism):
        return variance_at(mechanism, shares_of(prevalence, None), n=n)
    share, _ = planned_share(mechanism, prevalence)
    return share * (1 - share) / (answer_count(n, "n", least=1) * slope(mechanism) ** 2)


def plan_variance(mechanism: Mechanism, goal: object, *, prevalence: object | None = None) -> Plan:
    """Return the smallest n for which the variance of the unbiased estimate is at most ``goal``, as an exact ceiling.

    Args:
        mechanism: a mechanism for a yes/no question, with p00 + p11 != 1 if it is binary.
        goal: the variance, exact, positive (for a standard error s give its square).
        prevalence: the guessed prevalence at which the variance is computed; the default is the worst case.

    Raises:
        InvalidParameterError: the variance is not positive.
        InfeasibleError: p00 + p11 = 1, or more than 10^15 responses are needed.

    >>> from rropt.mechanisms import named_mechanism
    >>> plan = plan_variance(named_mechanism("warner:3/4"), "1/10000", prevalence="1/2")
    >>> plan.n, plan.achieved
    (10000, 0.0001)
    """
    if has_more_answers(mechanism):
        return plan_contrast_variance(mechanism, goal, prevalence=prevalence)
    most = rational_where(goal, lambda variance: variance > 0, "a number > 0", name="variance")
    share, where = planned_share(mechanism, prevalence)
    n = ceiling(share * (1 - share) / (most * slope(mechanism) ** 2))
    return Plan(
        n=n,
        goal="variance",
        achieved=finite_float(variance(mechanism, n, prevalence=prevalence)),
        definition=f"the variance of the unbiased estimate {where} is at most {most}{minimality_text(n, 'more')}",
    )
