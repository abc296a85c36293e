"""``count --categories``: sets and outputs that are written with names, in lines and in tables."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rropt_fieldwork
from rropt.core.errors import FileFormatError, InvalidParameterError

Cli = Callable[..., tuple[int, str, str]]
SETS = "subset:4,2,epsilon=1"  # sets of two of four categories
NAMES = ["car", "bus", "rail", "bike"]


def test_sets_are_counted_by_the_names_of_their_categories(tmp_path: Path, cli: Cli) -> None:
    path = tmp_path / "sets.txt"
    path.write_text("car&bus\nrail&bus\nbike&car\n")
    found = rropt_fieldwork.count(str(path), SETS, categories=NAMES)
    (tmp_path / "numbers.txt").write_text("0&1\n2&1\n3&0\n")
    numbers = rropt_fieldwork.count(str(tmp_path / "numbers.txt"), SETS)
    table: Any = {"q": ["car&bus", "rail&bus", "bike&car"]}
    of_table = rropt_fieldwork.count(table, SETS, column="q", categories=NAMES, shard="a")
    assert found.n == 3
    assert found.counts == of_table.counts == numbers.counts
    status, out, _ = cli("count", str(path), "--mechanism", SETS, "--categories", ",".join(NAMES))
    assert status == 0
    assert ", ".join(map(str, found.counts)) in out


def test_randomized_sets_are_counted(tmp_path: Path, cli: Cli) -> None:
    """``randomize`` writes the names, and ``count`` reads them."""
    path, out = tmp_path / "true.csv", tmp_path / "out.csv"
    path.write_text("q\n" + "\n".join(NAMES * 5) + "\n")
    asked = ("--column", "q", "--mechanism", SETS, "--categories", ",".join(NAMES))
    assert cli("randomize", str(path), *asked, "--output", str(out))[0] == 0
    assert rropt_fieldwork.count(str(out), SETS, column="q", categories=NAMES).n == 20


def test_outputs_are_counted_by_their_names(tmp_path: Path) -> None:
    path = tmp_path / "answers.txt"
    path.write_text("no\nyes\nyes\n")
    assert rropt_fieldwork.count(str(path), "warner:3/4", categories=["no", "yes"]).counts == (1, 2)
    with pytest.raises(FileFormatError, match="line 1"):
        rropt_fieldwork.count(str(path), "warner:3/4", categories=["nein", "ja"])
    with pytest.raises(InvalidParameterError, match="received 3 names; allowed are as many as its outputs, 2"):
        rropt_fieldwork.count(str(path), "warner:3/4", categories=["no", "yes", "other"])
