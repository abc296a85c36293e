"""Exact linear programmes and the exact linear algebra they need.

A float solver proposes, exact arithmetic disposes: `solve` returns an optimum with equal primal and dual values, a
Farkas vector or an unbounded ray, each verified exactly. It knows nothing of privacy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rropt.lazy import lazy_names

if TYPE_CHECKING:
    from rropt.linear.elimination import SingularMatrixError as SingularMatrixError
    from rropt.linear.elimination import rank as rank
    from rropt.linear.highs import float_point as float_point
    from rropt.linear.integer_matrix import RationalVector as RationalVector
    from rropt.linear.programmes import Basis as Basis
    from rropt.linear.programmes import Infeasible as Infeasible
    from rropt.linear.programmes import LinearProgramme as LinearProgramme
    from rropt.linear.programmes import Optimal as Optimal
    from rropt.linear.programmes import Outcome as Outcome
    from rropt.linear.programmes import ProgrammeBuilder as ProgrammeBuilder
    from rropt.linear.programmes import Relation as Relation
    from rropt.linear.programmes import Row as Row
    from rropt.linear.programmes import Sense as Sense
    from rropt.linear.programmes import Sign as Sign
    from rropt.linear.programmes import TimeLimitError as TimeLimitError
    from rropt.linear.programmes import Unbounded as Unbounded
    from rropt.linear.programmes import Variable as Variable
    from rropt.linear.solving import solve as solve
    from rropt.linear.square_systems import nullspace as nullspace
    from rropt.linear.square_systems import solve_square as solve_square
    from rropt.linear.verify import Failure as Failure
    from rropt.linear.verify import verify_infeasible as verify_infeasible
    from rropt.linear.verify import verify_optimal as verify_optimal
    from rropt.linear.verify import verify_unbounded as verify_unbounded

__getattr__, __dir__, __all__ = lazy_names(__name__, __file__)
