// Limits of part A of FORMAT.md, under the names that the page gives them, and the budget of this checker.

export const MAX_BYTES = 16 * 2 ** 20;
export const MAX_TOKENS = 1_000_000;
export const MAX_REASON = 300;
export const MAX_DEPTH = 32;
export const MAX_DIGITS = 20_000;
export const MAX_PRECISION_DIGITS = 5_000;
export const MAX_POWER_BITS = 2 ** 21;
export const MAX_EXPONENT = 100n;
export const MAX_PARAMETER_DIGITS = 400;
export const MAX_BRACKET_DIGITS = 2_600;
export const MAX_ENTRIES = 2 ** 18;
export const MAX_BUNDLE = 4096;
export const MAX_LIST = 64;
export const MAX_DEGREE = 1024;
export const MAX_TERMS = 2 ** 18;
export const MAX_NAMES = 40;
export const MAX_COEFFICIENT_BITS = 2 ** 17;
export const MAX_PATTERN_INPUTS = 18;
export const MAX_RAYS = 2 ** 15;
export const MAX_DIVERGENCE_INPUTS = 8;
export const MAX_CELL_DEPTH = 24;
export const MAX_ORBIT_INPUTS = 10_000;
export const MAX_ORDERED_INPUTS = 6;
export const MAX_COMPOSED_EXPONENT = 1000n;
export const MAX_COMPOSED_ITEMS = 4096;
export const MAX_COMPOSED_COUNT = 2 ** 14 - 1;
export const MAX_LATTICE_POINTS = 2 ** 20;
export const MAX_LATTICE_BITS = 4096;
export const MAX_SHUFFLED = 10_000_000;
export const MAX_BLOCKS = 4096;
export const MAX_ZCDP_CATEGORIES = 10 ** 12;
export const MAX_RUNS = 2 ** 15;
export const MAX_QUESTIONS = 1024;
export const MAX_INTERVAL_DIGITS = 300;
export const MAX_CONSTANTS = 8;
export const MAX_UNDECIDED = 12;
export const MAX_CELLS = 4096;
export const MAX_EXPANSION_ORDER = 4;
export const MAX_SPLITS = 8;
export const MAX_QUOTIENT_BITS = 4096;

// One unit is an operation on integers of up to 512 bits, about 0.1 microseconds in Node.
export const MAX_WORK = 2 ** 26;
export const MAX_BUNDLE_WORK = 2 ** 29;
