"""Left inverses of the mechanisms of independent questions."""

from __future__ import annotations

from collections.abc import Sequence

from rropt.core.errors import InfeasibleError
from rropt.mechanisms.columns import Matrix
from rropt.mechanisms.left_inverse import left_inverse, reference_population
from rropt.mechanisms.mechanism import Mechanism


def inverses_of(devices: Sequence[Mechanism]) -> list[Matrix]:
    """Return the left inverse of each device; equal devices are inverted only once.

    Raises:
        InfeasibleError: a device does not identify the distribution of its question.
    """
    found = {}
    for question, device in enumerate(devices):
        if device in found:
            continue
        try:
            found[device] = left_inverse(device, reference_population(device, None))
        except InfeasibleError as error:
            if len(devices) == 1:
                raise
            where = f"of the questions asked for, number {question} of {len(devices)} (from 0) says nothing"
            raise InfeasibleError(f"{where}: {error}") from None
    return [found[device] for device in devices]
