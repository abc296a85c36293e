"""Mechanisms and estimates as pictures show them; entries, estimates and endpoints of intervals are exact."""

from __future__ import annotations

from fractions import Fraction

from rropt.core.errors import InvalidParameterError
from rropt.core.visible import size_text
from rropt.estimates.survey_estimates import SurveyEstimate, survey_estimate
from rropt.inference.count_estimates import Estimate
from rropt.mechanisms import Mechanism
from rropt.mechanisms.families import as_memberships
from rropt.mechanisms.imports import required_mechanism

MOST_SHOWN = 200  # rows or columns of a heat map: more cells than dots of a column in print
MOST_SHARES = 30  # of an estimate in one picture


def heat_picture(mechanism: Mechanism) -> Mechanism:
    """Return a mechanism that can be drawn as a heat map.

    Of a large mechanism whose reports are sets, it is that of one category: outputs are whether the report contains
    the category, inputs are whether it is the true one.

    Raises:
        InvalidParameterError: not a mechanism, or one with more than 200 outputs or inputs whose reports are no sets.
    """
    mechanism = required_mechanism(mechanism)
    m, k = mechanism.shape
    if max(m, k) > MOST_SHOWN:
        if (sets := as_memberships(mechanism)) is not None:
            one = Mechanism([[1 - sets.miss, 1 - sets.hit], [sets.miss, sets.hit]])
            return one.named(f"one category of {mechanism.name or 'a mechanism'}, in the report or not,")
        raise InvalidParameterError(
            f"the mechanism is too large for a heat map: received {size_text(m)} outputs and {k} categories; allowed "
            f"are {MOST_SHOWN} of each, and mechanisms whose reports are sets of categories; design one with "
            "`output_bits`"
        )
    return mechanism


def estimate_picture(estimate: Estimate | SurveyEstimate, *, confidence: object = Fraction(19, 20)) -> SurveyEstimate:
    """Return an estimate of the prevalence, or of the proportion of each category, with its intervals.

    Args:
        estimate: of ``estimate``, or with its intervals.
        confidence: the confidence of the intervals, exact, in (0, 1).

    Raises:
        InvalidParameterError: not an estimate, more than 30 categories, or a confidence outside (0, 1).
    """
    if not isinstance(estimate, Estimate | SurveyEstimate):
        raise InvalidParameterError(
            f"there is no estimate of one question: received {type(estimate).__name__}; means, groups, and "
            "estimates with weights are drawn by `rropt plot groups`, several questions too (`rropt estimate --by`)"
        )
    found = estimate if isinstance(estimate, Estimate) else estimate.estimate
    if len(found.estimate) > MOST_SHARES:
        raise InvalidParameterError(
            f"the estimate has too many proportions for a picture: received {len(found.estimate)}; allowed are "
            f"{MOST_SHARES}"
        )
    return survey_estimate(estimate, confidence) if isinstance(estimate, Estimate) else estimate
