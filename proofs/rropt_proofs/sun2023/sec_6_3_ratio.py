"""Section 6.3: the variance of the improved mechanism is 28.7 % of that of modified Christofides."""

from __future__ import annotations

from fractions import Fraction

from rropt.claims import Claim, Domain, Point
from rropt.claims.comparisons import Enclosure
from rropt_proofs.sun2023 import PAPER
from rropt_proofs.sun2023._variances import improved, modified

SIZE, LOW, HIGH = 3252599, Fraction("0.07775"), Fraction("0.07785")
FIRST, LAST = -(-SIZE * LOW.numerator // LOW.denominator), SIZE * HIGH.numerator // HIGH.denominator


def theory(_: Point) -> str:
    """In percent."""
    return "28.7"


def computed(point: Point) -> Enclosure:
    """100 times the ratio of the variances, at some cards: they cancel."""
    share, odds, p2 = Fraction(point["members"], SIZE), Fraction(3, 2), Fraction(1, 100)
    ratio = 100 * improved(odds, p2, share, SIZE) / modified(odds, p2, SIZE)
    return Enclosure(ratio, ratio)


def mutant(_: Point) -> str:
    """Of the standard deviations."""
    return "53.6"


CLAIM = Claim(
    id="sun2023.sec-6.3-ratio",
    source=f"{PAPER}, section 6.3, and the abstract",
    place=(6, 10),
    printed=r"In fact, we decrease the variance to $28.7\%$ of modified Christofides mechanism's variance based on "
    r"HCOVANY dataset. $\frac{\mathbf{Var}_{IC}\hat{\pi_A}}{\mathbf{Var}_{MC}\hat{\pi_A}}=\frac{4N\pi_A(1-\pi_A)}{N-1}="
    r"\frac{4\times3252599\times0.0778\times(1-0.0778)}{3252599-1}=28.7\%$.",
    precise="For N = 3252599 and every number of members of group A whose share rounds to 0.0778, the ratio of the two "
    "variances, in percent, rounds to 28.7.",
    variables={"members": Domain.whole("N pi_A", FIRST, LAST)},
    theory=theory,
    computed=computed,
    mutant=mutant,
    strength="rounds-to",
    notes="0.0778 itself is no share of 3252599 persons; with it the ratio is 28.699 percent. The ratio has no epsilon "
    "and no cards in it. It compares a mechanism that is private against everybody with one that is so only against "
    "those who see one answer (`theorem-5.6`), and it holds for decks that exist.",
)
