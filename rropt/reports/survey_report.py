"""The report of a survey: one page of text with a table and a chart, and an appendix of exact values.

It is made from the ``--json`` output of commands: estimates, regressions, non-compliance bounds, plans, privacy,
designs, mechanisms and certificates. Numbers are rounded to the second digit of their standard error.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from rropt.core.certificates import FORMATS, check
from rropt.core.errors import RroptError
from rropt.core.exact import as_text, decimal_text, rational
from rropt.core.exact.display import decimal_places, rounded
from rropt.core.results import Result
from rropt.core.version import installed_version
from rropt.core.visible import html_text
from rropt.mechanisms import DESIGNS, Mechanism, named_mechanism
from rropt.reports.documents import Block, Chart, Document, Heading, Paragraph, Raw, TableBlock
from rropt.reports.records import written_result
from rropt.reports.results_page import shown_html
from rropt.reports.stated import Stated, kind_of, promise_of, promises_of, remark_texts, require_agreement, stated
from rropt.survey.estimates.interval_kinds import ends_text, is_empty

_LONGEST_EPSILON = 24  # characters
_KINDS = ("exact", "beta", "normal")  # of intervals, the recommended ones first
_WORDS = {
    "exact": "exact (at least nominal coverage at any n)",
    "beta": "Korn-Graubard (beta)",
    "normal": "normal",
    "hoeffding": "Hoeffding, for all cells together",
    "joint": "Clopper and Pearson, for all categories together",
}
_SOURCES = {
    "device": "Warner (1965), J. Amer. Statist. Assoc. 60, 63-69",
    "survey": "Saerndal, Swensson and Wretman (1992), Model Assisted Survey Sampling; Korn and Graubard (1998), Survey "
    "Methodology 24, 193-201",
    "exact": "Clopper and Pearson (1934), Biometrika 26, 404-413",
    "regression": "Blair, Imai and Zhou (2015), J. Amer. Statist. Assoc. 110, 1304-1319",
    "binder": "Binder (1983), Internat. Statist. Rev. 51, 279-292",
}


_Promises = Sequence[tuple[Mechanism, str]]


class _Row(NamedTuple):
    """One row of the table of estimates."""

    label: str
    n: str
    value: float
    error: float | None
    ends: tuple[float, float] | None
    exact: str


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
    blocks: list[Block] = [Paragraph(text) for text in remark_texts(answers)]
    exact: list[tuple[str, str]] = []
    sources: list[str] = ["device"]
    methods: list[str] = []
    order = sorted(range(len(answers)), key=lambda i: (_rank(answers[i][1]), i))
    for i in order:
        section = _section(*answers[i], results[i], exact, sources, methods, promises)
        blocks += [each for each in section if not isinstance(each, Paragraph) or each not in blocks]
    version = installed_version()
    listed = dict.fromkeys(_SOURCES[each] for each in sources)
    methods.append(f"Computed by rropt {version}.")
    blocks += [Heading("Methods"), Paragraph(" ".join(methods)), Paragraph("References: " + "; ".join(listed) + ".")]
    appendix: list[Block] = [Heading("Appendix: exact values")]
    if exact:
        appendix.append(TableBlock("", ("what", "exact value"), tuple(exact)))
    appendix += [
        Raw(f"<details><summary>{html_text(name)}</summary>{shown_html(data)}</details>") for name, data in answers
    ]
    return Document(title, tuple(blocks), tuple(appendix))


def _rank(data: Mapping[str, Any]) -> int:
    order = ["", "design", "privacy", "plan", "estimate", "regress", "noncompliance", "composition", "other"]
    return order.index(kind_of(data))


def _section(
    name: str,
    data: Mapping[str, Any],
    result: Result | None,
    exact: list[tuple[str, str]],
    sources: list[str],
    methods: list[str],
    promises: _Promises,
) -> list[Block]:
    kind = kind_of(data)
    if data.get("format") in FORMATS:
        verdict = check(data)
        told = f"The checker judged the certificate of {name}: {verdict}."
        return [Heading("Certificate"), Paragraph(told), *_promised(stated(name, data), promises)]
    if result is None:
        return [Heading("Device"), *_device(data, promises)]
    if kind == "estimate":
        return _estimates(data, exact, sources, methods, promises)
    if kind == "regress":
        return _regression(data, exact, sources, methods)
    if kind == "plan" and str(data.get("n")).isdigit():
        definition = data.get("definition")
        told = f"The plan asks {data['n']} respondents" + (f": {definition}." if isinstance(definition, str) else ".")
        return [Heading("Design"), *_device(data.get("mechanism"), promises), Paragraph(told)]
    if kind == "privacy" and "epsilon" in data:
        return [Heading("Privacy"), Paragraph(_privacy(data.get("parity"), data["epsilon"]))]
    if kind == "design" and "value" in data:
        mechanism = data.get("mechanism")
        found: list[Block] = [Heading("Design"), *_device(mechanism, promises)]
        certificate = data.get("certificate")
        if isinstance(certificate, Mapping):
            told = f"{_optimality(data)}; the checker judged its certificate: {check(dict(certificate))}."
            found.append(Paragraph(told))
        exact.append(("value of the design", str(data["value"])))
        return found
    words = " ".join(re.findall("[A-Z][a-z]*", type(result).__name__)).capitalize()
    told = "Bounds and estimates where some respondents do not follow the device:"
    return [
        Heading(_TITLES.get(kind, words)),
        *([Paragraph(told)] if kind == "noncompliance" else []),
        *_tables(result),
    ]


_MOST_ROWS = 200  # of a table
_TITLES = {"noncompliance": "Non-compliance", "composition": "Privacy of all responses together"}


def _tables(result: Result) -> list[Block]:
    """Return the tables that a command prints of a result, and the points of a curve."""
    tables = result.as_tables()
    curve: Sequence[Result] = getattr(result, "curve", ())
    if curve:
        points = [dict(point.lines()) for point in curve]
        tables = [*tables, ("curve", tuple(points[0]), [tuple(point.values()) for point in points])]
    return [
        TableBlock(title, tuple(header or ()), tuple(tuple(map(str, row)) for row in rows[:_MOST_ROWS]))
        for title, header, rows in tables
        if rows
    ]


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


def _promised(one: Stated, promises: _Promises) -> list[Block]:
    """Return the promised level of the first mechanism of a file, if a file states one."""
    told = promise_of(one.mechanisms[0], promises) if one.mechanisms else None
    return [] if told is None else [Paragraph(f"Promised: {told}.")]


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


def _number(value: Any) -> float:
    """Return a number from JSON; numbers from a file stay text, so no digit is lost."""
    return float(Fraction(value)) if isinstance(value, str) else float(value)


def _estimates(
    data: Mapping[str, Any],
    exact: list[tuple[str, str]],
    sources: list[str],
    methods: list[str],
    promises: _Promises,
) -> list[Block]:
    rows, kind, level = _rows_of(data)
    question = data.get("question", {})
    blocks: list[Block] = [Heading("Results")]
    asked = question.get("column") or question.get("columns")
    told = ", ".join(asked) if isinstance(asked, list) else asked
    if told:
        blocks.append(Paragraph(f"Question: {told}. {_counted(data)}"))
    named = question.get("mechanism")
    is_design = isinstance(named, str) and named.partition(":")[0] in DESIGNS
    for device in [named] if is_design else stated("", data).mechanisms:
        blocks += _device(device, promises)
    design = data.get("design")
    if isinstance(design, Mapping) and isinstance(design.get("sample"), str):
        blocks.append(Paragraph(f"Sample: {design['sample']}."))
    reading = data.get("reading")
    if isinstance(reading, Mapping):
        gaps = sum(int(each.get("missing", 0)) for each in reading.get("questions", []))
        blocks.append(Paragraph(f"{reading.get('rows')} rows were read; {gaps} answers are missing."))
    percent = decimal_text(100 * level)
    if rows:
        lines = []
        for row in rows:
            places = decimal_places(row.error) if row.error else None
            ends = "none" if row.ends is None else ends_text(*row.ends, places, row.value)
            error = "none" if row.error is None else rounded(row.error, places)
            lines.append((row.label, row.n, rounded(row.value, places), error, ends))
            exact.append((f"estimate, {row.label}", row.exact))
            if row.error is not None:
                exact.append((f"standard error, {row.label}", str(row.error)))
        header = ("group", "n", "estimate", "std. error", f"{percent} % interval")
        blocks.append(TableBlock(f"Estimated proportions, interval: {_WORDS.get(kind, kind)}", header, tuple(lines)))
        shown = [row for row in rows if row.ends is not None and not is_empty(*row.ends, row.value)]
        points = tuple((row.label, row.value, *row.ends) for row in shown if row.ends is not None)
        if points:
            blocks.append(Chart(f"Estimates and {percent} % intervals", points))
    if isinstance(data.get("direct"), Mapping):
        blocks += _direct(data["direct"], percent, exact)
    methods.append(
        "Proportions are estimated without bias by the inverse of the device's matrix times the proportions of the "
        f"responses; intervals are {_WORDS.get(kind, kind)} at {percent} %."
    )
    if isinstance(design, Mapping):
        methods.append("Weighted estimates are linearized, and the variance includes the randomness of the device.")
        sources.append("survey")
    elif kind == "exact":
        sources.append("exact")
    return blocks


def _direct(data: Mapping[str, Any], percent: str, exact: list[tuple[str, str]]) -> list[Block]:
    """Return the estimate from other respondents who were asked the question directly."""
    lines = []
    for name, key in (("randomized", "randomized"), ("direct", "direct"), ("difference", "difference")):
        error = _number(data[f"{key}_standard_error"])
        low, high = map(_number, data[f"{key}_interval"])
        places = decimal_places(error)
        ends = f"{rounded(low, places)} to {rounded(high, places)}"
        if key != "difference":
            ends = ends_text(low, high, places, _number(data[key]))
        lines.append((name, rounded(_number(data[key]), places), rounded(error, places), ends))
        exact.append((f"{name} question" if key != "difference" else name, str(data[key])))
    found: list[Block] = [
        TableBlock("Beside a direct question", ("", "estimate", "std. error", f"{percent} % interval"), tuple(lines))
    ]
    if data.get("design_effect") is not None and data.get("p_value") is not None:
        p = _number(data["p_value"])
        told, effect = "below 0.001" if p < 0.001 else f"{p:.3f}", decimal_text(_number(data["design_effect"]), 3)
        found.append(
            Paragraph(
                f"The p-value of no difference is {told}. The device needs {effect} times as many respondents as a "
                "direct question that everybody answers truly."
            )
        )
    return found


def _counted(data: Mapping[str, Any]) -> str:
    """Return what the estimates are: the proportion with the trait, of each category, or of each cell."""
    if "tables" in data or "questions" in data:
        return "The estimates are the proportions of the combinations of answers."
    is_yes_no = not isinstance(data.get("estimate"), list)
    if "shares" in data:
        is_yes_no = len(data["shares"]) == len(data["reading"]["questions"])
    return "The estimate is the proportion with the trait." if is_yes_no else "Each category has its own estimate."


def _rows_of(data: Mapping[str, Any]) -> tuple[list[_Row], str, Fraction]:
    """Return the estimates of a result, the kind of their interval, and its confidence level."""
    level = rational(data.get("confidence", "19/20"))
    rows: list[_Row] = []
    kinds: list[str] = []
    if "shares" in data:
        for share in data["shares"]:
            for group in share["groups"]:
                label = group["group"] if len(data["shares"]) == 1 else f"{share['name']}, {group['group']}"
                kind, ends = _recommended(group.get("intervals", {}))
                kinds.append(kind)
                if "share" in group:
                    value, error = group["share"]["value"], group["share"]["standard_error"]
                else:
                    value, error = group["estimate"], group["standard_error"]
                rows.append(_Row(label, str(group["n"]), _number(value), _known(error), ends, str(value)))
    elif "tables" in data or "questions" in data:
        for table in data.get("tables", [data]):
            kind = "hoeffding" if "hoeffding" in table.get("intervals", {}) else "normal"
            for i, (value, error) in enumerate(zip(table["estimate"], table["standard_error"], strict=True)):
                ends = table.get("intervals", {}).get(kind)
                pair = None if ends is None else (_number(ends[i][0]), _number(ends[i][1]))
                asked = " and ".join(f"question {int(q)}" for q in table["questions"])
                kinds.append(kind)
                label = f"{asked}, cell {i}"
                rows.append(_Row(label, str(data["n"]), _number(value), _known(error), pair, str(value)))
    elif "memberships" in data:
        kinds.append("joint")
        found = list(zip(data["estimate"], data["standard_errors"], data["intervals"], strict=True))
        largest = sorted(range(len(found)), key=lambda x: -_number(found[x][0]))[:_MOST_ROWS]
        for x in sorted(largest):
            value, error, (low, high) = found[x]
            ends = (_number(low), _number(high))
            rows.append(_Row(f"category {x}", str(data["n"]), _number(value), _known(error), ends, str(value)))
    elif isinstance(data.get("variance"), Mapping) and "population" in data:
        error = _number(data["variance"]["total"]) ** 0.5
        kind, interval = next(((k, data["intervals"][k]) for k in _KINDS if k in data["intervals"]), ("", None))
        ends = None if interval is None else (_number(interval["lower"]), _number(interval["upper"]))
        kinds.append(kind)
        label = f"population of {data['population']}"
        rows.append(_Row(label, str(data["n"]), _number(data["estimate"]), error, ends, str(data["estimate"])))
    elif "estimate" in data:
        both = isinstance(data["estimate"], list)
        estimates = data["estimate"] if both else [data["estimate"]]
        errors = data["standard_error"] if both else [data["standard_error"]]
        kinds_of = data.get("recommended_interval")
        chosen = kinds_of if isinstance(kinds_of, list) else [kinds_of] * len(estimates)
        names = data.get("question", {}).get("categories")
        names = next(iter(names.values())) if isinstance(names, Mapping) else names
        for i, (value, error, kind) in enumerate(zip(estimates, errors, chosen, strict=False)):
            interval = data.get("intervals", {}).get(kind) if kind else None
            interval = interval[i] if isinstance(interval, list) else interval
            ends = None if not interval else (_number(interval["lower"]), _number(interval["upper"]))
            label = "all" if not both else names[i] if isinstance(names, list) and i < len(names) else f"category {i}"
            kinds.append(kind or "")
            rows.append(_Row(label, str(data["n"]), _number(value), _known(error), ends, str(value)))
    return rows, next((kind for kind in kinds if kind), ""), level


def _known(value: Any) -> float | None:
    return None if value is None else _number(value)


def _recommended(intervals: Mapping[str, Any]) -> tuple[str, tuple[float, float] | None]:
    for kind in _KINDS:
        ends = intervals.get(kind)
        if isinstance(ends, list) and len(ends) == 2:
            return kind, (_number(ends[0]), _number(ends[1]))
    return "", None


def _regression(
    data: Mapping[str, Any], exact: list[tuple[str, str]], sources: list[str], methods: list[str]
) -> list[Block]:
    lines, points = [], []
    for name, written in data["coefficients"].items():
        b, error = _number(written), _number(data["standard_errors"][name])
        low, high = map(_number, data["intervals"][name])
        places = decimal_places(error)
        p = _number(data["pvalues"][name])
        told = "< 0.001" if p < 0.001 else f"{p:.3f}"
        lines.append(
            (
                name,
                rounded(b, places),
                rounded(error, places),
                told,
                f"{rounded(low, places)} to {rounded(high, places)}",
            )
        )
        points.append((name, b, low, high))
        exact += [
            (f"coefficient, {name}", str(written)),
            (f"standard error, {name}", str(data["standard_errors"][name])),
        ]
    if data.get("loglik") is not None:
        exact.append(("log-likelihood", str(data["loglik"])))
    percent = decimal_text(100 * rational(data["confidence"]))
    title = str(data["title"])
    blocks: list[Block] = [
        Heading("Regression"),
        Paragraph(f"Model: {title}, {data['formula']}, {data['n']} rows. {data['status'].capitalize()}."),
        TableBlock("Coefficients", ("", "coefficient", "std. error", "p-value", f"{percent} % interval"), tuple(lines)),
        *(
            [Chart(f"Coefficients and {percent} % intervals", tuple(points))]
            if all(p[3] < 1e300 for p in points)
            else []
        ),
    ]
    methods.append(
        f"The {title} models the true answer; the probability of a response follows from it by the device's matrix."
    )
    sources.append("regression")
    if data.get("survey") is not None:
        sources.append("binder")
    return blocks
