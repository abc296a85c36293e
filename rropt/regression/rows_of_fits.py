"""The rows of a table, as a likelihood needs them: one entry of each array for each row."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rropt.answers.sample_descriptions import SamplingDesign
from rropt.answers.table_reports import TableReading
from rropt.inference.linearization import Floats, Sampled
from rropt.mechanisms import Mechanism
from rropt.regression.formulas import DataColumn
from rropt.regression.models import DeviceResponses


@dataclass(frozen=True, slots=True)
class TableRows:
    """The rows of a table, as a likelihood needs them.

    Attributes:
        covariates: the covariates by column name.
        responses: the responses to each question with their devices; a missing response has the code -1.
        numbers: an outcome that is a number, in place of the responses to the first question.
        categories: the names of the categories of the first question: those of the mechanism, those of as many
            responses, or numbers.
        devices: the names of the devices of the first question.
        mechanisms: the different devices of all questions, without direct questions.
        missing: for each question and covariate the mask of the rows with a missing value.
        survey: the sample of a complex survey, and its description; ``None`` without one.
        selected: which rows are selected; in a complex survey the others are members of their clusters too.
        reading: the report on the table.
    """

    covariates: dict[str, DataColumn]
    responses: tuple[DeviceResponses, ...]
    numbers: Floats | None
    categories: tuple[str, ...]
    devices: tuple[str, ...]
    mechanisms: tuple[Mechanism, ...]
    missing: dict[str, NDArray[np.bool_]]
    survey: tuple[Sampled, SamplingDesign] | None
    selected: NDArray[np.bool_]
    reading: TableReading
