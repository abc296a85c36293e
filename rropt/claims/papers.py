"""The paper: what its entries share, stated once, on the front page of its folder."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType
from typing import Any

from rropt.claims.claim import Claim
from rropt.errors import InvalidParameterError


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper and its conventions; as text it is what its entries cite.

    Attributes:
        id: the part of a claim's id before the first dot.
        name: how entries cite it.
        title: as on the paper.
        conventions: what is agreed on, and how, for each: the domains of the parameters, the degenerate levels, the
            notation. An entry that departs from one says so in ``precise``.
    """

    id: str
    name: str
    title: str
    conventions: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        return self.name

    def to_dict(self) -> dict[str, Any]:
        """Return the name, the title and the conventions, as text."""
        return {"name": self.name, "title": self.title, "conventions": dict(self.conventions)}


def papers_of(claims: Mapping[str, tuple[Claim, ModuleType]]) -> dict[str, Paper]:
    """Return the papers of claims by id: the object ``PAPER`` of the package that each claim's module is in.

    A package without one has none; its claims are complete without conventions.

    Raises:
        InvalidParameterError: the paper of a package has another id than its claims.
    """
    found: dict[str, Paper] = {}
    for claim, module in claims.values():
        paper = getattr(import_module(module.__package__ or module.__name__), "PAPER", None)
        if isinstance(paper, Paper):
            if paper.id != claim.paper:
                raise InvalidParameterError(
                    f"the paper of {claim.id} has another id: received {paper.id}; give its PAPER the id {claim.paper}"
                )
            found[paper.id] = paper
    return found
