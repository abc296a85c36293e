"""The inputs of a table: files, streams, and folders of files, with partitions given by the names of the folders."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from glob import glob, has_magic
from itertools import chain, islice
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from rropt.core.errors import FileAccessError, FileFormatError, InvalidParameterError, shown
from rropt.core.files import shown_path
from rropt.core.files.streams import standard_input, stream
from rropt_fieldwork.reading.files_in_memory import file_in_memory
from rropt_fieldwork.reading.formats import START
from rropt_fieldwork.reading.sources import Input

MOST_FILES = 10_000
MOST_DEPTH = 16  # the largest depth of nested folders
_NO_VALUE = "__HIVE_DEFAULT_PARTITION__"
_PLAIN = re.compile(r"[\w./ +,:;=@~%&#()'-]*")  # paths without characters that DuckDB treats as a pattern


def paths_of(data: object) -> list[str]:
    """Return one or several paths as a list; empty for other data."""
    listed = data if isinstance(data, (list, tuple)) else [data]
    return list(map(os.fspath, listed)) if all(isinstance(each, str | os.PathLike) for each in listed) else []


def is_stream(path: str) -> bool:
    """Return whether a path is standard input or a pipe, which can be read once only."""
    try:
        return path == "-" or stat.S_IFMT(os.stat(path).st_mode) not in (stat.S_IFREG, stat.S_IFDIR)  # noqa: PTH116
    except (OSError, ValueError):
        return False


def inputs_of(data: Any, stack: ExitStack) -> list[Input]:
    """Return the input files of one or several paths; empty if the data are not a path. Streams are read to their end.

    Raises:
        FileAccessError: a file does not exist, or cannot be opened.
        FileFormatError: a folder contains no files, or links.
        InvalidParameterError: a file is named twice.
    """
    every = chain.from_iterable(_inputs(path, stack) for path in paths_of(data))
    found = list(islice(every, MOST_FILES + 1))
    if len(found) > MOST_FILES:
        raise FileFormatError(f"the files are too many: received more than {MOST_FILES}; join some")
    real = [os.path.realpath(each.path) for each in found]
    known = {path if os.path.exists(path) else each.name for path, each in zip(real, found, strict=True)}  # noqa: PTH110
    if len(known) < len(found):  # a stream has a name, but no path outside of memory
        raise InvalidParameterError("a file is named twice: its respondents would count twice; name each file once")
    return found


def _inputs(path: str, stack: ExitStack) -> Iterator[Input]:
    if path == "-":
        yield _input_of_stream("standard input", standard_input(), stack)
        return
    try:
        mode = os.stat(path).st_mode  # noqa: PTH116  # the text may not be a valid path
        if stat.S_ISREG(mode):
            yield _file(path, stack)
        elif stat.S_ISDIR(mode):
            yield from _folder(path, stack)
        else:
            name = shown_path(path)
            if stat.S_ISBLK(mode):
                raise FileAccessError(f"data cannot be read: {name} is a disk; name a file on it")
            yield _input_of_stream(name, stream(path), stack)
    except (OSError, ValueError) as error:  # ValueError: a null character in the path
        if isinstance(error, FileFormatError):
            raise
        raise unreadable(path, error) from None


def unreadable(path: str, error: Exception) -> FileAccessError:
    """Return the error for a path that cannot be opened."""
    reason = getattr(error, "strerror", None) or "no such file can be"
    advice = "name a file, or - for standard input"
    if has_magic(path) and isinstance(error, FileNotFoundError):
        advice = "to read all files that fit the pattern, add `glob=True`"
    return FileAccessError(f"data cannot be read: {shown_path(path)}: {reason}; {advice}")


def _input_of_stream(name: str, chunks: Iterator[bytes], stack: ExitStack) -> Input:
    path = file_in_memory(chunks, stack, name=name)
    return Input(name, path, first_bytes(path))


def _file(path: str, stack: ExitStack) -> Input:
    name, start = shown_path(path), first_bytes(path)
    folder, last = os.path.split(path)
    # a path with a scheme, such as http://, becomes a local path; DuckDB would cut link/.. out of a path as text
    path = os.path.join(os.path.realpath(folder), last)  # noqa: PTH118
    if not _PLAIN.fullmatch(path) and os.path.isdir("/proc/self/fd"):  # noqa: PTH112
        handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)  # this path is never treated as a pattern
        stack.callback(os.close, handle)
        path = f"/proc/self/fd/{handle}"
    return Input(name, path, start)


def first_bytes(path: str, size: int = START) -> bytes:
    """Return the first bytes of a file, which identify its format, or the encoding of a text.

    Raises:
        FileAccessError: the file cannot be read.
    """
    try:
        with Path(path).open("rb") as opened:
            return opened.read(size)
    except (OSError, ValueError) as error:  # ValueError: a null character in the path
        raise unreadable(path, error) from None


def _folder(path: str, stack: ExitStack) -> Iterator[Input]:
    """Yield the files in a folder and its subfolders, in the order of their names, without hidden files."""
    name, file = shown_path(path), ""
    for file, steps in _files(path, ()):
        if os.path.islink(file):  # noqa: PTH114
            raise FileFormatError(
                f"a folder contains a link: {shown_path(file)}; only regular files in the folder are read; name the "
                f"files"
            )
        parts = [step.partition("=") for step in steps if "=" in step]
        if any("\ud800" <= sign <= "\udfff" for sign in "".join(map("".join, parts))):
            raise FileFormatError(
                f"a folder name that states a value is not in UTF-8: received {shown_path(file)}; rename the folder"
            )
        partition = tuple((unquote(key), None if value == _NO_VALUE else unquote(value)) for key, _, value in parts)
        yield replace(_file(file, stack), partition=partition, whole=name)
    if not file:
        raise FileAccessError(
            f"data cannot be read: {name} is a folder without files; name a file, or a folder of files"
        )


def _files(path: str, steps: tuple[str, ...]) -> Iterator[tuple[str, tuple[str, ...]]]:
    if len(steps) > MOST_DEPTH:
        raise FileFormatError(
            f"folders are nested too deeply: received {shown_path(path)}; allowed are {MOST_DEPTH} levels"
        )
    for entry in sorted(os.scandir(path), key=lambda each: each.name):
        if entry.name == "_delta_log":
            raise FileFormatError(
                f"data are of a format that is not read: {shown_path(path)} is a Delta table; save it as Parquet or CSV"
            )
        if entry.name.startswith((".", "_")):
            continue
        if entry.is_dir(follow_symlinks=False):
            if "=" not in entry.name:
                raise FileAccessError(
                    f"data cannot be read: {shown_path(entry.path)} is a folder in a folder, and its name is not a key "
                    "and a value, such as region=north; name the files, or give a pattern (`glob=True`)"
                )
            yield from _files(entry.path, (*steps, entry.name))
        elif entry.is_symlink() or entry.is_file():
            yield entry.path, steps
        else:
            raise FileFormatError(
                f"a folder contains something that is not a file: {shown_path(entry.path)}; remove it from the folder"
            )


def files_of(data: Any) -> list[str]:
    """Return the regular files that a table is read from, including those in folders."""
    found = []
    for path in paths_of(data):
        if os.path.isdir(path):  # noqa: PTH112
            found += [file for file, _ in _files(path, ())]
        else:
            found.append(path)
    return found


def matching_files(patterns: Sequence[str]) -> list[str]:
    """Return the files that match patterns such as ``wave-*.csv`` or ``data/**/*.parquet``, sorted by name.

    Raises:
        FileAccessError: no file matches one of the patterns.
    """
    found: list[str] = []
    for pattern in patterns:
        own = [path for path in sorted(glob(pattern, recursive=True)) if os.path.isfile(path)]  # noqa: PTH113, PTH207
        if not own:
            raise FileAccessError(
                f"data cannot be read: no file fits the pattern {shown(pattern)}; quote it, so the shell does not "
                "expand it"
            )
        found += own
    return list(dict.fromkeys(found))
