"""Changes of the engine that tests make on purpose."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from rropt.claims import guard


@pytest.fixture(scope="module")
def no_search() -> Iterator[None]:
    """Leave out the search along lines: a label has to say how far a link reaches, not the search.

    The guard takes the engine as it is then for the library.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("rropt.claims.sweeps.along_lines", lambda *_: ())
        patch.setattr(guard, "_BEFORE", [])
        patch.setattr(guard, "_CHANGED", [])
        yield


@pytest.fixture(autouse=True)
def _forgiving_guard() -> Iterator[None]:
    """Forget after a test that a claim has changed the engine: the test has put it back."""
    yield
    guard._CHANGED.clear()
