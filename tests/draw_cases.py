"""Write ``drawn_cases.txt`` from the processor seconds of a run: ``make draws``.

A run at the default size has one case in ``share`` of what is listed there: a case by its name, or a test for all its
cases, with their mean. On average, a case costs at most ``_EXPECTED`` seconds of processor time; each is judged at some
of the next changes, and by ``make stress`` always. A case that takes far longer than its test's mean has its own line.
What runs each time although it takes long stands in ``long_cases.txt``; cases of the checker and of its adversaries
have a share of at most 3, above half a second of at most 6.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from math import ceil
from pathlib import Path
from statistics import mean
from xml.etree import ElementTree

TESTS = Path(__file__).parent
_EXPECTED = 0.01  # processor seconds of one case and run
_LEAST = 0.06  # processor seconds; what takes less runs each time
_TRUSTED = ("checker/", "adversary/")
_AT_MOST = 3  # the share of cases of these folders: a wrong verdict must not pass for long
_AT_MOST_IF_LONG = 6  # of cases above half a second
_SELDOM = 80  # no case has a larger share
_FAR = 4  # a case has a line of its own above so many times the mean of its test, and above a second
_EACH_TIME = "/test_small_"  # files of small cases: they find mutants that drawn cases miss (benchmarks/mutation.md)


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
    spent = measured(report)
    tables = defaultdict(list)
    for place, seconds in spent.items():
        test, file_of_tests = place.partition("[")[0], place.partition("::")[0]
        if not {place, test, file_of_tests} & (exceptions | listed.keys()) and _EACH_TIME not in place:
            tables[test].append(seconds)
    means = {test: mean(seconds) for test, seconds in tables.items()}
    new = {test: seconds for test, seconds in means.items() if seconds >= _LEAST}
    usual = {place: float(line.split(" ", 1)[0]) for place, line in listed.items()} | new
    for place, seconds in spent.items():
        if place not in usual and seconds > max(1, _FAR * usual.get(place.partition("[")[0], seconds)):
            new[place] = seconds
    written = {place: f"{seconds:.2g} {share_of(place, seconds)} {place}" for place, seconds in new.items()}
    rows = [line for _, line in sorted((listed | written).items())]
    file.write_text("\n".join([*remarks, *rows]) + "\n", encoding="utf-8")
    print(f"{len(listed)} cases were listed, {len(rows)} are")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
