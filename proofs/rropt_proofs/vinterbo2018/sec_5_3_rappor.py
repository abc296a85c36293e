"""Section 5.3: the two modes of RAPPOR."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rropt.claims import Anchored, Claim, Domain, Point, Value
from rropt_proofs.vinterbo2018 import PAPER

SHARE = Domain.interval("a probability", 0, 1, also=("1/4", "1/2", "3/4"))
PLACES = tuple((r, x) for r in (0, 1) for x in (0, 1))


def _names() -> list[str]:
    return [f"{mode} ({r}, {x})" for mode in ("C_M(1)", "C_IR, p = 1 - q", "C_M(0), p = 1 - q") for r, x in PLACES]


def theory(point: Point) -> dict[str, Fraction]:
    """C_{(2-f)/2}, C_q and C_{q - (q - 1/2) f}."""
    f, q = Fraction(point["f"]), Fraction(point["q"])
    half = Fraction(1, 2)
    values = ((2 - f) / 2, q, q - (q - half) * f)
    entries = [a if r == x else 1 - a for a in values for r, x in PLACES]
    return dict(zip(_names(), entries, strict=True))


def computed(point: Point) -> dict[str, Fraction]:
    """The bit goes through the permanent device, and in mode 0 then through the instantaneous one."""
    f, q = Fraction(point["f"]), Fraction(point["q"])
    p, half = 1 - q, Fraction(1, 2)
    permanent = {(r, x): (1 - f) * int(r == x) + f * half for r, x in PLACES}  # the bit, or with chance f a coin
    instant = {(0, 0): 1 - p, (1, 0): p, (0, 1): 1 - q, (1, 1): q}  # as printed: columns are the bit before
    both = {(r, x): instant[r, 0] * permanent[0, x] + instant[r, 1] * permanent[1, x] for r, x in PLACES}
    return dict(zip(_names(), [rows[place] for rows in (permanent, instant, both) for place in PLACES], strict=True))


def mutant(point: Point) -> dict[str, Any]:
    """q - (q - 1) f."""
    f, q = Fraction(point["f"]), Fraction(point["q"])
    return {**theory(point), _names()[-1]: q - (q - 1) * f}


def proof() -> Anchored:
    """Both sides are traced."""
    return Anchored(*(Value(of=name) for name in _names()))


CLAIM = Claim(
    id="vinterbo2018.sec-5.3-rappor",
    source=f"{PAPER}, section 5.3",
    place=(5, 10),
    printed="The PR randomizer is the above $M_S$ randomizer with $p=f$, while "
    r"$C_{M_{\mathrm{IR}}}=\begin{pmatrix}1-p&1-q\\p&q\end{pmatrix}$. A bit $b$ decides the combination, where "
    r"$b=1$ is called [...] mode, and $M(b)=(1-b)(M_{\mathrm{IR}}\circ M_S)+b\,M_S$. Consequently, "
    r"$C_{M(1)}=C_{\frac{2-f}2}$. When $p=1-q$, we recognize $M_{\mathrm{IR}}$ as [...] $M_W$ with parameter "
    r"$q$, and $C_{M(0)}=C_q\,C_{\frac{2-f}2}=C_{q-(q-\frac12)f}$. This means that the Rappor randomizer is an "
    "iterated bisymmetric randomizer when $p=1-q$ or $b=1$.",
    precise="For all 0 <= f, q <= 1: the four entries of the matrices of one bit, in mode 1, of the second stage with "
    "p = 1 - q, and in mode 0 with p = 1 - q; they are bisymmetric, and all bits have the same.",
    variables={"f": SHARE, "q": SHARE},
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
    count=60,
    notes="An estimate needs an invertible matrix: f < 1, and q != 1/2 in mode 0.",
)
