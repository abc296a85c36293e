"""Estimates from tables: of each question in each group, or from the joint responses to all questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any

from rropt import Estimates
from rropt.answers import TableReading
from rropt.core.argument_checks import clear_calls_beside
from rropt.core.errors import InvalidParameterError, UnsupportedProblemError, names_of, one_of, shown
from rropt.core.exact import exact_confidence
from rropt.estimates.table_estimators import (
    proportions_of_groups,
    proportions_of_sets,
    require_sets_fit,
    sets_of_questions,
    weighted_estimates,
)
from rropt.inference.differences import DIFFERENCE_TESTS
from rropt.mechanisms import Mechanism
from rropt.mechanisms.imports import required_mechanism
from rropt.mechanisms.subsets import Subsets
from rropt_fieldwork.reading.counted_tables import counted
from rropt_fieldwork.reading.counting import SampleColumns
from rropt_fieldwork.reading.device_columns import require_one_device
from rropt_fieldwork.reading.table import STATED_BY_TABLE, table_of
from rropt_fieldwork.reading.table_arguments import TableArguments, devices_of


@dataclass(frozen=True)
class TableEstimateArguments(TableArguments):
    """What is estimated from a table, its devices and its sampling design; ``estimate_table`` describes it."""

    data: Any
    columns: str | Sequence[str]
    mechanism: Mechanism | str | None = None
    _: KW_ONLY
    by: str | Sequence[str] = ()
    confidence: object = "0.95"
    marginals: int = 1
    reference: Sequence[object] | None = None
    test: str | None = None


@dataclass(frozen=True, slots=True)
class GroupGoal:
    """What is estimated from a table, and what is printed: each question in each group.

    Attributes:
        titles: the columns of the questions.
        by: the columns that define the groups.
        confidence: the confidence of the intervals.
        marginals, reference, test: as for ``estimate_table``.
    """

    titles: tuple[str, ...]
    by: tuple[str, ...]
    confidence: Fraction
    marginals: int = 1
    reference: Sequence[object] | None = None
    test: str | None = None


@clear_calls_beside(STATED_BY_TABLE)
def estimate_table(
    data: Any,
    columns: str | Sequence[str],
    mechanism: Mechanism | str | Mapping[str, Mechanism | str] | None = None,
    *,
    devices: str | None = None,
    categories: Any = None,
    by: str | Sequence[str] = (),
    confidence: object = "0.95",
    marginals: int = 1,
    reference: Sequence[object] | None = None,
    test: str | None = None,
) -> Estimates:
    """Estimate the proportions of each question in each group, from a table with one row for each respondent.

    Args:
        data: a table: what ``rropt_fieldwork.read`` returns, or what it takes: a path, several paths, a folder of
            files, a table of pandas, Polars or Arrow, a dict of NumPy arrays, a DuckDB relation, or an Ibis table. The
            method ``sampled`` of a table states its sampling design.
        columns: the columns of the questions.
        mechanism: the mechanism of all respondents: a product with a device for each question, or one device for one
            question. With ``devices``, a mapping from the names in that column to devices; ``None``: they are names of
            designs, such as warner:3/4. A mapping without ``devices`` is for a question in several columns, each of
            which a part of the respondents answered: the device of each column. ``columns`` then is a new name, of the
            question.
        devices: the column with the name of each respondent's device.
        categories: the names of the responses in the order of the mechanism's outputs; ``None``: they are the numbers
            0, 1, ... If questions differ, a list for each column, or a mapping from columns to lists.
        by: the columns that define the groups. A row with an empty cell in one of them is left out and counted.
        confidence: the confidence of the intervals.
        marginals: the number of questions of each table in a weighted survey; all such tables are estimated.
        reference: only for responses that are subsets of the categories (``rropt.mechanisms.subsets``): the
            distribution at which the estimates have least variance, constant within the mechanism's groups; ``None``
            for the uniform distribution.
        test: with ``by``, the test of the differences of groups that used one device, which their intervals invert:
            ``"score"`` (Miettinen and Nurminen; the default) or ``"exact"`` (unconditional). Weights and several
            devices have Wald's.

    Raises:
        FileFormatError: the table cannot be read, or contains invalid responses or weights.
        InvalidParameterError: a column does not exist, devices do not fit the data, or nobody answered a question.

    >>> import numpy
    >>> answers = {"same": numpy.array(["no"] * 112 + ["yes"] * 198, object)}
    >>> found = estimate_table(answers, "same", "crosswise:1/4", categories=["no", "yes"])
    >>> print(found.estimate, found.nobs)
    69/310 310
    """
    how: dict[str, Any] = {**devices_of(mechanism, devices), "categories": categories, "by": by}
    how |= {"confidence": confidence, "marginals": marginals, "reference": reference, "test": test}
    return asked_of_table(TableEstimateArguments(data, columns, **how))[0]


def asked_of_table(asked: TableEstimateArguments) -> tuple[Estimates, TableReading]:
    """Return the estimates of ``estimate_table``, and the report on the table."""
    goal = GroupGoal(
        names_of(asked.columns, "columns"),
        names_of(asked.by, "by"),
        exact_confidence(asked.confidence),
        asked.marginals,
        asked.reference,
        asked.test,
    )
    mechanism = None if asked.mechanism is None else required_mechanism(asked.mechanism)
    if asked.arms is not None:
        asked = asked.with_devices_of_arms(mechanism)
    asked = asked.with_sample_of(table_of(asked.data))
    return estimates_of_table(asked.data, mechanism, asked, goal)


def estimates_of_table(
    data: object, mechanism: Mechanism | None, asked: TableArguments, goal: GroupGoal
) -> tuple[Estimates, TableReading]:
    """Return the estimates of ``estimate_table``, of arguments in records, and the report on the table.

    Arms are devices already, and the sampling design of the table is in the arguments.
    """
    table = table_of(data)
    request = asked.request(table, goal.titles, mechanism, by=goal.by, sample=asked.sample)
    every = mechanism is not None and len(request.categories[0] or ()) == mechanism.outputs
    subsets = None if mechanism is None or every else Subsets.of(mechanism)  # if ``every``, each output has a name
    request = replace(request, subsets=subsets)
    is_complex, test = request.sample.is_complex, goal.test or "score"
    require_one_device(mechanism, request.devices)
    if not goal.titles:
        raise InvalidParameterError(
            "the columns are not named: received none; give the column of one question at least"
        )
    if subsets is not None:
        require_sets_fit(subsets, request.titles, request.categories)
    _require_fitting(subsets, request.sample, goal.marginals, goal.reference)
    _require_test(goal.test, goal.by, request.sample)

    sets = sets_of_questions(goal.titles, goal.marginals) if is_complex else None
    folders = () if is_complex else None  # in order, on which sums of weights depend
    own: dict[str, Any] = {"weights": asked.weights, "arms": asked.arms, "folders": folders}
    found = table.found(request.names, partial(counted, request, sets=sets), goal.titles, **own)
    if is_complex:
        estimates = weighted_estimates(found, goal.confidence)
    elif subsets is not None:
        estimates = proportions_of_sets(found, subsets, goal.confidence, goal.reference, test)
    else:
        estimates = proportions_of_groups(found, goal.confidence, test, is_stated=goal.test is not None)
    return estimates, found.reading


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
