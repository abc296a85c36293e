"""Section 4.2: identical bits as x xor u."""

from __future__ import annotations

from fractions import Fraction

from rropt.claims import Claim, Point
from rropt_proofs.vinterbo2018 import PAPER
from rropt_proofs.vinterbo2018._paper import INDEX, LENGTH, A, are_indices, iterated, string


def theory(point: Point) -> Fraction:
    """The entry (r, x) of C_a(n)."""
    a = Fraction(point["a"])
    return iterated(a, 1 - a, point["n"])[point["r"]][point["x"]]


def computed(point: Point) -> Fraction:
    """P(x xor U = r), over all u."""
    a, n = Fraction(point["a"]), point["n"]
    x, chance = point["x"], Fraction(0)
    for u in range(2**n):
        ones = sum(string(u, n))
        chance += (1 - a) ** ones * a ** (n - ones) * int(x ^ u == point["r"])
    return chance


def mutant(point: Point) -> Fraction:
    """Success with probability a."""
    a = Fraction(point["a"])
    return iterated(1 - a, a, point["n"])[point["r"]][point["x"]]


CLAIM = Claim(
    id="vinterbo2018.sec-4.2-xor",
    source=f"{PAPER}, section 4.2",
    place=(4, 14),
    printed=r"A randomizer with $C_M=C_a(n)$ can be implemented as $M(x)=x\oplus u$, where $u$ is a length $n$ "
    r"sequence of independent Bernoulli trials with success probability $1-a$.",
    precise="For every n >= 1, 0 <= a <= 1 and all strings r, x: the chance of r = x xor u, summed over all u.",
    variables={"a": A, "n": LENGTH, "r": INDEX, "x": INDEX},
    assumptions=(are_indices,),
    theory=theory,
    computed=computed,
    mutant=mutant,
    count=60,
)
