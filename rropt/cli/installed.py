"""Commands of other packages, from the entry-point group ``rropt.commands``.

The name of an entry point is the command, with a dot instead of the space (``design.device``). Its value is a
module with ``COMMAND`` and ``run``, as those of ``rropt.cli``. The file ``commands.json`` beside the module has its
line in ``rropt --help``: ``{"TITLE": {"COMMAND": "what it is for"}}``, in the order of the help. A package without
this file has a line that names the package. ``rropt_fieldwork`` adds its commands so.

A look-up of entry points takes some 20 ms. It is made once, for the help, for words that the engine does not know, and
for FILE.
"""

from __future__ import annotations

import sys
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from rropt.core.errors import FileFormatError, InvalidParameterError, shown_with_type
from rropt.core.visible import with_noun

GROUP = "rropt.commands"
_UNTITLED = "Of other packages"
_KNOWN: dict[tuple[tuple[Path, int], ...], Any] = {}  # the entry points of all groups, while no folder changes


def entry_points_of(group: str) -> dict[str, EntryPoint]:
    """Return the entry points of a group by name.

    Raises:
        InvalidParameterError: two packages have the same name.
    """
    found: dict[str, EntryPoint] = {}
    changed = tuple((folder, folder.stat().st_mtime_ns) for folder in map(Path, sys.path) if folder.exists())
    if changed not in _KNOWN:
        _KNOWN.clear()
        _KNOWN[changed] = entry_points()
    for each in _KNOWN[changed].select(group=group):
        other = found.setdefault(each.name, each)
        if other.value != each.value:
            raise InvalidParameterError(
                f"two packages have {each.name!r} of {group}: received {_owner(other)} and {_owner(each)}; uninstall "
                "one of them"
            )
    return found


def loaded(entry: EntryPoint) -> Any:
    """Import the object that an entry point names.

    Raises:
        InvalidParameterError: it cannot be imported.
    """
    try:
        return entry.load()
    except (ImportError, AttributeError) as error:
        raise InvalidParameterError(
            f"{entry.name!r} of the package {_owner(entry)} cannot be imported: received {error}; install it again"
        ) from error


def _owner(entry: EntryPoint) -> str:
    return entry.dist.name if entry.dist is not None else entry.value


@cache
def installed_commands(command: str = "") -> dict[str, dict[str, tuple[str, str]]]:
    """Return the commands of other packages, or their subcommands of a command.

    Args:
        command: the command whose subcommands are returned; empty for the commands.

    Returns:
        For each title of the help its commands, each with its line in the help and its module.

    Raises:
        FileFormatError: the file ``commands.json`` of a package is malformed.
    """
    own = {name: each for name, each in entry_points_of(GROUP).items() if name.rpartition(".")[0] == command}
    described = {name: _described(each, name.replace(".", " ")) for name, each in own.items()}
    found: dict[str, dict[str, tuple[str, str]]] = {}
    for name, (_, title, line) in sorted(described.items(), key=lambda one: one[1][0]):
        found.setdefault(title, {})[name.rpartition(".")[2]] = (line, own[name].value)
    return found


def _described(entry: EntryPoint, words: str) -> tuple[int, str, str]:
    """Return the place, the title and the line of a command in the help, without importing its module."""
    parent = entry.module.rpartition(".")[0]
    try:
        spec = find_spec(parent) if parent else None
    except ImportError:
        spec = None
    for folder in (spec.submodule_search_locations or ()) if spec is not None else ():
        if (file := Path(folder, "commands.json")).is_file():
            return _line(file, words, _owner(entry))
    return 0, _UNTITLED, f"of the package {_owner(entry)}"


def _line(file: Path, words: str, package: str) -> tuple[int, str, str]:
    """Return the place, the title and the line that ``commands.json`` of a package has for a command.

    Raises:
        FileFormatError: the file is not of the form ``{"TITLE": {"COMMAND": "what it is for"}}``, or it has no line for
            the command, or several.
    """
    from rropt.core.files.reading import parse_json, read_text

    what = f"commands.json of the package {package}"
    form = (
        f'it must have the form {{"TITLE": {{"{words}": "what it is for"}}}}; correct the file, or uninstall {package}'
    )
    try:
        titles = parse_json(read_text(file, what=what), what=what)
    except FileFormatError as error:
        raise FileFormatError(f"{error}; {form}") from None
    if not isinstance(titles, dict):
        raise FileFormatError(f"{what} is not an object of titles: received {shown_with_type(titles)}; {form}")
    found = []
    for title, lines in titles.items():
        if not isinstance(lines, dict):
            raise FileFormatError(f"{what} has no commands below {title!r}: received {shown_with_type(lines)}; {form}")
        if words in lines:
            found.append((list(lines).index(words), title, lines[words]))
    if len(found) != 1:
        number = with_noun(len(found), "line") if found else "no line"
        raise FileFormatError(f"{what} has {number} for {words!r}: received {shown_with_type(titles)}; {form}")
    ((place, title, line),) = found
    if not isinstance(line, str) or not line.strip() or not line.isprintable():
        raise FileFormatError(f"{what} has no line of text for {words!r}: received {shown_with_type(line)}; {form}")
    return place, title, line
