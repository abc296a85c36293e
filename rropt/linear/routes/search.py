"""From a float proposal to an exact answer."""

from __future__ import annotations

from dataclasses import dataclass

from rropt.errors import CertificateError
from rropt.linear.deadline import Deadline
from rropt.linear.programmes.outcomes import Basis
from rropt.linear.routes.auxiliary import elastic_form, inelastic_basis, recession_form
from rropt.linear.routes.exact_simplex import Contradiction, Ray, exact_simplex
from rropt.linear.routes.highs import propose
from rropt.linear.routes.integer_form import IntegerForm
from rropt.linear.routes.presentation import present
from rropt.linear.routes.scaled_form import Magnification, ScaledForm
from rropt.linear.routes.vertex import Vertex, evaluate, repaired
from rropt.tolerances import REFINEMENT_ROUNDS

__all__ = ["Found", "search"]


@dataclass(frozen=True, slots=True)
class Found:
    """An exact answer and the route to it."""

    answer: Vertex | Contradiction | Ray
    route: str


def search(form: IntegerForm, start: Basis | None, deadline: Deadline) -> Found:
    """Solve a programme in integer form.

    1. A given basis, put to the exact test, may be optimal.
    2. HiGHS proposes a basis; the exact test accepts it or measures its violations.
    3. Refinement: HiGHS continues on the programme magnified around the vertex so that the violations become large.
    4. When HiGHS calls the programme infeasible or unbounded, an auxiliary programme, which has an optimum, decides.
    5. When a round brings no new basis, the float solver gets another dictionary of the same programme (`present`).
    6. When that does not help either, the exact simplex method finishes from the last vertex.

    Source: Gleixner, Steffy, Wolter (2016) for the refinement; Applegate, Cook, Dash, Espinoza, Exact solutions to
    linear programming problems (2007) for the exact test.
    """
    vertex = repaired(form, start or Basis((), ()))
    if start is not None and vertex.is_optimal:
        return Found(vertex, "given basis")
    found = _refined(form, vertex, deadline, believe=True)
    return found if isinstance(found, Found) else Found(exact_simplex(found, deadline), "exact simplex")


def _refined(form: IntegerForm, start: Vertex, deadline: Deadline, *, believe: bool) -> Found | Vertex:
    """Try both presentations in turn; return an answer, or the last vertex."""
    if not form.matrix.values.size:
        return start
    matrix = present(form)
    found = _refine(ScaledForm(form, matrix), start, deadline, believe=believe)
    if isinstance(found, Vertex):
        separated = present(form, separate=True)
        if separated.pivots > matrix.pivots:
            found = _refine(ScaledForm(form, separated), evaluate(form, Basis((), ())), deadline, believe=False)
    return found


def _refine(scaled: ScaledForm, vertex: Vertex, deadline: Deadline, *, believe: bool) -> Found | Vertex:
    """Return an answer, or the last vertex; `believe` the float solver's word that there is no optimum, once."""
    form = scaled.form
    magnification: Magnification | None = None
    seen: set[Basis] = set()
    for number in range(REFINEMENT_ROUNDS):
        magnification = scaled.magnification(vertex, magnification)
        start = vertex if len(vertex.rows) else None
        proposal = propose(scaled.around(vertex, magnification), form, start, deadline)
        if believe and proposal.status in ("infeasible", "unbounded"):
            believe = False
            decided = _decide(form, proposal.status == "unbounded", deadline)
            if isinstance(decided, Found):
                return decided
            if decided is not None:
                vertex = decided
                continue
        if proposal.basis is None or proposal.basis in seen:
            break
        seen.add(proposal.basis)
        vertex = repaired(form, proposal.basis)
        if vertex.is_optimal:
            return Found(vertex, "refined" if number else "float basis")
        if number and proposal.status != "optimal":
            break
    return vertex


def _decide(form: IntegerForm, unbounded: bool, deadline: Deadline) -> Found | Vertex | None:
    """Prove that there is no optimum; otherwise return a feasible vertex, or None when there is no ray."""
    direction = None
    if unbounded:
        steepest = _optimum(recession_form(form), deadline)
        if _value(steepest) == 0:
            return None
        direction = steepest.primal
    closest = _optimum(elastic_form(form), deadline)
    if _value(closest) > 0:
        return Found(Contradiction(closest.dual), "auxiliary programme")
    if direction is not None:
        return Found(Ray(closest.primal[: form.matrix.shape[1]], direction), "auxiliary programme")
    return repaired(form, inelastic_basis(form, closest))


def _optimum(form: IntegerForm, deadline: Deadline) -> Vertex:
    """Return an optimal vertex of a programme that has one."""
    found = _refined(form, evaluate(form, Basis((), ())), deadline, believe=False)
    vertex = found.answer if isinstance(found, Found) else exact_simplex(found, deadline)
    if not isinstance(vertex, Vertex):
        raise CertificateError(
            f"an auxiliary programme cannot be decided: received {type(vertex).__name__.lower()} as its answer; "
            "allowed is an optimum, which its construction guarantees; this is a defect, please report the programme"
        )
    return vertex


def _value(vertex: Vertex) -> int:
    """Return the objective times the denominator of the point."""
    costs = vertex.form.cost.tolist()
    return sum(c * x for c, x in zip(costs, vertex.primal.numerators, strict=True) if c)
