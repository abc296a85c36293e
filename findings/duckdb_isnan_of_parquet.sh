#!/bin/sh
# DuckDB 2.0.1: isnan(x) is false for a NaN of a Parquet file, if the column has no null.
#
# The statistics of a Parquet file leave NaN out: of the incomes 500, NaN and 2000 the largest is 2000. DuckDB concludes from a finite maximum
# that no value is NaN, and replaces isnan(income) by false before it reads the file. Expected: true for the second row. Seen: false for
# all rows, and no row for WHERE isnan(income); with one null more in the column, the projection is right. isfinite(income) is right.
. "$(dirname "$0")/install.sh"
install duckdb==2.0.1 pyarrow==26.0.1
"$PYTHON" - <<'PYTHON'
import math

import duckdb
import pyarrow
import pyarrow.parquet

incomes = [500.0, math.nan, 2000.0]
pyarrow.parquet.write_table(pyarrow.table({"income": incomes}), "incomes.parquet")
pyarrow.parquet.write_table(pyarrow.table({"income": [*incomes, None]}), "with_null.parquet")


def of(query, file="incomes.parquet"):
    return [row[0] for row in duckdb.sql(f"{query.replace('FILE', repr(file))}").fetchall()]


read = of("SELECT income FROM FILE")
assert math.isnan(read[1]), read  # the value itself arrives
isnan = of("SELECT isnan(income) FROM FILE")
print("incomes", read, "isnan", isnan)
assert isnan == [False, False, False], isnan
assert of("SELECT income FROM FILE WHERE isnan(income)") == []
assert of("SELECT isfinite(income) FROM FILE") == [True, False, True]
assert of("SELECT CAST(income AS VARCHAR) = 'nan' FROM FILE") == [False, True, False]
assert of("SELECT isnan(income) FROM FILE", "with_null.parquet") == [False, True, False, None]
cleaned = of("SELECT count(*) FROM FILE WHERE CASE WHEN isnan(income) THEN NULL ELSE income END >= 1000")
print("rows with an income of at least 1000, NaN left out by isnan:", cleaned)
assert cleaned == [2], cleaned
print("seen: a query that leaves NaN out by isnan counts it")
PYTHON
