"""One Chromium for all tests of this folder, and pages that some of them share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from chromium import Chromium, started


@pytest.fixture(scope="session")
def chromium() -> Iterator[Chromium]:
    """A browser that is running."""
    with started() as browser:
        yield browser
