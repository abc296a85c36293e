"""The floating-point solver: HiGHS proposes a basis or an approximate point, which exact arithmetic then checks.

HiGHS receives the program magnified around an exact basic solution, so that small violations become large.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import highspy
import numpy as np

from rropt.core.linear.floats import FloatArray, equilibrate, mantissas_and_exponents, scaled_floats
from rropt.core.linear.integer_matrix import IndexArray, IntegerArray
from rropt.core.linear.presolve import BoolArray, IntegerForm, integer_form
from rropt.core.linear.programs import Basis, LinearProgram
from rropt.core.linear.simplex import BasicSolution, evaluate

# Feasibility tolerances of HiGHS, on data scaled so that relevant violations have size 2^_TARGET_BITS:
# 1e-9 is ten times the smallest value that HiGHS accepts and far above the rounding errors of such data.
_TOLERANCE = 1e-9

# Entries of the scaled matrix (largest 1) below this are dropped: the smallest value HiGHS accepts.
_SMALLEST_ENTRY = 1e-12

# Size, in bits, to which violations are scaled before HiGHS receives the program.
_TARGET_BITS = 14

# A bound beyond this many bits is passed as infinite, and a larger cost is reduced to it: thirty bits above the size of
# scaled violations. (HiGHS treats 1e20, about 66 bits, as infinite, but its ratio test fails on costs of 60 bits.)
_INFINITE_BITS = 44

# A cold start uses the interior-point method with crossover if the program has at least so many nonzeros, and more than
# twice as many rows as columns (nearest private mechanisms). The method is two to four times faster there than the
# simplex method, and three to ten times slower on other programs.
_INTERIOR_POINT_NONZEROS = 10_000
_INTERIOR_POINT_ROWS = 2

# Simplex iterations per row and column: two or three are usual; a solver that needs more has stalled.
_ITERATIONS = 20

# Time limit in seconds for one run of HiGHS; a longer run has stalled.
_SECONDS = 1800.0

_Status = Literal["optimal", "infeasible", "unbounded", "unknown"]

NO_OPTIMUM: tuple[_Status, ...] = ("infeasible", "unbounded")

_MEANING: dict[Any, _Status] = {
    highspy.HighsModelStatus.kOptimal: "optimal",
    highspy.HighsModelStatus.kInfeasible: "infeasible",
    highspy.HighsModelStatus.kUnbounded: "unbounded",
}


@dataclass(frozen=True, slots=True)
class Proposal:
    """A proposal of HiGHS: its status, its last basis if there is one, and its point in scaled units."""

    status: _Status
    basis: Basis | None
    point: FloatArray | None = None


@dataclass(frozen=True, slots=True)
class Magnification:
    """Exponents of the powers of two by which the primal and the dual side of a program are magnified."""

    primal: int
    dual: int


@dataclass(frozen=True, slots=True, eq=False)
class FloatProgram:
    """A program for HiGHS: minimize `cost . v` with bounds on `M v` and on v, in doubles.

    The columns are those of the form, followed by one column for the surplus of each row in `priced`.
    """

    form: IntegerForm
    model: Any
    priced: IndexArray


class QuietHighs(highspy.Highs):  # type: ignore[misc]
    """The solver HiGHS without output and on one thread: the only place that constructs it.

    HiGHS 1.16 prints its version and licence when its callbacks are enabled, which the constructor does. Standard
    output belongs to the caller (``--json`` is one JSON object), so the output is turned off before that.
    """

    def __init__(self, **options: object) -> None:
        super().__init__()
        for name, value in {"output_flag": False, "threads": 1, **options}.items():
            self.setOptionValue(name, value)

    def enableCallbacks(self) -> None:  # noqa: N802 - a name of HiGHS
        """Turn the output off, then enable the callbacks; the constructor calls this."""
        self.setOptionValue("output_flag", False)
        super().enableCallbacks()


class ScaledForm:
    """An integer program whose entries and variables are scaled by powers of two.

    Attributes:
        unit: the exponent by which each of x and s is multiplied, shape `(n + m,)`.
    """

    def __init__(self, form: IntegerForm) -> None:
        self.form = form
        rows, columns = form.transpose.columns, form.transpose.row_of_entry
        mantissas, exponents = mantissas_and_exponents(form.transpose.values)
        row_shift, column_shift = equilibrate(form.matrix.shape, rows, columns, mantissas, exponents)
        self._values = scaled_floats(mantissas, exponents, row_shift[rows] + column_shift[columns])
        self.unit = np.concatenate([-column_shift, row_shift])

    def magnification(self, solution: BasicSolution, last: Magnification | None) -> Magnification:
        """Choose the exponents that bring the largest violation to the size 2^_TARGET_BITS.

        Without a violation, the last exponents are kept. At the start, all values and prices count as violations.
        """
        everything = np.ones(len(solution.values), dtype=np.bool_)
        primal = _largest_exponent(solution.values, everything if last is None else solution.bad_values, self.unit)
        dual = _largest_exponent(solution.prices, everything if last is None else solution.bad_prices, -self.unit)
        last = last or Magnification(0, 0)
        return Magnification(
            last.primal if primal is None else _TARGET_BITS - primal + _length(solution.primal.denominator),
            last.dual if dual is None else _TARGET_BITS - dual + _length(solution.dual.denominator),
        )

    def around(self, solution: BasicSolution, magnification: Magnification) -> FloatProgram:
        """Return the program in the magnified changes `v - v*` of all variables, with the prices as costs.

        The objective is `c . x = constant + sum of price * variable`. A row whose price is not 0 therefore gets a
        column for its surplus.
        Source: Gleixner, Steffy, Wolter, Iterative refinement for linear programming (2016).
        """
        form, (m, n) = self.form, self.form.matrix.shape
        down = _floats(solution.values, magnification.primal - _length(solution.primal.denominator) + self.unit)
        down = np.where(form.is_free, -np.inf, -down)
        up = np.where(form.is_fixed, down, np.inf)
        cost = _floats(solution.prices, magnification.dual - _length(solution.dual.denominator) - self.unit)
        priced = np.flatnonzero(cost[n:])
        shown = np.concatenate([np.arange(n), n + priced])
        model = highspy.HighsLp()
        model.num_row_, model.num_col_ = m, len(shown)
        largest = 2.0**_INFINITE_BITS  # HiGHS rejects an infinite cost
        model.col_cost_ = np.clip(cost[shown], -largest, largest)
        model.col_lower_, model.col_upper_ = down[shown], up[shown]
        down[n + priced] = up[n + priced] = 0.0
        model.row_lower_, model.row_upper_ = down[n:], up[n:]
        starts = form.transpose.starts
        model.a_matrix_.format_ = highspy.MatrixFormat.kColwise
        model.a_matrix_.start_ = np.append(starts, starts[-1] + 1 + np.arange(len(priced))).astype(np.int32)
        model.a_matrix_.index_ = np.append(form.transpose.columns, priced).astype(np.int32)
        model.a_matrix_.value_ = np.append(self._values, np.full(len(priced), -1.0))
        return FloatProgram(form, model, priced)


def propose(program: FloatProgram, start: BasicSolution | None, *, trust: bool = False) -> Proposal:
    """Run HiGHS on a magnified program, without output and on one thread.

    If `start` is given, the simplex method continues from it. Otherwise, large programs with many rows use the
    interior-point method with crossover. If presolve ends without an optimal basis, the simplex method runs again
    without presolve.

    Args:
        program: the magnified program.
        start: the basic solution to continue from.
        trust: whether presolve is believed if it reports that there is no optimum; the second run takes three times as
            long.
    """
    if start is None:
        model = program.model
        large = model.a_matrix_.start_[-1] >= _INTERIOR_POINT_NONZEROS
        tall = model.num_row_ > _INTERIOR_POINT_ROWS * model.num_col_
        proposal = _run(program, None, {"solver": "ipm" if large and tall else "simplex"})
        if (proposal.status == "optimal" and proposal.basis) or (trust and proposal.status in NO_OPTIMUM):
            return proposal
    return _run(program, start, {"solver": "simplex", "presolve": "off"})


def float_point(program: LinearProgram) -> list[float] | None:
    """Return an approximate optimal point by floating point alone; `None` if HiGHS finds no optimum."""
    form = integer_form(program)
    scaled, origin = ScaledForm(form), evaluate(form, Basis((), ()))
    magnification = scaled.magnification(origin, None)
    found = propose(scaled.around(origin, magnification), None)
    if found.status != "optimal" or found.point is None:
        return None
    n = form.matrix.shape[1]
    point: list[float] = np.ldexp(found.point[:n], -magnification.primal - scaled.unit[:n]).tolist()
    return point


def _run(program: FloatProgram, start: BasicSolution | None, options: dict[str, str]) -> Proposal:
    settings: dict[str, object] = {
        "primal_feasibility_tolerance": _TOLERANCE,
        "dual_feasibility_tolerance": _TOLERANCE,
        "ipm_optimality_tolerance": _TOLERANCE,
        "small_matrix_value": _SMALLEST_ENTRY,
        "simplex_iteration_limit": _ITERATIONS * (program.model.num_row_ + program.model.num_col_),
        "time_limit": _SECONDS,
        **options,
    }
    solver = QuietHighs(**settings)
    solver.passModel(program.model)
    if start is not None:
        solver.setBasis(_highs_basis(program, start))
    if solver.run() == highspy.HighsStatus.kError:
        # other code in this process may have started HiGHS's scheduler with more threads
        highspy.Highs.resetGlobalScheduler(True)
        solver.run()
    status = _MEANING.get(solver.getModelStatus(), "unknown")
    basis = solver.getBasis()
    point = np.array(solver.getSolution().col_value)
    return Proposal(status, _basis(program, basis) if basis.valid else None, point)


def _highs_basis(program: FloatProgram, start: BasicSolution) -> Any:
    """Convert a basis for HiGHS; a priced row becomes an equality, and its surplus a column."""
    status, n = highspy.HighsBasisStatus, start.form.matrix.shape[1]
    shown = np.concatenate([np.arange(n), n + program.priced])
    rows = start.basic[n:]
    rows[program.priced] = False
    basis = highspy.HighsBasis()
    for name, basic in (("col_status", start.basic[shown]), ("row_status", rows)):
        setattr(basis, name, [status.kBasic if is_basic else status.kNonbasic for is_basic in basic.tolist()])
    basis.valid = True
    return basis


def _basis(program: FloatProgram, found: Any) -> Basis:
    """Read a basis of HiGHS; the surplus of a priced row is basic if its row or its column is basic there."""
    status, n = highspy.HighsBasisStatus.kBasic, program.form.matrix.shape[1]
    columns: BoolArray = np.array([entry == status for entry in found.col_status], dtype=np.bool_)
    rows: BoolArray = np.array([entry == status for entry in found.row_status], dtype=np.bool_)
    rows[program.priced] |= columns[n:]
    return Basis(tuple(np.flatnonzero(columns[:n]).tolist()), tuple(np.flatnonzero(~rows).tolist()))


def _floats(values: IntegerArray, shift: IndexArray) -> FloatArray:
    """Return `values * 2^shift` as doubles; values beyond 2^_INFINITE_BITS become infinite."""
    mantissas, exponents = mantissas_and_exponents(values)
    floats = scaled_floats(mantissas, exponents, shift)
    return np.where(np.abs(floats) > 2.0**_INFINITE_BITS, np.copysign(np.inf, floats), floats)


def _largest_exponent(values: IntegerArray, mask: BoolArray, shift: IndexArray) -> int | None:
    """Return the largest exponent of `value * 2^shift` among the nonzero values in the mask; `None` if all are 0."""
    chosen = np.flatnonzero(mask & np.asarray(values != 0, dtype=np.bool_))
    return int((mantissas_and_exponents(values[chosen])[1] + shift[chosen]).max()) if chosen.size else None


def _length(denominator: int) -> int:
    return denominator.bit_length() - 1
