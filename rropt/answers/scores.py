r"""Scores: a response becomes numbers whose mean over the device is what the truth of the respondent would give.

Respondent i has the row ``at[i]`` of a table of scores z. Each column is a score of one estimated number. Its
expectation over the device is x_i: the indicator of a category (or of a cell of a joint table), or the respondent's
number. So the mean of a score estimates a proportion or a mean without bias, in any sample:

* Categories: ``z = L e_y`` with a left inverse L of the mechanism; of several questions the Kronecker product.
* Numbers: the report itself.
* Sets: of a response in the orbit o, ``a_o`` for the categories of the set and ``b_o`` for the others
  (``inference/subset_estimates.py`` has the formulas).
* Contrasts that several devices determine together: ``z = L_dy`` for device d (``contrasts.py``). The estimate is then
  the sum over the devices of the means of the scores.

``noise`` is a number of each row whose expectation, given the truth, is the variance of the score. For an indicator it
is ``z^2 - z``, because ``E(z^2 | x) - x^2 = E(z^2 - z | x)``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial, reduce
from typing import Any

from rropt.answers.data_columns import Floats, Ints, numbered
from rropt.core.exact.numbers import dot, whole_numbers
from rropt.core.lazy import numpy as np
from rropt.mechanisms import Mechanism
from rropt.mechanisms.left_inverse import inverses_of

Rows = Sequence[Sequence[Fraction]]


@dataclass(frozen=True)
class Scores:
    """The scores of the respondents.

    Attributes:
        names: what each column estimates.
        table: the scores, shape (rows, columns).
        exactly: a function that returns the table as fractions (no closure, so that results can be pickled).
        at: the row of each respondent; -1 without a response.
        low, high: the least and the largest score that the device of a row allows, shape (rows, columns).
        noise: the estimated variance of the device, shape (rows, columns); ``None`` for indicators.
        two: for each device and column the only two scores that it allows; ``None`` if there are more.
        limits: the range of the estimated number.
        of_device: the number of the device of each row of the table; ``None`` for one device.
    """

    names: tuple[str, ...]
    table: Floats
    exactly: Callable[[], Rows]
    at: Ints
    low: Floats
    high: Floats
    noise: Floats | None = None
    two: tuple[tuple[tuple[Fraction, Fraction] | None, ...], ...] = ()
    limits: tuple[float, float] = (0.0, 1.0)
    of_device: Ints | None = None

    @cached_property
    def integers(self) -> tuple[Any, int]:
        """The scores as integers, shape (rows, columns), and the number by which they are divided."""
        rows = self.exactly()
        whole, below = whole_numbers([x for row in rows for x in row])
        return np.array(whole, object).reshape(self.table.shape), below

    @property
    def device(self) -> Floats:
        """The noise of each row and column."""
        return self.table * (self.table - 1) if self.noise is None else self.noise


def category_scores(
    names: Sequence[str], devices: Sequence[Sequence[Mechanism]], device: Ints, codes: Sequence[Ints]
) -> Scores:
    """Return the scores of all categories of a question, or of all cells of several; the first varies fastest.

    Args:
        names: the names of the categories, or cells.
        devices: for each number of a device, its mechanisms, one of each question.
        device: the number of the device of each respondent.
        codes: the responses to each question; -1 for none.
    """
    inverses = [inverses_of(own) for own in devices]
    given = np.logical_and.reduce([one >= 0 for one in codes])
    at = np.full(len(device), -1)
    columns = [one[given] for one in (device, *codes)]
    first, at[given] = numbered(*columns)
    seen = np.stack([one[first] for one in columns], axis=1).tolist()
    floats = [[np.array(rows, np.float64) for rows in own] for own in inverses]
    table = np.stack([_kron(one[:, z] for one, z in zip(floats[d], code, strict=True)) for d, *code in seen])
    ends = [_ends(own, made) for own, made in zip(devices, floats, strict=True)]
    low, high = (np.stack([ends[d][end] for d, *_ in seen]) for end in (0, 1))

    exactly = partial(_exact_rows, inverses, seen)
    two: tuple[tuple[tuple[Fraction, Fraction] | None, ...], ...] = ()
    if len(codes) == 1:
        two = tuple(_two_scores(one, A) for (one,), (A,) in zip(devices, inverses, strict=True))
    of_device = np.array([d for d, *_ in seen])
    return Scores(tuple(names), table, exactly, at, low, high, two=two, of_device=of_device)


def _two_scores(device: Mechanism, inverse: Rows) -> tuple[tuple[Fraction, Fraction] | None, ...]:
    """Return for each category the only two scores of the possible outputs; ``None`` if there are more."""
    met = [z for z, row in enumerate(device.matrix) if any(row)]
    values = [sorted({row[z] for z in met}) for row in inverse]
    return tuple((own[0], own[1]) if len(own) == 2 else None for own in values)


def _kron(parts: Iterator[Any]) -> Floats:
    found = np.ones(1)
    for one in parts:
        found = np.asarray(np.kron(one, found), np.float64)
    return found


def _exact_rows(inverses: Sequence[Any], seen: Sequence[Sequence[int]]) -> Rows:
    """Return the scores of the seen devices and responses, exactly."""
    columns = ([[row[z] for row in A] for A, z in zip(inverses[d], code, strict=True)] for d, *code in seen)
    return [_exact_cells(own) for own in columns]


def _exact_cells(parts: Sequence[Sequence[Fraction]]) -> Sequence[Fraction]:
    return reduce(lambda before, one: [y * x for y in one for x in before], parts, [Fraction(1)])


def _ends(devices: Sequence[Mechanism], inverses: Sequence[Floats]) -> tuple[Floats, Floats]:
    """Return the least and the largest score of each cell over the possible outputs of a device."""
    met = (A[:, [any(row) for row in one.matrix]] for A, one in zip(inverses, devices, strict=True))
    return product_ranges((own.min(axis=1), own.max(axis=1)) for own in met)


def product_ranges(ends: Iterator[Sequence[Floats]]) -> tuple[Floats, Floats]:
    """Return the least and the largest products with one factor of each question; the first question varies fastest.

    Args:
        ends: for each question the least and the largest factors of its categories.
    """
    low = high = np.ones(1)
    for own in ends:
        products = [np.outer(mine, before).ravel() for mine in own for before in (low, high)]
        low, high = np.minimum.reduce(products), np.maximum.reduce(products)
    return low, high


def number_scores(name: str, mechanism: Mechanism, codes: Ints) -> Scores:
    """Return the reports of a number as its scores."""
    z, x = mechanism.output_values, mechanism.input_values
    noise = [[float(one)] for one in device_variances(mechanism)]
    table = np.array([[float(one)] for one in z])
    low, high = (np.full(table.shape, float(end(z))) for end in (min, max))
    limits = float(min(x)), float(max(x))
    return Scores((name,), table, partial(_as_rows, z), codes, low, high, np.array(noise), limits=limits)


def device_variances(mechanism: Mechanism) -> list[Fraction]:
    """Return d with ``sum_i p_ij d_i = V_j``: the mean of d over reports estimates their mean conditional variance."""
    squares = [z * z for z in mechanism.output_values]
    columns = zip(*mechanism.matrix, strict=True)
    variances = [dot(own, squares) - x * x for own, x in zip(columns, mechanism.input_values, strict=True)]
    if len(set(variances)) == 1:
        return [variances[0]] * mechanism.outputs
    (inverse,) = inverses_of([mechanism])
    return [dot(variances, own) for own in zip(*inverse, strict=True)]


def combined_scores(scores: Scores, name: str, weights: Sequence[Fraction]) -> Scores:
    """Return the score of a linear combination of the columns, such as a contrast of categories.

    For indicators the variance of the device has the estimate ``z^2 - sum_j c_j^2 z_j``, since one x_j is 1.
    """
    c = np.array([float(w) for w in weights])
    table = (scores.table @ c)[:, None]
    noise = table**2 - (scores.table @ c**2)[:, None]

    exactly = partial(_combined_rows, scores.exactly, tuple(weights))
    low, high = (
        np.where(c >= 0, one * c, other * c).sum(axis=1)[:, None]
        for one, other in ((scores.low, scores.high), (scores.high, scores.low))
    )
    limits = float(min(weights)), float(max(weights))
    return Scores((name,), table, exactly, scores.at, low, high, noise, limits=limits)


def _as_rows(numbers: Sequence[Fraction]) -> Rows:
    return [[one] for one in numbers]


def _combined_rows(exactly: Callable[[], Rows], weights: Sequence[Fraction]) -> Rows:
    return [[dot(weights, row)] for row in exactly()]
