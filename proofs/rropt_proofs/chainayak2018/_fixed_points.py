"""B P = P leaves B no freedom (Lemma 6.1), for matrices of any order: the sum of squares, in both orders.

s_i is the sum of row i of P, x_ij = p_ij / s_i. That B s = s, and that the squares b_iu s_u (x_uj - x_ij)^2 sum to 0
over i and u, are two exchanges of summation. No square is negative, so each is 0; where rows i and u are not
proportional, some j has x_uj != x_ij, and b_iu = 0. As columns of B sum to 1, its diagonal is 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product as pairs
from typing import Any

from rropt.claims import Domain, Entry, Exchange, Flag, Fold, Point, Step
from rropt_proofs.chainayak2018._sufficiency import Rows

__all__ = ["FIXED", "fixed_point_folds", "fixed_point_names"]


def _fixes(point: Point) -> Iterator[tuple[list[tuple[Any, ...]], tuple[Any, ...]]]:
    """B P = P, entry by entry."""
    rows = point["P"]
    order = range(len(rows))
    for i, j in pairs(order, range(len(rows[0]))):
        yield [(("B", i, u), ("P", u, j)) for u in order], ("P", i, j)


def _row_sums(point: Point) -> Iterator[tuple[list[tuple[Any, ...]], tuple[Any, ...]]]:
    for u, row in enumerate(point["P"]):
        yield [(("P", u, j),) for j in range(len(row))], ("s", u)


def _images(point: Point) -> Iterator[tuple[list[tuple[Any, ...]], tuple[Any, ...]]]:
    """The entries of B s."""
    order = range(len(point["P"]))
    for i in order:
        yield [(("B", i, u), ("s", u)) for u in order], ("bs", i)


FIXED = {
    "B": Domain(
        "a TPM with B P = P",
        (),
        entries={(): "x >= 0"},
        whole_groups=lambda rows: [[(i, u) for i in range(len(rows))] for u in range(len(rows))],
        equations=_fixes,
    ),
    "s": Domain("the sums of the rows of P, none of which is zero", (), entries={(): "x > 0"}, equations=_row_sums),
    "bs": Domain("B s", (), equations=_images),
    "m": Domain("the number of rows of P", (), relation="x >= 1"),
    "scale": Domain(
        "1/gap where j is the first column in which rows i and u differ, s taken into account, and 0 elsewhere",
        (),
        relation="x >= 0 and x*gap == first",
    ),
}


def fixed_point_names(kernel: Rows, rows: Rows) -> list[dict[str, Any]]:
    """Name the entries of B = ``kernel`` and P = ``rows`` that belong to i, u and j, for all of them."""
    order, s = range(len(rows)), tuple(sum(row, Fraction(0)) for row in rows)
    image = tuple(sum((b * x for b, x in zip(row, s, strict=True)), Fraction(0)) for row in kernel)
    found = []
    for i, u in pairs(order, repeat=2):
        gaps = [(x * s[i] - y * s[u]) ** 2 for x, y in zip(rows[u], rows[i], strict=True)]
        first = next((j for j, gap in enumerate(gaps) if gap), None)
        for j, gap in enumerate(gaps):
            found.append(
                {
                    "B": kernel,
                    "s": s,
                    "bs": image,
                    "m": len(rows),
                    "i": i,
                    "u": u,
                    "j": j,
                    "b0": Entry("B", i, u),
                    "p0": Entry("P", u, j),
                    "q0": Entry("P", i, j),
                    "s0": Entry("s", u),
                    "t0": Entry("s", i),
                    "h0": Entry("bs", i),
                    "first": Flag(j == first),
                    "gap": "(p0*t0 - q0*s0)**2",
                    "scale": 1 / gap if j == first else Fraction(0),
                    "e0": "b0*s0*(p0/s0 - q0/t0)**2",
                }
            )
    return found


def _order(point: Point) -> range:
    return range(len(point["P"]))


def _fixed_sums() -> list[Any]:
    """B s = s in row i: sum_u b_iu sum_j p_uj = sum_j sum_u b_iu p_uj = sum_j p_ij."""
    rows = Fold(
        over=lambda point, at: [{"d": Entry("B", at["i"], u), "c": Entry("s", u), "row": u} for u in _order(point)],
        start={"k1": 0, "k2": 0},
        update={"k1": "k1 + d*c", "k2": "k2 + w"},
        invariants="k2 == k1",
        totals={"k1": "h0"},
        inner=Fold(
            over=lambda point, at, element: [{"p": Entry("P", element["row"], j)} for j in range(len(point["P"][0]))],
            start={"w": 0, "total": 0},
            update={"w": "w + d*p", "total": "total + p"},
            invariants="w == d*total",
            totals={"total": "c"},
        ),
    )
    columns = Fold(
        over=lambda point, at: [{"q": Entry("P", at["i"], j), "column": j} for j in range(len(point["P"][0]))],
        start={"k3": 0, "k4": 0},
        update={"k3": "k3 + v", "k4": "k4 + q"},
        invariants="k3 == k4",
        totals={"k4": "t0"},
        inner=Fold(
            over=lambda point, at, element: [
                {"d": Entry("B", at["i"], u), "p": Entry("P", u, element["column"])} for u in _order(point)
            ],
            start={"v": 0},
            update={"v": "v + d*p"},
            invariants=(),
            totals={"v": "q"},
        ),
    )
    return [rows, columns, Exchange(rows, columns, {"k2": "k3"}), Step("h0 == t0")]


def _squares() -> tuple[list[Any], Fold]:
    """The sum of all squares is 0: by rows sum_iu b_iu s_u x_u^2 - sum_i s_i x_i^2, and by columns these are equal."""
    rows = Fold(
        over=lambda point, at: [
            {"y": Entry("P", i, at["j"]), "t": Entry("s", i), "rs": Entry("bs", i), "z": "y/t", "row": i}
            for i in _order(point)
        ],
        start={"e_sum": 0, "f_sum": 0, "k_sum": 0},
        update={"e_sum": "e_sum + e1", "f_sum": "f_sum + f1", "k_sum": "k_sum + z*y"},
        invariants="e_sum == f_sum - k_sum",
        each={"h0": "rs", "t0": "t"},
        inner=Fold(
            over=lambda point, at, element: [
                {"b": Entry("B", element["row"], u), "x": Entry("P", u, at["j"]), "r": Entry("s", u)}
                for u in _order(point)
            ],
            start={"e1": 0, "f1": 0, "r1": 0, "r2": 0},
            update={"e1": "e1 + b*r*(x/r - z)**2", "f1": "f1 + b*x**2/r", "r1": "r1 + b*x", "r2": "r2 + b*r"},
            invariants="e1 == f1 - 2*z*r1 + z**2*r2",
            totals={"r1": "y", "r2": "rs"},
        ),
    )
    columns = Fold(
        over=lambda point, at: [{"x": Entry("P", u, at["j"]), "r": Entry("s", u), "column": u} for u in _order(point)],
        start={"g_sum": 0, "l_sum": 0},
        update={"g_sum": "g_sum + f2", "l_sum": "l_sum + x**2/r"},
        invariants="g_sum == l_sum",
        inner=Fold(
            over=lambda point, at, element: [{"b": Entry("B", i, element["column"])} for i in _order(point)],
            start={"n": 0, "f2": 0},
            update={"n": "n + b", "f2": "f2 + b*x**2/r"},
            invariants="f2 == n*x**2/r",
            totals={"n": 1},
        ),
    )
    return [rows, columns, Exchange(rows, columns, {"f_sum": "g_sum", "k_sum": "l_sum"}), Step("e_sum == 0")], rows


def fixed_point_folds() -> list[Any]:
    """Return folds, exchanges and steps that end with ``trace >= m``."""
    squares, rows = _squares()

    def others(point: Point, at: Any) -> list[dict[str, Any]]:
        """All cells (v, w) but (i, u)."""
        j = at["j"]
        return [
            {
                "b": Entry("B", v, w),
                "x": Entry("P", w, j),
                "y": Entry("P", v, j),
                "r": Entry("s", w),
                "t": Entry("s", v),
                "e": "b*r*(x/r - y/t)**2",
            }
            for v, w in pairs(_order(point), repeat=2)
            if (v, w) != (at["i"], at["u"])
        ]

    rest = Fold(
        over=others,
        start={"all_squares": "e0"},
        update={"all_squares": "all_squares + e"},
        invariants="all_squares >= e0",
        each={"b0": "b", "p0": "x", "q0": "y", "s0": "r", "t0": "t", "e0": "e"},
    )
    diagonal = Fold(
        over=lambda point, at: [{"column": u} for u in _order(point)],
        start={"trace": 0},
        update={"trace": "trace + d1"},
        invariants="trace >= count",
        count="m",
        inner=Fold(
            over=lambda point, at, element: [
                {"b": Entry("B", i, element["column"]), "o": Flag(i != element["column"])} for i in _order(point)
            ],
            start={"c1": 0, "d1": 0},
            update={"c1": "c1 + b", "d1": "d1 + b*(1 - o)"},
            invariants="c1 <= d1",
            totals={"c1": 1},
            each={"b0": "b", "first": "o"},
        ),
    )
    zero = (
        "e0 <= 0",
        "e0*s0*t0**2 == b0*gap",
        "e0*s0*t0**2 <= 0",
        "b0*gap <= 0",
        "b0*gap*scale <= 0",
        "b0*first <= 0",
    )
    return [
        *_fixed_sums(),
        *squares,
        *map(Step, ("b0*(p0*t0 - q0*s0)**2 >= 0", "e0*s0*t0**2 >= 0", "e0 >= 0")),
        rest,
        Exchange(rows, rest, {"e_sum": "all_squares"}),
        *map(Step, zero),
        diagonal,
    ]
