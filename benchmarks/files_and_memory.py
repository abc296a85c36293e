"""Estimates from files beside DuckDB, and memory: ``python benchmarks/files_and_memory.py [ROWS]``.

``rropt estimate`` of one column of 0 and 1, from Parquet and CSV, beside DuckDB's count in a process of its own that
inverts the device, and ``rropt randomize`` and ``rropt count`` of the same file beside draws in floats by NumPy and the
same count: processor seconds and peak memory. ``rropt regress`` with five covariates on a tenth of the rows,
beside statsmodels' GLM on the same file, which has no device: peak memory. Lines of the table of peers.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from statistics import median

from side_by_side import PAIRS, absent, has, line, of_process, one_thread

COUNT = """
import duckdb, sys
rows = duckdb.connect()
rows.execute("set threads = 1")
n, y = rows.execute(f"SELECT count(*), sum(sick) FROM '{sys.argv[1]}'").fetchone()
print((y / n - 0.25) / 0.5, (y / n * (1 - y / n) / (n - 1)) ** 0.5 / 0.5)
"""
GLM = """
import pandas, sys
import statsmodels.api as sm
import statsmodels.formula.api as smf
found = smf.glm("y ~ x0 + x1 + x2 + x3 + x4", pandas.read_parquet(sys.argv[1]), family=sm.families.Binomial()).fit()
print(found.params.values, found.bse.values)
"""
RANDOMIZE = """
import duckdb, numpy, sys
rows = duckdb.connect()
rows.execute("set threads = 1")
true = rows.execute(f"SELECT sick FROM '{sys.argv[1]}'").fetchnumpy()["sick"]
rng = numpy.random.default_rng()
drawn = numpy.where(rng.random(len(true)) < 0.75, true, 1 - true)
rng.shuffle(drawn)
rows.register("drawn", {"sick": drawn})
rows.execute(f"COPY (SELECT * FROM drawn) TO '{sys.argv[2]}'")
"""
MAKE = """
import duckdb, sys
kind = "PARQUET" if sys.argv[2].endswith("parquet") else "CSV"
duckdb.sql(f"COPY ({sys.argv[1]}) TO '{sys.argv[2]}' (FORMAT {kind})")
"""
COLUMN = "SELECT (random() < 0.4)::UTINYINT AS sick FROM range({rows})"
COVARIATES = ", ".join(f"random() AS x{i}" for i in range(5))
TABLE = f"SELECT (random() < 0.4)::UTINYINT AS y, {COVARIATES} FROM range({{rows}})"


def turns(ours: list[str], theirs: list[str]) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the medians of seconds and of memory of two processes, measured in turn."""
    of_process(ours), of_process(theirs)
    runs = [(of_process(ours), of_process(theirs)) for _ in range(PAIRS)]
    seconds, memory = ((median(own[i] for own, _ in runs), median(other[i] for _, other in runs)) for i in (0, 1))
    return seconds, memory


def main(rows: int) -> None:
    """Print a line for each file."""
    one_thread()
    python, rropt = sys.executable, [sys.executable, "-m", "rropt"]
    with tempfile.TemporaryDirectory() as folder:
        for suffix, asked in (("parquet", 2), ("csv", 1.3)):
            file = str(Path(folder) / f"table.{suffix}")
            of_process([python, "-c", MAKE, COLUMN.format(rows=rows), file])
            words = [*rropt, "estimate", file, "--column", "sick", "--mechanism", "warner:3/4"]
            seconds, memory = turns(words, [python, "-c", COUNT, file])
            line(f"estimate of {rows} rows, {suffix}", *seconds, asked)
            line(f"memory of estimate, {rows} rows, {suffix}", *memory, 1.2, "MiB")
            words = [*rropt, "count", file, "--column", "sick", "--mechanism", "warner:3/4"]
            seconds, _ = turns(words, [python, "-c", COUNT, file])
            line(f"count of {rows} rows, {suffix}", *seconds, asked)
            made = str(Path(folder) / f"made.{suffix}")
            words = [*rropt, "randomize", file, "--column", "sick", "--mechanism", "warner:3/4", "--output", made]
            seconds, memory = turns(words, [python, "-c", RANDOMIZE, file, made])
            line(f"randomize {rows} rows, {suffix}", *seconds, 3)
            print(f"  in {memory[0]:.0f} MiB beside {memory[1]:.0f} MiB")
        few = rows // 10
        work, asked = f"memory of regress, {few} rows", 0.5
        if not (has("statsmodels") and has("pandas")):
            absent(work, "statsmodels", asked)
            absent(f"seconds of regress, {few} rows", "statsmodels", 1.0)
            return
        file = str(Path(folder) / "regression.parquet")
        of_process([python, "-c", MAKE, TABLE.format(rows=few), file])
        words = [*rropt, "regress", file, "--formula", "y ~ x0 + x1 + x2 + x3 + x4", "--mechanism", "warner:3/4"]
        seconds, memory = turns(words, [python, "-c", GLM, file])
        line(work, *memory, asked, "MiB")
        line(f"seconds of regress, {few} rows", *seconds, 1.0)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10**7)
