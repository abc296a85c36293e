"""The minimax value of a variance over a polytope of populations is a saddle point, with one fixed estimate."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rropt.claims import Anchored, Bound, Claim, Condition, Domain, Point, Value
from rropt_proofs.rropt import PAPER

_NAMES = ("theta", "eta", "m", "n", "t", "s", "v", "p", "q")


def theory(point: Point) -> dict[str, Any]:
    """Convex in the design, concave in the population; the tangent at a population, and the bound of its dual."""
    theta, eta, m, n, t, s, v, p, q = (Fraction(point[name]) for name in _NAMES)
    return {
        "mixture of two designs": Bound("at-most", s * (t * m**2 / theta + (1 - t) * n**2 / eta)),
        "mixture of two populations": Bound("at-least", -t * p**2 - (1 - t) * q**2),
        "tangent": Bound("at-most", p**2 - 2 * p * q),
        "dual": Bound("at-least", 2 * m * v - theta * v**2 / s),
        "dual, attained": theta * v**2 / s,
    }


def computed(point: Point) -> dict[str, Any]:
    """What an answer adds to the variance of the estimate, and minus the square of a proportion."""
    theta, eta, m, n, t, s, v, p, q = (Fraction(point[name]) for name in _NAMES)
    efficient = theta * v / s
    return {
        "mixture of two designs": s * (t * m + (1 - t) * n) ** 2 / (t * theta + (1 - t) * eta),
        "mixture of two populations": -((t * p + (1 - t) * q) ** 2),
        "tangent": -(q**2),
        "dual": s * m**2 / theta,
        "dual, attained": s * efficient**2 / theta,
    }


def mutant(point: Point) -> dict[str, Any]:
    """The bound of the dual without its factor 2."""
    theta, s, v = (Fraction(point[name]) for name in ("theta", "s", "v"))
    return {**theory(point), "dual, attained": theta * v**2 / (2 * s)}


def proof() -> Anchored:
    """Each difference is a square over something positive."""
    return Anchored(
        *(Value(of=name) for name in _PARTS),
        unanchored=(
            "the sums over the answers: what is proved is about one answer and one coordinate",
            "least and largest may be exchanged: Sion's minimax theorem is cited",
            "a design and a population that are best exist: both sets are compact",
        ),
    )


_PARTS = ("mixture of two designs", "mixture of two populations", "tangent", "dual", "dual, attained")

CLAIM = Claim(
    id="rropt.saddle-point",
    source=f"{PAPER}, polytopes of populations",
    place=(8, 1),
    printed=r"Let $Q$ be a polytope of populations. Over all $\varepsilon$-private mechanisms with finitely many "
    r"answers the least worst case over $\pi\in Q$ of $n$ times the variance of the efficient estimate (of all shares "
    r"together, or of a contrast) is $\max_{\pi\in Q}V(\pi)$, $V(\pi)$ the least variance at $\pi$ alone; and a "
    r"mechanism with one fixed unbiased linear estimate, the same for all of $Q$, attains it at every $n$.",
    precise="For rows theta_j S_j with patterns S_j in {1, gamma}^k, theta > 0, and estimates m_j/theta_j, n times the "
    "variance at q is sum_j (S_j . q) abs(m_j)^2/theta_j - q . q (of a contrast (c . q)^2). An answer's part is convex "
    "in (theta, m), under the linear conditions sum theta_j S_j = 1 and sum m_j S_j^T = I; the rest is concave in q. "
    "So least and largest may be exchanged (Sion). The tangent at a population p of the saddle point bounds one "
    "estimate on all of Q; the dual W there, with abs(S W)^2 <= (alpha . S)(S . p), bounds every design at p: its "
    "parts (v a coordinate of S W, s = S . p) sum to 2 tr W - sum alpha, and are attained by the efficient estimate. "
    "Between them lies the worst case of the efficient estimate.",
    variables={
        "theta": Domain.interval("weight of a row", 0, 1, also=("1/2", "1/20")),
        "eta": Domain.interval("weight of it in another design", 0, 1, also=("1/3", "1/20")),
        "m": Domain.interval("a coordinate of its estimate, times its weight", -2, 2, also=("1/2",)),
        "n": Domain.interval("that of the other design", -2, 2, also=("1/3",)),
        "t": Domain.interval("share of the first design, or population", 0, 1, also=("1/2",)),
        "s": Domain.odds(),
        "v": Domain.interval("a coordinate of S W", -2, 2, also=("1/2",)),
        "p": Domain.interval("a share, or the mean of a contrast", -1, 1, also=("1/2",)),
        "q": Domain.interval("another one", -1, 1, also=("1/3",)),
    },
    assumptions=(Condition("theta > 0", "theta > 0"), Condition("eta > 0", "eta > 0")),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
    notes="Exchange: Sion, On general minimax theorems (Pacific J. Math. 8, 1958); mixtures of patterns: Kairouz, Oh "
    "and Viswanath (JMLR 17, 2016). Minimax designs over sets of parameters are known for linear models (Pukelsheim, "
    "Optimal design of experiments, 1993, chapter 11); for private mechanisms it was not found in the literature. "
    "Each design of `rropt design kary` over ranges of shares carries both bounds (rule 15 of the checker).",
)
