"""``Survey``: the data, the questions, the devices and the promised level of a survey, declared once.

Plans, sheets, randomizations, estimates, regressions, bounds and reports read the same declaration. A value comes
from the call, else from the question, else from the survey, else it is the default of the function.
"""

from __future__ import annotations

import os
from collections.abc import Container, Iterable, Mapping, Set
from dataclasses import dataclass, field, fields
from numbers import Number
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from rropt.answers.replicate_weights import Replicates
from rropt.answers.samples import SINGLE_PSU_RULES
from rropt.core.argument_checks import clear_calls
from rropt.core.errors import FileFormatError, InvalidParameterError, RroptError, one_of, shown
from rropt.core.exact import Delta, Epsilon
from rropt.core.exact.numbers import is_of_flint
from rropt.core.files import read_text, shown_path, write_text
from rropt.core.mappings import ReadOnlyMapping
from rropt.core.normal_form import named_in, one_in_two_forms
from rropt.core.results import Result, Table
from rropt.mechanisms import DESIGNS, Mechanism, ProductMechanism, RandomQuestions
from rropt.mechanisms.imports import mechanism_of_argument
from rropt.mechanisms.words import devices_in_words
from rropt.plan import Conditions
from rropt_fieldwork.declaration.toml import FILE, parsed_toml, toml_text
from rropt_fieldwork.reading.counting import checked_categories, labelled_by
from rropt_fieldwork.reading.missing import flat_texts
from rropt_fieldwork.reading.reading_options import DECLARED, OPTIONS, DeclaredReading, Reading
from rropt_fieldwork.reading.recodings import recoding_texts
from rropt_fieldwork.reading.sources import two_forms
from rropt_fieldwork.reading.table import Table as DataTable
from rropt_fieldwork.reading.table import table_of
from rropt_fieldwork.reading.table_arguments import RespondentArguments, TableArguments, stated_record

if TYPE_CHECKING:
    from rropt_fieldwork.ethics.ethics_pages import EthicsPage

UNKNOWN = "?"  # what is not known yet; nothing is computed from it
DIRECT = "direct"
NO_PROMISE = "none"
_LONGEST = 500  # characters of a text
_MOST = {"questions": 1000, "devices": 1000, "names": 4096}
_LARGEST_POPULATION = 10**12
_FILES = (".json", ".csv", ".npy")  # a device with such a name is a file
_READING = {one.name: one.metadata for one in fields(Reading) if one.name in DECLARED}
_FLAGS = tuple(name for name, how in _READING.items() if not how["form"])
_LISTS = (
    *("file", "fpc", "by", "post_strata", "categories"),
    *(name for name, how in _READING.items() if how.get("many") or how.get("kind") == "list"),
)
_UNREAD = (
    *("arms", "devices", "questions", "population", "regions", "simultaneous", "folder", *_FLAGS),
    *(name for name, how in _READING.items() if how.get("kind") in ("count", "mark")),
)  # not texts
_CONDITIONS = tuple(each.name for each in fields(Conditions))
_CHOICE = ("mechanism", "devices", "device_names")  # arguments that say which device a respondent used


@dataclass(frozen=True, slots=True, kw_only=True)
class Question(Result, DeclaredReading):
    """A question of a survey; its name is the column of the responses. ``None``: what the survey declares.

    Attributes:
        wording: the wording of the question; in a declaration, its key is ``question``.
        label: a short name of what the question estimates, which a report prints in place of the wording.
        categories: the categories as the data write them, in the order of the mechanism. ``"?"`` among them: the order
            is not confirmed.
        device: a column of the data with the names of the devices; or the device of everybody: a name in ``devices``,
            a mechanism such as ``warner:3/4``, a file, or ``direct``. ``"?"``: not known.
        devices: maps the names in the column of devices to mechanisms, files, or ``direct``.
        arms: of a question in several columns, each with its device: maps the columns to mechanisms.
        epsilon, delta: the level that respondents were promised for this question; epsilon ``none``: no promise.
        file: the data, one file or several, relative to the folder of the declaration.
        weights, strata, clusters, fpc, post_strata, single_psu, replicates: the sampling design, as for
            ``estimate_table``.
        by: the columns that define groups.
        unit: the people of the survey in the plural, such as ``employees``.
        population: the number N of these people.
        design_effect, cluster_size, icc, response_rate, regions, simultaneous: what a plan knows of the sample, as for
            ``rropt.plan.Conditions``.
        The other attributes are those of ``rropt_fieldwork.read`` but ``engine``: how the rows of the data are read.

    Raises:
        InvalidParameterError: a value is not allowed.
    """

    wording: str | None = None
    label: str | None = None
    categories: tuple[str, ...] | None = None
    device: str | None = None
    devices: Mapping[str, str] | None = None
    arms: Mapping[str, str] | None = None
    epsilon: str | None = None
    delta: str | None = None
    file: tuple[str, ...] | None = None
    weights: str | None = None
    strata: str | None = None
    clusters: str | None = None
    fpc: tuple[str, ...] | None = None
    post_strata: tuple[str, ...] | None = None
    single_psu: str | None = None
    replicates: str | None = None
    by: tuple[str, ...] | None = None
    unit: str | None = None
    population: int | None = None
    design_effect: str | None = None
    cluster_size: str | None = None
    icc: str | None = None
    response_rate: str | None = None
    regions: int | None = None
    simultaneous: bool | None = None

    def __post_init__(self) -> None:
        if isinstance(self.missing, Mapping):  # of columns, as functions take it
            object.__setattr__(self, "missing", flat_texts(self.missing))
        if isinstance(self.recode, Mapping):
            object.__setattr__(self, "recode", recoding_texts(self.recode))
        for each in fields(self):
            value = getattr(self, each.name)
            if value is not None and each.name not in _UNREAD:
                object.__setattr__(self, each.name, _texts(each.name, value))
        for key in (*_FLAGS, "simultaneous"):
            if not isinstance(value := getattr(self, key), bool | None):
                raise _wrong(key, value, "true or false")
        if self.unweighted and self.weights is not None:
            raise _wrong("unweighted", True, f"false beside the weights {shown(self.weights)}")
        if self.population is not None and (
            type(self.population) is not int or not 1 <= self.population <= _LARGEST_POPULATION
        ):
            raise _wrong("population", self.population, f"a whole number from 1 to {_LARGEST_POPULATION}")
        if self.epsilon not in (None, NO_PROMISE, UNKNOWN):
            Epsilon.of(self.epsilon)
        if self.delta is not None:
            Delta.of(self.delta)
        Reading(**{name: value for name in _READING if (value := getattr(self, name)) is not None}).checked()
        if self.single_psu is not None:
            one_of(self.single_psu, SINGLE_PSU_RULES, "single_psu")
        if self.replicates is not None:
            Replicates.of(self.replicates)
        if self.regions is not None and type(self.regions) is not int:
            raise _wrong("regions", self.regions, "a whole number")
        Conditions(**self.conditions())
        if self.categories is not None:
            checked_categories([name for name in self.categories if name != UNKNOWN])
        if self.devices is not None:
            _require_table("devices", self.devices)
            _require_different("devices", self.devices)
            texts = {_texts("devices", name): _texts("devices", value) for name, value in self.devices.items()}
            object.__setattr__(self, "devices", ReadOnlyMapping(texts))
        if self.arms is not None:
            _require_table("arms", self.arms)
            made = {_texts("arms", name): _texts("arms", value) for name, value in self.arms.items()}
            object.__setattr__(self, "arms", ReadOnlyMapping(made))

    def conditions(self) -> dict[str, Any]:
        """Return what is declared of the sample that a plan is about."""
        given = {name: getattr(self, name) for name in _CONDITIONS}
        return {name: value for name, value in given.items() if value not in (None, UNKNOWN)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Survey(Question):
    """A survey, declared once: data, sampling design, devices, promised level and questions.

    ``Survey.read("survey.toml")`` reads a declaration, ``write`` writes one, and ``survey.estimate("sick")``,
    ``survey.regress("sick ~ age")``, ``survey.instructions("sick")`` and ``survey.noncompliance("sick")`` use it.
    Further arguments are those of the function, and override what is declared. A plan has the arguments that
    ``survey.plan_arguments("sick")`` returns.

    Attributes:
        title: the title of reports.
        questions: maps the column of each question to a ``Question``, or to a mapping of its attributes.
        folder: the folder to which names of files are relative.
        The other attributes are those of ``Question``. They apply to each question that does not declare its own.

    Raises:
        InvalidParameterError: a value is not allowed.

    >>> import rropt_fieldwork
    >>> sick = {"categories": ["no", "yes"], "device": "warner:3/4"}
    >>> survey = rropt_fieldwork.Survey(epsilon="log(3)", questions={"sick": sick})
    >>> survey.plan_arguments("sick")["mechanism"].epsilon, survey.missing_parts("sick")
    (log(3) ~ 1.09861229, ['file', 'wording'])
    """

    title: str | None = None
    questions: Mapping[str, Question] = field(default_factory=dict)
    folder: str = field(default="", compare=False)

    LABELS: ClassVar[Mapping[str, str]] = {}

    def __post_init__(self) -> None:
        Question.__post_init__(self)
        for own in ("wording", "label"):
            if getattr(self, own) is not None:
                raise _wrong(own, getattr(self, own), f"the {own} of each question in questions")
        _require_table("questions", self.questions)
        _require_different("questions", self.questions)
        made = {
            _texts("questions", name): one if type(one) is Question else question_of(name, one)
            for name, one in self.questions.items()
        }
        object.__setattr__(self, "questions", ReadOnlyMapping(made))

    @classmethod
    def read(cls, path: str | os.PathLike[str] = FILE) -> Survey:
        """Read a declaration.

        Raises:
            FileAccessError: the file cannot be read.
            FileFormatError: it is not TOML, is too large, or contains an unknown key.
            InvalidParameterError: a value is not allowed.
        """
        name = shown_path(os.fspath(path))
        values = parsed_toml(read_text(path, what="declaration"), name)
        try:
            require_keys("the survey", values, cls)
            return cls(**values, folder=str(Path(path).parent))
        except InvalidParameterError as error:
            raise FileFormatError(f"{name}: {error}") from None

    def write(self, path: str | os.PathLike[str] = FILE) -> None:
        """Write the declaration to a file, which ``read`` reads."""
        write_text(path, self.to_toml())

    def to_toml(self, remarks: Mapping[tuple[str, ...], str] | None = None) -> str:
        """Return the text of the declaration.

        Args:
            remarks: comments, by the keys of the line, such as ``("weights",)`` or ``("questions", "sick", "device")``.
        """
        values = {key: getattr(self, key) for key in KEYS}
        names = ATTRIBUTES
        listed = {title: {_key(name): getattr(own, name) for name in names} for title, own in self.questions.items()}
        return toml_text(values, "questions", listed, remarks)

    def question_named(self, name: str | None) -> tuple[str, Question]:
        """Return a question with what the survey declares for all questions; ``None``: the only question.

        Raises:
            InvalidParameterError: there is no such question.
        """
        if name is None and len(self.questions) == 1:
            name = next(iter(self.questions))
        name = None if name is None else named_in(name, self.questions) or name
        if name is None or name not in self.questions:
            told = "none is named" if name is None else f"received {shown(name)}"
            raise InvalidParameterError(
                f"the survey declares no such question: {told}; {self.declared_names()}; name one, or declare it"
            )
        own = self.questions[name]
        values = {each.name: getattr(own, each.name) for each in fields(Question)}
        is_weighted = own.weights is not None or own.unweighted is not None
        others = [key for key, value in values.items() if value is None]
        others = [key for key in others if key not in _WEIGHTING] if is_weighted else others
        values |= {key: getattr(self, key) for key in others}
        return name, Question(**values)

    def declared_names(self) -> str:
        """Return a text that lists the names of the questions."""
        names = list(self.questions)
        more = f", and {len(names) - 20} more" if len(names) > 20 else ""
        return f"declared are {shown(', '.join(names[:20]))}{more}" if names else "it declares no question"

    def arguments(
        self, question: str | None = None, *, device: str | None = None, needs_data: bool = False, **given: Any
    ) -> dict[str, Any]:
        """Return what is declared of a question, as options of ``rropt estimate`` and other commands.

        Args:
            question: the name of the question; ``None``: the only one.
            device: the device, instead of the declared one (see ``Question.device``).
            needs_data: whether to raise an error if the data are neither declared nor given.
            given: arguments that override what is declared.

        Raises:
            InvalidParameterError: there is no such question, its device or the order of its categories is not known,
                its categories do not fit its device, or a device exceeds the promised level.
        """
        name, own = self.question_named(question)
        found = {key: getattr(own, key) for key in ("categories", *_PASSED) if getattr(own, key) is not None}
        found |= {"columns": (name,)} | ({"data": self._data(own)} if own.file else {})
        if needs_data and "data" not in found and given.get("data") is None:
            raise InvalidParameterError(
                f"the data of {shown(name)} are not known: declare file = a path, or give `data`"
            )
        if "fpc" in found and len(found["fpc"]) == 1:
            found["fpc"] = found["fpc"][0]
        if UNKNOWN in found.get("categories", ()) and given.get("categories") is None:
            raise InvalidParameterError(
                f"the order of the categories of {shown(name)} is not confirmed: received "
                f"{shown(', '.join(found['categories']))}; put them in the order of the device, and delete the "
                f'"{UNKNOWN}"'
            )
        if not any(given.get(key) is not None for key in _CHOICE):
            found |= self._device(name, own, device)
        if given.get("weights") is not None or given.get("unweighted") is not None:
            found = {key: value for key, value in found.items() if key not in _WEIGHTING}
        found |= {key: value for key, value in given.items() if value is not None}
        if given.get("categories") is None and given.get("columns") is None:
            self.require_fit(name, own, found)
        self.require_promise(name, own, found)
        return found

    def _with_table(
        self, question: str | None, device: str | None, *, needs_data: bool, **given: Any
    ) -> dict[str, Any]:
        """Return the result of ``arguments`` with the table of the data, which knows how it is read."""
        rows = table_of(given.get("data"))
        given = {**rows.reading.given, **given, "data": rows.data}
        found = self.arguments(question, device=device, needs_data=needs_data, **given)
        how = {name: found.pop(name) for name in OPTIONS if name in found}
        return found | (
            {"data": DataTable(found["data"], Reading(**how), rows.sample)} if found.get("data") is not None else {}
        )

    def require_fit(self, name: str, own: Question, found: Mapping[str, Any]) -> None:
        """Raise an error if there are not as many declared categories as true answers or responses of a mechanism.

        The categories name the true answers that ``randomize`` reads, or the responses that ``estimate`` reads.
        """
        names = [each for each in own.categories or () if each != UNKNOWN]
        if not names:
            return
        for device, made in _used_mechanisms(found):
            for factor in made.factors if isinstance(made, ProductMechanism) else (made,):
                k, m = (2, 2) if isinstance(factor, RandomQuestions) else (factor.inputs, factor.outputs)
                if len(names) in (k, m):
                    continue
                of_device = f"its device {shown(device)}" if device else "its device"
                allowed = f"{k} names" if k == m else f"{k} names of true answers or {m} names of responses"
                raise InvalidParameterError(
                    f"the categories of {shown(name)} do not fit {of_device}: received {shown(', '.join(names))} for "
                    f"{shown(made.name or 'a matrix')}; allowed are {allowed}, in the order of the device; correct the "
                    "categories, or declare another device"
                )

    def require_promise(self, name: str, own: Question, found: Mapping[str, Any]) -> None:
        """Raise an error if a mechanism exceeds the level that respondents were promised."""
        if own.epsilon in (None, NO_PROMISE, UNKNOWN):
            return
        for device, made in _used_mechanisms(found):
            from rropt import audit_privacy

            if audit_privacy(made, epsilon=own.epsilon, delta=own.delta or "0").meets is not True:
                told = f"device {shown(device)}" if device else "the device"
                raise InvalidParameterError(
                    f"{told} of {shown(name)} exceeds the promised level: received {shown(made.name or 'a matrix')} "
                    f"with epsilon = {made.epsilon}; promised is {self.promised(own)}; use another device, or "
                    "declare the level that respondents were promised"
                )

    @staticmethod
    def promised(own: Question) -> str:
        """Return the promised level as text; empty if there is none."""
        if own.epsilon in (None, NO_PROMISE, UNKNOWN):
            return ""
        return f"epsilon = {own.epsilon}, delta = {own.delta or '0'}"

    def _data(self, own: Question) -> Any:
        paths = [self._path(path) for path in own.file or ()]
        return paths[0] if len(paths) == 1 else paths

    def _path(self, path: str) -> str:
        is_address = "://" in path or path == "-"
        return path if is_address or not self.folder else str(Path(self.folder) / path)

    def _device(self, name: str, own: Question, device: str | None) -> dict[str, Any]:
        """Return the arguments that say which device respondents used."""
        arms = own.arms or {}
        if arms and device is None:
            return {"arms": {column: self._mechanism(name, own, text) for column, text in arms.items()}}
        if device is not None and (arm := named_in(device, arms)) is not None:
            return {"mechanism": self._mechanism(name, own, arms[arm])}
        chosen, table = device or own.device, own.devices or {}
        if chosen is None or chosen == UNKNOWN:
            told = "nothing" if chosen is None else f'"{UNKNOWN}"'
            raise InvalidParameterError(
                f"the device of {shown(name)} is not known: received {told}; declare device = a column, a mechanism "
                "such as warner:3/4, a file, or direct"
            )
        if (known := named_in(chosen, table)) is not None:
            return {"mechanism": self._mechanism(name, own, table[known])}
        is_file = chosen.lower().endswith(_FILES)
        if chosen == DIRECT or ":" in chosen or is_file or chosen in DESIGNS:
            return {"mechanism": self._mechanism(name, own, chosen)}
        if not table:
            raise InvalidParameterError(
                f"the devices of {shown(name)} are not declared: received the column {shown(chosen)} alone; declare "
                'each name in it, devices = {A = "warner:3/4"}'
            )
        return {
            "devices": chosen,
            "device_names": {key: self._mechanism(name, own, text) for key, text in table.items()},
        }

    def _mechanism(self, name: str, own: Question, text: str) -> Mechanism:
        """Return the mechanism of a device."""
        if text == UNKNOWN:
            raise InvalidParameterError(
                f'a device of {shown(name)} is not known: received "{UNKNOWN}"; declare a mechanism such as '
                "warner:3/4, a file, or direct"
            )
        if text == DIRECT:
            k = len([each for each in own.categories or ("no", "yes") if each != UNKNOWN])
            made = Mechanism([[int(i == j) for j in range(k)] for i in range(k)]).named("direct question")
        else:
            made = mechanism_of_argument(self._path(text) if text.lower().endswith(_FILES) else text)
        names = own.categories
        return labelled_by(made, names) if names is not None and len(names) == made.outputs else made

    def described(self, question: str | None = None, where: str | None = None) -> dict[str, Any]:
        """Return what a report says of a question: title, wording, label, people, and the promised level.

        The number of people is that of all rows, or of those that are selected where it is declared. It is not known
        of other rows, such as those of one age.

        Args:
            question: the name of the question; ``None``: the only one.
            where: the rows that were used, if they are not those that are declared.
        """
        name, own = self.question_named(question)
        texts = {"title": self.title, "name": name, "question": own.wording, "label": own.label, "unit": own.unit}
        found = {key: text for key, text in texts.items() if text not in (None, UNKNOWN)}
        counted = own.where if self.questions[name].population is not None else self.where
        if (where or own.where) in (counted, None):
            found |= {} if own.population is None else {"population": str(own.population)}
        elif "unit" in found and own.population is not None:
            found["unit"] = f"selected {found['unit']}"
        return found | ({"epsilon": own.epsilon, "delta": own.delta or "0"} if self.promised(own) else {})

    def estimate(self, question: str | None = None, *, device: str | None = None, **options: Any) -> Any:
        """Estimate the proportions of a question, with what is declared, as ``rropt estimate`` does.

        Args:
            question: the name of the question; ``None``: the only one.
            device: the device, instead of the declared one.
            options: those of ``rropt estimate``, such as ``by``, and of ``rropt_fieldwork.read``, which override what
                is declared; the confidence is 0.95 by default.

        Raises:
            InvalidParameterError: as ``arguments``.
            Also as ``Responses.proportions``.
        """
        from rropt_fieldwork.from_tables.table_responses import TableResponses

        found = self._with_table(question, device, needs_data=True, **options)
        column, columns = found.pop("column", None), found.pop("columns")
        asked = columns if options.get("columns") is not None else column or columns[0]
        names = [one.name for one in fields(TableArguments) if one.name in found]
        whose = TableArguments(**{name: found.pop(name) for name in names})
        responses = TableResponses.of_arguments(asked, found.pop("data"), found.pop("mechanism", None), whose)
        return responses.estimate(**found)

    def regress(self, formula: str, *, device: str | None = None, **options: Any) -> Any:
        """Fit a regression of a question: ``regress_table`` with what is declared of the response of the formula.

        Args:
            formula: ``sick ~ age + region``; the response is the name of a question.
            device: the device, instead of the declared one.
            options: arguments of ``regress_table`` and of ``rropt_fieldwork.read``, which override what is declared.

        Raises:
            InvalidParameterError: as ``arguments``.
            Also as ``regress_table``.
        """
        from rropt.regression import parse
        from rropt_fieldwork.from_tables.regressing import RegressionArguments, fit_of_table

        found = self._with_table(parse(formula).response, device, needs_data=True, **options)
        asked = {key: value for key, value in found.items() if key not in ("columns", "by")}
        return fit_of_table(stated_record("regress", RegressionArguments, formula=formula, **asked))

    def plan_arguments(self, question: str | None = None, *, device: str | None = None) -> dict[str, Any]:
        """Return what is declared of a question as arguments of the functions of ``rropt.plan``: who is asked, and how.

        Args:
            question: the name of the question; ``None``: the only one.
            device: the device, instead of the declared one; of several devices, the name of one.

        Returns:
            ``mechanism``, the device, or the promised level if the device is not known; and ``sample``, its conditions.
            Columns of weights and clusters are not counted (``not_planned``).

        Raises:
            InvalidParameterError: respondents have several devices, or neither a device nor a level is declared.
        """
        from rropt.plan import Conditions
        from rropt.privacy import levels

        level = self.level_to_plan(question, device)
        own = self.one_mechanism(question, device) if level is None else levels(level)
        return {"mechanism": own, "sample": Conditions(**self.planned_sample(question))}

    def planned_sample(self, question: str | None, given: Container[str] = ()) -> dict[str, Any]:
        """Return what is declared of the sample that a plan is about, as fields of ``Conditions``.

        Args:
            question: the name of the question; ``None``: the only one.
            given: arguments that override what is declared: a design effect and an intraclass correlation replace each
                other.
        """
        found = self.question_named(question)[1].conditions()
        effects = ("design_effect", "icc")
        if any(name in given for name in effects):
            found = {name: value for name, value in found.items() if name not in effects}
        return {name: value for name, value in found.items() if name not in given}

    def not_planned(self, question: str | None, given: Container[str] = ()) -> str:
        """Return which parts of the sampling design a plan does not count, and why; an empty text if there are none.

        Weights, clusters and replicate weights are columns of responses that are not collected yet. A design effect
        counts all of them, an intraclass correlation the clusters.

        Args:
            question: the name of the question; ``None``: the only one.
            given: the names of arguments that are given to the plan.
        """
        own = self.question_named(question)[1]
        counted = {*self.planned_sample(question, given), *(name for name in _CONDITIONS if name in given)}
        left = [name for name in ("weights", "clusters", "replicates") if getattr(own, name) is not None]
        if "icc" in counted and "clusters" in left:
            left.remove("clusters")
        if "design_effect" in counted or not left:
            return ""
        listed = " and ".join(f"{name} ({getattr(own, name)})" for name in left)
        return (
            f"the plan does not count the declared {listed}: they are columns of responses that are not collected yet; "
            "declare design_effect, which rropt estimate prints for an earlier survey"
        )

    def level_to_plan(self, question: str | None, device: str | None = None) -> tuple[str, str] | None:
        """Return the promised level of a yes-or-no question whose device is not known; ``None`` if it is known."""
        _, own = self.question_named(question)
        is_open = (device or own.device) in (None, UNKNOWN) and self.promised(own)
        if not is_open or len(own.categories or ("no", "yes")) > 2:
            return None
        return str(own.epsilon), own.delta or "0"

    def one_mechanism(self, question: str | None = None, device: str | None = None) -> Mechanism:
        """Return the device that everybody uses, with the names of the categories.

        Raises:
            InvalidParameterError: respondents have several devices, or the device exceeds the promised level.
        """
        found = self.arguments(question, device=device)
        if "mechanism" not in found:
            wrong = "" if device is None else f", and {shown(device)} is none of them"
            names = ", ".join(found.get("device_names") or found["arms"])
            raise InvalidParameterError(
                f"respondents have several devices: received {shown(names)}{wrong}; name one with `device=...`"
            )
        made: Mechanism = found["mechanism"]
        return made

    def noncompliance(
        self, question: str | None = None, *, device: str | None = None, design: str | None = None, **options: Any
    ) -> Any:
        """Bound a proportion if some respondents do not follow the device, with what is declared.

        Args:
            question: the name of the question; ``None``: the only one.
            device: the device, instead of the declared one.
            design: the name of a two-sample design, whose proportions are estimated: ``two_sample_estimates``.
            options: arguments of ``noncompliance_bounds``, such as ``theta``, or with ``design`` of
                ``two_sample_estimates``; those of the table override what is declared. The bounds use no weights or
                strata.

        Returns:
            The ``Bounds``, or with ``design`` the ``Estimates``.

        Raises:
            InvalidParameterError: as ``arguments``.
            Also as these functions.
        """
        from rropt.noncompliance import noncompliance_bounds
        from rropt_fieldwork.from_tables.device_samples import samples_of_table
        from rropt_fieldwork.from_tables.two_sample_tables import TwoSampleArguments, two_samples_of_table

        found = self._with_table(question, device, needs_data=True, **options)
        taken = {key: value for key, value in found.items() if key not in ("columns", *_SAMPLING)}
        plain = {key: value for key, value in options.items() if key not in OPTIONS}
        asked = {**plain, **taken}  # `confidence=None` has a meaning
        column = asked.pop("column", None) or found["columns"][0]
        if design is not None:
            given = stated_record("noncompliance", TwoSampleArguments, column=column, model=design, **asked)
            return two_samples_of_table(given)[0]
        whose = RespondentArguments(**{one: asked.pop(one) for one in _OF_RESPONDENTS if one in asked})
        samples, _ = samples_of_table(asked.pop("data"), column, asked.pop("mechanism", None), whose)
        return noncompliance_bounds(samples, **asked)

    def missing_parts(self, question: str) -> list[str]:
        """Return what is not known yet of a question."""
        name, own = self.question_named(question)
        gaps = [key for key in ("file", "epsilon", "categories", "device") if getattr(own, key) in (None, UNKNOWN)]
        gaps = [key for key in gaps if key != "device" or own.arms is None]
        gaps += ["order of the categories"] if UNKNOWN in (own.categories or ()) else []
        gaps += ["wording"] if own.wording in (None, UNKNOWN) else []
        if "device" not in gaps:
            try:
                used = self._device(name, own, None)
                self.require_fit(name, own, used)
                self.require_promise(name, own, used)
            except RroptError as error:
                gaps.append(str(error).partition(":")[0])
        return gaps

    def frame_rows(self) -> list[dict[str, Any]]:
        """Return one row for each question: wording, categories, device, promised level, and what is missing."""
        rows = []
        for name, own in map(self.question_named, self.questions):
            told = {"wording": own.wording or "", "categories": ", ".join(own.categories or ())}
            level = {"epsilon": own.epsilon, "delta": (own.delta or "0") if self.promised(own) else own.delta}
            words = {key: "" if value is None else str(value) for key, value in level.items()}
            gaps = ", ".join(self.missing_parts(name))
            rows.append({"question": name, **told, "device": self._device_in_words(name), **words, "missing": gaps})
        return rows

    def as_tables(self) -> list[Table]:
        """Return what is declared for all questions, and each question with what is still missing."""
        tables: list[Table] = [("Survey", None, self._declared() or [("declared", "nothing for all questions")])]
        listed = []
        for name, own in map(self.question_named, self.questions):
            gaps = ", ".join(self.missing_parts(name)) or "nothing"
            listed.append((name, ", ".join(own.categories or ()), own.device or "", gaps))
        questions: Table = ("Questions", ("question", "categories", "device", "still missing"), listed)
        told = [(name, text) for name in self.questions if (text := self._device_in_words(name))]
        devices: Table = ("Devices", ("question", "device in words"), told)
        return [*tables, *[questions] * bool(listed), *[devices] * bool(told)]

    def _device_in_words(self, name: str) -> str:
        """Return the declared devices of a question in words; empty if they are not declared, or not allowed."""
        try:
            found = self.arguments(name)
        except RroptError:
            return ""
        if "mechanism" in found:
            return str(found["mechanism"].in_words())
        named = (found.get("device_names") or found.get("arms") or {}).items()
        made = [device.named(own) for own, device in named]
        return devices_in_words(made) if made else ""

    def _declared(self) -> list[tuple[str, str]]:
        values = {key: getattr(self, key) for key in KEYS}
        return [(key.replace("_", " "), _shown_value(value)) for key, value in values.items() if value is not None]

    def lines(self) -> list[tuple[str, str]]:
        """Return what is declared for all questions, and what is still missing of each question."""
        gaps = [(name, ", ".join(self.missing_parts(name)) or "complete") for name in self.questions]
        return [*self._declared(), *gaps]

    @clear_calls
    def ethics_page(
        self,
        *,
        title: str | None = None,
        n: int | None = None,
        confidence: object = "0.95",
        date: str | None = None,
    ) -> EthicsPage:
        """Return one page for the ethics committee about all questions of a survey.

        It states for each question what is asked, what the respondent does and says, and the factor by which a response
        changes anybody's odds; and this factor for all responses of one respondent together.

        Args:
            title: the title; by default that of the survey.
            n: the number of respondents, for the precision; by default several round numbers.
            confidence: the confidence level of the margins of error, in (0, 1).
            date: the date of the page; by default today (UTC).

        Returns:
            An ``EthicsPage``: ``factor`` of all responses together, ``page`` in HTML, and the ``document``, with
            ``to_markdown()`` and ``to_latex()``.

        Raises:
            InvalidParameterError: there is no question, a device is not known or exceeds the promised level, or ``n``
                is out of range.
        """
        from rropt_fieldwork.ethics.ethics_pages import ethics_page

        return ethics_page(self, title=title, n=n, confidence=confidence, date=date)

    @clear_calls
    def instructions(self, name: str | None = None, *, device: str | None = None, **options: Any) -> Any:
        """Return the instruction sheet of a question of a survey: ``sheet`` with its device, wording and categories.

        Args:
            name: the name of the question; ``None``: the only one.
            device: of several devices, the name of one.
            options: arguments of ``sheet``, such as ``language``, which override what is declared.

        Raises:
            InvalidParameterError: respondents have several devices, or the wording is not declared.
            Also as ``sheet``.
        """
        from rropt_fieldwork.sheets.instruction_sheet import sheet_of_survey

        return sheet_of_survey(self, name, device=device, **options)


def _used_mechanisms(found: Mapping[str, Any]) -> list[tuple[str, Mechanism]]:
    """Return each mechanism of the arguments of a question, and the name of its device if there are several."""
    used = found.get("device_names") or found.get("arms") or {}
    used = {"": found["mechanism"]} if found.get("mechanism") is not None else used
    return [(name, mechanism_of_argument(one) if isinstance(one, str) else one) for name, one in used.items()]


_SAMPLING = ("weights", "strata", "clusters", "fpc", "post_strata", "single_psu", "replicates", "by")
_WEIGHTING = ("weights", "unweighted")
_OF_RESPONDENTS = ("categories", "devices", "device_names")
_PASSED = (*DECLARED, *_SAMPLING)


_FIRST = ("title", "file")
_NOT_SHARED = (*_FIRST, "wording", "label")  # these belong to one question
_OWN = [each.name for each in fields(Question) if each.name not in DECLARED]
_PLACE = _OWN.index("file") + 1
ATTRIBUTES = (*_OWN[:_PLACE], *DECLARED, *_OWN[_PLACE:])  # of a question, in the order of a declaration
KEYS = (*_FIRST, *(name for name in ATTRIBUTES if name not in _NOT_SHARED))  # as a declaration has them


def question_of(name: str, values: Any) -> Question:
    """Return a question from a mapping of its attributes.

    Raises:
        InvalidParameterError: the value is no mapping, or contains an unknown key.
    """
    where = f"question {shown(name)}"
    _require_table(where, values)
    require_keys(where, values, Question)
    try:
        return Question(**{"wording" if key == "question" else key: value for key, value in values.items()})
    except InvalidParameterError as error:
        raise InvalidParameterError(f"{where}: {error}") from None


def _key(name: str) -> str:
    return "question" if name == "wording" else name  # JSON has the question of a command under this key


def require_keys(where: str, values: Mapping[str, Any], cls: type[Question]) -> None:
    """Raise an error for a key that a declaration does not have."""
    from difflib import get_close_matches

    allowed = [*map(_key, ATTRIBUTES)] if cls is Question else [*KEYS, "questions"]
    for key in values:
        if key not in allowed:
            near = get_close_matches(str(key), allowed, n=1)
            meant = f"; did you mean {near[0]}?" if near else ""
            raise InvalidParameterError(
                f"{where} has an unknown key: received {shown(str(key))}; allowed are {', '.join(allowed)}{meant}"
            )


def _require_table(name: str, value: Any) -> None:
    most = _MOST.get(name, _MOST["questions"])
    is_table = isinstance(value, Mapping) and all(isinstance(key, str) for key in value)
    if not is_table or len(value) > most:
        told = f"{len(value)} entries" if is_table else shown(value)
        raise InvalidParameterError(
            f"{name} is no table: received {told}; allowed are at most {most} names with values"
        )


def _require_different(what: str, names: Iterable[str]) -> None:
    if two := one_in_two_forms(names):
        raise InvalidParameterError(two_forms(what, *two))


def _texts(name: str, value: Any) -> Any:
    """Return a text, or a tuple of texts for a key that has a list; numbers become texts."""
    if name in _LISTS:
        if isinstance(value, Set | Mapping):
            raise _wrong(name, value, "a text or a list of texts, since a set or a table has no order")
        listed = tuple(value) if isinstance(value, Iterable) and not isinstance(value, str) else (value,)
        most = _MOST["names"]
        if len(listed) > most:
            raise InvalidParameterError(f"{name} is too long: received {len(listed)} entries; allowed are {most}")
        return tuple(_text(name, each, empty=name == "missing") for each in listed)
    return _text(name, value)


def _text(name: str, value: Any, *, empty: bool = False) -> str:
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    is_number = isinstance(value, Number | Epsilon | Delta) and not isinstance(value, bool)
    is_number = is_number or is_of_flint(value)
    text = str(value) if is_number else value
    is_text = isinstance(text, str) and len(text) <= _LONGEST and (empty or text.strip()) and "\0" not in text
    if not is_text or any("\ud800" <= one <= "\udfff" for one in text):
        raise _wrong(name, value, f"a text of 1 to {_LONGEST} characters")
    return str(text)


def _wrong(name: str, value: Any, allowed: str) -> InvalidParameterError:
    return InvalidParameterError(f"{name} is not allowed: received {shown(value)}; allowed is {allowed}")


def _shown_value(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{key} = {text}" for key, text in value.items())
    if isinstance(value, tuple):
        return ("; " if any("," in each for each in value) else ", ").join(value)  # of recodings
    return str(value)
