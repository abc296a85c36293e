"""Exact numbers: privacy levels, brackets of irrational numbers, and the reader of every number that is given.

>>> from rropt.exact import Epsilon, rational
>>> Epsilon.of("log(3)") == 2 * Epsilon.of("log(3)/2"), rational("0.1")
(True, Fraction(1, 10))
"""

from rropt.core.exact.levels import Delta, Epsilon, log
from rropt.core.exact.numbers import rational
from rropt.core.exact.rational_bounds import Bracket
from rropt.core.exact.reals import ExactReal

__all__ = ["Bracket", "Delta", "Epsilon", "ExactReal", "log", "rational"]
