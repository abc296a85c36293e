"""A-optimal designs whose inputs are in groups of equal proportions: rule 5 by counts per group (FORMAT.md, rule 14).

Exchanging inputs of a group changes neither the mechanism nor the dual nor the distribution. A matrix that is invariant
under these exchanges is ``diag(d) + B``: d_g on the diagonal in group g, and B_gh everywhere in the block of g and h.
An orbit consists of all N distinct rearrangements of a row within the groups. In group g, which has n_g inputs, let
S1_g be the sum of the entries of the row, and S2_g the sum of their squares. Let s = sum_g pi_g S1_g. The orbit adds to
the information M

    diagonal  N (S2_g/n_g - E_gg) / s        blocks  N E_gh / s

    E_gh = S1_g S1_h / (n_g n_h),  g other than h        E_gg = (S1_g^2 - S2_g) / (n_g (n_g - 1)), 0 where n_g = 1

The inequality of a staircase row depends only on the number of entries gamma in each group. So there are prod (n_g + 1)
cases instead of 2^k.
"""

from fractions import Fraction
from itertools import product
from math import factorial, gcd, lcm, prod
from typing import Any, NamedTuple

from .brackets import uniform_level
from .documents import Budget, Rejected, bits_of, fields, items, of_kind
from .limits import MAX_ENTRIES, MAX_ORBIT_INPUTS
from .matrices import (
    Vector,
    matrix_over_one_denominator,
    multiply,
    over_one_denominator,
    read_matrix,
    read_population,
    require_sum,
)
from .polynomials import whole

EXPLAINED = {
    "orbits": "Every row of a private mechanism is a mixture of staircase rows. The inputs of a group have equal "
    "proportions, and the mechanism and the dual treat them alike. The checker tested the inequality of the dual for "
    "every number of gammas in each group, and computed the value of the mechanism from one row of each orbit.",
}

Values = list[tuple[Fraction, int]]  # for one group: each entry and its number of occurrences


class Blocks(NamedTuple):
    """An invariant matrix ``(diag(d) + B) / scale`` over groups, in integers."""

    diagonal: list[int]
    blocks: list[list[int]]
    scale: int


def check_orbits(problem: Any, claim: Any, witness: Any) -> str:
    """Check a claim of kind design-bracket for the total variance over k inputs in groups."""
    budget = Budget()
    data, objective, shares = fields(problem, ["region", "objective", "population"], "problem")
    of_kind(objective, "a-optimal", [], "objective")
    lower_text, upper_text, made = of_kind(claim, "design-bracket", ["lower", "upper", "mechanism"], "claim")
    _, gamma_text, delta_text, dual, primal = fields(witness, ["rule", "gamma", "delta", "dual", "primal"], "witness")
    level = uniform_level(data, gamma_text, delta_text, budget)
    if level.family != "all" or level.has_delta or level.sizes[1] != "any":
        raise Rejected("the rule of orbits needs any outputs, family all and delta 0")
    k = whole(level.sizes[0], "inputs", MAX_ORBIT_INPUTS, 2)
    groups, orbits = _read_orbits(made, k, budget)
    pi = over_one_denominator(_shares_of_groups(read_population(shares, k, budget), groups), budget)
    information = _information(groups, orbits, pi, level.gamma.below, budget)
    (inverse,) = fields(primal, ["inverse"], "primal")
    x = _read_blocks(inverse, len(groups), "the inverse", budget)
    _require_inverse(groups, information, x, budget)
    budget.spend(4 * len(groups), pi.bits, pi.bits)
    spread = -sum(n * p**2 for n, p in zip(groups, pi.numerators, strict=True)), pi.denominator**2  # -pi . pi
    upper = budget.number(upper_text, "upper")
    require_sum([(_trace(groups, x), x.scale), spread], upper, "upper is not the value of the mechanism", budget)
    bound = _bound(groups, pi, dual, level.gamma.above, budget)
    lower = budget.number(lower_text, "lower")
    require_sum([bound, spread], lower, "lower is not the bound of the dual", budget)
    return level.tier


def _read_orbits(made: Any, k: int, budget: Budget) -> tuple[list[int], list[list[Values]]]:
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


def _information(groups: list[int], orbits: list[list[Values]], pi: Vector, gamma: Fraction, budget: Budget) -> Blocks:
    """Return M; reject unless the mechanism is private at gamma and its columns sum to 1.

    Let a row be ``c q / r``, with integers q without a common divisor. Its orbit adds ``N c / (r (q . pi))`` times the
    mean of q q^T over the N rearrangements of q.
    """
    size = len(groups)
    weights, columns, sums, squares = [], [], [], []
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
        columns.append((times, row.denominator))
        weights.append(Fraction(times * pi.denominator, row.denominator * mean))
    for g, n in enumerate(groups):
        terms = [(times * total[g], r) for (times, r), total in zip(columns, sums, strict=True)]
        require_sum(terms, Fraction(n), "a column of the mechanism does not sum to 1", budget)
    w = over_one_denominator(weights, budget)
    longest = max(abs(x).bit_length() for total in (*sums, *squares) for x in total)
    budget.spend(2 * len(orbits) * size, w.bits, longest)
    weighted = [
        [weight * x for x in (*total, *square)]
        for weight, total, square in zip(w.numerators, sums, squares, strict=True)
    ]
    ones = [1] * len(orbits)
    # sums of w S1_g S1_h; in the last row, of w S2_g
    products = multiply([*zip(*sums, strict=True), ones], weighted, budget)
    unit = lcm(*(n * max(m - (g == h), 1) for g, n in enumerate(groups) for h, m in enumerate(groups)))
    longest = max(abs(x).bit_length() for row in products for x in row)
    budget.spend(4 * size * (size + 1), longest, unit.bit_length())
    blocks = [[products[g][h] * (unit // (n * m)) for h, m in enumerate(groups)] for g, n in enumerate(groups)]
    diagonal = []
    for g, n in enumerate(groups):
        square = products[size][size + g]
        blocks[g][g] = (products[g][g] - square) * (unit // (n * max(n - 1, 1)))  # 0 in a group of one input
        diagonal.append(square * (unit // n) - blocks[g][g])
    return Blocks(diagonal, blocks, w.denominator * unit)


def _rearrangements(groups: list[int], orbit: list[Values], budget: Budget) -> int:
    """Return the number ``prod_g n_g! / prod count!`` of distinct rearrangements, which has at most k log2 k bits."""
    wide = sum(n * n.bit_length() for n in groups)
    budget.spend(len(groups) + sum(map(len, orbit)), wide, wide)
    return prod(factorial(n) // prod(factorial(c) for _, c in values) for n, values in zip(groups, orbit, strict=True))


def _read_blocks(data: Any, size: int, where: str, budget: Budget) -> Blocks:
    """Return an invariant matrix of a file."""
    diagonal, blocks = fields(data, ["diagonal", "blocks"], where)
    (line,) = read_matrix([diagonal], f"the diagonal of {where}", budget, (1, size))
    rows = read_matrix(blocks, f"the blocks of {where}", budget, (size, size))
    (first, *rest), scale = matrix_over_one_denominator([line, *rows], budget)
    return Blocks(first, rest, scale)


def _require_inverse(groups: list[int], information: Blocks, x: Blocks, budget: Budget) -> None:
    """Reject unless x is the inverse of M.

    With x = diag(x_g) + Y this means ``d_g x_g = 1`` and ``d_g Y_gh + B_gh x_h + sum_f n_f B_gf Y_fh = 0``.
    """
    size, one = len(groups), information.scale * x.scale
    left = max(abs(b).bit_length() for row in [information.diagonal, *information.blocks] for b in row)
    right = max(abs(y).bit_length() for row in [x.diagonal, *x.blocks] for y in row)
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


def _trace(groups: list[int], matrix: Blocks) -> int:
    """Return the trace times the scale."""
    return sum(n * (matrix.diagonal[g] + matrix.blocks[g][g]) for g, n in enumerate(groups))


def _bound(groups: list[int], pi: Vector, dual: Any, gamma: Fraction, budget: Budget) -> tuple[int, int]:
    """Return ``(tr W)^2 / sum alpha``; reject unless ``abs(S W)^2 <= (alpha . S)(pi . S)`` for all staircase rows S.

    Let W = diag(a) + B, and let c_f of the n_f entries of S in group f be gamma. The sum of S over group f is ``sigma_f
    = n_f + (gamma - 1) c_f``. With ``t_g = sum_f sigma_f B_fg``, an entry of S W in group g is ``gamma a_g + t_g``
    where S is gamma, and ``a_g + t_g`` where S is 1. All numbers are multiplied by the denominator of gamma.
    """
    texts, data = fields(dual, ["alpha", "matrix"], "dual")
    size = len(groups)
    matrix = _read_blocks(data, size, "the dual's matrix", budget)
    a, b, scale = matrix
    (line,) = read_matrix([texts], "alpha", budget, (1, size))
    alpha = over_one_denominator(line, budget)
    low, high = gamma.denominator, gamma.numerator
    left, right = alpha.denominator * pi.denominator, scale**2
    longest = max(abs(x).bit_length() for x in (scale, *a, *(x for row in b for x in row)))
    longest = max(longest, alpha.bits, pi.bits) + sum(groups).bit_length() + bits_of(gamma)
    patterns = prod(n + 1 for n in groups)
    budget.spend(patterns, 2 * longest, 2 * longest)
    budget.spend_in_bulk(patterns * size * (size + 8), 2 * longest, 2 * longest)
    for counts in product(*(range(n + 1) for n in groups)):
        sigma = [low * n + (high - low) * c for n, c in zip(groups, counts, strict=True)]
        t = [sum(sigma[f] * b[f][g] for f in range(size)) for g in range(size)]
        square = sum(
            c * (high * a[g] + t[g]) ** 2 + (n - c) * (low * a[g] + t[g]) ** 2
            for g, (n, c) in enumerate(zip(groups, counts, strict=True))
        )
        cost = sum(x * total for x, total in zip(alpha.numerators, sigma, strict=True))
        mean = sum(x * total for x, total in zip(pi.numerators, sigma, strict=True))
        if square * left > cost * mean * right:
            raise Rejected(f"the dual fails at a pattern with {', '.join(map(str, counts))} entries gamma, by group")
    total = sum(n * x for n, x in zip(groups, alpha.numerators, strict=True))
    if total <= 0:
        raise Rejected("alpha does not sum to a positive number")
    return _trace(groups, matrix) ** 2 * alpha.denominator, right * total
