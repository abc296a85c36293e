#!/bin/sh
# DuckDB 2.0.1: in a long object column of pandas, a rare value is changed to the type of the others without a word.
#
# Survey data with mixed cells arrive as object columns. DuckDB chooses the type of such a column from a sample of its values.
# Expected: an error, or text, where a value outside the sample does not fit. Seen: with 49 999 equal values and one other,
# 2.5 among ones is counted as 2, and 2.5 among True as True; Decimal("1.25") among Decimal("1.5") becomes 1.3.
# A text that is no number among numbers is an error, so the quiet cases are those that look like data.
. "$(dirname "$0")/install.sh"
install duckdb==2.0.1 pandas==3.1.1 numpy==2.4.6
"$PYTHON" - <<'PYTHON'
from decimal import Decimal

import duckdb
import pandas


def counted(common, rare):
    """Return the counts of a column of 50 000 values, one of which differs."""
    values = [common] * 50_000
    values[33_333] = rare
    frame = pandas.DataFrame({"weight": pandas.Series(values, dtype=object)})
    assert frame["weight"][33_333] == rare
    return dict(duckdb.sql("SELECT weight, count(*) FROM frame GROUP BY weight").fetchall())


for common, rare, expected in (
    (1, 2.5, {1: 49_999, 2: 1}),
    (True, 2.5, {True: 50_000}),
    (Decimal("1.5"), Decimal("1.25"), {Decimal("1.5"): 49_999, Decimal("1.3"): 1}),
):
    seen = counted(common, rare)
    print(f"{rare!r} among 49 999 times {common!r}: {seen}")
    assert seen == expected, seen
try:
    counted(1, "refused")
except duckdb.InvalidInputException as error:
    print("a text among numbers:", str(error).splitlines()[0])
else:
    raise AssertionError("a text among numbers is accepted")
print("seen: the rare value is changed, and no error is raised")
PYTHON
