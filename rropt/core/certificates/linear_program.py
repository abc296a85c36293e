"""Certificates of linear programs: a primal and a dual solution, or a Farkas vector (checker/linear_programs.md)."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from rropt.core.certificates.record import Certificate
from rropt.core.errors import required
from rropt.core.exact import as_text
from rropt.core.linear import Infeasible, LinearProgram, Optimal


def certify_optimal(program: LinearProgram, outcome: Optimal) -> Certificate:
    """Return the certificate that a point is feasible and optimal.

    The claim is ``lower <= least value of c . x <= upper`` with equal ends; to maximize ``c . x`` is to minimize
    ``-c . x``. The proof is a dual y with ``b . y = c . x``. The signs of y and of ``c - A^T y`` prove that no feasible
    point has a better objective. The certificate contains no labels of variables and rows.

    Args:
        program: minimize or maximize ``c . x`` over n variables and m rows.
        outcome: the result of ``rropt.core.linear.solve``: x of shape (n,), y of shape (m,).

    Returns:
        A certificate of the statement ``optimal-value``; call ``require_accepted`` to have it checked. The checker
        rejects that of an outcome of another program.

    Raises:
        InvalidParameterError: the outcome is not ``Optimal``.

    Source: linear duality; e.g. Schrijver, Theory of linear and integer programming (1986), section 7.4.

    Example:
        >>> from rropt.core.linear import ProgramBuilder, solve
        >>> builder = ProgramBuilder("maximise")
        >>> x, y = builder.variable("x", cost=1), builder.variable("y", cost=1)
        >>> _ = builder.row("first", {x: 1, y: 2}, "<=", 1)
        >>> _ = builder.row("second", {x: 2, y: 1}, "<=", 1)
        >>> program = builder.build()
        >>> certificate = certify_optimal(program, solve(program)).require_accepted()
        >>> certificate.claim["lower"], certificate.claim["point"]
        ('-2/3', ['1/3', '1/3'])
    """
    required(outcome, Optimal, "the outcome", "certify_infeasible for an Infeasible one")
    sign = program.direction
    value = as_text(sign * outcome.value)
    claim = {"lower": value, "upper": value, "point": [as_text(x) for x in outcome.primal]}
    proof = {"multipliers": _sparse((row, sign * y) for row, y in enumerate(outcome.dual))}
    return Certificate.state("optimal-value", problem_of(program), claim, proof)


def certify_infeasible(program: LinearProgram, outcome: Infeasible) -> Certificate:
    """Return the certificate that no point satisfies the rows and sign constraints of a program.

    The proof is a Farkas vector: y with ``A^T y <= 0`` on nonnegative variables, 0 on free ones, and ``b . y > 0``.

    Args:
        program: n variables and m rows; the objective is ignored.
        outcome: the result of ``rropt.core.linear.solve``: y of shape (m,).

    Returns:
        A certificate of the statement ``infeasible``; call ``require_accepted`` to have it checked.

    Raises:
        InvalidParameterError: the outcome is not ``Infeasible``.

    Source: Farkas (1902).

    Example:
        >>> from rropt.core.linear import ProgramBuilder, solve
        >>> builder = ProgramBuilder("minimise")
        >>> x = builder.variable("x")
        >>> _ = builder.row("at most one third", {x: 3}, "<=", 1)
        >>> _ = builder.row("at least one half", {x: 2}, ">=", 1)
        >>> program = builder.build()
        >>> print(certify_infeasible(program, solve(program)).check())
        accepted
    """
    required(outcome, Infeasible, "the outcome", "certify_optimal for an Optimal one")
    region = {key: part for key, part in problem_of(program).items() if key != "cost"}
    return Certificate.state("infeasible", region, {}, {"multipliers": _sparse(enumerate(outcome.farkas))})


def problem_of(program: LinearProgram) -> dict[str, Any]:
    """Return the problem of the statement ``optimal-value``: a linear program, as a minimization."""
    return {
        "cost": [as_text(program.direction * variable.cost) for variable in program.variables],
        "signs": [variable.sign for variable in program.variables],
        "rows": [
            {
                "coefficients": _sparse(zip(row.columns, row.values, strict=True)),
                "relation": row.relation,
                "bound": as_text(row.rhs),
            }
            for row in program.rows
        ],
    }


def _sparse(entries: Iterable[tuple[int, Fraction]]) -> list[list[str]]:
    """Return the pairs [index, value] of the nonzero values; a solution may contain zeros, the format may not."""
    return [[str(index), as_text(value)] for index, value in entries if value]
