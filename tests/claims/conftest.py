"""Changes of the engine that tests make on purpose."""

from __future__ import annotations

from collections.abc import Iterator

import pytest


@pytest.fixture(scope="module")
def no_search() -> Iterator[None]:
    """Leave out the search along lines: a label has to say how far a link reaches, not the search."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("rropt.claims.sweeps.along_lines", lambda *_: ())
        yield
