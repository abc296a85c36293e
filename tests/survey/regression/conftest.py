"""What the tests of regressions share: where the tables of published surveys stand."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def tables() -> Path:
    """Return the folder of the published microdata, which is no part of the project."""
    given = os.environ.get("RROPT_DATA")
    places = [Path(given)] if given else [up / "shared" / "data" for up in Path(__file__).resolve().parents[4:7]]
    for place in places:
        if (place / "nigeria.csv").is_file():
            return place
    pytest.skip("the microdata nigeria.csv are not committed: put them into ../shared/data, or set RROPT_DATA")
