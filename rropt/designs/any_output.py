"""Optimal mechanism for two categories under (epsilon, delta), with any number of outputs: four are enough.

With probability delta the mechanism reports the truth, and the output shows that it is the truth. Otherwise it applies
randomized response at epsilon. With g = exp(epsilon) and c = (1 - delta)/(1 + g), its rows are

    (delta, 0)        (c g, c)        (c, c g)        (0, delta).

Every (epsilon, delta) mechanism with two inputs is a garbling (post-processing) of this one: see
``rropt.garbling-of-four`` in the registry. The proof uses the region of hypothesis tests of Kairouz, Oh and Viswanath,
"The composition theorem for differential privacy", IEEE Trans. Inf. Theory 63 (2017). Hence the mechanism is optimal at
every pi and for every estimator. Its smallest n Var is one over the Fisher information

    I = delta/(pi (1 - pi)) + (1 - delta)(g - 1)^2/(g + (g - 1)^2 pi (1 - pi)).

*The program.* The information of a row r is ``phi(r) = (r_1 - r_0)^2/(r . pi)``, which is convex and homogeneous. The
excesses ``max(0, r_0 - g r_1)`` and ``max(0, r_1 - g r_0)`` are linear between neighbours among the directions (1, 0),
(g, 1), (1, g) and (0, 1). So rows in these four directions suffice. Their weights x solve a linear program: maximize
``sum x phi`` subject to constraints on the column sums and on the sums of the excesses. Its multipliers alpha and mu
bound the information of all mechanisms: if ``phi(r) <= alpha . r + mu . excesses`` in the four directions, then
``I <= sum alpha + delta sum mu`` (checker/design_bracket.md).
"""

from __future__ import annotations

from fractions import Fraction

from rropt.core.errors import UnsupportedProblemError
from rropt.designs.certificates.design_bracket import RayDual, Slope
from rropt.designs.closed_forms import four_rows
from rropt.designs.problem import Problem
from rropt.designs.solution import ProvedDesign
from rropt.designs.solving import Route
from rropt.mechanisms import Mechanism
from rropt.privacy import RationalLevel
from rropt.privacy.region import RationalLevels

Ray = tuple[Fraction, Fraction]  # the direction of a row: probabilities given 0 and given 1
Multipliers = tuple[Fraction, Fraction, Fraction, Fraction]  # alpha_0, alpha_1, mu_0, mu_1


def four_answers(level: RationalLevel) -> Mechanism:
    """Return the mechanism at a rational level, without impossible outputs and with equal rows merged.

    >>> mechanism = four_answers(RationalLevel(Fraction(3), Fraction(1, 5)))
    >>> [[str(x) for x in row] for row in mechanism.matrix]
    [['1/5', '0'], ['3/5', '1/5'], ['1/5', '3/5'], ['0', '1/5']]
    """
    certain, likely, unlikely, sure = four_rows(level.gamma, level.delta)
    between = [likely, unlikely] if level.gamma > 1 else [tuple(x + y for x, y in zip(likely, unlikely, strict=True))]
    return Mechanism([row for row in (certain, *between, sure) if any(row)])


def _information(ray: Ray, pi: Fraction) -> Fraction:
    return (ray[1] - ray[0]) ** 2 / (ray[0] * (1 - pi) + ray[1] * pi)


def _excesses(ray: Ray, gamma: Fraction) -> Ray:
    return max(ray[0] - gamma * ray[1], Fraction(0)), max(ray[1] - gamma * ray[0], Fraction(0))


def _directions(level: RationalLevel) -> list[Ray]:
    """Return the four directions of rows, or the two that are left at delta = 0."""
    one, zero = Fraction(1), Fraction(0)
    between = [(level.gamma, one), (one, level.gamma)]
    return [(one, zero), *between, (zero, one)] if level.delta else between


def _by_theorem(problem: Problem, levels: RationalLevels) -> ProvedDesign:
    """Return the optimal mechanism and the dual whose inequality is an equality in all four directions."""
    return proved_design(problem, levels, four_answers(levels.below), theorem_multipliers(problem, levels))


def theorem_multipliers(problem: Problem, levels: RationalLevels) -> Multipliers:
    """Return the multipliers alpha and mu at the upper level, by the theorem ``rropt.any-output`` of the registry."""
    above, pi, zero = levels.above, problem.prevalence, Fraction(0)
    lean = (above.gamma - 1) ** 2
    each = lean / (above.gamma + lean * pi * (1 - pi))
    alpha = each * pi, each * (1 - pi)
    return (*alpha, 1 / (1 - pi) - alpha[0], 1 / pi - alpha[1]) if above.delta else (*alpha, zero, zero)


def _by_program(problem: Problem, levels: RationalLevels) -> ProvedDesign:
    """Solve the linear program of the four directions exactly, at the lower and at the upper rational level."""
    from rropt.core.linear import Optimal, ProgramBuilder, solve

    pi, found = problem.prevalence, []
    for level in (levels.below, levels.above):
        builder, rays = ProgramBuilder("maximise"), _directions(level)
        weights = [builder.variable(f"x{i}", cost=_information(ray, pi)) for i, ray in enumerate(rays)]
        for j in (0, 1):
            builder.row(f"column {j}", {x: ray[j] for x, ray in zip(weights, rays, strict=True)}, "=", 1)
        for j in (0, 1):
            costs = {x: _excesses(ray, level.gamma)[j] for x, ray in zip(weights, rays, strict=True)}
            builder.row(f"excess {j}", costs, "<=", level.delta)
        outcome = solve(builder.build())
        if not isinstance(outcome, Optimal):
            raise UnsupportedProblemError(f"the program with four outputs has no optimum: received {problem}")
        found.append((rays, outcome))
    (rays, below), (_, above) = found
    rows = [[x * a, x * b] for x, (a, b) in zip(below.primal, rays, strict=True) if x]
    a0, a1, m0, m1 = above.dual
    return proved_design(problem, levels, Mechanism(rows), (a0, a1, m0, m1))


def proved_design(
    problem: Problem, levels: RationalLevels, mechanism: Mechanism, multipliers: Multipliers
) -> ProvedDesign:
    """Return the design with its dual: W has the column (-1, 1), and its opposite if both proportions are estimated."""
    times = problem.objective.prevalence_times
    a0, a1, *slopes = multipliers
    alpha, one = (times * a0, times * a1), Fraction(1)
    above, pairs = levels.above, ((0, 1), (1, 0))
    bends = tuple(
        Slope(0, pair, above.gamma, above.delta, times * x) for pair, x in zip(pairs, slopes, strict=True) if x
    )
    dual = RayDual(alpha, bends, ((-one,), (one,)) if times == 1 else ((one, -one), (-one, one)))
    value = problem.objective.value(mechanism, problem.population)
    return ProvedDesign(times**2 / dual.bound(), value, mechanism, dual)


def limit_of_prevalence(problem: Problem) -> str | None:
    """Return the reason for a refusal: the prevalence is 0 or 1 although delta > 0. None if there is no reason."""
    if problem.region.form != "excess" or problem.prevalence not in (0, 1):
        return None
    return (
        f"with delta > 0 the least n Var is 0 at prevalence {problem.prevalence}: two outputs reach it, "
        "and more cannot do better; leave out `outputs`, or guess a prevalence between 0 and 1"
    )


def is_of_two_inputs(problem: Problem) -> bool:
    """Return whether the objective is n Var, or A-optimality for two categories with delta > 0."""
    times = problem.objective.prevalence_times
    return times == 1 or (times > 1 and problem.region.form == "excess" and problem.region.inputs == 2)


ANY_OUTPUT = (Route("closed-form", _by_theorem), Route("exact", _by_program))
