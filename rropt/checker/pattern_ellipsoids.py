"""Rule 5 for D- and E-optimality: the volume and the longest axis of the confidence ellipsoid of the proportions.

Let W be symmetric with ``S^T W S <= (alpha . S)(S . pi)`` for all 2^k staircase rows S at gamma.above. Then tr W M <=
sum alpha, and

    d-optimal   lower <= ln det M                              upper >= ln((sum alpha / k)^k / det W), W > 0
    e-optimal   upper > 0, C (upper M - I) C >= 0              lower <= tr W / sum alpha, W >= 0, W 1 = 0

Here C = I - 1 1^T/k, and > 0 and >= 0 mean positive definite and positive semidefinite. Both properties and
determinants are decided by elimination in integers. Since M has long integers, it may first be rounded to d decimal
digits. Each entry is rounded down, and k units are subtracted from each diagonal entry. The result is below M in the
Loewner order.
"""

from fractions import Fraction

from .documents import Budget, Rejected, bits_of, fields, of_kind
from .intervals import Arithmetic
from .limits import MAX_COVER_DIGITS
from .matrices import Integers, matrix_over_one_denominator, over_one_denominator, pivots_of, read_matrix
from .pattern_divergences import Design, require_patterns
from .polynomials import whole

Square = tuple[list[list[int]], int]  # rows of integers over a common denominator > 0


def check_determinant(design: Design, information: Square, budget: Budget) -> None:
    """Check the bracket of ``ln det M``."""
    of_kind(design.objective, "d-optimal", [], "objective")
    (digits,) = fields(design.logarithms, ["digits"], "logarithms")
    arithmetic = Arithmetic(whole(digits, "digits", MAX_COVER_DIGITS, 1), budget)
    rows, scale = _rounded(information, design, budget)
    k = len(rows)
    value = Fraction(_determinant(rows, "the information, as it is rounded,", budget), scale**k)
    if arithmetic.log(arithmetic.of(value))[0] < arithmetic.of(design.lower)[1]:
        raise Rejected("lower is not proved to be at most the value of the mechanism")
    w, unit, total = _dual(design, budget)
    determinant = Fraction(_determinant(w, "the dual's matrix", budget), unit**k)
    budget.spend(4, k * bits_of(total), k * (bits_of(total) + unit.bit_length()))
    bound = arithmetic.log(arithmetic.of((total / k) ** k / determinant))
    if bound[1] > arithmetic.of(design.upper)[0]:
        raise Rejected("upper is not proved to be at least the bound of the dual")


def check_eigenvalue(design: Design, information: Square, budget: Budget) -> None:
    """Check the bracket of the largest eigenvalue of ``M^-1 - pi pi^T``."""
    of_kind(design.objective, "e-optimal", [], "objective")
    if design.logarithms != []:
        raise Rejected("there are logarithms where none is needed")
    # for a nearly singular M its rounding has negative eigenvalues, whose sign a negative upper would reverse
    if design.upper <= 0:
        raise Rejected("upper is not positive")
    rows, scale = _rounded(information, design, budget)
    k, top, under = len(rows), design.upper.numerator, design.upper.denominator * scale
    budget.spend(4 * k * k, max(abs(x).bit_length() for row in rows for x in row), top.bit_length())
    moved = [[top * x - under * (i == j) for j, x in enumerate(row)] for i, row in enumerate(rows)]
    sums = [sum(row) for row in moved]
    whole_sum = sum(sums)
    centred = [[k * (k * x - sums[i] - sums[j]) + whole_sum for j, x in enumerate(row)] for i, row in enumerate(moved)]
    pivots_of(centred, "upper is not proved to be at least the value of the mechanism", budget)
    w, unit, total = _dual(design, budget)
    if any(sum(row) for row in w):
        raise Rejected("a row of the dual's matrix does not sum to 0")
    pivots_of(w, "the dual's matrix is not positive semidefinite", budget)
    budget.spend(4, bits_of(total) + unit.bit_length(), bits_of(design.lower))
    if design.lower * total * unit > sum(row[i] for i, row in enumerate(w)):
        raise Rejected("lower is not proved to be at most the bound of the dual")


def _rounded(information: Square, design: Design, budget: Budget) -> Square:
    """Return M, or the rounding of M that the witness asks for."""
    (digits,) = fields(design.primal, ["rounded"], "primal")
    if digits is None:
        return information
    rows, scale = information
    unit = 10 ** whole(digits, "rounded", MAX_COVER_DIGITS, 1)
    k = len(rows)
    budget.spend(2 * k * k, max(scale.bit_length(), *(abs(x).bit_length() for row in rows for x in row)), 1024)
    return [[x * unit // scale - k * (i == j) for j, x in enumerate(row)] for i, row in enumerate(rows)], unit


def _dual(design: Design, budget: Budget) -> tuple[list[list[int]], int, Fraction]:
    """Return W, its denominator and the sum of alpha, for a dual that is valid at the level above."""
    pi, k = design.pi, len(design.pi.numerators)
    texts, matrix = fields(design.dual, ["alpha", "matrix"], "dual")
    w, unit = matrix_over_one_denominator(read_matrix(matrix, "the dual's matrix", budget, (k, k)), budget)
    (line,) = read_matrix([texts], "alpha", budget, (1, k))
    alpha = over_one_denominator(line, budget)
    if any(w[i][j] != w[j][i] for i in range(k) for j in range(i)):
        raise Rejected("the dual's matrix is not symmetric")
    total = Fraction(sum(alpha.numerators), alpha.denominator)
    if total <= 0:
        raise Rejected("alpha does not sum to a positive number")
    scales = alpha.denominator * pi.denominator, unit
    gamma = design.level.gamma.above
    require_patterns(w, alpha.numerators, pi.numerators, gamma, scales, budget, is_form=True)
    return w, unit, total


def _determinant(rows: Integers, what: str, budget: Budget) -> int:
    """Return the determinant of an integer matrix; reject unless it is positive definite."""
    reason = f"{what} is not positive definite"
    pivots = pivots_of(rows, reason, budget)
    if not all(pivots):
        raise Rejected(reason)
    return pivots[-1]
