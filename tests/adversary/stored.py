"""The files that are stored, by statement: vectors, the boundary suite, files of design-bracket, built ones."""

from __future__ import annotations

import json
from collections import defaultdict
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from vectors import FOLDER, vectors

from adversary.boundary import oracle
from adversary.built import verdicts
from rropt.checker.conformance.suite import suite_files

F = Fraction
STATEMENTS = sorted(path.stem for path in FOLDER.glob("*.jsonl"))
SHORT = 4000  # characters of a file that is judged in a moment


@cache
def cases() -> list[Any]:
    """Return the files of design-bracket at the conditions of the page, with their verdict and their claim's truth."""
    lines = Path(__file__).with_name("cases.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


@cache
def texts() -> dict[str, str]:
    """Return every stored text and its verdict."""
    found = {each["text"]: each["verdict"] for name in STATEMENTS for each in vectors(name)}
    found |= {file.text: "accepted" if file.accepted else "rejected" for file in suite_files()}
    return found | {json.dumps(case["certificate"]): case["verdict"] for case in cases()} | verdicts()


@cache
def accepted() -> dict[str, list[Any]]:
    """Return short accepted files by their statement."""
    found = defaultdict(list)
    for text, verdict in texts().items():
        if verdict == "accepted" and len(text) < SHORT:
            document = json.loads(text)
            found[document["statement"]].append(document)
    return found


def short_texts(statement: str) -> list[str]:
    """Return the texts of the short accepted files of a statement."""
    return list(map(json.dumps, accepted()[statement]))


def problem_of_one_level(document: Any) -> tuple[Any, Any] | None:
    """Return problem and claim of a file of one level for all pairs as the oracle reads them, else None."""
    problem, population = document["problem"], document["problem"]["population"]
    levels, objective = problem["levels"], problem["objective"]
    level = levels[0] if len(levels) == 1 else {}
    pairs = level.get("pairs") or []
    if pairs != "all" and (not pairs or len(pairs) != int(problem["inputs"]) * (int(problem["inputs"]) - 1)):
        return None
    epsilon = level["epsilon"]
    if "up" in epsilon:
        try:
            bound, _ = oracle.infimum(epsilon)
        except oracle.UndecidedError:
            return None
        if bound is None:
            return None
        epsilon = {"rational": "0"} if bound == 1 else {"log": str(bound)}
    region = {
        "kind": "differential-privacy",
        "family": "all",
        "inputs": problem["inputs"],
        "outputs": problem["outputs"],
        "epsilon": epsilon,
        "delta": level["delta"],
    }
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
