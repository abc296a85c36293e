"""The mean of a number from the randomized reports of a table: of all respondents, by group, and in complex surveys.

A report z of a mechanism with numbers (``Mechanism.valued``) has the mean ``E[z | x] = x``, whatever x is. So the mean
of the reports estimates the mean of the numbers without bias, and the variance of the reports includes both the
sampling and the device: ``s^2/n`` for a simple random sample. No reference distribution and no inverse are needed, and
any software for surveys computes the same from the column of reports (``svymean`` in R). Only finite populations need
the device: there the factor ``1 - f`` must not shrink its variance (``inference/sample_domains.py``), of which
``sum_i d_i`` is an unbiased estimate for every d with ``sum_i p_ij d_i = V_j``, the variance of a report given x_j.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from rropt.answers.response_codes import MISSING
from rropt.answers.scores import number_scores
from rropt.core.errors import InvalidParameterError
from rropt.core.visible import with_noun
from rropt.estimates.counted import Counted
from rropt.estimates.counted_respondents import estimates_of, respondents_of
from rropt.estimates.estimate_remarks import mean_remarks
from rropt.estimates.estimated import Estimates
from rropt.mechanisms import Mechanism


def require_one_column(titles: Sequence[str]) -> None:
    """Raise an error for several columns, or none, of a mechanism with numbers."""
    if len(titles) != 1:
        raise InvalidParameterError(
            f"a mechanism with numbers is of one question: received {with_noun(len(titles), 'column')}; give one"
        )


def means_of_groups(counted: Counted, mechanism: Mechanism, confidence: Fraction) -> Estimates:
    """Estimate the mean of one question in each group; with weights in a complex survey."""
    (kinds,), (title,) = counted.kinds, counted.titles
    kinds.require_groups(counted.titles, counted.by, [0])
    scores = number_scores(title, mechanism, np.where(kinds.codes[0] == MISSING, -1, kinds.codes[0]))

    def head(group: str | None, _: int) -> dict[str, Any]:
        return {"name": group or title, "question": title, "group": group}

    respondents = respondents_of(counted, 0, scores.at >= 0)
    rows, overall = respondents.estimates_with_overall(scores, (0,), "mean", head)
    return estimates_of(counted, "mean", rows, overall, lambda: mean_remarks(rows, overall), confidence)
