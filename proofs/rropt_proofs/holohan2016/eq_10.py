"""Equation (10): the privacy condition for one respondent, as written."""

from __future__ import annotations

import random
from fractions import Fraction

import sympy as sp

from rropt.claims import Anchored, Claim, Correction, Domain, Point, Reading, Truth
from rropt.claims.outcomes import value_text
from rropt_proofs.holohan2016 import PAPER
from rropt_proofs.holohan2016._paper import DELTA, GAMMA, PRIVATE, Design, is_private


def _share(rng: random.Random) -> Fraction:
    return Fraction(rng.randint(0, 60), 60)


def _design(point: Point) -> Design:
    return Fraction(point["p00"]), Fraction(point["p11"])


def theory(point: Point) -> bool:
    """(10) between any two respondents i and k, each with the probabilities (3a) and (3b)."""
    (a, b), pi = _design(point), Fraction(point["pi"])
    yes = 1 - a + pi * (a + b - 1)  # the same for i and for k
    return all(p <= point["gamma"] * p + point["delta"] for p in (yes, 1 - yes))


def computed(point: Point) -> bool:
    """(epsilon, delta)-differential privacy by its definition (9), for all sets of answers."""
    return is_private(_design(point), point["gamma"], point["delta"])


def conditional(point: Point) -> bool:
    """(10) between two respondents of different truths, given their truths."""
    (a, b), gamma, delta = _design(point), point["gamma"], point["delta"]
    given = ((a, 1 - a), (1 - b, b))
    return all(given[x][j] <= gamma * given[1 - x][j] + delta for x in (0, 1) for j in (0, 1))


def mutant(point: Point) -> bool:
    """The corrected condition for the answer 1 alone."""
    (a, b), gamma, delta = _design(point), point["gamma"], point["delta"]
    return bool(b <= gamma * (1 - a) + delta and 1 - a <= gamma * b + delta)


def proof() -> Anchored:
    """Given the truths (10) is (9) for the sets {0} and {1}; the empty and the full set ask nothing."""
    a, b = sp.symbols("p00 p11")
    given = ((a, 1 - a), (1 - b, b))
    said = [given[x][j] <= GAMMA * given[1 - x][j] + DELTA for x in (0, 1) for j in (0, 1)]
    return Anchored(Truth(theory=said, computed=(*said, DELTA >= 0, GAMMA + DELTA >= 1)))


def working(point: Point) -> str:
    """Both readings of (10) for each answer: the probabilities (3), and those given the truths."""
    (a, b), pi, gamma, delta = _design(point), Fraction(point["pi"]), point["gamma"], point["delta"]
    yes = (1 - pi) * (1 - a) + pi * b
    given = {(0, 0): a, (1, 0): 1 - a, (0, 1): 1 - b, (1, 1): b}  # (answer, truth)
    steps = [f"as written, Pr(X_i = 1) = Pr(X_k = 1) = (1 - pi)(1 - p00) + pi p11 = {value_text(yes)}"]
    for j, share in ((0, 1 - yes), (1, yes)):
        steps.append(
            f"j = {j}: {value_text(share)} <= ({value_text(gamma)})({value_text(share)}) + {value_text(delta)} holds"
        )
    for (j, x), share in given.items():
        bound = gamma * given[j, 1 - x] + delta
        if share > bound:
            steps.append(
                f"given the truths, Pr(X = {j} | x = {x}) = {value_text(share)} is more than "
                f"gamma Pr(X = {j} | x = {1 - x}) + delta = {value_text(bound)}"
            )
    return "\n".join(steps)


CLAIM = Claim(
    id="holohan2016.eq-10",
    source=f"{PAPER}, equation (10)",
    place=(3, 1),
    printed=r"Formally, ($\epsilon$, $\delta$)-differential privacy is satisfied if $\mathbb P(X_i=j)\le "
    r"e^\epsilon\mathbb P(X_k=j)+\delta$, (10) for any $i,k\in[n]$ and $j\in\{0,1\}$.",
    precise="(10) for all $i$, $k$ and $j$ holds exactly when the mechanism satisfies (9) for both orders "
    "of the truths 0 and 1 and for every set of answers.",
    variables={
        "gamma": PRIVATE["gamma"],
        "delta": PRIVATE["delta"],
        "pi": Domain("prevalence, 0 <= pi <= 1", tuple(Fraction(x) for x in ("0", "1/2", "1")), _share),
        "p00": Domain("p00, 0 <= p00 <= 1", tuple(Fraction(x) for x in ("0", "1/2", "3/4", "1")), _share),
        "p11": Domain("p11, 0 <= p11 <= 1", tuple(Fraction(x) for x in ("0", "1/2", "3/4", "1")), _share),
    },
    theory=theory,
    computed=computed,
    mutant=mutant,
    strength="iff",
    correction=Correction(
        r"$\mathbb P(X=j\mid x=0)\le e^\epsilon\,\mathbb P(X=j\mid x=1)+\delta$ and "
        r"$\mathbb P(X=j\mid x=1)\le e^\epsilon\,\mathbb P(X=j\mid x=0)+\delta$ for $j\in\{0,1\}$: "
        "the probabilities are given the truths, and the truths differ.",
        conditional,
    ),
    proof=proof,
    working=working,
    readings=(
        Reading(
            "the probabilities given two truths that differ",
            r"We are therefore only required to show that (9) holds for $\mathbf d\ne\mathbf d'\in\{0,1\}$",
            {"theory": conditional, "correction": None},
        ),
        Reading(
            "the probabilities of (3)",
            r"we can calculate the probability mass function of each $X_i$: $\mathbb "
            r"P(X_i=0)=(1-\pi)p_{00}+\pi(1-p_{11})$",
        ),
    ),
    notes="The paper goes on to use the probabilities given the truths, in (11), and nothing that follows is affected. "
    "With the probabilities of (3), which are the same for all respondents, (10) would call every mechanism private "
    "at every level, even direct questioning at $\\epsilon=\\delta=0$.",
)
