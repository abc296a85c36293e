"""Infeasible bounds: the error with its certificate, the conflicting bounds, and the smallest feasible privacy level.

Regions grow with gamma, so the levels at which the bounds are feasible form an interval without an upper end. Bisection
encloses its lower end. Every test is an exact linear program at a rational level. The tested levels are the simplest
fractions of the remaining interval, so a smallest level with a simple value, such as 18, is found exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from rropt.core.certificates import Certificate
from rropt.core.errors import InfeasibleError
from rropt.core.exact import Epsilon, as_text, decimal_text
from rropt.core.exact.display import agreed_decimal
from rropt.core.exact.rational_bounds import simplest_between
from rropt.core.limits import MAX_EXPONENT
from rropt.core.linear import Infeasible
from rropt.designs.design_programs import DesignProgram, first_pairs, no_bounds, short_levels, write_program
from rropt.designs.problem import Problem
from rropt.designs.writers.linear_writer import Name
from rropt.privacy.bounded_regions import BoundedRegion
from rropt.privacy.level_regions import LevelsRegion
from rropt.privacy.region import Bounds, Levels, PrivacyRegion, RationalLevel, RationalLevels

# Settings for the smallest feasible gamma: the relative width of its enclosure (it is printed with nine digits); the
# digits of the level from which the search starts; the number of entries beyond which it is not searched (it needs some
# forty linear programs); and the largest denominator for which it is printed as a fraction.
GAMMA_WIDTH = Fraction(1, 10**9)
BOUND_DIGITS = 20
LARGEST_BISECTION = 400
SHORT_DENOMINATOR = 10_000

# The same for the factor by which the levels of pairs must grow: it is printed with three digits. (The denominators of
# its multiples are roots of the odds bounds, which the exact parameters limit to a thousand.)
SCALE_WIDTH = Fraction(1, 1000)
TIMES_WIDTH = Fraction(1, 10**6)  # relative width for the short rational that replaces the product

# Maximal number of conflicting bounds that a message lists.
WORDED_BOUNDS = 4


def infeasibility_in_words(problem: Problem, farkas: Mapping[Name, Fraction]) -> str:
    """Describe in one line which bounds conflict at the problem's level, and the level that they need.

    Args:
        problem: a problem whose bounded region contains no mechanism.
        farkas: the multipliers of the proof, by the names of rows.
    """
    region = problem.region
    if region.bounds is None:
        return f"no mechanism lies in the region: {region}"
    alone = contradiction_without_privacy(*region.bounds)
    if alone:
        return alone
    used = sorted({own[0] for word, *own in farkas if word == "inequality"})
    if used:
        told = "; ".join(str(region.entry_inequalities[c]) for c in used[:WORDED_BOUNDS])
        more = f"; and {len(used) - WORDED_BOUNDS} more" if len(used) > WORDED_BOUNDS else ""
        if bounds := _conflicting(*region.bounds, farkas):
            more += f"; and the bounds: {', '.join(bounds)} (counted from 0)"
        return f"the inequalities conflict with {region.unbounded}: {told}{more}; relax one of them"
    conflict = ", ".join(_conflicting(*region.bounds, farkas))
    if region.pair_levels is not None:
        needs = _scale_in_words(problem, region.bounds, region.pair_levels)
        return f"the bounds conflict under the levels of the pairs: {conflict} (counted from 0); {needs}"
    inner = region.unbounded.one_level()
    where = f"epsilon = {inner.epsilon}, delta = {inner.delta}"
    return f"the bounds conflict at {where}: {conflict} (counted from 0); {_needed_level_text(problem, inner)}"


def least_gamma(problem: Problem) -> tuple[Fraction, Fraction] | None:
    """Enclose the smallest feasible gamma: bounds infeasible at gamma = a, feasible at b, and b <= a (1 + 1e-9).

    Args:
        problem: a problem with bounds over one privacy level, infeasible at that level; delta is kept fixed.

    Returns:
        The rationals (a, b), or ``None`` if no epsilon up to 100 is sufficient.

    >>> from rropt.objectives import Trace
    >>> from rropt.privacy import PrivacyRegion
    >>> inner, least = PrivacyRegion("log(2)", inputs=3, outputs=3), {(i, i): "9/10" for i in range(3)}
    >>> strict = Problem(BoundedRegion.sparse(inner, least=least), Trace([1] * 3), ["1/3"] * 3)
    >>> below, above = least_gamma(strict)
    >>> str(above), float(below) < 18
    ('18', True)
    """
    levels = problem.region.unbounded.one_level().bracket(BOUND_DIGITS)
    delta, below = levels.above.delta, levels.below.gamma

    def is_enough(gamma: Fraction) -> bool:
        return _is_feasible(problem, RationalLevels.single(*(RationalLevel(gamma, delta),) * 2))

    return _enclosed(is_enough, below, _LARGEST, GAMMA_WIDTH, squares=True)


_LARGEST = Fraction(26881171418161354484126255515800135873611118)  # exp(100), rounded


def _enclosed(
    is_enough: Callable[[Fraction], bool], below: Fraction, most: Fraction, width: Fraction, *, squares: bool = False
) -> tuple[Fraction, Fraction] | None:
    """Return an insufficient and a sufficient number at relative distance ``width``; ``None`` if ``most`` fails.

    Args:
        is_enough: decides whether a number is sufficient; it is monotone.
        below: an insufficient number.
        most: the largest number that is tried.
        width: the relative width of the enclosure.
        squares: whether the search for a sufficient number squares the number instead of doubling it.
    """
    above = min(2 * below, most)
    while not is_enough(above):
        if above >= most:
            return None
        below, above = above, min(above * above if squares else 2 * above, most)
    while above - below > below * width:
        quarter = (above - below) / 4
        middle = simplest_between(below + quarter, above - quarter)
        below, above = (below, middle) if is_enough(middle) else (middle, above)
    return below, above


def _is_feasible(problem: Problem, levels: RationalLevels) -> bool:
    from rropt.core.linear import solve  # import HiGHS only when it is needed

    design = DesignProgram.of(problem, levels, "above", first_pairs(problem))
    nothing, _ = no_bounds(*design.shape)
    return not isinstance(solve(write_program(replace(design, costs=nothing)).program), Infeasible)


def _needed_level_text(problem: Problem, region: PrivacyRegion) -> str:
    if region.inputs * region.outputs > LARGEST_BISECTION:
        return "relax a bound or raise epsilon"
    least = least_gamma(problem)
    if least is None:
        return f"no epsilon up to {MAX_EXPONENT} is enough; relax a bound"
    level = Epsilon.of_gamma(least[1])
    beside = "" if region.form == "parity" else f" at delta = {region.delta}"
    near = decimal_text(float(level), 9)
    if least[1].denominator > SHORT_DENOMINATOR:
        low, high = (Fraction(float(Epsilon.of_gamma(end))) for end in least)
        near, gamma = agreed_decimal(low, high, 9), agreed_decimal(*least, 9)
        return f"they need epsilon of about {near} (gamma of about {gamma}){beside}"
    # log(least[0]) is not enough, and at most GAMMA_WIDTH = 1e-9 less
    return f"they need epsilon of about log({as_text(least[1])}) = {near}{beside}: that is enough, 1e-9 less is not"


def _scale_in_words(problem: Problem, bounds: tuple[Bounds, Bounds], levels: Levels) -> str:
    """State the factor by which all levels must grow; bisection with exact programs encloses it."""
    if problem.region.inputs * problem.region.outputs > LARGEST_BISECTION:
        return "relax a bound or raise the levels"
    highest = max(float(level) for row in levels for level in row if level is not None)
    if not highest:
        return "at level 0 these inputs have equal probabilities of every output; relax a bound or raise the levels"
    most = Fraction(MAX_EXPONENT) / Fraction(highest)
    found = _enclosed(lambda x: _feasible_times(problem, bounds, levels, x), Fraction(1), most, SCALE_WIDTH)
    if found is None:
        return "larger levels of these pairs may not be enough; relax a bound"
    return f"they need levels about {agreed_decimal(*found, 3)} times as high"


def _feasible_times(problem: Problem, bounds: tuple[Bounds, Bounds], levels: Levels, factor: Fraction) -> bool:
    """Return whether the bounds are feasible with all levels multiplied by a factor (up to the reported digits)."""
    raised = [[None if level is None else _scaled_level(level, factor) for level in row] for row in levels]
    own = problem.region.entry_inequalities
    larger = BoundedRegion(LevelsRegion.by_pair(raised, outputs=problem.region.outputs), *bounds, own)
    scaled = Problem(larger, problem.objective, problem.population)
    return _is_feasible(scaled, short_levels(larger.bracket(BOUND_DIGITS)))


def _scaled_level(level: Epsilon, factor: Fraction) -> Epsilon:
    """Return about ``factor`` times a level as a short rational; only three digits of the factor are reported."""
    product = Fraction(float(level)) * factor
    return Epsilon.of(min(simplest_between(product * (1 - TIMES_WIDTH), product), Fraction(MAX_EXPONENT)))


def contradiction_without_privacy(least: Bounds, most: Bounds) -> str | None:
    """State how the bounds contradict each other even without privacy; ``None`` if they do not."""
    for j, (low, high) in enumerate(zip(zip(*least, strict=True), zip(*most, strict=True), strict=True)):
        if sum(low) > 1:
            return (
                f"the minimum entries of input {j} sum to {sum(low)}, more than 1, whatever the privacy level; lower "
                "a minimum"
            )
        if sum(high) < 1:
            return (
                f"the maximum entries of input {j} sum to {sum(high)}, less than 1, whatever the privacy level; raise "
                "a maximum"
            )
    return None


def _conflicting(least: Bounds, most: Bounds, farkas: Mapping[Name, Fraction]) -> list[str]:
    """Return the bounds that the proof uses; only the first few are named."""
    words = []
    for i, (low, high) in enumerate(zip(least, most, strict=True)):
        for j, (a, b) in enumerate(zip(low, high, strict=True)):
            at = f"for output {i} at input {j}"
            if farkas.get(("least", i, j)):
                words.append(
                    f"the minimum diagonal {as_text(a)} for category {i}" if i == j else f"at least {as_text(a)} {at}"
                )
            if farkas.get(("most", i, j)):
                words.append(f"at most {as_text(b)} {at}" if b else f"output {i} forbidden at input {j}")
    more = len(words) - WORDED_BOUNDS
    return [*words[:WORDED_BOUNDS], f"and {more} more"] if more > 0 else words


class InfeasibleDesignError(InfeasibleError):
    """No mechanism of the privacy region satisfies the bounds.

    Attributes:
        certificate: the proof, accepted by the checker (checker/linear_programs.md).
        reason: the conflicting bounds, and the level that they need.
    """

    def __init__(self, reason: str, certificate: Certificate) -> None:
        super().__init__(reason)
        self.reason = reason
        self.certificate = certificate

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.reason, self.certificate), vars(self)
