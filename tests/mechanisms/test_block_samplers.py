"""Samplers of block designs: the law by enumeration of all integers drawn, and draws against the law."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import product

import numpy as np
from every_case import every_case

from rropt.mechanisms import Mechanism
from rropt.mechanisms.families import (
    Affine,
    AffineClasses,
    AllSubsets,
    BitVectorMechanism,
    BlockMechanism,
    Blocks,
    Cyclic,
    Direct,
    Projective,
)
from rropt.mechanisms.sampling import Randomizer
from rropt.mechanisms.sampling.block_samplers import BlockSampler

F = Fraction
DESIGNS: list[Blocks] = [
    *(Direct(5), Affine(7, 7, 3), Affine(5, 7, 2), Affine(9, 3, 2, 2), Affine(8, 2, 1, 3)),
    *(AffineClasses(7, 7, 2, 1, False), AffineClasses(13, 13, 3, 1, True), AffineClasses(11, 13, 4, 2, False)),
    *(AffineClasses(5, 5, 1, 0, True), AffineClasses(7, 7, 3, 3, False)),
    *(Projective(7, 2, 3, False), Projective(7, 2, 3, True), Projective(13, 3, 3, False), Projective(10, 3, 3, True)),
    *(Cyclic.paley(11), Cyclic.singer(2, 4, complement=True)),
]
SMALL = [BlockMechanism(design, F(5, 2)) for design in (*DESIGNS, AllSubsets(6, 2), AllSubsets(5, 4), AllSubsets(2, 1))]


@every_case("design", DESIGNS, ids=repr)
def test_the_integers_drawn_give_the_law_of_the_matrix(design: Blocks) -> None:
    """Every category, every integer: the number and the array form alike."""
    made = BlockMechanism(design, F(5, 2))
    for x in range(design.categories):
        law: Counter[int] = Counter()
        for inside, chance in ((True, made.hit), (False, 1 - made.hit)):
            bounds = design.choices(inside)
            draws = list(product(*map(range, bounds)))
            found = [design.report(x, inside, drawn) for drawn in draws]
            columns = [np.array(column, np.int64) for column in zip(*draws, strict=True)]
            if columns:
                many = design.report(np.full(len(draws), x), inside, columns)
                assert many.tolist() == found
            for block in found:
                law[block] += chance / len(draws)  # type: ignore[assignment]
        assert [law[i] for i in range(design.count)] == list(made.column(x))


def _tail(statistic: float, freedom: int) -> float:
    """Return the upper tail of the chi-square distribution."""
    from scipy.special import chdtrc

    return float(chdtrc(freedom, statistic))


@every_case("made", [*SMALL, BitVectorMechanism(4, "2/3", "1/4")], ids=repr)
def test_draws_have_the_law_of_the_column(made: Mechanism, size: Callable[[int, int], int]) -> None:
    n = size(20_000, 1_000_000)
    for x in (0, made.inputs - 1):
        drawn = Randomizer(made).simulate_many(np.full(n, x), rng=3)
        expected = np.array([float(p) * n for p in made.column(x)])
        counts = np.bincount(drawn.astype(np.int64), minlength=made.outputs)
        kept = expected > 0
        assert counts[~kept].sum() == 0
        statistic = ((counts - expected)[kept] ** 2 / expected[kept]).sum()
        assert _tail(statistic, kept.sum() - 1) > 1e-5


@every_case("made", SMALL, ids=repr)
def test_sets_and_numbers_are_the_same_reports(made: BlockMechanism) -> None:
    answers = np.arange(200) % made.inputs
    rows = BlockSampler(made).sets(answers, np.random.default_rng(5).bytes)
    assert rows.shape == (200, made.inputs)
    if made.blocks.family == "subsets":
        assert set(rows.sum(1)) == {made.blocks.size}
        for row in rows:
            chosen = np.flatnonzero(row).tolist()
            assert made.blocks.members(made.blocks.number(chosen)) == tuple(chosen)
    one = Randomizer(made).randomize(1)
    assert 0 <= one < made.outputs


def test_large_designs_are_drawn() -> None:
    k = 1_000_000
    for design in (AffineClasses(k, 1_000_039, 26, 7, False), Affine(k, 1_000_003, 2473), Affine(k, 101, 5, 3),
                   Projective(k, 2971, 3, False), Direct(k)):  # fmt: skip
        made = BlockMechanism(design, 3)
        answers = np.full(4000, k - 1)
        drawn = Randomizer(made).simulate_many(answers, rng=1)
        hits = design.hits(np.asarray(drawn, np.int64), k - 1)
        assert abs(hits - 4000 * float(made.hit)) < 5 * (4000 * float(made.hit)) ** 0.5 + 5
        assert 0 <= drawn.min() <= drawn.max() < design.count
        assert all(design.holds(int(b), k - 1) in (True, False) for b in drawn[:5])


@every_case("q", [1_000_003, 10_000_000_019, 999_999_999_989])
def test_projective_designs_over_large_primes(q: int) -> None:
    """Products of two residues exceed 64 bits: draws and counts, against the definition in integers of any size."""
    design = Projective(min(q, 10**7), q, 2, False)

    def is_in(block: int, category: int) -> bool:
        (a, b), (x, y) = ((1, i - 1) if i else (0, 1) for i in (block, category))
        return (a * x + b * y) % q == 0

    categories = np.arange(100) * (design.categories // 101)
    for inside in (True, False):
        blocks = design.report(categories, inside, [np.arange(100) * (design.choices(inside)[0] // 101)])
        assert [is_in(*pair) for pair in zip(blocks.tolist(), categories.tolist(), strict=True)] == [inside] * 100
        for category in categories.tolist():
            assert design.hits(blocks, category) == sum(is_in(block, category) for block in blocks.tolist())
