"""Proposition 4.7: the figures of delta(n), by the formula of its proof."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt

from rropt.claims import Bound, Claim, Domain, Point
from rropt_proofs.vinterbo2018 import PAPER
from rropt_proofs.vinterbo2018._greenwood import centred_moments

FIGURE, ORDER = "delta(n)", "2^{3n} delta(n)"
_DENOMINATOR = 10**20  # of the upper bound of the standard deviation: far finer than the four printed digits


def theory(point: Point) -> dict[str, Bound]:
    """The printed figures; delta(n) 2^{3n} stays below its bound at n = 3."""
    figure = Fraction("0.2386") if point["n"] == 3 else Fraction("0.0029")
    return {FIGURE: Bound("less", figure), ORDER: Bound("less", 2**9 * Fraction("0.2386"))}


def computed(point: Point) -> dict[str, Fraction]:
    """delta = lambda Var(S)/(2 f_L(E S)), lambda = f_L''(E S + 10 sd) = 2 (c-1)/(1 - E S - 10 sd)^3, from above.

    (c-1)/f_L(E S) = (1 - E S)(c-1)/(c - E S) grows with c towards 1 - E S: the bound is one for every a.
    """
    mean, variance, _ = centred_moments(2 ** point["n"])
    deviation = Fraction(isqrt(int(variance * _DENOMINATOR**2)) + 1, _DENOMINATOR)
    delta = variance * (1 - mean) / (1 - mean - 10 * deviation) ** 3
    return {FIGURE: delta, ORDER: delta * 2 ** (3 * point["n"])}


def mutant(point: Point) -> dict[str, Bound]:
    """The last digit of the first figure one less."""
    said = theory(point)
    return {**said, FIGURE: Bound("less", Fraction("0.2385"))}


CLAIM = Claim(
    id="vinterbo2018.proposition-4.7-figures",
    source=f"{PAPER}, Proposition 4.7 and its proof",
    place=(4, 11),
    printed=r"$\delta=\frac{\lambda\operatorname{Var}(S)}{2f_L(\operatorname{E}(S))}$. $\delta(n)\in O(2^{-3n})$. "
    r"Evaluating $\delta$ at $\operatorname{E}(S)+10\operatorname{Var}(S)^{\frac12}$ and $n=3$, we arrive at the "
    r"numerical bound $\delta(3)<0.2386$. Also, $\delta(4)<0.0029$.",
    precise="delta(n) is the formula of the proof with the second derivative of f_L at E(S) + 10 sd(S), S on 2^n "
    "categories, at its supremum over a. It is below 0.2386 at n = 3, below 0.0029 from n = 4 on, and 2^{3n} delta(n) "
    "stays below 2^9 0.2386.",
    variables={"n": Domain.whole("n, the number of bits", 3, 7)},
    theory=theory,
    computed=computed,
    mutant=mutant,
    notes="delta(3) = 0.23856 (rounded) and delta(4) = 0.00208. At n = 2, E(S) + 10 sd(S) > 1: hence n > 2. What the "
    "figures are bounds of is another question: see proposition-4.7.",
)
