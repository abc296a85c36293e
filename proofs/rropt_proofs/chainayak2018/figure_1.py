"""Figure 1: the breach regions of rho1-to-rho2 and of beta-factor privacy."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rropt.claims import Anchored, Bound, Claim, Condition, Domain, Min, Point, Truth, Value
from rropt.exact import rational
from rropt_proofs.chainayak2018._paper import PAPER, RHOS, beta_domain, ordered_rhos

RHO_UP, RHO_DOWN = "upward breach by Definition 1.1", "downward breach by Definition 1.1"
BETA_UP, BETA_DOWN = "upward breach by Definition 1.2", "downward breach by Definition 1.2"
INSIDE_UP, INSIDE_DOWN = "a pair of the upper rectangle, q - beta p", "a pair of the lower rectangle, p - beta q"
PAIR_UP, PAIR_DOWN = "that pair is in the upper rectangle", "that pair is in the lower rectangle"
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
    inside = Bound("greater" if high >= low / share else "at-most", zero)
    return {
        RHO_UP: p < low and high < q <= 1,
        RHO_DOWN: high < p <= 1 and q < low,
        BETA_UP: _in_triangle(up, (p, q), 0),
        BETA_DOWN: _in_triangle(down, (p, q), 2),
        **dict.fromkeys((INSIDE_UP, INSIDE_DOWN), inside),
        **dict.fromkeys((PAIR_UP, PAIR_DOWN, ALONE), Bound("greater", zero)),
    }


def _of_rectangle(point: Point, p: Fraction, q: Fraction) -> Corner:
    """A pair of the upper rectangle: (p, q) if it is one, else one on the long side of the triangle, or the middle."""
    low, high, beta = (rational(point[name]) for name in ("rho1", "rho2", "beta"))
    if high < beta * low:
        step = (beta * low - high) / (beta * low + 1 - high)
        return low - step * low, high + step * (1 - high)
    return (p, q) if p < low and q > high else (low / 2, (1 + high) / 2)


def computed(point: Point) -> dict[str, Any]:
    """The definitions at (p, q); pairs of both rectangles against the triangles; one near (0, 0)."""
    low, high, beta = (rational(point[name]) for name in ("rho1", "rho2", "beta"))
    p, q = rational(point["p"]), rational(point["q"])
    (a, b), (c, d) = _of_rectangle(point, p, q), _of_rectangle(point, q, p)
    near = (low / (2 * beta + 2), low / 2)
    return {
        RHO_UP: p < low and q > high,
        RHO_DOWN: p > high and q < low,
        BETA_UP: q / p > beta,
        BETA_DOWN: q / p < 1 / beta,
        INSIDE_UP: b - beta * a,
        INSIDE_DOWN: d - beta * c,
        PAIR_UP: min(low - a, b - high),
        PAIR_DOWN: min(low - c, d - high),
        ALONE: min(near[1] - beta * near[0], high - near[0], high - near[1]),
    }


def mutant(point: Point) -> dict[str, Any]:
    """The rectangles [0, rho1] x [rho1, 1] and its mirror image."""
    p, q, low = (rational(point[name]) for name in ("p", "q", "rho1"))
    return {**theory(point), RHO_UP: p < low < q, RHO_DOWN: q < low < p}


def _names(point: Point) -> dict[str, Fraction]:
    """A pair of each rectangle."""
    p, q = rational(point["p"]), rational(point["q"])
    return dict(zip("abcd", (*_of_rectangle(point, p, q), *_of_rectangle(point, q, p)), strict=True))


def _pairs(inside: str, pair: str, a: str, b: str) -> list[Value]:
    """A pair of a rectangle against the triangle, and that it is one: any pair, or one on the side of the triangle."""
    step = "((beta*rho1 - rho2)/(beta*rho1 + 1 - rho2))"
    found = []
    for where, x, y in (
        ("rho2 >= beta*rho1", a, b),
        ("rho2 < beta*rho1", f"(rho1 - {step}*rho1)", f"(rho2 + {step}*(1 - rho2))"),
    ):
        found.append(Value(of=inside, theory=0, computed=f"{y} - beta*{x}", where=where))
        found.append(Value(of=pair, theory=0, computed=Min(f"rho1 - {x}", f"{y} - rho2"), where=where))
    return found


def proof() -> Anchored:
    """A pair (p, q) is a breach by Definition 1.2 when it is beyond the line to (1/beta, 1), or that to (1, 1/beta)."""
    near = "rho1/(2*beta + 2)"
    return Anchored(
        Truth(of=RHO_UP, theory="p < rho1 and q > rho2 and q <= 1", computed="p < rho1 and q > rho2"),
        Truth(of=RHO_DOWN, theory="p > rho2 and p <= 1 and q < rho1", computed="p > rho2 and q < rho1"),
        Truth(of=BETA_UP, theory="q/beta - p > 0 and (1 - q)/beta >= 0 and p >= 0", computed="q/p > beta"),
        Truth(of=BETA_DOWN, theory="q >= 0 and (1 - p)/beta >= 0 and p/beta - q > 0", computed="q/p < 1/beta"),
        *_pairs(INSIDE_UP, PAIR_UP, "a", "b"),
        *_pairs(INSIDE_DOWN, PAIR_DOWN, "c", "d"),
        Value(of=ALONE, theory=0, computed=Min(f"rho1/2 - beta*{near}", f"rho2 - {near}", "rho2 - rho1/2")),
        at=_names,
    )


CLAIM = Claim(
    id="chainayak2018.figure-1",
    source=f"{PAPER}, Figure 1 and the text beside it",
    printed=r"The two shaded rectangles represent the privacy breach region (PBR) of $\rho_1$-to-$\rho_2$ privacy. "
    r"The two shaded triangles constitute the PBR of $\beta$-factor privacy. Among two PBRs in Figure 1, none is a "
    r"subset of the other one.",
    precise="A pair (prior p > 0, posterior q) is a breach by Definition 1.1 exactly in the rectangles [0, rho1) x "
    "(rho2, 1] and (rho2, 1] x [0, rho1), and by Definition 1.2 exactly in the triangles with corners (0, 0), "
    "(1/beta, 1), (0, 1) and (0, 0), (1, 0), (1, 1/beta), without their long sides. The triangles never lie in the "
    "rectangles: a pair near (0, 0) is in the upper one and in no rectangle. The rectangles lie in the triangles "
    "exactly when rho2 >= beta rho1: then every pair of them does; if not, each has a pair that does not.",
    variables={
        **RHOS,
        "beta": Domain("beta > 1", tuple(Fraction(x) for x in ("3/2", "2", "3", "5")), beta_domain.draw),
        "p": UNIT,
        "q": UNIT,
    },
    bound={
        "a": Domain("the prior of a pair of the upper rectangle", (), relation="0 <= x < rho1"),
        "b": Domain("its posterior", (), relation="rho2 < x <= 1"),
        "c": Domain("the posterior of a pair of the lower rectangle", (), relation="0 <= x < rho1"),
        "d": Domain("its prior", (), relation="rho2 < x <= 1"),
    },
    assumptions=(
        ordered_rhos,
        Condition("beta > 1", "beta > 1"),
        Condition("P_alpha(Q) > 0 (Definition 1.2)", "p > 0"),
    ),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
    count=300,
    notes="The values of rho1, rho2 and beta that are drawn are not in the text: that none of the two drawn regions "
    "lies in the other says rho2 < beta rho1 of them. The area of the triangles is 1/beta, of the rectangles "
    "2 rho1 (1 - rho2).",
)
