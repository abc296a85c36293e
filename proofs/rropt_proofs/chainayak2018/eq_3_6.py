"""Equations (3.6) and (3.7): the criterion as a bound on Bayes factors."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product
from typing import Any

from rropt.claims import Claim, Condition, Domain, Point
from rropt_proofs.chainayak2018 import PAPER
from rropt_proofs.chainayak2018._paper import MATRICES, Distribution, Event, draw_matrix, posterior

FACTOR = "Bayes factor r, as r/(1 + r)"
MET = "h_gamma(p) less the posterior q, and (3.6) as gamma (1 - q) p - q (1 - p), up to a positive factor"
LEAST = "the same for the complement of Q, and gamma r - 1 for the Bayes factor r, up to a positive factor"
MOST = 3  # categories and responses


def _prior(rng: random.Random, size: int) -> Distribution:
    weights = [rng.randint(int(not j), 9) for j in range(size)]
    return tuple(Fraction(w, sum(weights)) for w in weights)


def draw(rng: random.Random) -> dict[str, Any]:
    rows = draw_matrix(rng, MOST)
    return {"P": rows, "alpha": _prior(rng, len(rows[0]))}


def _cases() -> tuple[dict[str, Any], ...]:
    """Return the procedures of the sweeps, each under a prior without, and under one with, empty categories."""
    found = []
    for rows in MATRICES:
        k = len(rows[0])
        found += [{"P": rows, "alpha": (Fraction(1, k),) * k}]
        found += [{"P": rows, "alpha": (Fraction(3, 4), *[Fraction(0)] * (k - 2), Fraction(1, 4))}] if k > 1 else []
    return tuple(found)


def _event(point: Point) -> Event:
    """Return Q: the marked categories that there are."""
    return tuple(j for j in range(len(point["case"]["alpha"])) if point["Q"][j])


def _parts(point: Point) -> dict[str, Fraction]:
    """Return s and t, P_alpha(Z = d_i) from Q and from its complement, and p = P_alpha(Q)."""
    alpha, event = point["case"]["alpha"], _event(point)
    joint = [a * x for a, x in zip(alpha, point["case"]["P"][point["i"]], strict=True)]
    s = sum((joint[j] for j in event), Fraction(0))
    return {"s": s, "t": sum(joint, Fraction(0)) - s, "p": sum((alpha[j] for j in event), Fraction(0))}


def _posterior(point: Point) -> tuple[Fraction, Fraction]:
    """Return P_alpha(Q), and P_alpha(Q | d_i) from the joint distribution."""
    alpha, event = point["case"]["alpha"], _event(point)
    return sum((alpha[j] for j in event), Fraction(0)), posterior(point["case"]["P"], alpha, event, point["i"])


def theory(point: Point) -> dict[str, Any]:
    """The left side r of (3.6), as r/(1 + r) for it may be infinite; by how much (3.7) is met, for Q and for not Q."""
    gamma, (p, q) = Fraction(point["gamma"]), _posterior(point)
    return {
        FACTOR: q * (1 - p) / (q * (1 - p) + (1 - q) * p),
        MET: (gamma * p / (1 + (gamma - 1) * p) - q) * (1 + (gamma - 1) * p),
        LEAST: (gamma * (1 - p) / (1 + (gamma - 1) * (1 - p)) - (1 - q)) * (1 + (gamma - 1) * (1 - p)),
    }


def computed(point: Point) -> dict[str, Any]:
    """The Bayes factor P(d_i | Q)/P(d_i | not Q); by how much it is at most gamma, and at least 1/gamma."""
    gamma, (p, q), alpha = Fraction(point["gamma"]), _posterior(point), point["case"]["alpha"]
    row, event = point["case"]["P"][point["i"]], _event(point)
    given = sum((alpha[j] * row[j] for j in event), Fraction(0)) / p
    otherwise = sum((alpha[j] * x for j, x in enumerate(row) if j not in event), Fraction(0)) / (1 - p)
    return {
        FACTOR: given / (given + otherwise),
        MET: gamma * (1 - q) * p - q * (1 - p),
        LEAST: (gamma * given - otherwise) * p * (1 - p) / (given * p + otherwise * (1 - p)),
    }


def mutant(point: Point) -> dict[str, Any]:
    """(3.7) with gamma p/(1 + gamma p)."""
    gamma, (p, q) = Fraction(point["gamma"]), _posterior(point)
    return {**theory(point), MET: (gamma * p / (1 + gamma * p) - q) * (1 + (gamma - 1) * p)}


CLAIM = Claim(
    id="chainayak2018.eq-3.6",
    source=f"{PAPER}, equations (3.6) and (3.7)",
    place=(3, 13),
    printed=r"$\frac{P_\alpha(Q|d_i)}{1-P_\alpha(Q|d_i)}\frac{1-P_\alpha(Q)}{P_\alpha(Q)}\le\gamma$ (3.6) for all "
    r"$\alpha,Q$ and $d_i$ such that $0<P_\alpha(Q)<1$ and $P_\alpha(Z=d_i)>0$. The left side of (3.6) is the "
    r"ratio of posterior odds of $Q$ to its prior odds, or the Bayes factor for testing $X\in Q$ against "
    r"$X\notin Q$; [...] (3.6) also implies that all Bayes factors are at least $\gamma^{-1}$. [...] By "
    r"routine algebra, it can be seen that (3.6) is equivalent to $P_\alpha(Q|d_i)\le\frac{\gamma "
    r"P_\alpha(Q)}{1+(\gamma-1)P_\alpha(Q)}$.",
    precise="For gamma > 1 and every prior, property and response with 0 < P_alpha(Q) < 1 and P_alpha(Z = d_i) > 0: "
    "the left side is P(d_i | Q)/P(d_i | not Q), with a/0 infinite; with the posterior q and p = P_alpha(Q), "
    "gamma (1 - q) p - q (1 - p) = (1 + (gamma - 1) p) (h_gamma(p) - q); and the same difference for the complement of "
    "Q is gamma P(d_i | Q) - P(d_i | not Q) times a positive number. The rest is in words. (3.6), multiplied by "
    "(1 - q) p, says that the left side of the equation is not negative, and (3.7) that the right side is not, so that "
    "they are equivalent; and (3.7) for the complement of Q says that the Bayes factor of Q is at least 1/gamma.",
    variables={
        "case": Domain(
            "a transition probability matrix, m x k with m, k <= 3, without a zero row, and a prior",
            _cases(),
            draw,
            entries={("P",): "x >= 0", ("alpha",): "0 <= x <= 1"},
            whole_groups=lambda case: [[("alpha", j) for j in range(len(case["alpha"]))]],
        ),
        "gamma": Domain("gamma > 1", tuple(Fraction(x) for x in ("3/2", "2", "3")), Domain.odds().draw),
        "i": Domain.whole("the response, counted from 0", 0, 1),
        "Q": Domain.values("the property Q: 1 for its categories", *product((0, 1), repeat=3)),
    },
    assumptions=(
        Condition("there is a response d_i", lambda p: p["i"] < len(p["case"]["P"])),
        Condition("0 < P_alpha(Q) < 1", lambda p: 0 < _parts(p)["p"] < 1 if p["i"] < len(p["case"]["P"]) else False),
        Condition("gamma > 1", "gamma > 1"),
    ),
    defined=(Condition("P_alpha(Z = d_i) > 0", lambda p: _parts(p)["s"] + _parts(p)["t"] > 0),),
    theory=theory,
    computed=computed,
    mutant=mutant,
    count=600,
    notes="A posterior of 1 makes the left side a/0, infinite by the convention of (3.3), and (3.7) fails there too.",
)
