"""Write the reference of JSON: a table of the keys for every result, from its class and ``results.json``.

``results.json`` has an example of each key. After a change of a result, write it again, in ``tests/``:
``RROPT_WRITE_PAGES=1 python -m pytest pages/test_round_trips.py -k keys``.
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Mapping
from dataclasses import fields
from functools import reduce
from importlib import import_module
from pathlib import Path
from typing import Any, get_type_hints

DATA = Path(__file__).resolve().parent / "results.json"
_EXAMPLE = 60  # characters
_HEAD = """# Keys of every result

One table for each class of results: its keys, an example of each, and what it means. [JSON](json.md) explains the forms
of numbers, mechanisms and levels.
"""


def examples(samples: Mapping[type, Any]) -> dict[str, dict[str, str]]:
    """Return an example of each key of a result, for each class by its module and name."""
    return {
        f"{kind.__module__}:{kind.__qualname__}": {key: _example(item) for key, item in result.to_dict().items()}
        for kind, result in sorted(samples.items(), key=lambda item: (item[0].__qualname__, item[0].__module__))
    }


def result_page() -> str:
    """Return the page with the tables of all results."""
    return _HEAD + "\n".join(_table(name, keys) for name, keys in json.loads(DATA.read_text(encoding="utf-8")).items())


def _table(name: str, keys: Mapping[str, str]) -> str:
    module, _, path = name.partition(":")
    kind = reduce(getattr, path.split("."), import_module(module))
    lines = [f"\n## {path}\n", f"{_sentence(kind.__doc__)} (`{module}`)\n"]
    if hasattr(kind, "from_proof"):
        asked = _asked(kind, kind.from_proof)
        lines.append(f"Its certificate is checked when it is read, with {asked}; all else is compared.\n")
    elif hasattr(kind, "recompute"):
        lines.append(f"Recomputed from {_asked(kind, kind.recompute)} when it is read; all else is compared.\n")
    lines += ["| key | example | meaning |", "|---|---|---|"]
    lines += [f"| `{key}` | `{text}` | {_meaning(kind, key)} |" for key, text in keys.items()]
    return "\n".join(lines) + "\n"


def _asked(kind: Any, make: Any) -> str:
    """Return the keys that a result is made from; of a base class of the result, its question, all fields."""
    hints, found = get_type_hints(make, include_extras=True), list[str]()
    for name in inspect.signature(make).parameters:
        is_question = hints[name] in kind.__mro__[1:-1]
        found += [each.name for each in fields(hints[name])] if is_question else [name]
    return ", ".join(f"`{name}`" for name in found)


def _meaning(kind: Any, key: str) -> str:
    """Return the label of a key, or the first sentence of its documentation."""
    if key == "decimals":
        return "the numbers above as floats"
    if key == "kind" and not hasattr(getattr(kind, "kind", None), "__get__"):
        return "which of several"
    if title := getattr(kind, "LABELS", {}).get(key):
        return str(title)
    attribute = rf"^ +(?:\w+, )*{key}(?:, \w+)*: ([^\n]*(?:\n {{12,}}[^\n]*)*)"
    described = re.search(attribute, "\n".join(each.__doc__ or "" for each in kind.__mro__[:-1]), re.MULTILINE)
    text = described[1] if described else getattr(getattr(kind, key, None), "__doc__", None) or ""
    return _sentence(text) if described or text else "see `to_dict`"


def _sentence(text: str | None) -> str:
    flat = " ".join((text or "").split())
    return re.split(r"(?<=[a-z)`\]])[.;] ", flat)[0].rstrip(".").replace("|", r"\|")


def _example(item: Any) -> str:
    text = json.dumps(item)
    return (text if len(text) <= _EXAMPLE else text[: _EXAMPLE - 4] + " ...").replace("|", r"\|").replace("`", "'")
