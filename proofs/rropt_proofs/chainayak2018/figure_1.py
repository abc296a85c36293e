"""Figure 1: the breach regions of rho1-to-rho2 and of beta-factor privacy."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rropt.claims import Anchored, Bound, Claim, Condition, Domain, Entrywise, Point, Truth
from rropt.claims.outcomes import value_text
from rropt.core.exact import rational
from rropt_proofs.chainayak2018 import PAPER
from rropt_proofs.chainayak2018._paper import RHOS, beta_domain

RHO_UP, RHO_DOWN = "upward breach by Definition 1.1", "downward breach by Definition 1.1"
BETA_UP, BETA_DOWN = "upward breach by Definition 1.2", "downward breach by Definition 1.2"
PRIOR, POSTERIOR, TOP, OUTSIDE = (
    f"a pair of the upper rectangle that is outside the triangles: {part}"
    for part in ("p", "q", "1 - q", "q - beta p, with p < q")
)
ALONE, ALONE_UP, ALONE_DOWN = (
    f"a pair of the upper triangle that is in no rectangle: {part}" for part in ("q - beta p", "rho2 - q", "rho2 - p")
)

Corner = tuple[Fraction, Fraction]
UNIT = Domain.interval("a probability", 0, 1, also=("1/100", "1/5", "1/3", "1/2", "2/3", "3/4"))


def _side(a: Corner, b: Corner, at: Corner) -> Fraction:
    """Return the orientation of a, b, at: positive when ``at`` lies to the left of the line from a to b."""
    return (b[0] - a[0]) * (at[1] - a[1]) - (b[1] - a[1]) * (at[0] - a[0])


def _in_triangle(corners: tuple[Corner, Corner, Corner], at: Corner, open_side: int) -> bool:
    """Whether ``at`` is in a triangle (corners against the clock) without the points of one of its sides."""
    sides = [_side(corners[n], corners[(n + 1) % 3], at) for n in range(3)]
    return all(side >= 0 for side in sides) and sides[open_side] > 0


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
        PRIOR: Bound("less", low),
        POSTERIOR: Bound("greater", high),
        TOP: Bound("at-least", zero),
        OUTSIDE: Bound("less", zero),
        **dict.fromkeys((ALONE, ALONE_UP, ALONE_DOWN), Bound("greater", zero)),
    }


def computed(point: Point) -> dict[str, Any]:
    """The definitions at (p, q); a pair of the upper rectangle, with q - rho2 small; a pair near (0, 0).

    The lower rectangle and triangle are the upper ones with p and q exchanged.
    """
    low, high, beta = (rational(point[name]) for name in ("rho1", "rho2", "beta"))
    p, q = rational(point["p"]), rational(point["q"])
    near = (low * high / (2 * beta + 2), low * high)
    prior = (low + high / beta) / 2
    room = beta * prior - high
    posterior = high + (1 - high) * room / (1 + room)
    return {
        RHO_UP: p < low and q > high,
        RHO_DOWN: p > high and q < low,
        BETA_UP: q / p > beta,
        BETA_DOWN: q / p < 1 / beta,
        PRIOR: prior,
        POSTERIOR: posterior,
        TOP: 1 - posterior,
        OUTSIDE: posterior - beta * prior,
        ALONE: near[1] - beta * near[0],
        ALONE_UP: high - near[1],
        ALONE_DOWN: high - near[0],
    }


def mutant(point: Point) -> dict[str, Any]:
    """The rectangles [0, rho1] x [rho1, 1] and its mirror image."""
    p, q, low = (rational(point[name]) for name in ("p", "q", "rho1"))
    return {**theory(point), RHO_UP: p < low < q, RHO_DOWN: q < low < p}


def proof() -> Anchored:
    """A pair (p, q) is a breach by Definition 1.2 when it is beyond the line to (1/beta, 1), or that to (1, 1/beta)."""
    return Anchored(
        Truth(of=RHO_UP, theory="p < rho1 and q > rho2 and q <= 1", computed="p < rho1 and q > rho2"),
        Truth(of=RHO_DOWN, theory="p > rho2 and p <= 1 and q < rho1", computed="p > rho2 and q < rho1"),
        Truth(of=BETA_UP, theory="q/beta - p > 0 and (1 - q)/beta >= 0 and p >= 0", computed="q/p > beta"),
        Truth(of=BETA_DOWN, theory="q >= 0 and (1 - p)/beta >= 0 and p/beta - q > 0", computed="q/p < 1/beta"),
        *(Entrywise(of=part) for part in (PRIOR, POSTERIOR, TOP, OUTSIDE, ALONE, ALONE_UP, ALONE_DOWN)),
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
    "subset of the other: the upper rectangle has a pair (p, q) with q < beta p, and q > p, outside both triangles, "
    "the lower one has (q, p), and the upper triangle has a pair near (0, 0) that is in no rectangle. The text does "
    "not say which rho1, rho2 and beta are drawn, so that they are any.",
    variables={
        **RHOS,
        "beta": Domain("beta > 1", tuple(Fraction(x) for x in ("3/2", "2", "3", "5")), beta_domain.draw),
        "p": UNIT,
        "q": UNIT,
    },
    assumptions=(
        Condition("0 < rho1 < rho2 < 1", "0 < rho1 < rho2 < 1 and rho1 < 1 and rho2 > 0"),
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
