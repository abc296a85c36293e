"""Proposition 4.7: the figures and the order of delta(n), by the formula of its proof."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import isqrt

import sympy as sp

from rropt.claims import Bound, Claim, Domain, Point
from rropt_proofs.vinterbo2018 import PAPER
from rropt_proofs.vinterbo2018._greenwood import centred_moments

FIGURE, ORDER = "delta(n)", "2^{3n} delta(n) has a finite limit"
N = sp.Symbol("N", positive=True)  # 2^n
_DENOMINATOR = 10**20  # of the upper bound of the standard deviation: far finer than the four printed digits


def theory(point: Point) -> dict[str, Bound | bool]:
    """The printed figures; the order 2^{-3n}."""
    figure = {3: Fraction("0.2386"), 4: Fraction("0.0029")}[point["n"]]
    return {FIGURE: Bound("less", figure), ORDER: True}


@cache
def _moments() -> tuple[sp.Expr, sp.Expr]:
    """Return mean and variance of S on N categories; the proportions of a uniform pi have the moments of Dirichlet's
    distribution."""
    second, fourth = (sp.factorial(k) / sp.rf(N, k) for k in (2, 4))
    mean = sp.simplify(N * second)
    return mean, sp.factor(sp.simplify(N * fourth + N * (N - 1) * fourth / 6 - mean**2))


def computed(point: Point) -> dict[str, object]:
    """delta = lambda Var(S)/(2 f_L(E S)), lambda = f_L''(E S + 10 sd) = 2 (c-1)/(1 - E S - 10 sd)^3, from above.

    (c-1)/f_L(E S) = (1 - E S)(c-1)/(c - E S) grows with c towards 1 - E S: the bound is one for every a. The order is
    decided by the limit of the same formula, for N = 2^n categories.
    """
    size = 2 ** point["n"]
    mean, variance, _ = centred_moments(size)
    general = _moments()
    if [Fraction(str(part.subs(N, size))) for part in general] != [mean, variance]:
        raise ArithmeticError("the moments of S are others by another route")
    deviation = Fraction(isqrt(int(variance * _DENOMINATOR**2)) + 1, _DENOMINATOR)
    delta = variance * (1 - mean) / (1 - mean - 10 * deviation) ** 3
    growing = general[1] * (1 - general[0]) / (1 - general[0] - 10 * sp.sqrt(general[1])) ** 3
    return {FIGURE: delta, ORDER: bool(sp.limit(N**3 * growing, N, sp.oo).is_finite)}


def mutant(point: Point) -> dict[str, Bound | bool]:
    """The last digit of the first figure one less."""
    said = theory(point)
    return {**said, FIGURE: Bound("less", Fraction("0.2385"))}


CLAIM = Claim(
    id="vinterbo2018.proposition-4.7-figures",
    source=f"{PAPER}, Proposition 4.7 and its proof",
    place=(4, 11),
    printed=r"where $\delta(n)\in O(2^{-3n})$ and $\delta(3)<0.2386$. Also, $\delta(4)<0.0029$. [...] where "
    r"$\lambda=\max_{x\in\mathcal I}f^{(2)}_L(x)\ge0$ for suitable interval $\mathcal I$. [...] "
    r"$\delta=\frac{\lambda\operatorname{Var}(S)}{2f_L(\operatorname{E}(S))}$. [...] we see that $\delta(n)\in "
    r"O(2^{-3n})$. [...] Evaluating $\delta$ at $\operatorname{E}(S)+10\operatorname{Var}(S)^{\frac12}$ and "
    "$n=3$, we arrive at the numerical bound.",
    precise="delta(n) is the formula of the proof with the second derivative of f_L at E(S) + 10 sd(S), S on 2^n "
    "categories, at its supremum over a. It is below 0.2386 at n = 3 and below 0.0029 at n = 4, and 2^{3n} delta(n) "
    "stays bounded as n grows.",
    variables={"n": Domain.values("n, the number of bits", 3, 4)},
    theory=theory,
    computed=computed,
    mutant=mutant,
    notes="delta(3) = 0.23856 (rounded) and delta(4) = 0.00208; 2^{3n} delta(n) tends to 4. At n = 2, E(S) + 10 sd(S) "
    "> 1: hence n > 2. What the figures are bounds of is another question: see proposition-4.7.",
)
