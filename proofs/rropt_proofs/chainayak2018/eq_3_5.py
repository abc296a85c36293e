"""Equation (3.5): the up and the down boundary of a procedure of parity gamma, and B(h_gamma) = gamma."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from rropt.claims import Anchored, Claim, Condition, Domain, Least, Point, Value
from rropt.privacy.bound import parity_bound
from rropt.privacy.criteria import bayes_factor
from rropt_proofs._matrices import parity
from rropt_proofs.chainayak2018 import PAPER
from rropt_proofs.chainayak2018._paper import PROCEDURES, extreme_posteriors, in_finite_range, proper_events
from rropt_proofs.chainayak2018.theorem_1_1 import amounts, mean_beside, prior_given, weights


def h_gamma(gamma: Any, p: Any) -> Any:
    """Return (3.5)."""
    return gamma * p / (1 + (gamma - 1) * p)


def theory(point: Point) -> dict[str, Any]:
    """The least posterior is 1 less the largest one of the complement, whose prior is 1 - p.

    h >= h_gamma(p) and gamma <= F(p), cleared of positive divisors, say that the same number is not negative.
    """
    gamma, p, h = Fraction(parity(point["P"])), Fraction(point["p"]), Fraction(point["h"])
    return {
        "largest posterior": h_gamma(gamma, p),
        "1 - least posterior": h_gamma(gamma, 1 - p),
        "gamma <= F(p), cleared": (h - h_gamma(gamma, p)) * (1 + (gamma - 1) * p),
        "B(h_gamma)": gamma,
    }


def computed(point: Point) -> dict[str, Any]:
    """Posteriors from the joint distribution, over responses, properties and extreme priors; B by the library."""
    gamma, p, h = parity(point["P"]), Fraction(point["p"]), Fraction(point["h"])
    least, largest = extreme_posteriors(point["P"], p)
    return {
        "largest posterior": largest,
        "1 - least posterior": 1 - least,
        "gamma <= F(p), cleared": ((1 - p) / p * h / (1 - h) - gamma) * p * (1 - h) if h < 1 else 1 - p,
        "B(h_gamma)": parity_bound(bayes_factor(gamma)).lower,
    }


def mutant(point: Point) -> dict[str, Any]:
    """gamma p/(1 + gamma p)."""
    gamma, p = Fraction(parity(point["P"])), Fraction(point["p"])
    return {**theory(point), "largest posterior": gamma * p / (1 + gamma * p)}


def _instances(point: Point) -> Iterator[dict[str, Any]]:
    """Iterate over responses, properties and priors given Q and given its complement."""
    gamma = parity(point["P"])
    for row in point["P"]:
        for event in proper_events(len(row)):
            rest = [j for j in range(len(row)) if j not in event]
            least = min(row[j] for j in rest)
            for u, v in weights(row, event, 0):
                yield {
                    "gamma": gamma,
                    "m": least,
                    "most": "gamma*m",
                    "u": u,
                    "v": v,
                    "short": tuple(gamma * least - row[j] for j in event),
                    "above": tuple(row[j] - least for j in rest),
                }


def proof() -> Anchored:
    """The mean likelihood of Q is at most gamma times that of its complement: they are gamma m and m at most and at
    least."""
    h, turned = "(gamma*p/(1 + (gamma - 1)*p))", "(gamma*(1 - p)/(1 + (gamma - 1)*(1 - p)))"
    attained = {"mean_x": "gamma*mean_y"}
    largest = Least("p*mean_x <= g*(p*mean_x + (1 - p)*mean_y)", tight=attained)
    of_complement = Least("(1 - p)*mean_x <= g*((1 - p)*mean_x + p*mean_y)", tight=attained)
    return Anchored(
        Value(of="largest posterior", theory=h, computed=largest),
        Value(of="1 - least posterior", theory=turned, computed=of_complement),
        Value(
            of="gamma <= F(p), cleared",
            theory=f"(h - {h})*(1 + (gamma - 1)*p)",
            computed="(1 - p)*h - gamma*p*(1 - h)",
        ),
        Value(of="B(h_gamma)", theory="gamma", computed=f"(1 - p)/p*{h}/(1 - {h})"),
        at=lambda point: list(_instances(point)),
        folds=[
            mean_beside("u", "short", "-", "most", ("mean_x", "all_u")),
            mean_beside("v", "above", "+", "m", ("mean_y", "all_v")),
        ],
        steps=[
            "gamma*m > 0",
            "most > 0",
            "mean_x <= most",
            "mean_y >= m",
            "mean_y > 0",
            "gamma*(mean_y - m) >= 0",
            "mean_x <= gamma*mean_y",
        ],
        argument="With X and Y the means of the likelihoods p_ij over Q and over its complement, by the prior given "
        "either, X <= gamma Y, so that the posterior p X/(p X + (1 - p) Y) is at most h_gamma(p). Two entries gamma b "
        "and b of one row attain it. gamma <= F(p) reads h (1 + (gamma - 1) p) >= gamma p. F of h_gamma is gamma at "
        "every p.",
    )


CLAIM = Claim(
    id="chainayak2018.eq-3.5",
    source=f"{PAPER}, equation (3.5) and the text around it",
    place=(3, 9),
    printed=r"Consider an RR procedure $P$ with $\eta(P)=\gamma>1$. Then, by Theorem 3.1 and (3.3), $P$ guarantees "
    r"$h$-CSIP for all $h$ such that $\gamma\le\left(\frac{1-p}p\right)\left(\frac{h(p)}{1-h(p)}\right)$ for "
    r"all $0<p<1$, or equivalently $h(p)\ge h_{(\gamma)}(p)$, where $h_{(\gamma)}(p)$ is defined as "
    r"$h_{(\gamma)}(p)=\frac{\gamma p}{1+(\gamma-1)p},\quad0<p<1$. (3.5) Thus, $h_{(\gamma)}(\cdot)$ is the up "
    r"breach boundary of any $P$ with parity $\gamma$. The corresponding down boundary is $\tilde "
    r"h_{(\gamma)}(p)=1-h_{(\gamma)}(1-p)$.",
    precise="For parity gamma, 1 < gamma < infinity, and 0 < p < 1: h_gamma(p) and 1 - h_gamma(1 - p) are the largest "
    "and the least posterior of a property of prior p, both attained; gamma <= F(p) if and only if h(p) >= h_gamma(p); "
    "B(h_gamma) = gamma.",
    variables={
        "P": PROCEDURES,
        "p": Domain.interval("a prior, 0 < p < 1", 0, 1, also=("1/100", "1/2")),
        "h": Domain.interval("a value of h at p, p <= h <= 1", 0, 1, also=("2/3",)),
    },
    bound={
        "gamma": Domain("the parity of P", (), None, "x > 1"),
        "m": Domain("the least likelihood outside Q; all are positive as the parity is finite", (), None, "x > 0"),
        "u": prior_given("Q"),
        "v": prior_given("the complement of Q"),
        "short": amounts("gamma times the least likelihood outside Q, less each in Q"),
        "above": amounts("each likelihood outside Q, less the least of them"),
    },
    assumptions=(
        Condition("the parity of P is a number gamma > 1", in_finite_range),
        Condition("0 < p < 1", "0 < p < 1"),
        Condition("p <= h <= 1", "p <= h"),
    ),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
    count=300,
)
