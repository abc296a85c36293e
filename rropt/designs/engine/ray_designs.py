"""Compute optimal designs over the rays of a privacy region, with any number of outputs.

This module solves, among others, problems with delta > 0 and up to six categories. The objective
(``objectives.ray_form``) supplies the criterion of the interior-point method, the matrix W of its dual, and the bound
that a mechanism proves. The other steps are the same for all objectives: list the rays of the region, find their
weights, and round the result to exact fractions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from rropt.checker import is_large_budget
from rropt.core.certificates import Certificate
from rropt.core.errors import InfeasibleError, UnsupportedProblemError
from rropt.core.exact.rational_bounds import simplest_between
from rropt.core.lazy import numpy as np
from rropt.designs.drawable_designs import drawable, is_drawable, is_near
from rropt.designs.engine import many_levels
from rropt.designs.engine.column_generation import Columns
from rropt.designs.engine.equal_variances import equal_variances
from rropt.designs.engine.first_weights import first_weights
from rropt.designs.engine.interior_point import Iterate, interior_point, program
from rropt.designs.engine.merged_categories import extended, merged, without_zero_shares
from rropt.designs.engine.polish import polished
from rropt.designs.engine.ray_enumeration import MOST_INPUTS, MOST_INPUTS_WITH_DELTA, Fan, Floats
from rropt.designs.engine.ray_rounding import (
    MOST_OF_CORNER,
    Corner,
    RayBasis,
    corner,
    exact_corner,
    exact_mechanism,
    float_dual,
    is_long,
    lifted,
    meets,
    shortened,
    slopes_of,
    support_of,
    tightened,
)
from rropt.designs.engine.theorems import by_theorem, has_theorem, randomized_response
from rropt.designs.problem import Problem
from rropt.designs.routes import NoDesignError, ProvedDesign
from rropt.designs.writers.bracket_writer import RayDual, certify_design, efficient_estimator, form_of, is_known
from rropt.mechanisms import Mechanism
from rropt.objectives.estimators import rounded_to_bits
from rropt.objectives.ray_criteria import orthogonal_to
from rropt.objectives.ray_form import ScaledRays
from rropt.privacy.divergence_regions import MOST_DESIGNED
from rropt.privacy.level_regions import components
from rropt.privacy.region import LevelPart, RationalLevel, RationalLevels

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rropt.objectives.ray_criteria import Array
    from rropt.objectives.ray_form import VarianceForm

_FEW_RAYS = 1100  # of an exact linear program: five categories with delta > 0 have 1055
_ENTERING, _EXACT_ROUNDS = 8, 12  # rays that enter such a program in a round, for each category; rounds
_ACTIVE = 1 - 1e-6  # a condition that uses a larger part of delta is an equation of the corner
_NEGLIGIBLE = (1e-8, 1e-14)  # rays with smaller weights, relative to the largest, are dropped; tried in this order
_ENOUGH = Fraction(1, 10**11)  # a relative gap at most this large ends these trials; a larger one needs another dual
_CORRECTIONS = 3  # of alpha, each of which reduces its error by several digits
_SINGULAR = 1e-24  # smaller eigenvalues of the information of all rays, relative, are rounding errors
_TINY = 10**4  # a proportion below 1/_TINY is tiny: a small lift along such proportions costs much
_LEAST_SHARE = Fraction(1, 10**100)  # rays have entries of 1/share, and floats hold their squares and products
_SHORTER = (Fraction(1, 10), Fraction(1, 10**3), Fraction(1, 10**6))  # of gamma - 1, given up for short numbers
_SAME = Fraction(10**6 - 1, 10**6)  # of two likelihoods whose ratio is closer to 1 neither is larger
_SMALL = Fraction(1, 10**12)  # a smaller gamma - 1 has few digits in the floats of rays with entries 1 and gamma
_NO_SLOPE = 1e-14  # smaller slopes, relative to the largest, are set to 0: the checker then lists fewer rays
_ZERO = Fraction(0)
POSITIVE = "give positive proportions, for example 1/1000 in place of 0"


class RayProblem:
    """A design problem in terms of rays, with the steps of its solution.

    Attributes:
        fan: all rays.
        first: the indices of the initial rays.
        weights: positive weights of the initial rays, followed by the slacks of the constraints with delta > 0.
        listed: the indices of the rays that receive weights: all rays, or those that have entered so far.
        root: coordinates in which the information matrix of these weights is the identity, shape (k, d). Here d is
            k - 1, or less if some categories have equal columns in every mechanism.
    """

    def __init__(self, problem: Problem, levels: RationalLevels) -> None:
        self.problem, self.pi, self.k = problem, problem.population, len(problem.population)
        self.levels, self.parts = levels, levels.parts(self.k)
        self.is_private = partial(meets, parts=self.parts)
        self.distinct = _distinct_columns(problem, self.parts)
        self.form = form_of(problem, levels)
        is_large = min(self.pi) * _TINY >= 1 or (all(self.pi) and not self.form.has_any_scale)
        is_positive = is_large or _reaches_all(problem, Fraction(1, _TINY) if self.form.has_any_scale else _ZERO)
        even = [(p + Fraction(1, self.k)) / 2 for p in self.pi]
        self.fan = Fan(self.k, self.parts, self.pi if is_positive else even)

    def begin(self) -> None:
        """Choose the initial rays and weights, and compute ``root``.

        Raises:
            InfeasibleError: two categories have equal columns in every mechanism, so the objective is infinite.
            UnsupportedProblemError: the information of the first weights is 0 in floats.
        """
        problem = self.problem
        self.listed, self.weights = first_weights(self.fan)
        self.first = self.listed
        lines = self.fan.floats(self.listed).apart
        basis = orthogonal_to(np.ones(self.k))
        c, w = lines @ basis, self.weights[: len(lines)]
        values, vectors = np.linalg.eigh((c * w[:, None]).T @ c)
        if self.distinct < self.k and not self.form.is_sum:
            raise InfeasibleError(
                f"two categories have equal rows in every mechanism of the region, so that {problem.objective.title} "
                f"is infinite or not defined: received {problem.region}; raise the levels that are 0, or merge the "
                "categories that they join"
            )
        kept = np.arange(self.k - 1) >= self.k - self.distinct  # eigenvalues increase; the others are 0
        if self.form.is_sum and problem.region.form != "parity":
            kept &= values > _SINGULAR * values[-1]  # a sum needs no inverse of a matrix that is singular in floats
        if kept.any() and values[-1] <= 0:
            raise _lost(problem)
        turned = (vectors / np.sqrt(np.maximum(values, _SINGULAR * values[-1])))[:, kept]
        self.root = basis @ (turned @ vectors.T if kept.all() else turned)

    def weighed(self) -> tuple[Any, Iterate]:
        """Optimize the weights, adding rays that violate the dual inequality; return the criterion and the solution.

        Raises:
            UnsupportedProblemError: the information of the first weights is singular in floats.
        """
        is_staged = self.fan.is_staircase and len(self.first) < len(self.fan)
        columns = Columns(self.first, self.weights, len(self.fan.conditions), is_staged)
        while True:
            self.listed = columns.listed
            rays = self.fan.floats(self.listed)
            given = program(rays.apart @ self.root, rays.excesses, self.fan.deltas)
            criterion = self.form.criterion(ScaledRays(rays.rows, rays.steps, self.root, given.c))
            try:
                point = interior_point(given, criterion, columns.start(given), columns.precision)
            except np.linalg.LinAlgError as error:  # the information of the first weights is singular in floats
                raise _lost(self.problem) from error
            if criterion.is_polished and columns.is_precise:
                point = polished(given, criterion, point)
            if columns.is_precise and len(self.listed) == len(self.fan):
                break
            if not columns.grow(given, criterion, point, self._violation(point)):
                break
        return criterion, point

    def _violation(self, point: Iterate) -> Array:
        """Return the violation ``phi_Y(r) - g(r)`` of the dual inequality at every ray, in floats."""
        found = []
        for rays in self.fan.blocks():
            criterion, affine = self._at(rays)
            found.append(criterion.values(point.y) - affine @ point.v)
        return np.concatenate(found)

    def _at(self, rays: Floats) -> tuple[Any, Array]:
        """Return the criterion of rays, and ``(1, c, h)`` with their contrasts c."""
        c = rays.apart @ self.root
        affine = np.column_stack([np.ones(len(c)), c, rays.excesses])
        return self.form.criterion(ScaledRays(rays.rows, rays.steps, self.root, c)), affine

    def dual(self, criterion: Any, point: Iterate) -> RayDual:
        """Return an exact dual from a floating-point solution; its inequality holds on every ray."""
        d = self.root.shape[1]
        try:
            matrix, scale = self.form.witness(criterion, point.y, self.root)
        except np.linalg.LinAlgError:  # X is singular in floats: use a valid dual with a weak bound
            one, zero = Fraction(1), Fraction(0)
            weak = [[one * (i == j) - (i == self.k - 1) for j in range(self.k - 1)] for i in range(self.k)]
            return lifted(RayDual((zero,) * self.k, (), weak), self.fan, self.form)
        v = point.v / scale
        alpha = v[0] * np.array([float(p) for p in self.fan.scale]) + self.root @ v[1 : 1 + d]
        return self.rational_dual(alpha, np.maximum(v[1 + d :], 0.0), matrix)

    def rational_dual(self, alpha: Array, beta: Array, matrix: Any) -> RayDual:
        """Round a dual to fractions, and raise alpha until the inequality holds on every ray."""
        largest = float(max(np.abs(alpha).max(), beta.max(initial=0.0)))
        beta[beta < _NO_SLOPE * largest] = 0.0
        dual = RayDual(
            tuple(rounded_to_bits(float(x), largest) for x in alpha),
            slopes_of(self.fan, [rounded_to_bits(float(x), largest) for x in beta]),
            matrix,
        )
        return lifted(dual, self.fan, self.form)

    def at_corner(self, made: Corner | None) -> ProvedDesign | None:
        """Return the design at a corner; None if there is no corner, or it is not private.

        At a rational level the value of an optimum is exact, except for objectives with logarithms. A dual whose
        numbers are too long for the checker is rounded. At an irrational level the bracket has a width anyway, so there
        every long dual is rounded. At a rational level a dual stays exact if the checker accepts it.
        """
        form, primal = self.form, dict[str, Any]()
        if made is None or not self.is_private(made.mechanism):
            return None
        mechanism, is_rational = made.mechanism, form.is_rational or not form.is_sum
        proved = None if is_rational else form.proved(mechanism)
        if not form.is_sum:
            primal = {"estimators": [efficient_estimator(self.problem, mechanism)]}
            value = cast("VarianceForm", form).variance(primal["estimators"][0], mechanism)
        else:
            value = self.problem.objective.value(mechanism, self.pi) if proved is None else proved[0]
        design = ProvedDesign.between(value, form.bound(made.dual), mechanism, made.dual, primal)
        is_exact = is_rational and self.levels.is_exact
        if is_exact and made.is_tight:  # bounds of variances are rounded
            design = replace(design, lower=value, upper=value)
        if is_long(made.dual) or not (is_rational or not self.fan.conditions):
            certify = partial(certify_design, self.problem, self.levels, design)
            if is_exact and (not is_known(self.problem) or not Certificate.attempt(certify).failure):
                return design
            dual = shortened(made.dual, self.fan, form)
            design = ProvedDesign.between(value, form.bound(dual), mechanism, dual, primal)
        return design

    def at_optimum(self, made: Corner | None) -> ProvedDesign | None:
        """Return the design at an optimal corner; None for other corners."""
        return self.at_corner(made) if made and made.is_tight else None

    def optimum_of_sum(self) -> ProvedDesign | None:
        """Return the design at the corner that a linear program in floats finds, or None if it is not optimal.

        If that corner is not optimal, an exact linear program over the rays that entered follows, if they are few. The
        rays that violate its dual most enter then.
        """
        fan, form = self.fan, self.form
        solved = many_levels.solved(fan, form, form.direction, None)
        found = self.at_optimum(solved and corner(fan, form, solved.basis))
        if found is not None:
            return found
        listed = solved.listed.tolist() if solved and fan.conditions else list(range(len(fan)))
        for _ in range(_EXACT_ROUNDS):
            made = exact_corner(fan, form, listed) if len(listed) <= _FEW_RAYS else None
            if made is None or made.is_tight or len(listed) == len(fan):
                return self.at_optimum(made)
            w, dual = form.direction, made.dual
            violation = np.concatenate(
                [form.float_phi(w, rays.rows, rays.steps) - float_dual(dual, rays) for rays in fan.blocks()]
            )
            violation[listed] = -np.inf
            listed = [*listed, *np.argsort(-violation)[: min(_ENTERING * self.k, len(fan) - len(listed))].tolist()]
        return None

    def rounded(self, criterion: Any, point: Iterate) -> ProvedDesign:
        """Round a floating-point solution to an exact design, and return the design with the narrowest bracket.

        The candidates are several roundings of the weights, and the corner that the support of the weights determines.

        Raises:
            UnsupportedProblemError: no exact mechanism is found.
        """
        form, dual = self.form, None
        found = []
        for negligible in _NEGLIGIBLE:
            support, weights = self.support(self.listed, np.maximum(point.w, 0), negligible)
            made = corner(self.fan, form, self.basis(support, weights))
            at_corner = self.at_corner(made)
            if made is not None and at_corner is not None:
                found.append(at_corner)
                if made.is_tight:
                    break
            dual = dual or self.dual(criterion, point)
            mechanism = self.mechanism(support, weights)
            if mechanism is not None:
                mechanism = form.completed(mechanism, self.regular, self.is_private)
            own = self.design(mechanism, dual)
            if own is not None:
                found.append(own)
                if _is_narrow(own):
                    break
        if not found and self.problem.region.form == "parity":
            plain = randomized_response(self.k, self.parts[0].below.gamma)
            own = self.design(plain, self.dual(criterion, point))
            found = [] if own is None else [own]
        if not found:
            raise _lost(self.problem)
        best = self._tightened(min(found, key=lambda design: design.gap), support)
        return best if _is_narrow(best) else self._with_better_dual(best, support)

    def design(self, mechanism: Mechanism | None, dual: RayDual) -> ProvedDesign | None:
        """Return the design of a private mechanism and a dual; None if there is no mechanism, or it proves no value."""
        proved = None if mechanism is None else self.form.proved(mechanism)
        if mechanism is None or proved is None:
            return None
        value, primal = proved
        return ProvedDesign.between(value, self.form.bound(dual), mechanism, dual, primal)

    def _tightened(self, best: ProvedDesign, support: Sequence[int]) -> ProvedDesign:
        """Return the design with its alpha corrected, as long as the bracket is not narrow and becomes narrower."""
        for _ in range(_CORRECTIONS):
            if _is_narrow(best):
                break
            better = self.design(best.mechanism, tightened(best.dual, self.fan, self.form, support))
            if better is None or better.gap >= best.gap:
                break
            best = better
        return best

    def _with_better_dual(self, best: ProvedDesign, support: Sequence[int]) -> ProvedDesign:
        """Return the design with the dual that a linear program gives for its W, if it proves a better bound."""
        given = best.dual
        solved = many_levels.solved(self.fan, self.form, given.matrix, given) if self.fan.conditions else None
        if solved is None:
            return best
        better = self.design(best.mechanism, self.rational_dual(solved.alpha, solved.beta, given.matrix))
        return min(best, self._tightened(better, support), key=lambda design: design.gap) if better else best

    def basis(self, support: Sequence[int], weights: Sequence[float]) -> RayBasis:
        """Return these rays, with the sums of columns and the conditions that the weights make tight as equations."""
        used = np.array(weights) @ self.fan.floats(np.array(support)).excesses
        tight = np.flatnonzero(used > _ACTIVE * self.fan.deltas).tolist()
        return RayBasis(tuple(support), (*range(self.k), *(self.k + t for t in tight)))

    def support(self, listed: NDArray[np.intp], weights: Array, negligible: float) -> tuple[list[int], list[float]]:
        """Return the indices and weights of a few rays that preserve the value of the design."""
        sizes = None
        if self.fan.conditions and min(self.fan.scale) * _TINY < 1:
            sizes = self.fan.floats(listed).rows.max(1)
        return support_of(listed, weights[: len(listed)], self._moments, negligible, sizes)

    def mechanism(self, support: Sequence[int], weights: Sequence[float]) -> Mechanism | None:
        """Return a private mechanism with these weights of rays, or None if rounding finds none."""
        return exact_mechanism(self.fan, support, weights, self.is_private)

    def regular(self) -> Mechanism:
        """Return a private mechanism that identifies the distribution of the categories.

        Raises:
            UnsupportedProblemError: the initial weights cannot be rounded to an exact mechanism.
        """
        mechanism = self.mechanism(*self.support(self.first, self.weights, 0.0))
        if mechanism is None:
            raise _lost(self.problem)
        return mechanism

    def _moments(self, kept: NDArray[np.intp]) -> Array:
        """Return the quantities whose weighted sums must not change when rays are dropped.

        These are the constant 1, the contrasts, the excesses, and the moments of the objective.
        """
        criterion, affine = self._at(self.fan.floats(kept))
        return np.column_stack([affine, criterion.moments()])


def _is_narrow(design: ProvedDesign) -> bool:
    """Return whether a design needs no further trial."""
    return design.gap <= _ENOUGH * max(abs(design.lower), abs(design.upper))


def _distinct_columns(problem: Problem, parts: Sequence[LevelPart]) -> int:
    """Return the number of different columns of the mechanisms: levels epsilon = delta = 0 make columns equal.

    Both columns sum to 1. Hence the constraint in one direction implies the constraint in the other.

    Raises:
        UnsupportedProblemError: a level of 0 is given for one direction of its pair only.
    """
    equal = {pair for part in parts if part.above == RationalLevel(Fraction(1), Fraction(0)) for pair in part.pairs}
    single = next(((j, i) for j, i in sorted(equal) if (i, j) not in equal), None)
    if single is not None:
        j, i = single
        raise UnsupportedProblemError(
            f"level 0 with delta = 0 stands for inputs {j} and {i} in one direction: received {problem.region}; as "
            "both columns sum to 1 it holds in both directions: give it for both"
        )
    return components(problem.region.inputs, equal) if equal else problem.region.inputs


def _reaches_all(problem: Problem, least: Fraction = _ZERO) -> bool:
    """Return whether levels with delta = 0 bound each entry by one of a positive proportion, at least ``least``.

    Then r.pi > 0 for all rows, and with ``r.pi = 1`` the entries are moderate if this proportion is.
    """
    reached = problem.region.reached(j for j, share in enumerate(problem.population) if share and share >= least)
    return len(reached) == problem.region.inputs


def _by_rays(problem: Problem, levels: RationalLevels) -> ProvedDesign:
    """Return a design whose mechanism is private at the levels below and whose dual is valid at the levels above."""

    smaller = without_zero_shares(problem)
    if smaller is not None:
        return _with_zero_shares(problem, smaller, levels)
    groups = merged(problem)
    if groups is not None:
        found = _drawn(groups[1], levels, _by_rays(groups[1], levels))
        return replace(found, mechanism=groups[0].mechanism(found.mechanism), dual=groups[0].dual(found.dual))
    plan = RayProblem(problem, levels)
    form = plan.form
    if len(plan.fan.conditions) > many_levels.MOST_CONDITIONS:
        under_many = _under_many_levels(plan)
        if under_many is not None:
            return under_many
    elif (
        form.direction is not None
        or form.is_rational
        or (form.margin if plan.fan.conditions else form.is_sum and plan.k <= MOST_OF_CORNER)
    ):
        exact = plan.optimum_of_sum()
        if exact is not None:
            return exact
    elif form.is_largest_variance and levels.is_exact and not plan.fan.conditions:
        exact = equal_variances(plan.fan, plan.pi)
        if exact is not None:
            return exact
    plan.begin()
    return plan.rounded(*plan.weighed())


def _under_many_levels(plan: RayProblem) -> ProvedDesign | None:
    """Return the design of the LP with W fixed at its optimum under a few levels, or None if the gap is too large."""
    few = RayProblem(plan.problem, RationalLevels(many_levels.some_of(plan.parts)))
    few.begin()
    guess = few.dual(*few.weighed())
    found = many_levels.solved(plan.fan, plan.form, guess.matrix, guess)
    if found is None:
        return None
    is_used = found.w > many_levels.NEGLIGIBLE * found.w.max()
    support = found.listed[is_used].tolist()
    if plan.form.is_rational and len(support) <= many_levels.MOST_EXACT:
        exact = plan.at_optimum(corner(plan.fan, plan.form, found.basis))
        if exact is not None:
            return exact
    dual = plan.rational_dual(found.alpha, found.beta, guess.matrix)
    mechanism = plan.mechanism(support, found.w[is_used].tolist())
    design = plan.design(mechanism, dual)
    return design if design and design.gap <= many_levels.WIDEST * max(abs(design.lower), abs(design.upper)) else None


def _with_zero_shares(problem: Problem, smaller: Problem, levels: RationalLevels) -> ProvedDesign:
    """Extend the design for the categories of positive proportion to all categories."""
    n = smaller.region.inputs  # the pairs of several levels are all pairs
    fewer = [replace(part, pairs=tuple(pair for pair in part.pairs if max(pair) < n)) for part in levels.listed]
    found = _by_rays(smaller, replace(levels, listed=tuple(fewer)))
    carried = extended(problem, found, form_of(smaller, levels), levels)
    if carried is None:
        raise _lost(problem)
    return carried


def _lost(problem: Problem) -> NoDesignError:
    is_small = problem.region.form == "parity" and problem.region.bracket(1).above.gamma - 1 < _SMALL
    advice = "raise epsilon, for example to 1e-12" if is_small else "round them, or please report the problem"
    return NoDesignError(
        "the interior-point method found no design that can be made exact: received {}; its parameters are extreme: "
        f"{advice}",
        problem,
    )


def is_listed(problem: Problem) -> bool:
    """Return whether the rays of the region can be listed."""
    return limit_of(problem) is None


def limit_of(problem: Problem) -> str | None:
    """Return the limit that a problem exceeds, as an error message, or None if it exceeds none."""
    region, what = problem.region, f"the objective {problem.objective.kind} is solved over the rays of the levels"
    if reason := problem.objective.limit(region, problem.population):
        return reason
    at_most = MOST_INPUTS_WITH_DELTA if region.form == "excess" else MOST_INPUTS
    most = at_most[is_large_budget()]
    if region.inputs > most:
        limit = f"allowed are at most {most} categories"
        if region.inputs <= at_most[1]:
            limit += f', {at_most[1]} with the large budget (--effort large, budget="large")'
        advice = "merge categories"
        if len(set(problem.population)) == 1 and problem.objective.has_formulas and region.has_one_level:
            advice += ", or give Problem(region, objective, uniform(categories)), which has formulas"
        return f"{what}: received {region}; {limit}; {advice}"
    is_constant = problem.objective.constant_value(problem.population) is not None
    takes_zeros = all(problem.population) or is_constant or problem.objective.takes_zero_shares or _reaches_all(problem)
    if not takes_zeros and without_zero_shares(problem) is None:
        return f"{what}, scaled by their probability under the proportions: received a proportion of 0; {POSITIVE}"
    # rays with ``r.pi = 1`` have entries 1/proportion, which floats do not hold
    is_tiny = any(0 < x < _LEAST_SHARE for x in problem.population) and not _reaches_all(problem, _LEAST_SHARE)
    if is_tiny and not problem.objective.on_rays(problem.population, Fraction(2)).is_sum:
        allowed = "allowed with this delta are proportions of at least 1e-100"
        return f"{what}, in floats: received a proportion between 0 and 1e-100; {allowed}"
    return None


def limit_of_outputs(problem: Problem, what: str) -> str | None:
    """Return why a problem under ``what``, which allows any number of outputs, is not solved, or None."""
    objective = problem.objective
    if problem.is_uniform or problem.populations is not None:
        return f"designs under {what} have one population: received ranges; give proportions"
    if not objective.is_on_rays or objective.outputs(problem.region.inputs):
        return (
            f"a design under {what} has any number of outputs: received the objective {objective.kind}; allowed are "
            "objectives of any number of outputs, for example a-optimal"
        )
    return None


def limit_of_exchange(problem: Problem) -> str | None:
    """Return why a problem with bounds of Renyi divergences is not solved, or None."""
    region, objective, what = problem.region, problem.objective, "bounds of Renyi divergences"
    if reason := limit_of_outputs(problem, what) or objective.limit(region, problem.population):
        return reason
    if region.inputs > MOST_DESIGNED:
        advice = "merge categories" if max(problem.population) < 1 else POSITIVE  # merging leaves a proportion of 0
        return f"designs under {what} have at most {MOST_DESIGNED} categories: received {region}; {advice}"
    if not all(problem.population):
        return f"the objective {objective.kind}: received a proportion of 0; {POSITIVE}"
    return None


def limit_of_rays(problem: Problem) -> str | None:
    """Return which limit a problem exceeds: the number of rays, or a proportion of 0."""
    return None if has_theorem(problem) else limit_of(problem)


def solved_by_rays(problem: Problem, levels: RationalLevels) -> ProvedDesign:
    """Solve a problem and return its optimal design."""
    if problem.objective.constant_value(problem.population) is not None:
        return by_theorem(problem, levels)
    try:
        with np.errstate(all="ignore"):  # what is not finite is refused
            found = _drawn(problem, levels, _by_rays(problem, levels))
    except OverflowError as error:
        raise NoDesignError(
            "the numbers of the design exceed the largest float, about 1e308: received {}; its parameters are extreme: "
            "raise the smallest proportions",
            problem,
        ) from error
    least = problem.objective.least_value
    if least is not None and found.lower < least:  # the value of all mechanisms is at least this
        found = replace(found, lower=least, upper=max(found.upper, least))
    return in_order(found)


def order_of_outputs(mechanism: Mechanism) -> list[int]:
    """Return the outputs in the order of the categories that give them most; for two inputs, by likelihood ratio.

    If there are as many outputs as categories and a permutation allows it, output i is the most likely one of category
    i. Of several outputs that the same categories give most, the one that reveals more comes first.
    """
    k, rows, columns = mechanism.inputs, mechanism.matrix, zip(*mechanism.matrix, strict=True)

    def place(i: int) -> tuple[list[int], list[Fraction]]:
        total = sum(rows[i]) or Fraction(1)
        if k == 2:
            return [], [-rows[i][0] / total]
        return _largest(rows[i]), [-x / total for x in sorted(rows[i], reverse=True)]

    order = sorted(range(len(rows)), key=place)
    if len(rows) != k:
        return order
    likely = [sorted(_largest(column), key=order.index) for column in columns]
    given = dict[int, int]()  # the category of each output

    def is_given(j: int, tried: set[int]) -> bool:
        for i in likely[j]:
            if i not in tried:
                tried.add(i)
                if i not in given or is_given(given[i], tried):
                    given[i] = j
                    return True
        return False

    return sorted(given, key=given.__getitem__) if all(is_given(j, set()) for j in range(k)) else order


def _largest(numbers: Sequence[Fraction]) -> list[int]:
    """Return the places of the largest number, and of those that only rounding separates from it."""
    return [i for i, x in enumerate(numbers) if x >= max(numbers) * _SAME]


def in_order(found: ProvedDesign) -> ProvedDesign:
    """Return a design with its outputs in order; the columns of an estimator follow."""
    order = order_of_outputs(found.mechanism)
    estimators = found.primal.items()
    primal = {key: [[[row[i] for i in order] for row in rows] for rows in listed] for key, listed in estimators}
    return replace(found, mechanism=Mechanism([found.mechanism.matrix[i] for i in order]), primal=primal)


def _at_short_level(problem: Problem, levels: RationalLevels, found: ProvedDesign) -> Mechanism | None:
    """Return a mechanism with short numbers and the exact optimum, if this is also the optimum at a smaller gamma.

    Rounding would lose the last digits. A payoff, for example, may depend on delta alone.
    """
    form = form_of(problem, levels)
    is_linear = form.is_sum or form.direction is not None  # in the weights, so that a corner is optimal
    if found.lower != found.upper or not levels.is_single or not is_known(problem) or not is_linear:
        return None
    below = levels.below
    for part in _SHORTER:
        gamma = simplest_between(below.gamma - (below.gamma - 1) * part, below.gamma)
        level = RationalLevel(gamma, below.delta)
        made = RayProblem(problem, RationalLevels.single(level, level)).optimum_of_sum()
        if made is None or not is_drawable(made.mechanism):
            continue
        if problem.objective.value(made.mechanism, problem.population) == found.lower:
            return made.mechanism
    return None


def _drawn(problem: Problem, levels: RationalLevels, found: ProvedDesign) -> ProvedDesign:
    """Return the design with short numbers; the design itself if they are short, or if rounding finds none."""
    if is_drawable(found.mechanism) or without_zero_shares(problem) is not None:  # ``extended`` rounds
        return found
    parts, form = levels.parts(problem.region.inputs), form_of(problem, levels)
    same = _at_short_level(problem, levels, found)
    if same is not None:
        return replace(found, mechanism=same)
    mechanism = drawable(found.mechanism.matrix, lambda made: meets(made, parts))
    if mechanism is None:
        return found
    value: Fraction | None
    if not is_known(problem):  # the ends contain the error of a user's function in floats
        value_of = problem.objective.value
        change = value_of(mechanism, problem.population) - value_of(found.mechanism, problem.population)
        ends = (0, change) if problem.objective.sense == "minimise" else (change, 0)
        moved = replace(found, lower=found.lower + ends[0], upper=found.upper + ends[1], mechanism=mechanism)
        return moved if moved.lower <= moved.upper and is_near(moved, found) else found
    if form.is_rational:
        value, primal = problem.objective.value(mechanism, problem.population), {}
    else:
        value, primal = form.proved(mechanism) or (None, {})
    if value is None:
        return found
    short = ProvedDesign.between(value, form.bound(found.dual), mechanism, found.dual, primal)
    return short if is_near(short, found) else found
