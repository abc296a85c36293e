"""The claims in rows of Ziani (Lectures 3 and 4) on accuracy and the Laplace distribution."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import pairwise
from math import factorial
from typing import Any

import sympy as sp

from rropt.claims import Domain
from rropt.claims.claim import Row
from rropt.claims.outcomes import value_text
from rropt.claims.positivity import prove_identity
from rropt.core.certificates import Certificate
from rropt.core.exact import ExactReal, decimal_text
from rropt_proofs._laws import chance_of
from rropt_proofs.ziani._paper import SCALE, corrected, exact_tail, reports_of_ones, sympy_tail, tail_certificates

Norm = tuple[int, str]

MAXIMUM, SUM, EUCLIDEAN = "maximum", "sum", "Euclidean"
NORMS = Domain.values(
    "(d, norm of the vector)",
    *((d, MAXIMUM) for d in (1, 2, 3, 10)),
    *((d, SUM) for d in (1, 2, 3)),
    (2, EUCLIDEAN),
    entries={(0,): "x >= 1"},
)
_FORMULAS = {
    MAXIMUM: "1 - (1 - exp(-t))^d",
    SUM: "exp(-t) times the sum of t^j/j! over j < d",
    EUCLIDEAN: "at least the sum over a staircase inside t^2 <= Z_1^2 + Z_2^2",
}
LOGARITHM = Domain(
    "t = ln(d/delta), that is delta = d exp(-t)",
    tuple(Fraction(x) for x in ("-1", "0", "1/2", "1", "2", "5", "12")),
    lambda rng: Fraction(rng.randint(-10, 120), 10),
)
FAILURE = Domain("failure probability", tuple(Fraction(x) for x in ("1/20", "1/2", "1")), relation="0 < x <= 1")
RESPONDENTS = Domain("number of respondents", (1, 3, 6), relation="x >= 1")
SCALES = Domain("scale b", tuple(sp.Rational(x) for x in ("-1", "0", "1/10", "1", "3/2", "20")))
THRESHOLDS = Domain("threshold z", tuple(sp.Rational(x) for x in ("-1", "0", "1/100", "1", "7/3", "10")))


def worst_coordinate(norm: Norm) -> bool:
    """$|\\cdot|$ is the maximum norm"""
    return norm[0] == 1 or norm[1] == MAXIMUM


def positive_threshold(z: Any) -> bool:
    """z > 0"""
    return bool(z > 0)


def positive_scale(b: Any) -> bool:
    """b > 0: otherwise there is no density"""
    return bool(b > 0)


def _exp(exponent: Fraction) -> ExactReal:
    return ExactReal.exponential(exponent)


def theorem_12_accuracy(norm: Norm, t: Fraction, *, every: bool = True) -> list[Row]:
    """Pr[|Z/b| >= t], Z/b with d independent coordinates Lap(1), by the norm."""
    (d, name), t = norm, Fraction(t)
    if t <= 0:
        chance = ExactReal.of(1)
    elif name == MAXIMUM:
        chance = 1 - (1 - _exp(-t)) ** d
    elif name == SUM:  # the sum of d unit exponentials has the Gamma(d) law
        chance = _exp(-t) * sum((t**j / factorial(j) for j in range(d)), Fraction(0))
    else:
        chance = _euclidean(t, d * _exp(-t))
    return [("the probability", chance, "<=", (d if every else 1) * _exp(-t))]


def theorem_12_working(norm: Norm, t: Fraction) -> str:
    """The probability for this norm, and delta, exact and as decimals."""
    ((_, chance, _, delta),) = theorem_12_accuracy(norm, t)
    exact = [f"{value} = ~{decimal_text(value.bracket(9).lower)}" for value in (chance, delta)]
    formula = _FORMULAS[norm[1]] if t > 0 else "1, since t <= 0"
    return (
        f"the noise divided by b has d = {norm[0]} independent coordinates, each |Z_i| exponential with rate 1\n"
        f"the probability that its {norm[1]} norm is at least t = {t} is {formula}, that is {exact[0]}\n"
        f"delta = d exp(-t) is {exact[1]}"
    )


def _euclidean(t: Fraction, delta: ExactReal) -> ExactReal:
    """A bound on Pr[Z_1^2 + Z_2^2 >= t^2] that decides whether it is at most delta.

    Staircases inside and outside the quarter disc, with corners at rational points of the circle (Pythagoras).
    """
    steps = 2
    while True:  # ends: the staircases close in on the probability, which is no multiple of exp(-t) at these t
        corners = [
            (2 * s / (1 + s**2), (1 - s**2) / (1 + s**2)) for s in (Fraction(i, steps) for i in range(steps + 1))
        ]
        low = high = _exp(-t)  # |Z_1| >= t
        for (a, c), (b, e) in pairwise(corners):
            slab = _exp(-t * a) - _exp(-t * b)  # t a <= |Z_1| < t b
            low, high = low + slab * _exp(-t * c), high + slab * _exp(-t * e)
        if low > delta:
            return low
        if high <= delta:
            return high
        steps *= 2


def theorem_5_samples(
    alpha: Fraction, gamma: Fraction, delta: Fraction, n: int, *, sixteen: int = 16, off: Any = 0
) -> list[Row]:
    """The squared bound, and the exact probabilities that the (corrected) estimator errs by more than alpha.

    The populations: no bit is 1, and half of them are.
    """
    p, square = Fraction(1, 2) - gamma, alpha**2 * gamma**2
    missed = [1 - _within(p, bits, alpha) for bits in _populations(n)]
    enough, few = 16 * delta * n * square >= 1, 128 * n * square <= 3
    return [
        (
            "the bound of Theorem 5 is at most alpha",
            1 / (4 * delta * (1 - 2 * p) ** 2 * n) <= alpha**2,
            "=",
            n >= 1 / (sixteen * delta * square),
        ),
        ("the largest probability of an error above alpha", max(missed), "<=", (delta if enough else 1) - off),
        ("the least probability of an error above alpha", min(missed), ">=", Fraction(int(few), 12) + off),
    ]


def theorem_5_samples_working(alpha: Fraction, gamma: Fraction, delta: Fraction, n: int) -> str:
    """The probabilities of an error above alpha, for no bit 1 and for half of them."""
    p = Fraction(1, 2) - gamma
    lines = [f"n alpha^2 gamma^2 = {n * alpha**2 * gamma**2}, p = {p}"]
    for bits in _populations(n):
        missed = f"an error above {alpha} has probability {1 - _within(p, bits, alpha)}"
        lines.append(f"bits {value_text(bits)}: {missed}; delta is {delta}")
    return "\n".join(lines)


def _populations(n: int) -> list[tuple[int, ...]]:
    return [(1,) * s + (0,) * (n - s) for s in sorted({0, n // 2})]


def _within(p: Fraction, bits: tuple[int, ...], alpha: Fraction) -> Fraction:
    n, mean = len(bits), Fraction(sum(bits), len(bits))
    law = reports_of_ones(p, bits)
    return chance_of(law, lambda ones: abs(corrected(Fraction(ones, n), p) - mean) <= alpha)


def theorem_9(t: Fraction, sensitivity: Fraction, epsilon: Fraction, *, tenths: int = 10) -> list[Row]:
    """Pr[|Z| >= t b] for Z ~ Lap(b), b = sensitivity / epsilon."""
    b = sensitivity / epsilon
    if b == 0:
        raise ZeroDivisionError("of scale 0 there is no Laplace distribution")
    return [("the probability", exact_tail(t * b, b), "<=", _exp(-t) * Fraction(tenths, 10))]


@cache
def _moments() -> tuple[Any, ...]:
    """Integrate z^j times the density over the whole line, for j = 0, 1, 2."""
    z = sp.Symbol("z", real=True)
    right, left = sp.exp(-z / SCALE) / (2 * SCALE), sp.exp(z / SCALE) / (2 * SCALE)
    return tuple(
        sp.simplify(sp.integrate(z**j * left, (z, -sp.oo, 0)) + sp.integrate(z**j * right, (z, 0, sp.oo)))
        for j in range(3)
    )


def laplace_moments(b: Any, z: Any, *, mass: int = 1, mean: int = 0, two: int = 2, rate: int = 1) -> list[Row]:
    """The integrals of the density over both half lines, by symbols."""
    whole, first, second = (value.subs(SCALE, b) for value in _moments())
    return [
        ("mass", whole, "=", sp.Integer(mass)),
        ("mean", first, "=", sp.Integer(mean)),
        ("variance", second - first**2, "=", two * b**2),
        ("tail", sympy_tail(z, b), "=", sp.exp(-rate * z / b)),
    ]


def laplace_certificates() -> tuple[tuple[str, Certificate], ...]:
    """Return the primitives of twice the density, and of z^2 times that, as factors of exp(-z/b)."""
    z, b = sp.symbols("z b")
    primitive = -(z**2 + 2 * b * z + 2 * b**2)
    derivative = sp.diff(primitive, z) - primitive / b
    return (
        *tail_certificates(),
        ("2 z^2 times the density has this primitive", prove_identity(derivative, z**2 / b)),
        ("its value at 0", prove_identity(-primitive.subs(z, 0), 2 * b**2)),
    )
