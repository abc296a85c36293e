"""Bounds of a prevalence under non-compliance, with breakdown points and proportions of the types of respondents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from rropt.answers.response_codes import MISSING
from rropt.answers.responses import Responses
from rropt.core.errors import InvalidParameterError, UnsupportedProblemError
from rropt.core.mappings import ReadOnlyMapping
from rropt.inference.interval_estimates import DEFAULT_CONFIDENCE
from rropt.mechanisms import Mechanism
from rropt.noncompliance.behaviour_models import Sample
from rropt.noncompliance.bounds import Bounds, prevalence_bounds, type_shares
from rropt.noncompliance.breakdown import Breakdown, breakdown_by_size, breakdown_point, least_noncompliers


def noncompliance_bounds(
    samples: Any,
    *,
    theta: object = None,
    model: str = "adversarial",
    contrast: Sequence[object] | None = None,
    versus: Any = None,
    confidence: object = DEFAULT_CONFIDENCE,
    conclusion: object = None,
    truth: object = None,
    sizes: Sequence[object] | None = None,
) -> Bounds:
    """Return the bounds of a prevalence under non-compliance, and on request the related results.

    Args:
        samples, theta, model, contrast, versus, confidence: as for ``prevalence_bounds``.
        conclusion: such as ``at least 30 %``. Its breakdown point is computed at the observed proportions and with
            sampling error.
        truth: the known value of ``c . pi`` of one population. The smallest proportion of non-compliers that explains
            it is computed.
        sizes: numbers of respondents of one sample. The breakdown point is computed for each, at the same proportions
            of responses.

    Raises:
        InvalidParameterError: ``truth`` or ``sizes`` is given with two populations, or as for ``prevalence_bounds``,
            ``breakdown_point``, ``least_noncompliers`` and ``breakdown_by_size``.

    >>> from rropt.mechanisms import named_mechanism
    >>> nigeria = (named_mechanism("forced:2/3,1/6,1/6"), [1604, 831])
    >>> found = noncompliance_bounds(nigeria, theta="0..0.05", conclusion="at least 20 %")
    >>> found.refuted, found.overturned, found.lines()[-1]
    (False, False, ('breakdown with sampling error', 'at least 0.2: stands up to 0.026923 of non-compliers'))
    """
    if versus and not (sizes is None and truth is None):
        raise InvalidParameterError(
            "`sizes` and `truth` are of one population: received two populations; leave out `versus`, or these options"
        )
    asked: dict[str, Any] = {"model": model, "contrast": contrast, "versus": versus}
    bounds = prevalence_bounds(samples, theta=theta, confidence=confidence, **asked)
    breakdowns: dict[str, Breakdown] = {}
    if conclusion is not None:
        for name, level in (("breakdown", None), ("breakdown_with_sampling_error", confidence)):
            breakdowns[name] = breakdown_point(samples, conclusion, confidence=level, **asked)
    if sizes is not None:
        table = breakdown_by_size(samples, conclusion, sizes, model=model, contrast=contrast, confidence=confidence)
        breakdowns |= {f"with {n} respondents": found for n, found in table}
    reconciled = None if truth is None else least_noncompliers(samples, truth, model=model, contrast=contrast)
    types = None
    if theta is None and not versus:
        types = type_shares(bounds.samples[0], bounds.behaviours)
    return replace(bounds, breakdowns=ReadOnlyMapping(breakdowns), reconciled=reconciled, types=types)


def bounds(
    self: Responses,
    theta: object = None,
    *,
    model: str = "adversarial",
    contrast: Sequence[object] | None = None,
    versus: Responses | None = None,
    confidence: object = DEFAULT_CONFIDENCE,
    conclusion: object = None,
    truth: object = None,
    sizes: Sequence[object] | None = None,
) -> Bounds:
    """Bound a proportion if some respondents do not follow the device.

    Args:
        self: the responses to one question; respondents of several mechanisms (``assigned``) are as many samples.
        theta, model, contrast, confidence, conclusion, truth, sizes: as for ``noncompliance_bounds``.
        versus: the responses of a second population: bounds of the difference.

    Returns:
        The sharp bounds, without and with sampling error, and what else was asked for; each with its certificate.

    Raises:
        InvalidParameterError: there are several questions, or as ``noncompliance_bounds``.
        UnsupportedProblemError: the respondents are weighted, or have a complex sample.

    >>> import rropt
    >>> nigeria = rropt.Responses.from_counts([1604, 831], "forced:2/3,1/6,1/6")
    >>> print(nigeria.bounds("0..0.05").sharp)
    0.19941 to 0.32441
    """
    return noncompliance_bounds(
        _samples_of(self),
        theta=theta,
        model=model,
        contrast=contrast,
        versus=None if versus is None else _samples_of(versus),
        confidence=confidence,
        conclusion=conclusion,
        truth=truth,
        sizes=sizes,
    )


def _samples_of(found: Responses) -> list[Sample]:
    """Return the sample of each different mechanism, without the respondents who gave no response."""
    if len(found.questions) > 1 or any(found.sets):
        raise InvalidParameterError(
            f"bounds are of one question with single responses: received {len(found.questions)} questions, or sets; "
            "make the responses from one column"
        )
    if found.sample is not None:
        raise UnsupportedProblemError(
            "bounds count each respondent once: received a complex sample; give its data instead (`data=sample.data`)"
        )
    if found.counts is not None:
        return [Sample.of(found.devices[0][0], found.counts)]
    answered = found.included & (found.codes[0] != MISSING)
    counts: dict[Mechanism, Any] = {}
    for place, (device,) in enumerate(found.devices):
        own = np.bincount(found.codes[0][answered & (found.device == place)], minlength=device.outputs)
        counts[device] = counts.get(device, 0) + own
    return [Sample.of(device, own.tolist()) for device, own in counts.items() if own.any()]
