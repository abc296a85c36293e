"""The precision of a given number of respondents: variance, margins of every kind, and power."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from rropt.core.exact import decimal_text, rational
from rropt.core.exact.numbers import square_root
from rropt.core.mappings import ReadOnlyMapping
from rropt.core.results import Result, labelled
from rropt.mechanisms import Mechanism
from rropt.survey.estimates.counts import answer_count
from rropt.survey.estimates.distributions import exact_confidence, two_sided_quantile
from rropt.survey.estimates.interval_kinds import INTERVAL_KINDS
from rropt.survey.estimates.precision import shares_of, variance_at
from rropt.survey.plans.contrasts import contrast_margin, contrast_power
from rropt.survey.plans.margin import margin, variance
from rropt.survey.plans.marginals import Population, marginal_margin, marginal_variance
from rropt.survey.plans.power import power


@dataclass(frozen=True, slots=True)
class Achieved(Result):
    """The precision that n respondents achieve.

    Attributes:
        n: the number of respondents.
        variance: the exact variance of the unbiased estimate; for several cells, that of the least precise cell.
        margins: the half-width of the interval of each kind, as a decimal.
        confidence: the confidence of the intervals.
        power: the power of the test, if requested.
    """

    n: int
    variance: Fraction
    margins: Mapping[str, float]
    confidence: Fraction
    power: float | None = None

    LABELS = labelled(
        n="n",
        variance="variance",
        standard_error="standard error",
        margins="margins",
        confidence="at confidence",
        power="power",
    )

    def __post_init__(self) -> None:
        object.__setattr__(self, "margins", ReadOnlyMapping(self.margins))

    @property
    def standard_error(self) -> float:
        """The square root of the variance."""
        return square_root(self.variance)


@dataclass(frozen=True, slots=True)
class ExpectedPrecision(Result):
    """The standard error and the normal margin with n respondents, for a known n Var.

    Attributes:
        n_variance: n times the variance of the estimate.
        n: the number of respondents.
        confidence: the confidence of the margin.
        where: text after each label that explains where n Var is attained, such as ``", at the worst case"``.
    """

    n_variance: Fraction
    n: int
    confidence: Fraction
    where: str = field(default="", compare=False)
    LABELS = labelled(n_variance="", n="", confidence="", standard_error="", margin="")

    @property
    def standard_error(self) -> float:
        """The square root of the variance."""
        return square_root(self.n_variance / self.n)

    @property
    def margin(self) -> float:
        """Half the width of the normal interval."""
        return float(two_sided_quantile(self.confidence)[1]) * self.standard_error

    def lines(self) -> list[tuple[str, str]]:
        """Return (label, value) pairs for a table: the standard error and the margin."""
        return [
            (f"standard error, n = {self.n}{self.where}", decimal_text(self.standard_error)),
            (f"margin at {decimal_text(self.confidence)} (normal){self.where}", decimal_text(self.margin)),
        ]


def expected_precision(
    n_variance: object, n: object, confidence: object = Fraction(19, 20), *, where: str = ""
) -> ExpectedPrecision:
    """Return the standard error and the margin that n respondents will give.

    Args:
        n_variance: n times the variance of the estimate, exact.
        n: number of respondents.
        confidence: the confidence of the margin, exact, in (0, 1).
        where: text after each label, for example ``", at the worst case"``.

    >>> print(expected_precision(Fraction(21, 25), 2100).lines()[0])
    ('standard error, n = 2100', '0.02')
    """
    variance = rational(n_variance, name="n Var")
    return ExpectedPrecision(variance, answer_count(n, "n", least=1), exact_confidence(confidence), where)


def achieved(
    mechanism: Mechanism,
    n: object,
    *,
    confidence: object = Fraction(19, 20),
    prevalence: object | None = None,
    null: object | None = None,
    significance: object = Fraction(1, 20),
    sided: str = "one",
    test: str = "exact",
) -> Achieved:
    """Return the precision of n respondents for a yes/no question and, if ``null`` is given, the power of the test.

    Args:
        mechanism: a mechanism for a yes/no question.
        n: number of respondents.
        confidence: the confidence of the margins, exact, in (0, 1).
        prevalence: the guessed prevalence, exact; the default is the worst case. For a power, the true prevalence.
        null: the prevalence under the null hypothesis. Without it, no power is computed.
        significance, sided, test: the options of the test, as for ``power``.

    Raises:
        The exceptions of ``margin`` and ``power``.

    >>> from rropt.mechanisms import named_mechanism
    >>> achieved(named_mechanism("warner:3/4"), 400)
    <Achieved n=400 variance=1/400 standard_error=0.05>
    """
    count = answer_count(n, "n", least=1)
    margins = {
        kind: margin(mechanism, count, kind=kind, confidence=confidence, prevalence=prevalence)
        for kind in INTERVAL_KINDS
    }
    reached = None
    if null is not None:
        given = {"null": null, "significance": significance, "sided": sided, "test": test}
        reached = power(mechanism, count, prevalence=prevalence, **given)  # type: ignore[arg-type]
    spread = variance(mechanism, count, prevalence=prevalence)
    return Achieved(count, spread, margins, exact_confidence(confidence), reached)


def achieved_contrast(
    mechanism: Mechanism,
    n: object,
    contrast: Sequence[object] | None = None,
    *,
    confidence: object = Fraction(19, 20),
    prevalence: object | None = None,
    population: Sequence[object] | None = None,
    null: object | None = None,
    significance: object = Fraction(1, 20),
    sided: str = "one",
    test: str = "normal",
) -> Achieved:
    """Return the precision of n respondents for a contrast of proportions and, if ``null`` is given, the power.

    Args:
        mechanism: P, shape (m, k), of full column rank.
        n: number of respondents.
        contrast: c, shape (k,), exact; the default for two categories is the prevalence.
        confidence: the confidence of the margin, exact, in (0, 1).
        prevalence, population: the guessed prevalence or distribution, at most one of them; the default is the worst
            case.
        null: the value of ``c . pi`` under the null hypothesis. Without it, no power is computed.
        significance, sided, test: the options of the test, as for ``contrast_power``.

    Raises:
        The exceptions of ``contrast_margin`` and ``contrast_power``.
    """
    guess = {"prevalence": prevalence, "population": population}
    half = contrast_margin(mechanism, n, contrast, confidence=confidence, **guess)  # type: ignore[arg-type]
    spread = variance_at(mechanism, shares_of(prevalence, population), contrast, n=n)
    reached = None
    if null is not None:
        tested = {"null": null, "significance": significance, "sided": sided, "test": test}
        reached = contrast_power(mechanism, n, contrast, **guess, **tested)  # type: ignore[arg-type]
    return Achieved(answer_count(n, "n", least=1), spread, {"normal": half}, exact_confidence(confidence), reached)


def achieved_marginals(
    mechanism: Mechanism,
    n: object,
    questions: int | Sequence[int] | None = None,
    *,
    confidence: object = Fraction(19, 20),
    population: Population = None,
) -> Achieved:
    """Return the precision of n respondents for a marginal of several questions (see ``marginal_margin``).

    Args:
        mechanism: a product mechanism, or the device of one question.
        n: number of respondents.
        questions: the questions of the marginal, or a number k for the worst marginal of k questions; the default is
            all questions.
        confidence: the joint confidence of all cells, exact, in (0, 1).
        population: the guessed distribution for the normal margin and the variance; the default is the worst case.
    """
    count = answer_count(n, "n", least=1)
    margins = {
        kind: marginal_margin(mechanism, count, questions, kind=kind, confidence=confidence, population=at)
        for kind, at in (("hoeffding", None), ("normal", population))
    }
    spread = marginal_variance(mechanism, questions, population=population) / count
    return Achieved(count, spread, margins, exact_confidence(confidence))
