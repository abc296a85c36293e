"""The request for counts of responses, the checks of what was counted (``kinds``), and the report on it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from types import MappingProxyType
from typing import Any, cast

from rropt.answers.replicate_weights import Replicates
from rropt.answers.response_codes import INVALID, MISSING, Codes
from rropt.answers.samples import SINGLE_PSU_RULES
from rropt.answers.table_reports import Gap, TableReading
from rropt.core.errors import FileFormatError, InvalidParameterError, name_of, names_of, one_of, required, shown
from rropt.core.exact import decimal_text, rational_where
from rropt.core.normal_form import label_form, named_in, normal, normal_caseless, one_in_two_forms, text_of
from rropt.core.visible import visible, with_noun
from rropt.mechanisms import BitVectorMechanism, Mechanism
from rropt.mechanisms.columns import listed, required_list
from rropt.mechanisms.imports import required_mechanism
from rropt.mechanisms.named import has_other_responses
from rropt.mechanisms.subsets import BETWEEN, Subsets, require_names_of_sets, set_texts
from rropt.mechanisms.words import TRAIT
from rropt_fieldwork.reading.missing import MissingTexts, flat_texts, missing_remarks
from rropt_fieldwork.reading.number_marks import is_doubtful
from rropt_fieldwork.reading.sources import Source, header_hint, two_forms

_MOST_NAMES = 4096
_NAMED = 20  # categories that a message lists
MOST_CELLS = 500_000  # the largest number of combinations of groups and devices


@dataclass(frozen=True, slots=True)
class SampleColumns:
    """The columns that describe the sampling design.

    Attributes:
        weights: the column of w; ``None``: w is the inverse of the fractions of ``fpc``, or 1.
        strata, clusters: the columns of labels; clusters are nested in strata.
        fpc: the finite population of each stratum, in clusters (or rows), and then that of each cluster, in rows. Each
            is a column or one number. All values are counts (at least 1), or all are rates (at most 1).
        post_strata: the columns that define the cells of post-stratification.
        single_psu: the contribution of a stratum with a single PSU (``Sampling``).
        replicates: the columns of replicate weights, as a text or as ``Replicates``, beside ``weights`` alone.
        labels: the columns of labels: the stratum s, the cluster c, and the cells of post-stratification t0, t1, ...
        numbers: the columns of numbers: the weight w, f0 and f1 of the finite populations, and the replicate weights
            r0, r1, ...
        names: the names of all requested columns.
        is_complex: whether anything is requested.
    """

    weights: str | None = None
    strata: str | None = None
    clusters: str | None = None
    fpc: Any = ()
    post_strata: Any = ()
    single_psu: str = "refuse"
    replicates: Any = None
    labels: dict[str, str] = field(init=False, repr=False, compare=False)
    numbers: dict[str, str] = field(init=False, repr=False, compare=False)
    names: tuple[str, ...] = field(init=False, repr=False, compare=False)
    is_complex: bool = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        one_of(self.single_psu, SINGLE_PSU_RULES, "the rule for strata with one cluster")
        for option in ("weights", "strata", "clusters"):
            if (name := getattr(self, option)) is not None:
                name_of(name, option)
        if self.replicates is not None:
            object.__setattr__(self, "replicates", Replicates.of(self.replicates))
            beside = [self.strata, self.clusters, self.fpc or None, self.post_strata or None]
            if self.weights is None or any(one is not None for one in beside) or self.single_psu != "refuse":
                raise InvalidParameterError(
                    "replicate weights go with `weights` alone: received them "
                    f"{'without weights' if self.weights is None else 'with strata, clusters, fpc or post-strata'}; "
                    "they contain the sampling design: give the column of weights, and leave the others out"
                )
        given = () if self.fpc is None else tuple(self.fpc) if isinstance(self.fpc, list | tuple) else (self.fpc,)
        if len(given) > (2 if self.clusters is not None else 1):
            stages = "clusters and those in them" if self.clusters is not None else "a sample without clusters"
            raise InvalidParameterError(
                f"the finite populations do not fit the stages: received {len(given)} for {stages}; allowed are one, "
                "and with clusters a second one within them"
            )
        object.__setattr__(self, "fpc", tuple(map(finite_population, given)))
        object.__setattr__(self, "post_strata", names_of(self.post_strata, "post_strata"))
        columns: dict[str, Any] = {"w": self.weights, "s": self.strata, "c": self.clusters}
        if self.replicates is not None:
            columns |= {f"r{i}": column for i, column in enumerate(self.replicates.columns)}
        columns |= {
            f"{kind}{i}": one for kind, own in (("f", self.fpc), ("t", self.post_strata)) for i, one in enumerate(own)
        }
        named = {name: column for name, column in columns.items() if isinstance(column, str)}
        object.__setattr__(self, "names", tuple(named.values()))
        object.__setattr__(self, "numbers", {name: one for name, one in named.items() if name[0] in "wfr"})
        object.__setattr__(self, "labels", {name: one for name, one in named.items() if name[0] in "sct"})
        object.__setattr__(self, "is_complex", bool(named or self.fpc) or self.single_psu != "refuse")


_NUMBER = re.compile(r"[-+]?(\d[\d_]*(\.\d*)?|\.\d+)([eE][-+]?\d+|/\d+)? ?%?")  # matched only, never evaluated


def finite_population(value: object) -> str | Fraction:
    """Return a number, or the name of a column if the text is not a number.

    Raises:
        InvalidParameterError: the number is negative, or has the denominator 0.
    """
    if isinstance(value, str) and not _NUMBER.fullmatch(value.strip()):
        return value
    return rational_where(value, lambda x: x >= 0, "a column, a rate in [0, 1] or a count of at least 1", name="fpc")


@dataclass(frozen=True, slots=True)
class CountRequest:
    """The request for counts.

    Attributes:
        columns: the names of the columns of the questions; empty for a file without a header, whose columns are the
            questions.
        categories: for each question the names of its responses, in order; ``None``: they are the numbers 0, 1, ...
        missing: the texts for missing values: TEXT for the responses, COLUMN=TEXT for one column; ``None``: those of
            ``NO_ANSWER`` for the responses, in any case.
        by: the columns that define the groups.
        devices: the column with the name of each respondent's device.
        subsets: the subsets that the mechanism can output, if a response is a subset of the categories, written with
            ``BETWEEN``.
        ignore_case: whether responses that differ only in case are the same.
        mechanism: the device of all respondents; ``None`` with a column of devices, or if the questions were asked
            directly.
        device_names: maps the names in the column of devices to devices; ``None``: they are names of designs.
        sample: the columns that describe the sampling design.
        others: other columns that are read, to which a COLUMN=TEXT may belong, such as covariates.
        gaps: the texts for missing values, by column.
        codes: for each question the codes of the values in its column; questions with equal categories share them.
        titles: the names of the questions.
        places: the columns of the questions: their names, or their positions if there is no header.
        cells: the columns of the devices (d) and of the groups (g0, g1, ...).
        names: the names of all requested columns.
    """

    columns: tuple[str, ...]
    categories: tuple[tuple[str, ...] | None, ...]
    missing: tuple[str, ...] | None = None
    by: tuple[str, ...] = ()
    devices: str | None = None
    subsets: Subsets | None = None
    ignore_case: bool = False
    mechanism: Mechanism | None = None
    device_names: Mapping[str, Mechanism] | None = None
    sample: SampleColumns = SampleColumns()
    others: tuple[str, ...] = ()
    gaps: MissingTexts = field(init=False, repr=False, compare=False)
    codes: tuple[Codes, ...] = field(init=False, repr=False, compare=False)
    titles: tuple[str, ...] = field(init=False, repr=False, compare=False)
    places: tuple[str | int, ...] = field(init=False, repr=False, compare=False)
    cells: dict[str, str] = field(init=False, repr=False, compare=False)
    names: tuple[str, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        cells = {"d": self.devices} if self.devices is not None else {}
        own = (*self.columns, *self.by, *cells.values())
        if len(set(map(normal, own))) < len(own):
            raise InvalidParameterError(
                f"the columns are not different: received {shown(', '.join(own))}; allowed is each column once"
            )
        if self.subsets is not None:
            require_names_of_sets(self.categories[0] or ())
        places = range(len(self.categories))
        titles = self.columns or tuple(f"question {place}" for place in places)
        names = (*own, *self.sample.names)
        gaps = MissingTexts(None, (), {})
        more: list[tuple[str, ...]] = [()] * len(titles)
        if self.missing is not None:
            gaps = MissingTexts.of(self.missing, (*names, *self.others))
            more = list(map(gaps.of_answers, titles))
        is_matrix = type(self.mechanism) is Mechanism  # which outputs no bits
        bits = [0] * len(titles) if is_matrix else _bit_lengths(self, len(titles))
        kinds = list(zip(self.categories, more, bits, strict=True))
        rounding = self.mechanism if self.mechanism is not None and self.mechanism.rounds else None
        made = {
            kind: Codes(
                kind[0],
                gaps.answers,
                self.subsets,
                more=kind[1],
                ignore_case=self.ignore_case,
                are_numbers=self.mechanism is not None and bool(self.mechanism.output_values),
                # to which true numbers are rounded; reports have other names
                grid=rounding.input_values if rounding is not None and kind[0] == rounding.categories else (),
                bits=kind[2],
            )
            for kind in dict.fromkeys(kinds)
        }
        for name, value in {
            "gaps": gaps,
            "codes": tuple(made[kind] for kind in kinds),
            "titles": titles,
            "places": self.columns or (*places,),
            "cells": cells | {f"g{i}": column for i, column in enumerate(self.by)},
            "names": names,
        }.items():
            object.__setattr__(self, name, value)


def _bit_lengths(asked: CountRequest, questions: int) -> list[int]:
    """Return for each question the length of the bit vectors that its devices output; 0 for other outputs."""
    given = list((asked.device_names or {}).values()) if asked.mechanism is None else [asked.mechanism]
    lengths = []
    for device in given:
        factors = (device,) if questions == 1 else device.factors
        own = [one.inputs if isinstance(one, BitVectorMechanism) else 0 for one in factors]
        lengths.append(own if len(own) == questions else [0] * questions)
    return [found[0] if len({*found}) == 1 else 0 for found in zip(*lengths, strict=True)] or [0] * questions


def is_unweighted(weights: str | None, unweighted: bool) -> bool:
    """Return whether a request leaves the weights that its file may declare aside, and check that it is clear.

    Raises:
        InvalidParameterError: the request names weights and excludes them.
    """
    if not isinstance(unweighted, bool):
        raise InvalidParameterError(
            f"`unweighted` is no truth value: received {shown(unweighted)}; write True or False"
        )
    if unweighted and weights is not None:
        raise InvalidParameterError(
            f"`unweighted` excludes `weights`: received {shown(weights)} as weights; leave one of them out"
        )
    return unweighted or weights is not None


def checked_categories(categories: Sequence[str] | str | None) -> tuple[str, ...] | None:
    """Check the names of responses and return them as a tuple.

    Raises:
        InvalidParameterError: there are fewer than two names or too many, two names are equal, or a name is empty.
    """
    if categories is None:
        return None
    given = (
        categories.split(",")
        if isinstance(categories, str)
        else required_list(categories, "`categories`", "a list of names")
    )
    names = tuple(str(name).strip() for name in given)
    if two := one_in_two_forms(names, label_form):
        raise InvalidParameterError(two_forms("categories", *two))
    if not 2 <= len(names) <= _MOST_NAMES or len(set(names)) != len(names) or not all(names):
        raise InvalidParameterError(
            f"categories are not names of responses: received {shown(','.join(names))}; allowed are 2 to {_MOST_NAMES} "
            "different names in the order of the mechanism's outputs, such as no,yes"
        )
    return names


def categories_by_question(
    categories: Any, columns: Sequence[str], questions: int, known: tuple[str, ...], *, ignore_case: bool
) -> tuple[tuple[str, ...] | None, ...]:
    """Return the names of the responses to each question; ``None`` for responses that are numbers.

    Args:
        categories: one list for all questions; a list for each column, in their order; or a mapping from names of
            columns to lists. Responses in columns that the mapping omits are numbers.
        columns: the columns of the questions.
        questions: the number of questions.
        known: the names that the mechanism of one question has, the default.
        ignore_case: whether names that differ only in case are the same.

    Raises:
        InvalidParameterError: the lists of names are invalid, or a column of the mapping is not requested.
    """
    if isinstance(categories, Mapping):
        by_column = {normal(str(name)): each for name, each in categories.items()}
        if unknown := [name for name in categories if named_in(str(name), columns) is None]:
            raise InvalidParameterError(
                f"categories are of a column that is not asked for: received {shown(', '.join(unknown))}; allowed are "
                f"{shown(', '.join(columns))}"
            )
        if two := one_in_two_forms(map(str, categories)):
            raise InvalidParameterError(two_forms("columns", *two))
        found = [checked_categories(by_column.get(normal(name))) for name in columns or [""] * questions]
    elif categories is None or not any(map(_is_list, given := listed(categories) or ())):
        names = known or None if categories is None else checked_categories(categories)
        forms, of_known = (list(map(normal, each or ())) for each in (names, known))
        if names and known and forms != of_known and set(forms) == set(of_known):
            raise InvalidParameterError(
                f"the categories stand in another order than those of the mechanism: received {shown(names[:5])}; "
                f"allowed is {shown(known[:5])}; leave them out, since the mechanism has the names"
            )
        found = [names] * questions
    elif len(given) != len(columns) or not all(each is None or _is_list(each) for each in given):
        raise InvalidParameterError(
            f"the lists of categories do not fit the columns: received {len(given)} for {len(columns)} columns; "
            "allowed is one list for all, or one for each column in their order"
        )
    else:
        found = [checked_categories(each) for each in given]
    for names in dict.fromkeys(found):
        if names is not None and ignore_case and len(set(map(normal_caseless, names))) < len(names):
            raise InvalidParameterError(
                f"categories differ in upper and lower case only: received {shown(','.join(names))} with "
                "`ignore_case`; leave it out, or give names that differ otherwise"
            )
    return tuple(found)


def request_of(
    columns: Sequence[str],
    mechanism: Mechanism | str | None = None,
    questions: int | None = None,
    *,
    known: tuple[str, ...] | None = None,
    categories: Any = None,
    ignore_case: bool = False,
    missing: Sequence[str] | Mapping[str, Sequence[str]] | None = None,
    devices: str | None = None,
    device_names: Mapping[str, Mechanism | str] | None = None,
    by: str | Sequence[str] = (),
    sample: SampleColumns = SampleColumns(),
    others: Sequence[str] = (),
) -> CountRequest:
    """Return the request for the responses to some questions.

    Args:
        columns: the columns of the questions; empty for a file without a header.
        mechanism: the mechanism, whose names the responses have by default.
        questions: the number of questions of the mechanism; ``None``: the number of columns.
        known: the names of the responses by default, in place of those of the mechanism.
        categories, ignore_case, missing, devices, device_names, by: as for ``estimate_table``.
        sample: the columns of the sampling design.
        others: other columns that are read, such as covariates.

    Raises:
        InvalidParameterError: there are not as many columns as questions, or the categories are invalid.
    """
    if questions is not None and columns and len(columns) != questions:
        raise InvalidParameterError(
            f"`columns` do not fit the mechanism: received {with_noun(len(columns), 'name')}; allowed are "
            f"{questions}, one for each "
            f"question; name them all, or give a mechanism for {len(columns)}"
        )
    named: dict[str, Mechanism] | None = None
    if device_names is not None:
        given = required(device_names, Mapping, "`device_names`", "{'A': 'warner:3/4'}")  # type: ignore[type-abstract]
        if two := one_in_two_forms(map(str, given), label_form):
            raise InvalidParameterError(two_forms("devices", *two))
        named = {
            label_form(str(name).strip()): required_mechanism(one, f"the device {shown(name)}")
            for name, one in given.items()
        }
    made = None if mechanism is None else required_mechanism(mechanism)
    if known is None and made is not None:
        are_sets = bool(made.categories) and Subsets.of(made) is not None  # data contain the names of the categories
        known = made.responses or (made.categories if are_sets else ())
    count = len(columns) or questions or 1
    names: tuple[tuple[str, ...] | None, ...] = (None,) * count
    if categories is not None or known:
        names = categories_by_question(categories, columns, count, known or (), ignore_case=ignore_case)
    return CountRequest(
        tuple(columns),
        names,
        None if missing is None else flat_texts(missing),
        () if isinstance(by, tuple) and not by else names_of(by, "by"),
        None if devices is None else name_of(devices, "devices"),
        ignore_case=ignore_case,
        mechanism=made,
        device_names=named,
        sample=sample,
        others=tuple(others),
    )


def with_sets_named(request: CountRequest) -> CountRequest:
    """Return a request whose categories are those of the true answers with the sets that the responses are.

    The responses of ``subset:5,2,3/4`` are sets; with the categories a, b, ... they are written a&b, a&c, ...
    """
    made, names = request.mechanism, request.categories[0] or ()
    if made is None or len(request.categories) > 1 or len(names) != made.inputs or not made.responses:
        return request
    if made.responses == names or not (texts := set_texts(made, names)):
        return request
    require_names_of_sets(names)
    return replace(request, categories=(texts,), mechanism=made.labelled(names, texts))


def labelled_by(mechanism: Mechanism, names: Sequence[str] | None) -> Mechanism:
    """Return a mechanism without names with those of the responses in the data.

    They name the true answers too, unless the responses are no answers to the question: then these are whether the
    respondent has the trait.
    """
    if names is None or mechanism.categories or mechanism.responses:
        return mechanism
    names = [name if name.isprintable() else visible(" ".join(name.split())) for name in names]  # of any width of space
    if has_other_responses(mechanism):
        return mechanism.labelled(TRAIT, names)
    return mechanism.labelled(names, names) if mechanism.inputs == mechanism.outputs else mechanism.labelled((), names)


def _is_list(value: object) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


def too_many_cells(asked: CountRequest) -> FileFormatError:
    """Return the error for too many groups and devices."""
    names = shown(", ".join((*asked.by, asked.devices or "")).strip(", "))
    return FileFormatError(
        f"the groups and devices are too many: received more than {MOST_CELLS} different texts in {names}; are these "
        "the right columns?"
    )


def require_valid(source: Source, asked: CountRequest, question: int, codes: Mapping[int, int], outputs: int) -> None:
    """Raise an error for invalid responses; it reports their number and first ten lines, but not their content.

    Args:
        source, asked: the source and the request.
        question: the number of the question.
        codes: the count of each code.
        outputs: the number of outputs of the question's device.

    Raises:
        FileFormatError: there are invalid responses.
    """
    wrong = sum(n for code, n in codes.items() if code == INVALID or code >= outputs)
    if not wrong:
        return
    known = asked.codes[question]
    lines = source.rows_where(asked.places[question], lambda value: known[value] not in range(MISSING, outputs), known)
    allowed = _allowed(asked, question, outputs)
    more = "" if wrong <= len(lines) else f", the first {len(lines)} of {wrong}" if lines else f", {wrong} of them"
    if not asked.columns and source.where(lines[:1]) == "line 1":
        raise FileFormatError(
            "line 1 of the data is not a valid answer: a file without the name of a "
            "column is read without a header; if line 1 is a header, name the column of the question (`column=NAME`) "
            f"or of several (`columns=A,B`); else write {allowed}, or name the answers (`categories`)"
        )
    case = ""
    if known.differ_in_case():
        case = "; some differ from them in upper and lower case only: `ignore_case` takes these for the same"
    if asked.columns and any(
        code == INVALID and normal(text_of(value)) == normal(asked.columns[question]) for value, code in known.items()
    ):
        case += "; some repeat the header: delete these lines"
    title = shown(asked.titles[question]) if asked.columns else asked.titles[question]
    gaps = [Gap(asked.titles[question], text_of(value), 1) for value, code in known.items() if code == MISSING]
    unseen = missing_remarks(asked.gaps, [asked.titles[question]], gaps, {}, source.names)
    remarks = (*source.remarks, *unseen)  # labels that are read, an encoding that was guessed, texts that do not occur
    told = header_hint(source, lines, wrong) + "".join(f"; {remark}" for remark in remarks)
    raise FileFormatError(
        f"{source.where(lines)} of the data contain{'s' if len(lines) == 1 else ''} no answer to "
        f"{title}{more}: allowed are {allowed}{case}; correct {'it' if wrong == 1 else 'them'}, name "
        f"the answers (`categories`), join several texts of one answer (`recode`, as in q: ja, oui -> yes), or declare "
        f"texts for no answer as missing (`missing`){told}"
    )


def _allowed(asked: CountRequest, question: int, outputs: int) -> str:
    given = asked.categories[question]
    if asked.subsets is not None:
        k = asked.subsets.mechanism.inputs
        listed = [*(given or map(str, range(min(k, _NAMED))))][:_NAMED]
        listed += ["..."] * (k > len(listed))
        return (
            f"the subsets of {shown(', '.join(listed))} that the mechanism reports, written with {BETWEEN} between them"
        )
    names = given or [str(code) for code in range(min(outputs, _NAMED))]
    if bits := _bit_lengths(asked, len(asked.titles))[question]:
        return f"texts of {bits} bits, such as {'01' * 8:.{bits}s}, whose bit j belongs to category j"
    if grid := asked.codes[question].grid:
        return f"any number from {decimal_text(grid[0])} to {decimal_text(grid[-1])}"
    made = asked.mechanism
    if made is not None and made.output_values and len(asked.titles) == 1:
        codes = f"numbers of outputs from 0 to {outputs - 1}, as `Mechanism.randomize` returns them, are `responses`"
        return f"{shown(', '.join(names))} ({codes})"
    return "0 and 1" if given is None and outputs == 2 else shown(", ".join(names))


def reading_of(
    source: Source,
    asked: CountRequest,
    totals: Sequence[Mapping[int, int]],
    outputs: Sequence[int],
    *,
    left_out: int | None = None,
    gaps: Sequence[Gap] = (),
    groups: Mapping[str, Sequence[str]] = MappingProxyType({}),
) -> TableReading:
    """Check the counted responses, and return the report on their table.

    Args:
        source, asked: the source and the request.
        totals: the count of each code of each question.
        outputs: the number of outputs of each question's device.
        left_out: the number of respondents without a response to every question, if questions are counted jointly;
            ``None``: each question is counted by itself.
        gaps: the missing values, by column and text.
        groups: the texts of the groups, by column.

    Raises:
        FileFormatError: there are invalid responses.
        InvalidParameterError: every response is missing; otherwise missing responses are left out and counted.
    """
    absent, rows = dict[str, int](), 0
    for question, (title, codes, size) in enumerate(zip(asked.titles, totals, outputs, strict=True)):
        require_valid(source, asked, question, codes, size)
        if asked.codes[question].grid:
            _require_points(source, asked, question)
        if gaps and asked.missing is None:
            _require_no_ticks(asked, question, codes, gaps)
        rows, absent[title] = sum(codes.values()), codes.get(MISSING, 0)
    empty = {shown(title): missing for title, missing in absent.items()}
    if left_out is not None:
        empty = {"every question" if len(absent) > 1 else next(iter(empty)): left_out}
    for of, missing in empty.items():
        if missing and missing == rows:
            raise InvalidParameterError(
                f"no respondent answered {of}: received {with_noun(rows, 'row')} without an answer; give one"
            )
    remarks = source.remarks
    if asked.missing is not None or groups:
        remarks = (*remarks, *missing_remarks(asked.gaps, asked.titles, gaps, groups, source.names))
    return TableReading.of(source.name, rows, absent, gaps, left_out or 0, remarks)


def _require_points(source: Source, asked: CountRequest, question: int) -> None:
    """Raise ``FileFormatError`` if a number of a range may have a thousands mark: 1.500 is 1.5 or 1500.

    Numbers of a list are not checked: both readings are seldom numbers of the list.
    """
    known, place = asked.codes[question], asked.places[question]
    try:
        marks = source.with_marks([cast("str", place)]).marks
    except FileFormatError:
        marks = None
    wrong = {
        value
        for value, code in known.items()
        if code >= 0 and isinstance(value, str) and is_doubtful(value)
        if marks is None or marks.plain(value.strip()) != value.strip()
    }
    if wrong:
        lines = source.rows_where(place, wrong.__contains__, known)
        raise FileFormatError(
            f"numbers can be read in two ways, as 1.500 is 1.5 or 1500: received such numbers in "
            f"{shown(asked.titles[question])}, in {source.where(lines)} of the data; write the numbers with a decimal "
            "point and without thousands marks, in a file that commas separate"
        )


_FEW_ALIKE = 20  # equal responses that randomization seldom gives, and a column of tick boxes always


def _require_no_ticks(asked: CountRequest, question: int, codes: Mapping[int, int], gaps: Sequence[Gap]) -> None:
    """Raise ``FileFormatError`` for a column of one answer and empty cells, whose meaning is not stated.

    In a column of tick boxes an empty cell is an answer, and to leave it out would make everybody tick the box.
    """
    title = asked.titles[question]
    answers = [code for code, n in codes.items() if code != MISSING and n]
    empty = sum(gap.n for gap in gaps if gap.column == title and not gap.text)
    if len(answers) != 1 or codes[answers[0]] < _FEW_ALIKE or not empty:
        return
    names = asked.categories[question]
    answer = names[answers[0]] if names and answers[0] < len(names) else str(answers[0])
    raise FileFormatError(
        f"empty cells can be read in two ways: received {codes[answers[0]]} answers to {shown(title)}, all "
        f"{shown(answer)}, and {with_noun(empty, 'empty cell')}, which are missing answers, or, in a column of tick "
        "boxes, the other answer; name that answer (`blank`), or write that empty cells are missing (`missing` with "
        "an empty text)"
    )


def require_design(source: Source, asked: CountRequest) -> None:
    """Raise an error for rows whose device or place in the sample is named as missing: no row can do without.

    Raises:
        FileFormatError: a column of the sampling design, or of the devices, has a text that is named as missing.
    """
    for column in dict.fromkeys((*asked.sample.names, *((asked.devices,) if asked.devices is not None else ()))):
        if texts := set(map(label_form, asked.gaps.of_column(column))):
            found = source.counted({"x": column}, None)["x"].tolist()
            met = [value for value in found if label_form(text_of(value)) in texts]
            if met:
                lines = source.rows_where(column, met.__contains__, met)
                raise FileFormatError(
                    f"{source.where(lines)} of the data miss{'es' * (len(lines) == 1)} a value of {shown(column)}: "
                    f"{shown(text_of(met[0]))} is named as missing, and every row needs its device and its place in "
                    "the sample; leave these rows out of the data, or give them one"
                )
