"""The float solver: HiGHS proposes a basis and nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import highspy
import numpy as np

from rropt.linear.deadline import Deadline
from rropt.linear.programmes.outcomes import Basis
from rropt.linear.routes.integer_form import IntegerForm
from rropt.linear.routes.scaled_form import FloatProgramme
from rropt.linear.routes.vertex import Vertex
from rropt.tolerances import (
    FLOAT_SECONDS,
    FLOAT_SMALLEST_ENTRY,
    FLOAT_TOLERANCE,
    INFINITE_BITS,
    INTERIOR_POINT_NONZEROS,
    SIMPLEX_ITERATIONS,
)

__all__ = ["Proposal", "propose"]

_Status = Literal["optimal", "infeasible", "unbounded", "unknown"]

_MEANING: dict[Any, _Status] = {
    highspy.HighsModelStatus.kOptimal: "optimal",
    highspy.HighsModelStatus.kInfeasible: "infeasible",
    highspy.HighsModelStatus.kUnbounded: "unbounded",
}


@dataclass(frozen=True, slots=True)
class Proposal:
    """What the float solver believes, and its last basis if it has one."""

    status: _Status
    basis: Basis | None


def propose(programme: FloatProgramme, form: IntegerForm, start: Vertex | None, deadline: Deadline) -> Proposal:
    """Run HiGHS on a magnified programme, silent and on one thread.

    With a start the simplex method continues from it. Without one, large programmes go to the interior-point
    method with crossover. When presolve leaves no optimal basis, the simplex method runs again without it.

    Args:
        programme: the data.
        form: the programme it comes from.
        start: the vertex to continue from.
        deadline: when to stop.
    """
    if start is None:
        large = len(programme.values) >= INTERIOR_POINT_NONZEROS
        proposal = _run(programme, form, None, deadline, {"solver": "ipm" if large else "simplex"})
        if proposal.status == "optimal" and proposal.basis:
            return proposal
    return _run(programme, form, start, deadline, {"solver": "simplex", "presolve": "off"})


def _run(
    programme: FloatProgramme, form: IntegerForm, start: Vertex | None, deadline: Deadline, options: dict[str, str]
) -> Proposal:
    deadline.check()
    solver = highspy.Highs()
    solver.silent()
    settings: dict[str, object] = {
        "threads": 1,
        "primal_feasibility_tolerance": FLOAT_TOLERANCE,
        "dual_feasibility_tolerance": FLOAT_TOLERANCE,
        "ipm_optimality_tolerance": FLOAT_TOLERANCE,
        "small_matrix_value": FLOAT_SMALLEST_ENTRY,
        "simplex_iteration_limit": SIMPLEX_ITERATIONS * (len(programme.row_lower) + len(programme.lower)),
        "time_limit": min(deadline.left(), FLOAT_SECONDS),
        **options,
    }
    for name, value in settings.items():
        solver.setOptionValue(name, value)
    solver.passModel(_model(programme))
    if start is not None:
        solver.setBasis(_warm(programme, start))
    if solver.run() == highspy.HighsStatus.kError:
        # another user of HiGHS in this process may have started its scheduler with more threads
        highspy.Highs.resetGlobalScheduler(True)
        solver.run()
    status = _MEANING.get(solver.getModelStatus(), "unknown")
    basis = solver.getBasis()
    return Proposal(status, _basis(programme, form, basis) if basis.valid else None)


def _model(programme: FloatProgramme) -> Any:
    model = highspy.HighsLp()
    model.num_row_, model.num_col_ = len(programme.row_lower), len(programme.lower)
    largest = 2.0**INFINITE_BITS
    model.col_cost_ = np.clip(programme.cost, -largest, largest)  # an infinite cost is an error in HiGHS
    model.col_lower_, model.col_upper_ = programme.lower, programme.upper
    model.row_lower_, model.row_upper_ = programme.row_lower, programme.row_upper
    model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    model.a_matrix_.start_ = programme.starts.astype(np.int32)
    model.a_matrix_.index_ = programme.columns.astype(np.int32)
    model.a_matrix_.value_ = programme.values
    return model


def _warm(programme: FloatProgramme, start: Vertex) -> Any:
    """Write the basis of a vertex for HiGHS; a priced row is an equality, its variable a column."""
    status = highspy.HighsBasisStatus
    basic, free = start.basic[programme.column_variables], start.form.is_free[programme.column_variables]
    rows = start.basic[programme.row_variables]
    rows[programme.priced] = False
    basis = highspy.HighsBasis()
    basis.col_status = [
        status.kBasic if is_basic else status.kZero if is_free else status.kLower
        for is_basic, is_free in zip(basic.tolist(), free.tolist(), strict=True)
    ]
    basis.row_status = [status.kBasic if is_basic else status.kLower for is_basic in rows.tolist()]
    basis.valid = True
    return basis


def _basis(programme: FloatProgramme, form: IntegerForm, found: Any) -> Basis:
    """Read a basis: what is not shown is basic, and a priced row if either of its two faces is."""
    status, n = highspy.HighsBasisStatus.kBasic, form.matrix.shape[1]
    columns = np.array([entry == status for entry in found.col_status], dtype=np.bool_)
    rows = np.array([entry == status for entry in found.row_status], dtype=np.bool_)
    basic = np.ones(sum(form.matrix.shape), dtype=np.bool_)
    basic[programme.row_variables] = rows
    basic[programme.column_variables] = columns
    basic[programme.row_variables[programme.priced]] |= rows[programme.priced]
    return Basis(tuple(np.flatnonzero(basic[:n]).tolist()), tuple(np.flatnonzero(~basic[n:]).tolist()))
