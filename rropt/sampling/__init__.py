"""Sampling: randomize answers by any rational mechanism, exactly, with the operating system's randomness.

``randomize`` (one answer), ``randomize_many`` (an array), ``Randomizer`` (prepare once, use often). The law of every
output is the mechanism's column itself and not a float near it: bits of a uniform number are compared with the exact
cumulative probabilities, and more bits are read only while the comparison is open (``decision_trees``). So the
mechanism's exact epsilon survives the computer, provided that the operating system's bytes are uniform and
independent. ``simulate_many`` draws from a seed instead: reproducible, and **not for real answers**.

What is protected, and what is not:

* No answer is logged, printed, cached, or put into an error message or a ``repr``. Errors name positions only.
* How many random bytes are read for one answer does not depend on it: ``randomize`` follows every column until all
  are decided, and only then picks the answer's own. The bulk routine too decides from the random digit alone which
  answers need a second word, and compares equally often for all of them. Ties beyond that word, of probability at
  most m 2^-32 per answer, are settled in the answer's own column.
* It is not constant-time: the addresses of table lookups depend on the answer (caches), and Python's integers have no
  constant-time operations. Somebody who can time single answers on the same machine to the nanosecond is outside what
  this module protects against. Where that matters, randomize on the respondent's own device.
* Memory is not wiped: the caller's answers, and Python's copies of them, live until they are overwritten.
* Randomizing the same answer twice and publishing both outputs spends the mechanism's epsilon twice.
"""

from __future__ import annotations

from rropt.sampling.randomize import randomize, randomize_many, simulate_many
from rropt.sampling.randomizer import Randomizer

__all__ = ["Randomizer", "randomize", "randomize_many", "simulate_many"]
