"""The summary sheet at the head of a report: all questions on one axis, odds ratios, a bar for privacy, a remark.

It has what a reader needs for a decision. Sentences, tables, devices and methods follow, folded.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from rropt.core.exact import decimal_text
from rropt.core.exact.display import decimal_outwards, p_text
from rropt.core.visible import visible, with_noun
from rropt.inference.differences import in_digits
from rropt.regression import Regression
from rropt.reports.document_writers import Block, DrawnTable, Folded, Html, Items, Paragraph, Section
from rropt.reports.irb_summary import percent
from rropt_fieldwork.ethics.answered_questions import MOST_LISTED, QuestionAnswer, ShownShare
from rropt_fieldwork.ethics.compared_results import compared_results
from rropt_fieldwork.ethics.estimate_strips import StripAxis, StripRow, Whisker, strips_html, strips_table
from rropt_fieldwork.ethics.privacy_strips import Strip, strip_svg
from rropt_fieldwork.ethics.stated import (
    Answer,
    asked_in,
    privacy_factors,
    privacy_sentence,
    remark_texts,
    spoken_texts,
)

_KINDS = ("estimate", "regress", "")  # of a sheet; a report on other results begins with their sentences
_MOST_GROUPS = 12  # rows of groups of a question
_MOST_FAINT = 6  # groups in the cell of a category
_MOST_COEFFICIENTS = 12
_MOST_ROWS = 60
UNSEEN = "Nobody can check from these data whether people followed the device."


class OneQuestion(NamedTuple):
    """A question of the sheet: its label and wording, the proportions of all respondents, and of groups."""

    label: str
    wording: str
    answer: QuestionAnswer


def one_sheet(files: Sequence[Answer], questions: Sequence[tuple[Answer, list[QuestionAnswer]]]) -> list[Block]:
    """Return the sheet; empty for one question without groups, and for results that cannot be drawn on one axis.

    Args:
        files: the results of the report.
        questions: the answers of each result, as ``answered`` returns them.
    """
    asked = _asked(questions)
    fits = [one.result for one in files if isinstance(one.result, Regression)]
    if not asked or any(one.kind not in _KINDS for one in files):
        return []
    if len(asked) == 1 and not asked[0].answer.groups and not fits:
        return []
    rows = [row for one in asked for row in _rows(one)]
    if len(rows) > _MOST_ROWS:
        return []
    first = asked[0].answer
    people = any(share.people for one in asked for share in one.answer.overall)
    header = ("proportion", f"dot and {first.level} interval", "%", "interval", *["people"] * people)
    full = [replace(row, cells=(*row.cells, *[""] * (len(header) - 2 - len(row.cells)))) for row in rows]
    drawn = strips_html("", header, full, StripAxis.of_proportions(rows), "people" * people)
    blocks: list[Block] = [Paragraph(_intro(asked)), DrawnTable(strips_table("", header, full), drawn)]
    for one in files:
        blocks += _odds_ratios(one)
    blocks += [*_privacy(files), *_remarks(files), Paragraph(_closing(asked, fits, files), "foot")]
    wordings = [f"{one.label}: {one.wording}" for one in asked if one.wording and one.wording != one.label]
    blocks += [Section("wordings", (Items(tuple(wordings), is_numbered=True),))] if wordings else []
    return [Section("glance", tuple(blocks))]


def _asked(questions: Sequence[tuple[Answer, list[QuestionAnswer]]]) -> list[OneQuestion]:
    """Return the questions, each with the groups of its other results; empty if a result cannot be drawn."""
    found: dict[str, OneQuestion] = {}
    for one, answers, reason in compared_results(questions):
        if one.kind != "estimate":
            continue
        name = asked_in(one.data) or one.name
        if reason or len(answers) != 1 or answers[0].told or len(answers[0].categories) > MOST_LISTED:
            return []
        (answer,) = answers
        if name in found:
            if answer.overall or found[name].answer.groups:
                return []
            answer = replace(answer, overall=found[name].answer.overall)
        wording = one.declared.get("question", "")
        found[name] = OneQuestion(one.declared.get("label") or wording or name, wording, answer)
    return [] if any(not one.answer.overall for one in found.values()) else list(found.values())


def _rows(asked: OneQuestion) -> Iterator[StripRow]:
    """Yield the rows of a question: one of all respondents with rows of groups, or one for each category."""
    answer = asked.answer
    label = visible(asked.label)
    if len(answer.categories) == 1:
        (name,) = answer.categories
        mark = "" if label.endswith("?") else ":"
        text = label if answer.is_of_trait or name == asked.label else f"{label}{mark} {visible(name)}"
        yield StripRow(text, _whisker(answer.overall[0]), _cells(answer, answer.overall[0]))
        for group, (share,) in answer.groups[:_MOST_GROUPS] if len(answer.groups) <= _MOST_GROUPS else ():
            text = f"{visible(group)} ({share.n:,})"
            yield StripRow(text, _whisker(share), _cells(answer, share)[:2], look="group")
    else:
        yield StripRow(f"{label}:")
        groups = answer.groups if len(answer.groups) <= _MOST_FAINT else ()
        for i, (name, share) in enumerate(zip(answer.categories, answer.overall, strict=True)):
            faint = tuple(_whisker(shares[i]) for _, shares in groups)
            yield StripRow(visible(name), _whisker(share), _cells(answer, share), faint)
    if answer.groups:
        order = ", ".join(visible(name) for name, _ in answer.groups)
        is_faint = len(answer.categories) > 1 and len(answer.groups) <= _MOST_FAINT
        drawn = f"In grey, from above: {order}. " * is_faint
        yield StripRow(f"{drawn}{answer.differences_in_words()}", look="told")


def _whisker(share: ShownShare) -> Whisker:
    is_none = share.ends is None or share.ends[0] > share.ends[1]
    return Whisker(share.value, None if is_none else share.ends)


def _cells(answer: QuestionAnswer, share: ShownShare) -> tuple[str, ...]:
    value, ends = answer.in_percent(share)
    return value, ends, *([answer.people_of(share)] if share.people else [])


def _intro(asked: Sequence[OneQuestion]) -> str:
    numbers = [one.answer.n for one in asked]
    n = f"{min(numbers):,}" if min(numbers) == max(numbers) else f"{min(numbers):,} to {max(numbers):,}"
    units = {one.answer.unit for one in asked}
    whom = f" of {visible(units.pop())}" if len(units) == 1 and "" not in units else ""
    by = sorted({one.answer.by for one in asked if one.answer.groups})
    faint = f" In grey: by {'; by '.join(map(visible, by))}, with the number of respondents." if by else ""
    return f"Estimated proportions{whom}, from {n} respondents; {with_noun(len(asked), 'question')}.{faint}"


def _odds_ratios(one: Answer) -> Iterator[Block]:
    """Yield the coefficients of a regression with its odds ratios on one logarithmic axis."""
    fit = one.result
    if not isinstance(fit, Regression) or not fit.odds_ratios or len(fit.odds_ratios) > _MOST_COEFFICIENTS:
        return
    words, table, rows = fit.names_in_words(), fit.fit.table(fit.confidence), []
    for name, (ratio, low, high) in fit.odds_ratios.items():
        row = table[name]
        more = in_digits(row.b, row.error, row.low, row.high)[0], p_text(row.p)
        rows.append(StripRow(words[name], Whisker(ratio, (low, high)), (*fit.ratio_texts(name), *more)))
    level = f"{decimal_text(100 * fit.confidence)} %"
    header = ("covariate", f"odds ratio and {level} interval", "odds ratio", "interval", "coefficient", "p")
    about = spoken_texts(visible(fit.response), [one])
    title = f"{fit.title[:1].upper()}{fit.title[1:]} of {about}, {fit.fit.n:,} respondents"
    yield DrawnTable(
        strips_table(title, header, rows), strips_html(title, header, rows, StripAxis.of_ratios(rows), "odds")
    )


def _privacy(files: Sequence[Answer]) -> Iterator[Block]:
    """Yield the factors, their product, and a bar from a prior of 50 % to the posteriors after all responses."""
    factors, sentence = privacy_factors(files), privacy_sentence(files)
    if factors is None:
        yield from [Paragraph(f"Privacy: {sentence}")] * bool(sentence)
        return
    product = Fraction(1)
    for factor in factors:
        product *= factor
    listed = " × ".join(decimal_outwards(factor, up=True, digits=4) for factor in factors)  # noqa: RUF001
    is_exact = decimal_outwards(product, up=True, digits=4)
    told = f"{listed} = {is_exact}" if len(factors) > 1 else listed
    low, high = 1 / (1 + product), product / (1 + product)
    after = f"{percent(low, up=False).removesuffix(' %')} to {percent(high, up=True)}"
    whose = f"The {len(factors)} responses of a person together change" if len(factors) > 1 else "No response changes"
    odds = f"{whose} {'nobody' if len(factors) > 1 else 'anybody'}'s odds by more than a factor of {told}"
    text = f"Privacy: chance decided a part of each response. {odds}. A prior of 50 % becomes a posterior of {after}."
    drawn = strip_svg(Strip("", "", told, low, high, after))
    yield Paragraph(text)
    yield Html(f'<div class="strips bar" aria-hidden="true">{drawn}</div>')


def _remarks(files: Sequence[Answer]) -> Iterator[Block]:
    """Yield the first remark, and below it the others, folded."""
    listed = [f"{spoken_texts(text, files).rstrip('.')}." for text in (*remark_texts(files), UNSEEN)]
    if len(listed) == 1:
        yield Paragraph(f"Remark: {listed[0]}")
        return
    yield Section("warn", (Paragraph(listed[0]),))
    yield Folded(with_noun(len(listed) - 1, "more remark"), (Items(tuple(listed[1:])),), has_html_only=False)


def _closing(asked: Sequence[OneQuestion], fits: Sequence[Regression], files: Sequence[Answer]) -> str:
    """Return what is proved, what is approximate, what was checked for this page, and what was not recomputed."""

    def quoted(labels: Sequence[str]) -> str:
        return ", ".join(f"“{visible(label)}”" for label in labels)

    proved = [one.label for one in asked if all(share.is_proved for share in one.answer.overall)]
    others = [one.label for one in asked if one.label not in proved]
    level = asked[0].answer.level
    told = []
    if proved:
        whose = "each interval of a proportion" if not others else f"each interval of {quoted(proved)}"
        told.append(f"{whose} covers at least {level} for every sample size")
    if privacy_sentence(files):
        told.append("the factors of the odds are computed exactly from the devices")
    near = [f"the intervals of {quoted(others)}"] * bool(others)
    near += ["the tests of differences"] * any(one.answer.comparisons for one in asked)
    near += ["the regression"] * bool(fits)
    parts = [f"Proved: {'; '.join(told)}."] * bool(told) + [f"Approximate: {', '.join(near)}."] * bool(near)
    promised = any("epsilon" in one.declared for one in files)
    parts += ["Checked when this page was made: no device exceeds what was promised."] * promised
    parts += ["Not recomputed for this page: estimates, intervals and tests; they are those of the files."]
    return " ".join(parts)
