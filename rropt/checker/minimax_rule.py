"""The minimax mean squared error of a prevalence over all mechanisms and all estimators (FORMAT.md, rule 21).

Every (epsilon, delta)-private response about one bit is a randomization of the following response. With probability
delta it reveals the bit with certainty; otherwise it is randomized response at gamma. Hence three counts are sufficient
for n responses:

* a, the number of certain responses, binomial with probability delta;
* c, the number of ones among them, binomial with probability pi;
* y, the number of ones among the others, binomial with probability ``lambda = (1 + (gamma-1) pi)/(gamma+1)``.

An estimator gives a number t[a][c][y] for each triple. If delta = 0 then a = c = 0. The bounds are

    upper >= max over pi of R(pi) = E (t - pi)^2           for an estimator t, at gamma.below and delta.below
    lower <= sum over counts of min over s of E [counts] (s - pi)^2   for a prior of pi, at gamma.above and delta.above

R is a polynomial of degree n + 2. On each cell it is at most its largest Bernstein coefficient there. Everything is
decided in integers, multiples of 2^-bits. Coefficients are rounded up and probabilities down, so both bounds stay
valid.
"""

import itertools
from fractions import Fraction
from math import ceil, comb, lcm
from typing import Any, NamedTuple

from .brackets import delta_bracket, gamma_bracket
from .documents import Budget, Rejected, bits_of, fields, items, of_kind
from .limits import MAX_DEGREE, MAX_PARAMETER_DIGITS, MAX_QUOTIENT_BITS
from .polynomials import whole

EXPLAINED = {
    "minimax-risk": "No estimator has a worst case below the Bayes risk of the prior. The risk of the estimator is"
    " a polynomial, and its Bernstein coefficients on the cells bound it. All numbers were rounded outwards.",
}


class _Level(NamedTuple):
    """A privacy level, and the largest possible number of certain responses: n, or 0 if delta is 0."""

    gamma: Fraction
    delta: Fraction
    n: int
    most: int

    def shown(self, pi: Fraction) -> Fraction:
        """Return lambda, the probability that a response that is not certain is 1."""
        return (1 + (self.gamma - 1) * pi) / (self.gamma + 1)


def check_minimax(problem: Any, claim: Any, witness: Any) -> None:
    """Check a claim of kind minimax-risk."""
    budget = Budget()
    epsilon, slack, count = of_kind(problem, "minimax-risk", ["epsilon", "delta", "respondents"], "problem")
    n = whole(count, "respondents", MAX_DEGREE - 2, 1)
    lower_text, upper_text, estimator = of_kind(claim, "minimax-risk", ["lower", "upper", "estimator"], "claim")
    _, gamma_text, delta_text, bits_text, points, weights, cells = fields(
        witness, ["rule", "gamma", "delta", "bits", "points", "weights", "cells"], "witness"
    )
    gamma, delta = gamma_bracket(epsilon, gamma_text, budget), delta_bracket(slack, delta_text, budget)
    bits, most = whole(bits_text, "bits", MAX_QUOTIENT_BITS), n if delta.above else 0
    below, above = _Level(gamma.below, delta.below, n, most), _Level(gamma.above, delta.above, n, most)
    lower, upper = (budget.number(text, "an end of the claim") for text in (lower_text, upper_text))
    support = _numbers(points, "points", budget)
    shares = _numbers(weights, "weights", budget, len(support))
    if min((*support, *shares), default=0) < 0 or max(support, default=0) > 1 or _sum(shares, budget) != 1:
        raise Rejected("points and weights are no prior on [0, 1]")
    ends = [Fraction(0), *_numbers(cells, "cells", budget), Fraction(1)]
    if any(a >= b for a, b in itertools.pairwise(ends)):
        raise Rejected("the ends of the cells do not ascend within (0, 1)")
    if upper * 2**bits < _largest(_estimator(estimator, below, budget), below, ends, bits, budget):
        raise Rejected("upper is below a Bernstein coefficient of the risk")
    if lower * 2**bits > _bayes(support, shares, above, bits, budget):
        raise Rejected("lower is above the Bayes risk of the prior")


def _numbers(data: Any, where: str, budget: Budget, count: int | None = None) -> list[Fraction]:
    listed = items(data, where, count=count, most=4 * MAX_DEGREE)
    return [budget.number(text, where, MAX_PARAMETER_DIGITS) for text in listed]


def _estimator(data: Any, level: _Level, budget: Budget) -> list[list[list[Fraction]]]:
    """Return t[a][c][y], whose rows are in this order in the file."""
    rows = iter(items(data, "the estimator", count=(level.most + 1) * (level.most + 2) // 2))
    return [
        [_numbers(next(rows), "a row of the estimator", budget, level.n - a + 1) for _ in range(a + 1)]
        for a in range(level.most + 1)
    ]


def _sum(numbers: list[Fraction], budget: Budget) -> Fraction:
    total = Fraction(0)
    for number in numbers:
        budget.spend(1, bits_of(total), bits_of(number))
        total += number
    return total


def _mixed(row: list[int], u: Fraction, up: int, budget: Budget, length: int) -> list[int]:
    """Return the means ``(1-u) row[i] + u row[i+1]`` of neighbours, rounded up if ``up`` is 1, otherwise down."""
    high, whole_of = u.numerator, u.denominator
    low, more = whole_of - high, up * (whole_of - 1)
    budget.spend_in_bulk(5 * len(row), length, whole_of.bit_length())
    return [(low * a + high * b + more) // whole_of for a, b in itertools.pairwise(row)]


def _split(row: list[int], u: Fraction, budget: Budget) -> tuple[list[int], list[int]]:
    """Return the Bernstein coefficients on [0, u] and on [u, 1], rounded up, by de Casteljau's algorithm."""
    length = max(map(int.bit_length, row))
    left, right = [row[0]], [row[-1]]
    while len(row) > 1:
        row = _mixed(row, u, 1, budget, length)
        left.append(row[0])
        right.append(row[-1])
    return left, right[::-1]


def _largest(t: list[list[list[Fraction]]], level: _Level, ends: list[Fraction], bits: int, budget: Budget) -> int:
    """Return the largest Bernstein coefficient of R on the cells, times 2^bits, rounded up."""
    given = [_risk(rows, level, bits, budget) for rows in t]
    # the mean over a is the polynomial with these coefficients at delta: the last entry of the left half
    row = [_split(list(column), level.delta, budget)[0][-1] for column in zip(*given, strict=True)]
    largest = 0
    for begin, end in itertools.pairwise(ends):
        left, row = _split(row, (end - begin) / (1 - begin), budget)
        largest = max(largest, *left)
    return largest


def _risk(rows: list[list[Fraction]], level: _Level, bits: int, budget: Budget) -> list[int]:
    """Return the n + 3 Bernstein coefficients on [0, 1] of the risk given a certain responses, rounded up."""
    certain, others, degree = len(rows) - 1, len(rows[0]) - 1, level.n + 2
    budget.spend(2 * degree, degree, degree)
    ways, totals = [comb(others, y) for y in range(others + 1)], [0] * (degree + 1)
    for c, t in enumerate(rows):
        size = max(map(bits_of, t))
        budget.spend(6 * len(t), 2 * size, 2 * size)
        squares = [x * x for x in t], [x * (x - 1) for x in t], [(x - 1) ** 2 for x in t]
        for k, values in enumerate(squares):  # times (1 - pi)^2, 2 pi (1 - pi), pi^2
            row = [ceil(value * 2**bits) for value in values]
            row = _split(row, level.shown(Fraction(0)), budget)[1]
            # the part from shown(0) to shown(1) of the interval from shown(0) to 1
            row = _split(row, (level.gamma - 1) / level.gamma, budget)[0]
            budget.spend_in_bulk(3 * len(row), max(map(int.bit_length, row)), 2 * degree)
            factor = comb(certain, c) * comb(2, k)
            for y, coefficient in enumerate(row):
                totals[c + k + y] += factor * ways[y] * coefficient
    return [-(-total // comb(degree, m)) for m, total in enumerate(totals)]


def _counts(start: int, chance: Fraction, steps: int, budget: Budget, length: int) -> list[int]:
    """Return ``start`` times the probabilities of 0, ..., steps successes, rounded down, by Pascal's triangle."""
    row = [start]
    for _ in range(steps):
        row = _mixed([0, *row, 0], 1 - chance, 0, budget, length)
    return row


def _bayes(support: list[Fraction], shares: list[Fraction], level: _Level, bits: int, budget: Budget) -> Fraction:
    """Return a lower bound of the Bayes risk, times 2^bits: smaller probabilities make each of its terms smaller."""
    scale = 1  # common denominator of the points
    for pi in support:
        budget.spend(1, scale.bit_length(), bits_of(pi))
        scale = lcm(scale, pi.denominator)
    length = bits + 2 * scale.bit_length()
    # sums of probabilities times pi^power for power 0, 1, 2, in multiples of scale^-power
    sums: list[list[int]] = [[], [], []]
    for pi, share in zip(support, shares, strict=True):
        law, shown = [], level.shown(pi)
        for a, certain in enumerate(_counts(int(share * 2**bits), level.delta, level.most, budget, bits)):
            for told in _counts(certain, pi, a, budget, bits):
                law += _counts(told, shown, level.n - a, budget, bits)
        budget.spend_in_bulk(4 * len(law), length, length)
        for power, total in enumerate(sums):
            factor = int(pi * scale) ** power
            terms = [chance * factor for chance in law]
            total[:] = map(int.__add__, total, terms) if total else terms
    budget.spend(4 * len(sums[0]), length, length)
    risk = sum((a * c - b * b) // a for a, b, c in zip(*sums, strict=True) if a)
    return Fraction(risk, scale**2)
