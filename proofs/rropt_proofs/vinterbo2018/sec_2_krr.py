"""Section 2: where the family meets k-ary randomized response."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rropt.claims import Bound, Claim, Condition, Domain, Point
from rropt.claims.outcomes import value_text
from rropt_proofs.vinterbo2018 import PAPER
from rropt_proofs.vinterbo2018._paper import kept

ONE, MORE = "n = 1: largest minus least entry off the diagonal", "n bits: largest minus least entry off the diagonal"


def _gap(a: Fraction, n: int) -> Fraction:
    rows = kept(a, n)
    entries = [x for i, row in enumerate(rows) for j, x in enumerate(row) if i != j]
    return max(entries) - min(entries)


def theory(_: Point) -> dict[str, Any]:
    """k-RR has one value off the diagonal: so has one bit, and no n >= 2 bits have."""
    return {ONE: Fraction(0), MORE: Bound("greater", Fraction(0))}


def computed(point: Point) -> dict[str, Fraction]:
    """The largest minus the least entry off the diagonal, of the matrix of one bit and of n bits."""
    a = Fraction(point["a"])
    return {ONE: _gap(a, 1), MORE: _gap(a, point["n"])}


def mutant(_: Point) -> dict[str, Any]:
    """A gap of 1/100."""
    return {ONE: Fraction(0), MORE: Bound("greater", Fraction(1, 100))}


def working(point: Point) -> str:
    """The matrix."""
    a, n = Fraction(point["a"]), point["n"]
    return (
        f"C_a({n}) = {value_text(kept(a, n))}: one value on the diagonal and one elsewhere, which is k-RR with k = "
        f"{2**n} and exp(epsilon) = {'infinite' if a == 1 else '1'}"
    )


CLAIM = Claim(
    id="vinterbo2018.sec-2-krr",
    source=f"{PAPER}, section 2",
    place=(2, 1),
    printed=r"They show that for $n=1$ Warner's proposal is optimal for any loss and any differential privacy level. "
    r"This is the only case where the $k$-RR family of staircase mechanisms intersects the family of randomizers "
    r"presented here in this paper.",
    precise="k-RR has one value on the diagonal and one off it. For every 0 <= a <= 1: C_a(1) is such a matrix; for no "
    "n >= 2 is C_a(n), since two of its entries off the diagonal differ.",
    variables={
        "a": Domain.interval("a", 0, 1, also=("1/4", "1/2", "3/4")),
        "n": Domain("n, the number of bits", (2, 3), None, "x >= 2"),
    },
    missing=(
        Condition(r"$a\ne\frac12$: the response says something of the truth, $\varepsilon>0$", "(2*a - 1)**2 > 0"),
        Condition(r"$a<1$: the response is not the truth itself, $\varepsilon<\infty$", "a < 1"),
    ),
    theory=theory,
    computed=computed,
    mutant=mutant,
    working=working,
    count=100,
    notes="At a = 1/2 all responses have the chance 2^{-n}, which is k-RR with epsilon = 0; at a = 1 the matrix is the "
    "identity, k-RR with epsilon = infinity. The same two are the only ones among all R(M), bits with different "
    "matrices included. The first sentence is a theorem of another paper; see corollary-2.",
)
