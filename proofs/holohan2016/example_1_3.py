"""Example 1, case 3: epsilon = 1/2, delta = 1/3, pi = 9/10."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from rropt.claims import Claim, Correction, Domain, Point
from rropt.exact import Epsilon
from rropt.objectives import binary_variance

DELTA, PI = Fraction(1, 3), Fraction(9, 10)
LOW, HIGH = Epsilon.of("1/2").gamma_bracket(30)


def _g(gamma: Fraction) -> Fraction:
    return DELTA * (gamma + DELTA) / (gamma + 2 * DELTA - 1) ** 2


def _diagonal(gamma: Fraction) -> Fraction:
    p = (gamma + DELTA) / (gamma + 1)
    return binary_variance(p, p, PI)


def _enclosure(function: Callable[[Fraction], Fraction]) -> tuple[Fraction, Fraction]:
    ends = function(LOW), function(HIGH)  # monotone in gamma between two values 1e-30 apart
    return min(ends), max(ends)


COMPUTED = {
    "g": _enclosure(_g),
    "n Var at (s(1), r(1))": _enclosure(_diagonal),
    "n Var at (s(t0), r(t0))": (binary_variance(DELTA, Fraction(1), PI),) * 2,
    "n Var at (r(t0), s(t0)), printed as (r(0), s(0))": (binary_variance(Fraction(1), DELTA, PI),) * 2,
}
PRINTED = dict(zip(COMPUTED, ("0.382", "0.854", "0.143", "1.911"), strict=True))
CORRECT = dict(zip(COMPUTED, ("0.382", "0.854", "0.290", "1.890"), strict=True))


def theory(point: Point) -> str:
    return PRINTED[point["figure"]]


def computed(point: Point) -> tuple[Fraction, Fraction]:
    return COMPUTED[point["figure"]]


def corrected(point: Point) -> str:
    return CORRECT[point["figure"]]


def mutant(point: Point) -> str:
    """The first figure in the place of the others."""
    return PRINTED["g"]


CLAIM = Claim(
    id="holohan2016.example-1.3",
    source="Holohan, Leith and Mason (2016), Example 1, case 3",
    printed=r"$\epsilon=\frac12$, $\delta=\frac13$, $\pi=\frac9{10}$: $g=0.382>1-\pi$; "
    r"$\operatorname{Var}(\hat\Pi(s_\delta(1),r_\delta(1)))=0.854$, "
    r"$\operatorname{Var}(\hat\Pi(s_\delta(t_0),r_\delta(t_0)))=0.143$, "
    r"$\operatorname{Var}(\hat\Pi(r_\delta(0),s_\delta(0)))=1.911$.",
    precise="Each printed figure is the exact value (n = 1) rounded to three decimals. The last design is read as "
    "(r(t0), s(t0)) = (1, delta): at t = 0 the first coordinate is 1 + delta/gamma > 1, which is no probability.",
    variables={"figure": Domain.values("a printed figure", *COMPUTED)},
    theory=theory,
    computed=computed,
    strength="rounds-to",
    mutant=mutant,
    correction=Correction(
        r"The two variances are $\frac{29}{100}=0.290$ and $\frac{189}{100}=1.890$; the design matrix stays optimal.",
        corrected,
    ),
    evidence="enumerated",
    scope="the four figures",
)
