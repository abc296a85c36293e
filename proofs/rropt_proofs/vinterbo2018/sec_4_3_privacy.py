"""Section 4.3: the privacy of bitwise independent randomizers for inputs that differ in at most k bits."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import cache
from typing import Any

from rropt.claims import Bound, Claim, Condition, Domain, Point, Proof
from rropt_proofs._matrices import Rows
from rropt_proofs.vinterbo2018 import PAPER
from rropt_proofs.vinterbo2018._paper import bit_randomizer, differing, index, keeping, kept, randomizer, string

ONE_BIT, GENERAL, ITERATED, ANSWER = (
    "l_M of C_a",
    "the largest ratio under R(M_0, ..., M_{n-1})",
    "the largest ratio under n bits with C_a",
    "the largest l_M(r) without a bound on the bits, n bits with C_a",
)


def ratio_of(rows: Rows) -> Fraction:
    """Return l_M, the largest ratio of two entries of a row."""
    return max(max(row) / min(row) for row in rows)


def privacy_loss(rows: Rows, n: int, k: int) -> Fraction:
    """Return the largest ratio of probabilities of a response for two inputs that differ in at most k bits."""
    return max(row[x] / row[y] for row in rows for x, y in _pairs(n, k))


@cache
def _pairs(n: int, k: int) -> tuple[tuple[int, int], ...]:
    """Return the pairs of inputs that differ in at most k bits, and in one at least."""
    strings = [string(x, n) for x in range(2**n)]
    return tuple((index(x), index(y)) for x in strings for y in strings if 0 < differing(x, y) <= k)


def _sorted(*bits: Rows) -> tuple[Rows, ...]:
    return tuple(sorted(bits, key=ratio_of, reverse=True))


def draw(rng: random.Random) -> tuple[Rows, ...]:
    return _sorted(
        *(
            bit_randomizer(Fraction(rng.randint(1, 11), 12), Fraction(rng.randint(1, 11), 12))
            for _ in range(rng.randint(1, 2))
        )
    )


def theory(point: Point) -> dict[str, Any]:
    """r(a), the product of the k first l, and r(a)^k; with k = n, r(a)^n."""
    a, k, bits = Fraction(point["a"]), point["k"], point["M"]
    r = max((1 - a) / a, a / (1 - a))
    first = Fraction(1)
    for rows in bits[:k]:
        first *= ratio_of(rows)
    return {
        ONE_BIT: r,
        GENERAL: Bound("at-most", first),
        ITERATED: Bound("at-most", r**k),
        ANSWER: Bound("at-most", r ** len(bits)),
    }


def computed(point: Point) -> dict[str, Fraction]:
    """The largest ratio of two entries of a row, over all pairs of inputs that differ in at most k bits."""
    a, k, bits = Fraction(point["a"]), point["k"], point["M"]
    n = len(bits)
    same = kept(a, n)
    return {
        ONE_BIT: ratio_of(keeping(a)),
        GENERAL: privacy_loss(randomizer(bits), n, k),
        ITERATED: privacy_loss(same, n, k),
        ANSWER: ratio_of(same),
    }


def mutant(point: Point) -> dict[str, Any]:
    """The k last bits."""
    last = Fraction(1)
    for rows in point["M"][-point["k"] :]:
        last *= ratio_of(rows)
    return {**theory(point), GENERAL: Bound("at-most", last)}


def proof() -> Proof:
    return Proof(
        scope="all n, 1 <= k <= n, all positive matrices",
        argument="The chance of a response is a product over the bits. Equal bits of two inputs have equal factors, "
        "the others a ratio of at most l. At most k bits differ, and every l is at least 1.",
        unchecked_steps=(
            "the chances of a response are products over bits, in which equal bits of two inputs have equal factors "
            "and others a ratio of at most l, for every response and pair of inputs",
            "a product over at most k bits is at most that of the k first, each at least 1, as the l are sorted",
        ),
    )


CLAIM = Claim(
    id="vinterbo2018.sec-4.3-privacy",
    source=f"{PAPER}, section 4.3",
    place=(4, 16),
    printed=r"Now consider $R(M)$ for $n$ bit randomizers $M=(M_i)_{i=0}^{n-1}$ such that $l_{M_i}\ge l_{M_{i+1}}$, "
    r"and let $k\ge|x\oplus x'|$ for any $x,x'$ given as input to $R(M)$. Then $l=\prod_{i=0}^{k-1}l_{M_i}$ "
    "can be an upper bound of privacy loss for any respondent. Specifically, $R(M)$ is then a "
    r"$\log(l)$-differentially private algorithm. Now assume that $M$ is bisymmetric. Exploiting the structure "
    r"of $M$, we get that $l_M=l_a=r(a)$ where $r(a)=\max(a^{-1}(1-a),a(1-a)^{-1})$. If $R(M)$ is an iterated "
    "bisymmetric randomizer, i.e., $C_{R(M)}=C_a(m)$, then $l=(l_a)^k$, and we have that $R(M)$ is "
    r"$\alpha$-differentially private for $\alpha=\log(l_a^k)=k\log(r(a))$.",
    precise="For positive matrices, l_M sorted, and 1 <= k <= n (there are n factors): for every response the chances "
    "under two inputs that differ in at most k bits have a ratio of at most the product of the k largest l_M; for n "
    "bits with C_a, 0 < a < 1, of at most r(a)^k. A ratio for responses bounds that for every set of responses.",
    variables={
        "M": Domain(
            "bit randomizers, the largest l_M first",
            (
                (keeping(Fraction(3, 4)),),
                _sorted(bit_randomizer("4/5", "2/3"), keeping(Fraction(3, 4))),
                _sorted(keeping(Fraction(1, 2)), keeping(Fraction(9, 10)), bit_randomizer("1/2", "3/4")),
                _sorted(*[keeping(Fraction(1, 4))] * 3),
            ),
            draw,
        ),
        "a": Domain.values("a", *map(Fraction, ("1/100", "1/3", "1/2", "3/4", "9/10"))),
        "k": Domain("k, the most bits in which two inputs differ", (1, 2, 3), lambda rng: rng.randint(1, 2), "x >= 1"),
    },
    assumptions=(Condition("k is at most n", lambda p: p["k"] <= len(p["M"])),),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
    count=30,
    notes="C_a(m) is printed for C_a(n). Both bounds are attained for k <= n. Neighbours are two inputs of one "
    "respondent (`overlap in all but one`, with the number of respondents fixed).",
)
