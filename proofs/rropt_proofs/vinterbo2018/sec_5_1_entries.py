"""Section 5.1: the entries of the unrelated-question device, two ways."""

from __future__ import annotations

from fractions import Fraction
from itertools import product as tuples
from math import comb

from rropt.claims import Claim, Domain, Point, exact_cache
from rropt_proofs.vinterbo2018 import PAPER
from rropt_proofs.vinterbo2018._paper import INDEX, LENGTH, ONE, are_indices, differing, string

FIRST, SECOND, MANY, WEIGHT = (
    "c_{r,x} as a sum",
    "C_M by Theorem 4.4",
    "the number of strings u >= d",
    "P(Z =_u r), u = x",
)
CHOICE = Domain.interval("p = Pr(the unrelated question)", 0, 1, also=("1/4", "1/2", "2/3"))


@exact_cache
def _ways(n: int, r: int, x: int) -> tuple[int, ...]:
    """Return for each |u| how many pairs (u, z) turn x into r."""
    before, after = string(x, n), string(r, n)
    ways = [0] * (n + 1)
    for u in tuples((0, 1), repeat=n):
        for z in tuples((0, 1), repeat=n):
            ways[sum(u)] += all(a == (c if b else d) for a, b, c, d in zip(after, u, z, before, strict=True))
    return tuple(ways)


def device(p: Fraction, n: int, r: int, x: int) -> Fraction:
    """Return P(r = A(x, U, Z)), over all u and z."""
    ways = enumerate(_ways(n, r, x))
    return sum((count * p**u * (1 - p) ** (n - u) for u, count in ways if count), Fraction(0)) / 2**n


def theory(point: Point) -> dict[str, Fraction]:
    p, n = Fraction(point["p"]), point["n"]
    d = differing(string(point["r"], n), string(point["x"], n))
    first = sum((comb(n - d, i) * (p / 2) ** (i + d) * (1 - p) ** (n - (i + d)) for i in range(n - d + 1)), Fraction(0))
    return {
        FIRST: first,
        SECOND: p**d * (2 - p) ** (n - d) / 2**n,
        MANY: Fraction(2 ** (n - d)),
        WEIGHT: Fraction(1, 2) ** sum(string(point["x"], n)),
    }


def computed(point: Point) -> dict[str, Fraction]:
    """The device itself, and counts of strings."""
    n, r = point["n"], string(point["r"], point["n"])
    chance, u = device(Fraction(point["p"]), n, point["r"], point["x"]), string(point["x"], n)
    turned = [a ^ b for a, b in zip(r, u, strict=True)]
    strings = list(tuples((0, 1), repeat=n))
    above = [each for each in strings if all(b >= a for a, b in zip(turned, each, strict=True))]
    same = [z for z in strings if all(a == b for a, b, c in zip(z, r, u, strict=True) if c)]
    return {FIRST: chance, SECOND: chance, MANY: len(above) * ONE, WEIGHT: len(same) * ONE / 2**n}


def mutant(point: Point) -> dict[str, Fraction]:
    """1 - p in the place of 2 - p."""
    p, n = Fraction(point["p"]), point["n"]
    d = differing(string(point["r"], n), string(point["x"], n))
    return {**theory(point), SECOND: p**d * (1 - p) ** (n - d) / 2**n}


CLAIM = Claim(
    id="vinterbo2018.sec-5.1-entries",
    source=f"{PAPER}, section 5.1",
    place=(5, 1),
    printed=r"$P(Z=_ur)=(1/2)^{|u|}$. Furthermore, there are $2^{n-|d|}$ strings $u$ such that $u\ge d$, [...] "
    r"$c_{r,x}=P(r=A(x,U,Z))=\sum_{i=0}^{n-|d|}\binom{n-|d|}{i}\left(\frac "
    r"p2\right)^{i+|d|}(1-p)^{n-(i+|d|)}$. If we instead note that each bit is randomized independently by a "
    r"bit randomizer $M_S$ with matrix $C_{\frac{2-p}2}$, then by applying Theorem 4.4 we get that for $n\ge1$ "
    r"${C_M}_{r,x}=\frac{p^{|x\oplus r|}{\left(2-p\right)}^{n-|x\oplus r|}}{2^n}$. Algebraic manipulations "
    "yield that $c_{r,x}={C_M}_{r,x}$,",
    precise="For every n >= 1, 0 <= p <= 1 and all strings r, x, d = r xor x: both formulas are the chance that the "
    "device turns x into r, summed over all u and z; and the two counts before them.",
    variables={"p": CHOICE, "n": LENGTH, "r": INDEX, "x": INDEX},
    assumptions=(are_indices,),
    theory=theory,
    computed=computed,
    mutant=mutant,
    count=60,
)
