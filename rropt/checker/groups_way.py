"""The way of groups: designs whose inputs are in groups of equal proportions (groups_way.md).

Exchanging inputs of a group changes neither the mechanism nor the dual nor the distribution. A matrix that is invariant
under these exchanges is ``diag(d) + B``: d_g on the diagonal in group g, and B_gh everywhere in the block of g and h.
An orbit consists of all N distinct rearrangements of a row within the groups. In group g, which has n_g inputs, let
S1_g be the sum of the entries of the row, and S2_g the sum of their squares. Let s = sum_g pi_g S1_g. The orbit adds to
the information M

    diagonal  N (S2_g/n_g - E_gg) / s        blocks  N E_gh / s

    E_gh = S1_g S1_h / (n_g n_h),  g other than h        E_gg = (S1_g^2 - S2_g) / (n_g (n_g - 1)), 0 where n_g = 1

The inequality of a staircase row depends only on the number of entries gamma in each group. So there are prod (n_g + 1)
cases instead of 2^k. ``counts.py`` tests them by boxes.
"""

from collections.abc import Callable, Generator, Sequence
from fractions import Fraction
from math import factorial, gcd, lcm, prod
from typing import Any, NamedTuple

from .counts import Counts, Linear, Quadratic, require_for_all_counts
from .design_region import only_level, read_region
from .documents import Rejected, WorkBudget, bits_of, fields, items, whole
from .information import Information
from .intervals import Arithmetic, Interval, read_arithmetic
from .limits import MAX_ENTRIES, MAX_ORBIT_INPUTS
from .matrices import (
    Rows,
    Vector,
    dot,
    matrix_over_one_denominator,
    multiply,
    over_one_denominator,
    pivots_of,
    read_matrix,
    read_numbers,
    read_population,
    widest,
)

Values = list[tuple[Fraction, int]]  # for one group: each entry and its number of occurrences


class BlockMatrix(NamedTuple):
    """An invariant matrix ``(diag(d) + B) / scale`` over groups, in integers."""

    diagonal: list[int]
    blocks: list[list[int]]
    scale: int


class _Case(NamedTuple):
    """A mechanism that is private at the level below, with the claim and the proof about its objective.

    Attributes:
        gamma: exp(epsilon), above.
        shares: pi_g, the proportion of one input of each group.
        information: M of the mechanism.
        total: B, ``sum_g n_g alpha_g``.
    """

    gamma: Fraction
    groups: list[int]
    orbits: list[list[Values]]
    shares: list[Fraction]
    information: BlockMatrix
    lower: Fraction
    upper: Fraction
    alpha: list[Fraction]
    total: Fraction
    proof: dict[str, Any]
    budget: WorkBudget


KEYS = {
    "a-optimal": ("inside", "lines", "inverse"),
    "e-optimal": ("inside", "lines", "weights", "inverse"),
    "d-optimal": ("inside", "lines", "weights", "digits"),
    "mutual-information": ("slices", "digits"),
}
"""The keys of a proof beside ``way``, ``brackets`` and ``alpha``, by the objective."""


def check_groups(problem: dict[str, Any], claim: dict[str, Any], proof: dict[str, Any], budget: WorkBudget) -> str:
    """Check a bracket whose proof is by groups; return the tier of the proof of B of a criterion, if there is one."""
    kind = problem["objective"]["kind"]
    fields(proof, ["way", "brackets", "alpha", *KEYS[kind]], "proof")
    inputs, outputs, levels, bounds = (problem[key] for key in ("inputs", "outputs", "levels", "bounds"))
    region = read_region(inputs, outputs, levels, bounds, proof["brackets"], budget)
    k = region.inputs
    if k > MAX_ORBIT_INPUTS:
        raise Rejected(f"the way of groups needs at most {MAX_ORBIT_INPUTS} inputs")
    level = only_level(region.levels)
    if level is None or level.has_delta or region.outputs is not None:
        raise Rejected("the way of groups needs one level of all pairs with delta 0, and any outputs")
    groups, orbits = _read_orbits(claim["mechanism"], k, budget)
    pi = _shares_of_groups(read_population(problem["population"], k, budget), groups)
    information = _information(groups, orbits, over_one_denominator(pi, budget), level.gamma.below, budget)
    lower, upper = budget.number(claim["lower"], "lower"), budget.number(claim["upper"], "upper")
    if lower > upper:
        raise Rejected("lower is above upper")
    alpha = read_numbers(proof["alpha"], "alpha", budget, len(groups))
    total = _dot(groups, alpha, budget)
    gamma = level.gamma.above
    case = _Case(gamma, groups, orbits, pi, information, lower, upper, alpha, total, proof, budget)
    _CHECKS[kind](case)
    return region.tier


def _read_orbits(made: Any, k: int, budget: WorkBudget) -> tuple[list[int], list[list[Values]]]:
    """Return the sizes of the groups, and for each orbit and group its entries with their numbers of occurrences."""
    (form,) = fields(made, ["orbits"], "the mechanism")
    sizes, rows = fields(form, ["groups", "rows"], "orbits")
    groups = [whole(size, "the size of a group", k, 1) for size in items(sizes, "groups", most=k)]
    if sum(groups) != k:
        raise Rejected("the sizes of the groups do not sum to the number of inputs")
    orbits = []
    for row in items(rows, "rows", most=MAX_ENTRIES):
        orbit = []
        for values, n in zip(items(row, "a row", count=len(groups)), groups, strict=True):
            pairs = [items(pair, "an entry", count=2) for pair in items(values, "a group of a row", most=n)]
            read = [(budget.number(v, "an entry"), whole(c, "how often an entry stands", n, 1)) for v, c in pairs]
            if sum(count for _, count in read) != n:
                raise Rejected("the entries of a group are not as many as its inputs")
            if any(value <= 0 for value, _ in read):
                raise Rejected("an entry is not positive")
            orbit.append(read)
        orbits.append(orbit)
    return groups, orbits


def _shares_of_groups(population: list[Fraction], groups: list[int]) -> list[Fraction]:
    """Return the proportion of an input in each group; reject unless it is the same for all inputs of the group."""
    shares, start = [], 0
    for n in groups:
        if any(share != population[start] for share in population[start : start + n]):
            raise Rejected("the inputs of a group have not all the same share")
        shares.append(population[start])
        start += n
    return shares


def _information(
    groups: list[int], orbits: list[list[Values]], pi: Vector, gamma: Fraction, budget: WorkBudget
) -> BlockMatrix:
    """Return M; reject unless the mechanism is private at gamma and its columns sum to 1.

    Let a row be ``c q / r``, with integers q without a common divisor. Its orbit adds ``N c / (r (q . pi))`` times the
    mean of q q^T over the N rearrangements of q.
    """
    size = len(groups)
    weights, multiples, sums, squares = [], [], [], []
    for orbit in orbits:
        row = over_one_denominator([value for values in orbit for value, _ in values], budget)
        budget.spend(8 * len(row.numerators) + 4 * size, row.bits, row.bits + pi.bits + bits_of(gamma))
        if max(row.numerators) * gamma.denominator > min(row.numerators) * gamma.numerator:
            raise Rejected("the entries of a row are further apart than gamma")
        content = gcd(*row.numerators)
        entries = iter(row.numerators)
        pairs = [[(next(entries) // content, count) for _, count in values] for values in orbit]
        sums.append([sum(q * count for q, count in values) for values in pairs])
        squares.append([sum(q * q * count for q, count in values) for values in pairs])
        number = _rearrangements(groups, orbit, budget)
        mean = sum(p * total for p, total in zip(pi.numerators, sums[-1], strict=True))
        times = number * content
        budget.spend(2, times.bit_length() + pi.bits, row.bits + mean.bit_length())
        multiples.append(Fraction(times, row.denominator))
        weights.append(Fraction(times * pi.denominator, row.denominator * mean))
    budget.spend(16 * size**2)  # which limits the memory for the products
    scaled, w = over_one_denominator(multiples, budget), over_one_denominator(weights, budget)
    longest = widest(*sums, *squares)
    budget.spend(3 * len(orbits) * size, max(scaled.bits, w.bits), longest)
    for g, n in enumerate(groups):
        if dot(scaled.numerators, [total[g] for total in sums]) != n * scaled.denominator:
            raise Rejected("a column of the mechanism does not sum to 1")
    weighted = [
        [weight * x for x in (*total, *square)]
        for weight, total, square in zip(w.numerators, sums, squares, strict=True)
    ]
    ones = [1] * len(orbits)
    # sums of w S1_g S1_h; in the last row, of w S2_g
    products = multiply([*zip(*sums, strict=True), ones], weighted, budget)
    unit = lcm(*(n * max(m - (g == h), 1) for g, n in enumerate(groups) for h, m in enumerate(groups)))
    longest = widest(*products)
    budget.spend(4 * size * (size + 1), longest, unit.bit_length())
    blocks = [[products[g][h] * (unit // (n * m)) for h, m in enumerate(groups)] for g, n in enumerate(groups)]
    diagonal = []
    for g, n in enumerate(groups):
        square = products[size][size + g]
        blocks[g][g] = (products[g][g] - square) * (unit // (n * max(n - 1, 1)))  # 0 in a group of one input
        diagonal.append(square * (unit // n) - blocks[g][g])
    return BlockMatrix(diagonal, blocks, w.denominator * unit)


def _rearrangements(groups: list[int], orbit: list[Values], budget: WorkBudget) -> int:
    """Return the number ``prod_g n_g! / prod count!`` of distinct rearrangements, which has at most k log2 k bits."""
    wide = sum(n * n.bit_length() for n in groups)
    budget.spend(len(groups) + sum(map(len, orbit)), wide, wide)
    return prod(factorial(n) // prod(factorial(c) for _, c in values) for n, values in zip(groups, orbit, strict=True))


def _read_blocks(data: Any, size: int, where: str, budget: WorkBudget) -> BlockMatrix:
    """Return an invariant matrix of a file."""
    diagonal, blocks = fields(data, ["diagonal", "blocks"], where)
    line = read_numbers(diagonal, f"the diagonal of {where}", budget, size)
    rows = read_matrix(blocks, f"the blocks of {where}", budget, (size, size))
    (first, *rest), scale = matrix_over_one_denominator([line, *rows], budget)
    return BlockMatrix(first, rest, scale)


def _require_inverse(groups: list[int], information: BlockMatrix, x: BlockMatrix, budget: WorkBudget) -> None:
    """Reject unless x is the inverse of M.

    With x = diag(x_g) + Y this means ``d_g x_g = 1`` and ``d_g Y_gh + B_gh x_h + sum_f n_f B_gf Y_fh = 0``.
    """
    size, one = len(groups), information.scale * x.scale
    left, right = (widest(each.diagonal, *each.blocks) for each in (information, x))
    budget.spend(4 * size * (size + 1), left, right)
    if any(d * y != one for d, y in zip(information.diagonal, x.diagonal, strict=True)):
        raise Rejected("the inverse is not that of the mechanism's information, on the diagonal")
    counted = [[b * n for b, n in zip(row, groups, strict=True)] for row in information.blocks]
    both = multiply(counted, x.blocks, budget)
    for g in range(size):
        for h in range(size):
            outer = information.diagonal[g] * x.blocks[g][h] + information.blocks[g][h] * x.diagonal[h]
            if both[g][h] + outer:
                raise Rejected("the inverse is not that of the mechanism's information, in a block")


# the inequality of the dual


class GroupSquares(NamedTuple):
    """A matrix X with ``r^T X r = sum_g x_g (sum of the squares of r in group g) + sigma^T P sigma``."""

    x: list[Fraction]
    p: Rows


def squares_function(
    n: Sequence[int],
    pi: Sequence[Fraction],
    alpha: Sequence[Fraction],
    squares: GroupSquares,
    gamma: Fraction,
    budget: WorkBudget,
) -> Quadratic:
    """Return ``r^T X r - (alpha.r)(pi.r)`` as a function of the counts c.

    If c_g entries of group g are gamma and the others 1, ``sigma = n + (gamma - 1) c`` are the sums over the groups,
    and ``n_g + (gamma^2 - 1) c_g`` the sums of squares. So the function is quadratic in c.
    """
    step, total = gamma - 1, _dot(n, alpha, budget)
    longest = max(bits_of(v) for v in (*alpha, *pi, *squares.x, *(v for row in squares.p for v in row)))
    budget.spend(16 * len(n) * (len(n) + 1), 2 * longest + bits_of(gamma), 2 * longest + bits_of(gamma))
    along = [_dot(n, row, budget) for row in squares.p]
    constant = _dot(n, squares.x, budget) + _dot(n, along, budget) - total
    slopes = [
        step * ((gamma + 1) * x + 2 * y - a - total * q) for x, y, a, q in zip(squares.x, along, alpha, pi, strict=True)
    ]
    matrix = [
        [step**2 * (v - (a * q + b * p) / 2) for v, b, q in zip(row, alpha, pi, strict=True)]
        for row, a, p in zip(squares.p, alpha, pi, strict=True)
    ]
    numbers = over_one_denominator([constant, *slopes, *(v for row in matrix for v in row)], budget).numerators
    size = len(n)
    rows = [numbers[1 + size * g : 1 + size * (g + 1)] for g in range(1, size + 1)]
    return Quadratic(numbers[0], numbers[1 : 1 + size], rows, budget)


def _require_squares(case: _Case, x: list[Fraction], lines: Rows, d: list[Fraction]) -> None:
    """Reject unless ``sum_g x_g (Q_g - sigma_g^2/n_g) + sum_j d_j (sigma.F_j)^2 <= (alpha.r)(pi.r)`` for all counts."""
    n, budget, size = case.groups, case.budget, len(case.groups)
    longest = max(map(bits_of, (*x, *d, *(v for row in lines for v in row))))
    budget.spend(4 * size * size * (1 + len(lines)), 3 * longest, longest)
    p = [
        [
            sum((y * f[g] * f[h] for y, f in zip(d, lines, strict=True)), Fraction(0)) - (x[g] / n[g]) * (g == h)
            for h in range(size)
        ]
        for g in range(size)
    ]
    given = squares_function(n, case.shares, case.alpha, GroupSquares(x, p), case.gamma, budget)
    require_for_all_counts(n, [1] * size, given, budget)


def _read_squares(case: _Case, count: int | None) -> tuple[list[Fraction], Rows]:
    """Return the numbers ``inside`` and the lines, each of which sums to 0 over the inputs."""
    n, budget = case.groups, case.budget
    x = read_numbers(case.proof["inside"], "inside", budget, len(n))
    listed = items(case.proof["lines"], "lines", most=MAX_ENTRIES, count=count)
    lines = read_matrix(listed, "lines", budget, (count, len(n))) if listed else []
    if any(_dot(n, line, budget) for line in lines):
        raise Rejected("a line does not sum to 0 over the inputs")
    return x, lines


# the objectives


def _check_a(case: _Case) -> None:
    """Check the bracket of the trace of the covariance."""
    n, budget, size = case.groups, case.budget, len(case.groups)
    own, blocks = _covariance(case)
    value = _dot(n, [x + row[g] for g, (x, row) in enumerate(zip(own, blocks, strict=True))], budget)
    if case.upper < value:
        raise Rejected("upper is below the value of the mechanism")
    a, lines = _read_squares(case, size)
    reached = _dot([m - 1 for m in n], a, budget) + _dot(n, [line[g] for g, line in enumerate(lines)], budget)
    if case.lower > 0:  # a variance is at least 0
        if case.total >= 0 and (not reached or case.lower * case.total > reached**2):
            raise Rejected("lower is above the bound of the proof")
        _require_squares(case, [x * x for x in a], lines, [Fraction(m) for m in n])


def _covariance(case: _Case) -> tuple[list[Fraction], Rows]:
    """Return the least covariance ``M^-1 - pi pi^T``: its diagonal part and its blocks."""
    n, pi, budget, size = case.groups, case.shares, case.budget, len(case.groups)
    x = _read_blocks(case.proof["inverse"], size, "the inverse", budget)
    _require_inverse(n, case.information, x, budget)
    longest = widest((x.scale,), x.diagonal, *x.blocks)
    budget.spend(2 * size * (size + 1), longest, longest)  # each entry is reduced to lowest terms once
    blocks = [[Fraction(x.blocks[g][h], x.scale) - pi[g] * pi[h] for h in range(size)] for g in range(size)]
    return [Fraction(v, x.scale) for v in x.diagonal], blocks


def _check_e(case: _Case) -> None:
    """Check the bracket of the largest eigenvalue of the covariance."""
    n, budget, size = case.groups, case.budget, len(case.groups)
    own, blocks = _covariance(case)
    if any(m > 1 and v > case.upper for m, v in zip(n, own, strict=True)):
        raise Rejected("upper is below the variance of a contrast within a group")
    left = [
        [n[g] * (case.upper - own[g]) * (g == h) - n[g] * n[h] * blocks[g][h] for h in range(size)] for g in range(size)
    ]
    pivots_of(matrix_over_one_denominator(left, budget)[0], "upper is below the largest eigenvalue", budget)
    x, lines = _read_squares(case, None)
    d = read_numbers(case.proof["weights"], "weights", budget, len(lines))
    if min([*x, *d]) < 0:
        raise Rejected("a number of inside, or the weight of a line, is negative")
    if case.lower > 0:
        squares = [_dot(n, [v * v for v in line], budget) for line in lines]
        reached = _dot([m - 1 for m in n], x, budget)
        reached += sum((y * square for y, square in zip(d, squares, strict=True)), Fraction(0))
        if case.total <= 0 or case.lower * case.total > reached:
            raise Rejected("lower is above the bound of the proof")
        _require_squares(case, x, lines, d)


def _check_d(case: _Case) -> None:
    """Check the bracket of ``ln det M``."""
    arithmetic = read_arithmetic(case.proof["digits"], case.budget)
    n, budget, size = case.groups, case.budget, len(case.groups)
    inside, b, scale = case.information
    if any(m > 1 and v <= 0 for m, v in zip(n, inside, strict=True)):
        raise Rejected("the information within a group is not positive")
    between = [[n[g] * (inside[g] * (g == h) + n[h] * b[g][h]) for h in range(size)] for g in range(size)]
    pivots = pivots_of(between, "the information between the groups is not positive definite", budget)
    if not all(pivots):
        raise Rejected("the information between the groups is not positive definite")
    pivot = pivots[-1]
    budget.spend(4, pivot.bit_length(), size * scale.bit_length())
    low = _logs([(m - 1, Fraction(v, scale)) for m, v in zip(n, inside, strict=True)], arithmetic)
    low += _logs([(1, Fraction(pivot, scale**size)), *((-1, Fraction(m)) for m in n)], arithmetic)
    if low < case.lower:
        raise Rejected("lower is not proved to be at most the value of the mechanism")
    x, lines = _read_squares(case, size - 1)
    d = read_numbers(case.proof["weights"], "weights", budget, size - 1)
    if any(line[j] != 1 or any(line[:j]) for j, line in enumerate(lines)):
        raise Rejected("the lines are not triangular with entries 1 on the diagonal")
    if any(m > 1 and v <= 0 for m, v in zip(n, x, strict=True)) or min([*x, *d]) < 0 or not all(d):
        raise Rejected("a number of inside, or the weight of a line, is not positive")
    if case.total <= 0:
        raise Rejected("the bound of the proof is not positive")
    k = sum(n)
    terms = [(1 - k, case.total / (k - 1)), *((m - 1, v) for m, v in zip(n, x, strict=True))]
    terms += [*((1, v) for v in d), *((1, Fraction(m)) for m in n[:-1]), (-1, Fraction(n[-1]))]
    if -_logs(terms, arithmetic) > case.upper:
        raise Rejected("upper is not proved to be at least the bound of the proof")
    _require_squares(case, x, lines, d)


def _logs(terms: Sequence[tuple[int, Fraction]], arithmetic: Arithmetic) -> Fraction:
    """Return a lower end of ``sum a ln x``, for pairs (a, x) of an integer and a number > 0; a = 0 counts as 0."""
    total = arithmetic.zero
    for a, x in terms:
        if a:
            log = arithmetic.log(arithmetic.of(x))
            total = arithmetic.add(total, arithmetic.multiply(arithmetic.of(Fraction(a)), log))
    return Fraction(total[0])


def _check_information(case: _Case) -> None:
    """Check the bracket of the mutual information."""
    arithmetic = read_arithmetic(case.proof["digits"], case.budget)
    n, budget, total = case.groups, case.budget, case.total
    if case.lower > 0 and Fraction(_information_of_orbits(case, arithmetic)[0]) < case.lower:  # it is at least 0
        raise Rejected("lower is not proved to be at most the value of the mechanism")
    if case.upper < total:
        raise Rejected("upper is below the bound of the proof")
    listed = items(case.proof["slices"], "slices", count=len(n))
    slices = [whole(a, "a weight of the slices", MAX_ENTRIES, 0) for a in listed]
    if not any(slices):
        raise Rejected("all weights of the slices are 0")
    along = sum(a * m for a, m in zip(slices, n, strict=True))
    given = Entropy(case.shares, case.alpha, total, along, case.gamma, arithmetic)
    require_for_all_counts(n, slices, given, budget)


def _information_of_orbits(case: _Case, arithmetic: Arithmetic) -> Interval:
    """Return an interval that contains ``sum N (sum_j pi_j p_j ln p_j - s ln s)`` over the orbits, s = p.pi."""
    total = arithmetic.zero
    for orbit in case.orbits:
        row = over_one_denominator([value for values in orbit for value, _ in values], case.budget)
        shares = [share * count for share, values in zip(case.shares, orbit, strict=True) for _, count in values]
        number = Fraction(_rearrangements(case.groups, orbit, case.budget), row.denominator)
        term = Information(shares, arithmetic).of(row.numerators)
        total = arithmetic.add(total, arithmetic.multiply(term, arithmetic.of(number)))
    return total


class Entropy:
    """A bound of ``gamma ln gamma sum_g pi_g c_g - s ln s - alpha.sigma``, ``s = 1 + (gamma - 1) pi.c``.

    For every t > 0, ``-s ln s <= t - s (1 + ln t)``. This tangent makes the function linear. In a slice ``a.c = N``
    with weights close to a multiple of pi, s is close to ``1 + (gamma - 1) N/(a.n)``; t is the number closest to it
    among the values of s on the box. Logarithms are rounded to multiples of 1/unit, upwards and downwards.

    Args:
        pi: pi_g.
        alpha: alpha_g.
        total: ``sum_g n_g alpha_g``.
        slices: ``a.n``.
        gamma: exp(epsilon).
        arithmetic: encloses the logarithms.
    """

    def __init__(
        self,
        pi: Sequence[Fraction],
        alpha: Sequence[Fraction],
        total: Fraction,
        slices: int,
        gamma: Fraction,
        arithmetic: Arithmetic,
    ) -> None:
        budget = arithmetic.budget
        self._arithmetic, self._slices, self._unit = arithmetic, slices, 10**arithmetic.digits
        number = arithmetic.of(gamma)
        high = Fraction(arithmetic.multiply(number, arithmetic.log(number))[1])
        numbers = [total, *((gamma - 1) * a for a in alpha), *pi, gamma - 1]
        budget.spend(8 * len(numbers), max(map(bits_of, numbers)), bits_of(gamma))
        together = over_one_denominator(numbers, budget)
        size = len(pi)
        self._total, self._step = together.numerators[0], together.numerators[-1]
        self._alpha, self._shares = together.numerators[1 : 1 + size], together.numerators[1 + size : -1]
        self._scale, self._log = together.denominator, -(-high.numerator * self._unit // high.denominator)
        self.bits = 2 * together.bits + self._unit.bit_length()
        self._last = Fraction(0), 0, 0  # t, (1 + ln t) unit rounded down, and t unit rounded up

    def bounds(self, low: Counts, high: Counts, total: int) -> Generator[Linear, Counts, None]:
        """Yield a linear function that is at least F on the box, multiplied by ``unit scale^2``."""
        unit, scale = self._unit, self._scale
        self._arithmetic.budget.spend_in_bulk(12 * (1 + len(low)), self.bits, 0)
        least, most = (dot(self._shares, ends) for ends in (low, high))
        chosen = min(max(Fraction(total * scale, self._slices), Fraction(least)), Fraction(most))  # pi.c scale
        slope, top = self._tangent(1 + chosen * self._step / scale**2)
        rise = self._log * scale - slope * self._step
        slopes = [rise * p - unit * scale * a for p, a in zip(self._shares, self._alpha, strict=True)]
        spread = [p * (y - x) for p, x, y in zip(self._shares, low, high, strict=True)]
        yield Linear((top - slope) * scale**2 - unit * scale * self._total, slopes, spread)

    def _tangent(self, t: Fraction) -> tuple[int, int]:
        if t != self._last[0]:
            arithmetic, unit = self._arithmetic, self._unit
            arithmetic.budget.spend(8, self.bits, self.bits)
            log = Fraction(arithmetic.log(arithmetic.of(t))[0])
            slope = unit + log.numerator * unit // log.denominator
            self._last = t, slope, -(-t.numerator * unit // t.denominator)
        return self._last[1:]


def _dot(left: Sequence[int | Fraction], right: Sequence[Fraction], budget: WorkBudget) -> Fraction:
    """Return ``sum_g left_g right_g``; over one denominator, as that of a sum may be long."""
    longest = max(bits_of(Fraction(x)) for x in left)
    budget.spend(2 * len(right), longest, max(map(bits_of, right)))
    terms = over_one_denominator([n * x for n, x in zip(left, right, strict=True)], budget)
    budget.spend(4, terms.bits, terms.bits)
    return Fraction(sum(terms.numerators), terms.denominator)


_CHECKS: dict[str, Callable[[_Case], None]] = {
    "a-optimal": _check_a,
    "e-optimal": _check_e,
    "d-optimal": _check_d,
    "mutual-information": _check_information,
}
