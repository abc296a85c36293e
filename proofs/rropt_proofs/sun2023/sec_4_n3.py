"""Section 4, after Theorem 4.2: from which N on the interval is within [1/4, 3/4]."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rropt.claims import Anchored, Bound, Claim, Condition, Correction, Domain, Point, Value
from rropt_proofs.sun2023 import PAPER


def theory(_: Point) -> Bound:
    """The square of 1/4."""
    return Bound("at-most", Fraction(1, 16))


def computed(point: Point) -> Any:
    """The square of 1/(2 sqrt N)."""
    return Fraction(1) / (4 * point["size"])


def mutant(_: Point) -> Bound:
    """1/5 in the place of 1/4."""
    return Bound("at-most", Fraction(1, 25))


def working(point: Point) -> str:
    """The squares."""
    return f"1/(2 sqrt {point['size']}) has the square 1/{4 * point['size']}, which is above (1/4)^2 = 1/16"


CLAIM = Claim(
    id="sun2023.sec-4-n3",
    source=f"{PAPER}, section 4, after Theorem 4.2",
    place=(4, 5),
    printed=r"Especially, since $1/2\sqrt N\le1/4$ (for $N\ge3$), as long as $\pi_A<0.25$ or $\pi_A>0.75$, we have "
    r"$\mathbf{Var_{IC}}<\mathbf{Var_{MC}}$ for any $N(N>3)$.",
    precise="For every integer N >= 3: 1/(2 sqrt N) <= 1/4, that is 1/(4N) <= 1/16.",
    variables={"size": Domain("N", (1, 2, 3, 4, 5, 100), lambda rng: rng.randint(3, 300), "x >= 1")},
    assumptions=(Condition("N >= 3", "size >= 3"),),
    theory=theory,
    computed=computed,
    mutant=mutant,
    correction=Correction(
        r"$1/(2\sqrt N)\le1/4$ for $N\ge4$, that is for $N>3$.",
        theory,
        conditions=(Condition("N >= 4", "size >= 4"),),
    ),
    proof=lambda: Anchored(Value(theory="1/16", computed="1/(4*size)")),
    working=working,
    count=40,
    notes="False at N = 3 alone, where 1/(2 sqrt 3) = 0.2887. What is concluded, for N > 3, is right; at N = 3 no "
    "pi_A strictly between 0 and 1/4 exists, as N pi_A is an integer.",
)
