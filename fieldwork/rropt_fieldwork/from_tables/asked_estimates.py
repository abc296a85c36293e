"""``rropt estimate`` and ``Survey.estimate``: the options decide which function answers, from counts or a table."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import KW_ONLY, dataclass, fields, replace
from functools import partial
from inspect import signature
from math import prod
from typing import Any

from rropt.answers import TableReading
from rropt.answers.response_counts import answer_count, answer_counts, given_counts, require_possible
from rropt.core.argument_checks import (
    refuse_false,
    require_fitting,
    require_flags,
    require_given,
    require_lists,
    require_texts,
)
from rropt.core.errors import InvalidParameterError, name_of, names_of, refuse_given
from rropt.core.exact.numbers import exact_confidence
from rropt.estimates import estimates_of_counts
from rropt.inference import Estimate
from rropt.inference import estimate as estimated
from rropt.inference.count_estimates import estimate_of_counts
from rropt.mechanisms import Mechanism, RandomQuestions
from rropt.mechanisms.imports import required_mechanism
from rropt.mechanisms.question_selection import product_of, with_named_cells
from rropt.mechanisms.subsets import Subsets
from rropt_fieldwork.counts.aggregated_counts import AggregatedCounts, counts_of
from rropt_fieldwork.reading.device_columns import answers_by_device, counts_by_device, require_one_device
from rropt_fieldwork.reading.formats import is_counts
from rropt_fieldwork.reading.table import STATED_BY_READ, table_of
from rropt_fieldwork.reading.table_arguments import RespondentArguments, TableArguments

_DESIGN = ("weights", "strata", "clusters", "fpc", "post_strata", "single_psu", "replicates")


@dataclass(frozen=True)
class EstimateArguments(TableArguments):
    """The options of ``rropt estimate``, in Python those of ``Survey.estimate``.

    Attributes:
        mechanism: the mechanism of all respondents, or its text form, such as ``"warner:3/4"``.
        counts: the number of times each output occurred, shape (m,).
        responses: instead of counts, the randomized responses, shape (n,), integers 0..m-1.
        yes, n: instead of counts, the number of responses 1 and of all responses, for two outputs.
        data: a table with a row for each respondent, as for ``estimate_table``; ``rropt_fieldwork.read`` states how it
            is read.
        column, columns: the column of one question, or the columns of several.
        categories, by, devices, device_names: as for ``estimate_table``.
        marginals: the number k of questions of each table; all tables of k questions are estimated.
        joint: whether counts are those of several questions, whose joint distribution is estimated.
        weights, strata, clusters, fpc, post_strata, single_psu, replicates: as for ``estimate_table``.
        population: the size N of a finite population.
        cards_without_replacement: with ``population``, whether the cards were dealt from one deck.
        reference: the distribution at which the unbiased estimator has least variance; uniform by default.
        contrast: instead of the proportions, one linear combination of them, shape (k,): of one question, or of the
            cells of the joint table of several, of which the first question varies fastest.
        likelihood: for aggregated counts, whether to compute the maximum likelihood estimate too.
        test: with ``by``, the test of the differences: ``"score"`` or ``"exact"``, as for ``estimate_table``.
        confidence: the confidence of the intervals; 0.95 by default.
        distribution: for a mechanism with numbers, whether to estimate the proportions of the numbers, not their mean.
        arms: as for ``estimate_table``.
    """

    mechanism: Mechanism | str | None = None
    counts: Sequence[object] | None = None
    _: KW_ONLY
    responses: Any = None
    yes: object = None
    n: object = None
    data: Any = None
    column: str | None = None
    columns: str | Sequence[str] = ()
    by: str | Sequence[str] = ()
    marginals: int | None = None
    joint: bool = False
    population: object = None
    cards_without_replacement: bool = False
    reference: Sequence[object] | None = None
    contrast: Sequence[object] | None = None
    likelihood: bool = False
    test: str | None = None
    confidence: object = None
    distribution: bool = False


def _with_arms(asked: EstimateArguments) -> EstimateArguments:
    """Return the arguments with the devices of the arms."""
    if asked.data is None or asked.column is None:
        raise InvalidParameterError("arms are columns of a table: give `data`, and `column` as a name of the question")
    return asked.with_devices_of_arms(asked.mechanism)


def estimate_asked(asked: EstimateArguments) -> tuple[Any, TableReading | None]:
    """Return what is asked for, and the report on the table.

    The options decide which estimate this is:

    * ``counts``, ``yes`` and ``n``, ``responses``, or ``data`` with ``column``: the proportions of one question, an
      ``Estimates``; with ``contrast`` that linear combination.
    * ``data`` with several ``columns``, or counts with ``marginals`` or ``joint``: joint distributions (``Estimates``).
    * ``by``, ``devices`` with ``column``, or the columns of a complex survey: each question in each group
      (``Estimates``), as ``estimate_table`` gives them.
    * a mechanism with numbers (``rropt.design.mean``): the mean of the numbers, also by group and in a complex
      survey (``Estimates``); with ``distribution`` the proportions of the numbers, as above.
    * ``contrast`` of several ``columns``: one linear combination of the cells of their joint table, such as the
      proportion of people with exactly one of three traits (``Estimates``).
    * ``devices`` and ``contrast``: a contrast that the devices determine together, although no single one need do so,
      such as a trait by two samples with an unrelated question; any contrast by group and in a complex survey
      (``Estimates``).
    * ``population``: one trait in a finite population, from counts or one column (``Estimates``).
    * ``data`` that ``rropt count`` wrote: counts of outputs or of memberships, with their mechanism.

    Raises:
        InvalidParameterError: options do not belong together.
        Also as the functions named above.
    """
    refuse = partial(refuse_given, given := _given(asked))
    level = "0.95" if asked.confidence is None else asked.confidence
    if isinstance(asked.data, AggregatedCounts) or is_counts(table_of(asked.data).data):
        return _of_counts_file(asked, refuse, level)
    refuse("only a file of counts, which `rropt count` wrote, has no likelihood by default", "likelihood")
    asked = (asked if asked.arms is None else _with_arms(asked)).with_sample_of(table_of(asked.data))
    given = _given(asked)
    require_one_device(asked.mechanism, asked.devices)
    made = None if asked.mechanism is None else required_mechanism(asked.mechanism)
    is_one = asked.column is not None
    names = (name_of(asked.column, "column"),) if is_one else names_of(asked.columns, "columns")
    if not is_one and len(names) == 1 and given.isdisjoint(("marginals", "joint")) and _asks_one_question(made):
        asked, is_one = replace(asked, column=names[0], columns=()), True  # a list of one question is that question
    is_complex = not given.isdisjoint(_DESIGN)
    is_asked = isinstance(made, RandomQuestions)  # questions that nobody answers all
    if isinstance(made, RandomQuestions):
        if asked.data is None:
            refuse("random questions are estimated from a table with a column for each", "counts", "responses", "yes")
        elif not is_one and "by" not in given and not is_complex:
            refuse("questions that are not asked together have no joint estimate", "joint", "contrast", "reference")
            return _of_random_questions(asked, given, names, made)
        made = made.question if is_one else made.each()
    if not names and (is_complex or not given.isdisjoint(("devices", "by"))):
        raise InvalidParameterError(
            "`devices`, `by` and the options of complex surveys are names of columns: received one without `column` or "
            "`columns`; give the columns of the questions"
        )
    if asked.data is None:
        columned = ("column", "columns", "by", "devices", *_DESIGN, "categories")
        refuse("columns and their texts belong to `data`", *columned)
    if made is None or not made.output_values:
        refuse("`distribution` belongs to a mechanism with numbers, which `rropt design mean` makes", "distribution")
    if made is not None and made.output_values and not asked.distribution and asked.population is None:
        more = ("marginals", "joint", "contrast", "reference", "test", "devices", "likelihood")
        refuse("the mean of a number is estimated; ask for its proportions (`distribution`)", *more)
        return _of_numbers(asked, given, names, made)
    if asked.population is not None:
        mine = ("columns", "by", *_DESIGN, "marginals", "contrast", "reference", "joint", "devices", "arms", "test")
        refuse("`population` is about one trait, with `counts`, `yes` and `n`, or one column (`column`)", *mine)
        return _of_finite_population(asked, refuse, names, made, level)
    refuse("cards are dealt to a finite population (`population`)", "cards_without_replacement")
    is_plain = asked.data is None or made is None or type(made) is Mechanism  # a matrix has no subsets
    is_subset = made is not None and not is_plain and Subsets.of(made) is not None
    if is_subset and not names:
        raise InvalidParameterError(
            "a response is a subset of the categories: received `data` without the name of its column; give `column`"
        )
    is_by_group = "by" in given or is_complex
    if asked.data is not None and asked.contrast is not None and (is_by_group or asked.devices is not None):
        if is_subset or is_asked:
            refuse("a contrast by group is of questions that everybody answered with one category", "contrast")
        return _of_contrast(asked, refuse, names, made, level)
    if is_by_group or is_subset or (is_one and asked.devices is not None):
        why = "with `by`, `column` or a complex survey each proportion is estimated by itself"
        refuse(why, "counts", "yes", "n", "responses", "joint", *["marginals"] * (not is_complex))
        is_joint = is_complex and not asked.by and not (is_subset or is_asked)
        order = asked.marginals or (len(names) if is_joint and _has_joint_table(made, len(names)) else 1)
        return _of_each_proportion(asked, names, made, level, order)
    refuse("a test is of the differences of groups (`by`)", "test")
    is_joint = not given.isdisjoint(("contrast", "reference"))
    if not is_one and not given.isdisjoint(("data", "marginals", "joint")) and not (is_joint and "data" in given):
        refuse("with `marginals` or `joint` there is no contrast of all cells", "contrast", "reference")
        return _of_questions(asked, given, names, made)
    of_one = _of_one_question if is_one or asked.data is None else _of_joint_table
    one_question, reading = of_one(asked, refuse, names, made)
    question = ", ".join(names) if asked.data is not None else "response"
    found = estimates_of_counts(one_question, question, confidence=level, contrast=asked.contrast)
    missing = 0 if reading is None else reading.left_out or sum(one.missing for one in reading.questions)
    return replace(found, missing=(missing,) if missing else ()), reading  # the reading has the remark


def _asks_one_question(made: Mechanism | None) -> bool:
    """Return whether a mechanism, or each device of a column, is of one question; that of a column is read later."""
    return made is None or (not isinstance(made, RandomQuestions) and len(product_of(made).factors) == 1)


def _of_counts_file(
    asked: EstimateArguments, refuse: Callable[..., None], confidence: object
) -> tuple[Any, TableReading | None]:
    """Return the estimate from a file of counts, which contains its mechanism."""
    refuse("a file of counts contains its mechanism", "mechanism", "counts", "yes", "n", "column", "columns", "by")
    refuse("a file of counts is not weighted", *_DESIGN, "devices", "arms")
    refuse("a file of counts is no table", "categories")
    table_of(asked.data).require_only("a file of counts is no table")
    found = counts_of(table_of(asked.data).data)
    if found.counted == "memberships":
        from rropt_fieldwork.counts.membership_estimates import estimate_counts

        others = ("population", "reference", "contrast", "marginals", "joint", "test", "distribution")
        refuse("counts of memberships are of one question, with one kind of interval", *others)
        return estimate_counts(found, confidence=confidence, likelihood=asked.likelihood), None
    as_typed: dict[str, Any] = {"mechanism": found.mechanism, "counts": found.counts, "data": None, "likelihood": False}
    return estimate_asked(replace(asked, **as_typed))


def _of_one_question(
    asked: EstimateArguments, refuse: Callable[..., None], names: Sequence[str], made: Mechanism | None
) -> tuple[Estimate, TableReading | None]:
    """Return the estimate of one question, from its column or from its counts, without intervals."""
    assert made is not None  # devices of a column have estimates of their own
    if asked.column is None:
        own = {"responses": asked.responses, "yes": asked.yes, "n": asked.n}
        return estimated(made, asked.counts, **own, reference=asked.reference), None
    refuse("one column of the data has the answers", "counts", "yes", "n", "responses", "marginals", "joint")
    ((device, counts),), reading = _of_respondents(counts_by_device, asked, asked.data, names, made, 1)
    return estimate_of_counts(device, require_possible(device, tuple(counts)), asked.reference), reading


def _of_joint_table(
    asked: EstimateArguments, refuse: Callable[..., None], names: Sequence[str], made: Mechanism | None
) -> tuple[Estimate, TableReading | None]:
    """Return the estimate of all cells of several questions as the categories of one, from a table of respondents.

    The cells are in the order of counts: the first question varies fastest.
    """
    refuse("a table has the responses of the joint distribution", "counts", "yes", "n", "responses")
    refuse("the contrast, or the reference, is of all cells of one table", "marginals", "joint")
    assert made is not None  # with several devices a contrast is one of `_of_contrast`, and a reference is refused
    product = product_of(made)
    (answers,), reading = _of_respondents(answers_by_device, asked, asked.data, names, product, len(product.factors))
    device = with_named_cells(answers.mechanism)
    counts = tuple(map(int, answers.histogram()))
    return estimate_of_counts(device, require_possible(device, counts), asked.reference), reading


def _of_contrast(
    asked: EstimateArguments,
    refuse: Callable[..., None],
    names: Sequence[str],
    made: Mechanism | None,
    confidence: object,
) -> tuple[Any, TableReading | None]:
    """Return a contrast that the devices determine together, of all respondents or by group, also with weights."""
    from rropt.estimates.contrast_groups import contrasts_of_groups
    from rropt_fieldwork.reading.counted_tables import counted

    why = "a contrast by group, or of several devices, has one kind of interval"
    refuse(why, "counts", "yes", "n", "responses", "marginals", "joint", "test")
    questions = 1 if asked.column is not None else None if made is None else len(product_of(made).factors)
    table = table_of(asked.data)
    request = asked.request(table, names, made, questions, by=asked.by, sample=asked.sample)
    folders = () if request.sample.is_complex else None  # in order, on which sums of weights depend

    how: dict[str, Any] = {"weights": asked.weights, "arms": asked.arms, "folders": folders}
    work = partial(counted, request, sets=[range(len(request.titles))], is_joint=True)
    respondents = table.found(request.names, work, names, **how)
    level = exact_confidence(confidence)
    return contrasts_of_groups(respondents, asked.contrast or (), level, asked.reference), respondents.reading


def _of_each_proportion(
    asked: EstimateArguments, names: tuple[str, ...], made: Mechanism | None, confidence: object, order: int
) -> tuple[Any, TableReading | None]:
    """Return the estimates of each question by itself, or of all tables of ``order`` questions: by group, weighted."""
    from rropt_fieldwork.from_tables.estimating import GroupGoal, estimates_of_table

    told: dict[str, Any] = {"reference": asked.reference, "test": asked.test}
    goal = GroupGoal(names, names_of(asked.by, "by"), exact_confidence(confidence), order, **told)
    return estimates_of_table(asked.data, made, asked, goal)


def _has_joint_table(made: Mechanism | None, questions: int) -> bool:
    """Return whether the joint table of several questions can be estimated with weights."""
    from rropt.estimates.weighting import MOST_CELLS

    if made is None:
        return 1 << questions <= MOST_CELLS
    sizes = [one.inputs for one in product_of(made).factors]
    return bool(prod(sizes if len(sizes) == questions else sizes * questions) <= MOST_CELLS)


def _of_finite_population(
    asked: EstimateArguments,
    refuse: Callable[..., None],
    names: Sequence[str],
    made: Mechanism | None,
    confidence: object,
) -> tuple[Any, TableReading | None]:
    """Return the estimate in a finite population, from counts or from a column of a table."""
    from rropt.estimates.finite_estimates import estimates_of_population
    from rropt.inference.finite_populations import finite_population

    assert made is not None  # a column of devices is refused above
    reading: TableReading | None = None
    if asked.data is None:
        counts: Sequence[object] = given_counts(made, asked.counts, asked.responses, asked.yes, asked.n)
    else:
        refuse("one column of the data has the answers", "counts", "yes", "n", "responses")
        if asked.column is None:
            raise InvalidParameterError(
                "the responses have no column: received `data` and `population`; give `column`, that of one trait"
            )
        ((made, counts),), reading = _of_respondents(counts_by_device, asked, asked.data, names, made, 1)
    level = exact_confidence(confidence)
    exact, whole = answer_counts(made, counts), answer_count(asked.population, "population", least=1)
    people = finite_population(made, exact, whole, is_dealt=asked.cards_without_replacement)
    found = estimates_of_population(people, made, names[0] if names else "response")
    return replace(found, confidence=level), reading


def _of_numbers(
    asked: EstimateArguments, given: Collection[str], names: Sequence[str], made: Mechanism
) -> tuple[Any, TableReading | None]:
    """Return the mean of a number, and the report on its table."""
    from rropt.answers.responses import Responses
    from rropt.estimates.asking import mean
    from rropt.estimates.mean_estimates import means_of_groups, require_one_column
    from rropt_fieldwork.reading.counted_tables import counted

    level = exact_confidence("0.95" if asked.confidence is None else asked.confidence)
    if asked.data is None:
        counts = given_counts(made, asked.counts, asked.responses, asked.yes, asked.n)
        found: Any = mean(Responses.from_counts(counts, made))
        return replace(found, confidence=level), None
    refuse_given(given, "one column of the data has the reports", "counts", "yes", "n", "responses")
    table = table_of(asked.data)
    require_one_column(names)
    request = asked.request(table, names, made, 1, by=asked.by, sample=asked.sample)
    folders = () if request.sample.is_complex else None  # in order, on which sums of weights depend

    work = partial(counted, request, sets=[(0,)], outputs=[made.outputs])
    respondents = table.found(request.names, work, names, weights=asked.weights, folders=folders)
    found = means_of_groups(respondents, made, level)
    return found, respondents.reading


def _of_random_questions(
    asked: EstimateArguments, given: Collection[str], names: Sequence[str], made: RandomQuestions
) -> tuple[Any, TableReading | None]:
    """Return the estimates of random questions, and the report on their table."""
    from rropt.estimates.asked_questions import estimate_random_questions
    from rropt_fieldwork.reading.counted_tables import counted

    refuse_given(given, "a table has the reports", "counts", "yes", "n", "responses", "devices", "test", "likelihood")
    level = exact_confidence("0.95" if asked.confidence is None else asked.confidence)

    work = partial(counted, sets=[range(made.questions)], is_limited=False, outputs=[2] * made.questions)
    respondents = _of_respondents(work, asked, asked.data, names, made.each(), made.questions)
    options: dict[str, Any] = {"marginals": asked.marginals}
    return estimate_random_questions(respondents, made, confidence=level, **options)


def _of_questions(
    asked: EstimateArguments, given: Collection[str], names: Sequence[str], made: Mechanism | None
) -> tuple[Any, TableReading | None]:
    """Return the estimate of the joint distribution of several questions, and the report on their table."""
    from rropt.answers import answers_of_counts
    from rropt.estimates import estimate_questions

    if ("data" in given) == (asked.counts is not None) or {"yes", "n", "responses"} & set(given):
        raise InvalidParameterError(
            "the responses are not given exactly once: give `data`, one column for each question, or `counts`, and "
            "not both"
        )
    product = None if made is None else product_of(made)
    if product is not None and asked.data is None:
        answers, reading = [answers_of_counts(product, asked.counts)], None
    else:
        questions = None if product is None else len(product.factors)
        answers, reading = _of_respondents(answers_by_device, asked, asked.data, names, product, questions)
    level = "0.95" if asked.confidence is None else asked.confidence
    told: dict[str, Any] = {"marginals": asked.marginals, "confidence": level}
    return estimate_questions(answers, **told, titles=names), reading


def _of_respondents(
    found: Callable[..., Any],
    asked: RespondentArguments,
    data: object,
    names: Sequence[str],
    made: Mechanism | None,
    questions: int | None,
    **how: Any,
) -> Any:
    """Return what a function finds in a table: the responses by device and the report on it, or what was counted."""
    table = table_of(data)
    request = asked.request(table, names, made, questions)
    require_one_device(made, request.devices)
    work = partial(found, request)
    return table.found(request.names, work, names, width=len(request.titles), **how)


def _given(asked: Any) -> set[str]:
    """Return the names of the arguments of a record that are asked for: those that are no defaults."""
    each = [(one, getattr(asked, one.name)) for one in fields(asked)]
    return {
        one.name
        for one, value in each
        if not (value is None or value is False or value is one.default)
        and not (isinstance(value, str | tuple) and value == one.default)
    }


def estimate_stated(*places: Any, **named: Any) -> Any:
    """Return the estimate of options that Python states by name (``EstimateArguments``), without the report.

    Raises:
        InvalidParameterError: there is no such option, or it is of another kind.
    """
    require_fitting("estimate", list(signature(EstimateArguments).parameters.values()), places, named, STATED_BY_READ)
    asked = EstimateArguments(*places, **named)
    refuse_false(by=asked.by, post_strata=asked.post_strata)
    require_flags(
        joint=asked.joint,
        cards_without_replacement=asked.cards_without_replacement,
        likelihood=asked.likelihood,
        distribution=asked.distribution,
    )
    require_texts(
        devices=asked.devices,
        weights=asked.weights,
        strata=asked.strata,
        clusters=asked.clusters,
        single_psu=asked.single_psu,
        column=asked.column,
        test=asked.test,
    )
    require_lists(
        counts=asked.counts,
        device_names=asked.device_names,
        arms=asked.arms,
        reference=asked.reference,
        contrast=asked.contrast,
    )
    require_given(
        devices=asked.devices,
        weights=asked.weights,
        strata=asked.strata,
        clusters=asked.clusters,
        column=asked.column,
        test=asked.test,
        mechanism=asked.mechanism,
        categories=asked.categories,
        fpc=asked.fpc,
        replicates=asked.replicates,
        responses=asked.responses,
        yes=asked.yes,
        n=asked.n,
        data=asked.data,
        marginals=asked.marginals,
        population=asked.population,
        confidence=asked.confidence,
    )
    return estimate_asked(asked)[0]
