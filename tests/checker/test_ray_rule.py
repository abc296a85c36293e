"""Rule 25 by hand: conditions that a remark could hide, lists of rays by brute force, and singular mechanisms."""

from __future__ import annotations

import json
import random
from copy import deepcopy
from fractions import Fraction
from itertools import combinations, islice, permutations, product
from typing import Any

import pytest
from fuzz import ray_pieces
from vectors import vectors

from rropt.checker import check_text
from rropt.checker.documents import Budget, Rejected
from rropt.checker.rays import paired_rays, uniform_rays

F = Fraction
SPECIAL = [F(0), F(1), F(2), F(3), F(9)]


def accepted(kind: str) -> Any:
    """Return an accepted file of an objective."""
    for vector in vectors("rays"):
        if vector["verdict"] == "accepted" and vector["certificate"]["problem"]["objective"]["kind"] == kind:
            return deepcopy(vector["certificate"])
    for piece in islice(ray_pieces.pieces(random.Random(5)), 400):
        if piece.true and piece.document["problem"]["objective"]["kind"] == kind:
            return deepcopy(piece.document)
    raise AssertionError(f"no file of {kind}")


def reason(document: Any) -> str:
    return check_text(json.dumps(document)).reason


def in_lowest(ray: Any) -> tuple[Fraction, ...]:
    return tuple(F(x) / max(ray) for x in ray)


def brute_force(k: int, pairs: dict[tuple[int, int], Fraction]) -> set[tuple[Fraction, ...]]:
    """Return the directions in which k - 1 independent hyperplanes meet, from minors."""
    planes = [[F(int(i == j)) for i in range(k)] for j in range(k)]
    planes += [[F(i == j) - g * (i == other) for i in range(k)] for (j, other), g in pairs.items()]

    def determinant(rows: list[list[Fraction]]) -> Fraction:
        if not rows:
            return F(1)
        return sum(
            (-1) ** i * r[0] * determinant([q[1:] for q in rows[:i] + rows[i + 1 :]]) for i, r in enumerate(rows)
        )

    found = set()
    for chosen in combinations(planes, k - 1):
        line = [(-1) ** j * determinant([p[:j] + p[j + 1 :] for p in chosen]) for j in range(k)]
        line = line if max(line) > 0 else [-x for x in line]
        if any(line) and min(line) >= 0:
            found.add(in_lowest(line))
    return found


@pytest.mark.parametrize(("k", "gamma"), [(2, F(3)), (3, F(3)), (3, F(3, 2)), (4, F(2))])
def test_the_lists_are_those_of_brute_force(k: int, gamma: Fraction) -> None:
    pairs = dict.fromkeys(permutations(range(k), 2), gamma)
    listed = {in_lowest(r) for r in uniform_rays(k, gamma, Budget(), has_delta=True)}
    assert listed == brute_force(k, pairs)
    inside = {r for r in brute_force(k, pairs) if all(r[j] <= g * r[i] for (j, i), g in pairs.items())}
    assert inside <= {in_lowest(r) for r in uniform_rays(k, gamma, Budget(), has_delta=False)}
    assert {in_lowest(r) for r in paired_rays(k, pairs, Budget())} >= inside


def test_the_lists_of_random_pairs_are_those_of_brute_force() -> None:
    rng, tried = random.Random(4), 0
    for _ in range(60):
        k = rng.choice((2, 3, 3, 4))
        chosen = [pair for pair in permutations(range(k), 2) if rng.random() < 0.7]
        pairs = {pair: F(rng.choice((1, 2, 3, 5)), rng.choice((1, 1, 1))) for pair in chosen}
        inside = {r for r in brute_force(k, pairs) if all(r[j] <= g * r[i] for (j, i), g in pairs.items())}
        listed = {in_lowest(r) for r in paired_rays(k, pairs, Budget())}
        assert inside <= listed, (k, pairs)
        assert all(r[j] <= g * r[i] for r in listed for (j, i), g in pairs.items())
        tried += len(inside)
    assert tried > 100


def test_rows_are_combinations_of_rays() -> None:
    """Any row is a nonnegative combination of rays with the same excesses: by a linear program for each."""
    from scipy.optimize import linprog

    rng, gamma = random.Random(1), 3.0
    for k in (2, 3, 4):
        rays = [[float(x) / max(r) for x in r] for r in uniform_rays(k, F(3), Budget(), has_delta=True)]

        def moments(r: list[float], k: int = k) -> list[float]:
            return [*r, *(max(0.0, r[j] - gamma * r[i]) for j, i in permutations(range(k), 2))]

        for _ in range(40):
            row = [float(rng.choice(SPECIAL)) if rng.random() < 0.5 else rng.random() ** 3 for _ in range(k)]
            columns = list(zip(*map(moments, rays), strict=True))
            found = linprog([1.0] * len(rays), A_eq=columns, b_eq=moments(row), bounds=(0, None))
            assert found.status == 0, row


def test_too_many_inputs_are_rejected() -> None:
    with pytest.raises(Rejected, match="at most 6"):
        list(uniform_rays(7, F(2), Budget(), has_delta=True))
    with pytest.raises(Rejected, match="above 1"):
        list(uniform_rays(3, F(1), Budget(), has_delta=False))


def test_a_ray_without_probability_needs_a_nonnegative_g() -> None:
    """A share of 0 with delta > 0: the ray of that input alone has probability 0, and a negative alpha would pass."""
    document = accepted("c-optimal")
    while document["problem"]["region"].get("delta") in ("0", None):
        document = next(
            piece.document
            for piece in ray_pieces.pieces(random.Random(8))
            if piece.true
            and piece.document["problem"]["objective"]["kind"] == "c-optimal"
            and piece.document["problem"]["region"].get("delta") not in ("0", None)
        )
    k = len(document["problem"]["population"])
    made = deepcopy(document)
    made["problem"]["population"] = ["1", *["0"] * (k - 1)]
    dual = made["witness"]["dual"]
    dual["alpha"] = ["1", *["-1000"] * (k - 1)]
    assert reason(made)


def test_the_determinant_needs_positive_shares() -> None:
    made = accepted("d-optimal")
    k = len(made["problem"]["population"])
    made["problem"]["population"] = ["1", *["0"] * (k - 1)]
    assert reason(made) == "a share is 0: the determinant has no meaning"


@pytest.mark.parametrize("kind", ["d-optimal", "e-optimal"])
def test_a_factor_that_is_too_small_is_rejected(kind: str) -> None:
    made = accepted(kind)
    factor = made["witness"]["primal"]["factor"]
    times = F(1, 2) if kind == "d-optimal" else F(2)
    made["witness"]["primal"]["factor"] = [[str(times * F(x)) for x in row] for row in factor]
    assert "not proved" in reason(made)


@pytest.mark.parametrize("kind", ["a-optimal", "c-optimal", "d-optimal", "e-optimal"])
def test_a_singular_mechanism_has_no_estimator(kind: str) -> None:
    """Constant rows, one output, repeated columns: with every sign of the bounds."""
    made = accepted(kind)
    k = len(made["problem"]["population"])
    made["problem"]["region"]["outputs"] = "any"
    for rows in ([[F(1)] * k], [[F(1, 2)] * k] * 2, [[F(0)] * k, [F(1)] * k]):
        for sign, scale in product((1, -1), (F(0), F(1), F(10**6))):
            forged = deepcopy(made)
            forged["claim"]["mechanism"]["matrix"] = [[str(x) for x in row] for row in rows]
            estimator = forged["witness"]["primal"]["estimator"]
            forged["witness"]["primal"]["estimator"] = [[str(sign * scale)] * len(rows) for _ in estimator]
            for lower, upper in (("-2", "-1"), ("0", "0"), ("1", "2"), ("2", "-5")):
                forged["claim"]["lower"], forged["claim"]["upper"] = lower, upper
                assert not check_text(json.dumps(forged)), (kind, rows, lower, upper)


def test_a_hostile_file_ends_within_the_budget() -> None:
    """Estimators and duals of very long numbers, all different: rejected, and soon."""
    made = accepted("a-optimal")
    long = 10**4000
    estimator = made["witness"]["primal"]["estimator"]
    made["witness"]["primal"]["estimator"] = [
        [f"1/{long + 2 * (i * len(row) + j) + 1}" for j in range(len(row))] for i, row in enumerate(estimator)
    ]
    assert not check_text(json.dumps(made))
    made = accepted("mutual-information")
    made["witness"]["logarithms"] = {"digits": "300"}
    assert check_text(json.dumps(made)).reason in ("", "the certificate needs more work than the checker does")
