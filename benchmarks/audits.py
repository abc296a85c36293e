"""Audits from files: processor seconds of ``rropt audit`` beside DuckDB's own ``group by`` of the same file.

    python benchmarks/audits.py --rows 1000000 100000000 [--folder /tmp]

A Parquet file with an input and a response of Warner's device in each row is made, counted by DuckDB in a process of
its own, and audited by the command line. The file is removed.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

_SAMPLES = (
    "SELECT CAST(i % 2 AS UTINYINT) AS x, CAST(random() < 0.25 + 0.5 * (i % 2) AS UTINYINT) AS y "
    "FROM range({rows}) t(i)"
)
_GROUP_BY = "import duckdb, sys; duckdb.sql(f\"SELECT x, y, count(*) FROM '{sys.argv[1]}' GROUP BY x, y\").fetchall()"


def seconds(words: list[str]) -> float:
    """Return the processor seconds of a program that answers: its status is 0, or 1 where the claim is refuted."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(words, check=False, capture_output=True, text=True)
    if done.returncode not in (0, 1) or "Traceback" in done.stderr:
        raise SystemExit(done.stderr)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Print a table."""
    import duckdb

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, nargs="+", default=[10**6, 10**7])
    parser.add_argument("--folder", type=Path)
    args = parser.parse_args()
    for rows in args.rows:
        with tempfile.TemporaryDirectory(dir=args.folder) as folder:
            path = Path(folder) / "samples.parquet"
            duckdb.sql(f"COPY ({_SAMPLES.format(rows=rows)}) TO '{path}'")
            counted = [sys.executable, "-c", _GROUP_BY, str(path)]
            words = ["audit", str(path), "--input", "x", "--output", "y", "--claim", "1"]
            audited = [sys.executable, "-m", "rropt.cli.main", *words]
            times = [min(seconds(each) for _ in range(2)) for each in (counted, audited)]
        print(f"{rows} rows: group by {times[0]:.2f} s, audit {times[1]:.2f} s, ratio {times[1] / times[0]:.2f}")


if __name__ == "__main__":
    main()
