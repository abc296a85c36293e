"""Theorem 5.6 once more, for one answer seen alone: one sentence has one verdict, so the entry is that of 5.6."""

from __future__ import annotations

from dataclasses import replace

from rropt_proofs.sun2023.theorem_5_6 import CLAIM as WHOLE

CLAIM = replace(
    WHOLE,
    id="sun2023.theorem-5.6-single",
    place=(5, 7),
    notes="The sentence is that of `theorem-5.6`, and so is the verdict. In the reading of this entry, one answer seen "
    "alone, the statement holds: the printed proof gives the chances of one answer, and that is what it shows.",
)
