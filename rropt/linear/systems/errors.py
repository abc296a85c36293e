"""What can go wrong inside exact linear algebra."""

from __future__ import annotations

from rropt.errors import RroptError

__all__ = ["SingularMatrixError"]


class SingularMatrixError(RroptError, ArithmeticError):
    """A square system has a singular matrix: no solution, or more than one."""
