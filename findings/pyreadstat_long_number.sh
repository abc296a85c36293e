#!/bin/sh
# pyreadstat 1.3.7 and pandas 3.1.1: two respondents whose numbers exceed 2^53 become one in an SPSS or Stata file, without a warning.
#
# SPSS and Stata keep numbers as doubles. Survey programs give clusters, households and responses numbers of 16 to 19 digits.
# write_sav and write_dta round a column of int64 and say nothing; pandas' own to_stata warns (PossiblePrecisionLoss). Two
# households are then one cluster, and standard errors change. Expected: an error, or a warning as pandas has it.
. "$(dirname "$0")/install.sh"
install pyreadstat==1.3.7 pandas==3.1.1
"$PYTHON" -W error - <<'PYTHON'
import warnings

import pandas
import pyreadstat

frame = pandas.DataFrame({"household": [2**53, 2**53 + 1], "answer": [0, 1]})
pyreadstat.write_sav(frame, "answers.sav")  # -W error: a warning would end the script
pyreadstat.write_dta(frame, "answers.dta")
for read, file in ((pyreadstat.read_sav, "answers.sav"), (pyreadstat.read_dta, "answers.dta")):
    there, _ = read(file)
    print(file, [int(x) for x in there["household"]])
    assert frame["household"].nunique() == 2
    assert there["household"].nunique() == 1

with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    frame.to_stata("pandas.dta")
print("pandas warns:", [one.category.__name__ for one in told])
assert any(one.category.__name__ == "PossiblePrecisionLoss" for one in told)

texts = frame.assign(household=frame["household"].astype(str))
pyreadstat.write_sav(texts, "texts.sav")
assert pyreadstat.read_sav("texts.sav")[0]["household"].nunique() == 2
print("seen: long numbers are rounded without a word; as texts they stay apart")
PYTHON
