"""Read any record: a certificate, a mechanism, or the JSON of a result or a command."""

from __future__ import annotations

import os
import pkgutil
import sys
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

from rropt.core.certificates import FORMAT, Certificate
from rropt.core.errors import FileFormatError, InvalidParameterError, RroptError, shown
from rropt.core.files import parse_json, read_text, shown_path
from rropt.core.results import Result
from rropt.core.results.reading import BESIDE, keys_of
from rropt.mechanisms import Mechanism

_ROOMS = ("survey", "designs", "privacy", "objectives", "mechanisms", "claims")


def load(path: str | os.PathLike[str]) -> Any:
    """Return the content of a JSON file: a ``Certificate``, a ``Mechanism``, or a result.

    A record with a certificate is accepted if the checker accepts the certificate. Its ``unverified`` names the fields
    that do not follow from the certificate. A result without a certificate is recomputed if possible.

    Args:
        path: a file written by ``to_json``, by ``Certificate.save``, or by a command with ``--json``.

    Raises:
        FileAccessError: the file cannot be read.
        FileFormatError: the file is not JSON, its keys match no kind of result, or its fields contradict each other.

    >>> import tempfile, rropt
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = f"{folder}/estimate.json"
    ...     _ = open(path, "w").write(rropt.estimate("crosswise:1/4", [112, 198]).to_json())
    ...     print(load(path).prevalence)
    69/310
    """
    if not isinstance(path, (str, os.PathLike)):
        raise InvalidParameterError(f"the record has no file name: received {shown(path)}; give the name of a file")
    text = read_text(path, what="record")
    name = shown_path(os.fspath(path))
    data = parse_json(text, what=f"record {name}")
    if not isinstance(data, Mapping):
        raise FileFormatError(
            f"{name} contains no record: received {shown(data)}; allowed is an object that rropt wrote"
        )
    if data.get("format") == FORMAT:
        return Certificate.from_dict(data)
    own = {key for key in data if key not in BESIDE}
    if set(data) & set(Mechanism.FORMS) and own <= {*Mechanism.FORMS, "name", "problem"}:
        return Mechanism.from_dict(data)
    refusals: list[str] = []
    for _, kind in sorted(_fitting(own), key=lambda pair: (-pair[0], pair[1].__qualname__)):
        try:
            return kind.from_dict(data)
        except RroptError as error:
            refusals.append(str(error))
    raise FileFormatError(
        refusals[0]
        if refusals
        else f"{name} is no record that is known: received the keys {shown(list(data))}; allowed is what to_json, "
        "Certificate.save or the command line (as JSON) wrote"
    )


def _fitting(own: set[str]) -> Iterator[tuple[int, type[Result]]]:
    """Yield the classes whose records have these keys, each with its number of required keys."""
    for kind in _kinds():
        needed, allowed = keys_of(kind) if hasattr(kind, "__dataclass_fields__") else (set(), None)
        if needed and needed <= {*own, *BESIDE} and (allowed is None or own <= allowed):
            yield len(needed), kind


def _kinds() -> Iterator[type[Result]]:
    """Yield every result class of the library."""
    for room in _ROOMS:
        package = import_module(f"rropt.{room}")
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            try:
                import_module(found.name)
            except ImportError:  # an extra that is not installed
                continue
    yield from dict.fromkeys(_subclasses(Result))


def _subclasses(kind: type[Any]) -> Iterator[type[Any]]:
    for sub in kind.__subclasses__():
        home = sys.modules.get(sub.__module__)  # None where a module was removed
        if getattr(home, sub.__qualname__, None) is sub:  # a class with slots has a first draft
            yield sub
            yield from _subclasses(sub)
