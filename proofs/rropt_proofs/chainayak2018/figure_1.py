"""Figure 1: the breach regions of rho1-to-rho2 and of beta-factor privacy."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rropt.claims import Anchored, Bound, Claim, Condition, Domain, Min, Point, Truth, Value
from rropt.claims.outcomes import value_text
from rropt.core.exact import rational
from rropt_proofs.chainayak2018 import PAPER
from rropt_proofs.chainayak2018._paper import RHOS, beta_domain, ordered_rhos

RHO_UP, RHO_DOWN = "upward breach by Definition 1.1", "downward breach by Definition 1.1"
BETA_UP, BETA_DOWN = "upward breach by Definition 1.2", "downward breach by Definition 1.2"
LEAST_UP = "the infimum of q - beta p over the upper rectangle, not attained"
LEAST_DOWN = "the infimum of p - beta q over the lower rectangle, not attained"
ALONE = "a pair of the upper triangle that is in no rectangle"

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
    p, q, low, high = (rational(point[name]) for name in ("p", "q", "rho1", "rho2"))
    zero, one, share = Fraction(0), Fraction(1), 1 / Fraction(point["beta"])
    up = ((zero, zero), (share, one), (zero, one))
    down = ((zero, zero), (one, zero), (one, share))
    return {
        RHO_UP: p < low and high < q <= 1,
        RHO_DOWN: high < p <= 1 and q < low,
        BETA_UP: _in_triangle(up, (p, q), 0),
        BETA_DOWN: _in_triangle(down, (p, q), 2),
        **dict.fromkeys((LEAST_UP, LEAST_DOWN), Bound("less", zero)),  # so each rectangle leaves its triangle
        ALONE: Bound("greater", zero),  # so the upper triangle, which is below no rectangle, leaves them
    }


def computed(point: Point) -> dict[str, Any]:
    """The definitions at (p, q); the least values at the corners of the closed rectangles; a pair near (0, 0)."""
    low, high, beta = (rational(point[name]) for name in ("rho1", "rho2", "beta"))
    p, q = rational(point["p"]), rational(point["q"])
    near = (low / (2 * beta + 2), low / 2)
    corners = [(prior, posterior) for prior in (Fraction(0), low) for posterior in (high, Fraction(1))]
    least = min(b - beta * a for a, b in corners)  # affine, so the least of the closure is at a corner
    return {
        RHO_UP: p < low and q > high,
        RHO_DOWN: p > high and q < low,
        BETA_UP: q / p > beta,
        BETA_DOWN: q / p < 1 / beta,
        LEAST_UP: least,
        LEAST_DOWN: least,  # the lower rectangle and triangle are the upper ones with p and q exchanged
        ALONE: min(near[1] - beta * near[0], high - near[0], high - near[1]),
    }


def mutant(point: Point) -> dict[str, Any]:
    """The rectangles [0, rho1] x [rho1, 1] and its mirror image."""
    p, q, low = (rational(point[name]) for name in ("p", "q", "rho1"))
    return {**theory(point), RHO_UP: p < low < q, RHO_DOWN: q < low < p}


def proof() -> Anchored:
    """A pair (p, q) is a breach by Definition 1.2 when it is beyond the line to (1/beta, 1), or that to (1, 1/beta)."""
    near = "rho1/(2*beta + 2)"
    least = Min("rho2", "1", "rho2 - beta*rho1", "1 - beta*rho1")
    return Anchored(
        Truth(of=RHO_UP, theory="p < rho1 and q > rho2 and q <= 1", computed="p < rho1 and q > rho2"),
        Truth(of=RHO_DOWN, theory="p > rho2 and p <= 1 and q < rho1", computed="p > rho2 and q < rho1"),
        Truth(of=BETA_UP, theory="q/beta - p > 0 and (1 - q)/beta >= 0 and p >= 0", computed="q/p > beta"),
        Truth(of=BETA_DOWN, theory="q >= 0 and (1 - p)/beta >= 0 and p/beta - q > 0", computed="q/p < 1/beta"),
        Value(of=LEAST_UP, theory=0, computed=least),
        Value(of=LEAST_DOWN, theory=0, computed=least),
        Value(of=ALONE, theory=0, computed=Min(f"rho1/2 - beta*{near}", f"rho2 - {near}", "rho2 - rho1/2")),
    )


def working(point: Point) -> str:
    """Why no pair of the upper rectangle is outside the triangle."""
    low, high, beta = (rational(point[name]) for name in ("rho1", "rho2", "beta"))
    return (
        f"a pair of the upper rectangle has p < rho1 = {value_text(low)} and q > rho2 = {value_text(high)}\n"
        f"so beta p < beta rho1 = {value_text(beta * low)} <= rho2 < q: it is a breach by Definition 1.2 as well"
    )


CLAIM = Claim(
    id="chainayak2018.figure-1",
    source=f"{PAPER}, Figure 1 and the text beside it",
    place=(2, 2),
    printed=r"The two shaded rectangles represent the privacy breach region (PBR) of $\rho_1$-to-$\rho_2$ privacy, "
    r"[...] The two shaded triangles constitute the PBR of $\beta$-factor privacy. [...] Among two PBRs in "
    "Figure 1, none is a subset of the other one,",
    precise="A pair (prior p > 0, posterior q) is a breach by Definition 1.1 exactly in the rectangles [0, rho1) x "
    "(rho2, 1] and (rho2, 1] x [0, rho1), and by Definition 1.2 exactly in the triangles with corners (0, 0), "
    "(1/beta, 1), (0, 1) and (0, 0), (1, 0), (1, 1/beta), without their long sides. None of the two regions is a "
    "subset of the other: each rectangle has a pair outside the triangles, as q - beta p (p - beta q) is below 0 at "
    "some pair, and the upper triangle has a pair near (0, 0) that is in no rectangle. The text does not say which "
    "rho1, rho2 and beta are drawn, so that they are any.",
    variables={
        **RHOS,
        "beta": Domain("beta > 1", tuple(Fraction(x) for x in ("3/2", "2", "3", "5")), beta_domain.draw),
        "p": UNIT,
        "q": UNIT,
    },
    assumptions=(
        ordered_rhos,
        Condition("beta > 1", "beta > 1"),
        Condition("P_alpha(Q) > 0 (Definition 1.2)", "p > 0"),
    ),
    missing=(Condition("rho2 < beta rho1", "rho2 < beta*rho1"),),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
    working=working,
    count=300,
    notes="Where rho2 >= beta rho1 the rectangles lie in the triangles: q > rho2 >= beta rho1 > beta p. The two "
    "regions that are drawn must then have rho2 < beta rho1. The area of the triangles is 1/beta, of the rectangles "
    "2 rho1 (1 - rho2); that the first is larger, as the text goes on to say, is again a matter of the values drawn.",
)
