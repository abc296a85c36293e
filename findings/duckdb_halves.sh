#!/bin/sh
# DuckDB 2.0.1: CAST(2.5 AS INTEGER) is 2 or 3, by the type in which 2.5 arrives.
#
# Midpoints of classes and averages of two raters end in .5, and are grouped by CAST(... AS INTEGER). Expected: one rule. Seen: a DOUBLE or
# FLOAT goes to the even neighbour (0.5 to 0, 2.5 to 2), a DECIMAL and a text away from zero (1 and 3): one survey has other groups
# from a Parquet file (DOUBLE) than from CSV, whose reader detects a decimal here. round() goes away from zero always.
. "$(dirname "$0")/install.sh"
install duckdb==2.0.1
"$PYTHON" - <<'PYTHON'
import duckdb

with open("midpoints.csv", "w") as file:
    file.write("id,class\n1,0.5\n2,1.5\n3,2.5\n")
duckdb.sql("SELECT id, CAST(class AS DOUBLE) AS class FROM read_csv('midpoints.csv')").write_parquet("midpoints.parquet")
seen = {}
for name, rows in {
    "Parquet": "read_parquet('midpoints.parquet')",
    "CSV, types detected": "read_csv('midpoints.csv')",
    "CSV, all as text": "read_csv('midpoints.csv', all_varchar = true)",
    "literals in SQL": "(VALUES (0.5), (1.5), (2.5)) AS t(class)",
}.items():
    seen[name] = [row[0] for row in duckdb.sql(f"SELECT CAST(class AS INTEGER) FROM {rows}").fetchall()]
    print(name, seen[name])
    assert duckdb.sql(f"SELECT round(CAST(class AS DOUBLE)) FROM {rows}").fetchall() == [(1,), (2,), (3,)]
assert seen.pop("Parquet") == [0, 2, 2], seen
assert all(groups == [1, 2, 3] for groups in seen.values()), seen
print("seen: three groups become two where the column is DOUBLE")
PYTHON
