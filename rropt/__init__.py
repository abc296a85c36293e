"""Certified optimal randomized response.

>>> import rropt
>>> problem = rropt.binary_problem(epsilon="log(2)", delta="1/4", prevalence="1/4")
>>> solution = rropt.solve(problem)
>>> print(solution.value, rropt.check(solution.certificate))
15/16 accepted

Names are loaded when they are first used: ``import rropt`` is cheap, and ``python -m rropt.checker`` loads nothing
beyond Python's standard library.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rropt.lazy import lazy_names

if TYPE_CHECKING:
    from rropt.certificates import Certificate as Certificate
    from rropt.certificates import check as check
    from rropt.claims import verify as verify
    from rropt.errors import RroptError as RroptError
    from rropt.estimation import Estimate as Estimate
    from rropt.estimation import estimate as estimate
    from rropt.estimation import estimate_prevalence as estimate_prevalence
    from rropt.exact import Delta as Delta
    from rropt.exact import Epsilon as Epsilon
    from rropt.mechanisms import Mechanism as Mechanism
    from rropt.mechanisms import load_mechanism as load_mechanism
    from rropt.mechanisms import named_mechanism as named_mechanism
    from rropt.noncompliance import prevalence_bounds as prevalence_bounds
    from rropt.objectives import EstimatorVariance as EstimatorVariance
    from rropt.objectives import Populations as Populations
    from rropt.orders import compare as compare
    from rropt.privacy import PrivacyRegion as PrivacyRegion
    from rropt.privacy import level as level
    from rropt.privacy import parity_bound as parity_bound
    from rropt.problem import Problem as Problem
    from rropt.problem import WorstCaseProblem as WorstCaseProblem
    from rropt.problem import binary_problem as binary_problem
    from rropt.problem import kary_problem as kary_problem
    from rropt.responses import estimate_table as estimate_table
    from rropt.sampling import randomize as randomize
    from rropt.sampling import randomize_many as randomize_many
    from rropt.sampling import simulate_many as simulate_many
    from rropt.solvers import Solution as Solution
    from rropt.solvers import solve as solve
    from rropt.solvers.repairs import repair as repair
    from rropt.solvers.sweeps import sweep as sweep

_load, _, _names = lazy_names(__name__, __file__)
__all__ = sorted([*_names, "__version__"])


def __getattr__(name: str) -> Any:
    if name != "__version__":
        return _load(name)
    from rropt.version import installed_version

    return installed_version()


def __dir__() -> list[str]:
    return __all__
