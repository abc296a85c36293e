"""Figure 1 (b): the growth of log L(n)."""

from __future__ import annotations

from fractions import Fraction

from rropt.claims import Bound, Claim, Domain, Point
from rropt_proofs.vinterbo2018 import PAPER

GROWS, FACTOR = "L(n)", "(L(n) - 1)/(L(n-1) - 1)"


def _spread(point: Point) -> Fraction:
    p = Fraction(point["p"])
    return (p**2 - 2 * p + 2) / (2 * (p - 1) ** 2)


def _loss(c: Fraction, n: int) -> Fraction:
    at = Fraction(2, 2**n + 1)
    return (c**n - at) / (1 - at)


def theory(point: Point) -> dict[str, Bound]:
    """Larger than for one bit less, and than 1; L - 1 grows by more than the factor c of one bit less its share."""
    c, n = _spread(point), point["n"]
    share = Fraction((2**n + 1) * (2 ** (n - 1) - 1), (2**n - 1) * (2 ** (n - 1) + 1)) if n > 1 else Fraction(0)
    return {
        GROWS: Bound("greater", _loss(c, n - 1) if n > 1 else Fraction(1)),
        FACTOR: Bound("greater", c * share),
    }


def computed(point: Point) -> dict[str, Fraction]:
    """The loss at n bits, exact, and how its distance from 1 grows from n - 1 to n."""
    c, n = _spread(point), point["n"]
    now = _loss(c, n)
    return {GROWS: now, FACTOR: (now - 1) / (_loss(c, n - 1) - 1) if n > 1 else Fraction(1)}


def mutant(point: Point) -> dict[str, Bound]:
    return {**theory(point), GROWS: Bound("greater", 2 * theory(point)[GROWS].value)}


CLAIM = Claim(
    id="vinterbo2018.figure-1b",
    source=f"{PAPER}, Figure 1 (b) and section 5.1",
    place=(5, 4),
    printed=r"Figure 1(b) shows the growth of $\log(f_L(2(2^n+1)^{-1}))$ in $n$ for three values of $p$. [...] (b): "
    r"$\log(L)=\log(f_L(2(2^n+1)^{-1}))$ for $n=1,2,\ldots,12$ and three values of $p$.",
    precise="Computed beside the picture, for the values of p of part (c), 0.0001, 0.5 and 0.9999: L(n) grows with n = "
    "1, ..., 12, and L(n) - 1 by nearly the factor c of one bit each time, so that log L(n) is nearly a straight line.",
    variables={
        "n": Domain.whole("n, the number of bits", 1, 12),
        "p": Domain.values("p", *map(Fraction, ("0.0001", "0.5", "0.9999"))),
    },
    theory=theory,
    computed=computed,
    mutant=mutant,
    not_checkable="a picture; the text names neither the values of p in this part nor what is read from it",
)
