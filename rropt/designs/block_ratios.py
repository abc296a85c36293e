"""Divergences of two distributions of many categories: blocks of likelihood ratios, certified by the way of blocks.

Where no bound of this form closes the bracket, the rays are listed if they are few enough; else the bracket stays open.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rropt.core.certificates import Certificate
from rropt.core.exact import Bracket
from rropt.core.exact.rational_bounds import FIRST_BRACKET_DIGITS
from rropt.core.visible import with_noun
from rropt.designs.engine.ratio_blocks import RatioBlocks, RatioDual
from rropt.designs.engine.ray_designs import in_order, limit_of_rays, solved_by_rays
from rropt.designs.problem import Problem
from rropt.designs.recorded_designs import recorded_design_of
from rropt.designs.reduced_designs import certify_merged_categories, is_merged, read_merged, solved_by_merging
from rropt.designs.routes import NoDesignError, ProvedDesign
from rropt.designs.writers.bracket_writer import certify_design, form_of, is_known, state_bracket
from rropt.mechanisms import Mechanism
from rropt.objectives.estimators import rounded_up
from rropt.privacy.region import RationalLevels

LEAST_INPUTS = 9  # fewer categories have at most 256 rays, which take less than a second
_MOST_LISTED = 40  # categories whose numbers are printed
MOST_INPUTS = 300  # with more, a certificate needs more work than the checker does in its default budget


@dataclass(frozen=True, slots=True)
class BlockDesign(ProvedDesign):
    """A design that reports a block of neighbouring likelihood ratios by randomized response."""

    def lines(self) -> list[tuple[str, str]]:
        """Return the blocks, one for each output, and what is known if the bracket is open."""
        blocks = [[j for j, x in enumerate(row) if x == max(row)] for row in self.mechanism.matrix]
        if self.mechanism.inputs <= _MOST_LISTED:
            said = " | ".join(" ".join(map(str, block)) for block in blocks)
        else:
            said = f"{with_noun(len(blocks), 'block')}, by size {', '.join(str(len(block)) for block in blocks)}"
        found = [("blocks of categories", said)]
        if not self.is_closed:
            found.append(("bound", "no multipliers that are convex in the likelihood ratio prove their value"))
        return found


def is_of_blocks(problem: Problem) -> bool:
    """Return whether a problem is a divergence of two distributions over many categories, at a level above 0."""
    objective, pi = problem.objective, problem.population
    if objective.ratios(pi) is None or objective.absolute_line(pi) is not None or not is_known(problem):
        return False
    if not LEAST_INPUTS <= problem.region.inputs <= MOST_INPUTS or objective.is_zero(pi):
        return False
    return problem.region.bracket(FIRST_BRACKET_DIGITS).below.gamma > 1


def limit_of_blocks(problem: Problem) -> str | None:
    """Return which limit a problem exceeds."""
    return problem.objective.limit(problem.region, problem.population)


def solved_by_blocks(problem: Problem, levels: RationalLevels) -> ProvedDesign:
    """Return the best blocks with the bound of their dual; the design over rays if that bound is open."""
    found = _by_blocks(problem, levels)
    if found is not None and found.is_closed:
        return found
    if limit_of_rays(problem) is None:
        return solved_by_rays(problem, levels)
    if is_merged(problem):
        return solved_by_merging(problem, levels)
    if found is None:
        raise NoDesignError(
            "the linear program found no bound for the blocks of likelihood ratios: received {}; its parameters are "
            "extreme: raise the smallest proportions, or give an epsilon from 1/1000 to 20",
            problem,
        )
    return found


def _by_blocks(problem: Problem, levels: RationalLevels) -> BlockDesign | None:
    objective: Any = problem.objective
    pi = problem.population
    form, below = form_of(problem, levels), levels.below.gamma
    blocks = RatioBlocks.of(form, objective, levels.above.gamma)
    ends = blocks.best()
    dual = blocks.dual(ends)
    if dual is None:
        return None
    mechanism = Mechanism(blocks.rows(ends, below))
    bound = sum(dual.alpha(pi, objective.against), Fraction(0))
    if objective.is_rational:
        value = objective.value(mechanism, pi)
    else:
        bound = rounded_up(bound)
        proved = form.proved(mechanism)
        assert proved is not None  # every mechanism proves a value of a sum over outputs
        value = proved[0]
    found = BlockDesign(min(value, bound), max(value, bound), mechanism, dual)
    ordered = in_order(found)
    assert isinstance(ordered, BlockDesign)
    return ordered


def certify_blocks(problem: Problem, levels: RationalLevels, best: ProvedDesign) -> Certificate:
    """Return the certificate of a design: by the way of blocks, or that of the design over rays."""
    dual = best.dual
    if not isinstance(dual, RatioDual):
        if limit_of_rays(problem) is None:
            return certify_design(problem, levels, best)
        return certify_merged_categories(problem, levels, best)
    form = form_of(problem, levels)
    slope = getattr(problem.objective, "slope", 0)  # phi of the certificate is ``phi + slope (pi - q).r``
    line = (dual.line[0] + slope, dual.line[1] - slope)
    proof: dict[str, Any] = {"line": line, "bends": [[str(i), kappa] for i, kappa in dual.bends]}
    if form.digits is not None:
        proof["digits"] = form.digits
    ends = Bracket(best.lower, best.upper)
    return state_bracket(problem.certified_dict(), levels, ends, best.mechanism, "blocks", proof)


def read_block_ratios(problem: Problem, certificate: Certificate) -> ProvedDesign:
    """Return the design that a certificate proves: of the problem, or of groups of categories with equal ratios."""
    if certificate.problem["inputs"] != str(problem.region.inputs):
        return read_merged(problem, certificate)
    return recorded_design_of(BlockDesign, problem, certificate)
