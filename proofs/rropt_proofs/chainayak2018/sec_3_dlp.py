"""Section 3, conclusion (3): epsilon-DLP is h_gamma-CSIP with gamma = exp(epsilon)."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import Any

from rropt.claims import Anchored, Claim, Domain, Entry, Fold, Least, Point, Truth, Value
from rropt.core.exact import Epsilon
from rropt.mechanisms import Mechanism
from rropt.privacy.bound import judge
from rropt.privacy.criteria import differential_local_privacy
from rropt_proofs._matrices import parity
from rropt_proofs.chainayak2018 import PAPER
from rropt_proofs.chainayak2018._bayes import MATRIX, SHARE, WEIGHTS, atoms, bayes_fold, properties, share, share_at
from rropt_proofs.chainayak2018._paper import epsilon_domain, extreme_posteriors, two_categories, within
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


def _instances(point: Point) -> list[dict[str, Any]]:
    """Properties under priors, each with a set of responses with two categories."""
    m, k = len(point["P"]), len(point["P"][0])
    gamma = Epsilon.of(point["epsilon"]).exact_gamma()
    singles = [((i,), j, other) for i in range(m) for j in range(k) for other in range(k) if j != other]
    several = [(s, 0, 1) for size in range(2, m + 1) for s in combinations(range(m), size)]
    found = []
    priors = [*atoms(point["P"]), *properties(point["P"])]
    sets = singles + several
    for number in range(max(len(priors), len(sets))):
        responses, j, other = sets[number % len(sets)]
        above = sum((point["P"][i][j] for i in responses), Fraction(0))
        factor = 1 / above if above else Fraction(1)
        own = {"S": responses, "j": j, "l": other, "factor": factor, "gamma": gamma}
        found.append({**priors[number % len(priors)], **own})
    return found


def proof() -> Anchored:
    """(1 - g) u <= g v for the probabilities of a set of responses, and (1 - g) n s <= g w t for posteriors."""
    responses = Fold(
        over=lambda point, at: [{"x": Entry("P", i, at["j"]), "y": Entry("P", i, at["l"])} for i in at["S"]],
        start={"u": 0, "v": 0},
        update={"u": "u + x", "v": "v + y"},
        invariants=("(1 - theory)*u <= theory*v", "u >= 0", "v >= 0"),
        family=True,
    )
    private = "(1 - theory)*gamma >= theory"
    at_half = "theory*(1 + (gamma - 1)/2) <= gamma/2*(theory + (1 - theory))"  # share at the prior 1/2 against h_gamma
    return Anchored(
        Value(
            of="sets of responses",
            theory=SHARE,
            computed=Least(
                "factor*u <= g*factor*(u + v)",
                floor="1/2",
                tight={"u": "1/factor", "v": "(1 - theory)/(theory*factor)"},
            ),
        ),
        Value(
            of="posteriors",
            theory="theory",
            computed=Least("s*n <= g*(s*n + t*w)", floor="1/2", tight={"s": 1, "n": 1, "t": "(1 - theory)/(theory*w)"}),
        ),
        Truth(of="h_gamma-CSIP", theory=private, computed=at_half),
        Truth(of="by the library", theory=private, computed=private),
        at=_instances,
        folds=[responses, bayes_fold("(1 - theory)*n*x <= theory*t", ("(1 - theory)*n*s <= theory*w*t",))],
    )


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
    bound={
        "weights": WEIGHTS,
        "factor": Domain("a positive factor of an inequality", (), relation="x > 0"),
        "gamma": Domain("exp(epsilon)", (), relation="x > 1"),
    },
    defined=(two_categories,),
    count=80,
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
)
