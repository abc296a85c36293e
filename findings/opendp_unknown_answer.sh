#!/bin/sh
# OpenDP 0.16.0: randomized response of an answer that is not among its categories is a uniform draw, not an error.
#
# A file has a spelling, "Yes" for "yes", or a category that the questionnaire got later. Expected: an error, as from most clients, since the
# mechanism is a matrix with one row for each category. Seen: every category with probability 1/k. Privacy holds, but the unbiased
# estimator (count/n - q)/(p - q) assumes that nobody has this row: people with an unknown answer move every estimate towards 1/k, and no
# report shows it.
. "$(dirname "$0")/install.sh"
install opendp==0.16.0
"$PYTHON" - <<'PYTHON'
import math
from collections import Counter

import opendp.prelude as dp

dp.enable_features("contrib")
categories = ["yes", "no", "never asked"]
truth, lie = 0.9, 0.05
respond = dp.m.make_randomized_response(categories, prob=truth)
assert abs(respond.map(1) - math.log(truth / lie)) < 1e-9  # as the matrix says


def estimates(answers):
    """Return the unbiased estimates of the shares of the categories."""
    counts = Counter(respond(answer) for answer in answers)
    return {each: (counts[each] / len(answers) - lie) / (truth - lie) for each in categories}


n = 40_000
right = estimates(["yes"] * (n // 2) + ["no"] * (n // 2))
spelled = estimates(["Yes"] * (n // 2) + ["no"] * (n // 2))
for name, found in (("as listed", right), ("half of them 'Yes'", spelled)):
    print(name, {each: round(value, 2) for each, value in found.items()})
# 6 standard errors of a share of n answers are below 6 * 0.5 / sqrt(n) / 0.85 = 0.018
expected = (1 / 3 - lie) / (truth - lie) / 2  # 1/6: half answer at random; of the others, whose answer is no, the estimate is 0
assert abs(right["yes"] - 0.5) < 0.018 and abs(right["never asked"]) < 0.018, right
assert abs(spelled["yes"] - expected) < 0.018 and abs(spelled["never asked"] - expected) < 0.018, spelled
print("seen: an answer that no category has is drawn uniformly, and no error reports it")
PYTHON
