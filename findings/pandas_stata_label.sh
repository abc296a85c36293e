#!/bin/sh
# pandas 3.1.1: a Stata column with the single value label 0 = "1" loses the difference between 0 and 1 when it is written.
#
# `read_stata` applies labels by default, and keeps the unlabelled value 1 as a number beside the label "1" as a text.
# The two categories are different in memory, and equal in every text format. Expected: a warning, as for repeated labels.
# Seen: no warning; two of five answers are "1" by label and three by value, and the CSV file has five times 1.
. "$(dirname "$0")/install.sh"
install pandas==3.1.1
"$PYTHON" -W error - <<'PYTHON'
import pandas

answers = pandas.DataFrame({"sick": [0, 1, 1, 0, 1]})
answers.to_stata("survey.dta", write_index=False, value_labels={"sick": {0: "1"}})
read = pandas.read_stata("survey.dta")
print("categories in memory:", read["sick"].cat.categories.tolist())
assert read["sick"].cat.categories.tolist() == ["1", 1]
assert sorted(read.groupby("sick", observed=True).size().tolist()) == [2, 3]
read.to_csv("survey.csv", index=False)
written = pandas.read_csv("survey.csv")["sick"].tolist()
print("written and read again:", written)
assert written == [1, 1, 1, 1, 1]
print("seen: 0 and 1 have become one value, without a warning")
PYTHON
