"""Bayes factors in anchored proofs: posteriors of one row under any prior, by a sum in a sum.

A prior gives a category j of a property Q the weight ``p a_j/w`` and a category l outside ``(1 - p) b_l/n``, where
``w`` and ``n`` are the sums of the weights ``a_j >= 0`` and ``b_l >= 0``. With ``s`` the sum of ``a_j p_ij`` and ``t``
that of ``b_l p_il`` the posterior is ``p s n/(p s n + (1 - p) t w)``, and ``s n/(t w)`` is the Bayes factor.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from rropt.claims import Domain, Entry, Fold, Least, Point
from rropt_proofs.chainayak2018._paper import PROCEDURES, Matrix

__all__ = ["MATRIX", "SHARE", "WEIGHTS", "atoms", "bayes_fold", "posterior_below", "properties", "ratios"]

MATRIX = replace(PROCEDURES, entries={(): "x >= 0"})
WEIGHTS = Domain("weights of the categories, inside and outside Q", (), entries={(): "x >= 0"})


def ratios(point: Point) -> list[dict[str, Entry]]:
    """All ordered pairs of entries of one row of P: the members of the parity."""
    rows, columns = range(len(point["P"])), range(len(point["P"][0]))
    return [{"x": Entry("P", i, j), "y": Entry("P", i, other)} for i in rows for j in columns for other in columns]


def bayes_fold(bounds: str, invariants: tuple[str, ...]) -> Fold:
    """Return the sums s and w over Q, with the sums t and n over the complement inside.

    Args:
        bounds: of a category of Q with likelihood x against the sums t, n.
        invariants: of the sums s, w against t, n.
    """
    return Fold(
        over=lambda point, at: [{"x": Entry("P", at["i"], j), "a": Entry("weights", j)} for j in at["Q"]],
        start={"s": 0, "w": 0},
        update={"s": "s + a*x", "w": "w + a"},
        invariants=(*invariants, "s >= 0", "w >= 0"),
        family=True,
        inner=Fold(
            over=lambda point, at, element: [
                {"y": Entry("P", at["i"], j), "b": Entry("weights", j)}
                for j in range(len(point["P"][0]))
                if j not in at["Q"]
            ],
            start={"t": 0, "n": 0},
            update={"t": "t + b*y", "n": "n + b"},
            invariants=(*bounds.split(" and "), "t >= 0", "n >= 0"),
            family=True,
        ),
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
