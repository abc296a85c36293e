"""Laws of counts in integers, and products of long sequences, against sums of rationals written out."""

from fractions import Fraction
from itertools import product as pairs
from math import comb
from random import Random

import pytest
from few_rows import few_rows

from rropt.checker.documents import Rejected, WorkBudget
from rropt.checker.long_products import product
from rropt.checker.tail_sums import binomial_law, constant, convolved, law_of_short_laws, law_of_sum, repeated_choice


def oracle_convolution(first, second):
    """The product of two polynomials by its definition."""
    found = [0] * (len(first) + len(second) - 1)
    for (i, x), (j, y) in pairs(enumerate(first), enumerate(second)):
        found[i + j] += x * y
    return found


def oracle_binomial(n, a, b):
    """The binomial law by its definition."""
    return [Fraction(comb(n, j) * a**j * b ** (n - j), (a + b) ** n) for j in range(n + 1)]


@pytest.mark.parametrize("bits", [1, 8, 64, 300, 6_000])
def test_products_equal_their_definition(bits):
    draw, cases = Random(bits), 0
    for _ in range(40 if bits < 1000 else 3):
        sizes = [draw.choice([1, 2, 16, 17, 40]) for _ in range(2)]
        first, second = (
            [draw.choice([0, 1, draw.getrandbits(bits), (1 << bits) - 1]) for _ in range(size)] for size in sizes
        )
        assert product(first, second, WorkBudget(1 << 24)) == oracle_convolution(first, second)
        cases += 1
    assert cases >= 3


def test_products_of_extreme_lanes():
    for digits in (1, 2, 9, 10, 19):  # every coefficient as large as its lane can hold
        entry = 10**digits - 1
        assert product([entry] * 100, [entry] * 100, WorkBudget()) == oracle_convolution([entry] * 100, [entry] * 100)
    assert product([0] * 30, [5] * 30, WorkBudget()) == [0] * 59


def test_products_are_paid_for_and_refuse_negative_entries():
    with pytest.raises(Rejected, match="more work"):
        product([10**50] * 1000, [10**50] * 1000, WorkBudget(100))
    with pytest.raises(Rejected, match="negative"):
        product([1, -1], [1, 1], WorkBudget())


@pytest.mark.parametrize(("a", "b"), [(1, 1), (3, 1), (1, 1000), (10**30, 1), (0, 1), (1, 0), (7, 5)])
@few_rows(1)
@pytest.mark.parametrize("n", [0, 1, 2, 13, 100])
def test_binomial_laws_enclose_every_chance(n, a, b):
    exact, law = oracle_binomial(n, a, b), binomial_law(n, a, b, 80, WorkBudget())
    unit = 1 << 80
    assert 0 <= law.missing <= unit >> 60
    for j, chance in enumerate(exact):
        i = j - law.start
        weight = law.weights[i] if 0 <= i < len(law.weights) else 0
        assert weight <= unit * chance <= weight + law.missing
    for place in range(-1, n + 3):
        low, high = law.at_least(place)
        assert low <= sum(exact[max(place, 0) :], Fraction(0)) <= high
        low, high = law.at_most(place)
        assert low <= sum(exact[: max(place + 1, 0)], Fraction(0)) <= high


def test_a_law_with_few_bits_is_still_a_law():
    for bits in (1, 2, 5):
        law, exact = binomial_law(50, 1, 1, bits, WorkBudget()), oracle_binomial(50, 1, 1)
        low, high = law.at_least(25)
        assert low <= sum(exact[25:]) <= high


def test_a_million_trials():
    law = binomial_law(10**6, 3, 1, 160, WorkBudget())
    assert law.missing < 1 << 20  # 2^-140 of the whole
    low, high = law.at_least(750_000)
    assert Fraction(1, 2) < low < high < Fraction(501, 1000)
    assert high - low < Fraction(1, 10**40)


def test_laws_of_sums():
    one, other = binomial_law(30, 1, 2, 90, WorkBudget()), binomial_law(20, 3, 1, 90, WorkBudget())
    exact = oracle_convolution(oracle_binomial(30, 1, 2), oracle_binomial(20, 3, 1))
    both, tree = convolved(one, other, WorkBudget()), law_of_sum([one, constant(5, 90), other], 90, WorkBudget())
    assert (tree.start, tree.weights) == (both.start + 5, both.weights)
    for place in range(52):
        low, high = both.at_least(place)
        assert low <= sum(exact[place:], Fraction(0)) <= high
        assert high - low < Fraction(1, 2**70)
    assert law_of_sum([], 10, WorkBudget()) == constant(0, 10)


def test_laws_with_few_values_are_multiplied_term_by_term() -> None:
    rng = Random(3)
    for bits in (30, 64, 161):
        unit, laws, exact = 1 << bits, [], {0: Fraction(1)}
        for _ in range(6):
            step, count, part = rng.randint(0, 9), rng.choice([1, 1, 2, 7]), rng.randint(0, unit)
            laws.append(repeated_choice(part, unit - part, step, count, bits, WorkBudget()))
            for _ in range(count):
                after: dict[int, Fraction] = {}
                for place, chance in exact.items():
                    for move, own in ((0, part), (step, unit - part)):
                        after[place + move] = after.get(place + move, Fraction(0)) + chance * own / unit
                exact = {place: Fraction(int(chance * 2**220), 2**220) for place, chance in after.items()}
        law = law_of_short_laws(laws, bits, WorkBudget())
        assert law.missing <= unit * Fraction(2 * len(law.weights) * len(laws), 2**bits)
        for place, weight in enumerate(law.weights, law.start):
            assert Fraction(weight, unit) <= exact.get(place, Fraction(0)) + Fraction(1, 2**200)


def test_short_laws_without_weights_or_of_too_many_points() -> None:
    nothing = repeated_choice(0, 0, 3, 2, 40, WorkBudget())
    assert law_of_short_laws([nothing, constant(4, 40)], 40, WorkBudget()).weights == []
    assert law_of_short_laws([], 40, WorkBudget()) == constant(0, 40)
    with pytest.raises(Rejected, match="more work"):
        repeated_choice(1, 1, 1 << 20, 1000, 40, WorkBudget())


@pytest.mark.slow
def test_counts_beyond_the_limits_are_refused():
    for n, a, b in ((-1, 1, 1), (10**16, 1, 1), (5, -1, 2), (5, 0, 0)):
        with pytest.raises(Rejected, match="binomial law"):
            binomial_law(n, a, b, 64, WorkBudget())
    with pytest.raises(Rejected, match="more work"):
        binomial_law(10**14, 1, 1, 64, WorkBudget())
