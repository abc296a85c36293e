"""The report of a survey: for each result sentences on it and what it prints, and in HTML the exact values.

It is made from the ``--json`` output of commands: results of every kind, mechanisms and certificates.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, cast

import numpy as np

from rropt import Estimates
from rropt.core.certificates import check
from rropt.core.errors import FileFormatError, InvalidParameterError, RroptError, shown
from rropt.core.exact import Epsilon, decimal_text, rational
from rropt.core.exact.display import decimal_outwards, extended_text
from rropt.core.results import Result, Table, equal_in_json
from rropt.core.results.twins import named_checks
from rropt.core.version import installed_version
from rropt.core.visible import with_noun
from rropt.estimates import SIMPLE
from rropt.estimates.conclusions import TRAIT as TRAIT_IN_WORDS
from rropt.estimates.conclusions import Concluded
from rropt.mechanisms import DESIGNS, Finding, Mechanism, ProductMechanism, named_mechanism, question_levels
from rropt.mechanisms.columns import required_list
from rropt.mechanisms.words import TRAIT
from rropt.plans import MechanismPlan
from rropt.privacy import ParityBound, criterion_level, judge, level_of_text
from rropt.privacy.criteria import given_criterion
from rropt.regression import Regression
from rropt.reports.document_writers import (
    Block,
    Document,
    Folded,
    Heading,
    Html,
    Items,
    Paragraph,
    Picture,
    Section,
)
from rropt.reports.played_designs import played_as
from rropt.reports.records import TABLES, record_of
from rropt_fieldwork.counts import AggregatedCounts, heavy_hitters
from rropt_fieldwork.declaration.survey_declaration import Survey
from rropt_fieldwork.ethics.answered_questions import (
    PLAIN,
    QuestionAnswer,
    answered,
    predicted_pictures,
    predicted_tables,
)
from rropt_fieldwork.ethics.compared_results import compared_results
from rropt_fieldwork.ethics.one_sheet import UNSEEN, one_sheet
from rropt_fieldwork.ethics.results_page import shown_html
from rropt_fieldwork.ethics.share_pictures import SharesPicture
from rropt_fieldwork.ethics.stated import (
    AFTER,
    Answer,
    asked_in,
    gathered,
    is_certificate,
    kind_of,
    note_texts,
    privacy_sentence,
    promise_of,
    promise_texts,
    promises_of,
    read_mechanisms,
    remark_texts,
    require_agreement,
    require_promises,
    spoken,
    spoken_texts,
)

_LONGEST_EPSILON = 24  # characters
_MOST_ROWS = 200  # of a table
_LONGEST_FILE = 400_000  # characters of JSON that the appendix shows
_MOST_WARNINGS = 5  # of the first screen
_BESIDE = {"properties": "FamilyPrivacy"}  # results that a command adds
_TITLES: Mapping[str, str] = TABLES["titles"]
_METHODS = TABLES["methods"]
_SOURCES = TABLES["sources"]
_DEVICE_SOURCES: Mapping[str, str] = TABLES["device-sources"]

# a source, and how its intervals and tests are called
_INTERVALS = {"exact": "exact|joint interval", "hoeffding": "hoeffding", "score": "Miettinen"}

_REST = "In words, with all tables: groups, data, promise, devices, methods, exact values"

_Promises = Sequence[tuple[Mechanism, str]]


def survey_report(
    answers: Sequence[tuple[str, Any]], title: str | None = None, survey: Survey | None = None
) -> Document:
    """Return a report about JSON objects that commands wrote.

    The page has the result, the data, the promise, the tables and pictures, the limits, the methods and checks, and
    in HTML the exact values.

    Args:
        answers: (name, object) pairs.
        title: the title of the report; by default that of the survey.
        survey: the survey, for objects that name none themselves.

    Raises:
        FileFormatError: no command of rropt wrote the object.
        InvalidParameterError: objects disagree on the mechanism, or a mechanism exceeds the promised level.
    """
    files = [Answer.of(name, data, survey) for name, data in answers]
    runs: list[Any] = [one.result for one in files if one.is_of_claims]
    if len(runs) == len(files):
        from rropt.reports.claims_documents import claims_document

        return claims_document(runs, title)
    require_agreement(files)
    require_promises(files)
    promises = promises_of(files)
    ranks = ["", "design", "privacy", "plan", "estimate", "regress", "noncompliance", "composition", "other"]
    ordered = sorted(files, key=lambda one: ranks.index(one.kind))
    questions = [(one, answered(one)) for one in files]
    _require_people(questions)
    head = one_sheet(files, questions)
    blocks: list[Block] = [*_first_screen(files, questions)]
    compact = {one.name: [table for each in found for table in each.group_tables()] for one, found in questions}
    data_of = dict.fromkeys(block for one in ordered for block in _asked(one))
    blocks += [Heading("Data"), *data_of] if data_of else []
    texts, private = [*promise_texts(files)], privacy_sentence(files)
    promised = [Paragraph(text) for text in texts if not (len(texts) == 1 and text.endswith(private))]
    blocks += [Heading("Promise"), *promised] if promised else []
    in_use = {mechanism for one in files if one.kind == "estimate" for mechanism in one.mechanisms}
    described = [one for one in ordered if one.kind == "estimate" or not in_use.intersection(one.mechanisms)]
    told = [(spoken(one.declared, asked_in(one.data)), text) for one in described for text in _devices(one, promises)]
    devices = [Paragraph(f"Device{name}{' of ' * bool(of)}{of}: {text}") for of, (name, text) in gathered(told)]
    blocks += [Heading("Devices"), *devices] if devices else []
    titles = [_title(one) for one in ordered]
    shown_rows: set[tuple[str, ...]] = set()  # the rows on methods, which several results share
    for before, heading, one in zip(["", *titles], titles, ordered, strict=False):
        tables, pictures = _tables(one, shown_rows), [*_pictures(one.result)]
        section: list[Block] = [*_words(one.data)]
        if one.is_of_claims:
            from rropt.reports.claims_documents import claims_blocks

            section += claims_blocks([cast(Any, one.result)])
        elif compact[one.name]:
            section += [*compact[one.name], Folded("All numbers and intervals", (*tables, *pictures))]
        elif one.kind == "estimate" and (tables or pictures):
            section += [Folded("All numbers and intervals", (*tables, *pictures), has_html_only=False)]
        else:
            section += [*tables, *pictures]
        label = [Heading(one.label, 3)] if titles.count(heading) > 1 else []
        blocks += [*[Heading(heading)] * (heading != before), *label, *section] if section else []
    has_warnings = any(one.kind in AFTER for one in files)  # on the first screen
    limits = [spoken_texts(text, files) for text in remark_texts(files)[_MOST_WARNINGS * has_warnings :]]
    limits += [UNSEEN] if has_warnings else []
    blocks += [Heading("Limits"), *map(Paragraph, limits)] if limits else []
    notes = [spoken_texts(text, files) for text in note_texts(files)]
    used = [word for one in files for word in _methods(one)]
    cited = [*_devices_cited(files), *(_SOURCES[word] for word in _SOURCES if word in used)]
    sources = "; ".join(dict.fromkeys(cited))
    methods = [_METHODS[word] for word in _METHODS if word in used]
    blocks += [
        Heading("Methods and checks"),
        Paragraph(" ".join([*methods, f"Computed by rropt {installed_version()}."])),
        *[Items(tuple(notes))] * bool(notes),
        *(Paragraph(text) for one in files for text in _checks(one, promises)),
        *[Paragraph(f"References: {sources}.")] * bool(sources),
        *map(_appendix, files),
    ]
    if head:  # the rest stands below the sheet
        blocks = [*head, Folded(_REST, tuple(blocks), has_html_only=False)]
    named = next((one.declared["title"] for one in files if "title" in one.declared), "")
    return Document(title or named or _page_title(files), tuple(blocks))


def _require_people(questions: Sequence[tuple[Answer, list[QuestionAnswer]]]) -> None:
    """Raise an error if more people responded than a survey declares."""
    for one, found in questions:
        declared = one.declared.get("population")
        if declared is not None and any(each.n > rational(declared, name="population") for each in found):
            raise InvalidParameterError(
                f"the declared population is smaller than the sample of {shown(one.name)}: received N = {declared} and "
                f"{max(each.n for each in found)} respondents; correct `population` in the survey's declaration"
            )


def _page_title(files: Sequence[Answer]) -> str:
    """Return the title of a report if no survey has one, such as "Estimates: q17".

    It names the kind of the results, the first of ``_FIRST`` if there are several, and the questions if they are few.
    """
    kinds = {one.kind for one in files}
    said = next((_TITLES[kind] for kind in _FIRST if kind in kinds), "Survey")
    names = list(dict.fromkeys(spoken(one.declared, name) for one in files if (name := asked_in(one.data))))
    return f"{said}: {', '.join(names)}" if 0 < len(names) <= _MOST_NAMED else said


_FIRST = ("estimate", "regress", "noncompliance", "plan", "design", "privacy", "composition")  # kinds that name a page
_MOST_NAMED = 3  # questions of a title


def _devices_cited(files: Sequence[Answer]) -> Iterator[str]:
    """Yield the reference of each named design that respondents used; a mechanism without a name has none."""
    whole = dict.fromkeys(mechanism for one in files for mechanism in one.mechanisms)
    used = [*whole, *read_mechanisms([one.name for one in whole if isinstance(one, ProductMechanism)])]
    for name in dict.fromkeys((one.name or "").partition(":")[0] for each in used for one in each.factors):
        if name in DESIGNS and (reference := _cited(DESIGNS[name].source)):
            yield reference


def _cited(source: str) -> str:
    """Return the reference of the first work in the source of a design; empty if it is no publication."""
    works = (work.partition(", section")[0].partition(", equation")[0] for work in source.split("; "))
    return next((_DEVICE_SOURCES[work] for work in works if work in _DEVICE_SOURCES), "")


def _appendix(one: Answer) -> Block:
    """Return the exact values of a file, folded; of a long file its name, for it has them itself."""
    if len(json.dumps(one.data)) > _LONGEST_FILE:
        return Section("web", (Paragraph(f"The exact values are too many for this page: they are in {one.name}."),))
    return Folded(f"Appendix: exact values of {one.name}", (Html(shown_html(one.data)),))


def _first_screen(files: Sequence[Answer], questions: Sequence[tuple[Answer, list[QuestionAnswer]]]) -> Iterator[Block]:
    """Yield for each question the answer in words, a picture and a table; then how private it is, and the warnings."""
    by_name = dict(zip([one.name for one in files], _conclusions(files), strict=True))
    seen: set[str] = set()
    for one, found, reason in compared_results(sorted(questions, key=lambda each: _place_of(each[0], files))):
        wording = one.declared.get("question", "")
        lists_all = len(found) == 1 and found[0].lists_all
        is_told = found and (wording or reason or lists_all or any(each.told or not each.overall for each in found))
        text = " ".join(each.sentence() for each in found) if is_told else by_name[one.name]
        blocks: list[Block] = [Paragraph(f"Result: {text}")] if text else []
        blocks += [Paragraph(reason)] * bool(reason)
        picture = next((each for each in (each.picture() for each in found) if each is not None), None)
        if picture is not None:
            blocks.append(_shown(picture))
        blocks += map(_shown, predicted_pictures(_predicted(one)))
        tables = [each.overall_table() for each in found if len(each.categories) > 1]
        blocks += [table for table in tables if table is not None]
        if wording and blocks:
            yield from [Heading(wording)] * (wording not in seen)
            seen.add(wording)
            yield Section("answer", tuple(blocks))
        else:
            yield from blocks
    private, warnings = privacy_sentence(files), remark_texts(files)
    facts: list[Block] = [Items((f"Privacy: {private}",))] if private else []
    if warnings and any(one.kind in AFTER for one in files):
        listed = [spoken_texts(text, files) for text in warnings[:_MOST_WARNINGS]]
        more = len(warnings) - len(listed)
        listed += [f"{with_noun(more, 'more remark')} under Limits."] if more > 0 else []
        facts.append(Section("warn", (Items(tuple(listed)),)))
    if facts:
        yield Section("facts", tuple(facts))


def _shown(picture: SharesPicture) -> Picture:
    """Return the picture with its sentence, if that is needed to read it."""
    return Picture(lambda: _drawn_shares(picture), picture.text if picture.is_chosen else "")


def _predicted(one: Answer) -> list[Estimates]:
    """Return the predicted proportions of a regression: those that were asked for, else of each factor."""
    beside = one.data.get("beside", ()) if isinstance(one.result, Regression) else ()
    listed = [one.data["prevalence"]] if "prevalence" in beside else []
    if "predicted" in beside and not listed:
        listed = required_list(one.data["predicted"], "predicted", "a list of predicted proportions")
    made = [Estimates.from_dict(each) for each in listed]
    if not isinstance(one.result, Regression) or len(one.result.fit.categories) != 2:
        return made
    names = {"1": TRAIT_IN_WORDS}
    if label := one.declared.get("label"):
        names = dict.fromkeys(("1", *PLAIN), label)
    return [
        replace(each, rows=tuple(replace(row, category=names.get(row.category or "", row.category)) for row in each))
        for each in made
    ]


def _place_of(one: Answer, files: Sequence[Answer]) -> int:
    """Return the place of the first file on the same question."""
    return next(i for i, each in enumerate(files) if each is one or asked_in(each.data) == asked_in(one.data) != "")


def _drawn_shares(found: Any) -> Any:
    from rropt_fieldwork.ethics.draw_shares import shares

    return shares(found)


def _conclusions(answers: Sequence[Answer]) -> list[str]:
    """Return a text on each result, with the people of the survey; what another result says too stands once."""
    found: list[str] = []
    for answer in answers:
        people = answer.declared.get("unit", ""), answer.declared.get("population")
        text = answer.result.concluded(*people) if isinstance(answer.result, Concluded) else ""
        text = spoken_texts(text, [answer]) if isinstance(answer.result, Regression) else text
        for earlier in found:
            rest = "" if text and earlier.startswith(text) else text.removeprefix(f"{earlier} ")
            text = f"{answer.label}: {rest}" if rest and rest != text else rest
        found.append(text)
    return found


def _checks(one: Answer, promises: _Promises) -> Iterator[str]:
    """Yield how a design or a certificate was checked, and how it can be checked again."""
    name, data, certificate = one.name, one.data, one.data.get("certificate")
    if is_certificate(data):
        yield f"The checker judged the certificate of {name}: {check(data)}."
        promised = promise_of(one.mechanisms[0], promises) if one.mechanisms else None
        if promised is not None:
            yield f"Promised: {promised}."
        yield f"Check it again: rropt check {name}, or with Python alone, python -m rropt.checker {name}."
    elif one.kind == "design" and "value" in data and isinstance(certificate, Mapping):
        yield f"{_optimality(data)}; the checker judged its certificate: {check(dict(certificate))}."


def _methods(one: Answer) -> Iterator[str]:
    """Yield the keys of the sentences on methods and of the references that a result needs."""
    kind, data = one.kind, one.data
    is_weighted = kind == "estimate" and isinstance(data.get("design"), Mapping)
    is_of_sample = kind == "estimate" and data.get("result") == "Estimates" and data.get("population") is None
    is_weighted |= is_of_sample and data.get("sample") != SIMPLE
    if not is_weighted:  # weighted proportions are ratios
        yield kind if getattr(one.result, "memberships", None) is None else "memberships"
    if kind == "regress" and data.get("sample", SIMPLE) != SIMPLE:
        yield "design-based"
    if is_weighted:
        yield "weighted-means" if data.get("kind") == "mean" else "weighted"
    elif kind == "estimate" and one.result is not None:
        told = str(_own_tables(one.result))
        yield from (word for word, pattern in _INTERVALS.items() if re.search(pattern, told))


def _title(one: Answer) -> str:
    """Return the heading of a result."""
    return _TITLES.get(one.kind, " ".join(re.findall("[A-Z][a-z]*", type(one.result).__name__)).capitalize())


def _words(data: Mapping[str, Any]) -> Iterator[Paragraph]:
    """Yield the sentences above the tables of a result."""
    kind = kind_of(data)
    if kind == "noncompliance":
        yield Paragraph("Bounds and estimates where some respondents do not follow the device:")
    if kind == "privacy" and {"parity", "epsilon"} <= data.keys():
        yield Paragraph(_privacy(data["parity"], data["epsilon"]))
    if kind == "plan" and str(data.get("n")).isdigit():
        definition, each = data.get("definition"), " in each of the two groups" * (data["result"] == "DifferencePlan")
        if definition or data["result"] in ("DifferencePlan", "SurveyPlan"):
            yield Paragraph(
                f"The plan asks {with_noun(data['n'], 'respondent')}{each}"
                + (f": {definition}." if definition else ".")
            )
        else:
            yield Paragraph(f"What {with_noun(data['n'], 'respondent achieves', 'respondents achieve')}:")


def _devices(answer: Answer, promises: _Promises) -> Iterator[tuple[str, str]]:
    """Yield the declared name of each device of a result, after a blank if it has one, and the device in words."""
    kind, data, used = answer.kind, answer.data, answer.mechanisms
    question = data.get("question", {})
    given: Sequence[tuple[str, Any]] = []
    if kind == "estimate":
        named = question.get("mechanism")
        is_design = isinstance(named, str) and named.partition(":")[0] in DESIGNS
        names = question.get("device_names") or {}  # of all that are declared; the data may use fewer
        equal: dict[Mechanism, list[str]] = {}
        for name, device in names.items():
            for one in read_mechanisms([device]):
                equal.setdefault(one, []).append(name)
        given = [(f" {' or '.join(same)}", one) for one, same in equal.items() if one in used]
        given = given or [("", one) for one in ([named] if is_design else used)]
    elif kind in ("", "plan", "design") and not is_certificate(data):
        given = [("", data if not kind else data.get("played") or data.get("mechanism"))]
    yield from ((name, text) for name, each in given for text in _device(each, promises))


def _tables(answer: Answer, listed: set[tuple[str, ...]]) -> list[Table]:
    """Return the tables that a command prints of a result, and the points of a curve.

    Notes are left out, which stand below Methods and checks, and so are rows on the method that are ``listed``.
    """
    data, result = answer.data, answer.result
    if result is None:
        return []
    try:
        own = _own_tables(result)
        tables = [*own, *_added(answer, result)]
        curve: Sequence[Result] = getattr(result, "curve", ())
        points = [dict(point.lines()) for point in curve]
    except RroptError:
        raise
    except (ArithmeticError, LookupError, TypeError, ValueError, AttributeError) as error:
        raise FileFormatError(
            f"the tables of a {type(result).__name__} cannot be made: received {shown(data)}: {shown(str(error))}; use "
            "the file as it was written"
        ) from None
    if points:
        tables = [*tables, ("curve", tuple(points[0]), [tuple(point.values()) for point in points])]
    found: list[Table] = []
    for title, header, rows in tables:
        texts = [tuple(map(str, row)) for row in rows[:_MOST_ROWS]]
        if len(rows) > _MOST_ROWS:
            texts.append((f"{len(rows) - _MOST_ROWS} more rows", *[""] * (len(texts[0]) - 1)))
        if isinstance(result, Regression):
            words = result.names_in_words()
            texts = [(row[0], spoken_texts(row[1], [answer])) if row[0] == "formula" else row for row in texts]
            texts = [(words.get(row[0], row[0]), *row[1:]) for row in texts]
        texts = [_spoken_row(row, answer) for row in texts]
        if header is None and isinstance(result, Estimates):
            texts = [row for row in texts if row not in listed]
            listed |= set(texts)
        if texts and not (header is None and all(row[0] == "note" for row in texts)):
            found.append((title, header, texts))
    return found


def _own_tables(result: Result) -> list[Table]:
    """Return the tables of a result; of estimates with what the mechanism does and the tests of differences."""
    if type(result) is not Estimates:
        return result.as_tables()
    return [result.first_table(_MOST_ROWS), ("", None, result.about())]


def _spoken_row(row: tuple[str, ...], answer: Answer) -> tuple[str, ...]:
    """Return a row of a table that names a declared question by its wording."""
    if row[0] == "counted":
        return (row[0], *(spoken_texts(text, [answer]) for text in row[1:]))
    return (spoken(answer.declared, row[0]), *row[1:])


def _added(answer: Answer, result: Result) -> Iterator[Table]:
    """Yield the tables of what a command added to a result; what is decided is decided again."""
    data = answer.data
    beside = data.get("beside", ())
    if "played" in beside:
        design: Any = getattr(result, "below", result)
        yield from played_as(design, data["randomizer"], Mechanism.from_dict(data["played"])).as_tables()
    if "profile" in beside and isinstance(result, Finding):
        yield from _agreed(result.audit.normalised.profile(), data).as_tables()
    if "questions" in beside and isinstance(result, Finding):
        product = Mechanism.from_dict(data["question"]["mechanism_read"])
        if not isinstance(product, ProductMechanism) or product.matrix != result.audit.normalised.matrix:
            raise FileFormatError(
                f"the questions are of another mechanism: received {shown(product)}; use the file as it was written"
            )
        yield from _agreed(question_levels(product), data["questions"]).as_tables()
    if "exceeding" in beside and isinstance(result, AggregatedCounts):
        asked = data["exceeding"]
        if not isinstance(asked, Mapping) or not {"threshold", "level"} <= asked.keys():
            raise FileFormatError(
                f"the categories above a threshold are damaged: received {shown(asked)}; use the file as it was written"
            )
        found = heavy_hitters(result, asked["threshold"], level=asked["level"])
        yield "Categories above the threshold", *found.as_tables()[0][1:]
        yield "", None, [("tested", text) for text in found.remarks()]
    for key, kind in _BESIDE.items():
        if key in beside and not isinstance(result, Regression):
            own = {"mechanism": {"matrix": data["matrix"]}} if key == "properties" else {}
            yield from _own(kind, {**data[key], **own}).as_tables()
    if "direct" in beside:  # a direct question, planned or asked
        kind = "MechanismPlan" if isinstance(result, MechanismPlan) else "DirectComparison"
        ((title, *table), *others) = _own(kind, data["direct"]).as_tables()
        yield (title or "Direct question, if nobody lies", *table)
        yield from others
    if isinstance(result, Regression):
        if "marginal_effects" in beside:
            effects = Estimates.from_dict(data["marginal_effects"])
            yield effects.first_table(len(effects))
        yield from predicted_tables(_predicted(answer))
        if "predictions" in beside:
            yield result.predictions_table({name: np.array(x, float) for name, x in data["predictions"].items()})
    if "released" in beside and data["released"] is not None:
        released = required_list(data["released"], "released", "a list of numbers")
        yield "", None, [("released", ", ".join(map(str, released)))]
    yield from _criterion(data, result, beside)


def _agreed(made: Result, data: Mapping[str, Any]) -> Result:
    """Return a result that is computed again; the keys of a file must agree with it."""
    for key, value in made.to_dict().items():
        if key not in ("result", "decimals") and not equal_in_json(value, data.get(key)):
            raise FileFormatError(
                f"{type(made).__name__}.{key} differs from the recomputed result: received {shown(data.get(key))}; use "
                "the file as it was written"
            )
    return made


def _own(kind: str, data: Mapping[str, Any]) -> Any:
    """Return the result of a class from the keys that a command added."""
    return record_of({**data, "result": kind}, f"the {kind}")


def _criterion(data: Mapping[str, Any], result: Result, beside: Sequence[str]) -> Iterator[Table]:
    """Yield the criterion of a record with B(h), and whether a mechanism meets it: both are computed again."""
    question = data.get("question", {})
    if isinstance(result, ParityBound):
        lines = [("criterion", str(result.criterion))]
        if "meets" in beside:
            judged = judge(
                Mechanism.from_dict(question["mechanism_read"]), result.criterion, result, fast="twins" not in data
            )
            lines += [("parity of the mechanism", extended_text(judged.parity, "infinite")), *judged.lines()]
        yield "", None, lines
    if "criterion" not in beside:
        return
    forms = {name: question[name] for name in ("rho", "beta", "upper", "lower") if name in question}
    specs = question.get("level") or []
    criterion = level_of_text(str(specs[0])).criterion if specs else given_criterion(**forms)
    if isinstance(result, Finding) and criterion is not None:
        found = judge(result.audit.normalised, criterion, fast="twins" not in data)
        bound = found.bound if "twins" not in data else found.bound.compared_twice()
        checks = [*named_checks("B(h)", bound.twin_lines()), *named_checks("posterior", found.lines())]
        yield "", None, [("criterion", str(criterion)), bound.line(), *checks]
    elif criterion is not None:
        yield "", None, criterion_level(criterion).lines()


def _pictures(result: Result | None) -> Iterator[Picture]:
    """Yield the pictures of estimates, if their groups and categories are not too many, and of every level at once."""
    from rropt import plots
    from rropt.designs import ClosedLevels, EveryLevel
    from rropt.plots.data import MOST_GROUPS, MOST_SHARES, number_names

    if isinstance(result, Estimates) and _has_picture(result) and len(result) <= MOST_SHARES:
        yield Picture(lambda: plots.estimated(result))
    if isinstance(result, EveryLevel | ClosedLevels):
        yield Picture(lambda: plots.every_level(result))
    if isinstance(result, Estimates) and result.kind == "proportions" and len({one.group for one in result.rows}) > 1:
        for name in number_names(result):
            if len({one.group for one in result.rows}) <= MOST_GROUPS:
                yield Picture(lambda name=name: plots.groups(result, name))  # type: ignore[misc]


def _has_picture(result: Estimates) -> bool:
    """Return whether the estimates are those of one question from its counts, of which all intervals are drawn."""
    return result.kind == "proportions" and result.counted is not None


def _asked(one: Answer) -> Iterator[Paragraph]:
    """Yield what was asked, how many people answered, and what the estimates are."""
    data, declared = one.data, one.declared
    named, wording = asked_in(data), declared.get("question")
    if kind_of(data) != "estimate" or not named:
        return
    counted = "The estimates are the proportions of the combinations of answers."
    if data.get("kind") == "mean":
        counted = "The estimate is the mean of this number."
    elif data.get("kind") == "contrast":
        counted = "The estimate is a linear combination of the proportions."
    elif data.get("kind") == "proportions" or "questions" not in data:
        found = data.get("estimate")
        is_yes_no = not isinstance(found, list) or len(found) == 2
        about = [row.get("question") for row in data.get("rows", ())] if data.get("kind") == "proportions" else []
        if about:
            is_yes_no = set(Counter((one.get("question"), one.get("group")) for one in data["rows"]).values()) == {1}
        counted = counted if {*about} - {*data.get("questions", ())} else "Each category has its own estimate."
        names: Sequence[str] = next((each.categories for each in one.mechanisms if each.categories), ())
        if data.get("kind") == "proportions" and is_yes_no and not names:
            names = ("", data["rows"][0].get("category") or "")
            names = names if names[1] != "1" else ()
        trait = f"of {names[1]}" if len(names) == 2 and tuple(names) != TRAIT else "with the trait"
        counted = f"The estimate is the proportion {trait}." if is_yes_no else counted
    yield Paragraph(f"Question: {wording or named}{'' if wording and wording[-1:] in '.?!' else '.'} {counted}")
    reading = data.get("reading") or data.get("read") or {}
    for each in reading.get("columns", []):
        if each["answered"] is None:
            rows = int(each["missing"])
            told = f"without a value of {each['column']} {'is' if rows == 1 else 'are'} left out."
            yield Paragraph(f"{with_noun(f'{rows:,}', 'row')} {told}")
            continue
        answered, missing = int(each["answered"]), int(each["missing"])
        n = answered + missing
        percent = decimal_text(Fraction(100 * missing, n), 2) if n else "0"
        left = f"; {missing:,} ({percent} %) did not and are left out" if missing else ""
        who = f"All {n:,}" if n > 1 and not missing else f"{answered:,} of {n:,}"
        # a column is named as a question: "All 2,000 people answered sick" would be a claim about their answers
        question = spoken(declared, each["column"])
        asked = question if question != each["column"] else f"the question “{question}”"
        yield Paragraph(f"{who} people responded to {asked}{left}.")


def _optimality(data: Mapping[str, Any]) -> str:
    """Return how near a design is to the optimum; "optimal" only if both bounds are equal."""
    if "played" in data:
        return "The loss of the device that is played is bounded by the proved optimum"
    ends = [None if data.get(key) is None else rational(data[key]) for key in ("value", "lower", "upper")]
    value, lower, upper = ends
    if lower is not None and lower == upper:
        return "The device is optimal"
    if value is None or lower is None or upper is None:
        return "The device is the best that was found"
    gap = (upper - lower) / abs(value) if value else upper - lower
    return f"The device is within {decimal_outwards(100 * gap, up=True, digits=3)} % of optimal"


def _device(data: Any, promises: _Promises = ()) -> Iterator[str]:
    """Yield the device in words, from a mechanism in JSON or by its name, with the promised level."""
    try:
        given = named_mechanism(data) if isinstance(data, str) else data
        mechanism = given if isinstance(given, Mechanism) else Mechanism.from_dict(given)
    except (RroptError, TypeError):
        return
    design, _, values = str(mechanism.name or "").partition(":")
    words = ""
    if design in DESIGNS:
        symbols = [one.symbol for one in DESIGNS[design].parameters]
        given = values.split(",")
        symbols += [f"{symbols[-1].rstrip('0123456789')}{i}" for i in range(len(symbols) + 1, len(given) + 1)]
        told = ", ".join(f"{symbol} = {value}" for symbol, value in zip(symbols, given, strict=False))
        words = f"{DESIGNS[design].title} ({told}). {DESIGNS[design].device} "
    own = mechanism.in_words()
    words += f"In all: {own}. " if words else f"{own[0].upper()}{own[1:]}. "
    epsilon = _short(mechanism.epsilon)
    yield words + _privacy(extended_text(mechanism.parity()), epsilon, promise_of(mechanism, promises))


def _short(epsilon: Epsilon) -> str:
    text = str(epsilon)
    return text if len(text) <= _LONGEST_EPSILON else f"about {decimal_text(float(epsilon), 6)}"


def _privacy(parity: Any, epsilon: Any, promise: str | None = None) -> str:
    told = "Privacy: " if promise is None else f"Privacy: promised is {promise}. "
    if str(parity) == "inf" or str(epsilon) == "inf":
        if promise is None:
            return f"{told}some response is certain evidence, so epsilon is infinite."
        return f"{told}Some response is certain evidence, so no finite epsilon holds with delta = 0."
    first = "no" if promise is None else "No"
    times = _decimal_above(parity)
    return (
        f"{told}{first} response is more than {times} times as likely from one respondent as from another "
        f"(epsilon = {epsilon})."
    )


def _decimal_above(value: Any) -> str:
    try:
        return decimal_outwards(rational(value), up=True, digits=6)
    except RroptError:
        return str(value)
