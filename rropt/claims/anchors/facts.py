"""Facts: what a proof may use."""

from __future__ import annotations

from dataclasses import dataclass

from rropt.claims.relations import Relation


@dataclass(frozen=True, slots=True)
class Fact:
    """A relation that a proof may use, and where it comes from: ``domain``, ``condition``, ``case``, ``step``, ..."""

    relation: Relation
    source: str
