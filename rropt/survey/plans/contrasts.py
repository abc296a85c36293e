"""Sample sizes for a prevalence or a contrast, for mechanisms with any number of outputs and categories.

The variance ``V/n`` of the unbiased estimate is exact (``precision``). V belongs to a guessed distribution of the
categories, or to the worst one. The margin is that of the normal interval, ``z sqrt(V/n)``. Both decrease in n, so
every larger n is sufficient too.

*Power.* The null hypothesis is ``c . pi = c_0``. Let V_0 be the largest ``n Var`` of all distributions pi with this
property; for two categories there is only one. The normal test rejects if the unbiased estimate deviates from c_0 by
more than ``z sqrt(V_0/n)``. Let V_1 be ``n Var`` at the true distribution and ``d = |c . pi - c_0|``. The power is
``Phi((d - z sqrt(V_0/n))/sqrt(V_1/n))``. For a two-sided test the probability of rejection on the opposite side is
added. For a binary design this is the normal power of ``power``.

V_0 is exact. For fixed ``c . pi``, n Var is linear in pi (``precision``), so its maximum is attained at a distribution
on at most two categories.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

from rropt.core.errors import InvalidParameterError, UnsupportedProblemError, shown
from rropt.core.exact import as_text, decimal_text, rational, rational_where
from rropt.core.exact.numbers import dot, finite_float, square_root
from rropt.mechanisms import Mechanism
from rropt.objectives.objective import exact_population
from rropt.survey.estimates.counts import answer_count
from rropt.survey.estimates.distributions import exact_confidence, two_sided_quantile
from rropt.survey.estimates.interval_kinds import interval_kind
from rropt.survey.estimates.precision import planned_contrast, shares_of, squares_of, variance_at
from rropt.survey.plans.plan import Plan, ceiling, least_multiple, minimality_text, squared_quantile
from rropt.survey.plans.power import NormalTest, tested_level

_FINEST_DIGITS = 320  # the number of digits of z


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
        contrast: c, shape (k,), exact; the default for two categories is the prevalence.
        prevalence: the guessed prevalence, for two categories.
        population: the guessed distribution of the categories, shape (k,); the default is the worst case.

    Raises:
        InvalidParameterError: an argument is outside its domain.
        InfeasibleError: the mechanism does not identify the distribution, or more than 10^15 responses are needed.

    >>> from rropt.mechanisms import named_mechanism
    >>> plan_contrast_variance(named_mechanism("kuk:4/5,1/5,2"), "1/1000", prevalence="1/4").n
    410
    """
    most = rational_where(goal, lambda variance: variance > 0, "a number > 0", name="variance")
    noise, where = _noise(mechanism, contrast, prevalence, population)
    n = ceiling(noise / most)
    text = f"the variance of the unbiased estimate {where} is at most {as_text(most)}{minimality_text(n, 'more')}"
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

    Args:
        mechanism: P, shape (m, k), of full column rank.
        n: number of respondents.
        contrast: c, shape (k,), exact; the default for two categories is the prevalence.
        kind: ``"normal"``.
        confidence: the confidence, exact, in (0, 1).
        prevalence, population: the guessed prevalence or distribution, at most one of them; the default is the worst
            case.

    Raises:
        The exceptions of ``plan_contrast_variance`` and ``plan_contrast_margin``.
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

    Enclosures of z prove that n is sufficient and that n - 1 is not.

    Args:
        goal: the margin, exact, positive.
        kind: ``"normal"``.
        confidence: the confidence, exact, in (0, 1).

    The other arguments and the exceptions are those of ``plan_contrast_variance``.

    >>> from rropt.mechanisms import named_mechanism
    >>> plan = plan_contrast_margin(named_mechanism("grr:3,1/2"), "1/10", [1, -1, 0])
    >>> plan.n, round(plan.achieved, 6)
    (4610, 0.099997)
    """
    _require_normal(kind)
    level = exact_confidence(confidence)
    most = rational_where(goal, lambda margin: margin > 0, "a number > 0", name="margin")
    noise, where = _noise(mechanism, contrast, prevalence, population)

    n = least_multiple(lambda digits: squared_quantile(level, digits), noise / most**2)
    text = f"the half-width of the normal interval {where} is at most {as_text(most)}{minimality_text(n, 'more')}"
    achieved = contrast_margin(mechanism, n, contrast, confidence=level, prevalence=prevalence, population=population)
    return Plan(n=n, goal="margin", achieved=achieved, definition=text)


def _noise(
    mechanism: Mechanism,
    contrast: Sequence[object] | None,
    prevalence: object | None,
    population: Sequence[object] | None,
) -> tuple[Fraction, str]:
    """Return n Var, and text that names the quantity and the distribution at which n Var is taken."""
    shares = shares_of(prevalence, population)
    noise = variance_at(mechanism, shares, contrast)
    c = planned_contrast(mechanism, contrast)
    what = "of the prevalence" if contrast is None else f"of the contrast ({', '.join(map(as_text, c))})"
    if prevalence is not None:
        return noise, f"{what} at the prevalence {prevalence}"
    return noise, f"{what} {'at the worst distribution' if shares is None else 'at the given distribution'}"


def _require_normal(kind: str) -> None:
    if interval_kind(kind).name != "normal":
        raise UnsupportedProblemError(
            f"this interval is planned for two outputs only: received {shown(kind)} for a mechanism with more outputs, "
            "or a contrast; allowed is normal"
        )


def contrast_power(
    mechanism: Mechanism,
    n: object,
    contrast: Sequence[object] | None = None,
    *,
    prevalence: object | None = None,
    population: Sequence[object] | None = None,
    null: object = 0,
    significance: object = Fraction(1, 20),
    sided: str = "one",
    test: str = "normal",
) -> float:
    """Return the power of the normal test with n respondents: the probability of rejecting ``c . pi = null``.

    Args:
        mechanism: P, shape (m, k), of full column rank.
        n: the number of responses.
        contrast: c, shape (k,), exact; the default for two categories is the prevalence.
        prevalence, population: the true prevalence or distribution, exactly one of them.
        null: c_0, exact, between the smallest and the largest entry of c.
        significance: the significance of the test, exact, in (0, 1/2].
        sided: ``"one"`` or ``"two"``.
        test: ``"normal"``.

    Raises:
        InvalidParameterError: an argument is outside its domain, or the true value is missing or equals the null.
        InfeasibleError: the mechanism does not identify the distribution of the categories.
        UnsupportedProblemError: the test is not ``"normal"``.

    >>> from rropt.mechanisms import named_mechanism
    >>> round(contrast_power(named_mechanism("kuk:4/5,1/5,2"), 200, prevalence="1/5"), 6)
    0.999551
    """
    asked, _ = _question(mechanism, contrast, prevalence, population, null, significance, sided, test)
    return asked.power(answer_count(n, "n", least=1))


def plan_contrast_power(
    mechanism: Mechanism,
    goal: object = Fraction(4, 5),
    contrast: Sequence[object] | None = None,
    *,
    prevalence: object | None = None,
    population: Sequence[object] | None = None,
    null: object = 0,
    significance: object = Fraction(1, 20),
    sided: str = "one",
    test: str = "normal",
) -> Plan:
    """Return the smallest n with power (``contrast_power``) at least ``goal``; every larger n suffices too.

    Args:
        goal: the power, exact, in (0, 1).

    The other arguments and the exceptions are those of ``contrast_power``.

    >>> from rropt.mechanisms import named_mechanism
    >>> plan = plan_contrast_power(named_mechanism("grr:3,1/2"), "0.9", [1, -1, 0], population=["1/2", "1/4", "1/4"])
    >>> plan.n, round(plan.achieved, 6)
    (1580, 0.900055)
    """
    asked, what = _question(mechanism, contrast, prevalence, population, null, significance, sided, test)
    target = exact_confidence(goal, "power")
    n = asked.least(target)
    text = f"the power of the {sided}-sided normal test of {what} is at least {target}{minimality_text(n, 'less')}"
    return Plan(n=n, goal="power", achieved=asked.power(n), definition=text)


def _question(
    mechanism: Mechanism,
    contrast: Sequence[object] | None,
    prevalence: object | None,
    population: Sequence[object] | None,
    null: object,
    significance: object,
    sided: str,
    test: str,
) -> tuple[NormalTest, str]:
    """Return the test, and text that describes the tested quantity and its values."""
    if test != "normal":
        raise UnsupportedProblemError(
            f"this test is planned for two outputs only: received {shown(test)} for a mechanism with more outputs, "
            "or a contrast; allowed is normal"
        )
    shares, c = shares_of(prevalence, population), planned_contrast(mechanism, contrast)
    if shares is None:
        raise InvalidParameterError(
            "a power needs the truth: received no prevalence and no population; give the prevalence, or the population"
        )
    tested, truth = rational(null, name="null"), dot(c, exact_population(shares, mechanism.inputs))
    if tested == truth or not min(c) <= tested <= max(c):
        raise InvalidParameterError(
            f"the null is invalid: received {as_text(tested)}, with the true value {as_text(truth)}; allowed is a "
            f"different number from {as_text(min(c))} to {as_text(max(c))}"
        )
    level, two_sided = tested_level(significance, sided), sided == "two"
    tail = level / 2 if two_sided else level
    spread = _largest(squares_of(mechanism, c), c, tested) - tested**2
    made = NormalTest(abs(truth - tested), spread, variance_at(mechanism, shares, contrast), tail, two_sided)
    named = "prevalence" if contrast is None else f"the contrast ({', '.join(map(as_text, c))})"
    return made, f"{named} {as_text(tested)} at significance {decimal_text(level)} against {as_text(truth)}"


def _largest(squares: Sequence[Fraction], contrast: Sequence[Fraction], value: Fraction) -> Fraction:
    """Return the largest ``squares . pi`` over all distributions pi with ``c . pi = value``.

    The maximum is attained at a distribution on at most two categories.
    """
    below = [(c, v) for c, v in zip(contrast, squares, strict=True) if c <= value]
    above = [(c, v) for c, v in zip(contrast, squares, strict=True) if c >= value]
    found = []
    for (low, v), (high, w) in product(below, above):
        share = (value - low) / (high - low) if high > low else Fraction(0)
        found.append((1 - share) * v + share * w)
    return max(found)
