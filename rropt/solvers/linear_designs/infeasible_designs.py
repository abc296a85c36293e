"""Bounds that no private mechanism meets: the error with its certificate."""

from __future__ import annotations

from typing import Any

from rropt.certificates import Certificate
from rropt.errors import InfeasibleError


class InfeasibleDesignError(InfeasibleError):
    """No mechanism of the region meets its bounds.

    Attributes:
        certificate: accepted by the checker (FORMAT.md, rule 4).
        reason: which bounds conflict, and the level that they need.
    """

    def __init__(self, reason: str, certificate: Certificate) -> None:
        super().__init__(reason)
        self.reason = reason
        self.certificate = certificate

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.reason, self.certificate), vars(self)
