"""Exact solution of linear programmes."""

from __future__ import annotations

from rropt.errors import CertificateError, InvalidParameterError
from rropt.linear.deadline import Deadline
from rropt.linear.programmes.linear_programme import LinearProgramme
from rropt.linear.programmes.outcomes import Basis, Infeasible, Optimal, Outcome, Unbounded
from rropt.linear.programmes.verify import Failure, verify_infeasible, verify_optimal, verify_unbounded
from rropt.linear.routes.exact_simplex import Contradiction, Ray
from rropt.linear.routes.integer_form import IntegerForm, integer_form
from rropt.linear.routes.search import Found, search

__all__ = ["solve"]


def solve(programme: LinearProgramme, *, start: Basis | None = None, seconds: float | None = None) -> Outcome:
    """Solve a linear programme exactly, with a proof.

    A float solver proposes a basis, exact arithmetic tests it; refinement and finally an exact simplex method take
    over when it is wrong (`rropt.linear.routes.search`). Whatever the route, the answer is verified exactly against
    the programme before it is returned.

    Args:
        programme: the programme.
        start: a basis to try first, for instance `Optimal.basis` of a programme of the same shape.
        seconds: time allowed, None for no limit.

    Returns:
        `Optimal` with equal primal and dual values, `Infeasible` with a Farkas vector, or `Unbounded` with a
        feasible point and a ray.

    Raises:
        InvalidParameterError: the start names columns or rows that do not exist, or the limit is not positive.
        TimeLimitError: the time is over.

    Example:
        >>> from rropt.linear import ProgrammeBuilder
        >>> builder = ProgrammeBuilder("maximise")
        >>> x, y = builder.variable("x", cost=1), builder.variable("y", cost=1)
        >>> _ = builder.row("first", {x: 1, y: 2}, "<=", 1)
        >>> _ = builder.row("second", {x: 2, y: 1}, "<=", 1)
        >>> best = solve(builder.build())
        >>> str(best.value), round(float(best.value), 4)
        ('2/3', 0.6667)
    """
    form = integer_form(programme)
    found = search(form, None if start is None else _checked(start, programme), Deadline(seconds))
    outcome, failure = _proved(programme, form, found)
    if failure:
        raise CertificateError(
            f"the answer of the linear programme does not stand: received one of which {failure}; allowed is none; "
            "this is a defect, please report the programme"
        )
    return outcome


def _checked(start: Basis, programme: LinearProgramme) -> Basis:
    columns, rows = tuple(sorted(set(start.columns))), tuple(sorted(set(start.rows)))
    n, m = len(programme.variables), len(programme.rows)
    if (columns and not 0 <= columns[0] <= columns[-1] < n) or (rows and not 0 <= rows[0] <= rows[-1] < m):
        raise InvalidParameterError(
            f"the start does not fit: received a basis with columns up to {max(columns, default=-1)} and rows up to "
            f"{max(rows, default=-1)}; allowed are columns below {n} and rows below {m}; take it from a programme of "
            "the same shape"
        )
    return Basis(columns, rows)


def _proved(programme: LinearProgramme, form: IntegerForm, found: Found) -> tuple[Outcome, Failure | None]:
    answer = found.answer
    if isinstance(answer, Contradiction):
        farkas = form.original_dual(answer.multipliers, homogeneous=True)
        return Infeasible(farkas), verify_infeasible(programme, farkas)
    if isinstance(answer, Ray):
        return Unbounded(answer.point, answer.direction), verify_unbounded(programme, answer.point, answer.direction)
    dual = form.original_dual(answer.dual)
    outcome = Optimal(programme.objective(answer.primal), answer.primal, dual, answer.basis, found.route)
    return outcome, verify_optimal(programme, answer.primal, dual)
