"""Time of the optimum for every level beside a parametric linear program in SymPy (``benchmarks/every_level.py``).

SymPy solves the equations of each basis of rows symbolically in u = gamma - 1, and writes the value of one choice of
outputs for each vertex as a function of u. The other choices, and the lower envelope of all values, are not counted, so
that SymPy's time is a lower bound. The larger sizes are those of rropt alone.
"""

from __future__ import annotations

import itertools
import random
import time
from fractions import Fraction

import sympy

from rropt.checker import check_text
from rropt.designs.parametric.level_pieces import certify_pieces, solve_pieces


def costs_of(shares: list[Fraction], power: int) -> list[list[Fraction]]:
    """Return the costs of the loss ``abs(d - j)^power``."""
    k = len(shares)
    return [[share * abs(d - j) ** power for j, share in enumerate(shares)] for d in range(k)]


def in_sympy(costs: list[list[Fraction]]) -> float:
    """Return the seconds in which SymPy finds the values of all vertices of the program as functions of u."""
    start, k, u = time.process_time(), len(costs[0]), sympy.Symbol("u", positive=True)
    sets = [s for n in range(1, k + 1) for s in itertools.combinations(range(k), n)]
    weights = sympy.symbols(f"x0:{k}")
    values = set()
    for basis in itertools.combinations(sets, k):
        rows = [
            sympy.Add(*(x * (1 + u * int(j in s)) for x, s in zip(weights, basis, strict=True))) - 1 for j in range(k)
        ]
        found = sympy.solve(rows, weights, dict=True)
        if not found or len(found[0]) < k:
            continue
        cost = sum(
            found[0][x] * sum(sympy.Rational(str(costs[place][j])) * (1 + u * int(j in s)) for j in range(k))
            for place, (x, s) in enumerate(zip(weights, basis, strict=True))
        )
        values.add(sympy.factor(cost))
    return time.process_time() - start


def main() -> None:
    """Print the table."""
    half, tenths = [Fraction(n, 4) for n in (2, 1, 1)], [Fraction(n, 10) for n in (4, 3, 2, 1)]
    rest = [Fraction(1, 2), Fraction(1, 4), Fraction(3, 20), Fraction(1, 10)]
    examples = {
        "absolute, k = 3": costs_of(half, 1),
        "0-1, k = 4": [[share * (d != j) for j, share in enumerate(rest)] for d in range(4)],
        "absolute, k = 4": costs_of(tenths, 1),
        "squared, k = 4": costs_of(tenths, 2),
    }
    totals = [0.0, 0.0]
    for name, costs in examples.items():
        start = time.process_time()
        for _ in range(20):
            certify_pieces(costs, solve_pieces(costs), Fraction(1), None)
        own, theirs = (time.process_time() - start) / 20, in_sympy(costs)
        totals = [totals[0] + own, totals[1] + theirs]
        print(f"{name}: rropt {own:.4f} s, SymPy {theirs:.1f} s, {theirs / own:.0f} times")
    print(f"together: rropt {totals[0]:.4f} s, SymPy {totals[1]:.1f} s, {totals[1] / totals[0]:.0f} times")
    for k in (6, 12, 16, 20):
        chance = random.Random(k)
        weights = [chance.randint(1, 20) for _ in range(k)]
        costs = costs_of([Fraction(w, sum(weights)) for w in weights], 1)
        start = time.process_time()
        pieces = solve_pieces(costs)
        solved = time.process_time() - start
        text = certify_pieces(costs, pieces, Fraction(1), None).text
        start = time.process_time()
        verdict = check_text(text)
        checked = time.process_time() - start
        cells = sum(len(piece.cells) for piece in pieces)
        print(
            f"k = {k}: {len(pieces)} pieces, {cells} cells; solved in {solved:.2f} s, {len(text) / 1000:.1f} kB, "
            f"checked in {checked:.3f} s: {bool(verdict)}"
        )


if __name__ == "__main__":
    main()
