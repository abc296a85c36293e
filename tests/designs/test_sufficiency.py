"""Blackwell sufficiency: against an exact linear program, near the boundary, restated, and refused."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable
from fractions import Fraction

import pytest
from column_stochastic import column_stochastic
from few_rows import few_rows
from orders_oracles import garbles
from pair_pool import SHAPES, near, product, random_pair, response, shuffled, split

from rropt.checker.documents import WorkBudget
from rropt.checker.matrices import multiply
from rropt.core.errors import CertificateError, InvalidMechanismError
from rropt.designs.orders import compare_products, sufficient, sufficient_products
from rropt.designs.orders.garblings import RANK_PRIME, ReducedPair, independent_columns, rounded_payoff, solve_left
from rropt.mechanisms import Mechanism, ProductMechanism, named_mechanism


def _proved(source: Mechanism, target: Mechanism) -> bool:
    """Return the answer, after the checker and plain arithmetic have judged its proof."""
    answer = sufficient(source, target)
    verdict = answer.certificate().check()
    assert verdict, verdict.reason
    if answer.kernel is not None:
        assert answer.task is None
        assert answer.kernel @ source == target
        return True
    task = answer.task
    assert task is not None
    k = source.inputs
    acts = [[(j, y) for j, y in enumerate(row) if y] for row in task.payoff]
    earned = sum(y * row[j] for act, row in zip(acts, target.matrix, strict=True) for j, y in act)
    best = sum(max(sum((y * row[j] for j, y in act), Fraction(0)) for act in acts) for row in source.matrix)
    assert (task.earned, task.best) == (earned / k, best / k)
    assert task.best < task.earned
    assert "no post-processing" in task.explain()
    return False


@pytest.mark.slow
def test_random_pairs_agree_with_an_exact_linear_program(size: Callable[[int, int], int], rng: random.Random) -> None:
    points = size(225, 2250)
    seen: Counter[object] = Counter()
    for n in range(points):
        shape = SHAPES[n % len(SHAPES)]
        source, target = random_pair(shape, rng)
        answer = _proved(source, target)
        assert answer == garbles(source.matrix, target.matrix), (shape, source, target)
        seen[shape, answer] += 1
        seen[sufficient(source, target).route, answer] += 1
    assert all(seen[shape, answer] >= points // 100 for shape in SHAPES for answer in (True, False)), seen
    for route in ("unique kernel", "linear program"):
        assert seen[route, True], route
        assert seen[route, False], route
    assert seen["proposed in floats", False] >= points // 10


STEPS = [Fraction(1, 10**d) for d in (3, 6, 9, 12, 15, 16, 18, 21, 24, 27, 30)]


@few_rows(1)
@pytest.mark.parametrize("k", [2, 3, 10, pytest.param(30, marks=pytest.mark.slow)])
def test_the_boundary_family(k: int) -> None:
    """Odds that are larger by 1e-3 to 1e-30: a float solver calls the two mechanisms the same."""
    for step in STEPS:
        weak, strong = Mechanism(response(k, Fraction(2))), Mechanism(response(k, 2 * (1 + step)))
        assert _proved(strong, weak)
        assert not _proved(weak, strong)
        informative, nothing = Mechanism(response(k, 1 + step)), Mechanism([[Fraction(1, k)] * k] * k)
        assert _proved(informative, nothing)
        assert not _proved(nothing, informative)


@few_rows(1)
@pytest.mark.parametrize(("k", "inner"), [(2, 2), (3, 2), (5, 3), (10, 2)])
def test_the_boundary_family_in_disguise(k: int, inner: int, rng: random.Random) -> None:
    """A (x) Q is a garbling of P (x) Q iff A is one of P (fix the second input); no closed form sees it."""
    for step in STEPS[::3]:
        other = column_stochastic(rng, inner, inner, zeros=0)
        while independent_columns(ReducedPair.of(Mechanism(other), Mechanism(other)).source.rows) is None:
            other = column_stochastic(rng, inner, inner, zeros=0)
        factors = [[Mechanism(response(k, odds)), Mechanism(other)] for odds in (Fraction(2), 2 * (1 + step))]
        weak, strong = (
            Mechanism(shuffled([list(row) for row in ProductMechanism(pair).matrix], rng)) for pair in factors
        )
        assert _proved(strong, weak)
        assert not _proved(weak, strong)


def test_products_are_decided_by_their_factors(size: Callable[[int, int], int], rng: random.Random) -> None:
    seen: Counter[bool] = Counter()
    for n in range(size(30, 400)):
        pairs = [random_pair(rng.choice(SHAPES[:4]), rng), random_pair(SHAPES[n % 4], rng)]
        sources, targets = zip(*pairs, strict=True)
        answer = sufficient_products(sources, targets)
        whole = Mechanism(ProductMechanism(sources)), Mechanism(ProductMechanism(targets))
        assert bool(answer) == bool(sufficient(*whole))
        kernel, task = answer.kernel(), answer.task()
        assert (kernel is None) != (task is None)
        assert kernel is None or kernel @ whole[0] == whole[1]
        seen[bool(answer)] += 1
    assert min(seen[True], seen[False]) >= 5
    spinner = Mechanism.binary("3/4", "3/4")
    with pytest.raises(InvalidMechanismError, match="1 and 2 factors"):
        sufficient_products([spinner], [spinner] * 2)
    compared = compare_products(Mechanism("bits:3/4*2,2/3"), Mechanism("bits:2/3*2,3/4"), fast=True)
    assert compared is not None
    assert re.findall("^Questions? .*:", compared.explain(), re.MULTILINE) == [
        "Questions 0, 1: A is better:",
        "Question 2: A is worse:",
    ]


@pytest.mark.slow
@pytest.mark.parametrize("m", [3, 4, 6])
def test_the_boundary_with_dependent_rows(m: int, rng: random.Random, size: Callable[[int, int], int]) -> None:
    """A deterministic C lies on the boundary of the garblings: steps of 1e-30 are distinguished, by the program."""
    routes: Counter[object] = Counter()
    for _ in range(size(20, 200)):
        p = column_stochastic(rng, m + 2, m, zeros=0.4)
        a = product(column_stochastic(rng, 3, m + 2, zeros=1.0), p)
        assert _proved(Mechanism(p), Mechanism(a))
        moved = Mechanism(near(a, rng, Fraction(1, 10**30)))
        assert _proved(Mechanism(p), moved) == garbles(Mechanism(p).matrix, moved.matrix)
        answer = sufficient(Mechanism(p), moved)
        routes[answer.route, bool(answer)] += 1
    assert routes["linear program", False] >= 3


def test_restatements_do_not_move_the_answer(size: Callable[[int, int], int], rng: random.Random) -> None:
    """Answers in another order, split in proportion; categories in another order, or one twice."""
    points = size(60, 1000)
    for n in range(points):
        source, target = random_pair(SHAPES[n % len(SHAPES)], rng)
        expected = bool(sufficient(source, target))
        order = rng.sample(range(source.inputs), source.inputs)
        order.append(rng.choice(order))
        moved = [
            Mechanism([[row[j] for j in order] for row in split(list(map(list, mechanism.matrix)), rng)])
            for mechanism in (source, target)
        ]
        assert _proved(*moved) == expected
        assert _proved(source, Mechanism(split(list(map(list, source.matrix)), rng)))


def test_numbers_far_below_floats() -> None:
    """Entries of 1e-400 are zero in floats; odds of 1e400 are infinite."""
    tiny = Fraction(1, 10**400)
    source = Mechanism([[tiny, 2 * tiny], [1 - tiny, 1 - 2 * tiny]])
    target = Mechanism([[tiny, 2 * tiny + tiny / 10**50], [1 - tiny, 1 - 2 * tiny - tiny / 10**50]])
    assert not _proved(source, target)
    assert _proved(target, target)
    assert _proved(Mechanism([[1, 0], [0, 1]]), source)


def test_different_questions_are_refused() -> None:
    with pytest.raises(InvalidMechanismError, match="2 and 3 inputs"):
        sufficient(Mechanism.binary("3/4", "3/4"), Mechanism([["1/2"] * 3] * 2))


def test_numbers_too_long_for_the_checker_are_said_to_be() -> None:
    long = Fraction(10**21000 + 7, 3 * 10**21000)
    rows = [[long, Fraction(1, 2)], [1 - long, Fraction(1, 2)]]
    answer = sufficient(Mechanism(rows), Mechanism(rows[::-1]))
    assert answer.route == "permutation"
    with pytest.raises(CertificateError):
        answer.certificate()


def test_a_solution_satisfies_its_equations(size: Callable[[int, int], int], rng: random.Random) -> None:
    solved = 0
    for _ in range(size(40, 400)):
        n, bits = rng.randint(1, 7), rng.choice([3, 40, 200])
        matrix = [[rng.randint(-(2**bits), 2**bits) for _ in range(n)] for _ in range(n)]
        if independent_columns(matrix) is None:
            continue
        right = [[rng.randint(-(2**bits), 2**bits) for _ in range(n)] for _ in range(3)]
        found = solve_left(matrix, right)
        columns = list(zip(*matrix, strict=True))
        assert [[sum(x * b for x, b in zip(row, column, strict=True)) for column in columns] for row in found] == right
        solved += 1
    assert solved >= 30
    # singular modulo the prime alone: the program decides
    assert independent_columns([[RANK_PRIME, 0], [0, 1]]) is None


def test_singular_modulo_the_prime_alone_is_still_decided() -> None:
    p = Fraction(1, RANK_PRIME + 1)
    source = Mechanism([[1 - p, p], [p, 1 - p]])
    target = Mechanism([[1 - 2 * p, 2 * p], [2 * p, 1 - 2 * p]])
    assert _proved(source, target)
    assert not _proved(target, source)
    shape = Mechanism(
        [
            [Fraction(RANK_PRIME + 1, 2 * RANK_PRIME), Fraction(1, 2 * RANK_PRIME)],
            [Fraction(RANK_PRIME - 1, 2 * RANK_PRIME), 1 - Fraction(1, 2 * RANK_PRIME)],
        ]
    )
    weaker = Mechanism.binary("5/6", "5/6") @ shape
    assert _proved(shape, weaker)
    assert not _proved(weaker, shape)


def test_products_by_packing(size: Callable[[int, int], int], rng: random.Random) -> None:
    for _ in range(size(200, 5000)):
        a, b, c = (rng.randint(1, 6) for _ in range(3))
        bits = rng.choice([1, 7, 8, 63, 300])
        left = [[rng.choice([0, rng.randint(-(2**bits), 2**bits)]) for _ in range(b)] for _ in range(a)]
        right = [[rng.choice([0, rng.randint(-(2 ** (bits // 2)), 2**bits)]) for _ in range(c)] for _ in range(b)]
        expected = [[sum(left[i][x] * right[x][j] for x in range(b)) for j in range(c)] for i in range(a)]
        assert multiply(left, right, WorkBudget()) == expected
    largest = [[-(2**64)] * 5] * 3
    assert multiply(largest, [[2**64] * 4] * 5, WorkBudget()) == [[-5 * 2**128] * 4] * 3


def test_a_payoff_that_proves_nothing_is_a_defect() -> None:
    pair = ReducedPair.of(Mechanism.binary("3/4", "3/4"), Mechanism.binary("2/3", "2/3"))
    for stakes in ([Fraction(1), Fraction(-3)], [Fraction(0), Fraction(0)]):
        with pytest.raises(CertificateError, match="fails its exact check"):
            rounded_payoff(pair, {0: stakes})
        assert rounded_payoff(pair, {0: stakes}, most=30) is None


@pytest.mark.slow
def test_unary_encodings_are_compared_bit_by_bit() -> None:
    """Every bit randomized again: the kernel is the Kronecker product of 2 x 2 kernels, and it is certified."""
    points = 0
    for k in (3, 4, 6):
        for weaker in ("2/3,1/3", "1/2,1/2", "5/8,3/8"):
            strong, weak = (named_mechanism(f"unary:{k},{pair}") for pair in ("3/4,1/4", weaker))
            answer = sufficient(strong, weak)
            assert answer.route == "independent bits"
            assert answer.kernel is not None
            assert strong.then(answer.kernel) == weak
            assert answer.certificate().check()
            points += 1
    assert points == 9
    for other in ("unary:3,7/8,1/4", "unary:3,3/4,1/8"):  # more is revealed about some bit: not of this form
        assert sufficient(named_mechanism("unary:3,3/4,1/4"), named_mechanism(other)).route != ("independent bits")


def test_comparison_operators_are_blackwells_order() -> None:
    """As of sets, neither of two incomparable mechanisms is at least as good as the other."""
    better, worse = Mechanism("warner:3/4"), Mechanism("warner:2/3")
    assert better >= worse
    assert worse <= better
    assert not worse >= better
    assert better >= better
    one, other = Mechanism([["1", "1/2"], ["0", "1/2"]]), Mechanism([["1/2", "0"], ["1/2", "1"]])
    assert not one >= other
    assert not other >= one
    with pytest.raises(TypeError, match="not supported between"):
        assert better >= 3
    with pytest.raises(InvalidMechanismError, match="cannot be compared"):
        assert better >= Mechanism("grr:3,1/2")
