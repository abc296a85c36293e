"""A mechanism with slack in every condition of a region, to be mixed into answers that are to be rounded."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from rropt.linear import LinearProgramme, Row, Variable
from rropt.solvers.linear_designs.design_programme import DesignProgramme
from rropt.solvers.linear_designs.exact_rows import write_programme
from rropt.solvers.linear_designs.limits import LARGEST_ODDS, LEAST_SLACK

Rows = tuple[tuple[Fraction, ...], ...]


def interior_mechanism(design: DesignProgramme) -> Rows | None:
    """Return an approximate interior mechanism, or None when there is none with room to spare.

    Without bounds it is the uniform mechanism: ``gamma/m > 1/m``. With bounds it is the float solution of "the largest
    s with slack s in every condition" (rows whose entries are all fixed by their bounds left out). It is a proposal:
    what is made of it is checked exactly.
    """
    m, k = design.shape
    ratios = design.ratios.values() if design.rows.form == "pairwise" else [design.gamma + design.delta]
    if design.least is None:
        return tuple((Fraction(1, m),) * k for _ in range(m)) if min(ratios) > 1 else None
    from rropt.linear import float_point  # HiGHS: only when it is used

    point = float_point(_with_most_slack(design)) if max(ratios) <= LARGEST_ODDS else None
    if point is None or point[-1] < LEAST_SLACK:
        return None
    return tuple(tuple(Fraction(max(0.0, point[i * k + j])) for j in range(k)) for i in range(m))


def _with_most_slack(design: DesignProgramme) -> LinearProgramme:
    """Return the programme with a last variable s, maximised, that every condition asks for as slack."""
    programme = write_programme(design).programme
    variables = [variable._replace(cost=Fraction(0)) for variable in programme.variables]
    rows = []
    for row in programme.rows:
        slack = _weight(design, row) if row.relation == "<=" else -_weight(design, row)
        if slack:
            row = row._replace(columns=(*row.columns, len(variables)), values=(*row.values, slack))
        rows.append(row)
    return replace(
        programme,
        sense="maximise",
        variables=(*variables, Variable("slack", "nonnegative", Fraction(1))),
        rows=tuple(rows),
    )


def _weight(design: DesignProgramme, row: Row) -> Fraction:
    """Return the slack asked of a row, in units of s; 0 where the bounds leave no choice."""
    m, k = design.shape
    if row.label == "sum":
        return Fraction(0)
    if row.label == "total":
        return design.delta
    entries = [divmod(column, k) for column in row.columns if column < m * k]
    if all(design.fixed(i, j) is not None for i, j in entries):
        return Fraction(0)
    return Fraction(1, m)
