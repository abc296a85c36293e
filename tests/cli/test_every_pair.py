"""Every kind of design with every consumer of a mechanism; what cannot serve says what does, and that is typed too."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest
from few_rows import few_rows
from stored_cases import cases_of

STORED = cases_of(__file__)
DESIGNS, CONSUMERS = STORED["designs"], STORED["consumers"]
LARGE = ("a50", "large")
ON_CARDS = ("binary log", "binary rho")  # with short probabilities: a sheet exists as they are

# what a consumer cannot take: a part of its message, and the calls that it advises
CARDS = "design ... --for cards --output played.json; sheet played.json --question Q --output sheet.html"
COUNT = "count reports.txt --mechanism m.json --output counts.json; estimate counts.json"
LEVEL = "privacy m.json --epsilon 3; panel m.json --waves 2"
EACH = f"{DESIGNS['binary']} --for cards --output played.json; sheet played.json --question Q --output sheet.html"
WEB = "sheet m.json --question Q --form web --output sheet.html"
PYTHON = "export m.json python --output client.py"


def refused(design: str) -> dict[str, tuple[str, str]]:
    """Return the consumers that a design cannot serve, each with a part of the message and the advised calls."""
    if design in LARGE:
        by_level = ("`rropt privacy` and `rropt compose` work without it", LEVEL)
        named = {"sheet": ("too large for a sheet", PYTHON), "web": ("use rropt export", PYTHON)}
        return {**named, "estimate": ("`rropt count`", COUNT), "compare": by_level, "repair": by_level}
    if design == "bits":
        return {"sheet": ("`rropt design binary`", EACH), "web": ("`rropt design binary`", EACH)}
    if design == "pram":
        return {"sheet": ("--form web", WEB)}
    if design == "mean":
        return {"sheet": ("rropt sheet thresholds:1,5,2/3", WEB)}
    return {} if design in ON_CARDS else {"sheet": ("`rropt design binary --for cards`", f"{CARDS}; {WEB}")}


@few_rows(1)
@pytest.mark.parametrize("design", DESIGNS)
def test_a_design_serves_every_consumer(cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, design: str) -> None:
    monkeypatch.chdir(tmp_path)

    def typed(line: str) -> tuple[int, str, str]:
        return cli(*shlex.split(line.replace("design ...", DESIGNS[design])))

    assert typed(f"{DESIGNS[design]} --output m.json")[0] == 0
    record = json.loads(Path("m.json").read_text())
    is_product = not {"bits", "product"}.isdisjoint(record)
    m = 8 if is_product else len(record.get("matrix") or ())
    names = record.get("categories", ("0", "1"))  # of a design of numbers: the numbers
    rows = [(names[i % 2], i // 2 % 2, i // 4 % 2) for i in range(8)]
    Path("answers.csv").write_text("a,b,c\n" + "".join("{},{},{}\n".format(*row) for row in rows))
    columns = "--columns a,b,c" if is_product else "--column a"
    Path("reports.txt").write_text(cli("randomize", "answers.csv", *columns.split(), "--mechanism", "m.json")[1][2:])
    cannot = refused(design)
    for name, line in CONSUMERS.items():
        call = line.replace("COLUMNS", columns).replace("COUNTS", ",".join(str(9 + i) for i in range(m or 2)))
        status, _, err = typed(call)
        if name not in cannot:
            assert status in (0, 1), (name, err)
            continue
        message, advised = cannot[name]
        assert status == 2, name
        assert message in err, name
        for advice in advised.split("; "):
            status, _, err = typed(advice)
            assert status in (0, 1), (name, advice, err)
    if "estimate" not in cannot:
        counts = ",".join(str(9 + i) for i in range(m))
        Path("e.json").write_text(cli("estimate", "--counts", counts, "--mechanism", "m.json", "--json")[1])
    else:
        Path("e.json").write_text(cli("estimate", "counts.json", "--json")[1])
    status, _, err = typed("report e.json m.json --output report.html")
    assert status == 0, err
