"""Files: read untrusted text with limits and without evaluation; write files atomically."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rropt.core.lazy import lazy_names

if TYPE_CHECKING:
    from rropt.core.errors import shown_path as shown_path
    from rropt.core.files.reading import Content as Content
    from rropt.core.files.reading import looks_like_json as looks_like_json
    from rropt.core.files.reading import parse_content as parse_content
    from rropt.core.files.reading import parse_csv as parse_csv
    from rropt.core.files.reading import parse_json as parse_json
    from rropt.core.files.reading import read_content as read_content
    from rropt.core.files.reading import read_text as read_text
    from rropt.core.files.reading import stream_bytes as stream_bytes
    from rropt.core.files.resuming import is_named_by_content as is_named_by_content
    from rropt.core.files.resuming import journal as journal
    from rropt.core.files.resuming import write_named_by_content as write_named_by_content
    from rropt.core.files.targets import Target as Target
    from rropt.core.files.targets import require_apart as require_apart
    from rropt.core.files.targets import require_distinct as require_distinct
    from rropt.core.files.targets import require_folder as require_folder
    from rropt.core.files.toml_reading import toml_values as toml_values
    from rropt.core.files.writing import being_filled as being_filled
    from rropt.core.files.writing import write_bytes as write_bytes
    from rropt.core.files.writing import write_files as write_files
    from rropt.core.files.writing import write_lines as write_lines
    from rropt.core.files.writing import write_text as write_text

__getattr__, __dir__, __all__ = lazy_names(__name__, __file__)
