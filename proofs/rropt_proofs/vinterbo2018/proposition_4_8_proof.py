"""Proposition 4.8, its proof: the sum."""

from __future__ import annotations

from fractions import Fraction

from rropt.claims import Claim, Condition, Correction, Domain, Point
from rropt_proofs.vinterbo2018 import PAPER

TIME, GEOMETRIC = "t(n)", "4k sum_{i=0}^n 4^i"


def theory(point: Point) -> dict[str, Fraction]:
    """Both as printed: a sum of n + 1 terms, and its closed form."""
    n, k = point["n"], Fraction(point["k"])
    return {
        TIME: sum((4 * k * 4**i for i in range(n + 1)), Fraction(0)),
        GEOMETRIC: 4 * k * (1 + Fraction(4**n - 1, 3)),
    }


def computed(point: Point) -> dict[str, Fraction]:
    """The recursion t(n) = t_f(4^{n-1}) + t(n-1) from t(0) = 0, and the sum term by term."""
    k, time, total, entries = Fraction(point["k"]), Fraction(0), Fraction(0), 1
    for _ in range(point["n"]):
        time, total, entries = time + 4 * k * entries, total + 4 * k * entries, 4 * entries
    return {TIME: time, GEOMETRIC: total + 4 * k * entries}


def corrected(point: Point) -> dict[str, Fraction]:
    n, k = point["n"], Fraction(point["k"])
    return {TIME: 4 * k * Fraction(4**n - 1, 3), GEOMETRIC: 4 * k * Fraction(4 ** (n + 1) - 1, 3)}


def mutant(point: Point) -> dict[str, Fraction]:
    """Without the 1 that is taken off."""
    said = corrected(point)
    return {**said, TIME: said[TIME] + 4 * Fraction(point["k"]) / 3}


def working(point: Point) -> str:
    """The terms."""
    n, k = point["n"], Fraction(point["k"])
    made = " + ".join(f"4k 4^{i}" for i in range(n))
    return (
        f"k = {k}: C_a({n}) is made of products with C_a({n - 1}), ..., C_a(0), which have 4^{n - 1}, ..., 4^0 "
        f"entries: t = {made} = {computed(point)[TIME]}; the printed sum has the term i = {n} as well\n4k(4^0 + ... "
        f"+ 4^{n}) = {computed(point)[GEOMETRIC]}, while 4k(1 + (4^{n} - 1)/3) = {theory(point)[GEOMETRIC]}"
    )


CLAIM = Claim(
    id="vinterbo2018.proposition-4.8-proof",
    source=f"{PAPER}, appendix A, proof of Proposition 4.8",
    place=(6, 3),
    printed=r"Then we can compute $R_{a,b}(n)$ at a time cost of "
    r"$t(n)=t_f(2^{2(n-1)})+t(n-1)=\sum_{i=0}^nt_f(2^{2i})=\sum_{i=0}^nt_f(4^i)$. Letting $t_f(n)=k4n$ for some $k$, "
    r"then $t(n)=4k\sum_{i=0}^n2^{2i}=4k\sum_{i=0}^n4^i=4k(1+\frac{1-4^n}{1-4})=4k(1+\frac{4^n-1}3)$.",
    precise="For n >= 1 and k > 0: the solution of the recursion with t(0) = 0 (nothing is multiplied for n = 0) is "
    "the printed sum; and that sum has the printed closed form.",
    variables={
        "n": Domain("n, the number of bits", (1, 2, 3, 6), lambda rng: rng.randint(1, 9), "x >= 1"),
        "k": Domain.interval("k, the cost of one entry", 0, 9, also=(1, 3)),
    },
    assumptions=(Condition("k > 0", "k > 0"),),
    theory=theory,
    computed=computed,
    mutant=mutant,
    correction=Correction(
        r"$t(n)=\sum_{i=0}^{n-1}t_f(4^i)=4k\frac{4^n-1}3$. ($4k\sum_{i=0}^n4^i=4k\frac{4^{n+1}-1}3$.)", corrected
    ),
    working=working,
    notes="The first sum has one term too many, its closed form one too few: 1 + (4^n - 1)/3 would be the sum from 0 "
    "to n - 1, plus 1. With another t(0) the term i = n is too many all the same. The order 4^n, and so the "
    "proposition, is not affected.",
)
