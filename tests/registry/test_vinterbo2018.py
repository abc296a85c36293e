"""Vinterbo (2018): verdicts, counterexamples, figures, and readings that an entry does not decide by itself."""

from __future__ import annotations

from fractions import Fraction
from functools import reduce
from itertools import product

from shared_outcomes import Claims

from rropt.claims.claim import sides
from rropt_proofs import _matrices
from rropt_proofs.vinterbo2018 import _paper as paper
from rropt_proofs.vinterbo2018._figure_rows import PROGRAM, figure_1a, figure_1a_approximation, stick_breaking
from rropt_proofs.vinterbo2018._greenwood import centred_moments, mean_of_inverse, power_means

CLAIMS = Claims(["vinterbo2018"])


def test_the_order_of_the_factors() -> None:
    """Bit 0 is the lowest digit of eta, and the leftmost factor of a Kronecker product the highest."""
    bits = [paper.bit_randomizer("4/5", "2/3"), paper.keeping(Fraction(3, 4)), paper.bit_randomizer("1/2", "5/6")]
    matrix = paper.randomizer(bits)
    assert matrix != reduce(_matrices.kronecker, bits)
    assert matrix == reduce(_matrices.kronecker, bits[::-1])
    assert matrix[paper.index((1, 0, 0))][paper.index((0, 0, 0))] == Fraction(1, 5) * Fraction(3, 4) * Fraction(1, 2)


def test_an_estimate_outside_the_simplex_is_not_the_most_likely() -> None:
    """a = 3/4 and one response 0: the formula gives (3/2, -1/2), where the likelihood would be 1; (1, 0) has 3/4."""
    rows = paper.keeping(Fraction(3, 4))
    assert paper.estimate(_matrices.adjugate_inverse(rows), (1, 0)) == (Fraction(3, 2), Fraction(-1, 2))
    grid = [(Fraction(i, 20), Fraction(20 - i, 20)) for i in range(21)]
    assert max(grid, key=lambda pi: paper.image(rows, pi)[0]) == (1, 0)


def test_rounding_the_sample_size_down_is_not_enough() -> None:
    """Proposition 3.1 at a = 9/10, pi = (1/2, 1/2), m = 1: L = 25/16, and one response has a larger error."""
    pi = paper.shares("1/2 1/2")
    rows, direct = paper.keeping(Fraction(9, 10)), _matrices.identity(2)
    one, true = (paper.error_of_one(matrix, pi) for matrix in (rows, direct))
    assert one / true == Fraction(25, 16)
    assert one > true
    assert one / 2 <= true  # rounded up


def test_the_literal_estimator_would_lose_nothing() -> None:
    """With Y = C X read as a product of a matrix and a vector, m^-1 C^-1 Y is the direct estimator."""
    rows = paper.keeping(Fraction(3, 4))
    assert paper.image(_matrices.adjugate_inverse(rows), paper.image(rows, (Fraction(2), Fraction(1)))) == (2, 1)


def test_independence_given_the_input_alone_is_not_enough() -> None:
    """Bit 0 is turned with probability 1/4 or 1/3 as bit 1 is 0 or 1: no Kronecker product of two matrices."""
    strings = list(product((0, 1), repeat=2))
    turn = {0: Fraction(1, 4), 1: Fraction(1, 3)}
    chance = {
        (r, x): (turn[x[1]] if r[0] != x[0] else 1 - turn[x[1]]) * (Fraction(3, 4) if r[1] == x[1] else Fraction(1, 4))
        for r in strings
        for x in strings
    }
    first = {x: sum(chance[(1, b), x] for b in (0, 1)) for x in strings}
    second = {x: sum(chance[(b, 1), x] for b in (0, 1)) for x in strings}
    assert all(chance[(1, 1), x] == first[x] * second[x] for x in strings)  # independent given x
    assert first[0, 0] != first[0, 1]  # but bit 0 of the response hangs on bit 1 of x


def test_means_of_powers_by_two_routes() -> None:
    """The expansion of (sum p_i^2)^k and sticks that are broken give the same first two moments."""
    for size in (2, 3, 4, 8):
        assert power_means(size, 2)[1:] == stick_breaking(size)
    assert power_means(2, 2)[2] == Fraction(7, 15)  # the integral of (u^2 + (1-u)^2)^2
    mean, variance, _ = centred_moments(8)
    assert (mean, variance) == (Fraction(2, 9), Fraction(14, 4455))


def test_the_mean_of_the_inverse_is_enclosed() -> None:
    low, high = mean_of_inverse(8)
    assert 0 < high - low < Fraction(1, 10**5)
    assert low > 1 / (1 - Fraction(2, 9))  # Jensen
    assert Fraction("1.29361") < low < high < Fraction("1.29363")


def test_the_printed_figures() -> None:
    """L = 9.75 is the approximation at n = 2; the loss itself is 1177/127."""
    rows = figure_1a() + figure_1a_approximation()
    assert [value for _, value, _, _ in rows] == [Fraction(1177, 127), Fraction(39, 4)]
    figures, _ = CLAIMS["vinterbo2018.proposition-4.7-figures"]
    for n, low, high in ((3, "0.2385", "0.2386"), (4, "0.0020", "0.0021")):
        assert Fraction(low) < sides(figures.rows({"n": n}))[1]["delta(n)"] < Fraction(high)


def test_the_program_is_the_printed_one() -> None:
    """Eleven lines: four for the matrix, with the import, and seven more."""
    lines = [line for line in PROGRAM.splitlines() if line]
    assert len(lines) == 11
    assert "x = 2**(n-1-arange(n))" in PROGRAM
