"""The table of peers: ``python benchmarks/table.py [SCRIPT...]``, or ``make bench``.

Each script prints lines ``work | rropt | peer | ratio | asked | met`` beside what else it says. This one runs them in
order, each in a process of its own, and prints all lines together at the end. A script that fails does not end the
table: it has a line that says so, and the exit status is then 1. What cannot be measured has a line that says why, too
(``benchmarks/requirements.txt``).
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from side_by_side import HEAD

FOLDER = Path(__file__).resolve().parent
SCRIPTS = [
    ["groups.py"],
    ["compositions.py"],
    ["losses.py"],
    ["many_designs.py"],
    ["twins.py"],
    ["criteria_bounds.py"],
    ["sampling.py", "--structured"],
    ["one_answer.py"],
    ["files_and_memory.py"],
    ["large_surveys.py"],
    ["shuffles.py"],
    ["reports.py"],
    ["exact_programs.py"],
    ["checkers.py"],
    ["start_up.py"],
    ["installed.py"],
    ["verifying.py"],
]


def is_line(text: str) -> bool:
    """Return whether a script's output is a line of the table."""
    return text.count(" | ") == HEAD.count(" | ") and text.split(" | ")[-1] in ("yes", "NO", "-")


def lines_of(script: list[str]) -> list[str]:
    """Run a script, show what it prints, and return its lines of the table."""
    print(f"== {' '.join(script)}", flush=True)
    found = []
    words = [sys.executable, str(FOLDER / script[0]), *script[1:]]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for text in map(str.rstrip, process.stdout):
            print(text, flush=True)
            found += [text] if is_line(text) else []
    if process.returncode:
        found.append(f"{' '.join(script)} | failed with exit status {process.returncode} | - | - | - | NO")
    return found


def main(names: list[str]) -> int:
    """Run the scripts, or those that are named; return the exit status."""
    os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    chosen = [script for script in SCRIPTS if not names or script[0] in names or script[0].removesuffix(".py") in names]
    found = [text for script in chosen for text in lines_of(script)]
    rows = [text.split(" | ") for text in (HEAD, *found)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    print()
    for row in rows:
        print(" | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
    met, missed = (sum(row[-1] == word for row in rows) for word in ("yes", "NO"))
    print(f"\n{met} lines met, {missed} not met, {len(found) - met - missed} not measured")
    return int(any("failed with exit status" in text for text in found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
