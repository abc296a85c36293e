"""From the counted respondents of a table to the respondents and results of ``rropt.estimates``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from rropt.estimates.counted import Counted
from rropt.estimates.estimate_rows import GroupedRespondents
from rropt.estimates.estimated import SIMPLE, Estimate, Estimates
from rropt.estimates.late_texts import LateTexts


def respondents_of(counted: Counted, place: int, is_given: Any) -> GroupedRespondents:
    """Return the kinds of respondents that were counted together, in the groups in which somebody responded.

    Args:
        counted: the respondents.
        place: the number of the set of questions that were counted together.
        is_given: whether each kind responded.
    """
    kinds = counted.kinds[place]
    own = kinds.group, tuple(kinds.groups) if counted.by else (), kinds.columns["n"].astype(np.int64)
    if not counted.samples:
        return GroupedRespondents(*own).answering(is_given)
    return GroupedRespondents(*own, counted.samples[place][0], kinds.columns["positive"].astype(np.int64)).answering(
        is_given
    )


def estimates_of(
    counted: Counted,
    kind: str,
    rows: Sequence[Estimate],
    overall: Sequence[Estimate],
    remarks: Callable[[], Iterable[str]],
    confidence: Fraction,
) -> Estimates:
    """Return the result of a table.

    Args:
        counted: the respondents.
        kind: what is estimated.
        rows, overall: the estimates of the groups, and of all groups together.
        remarks: a function that returns the remarks on them, which follow those on the table.
        confidence: the confidence of the intervals.
    """
    sample = counted.samples[0][1].sample if counted.samples else SIMPLE
    read = counted.reading.remarks
    texts = (counted.titles, counted.by, "", sample, LateTexts(lambda: (*read, *remarks())))
    more: dict[str, Any] = {"overall": tuple(overall), "missing": counted.missing, "mechanisms": counted.mechanisms}
    return Estimates(kind, tuple(rows), *texts, confidence, **more)
