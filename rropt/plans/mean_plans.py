"""The number of respondents for the mean of a number, from a mechanism with the numbers of its inputs and outputs.

The variance of one report is ``sum_j pi_j (sum_i z_i^2 p_ij) - mu^2``: that of the number itself, and what the device
adds. Without proportions pi it is the largest one, over all distributions of the numbers: no guess of the variance is
needed. At a mean mu, a distribution of the numbers has the second moment ``sum_j pi_j S_j`` with the second moments S_j
of the reports. So the largest variance is the maximum over mu of ``c(mu) - mu^2``, where c is the upper concave
envelope of the points (x_j, S_j): on each of its pieces a concave quadratic, with an exact maximum.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, sqrt
from statistics import NormalDist
from typing import Any

from rropt.core.errors import InvalidParameterError
from rropt.core.exact import rational_where
from rropt.core.exact.numbers import dot, exact_confidence, whole_where
from rropt.core.limits import MAX_ANSWERS
from rropt.core.results import Result, labelled, plain_lines
from rropt.mechanisms import Mechanism
from rropt.mechanisms.columns import exact_population
from rropt.plans.sample_conditions import ONE, SIMPLE_SAMPLE, Conditions, SampleSizes


@dataclass(frozen=True, slots=True)
class MeanPlan(Result):
    """A plan for the mean of a number.

    Attributes:
        mechanism: the mechanism, with the numbers of its inputs and outputs.
        variance_of_report: the variance of one report: at the proportions, else the largest one.
        confidence: the confidence of the margin of error.
        n: the number of respondents.
        sample: the sizes of the sample, if its design effect, response rate, clusters or regions are given.
    """

    mechanism: Mechanism
    variance_of_report: Fraction
    confidence: Fraction
    n: int
    sample: SampleSizes | None = None

    ANSWER = ("n", "margin", "standard_error")
    LABELS = labelled(
        n="respondents",
        variance_of_report="variance of one report, at most",
        standard_error="standard error, at most",
        margin="margin of error",
        without_device="respondents without the device, same margin",
        confidence="confidence",
        sample="",
    )

    @property
    def _effect(self) -> Fraction:
        return ONE if self.sample is None else self.sample.design_effect

    @property
    def _risk(self) -> Fraction:
        return (1 - self.confidence) if self.sample is None else self.sample.conditions().risk(1 - self.confidence)

    @property
    def standard_error(self) -> float:
        """The standard error of the mean of n reports."""
        return sqrt(self.variance_of_report * self._effect / self.n)

    @property
    def margin(self) -> float:
        """The margin of error of the mean of n reports: z times the standard error."""
        return NormalDist().inv_cdf(float(1 - self._risk / 2)) * self.standard_error

    @property
    def without_device(self) -> int:
        """The number of respondents who would be needed at most if all reported their number itself."""
        x = self.mechanism.input_values
        direct = (max(x) - min(x)) ** 2 / 4
        return max(1, ceil(self.n * min(Fraction(1), direct / self.variance_of_report)))

    def lines(self) -> list[tuple[str, str]]:
        """Return (label, value) pairs for a table: the plan, then the sizes of the sample."""
        return [*plain_lines(self), *(() if self.sample is None else self.sample.lines())]


def plan_mean(
    mechanism: Mechanism,
    *,
    margin: object = None,
    variance: object = None,
    standard_error: object = None,
    n: object = None,
    population: Sequence[object] | None = None,
    confidence: object = None,
    sample: Conditions = SIMPLE_SAMPLE,
) -> MeanPlan:
    """Return the number of respondents for a goal of the estimated mean, or what n respondents achieve.

    Args:
        mechanism: a mechanism with numbers, for example of ``rropt.design.mean``.
        margin, variance, standard_error: the goal, one of them: in the unit of the number, its square for a variance.
        n: instead of a goal, the number of respondents.
        population: assumed proportions of the numbers; by default the largest variance over all of them.
        confidence: of the margin of error; 0.95 by default.
        sample: the design effect, response rate, clusters and regions.

    Raises:
        InvalidParameterError: there is not exactly one goal, or a number is out of range.

    >>> from rropt.designs.known_reports import threshold_cards
    >>> cards = threshold_cards([Fraction(x) for x in (1, 2, 3, 4, 5)], Fraction(2))
    >>> plan_mean(cards, margin="1/4").n, plan_mean(cards, n=2290).variance_of_report
    (2290, Fraction(149, 4))
    """
    level = exact_confidence("0.95" if confidence is None else confidence)
    goals = {"margin": margin, "variance": variance, "standard_error": standard_error, "n": n}
    given = [name for name, value in goals.items() if value is not None]
    if len(given) != 1:
        raise InvalidParameterError(
            f"a plan has one goal: received {', '.join(given) or 'none'}; give margin, standard_error, variance or n"
        )
    total = variance_of_report(mechanism, population)
    effect = sample.effect(ONE, ONE)
    if sample.clustering:
        effect = sample.effect(total, variance_of_report(mechanism, population, sample.clustering))
    if n is not None:
        size = whole_where(n, 1, MAX_ANSWERS, name="`n`")
        return MeanPlan(mechanism, total, level, size, sample.sizes(size, effect))
    (name,) = given
    wanted = rational_where(goals[name], lambda x: x > 0, f"{name} > 0", name=f"`{name}`")
    quantile = NormalDist().inv_cdf(float(1 - sample.risk(1 - level) / 2))
    least: Any = total * effect / (wanted if name == "variance" else wanted**2)
    size = ceil(float(least) * quantile**2) if name == "margin" else ceil(least)
    if size > MAX_ANSWERS:
        raise InvalidParameterError(f"`{name}` is too small: it needs {size} respondents; give a larger one")
    size = max(1, size)
    return MeanPlan(mechanism, total, level, size, sample.sizes(size, effect))


def variance_of_report(
    mechanism: Mechanism, population: Sequence[object] | None = None, clustering: Fraction = Fraction(0)
) -> Fraction:
    """Return the variance of one report at proportions of the numbers, or the largest one over all proportions.

    With kappa = ``clustering``, kappa times the variance of the number itself is added (``sample_conditions``).
    """
    x, squares = mechanism.input_values, [z * z for z in mechanism.output_values]
    second = [dot(column, squares) for column in zip(*mechanism.matrix, strict=True)]
    scale = 1 + clustering
    second = [s + clustering * y * y for y, s in zip(x, second, strict=True)]
    if population is not None:
        pi = exact_population(population, mechanism.inputs)
        return dot(pi, second) - scale * dot(pi, x) ** 2
    most = max(s - scale * y * y for y, s in zip(x, second, strict=True))
    for i, (low, s) in enumerate(zip(x, second, strict=True)):
        for high, t in list(zip(x, second, strict=True))[i + 1 :]:  # every pair of numbers: the envelope is among them
            slope = (t - s) / (high - low)
            mean = min(max(slope / (2 * scale), min(low, high)), max(low, high))
            most = max(most, s + slope * (mean - low) - scale * mean * mean)
    return most
