"""Sampling: randomize answers exactly by any rational mechanism, with the operating system's randomness.

Use ``randomize`` for one answer, ``randomize_many`` for an array, and ``Randomizer`` to prepare a mechanism once and
use it often. The distribution of every output is exactly the mechanism's column, without rounding to floats. The bits
of a uniform number are compared with the exact cumulative probabilities, and more bits are read only while the
comparison is undecided (``inversion``). So the exact epsilon of the mechanism is preserved, provided that the operating
system's bytes are uniform and independent. ``simulate_many`` draws from ``rng`` instead: it can be repeated and is
**not for real answers**.

What is protected, and what is not:

* No answer is logged, printed, cached, or included in an error message or a ``repr``. Errors name positions only.
* The number of random bytes that are read for one answer does not depend on the answer. ``randomize`` follows all
  columns until all are decided, and only then selects the column of the answer. The bulk routine decides from the
  random digit alone which answers need a second word, and makes equally many comparisons for all of them. Ties beyond
  that word, of probability at most m 2^-32 per answer, are resolved in the column of the answer.
* Sampling is not constant-time. The addresses of table lookups depend on the answer (caches), and Python's integers
  have no constant-time operations. An attacker who can time single answers on the same machine to the nanosecond is
  outside the threat model. Where that matters, randomize on the respondent's own device.
* Memory is not wiped: the caller's answers, and Python's copies of them, remain until they are overwritten.
* Randomizing the same answer twice and publishing both outputs spends the mechanism's epsilon twice.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rropt.core.argument_checks import clear_calls
from rropt.core.errors import InvalidParameterError, shown
from rropt.core.random_numbers import RandomSource
from rropt.mechanisms.imports import required_mechanism
from rropt.mechanisms.mechanism import Mechanism
from rropt.mechanisms.sampling.fair_bits import DiscreteNoise, RandomBits
from rropt.mechanisms.sampling.inversion import Integers
from rropt.mechanisms.sampling.randomizer import Randomizer

__all__ = [
    "DiscreteNoise",
    "RandomBits",
    "Randomizer",
    "randomize",
    "randomize_many",
    "randomized",
    "simulate_many",
    "simulated",
]

_SHOWN = 12  # names in a message
_PREPARED = 4  # number of mechanisms that stay prepared; their tables take some megabytes each


@clear_calls
def randomize(answer: int, mechanism: Mechanism | str) -> int:
    """Return one randomized response, drawn from the exact distribution with the operating system's randomness.

    ``Pr(result = i) = p_ij`` exactly for the answer j; no floats are involved.

    Args:
        answer: the true category j, an integer 0..k-1.
        mechanism: the mechanism P, shape (m, k), or its text form.

    Returns:
        An integer i in 0..m-1.

    Raises:
        InvalidParameterError: the answer is not an integer, or is out of range; the message does not repeat the answer.

    The cost per answer is that of ``Randomizer.randomize``: 5 to 10 microseconds at k = 3, about linear in k. Preparing
    a new mechanism costs O(m k).

    >>> randomize(0, "generalised:1,1/4"), randomize(1, "generalised:1,1/4") in (0, 1)
    (0, True)
    """
    return _randomizer_of(_IdentityKey(required_mechanism(mechanism))).randomize(answer)


def randomize_many(answers: ArrayLike, mechanism: Mechanism | str) -> Integers:
    """Return independent randomized responses from the exact distribution.

    The randomness is that of the operating system.

    Args:
        answers: true categories, integers 0..k-1, of any shape.
        mechanism: the mechanism P, shape (m, k), or its text form.

    Returns:
        An array of the same shape, with the same integer type if it can represent 0..m-1, else int64.

    Raises:
        InvalidParameterError: the answers are not integers, or one is out of range. The message names its position but
            does not repeat it.

    The cost per answer is that of ``Randomizer.randomize_many``: 6 to 15 ns at m = k = 10.

    >>> from rropt.mechanisms import named_mechanism
    >>> randomize_many([0, 0, 0], named_mechanism("generalised:1,1/4"))
    array([0, 0, 0])
    """
    return _randomizer_of(_IdentityKey(required_mechanism(mechanism))).randomize_many(answers)


def simulate_many(answers: ArrayLike, mechanism: Mechanism | str, *, rng: RandomSource = None) -> Integers:
    """Return simulated randomized responses that can be repeated from a seed: NOT FOR REAL ANSWERS.

    The distribution is exactly that of ``randomize_many``, but anyone who knows or guesses the seed can undo the
    randomization.

    Args:
        answers: categories, integers 0..k-1, of any shape.
        mechanism: the mechanism P, shape (m, k), or its text form.
        rng: a seed (an integer >= 0), or a NumPy ``Generator``, which is the source of random bytes; ``None``: a new
            seed in each call.

    Returns:
        As ``randomize_many``.

    Raises:
        InvalidParameterError: `rng` is invalid, or as for ``randomize_many``.

    The cost per answer is 3 to 8 ns at m = k = 10.

    >>> from rropt.mechanisms import named_mechanism
    >>> int(simulate_many([1] * 1000, named_mechanism("generalised:1,1/4"), rng=1).sum())
    262
    """
    return _randomizer_of(_IdentityKey(required_mechanism(mechanism))).simulate_many(answers, rng=rng)


class _IdentityKey:
    """A cache key for one object, compared by identity: hashing the matrix of a large mechanism would be slow."""

    __slots__ = ("mechanism",)

    def __init__(self, mechanism: Mechanism) -> None:
        self.mechanism = mechanism

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _IdentityKey) and other.mechanism is self.mechanism

    def __hash__(self) -> int:
        return id(self.mechanism)


@lru_cache(maxsize=_PREPARED)
def _randomizer_of(same: _IdentityKey) -> Randomizer:
    return Randomizer(same.mechanism)


def randomized(mechanism: Mechanism, answers: Any) -> Any:
    """Randomize one answer, or an array or a list of answers, and return what ``Responses`` takes in.

    Args:
        mechanism: the mechanism P.
        answers: one category, or a list or an array of categories: their numbers 0..k-1, or their names.

    Returns:
        The numbers of a mechanism with numbers, else its labels if it has them, else the codes of the outputs; a
        Series of pandas for such a Series.

    >>> from rropt.mechanisms import named_mechanism
    >>> randomized(named_mechanism("generalised:1,1/4"), [0, 0])
    array([0, 0])
    >>> randomized(named_mechanism("generalised:1,1/4").labelled(["no", "yes"], ["no", "yes"]), "no")
    'no'
    """
    codes, is_one = _coded_answers(mechanism, answers)
    return _written(mechanism, randomize(codes, mechanism) if is_one else randomize_many(codes, mechanism), answers)


def simulated(mechanism: Mechanism, answers: Any, *, rng: RandomSource = None) -> Any:
    """Simulate the response to one answer, or to an array or a list of answers, as ``randomized`` returns it.

    NOT FOR REAL ANSWERS: anyone who knows or guesses the seed can undo the randomization.

    Args:
        mechanism: the mechanism P.
        answers: as for ``randomized``.
        rng: a seed (an integer >= 0), which gives the same responses in each call; a NumPy ``Generator``, which goes
            on; or ``None``: a new seed in each call.

    >>> from rropt.mechanisms import named_mechanism
    >>> simulated(named_mechanism("warner:3/4"), [1] * 8, rng=1), simulated(named_mechanism("warner:3/4"), 1, rng=2)
    (array([1, 1, 0, 1, 1, 1, 0, 1]), 1)
    """
    codes, is_one = _coded_answers(mechanism, answers)
    drawn = simulate_many([codes] if is_one else codes, mechanism, rng=rng)
    return _written(mechanism, int(drawn[0]) if is_one else drawn, answers)


def _coded_answers(mechanism: Mechanism, answers: Any) -> tuple[Any, bool]:
    """Return the numbers of the categories for their names, and whether it is one answer; numbers stay."""
    if isinstance(answers, (int, np.integer)) and not isinstance(answers, bool):
        return int(answers), True
    is_one = isinstance(answers, str)
    listed = [answers] if is_one else answers
    has_numbers = getattr(getattr(listed, "dtype", None), "kind", "O") in "biuf"
    if not mechanism.categories or has_numbers or not all(isinstance(one, str) for one in listed):
        return answers, False
    places = {name: place for place, name in enumerate(mechanism.categories)}
    codes = [places.get(one, -1) for one in listed]
    if -1 in codes:  # the message repeats no answer
        raise InvalidParameterError(
            f"an answer is no category: received another text at position {codes.index(-1)}; allowed are "
            f"{', '.join(map(shown, mechanism.categories[:_SHOWN]))}"
        )
    return (codes[0], True) if is_one else (codes, False)


def _written(mechanism: Mechanism, drawn: Any, answers: Any) -> Any:
    """Return outputs as numbers or labels, if the mechanism has them."""
    if mechanism.output_values:
        names = np.array([float(value) for value in mechanism.output_values])
    elif mechanism.categories and mechanism.responses:
        names = np.array(mechanism.responses, object)
    else:
        return drawn
    made = names[drawn]
    if isinstance(drawn, int):
        return made if isinstance(made, str) else float(made)
    is_series = hasattr(answers, "index") and hasattr(answers, "to_numpy")
    return type(answers)(made, index=answers.index, name=answers.name) if is_series else made
