"""Mechanisms and estimates as pictures show them; entries, estimates and endpoints of intervals are exact."""

from __future__ import annotations

from dataclasses import replace

from rropt.core.errors import InvalidParameterError
from rropt.core.exact import exact_confidence
from rropt.core.visible import size_text
from rropt.estimates.counted_estimates import estimates_of_counts
from rropt.estimates.estimated import Estimates
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
            "outputs 2^B"
        )
    return mechanism


def estimate_picture(estimate: Estimate | Estimates, *, confidence: object = None) -> Estimates:
    """Return an estimate of the prevalence, or of the proportion of each category, with its intervals.

    Args:
        estimate: the estimate of a distribution, or the estimates of one question from its counts.
        confidence: the confidence of the intervals, exact, in (0, 1); ``None`` for that of the estimates, else 0.95.

    Raises:
        InvalidParameterError: not an estimate, more than 30 categories, or a confidence outside (0, 1).
    """
    found = estimates_of_counts(estimate) if isinstance(estimate, Estimate) else estimate
    if not isinstance(found, Estimates) or found.counted is None or found.kind != "proportions":
        raise InvalidParameterError(
            f"there is no estimate of one question: received {type(estimate).__name__}; means, groups, and "
            "estimates with weights are drawn by `rropt plot groups`, several questions too (`rropt estimate --by`)"
        )
    if len(found) > MOST_SHARES:
        raise InvalidParameterError(
            f"the estimate has too many proportions for a picture: received {len(found)}; allowed are {MOST_SHARES}"
        )
    return found if confidence is None else replace(found, confidence=exact_confidence(confidence))
