"""Options of ``rropt plan`` that the goal does not use are refused, not swallowed."""

from __future__ import annotations

import pytest

BASE = ("plan", "--mechanism", "warner:3/4", "--prevalence", "1/4")


@pytest.mark.parametrize(
    "extra",
    [
        ["--variance", "1e-3", "--null", "0"],
        ["--variance", "1e-3", "--interval", "nonsense"],
        ["--standard-error", "0.03", "--confidence", "0.9"],
        ["--margin", "0.1", "--test", "exact"],
        ["--power", "0.9", "--interval", "exact"],
    ],
)
def test_refused(cli, extra: list[str]) -> None:
    status, out, err = cli(*BASE, *extra)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "does not belong" in err


def test_defaults_stay(cli_json) -> None:
    named = ["--confidence", "0.95", "--interval", "exact"]
    assert cli_json(*BASE, "--margin", "0.1")["n"] == cli_json(*BASE, "--margin", "0.1", *named)["n"]
