"""Sample size for an audit: the number of samples that refutes a claimed level with a given power."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from rropt.core.errors import InvalidParameterError, UnsupportedProblemError, shown
from rropt.core.exact import Epsilon, exact_confidence, rational_where
from rropt.core.results import Result, labelled
from rropt.inference.distributions import lower_probability, upper_probability
from rropt.mechanisms import Mechanism
from rropt.mechanisms.imports import required_mechanism
from rropt_fieldwork.audits.events import EXPLORED, MOST_EXPLORED

MOST_SAMPLES = 10**15
_MOST_COLUMNS = 60
_FIRST = 16
_ROOM = 1.02  # relative step of the search for a size, as the power is not monotone in n


@dataclass(frozen=True, slots=True)
class SamplesNeeded(Result):
    """The number of samples with which an audit refutes a claimed level.

    Attributes:
        n: the number of samples of each of the two inputs.
        inputs: the pair of inputs, by index.
        event: the set of responses, by index.
        claim: the level to refute.
        delta: the delta of the claim.
        confidence: the confidence of the audit.
        power: a lower bound of the probability that the audit refutes the claim.
    """

    n: int
    inputs: tuple[int, int]
    event: tuple[int, ...]
    claim: Epsilon
    delta: Fraction
    confidence: Fraction
    power: Fraction

    LABELS = labelled(
        n="samples of each input",
        inputs="pair of inputs",
        event="set of responses S",
        claim="claimed epsilon",
        delta="delta",
        confidence="confidence",
        power="power at least",
    )

    def remarks(self) -> tuple[str, ...]:
        """Return the options of the audit for which this number is meant."""
        return (
            "the audit tests this pair and this set (`pair`, `event`); if it is to choose them, one "
            f"sample in {EXPLORED}, at most {MOST_EXPLORED} of each input, does not test",
        )


def samples_needed(
    mechanism: Mechanism | str,
    claim: object,
    *,
    delta: object = 0,
    confidence: object = "0.95",
    power: object = "0.9",
) -> SamplesNeeded:
    """Return the number of samples with which an audit refutes a level below that of the mechanism.

    The audit uses Clopper-Pearson bounds. With n samples of each of two inputs, the counts in S are at least as
    favourable as two quantiles with probability at least ``power``. The number n is large enough that
    ``log((p - delta)/q)`` reaches the claim at these quantiles. The set and the pair are chosen such that n is
    smallest. The computation is in floating point; ``audit`` proves its own result.

    Args:
        mechanism: the mechanism that the box implements.
        claim: the claimed level, in any form that ``Epsilon.of`` accepts.
        delta: the delta of the claim.
        confidence: the confidence of the audit.
        power: the required probability that the audit refutes the claim.

    Raises:
        InvalidParameterError: the mechanism meets the claim, so no number of samples refutes it.
        UnsupportedProblemError: more than 10^15 samples are needed, or the mechanism has more than 60 inputs.

    >>> samples_needed("warner:3/4", 1).n > samples_needed("warner:3/4", "1/2").n
    True
    """
    given = required_mechanism(mechanism)
    level = Epsilon.of(claim)
    slack = rational_where(delta, lambda x: 0 <= x <= 1, "0 <= delta <= 1", name="delta")
    sure, wanted = exact_confidence(confidence), exact_confidence(power, "power")
    if given.inputs > _MOST_COLUMNS:
        raise UnsupportedProblemError(
            f"the mechanism has too many inputs: received {given.inputs}; allowed are {_MOST_COLUMNS}"
        )
    gamma = float(level.exact_gamma().bracket(20).upper)
    matrix = np.array([[float(x) for x in row] for row in given.matrix])
    best: tuple[tuple[int, int], tuple[int, ...]] | None = None
    most, line = MOST_SAMPLES, (gamma, float(slack))
    for pair in permutations(range(given.inputs), 2):
        for event, p, q in _events(matrix[:, pair[0]], matrix[:, pair[1]], *line):
            n = _search(p, q, *line, float(1 - sure), float(wanted), most)
            if n is not None and n < most:
                most, best = n, (pair, event)
    if best is None:
        raise InvalidParameterError(
            f"no number of samples refutes the claim: received epsilon = {level}, delta = {shown(str(slack))}, which "
            f"the mechanism meets, or misses by less than {MOST_SAMPLES} samples show; claim a smaller level"
        )
    return SamplesNeeded(most, *best, level, slack, sure, wanted)


def _events(
    p: NDArray[np.float64], q: NDArray[np.float64], gamma: float, delta: float
) -> Iterator[tuple[tuple[int, ...], float, float]]:
    """Yield the likelihood-ratio sets of a pair of inputs that break the claim, with their probabilities."""
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(p > 0, p / q, 0.0)
    order = np.argsort(-ratio, kind="stable")
    order = order[ratio[order] > gamma * (delta == 0)]
    for size in range(1, len(order) + 1):
        event = order[:size]
        a, b = min(float(p[event].sum()), 1.0), min(float(q[event].sum()), 1.0)
        # a set that breaks the claim by a rounding error alone shows nothing
        if a - delta > gamma * b * (1 + 1e-12):
            yield tuple(sorted(event.tolist())), a, b


def _search(p: float, q: float, gamma: float, delta: float, alpha: float, power: float, most: int) -> int | None:
    """Return a sufficient number of samples within two per cent of the least one; None if it exceeds ``most``."""

    from scipy import stats

    def refutes(n: int) -> bool:
        hits = (stats.binom.ppf((1 - power) / 2, n, p), stats.binom.isf((1 - power) / 2, n, q))
        low, high = lower_probability(n, max(hits[0], 0), alpha / 2), upper_probability(n, max(hits[1], 0), alpha / 2)
        return bool(low - delta >= gamma * high)

    low, high = 1, _FIRST
    while not refutes(high):
        if high >= most:
            return None
        low, high = high, min(2 * high, most)
    while high > low * _ROOM and high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if refutes(middle) else (middle, high)
    return math.ceil(high)
