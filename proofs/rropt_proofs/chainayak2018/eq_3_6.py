"""Equations (3.6) and (3.7): the criterion as a bound on Bayes factors."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import sympy as sp

from rropt.claims import Claim, Condition, Domain, Point, Proof
from rropt.positivity import Hypothesis, prove_identity, prove_positive
from rropt_proofs.chainayak2018._boundaries import Factor
from rropt_proofs.chainayak2018._paper import (
    GAMMA,
    PAPER,
    PROCEDURES,
    Distribution,
    Event,
    P,
    S,
    T,
    posterior,
    proper_events,
    row_ratio,
)


def _alpha(point: Point) -> Distribution:
    weights = point["alpha"][: len(point["P"][0])]
    return tuple(Fraction(w, sum(weights)) for w in weights)


def _cases(point: Point) -> list[tuple[int, Event, Fraction]]:
    """Return the responses and properties with P_alpha(Z = d_i) > 0 and 0 < P_alpha(Q) < 1, with P_alpha(Q)."""
    alpha, cases = _alpha(point), []
    for i, row in enumerate(point["P"]):
        if any(a * x for a, x in zip(alpha, row, strict=True)):
            shares = [(event, sum((alpha[j] for j in event), Fraction(0))) for event in proper_events(len(row))]
            cases += [(i, event, p) for event, p in shares if 0 < p < 1]
    return cases


def _odds_ratios(point: Point) -> tuple[Factor, ...]:
    """Return the left sides of (3.6), infinite where the posterior is 1."""
    ratios = []
    for i, event, p in _cases(point):
        q = posterior(point["P"], _alpha(point), event, i)
        ratios.append(row_ratio(q * (1 - p), (1 - q) * p))
    return tuple(ratios)


def theory(point: Point) -> dict[str, Any]:
    """The left side of (3.6) is the Bayes factor; (3.7) in the place of (3.6); 1/gamma is a lower bound then."""
    gamma, alpha = Fraction(point["gamma"]), _alpha(point)
    below = tuple(
        posterior(point["P"], alpha, event, i) <= gamma * p / (1 + (gamma - 1) * p) for i, event, p in _cases(point)
    )
    return {"Bayes factors": _odds_ratios(point), "(3.6)": below, "at least 1/gamma if (3.6) for all Q": True}


def computed(point: Point) -> dict[str, Any]:
    """Bayes factors as P(d_i | Q)/P(d_i | not Q); (3.6) itself; the least of them."""
    gamma, alpha = Fraction(point["gamma"]), _alpha(point)
    factors = []
    for i, event, p in _cases(point):
        row = point["P"][i]
        given = sum((alpha[j] * row[j] for j in event), Fraction(0)) / p
        otherwise = sum((alpha[j] * x for j, x in enumerate(row) if j not in event), Fraction(0)) / (1 - p)
        factors.append(row_ratio(given, otherwise))
    ratios = _odds_ratios(point)
    bounded = all(x <= gamma for x in ratios)
    return {
        "Bayes factors": tuple(factors),
        "(3.6)": tuple(x <= gamma for x in ratios),
        "at least 1/gamma if (3.6) for all Q": not bounded or all(x >= 1 / gamma for x in ratios),
    }


def mutant(point: Point) -> dict[str, Any]:
    """(3.7) with gamma p/(1 + gamma p)."""
    gamma, alpha = Fraction(point["gamma"]), _alpha(point)
    below = tuple(
        posterior(point["P"], alpha, event, i) <= gamma * p / (1 + gamma * p) for i, event, p in _cases(point)
    )
    return {**theory(point), "(3.6)": below}


def proof() -> Proof:
    x, r = sp.symbols("x r")
    odds = S / (S + T) / (1 - S / (S + T))
    return Proof(
        scope="all m, k, all procedures, priors and properties, gamma > 1",
        argument="The posterior odds are s/t and the prior odds p/(1 - p); their quotient is (s/p)/(t/(1 - p)), the "
        "quotient of the probabilities of d_i given Q and given its complement (infinite for t = 0, where (3.7) fails "
        "as well, the posterior being 1). With x the posterior, (3.6) cleared of p (1 - x) > 0 is (3.7) cleared of "
        "1 + (gamma - 1) p > 0. The Bayes factor of the complement is 1/r, and 1/r <= gamma says r >= 1/gamma.",
        certificates=(
            ("the odds ratio is the Bayes factor", prove_identity(odds * (1 - P) / P, (S / P) / (T / (1 - P)))),
            (
                "(3.6) and (3.7), cleared",
                prove_identity(GAMMA * P * (1 - x) - x * (1 - P), GAMMA * P - x * (1 + (GAMMA - 1) * P)),
            ),
            (
                "the Bayes factor of the complement",
                prove_identity((T / (1 - P)) / (S / P), 1 / ((S / P) / (T / (1 - P)))),
            ),
            ("r >= 1/gamma from 1/r <= gamma", prove_identity(r - 1 / GAMMA, (GAMMA - 1 / r) * (r / GAMMA))),
            (
                "at posterior 1, (3.7) fails",
                prove_positive(
                    (1 + (GAMMA - 1) * P) - GAMMA * P, [Hypothesis(1 - P, strict=True)], strict=True, degree=1
                ),
            ),
        ),
    )


def mutant_proof() -> object:
    x = sp.Symbol("x")
    return prove_identity(GAMMA * P * (1 - x) - x * (1 - P), GAMMA * P - x * (1 + GAMMA * P))


def _weights(rng: random.Random) -> tuple[int, ...]:
    return (rng.randint(1, 9), *(rng.randint(0, 9) for _ in range(3)))


CLAIM = Claim(
    id="chainayak2018.eq-3.6",
    source=f"{PAPER}, equations (3.6) and (3.7)",
    printed=r"$\frac{P_\alpha(Q\mid d_i)}{1-P_\alpha(Q\mid d_i)}\frac{1-P_\alpha(Q)}{P_\alpha(Q)}\le\gamma$ (3.6) for "
    r"all $\alpha,Q,d_i$ with $0<P_\alpha(Q)<1$ and $P_\alpha(Z=d_i)>0$. The left side is the Bayes factor for $X\in "
    r"Q$ against $X\notin Q$; (3.6) also implies that all Bayes factors are at least $\gamma^{-1}$; it is equivalent "
    r"to $P_\alpha(Q\mid d_i)\le\frac{\gamma P_\alpha(Q)}{1+(\gamma-1)P_\alpha(Q)}$ (3.7).",
    precise="For gamma > 1, with a/0 infinite: the left side is P(d_i | Q)/P(d_i | not Q); (3.6) and (3.7) are "
    "equivalent for each prior, property and response; and if (3.6) holds for all properties at a prior, all its "
    "Bayes factors are at least 1/gamma.",
    variables={
        "P": PROCEDURES,
        "gamma": Domain("gamma > 1", tuple(Fraction(x) for x in ("3/2", "2", "3")), Domain.odds().draw),
        "alpha": Domain("weights of the categories in the prior", ((1, 1, 1, 1), (9, 0, 1, 1)), _weights),
    },
    assumptions=(Condition("gamma > 1", lambda p: p["gamma"] > 1),),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
    mutant_proof=mutant_proof,
    notes="A posterior of 1 makes the left side a/0, infinite by the convention of (3.3), and (3.7) fails there too.",
)
