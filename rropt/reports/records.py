"""Read any record: a certificate, a mechanism, or the JSON of a result or a command."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import find_spec
from json import JSONDecodeError
from pathlib import Path
from typing import Any

from rropt.core.argument_checks import clear_calls
from rropt.core.certificates import FORMAT, Certificate
from rropt.core.errors import FileFormatError, InvalidParameterError, shown
from rropt.core.files import looks_like_json, parse_json, read_text, shown_path
from rropt.core.results import Result
from rropt.mechanisms import Mechanism


def table(name: str) -> Any:
    """Return a table of this package: ``results.toml``, or the sentences of a page."""
    return tomllib.loads((Path(__file__).parent / name).read_text("utf-8"))


TABLES = table("results.toml")
RESULTS = {name: f"rropt.{home}" for home, names in TABLES["homes"].items() for name in names.split()}
"""The name of a result of the engine, the key ``result`` of its JSON -> the module of its class."""


@cache
def known_results() -> dict[str, str]:
    """Return the names of all results with the modules of their classes; other packages add theirs.

    An entry point of the group ``rropt.results`` names a package; the table ``homes`` of the file ``results.toml`` in
    its folder has modules below the package, and the classes that each defines.
    """
    found = dict(RESULTS)
    for each in entry_points(group="rropt.results"):
        for folder in getattr(find_spec(each.value), "submodule_search_locations", None) or ():
            homes = tomllib.loads(Path(folder, "results.toml").read_text("utf-8"))["homes"]
            found |= {name: f"{each.value}.{home}" for home, names in homes.items() for name in names.split()}
    return found


@clear_calls
def load(path: str | os.PathLike[str]) -> Any:
    """Return the content of a JSON file: a ``Certificate``, a ``Mechanism``, or a result.

    A record with a certificate is accepted if the checker accepts the certificate. Its ``unverified`` names the fields
    that do not follow from the certificate. A result without a certificate is recomputed if possible.

    Args:
        path: a file written by ``to_json``, by ``Certificate.save``, or by a command with ``--json``.

    Returns:
        The object that was written, equal to the one that wrote it, except for what the file leaves out.

    Raises:
        FileAccessError: the file cannot be read.
        FileFormatError: the file is not JSON, its keys match no kind of result, or its fields contradict each other.

    >>> import tempfile, rropt
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = f"{folder}/estimate.json"
    ...     _ = open(path, "w").write(rropt.estimate([112, 198], "crosswise:1/4").to_json())
    ...     print(load(path).estimate)
    69/310
    """
    if not isinstance(path, (str, os.PathLike)):
        raise InvalidParameterError(f"the record has no file name: received {shown(path)}; give the name of a file")
    data = json_of(path, "record")
    if isinstance(data, Mapping) and data.get("format") == FORMAT:
        return Certificate.from_dict(data)
    return record_of(data, shown_path(os.fspath(path)))


def json_of(path: str | os.PathLike[str], what: str) -> Any:
    """Return the JSON value of a file; no message repeats a file that may hold responses.

    Raises:
        FileAccessError: the file cannot be read.
        FileFormatError: the file is not JSON.
    """
    allowed = "allowed is what a command printed with --json, or a mechanism or certificate that it wrote"
    name = shown_path(os.fspath(path))
    try:
        text = read_text(path, what=what)
        return parse_json(text, what=f"{what} {name}")
    except FileFormatError as error:
        cause = error.__context__
        if isinstance(cause, UnicodeDecodeError) or (isinstance(cause, JSONDecodeError) and not looks_like_json(text)):
            raise FileFormatError(
                f"{name} is not JSON: {allowed}; for a table of responses, run `rropt estimate DATA --json` first"
            ) from None
        if isinstance(cause, JSONDecodeError):
            place = f"{cause.msg}: line {cause.lineno}, column {cause.colno}"
            raise FileFormatError(f"{name} is damaged JSON: {place}; {allowed}") from None
        raise


def record_of(data: Any, name: str) -> Mechanism | Result:
    """Return the mechanism or the result that a JSON value holds; ``name`` says where it stands.

    Raises:
        FileFormatError: the value is neither, or its fields contradict each other.
    """
    if isinstance(data, Mapping) and "result" not in data and set(data) & set(Mechanism.FORMS):
        return Mechanism.from_dict(data)
    kind = data.get("result") if isinstance(data, Mapping) else None
    if isinstance(kind, str) and (home := RESULTS.get(kind) or known_results().get(kind)):
        made: Result = getattr(import_module(home), kind).from_dict(data)
        return made
    told = f"the keys {shown(list(data))}" if isinstance(data, Mapping) else shown(data)
    told = told if kind is None else f"the result {shown(kind)}"
    if isinstance(data, Mapping) and {"error", "kind"} <= set(data):
        told = f"the error of a command, {shown(data['error'])}"
    raise FileFormatError(
        f"{name} contains no result that is known: received {told}; allowed is what to_json, Certificate.save or a "
        "command (as JSON) wrote about a result, a mechanism or a certificate; run the command again"
    )
