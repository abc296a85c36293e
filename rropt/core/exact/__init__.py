"""Exact numbers: rational parameters, privacy levels, and the irrational numbers derived from them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rropt.core.lazy import lazy_names

if TYPE_CHECKING:
    from rropt.core.exact.display import as_text as as_text
    from rropt.core.exact.display import both_texts as both_texts
    from rropt.core.exact.display import decimal_text as decimal_text
    from rropt.core.exact.display import decimals_apart as decimals_apart
    from rropt.core.exact.display import distinguishing_decimal as distinguishing_decimal
    from rropt.core.exact.levels import Delta as Delta
    from rropt.core.exact.levels import Epsilon as Epsilon
    from rropt.core.exact.numbers import exact_confidence as exact_confidence
    from rropt.core.exact.numbers import rational as rational
    from rropt.core.exact.numbers import rational_where as rational_where
    from rropt.core.exact.numbers import split_list as split_list
    from rropt.core.exact.rational_bounds import Bounded as Bounded
    from rropt.core.exact.rational_bounds import Bracket as Bracket
    from rropt.core.exact.reals import ExactReal as ExactReal

__getattr__, __dir__, __all__ = lazy_names(__name__, __file__)
