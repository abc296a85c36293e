"""Block designs against enumeration: incidence, privacy, variance, estimates and files; the bound of all mechanisms."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
import pytest
from every_case import every_case
from few_rows import few_rows

from rropt.core.errors import InvalidMechanismError
from rropt.mechanisms import Mechanism, OrbitMechanism
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
    as_memberships,
    uniform_bound,
)
from rropt.mechanisms.families.affine import products_modulo
from rropt.mechanisms.families.blocks import correlation_sums
from rropt.mechanisms.families.primes import is_prime, primitive_root
from rropt.mechanisms.sampling import simulate_many
from rropt.objectives import AOptimality

F = Fraction
DESIGNS: list[Blocks] = [
    *(Direct(5), AllSubsets(6, 2), AllSubsets(5, 4)),
    *(Affine(7, 7, 3), Affine(5, 7, 2), Affine(2, 2, 1), Affine(25, 5, 2, 2), Affine(20, 3, 1, 3), Affine(9, 3, 2, 2)),
    *(AffineClasses(7, 7, 2, 1, False), AffineClasses(13, 13, 3, 1, True), AffineClasses(11, 13, 4, 2, False)),
    *(AffineClasses(13, 13, 12, 5, True), AffineClasses(5, 5, 1, 0, True)),
    *(Projective(7, 2, 3, False), Projective(7, 2, 3, True), Projective(13, 3, 3, False), Projective(10, 3, 3, True)),
    *(Projective(6, 5, 2, False), Projective(12, 2, 4, True)),
    *(
        Cyclic.paley(11),
        Cyclic.paley(7, 4),
        Cyclic.singer(3, 3),
        Cyclic.singer(2, 4, complement=True),
        Cyclic.singer(5, 2),
    ),
]
IDS = [f"{design.family}-{i}" for i, design in enumerate(DESIGNS)]


def _incidence(design: Blocks) -> np.ndarray:
    return np.array([[design.holds(i, x) for x in range(design.categories)] for i in range(design.count)])


@every_case("design", DESIGNS, ids=IDS)
def test_the_formulas_of_a_family_are_those_of_its_incidence_matrix(design: Blocks) -> None:
    held = _incidence(design)
    pairs = combinations(range(design.categories), 2)
    assert set(held.sum(0)) == {design.density * design.count}
    assert {int((held[:, x] & held[:, y]).sum()) for x, y in pairs} == {design.together * design.count}
    assert (len(set(held.sum(1))) == 1) == design.is_balanced
    assert [design.members(i) for i in range(design.count)] == [tuple(np.flatnonzero(row)) for row in held]
    assert 2**design.output_bits >= design.count
    assert Blocks.from_dict(json.loads(json.dumps(design.to_dict()))).to_dict() == design.to_dict()


@every_case("design", DESIGNS, ids=IDS)
def test_counts_of_memberships_are_those_of_the_incidence_matrix(design: Blocks) -> None:
    held, rng = _incidence(design), np.random.default_rng(1)
    histogram = rng.integers(0, 9, design.count)
    assert (design.memberships(histogram) == histogram @ held).all()
    responses = rng.permutation(np.repeat(np.arange(design.count), histogram))
    assert [design.hits(responses, x) for x in range(design.categories)] == (histogram @ held).tolist()


@few_rows(6)
@pytest.mark.parametrize("design", DESIGNS, ids=IDS)
@few_rows(1)
@pytest.mark.parametrize("gamma", [F(5, 2), F(1001, 1000), F(50)])
def test_a_block_mechanism_is_its_matrix(design: Blocks, gamma: Fraction) -> None:
    made = BlockMechanism(design, gamma)
    matrix = Mechanism(made.matrix)  # columns sum to exactly 1
    assert made.parity() == matrix.parity() == gamma
    for level in ("0", "log(2)", "log(5/4)", "1/3"):
        assert made.delta(level) == matrix.delta(level)
    assert made.profile() == matrix.profile()
    held = _incidence(design)
    for x, y in ((0, 0), (1, 0), (design.categories - 1, 1)):
        hit = sum((matrix[i, x] for i in np.flatnonzero(held[:, y]).tolist()), F(0))
        assert hit == (made.hit if x == y else made.miss)
    assert Mechanism.from_json(made.to_json()) == made
    assert hash(Mechanism.from_json(made.to_json())) == hash(made)


@pytest.mark.slow
@every_case("design", DESIGNS, ids=IDS)
def test_the_variance_is_that_of_the_estimator_at_any_distribution(design: Blocks) -> None:
    made, rng = BlockMechanism(design, F(7, 2)), random.Random(2)
    weights = [rng.randint(0, 9) + (x == 0) for x in range(design.categories)]
    pi = [F(w, sum(weights)) for w in weights]
    law, held = made.apply(pi), _incidence(design)
    rates = [sum((law[i] for i in np.flatnonzero(held[:, x]).tolist()), F(0)) for x in range(design.categories)]
    scale = made.hit - made.miss
    assert [(rate - made.miss) / scale for rate in rates] == pi  # unbiased
    variances = [rate * (1 - rate) / scale**2 for rate in rates]
    assert sum(variances) == made.total_variance(sum(x * x for x in pi))
    assert list(made.invert(law)) == pi if design.count < 60 else True


@every_case("design", [design for design in DESIGNS if design.categories <= 15], ids=str)
def test_the_membership_estimator_is_efficient_at_uniform_where_blocks_are_equal(design: Blocks) -> None:
    made = BlockMechanism(design, F(3))
    least = AOptimality().value(Mechanism(made.matrix), [F(1, design.categories)] * design.categories)
    assert least == made.total_variance() if made.is_efficient else least <= made.total_variance()
    assert uniform_bound(design.categories, F(3))[0] <= least


def test_the_bound_is_attained_by_the_best_subsets_and_by_affine_designs_of_all_elements() -> None:
    """All k to 39 at five levels; primes at three: equal as fractions."""
    for k in range(2, 40):
        for gamma in (F(3, 2), F(2), F(5), F(20), F(101, 100)):
            bound, d = uniform_bound(k, gamma)
            values = {size: BlockMechanism(AllSubsets(k, size), gamma).total_variance() for size in range(1, k)}
            assert bound == min(values.values()) == values[d]
    for q in (101, 457, 2927, 10_007, 1_000_003):
        for gamma in (F(3, 2), F(3), F(20)):
            bound, d = uniform_bound(q, gamma)
            assert BlockMechanism(Affine(q, q, d), gamma).total_variance() == bound


def test_symmetric_designs_have_the_information_of_all_subsets_of_their_size() -> None:
    for design, size in ((Cyclic.singer(2, 5), 15), (Projective(31, 2, 5, True), 16), (Cyclic.paley(23), 11)):
        k = design.categories
        assert BlockMechanism(design, 3).total_variance() == BlockMechanism(AllSubsets(k, size), 3).total_variance()
        assert design.count == k < comb(k, size)


def test_published_parameters_of_difference_sets() -> None:
    """(v, k, lambda) of the La Jolla tables: planes of order 2 to 9 without prime powers, biplanes, Paley, Singer."""
    known = [
        (Cyclic(7, 7, [0, 1, 3]), (7, 3, 1)),
        (Cyclic(13, 13, [0, 1, 3, 9]), (13, 4, 1)),
        (Cyclic(11, 11, [1, 3, 4, 5, 9]), (11, 5, 2)),
        (Cyclic(37, 37, [1, 7, 9, 10, 12, 16, 26, 33, 34]), (37, 9, 2)),  # fourth powers
        (Cyclic.singer(5, 3), (31, 6, 1)),
        (Cyclic.singer(7, 3), (57, 8, 1)),
        (Cyclic.singer(3, 4), (40, 13, 4)),
        (Cyclic.singer(2, 6), (63, 31, 15)),
        (Cyclic.paley(1019), (1019, 509, 254)),
    ]
    for design, (v, size, both) in known:
        assert (design.modulus, design.size, design.together * v) == (v, size, both)
    with pytest.raises(InvalidMechanismError, match="not a difference set"):
        Cyclic(13, 13, [0, 1, 3, 8])
    assert Cyclic(7, 7, "0b") == Cyclic(7, 7, [0, 1, 3])
    for text in ("b", "00b", "0B"):  # one block has one text
        with pytest.raises(InvalidMechanismError, match="allowed are 2 digits"):
            Cyclic(7, 7, text)
    Cyclic(4, 13, [0, 1, 3])  # not a difference set, but of four categories the distances 1 to 3 are enough
    with pytest.raises(InvalidMechanismError, match="at the distances 1 to 4"):
        Cyclic(5, 13, [0, 1, 3])


def test_large_designs_are_formulas() -> None:
    for k, gamma in ((1_000_000, F(3)), (2925, F(20)), (10**7, F(3, 2))):
        made = BlockMechanism(AllSubsets(k, uniform_bound(k, gamma)[1]), gamma)
        assert made.total_variance() == uniform_bound(k, gamma)[0]
        assert made.parity() == gamma
        direct = BlockMechanism(Direct(k), gamma)
        assert direct.hit == gamma / (gamma + k - 1)
    big = BlockMechanism(AffineClasses(1_000_000, 1_000_003, 6, 2, True), 3)
    assert big.blocks.holds(1_000_003 * 5 + 17, 999_999) in (True, False)
    assert (
        repr(big)
        == "<BlockMechanism: affine design (classes), k = 1000000, q = 1000003, index = 6, cosets = 2, zero = 1>"
    )


def test_bit_vectors_are_their_matrix() -> None:
    for k, p, m in ((4, "1/2", "1/4"), (3, "2/3", "1/3"), (2, "9/10", "1/100")):
        made = BitVectorMechanism(k, p, m)
        matrix = Mechanism(made.matrix)
        assert made.parity() == matrix.parity()
        assert made.delta("log(2)") == matrix.delta("log(2)")
        assert made.profile() == matrix.profile()
        assert Mechanism.from_json(made.to_json()) == made
        pi = [F(x + 1, k * (k + 1) // 2) for x in range(k)]
        assert list(made.invert(made.apply(pi))) == pi
    assert BitVectorMechanism.optimized(9, 3).parity() == 3


def test_orbits_and_blocks_are_one_mechanism() -> None:
    one, other = OrbitMechanism.subset_selection(7, 3, F(5, 2)), BlockMechanism(AllSubsets(7, 3), F(5, 2))
    assert one.matrix == other.matrix


@every_case("design", DESIGNS, ids=IDS)
def test_texts_of_numbers_are_parameters_and_files_have_the_values(design: Blocks) -> None:
    data = design.to_dict()
    values = [data[name] for name in list(data)[1:]]
    assert type(design)(*values) == Blocks.from_dict(data) == design
    assert Cyclic.paley("7").to_dict() == Cyclic.paley(7).to_dict()  # type: ignore[arg-type]
    for name in data:
        with pytest.raises(InvalidMechanismError):
            Blocks.from_dict({key: value for key, value in data.items() if key != name})


def test_primes_and_their_roots() -> None:
    sieve = [n for n in range(2000) if n > 1 and all(n % d for d in range(2, n))]
    assert [n for n in range(2000) if is_prime(n)] == sieve
    for q in sieve[:60]:
        assert len({pow(primitive_root(q), i, q) for i in range(q - 1)}) == q - 1


def test_long_products_and_correlations_are_exact() -> None:
    rng = random.Random(3)
    for q in (10**12 - 11, 2_999_999_999, 3_000_000_019, 97):
        left = np.array([rng.randrange(q) for _ in range(50)])
        right = rng.randrange(q)
        assert products_modulo(left, right, q).tolist() == [int(x) * right % q for x in left]
    counts = np.array([[rng.randrange(10**13) for _ in range(501)] for _ in range(2)])
    held = np.random.default_rng(4).random((2, 501)) < 0.3
    found = correlation_sums(counts.tolist(), held.astype(int).tolist(), 400)
    for x in (0, 1, 7, 399):
        wanted = sum(int(n) for i in range(2) for w, n in enumerate(counts[i]) if held[i, (x + w) % 501])
        assert found[x] == wanted


def test_only_subset_selection_is_read_as_subsets() -> None:
    """One orbit of two positive values over k > 2 categories is the family of all subsets; nothing else is."""
    subsets = as_memberships(OrbitMechanism.subset_selection(5, 2, 3))
    assert isinstance(subsets, BlockMechanism)
    assert subsets.matrix == BlockMechanism(AllSubsets(5, 2), 3).matrix
    half = F(1, 2)
    others = [
        OrbitMechanism([2], [[[(F(1, 4), 1), (F(3, 4), 1)]]]),  # two categories
        OrbitMechanism([3], [[[(F(0), 2), (F(1), 1)]]]),  # an entry 0: the ratio is infinite
        OrbitMechanism([3], [[[(F(1, 3), 2), (F(1, 3), 1)]]]),  # equal values: the output reveals nothing
        OrbitMechanism([3], [[[(half, 3)]], [[(half, 3)]]]),  # two orbits
        OrbitMechanism([3, 1], [[[(F(1, 4), 2), (half, 1)], [(F(1, 3), 1)]]]),  # two groups
        OrbitMechanism([3], [[[(F(1, 12), 1), (F(1, 6), 1), (F(1, 4), 1)]]]),  # three values
    ]
    assert [as_memberships(other) for other in others] == [None] * len(others)


@every_case("q", [10_000_019, 1_000_000_007, 999_999_999_989])
def test_classes_over_large_fields_are_drawn_without_a_table_of_the_field(q: int) -> None:
    """All powers of a primitive root were listed: 8 GB for a prime of ten digits."""
    design = AffineClasses(9, q, 2, 1, False)
    drawn = [int(block) for block in simulate_many([4] * 300, BlockMechanism(design, 3), rng=1)]
    held = [design.holds(block, 4) for block in drawn]
    elements = [primitive_root(q) ** (block // q) * (4 + block % q) for block in drawn]
    assert held == [pow(x, (q - 1) // 2, q) == 1 for x in elements]
    assert design.hits(np.array(drawn), 4) == sum(held)
    assert 200 < sum(held) < 250  # of 300 with probability 3/4
    for block in drawn[:5]:
        assert design.members(block) == tuple(x for x in range(9) if design.holds(block, x))


def test_a_response_has_as_many_bits_as_its_number_needs() -> None:
    for k in range(2, 18):
        needed = next(bits for bits in range(6) if 2**bits >= k)
        assert Direct(k).output_bits == needed
