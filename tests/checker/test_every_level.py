"""The statement every-level: mutants under an oracle that enumerates all covers, signs and roots, sizes."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Callable
from copy import deepcopy
from fractions import Fraction
from typing import Any

import pytest
from adversary.asking import ask
from adversary.boundary import oracle
from adversary.kernels.mutants import mutants
from javascript import judged
from vectors import vectors

from rropt.checker.quadratics import Point, compare, crossings, is_nonnegative, sign_after, sign_at, sign_before
from rropt.designs.parametric.level_pieces import certify_pieces, solve_pieces

F = Fraction
ONE = F(1)
ACCEPTED = [v["certificate"] for v in vectors("every-level") if v["verdict"] == "accepted"]


def drawn_costs(rng: random.Random) -> list[list[Fraction]]:
    """Return the costs of a problem of two to four inputs: losses, ties, zeros, copies, negative numbers."""
    k = rng.randint(2, 4)
    m = rng.randint(1, 4 if k < 4 else 3)
    costs = [[F(rng.randint(-2, 6), rng.choice((1, 1, 2, 3))) for _ in range(k)] for _ in range(m)]
    if rng.random() < 0.3:
        costs = [[F(abs(d - j) * rng.choice((1, 1, 2))) for j in range(k)] for d in range(m)]
    if rng.random() < 0.2:
        costs[-1] = list(costs[0])
    if rng.random() < 0.2:
        costs = [[row[0], *row[1:-1], row[0]] for row in costs]
    return costs


def certificate(costs: list[list[Fraction]], start: Fraction = ONE, stop: Fraction | None = None) -> Any:
    """Return the certificate as a JSON value."""
    return json.loads(certify_pieces(costs, solve_pieces(costs, start, stop), start, stop).text)


def test_no_false_mutant_is_accepted(size: Callable[[int, int], int]) -> None:
    """Mutants in Python and JavaScript; the accepted ones are true by the enumeration of all covers."""
    rng = random.Random(84)
    files = [*ACCEPTED, *(certificate(drawn_costs(rng)) for _ in range(size(2, 60)))]
    counts = judged(mutants(files, size(100, 20_000), 84))
    assert counts["rejected"] > 10 * counts["decided"] > 0


def test_drawn_problems_are_proved_and_true(size: Callable[[int, int], int]) -> None:
    rng = random.Random(5)
    for _ in range(size(4, 400)):
        costs = drawn_costs(rng)
        start = rng.choice((F(1), F(1), F(3, 2)))
        stop = rng.choice((None, None, start + F(rng.randint(1, 40), 7)))
        made = certificate(costs, start, stop)
        assert ask(json.dumps(made))
        assert oracle.truth(made)


def test_a_false_claim_with_an_honest_proof_of_another_problem_is_rejected() -> None:
    """The proof of the absolute loss does not serve the squared one, and conversely."""
    pi = [F(1, 2), F(3, 10), F(1, 5)]
    files = [certificate([[p * abs(d - j) ** power for j, p in enumerate(pi)] for d in range(3)]) for power in (1, 2)]
    for one, two in (files, files[::-1]):
        made = deepcopy(one)
        made["claim"], made["proof"] = two["claim"], two["proof"]
        assert not ask(json.dumps(made))


def test_a_row_of_weight_0_is_rejected() -> None:
    made = certificate([[F(0), F(1)], [F(1), F(0)]])
    rows = made["claim"]["pieces"][0]["rows"]
    unused = next(
        [d, x, "0"] for d in ("0", "1") for x in ("10", "01", "11") if [d, x] not in [row[:2] for row in rows]
    )
    rows.append(unused)
    verdict = ask(json.dumps(made))
    assert not verdict
    assert "not positive" in verdict.reason


def test_signs_roots_and_intervals_are_those_of_many_digits(
    rng: random.Random, size: Callable[[int, int], int]
) -> None:
    """Quadratics with roots at the ends, double roots and constants, against numbers of 60 digits and exact zeros."""
    mpmath = pytest.importorskip("mpmath")
    with mpmath.workdps(60):

        def real(point: Point) -> Any:
            return (point.p + point.q * mpmath.sqrt(point.D)) / point.s

        def at(Q: tuple[int, int, int], x: Any) -> Any:
            return Q[0] + Q[1] * x + Q[2] * x * x

        tiny = mpmath.mpf(10) ** -40  # the numbers are below 10^6: a value that is not 0 is above 10^-20
        for _ in range(size(60, 2000)):
            a, b, c = (rng.randint(-4, 4) for _ in range(3))
            Q = (a, b, c)
            low = Point.of(rng.randint(0, 3), rng.randint(0, 2), rng.choice((2, 3, 5)), rng.randint(1, 3))
            high = Point.of(rng.randint(4, 9), rng.randint(-1, 2), rng.choice((2, 3, 5)), 1)
            if b * b - 4 * a * c > 0 and c and rng.random() < 0.5:  # a root at an end
                low = Point.of(-b, rng.choice((1, -1)), b * b - 4 * a * c, 2 * c)
            if compare(low, high) >= 0 or not any(Q):
                assert (real(low) >= real(high) - tiny) == (compare(low, high) >= 0)
                continue
            x, y = real(low), real(high)
            value = at(Q, x)
            assert sign_at(Q, low) == (0 if abs(value) < tiny else int(mpmath.sign(value)))
            near = mpmath.mpf(10) ** -25
            assert sign_after(Q, low) == int(mpmath.sign(at(Q, x + near)))
            assert sign_before(Q, high) == int(mpmath.sign(at(Q, y - near)))
            changes = [real(point) for point in crossings(Q, low, high, sign_after(Q, low))]
            assert changes == sorted(changes)
            inside = [x + (y - x) * i / 61 for i in range(1, 61)]
            signs = [int(mpmath.sign(at(Q, z))) for z in inside]
            flips = sum(s * t < 0 for s, t in itertools.pairwise(signs))
            assert flips in (len(changes), len(changes) - 2, len(changes) - 1)  # roots closer than the points
            assert all(abs(at(Q, z)) < tiny for z in changes)
            vertex = [-mpmath.mpf(b) / (2 * c)] if c else []
            least = min(at(Q, z) for z in [x, y, *(z for z in vertex if x < z < y)])
            assert is_nonnegative(Q, low, high) == (least > -tiny)


@pytest.mark.slow
def test_sixteen_inputs_are_within_the_budget() -> None:
    """The checker takes at most two seconds: its budget is counted in units of about two microseconds."""
    rng = random.Random(1)
    weights = [rng.randint(1, 20) for _ in range(16)]
    pi = [F(w, sum(weights)) for w in weights]
    made = json.dumps(certificate([[p * abs(d - j) for j, p in enumerate(pi)] for d in range(16)]))
    assert ask(made)
    assert len(made) < 60_000
