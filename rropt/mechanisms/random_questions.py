"""Random questions: each respondent answers j of N yes/no questions, by randomized response on their 2^j cells.

The set S of j questions is drawn uniformly, independently of the answers, and is part of the report. The answers to S
are one of ``K = 2^j`` cells. The true cell is reported with probability ``g/(g + K - 1)``, each other one with
``1/(g + K - 1)``, so the level is g = exp(epsilon) in full: only questions that are asked use it.

In other words: with probability ``t = (g - 1)/(g + K - 1)`` all j answers are true, otherwise each is a fair coin. The
answers to some m of the j questions are therefore randomized response on 2^m cells with the same t. For m = 1 this is
Warner's device with ``p = (1 + t)/2``.

The mechanism does not determine the joint distribution of questions that are never asked together.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property
from math import comb
from typing import Any

from rropt.core.errors import InvalidMechanismError, InvalidParameterError, shown
from rropt.core.exact import as_text, both_texts, rational
from rropt.core.exact.numbers import plain_integer
from rropt.core.limits import MAX_ENTRY_DIGITS
from rropt.core.visible import with_noun
from rropt.mechanisms.columns import whole_parameter
from rropt.mechanisms.dichotomies import Dichotomy
from rropt.mechanisms.kronecker import Vector, require_length_limit
from rropt.mechanisms.mechanism import Mechanism, require_keys
from rropt.mechanisms.product import ProductMechanism
from rropt.mechanisms.words import chance_text

MOST_ASKED = 20  # questions that are answered together: more have more than a million cells
_MOST_QUESTIONS = 10_000
_MOST_SHOWN = 4096  # entries of a matrix that is printed
_FORM = '{"questions": "10", "asked": "1", "gamma": "3"}'


class RandomQuestions(Mechanism, key="random-questions"):
    """A random set of j of N yes/no questions, answered by randomized response on their 2^j cells.

    Inputs are the combinations of N answers, ``sum_l x_l 2^l``. Output ``s 2^j + c`` is set number s, in lexicographic
    order, with the cell c, whose digits to base 2 are the answers to the questions of the set in ascending order.

    Args:
        questions: N, the number of questions.
        asked: j, the number of questions that each respondent answers, 1 <= j <= N, at most 20.
        gamma: g = exp(epsilon) of the full report, above 1.

    >>> some = RandomQuestions(10, 1, 3)
    >>> some.shape[1], str(some.epsilon), str(some.question.p00), some.set_of(19)
    (1024, 'log(3)', '3/4', (9,))
    """

    PARTS = ("questions", "asked", "odds")
    questions: int
    asked: int
    odds: Fraction

    def __new__(cls, questions: object, asked: object, gamma: object, *, name: str | None = None) -> RandomQuestions:
        """Build the mechanism from the numbers of questions and gamma."""
        n = whole_parameter(questions, "the number of questions", 1, _MOST_QUESTIONS)
        j = whole_parameter(asked, "the number of questions asked", 1, min(n, MOST_ASKED))
        odds = rational(gamma, name="gamma", digits=MAX_ENTRY_DIGITS)
        if not odds > 1:
            raise InvalidMechanismError(f"gamma is out of range: received {shown(odds)}; allowed is gamma > 1")
        return cls.made(name, questions=n, asked=j, odds=odds)

    @cached_property
    def shape(self) -> tuple[int, int]:
        """``(C(N, j) 2^j, 2^N)``."""
        return comb(self.questions, self.asked) << self.asked, 1 << self.questions

    @property
    def is_small(self) -> bool:
        """Whether the matrix is printed: up to 4 096 entries."""
        return self.inputs * self.outputs <= _MOST_SHOWN

    @property
    def truthful(self) -> Fraction:
        """t, the probability that all reported answers are true whatever they are; otherwise each is a fair coin."""
        return (self.odds - 1) / (self.odds + (1 << self.asked) - 1)

    @property
    def question(self) -> Mechanism:
        """The device of each question among those who are asked it: Warner's with ``p = (1 + t)/2``."""
        p = (1 + self.truthful) / 2
        return Mechanism.binary(p, p)

    @property
    def cells(self) -> Mechanism:
        """The device of the j questions that one respondent is asked: randomized response on their 2^j cells."""
        return self.together(self.asked)

    def together(self, count: int) -> Mechanism:
        """Return the device of some m of the questions that are asked together, on their 2^m cells."""
        m = plain_integer(count)
        if type(m) is not int or not 1 <= m <= self.asked:
            raise InvalidParameterError(
                f"the questions are not asked together: received {shown(count)}; allowed are 1 to {self.asked} of them"
            )
        size, other = 1 << m, (1 - self.truthful) / (1 << m)
        require_length_limit(size * size, "the matrix")
        return Mechanism.made(
            None,
            matrix=tuple(tuple(other + self.truthful * (i == j) for j in range(size)) for i in range(size)),
        )

    def each(self) -> ProductMechanism:
        """Return the devices of all questions; as a product it would be the mechanism that asks everything."""
        return ProductMechanism([self.question] * self.questions)

    def set_of(self, output: int) -> tuple[int, ...]:
        """Return the questions that are asked in an output."""
        rest, chosen, first = plain_integer(output) >> self.asked, [], 0
        for left in range(self.asked, 0, -1):
            while rest >= (some := comb(self.questions - first - 1, left - 1)):
                rest, first = rest - some, first + 1
            chosen.append(first)
            first += 1
        return tuple(chosen)

    def row(self, i: int) -> Vector:
        """Return the 2^N probabilities of output i."""
        if not 0 <= i < self.outputs:
            raise InvalidMechanismError(f"there is no such output: received {shown(i)}; allowed are 0 to m - 1")
        require_length_limit(self.inputs, "the row")
        asked, cell = self.set_of(i), i & ((1 << self.asked) - 1)
        other = (1 - self.truthful) / (1 << self.asked) / comb(self.questions, self.asked)
        own = other * self.odds
        mask = sum(1 << question for question in asked)
        wanted = sum((cell >> place & 1) << question for place, question in enumerate(asked))
        return tuple(own if x & mask == wanted else other for x in range(self.inputs))

    def parity(self) -> Fraction:
        """Return the odds: two inputs that differ in a question are told apart by a set that asks it."""
        return self.odds

    def _kinds_of_pairs(self) -> Iterator[Dichotomy]:
        """Yield the dichotomy of two opposite inputs, which differ in every set; no pair is easier to distinguish."""
        other = 1 / (self.odds + (1 << self.asked) - 1)
        rest = ((1 << self.asked) - 2) * other
        masses = [(self.odds * other, other), (other, self.odds * other), (rest, rest)]
        yield Dichotomy.of_fractions((0, self.inputs - 1), masses)

    def form(self) -> dict[str, Any]:
        """Return ``{"random-questions": {"questions": ..., "asked": ..., "gamma": ...}}``."""
        numbers = {"questions": str(self.questions), "asked": str(self.asked), "gamma": as_text(self.odds)}
        return {"random-questions": numbers}

    @classmethod
    def from_data(cls, data: Any) -> Mechanism:
        """Build the mechanism from the JSON value under the form's key."""
        require_keys(data, _FORM, "random questions are")
        return cls(data["questions"], data["asked"], data["gamma"])

    def in_words(self) -> str:
        """Return the device in words."""
        how = f"all answers kept with {chance_text(self.truthful)}, otherwise a fair coin for each"
        if self.asked == 1:
            how = f"true answer reported with {chance_text(self.question.p00)}, the other one otherwise"
        return f"{self._said()}: {how}"

    def _said(self) -> str:
        asked = with_noun(self.asked, "random question")
        return f"{asked} of {self.questions} for each respondent"

    def _described(self) -> str:
        return f"{self._said()}, epsilon = {both_texts(self.epsilon)}"

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.asked} of {self.questions} questions{self._named()}>"
