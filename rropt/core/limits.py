"""Limits on the size of input. rropt refuses larger input early, because it could make exact arithmetic hang.

No survey needs input beyond these limits. The checker, which imports nothing, has its own ``checker/limits.py``. Every
other number that is chosen rather than derived is next to its use, with its reason. None of these limits decides
whether a design is optimal or private: such statements rest on exact arithmetic."""

from __future__ import annotations

MAX_PARAMETER_DIGITS = 400  # digits of a numerator or denominator; the smallest float, 5e-324, needs 324
MAX_EXPONENT = 100  # abs(epsilon), and abs(r) of delta = exp(r): exp(100) = 2.7e43 is beyond any use
MAX_ENTRY_DIGITS = 4000  # of a matrix entry: Python reads and writes at most 4300 digits
MAX_MATRIX_ENTRIES = 1_000_000  # explicit matrices: beyond it only the orbit form is written
MAX_WRITTEN_ENTRIES = 900  # exact, of a matrix in JSON that follows from the rest: an entry may have some kilobytes
MAX_ROUNDED_ENTRIES = 100_000  # of such a matrix in decimals: nine digits each, two megabytes
MAX_FILE_BYTES = 64 * 1024 * 1024  # mechanisms, problems, certificates read whole into memory
# Largest number of respondents of one survey, as in the command line's counts: 10^15 far exceeds the population of the
# world, and the ball arithmetic of binomial tails was measured up to there (a few milliseconds a tail).
MAX_ANSWERS = 10**15
MAX_SEED = 2**128 - 1  # of a generator of random numbers: NumPy's own seeds have 128 bits
