"""The answers to the questions of a survey as a report states them: proportions, their picture, compact tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, NamedTuple

from rropt import Estimates
from rropt.core.exact import decimal_text
from rropt.core.exact.display import p_text, rounded
from rropt.core.results import Table
from rropt.core.visible import all_of, visible, with_noun
from rropt.estimates import Estimate, GroupComparison
from rropt.estimates.concluded_estimates import PROVED, category_of, missing_of, people_of
from rropt.estimates.conclusions import (
    TRAIT,
    difference_sentences,
    share_of_people,
    share_sentence,
    unit_in_all,
)
from rropt.inference.interval_kinds import EMPTY, is_empty, places_of
from rropt.mechanisms.words import TRAIT as TRAITS
from rropt_fieldwork.counts import nearest_distribution
from rropt_fieldwork.ethics.share_pictures import SharePoint, SharesPicture
from rropt_fieldwork.ethics.stated import ASKED_TOGETHER, Answer

PLAIN = ("yes", TRAIT, TRAITS[1])  # categories that the label of a question stands for
MOST_LISTED = 12  # categories that are listed one by one; of more the largest
_MOST_ROWS = 40  # groups or categories of a compact table, and rows of a picture
_MOST_SERIES = 6  # groups beside each other in one row of a picture
_MOST_COLUMNS = 6  # categories beside each other in a compact table
_MOST_PAIRS = 15
_MOST_WITH_ENDS = 6  # categories of a sentence with intervals

Ends = tuple[float, float]


class ShownShare(NamedTuple):
    """The proportion of one category, in one group or of all respondents.

    Attributes:
        n: the number of respondents.
        value, error: the unbiased estimate and its standard error.
        ends: the recommended interval; ``None`` without one.
        together: the interval for all groups at once; ``None`` without one.
        is_proved: whether the coverage of the interval is proved.
        people: the estimated number of people with its interval, in words; empty without one.
        likely: the proportion of the most likely distribution, which is never negative; ``None`` if it is not shown.
    """

    n: int
    value: float
    error: float | None
    ends: Ends | None
    together: Ends | None = None
    is_proved: bool = False
    people: str = ""
    likely: float | None = None


@dataclass(frozen=True, slots=True)
class QuestionAnswer:
    """What a result reports of one question.

    Attributes:
        categories: the names of the categories that are stated: all, or of two the counted one.
        confidence: the confidence of the intervals.
        unit: the people in the plural with their number; empty if the survey does not name them.
        n: the number of respondents.
        overall: the proportions of all respondents by category; empty if the result has none.
        by: the columns of the groups, in words.
        groups: the proportions of each group by category.
        comparisons: the tests of the groups by category; empty without groups.
        told: the answer in words, where it does not follow from the proportions alone; else empty.
        at_once: what the intervals hold for together, such as ``for all 4 cells at once``; else empty.
        likely: the name of the distribution that is never negative, in the header of its column.
    """

    categories: tuple[str, ...]
    confidence: Fraction
    unit: str
    n: int
    overall: tuple[ShownShare, ...]
    by: str = ""
    groups: tuple[tuple[str, tuple[ShownShare, ...]], ...] = ()
    comparisons: tuple[GroupComparison, ...] = ()
    told: str = ""
    at_once: str = ""
    likely: str = "most likely"
    _places: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Set the decimal places of percentages, by the smallest standard error."""
        shares = [*self.overall, *(share for _, each in self.groups for share in each)]
        places = places_of(share.error for share in shares)
        object.__setattr__(self, "_places", 1 if places is None else max(places - 2, 0))

    @property
    def level(self) -> str:
        """The confidence in percent."""
        return f"{decimal_text(100 * self.confidence)} %"

    @property
    def is_of_trait(self) -> bool:
        """Whether one category is stated whose name says nothing beside the label of the question."""
        return len(self.categories) == 1 and self.categories[0] in PLAIN

    @property
    def lists_all(self) -> bool:
        """Whether the sentence states each of several categories with its interval."""
        return 1 < len(self.overall) <= _MOST_WITH_ENDS and all(share.ends is not None for share in self.overall)

    def sentence(self) -> str:
        """Return the answer in words: the proportion, or all categories, and how the groups differ."""
        told: list[str] = []
        if self.told:
            told.append(self.told)
        elif self.overall and len(self.categories) == 1:
            (share,), (name,) = self.overall, self.categories
            kind = "" if share.is_proved else "approximate "
            told.append(
                share_sentence(
                    visible(name),
                    share.value,
                    share.ends,
                    self.confidence,
                    kind=kind,
                    unit=self.unit,
                    people=share.people,
                    digits=self._places,
                )
            )
        elif self.overall:
            has_ends = self.lists_all
            percents = [
                f"{visible(n)} {self._percent(s.value)} %{f' ({self._ends(s, s.ends)})' * has_ends}"
                for n, s in zip(self.categories[:12], self.overall[:12], strict=True)
            ]
            more = len(self.overall) - 12
            listed = ", ".join(percents) + f" and {more} more" * (more > 0)
            kind = "" if all(share.is_proved for share in self.overall) else "approximate "
            ends = f" (in brackets: {kind}{self.level} intervals{self.at_once and f' {self.at_once}'})" * has_ends
            told.append(f"{listed}{f' of {visible(self.unit)}' if self.unit else ''}{ends}.")
        is_by_group = not self.told and not self.overall and bool(self.comparisons)  # whose sentences follow
        told += [f"By {self.by}:"] * is_by_group
        told += [f"{with_noun(f'{self.n:,}', 'respondent')}."] * (not self.told and not is_by_group)
        return " ".join([*told, *self._differences()])

    def differences_in_words(self) -> str:
        """Return what the tests of groups establish; empty without groups."""
        return " ".join(self._differences())

    def _differences(self) -> Iterator[str]:
        if len(self.comparisons) == 1:
            one = self.comparisons[0]
            yield from difference_sentences(one.differences, self.confidence, one.equality_p)
        elif self.comparisons:
            yield from self._all_differences()

    def in_percent(self, share: ShownShare) -> tuple[str, str]:
        """Return the estimate of a proportion and its interval in percent, as all numbers of this question."""
        return self._percent(share.value), self._ends(share, share.ends)

    def people_of(self, share: ShownShare) -> str:
        """Return the number of people of a proportion with its interval."""
        return _number(share.people)

    def _all_differences(self) -> Iterator[str]:
        """Yield what the tests establish in each category; one sentence for the categories without a difference."""
        level, found = 1 - self.confidence, 0
        for name, one in zip(self.categories, self.comparisons, strict=True):
            if any(each.adjusted <= level for each in one.differences) or (one.equality_p or 1) <= level:
                found += 1
                for text in difference_sentences(one.differences, self.confidence, one.equality_p):
                    yield f"{visible(name)}: {text}"
        if not any(one.differences for one in self.comparisons):
            yield "The groups are too many to test their differences."
        elif found < len(self.comparisons):
            which = "any category" if not found else "the other categories"
            count = max(len(one.differences) for one in self.comparisons)
            least = min((each.adjusted for one in self.comparisons for each in one.differences), default=1.0)
            which_p = "smallest adjusted p" if count > 1 else "smallest p"
            p = f" ({which_p} = {decimal_text(least, 3)})" * (not found)
            yield f"The tests do not establish a difference between groups in {which}{p}."

    def _percent(self, value: float) -> str:
        return rounded(100 * Fraction(value), self._places)  # as in sentences: a product of floats rounds once more

    def _ends(self, share: ShownShare, ends: Ends | None) -> str:
        if ends is None:
            return "none"
        return EMPTY if is_empty(*ends, share.value) else f"{self._percent(ends[0])} to {self._percent(ends[1])}"

    def picture(self) -> SharesPicture | None:
        """Return the picture: groups in rows, or categories in rows with the groups beside each other."""
        groups = self.groups if len(self.groups) > 1 else ()
        rows: tuple[str, ...]
        columns: tuple[Sequence[ShownShare], ...]
        series: tuple[str, ...]
        if len(self.categories) == 1 and groups:
            rows = tuple(f"{name} ({each[0].n:,})" for name, each in groups)
            columns, series = (tuple(each[0] for _, each in groups),), ("",)
        elif groups and len(groups) <= _MOST_SERIES and len(self.categories) <= _MOST_ROWS // 2:
            rows, series = self.categories, tuple(name for name, _ in groups)
            columns = tuple(each for _, each in groups)
        else:
            rows, columns, series = self.categories, (self.overall,), ("",)
        if len(self.overall) > MOST_LISTED and series == ("",) and len(self.categories) > 1:
            return self._largest()
        if not rows or not columns[0] or len(rows) > _MOST_ROWS:
            return None
        points = tuple(tuple(_point(share) for share in each) for each in columns)
        if not any(point is not None for each in points for point in each):
            return None
        of = f" by {self.by}" if groups and (len(self.categories) == 1 or len(series) > 1) else ""
        at_once = f" {self.at_once}" if self.at_once else ""
        count = with_noun(f"{self.n:,}", "response")
        text = f"Estimated proportions{of} from {count}, with {self.level} intervals{at_once}."
        return SharesPicture(rows, series, points, self.confidence, text)

    def _order(self) -> list[int]:
        """Return the places of the categories to show; of many categories those of the largest estimates, in order."""
        count = len(self.overall)
        if count <= MOST_LISTED:
            return [*range(count)]
        return sorted(range(count), key=lambda i: (-self.overall[i].value, i))[:_MOST_ROWS]

    def _largest(self) -> SharesPicture:
        """Return the picture of many categories: the largest estimates first, with intervals for all at once."""
        order = self._order()
        has_joint = all(self.overall[i].together is not None for i in order)
        points = tuple(
            _point(one._replace(ends=one.together) if has_joint else one) for one in (self.overall[i] for i in order)
        )
        k = len(self.overall)
        which = f"The {len(order)} largest of {k} estimated proportions" if len(order) < k else "Estimated proportions"
        at_once = f" for {all_of(k, 'categories')} at once" * has_joint
        text = f"{which} from {with_noun(f'{self.n:,}', 'response')}, with {self.level} intervals{at_once}."
        return SharesPicture(
            tuple(self.categories[i] for i in order), ("",), (points,), self.confidence, text, is_chosen=True
        )

    def overall_table(self) -> Table | None:
        """Return the table of all respondents by category; of many categories the largest estimates first."""
        if not self.overall:
            return None
        order = self._order()
        chosen = [self.overall[i] for i in order]
        people = any(share.people for share in chosen)
        likely = any(share.likely is not None for share in chosen)
        joint = len(self.overall) > MOST_LISTED and not self.at_once and all(share.together for share in chosen)
        header: tuple[str, ...] = ("category", "estimate, %", f"{self.level} interval, %")
        header += (f"all {len(self.overall)} at once, %",) * joint
        header += (f"{self.likely}, never negative, %",) * likely + ("people",) * people
        rows = [
            (
                visible(self.categories[i]),
                self._percent(share.value),
                self._ends(share, share.ends),
                *[self._ends(share, share.together)] * joint,
                *["" if share.likely is None else self._percent(share.likely)] * likely,
                *[_number(share.people)] * people,
            )
            for i, share in zip(order, chosen, strict=True)
        ]
        at_once = f"; intervals {self.at_once}" if self.at_once else ""
        left = len(self.overall) - len(rows)
        which = f"; the {len(rows)} largest of {len(self.overall)} estimates" * (left > 0)
        return f"All {self.n:,} respondents{at_once}{which}", header, rows

    def group_tables(self) -> list[Table]:
        """Return the compact tables of groups: the proportions, and the pairs with their adjusted p."""
        if not self.groups:
            return []
        tables: list[Table] = []
        left = len(self.groups) - _MOST_ROWS
        more = f"; the first {_MOST_ROWS} of {len(self.groups)} groups" * (left > 0)
        shown = self.groups[:_MOST_ROWS]
        if len(self.categories) == 1:
            header: tuple[str, ...] = (self.by or "group", "respondents", "estimate, %", f"{self.level} interval, %")
            has_all = any(each[0].together for _, each in shown) and len(self.groups) > 1
            header += ("all groups at once, %",) * has_all
            rows: list[tuple[str, ...]] = [
                (visible(name), f"{one.n:,}", self._percent(one.value), self._ends(one, one.ends))
                + ((self._ends(one, one.together),) * has_all)
                for name, (one, *_) in shown
            ]
            tables.append((f"{visible(self.categories[0])}{f' by {self.by}' * bool(self.by)}{more}", header, rows))
        else:
            for start in range(0, len(self.categories), _MOST_COLUMNS):
                columns = slice(start, start + _MOST_COLUMNS)
                header = (self.by or "group", "respondents", *map(visible, self.categories[columns]))
                rows = [
                    (
                        visible(name),
                        f"{each[0].n:,}",
                        *(f"{self._percent(s.value)} ({self._ends(s, s.ends)})" for s in each[columns]),
                    )
                    for name, each in shown
                ]
                title = f"Percent of each group, with {self.level} intervals{more}"
                tables.append((title, header, rows))
                if start + _MOST_COLUMNS >= 4 * _MOST_COLUMNS:
                    break
        return [*tables, *self._pairs()]

    def _pairs(self) -> Iterator[Table]:
        """Yield the table of pairs: of one category with intervals, of several the differences and adjusted p.

        The interval and p of a row are both adjusted, so that they decide alike whether a pair differs.
        """
        compared = [one for one in self.comparisons if one.differences]
        if not compared or len(compared) != len(self.categories):
            return
        count = len(compared[0].differences)
        if any(len(one.differences) != count for one in compared):
            return
        order = sorted(range(count), key=lambda i: (min(one.differences[i].adjusted for one in compared), i))
        kept = sorted(order[:_MOST_PAIRS])
        more = f"; the {len(kept)} of {count} pairs with the smallest p" * (len(kept) < count)
        adjusted = "p is" if len(compared) > 1 else "intervals and p are"
        adjusted = f"; {adjusted} adjusted over the pairs" * (count > 1)
        title = f"Difference{'s' * (count > 1)} in percentage points{more}{adjusted}"
        places = places_of(each.standard_error for one in compared for each in one.differences)
        digits = 1 if places is None else max(places - 2, 0)

        def points(value: Any) -> str:
            return rounded(100 * Fraction(value), digits)

        def p(one: Any) -> str:
            return "none" if one.interval is None else p_text(one.adjusted)

        names = [f"{one.first} − {one.second}" for one in compared[0].differences]  # noqa: RUF001
        if len(compared) == 1:
            each = "adjusted " * (count > 1)
            header: tuple[str, ...] = ("pair", "difference", f"{each}{self.level} interval", f"{each}p")
            ones = compared[0].differences
            rows: list[tuple[str, ...]] = [
                (visible(names[i]), points(ones[i].estimate), _between(ones[i].simultaneous, points), p(ones[i]))
                for i in kept
            ]
            told = compared[0].equality_text(len(self.groups))
            yield (
                f"{title}. {'All' if len(self.groups) > 2 else 'Both'} groups equal: {told or 'not tested'}",
                header,
                rows,
            )
            return
        for start in range(0, min(len(compared), 4 * _MOST_COLUMNS), _MOST_COLUMNS):
            part = slice(start, start + _MOST_COLUMNS)
            header = ("pair", *map(visible, self.categories[part]))
            rows = [
                (
                    visible(names[i]),
                    *(
                        f"{points(one.differences[i].estimate)} ({_named_p(p(one.differences[i]))})"
                        for one in compared[part]
                    ),
                )
                for i in kept
            ]
            equal = ("all groups equal", *(_named_p(_equal(one)) for one in compared[part]))
            yield f"{title}{' within each category' * (count > 1)}", header, [*rows, equal]


def _equal(one: GroupComparison) -> str:
    return "not tested" if one.equality_p is None else p_text(one.equality_p)


def _named_p(text: str) -> str:
    """Return the text of a p-value with its letter, as far as it is a number."""
    return {"<": f"p {text}", "n": text}.get(text[:1], f"p = {text}")


def _between(ends: Any, points: Any) -> str:
    if ends is None or ends[0] > ends[1]:
        return "none"
    return f"{points(ends[0])} to {points(ends[1])}"


def _number(people: str) -> str:
    """Return the number of people and its interval from ``people_text``."""
    told = (
        people.removeprefix("; ")
        .removeprefix("about ")
        .partition(", of ")[0]
        .replace(" people", "")
        .replace(" person", "")
    )
    number, _, ends = told.partition(", ")
    return f"{number} ({ends})" if ends else number


def _point(share: ShownShare) -> SharePoint | None:
    ends = share.ends
    if ends is not None and is_empty(*ends, share.value):
        ends = None
    return SharePoint(float(share.value), None if ends is None else (float(ends[0]), float(ends[1])))


def answered(answer: Answer) -> list[QuestionAnswer]:
    """Return the answers of a result by question; empty if it is no estimate with proportions of one question each."""
    unit, population = answer.declared.get("unit", ""), answer.declared.get("population")
    result = answer.result
    if isinstance(result, Estimates) and result.memberships is not None:
        return [_of_memberships(result, unit, population)]
    if isinstance(result, Estimates) and result.kind == "proportions":
        numbered = _numbered(result, answer.declared)
        if not result.by and any(one.question not in result.questions for one in result.rows):
            return [_of_tables(numbered)]
        made = _of_estimates(numbered, unit, population)
        label = answer.declared.get("label")
        return [replace(one, categories=(label,)) if label and one.is_of_trait else one for one in made]
    return []


def predicted_pictures(predictions: Sequence[Estimates]) -> Iterator[SharesPicture]:
    """Yield a picture of the predicted proportions of each factor of a regression, with their intervals."""
    for one in predictions:
        category, by = one[0].category, ", ".join(one.by)
        if not category:
            continue  # the mean of a number
        intervals = [row.conf_int(confidence=one.confidence) for row in one]
        ends = [None if own is None else (float(own.lower), float(own.upper)) for own in intervals]
        points = tuple(SharePoint(float(row.estimate), own) for row, own in zip(one, ends, strict=True))
        rows = tuple(f"{row.group} ({row.n:,})" for row in one)
        level = f"{decimal_text(100 * one.confidence)} %"
        text = f"Predicted proportions of {category} by {by}: means over the rows of each, with {level} intervals."
        yield SharesPicture(rows, ("",), (points,), one.confidence, text, is_chosen=True)


def predicted_tables(predictions: Sequence[Estimates]) -> Iterator[Table]:
    """Yield the table of the predicted proportions, or means, of each factor of a regression."""
    for one in predictions:
        yield one.first_table(len(one))


def _of_memberships(found: Estimates, unit: str, population: object) -> QuestionAnswer:
    """Return the proportions from counts of memberships, whose intervals hold for all categories at once."""
    shares, names = [], []
    n, nearest = found[0].n, nearest_distribution([float(one.estimate) for one in found])
    for one, near in zip(found, nearest.tolist(), strict=True):
        joint = found.together(one)
        ends = None if joint is None or joint.emptied else (float(joint.lower), float(joint.upper))
        share = ShownShare(n, float(one.estimate), one.se, ends, ends, is_proved=True)
        people = share_of_people(float(one.estimate), ends, unit, population)
        shares.append(share._replace(people=people, likely=near))
        names.append(category_of(one))
    told = f"{found.concluded(unit, population)} {with_noun(f'{n:,}', 'respondent')}."
    at_once = f"for {all_of(len(names), 'categories')} at once"
    whole = unit_in_all(unit, population)
    return QuestionAnswer(
        tuple(names),
        found.confidence,
        whole,
        n,
        tuple(shares),
        told=told,
        at_once=at_once,
        likely="nearest distribution",
    )


def _asked_of(n: int, population: int, unit: str) -> str:
    """Return how many of the people of a finite population were asked."""
    people = visible(unit) or "people of the population"
    if n == population:
        return f"All {population:,} {people} were asked."
    return f"{n:,} of the {population:,} {people} were asked."


def _numbered(found: Estimates, declared: Mapping[str, str]) -> Estimates:
    """Return the estimates with the numbers of declared questions, which stand before their wordings, as names."""
    names = [name.strip() for name in declared.get("name", "").split(",")]
    if len(names) < 2 or declared.get("question", "").count(ASKED_TOGETHER) < len(names) - 1:
        return found

    def number(question: str | None) -> str | None:
        own = (question or "").split(", ")
        if not set(own) <= {*names}:
            return question
        return f"question{'s' * (len(own) > 1)} {', '.join(str(names.index(name) + 1) for name in own)}"

    rows = tuple(replace(one, question=number(one.question)) for one in found.rows)
    return replace(found, rows=rows, questions=tuple(number(name) or "" for name in found.questions))


def _of_tables(found: Estimates) -> QuestionAnswer:
    """Return the cells of all tables of several questions; intervals hold for all at once."""
    shares, names = [], []
    for one in found.rows:
        shown = _shown_estimate(one, found)
        wide = found.together(one)
        ends = None if wide is None else (float(wide.lower), float(wide.upper))
        likely = None if one.most_likely is None else float(one.most_likely)
        shares.append(shown._replace(ends=ends, together=ends, likely=likely))
        names.append(f"{one.question}: {one.category}")
    return QuestionAnswer(
        tuple(names),
        found.confidence,
        "",
        found.nobs,
        tuple(shares),
        told=f"{found.concluded()} {with_noun(f'{found.nobs:,}', 'respondent')}.",
        at_once=f"for all {len(shares)} cells at once",
        likely="nearest distribution",
    )


def _of_estimates(found: Estimates, unit: str, population: object) -> Iterator[QuestionAnswer]:
    """Yield the proportions of each question; a joint table of several questions has no answer of its own."""
    compared = {(one.question, one.category): one for one in found.compared()}
    questions = list(dict.fromkeys(one.question for one in found.rows))
    finite = found.population
    told = "" if finite is None else f"{found.concluded(unit)} {_asked_of(found.nobs, finite, unit)}"
    population = population if finite is None else finite
    if any(question not in found.questions for question in questions):
        return
    for question in questions:
        rows = [one for one in found.rows if one.question == question]
        wholes = [one for one in found.overall or found.rows if one.question == question]
        names = [category_of(one) for one in wholes]
        if len(names) == 1:
            names = [TRAIT if wholes[0].category == "1" else names[0]]
        if len(questions) > 1:
            names = [f"{question}, {name}" for name in names]
        missing = missing_of(found, question)
        is_long = found.counted is not None and len(wholes) > MOST_LISTED
        has_likely = is_long or (len(wholes) > 1 and any(one.estimate < 0 for one in wholes))
        groups: dict[str, list[ShownShare]] = {}
        for one in rows if found.by else ():
            groups.setdefault(one.group or "", []).append(_shown_estimate(one, found))
        if any(len(each) != len(names) for each in groups.values()):
            return
        overall = []
        for one in wholes:
            shown = _shown_estimate(one, found)
            likely = None if one.most_likely is None or not has_likely else float(one.most_likely)
            wide = found.together(one) if is_long else None
            together = shown.together if wide is None else (float(wide.lower), float(wide.upper))
            people = people_of(one, shown.ends, unit, population, missing)
            overall.append(shown._replace(people=people, likely=likely, together=together))
        tested = [compared.get((question, one.category)) for one in wholes] if len(groups) > 1 else []
        empty = GroupComparison(question, None, (), None)
        yield QuestionAnswer(
            tuple(names),
            found.confidence,
            unit_in_all(unit, population),
            sum({one.group: one.n for one in rows}.values()),
            tuple(overall),
            ", ".join(found.by),
            tuple((name, tuple(each)) for name, each in groups.items()),
            tuple(one or empty for one in tested),
            told,
        )


def _shown_estimate(one: Estimate, found: Estimates) -> ShownShare:
    ends = one.conf_int(confidence=found.confidence)
    own = None if ends is None else (float(ends.lower), float(ends.upper))
    is_proved = ends is not None and ends.kind in PROVED
    wide = found.together(one) if is_proved and one.group is not None and len(found.rows) > 1 else None
    together = None if wide is None else (float(wide.lower), float(wide.upper))
    return ShownShare(one.n, float(one.estimate), one.se, own, together, is_proved)
