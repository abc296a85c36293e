#!/bin/sh
# DuckDB 2.0.1: `read_csv` drops a surplus EMPTY cell at the end of a row without an error.
#
# R writes row names by default, and its header is then one cell short: write.table(d, sep = ",", na = "").
# If the last column is empty, each row has one cell more than the header, and that cell is empty.
# Expected: an error, as for a surplus cell with text. Seen: each column is read one place to the left of its name,
# so that "q1" holds the row names and "q2" the answers to q1.
. "$(dirname "$0")/install.sh"
install duckdb==2.0.1
"$PYTHON" - <<'PYTHON'
import duckdb

header = '"q1","q2","note"\n'
empty = header + "".join(f'"{i}","{"yes" if i % 3 else "no"}","no",\n' for i in range(1, 31))  # q2 is always "no"
with open("empty.csv", "w") as file:
    file.write(empty)
with open("text.csv", "w") as file:
    file.write(empty.replace('"no",\n', '"no","late"\n'))

columns = "columns = {'q1': 'VARCHAR', 'q2': 'VARCHAR', 'note': 'VARCHAR'}"
layout = f"header = true, auto_detect = false, delim = ',', quote = '\"', {columns}"
for options in ("header = true, all_varchar = true", layout):
    rows = duckdb.sql(f"SELECT q1, q2, note FROM read_csv('empty.csv', {options})").fetchall()
    print(options.split(",")[1].strip(), "->", rows[:2])
    assert len(rows) == 30
    assert rows[0] == ("1", "yes", "no"), rows[0]  # the row name, the answer to q1, and the answer to q2

try:
    duckdb.sql(f"SELECT count(*) FROM read_csv('text.csv', {layout})").fetchall()
except duckdb.InvalidInputException as error:
    print("a surplus cell with text:", str(error).splitlines()[0])
else:
    raise AssertionError("a surplus cell with text is accepted")
print("seen: surplus empty cells are dropped, and every column is shifted")
PYTHON
