"""The linear programme of the nearest private mechanism, with variables and rows in the order of the certificate.

Given a matrix Q of shape (m, k), minimise the largest ``abs(p_ij - q_ij)`` (one variable s for all entries) or their
sum (one variable for each entry) over the mechanisms P of a privacy region, whose rows are those of any design.

Among the matrices whose largest change is least: one that leaves alone what need not change.

A vertex of the programme moves entries as far as it may. Given the least entry t_i of each of its rows, every entry
may lie in ``[max(t_i, q_ij - s), min(gamma t_i, q_ij + s)]``, and only the sums of the columns tie entries together. So
each entry takes the nearest allowed value to q_ij, and what a column then lacks (or has too much) is taken from the
room of its entries, row by row: given t, no matrix has a smaller sum of changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from rropt.certificates.design_programmes import DesignRows
from rropt.linear import LinearProgramme, Relation, Row, Variable
from rropt.privacy import RationalLevel
from rropt.solvers.linear_designs.design_programme import DesignProgramme
from rropt.solvers.linear_designs.exact_rows import write_programme

_ONE = Fraction(1)
_SIDES: tuple[tuple[Fraction, Relation], ...] = ((_ONE, ">="), (-_ONE, "<="))


def nearest_programme(matrix: Sequence[Sequence[Fraction]], level: RationalLevel, norm: str) -> LinearProgramme:
    """Return the programme: variables p_ij at ``i k + j`` first, the objective is the distance.

    Args:
        matrix: Q, shape (m, k).
        level: rational gamma >= 1 and delta.
        norm: ``"max"`` or ``"l1"``.
    """
    m, k = len(matrix), len(matrix[0])
    pairs = [(j, other) for j in range(k) for other in range(k) if j != other and level.delta]
    rows = DesignRows(k, m, "excess" if level.delta else "parity", is_distance=True)
    nothing = ((Fraction(0),) * k,) * m
    design = DesignProgramme(rows, 1, nothing, level.gamma, level.delta, {}, tuple(pairs), None, None)
    private = write_programme(design).programme
    entries, first = [q for row in matrix for q in row], len(private.variables)
    changes = [Variable("change", "nonnegative", _ONE)] * (1 if norm == "max" else m * k)
    distances = (
        Row("distance", (n, first + n % len(changes)), (_ONE, sign), relation, q)
        for sign, relation in _SIDES
        for n, q in enumerate(entries)
    )
    return LinearProgramme("minimise", (*private.variables, *changes), (*private.rows, *distances))


Rows = Sequence[Sequence[Fraction]]


def settled(found: Rows, wanted: Rows, gamma: Fraction, change: Fraction) -> list[list[Fraction]]:
    """Return a matrix with the same least changes, columns that sum to 1 and row parities at most gamma.

    Args:
        found: an optimal matrix P, shape (m, k).
        wanted: Q, the same shape.
        gamma: rational odds bound that P meets.
        change: s, the largest change from Q to P.

    Cost O(m k).
    """
    least = [min(row) for row in found]
    columns = []
    for column in zip(*wanted, strict=True):
        low = [max(t, q - change) for t, q in zip(least, column, strict=True)]
        high = [min(gamma * t, q + change) for t, q in zip(least, column, strict=True)]
        entries = [min(max(q, a), b) for q, a, b in zip(column, low, high, strict=True)]
        columns.append(_with_sum_one(entries, low, high))
    return [list(row) for row in zip(*columns, strict=True)]


def _with_sum_one(entries: list[Fraction], low: list[Fraction], high: list[Fraction]) -> list[Fraction]:
    """Move entries within their ranges, each as far as needed, until they sum to 1; P shows that this is possible."""
    missing = 1 - sum(entries)
    moved = []
    for entry, a, b in zip(entries, low, high, strict=True):
        step = min(missing, b - entry) if missing > 0 else max(missing, a - entry)
        moved.append(entry + step)
        missing -= step
    return moved
