"""Sizes and tolerances of linear designs, each with its reason; none decides what is private, feasible or optimal."""

from __future__ import annotations

from fractions import Fraction

# Relative rounding of sums of levels: a wrong guess costs a pair too many or one that is handed back, never the truth.
LEVEL_ROUNDING = 1e-12

# Relative width (of gamma - 1, and of delta) in which the shortest rational stands for an irrational level while the
# programme is solved: the answer is moved to the true level by that much. About ten digits a side; with twenty-four
# the vertices of 60 ordered categories take four times as long.
SHORT_WIDTH = Fraction(1, 10**18)

# Levels that differ by more nats than this within one problem give vertices with entries from 1 to e^-70 = 4e-31, which
# no float solver proposes: the programme is then solved with every entry at least FLOOR, which costs about as much,
# and at a level as short as that allows.
LONG_CHAIN = 70
FLOOR = Fraction(1, 2**50)
FLOOR_WIDTH = Fraction(1, 10**14)

# Bits of the grid on which a mechanism and a dual are written where they are rounded: 2^-96 is about 1e-29.
GRID_BITS = 96

# Shares of the interior mechanism that are tried, from the finest: the errors of the exact route are about 1e-17, those
# of an interior-point solver 1e-9.
SHARES = tuple(Fraction(1, 4**n) for n in range(34, 2, -1))

# Beyond so many entries p_ij a problem with a closed form is left to it, and one without is not given to the convex
# route: a linear programme takes minutes there.
LARGEST_CROSS_CHECK = 4900

# Beyond so many numbers e_i,jl of an (epsilon, delta) programme likewise.
CONVEX_ENTRIES = 60_000

# Beyond so many entries fewer digits of an irrational level: with 24 the certificate would be megabytes long.
LARGE_ENTRIES = 10_000
LARGE_DIGITS = 15

# Entries p_ij of the largest mechanism whose certificate the checker reads (its limit on the tokens of a file).
MOST_ENTRIES = 90_000

# Least slack of an interior mechanism that leaves room for rounding; below it the programme is solved exactly at both
# ends of the level.
LEAST_SLACK = 1e-9

# Odds beyond which the slack of an interior mechanism hangs on entries that neither a float solver (it refuses such
# coefficients) nor the grid tells from 0: likewise.
LARGEST_ODDS = 10**15

# The least gamma at which bounds can be met: relative width of its enclosure (it is printed with nine digits), digits
# of the level from which the search begins, the number of entries beyond which it is not looked for (some forty linear
# programmes), and the denominator up to which it is printed as a fraction.
GAMMA_WIDTH = Fraction(1, 10**9)
BOUND_DIGITS = 20
LARGEST_BISECTION = 400
SHORT_DENOMINATOR = 10_000

# The same for the factor by which levels of pairs must grow: it is printed with three digits. (Its denominators are
# roots of the odds bounds, which the exact parameters limit to a thousand.)
SCALE_WIDTH = Fraction(1, 1000)
TIMES_WIDTH = Fraction(1, 10**6)  # relative, of the short rational that stands for the product

# Conflicting bounds that are named one by one.
WORDED_BOUNDS = 4
