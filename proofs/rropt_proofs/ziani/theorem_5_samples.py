"""Theorem 5, after it: the sample size n = Omega(1/(alpha^2 gamma^2)) at p = 1/2 - gamma."""

from __future__ import annotations

from fractions import Fraction

from rropt.claims import Anchored, Claim, Condition, Domain, Point, Step, Truth
from rropt_proofs.ziani._paper import PAPER, corrected, reports_of_ones

HALF = Fraction(1, 2)


def _product(point: Point) -> Fraction:
    return Fraction(point["alpha"]) ** 2 * Fraction(point["gamma"]) ** 2


def theory(point: Point) -> tuple[bool, bool, bool]:
    """(the bound is at most alpha, if so alpha is reached, fewer than the order fail)."""
    return point["n"] >= 1 / (16 * point["delta"] * _product(point)), True, True


def computed(point: Point) -> tuple[bool, bool, bool]:
    """The squared bound, and the exact probability that the (corrected) estimator errs by at most alpha."""
    n, gamma, delta, alpha = point["n"], point["gamma"], point["delta"], point["alpha"]
    p = HALF - gamma
    enough = 1 / (4 * delta * (1 - 2 * p) ** 2 * n) <= alpha**2
    too_few = gamma <= Fraction(1, 4) and delta < Fraction(1, 12) and n * _product(point) <= Fraction(3, 128)
    reached = [_within(p, n, s, alpha) >= 1 - delta for s in {0, n // 2}]
    return enough, all(reached) or not enough, not (any(reached) and too_few)


def _within(p: Fraction, n: int, s: int, alpha: Fraction) -> Fraction:
    law = reports_of_ones(p, (1,) * s + (0,) * (n - s))
    return sum(
        (c for ones, c in law.items() if abs(corrected(Fraction(ones, n), p) - Fraction(s, n)) <= alpha), Fraction(0)
    )


def mutant(point: Point) -> tuple[bool, bool, bool]:
    """1 - 2p = gamma in the place of 2 gamma."""
    return point["n"] >= 1 / (4 * point["delta"] * _product(point)), True, True


def proof() -> Anchored:
    p = "(1/2 - gamma)"
    return Anchored(
        Truth(
            of=0,
            theory="n >= 1/(16*delta*alpha**2*gamma**2)",
            computed=f"1/(4*delta*(1 - 2*{p})**2*n) <= alpha**2",
        ),
        steps=[Step(f"{p}*(1 - {p}) >= 3/16", where="gamma <= 1/4")],
        unanchored=(
            "that many suffice: Theorem 5 in its corrected form, whose step from the mean squared error to the "
            "probability (Chebyshev's inequality) no machine checks",
            "no smaller order suffices: the inequality of Paley and Zygmund, of which values are far from the mean, "
            "has no shape; nor has the fourth moment of a sum of independent reports",
        ),
        argument="1 - 2p = 2 gamma, so the bound of Theorem 5 is at most alpha iff n >= 1/(16 delta alpha^2 gamma^2): "
        "for fixed delta of the order 1/(alpha^2 gamma^2), and that many suffice. No smaller order does: let v = p "
        "(1-p), at least 3/16 for gamma <= 1/4. The sum S of the n centred reports has E[S^2] = n v and E[S^4] = n v "
        "(1-3v) + 3 n (n-1) v^2, at most 3 (n v)^2. By Paley and Zygmund S^2 > n v/2 with probability at least (1 - "
        "1/2)^2/3 = 1/12. So an error of at most alpha with probability above 11/12 needs alpha^2 above half the "
        "variance v/(4 gamma^2 n), which is at least 3/(128 gamma^2 n): n > 3/(128 alpha^2 gamma^2).",
    )


CLAIM = Claim(
    id="ziani.theorem-5-samples",
    source=f"{PAPER}, after Theorem 5",
    printed=r"If we want to take $p=\frac12-\gamma$ (leading to $1-2p=2\gamma$) for a very small value of $\gamma$, we "
    r"need roughly $n=\Omega\left(\frac1{\alpha^2\gamma^2}\right)$ samples to get small additive error $\alpha$.",
    precise="At p = 1/2 - gamma, 0 < gamma <= 1/2, and fixed delta: the bound of Theorem 5 is at most alpha if and "
    "only if n >= 1/(16 delta alpha^2 gamma^2), and then the (corrected) estimator errs by at most alpha with "
    "probability at least 1 - delta. The order is needed: for gamma <= 1/4 and delta < 1/12 no n <= 3/(128 alpha^2 "
    "gamma^2) gives an error of at most alpha with probability 1 - delta.",
    variables={
        "alpha": Domain.interval("additive error alpha, 0 < alpha <= 1", 0, 1, also=("1/10", "1/4", "1/2")),
        "gamma": Domain.interval("gamma = 1/2 - p, 0 < gamma <= 1/2", 0, "1/2", also=("1/100", "1/10", "1/4")),
        "delta": Domain.values("failure probability", *(Fraction(x) for x in ("1/20", "1/2", "1"))),
        "n": Domain.values("number of respondents", 1, 2, 4, 10, 20, 40),
    },
    defined=(Condition("alpha > 0 and gamma > 0: the sample size divides by both", "alpha*gamma > 0"),),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
    count=60,
    notes="Reading taken: the error and its probability are those of Theorem 5 for the corrected estimator, delta is "
    "fixed, and a factor that depends on delta alone is hidden in the symbol (`roughly`). `We need n samples` is read "
    "twice, and both are checked: that many make the bound of Theorem 5 at most alpha, and no smaller order of n "
    "reaches the error alpha with probability 1 - delta, for gamma <= 1/4 (`very small`) and delta < 1/12. "
    r"The symbol hides the factor $\frac1{16\delta}$: at $\delta=\frac1{20}$ it is $\frac54$. The number that "
    r"Chebyshev's bound asks for is an upper bound on what is needed; that its order is needed as well takes a proof "
    r"of its own, given here.",
)
