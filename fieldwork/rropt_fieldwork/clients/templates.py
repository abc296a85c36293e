"""Client templates: programs in each language, which an export cuts to one kind of sampler.

``client`` has all kinds but ``ranked``, which is short enough for a program of its own.

Marks are comments of the language. ``<data>`` to ``</data>``: example constants, whose values are replaced. ``<a b>``
to the next mark: kept for these kinds, or for ``named`` or ``unnamed`` categories; ``</>``: kept for all. Kinds at the
ends of names (``randomize_hash``) go.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from importlib.resources import files
from typing import Any

ENDINGS = {"c": "c", "javascript": "mjs", "python": "py"}
_MARK = re.compile(r"\s*(?://|#) <([a-z /]+)>")
_CONSTANT = re.compile(r"(.*?\b([A-Z_]+)(?:\[\w*\])* = )(.*?)( \};|;|)( +(?:#|//).*|)")
_KINDS = (
    "columns texts questions values direct interval hash classes projective cyclic restricted subset dense bits number "
    "set sets identified refusal"
)
_NAME = re.compile(rf"\b(randomize|spoken|holds|estimates?|answer|text|show)_(?:{_KINDS.replace(' ', '|')})\b")
_BRACKETS = {"c": ("{", "}"), "javascript": ("[", "]"), "python": ("[", "]")}
_SUFFIX = {"javascript": "n", "python": ""}
_WIDTH = 118  # of a line of lists


def program(kinds: set[str], constants: Mapping[str, Any], language: str) -> str:
    """Return the source code of a client with these constants."""
    name = f"{'ranked' if 'ranked' in kinds else 'client'}.{ENDINGS[language]}"
    template = files(__package__).joinpath(name).read_text(encoding="utf-8")
    head, data, rest = re.split(r".* </?data>\n", template)
    kinds = kinds if "named" in kinds else kinds | {"unnamed"}
    parts = "\n".join(_selected(head.split("\n"), kinds)), "\n".join(_selected(rest.split("\n"), kinds))
    return parts[0] + "".join(_filled(data.splitlines(), constants, language)) + _NAME.sub(r"\1", parts[1])


def _selected(lines: Iterable[str], kinds: set[str]) -> Iterator[str]:
    kept = True
    for line in lines:
        if mark := _MARK.fullmatch(line):
            kept = mark[1] == "/" or not kinds.isdisjoint(mark[1].split())
        elif kept:
            yield line


def _filled(lines: Iterable[str], constants: Mapping[str, Any], language: str) -> Iterator[str]:
    """Yield the declarations of the constants that a client has, with their values; above a table, its comment."""
    for line in lines:
        constant = _CONSTANT.fullmatch(line)
        if constant is None:
            yield f"{line}\n"
        elif constant[2] in constants:
            head, _, _, end, comment = constant.groups()
            value = written(constants[constant[2]], language)
            above, beside = (f"{comment.strip()}\n" if comment else "", "") if "\n" in value else ("", comment)
            yield f"{above}{head}{value}{end}{beside}\n"


def written(value: Any, language: str) -> str:
    """Return a constant as the language writes it: text, number, or list; a line has as many lists as fit."""
    if isinstance(value, (list, tuple)) and value and isinstance(value[0], (list, tuple)):
        opening, closing = _BRACKETS[language]
        lines = [" "]
        for row in value:
            text = f" {_inline(row, language)},"
            if len(lines[-1]) > 1 and len(lines[-1]) + len(text) > _WIDTH:
                lines.append(" ")
            lines[-1] += text
        return "\n".join([opening, *lines, closing])
    return _inline(value, language)


def _inline(value: Any, language: str) -> str:
    if isinstance(value, str):
        text = json.dumps(value, ensure_ascii=False)
        return text.replace("?", "\\?") if language == "c" else text  # "??/" is a backslash in older C
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, int):
        if language == "c":
            return f"{value}" if 0 <= value < 2**31 else f"{value % 2**64}u"
        return f"{value}{_SUFFIX[language]}"
    opening, closing = _BRACKETS[language]
    items = ", ".join(_inline(each, language) for each in value)
    return f"{opening}{items or ('0' if language == 'c' else '')}{closing}"  # C has no empty lists
