"""Products and orbits are drawn from exactly: every path of short scripts, against the mechanism's column."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import comb

import numpy as np
import pytest
from sampling_oracles import OutOfBytesError, Script

from rropt.mechanisms import Mechanism, OrbitMechanism, ProductMechanism
from rropt.mechanisms.sampling import Randomizer, randomize_many, simulate_many
from rropt.mechanisms.sampling.samplers import OrbitSampler, ProductSampler, Sampler

HALVES = Mechanism([["1/2", "1/4"], ["1/2", "3/4"]])
THREE = Mechanism([["1/8", "0", "1"], ["7/8", "1/2", "0"], ["0", "1/2", "0"]])
WARNER = Mechanism([["3/4", "1/4"], ["1/4", "3/4"]])
PAIR = ProductMechanism([HALVES, THREE])
DYADIC = OrbitMechanism(
    [2, 1], [[[("1/4", 1), ("1/8", 1)], [("1/4", 1)]], [[("5/16", 2)], [("1/4", 1)]], [[("5/16", 2)], [("1/4", 1)]]]
)
THIRDS = OrbitMechanism([3], [[[("1/6", 2), ("2/3", 1)]]])
TWO_ORBITS = OrbitMechanism([3], [[[("1/8", 2), ("1/4", 1)]], [[("1/8", 1), ("3/16", 2)]]])


# One byte for each first half, of every remainder modulo 2, 3 and 5 equally often (255 left out): columns whose entries
# are sixteenths, and arrangements of so many, are decided by it as by all 256.
BYTES = [17 * i for i in range(16)]


def enumerated(sampler: Sampler, answer: int, depth: int) -> dict[bytes, int]:
    """Return every script of at most ``depth`` of these bytes that the sampler reads in full, with its output."""
    found, waiting = {}, [b""]
    while waiting:
        prefix = waiting.pop()
        source = Script(prefix)
        try:
            found[prefix] = sampler.one(answer, source)
        except OutOfBytesError:
            if len(prefix) < depth:
                waiting += [prefix + bytes([byte]) for byte in BYTES]
            continue
        assert source.read == len(prefix)
    return found


@pytest.mark.parametrize(
    ("mechanism", "sampler"),
    [
        (PAIR, ProductSampler(PAIR)),
        (DYADIC, OrbitSampler(DYADIC, spare=0)),
        (THIRDS, OrbitSampler(THIRDS, spare=0)),
        (TWO_ORBITS, OrbitSampler(TWO_ORBITS, spare=0)),
    ],
    ids=["product", "dyadic", "thirds", "two orbits"],
)
def test_every_short_path(mechanism: Mechanism, sampler: Sampler) -> None:
    scripts, points = set(), 0
    for answer in range(mechanism.inputs):
        paths = enumerated(sampler, answer, 2)
        mass = [Fraction(0)] * mechanism.outputs
        for prefix, output in paths.items():
            mass[output] += Fraction(1, 16 ** len(prefix))
        missing = 1 - sum(mass)
        assert missing <= Fraction(1, 4)  # paths that are drawn again, or whose tree is open
        assert all(q <= p <= q + missing for p, q in zip(mechanism.column(answer), mass, strict=True))
        if mechanism is not THIRDS:
            assert tuple(mass) == mechanism.column(answer)
        scripts.add(frozenset(paths))
        points += len(paths)
    assert mechanism is THIRDS or len(scripts) == 1  # how much is read does not depend on the answer
    assert points >= 200 * mechanism.inputs


def test_rejected_numbers_leave_the_rest_uniform() -> None:
    """Of 256 bytes 255 are kept for three arrangements: 85 each."""
    sampler = OrbitSampler(THIRDS, spare=0)
    for number in (1, 2, 3, 5, 6, 7, 12):
        drawn = [0] * number
        for byte in range(256):
            try:
                drawn[sampler._below(number, Script(bytes([byte])))] += 1
            except OutOfBytesError:
                assert byte >= 256 // number * number
        assert drawn == [256 // number] * number


@pytest.mark.slow
def test_arrays_have_the_law_of_the_columns(size: Callable[[int, int], int]) -> None:
    """Six standard errors, of every entry: a wrong digit or place is off by more."""
    n, points = size(4_000, 1_000_000), 0
    for mechanism in (PAIR, DYADIC, TWO_ORBITS):
        for answer in range(mechanism.inputs):
            drawn = np.bincount(simulate_many(np.full(n, answer), mechanism, rng=answer), minlength=mechanism.outputs)
            for p, count in zip(mechanism.column(answer), drawn.tolist(), strict=True):
                assert abs(count - n * p) <= 6 * float(n * p * (1 - p)) ** 0.5
                points += 1
    assert points == 6 * 6 + 3 * 4 + 3 * 6


def test_questions_of_a_product() -> None:
    bits = ProductMechanism([WARNER, HALVES, THREE] * 30)
    randomizer = Randomizer(bits)
    truths = np.tile([1, 0, 2], (2000, 30)).astype(np.int8)
    drawn = randomizer.simulate_questions(truths, rng=3)
    assert drawn.dtype == np.int8
    assert (drawn[:, 2::3] == 0).all()
    assert abs((drawn[:, 0::3] == 1).mean() - 0.75) < 0.01
    assert abs((drawn[:, 1::3] == 1).mean() - 0.5) < 0.01
    assert abs(np.corrcoef(drawn[:, 0], drawn[:, 3])[0, 1]) < 0.15
    small = ProductMechanism([WARNER, HALVES])
    rows = Randomizer(small).simulate_questions([[1, 0]] * 500, rng=9)
    indices = Randomizer(small).simulate_many([1] * 500, rng=9)
    assert (rows[:, 0] + 2 * rows[:, 1]).tolist() == indices.tolist()
    assert 0 <= randomizer.randomize(5) < bits.outputs
    assert randomizer.randomize_questions(np.zeros((0, 90), int)).shape == (0, 90)


def test_subsets_of_sixty() -> None:
    whole = OrbitMechanism.subset_selection(60, 20, 9)
    drawn = randomize_many([7] * 300, whole)
    inside = sum(whole.row(i)[7] == max(whole.row(i)) for i in drawn.tolist()) / 300
    expected = Fraction(9 * comb(59, 19), 9 * comb(59, 19) + comb(59, 20))
    assert abs(inside - float(expected)) < 0.2
    assert len(set(drawn.tolist())) == 300
