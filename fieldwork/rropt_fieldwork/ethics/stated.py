"""Statements of the files of a report beside their numbers: remarks, mechanisms, and the promised level of privacy.

A page states the probabilities of one mechanism for each estimate. ``require_agreement`` refuses files that disagree.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import PurePath
from typing import Any, NamedTuple, TypeVar

from rropt import audit_privacy
from rropt.core.certificates import FORMAT
from rropt.core.errors import FileFormatError, InvalidParameterError, RroptError, shown
from rropt.core.exact import Delta, Epsilon
from rropt.core.exact.display import decimal_outwards
from rropt.core.results import Result
from rropt.core.results.twins import PosedTwice
from rropt.designs import Problem
from rropt.mechanisms import Mechanism, ProductMechanism, named_mechanism
from rropt.mechanisms.displays import decimal_rows
from rropt.mechanisms.imports import claimed_mechanism
from rropt.noncompliance.two_samples import MODELS
from rropt.reports.records import TABLES, record_of
from rropt_fieldwork.declaration.survey_declaration import Survey
from rropt_fieldwork.ethics.odds_bounds import Bound, bound_of_question, bound_together

T = TypeVar("T")
_KINDS = {name: kind for kind, names in TABLES["kinds"].items() for name in names.split()}
AFTER = ("estimate", "regress", "noncompliance")  # the responses: their mechanism is that of the respondents
ASKED_TOGETHER = " / "  # between the wordings of several questions
_MOST_ENTRIES = 10**6  # of matrices whose columns are compared
_MOST_SHOWN = 9  # entries of a matrix that a message states


class Answer(NamedTuple):
    """One file of a report.

    Attributes:
        name, data: its name, and the JSON object that a command wrote.
        kind: the kind of its result (``kind_of``).
        mechanisms: the mechanisms that it states.
        declared: what a survey declares of the question of the result.
        result: the result; ``None`` for a mechanism or a certificate.
    """

    name: str
    data: Mapping[str, Any]
    kind: str
    mechanisms: tuple[Mechanism, ...]
    declared: Mapping[str, str]
    result: Result | None

    @classmethod
    def of(cls, name: str, data: Any, survey: Survey | None = None) -> Answer:
        """Read a file; ``survey`` is that of objects that name none themselves.

        Raises:
            FileFormatError: no command of rropt wrote the object.
        """
        found = None if is_certificate(data) else record_of(data, shown(name))
        if found is not None and not isinstance(data.get("question", {}), Mapping):
            raise FileFormatError(
                f"the question of {shown(name)} is no object: received {shown(data['question'])}; use the file as it "
                "was written"
            )
        result = found if isinstance(found, Result) else None
        posed = getattr(result, "below", result)  # a design under a criterion whose level is rounded
        if "twins" in data and isinstance(posed, PosedTwice):
            posed.compared_twice()  # a page has the line of the command; it is computed again, as all it says
        return cls(name, data, kind_of(data), _mechanisms_in(data), _declared_in(data, survey), result)

    @property
    def is_of_claims(self) -> bool:
        """Whether it is a run of claims (``Verification``), whose module loads SymPy."""
        return self.result is not None and self.data.get("result") == "Verification"

    @property
    def label(self) -> str:
        """What the result is about: its model, or its questions and groups; else its name."""
        by, asked = self.data.get("by") or (), asked_in(self.data)
        groups = f" by {by if isinstance(by, str) else ', '.join(by)}" if by else ""
        own_name = PurePath(self.name).name.removesuffix(".json") or self.name
        return str(self.data.get("formula") or (asked and spoken(self.declared, asked) + groups) or own_name)


def spoken(declared: Mapping[str, str], name: str) -> str:
    """Return the label or the wording of a question in quotation marks where a survey declares it, else its name.

    >>> spoken({"name": "q17", "question": "Are you sick?"}, "q17"), spoken({}, "q17")
    ('“Are you sick?”', 'q17')
    """
    wording = declared.get("label") or declared.get("question")
    return f"“{wording}”" if wording and declared.get("name") == name else name


def spoken_texts(text: str, answers: Iterable[Answer]) -> str:
    """Return a text in which labels or wordings of declared questions replace their names, but for quoted words."""
    declared = [one.declared for one in answers if one.declared.get("name")]
    told = {own["name"]: own.get("label") or own.get("question") for own in declared}
    wordings = {name: text for name, text in told.items() if text}
    if not wordings:
        return text
    names = "|".join(map(re.escape, sorted(wordings, key=len, reverse=True)))

    def replaced(part: str) -> str:
        part = re.sub(rf"(?<!\w)(?:{names}): ", "", part)
        return re.sub(rf"(?<!\w)(?:{names})(?!\w)", lambda found: f"“{wordings[found[0]]}”", part)

    return "".join(part if part.startswith("“") else replaced(part) for part in re.split("(“[^”]*”)", text))


def is_certificate(data: Any) -> bool:
    """Return whether a JSON value is a certificate."""
    return isinstance(data, Mapping) and data.get("format") == FORMAT


def kind_of(data: Mapping[str, Any]) -> str:
    """Return the kind of a result, ``other`` if the page has no words for it; "" for a mechanism or a certificate."""
    if data.get("result") == "Estimates" and data.get("kind") in MODELS:
        return "noncompliance"
    return _KINDS.get(data["result"], "other") if "result" in data else ""


def remarks_in(data: Any, word: str = "remarks") -> Iterator[str]:
    """Yield the remarks (or notes) in a JSON value, whatever their depth, except those of a certificate."""
    if isinstance(data, list):
        for item in data:
            yield from remarks_in(item, word)
    if not isinstance(data, Mapping) or is_certificate(data):
        return
    for key, value in data.items():
        if key == word and isinstance(value, list):
            yield from (text for text in value if isinstance(text, str))
        else:
            yield from remarks_in(value, word)


def asked_in(data: Mapping[str, Any]) -> str:
    """Return the questions that a result is about, of a regression its response; "" if it names none."""
    question = data.get("question", {})
    asked = (question.get("column") or question.get("columns")) if isinstance(question, Mapping) else None
    formula = data.get("formula")
    asked = asked or (formula.partition("~")[0].strip().strip("`") if isinstance(formula, str) else "")
    return ", ".join(asked) if isinstance(asked, list) else str(asked)


def gathered(texts: Iterable[tuple[str, T]]) -> Iterator[tuple[str, T]]:
    """Yield each different text, with the names that have it."""
    found: dict[T, dict[str, None]] = {}
    for name, text in texts:
        found.setdefault(text, {})[name] = None
    yield from ((", ".join(filter(None, names)), text) for text, names in found.items())


def remark_texts(answers: Sequence[Answer]) -> list[str]:
    """Return the different remarks of all results; with several results, each with what it is about."""
    told = gathered((one.label, text) for one in answers for text in remarks_in(one.data))
    return [f"Remark{f' on {of}' * (len(answers) > 1)}: {text}" for of, text in told]


def note_texts(answers: Sequence[Answer]) -> list[str]:
    """Return the different notes on how results were computed; with several results, each with what it is about."""
    told = gathered((one.label, text) for one in answers for text in remarks_in(one.data, "notes"))
    return [f"{of}: {text}" if len(answers) > 1 else text for of, text in told]


def promises_of(answers: Sequence[Answer]) -> list[tuple[Mechanism, str]]:
    """Return the mechanisms of designs, of their files and of their certificates, with the promised level in words.

    Where a survey declares what respondents were promised, that is the promise, and not the level of a design.
    """
    declared = {one for answer in answers if "epsilon" in answer.declared for one in answer.mechanisms}
    found = []
    for answer in answers:
        problem = answer.data.get("problem")
        if not isinstance(problem, Mapping):
            continue
        try:
            region = Problem.from_dict(problem).region
        except RroptError:  # the problem of several questions, whose level is that of the mechanism
            continue
        told = str(region).partition(", k = ")[0]
        criterion = answer.data.get("criterion")
        if isinstance(criterion, Mapping) and isinstance(criterion.get("asked"), str):
            told = f"{criterion['asked']}, by {told}"
        found += [(one, told) for one in answer.mechanisms if one not in declared]
    return found


def promise_of(mechanism: Mechanism, promises: Sequence[tuple[Mechanism, str]]) -> str | None:
    """Return the promised level of a mechanism in words; ``None`` if no file states one."""
    return next((told for one, told in promises if one == mechanism), None)


def _declared_in(data: Mapping[str, Any], survey: Survey | None) -> dict[str, str]:
    """Return what a survey declares of the question of a result: that in the result, else that of a survey."""
    question = data.get("question", {})
    own = question.get("survey") if isinstance(question, Mapping) else None
    if isinstance(own, Mapping):
        return {key: text for key, text in own.items() if isinstance(text, str)}
    asked, where = asked_in(data), question.get("where") if isinstance(question, Mapping) else None
    if survey is None or asked in survey.questions:
        return survey.described(asked, where) if survey is not None else {}
    names = re.split(r",\s*", asked)
    each = [survey.described(name, where) for name in names if name in survey.questions]
    if len(each) < max(len(names), 2) or not all("question" in one for one in each):
        return {}
    shared = {key: text for key, text in each[0].items() if key in ("title", "unit", "population")}
    numbered = (f"{i}. {one['question']}" for i, one in enumerate(each, 1))
    return {**shared, "name": asked, "question": ASKED_TOGETHER.join(numbered)}


def require_promises(answers: Sequence[Answer]) -> None:
    """Raise an error if a mechanism of a result exceeds the level that respondents were promised."""
    for answer in answers:
        own, used = answer.declared, answer.mechanisms if "epsilon" in answer.declared else ()
        if answer.data.get("latent"):  # a randomized covariate has a device and a promise of its own, in second place
            used = used[:1]
        for mechanism in used:
            if audit_privacy(mechanism, epsilon=own["epsilon"], delta=own.get("delta", "0")).meets is True:
                continue
            raise InvalidParameterError(
                f"the files disagree: {shown(answer.name)} is about {_text(mechanism)} with epsilon = "
                f"{mechanism.epsilon}, and the survey promises {_level(own)}; correct the declaration, or give "
                "the file of the mechanism that was promised"
            )


def promise_texts(answers: Sequence[Answer]) -> Iterator[str]:
    """Yield what the responses to each question with a promised level reveal at most, and all of them together."""
    asked = [one for one in _asked_questions(answers) if "epsilon" in one.declared]
    told = []
    for one in asked:
        is_kept_exactly = one.bound == bound_of_question((), *_promised_level(one.declared))
        promised = f"({'' if is_kept_exactly else 'promised: '}{_level(one.declared)})"
        if one.bound is not None:
            told.append((spoken(one.declared, one.declared.get("name", "")), f"{_bounded([one.bound])} {promised}."))
    yield from (f"{names}: {text}" for names, text in gathered(told))
    if len(asked) > 1:
        together = _bounded([one.bound for one in asked if one.bound is not None])
        yield f"The {len(asked)} questions together: {together[0].lower()}{together[1:]} (the levels add up)."


class _AskedQuestion(NamedTuple):
    """A question of a report: what a survey declares of it, the devices that its results used, and their bound."""

    declared: Mapping[str, str]
    mechanisms: tuple[Mechanism, ...]

    @property
    def bound(self) -> Bound | None:
        return bound_of_question(self.mechanisms, *_promised_level(self.declared))


def _promised_level(declared: Mapping[str, str]) -> tuple[Epsilon | None, Delta | None]:
    if "epsilon" not in declared:
        return None, None
    return Epsilon.of(declared["epsilon"]), Delta.of(declared.get("delta", "0"))


def _asked_questions(answers: Sequence[Answer]) -> list[_AskedQuestion]:
    """Return the questions of estimates and other results on responses, each with the devices of all its results."""
    found: dict[str, _AskedQuestion] = {}
    for one in answers:
        if one.kind in AFTER and (one.mechanisms or "epsilon" in one.declared):
            name = asked_in(one.data) or one.declared.get("name") or one.name
            earlier = found.get(name, _AskedQuestion({}, ()))
            used = (*earlier.mechanisms, *one.mechanisms)
            found[name] = _AskedQuestion({**earlier.declared, **one.declared}, tuple(dict.fromkeys(used)))
    return list(found.values())


def privacy_sentence(answers: Sequence[Answer]) -> str:
    """Return how private all responses together are, by the devices, else by the promise; empty without either."""
    asked = _asked_questions(answers)
    if not asked:
        return ""
    if any(one.bound is None for one in asked):
        return "Some response is certain evidence: no finite epsilon holds."
    bounds = [one.bound for one in asked if one.bound is not None]
    after = [one for one in answers if one.kind in AFTER and one.mechanisms]
    used = [device for one in asked for device in one.mechanisms]
    is_product = any(isinstance(device, ProductMechanism) and len(device.factors) > 1 for device in used)
    is_unnamed = len(asked) > 1 and not all(asked_in(one.data) for one in after)  # two files may have one question
    worst = max(factor for factor, _ in bounds), max(delta for _, delta in bounds)
    factor = decimal_outwards(worst[0], up=True, digits=4)
    if (is_product or is_unnamed) and worst[1]:  # a factor of the odds alone would be false
        return f"{_bounded([worst])}."
    if is_product:
        which = "All responses" if len(after) == 1 else "The responses"
        where = "together" if len(after) == 1 else "in one file together"
        return f"{which} of a person {where} change nobody's odds by more than a factor of {factor}."
    if is_unnamed:
        return f"No response of a question changes anybody's odds by more than a factor of {factor}."
    level = ""
    if len(asked) > 1:
        level = f" ({len(asked)} questions together)"
    elif "epsilon" in asked[0].declared:
        is_kept_exactly = bounds[0] == bound_of_question((), *_promised_level(asked[0].declared))
        level = f" ({'' if is_kept_exactly else 'promised: '}{_level(asked[0].declared)})"
    return f"{_bounded(bounds)}{level}."


def privacy_factors(answers: Sequence[Answer]) -> list[Fraction] | None:
    """Return the factor of the odds of each question, whose product holds for all responses of a person.

    ``None`` if there is none: a question has no factor or a delta, a device has several questions, or two results may
    be on one question.
    """
    asked = _asked_questions(answers)
    after = [one for one in answers if one.kind in AFTER and one.mechanisms]
    used = [device for one in asked for device in one.mechanisms]
    is_product = any(isinstance(device, ProductMechanism) and len(device.factors) > 1 for device in used)
    is_unnamed = len(asked) > 1 and not all(asked_in(one.data) for one in after)
    bounds = [one.bound for one in asked]
    if not asked or is_product or is_unnamed or any(bound is None or bound[1] for bound in bounds):
        return None
    return [bound[0] for bound in bounds if bound is not None]


def _bounded(bounds: Sequence[Bound]) -> str:
    """Return the bound of some questions together as a sentence without a full stop, rounded up."""
    several, (factor_, delta) = len(bounds) > 1, bound_together(bounds) or (Fraction(1), Fraction(0))
    factor = decimal_outwards(factor_, up=True, digits=4)
    if not delta:
        what = "No list of responses" if several else "No response"
        return f"{what} changes anybody's odds by more than a factor of {factor}"
    what, under = ("a response", "one answer") if not several else ("the responses", "one list of answers")
    return (
        f"Whatever is looked for in {what}, its probability under {under} is at most {factor} times that under "
        f"another, plus {decimal_outwards(delta, up=True, digits=4)}"
    )


def _level(own: Mapping[str, str]) -> str:
    return f"epsilon = {own['epsilon']}, delta = {own.get('delta', '0')}"


def require_agreement(answers: Sequence[Answer]) -> None:
    """Raise an error if a file is about another mechanism than the estimates, or than the other files.

    An estimate of a question without a design may have another mechanism, if another estimate has that of a design.

    Raises:
        InvalidParameterError: the files disagree; the message names two of them, each with its mechanism.
    """
    files = [one for one in answers if one.mechanisms]
    results = [one for one in files if one.kind in AFTER]
    devices = [one for one in files if one.kind in ("", "design")]
    others = [one for one in files if one.kind not in AFTER]
    for other in others:
        if results and not any(_agree(other, one) for one in results):
            raise _disagreement(other, results[0])
        for one in others if not results else ():
            if one is not other and not _agree(other, one):
                raise _disagreement(other, one)
    designed = {asked_in(one.data) for one in results if any(_agree(one, other) for other in devices)}
    for one in results:
        is_another_question = asked_in(one.data) and designed and asked_in(one.data) not in designed
        if devices and not is_another_question and not any(_agree(one, other) for other in devices):
            raise _disagreement(one, devices[0])


def _mechanisms_in(data: Mapping[str, Any]) -> tuple[Mechanism, ...]:
    """Return the mechanisms that a file states."""
    kind = kind_of(data)
    if kind == "other":
        return ()
    if not kind:
        return tuple(read_mechanisms([claimed_mechanism(data)]))
    question = data.get("question", {})
    samples = data.get("samples") or []
    given = [
        *(data.get("mechanisms") or []),
        *(data["devices"] if kind == "noncompliance" and isinstance(data.get("devices"), list) else []),
        *(one.get("mechanism") for group in samples if isinstance(group, list) for one in group),
    ]
    read = question.get("mechanism_read")
    if kind == "composition":  # its key "mechanism" is the name of one report
        return tuple(read_mechanisms(read if isinstance(read, list) else []))
    read = read if isinstance(read, list) else [read]
    for values in ([data.get("played")], [data.get("mechanism")], [{"matrix": data.get("matrix")}], read):
        given = given or list(read_mechanisms(values))
    return tuple(read_mechanisms(given or [question.get("mechanism")]))


def read_mechanisms(values: Sequence[Any]) -> Iterator[Mechanism]:
    """Yield the mechanisms in JSON values: objects, and names of designs; others are left out."""
    for value in values:
        try:
            made = value if isinstance(value, Mechanism) else None
            made = made or (named_mechanism(value) if isinstance(value, str) else Mechanism.from_dict(value))
        except (RroptError, TypeError, AttributeError):
            continue
        yield made.factors[0] if isinstance(made, ProductMechanism) and len(made.factors) == 1 else made


def _agree(one: Answer, other: Answer) -> bool:
    """Return whether two files have a mechanism in common."""
    merged = is_certificate(one.data) or is_certificate(other.data)
    first, second = one.mechanisms, other.mechanisms
    if "composition" in (one.kind, other.kind):  # which has the mechanism of each question
        first, second = _with_factors(first), _with_factors(second)
    return any(_is_same(a, b, merged=merged) for a in first for b in second)


def _with_factors(mechanisms: Sequence[Mechanism]) -> tuple[Mechanism, ...]:
    """Return mechanisms and, of products of several questions, the mechanism of each question."""
    products = [one for one in mechanisms if isinstance(one, ProductMechanism)]
    return (*mechanisms, *(factor for one in products for factor in one.factors))


def _is_same(one: Mechanism, other: Mechanism, *, merged: bool) -> bool:
    """Return whether two mechanisms are equal; a certificate of merged categories has each different column once."""
    if one == other or not merged:
        return one == other
    (m, k), (n, j) = one.shape, other.shape
    if m != n or k == j or m * max(k, j) > _MOST_ENTRIES:
        return False
    return set(zip(*one.matrix, strict=True)) == set(zip(*other.matrix, strict=True))


def _disagreement(one: Answer, other: Answer) -> InvalidParameterError:
    return InvalidParameterError(
        f"the files disagree: {_about(one)}, and {_about(other)}; a page states the probabilities of the mechanism "
        "that the respondents used: leave one of the files out, or give the file of the same mechanism"
    )


def _about(one: Answer) -> str:
    texts = [_text(mechanism) for mechanism in one.mechanisms[:3]] + ["..."] * (len(one.mechanisms) > 3)
    return f"{shown(one.name)} is about {' and '.join(texts)}"


def _text(mechanism: Mechanism) -> str:
    (m, k), name = mechanism.shape, mechanism.name or ""
    told = f"a mechanism with {m} outputs and {k} categories"
    if m * k <= _MOST_SHOWN:
        told = "the matrix " + ";".join(map(",".join, decimal_rows(mechanism.matrix, 6)))
    return f"{shown(name)} ({told})" if name else told
