"""The estimate of the options of ``rropt estimate`` with the report on the table, as the command asks for it."""

from __future__ import annotations

from typing import Any

from rropt_fieldwork.from_tables.asked_estimates import EstimateArguments, estimate_asked


def estimate_with_reading(*places: Any, **named: Any) -> tuple[Any, Any]:
    return estimate_asked(EstimateArguments(*places, **named))
