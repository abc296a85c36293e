"""Names of the parts of the data (shards) in files of counts."""

from __future__ import annotations

from typing import Any

from rropt.core.errors import InvalidParameterError, shown

_LONGEST_SHARD = 64


def is_shard(name: object) -> bool:
    """Return whether a value is a valid shard name: 1 to 64 printable characters."""
    return isinstance(name, str) and name.isprintable() and 0 < len(name) <= _LONGEST_SHARD


def shard_name(shard: str | None, digest: Any) -> str:
    """Return the given shard name after checking it; by default, 16 digits of the hash of the data."""
    name: str = digest.hexdigest()[:16] if shard is None else shard
    if not is_shard(name):
        raise InvalidParameterError(
            f"the name of the shard is no text of 1 to {_LONGEST_SHARD} printable characters: received {shown(shard)}"
        )
    return name
