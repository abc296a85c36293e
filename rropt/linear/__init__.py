"""Exact linear programmes and the exact linear algebra they need.

A float solver proposes, exact arithmetic disposes: `solve` returns an optimum with equal primal and dual values, a
Farkas vector or an unbounded ray, each verified exactly. It knows nothing of privacy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rropt.lazy import lazy_names

if TYPE_CHECKING:
    from rropt.linear.deadline import TimeLimitError
    from rropt.linear.programmes.explain import explain_infeasible
    from rropt.linear.programmes.linear_programme import LinearProgramme, Relation, Row, Sense, Sign, Variable
    from rropt.linear.programmes.outcomes import Basis, Infeasible, Optimal, Outcome, Unbounded
    from rropt.linear.programmes.programme_builder import ProgrammeBuilder
    from rropt.linear.programmes.verify import Failure, verify_infeasible, verify_optimal, verify_unbounded
    from rropt.linear.solving import solve
    from rropt.linear.systems.errors import SingularMatrixError
    from rropt.linear.systems.ldlt import LDLT, NegativeDirection, ldlt
    from rropt.linear.systems.nullspace import nullspace
    from rropt.linear.systems.rank import rank
    from rropt.linear.systems.rational_vector import RationalVector
    from rropt.linear.systems.solve_square import solve_square

_HOMES = {
    "Basis": "programmes.outcomes",
    "Failure": "programmes.verify",
    "Infeasible": "programmes.outcomes",
    "LDLT": "systems.ldlt",
    "LinearProgramme": "programmes.linear_programme",
    "NegativeDirection": "systems.ldlt",
    "Optimal": "programmes.outcomes",
    "Outcome": "programmes.outcomes",
    "ProgrammeBuilder": "programmes.programme_builder",
    "RationalVector": "systems.rational_vector",
    "Relation": "programmes.linear_programme",
    "Row": "programmes.linear_programme",
    "Sense": "programmes.linear_programme",
    "Sign": "programmes.linear_programme",
    "SingularMatrixError": "systems.errors",
    "TimeLimitError": "deadline",
    "Unbounded": "programmes.outcomes",
    "Variable": "programmes.linear_programme",
    "explain_infeasible": "programmes.explain",
    "ldlt": "systems.ldlt",
    "nullspace": "systems.nullspace",
    "rank": "systems.rank",
    "solve": "solving",
    "solve_square": "systems.solve_square",
    "verify_infeasible": "programmes.verify",
    "verify_optimal": "programmes.verify",
    "verify_unbounded": "programmes.verify",
}

__all__ = [
    "LDLT",
    "Basis",
    "Failure",
    "Infeasible",
    "LinearProgramme",
    "NegativeDirection",
    "Optimal",
    "Outcome",
    "ProgrammeBuilder",
    "RationalVector",
    "Relation",
    "Row",
    "Sense",
    "Sign",
    "SingularMatrixError",
    "TimeLimitError",
    "Unbounded",
    "Variable",
    "explain_infeasible",
    "ldlt",
    "nullspace",
    "rank",
    "solve",
    "solve_square",
    "verify_infeasible",
    "verify_optimal",
    "verify_unbounded",
]

__getattr__, __dir__ = lazy_names(__name__, _HOMES)
