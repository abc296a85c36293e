"""The identity of a mechanism, a hash that is stored in counts of its responses and in its clients."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rropt.mechanisms.mechanism import Mechanism


def hash_of(mechanism: Mechanism) -> str:
    """Return SHA-256 of the JSON of a mechanism without its names, in hexadecimal digits.

    >>> from rropt.mechanisms.families import AllSubsets, BlockMechanism
    >>> hash_of(BlockMechanism(AllSubsets(5, 2), 3)) == hash_of(BlockMechanism(AllSubsets(5, 2), 3).named("sets"))
    True
    """
    written = json.dumps(mechanism.form(), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(written.encode()).hexdigest()
