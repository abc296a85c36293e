"""Parts of audits at small counts: by formulas, by enumeration, and by both sides of each limit."""

from __future__ import annotations

import math
import re
import time
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rropt_fieldwork
from rropt.core.errors import FileFormatError, InvalidParameterError
from rropt.core.exact import Epsilon
from rropt_fieldwork import audit, audit_box, audit_counts
from rropt_fieldwork.audits.auditing import AuditArguments, _counted, _explored, _grouped, audited
from rropt_fieldwork.audits.black_boxes import _Program
from rropt_fieldwork.audits.events import Candidate, Samples, best_candidates
from rropt_fieldwork.audits.refutations import NullHypothesis, best_bet, factors, shares
from rropt_fieldwork.audits.sample_sizes import _events, samples_needed
from rropt_fieldwork.audits.sequential import _bet, _event, _first_part, _is_open, _tested, last_bit

F = Fraction
NONE = F(0)
CLAIM = Epsilon.of("log(2)")


def samples(*rows: list[int]) -> Samples:
    names = (tuple(map(str, range(size))) for size in (len(rows), len(rows[0])))
    return Samples(*names, np.array(rows, np.int64))


def hypothesis(claim: Epsilon | None = None, delta: Fraction = NONE, tests: int = 1) -> NullHypothesis:
    return NullHypothesis(delta, F(1, 20), tests, claim)


# what is counted


def test_positions_of_last_bits() -> None:
    """The power of 2 that divides a number but whose double does not; texts that are no such number stay."""
    for text, found in (
        *((f"{odd * 2.0**power!r}", f"2^{power}") for power in (-1074, -53, -1, 0, 1, 60) for odd in (1, 3, -5)),
        *((text, text) for text in ("0", "-0.0", "nan", "inf", "-inf", "none", "", "1e999", "0x10")),
    ):
        assert last_bit(text) == found, text
    box = Samples(("a", "b"), ("1", "2", "3", "none"), np.array([[1, 2, 4, 0], [8, 0, 16, 32]]))
    found = _grouped(box)
    assert (found.inputs, found.responses) == (("a", "b"), ("2^0", "2^1", "none"))
    assert found.counts.tolist() == [[5, 2, 0], [24, 0, 32]]


def test_counts_of_an_audit() -> None:
    found = _counted([[1, 2, 10**15], [0, 4, 5]])
    assert (found.inputs, found.responses, found.sizes) == (("0", "1"), ("0", "1", "2"), (10**15 + 3, 9))
    assert _counted([[np.int64(1)], [2]]).counts.tolist() == [[1], [2]]
    for wrong in ([[1, 2], [3]], [[], []], [[1, -1], [2, 3]], [[1, 0.5], [2, 3]], [[10**15 + 1, 0], [1, 1]], 5, [3]):
        with pytest.raises(InvalidParameterError, match="lists of equal length, of integers from 0 to 10"):
            _counted(wrong)  # type: ignore[arg-type]


def test_samples_that_choose_the_set() -> None:
    """A fifth of at most 50 000, a proportion or a number; never all samples, never none where there is a choice."""
    for sizes, explore, is_needed, found in (
        ((100, 54), None, True, [20, 10]),
        ((100, 54), None, False, [0, 0]),
        ((10**6, 250_000), None, True, [50_000, 50_000]),
        ((100, 54), "1/4", True, [25, 13]),
        ((100, 54), 53, True, [53, 53]),
        ((100, 54), 0, False, [0, 0]),
    ):
        given = samples(*([size - 1, 1] for size in sizes))
        assert _explored(given, explore, is_needed=is_needed) == found
    given = samples([99, 1], [53, 1])
    for explore, is_needed, why in (
        (-1, False, "received -1; allowed is a proportion below 1"),
        ("-1/2", False, "received -0.5; allowed is a proportion below 1"),
        ("3/2", False, "received 1.5; allowed is a proportion below 1"),
        (54, True, "leaves no samples to test: received '54' of 54 samples"),
        ("1/100", True, "there are no samples to choose the set on: received 54"),
        (0, True, "there are no samples to choose the set on: received 54"),
    ):
        with pytest.raises(InvalidParameterError, match=re.escape(why)):
            _explored(given, explore, is_needed=is_needed)


def test_first_calls_of_a_box() -> None:
    """A fifth of the budget over all inputs, 20 to 10 000 of each; two calls are left at least."""
    for budget, inputs, explore, first in (
        (1000, 2, None, 100),
        (150, 2, None, 20),
        (10**6, 2, None, 10_000),
        (1000, 4, None, 50),
        (42, 2, None, 20),
        (4, 2, 1, 1),
    ):
        assert _first_part(budget, inputs, explore) == first
    for budget, inputs, explore in ((41, 2, None), (3, 2, 1), (100, 2, 0)):
        with pytest.raises(InvalidParameterError, match="the budget is too small: received"):
            _first_part(budget, inputs, explore)
    found = samples([1, 2, 3], [1, 2, 3])
    assert (_event(found, None), _event(found, ["2", "7", "0"])) == (None, (2, 0))
    with pytest.raises(InvalidParameterError, match="contains no response that the box gave: received '7,8'"):
        _event(found, ["7", "8"])


# what is chosen


def test_the_set_is_that_of_the_largest_ratios() -> None:
    """Frequencies of 0.4, 0.3, 0.2, 0.1 against 0.1, 0.2, 0.3, 0.4: sets of the first responses, whatever the sizes."""
    for n, m in ((1000, 1000), (1000, 3000), (4000, 1000)):
        part = np.array([[4 * n, 3 * n, 2 * n, n], [m, 2 * m, 3 * m, 4 * m]]) // 10
        found = best_candidates(part, 10 * part, hypothesis(tests=3), [(0, 1)], None)
        assert len(found) == 3
        assert {each.event for each in found} == {(0,), (0, 1), (0, 1, 2)}
        assert found[0].event == (0,)
        p, q = found[0].chances
        assert 0.35 < p < 0.4 < 0.41 < 1 - q < 0.9
        assert best_candidates(part, 10 * part, hypothesis(), [(1, 0)], None)[0].event == (3,)
        assert {(each.first, each.second) for each in best_candidates(part, part, hypothesis(tests=8), None, None)} == {
            (0, 1),
            (1, 0),
        }
    never = np.array([[50, 0, 50], [20, 0, 80]])  # a response that did not occur is in no set
    assert all(1 not in each.event for each in best_candidates(never, never, hypothesis(tests=9), None, None))
    fixed = best_candidates(part, 10 * part, hypothesis(tests=2), [(0, 1)], (1, 2))
    assert [each.event for each in fixed] == [(1, 2)]


def test_a_set_below_delta_is_the_last() -> None:
    """Where p cannot exceed delta, a set refutes nothing: each other set is before it."""
    part = np.array([[5, 300, 695], [0, 150, 850]])
    found = best_candidates(part, part, hypothesis(delta=F(1, 10), tests=3), [(0, 1)], None)
    assert [each.event for each in found][-1] == (0,)


def test_the_bet_that_grows_fastest() -> None:
    """The growth rate at the claim is that of the best lambda of a grid; a claim that is met has the bet of a bound."""
    test = hypothesis(CLAIM)
    given = samples([600, 400], [150, 850])
    for p, q in ((0.6, 0.15), (0.9, 0.3), (0.5, 0.2)):
        found = _bet(given, Candidate(0, 1, (0,), (p, q)), test, 1000)
        assert found.denominator <= 2**60
        assert 0 < found <= F(1, 2)

        def rate(lam: float, p: float = p, q: float = q) -> float:
            with np.errstate(divide="ignore", invalid="ignore"):
                parts = zip(shares(p, q), factors(lam, 2.0, 0.0), strict=True)
                return float(sum(w * np.log(x) for w, x in parts))

        grid = max(rate(lam) for lam in np.linspace(0.0005, 0.4995, 999))
        assert 0 < grid <= rate(float(found)) + 1e-4
    p, q = 0.3, 0.25
    known = samples([30_000, 70_000], [25_000, 75_000])
    found = _bet(known, Candidate(0, 1, (0,), (p, q)), test, 1000)
    assert float(found) == pytest.approx(float(best_bet(1000, p, q, test)), abs=2**-59)
    little = samples([3, 7], [2, 8])  # which may refute the claim all the same, so the bet can test it
    assert _is_open(little, Candidate(0, 1, (0,)), 2.0, 0.0)
    assert not _is_open(known, Candidate(0, 1, (0,)), 2.0, 0.0)
    assert float(_bet(little, Candidate(0, 1, (0,), (p, q)), test, 1000)) <= 0.5
    assert _bet(known, Candidate(0, 1, (0,), (p, q)), hypothesis(), 1000) == best_bet(1000, p, q, hypothesis())


def test_sets_that_break_a_claim() -> None:
    """With delta, there is a set of a size if the best set of this size breaks the claim, by enumeration."""
    p, q, gamma, delta = (
        np.array([0.5, 0.25, 0.125, 0.125, 0.0]),
        np.array([0.125, 0.25, 0.25, 0.25, 0.125]),
        1.5,
        0.125,
    )
    assert [event for event, *_ in _events(p, q, gamma, 0.0)] == [(0,)]  # without delta, a larger set shows less
    found = {event: (a, b) for event, a, b in _events(p, q, gamma, delta)}
    breaking = {
        size
        for size in range(1, 6)
        for event in combinations(range(5), size)
        if p[list(event)].sum() - delta > gamma * q[list(event)].sum()
    }
    assert breaking == {1, 2} == {len(event) for event in found}
    assert list(found) == [(0,), (0, 1)]
    for event, (a, b) in found.items():
        assert (a, b) == (p[list(event)].sum(), q[list(event)].sum())
        assert a - delta > gamma * b
    assert not list(_events(q, q, 1.0, 0.0))
    assert [each[1:] for each in _events(np.array([0.7, 0.3]), np.array([0.0, 1.0]), 5.0, 0.0)] == [(0.7, 0.0)]
    tenths = np.full(10, 0.1)  # whose sum in floats need not be 1
    assert all(a <= 1 and b <= 1 for _, a, b in _events(tenths, np.r_[np.zeros(9), 1.0], 1.0, 0.5))


def test_samples_that_are_needed_are_enough() -> None:
    """Warner's device with 3/4 against claims below log(3): more for the closer one, and the pair has the set."""
    numbers = [samples_needed("warner:3/4", claim).n for claim in ("1/4", "1/2")]
    assert numbers == sorted(numbers)
    found = samples_needed("warner:3/4", "1/2")
    assert (found.inputs, found.event) in (((0, 1), (0,)), ((1, 0), (1,)))
    with pytest.raises(InvalidParameterError, match="no number of samples refutes the claim"):
        samples_needed("warner:3/4", "log(3)")


# arguments and records


def test_arguments_that_belong_to_a_box() -> None:
    counts = [[30, 10], [10, 30]]
    for name, value in (("inputs", ["0", "1"]), ("budget", 100), ("time_limit", 5)):
        given: dict[str, Any] = {name: value}
        with pytest.raises(InvalidParameterError, match="belong to a box that is called"):
            audited(AuditArguments(counts=counts, **given))
    with pytest.raises(InvalidParameterError, match="last_bits` needs the responses themselves"):
        audited(AuditArguments(counts=counts, last_bits=True))
    with pytest.raises(InvalidParameterError, match="the program cannot be started: received 'a-program-that-is-not"):
        audit_box("a-program-that-is-not-there 1")


def test_a_record_whose_counts_disagree_is_refused() -> None:
    """The hits of an e-value are those of its pairs."""
    found = audit_counts([[900, 100], [100, 900]], claim="1/2", method="e-value", event=["0"])
    assert found.refuted
    assert found.pairs is not None
    both, first, second, neither = found.pairs
    assert found.hits == (both + first, both + second)
    assert both > 0
    record = found.to_dict()
    assert type(found).from_dict(record) == found
    for name, value in (
        ("hits", [both + first + 1, both + second]),
        ("hits", [both + first, both | second if both & second else both + second + 1]),
        ("samples", [sum(found.pairs), sum(found.pairs) + 1]),
        ("pairs", [both, first, second, neither + 1]),
    ):
        with pytest.raises(FileFormatError, match="its counts do not refute gamma"):
            type(found).from_dict(record | {name: value})
    assert math.isclose(float(found.gamma), math.exp(float(found.epsilon_at_least)), rel_tol=1e-9)


def test_sets_of_the_likelihood_ratio() -> None:
    """Without delta, outputs whose ratio is above gamma; with delta, all that break the claim together."""
    p, q = np.array([0.6, 0.3, 0.1, 0.0]), np.array([0.1, 0.5, 0.3, 0.1])
    assert list(_events(p, q, 1.0, 0.0)) == [((0,), 0.6, 0.1)]
    found = list(_events(p, q, 1.0, 0.1))
    assert [event for event, _, _ in found] == [(0,), (0, 1)]
    assert [each for _, *each in found] == [[0.6, 0.1], pytest.approx([0.9, 0.6])]
    assert list(_events(p, p, 1.0, 0.0)) == []
    never = np.array([0.0, 0.0, 0.5, 0.5])
    assert [event for event, *_ in _events(np.array([0.5, 0.5, 0.0, 0.0]), never, 3.0, 0.0)] == [(0,), (0, 1)]


class Box:
    """A black box that repeats the responses 0, 1, 0, 0 and ends after some."""

    def __init__(self, most: int) -> None:
        self.left = most

    def ask(self, texts: list[str], _until: float) -> tuple[list[str], str | None]:
        answered = min(len(texts), self.left)
        self.left -= answered
        return [("0", "1", "0", "0")[i % 4] for i in range(answered)], None if self.left else "the end"


def test_pairs_are_counted_with_and_without_a_claim() -> None:
    """Pairs inside both, the first, the second and neither; without a claim no e-value ends the calls."""
    for claim in (None, Epsilon.of("log(100)")):
        box: Any = Box(40)
        cells, calls, stopped = _tested(box, ["a", "b"], {"1"}, F(1, 200), hypothesis(claim), 10**6, 0.0, str)
        assert (cells, calls, stopped) == ((0, 0, 10, 10), 40, "the end")
    few: Any = Box(1000)
    cells, calls, _ = _tested(few, ["a", "b"], {"0"}, F(1, 200), hypothesis(), 10, 0.0, str)
    assert (sum(cells), calls) == (10, 20)


def test_the_largest_counts() -> None:
    """Counts up to 10^15 are read; one more is refused, and so are counts that are no integers."""
    assert _counted([[10**15, 0], [0, 1]]).counts.tolist() == [[10**15, 0], [0, 1]]
    for counts in ([[10**15 + 1, 0], [0, 1]], [[2, -1], [0, 1]], [[1.0, 2], [0, 1]], [[1], [1, 2]], [[], []]):
        with pytest.raises(InvalidParameterError, match="`counts` are not counts at inputs"):
            _counted(counts)


def test_how_a_program_ended() -> None:
    """With its status, by its signal, and with the last line of its errors."""
    for script, how in (
        ("exit 3", "the program ended with status 3"),
        ("echo first >&2; echo last >&2; exit 0", "the program ended with status 0: 'last'"),
        ("kill -TERM $$", "the program ended by the signal SIGTERM"),
    ):
        program = _Program(["sh", "-c", script])
        try:
            assert program.ask(["x"], time.monotonic() + 60) == ([], how)
        finally:
            program.close()


def test_samples_are_columns_of_any_frame_or_a_table(tmp_path: Path) -> None:
    """A frame and a table have the samples of counts; the name of a file is read first."""
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    rng = np.random.default_rng(5)
    inputs = rng.choice(["no", "yes"], 3000)
    given = {"x": inputs, "y": np.where(rng.random(3000) < 0.8, inputs, "no")}
    path = tmp_path / "a.csv"
    pandas.DataFrame(given).to_csv(path, index=False)
    counts = [[int(((given["x"] == x) & (given["y"] == y)).sum()) for y in ("no", "yes")] for x in ("no", "yes")]
    wanted = audit_counts(counts, claim=1, event=["0"], pair=["0", "1"])
    frames = [given, pandas.DataFrame(given), polars.DataFrame(given), polars.DataFrame(given).to_arrow()]
    for data in (*frames, rropt_fieldwork.read(path), rropt_fieldwork.read(pandas.DataFrame(given))):
        found = audit(data, 1, columns=["x", "y"], event=["no"], pair=["no", "yes"])
        assert (found.gamma, found.samples, found.hits) == (wanted.gamma, wanted.samples, wanted.hits)
    with pytest.raises(InvalidParameterError, match="read it first, `data="):
        audit(str(path), 1, columns=["x", "y"])
    with pytest.raises(
        InvalidParameterError, match="the data have no column for `z`: received 'z'; allowed are 'x', 'y'"
    ):
        audit(given, 1, columns=["x", "z"])
    with pytest.raises(FileFormatError, match="rows without an input or a response: received 1 of them"):
        audit({"x": ["a", "b", "a"], "y": [1, None, None]}, 1, columns=["x", "y"])
