"""Estimates of one question from the counts of its responses: the rows of all categories, or of a contrast."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from rropt.core.errors import required
from rropt.core.exact import as_text, exact_confidence
from rropt.core.exact.numbers import square_root
from rropt.core.results import Table
from rropt.estimates.conclusions import TRAIT
from rropt.estimates.estimate_bases import CountsBasis
from rropt.estimates.estimate_remarks import share_remarks
from rropt.estimates.estimated import Estimate, Estimates
from rropt.estimates.late_texts import LateTexts
from rropt.inference.count_estimates import Estimate as CountEstimate
from rropt.inference.count_estimates import exact_contrast, unit
from rropt.inference.interval_estimates import DEFAULT_CONFIDENCE

_WRITTEN = 8  # weights of a contrast in its name


def count_rows(
    found: CountEstimate, question: str, *, is_one_of_several: bool = False, likely: Any = None
) -> list[Estimate]:
    """Return the proportion of each category; of a yes/no question that of the second category alone.

    Args:
        found: the estimate of the distribution.
        question: the name of the question.
        is_one_of_several: whether the result has other questions too, so that names begin with the question.
        likely: the maximum likelihood estimate, shape (k,); ``None`` for that of these counts alone.
    """
    device, k = found.mechanism, found.mechanism.inputs
    places = [1] if k == 2 else list(range(k))
    basis, rows = CountsBasis(found, tuple(unit(j, k) for j in places)), []
    most = found.constrained_estimate if likely is None else likely
    for place, j in enumerate(places):
        category = device.categories[j] if device.categories else str(j)
        name = TRAIT if k == 2 and not device.categories else category
        if is_one_of_several:
            name = question if k == 2 else f"{question}: {category}"
        error = square_root(found.variance(unit(j, k)))
        more: dict[str, Any] = {"most_likely": most[j], "basis": basis, "place": place}
        rows.append(Estimate(name, found.estimate[j], error, found.n, question, category, **more))
    return rows


def contrast_row(found: CountEstimate, question: str, contrast: Sequence[object]) -> Estimate:
    """Return the estimate of a linear combination of the proportions of one question.

    Args:
        found: the estimate of the distribution.
        question: the name of the question.
        contrast: the weights, shape (k,).
    """
    c = exact_contrast(contrast, found.mechanism.inputs)
    basis, error = CountsBasis(found, (c,)), square_root(found.variance(c))
    return Estimate(contrast_name(c), found.value(c), error, found.n, question, basis=basis)


def contrast_name(c: Sequence[Fraction]) -> str:
    """Return the name of a linear combination of proportions."""
    return f"contrast {','.join(map(as_text, c))}" if len(c) <= _WRITTEN else "contrast"


def estimates_of_counts(
    found: CountEstimate,
    question: str = "response",
    *,
    contrast: Sequence[object] | None = None,
    confidence: object = DEFAULT_CONFIDENCE,
) -> Estimates:
    """Return the estimates of one question from its counts.

    Args:
        found: the estimate of the distribution.
        question: the name of the question.
        contrast: instead of the proportions, one linear combination of them, shape (k,).
        confidence: the confidence of the intervals.

    Raises:
        InvalidParameterError: the confidence is invalid, or the contrast does not have k numbers.

    >>> from rropt.inference import estimate
    >>> print(estimates_of_counts(estimate("forced:2/3,1/6,1/6", yes=831, n=2435)).estimate)
    2551/9740
    """
    level = exact_confidence(confidence)
    required(found, CountEstimate, "the estimate", "estimate(mechanism, counts)")
    if contrast is None:
        kind, rows = "proportions", count_rows(found, question)
        told = LateTexts(lambda: (*share_remarks(rows, level), *found.method_remarks()))
    else:
        kind, rows, told = "contrast", [contrast_row(found, question, contrast)], LateTexts(found.method_remarks)
    more: dict[str, Any] = {"remarks_": told, "confidence": level, "mechanisms": (found.mechanism,)}
    return Estimates(kind, tuple(rows), (question,), (), **more)


def estimate_tables(found: CountEstimate) -> list[Table]:
    """Return the printed tables of an estimate, with the recommended 95 % intervals."""
    return estimates_of_counts(found).as_tables()


def estimate_rows(found: CountEstimate) -> list[dict[str, Any]]:
    """Return the rows of the data frame of an estimate, with the recommended 95 % intervals."""
    return estimates_of_counts(found).frame_rows()
