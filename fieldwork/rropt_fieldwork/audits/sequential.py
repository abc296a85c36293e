"""Sequential audits of a callable box: e-values of pairs, stopped when the claim is refuted.

The first part of the calls is used to choose the pair of inputs, the set S and lambda. After that, the audit calls the
box with the two inputs in turn. Under the claim, the products of the factors form a nonnegative supermartingale. The
test therefore remains valid if it is evaluated after every pair and stopped early (``refutations``).
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from rropt.core.errors import InvalidParameterError, shown
from rropt.core.exact import Epsilon
from rropt.inference.distributions import lower_probability, upper_probability
from rropt_fieldwork.audits.black_boxes import BlackBox
from rropt_fieldwork.audits.events import Candidate, Samples, best_candidates, samples_of
from rropt_fieldwork.audits.refutations import NullHypothesis, best_bet, factors, shares

MAX_BUDGET = 10**9
MAX_INPUTS = 1000
_LEAST_FIRST, _MOST_FIRST = 20, 10_000  # calls of each input that are used to choose the set
_BLOCK = 256  # largest number of pairs per block of calls
_FIRST_BLOCK = 8
_SAFETY = 1e-9  # the e-value is evaluated at a level higher than the claim by this relative margin
_FAR = 0.001  # level of the bounds on the probabilities in the first part
_ENOUGH = "the budget is used up"
REFUTED = "the claim is refuted"

Named = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class SequentialResponses:
    """The responses of a box in both parts of a sequential audit.

    Attributes:
        inputs: the pair, given or chosen; the first two inputs if the box ended before a pair was chosen.
        event: the set, given or chosen; empty if the box ended before a set was chosen.
        explored: the numbers of responses to the pair in the first part; 0 if the box ended in it.
        bet: lambda.
        cells: the numbers of pairs with both responses in the set, only the first, only the second, and neither.
        calls: the number of responses of the box, in both parts.
        stopped: the reason why the audit ended.
    """

    inputs: tuple[str, str]
    event: tuple[str, ...]
    explored: tuple[int, int]
    bet: Fraction
    cells: tuple[int, int, int, int]
    calls: int
    stopped: str


def ask_until_refuted(
    box: BlackBox,
    inputs: Sequence[str],
    test: NullHypothesis,
    *,
    budget: int,
    seconds: float,
    explore: int | None,
    pair: tuple[int, int] | None,
    event: Sequence[str] | None,
    named: Named,
) -> SequentialResponses:
    """Call a box until the claim is refuted, the budget or the time is used up, or the box ends.

    Args:
        box: an open box.
        inputs: the texts of the inputs.
        test: the hypothesis and its level; without a claim, the whole budget is used.
        budget: the number of calls in both parts together.
        seconds: the wall-clock time of all calls together.
        explore: the calls of each input in the first part (default: a fifth of the budget in total, 20 to 10 000 calls
            of each input).
        pair: two inputs, by index (default: the best pair).
        event: the set S (default: the best set).
        named: a function that returns the name of a response in the counts.
    """
    until = time.monotonic() + seconds
    first = _first_part(budget, len(inputs), explore)
    counts: Counter[tuple[str, str]] = Counter()
    calls, ended = 0, None
    places = range(len(inputs)) if pair is None else pair
    for start in range(0, first, _BLOCK):
        block = [inputs[i] for _ in range(min(_BLOCK, first - start)) for i in places]
        responses, ended = box.ask(block, until)
        calls += len(responses)
        counts.update((x, named(y)) for x, y in zip(block, responses, strict=False))
        if ended is not None:
            break
    own = () if event is None else tuple(event)
    if ended is not None:
        both = inputs[places[0]], inputs[places[1]]
        return SequentialResponses(both, own, (0, 0), Fraction(0), (0, 0, 0, 0), calls, ended)
    found, pairs = samples_of(counts), (budget - calls) // 2
    rest = np.zeros_like(found.counts)
    rest[:, 0] = pairs
    where = None if pair is None else [(found.inputs.index(inputs[pair[0]]), found.inputs.index(inputs[pair[1]]))]
    candidate = best_candidates(found.counts, rest, test, where, _event(found, event))[0]
    bet = _bet(found, candidate, test, pairs)
    (one, n), (other, m) = ((found.inputs[place], found.sizes[place]) for place in (candidate.first, candidate.second))
    own = own or tuple(found.responses[i] for i in candidate.event)
    cells, more, stopped = _tested(box, [one, other], set(own), bet, test, pairs, until, named)
    return SequentialResponses((one, other), own, (n, m), bet, cells, calls + more, stopped)


def _tested(
    box: BlackBox,
    both: Sequence[str],
    inside: set[str],
    bet: Fraction,
    test: NullHypothesis,
    pairs: int,
    until: float,
    named: Named,
) -> tuple[tuple[int, int, int, int], int, str]:
    """Call the box with pairs up to the stopping time; return the cells, the number of calls, and why it stopped."""
    goal = math.log(1 / float(test.level)) * (1 + _SAFETY)
    logs = None
    if test.claim is not None and bet * (Fraction(_gamma(test.claim)) + test.delta) <= 1:
        logs = _logs(bet, test.claim, float(test.delta))
    cells, total, calls, size, ended = np.zeros(4, np.int64), 0.0, 0, _FIRST_BLOCK, None
    while pairs > 0 and ended is None:
        size = min(2 * size, _BLOCK, pairs)
        responses, ended = box.ask([text for _ in range(size) for text in both], until)
        calls, pairs = calls + len(responses), pairs - size
        hits = [named(text) in inside for text in responses]
        kinds = np.array([3 - 2 * a - b for a, b in zip(hits[::2], hits[1::2], strict=False)], np.int64)
        if logs is not None and len(kinds):
            sums = total + np.cumsum(logs[kinds])
            total = float(sums[-1])
            over = np.flatnonzero(sums >= goal)
            if len(over):
                kinds, ended = kinds[: over[0] + 1], REFUTED
        cells += np.bincount(kinds, minlength=4)
    both_in, first, second, neither = map(int, cells)
    return (both_in, first, second, neither), calls, ended or _ENOUGH


def _logs(bet: Fraction, claim: Epsilon, delta: float) -> np.ndarray:
    """Return the logarithms of the e-value's factors for the four kinds of pairs, at a level just above the claim."""
    with np.errstate(divide="ignore"):
        return np.log(np.maximum(factors(float(bet), _gamma(claim), delta), 0.0))


def _gamma(claim: Epsilon) -> float:
    return float(claim.exact_gamma().bracket(20).upper) * (1 + _SAFETY)


def _bet(samples: Samples, candidate: Candidate, test: NullHypothesis, pairs: int) -> Fraction:
    """Return the lambda whose e-value grows fastest at the claim; without a claim, the lambda of the largest level.

    The expected growth rate per pair is concave in lambda (Kelly 1956). It is computed with the probabilities of the
    first part. If the first part clearly supports the claim, lambda is chosen for the best bound instead. It may then
    be too large to test the claim itself.
    """
    p, q = candidate.chances
    if test.claim is None:
        return best_bet(max(pairs, 1), p, q, test)
    gamma, delta = _gamma(test.claim), float(test.delta)
    most = 1 / (gamma + delta)
    # dense at both endpoints, where the growth rate bends; every lambda is valid, so the grid decides only the power
    lam = most * np.concatenate([np.geomspace(1e-6, 0.5, 400), 1 - np.geomspace(1e-9, 0.5, 400)])
    with np.errstate(divide="ignore", invalid="ignore"):
        rate = sum(w * np.log(x) for w, x in zip(shares(p, q), factors(lam, gamma, delta), strict=True))
    best = float(lam[int(np.argmax(np.nan_to_num(rate, nan=-np.inf)))])
    if rate.max() <= 0:  # the first part shows nothing against the claim, so aim for the largest bound
        best = float(best_bet(max(pairs, 1), p, q, test))
        best = min(best, most) if _is_open(samples, candidate, gamma, delta) else best
    return Fraction(math.floor(best * 2**60), 2**60)


def _is_open(samples: Samples, candidate: Candidate, gamma: float, delta: float) -> bool:
    """Return whether probabilities within about three standard errors of the first part refute the claim."""
    rows = samples.counts[[candidate.first, candidate.second]]
    (n1, n2), (a, b) = rows.sum(axis=1), rows[:, list(candidate.event)].sum(axis=1)
    return bool(upper_probability(n1, a, _FAR) - delta >= gamma * lower_probability(n2, b, _FAR))


def _first_part(budget: int, inputs: int, explore: int | None) -> int:
    """Return the number of calls of each input that are used to choose the set.

    Raises:
        InvalidParameterError: the budget leaves no calls for the test.
    """
    first = min(max(budget // (5 * inputs), _LEAST_FIRST), _MOST_FIRST) if explore is None else explore
    if first < 1 or first * inputs + 2 > budget:
        raise InvalidParameterError(
            f"the budget is too small: received {budget} calls for {inputs} inputs, of which {first} each choose the "
            "set; allow more calls (`budget=...`), or explore less (`explore=...`)"
        )
    return first


def _event(samples: Samples, event: Sequence[str] | None) -> tuple[int, ...] | None:
    """Return the indices of the given responses, without those that do not occur in the first part."""
    if event is None:
        return None
    found = tuple(samples.responses.index(name) for name in event if name in samples.responses)
    if not found:
        raise InvalidParameterError(
            f"`event` contains no response that the box gave: received {shown(','.join(event))}; allowed are some of "
            f"{shown(', '.join(samples.responses[:8]))}"
        )
    return found


def last_bit(text: str) -> str:
    """Return the position of the last nonzero bit of a floating-point number, such as ``2^-53``.

    Other texts are returned unchanged. Floating-point samplers leave traces in this position: for one input they return
    numbers that they never return for another.

    References:
        Mironov, On significance of the least significant bits for differential privacy, CCS 2012.

    >>> last_bit("0.75"), last_bit("12"), last_bit("0.1"), last_bit("none")
    ('2^-2', '2^2', '2^-55', 'none')
    """
    try:
        value = float(text)
    except ValueError:
        return text
    if value == 0 or not math.isfinite(value):
        return text
    top, bottom = value.as_integer_ratio()
    top = abs(top)
    return f"2^{(top & -top).bit_length() - bottom.bit_length()}"
