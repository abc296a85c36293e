"""Kinds of equal respondents, with their numbers and weights: what estimates of groups and of complex surveys need."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rropt.answers.data_columns import Ints
from rropt.answers.response_codes import MISSING
from rropt.answers.table_reports import Gap
from rropt.core.errors import InvalidParameterError, shown
from rropt.core.lazy import numpy as np
from rropt.mechanisms import Mechanism

if TYPE_CHECKING:
    from numpy.typing import NDArray

ALL = "all"  # the name of the group if the table is not divided into groups


class RespondentKinds:
    """The kinds of equal respondents, with counts and weights: each array has one entry for each kind.

    Attributes:
        columns: the numbers ``n`` of respondents, the columns of ``Source.summed``, and the codes of all other
            columns. Without weights, the number of respondents stands for ``positive``, ``weight`` and ``square``.
        texts: the texts of labels, groups and devices.
        groups, devices: the names of the groups and of the devices.
        cells: the number of combinations of groups and devices.
        group, device: the numbers of the group and of the device of each kind. The group is -1 for rows that miss one
            of its texts: they are in no group, and remain members of their cluster.
        codes: the codes of the responses, by question.
        gaps: the missing values, by column and text, of these questions and of the groups.
        inside: whether each kind is selected; the other rows remain members of their clusters.
    """

    columns: Mapping[str, Any]
    texts: Mapping[str, Any]
    groups: Sequence[str]
    devices: Sequence[str]
    cells: int
    group: Ints
    device: Ints
    codes: dict[int, Ints]
    gaps: Sequence[Gap]
    inside: NDArray[np.bool_]

    def total(self, question: int) -> dict[int, int]:
        """Return the count of each code of a question."""
        values, inverse = np.unique(self.codes[question][self.inside], return_inverse=True)
        numbers = np.bincount(inverse, self.columns["n"][self.inside])  # exact up to 2^53
        return dict(zip(values.tolist(), map(int, numbers.tolist()), strict=True))

    def by_cell(self, chosen: NDArray[np.bool_]) -> Iterator[tuple[str, str, Ints]]:
        """Yield each group and device of the chosen kinds, by name, with the places of its kinds."""
        cell, places = self.group * len(self.devices) + self.device, np.flatnonzero(chosen & (self.group >= 0))
        places = places[np.argsort(cell[places], kind="stable")]
        for own in np.split(places, np.flatnonzero(np.diff(cell[places])) + 1) if len(places) else ():
            group, device = divmod(int(cell[own[0]]), len(self.devices))
            yield self.groups[group], self.devices[device], own

    def require_groups(self, titles: Sequence[str], by: Sequence[str], questions: Sequence[int]) -> None:
        """Raise an error if nobody in a group answered the questions."""
        answered = np.logical_and.reduce([self.codes[question] != MISSING for question in questions])
        if not (answered & (self.group >= 0)).any():
            named = shown(", ".join(titles[question] for question in questions))
            raise InvalidParameterError(
                f"nobody in a group answered {named}: each respondent who did misses a value of "
                f"{shown(', '.join(by))}; name other columns"
            )

    def counts(self, question: int, known: Mapping[str, Mechanism]) -> dict[str, list[tuple[Mechanism, Ints]]]:
        """Return the counts of the responses to a question, by group and device; equal devices are counted together.

        Args:
            question: the question.
            known: the mechanism of each name of a device.
        """
        numbers: dict[Mechanism, int] = {}  # of different devices; a mechanism is slow to hash
        number = np.array([numbers.setdefault(known[name].factors[question], len(numbers)) for name in self.devices])
        devices, codes = list(numbers), self.codes[question]
        outputs = max(device.outputs for device in devices)
        chosen = (codes != MISSING) & (self.group >= 0)
        if not chosen.any():
            return {}
        cell = self.group[chosen] * len(devices) + number[self.device[chosen]]
        present, place = np.unique(cell, return_inverse=True)
        sums = np.bincount(place * outputs + codes[chosen], self.columns["n"][chosen], len(present) * outputs)
        rows = sums.astype(np.int64).reshape(len(present), outputs)  # exact up to 2^53
        found: dict[str, list[tuple[Mechanism, Ints]]] = {}
        for one, row in zip(present.tolist(), rows, strict=True):
            group, device = divmod(one, len(devices))
            found.setdefault(self.groups[group], []).append((devices[device], row[: devices[device].outputs]))
        return found


def kinds_by_question(kinds: tuple[RespondentKinds, ...] | list[RespondentKinds]) -> list[RespondentKinds]:
    """Return for each question the first kinds that were counted by it."""
    found = {question: one for one in reversed(kinds) for question in one.codes}
    return [found[question] for question in sorted(found)]
