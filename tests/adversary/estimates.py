"""Products written out, likely populations by expectation and maximisation, the bound of the page; and files."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from adversary.built import statement

F = Fraction
Rows = list[list[Fraction]]
Groups = list[tuple[list[Rows], list[int]]]  # factors and counts


def texts(rows: Rows) -> list[list[str]]:
    """Return a matrix as a file writes it."""
    return [[str(x) for x in row] for row in rows]


def written_out(factors: list[Rows]) -> Rows:
    """Return the Kronecker product, question 0 fastest, by its definition."""
    rows = []
    for outputs in product(*(range(len(f)) for f in reversed(factors))):
        row = []
        for inputs in product(*(range(len(f[0])) for f in reversed(factors))):
            entry = F(1)
            for f, i, j in zip(reversed(factors), outputs, inputs, strict=True):
                entry *= f[i][j]
            row.append(entry)
        rows.append(row)
    return rows


def improved(groups: Groups, steps: int) -> list[float]:
    """Return a likely population by expectation and maximisation, from the uniform one."""
    rows = [
        (list(map(float, row)), c) for f, counts in groups for row, c in zip(written_out(f), counts, strict=True) if c
    ]
    k, n = len(rows[0][0]), sum(c for _, c in rows)
    x = [1 / k] * k
    for _ in range(steps):
        gains = [0.0] * k
        for row, c in rows:
            chance = sum(p * share for p, share in zip(row, x, strict=True))
            gains = [g + p * c / chance for g, p in zip(gains, row, strict=True)]
        x = [share * g / n for share, g in zip(x, gains, strict=True)]
    return x


def bound(groups: Groups, point: list[Fraction]) -> Fraction | None:
    """Return ``max_x sum_i C_ix N_i/lambda_i / n - 1`` in fractions; None where an answer is impossible."""
    n, gains = 0, [F(0)] * len(point)
    for factors, counts in groups:
        for row, count in zip(written_out(factors), counts, strict=True):
            chance = sum((p * x for p, x in zip(row, point, strict=True)), F(0))
            if count and not chance:
                return None
            if count:
                n += count
                gains = [g + p * count / chance for g, p in zip(gains, row, strict=True)]
    return max(gains) / n - 1


def file(groups: Groups, point: list[Fraction], gap: Fraction, bits: int | None, plain: bool = False) -> dict[str, Any]:
    """Return a certificate; ``plain``: single matrices are no products."""
    listed = []
    for factors, counts in groups:
        single = plain and len(factors) == 1
        form = {"matrix": texts(factors[0])} if single else {"product": [texts(f) for f in factors]}
        listed.append({"mechanism": form, "counts": [str(c) for c in counts]})
    claim = {"point": [str(x) for x in point], "gap": str(gap)}
    proof = {"bits": None if bits is None else str(bits)}
    return statement("likelihood-gap", {"groups": listed}, claim, proof)
