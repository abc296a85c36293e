"""The sum of the squares of a column of C^{-1}, the c of Lemma 4.5, for devices by their definitions."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from rropt.claims import Domain, Law, Point
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


def squares_by_bits(a: str, printed: str, over: Callable[..., Any], name: str = "") -> Law:
    """Return the sum of squares of a column of the inverse of n bits that are kept with probability a, as a mean.

    The rows i are strings; with each bit of i drawn by a fair coin, and each square doubled, the mean ``sum`` is the
    sum over all i. ``power`` is the n-th power of what is printed for one bit.
    """
    one, other = f"({a})**2/(2*({a}) - 1)**2", f"(1 - ({a}))**2/(2*({a}) - 1)**2"
    w, f, total, power = (f"{part}{name}" for part in ("w", "f", "sum", "power"))
    next_power = f"{f}*({printed})"
    return Law(
        over=over,
        start={w: 1, f: 1},
        outcomes=[("1/2", {w: f"2*{w}*{one}", f: next_power}), ("1/2", {w: f"2*{w}*{other}", f: next_power})],
        means={total: w, power: f},
        invariants=f"{total} == {power}",
    )


def all_bits(point: Point, _: Any) -> list[dict[str, Any]]:
    """One element for each bit."""
    return [{}] * point["n"]
