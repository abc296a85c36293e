"""Designs that another problem over rays gives: of groups, of labelled outputs, and between two polygons of levels."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import cast

from rropt.core.certificates import Certificate
from rropt.core.errors import FileFormatError, shown
from rropt.core.exact import as_text
from rropt.core.exact.numbers import dot
from rropt.core.exact.rational_bounds import FIRST_BRACKET_DIGITS
from rropt.designs.engine.divergence_designs import solved_by_exchange
from rropt.designs.engine.merged_categories import Merged, merged
from rropt.designs.engine.ray_designs import (
    POSITIVE,
    limit_of,
    limit_of_exchange,
    limit_of_outputs,
    limit_of_rays,
    solved_by_rays,
)
from rropt.designs.linear_designs import (
    LINEAR,
    certify_linear,
    limit_of_entries,
    read_linear,
    shorter_vertex,
)
from rropt.designs.problem import Problem
from rropt.designs.recorded_designs import recorded_design
from rropt.designs.routes import ProvedDesign, Route, RouteResult
from rropt.designs.writers.bracket_writer import certify_design
from rropt.mechanisms import Mechanism
from rropt.objectives import Loss, Payoff
from rropt.privacy import PrivacyRegion
from rropt.privacy.region import RationalLevels

_PAGE = "docs/developers/engine.md"
_LEAST_MU = Fraction(1, 100)  # of designs: at 1/100 a bracket is 0.4 % wide after half a minute
_LEAST_MU_OF_PAYOFFS = Fraction(1, 10**4)  # at 1e-9 a bracket of 3e-7 around a gain of 2e-10 takes a minute
_POLYGON = (
    "the polygon of levels around the region; it proves the bound over the region. Ball arithmetic, outside the "
    "certificate, proves that the mechanism is in the region"
)

_LABELS = (
    "the smallest expected loss, minus the payoff, with an output for each decision: its optimum is minus this one "
    f"({_PAGE})"
)


def _parts(problem: Problem) -> tuple[Merged, Problem]:
    found = merged(problem, by_ratios=True)
    assert found is not None  # only called for accepted problems
    return found


def solved_by_merging(problem: Problem, levels: RationalLevels) -> ProvedDesign:
    """Return the optimal design for the groups, extended to all categories; the value is the same."""
    groups, smaller = _parts(problem)
    solved = solved_by_exchange if problem.region.has_divergences else solved_by_rays
    return _extended(groups, solved(smaller, levels))


def _extended(groups: Merged, found: ProvedDesign) -> ProvedDesign:
    stated = f"the problem of {len(groups.population)} groups of categories, which has the same optimum ({_PAGE})"
    return replace(found, mechanism=groups.mechanism(found.mechanism), stated=stated)


def is_merged(problem: Problem) -> bool:
    """Return whether the engine does not list the rays of a problem, but those of its groups, or meets Renyi levels.

    Examples are a contrast of two among 100 categories, and a distance between two distributions with few ratios. The
    certificate states the problem of the groups. ``engine.merged_categories`` proves that both problems
    have the same optimum.
    """
    limit = limit_of_exchange if problem.region.has_divergences else limit_of_rays
    if problem.region.family != "all" or (limit is limit_of_rays and limit(problem) is None):
        return False
    found = merged(problem, by_ratios=True)
    return found is not None and limit(found[1]) is None


def certify_merged_categories(problem: Problem, levels: RationalLevels, best: ProvedDesign) -> Certificate:
    """Write the certificate for the groups, whose mechanism has the column of one category of each."""
    groups, smaller = _parts(problem)
    first = [groups.groups.index(g) for g in range(len(groups.population))]
    rows = [[row[j] for j in first] for row in best.mechanism.matrix]
    return certify_design(smaller, levels, replace(best, mechanism=Mechanism(rows)))


def read_merged(problem: Problem, certificate: Certificate) -> ProvedDesign:
    """Return the design in a certificate of the groups, extended to all categories.

    Raises:
        FileFormatError: the certificate belongs to another problem.
    """
    groups, smaller = _parts(problem)
    return _extended(groups, recorded_design(smaller, certificate))


def _gains(problem: Problem) -> list[list[Fraction]]:
    """Return L with the objective ``sum_i L_i . p_i`` over the labels i, which is maximized; shape (m, k)."""
    sign = 1 if problem.objective.sense == "maximise" else -1
    return [[sign * x for x in row] for row in problem.objective.costs(problem.population)]


def _of_decisions(problem: Problem) -> Problem:
    """Return the problem of the largest payoff with these gains, over mechanisms with any number of outputs."""
    k, region = problem.region.inputs, problem.region.any_outputs
    assert region is not None  # only called for problems of this kind
    return Problem(region, Payoff([[k * x for x in row] for row in _gains(problem)]), [Fraction(1, k)] * k)


def solved_by_decisions(problem: Problem, levels: RationalLevels) -> ProvedDesign:
    """Return the optimal design: the label of a row is its best decision, and rows with one label are added.

    Adding rows keeps the sum and does not increase any excess ``sum_i max(0, p_ij - gamma p_il)``.
    """
    found = solved_by_rays(_of_decisions(problem), levels)
    gains = _gains(problem)
    rows = [[Fraction(0)] * problem.region.inputs for _ in gains]
    for row in found.mechanism.matrix:
        label = max(range(len(gains)), key=lambda i: dot(gains[i], row))
        rows[label] = [x + p for x, p in zip(rows[label], row, strict=True)]
    ends = (found.lower, found.upper) if problem.objective.sense == "maximise" else (-found.upper, -found.lower)
    return ProvedDesign(*ends, Mechanism(rows), found.dual)


def is_labelled(problem: Problem) -> bool:
    """Return whether each output has a label, under several levels, perhaps with bounds."""
    return problem.region.any_outputs is not None or problem.region.bounds is not None


def limit_of_labelled(problem: Problem) -> str | None:
    """Return which limit a problem exceeds; only the rays of any number of outputs are listed."""
    if problem.region.any_outputs is None:
        return (
            f"bounds on entries are allowed at one level: received {problem}; leave out the bounds, or give one level"
        )
    return limit_of(problem)


def _of_labels(problem: Problem) -> Problem:
    """Return the problem of the smallest loss, minus the payoff, with an output for each decision."""
    region, objective = problem.region.one_level(), cast(Payoff, problem.objective)
    labelled = PrivacyRegion(region.epsilon, region.delta, inputs=region.inputs, outputs=len(objective.matrix))
    return Problem(labelled, Loss([[-x for x in row] for row in objective.matrix]), problem.population)


def is_of_many_payoffs(problem: Problem) -> bool:
    """Return whether the rays of a payoff are too many to be listed, while its linear program is small enough.

    An output for each decision suffices: the rows in which one decision is best are added, which keeps the payoff and
    increases no excess.
    """
    objective = problem.objective
    if not objective.has_decisions or problem.region.family != "all" or len(cast(Payoff, objective).matrix) < 2:
        return False
    return limit_of(problem) is not None and limit_of_entries(_of_labels(problem)) is None


def _by_labels(route: Route) -> Route:
    """Return a route of the linear program of the labelled outputs."""

    def solved(problem: Problem, levels: RationalLevels) -> ProvedDesign:
        return _of_payoff(route.solve(_of_labels(problem), levels))

    accepts, cost = route.accepts, route.cost
    return Route(
        route.name,
        solved,
        None if accepts is None else lambda problem: accepts(_of_labels(problem)),
        None if cost is None else lambda problem: cost(_of_labels(problem)),
    )


def _of_payoff(found: RouteResult) -> ProvedDesign:
    """Return the design of the loss as one of the payoff; or the other way round."""
    assert isinstance(found, ProvedDesign)  # as all routes of linear programs return
    return replace(found, lower=-found.upper, upper=-found.lower, stated=_LABELS)


BY_LABELS = tuple(map(_by_labels, LINEAR))


def certify_labels(problem: Problem, levels: RationalLevels, best: ProvedDesign) -> Certificate:
    """Write the certificate of the labelled outputs."""
    return certify_linear(_of_labels(problem), levels, _of_payoff(best))


def read_labels(problem: Problem, certificate: Certificate) -> ProvedDesign:
    """Return the design in a certificate of the labelled outputs.

    Raises:
        FileFormatError: the certificate belongs to another problem.
    """
    return _of_payoff(read_linear(_of_labels(problem), certificate))


def shorter_labels(problem: Problem, levels: RationalLevels, best: ProvedDesign) -> ProvedDesign:
    """Return the design with short numbers."""
    return _of_payoff(shorter_vertex(_of_labels(problem), levels, _of_payoff(best)))


def _over_polygons(problem: Problem) -> list[Problem]:
    """Return the problem over the polygons within the region and around it."""
    polygons = problem.region.polygons
    assert polygons is not None  # only called for accepted problems
    return [Problem(region, problem.objective, problem.population) for region in polygons]


def solved_between_polygons(problem: Problem, levels: RationalLevels) -> ProvedDesign:
    """Return the optimal design over the polygon within the region, with the dual of the polygon around it.

    The design is private, so its value is one endpoint of the bracket. Every private mechanism lies in the polygon
    around the region, so the dual proves the other endpoint.
    """
    within, around = _over_polygons(problem)
    best = solved_by_rays(within, within.region.bracket(FIRST_BRACKET_DIGITS))
    bound = solved_by_rays(around, levels)
    ends = (bound.lower, best.upper) if problem.objective.sense == "minimise" else (best.lower, bound.upper)
    return ProvedDesign(*ends, best.mechanism, bound.dual, primal=best.primal, stated=_POLYGON)


def limit_between_polygons(problem: Problem) -> str | None:
    """Return why a problem under Gaussian differential privacy is not solved, or None."""
    reason, objective = limit_of_outputs(problem, "Gaussian differential privacy"), problem.objective
    mu = getattr(problem.region, "mu", _LEAST_MU)
    if not reason and mu < _LEAST_MU and not objective.on_rays(problem.population, Fraction(2)).is_sum:
        return (
            f"{objective.kind} designs under Gaussian differential privacy: received mu = {as_text(mu)}; allowed is "
            f"mu >= {as_text(_LEAST_MU)}: below, the levels of the polygons are so close that no useful bound of a "
            "variance is proved"
        )
    if not reason and mu < _LEAST_MU_OF_PAYOFFS and objective.has_decisions and problem.region.inputs > 2:
        return (
            f"payoff designs of three or more categories under Gaussian differential privacy: received "
            f"mu = {as_text(mu)}; allowed is mu >= {as_text(_LEAST_MU_OF_PAYOFFS)}: below, the proved bracket is as "
            "wide as the gain over an answer without data"
        )
    if not reason and not (all(problem.population) or objective.takes_zero_shares):  # the polygons do not come together
        return f"the objective {objective.kind}: received a proportion of 0; {POSITIVE}"
    return reason or limit_of(_over_polygons(problem)[1])


def read_between_polygons(problem: Problem, certificate: Certificate) -> ProvedDesign:
    """Return the design in a certificate, after proving that its mechanism is in the region.

    Raises:
        FileFormatError: the certificate belongs to another problem, or its mechanism is not in the region.
    """
    found = recorded_design(problem, certificate)
    if not problem.region.contains(found.mechanism):
        raise FileFormatError(
            f"the mechanism of the certificate is not in the region: received {shown(str(problem.region))}; use "
            "the record as it was written"
        )
    return replace(found, stated=_POLYGON)


def certify_polygon(problem: Problem, levels: RationalLevels, best: ProvedDesign) -> Certificate:
    """Write the certificate for the polygon around the region."""
    return certify_design(_over_polygons(problem)[1], levels, best)
