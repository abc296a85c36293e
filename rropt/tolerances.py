"""Every tolerance and size limit of the library, each with its reason.

Nothing here decides whether a design is optimal or private, or whether a stated guarantee holds: such answers rest on
exact arithmetic. These numbers say how fine a bracket is made before it is handed out, how much work is spent on a
guess before another way is tried, and where input is refused so that nothing hangs. (What only governs how a picture
looks stands in ``plots/_limits.py``, the sizes of designs with k inputs in ``solvers/linear_designs/limits.py``, what
linear programmes need beside its use in ``linear/``; the checker, which imports nothing, has its own
``checker/limits.py``.)
"""

from __future__ import annotations

from fractions import Fraction

__all__ = [
    "AREA_BITS",
    "AREA_EDGE_BITS",
    "AREA_EVALUATIONS",
    "BARRIER_END",
    "BARRIER_SHRINK",
    "BARRIER_STEPS",
    "BISECTION_BITS",
    "BRACKET_GAP",
    "BREACH_HALVINGS",
    "CRITERION_LEVEL_GAP",
    "END_DIGITS",
    "EXACT_GAP_ENTRIES",
    "EXACT_TAIL_BITS",
    "FINEST_DIGITS",
    "FIRST_BRACKET_DIGITS",
    "FIRST_PRECISION",
    "FLOAT_BISECTIONS",
    "GAP_DIGITS",
    "LARGE_STAKE_BITS",
    "LAST_PRECISION",
    "LEAST_RISK",
    "LIFTING_GROWTH",
    "LIFTING_PRIME",
    "LIKELIHOOD_GAP",
    "MAX_ANSWERS",
    "MAX_BRACKET_DIGITS",
    "MAX_ENCLOSED_EXPONENT",
    "MAX_ENTRY_DIGITS",
    "MAX_ENUMERATED_INPUTS",
    "MAX_EXPONENT",
    "MAX_EXPRESSION_CHARACTERS",
    "MAX_EXPRESSION_DIGITS",
    "MAX_EXPRESSION_NESTING",
    "MAX_EXPRESSION_TOKENS",
    "MAX_FILE_BYTES",
    "MAX_INDEPENDENT_BITS",
    "MAX_MATRIX_ENTRIES",
    "MAX_MEMBER_WEIGHT",
    "MAX_MIXED_MEMBERS",
    "MAX_PARAMETER_DIGITS",
    "MAX_PIECE_DEGREE",
    "MAX_POWER_BITS",
    "MAX_REPAIR_ENTRIES",
    "MAX_REPAIR_EXCESSES",
    "MAX_ROOT",
    "ODDS_RATIOS",
    "PARITY_BOUND_DIGITS",
    "POPULATION_DIGITS",
    "RAW_MATRIX_SLACK",
    "REFUTATION_MARGIN",
    "SAMPLED_PRIORS",
    "SCAN_DEEP_LIMIT",
    "SCAN_DEPTH",
    "SCAN_LIMIT",
    "SCAN_MARGIN",
    "SCAN_WIDTH",
    "SIMPLE_DENOMINATOR",
    "SMALLEST_PROPOSAL",
    "STAKE_BITS",
    "STAKE_PRODUCTS",
    "STEP_TO_BOUNDARY",
    "TAIL_PRECISION",
    "UNIVERSAL_PRECISION",
    "VALUE_PRECISIONS",
    "ZERO_SHARES",
]

# ==== brackets and input ============================================================================================

# `upper - lower` of a certified optimum at irrational gamma, absolute and relative to the optimum. Ten times finer
# than the 1e-12 that is promised, so that sums and printed decimals of a few designs keep the promise.
BRACKET_GAP = Fraction(1, 10**13)

# Significant decimal digits of gamma - 1 and of delta in the first bracket that is tried, and the most that are.
# The gap is about value * 10^-digits: 24 digits serve n Var up to 10^10 at once; each retry doubles them.
FIRST_BRACKET_DIGITS = 24
MAX_BRACKET_DIGITS = 1536  # with MAX_PARAMETER_DIGITS, the precision at which the checker stops (8192 bits)

# Input limits: refuse early what no survey needs and what could make exact arithmetic hang.
MAX_PARAMETER_DIGITS = 400  # digits of a numerator or denominator; the smallest float, 5e-324, needs 324
MAX_ENTRY_DIGITS = 4000  # of a matrix entry: Python reads and writes at most 4300 digits
MAX_EXPONENT = 100  # abs(epsilon), and abs(r) of delta = exp(r): exp(100) = 2.7e43 is beyond any use
MAX_ROOT = 1000  # b of gamma = q^(a/b): the checker raises brackets to this power
MAX_POWER_BITS = 1 << 16  # bits of q^a of the same
MAX_FILE_BYTES = 64 * 1024 * 1024  # mechanisms, problems, certificates read whole into memory
# A matrix of floats may miss exact column sums by this much before it is taken for something else: the rounding errors
# of a float32 sum over a thousand entries. A column of printed decimals (0.333 three times) is refused.
RAW_MATRIX_SLACK = Fraction(1, 10**6)
# Sizes of exact programmes of the nearest private mechanism: beyond them minutes pass and the proof outgrows a file.
MAX_REPAIR_ENTRIES = 10_000  # entries at delta = 0, so k = 100
MAX_REPAIR_EXCESSES = 8_000  # variables m k (k - 1) at delta > 0, so k = 20
MAX_MATRIX_ENTRIES = 1_000_000  # explicit matrices (DESIGN section 6: beyond it only the orbit form is written)

# ==== estimation ====================================================================================================

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
# universal bound and the least n are searched in floats, so many at a time. A float within SCAN_MARGIN of the
# goal (relative) decides nothing and is replaced by ball arithmetic: scipy.special was measured within 4e-10 up to
# 10^10 answers, so that it is right with a factor of 25 to spare, but wrong altogether for some tails below 10^-30 of
# 10^6 answers: where a significance, a power or a miss is below SCAN_DEPTH the search ends at SCAN_DEEP_LIMIT.
SCAN_LIMIT = 10**9
SCAN_WIDTH = 1 << 10
SCAN_DEPTH = Fraction(1, 10**12)
SCAN_DEEP_LIMIT = 10**4
SCAN_MARGIN = 1e-8

# ==== privacy criteria and B(h) ======================================================================================

# Input limits of functions of p, against texts that hang: a criterion that people write has a few dozen characters.
MAX_EXPRESSION_CHARACTERS = 2000  # of the text
MAX_EXPRESSION_TOKENS = 300  # numbers, names, signs: a sum of n terms is a tree of depth n, walked by recursion
MAX_EXPRESSION_NESTING = 40  # of brackets, signs and powers
MAX_EXPRESSION_DIGITS = 60  # of one number: exact pieces multiply numbers, a few at a time
MAX_PIECE_DEGREE = 96  # of a rational piece: root isolation takes seconds there
MAX_ENCLOSED_EXPONENT = 10_000  # of a power beyond that degree, which cells enclose

# Decimals of the rational bracket that is shown beside an irrational B(h): finer than any use of a privacy level.
PARITY_BOUND_DIGITS = 20

# A level that stands for an algebraic B(h): (B(h) - gamma) / (B(h) - 1) at most. Seventeen orders finer than
# BRACKET_GAP, so that it is never what a certified value is short of.
CRITERION_LEVEL_GAP = Fraction(1, 10**30)

# Halvings of the window around the infimum in which the prior of a breach is looked for: 2^-200 beside it is enough.
BREACH_HALVINGS = 200

# --- breach regions -----------------------------------------------------------------------------------

AREA_BITS = 96  # of balls: far finer than any picture of an area
AREA_EVALUATIONS = 20_000  # of one integral, so that a singular one ends; its ball is then wider
AREA_EDGE_BITS = 40  # 2^-40: the width left out at an end where the function is not analytic

# Bits at which a value is compared with a rational before the answer is given up: two different numbers that people
# write down come apart far earlier, and equal ones never do.
VALUE_PRECISIONS = (64, 256, 1024)
# Priors at which an inequality between functions that are not rational is tried: one that fails mostly fails widely.
SAMPLED_PRIORS = tuple(Fraction(i, 64) for i in range(1, 64))

# ==== Blackwell's order =============================================================================================

# Bits of two unary encodings that are compared bit by bit: the kernel has 4^k entries.
MAX_INDEPENDENT_BITS = 9

# Floats only propose tasks: what is less clear in them than this may be made up by rounding.
REFUTATION_MARGIN = 1e-9
# Bits of rounded stakes: few first, for the reader's sake; 30 suffice wherever floats see a margin at all. Where one
# rounding costs more than STAKE_PRODUCTS products of integers, only the finer ones are tried.
STAKE_BITS = (1, 2, 3, 4, 5, 6, 8, 11, 15, 20, 25, 30)
LARGE_STAKE_BITS = STAKE_BITS[-5:]
STAKE_PRODUCTS = 20_000
ODDS_RATIOS = 10**8  # ratios of entries of P up to which all odds are looked at: a second of numpy

# The largest prime below 2^62: FLINT's fastest word-sized modulus. That it divides a determinant has a chance of about
# n/2^62, and is noticed.
LIFTING_PRIME = 2**62 - 57
# A reconstruction is tried again when the precision has grown by a third: trying costs about as much as lifting.
LIFTING_GROWTH = 4 / 3

# ==== the class C_gamma^0 ============================================================================================

# C(2^k - 2, k) bases are tried: 142 506 for k = 5 (a second), 67 945 521 for k = 6.
MAX_ENUMERATED_INPUTS = 5
MAX_MIXED_MEMBERS = 4  # extreme members, or cyclic families, in a random member
MAX_MEMBER_WEIGHT = 12  # of one of them, as an integer: keeps the fractions short
