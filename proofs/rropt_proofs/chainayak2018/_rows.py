"""The claims in rows of Chai and Nayak (2018): each function returns (name, true value, sign, stated value)."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations, permutations
from typing import Any

from rropt.claims.claim import Row
from rropt_proofs._matrices import Numbers, Rows, gamma_diagonal, parity, product, solution, trace
from rropt_proofs.chainayak2018._paper import posterior, share
from rropt_proofs.chainayak2018._sufficiency import in_class

Places = tuple[int, ...]


def seen(P: Rows, alpha: Numbers, i: int) -> bool:
    """P_alpha(Z = d_i) > 0"""
    return bool(sum(a * x for a, x in zip(alpha, P[i], strict=True)) > 0)


def seen_prior(P: Rows, prior: Numbers, i: int) -> bool:
    """P_alpha(Z = d_i) > 0"""
    return seen(P, prior, i)


def _distribution(weights: Numbers) -> Numbers:
    return tuple(weight / sum(weights) for weight in weights)


def eq_1_2(P: Rows, alpha: Numbers, i: int, Q: Places, *, prior: bool = True) -> list[Row]:
    """By counting: a population in which every (category, response) has its exact share, seen at the response d_i."""
    row, alpha = P[i], _distribution(alpha)
    below = sum(a * x for a, x in zip(alpha, row, strict=True)) if prior else sum(row)
    stated = sum((alpha[j] * row[j] / below for j in Q), Fraction(0))
    return [("the posterior of Q", posterior(P, alpha, Q, i), "=", stated)]


def _posteriors(P: Rows, prior: Numbers, i: int, Q: Places) -> tuple[Fraction, Fraction]:
    """Return the posteriors of Q and of its complement, each from the joint distribution."""
    rest, alpha = tuple(j for j in range(len(prior)) if j not in Q), _distribution(prior)
    return posterior(P, alpha, Q, i), posterior(P, alpha, rest, i)


def definition_3_1(
    P: Rows,
    prior: Numbers,
    i: int,
    Q: Places,
    low: Fraction,
    at: Fraction,
    opposite: Fraction,
    *,
    turned: bool = False,
    more: Any = 0,
) -> list[Row]:
    """By how much the lower bound 1 - h(1 - p) is missed for Q; and at p = 0 and 1, where the posterior is p.

    h is low at 0, at at P(Q), opposite at 1 - P(Q), and 1 at 1.
    """
    own, other = _posteriors(P, prior, i, Q)
    return [
        (
            "1 - h(1 - P(Q)) less the posterior of Q, and (3.2) for the complement of Q",
            1 - opposite - own,
            "=",
            other - (at if turned else opposite),
        ),
        ("what is missing at P(Q) = 0 or 1, where (3.2) asks nothing", max(Fraction(0), -low), "<=", 0 - more),
    ]


def lemma_3_1(
    P: Rows,
    prior: Numbers,
    i: int,
    Q: Places,
    l1: Fraction,
    lp: Fraction,
    lq: Fraction,
    u0: Fraction,
    up: Fraction,
    uq: Fraction,
    *,
    upper: bool = False,
    more: Any = 0,
) -> list[Row]:
    """(2.2) by Definition 2.2 for Q and for its complement; and at P(Q) = 0 and 1, where the posterior is the prior.

    The values of h_l and h_u are those at 0, P(Q), 1 - P(Q) and 1; h_l(0) = 0 and h_u(1) = 1.
    """
    own, other = _posteriors(P, prior, i, Q)
    limits = (up, uq) if upper else (min(up, 1 - lq), min(uq, 1 - lp))
    ends = max(-u0, Fraction(0), l1 - 1)
    return [
        (
            "by how much Q exceeds its upper limit or its complement the lower one",
            max(own - up, lq - other),
            "=",
            own - limits[0],
        ),
        (
            "by how much the complement of Q exceeds its upper limit or Q the lower one",
            max(other - uq, lp - own),
            "=",
            other - limits[1],
        ),
        ("by how much P(Q) = 0 or 1 does, where (3.1) asks nothing", ends, "<=", 0 - more),
    ]


def uncertain(alpha: Numbers, Q: Places) -> bool:
    """0 < P_alpha(Q) < 1"""
    return bool(0 < sum((alpha[j] for j in Q), Fraction(0)) < 1)


def eq_3_6(P: Rows, alpha: Numbers, gamma: Fraction, i: int, Q: Places, *, wrong: bool = False) -> list[Row]:
    """The Bayes factor P(d_i | Q)/P(d_i | not Q); by how much it is at most gamma, and at least 1/gamma."""
    p, q = sum((alpha[j] for j in Q), Fraction(0)), posterior(P, alpha, Q, i)
    given = sum((alpha[j] * P[i][j] for j in Q), Fraction(0)) / p
    other = sum((alpha[j] * x for j, x in enumerate(P[i]) if j not in Q), Fraction(0)) / (1 - p)

    def bound(x: Any) -> Any:
        return gamma * x / (1 + (gamma - (0 if wrong else 1)) * x)

    return [
        (
            "Bayes factor r, as r/(1 + r)",
            given / (given + other),
            "=",
            q * (1 - p) / (q * (1 - p) + (1 - q) * p) + (1 if wrong else 0),
        ),
        (
            "h_gamma(p) less the posterior q, and (3.6) as gamma (1 - q) p - q (1 - p), up to a positive factor",
            gamma * (1 - q) * p - q * (1 - p),
            "=",
            (bound(p) - q) * (1 + (gamma - 1) * p),
        ),
        (
            "the same for the complement of Q, and gamma r - 1 for the Bayes factor r, up to a positive factor",
            (gamma * given - other) * p * (1 - p) / (given * p + other * (1 - p)),
            "=",
            (bound(1 - p) - (1 - q)) * (1 + (gamma - 1) * (1 - p)),
        ),
    ]


def has_parity(P: Rows, gamma: Fraction) -> bool:
    """eta(P) <= gamma, that is p_ij <= gamma p_il"""
    return all(x <= gamma * y for row in P for x in row for y in row)


def is_bounded(P: Rows, gamma: Fraction) -> bool:
    """p_ii <= gamma p_ij for all i and j"""
    return all(row[i] <= gamma * row[j] for i, row in enumerate(P) for j in range(len(P)) if j != i)


def theorem_4_4a(P: Rows, gamma: Fraction, excess: Fraction, k: int, *, more: int = 0) -> list[Row]:
    """The trace t, the least g >= 1 with t (g + k - 1) <= k g, and the bound for gamma."""
    found, larger = trace(P), gamma + excess
    least = max(Fraction(1), found * (k - 1) / (k - found)) if k > 1 else Fraction(1)
    return [
        ("the least gamma whose bound the trace meets", least, "<=", gamma - more),
        ("the trace", found, "<=", k * gamma / (gamma + k - 1 + more)),
        (
            "the bound, for a larger gamma",
            k * gamma / (gamma + k - 1),
            "<=",
            k * larger / (larger + k - 1 + more),
        ),
    ]


def in_class_of(P: Rows, gamma: Fraction) -> bool:
    """P is in C_gamma, gamma > 1"""
    return in_class(P, gamma)


def proposition_4_1(P: Rows, gamma: Fraction, *, more: int = 0) -> list[Row]:
    """The extreme rows of C_gamma, weighted so that the columns sum to 1, and the C with C P_W = P by elimination."""
    rays = ((gamma, Fraction(1)), (Fraction(1), gamma))
    weights = solution(tuple(zip(*rays, strict=True)), (Fraction(1), Fraction(1)))
    best = tuple(tuple(w * x for x in ray) for w, ray in zip(weights, rays, strict=True))
    kernel = tuple(solution(tuple(zip(*best, strict=True)), row) for row in P)
    built = product(kernel, best)
    errors = [abs(x - y) for left, right in zip(P, built, strict=True) for x, y in zip(left, right, strict=True)]
    sums = [sum(column, Fraction(0)) for column in zip(*kernel, strict=True)]
    stated = ((gamma / (gamma + 1), 1 / (gamma + 1)), (1 / (gamma + 1), gamma / (gamma + 1)))
    minor = best[0][0] * best[1][1] - best[0][1] * best[1][0]
    return [
        *((f"p{i + 1}{j + 1}", best[i][j], "=", stated[i][j] + more) for i in (0, 1) for j in (0, 1)),
        ("the parity of P_W", parity(best), "=", gamma + more),
        ("the minor p11 p22 - p12 p21 of P_W, not 0: no proportional rows", minor, ">", more),
        ("minus the least entry of the C with P = C P_W", -min(map(min, kernel)), "<=", -more),
        ("the largest difference of a column sum of C from 1", max(abs(x - 1) for x in sums), "=", more),
        ("the largest difference of an entry of C P_W from that of P", max(errors), "<=", -more),
    ]


def lemma_4_1(C: Rows, P: Rows, gamma: Fraction, i: int, j: int, other: int, *, part: Any = 0) -> list[Row]:
    """a_ij - gamma a_il, two entries of the product C P."""
    row = product(C, P)[i]
    return [("a_ij - gamma a_il", row[j] - gamma * row[other], "<=", (1 - gamma) * part * row[other])]


def sec_5_collapsing(cells: Places, p: Fraction, *, more: int = 0) -> list[Row]:
    """By the definitions; the posterior over all responses and all priors p, 1 - p on two categories."""
    rows = tuple(tuple(Fraction(int(cell == i)) for cell in cells) for i in range(max(cells) + 1))
    ratio, alone = parity(rows), max(cells) == 0
    pairs = [(row[j], row[other]) for row in rows for j, other in permutations(range(len(row)), 2)]
    largest = max(p * a / (p * a + (1 - p) * b) for a, b in pairs if a or b)
    loss = Fraction(1) if ratio == math.inf else 1 - 1 / Fraction(ratio)
    far = Fraction(int(not alone)) + more
    return [
        ("1 - 1/parity, 1 for infinite parity", loss, "=", far),
        (
            "the largest difference of two response probabilities: 0 for a response that is independent of the truth",
            max(a - b for a, b in pairs),
            "=",
            far,
        ),
        ("largest posterior probability of a category of prior p", largest, "=", (p if alone else 1) + more),
    ]


def sec_1_construction(eta: Fraction, m: int, k: int, *, more: int = 0) -> list[Row]:
    """The m x k matrix as printed, its column sums and its parity by Definition 1.3."""
    made = gamma_diagonal(eta, m, k)
    totals = [sum(column, Fraction(0)) for column in zip(*made, strict=True)]
    return [
        ("least column sum", min(totals), "=", 1 + more),
        ("largest column sum", max(totals), "=", 1 + more),
        ("parity", parity(made), "=", eta + more),
    ]


def two_places(j: int, other: int) -> bool:
    """two categories"""
    return j != other


def exceeded(P: Rows, rho1: Fraction, rho2: Fraction, i: int, j: int, other: int) -> bool:
    """not (1.6): the ratio of the two entries exceeds its right side; 0/0 = 1, and a/0 is infinite"""
    return P[i][j] > 0 and rho1 * (1 - rho2) * P[i][j] > rho2 * (1 - rho1) * P[i][other]


def theorem_1_1_necessary(
    P: Rows, rho1: Fraction, rho2: Fraction, i: int, j: int, other: int, k: int, *, less: Any = 1
) -> list[Row]:
    """An explicit prior on two categories, and the posterior of one by the joint distribution."""
    a, b = P[i][j], P[i][other]
    p = (rho2 * b / (rho2 * b + (1 - rho2) * a) + rho1) / 2  # half way to the prior at which the posterior is rho2
    alpha = tuple(p if c == j else 1 - p if c == other else Fraction(0) for c in range(k))
    return [
        ("prior", sum((alpha[c] for c in (j,)), Fraction(0)), "<", rho1 * less),
        ("posterior", posterior(P, alpha, (j,), i), ">", rho2 / less),
    ]


def remark_4_2(P: Rows, order: Places, u: int, j: int, *, more: int = 0) -> list[Row]:
    """A = C P for the matrix C of a permutation, and the transpose of C times A."""
    size = range(len(order))
    c = tuple(tuple(Fraction(int(order[i] == other)) for other in size) for i in size)
    made, back = product(c, P), tuple(zip(*c, strict=True))
    return [
        ("(i) eta/(1 + eta), 1 for eta infinite", share(parity(made)), "=", share(parity(P)) + more),
        ("(ii) an entry of P = C^-1 A, C^-1 the transpose of C", product(back, made)[u][j], "=", P[u][j] + more),
        ("(ii) a column sum of C^-1", sum(c[u], Fraction(0)), "=", 1 + more),
    ]


def definition_1_3(P: Rows, i: int, *, positive: bool = False, more: int = 0) -> list[Row]:
    """One over the parity, 0 for an infinite one, by the first expression of (1.5): pairs of entries, without 0/0."""
    inverse = [min(y / x for x in row for y in row if x > 0) for row in P]
    own = [x for x in P[i] if x > 0 or not positive]
    return [
        ("one over the parity of a row", inverse[i], "=", min(own) / max(own)),
        ("one over the parity of P", min(inverse), "=", min(min(row) / max(row) for row in P) + more),
        ("that, as parity >= 1 has it", min(inverse), "<=", 1 - more),
        ("the parity is finite", min(inverse) > 0, "=", all(x > more for row in P for x in row)),
    ]


def no_zero_row(P: Rows) -> bool:
    """each row of P contains at least one nonzero element"""
    return all(any(x > 0 for x in row) for row in P)


def definition_2_1(P: Rows, S: Places, j: int, other: int, gamma: Fraction, *, more: Any = 0) -> list[Row]:
    """P(S | c_j) - gamma P(S | c_l) for a set of responses."""
    found = sum((P[i][j] - gamma * P[i][other] for i in S), Fraction(0))
    return [("P(S | c_j) - gamma P(S | c_l)", found, "<=", -more)]


def theorem_4_4b(P: Rows, gamma: Fraction, i: int, j: int, k: int, *, more: int = 0) -> list[Row]:
    """How far a diagonal entry and another one are from those of P_0, and the trace of P_0."""
    total = gamma + k - 1
    gap = k * gamma - total * trace(P)
    far = (gamma + k - 2) * gap / ((gamma - 1) * total)
    beside = abs(P[i][j] - 1 / total) if i != j else Fraction(0)
    return [
        ("how far a diagonal entry is from that of P_0", abs(P[i][i] - gamma / total), "<=", far - more),
        ("how far another entry is, times gamma", gamma * beside, "<=", gap + far - more),
        ("the trace of P_0", trace(gamma_diagonal(gamma, k, k)), "=", k * gamma / total + more),
    ]


def _symmetric(above: Numbers, k: int) -> Rows:
    """Return the symmetric matrix with these entries above its diagonal, whose columns sum to 1."""
    entries = dict(zip(combinations(range(k), 2), above, strict=True))
    beside = [[entries.get((min(i, j), max(i, j)), Fraction(0)) for j in range(k)] for i in range(k)]
    return tuple(
        tuple(1 - sum(row, Fraction(0)) if i == j else x for j, x in enumerate(row)) for i, row in enumerate(beside)
    )


def _form(P: Rows, vector: Numbers) -> Any:
    return sum((x * y * P[u][v] for u, x in enumerate(vector) for v, y in enumerate(vector)), Fraction(0))


def symmetric_at_level(above: Numbers, gamma: Fraction, k: int) -> bool:
    """P is a symmetric TPM, k p_jj >= 1 as for each positive semidefinite one, and its parity is at most gamma"""
    P = _symmetric(above, k)
    return all(k * P[j][j] >= 1 for j in range(k)) and is_bounded(P, gamma)


def sec_4_condition_number(above: Numbers, gamma: Fraction, i: int, j: int, k: int, *, more: int = 0) -> list[Row]:
    """Quotients x'P x/x'x at e_j - (1/k, ..., 1/k), which the least eigenvalue does not exceed; the entries of P."""
    P, size = _symmetric(above, k), range(k)
    vector = tuple(int(place == j) - Fraction(1, k) for place in size)
    square = _form(P, vector)
    second, best = (gamma - 1) / (gamma + k - 1), gamma_diagonal(gamma, k, k)
    least = (k * min(P[u][u] for u in size) - 1) / (k - 1)
    return [
        ("P times the vector of ones", sum(P[i], Fraction(0)), "=", 1 + more),
        (
            "the quotient at e_j - (1/k, ..., 1/k)",
            square / sum(x * x for x in vector),
            "=",
            (k * P[j][j] - 1) / (k - 1) + more,
        ),
        ("the least of these quotients", least, "<=", second - more),
        (
            "how far an entry is from that of P_0",
            abs(P[i][j] - best[i][j]),
            "<=",
            (second - least) * (k - 1) ** 2 / k - more,
        ),
        ("the eigenvalue of P_0 at e_1 - e_2", best[0][0] - best[0][1], "=", second + more),
        ("the eigenvalue of P_0 at the vector of ones", sum(best[0], Fraction(0)), "=", 1 + more),
    ]


def _apart(row: Numbers, r: Any) -> Any:
    """How far a number is from the Bayes factors that a row of positive entries leads to.

    For a property Q they are the quotients of a weighted mean of the entries in Q and one of those outside, whose
    weights are free at every prior 0 < p < 1: all numbers from the least quotient to the largest.
    """
    places = range(len(row))
    sides = [
        ([row[j] for j in Q], [row[j] for j in places if j not in Q])
        for size in range(1, len(row))
        for Q in combinations(places, size)
    ]
    return min(max(min(a) / max(b) - r, r - max(a) / min(b), Fraction(0)) for a, b in sides)


def is_positive(P: Rows) -> bool:
    """P is positive: its parity is finite"""
    return all(x > 0 for row in P for x in row)


def has_finite_parity(P: Rows) -> bool:
    """the parity of P is a number gamma > 1"""
    return is_positive(P) and any(x > y for row in P for x in row for y in row)


def _between(gamma: Any, part: Fraction) -> Any:
    return 1 / gamma + (gamma - 1 / gamma) * part


def sec_3_region_by_parity(P: Rows, part: Fraction, *, far: int = 1) -> list[Row]:
    """The least and the largest Bayes factor, and how far one between 1/gamma and gamma is from the attained ones."""
    gamma = max(max(row) / min(row) for row in P)
    r = _between(gamma, part)
    return [
        ("the largest Bayes factor", max(x / y for row in P for x, y in permutations(row, 2)), "=", gamma * far),
        ("how far r is from the attained Bayes factors", min(_apart(row, r) for row in P), "=", far - 1),
    ]


def sec_3_precise(P: Rows, part: Fraction, k: int, *, one: bool = False, far: int = 1) -> list[Row]:
    """The same for P, where its parity is in the range, and for the gamma-diagonal matrix."""
    ratio = parity(P)
    meant = ratio < math.inf and (one or ratio > 1)
    gamma = Fraction(ratio) if meant else Fraction(2)
    r, other = _between(gamma, part), gamma_diagonal(gamma, k, k)
    own = min(_apart(row, r) for row in P) if meant else Fraction(0)
    return [
        ("gamma of the boundaries is in the stated range", meant, "=", far == 1),
        ("how far r is from the attained Bayes factors", own, "=", far - 1),
        ("the parity of the gamma-diagonal matrix", parity(other), "=", gamma * far),
        ("how far r is from the Bayes factors that it attains", min(_apart(row, r) for row in other), "=", far - 1),
    ]


def lemma_6_1(B: Rows, s: Numbers, x: Numbers, *, more: int = 0) -> list[Row]:
    """What B P = P leaves of the squares of the differences of x: in row i of P the sum s_i and an entry x_i s_i."""
    squares = left = Fraction(0)
    for row, own, y in zip(B, s, x, strict=True):
        squares += sum(b * total * (z - y) ** 2 for b, total, z in zip(row, s, x, strict=True))
        whole = sum(b * total for b, total in zip(row, s, strict=True)) - own
        entry = sum(b * total * z for b, total, z in zip(row, s, x, strict=True)) - own * y
        left += y**2 * whole - 2 * y * entry
    return [("the sum of b_iu s_u (x_u - x_i)^2", squares, "=", left + more)]
