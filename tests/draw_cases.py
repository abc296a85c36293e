"""Write ``drawn_cases.txt`` from the processor seconds of a run: ``make draws``.

A run at the default size has one case in ``share`` of what is listed there: a case by its name, or a test for all its
cases, with their mean. On average, a case costs at most ``_EXPECTED`` seconds of processor time; each is judged at some
of the next changes, and by ``make stress`` always. What runs each time although it takes long stands in
``long_cases.txt``; cases of the checker and of its adversaries have a share of at most 3, above half a second
of at most 6.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from math import ceil
from pathlib import Path
from statistics import mean
from xml.etree import ElementTree

TESTS = Path(__file__).parent
_EXPECTED = 0.03  # processor seconds of one case and run; below twice as much a case runs each time
_TRUSTED = ("checker/", "adversary/")
_AT_MOST = 3  # the share of cases of these folders: a wrong verdict must not pass for long
_AT_MOST_IF_LONG = 6  # of cases above half a second
_SELDOM = 60  # no case has a larger share


def lines(name: str) -> list[str]:
    """Return the lines of a list of cases, without its remarks."""
    return [line for line in (TESTS / name).read_text(encoding="utf-8").splitlines() if not line.startswith("#")]


def share_of(place: str, seconds: float) -> int:
    """Return one case in how many is drawn."""
    largest = (_AT_MOST if seconds <= 0.5 else _AT_MOST_IF_LONG) if place.startswith(_TRUSTED) else _SELDOM
    return min(largest, ceil(seconds / _EXPECTED))


def measured(report: Path) -> dict[str, float]:
    """Return the seconds of each case in a report of pytest (``--junitxml``), by its place in the lists."""
    found = {}
    for case in ElementTree.parse(report).iter("testcase"):
        place = case.get("classname", "").removeprefix("tests.").replace(".", "/") + ".py::" + case.get("name", "")
        for each in case.iter("property"):
            if each.get("name") == "seconds":
                found[place] = float(each.get("value", "0"))
    return found


def main(report: Path) -> None:
    """Write the list again: what a report measured, beside what was listed."""
    file = TESTS / "drawn_cases.txt"
    remarks = [line for line in file.read_text(encoding="utf-8").splitlines() if line.startswith("#")]
    listed = {line.split(" ", 2)[2]: line for line in lines(file.name)}
    exceptions = {line.split(" ", 1)[1] for line in lines("long_cases.txt")}
    tables = defaultdict(list)
    for place, spent in measured(report).items():
        if not {place, place.partition("::")[0]} & (exceptions | listed.keys()):
            tables[place.partition("[")[0]].append(spent)
    means = {test: mean(spent) for test, spent in tables.items()}
    new = {
        test: f"{spent:.2g} {share_of(test, spent)} {test}" for test, spent in means.items() if spent >= 2 * _EXPECTED
    }
    rows = [line for _, line in sorted((listed | new).items())]
    file.write_text("\n".join([*remarks, *rows]) + "\n", encoding="utf-8")
    print(f"{len(listed)} cases were listed, {len(rows)} are")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
