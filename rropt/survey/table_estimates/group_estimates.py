"""Estimates by group, and their printed tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import sqrt
from typing import Any, ClassVar, TypeVar

import numpy as np

from rropt.core.attached_methods import with_registered_methods
from rropt.core.errors import InvalidParameterError, shown
from rropt.core.exact import decimal_text
from rropt.core.exact.display import (
    N_LESS_ONE,
    STANDARD_ERRORS,
    error_text,
    is_in_full,
    rounded,
)
from rropt.core.results import Result, Table, labelled
from rropt.core.results.sequences import SequenceOf
from rropt.core.visible import visible, with_noun
from rropt.estimates.conclusions import (
    Concluded,
    difference_sentences,
    share_of_people,
    share_sentence,
    trait_of,
    unit_in_all,
)
from rropt.inference.differences import Difference, Ends, is_outside
from rropt.inference.distributions import two_sided_quantile
from rropt.inference.interval_kinds import (
    EMPTY,
    END_DIGITS,
    empty_remark,
    ends_text,
    equal_remark,
    few,
    is_empty,
    places_of,
    share_text,
)
from rropt.mechanisms import Mechanism
from rropt.mechanisms.words import TRAIT, devices_in_words
from rropt.survey.groups.compared_groups import ComparedGroups, difference_table, equality_text
from rropt.survey.groups.shares import GroupShare, ShareComparison
from rropt.survey.respondents.counted import Counted
from rropt.survey.respondents.table_reports import TableReading

_MOST_SHOWN = 50  # above this number of groups, a table shows a summary and the first groups; --exact and JSON show all
_FIRST_SHOWN = 20
_QUARTILES = ("least", "lower quartile", "median", "upper quartile", "greatest")
_LISTED = 12  # the largest number of categories of one question that are named
_LARGEST = 3  # categories that are named where there are more

MARGINS = "margins, not the joint table of the questions"
SIMULTANEOUS = "Bonferroni: all groups of one share at once, each at 1 - alpha/groups"
TESTS = {
    "score": "score: of Miettinen and Nurminen, one device; p and interval are approximate for large n",
    "exact": "exact: unconditional, the supremum of each tail over all prevalences; p and interval are proved",
    "Wald": "Wald: the normal test with plug-in standard errors; p and interval are approximate for large n",
}
ADJUSTED = "simultaneous intervals and adjusted p: Bonferroni over the pairs of groups"

Group = TypeVar("Group")


@with_registered_methods
@dataclass(frozen=True, slots=True)
class GroupEstimates(Result, Concluded, SequenceOf, ComparedGroups):
    """Estimates of each question in each group, from one pass over a table.

    It is a sequence of the estimates: of the first proportion in each group, then of the next one. ``[]`` also finds
    them by their names: ``[group]`` of one proportion, ``[proportion]`` without groups, else ``[group, proportion]``.

    Attributes:
        reading: the report on the input.
        by: the columns of the groups; empty if all respondents are one group.
        confidence: the confidence of the intervals.
        mechanisms: the different devices of the respondents.
        shares: for each question the proportion of response 1, or of each category if there are more than two.
        counted: text that names the category of each output and the category whose proportion is estimated.
        all_intervals: whether to print the intervals of every kind or only the recommended ones.
    """

    reading: TableReading
    by: tuple[str, ...]
    confidence: Fraction
    mechanisms: tuple[Mechanism, ...]
    shares: tuple[ShareComparison, ...]
    counted: tuple[str, ...] = ()
    all_intervals: bool = field(default=False, compare=False, repr=False)

    ITEMS = "rows"
    ANSWER = ("lines",)
    LABELS = labelled(device_in_words="", devices="devices", confidence="confidence", remarks="")
    TITLE: ClassVar[str] = "Estimates from randomized responses"
    GUARANTEES: ClassVar[Mapping[str, str]] = {
        "exact": "Clopper-Pearson, coverage at least nominal for every n and every distribution of the categories",
        "hoeffding": "where no count is binomial: Hoeffding's inequality, coverage at least nominal always",
        "normal": "plug-in normal approximation, no guarantee at any n",
    }

    def checked(self) -> None:
        """Raise if a proportion in a file has no groups."""
        for share in self.shares:
            if not share.groups:
                raise InvalidParameterError(
                    f"the proportion {shown(share.name)} does not fit: received no group; allowed is at least one"
                )

    @property
    def rows(self) -> tuple[GroupShare, ...]:
        """The estimate of each proportion in each group."""
        return tuple(one for share in self.shares for one in share.groups)

    def __getitem__(self, place: Any) -> Any:
        if not isinstance(place, (str, tuple)):
            return self.rows[place]
        pairs: dict[Any, Any] = {(one.group, share.name): one for share in self.shares for one in share.groups}
        names: dict[Any, Any] = {}
        if not self.by:
            names = {share: one for (_, share), one in pairs.items()}
        elif len(self.shares) == 1:
            names = {group: one for (group, _), one in pairs.items()}
        if place in (known := pairs | names):
            return known[place]
        allowed = ", ".join(map(shown, first_groups([*names] or [*pairs])))
        raise KeyError(f"there is no {shown(place)}: allowed are {allowed}")

    @property
    def device_in_words(self) -> str:
        """The devices in words."""
        return devices_in_words(self.mechanisms)

    @property
    def devices(self) -> int:
        """The number of different devices."""
        return len(self.mechanisms)

    def concluded(self, unit: str = "", population: object = None) -> str:
        """Return the result of each question in all groups together, and the differences that the tests establish.

        Args:
            unit: the people in the plural.
            population: their number N, of which the respondents are a simple random sample.
        """
        if len(self.shares) <= _LISTED:
            return " ".join(text for share in self.shares for text in self._concluded(share, unit, population))
        largest = sorted(self.shares, key=lambda share: -self.pooled(share)[0])[:_LARGEST]
        told = [text for share in largest for text in self._concluded(share, unit, population)]
        more = f"These are the {_LARGEST} largest of {len(self.shares)} proportions; the table has all."
        return " ".join([*told, more])

    def _concluded(self, share: ShareComparison, unit: str, population: object) -> Iterator[str]:
        n = sum(group.n for group in share.groups)
        of_one = len(self.shares) == len(self.reading.questions)
        factors = self.mechanisms[0].factors
        device = factors[self.shares.index(share)] if of_one else factors[0]
        name = visible(share.name) + f", {trait_of(device.categories)}" * of_one
        asked = self.reading.questions
        missing = asked[self.shares.index(share) if of_one else 0].missing if asked else 0
        value, _, ends, is_proved = self.pooled(share)
        words = {"unit": unit_in_all(unit, population), "people": self.people(share, unit, population, missing)}
        if is_proved:
            yield share_sentence(name, value, ends, self.confidence, **words)
            return
        yield share_sentence(f"{name}, all {n} respondents", value, ends, self.confidence, kind="approximate ", **words)
        yield from difference_sentences(share.differences, self.confidence, share.equality_p)

    def pooled(self, share: ShareComparison) -> tuple[Fraction | float, float, Ends | None, bool]:
        """Return estimate, standard error and interval of all groups together, and whether its coverage is proved."""
        groups: Sequence[Any] = share.groups
        if len(groups) == 1:
            return groups[0].estimate, groups[0].standard_error, groups[0].recommended, True
        n = sum(group.n for group in groups)
        value = sum((group.n * group.estimate for group in groups), Fraction(0)) / n
        error = sqrt(sum((group.n * group.standard_error) ** 2 for group in groups)) / n
        half = Fraction(error) * two_sided_quantile(self.confidence, END_DIGITS)[1]
        ends = (value - half, value + half) if -half < value < 1 + half else None
        return value, error, ends, False

    def people(self, share: ShareComparison, unit: str, population: object, missing: int) -> str:
        """Return the number of people of a proportion in all groups, in words; empty if the survey has no number."""
        value, _, ends, _ = self.pooled(share)
        return share_of_people(value, ends, unit, population, missing)

    def lines(self) -> list[tuple[str, str]]:
        """Return (label, value) pairs: each estimate, then the general results."""
        said = []
        for share in self.shares:
            for one in self._printed(share):
                places = self._places([one])
                value = f"{share_text(one.estimate, places)} (standard error {rounded(one.standard_error, places)}), "
                value += f"{one.recommended_kind} interval {interval_text(one.recommended, places, one.estimate)}"
                said.append((f"{share.name}, {one.group}", value))
            left = len(share.groups) - len(first_groups(share.groups))
            if left:
                said.append((f"{share.name}, ...", f"{with_noun(left, 'more group')}: --json"))
        return said + self._head()

    def remarks(self) -> tuple[str, ...]:
        """Return the remarks on the estimates, as sentences."""
        remarks = [*self.reading.remarks]
        named = [(f"{share.name} in {one.group}", one) for share in self.shares for one in share.groups]
        without = [name for name, one in named if one.recommended is None]
        if without:
            remarks.append(f"no degrees of freedom, hence no intervals: {few(without)}")
        outside = [name for name, one in named if is_outside(one.estimate)]
        if outside:
            remarks.append(f"estimates outside [0, 1]: {few(outside)}: they are unbiased only if left as they are")
        remarks += empty_remark(
            [name for name, one in named if one.recommended is not None and is_empty(*one.recommended, one.estimate)]
        )
        differences = [one for share in self.shares for one in share.differences if one.method == "Wald"]
        remarks += equal_remark(
            [name for name, one in named if one.standard_error == 0],
            are_left=any(one.interval is None for one in differences),
        )
        missing = sum(each.missing for each in self.reading.questions)
        if missing:
            remarks.append(
                f"{with_noun(missing, 'missing answer was', 'missing answers were')} left out of their question: "
                "the estimates are biased if whether people answer depends on their answer"
            )
        return tuple(remarks)

    def frame_rows(self) -> list[dict[str, Any]]:
        """Return one row for each proportion and group: n, estimate, standard error, recommended interval."""
        rows = []
        for share in self.shares:
            for one in share.groups:
                best, value = one.recommended, one.estimate
                low, high = (None, None) if best is None or is_empty(best[0], best[1], value) else map(float, best)
                numbers: dict[str, Any] = {"n": one.n, "estimate": float(value), "standard_error": one.standard_error}
                numbers |= {"low": low, "high": high, "interval": one.recommended_kind}
                rows.append({**self.asked(share.name), "group": one.group, **numbers, **self._more_numbers(one)})
        return rows

    def asked(self, name: str) -> dict[str, Any]:
        """Return the question and the category of a proportion, the first columns of a frame."""
        titles = [question.title for question in self.reading.questions]
        if name in titles:  # of two categories, the second
            factors = self.mechanisms[0].factors
            names = factors[titles.index(name) if len(factors) == len(titles) else 0].categories
            return {"question": name, "category": names[1] if names else "1"}
        before = [title for title in titles if name.startswith(f"{title}: ")]
        if not before or any(f", {title}: " in name for title in titles):  # a cell of a joint table
            return {"question": ", ".join(t for t in titles if f", {t}: " in f", {name}"), "category": name}
        title = max(before, key=len)
        return {"question": title, "category": name[len(title) + 2 :]}

    def _more_numbers(self, one: Any) -> dict[str, Any]:
        """Return the further numbers of a proportion in a group: the interval for all groups at once."""
        low, high = map(float, one.simultaneous[one.recommended_kind])
        return {"low_at_once": low, "high_at_once": high} if self.by else {}

    @property
    def compared(self) -> dict[str, Sequence[Difference]]:
        """The differences of the pairs of groups, by proportion."""
        return {share.name: share.differences for share in self.shares}

    def as_tables(self) -> list[Table]:
        """Return the printed tables, each with title, header and rows."""
        tables: list[Table] = []
        if not self.by:
            tables += self._tables("", "share", [(share.name, one) for share in self.shares for one in share.groups])
        for share in self.shares if self.by else ():
            numbers: dict[str, Sequence[float]] = {
                "n": [one.n for one in share.groups],
                "estimate": [float(one.estimate) for one in share.groups],
                "standard error": [one.standard_error for one in share.groups],
            }
            tables += summary_table(share.name, numbers)
            found = self._tables(share.name, "group", [(one.group, one) for one in self._printed(share)])
            tables += [(group_title(title, share.groups), header, rows) for title, header, rows in found]
            tables += self._differences(share)
        if not self.is_joint:
            title, header, rows = tables[0]
            tables[0] = (f"{title} ({MARGINS})", header, rows)
        return [*tables, (self.TITLE, None, self._head())]

    @property
    def is_joint(self) -> bool:
        """Whether each proportion is one of all questions together; then the first one names them all."""
        titles = [question.title for question in self.reading.questions]
        return len(titles) < 2 or all(f", {title}: " in f", {self.shares[0].name}" for title in titles)

    def _head(self) -> list[tuple[str, str]]:
        """Return the counts, the guarantees of the intervals, and the report on the input."""
        percent = f"{decimal_text(100 * self.confidence)} %"
        head = [("device", self.device_in_words)]
        head += [("counted", "; ".join(self.counted))] if self.counted else []
        best = {one.recommended_kind for share in self.shares for one in share.groups}
        for kind in self._kinds():
            head.append((f"{kind} interval, {percent}", "recommended: " * (kind in best) + self.GUARANTEES[kind]))
        groups = f"by {', '.join(self.by)}" if self.by else "none: all respondents together"
        more = [("groups", groups), ("devices", str(self.devices)), ("read", self.reading.text())]
        return [*head, *self._about(), *more]

    def _kinds(self) -> list[str]:
        """Return the kinds of intervals to show."""
        met = {
            kind
            for share in self.shares
            for one in share.groups
            for kind in (one.recommended_kind, *one.intervals)[: None if self.all_intervals else 1]
        }
        return [kind for kind in self.GUARANTEES if kind in met]

    def _printed(self, share: Any) -> list[Any]:
        """Return the estimates to print: of the first groups."""
        return [*first_groups(share.groups)]

    def _places(self, ones: Iterable[Any]) -> int | None:
        """Return the decimal place that the smallest standard error of some proportions requires."""
        return places_of(one.standard_error for one in ones)

    def _about(self) -> list[tuple[str, str]]:
        """Return what the intervals and tests are."""
        about = [("standard errors", STANDARD_ERRORS)] * self.all_intervals
        if any(len(share.groups) > 1 for share in self.shares):
            about.append(("simultaneous", SIMULTANEOUS))
        methods = {one.method for share in self.shares for one in share.differences}
        about += [("tests of differences", text) for method, text in TESTS.items() if method in methods]
        about += [("differences at once", ADJUSTED)] * bool(methods)
        return about

    def _tables(self, name: str, first: str, named: Sequence[tuple[str, Any]]) -> list[Table]:
        """Return the table of some estimates, with all numbers to the same decimal place.

        The interval is the recommended one, whose coverage is proved. There is no column of simultaneous intervals if
        there is only one group.
        """
        places = self._places(one for _, one in named)
        header: tuple[str, ...] = (first, "n", "estimate", "standard error", "interval")
        header += ("simultaneous",) * bool(self.by) + ("normal", N_LESS_ONE) * self.all_intervals
        rows: list[tuple[str, ...]] = []
        for title, one in named:
            kind, value = one.recommended_kind, one.estimate
            ends = interval_text(one.recommended, places, value)
            row = [visible(title), str(one.n), share_text(value, places), rounded(one.standard_error, places)]
            row.append(ends if ends == EMPTY else f"{ends} {kind}")
            row += [interval_text(one.simultaneous[kind], places, value)] * bool(self.by)
            if self.all_intervals:
                row += [interval_text(one.intervals["normal"], places, value), error_text(one.unbiased_standard_error)]
            rows.append(tuple(row))
        return [(name or "All respondents", header, rows)]

    def _differences(self, share: Any) -> list[Table]:
        """Return the table of the differences of a proportion, if there are differences."""
        told = equality_text(share.equality, share.test, len(share.groups))
        return [difference_table(share.name, told, share.differences)] if share.differences else []


def counted_text(title: str, names: Sequence[str] | None, size: int) -> str:
    """Return text that names the category of each response of a question, and the category whose proportion is shown.

    >>> counted_text("sick", ("no", "yes"), 2), counted_text("sick", None, 2), counted_text("often", ("a", "b", "c"), 3)
    ('sick: answer 1 (yes); answer 0 is no', 'sick: answer 1; not answer 0', 'often: answer 0 (a), 1 (b), 2 (c), each')
    """
    if tuple(names or ()) == TRAIT:
        return f"{title}: respondents with the trait; no response says so"
    if size == 2:
        return (
            f"{title}: answer 1; not answer 0"
            if names is None
            else f"{title}: answer 1 ({names[1]}); answer 0 is {names[0]}"
        )
    texts = (str(j) if names is None else f"{j} ({names[j]})" for j in range(min(size, _LISTED)))
    return f"{title}: answer {', '.join(texts)}{', ...' * (size > _LISTED)}, each"


def counted_texts(counted: Counted) -> tuple[str, ...]:
    """Return the text of ``counted_text`` for each question."""
    return tuple(
        counted_text(title, counted.names_of(question), counted.factors[question].inputs)
        for question, title in enumerate(counted.titles)
    )


def interval_text(ends: Ends | None, places: int | None, value: Fraction | float) -> str:
    """Return the interval of a proportion as text, also where there is none."""
    return "none" if ends is None else ends_text(*ends, places, value)


def first_groups(groups: Sequence[Group]) -> Sequence[Group]:
    """Return the groups to print: all of them, or the first if there are many and not all are requested."""
    return groups if len(groups) <= _MOST_SHOWN or is_in_full() else groups[:_FIRST_SHOWN]


def group_title(title: str, groups: Sequence[object]) -> str:
    """Return the title of the table of the printed groups, which states how many of them are shown.

    >>> group_title("q", range(100)), group_title("q", range(3))
    ('q: the first 20 of 100 groups; --json has all', 'q')
    """
    shown = len(first_groups(groups))
    return title + f": the first {shown} of {len(groups)} groups; --json has all" * (shown < len(groups))


def summary_table(title: str, columns: dict[str, Sequence[float]]) -> list[Table]:
    """Return a table of the quartiles of each column for many groups; empty if all groups are printed.

    >>> (title, header, rows), = summary_table("q", {"n": range(1, 102)})
    >>> title, rows
    ('q: summary of 101 groups', [('n', '1', '26', '51', '76', '101')])
    """
    size = max(map(len, columns.values()), default=0)
    if size <= _MOST_SHOWN:
        return []
    rows: list[tuple[str, ...]] = []
    for name, numbers in columns.items():
        ends = np.quantile(np.array(numbers, np.float64), (0, 0.25, 0.5, 0.75, 1))
        rows.append((name, *(f"{end:.4g}" if abs(end) < 1000 else f"{end:.0f}" for end in ends.tolist())))
    return [(f"{title}: summary of {size} groups", ("", *_QUARTILES), rows)]
