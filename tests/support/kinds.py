"""Cases of refusal, each kind once in the gate: its neighbours, which reach the same code, run at full size.

A refusal has one writer, so that one case shows its words. test_wrong_inputs.py meets every option of every command.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any

import pytest


def first_of_each_kind(rows: Iterable[Sequence[Any]], *kinds: Callable[..., Hashable]) -> list[Any]:
    """Return the rows as parameters; those that are the first of no kind carry the mark ``full_size``."""
    met: list[set[Hashable]] = [set() for _ in kinds]
    found = []
    for row in rows:
        of_row = [kind(*row) for kind in kinds]
        is_first = any(kind not in known for kind, known in zip(of_row, met, strict=True))
        for kind, known in zip(of_row, met, strict=True):
            known.add(kind)
        found.append(pytest.param(*row, marks=[] if is_first else pytest.mark.full_size))
    return found
