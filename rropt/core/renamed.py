"""Deprecated names of options, commands, arguments and keys of files, mapped to the new names for one version.

Old module paths are in ``rropt.core.moved``. All old names are removed in 0.3. The tables below list the renamed
objects. The command line, the functions and the reader of results look up old names here.
"""

from __future__ import annotations

import functools
import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

OPTIONS = {"--dealt": "--cards-without-replacement", "--lonely": "--single-psu"}
"""Old options of commands and their new names."""

COMMANDS = {("design", "others"): ("design", "noncompliance")}
"""Old commands, as sequences of words, and their new names."""

KEYS: dict[str, dict[str, str]] = {
    "Attained": {"others": "noncompliers"},
    "Design": {"lonely": "single_psu", "lonely_strata": "single_psu_strata"},
    "DesignPrecision": {"whole_parity": "report_parity"},
    "Findings": {"others": "noncompliers"},
    "IntervalSolution": {
        "least_regret": "minimax_regret",
        "least_regret_candidate": "minimax_regret_candidate",
    },
    "PrevalenceBounds": {"others": "noncompliers"},
    "RespondentPrivacy": {"dealt": "cards_without_replacement"},
}
"""For each class of results: the keys of JSON (also attributes) that older versions wrote, and the new names."""

_PROGRAMS = {"LinearProgramme": "LinearProgram", "ProgrammeBuilder": "ProgramBuilder"}
NAMES = {
    "rropt.core.linear": _PROGRAMS,
    "rropt.core.linear.programs": _PROGRAMS,
    "rropt.designs.restricted_outputs": {"FewAnswerDesigns": "RestrictedOutputDesigns"},
    "rropt.designs.solution": {"PatternDesign": "StaircaseDesign"},
    "rropt.survey.noncompliance": {
        "Others": "NonCompliers",
        "design_for_others": "design_noncompliance",
        "least_others": "least_noncompliers",
    },
}
"""For each module: old names of classes and functions, and the new names."""

_Function = TypeVar("_Function", bound=Callable[..., Any])


def new_words(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """Replace deprecated words of a command line; return the new words and the deprecation messages.

    >>> new_words(["estimate", "d.csv", "--lonely", "adjust"])[0]
    ['estimate', 'd.csv', '--single-psu', 'adjust']
    """
    found, notes = list(words), []
    for old, new in COMMANDS.items():
        if tuple(found[: len(old)]) == old:
            found[: len(old)] = new
            notes.append(_warning(f"rropt {' '.join(old)}", f"rropt {' '.join(new)}"))
    for i, word in enumerate(found[: found.index("--") if "--" in found else len(found)]):
        name, equals, value = word.partition("=")
        if name in OPTIONS:
            found[i] = f"{OPTIONS[name]}{equals}{value}"
            notes.append(_warning(name, OPTIONS[name]))
    return found, notes


def with_new_keys(kind: str, data: Any) -> Any:
    """Replace the old keys in the JSON of a result of a class by the new keys."""
    names = KEYS.get(kind)
    if not names or not isinstance(data, Mapping):
        return data
    return {key if key not in names or names[key] in data else names[key]: value for key, value in data.items()}


def renamed_attribute(owner: object, name: str) -> Any:
    """Return the attribute of a result whose old name is given, with a ``DeprecationWarning``.

    Raises:
        AttributeError: the name is not an old one.
    """
    kind = type(owner).__name__
    new = KEYS.get(kind, {}).get(name)
    if new is None:
        raise AttributeError(f"{kind!r} object has no attribute {name!r}", name=name, obj=owner)
    warnings.warn(_warning(f"{kind}.{name}", new), DeprecationWarning, stacklevel=3)
    return getattr(owner, new)


def renamed_names(module: str, otherwise: Callable[[str], Any] | None = None) -> Callable[[str], Any]:
    """Return a module's ``__getattr__`` that maps the old names in ``NAMES`` to the new names.

    Args:
        module: ``__name__`` of the module.
        otherwise: the module's ``__getattr__`` for all other names, if it has one.
    """

    def getattribute(name: str) -> Any:
        new = NAMES[module].get(name)
        if new is None and otherwise is not None:
            return otherwise(name)
        if new is None:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        warnings.warn(_warning(f"{module}.{name}", new), DeprecationWarning, stacklevel=2)
        return getattr(sys.modules[module], new)

    return getattribute


def renamed_arguments(**names: str) -> Callable[[_Function], _Function]:
    """Let a function accept old names of arguments, each with a ``DeprecationWarning``.

    Args:
        names: a mapping from old names to new names.

    >>> @renamed_arguments(lonely="single_psu")
    ... def rule(single_psu="refuse"):
    ...     return single_psu
    >>> with warnings.catch_warnings(action="ignore"):
    ...     rule(lonely="adjust")
    'adjust'
    """

    def decorated(function: _Function) -> _Function:
        @functools.wraps(function)
        def called(*args: Any, **given: Any) -> Any:
            for old in names.keys() & given.keys():
                if names[old] in given:
                    raise TypeError(f"{function.__name__}() got {old} and {names[old]}, two names of one argument")
                warnings.warn(_warning(old, names[old]), DeprecationWarning, stacklevel=2)
                given[names[old]] = given.pop(old)
            return function(*args, **given)

        return called  # type: ignore[return-value]

    return decorated


def _warning(old: str, new: str) -> str:
    return f"{old} is deprecated and will be removed in 0.3; use {new}"
