"""The statement ``parity-bound``: the infimum of the odds ratios of a criterion (parity_bound.md)."""

from .judgement import ProvedCell, ProvedCriterion
from .pieces import Piece
from .statement import check_parity_bound

__all__ = ["Piece", "ProvedCell", "ProvedCriterion", "check_parity_bound"]
