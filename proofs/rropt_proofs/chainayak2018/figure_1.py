"""Figure 1: the breach regions of rho1-to-rho2 and of beta-factor privacy."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp

from rropt.claims import Claim, Condition, Domain, Point, Proof
from rropt.positivity import Hypothesis, prove_identity, prove_positive
from rropt_proofs.chainayak2018._paper import BETA, PAPER, RHO1, RHO2, RHOS, P, beta_domain, ordered_rhos

Corner = tuple[Fraction, Fraction]
UNIT = Domain.interval("a probability", 0, 1, also=("1/100", "1/5", "1/3", "1/2", "2/3", "3/4"))


def _side(a: Corner, b: Corner, at: Corner) -> Fraction:
    """Return the orientation of a, b, at: positive when ``at`` lies to the left of the line from a to b."""
    return (b[0] - a[0]) * (at[1] - a[1]) - (b[1] - a[1]) * (at[0] - a[0])


def _in_triangle(corners: tuple[Corner, Corner, Corner], at: Corner, open_side: int) -> bool:
    """Whether ``at`` is in a triangle (corners against the clock) without the points of one of its sides."""
    sides = [_side(corners[n], corners[(n + 1) % 3], at) for n in range(3)]
    return min(sides) >= 0 and sides[open_side] > 0


def theory(point: Point) -> dict[str, Any]:
    """Rectangles in the corners (0, 1) and (1, 0); triangles at (0, 0), with corners (1/beta, 1) and (1, 1/beta)."""
    p, q, low, high = (Fraction(point[name]) for name in ("p", "q", "rho1", "rho2"))
    zero, one, share = Fraction(0), Fraction(1), 1 / Fraction(point["beta"])
    up = ((zero, zero), (share, one), (zero, one))
    down = ((zero, zero), (one, zero), (one, share))
    return {
        "rho1-to-rho2 breach": (p < low and high < q <= 1) or (high < p <= 1 and q < low),
        "beta-factor breach": _in_triangle(up, (p, q), 0) or _in_triangle(down, (p, q), 2),
        "rectangles inside triangles": high >= low / share,
        "triangles inside rectangles": False,
    }


def _rho(point: Point, p: Fraction, q: Fraction) -> bool:
    """Whether the pair is a breach by Definition 1.1."""
    upward = p < point["rho1"] and q > point["rho2"]
    return upward or (p > point["rho2"] and q < point["rho1"])


def _beta(point: Point, p: Fraction, q: Fraction) -> bool:
    """Whether the pair is a breach by Definition 1.2."""
    ratio = q / p
    return bool(ratio > point["beta"] or ratio < 1 / Fraction(point["beta"]))


def computed(point: Point) -> dict[str, Any]:
    """The definitions at (p, q); a pair by the corner of a rectangle that is nearest to a triangle; one near (0, 0)."""
    low, high, beta = (Fraction(point[name]) for name in ("rho1", "rho2", "beta"))
    p, q = Fraction(point["p"]), Fraction(point["q"])
    gap = abs(high - beta * low) or Fraction(1)
    step = min(gap / (4 * (1 + beta)), low / 2, (1 - high) / 2)
    corner = (low - step, high + step)
    near = (low / (2 * beta + 2), low / 2)  # in the upper triangle, below the rectangle
    return {
        "rho1-to-rho2 breach": _rho(point, p, q),
        "beta-factor breach": _beta(point, p, q),
        "rectangles inside triangles": _beta(point, *corner),
        "triangles inside rectangles": not (_beta(point, *near) and not _rho(point, *near)),
    }


def mutant(point: Point) -> dict[str, Any]:
    """The rectangles [0, rho1] x [rho1, 1] and its mirror image."""
    p, q, low = (Fraction(point[name]) for name in ("p", "q", "rho1"))
    return {**theory(point), "rho1-to-rho2 breach": (p < low < q) or (q < low < p)}


def proof() -> Proof:
    q, low, high = sp.Symbol("q"), RHO1, RHO2
    inside = [Hypothesis(low - P, strict=True), Hypothesis(q - high, strict=True)]
    return Proof(
        scope="all 0 < rho1 < rho2 < 1, beta > 1, all pairs with prior p > 0",
        argument="Definition 1.1 names two rectangles as it stands. By Definition 1.2 (p, q) is a breach when "
        "q - beta p > 0 or p - beta q > 0: the points of the square on the far side of the line through (0, 0) and "
        "(1/beta, 1), or (0, 0) and (1, 1/beta), which are triangles. The upper rectangle lies in the upper triangle "
        "when rho2 >= beta rho1, and the lower one by the exchange of p and q; if rho2 < beta rho1, pairs near "
        "(rho1, rho2) are in the rectangle alone. Pairs (p, q) near (0, 0) with q > beta p are in a triangle alone.",
        certificates=(
            (
                "the side of the line from (0, 0) to (1/beta, 1)",
                prove_identity(BETA * (q / BETA - P), q - BETA * P),
            ),
            (
                "the rectangle is inside when rho2 >= beta rho1",
                prove_positive(
                    q - BETA * P,
                    [*inside, Hypothesis(high - BETA * low), Hypothesis(BETA, strict=True)],
                    strict=True,
                    degree=2,
                ),
            ),
        ),
        unchecked_steps=("pairs near the corner (rho1, rho2), by continuity", "the exchange of p and q"),
    )


def mutant_proof() -> object:
    """The rectangle inside the triangle whenever rho2 > rho1."""
    q = sp.Symbol("q")
    hypotheses = [Hypothesis(RHO1 - P), Hypothesis(q - RHO2), Hypothesis(RHO2 - RHO1), Hypothesis(BETA - 1)]
    return prove_positive(q - BETA * P, hypotheses, degree=2)


CLAIM = Claim(
    id="chainayak2018.figure-1",
    source=f"{PAPER}, Figure 1 and the text beside it",
    printed=r"The two shaded rectangles represent the privacy breach region (PBR) of $\rho_1$-to-$\rho_2$ privacy. "
    r"The two shaded triangles constitute the PBR of $\beta$-factor privacy. Among two PBRs in Figure 1, none is a "
    r"subset of the other one.",
    precise="A pair (prior p > 0, posterior q) is a breach by Definition 1.1 exactly in the rectangles [0, rho1) x "
    "(rho2, 1] and (rho2, 1] x [0, rho1), and by Definition 1.2 exactly in the triangles with corners (0, 0), "
    "(1/beta, 1), (0, 1) and (0, 0), (1, 0), (1, 1/beta), without their long sides. The triangles never lie in the "
    "rectangles; the rectangles lie in the triangles exactly when rho2 >= beta rho1.",
    variables={
        **RHOS,
        "beta": Domain("beta > 1", tuple(Fraction(x) for x in ("3/2", "2", "3", "5")), beta_domain.draw),
        "p": UNIT,
        "q": UNIT,
    },
    assumptions=(
        ordered_rhos,
        Condition("beta > 1", lambda p: p["beta"] > 1),
        Condition("P_alpha(Q) > 0 (Definition 1.2)", lambda p: p["p"] > 0),
    ),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
    mutant_proof=mutant_proof,
    count=600,
    notes="The values of rho1, rho2 and beta that are drawn are not in the text: that none of the two drawn regions "
    "lies in the other says rho2 < beta rho1 of them. The area of the triangles is 1/beta, of the rectangles "
    "2 rho1 (1 - rho2).",
)
