"""The Fisher information in symbols: ``M = sum_i p_i p_i^T/(p_i.pi)``, and Z with ``M Z = C^T`` as further unknowns.

M may be singular if C has contrasts that the mechanism estimates although it does not identify all proportions. Then Z
is not unique, but ``C Z`` is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy as sp
from flint import fmpq, fmpq_mat

from rropt.symbolic.objectives.goal import Goal, Values, dot, total


def information(rows: Sequence[Sequence[sp.Expr]], population: Sequence[sp.Expr]) -> sp.ImmutableMatrix:
    """Return M, shape (k, k); rows of zeros, which are outputs that never occur, add nothing."""
    k = len(population)
    kept = [(row, 1 / dot(row, population)) for row in rows if any(x != 0 for x in row)]
    both = [(row, [x * each for x in row]) for row, each in kept]
    found = {(i, j): total(row[i] * own[j] for row, own in both) for i in range(k) for j in range(i, k)}
    return sp.ImmutableMatrix(k, k, lambda i, j: found[min(i, j), max(i, j)])


def variances(
    P: sp.ImmutableMatrix, population: Sequence[sp.Expr], targets: sp.ImmutableMatrix, name: str = "z"
) -> tuple[sp.ImmutableMatrix, Goal]:
    """Return Z, shape (k, r), and the goal ``tr C Z - abs(C pi)^2``: n times the sum of the variances of ``C pi``."""
    r, k = targets.shape
    M = information(P.tolist(), population)
    Z = sp.ImmutableMatrix(k, r, lambda i, j: sp.Symbol(f"{name}_{i}_{j}", real=True))
    value = (targets * Z).trace() - total(x**2 for x in targets * sp.ImmutableMatrix(population))
    relations = tuple(
        sp.Eq(total([*(sp.Mul(Z[m, j], M[i, m], evaluate=False) for m in range(k)), -targets[j, i]]), 0, evaluate=False)
        for i in range(k)
        for j in range(r)
    )

    def completed(values: Values) -> Values:
        def at(x: Any) -> Any:
            return sp.sympify(x).xreplace(dict(values))

        rows, shares = [[at(x) for x in row] for row in P.tolist()], [at(x) for x in population]
        exactly = _solved_in_rationals(rows, shares, targets)
        if exactly is not None:
            return dict(zip(Z, exactly, strict=True))
        numbers = information(rows, shares)
        try:
            found, free = sp.Matrix(numbers).gauss_jordan_solve(sp.Matrix(targets.T))
        except ValueError:  # the design does not identify a contrast: no Z satisfies the relations
            return dict.fromkeys(Z, sp.Integer(0))
        return dict(zip(Z, found.xreplace(dict.fromkeys(free, sp.Integer(0))), strict=True))

    return Z, Goal(value, relations, completed)


def _solved_in_rationals(rows: Any, population: Any, targets: Any) -> list[sp.Rational] | None:
    """Return the entries of Z if all numbers are rational and M is regular, by FLINT; else None."""
    numbers = [*population, *targets, *(x for row in rows for x in row)]
    if not all(x.is_Rational for x in numbers):
        return None
    pi, lines = ([fmpq(int(x.p), int(x.q)) for x in row] for row in (population, targets.T))
    k, r = len(pi), targets.shape[0]
    M = fmpq_mat(k, k)
    for row in rows:
        own = fmpq_mat(k, 1, [fmpq(int(x.p), int(x.q)) for x in row])
        mean = (fmpq_mat(1, k, pi) * own)[0, 0]
        if mean:  # an output that never occurs adds nothing
            M += own * own.transpose() * (1 / mean)
    try:
        found = M.solve(fmpq_mat(k, r, lines))
    except ZeroDivisionError:
        return None
    return [sp.Rational(int(x.p), int(x.q)) for x in found.entries()]


class LargestEigenvalue(sp.Expr):  # type: ignore[misc]  # SymPy has no types
    """The largest eigenvalue of a symmetric matrix; ``doit`` returns it exactly if the entries are rational.

    >>> LargestEigenvalue(sp.ImmutableMatrix([[2, 1], [1, 2]])).doit()
    3
    """

    def __new__(cls, matrix: Any) -> Any:
        """Return the unevaluated eigenvalue."""
        return sp.Expr.__new__(cls, sp.ImmutableMatrix(matrix))

    def doit(self, **hints: Any) -> Any:
        """Return the largest root of the characteristic polynomial, if the matrix is rational."""
        matrix = self.args[0]
        if not all(x.is_Rational for x in matrix):
            return self
        return matrix.charpoly().real_roots(radicals=False)[-1]

    def _latex(self, printer: Any) -> str:
        return rf"\lambda_{{\max}}\left({printer._print(self.args[0])}\right)"
