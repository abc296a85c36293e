"""Exact linear programs and the exact linear algebra they need.

A floating-point solver proposes a solution, and exact arithmetic verifies it. `solve` returns an optimum with equal
primal and dual values, or a Farkas vector. This package is independent of privacy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rropt.core.lazy import lazy_names

if TYPE_CHECKING:
    from rropt.core.linear.exact_solving import optimum as optimum
    from rropt.core.linear.exact_solving import solve as solve
    from rropt.core.linear.highs import float_point as float_point
    from rropt.core.linear.programs import Infeasible as Infeasible
    from rropt.core.linear.programs import LinearProgram as LinearProgram
    from rropt.core.linear.programs import NoOptimumError as NoOptimumError
    from rropt.core.linear.programs import Optimal as Optimal
    from rropt.core.linear.programs import Outcome as Outcome
    from rropt.core.linear.programs import ProgramBuilder as ProgramBuilder
    from rropt.core.linear.programs import Relation as Relation
    from rropt.core.linear.programs import Row as Row
    from rropt.core.linear.programs import Sense as Sense
    from rropt.core.linear.programs import Sign as Sign
    from rropt.core.linear.programs import Variable as Variable
    from rropt.core.linear.rational_vectors import RationalVector as RationalVector
    from rropt.core.linear.square_systems import SingularMatrixError as SingularMatrixError
    from rropt.core.linear.verification import Failure as Failure
    from rropt.core.linear.verification import verify_infeasible as verify_infeasible
    from rropt.core.linear.verification import verify_optimal as verify_optimal

__getattr__, __dir__, __all__ = lazy_names(__name__, __file__)
