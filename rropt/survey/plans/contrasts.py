"""Answers that a prevalence or a contrast of shares needs, for mechanisms with any number of answers and categories.

The variance ``V/n`` of the unbiased estimate is exact (``precision``); V is taken at a guessed population, or at the
worst one. The margin is that of the normal interval, ``z sqrt(V/n)``: both fall in n, so that every larger n serves.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from rropt.core.errors import UnsupportedProblemError, shown
from rropt.core.exact import as_text, rational_where
from rropt.core.exact.numbers import finite_float, square_root
from rropt.mechanisms import Mechanism
from rropt.survey.estimates.counts import answer_count
from rropt.survey.estimates.distributions import exact_confidence, two_sided_quantile
from rropt.survey.estimates.interval_kinds import interval_kind
from rropt.survey.estimates.precision import planned_contrast, shares_of, variance_at
from rropt.survey.plans.plan import Plan, ceiling, last_words, least_number

_FIRST_DIGITS, _FINEST_DIGITS = 20, 320  # of z: beyond it a comparison counts as a tie (no tie is known)


def plan_contrast_variance(
    mechanism: Mechanism,
    goal: object,
    contrast: Sequence[object] | None = None,
    *,
    prevalence: object | None = None,
    population: Sequence[object] | None = None,
) -> Plan:
    """Return the smallest n for which the variance of the estimate of ``c . pi`` is at most ``goal``.

    Args:
        mechanism: P, shape (m, k), of full column rank.
        goal: the variance, exact, positive.
        contrast: c, shape (k,), exact; of two categories the prevalence when left out.
        prevalence: the guess, of two categories.
        population: the guessed shares, shape (k,); without a guess the worst population counts.

    Raises:
        InvalidParameterError: an argument out of its domain.
        InfeasibleError: the mechanism does not identify the population, or more than 10^15 answers are needed.

    >>> from rropt.mechanisms import named_mechanism
    >>> plan_contrast_variance(named_mechanism("kuk:4/5,1/5,2"), "1/1000", prevalence="1/4").n
    410
    """
    most = rational_where(goal, lambda variance: variance > 0, "a number > 0", name="variance")
    noise, where = _noise(mechanism, contrast, prevalence, population)
    n = ceiling(noise / most)
    text = f"the variance of the unbiased estimate {where} is at most {as_text(most)}{last_words(n, 'more')}"
    return Plan(n=n, goal="variance", achieved=finite_float(noise / n), definition=text)


def contrast_margin(
    mechanism: Mechanism,
    n: object,
    contrast: Sequence[object] | None = None,
    *,
    kind: str = "normal",
    confidence: object = Fraction(19, 20),
    prevalence: object | None = None,
    population: Sequence[object] | None = None,
) -> float:
    """Return the expected half width ``z sqrt(V/n)`` of the normal interval of ``c . pi`` from n respondents.

    Further arguments and errors as for ``plan_contrast_variance`` and ``plan_contrast_margin``.
    """
    _require_normal(kind)
    noise, _ = _noise(mechanism, contrast, prevalence, population)
    z = two_sided_quantile(exact_confidence(confidence), _FINEST_DIGITS)[1]
    return square_root(z * z * noise / answer_count(n, "n", least=1))


def plan_contrast_margin(
    mechanism: Mechanism,
    goal: object,
    contrast: Sequence[object] | None = None,
    *,
    kind: str = "normal",
    confidence: object = Fraction(19, 20),
    prevalence: object | None = None,
    population: Sequence[object] | None = None,
) -> Plan:
    """Return the smallest n for which the margin of the normal interval of ``c . pi`` is at most ``goal``.

    Both that n serves and that n - 1 does not are decided with enclosures of z.

    Args:
        goal: the margin, exact, positive.
        kind: ``"normal"``.
        confidence: exact, in (0, 1).

    Further arguments and errors as for ``plan_contrast_variance``.

    >>> from rropt.mechanisms import named_mechanism
    >>> plan = plan_contrast_margin(named_mechanism("grr:3,1/2"), "1/10", [1, -1, 0])
    >>> plan.n, round(plan.achieved, 6)
    (4610, 0.099997)
    """
    _require_normal(kind)
    level = exact_confidence(confidence)
    most = rational_where(goal, lambda margin: margin > 0, "a number > 0", name="margin")
    noise, where = _noise(mechanism, contrast, prevalence, population)

    def works(n: int) -> bool:
        digits = _FIRST_DIGITS
        while digits <= _FINEST_DIGITS:
            low, high = two_sided_quantile(level, digits)
            if high * high * noise <= most * most * n:
                return True
            if low * low * noise > most * most * n:
                return False
            digits *= 2
        return False

    n = least_number(works, int(two_sided_quantile(level)[1] ** 2 * noise / most**2))
    text = f"half the width of the normal interval {where} is at most {as_text(most)}{last_words(n, 'more')}"
    achieved = contrast_margin(mechanism, n, contrast, confidence=level, prevalence=prevalence, population=population)
    return Plan(n=n, goal="margin", achieved=achieved, definition=text)


def _noise(
    mechanism: Mechanism,
    contrast: Sequence[object] | None,
    prevalence: object | None,
    population: Sequence[object] | None,
) -> tuple[Fraction, str]:
    """Return n Var, and of what and where it is, in words."""
    shares = shares_of(prevalence, population)
    noise = variance_at(mechanism, shares, contrast)
    c = planned_contrast(mechanism, contrast)
    what = "of the prevalence" if contrast is None else f"of the contrast ({', '.join(map(as_text, c))})"
    if prevalence is not None:
        return noise, f"{what} at the prevalence {prevalence}"
    return noise, f"{what} {'at the worst population' if shares is None else 'at the population given'}"


def _require_normal(kind: str) -> None:
    if interval_kind(kind).name != "normal":
        raise UnsupportedProblemError(
            f"this interval is planned for two answers only: received {shown(kind)} for a mechanism with more answers, "
            "or a contrast; allowed is normal"
        )
