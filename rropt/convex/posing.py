"""Solve a program of CVXPY, know how accurate the solution is, and compare its value with a proved bracket.

A solver of floats reports its own accuracy: the difference between its primal and its dual value, and by how much its
solution violates each constraint, times the price (dual value) of that constraint. The tolerance of the comparison is
ten times this, and at least ``_LEAST``. A solver that is less accurate than ``_ACCURATE`` contradicts nothing: within
``TOLERANCE`` the distance is reported, beyond it the twin says that CVXPY did not reach its accuracy.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf, isfinite
from typing import Any

import cvxpy as cp
import numpy as np

from rropt.core.errors import RouteDisagreementError, UnsupportedProblemError
from rropt.core.exact import decimal_text
from rropt.core.results.twins import NO_CONTENT, Twin, agreement

TOLERANCE = 1e-5
"""Relative distance from the bracket that counts as agreement if the solver is not accurate."""

_LEAST = 1e-9  # relative tolerance of an accurate solver: a few hundred roundings of numbers of size 1 in its sums
_ACCURATE = 1e-6  # relative error by the solver's own account; Clarabel and HiGHS reached 7e-8 on 131 random problems

_OPTIONS = {
    cp.CLARABEL: {"tol_gap_abs": 1e-11, "tol_gap_rel": 1e-10, "tol_feas": 1e-10},
    cp.SCS: {"eps_abs": 1e-9, "eps_rel": 1e-9},
}
_MOST_STEPS, _MOST_WORK = 100_000, 5 * 10**7  # of SCS: iterations, and iterations times entries: some seconds
_OF_VERTICES = {
    "method": "highs",
    "primal_feasibility_tolerance": 1e-10,
    "dual_feasibility_tolerance": 1e-10,
}
_NAMES = {cp.SCIPY: "HIGHS"}  # SciPy's linear programs are solved by HiGHS
_OF_A_VERTEX = 1e-7  # HiGHS: the largest violation of a constraint
_UNSURE, _TIMES = 1e-8, 10.0  # of the size, and of an error: nearer to a known value a comparison shows nothing
INACCURATE = "CVXPY did not reach its accuracy here"


MEANINGS = {
    "P": "the mechanism: entry (i, j) is Pr(output i | input j)",
    "centre": "the part of the estimators that all rows share",
    "chances": "the probability of each row under each distribution, for weight 1",
    "columns": "with weights: that the columns of the mechanism sum to 1, in the mean",
    "contrasts": "with weights: that the columns of the mechanism have equal sums",
    "delta": "the slack delta of the privacy level",
    "estimates": "the value that each row gives the estimator, times its weight",
    "excess": "the excess of each row over gamma, for each ordered pair of inputs, in units of delta",
    "gamma": "exp(epsilon), the bound of the likelihood ratio",
    "information": "the part of each row in the Fisher information, for weight 1",
    "least": "the smallest entry of each row of the mechanism",
    "lines": "the coefficients of each row in the conditions that make the estimator unbiased",
    "numbers": "the values of the inputs, centred and scaled",
    "phi": "the part of each row in the objective, for weight 1",
    "ratios": "the weights of the distributions of the mixture, in units of the objective",
    "rows": "the listed rows, transposed: entry (j, r) is that of row r for input j",
    "shift": "what is added to the objective",
    "squared": "the squared values of the inputs, centred and scaled",
    "squares": "the squared value of each row, divided by its weight",
    "sums": "the value of each row, times its weight",
    "targets": "what the estimator estimates without bias",
    "unit": "the unit of the objective",
    "value": "the objective, in its unit",
    "values": "the objective at each distribution of the mixture",
    "weights": "of each listed row (`program.rows`): the mechanism has the rows weights[r] * program.rows.value[r]",
    "worst": "the largest variance",
}
"""The variables and Parameters of the programs of designs, in words."""


def explained(program: cp.Problem, rows: Any = None, **meanings: str) -> cp.Problem:
    """Give a program two attributes that say what its variables are, and return it.

    ``program.meanings`` maps the name of each variable and Parameter to its meaning, and ``program.rows`` is a
    Parameter whose value are the rows that ``weights`` belongs to, at the level of the program; else ``None``.

    Args:
        program: the program.
        rows: the Parameter of the rows.
        meanings: by name, in place of those of ``MEANINGS``.
    """
    known = {**MEANINGS, **meanings}
    names = sorted({*program.var_dict, *program.param_dict})
    meant = {name: known.get(name) or known.get(name.partition("[")[0].rstrip("0123456789")) for name in names}
    program.meanings = {name: text for name, text in meant.items() if text}
    program.rows = rows
    return program


@dataclass(frozen=True, slots=True)
class Solved:
    """The value of a program, with the accuracy that its solver reports.

    Attributes:
        value: the optimal value in floats.
        error: an estimate of its absolute error: duality gap plus prices times violations; infinite if unknown.
        solver: the name of the solver.
    """

    value: float
    error: float
    solver: str


def solve(program: Any, *, once: bool = True, gp: bool = False, solvers: Sequence[str] = ()) -> Solved:
    """Solve a ``cvxpy.Problem`` by Clarabel with small tolerances; if it fails, by HiGHS (linear programs) or SCS.

    SCS makes fewer iterations on larger programs: each one takes longer, and where it does not converge, as on problems
    that Clarabel leaves inaccurate, all of them are made. The variables of the program then have values, as after
    ``program.solve()``. HiGHS is the one of SciPy: CVXPY's own interface to HiGHS prints on standard output.

    Args:
        program: the problem; its Parameters have values.
        once: whether the program is solved once only: then CVXPY treats Parameters as numbers, which is faster.
        gp: whether it is a geometric program.
        solvers: the names of the solvers to try, in place of those above.

    Raises:
        UnsupportedProblemError: no solver reached its accuracy.
    """
    for name in solvers or (cp.CLARABEL, cp.SCIPY if not gp and program.is_lp() else cp.SCS):
        options = _OPTIONS.get(name, {})
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an inaccurate solution has a larger error, which is computed below
            try:
                data, chain, inverse = program.get_problem_data(name, gp=gp, ignore_dpp=once, solver_opts=options)
                if name == cp.SCS:
                    options = {**options, "max_iters": min(_MOST_STEPS, max(1, _MOST_WORK // max(1, data["A"].nnz)))}
                found = chain.solve_via_data(program, data, warm_start=False, verbose=False, solver_opts=dict(options))
                program.unpack_results(found, chain, inverse)
            except (cp.SolverError, ArithmeticError, ValueError):
                continue
        value = program.value
        if program.status in (cp.OPTIMAL, cp.OPTIMAL_INACCURATE) and value is not None and isfinite(value):
            error = _error(name, found, data) * (abs(value) if gp else 1.0)  # gp: of the logarithm
            if program.status == cp.OPTIMAL or error <= TOLERANCE * abs(value):
                return Solved(float(value), error, _NAMES.get(name, name))
    raise UnsupportedProblemError(INACCURATE)


def vertex_of(program: Any) -> float:
    """Solve a linear program by HiGHS, and return its value; its variables then have the values of a vertex.

    Raises:
        UnsupportedProblemError: the solver failed.
    """
    try:
        program.solve(solver=cp.SCIPY, scipy_options=dict(_OF_VERTICES))
    except (cp.SolverError, ArithmeticError, ValueError):
        raise UnsupportedProblemError(INACCURATE) from None
    if program.status != cp.OPTIMAL or program.value is None:
        raise UnsupportedProblemError(INACCURATE)
    return float(program.value)


def _error(solver: str, found: Any, data: Any) -> float:
    """Return an estimate of the error of the value: the duality gap, and residuals times the size of their duals."""
    if solver == cp.CLARABEL:
        x, z, s = (np.abs(np.asarray(each, dtype=float)) for each in (found.x, found.z, found.s))
        b, c = np.abs(data["b"]).max(initial=0.0), np.abs(data["c"]).max(initial=0.0)
        primal = found.r_prim * max(1.0, b + x.max(initial=0.0) + s.max(initial=0.0))
        dual = found.r_dual * max(1.0, c + x.max(initial=0.0) + z.max(initial=0.0))
        return float(abs(found.obj_val - found.obj_val_dual) + primal * z.max() + dual * x.max(initial=0.0))
    if solver == cp.SCIPY:  # a vertex with the dual solution of its basis
        duals = (found.ineqlin.marginals, found.eqlin.marginals)
        return _OF_A_VERTEX * max([1.0, *(float(np.abs(each).max(initial=0.0)) for each in duals)])
    return inf


def compare(
    solved: Solved,
    lower: Fraction,
    upper: Fraction,
    what: object = "the problem",
    *,
    better: float | None = None,
    worse: float | None = None,
    size: float = 0.0,
    trivial: Sequence[float] = (),
    note: str = "",
) -> Twin:
    """Compare the value of a program with a proved bracket.

    Args:
        solved: the value and its accuracy.
        lower, upper: the proved bracket.
        what: the problem, for the message of a contradiction.
        better, worse: relative tolerance below the bracket, and above it, if the program is not the problem itself: a
            relaxation may lie far on one side. ``None``: ten times the error of the solver.
        size: the smallest size to which tolerances are relative; by default that of the bracket.
        trivial: values that are known without solving anything, such as that of a mechanism that reveals nothing. If
            the bracket is as near to one as the solver is accurate, the comparison shows nothing.
        note: what else is said of an agreement.

    Raises:
        RouteDisagreementError: the value is outside the bracket by more than the tolerance, and its own error is not.
    """
    facts = {"solver": solved.solver}
    scale = max(abs(lower), abs(upper), Fraction(size)) or Fraction(1)
    exact = Fraction(solved.value)
    distance = max(lower - exact, exact - upper, Fraction(0)) / scale
    own = solved.error / float(scale)
    is_accurate = own <= _ACCURATE
    given = better if exact < lower else worse
    allowed = given if given is not None else max(_TIMES * own, _LEAST) if is_accurate else TOLERANCE
    unsure = max(_UNSURE, min(_TIMES * float(distance), TOLERANCE)) * float(scale)
    for value in trivial:
        if max(abs(lower - Fraction(value)), abs(upper - Fraction(value))) <= Fraction(unsure):
            return Twin("CVXPY", True, solved.value, None, NO_CONTENT, **facts)
    if distance <= allowed:
        return agreement("CVXPY", solved.value, distance, why=note, **facts)
    if not is_accurate or (given is not None and own > given / _TIMES):
        return Twin("CVXPY", True, solved.value, None, INACCURATE, **facts)
    raise RouteDisagreementError(
        f"CVXPY and the certified bracket disagree on {what}: {solved.value!r} against [{decimal_text(lower, 17)}, "
        f"{decimal_text(upper, 17)}]"
    )
