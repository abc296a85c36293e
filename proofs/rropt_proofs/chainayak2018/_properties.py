"""A response, a property Q and a prior at a point, and the posteriors of Q and of its complement in anchored proofs.

With ``s = P(Q and d_i)`` and ``t = P(Q^c and d_i)`` the posteriors are ``s/(s + t)`` and ``t/(s + t)``.
"""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

from rropt.claims import Condition, Domain, Point
from rropt_proofs.chainayak2018._paper import Distribution, Event, posterior

__all__ = ["JOINT", "PLACE", "PRIOR", "SEEN", "X", "Y", "joint", "posteriors", "prior_of"]

X, Y = "(s/(s + t))", "(t/(s + t))"  # the posteriors of Q and of its complement

_MOST_CATEGORIES = 4  # of the procedures that are tried


def _weights(rng: random.Random) -> tuple[int, ...]:
    return tuple(rng.choice((0, 1, rng.randint(1, 9), rng.randint(1, 999))) for _ in range(_MOST_CATEGORIES))


PRIOR = Domain(
    "weights of the categories in a prior; as many are taken as there are categories",
    ((1, 1, 1, 1), (9, 1, 1, 0), (0, 1, 0, 5)),
    _weights,
)
PLACE = Domain(
    "the numbers of a response and of a set of categories (its binary digits), within the order of P",
    ((0, 1), (1, 2), (0, 0), (1, 15)),
    lambda rng: (rng.randint(0, 11), rng.randint(0, 15)),
)
JOINT = {
    "s": Domain("P(Q and d_i)", (), relation="x >= 0"),
    "t": Domain("P(Q^c and d_i); d_i has positive probability", (), relation="x >= 0 and s + x > 0"),
}


def _chosen(point: Point) -> tuple[int, Event, Event, Distribution] | None:
    """The response, Q, its complement and the prior distribution; None where all weights are 0."""
    rows, (i, digits) = point["P"], point["place"]
    k = len(rows[0])
    weights = [Fraction(w) for w in point["prior"][:k]]
    event = tuple(j for j in range(k) if digits >> j & 1)
    rest = tuple(j for j in range(k) if j not in event)
    return (i % len(rows), event, rest, tuple(w / sum(weights) for w in weights)) if sum(weights) else None


def _is_seen(point: Point) -> bool:
    found = _chosen(point)
    return found is not None and any(a * x for a, x in zip(found[3], point["P"][found[0]], strict=True))


SEEN = Condition("P_alpha(Z = d_i) > 0", _is_seen)


def _known(point: Point) -> tuple[int, Event, Event, Distribution]:
    found = _chosen(point)
    if found is None:
        raise ArithmeticError("a prior without weight")
    return found


def prior_of(point: Point) -> Fraction:
    """Return P_alpha(Q)."""
    _, event, _, alpha = _known(point)
    return sum((alpha[j] for j in event), Fraction(0))


def posteriors(point: Point) -> tuple[Fraction, Fraction]:
    """Return the posteriors of Q and of its complement, each from the joint distribution."""
    i, event, rest, alpha = _known(point)
    return posterior(point["P"], alpha, event, i), posterior(point["P"], alpha, rest, i)


def joint(point: Point) -> dict[str, Any]:
    """Return s and t."""
    i, event, rest, alpha = _known(point)
    row = point["P"][i]
    sums = (sum((alpha[j] * row[j] for j in those), Fraction(0)) for those in (event, rest))
    return dict(zip("st", sums, strict=True))
