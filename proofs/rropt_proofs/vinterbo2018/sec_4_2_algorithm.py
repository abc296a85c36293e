"""Section 4.2: the estimate of the marginal distribution of some bits."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product as tuples

from rropt.claims import Claim, Condition, Domain, Point
from rropt_proofs._matrices import Row
from rropt_proofs.vinterbo2018 import PAPER
from rropt_proofs.vinterbo2018._paper import (
    INDEX,
    ONE,
    POPULATION,
    A,
    Bits,
    estimate,
    image,
    index,
    invertible,
    iterated,
    kept,
    length_of,
    string,
)

MEAN, SAME = "the mean of the estimate", "the estimate from two responses"


def marginal(values: Sequence[Fraction], bits: Bits, i: int) -> Fraction:
    """Return the sum of the values of all strings whose bits at these places make the index i."""
    n = length_of(values)
    return sum((v for x, v in enumerate(values) if index([string(x, n)[b] for b in bits]) == i), Fraction(0))


def steps(responses: Sequence[Bits], bits: Bits, a: Fraction) -> Row:
    """Return the estimate by the two steps of section 4.2."""
    counts = [0] * 2 ** len(bits)
    for response in responses:
        counts[index([response[b] for b in bits])] += 1
    back = a / (2 * a - 1)
    return estimate(iterated(back, 1 - back, len(bits)), counts)


def _responses(point: Point) -> list[Bits]:
    """Two responses: the string i, and all ones."""
    n = length_of(point["pi"])
    return [string(point["i"] % 2**n, n), (1,) * n]


def theory(point: Point) -> dict[str, Fraction]:
    """The marginal of pi; the marginal of the estimate of the whole distribution."""
    bits, n, a = point["K"], length_of(point["pi"]), Fraction(point["a"])
    return {
        MEAN: marginal(point["pi"], bits, point["i"]),
        SAME: marginal(steps(_responses(point), tuple(range(n)), a), bits, point["i"]),
    }


def computed(point: Point) -> dict[str, Fraction]:
    """The mean over two independent responses; and the estimate itself."""
    bits, n, a, i = point["K"], length_of(point["pi"]), Fraction(point["a"]), point["i"]
    chances = image(kept(a, n), point["pi"])
    pairs = tuples(range(2**n), repeat=2)
    mean = sum((chances[r] * chances[s] * steps([string(r, n), string(s, n)], bits, a)[i] for r, s in pairs), 0 * ONE)
    return {MEAN: mean, SAME: steps(_responses(point), bits, a)[i]}


def mutant(point: Point) -> dict[str, Fraction]:
    """The marginal of the other bits."""
    n = length_of(point["pi"])
    others = tuple(b for b in range(n) if b not in point["K"]) or point["K"]
    return {**theory(point), MEAN: marginal(point["pi"], others, point["i"])}


CLAIM = Claim(
    id="vinterbo2018.sec-4.2-algorithm",
    source=f"{PAPER}, section 4.2",
    place=(4, 12),
    printed=r"By Theorem 4.4 we can then estimate the marginal multinomial distribution parameter $\hat\pi_K$ for the "
    r"bits indexed by the $k$ bits in $K$ as follows: [...] let $y=(y_0,y_1,\ldots,y_{2^k-1})$ where "
    r"$y_i=|\{j\mid\eta(r_j[K])=i\}|$, i.e., $y$ is the histogram over observed sub-sequences, and [...] "
    r"$\hat\pi_K=m^{-1}{C_{\frac a{2a-1}}(k)\;y}$.",
    precise="For n bits that are each kept with probability a != 1/2, and every set K of bits: the estimate has the "
    "mean pi_K, the distribution of the bits in K under pi; and it is the marginal of the estimate of the whole pi, "
    "response by response.",
    variables={
        "pi": POPULATION,
        "a": A,
        "K": Domain.values("the bits in K, in order", (0,), (1,), (0, 1)),
        "i": INDEX,
    },
    assumptions=(
        invertible,
        Condition("K are bits of the strings", lambda p: max(p["K"]) < length_of(p["pi"])),
        Condition("i is an index: below 2^k", lambda p: p["i"] < 2 ** len(p["K"])),
    ),
    theory=theory,
    computed=computed,
    mutant=mutant,
    count=100,
    notes="Bits are identical, so the order of the factors (theorem-4.1) does not matter here. The estimates may leave "
    "[0, 1]: see sec-3.2-mle.",
)
