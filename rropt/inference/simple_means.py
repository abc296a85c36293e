r"""Means of scores in the groups of a simple random sample: exact estimates, variances and covariances.

With the scores z_i of the n respondents of a group, the estimate is their mean and the plug-in variance is
``(mean z^2 - (mean z)^2)/n``. Means of numbers have the divisor n - 1 instead, with Student's t. Where several devices
determine a number together, the estimate is the sum of the means of its parts, and so is the variance. Groups are
independent.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rropt.answers.data_columns import Floats, Ints
from rropt.answers.scores import Scores
from rropt.core.lazy import NDArray
from rropt.core.lazy import numpy as np
from rropt.inference.exact_tests import BinomialSample

_WHOLE = 1 << 62  # sums below this are computed by NumPy


@dataclass(frozen=True)
class SimpleMeans:
    """The means of scores in groups; arrays of shape (groups, columns), or (groups,) for n.

    Attributes:
        n: the number of respondents.
        value, variance: the estimate and its variance, fractions.
        device: the part of the variance due to the device.
        square: the sum of the squared ranges of the terms of the estimate, for Hoeffding's inequality.
        samples: the binomial counts that determine the estimates; ``None`` where there is none.
    """

    n: Ints
    value: NDArray[Any]
    variance: NDArray[Any]
    device: Floats
    square: Floats
    samples: NDArray[Any]


def simple_means(
    scores: Scores, group: Ints, groups: int, n: Ints, part: Ints | None = None, *, is_unbiased: bool = False
) -> SimpleMeans:
    """Return the means of scores in groups, exactly.

    Args:
        scores: the scores.
        group: the group of each row; negative for none.
        groups: the number of groups, each of which has a response.
        n: the number of equal respondents of each row.
        part: the part of its group to which each row belongs; ``None`` for one part.
        is_unbiased: whether the variance has the divisor n - 1; it is then 0/0 = None for one respondent.
    """
    D = 1 if part is None else int(part.max()) + 1
    R, K = scores.table.shape
    ok = (group >= 0) & (scores.at >= 0)
    cell = group[ok] * D + (0 if part is None else part[ok])
    pairs, place = np.unique(cell * R + scores.at[ok], return_inverse=True)
    N = np.bincount(place, n[ok], len(pairs)).astype(np.int64)  # of each response in each cell; exact up to 2^53
    own, at = pairs // R, pairs % R
    begins = np.flatnonzero(np.diff(own, prepend=-1))

    def sums(terms: NDArray[Any]) -> NDArray[Any]:
        found = np.zeros((groups * D, *terms.shape[1:]), terms.dtype)
        found[own[begins]] = np.add.reduceat(terms, begins)
        return found

    z, below = scores.integers
    used, size = np.unique(at), sums(N)
    largest = max((abs(x) for x in z[used].ravel().tolist()), default=0)
    kind: Any = np.int64 if largest**2 * max(int(size.max()), 1) < _WHOLE else object
    small = np.zeros(z.shape, kind)
    small[used] = z[used]
    terms = N.astype(kind)[:, None] * small[at]
    value, variance = _moments(size, sums(terms), sums(terms * small[at]), below, is_unbiased=is_unbiased)
    whole_size = np.maximum(size.reshape(groups, D).sum(axis=1), 1)[:, None]
    device = sums(N[:, None] * scores.device[at]).reshape(groups, D, K).sum(axis=1) / whole_size**2
    square = sums(N[:, None] * (scores.high - scores.low)[at] ** 2) / np.maximum(size, 1)[:, None] ** 2
    if D > 1:
        value, variance, square = (one.reshape(groups, D, K).sum(axis=1) for one in (value, variance, square))
        samples = np.full((groups, K), None)
    else:
        samples = _samples(scores, N, at, begins, size)
    return SimpleMeans(size.reshape(groups, D).sum(axis=1), value, variance, device, square, samples)


def _moments(
    size: Ints, first: Any, second: Any, below: int, *, is_unbiased: bool
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return means and variances as fractions; equal sums share theirs."""
    value, variance = np.empty(first.shape, object), np.empty(first.shape, object)
    known: dict[tuple[int, int, int], tuple[Fraction, Fraction | None]] = {}
    sizes = size.tolist()
    lists = (map(np.ndarray.tolist, each) for each in (first, second))  # those of all rows take much memory at once
    for row, (ones, squares) in enumerate(zip(*lists, strict=True)):
        n = sizes[row]
        for column, key in enumerate(zip([n] * len(ones), ones, squares, strict=True)):
            if key not in known:
                known[key] = _moment(*key, below, is_unbiased=is_unbiased)
            value[row, column], variance[row, column] = known[key]
    return value, variance


def _moment(n: int, a: int, b: int, below: int, *, is_unbiased: bool) -> tuple[Fraction, Fraction | None]:
    if not n:
        return Fraction(0), Fraction(0)
    if not is_unbiased:
        return Fraction(a, n * below), Fraction(b * n - a * a, n**3 * below**2)
    return Fraction(a, n * below), Fraction(b * n - a * a, n**2 * (n - 1) * below**2) if n > 1 else None


def _samples(scores: Scores, N: Ints, at: Ints, begins: Ints, size: Ints) -> NDArray[Any]:
    """Return the binomial counts behind the estimates of groups that used one device whose scores are only two.

    Groups of equal counts share them.

    Args:
        scores: the scores.
        N, at: the number of respondents with each response of each group, and the row of the response.
        begins: where each group begins.
        size: the number of respondents of each group.
    """
    found = np.full((len(size), scores.table.shape[1]), None)
    if not scores.two:
        return found
    z, below = scores.integers
    device = np.zeros(len(at), np.int64) if scores.of_device is None else scores.of_device[at]
    first, last = (each.reduceat(device, begins) for each in (np.minimum, np.maximum))
    for number, own in enumerate(scores.two):
        groups = np.flatnonzero((first == number) & (last == number))
        for column, two in enumerate(own) if len(groups) else ():
            if two is None:
                continue
            low, high = two
            slope = high - low
            ends = -low / slope, (1 - low) / slope
            hits = np.add.reduceat(N * (z[:, column] == high * below)[at], begins)
            known: dict[tuple[int, int], BinomialSample] = {}
            for row in groups.tolist():
                key = int(size[row]), int(hits[row])
                found[row, column] = known.get(key) or known.setdefault(key, BinomialSample(*key, *ends))
    return found


def category_covariance(scores: Scores, group: Ints, n: Ints, one: int) -> NDArray[Any]:
    """Return the exact plug-in covariance of all columns in one group, shape (columns, columns)."""
    z, below = scores.integers
    own = (group == one) & (scores.at >= 0)
    counts = np.bincount(scores.at[own], n[own], len(z)).astype(np.int64).astype(object)
    size = int(counts.sum())
    first, second = counts @ z, (z * counts[:, None]).T @ z
    ratio = np.frompyfunc(lambda a: Fraction(a, size**3 * below**2), 1, 1)
    found: NDArray[Any] = ratio(second * size - np.multiply.outer(first, first))
    return found
