#!/bin/sh
# DuckDB 2.0.1: a file with CRLF line ends is read as 0 rows if a cell of its header holds a lone LF in quotation marks.
#
# Excel ends rows with CRLF and writes a line break inside a cell as LF; so do form tools with long wordings in the header.
# Expected: 3 rows, or an error. Seen: 0 rows and no error, if the layout is stated; beside a file of the same
# columns with LF line ends, the rows of this file are left out of the count.
. "$(dirname "$0")/install.sh"
install duckdb==2.0.1
"$PYTHON" - <<'PYTHON'
import csv
import duckdb

crlf = b'id,"sick,\nroughly"\r\n1,yes\r\n2,no\r\n3,yes\r\n'
lf = b'id,"sick,\nroughly"\n1,yes\n2,no\n3,yes\n'
for name, text in (("crlf.csv", crlf), ("lf.csv", lf)):
    with open(name, "wb") as file:
        file.write(text)

with open("crlf.csv", newline="") as file:
    assert len(list(csv.reader(file))) == 4  # Python reads the header and three rows

options = "header = true, auto_detect = false, delim = ',', quote = '\"', columns = {'id': 'VARCHAR', 'sick': 'VARCHAR'}"
counts = {}
for files in ("['lf.csv']", "['crlf.csv']", "['lf.csv', 'crlf.csv']"):
    ((counts[files],),) = duckdb.sql(f"SELECT count(*) FROM read_csv({files}, {options})").fetchall()
    print(files, "->", counts[files], "rows")
assert list(counts.values()) == [3, 0, 3], counts
print("seen: the file with CRLF has no rows, alone and beside another file")
PYTHON
