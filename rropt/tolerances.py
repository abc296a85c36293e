"""Every tolerance and size limit of the library, each with its reason.

Nothing here decides whether a design is optimal or private: such answers rest on exact arithmetic. These numbers
say how fine a bracket is made before it is handed out, and where input is refused so that nothing hangs.
"""

from __future__ import annotations

from fractions import Fraction

__all__ = [
    "BRACKET_GAP",
    "FIRST_BRACKET_DIGITS",
    "MAX_BRACKET_DIGITS",
    "MAX_ENTRY_DIGITS",
    "MAX_EXPONENT",
    "MAX_FILE_BYTES",
    "MAX_MATRIX_ENTRIES",
    "MAX_PARAMETER_DIGITS",
    "MAX_POWER_BITS",
    "MAX_ROOT",
]

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
