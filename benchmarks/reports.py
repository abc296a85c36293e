"""Reports of many estimates: ``python benchmarks/reports.py [ESTIMATES]``.

The script writes the JSON of 40 estimates, and prints the processor time of ``rropt report`` for each of them, beyond
that for a single one. The peer is the time that is asked, .05 s, since no other package writes such a page.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from side_by_side import PAIRS, line, of_process, one_thread

ASKED_EACH = 0.05  # seconds


def main(count: int) -> None:
    """Print the line."""
    one_thread()
    with tempfile.TemporaryDirectory() as folder:
        rropt = [sys.executable, "-m", "rropt"]
        files = []
        for i in range(count):
            words = ["estimate", "--counts", f"{800 - i},{200 + i}", "--mechanism", "warner:3/4", "--json"]
            found = subprocess.run([*rropt, *words], check=True, capture_output=True, text=True).stdout
            files.append(Path(folder, f"{i}.json"))
            files[-1].write_text(found, encoding="utf-8")
        words = [*rropt, "report", "--output", str(Path(folder, "report.html"))]
        runs = [[of_process([*words, *map(str, files[:n])])[0] for n in (1, count)] for _ in range(PAIRS)]
        each = median(many - one for one, many in runs) / (count - 1)
        line(f"report of {count} estimates, each", each, ASKED_EACH, 1)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 40)
