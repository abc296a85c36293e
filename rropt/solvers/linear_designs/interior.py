"""A mechanism with slack in every condition of a region, to be mixed into answers that are to be rounded."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from rropt.linear import LinearProgramme, Row
from rropt.solvers.linear_designs.design_programme import DesignProgramme
from rropt.solvers.linear_designs.exact_rows import write_programme
from rropt.solvers.linear_designs.limits import LEAST_SLACK

__all__ = ["interior_mechanism"]

Rows = tuple[tuple[Fraction, ...], ...]


def interior_mechanism(design: DesignProgramme) -> Rows | None:
    """Return an approximate interior mechanism, or None when there is none with room to spare.

    Without bounds it is the uniform mechanism: ``gamma/m > 1/m``. With bounds it is the float solution of "the largest
    s with slack s in every condition" (rows whose entries are all fixed by their bounds left out). It is a proposal:
    what is made of it is checked exactly.
    """
    m, k = design.shape
    if design.least is None:
        ratios = design.ratios.values() if design.rows.form == "pairwise" else [design.gamma + design.delta]
        return tuple((Fraction(1, m),) * k for _ in range(m)) if min(ratios) > 1 else None
    programme = write_programme(replace(design, costs=tuple((Fraction(0),) * k for _ in range(m)))).programme
    return _with_most_slack(design, programme)


def _with_most_slack(design: DesignProgramme, programme: LinearProgramme) -> Rows | None:
    import numpy as np
    from scipy.optimize import linprog
    from scipy.sparse import csr_matrix, hstack

    m, k = design.shape
    equal = np.array([row.relation == "=" for row in programme.rows])
    sign = np.array([-1.0 if row.relation == ">=" else 1.0 for row in programme.rows])
    entries = [
        (n, j, float(x)) for n, row in enumerate(programme.rows) for j, x in zip(row.columns, row.values, strict=True)
    ]
    places, columns, values = (np.array(part) for part in zip(*entries, strict=True))
    matrix = csr_matrix(
        (values * sign[places], (places, columns)), shape=(len(programme.rows), len(programme.variables))
    )
    rhs = sign * np.array([float(row.rhs) for row in programme.rows])
    slack = csr_matrix(np.array([[_weight(design, row)] for row in programme.rows]))
    found = linprog(
        np.concatenate([np.zeros(len(programme.variables)), [-1.0]]),
        A_ub=hstack([matrix, slack]).tocsr()[~equal],
        b_ub=rhs[~equal],
        A_eq=hstack([matrix, csr_matrix((len(programme.rows), 1))]).tocsr()[equal],
        b_eq=rhs[equal],
        bounds=(0, None),
        method="highs",
    )
    if found.status != 0 or found.x[-1] < LEAST_SLACK:
        return None
    entries_of_p = found.x[: m * k].tolist()
    return tuple(tuple(Fraction(max(0.0, entries_of_p[i * k + j])) for j in range(k)) for i in range(m))


def _weight(design: DesignProgramme, row: Row) -> float:
    """Return the slack asked of a row, in units of s; 0 where the bounds leave no choice."""
    m, k = design.shape
    if row.label == "sum":
        return 0.0
    if row.label == "total":
        return float(design.delta)
    entries = [divmod(column, k) for column in row.columns if column < m * k]
    if all(design.fixed(i, j) is not None for i, j in entries):
        return 0.0
    return 1.0 / m
