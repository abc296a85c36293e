"""``Counted``: the respondents of a table, counted by their responses: all that an estimate receives of the table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from rropt.answers.respondent_kinds import RespondentKinds, kinds_by_question
from rropt.answers.sample_descriptions import SamplingDesign
from rropt.answers.table_reports import TableReading
from rropt.inference.linearization import Sampled
from rropt.mechanisms import Mechanism
from rropt.mechanisms.named.design import has_other_responses
from rropt.mechanisms.subsets import output_sets


@dataclass(frozen=True)
class Counted:
    """The respondents of a table, counted by their responses.

    Attributes:
        reading: the report on the table.
        titles: the names of the questions.
        by: the columns that define the groups.
        labels: for each question the names of its responses, in order; ``None``: they are the numbers 0, 1, ...
        known: the mechanism of each name of a device.
        kinds: the kinds of equal respondents, for each set of questions that were counted together.
        samples: in a complex survey the sample of each of them, and its description.
        subsets: the set of categories of each code, if responses are subsets of the categories.
    """

    reading: TableReading
    titles: tuple[str, ...]
    by: tuple[str, ...]
    labels: tuple[tuple[str, ...] | None, ...]
    known: Mapping[str, Mechanism]
    kinds: tuple[RespondentKinds, ...]
    samples: tuple[tuple[Sampled, SamplingDesign], ...] = ()
    subsets: Mapping[int, tuple[int, ...]] = field(default_factory=dict)

    @cached_property
    def by_question(self) -> list[RespondentKinds]:
        """For each question the first kinds that were counted by it."""
        return kinds_by_question(self.kinds)

    @property
    def missing(self) -> tuple[int, ...]:
        """The number of missing answers to each question; empty if none is missing."""
        found = tuple(each.missing for each in self.reading.columns if each.answered is not None)
        return found if any(found) else ()

    @cached_property
    def mechanisms(self) -> tuple[Mechanism, ...]:
        """The different mechanisms of the respondents; of one question, the mechanism of this question."""
        every = self.known.values()
        return tuple(dict.fromkeys(one.factors[0] if len(one.factors) == 1 else one for one in every))

    @cached_property
    def factors(self) -> tuple[Mechanism, ...]:
        """The devices of the questions, of the first respondents."""
        return tuple(next(iter(self.known.values())).factors)

    def names_of(self, question: int) -> tuple[str, ...] | None:
        """Return the names of the categories: those of the device, or of its outputs if these are the categories."""
        device = self.factors[question]
        if device.categories or has_other_responses(device) or output_sets(device):
            return device.categories or None
        return self.labels[question] if device.inputs == device.outputs else None
