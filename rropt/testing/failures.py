"""What a property raises: the contract is broken, or it says nothing about a row."""

from __future__ import annotations

from unittest import SkipTest


class BrokenContract(AssertionError):  # noqa: N818  # the name is what it states, as for the checker's Rejected
    """A row breaks a property of the contract; the message names both, and the source of the optimum."""


class NotApplicable(SkipTest):
    """A property says nothing about a row; the message has the reason. pytest and unittest count it as skipped."""
