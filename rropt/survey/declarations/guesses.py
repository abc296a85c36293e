"""``rropt survey init``: the declaration of a survey, guessed from the header and the values of its data.

Each guess is marked by a comment. Nothing is estimated before the user has replaced each ``?``.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from rropt.answers.response_codes import NO_ANSWER, codes_of_values
from rropt.core.errors import FileFormatError, InvalidParameterError, name_of, names_of, shown
from rropt.core.normal_form import named_in, normal, normal_caseless
from rropt.core.results import Result, Table, labelled
from rropt.core.visible import with_noun
from rropt.mechanisms.named import named_mechanism
from rropt.survey.declarations.survey_declaration import UNKNOWN, Question, Survey
from rropt.survey.tables.counting import finite_population
from rropt.survey.tables.header_rows import checked_header_rows
from rropt.survey.tables.kinds import Texts
from rropt.survey.tables.readers import recognized_header_rows
from rropt.survey.tables.sources import Source, distinct, reading_errors
from rropt.survey.tables.table import header_of, table_of

_MOST_CATEGORIES = 12
_MOST_COLUMNS = 1000
_MOST_NAMED = 1000  # texts of a question that is named
_MOST_DEVICES = 50
_LONGEST_CATEGORY = 200  # characters
_LONGEST_LIST = 60  # characters of the texts that a reason lists
_NUMBERED = "(_?(id|no|nr|num|number|code|var))?"
_PLACES = rf"(village|school|facility|clinic|ward|segment|enumeration){_NUMBERED}"
_NUMBER_OF = "(n|(n|num|number|total)_(of_)?)"
_OF_NUMBERS = ("weights", "fpc")  # the roles of columns that have numbers
_NUMBERS = re.compile(r"[0-9., '\u00a0\u202f]*(e[+-]?[0-9]+)?")
# The names of columns, in small letters, with _ for all that is no letter or digit: those of survey software and of
# public surveys (DHS, NHANES, BRFSS, MICS, ESS, IPUMS). The first pattern that a column has comes before the others.
_ROLES = {
    "weights": (
        r"w|wt|wgt|weights?|gewichte?|poids|pesos?|ponderaci?on|ponderador|fator_expansao|factor_expansion|facexp",
        r"[adp]weight|anweight|pspwe?i?ght|p?weight|perwt|hhwt|finalwgt|wtmec\dyr|wtint\dyr|x?_?llcpwt|[dhm]?v005",
        r"(final|sampling|sample|survey|design|person|household|hh|individual|calibrated|post|base|stat)_?"
        r"(w|wt|wgt|weights?)|(final|sampling|sample|survey|design)_?w(eigh)?t",
        r".*_(wt|wgt|weights?|gewicht)|(wt|wgt)_.*",
    ),
    "strata": (
        r"strat(um|a)?|schicht(en)?|strates?|estratos?|sdmvstra|sestrat|x?_?ststr|h?v02[23]|vstrat",
        rf"(strat(um|a)?|stratification){_NUMBERED}|(design|sampling|sample|survey)_?strat(um|a)?",
        r".*_strat(um|a)?|strat(um|a)?_.*(name|label)",
    ),
    "clusters": (
        r"psu|ea|clusters?|klumpen|grappes?|conglomerados?|upm|sdmvpsu|secu|x?_?psu|h?v021|vpsu",
        rf"(psu|ea|clust(er)?|upm){_NUMBERED}|primary_sampling_units?|enumeration_areas?{_NUMBERED}",
        r".*_(psu|clust(er)?|ea)|(survey|sampling|sample|design)_?(psu|clusters?)|id(psu|cluster)|h?v001",
        _PLACES,
    ),
    "fpc": (
        r"fpc_?\d?|finite_population(_correction)?|grundgesamtheit",
        r"fpc_.*|.*_fpc_?\d?",
        r"n_?h|pop(ulation)?_?(size|total|count|n)|(strat(um|a)?|schicht)_?(size|pop(ulation)?|total|n)",
        rf"{_NUMBER_OF}(clusters|psus?|eas?)(_.*)?|(clusters|psus?|eas?)_(total|population|in_.*)",
    ),
    "device": (r"devices?|randomi[sz]ers?|randomi[sz]ing_device|mechanism|gerät|spinner|dispositi(f|vo)",),
}
# Columns of survey software: Qualtrics, LimeSurvey, REDCap, Kobo and ODK.
_OF_SOFTWARE = re.compile(
    r"start_?date(_.*)?|end_?date(_.*)?|status|response_type|ip_?address|progress|finished|recorded_?date|response_?id|"
    r"distribution_?channel|user_?language|submit_?date(_.*)?|date_submitted|last_?page(_.*)?|start_?language(_.*)?|"
    r"seed(_seed)?|id_response_id|interviewtime(_.*)?|group_?time_?[0-9]+(_.*)?|redcap_.*|.*_complete|.*_timestamp|"
    r"start|end|today|device_?id|formhub_uuid|uuid|meta_.*|submission_time|submitted_by|validation_status|version"
)
# Words of a randomizing device in the name or the wording of a column.
_DEVICE_NAME = re.compile(
    r"(.*_)?(rr[0-9]*|rrt[0-9]*|spin(ner)?|dice|coin|cards?|crosswise|warner|würfel|münze|roll(ed)?_(a|the|your)_die)"
    r"(_.*)?"
)
_DEVICE_WORDS = re.compile(
    r"\b(spin|spins|spinner|dice|coins?|cards?|randomi[sz]ed|randomi[sz]er|crosswise|würfel\w*|münzen?|dado|moneda)\b|"
    r"^die\b:|\b(a|the|your) die\b"
)
_CODED_WORDING = re.compile(r"\w+(?:\[\w+\])?\. (\S.*)", re.DOTALL)  # G1Q1[SQ001]. How old are you?
_OF_MECHANISMS = "its texts are mechanisms"
_NO_WEIGHT = r".*_(kg|lbs?|pounds|kilos?|cm|before|after|loss|gain)|body_?w.*|birth_?w.*"  # of people, and not of rows
# Columns of survey software that tell finished responses: of LimeSurvey, Qualtrics and REDCap, Kobo.
_SUBMITTED = re.compile(r"submit_?date(_.*)?|date_submitted|datum_abgeschickt|date_de_soumission|fecha_de_envío")
_VALIDATION = re.compile(r"validation_status(_uid)?")  # its label says the same
_NOT_APPROVED = ("Not Approved", "validation_status_not_approved")
_OF_QUALTRICS = ("status", "progress", "responseid", "recordeddate", "startdate", "start date", "response id")
_PREVIEWS = ("1", "2", "9", "17")  # codes of previews and tests in Status
_COMPLETE = (({"0", "1", "2"}, "2"), ({"Incomplete", "Unverified", "Complete"}, "'Complete'"))
_PLAIN = re.compile(r"[^\W\d][\w.]*")
_REPEATED = 40  # characters of a part of a reason that is printed once
_TICK_BOX = "one text beside empty cells"
_YES_NO = (("no", "yes"), ("n", "y"), ("0", "1"), ("false", "true"), ("nein", "ja"), ("non", "oui"), ("no", "sí"))


@dataclass(frozen=True, slots=True)
class ColumnGuess(Result):
    """What a column of the data was taken for.

    Attributes:
        column: the name of the column.
        role: ``question``, ``weights``, ``strata``, ``clusters``, ``fpc``, ``device``, ``where`` (selects rows), or
            ``not used``.
        reason: the reason of the guess.
    """

    column: str
    role: str
    reason: str


@dataclass(frozen=True, slots=True)
class Declared(Result):
    """A declaration that was guessed from data.

    Attributes:
        survey: what was guessed; ``?`` stands for what nobody can guess.
        text: the text of the declaration, with a comment for each guess.
        rows: the number of rows.
        columns: the number of columns.
        others: the columns that the declaration does not use.
        every: each column with what it was taken for, and the reason.
    """

    survey: Survey
    text: str
    rows: int
    columns: int
    others: tuple[str, ...] = ()
    every: tuple[ColumnGuess, ...] = ()

    LABELS: ClassVar = labelled(
        rows="rows",
        columns="columns",
        header_rows="header rows recognized",
        guessed="questions guessed",
        design="design columns guessed",
        where="rows selected",
    )

    @property
    def where(self) -> str | None:
        """The condition that selects finished responses, if the software of the survey marks them."""
        return self.survey.where

    @property
    def header_rows(self) -> int | None:
        """The number of rows above the first respondent, if there are several."""
        return self.survey.header_rows

    @property
    def guessed(self) -> tuple[str, ...]:
        """The names of the columns that may be questions."""
        return tuple(self.survey.questions)

    @property
    def design(self) -> tuple[str, ...]:
        """The columns of the sampling design."""
        own = [self.survey.weights, self.survey.strata, self.survey.clusters, *(self.survey.fpc or ())]
        return tuple(name for name in own if name is not None)

    def as_tables(self) -> list[Table]:
        """Return the numbers, and each column with the reason of its guess."""
        listed, printed = [], dict[str, str]()
        for one in self.every:  # a long part of a reason once
            parts = one.reason.split("; ")
            reason = "; ".join(f"as for {printed[part]}" if part in printed else part for part in parts)
            printed |= {part: one.column for part in parts if len(part) > _REPEATED and part not in printed}
            listed.append((one.column, one.role, reason))
        columns: Table = ("Each column", ("column", "taken for", "reason"), listed)
        return [("", None, self.lines()), *([columns] if listed else [])]


def guess_survey(
    data: Any,
    *,
    folder: str = "",
    questions: str | Sequence[str] = (),
    weights: str | None = None,
    strata: str | None = None,
    clusters: str | None = None,
    fpc: Any = None,
) -> Declared:
    """Guess the declaration of a survey from its data, as ``rropt survey init`` does.

    Columns of the sampling design and of the devices are recognized by their names. A column with 2 to 12 different
    texts may be a question. Its device is not guessed, nor is the order of more than two categories. ``found.every``
    has each column with the reason of its guess.

    Args:
        data: the path of a file with a row for each respondent, or its table; without a number of header rows, these
            are recognized.
        folder: the folder of the declaration, to which it names the data.
        questions: the columns of the questions, which are not guessed then; each has at least two texts, or is a tick
            box with one text and empty cells.
        weights, strata, clusters: columns of the sampling design that are not guessed.
        fpc: the finite populations, one or two columns or numbers.

    Raises:
        FileFormatError: the data cannot be read, or have no header.
    """
    rows = table_of(data)
    rows.require_only("all rows are looked at, as they are", "table", "sheet", "separator", "header_rows")
    path, asked = os.fspath(rows.data), rows.reading
    if path == "-":
        raise InvalidParameterError("the data of a survey are a file: received standard input; give its name")
    place: dict[str, Any] = {"table": asked.table, "sheet": asked.sheet, "separator": asked.separator}
    above = recognized_header_rows(path, asked.sheet) if asked.header_rows is None else asked.header_rows
    above = checked_header_rows(above)
    how: dict[str, Any] = {"unweighted": True, "engine": None}
    rows = table_of(path, replace(asked, header_rows=above))
    header = rows.found((), header_of, width=None, **how)
    header = header if Path(path).is_dir() else distinct(header)  # of a folder, its names may state a column again
    times = Counter(map(normal, header))
    names = tuple(name for name in header if times[normal(name)] == 1)  # no command can name the others
    if len(header) > _MOST_COLUMNS or not all(header) or not names:
        raise FileFormatError(
            f"the header of {shown(path)} is not usable: received {with_noun(len(header), 'name')}, "
            f"{len(header) - sum(map(bool, header))} of them empty, {len(names)} of them once; allowed are 1 to "
            f"{_MOST_COLUMNS} names, none of them empty; correct its first line"
        )
    given = _Given.of(names, questions, weights=weights, strata=strata, clusters=clusters, fpc=fpc)
    work = partial(_values, names, given.questions)
    values, number, weight, titles, orders = rows.found(names, work, whole=True, **how)
    titles = {**_coded_wordings(names), **titles}
    place["header_rows"] = above if above > 1 else None
    found = _declared(path, folder, names, values, number, weight, titles, orders, place, given)
    repeated = dict.fromkeys(name for name in header if times[normal(name)] > 1)
    why = "columns have this name, so that none of them can be named; rename them in the file"
    every = [ColumnGuess(name, "not used", f"{times[normal(name)]} {why}") for name in repeated]
    return replace(
        found, columns=len(header), others=(*found.others, *repeated), every=(*found.every, *every)
    )  # fmt: skip


_Told = dict[tuple[str, ...], str]  # the remarks of the file, by the place of their key
_OF_WHERE = "guessed: unfinished responses, previews and rejected ones are left out; delete it to count all"
_ALWAYS_TOLD: _Told = {
    (): f'A survey, declared once. Each guess is marked: check it. Replace each "{UNKNOWN}".',
    ("title",): "of the report",
    ("unit",): "who the survey is about, such as employees",
    ("epsilon",): 'what respondents were promised for one question, such as "log(5)"; "none": nothing',
}


@dataclass(frozen=True, slots=True)
class _Given:
    """The columns that the caller names.

    Attributes:
        questions: the columns of the questions; empty: they are guessed.
        roles: for each role of the sampling design its column, or those of ``fpc``.
    """

    questions: tuple[str, ...]
    roles: Mapping[str, Any]

    @classmethod
    def of(cls, names: Sequence[str], questions: Any, **roles: Any) -> _Given:
        """Return the named columns as the data write them.

        Raises:
            InvalidParameterError: the data have no such column, or a column is named twice.
        """

        def column(name: Any, what: str) -> str:
            known = named_in(name, names)
            if known is None:
                near = get_close_matches(name, names, n=1)
                meant = f"; did you mean {near[0]}?" if near else ""
                raise InvalidParameterError(
                    f"`{what}` names no column of the data: received {shown(name)}; allowed are "
                    f"{shown(', '.join(names[:20]))}{', ...' * (len(names) > 20)}{meant}"
                )
            return known

        asked = tuple(column(name, "questions") for name in names_of(questions, "questions"))
        found: dict[str, Any] = {}
        for role, value in roles.items():
            if role == "fpc" and value is not None:
                listed = value if isinstance(value, list | tuple) else (value,)
                texts = [str(one) for one in listed]
                found[role] = tuple(
                    column(text, role) if isinstance(finite_population(text), str) else text for text in texts
                )
            elif value is not None:
                found[role] = column(name_of(value, role), role)
        used = [*asked, *(one for value in found.values() for one in ((value,) if isinstance(value, str) else value))]
        if twice := [name for name in used if used.count(name) > 1 and name in names]:
            raise InvalidParameterError(
                f"a column is named twice: received {shown(twice[0])} for two purposes; give each column one"
            )
        return cls(asked, found)


def _values(
    names: tuple[str, ...], questions: Sequence[str], source: Source
) -> tuple[dict[str, list[str]], int, str | None, Mapping[str, str], Mapping[str, Sequence[str]]]:
    """Return the texts of each column, the number of rows, the weight of an SPSS file, the labels of columns, and the
    orders of levels."""
    found = {}
    for name in names:
        most = _MOST_NAMED if name in questions else _MOST_DEVICES
        counted = source.counted({"x": name}, most + len(NO_ANSWER) + 1)
        texts = Texts(as_written=True)
        codes_of_values(counted["x"], texts)
        found[name] = sorted(texts.list, key=normal)
        is_date = _SUBMITTED.fullmatch(_plain_name(name)) is not None
        if is_date and "" not in found[name] and source.times(source.terms({}).is_missing(name))[0]:
            found[name] = ["", *found[name]]
    with reading_errors(source.name, source):
        return found, len(source.relation), source.weight, source.titles, source.orders


def _coded_wordings(names: Sequence[str]) -> dict[str, str]:
    """Return the wordings that stand behind a code in the names of columns, as LimeSurvey writes them."""
    found = {name: re.fullmatch(_CODED_WORDING, name) for name in names}
    if sum(one is not None for one in found.values()) < max(2, len(names) / 2):
        return {}
    return {normal(name): " ".join(one[1].split()) for name, one in found.items() if one is not None}


def _declared(
    path: str,
    folder: str,
    names: tuple[str, ...],
    values: dict[str, list[str]],
    rows: int,
    weight: str | None,
    titles: Mapping[str, str],
    orders: Mapping[str, Sequence[str]],
    place: dict[str, Any],
    given: _Given,
) -> Declared:
    roles, reasons = _roles(names, values, given.roles, titles)
    told: _Told = {(role,): reasons[role] for role in roles}
    if weight is not None and "weights" not in given.roles:
        why = "the file weights its cases by this column (WEIGHT BY)"
        roles["weights"], reasons["weights"], told["weights",] = (weight,), why, why
    used_for = {name: role for role, own in roles.items() for name in own}
    column = f"{roles['device'][0]} (the column that names the devices), " if "device" in roles else ""
    questions, every, gaps = dict[str, Question](), list[ColumnGuess](), set[str]()
    device = roles["device"][0] if reasons.get("device") == _OF_MECHANISMS else UNKNOWN
    with_device = [] if given.questions else _with_words_of_a_device(names, values, used_for, titles)
    for name in names:
        texts = _codes([text for text in values[name] if text.lower() not in NO_ANSWER])
        if not texts and name in given.questions and len(values[name]) == 2 and "" in values[name]:
            texts = [text for text in values[name] if text]  # the box "None"
        if name in used_for:
            every.append(ColumnGuess(name, used_for[name], reasons[used_for[name]]))
            continue
        gone = {text for text in values[name] if text.lower() in NO_ANSWER} - set(texts)
        why_not, why = _no_question(name, texts, given.questions, gone), _texts_of(texts)
        if is_tick_box := _is_tick_box(texts, values[name]) and (name in given.questions or name in with_device):
            why_not, why = "", f"a tick box: {texts[0]}, or an empty cell"
        if not why_not and with_device and name not in with_device:
            why_not = f"{why}; other columns have a word of a device in their name or wording (spinner, dice, coin, rr)"
        if why_not:
            every.append(ColumnGuess(name, "not used", why_not))
            continue
        every.append(ColumnGuess(name, "question", f"named, {why}" if given.questions else why))
        gaps |= gone - {""}
        ordered, blank = _ordered(texts, orders.get(normal(name), ())), None
        if is_tick_box:
            blank = "no" if normal_caseless(texts[0]) != "no" else "not ticked"
            ordered = (blank, *texts)
        asked = Question(categories=ordered, device=device, wording=titles.get(normal(name), UNKNOWN), blank=blank)
        questions[name] = asked
        told |= _told_of_question(name, asked, f"guessed ({why})", column, is_named=bool(given.questions))
    devices = None
    if "device" in roles:
        (named,) = roles.pop("device")
        devices = {text: _device(text) for text in values[named][:_MOST_DEVICES] if text}
        told[("devices",)] = f"guessed from the column {named}: the mechanism of each name, such as warner:3/4"
    told |= _ALWAYS_TOLD
    if place.get("header_rows"):
        told[("header_rows",)] = "recognized: names, titles or wordings above the first respondent"
    told |= {("missing",): "guessed: what the data write for no answer"} if gaps else {}
    if labelled_numbers := [name for name in names if _is_labelled_number(orders.get(normal(name), ()))]:
        place = {**place, "codes": tuple(labelled_numbers)}
        told[("codes",)] = "guessed: numbers of which some have a label, such as a top code; they are read as numbers"
    if selected := _selection(names, values, questions):
        place = {**place, "where": _joined(list(selected.values()))}
        told[("where",)] = _OF_WHERE
        every = [_selecting(one, selected) for one in every]
    found: dict[str, Any] = dict.fromkeys(("title", "unit", "epsilon"), UNKNOWN) | place
    found |= {role: own if role == "fpc" else own[0] for role, own in roles.items()}
    found |= {"file": os.path.relpath(path, folder or "."), "missing": sorted(gaps) or None}
    survey = Survey(**found, devices=devices or None, questions=questions)
    used = {*questions, *(name for own in roles.values() for name in own)}
    others = tuple(each for each in names if each not in used)
    return Declared(survey, survey.to_toml(told), rows, len(names), others, tuple(every))


def _told_of_question(name: str, found: Question, why: str, column: str, *, is_named: bool) -> _Told:
    """Return what the file remarks on a question, by the key; ``column`` names the devices, if one does."""
    own = ("questions", name)
    of_device = f"{column}a mechanism such as warner:3/4, a file, or direct"
    told = {
        own: "named as a question" if is_named else f"{why}: delete this part if the column is no randomized question",
        (*own, "question"): "the wording" + ", from the file" * (found.wording != UNKNOWN),
        (*own, "device"): of_device if found.device == UNKNOWN else "guessed: the column that names the devices",
        (*own, "categories"): f'the responses: put them in the order of the device, delete "{UNKNOWN}"'
        if UNKNOWN in (found.categories or ())
        else "guessed: the last one is counted",
    }
    if found.blank is not None:
        told[(*own, "blank")] = (
            "an empty cell: the box was not ticked; leave out respondents who were not asked, by `where`"
        )
    return told


def _selecting(guess: ColumnGuess, selected: Mapping[str, str]) -> ColumnGuess:
    """Return the guess about a column, which is used if it selects rows."""
    if guess.column not in selected or guess.role != "not used":
        return guess
    return ColumnGuess(guess.column, "where", f"selects the rows with {selected[guess.column]}")


def _with_words_of_a_device(
    names: Sequence[str], values: Mapping[str, list[str]], used_for: Mapping[str, str], titles: Mapping[str, str]
) -> list[str]:
    """Return the columns that may be questions and have a word of a randomizing device in their name or wording."""
    found = []
    for name in names:
        texts = [text for text in values[name] if text.lower() not in NO_ANSWER]
        plain, wording = _plain_name(name), normal_caseless(titles.get(normal(name), ""))
        has_word = _DEVICE_NAME.fullmatch(plain) or _DEVICE_WORDS.search(wording)
        is_possible = _is_tick_box(texts, values[name]) or not _no_question(name, texts, ())
        if has_word and name not in used_for and is_possible:
            found.append(name)
    return found


def _is_tick_box(texts: Sequence[str], values: Sequence[str]) -> bool:
    """Return whether a column has one text beside empty cells."""
    return len(texts) == 1 and "" in values


def _is_labelled_number(levels: Sequence[str]) -> bool:
    """Return whether the levels of a labelled column are numbers, but for a few labels."""
    numbers = sum(re.fullmatch(r"-?[0-9]+(\.[0-9]+)?", level) is not None for level in levels)
    return numbers > _MOST_CATEGORIES and numbers < len(levels)


def _selection(
    names: Sequence[str], values: Mapping[str, list[str]], questions: Mapping[str, Question]
) -> dict[str, str]:
    """Return the conditions of finished responses, by column, of files of Qualtrics, LimeSurvey, REDCap and Kobo.

    A column without unfinished responses has no condition. In REDCap each form has a column that ends in _complete and
    stands behind its fields; only forms with questions are selected by.
    """
    found: dict[str, str] = {}
    known = {normal_caseless(name): name for name in names}
    named = {name: name if _PLAIN.fullmatch(name) else f"`{name}`" for name in names if "`" not in name}
    is_qualtrics = "finished" in known and any(name in known for name in _OF_QUALTRICS)
    forms: list[int] = []
    for place, name in enumerate(names):
        texts, own, plain = set(values[name]) - {""}, named.get(name), _plain_name(name)
        if own is None:
            continue
        if is_qualtrics and name == known["finished"]:
            yes = next((one for one, no in (("True", "False"), ("1", "0")) if texts == {one, no}), None)
            found |= {} if yes is None else {name: f"{own} = '{yes}'"}
        elif is_qualtrics and name == known.get("status"):
            others = [text for text in sorted(texts) if "Preview" in text or "Test" in text or text in _PREVIEWS]
            found |= {name: " and ".join(f"{own} != '{text}'" for text in others)} if others else {}
        elif _SUBMITTED.fullmatch(plain) and "" in values[name] and texts:
            found[name] = f"{own} is not missing"
        elif _VALIDATION.fullmatch(plain) and (rejected := [text for text in _NOT_APPROVED if text in texts]):
            found[name] = f"{own} is missing or {own} != '{rejected[0]}'"
        elif re.fullmatch("(.*_)?complete", plain) and any(texts <= allowed for allowed, _ in _COMPLETE):
            inside = set(names[forms[-1] + 1 if forms else 0 : place]) & questions.keys()
            yes = next(yes for allowed, yes in _COMPLETE if texts <= allowed)
            found |= {name: f"{own} = {yes}"} if inside and texts > {yes.strip("'")} else {}
            forms.append(place)
    return dict(sorted(found.items(), key=lambda one: one[0] != known.get("finished")))


def _joined(conditions: Sequence[str]) -> str:
    """Return the condition that all of some conditions hold."""
    several = len(conditions) > 1
    return " and ".join(f"({each})" if several and " or " in each else each for each in conditions)


def _roles(
    names: Sequence[str],
    values: Mapping[str, list[str]],
    given: Mapping[str, Any],
    titles: Mapping[str, str],
) -> tuple[dict[str, tuple[str, ...]], dict[str, str]]:
    """Return the columns of each role, named or recognized by their names, and the reasons."""
    found: dict[str, tuple[str, ...]] = {}
    reasons: dict[str, str] = {}
    for role, patterns in _ROLES.items():
        if role in given:
            own = _listed(given[role])
            _require_numbers(role, {name: values[name] for name in own if name in values})
            found[role], reasons[role] = own, f"named as {role}"
            continue
        taken = {name for own in (*found.values(), *map(_listed, given.values())) for name in own}
        fitting = [
            (rank, name)
            for name in names
            for rank, pattern in enumerate(patterns)
            if name not in taken
            and any(_has_role(role, pattern, plain) for plain in _plain_names(name, titles))
            and _fits(role, name, values[name], may_be_group=pattern == _PLACES)
            # of several numbers, each belongs to a stratum, and the estimate would refuse them without strata
            and (role != "fpc" or "strata" in {*found, *given} or len({*values[name]} - {""}) == 1)
        ]
        if not fitting:
            continue
        best = min(rank for rank, _ in fitting)
        listed = list(dict.fromkeys(name for rank, name in fitting if rank == best))
        is_staged = role == "fpc" and "clusters" in found and len(listed) == 2  # of clusters, and of those in them
        found[role] = tuple(listed[:2] if is_staged else listed[:1])
        others = [name for _, name in fitting if name not in found[role]]
        reasons[role] = "guessed from the name of the column" + (
            f", which comes before {', '.join(dict.fromkeys(others))}" if others else ""
        )
    if "device" not in found:
        taken = {name for own in found.values() for name in own}
        for name in names:
            texts = [text for text in values[name] if text]
            if name not in taken and texts and all(":" in text and _device(text) != UNKNOWN for text in texts):
                found["device"], reasons["device"] = (name,), _OF_MECHANISMS
                break
    return found, reasons


def _has_role(role: str, pattern: str, plain: str) -> bool:
    """Return whether a plain name has a role by a pattern; a number of clusters of a stratum is no stratum."""
    is_number = re.match(rf"{_NUMBER_OF}(clusters|psus?|eas?|strata)", plain) is not None
    return re.fullmatch(pattern, plain) is not None and (role == "fpc" or not is_number)


def _plain_names(name: str, titles: Mapping[str, str]) -> list[str]:
    """Return the plain name of a column, that of its wording, and that of the code before its wording."""
    own = titles.get(normal(name), "")
    code = [name.partition(". ")[0]] if own and normal(name).endswith(normal(own)) else []
    return [_plain_name(one) for one in (name, own, *code) if one]


def _listed(value: Any) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value)


def _plain_name(name: str) -> str:
    """Return a name in small letters, with _ for each run of characters that are no letters or digits.

    The place of a column, which is part of the name of one of several columns (``distinct``), is left out.
    """
    return re.sub(r"[\W_]+", "_", normal_caseless(re.sub("#[0-9]+$", "", name))).strip("_")


def _fits(role: str, name: str, texts: Sequence[str], *, may_be_group: bool) -> bool:
    """Return whether the values of a column may have a role: weights and finite populations are numbers.

    A column such as ``school`` with few texts may be a kind of school, and no cluster.
    """
    if may_be_group and len(texts) <= _MOST_CATEGORIES:
        return False
    if role == "weights" and re.fullmatch(_NO_WEIGHT, _plain_name(name)):
        return False
    if role == "device":
        return not _are_answers(_plain_name(name), {text.lower() for text in texts} - {*NO_ANSWER})
    return role not in _OF_NUMBERS or all(_NUMBERS.fullmatch(text.lower()) for text in texts)


def _are_answers(plain: str, texts: Collection[str]) -> bool:
    """Return whether the texts of a column are yes and no, and name no devices; 0 and 1 may be numbers of devices."""
    pairs = (pair for pair in _YES_NO if pair != ("0", "1") or (plain == "spinner" and len(texts) == len(pair)))
    return any({*pair} <= {*texts} for pair in pairs)


def _require_numbers(role: str, columns: Mapping[str, Sequence[str]]) -> None:
    """Check that a named column has numbers, if its role needs them.

    Raises:
        InvalidParameterError: a column has another text that stands for no missing value.
    """
    for name, texts in columns.items() if role in _OF_NUMBERS else ():
        given = [text.lower().lstrip("+-") for text in texts if text.lower() not in NO_ANSWER]
        others = sum(not _NUMBERS.fullmatch(text) for text in given)
        if others or not given:
            what = "a text that is no number" if others else "no values"
            raise InvalidParameterError(
                f"`{role}` does not name a column of numbers: received {shown(name)}, which has {what}; name a column "
                "of numbers"
            )


def _no_question(name: str, texts: Sequence[str], named: Sequence[str], gaps: Collection[str] = ()) -> str:
    """Return why a column is no question; empty if it may be one.

    Args:
        name: the name of the column.
        texts: its texts, without those of missing values.
        named: the columns that are named as questions.
        gaps: its texts of missing values.
    """
    if named and name not in named:
        return "the questions are named"
    if len(texts) < 2:
        if named and not (texts and "" in gaps):
            raise FileFormatError(
                f"{shown(name)} is no question: received {with_noun(len(texts), 'text')} in it; allowed are at least "
                "two different responses, or one beside empty cells (a tick box)"
            )
        if texts and "" in gaps:
            return f"{_TICK_BOX}; a question has at least two texts, or is a tick box (then name it with --questions)"
        words = f" but {', '.join(sorted(others))}, which stands for no answer," if (others := set(gaps) - {""}) else ""
        return f"{'one' if texts else 'no'} text{words}: a question has at least two".replace(",:", ":")
    if named:
        return ""
    if _OF_SOFTWARE.fullmatch(_plain_name(name)):
        return "a column of the survey software, by its name"
    if len(texts) > _MOST_CATEGORIES:
        number = f"more than {_MOST_DEVICES}" if len(texts) > _MOST_DEVICES else str(len(texts))
        return f"{number} different texts: a question that is not named has at most {_MOST_CATEGORIES}"
    if longest := max((text for text in texts if len(text) > _LONGEST_CATEGORY), key=len, default=""):
        return f"a text of {len(longest)} characters: a response that is not named has at most {_LONGEST_CATEGORY}"
    return ""


def _texts_of(texts: Sequence[str]) -> str:
    """Return the number of different texts, with the first of them."""
    number = with_noun(len(texts), "different text")
    listed = ", ".join(texts[:4]) + ", ..." * (len(texts) > 4)
    return f"{number}: {listed}" if len(listed) <= _LONGEST_LIST else number


def _codes(texts: list[str]) -> list[str]:
    """Return the texts; integers that are written as floating-point numbers, such as 1.0, without their zeros."""
    if not all(re.fullmatch(r"[0-9]+(\.0+)?", text) for text in texts):
        return texts
    return sorted({text.partition(".")[0] for text in texts})


def _ordered(texts: list[str], order: Sequence[str] = ()) -> tuple[str, ...]:
    """Return categories in their order, if there is only one, or that of their codes; else ``?`` stands first."""
    for pair in _YES_NO:
        if set(map(normal_caseless, texts)) == set(pair):
            return tuple(sorted(texts, key=lambda text: pair.index(normal_caseless(text))))
    if all(text.isascii() and text.isdigit() for text in texts) and set(texts) != {"1", "2"}:  # 1 is often yes, 2 no
        return tuple(sorted(texts, key=int))
    if set(map(normal, texts)) <= set(map(normal, order)):
        places = {normal(text): place for place, text in enumerate(order)}
        return tuple(sorted(texts, key=lambda text: places[normal(text)]))
    return (UNKNOWN, *texts)


def _device(text: str) -> str:
    """Return the name of a device as its mechanism, if it is one."""
    try:
        named_mechanism(text)
    except (ValueError, NotImplementedError):
        return UNKNOWN
    return text
