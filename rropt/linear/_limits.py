"""Every tolerance and threshold of exact linear programming, each with its reason.

None of them decides an answer: answers are decided by exact arithmetic. They decide how much work is
spent on a guess before another way is tried.
"""

from __future__ import annotations

from typing import Final

# --- exact square systems -----------------------------------------------------------------------------

# Up to this order FLINT's dense solver (a millisecond) beats the set-up of the sparse float route.
DENSE_ORDER: Final = 48

# Longest matrix entry, in bits, that the float route accepts: well inside the exponent range of a double.
FLOAT_ENTRY_BITS: Final = 800

# Bits that one correction of the float route carries: a double holds 53, the last few are noise.
CORRECTION_BITS: Final = 50

# Least number of new correct bits per correction; fewer means a condition number near 1/eps: give up.
LEAST_GAIN_BITS: Final = 4

# Correct bits before the first attempt at reconstruction: enough for denominators of 10 digits.
FIRST_ATTEMPT_BITS: Final = 96

# An attempt costs about as much as the corrections since the last one when the precision grows by this factor.
ATTEMPT_GROWTH: Final = 1.5

# Answers longer than this (in bits, numerator and denominator together) are left to elimination and FLINT, which
# were two to ten times faster on them; the float route stops there.
FLOAT_ANSWER_BITS: Final = 600

# Spare bits asked of a reconstruction: a wrong fraction then passes with chance 2^-16 (and fails the exact check).
RECONSTRUCTION_GUARD_BITS: Final = 16

# Rounds of scaling rows and columns in turn; later rounds change exponents by less than one.
SCALING_ROUNDS: Final = 6

# An entry this many bits below the largest of its row and of its column does not take part in scaling: the float
# solver drops it anyway (FLOAT_SMALLEST_ENTRY is 2^-40).
NOISE_BITS: Final = 40

# The sparse elimination stops when the rest is this full (dictionaries lose to dense arrays) ...
DENSE_FILL: Final = 0.3
# ... or this small.
DENSE_REST: Final = 24

# --- the dictionary shown to the float solver ---------------------------------------------------------

# Programmes with more entries are shown as they are: rational bookkeeping would cost more than it saves.
PRESENTATION_NONZEROS: Final = 400_000

# The dictionary may grow to this multiple of the original number of entries.
PRESENTATION_FILL: Final = 3

# Differences of differences of nearly equal rows: deeper nesting was never needed.
PRESENTATION_PASSES: Final = 4

# Rows whose large entries agree to this many bits are taken for nearly parallel: a basis with both would lose about
# as many bits, which is where it begins to hurt. Entries smaller than the largest by as many bits do not count.
PARALLEL_BITS: Final = 16

# --- float proposals ----------------------------------------------------------------------------------

# Feasibility tolerances of the float solver, on data scaled so that what matters has size 2^TARGET_BITS:
# 1e-9 is ten times the smallest value HiGHS accepts and far above the rounding noise of such data.
FLOAT_TOLERANCE: Final = 1e-9

# Entries of the scaled matrix (largest 1) below this are dropped: the smallest value HiGHS accepts.
FLOAT_SMALLEST_ENTRY: Final = 1e-12

# Size, in bits, to which violations are scaled before the float solver sees them.
TARGET_BITS: Final = 14

# A bound beyond this many bits is passed as infinite, a larger cost cut down to it: thirty bits above what matters.
# (HiGHS takes 1e20, about 66 bits, as infinite, but its ratio test fails on costs of 60 bits.)
INFINITE_BITS: Final = 44

# From this number of nonzeros a cold start uses the interior-point method with crossover, which was three to
# twenty times faster than the simplex method on the programmes of this project.
INTERIOR_POINT_NONZEROS: Final = 20_000

# Simplex iterations per row and column: two or three are usual, a solver that needs more has stalled.
SIMPLEX_ITERATIONS: Final = 20

# Seconds for one run of the float solver; what it has not found by then it has lost itself in.
FLOAT_SECONDS: Final = 1800.0

# Rounds of refinement before the exact simplex method takes over; each gains about ten digits.
REFINEMENT_ROUNDS: Final = 12
