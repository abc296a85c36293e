"""Estimate the distribution of the categories from responses that are subsets of the categories.

This module serves mechanisms whose output alphabet is too large to write out. Let M be the information matrix at a
distribution r that is constant within the groups of the mechanism. Then ``A = M^-1 P^T diag(P r)^-1`` is the left
inverse of least variance at r (``left_inverse``). Its column for output i is ``M^-1 p_i/(p_i . r)``. Let o be the orbit
of the subset i. The entry of this column at category j is a number ``a_o`` if the subset contains j, and a number
``b_o`` if it does not. The estimate is therefore

    pi_j = sum_o (N_oj a_o + (N_o - N_oj) b_o)/n,

where ``N_o`` is the number of responses in orbit o and ``N_oj`` is the number of those that contain j. These counts are
sufficient for the estimate, so the module stores nothing else. The plug-in variance is
``(sum_o (N_oj a_o^2 + (N_o - N_oj) b_o^2)/n - pi_j^2)/n``. If the mechanism has only one orbit of subsets, the estimate
of category j depends on ``N_oj`` alone, which is binomial.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rropt.answers.data_columns import Ints
from rropt.answers.scores import Scores
from rropt.core.errors import InfeasibleError, InvalidParameterError, UnsupportedProblemError, shown
from rropt.core.exact.numbers import whole_numbers
from rropt.core.visible import with_noun
from rropt.inference.exact_tests import BinomialSample
from rropt.inference.simple_means import SimpleMeans, category_covariance
from rropt.mechanisms.left_inverse import reference_population
from rropt.mechanisms.orbits import OrbitMechanism, group_shares, not_identified, orbit_information
from rropt.mechanisms.subsets import Subsets


@dataclass(frozen=True, slots=True)
class SubsetAnswers:
    """The responses to one question whose outputs are subsets, as counts.

    Attributes:
        mechanism: the mechanism that all respondents used.
        totals: N_o, the number of responses in each orbit.
        inside: N_oj, for each orbit the number of responses that contain category j.
    """

    mechanism: OrbitMechanism
    totals: tuple[int, ...]
    inside: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, subsets: Subsets, counts: Mapping[tuple[int, ...], int]) -> SubsetAnswers:
        """Count the responses by orbit and category, given the number of times each subset was reported.

        Raises:
            InvalidParameterError: the mechanism never outputs one of the subsets.
        """
        mechanism = subsets.mechanism
        totals = [0] * len(mechanism.orbits)
        inside = [[0] * mechanism.inputs for _ in totals]
        for chosen, n in counts.items():
            orbit = subsets.orbit_of(chosen)
            if orbit is None or len(set(chosen)) < len(chosen):
                raise InvalidParameterError(f"the mechanism never outputs a subset: received {shown(list(chosen))}")
            totals[orbit] += n
            for j in chosen:
                inside[orbit][j] += n
        return cls(mechanism, tuple(totals), tuple(map(tuple, inside)))

    @property
    def n(self) -> int:
        """The number of responses."""
        return sum(self.totals)


_Pair = tuple[Fraction | None, Fraction | None]
_MOST_SCORES = 1 << 26  # different responses times categories


class Share(NamedTuple):
    """One proportion in one group, before its intervals are computed.

    Attributes:
        n: the number of respondents.
        estimate, variance: the exact unbiased estimate, and its plug-in variance.
        square: the sum of the squared ranges of the terms of the estimate, divided by n^2.
        sample: the binomial count that determines the estimate, if there is one.
    """

    n: int
    estimate: Fraction
    variance: Fraction
    square: float
    sample: BinomialSample | None


class Weights(NamedTuple):
    """The weights a with which the frequencies of the responses estimate a proportion, as ``numerators/denominator``.

    If there are only two weights, the number of responses with the larger one is binomial.
    """

    numerators: tuple[int, ...]
    denominator: int

    @classmethod
    def of(cls, weights: Sequence[Fraction]) -> Weights:
        """Return the weights over their common denominator."""
        return cls(*whole_numbers(weights))

    def share(self, counts: Sequence[int]) -> Share:
        """Return the proportion ``a . N/n``, with its variance ``(a^2 . N/n - (a . N/n)^2)/n``."""
        n, below = sum(counts), self.denominator
        given = [(a, count) for a, count in zip(self.numerators, counts, strict=True) if count]
        first, second = sum(a * count for a, count in given), sum(a * a * count for a, count in given)
        low, high = min(self.numerators), max(self.numerators)
        sample = None
        if len(set(self.numerators)) == 2:
            ends = Fraction(-low, high - low), Fraction(below - low, high - low)
            sample = BinomialSample(n, sum(count for a, count in given if a == high), *ends)
        variance = Fraction(second * n - first * first, n**3 * below * below)
        return Share(n, Fraction(first, n * below), variance, float(Fraction(high - low, below)) ** 2 / n, sample)


def subset_shares(answers: SubsetAnswers, reference: Sequence[object] | None = None) -> list[Share]:
    """Return the estimates of all categories, with O(k) operations on fractions for each orbit.

    Args:
        answers: the responses of respondents who used one mechanism.
        reference: r, shape (k,), positive and constant within the groups of the mechanism; uniform if omitted.

    Raises:
        InvalidParameterError: the reference is not constant within a group.
        InfeasibleError: the mechanism does not identify the distribution of the categories.

    >>> subsets = Subsets.of(OrbitMechanism.subset_selection(4, 2, 3))
    >>> shares = subset_shares(SubsetAnswers.of(subsets, {(0, 1): 3, (0, 2): 2, (1, 3): 1}))
    >>> print(*(share.estimate for share in shares))
    5/4 3/4 -1/4 -3/4
    """
    return _shares(answers, _weights(answers.mechanism, reference))


def _shares(answers: SubsetAnswers, weights: Sequence[Sequence[_Pair]]) -> list[Share]:
    found = []
    for j in range(answers.mechanism.inputs):
        g = answers.mechanism.group_of(j)[0]
        given = []  # pairs of a weight and the number of responses that have it
        for total, inside, both in zip(answers.totals, answers.inside, weights, strict=True):
            given += [(a, m) for a, m in zip(both[g], (inside[j], total - inside[j]), strict=True) if a is not None]
        numbers, counts = zip(*given, strict=True)
        found.append(Weights.of(numbers).share(counts))
    return found


def _weights(mechanism: OrbitMechanism, reference: Sequence[object] | None) -> list[list[_Pair]]:
    """Return (a_o, b_o) for each orbit o and each group of categories.

    None replaces a_o if no subset of the orbit contains a category of the group. It replaces b_o if every subset of the
    orbit contains all categories of the group.
    """
    whole = reference_population(mechanism, reference)
    shares = group_shares(mechanism.groups, whole)
    if shares is None:
        raise InvalidParameterError(
            "the reference differs inside a group of the mechanism: received one with several proportions for "
            "categories "
            f"that it treats alike, in groups of {shown(list(mechanism.groups))}; give equal ones inside each"
        )
    information, found = orbit_information(mechanism.groups, list(mechanism.counted()), shares), []
    for orbit in mechanism.orbits:
        row = [v for values in orbit for v, c in sorted(values, reverse=True) for _ in range(c)]  # larger entries first
        mean = sum((p * r for p, r in zip(row, whole, strict=True)), Fraction(0))
        solved = information.solve([p / mean for p in row])
        if solved is None:
            raise InfeasibleError(not_identified(mechanism.groups))
        ends = [(end - k, end - 1) for end, k in zip(accumulate(mechanism.groups), mechanism.groups, strict=True)]
        most = max(row)
        found.append([(solved[i] if row[i] == most else None, solved[j] if row[j] < most else None) for i, j in ends])
    return found


class GivenSets(NamedTuple):
    """Responses that are sets of the categories.

    Attributes:
        subsets: the outputs of the mechanism as sets.
        sets: the different responses, in the order of their numbers.
        at: the number of each row's response; -1 for none.
    """

    subsets: Subsets
    sets: Sequence[tuple[int, ...]]
    at: Ints


def set_means(
    given: GivenSets, group: Ints, groups: int, n: Ints, reference: Sequence[object] | None = None
) -> SimpleMeans:
    """Return the estimates of all categories in groups of a simple random sample, from counts of the sets by orbit.

    Args:
        given: the responses.
        group: the group of each row; negative for none.
        groups: the number of groups, each of which has a response.
        n: the number of equal respondents of each row.
        reference: the distribution at which the estimates have least variance, as for ``subset_shares``.
    """
    chosen = np.flatnonzero((group >= 0) & (given.at >= 0))
    counts: list[dict[tuple[int, ...], int]] = [{} for _ in range(groups)]
    for g, code, number in zip(group[chosen].tolist(), given.at[chosen].tolist(), n[chosen].tolist(), strict=True):
        one = given.sets[code]
        counts[g][one] = counts[g].get(one, 0) + number
    weights = _weights(given.subsets.mechanism, reference)
    rows = [_shares(SubsetAnswers.of(given.subsets, own), weights) for own in counts]
    size = np.array([own[0].n for own in rows])
    square = np.array([[share.square for share in own] for own in rows])
    columns = [np.empty(square.shape, object) for _ in range(3)]
    device = np.empty(square.shape)
    for g, own in enumerate(rows):
        for j, share in enumerate(own):
            for column, number in zip(columns, (share.estimate, share.variance, share.sample), strict=True):
                column[g, j] = number
            device[g, j] = share.variance + (share.estimate**2 - share.estimate) / share.n  # mean of z^2 - z
    return SimpleMeans(size, columns[0], columns[1], device, square, columns[2])


def set_covariance(
    given: GivenSets, reference: Sequence[object] | None, group: Ints, n: Ints, one: int
) -> NDArray[Any]:
    """Return the exact plug-in covariance of all categories in one group, shape (k, k)."""
    names = [""] * given.subsets.mechanism.inputs
    return category_covariance(set_scores(names, given, reference), group, n, one)


def set_scores(names: Sequence[str], given: GivenSets, reference: Sequence[object] | None = None) -> Scores:
    """Return the scores of all categories of responses that are sets of them.

    Args:
        names: the names of the categories.
        given: the responses.
        reference: the distribution at which the estimates have least variance, as for ``subset_shares``.

    Raises:
        UnsupportedProblemError: the responses are too many different sets.
    """
    subsets, sets, at = given
    made, weights = subsets.mechanism, _weights(subsets.mechanism, reference)
    k = made.inputs
    if len(sets) * k > _MOST_SCORES:
        raise UnsupportedProblemError(
            f"the responses are too many different sets: received {len(sets)} of "
            f"{with_noun(k, 'category', 'categories')}; count them with `rropt count`, and give the counts"
        )
    of = [made.group_of(j)[0] for j in range(k)]
    orbits = [subsets.orbit_of(one) for one in sets]

    floats = [[[float(x or 0) for x in pair] for pair in both] for both in weights]
    table = np.empty((len(sets), k))
    for row, (orbit, own) in enumerate(zip(orbits, sets, strict=True)):
        both = np.array(floats[orbit or 0])[of]  # a and b of each category
        table[row] = both[:, 1]
        table[row, list(own)] = both[list(own), 0]
    every = [sorted({a for both in weights for a in both[g] if a is not None}) for g in of]
    low, high = (np.broadcast_to([float(own[end]) for own in every], table.shape) for end in (0, -1))
    two = tuple((own[0], own[1]) if len(own) == 2 else None for own in every)
    exactly = partial(_exact_sets, weights, orbits, sets, of)
    return Scores(tuple(names), table, exactly, at, low, high, two=(two,))


def _exact_sets(
    weights: Sequence[Sequence[_Pair]], orbits: Sequence[int | None], sets: Sequence[tuple[int, ...]], of: Sequence[int]
) -> list[list[Fraction]]:
    """Return the scores of sets of categories, exactly."""
    rows = []
    for orbit, own in zip(orbits, map(set, sets), strict=True):
        both = weights[orbit or 0]
        rows.append([both[g][j not in own] or Fraction(0) for j, g in enumerate(of)])
    return rows
