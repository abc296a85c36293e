"""Weights of groups of respondents with different devices.

With A_g the left inverse of the device of group g and y_g the histogram of its m_g answers, ``sum_g w_g A_g y_g/m_g``
is unbiased for weights that sum to 1 and do not depend on the answers:

* ``"respondents"`` (the default): ``w_g = m_g/m``. One set for all tables: marginals of estimates are estimates of
  marginals.
* ``"precision"``: ``w_g ~ m_g/v_g``, v_g the sum of the variances of a table's cells per respondent at the uniform
  population. The least sum of variances there; each table has its own.
* numbers, exact, that sum to 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from rropt.core.errors import InvalidParameterError, shown
from rropt.core.exact import rational
from rropt.mechanisms import Mechanism
from rropt.mechanisms.columns import listed
from rropt.mechanisms.question_inverses import inverses_of
from rropt.survey.questions.responses import Answers


def weights_of(
    groups: Sequence[Answers], questions: Sequence[int], weights: str | Sequence[object]
) -> tuple[Fraction, ...]:
    """Return the weights of the groups in a table: see this module."""
    if not isinstance(weights, str):
        return _exact_weights(weights, len(groups))
    if weights not in ("respondents", "precision"):
        raise InvalidParameterError(
            f"the weights have no such name: received {shown(weights)}; allowed are respondents, precision, or one "
            "number for each group"
        )
    sizes = [Fraction(group.n) for group in groups]
    if weights == "precision":
        noise = [_uniform_variance(group.devices(questions)) for group in groups]
        if all(noise):
            sizes = [size / v for size, v in zip(sizes, noise, strict=True)]
    return tuple(size / sum(sizes) for size in sizes)


def _exact_weights(weights: Sequence[object], groups: int) -> tuple[Fraction, ...]:
    """Return weights of groups as exact numbers that sum to 1."""
    exact = tuple(rational(weight, name=f"weights[{g}]") for g, weight in enumerate(listed(weights, flat=True) or ()))
    if len(exact) != groups or sum(exact) != 1:
        raise InvalidParameterError(
            f"the weights do not fit the groups: received {shown(list(map(str, exact)))}; allowed are {groups} numbers "
            "that sum to exactly 1"
        )
    return exact


def _uniform_variance(devices: Sequence[Mechanism]) -> Fraction:
    """Return the sum of the variances of all cells per respondent at the uniform population."""
    total, cells = Fraction(1), 1
    for device, rows in zip(devices, inverses_of(devices), strict=True):
        chances = [sum(row, Fraction(0)) / device.inputs for row in device.matrix]
        total *= sum((a * a * p for row in rows for a, p in zip(row, chances, strict=True)), Fraction(0))
        cells *= device.inputs
    return total - Fraction(1, cells)
