"""The proof of Theorem 3 and Corollary 2 for all parameters: five generators and nonnegative coefficients.

In projective coordinates (w, w p00, w p11) every design of the region is a combination ``sum c_i V_i``, c >= 0, of
``V_0 = (1, 1, 0), V_1 = (1, 1, delta), V_2 = (gamma + 1)(1, m, m), V_3 = (1, delta, 1), V_4 = (1, 0, 1)`` with
``m = (gamma + delta)/(gamma + 1)``. The probabilities l_1, l_2 of the answers 1, 0 and D = p00 + p11 - 1 are linear
there, so the excess of n Var over a candidate's is a quadratic form in c. Its coefficients are the whole proof.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import sympy as sp

from rropt.claims import Anchored, ArgMin, Cell, Point, Step
from rropt.claims.relations import Relation
from rropt_proofs.holohan2016._paper import (
    DELTA,
    GAMMA,
    PI,
    A,
    B,
    determinant,
    in_reduced_region,
    n_variance,
    no_slack,
    variance_at,
    yes_slack,
)
from rropt_proofs.holohan2016._segments import SLOPE

__all__ = ["optimum_proof"]

_ARGUMENT = """\
Put k = gamma + 2 delta - 1 > 0 and h = delta (gamma + delta) - pi k^2, so that g > pi, = pi, < pi says h > 0, = 0, < 0.
(1) Every design of the region is a combination with weights c_i >= 0 of V_0 = (1, 0), V_1 = (1, delta), V_2 = (m, m),
V_3 = (delta, 1), V_4 = (0, 1), m = (gamma + delta)/(gamma + 1): with L_4 = (gamma + delta)(1 - p00) - (1 - delta) p11
and L_0 its mirror image, there are such weights where L_0, L_4 >= 0 (V_0, V_2, V_4), where L_4 < 0 (V_0, V_1, V_2), and
where L_0 < 0 (V_2, V_3, V_4). (2) If g >= pi, the candidate is (1, delta), and E = delta l_1 l_2 - pi (1 - pi delta)
D^2 is delta D^2 times the excess of n Var over its value; if g <= pi, the candidate is (m, m), and E = k^2 l_1 l_2 -
(1 - delta + pi k)(gamma + delta - pi k) D^2 is k^2 D^2 times the excess. Both are sums of e_ij c_i c_j over i <= j.
(3) Each e_ij is a product of delta, 1 - delta, k > 0 and a last factor, which is > 0 if i < j and >= 0 if i = j. So
E > 0 in each of the three cells except at its one vertex with e_ii = 0, where there is one. (4) If delta = 1, V_1 = V_2
= V_3 = (1, 1), and D^2 (n Var - pi (1 - pi)) = (1 - pi) p00 (1 - p00) + pi p11 (1 - p11) is 0 with D > 0 only there."""

SUM = GAMMA + DELTA
K = SLOPE
EXCESS = DELTA * SUM - PI * K**2  # h of the argument
REST = 1 - DELTA
FOUR = SUM * (1 - A) - REST * B  # L_4 and L_0 of the argument
ZERO = SUM * (1 - B) - REST * A

# case -> (K, M) with E = K l_1 l_2 - M D^2; M / K is n Var of the candidate
CANDIDATES = {
    "g >= pi": (DELTA, PI * (1 - PI * DELTA)),
    "g <= pi": (K**2, (REST + PI * K) * (SUM - PI * K)),
}
# case -> pair i, j -> e_ij as a product of delta, 1 - delta, k and a last factor. If g >= pi, V_2 is taken k times,
# without which (1, 2) has no short proof. Pairs that are left out have e_ij = 0.
FACTORS: dict[str, dict[str, tuple[Any, Any]]] = {
    "g >= pi": {
        "01": (DELTA**2, PI),
        "02": (DELTA * K, REST + PI * K),
        "03": (DELTA, REST + DELTA * PI),
        "04": (DELTA, sp.Integer(1)),
        "12": (DELTA * REST, K * (1 - PI * K)),
        "13": (DELTA * REST, 1 - 2 * PI * DELTA),
        "14": (DELTA, 1 - PI * DELTA),
        "22": (REST * K**2, EXCESS),
        "23": (DELTA * REST, K * (K + 1 - 3 * PI * K)),
        "24": (DELTA * K, SUM - PI * K),
        "33": (DELTA**2 * REST, 1 - 2 * PI),
        "34": (DELTA**2, 1 - PI),
    },
    "g <= pi": {
        "01": (DELTA * K**2, PI),
        "02": (K**2, REST + PI * K),
        "03": (K**2, REST + DELTA * PI),
        "04": (K**2, sp.Integer(1)),
        "11": (DELTA * REST, -EXCESS),
        "12": (REST * K, K - DELTA * SUM - EXCESS),
        "13": (REST, K**2 - 2 * DELTA**2 * SUM),
        "14": (K**2, 1 - PI * DELTA),
        "23": (REST * K, K - DELTA * SUM + (1 - 2 * PI) * K**2 - EXCESS),
        "24": (K**2, SUM - PI * K),
        "33": (DELTA * REST, (1 - 2 * PI) * K**2 - EXCESS),
        "34": (DELTA * K**2, 1 - PI),
    },
}


def _terms(case: str, weights: dict[int, Any]) -> list[Any]:
    """Return the terms e_ij c_i c_j / (K D^2) of the excess in a cell."""
    scale = CANDIDATES[case][0] * determinant**2
    if case == "g >= pi":
        weights = {**weights, 2: weights[2] / K}
    return [
        factor * last * weights[int(pair[0])] * weights[int(pair[1])] / scale
        for pair, (factor, last) in FACTORS[case].items()
        if int(pair[0]) in weights and int(pair[1]) in weights
    ]


def _cells(case: str, best: Sequence[int]) -> list[Cell]:
    """Return the three cells, those with a minimiser (1, 2 or 3 in ``best``) with it."""
    corner = SUM / (GAMMA + 1)
    scale = DELTA * REST
    parts = (  # vertex, weights, where, tight, the minimiser
        (
            1,
            {0: yes_slack / DELTA, 1: -FOUR / scale, 2: (1 - A) / REST},
            [FOUR < 0],
            [yes_slack >= 0, A <= 1],
            (1, DELTA),
        ),
        (2, {0: ZERO / K, 2: determinant / K, 4: FOUR / K}, [FOUR >= 0, ZERO >= 0], None, (corner, corner)),
        (
            3,
            {2: (1 - B) / REST, 3: -ZERO / scale, 4: no_slack / DELTA},
            [ZERO < 0],
            [no_slack >= 0, B <= 1],
            (DELTA, 1),
        ),
    )
    return [
        Cell(
            where=where,
            best=dict(zip("ab", design, strict=True)) if vertex in best else None,
            tight=tight or where,
            terms=_terms(case, weights),
        )
        for vertex, weights, where, tight, design in parts
    ]


def _mirrored(part: Any) -> Any:
    """Exchange p00 with p11 and pi with 1 - pi."""
    if isinstance(part, Relation):
        return Relation(_mirrored(part.left), part.sign, _mirrored(part.right))
    return sp.sympify(part).subs({A: B, B: A, PI: 1 - PI}, simultaneous=True)


def _mirrored_cell(cell: Cell) -> Cell:
    best = cell.best and {"a": cell.best["b"], "b": cell.best["a"]}
    return Cell(
        [_mirrored(x) for x in cell.where], best, *([_mirrored(x) for x in y] for y in (cell.tight, cell.terms))
    )


def _member(point: Point, a: Fraction, b: Fraction) -> bool:
    return in_reduced_region((a, b), Fraction(point["gamma"]), Fraction(point["delta"]))


def optimum_proof(*, mirror: bool = False) -> Anchored:
    """Return the proof for 0 < pi <= 1/2, or its mirror image for 1/2 <= pi < 1."""
    zero, one, half = sp.S.Zero, sp.S.One, 1 - 2 * PI
    inner, above, tie = Relation(one, ">", DELTA), Relation(EXCESS, ">", zero), Relation(EXCESS, "=", zero)
    below, less, equal = Relation(zero, ">", EXCESS), Relation(half, ">", zero), Relation(half, "=", zero)
    at_one = [(1 - PI) * A * (1 - A) / determinant**2, PI * B * (1 - B) / determinant**2]
    cases = (
        ([Relation(DELTA, "=", one)], [Cell(best={"a": 1, "b": 1}, tight=[A <= 1, B <= 1], terms=at_one)]),
        ([inner, above, less], _cells("g >= pi", (1,))),
        ([inner, above, equal], _cells("g >= pi", (1, 3))),
        ([inner, tie, less], _cells("g >= pi", (1, 2))),
        ([inner, tie, equal], _cells("g >= pi", (1, 2, 3))),
        ([inner, below], _cells("g <= pi", (2,))),
    )
    corner, at_least = K - DELTA * SUM - EXCESS, Relation(EXCESS, ">=", zero)
    steps: list[tuple[Any, tuple[Relation, ...], int]] = [(left, (), 1) for left in (K, SUM, GAMMA + 1, 1 - PI)]
    steps += [(left, (), 2) for left in (REST + PI * K, REST + DELTA * PI, 1 - PI * DELTA, SUM - PI * K)]
    steps += [(1 - 2 * PI * DELTA, (inner,), 2), (K * (1 - PI * K), (inner, at_least), 2)]
    steps += [(K * (K + 1 - 3 * PI * K), (inner, at_least), 3)]
    steps += [(corner, (inner, below), 2), (K**2 - 2 * DELTA**2 * SUM, (inner, below), 3)]
    steps += [(corner + half * K**2, (inner, below), 3), (half * K**2 - EXCESS, (inner, below), 3)]
    turn = _mirrored if mirror else lambda part: part
    return Anchored(
        *(
            ArgMin(
                objective=n_variance,
                within=(yes_slack >= 0, no_slack >= 0, A <= 1, B <= 1, A >= 0, B >= 0, determinant > 0),
                best=[_mirrored_cell(cell) if mirror else cell for cell in cells],
                member=_member,
                value=lambda point, a, b: variance_at((a, b), Fraction(point["pi"])),
                where=tuple(map(turn, where)),
            )
            for where, cells in cases
        ),
        steps=[Step(turn(Relation(left, ">", zero)), n, tuple(map(turn, where))) for left, where, n in steps],
        argument=_ARGUMENT,
    )


def tie_points() -> tuple[Point, ...]:
    """Return points at which all three designs tie at pi = 1/2, on the curve gamma^2 + (gamma + 2 delta - 2)^2 = 2."""
    found = []
    for size in range(3, 17):
        u = Fraction(1, size)
        gamma, s = ((1 + sign * 2 * u - u**2) / (1 + u**2) for sign in (1, -1))
        found += [{"gamma": gamma, "delta": (2 - gamma + sign * s) / 2, "pi": Fraction(1, 2)} for sign in (1, -1)]
    return tuple(found)
