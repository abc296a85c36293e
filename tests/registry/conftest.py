"""Makes the outcomes that the tests share importable, and says where the processes of a run keep them."""

from __future__ import annotations

import os

import pytest


@pytest.fixture(scope="session", autouse=True)
def _shared_folder(tmp_path_factory: pytest.TempPathFactory) -> None:
    from shared_outcomes import Outcomes

    base = tmp_path_factory.getbasetemp()
    Outcomes.folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "outcomes"
    Outcomes.folder.mkdir(exist_ok=True)
