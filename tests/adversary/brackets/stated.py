"""Stored files of the statement design-bracket, and problem and claim as the oracles read them."""

from __future__ import annotations

import json
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

F = Fraction
CASES = Path(__file__).with_name("cases.jsonl")


@cache
def cases() -> list[Any]:
    """Return the stored files at the conditions of the page, with their verdict and the truth of their claim."""
    return [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]


def in_format_1(document: Any) -> tuple[Any, Any] | None:
    """Return problem and claim of a file of one level for all pairs as format 1 has them, for oracles; else None."""
    problem, population = document["problem"], document["problem"]["population"]
    levels, objective = problem["levels"], problem["objective"]
    if len(levels) != 1 or levels[0].get("pairs") != "all" or "up" in levels[0]["epsilon"]:
        return None
    region = {
        "kind": "differential-privacy",
        "family": "all",
        "inputs": problem["inputs"],
        "outputs": problem["outputs"],
    }
    region |= {key: levels[0][key] for key in ("epsilon", "delta")}
    if problem["bounds"] is not None:
        region = {"kind": "bounded", "region": region, **problem["bounds"]}
    if isinstance(objective.get("weights"), dict):
        if problem["bounds"] is not None:
            return None
        population = {"uniform": problem["inputs"]}
    elif population is None:
        k = int(problem["inputs"])
        population = [str(F(1, k))] * k
    elif isinstance(population, dict) and "mixture" in population:
        weights, shares = ([part[key] for part in population["mixture"]] for key in ("weight", "shares"))
        objective = {"kind": "bayes", "objective": objective, "weights": weights, "populations": shares}
        population = shares[0]
    claim = {"kind": "design-bracket", **document["claim"]}
    return {"region": region, "objective": objective, "population": population}, claim
