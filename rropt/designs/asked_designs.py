"""Designs that ask each respondent some of several yes/no questions, at the full level (``RandomQuestions``).

With N questions, a random set of j of them, ``K = 2^j`` and g = exp(epsilon), question l is answered by the proportion
j/N of the respondents, with Warner's device of probability ``p = (g + K/2 - 1)/(g + K - 1)``. So

    ``n Var_l = (N/j) (pi_l (1 - pi_l) + p (1 - p)/(2 p - 1)^2)``

At the prevalences 1/2 the sum over the questions is ``(N^2/(4 j)) ((K + g - 1)/(g - 1))^2``. The split of the budget
over all questions (``bits``) has the level epsilon/N for each. Only the split estimates
the joint distribution of all questions. Random sets estimate joint distributions of at most j questions, each from the
respondents who were asked all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from rropt.core.errors import InfeasibleError, InvalidParameterError, UnsupportedProblemError, shown
from rropt.core.exact import Bounded, Epsilon, both_texts, decimal_text
from rropt.core.exact.numbers import whole_where
from rropt.core.results import Result, Table, labelled
from rropt.core.results.result_frames import row_with
from rropt.designs.bits import design_bits, drawable_parity
from rropt.designs.splits import Marginals, split_objective
from rropt.mechanisms import RandomQuestions
from rropt.mechanisms.random_questions import MOST_ASKED

_CARDS = 100  # of a deck that is counted out by hand
_DIGITS = 60  # of the rational bounds of exp(epsilon)


@dataclass(frozen=True, slots=True)
class RandomQuestionsDesign(Result, Bounded):
    """A random set of j of N yes/no questions for each respondent, beside the split of the budget over all of them.

    Attributes:
        lower, upper: bounds of the objective at the level; ``upper`` is its value at the returned mechanism. They
            bound designs of this form; the split is another one.
        level: epsilon of the full report.
        weights: the weights of the questions in the objective, the sum of ``weight * n Var``.
        prevalences: the assumed Pr(yes) of each question.
        mechanism: the mechanism.
        split: the objective of the optimal split of the budget over all questions.
    """

    lower: Fraction
    upper: Fraction
    level: Epsilon
    weights: tuple[Fraction, ...]
    prevalences: tuple[Fraction, ...]
    mechanism: RandomQuestions
    split: Fraction

    LABELS = labelled(
        level="epsilon of the full report, at most",
        asked="questions that each respondent answers",
        value="sum of weight times n Var",
        split="the same, of the budget split over all questions",
        respondents="respondents relative to the split",
        truthful="answers kept with probability",
        cards="nearest design for 100 cards",
        **dict.fromkeys(["lower", "upper", "weights", "prevalences", "mechanism", "n_variances", "p", "loses"], ""),
    )
    certificate: ClassVar[None] = None
    bound_certificate: ClassVar[None] = None

    @classmethod
    def recompute(
        cls,
        level: Epsilon,
        weights: tuple[Fraction, ...],
        prevalences: tuple[Fraction, ...],
        mechanism: RandomQuestions,
    ) -> RandomQuestionsDesign:
        """Return the design of a record, computed again."""
        return design_random_questions(level, mechanism.asked, weights=weights, prevalences=prevalences)

    def bracketed(self) -> tuple[str, Any, None]:
        """Return the name of the bounded quantity, and its bounds; no certificate states it."""
        return "objective", self.bracket, None

    @property
    def asked(self) -> int:
        """j, the number of questions that each respondent answers."""
        return self.mechanism.asked

    @property
    def value(self) -> Fraction:
        """The objective at the returned mechanism."""
        return self.upper

    @property
    def truthful(self) -> Fraction:
        """The probability that all answers of a respondent are kept as they are; otherwise each is a fair coin."""
        return self.mechanism.truthful

    @property
    def p(self) -> Fraction:
        """The probability of a true answer to a question that is asked."""
        return self.mechanism.question.p00

    @property
    def respondents(self) -> Fraction:
        """The number of respondents for the same precision, divided by that of the split."""
        return self.value / self.split

    @property
    def n_variances(self) -> tuple[Fraction, ...]:
        """n Var of each estimated prevalence, for n respondents in all."""
        return _variances(self.mechanism, self.prevalences)

    @property
    def loses(self) -> str:
        """What this design cannot estimate and the split can, in words."""
        n, j = self.mechanism.questions, self.asked
        if j == n:
            return "nothing: all questions are asked"
        if j == 1:
            return "joint distributions, and regressions across questions"
        return f"joint distributions of more than {j} questions, and regressions across them"

    @property
    def cards(self) -> str | None:
        """The text form of the design nearest below the level that at most 100 numbered cards play; None without one.

        With D cards, c of them for each of the 2^j answers and the rest for the truth, gamma is ``D/c - 2^j + 1``.
        """
        cells, gamma = 1 << self.asked, self.mechanism.gamma
        decks = (
            Fraction(min(int((gamma + cells - 1) * own), _CARDS), own) - cells + 1
            for own in range(1, _CARDS // cells + 1)
        )
        best = max((one for one in decks if one > 1), default=None)
        return None if best is None else f"ask:{self.mechanism.questions},{self.asked},{best}"

    @property
    def problem(self) -> _Posed:
        """The problem of the design, for the file of its mechanism."""
        return _Posed(self)

    def frame_rows(self) -> list[dict[str, Any]]:
        """Return one row for each question: weight, prevalence and n Var."""
        columns = zip(self.weights, self.prevalences, self.n_variances, strict=True)
        return [row_with(question=i, weight=w, prevalence=pi, n_var=v) for i, (w, pi, v) in enumerate(columns)]

    def as_tables(self) -> list[Table]:
        """Return a table of the questions, and the table of ``lines``."""
        columns = zip(self.weights, self.prevalences, self.n_variances, strict=True)
        rows = [(str(i), *(both_texts(x, 6) for x in row)) for i, row in enumerate(columns)]
        return [
            ("Questions", ("question", "weight", "prevalence", "n Var"), rows),
            ("Random questions", None, self.lines()),
        ]

    def lines(self) -> list[tuple[str, str]]:
        """Return the results as (label, value) pairs."""
        times = self.respondents
        told = f"{decimal_text(1 / times, 3)} times fewer" if times < 1 else f"{decimal_text(times, 3)} times more"
        found = [(what, told if what == self.LABELS["respondents"] else text) for what, text in Result.lines(self)]
        return [*found, ("device", self.mechanism.in_words()), ("cannot be estimated", self.loses)]


@dataclass(frozen=True, slots=True)
class _Posed:
    """The question that random questions answer."""

    design: RandomQuestionsDesign

    def to_dict(self) -> dict[str, Any]:
        """Return the question as JSON."""
        own = self.design
        texts = {name: list(map(str, getattr(own, name))) for name in ("weights", "prevalences")}
        return {"epsilon": own.level.to_dict(), "objective": "marginals", "asked": str(own.asked), **texts}


def design_random_questions(
    epsilon: object,
    ask: int,
    *,
    questions: int | None = None,
    weights: Sequence[object] | None = None,
    prevalences: Sequence[object] | None = None,
) -> RandomQuestionsDesign:
    """Return the design that asks each respondent some random questions, at the full level.

    Args:
        epsilon: the level of the full report.
        ask: j, the number of questions that each respondent answers, from 1 to N, at most 20.
        questions, weights, prevalences: as for ``design_bits``.

    Raises:
        InfeasibleError: epsilon = 0.
        InvalidParameterError: an argument is out of range.
        UnsupportedProblemError: epsilon is infinite or so small that the device is a fair coin.

    >>> found = design_random_questions("log(3)", 1, questions=4)
    >>> print(found.value, found.p, float(round(found.respondents, 3)))
    16 3/4 0.298
    """
    level, wanted = Epsilon.of(epsilon), split_objective("marginals", questions, weights, prevalences)
    assert isinstance(wanted, Marginals)
    n = len(wanted.prevalences)
    j = whole_where(ask, 1, min(n, MOST_ASKED), name="`ask`")
    if level == Epsilon.of(0):
        raise InfeasibleError(
            "epsilon = 0 leaves nothing to estimate: every truth must give the same outputs; allow epsilon > 0"
        )
    own: dict[str, Any] = {"weights": wanted.shares, "prevalences": wanted.prevalences}
    split = design_bits(level, **own, fast=True).value
    gamma = level.gamma_bracket(_DIGITS)
    used = gamma.lower if gamma.is_exact else drawable_parity(gamma.lower)
    if used <= 1:
        raise UnsupportedProblemError(
            f"epsilon is too small: received {shown(str(level))}; a device with a short denominator is a fair coin"
        )
    above, made = RandomQuestions(n, j, gamma.upper), RandomQuestions(n, j, used)
    ends = [
        sum((w * v for w, v in zip(wanted.shares, _variances(one, wanted.prevalences), strict=True)), Fraction(0))
        for one in (above, made)
    ]
    return RandomQuestionsDesign(ends[0], ends[1], level, wanted.shares, wanted.prevalences, made, split)


def _variances(mechanism: RandomQuestions, prevalences: Sequence[Fraction]) -> tuple[Fraction, ...]:
    p, times = mechanism.question.p00, Fraction(mechanism.questions, mechanism.asked)
    return tuple(times * (pi * (1 - pi) + p * (1 - p) / (2 * p - 1) ** 2) for pi in prevalences)


def require_askable(delta: object, objective: str, routes: object) -> None:
    """Raise an error for arguments that random questions do not take."""
    if delta != 0 or objective != "marginals" or routes is not None:
        what = "a delta" if delta != 0 else "routes" if routes is not None else f"the objective {shown(objective)}"
        raise InvalidParameterError(
            f"random questions have a closed form for the marginals, at delta = 0: received {what}; leave it out"
        )
