"""Lemma 4.5: the trace of the covariance matrix."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rropt.claims import Anchored, Claim, Domain, Entry, Flag, Fold, Law, Point, Value
from rropt_proofs.vinterbo2018 import PAPER
from rropt_proofs.vinterbo2018._paper import (
    POPULATION,
    A,
    estimator_error,
    invertible,
    kept,
    length_of,
    spread_of,
    squares,
    string,
)


def theory(point: Point) -> Fraction:
    """(c - s)/m."""
    return (spread_of(Fraction(point["a"]), length_of(point["pi"])) - squares(point["pi"])) / Fraction(point["m"])


def computed(point: Point) -> Fraction:
    """The sum of the variances over the distribution of the histogram of m responses."""
    rows = kept(Fraction(point["a"]), length_of(point["pi"]))
    return estimator_error(rows, point["pi"], point["m"])


def mutant(point: Point) -> Fraction:
    """1 - s in the place of c - s: the trace of the direct estimator."""
    return (1 - squares(point["pi"])) / Fraction(point["m"])


def truths(point: Point) -> list[dict[str, Any]]:
    """One instance for each string x of truths, with its number."""
    return [{"x": x, "size": len(point["pi"])} for x in range(len(point["pi"]))]


def squares_given_truth() -> Law:
    """Return the mean of c over the response r to x: the sum over all i of the squares of the entries (i, r) of C^-1.

    A trial draws a bit of r, which is that of x with probability a, and a bit of i by a fair coin; each square is
    doubled, so that the mean over i is the sum over all i. (Equations are used from the left in the order of names.)
    """
    same, other = "a**2/(2*a - 1)**2", "(1 - a)**2/(2*a - 1)**2"
    power = f"f*({same} + {other})"
    return Law(
        over=lambda point, at: [{"t": Flag(bool(bit))} for bit in string(at["x"], length_of(point["pi"]))],
        start={"w": 1, "f": 1},
        outcomes=[
            (f"({of_r})*1/2", {"w": f"2*w*{entry}", "f": power})
            for of_r in ("a*t + (1 - a)*(1 - t)", "(1 - a)*t + a*(1 - t)")
            for entry in (same, other)
        ],
        means={"given": "w", "power": "f"},
        invariants="given == power",
    )


def averages() -> Fold:
    """Return the sums over all x of pi_x, and of pi_x times the mean for this truth."""
    return Fold(
        over=lambda point, _: [{"p": Entry("pi", x)} for x in range(len(point["pi"]))],
        start={"every": 0, "average": 0},
        update={"every": "every + p", "average": "average + p*given"},
        invariants="average == every*given",
    )


def proof() -> Anchored:
    purity = Fold(
        over=lambda point, _: [{"q": Entry("pi", x)} for x in range(len(point["pi"]))],
        start={"s": 0},
        update={"s": "s + q**2"},
        invariants="s >= 0",
    )
    return Anchored(
        Value(theory="(power - s)/m", computed="(average - s)/m"),
        at=truths,
        folds=[squares_given_truth(), averages(), purity],
        argument="The variance of estimate i is, for one response r, the mean of the square of the entry (i, r) less "
        "pi_i^2. Summed over i, the squares have the mean c, whatever the truth x is.",
    )


CLAIM = Claim(
    id="vinterbo2018.lemma-4.5",
    source=f"{PAPER}, Lemma 4.5",
    place=(4, 7),
    printed=r"Let $\hat\pi$ be the unbiased estimator defined in Section 3.2 associated with the randomizer "
    r"$M$ with invertible $C=C_M=C_a(n)$. If $a\ne\frac12$ the trace of the variance-covariance matrix of "
    r"$\hat\pi$ is given by $\operatorname{Tr}(\operatorname{cov}(\hat\pi))=m^{-1}(c-s)$ where "
    r"$c=\left(\frac{a^2+(1-a)^2}{(2a-1)^2}\right)^n$, and $s=\pi^T\pi=\sum_xp_x^2$.",
    precise="For every n >= 1, m >= 1, 0 <= a <= 1, a != 1/2 and every pi: the sum of the variances of all 2^n "
    "estimates over the law of the histogram of m responses.",
    variables={
        "pi": POPULATION,
        "a": A,
        "m": Domain("m, the number of respondents", (1, 2, 3), lambda rng: rng.randint(1, 3), "x >= 1"),
    },
    assumptions=(invertible,),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
    count=60,
)
