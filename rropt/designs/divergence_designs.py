"""Solve design problems under Renyi differential privacy at one order, or under zCDP."""

from __future__ import annotations

from rropt.designs.engine.designs import POSITIVE
from rropt.designs.problem import Problem, UniformProblem, WorstCaseProblem
from rropt.privacy.divergence_regions import MOST_DESIGNED


def limit_of_exchange(problem: Problem) -> str | None:
    """Return why a problem with divergence bounds is not solved, or None."""
    region, objective = problem.region, problem.objective
    if isinstance(problem, (UniformProblem, WorstCaseProblem)):
        return "designs under bounds of Renyi divergences have one population: received ranges; give proportions"
    if not objective.is_on_rays or objective.outputs(region.inputs):
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
        return f"the objective {objective.kind}: received a proportion of 0; {POSITIVE}"
    return objective.limit(region, problem.population)
