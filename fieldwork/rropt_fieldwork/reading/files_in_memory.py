"""Files in memory that are never written to disk: streams, unpacked files, converted text.

A packed file of a few kilobytes can unpack to petabytes. The unpacked size is therefore limited, and so is its ratio to
the packed size.
"""

from __future__ import annotations

import gzip
import os
import sys
import zipfile
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, ExitStack
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO, cast

from rropt.core.errors import FileAccessError, FileFormatError, MissingExtraError
from rropt.core.visible import visible
from rropt_fieldwork.reading.formats import PACKED, archive_of
from rropt_fieldwork.reading.sources import damage_errors

MOST_HELD = 1 << 30  # the largest size of a file in memory, in bytes
MOST_RATIO = 200  # the largest ratio of unpacked to packed size; tables of responses have 5 to 50
FREE_OF_RATIO = 1 << 26  # bytes allowed at any ratio: a column of equal responses packs to a thousandth of its size
MOST_DIRECTORY = 1 << 24  # the largest size of the list of members of a zip file, in bytes
CHUNK = 1 << 20


def file_in_memory(
    chunks: Iterable[bytes], stack: ExitStack, *, packed: int | None = None, name: str = "the data"
) -> str:
    """Write chunks of bytes to a file in memory and return its path.

    Args:
        chunks: the bytes.
        stack: closes the file, which deletes it.
        packed: the size of the packed file that the bytes come from, if any.
        name: the name of the file in messages.

    Raises:
        FileFormatError: there are too many bytes.
    """
    if not hasattr(os, "memfd_create"):
        raise FileAccessError(
            f"{name} must be stored in memory, like all streams, packed files and text that is not UTF-8, and this "
            "system does not support that; name an unpacked file in UTF-8"
        )
    handle = os.memfd_create("rropt")
    stack.callback(os.close, handle)
    size = 0
    for chunk in chunks:
        size += len(chunk)
        if size > MOST_HELD:
            raise FileFormatError(
                f"the data are too large to be held in memory: {name} has more than {MOST_HELD >> 20} MiB, the limit "
                "for streams, packed files and text that is not UTF-8; name an unpacked file in UTF-8"
            )
        if packed is not None and size > max(FREE_OF_RATIO, MOST_RATIO * packed):
            raise FileFormatError(
                f"the data unpack to too much: {name} has {packed} bytes and unpacks to more than {MOST_RATIO} times "
                "as many; such files are often made to exhaust the memory; unpack it yourself if you trust it"
            )
        rest = memoryview(chunk)
        while rest:
            rest = rest[os.write(handle, rest) :]
    return f"/proc/self/fd/{handle}"


def unpacked_in_memory(path: str, packing: str, name: str, stack: ExitStack) -> str:
    """Unpack a packed file in memory and return the path of its content.

    Raises:
        FileFormatError: the file is damaged, contains no file or several, or is too large.
        MissingExtraError: the package that unpacks it is not installed.
    """
    size = Path(path).stat().st_size
    with Path(path).open("rb") as stream, _damage_errors(name, packing):
        chunks = iter(partial(_OPENED[packing](stream, name).read, CHUNK), b"")
        return file_in_memory(chunks, stack, packed=size, name=name)


def reading_package(form: str, package: str, name: str, advice: str) -> Any:
    """Import a package that reads a form of files.

    Args:
        form, package: the form of the file, and the package.
        name: the name of the file.
        advice: what to install, or what to do without the package.

    Raises:
        MissingExtraError: the package is not installed.
    """
    try:
        return import_module(package)
    except ImportError:
        raise MissingExtraError(f"{form} needs {package}, which is not installed: received {name}; {advice}") from None


def _damage_errors(name: str, packing: str) -> AbstractContextManager[None]:
    return damage_errors(name, f"or cut, as a file packed with {packing}", "unpack it")


def _opened_gzip(stream: BinaryIO, name: str) -> BinaryIO:
    return cast(BinaryIO, gzip.GzipFile(fileobj=stream))


def _opened_zstd(stream: BinaryIO, name: str) -> BinaryIO:
    if sys.version_info >= (3, 14):
        remedy = "use a Python that is built with zstd, or unpack it (unzstd)"
        reader = reading_package("zstd", "compression.zstd", name, remedy)
    else:
        remedy = "pip install 'rropt[fieldwork]', or unpack it (unzstd)"
        reader = reading_package("zstd", "backports.zstd", name, remedy)
    return cast(BinaryIO, reader.ZstdFile(stream))


def _archive(stream: BinaryIO, name: str) -> tuple[zipfile.ZipFile, list[zipfile.ZipInfo]]:
    """Open a zip file, and list its files without folders and without the metadata files of macOS.

    Raises:
        FileFormatError: the file is damaged, or has too many members.
    """
    with _damage_errors(name, "zip"):
        stream.seek(max(0, stream.seek(0, os.SEEK_END) - 66_000))
        end = stream.read()
        at = end.rfind(b"PK\x05\x06")
        if at >= 0 and int.from_bytes(end[at + 12 : at + 16], "little") > MOST_DIRECTORY:
            raise FileFormatError(f"the data have too many members: {name} is a zip file of many files; give one table")
        archive = zipfile.ZipFile(stream)
        listed = [each for each in archive.infolist() if not each.is_dir()]
    return archive, [
        each for each in listed if not each.filename.startswith("__MACOSX/") and not each.filename.endswith(".DS_Store")
    ]


def _opened_zip(stream: BinaryIO, name: str) -> BinaryIO:
    """Open the single file in a zip file."""
    archive, members = _archive(stream, name)
    if len(members) != 1:
        listed = ", ".join(visible(each.filename[:60]) for each in members[:5])
        raise FileFormatError(
            f"the data are not one table: {name} is a zip file of {len(members)} files"
            f"{': ' * bool(members)}{listed}{', ...' * (len(members) > 5)}; allowed is one; unpack it, and name the "
            "files that are meant"
        )
    if members[0].flag_bits & 1:
        raise FileFormatError(f"the data are encrypted: {name} is a zip file with a password; unpack it first")
    return cast(BinaryIO, archive.open(members[0]))


_OPENED: dict[str, Callable[[BinaryIO, str], BinaryIO]] = dict(
    zip(PACKED, (_opened_gzip, _opened_zstd, _opened_zip), strict=True)
)


def zip_format(path: str, name: str) -> str:
    """Return the type of a zip file, ``excel`` or ``zip``, and reject a workbook that unpacks to too much.

    Raises:
        FileFormatError: the file has another format, is damaged, or is too large. A ``zip`` file is not unpacked here.
    """
    with Path(path).open("rb") as stream:
        members = _archive(stream, name)[1]
        packed = stream.seek(0, os.SEEK_END)
    known, size = archive_of([each.filename for each in members], name), sum(each.file_size for each in members)
    if known == "excel" and size > min(MOST_HELD, max(FREE_OF_RATIO, MOST_RATIO * packed)):
        raise FileFormatError(
            f"the workbook unpacks to too much: {name} has {packed} bytes and unpacks to {size} bytes; "
            f"allowed are {MOST_HELD >> 20} MiB and {MOST_RATIO} times its size; save its sheet as CSV"
        )
    return known
