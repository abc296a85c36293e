"""Theorem 5, after it: the sample size n = Omega(1/(alpha^2 gamma^2)) at p = 1/2 - gamma."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rropt.claims import Bound, Claim, Condition, Domain, Point
from rropt.claims.outcomes import value_text
from rropt_proofs._laws import chance_of
from rropt_proofs.ziani import PAPER
from rropt_proofs.ziani._paper import (
    corrected,
    reports_of_ones,
)

HALF, TWELFTH = Fraction(1, 2), Fraction(1, 12)
BOUND, ENOUGH, NEEDED = (
    "the bound of Theorem 5 is at most alpha",
    "the largest probability of an error above alpha",
    "the least probability of an error above alpha",
)


def _product(point: Point) -> Fraction:
    return point["n"] * Fraction(point["alpha"]) ** 2 * Fraction(point["gamma"]) ** 2


def theory(point: Point) -> dict[str, Any]:
    """At most delta where n is large enough; at least 1/12, so delta < 1/12 is missed, where n is below the order."""
    enough = 16 * point["delta"] * _product(point) >= 1
    few = 128 * _product(point) <= 3
    return {
        BOUND: point["n"] >= 1 / (16 * point["delta"] * _product(point) / point["n"]),
        ENOUGH: Bound("at-most", Fraction(point["delta"]) if enough else Fraction(1)),
        NEEDED: Bound("at-least", TWELFTH if few else Fraction(0)),
    }


def computed(point: Point) -> dict[str, Any]:
    """The squared bound, and the exact probabilities that the (corrected) estimator errs by more than alpha."""
    n, gamma, delta, alpha = point["n"], point["gamma"], point["delta"], point["alpha"]
    p = HALF - gamma
    missed = [1 - _within(p, bits, alpha) for bits in _populations(n)]
    return {BOUND: 1 / (4 * delta * (1 - 2 * p) ** 2 * n) <= alpha**2, ENOUGH: max(missed), NEEDED: min(missed)}


def _populations(n: int) -> list[tuple[int, ...]]:
    """No bit is 1, and half of them are."""
    return [(1,) * s + (0,) * (n - s) for s in sorted({0, n // 2})]


def _within(p: Fraction, bits: tuple[int, ...], alpha: Fraction) -> Fraction:
    n, mean = len(bits), Fraction(sum(bits), len(bits))
    law = reports_of_ones(p, bits)
    return chance_of(law, lambda ones: abs(corrected(Fraction(ones, n), p) - mean) <= alpha)


def mutant(point: Point) -> dict[str, Any]:
    """1 - 2p = gamma in the place of 2 gamma."""
    return {**theory(point), BOUND: 4 * point["delta"] * _product(point) >= 1}


def working(point: Point) -> str:
    """The probabilities of an error above alpha, for no bit 1 and for half of them."""
    n, gamma, delta, alpha = point["n"], point["gamma"], point["delta"], point["alpha"]
    lines = [f"n alpha^2 gamma^2 = {value_text(_product(point))}, p = {value_text(HALF - gamma)}"]
    for bits in _populations(n):
        missed = 1 - _within(HALF - gamma, bits, alpha)
        lines.append(
            f"bits {value_text(bits)}: an error above {value_text(alpha)} has probability {value_text(missed)}; delta "
            f"is {value_text(delta)}"
        )
    return "\n".join(lines)


CLAIM = Claim(
    id="ziani.theorem-5-samples",
    source=f"{PAPER}, after Theorem 5",
    place=(1, 8),
    printed=r"This means that if we want to take $p=\frac12-\gamma$ (leading to $1-2p=2\gamma$) for a very small value "
    r"of $\gamma$ to give strong privacy guarantees, we need roughly "
    r"$n=\Omega\left(\frac1{\alpha^2\gamma^2}\right)$ samples to get small additive error $\alpha$.",
    precise="At p = 1/2 - gamma, 0 < gamma <= 1/2, and fixed delta: the bound of Theorem 5 is at most alpha if and "
    "only if n >= 1/(16 delta alpha^2 gamma^2), and then the (corrected) estimator errs by at most alpha with "
    "probability at least 1 - delta. The order is needed: for delta < 1/12 no n <= 3/(128 alpha^2 gamma^2) "
    "gives an error of at most alpha with probability 1 - delta.",
    variables={
        "alpha": Domain.interval("additive error alpha, 0 < alpha <= 1", 0, 1, also=("1/4",)),
        "gamma": Domain.interval("gamma = 1/2 - p, 0 < gamma <= 1/2", 0, "1/2", also=("1/4",)),
        "delta": Domain("failure probability", tuple(Fraction(x) for x in ("1/20", "1/2", "1")), relation="0 < x <= 1"),
        "n": Domain("number of respondents", (1, 3, 6), relation="x >= 1"),
    },
    missing=(Condition(r"$\gamma\le\frac14$, a constant for `very small`", "gamma <= 1/4"),),
    working=working,
    defined=(Condition("alpha > 0 and gamma > 0: the sample size divides by both", "alpha*gamma > 0"),),
    theory=theory,
    computed=computed,
    mutant=mutant,
    count=40,
    notes="The symbol leaves the constants open, which a statement about all gamma and delta needs: here "
    "1/4, 1/12 and 3/128. The error and its probability are those of Theorem 5 for the corrected "
    "estimator, delta is fixed, and a factor that depends on delta alone is hidden in the symbol "
    "(`roughly`). `We need n samples` is read twice, and both are checked: that many make the bound of "
    "Theorem 5 at most alpha, and no smaller order of n reaches the error alpha with probability 1 - "
    "delta, for gamma <= 1/4 (`very small`) and delta < 1/12. The symbol hides the factor "
    r"$\frac1{16\delta}$: at $\delta=\frac1{20}$ it is $\frac54$. The number that Chebyshev's bound asks "
    "for is an upper bound on what is needed; that its order is needed as well takes a proof of its own, "
    "given here."
    " 1 - 2p = 2 gamma, so the bound of Theorem 5 is at most alpha iff n >= 1/(16 delta alpha^2 gamma^2): for "
    "fixed delta of the order 1/(alpha^2 gamma^2), and that many suffice, by Chebyshev's inequality. No smaller "
    "order does: let v = p (1-p), at least 3/16 for gamma <= 1/4. The sum S of the n centred reports has E[S^2] = "
    "n v and E[S^4] = n v (1-3v) + 3 n (n-1) v^2, at most 3 (n v)^2. With h = n v/2 the indicator of S^2 > h is "
    "at least 1 - (1 - (S^2 - h)/(9 h))^2, whose mean is at least 1/9 (Paley and Zygmund). So an error of at most "
    "alpha with probability above 11/12 needs alpha^2 above half the variance v/(4 gamma^2 n), which is at least "
    "3/(128 gamma^2 n): n > 3/(128 alpha^2 gamma^2).",
)
