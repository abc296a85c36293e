"""Privacy levels of several questions: of the full report, of each question, and by the number of differing truths."""

from __future__ import annotations

from dataclasses import dataclass

from rropt.core.exact import Epsilon, both_texts
from rropt.core.results import Result
from rropt.mechanisms.product import ProductMechanism

_DIFFERING = 64  # largest number of differing questions for which a level is reported
_LISTED = 8  # distinct levels of questions that the summary lists


@dataclass(frozen=True, slots=True)
class QuestionLevels(Result):
    """The exact privacy levels of a product of devices, one for each question.

    Attributes:
        whole_answer: epsilon of the full report, for any two combinations of true answers.
        questions: the epsilon of each question, in order.
        worst_question: the largest of these.
        differing: epsilon for truths that differ in at most 1, 2, ... questions, up to 64.
    """

    whole_answer: Epsilon
    questions: tuple[Epsilon, ...]
    worst_question: Epsilon
    differing: tuple[Epsilon, ...]

    def lines(self) -> list[tuple[str, str]]:
        """Return the labelled lines of the summary; if there are many questions, the range of their levels."""
        texts = list(dict.fromkeys(both_texts(level).partition(" ~ ")[0] for level in self.questions))
        count = len(self.questions)
        told = f"{texts[0]} each"
        if len(texts) > 1:
            told = ", ".join(texts[:_LISTED]) + ", ..." * (len(texts) > _LISTED)
            told += f"; at most {both_texts(self.worst_question)}"
        rows = [(f"epsilon of the {count} questions, one by one", told)]
        if count > 2:
            some = [both_texts(level, 6) for level in self.differing[1 : min(count, 5) - 1]]
            rows.append(("epsilon if 2, 3, ... of them differ", "; ".join(some) + "; ..." * (count > 5)))
        return rows


def question_levels(mechanism: ProductMechanism) -> QuestionLevels:
    """Return the exact levels of the questions of a product.

    Args:
        mechanism: a product of n devices, one for each question.

    >>> from rropt.mechanisms import named_mechanism
    >>> levels = question_levels(named_mechanism("bits:3/4*2"))
    >>> str(levels.whole_answer), [str(level) for level in levels.questions]
    ('log(9)', ['log(3)', 'log(3)'])
    """
    most = min(len(mechanism.factors), _DIFFERING)
    return QuestionLevels(
        mechanism.epsilon,
        mechanism.factor_epsilons,
        mechanism.differing_epsilon(1),
        tuple(mechanism.differing_epsilon(k) for k in range(1, most + 1)),
    )
