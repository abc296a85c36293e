"""The certified optima of k categories that the explorer page shows: ``explorer_table.json``.

    python docs/site/explorer_table.py > fieldwork/rropt_fieldwork/ethics/explorer_table.json

Each row contains the smallest sum of n Var over the categories (A-optimality) at one rational gamma and delta = 0. The
minimum is over mechanisms with any number of outputs. The checker has accepted the certificate of each row, and bounds
are rounded outwards.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from fractions import Fraction
from math import ceil, floor
from typing import Any

from rropt.core.exact import as_text
from rropt.designs import Problem, Solution, solve
from rropt.mechanisms import Mechanism
from rropt.mechanisms.families.memberships import best_subset_size

LEVELS = ("3/2", "2", "5/2", "3", "4", "5", "6", "8", "10", "12", "15", "20", "30", "50", "100")
CATEGORIES = (3, 4, 5, 6)
# What is chosen: the words of the page, and the share of the first category; the others are equal.
SHARES: dict[str, tuple[str, Fraction | None]] = {
    "equal": ("all equal", None),
    "half": ("first 1/2, others equal", Fraction(1, 2)),
    "rare": ("first 1/20, others equal", Fraction(1, 20)),
}
_UNITS = 10**12


def population(k: int, first: Fraction | None) -> list[Fraction]:
    """Return the shares: all equal, or all but the first."""
    return [Fraction(1, k)] * k if first is None else [first, *[(1 - first) / (k - 1)] * (k - 1)]


def subset_design(k: int, size: int, gamma: Fraction, first: Fraction | None) -> list[Any]:
    """Return subset selection: size, the chances that a report has the true category and another one, and n Var.

    With the size 1 it is k-ary randomized response. n Var is summed over the categories, whose reports are counted.
    """
    p = size * gamma / (size * gamma + k - size)
    q = (p * (size - 1) + (1 - p) * size) / (k - 1)
    shown = [q + (p - q) * share for share in population(k, first)]
    value = sum((x * (1 - x) for x in shown), Fraction(0)) / (p - q) ** 2
    return [size, *map(as_text, (p, q, value))]


def optimum(k: int, gamma: str, first: Fraction | None) -> Solution:
    """Return the certified A-optimal design of one row."""
    shares = population(k, first)
    problem = Problem.kary(
        epsilon=f"log({gamma})", objective="a-optimal", population=list(map(as_text, shares)), outputs="any"
    )
    solution = solve(problem, routes="auto" if first is None else "exact")
    assert isinstance(solution, Solution)
    return solution


def row_of(k: int, gamma: str, shares: str) -> dict[str, Any]:
    """Return one row of the table."""
    solution = optimum(k, gamma, SHARES[shares][1])
    if solution.certificate is None or not solution.certificate.check():
        raise AssertionError(f"the checker rejects the optimum of k = {k}, gamma = {gamma}, shares {shares}")
    lower, upper = solution.lower, solution.upper
    if lower != upper:
        lower, upper = Fraction(floor(lower * _UNITS), _UNITS), Fraction(ceil(upper * _UNITS), _UNITS)
    return {
        "k": k,
        "gamma": gamma,
        "shares": shares,
        "lower": as_text(lower),
        "upper": as_text(upper),
        "design": described(solution.mechanism),
        "subsets": subsets(k, gamma, shares),
    }


def subsets(k: int, gamma: str, shares: str) -> list[list[Any]]:
    """Return k-ary randomized response, and the subset selection that is best for equal shares."""
    level = Fraction(gamma)
    return [subset_design(k, size, level, SHARES[shares][1]) for size in (1, best_subset_size(k, level))]


def described(mechanism: Mechanism) -> str:
    """Return in words the number of outputs of a staircase mechanism and the sizes of their subsets.

    A category belongs to the subset of an output if its entry is closer to the largest entry of the row than to the
    smallest. Exact equality is not required, since rounding changes the last digits to make the columns sum to 1.

    >>> described(Mechanism("grr:4,1/2"))
    '4 outputs: each names one category'
    """
    sizes = sorted({sum(2 * p > max(row) + min(row) for p in row) for row in mechanism.matrix})
    if sizes == [1]:
        return f"{mechanism.outputs} outputs: each names one category"
    return f"{mechanism.outputs} outputs: each names a subset of {' or '.join(map(str, sizes))} categories"


def rows() -> Iterator[dict[str, Any]]:
    """Iterate over the rows of the table."""
    for shares in SHARES:
        for k in CATEGORIES:
            for gamma in LEVELS:
                yield row_of(k, gamma, shares)


def table_text() -> str:
    """Return the text of the file."""
    lines = ",\n".join(json.dumps(row) for row in rows())
    titles = {name: title for name, (title, _) in SHARES.items()}
    firsts = {name: None if first is None else as_text(first) for name, (_, first) in SHARES.items()}
    return f'{{"titles": {json.dumps(titles)},\n"shares": {json.dumps(firsts)},\n"rows": [\n{lines}\n]}}\n'


if __name__ == "__main__":  # python docs/site/explorer_table.py > fieldwork/rropt_fieldwork/ethics/explorer_table.json
    sys.stdout.write(table_text())
