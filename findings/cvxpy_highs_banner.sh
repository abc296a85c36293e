#!/bin/sh
# CVXPY 1.9.3 with highspy 1.16.0: a quiet solve by HiGHS writes two lines to standard output, past Python's sys.stdout.
#
# verbose is False by default. Expected: nothing on standard output, as with the other solvers. Seen: a program whose output is one JSON
# object prints a banner before it, which contextlib.redirect_stdout does not catch, since C code writes it.
. "$(dirname "$0")/install.sh"
install cvxpy==1.9.3 highspy==1.16.0 numpy==2.4.6 scipy==1.17.1
cat > solve.py <<'PYTHON'
import contextlib
import io
import json
import sys

import cvxpy

truth = cvxpy.Variable()  # the largest probability of the truth in a private binary mechanism with odds of at most 3
problem = cvxpy.Problem(cvxpy.Maximize(truth), [truth <= 3 * (1 - truth), truth <= 1])
with contextlib.redirect_stdout(io.StringIO()):
    value = problem.solve(solver=sys.argv[1])
print(json.dumps({"value": round(value, 6)}))
PYTHON
for solver in HIGHS SCIPY CLARABEL; do
  "$PYTHON" solve.py "$solver" > "$solver.txt"
  echo "$solver: $(wc -l < "$solver.txt") lines on standard output"
done
"$PYTHON" - <<'PYTHON'
import json

lines = {name: open(f"{name}.txt").read().splitlines() for name in ("HIGHS", "SCIPY", "CLARABEL")}
assert len(lines["SCIPY"]) == len(lines["CLARABEL"]) == 1, lines
assert len(lines["HIGHS"]) == 3 and lines["HIGHS"][0].startswith("Running HiGHS"), lines
assert all(json.loads(each[-1]) == {"value": 0.75} for each in lines.values()), lines
print("seen:", lines["HIGHS"][0].split(" (")[0], "stands before the JSON")
PYTHON
