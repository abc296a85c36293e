"""Estimates from tables: of each question in each group, or from the joint responses to all questions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any

from rropt import Estimates
from rropt.answers import TableReading
from rropt.core.errors import InvalidParameterError, UnsupportedProblemError, one_of, shown
from rropt.estimates.table_estimators import (
    proportions_of_groups,
    proportions_of_sets,
    require_sets_fit,
    sets_of_questions,
    weighted_estimates,
)
from rropt.inference.differences import DIFFERENCE_TESTS
from rropt.mechanisms import Mechanism
from rropt.mechanisms.subsets import Subsets
from rropt_fieldwork.reading.counted_tables import counted
from rropt_fieldwork.reading.counting import SampleColumns
from rropt_fieldwork.reading.device_columns import require_one_device
from rropt_fieldwork.reading.table import Table
from rropt_fieldwork.reading.table_arguments import TableArguments


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


def estimates_of_table(
    table: Table, mechanism: Mechanism | None, asked: TableArguments, goal: GroupGoal
) -> tuple[Estimates, TableReading]:
    """Return the estimates of ``estimate_table``, of arguments in records, and the report on the table.

    Arms are devices already, and the sampling design of the table is in the arguments.
    """
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
