"""Families in files (TOML), and those that have names."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from rropt.core.errors import FileFormatError, one_of, shown
from rropt.core.files import read_text
from rropt.core.files.toml_reading import toml_values
from rropt.designs.problem_families.classes import FamilyProblem
from rropt.designs.problem_families.family_data import parts_of

_NAMED = Path(__file__).with_name("named_families.toml")


def family_problem(
    parameters: Mapping[str, str],
    classes: Mapping[str, Any],
    decisions: Sequence[Any] | None = None,
    *,
    against: Mapping[str, Any] | None = None,
    sense: str = "minimise",
) -> FamilyProblem:
    """Return a family from its parts.

    Args:
        parameters, classes, decisions, against, sense: as for ``rropt.family``.

    Raises:
        InvalidParameterError: a part has another form.
    """
    return FamilyProblem(*parts_of(parameters, classes, decisions, against=against, sense=sense))


@cache
def _named() -> dict[str, Any]:
    return toml_values(_NAMED.read_text("utf-8"))


def named_families() -> dict[str, str]:
    """Return the names of the families that rropt knows, with their titles."""
    return {name: entry["title"] for name, entry in _named().items()}


def named_family(name: str) -> FamilyProblem:
    """Return a family by its name.

    Raises:
        InvalidParameterError: the name is unknown.
    """
    return FamilyProblem.from_dict(_named()[one_of(name, _named(), "the family")])


def family_of_text(text: str) -> FamilyProblem:
    """Return a family from the file of that name, if it has a dot or a slash, else by its name."""
    return read_family(text) if {".", "/"} & set(text) else named_family(text)


def read_family(path: str) -> FamilyProblem:
    """Read a family from a file in TOML.

    Raises:
        FileFormatError: the file is not TOML, or not a family.
    """
    try:
        data = toml_values(read_text(path, what="family"), parse_float=str)
    except tomllib.TOMLDecodeError as error:
        raise FileFormatError(f"the family {shown(path)} is not TOML: {error}") from None
    return FamilyProblem.from_dict(data)
