"""The sum of the squares of a column of C^{-1}, the c of Lemma 4.5, for devices by their definitions."""

from __future__ import annotations

from fractions import Fraction

from rropt.claims import Domain
from rropt_proofs._matrices import Rows
from rropt_proofs.vinterbo2018._paper import inverse, keeping, randomizer
from rropt_proofs.vinterbo2018.sec_5_1_entries import device

BITS = Domain("n, the number of bits", (1, 2), None, "x >= 1")


def unrelated_question(p: Fraction, n: int) -> Rows:
    """Return the matrix of the unrelated-question device."""
    return tuple(tuple(device(p, n, r, x) for x in range(2**n)) for r in range(2**n))


def warner(p: Fraction, n: int) -> Rows:
    """Return the matrix of Warner's spinner, used for each of n bits."""
    return randomizer([keeping(p)] * n)


def column_of_squares(rows: Rows) -> Fraction:
    """Return the sum of the squares of the first column of the inverse.

    Raises:
        ZeroDivisionError: there is no inverse.
    """
    back = inverse(rows)
    if back is None:
        raise ZeroDivisionError("C has no inverse")
    return sum((row[0] ** 2 for row in back), Fraction(0))
