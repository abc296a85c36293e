"""Targets: resolve an output path and decide whether it can be written, before any work is done."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from rropt.core.errors import FileAccessError, InvalidParameterError, shown, shown_path

_ADVICE = "name a file in an existing folder that is writable"
_FOLDER_ADVICE = "name a folder, new or existing, that is writable"

_STANDARD_STREAMS = (1, 2)  # descriptors of standard output and standard error


@dataclass(frozen=True, slots=True)
class Target:
    """The file or device to which an output path leads.

    Attributes:
        name: the path as received.
        file: the path with all links resolved. This file is replaced, so links remain links.
        found: the status of the existing file; ``None`` if there is no file yet.
    """

    name: str
    file: Path
    found: os.stat_result | None

    @classmethod
    def of(cls, path: str | os.PathLike[str]) -> Target:
        """Return the target of a path; raise an error if it cannot be written.

        Raises:
            FileAccessError: the path is a folder, its parent folder is missing or closed, permission is denied, or it
                is not a path.
        """
        name = path_text(path)
        with can_be_written(name):
            name = os.fsdecode(path)
            _require_name(name)
            target = cls(name, Path(os.path.realpath(name)), _status(name))
            target._require_permission()
        return target

    @property
    def is_file(self) -> bool:
        """Whether the target is, or will be, a regular file to which no standard stream writes."""
        return self.found is None or (stat.S_ISREG(self.found.st_mode) and self.stream is None)

    @property
    def stream(self) -> int | None:
        """The descriptor of the standard stream that writes there, as for ``/dev/stdout``; usually ``None``."""
        if self.found is not None and (stat.S_ISREG(self.found.st_mode) or stat.S_ISSOCK(self.found.st_mode)):
            for descriptor in _STANDARD_STREAMS:
                try:
                    if os.path.samestat(os.fstat(descriptor), self.found):
                        return descriptor
                except OSError:  # the stream is closed
                    continue
        return None

    @property
    def identity(self) -> object:
        """An identity shared by all names of a file; ``None`` for a character device, which takes any number."""
        if self.found is None:
            return str(self.file)
        return None if stat.S_ISCHR(self.found.st_mode) else (self.found.st_dev, self.found.st_ino)

    def _require_permission(self) -> None:
        if self.found is None:
            _require_open_folder(self.name, self.file)
        elif stat.S_ISDIR(self.found.st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        elif self.stream is None and stat.S_ISSOCK(self.found.st_mode):
            raise OSError(errno.ENXIO, "a socket is no file")
        elif self.stream is None and not os.access(self.name, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


def require_distinct(outputs: Iterable[tuple[str, Target]], inputs: Iterable[tuple[str, str]] = ()) -> None:
    """Raise an error if two outputs are the same file, or if an output is also an input.

    Args:
        outputs: the name of each output in a message, such as ``"--report"``, and its target.
        inputs: the name of each input in a message, and its path; a value that is not an existing path is ignored.

    Raises:
        InvalidParameterError: two outputs are the same file, or an output is also an input.
    """
    taken: dict[object, tuple[str, Target]] = {}
    for title, target in outputs:
        other = taken.setdefault(target.identity, (title, target))
        if other[1] is not target and target.identity is not None:
            raise InvalidParameterError(
                f"{other[0]} and {title} name the same file: received {shown_path(other[1].name)} and "
                f"{shown_path(target.name)}; each output needs a file of its own; give another name to one of them"
            )
    for title, path in inputs:
        try:
            read = os.stat(path)  # noqa: PTH116  # the text may be no path at all
        except (OSError, ValueError):
            continue
        if not stat.S_ISCHR(read.st_mode) and (read.st_dev, read.st_ino) in taken:
            writer, target = taken[read.st_dev, read.st_ino]
            raise InvalidParameterError(
                f"{writer} is the input itself: received {shown_path(target.name)}, which is the file of {title}; "
                "it would replace what is read, perhaps the only copy; name another file"
            )


def require_apart(outputs: Iterable[tuple[str, Target]], folders: Iterable[tuple[str, str]]) -> None:
    """Raise an error if an output file has the name of an output folder, or of a folder above it.

    Args:
        outputs: the name of each output file in a message, and its target.
        folders: the name of each output folder in a message, and its path.

    Raises:
        InvalidParameterError: a name stands for a file and for a folder.
    """
    for title, path in folders:
        try:
            folder = Path(os.path.realpath(path))
        except (OSError, ValueError):  # no path, for example with a null character: `require_folder` refuses it
            continue
        for other, target in outputs:
            if target.file == folder or target.file in folder.parents:
                raise InvalidParameterError(
                    f"{other} and {title} need one name for a file and for a folder: received "
                    f"{shown_path(target.name)} and {shown_path(path)}; give another name to one of them"
                )


def require_folder(path: str | os.PathLike[str]) -> None:
    """Raise an error unless the output folder exists or can be created, and is writable.

    Raises:
        FileAccessError: a file has that name, or permission is denied.
    """
    name = path_text(path)
    with can_be_written(name, _FOLDER_ADVICE):
        _require_name(name)
        if not name:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
        folder = Path(os.path.realpath(name))
        while not _is_there(folder) and folder != folder.parent:
            folder = folder.parent
        if not stat.S_ISDIR(folder.stat().st_mode):
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
        if not os.access(folder, os.W_OK | os.X_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


def _is_there(path: Path) -> bool:
    """Return whether the path exists; an invalid path, for example one that is too long, raises an error."""
    try:
        path.lstat()
    except FileNotFoundError:
        return False
    return True


@contextmanager
def can_be_written(name: str, advice: str = _ADVICE) -> Iterator[None]:
    """Turn an error of the system about a path into ``FileAccessError``, which names the path and gives advice."""
    try:
        yield
    except (OSError, ValueError, TypeError) as error:  # a null character in the path, or no path at all
        if isinstance(error, FileAccessError):
            raise
        reason = getattr(error, "strerror", None) or error
        raise FileAccessError(f"cannot write {shown_path(name)}: {reason}; {advice}") from None


def path_text(path: object) -> str:
    """Return the text of a path, or of a value that is no path, for a message."""
    return str(path) if isinstance(path, (str, os.PathLike)) else shown(path)


def _status(name: str) -> os.stat_result | None:
    """Return the status of the file at a path, ``None`` if there is no file yet."""
    try:
        return os.stat(name)  # noqa: PTH116  # a Path drops the slash at the end
    except FileNotFoundError:
        return None


def _require_name(name: str) -> None:
    """Refuse ``-``: standard output has the result, and a file of that name is rarely meant."""
    if name == "-":
        raise OSError(errno.EINVAL, "it is no file: /dev/stdout is standard output, ./- a file of this name")


def _require_open_folder(name: str, file: Path) -> None:
    """Require that a new file can be created; writing through a dangling link creates the file to which it points."""
    if not name:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
    above = file.parent if os.path.islink(name) else os.path.dirname(name) or os.curdir  # noqa: PTH114, PTH120  # as is
    if not stat.S_ISDIR(os.stat(above).st_mode):  # noqa: PTH116  # "missing/../file" is no file, though a Path says so
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
    if not os.access(above, os.W_OK | os.X_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
