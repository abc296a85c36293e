"""JSON objects as HTML tables: questions, results, mechanisms, and certificates with their verdicts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from rropt.core.certificates import FORMAT, check
from rropt.core.errors import RroptError
from rropt.core.exact import decimal_text, rational
from rropt.core.visible import html_text
from rropt.mechanisms import Mechanism
from rropt.mechanisms.displays import html_table
from rropt.reports.browser_checker import certificate_block
from rropt.reports.pages import SCROLLS

_LONGEST = 30  # characters of an exact number that is shown beside its decimal
_MOST_ENTRIES = 400  # of a matrix that is drawn
_MOST_ITEMS = 200  # of a list


def shown_html(data: Any, decimals: Any = None) -> str:
    """Return a JSON value as HTML, objects as tables, with every number exact and as a decimal.

    Args:
        data: the value.
        decimals: the floats of exact numbers, under the same keys or indices; an object has its own.
    """
    if isinstance(data, Mapping):
        if data.get("format") == FORMAT:
            return _certificate(data)
        drawn, rest = _mechanism(data)
        near = data.get("decimals", decimals)
        near = near if isinstance(near, Mapping) else {}
        return drawn + _rows([(key, shown_html(x, near.get(key))) for key, x in rest.items() if key != "decimals"])
    if isinstance(data, list):
        places = decimals if isinstance(decimals, list) else []
        cells = [shown_html(x, places[i] if i < len(places) else None) for i, x in enumerate(data[:_MOST_ITEMS])]
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
    return f"{SCROLLS}<table>{cells}</table></div>"


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
    return f"{SCROLLS}{drawn}</div>", {key: x for key, x in data.items() if key != "matrix"}


def _certificate(data: Mapping[str, Any]) -> str:
    text = json.dumps(data, indent=1)
    return f"<p>certificate {html_text(str(check(data)))}</p>{certificate_block(text)}</section>"
