"""Exact solution of linear programs: a floating-point solver proposes a solution, and exact arithmetic verifies it."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias

import numpy as np

from rropt.core.errors import CertificateError
from rropt.core.linear.highs import NO_OPTIMUM, Magnification, ScaledForm, propose
from rropt.core.linear.integer_matrix import IntegerMatrix, integer_array
from rropt.core.linear.presolve import IntegerForm, Reduction, integer_form
from rropt.core.linear.programs import Basis, Infeasible, LinearProgram, NoOptimumError, Optimal, Outcome
from rropt.core.linear.simplex import BasicSolution, evaluate, exact_simplex, repaired
from rropt.core.linear.verification import verify_infeasible, verify_optimal

# Rounds of refinement before the exact simplex method; each round gains about ten digits.
_REFINEMENT_ROUNDS = 12


def solve(program: LinearProgram) -> Outcome:
    """Solve a linear program exactly, with a proof.

    The program is converted to integers and reduced (`Reduction`). A floating-point solver proposes a basis, and exact
    arithmetic tests it. If it is not optimal, refinement and finally an exact simplex method continue (`search`). In
    every case the result is verified exactly against the program before it is returned.

    Args:
        program: the program.

    Returns:
        `Optimal` with equal primal and dual values, or `Infeasible` with a Farkas vector.

    Raises:
        NoOptimumError: the program is feasible, and its objective is not bounded.

    Example:
        >>> from rropt.core.linear import ProgramBuilder
        >>> builder = ProgramBuilder("maximise")
        >>> x, y = builder.variable("x", cost=1), builder.variable("y", cost=1)
        >>> _ = builder.row("first", {x: 1, y: 2}, "<=", 1)
        >>> _ = builder.row("second", {x: 2, y: 1}, "<=", 1)
        >>> best = solve(builder.build())
        >>> str(best.value), round(float(best.value), 4)
        ('2/3', 0.6667)
    """
    return _solved(program, trust=False)


def optimum(program: LinearProgram) -> Optimal | None:
    """Solve a linear program exactly; return `None` if the floating-point solver finds no optimum.

    None does not prove that there is no optimum. Use this function in searches where a failure needs no proof: it
    avoids the auxiliary program with which `solve` proves infeasibility.

    Args:
        program: the program.
    """
    try:
        outcome = _solved(program, trust=True)
    except NoOptimumError:
        return None
    return outcome if isinstance(outcome, Optimal) else None


def _solved(program: LinearProgram, *, trust: bool) -> Outcome:
    form = integer_form(program)
    reduced = Reduction.of(form)
    answer, route = solve_integer_form(reduced.form, trust=trust)
    outcome: Outcome
    if isinstance(answer, Infeasible):
        farkas = form.original_dual(reduced.multipliers(answer.farkas, homogeneous=True), homogeneous=True)
        outcome, failure = Infeasible(farkas), verify_infeasible(program, farkas)
    else:
        x, y = reduced.point(answer.primal), form.original_dual(reduced.multipliers(answer.dual))
        outcome = Optimal(program.objective(x), x, y, route)
        failure = verify_optimal(program, x, y)
    if failure:
        raise CertificateError(
            f"the solution of the linear program fails its exact check: {failure}; this is an internal error, please "
            "report the program"
        )
    return outcome


# An exact result, and the method that found it.
Found: TypeAlias = tuple[BasicSolution | Infeasible, str]


def solve_integer_form(form: IntegerForm, *, believe: bool = True, trust: bool = False) -> Found:
    """Solve a program in integer form.

    1. HiGHS proposes a basis. An exact test accepts it or measures its violations.
    2. Refinement: HiGHS continues on the program magnified around the solution, where the violations are large.
    3. If HiGHS reports that there is no optimum, an auxiliary program decides whether there is a feasible point.
    4. If a round yields no new basis, the exact simplex method continues from the last solution.

    Source: Gleixner, Steffy, Wolter (2016) for the refinement; Applegate, Cook, Dash, Espinoza, Exact solutions to
    linear programming problems (2007) for the exact test.

    Args:
        form: the program.
        believe: whether the first report of HiGHS that there is no optimum is examined (step 3).
        trust: whether it is believed without a proof.

    Raises:
        NoOptimumError: the program is not bounded, or HiGHS reports no optimum and `trust` is set.
    """
    scaled, solution = ScaledForm(form), evaluate(form, Basis((), ()))
    magnification: Magnification | None = None
    seen: set[Basis] = set()
    for number in range(_REFINEMENT_ROUNDS if form.matrix.values.size else 0):
        magnification = scaled.magnification(solution, magnification)
        start = solution if len(solution.rows) else None
        proposal = propose(scaled.around(solution, magnification), start, trust=believe and trust)
        if believe and proposal.status in NO_OPTIMUM:
            if trust:
                raise NoOptimumError(f"the float solver calls the program {proposal.status}")
            believe = False
            decided = _feasible_or_infeasible(form)
            if isinstance(decided, Infeasible):
                return decided, "auxiliary program"
            solution = decided
            continue
        if proposal.basis is None or proposal.basis in seen:
            break
        seen.add(proposal.basis)
        solution = repaired(form, proposal.basis)
        if solution.is_optimal:
            return solution, "refined" if number else "float basis"
        if number and proposal.status != "optimal":
            break
    return exact_simplex(solution), "exact simplex"


def _feasible_or_infeasible(form: IntegerForm) -> Infeasible | BasicSolution:
    """Return a feasible solution, or prove that there is none."""
    closest = _optimum(elastic_form(form))
    return Infeasible(closest.dual) if _value(closest) > 0 else repaired(form, inelastic_basis(form, closest))


def _optimum(form: IntegerForm) -> BasicSolution:
    """Return an optimal solution of a program that is known to have one."""
    solution, _ = solve_integer_form(form, believe=False)
    if not isinstance(solution, BasicSolution):
        raise CertificateError(
            f"an auxiliary program cannot be decided: received {type(solution).__name__.lower()} as its answer; "
            "allowed is an optimum, which its construction guarantees; this is an internal error, please report the "
            "program"
        )
    return solution


def _value(solution: BasicSolution) -> int:
    """Return the numerator of the objective: its value times the denominator of the point."""
    return int((solution.form.cost * integer_array(solution.primal.numerators)).sum())


def elastic_form(form: IntegerForm) -> IntegerForm:
    """Return the program of minimal violation: minimize `sum e_i` subject to `A x + W e >= b` (or `=`), e >= 0.

    Row i may be violated by w_i e_i, where w_i is a power of two near its largest entry; an equality may be violated
    on both sides. The program is feasible, and its objective is at least 0. Its optimum is 0 iff the rows can be
    satisfied. Otherwise its dual y has `A^T y <= 0` (= 0 on free variables), the signs of the rows, `w_i |y_i| <= 1`
    and `b . y > 0`, so y is a Farkas vector.
    """
    m, n = form.matrix.shape
    largest = (max(map(abs, row), default=1) for row in np.split(form.matrix.values, form.matrix.starts[1:-1]))
    weights = integer_array(1 << (value.bit_length() - 1) for value in largest)
    both = np.concatenate([np.arange(m), np.flatnonzero(form.equal)])
    units = np.concatenate([weights, -weights[form.equal]])
    elastic = IntegerMatrix((len(both), m), np.arange(len(both) + 1), both, units)
    cost = np.concatenate([np.zeros(n, dtype=object), integer_array([1] * len(both))])
    free = np.concatenate([form.free, np.zeros(len(both), dtype=np.bool_)])
    return replace(form, matrix=form.transpose.stacked(elastic).transpose(), cost=cost, free=free)


def inelastic_basis(form: IntegerForm, solution: BasicSolution) -> Basis:
    """Remove the elastic columns from the basis of an elastic solution of violation 0; the point stays the same.

    A basic elastic column has its only entry in an active row. Dropping both leaves a nonsingular block.
    """
    m, n = form.matrix.shape
    owner = np.concatenate([np.arange(m), np.flatnonzero(form.equal)])
    dropped = owner[solution.columns[solution.columns >= n] - n]
    kept = np.setdiff1d(solution.rows, dropped)
    return Basis(tuple(solution.columns[solution.columns < n].tolist()), tuple(kept.tolist()))
