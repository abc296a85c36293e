"""Optimal mechanism for two categories under (epsilon, delta), with any number of outputs: four are enough.

With probability delta the mechanism reports the truth, and the output shows that it is the truth. Otherwise it applies
randomized response at epsilon. With g = exp(epsilon) and c = (1 - delta)/(1 + g), its rows are

    (delta, 0)        (c g, c)        (c, c g)        (0, delta).

Every (epsilon, delta) mechanism with two inputs is a garbling (post-processing) of this one: see
``rropt.garbling-of-four`` in the registry. The proof uses the region of hypothesis tests of Kairouz, Oh and Viswanath,
"The composition theorem for differential privacy", IEEE Trans. Inf. Theory 63 (2017). Hence the mechanism is optimal at
every pi and for every estimator. Its smallest n Var is one over the Fisher information

    I = delta/(pi (1 - pi)) + (1 - delta)(g - 1)^2/(g + (g - 1)^2 pi (1 - pi)).

*The program.* The information of a row r is ``phi(r) = (r_1 - r_0)^2/(r . pi)``. The rays of the region are (1, 0),
(g, 1), (1, g) and (0, 1), and their weights solve a linear program (``engine.designs``). Its multipliers alpha and mu
bound the information of all mechanisms: if ``phi(r) <= alpha . r + mu . excesses`` on the rays, then
``I <= sum alpha + delta sum mu`` (checker/design_bracket.md).
"""

from __future__ import annotations

from fractions import Fraction

from rropt.designs.certificates.design_bracket import RayDual, Slope
from rropt.designs.closed_forms import four_rows
from rropt.designs.engine.designs import solved_by_program
from rropt.designs.problem import Problem
from rropt.designs.solution import ProvedDesign
from rropt.designs.solving import Route
from rropt.mechanisms import Mechanism
from rropt.privacy import RationalLevel
from rropt.privacy.region import RationalLevels


def four_answers(level: RationalLevel) -> Mechanism:
    """Return the mechanism at a rational level, without impossible outputs and with equal rows merged.

    >>> mechanism = four_answers(RationalLevel(Fraction(3), Fraction(1, 5)))
    >>> [[str(x) for x in row] for row in mechanism.matrix]
    [['1/5', '0'], ['3/5', '1/5'], ['1/5', '3/5'], ['0', '1/5']]
    """
    certain, likely, unlikely, sure = four_rows(level.gamma, level.delta)
    between = [likely, unlikely] if level.gamma > 1 else [tuple(x + y for x, y in zip(likely, unlikely, strict=True))]
    return Mechanism([row for row in (certain, *between, sure) if any(row)])


def _by_theorem(problem: Problem, levels: RationalLevels) -> ProvedDesign:
    """Return the optimal mechanism and a dual with equality on all four rays (``rropt.any-output`` of the registry).

    W has the column (-1, 1), and its opposite if both proportions are estimated.
    """
    (level, above), pi, one = (levels.below, levels.above), problem.prevalence, Fraction(1)
    times, lean = problem.objective.prevalence_times, (above.gamma - 1) ** 2
    each = lean / (above.gamma + lean * pi * (1 - pi))
    alpha = times * each * pi, times * each * (1 - pi)
    slopes = (times / (1 - pi) - alpha[0], times / pi - alpha[1]) if above.delta else ()
    bends = tuple(Slope(0, (j, 1 - j), above.gamma, above.delta, x) for j, x in enumerate(slopes) if x)
    dual = RayDual(alpha, bends, ((-one,), (one,)) if times == 1 else ((one, -one), (-one, one)))
    mechanism = four_answers(level)
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


ANY_OUTPUT = (Route("closed-form", _by_theorem), Route("exact", solved_by_program))
