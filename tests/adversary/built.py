"""Files that were built on purpose: for one condition each, honest ones, and degenerate problems (``built.jsonl``).

``false``: the claim is false, and the checker without the condition accepts it. ``form``: the file violates the page,
and no bracket is proved by it; ``planted``: one or the other, of any statement. ``degenerate``: a problem at the edge
of what a problem may be. ``honest``: true, with a complete proof. Some lines say in ``about`` what they are built for,
and in ``says`` what the proved checker prints.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

HALF = [["1/2", "1/2"], ["1/2", "1/2"]]


@cache
def _lines() -> list[Any]:
    text = Path(__file__).with_name("built.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def built(*kinds: str) -> list[str]:
    """Return the texts of some kinds."""
    return [line["text"] for line in _lines() if line["kind"] in kinds]


def verdicts() -> dict[str, str]:
    """Return every text and its verdict."""
    return {line["text"]: line["verdict"] for line in _lines()}


def said() -> dict[str, list[str]]:
    """Return the accepted texts of which it is stored what the proved checker prints, with these words."""
    return {line["text"]: line["says"] for line in _lines() if "says" in line}


def statement(name: str, problem: Any, claim: Any, proof: Any) -> dict[str, Any]:
    """Return a certificate of a statement."""
    return {"format": "2", "statement": name, "problem": problem, "claim": claim, "proof": proof}


def level(gamma: int, delta: str = "0", pairs: Any = "all") -> tuple[Any, Any]:
    """Return a level with epsilon = log gamma, and its brackets."""
    epsilon = {"rational": "0"} if gamma == 1 else {"log": str(gamma)}
    ends = [{"below": x, "above": x} for x in (str(gamma), delta)]
    return {"epsilon": epsilon, "delta": delta, "pairs": pairs}, {"gamma": ends[0], "delta": ends[1]}


def design(objective: Any, population: Any, ends: tuple[str, str], mechanism: Any, proof: Any, **parts: Any) -> Any:
    """Return a design bracket of two inputs at log 3, unless the parts say otherwise."""
    levels = parts.get("levels", [level(3)])
    problem = {"inputs": "2", "outputs": "any", "bounds": None} | parts.get("problem", {})
    problem |= {"levels": [one for one, _ in levels], "objective": objective, "population": population}
    claim = {"lower": ends[0], "upper": ends[1], "mechanism": {"matrix": mechanism}}
    given = {"way": "rays", "brackets": [bracket for _, bracket in levels], "slopes": []} | proof
    return statement("design-bracket", problem, claim, given)
