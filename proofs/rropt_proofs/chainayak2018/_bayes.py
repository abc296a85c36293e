"""Bayes factors in anchored proofs: posteriors of one row under any prior, by a sum in a sum.

A prior gives a category j of a property Q the weight ``p a_j/w`` and a category l outside ``(1 - p) b_l/n``, where
``w`` and ``n`` are the sums of the weights ``a_j >= 0`` and ``b_l >= 0``. With ``s`` the sum of ``a_j p_ij`` and ``t``
that of ``b_l p_il`` the posterior is ``p s n/(p s n + (1 - p) t w)``, and ``s n/(t w)`` is the Bayes factor.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from math import isinf
from typing import Any

from rropt.claims import Anchored, Bound, Domain, Entry, Fold, Least, Point, Step, Value
from rropt_proofs._matrices import parity, row_ratio
from rropt_proofs.chainayak2018._boundaries import Factor, bound_of
from rropt_proofs.chainayak2018._paper import PROCEDURES, Breach, Matrix, breach, posterior

__all__ = [
    "BOUND",
    "CSIP",
    "FACTOR",
    "MATRIX",
    "PRIOR",
    "SHARE",
    "SLICE",
    "WEIGHTS",
    "atoms",
    "band_fold",
    "bayes_fold",
    "beyond_boundary",
    "beyond_slice",
    "csip",
    "exceeded",
    "posterior_below",
    "properties",
    "ratios",
    "share",
    "share_at",
    "slice_proof",
    "worst_pair",
]

Path = Callable[[Point], tuple[Any, ...]]
MATRIX = replace(PROCEDURES, entries={(): "x >= 0"})
WEIGHTS = Domain("weights of the categories, inside and outside Q", (), entries={(): "x >= 0"})


def ratios(point: Point) -> list[dict[str, Entry]]:
    """All ordered pairs of entries of one row of P: the members of the parity."""
    rows, columns = range(len(point["P"])), range(len(point["P"][0]))
    return [{"x": Entry("P", i, j), "y": Entry("P", i, other)} for i in rows for j in columns for other in columns]


def bayes_fold(bounds: str, invariants: tuple[str, ...], path: Path = lambda _: ("P",)) -> Fold:
    """Return the sums s and w over Q, with the sums t and n over the complement inside.

    Args:
        bounds: of a category of Q with likelihood x against the sums t, n.
        invariants: of the sums s, w against t, n.
        path: from a point, where its procedure stands.
    """
    return Fold(
        over=lambda point, at: [{"x": Entry(*path(point), at["i"], j), "a": Entry("weights", j)} for j in at["Q"]],
        start={"s": 0, "w": 0},
        update={"s": "s + a*x", "w": "w + a"},
        invariants=(*invariants, "s >= 0", "w >= 0"),
        family=True,
        inner=Fold(
            over=lambda point, at, element: [
                {"y": Entry(*path(point), at["i"], j), "b": Entry("weights", j)}
                for j in range(len(point["weights"]))
                if j not in at["Q"]
            ],
            start={"t": 0, "n": 0},
            update={"t": "t + b*y", "n": "n + b"},
            invariants=(*bounds.split(" and "), "t >= 0", "n >= 0"),
            family=True,
        ),
    )


def band_fold(path: Path = lambda _: ("P",)) -> Fold:
    """Return the sums between both bounds: (1 - g) n s <= g w t and (1 - g) w t <= g n s for g = gamma/(1 + gamma)."""
    return bayes_fold(
        "(1 - theory)*n*x <= theory*t and theory*n*x >= (1 - theory)*t",
        ("(1 - theory)*n*s <= theory*w*t", "theory*n*s >= (1 - theory)*w*t"),
        path,
    )


def atoms(procedure: Matrix) -> list[dict[str, Any]]:
    """One category of Q against one outside: weights 1 and 1/y, then 1/x and 1 (an entry 0 keeps the weight 1)."""
    found = []
    for i, row in enumerate(procedure):
        for j, x in enumerate(row):
            for other, y in enumerate(row):
                if j != other:
                    for inside, outside in ((Fraction(1), _inverse(y)), (_inverse(x), Fraction(1))):
                        weights = [Fraction(0)] * len(row)
                        weights[j], weights[other] = inside, outside
                        found.append({"i": i, "Q": (j,), "weights": tuple(weights)})
    return found


def properties(procedure: Matrix) -> list[dict[str, Any]]:
    """For each row a few properties of several categories, with every weight positive, or some of them 0."""
    k = len(procedure[0])
    found = []
    for i in range(len(procedure)):
        for size in range(1, k):
            weights = tuple(Fraction((3 * j + i + size) % 5 + 1) for j in range(k))
            found.append({"i": i, "Q": tuple(range(size)), "weights": weights})
            if k > 2:
                thin = (*weights[:-2], *((weights[-2], Fraction(0)) if size < k - 1 else (Fraction(0), weights[-1])))
                found.append({"i": i, "Q": tuple(range(size)), "weights": thin})
    return found


def _inverse(entry: Fraction) -> Fraction:
    return 1 / entry if entry else Fraction(1)


def posterior_below(bound: str, sign: str = "<=") -> str:
    """Return ``posterior sign bound``, cleared of the posterior's divisor."""
    return f"p*s*n {sign} ({bound})*(p*s*n + (1 - p)*t*w)"


# parity/(1 + parity): the largest share x/(x + y) of two entries of a row, 1 for an infinite parity
SHARE = Least("x <= g*(x + y) and y <= g*(x + y)", ratios, floor="1/2")


def share(ratio: Factor) -> Fraction:
    """Return ratio/(1 + ratio), which is 1 for an infinite ratio."""
    return Fraction(1) if isinf(ratio) else Fraction(ratio) / (1 + Fraction(ratio))


def share_at(q: Fraction, p: Fraction) -> Fraction:
    """Return r/(1 + r) of the Bayes factor r that leads from the prior p to the posterior q."""
    return q * (1 - p) / (q * (1 - p) + (1 - q) * p)


def beyond_slice(parity: Factor, p: Fraction, h: Fraction) -> Fraction:
    """Return gamma - F(p), F(p) = ((1 - p)/p) (h/(1 - h)), times p (1 - h)/(1 + gamma): positive where gamma > F(p)."""
    part = share(parity)
    return p * (1 - h) * part - (1 - p) * h * (1 - part)


def beyond_boundary(q: Fraction, p: Fraction, h: Fraction) -> Fraction:
    """Return posterior - h times a positive number, p (1 - p)/(q (1 - p) + (1 - q) p)."""
    return (q - h) * p * (1 - p) / (q * (1 - p) + (1 - q) * p)


def slice_proof(instances: Callable[[Point], Any]) -> Anchored:
    """Return the proof that at a prior the largest posterior is below h exactly where gamma <= F(p).

    With the proportion g = gamma/(1 + gamma) the sums over both sides of a property satisfy (1 - g) n s <= g w t. If
    gamma is at most B(h), a lower bound of F, it is at most F(p) at every p. If not it is not a lower bound: it exceeds
    F at some prior, where two categories x, y with x/y = gamma have a posterior above h.
    """
    attained = {"s": 1, "n": 1, "t": "(1 - theory)/(theory*w)"}
    x = "((over + (1 - p_0)*level_0*y_0)/(p_0*(1 - level_0)))"
    exceeds = Least("p*(1 - level)*s*n - (1 - p)*level*t*w <= g*(s*n + t*w)", tight=attained)
    bounds = ("(1 - theory)*n*s <= theory*w*t", "t >= 0", "n >= 0")
    met, up, down = "theory <= b_h", "p*(1 - level)", "(1 - p)*level"
    below = f"((1 - theory)*{down} - theory*{up})"  # of F(p) - gamma
    spread = [f"{x}*(theory*t*w - (1 - theory)*n*s) >= 0" for x in (up, down)]
    slices = [f"{below} >= 0", *(f"{x}*{below} >= 0" for x in ("n*s", "t*w"))]
    return Anchored(
        Value(of=FACTOR, theory=SHARE, computed=Least("s*n <= g*(s*n + t*w)", floor="1/2", tight=attained)),
        Value(of=SLICE, theory="p*(1 - level)*theory - (1 - p)*level*(1 - theory)", computed=exceeds),
        Value(of=CSIP, theory=0, computed=exceeds, where=met),
        Value(of=CSIP, theory=0, computed=f"p_0*{x}/(p_0*{x} + (1 - p_0)*y_0) - level_0", where="theory > b_h"),
        at=lambda point: [{**each, **_level_names(point)} for each in instances(point)],
        folds=[bayes_fold("(1 - theory)*n*x <= theory*t", bounds)],
        steps=[*spread, *(Step(said, where=met) for said in slices)],
    )


def csip(met: bool) -> dict[str, Bound]:
    """Return what the criterion says: h is exceeded nowhere, or somewhere."""
    return {CSIP: Bound("at-most" if met else "greater", Fraction(0))}


def exceeded(point: Point, found: Breach | None, largest: Fraction) -> dict[str, Fraction]:
    """Return the largest posterior less h(p), times a positive number; or one less h at the prior of a breach."""
    if found is None:
        return {CSIP: beyond_boundary(largest, Fraction(point["p"]), point["h"].at(Fraction(point["p"])))}
    i, j, other = worst_pair(point["P"])
    shares = {j: found.prior, other: 1 - found.prior}
    alpha = tuple(shares.get(c, Fraction(0)) for c in range(len(point["P"][i])))
    return {CSIP: posterior(point["P"], alpha, (j,), i) - point["h"].at(found.prior)}


def worst_pair(procedure: Matrix) -> tuple[int, int, int]:
    """Return the response and the two categories of the largest ratio of likelihoods."""
    i = max(range(len(procedure)), key=lambda u: row_ratio(max(procedure[u]), min(procedure[u])))
    row = procedure[i]
    return i, row.index(max(row)), row.index(min(row))


def _level_names(point: Point) -> dict[str, Any]:
    """h(p), the proportion of B(h), and where gamma exceeds that the prior at which it exceeds F."""
    h = point["h"]
    bound = bound_of(h)
    lower = Fraction(1) if bound.lower is None else share(bound.lower)  # an irrational B is enclosed
    own = share(parity(point["P"]))
    met = bound.allows(None if own == 1 else own / (1 - own))
    names: dict[str, Any] = {"level": h.at(Fraction(point["p"])), "b_h": max(lower, own) if met else lower}
    if (found := breach(point["P"], h, atoms=True)) is not None:
        i, j, other = worst_pair(point["P"])
        p, level, row = found.prior, h.at(found.prior), point["P"][i]
        over = p * (1 - level) * row[j] - (1 - p) * level * row[other]
        names |= {"p_0": p, "level_0": level, "over": over, "y_0": Entry("P", i, other)}
    return names


FACTOR = "the parity gamma and the largest Bayes factor r, as gamma/(1 + gamma) and r/(1 + r)"
SLICE = "at the prior p: gamma - F(p) and the largest posterior less h(p), each times a positive number"
CSIP = "gamma against B(h): the largest posterior at the prior p, or one at another prior, less h there"
BOUND = {
    "weights": WEIGHTS,
    "level": Domain("h(p)", (), relation="0 <= x <= 1"),
    "b_h": Domain(
        "B/(1 + B) for the infimum B of F, or a number between gamma/(1 + gamma) and it: at most F/(1 + F) at p",
        (),
        relation="x*((1 - p)*level + p*(1 - level)) <= (1 - p)*level",
    ),
    "p_0": Domain("a prior at which gamma exceeds F, where it exceeds the infimum", (), relation="0 < x < 1"),
    "level_0": Domain("h at that prior", (), relation="0 <= x < 1"),
    "over": Domain("gamma - F there, times a positive number", (), relation="x > 0"),
}
PRIOR = Domain.interval("a prior, 0 < p < 1", 0, 1, also=("1/2",))
