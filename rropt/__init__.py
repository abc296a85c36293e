"""rropt: certified optimal randomized response.

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
    from rropt.certificates import Certificate, check
    from rropt.checker import Verdict
    from rropt.claims import verify
    from rropt.errors import RroptError
    from rropt.estimation import Estimate, estimate, estimate_prevalence
    from rropt.exact import Delta, Epsilon
    from rropt.mechanisms import Mechanism, load_mechanism, named_mechanism
    from rropt.objectives import EstimatorVariance
    from rropt.orders import compare
    from rropt.privacy import PrivacyRegion, parity_bound
    from rropt.problem import Problem, binary_problem
    from rropt.sampling import randomize, randomize_many, simulate_many
    from rropt.solvers import Solution, solve
    from rropt.solvers.repairs import repair

_HOMES = {
    "Certificate": "certificates",
    "Delta": "exact",
    "Epsilon": "exact",
    "Estimate": "estimation",
    "EstimatorVariance": "objectives",
    "Mechanism": "mechanisms",
    "PrivacyRegion": "privacy",
    "Problem": "problem",
    "RroptError": "errors",
    "Solution": "solvers",
    "Verdict": "checker",
    "binary_problem": "problem",
    "check": "certificates",
    "compare": "orders",
    "estimate": "estimation",
    "estimate_prevalence": "estimation",
    "load_mechanism": "mechanisms",
    "named_mechanism": "mechanisms",
    "parity_bound": "privacy",
    "randomize": "sampling",
    "randomize_many": "sampling",
    "repair": "solvers.repairs",
    "simulate_many": "sampling",
    "solve": "solvers",
    "verify": "claims",
}

__all__ = [
    "Certificate",
    "Delta",
    "Epsilon",
    "Estimate",
    "EstimatorVariance",
    "Mechanism",
    "PrivacyRegion",
    "Problem",
    "RroptError",
    "Solution",
    "Verdict",
    "__version__",
    "binary_problem",
    "check",
    "compare",
    "estimate",
    "estimate_prevalence",
    "load_mechanism",
    "named_mechanism",
    "parity_bound",
    "randomize",
    "randomize_many",
    "repair",
    "simulate_many",
    "solve",
    "verify",
]


_load, __dir__ = lazy_names(__name__, {**_HOMES, "__version__": ""})


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import PackageNotFoundError, version

        try:
            return version("rropt")
        except PackageNotFoundError:  # a copied folder
            return "0"
    return _load(name)
