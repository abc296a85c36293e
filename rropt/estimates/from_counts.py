"""``rropt estimate --counts``: the estimate of a question, or of several, from the counts of the responses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rropt.answers.respondents import answers_of_counts
from rropt.answers.response_counts import answer_count, answer_counts, given_counts
from rropt.answers.responses import Responses
from rropt.core.argument_checks import clear_calls, require_flags, require_given, require_lists
from rropt.core.errors import InvalidParameterError, refuse_given
from rropt.core.exact import exact_confidence
from rropt.estimates.asking import mean
from rropt.estimates.counted_estimates import estimates_of_counts
from rropt.estimates.estimated import Estimates
from rropt.estimates.finite_estimates import estimates_of_population
from rropt.estimates.question_estimates import estimate_questions
from rropt.inference.count_estimates import estimate as estimated
from rropt.inference.finite_populations import finite_population
from rropt.mechanisms import Mechanism, RandomQuestions
from rropt.mechanisms.imports import required_mechanism
from rropt.mechanisms.question_selection import product_of


def require_one_number(marginals: object) -> None:
    """Require that the marginals of a mechanism with numbers are those of one question."""
    if marginals != 1:
        raise InvalidParameterError(
            f"the mechanism has the numbers of one question: received `marginals={marginals}`; give `marginals=1` for "
            "the proportions of the numbers, or leave it out for their mean"
        )


@clear_calls
def estimate_of_options(
    mechanism: Mechanism | str,
    counts: Sequence[object] | None = None,
    *,
    yes: object = None,
    n: object = None,
    marginals: int | None = None,
    joint: bool = False,
    population: object = None,
    cards_without_replacement: bool = False,
    reference: Sequence[object] | None = None,
    contrast: Sequence[object] | None = None,
    confidence: object = None,
) -> Estimates:
    """Estimate proportions from the counts of randomized responses, with all options of the command.

    In Python ``rropt.estimate(counts, mechanism)`` estimates from counts, and ``rropt.Responses`` from responses.

    Args:
        mechanism: the mechanism of all respondents, or its text form, such as ``"warner:3/4"``. If it has numbers
            (``rropt.design.mean``), the mean of the numbers is estimated.
        counts: the number of times each output occurred, shape (m,).
        yes, n: instead of counts, the number of responses 1 and of all responses, for two outputs.
        marginals: the number k of questions of each table; all tables of k questions are estimated. 1 for a mechanism
            with numbers: the proportions of the numbers, not their mean.
        joint: whether the counts are those of several questions, whose joint distribution is estimated.
        population: the size N of a finite population.
        cards_without_replacement: with ``population``, whether the cards were dealt from one deck.
        reference: the distribution at which the unbiased estimator has least variance; uniform by default.
        contrast: instead of the proportions, one linear combination of them, shape (k,).
        confidence: the confidence of the intervals; 0.95 by default.

    Returns:
        The proportions. They are fractions, unbiased and hence not limited to [0, 1].

    Raises:
        InvalidParameterError: arguments do not belong together, or the counts do not fit the mechanism.

    >>> print(estimate_of_options("warner:3/4", [60, 40]).estimate)
    3/10
    """
    require_flags(joint=joint, cards_without_replacement=cards_without_replacement)
    require_lists(counts=counts, reference=reference, contrast=contrast)
    require_given(mechanism=mechanism, yes=yes, n=n, marginals=marginals, population=population, confidence=confidence)
    made = required_mechanism(mechanism)
    others = {"marginals": marginals, "joint": joint, "contrast": contrast, "reference": reference}
    given = {name for name, value in others.items() if value is not None and value is not False}
    if isinstance(made, RandomQuestions):
        raise InvalidParameterError(
            "random questions are estimated from a table with a column for each: received counts; give the table"
        )
    level = exact_confidence("0.95" if confidence is None else confidence)
    if population is not None:
        refuse_given(given, "`population` is about one trait", *others)
        exact = answer_counts(made, given_counts(made, counts, None, yes, n))
        whole = answer_count(population, "population", least=1)
        people = finite_population(made, exact, whole, is_dealt=cards_without_replacement)
        return replace(estimates_of_population(people, made, "response"), confidence=level)
    refuse_given(
        {"cards_without_replacement"} if cards_without_replacement else set(),
        "cards are dealt to a finite population (`population`)",
        "cards_without_replacement",
    )
    if made.output_values and marginals is None:
        refuse_given(given, "the mean of a number is estimated; ask for its proportions (`marginals=1`)", *others)
        responses = Responses.from_counts(given_counts(made, counts, None, yes, n), made)
        return replace(mean(responses), confidence=level)
    if made.output_values:
        require_one_number(marginals)
        given.discard("marginals")
    if not given.isdisjoint(("marginals", "joint")):
        refuse_given(given, "with `marginals` or `joint` there is no contrast of all cells", "contrast", "reference")
        if counts is None or (yes, n) != (None, None):
            raise InvalidParameterError(
                "several questions need the counts of all combinations: received `yes` or `n`; give `counts`"
            )
        answers = answers_of_counts(product_of(made), counts)
        return estimate_questions([answers], marginals=marginals, confidence=level)
    one = estimated(made, counts, yes=yes, n=n, reference=reference)
    return estimates_of_counts(one, "response", confidence=level, contrast=contrast)
