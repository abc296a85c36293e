"""Answers from files: seconds and peak memory of estimates and of randomization, by the number of rows.

    python benchmarks/answers_from_files.py --rows 1000000 10000000 [--folder /tmp] [--csv]
    python benchmarks/answers_from_files.py --bits
    python benchmarks/answers_from_files.py --plain

A file with texts, missing answers, 60 devices and 40 groups is made, estimated by the command line in a process of its
own, and randomized; then the plain case, one column of 0 and 1, beside NumPy's bincount and Polars; then all marginals
of ten bits, and a complex survey of 1000 strata, beside Polars; with `--last --engines polars pyspark` these two by
other engines as well. With ``--bits`` ten bits alone, beside DuckDB's own ``group by all``. With ``--plain`` one column
of 10^7 rows beside DuckDB's ``GROUP BY``, whole processes in alternating pairs, with ratios of processor seconds and
memory. The files are removed.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

DEVICES, GROUPS = 60, 40
_SURVEY = f"""
SELECT i AS id, CASE WHEN random() < 0.05 THEN '' WHEN random() < 0.4 THEN 'yes' ELSE 'no' END AS sick,
       'region ' || (i * 7919 % {GROUPS}) AS region, 'unrelated:1/2,' || (1 + i * 104729 % {DEVICES}) || '/61' AS device
FROM range({{rows}}) t(i)
"""
_PLAIN = "SELECT CAST(random() < 0.4 AS UTINYINT) AS q FROM range({rows})"

# ten bits, and a survey of 1000 strata with 100 clusters in each
_BITS = f"SELECT {', '.join(f'CAST(random() < 0.4 AS UTINYINT) AS q{i}' for i in range(10))} FROM range({{rows}})"
_WEIGHTED = """
SELECT CAST(random() < 0.4 AS UTINYINT) AS q, 's' || (c % 1000) AS stratum, 'c' || c AS cluster, 0.5 + random() AS w
FROM (SELECT CAST(floor(random() * 100000) AS INTEGER) AS c FROM range({rows}))
"""

_BINCOUNT = """
import numpy, sys
import pyarrow.parquet as parquet
total = numpy.zeros(2, numpy.int64)
for batch in parquet.ParquetFile(sys.argv[1]).iter_batches(batch_size=1 << 20, columns=["q"]):
    total += numpy.bincount(batch.column(0).to_numpy(zero_copy_only=False), minlength=2)
print(total.tolist())
"""
_POLARS = """
import polars, sys
counted = polars.scan_parquet(sys.argv[1]).group_by("q").agg(polars.len()).collect(engine="streaming")
print(dict(counted.iter_rows()))
"""
_GROUP_BY_ALL = """
import duckdb, sys
questions = ", ".join(f"q{i}" for i in range(10))
print(len(duckdb.sql(f"SELECT {questions}, count(*) FROM '{sys.argv[1]}' GROUP BY ALL").fetchall()))
"""
_GROUP_BY = """
import duckdb, sys
print(duckdb.sql(f"SELECT q, count(*) FROM '{sys.argv[1]}' GROUP BY q").fetchall())
"""
_POLARS_MARGINALS = """
import polars, sys
questions = [f"q{i}" for i in range(10)]
counted = polars.scan_parquet(sys.argv[1]).group_by(questions).agg(polars.len()).collect(engine="streaming")
print(counted.height, [counted.filter(polars.col(q) == 1)["len"].sum() for q in questions])
"""
_POLARS_WEIGHTED = """
import polars, sys
from polars import col
table = polars.scan_parquet(sys.argv[1]).with_columns(z=polars.when(col("q") == 1).then(1.5).otherwise(-0.5))
keys = sys.argv[2:]
sums = table.group_by([*keys, "z"]).agg(polars.len(), w=col("w").sum(), ww=(col("w") ** 2).sum())
found = sums.collect(engine="streaming")
weight = found["w"].sum()
share = (found["w"] * found["z"]).sum() / weight
if "cluster" in keys:
    units = found.group_by(keys).agg(u=(col("w") * (col("z") - share)).sum()).with_columns(uu=col("u") ** 2)
    units = units.group_by("stratum").agg(n=polars.len(), u=col("u").sum(), uu=col("uu").sum())
else:
    parts = col("w") * (col("z") - share), col("ww") * (col("z") - share) ** 2
    units = found.group_by("stratum").agg(n=col("len").sum(), u=parts[0].sum(), uu=parts[1].sum())
variance = units.select((col("n") / (col("n") - 1) * (col("uu") - col("u") ** 2 / col("n"))).sum()).item() / weight**2
print(share, variance)
"""


def measure_bits(rows: int, folder: Path, times: int = 5) -> None:
    """Measure ten bits beside DuckDB's counts of them, whole processes in turn; with few rows, what is not counting."""
    questions = ",".join(f"q{i}" for i in range(10))
    options = ("--columns", questions, "--mechanism", "bits:3/4*10", "--marginals", "1", "--json")
    for suffix in (".parquet", ".csv"):
        for number in (rows, 10_000):
            path = folder / f"bits{suffix}"
            print(f"{number:.0e} rows, {path.name}: {made(path, _BITS.format(rows=number)):.1f} MB", flush=True)
            commands = {
                "DuckDB, group by all": (sys.executable, "-c", _GROUP_BY_ALL, str(path)),
                "rropt estimate": (sys.executable, "-m", "rropt.cli.main", "estimate", str(path), *options),
            }
            runs = [{name: run(name, *command) for name, command in commands.items()} for _ in range(times)]
            for what in ("seconds", "processors"):
                least = [min(each[name][what] for each in runs) for name in commands]
                print(f"  least {what}: {least[0]:.2f} and {least[1]:.2f}, ratio {least[1] / least[0]:.1f}", flush=True)
            path.unlink()


def measure_plain(rows: int, folder: Path, times: int = 5) -> None:
    """Print for each format both sides, their ratios and the targets: medians of alternating pairs."""
    print("work | rropt | DuckDB | ratio | asked | met")
    for suffix, asked in ((".parquet", 2.0), (".csv", 1.3)):
        path = folder / f"plain{suffix}"
        made(path, _PLAIN.format(rows=rows))
        options = ("--column", "q", "--mechanism", "warner:3/4", "--json")
        ours = (sys.executable, "-m", "rropt.cli.main", "estimate", str(path), *options)
        theirs = (sys.executable, "-c", _GROUP_BY, str(path))
        runs = [(run("rropt estimate", *ours), run("DuckDB, group by", *theirs)) for _ in range(times)]
        for what, most in (("processors", asked), ("megabytes", 1.2)):
            own, peer = (statistics.median(pair[side][what] for pair in runs) for side in (0, 1))
            is_met = "yes" if own <= most * peer else "NO"
            work = f"estimate {rows:.0e} rows {suffix[1:]}, {what}"
            print(f"{work} | {own:.2f} | {peer:.2f} | {own / peer:.2f} | {most} | {is_met}", flush=True)
        path.unlink()


def made(path: Path, query: str) -> float:
    """Write a file by DuckDB; return its size in MB."""
    import duckdb

    kind = "PARQUET" if path.suffix == ".parquet" else "CSV"
    with duckdb.connect() as connection:
        connection.execute(f"COPY ({query}) TO '{path}' (FORMAT {kind})")
    return path.stat().st_size / 1e6


def run(name: str, *command: str) -> dict[str, float]:
    """Run a command; print and return its seconds of clock and processors, and its peak memory."""
    code = (
        "import json, resource, subprocess, sys; done = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, "
        "stderr=subprocess.PIPE, text=True); use = resource.getrusage(resource.RUSAGE_CHILDREN); "
        "print(json.dumps([done.returncode, use.ru_utime + use.ru_stime, use.ru_maxrss, done.stderr[-300:]]))"
    )
    start = time.perf_counter()
    process = [sys.executable, "-c", code, *command]
    out = subprocess.run(process, capture_output=True, text=True, check=True, cwd=tempfile.gettempdir()).stdout
    seconds = time.perf_counter() - start
    status, processors, peak, told = json.loads(out)
    if status:
        raise SystemExit(f"{name}: {told}")
    print(f"  {name:38s} {seconds:8.1f} s  {processors:8.1f} s of processors  {peak / 1e3:8.0f} MB", flush=True)
    return {"seconds": seconds, "processors": processors, "megabytes": peak / 1e3}


def measure(rows: int, folder: Path, *, csv: bool) -> None:
    """Make the files of a number of rows, and measure."""
    rropt = (sys.executable, "-m", "rropt.cli.main")
    print(f"{rows:.0e} rows", flush=True)
    for suffix in (".parquet", ".csv")[: 1 + csv]:
        survey = folder / f"survey{suffix}"
        print(f"  {survey.name}: {made(survey, _SURVEY.format(rows=rows)):.0f} MB")
        column = ("--column", "sick", "--categories", "no,yes")
        estimated = ("estimate", str(survey), *column, "--devices", "device", "--json")
        run(f"estimate{suffix}, {DEVICES} devices, {GROUPS} groups", *rropt, *estimated, "--by", "region")
        survey.unlink()
    plain = folder / "plain.parquet"
    print(f"  {plain.name}: {made(plain, _PLAIN.format(rows=rows)):.0f} MB")
    run("estimate, one column", *rropt, "estimate", str(plain), "--column", "q", "--mechanism", "warner:3/4", "--json")
    run("NumPy, bincount of batches", sys.executable, "-c", _BINCOUNT, str(plain))
    run("Polars, streaming", sys.executable, "-c", _POLARS, str(plain))
    for suffix in (".parquet", ".csv"):
        output = folder / f"private{suffix}"
        options = ("--column", "q", "--mechanism", "warner:3/4", "--output", str(output))
        run(f"randomize to {suffix}", *rropt, "randomize", str(plain), *options)
        output.unlink()
    plain.unlink()
    measure_weighted(rows, folder, rropt)


def measure_weighted(rows: int, folder: Path, rropt: tuple[str, ...], others: tuple[str, ...] = ()) -> None:
    """Measure all marginals of ten bits, and a complex survey, beside Polars; or by these engines too."""
    bits, survey = folder / "bits.parquet", folder / "weighted.parquet"
    print(f"  {bits.name}: {made(bits, _BITS.format(rows=rows)):.0f} MB")
    questions = ",".join(f"q{i}" for i in range(10))
    options = ("--columns", questions, "--mechanism", "bits:3/4*10", "--marginals", "1", "--json")
    run("estimate, marginals of ten bits", *rropt, "estimate", str(bits), *options)
    for engine in others:
        run(f"the same by {engine}", *rropt, "estimate", str(bits), *options, "--engine", engine)
    run("Polars, counts of the ten bits", sys.executable, "-c", _POLARS_MARGINALS, str(bits))
    bits.unlink()
    print(f"  {survey.name}: {made(survey, _WEIGHTED.format(rows=rows)):.0f} MB")
    options = ("--column", "q", "--mechanism", "warner:3/4", "--weights", "w", "--strata", "stratum", "--json")
    for clusters in (), ("cluster",):
        own = ("--clusters", *clusters) * bool(clusters)
        run(f"estimate, weights{', clusters' * len(clusters)}", *rropt, "estimate", str(survey), *options, *own)
        for engine in others:
            run(f"the same by {engine}", *rropt, "estimate", str(survey), *options, *own, "--engine", engine)
        polars = (sys.executable, "-c", _POLARS_WEIGHTED, str(survey), "stratum", *clusters)
        run(f"Polars, weights{', clusters' * len(clusters)}", *polars)
    survey.unlink()


def installed() -> str:
    """Say which package is measured, and whether its bytecode is there."""
    code = (
        "import importlib.util, os; own = importlib.util.find_spec('rropt').origin; "
        "there = os.path.exists(importlib.util.cache_from_source(own)); "
        "print('installed' if 'site-packages' in own else 'source tree', 'with' if there else 'without', 'bytecode')"
    )
    command = [sys.executable, "-c", code]
    found = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tempfile.gettempdir()).stdout
    return f"rropt: {found.strip()}"


def main() -> None:
    """Measure the numbers of rows that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, nargs="+", default=[10**6, 10**7])
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--last", action="store_true", help="the ten bits and the complex survey alone")
    parser.add_argument("--engines", nargs="*", default=[], help="with --last: polars, pyspark, beside DuckDB")
    parser.add_argument("--csv", action="store_true", help="the survey as CSV too")
    parser.add_argument("--bits", action="store_true", help="ten bits beside DuckDB alone, 10^7 rows")
    parser.add_argument("--plain", action="store_true", help="one column beside DuckDB alone, 10^7 rows")
    args = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    print(installed())
    with tempfile.TemporaryDirectory(dir=args.folder and args.folder.resolve()) as folder:
        if args.bits:
            measure_bits(10**7, Path(folder))
        if args.plain:
            measure_plain(10**7, Path(folder))
        for rows in () if args.bits or args.plain else args.rows:
            if args.last:
                measure_weighted(rows, Path(folder), (sys.executable, "-m", "rropt.cli.main"), tuple(args.engines))
            else:
                measure(rows, Path(folder), csv=args.csv)


if __name__ == "__main__":
    main()
