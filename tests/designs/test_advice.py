"""Each piece of advice in a refusal of a design is typed: the call is refused, and solved with the advice followed."""

from __future__ import annotations

import shlex
from typing import Any

import pytest
from every_case import every_case
from stored_cases import cases_of

ADVICE = cases_of(__file__)["advice"]


@every_case("row", ADVICE)
def test_advice_is_given(cli, row: dict[str, Any]) -> None:
    status, _, err = cli(*shlex.split(row["refused"]))
    assert status == 2
    assert row["advice"] in " ".join(err.split())


@pytest.mark.slow
@pytest.mark.parametrize("row", ADVICE, ids=[row["refused"] for row in ADVICE])
def test_advice_works(cli, row: dict[str, Any]) -> None:
    for command in row["followed"]:
        status, out, err = cli(*shlex.split(command))
        assert status == 0, (command, err)
        assert "certificate accepted" in out or "bound computed, no certificate" in out
