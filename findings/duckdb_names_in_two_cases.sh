#!/bin/sh
# DuckDB 2.0.1: of the columns "age" and "Age", the query SELECT "Age" returns age.
#
# Names are compared without case, in quotation marks too, as the manual says. A table that comes from elsewhere may have both names:
# Stata, R, pandas, Polars and Parquet distinguish them, and questionnaires use Q1a and Q1A. The second column is then renamed
# Age_1. Expected: an error for a name that is ambiguous, or the column that has exactly this name. Seen: the other column, without
# a warning, for a data frame of pandas or Polars, an Arrow table, Parquet and CSV. The name is the user's own, and it is in the file.
. "$(dirname "$0")/install.sh"
install duckdb==2.0.1 pandas==3.1.1 polars==2.1.0 pyarrow==26.0.1 numpy==2.4.6
"$PYTHON" -W error - <<'PYTHON'
import duckdb
import pandas
import polars
import pyarrow

columns = {"age": [30, 41, 52], "Age": [1, 2, 2]}  # in years, and in groups
pandas_frame = pandas.DataFrame(columns)
polars_frame = polars.DataFrame(columns)
arrow_table = pyarrow.table(columns)
pandas_frame.to_csv("answers.csv", index=False)
pandas_frame.to_parquet("answers.parquet")
assert polars.read_parquet("answers.parquet")["Age"].to_list() == columns["Age"]  # the file has both
for source in ("pandas_frame", "polars_frame", "arrow_table", "'answers.csv'", "'answers.parquet'"):
    names = duckdb.sql(f"SELECT * FROM {source}").columns
    seen = [row[0] for row in duckdb.sql(f'SELECT "Age" FROM {source}').fetchall()]
    print(f"{source}: columns {names}, \"Age\" is {seen}")
    assert names == ["age", "Age_1"], names
    assert seen == columns["age"] != columns["Age"], seen
    kept = duckdb.sql(f'SELECT count(*) FROM {source} WHERE "Age" = 2').fetchall()
    assert kept == [(0,)], kept  # two people are in group 2
print("seen: a column that is named exactly is another one")
PYTHON
