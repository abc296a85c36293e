"""Whether a given mechanism is optimal: its value beside the certified optimum of a problem.

A problem states the level, the objective and the proportions. The mechanism is judged exactly: whether it is in the
region of the level, and its value. The optimum has certified bounds ``lower <= optimum <= upper``. A minimum, for a
private mechanism of value v:

* v > upper: not optimal. The certificate of the bounds proves it, with a design of value ``upper`` that is private too.
* v = lower: optimal. The certificate proves that no private mechanism has a smaller value. If lower < v <= upper and
  the bounds count as closed, as at an irrational level, it proves this up to the gap of the bounds.
* else the bounds decide nothing: v exceeds the optimum by at most ``v/lower - 1``.

A maximum is judged in the same way. A mechanism outside the region is not judged: its value may be better than the
optimum, since it reveals more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar

from rropt.core.argument_checks import as_lists, clear_calls, require_flags, require_given, require_lists
from rropt.core.errors import InvalidParameterError, required, shown_with_type
from rropt.core.exact import Bracket, both_texts
from rropt.core.exact.display import decimal_outwards
from rropt.core.results import Result, labelled
from rropt.designs.problem import Problem
from rropt.designs.solution import Solution
from rropt.designs.solving import solve
from rropt.mechanisms import Mechanism
from rropt.mechanisms.columns import exact_population
from rropt.mechanisms.imports import required_mechanism
from rropt.objectives.objective import Objective
from rropt.privacy.level_arguments import Level, given_level

YES, NO, OPEN, LESS_PRIVATE = "yes", "no", "the bounds of the optimum do not decide", "not private at the level"
_ROUNDING = Fraction(1, 10**30)  # relative: values with logarithms are rounded to 40 digits


@dataclass(frozen=True, slots=True)
class Optimality(Result):
    """Whether a mechanism is optimal for a problem, and what it loses.

    Attributes:
        mechanism: the mechanism.
        solution: the certified optimum.
        value: the objective of the mechanism, for the efficient estimator of a variance.
        is_private: whether the mechanism is in the region of the problem.
        answer: ``"yes"``, ``"no"``, that the bounds of the optimum do not decide, or that it is not private.
        loss: bounds of the relative loss: ``v/optimum - 1`` for a minimum, ``1 - v/optimum`` for a maximum, the
            difference for a logarithm; ``None`` for a mechanism that is not private, and at an optimum of 0.
        respondents: for a variance, how many respondents it needs for each one of the optimum.
    """

    mechanism: Mechanism
    solution: Solution
    value: Fraction = field(init=False, compare=False)
    is_private: bool = field(init=False, compare=False)

    LABELS: ClassVar[Mapping[str, str]] = labelled(
        answer="optimal", value="value", is_private="private at the level", loss="loss", respondents="respondents"
    )
    ANSWER: ClassVar[tuple[str, ...]] = ("answer", "value", "loss")

    def __post_init__(self) -> None:
        problem = self.solution.problem
        object.__setattr__(self, "value", problem.objective.value(self.mechanism, problem.population))
        object.__setattr__(self, "is_private", problem.region.contains(self.mechanism))

    @property
    def answer(self) -> str:
        """The answer in words."""
        if not self.is_private:
            return LESS_PRIVATE
        better, bound = self._ends()
        slack = _ROUNDING * abs(bound) if self.solution.problem.objective.has_logarithms else 0
        if self._excess(better) > slack:
            return NO
        return YES if better == bound or self.solution.is_closed else OPEN

    @property
    def loss(self) -> Bracket | None:
        """Bounds of the loss."""
        if not self.is_private:
            return None
        ends = sorted((self.solution.lower, self.solution.upper))
        objective = self.solution.problem.objective
        if objective.is_logarithm:
            found = [self._excess(end) for end in ends]
        elif any(end <= 0 for end in ends):
            return None
        else:
            found = [self._excess(end) / end for end in ends]
        return Bracket(max(min(found), Fraction(0)), max(*found, Fraction(0)))

    @property
    def respondents(self) -> Bracket | None:
        """Bounds of ``v/optimum`` for a variance."""
        objective, loss = self.solution.problem.objective, self.loss
        is_variance = objective.is_total or objective.is_of_prevalence or objective.is_one_contrast
        return None if loss is None or not is_variance else Bracket(1 + loss.lower, 1 + loss.upper)

    def _ends(self) -> tuple[Fraction, Fraction]:
        """Return the value of the design that was found, and the bound that no private mechanism passes."""
        ends = self.solution.upper, self.solution.lower
        return ends if self._is_minimised() else ends[::-1]

    def _is_minimised(self) -> bool:
        return self.solution.problem.objective.sense == "minimise"

    def _excess(self, end: Fraction) -> Fraction:
        return self.value - end if self._is_minimised() else end - self.value

    def lines(self) -> list[tuple[str, str]]:
        """Return the answer, both values, the loss, and what the certificate proves."""
        objective = self.solution.problem.objective
        told = [
            ("problem", str(self.solution.problem)),
            ("optimal", self.answer),
            (objective.title, both_texts(self.value)),
            ("optimum", both_texts(self.solution.value) if self.solution.is_exact else str(self.solution.bracket)),
        ]
        if (loss := self.loss) is not None and self.answer != YES:
            told.append(("loss", _percent(loss, is_difference=objective.is_logarithm)))
        if (needed := self.respondents) is not None and self.answer != YES:
            told.append(
                ("respondents", f"{decimal_outwards(needed.upper, up=True, digits=6)} for each one of the optimum")
            )
        return [*told, *self.solution.twin_lines(), ("certificate", self._proof())]

    def _proof(self) -> str:
        """Return what the certificate of the optimum proves about the mechanism."""
        if self.solution.certificate is None or not self.solution.is_certified:
            return "none: the bounds of the optimum are computed"
        gap = "" if self.solution.is_exact else " by more than the gap of the bounds"
        return {
            YES: f"accepted; it proves that no mechanism of the level is better{gap}",
            NO: "accepted; its design has a better value and is private at the level",
            OPEN: "accepted; it proves the bounds of the optimum",
        }.get(self.answer, "accepted; it proves the optimum of the level")


def _percent(loss: Bracket, *, is_difference: bool) -> str:
    ends = [
        decimal_outwards(100 * x if not is_difference else x, up=up, digits=4)
        for x, up in ((loss.lower, False), (loss.upper, True))
    ]
    unit = "" if is_difference else " %"
    return f"{ends[1]}{unit}" if loss.lower == loss.upper else f"{ends[0]} to {ends[1]}{unit}"


@clear_calls
def optimality(
    mechanism: object,
    objective: str | Objective | None = None,
    *,
    epsilon: object = None,
    delta: object = 0,
    level: Level | str | None = None,
    prevalence: object = None,
    population: Sequence[object] | None = None,
    fast: bool = False,
) -> Optimality:
    """Judge whether a mechanism is optimal, as ``rropt compare --objective`` does.

    Args:
        mechanism: a mechanism, a matrix of m outputs and k inputs, a name or a file.
        objective: the name of an objective, with its parameters after a colon (``"loss:absolute"``), or an object of
            ``rropt.objectives``; by default the variance for two categories at one epsilon and delta (or a criterion),
            and A-optimality otherwise.
        epsilon, delta: the level; by default the mechanism's own.
        level: instead of epsilon, a level of ``rropt.privacy``, or its text form.
        prevalence: the prevalence at which the variance is judged (default: 1/2).
        population: the proportions of the categories; by default they are equal.
        fast: whether to leave out the twins of the optimum.

    Raises:
        InvalidParameterError: as ``rropt.Problem.kary``.
        InfeasibleError, UnsupportedProblemError: the objective is not defined at the mechanism, or the problem has no
            optimum.

    >>> found = optimality("grr:4,2/5", epsilon="log(3)")
    >>> found.answer, str(found.value), str(found.solution.value)
    ('no', '75/4', '27/4')
    """
    require_flags(fast=fast)
    objective = as_lists(objective)
    require_lists(population=population)
    require_given(objective=objective, epsilon=epsilon, prevalence=prevalence)
    given = required_mechanism(mechanism)
    own = given.epsilon if epsilon is None and level is None else epsilon
    stated = given_level(own, delta, level)
    problem = posed_for(given, objective, stated, prevalence=prevalence, population=population)
    return judge_optimality(given, problem, fast=fast)


def posed_for(
    given: Mechanism,
    objective: str | Objective | None,
    level: Level,
    *,
    prevalence: object = None,
    population: Sequence[object] | None = None,
) -> Problem:
    """Return the problem that a mechanism is judged by, with the defaults of ``optimality``."""
    k = given.inputs
    is_one = level.is_single or level.criterion is not None
    if not isinstance(objective, str | Objective | None):
        raise InvalidParameterError(
            f"`objective` is no objective: received {shown_with_type(objective)}; allowed are a text such as "
            "'a-optimal', and those of rropt.objectives"
        )
    asked = objective or ("variance" if k == 2 and is_one else "a-optimal")
    if asked == "variance" and k == 2:
        assumed = "1/2" if population is None else exact_population(population, 2)[1]
        pi = assumed if prevalence is None else prevalence
        return Problem.binary(pi, level=level, outputs="any" if given.outputs > 2 else 2)
    if prevalence is not None:
        raise InvalidParameterError("`prevalence` belongs to the variance of two categories: give `population`")
    return Problem.kary(k, level=level, objective=asked, population=population)


@clear_calls
def judge_optimality(mechanism: object, problem: Problem, *, fast: bool = False) -> Optimality:
    """Judge whether a mechanism is optimal for a problem: its level, its objective and its proportions.

    Args:
        mechanism: a mechanism, a matrix of m outputs and k inputs, a name or a file.
        problem: a problem at one level, such as ``Problem.kary(4, epsilon="log(3)")``.
        fast: whether to leave out the twins of the optimum.

    Raises:
        InvalidParameterError: the numbers of categories differ, or the problem has several levels or distributions.
        InfeasibleError, UnsupportedProblemError: the objective is not defined at the mechanism, or the problem has no
            optimum.

    >>> from rropt.designs import Problem
    >>> found = judge_optimality("grr:4,1/2", Problem.kary(4, epsilon="log(3)", objective="a-optimal"))
    >>> found.answer, str(found.value), str(found.solution.value)
    ('yes', '27/4', '27/4')
    """
    require_flags(fast=fast)
    given = required_mechanism(mechanism)
    asked = required(problem, Problem, "the problem", 'Problem.kary(4, epsilon="log(3)")')
    if asked.region.inputs != given.inputs:
        raise InvalidParameterError(
            f"the numbers of categories differ: received a mechanism of {given.inputs} and a problem of "
            f"{asked.region.inputs}; give a problem for {given.inputs}"
        )
    if asked.region.outputs and given.outputs > asked.region.outputs:
        raise InvalidParameterError(
            f"the mechanism has more outputs than the designs of the problem: received {given.outputs}, and "
            f"{asked.region.outputs}; give a problem with outputs='any'"
        )
    return Optimality(given, solve(asked, fast=fast))
