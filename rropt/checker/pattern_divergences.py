"""Rule 5 for distances between two distributions of the outputs and for the information of the outputs about the truth.

Let s = S . pi for a staircase row S in {1, gamma}^k, and let q be the other distribution. The following is checked for
all 2^k rows S at gamma.above:

    chi-square           lower = sum_i (p_i . (pi - q))^2 / (p_i . q)       (S . (pi - q))^2 <= (alpha . S)(S . q)
    mutual-information   lower <= sum_ij pi_j p_ij ln(p_ij / (p_i . pi))    sum_j pi_j S_j ln S_j - s ln s <= alpha . S
    total-variation      lower = sum_i abs(p_i . (pi - q)) / 2              abs(S . (pi - q)) / 2 <= alpha . S

Each left side (the first after division by S . q) is convex and homogeneous in S. Hence the inequality is true for the
rows of all mechanisms, and the sum of their left sides is at most upper = sum alpha.

For the total variation no enumeration is needed. Let v = (pi - q)/2. For ``d = alpha - v`` and ``d = alpha + v`` it
suffices that ``sum_j min(d_j, gamma d_j) >= 0``. Logarithms are enclosed by decimal arithmetic with the number of
digits that the witness gives.
"""

from fractions import Fraction
from typing import Any, NamedTuple

from .brackets import UniformLevel
from .documents import Budget, Rejected, bits_of, fields, of_kind
from .intervals import Arithmetic, Interval
from .limits import MAX_COVER_DIGITS
from .matrices import Vector, over_one_denominator, read_matrix, read_population, require_sum
from .polynomials import whole


class Design(NamedTuple):
    """A mechanism that is private at the level below, with the claim and the witness about its objective."""

    objective: Any
    level: UniformLevel
    pi: Vector
    rows: list[Vector]
    lower: Fraction
    upper: Fraction
    dual: Any
    patterns: Any
    primal: Any
    logarithms: Any

    def require_enumerated(self) -> None:
        """Reject unless the witness enumerates all staircase rows and has no logarithms."""
        if self.patterns != {"kind": "enumeration"} or self.logarithms != []:
            raise Rejected("patterns are not enumerated, or there are logarithms where none is needed")

    def alpha(self, budget: Budget) -> Vector:
        """Return the dual; reject it unless its sum is upper."""
        fields(self.primal, [], "primal")
        (texts,) = fields(self.dual, ["alpha"], "dual")
        (line,) = read_matrix([texts], "alpha", budget, (1, len(self.pi.numerators)))
        alpha = over_one_denominator(line, budget)
        require_sum([(sum(alpha.numerators), alpha.denominator)], self.upper, "upper is not the sum of alpha", budget)
        return alpha

    def against(self, kind: str, budget: Budget) -> tuple[Vector, Vector]:
        """Return q and pi - q."""
        (shares,) = of_kind(self.objective, kind, ["against"], "objective")
        q = over_one_denominator(read_population(shares, len(self.pi.numerators), budget, "against"), budget)
        budget.spend(3 * len(q.numerators), self.pi.bits, q.bits)
        pairs = zip(self.pi.numerators, q.numerators, strict=True)
        scale = self.pi.denominator * q.denominator
        apart = [x * q.denominator - y * self.pi.denominator for x, y in pairs]
        return q, Vector(apart, scale, max(scale.bit_length(), *(abs(x).bit_length() for x in apart)))


def _dot(left: Vector, right: Vector, budget: Budget) -> int:
    """Return the scalar product of the numerators."""
    budget.spend_in_bulk(2 * len(left.numerators), left.bits, right.bits)
    return sum(x * y for x, y in zip(left.numerators, right.numerators, strict=True))


def _check_chi_square(design: Design, budget: Budget) -> None:
    design.require_enumerated()
    q, apart = design.against("chi-square", budget)
    terms = []
    for row in design.rows:
        square, mean = _dot(row, apart, budget) ** 2, _dot(row, q, budget)
        if mean:  # a row of zeros is an output that never occurs; other rows have no zeros, because delta is 0
            terms.append((square * q.denominator, row.denominator * apart.denominator**2 * mean))
    require_sum(terms, design.lower, "lower is not the value of the mechanism", budget)
    alpha, scales = design.alpha(budget), apart.denominator**2
    w = [[x] for x in apart.numerators]
    unit = alpha.denominator * q.denominator
    require_patterns(w, alpha.numerators, q.numerators, design.level.gamma.above, (unit, scales), budget)


def _check_total_variation(design: Design, budget: Budget) -> None:
    if design.patterns is not None or design.logarithms != []:
        raise Rejected("total variation needs neither patterns nor logarithms")
    _, apart = design.against("total-variation", budget)
    terms = [(abs(_dot(row, apart, budget)), 2 * row.denominator * apart.denominator) for row in design.rows]
    require_sum(terms, design.lower, "lower is not the value of the mechanism", budget)
    alpha, gamma = design.alpha(budget), design.level.gamma.above
    budget.spend(8 * len(alpha.numerators), max(alpha.bits, bits_of(gamma)), apart.bits)
    pairs = [
        (2 * a * apart.denominator, v * alpha.denominator)
        for a, v in zip(alpha.numerators, apart.numerators, strict=True)
    ]
    for sign in (1, -1):
        slacks = [a - sign * v for a, v in pairs]
        if sum(min(d * gamma.denominator, d * gamma.numerator) for d in slacks) < 0:
            raise Rejected("the dual fails at a pattern, of one sign")


def _check_information(design: Design, budget: Budget) -> None:
    """Check the bracket of the mutual information with enclosed logarithms.

    Reject unless lower is at most the information of the mechanism and ``alpha . S`` is at least the left side for
    every staircase row S.
    """
    of_kind(design.objective, "mutual-information", [], "objective")
    if design.patterns != {"kind": "enumeration"}:
        raise Rejected("patterns are not enumerated")
    (digits,) = fields(design.logarithms, ["digits"], "logarithms")
    arithmetic = Arithmetic(whole(digits, "digits", MAX_COVER_DIGITS, 1), budget)
    # the information is at least 0
    if design.lower > 0 and _told(design, arithmetic, budget)[0] < arithmetic.of(design.lower)[1]:
        raise Rejected("lower is not proved to be at most the value of the mechanism")
    alpha, pi, gamma = design.alpha(budget), design.pi, design.level.gamma.above
    budget.spend_in_bulk(2 << len(pi.numerators), alpha.bits, pi.bits)
    sides, means = (_subset_sums(vector.numerators) for vector in (alpha, pi))
    more = arithmetic.multiply(
        arithmetic.of(gamma), arithmetic.log(arithmetic.of(gamma))
    )  # gamma ln gamma, to be multiplied by q, the probability of the entries gamma
    for number, (side, mean) in enumerate(zip(sides, means, strict=True)):
        budget.spend(4, max(alpha.bits, pi.bits), bits_of(gamma))
        q = Fraction(mean, pi.denominator)
        if q in (0, 1):  # s and all S_j with pi_j > 0 equal 1, or all equal gamma, so the logarithms cancel exactly
            if sides[-1] * gamma.denominator + (gamma.numerator - gamma.denominator) * side < 0:
                raise Rejected(f"the dual does not hold at the pattern {number:b}, its first input last")
            continue
        s = arithmetic.of(1 + (gamma - 1) * q)
        bound = arithmetic.of((sides[-1] + (gamma - 1) * side) / alpha.denominator)
        less = arithmetic.multiply(s, arithmetic.log(s))
        slack = arithmetic.add(
            arithmetic.add(bound, less), arithmetic.negative(arithmetic.multiply(arithmetic.of(q), more))
        )
        if slack[0] < 0:
            raise Rejected(f"the dual is not proved to hold at the pattern {number:b}, its first input last")


def _told(design: Design, arithmetic: Arithmetic, budget: Budget) -> Interval:
    """Return the mutual information of the mechanism: sum_i lambda_i sum_j pi_j (p_ij/lambda_i) ln(p_ij/lambda_i)."""
    total, pi = arithmetic.zero, design.pi
    for row in design.rows:
        mean = _dot(row, pi, budget)
        for share, entry in zip(pi.numerators, row.numerators, strict=True):
            if share and entry:
                budget.spend(3, row.bits, row.bits + pi.bits)
                chance = arithmetic.of(Fraction(share * entry, pi.denominator * row.denominator))
                ratio = arithmetic.of(Fraction(entry * pi.denominator, mean))
                total = arithmetic.add(total, arithmetic.multiply(chance, arithmetic.log(ratio)))
    return total


def _subset_sums(numbers: list[int]) -> list[int]:
    """Return the sums over all subsets: bit j of an index is 1 if number j is in the subset."""
    sums = [0]
    for number in numbers:
        sums += [each + number for each in sums]
    return sums


def require_patterns(
    w: list[list[int]],
    alpha: list[int],
    pi: list[int],
    gamma: Fraction,
    scales: tuple[int, int],
    budget: Budget,
    *,
    is_form: bool = False,
) -> None:
    """Reject unless ``abs(S w)^2 scales[0] <= (alpha . S)(pi . S) scales[1]`` for all S in {1, gamma}^k.

    With ``is_form`` the left side is ``S^T w S scales[0]``. Both sides are homogeneous, so S may be taken in {h, g}^k,
    where gamma = g/h. The rows are visited in Gray code order: row n differs from the one before in the input whose
    index is the number of trailing zeros of n. Hence S w, alpha . S and pi . S are updated, not recomputed.
    """
    k, low, step = len(pi), gamma.denominator, gamma.numerator - gamma.denominator
    longest = max(abs(entry).bit_length() for entry in (*(e for row in w for e in row), *alpha, *pi, *scales))
    longest += k.bit_length() + gamma.numerator.bit_length()
    budget.spend(1 << k, longest, longest)
    budget.spend_in_bulk(2 * k << k, longest, longest)
    high = [False] * k
    moved, a, s = [low * sum(column) for column in zip(*w, strict=True)], low * sum(alpha), low * sum(pi)
    for number in range(1, (1 << k) + 1):
        other = [gamma.numerator if is_high else low for is_high in high] if is_form else moved
        if sum(x * y for x, y in zip(moved, other, strict=True)) * scales[0] > a * s * scales[1]:
            raise Rejected(f"the dual fails at the pattern {''.join('g' if is_high else '1' for is_high in high)}")
        j = ((number & -number).bit_length() - 1) % k  # after the last row any input will do
        change = -step if high[j] else step
        high[j] = not high[j]
        moved = [x + change * y for x, y in zip(moved, w[j], strict=True)]
        a, s = a + change * alpha[j], s + change * pi[j]


DIVERGENCES = {
    "chi-square": _check_chi_square,
    "total-variation": _check_total_variation,
    "mutual-information": _check_information,
}
