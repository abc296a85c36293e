"""Processor time of a regression of 10^6 rows with ten covariates, three devices and weights.

    python benchmarks/regression.py [ROWS]

The rows come from a Parquet file, so that reading is part of the figure.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

import duckdb
import numpy as np

import rropt

DEVICES = {"forced:2/3,1/6,1/6": (1 / 6, 2 / 3), "crosswise:1/4": (3 / 4, -1 / 2), "direct": (0.0, 1.0)}


def main(rows: int) -> None:
    random = np.random.default_rng(1)
    X = random.normal(size=(rows, 8))
    factor = random.integers(0, 3, rows)
    eta = -1 + X @ np.linspace(-0.4, 0.4, 8) + 0.3 * (factor == 1)
    truth = random.random(rows) < 1 / (1 + np.exp(-eta))
    device = random.integers(0, 3, rows)
    c, d = (np.array([pair[i] for pair in DEVICES.values()])[device] for i in (0, 1))
    z = (random.random(rows) < c + d * truth).astype(int)
    columns = {f"x{j}": X[:, j] for j in range(8)}
    table = {
        **columns,
        "f": np.array(["a", "b", "c"])[factor],
        "device": np.array(list(DEVICES))[device],
        "z": z,
        "w": random.uniform(1, 3, rows),
        "cluster": random.integers(0, 1000, rows),
    }
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.parquet"
        relation = duckdb.connect().from_df(__import__("pandas").DataFrame(table))
        relation.write_parquet(str(path))
        formula = "z ~ " + " + ".join(columns) + " + f"
        for name, options in (
            ("likelihood", {}),
            ("weights and clusters", {"weights": "w", "clusters": "cluster"}),
        ):
            before = time.process_time()
            found = rropt.regress(path, formula, devices="device", **options)
            spent = time.process_time() - before
            print(f"{rows} rows, {len(found.names)} coefficients, {name}: {spent:.1f} s of processor time")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
