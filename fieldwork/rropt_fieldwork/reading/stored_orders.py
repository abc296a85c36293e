"""The order of the levels of ordered columns that Arrow stores in files: Parquet and Feather, read with pyarrow.

pandas, Polars and R write ordered categories as dictionaries of Arrow. DuckDB reads their texts alone.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable, Iterator, Mapping
from importlib.util import find_spec
from typing import Any

from rropt.core.normal_form import normal, text_of

_SCHEMA = b"ARROW:schema"


def may_have_orders(metadata: Mapping[bytes, bytes], created_by: str) -> bool:
    """Return whether a Parquet file may have ordered columns, by its metadata, so that pyarrow is worth its import.

    Args:
        metadata: the keys and values of the file.
        created_by: the library that wrote it.
    """
    if _SCHEMA not in metadata or find_spec("pyarrow") is None:
        return False
    if b"pandas" in metadata:
        return b'"categorical"' in metadata[b"pandas"]
    if "polars" not in created_by.lower():
        return True
    try:
        return b"_PL_ENUM" in base64.b64decode(metadata[_SCHEMA])
    except binascii.Error:
        return False


def orders_in_parquet(path: str) -> dict[str, tuple[str, ...]]:
    """Return the order of the levels of ordered columns of a Parquet file, by the normal forms of their names."""
    from pyarrow import parquet

    with parquet.ParquetFile(path) as file:
        if not file.num_row_groups:
            return {}
        places = list(_ordered(file.schema_arrow))
        chosen = [file.schema_arrow.field(place).name for place in places]
        batch = next(file.iter_batches(batch_size=1, columns=chosen), None) if chosen else None
        return {} if batch is None else _orders(batch, _ordered(batch.schema))


def orders_in_feather(path: str) -> dict[str, tuple[str, ...]]:
    """Return the order of the levels of ordered columns of a Feather file, by the normal forms of their names."""
    from pyarrow import ipc, memory_map

    with memory_map(path) as stream, ipc.open_file(stream) as file:
        places = list(_ordered(file.schema))
        return _orders(file.get_batch(0), places) if places and file.num_record_batches else {}


def _ordered(schema: Any) -> Iterator[int]:
    """Yield the places of the ordered columns."""
    return (place for place, own in enumerate(schema.types) if getattr(own, "ordered", False))


def _orders(batch: Any, places: Iterable[int]) -> dict[str, tuple[str, ...]]:
    found = {batch.schema.field(place).name: batch.column(place).dictionary.to_pylist() for place in places}
    return {normal(name): tuple(map(text_of, levels)) for name, levels in found.items() if levels}
