"""What sections 1 to 3 of Chai and Nayak (2018) share: procedures, posteriors by the definition, breaches, regions."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import inf, isinf

from rropt.claims import Condition, Domain, Point, exact_cache
from rropt.claims.outcomes import value_text
from rropt.core.exact import Epsilon
from rropt_proofs._matrices import Rows, matrix, parity, row_ratio
from rropt_proofs.chainayak2018._boundaries import Boundary, Factor, beta_demand, prior_beyond, rho_demand

Matrix = Rows
Event = tuple[int, ...]
Distribution = tuple[Fraction, ...]
Factors = tuple[tuple[Factor, Factor], ...]


MATRICES = tuple(
    matrix(text)
    for text in (
        "1/2; 1/2",
        "1 1 1",
        "1/2 1/2; 1/2 1/2",
        "2/3 1/3; 1/3 2/3",
        "1/2 1/4; 1/2 3/4",
        "4/5 1/5; 1/5 4/5",
        "5/6 1/6; 1/6 5/6",
        "1/2 1/4; 1/4 1/2; 1/4 1/4",
        "1 0; 0 1",
        "1 1/2; 0 1/2",
        "2/3 1/2 1/3; 1/3 1/2 2/3",
        "3/5 1/5 1/5; 1/5 3/5 1/5; 1/5 1/5 3/5",
        "2/3 1/3 0; 0 2/3 1/3; 1/3 0 2/3",
        "1 0 0; 0 1 0; 0 0 1",
    )
)


def draw_matrix(rng: random.Random, most: int = 4) -> Matrix:
    """Draw a procedure with at most so many categories and responses, some entries 0, no zero row."""
    m, k = rng.randint(1, most), rng.randint(1, most)
    zeros = 0.15 if rng.random() < 0.5 else 0.0
    while True:
        weights = [[0 if rng.random() < zeros else rng.randint(1, 6) for _ in range(k)] for _ in range(m)]
        totals = [sum(row[j] for row in weights) for j in range(k)]
        if all(totals) and all(any(row) for row in weights):
            return tuple(tuple(Fraction(row[j], totals[j]) for j in range(k)) for row in weights)


PROCEDURES = Domain(
    "a transition probability matrix, m x k, without a zero row", MATRICES, draw_matrix, entries={(): "x >= 0"}
)
two_categories = Condition("at least two categories: k >= 2", lambda point: len(point["P"][0]) >= 2)


@exact_cache
def posterior(procedure: Matrix, alpha: Distribution, event: Event, i: int) -> Fraction:
    """Return P_alpha(Q | d_i) from the joint distribution of X and Z, entry by entry."""
    joint = {(j, u): alpha[j] * row[j] for u, row in enumerate(procedure) for j in range(len(alpha))}
    seen = sum((share for (_, u), share in joint.items() if u == i), Fraction(0))
    return sum((share for (j, u), share in joint.items() if u == i and j in event), Fraction(0)) / seen


def events(k: int) -> Iterator[Event]:
    """Iterate over all 2^k sets of categories."""
    for size in range(k + 1):
        yield from combinations(range(k), size)


def proper_events(k: int) -> list[Event]:
    """Return the sets of categories that are neither empty nor full."""
    return [event for event in events(k) if 0 < len(event) < k]


def extreme_pairs(row: Sequence[Fraction], event: Event) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return (j in Q, l outside) of the largest and of the least Bayes factor for Q at a response."""
    rest = [j for j in range(len(row)) if j not in event]
    most = max(event, key=row.__getitem__), min(rest, key=row.__getitem__)
    return most, (min(event, key=row.__getitem__), max(rest, key=row.__getitem__))


@dataclass(frozen=True, slots=True)
class Breach:
    """An intruder who learns too much: response, property, prior distribution, and both probabilities."""

    i: int
    event: Event
    alpha: Distribution
    prior: Fraction
    posterior: Fraction


def _two_point(k: int, j: int, rest: int, p: Fraction) -> Distribution:
    return tuple(p if x == j else 1 - p if x == rest else Fraction(0) for x in range(k))


_WEIGHTS = ((1, 1, 1, 1), (1, 2, 3, 4), (9, 1, 1, 0), (1, 0, 99, 5))


def _common_priors(k: int) -> Iterator[Distribution]:
    """Iterate over a few priors that are no extreme ones."""
    for weights in _WEIGHTS:
        yield tuple(Fraction(w, sum(weights[:k])) for w in weights[:k])


@exact_cache
def breach(
    procedure: Matrix, upper: Boundary | None, lower: Boundary | None = None, *, atoms: bool = False
) -> Breach | None:
    """Return a prior, a property and a response with a posterior above h_u or below h_l, by the definition, or None.

    For every response and property (with ``atoms`` the single categories alone) the posterior at a given prior is
    monotone in the likelihoods, so priors on two categories are extreme; for each such pair all 0 < p < 1 are decided
    exactly. Some other priors are tried as well. What is found is confirmed by the joint distribution.
    """
    k = len(procedure[0])
    for i, row in enumerate(procedure):
        for event in proper_events(k):
            if atoms and len(event) > 1:
                continue
            for boundary, below, (j, rest) in zip(
                (upper, lower), (False, True), extreme_pairs(row, event), strict=True
            ):
                if boundary is None or not row[j] + row[rest]:
                    continue
                p = prior_beyond(boundary, row_ratio(row[j], row[rest]), below=below)
                if p is not None:
                    return _confirmed(procedure, boundary, i, event, _two_point(k, j, rest, p), below)
            for alpha in _common_priors(k):
                found = _tried(procedure, (upper, lower), i, event, alpha)
                if found is not None:
                    return found
    return None


def _confirmed(procedure: Matrix, boundary: Boundary, i: int, event: Event, alpha: Distribution, below: bool) -> Breach:
    p, q = sum((alpha[j] for j in event), Fraction(0)), posterior(procedure, alpha, event, i)
    if not (q < boundary.at(p) if below else q > boundary.at(p)):
        raise ArithmeticError(f"a breach is not confirmed by the joint distribution: {value_text((i, event, alpha))}")
    return Breach(i, event, alpha, p, q)


def _tried(
    procedure: Matrix, demand: tuple[Boundary | None, Boundary | None], i: int, event: Event, alpha: Distribution
) -> Breach | None:
    p = sum((alpha[j] for j in event), Fraction(0))
    if not 0 < p < 1 or not any(a * x for a, x in zip(alpha, procedure[i], strict=True)):
        return None
    q, (upper, lower) = posterior(procedure, alpha, event, i), demand
    high = upper is not None and q > upper.at(p)
    return Breach(i, event, alpha, p, q) if high or (lower is not None and q < lower.at(p)) else None


@exact_cache
def bayes_factors(procedure: Matrix) -> Factors:
    """Return the attainable Bayes factors as disjoint closed intervals, over all responses, properties and priors.

    For a response and a property they are the quotients of a weighted mean of the likelihoods in Q and one of those
    outside; the weights are free at every prior 0 < p < 1, so these are [min/max, max/min], without 0/0. The pairs
    (prior, posterior) that are attained at 0 < p < 1 are (p, r p/(1 - p + r p)) for these r, the same at every p.
    """
    found = []
    for row in procedure:
        for event in proper_events(len(row)):
            inside = [row[j] for j in event]
            rest = [x for j, x in enumerate(row) if j not in event]
            if max(inside) or max(rest):
                low = min(inside) / max(rest) if max(rest) else inf
                found.append((low, max(inside) / min(rest) if min(rest) else inf if max(inside) else Fraction(0)))
    merged: list[tuple[Factor, Factor]] = []
    for low, high in sorted(found):
        if merged and low <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], high))
        else:
            merged.append((low, high))
    return tuple(merged)


@exact_cache
def extreme_posteriors(procedure: Matrix, p: Fraction) -> tuple[Fraction, Fraction]:
    """Return the least and the largest posterior of a property of prior p, 0 < p < 1, from joint distributions."""
    k = len(procedure[0])
    found = [
        posterior(procedure, _two_point(k, j, rest, p), event, i)
        for i, row in enumerate(procedure)
        for event in proper_events(k)
        for j, rest in extreme_pairs(row, event)
        if row[j] + row[rest]
    ]
    return min(found), max(found)


def factors_text(procedure: Matrix) -> str:
    """Return the attainable Bayes factors in words."""
    parts = [
        value_text(low) if low == high else f"[{value_text(low)}, {value_text(high)}]"
        for low, high in bayes_factors(procedure)
    ]
    return ", ".join(parts)


def in_finite_range(point: Point) -> bool:
    """Return whether the parity of P is a number gamma > 1."""
    return parity(point["P"]) > 1 and not isinf(parity(point["P"]))


RHOS = {
    name: Domain.interval(
        f"{name}, between 0 and 1",
        0,
        1,
        also=("1/100", "1/5", "1/3", "1/2", "2/3", "3/4"),
    )
    for name in ("rho1", "rho2")
}
ordered_rhos = Condition("0 < rho1 < rho2 < 1", "0 < rho1 < rho2 < 1")
beta_domain = Domain(
    "beta > 1", tuple(Fraction(x) for x in ("1", "1001/1000", "3/2", "2", "3", "4", "5", "1000")), Domain.odds().draw
)


def share(ratio: Factor) -> Fraction:
    """Return ratio/(1 + ratio), which is 1 for an infinite ratio."""
    return Fraction(1) if isinf(ratio) else Fraction(ratio) / (1 + Fraction(ratio))


def rho_breach(procedure: Matrix, rho1: Fraction, rho2: Fraction) -> Breach | None:
    """Return a rho1-to-rho2 breach, tested by Definition 1.1, or None."""
    lower, upper = rho_demand(rho1, rho2)
    found = breach(procedure, upper, lower)
    if found is not None:
        p, q = found.prior, found.posterior
        _require((p < rho1 and q > rho2) or (p > rho2 and q < rho1), found)
    return found


def beta_breach(procedure: Matrix, beta: Fraction) -> Breach | None:
    """Return a beta-factor breach, tested by Definition 1.2, or None."""
    lower, upper = beta_demand(beta)
    found = breach(procedure, upper, lower)
    if found is not None:
        _require(found.prior > 0 and not 1 / beta <= found.posterior / found.prior <= beta, found)
    return found


def _require(confirmed: bool, found: Breach) -> None:
    if not confirmed:
        raise ArithmeticError(f"a breach is not one by the definition: {found}")


epsilon_domain = Domain(
    "epsilon > 0, a number or the logarithm of one",
    ("0", "log(2)", "log(3)", "log(4)", "log(5)", "1/2", "1", "8/5", "5"),
    lambda rng: f"log({rng.randint(11, 60)}/10)" if rng.random() < 0.7 else f"{rng.randint(1, 30)}/10",
)


def within(ratio: Factor, epsilon: str, *, times: int = 1) -> bool:
    """Return whether a ratio is at most exp(epsilon), or exp(times epsilon), exactly."""
    return not isinf(ratio) and bool(Epsilon.of(epsilon).exact_gamma() ** times >= Fraction(ratio))
