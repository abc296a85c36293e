"""Estimates by group, and their printed tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import sqrt

from rropt.core.exact import decimal_text
from rropt.core.exact.display import (
    N_LESS_ONE,
    STANDARD_ERRORS,
    decimal_places,
    error_text,
    estimate_text,
    is_in_full,
    rounded,
)
from rropt.core.results import Result, Table, labelled
from rropt.core.visible import visible
from rropt.mechanisms import Mechanism
from rropt.survey.estimates.conclusions import difference_sentences, share_of_people, share_sentence
from rropt.survey.estimates.distributions import two_sided_quantile
from rropt.survey.estimates.interval_kinds import EMPTY, END_DIGITS, empty_remark, ends_text, is_empty
from rropt.survey.groups.differences import Difference
from rropt.survey.groups.groups import GroupShare, ShareComparison
from rropt.survey.tables.counting import Reading
from rropt.survey.tables.many_groups import first_groups, group_title, summary_table

_LISTED = 12  # the largest number of categories of one question that are named
_SHOWN_DIFFERENCES = 40  # for one proportion, the differences with the smallest p are shown; the JSON output has all

GUARANTEES = {
    "exact": "Clopper-Pearson, coverage at least nominal for every n and every distribution of the categories",
    "hoeffding": "where no count is binomial: Hoeffding's inequality, coverage at least nominal always",
    "normal": "plug-in normal approximation, no guarantee at any n",
}
SIMULTANEOUS = "Bonferroni: all groups of one share at once, each at 1 - alpha/groups"
TESTS = (
    "exact: unconditional (Barnard), the supremum of p over all common prevalences, enclosed; approximate: normal. "
    "Adjusted by Holm"
)


@dataclass(frozen=True, slots=True)
class GroupEstimates(Result):
    """Estimates of each question in each group, from one pass over a table.

    Attributes:
        reading: the report on the input.
        by: the columns of the groups; empty if all respondents are one group.
        confidence: the confidence of the intervals.
        mechanisms: the different devices of the respondents.
        shares: for each question the proportion of response 1, or of each category if there are more than two.
        counted: text that names the category of each output and the category whose proportion is estimated.
        all_intervals: whether to print the intervals of every kind or only the recommended ones.
    """

    reading: Reading
    by: tuple[str, ...]
    confidence: Fraction
    mechanisms: tuple[Mechanism, ...]
    shares: tuple[ShareComparison, ...]
    counted: tuple[str, ...] = field(default=(), compare=False, repr=False)
    all_intervals: bool = field(default=False, compare=False, repr=False)

    LABELS = labelled(devices="devices", confidence="confidence", remarks="")

    @property
    def devices(self) -> int:
        """The number of different devices."""
        return len(self.mechanisms)

    @property
    def conclusion(self) -> str:
        """The result of each question: of all respondents together, and the differences that the tests establish."""
        return self.concluded()

    def concluded(self, unit: str = "", population: object = None) -> str:
        """Return the conclusion with the people of the survey in words.

        Args:
            unit: the people in the plural.
            population: their number N, of which the respondents are a simple random sample.
        """
        people = None if population is None or not unit else Fraction(str(population))
        return " ".join(text for share in self.shares[:_LISTED] for text in self._concluded(share, unit, people)) + (
            " The tables have the other categories." if len(self.shares) > _LISTED else ""
        )

    def _concluded(self, share: ShareComparison, unit: str, people: Fraction | None) -> Iterator[str]:
        groups, n = share.groups, sum(group.n for group in share.groups)
        of_one = len(self.shares) == len(self.reading.questions)
        device = self.mechanisms[0]
        category = (device.category(1) if device.inputs == 2 else "category 1") if of_one else ""
        name = f"{share.name}, {category}" if of_one else share.name
        if len(groups) == 1:
            best = groups[0].intervals[groups[0].guaranteed]
            number = share_of_people(groups[0].estimate, best, people)
            yield share_sentence(name, groups[0].estimate, best, self.confidence, unit=unit, people=number)
            return
        value = sum((group.n * group.estimate for group in groups), Fraction(0)) / n
        error = sqrt(sum((group.n * group.standard_error) ** 2 for group in groups)) / n
        half = Fraction(error) * two_sided_quantile(self.confidence, END_DIGITS)[1]
        ends = (value - half, value + half) if -half < value < 1 + half else None  # its coverage is not proved
        words = {"kind": "approximate ", "unit": unit, "people": share_of_people(value, ends, people)}
        yield share_sentence(f"{name}, all {n} respondents", value, ends, self.confidence, **words)
        yield from difference_sentences(share.differences, self.confidence)

    def lines(self) -> list[tuple[str, str]]:
        """Return (label, value) pairs: the general results, then each estimate."""
        said = []
        for share in self.shares:
            for group in first_groups(share.groups):
                kind, places = group.guaranteed, _places([group.standard_error])
                error = rounded(group.standard_error, places)
                value = f"{_value(group.estimate, places)} (standard error {error}), {kind} interval "
                value += ends_text(*group.intervals[kind], places, group.estimate)
                said.append((f"{share.name}, {group.group}", value))
            left = len(share.groups) - len(first_groups(share.groups))
            if left:
                said.append((f"{share.name}, ...", f"{left} more groups: --json"))
        return said + self._head()

    def remarks(self) -> tuple[str, ...]:
        """Return the remarks on the estimates, as sentences."""
        remarks = list(self.reading.remarks)
        outside = [
            f"{share.name} in {group.group}"
            for share in self.shares
            for group in share.groups
            if not 0 <= group.estimate <= 1
        ]
        if outside:
            more = f", and {len(outside) - 3} more" if len(outside) > 3 else ""
            remarks.append(
                f"unbiased estimates outside [0, 1]: {'; '.join(outside[:3])}{more}: they are unbiased only if left as "
                "they are"
            )
        empty = [
            f"{share.name} in {group.group}"
            for share in self.shares
            for group in share.groups
            if is_empty(*group.intervals[group.guaranteed], group.estimate)
        ]
        remarks += empty_remark(empty)
        missing = sum(each.missing for each in self.reading.questions)
        if missing:
            remarks.append(
                f"{missing} missing answers were left out of their question: the estimates are biased "
                "if whether people answer depends on their answer"
            )
        return tuple(remarks)

    def as_tables(self) -> list[Table]:
        """Return the printed tables, each with title, header and rows."""
        tables: list[Table] = []
        if not self.by:
            rows = [(share.name, group) for share in self.shares for group in share.groups]
            tables.append(("All respondents", *self._rows("share", rows)))
        for share in self.shares if self.by else ():
            numbers: dict[str, Sequence[float]] = {
                "n": [group.n for group in share.groups],
                "estimate": [float(group.estimate) for group in share.groups],
                "standard error": [group.standard_error for group in share.groups],
            }
            tables += summary_table(share.name, numbers)
            shown = [(group.group, group) for group in first_groups(share.groups)]
            tables.append((group_title(share.name, share.groups), *self._rows("group", shown)))
            if share.differences:
                tables.append(_difference_table(share))
        return [*tables, ("Estimates from randomized responses", None, self._head())]

    def _head(self) -> list[tuple[str, str]]:
        """Return the counts, the report on the input, and the guarantees of the intervals."""
        percent = f"{decimal_text(100 * self.confidence)} %"
        head = [("counted", "; ".join(self.counted))] if self.counted else []
        kinds = {kind: None for share in self.shares for group in share.groups for kind in group.intervals}
        best = {group.guaranteed for share in self.shares for group in share.groups}
        for kind in kinds:
            if kind in best or self.all_intervals:
                head.append((f"{kind} interval, {percent}", "recommended: " * (kind in best) + GUARANTEES[kind]))
        if self.all_intervals:
            head.append(("standard errors", STANDARD_ERRORS))
        if any(len(share.groups) > 1 for share in self.shares):
            head += [("simultaneous", SIMULTANEOUS), ("tests of differences", TESTS)]
        groups = f"by {', '.join(self.by)}" if self.by else "none: all respondents together"
        return [*head, ("groups", groups), ("devices", str(self.devices)), ("read", self.reading.text())]

    def _rows(
        self, first: str, shares: Sequence[tuple[str, GroupShare]]
    ) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
        """Return the header and a row for each proportion, with all numbers to the same decimal place.

        The interval is the recommended one, whose coverage is proved. There is no column of simultaneous intervals if
        there is only one group.
        """
        places = _places([share.standard_error for _, share in shares])
        header: tuple[str, ...] = (first, "n", "estimate", "standard error", "interval")
        header += ("simultaneous",) * bool(self.by) + ("normal", N_LESS_ONE) * self.all_intervals
        rows: list[tuple[str, ...]] = []
        for title, share in shares:
            kind = share.guaranteed
            row = [
                visible(title),
                str(share.n),
                _value(share.estimate, places),
                rounded(share.standard_error, places),
            ]
            value = share.estimate
            ends = ends_text(*share.intervals[kind], places, value)
            row.append(ends if ends == EMPTY else f"{ends} {kind}")
            row += [ends_text(*share.simultaneous[kind], places, value)] * bool(self.by)
            if self.all_intervals:
                normal = ends_text(*share.intervals["normal"], places, value)
                row += [normal, error_text(share.unbiased_standard_error)]
            rows.append(tuple(row))
        return header, rows


def counted_text(title: str, names: Sequence[str] | None, size: int) -> str:
    """Return text that names the category of each response of a question, and the category whose proportion is shown.

    >>> counted_text("sick", ("no", "yes"), 2), counted_text("sick", None, 2), counted_text("often", ("a", "b", "c"), 3)
    ('sick: answer 1 (yes); answer 0 is no', 'sick: answer 1; not answer 0', 'often: answer 0 (a), 1 (b), 2 (c), each')
    """
    if size == 2:
        return (
            f"{title}: answer 1; not answer 0"
            if names is None
            else f"{title}: answer 1 ({names[1]}); answer 0 is {names[0]}"
        )
    texts = (str(j) if names is None else f"{j} ({names[j]})" for j in range(min(size, _LISTED)))
    return f"{title}: answer {', '.join(texts)}{', ...' * (size > _LISTED)}, each"


def _places(errors: Sequence[float]) -> int | None:
    """Return the decimal place that the smallest standard error of a column requires."""
    return max((place for place in map(decimal_places, errors) if place is not None), default=None)


def _value(value: Fraction | float, places: int | None) -> str:
    return estimate_text(value, places) if is_in_full() and isinstance(value, Fraction) else rounded(value, places)


def _difference_table(share: ShareComparison) -> Table:
    told = []
    if share.equality is not None:
        told.append(f"p = {_p(share.equality)} (exact tests of all pairs, Bonferroni)")
    if share.chi_squared is not None:
        statistic, freedom, p = share.chi_squared
        told.append(f"p = {_p(p)} (chi-squared {_p(statistic)} on {freedom}, approximate)")
    return difference_table(share.name, ", ".join(told), share.differences)


def difference_table(name: str, equality: str, differences: Sequence[Difference]) -> Table:
    """Return the table of the differences of a proportion: those with the smallest p, or all if all are requested.

    Args:
        name: the name of the proportion.
        equality: the test that all groups are equal, as text.
        differences: the differences.
    """
    header = ("groups", "difference", "standard error", "interval", "simultaneous", "p", "p adjusted")
    rows: list[tuple[str, ...]] = []
    places = _places([difference.standard_error for difference in differences])
    ordered = sorted(range(len(differences)), key=lambda place: differences[place].p)
    for place in sorted(ordered if is_in_full() else ordered[:_SHOWN_DIFFERENCES]):
        one = differences[place]
        rows.append(
            (
                f"{one.first} - {one.second}",
                _value(one.estimate, places),
                rounded(one.standard_error, places),
                _ends(one.interval, places),
                _ends(one.simultaneous, places),
                _p(one.p) + ("" if one.degrees_of_freedom is not None else " exact" if one.exact else " approximate"),
                _p(one.adjusted),
            )
        )
    left = len(differences) - len(rows)
    if left:
        rows.append((f"and {left} with larger p", "", "", "", "", "", ""))
    return f"{name}: differences; all equal: {equality or 'not tested'}", header, rows


def _ends(ends: tuple[float, float] | None, places: int | None) -> str:
    return "none" if ends is None else f"{rounded(ends[0], places)} to {rounded(ends[1], places)}"


def _p(value: float) -> str:
    return decimal_text(value, 3)
