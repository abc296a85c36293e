"""Anchored proofs: the ends are checked by the engine, not promised by the author (docs/proofs.md)."""

from __future__ import annotations

from rropt.claims.anchors.declarations import (
    Anchored,
    ArgMin,
    ArgMinEnds,
    Cell,
    Entry,
    Exchange,
    Exp,
    Flag,
    Fold,
    Greatest,
    Least,
    Max,
    Min,
    Step,
    Truth,
    Value,
)
from rropt.claims.anchors.laws import Law

__all__ = [
    "Anchored",
    "ArgMin",
    "ArgMinEnds",
    "Cell",
    "Entry",
    "Exchange",
    "Exp",
    "Flag",
    "Fold",
    "Greatest",
    "Law",
    "Least",
    "Max",
    "Min",
    "Step",
    "Truth",
    "Value",
]
