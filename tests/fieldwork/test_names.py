"""The names of categories travel with the mechanism from the design to the report."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from few_rows import few_rows
from support.table_calls import table_estimate
from table_calls import estimate_table, regress_table

from rropt import Mechanism
from rropt.core.visible import visible

Cli = Callable[..., tuple[int, str, str]]
NAMES = ("never", "once", "few", "often?", "daily")


@pytest.fixture
def mechanism(cli: Cli, tmp_path: Path) -> str:
    """Return the file of a design whose rows stand in another order than the categories."""
    made = str(tmp_path / "mechanism.json")
    asked = ("-k", "5", "--gamma", "100", "--objective", "a-optimal")
    named = ("--categories", ",".join(NAMES), "--output", made)
    assert cli("design", "kary", *asked, *named)[0] == 0
    assert json.loads(Path(made).read_text())["categories"] == list(NAMES)
    return made


def test_from_the_design_to_the_report(cli: Cli, tmp_path: Path, mechanism: str) -> None:
    rng = random.Random(1)
    true = rng.choices(NAMES, [50, 25, 15, 8, 2], k=3000)
    (tmp_path / "true.csv").write_text("use\n" + "".join(f"{one}\n" for one in true))
    said, found, page = (str(tmp_path / name) for name in ("said.csv", "found.json", "page.html"))
    asked = ("--column", "use", "--mechanism", mechanism)
    assert cli("randomize", str(tmp_path / "true.csv"), *asked, "--output", said)[0] == 0
    code, out, err = cli("estimate", said, *asked, "--json")
    assert code == 0, err
    Path(found).write_text(out)
    shares = [float(Fraction(row["estimate"])) for row in json.loads(out)["rows"]]
    counts = Counter(true)
    assert [counts[name] / 3000 for name in NAMES] == pytest.approx(shares, abs=0.05)
    text = cli("estimate", said, *asked)[1]
    assert cli("report", found, mechanism, "--output", page)[0] == 0
    for name in NAMES:
        assert f"\n{name} " in text
        assert name in Path(page).read_text()
    lines = str(tmp_path / "lines.txt")
    Path(lines).write_text("".join(Path(said).read_text().splitlines(keepends=True)[1:]))
    code, out, err = cli("count", lines, "--mechanism", mechanism, "--json")
    assert code == 0, err
    assert json.loads(out)["counts"] == json.loads(Path(found).read_text())["counts"]
    code, _, err = cli("estimate", said, *asked, "--categories", ",".join((*NAMES[1:], NAMES[0])))
    assert code == 2
    assert "another order than those of the mechanism" in err


def test_a_regression_names_the_categories_and_not_the_responses(tmp_path: Path) -> None:
    names = ["never", "once", "often"]
    turned = Mechanism([["1/8", "1/8", "3/4"], ["3/4", "1/8", "1/8"], ["1/8", "3/4", "1/8"]]).labelled(names)
    assert turned.responses == ("often", "never", "once")
    rng = random.Random(2)
    data = tmp_path / "data.csv"
    rows = [(rng.choices(names, [50, 27, 23])[0], rng.random()) for _ in range(600)]
    data.write_text("use,x\n" + "".join(f"{name},{x}\n" for name, x in rows))
    found = regress_table(data, "use ~ x", turned, model="multinomial")
    assert found.categories == tuple(names)
    same = estimate_table(data, "use", turned)
    assert [one.category for one in same] == names
    assert same[0].estimate > max(one.estimate for one in same[1:])


def test_a_set_is_counted_by_the_names_of_its_categories(cli: Cli, tmp_path: Path) -> None:
    made, lines, counts = (tmp_path / name for name in ("sets.json", "lines.txt", "counts.json"))
    blocks = {"family": "subsets", "categories": "4", "size": "2", "gamma": "3"}
    made.write_text(json.dumps({"blocks": blocks, "categories": ["a b", "c", "d", "2"]}))
    lines.write_text("a b&c\nc & d\n2&c\n")
    assert cli("count", str(lines), "--mechanism", str(made), "--output", str(counts))[0] == 0
    assert json.loads(counts.read_text())["counts"] == [1, 3, 1, 1]
    told = cli("estimate", str(counts))[1].splitlines()
    assert [line.split("  ")[0] for line in told if line.startswith(("a b ", "c ", "d ", "2 "))] == [
        "a b",
        "c",
        "d",
        "2",
    ]
    lines.write_text("0&1\n")  # numbers are names here, so these are not
    assert cli("count", str(lines), "--mechanism", str(made))[0] == 2


@few_rows(1)
@pytest.mark.parametrize("name", ["never", 'a"b\\', "??/", "käse ?", "*/ //"])
def test_a_client_has_the_names(cli: Cli, tmp_path: Path, name: str) -> None:
    made = tmp_path / "named.json"
    made.write_text(json.dumps({"matrix": [["3/4", "1/4"], ["1/4", "3/4"]], "categories": [name, "yes"]}))
    for language, ending in (("python", "py"), ("c", "c")):
        source = tmp_path / f"client.{ending}"
        assert cli("export", str(made), language, "--output", str(source))[0] == 0
        if language == "python":
            shown = "import client; print(client.CATEGORIES[0], client.RESPONSES[1])"
            run = subprocess.run([sys.executable, "-c", shown], cwd=tmp_path, capture_output=True, check=True)
            assert run.stdout.decode() == f"{name} yes\n"
        elif shutil.which("gcc"):
            subprocess.run(["gcc", "-std=c99", "-c", str(source), "-o", "/dev/null"], check=True)


@pytest.mark.parametrize("asked", [{"by": "g"}, {"weights": "w"}], ids=str)
def test_names_come_back_from_json(asked: dict[str, object]) -> None:
    said = {"a": np.array(["no", "yes"] * 20, object), "b": np.array(["never", "often"] * 20, object)}
    said |= {"g": np.repeat(np.array(["x", "y"], object), 20), "w": np.arange(1.0, 41.0)}
    names = {"a": ["no", "yes"], "b": ["never", "often"]}
    found = table_estimate("bits:3/4,2/3", data=said, columns=["a", "b"], categories=names, **asked)
    again = type(found).from_json(found.to_json())
    assert (str(again), again.conclusion) == (str(found), found.conclusion)
    assert "yes" in again.conclusion
    assert "often" in again.conclusion


@pytest.mark.parametrize("asked", [{"column": "a"}, {"columns": "a", "joint": True}], ids=["one", "joint"])
def test_names_with_spaces_of_any_width_are_printed(asked: dict[str, object]) -> None:
    """A no-break space, as word processors write it, and a tab are no printable characters of Python."""
    names = ["jamais\u00a0!", "une\tfois \x1b[1m"]
    said = {"a": np.array(names * 20, object)}
    found = table_estimate("warner:3/4", data=said, categories=names, **asked)
    (row,) = found.rows[1:] or found.rows
    assert visible(row.category) == "une fois \\x1b[1m"
