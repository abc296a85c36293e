"""The proof of Theorem 6.1: the differences of the variances, and the coefficients a and c."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rropt.claims import Anchored, Claim, Correction, Point, Value
from rropt.claims.outcomes import value_text
from rropt_proofs.sun2023 import PAPER
from rropt_proofs.sun2023._range import DECK, MEMBERS
from rropt_proofs.sun2023._variances import (
    LEVEL,
    PERSONS,
    SECOND,
    SHARE,
    improved,
    modified,
    positive_level,
    warner,
)
from rropt_proofs.sun2023.theorem_6_1 import some

MC_MW, IC_MW, ROOTS = "Var_MC - Var_MW", "Var_IC - Var_MW, in a and c", "4c/a, that is 1 - (pi_A2 - pi_A1)^2"


def _lines(point: Point, *, printed: bool) -> dict[str, Any]:
    odds, p2, share, size = point["odds"], point["p2"], point["pi"], point["size"]
    a = 4 * odds + (odds - 1) ** 2 * p2
    c = (size - 1) * (1 - p2) * odds
    if not printed:
        a = size * a
    below = size * (size - 1) * (odds - 1) ** 2 * (1 - p2)
    return {
        MC_MW: (odds + 1) ** 2 * p2 / (4 * size * (odds - 1) ** 2 * (1 - p2)),
        IC_MW: (-a * share**2 + a * share - c) / below,
        ROOTS: 4 * c / a,
    }


def theory(point: Point) -> dict[str, Any]:
    """With the printed a, which has no factor N."""
    return _lines(point, printed=True)


def corrected(point: Point) -> dict[str, Any]:
    return _lines(point, printed=False)


def computed(point: Point) -> dict[str, Any]:
    """The differences of the variances, and where Var_IC meets Var_MW: it goes with 4 pi_A (1 - pi_A)."""
    odds, p2, share, size = point["odds"], point["p2"], point["pi"], point["size"]
    mw = warner(odds, size)
    return {
        MC_MW: modified(odds, p2, size) - mw,
        IC_MW: improved(odds, p2, share, size) - mw,
        ROOTS: mw / improved(odds, p2, Fraction(1, 2), size),
    }


def mutant(point: Point) -> dict[str, Any]:
    """Without the 4 of the difference of Var_MC and Var_MW."""
    return {**corrected(point), MC_MW: 4 * corrected(point)[MC_MW]}


def working(point: Point) -> str:
    """Both a, and the difference."""
    odds, p2, share, size = point["odds"], point["p2"], point["pi"], point["size"]
    a, c = 4 * odds + (odds - 1) ** 2 * p2, (size - 1) * (1 - p2) * odds
    return (
        f"a as printed is {value_text(a)}, c = {value_text(c)}, N = {size}; Var_IC = "
        f"{value_text(improved(odds, p2, share, size))}, Var_MW = {value_text(warner(odds, size))}\nVar_IC - Var_MW = "
        f"{value_text(computed(point)[IC_MW])}: the printed numerator over the denominator is "
        f"{value_text(theory(point)[IC_MW])}, with N a in the place of a {value_text(corrected(point)[IC_MW])}"
    )


CLAIM = Claim(
    id="sun2023.theorem-6.1-proof",
    source=f"{PAPER}, proof of Theorem 6.1",
    place=(6, 2),
    printed=r"$\mathbf{Var_{MC}}\hat{\pi_A}-\mathbf{Var_{MW/MS}}\hat{\pi_A}=\frac{\left(e^\varepsilon+1\right)"
    r"^2p_2}{4N\left(e^\varepsilon-1\right)^2\left(1-p_2\right)}$, [...] "
    r"$\mathbf{Var_{IC}}\hat{\pi_A}-\mathbf{Var_{MW/MS}}\hat{\pi_A}$ [...] "
    r"$=\frac{\left[4e^\varepsilon+\left(e^\varepsilon-1\right)^2p_2\right]\pi_A\left(1-\pi_A\right)-(N-1)"
    r"\left(1-p_2\right)e^\varepsilon}{N(N-1)\left(e^\varepsilon-1\right)^2\left(1-p_2\right)}$ Let "
    r"$a=4e^\varepsilon+\left(e^\varepsilon-1\right)^2p_2,c=(N-1)\left(1-p_2\right)e^\varepsilon$ [...] "
    r"$=\frac{-a\pi_A^2+a\pi_A-c}{N(N-1)\left(e^\varepsilon-1\right)^2\left(1-p_2\right)}$ [...] "
    r"$\pi_{A_1}=\frac12-\frac12\sqrt{1-\frac{4c}a}$",
    precise="For L = 3, every epsilon > 0, N >= 2, 0 <= p_2 < 1 and 0 <= pi_A <= 1: both differences, and 4c/a as the "
    "value of 4 pi_A (1 - pi_A) at which Var_IC = Var_MW.",
    variables={"odds": LEVEL, "p2": SECOND, "pi": SHARE, "size": PERSONS},
    defined=(positive_level, some),
    theory=theory,
    computed=computed,
    mutant=mutant,
    correction=Correction(
        r"$a=N[4e^\varepsilon+(e^\varepsilon-1)^2p_2]$: the first term of the numerator has a factor $N$. The rest is "
        r"right, and so is equation (5).",
        corrected,
    ),
    proof=lambda: Anchored(*(Value(of=key) for key in (MC_MW, IC_MW, ROOTS))),
    working=working,
    stated=(MEMBERS, DECK),
    further=({"odds": Fraction(2), "p2": Fraction(1, 3), "pi": Fraction(2, 9), "size": 9},),
    count=20,
    notes="The line after 4c/a has the N again, so that equation (5) follows from the right a and c, not from the "
    "printed ones.",
)
