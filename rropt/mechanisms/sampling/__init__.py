"""Sampling: randomize answers by any rational mechanism, exactly, with the operating system's randomness.

``randomize`` (one answer), ``randomize_many`` (an array), ``Randomizer`` (prepare once, use often). The distribution of
every output is the mechanism's column itself and not a float near it: bits of a uniform number are compared with the
exact cumulative probabilities, and more bits are read only while the comparison is open (``decision_trees``). So the
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

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rropt.mechanisms.imports import required_mechanism
from rropt.mechanisms.mechanism import Mechanism
from rropt.mechanisms.sampling.fair_bits import DiscreteNoise
from rropt.mechanisms.sampling.inversion import Integers
from rropt.mechanisms.sampling.randomizer import Randomizer

__all__ = ["DiscreteNoise", "Randomizer", "randomize", "randomize_many", "randomized", "simulate_many"]

_PREPARED = 4  # mechanisms that stay prepared; their tables take some megabytes each


def randomize(answer: int, mechanism: Mechanism | str) -> int:
    """Return one randomized response, drawn from the exact distribution with the operating system's randomness.

    ``Pr(result = i) = p_ij`` for the answer j: rational, and no float on the way.

    Args:
        answer: the true category j, an integer 0..k-1.
        mechanism: the mechanism P, shape (m, k), or its text form.

    Returns:
        An integer i in 0..m-1.

    Raises:
        InvalidParameterError: not an integer, or out of range; the message does not repeat the answer.

    Cost per answer: as ``Randomizer.randomize`` (5 to 10 microseconds at k = 3, about linear in k); preparing a new
    mechanism costs O(m k).

    >>> from rropt.mechanisms import named_mechanism
    >>> mechanism = named_mechanism("generalised:1,1/4")
    >>> randomize(0, mechanism), randomize(1, mechanism) in (0, 1), mechanism[0, 1], float(mechanism[0, 1])
    (0, True, Fraction(3, 4), 0.75)
    """
    return _prepared(_Same(required_mechanism(mechanism))).randomize(answer)


def randomize_many(answers: ArrayLike, mechanism: Mechanism | str) -> Integers:
    """Return independent randomized responses, drawn from the exact distribution with the operating system's
    randomness.

    Args:
        answers: true categories, integers 0..k-1, of any shape.
        mechanism: the mechanism P, shape (m, k), or its text form.

    Returns:
        An array of the same shape; of the same integer type if that holds 0..m-1, else int64.

    Raises:
        InvalidParameterError: not integers, or one out of range; positions are named, answers are not.

    Cost per answer: as ``Randomizer.randomize_many`` (6 to 15 ns at m = k = 10).

    >>> from rropt.mechanisms import named_mechanism
    >>> randomize_many([0, 0, 0], named_mechanism("generalised:1,1/4"))
    array([0, 0, 0])
    """
    return _prepared(_Same(required_mechanism(mechanism))).randomize_many(answers)


def simulate_many(answers: ArrayLike, mechanism: Mechanism | str, *, seed: int | np.random.Generator) -> Integers:
    """Return simulated randomized responses that a seed reproduces: NOT FOR REAL ANSWERS.

    The same exact distribution as ``randomize_many``; anyone who knows or guesses the seed can undo the randomization.

    Args:
        answers: categories, integers 0..k-1, of any shape.
        mechanism: the mechanism P, shape (m, k), or its text form.
        seed: an integer >= 0, or a NumPy ``Generator``, which is the source of random bytes.

    Returns:
        As ``randomize_many``.

    Raises:
        InvalidParameterError: as ``randomize_many``, or an unusable seed.

    Cost per answer: 3 to 8 ns at m = k = 10.

    >>> from rropt.mechanisms import named_mechanism
    >>> int(simulate_many([1] * 1000, named_mechanism("generalised:1,1/4"), seed=1).sum())
    262
    """
    return _prepared(_Same(required_mechanism(mechanism))).simulate_many(answers, seed=seed)


class _Same:
    """A key that stands for one object: hashing the matrix of a large mechanism takes longer than sampling."""

    __slots__ = ("mechanism",)

    def __init__(self, mechanism: Mechanism) -> None:
        self.mechanism = mechanism

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.mechanism is self.mechanism

    def __hash__(self) -> int:
        return id(self.mechanism)


@lru_cache(maxsize=_PREPARED)
def _prepared(same: _Same) -> Randomizer:
    return Randomizer(same.mechanism)


def randomized(mechanism: Mechanism, answers: Any) -> Any:
    """Return ``randomize(answers, mechanism)`` of one answer, and ``randomize_many`` of an array or a list of them.

    Args:
        mechanism: from which is drawn.
        answers: one category, or a list or an array of them.

    >>> from rropt.mechanisms import named_mechanism
    >>> randomized(named_mechanism("generalised:1,1/4"), [0, 0])
    array([0, 0])
    """
    is_one = isinstance(answers, (int, np.integer)) and not isinstance(answers, bool)
    return randomize(int(answers), mechanism) if is_one else randomize_many(answers, mechanism)
