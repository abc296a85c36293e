#!/bin/sh
# DuckDB 2.0.1: in a column whose type is stated as a number, the cell 1_2 is read as 12.
#
# Survey tools write the boxes that a person ticked as one code, such as 1_2 for boxes 1 and 2; the first rows often hold one box alone, so
# that somebody states INTEGER. Expected: an error for 1_2, as for 1-2 and 1;2, since the reader's own detection calls this column text.
# Seen: 12 and 23, which are codes of other answers in a list of more than eleven; TRY_CAST does the same. pandas' to_numeric and Polars'
# cast call such a cell no number.
. "$(dirname "$0")/install.sh"
install duckdb==2.0.1 pandas==3.1.1 polars==2.1.0
"$PYTHON" - <<'PYTHON'
import duckdb
import pandas
import polars

with open("ticked.csv", "w") as file:
    file.write("id,ticked\n1,1\n2,1_2\n3,2_3\n")
detected = duckdb.sql("SELECT ticked FROM read_csv('ticked.csv')").fetchall()
print("detected:", detected)
assert detected == [("1",), ("1_2",), ("2_3",)], detected
for kind in ("INTEGER", "DOUBLE"):
    stated = duckdb.sql(f"SELECT ticked FROM read_csv('ticked.csv', types = {{'ticked': '{kind}'}})").fetchall()
    print(f"stated as {kind}:", stated)
    assert stated == [(1,), (12,), (23,)], stated
for other in ("1-2", "1;2", "1 2", "1__2"):
    assert duckdb.sql(f"SELECT TRY_CAST('{other}' AS INTEGER)").fetchall() == [(None,)], other
assert duckdb.sql("SELECT TRY_CAST('1_2' AS INTEGER)").fetchall() == [(12,)]
assert pandas.to_numeric(pandas.Series(["1_2"]), errors="coerce").isna().all()
assert polars.Series(["1_2"]).cast(polars.Int64, strict=False).null_count() == 1
print("seen: 1_2 is 12 for DuckDB, and no number for pandas and Polars")
PYTHON
