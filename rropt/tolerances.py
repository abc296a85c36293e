"""Every tolerance and size limit of the library, each with its reason.

Nothing here decides whether a design is optimal or private, or whether a stated guarantee holds: such answers rest on
exact arithmetic. These numbers say how fine a bracket is made before it is handed out, how much work is spent on a
guess before another way is tried, and where input is refused so that nothing hangs. (What only governs how a picture
looks stands in ``plots/_limits.py``; the checker, which imports nothing, has its own ``checker/limits.py``.)
"""

from __future__ import annotations

from fractions import Fraction

__all__ = [
    "ATTEMPT_GROWTH",
    "BARRIER_END",
    "BARRIER_SHRINK",
    "BARRIER_STEPS",
    "BISECTION_BITS",
    "BRACKET_GAP",
    "CONVEX_BRACKET_DIGITS",
    "CONVEX_DENOMINATOR",
    "CONVEX_GAP",
    "CONVEX_PROGRAMMES",
    "CORRECTION_BITS",
    "DENSE_FILL",
    "DENSE_ORDER",
    "DENSE_REST",
    "END_DIGITS",
    "EXACT_GAP_ENTRIES",
    "EXACT_TAIL_BITS",
    "FINEST_DIGITS",
    "FIRST_ATTEMPT_BITS",
    "FIRST_BRACKET_DIGITS",
    "FIRST_PRECISION",
    "FLOAT_ANSWER_BITS",
    "FLOAT_BISECTIONS",
    "FLOAT_ENTRY_BITS",
    "FLOAT_SECONDS",
    "FLOAT_SMALLEST_ENTRY",
    "FLOAT_TOLERANCE",
    "GAP_DIGITS",
    "INFINITE_BITS",
    "INTERIOR_POINT_NONZEROS",
    "LAST_PRECISION",
    "LEAST_GAIN_BITS",
    "LEAST_RISK",
    "LIKELIHOOD_GAP",
    "MAX_ANSWERS",
    "MAX_BRACKET_DIGITS",
    "MAX_ENTRY_DIGITS",
    "MAX_EXPONENT",
    "MAX_FILE_BYTES",
    "MAX_MATRIX_ENTRIES",
    "MAX_PARAMETER_DIGITS",
    "MAX_POWER_BITS",
    "MAX_ROOT",
    "NOISE_BITS",
    "PARALLEL_BITS",
    "POPULATION_DIGITS",
    "PRESENTATION_FILL",
    "PRESENTATION_NONZEROS",
    "PRESENTATION_PASSES",
    "RECONSTRUCTION_GUARD_BITS",
    "REFINEMENT_ROUNDS",
    "SCALING_ROUNDS",
    "SCAN_BLOCKS",
    "SCAN_LIMIT",
    "SCAN_MARGIN",
    "SIMPLEX_ITERATIONS",
    "SIMPLE_DENOMINATOR",
    "SMALLEST_PROPOSAL",
    "STEP_TO_BOUNDARY",
    "TAIL_PRECISION",
    "TARGET_BITS",
    "UNIVERSAL_PRECISION",
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
MAX_MATRIX_ENTRIES = 1_000_000  # explicit matrices (DESIGN section 6: beyond it only the orbit form is written)

# ==== the convex route ==============================================================================================

# Relative width at which the bracket is handed out. Float multipliers carry 16 digits: another programme would not
# make it narrower than this by much.
CONVEX_GAP = Fraction(1, 10**12)

# Programmes per problem: a region has three vertices at most, found and proved by three; the rest is for a solver that
# errs.
CONVEX_PROGRAMMES = 8

# Significant digits to which an inexact bracket is rounded outwards: far below its width, and short to write.
CONVEX_BRACKET_DIGITS = 24

# Floats of the scaled programme are rounded to fractions with at most this denominator: finer than a solver's accuracy,
# coarser than its rounding errors, so that simple exact values are met exactly.
CONVEX_DENOMINATOR = 10**12

# ==== exact linear programmes =======================================================================================

# --- exact square systems -----------------------------------------------------------------------------

# Up to this order FLINT's dense solver (a millisecond) beats the set-up of the sparse float route.
DENSE_ORDER = 48

# Longest matrix entry, in bits, that the float route accepts: well inside the exponent range of a double.
FLOAT_ENTRY_BITS = 800

# Bits that one correction of the float route carries: a double holds 53, the last few are noise.
CORRECTION_BITS = 50

# Least number of new correct bits per correction; fewer means a condition number near 1/eps: give up.
LEAST_GAIN_BITS = 4

# Correct bits before the first attempt at reconstruction: enough for denominators of 10 digits.
FIRST_ATTEMPT_BITS = 96

# An attempt costs about as much as the corrections since the last one when the precision grows by this factor.
ATTEMPT_GROWTH = 1.5

# Answers longer than this (in bits, numerator and denominator together) are left to elimination and FLINT, which
# were two to ten times faster on them; the float route stops there.
FLOAT_ANSWER_BITS = 600

# Spare bits asked of a reconstruction: a wrong fraction then passes with chance 2^-16 (and fails the exact check).
RECONSTRUCTION_GUARD_BITS = 16

# Rounds of scaling rows and columns in turn; later rounds change exponents by less than one.
SCALING_ROUNDS = 6

# An entry this many bits below the largest of its row and of its column does not take part in scaling: the float
# solver drops it anyway (FLOAT_SMALLEST_ENTRY is 2^-40).
NOISE_BITS = 40

# The sparse elimination stops when the rest is this full (dictionaries lose to dense arrays) ...
DENSE_FILL = 0.3
# ... or this small.
DENSE_REST = 24

# --- the dictionary shown to the float solver ---------------------------------------------------------

# Programmes with more entries are shown as they are: rational bookkeeping would cost more than it saves.
PRESENTATION_NONZEROS = 400_000

# The dictionary may grow to this multiple of the original number of entries.
PRESENTATION_FILL = 3

# Differences of differences of nearly equal rows: deeper nesting was never needed.
PRESENTATION_PASSES = 4

# Rows whose large entries agree to this many bits are taken for nearly parallel: a basis with both would lose about
# as many bits, which is where it begins to hurt. Entries smaller than the largest by as many bits do not count.
PARALLEL_BITS = 16

# --- float proposals ----------------------------------------------------------------------------------

# Feasibility tolerances of the float solver, on data scaled so that what matters has size 2^TARGET_BITS:
# 1e-9 is ten times the smallest value HiGHS accepts and far above the rounding noise of such data.
FLOAT_TOLERANCE = 1e-9

# Entries of the scaled matrix (largest 1) below this are dropped: the smallest value HiGHS accepts.
FLOAT_SMALLEST_ENTRY = 1e-12

# Size, in bits, to which violations are scaled before the float solver sees them.
TARGET_BITS = 14

# A bound beyond this many bits is passed as infinite, a larger cost cut down to it: thirty bits above what matters.
# (HiGHS takes 1e20, about 66 bits, as infinite, but its ratio test fails on costs of 60 bits.)
INFINITE_BITS = 44

# From this number of nonzeros a cold start uses the interior-point method with crossover, which was three to
# twenty times faster than the simplex method on the programmes of this project.
INTERIOR_POINT_NONZEROS = 20_000

# Simplex iterations per row and column: two or three are usual, a solver that needs more has stalled.
SIMPLEX_ITERATIONS = 20

# Seconds for one run of the float solver; what it has not found by then it has lost itself in.
FLOAT_SECONDS = 1800.0

# Rounds of refinement before the exact simplex method takes over; each gains about ten digits.
REFINEMENT_ROUNDS = 12

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
# universal bound and the least n are searched in floats, so many blocks at a time. A float within SCAN_MARGIN of the
# goal (relative) decides nothing and is replaced by ball arithmetic: scipy.special was measured within 4e-10 up to
# 10^10 answers, so that it is right with a factor of 25 to spare.
SCAN_LIMIT = 10**9
SCAN_BLOCKS = 512
SCAN_MARGIN = 1e-8
