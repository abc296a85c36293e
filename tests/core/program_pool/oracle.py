"""An independent exact solver for tests: a dense tableau of fractions, two phases, Bland's rule.

`oracle` shares nothing with the library but the record of a program.
"""

from __future__ import annotations

from fractions import Fraction

from rropt.core.linear import LinearProgram, NoOptimumError, Outcome, solve

Tableau = list[list[Fraction]]


def outcome_of(program: LinearProgram) -> Outcome | None:
    """What the library's solver finds; None for a program whose objective is not bounded."""
    try:
        return solve(program)
    except NoOptimumError:
        return None


def oracle(program: LinearProgram) -> tuple[str, Fraction | None]:
    """Return ("optimal", value), ("infeasible", None) or ("unbounded", None)."""
    rows, cost = _standard_form(program)
    width = len(cost)
    tableau = [[*row[:-1], *(Fraction(int(i == k)) for k in range(len(rows))), row[-1]] for i, row in enumerate(rows)]
    basis = [width + i for i in range(len(rows))]
    violation = [Fraction(0)] * width + [Fraction(1)] * len(rows)
    if not _simplex(tableau, basis, violation):
        raise AssertionError("the sum of the artificial variables is bounded")
    if sum((row[-1] for row, b in zip(tableau, basis, strict=True) if b >= width), Fraction(0)) > 0:
        return "infeasible", None
    _drive_out(tableau, basis, width)
    kept = [(row, b) for row, b in zip(tableau, basis, strict=True) if b < width]
    tableau = [[*row[:width], row[-1]] for row, _ in kept]
    basis = [b for _, b in kept]
    if not _simplex(tableau, basis, cost):
        return "unbounded", None
    value = sum((cost[b] * row[-1] for row, b in zip(tableau, basis, strict=True)), Fraction(0))
    return "optimal", value if program.sense == "minimise" else -value


def _standard_form(program: LinearProgram) -> tuple[Tableau, list[Fraction]]:
    """Minimise over nonnegative variables with equalities and a nonnegative right-hand side; split the free ones."""
    sign = 1 if program.sense == "minimise" else -1
    free = [j for j, variable in enumerate(program.variables) if variable.sign == "free"]
    cost = [sign * variable.cost for variable in program.variables]
    cost += [-cost[j] for j in free]
    slacks = [i for i, row in enumerate(program.rows) if row.relation != "="]
    rows: Tableau = []
    for i, row in enumerate(program.rows):
        dense = [Fraction(0)] * len(program.variables)
        for j, value in zip(row.columns, row.values, strict=True):
            dense[j] = value
        line = dense + [-dense[j] for j in free]
        line += [Fraction(0) if i != k else Fraction(1 if row.relation == "<=" else -1) for k in slacks]
        line.append(row.rhs)
        rows.append(line if row.rhs >= 0 else [-value for value in line])
    return rows, cost + [Fraction(0)] * len(slacks)


def _simplex(tableau: Tableau, basis: list[int], cost: list[Fraction]) -> bool:
    """Minimise in place; False when unbounded."""
    while True:
        reduced = _reduced(tableau, basis, cost)
        entering = next((j for j, value in enumerate(reduced) if value < 0), None)
        if entering is None:
            return True
        ratios = [(row[-1] / row[entering], basis[i], i) for i, row in enumerate(tableau) if row[entering] > 0]
        if not ratios:
            return False
        _pivot(tableau, basis, min(ratios)[2], entering)


def _reduced(tableau: Tableau, basis: list[int], cost: list[Fraction]) -> list[Fraction]:
    reduced = list(cost)
    for row, b in zip(tableau, basis, strict=True):
        if cost[b]:
            for j in range(len(cost)):
                reduced[j] -= cost[b] * row[j]
    return reduced


def _pivot(tableau: Tableau, basis: list[int], i: int, j: int) -> None:
    pivot = tableau[i][j]
    tableau[i] = [value / pivot for value in tableau[i]]
    for k, row in enumerate(tableau):
        if k != i and row[j]:
            factor = row[j]
            tableau[k] = [value - factor * above for value, above in zip(row, tableau[i], strict=True)]
    basis[i] = j


def _drive_out(tableau: Tableau, basis: list[int], width: int) -> None:
    """Exchange artificial variables that are basic at 0, where the row allows it."""
    for i, b in enumerate(basis):
        if b >= width:
            column = next((j for j in range(width) if tableau[i][j]), None)
            if column is not None:
                _pivot(tableau, basis, i, column)
