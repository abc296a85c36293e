"""A contrast of a table in each group: several devices may determine it together, although no single one need do so.

The estimate and its variance are those of ``inference/contrasts.py``: the sum over the devices of a group of the mean
scores of their respondents, exactly for a simple random sample, and in complex surveys linearized or from replicates.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rropt.answers.respondent_kinds import RespondentKinds
from rropt.answers.response_codes import MISSING
from rropt.core.exact import as_text
from rropt.estimates.counted import Counted
from rropt.estimates.counted_respondents import estimates_of, respondents_of
from rropt.estimates.estimate_rows import GroupedRespondents
from rropt.estimates.estimated import Estimate, Estimates
from rropt.inference.contrast_noise import CONTRAST_NOISE
from rropt.inference.contrasts import contrast_scores
from rropt.inference.count_estimates import exact_contrast
from rropt.inference.interval_kinds import equal_remark
from rropt.mechanisms import Mechanism, ProductMechanism


def contrasts_of_groups(
    counted: Counted,
    contrast: Sequence[object],
    confidence: Fraction,
    reference: Sequence[object] | None = None,
) -> Estimates:
    """Estimate a contrast that the devices of a table determine together, in each group.

    Args:
        counted: the respondents, counted by one question, or by several whose joint table has the contrast.
        contrast: c, shape (k,).
        confidence: the confidence of each interval.
        reference: the distribution at which the estimate has least variance, shape (k,); uniform by default.

    Raises:
        InfeasibleError: the devices of a group do not determine the contrast.
    """
    (kinds,), known, by = counted.kinds, counted.known, counted.by
    questions, mechanisms = range(len(counted.titles)), counted.mechanisms
    kinds.require_groups(counted.titles, by, questions)
    if len(questions) > 1:
        whole = np.logical_and.reduce([kinds.codes[question] != MISSING for question in questions])
        known = _as_one_question(kinds, known, whole)
    c = exact_contrast(contrast, mechanisms[0].inputs)
    each = [known[name].factors[0] for name in kinds.devices]
    devices = list(dict.fromkeys(each))
    device = np.array([devices.index(one) for one in each])[kinds.device]
    codes = np.where(kinds.codes[0] == MISSING, -1, kinds.codes[0])
    title, name = ", ".join(counted.titles), f"contrast {','.join(map(as_text, c))}"

    def made(whom: GroupedRespondents) -> list[Estimate]:
        told = (whom.group, whom.weighted, whom.weight, whom.names or ["all"], reference)
        scores = contrast_scores(name, devices, device, codes, c, *told)
        return whom.estimates(scores, (0,), "contrast", head, device)

    def head(group: str | None, _: int) -> dict[str, Any]:
        return {"name": group or name, "question": title, "group": group}

    rows, overall = respondents_of(counted, 0, codes >= 0).with_overall(made)
    remarks = equal_remark([one.name for one in rows if one.se == 0], are_left=len(rows) > 1)
    if counted.samples and counted.samples[0][1].fractions is not None:
        remarks = (*remarks, CONTRAST_NOISE)
    return estimates_of(counted, "contrast", rows, overall, lambda: remarks, confidence)


def _as_one_question(
    kinds: RespondentKinds, known: Mapping[str, Mechanism], whole: NDArray[np.bool_]
) -> dict[str, Mechanism]:
    """Count the cells of several questions as the responses of question 0, and return the devices of the cells.

    The first question varies fastest. GroupedRespondents who did not answer every question have no response.
    """
    sizes = [device.outputs for device in next(iter(known.values())).factors]
    strides = np.cumprod([1, *sizes[:-1]])
    codes = sum(stride * kinds.codes[question] for question, stride in enumerate(strides.tolist()))
    kinds.codes[0] = np.where(whole, codes, MISSING)
    return {name: ProductMechanism([Mechanism(one.matrix)]) for name, one in known.items()}
