"""Mutants of parity-bound that exchange ends or turn comparisons: the vectors reveal those that are unsound."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from adversary.fuzz.exchanged import FOLDER, killed, mutants, questions
from stress import STRESS
from vectors import vectors

CHOSEN = [  # seen by no fuzzer of a thousand statements
    ("parity_bound/pieces.py", "return (self.start.high, self.end.high)"),
    ("parity_bound/constants.py", "exponent.denominator != 2"),
    ("parity_bound/expansions.py", "if self.constants.sign(d) >= 0:"),
    ("parity_bound/expansions.py", "if power[1] >= -1:"),
]


@pytest.mark.parametrize(
    ("file", "text"), CHOSEN if STRESS else CHOSEN[:1], ids=lambda x: x if x.endswith((":", ")", "2")) else ""
)
def test_an_unsound_mutant_is_told(file: str, text: str, tmp_path: Path) -> None:
    """All others, and what survives, are printed by ``python -m fuzz.exchanged``."""
    assert text not in ast.unparse(ast.parse((FOLDER / file).read_text(encoding="utf-8")))
    mutant = next(each for each in mutants(file) if text in each.text)
    hand = [vector["text"] for vector in vectors("parity-bound")][:140]
    assert killed(mutant, questions(hand, 0), tmp_path) == "unsound"
