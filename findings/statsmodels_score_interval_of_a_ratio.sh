#!/bin/sh
# statsmodels 0.15.0: the score interval of a ratio excludes ratios that the score test of the same package accepts.
#
# confint_proportions_2indep(..., compare="ratio", method="score") is documented as the inversion of the score test (Koopman 1984;
# Miettinen and Nurminen 1985). With 20 "yes" of 20 against 18 of 20 the test accepts the ratio 1 (p = 0.15), and 1 is below the
# interval (1.0526, 1.437). With 3 of 50 against 50 of 50 both ends are COMPLEX numbers at (p1 + p2)/2, which is no ratio of the data.
# Expected: an interval that contains each ratio with p > 0.05, and the observed ratio 0.06. A group in which everybody answers alike
# is common where the sensitive question is asked directly beside a randomized one.
. "$(dirname "$0")/install.sh"
install statsmodels==0.15.0 numpy==2.4.6 scipy==1.17.1 pandas==3.1.1
"$PYTHON" -W ignore - <<'PYTHON'
import numpy
from statsmodels.stats.proportion import confint_proportions_2indep as interval
from statsmodels.stats.proportion import test_proportions_2indep as score_test

low, high = interval(20, 20, 18, 20, compare="ratio", method="score")
p = score_test(20, 20, 18, 20, value=1, compare="ratio", method="score").pvalue
print(f"20 of 20 against 18 of 20: interval {low:.4f} to {high:.4f}; p of the ratio 1: {p:.4f}")
assert low > 1.05 and p > 0.15

low, high = interval(3, 50, 50, 50, compare="ratio", method="score")
print("3 of 50 against 50 of 50:", low, high)
assert numpy.iscomplexobj(low) and numpy.iscomplexobj(high)
assert abs(low - 0.53) < 1e-6 and abs(high - 0.53) < 1e-6  # 1e-6: the imaginary parts are 1e-8

low, high = interval(100, 200, 75, 200, compare="ratio", method="score")  # away from the boundary it is right
for end in (low, high):
    assert abs(score_test(100, 200, 75, 200, value=end, compare="ratio", method="score").pvalue - 0.05) < 1e-6
print("seen: at the boundary the interval and the test of one ratio contradict each other")
PYTHON
