"""Bounds on what the checker reads and computes, so that hostile input neither crashes nor hangs it."""

MAX_BYTES = 16 * 1024 * 1024  # of a file
MAX_DEPTH = 32  # nesting of arrays and objects; honest certificates stay below 10
MAX_DIGITS = 20_000  # of one integer; Python's own limit of 4300 is below honest certificates
MAX_PARAMETER_DIGITS = 400  # of a problem's parameters: epsilon, delta, population
MAX_BRACKET_DIGITS = 2_600  # of the ends of a bracket: 8192 bits are 2466 digits
MAX_EXPONENT = 100  # abs(r) of exp(r)
MAX_PRECISION_BITS = 1 << 14  # of a series for exp: twice what the finest bracket needs
MAX_DEGREE = 1024  # of an expanded polynomial
MAX_TERMS = 1 << 18  # of the same
MAX_COEFFICIENT_BITS = 1 << 17  # of its coefficients
MAX_WORK = 250_000  # multiplications of coefficients, long ones counted by length: about a second
MAX_POWER_BITS = 1 << 21  # of below^b, above^b and q^a when gamma = q^(a/b)
MAX_TOKENS = 1_000_000  # quotes, commas, opening brackets and backslashes: what reading costs besides its bytes
MAX_REASON = 300  # characters of a reason
MAX_MATRIX_ENTRIES = 1 << 17  # of one matrix
MAX_MATRIX_DIGITS = 1 << 22  # characters of its numbers, of a number of n counted 1 + n/4096 times: common divisors
MAX_MATRIX_BITS = 1 << 27  # its entries over one denominator: 16 MiB
MAX_MATRIX_WORK = 1 << 30  # products of 30-bit digits, an operation of the interpreter counted as 128: a second
MAX_PROGRAMME_ENTRIES = 1 << 18  # a list of rules 3 and 4, and inputs or outputs of their designs
MAX_PROGRAMME_WORK = 1 << 20  # operations on the numbers of a linear programme, long ones counted by length
MAX_COVER_BITS = 1024  # after the point, in the interval arithmetic of a cover
MAX_COVER_CELLS = 4096  # of one piece
MAX_COVER_WORK = 500_000  # operations on intervals, long ones counted by length: about a second
