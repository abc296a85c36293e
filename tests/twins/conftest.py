"""Tests that plant a fault leave no result of it behind."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from caches import forget


@pytest.fixture(autouse=True)
def _forget_faults(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Empty the caches before and after each test of a file of faults, when its faults are taken away."""
    has_faults = "faults" in request.node.path.name
    if has_faults:
        forget()
    yield
    if has_faults:
        monkeypatch.undo()
        forget()
