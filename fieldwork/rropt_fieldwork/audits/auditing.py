"""``audit``: lower bounds on the epsilon of a black box, from its responses to two or more inputs.

Let S be a set of responses, and let p and q be the probabilities of S for the first and the second input of a pair. An
(epsilon, delta)-private box has ``p <= exp(epsilon) q + delta``. A test on the samples refutes this inequality for
small epsilon. One part of the samples is used to choose S and the pair, and the rest to test them.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import KW_ONLY, dataclass, field, replace
from fractions import Fraction
from typing import Any

import numpy as np

from rropt.answers.data_columns import column, plain_values
from rropt.core.argument_checks import as_lists, clear_calls, require_flags, require_given, require_lists, require_texts
from rropt.core.errors import FileFormatError, InvalidParameterError, name_of, one_of, shown
from rropt.core.exact import Epsilon, decimal_text, exact_confidence, rational, rational_where
from rropt.core.exact.numbers import whole_where
from rropt.core.normal_form import normal, text_of
from rropt.core.random_numbers import RandomSource, generator_of
from rropt.core.results import Result, labelled
from rropt.mechanisms.columns import required_list
from rropt_fieldwork.audits.black_boxes import open_box
from rropt_fieldwork.audits.events import (
    EXPLORED,
    MOST_EXPLORED,
    Candidate,
    Counts,
    Samples,
    best_candidates,
    labels_of,
    require_names,
    samples_of,
    split_samples,
)
from rropt_fieldwork.audits.refutations import (
    NullHypothesis,
    best_bet,
    is_refuted_by_pairs,
    refuted_by_pairs,
    refuted_by_tails,
)
from rropt_fieldwork.audits.sequential import MAX_BUDGET, MAX_INPUTS, ask_until_refuted, last_bit

METHODS = ("clopper-pearson", "e-value")
MAX_TESTS = 10**6
_MOST_KINDS = 1 << 20  # limit for the different pairs of an input and a response
_DIGITS = 9  # decimal places of epsilon


@dataclass(frozen=True, slots=True)
class Audit(Result):
    """A lower bound on the epsilon of a black box, and whether it refutes a claim.

    Attributes:
        claim: the level that is claimed for the box; ``None`` if no level is claimed.
        delta: the delta of the claim.
        confidence: one minus the probability that any of the tests rejects a true level.
        method: ``clopper-pearson`` or ``e-value``.
        inputs: the first and the second input of the pair.
        event: the set S of responses.
        samples: the number of tested samples of each of the two inputs; for an e-value, the number of pairs.
        hits: the number of tested samples of each input that lie in S.
        explored: the number of samples of each input used to choose the pair, S and lambda.
        tests: the number of tests; each has the level ``(1 - confidence)/tests``.
        gamma: the largest refuted bound of the likelihood ratio; 1 if no bound is refuted.
        pairs: of an e-value, the numbers of pairs with both responses in S, only the first, only the second, and
            neither.
        bet: lambda, of an e-value.
        calls: the number of calls of the box in a sequential audit; ``None`` if the samples were given.
        stopped: the reason why a sequential audit ended.
    """

    claim: Epsilon | None
    delta: Fraction
    confidence: Fraction
    method: str
    inputs: tuple[str, str]
    event: tuple[str, ...]
    samples: tuple[int, int]
    hits: tuple[int, int]
    explored: tuple[int, int]
    tests: int
    gamma: Fraction
    pairs: tuple[int, int, int, int] | None = None
    bet: Fraction | None = None
    calls: int | None = None
    stopped: str | None = None
    unverified: tuple[str, ...] = field(default=(), compare=False)

    LABELS = labelled(
        epsilon_at_least="epsilon is at least",
        confidence="confidence",
        delta="delta",
        claim="claimed epsilon",
        refuted="the claim is refuted",
        method="method",
        inputs="pair of inputs",
        event="set of responses S",
        samples="samples tested",
        hits="of them in S",
        explored="samples to choose the set",
        tests="tests",
        proof="proof",
    )

    def lines(self) -> list[tuple[str, str]]:
        """Return the text of the summary; for a sequential audit it includes the number of calls and why it ended."""
        found = Result.lines(self)
        if self.calls is None:
            return found
        return [*found, ("calls of the box", str(self.calls)), ("the audit ended", str(self.stopped))]

    @property
    def epsilon_at_least(self) -> Fraction:
        """The lower bound on epsilon in nats, rounded down."""
        return Epsilon.of_parity(self.gamma).nats(_DIGITS).lower

    @property
    def refuted(self) -> bool | None:
        """Whether the claimed level is refuted; ``None`` if no level is claimed."""
        if self.claim is None:
            return None
        return self.gamma > 1 and self.claim.exact_gamma() <= self.gamma

    @property
    def proof(self) -> str:
        """How the bound was obtained."""
        return "computed exactly, no certificate"

    def remarks(self) -> list[str]:
        """Return the assumptions of the bound."""
        return ["the bound holds if the samples are independent responses to these inputs"]

    def checked(self) -> tuple[str, ...]:
        """Compute the bound again from the counts, and return the names of the values that the counts do not determine.

        Raises:
            FileFormatError: the counts do not refute the level of the record.
        """
        if self.gamma != 1 and not self._is_refuted():
            raise FileFormatError(
                f"the record of an audit is wrong: its counts do not refute gamma = {decimal_text(self.gamma)}; use it "
                "as it was written"
            )
        more = () if self.calls is None else ("calls", "stopped")
        return ("method", "inputs", "event", "samples", "hits", "explored", *more)

    def _is_refuted(self) -> bool:
        """Return whether the counts of this record refute its gamma."""
        test = NullHypothesis(self.delta, 1 - self.confidence, self.tests)
        if self.method == "clopper-pearson":
            return (refuted_by_tails(self.samples, self.hits, test) or 1) >= self.gamma
        if self.pairs is None or self.bet is None:
            return False
        both, first, second, _ = self.pairs
        is_counted = self.samples == (sum(self.pairs),) * 2 and self.hits == (both + first, both + second)
        return is_counted and is_refuted_by_pairs(self.pairs, self.bet, test, self.gamma)


@dataclass(frozen=True)
class AuditArguments:
    """The samples or the box, and the claim; ``audit``, ``audit_counts`` and ``audit_box`` describe them."""

    data: Any = None
    claim: object | None = None
    _: KW_ONLY
    delta: object = 0
    input: str | None = None
    output: str | None = None
    counts: Sequence[Sequence[int]] | None = None
    pair: Sequence[str] | None = None
    event: Sequence[str] | None = None
    confidence: object = "0.95"
    method: str = "clopper-pearson"
    tests: int = 1
    explore: object | None = None
    rng: RandomSource = 0
    box: str | Sequence[str] | Callable[[str], Any] | None = None
    inputs: Sequence[str] | None = None
    budget: int | None = None
    time_limit: object | None = None
    last_bits: bool = False


@clear_calls
def audit(
    data: Any,
    claim: object | None = None,
    *,
    columns: Sequence[str],
    delta: object = 0,
    pair: Sequence[str] | None = None,
    event: Sequence[str] | None = None,
    confidence: object = "0.95",
    method: str = "clopper-pearson",
    tests: int = 1,
    explore: object | None = None,
    rng: RandomSource = 0,
    last_bits: bool = False,
) -> Audit:
    """Return a lower bound on the epsilon of a black box from a table of its responses at two or more inputs.

    The bound is ``epsilon >= log((p - delta)/q)``. It uses Clopper-Pearson bounds on p and q at level
    ``(1 - confidence)/2`` each, or an e-value of pairs of responses. ``audit_counts`` takes the numbers of responses in
    place of a table, and ``audit_box`` calls the box.

    Args:
        data: a table with one row for each sample, as ``rropt_fieldwork.read`` returns it, or a frame whose columns
            ``numpy.asarray`` reads.
        claim: the level that is claimed for the box, in any form that ``Epsilon.of`` accepts; ``None`` for no claim.
        columns: the column of the inputs, and that of the responses.
        delta: the delta of the claim, rational, in [0, 1].
        pair: the first and the second input. By default, the audit chooses the best pair on the first part of the
            samples. With ``event`` and only two inputs, the default is the two inputs in sorted order.
        event: the set S of responses. By default, the audit chooses the best set on the first part.
        confidence: one minus alpha.
        method: ``clopper-pearson``, for a number of samples fixed in advance, or ``e-value``.
        tests: the number of pairs and sets to test, with Bonferroni's correction.
        explore: the part of the samples used to choose pair, set and lambda: a proportion below 1, or a number of
            samples of each input. The default is a fifth, at most 50 000 samples, or 0 if there is nothing to choose.
        rng: the seed of the random choice of that part, or a NumPy ``Generator``.
        last_bits: the responses are floating-point numbers; replace each by the position of its last nonzero bit.

    Returns:
        An ``Audit``: ``epsilon_at_least`` in nats, with the stated ``confidence``; ``refuted`` (whether the claim is,
        or ``None`` without one); the pair, the set, and ``samples`` and ``hits`` of both inputs.

    Raises:
        InvalidParameterError: fewer than two inputs have samples, the set or the pair does not occur in the samples, or
            a number is out of range.
        FileFormatError: the table cannot be read, or a row has no input or no response.

    References:
        Clopper and Pearson, Biometrika 26 (1934); Ville's inequality for e-values: Ramdas et al., Statist. Sci. 38
        (2023).

    >>> rows = {"x": ["no"] * 400 + ["yes"] * 400, "z": ["0"] * 390 + ["1"] * 20 + ["0"] * 390}
    >>> audit(rows, "log(3)", columns=["x", "z"], event=["1"]).refuted
    False
    """
    if callable(data):
        raise InvalidParameterError("the data are a function: give a box that is called to `audit_box`")
    if data is None:
        raise InvalidParameterError("there are no data: received None; give a table, or counts to `audit_counts`")
    names = required_list(columns, "`columns`", "two names: of the inputs, and of the responses")
    if len(names) != 2:
        raise InvalidParameterError(
            f"`columns` are not two: received {shown(', '.join(map(str, names)))}; allowed are those of the inputs "
            "and of the responses"
        )
    how: dict[str, Any] = {"delta": delta, "pair": pair, "event": event, "confidence": confidence, "method": method}
    how |= {"tests": tests, "explore": explore, "rng": rng, "last_bits": last_bits}
    return audited(AuditArguments(data, claim, input=names[0], output=names[1], **how))


@clear_calls
def audit_counts(
    counts: Sequence[Sequence[int]],
    claim: object | None = None,
    *,
    delta: object = 0,
    pair: Sequence[str] | None = None,
    event: Sequence[str] | None = None,
    confidence: object = "0.95",
    method: str = "clopper-pearson",
    tests: int = 1,
    explore: object | None = None,
    rng: RandomSource = 0,
) -> Audit:
    """Return a lower bound on the epsilon of a black box from the numbers of its responses at two or more inputs.

    Args:
        counts: the number of times each response occurred, for each input, shape (inputs, responses). Inputs and
            responses are numbered 0, 1, ...
        claim, delta, pair, event, confidence, method, tests, explore, rng: as for ``audit``.

    Raises:
        InvalidParameterError: as for ``audit``.

    >>> found = audit_counts([[750_000, 250_000], [250_000, 750_000]], claim=1, event=["0"])
    >>> float(found.epsilon_at_least) > 1.093, found.refuted
    (True, True)
    """
    if counts is None:
        raise InvalidParameterError("there are no counts: received None; give a list of counts for each input")
    how: dict[str, Any] = {"delta": delta, "pair": pair, "event": event, "confidence": confidence, "method": method}
    return audited(AuditArguments(None, claim, counts=counts, **how, tests=tests, explore=explore, rng=rng))


@clear_calls
def audit_box(
    box: str | Sequence[str] | Callable[[str], Any],
    claim: object | None = None,
    *,
    inputs: Sequence[str] | None = None,
    delta: object = 0,
    pair: Sequence[str] | None = None,
    event: Sequence[str] | None = None,
    confidence: object = "0.95",
    tests: int = 1,
    explore: object | None = None,
    budget: int | None = None,
    time_limit: object | None = None,
    last_bits: bool = False,
) -> Audit:
    """Return a lower bound on the epsilon of a black box that is called; stop as soon as the claim is refuted.

    Args:
        box: a function of one text, or a program with its arguments (one text, or a list of words), which reads one
            input per line and writes one response per line. No shell is started.
        inputs: the inputs of the box, as texts (default: 0 and 1).
        explore: the number of first calls of each input that choose pair, set and lambda.
        budget: the largest number of calls of the box, over all inputs (default: 100 000).
        time_limit: the time limit in seconds for all calls (default: 600). For a function it is checked between calls.
        claim, delta, pair, event, confidence, tests, last_bits: as for ``audit``.

    Returns:
        An ``Audit`` with the number of calls and the reason why it ended; its test is an e-value of pairs.

    Raises:
        InvalidParameterError: as for ``audit``, or the box is no function and no program.

    >>> found = audit_box(lambda x: x, claim=1)  # it answers with its input
    >>> found.refuted, found.calls < 100_000
    (True, True)
    """
    if box is None:
        raise InvalidParameterError("there is no box: received None; give a function, or the command line of a program")
    how: dict[str, Any] = {"delta": delta, "pair": pair, "event": event, "confidence": confidence, "tests": tests}
    how |= {"explore": explore, "budget": budget, "time_limit": time_limit, "last_bits": last_bits}
    return audited(AuditArguments(None, claim, box=box, inputs=inputs, **how))


def audited(asked: AuditArguments) -> Audit:
    """Return the audit of arguments in a record: of a table, of counts, or of a box that is called.

    Raises:
        InvalidParameterError: as for ``audit``, or the samples are not given exactly once.
    """
    asked = replace(
        asked,
        inputs=as_lists(asked.inputs),
        budget=as_lists(asked.budget),
        time_limit=as_lists(asked.time_limit),
        rng=as_lists(asked.rng),
    )
    require_flags(last_bits=asked.last_bits)
    require_texts(input=asked.input, output=asked.output, method=asked.method)
    require_lists(counts=asked.counts, pair=asked.pair, event=asked.event, inputs=asked.inputs)
    require_given(
        input=asked.input,
        output=asked.output,
        data=asked.data,
        claim=asked.claim,
        explore=asked.explore,
        box=asked.box,
        budget=asked.budget,
        time_limit=asked.time_limit,
    )
    level = None if asked.claim is None else Epsilon.of(asked.claim)
    if level is not None and level.is_infinite:
        raise InvalidParameterError("the claim is infinite: nothing refutes it; give a finite level")
    slack = rational_where(asked.delta, lambda x: 0 <= x <= 1, "0 <= delta <= 1", name="delta")
    alpha = 1 - exact_confidence(asked.confidence)
    method = one_of(asked.method, METHODS, "`method`")
    test = NullHypothesis(slack, alpha, whole_where(asked.tests, 1, MAX_TESTS, name="`tests`"), level)
    if asked.box is not None:
        is_sampled = any(each is not None for each in (asked.data, asked.counts, asked.input, asked.output))
        if is_sampled or method != "clopper-pearson" or asked.rng != 0:
            raise InvalidParameterError(
                "a box that is called gives its own samples, which an e-value tests: leave out data, `counts`, "
                "`input`, `output`, `method` and `rng`"
            )
        return _of_box(asked, test)
    if (asked.inputs, asked.budget, asked.time_limit) != (None, None, None):
        raise InvalidParameterError(
            "`inputs`, `budget` and `time_limit` belong to a box that is called: received them without one; give "
            "`box`, or leave them out"
        )
    samples, event = _samples(asked), asked.event
    if asked.last_bits:
        if asked.counts is not None:
            raise InvalidParameterError(
                "`last_bits` needs the responses themselves: received `counts`, which number them; give data or a box"
            )
        samples = _grouped(samples)
    both = _pair(asked.pair, samples.inputs)
    if both is None and event is not None and len(samples.inputs) == 2:
        both = (0, 1)
    pairs = None if both is None else [both]
    responses = None if event is None else require_names(event, samples.responses, "event")
    is_chosen = pairs is None or responses is None or method == "e-value"
    first = _explored(samples, asked.explore, is_needed=is_chosen)
    rng = generator_of(asked.rng)
    if is_chosen or any(first):
        part, rest = split_samples(samples, first, rng)
    else:
        part, rest = np.zeros_like(samples.counts), samples.counts
    if is_chosen:
        candidates = best_candidates(part, rest, test, pairs, responses)
    else:
        assert pairs is not None
        assert responses is not None
        candidates = [Candidate(*pairs[0], responses)]
    found = [_tested(samples, each, part, rest, test, method, rng) for each in candidates]
    return max(found, key=lambda each: each.gamma)


def _of_box(asked: AuditArguments, test: NullHypothesis) -> Audit:
    """Audit a callable box sequentially."""
    names = ("0", "1") if asked.inputs is None else labels_of(asked.inputs, "inputs")
    are_lines = all(len(x.splitlines()) <= 1 and x.encode(errors="replace").decode() == x for x in names)
    if not 2 <= len(names) <= MAX_INPUTS or len(set(names)) < len(names) or not are_lines:
        raise InvalidParameterError(
            f"`inputs` are no inputs of a box: received {shown(','.join(names))}; allowed are 2 to {MAX_INPUTS} "
            "different lines of text"
        )
    most = whole_where(100_000 if asked.budget is None else asked.budget, 2, MAX_BUDGET, name="`budget`")
    limit = 600 if asked.time_limit is None else asked.time_limit
    seconds = rational_where(limit, lambda x: 0 < x <= 10**6, "0 < seconds <= 1000000", name="time_limit")
    first = None
    if asked.explore is not None:
        allowed = f"a number of calls of each input, 1 to {MAX_BUDGET}"
        first = int(
            rational_where(
                asked.explore, lambda x: x.denominator == 1 and 1 <= x <= MAX_BUDGET, allowed, name="explore"
            )
        )
    places = _pair(asked.pair, names)
    with closing(open_box(asked.box)) as called:
        found = ask_until_refuted(
            called,
            names,
            test,
            budget=most,
            seconds=float(seconds),
            explore=first,
            pair=places,
            event=None if asked.event is None else labels_of(asked.event, "event"),
            named=last_bit if asked.last_bits else str,
        )
    n, hits = sum(found.cells), (found.cells[0] + found.cells[1], found.cells[0] + found.cells[2])
    counted = (n, n), hits, found.explored, _observed((n, n), hits, test), found.cells, found.bet
    return _result(test, found.inputs, found.event, *counted, found.calls, found.stopped)


def _pair(pair: Sequence[str] | None, names: Sequence[str]) -> tuple[int, int] | None:
    if pair is None:
        return None
    places = require_names(pair, names, "pair")
    if len(places) != 2:
        raise InvalidParameterError(f"`pair` is not two inputs: received {shown(','.join(map(str, pair)))}; name two")
    return places[0], places[1]


def _result(
    test: NullHypothesis,
    inputs: tuple[str, str],
    event: tuple[str, ...],
    samples: tuple[int, int],
    hits: tuple[int, int],
    explored: tuple[int, int],
    most: Fraction | None,
    pairs: tuple[int, int, int, int] | None = None,
    bet: Fraction | None = None,
    calls: int | None = None,
    stopped: str | None = None,
) -> Audit:
    """Build the result of a test: of pairs if there are any, else of two binomial tails; ``most`` limits the bound."""
    gamma, method = None, "clopper-pearson" if pairs is None else "e-value"
    if most is None or most > 1:
        if pairs is None or bet is None:
            gamma = refuted_by_tails(samples, hits, test, most)
        else:
            gamma = refuted_by_pairs(pairs, bet, test, most)
    about = (test.claim, test.delta, 1 - test.alpha, method, inputs, event, samples, hits, explored, test.tests)
    return Audit(*about, gamma or Fraction(1), pairs, bet, calls, stopped)


def _grouped(samples: Samples) -> Samples:
    """Replace each response by the position of its last nonzero bit, and merge equal ones."""
    counts: dict[tuple[str, str], int] = {}
    for x, row in zip(samples.inputs, samples.counts.tolist(), strict=True):
        for y, n in zip(samples.responses, row, strict=True):
            if n:
                counts[x, last_bit(y)] = counts.get((x, last_bit(y)), 0) + n
    return samples_of(counts)


def _tested(
    samples: Samples,
    candidate: Candidate,
    part: Counts,
    rest: Counts,
    test: NullHypothesis,
    method: str,
    rng: np.random.Generator,
) -> Audit:
    """Test one candidate on the rest of the samples."""
    rows, event = [candidate.first, candidate.second], list(candidate.event)
    n = rest[rows].sum(axis=1).tolist()
    hits = rest[rows][:, event].sum(axis=1).tolist()
    seen = samples.counts[rows]
    most = _observed(seen.sum(axis=1).tolist(), seen[:, event].sum(axis=1).tolist(), test)
    pairs: tuple[int, int, int, int] | None = None
    bet: Fraction | None = None
    if method == "e-value":
        size = min(n)
        hits = [_drawn(rng, a, m - a, size) for a, m in zip(hits, n, strict=True)]
        both = _drawn(rng, hits[0], size - hits[0], hits[1])
        n = [size, size]
        pairs = (both, hits[0] - both, hits[1] - both, size - hits[0] - hits[1] + both)
        bet = best_bet(size, *candidate.chances, test) if most is None or most > 1 else None
    first, second = rows
    inputs, responses = (samples.inputs[first], samples.inputs[second]), tuple(samples.responses[i] for i in event)
    explored = (int(part[first].sum()), int(part[second].sum()))
    return _result(test, inputs, responses, (n[0], n[1]), (hits[0], hits[1]), explored, most, pairs, bet)


def _observed(samples: Sequence[int], hits: Sequence[int], test: NullHypothesis) -> Fraction | None:
    """Return ``(p - delta)/q`` for the frequencies of all samples, an upper limit of the bound; ``None`` if q = 0.

    A lowered bound is still valid. The limit ensures that samples without any difference never refute a level.
    """
    return (Fraction(hits[0], samples[0]) - test.delta) / Fraction(hits[1], samples[1]) if hits[1] else None


def _drawn(rng: np.random.Generator, good: int, bad: int, size: int) -> int:
    """Draw ``size`` of ``good + bad`` elements without replacement, and return the number of good ones."""
    return int(rng.hypergeometric(good, bad, size)) if size and good else 0


def _samples(asked: AuditArguments) -> Samples:
    """Return the samples, from a table or from given counts, after checking the arguments."""
    if (asked.data is None) == (asked.counts is None):
        raise InvalidParameterError(
            "the samples are not given exactly once: give data with `input` and `output`, or `counts` at each input"
        )
    if asked.counts is not None:
        found = _counted(asked.counts)
    else:
        if asked.input is None or asked.output is None:
            raise InvalidParameterError(
                "the columns are not named: give the column of the inputs (`input=...`) and that of the responses "
                "(`output=...`)"
            )
        given, response = name_of(asked.input, "input"), name_of(asked.output, "output")
        if normal(given) == normal(response):
            raise InvalidParameterError(f"one column is named twice: received {shown(given)}; name two columns")
        found = _read(asked.data, given, response)
    if len(found.inputs) < 2 or min(found.sizes) < 1:
        raise InvalidParameterError(
            f"an audit compares inputs: received samples of {sum(n > 0 for n in found.sizes)}; give samples of two at "
            "least"
        )
    return found


def _counted(counts: Sequence[Sequence[int]]) -> Samples:
    allowed = "lists of equal length, of integers from 0 to 10^15, one list for each input"
    rows = [
        required_list(row, f"`counts[{i}]`", allowed)
        for i, row in enumerate(required_list(counts, "`counts`", allowed))
    ]
    is_whole = all(isinstance(n, int | np.integer) and 0 <= n <= 10**15 for row in rows for n in row)
    if len({len(row) for row in rows}) != 1 or not is_whole or not rows[0]:
        raise InvalidParameterError(
            f"`counts` are not counts at inputs: received {shown(str(rows))}; allowed are {allowed}"
        )
    names = tuple(tuple(str(i) for i in range(size)) for size in (len(rows), len(rows[0])))
    return Samples(names[0], names[1], np.array(rows, np.int64))


def _read(data: Any, given: str, response: str) -> Samples:
    """Count the inputs and responses in a table, or in the columns of a frame."""
    if isinstance(data, str | os.PathLike):
        raise InvalidParameterError(
            f"the data are no columns: received the name of a file, {shown(os.fspath(data))}; read it first, "
            "`data=rropt_fieldwork.read(FILE)`"
        )
    if hasattr(data, "require_only"):  # of ``rropt_fieldwork.read``
        data.require_only("an audit counts all rows, as they are", "table", "sheet", "separator")
        found: Mapping[tuple[Any, Any], int] = data.counted([given, response], _MOST_KINDS)
    else:
        found = Counter(zip(*(plain_values(column(data, name, name)) for name in (given, response)), strict=True))
    if len(found) >= _MOST_KINDS:
        raise FileFormatError(
            f"the data have too many different inputs and responses: received {_MOST_KINDS} or more; are "
            f"{shown(given)} and {shown(response)} the right columns?"
        )
    counts: dict[tuple[str, str], int] = {}
    for (x, y), n in found.items():
        key = (normal(text_of(x)), normal(text_of(y)))
        if "" in key:
            raise FileFormatError(
                f"the data have rows without an input or a response: received {n} of them; an audit takes every "
                "response; write a word, such as none, where the box gave no response"
            )
        counts[key] = counts.get(key, 0) + n
    if not counts:
        raise FileFormatError("data are empty: they contain no samples; give one line for each response")
    return samples_of(counts)


def _explored(samples: Samples, explore: object | None, *, is_needed: bool) -> list[int]:
    """Return, for each input, the number of samples that are used to choose the set."""
    if explore is None:
        sizes = [min(n // EXPLORED, MOST_EXPLORED) if is_needed else 0 for n in samples.sizes]
    else:
        value = rational(explore, name="explore")
        if value < 0 or (value >= 1 and value.denominator != 1):
            raise InvalidParameterError(
                f"`explore` is out of range: received {decimal_text(value)}; allowed is a proportion below 1, or a "
                "number of samples of each input"
            )
        sizes = [int(n * value) if value < 1 else int(value) for n in samples.sizes]
    if any(size >= n for size, n in zip(sizes, samples.sizes, strict=True)):
        raise InvalidParameterError(
            f"`explore` leaves no samples to test: received {shown(str(explore))} of {min(samples.sizes)} samples; "
            "give fewer"
        )
    if is_needed and not all(sizes):
        raise InvalidParameterError(
            f"there are no samples to choose the set on: received {min(samples.sizes)} samples of an input; give more "
            "samples, or the set and the pair (`event=...`, `pair=...`)"
        )
    return sizes
