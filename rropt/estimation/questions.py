"""Estimates of several questions at once: the joint distribution, or all marginals of some order, with intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rropt.estimation.answers import Answers, groups_of
from rropt.estimation.distributions import exact_confidence
from rropt.estimation.joint_likelihood import JointEstimate, estimate_joint
from rropt.estimation.simultaneous import SimultaneousIntervals, simultaneous_intervals
from rropt.estimation.tables import TableEstimate, estimate_cells, estimate_marginals
from rropt.exact import as_text, both_texts, decimal_text
from rropt.mechanisms import question_levels
from rropt.results import written

_SHOWN_CELLS = 64  # of a table for people; JSON has all
_SEARCHED = 1 << 12  # cells up to which marginals are also those of the most likely joint distribution
_MOST_SEARCHED = 1 << 16  # cells up to which the joint distribution is also the most likely one
_KINDS = ("normal", "hoeffding")


@dataclass(frozen=True, slots=True)
class QuestionsEstimate:
    """The unbiased estimates of tables of several questions, beside the most likely ones.

    Attributes:
        groups: the respondents, by mechanism.
        tables: the joint distribution, or the marginals.
        joint: the most likely joint distribution, of which the tables have marginals too; ``None``: too many cells.
        confidence: of the intervals, for all cells at once.
        marginals: the number of questions of each table; ``None``: one table of all.
    """

    groups: tuple[Answers, ...]
    tables: tuple[TableEstimate, ...]
    joint: JointEstimate | None
    confidence: Fraction
    marginals: int | None

    @property
    def n(self) -> int:
        """The number of respondents."""
        return sum(group.n for group in self.groups)

    @property
    def excluded(self) -> int:
        """The number of respondents who are left out."""
        return sum(group.excluded for group in self.groups)

    def condition(self) -> Fraction:
        """Return how many times errors of shares grow at most."""
        questions = len(self.tables[0].questions)
        return max(group.mechanism.condition(questions=questions) for group in self.groups)

    def intervals(self, kind: str = "normal") -> SimultaneousIntervals:
        """Return intervals that hold all cells at once."""
        return simultaneous_intervals(self.tables, self.confidence, kind=kind)

    def to_dict(self) -> dict[str, Any]:
        """Return the contract of ``rropt estimate --json`` of several questions; large tables are floats."""
        intervals = {kind: self.intervals(kind) for kind in _KINDS}
        record: dict[str, Any] = {
            "n": self.n,
            "excluded": self.excluded,
            "order": "cell sum_l x_l 2^l for bits: the first question of a table varies fastest",
            "condition": as_text(self.condition()),
            "likelihood_gap": None if self.joint is None else as_text(self.joint.likelihood_gap),
            "guarantees": {kind: found.guarantee for kind, found in intervals.items()},
        }
        devices = [
            {"name": g.mechanism.name, "epsilon": written(question_levels(g.mechanism))[0], "n": g.n}
            for g in self.groups
        ]
        record["devices"] = devices
        if len(devices) == 1:
            record["mechanism"] = {key: value for key, value in devices[0].items() if key != "n"}
        tables = [
            self._table(table, {kind: found.ends[i].tolist() for kind, found in intervals.items()})
            for i, table in enumerate(self.tables)
        ]
        found = tables[0] if self.marginals is None else {"tables": tables}
        return {**record, **found, "remarks": list(self.remarks())}

    def _table(self, table: TableEstimate, intervals: dict[str, Any]) -> dict[str, Any]:
        likely = None if self.joint is None else self.joint.marginal(table.questions)
        near = None if likely is None else [float(x) for x in likely]
        return {
            "questions": list(table.questions),
            "sizes": list(table.sizes),
            "estimate": written(table.estimate)[0],
            "constrained_estimate": None if likely is None else written(likely)[0],
            "standard_error": table.standard_errors.tolist(),
            "intervals": intervals,
            "decimals": {"estimate": table.decimals().tolist(), "constrained_estimate": near},
        }

    def lines(self) -> list[tuple[str, str]]:
        """Return the mechanism with its levels, the answers, and what holds of the intervals."""
        rows = [("mechanism", self.groups[0].mechanism.name or "product")]
        if len(self.groups) > 1:
            rows = [("mechanisms", f"{len(self.groups)} different ones; epsilon of the one that tells most")]
        for name, differing in (("whole answer", None), ("worst question", 1)):
            largest = max((group.mechanism.epsilon(differing=differing) for group in self.groups), key=float)
            rows.append((name, f"epsilon = {both_texts(largest, 6)}"))
        grow, found = both_texts(self.condition(), 6), self.intervals()
        return [
            *rows,
            ("answers", f"n = {self.n}, {self.excluded} excluded"),
            ("condition number", f"{grow}: errors of shares grow at most so many times"),
            ("intervals", f"{decimal_text(100 * found.confidence)} % for all cells. {found.guarantee}"),
        ]

    def table_rows(self) -> list[tuple[str, list[tuple[str, ...]]]]:
        """Return each table for people: its title, and its rows, the header first."""
        found = []
        for table, ends in zip(self.tables, self.intervals().ends, strict=True):
            likely = None if self.joint is None else self.joint.marginal(table.questions)
            rows: list[tuple[str, ...]] = [("answers", "unbiased", "standard error", "interval", "most likely")]
            cells = zip(table.decimals(), table.standard_errors, ends, strict=True)
            for cell, (share, error, (low, high)) in enumerate(cells):
                most = "" if likely is None else f"{float(likely[cell]):.6f}"
                place = _place(cell, table.sizes)
                rows.append((place, f"{share:.6f}", f"{error:.6f}", f"{low:.4f} to {high:.4f}", most))
            left = len(rows) - 1 - _SHOWN_CELLS
            rows[_SHOWN_CELLS + 1 :] = [("...", f"{left} more: --json", "", "", "")] if left > 0 else []
            found.append((f"Questions {', '.join(map(str, table.questions))}", rows))
        return found

    def remarks(self) -> tuple[str, ...]:
        """Return what a reader must be told before using the numbers, as sentences."""
        found = [remark for table in self.tables for remark in table.remarks()]
        if self.joint is None:
            found.append("the joint distribution has too many cells for the most likely one: unbiased estimates alone")
        else:
            found += self.joint.remarks()
        return tuple(dict.fromkeys(found))


def _place(cell: int, sizes: Sequence[int]) -> str:
    digits = []
    for size in sizes:
        cell, digit = divmod(cell, size)
        digits.append(str(digit))
    return " ".join(digits)


def estimate_questions(
    answers: Answers | Sequence[Answers], *, marginals: int | None = None, confidence: object = Fraction(19, 20)
) -> QuestionsEstimate:
    """Return the estimates of several questions, unbiased and, where there are not too many cells, the most likely.

    Args:
        answers: of respondents, by mechanism.
        marginals: the number of questions of each table; all tables of so many. One of all questions when left out.
        confidence: of the intervals, for all cells of all tables at once.

    Raises:
        InvalidParameterError: as ``estimate_marginals``.
        UnsupportedProblemError: too many cells, or tables.

    >>> from rropt.estimation import answers_of_counts
    >>> from rropt.mechanisms import named_mechanism
    >>> found = estimate_questions(answers_of_counts(named_mechanism("bits:3/4*2"), [40, 30, 20, 10]), marginals=1)
    >>> [[str(share) for share in table.estimate] for table in found.tables]
    [['7/10', '3/10'], ['9/10', '1/10']]
    """
    groups, level = tuple(groups_of(answers)), exact_confidence(confidence)
    tables = (estimate_cells(groups),) if marginals is None else estimate_marginals(groups, marginals)
    cells = groups[0].mechanism.inputs
    few = cells <= (_MOST_SEARCHED if marginals is None else _SEARCHED)
    return QuestionsEstimate(groups, tuple(tables), estimate_joint(groups) if few else None, level, marginals)
