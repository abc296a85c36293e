"""Solve design problems under Renyi differential privacy at one order, or under zCDP."""

from __future__ import annotations

from dataclasses import dataclass

from rropt.core.certificates import Certificate
from rropt.designs.engine.designs import is_known
from rropt.designs.engine.divergences import (
    DivergenceDesign,
    certify_divergences,
    solved_by_exchange,
)
from rropt.designs.problem import Problem
from rropt.designs.solving import DesignClass, Route, is_of_one_population
from rropt.privacy.divergence_regions import MOST_DESIGNED
from rropt.privacy.region import RationalLevels


def _is_of_its_kind(problem: Problem) -> bool:
    return (
        is_of_one_population(problem)
        and problem.region.has_divergences
        and problem.objective.is_on_rays
        and not problem.objective.outputs(problem.region.inputs)
    )


@dataclass(frozen=True)
class DivergenceDesigns(DesignClass[DivergenceDesign]):
    """Optimal designs with any number of outputs under bounds on Renyi divergences (FORMAT.md, rule 42)."""

    name = "Renyi divergences"
    routes = (Route("exact", solved_by_exchange),)
    found = DivergenceDesign

    def accepts(self, problem: Problem) -> bool:
        """Return whether this class solves the problem: the region bounds divergences, and the objective uses rays."""
        return _is_of_its_kind(problem) and self.refusal(problem) is None

    def refusal(self, problem: Problem) -> str | None:
        """Return why this class cannot solve a problem with divergence bounds, or None."""
        region, objective = problem.region, problem.objective
        if not region.has_divergences:
            return None
        if not is_of_one_population(problem):
            return "designs under bounds of Renyi divergences have one population: received ranges; give proportions"
        if not _is_of_its_kind(problem):
            return (
                f"a design under bounds of Renyi divergences has any number of outputs: received the objective "
                f"{objective.kind}; allowed are objectives of any number of outputs, for example a-optimal"
            )
        if region.inputs > MOST_DESIGNED:
            return (
                f"designs under bounds of Renyi divergences have at most {MOST_DESIGNED} categories: received "
                f"{region}; merge categories"
            )
        if not all(problem.population):
            return f"the objective {objective.kind}: received a proportion of 0; leave out the category"
        return objective.limit(region, problem.population)

    def is_certified(self, problem: Problem) -> bool:
        """Return whether the checker supports the objective."""
        return is_known(problem)

    def certificate(self, problem: Problem, levels: RationalLevels, best: DivergenceDesign) -> Certificate:
        """Write the certificate of rule 42."""
        return certify_divergences(problem, levels, best)
