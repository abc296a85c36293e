"""Files: read untrusted text with limits and without evaluation; write files atomically."""

from rropt.core.files.reading import (
    Content,
    looks_like_json,
    parse_content,
    parse_csv,
    parse_json,
    read_content,
    read_text,
    stream_bytes,
)
from rropt.core.files.resuming import is_named_by_content, journal, write_named_by_content
from rropt.core.files.targets import Target, require_distinct, require_folder, shown_path
from rropt.core.files.writing import being_filled, write_bytes, write_files, write_text

__all__ = [
    "Content",
    "Target",
    "being_filled",
    "is_named_by_content",
    "journal",
    "looks_like_json",
    "parse_content",
    "parse_csv",
    "parse_json",
    "read_content",
    "read_text",
    "require_distinct",
    "require_folder",
    "shown_path",
    "stream_bytes",
    "write_bytes",
    "write_files",
    "write_named_by_content",
    "write_text",
]
