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
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rropt.answers.response_codes import MISSING
from rropt.core.errors import InvalidParameterError, shown
from rropt.estimates.estimate_bases import DeltaBasis
from rropt.estimates.estimate_remarks import missing_remark
from rropt.estimates.estimated import SIMPLE, TWO_SAMPLES, Estimate, Estimates
from rropt.inference.differences import is_outside, p_value
from rropt.regression.models import DeviceResponses
from rropt.regression.rows_of_fits import TableRows

Floats = NDArray[np.float64]

MODELS = tuple(TWO_SAMPLES)


def estimates_of_two_samples(
    rows: TableRows, model: str, questions: Sequence[str], column: str | None, level: Fraction
) -> Estimates:
    """Return the estimates of a two-sample design, the prevalence first.

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
    covariance = drawn.covariance(influence) + certain
    V = J @ covariance @ J.T
    freedom = drawn.degrees_of_freedom(used)
    errors = np.sqrt(np.maximum(np.diag(V), 0.0))
    basis = DeltaBasis(values, J, errors, np.zeros(len(values), bool), covariance, freedom, has_points=False)
    sizes = [int((weights[d] > 0).sum()) for d in domains]
    n = int((weights[used] > 0).sum())
    estimates = []
    for place, (title, value, error) in enumerate(zip(titles, values.tolist(), errors.tolist(), strict=True)):
        p = p_value(value / error, freedom) if error > 0 and freedom > 0 else None
        told: dict[str, Any] = {"question": questions[0], "df": freedom, "p_value": p, "basis": basis, "place": place}
        estimates.append(Estimate(title, value, error, n, **told))
    design = rows.survey[1]
    is_simple = design.weights == "equal" and design.strata == 1 and design.clusters is None
    sampled = SIMPLE if is_simple else design.sample
    samples = "; ".join(f"{name}: {size}" for name, size in zip(names, sizes, strict=True))
    sample = f"{sampled}; respondents of the two questions: {samples}"
    if column is not None:
        sample = f"{sampled}; two samples by {column}: {samples}"
    remarks = _remarks(model, estimates, names)
    missing = int((rows.selected & ~used).sum())
    more: dict[str, Any] = {"confidence": level, "mechanisms": rows.mechanisms, "missing": (missing,) * bool(missing)}
    more["remarks_"] = (*missing_remark(missing), *remarks)
    return Estimates(model, tuple(estimates), tuple(questions), sample=sample, **more)


def _remarks(model: str, estimates: Sequence[Estimate], names: Sequence[str]) -> tuple[str, ...]:
    """Return a warning about proportions outside [0, 1], and which sample is subtracted."""
    gap = _MODELS["extended-crosswise"][1][1]  # a difference is no proportion
    outside = [one.name for one in estimates if one.name != gap and is_outside(one.estimate)]
    told = [f"estimates outside [0, 1]: {', '.join(outside)}: by sampling error, or the model does not hold"]
    order = [f"{gap}: {' minus '.join(names)}"] * (model == "extended-crosswise")
    return (*(told if outside else ()), *order)


def _chances(responses: DeviceResponses, device: int) -> tuple[float, float]:
    """Return ``c = Pr(yes | no)`` and ``d = Pr(yes | yes) - c`` of a device."""
    P = responses.matrices[device]
    if P.shape != (2, 2):
        raise InvalidParameterError(
            f"a device is not of a yes-or-no question with two answers: received {P.shape[1]} categories and "
            f"{P.shape[0]} answers"
        )
    return float(P[1, 0]), float(P[1, 1] - P[1, 0])


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
