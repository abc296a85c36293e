"""Parts of all files of counts: names of shards, whole numbers, and mechanisms whose responses are sets."""

from __future__ import annotations

from typing import Any

from rropt.core.errors import InvalidParameterError, shown
from rropt.mechanisms import Mechanism, OrbitMechanism
from rropt.mechanisms.families import AllSubsets, BlockMechanism, MembershipMechanism

_LONGEST_SHARD = 64


def as_memberships(mechanism: Mechanism) -> MembershipMechanism | None:
    """Return a mechanism whose responses are sets as one that counts memberships; None of other mechanisms.

    Subset selection given by one orbit of one group is that of all subsets of its size.
    """
    if isinstance(mechanism, MembershipMechanism):
        return mechanism
    if isinstance(mechanism, OrbitMechanism) and len(mechanism.groups) == len(mechanism.orbits) == 1:
        (values,) = mechanism.orbits[0]
        if len(values) == 2 and values[0][0] != values[1][0] and mechanism.inputs > 2 and min(values)[0] > 0:
            (low, _), (high, size) = sorted(values)
            return BlockMechanism(AllSubsets(mechanism.inputs, size), high / low)
    return None


def whole_of(number: Any, digits: int = 18) -> Any:
    """Return a number of a file, which is read as written, as an integer; return any other value unchanged."""
    is_whole = isinstance(number, str) and number.isascii() and number.isdigit() and len(number) <= digits
    return int(number) if is_whole else number


def is_shard(name: object) -> bool:
    """Return whether a value is the name of a part: 1 to 64 printable characters."""
    return isinstance(name, str) and name.isprintable() and 0 < len(name) <= _LONGEST_SHARD


def shard_name(shard: str | None, digest: Any) -> str:
    """Return the name of a part: the one that is given, or 16 digits of the hash of its data."""
    name: str = digest.hexdigest()[:16] if shard is None else shard
    if not is_shard(name):
        raise InvalidParameterError(
            f"the name of the shard is no text of 1 to {_LONGEST_SHARD} printable characters: received {shown(shard)}"
        )
    return name
