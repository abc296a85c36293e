r"""Two-sample designs that estimate non-compliance, from a table with one row for each respondent.

A respondent with truth x (0 or 1) who complies with device g answers yes with probability ``c_g + d_g x``. The
proportion of yes responses in the sample of device g is ``lambda_g``. The models are:

* ``lie-detector`` (stochastic lie detector, Moshagen, Musch and Erdfelder 2012). Respondents with the trait say no with
  probability 1 - t, and all others comply. Then ``lambda_g = a (c_g + d_g) + b c_g`` with ``a = pi t`` and
  ``b = 1 - pi``.
* ``cheater-detection`` (Clark and Desharnais 1998). Cheaters always say no. A proportion a of the respondents comply
  and have the trait, and a proportion b comply and do not have it. The equations are the same, and the proportion of
  cheaters is ``gamma = 1 - a - b``.
* ``extended-crosswise`` (Heck, Hoffmann and Moshagen 2018). Both samples estimate the prevalence by the same question.
  The difference of the two estimates tests whether respondents comply.
* ``attention`` (Atsusaka and Stevenson 2021). Everybody's true answer to a second question of the same kind is known to
  be no. Inattentive respondents answer yes with probability 1/2. The second question identifies the proportion gamma of
  attentive respondents: ``lambda' = gamma c' + (1 - gamma)/2`` and
  ``lambda = gamma (c + d pi) + (1 - gamma)/2``.

Estimates are functions ``theta = h(lambda)`` of weighted proportions. Their variances follow by linearization. The
influence function is ``IF = h'(lambda) IF_lambda``, with ``IF_lambda_g = w (z - lambda_g)/W_g`` in the sample of device
g. The total of IF is treated like any total of a complex survey. The respondents of each sample are a domain. In a
stratum with one cluster, the rule ``certainty`` leaves the variance of the devices and of the random halves. Its bound
is ``sum IF IF^T`` over the respondents, since who complies is unknown. Estimates are not cut at 0 and 1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import nan, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rropt.answers.response_codes import MISSING
from rropt.answers.table_reports import TableReading
from rropt.core.errors import InvalidParameterError, shown
from rropt.core.exact import decimal_text
from rropt.core.exact.display import p_text
from rropt.core.results import Result, Table, labelled
from rropt.core.results.sequences import SequenceOf
from rropt.inference.differences import in_digits, is_outside, p_value, quantile
from rropt.mechanisms import Mechanism
from rropt.mechanisms.words import devices_in_words
from rropt.regression.models import DeviceResponses
from rropt.regression.rows_of_fits import TableRows

Floats = NDArray[np.float64]

MODELS = ("lie-detector", "cheater-detection", "extended-crosswise", "attention")
_TITLES = {
    "lie-detector": "stochastic lie detector: those with the trait may say no, others comply",
    "cheater-detection": "cheater detection: cheaters always say no",
    "extended-crosswise": "extended crosswise: two samples of one question",
    "attention": "bias-corrected by an attention question: inattentive answers are random",
}


@dataclass(frozen=True, slots=True)
class TwoSampleQuantity(Result):
    """One estimated quantity of a two-sample design.

    Attributes:
        name: the name of the quantity.
        estimate: the estimate; it can lie outside [0, 1].
        standard_error: the design-based standard error.
        interval: the confidence interval from Student's t distribution; ``None`` if the standard error is 0, or
            without degrees of freedom.
        p_value: the two-sided p-value of the hypothesis that the quantity is 0; ``None`` where there is no interval.
    """

    name: str
    estimate: float
    standard_error: float
    interval: tuple[float, float] | None
    p_value: float | None

    LABELS = labelled(name="quantity", estimate="estimate", standard_error="standard error")


@dataclass(frozen=True, slots=True)
class TwoSampleEstimates(Result, SequenceOf):
    """Estimates of a prevalence and of the proportion of non-compliers.

    Attributes:
        model: ``lie-detector``, ``cheater-detection``, ``extended-crosswise`` or ``attention``.
        quantities: the estimated quantities, the prevalence first.
        n: the number of respondents of each device with a response.
        devices: the names of the devices.
        missing: the number of respondents without a response.
        degrees_of_freedom: the number of clusters minus the number of strata.
        confidence: the confidence of the intervals.
        reading: the report on the input.
        mechanisms: the different devices.
    """

    model: str
    quantities: tuple[TwoSampleQuantity, ...]
    n: tuple[int, ...]
    devices: tuple[str, ...]
    missing: int
    degrees_of_freedom: int
    confidence: Fraction
    reading: TableReading
    mechanisms: tuple[Mechanism, ...]

    ITEMS = "quantities"
    KEY = "name"
    ANSWER = ("n", "estimates")
    LABELS = labelled(
        device_in_words="device", title="model", sizes="respondents by device", missing="without an answer"
    )

    @property
    def estimates(self) -> dict[str, Any]:
        """The estimate of each quantity."""
        return {one.name: one.estimate for one in self.quantities}

    @property
    def title(self) -> str:
        """The model in words."""
        return _TITLES[self.model]

    @property
    def device_in_words(self) -> str:
        """The devices in words."""
        return devices_in_words(self.mechanisms)

    @property
    def sizes(self) -> str:
        """The number of respondents of each device, as text."""
        return ", ".join(f"{name or 'all'}: {n}" for name, n in zip(self.devices, self.n, strict=True))

    def remarks(self) -> tuple[str, ...]:
        """Return a warning about proportions outside [0, 1]."""
        gap = _MODELS["extended-crosswise"][1][1]  # a difference is no proportion
        shares = [one for one in self.quantities if one.name != gap]
        outside = [one.name for one in shares if is_outside(one.estimate)]
        told = f"estimates outside [0, 1]: {', '.join(outside)}: by sampling error, or the model does not hold"
        return (told,) if outside else ()

    def as_tables(self) -> list[Table]:
        """Return a table of the estimates, then the method."""
        rows = []
        for one in self.quantities:
            number, error, ends = in_digits(one.estimate, one.standard_error, *(one.interval or (nan, nan)))
            p = "none" if one.p_value is None else p_text(one.p_value)
            rows.append((one.name, number, error, p, ends))
        level = decimal_text(100 * self.confidence)
        header = ("", "estimate", "std. error", "p-value of 0", f"{level} % interval")
        about = [
            ("device", self.device_in_words),
            ("model", self.title),
            ("respondents by device", self.sizes),
            ("without an answer", str(self.missing)),
        ]
        about.append(("degrees of freedom", str(self.degrees_of_freedom)))
        if self.model == "extended-crosswise":
            about.append(("difference of the samples", " minus ".join(self.devices)))
        return [("Prevalence and non-compliance", header, rows), ("", None, about)]


def estimates_of_two_samples(
    rows: TableRows, model: str, questions: Sequence[str], column: str | None, level: Fraction
) -> TwoSampleEstimates:
    """Return the estimates of a two-sample design.

    Args:
        rows: the responses to the question, or to it and the attention question, and the sample.
        model: the design.
        questions: the columns of these questions.
        column: the column of the devices.
        level: the confidence of the intervals.
    """
    assert rows.survey is not None
    weights, (drawn, _) = rows.survey[0].weight, rows.survey
    is_missing = np.stack([one.answer == MISSING for one in rows.responses])
    answered, names = np.asarray(~is_missing.any(axis=0) & rows.selected), tuple(questions)
    if len(questions) == 1:
        places: dict[bytes, list[int]] = {}  # equal devices together, such as forced:2/3,1/6,1/6 and warner:5/6
        for place, matrix in enumerate(rows.responses[0].matrices):
            places.setdefault(matrix.tobytes(), []).append(place)
        own = list(places.values())
        if len(own) != 2:
            raise InvalidParameterError(
                f"the design has two devices: received {len(own)} in the column {shown(column)} "
                f"({shown(', '.join(rows.devices))}); give two, in random halves of the sample"
            )
        both, devices = rows.responses * 2, tuple(named[0] for named in own)
        names = tuple(" and ".join(rows.devices[g] for g in named) for named in own)
        domains = [answered & np.isin(rows.responses[0].device, named) for named in own]
    else:
        both, devices, domains = rows.responses, (0, 0), [answered] * 2
    chances = [_chances(one, g) for one, g in zip(both, devices, strict=True)]
    z = [one.answer for one in both]
    for domain, name in zip(domains, names, strict=True):
        if not (weights[domain] > 0).any():
            raise InvalidParameterError(f"nobody with a positive weight answered by {shown(name)}; correct the data")
    used = domains[0] | domains[1]
    shares = np.array([weights[d] @ x[d] / weights[d].sum() for d, x in zip(domains, z, strict=True)])
    influence = np.stack(
        [np.where(d, (x - s) / weights[d].sum(), 0.0) for d, x, s in zip(domains, z, shares, strict=True)],
        axis=1,
    )
    h, titles = _MODELS[model]
    try:
        values = h(shares, chances)
        J = _jacobian(lambda x: h(x, chances), shares)
    except ZeroDivisionError:
        raise InvalidParameterError(
            "the devices do not identify the model: received two devices of the same chances (or an attention question "
            "that reveals nothing); give devices with different chances"
        ) from None
    certain = (influence * (drawn.omitted * drawn.square)[:, None]).T @ influence
    V = J @ (drawn.covariance(influence) + certain) @ J.T
    freedom = drawn.degrees_of_freedom(used)
    quantities = [
        _quantity(title, float(value), sqrt(max(float(V[i, i]), 0.0)), freedom, level)
        for i, (title, value) in enumerate(zip(titles, values, strict=True))
    ]
    n = tuple(int((weights[d] > 0).sum()) for d in domains)
    return TwoSampleEstimates(
        model,
        tuple(quantities),
        n,
        tuple(names),
        int((rows.selected & ~used).sum()),
        freedom,
        level,
        rows.reading,
        rows.mechanisms,
    )


def _chances(responses: DeviceResponses, device: int) -> tuple[float, float]:
    """Return ``c = Pr(yes | no)`` and ``d = Pr(yes | yes) - c`` of a device."""
    P = responses.matrices[device]
    if P.shape != (2, 2):
        raise InvalidParameterError(
            f"a device is not of a yes-or-no question with two answers: received {P.shape[1]} categories and "
            f"{P.shape[0]} answers"
        )
    return float(P[1, 0]), float(P[1, 1] - P[1, 0])


def _quantity(name: str, value: float, error: float, freedom: int, level: Fraction) -> TwoSampleQuantity:
    if not (error > 0 and freedom > 0):
        return TwoSampleQuantity(name, value, error, None, None)
    half = quantile(level, freedom) * error
    return TwoSampleQuantity(name, value, error, (value - half, value + half), p_value(value / error, freedom))


_STEP = 1e-30  # of complex-step differentiation: its square is 0 beside any number of interest
_SINGULAR = 1e-12  # a smaller determinant of probabilities is 0 up to rounding: the samples do not tell the types apart
_NOBODY = 1e-9  # a smaller share of people is 0 up to rounding, and no share of it can be estimated


def _jacobian(h: Callable[[Any], Any], at: Floats) -> Floats:
    """Return the derivatives of an analytic function, exact up to rounding, by complex-step differentiation."""
    columns = []
    for j in range(len(at)):
        moved = at.astype(np.complex128)
        moved[j] += _STEP * 1j
        columns.append(np.imag(h(moved)) / _STEP)
    return np.stack(columns, axis=1)


_Chances = Sequence[tuple[float, float]]


def _types(shares: Any, chances: _Chances, third: float = 0.0) -> Any:
    """Return the shares of three types: compliers with and without the trait, and others who say yes with a chance.

    They solve ``lambda_g = (c_g + d_g) x_1 + c_g x_2 + third x_3`` and ``x_1 + x_2 + x_3 = 1``.
    """
    laws = np.array([*((c + d, c, third) for c, d in chances), (1.0, 1.0, 1.0)])
    if abs(np.linalg.det(laws)) < _SINGULAR:
        raise ZeroDivisionError
    return np.linalg.solve(laws, np.append(shares, 1.0))


def _lie_detector(shares: Any, chances: _Chances) -> Any:
    yes, _, liars = _types(shares, chances)
    return np.array([yes + liars, _quotient(yes, yes + liars)])


def _crosswise(shares: Any, chances: _Chances) -> Any:
    one, other = ((share - c) / d for share, (c, d) in zip(shares, chances, strict=True))
    return np.array([(one + other) / 2, one - other])


def _attention(shares: Any, chances: _Chances) -> Any:
    (first, (e, _)) = chances
    yes, no, _ = _types(shares, (first, (e, 0.0)), 0.5)
    return np.array([_quotient(yes, yes + no), yes + no])


def _quotient(above: Any, below: Any) -> Any:
    if abs(below) < _NOBODY:
        raise ZeroDivisionError
    return above / below


_MODELS: dict[str, tuple[Callable[[Any, _Chances], Any], tuple[str, ...]]] = {
    "lie-detector": (_lie_detector, ("prevalence", "chance of the truth among those with the trait")),
    "cheater-detection": (_types, ("honest yes", "honest no", "cheaters")),
    "extended-crosswise": (_crosswise, ("prevalence", "difference of the samples")),
    "attention": (_attention, ("prevalence", "attentive")),
}
