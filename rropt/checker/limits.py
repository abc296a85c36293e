"""Limits on what the checker reads and computes, so hostile input can neither crash nor hang it."""

MAX_BYTES = 16 * 1024 * 1024  # bytes of a file
MAX_DEPTH = 32  # nesting of arrays and objects; honest certificates stay below 10
MAX_DIGITS = 20_000  # of an integer; Python's default limit of 4300 is too small for honest certificates
MAX_PARAMETER_DIGITS = 400  # of a parameter of a problem: epsilon, delta, order, rho, population, against, contrasts
MAX_BRACKET_DIGITS = 2_600  # of the endpoints of a bracket: 8192 bits are 2466 digits
MAX_EXPONENT = 100  # abs(r) of exp(r)
MAX_PRECISION_DIGITS = 5_000  # of exp: twice what the finest bracket needs
MAX_DEGREE = 1024  # of an expanded polynomial
MAX_TERMS = 1 << 18  # terms of an expanded polynomial
MAX_NAMES = 40  # of a list of names: with so few, hashes of exponents cannot be made to collide in great numbers
MAX_COEFFICIENT_BITS = 1 << 17  # of a polynomial
MAX_WORK = 1 << 20  # units of work for a certificate: at most about two seconds on a processor of 2024
MAX_POWER_BITS = 1 << 21  # of below^b, above^b and q^a for gamma = q^(a/b)
# quotes, commas, opening brackets and backslashes: the cost of reading depends on them and on the bytes
MAX_TOKENS = 1_000_000
MAX_REASON = 300  # characters of the reason of a rejection
MAX_MATRIX_BITS = 1 << 27  # of all numbers over a common denominator, together: 16 MiB
MAX_ENTRIES = 1 << 18  # of a list of numbers, and inputs or outputs of a design
MAX_LIST = 64  # entries of a list that has no other limit
MAX_COMPOSED_EXPONENT = 1000  # target epsilon of a composition: it may be the sum of many levels
MAX_COMPOSED_ITEMS = 4096  # of a composition
MAX_COMPOSED_COUNT = (1 << 14) - 1  # of one item of a composition
MAX_LATTICE_POINTS = 1 << 20  # of a lattice of odds
MAX_LATTICE_BITS = 4096  # precision of the probabilities on a lattice
MAX_SHUFFLED = 10_000_000  # respondents whose reports are shuffled
MAX_BLOCKS = 4096  # blocks into which a bound for shuffled reports is divided
MAX_ZCDP_CATEGORIES = 10**12  # of k-ary randomized response
MAX_RUNS = 1 << 15  # of categories with equal weights or proportions
MAX_QUESTIONS = 1024  # questions that share a privacy budget
MAX_PATTERN_INPUTS = 18  # for which all staircase rows are enumerated
MAX_RAYS = 1 << 15  # of a region: six inputs at one level with delta have 9308, seven have 94 465
LARGE_WORK = 1 << 26  # units of the large budget, which the caller allows
LARGE_RAYS = 1 << 18  # of a region, in the large budget: three inputs at 136 levels have about 221 000
LARGE_PATTERN_INPUTS = 20  # for the rays {1, gamma}^k, in the large budget
MAX_DIVERGENCE_INPUTS = 8  # of a region of Renyi divergences
MAX_CELL_DEPTH = 24  # halvings of a cell of rows, per dimension
MAX_ORBIT_INPUTS = 10_000  # in groups of equal proportions
MAX_ORDERED_INPUTS = 6  # of cells that are given by the order of entries
MAX_INTERVAL_DIGITS = 300  # of interval arithmetic
MAX_CONSTANTS = 8  # named constants of a certificate
MAX_UNDECIDED = 12  # signs of an interval of values, each of which is tried both ways
MAX_CELLS = 4096  # of a piece
MAX_EXPANSION_ORDER = 4  # of an expansion
MAX_SPLITS = 8  # above a leaf of a tree of duals
MAX_QUOTIENT_BITS = 4096  # to which quotients of a likelihood are rounded up
