"""Exact linear programmes and the exact linear algebra they need.

A float solver proposes, exact arithmetic disposes: `solve` returns an optimum with equal primal and dual values, a
Farkas vector or an unbounded ray, each verified exactly. It knows nothing of privacy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rropt.lazy import lazy_names

if TYPE_CHECKING:
    from rropt.linear.deadline import TimeLimitError
    from rropt.linear.programs.explain import explain_infeasible
    from rropt.linear.programs.linear_program import LinearProgram, Relation, Row, Sense, Sign, Variable
    from rropt.linear.programs.outcomes import Basis, Infeasible, Optimal, Outcome, Unbounded
    from rropt.linear.programs.program_builder import ProgramBuilder
    from rropt.linear.programs.verify import Failure, verify_infeasible, verify_optimal, verify_unbounded
    from rropt.linear.solving import solve
    from rropt.linear.systems.errors import SingularMatrixError
    from rropt.linear.systems.ldlt import LDLT, NegativeDirection, ldlt
    from rropt.linear.systems.nullspace import nullspace
    from rropt.linear.systems.rank import rank
    from rropt.linear.systems.rational_vector import RationalVector
    from rropt.linear.systems.solve_square import solve_square

_HOMES = {
    "Basis": "programs.outcomes",
    "Failure": "programs.verify",
    "Infeasible": "programs.outcomes",
    "LDLT": "systems.ldlt",
    "LinearProgram": "programs.linear_program",
    "NegativeDirection": "systems.ldlt",
    "Optimal": "programs.outcomes",
    "Outcome": "programs.outcomes",
    "ProgramBuilder": "programs.program_builder",
    "RationalVector": "systems.rational_vector",
    "Relation": "programs.linear_program",
    "Row": "programs.linear_program",
    "Sense": "programs.linear_program",
    "Sign": "programs.linear_program",
    "SingularMatrixError": "systems.errors",
    "TimeLimitError": "deadline",
    "Unbounded": "programs.outcomes",
    "Variable": "programs.linear_program",
    "explain_infeasible": "programs.explain",
    "ldlt": "systems.ldlt",
    "nullspace": "systems.nullspace",
    "rank": "systems.rank",
    "solve": "solving",
    "solve_square": "systems.solve_square",
    "verify_infeasible": "programs.verify",
    "verify_optimal": "programs.verify",
    "verify_unbounded": "programs.verify",
}

__all__ = [
    "LDLT",
    "Basis",
    "Failure",
    "Infeasible",
    "LinearProgram",
    "NegativeDirection",
    "Optimal",
    "Outcome",
    "ProgramBuilder",
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
