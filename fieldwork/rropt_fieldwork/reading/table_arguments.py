"""The arguments of functions that read a table with one row for each respondent, as records that these functions share.

Each record is what belongs together: how responses are written and which device each respondent used, and how the
sample was drawn. ``estimate_table`` describes the arguments, and ``Reading`` how the rows are read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from inspect import signature
from typing import Any, Self, TypeVar

from rropt.core.argument_checks import require_fitting
from rropt.core.errors import InvalidParameterError
from rropt.mechanisms import Mechanism
from rropt_fieldwork.reading.counting import CountRequest, SampleColumns, request_of, with_sets_named
from rropt_fieldwork.reading.preparation import devices_of_arms
from rropt_fieldwork.reading.table import INDEPENDENT, STATED_BY_READ, Table

Record = TypeVar("Record")
_UNSET = (None, None, None, None, (), "refuse", None)


@dataclass(frozen=True, kw_only=True)
class RespondentArguments:
    """How the responses of a table are written, and the device of each respondent."""

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
        return INDEPENDENT if (*stages, *more) == _UNSET else SampleColumns(*stages, *more)

    def with_sample_of(self, table: Table) -> Self:
        """Return the arguments with the sampling design that a table states.

        Raises:
            InvalidParameterError: the design is stated of the table and in the arguments.
        """
        own = table.sample
        if not own.is_complex:
            return self
        if self.sample.is_complex:
            raise InvalidParameterError(
                "the sampling design is given twice: received a table that states it, and its columns; leave out one"
            )
        stages = {"weights": own.weights, "strata": own.strata, "clusters": own.clusters, "fpc": own.fpc}
        more = {"post_strata": own.post_strata, "single_psu": own.single_psu, "replicates": own.replicates}
        return replace(self, **stages, **more)

    def with_devices_of_arms(self, mechanism: object) -> Self:
        """Return the arguments with the arms of the question as devices.

        Raises:
            InvalidParameterError: the arms are no mapping from columns to devices, or a device is given twice.
        """
        devices, names = devices_of_arms(self.arms, mechanism, self.devices, self.device_names)
        return replace(self, devices=devices, device_names=names)


def stated_record(name: str, record: Callable[..., Record], **named: Any) -> Record:
    """Return a record of arguments that Python states by name.

    Args:
        name: the name of the function, for messages.
        record: the dataclass.
        named: its fields.

    Raises:
        InvalidParameterError: there is no such argument.
    """
    require_fitting(name, list(signature(record).parameters.values()), (), named, STATED_BY_READ)
    return record(**named)


def devices_of(mechanism: Any, devices: str | None) -> dict[str, Any]:
    """Return the arguments of a record that one or several mechanisms stand for.

    Args:
        mechanism: one mechanism; or a mapping to mechanisms: with ``devices`` from the names in that column, else from
            the columns of arms.
        devices: the column with the name of each respondent's device.
    """
    if not isinstance(mechanism, Mapping):
        return {"mechanism": mechanism, "devices": devices}
    if devices is None:
        return {"arms": mechanism}
    return {"devices": devices, "device_names": mechanism}
