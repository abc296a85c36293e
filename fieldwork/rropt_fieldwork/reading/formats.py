"""File formats, detected by their first bytes: supported formats, and formats that are rejected by name."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Literal

from rropt.core.errors import FileFormatError

START = 4096  # the number of bytes that determine the format

PACKED = ("gzip", "zstd", "zip")
DATABASES = ("sqlite", "duckdb")

_UNPACK = "unpack it first"
_TABLE = "save its table as CSV or Parquet"
_CODE = "it can run code, and is never read; save the table as CSV or Parquet"
_PRINTED = "it contains no table that can be read; save the table as CSV"


# The formats other than text (CSV and JSON): the position and the pattern of the bytes that identify a format, its
# name, and how to convert such a file; "" for a format that is read.
_FORMATS = (
    (0, rb"PAR1(?![,;|\t\r\n\"])", "parquet", ""),  # not the header of a text file
    (0, rb"ARROW1(?![,;|\t\r\n\"])", "feather", ""),
    (0, rb"\x1f\x8b", "gzip", ""),
    (0, rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18", "zstd", ""),
    (0, rb"PK\x03\x04|PK\x05\x06", "zip", ""),
    (0, rb"SQLite format 3\x00", "sqlite", ""),
    (0, rb"\$FL2", "spss", ""),
    (0, rb"<stata_dta>|[\x69-\x73][\x01\x02]\x01\x00", "stata", ""),
    (8, rb"DUCK[\x00-\xff]{2}\x00{6}", "duckdb", ""),
    (0, rb"\xd0\xcf\x11\xe0", "an old Excel file (.xls) or document of Office", "save it as .xlsx or CSV"),
    (0, rb"BZh[1-9](1AY&SY|\x17rE8P)", "packed with bzip2", _UNPACK),
    (0, rb"\xfd7zXZ\x00", "packed with xz", _UNPACK),
    (0, rb"\x04\x22\x4d\x18", "packed with LZ4", _UNPACK),
    (0, rb"7z\xbc\xaf\x27\x1c", "a 7-Zip archive", _UNPACK),
    (0, rb"Rar!\x1a\x07", "a RAR archive", _UNPACK),
    (0, rb"\x1f[\x9d\xa0]", "packed with compress (.Z)", _UNPACK),
    (257, rb"ustar", "a tar archive", _UNPACK),
    (0, rb"\xff\xff\xff\xff[\x00-\xff]{2}\x00\x00", "an Arrow stream", "save it as Feather or Parquet"),
    (0, rb"ORC\n?[\x00-\x08\x0e-\x1f\x7f]", "an ORC file", _TABLE),
    (0, rb"Obj\x01", "an Avro file", _TABLE),
    (0, rb"\x89HDF\r\n\x1a\n", "an HDF5 file", _TABLE),
    (0, rb"CDF[\x01\x02\x05]", "a NetCDF file", _TABLE),
    (0, rb"\$FL3", "a packed SPSS file (.zsav)", "save it as .sav"),
    (0, rb"[\x00-\xff]{0,200}ASCII SPSS PORT FILE", "an SPSS portable file (.por)", _TABLE),
    (0, rb"\x00{12}\xc2\xea\x81\x60\xb3\x14\x11\xcf", "a SAS file (.sas7bdat)", _TABLE),
    (0, rb"HEADER RECORD\*{7}", "a SAS transport file (.xpt)", _TABLE),
    (0, rb"RD[AXB][23]\n|[XA]\n\x00{3}[\x02\x03]", "an R file (.rds, .RData)", "save it with write.csv"),
    (0, rb"MATLAB 5\.0 MAT-file", "a MATLAB file (.mat)", _TABLE),
    (0, rb"\x93NUMPY", "a NumPy array (.npy)", "give its table as CSV, or in Python as a dict of arrays"),
    (0, rb"\x80[\x02-\x05][\x00-\xff]*[\x00-\x1f\x7f-\xff]", "a Python pickle", _CODE),
    (4, rb"Standard (Jet|ACE) DB", "an Access database", _TABLE),
    (0, rb"%PDF-", "a PDF document", _PRINTED),
    (0, rb"\x89PNG|\xff\xd8\xff|GIF8[79]a|II\*\x00|MM\x00\*|RIFF....WEBP", "a picture", _PRINTED),
    (0, rb"\{\\rtf", "an RTF document", _PRINTED),
    (0, rb"%!PS", "a PostScript document", _PRINTED),
    (0, rb"\x7fELF|MZ[\x00-\xff]{2}\x00|\xca\xfe\xba\xbe|\x00asm", "a program", "name the file of the answers"),
    (0, rb"(?i)\s*<(!doctype html|html\b)", "a page of HTML", "download the file itself"),
    (0, rb"\s*<\?xml|\s*<svg\b", "an XML document", _TABLE),
)  # fmt: skip

# Formats that are zip archives (Office documents and others), identified by the name of a member.
_ARCHIVES = (
    (re.compile(r"xl/workbook\.bin"), "a binary workbook (.xlsb)", "save it as .xlsx or CSV"),
    (re.compile(r"word/document\.xml"), "a Word document", "save its table as CSV"),
    (re.compile(r"ppt/presentation\.xml"), "a PowerPoint document", "save its table as CSV"),
    (re.compile(r"mimetype"), "an OpenDocument file (.ods, .odt) or an e-book", "save it as .xlsx or CSV"),
    (re.compile(r"Index/Document\.iwa"), "a file of Numbers or Pages", "save it as .xlsx or CSV"),
    (re.compile(r"META-INF/MANIFEST\.MF"), "a Java archive", "name the file of the answers"),
    (re.compile(r".+\.npy"), "a NumPy archive (.npz)", "give its table as CSV, or in Python as a dict of arrays"),
)


def format_of(start: bytes, name: str) -> str:
    """Return the format of a file: a supported format, or ``text`` if no format is detected.

    Args:
        start: the first ``START`` bytes of the file.
        name: the name of the file in messages.

    Raises:
        FileFormatError: the format is known but not supported; the message names it.
    """
    for at, magic, known, advice in _FORMATS:
        if re.compile(magic, re.DOTALL).match(start, at):
            if advice:
                raise refused(name, known, advice)
            return known
    return "text"


def archive_of(members: list[str], name: str) -> str:
    """Return the type of a zip file, ``excel`` or ``zip``, from the names of its members.

    Raises:
        FileFormatError: the format is known but not supported; the message names it.
    """
    if "xl/workbook.xml" in members:
        return "excel"
    for member, known, advice in _ARCHIVES:
        if any(member.fullmatch(each) for each in members):
            raise refused(name, known, advice)
    return "zip"


def refused(name: str, known: str, advice: str) -> FileFormatError:
    """Return the error for a format that is not supported."""
    return FileFormatError(
        f"data are of a format that is not read: {name} is {known}; allowed are CSV, JSON, Parquet, Feather, "
        f"Excel (.xlsx), Stata, SPSS, DuckDB and SQLite, also packed with gzip, zstd or zip; {advice}"
    )


JsonForm = Literal["lines", "array", "other"]
_ARRAY = re.compile(rb"\[\s*(\{\s*[\"}]|\]\s*$)")


def json_form(sample: bytes) -> JsonForm | None:
    """Return the form of a text that is JSON: one object on each line, an array of objects, or another form.

    ``other`` may also be CSV whose header begins with a bracket. ``None``: the text is not JSON.
    """
    text = sample.removeprefix(b"\xef\xbb\xbf").lstrip()
    if text[:1] not in (b"{", b"["):
        return None
    if _ARRAY.match(text):
        return "array"
    first = text.split(b"\n", 1)[0].strip()
    try:
        return "lines" if isinstance(json.loads(first), dict) else "other"
    except (ValueError, RecursionError):
        return "other"


def other_json(name: str) -> FileFormatError:
    """Return the error for JSON that is no table of objects."""
    return FileFormatError(
        f"data are JSON of another form: {name} contains one document; write each respondent as an object, one in each "
        'line or all of them as an array, [{"sick": "no"}, {"sick": "yes"}], or save the table as CSV'
    )


_COUNTS = b'{"result": "AggregatedCounts"'


def is_counts(path: Any) -> bool:
    """Return whether a regular file starts like a file of counts; pipes are not read."""
    try:
        if not Path(path).is_file():
            return False
        with open(path, "rb") as stream:  # noqa: PTH123  # path-like objects and file descriptors are allowed
            return stream.read(len(_COUNTS)) == _COUNTS
    except (OSError, TypeError, ValueError):
        return False
