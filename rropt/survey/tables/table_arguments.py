"""The arguments of functions that read a table with one row for each respondent, as records that these functions share.

Each record is what belongs together: how the rows are read, how responses are written, which device each respondent
used, and how the sample was drawn. ``estimate_table`` describes the arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self, TypeVar

from rropt.mechanisms import Mechanism
from rropt.survey.tables.counting import CountRequest, SampleColumns, is_unweighted, request_of, with_sets_named
from rropt.survey.tables.preparation import Preparation, devices_of_arms
from rropt.survey.tables.readers import read

Found = TypeVar("Found")

_INDEPENDENT = SampleColumns()  # respondents who were drawn independently
_UNSET = (None, None, None, None, (), "refuse", None)


@dataclass(frozen=True, kw_only=True)
class RowArguments:
    """How the rows of a table are read, and what is made of them before they are counted."""

    engine: Any = "duckdb"
    table: str | None = None
    sheet: str | int | None = None
    unweighted: bool = False
    decimal_mark: str | None = None
    where: str | None = None
    recode: Any = None
    blank: str | None = None
    header_rows: int | None = None
    codes: str | Sequence[str] = ()


@dataclass(frozen=True, kw_only=True)
class RespondentArguments(RowArguments):
    """A table of respondents: its rows, how their responses are written, and the device of each respondent."""

    categories: Any = None
    ignore_case: bool = False
    missing: Sequence[str] | Mapping[str, Sequence[str]] | None = None
    devices: str | None = None
    device_names: Mapping[str, Mechanism | str] | None = None

    def request(
        self, columns: Sequence[str], mechanism: Mechanism | str | None, questions: int | None = None, **more: Any
    ) -> CountRequest:
        """Return the request for the responses to some questions (``request_of``)."""
        more |= {"categories": self.categories, "ignore_case": self.ignore_case, "missing": self.missing}
        more |= {"devices": self.devices, "device_names": self.device_names}
        return with_sets_named(request_of(columns, mechanism, questions, **more))

    def read(
        self,
        data: Any,
        names: Iterable[str],
        work: Callable[[Any], Found],
        answers: Sequence[str],
        *,
        weights: str | None = None,
        arms: Iterable[str] | None = None,
        **how: Any,
    ) -> Found:
        """Open the table, and return the result of ``work`` on what is made of it (``readers.read``).

        Args:
            data: the table.
            names: the required columns.
            work: a function of the ``Source``.
            answers: the columns of the questions.
            weights: the column of weights of the request.
            arms: the columns of the arms of the only question.
            how: further arguments of ``readers.read``.
        """
        prepared = {"where": self.where, "recode": self.recode, "blank": self.blank, "header_rows": self.header_rows}
        is_plain = arms is None and self.codes == () and all(one is None for one in prepared.values())
        if not is_plain:
            how["preparation"] = Preparation.of(answers, self.missing, **prepared, codes=self.codes, arms=arms)
        how |= {"engine": self.engine, "table": self.table, "sheet": self.sheet, "decimal_mark": self.decimal_mark}
        if weights is not None or self.unweighted:
            how["unweighted"] = is_unweighted(weights, self.unweighted)
        return read(data, list(names), work, **how)


@dataclass(frozen=True, kw_only=True)
class TableArguments(RespondentArguments):
    """A table of respondents, and the design of its sample."""

    arms: Mapping[str, Mechanism | str] | None = None
    weights: str | None = None
    strata: str | None = None
    clusters: str | None = None
    fpc: object = None
    post_strata: str | Sequence[str] = ()
    single_psu: str = "refuse"
    replicates: object = None

    @property
    def sample(self) -> SampleColumns:
        """The columns that describe the sampling design."""
        stages = (self.weights, self.strata, self.clusters, self.fpc)
        more = (self.post_strata, self.single_psu, self.replicates)
        return _INDEPENDENT if (*stages, *more) == _UNSET else SampleColumns(*stages, *more)

    def with_devices_of_arms(self, mechanism: object) -> Self:
        """Return the arguments with the arms of the question as devices.

        Raises:
            InvalidParameterError: the arms are no mapping from columns to devices, or a device is given twice.
        """
        devices, names = devices_of_arms(self.arms, mechanism, self.devices, self.device_names)
        return replace(self, devices=devices, device_names=names)
