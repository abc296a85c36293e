"""Large surveys beside an earlier revision: ``python benchmarks/large_surveys.py [COMMIT] [--quick]``.

The earlier tree is written out from the repository, and both trees run in turn with the same Python. Each job is a
whole command on a Parquet file, or a call in Python with columns as arrays whose process prints its own seconds without
imports. The script prints lines of the table of peers: processor seconds, of which at most 1.2 times those of the
earlier revision are asked, and the peak memory of the commands.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

from side_by_side import ROOT, absent, earlier_tree, line, of_process, one_thread, pairs

BEFORE = "c628c969"  # the revision before estimates received columns
ASKED = 1.2
RUN = "import sys; from rropt.cli.main import main; sys.exit(main(sys.argv[1:]))"
DEVICE = "forced:2/3,1/6,1/6"
TABLE = """
SELECT CAST(random() < 0.4 AS INTEGER) AS q, CAST(floor(random() * {groups}) AS INTEGER) AS g,
  CAST(floor(i * 50.0 / {rows}) AS INTEGER) AS s, CAST(floor(i * 2000.0 / {rows}) AS INTEGER) AS c,
  0.5 + random() AS w FROM (SELECT range AS i FROM range({rows}))
"""
JOBS = {  # rows, groups and the words of each command
    "2*10^5 rows, strata, clusters, 5 groups": (200_000, 5, "--by g --weights w --strata s --clusters c"),
    "10^6 rows with weights": (1_000_000, 5, "--weights w"),
    "10^6 rows with weights, 5 groups": (1_000_000, 5, "--by g --weights w"),
    "10^6 rows, 50 000 groups": (1_000_000, 50_000, "--by g"),
    "10^7 rows": (10_000_000, 5, ""),
    "10^7 rows, 5 groups": (10_000_000, 5, "--by g"),
    "10^4 rows: the fixed cost": (10_000, 5, ""),
}
CALL = """
import sys, time
import numpy as np
import rropt
rows, complex_ = int(sys.argv[1]), sys.argv[2]
rng = np.random.default_rng(1)
data = {"q": (rng.random(rows) < 0.4).astype(int), "g": rng.integers(0, 5, rows), "w": rng.random(rows) + 0.5}
data |= {"s": np.arange(rows) * 50 // rows, "c": np.arange(rows) * 2000 // rows}
design = {"weights": "w", "strata": "s", "clusters": "c"} if complex_ == "complex" else {"weights": "w"}
if hasattr(rropt, "Responses"):
    def call(data):
        return rropt.Responses("q", "forced:2/3,1/6,1/6", data=rropt.Sample(data, **design)).proportions("g").to_dict()
else:
    def call(data):
        return rropt.estimate("forced:2/3,1/6,1/6", data=data, column="q", by="g", **design).to_dict()
call({name: own[:: rows // 4000] for name, own in data.items()})  # what is imported once
start = time.process_time()
call(data)
print(time.process_time() - start)
"""


def command(tree: Path, words: list[str]) -> tuple[float, float]:
    """Return the processor seconds and the peak memory of a command in a tree."""
    os.environ["PYTHONPATH"] = os.pathsep.join(map(str, (tree, tree / "proofs")))
    return of_process([sys.executable, "-P", "-c", RUN, *words])


def call(tree: Path, words: list[str]) -> float:
    """Return the processor seconds that a call in Python states."""
    environment = {**os.environ, "PYTHONPATH": str(tree)}
    done = subprocess.run(
        [sys.executable, "-P", "-c", CALL, *words], capture_output=True, text=True, check=True, env=environment
    )
    return float(done.stdout)


def write(path: Path, rows: int, groups: int) -> None:
    """Write a table of respondents."""
    import duckdb

    with duckdb.connect() as base:
        base.execute("SELECT setseed(0.5)")
        base.execute(f"COPY ({TABLE.format(rows=rows, groups=groups)}) TO '{path}' (FORMAT parquet)")


def main(commit: str, *, is_quick: bool) -> None:
    """Print the lines."""
    one_thread()
    with tempfile.TemporaryDirectory() as folder:
        earlier = Path(folder) / "earlier"
        earlier.mkdir()
        if not earlier_tree(commit, str(earlier)):
            absent(f"large surveys, beside revision {commit}", f"this repository has no revision {commit}", ASKED)
            return
        for name, (rows, groups, more) in JOBS.items():
            path = Path(folder) / "survey.parquet"
            write(path, rows // 10 if is_quick else rows, groups)
            words = ["estimate", str(path), "--column", "q", "--mechanism", DEVICE, *more.split(), "--json"]
            peaks: dict[Path, float] = {}

            def seconds(tree: Path, words: list[str] = words, peaks: dict[Path, float] = peaks) -> float:
                taken, peaks[tree] = command(tree, words)
                return taken

            ours, theirs = pairs(partial(seconds, ROOT), partial(seconds, earlier))
            line(f"rropt estimate, {name}, beside {commit}", ours, theirs, ASKED)
            line(f"its memory, {name}", peaks[ROOT], peaks[earlier], ASKED, "MiB")
        for name, rows, kind in (
            ("2*10^5 rows, complex", 200_000, "complex"),
            ("10^6 rows, weights", 10**6, "weights"),
        ):
            words = [str(rows // 10 if is_quick else rows), kind]
            ours, theirs = pairs(partial(call, ROOT, words), partial(call, earlier, words))
            line(f"in Python, {name}, 5 groups, beside {commit}", ours, theirs, ASKED)


if __name__ == "__main__":
    given = [word for word in sys.argv[1:] if word != "--quick"]
    main(given[0] if given else BEFORE, is_quick="--quick" in sys.argv)
