"""The mechanism of each named design: a function from its exact parameters to a stochastic matrix or to a family.

A parameter that the table declares as an integer is an ``int``. The families (``mechanisms.families``) store no matrix,
so ``oue:1000000,3`` is small. Their privacy level is the rational gamma = exp(epsilon); for epsilon = 1 write
2.718281828, which is just below e.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from math import comb

from rropt.core.errors import InvalidParameterError
from rropt.core.exact.numbers import fraction_hint, percent_hint
from rropt.mechanisms.columns import Matrix
from rropt.mechanisms.families import Affine, AffineClasses, BitVectorMechanism, BlockMechanism, Cyclic, Projective
from rropt.mechanisms.families.memberships import direct, subset_selection, unary_row
from rropt.mechanisms.families.primes import MAX_PRIME, next_prime
from rropt.mechanisms.mechanism import Mechanism
from rropt.mechanisms.named.threshold_cards import threshold_cards_of
from rropt.mechanisms.orbits import OrbitMechanism

_MOST_SCORES = 100  # cards of a pack
_MOST_DIGITS = 400  # draws or reports times the digits of a probability; the entries have so many digits
_MOST_EXPLICIT = 1000  # largest k of k-ary randomized response with an explicit matrix
_MOST_SUBSETS = 10_000  # entries of the matrix of all subsets
_MOST_IN_ORBITS = 300  # largest number of categories for which the orbit form, with its likelihood methods, is used


def require(condition: bool, message: str) -> None:
    """Raise ``InvalidParameterError`` with ``message`` unless ``condition`` holds."""
    if not condition:
        raise InvalidParameterError(message)


def probability(value: Fraction, symbol: str) -> None:
    """Raise ``InvalidParameterError`` unless a value is in [0, 1]."""
    if not 0 <= value <= 1:
        meant = percent_hint(value, value, lambda x: 0 <= x <= 1)
        raise InvalidParameterError(
            f"{symbol} is not a probability: received {value}; allowed is 0 <= {symbol} <= 1{meant}"
        )


def generalised(p00: Fraction, p11: Fraction) -> Matrix:
    """Return a yes/no question: the truth 0 is kept with probability p00, the truth 1 with p11; both were checked."""
    return (p00, 1 - p11), (1 - p00, p11)


def warner(p: Fraction) -> Matrix:
    """Return Warner's design; for crosswise, response 1 is "same": both answers yes (p) or both no (1 - p)."""
    return (p, 1 - p), (1 - p, p)


def triangular(p: Fraction) -> Matrix:
    """Return the triangular design: response 1 is "at least one answer is yes", that to the harmless question too."""
    return generalised(1 - p, Fraction(1))


def mangat(p: Fraction) -> Matrix:
    """Return Mangat's design of 1994: with the attribute, say yes; without it, use Warner's device."""
    return generalised(p, Fraction(1))


def mangat_singh(truth: Fraction, p: Fraction) -> Matrix:
    """Return Mangat and Singh's design of 1990: the truth with probability T, else Warner's device."""
    return warner(truth + (1 - truth) * p)


def forced(truth: Fraction, yes: Fraction, no: Fraction) -> Matrix:
    """Return the forced response design (directed response, Boruch's contamination design)."""
    probability(no, "n")
    require(
        truth + yes + no == 1,
        f"t + y + n is not 1: received {truth} + {yes} + {no} = {truth + yes + no}; allowed is the sum 1, since "
        f"one of the three outcomes happens; {fraction_hint([truth, yes, no])}",
    )
    return generalised(truth + no, truth + yes)


def unrelated(p: Fraction, prevalence: Fraction) -> Matrix:
    """Return the unrelated question design with known prevalence of the innocuous attribute."""
    return forced(p, (1 - p) * prevalence, (1 - p) * (1 - prevalence))


def binomial(draws: int, theta: Fraction) -> tuple[Fraction, ...]:
    """Return the probabilities of 0, ..., ``draws`` red cards in draws with replacement; theta is their proportion."""
    return tuple(comb(draws, i) * theta**i * (1 - theta) ** (draws - i) for i in range(draws + 1))


def kuk(theta1: Fraction, theta0: Fraction, draws: int = 1) -> Matrix:
    """Return Kuk's design: draw r cards with replacement from one's group's deck, report the number of red ones."""
    digits = max(len(str(theta.denominator)) for theta in (theta1, theta0))
    require(
        draws * digits <= _MOST_DIGITS,
        f"r times the digits of theta is too large: received {draws} * {digits}; at most {_MOST_DIGITS}; round theta",
    )
    return tuple(zip(binomial(draws, theta0), binomial(draws, theta1), strict=True))


def christofides(*shares: Fraction) -> Matrix:
    """Return Christofides' design: draw card c of 1 to L; report L + 1 - c with the attribute, else c."""
    require(
        sum(shares) == 1,
        f"p1 + ... + pL is not 1: received {sum(shares)}; allowed is the sum 1, all cards of the deck; "
        f"{fraction_hint(shares)}",
    )
    return tuple(zip(shares, reversed(shares), strict=True))


def thresholds(low: int, high: int, truth: Fraction) -> Mechanism:
    """Return threshold cards for the scores from ``low`` to ``high``."""
    require(
        low < high <= low + _MOST_SCORES,
        f"H is out of range: received {high} beside L = {low}; allowed is L < H <= L + {_MOST_SCORES}",
    )
    require(
        Fraction(1, 2) < truth < 1, f"p is out of range: received {truth}; allowed is 1/2 < p < 1, a device that tells"
    )
    return threshold_cards_of([Fraction(score) for score in range(low, high + 1)], truth)


def grr(k: int, truth: Fraction) -> Matrix | Mechanism:
    """Return k-ary randomized response (GRR, direct encoding; the gamma-diagonal matrix)."""
    if k > _MOST_EXPLICIT:
        require(
            1 < k * truth < k,
            f"p is out of range beyond {_MOST_EXPLICIT} categories: received {truth}; allowed is 1/k < p < 1",
        )
        return direct(k, truth * (k - 1) / (1 - truth))
    other = (1 - truth) / (k - 1)
    return tuple(tuple(truth if i == j else other for j in range(k)) for i in range(k))


def subset(k: int, d: int, truth: Fraction) -> Matrix | Mechanism:
    """Return subset selection: a matrix whose rows are the subsets in lexicographic order, or given by formulas."""
    require(d < k, f"d is not below k: received d = {d}, k = {k}; allowed is 1 <= d < k")
    if k > _MOST_IN_ORBITS or k * comb(k, d) > _MOST_SUBSETS:
        require(
            d < k * truth < k,
            f"p is out of range for so many subsets: received {truth}; allowed is d/k < p < 1",
        )
        gamma = truth * (k - d) / ((1 - truth) * d)
        return OrbitMechanism.subset_selection(k, d, gamma) if k <= _MOST_IN_ORBITS else subset_selection(k, d, gamma)
    return subset_rows(k, d, truth)


def subset_rows(k: int, d: int, truth: Fraction) -> Matrix:
    """Return subset selection: the output contains the true category with probability ``truth``, else is uniform."""
    inside, outside = truth / comb(k - 1, d - 1), (1 - truth) / comb(k - 1, d)
    return tuple(tuple(inside if j in each else outside for j in range(k)) for each in combinations(range(k), d))


def unary(k: int, one: Fraction, zero: Fraction) -> Matrix:
    """Return unary encoding: the 2^k rows without zero rows; row i is the vector with ``i = sum of bit_x 2^x``.

    A true bit is reported as 1 with probability ``one`` (p), a false one with probability ``zero`` (q).
    """
    rows = (unary_row(i, k, one, zero) for i in range(1 << k))
    return tuple(row for row in rows if any(row))


def rappor(f: Fraction, p: Fraction = Fraction(0), q: Fraction = Fraction(1), reports: int = 1) -> Matrix:
    """Return RAPPOR's bit (Erlingsson, Pihur and Korolova 2014): the number of ones in N reports of a stored bit."""
    digits = max(len(str(chance.denominator)) for chance in (p, q))
    require(
        reports * digits <= _MOST_DIGITS,
        f"N times the digits of p, q is too large: received {reports} * {digits}; at most {_MOST_DIGITS}",
    )
    zero, one = binomial(reports, p), binomial(reports, q)
    return tuple(((1 - f / 2) * a + f / 2 * b, f / 2 * a + (1 - f / 2) * b) for a, b in zip(zero, one, strict=True))


def oue(k: int, g: Fraction) -> Mechanism:
    """Return optimized unary encoding."""
    require(g > 1, f"g is not above 1: received {g}; give exp(epsilon), epsilon > 0")
    return BitVectorMechanism.optimized(k, g)


def sue(k: int, p: Fraction) -> Mechanism:
    """Return symmetric unary encoding."""
    require(Fraction(1, 2) < p < 1, f"p is out of range: received {p}; allowed is 1/2 < p < 1")
    return BitVectorMechanism(k, p, 1 - p)


def _near(g: Fraction) -> int:
    """Return the smallest prime >= gamma + 1 (rounded): the variance is smallest at the density 1/(gamma + 1)."""
    require(1 < g <= MAX_PRIME, f"g is out of range: received {g}; allowed is 1 < g <= {MAX_PRIME}")
    return next_prime(max(round(g + 1), 2))


def olh(k: int, g: Fraction, q: int | None = None) -> Mechanism:
    """Return optimal local hashing: the smallest affine space with k points."""
    prime, dimension = _near(g) if q is None else q, 1
    while prime**dimension < k:
        dimension += 1
    return BlockMechanism(Affine(k, prime, 1, dimension), g)


def pgr(k: int, g: Fraction, q: int | None = None) -> Mechanism:
    """Return projective geometry response: the smallest projective space with k points."""
    prime, dimension = _near(g) if q is None else q, 3  # dimension 2 would be k-ary randomized response
    while (prime**dimension - 1) // (prime - 1) < k:
        dimension += 1
    return BlockMechanism(Projective(k, prime, dimension, False), g)


def hadamard(k: int, g: Fraction) -> Mechanism:
    """Return Hadamard response: the complements of hyperplanes over GF(2).

    They are the places of -1 in the rows of a Hadamard matrix. Acharya, Sun and Zhang (2019) take the places of +1 and
    keep the constant column, an output that is equally likely for all categories.
    """
    return BlockMechanism(Projective(k, 2, max(k.bit_length(), 2), True), g)


def projective(k: int, q: int, t: int, c: int, g: Fraction) -> Mechanism:
    """Return the projective design."""
    return BlockMechanism(Projective(k, q, t, bool(c)), g)


def affine(k: int, q: int, s: int, g: Fraction, t: int = 1) -> Mechanism:
    """Return the affine design."""
    return BlockMechanism(Affine(k, q, s, t), g)


def affine_classes(k: int, q: int, e: int, j: int, z: int, g: Fraction) -> Mechanism:
    """Return the affine design by classes."""
    return BlockMechanism(AffineClasses(k, q, e, j, bool(z)), g)


def singer(q: int, t: int, g: Fraction, k: int | None = None) -> Mechanism:
    """Return the design of Singer's difference set."""
    return BlockMechanism(Cyclic.singer(q, t, k), g)


def paley(q: int, g: Fraction, k: int | None = None) -> Mechanism:
    """Return the design of Paley's difference set."""
    return BlockMechanism(Cyclic.paley(q, k), g)


def fano(g: Fraction) -> Mechanism:
    """Return the design of the Fano plane."""
    return BlockMechanism(Projective(7, 2, 3, False), g)


BUILDERS: dict[str, Callable[..., Matrix | Mechanism]] = {
    "warner": warner,
    "generalised": generalised,
    "forced": forced,
    "unrelated": unrelated,
    "crosswise": warner,
    "triangular": triangular,
    "mangat": mangat,
    "mangat-singh": mangat_singh,
    "kuk": kuk,
    "christofides": christofides,
    "thresholds": thresholds,
    "grr": grr,
    "subset": subset,
    "unary": unary,
    "rappor": rappor,
    "oue": oue,
    "sue": sue,
    "olh": olh,
    "hadamard": hadamard,
    "pgr": pgr,
    "projective": projective,
    "affine": affine,
    "affine-classes": affine_classes,
    "singer": singer,
    "paley": paley,
    "fano": fano,
}
