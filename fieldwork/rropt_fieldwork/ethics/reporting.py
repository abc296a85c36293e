"""``rropt_fieldwork.report``: combine results, records and outputs of commands into one document."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import Any

from rropt.claims import Outcome
from rropt.core.argument_checks import clear_calls, require_given, require_texts
from rropt.core.certificates import Certificate
from rropt.core.errors import InvalidParameterError, shown
from rropt.core.files import write_bytes
from rropt.core.results import remarks_of
from rropt.estimates import estimates_of_counts
from rropt.inference import Estimate
from rropt.mechanisms import Mechanism
from rropt.reports.document_writers import Document
from rropt.reports.records import json_of, known_results
from rropt_fieldwork.declaration.survey_declaration import Survey
from rropt_fieldwork.ethics.survey_report import survey_report


@clear_calls
def report(
    *results: Any,
    title: str | None = None,
    output: str | os.PathLike[str] | None = None,
    survey: Survey | None = None,
) -> Document:
    """Return one document that describes results in words, with a table, a chart, methods and references.

    Args:
        results: each an ``Estimate`` or another result, a ``Solution``, a ``Mechanism``, a ``Certificate``, the
            outcomes of ``rropt.verify``, an object that a command printed with ``--json``, or the name of a file that
            holds one.
        title: the title of the document; by default that of the survey.
        output: a file to write; its extension selects the format: .html, .md or .tex.
        survey: the survey of the results, which has their title, wording, unit and promised level.

    Returns:
        A ``Document`` with ``to_html()``, ``to_markdown()`` and ``to_latex()``.

    Raises:
        InvalidParameterError: there is nothing to report, a result is given twice, ``survey`` is not a ``Survey``, or
            the extension is not a format.
        FileFormatError: rropt did not write the file or the object.

    >>> import rropt, rropt_fieldwork
    >>> found = rropt_fieldwork.report(rropt.estimate([1604, 831], "forced:2/3,1/6,1/6"), title="Nigeria")
    >>> "0.262" in found.to_markdown(), found.to_html().startswith("<!doctype html>")
    (True, True)
    """
    require_texts(title=title)
    require_given(title=title, output=output, survey=survey)
    if not results:
        raise InvalidParameterError("there is nothing to report: give estimates, designs or names of JSON files")
    if survey is not None and not isinstance(survey, Survey):
        raise InvalidParameterError(
            f"`survey` is not a survey: received {shown(survey)}; allowed is a Survey; read the declaration with "
            "rropt_fieldwork.Survey.read(PATH)"
        )
    _require_different(results)
    document = survey_report([_named(i, each) for i, each in enumerate(results, 1)], title, survey)
    if output is not None:
        write_bytes(output, document.text_of(output).encode("utf-8"))
    return document


def _require_different(results: Sequence[Any]) -> None:
    """Raise an error if a file or a result is given twice, as its numbers would stand twice in the report."""
    seen = set[Any]()
    for each in results:
        is_file = isinstance(each, (str, os.PathLike))
        key = os.path.realpath(each) if is_file else id(each)
        if key in seen:
            raise InvalidParameterError(
                f"a result is given twice: received {shown(os.fspath(each) if is_file else each)} twice; give each "
                "result once"
            )
        seen.add(key)


def _named(number: int, result: Any) -> tuple[str, Any]:
    """Return the name of a result and its JSON as a command writes it."""
    if isinstance(result, (str, os.PathLike)):
        return os.fspath(result), json_of(os.fspath(result), "result")
    if isinstance(result, Outcome):
        result = {result.id: result}
    if isinstance(result, Mapping) and result and all(isinstance(one, Outcome) for one in result.values()):
        from rropt.claims import Verification

        result = Verification(tuple(result), tuple(result.values()), ())  # what rropt.verify returns
    if isinstance(result, Mapping):
        return f"result {number}", result
    if isinstance(result, (Certificate, Mechanism)):
        return f"{type(result).__name__.lower()} {number}", result.to_dict()
    if isinstance(result, Estimate):
        result = estimates_of_counts(result)
    kind = type(result).__name__
    if kind not in known_results():
        raise InvalidParameterError(
            f"result {number} cannot be reported: received {shown(result)}; allowed are a result of rropt, a "
            "mechanism, a certificate, or the name of a JSON file"
        )
    written = json.loads(json.dumps({"result": kind, **result.to_dict()}))
    remarks = {"remarks": list(remarks_of(result))} if remarks_of(result) else {}
    return f"{kind} {number}", {**remarks, **written}
