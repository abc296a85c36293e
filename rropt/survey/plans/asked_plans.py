"""The number of respondents for random questions: each question is planned among those who are asked it.

If the sets of questions are dealt in equal numbers, the proportion j/N of the respondents is asked each question. A set
that is drawn anew for each respondent gives these numbers on average.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil

from rropt.core.errors import InvalidParameterError
from rropt.core.exact import Epsilon
from rropt.core.results import Result, labelled
from rropt.mechanisms import RandomQuestions
from rropt.survey.estimates.response_counts import answer_count
from rropt.survey.plans.goals import MechanismPlan, plan_request
from rropt.survey.plans.requests import InferenceRules, PlanAssumptions, PlanGoal


@dataclass(frozen=True, slots=True)
class RandomQuestionsPlan(Result):
    """A plan for the prevalences of random questions.

    Attributes:
        mechanism: the random questions.
        n: the number of respondents in all.
        asked_each: the number of respondents who are asked each question, if the sets are dealt in equal numbers.
        question: the plan of one question among those who are asked it.
    """

    mechanism: RandomQuestions
    n: int
    asked_each: int
    question: MechanismPlan

    LABELS = labelled(
        n="respondents in all",
        asked_each="respondents who are asked each question",
        epsilon="epsilon of the full report",
        mechanism="",
        question="",
    )

    @property
    def epsilon(self) -> Epsilon:
        """The level of the full report."""
        return self.mechanism.epsilon()

    def lines(self) -> list[tuple[str, str]]:
        """Return (label, value) pairs for a table: all respondents, then one question."""
        own = [("device", self.mechanism.in_words()), *self.question.found.lines()]
        return [*Result.lines(self), *((f"each question: {what}", text) for what, text in own[1:]), own[0]]


def plan_random_questions(
    mechanism: RandomQuestions, goal: PlanGoal, assumed: PlanAssumptions, rules: InferenceRules
) -> RandomQuestionsPlan:
    """Return the number of respondents with which each question reaches a goal, or what n respondents achieve.

    Args:
        mechanism: the random questions.
        goal: the goal of each question, or n, the number of respondents in all.
        assumed, rules: as for ``plan_answers`` of one yes/no question.

    Raises:
        InvalidParameterError: n asks nobody some question. Also as for ``plan_answers``.

    >>> from rropt import plan
    >>> found = plan("ask:10,1,3", margin="0.05")
    >>> found.n, found.asked_each
    (15740, 1574)
    """
    share = Fraction(mechanism.asked, mechanism.questions)
    if goal.n is None:
        own = plan_request(mechanism.question, goal, assumed, rules)
        return RandomQuestionsPlan(mechanism, ceil(own.found.n / share), own.found.n, own)
    total = answer_count(goal.n, "n", least=1)
    each = int(total * share)
    if not each:
        raise InvalidParameterError(
            f"n is too small: received {total}; allowed are {ceil(1 / share)} respondents or more, so that each "
            "question is asked"
        )
    return RandomQuestionsPlan(
        mechanism, total, each, plan_request(mechanism.question, replace(goal, n=each), assumed, rules)
    )
