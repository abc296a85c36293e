r"""A randomized question compared with the same question asked directly.

The comparison answers two questions: do people hide the trait, and what does the device cost? It uses two independent
samples with the same yes/no question. Let ``p_R`` be the unbiased estimate from randomized responses, and ``p_D`` the
proportion of yes among direct answers. If respondents trust the device, ``p_R - p_D`` estimates the proportion of
people who hide the trait from a direct question. The variance of this difference is the sum of the two variances. The
test of no difference is the Wald test ``z = (p_R - p_D)/sqrt(V_R + V_D)``.

The *design effect* of the device is ``n Var`` of the randomized estimate divided by ``p (1 - p)`` of the direct one, at
the maximum likelihood estimate of the prevalence. For the same standard error, the randomized question needs more
respondents than the direct one by this factor.

Source: Lensvelt-Mulders, Hox, van der Heijden and Maas (2005), Sociol. Methods Res. 33, 319-348.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, sqrt
from typing import Any

from rropt.answers.response_counts import binary_counts
from rropt.core.errors import UnsupportedProblemError
from rropt.core.exact import decimal_text, exact_confidence
from rropt.core.exact.display import decimal_places, p_text, rounded
from rropt.core.results import Result, Table, labelled
from rropt.inference import Estimate, confidence_intervals, estimate
from rropt.inference.differences import difference_text, p_value, quantile
from rropt.inference.interval_kinds import RECOMMENDED, ends_text
from rropt.mechanisms import Mechanism
from rropt.mechanisms.imports import required_mechanism

Ends = tuple[float, float]


@dataclass(frozen=True, slots=True)
class DirectComparison(Result):
    """A comparison of a randomized question with the same question asked directly.

    Attributes:
        mechanism: the mechanism of the randomized responses.
        counts: the counts of the randomized responses.
        reference: as in ``estimate``; it matters only for more than two outputs.
        direct_counts: the counts of the direct answers, no and yes.
        confidence: the confidence of the intervals.
        randomized, direct: the estimates.
        randomized_standard_error, direct_standard_error: plug-in standard errors.
        randomized_interval, direct_interval: the recommended intervals.
        difference: the randomized estimate minus the direct one.
        difference_standard_error: the standard error of the difference.
        difference_interval: the normal confidence interval of the difference, which contains 0 if and only if the
            p-value is at least 1 minus the confidence; ``None`` if one of the standard errors is 0, which is no measure
            of the error: all responses are equal.
        p_value: the two-sided p-value of no difference; ``None`` if one of the standard errors is 0.
        design_effect: n Var of the randomized estimate divided by that of a direct one at the same prevalence; ``None``
            if the maximum likelihood estimate of the prevalence is 0 or 1.
        direct_needed: the number of direct respondents that gives the standard error of the randomized sample if nobody
            lies.
    """

    mechanism: Mechanism
    counts: tuple[int, ...]
    reference: tuple[Fraction, ...]
    direct_counts: tuple[int, ...]
    confidence: Fraction
    randomized: Fraction
    randomized_standard_error: float
    randomized_interval: Ends
    direct: Fraction
    direct_standard_error: float
    direct_interval: Ends
    difference: Fraction
    difference_standard_error: float
    difference_interval: Ends | None
    p_value: float | None
    design_effect: float | None
    direct_needed: int | None

    LABELS = labelled(
        randomized="randomized question",
        direct="direct question",
        difference="difference",
        device_in_words="device",
        p_value="p-value of no difference",
        design_effect="design effect of the device",
        direct_needed="direct respondents for the same standard error",
    )

    @classmethod
    def recompute(
        cls,
        mechanism: Mechanism,
        counts: tuple[int, ...],
        reference: tuple[Fraction, ...],
        direct_counts: tuple[int, ...],
        confidence: Fraction,
    ) -> DirectComparison:
        """Recompute the comparison from its counts."""
        asked: dict[str, Any] = {"reference": reference, "confidence": confidence}
        return compare_with_direct(mechanism, counts, direct_counts[-1], sum(direct_counts), **asked)

    @property
    def device_in_words(self) -> str:
        """The device of the randomized responses in words."""
        return self.mechanism.in_words()

    def lines(self) -> list[tuple[str, str]]:
        """Return the text of the summary: the estimates, their difference, and the design effect."""
        rows = [(row[0], f"{row[2]} (standard error {row[3]}, {row[4]})") for row in self._rows()]
        return [*rows, *self._cost()]

    def frame_rows(self) -> list[dict[str, Any]]:
        """Return three rows: the randomized question, the direct one, and their difference with its p."""
        rows = []
        sizes = {"randomized": sum(self.counts), "direct": sum(self.direct_counts), "difference": None}
        for name, n in sizes.items():
            low, high = getattr(self, f"{name}_interval") or (None, None)
            numbers = {"n": n, "estimate": float(getattr(self, name))}
            numbers |= {"standard_error": getattr(self, f"{name}_standard_error"), "low": low, "high": high}
            rows.append({"question": name, **numbers, "p": self.p_value if name == "difference" else None})
        return rows

    def as_tables(self) -> list[Table]:
        """Return a table of the estimates, and the design effect."""
        level = decimal_text(100 * self.confidence)
        header = ("", "n", "estimate", "std. error", f"{level} % interval")
        return [
            ("Randomized and direct question", header, self._rows()),
            ("", None, self._cost()),
        ]

    def _rows(self) -> list[tuple[str, ...]]:
        parts: tuple[tuple[str, tuple[int, ...], Fraction, float, Ends | None], ...] = (
            ("randomized", self.counts, self.randomized, self.randomized_standard_error, self.randomized_interval),
            ("direct", self.direct_counts, self.direct, self.direct_standard_error, self.direct_interval),
            ("difference", (), self.difference, self.difference_standard_error, self.difference_interval),
        )
        rows: list[tuple[str, ...]] = []
        for name, counts, value, error, ends in parts:
            n = str(sum(counts)) if counts else ""
            places = decimal_places(error) or 3
            told = ends_text(*ends, places, value) if counts and ends is not None else difference_text(ends, places)
            rows.append((name, n, rounded(value, places), rounded(error, places), told))
        return rows

    def _cost(self) -> list[tuple[str, str]]:
        rows = [("device", self.device_in_words)]
        errors = {"randomized": self.randomized_standard_error, "direct": self.direct_standard_error}
        equal = " and ".join(name for name, error in errors.items() if not error)
        told = f"not tested: the {equal} responses are all equal, so their standard error 0 does not measure the error"
        if self.p_value is not None:
            told = f"{p_text(self.p_value)} (two-sided Wald test)"
        rows.append(("p-value of no difference", told))
        if self.design_effect is not None:
            effect = decimal_text(self.design_effect, 3)
            rows.append(("design effect of the device", f"{effect} times as many respondents for the same precision"))
            said = f"{self.direct_needed} direct, {sum(self.counts)} randomized"
            rows.append(("respondents for this standard error", f"{said}, if nobody lies to a direct question"))
        return rows


def compare_with_direct(
    mechanism: Mechanism | str,
    counts: Sequence[int],
    direct_yes: int,
    direct_n: int,
    *,
    reference: Sequence[object] | None = None,
    confidence: object = "0.95",
) -> DirectComparison:
    """Compare a randomized yes/no question with the same question asked directly.

    Args:
        mechanism: the mechanism of the randomized responses, two categories.
        counts: the number of times each response was given.
        direct_yes, direct_n: the number of yes answers and the number of all answers to the direct question.
        reference: as in ``estimate``.
        confidence: the confidence of the intervals.

    Raises:
        InvalidParameterError: the counts are invalid.
        UnsupportedProblemError: the mechanism has more than two categories.

    >>> found = compare_with_direct("forced:2/3,1/6,1/6", [1604, 831], 300, 2000)
    >>> print(found.direct, round(float(found.difference), 4), round(found.design_effect, 2))
    3/20 0.1119 2.62
    """
    device = required_mechanism(mechanism)
    if device.inputs != 2:
        raise UnsupportedProblemError(
            f"a direct question is compared for two categories: received {device.inputs}; leave the direct answers out"
        )
    level = exact_confidence(confidence)
    plain = Mechanism.binary(1, 1)
    own = binary_counts(plain, direct_yes, direct_n)
    found = estimate(device, counts, reference=reference)
    first, second = _proportion(found, level), _proportion(estimate(plain, own), level)
    difference, error = first[0] - second[0], sqrt(first[1] ** 2 + second[1] ** 2)
    half = quantile(level) * error
    is_measured = first[1] > 0 and second[1] > 0
    gap = difference, error, (float(difference) - half, float(difference) + half) if is_measured else None
    p = p_value(float(difference) / error) if is_measured else None
    effect = _design_effect(found)
    needed = None if effect is None else ceil(found.n / effect)
    asked = device, found.counts, found.reference, own, level
    return DirectComparison(*asked, *first, *second, *gap, p, effect, needed)


def _proportion(found: Estimate, confidence: Fraction) -> tuple[Fraction, float, Ends]:
    """Return the estimated proportion of yes with its standard error and its recommended interval."""
    intervals = confidence_intervals(found, confidence)
    interval = intervals[RECOMMENDED if RECOMMENDED in intervals else "normal"]
    return found.estimate[1], found.standard_errors[1], (float(interval.lower), float(interval.upper))


def _design_effect(found: Estimate) -> float | None:
    """Return n Var of the unbiased estimate divided by that of a direct question; ``None`` at prevalence 0 or 1."""
    from rropt.inference import variance_at

    prevalence = found.constrained_estimate[1]
    if not 0 < prevalence < 1:
        return None
    own = variance_at(found.mechanism, (1 - prevalence, prevalence), (0, 1), reference=found.reference)
    return float(own / (prevalence * (1 - prevalence)))
