"""The statement binary-bracket: the sentences of its examples."""

from __future__ import annotations

import json
from typing import Any

from vectors import vectors

from rropt.checker.verdicts import state_text

ACCEPTED = [vector["certificate"] for vector in vectors("binary-bracket") if vector["verdict"] == "accepted"]


def told(document: Any) -> str:
    """Return the sentence of a file, and the remarks on it."""
    verdict, lines = state_text(json.dumps(document))
    assert verdict
    return "\n".join(lines)


def test_the_sentence_of_each_example() -> None:
    tie, regret, three = (told(each) for each in ACCEPTED[:3])
    assert "All optimal designs with p00 + p11 > 1: " in tie
    assert tie.startswith("The least n Var of the estimated prevalence at prevalence 1/4 of input 1, with 2")
    assert "lies in [15/16, 15/16]" in tie
    assert "the regret" in regret
    assert "from 0 to 3/4" in regret
    assert "with 2 categories and 3 outputs" in three
