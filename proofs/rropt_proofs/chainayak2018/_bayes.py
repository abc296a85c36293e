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

from rropt.claims import Domain, Entry, Fold, Least, Point
from rropt_proofs._matrices import row_ratio
from rropt_proofs.chainayak2018._boundaries import Factor
from rropt_proofs.chainayak2018._paper import PROCEDURES, Matrix

__all__ = [
    "FACTOR",
    "MATRIX",
    "PRIOR",
    "SHARE",
    "WEIGHTS",
    "atoms",
    "band_fold",
    "bayes_fold",
    "posterior_below",
    "properties",
    "ratios",
    "share",
    "share_at",
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


def worst_pair(procedure: Matrix) -> tuple[int, int, int]:
    """Return the response and the two categories of the largest ratio of likelihoods."""
    i = max(range(len(procedure)), key=lambda u: row_ratio(max(procedure[u]), min(procedure[u])))
    row = procedure[i]
    return i, row.index(max(row)), row.index(min(row))


FACTOR = "the parity gamma and the largest Bayes factor r, as gamma/(1 + gamma) and r/(1 + r)"
PRIOR = Domain.interval("a prior, 0 < p < 1", 0, 1, also=("1/2",))
