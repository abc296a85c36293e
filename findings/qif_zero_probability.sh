#!/bin/sh
# qif 1.6.0 (libqif): the "optimal" mechanism under d-privacy has an infinite epsilon, without a word, from 20 categories on.
#
# min_loss_given_d minimizes the expected loss subject to p_ij <= exp(|j - l|) p_il by linear programming in doubles. Entries
# of exp(-19) are below the feasibility tolerance of the solver. Expected: the level that was asked, or an error.
# Seen: at k = 15 the largest log ratio of neighbouring inputs is 1; at k = 20 some entries are exactly 0 and their neighbours are not.
. "$(dirname "$0")/install.sh"
install qif==1.6.0 numpy==2.4.6
"$PYTHON" - <<'PYTHON'
import math

import numpy
import qif


def level(matrix):
    """Return the largest log ratio of the rows of neighbouring inputs."""
    ratios = [0.0]
    for output in matrix.T:
        for one, next_one in zip(output, output[1:]):
            low, high = sorted((one, next_one))
            if high > 0:
                ratios.append(math.log(high / low) if low > 0 else math.inf)
    return max(ratios)


for k, expected in ((10, 1.0), (15, 1.0), (20, math.inf)):
    mechanism = numpy.array(
        qif.mechanism.d_privacy.min_loss_given_d(
            qif.probab.uniform(k), k, lambda j, l: float(abs(j - l)), lambda j, i: float(i != j)
        )
    )
    seen = level(mechanism)
    print(f"k = {k}: epsilon per unit of distance {seen}, zeros {int((mechanism == 0).sum())}")
    assert seen == expected or abs(seen - expected) < 1e-9, seen  # 1e-9: rounding of the solver
print("seen: asked for epsilon = 1 per unit, got infinity at k = 20")
PYTHON
