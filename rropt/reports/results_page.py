"""One HTML page of the results of commands: questions, results, mechanisms, and certificates with their verdicts."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from rropt.core.certificates import check
from rropt.core.errors import FileFormatError, RroptError, shown
from rropt.core.exact import decimal_text, rational
from rropt.core.visible import html_text
from rropt.mechanisms import Mechanism
from rropt.mechanisms.decimals import html_table
from rropt.reports.browser_checker import certificate_block
from rropt.reports.pages import page

_LONGEST = 30  # characters of an exact number that is shown beside its decimal
_MOST_ENTRIES = 400  # of a matrix that is drawn
_MOST_ITEMS = 200  # of a list
_FORMAT = "rropt-certificate/1"

# What stands in an answer of each command, in one of its forms.
KEYS: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "design": (("value",), ("lower", "upper"), ("devices",), ("pieces",), ("problem",)),
    "check": (("accepted", "files"),),
    "privacy": (("parity", "epsilon"),),
    "audit": (("epsilon_at_least", "confidence"), ("n", "power")),
    "bound": (("value", "lower", "upper"),),
    "compare": (("relation",),),
    "compare-designs": ((),),
    "compose": ((),),
    "shuffle": ((),),
    "longitudinal": ((),),
    "count": ((),),
    "merge": ((),),
    "export": ((),),
    "admissible": (("admissible", "reasons"),),
    "repair": (("mechanism", "loss"),),
    "sweep": ((),),
    "mechanisms": (("mechanisms",),),
    "estimate": (("estimate", "n"), ("tables", "n"), ("shares", "reading")),
    "regress": (("coefficients", "loglik", "status"),),
    "noncompliance": (("lower", "upper"), ("feasible",), ("quantities", "model")),
    "plan": (("n",), ("achieved",), ("sizes",), ("plans",), ()),
    "minimax": (("lower", "upper"),),
    "randomize": (("n", "epsilon", "output"),),
    "deal": (("deck", "cards"),),
    "laplace": (("epsilon", "discrete"), ("epsilon",)),
    "plot": (("picture",), ("output",)),
    "explore": (("gamma", "fragment"),),
    "sheet": (("instructions", "spoken"),),
    "verify": (("claims",),),
}


def answers_page(answers: Sequence[tuple[str, Any]], title: str = "Survey") -> str:
    """Return a self-contained HTML page of JSON objects: outputs of commands (``--json``), mechanisms, certificates.

    Args:
        answers: (name, object) pairs, in the order of the page.
        title: the title of the page.

    Raises:
        FileFormatError: no command of rropt wrote the object.
    """
    for name, data in answers:
        require_written(name, data)
    return page(title, "".join(f"<h2>{html_text(name)}</h2>{_shown(data, {})}" for name, data in answers))


def require_written(name: str, data: Any) -> None:
    """Require the output of a command: a result with its parameters, a mechanism, or a certificate."""
    allowed = "allowed is what a command printed with --json, a mechanism or a certificate that it wrote"
    if not isinstance(data, Mapping):
        raise FileFormatError(f"{shown(name)} contains no result: received {shown(data)}; {allowed}")
    if data.get("format") == _FORMAT:
        return
    question = data.get("question")
    if question is None:
        try:
            Mechanism.from_dict(data)
        except RroptError:
            raise FileFormatError(
                f"{shown(name)} contains no result of rropt: received an object without a question; {allowed}"
            ) from None
        return
    command = question.get("command") if isinstance(question, Mapping) else None
    versions = question.get("versions") if isinstance(question, Mapping) else None
    kind = command.split(" ")[0] if isinstance(command, str) else ""
    if kind not in KEYS or not isinstance(versions, Mapping) or not isinstance(versions.get("rropt"), str):
        raise FileFormatError(
            f"{shown(name)} contains no result of rropt: its question names no command and version; {allowed}"
        )
    if {"error", "kind"} <= data.keys():
        raise FileFormatError(f"{shown(name)} contains an error of rropt {kind} and no result; run the command again")
    if not any(set(keys) <= data.keys() for keys in KEYS[kind]) or len(data) < 2:
        raise FileFormatError(
            f"{shown(name)} contains no result of rropt {kind}: it lacks what that command writes, such as "
            f"{' and '.join(KEYS[kind][0])}; {allowed}"
        )


def shown_html(data: Any) -> str:
    """Return a JSON object as HTML tables, with every number exact and as a decimal."""
    return _shown(data, {})


def _shown(data: Any, decimals: Any) -> str:
    """Return a JSON value as HTML; ``decimals`` contains the floats of exact numbers under the same keys or indices."""
    if isinstance(data, Mapping):
        if data.get("format") == _FORMAT:
            return _certificate(data)
        drawn, rest = _mechanism(data)
        near = data.get("decimals", decimals)
        near = near if isinstance(near, Mapping) else {}
        return drawn + _rows([(key, _shown(x, near.get(key))) for key, x in rest.items() if key != "decimals"])
    if isinstance(data, list):
        places = decimals if isinstance(decimals, list) else []
        cells = [_shown(x, places[i] if i < len(places) else None) for i, x in enumerate(data[:_MOST_ITEMS])]
        more = f"<li>{len(data) - _MOST_ITEMS} more</li>" if len(data) > _MOST_ITEMS else ""
        return f"<ul>{''.join(f'<li>{cell}</li>' for cell in cells)}{more}</ul>" if data else "none"
    near = _decimal(decimals) if isinstance(data, str) else ""
    if near and near != data:
        return html_text(f"{data} ~ {near}" if len(data) <= _LONGEST else f"~{near}")
    words = {None: "none", True: "yes", False: "no"}
    return html_text(words[data] if data is None or isinstance(data, bool) else str(data))


def _decimal(value: Any) -> str:
    """Return a number as a short decimal; "" for anything else."""
    try:
        return decimal_text(rational(value), 12)
    except RroptError:
        return ""


def _rows(rows: list[tuple[str, str]]) -> str:
    if not rows:
        return ""
    cells = "".join(f"<tr><th>{html_text(key.replace('_', ' '))}</th><td>{cell}</td></tr>" for key, cell in rows)
    return f'<div class="scroll"><table>{cells}</table></div>'


def _mechanism(data: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return the picture of the matrix, and the other keys."""
    rows = data.get("matrix")
    if not isinstance(rows, list) or not rows or not isinstance(rows[0], list):
        return "", dict(data)
    if len(rows) * len(rows[0]) > _MOST_ENTRIES:
        return "", dict(data)
    try:
        matrix = Mechanism(rows).matrix
    except RroptError:  # a matrix of something else
        return "", dict(data)
    drawn = html_table("mechanism (rows are outputs, columns are categories)", matrix)
    return f'<div class="scroll">{drawn}</div>', {key: x for key, x in data.items() if key != "matrix"}


def _certificate(data: Mapping[str, Any]) -> str:
    text = json.dumps(data, indent=1)
    return f"<p>certificate {html_text(str(check(data)))}</p>{certificate_block(text)}</section>"
