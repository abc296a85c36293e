"""Proposition 4.8: the recursion takes a time that is linear in the number of entries."""

from __future__ import annotations

from fractions import Fraction

from rropt.claims import Bound, Claim, Domain, Point
from rropt_proofs.vinterbo2018 import PAPER
from rropt_proofs.vinterbo2018._paper import keeping


class _Counting:
    """Multiplies entries, and counts how often."""

    def __init__(self) -> None:
        self.done = 0

    def kronecker(self, left: list[list[Fraction]], right: list[list[Fraction]]) -> list[list[Fraction]]:
        self.done += len(left) * len(left[0]) * len(right) * len(right[0])
        return [[x * y for x in first for y in second] for first in left for second in right]

    def matrix(self, a: Fraction, n: int) -> list[list[Fraction]]:
        """Return C_a(n) by Definition 4.1."""
        return self.kronecker([list(row) for row in keeping(a)], self.matrix(a, n - 1)) if n > 0 else [[Fraction(1)]]


def theory(point: Point) -> Bound:
    """At most 4/3 times the number of entries."""
    return Bound("at-most", Fraction(4, 3) * 4 ** point["n"])


def computed(point: Point) -> Fraction:
    """The number of multiplications of a run."""
    counting = _Counting()
    counting.matrix(Fraction(3, 4), point["n"])
    return Fraction(counting.done)


def mutant(point: Point) -> Bound:
    """At most 5/4 times: false from n = 2 on."""
    return Bound("at-most", Fraction(5, 4) * 4 ** point["n"])


CLAIM = Claim(
    id="vinterbo2018.proposition-4.8",
    source=f"{PAPER}, Proposition 4.8",
    place=(4, 15),
    printed=r"The simply recursive algorithm $C_a(n)$ can be implemented to run in time that is linear in the number "
    r"of entries of the output matrix.",
    precise="Counting multiplications of entries: the recursion of Definition 4.1 makes at most 4/3 times 4^n of them, "
    "the number of entries of the matrix.",
    variables={"n": Domain("n, the number of bits", (0, 1, 2, 3, 4, 5), None, "x >= 0")},
    theory=theory,
    computed=computed,
    mutant=mutant,
    notes="Linear in the 4^n entries, that is quadratic in the 2^n categories. To apply the inverse to a histogram no "
    "matrix is needed: bit by bit it takes n 2^n multiplications. Exact fractions grow with n; an operation is counted "
    "as one step, as in the paper.",
)
