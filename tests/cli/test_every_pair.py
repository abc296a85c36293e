"""Every kind of design with every consumer of a mechanism; what cannot serve says what does, and that is typed too."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

BINARY = "design binary --prevalence 1/10"
THREE = "design kary --proportions 1/2,1/3,1/6"
FIVE = "design kary --proportions 2/5,1/5,1/5,1/10,1/10"
A = "--objective a-optimal"
DESIGNS = {
    "binary": f"{BINARY} --epsilon 1",
    "binary delta": f"{BINARY} --epsilon 1 --delta 1/1000000",
    "binary outputs": f"{BINARY} --epsilon 1 --delta 1/10 --outputs any",
    "binary log": f"{BINARY} --epsilon log(3)",
    "binary rho": f"{BINARY} --rho 1/5 1/2",
    "trace": "design kary -k 3 --epsilon 1 --objective trace",
    "a3": f"{THREE} --epsilon 1 {A}",
    "a5": f"{FIVE} --epsilon 1 {A}",
    "a10": f"design kary -k 10 --epsilon 1 {A}",
    "a50": f"design kary -k 50 --epsilon 1 {A}",
    "d3": f"{THREE} --epsilon 1 --objective d-optimal",
    "d3 log": f"{THREE} --epsilon log(3) --objective d-optimal",
    "two levels": f"{THREE} --level 1,1/10 --level 2,1/100 {A}",
    "a3 delta": f"{THREE} --epsilon 1 --delta 1/100 {A}",
    "bits": "design bits --number 3 --epsilon 3",
    "pram": "design pram --counts 510,320,170 --epsilon 2",
    "large": f"design kary -k 100000 --epsilon 1 {A} --output-bits 20",
}
LARGE = ("a50", "large")
ON_CARDS = ("binary log", "binary rho")  # with short probabilities: a sheet exists as they are

CONSUMERS = {
    "python": "export m.json python --output client.py",
    "c": "export m.json c --output client.c",
    "javascript": "export m.json javascript --output client.mjs",
    "randomize": "randomize answers.csv COLUMNS --mechanism m.json --output private.csv",
    "sheet": "sheet m.json --question Q --output sheet.html",
    "web": "sheet m.json --question Q --form web --output sheet.html",
    "compose": "compose m.json*3 --delta 1/1000",
    "waves": "compose m.json --waves 2",
    "privacy": "privacy m.json --epsilon 3",
    "estimate": "estimate --counts COUNTS --mechanism m.json",
    "plot": "plot heat-map m.json --output map.svg",
    "compare": "compare m.json m.json",
    "repair": "privacy --repair m.json --epsilon 3",
}

# what a consumer cannot take: a part of its message, and the calls that it advises
CARDS = "design ... --for cards --output played.json; sheet played.json --question Q --output sheet.html"
COUNT = "count reports.txt --mechanism m.json --output counts.json; estimate counts.json"
LEVEL = "privacy m.json --epsilon 3; compose m.json --waves 2"
EACH = f"{BINARY} --epsilon 1 --for cards --output played.json; sheet played.json --question Q --output sheet.html"
WEB = "sheet m.json --question Q --form web --output sheet.html"
PYTHON = "export m.json python --output client.py"


def refused(design: str) -> dict[str, tuple[str, str]]:
    """Return the consumers that a design cannot serve, each with a part of the message and the advised calls."""
    if design in LARGE:
        by_level = ("`rropt privacy` and `rropt compose` work from its level", LEVEL)
        named = {"sheet": ("too large for a sheet", PYTHON), "web": ("use rropt export", PYTHON)}
        return {**named, "estimate": ("`rropt count`", COUNT), "compare": by_level, "repair": by_level}
    if design == "bits":
        return {"sheet": ("`rropt design binary`", EACH), "web": ("`rropt design binary`", EACH)}
    if design == "pram":
        return {"sheet": ("--form web", WEB)}
    return {} if design in ON_CARDS else {"sheet": ("`rropt design binary --for cards`", f"{CARDS}; {WEB}")}


@pytest.mark.drawn(18)
@pytest.mark.parametrize("design", DESIGNS)
def test_a_design_serves_every_consumer(cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, design: str) -> None:
    monkeypatch.chdir(tmp_path)

    def typed(line: str) -> tuple[int, str, str]:
        return cli(*shlex.split(line.replace("design ...", DESIGNS[design])))

    assert typed(f"{DESIGNS[design]} --output m.json")[0] == 0
    record = json.loads(Path("m.json").read_text())
    is_product = not {"bits", "product"}.isdisjoint(record)
    m = 8 if is_product else len(record.get("matrix") or ())
    Path("answers.csv").write_text("a,b,c\n" + "".join(f"{i % 2},{i // 2 % 2},{i // 4 % 2}\n" for i in range(8)))
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
