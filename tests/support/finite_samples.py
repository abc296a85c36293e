"""Estimates of a finite population from counts, of independent responses and of dealt decks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rropt.answers.responses import Responses
from rropt.estimates import estimate_dealt
from rropt.estimates.estimated import Estimates


def estimate_people(mechanism: Any, counts: Sequence[object], population: int, *, is_dealt: bool = False) -> Estimates:
    if is_dealt:
        return estimate_dealt(mechanism, counts, population)
    made: Any = Responses.from_counts(counts, mechanism, population=population)
    found: Estimates = made.proportions()
    return found
