"""Bounds on what the checker reads and computes, so that hostile input neither crashes nor hangs it."""

MAX_BYTES = 16 * 1024 * 1024  # of a file
MAX_DEPTH = 32  # nesting of arrays and objects; honest certificates stay below 10
MAX_DIGITS = 20_000  # of one integer; Python's own limit of 4300 is below honest certificates
MAX_PARAMETER_DIGITS = 400  # of a problem's parameters: epsilon, delta, population, against, contrast
MAX_BRACKET_DIGITS = 2_600  # of the ends of a bracket: 8192 bits are 2466 digits
MAX_EXPONENT = 100  # abs(r) of exp(r)
MAX_PRECISION_DIGITS = 5_000  # of exp: twice what the finest bracket needs
MAX_DEGREE = 1024  # of an expanded polynomial
MAX_TERMS = 1 << 18  # of the same
MAX_NAMES = 40  # of a list of names: the exponents of so few cannot be made to collide as keys in great numbers
MAX_COEFFICIENT_BITS = 1 << 17  # of its coefficients
MAX_WORK = 1 << 20  # units of the one budget of a certificate: at most about two seconds of a processor of 2024
MAX_POWER_BITS = 1 << 21  # of below^b, above^b and q^a when gamma = q^(a/b)
MAX_TOKENS = 1_000_000  # quotes, commas, opening brackets and backslashes: what reading costs besides its bytes
MAX_REASON = 300  # characters of a reason
MAX_MATRIX_BITS = 1 << 27  # numbers over one denominator, together: 16 MiB
MAX_ENTRIES = 1 << 18  # of one list of numbers, and inputs or outputs of a design
MAX_LIST = 64  # entries of a list that has no other limit
MAX_COMPOSED_ITEMS = 4096  # of a composition
MAX_COMPOSED_CELLS = 1 << 14  # of one half of the answers of a composition
MAX_LATTICE_POINTS = 1 << 20  # of a lattice of odds
MAX_LATTICE_BITS = 4096  # of the laws on it
MAX_QUESTIONS = 1024  # of a budget that is split
MAX_PATTERN_INPUTS = 18  # of the enumeration of all patterns
MAX_RAYS = 1 << 15  # of a region: six inputs at one level with delta have 9308, seven 94 465
LARGE_WORK = 1 << 26  # units of the large budget, which the caller allows
LARGE_RAYS = 1 << 17  # of a region, in the large budget: seven inputs at one level with delta have 94 465
LARGE_PATTERN_INPUTS = 20  # of the staircase rows of rule 25, in the large budget
MAX_LEVELS = 256  # of a region
MAX_ORBIT_INPUTS = 10_000  # in groups of equal shares
MAX_ORDERED_INPUTS = 6  # of cells by the order of entries
MAX_COVER_DIGITS = 300  # of interval arithmetic
MAX_COVER_CONSTANTS = 8  # named constants of a certificate
MAX_COVER_CELLS = 4096  # of one piece
MAX_COVER_ORDER = 4  # of an expansion
MAX_QUOTIENT_BITS = 4096  # to which quotients of a likelihood are rounded up
