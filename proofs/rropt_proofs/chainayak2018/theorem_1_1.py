"""Theorem 1.1: small parity is sufficient for rho1-to-rho2 privacy."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from rropt.claims import Anchored, Bound, Claim, Condition, Domain, Entry, Fold, Least, Point, Value
from rropt_proofs._matrices import parity
from rropt_proofs.chainayak2018 import PAPER
from rropt_proofs.chainayak2018._paper import (
    PROCEDURES,
    RHOS,
    extreme_pairs,
    extreme_posteriors,
    ordered_rhos,
    proper_events,
    rho_breach,
    two_categories,
)


def bound(point: Point) -> Fraction:
    """The right side of (1.6)."""
    low, high = Fraction(point["rho1"]), Fraction(point["rho2"])
    return high * (1 - low) / (low * (1 - high))


def theory(point: Point) -> dict[str, Bound]:
    """No posterior above rho2 from a prior below rho1; of the complement, none above 1 - rho1 from below 1 - rho2."""
    return {"upward": Bound("at-most", point["rho2"]), "downward": Bound("at-most", 1 - Fraction(point["rho1"]))}


def computed(point: Point) -> dict[str, Fraction]:
    """The posteriors of a breach by Definition 1.1, if there is one; else the extreme ones at the priors rho1, rho2."""
    low, high = Fraction(point["rho1"]), Fraction(point["rho2"])
    extreme = {
        "upward": extreme_posteriors(point["P"], low)[1],
        "downward": 1 - extreme_posteriors(point["P"], high)[0],
    }
    found = rho_breach(point["P"], low, high)
    if found is None:
        return extreme
    return {**extreme, **({"upward": found.posterior} if found.prior < low else {"downward": 1 - found.posterior})}


def mutant(point: Point) -> dict[str, Bound]:
    """A thousandth less than rho2."""
    return {**theory(point), "upward": Bound("at-most", point["rho2"] * Fraction(999, 1000))}


def _unit(here: int, places: list[int]) -> tuple[Fraction, ...]:
    return tuple(Fraction(place == here) for place in places)


def weights(row: tuple[Fraction, ...], event: tuple[int, ...], worst: int) -> Iterator[tuple[Any, Any]]:
    """Iterate over weights of the categories of Q and of the others: on the extreme pair, and common ones."""
    inside, rest = list(event), [j for j in range(len(row)) if j not in event]
    j, other = extreme_pairs(row, event)[worst]
    yield _unit(j, inside), _unit(other, rest)
    yield _common(len(inside)), _common(len(rest))


def _common(size: int) -> tuple[Fraction, ...]:
    return tuple(Fraction(2 * n + 2, size * (size + 1)) for n in range(size))


def _instances(point: Point) -> Iterator[dict[str, Any]]:
    """Iterate over responses, properties and priors; the prior of Q is rho1 in ``up`` and rho2 in ``down``."""
    low, high = Fraction(point["rho1"]), Fraction(point["rho2"])
    more, less = high * (1 - low), low * (1 - high)
    for i, row in enumerate(point["P"]):
        for event in proper_events(len(row)):
            rest = tuple(j for j in range(len(row)) if j not in event)
            least_out, least_in = min(rest, key=row.__getitem__), min(event, key=row.__getitem__)
            for (u, v), (w, z) in zip(weights(row, event, 0), weights(row, event, 1), strict=True):
                yield {
                    "up": low,
                    "down": high,
                    "m": Entry("P", i, least_out),
                    "n": Entry("P", i, least_in),
                    "m_cleared": "rho2*(1 - rho1)*m",
                    "n_cleared": "rho2*(1 - rho1)*n",
                    "u": u,
                    "v": v,
                    "w": w,
                    "z": z,
                    "short_in": tuple(more * row[least_out] - less * row[j] for j in event),
                    "short_out": tuple(more * row[least_in] - less * row[j] for j in rest),
                    "above_out": tuple(row[j] - row[least_out] for j in rest),
                    "above_in": tuple(row[j] - row[least_in] for j in event),
                }


def mean_beside(weights: str, amounts: str, summand: str, base: str, names: tuple[str, str]) -> Fold:
    """Return a mean of ``base`` less, or with, the amounts; ``names`` are the mean and the total of the weights."""
    mean, total = names
    weight, amount = f"weight_{mean}", f"amount_{mean}"
    sign = "<=" if "-" in summand else ">="
    return Fold(
        over=lambda point, at: [
            {weight: Entry(weights, n), amount: Entry(amounts, n)} for n in range(len(point[weights]))
        ],
        start={mean: 0, total: 0},
        update={mean: f"{mean} + {weight}*({base} {summand} {amount})", total: f"{total} + {weight}"},
        invariants=(f"{mean} {sign} {base}*{total}", *([f"{mean} >= 0"] if sign == ">=" else [])),
    )


def proof() -> Anchored:
    """(1.6) says of two entries of a row that rho1 (1 - rho2) x <= rho2 (1 - rho1) y.

    The means of both sides lie on the two sides of the least y: of those outside Q, or in Q for the other part.
    """
    more, less = "rho2*(1 - rho1)", "(rho1*(1 - rho2))"
    x, t = f"cleared_x/{less}", f"cleared_t/{less}"
    return Anchored(
        Value(of="upward", theory="rho2", computed=Least(f"rho1*up*{x} <= g*rho1*(up*{x} + (1 - up)*mean_y)")),
        Value(of="downward", theory="1 - rho1", computed=Least(f"(1 - down)*{t} <= g*(down*mean_s + (1 - down)*{t})")),
        at=lambda point: list(_instances(point)),
        folds=[
            mean_beside("u", "short_in", "-", "m_cleared", ("cleared_x", "all_u")),
            mean_beside("v", "above_out", "+", "m", ("mean_y", "all_v")),
            mean_beside("w", "above_in", "+", "n", ("mean_s", "all_w")),
            mean_beside("z", "short_out", "-", "n_cleared", ("cleared_t", "all_z")),
        ],
        steps=[
            "mean_y >= m",
            f"{more}*(mean_y - m) >= 0",
            f"{more}*m >= 0",
            "m_cleared >= 0",
            "cleared_x <= m_cleared",
            f"up*({more}*mean_y - cleared_x) >= 0",
            "rho2*mean_y*(rho1 - up) >= 0",
            "mean_s >= n",
            f"{more}*(mean_s - n) >= 0",
            f"{more}*n >= 0",
            "n_cleared >= 0",
            "cleared_t <= n_cleared",
            f"(1 - down)*({more}*mean_s - cleared_t) >= 0",
            "mean_s*(1 - rho1)*(down - rho2) >= 0",
        ],
        argument="Let X and Y be the means of the likelihoods p_ij over Q and over its complement, by the prior given "
        "either. By (1.6) rho1 (1 - rho2) X <= rho2 (1 - rho1) Y. With p = P(Q) the posterior is p X/(p X + (1 - p) "
        "Y), at most rho2 for p <= rho1; the complement gives the other part.",
    )


def _groups(weights: Any) -> list[list[tuple[int]]]:
    return [[(n,) for n in range(len(weights))]]


def prior_given(side: str) -> Domain:
    """Return the domain of a prior distribution given Q, or its complement."""
    return Domain(f"the prior given {side}", (), None, (), {(): "x >= 0"}, _groups)


def amounts(text: str) -> Domain:
    """Return the domain of amounts that are not negative."""
    return Domain(text, (), None, (), {(): "x >= 0"})


CLAIM = Claim(
    id="chainayak2018.theorem-1.1",
    source=f"{PAPER}, Theorem 1.1 (Evfimievski et al., 2003)",
    place=(1, 4),
    printed="A sufficient condition for an RR procedure with transition probability matrix $P$ to guarantee "
    r"$\rho_1$-to-$\rho_2$ privacy is: $\eta(P)\le\frac{\rho_2(1-\rho_1)}{\rho_1(1-\rho_2)}$.",
    precise="For k >= 2 (one category has no uncertain property) and 0 < rho1 < rho2 < 1: if (1.6) holds there is no "
    "response, property Q and prior with P(Q) < rho1 and P(Q | d_i) > rho2, or P(Q) > rho2 and P(Q | d_i) < rho1; nor "
    "at P(Q) = rho1, P(Q) = rho2.",
    variables={"P": PROCEDURES, **RHOS},
    bound={
        "up": Domain("P(Q), at most rho1", (), None, "0 < x <= rho1"),
        "down": Domain("P(Q), at least rho2", (), None, "rho2 <= x < 1"),
        **{name: prior_given("Q") for name in "uw"},
        **{name: prior_given("the complement of Q") for name in "vz"},
        "short_in": amounts("(1.6) for each category of Q and the least likely one outside, cleared"),
        "short_out": amounts("(1.6) for each category outside Q and the least likely one of Q, cleared"),
        "above_out": amounts("p_ij for each category outside Q, less the least of them"),
        "above_in": amounts("p_ij for each category of Q, less the least of them"),
    },
    assumptions=(ordered_rhos, two_categories, Condition("(1.6)", lambda point: parity(point["P"]) <= bound(point))),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
    count=80,
)
