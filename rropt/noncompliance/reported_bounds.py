"""``Bounds``: a prevalence under non-compliance; its breakdown points, and proportions of the types of respondents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np

from rropt.answers.response_codes import MISSING
from rropt.answers.responses import Responses
from rropt.core.certificates import Certificate
from rropt.core.errors import FileFormatError, InfeasibleError, InvalidParameterError, UnsupportedProblemError
from rropt.core.mappings import ReadOnlyMapping
from rropt.core.results import Result, merged_records, own_part, read_result
from rropt.inference.interval_estimates import DEFAULT_CONFIDENCE
from rropt.mechanisms import Mechanism
from rropt.noncompliance.behaviour_models import Behaviour, Sample
from rropt.noncompliance.bounds import PrevalenceBounds, prevalence_bounds
from rropt.noncompliance.breakdown import (
    Breakdown,
    Reconciliation,
    breakdown_by_size,
    breakdown_point,
    least_noncompliers,
)
from rropt.noncompliance.identified import TypeShares, identified_shares


@dataclass(frozen=True, slots=True)
class Bounds(Result):
    """The bounds of a prevalence under non-compliance, and further conclusions from the same responses.

    Attributes:
        bounds: the bounds of the prevalence, or of ``c . pi``.
        breakdowns: the breakdown points of a conclusion. The keys are ``"breakdown"``,
            ``"breakdown_with_sampling_error"``, and for other numbers of respondents ``"with N respondents"``.
        reconciled: the smallest proportion of non-compliers that explains a known truth, if the truth was given.
        types: the proportions of the types of respondents, if the samples determine them.
    """

    bounds: PrevalenceBounds
    breakdowns: Mapping[str, Breakdown]
    reconciled: Reconciliation | None
    types: TypeShares | None

    ANSWER = ("lines",)

    @property
    def refuted(self) -> bool:
        """Whether the responses refute the model, or the conclusion is not valid."""
        overturned = "breakdown" in self.breakdowns and not self.breakdowns["breakdown"].stands
        return bool(self.bounds.refuted) or overturned

    @property
    def certificates(self) -> dict[str, Certificate]:
        """All certificates, by name of the result that they prove."""
        said = {name: found.certificate for name, found in self._said().items()}
        return self.bounds.certificates | said

    def _said(self) -> dict[str, Breakdown | Reconciliation]:
        reconciled = {} if self.reconciled is None else {"reconciled": self.reconciled}
        return {**self.breakdowns, **reconciled}

    def to_dict(self) -> dict[str, Any]:
        """Return the keys of the bounds, together with each other result under its own key."""
        beside: dict[str, Result] = {**self._said(), **({} if self.types is None else {"types": self.types})}
        return merged_records(self.bounds.to_dict(), {name: found.to_dict() for name, found in beside.items()})

    @classmethod
    def from_dict(cls, data: Any) -> Bounds:
        """Read bounds from the output of ``to_dict``."""
        given = dict(own_part(cls, data)) if isinstance(data, Mapping) else {}
        breakdowns = {name: given.pop(name) for name in list(given) if str(name).startswith(("breakdown", "with "))}
        own = {name: given.pop(name, None) for name in ("reconciled", "types")}
        made: Bounds = read_result(cls, {"bounds": given, "breakdowns": breakdowns, **own})
        if made.types is not None and made.types != _types(made.bounds.samples[0], made.bounds.noncompliers.behaviours):
            raise FileFormatError(
                "Bounds.types differs from the recomputed result: received other proportions of the types; use the "
                "file as it was written"
            )
        return made

    def lines(self) -> list[tuple[str, str]]:
        """Return (label, value) pairs for a table: the bounds, then all other results."""
        said = [(name.replace("_", " "), str(found)) for name, found in self._said().items()]
        types = [] if self.types is None else self.types.lines()
        return [*self.bounds.lines(), *said, *types]

    def remarks(self) -> tuple[str, ...]:
        """Return the remarks on the bounds."""
        return self.bounds.remarks()


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
        conclusion: a ``Conclusion`` or its text. Its breakdown point is computed at the observed proportions and with
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
    >>> found.refuted, found.lines()[-1]
    (False, ('breakdown with sampling error', 'at least 0.2: stands up to 0.026923 of non-compliers'))
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
        types = _types(bounds.samples[0], bounds.noncompliers.behaviours)
    return Bounds(bounds, ReadOnlyMapping(breakdowns), reconciled, types)


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
    >>> print(nigeria.bounds("0..0.05").bounds.sharp)
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


def _types(samples: tuple[Sample, ...], behaviours: tuple[Behaviour, ...]) -> TypeShares | None:
    """Return the proportions of the types, or None if the samples give only bounds for them."""
    with suppress(InfeasibleError):
        return identified_shares(list(samples), model=" + ".join(map(str, behaviours)) or "none")
    return None
