"""What is made of a table before its rows are counted: answers of empty cells, recoded columns, a selection of rows.

The same preparation is built in SQL for DuckDB and in expressions of Ibis for other engines. Rows that are not selected
stay in the table, with a mark: a survey with weights or clusters counts them as members of their cluster outside of a
domain, and line numbers in messages are those of the file.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import reduce
from typing import Any

from rropt.answers.response_codes import NO_ANSWER, OF_NUMBERS
from rropt.core.errors import FileFormatError, InvalidParameterError, name_of, names_of, shown
from rropt.core.exact.display import number_text
from rropt.core.normal_form import label_form, named_in, normal, text_of
from rropt.core.visible import with_noun
from rropt_fieldwork.reading.conditions import RowCondition
from rropt_fieldwork.reading.date_texts import require_comparable_dates
from rropt_fieldwork.reading.header_rows import checked_header_rows
from rropt_fieldwork.reading.missing import MissingTexts, flat_texts
from rropt_fieldwork.reading.recodings import Recoding, recodings_of
from rropt_fieldwork.reading.sources import SELECTED, Source

ARM = "arm of the question"  # the column of the arm of each row
_WAS_BLANK = "\0blank "  # begins the name of a column that marks empty cells, which no table of the user has
_SHOWN = 5  # values that a message lists


@dataclass(frozen=True, slots=True)
class Preparation:
    """What is made of a table before its rows are counted.

    Attributes:
        where: the condition on the rows that are selected; ``None``: all rows.
        recodings: the recoded columns.
        blank: the answer for which an empty cell of a question stands; ``None``: it is missing.
        answers: the columns of the questions.
        missing: the texts for missing values, as for ``estimate_table``.
        header_rows: the number of rows above the first respondent.
        codes: the columns of a statistics file that are read without value labels.
        arms: the columns of the arms of the question, each of which a part of the respondents answered.
    """

    where: RowCondition | None = None
    recodings: tuple[Recoding, ...] = ()
    blank: str | None = None
    answers: tuple[str, ...] = ()
    missing: tuple[str, ...] | None = None
    header_rows: int = 1
    codes: tuple[str, ...] = ()
    arms: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        answers: Sequence[str],
        missing: Any = None,
        *,
        where: Any = None,
        recode: Any = None,
        blank: Any = None,
        header_rows: Any = None,
        codes: Any = (),
        arms: Iterable[str] | None = None,
    ) -> Preparation:
        """Return the preparation of the arguments of a request.

        Args:
            answers: the columns of the questions.
            missing, where, recode, blank, header_rows, codes: as for ``estimate_table``.
            arms: the columns of the arms of the only question.

        Raises:
            InvalidParameterError: a condition or a recoding cannot be read, or the answer of an empty cell is empty.
        """
        condition = None if where is None else RowCondition.of(where)
        recodings = recodings_of(recode)
        if blank is not None and not name_of(blank, "blank").strip():
            raise InvalidParameterError("`blank` is empty: received a blank text; give an answer, such as no")
        if condition is not None:
            _require_one_reading(condition, recodings)
        named, text = tuple(map(normal, answers)), None if blank is None else blank.strip()
        rows = 1 if header_rows is None else checked_header_rows(header_rows)
        of_arms = tuple(map(normal, arms or ()))
        if of_arms and (len(named) != 1 or text is not None):
            raise InvalidParameterError(
                "arms are columns of one question, and an empty cell is that of another arm: received "
                f"{len(named)} questions{' and `blank`' if text is not None else ''}; name one question"
            )
        return cls(condition, recodings, text, named, flat_texts(missing), rows, names_of(codes, "codes"), of_arms)

    @property
    def is_plain(self) -> bool:
        """Whether nothing is made of the table."""
        return self.where is None and not self.recodings and self.blank is None and not self.arms

    def needed(self, names: Iterable[str]) -> list[str]:
        """Return the columns that a file needs to have, of a request for some columns."""
        made = {one.name: one.column for one in self.recodings}
        if self.arms:
            others = [name for name in names if name != ARM and normal(name) not in self.answers]
            names = [*self.arms, *others]
        asked = [*names, *(self.where.columns if self.where is not None else ())]
        own = [made.get(normal(name), name) for name in asked]
        return list(dict.fromkeys([*own, *made.values()]))  # each recoding is made, whoever asks for its column

    def applied(self, source: Source) -> Source:
        """Return the table with what is made of it.

        Raises:
            FileFormatError: a number is in no band, or a text stands among numbers.
        """
        if self.is_plain:
            return source
        if not source.has_header:
            raise InvalidParameterError(
                "a file without a header has no names: received `where`, `recode` or `blank`; name the column of the "
                "question"
            )
        gaps = MissingTexts.of(self.missing, map(str, source.names))
        if self.arms:
            source = self._with_arms(source, gaps)
        if self.blank is not None:
            source = self._with_answers_of_blanks(source, self.blank)
        for one in self.recodings:
            source = self._recoded(source, one, gaps)
        return source if self.where is None else self._selected(source, self.where, gaps)

    def _with_arms(self, source: Source, gaps: MissingTexts) -> Source:
        """Return the table with one column of the responses of all arms, and one of the arm of each row."""
        (question,) = self.answers
        if named_in(question, source.names) is not None:
            raise InvalidParameterError(
                f"the question of the arms is a column of the data: received {shown(question)}; give it another name"
            )
        texts = (*gaps.of_answers(question), *(NO_ANSWER if gaps.answers is None else gaps.answers))
        terms = source.terms(dict.fromkeys(self.arms, texts))
        filled = [terms.negated(terms.is_missing(column)) for column in self.arms]
        twice = [terms.both(one, other) for i, one in enumerate(filled) for other in filled[:i]]
        *counts, both, rows = source.times(*filled, reduce(terms.either, twice))
        if both:
            raise FileFormatError(
                f"a respondent answered in two arms: received {with_noun(both, 'row')} with responses in two of "
                f"{shown(', '.join(self.arms))}; name the columns of one question, of which each row has one"
            )
        of_arm = terms.first_of([*zip(filled, self.arms, strict=True)], terms.constant(self.arms[0]))
        answer = terms.first_known([terms.text(column) for column in self.arms])
        told = ", ".join(f"{column} {n}" for column, n in zip(self.arms, counts, strict=True))
        remark = (
            f"the arms of {shown(question)} have these numbers of responses: {told}; none in {rows - sum(counts)} rows"
        )
        found = source.with_column(question, answer).with_column(ARM, of_arm)
        return replace(found, remarks=(*source.remarks, remark))

    def _missing_texts(self, gaps: MissingTexts, column: str) -> tuple[str, ...]:
        """Return the texts, besides an empty one, that stand for a missing value of a column."""
        if column not in self.answers:
            return gaps.of_column(column)
        return (*gaps.of_answers(column), *(NO_ANSWER if gaps.answers is None else gaps.answers))

    def _with_answers_of_blanks(self, source: Source, blank: str) -> Source:
        """Return the table with an answer in each empty cell of the questions."""
        remarks = []
        for column in self.answers:
            if named_in(column, source.names) is None:
                continue
            terms = source.terms({})
            if self.where is None:
                (count, _) = source.times(terms.is_missing(column))
                told = _blanks_told(count, column, blank)
                remarks.append(f"{told}; leave those who were not asked out by a selection (`where`)")
            else:  # they are counted in the selection
                source = source.with_column(_WAS_BLANK + column, terms.is_missing(column))
                terms = source.terms({})
            source = source.with_column(column, terms.first_of([(terms.is_missing(column), blank)], terms.raw(column)))
        return replace(source, remarks=(*source.remarks, *remarks))

    def _recoded(self, source: Source, one: Recoding, gaps: MissingTexts) -> Source:
        """Return the table with a recoded column."""
        if one.is_new and named_in(one.name, source.names) is not None:
            raise InvalidParameterError(
                f"a recoded column is in the data already: received {shown(one.name)}; give it another name"
            )
        column, missing, remarks = one.column, self._missing_texts(gaps, one.column), []
        if one.bands:
            ignored = {text.lower() for text in (*NO_ANSWER, *missing, *one.joined)}
            source = source.with_marks((), [column], ignored)
        terms = source.terms({column: missing})
        cases = [(terms.is_one(column, [text]), label) for text, label in one.joined.items()]
        if one.joined:
            *counts, _ = source.times(*(condition for condition, _ in cases))
            unseen = [text for text, n in zip(one.joined, counts, strict=True) if not n]
            remarks += [
                f"no value of {shown(column)} is {shown(text)}, which `recode` joins" for text in unseen[:_SHOWN]
            ]
        if one.bands:
            _require_numbers(source, column, (*missing, *one.joined), f"has bands of {shown(column)}")
            bands = [
                (terms.within(column, band.low, band.high, is_below=band.is_below), band.label) for band in one.bands
            ]
            remarks += _outside(source, one, missing, [condition for condition, _ in (*cases, *bands)])
            cases += bands
        found = source.with_column(one.name, terms.first_of(cases, None if one.bands else terms.raw(column)))
        known = source.orders.get(column, ())
        orders = {name: levels for name, levels in source.orders.items() if name != one.name}
        if one.bands or known:
            orders[one.name] = one.ordered(known)
        categorical = source.categorical - {one.name}
        return replace(found, orders=orders, categorical=categorical, remarks=(*source.remarks, *remarks))

    def _selected(self, source: Source, where: RowCondition, gaps: MissingTexts) -> Source:
        """Return the table with a mark for each selected row."""
        missing = {column: self._missing_texts(gaps, column) for column in where.columns}
        missing = {
            column: (*own, *OF_NUMBERS) if _is_numerical(source, column, own) else own
            for column, own in missing.items()
        }
        numbers = [each for each in where.comparisons if isinstance(each.value, Fraction)]
        if numbers:
            ignored = {text.lower() for text in (*NO_ANSWER, *(text for own in missing.values() for text in own))}
            source = source.with_marks((), list(dict.fromkeys(each.column for each in numbers)), ignored)
        for column in dict.fromkeys(each.column for each in numbers):
            why = f"compares {shown(column)} with a number"
            ways = (
                f"compare it with a text in quotation marks, read the labelled values of Stata or SPSS as numbers "
                f"(`codes={column}`), "
            )
            _require_numbers(source, column, missing[column], why, ways)
        terms = source.terms(missing)
        require_comparable_dates(source, terms, where)
        condition = where.with_levels(source.orders).built(terms)
        was_blank = [column for column in self.answers if named_in(_WAS_BLANK + column, source.names) is not None]
        blanks = [terms.both(condition, terms.compared(_WAS_BLANK + column, "=", True)) for column in was_blank]
        chosen, others, *empty, rows = source.times(condition, terms.negated(condition), *blanks)
        unknown = rows - chosen - others
        if not chosen:
            told = f", of which {unknown} miss a value that it needs" if unknown else ""
            raise InvalidParameterError(
                f"the selection has no rows: received {shown(where.text)} and {with_noun(rows, 'row')}{told}; check "
                "the names and values"
            )
        because = f", {unknown} of them because a value that it needs is missing" if unknown else ""
        told = f"{chosen} of {with_noun(rows, 'row')} {'is' if chosen == 1 else 'are'} selected ({where.text}); "
        told += f"{rows - chosen} left out{because}"
        found = source.with_column(SELECTED, terms.known(condition))
        of_blanks = [_blanks_told(n, column, self.blank or "") for n, column in zip(empty, was_blank, strict=True)]
        return replace(found, is_selected=True, remarks=(*source.remarks, told, *of_blanks))


def devices_of_arms(
    arms: object, mechanism: object, devices: object, device_names: object
) -> tuple[str, Mapping[str, Any]]:
    """Return the column of the arm of each row, and the devices of the arms.

    Raises:
        InvalidParameterError: the arms are no mapping from columns to devices, or a device is given twice.
    """
    if not isinstance(arms, Mapping) or len(arms) < 2 or not all(isinstance(name, str) for name in arms):
        raise InvalidParameterError(
            f"the arms are not two or more columns with a device each: received {shown(arms)}; allowed is "
            '{"form_a": "crosswise:1/5", "form_b": "crosswise:4/5"}'
        )
    if (mechanism, devices, device_names) != (None, None, None):
        raise InvalidParameterError(
            "each column of a question has its device: received `arms`, and a device of all or a column that names it; "
            "leave these out"
        )
    return ARM, arms


def _blanks_told(count: int, column: str, blank: str) -> str:
    """Return how many empty cells of a question were read as an answer."""
    return (
        f"{with_noun(count, 'empty cell')} of {shown(column)} {'was' if count == 1 else 'were'} read as {shown(blank)}"
    )


def _require_one_reading(where: RowCondition, recodings: Sequence[Recoding]) -> None:
    """Raise an error for a condition on a value that a recoding of the same column replaces."""
    own = {one.name: one for one in recodings}
    for each in where.comparisons:
        one = own.get(each.column)
        if one is None or one.is_new:
            continue
        text = number_text(each.value) if isinstance(each.value, Fraction) else text_of(each.value)
        label = one.joined.get(label_form(text))
        if label is not None and label_form(text) not in map(label_form, one.joined.values()):
            raise InvalidParameterError(
                f"`where` can be read in two ways: received {shown(each.column)} with the value {shown(text)}, which "
                f"`recode` replaces by {shown(label)}; compare with that, or recode to a new column: "
                f"NEW = {each.column}: ..."
            )
        if one.bands and isinstance(each.value, Fraction):
            raise InvalidParameterError(
                f"`where` can be read in two ways: received the number {text} for {shown(each.column)}, whose numbers "
                f"`recode` replaces by bands; recode to a new column: NEW = {each.column}: ..."
            )


def _outside(source: Source, one: Recoding, missing: Sequence[str], inside: Sequence[Any]) -> list[str]:
    """Return the remark on values in no band; refuse numbers between two bands."""
    terms, column = source.terms({one.column: missing}), one.column
    lows, highs = [band.low for band in one.bands], [band.high for band in one.bands]
    low, high = None if None in lows else min(lows), None if None in highs else max(highs)  # type: ignore[type-var]
    is_below = any(band.is_below for band in one.bands if band.high == high)
    is_out = terms.both(terms.is_number(column), terms.negated(terms.known(reduce(terms.either, inside))))
    is_between = terms.within(column, low, high, is_below=is_below)
    others, gaps, _ = source.times(is_out, terms.both(is_out, is_between))
    if gaps:
        raise FileFormatError(
            f"numbers lie between the bands: received {with_noun(gaps, 'value')} of {shown(column)} between "
            f"{shown(', '.join(band.label for band in one.bands[:_SHOWN]))}; write bands without gaps, such as "
            "0..<18, 18..<40"
        )
    if not others:
        return []
    return [f"{with_noun(others, 'value')} of {shown(column)} {'is' if others == 1 else 'are'} in no band, and missing"]


def _is_numerical(source: Source, column: str, missing: Sequence[str]) -> bool:
    """Return whether a column has numbers, and no other texts than those for missing values."""
    name = named_in(column, source.names) or column
    found = source.texts_counted({"x": name}, {"x": list(dict.fromkeys((*OF_NUMBERS, *missing)))})["x"]
    return found.numbers > 0 and found.texts == sum(found.listed.values())


def _require_numbers(source: Source, column: str, missing: Sequence[str], why: str, ways: str = "") -> None:
    """Raise an error if a column that has to be one of numbers has other texts; the ways out are text before others."""
    name = named_in(column, source.names) or column
    found = source.texts_counted({"x": name}, {"x": list(dict.fromkeys((*OF_NUMBERS, *NO_ANSWER, *missing)))})["x"]
    others = found.texts - sum(found.listed.values())
    if not others:
        return
    known = {label_form(text) for text in (*OF_NUMBERS, *NO_ANSWER, *missing)}

    def is_other(value: object) -> bool:
        text = label_form(text_of(value))
        return bool(text) and text not in known and not source.marks.fits(text)

    lines = source.rows_where(name, is_other)
    raise FileFormatError(
        f"the request {why}, and a column has other texts: received {with_noun(others, 'value')} of {shown(name)} that "
        f"{'is' if others == 1 else 'are'} no number, in {source.where(lines)} of the data; {ways}correct them, or "
        f"name them as missing (`missing={name}=...`)"
    )
