"""The arguments of functions that read a table with one row for each respondent, as records that these functions share.

Each record is what belongs together: how responses are written and which device each respondent used, and how the
sample was drawn. ``estimate_table`` describes the arguments, and ``Reading`` how the rows are read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from rropt.mechanisms import Mechanism
from rropt_fieldwork.reading.counting import CountRequest, SampleColumns, request_of, with_sets_named
from rropt_fieldwork.reading.preparation import devices_of_arms
from rropt_fieldwork.reading.table import STATED_BY_READ, Table

_INDEPENDENT = SampleColumns()  # respondents who were drawn independently
_UNSET = (None, None, None, None, (), "refuse", None)


@dataclass(frozen=True, kw_only=True)
class RespondentArguments:
    """How the responses of a table are written, and the device of each respondent."""

    ELSEWHERE: ClassVar[Mapping[str, str]] = STATED_BY_READ

    categories: Any = None
    devices: str | None = None
    device_names: Mapping[str, Mechanism | str] | None = None

    def request(
        self,
        table: Table,
        columns: Sequence[str],
        mechanism: Mechanism | str | None,
        questions: int | None = None,
        **more: Any,
    ) -> CountRequest:
        """Return the request for the responses to some questions of a table (``request_of``)."""
        how = table.reading
        more |= {"categories": self.categories, "ignore_case": how.ignore_case, "missing": how.missing}
        more |= {"devices": self.devices, "device_names": self.device_names}
        return with_sets_named(request_of(columns, mechanism, questions, **more))


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
