"""The report of a survey: for each result sentences on it and what it prints, and the exact values in an appendix.

It is made from the ``--json`` output of commands: results of every kind, mechanisms and certificates.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from rropt.core.certificates import FORMATS, check
from rropt.core.errors import RroptError
from rropt.core.exact import as_text, decimal_text, rational
from rropt.core.exact.display import in_full
from rropt.core.results import Result, Table
from rropt.core.version import installed_version
from rropt.mechanisms import DESIGNS, Mechanism, named_mechanism
from rropt.reports.documents import Block, Details, Document, Heading, PageBreak, Paragraph, Picture
from rropt.reports.records import result_of, written_result
from rropt.reports.results_page import shown_html
from rropt.reports.stated import kind_of, promise_of, promises_of, remark_texts, require_agreement, stated
from rropt.survey.estimates.reports import SurveyEstimate
from rropt.survey.tables import GroupEstimates, WeightedEstimates

_LONGEST_EPSILON = 24  # characters
_MOST_ROWS = 200  # of a table
_BESIDE = {"direct": "DirectComparison", "prevalence": "PredictedPrevalence"}  # results that a command adds
_TITLES = {
    "estimate": "Results",
    "regress": "Regression",
    "noncompliance": "Non-compliance",
    "plan": "Design",
    "privacy": "Privacy",
    "composition": "Privacy of all responses together",
    "design": "Design",
}
_METHODS = {
    "estimate": "Proportions are estimated without bias by the inverse of the device's matrix times the proportions of "
    "the responses.",
    "weighted": "Weighted estimates are linearized, and the variance includes the randomness of the device.",
    "regress": "A regression models the true answer; the probability of a response follows from it by the device's "
    "matrix.",
}
_SOURCES = {
    "": "Warner (1965), J. Amer. Statist. Assoc. 60, 63-69",
    "weighted": "Saerndal, Swensson and Wretman (1992), Model Assisted Survey Sampling; Korn and Graubard (1998), "
    "Survey Methodology 24, 193-201",
    "exact": "Clopper and Pearson (1934), Biometrika 26, 404-413",
    "regress": "Blair, Imai and Zhou (2015), J. Amer. Statist. Assoc. 110, 1304-1319",
    "design-based": "Binder (1983), Internat. Statist. Rev. 51, 279-292",
}

_Promises = Sequence[tuple[Mechanism, str]]


def survey_report(answers: Sequence[tuple[str, Any]], title: str = "Survey") -> Document:
    """Return a report about JSON objects that commands wrote.

    Args:
        answers: (name, object) pairs.
        title: the title of the report.

    Raises:
        FileFormatError: no command of rropt wrote the object.
    """
    results = [written_result(data, name) for name, data in answers]
    require_agreement(answers)
    promises = promises_of(answers)
    concluded = [getattr(result, "conclusion", None) for result in results]
    blocks: list[Block] = [Paragraph(f"Result: {text}") for text in concluded if isinstance(text, str)]
    blocks += [Paragraph(text) for text in remark_texts(answers)]
    appendix: list[Block] = []
    ranks = ["", "design", "privacy", "plan", "estimate", "regress", "noncompliance", "composition", "other"]
    for i in sorted(range(len(answers)), key=lambda i: (ranks.index(kind_of(answers[i][1])), i)):
        name, data = answers[i]
        section = list(_section(name, data, results[i], promises))
        blocks += [each for each in section if not isinstance(each, Paragraph) or each not in blocks]
        with in_full():
            appendix += [table for table in _tables(data, results[i]) if table not in section]
    used = ["", *(word for _, data in answers for word in _methods(data))]
    methods = [_METHODS[word] for word in _METHODS if word in used]
    blocks += [
        Heading("Methods"),
        Paragraph(" ".join([*methods, f"Computed by rropt {installed_version()}."])),
        Paragraph(f"References: {'; '.join(_SOURCES[word] for word in _SOURCES if word in used)}."),
        PageBreak(),
        Heading("Appendix: exact values"),
        *appendix,
        *(Details(name, shown_html(data)) for name, data in answers),
    ]
    return Document(title, tuple(blocks))


def _methods(data: Mapping[str, Any]) -> Iterator[str]:
    """Yield the keys of the sentences on methods and of the references that a result needs."""
    kind = kind_of(data)
    yield kind
    if kind == "regress" and data.get("survey") is not None:
        yield "design-based"
    if kind == "estimate":
        yield "weighted" if isinstance(data.get("design"), Mapping) else "exact"


def _section(name: str, data: Mapping[str, Any], result: Result | None, promises: _Promises) -> Iterator[Block]:
    kind = kind_of(data)
    if data.get("format") in FORMATS:
        yield Heading("Certificate")
        yield Paragraph(f"The checker judged the certificate of {name}: {check(data)}.")
        promised = promise_of(one.mechanisms[0], promises) if (one := stated(name, data)).mechanisms else None
        if promised is not None:
            yield Paragraph(f"Promised: {promised}.")
        return
    words = "Device" if result is None else " ".join(re.findall("[A-Z][a-z]*", type(result).__name__)).capitalize()
    yield Heading(_TITLES.get(kind, words))
    if kind == "estimate":
        yield from _asked(data)
    if kind == "noncompliance":
        yield Paragraph("Bounds and estimates where some respondents do not follow the device:")
    for device in _devices(data, kind):
        yield from _device(device, promises)
    if kind == "privacy" and "epsilon" in data:
        yield Paragraph(_privacy(data.get("parity"), data["epsilon"]))
    if kind == "plan" and str(data.get("n")).isdigit():
        definition = data.get("definition")
        yield Paragraph(f"The plan asks {data['n']} respondents" + (f": {definition}." if definition else "."))
    certificate = data.get("certificate")
    if kind == "design" and "value" in data and isinstance(certificate, Mapping):
        yield Paragraph(f"{_optimality(data)}; the checker judged its certificate: {check(dict(certificate))}.")
    yield from _tables(data, result)
    yield from _pictures(result)


def _devices(data: Mapping[str, Any], kind: str) -> Sequence[Any]:
    """Return the mechanisms whose devices a section describes."""
    if kind == "estimate":
        named = data.get("question", {}).get("mechanism")
        is_design = isinstance(named, str) and named.partition(":")[0] in DESIGNS
        return [named] if is_design else stated("", data).mechanisms
    return [data if not kind else data.get("mechanism")] if kind in ("", "plan", "design") else []


def _tables(data: Mapping[str, Any], result: Result | None) -> list[Table]:
    """Return the tables that a command prints of a result, and the points of a curve."""
    if result is None:
        return []
    tables = result.as_tables()
    for key, kind in _BESIDE.items():
        if key in data.get("beside", ()):
            tables = [*tables, *result_of({"result": kind, **data[key]}, key).as_tables()]
    curve: Sequence[Result] = getattr(result, "curve", ())
    if curve:
        points = [dict(point.lines()) for point in curve]
        tables = [*tables, ("curve", tuple(points[0]), [tuple(point.values()) for point in points])]
    return [
        (title, header, [tuple(map(str, row)) for row in rows[:_MOST_ROWS]]) for title, header, rows in tables if rows
    ]


def _pictures(result: Result | None) -> Iterator[Picture]:
    """Yield the pictures of estimates, if their groups and categories are not too many."""
    from rropt import plots
    from rropt.plots.data.groups import MOST_GROUPS
    from rropt.plots.data.surveys import MOST_SHARES

    if isinstance(result, SurveyEstimate) and result.estimate.mechanism.inputs <= MOST_SHARES:
        yield Picture(lambda: plots.estimated(result))
    if isinstance(result, GroupEstimates | WeightedEstimates):
        for share in result.shares:
            if len(share.groups) <= MOST_GROUPS:
                yield Picture(lambda share=share: plots.groups(result, share.name))  # type: ignore[misc]


def _asked(data: Mapping[str, Any]) -> Iterator[Paragraph]:
    """Yield what was asked, and what the estimates are."""
    question = data.get("question", {})
    asked = question.get("column") or question.get("columns")
    if not asked:
        return
    counted = "The estimates are the proportions of the combinations of answers."
    if not ("tables" in data or "questions" in data):
        is_yes_no = not isinstance(data.get("estimate"), list)
        if "shares" in data:
            is_yes_no = len(data["shares"]) == len(data["reading"]["questions"])
        counted = "Each category has its own estimate."
        counted = "The estimate is the proportion with the trait." if is_yes_no else counted
    yield Paragraph(f"Question: {', '.join(asked) if isinstance(asked, list) else asked}. {counted}")


def _optimality(data: Mapping[str, Any]) -> str:
    """Return how near a design is to the optimum; "optimal" only if both bounds are equal."""
    ends = [None if data.get(key) is None else rational(data[key]) for key in ("value", "lower", "upper")]
    value, lower, upper = ends
    if lower is not None and lower == upper:
        return "The device is optimal"
    if value is None or lower is None or upper is None:
        return "The device is the best that was found"
    gap = (upper - lower) / abs(value) if value else upper - lower
    return f"The device is within {decimal_text(100 * gap, 2)} % of optimal"


def _device(data: Any, promises: _Promises = ()) -> list[Block]:
    """Return the device in words, from a mechanism in JSON or by its name, with the promised level."""
    try:
        given = named_mechanism(data) if isinstance(data, str) else data
        mechanism = given if isinstance(given, Mechanism) else Mechanism.from_dict(given)
    except (RroptError, TypeError):
        return []
    name = str(mechanism.name or "")
    design, _, values = name.partition(":")
    words = ""
    if design in DESIGNS:
        parameters = zip((one.symbol for one in DESIGNS[design].parameters), values.split(","), strict=False)
        told = ", ".join(f"{symbol} = {value}" for symbol, value in parameters)
        words = f"Device: {DESIGNS[design].title} ({told}). {DESIGNS[design].device} "
    elif mechanism.shape == (2, 2):
        words = f"Device: a no is reported as no with probability {_short(mechanism.p00)}, and a yes as yes with "
        words += f"probability {_short(mechanism.p11)}. "
    epsilon = str(mechanism.epsilon())
    if len(epsilon) > _LONGEST_EPSILON:
        epsilon = f"about {decimal_text(float(mechanism.epsilon()), 6)}"
    promise = promise_of(mechanism, promises)
    return [Paragraph(words + _privacy(_text(mechanism.parity()), epsilon, promise))]


def _short(probability: Fraction) -> str:
    text = as_text(probability)
    return text if len(text) <= _LONGEST_EPSILON else f"about {decimal_text(probability, 6)}"


def _text(value: Any) -> str:
    return "inf" if value is None else str(value)


def _privacy(parity: Any, epsilon: Any, promise: str | None = None) -> str:
    told = "Privacy: " if promise is None else f"Privacy: promised is {promise}. "
    if str(parity) == "inf" or str(epsilon) == "inf":
        if promise is None:
            return f"{told}some response is certain evidence, so epsilon is infinite."
        return f"{told}Some response is certain evidence, so no finite epsilon holds with delta = 0."
    first = "no" if promise is None else "No"
    return (
        f"{told}{first} response is more than {_decimal(parity)} times as likely from one respondent as from another "
        f"(epsilon = {epsilon})."
    )


def _decimal(value: Any) -> str:
    try:
        return decimal_text(rational(value), 6)
    except RroptError:
        return str(value)
