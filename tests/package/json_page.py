"""The tables of docs/json.md, of the results that speak: keys, an example of each, and what it is.

RROPT_WRITE_PAGES=1 python -m pytest package/test_round_trips.py -k page      # in tests/: writes the page anew
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parents[2] / "docs" / "json.md"
MARK = "<!-- from here on written by tests/package/json_page.py -->\n"
_EXAMPLE = 60  # characters


def tables(samples: Mapping[type, Any]) -> str:
    """Return a table for each class, by its name, from a result of it."""
    ordered = sorted(samples.items(), key=lambda item: (item[0].__qualname__, item[0].__module__))
    return "\n".join(_table(kind, result) for kind, result in ordered)


def without_examples(page: str) -> list[str]:
    """Return the lines of a page with the keys and what they are: numbers of the examples may hang on the machine."""
    return [" | ".join((line.split(" | ")[0], line.split(" | ")[-1])) for line in page.splitlines()]


def _table(kind: type, result: Any) -> str:
    record = result.to_dict()
    lines = [f"\n### {kind.__qualname__}\n", f"{_sentence(kind.__doc__)} (`{kind.__module__}`)\n"]
    if hasattr(kind, "from_proof"):
        asked = [f"`{name}`" for name in inspect.signature(kind.from_proof).parameters]
        lines.append(f"Read by its certificate from {', '.join(asked)}; all else is compared.\n")
    elif hasattr(kind, "recompute"):
        asked = [f"`{name}`" for name in inspect.signature(kind.recompute).parameters]
        lines.append(f"Recomputed from {', '.join(asked)}; all else is compared.\n")
    lines += ["| key | example | what |", "|---|---|---|"]
    near = record.pop("decimals", None)
    lines += [f"| `{key}` | `{_example(item)}` | {_what(kind, key)} |" for key, item in record.items()]
    if near:
        lines.append(f"| `decimals` | `{_example(near)}` | floats of {', '.join(f'`{key}`' for key in near)} |")
    return "\n".join(lines) + "\n"


def _what(kind: Any, key: str) -> str:
    """Return what the class says, or what the documentation of the attribute says."""
    if key == "kind" and not hasattr(getattr(kind, "kind", None), "__get__"):
        return "which of several"
    if title := getattr(kind, "LABELS", {}).get(key):
        return str(title)
    attribute = rf"^ +(?:\w+, )*{key}(?:, \w+)*: ([^\n]*(?:\n {{12,}}[^\n]*)*)"
    described = re.search(attribute, kind.__doc__ or "", re.MULTILINE)
    text = described[1] if described else getattr(getattr(kind, key, None), "__doc__", None) or ""
    return _sentence(text) if described or text else "see `to_dict`"


def _sentence(text: str | None) -> str:
    flat = " ".join((text or "").split())
    return re.split(r"(?<=[a-z)`\]])[.;] ", flat)[0].rstrip(".").replace("|", r"\|")


def _example(item: Any) -> str:
    text = json.dumps(item)
    return (text if len(text) <= _EXAMPLE else text[: _EXAMPLE - 4] + " ...").replace("|", r"\|").replace("`", "'")
