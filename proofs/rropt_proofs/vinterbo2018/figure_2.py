"""Figure 2, and what the text reads from it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rropt.claims import Anchored, Bound, Claim, Condition, Domain, Point, Value
from rropt_proofs._matrices import Rows
from rropt_proofs.vinterbo2018 import PAPER
from rropt_proofs.vinterbo2018._paper import inverse_of_bit, keeping

PREFERRED, AROUND, EMPHASIZED, UNRELATED, WARNER = (
    "c_M/c_W, n = 1",
    "c_M/c_W, n = 1, nearer to 1/2",
    "c_M/c_W, n = 2",
    "c_M(alpha), n = 1",
    "c_W(alpha), n = 1",
)
TURN = Fraction(2, 3)


def _spread(rows: Rows) -> Fraction:
    """Return the sum of the squares of the first column of the inverse."""
    (first, _), (second, _) = inverse_of_bit(rows)
    return first * first + second * second


def _ratio(p: Fraction) -> Fraction:
    return _spread(keeping(1 - p / 2)) / _spread(keeping(p))


def _nearer(p: Fraction) -> Fraction:
    """Return the middle between p and 1/2."""
    return (p + Fraction(1, 2)) / 2


def theory(point: Point) -> dict[str, Any]:
    """Below 1 where p < 2/3, above beyond; smaller nearer to 1/2; further from 1 with two bits; panel (b)."""
    p, g = Fraction(point["p"]), Fraction(point["odds"])
    one = Fraction(1)
    side = "less" if p < TURN else "greater" if p > TURN else "at-most"
    c_m, c_w = (p**2 - 2 * p + 2) / (2 * (p - 1) ** 2), (2 * p**2 - 2 * p + 1) / (2 * p - 1) ** 2
    here, panel = c_m / c_w, (g**2 + 1) / (g - 1) ** 2
    return {
        PREFERRED: Bound(side, one),
        AROUND: Bound("less", here),
        EMPHASIZED: Bound(side, here),
        UNRELATED: panel,
        WARNER: panel,
    }


def computed(point: Point) -> dict[str, Fraction]:
    """The ratio of both devices at p and nearer to 1/2, and the spread of each matrix at the same odds."""
    p, g = Fraction(point["p"]), Fraction(point["odds"])
    return {
        PREFERRED: _ratio(p),
        AROUND: _ratio(_nearer(p)),
        EMPHASIZED: _ratio(p) ** 2,  # the inverse of a Kronecker product is that of the inverses
        UNRELATED: _spread(keeping(1 - 1 / (1 + g))),
        WARNER: _spread(keeping(g / (1 + g))),
    }


def mutant(point: Point) -> dict[str, Any]:
    """Below 99/100 where p < 2/3."""
    said = theory(point)
    return {**said, PREFERRED: Bound(said[PREFERRED].strength, Fraction(99, 100))}


def proof() -> Anchored:
    """Both sides are traced, case by case."""
    cases = ("p < 2/3", "p > 2/3", "p == 2/3")
    return Anchored(
        *(Value(of=name, where=case) for name in (PREFERRED, EMPHASIZED) for case in cases),
        *(Value(of=name) for name in (AROUND, UNRELATED, WARNER)),
    )


CLAIM = Claim(
    id="vinterbo2018.figure-2",
    source=f"{PAPER}, Figure 2 and section 5.2",
    place=(5, 9),
    printed=r"(a) The ratio $c_M/c_W$ for $p\in(0,0.8)$ and $n=1$. (b) $c_M(\alpha)=c_W(\alpha)$ for $n=1$ and "
    r"$\alpha\in[0.2,2]$ [...] We see that when $p<\frac23$, the unrelated question randomizer is preferable "
    r"with respect to estimating $\pi$, and particularly so around $p=0.5$ ($c_W$ is undefined at $p=0.5$). "
    "The preference regions are emphasized as $n$ increases.",
    precise="For 0 < p < 8/10, p != 1/2, n = 1: c_M/c_W is below 1 for p < 2/3, above 1 for p > 2/3, and smaller at "
    "the middle between p and 1/2; with n = 2 it is further from 1, on the same side. For every alpha > 0 both "
    "devices with the privacy alpha have c = (exp(2 alpha) + 1)/(exp(alpha) - 1)^2.",
    variables={
        "p": Domain(
            "p, from 0 to 8/10",
            tuple(map(Fraction, ("0", "1/10", "1/4", "2/5", "49/100", "1/2", "51/100", "3/5", "2/3", "7/10", "4/5"))),
            None,
            "0 <= x <= 4/5",
        ),
        "odds": Domain(
            "exp(alpha), alpha from 0.2 to 2 and beyond",
            tuple(map(Fraction, ("1", "5/4", "2", "7", "1000"))),
            None,
            "x >= 1",
        ),
    },
    assumptions=(Condition("0 < p < 8/10", "0 < p < 8/10"),),
    defined=(Condition("p != 1/2 and alpha > 0", "p != 1/2 and odds > 1"),),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
    count=60,
    notes="Smaller c is better (section 4.1). The curves themselves are the functions given in the captions.",
)
