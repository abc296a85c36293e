"""Commands of other packages, from the entry-point group ``rropt.commands``.

The name of an entry point is the command, with a dot instead of the space (``design.device``). Its value is a
module with ``COMMAND`` and ``run``, as those of ``rropt.cli``. The file ``commands.json`` beside the module has its
line in ``rropt --help``: ``{"TITLE": {"COMMAND": "what it is for"}}``, in the order of the help. ``rropt_fieldwork``
adds its commands so. A look-up of entry points takes some 20 ms. It is made once, for the help, for words that the
engine does not know, and for FILE.
"""

from __future__ import annotations

import json
import sys
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from rropt.core.errors import InvalidParameterError

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
            for title, lines in json.loads(file.read_text(encoding="utf-8")).items():
                if words in lines:
                    return list(lines).index(words), title, str(lines[words])
    return 0, _UNTITLED, f"of the package {_owner(entry)}"
