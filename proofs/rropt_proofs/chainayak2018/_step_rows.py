"""The claims in rows of Chai and Nayak (2018) on the steps of proofs, on merging, and on identifiability."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import cache
from itertools import combinations
from itertools import product as pairs
from typing import Any, cast

import sympy as sp
from flint import fmpq_mat

from rropt.claims import Domain
from rropt.claims.claim import Row
from rropt.claims.outcomes import value_text
from rropt.claims.positivity import Hypothesis, prove_identity, prove_positive
from rropt.core.certificates import Certificate
from rropt.core.exact.flint_numbers import flint_matrix, fractions_of
from rropt.designs.orders import merge_proportional_rows
from rropt.mechanisms import Mechanism
from rropt.mechanisms.left_inverse import consistent_solution
from rropt_proofs._matrices import Numbers, Rows, identity, is_tpm, matrix, parity, product, row_parity, text
from rropt_proofs.chainayak2018._paper import MATRICES, draw_matrix
from rropt_proofs.chainayak2018._sufficiency import (
    equivalent,
    garbles,
    has_full_row_rank,
    has_proportional_rows,
    in_class,
    proportional,
)
from rropt_proofs.chainayak2018._sufficiency_members import draw_member, random_tpm

Case = dict[str, Any]
Certificates = tuple[tuple[str, Certificate], ...]
ZERO, ONE = Fraction(0), Fraction(1)


def _left_out(rows: Rows) -> Rows:
    """Return a basis of the v with P v = 0."""
    basis, count = flint_matrix(rows).numer_denom()[0].nullspace()
    found = [[int(basis[i, j]) for i in range(len(rows[0]))] for j in range(count)]
    return tuple(tuple(Fraction(x, next(filter(None, v))) for x in v) for v in found)


# Remark 4.1: proportional rows may be merged


def _draw_merged(rng: random.Random) -> Rows:
    """P*, perhaps with two proportional rows in its turn."""
    rows = random_tpm(rng.randint(2, 3), rng.randint(2, 3), rng, least=rng.randint(0, 1))
    if rng.random() < 0.5:
        share = Fraction(rng.randint(1, 5), 6)
        rows = (tuple(share * x for x in rows[0]), tuple((1 - share) * x for x in rows[0]), *rows[1:])
    return rows


MERGED = Domain(
    "P*, a TPM, m - 1 >= 2 rows",
    (
        matrix("3/4 3/8; 1/4 5/8"),
        matrix("1 0; 0 1"),
        matrix("1/2 1/2; 1/2 1/2"),
        matrix("2/3 1/3; 1/3 2/3"),
        matrix("1 1; 0 0"),  # a zero row
    ),
    _draw_merged,
    entries={(): "x >= 0"},
)
ROW_AND_COLUMN = Domain(
    "the numbers of a row and of a column", ((0, 0), (1, 1)), lambda rng: (rng.randint(0, 5), rng.randint(0, 5))
)


def merged_tpm(merged: Rows) -> bool:
    """P*, and so A, is a TPM without zero rows"""
    return is_tpm(merged) and all(map(any, merged))


def blocks(rows: Rows, top: str) -> Rows:
    """Return the blocks ``top`` and I of order m - 2 on the diagonal, zeros elsewhere."""
    head, rest = matrix(top), identity(len(rows) - 2)
    return (*(row + (ZERO,) * len(rest) for row in head), *((ZERO,) * len(head[0]) + row for row in rest))


PRINTED, SHORTER = "1 1; 0 0", "1 1"  # the first rows of C*: as printed, and without the row of zeros


def _all_merged(rows: Rows) -> tuple[Rows, Rows, list[list[int]]]:
    """Return P, whose rows are sums of proportional rows; C with the share of each row in its sum; and the classes."""
    classes: list[list[int]] = []
    for i, row in enumerate(rows):
        own = next((each for each in classes if proportional(rows[each[0]], row)), None)
        if own is None:
            classes.append([i])
        else:
            own.append(i)
    sizes = [sum(row, ZERO) for row in rows]
    totals = [sum((sizes[i] for i in each), ZERO) for each in classes]
    shares = tuple(
        tuple(sizes[i] / total if i in each else ZERO for each, total in zip(classes, totals, strict=True))
        for i in range(len(rows))
    )
    return (
        product(tuple(tuple(Fraction(i in each) for i in range(len(rows))) for each in classes), rows),
        shares,
        classes,
    )


def _minor(left: Numbers, right: Numbers) -> Fraction:
    """The minor of order 2 that is furthest from 0."""
    return max((left[i] * right[j] - left[j] * right[i] for i, j in combinations(range(len(left)), 2)), key=abs)


def remark_4_1(
    merged: Rows, delta: Fraction, place: tuple[int, int], *, zero_row: bool = True, swapped: bool = False, off: int = 0
) -> list[Row]:
    """A and P* themselves against C P* and C* A; equivalence by linear programs; and with all proportional rows merged.

    The first two rows of A are delta and 1 - delta times their sum, the first row of P*.
    """
    rows = (tuple(delta * x for x in merged[0]), tuple((1 - delta) * x for x in merged[0]), *merged[1:])
    i, j, any_row = 1 + place[0] % (len(merged) - 1), place[1] % len(merged[0]), place[0] % len(rows)
    share = sum(rows[0]) / (sum(rows[0]) + sum(rows[1]))
    splitting = blocks(rows, f"{share}; {1 - share}")
    back, found = product(splitting, merged), product(blocks(rows, PRINTED if zero_row else SHORTER), rows)
    last, shares, classes = _all_merged(rows)
    own = next(n for n, each in enumerate(classes) if any_row in each)
    apart = min((_minor(*pair) ** 2 for pair in combinations(last, 2)), default=ONE)
    one_by_one = merge_proportional_rows(Mechanism(rows)).mechanism.matrix
    if not equivalent(rows, merged) or not equivalent(rows, last) or sorted(one_by_one) != sorted(last):
        raise ArithmeticError("what is merged is equivalent by one route and not by another")
    column = [row[0] for row in splitting]
    first, second = (1, 0) if swapped else (0, 1)
    return [
        ("first row of A = C P*", rows[0][j], "=", back[first][j]),
        ("second row of A = C P*", rows[1][j], "=", back[second][j]),
        ("another row of A = C P*", rows[i + 1][j], "=", back[i + 1][j] + off),
        ("first row of P* = C* A", merged[0][j], "=", found[0][j] + off),
        ("another row of P* = C* A", merged[i][j], "=", found[i][j] + off),
        ("the number of rows of C* A", len(merged), "=", len(found) + off),
        ("the first column of C sums to 1", sum(column, ZERO), "=", 1 + off),
        ("the least entry of that column", min(column[:2]), ">", off),
        ("all merged: an entry of A = C P", product(shares, last)[any_row][j], "=", rows[any_row][j] + off),
        ("all merged: a column sum of that C", sum((row[own] for row in shares), ZERO), "=", ONE + off),
        ("all merged: the largest squared minor of two rows of P, of those with the least", apart, ">", off),
    ]


def remark_4_1_working(merged: Rows, delta: Fraction) -> str:
    """A, the printed C*, and their product, with P*."""
    rows = (tuple(delta * x for x in merged[0]), tuple((1 - delta) * x for x in merged[0]), *merged[1:])
    merging = blocks(rows, PRINTED)
    return (
        f"A = {text(rows)} has {len(rows)} rows and P* = {text(merged)} has {len(merged)}\n"
        f"C* as printed is {text(merging)}, with a row of zeros, and C* A = {text(product(merging, rows))}"
    )


# Lemma 6.1, its proof: identical columns do not make identical rows

RANK, COLUMNS, ROWS, CONTRADICTION, BLOCK_RANK, BLOCK, NONSINGULAR, NOTHING = (
    "B irreducible: rank(B - I) = m - 1",
    "B irreducible: all columns of P are identical",
    "B irreducible: all rows of P are identical",
    "B irreducible: P has proportional rows, a contradiction",
    "(i) L = 0: rank(R - I) = s - 1",
    "(i) L = 0: all rows of P_s are the same",
    "(ii) L is not 0: R - I is nonsingular",
    "(ii) L is not 0: P_s = 0",
)
KIND = {
    **dict.fromkeys((RANK, COLUMNS, ROWS, CONTRADICTION), "whole"),
    **dict.fromkeys((BLOCK_RANK, BLOCK), "L = 0"),
    **dict.fromkeys((NONSINGULAR, NOTHING), "L not 0"),
}


def _irreducible(rows: Rows) -> bool:
    """Whether there is a path between any two states."""
    size = len(rows)
    reached = [{u for u in range(size) if rows[u][j] or u == j} for j in range(size)]
    for _ in range(size):
        reached = [set().union(*(reached[u] for u in found)) for found in reached]
    return all(len(found) == size for found in reached)


def _reduced(rows: Rows) -> list[list[Fraction]]:
    return [[x - int(i == j) for j, x in enumerate(row)] for i, row in enumerate(rows)]


def _stationary(rows: Rows) -> Numbers:
    """The distribution v with B v = v of an irreducible B."""
    found = consistent_solution([*_reduced(rows), [ONE] * len(rows)], [*[ZERO] * len(rows), ONE])
    assert found is not None
    return found


def _draw_irreducible(rng: random.Random, size: int) -> Rows:
    while True:
        rows = random_tpm(size, size, rng)
        if _irreducible(rows):
            return rows


def _beside(block: Rows, shares: Numbers) -> Case:
    """B = diag(1, R), and P whose columns mix the distributions that B leaves fixed: ``shares`` of R, the rest of 1."""
    whole = ((ONE, *(ZERO,) * len(block)), *((ZERO, *row) for row in block))
    below = tuple(tuple(v * share for share in shares) for v in _stationary(block))
    return {"B": whole, "P": (tuple(1 - share for share in shares), *below), "R": block, "t": 1, "kind": "L = 0"}


def _between(block: Rows, shares: Numbers, last: Rows) -> Case:
    """B = diag(1, R, N): as above, the rest shared between 1 and N, so that a block N stands below R."""
    case, size = _beside(block, shares), len(last)
    wide = tuple((*row, *(ZERO,) * size) for row in case["B"])
    below = tuple((*(ZERO,) * len(case["B"]), *row) for row in last)
    rest = tuple(x / 2 for x in case["P"][0])
    tail = tuple(tuple(v * x for x in rest) for v in _stationary(last))
    return {**case, "B": (*wide, *below), "P": (rest, *case["P"][1:], *tail)}


def _whole(rows: Rows, k: int = 2) -> Case:
    """B irreducible; B P = P leaves one P: the stationary distribution in every column."""
    return {"B": rows, "P": tuple((v,) * k for v in _stationary(rows)), "R": rows, "t": 0, "kind": "whole"}


def _draw_fixed(rng: random.Random) -> Case:
    kind = rng.choice(tuple(KIND.values()))
    block = _draw_irreducible(rng, rng.randint(2, 3))
    k = rng.randint(2, 3)
    if kind == "L = 0":
        shares = tuple(Fraction(rng.randint(1, 5), 6) for _ in range(k))
        return _beside(block, shares) if rng.random() < 0.5 else _between(block, shares, _draw_irreducible(rng, 2))
    if kind == "L not 0":  # a last row takes a part of the first column of R
        part = Fraction(1, rng.randint(2, 5))
        shrunk = tuple((row[0] * (1 - part), *row[1:]) for row in block)
        last = (part, *(ZERO,) * (len(block) - 1), ONE)
        below = (*((ZERO,) * k for _ in block), (ONE,) * k)
        return {"B": (*((*row, ZERO) for row in shrunk), last), "P": below, "R": shrunk, "t": 0, "kind": kind}
    return _whole(block, k)


FIXED = Domain(
    "TPMs with B P = P, and the block R of B after t states; L is the block below R",
    (
        _whole(matrix("0 1; 1 0")),
        _whole(matrix("0 1/2; 1 1/2")),
        _whole(matrix("0 0 1/2; 1 0 1/2; 0 1 0")),
        _beside(matrix("0 1; 1 0"), (Fraction(1, 2), Fraction(1, 3))),
        _beside(matrix("0 1/2; 1 1/2"), (Fraction(1, 2), Fraction(1, 3))),
        _between(matrix("0 1/2; 1 1/2"), (Fraction(1, 2), Fraction(1, 3)), matrix("0 1; 1 0")),
    ),
    _draw_fixed,
)
FIXED_STEPS = Domain.values("the step", *KIND)


def step_of_case(case: Case, step: str) -> bool:
    """the step speaks of this case"""
    return bool(KIND[step] == case["kind"])


def leaves_fixed(case: Case) -> bool:
    """B and P are TPMs with B P = P, m >= 2"""
    b, p = case["B"], case["P"]
    return is_tpm(b) and is_tpm(p) and len(b) >= 2 and product(b, p) == p


def irreducible_block(case: Case) -> bool:
    """R is irreducible"""
    return _irreducible(case["R"])


def lemma_6_1_proof(case: Case, step: str, *, same: bool = True, singular: bool = False) -> list[Row]:
    """The step by exact linear algebra; rows that the step calls the same are compared entry by entry.

    In the corrected form the rows are proportional in place of equal.
    """
    rows, size = case["P"], len(case["R"])
    block = rows[case["t"] : case["t"] + size]
    if step in (RANK, BLOCK_RANK, NONSINGULAR):
        found = bool(flint_matrix(_reduced(case["R"])).rank() == (size if step == NONSINGULAR else size - 1))
    elif step == COLUMNS:
        found = len(set(zip(*rows, strict=True))) == 1
    elif step == CONTRADICTION:
        found = has_proportional_rows(rows)
    elif step == NOTHING:
        found = not any(map(any, block))
    else:
        found = len(set(block)) == 1 if same else all(proportional(block[0], row) for row in block)
    return [("the step is true", found, "=", not singular or step != NONSINGULAR)]


def lemma_6_1_working(case: Case) -> str:
    """B P, and the rows in question."""
    rows, b = case["P"], case["B"]
    block = rows[case["t"] : case["t"] + len(case["R"])]
    return (
        f"B = {text(b)}, P = {text(rows)}: B P = {text(product(b, rows))} = P\nthe rows {text(block)} are not the "
        f"same, but proportional: the first is {block[0][0] / block[1][0]} times the second"
    )


@cache
def fixed_point_certificates() -> Certificates:
    """Return the identities behind B P = P => B = I, and that a column t (x, y) with x + y = 1 sums to t.

    For B P = P, s_i = sum_j p_ij > 0 and x_i = p_ij / s_i for one j: sum_{i,u} b_iu s_u (x_u - x_i)^2 = 0.
    """
    b, p, q, s, t, x, y = sp.symbols("b p q s t x y")  # b_iu; p = p_uj, s = s_u; q = p_ij, t = s_i
    term = b * p**2 / s - 2 * (q / t) * (b * p) + (q / t) ** 2 * (b * s)
    found = [("one term of the sum", prove_identity(b * s * (p / s - q / t) ** 2, term))]
    for m in (2, 3, 4):
        weights, values = sp.symbols(f"s1:{m + 1}"), sp.symbols(f"x1:{m + 1}")
        free = [[sp.Symbol(f"b{i + 1}{u + 1}") for u in range(m)] for i in range(m)]
        full = [
            [free[i][u] if i != u else 1 - sum(free[v][u] for v in range(m) if v != u) for u in range(m)]
            for i in range(m)
        ]
        energy = sum(full[i][u] * weights[u] * (values[u] - values[i]) ** 2 for i, u in pairs(range(m), repeat=2))
        excess = [  # of (B P)_ij over p_ij, and of (B s)_i over s_i
            (
                sum(full[i][u] * weights[u] * values[u] for u in range(m)) - weights[i] * values[i],
                sum(full[i][u] * weights[u] for u in range(m)) - weights[i],
            )
            for i in range(m)
        ]
        vanishing = sum(-2 * values[i] * one + values[i] ** 2 * two for i, (one, two) in enumerate(excess))
        found.append((f"the sum is a combination of B P - P and B s - s, m = {m}", prove_identity(energy, vanishing)))
    column = prove_identity(t * x + t * y, t, [x + y - 1])
    return (*found, ("a column t (x, y) with x + y = 1 sums to t, which is 1", column))


# Lemma 4.2, its proof: the construction, and the step from a nonsingular C to a unique D

BUILT, PROPORTIONAL, INVERSE, UNIQUE, NONE = (
    "P = C A is a TPM with eta(P) <= gamma, and C is not one",
    "P is in C_gamma: it has no proportional rows",
    "C^-1",
    "C is the only D with P = D A",
    "no TPM D has P = D A",
)


def _case(gamma: str, rows: str, xi: str) -> Case:
    return {"gamma": Fraction(gamma), "A": matrix(rows), "xi": Fraction(xi)}


def _largest_step(rows: Rows, gamma: Fraction) -> Fraction:
    """The largest xi - 1 for which row 1 minus (xi - 1) row 2 still has parity at most gamma."""
    first, second = rows[0], rows[1]
    bounds = [
        (gamma * first[j] - first[i]) / (gamma * second[j] - second[i])
        for i, j in pairs(range(len(first)), repeat=2)
        if gamma * second[j] > second[i]
    ]
    return min(bounds)


def _draw_built(rng: random.Random) -> Case:
    """A member with a row of intermediate parity first, and a row that falls where it rises second."""
    for _ in range(100):
        member = draw_member(rng, ("garbled", "slack", "constant"))
        rows, gamma = member["P"], member["gamma"]
        if rng.random() < 0.3:
            gamma += 1
        first = next((row for row in rows if 1 < row_parity(row) < gamma), None)
        if first is None or not in_class(rows, gamma):
            continue
        high, low = first.index(max(first)), first.index(min(first))
        order = [high, low, *(j for j in range(len(first)) if j not in (high, low))]
        second = next(row for row in rows if row[high] < row[low])
        others = [row for row in rows if row not in (first, second)]
        arranged = tuple(tuple(row[j] for j in order) for row in (first, second, *others))
        step = _largest_step(arranged, gamma) * Fraction(rng.randint(1, 4), 4)
        return {"gamma": gamma, "A": arranged, "xi": 1 + step}
    return _case("3", "3/5 2/5; 2/5 3/5", "11/10")


BUILDING = Domain(
    "gamma > 1, A with 1 < a_11/a_12 = eta_1 < gamma and a_21 < a_22, and xi > 1",
    (
        _case("3", "3/5 2/5; 2/5 3/5", "11/10"),
        _case("3", "3/5 2/5; 2/5 3/5", "5/4"),
        _case("3", "1/2 1/4; 1/4 1/2; 1/4 1/4", "6/5"),  # three rows, two columns: dependent
        _case("4", "1/5 1/10; 1/2 4/5; 3/10 1/10", "20/19"),  # the first and third row of P proportional
        _case("4", "1/5 1/10; 1/2 4/5; 3/10 1/10", "21/20"),
        _case("3", "1/2 1/4 1/4; 1/4 1/2 1/4; 1/4 1/4 1/2", "9/8"),
        _case("2", "2/3 1/3; 1/3 2/3", "9/8"),  # parity gamma already: not of the kind
    ),
    _draw_built,
)
BUILDING_STEPS = Domain.values("the step", BUILT, PROPORTIONAL, INVERSE, UNIQUE, NONE)


def _corner(m: int, top: tuple[Numbers, Numbers]) -> Rows:
    """The identity of order m with this block in its first two rows and columns."""
    rows = [list(row) for row in identity(m)]
    for i, j in pairs(range(2), repeat=2):
        rows[i][j] = top[i][j]
    return tuple(map(tuple, rows))


def _kernel(case: Case) -> Rows:
    """C: p_1 = a_1 + (1 - xi) a_2, p_2 = xi a_2."""
    return _corner(len(case["A"]), ((ONE, 1 - case["xi"]), (ZERO, case["xi"])))


def member_to_build(case: Case) -> bool:
    """A is in C_gamma"""
    return in_class(case["A"], case["gamma"])


def prepared(case: Case) -> bool:
    """1 < eta_1 = a_11/a_12 < gamma and a_21 < a_22"""
    first, second = case["A"][:2]
    ends = first[0] == max(first) and first[1] == min(first) and second[0] < second[1]
    return bool(ends and 1 < row_parity(first) < case["gamma"])


def private_step(case: Case) -> bool:
    """xi > 1 keeps P a TPM of parity at most gamma"""
    built = product(_kernel(case), case["A"])
    return bool(case["xi"] > 1 and is_tpm(built) and parity(built) <= case["gamma"])


def _to_avoid(rows: Rows) -> set[Fraction]:
    """The xi at which a_1 + (1 - xi) a_2 is proportional to a row a_i, i >= 3: at most one for each."""
    found = set()
    (a, b, *_), (c, d, *_) = rows[0], rows[1]
    for third in rows[2:]:
        e, f = third[0], third[1]
        if c * f == d * e:
            continue  # proportional to a_2 in the first two entries, to which a_1 is not: never
        xi = 1 + (a * f - b * e) / (c * f - d * e)
        moved = [x + (1 - xi) * y for x, y in zip(rows[0], rows[1], strict=True)]
        if all(x * third[0] == moved[0] * y for x, y in zip(moved, third, strict=True)):
            found.add(xi)
    return found


def lemma_4_2_proof(case: Case, step: str, *, printed: bool = True, turned: bool = False) -> list[Row]:
    """The printed C and P = C A, their inverse by elimination, and every garbling by exact linear programs.

    In the corrected form P is in C_gamma unless xi is one of finitely many, and C is the only D if and only if the rows
    are independent.
    """
    rows, kernel, xi = case["A"], _kernel(case), case["xi"]
    built, found, stated = product(kernel, rows), cast(Any, None), cast(Any, True)
    if step == BUILT:
        found, stated = is_tpm(built) and parity(built) <= case["gamma"] and not is_tpm(kernel), True
    elif step == PROPORTIONAL:
        found, stated = not has_proportional_rows(built), printed or xi not in _to_avoid(rows)
    elif step == INVERSE:
        found = fractions_of(flint_matrix(kernel).inv())
        stated = _corner(len(rows), ((ONE, 1 - xi if turned else 1 - 1 / xi), (ZERO, 1 / xi)))
    elif step == UNIQUE:
        found = not _left_out(tuple(zip(*rows, strict=True)))  # no y with y A = 0
        stated = printed or has_full_row_rank(rows)
    else:
        found, stated = not garbles(rows, built), True
    return [("the step", found, "=", stated)]


def lemma_4_2_working(case: Case, step: str) -> str:
    """C, P, and either another D or the two proportional rows."""
    rows, kernel = case["A"], _kernel(case)
    built = text(product(kernel, rows))
    lines = f"xi = {case['xi']}: C = {text(kernel)}, P = C A = {built}"
    if step == PROPORTIONAL:
        return f"{lines}\ntwo rows of P are proportional, so P is not in C_gamma: this xi has to be avoided"
    y = _left_out(tuple(zip(*rows, strict=True)))[0]
    other = (tuple(c + n for c, n in zip(kernel[0], y, strict=True)), *kernel[1:])
    return (
        f"{lines}\ny = {value_text(y)} has y A = 0\nadded to the first row of C: D = {text(other)}, and D A = "
        f"{text(product(other, rows))} = P as well\n(no such D is a TPM, so the conclusion is right: Theorem 4.1)"
    )


def building_certificates() -> Certificates:
    """Return what the steps need of two rows: columns of P, A = C^-1 P, signs, and Cramer's rule."""
    xi, a, b, d, c, e, f = sp.symbols("xi a b d c e f")
    slack = [Hypothesis(xi - 1, strict=True), Hypothesis(xi, strict=True)]
    cramer = prove_identity(d * (a * c - b * f), c * (d * a + e * f) - f * (d * b + e * c))
    return (
        ("columns of P", prove_identity((a + (1 - xi) * b) + xi * b, a + b)),
        ("A = C^-1 P, first row", prove_identity((a + (1 - xi) * b) + (1 - 1 / xi) * (xi * b), a)),
        ("1 - 1/xi >= 0, times xi^2", prove_positive(sp.expand(xi * (xi - 1)), slack, degree=2)),
        ("C has a negative entry", prove_positive(-(1 - xi), slack, strict=True, degree=1)),
        ("two independent rows: D - C = (d, e) with (d, e) A = 0 is 0, by Cramer", cramer),
    )


# Section 1: linearly dependent columns leave pi unidentifiable

MATRIX = Domain(
    "a transition probability matrix, m x k",
    (
        *MATRICES,
        matrix("1/2 1/2 1/2; 1/2 1/2 1/2"),
        matrix("2/3 2/3 1/3; 1/3 1/3 2/3; 0 0 0"),
        matrix("1/2 1/3 5/12; 1/4 1/3 7/24; 1/4 1/3 7/24"),
    ),
    draw_matrix,
)


def _two_populations(P: Rows) -> bool:
    """Whether two distributions with the same lambda are found: the uniform one, moved by a v with P v = 0, v != 0."""
    k = len(P[0])
    for v in _left_out(P)[:1]:
        size = 1 / (k * max(map(abs, v)))
        first = [Fraction(1, k)] * k
        second = [a + size * x for a, x in zip(first, v, strict=True)]
        seen = [[sum((x * y for x, y in zip(row, pi, strict=True)), ZERO) for row in P] for pi in (first, second)]
        return min(second) >= 0 and sum(second) == 1 and first != second and seen[0] == seen[1]
    return False


def sec_1_identifiability(P: Rows, *, fewer: bool = False, case: bool = True) -> list[Row]:
    """Two population distributions with the same lambda, constructed; or a matrix that recovers pi from lambda.

    The statement: the Gram determinant det(P'P), which is the sum of the squares of all k x k minors, is 0.
    """
    k, p = len(P[0]), flint_matrix(P)
    gram = p.transpose() * p
    pair, units = _two_populations(P), fmpq_mat([[int(i == j) for j in range(k)] for i in range(k)])
    recovers = gram.det() != 0 and bool(gram.inv() * p.transpose() * p == units)
    dependent = len(P) < k if fewer else gram.det() == 0
    return [
        ("two pi with one lambda", pair, "=", dependent),
        ("lambda determines pi", recovers, "=", not dependent),
        ("m < k is a case of it", len(P) >= k or pair, "=", case),
    ]


def kernel_certificates() -> Certificates:
    """Return, of few entries: those of P v sum to the sum of v, and an entry of P (pi + t v) is one of P pi."""
    x1, x2, y1, y2, u, v, t, a, b = sp.symbols("x1 x2 y1 y2 u v t a b")
    columns = zip([x1, y1, 1 - x1 - y1], [x2, y2, 1 - x2 - y2], strict=True)
    total = prove_identity(sum(u * p + v * q for p, q in columns), u + v)
    moved = prove_identity(x1 * (a + t * u) + x2 * (b + t * v) - t * (x1 * u + x2 * v), x1 * a + x2 * b)
    return (
        ("the entries of P v sum to the sum of v (two columns of three entries)", total),
        ("one entry of P (pi + t v)", moved),
    )
