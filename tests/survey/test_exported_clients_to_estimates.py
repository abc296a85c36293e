"""The way of a machine's response: export, draw, count, estimate; it ends where the way of a file by randomize ends."""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from few_rows import few_rows

Json = Callable[..., dict]
TRUTHS = {"warner:3/4": [90, 60], "grr:4,1/2": [80, 50, 30, 40]}  # of so many respondents each
ENDINGS = {"c": "client.c", "javascript": "client.mjs", "python": "client.py"}


def program(language: str, folder: Path) -> list[str]:
    """Return the command of a client that was exported, compiled where its language asks for it."""
    needed = {"c": "gcc", "javascript": "node"}.get(language)
    if needed is not None and shutil.which(needed) is None:
        pytest.skip(f"{needed} is not installed")
    file = folder / ENDINGS[language]
    if language == "c":
        subprocess.run(["gcc", file, "-o", folder / "client"], check=True)
        return [str(folder / "client")]
    return [sys.executable if language == "python" else "node", str(file)]


def figures(found: dict) -> dict:
    """Return what an estimate says about the population, without where its responses were read."""
    rows = [{name: x for name, x in row.items() if name != "question"} for row in found["rows"]]
    names = ("result", "mechanism", "counts", "estimate", "n")
    return {"rows": rows, **{name: found[name] for name in names if name in found}}


@few_rows(2)
@pytest.mark.parametrize("language", ENDINGS)
@pytest.mark.parametrize("mechanism", TRUTHS)
def test_a_client_ends_in_the_estimate_of_its_responses(
    mechanism: str, language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cli, cli_json: Json
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli("export", mechanism, language, "--output", ENDINGS[language])[0] == 0
    command = program(language, tmp_path)
    draws = [
        subprocess.run([*command, "draw", str(x), str(n)], capture_output=True, text=True, check=True).stdout
        for x, n in enumerate(TRUTHS[mechanism])
    ]
    Path("responses.txt").write_text("".join(draws))
    Path("private.csv").write_text("q\n" + "".join(draws))
    cli_json("count", "responses.txt", "--mechanism", mechanism, "--output", "counts.json")
    by_counts = cli_json("estimate", "counts.json")
    by_rows = cli_json("estimate", "private.csv", "--column", "q", "--mechanism", mechanism)
    assert figures(by_counts) == figures(by_rows)
    assert len(by_counts["rows"]) == {"warner:3/4": 1, "grr:4,1/2": 4}[mechanism]
    assert sum(by_counts["counts"]) == sum(TRUTHS[mechanism])


@pytest.mark.parametrize("mechanism", TRUTHS)
def test_a_randomized_file_ends_in_the_estimate_of_its_counts(
    mechanism: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cli, cli_json: Json, rng: random.Random
) -> None:
    """Before and after the file is cut into the parts of two machines."""
    monkeypatch.chdir(tmp_path)
    answers = [str(x) for x, n in enumerate(TRUTHS[mechanism]) for _ in range(n)]
    rng.shuffle(answers)
    Path("answers.csv").write_text("\n".join(["q", *answers, ""]))
    status, _, error = cli("randomize", "answers.csv", "--column", "q", "--mechanism", mechanism, "--output", "r.csv")
    assert status == 0, error
    whole = cli_json("estimate", "r.csv", "--column", "q", "--mechanism", mechanism)
    cli_json("count", "r.csv", "--column", "q", "--mechanism", mechanism, "--output", "counts.json")
    head, *rows = Path("r.csv").read_text().splitlines(keepends=True)
    for name, part in (("one", rows[:70]), ("two", rows[70:])):
        Path(f"{name}.csv").write_text(head + "".join(part))
        cli_json(
            *("count", f"{name}.csv", "--column", "q", "--mechanism", mechanism, "--shard", name),
            *("--output", f"{name}.json"),
        )
    cli_json("count", "--add", "one.json", "two.json", "--output", "added.json")
    for counts in ("counts.json", "added.json"):
        assert figures(cli_json("estimate", counts)) == figures(whole)
