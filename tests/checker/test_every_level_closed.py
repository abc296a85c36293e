"""The statement every-level-closed: mutants under an oracle that writes designs as matrices, drawn problems, sizes."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from copy import deepcopy
from fractions import Fraction
from typing import Any

import pytest
from adversary.asking import ask
from adversary.boundary import oracle
from adversary.kernels.mutants import mutants
from javascript import verdict
from vectors import vectors

import rropt
from rropt.checker import check_text
from rropt.designs.parametric.closed_certificates import StatedPiece, certify_closed, stated_problem
from rropt.designs.parametric.quadratic_formulas import root_of, triple

F = Fraction
ACCEPTED = [v["certificate"] for v in vectors("every-level-closed") if v["verdict"] == "accepted"]


def certificate(asked: dict[str, Any]) -> Any:
    """Return the certificate of a problem as a JSON value."""
    door = rropt.design.binary if "prevalence" in asked else rropt.design.kary
    found = rropt.every_level(door, fast=True, **asked)
    return json.loads(found.certificate.text)


def drawn(rng: random.Random, number: int) -> dict[str, Any]:
    """Return the arguments of a small problem, of each kind in turn, on an interval."""
    delta, k = rng.choice([F(0), F(1), F(rng.randint(1, 19), 20), F(1, 1000)]), rng.randint(2, 6)
    low = F(rng.randint(5, 15), 5)
    levels = rng.choice([{"epsilon": "all"}, {"epsilon": f"log({low})..log({low + rng.randint(1, 9)})"}])
    if number % 3 == 0:
        return {"prevalence": F(rng.randint(0, 20), 20), "delta": delta, **levels}
    if number % 3 == 1:
        weights = [*(rng.randint(0, 4) for _ in range(k - 1)), 1]
        return {"categories": k, "objective": rropt.objectives.Trace(weights), "delta": max(delta, F(1, 50)), **levels}
    return {
        "categories": k,
        "objective": rng.choice(["a-optimal", "d-optimal", "e-optimal"]),
        "delta": delta,
        **levels,
    }


def test_no_false_mutant_is_accepted(size: Callable[[int, int], int]) -> None:
    """Mutants in Python and JavaScript; the accepted ones are true, or beyond the sizes of the oracle."""
    rng = random.Random(84)
    files = [*ACCEPTED, *(certificate(drawn(rng, n)) for n in range(size(3, 60)))]
    counts = {"rejected": 0, "accepted": 0, "decided": 0}
    for text in mutants(files, size(200, 20_000), 84):
        answer = bool(check_text(text))
        assert (verdict(text) == "accepted") == answer, text
        counts["accepted" if answer else "rejected"] += 1
        if answer:
            is_true = oracle.truth(json.loads(text))
            assert is_true is not False, text
            counts["decided"] += is_true is True
    assert counts["rejected"] > 5 * counts["decided"] > 0


@pytest.mark.slow
def test_drawn_problems_are_proved_and_true(size: Callable[[int, int], int]) -> None:
    rng = random.Random(5)
    for n in range(size(12, 300)):
        made = certificate(drawn(rng, n))
        assert ask(json.dumps(made))
        assert oracle.truth(made), made


def neighbours(k: int, gamma: Fraction) -> Iterator[tuple[int, Fraction]]:
    """Yield the information of sets of each size by its definition, from the squares of a row."""
    for d in range(1, k):
        row = [gamma] * d + [F(1)] * (k - d)
        yield d, k * sum(x * x for x in row) / sum(row) ** 2


def test_the_neighbours_decide(rng: random.Random, size: Callable[[int, int], int]) -> None:
    """A size that is no worse than both of its neighbours is no worse than any other; likewise for traces."""
    for _ in range(size(40, 1000)):
        k, gamma = rng.randint(2, 30), 1 + F(rng.randint(1, 400), rng.randint(1, 60))
        found = dict(neighbours(k, gamma))
        weights = sorted((F(rng.randint(0, 9)) for _ in range(k)), reverse=True)
        traces = {m: sum(weights[:m]) / (gamma + m - 1) for m in range(1, k + 1)}
        for values in (found, traces):
            best = max(values.values())
            local = [d for d, x in values.items() if x >= max(values.get(d - 1, x), values.get(d + 1, x))]
            assert all(values[d] == best for d in local)


def test_a_false_claim_with_an_honest_claim_of_another_problem_is_rejected() -> None:
    for one in ACCEPTED:
        for two in ACCEPTED:
            if one["problem"] != two["problem"] and one["claim"] != two["claim"]:
                made = {**deepcopy(one), "claim": two["claim"]}
                if ask(json.dumps(made)):
                    assert oracle.truth(made), made


@pytest.mark.slow
@pytest.mark.parametrize("k", [2_000, 9_999, 10_000])
def test_thousands_of_pieces_are_within_the_budget(k: int) -> None:
    """The checker takes at most two seconds: its budget is counted in units of about two microseconds."""
    pieces = []
    for d in range(k // 2, 0, -1):
        place = root_of(F((k - d) * (k - d + 1), d * (d - 1))) if d > 1 else None
        below = triple(F(d * (k - d)), F(-2 * d * (k - d)), F(d * (k - d)))
        above = triple(F((k - d) ** 2 * (k - 1), k), F(2 * d * (k - d) * (k - 1), k), F(d * d * (k - 1), k))
        pieces.append(StatedPiece(place, above, below, str(d)))
    made = certify_closed(stated_problem({"kind": "e-optimal", "categories": str(k)}, F(0), F(1), None), pieces)
    assert ask(made.text)


def test_a_proof_has_no_keys() -> None:
    made = deepcopy(ACCEPTED[0])
    made["proof"] = {"cells": []}
    assert not ask(json.dumps(made))
