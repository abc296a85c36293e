#!/bin/sh
# SciPy 1.17.1: the p-value of Barnard's exact test changes if "yes" and "no" change places, by a factor of up to 1.18.
#
# barnard_exact counts the tables whose statistic is at least as extreme as the observed one, in floating point. Tables that are equally
# extreme differ in the last bit, so that some are left out. Expected: one p-value for 9 of 10 against 3 of 10 and for 1 of 10
# against 7 of 10, the same data in other words. Seen: 0.00693 and 0.00796. The smaller one is no p-value: at a common probability
# of 1/2 alone, the tables that are as extreme have the probability 8342/2^20 = 0.00796, in whole numbers. More points (n=) change nothing.
. "$(dirname "$0")/install.sh"
install numpy==2.4.6 scipy==1.17.1
"$PYTHON" - <<'PYTHON'
from fractions import Fraction
from math import comb

from scipy.stats import barnard_exact


def at_one_half(yes, other_yes, n):
    """Return the exact probability, if everybody says yes with 1/2, of the tables that are at least as extreme (pooled variance)."""

    def squared(a, b):  # the square of Wald's statistic
        return Fraction((a - b) ** 2 * 2 * n, (a + b) * (2 * n - a - b)) if 0 < a + b < 2 * n else Fraction(0)

    extreme = [(a, b) for a in range(n + 1) for b in range(n + 1) if squared(a, b) >= squared(yes, other_yes)]
    return Fraction(sum(comb(n, a) * comb(n, b) for a, b in extreme), 2 ** (2 * n))


def p(yes, other_yes, n, points=32):
    return barnard_exact([[yes, other_yes], [n - yes, n - other_yes]], n=points).pvalue


for yes, other_yes, n in ((9, 3, 10), (9, 4, 14), (14, 5, 20)):
    stated, exchanged = p(yes, other_yes, n), p(n - yes, n - other_yes, n)
    exact = at_one_half(yes, other_yes, n)
    print(f"{yes} and {other_yes} of {n}: p = {stated:.6f}; yes and no exchanged: {exchanged:.6f}; exact at 1/2: {float(exact):.6f}")
    assert abs(stated / exchanged - 1) > 0.1, (stated, exchanged)
    assert min(stated, exchanged) < 0.95 * exact  # the maximum over all probabilities cannot be below its value at 1/2
    assert max(stated, exchanged) > exact * (1 - 1e-9)  # 1e-9: rounding
assert at_one_half(9, 3, 10) == Fraction(8342, 2**20)
assert abs(p(9, 3, 10, points=256) / p(9, 3, 10) - 1) < 1e-9
print("seen: equally extreme tables are left out of a p-value")
PYTHON
