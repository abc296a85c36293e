"""Section 2.2.3 and Algorithms 3 and 4: for which proportions the estimator of Christofides is defined."""

from __future__ import annotations

from fractions import Fraction

from rropt.claims import Bound, Claim, Condition, Correction, Point
from rropt.claims.outcomes import value_text
from rropt_proofs._laws import mean_of
from rropt_proofs.sun2023 import PAPER
from rropt_proofs.sun2023._surveys import PROPORTIONS, cards


def theory(_: Point) -> Bound:
    """The denominator is not 0, its square positive."""
    return Bound("greater", Fraction(0))


def computed(point: Point) -> Fraction:
    """The square of L + 1 - 2 E Y, the difference of the mean answers of a member and of another person."""
    none, member = cards(point["p"])
    return (mean_of(member) - mean_of(none)) ** 2


def corrected(point: Point) -> Fraction:
    """The sum of (L + 1 - 2k)(p_k - p_{L+1-k}) over the k below (L + 1)/2, squared."""
    p = point["p"]
    size = len(p)
    parts = (Fraction(size + 1 - 2 * k) * (p[k - 1] - p[size - k]) for k in range(1, size // 2 + 1))
    return sum(parts, Fraction(0)) ** 2


def mutant(point: Point) -> Fraction:
    """Only the extreme cards count."""
    p = point["p"]
    return ((len(p) - 1) * (p[0] - p[-1])) ** 2


def working(point: Point) -> str:
    """The mean of a card."""
    p = point["p"]
    terms = " + ".join(f"{k} * {value_text(share)}" for k, share in enumerate(p, 1))
    mean = mean_of(cards(p)[0])
    return (
        f"L = {len(p)}: E Y = {terms} = {value_text(mean)}\nL + 1 - 2 E Y = {value_text(len(p) + 1 - 2 * mean)}: the "
        "estimator divides by 0, and a person's answer has the same mean in both groups"
    )


CLAIM = Claim(
    id="sun2023.estimator-condition",
    source=f"{PAPER}, section 2.2.3, section 3.3 and section 4",
    place=(3, 11),
    printed="every respondent is provided with a card which produces the integers $1$, $2$,…,$L$ with proportions "
    "$p_1$, $p_2$,…, $p_L$ respectively (These proportions are not all equal). [...] "
    r"$\hat\pi_A=\frac{\frac1N\sum_{i=1}^NX_i-\mathbf{E}(Y)}{L+1-2\mathbf{E}(Y)}$.",
    precise="For every L >= 2 and proportions that are not all equal the estimator is defined: L + 1 - 2 E Y is not 0.",
    variables={"p": PROPORTIONS},
    assumptions=(Condition("the proportions are not all equal", lambda point: len(set(point["p"])) > 1),),
    theory=theory,
    computed=computed,
    mutant=mutant,
    correction=Correction(
        r"$L+1-2\mathbf{E}(Y)=\sum_{k<(L+1)/2}(L+1-2k)(p_k-p_{L+1-k})$, and the estimator is defined where this is not "
        r"$0$: for $L=2$ where $p_1\ne p_2$, for $L=3$ where $p_1\ne p_3$.",
        corrected,
        strength="equality",
    ),
    working=working,
    count=120,
    notes="The condition is right for L = 2. For L = 3 the deck 1/4, 1/2, 1/4 has proportions that are not all equal, "
    "and reveals nothing about the mean; nor does any that is symmetric. For L = 4 there are others: 5/12, 0, 1/4, 1/3 "
    "has E Y = 5/2.",
)
