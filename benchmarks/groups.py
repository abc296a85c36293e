"""Estimates of many groups with exact intervals, beside DuckDB and SciPy: ``python groups.py [ROWS GROUPS]``.

The peer groups the rows by DuckDB's SQL, inverts the device, and takes Clopper-Pearson's ends from SciPy's quantiles
of the beta distribution, in floats. rropt reads the same Parquet file by ``rropt estimate --by --json`` in a process of
its own; its ends are proved decimals, rounded outwards. One interval at n = 200 is measured beside the revision before
tails were summed in fixed point; its ends must be equal. The script prints lines of the table of peers, processor
seconds, and the largest difference of an end.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from fractions import Fraction
from pathlib import Path
from statistics import median

from side_by_side import BEFORE, PAIRS, ROOT, absent, earlier_tree, line, of_process, one_thread

ASKED = 16.7  # a sixth of 100, the ratio before tails were summed in fixed point

PEER = """
import json, sys
import duckdb, numpy
from scipy.stats import beta

rows = duckdb.sql(f"SELECT g, count(*), sum(a) FROM '{sys.argv[1]}' GROUP BY g ORDER BY g").fetchnumpy()
groups, n, y = rows.values()
y = numpy.asarray(y, float)
low = numpy.where(y == 0, 0, beta.ppf(0.025, numpy.maximum(y, 1e-300), n - y + 1))
high = numpy.where(y == n, 1, beta.ppf(0.975, y + 1, numpy.maximum(n - y, 1e-300)))
ends = [numpy.clip((end - 0.25) / 0.5, 0, 1) for end in (low, high)]
json.dump({str(g): [float(a), float(b)] for g, a, b in zip(groups, *ends)}, open(sys.argv[2], "w"))
"""
MAKE = """
import sys
import duckdb

duckdb.sql(f"COPY (SELECT (random() * {sys.argv[3]})::INT % {sys.argv[3]} AS g, (random() < 0.4)::INT AS a "
           f"FROM range({sys.argv[2]})) TO '{sys.argv[1]}' (FORMAT parquet)")
"""

MODULES = ("rropt.inference.interval_kinds", "rropt.survey.estimates.interval_kinds")  # now, and in that revision
INTERVALS = """
import json
from fractions import Fraction
from time import process_time
from {module} import clopper_pearson

clopper_pearson(3, 10, Fraction(19, 20))
start = process_time()
found = [clopper_pearson(y, 200, Fraction(19, 20)) for y in range(20, 180, 8)]
print(json.dumps([(process_time() - start) / len(found), [str(end) for ends in found for end in ends]]))
"""


def intervals(tree: str, module: str) -> tuple[float, list[str]]:
    """Return the processor seconds of an interval at n = 200 in a tree, and the ends of twenty of them."""
    environment = {**os.environ, "PYTHONPATH": tree}
    words = [sys.executable, "-c", INTERVALS.replace("{module}", module)]
    told = subprocess.run(words, check=True, capture_output=True, text=True, env=environment, cwd=tree).stdout
    taken, ends = json.loads(told)
    return taken, ends


def one_interval() -> None:
    """Print the line of one interval."""
    work, asked = f"one exact interval, n = 200, beside revision {BEFORE}", 0.05
    with tempfile.TemporaryDirectory() as folder:
        if not earlier_tree(BEFORE, folder):
            absent(work, f"this repository has no revision {BEFORE}", asked)
            return
        runs = [(intervals(str(ROOT), MODULES[0]), intervals(folder, MODULES[1])) for _ in range(PAIRS)]
    assert all(own[1] == before[1] for own, before in runs)
    taken = (1e3 * median(run[side][0] for run in runs) for side in (0, 1))
    line(work, *taken, asked, "ms")


def main(rows: int, groups: int) -> None:
    """Measure one size."""
    one_thread()
    python = sys.executable
    command = Path(python).parent / "rropt"
    with tempfile.TemporaryDirectory() as folder:
        table, ours, theirs = (str(Path(folder) / name) for name in ("table.parquet", "ours.json", "theirs.json"))
        of_process([python, "-c", MAKE, table, str(rows), str(groups)])
        words = f'"{command}" estimate {table} --column a --mechanism warner:3/4 --by g --json > {ours}'
        taken = [of_process(["sh", "-c", words])[0], of_process([python, "-c", PEER, table, theirs])[0]]
        peer = json.loads(Path(theirs).read_text(encoding="utf-8"))
        found = json.loads(Path(ours).read_text(encoding="utf-8"))["rows"]
        ends = {group["group"]: [float(Fraction(end)) for end in group["intervals"]["exact"]] for group in found}
        worst = max(abs(x - y) for name in peer for x, y in zip(ends[name], peer[name], strict=True))
        line(f"estimate of {groups} groups, {rows} rows, exact intervals", taken[0], taken[1], ASKED)
        print(f"  the ends of the intervals differ by at most {worst:.1g}")


if __name__ == "__main__":
    sizes = [int(word) for word in sys.argv[1:3]]
    main(*(sizes or [10**7, 50_000]))
    one_interval()
