"""Products against dense Kronecker products: exact linear algebra, privacy by definition, forms of text, bad input."""

from __future__ import annotations

import json
import pickle
import random
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from math import prod

import numpy as np
import pytest
from adversary.boundary.oracle import excess
from adversary.boundary.oracle import parity as parity_of
from column_stochastic import column_stochastic

from rropt import Mechanism
from rropt.core.errors import (
    InfeasibleError,
    UnsupportedProblemError,
)
from rropt.core.exact import Epsilon, ExactReal
from rropt.mechanisms import (
    ProductMechanism,
    dichotomies,
    load_mechanism,
    loss_enclosures,
    named_mechanism,
    question_levels,
)
from rropt.mechanisms.dichotomies import Dichotomy
from rropt.mechanisms.kronecker import kronecker_product_floats


def _random(rng: random.Random, m: int, k: int, zeros: bool = False) -> Mechanism:
    return Mechanism(column_stochastic(rng, m, k, 0.2 * zeros))


def _factors(rng: random.Random, zeros: bool = False) -> list[Mechanism]:
    shapes = [(m, k) for m in (1, 2, 3, 4) for k in (1, 2, 3) if m >= k]
    return [_random(rng, *rng.choice(shapes), zeros) for _ in range(rng.randint(1, 3))]


def _dense(factors: list[Mechanism]) -> np.ndarray:
    """The Kronecker product in NumPy, of objects: its last factor varies fastest, so the order is turned."""
    whole = np.array([[Fraction(1)]], dtype=object)
    for factor in reversed(factors):
        whole = np.kron(whole, np.array(factor.matrix, dtype=object))
    return whole


def test_products_in_floats_are_those_of_the_dense_matrix() -> None:
    """Small factors are merged; those of 7 and more rows or columns are applied one after the other."""
    draw = np.random.default_rng(3).random
    for shapes in (
        [(2, 2)] * 6,
        [(7, 8), (9, 7)],
        [(7, 7), (2, 3), (1, 2), (8, 7)],
        [(40, 3)],
        [(6, 7), (7, 6), (6, 7)],
    ):
        factors, whole = [draw(shape) for shape in shapes], np.ones((1, 1))
        for factor in factors:
            whole = np.kron(factor, whole)  # the first factor varies fastest
        vector = draw(whole.shape[1])
        np.testing.assert_allclose(kronecker_product_floats(factors, vector), whole @ vector)


def test_vectors_of_zeros_meet_entries_beyond_64_bits() -> None:
    tiny = Fraction(1, 10**30)
    long = Mechanism([[1 - tiny, tiny], [tiny, 1 - tiny]])
    for mechanism in (long, ProductMechanism([long, long])):
        zeros = [0] * mechanism.inputs
        assert set(mechanism.apply(zeros)) == set(mechanism.adjoint(zeros)) == set(mechanism.invert(zeros)) == {0}


def test_linear_algebra_is_that_of_the_dense_matrix(rng: random.Random, size: Callable[[int, int], int]) -> None:
    points = inverted = 0
    for _ in range(size(30, 600)):
        factors = _factors(rng)
        whole, dense = ProductMechanism(factors), _dense(factors)
        m, k = dense.shape
        assert whole.shape == (m, k)
        assert whole.matrix == tuple(map(tuple, dense.tolist()))
        assert [whole.row(i) for i in range(m)] == [tuple(row) for row in dense]
        assert [whole.column(j) for j in range(k)] == [tuple(column) for column in dense.T]
        x = [Fraction(rng.randint(-9, 9), rng.randint(1, 9) ** rng.choice([1, 40])) for _ in range(k)]
        w = [Fraction(rng.randint(-9, 9), rng.randint(1, 9)) for _ in range(m)]
        assert whole.apply(x) == tuple(dense @ np.array(x, dtype=object))
        assert whole.adjoint(w) == whole.adjoint(dict(enumerate(w))) == tuple(dense.T @ np.array(w, dtype=object))
        assert (whole[m - 1, 0], whole[0, k - 1]) == (dense[m - 1, 0], dense[0, k - 1])
        points += 1
        try:
            assert whole.invert(whole.apply(x)) == tuple(x)
            assert whole.invert(w) == Mechanism(whole).invert(w)  # the left inverse at the uniform reference
            columns = [whole.invert({i: 1}) for i in range(m)]
            assert whole.condition() == max(sum(map(abs, column)) for column in columns)
            inverted += 1
        except InfeasibleError:
            assert np.linalg.matrix_rank(dense.astype(float)) < k
    assert points >= size(30, 600)
    assert inverted >= size(10, 200)


def test_conditioning_of_twenty_bits() -> None:
    """Of bits reported truly with chance a it is |2a - 1|^-n; for fewer questions it is that of the worst ones."""
    twenty = ProductMechanism([Mechanism.binary("3/4", "3/4")] * 20)
    assert (twenty.condition(), twenty.condition(questions=2)) == (2**20, 4)
    unlike = ProductMechanism([Mechanism.binary(a, a) for a in ("3/4", "9/10", "2/3")])
    assert [unlike.condition(questions=k) for k in (1, 2, 3)] == [3, 6, Fraction(15, 2)]
    with pytest.raises(InfeasibleError):
        ProductMechanism([Mechanism.binary("3/4", "3/4"), Mechanism.binary("1/2", "1/2")]).condition()


@pytest.mark.slow
def test_privacy_is_that_of_the_dense_matrix(rng: random.Random, size: Callable[[int, int], int]) -> None:
    points, infinite = 0, 0
    for n in range(size(25, 500)):
        factors = _factors(rng, zeros=n % 2 == 0)
        factors += factors[:1] if n % 3 == 0 else []  # equal factors are multisets
        whole, dense = ProductMechanism(factors), _dense(factors)
        if dense.size > 3000:
            continue
        parity = parity_of(dense)
        assert whole.parity() == parity
        infinite += parity is None
        profile = whole.profile()
        for gamma in {Fraction(1), Fraction(7, 5), Fraction(9), *profile.breakpoints[:4]}:
            expected = excess(dense, gamma)
            assert whole.delta(Epsilon.of_parity(gamma)) == expected == profile.at(gamma)
            assert tuple(whole.delta_bracket(Epsilon.of_parity(gamma))) == (expected, expected)
            points += 1
        assert whole.delta(Epsilon("infinite")) == profile.limit == excess(dense, Fraction(10**9)) or parity is None
        assert profile.limit == Mechanism(whole).profile().limit
        assert whole.delta("1/3") == Mechanism(whole).delta("1/3")
    assert points >= size(50, 1000)
    assert infinite >= size(3, 50)


def test_parity_of_inputs_that_differ_in_some_questions(rng: random.Random, size: Callable[[int, int], int]) -> None:
    points = 0
    for n in range(size(15, 100)):
        factors = [_random(rng, 2, 2, zeros=n % 3 == 0) for _ in range(3)]
        whole, dense = ProductMechanism(factors), _dense(factors)
        for k in range(5):
            pairs = [(j, l) for j, l in product(range(8), repeat=2) if bin(j ^ l).count("1") <= k]  # noqa: E741
            parities = [parity_of(dense[:, pair]) for pair in pairs]
            expected = None if None in parities else max(x for x in parities if x is not None)
            assert whole.parity(differing=k) == expected
            assert whole.differing_epsilon(k) == Epsilon.of_parity(expected)
            points += 1
    assert question_levels(whole).differing == tuple(whole.differing_epsilon(k) for k in (1, 2, 3))
    assert points >= 75


def test_enclosures_hold_the_exact_delta(rng: random.Random, size: Callable[[int, int], int]) -> None:
    """Where the exact delta is known the enclosure holds it; with one pair for each factor it is narrow."""
    widths, points = [], 0
    for n in range(size(12, 300)):
        if n % 2:
            shares = [Fraction(rng.randint(55, 95), 100) for _ in range(rng.randint(2, 8))]
            whole = ProductMechanism([Mechanism.binary(p, p) for p in shares])
        else:
            whole = ProductMechanism([_random(rng, rng.randint(2, 3), 2, n % 4 == 0) for _ in range(rng.randint(2, 4))])
        for gamma in (Fraction(1), Fraction(3, 2), Fraction(20), ExactReal.exponential(Fraction(1))):
            exact = dichotomies.worst_of(whole._exact_pairs(), gamma).at(gamma)
            lower, upper = loss_enclosures.excess_enclosure(whole._options(), gamma)
            assert 0 <= lower <= exact <= upper <= 1
            assert upper < 1 or n % 4 == 0  # without zeros no output gives all away
            points += 1
            if n % 2:
                widths.append(float(upper - lower))
    assert points >= size(48, 1200)
    assert max(widths) < 1e-4
    assert sorted(widths)[len(widths) // 2] < 1e-7


def test_many_different_bits_are_enclosed_and_refused_exactly() -> None:
    bits = ProductMechanism([Mechanism.binary(Fraction(200 + n, 400), Fraction(200 + n, 400)) for n in range(40, 104)])
    with pytest.raises(UnsupportedProblemError, match="64 factors has more than 1000000"):
        bits.delta("10")
    lower, upper = bits.delta_bracket("10")
    assert 0 < lower < upper < 1
    assert upper - lower < Fraction(1, 10**5)
    assert tuple(bits.delta_bracket(bits.epsilon)) == (0, 0)
    equal = ProductMechanism([Mechanism.binary("3/4", "3/4")] * 64)
    gamma = Fraction(3) ** 10
    tail = sum(
        max(Fraction(0), 3**i - gamma * 3 ** (64 - i)) * prod(range(65 - i, 65)) / prod(range(1, i + 1)) / 4**64
        for i in range(65)
    )
    assert equal.delta(Epsilon.of_parity(gamma)) == tail
    assert len(equal.profile().pieces) == 33


def test_enclosures_at_odds_beyond_floats() -> None:
    tiny = Fraction(1, 10**250)
    product = ProductMechanism([Mechanism([[1 - tiny, tiny**2], [tiny, 1 - tiny**2]]), Mechanism.binary("3/4", "2/3")])
    points = 0
    for digits in (150, 240, 300, 480, 1200):
        gamma = Fraction(10) ** digits
        lower, upper = loss_enclosures.excess_enclosure(product._options(), gamma)
        assert lower <= product.delta(Epsilon.of_parity(gamma)) <= upper
        points += 1
    assert lower == 0 < upper, "beyond the parity"
    assert points == 5


def test_products_with_too_many_terms_are_enclosed(rng: random.Random) -> None:
    weights = [rng.randrange(1, 10**6) for _ in range(2100)]
    columns = [weights, weights[::-1]]  # one pair of inputs is as the other
    large = Mechanism(
        [[Fraction(x, sum(c)) for x, c in zip(row, columns, strict=True)] for row in zip(*columns, strict=True)]
    )
    product = ProductMechanism([large, large])
    with pytest.raises(UnsupportedProblemError, match="2 factors"):
        product.delta("1")
    lower, upper = product.delta_bracket("1")
    assert 0 < lower < upper < lower + Fraction(1, 10**4)


def test_order_of_questions_and_transparent_ones(rng: random.Random) -> None:
    points = 0
    truth, nothing = Mechanism([[1, 0], [0, 1]]), Mechanism([[1, 1]])
    for _ in range(30):
        factors = [_random(rng, 3, 2), _random(rng, 2, 2), _random(rng, 4, 3)]
        whole = ProductMechanism(factors)
        order = rng.sample(range(3), 3)
        turned = ProductMechanism([factors[q] for q in order])
        for _ in range(4):
            j, i = rng.randrange(whole.inputs), rng.randrange(whole.outputs)
            truths, answers = whole.digits(j), whole.digits(i, outputs=True)
            assert whole.index(truths) == j
            there = turned.index([answers[q] for q in order], outputs=True), turned.index([truths[q] for q in order])
            assert turned[there] == whole[i, j]
        assert turned.parity() == whole.parity()
        assert turned.delta("1/2") == whole.delta("1/2")
        x = [Fraction(rng.randint(0, 9), 7) for _ in range(24)]
        beside = ProductMechanism([truth, ProductMechanism(factors)]).apply(x)  # nested products are flattened
        assert beside[0::2] == whole.apply(x[0::2])
        assert beside[1::2] == whole.apply(x[1::2])
        assert ProductMechanism([nothing, *factors]).delta("1/2") == whole.delta("1/2")
        points += 1
    assert points == 30


def test_forms_of_text(tmp_path, rng: random.Random) -> None:
    whole = ProductMechanism([_random(rng, 3, 2), Mechanism.binary("3/4", "2/3")], name="two questions")
    assert Mechanism.from_json(whole.to_json()) == whole == pickle.loads(pickle.dumps(whole))
    assert pickle.loads(pickle.dumps(whole)).name == "two questions"
    assert hash(Mechanism.from_dict(whole.to_dict())) == hash(whole)
    said = ProductMechanism([whole.factors[0].labelled(responses=["a", "b", "c"]), whole.factors[1]])
    assert Mechanism.from_dict(said.to_dict()).factors[0].responses == ("a", "b", "c")
    assert Mechanism(whole).to_csv() == whole.to_csv()
    assert whole != Mechanism(whole)  # of another form
    path = tmp_path / "bits.json"
    path.write_text(json.dumps({"product": [[["3/4", "1/4"], ["1/4", "3/4"]]] * 30}))
    bits = load_mechanism(path)
    assert (bits.shape, bits.name) == ((2**30, 2**30), str(path))
    assert "about 10^18 entries" not in str(bits)
    assert "log(205891132094649)" in str(bits)
    assert repr(bits).startswith("<ProductMechanism of shape (1073741824, 1073741824)")
    assert repr(MANY).startswith("<ProductMechanism of shape (about 10^4")


MANY = ProductMechanism([Mechanism([[Fraction(1, 8)] * 8] * 8)] * 5001)
BITS = ProductMechanism([Mechanism.binary("3/4", "3/4")] * 30)


@pytest.mark.parametrize("bit", [("3/4", "3/4"), ("1", "1/4"), ("9/10", "2/3")], ids=["warner", "revealing", "general"])
def test_equal_bits_are_a_binomial(bit: tuple[str, str]) -> None:
    """The power of a pair with two odds is written down at once: as the factors one after the other."""
    one = Mechanism.binary(*bit)
    options = dichotomies.dichotomies_of(one.matrix)
    for pair in options:
        slow = Dichotomy((0, 0), ((1, 1),), 1)
        for i in range(9):
            slow = slow.times(pair, 2**i)
        assert dichotomies._powers([([pair], 2**i) for i in range(9)]) == [slow]


def test_a_power_has_the_masses_of_the_factors(rng: random.Random) -> None:
    for outputs in range(2, 6):
        for pair in dichotomies.dichotomies_of(_random(rng, 2, outputs, zeros=outputs % 2 == 0).matrix):
            slow = Dichotomy(pair.pair, ((1, 1),), 1)
            for _ in range(4):
                slow = slow.times(pair, 0)
            assert pair.power(4) == slow


def test_very_many_equal_bits_are_refused_and_enclosed() -> None:
    many = ProductMechanism([Mechanism.binary("3/4", "3/4")] * 6000)
    with pytest.raises(UnsupportedProblemError, match="too long ones"):
        many.delta("1")
    lower, upper = many.delta_bracket("1")
    assert 0 <= lower <= upper <= 1


def test_pairs_of_one_factor_are_compared_within_a_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    """The steps are counted before they are made."""
    k = 6
    matrix = [[Fraction(1 + (i * j + i + j * j) % 5) for j in range(k)] for i in range(k)]
    sums = [sum(row[j] for row in matrix) for j in range(k)]
    stochastic = [[x / s for x, s in zip(row, sums, strict=True)] for row in matrix]
    assert len(dichotomies.dichotomies_of(stochastic)) > 1
    monkeypatch.setattr(dichotomies, "_MAX_STEPS", 100)
    with pytest.raises(UnsupportedProblemError, match="at most 100 steps"):
        dichotomies.dichotomies_of(stochastic)


def test_each_device_of_a_product_is_judged_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The levels of 1, 2, ... differing questions judged all devices anew: 37 seconds for 5000 questions."""
    asked = []
    judged = Mechanism.parity
    monkeypatch.setattr(Mechanism, "parity", lambda own: asked.append(own) or judged(own))
    levels = question_levels(named_mechanism("bits:3/4*200"))
    assert len(asked) == 1
    assert str(levels.whole_answer) == f"log({3**200})"
    assert {str(level) for level in levels.questions} == {"log(3)"}
