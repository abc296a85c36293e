"""Table 1: the length of [pi_A1, pi_A2], all eight cells."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt

from rropt.claims import Claim, Domain, Point
from rropt.claims.comparisons import Enclosure
from rropt.core.exact import Epsilon, decimal_text
from rropt_proofs._laws import law_of, mean_of, variance_of
from rropt_proofs.sun2023 import PAPER

LEVELS, SECONDS = ("0.01", "0.05", "0.25", "0.5"), ("0.01", "0.05")
PRINTED = {"0.01": ("0.100", "0.101", "0.101", "0.104"), "0.05": ("0.224", "0.224", "0.225", "0.230")}
SIZE = 10**4
_DIGITS = 12  # of e^epsilon and of the root: the cells are printed to three


def theory(point: Point) -> str:
    """The printed cell."""
    p2, epsilon = point["cell"]
    return PRINTED[p2][LEVELS.index(epsilon)]


def _length_squared(p2: Fraction, gamma: Fraction) -> Fraction:
    """1 - 4 pi_A (1 - pi_A) where the variances meet: Var_IC goes with 4 pi_A (1 - pi_A), and Var_MW not with pi_A."""
    low = (1 - p2) / (gamma + 1)
    card = law_of(((1, low), (2, p2), (3, gamma * low)))
    answer = law_of(((1, gamma / (gamma + 1)), (0, 1 / (gamma + 1))))
    warner = variance_of(answer) / (SIZE * (2 * mean_of(answer) - 1) ** 2)
    return 1 - warner * (SIZE - 1) / (variance_of(card) / (4 - 2 * mean_of(card)) ** 2)


def _root(value: Fraction) -> tuple[Fraction, Fraction]:
    """Two rational numbers around a square root."""
    scale = 10**_DIGITS
    below = isqrt(value.numerator * scale**2 // value.denominator)
    return Fraction(below, scale), Fraction(below + 1, scale)


def computed(point: Point) -> Enclosure:
    """The length, from where the variances of the finite distributions meet, on a bracket of e^epsilon."""
    p2, epsilon = Fraction(point["cell"][0]), point["cell"][1]
    ends = [_root(_length_squared(p2, gamma)) for gamma in Epsilon.of(epsilon).gamma_bracket(_DIGITS)]
    return Enclosure(min(low for low, _ in ends), max(high for _, high in ends))


def mutant(point: Point) -> str:
    """Half of a length."""
    return decimal_text(Fraction(theory(point)) / 2, 4)


CLAIM = Claim(
    id="sun2023.table-1",
    source=f"{PAPER}, Table 1",
    place=(6, 4),
    printed=r"we calculate the interval length under different proportions $p_2$ and privacy budgets $\varepsilon$ "
    r"after fix $N=10^4$. [...] The length of interval $[\pi_{A_1},\pi_{A_2}]$ under different proportion "
    r"$p_2$ and privacy budget $\varepsilon$. [The columns are] $\varepsilon$ 0.01 0.05 0.25 0.5 [...] 0.01 "
    "0.100 0.101 0.101 0.104 [...] 0.05 0.224 0.224 0.225 0.230",
    precise="Each cell is the length, rounded to three digits, of the interval of pi_A in which the variance of the "
    "improved mechanism is not below that of modified Warner, for L = 3 and p_3/p_1 = e^epsilon.",
    variables={
        "cell": Domain.values("(p_2, epsilon)", *((p2, level) for p2 in SECONDS for level in LEVELS)),
    },
    theory=theory,
    computed=computed,
    mutant=mutant,
    strength="rounds-to",
    notes="Usually small, says the text: the length is at least sqrt p_2, whatever N and epsilon are. N pi_A is an "
    "integer, and decks of N cards with the ratio e^epsilon do not exist for these epsilon.",
)
