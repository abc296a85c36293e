"""The least rho of zCDP of k-ary randomized response, and when it is the divergence at order 1."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rropt.claims import Claim, Domain, Point
from rropt_proofs.rropt import PAPER

_BITS = 256
_ORDERS = tuple(Fraction(2) ** j for j in range(-20, 8))  # less 1


def _decided(difference: Any) -> bool:
    """Return the sign of a ball that does not hold 0, as whether it is positive."""
    if difference > 0:
        return True
    if difference < 0:
        return False
    raise ArithmeticError("the sign of a ball is not decided")


def _threshold(point: Point, factor: int = 1) -> bool:
    from flint import arb, ctx, fmpq

    k, gamma = point["k"], Fraction(point["gamma"])
    if k == 2:
        return True
    with ctx.workprec(_BITS):
        t = arb(fmpq(gamma.numerator, gamma.denominator)).log() / 2
        ratio = (t.sinh() * t.cosh() - t) / (t * t.cosh() - t.sinh())
        return _decided(factor * ratio - (k - 2) / (2 * t.exp()))


def theory(point: Point) -> bool:
    """Whether ``(k - 2)/(2 e^(eps/2)) <= R(eps/2)``."""
    return _threshold(point)


def computed(point: Point) -> bool:
    """Whether no order of a list has a divergence above that at order 1 times the order: by the two columns."""
    from flint import arb, ctx, fmpq

    k, gamma = point["k"], Fraction(point["gamma"])
    with ctx.workprec(_BITS):
        g = arb(fmpq(gamma.numerator, gamma.denominator))
        scale = g + k - 1
        p, q = g / scale, 1 / scale
        loss = g.log()
        least = (p - q) * loss
        for more in _ORDERS:
            x = arb(fmpq(more.numerator, more.denominator))
            total = p * (x * loss).exp() + q * (-x * loss).exp() + (k - 2) * q
            if _decided(total.log() / x / (1 + x) - least):
                return False
    return True


CLAIM = Claim(
    id="rropt.zcdp-response",
    source=f"{PAPER}, privacy of many answers",
    place=(7, 2),
    printed=r"The least $\rho$ for which $k$-ary randomized response is $\rho$-zCDP is its divergence at order 1, "
    r"$\varepsilon(e^\varepsilon-1)/(e^\varepsilon+k-1)$, if and only if "
    r"$\frac{k-2}{2e^{\varepsilon/2}}\le R(\varepsilon/2)$, $R(t)=\frac{\sinh t\cosh t-t}{t\cosh t-\sinh t}$: "
    r"always for $k\le6$, and from one level on for $k\ge7$.",
    precise="For epsilon = log(gamma) > 0 and k >= 2: D_a/a <= D_1 for all a > 1 iff the inequality holds. Equality "
    "needs an epsilon that no rational gamma was found to have.",
    variables={
        "k": Domain.values("number of categories", 2, 3, 5, 6, 7, 8, 10, 20, 100, 1000),
        "gamma": Domain.values(
            "gamma = exp(epsilon) > 1",
            *map(
                Fraction,
                (
                    "11/10",
                    "3/2",
                    "8/5",
                    "2",
                    "11/5",
                    "7/2",
                    "15/4",
                    "10",
                    "14",
                    "15",
                    "100",
                    "160",
                    "170",
                    "3000",
                    "3050",
                ),
            ),
        ),
    },
    theory=theory,
    computed=computed,
    mutant=lambda point: _threshold(point, 2),  # twice the right side
)
