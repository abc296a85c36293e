"""The programme as a dictionary: some variables expressed by the others, exactly and sparsely."""

from __future__ import annotations

from typing import Any

from flint import fmpq

from rropt.linear.routes.integer_form import IntegerForm

__all__ = ["Dictionary"]


class Dictionary:
    """Equations `v_r = constant_r + sum_c entry_rc v_c`, one per expressed variable r.

    Variables are numbered as in `Vertex`: x_j is j, the surplus s_i is n + i. At the start every s_i is expressed by
    the x_j: `s = A x - b`. A pivot exchanges an expressed variable with one that expresses it. Every dictionary is the
    same programme in other words, and a basis of one, a set of variables, is a basis of all.

    Cost: a pivot on (r, c) costs O(length of row r * length of column c) rational operations.
    """

    def __init__(self, form: IntegerForm) -> None:
        m, n = form.matrix.shape
        self.form = form
        self.rows: dict[int, dict[int, Any]] = {n + i: {} for i in range(m)}
        self.columns: dict[int, set[int]] = {j: set() for j in range(n)}
        self.constants: dict[int, Any] = {n + i: fmpq(-value) for i, value in enumerate(form.rhs.tolist())}
        self.nonzeros = self.pivots = 0
        self.implied: set[int] = set()  # expressed variables whose sign follows from the rest
        known: dict[int, Any] = {}
        matrix = form.matrix
        for i, j, value in zip(
            matrix.row_of_entry.tolist(), matrix.columns.tolist(), matrix.values.tolist(), strict=True
        ):
            if value not in known:
                known[value] = fmpq(value)
            self.rows[n + i][j] = known[value]
            self.columns[j].add(n + i)
            self.nonzeros += 1

    def fill(self, r: int, c: int) -> int:
        """Return a bound on the growth of the number of entries by a pivot on (r, c)."""
        return (len(self.rows[r]) - 1) * (len(self.columns[c]) - 1)

    def pivot(self, r: int, c: int) -> None:
        """Express c instead of r: solve equation r for v_c and substitute it everywhere."""
        self.pivots += 1
        row = self.rows.pop(r)
        inverse = 1 / row.pop(c)
        for j in row:
            self.columns[j].discard(r)
        users = self.columns.pop(c)
        users.discard(r)
        solved = {j: -value * inverse for j, value in row.items()}
        solved[r] = inverse
        constant = -self.constants.pop(r) * inverse
        self.columns[r] = set()
        self.nonzeros -= len(solved)
        for user in users:
            self._substitute(user, c, solved, constant)
        self.rows[c] = solved
        self.constants[c] = constant
        for j in solved:
            self.columns[j].add(c)
        self.nonzeros += len(solved)

    def _substitute(self, user: int, c: int, solved: dict[int, Any], constant: Any) -> None:
        target = self.rows[user]
        factor = target.pop(c)
        before = len(target) + 1
        for j, value in solved.items():
            changed = factor * value + target[j] if j in target else factor * value
            if changed:
                target[j] = changed
                self.columns[j].add(user)
            else:
                del target[j]
                self.columns[j].discard(user)
        self.constants[user] += factor * constant
        self.nonzeros += len(target) - before
