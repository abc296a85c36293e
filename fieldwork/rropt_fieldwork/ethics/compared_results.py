"""Several results on the same question: which interval to report, and why their estimates differ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import isclose

from rropt import Estimates
from rropt.estimates import SIMPLE
from rropt_fieldwork.ethics.answered_questions import QuestionAnswer
from rropt_fieldwork.ethics.stated import Answer, asked_in

_NEAR = 1e-9  # of proportions: the same exact estimate in floating point
_FINITE = (
    "Report the interval of the finite population if the respondents were drawn from it without replacement; the other "
    "interval leaves out how many people there are."
)
_WEIGHTED = (
    "This question has an estimate with weights and one without: report the one with weights for the population; the "
    "other describes the respondents alone."
)

Results = tuple[Answer, list[QuestionAnswer]]


def compared_results(results: Sequence[Results]) -> Iterator[tuple[Answer, list[QuestionAnswer], str]]:
    """Yield the results with a sentence on how each differs from an earlier one on the same question.

    Of equal estimates of all respondents only one is stated, so that a question has one interval: one with proved
    coverage, if there is one.

    Args:
        results: the results and their answers, those on the same question next to each other.
    """
    ordered: list[Results] = []
    for one, found in results:
        place = len(ordered)
        if _is_proved(found):  # before the others on the question; a regression may stand between them
            others = (i for i, each in enumerate(ordered) if _is_same(each, (one, found)) and not _is_proved(each[1]))
            place = min(others, default=place)
        ordered.insert(place, (one, found))
    for place, (one, found) in enumerate(ordered):
        earlier = [each for each in ordered[:place] if _is_same(each, (one, found))]
        if not earlier:
            yield one, found, ""
        elif any(_is_equal(found, other) and _is_like(one, before) for before, other in earlier):
            grouped = [replace(each, overall=()) for each in found if each.groups]
            yield from [(one, grouped, "")] * bool(grouped)
        else:
            yield one, found, _difference((one, found), earlier[0])


def _is_same(first: Results, second: Results) -> bool:
    """Return whether two results have an estimate of all respondents to the same question."""
    asked = asked_in(first[0].data)
    is_stated = all(each.overall for _, found in (first, second) for each in found)
    return bool(asked and first[1] and second[1]) and is_stated and asked == asked_in(second[0].data)


def _is_proved(found: Sequence[QuestionAnswer]) -> bool:
    return bool(found) and all(share.is_proved for each in found for share in each.overall)


def _is_like(one: Answer, other: Answer) -> bool:
    """Return whether both results are of an infinite or both of a finite population."""
    return _is_finite(one) is _is_finite(other)


def _is_finite(one: Answer) -> bool:
    return isinstance(one.result, Estimates) and one.result.population is not None


def _is_equal(found: Sequence[QuestionAnswer], other: Sequence[QuestionAnswer]) -> bool:
    """Return whether two results have the same respondents, confidence and estimates."""
    if len(found) != len(other):
        return False
    for one, each in zip(found, other, strict=True):
        if (one.n, one.confidence, len(one.overall)) != (each.n, each.confidence, len(each.overall)):
            return False
        pairs = zip(one.overall, each.overall, strict=True)
        if not all(isclose(a.value, b.value, rel_tol=0, abs_tol=_NEAR) for a, b in pairs):
            return False
    return True


def _difference(one: Results, earlier: Results) -> str:
    """Return why a result differs from an earlier one on the same question, and which to report."""
    both = one[0].result, earlier[0].result
    weighted = [isinstance(each, Estimates) and each.population is None and each.sample != SIMPLE for each in both]
    if weighted[0] != weighted[1]:
        return _WEIGHTED
    if not _is_like(one[0], earlier[0]):
        return _FINITE
    numbers = [found[0].n for _, found in (one, earlier)]
    if numbers[0] != numbers[1]:
        return (
            f"This result has {numbers[0]:,} respondents and the one above {numbers[1]:,}: report the one whose "
            "respondents the question is about."
        )
    levels = [found[0].confidence for _, found in (one, earlier)]
    if levels[0] != levels[1]:
        return "The results have different confidences: report the one that was chosen before the data were seen."
    return (
        "This result and the one above use other methods on the same question: report the one that was chosen before "
        "the data were seen."
    )
