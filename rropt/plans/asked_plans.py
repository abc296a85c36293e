"""The number of respondents for random questions: each question is planned among those who are asked it.

If the sets of questions are dealt in equal numbers, the proportion j/N of the respondents is asked each question. A set
that is drawn anew for each respondent gives these numbers on average.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil

from rropt.answers.response_counts import answer_count
from rropt.core.errors import InvalidParameterError
from rropt.core.exact import Epsilon, rational
from rropt.core.results import Result, labelled
from rropt.mechanisms import RandomQuestions
from rropt.plans.goals import MechanismPlan, plan_request
from rropt.plans.requests import InferenceRules, PlanAssumptions, PlanGoal
from rropt.plans.sample_conditions import SIMPLE_SAMPLE, Conditions, SampleSizes


@dataclass(frozen=True, slots=True)
class RandomQuestionsPlan(Result):
    """A plan for the prevalences of random questions.

    Attributes:
        mechanism: the random questions.
        n: the number of respondents in all.
        asked_each: the number of respondents who are asked each question, if the sets are dealt in equal numbers.
        one_question: the plan of one question among those who are asked it.
        sample: the sizes of the whole sample, if its design effect, response rate, clusters or regions are given.
    """

    mechanism: RandomQuestions
    n: int
    asked_each: int
    one_question: MechanismPlan
    sample: SampleSizes | None = None

    LABELS = labelled(
        n="respondents in all",
        asked_each="respondents who are asked each question",
        epsilon="epsilon of the full report",
        mechanism="",
        one_question="",
        sample="",
    )

    @property
    def epsilon(self) -> Epsilon:
        """The level of the full report."""
        return self.mechanism.epsilon

    def lines(self) -> list[tuple[str, str]]:
        """Return (label, value) pairs for a table: all respondents, then one question."""
        own = [("device", self.mechanism.in_words()), *self.one_question.found.lines()]
        sample = [] if self.sample is None else self.sample.lines()
        return [*Result.lines(self), *sample, *((f"each question: {what}", text) for what, text in own[1:]), own[0]]


def plan_random_questions(
    mechanism: RandomQuestions,
    goal: PlanGoal,
    assumed: PlanAssumptions,
    rules: InferenceRules,
    sample: Conditions = SIMPLE_SAMPLE,
) -> RandomQuestionsPlan:
    """Return the number of respondents with which each question reaches a goal, or what n respondents achieve.

    Args:
        mechanism: the random questions.
        goal: the goal of each question, or n, the number of respondents in all.
        assumed, rules: as for ``plan_request`` of one yes/no question.
        sample: the conditions of the whole sample. Of the m respondents in a cluster, m j/N are asked a question.

    Raises:
        InvalidParameterError: n is so small that a question is asked of nobody. Also as for ``plan_request``.

    >>> from rropt import plan
    >>> found = plan.margin("ask:10,1,3", "0.05")
    >>> found.n, found.asked_each
    (15740, 1574)
    """
    share = Fraction(mechanism.asked, mechanism.questions)
    size = None if sample.cluster_size is None else max(Fraction(1), rational(sample.cluster_size) * share)
    among = replace(sample, cluster_size=size, response_rate=None)

    def planned(n: int, each: int, own: MechanismPlan) -> RandomQuestionsPlan:
        effect = Fraction(1) if own.sample is None else own.sample.design_effect
        return RandomQuestionsPlan(mechanism, n, each, own, sample.sizes(n, effect))

    if goal.n is None:
        own = plan_request(mechanism.question, goal, assumed, rules, among)
        return planned(ceil(own.found.n / share), own.found.n, own)
    total = answer_count(goal.n, "n", least=1)
    each = int(total * share)
    if not each:
        raise InvalidParameterError(
            f"n is too small: received {total}; allowed are {ceil(1 / share)} respondents or more, so that each "
            "question is asked"
        )
    return planned(total, each, plan_request(mechanism.question, replace(goal, n=each), assumed, rules, among))
