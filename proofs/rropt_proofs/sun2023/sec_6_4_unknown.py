"""Section 6.4: how many persons the improved mechanism needs when pi_A is not known."""

from __future__ import annotations

from fractions import Fraction

from rropt.claims import Claim, Domain, Point, exact_cache
from rropt.claims.comparisons import Enclosure
from rropt.core.exact import Epsilon, decimal_text
from rropt_proofs._laws import law_of, mean_of, variance_of
from rropt_proofs._least import least_integer
from rropt_proofs.sun2023 import PAPER

HALF, WHOLE, REAL = (
    "the least N, pi_A = 1/2",
    "the least N, the largest variance of all populations of N persons",
    "the real number that N exceeds, pi_A = 1/2",
)
EPSILON, SECOND, LIMIT = "0.01", Fraction(1, 100), Fraction(1, 10)
_DIGITS = 30


def theory(point: Point) -> str:
    return "101010.3" if point["what"] == REAL else "101011"


@exact_cache
def _units() -> tuple[Fraction, ...]:
    """Var Y/(4 - 2 E Y)^2 at both endpoints of a bracket of e^epsilon."""
    found = []
    for gamma in Epsilon.of(EPSILON).gamma_bracket(_DIGITS):
        low = (1 - SECOND) / (gamma + 1)
        card = law_of(((1, low), (2, SECOND), (3, gamma * low)))
        found.append(variance_of(card) / (4 - 2 * mean_of(card)) ** 2)
    return tuple(found)


def _is_enough(size: int, spread: Fraction) -> bool:
    """Whether 4 pi_A (1 - pi_A) = spread gives a variance of at most 1/10: decided at both endpoints."""
    decided = {spread * unit / (size - 1) <= LIMIT for unit in _units()}
    if len(decided) > 1:
        raise ArithmeticError(f"the bracket of e^epsilon is too wide at N = {size}")
    return decided.pop()


@exact_cache
def _value(what: str) -> Enclosure:
    if what == REAL:
        ends = sorted(unit / LIMIT + 1 for unit in _units())
        return Enclosure(ends[0], ends[-1])

    def spread(size: int) -> Fraction:
        members = size // 2 if what == WHOLE else Fraction(size, 2)
        share = Fraction(members) / size
        return 4 * share * (1 - share)

    least = Fraction(least_integer(lambda size: _is_enough(size, spread(size)), first=2))
    return Enclosure(least, least)


def computed(point: Point) -> Enclosure:
    """From the variance of the finite distributions, at most 1/10 at N and above it at N - 1, on a bracket of
    e^epsilon."""
    return _value(point["what"])


def mutant(point: Point) -> str:
    """Modified Christofides, whose variance has N in the place of N - 1."""
    return decimal_text(Fraction(theory(point)) - 1, 8)


CLAIM = Claim(
    id="sun2023.sec-6.4-unknown",
    source=f"{PAPER}, section 6.4",
    place=(6, 13),
    printed="if we do not know that the proportion belongs to sensitive group when using the improved Christofides "
    r"mechanism, for example, under constraints of variance $\mathbf{Var}\le0.1$, privacy budget "
    r"$\varepsilon=0.01$ and choosing proportion $p_2=0.01$, since the variance get the maximum when "
    r"$\pi_A=0.5$, sample size $N$ should be at least $101011(N>101010.3)$.",
    precise="With L = 3, p_2 = 1/100 and p_3/p_1 = e^0.01: the least N with variance at most 1/10 at pi_A = 1/2 is "
    "101011, and 101010.3 is, rounded, the real number from which on it is. Likewise with the largest variance of all "
    "populations of N persons, N pi_A being an integer.",
    variables={"what": Domain.values("which number", HALF, WHOLE, REAL)},
    theory=theory,
    computed=computed,
    mutant=mutant,
    strength="rounds-to",
    notes="Exactly, N >= 101010.2845. Nothing is gained on modified Christofides, which needs 101010 whatever pi_A is. "
    "A deck of 101011 cards has no N p_2 = 1010.11 cards of number 2.",
)
