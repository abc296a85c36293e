"""``rropt survey init``: the declaration of a survey, guessed from the header and the values of its data.

Each guess is marked by a comment. Nothing is estimated before the user has replaced each ``?``.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

from rropt.core.errors import FileFormatError, InvalidParameterError, shown
from rropt.core.normal_form import normal, normal_caseless
from rropt.core.results import Result, labelled
from rropt.mechanisms.named import named_mechanism
from rropt.survey.declarations.survey_declaration import UNKNOWN, Question, Survey
from rropt.survey.tables.header_rows import recognized_header_rows
from rropt.survey.tables.kinds import Texts, codes_of_values
from rropt.survey.tables.preparation import Preparation
from rropt.survey.tables.readers import read
from rropt.survey.tables.response_codes import NO_ANSWER
from rropt.survey.tables.sources import BLANKS, Source, reading_errors

_MOST_CATEGORIES = 12
_MOST_COLUMNS = 1000
_MOST_DEVICES = 50
_LONGEST_CATEGORY = 60  # characters
_ROLES = {
    "weights": r"w|wt|wgt|weights?|p?weight|final_?w(eigh)?t|.*_(wt|weight)|gewicht",
    "strata": r"strat(um|a)|.*_strat(um|a)|schicht",
    "clusters": r"psu|ea|clusters?|.*_(psu|cluster)|klumpen",
    "fpc": r"fpc\d?",
    "device": r"devices?|randomi[sz]er|mechanism|gerät",
}
_YES_NO = (("no", "yes"), ("n", "y"), ("0", "1"), ("false", "true"), ("nein", "ja"), ("non", "oui"), ("no", "sí"))


@dataclass(frozen=True, slots=True)
class Declared(Result):
    """A declaration that was guessed from data.

    Attributes:
        survey: what was guessed; ``?`` stands for what nobody can guess.
        text: the text of the declaration, with a comment for each guess.
        rows: the number of rows.
        columns: the number of columns.
        others: the columns that the declaration does not use.
    """

    survey: Survey
    text: str
    rows: int
    columns: int
    others: tuple[str, ...] = ()

    LABELS: ClassVar = labelled(
        rows="rows",
        columns="columns",
        header_rows="header rows recognized",
        guessed="questions guessed",
        design="design columns guessed",
    )

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


def guess_survey(
    data: str | os.PathLike[str],
    *,
    folder: str = "",
    table: str | None = None,
    sheet: str | int | None = None,
    header_rows: int | None = None,
) -> Declared:
    """Guess the declaration of a survey from its data, as ``rropt survey init`` does.

    Columns of the sampling design and of the devices are recognized by their names. A column with 2 to 12 different
    texts may be a question. Its device is not guessed, nor is the order of more than two categories.

    Args:
        data: the path of a file with a row for each respondent.
        folder: the folder of the declaration, to which it names the data.
        table: the table of a database.
        sheet: the sheet of a workbook.
        header_rows: the number of rows above the first respondent; ``None``: they are recognized.

    Raises:
        FileFormatError: the data cannot be read, or have no header.
    """
    path = os.fspath(data)
    if path == "-":
        raise InvalidParameterError("the data of a survey are a file: received standard input; give its name")
    place: dict[str, Any] = {"table": table, "sheet": sheet}
    above = recognized_header_rows(path, sheet) if header_rows is None else header_rows
    preparation = Preparation.of((), header_rows=above)
    how: dict[str, Any] = {"unweighted": True, "preparation": preparation, **place}
    names = read(path, (), _header, width=None, **how)
    if len(names) > _MOST_COLUMNS or len(set(map(normal, names))) < len(names) or not all(names):
        raise FileFormatError(
            f"the header of {shown(path)} is not usable: received {len(names)} names; allowed are 1 to {_MOST_COLUMNS} "
            "different ones, with those in the names of folders (g=a); correct its first line"
        )
    work = partial(_values, names)
    values, rows, weight, titles = read(path, names, work, whole=True, **how)
    place["header_rows"] = preparation.header_rows if preparation.header_rows > 1 else None
    return _declared(path, folder, names, values, rows, weight, titles, place)


def _header(source: Source) -> tuple[str, ...]:
    """Return the names of the columns; of a text file, its first row."""
    if source.has_header:
        return source.names
    with reading_errors(source.name):  # without the advice to name a column
        first = source.relation.limit(1).fetchall()
    named = zip(source.names, first[0], strict=True) if first else ()  # keys of folders have names
    return tuple(str((value if isinstance(name, int) else name) or "").strip(BLANKS) for name, value in named)


def _values(names: tuple[str, ...], source: Source) -> tuple[dict[str, list[str]], int, str | None, Mapping[str, str]]:
    """Return the texts of each column, the number of rows, the weight of an SPSS file, and the labels of columns."""
    found = {}
    for name in names:
        counted = source.counted({"x": name}, _MOST_DEVICES + len(NO_ANSWER) + 1)
        texts = Texts()
        codes_of_values(counted["x"], texts)
        found[name] = sorted(texts.list, key=normal)
    with reading_errors(source.name, source):
        return found, len(source.relation), source.weight, source.titles


def _declared(
    path: str,
    folder: str,
    names: tuple[str, ...],
    values: dict[str, list[str]],
    rows: int,
    weight: str | None,
    titles: Mapping[str, str],
    place: dict[str, Any],
) -> Declared:
    roles: dict[str, str] = {}
    for role, pattern in _ROLES.items():
        fitting = [name for name in names if re.fullmatch(pattern, normal(name), re.IGNORECASE)]
        roles |= {role: fitting[0]} if fitting else {}
    told: dict[tuple[str, ...], str] = {(role,): "guessed from the name of the column" for role in roles}
    if weight is not None:
        roles["weights"], told["weights",] = weight, "the file weights its cases by this column (WEIGHT BY)"
    column = f"{roles['device']} (the column that names the devices), " if "device" in roles else ""
    gaps: set[str] = set()
    questions = {}
    for name in names:
        texts = _codes([text for text in values[name] if text.lower() not in NO_ANSWER])
        is_short = all(len(text) <= _LONGEST_CATEGORY for text in texts)
        if name in roles.values() or not 2 <= len(texts) <= _MOST_CATEGORIES or not is_short:
            continue
        gaps |= {text for text in values[name] if text.lower() in NO_ANSWER and text}
        ordered = _ordered(texts)
        is_known = UNKNOWN not in ordered
        questions[name] = Question(categories=ordered, device=UNKNOWN, wording=titles.get(normal(name), UNKNOWN))
        told[("questions", name)] = "guessed: delete this part if the column is no randomized question"
        told[("questions", name, "question")] = "the wording" + ", from a header row" * (normal(name) in titles)
        told[("questions", name, "device")] = f"{column}a mechanism such as warner:3/4, a file, or direct"
        told[("questions", name, "categories")] = (
            "guessed: the last one is counted"
            if is_known
            else f'put them in the order of the device, delete "{UNKNOWN}"'
        )
    devices = None
    if "device" in roles:
        devices = {text: _device(text) for text in values[roles["device"]][:_MOST_DEVICES] if text}
        told[("devices",)] = (
            f"guessed from the column {roles['device']}: the mechanism of each name, such as warner:3/4"
        )
    roles.pop("device", None)
    told |= {("epsilon",): 'what respondents were promised for one question, such as "log(5)"; "none": nothing'}
    if place.get("header_rows"):
        told[("header_rows",)] = "recognized: names, titles or wordings above the first respondent"
    told |= {("missing",): "guessed: what the data write for no answer"} if gaps else {}
    told |= {("title",): "of the report", ("unit",): "who the survey is about, such as employees"}
    told |= {(): f'A survey, declared once. Each guess is marked: check it. Replace each "{UNKNOWN}".'}
    found: dict[str, Any] = {"title": UNKNOWN, "unit": UNKNOWN, "epsilon": UNKNOWN, **roles, **place}
    found |= {"file": os.path.relpath(path, folder or "."), "missing": sorted(gaps) or None}
    survey = Survey(**found, devices=devices or None, questions=questions)
    used = {*questions, *roles.values()}
    return Declared(survey, survey.to_toml(told), rows, len(names), tuple(each for each in names if each not in used))


def _codes(texts: list[str]) -> list[str]:
    """Return the texts; integers that are written as floating-point numbers, such as 1.0, without their zeros."""
    if not all(re.fullmatch(r"[0-9]+(\.0+)?", text) for text in texts):
        return texts
    return sorted({text.partition(".")[0] for text in texts})


def _ordered(texts: list[str]) -> tuple[str, ...]:
    """Return categories in their order, if there is only one; else ``?`` stands first."""
    for pair in _YES_NO:
        if set(map(normal_caseless, texts)) == set(pair):
            return tuple(sorted(texts, key=lambda text: pair.index(normal_caseless(text))))
    if all(text.isascii() and text.isdigit() for text in texts):
        return tuple(sorted(texts, key=int))
    return (UNKNOWN, *texts)


def _device(text: str) -> str:
    """Return the name of a device as its mechanism, if it is one."""
    try:
        named_mechanism(text)
    except (ValueError, NotImplementedError):
        return UNKNOWN
    return text
