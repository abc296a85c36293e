"""The rule ``cover``: it proves infima of odds ratios (cover.md)."""

from .judgement import Cell, Criterion
from .pieces import Piece
from .rule import check_cover

__all__ = ["Cell", "Criterion", "Piece", "check_cover"]
