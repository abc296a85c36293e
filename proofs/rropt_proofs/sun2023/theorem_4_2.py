"""Theorem 4.2: the improved mechanism against modified Christofides."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rropt.claims import Bound, Claim, Condition, Point
from rropt.claims.outcomes import value_text
from rropt_proofs.sun2023 import PAPER
from rropt_proofs.sun2023._mechanisms import reported
from rropt_proofs.sun2023._surveys import DECK, all_orders, divides, mean_over, moments_of_deck, slope, variance_over
from rropt_proofs.sun2023.theorem_4_1 import several


def _inside(point: Point) -> Fraction:
    """N (1 - 2 pi_A)^2, which is below 1 where pi_A is less than 1/(2 sqrt N) from 1/2."""
    bits = point["case"]["x"]
    return len(bits) * (1 - 2 * Fraction(sum(bits), len(bits))) ** 2


def theory(_: Point) -> Bound:
    """Below 0: Var_IC - Var_MC is below 0 where N(1 - 2 pi_A)^2 - 1 is above it, and above where it is below."""
    return Bound("less", Fraction(0))


def _variances(point: Point) -> tuple[Fraction, Fraction]:
    case = point["case"]
    scale = (len(case["deck"]) * slope(point)) ** 2
    dealt = variance_over([sum(seen) for seen in all_orders(case)])
    return dealt / scale, _put_back(case) / scale


def _put_back(case: Any) -> Any:
    """Return the variance of the sum of the answers if each card is put back: E S and E S^2, person by person."""
    first, second = Fraction(0), Fraction(0)
    for x in case["x"]:
        answers = [reported(k, x, case["L"]) for k in case["deck"]]
        mean, square = mean_over(answers), mean_over([answer**2 for answer in answers])
        first, second = first + mean, second + 2 * first * mean + square
    return second - first**2


def computed(point: Point) -> Fraction:
    """The variance when the deck is dealt, less that when each card is put back, times N(1 - 2 pi_A)^2 - 1."""
    improved, modified = _variances(point)
    return (improved - modified) * (_inside(point) - 1)


def mutant(_: Point) -> Bound:
    """By more than a tenth."""
    return Bound("less", Fraction(-1, 10))


def _moments(point: Point) -> tuple[Any, Any]:
    return moments_of_deck(point["case"]["deck"])


def working(point: Point) -> str:
    """Both variances."""
    improved, modified = _variances(point)
    return (
        f"Var Y = {value_text(_moments(point)[1])} for the deck {value_text(point['case']['deck'])}: Var_IC = "
        f"{value_text(improved)}, Var_MC = {value_text(modified)}\nN(1 - 2 pi_A)^2 = {value_text(_inside(point))} is "
        f"{'above 1: pi_A is outside' if _inside(point) > 1 else 'below 1: pi_A is in'} the interval"
    )


CLAIM = Claim(
    id="sun2023.theorem-4.2",
    source=f"{PAPER}, Theorem 4.2",
    place=(4, 4),
    printed=r"(i.) When proportion $\pi_A$ is in interval $\left(0,1/2-1/2\sqrt N\right)\cup(1/2+1/2\sqrt N,1)$, we "
    r"get that $\mathbf{Var_{IC}}$ is smaller than $\mathbf{Var_{MC}}$. (ii.) When proportion $\pi_A$ is in "
    r"interval $(1/2-1/2\sqrt N,1/2+1/2$ $\sqrt N)$, we get that $\mathbf{Var_{IC}}$ is larger than "
    r"$\mathbf{Var_{MC}}$.",
    precise="For every deck of N >= 2 cards with numbers of 1, ..., L whose mean is not (L + 1)/2, and every "
    "population of N persons, some and not all in group A: where |pi_A - 1/2| is above 1/(2 sqrt N), that is "
    "N(1 - 2 pi_A)^2 > 1, the variance over the deals is below that with every card put back; elsewhere above.",
    variables={"case": DECK},
    assumptions=(
        Condition("0 < pi_A < 1", lambda point: len(set(point["case"]["x"])) == 2),
        Condition("pi_A is no end of an interval", lambda point: _inside(point) != 1),
    ),
    defined=(divides, several),
    missing=(
        Condition(r"not all cards show the same number: $\mathbf{Var}Y>0$", lambda point: _moments(point)[1] > 0),
    ),
    theory=theory,
    computed=computed,
    mutant=mutant,
    working=working,
    count=90,
    notes="1/2 sqrt N is read as 1/(2 sqrt N), as the proof has it; read as (sqrt N)/2 the first interval would be "
    "empty. With all cards alike both variances are 0, and every answer reveals x_i: proportions such as 1, 0, 0 are "
    "not all equal. At the ends the variances are equal.",
)
