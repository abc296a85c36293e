"""Two-sample designs from tables: a prevalence and the extent of non-compliance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, replace
from functools import partial
from typing import Any

from rropt import Estimates
from rropt.answers import TableReading
from rropt.core.argument_checks import clear_calls_beside
from rropt.core.errors import InvalidParameterError, one_of
from rropt.core.exact import exact_confidence
from rropt.mechanisms import Mechanism
from rropt.mechanisms.imports import required_mechanism
from rropt.noncompliance.two_samples import MODELS, estimates_of_two_samples
from rropt_fieldwork.reading.counting import SampleColumns
from rropt_fieldwork.reading.regression_rows import read_rows
from rropt_fieldwork.reading.table import STATED_BY_TABLE, table_of
from rropt_fieldwork.reading.table_arguments import RespondentArguments, devices_of


@dataclass(frozen=True)
class TwoSampleArguments(RespondentArguments):
    """A question, its devices and its sampling design; ``two_sample_estimates`` describes it."""

    data: Any
    column: str
    model: str
    mechanism: Mechanism | str | None = None
    _: KW_ONLY
    attention: str | None = None
    attention_mechanism: Mechanism | str | None = None
    weights: str | None = None
    strata: str | None = None
    clusters: str | None = None
    single_psu: str = "refuse"
    confidence: object = "0.95"


@clear_calls_beside(STATED_BY_TABLE)
def two_sample_estimates(
    data: Any,
    column: str,
    model: str,
    mechanism: Mechanism | str | Mapping[str, Mechanism | str] | None = None,
    *,
    devices: str | None = None,
    attention: str | None = None,
    attention_mechanism: Mechanism | str | None = None,
    categories: Any = None,
    confidence: object = "0.95",
) -> Estimates:
    """Estimate a prevalence and the extent of non-compliance in a two-sample design, from a table of respondents.

    Args:
        data: a table, as for ``estimate_table``, whose sampling design has at most weights, strata, clusters and the
            rule for single PSUs.
        column: the column of the responses.
        model: ``lie-detector``, ``cheater-detection``, ``extended-crosswise`` (two devices in ``devices``), or
            ``attention`` (one device, and the column of the attention question).
        mechanism: for ``attention``, the device of all respondents; else a mapping from the names in the column
            ``devices`` to devices.
        devices: the column with the name of each respondent's device; it must contain two different devices.
        attention: the column of the responses to the question whose true answer is no for everybody.
        attention_mechanism: the device of that question; ``None`` uses ``mechanism``.
        categories: the texts in the table that mean no and yes.
        confidence: the confidence of the intervals.

    Raises:
        InvalidParameterError: the model or an option is invalid, or there are not two devices that identify the model.
        FileFormatError: the table cannot be read, or contains invalid responses, devices or weights.
    """
    if isinstance(mechanism, Mapping) and devices is None:
        raise InvalidParameterError(
            "several mechanisms and `devices` belong together: received a mapping alone; name the column that has the "
            "device of each respondent"
        )
    drawn = table_of(data).sample
    if drawn.fpc or drawn.post_strata or drawn.replicates is not None:
        raise InvalidParameterError(
            "a two-sample design has no finite populations, post-strata or replicate weights: received a table that "
            "states them; leave them out"
        )
    how: dict[str, Any] = {**devices_of(mechanism, devices), "categories": categories, "confidence": confidence}
    how |= {"weights": drawn.weights, "strata": drawn.strata, "clusters": drawn.clusters}
    how |= {"attention": attention, "attention_mechanism": attention_mechanism, "single_psu": drawn.single_psu}
    return two_samples_of_table(TwoSampleArguments(data, column, model, **how))[0]


def two_samples_of_table(asked: TwoSampleArguments) -> tuple[Estimates, TableReading]:
    """Return the estimates of ``two_sample_estimates``, of arguments in a record, and the report on the table."""
    model, attention = one_of(asked.model, MODELS, "the model"), asked.attention
    is_attention, has_devices = model == "attention", asked.devices is not None
    if is_attention == has_devices or is_attention != (attention is not None) or is_attention != bool(asked.mechanism):
        raise InvalidParameterError(
            f"the options do not fit the model: received {model}; give `devices=COLUMN` with two devices, or for "
            "attention a mechanism and its column, attention:COLUMN (in Python `attention`)"
        )
    level = exact_confidence(asked.confidence)
    sample = SampleColumns(asked.weights, asked.strata, asked.clusters, single_psu=asked.single_psu)
    also = () if attention is None else (attention,)
    table = table_of(asked.data)
    questions = [asked.request(table, (asked.column,), asked.mechanism, sample=sample, others=also)]
    if attention is not None:  # without devices, see above
        device = required_mechanism(asked.attention_mechanism or asked.mechanism)
        questions.append(replace(questions[0], columns=(attention,), mechanism=device, others=(asked.column,)))
    needed = dict.fromkeys([*questions[0].names, *also])

    answers = [one.columns[0] for one in questions]
    work = partial(read_rows, questions=questions, covariates=[], is_sampled=True)
    rows = table.found(needed, work, answers, weights=asked.weights)
    return estimates_of_two_samples(rows, model, answers, asked.devices, level), rows.reading
