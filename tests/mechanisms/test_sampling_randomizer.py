"""The sampler as a black box: every path of short scripts enumerated, single answers and bulk."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import accumulate
from math import ceil, floor
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from few_rows import few_rows
from hypothesis import given, settings
from hypothesis import strategies as st
from sampling_oracles import (
    OutOfBytesError,
    Script,
    from_columns,
    inverse,
    inverse_among,
    kary,
    random_mechanism,
)
from sampling_oracles import law as law_of
from stress import STRESS

from rropt.mechanisms import Mechanism, named_mechanism
from rropt.mechanisms.sampling import Randomizer
from rropt.mechanisms.sampling.inversion import Node, inversion_tables, root, walk

DYADIC = Mechanism([["1/2", "3/16", "1/1024"], ["1/4", "0", "1023/1024"], ["1/4", "13/16", "0"]])
SMALL = [
    named_mechanism("warner:3/4"),
    named_mechanism("forced:2/3,1/6,1/6"),
    named_mechanism("generalised:1,1/4"),
    named_mechanism("kuk:1/3,4/5,3"),
    kary(3, 2),
    DYADIC,
    Mechanism([["1/3", "1/7"], ["0", "2/7"], ["2/3", "4/7"]]),
    Mechanism([["1", "0", "0"], ["0", "1", "0"], ["0", "0", "1"]]),
    Mechanism([["1", "1"]]),
    Mechanism([["524289/1048576", "1/2"], ["524287/1048576", "1/2"]]),  # 2^-20 beyond a cell's end
]


def scripted(monkeypatch: pytest.MonkeyPatch, source: object) -> None:
    monkeypatch.setattr("rropt.mechanisms.sampling.randomizer.os", SimpleNamespace(urandom=source))


def leaves(randomizer: Randomizer, answer: int, depth: int, monkeypatch: pytest.MonkeyPatch) -> dict[bytes, int]:
    """Return every script of at most ``depth`` bytes that the public ``randomize`` needs in full, with its output."""
    found, waiting = {}, [b""]
    while waiting:
        prefix = waiting.pop()
        source = Script(prefix)
        scripted(monkeypatch, source)
        try:
            output = randomizer.randomize(answer)
        except OutOfBytesError:
            if len(prefix) < depth:
                waiting += [prefix + bytes([byte]) for byte in range(256)]
        else:
            assert source.read == len(prefix)
            found[prefix] = output
    return found


@pytest.mark.parametrize("mechanism", SMALL, ids=range(len(SMALL)))
def test_every_short_path_of_single_answers(mechanism: Mechanism, monkeypatch: pytest.MonkeyPatch) -> None:
    randomizer, depth = Randomizer(mechanism), 4 if STRESS else 3
    scripts = set()
    for answer, column in enumerate(mechanism.columns()):
        paths = leaves(randomizer, answer, depth, monkeypatch)
        mass = [Fraction(0)] * mechanism.outputs
        for prefix, output in paths.items():
            assert inverse(column, prefix) == output
            mass[output] += Fraction(1, 256 ** len(prefix))
        missing = 1 - sum(mass)  # of paths that are still open: at most one per cut of the matrix
        assert missing <= Fraction(mechanism.inputs * (mechanism.outputs - 1), 256**depth)
        assert all(q <= p <= q + missing for p, q in zip(column, mass, strict=True))
        if all(256**depth % p.denominator == 0 for row in mechanism.matrix for p in row):
            assert tuple(mass) == column
        scripts.add(frozenset(paths))
    assert len(scripts) == 1  # how much is read does not depend on the answer


def open_digits(roots: Sequence[Node], bits: int) -> set[int]:
    """Return the cells of ``bits`` bits that a cut of some column lies inside."""
    at = {Fraction(cut << bits, node.unit) for node in roots for cut in node.cuts}
    return {floor(x) for x in at if x.denominator > 1}


class ThenOneByOne:
    """A source that returns prepared blocks, then single bytes of a script."""

    def __init__(self, blocks: list[bytes], script: bytes) -> None:
        self.blocks, self.script = blocks, Script(script)

    def __call__(self, count: int) -> bytes:
        if not self.blocks:
            assert count == 1
            return self.script(1)
        block = self.blocks.pop(0)
        assert len(block) == count
        return block


CASES = [(mechanism, bits) for mechanism in SMALL for bits in (0, 8)] + [(kary(3, 2), 16), (DYADIC, 16)]


@few_rows(10)
@pytest.mark.parametrize(("mechanism", "bits"), CASES, ids=range(len(CASES)))
def test_every_path_of_bulk(mechanism: Mechanism, bits: int) -> None:
    """With an 8-bit word every path of b + 8 bits is drawn once, and the exact output law adds up to the column."""
    roots = [root(column) for column in mechanism.columns()]
    tables = inversion_tables(roots, mechanism.outputs, digit_bits=bits, word=np.uint8)
    opened = sorted(open_digits(roots, bits))
    cells = [(digit, None) for digit in sorted({*range(1 << bits)} - {*opened})]
    cells += [(digit, word) for digit in opened for word in range(256)]
    digits = np.array([digit for digit, _ in cells], dtype=f"<u{max(1, bits // 8)}").tobytes()
    for answer, column in enumerate(mechanism.columns()):
        blocks = ([digits] if bits else []) + ([bytes(range(256)) * len(opened)] if opened else [])
        script = np.random.default_rng(answer).bytes(1000)
        out = np.empty(len(cells), np.int64)
        source = ThenOneByOne(blocks, script)
        tables.draw(np.full(len(cells), answer), source, out)
        law, replay = [Fraction(0)] * mechanism.outputs, Script(script)
        for (digit, word), output in zip(cells, out.tolist(), strict=True):
            prefix = digit.to_bytes(bits // 8, "big") + (b"" if word is None else bytes([word]))
            node = roots[answer]
            for byte in prefix:
                node = node.child(byte)
            assert output == walk(node, b"", replay)
            for i, p in law_of(node).items():  # a cell without cuts gives its output, a tie the law of its node
                law[i] += p / 256 ** len(prefix)
        assert tuple(law) == column
        assert not source.blocks
        assert source.script.read == replay.read


def elements(roots: list[Node], bits: int, generator: np.random.Generator) -> list[Any]:
    """Return (answer, digit, word): for every answer the words at and beside its cuts, and random ones."""
    opened = open_digits(roots, bits)
    digits = {0, (1 << bits) - 1, *opened, *generator.integers(0, 1 << bits, 3).tolist()}
    found: list[Any] = []
    for digit in sorted(digits):
        for answer, node in enumerate(roots):
            for byte in digit.to_bytes(bits // 8, "big"):
                node = node.child(byte)
            exact = [ceil(Fraction(cut << 32, node.unit)) for cut in node.cuts]
            beside = {x + step for x in exact for step in (-2, -1, 0, 1)} | {0, (1 << 32) - 1}
            words = sorted(word for word in beside if word >> 32 == 0) if digit in opened else [None]
            found += [(answer, digit, word) for word in words]
    generator.shuffle(found)
    return found


@pytest.mark.slow
@settings(max_examples=400 if STRESS else 60, deadline=None)
@given(
    shape=st.tuples(st.integers(1, 6), st.integers(1, 4)),
    top=st.sampled_from([2, 5, 256, 1000, 10**12, 10**40, 10**1500]),
    bits=st.sampled_from([0, 8, 16]),
    seed=st.integers(0, 10**6),
)
def test_bulk_is_inversion_at_every_boundary(shape: tuple[int, int], top: int, bits: int, seed: int) -> None:
    """Full 32-bit words at and beside the cuts, mixed answers in one block, ties settled by scripted bytes."""
    mechanism = random_mechanism(*shape, top, seed)
    roots = [root(column) for column in mechanism.columns()]
    tables = inversion_tables(roots, mechanism.outputs, digit_bits=bits)
    generator = np.random.default_rng(seed)
    drawn = elements(roots, bits, generator)
    digits = np.array([digit for _, digit, _ in drawn], dtype=f"<u{max(1, bits // 8)}").tobytes()
    words = np.array([word for _, _, word in drawn if word is not None], dtype="<u4").tobytes()
    script = generator.bytes(10 * len(drawn))
    out = np.empty(len(drawn), np.int64)
    source = ThenOneByOne(([digits] if bits else []) + ([words] if words else []), script)
    tables.draw(np.array([answer for answer, _, _ in drawn]), source, out)
    replay = Script(script)
    for (answer, digit, word), output in zip(drawn, out.tolist(), strict=True):
        prefix = digit.to_bytes(bits // 8, "big") + (b"" if word is None else word.to_bytes(4, "big"))
        assert walk(roots[answer], prefix, replay) == output
    assert not source.blocks
    assert source.script.read == replay.read
    fine = 1 << (bits + 32)
    assert (replay.read > 0) == any(fine * cut % node.unit for node in roots for cut in node.cuts)  # ties were met
    assert len(drawn) >= mechanism.inputs


class Recorder:
    """Random bytes from a seed, remembered."""

    def __init__(self, seed: int) -> None:
        self.generator, self.blocks = np.random.default_rng(seed), list[bytes]()

    def __call__(self, count: int) -> bytes:
        self.blocks.append(self.generator.bytes(count))
        return self.blocks[-1]


LARGE: dict[str, Callable[[], Mechanism]] = {  # made by the tests: collecting them is quick
    "300 outputs": lambda: random_mechanism(300, 5, 10**6, 1),  # two-byte outputs
    "256 outputs": lambda: random_mechanism(256, 5, 10**6, 6),  # the first with two bytes: 255 marks no open cell
    "70000 outputs": lambda: random_mechanism(70_000, 2, 10**6, 2),  # four-byte outputs
    "40000 inputs": lambda: random_mechanism(2, 40_000, 1000, 3),  # no digit: the table would be too large
    "150 by 150": lambda: random_mechanism(150, 150, 10**9, 4),
    "1000 digits": lambda: random_mechanism(12, 12, 10**1000, 5),
    "crowded": lambda: from_columns([[Fraction(1, 10**300)] * 9 + [1 - Fraction(9, 10**300)]] * 3),
}


@few_rows(1)
@pytest.mark.parametrize("name", LARGE)
def test_large_mechanisms(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    mechanism = LARGE[name]()
    randomizer, source = Randomizer(mechanism), Recorder(7)
    scripted(monkeypatch, source)
    answers = np.random.default_rng(8).integers(0, mechanism.inputs, 3000)
    out = randomizer.randomize_many(answers)
    bits = randomizer._sampler.tables.digit_bits  # type: ignore[union-attr]
    assert bits == {"40000 inputs": 0, "150 by 150": 8, "crowded": 8}.get(name, 16)
    digits = np.frombuffer(source.blocks.pop(0), f"<u{bits // 8}").tolist() if bits else [0] * 3000
    words = iter(np.frombuffer(source.blocks.pop(0), "<u4").tolist()) if source.blocks else iter([])
    assert not source.blocks  # no tie in so few draws
    cuts = [list(accumulate(column))[:-1] for column in mechanism.columns()]
    wide = open_digits(randomizer._sampler.roots, bits)
    assert any(cuts)
    for answer, digit, output in zip(answers.tolist(), digits, out.tolist(), strict=True):
        prefix = digit.to_bytes(bits // 8, "big") + (next(words).to_bytes(4, "big") if digit in wide else b"")
        assert output == inverse_among(cuts[answer], prefix)
    assert next(words, None) is None


def test_the_digit_is_coarse_where_that_is_enough() -> None:
    bits = {}
    for name, mechanism in (("warner", SMALL[0]), ("kary", kary(10, 3)), ("wide", random_mechanism(10, 10, 10**6, 1))):
        randomizer = Randomizer(mechanism)
        randomizer.randomize_many([0])
        bits[name] = randomizer._sampler.tables.digit_bits  # type: ignore[union-attr]
    assert bits == {"warner": 8, "kary": 8, "wide": 16}


def test_a_deterministic_mechanism_reads_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    scripted(monkeypatch, Script(b""))
    permutation = Randomizer(Mechanism([["0", "1", "0"], ["0", "0", "1"], ["1", "0", "0"]]))
    assert permutation.randomize_many([0, 1, 2]).tolist() == [2, 0, 1]
    assert [permutation.randomize(j) for j in range(3)] == [2, 0, 1]
