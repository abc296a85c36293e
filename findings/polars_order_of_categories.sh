#!/bin/sh
# Polars 2.1.0 and pandas 3.1.1: an ordered categorical loses its order in from_pandas, without a warning: the largest answer changes.
#
# A question "how often" has the ordered categories never < sometimes < often. pandas sorts by them, and its largest value is "often".
# polars.from_pandas makes a Categorical of it, which has the order of the alphabet: the largest value is now "sometimes", and groups
# and reference levels change places. DuckDB and Polars do the same with the Parquet file that pandas writes, although the file keeps
# "ordered" (pyarrow reads it). Expected: an Enum, which Polars has for this, or an error. It is seen only where the order matters.
. "$(dirname "$0")/install.sh"
install polars==2.1.0 pandas==3.1.1 pyarrow==26.0.1 duckdb==2.0.1
"$PYTHON" -W error - <<'PYTHON'
import duckdb
import pandas
import polars
import pyarrow.parquet

order = ["never", "sometimes", "often"]
frame = pandas.DataFrame({"a": pandas.Categorical(["often", "never", "sometimes"], categories=order, ordered=True)})
there = polars.from_pandas(frame)
print("largest in pandas:", frame["a"].max(), "| in Polars:", there["a"].max(), "| type:", there.schema["a"])
assert (frame["a"].max(), there["a"].max()) == ("often", "sometimes")

frame.to_parquet("answers.parquet")
assert pyarrow.parquet.read_table("answers.parquet").schema.field("a").type.ordered
by_polars = polars.read_parquet("answers.parquet").sort("a")["a"].to_list()
by_duckdb = [row[0] for row in duckdb.sql("SELECT a FROM 'answers.parquet' ORDER BY a").fetchall()]
print("the Parquet file, sorted by Polars:", by_polars, "| by DuckDB:", by_duckdb)
assert by_polars == by_duckdb == sorted(order) != order
assert frame["a"].sort_values().tolist() == order

kept = polars.from_pandas(frame).with_columns(polars.col("a").cast(polars.String).cast(polars.Enum(order)))
assert kept["a"].max() == "often"
print("seen: the order of categories is lost on the way, without a warning; an Enum keeps it")
PYTHON
