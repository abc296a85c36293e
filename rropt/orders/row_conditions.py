"""Conditions on rows: proportional rows merged, and whether each has parity gamma (C1) and two distinct values (C2).

Proportional rows say the same about the truth: merging them gives an equivalent mechanism with fewer outputs.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from rropt.errors import InvalidMechanismError
from rropt.exact import Epsilon, as_text
from rropt.mechanisms import Mechanism
from rropt.mechanisms.required import required_mechanism


@dataclass(frozen=True, slots=True)
class MergedRows:
    """A mechanism without proportional rows, and the way back.

    Attributes:
        mechanism: the merged mechanism P'.
        groups: for each of its rows the rows of the original that it is the sum of, ascending.
        split: the kernel D with original = D P'.
    """

    mechanism: Mechanism
    groups: tuple[tuple[int, ...], ...]
    split: Mechanism

    @property
    def is_trivial(self) -> bool:
        """Whether nothing was merged."""
        return all(len(group) == 1 for group in self.groups)


def merge_proportional_rows(mechanism: Mechanism) -> MergedRows:
    """Return the equivalent mechanism in which no two rows are proportional.

    Rows a and s a, s > 0, have the same likelihood ratios; their sum replaces them. The original is a garbling of
    the merged one, which splits each answer again with probabilities 1/(1+s), s/(1+s), and conversely.

    Args:
        mechanism: P, m outputs, k inputs.

    Raises:
        InvalidMechanismError: a row of zeros, an answer that is never given.

    Source: Chai and Nayak (2018), Remark 4.1.

    >>> merged = merge_proportional_rows(Mechanism([["1/2", "1/4"], ["1/4", "1/8"], ["1/4", "5/8"]]))
    >>> print(merged.groups, *merged.mechanism.matrix[0], float(merged.mechanism[0, 1]))
    ((0, 1), (2,)) 3/4 3/8 0.375
    """
    matrix = required_mechanism(mechanism).matrix
    groups: dict[tuple[Fraction, ...], list[int]] = {}
    for i, row in enumerate(matrix):
        total = sum(row)
        if not total:
            raise InvalidMechanismError(
                f"row {i} of the mechanism is zero: received an answer that is never given; every row needs a "
                "positive entry; leave the row out"
            )
        groups.setdefault(tuple(x / total for x in row), []).append(i)
    rows = [
        [sum((matrix[i][j] for i in group), Fraction(0)) for j in range(mechanism.inputs)] for group in groups.values()
    ]
    split = [[Fraction(0)] * len(groups) for _ in matrix]
    for column, group in enumerate(groups.values()):
        for i in group:
            split[i][column] = sum(matrix[i], Fraction(0)) / sum(rows[column], Fraction(0))
    if len(rows) == len(matrix):  # the same matrix, under its name
        return MergedRows(mechanism, tuple((i,) for i in range(len(matrix))), Mechanism(split))
    return MergedRows(Mechanism(rows), tuple(map(tuple, groups.values())), Mechanism(split))


@dataclass(frozen=True, slots=True)
class RowReason:
    """Why one row keeps a mechanism out of C_gamma^0.

    Attributes:
        rows: the row of the mechanism as it was given, or the proportional rows that were merged into one.
        condition: ``"C1"`` (parity below gamma) or ``"C2"`` (not two distinct values).
        parity: largest over least entry of the row.
        values: number of distinct entries of the row.
        level: the level whose gamma is missed.
    """

    rows: tuple[int, ...]
    condition: Literal["C1", "C2"]
    parity: Fraction
    values: int
    level: Epsilon

    def __str__(self) -> str:
        where = f"row {self.rows[0]}" if len(self.rows) == 1 else f"rows {', '.join(map(str, self.rows))} (merged)"
        if self.condition == "C2":
            return f"{where}: {self.values} distinct values instead of two (C2)"
        gamma = self.level.gamma
        bound = f"exp({self.level})" if gamma is None else as_text(gamma)
        constant = "; it is constant and says nothing about the truth" if self.parity == 1 else ""
        return f"{where}: parity {as_text(self.parity)}, below gamma = {bound} (C1){constant}"

    def to_dict(self) -> dict[str, Any]:
        """Return the form of ``--json``."""
        return {
            "rows": list(self.rows),
            "condition": self.condition,
            "parity": as_text(self.parity),
            "values": self.values,
            "text": str(self),
        }


def row_reasons(merged: MergedRows, level: Epsilon) -> list[RowReason]:
    """Return why the merged rows are not all of parity gamma with two distinct values."""
    reasons = []
    for rows, row in zip(merged.groups, merged.mechanism.matrix, strict=True):
        parity, values = max(row) / min(row), len(set(row))
        if parity != level.gamma:
            reasons.append(RowReason(rows, "C1", parity, values, level))
        if values > 2:
            reasons.append(RowReason(rows, "C2", parity, values, level))
    return reasons
