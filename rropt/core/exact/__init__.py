"""Exact numbers: rational parameters, privacy levels, and the irrational numbers derived from them."""

from __future__ import annotations

from rropt.core.exact.brackets import Bounded, Bracket
from rropt.core.exact.display import as_text, both_texts, decimal_text, distinguishing_decimal
from rropt.core.exact.levels import Delta, Epsilon
from rropt.core.exact.number_input import split_list
from rropt.core.exact.numbers import exact_confidence, rational, rational_where
from rropt.core.exact.reals import ExactReal

__all__ = [
    "Bounded",
    "Bracket",
    "Delta",
    "Epsilon",
    "ExactReal",
    "as_text",
    "both_texts",
    "decimal_text",
    "distinguishing_decimal",
    "exact_confidence",
    "rational",
    "rational_where",
    "split_list",
]
