"""The choice of the pair of inputs and the set of responses, on one part of the samples; the rest tests them.

The samples of an input are exchangeable, so a part drawn without replacement and the rest are independent samples. It
is therefore enough to draw a part of the counts, and the order of the samples is not needed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from rropt.core.errors import InvalidParameterError, UnsupportedProblemError, shown
from rropt.inference.distributions import lower_probability, upper_probability
from rropt.mechanisms.columns import required_list
from rropt_fieldwork.audits.refutations import NullHypothesis

Counts = NDArray[np.int64]
_MOST_DRAWN = 10**9  # largest counts that NumPy can draw from
_MOST_PAIRS = 10_000
EXPLORED = 5  # of so many samples of an input, one is used to choose the set, by default
MOST_EXPLORED = 50_000  # the largest number of these samples
_DOUBT = 0.16  # level of the bounds on the probabilities in the first part: about one standard error


@dataclass(frozen=True, slots=True)
class Samples:
    """The number of times each response occurred for each input.

    Attributes:
        inputs: the names of the inputs.
        responses: the names of the responses.
        counts: the counts, with a row for each input and a column for each response.
    """

    inputs: tuple[str, ...]
    responses: tuple[str, ...]
    counts: Counts

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of samples of each input."""
        return tuple(int(n) for n in self.counts.sum(axis=1))


@dataclass(frozen=True, slots=True)
class Candidate:
    """A pair of inputs and a set of responses, by index, with the expected probabilities of the set."""

    first: int
    second: int
    event: tuple[int, ...]
    chances: tuple[float, float] = (0.5, 0.5)


def samples_of(counts: Mapping[tuple[str, str], int]) -> Samples:
    """Build samples from the counts of pairs (input, response)."""
    inputs, responses = (tuple(sorted({key[i] for key in counts})) for i in range(2))
    rows, columns = ({name: i for i, name in enumerate(names)} for names in (inputs, responses))
    found = np.zeros((len(inputs), len(responses)), np.int64)
    for (x, y), n in counts.items():
        found[rows[x], columns[y]] = n
    return Samples(inputs, responses, found)


def split_samples(samples: Samples, first: Sequence[int], rng: np.random.Generator) -> tuple[Counts, Counts]:
    """Draw ``first[i]`` samples of input i without replacement; return the counts of the part and of the rest.

    Raises:
        UnsupportedProblemError: the counts are too large to draw from.
    """
    if max(samples.sizes) >= _MOST_DRAWN:
        raise UnsupportedProblemError(
            f"the counts are too large to choose a set on a part of them: received {max(samples.sizes)} samples of an "
            f"input; allowed are less than {_MOST_DRAWN}; give the set (`event=...`) and the pair (`pair=...`)"
        )
    part = np.zeros_like(samples.counts)
    for row, (counts, size) in enumerate(zip(samples.counts, first, strict=True)):
        part[row] = rng.multivariate_hypergeometric(counts, size, method="marginals")
    return part, samples.counts - part


def best_candidates(
    part: Counts,
    rest: Counts,
    test: NullHypothesis,
    pairs: Sequence[tuple[int, int]] | None,
    event: tuple[int, ...] | None,
) -> list[Candidate]:
    """Choose the best candidates on the first part of the samples, one for each test.

    The candidates are scored for the sample sizes of the rest. For two inputs, the sets contain the responses with the
    largest ratios of frequencies, as in the Neyman-Pearson lemma.

    Raises:
        UnsupportedProblemError: there are too many inputs to compare all pairs.
    """
    k = len(part)
    if pairs is None and k * (k - 1) > _MOST_PAIRS:
        raise UnsupportedProblemError(
            f"the pairs of inputs are too many: received {k} inputs; name two of them (`pair=...`)"
        )
    listed = [
        scored
        for first, second in pairs or permutations(range(k), 2)
        for scored in _scored(part, rest, test, first, second, event)
    ]
    listed.sort(key=lambda each: -each[0])
    return [candidate for _, candidate in listed[: test.tests]]


def _scored(
    part: Counts, rest: Counts, test: NullHypothesis, first: int, second: int, event: tuple[int, ...] | None
) -> Iterator[tuple[float, Candidate]]:
    """Yield the best sets of a pair of inputs, with the level that each of them is expected to refute."""
    a, b = part[first].astype(float), part[second].astype(float)
    if event is None:
        order = np.argsort(-(a + 0.5) / (b + 0.5) * (b.sum() + 1) / (a.sum() + 1), kind="stable")
        order = order[(a + b)[order] > 0]
        hits = np.cumsum(a[order]), np.cumsum(b[order])
    else:
        order = np.array(event)
        hits = a[order].sum(keepdims=True), b[order].sum(keepdims=True)
    # add half a response per member: a response that did not occur may still be possible
    unseen = np.arange(len(hits[1])) / 2
    p = lower_probability(a.sum(), hits[0], _DOUBT)
    q = upper_probability(b.sum(), np.minimum(hits[1] + unseen, b.sum()), _DOUBT)
    n, level = rest.sum(axis=1), float(test.level) / 2
    with np.errstate(divide="ignore", invalid="ignore"):
        above = lower_probability(n[first], p * n[first], level) - float(test.delta)
        score = np.where(above > 0, above, 0.0) / upper_probability(n[second], q * n[second], level)
    for place in np.argsort(-score, kind="stable")[: test.tests].tolist():
        found = tuple(sorted(order[: place + 1].tolist())) if event is None else event
        yield float(score[place]), Candidate(first, second, found, (float(p[place]), float(q[place])))


def labels_of(names: Sequence[str], what: str) -> tuple[str, ...]:
    """Return the labels of inputs or responses as texts; a number is its text, and a single text is one label.

    Raises:
        InvalidParameterError: the argument is no list of labels.
    """
    given = [names] if isinstance(names, str) else required_list(names, f"`{what}`", "a list of names")
    return tuple(str(name) for name in given)


def require_names(names: Sequence[str], known: Sequence[str], what: str) -> tuple[int, ...]:
    """Return the indices of the given names among the known ones.

    Raises:
        InvalidParameterError: a name is unknown, or occurs twice.
    """
    wanted = labels_of(names, what)
    wrong = [name for name in wanted if name not in known]
    if wrong or len(set(wanted)) < len(wanted) or not wanted:
        listed = ", ".join(known[:8]) + ", ..." * (len(known) > 8)
        raise InvalidParameterError(
            f"`{what}` does not fit the samples: received {shown(','.join(wanted))}; allowed are different ones of "
            f"{shown(listed)}"
        )
    return tuple(known.index(name) for name in wanted)
