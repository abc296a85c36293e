"""The programme written down for the exact solver, with the place of each row in the certificate's order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from rropt.linear import LinearProgramme, Relation, Row, Variable
from rropt.solvers.linear_designs.design_programme import DesignProgramme

_ONE, _NONE = Fraction(1), Fraction(0)
Placed = tuple[int, Row]


@dataclass(frozen=True)
class WrittenProgramme:
    """A programme whose variables begin with p_ij at ``i k + j``.

    Attributes:
        programme: the linear programme.
        places: the index of each of its rows in the certificate's order (FORMAT.md, rule 3).
    """

    programme: LinearProgramme
    places: tuple[int, ...]


def write_programme(design: DesignProgramme) -> WrittenProgramme:
    """Return the rows of FORMAT.md, rule 3, of the programme's pairs; bounds 0 and 1 that say nothing are left out."""
    m, k = design.shape
    variables = [Variable("p", "nonnegative", design.costs[i][j]) for i in range(m) for j in range(k)]
    if design.rows.form == "parity":
        variables += [Variable("t", "nonnegative", _NONE)] * m
    elif design.rows.form == "excess":
        variables += [Variable("e", "nonnegative", _NONE)] * (m * len(design.pairs))
    placed = [*_columns(design), *_privacy(design), *_bounds(design)]
    placed.sort(key=lambda item: item[0])
    programme = LinearProgramme("minimise", tuple(variables), tuple(row for _, row in placed))
    return WrittenProgramme(programme, tuple(place for place, _ in placed))


def _columns(design: DesignProgramme) -> Iterator[Placed]:
    m, k = design.shape
    for j in range(k):
        columns = tuple(i * k + j for i in range(m))
        yield design.rows.row_of_column(j), Row("sum", columns, (_ONE,) * m, "=", _ONE)


def _privacy(design: DesignProgramme) -> Iterator[Placed]:
    if design.rows.form == "parity":
        yield from _parity(design)
    elif design.rows.form == "excess":
        yield from _excess(design)
    else:
        yield from _pairwise(design)


def _parity(design: DesignProgramme) -> Iterator[Placed]:
    m, k = design.shape
    low, high = (_ONE, -_ONE), (-_ONE, design.gamma)
    for i in range(m):
        for j in range(k):
            columns = (i * k + j, m * k + i)
            yield design.rows.row_lower(i, j), Row("lower", columns, low, ">=", _NONE)
            yield design.rows.row_upper(i, j), Row("upper", columns, high, ">=", _NONE)


def _excess(design: DesignProgramme) -> Iterator[Placed]:
    m, k = design.shape
    pairs = len(design.pairs)
    for n, (j, other) in enumerate(design.pairs):
        slack = [m * k + i * pairs + n for i in range(m)]
        for i in range(m):
            row = _row("excess", {slack[i]: _ONE, i * k + j: -_ONE, i * k + other: design.gamma}, ">=", _NONE)
            yield design.rows.row_of_excess(i, j, other), row
        yield design.rows.row_of_total(j, other), Row("total", tuple(slack), (_ONE,) * m, "<=", design.delta)


def _pairwise(design: DesignProgramme) -> Iterator[Placed]:
    m, k = design.shape
    for j, other in design.pairs:
        gamma = design.ratios[j, other]
        for i in range(m):
            row = _row("pair", {i * k + other: gamma, i * k + j: -_ONE}, ">=", _NONE)
            yield design.rows.row_of_pair(i, j, other), row


def _bounds(design: DesignProgramme) -> Iterator[Placed]:
    if design.least is None or design.most is None:
        return
    k = design.shape[1]
    for i, (low, high) in enumerate(zip(design.least, design.most, strict=True)):
        for j, (a, b) in enumerate(zip(low, high, strict=True)):
            if a > 0:
                yield design.rows.row_of_least(i, j), Row("least", (i * k + j,), (_ONE,), ">=", a)
            if b < 1:
                yield design.rows.row_of_most(i, j), Row("most", (i * k + j,), (_ONE,), "<=", b)


def _row(label: str, terms: dict[int, Fraction], relation: Relation, bound: Fraction) -> Row:
    columns = tuple(sorted(terms))
    return Row(label, columns, tuple(terms[j] for j in columns), relation, bound)
