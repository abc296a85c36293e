"""The responses to one question of a table as samples, one for each device, for bounds under non-compliance."""

from __future__ import annotations

from functools import partial

from rropt.answers import TableReading
from rropt.mechanisms import Mechanism
from rropt.mechanisms.imports import required_mechanism
from rropt.noncompliance import Sample
from rropt_fieldwork.reading.device_columns import counts_by_device, require_one_device
from rropt_fieldwork.reading.table import Table
from rropt_fieldwork.reading.table_arguments import RespondentArguments


def samples_of_table(
    table: Table, column: str, mechanism: Mechanism | str | None, whose: RespondentArguments
) -> tuple[list[Sample], TableReading]:
    """Return the sample of each device of a column, without the respondents who gave no response.

    Args:
        table: the table.
        column: the column of the responses.
        mechanism: the mechanism of all respondents; ``None`` if a column has their devices.
        whose: how the responses are written, and the column of the devices.
    """
    made = None if mechanism is None else required_mechanism(mechanism)
    request = whose.request(table, (column,), made, 1)
    require_one_device(made, request.devices)
    found, reading = table.found(request.names, partial(counts_by_device, request), (column,), width=1)
    return [Sample.of(*one) for one in found], reading
