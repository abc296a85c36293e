"""Estimates from tables: of each question in each group, or from the joint responses to all questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from fractions import Fraction
from typing import Any

from rropt.answers.respondents import Answers, answers_of_counts
from rropt.core.errors import InvalidParameterError, UnsupportedProblemError, names_of, one_of, shown
from rropt.core.exact import exact_confidence
from rropt.core.record_arguments import takes
from rropt.core.visible import with_noun
from rropt.inference.differences import DIFFERENCE_TESTS
from rropt.inference.subset_estimates import SubsetAnswers
from rropt.mechanisms import Mechanism, ProductMechanism
from rropt.mechanisms.imports import required_mechanism
from rropt.mechanisms.subsets import Subsets
from rropt.survey.groups.group_comparison import compare_groups
from rropt.survey.groups.shares import ShareComparison
from rropt.survey.table_estimates.group_estimates import GroupEstimates, counted_text, counted_texts
from rropt.survey.table_estimates.weighting import weighted_estimates
from rropt.survey.tables.counting import (
    CountRequest,
    SampleColumns,
    TableReading,
    reading_of,
)
from rropt.survey.tables.device_columns import (
    distinct_devices,
    mechanisms_of,
    names_of_categories,
    require_one_device,
)
from rropt.survey.tables.kinds import RespondentKinds, kinds_by_question, kinds_of, missing_of, question_blocks
from rropt.survey.tables.response_codes import MISSING
from rropt.survey.tables.sources import Source
from rropt.survey.tables.table_arguments import TableArguments


@dataclass(frozen=True)
class TableEstimateArguments(TableArguments):
    """The arguments of ``estimate_table``, which describes them."""

    data: Any
    columns: str | Sequence[str]
    mechanism: Mechanism | str | None = None
    _: KW_ONLY
    by: str | Sequence[str] = ()
    confidence: object = "0.95"
    marginals: int = 1
    reference: Sequence[object] | None = None
    test: str | None = None
    all_intervals: bool = False


@dataclass(frozen=True, slots=True)
class GroupGoal:
    """What is estimated from a table, and what is printed: each question in each group.

    Attributes:
        titles: the columns of the questions.
        by: the columns that define the groups.
        confidence: the confidence of the intervals.
        marginals, reference, test, all_intervals: as for ``estimate_table``.
    """

    titles: tuple[str, ...]
    by: tuple[str, ...]
    confidence: Fraction
    marginals: int = 1
    reference: Sequence[object] | None = None
    test: str | None = None
    all_intervals: bool = False


@takes(TableEstimateArguments)
def estimate_table(asked: TableEstimateArguments) -> GroupEstimates:
    """Estimate the proportions of each question in each group, from a table with one row for each respondent.

    Args:
        data: a path (CSV, JSON, Parquet, Feather, Excel, Stata, SPSS, DuckDB, SQLite; packed with gzip, zstd or zip),
            several paths, a folder of files, a table of pandas, Polars or Arrow, a DuckDB relation, or an Ibis table on
            any of its engines.
        columns: the columns of the questions.
        mechanism: the mechanism of all respondents: a product with a device for each question, or one device for one
            question.
        devices: instead of ``mechanism``, the column with the name of each respondent's device.
        device_names: maps the names in that column to devices; ``None``: they are names of designs, such as warner:3/4.
        categories: the names of the responses in the order of the mechanism's outputs; ``None``: they are the numbers
            0, 1, ... If questions differ, a list for each column, or a mapping from columns to lists.
        ignore_case: whether responses that differ only in case are the same.
        by: the columns that define the groups. A row with an empty cell in one of them is left out and counted.
        missing: the texts for a missing response, which is left out of its question and counted; ``None``: NA, NaN,
            none, null, refused, verweigert or a dot. In any other column only an empty cell is missing, and
            ``"region=none"``, or a mapping ``{"region": ["none"]}``, names more texts of one column.
        confidence: the confidence of the intervals.
        weights, strata, clusters: columns of a complex survey; the result is then weighted.
        fpc: the finite population of each stratum, as a column or a number: its number of clusters (or rows), or the
            sampled fraction. With clusters it can be a pair: for the clusters, and for the rows within each cluster.
        post_strata: the columns that define the cells of post-stratification, to whose totals the weights were
            adjusted.
        single_psu: the variance contribution of a stratum with a single PSU: ``refuse``, ``certainty``, ``average`` or
            ``adjust``.
        replicates: the columns of replicate weights, beside ``weights``: ``"jk1:rep1..rep20"``, or
            ``"fay,rho=0.3:rep1..rep80"``; the methods are those of ``ReplicateWeights``.
        unweighted: whether each row counts once although an SPSS file declares weights of its cases (``WEIGHT BY``).
        decimal_mark: the decimal mark of weights and finite populations that are texts, ``.`` or ``,``; ``None``: the
            numbers decide, and if they can be read in two ways, they are an error.
            Without it, such a file needs ``weights``.
        marginals: the number of questions of each table in a weighted survey; all such tables are estimated.
        reference: only for responses that are subsets of the categories (``rropt.mechanisms.subsets``): the
            distribution at which the estimates have least variance, constant within the mechanism's groups; ``None``
            for the uniform distribution.
        test: with ``by``, the test of the differences of groups that used one device, which their intervals invert:
            ``"score"`` (Miettinen and Nurminen; the default) or ``"exact"`` (unconditional). Weights and several
            devices have Wald's.
        all_intervals: whether to print the intervals of every kind or only the recommended ones.
        engine: the engine that reads the file and counts: ``duckdb``, ``polars``, ``pyspark``, or an Ibis connection.
        table: the table of a database; ``None``: its only table.
        sheet: the sheet of an Excel file, by name or by number from 1; ``None``: the first sheet.
        where: the rows that are selected, as a condition on columns: ``"age >= 18 and region != 'X'"``. Rows that miss
            a value that it needs are left out. In a complex survey the selection is a domain.
        recode: bands of numbers and joined levels: ``["age: 0..17, 18..39, 40..", "sex: d -> f"]``, or a mapping from
            columns to texts, lists of parts or mappings: ``{"age": ["0..17", "18.."], "sex": {"d": "f"}}``. ``NEW =
            age: ...`` makes a new column.
        blank: the answer for which an empty cell of a question stands, such as ``no`` for a box that is not ticked.
        header_rows: the number of rows above the first respondent, if there are several; the names stand in the first
            of them that has all names. Names of columns, as in a data frame or a Parquet file, are the first of them.
        arms: for a question in several columns, each of which a part of the respondents answered: the device of each
            column. ``columns`` then is a new name, of the question.
        codes: the columns of a file of Stata or SPSS that are read without value labels, such as an age with a label
            for its top code.

    Raises:
        FileFormatError: the table cannot be read, or contains invalid responses or weights.
        InvalidParameterError: a column does not exist, devices do not fit the data, or nobody answered a question.

    >>> import numpy
    >>> answers = {"same": numpy.array(["no"] * 112 + ["yes"] * 198, object)}
    >>> found = estimate_table(answers, "same", "crosswise:1/4", categories=["no", "yes"])
    >>> print(found.shares[0].groups[0].estimate, found.reading.rows)
    69/310 310
    """
    goal = GroupGoal(
        names_of(asked.columns, "columns"),
        names_of(asked.by, "by"),
        exact_confidence(asked.confidence),
        asked.marginals,
        asked.reference,
        asked.test,
        asked.all_intervals,
    )
    mechanism = None if asked.mechanism is None else required_mechanism(asked.mechanism)
    if asked.arms is not None:
        asked = asked.with_devices_of_arms(mechanism)
    return estimates_of_table(asked.data, mechanism, asked, goal)


def estimates_of_table(
    data: object, mechanism: Mechanism | None, asked: TableArguments, goal: GroupGoal
) -> GroupEstimates:
    """Return the estimates of ``estimate_table``, of arguments in records; arms are devices already."""
    request = asked.request(goal.titles, mechanism, by=goal.by, sample=asked.sample)
    every = mechanism is not None and len(request.categories[0] or ()) == mechanism.outputs
    subsets = None if mechanism is None or every else Subsets.of(mechanism)  # if ``every``, each output has a name
    request = replace(request, subsets=subsets)
    is_complex, test = request.sample.is_complex, goal.test or "score"
    require_one_device(mechanism, request.devices)
    if not goal.titles:
        raise InvalidParameterError(
            "the columns are not named: received none; give the column of one question at least"
        )
    _require_fitting(subsets, request.sample, goal.marginals, goal.reference)
    _require_test(goal.test, goal.by, request.sample)

    def work(source: Source) -> GroupEstimates:
        if is_complex:
            return weighted_estimates(source, request, goal.confidence, marginals=goal.marginals)
        if subsets is not None:
            reading, shares = _shares_of_subsets(source, request, subsets, goal.confidence, goal.reference, test)
            told = (counted_text(goal.titles[0], request.categories[0], subsets.mechanism.inputs),)
            return GroupEstimates(reading, request.by, goal.confidence, (subsets.mechanism,), shares, told)
        found = _group_estimates(source, request, goal.confidence, test)
        methods = {one.method for share in found.shares for one in share.differences}
        if goal.test is not None and methods == {"Wald"}:
            raise InvalidParameterError(
                f"`test` is for groups that used one device, and proportions that follow from one count: received "
                f"{shown(test)}, where all differences have the Wald test; leave it out"
            )
        return found

    folders = () if is_complex else None  # in order, on which sums of weights depend
    own: dict[str, Any] = {"weights": asked.weights, "arms": asked.arms, "folders": folders}
    found = asked.read(data, request.names, work, goal.titles, **own)
    return replace(found, all_intervals=goal.all_intervals)


def _require_fitting(
    subsets: Subsets | None, sample: SampleColumns, marginals: object, reference: object | None
) -> None:
    """Raise an error for options that exclude each other."""
    if marginals != 1 and not sample.is_complex:
        raise InvalidParameterError(
            f"the questions are estimated one by one: received marginals {shown(marginals)} of a survey without "
            "weights; leave it out, or name the columns of a complex survey"
        )
    if subsets is None and reference is not None:
        raise InvalidParameterError(
            "a reference is for answers that are subsets of the categories: received one with a mechanism whose "
            "responses are single categories; leave it out"
        )
    if subsets is not None and sample.is_complex:
        raise UnsupportedProblemError(
            "answers that are subsets of the categories have no estimates of a complex survey: received weights or "
            "strata; leave them out"
        )


def _require_test(test: str | None, by: str | Sequence[str], sample: SampleColumns) -> None:
    """Raise an error if a test of differences is asked for where it does not apply."""
    if test is None:
        return
    one_of(test, DIFFERENCE_TESTS, "`test`")
    if not by or sample.is_complex:
        raise InvalidParameterError(
            f"`test` is for the differences of groups without weights: received {shown(test)} "
            f"{'with weights or strata, which have the Wald test' if sample.is_complex else 'without `by`'}; leave it "
            "out"
        )


def _group_estimates(source: Source, asked: CountRequest, level: Fraction, test: str) -> GroupEstimates:
    """Return the estimates of all questions; the first question is counted separately to find the devices."""
    (first,) = kinds_of(source, asked, [(0,)])
    known = mechanisms_of(source, asked, first.devices)
    sizes = [device.outputs for device in next(iter(known.values())).factors]
    blocks = question_blocks(dict(enumerate(sizes[1:], 1)), first.cells)
    by_question = kinds_by_question([first, *kinds_of(source, asked, blocks)])
    totals = [kinds.total(question) for question, kinds in enumerate(by_question)]
    reading = reading_of(source, asked, totals, sizes, **missing_of(asked, by_question))
    shares: list[ShareComparison] = []
    for question, (title, kinds) in enumerate(zip(asked.titles, by_question, strict=True)):
        names = names_of_categories(asked, known, question)
        kinds.require_groups(asked, [question])
        shares += compare_groups(title, _groups(kinds, known, question), level, categories=names, test=test)
    told = counted_texts(asked, known)
    return GroupEstimates(reading, asked.by, level, distinct_devices(known), tuple(shares), told)


def _shares_of_subsets(
    source: Source,
    asked: CountRequest,
    subsets: Subsets,
    level: Fraction,
    reference: Sequence[object] | None,
    test: str,
) -> tuple[TableReading, tuple[ShareComparison, ...]]:
    """Return the report and the proportions of one question whose responses are subsets of the categories."""
    k = subsets.mechanism.inputs
    if len(asked.titles) != 1 or len(asked.categories[0] or range(k)) != k:
        raise InvalidParameterError(
            f"the columns or categories do not fit the mechanism: received {with_noun(len(asked.titles), 'column')} "
            "and "
            f"{len(asked.categories[0] or range(k))} categories; allowed are one, and {k}, each answer a subset of "
            "them"
        )
    (kinds,) = kinds_of(source, asked, [(0,)])
    codes = kinds.total(0)
    reading = reading_of(source, asked, [codes], [len(asked.codes[0].met)], **missing_of(asked, [kinds]))
    kinds.require_groups(asked, [0])
    said = {code: chosen for chosen, code in asked.codes[0].met.items()}
    groups = {}
    for group, _, own in kinds.by_cell(kinds.codes[0] != MISSING):
        given: dict[tuple[int, ...], int] = {}
        for code, number in zip(kinds.codes[0][own].tolist(), kinds.columns["n"][own].tolist(), strict=True):
            given[said[code]] = given.get(said[code], 0) + int(number)
        groups[group] = SubsetAnswers.of(subsets, given)
    options: dict[str, Any] = {"categories": asked.categories[0], "reference": reference, "test": test}
    found = compare_groups(asked.titles[0], groups, level, **options)
    return reading, found


def _groups(kinds: RespondentKinds, known: Mapping[str, Mechanism], question: int) -> dict[str, list[Answers]]:
    """Return the responses to a question, by group and device."""
    groups = kinds.counts(question, known)
    products: dict[int, ProductMechanism] = {}  # by device, which is slow to hash
    made: dict[tuple[int, bytes], Answers] = {}  # groups with equal counts share them, and so their estimates
    found: dict[str, list[Answers]] = {}
    for group, devices in groups.items():
        found[group] = own = []
        for device, counts in devices:
            product = products.get(id(device)) or products.setdefault(id(device), ProductMechanism([device]))
            key = id(device), counts.tobytes()
            own.append(made.get(key) or made.setdefault(key, answers_of_counts(product, counts)))
    return found
