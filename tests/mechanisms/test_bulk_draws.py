"""Draws in bulk: coins, uniform integers and subsets by enumeration of the words, numbers of subsets, circulants."""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations, product
from math import comb, prod

import numpy as np
import pytest
from every_case import every_case
from sampling_oracles import from_columns, kary

from rropt.mechanisms import Mechanism, OrbitMechanism, named_mechanism
from rropt.mechanisms.families import AllSubsets, BitVectorMechanism, BlockMechanism
from rropt.mechanisms.sampling import Randomizer
from rropt.mechanisms.sampling.bulk_draws import SubsetNumbers, below, below_each, coins, marked, subsets
from rropt.mechanisms.sampling.samplers import CirculantSampler, ColumnSampler, circulant_column, sampler_of

F = Fraction


class _Recorded:
    """A source of bytes that keeps what it gave."""

    def __init__(self, source: Callable[[int], bytes]) -> None:
        self.source, self.chunks = source, list[bytes]()

    def __call__(self, count: int) -> bytes:
        self.chunks.append(self.source(count))
        return self.chunks[-1]


def _given(*chunks: bytes) -> Callable[[int], bytes]:
    """Return a source of these bytes, each as long as it is asked for."""
    left = list(chunks)

    def source(count: int) -> bytes:
        chunk = left.pop(0)
        assert len(chunk) == count
        return chunk

    return source


def _words(kind: type, *values: int) -> bytes:
    return np.array(values, kind).tobytes()


def test_a_coin_compares_all_bits_of_its_chance() -> None:
    """A byte, then words of 32 bits, on both sides of the chance and equal to it; all bytes of a coin of 3/256."""
    chance = F(10**30 + 7, 3 * 10**30)
    byte, rest = divmod(chance.numerator << 8, chance.denominator)
    first, rest = divmod(rest << 32, chance.denominator)
    second, _ = divmod(rest << 32, chance.denominator)
    for words, expected in (
        ((byte - 1,), True), ((byte + 1,), False), ((byte, first - 1), True), ((byte, first + 1), False),
        ((byte, first, second - 1), True), ((byte, first, second + 1), False),
    ):  # fmt: skip
        chunks = [_words(np.uint32 if i else np.uint8, word) for i, word in enumerate(words)]
        assert coins(chance, 1, _given(*chunks)).tolist() == [expected]
    everything = bytes(range(256))
    assert np.flatnonzero(coins(F(3, 256), 256, _given(everything))).tolist() == [0, 1, 2]  # nothing is left at ties
    tied = coins(F(11, 1024), 256, _given(everything, _words(np.uint32, 3 << 30)))
    assert np.flatnonzero(tied).tolist() == [0, 1]  # 11/4 bytes: at byte 2, 3/4 of the words are below
    tied = coins(F(11, 1024), 256, _given(everything, _words(np.uint32, (3 << 30) - 1)))
    assert np.flatnonzero(tied).tolist() == [0, 1, 2]
    assert coins(F(1), 3, os.urandom).all()
    assert not coins(F(0), 3, os.urandom).any()


def test_all_words_give_each_integer_equally_often() -> None:
    """All 2^16 words at once: ``floor(2^16 / n)`` of them for each integer below n, the others are drawn again."""
    everything = _words(np.uint16, *range(1 << 16))
    for bound in (1, 2, 3, 5, 8, 100, 999, 1000, 1024, 4093, 4096):
        refused = 65536 % bound
        again = _words(np.uint16, *[40_000] * refused)
        chunks = [everything, again] if refused else [everything]
        source = _Recorded(_given(*chunks))
        counts = np.bincount(below_each(np.array([bound]), 65536, source)[0], minlength=bound)
        assert len(source.chunks) == len(chunks)
        counts[40_000 * bound >> 16] -= refused
        assert counts.tolist() == [65536 // bound] * bound


def test_integers_below_several_bounds() -> None:
    """Each row has its own bound; refused words of one row are drawn again for this row."""
    bounds = np.array([3, 1000, 1, 7])
    words = [[0, 21845, 21846, 65535], [0, 1, 65535, 66], [5, 6, 7, 8], [0, 9362, 9363, 65535]]
    # refused: 0 of 3; 0 and 66 of 1000, since 66000 mod 2^16 = 464 < 2^16 mod 1000 = 536; 0 of 7
    again = [_words(np.uint16, 65535, 0, 65535, 65535), _words(np.uint16, 65535)]
    found = below_each(bounds, 4, _given(np.array(words, np.uint16).tobytes(), *again))
    assert found.tolist() == [[2, 0, 1, 2], [999, 0, 999, 999], [0, 0, 0, 0], [6, 0, 1, 6]]
    wide = below_each(np.array([5000, 3]), 2, _given(_words(np.uint32, 2**32 - 1, 858_994, 2**31, 2**32 - 1)))
    assert wide.tolist() == [[4999, 1], [1, 2]]


@every_case("bound", [1, 2, 3, 5, 4097, 2**28 - 57, 2**28 + 5, 2**31 + 5, 2**33 + 1, 10**18, 2**62])
def test_uniform_integers_are_below_the_bound(bound: int) -> None:
    """Against the words that were read, in integers of any size: a word is used or refused by the rule of its size."""
    source = _Recorded(random.Random(bound).randbytes)
    found = below(bound, 2000, source)
    assert found.dtype == np.int64
    kept = []
    for chunk in source.chunks:
        if bound <= 1 << 28:
            bits = 16 if bound <= 4096 else 32
            scaled = [int(w) * bound for w in np.frombuffer(chunk, f"<u{bits // 8}")]
            kept += [each >> bits for each in scaled if each % (1 << bits) >= (1 << bits) % bound]
        else:
            mask = (1 << (bound - 1).bit_length()) - 1
            kept += [int(w) & mask for w in np.frombuffer(chunk, "<u8") if int(w) & mask < bound]
    assert sorted(kept) == sorted(found.tolist())
    assert all(0 <= i < bound for i in kept)


@every_case(("elements", "size"), [(n, d) for n in range(1, 7) for d in range(1, n + 1)])
def test_all_integers_drawn_give_each_set_equally_often(elements: int, size: int) -> None:
    """Floyd's method, exactly: every combination of draws, with and without the first step, row by row and in bulk."""
    draws = list(product(*[range(j + 1) for j in range(elements - size, elements)]))
    columns = np.array(draws).T
    for has_first, length in ((True, size), (False, size - 1)):
        flags = np.full(len(draws), has_first)
        found = marked(columns, elements + 1, flags)
        assert not found[:, elements].any()
        counts = Counter(tuple(np.flatnonzero(row).tolist()) for row in found)
        each = len(draws) // comb(elements, length)
        assert counts == dict.fromkeys(combinations(range(elements), length), each)
        parts = [marked(columns[:, i : i + 3], elements + 1, flags[i : i + 3]) for i in range(0, len(draws), 3)]
        assert (np.concatenate(parts) == found).all()


@every_case(("k", "d"), [(k, d) for k in range(2, 7) for d in range(1, k)])
def test_sets_with_and_without_the_answer_are_equally_likely(k: int, d: int) -> None:
    """Words that give every combination of draws once: each set that holds the answer, or each that does not."""
    least = min(d, k - d)
    bounds = [j + 1 for j in range(k - 1 - least, k - 1)]
    draws = list(product(*map(range, bounds)))
    # a word in the middle of those of each integer: none of them is refused
    words = [[(2 * t + 1) * 65536 // (2 * n) for t, n in zip(drawn, bounds, strict=True)] for drawn in draws]
    chunk = np.array(words, np.uint16).T.tobytes()
    for answer, inside in product(range(k), (True, False)):
        flags = np.full(len(draws), inside)
        found = subsets(d, k, np.full(len(draws), answer), flags, _given(chunk))
        counts = Counter(tuple(np.flatnonzero(row).tolist()) for row in found)
        allowed = [s for s in combinations(range(k), d) if (answer in s) == inside]
        assert counts == dict.fromkeys(allowed, prod(bounds) // len(allowed))


@every_case(
    ("k", "d"), [(5, 2), (5, 3), (6, 5), (2, 1), (64, 31), (70, 35), (100, 25), (100, 90), (300, 90), (1200, 600)]
)
def test_numbers_of_sets_are_sums_of_binomials(k: int, d: int) -> None:
    """Many sets and few, with and without a table: beyond 48 MB (k = 1200) it is not built."""
    generator = np.random.default_rng(k)
    rows = [generator.permutation(k)[:d] for _ in range(1 if k > 1000 else 12)]
    ends = [np.arange(d), np.arange(k - d, k)]
    sets = np.zeros((len(rows) + 2, k), bool)
    for row, members in zip(sets, rows + ends, strict=True):
        row[members] = True
    numbers = SubsetNumbers(k, d)
    expected = [sum(comb(int(x), i) for i, x in enumerate(sorted(members), 1)) for members in rows + ends]
    assert expected[-2:] == [0, comb(k, d) - 1]
    assert numbers.of(sets) == expected
    assert numbers.of(sets[:2]) == expected[:2]
    assert (numbers._table is None) == (k == 1200)


CIRCULANT = from_columns([[F((i - j) % 41 + 1, 861) for i in range(41)] for j in range(41)])


@every_case("made", [CIRCULANT, kary(40, 7), named_mechanism("grr:140,1/5")], ids=["rising", "40", "140"])
def test_circulant_mechanisms_have_one_table(made: Mechanism) -> None:
    """The response is the truth plus a shift of the first column: every truth and every shift, single and in bulk."""
    sampler, k = sampler_of(made), made.inputs
    assert isinstance(sampler, CirculantSampler)
    assert sampler.root == ColumnSampler(made).roots[0]
    out = np.empty(k, np.int64)
    sampler.draw(np.arange(k), os.urandom, out)
    assert sampler.tables is not None
    answers, shifts = (each.ravel() for each in np.meshgrid(np.arange(k), np.arange(k)))
    out = np.empty(k * k, np.int64)

    class Fixed:
        def sampled(self, count: int, _source: object) -> object:
            assert count == k * k
            return shifts.astype(np.uint16)

    sampler.tables = Fixed()  # type: ignore[assignment]
    sampler.draw(answers, os.urandom, out)
    column = made.column(0)
    assert sorted(zip(answers, out, strict=True)) == sorted(product(range(k), range(k)))
    for answer, shift, response in zip(answers.tolist(), shifts.tolist(), out.tolist(), strict=True):
        assert made[response, answer] == column[shift]


def test_other_mechanisms_are_not_circulant() -> None:
    """One column, of the first, the second or the last truth, differs; or there are more outputs than inputs."""
    columns = [list(column) for column in kary(40, 7).columns()]
    assert circulant_column(from_columns(columns)) == tuple(columns[0])
    for j in (0, 1, 39):
        changed = [list(column) for column in columns]
        changed[j][3], changed[j][5 if j != 5 else 6] = changed[j][5] + F(1, 1000), changed[j][3] - F(1, 1000)
        assert circulant_column(from_columns(changed)) is None
    assert circulant_column(from_columns([[F(1, 3)] * 3, [F(1, 3)] * 3])) is None
    assert isinstance(sampler_of(kary(10, 3)), ColumnSampler)


def test_draws_of_circulant_mechanisms_have_the_law_of_the_column(size: Callable[[int, int], int]) -> None:
    """Six standard errors, of every response, for truths at both ends; narrow integers stay narrow."""
    n = size(30_000, 3_000_000)
    for made in (CIRCULANT, kary(40, 7)):
        for x in (0, made.inputs - 1):
            drawn = Randomizer(made).simulate_many(np.full(n, x, np.int8), rng=3)
            assert drawn.dtype == np.int8
            expected = np.array([float(p) for p in made.column(x)])
            counts = np.bincount(drawn, minlength=made.outputs)
            assert (abs(counts - n * expected) <= 6 * (n * expected * (1 - expected)) ** 0.5).all()


@pytest.mark.parametrize(
    "made",
    [
        BlockMechanism(AllSubsets(30, 8), 3), BlockMechanism(AllSubsets(30, 22), 3),
        BitVectorMechanism(30, "2/3", "1/4"),
        OrbitMechanism.subset_selection(30, 8, 3), kary(40, 7),
    ],
    ids=["blocks", "large blocks", "bits", "orbits", "circulant"],
)  # fmt: skip
def test_how_much_is_read_depends_on_the_random_bytes_alone(made: Mechanism) -> None:
    """Whatever the truths are, the same stream is read in the same pieces, and the responses still differ."""
    sampler, n = sampler_of(made), 50
    lengths, drawn = [], []
    for answers in (np.zeros(n, int), np.full(n, made.inputs - 1), np.arange(n) % made.inputs):
        source = _Recorded(random.Random(5).randbytes)
        out = np.empty(n, object)
        sampler.draw(answers, source, out)
        lengths.append([len(chunk) for chunk in source.chunks])
        drawn.append(out.tolist())
    assert lengths[0] == lengths[1] == lengths[2]
    assert drawn[0] != drawn[1]
