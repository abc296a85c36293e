"""Numbers that govern the pictures, each with its reason; none decides anything but how a picture looks."""

from __future__ import annotations

from fractions import Fraction

# An irrational coordinate is bracketed at these many digits, doubling, until it is known to more than a float holds.
FIRST_FLOAT_DIGITS = 40
FLOAT_DIGITS = 17

SHORT_TEXT = 9  # characters: an exact coordinate up to here stands in a picture, a longer one as a decimal
SHOWN_DIGITS = 4  # of such a decimal

CURVE_POINTS = 401  # of one curve: a point every half millimetre across the widest picture
MARKED_POINTS = 3  # exact points that a picture of efficiencies marks unless told which: labels fit between them
MAX_CURVES = 40  # levels, designs or marked points in one picture: beyond it nothing can be told apart

PIECE_POINTS = 25  # of a piece of a limit between two breaks, however short: a bend still shows
MAX_BREACH_REGIONS = 4  # in one square: more fills on top of each other cannot be told apart
ONE_LINE = 1e-4  # of the unit square: limits nearer than that on a whole cell are one line, to the eye

# Below this height of R' over the line p00 + p11 = 1 (it is at most 1) contours cannot be read in the unit square:
# the landscape is then drawn over p00 + p11 - 1, stretched.
THIN_REGION = Fraction(3, 10)

# The lowest contour has this share of the region's height (contours crowd towards p00 + p11 = 1, where n Var is
# infinite), and the contours begin at most this many powers of ten below the highest: lower ones lie close to a vertex.
LOWEST_CONTOUR = Fraction(1, 7)
CONTOUR_DECADES = 2
MAX_CONTOURS = 7  # more could not all be labelled at paper size

LARGEST_RATIO = 30  # relative variances above it lie beyond the frame, so that those that matter can be told apart

MIN_DPI, MAX_DPI = 30, 1200  # dots per inch: below, nothing is legible; above, an image has 10^8 dots
