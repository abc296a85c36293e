"""An estimate from a file imports DuckDB, NumPy where it has arrays, and what they need: the rest would cost more."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = ("cvxpy", "ibis", "matplotlib", "pandas", "polars", "pyarrow", "scipy", "sympy")
ROOMS = ("accounting", "checker", "designs", "objectives", "plots", "privacy", "reports")
ALONE = ("audits", "clients", "costs", "devices", "ethics", "sheets")
SCRIPT = """
import sys
from rropt.cli.main import main
status = main(sys.argv[1:])
own = {".".join(name.split(".")[:2]) for name in sys.modules if name.startswith(("rropt.", "rropt_fieldwork."))}
print(status, *sorted({name.partition(".")[0] for name in sys.modules} | own), file=sys.stderr)
"""


@pytest.mark.slow
@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_the_joint_estimate_imports_no_heavy_package(suffix: str, tmp_path: Path) -> None:
    """The most likely distribution of three bits is searched here: the unbiased one is negative."""
    import duckdb

    path = tmp_path / f"bits{suffix}"
    rows = "VALUES (1, 1, 0), (1, 0, 1), (0, 1, 1), (1, 1, 1), (1, 1, 1)"
    kind = "PARQUET" if suffix == ".parquet" else "CSV"
    duckdb.sql(f"COPY (SELECT * FROM ({rows}) t(a, b, c)) TO '{path}' (FORMAT {kind})")
    options = ("--columns", "a,b,c", "--mechanism", "bits:3/4*3", "--marginals", "1", "--json")
    command = [sys.executable, "-c", SCRIPT, "estimate", str(path), *options]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    status, *modules = done.stderr.split()
    assert status == "0"
    assert {"duckdb", "numpy", "rropt"} <= set(modules)
    assert not set(modules) & {*HEAVY, "rropt.checker"}


def test_the_estimate_of_one_column_stays_in_its_room(tmp_path: Path) -> None:
    """The number needs no objective, no region, no checker, and no package beside DuckDB and FLINT."""
    import duckdb

    path = tmp_path / "a.csv"
    path.write_text("q\nno\nyes\nyes\n")
    options = ("--column", "q", "--categories", "no,yes", "--mechanism", "warner:3/4")
    command = [sys.executable, "-c", SCRIPT, "estimate", str(path), *options]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    _, *modules = done.stderr.splitlines()[-1].split()
    assert "rropt_fieldwork.reading" in modules
    own = {"numpy", "pandas", "pyarrow"} if duckdb.__version__ < "2" else set()  # which DuckDB 1 imports itself
    assert not set(modules) & (
        {*HEAVY, "numpy", *(f"rropt.{room}" for room in ROOMS), *(f"rropt_fieldwork.{room}" for room in ALONE)} - own
    )
