"""A response, a property Q and a prior at a point, and the posteriors of Q and of its complement.

With ``s = P(Q and d_i)`` and ``t = P(Q^c and d_i)`` the posteriors are ``s/(s + t)`` and ``t/(s + t)``.
"""

from __future__ import annotations

import random
from fractions import Fraction

from rropt.claims import Condition, Domain, Point
from rropt_proofs.chainayak2018._paper import Distribution, Event, posterior

__all__ = ["PLACE", "PRIOR", "SEEN", "posteriors"]


_MOST_CATEGORIES = 4  # of the procedures that are tried


def _weights(rng: random.Random) -> tuple[Fraction, ...]:
    return tuple(Fraction(rng.choice((0, 1, rng.randint(1, 9), rng.randint(1, 999)))) for _ in range(_MOST_CATEGORIES))


PRIOR = Domain(
    "weights of the categories in a prior; as many are taken as there are categories",
    tuple(tuple(map(Fraction, row)) for row in ((1, 1, 1, 1), (9, 1, 1, 0), (0, 1, 0, 5))),
    _weights,
    entries={(): "x >= 0"},
)
PLACE = Domain.values(
    "the numbers of a response and of a set of categories (its binary digits), within the order of P",
    *((0, 0), (0, 1), (1, 2), (0, 3), (1, 5), (2, 6), (0, 11), (1, 15)),
)


def _chosen(point: Point) -> tuple[int, Event, Event]:
    """Return the response, Q and its complement."""
    rows, (i, digits) = point["P"], point["place"]
    k = len(rows[0])
    event = tuple(j for j in range(k) if digits >> j & 1)
    return i % len(rows), event, tuple(j for j in range(k) if j not in event)


def _alpha(point: Point) -> Distribution:
    """Return the prior distribution."""
    weights = point["prior"][: len(point["P"][0])]
    return tuple(w / sum(weights) for w in weights)


def _is_seen(point: Point) -> bool:
    return bool(sum(w * x for w, x in zip(point["prior"], point["P"][_chosen(point)[0]], strict=False)) > 0)


SEEN = Condition("P_alpha(Z = d_i) > 0", _is_seen)


def posteriors(point: Point) -> tuple[Fraction, Fraction]:
    """Return the posteriors of Q and of its complement, each from the joint distribution."""
    (i, event, rest), alpha = _chosen(point), _alpha(point)
    return posterior(point["P"], alpha, event, i), posterior(point["P"], alpha, rest, i)
