"""The public functions: law by chi-square, forms of input, what leaks, memory and speed."""

from __future__ import annotations

import copy
import inspect
import logging
import pickle
import random
import threading
import tracemalloc

import numpy as np
import pytest
from every_case import every_case
from later import later
from sampling_oracles import kary, random_mechanism
from stress import STRESS

from rropt.core.errors import InvalidParameterError
from rropt.mechanisms import Mechanism, named_mechanism
from rropt.mechanisms.sampling import Randomizer, randomize, randomize_many, simulate_many

scipy = later("scipy")

TEN = random_mechanism(10, 10, 1000, 3)
WARNER = named_mechanism("warner:3/4")

# Rejection levels: a seeded test is the same in every run, so one in a million is no nuisance and still far from
# what a wrong law gives; unseeded draws must not fail by chance in a lifetime of runs.
SEEDED, UNSEEDED = 1e-6, 1e-12


def p_value(mechanism: Mechanism, answers: np.ndarray, outputs: np.ndarray) -> float:
    """Return the p-value of Pearson's chi-square against the mechanism, given the answers."""
    m, k = mechanism.shape
    counts = np.bincount(answers * m + outputs, minlength=m * k).reshape(k, m).T
    expected = mechanism.to_numpy() * np.bincount(answers, minlength=k)
    possible = expected > 0
    assert not counts[~possible].any()
    statistic = ((counts - expected)[possible] ** 2 / expected[possible]).sum()
    return float(scipy.stats.chi2.sf(statistic, int(possible.sum()) - k))


@pytest.mark.parametrize("mechanism", [WARNER, kary(10, 3), TEN, random_mechanism(40, 7, 10**30, 5)], ids=range(4))
def test_chi_square_of_a_million_seeded_draws(mechanism: Mechanism) -> None:
    answers = np.random.default_rng(1).integers(0, mechanism.inputs, 10**6)
    p = p_value(mechanism, answers, simulate_many(answers, mechanism, rng=2))
    assert SEEDED < p < 1 - SEEDED


def test_chi_square_sees_a_slightly_false_law() -> None:
    """The mutant: 1/20 of one entry, 1/80 of probability in one column of ten, moved to another output."""
    false = [list(row) for row in kary(10, 3).matrix]
    false[0][0] -= false[0][0] / 20
    false[1][0] += kary(10, 3)[0, 0] / 20
    answers = np.random.default_rng(1).integers(0, 10, 10**6)
    outputs = simulate_many(answers, Mechanism(false), rng=2)
    assert p_value(Mechanism(false), answers, outputs) > SEEDED > p_value(kary(10, 3), answers, outputs)


def test_chi_square_with_the_operating_systems_randomness() -> None:
    answers = np.random.default_rng(1).integers(0, 10, 10**6)
    assert p_value(TEN, answers, randomize_many(answers, TEN)) > UNSEEDED
    single = np.array([randomize(j, WARNER) for j in [0, 1] * 5000])
    assert p_value(WARNER, np.array([0, 1] * 5000), single) > UNSEEDED


def test_independent_answers_in_one_call_and_across_calls() -> None:
    """Outputs of neighbours, and of two calls, are uncorrelated: every bit is used once."""
    fair = named_mechanism("warner:1/2")
    first, second = (randomize_many(np.zeros(10**6, np.uint8), fair).astype(int) for _ in range(2))
    for left, right in ((first[:-1], first[1:]), (first[: -(1 << 17)], first[1 << 17 :]), (first, second)):
        agreements = int((left == right).sum())
        assert abs(agreements - left.size / 2) < 8 * np.sqrt(left.size) / 2


def test_seeds() -> None:
    answers = np.arange(10).repeat(30_000)
    one, same, other = (simulate_many(answers, TEN, rng=seed) for seed in (1, np.int64(1), 2))
    assert (one == same).all()
    assert (one != other).any()
    generator = np.random.default_rng(1)
    assert (simulate_many(answers, TEN, rng=generator) == one).all()
    assert (simulate_many(answers, TEN, rng=generator) != one).any()  # the generator goes on
    assert (randomize_many(answers, TEN) != randomize_many(answers, TEN)).any()
    assert (simulate_many(answers, TEN) != simulate_many(answers, TEN)).any()  # a new seed in each call
    for seed in (-1, 1.5, "1", True, 2**128, [1, 2], np.random.RandomState(1), random.Random(1)):
        with pytest.raises(InvalidParameterError, match="no source of random numbers"):
            simulate_many([0], TEN, rng=seed)  # type: ignore[arg-type]


def test_a_mechanism_randomizes_and_simulates() -> None:
    coin = Mechanism([["3/4", "1/4"], ["1/4", "3/4"]])
    answers = np.arange(2).repeat(100)
    assert (coin.simulate(answers, rng=5) == simulate_many(answers, coin, rng=5)).all()
    assert (coin.simulate(answers, rng=np.random.SeedSequence(5)) == coin.simulate(answers, rng=5)).all()
    one = coin.simulate(1, rng=5)
    assert type(one) is int
    assert [one] == coin.simulate([1], rng=5).tolist()
    with pytest.raises(InvalidParameterError, match="received 'rng'; allowed are answers"):
        coin.randomize(answers, rng=5)


def test_every_function_that_draws_takes_rng_and_no_other_name() -> None:
    from rropt_fieldwork.audits.auditing import AuditArguments
    from rropt_fieldwork.counts import PrefixTree
    from rropt_fieldwork.from_tables.regressing import RegressionArguments

    drawing = [simulate_many, *(getattr(Randomizer, f"simulate_{what}") for what in ("many", "questions", "sets"))]
    for function in [*drawing, Mechanism.simulate, PrefixTree.simulate, AuditArguments, RegressionArguments]:
        names = inspect.signature(function).parameters
        assert ("rng" in names, "seed" in names) == (True, False), function
    whole = [randomize_many, *(getattr(Randomizer, f"randomize_{what}") for what in ("many", "questions", "sets"))]
    for function in [*whole, Mechanism.randomize, PrefixTree.respond]:
        assert not {"rng", "seed"} & set(inspect.signature(function).parameters), function


def test_simulation_says_what_it_is_not_for() -> None:
    for function in (simulate_many, Randomizer.simulate_many):
        assert "simulate" in function.__name__
        assert "NOT FOR REAL ANSWERS" in (function.__doc__ or "").splitlines()[0]
    assert "seed" not in (randomize_many.__doc__ or "")


def test_shapes_and_types() -> None:
    wide = Mechanism([["1/300"] * 2] * 300)
    assert randomize_many([], WARNER).shape == (0,)
    assert randomize_many([[0, 1, 1], [1, 0, 0]], WARNER).shape == (2, 3)
    assert randomize_many(np.array(1), WARNER).shape == ()
    assert randomize_many([0, 1], WARNER).dtype == np.int64
    for kind in (np.uint8, np.int8, np.int32, np.uint64, ">i2"):
        assert randomize_many(np.zeros(3, kind), WARNER).dtype == np.dtype(kind)
    assert randomize_many(np.zeros(3, np.uint8), wide).dtype == np.int64
    assert randomize_many(np.zeros(3, np.uint16), wide).dtype == np.uint16
    assert randomize_many(np.zeros((100, 6), np.int8)[::2, ::-2], WARNER).shape == (50, 3)
    assert type(randomize(np.uint8(1), WARNER)) is int  # type: ignore[arg-type]
    for outputs, kind in ((256, np.uint8), (257, np.int64)):
        uniform = Mechanism([[f"1/{outputs}"]] * outputs)
        assert randomize_many(np.zeros(3, np.uint8), uniform).dtype == kind
    identity = Mechanism([["1", "0"], ["0", "1"]])
    order = np.asfortranarray(np.random.default_rng(0).integers(0, 2, (30, 20)))
    assert (randomize_many(order, identity) == order).all()


SECRET = 987654321


@every_case(
    ("answers", "message"),
    [
        ([0, 1, SECRET], "position 2 is out of range"),
        ([0, 1, 1, 2], "position 3 is out of range"),
        ([0, -SECRET], "position 1 is out of range"),
        (np.array([[0, 1], [SECRET, 1]]), "position 2 is out of range"),
        ([0.0, float(SECRET)], "not integers: received values of type float64"),
        ([str(SECRET)], "not integers: received values of type <U9"),
        ([True, False], "not integers: received values of type bool"),
        ([SECRET**5], "not integers: received values of type object"),
        ([[0, SECRET], [1]], "not an array"),
        (np.ma.masked_equal([0, 1], 1), "some answers are missing"),
        (None, "not integers"),
    ],
)
def test_bad_bulk_answers_are_refused_and_not_repeated(answers: object, message: str) -> None:
    with pytest.raises(InvalidParameterError, match=message) as caught:
        randomize_many(answers, WARNER)  # type: ignore[arg-type]
    assert str(SECRET) not in str(caught.value)
    assert "allowed are the categories 0..1" in str(caught.value)
    assert caught.value.__suppress_context__ or caught.value.__context__ is None


@every_case("answer", [SECRET, -SECRET, float(SECRET), str(SECRET), [SECRET], None, True, 2])
def test_bad_single_answers_are_refused_and_not_repeated(answer: object) -> None:
    with pytest.raises(InvalidParameterError, match="the answer is") as caught:
        randomize(answer, WARNER)  # type: ignore[arg-type]
    assert str(SECRET) not in str(caught.value)


def test_a_matrix_is_a_mechanism_and_a_list_of_numbers_is_none() -> None:
    assert randomize(0, [["0", "1/2"], ["1", "1/2"]]) == 1  # type: ignore[arg-type]
    with pytest.raises(InvalidParameterError, match=r"mechanism is of another kind: received \['1/2', '1/2'\]"):
        randomize(0, ["1/2", "1/2"])  # type: ignore[arg-type]


def test_nothing_is_logged_printed_or_kept(caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]) -> None:
    randomizer = Randomizer(TEN)
    with caplog.at_level(logging.DEBUG):
        randomizer.randomize(7)
        before = pickle.dumps([randomizer._sampler.roots, repr(randomizer._sampler.tables)])
        randomizer.randomize_many(np.full(1000, 7))
        randomizer.simulate_many(np.full(1000, 7), rng=1)
    assert not caplog.records
    assert capfd.readouterr() == ("", "")
    assert repr(randomizer) == "<Randomizer of shape (10, 10)>"
    tables = repr(randomizer._sampler.tables)
    assert tables.startswith("<rropt.mechanisms.sampling.inversion.InversionTables object")
    assert before  # the roots can be written down; they depend on the mechanism alone
    assert randomizer._sampler.roots == Randomizer(TEN)._sampler.roots
    assert copy.copy(randomizer).randomize(0) in range(10)


def test_threads_share_a_randomizer() -> None:
    randomizer, results = Randomizer(TEN), list[np.ndarray]()
    work = [
        threading.Thread(target=lambda seed=seed: results.append(randomizer.simulate_many([3] * 300_000, rng=seed)))
        for seed in (1, 1, 1, 1)
    ]
    for thread in work:
        thread.start()
    for thread in work:
        thread.join()
    assert len(results) == 4
    assert all((result == results[0]).all() for result in results)


def test_memory_does_not_grow_with_the_number_of_answers() -> None:
    """Beyond input and result only a block's arrays live: at most 20 MB (10^8 answers when run at full size)."""
    number = 10**8 if STRESS else 4 * 10**6
    randomizer, answers = Randomizer(TEN), np.zeros(number, np.uint8)
    randomizer.randomize_many(answers[:10])
    tracemalloc.start()
    try:
        for _ in range(2):
            outputs = randomizer.randomize_many(answers)
            del outputs
        left, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < number + 20 * 2**20
    assert left < 2**20
