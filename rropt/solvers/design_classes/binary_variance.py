"""The class of binary designs of least variance: all extreme optima, and the vertex rule."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from rropt.certificates import Certificate, certify_vertex_rule
from rropt.errors import RouteDisagreementError
from rropt.privacy.levels import RationalLevels
from rropt.problem import Problem
from rropt.solvers.closed_form.binary_variance import solve_closed_form
from rropt.solvers.convex.binary_variance import solve_convex
from rropt.solvers.design_class import DesignClass, Route
from rropt.solvers.exact.binary_variance import solve_exact
from rropt.solvers.results import DecidedDesigns, RouteResult

# `upper - lower` of a certified optimum at irrational gamma, absolute and relative to the optimum. Ten times finer
# than the 1e-12 that is promised, so that sums and printed decimals of a few designs keep the promise.
BRACKET_GAP = Fraction(1, 10**13)


@dataclass(frozen=True)
class BinaryVariance(DesignClass[DecidedDesigns]):
    """Least n Var over a binary region with one level: the optima are vertices, and ties are decided."""

    name = "binary variance"
    routes = (Route("closed-form", solve_closed_form), Route("convex", solve_convex), Route("exact", solve_exact))
    found = DecidedDesigns

    def accepts(self, problem: Problem) -> bool:
        """Return whether the objective is n Var."""
        return problem.objective.kind == "variance"

    def is_settled(self, best: DecidedDesigns, certificate: Certificate) -> bool:
        """Return whether the bracket is narrow; one that leaves a near-tie open is rejected (FORMAT.md, rule 2)."""
        return best.gap <= BRACKET_GAP * min(Fraction(1), best.upper) and bool(certificate.check())

    def agreed(self, problem: Problem, results: Mapping[str, RouteResult]) -> DecidedDesigns:
        """Return the result, after holding the optimal designs of all routes against each other too."""
        best = super().agreed(problem, results)
        decided = [(name, result) for name, result in results.items() if isinstance(result, DecidedDesigns)]
        for (left, a), (right, b) in combinations(decided, 2):
            if (a.optima, a.optimal_set) != (b.optima, b.optimal_set):
                raise RouteDisagreementError(
                    f"routes {left} and {right} disagree on the optimal designs of {problem}: {a.optima} against "
                    f"{b.optima}"
                )
        return best

    def certificate(self, problem: Problem, levels: RationalLevels, best: DecidedDesigns) -> Certificate:
        """Return the certificate of the vertex rule."""
        return certify_vertex_rule(
            problem,
            levels.one_level(),
            lower=best.lower,
            upper=best.upper,
            optima=best.optima,
            optimal_set=best.optimal_set.to_dict() if best.optimal_set else None,
        )
