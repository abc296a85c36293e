"""Section 3, conclusion (3): epsilon-DLP is h_gamma-CSIP with gamma = exp(epsilon)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rropt.claims import Claim, Domain, Point
from rropt.core.exact import Epsilon
from rropt.mechanisms import Mechanism
from rropt.privacy.bound import judge
from rropt.privacy.criteria import differential_local_privacy
from rropt_proofs._matrices import parity
from rropt_proofs.chainayak2018 import PAPER
from rropt_proofs.chainayak2018._bayes import MATRIX, share_at
from rropt_proofs.chainayak2018._paper import epsilon_domain, extreme_posteriors, share, two_categories, within
from rropt_proofs.chainayak2018.definition_2_1 import largest_ratio

PRIORS = tuple(Fraction(x) for x in ("1/100", "1/2", "9/10"))


def theory(point: Point) -> dict[str, Any]:
    """The parity over single responses, as the proportion parity/(1 + parity); (2.1) by the parity."""
    private = within(parity(point["P"]), point["epsilon"])
    largest = share(parity(point["P"]))
    return {"sets of responses": largest, "posteriors": largest, "h_gamma-CSIP": private, "by the library": private}


def _allowed(q: Fraction, p: Fraction, epsilon: str) -> bool:
    """Whether q <= h_gamma(p), gamma = exp(epsilon), exactly: q (1 - p) <= gamma p (1 - q)."""
    gamma = Epsilon.of(epsilon).exact_gamma()
    return q < 1 and bool(gamma >= q * (1 - p) / (p * (1 - q)))


def computed(point: Point) -> dict[str, Any]:
    """(2.1) over all sets of responses; the largest posterior at three priors against h_gamma; the library."""
    largest = {p: extreme_posteriors(point["P"], p)[1] for p in PRIORS}
    shares = {share_at(q, p) for p, q in largest.items()}
    if len(shares) > 1:
        raise ArithmeticError(f"the largest Bayes factor depends on the prior: {shares}")
    criterion = differential_local_privacy(point["epsilon"])
    return {
        "sets of responses": share(largest_ratio(point["P"])),
        "posteriors": shares.pop(),
        "h_gamma-CSIP": all(_allowed(q, p, point["epsilon"]) for p, q in largest.items()),
        "by the library": judge(Mechanism(point["P"]), criterion).meets is True,
    }


def mutant(point: Point) -> dict[str, Any]:
    """gamma = exp(2 epsilon)."""
    return {**theory(point), "h_gamma-CSIP": within(largest_ratio(point["P"]), point["epsilon"], times=2)}


CLAIM = Claim(
    id="chainayak2018.sec-3-dlp",
    source=f"{PAPER}, section 3, conclusion (3)",
    place=(3, 14),
    printed=r"Recall that an RR procedure $P$ provides $\epsilon$-DLP if and only if $\eta(P)\le\exp(\epsilon)$. Then, "
    r"in view of Theorem 3.1 and subsequent discussions, $\epsilon$-DLP is equivalent to $h_{(\gamma)}$-CSIP, "
    r"with $\gamma=\exp(\epsilon)$.",
    precise="For epsilon > 0, gamma = exp(epsilon) and every procedure with k >= 2: the largest ratio in (2.1), over "
    "all sets of responses, is the parity, and so is the largest Bayes factor of a posterior, over all properties and "
    "priors (each as r/(1 + r), which is 1 for r infinite); so the maximum in (2.1) is at most gamma if and only if no "
    "posterior exceeds h_gamma of its prior, h_gamma(p) being the posterior with Bayes factor gamma.",
    variables={
        "P": MATRIX,
        "epsilon": Domain(epsilon_domain.meaning, epsilon_domain.boundary[1:], epsilon_domain.draw),
    },
    defined=(two_categories,),
    count=80,
    theory=theory,
    computed=computed,
    mutant=mutant,
)
