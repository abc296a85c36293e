r"""A linear combination of the proportions that several devices identify together, although no single one need do so.

Two samples that answer an unrelated question with different probabilities are the best-known case: with the categories
(trait, innocuous trait), neither device determines a proportion alone, and both together determine those of both traits
(Greenberg, Abul-Ela, Simmons and Horvitz 1969).

Device d gives the proportions ``lambda_d = P_d pi`` of its ``n_d`` responses. The estimate is
``sum_d L_d . N_d / n_d`` with weights of the responses such that ``sum_d P_d^T L_d = c``, so it is unbiased for
``c . pi``. Among these weights, L has the least variance at a reference distribution, by default the uniform one: with
V the diagonal matrix of ``lambda_dz / n_d`` there, ``L = V^-1 P mu`` and ``P^T V^-1 P mu = c``. The variance is
``sum_d (L_d^2 . f_d - (L_d . f_d)^2) / n_d``, with the observed proportions f.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rropt.core.errors import InfeasibleError, InvalidParameterError, shown
from rropt.core.exact import as_text, decimal_text, exact_confidence
from rropt.core.exact.display import decimal_places, estimate_text, rounded
from rropt.core.exact.numbers import dot, square_root
from rropt.core.results import Result, Table, labelled
from rropt.core.results.result_frames import row_with
from rropt.core.visible import with_noun
from rropt.inference.confidence_intervals import Interval, normal_interval
from rropt.inference.contrasts import contrast_weights
from rropt.inference.count_estimates import exact_contrast
from rropt.mechanisms import Mechanism
from rropt.mechanisms.words import devices_in_words


@dataclass(frozen=True, slots=True)
class ContrastEstimate(Result):
    """The estimate of a contrast from the responses to several devices.

    Attributes:
        contrast: c, shape (k,).
        estimate: the unbiased estimate of ``c . pi``.
        variance: its plug-in variance.
        standard_error: the root of the variance.
        interval: the normal interval.
        n: the number of responses to each device.
        counts: the counts of the responses to each device.
        mechanisms: the devices.
    """

    contrast: tuple[Fraction, ...]
    estimate: Fraction
    variance: Fraction
    standard_error: float
    interval: Interval
    n: tuple[int, ...]
    counts: tuple[tuple[int, ...], ...]
    mechanisms: tuple[Mechanism, ...]

    LABELS = labelled(
        contrast="contrast", estimate="estimate", standard_error="standard error (plug-in)", interval="interval"
    )

    def frame_rows(self) -> list[dict[str, Any]]:
        """Return one row: n, estimate, standard error and interval."""
        is_empty = self.interval.emptied
        ends = {"low": None if is_empty else self.interval.lower, "high": None if is_empty else self.interval.upper}
        return [row_with(n=sum(self.n), estimate=self.estimate, standard_error=self.standard_error, **ends)]

    def as_tables(self) -> list[Table]:
        """Return the printed table."""
        return [("", None, self.lines())]

    def lines(self) -> list[tuple[str, str]]:
        """Return (label, value) pairs."""
        places = decimal_places(self.standard_error)
        level = f"{decimal_text(100 * self.interval.confidence)} % interval ({self.interval.kind})"
        ends = (rounded(end, places) for end in (self.interval.lower, self.interval.upper))
        return [
            ("contrast", ",".join(map(as_text, self.contrast))),
            ("estimate", estimate_text(self.estimate, places)),
            ("standard error (plug-in)", decimal_text(self.standard_error, 3)),
            (level, " to ".join(ends)),
            ("device", devices_in_words(self.mechanisms)),
            ("counted", "; ".join(f"n = {sum(one)}: {', '.join(map(str, one))}" for one in self.counts)),
        ]


def estimate_contrast(
    answers: Sequence[tuple[Mechanism, Sequence[int]]],
    contrast: Sequence[object],
    confidence: object = "0.95",
    reference: Sequence[object] | None = None,
) -> ContrastEstimate:
    """Estimate a contrast of the proportions from the counts of several devices for the same categories.

    Args:
        answers: each device with the counts of its outputs.
        contrast: c, shape (k,).
        confidence: the confidence of the interval.
        reference: the distribution at which the estimate has least variance, shape (k,); uniform by default.

    Raises:
        InvalidParameterError: the contrast or the reference does not fit the categories, or the devices differ in
            theirs.
        InfeasibleError: the devices together do not determine the contrast.

    >>> from rropt.mechanisms import Mechanism
    >>> decks = [Mechanism([["1", p, q, "0"], ["0", q, p, "1"]]) for p, q in (("3/10", "7/10"), ("7/10", "3/10"))]
    >>> found = estimate_contrast(list(zip(decks, [(710, 290), (590, 410)])), (0, 1, 0, 1))
    >>> print(found.estimate, round(found.standard_error, 7))
    1/5 0.0276882
    """
    level = exact_confidence(confidence)
    k = answers[0][0].inputs
    if any(device.inputs != k for device, _ in answers):
        raise InvalidParameterError(
            "the devices have different numbers of categories: received "
            f"{shown([device.inputs for device, _ in answers])}; allowed are devices of the same categories"
        )
    c = exact_contrast(contrast, k)
    mechanisms, counts = tuple(one for one, _ in answers), tuple(tuple(int(x) for x in own) for _, own in answers)
    n = tuple(map(sum, counts))
    L = contrast_weights(mechanisms, n, c, reference)
    if L is None:
        raise InfeasibleError(
            f"the devices together do not determine the contrast: received {','.join(map(as_text, c))} for "
            f"{with_noun(len(mechanisms), 'device')}; allowed are sums of their rows, such as the proportion of an "
            "answer; ask a part of the respondents with another device"
        )
    shares = [[Fraction(x, size) for x in own] for own, size in zip(counts, n, strict=True)]
    means = [dot(one, share) for one, share in zip(L, shares, strict=True)]
    squares = [dot([x * x for x in one], share) for one, share in zip(L, shares, strict=True)]
    value = sum(means, Fraction(0))
    variance = sum(((b - a * a) / size for a, b, size in zip(means, squares, n, strict=True)), Fraction(0))
    interval = normal_interval(value, variance, sum(n), level, c)
    return ContrastEstimate(c, value, variance, square_root(variance), interval, n, counts, mechanisms)
