#!/bin/sh
# DuckDB 2.0.1 and Polars 2.1.0: a NaN in a Parquet file is an income of at least 1000, or of any other limit.
#
# Polars writes NaN as NaN, which is not the null of Parquet. One file with the incomes 500, NaN, 2000 and null is read by three programs.
# Expected from IEEE 754: NaN >= 1000 is false, as in NumPy and pandas. Seen: DuckDB and Polars order NaN above every number, so that
# income >= 1000 has two rows there, and one row in pandas. The mean is nan in DuckDB and Polars, and 1250 in pandas.
. "$(dirname "$0")/install.sh"
install duckdb==2.0.1 polars==2.1.0 pandas==3.1.1 numpy==2.4.6 pyarrow==26.0.1
"$PYTHON" - <<'PYTHON'
import math

import duckdb
import numpy
import pandas
import polars

polars.DataFrame({"income": [500.0, math.nan, 2000.0, None]}).write_parquet("incomes.parquet")
query = "SELECT count(*) FILTER (income >= 1000), avg(income), max(income) FROM 'incomes.parquet'"
in_duckdb = duckdb.sql(query).fetchall()[0]
column = polars.read_parquet("incomes.parquet")["income"]
in_polars = (int((column >= 1000).sum()), column.mean(), column.max())
series = pandas.read_parquet("incomes.parquet")["income"]
in_pandas = (int((series >= 1000).sum()), float(series.mean()), float(series.max()))
print("rows with income >= 1000, mean, largest:", {"DuckDB": in_duckdb, "Polars": in_polars, "pandas": in_pandas})
assert in_pandas == (1, 1250.0, 2000.0), in_pandas
assert not numpy.float64("nan") >= 1000
assert in_duckdb[0] == in_polars[0] == 2, (in_duckdb, in_polars)
assert math.isnan(in_duckdb[1]) and math.isnan(in_polars[1]), (in_duckdb, in_polars)
assert math.isnan(in_duckdb[2]) and in_polars[2] == 2000.0, (in_duckdb, in_polars)  # the two differ in the largest one
print("seen: a missing number is above every limit in two of three programs")
PYTHON
