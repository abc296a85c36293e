"""Members of C_gamma of every kind, exact: boundary cases by hand, and random ones."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

from rropt.claims import Domain
from rropt.designs.orders.dominating_mechanisms import staircase_mechanism
from rropt.mechanisms import Mechanism
from rropt_proofs._matrices import Numbers, Rows, matrix, parity, product
from rropt_proofs.chainayak2018._sufficiency import has_proportional_rows, satisfies_c1

GAMMAS = tuple(Fraction(x) for x in ("101/100", "3/2", "2", "3", "8"))

KINDS = ("admissible", "garbled", "constant", "three values", "constant, three values", "slack")

Member = dict[str, Any]  # "gamma" and "P"; a mapping, so that a point is shown with the names


def random_tpm(m: int, k: int, rng: random.Random, least: int = 0) -> Rows:
    """Return a random m x k TPM whose columns are small integers over their sum; ties are frequent."""
    columns: list[list[Fraction]] = []
    while len(columns) < k:
        column = [rng.randint(least, 4) for _ in range(m)]
        if sum(column):
            columns.append([Fraction(x, sum(column)) for x in column])
    return tuple(tuple(row) for row in zip(*columns, strict=True))


def with_constant_row(rows: Rows, delta: Fraction) -> Rows:
    """Return P with a first row that is constantly delta, the others shrunk."""
    constant: Numbers = (delta,) * len(rows[0])
    return (constant, *(tuple((1 - delta) * x for x in row) for row in rows))


def _three_values(rows: Rows, gamma: Fraction) -> Rows:
    """Merge two rows such that every row keeps parity gamma, if there are two."""
    for i in range(len(rows)):
        for j in range(i):
            merged = tuple(x + y for x, y in zip(rows[i], rows[j], strict=True))
            found = (merged, *(row for at, row in enumerate(rows) if at not in (i, j)))
            if satisfies_c1(found, gamma) and not has_proportional_rows(found):
                return found
    return rows


def random_member(k: int, gamma: Fraction, rng: random.Random) -> Mechanism:
    """Return a random member of C_gamma^0: a mixture of up to four families of sets that cover each input alike.

    A family is a set and its complement, or the cyclic shifts of a set in a random order of the inputs.
    """
    weights: dict[tuple[int, ...], Fraction] = {}
    for _ in range(rng.randint(1, 4)):
        order, size, share = rng.sample(range(k), k), rng.randint(1, k - 1), rng.randint(1, 12)
        shifts = rng.choice(([0, size], range(k)))
        for shift in shifts:
            turned = order[shift:] + order[:shift]
            subset = tuple(sorted(turned[: k - size if len(shifts) == 2 and shift else size]))
            weights[subset] = weights.get(subset, Fraction(0)) + share
    return staircase_mechanism(k, gamma, weights)


def admissible_member(rng: random.Random, gamma: Fraction) -> Rows:
    """Return a random member of C_gamma^0 for k = 2, 3, 4 (mostly 3)."""
    return random_member(rng.choice((2, 3, 3, 3, 4)), gamma, rng).matrix


def draw_member(rng: random.Random, kinds: tuple[str, ...] = KINDS) -> Member:
    """Return gamma and a member of C_gamma: admissible, garbled, with a constant row, of three values, below gamma."""
    gamma = rng.choice(GAMMAS)
    rows = admissible_member(rng, gamma)
    kind = rng.choice(kinds)
    if kind == "garbled":
        rows = product(random_tpm(rng.randint(2, 4), len(rows), rng), rows)
    if "three values" in kind:
        rows = _three_values(rows, gamma)
    if "constant" in kind:
        rows = with_constant_row(rows, Fraction(rng.randint(1, 5), 6))
    if kind == "slack":
        gamma += Fraction(1, rng.choice((1, 10, 1000)))
    if kind == "garbled" and rng.random() < 0.5:
        exact = parity(rows)
        gamma = exact if isinstance(exact, Fraction) and exact > 1 else gamma
    order = rng.sample(range(len(rows)), len(rows))
    return {"gamma": gamma, "P": tuple(rows[i] for i in order)}


def _member(gamma: str, rows: str) -> Member:
    return {"gamma": Fraction(gamma), "P": matrix(rows)}


_BOUNDARY = (
    _member("2", "2/3 1/3; 1/3 2/3"),  # the two members of C_gamma^0 for k = 2
    _member("2", "1/3 2/3; 2/3 1/3"),
    _member("3", "2/3 1/3; 1/3 2/3"),  # parity below gamma
    _member("2", "1/2 1/2; 1/3 1/6; 1/6 1/3"),  # a constant row
    _member("2", "1/2 1/2 1/2; 1/4 1/8 1/8; 1/8 1/4 1/8; 1/8 1/8 1/4"),
    _member("2", "1/2 1/4 1/4; 1/4 1/2 1/4; 1/4 1/4 1/2"),  # the gamma-diagonal matrix
    _member("2", "1/3 2/3 1/3; 2/3 1/3 2/3"),
    _member("2", "2/5 2/5 1/5; 2/5 1/5 2/5; 1/5 2/5 2/5"),
    _member("2", "4/9 1/3 2/9; 2/9 1/3 4/9; 1/3 1/3 1/3"),  # three values, and a constant row
    _member("2", "2/3 1/2 1/3; 1/3 1/2 2/3"),  # three values, every row of parity gamma
    _member("4", "1/10 1/5; 1/10 1/30; 4/5 23/30"),  # more rows than columns
    _member("2", "1/2 1/2; 1/2 1/2"),  # proportional rows: not in C_gamma
    _member("2", "1 1"),  # one row: not in C_gamma
    _member("2", "1 0; 0 1"),  # infinite parity: not in C_gamma
)


def members(*kinds: str) -> Domain:
    """Return the boundary cases and random members of these kinds."""
    return Domain(
        "gamma > 1 and a matrix P that is meant to be in C_gamma (k = 2, 3, 4)",
        _BOUNDARY,
        lambda rng: draw_member(rng, kinds or KINDS),
    )


MEMBERS = members()
