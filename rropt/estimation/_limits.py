"""Tolerances and size limits of estimation, each with its reason; none decides whether a stated guarantee holds."""

from __future__ import annotations

from fractions import Fraction

__all__ = [
    "BARRIER_END",
    "BARRIER_SHRINK",
    "BARRIER_STEPS",
    "BISECTION_BITS",
    "END_DIGITS",
    "EXACT_GAP_ENTRIES",
    "EXACT_TAIL_BITS",
    "FINEST_DIGITS",
    "FIRST_PRECISION",
    "FLOAT_BISECTIONS",
    "GAP_DIGITS",
    "LAST_PRECISION",
    "LEAST_RISK",
    "LIKELIHOOD_GAP",
    "MAX_ANSWERS",
    "POPULATION_DIGITS",
    "SCAN_BLOCKS",
    "SCAN_LIMIT",
    "SCAN_MARGIN",
    "SIMPLE_DENOMINATOR",
    "SMALLEST_PROPOSAL",
    "STEP_TO_BOUNDARY",
    "TAIL_PRECISION",
    "UNIVERSAL_PRECISION",
    "ZERO_SHARES",
]

# Most answers of one survey, as in the command line's counts: 10^15 is far beyond the population of the world, and
# the ball arithmetic of binomial tails was measured up to there (a few milliseconds a tail).
MAX_ANSWERS = 10**15

# Maximum likelihood on the simplex. The gap asked for, per response: statistical error is of order 1/n, so that the
# likelihood of 10^9 answers does not tell two such populations apart. It is reached with three digits to spare.
LIKELIHOOD_GAP = Fraction(1, 10**9)
BARRIER_END = 1e-15  # complementarity at which the interior point method ends: the resolution of its floats
BARRIER_SHRINK = 0.1  # target of one step: a tenth of the present complementarity
BARRIER_STEPS = 200  # 15 to 40 are usual; the rest is for counts of very different size
STEP_TO_BOUNDARY = 0.99  # share of the step to the boundary that is taken

# Shares below these are tried as exact zeros; the candidate with the smallest exact gap is kept.
ZERO_SHARES = (1e-5, 1e-8, 1e-11)
POPULATION_DIGITS = 18  # decimals of the constrained estimate where no closed form holds: beyond a float's
SIMPLE_DENOMINATOR = 100_000  # fractions up to it are tried: floats tell them apart with five digits to spare
EXACT_GAP_ENTRIES = 10_000  # up to here the gap is summed exactly, beyond with each quotient rounded up
GAP_DIGITS = 40  # decimals to which the gap is then rounded up

# Intervals: ends are rounded outwards at 13 significant decimals, and half as many more as n has digits (an interval
# shrinks like 1/sqrt(n)), so that rounding costs less than 1e-12 of the width.
END_DIGITS = 13
# A confidence, a significance or a power keeps this distance from 0 and 1: no survey needs more, and tails of 10^-400
# would need a precision at which ball arithmetic takes minutes.
LEAST_RISK = Fraction(1, 10**50)
SMALLEST_PROPOSAL = 1e-300  # a float proposal of an end is never 0; about 10^-68 is the least that occurs
# Binary digits of ball arithmetic, doubling from the first to the last. 512 bits tell a tail from a level unless they
# agree to more than 100 digits (a tie), and take a fifth of a second there; quantiles are cheaper.
FIRST_PRECISION = 64
TAIL_PRECISION = 512
LAST_PRECISION = 2048
# Bits of the integers that a tie may cost: where balls do not decide, tails are summed exactly up to here.
EXACT_TAIL_BITS = 1 << 24

# Plans. Digits of z beyond which a comparison with it counts as a tie (no tie is known), and of decimals shown.
FINEST_DIGITS = 320
# Universal tail bounds: 2^-70 of the unit interval is finer than any plan; the precision exceeds it twice over.
BISECTION_BITS = 70
FLOAT_BISECTIONS = 26  # of an interval of about 2/sqrt(n): to a hundredth of 1/n at n = 10^9
UNIVERSAL_PRECISION = 192
# Where the margin or the power of whole answers moves up and down in n: up to so many answers the numbers between the
# universal bound and the least n are searched in floats, so many blocks at a time. A float within SCAN_MARGIN of the
# goal (relative) decides nothing and is replaced by ball arithmetic: scipy.special was measured within 4e-10 up to
# 10^10 answers, so that it is right with a factor of 25 to spare.
SCAN_LIMIT = 10**9
SCAN_BLOCKS = 512
SCAN_MARGIN = 1e-8
