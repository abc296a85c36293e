"""Pictures as files: PNG, SVG or PDF, the same bytes for the same picture, written whole or not at all."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rropt.errors import InvalidParameterError, shown
from rropt.files import write_bytes
from rropt.plots.styles import MAX_DPI, MIN_DPI, plain_settings

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FORMATS = ("png", "svg", "pdf")

# text stays text (searchable, and set in the reader's font where it is missing); no date and no random name inside
_SETTINGS: Any = {"svg.fonttype": "none", "svg.hashsalt": "rropt", "pdf.fonttype": 42}
_NO_DATE: dict[str, dict[str, Any]] = {"png": {}, "svg": {"Date": None}, "pdf": {"CreationDate": None}}
_DESCRIPTION = {"png": "Description", "svg": "Description", "pdf": "Subject"}


def save(figure: Figure, path: str | os.PathLike[str], *, dpi: int | None = None) -> None:
    """Write a picture to a file whose ending says how: ``.png``, ``.svg`` or ``.pdf``.

    Args:
        figure: as ``rropt.plots`` returns it.
        path: where to; a file of that name is replaced when the new one is complete.
        dpi: dots per inch of a PNG, 30 to 1200; the figure's own when left out.

    Raises:
        InvalidParameterError: another ending, or a dpi out of range.
        FileFormatError: the file cannot be written.
    """
    kind = format_of(path)
    write_bytes(path, picture_bytes(figure, kind, dpi=dpi))


def format_of(path: str | os.PathLike[str]) -> str:
    """Return the format that a file name asks for."""
    kind = Path(path).suffix.lower().removeprefix(".")
    if kind not in FORMATS:
        raise InvalidParameterError(
            f"the picture's format is unknown: received {shown(str(path))}; "
            f"allowed are names that end in {', '.join('.' + name for name in FORMATS)}"
        )
    return kind


def picture_bytes(figure: Figure, kind: str, *, dpi: int | None = None) -> bytes:
    """Return the picture in one of ``FORMATS``; equal pictures give equal bytes."""
    import matplotlib

    if dpi is not None and not (isinstance(dpi, int) and MIN_DPI <= dpi <= MAX_DPI):
        raise InvalidParameterError(
            f"dpi is out of range: received {shown(dpi)}; allowed is an integer from {MIN_DPI} to {MAX_DPI}"
        )
    buffer = io.BytesIO()
    metadata = {"Title": "rropt", _DESCRIPTION[kind]: str(figure.get_label()), **_NO_DATE[kind]}
    with plain_settings(), matplotlib.rc_context(_SETTINGS):
        figure.savefig(buffer, format=kind, dpi=figure.dpi if dpi is None else dpi, metadata=metadata)
    return buffer.getvalue()
