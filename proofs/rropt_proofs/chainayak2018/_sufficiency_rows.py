"""The claims of section 4 on sufficiency and admissibility, in rows: (name, true value, sign, stated value)."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, pairwise
from typing import Any

from rropt.claims import Domain
from rropt.claims.claim import Row
from rropt_proofs._matrices import Rows, matrix, parity, product, row_parity
from rropt_proofs.chainayak2018._sufficiency import (
    equivalent,
    garbles,
    in_class,
    is_admissible,
    refined,
    satisfies_c1,
    satisfies_c2,
    strictly_better,
)
from rropt_proofs.chainayak2018._sufficiency_members import (
    GAMMAS,
    MEMBERS,
    Member,
    admissible_member,
    draw_member,
    members,
    random_tpm,
    with_constant_row,
)

ZERO = Fraction(0)
_WARNER, _DIAGONAL = matrix("2/3 1/3; 1/3 2/3"), matrix("1/2 1/4 1/4; 1/4 1/2 1/4; 1/4 1/4 1/2")
_THREE = matrix("1/2 1/4; 1/4 1/2; 1/4 1/4")


def _columns_of(case: Member) -> list[list[tuple[Any, ...]]]:
    return [[("P", i, j) for i in range(len(case["P"]))] for j in range(len(case["P"][0]))]


def _reordered(rng: random.Random) -> Member:
    """P with a reordering, a garbling, a copy with a constant row, or another member."""
    member = draw_member(rng)
    rows, gamma = member["P"], member["gamma"]
    kind = rng.choice(("reordered", "reordered", "garbled", "constant", "other"))
    other = tuple(rng.sample(rows, len(rows)))
    if kind == "garbled":
        other = product(random_tpm(len(rows), len(rows), rng), rows)
    elif kind == "constant":
        other = with_constant_row(other, rows[0][0])
    elif kind == "other":
        fresh = draw_member(rng)["P"]
        other = fresh if len(fresh[0]) == len(rows[0]) else other
    return {"gamma": gamma, "A": other, "P": rows}


def _beside_core(rng: random.Random) -> Member:
    """A in C_gamma^0 with a garbling of it, P with the mechanism that its rows split into, or two unrelated ones."""
    if rng.random() < 0.4:
        member = draw_member(rng, ("three values", "constant", "garbled", "slack"))
        return {"gamma": member["gamma"], "A": refined(member["P"], member["gamma"]), "P": member["P"]}
    gamma = rng.choice(GAMMAS)
    better = admissible_member(rng, gamma)
    other = admissible_member(rng, gamma)
    worse = with_constant_row(other, Fraction(1, rng.randint(2, 9)))
    if rng.random() < 0.7 or len(other[0]) != len(better[0]):
        worse = product(random_tpm(rng.randint(2, 4), len(better), rng), better)
    return {"gamma": gamma, "A": better, "P": worse}


def _wide(rng: random.Random) -> Rows:
    return tuple(tuple(Fraction(rng.randint(0, 6)) for _ in range(24)) for _ in range(3))


ALL = MEMBERS
INTERMEDIATE = members("garbled", "slack")
THREE_VALUES = members("three values")
ADMISSIBLE = replace(members("admissible"), entries={("P",): "x >= 0"})
WITH_CONSTANT = replace(
    members("constant", "constant, three values"), entries={("P",): "least <= x <= 1"}, whole_groups=_columns_of
)
PAIRS = Domain(
    "gamma > 1 and two matrices A, P of equally many columns, meant to be in C_gamma",
    (
        {"gamma": 2, "A": _WARNER, "P": _WARNER},
        {"gamma": 2, "A": _WARNER[::-1], "P": _WARNER},
        {"gamma": 2, "A": matrix("3/5 2/5; 2/5 3/5"), "P": _WARNER},
        {"gamma": 2, "A": _THREE[::-1], "P": _THREE},
        {"gamma": 2, "A": _THREE, "P": _WARNER},
        {"gamma": 2, "A": matrix("1/3 1/6; 1/3 1/6; 1/3 2/3"), "P": _WARNER[::-1]},  # proportional rows: out
    ),
    _reordered,
)
BESIDE_CORE = Domain(
    "gamma > 1, A meant to be in C_gamma^0 and P in C_gamma but not in C_gamma^0",
    (
        {"gamma": Fraction(2), "A": _WARNER, "P": matrix("3/5 2/5; 2/5 3/5")},
        {"gamma": Fraction(2), "A": _WARNER, "P": with_constant_row(_WARNER, Fraction(1, 2))},
        {"gamma": Fraction(2), "A": _DIAGONAL, "P": matrix("2/3 1/2 1/3; 1/3 1/2 2/3")},  # incomparable
        {"gamma": Fraction(2), "A": _DIAGONAL, "P": _DIAGONAL[::-1]},  # both inside
    ),
    _beside_core,
    entries={("P",): "x >= 0"},
)
_SQUARE = ((1, 0, 2, 1), (0, 1, 1, 0), (3, 0, 0, 1), (1, 1, 0, 2))
GARBLING = Domain(
    "a nonnegative matrix C; as many columns are taken as P has rows",
    (tuple(tuple(Fraction(x) for x in row * 6) for row in _SQUARE),),
    _wide,
    entries={(): "x >= 0"},
)
BACK = Domain(
    "a matrix B, nonnegative; its part of the order of P is taken",
    (tuple(tuple(Fraction(int(i == j)) for j in range(12)) for i in range(12)),),
    lambda rng: tuple(tuple(Fraction(rng.randint(0, 6), 6) for _ in range(12)) for _ in range(12)),
    entries={(): "x >= 0"},
)
PLACES = Domain(
    "places i, u, j, l, taken within the orders of the matrices",
    ((0, 0, 0, 1), (1, 1, 1, 0)),
    lambda rng: tuple(rng.randint(0, 11) for _ in range(4)),
)


def member(case: Member) -> bool:
    """P is in C_gamma: gamma > 1, m >= 2, parity at most gamma, no zero row, no two proportional rows"""
    return in_class(case["P"], case["gamma"])


def first_member(case: Member) -> bool:
    """A is in C_gamma"""
    return in_class(case["A"], case["gamma"])


def _is_core(rows: Rows, gamma: Fraction) -> bool:
    return in_class(rows, gamma) and satisfies_c1(rows, gamma) and satisfies_c2(rows)


def first_core(case: Member) -> bool:
    """A is in C_gamma^0"""
    return _is_core(case["A"], case["gamma"])


def no_core(case: Member) -> bool:
    """P is not in C_gamma^0"""
    return not _is_core(case["P"], case["gamma"])


def intermediate(case: Member) -> bool:
    """1 < eta_i < gamma for some i"""
    return any(1 < row_parity(row) < case["gamma"] for row in case["P"])


def one_or_gamma(case: Member) -> bool:
    """every row parity is 1 or gamma"""
    return all(row_parity(row) in (1, case["gamma"]) for row in case["P"])


def a_constant(case: Member) -> bool:
    """some row parity is 1"""
    return any(row_parity(row) == 1 for row in case["P"])


def c1(case: Member) -> bool:
    """C1: every row has parity gamma"""
    return satisfies_c1(case["P"], case["gamma"])


def c2(case: Member) -> bool:
    """C2: every row has exactly two distinct values"""
    return satisfies_c2(case["P"])


def not_c2(case: Member) -> bool:
    """not C2: some row has more than two distinct values"""
    return not satisfies_c2(case["P"])


def _patterns(case: Member, heavier: Any, rest: Any) -> list[Row]:
    """Each row as a sum of patterns: weight (v_s - v_(s+1))/(gamma - 1) for the columns with at least v_s."""
    gamma, errors, rests = case["gamma"], [], []
    for row in case["P"]:
        v = sorted(set(row), reverse=True)
        weights = {high: (1 + heavier) * (high - low) / (gamma - 1) for high, low in pairwise(v)}
        left = v[-1] - (v[0] - v[-1]) / (gamma - 1)
        rests.append(-left)
        errors += [abs(sum((w * (gamma if x >= s else 1) for s, w in weights.items()), left) - x) for x in row]
    return [
        ("the largest difference of an entry from the sum of the patterns of its row", max(errors), "<=", ZERO),
        ("minus the least constant rest of a row", max(rests), "<=", -rest),
    ]


def _garbled(source: Rows, C: Rows, place: tuple[int, ...], least: bool, more: Any) -> list[Row]:
    """Inequality (4.1) of C P: gamma a_il - a_ij is the sum over u of c_iu (gamma p_ul - p_uj), no term negative."""
    kernel = tuple(tuple(Fraction(x) for x in row[: len(source)]) for row in C)
    i, u, (j, other) = place[0] % len(C), place[1] % len(source), (x % len(source[0]) for x in place[2:])
    gamma, rows = parity(source), product(kernel, source)
    term = kernel[i][u] * (gamma * source[u][other] - source[u][j])
    return [
        ("(4.1): the parity of C P", parity(rows), "<=", 1 if least else gamma),
        ("(4.1): gamma a_il - a_ij against one of its terms", gamma * rows[i][other] - rows[i][j], ">=", term + more),
    ]


def lemma_4_2(case: Member, *, every: bool = False, heavier: Any = 0, rest: Any = 0) -> list[Row]:
    """Whether some member of C_gamma is strictly better, by linear programs over the extreme rows."""
    rows, gamma = case["P"], case["gamma"]
    stated = not every or all(row_parity(row) < gamma for row in rows)
    return [("inadmissible", not is_admissible(rows, gamma), "=", stated), *_patterns(case, heavier, rest)]


def lemma_4_4(case: Member, *, every: bool = False, heavier: Any = 0, rest: Any = 0) -> list[Row]:
    """Whether some member of C_gamma is strictly better, by linear programs over the extreme rows."""
    rows = case["P"]
    stated = not every or all(len(set(row)) > 2 for row in rows)
    return [("inadmissible", not is_admissible(rows, case["gamma"]), "=", stated), *_patterns(case, heavier, rest)]


def theorem_4_2(
    case: Member, C: Rows, place: tuple[int, ...], *, square: bool = False, least: bool = False, more: Any = 0
) -> list[Row]:
    """(4.1); and whether no member of C_gamma is strictly better, by linear programs over the extreme rows."""
    rows = case["P"]
    stated = not square or len(rows) == len(rows[0])
    return [
        *_garbled(rows, C, place, least, more),
        ("admissible", is_admissible(rows, case["gamma"]), "=", stated),
    ]


def theorem_4_3(case: Member, *, both: bool = True, heavier: Any = 0, rest: Any = 0) -> list[Row]:
    """By linear programs over the extreme rows, found by vertex enumeration."""
    rows, gamma = case["P"], case["gamma"]
    core, found = satisfies_c1(rows, gamma) and (not both or satisfies_c2(rows)), refined(rows, gamma)
    dominated = _is_core(found, gamma) and strictly_better(found, rows)
    return [
        ("admissible", is_admissible(rows, gamma), "=", core),
        ("strictly dominated by a member of C_gamma^0", dominated, "=", not core),
        *_patterns(case, heavier, rest),
    ]


def corollary_4_1(
    case: Member, C: Rows, place: tuple[int, ...], *, no_order: bool = False, least: bool = False, more: Any = 0
) -> list[Row]:
    """The steps of garbling one by one; equivalence and order by exact linear programs."""
    left, right = case["A"], case["P"]
    return [
        *_garbled(right, C, place, least, more),
        ("equivalent", equivalent(left, right), "=", no_order),
        ("strictly better", strictly_better(left, right), "=", no_order or garbles(left, right)),
    ]


def theorem_4_1(case: Member, B: Rows, *, ordered: bool = False, mixed: Any = 2) -> list[Row]:
    """Both garblings exist, by two exact linear programs; and the sum of squares term by term."""
    left, rows = case["A"], case["P"]
    order = range(len(rows))
    b = tuple(tuple(Fraction(x) for x in row[: len(rows)]) for row in B[: len(rows)])
    s = [sum(row, ZERO) for row in rows]
    x = [row[0] / total for row, total in zip(rows, s, strict=True)]
    squares = sum((b[i][u] * s[u] * (x[u] - x[i]) ** 2 for i in order for u in order), ZERO)
    first = sum((s[u] * x[u] * x[u] * sum((b[i][u] for i in order), ZERO) for u in order), ZERO)
    images = product(b, tuple((row[0],) for row in rows)), product(b, tuple((total,) for total in s))  # B P, B s
    rest = sum((x[i] * x[i] * images[1][i][0] - mixed * x[i] * images[0][i][0] for i in order), ZERO)
    same = left == rows if ordered else sorted(left) == sorted(rows)
    return [
        ("the sum of b_iu s_u (x_u - x_i)^2, by B P and B s", squares, "=", first + rest),
        ("equivalent", equivalent(left, rows), "=", same),
    ]


def _minors(rows: Rows) -> list[Fraction]:
    pairs = combinations(range(len(rows[0])), 2)
    return [r[j] * s[other] - r[other] * s[j] for j, other in pairs for r, s in combinations(rows, 2)]


def _furthest(rows: Rows) -> Fraction:
    return max((sum(column, ZERO) for column in zip(*rows, strict=True)), key=lambda x: abs(x - 1))


def lemma_4_3(
    case: Member, *, kept: Any = 1, top: Any = 1, power: int = 2, lower: Any = 0, apart: Any = 0, least: Any = 1
) -> list[Row]:
    """The construction; and existence by splitting A along the extreme rows, which does not use the construction."""
    rows, gamma = case["P"], Fraction(case["gamma"])
    place = next(i for i, row in enumerate(rows) if len(set(row)) == 1)
    delta, others = rows[place][0], tuple(row for i, row in enumerate(rows) if i != place)
    rest = tuple(tuple(x / (1 - kept * delta) for x in row) for row in others)
    found, size = refined(rows, gamma), len(rest)
    if not (_is_core(found, gamma) and garbles(found, rows) and (kept != 1 or in_class(rest, gamma))):
        raise ArithmeticError("such a P exists by one route and not by another")
    units = [tuple((1 - delta) * int(i == u) for u in range(size)) for i in range(size)]
    kernel = ((top * delta,) * size, *units)
    pairs = zip(product(kernel, rest), (rows[place], *others), strict=True)
    minors = zip(_minors(rest), _minors(others), strict=True)
    stated = gamma - lower * (gamma - 1)
    squares = [max(x * x for x in _minors(pair)) for pair in combinations(rest, 2)]
    return [
        ("the column sum of P that is furthest from 1", _furthest(rest), "=", 1),
        ("the column sum of C that is furthest from 1", _furthest(kernel), "=", 1),
        (
            "the largest difference of an entry of C P from that of A",
            max(abs(x - y) for pair in pairs for x, y in zip(*pair, strict=True)),
            "<=",
            ZERO,
        ),
        ("the largest row parity of P", Fraction(max(map(row_parity, rest))), "=", stated),
        ("the least row parity of P", Fraction(min(map(row_parity, rest))), "=", stated),
        (
            "the largest difference of (1 - delta)^2 times a minor of P from that of A",
            max(abs(x * (1 - delta) ** power - y) for x, y in minors),
            "<=",
            ZERO,
        ),
        ("the largest squared minor of two rows of P, of those with the least", min(squares), ">", apart),
        ("the number of rows of P", Fraction(size), ">", least),
    ]
