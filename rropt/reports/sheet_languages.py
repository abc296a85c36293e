"""Texts of instruction sheets: one JSON file for each language in ``languages/``.

The files hold data and no code. A new language is a new file next to ``en.json`` with the same keys and the same names
in braces. ``languages()`` finds it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from rropt.core.errors import InvalidParameterError, shown
from rropt.core.visible import visible

_FOLDER = Path(__file__).parent / "languages"
_PLACE = re.compile(r"\{(\w+)\}")


def languages() -> tuple[str, ...]:
    """Return the languages that have a file, English first.

    >>> languages()[0]
    'en'
    """
    found = sorted(path.stem for path in _FOLDER.glob("*.json"))
    return tuple(sorted(found, key=lambda name: name != "en"))


@cache
def _texts(language: str) -> Mapping[str, str]:
    texts: dict[str, str] = json.loads((_FOLDER / f"{language}.json").read_text(encoding="utf-8"))
    return texts


@dataclass(frozen=True, slots=True)
class Language:
    """The texts of one language.

    Attributes:
        name: the language code, such as ``en``, of the file and of the ``lang`` attribute in HTML.

    >>> Language.of("de").text("range", low=1, high=4)
    '1 bis 4'
    """

    name: str

    @classmethod
    def of(cls, name: str) -> Language:
        """Load a language.

        Raises:
            InvalidParameterError: there is no file for this language.
        """
        if name not in languages():
            raise InvalidParameterError(
                f"the sheet has no texts in this language: received {shown(name)}; allowed are "
                f"{', '.join(languages())}; a language is one file of texts"
            )
        return cls(name)

    def keys(self) -> dict[str, tuple[str, ...]]:
        """Return the names in braces of each text."""
        return {key: tuple(sorted(set(_PLACE.findall(text)))) for key, text in _texts(self.name).items()}

    def text(self, key: str, /, **values: Any) -> str:
        """Return a text with its values inserted: numbers in digits, sentences (``Sentence``) in this language."""
        found = _texts(self.name)[key]
        return _PLACE.sub(lambda match: self._written(values[match[1]]), found)

    def say(self, sentence: Any) -> str:
        """Return a sentence (``Sentence``) in this language."""
        return self.text(sentence.key, **sentence.values)

    def percent(self, text: str) -> str:
        """Return a percentage with the decimal mark of the language and a non-breaking space."""
        return text.replace(".", self.text("decimal_mark")).replace(" %", "\u00a0%")

    def _written(self, value: Any) -> str:
        if isinstance(value, list | tuple):
            return self.text("list_separator").join(map(self._written, value))
        if hasattr(value, "key"):
            return self.say(value)
        return str(value) if isinstance(value, int | Fraction) else visible(str(value))
