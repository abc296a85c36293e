"""Audits: the bounds at expected counts, calls until a defect is found, and files.

    python benchmarks/audits.py [--rows 1000000 100000000] [--folder FOLDER]

Files: processor seconds of ``rropt audit`` beside DuckDB's own ``group by`` of the same file. A Parquet file with an
input and a response of Warner's device in each row is made, counted by DuckDB in a process of its own, and audited by
the command line. The file is removed.
"""

from __future__ import annotations

import argparse
import math
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import rropt_fieldwork

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


def bounds() -> None:
    """Print the bounds at exact expected counts, at confidence 95 %, beside what is asked."""

    for n, least in ((10**6, 1.093), (10_700_000, 1.0965)):
        counts = [[3 * n // 4, n // 4], [n // 4, 3 * n // 4]]
        _print_bound(
            f"Warner's device at log(3), N = {n}", rropt_fieldwork.audit_counts(counts, claim=1, event=["0"]), least
        )
    k, n = 2925, 10**6
    kept = round(n * math.exp(14) / (math.exp(14) + k - 1))
    rows = [[kept, 1, *[0] * (k - 2)], [1, kept, *[0] * (k - 2)]]
    for row in rows:
        row[2 : 2 + n - kept - 1] = [1] * (n - kept - 1)
    _print_bound(f"k = {k}, epsilon = 14, N = {n}", rropt_fieldwork.audit_counts(rows, claim=13), 12.0)
    n = 10**7
    equal = rropt_fieldwork.audit_counts([[n, n // 3], [n, n // 3]], claim=1)
    print(f"equal counts at both inputs: epsilon is at least {equal.epsilon_at_least} (asked: exactly 0)")


def _print_bound(what: str, found: object, least: float) -> None:
    value = float(found.epsilon_at_least)  # type: ignore[attr-defined]
    print(f"{what}: epsilon is at least {value:.6f} (asked: at least {least})")
    if value < least:
        raise SystemExit("a bound is too small")


def called() -> None:
    """Print after how many calls a sequential audit refutes the claim of defective boxes."""

    rng = random.Random(7)

    def chances(*rows: list[float]) -> Callable[[str], int]:
        return lambda text: rng.choices(range(len(rows[0])), rows[int(text)])[0]

    def laplace(text: str) -> float:
        u = rng.random() - 0.5
        return float(text) - math.copysign(1.0, u) * math.log(1 - 2 * abs(u))

    boxes: dict[str, tuple[Callable[[str], object], dict[str, object]]] = {
        "p + (1 - p) p in the place of p": (chances([15 / 16, 1 / 16], [1 / 16, 15 / 16]), {"claim": "log(3)"}),
        "a biased sampler, 0.80 for 0.75": (chances([0.8, 0.2], [0.25, 0.75]), {"claim": "log(3)"}),
        "a forbidden zero, of chance 1/100": (chances([0.74, 0.01, 0.25], [0.25, 0.0, 0.75]), {"claim": "log(3)"}),
        "Laplace noise in floats": (laplace, {"claim": 1, "last_bits": True}),
        "a correct box": (chances([0.75, 0.25], [0.25, 0.75]), {"claim": "log(3)"}),
    }
    for name, (box, asked) in boxes.items():
        start = time.process_time()
        found = rropt_fieldwork.audit_box(box, budget=60_000, **asked)
        said = f"{found.stopped}, {found.calls} calls, {time.process_time() - start:.2f} s"
        print(f"{name}: {said}, epsilon is at least {float(found.epsilon_at_least):.4f}")


def main() -> None:
    """Print bounds, calls, and a table of files."""
    import duckdb

    bounds()
    called()

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, nargs="+", default=[10**6, 10**7])
    parser.add_argument("--folder", type=Path)
    args = parser.parse_args()
    for rows in args.rows:
        with tempfile.TemporaryDirectory(dir=args.folder) as folder:
            path = Path(folder) / "samples.parquet"
            duckdb.sql(f"COPY ({_SAMPLES.format(rows=rows)}) TO '{path}'")
            counted = [sys.executable, "-c", _GROUP_BY, str(path)]
            words = ["audit", str(path), "--input", "x", "--column", "y", "--claim", "1"]
            audited = [sys.executable, "-m", "rropt.cli.main", *words]
            times = [min(seconds(each) for _ in range(2)) for each in (counted, audited)]
        print(f"{rows} rows: group by {times[0]:.2f} s, audit {times[1]:.2f} s, ratio {times[1] / times[0]:.2f}")


if __name__ == "__main__":
    main()
