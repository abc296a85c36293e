"""Random numbers that can be repeated: the argument ``rng`` of every function that draws (SPEC 7 of Scientific Python).

Real answers are never randomized with them: ``randomize`` reads the operating system's randomness.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Union

from rropt.core.errors import InvalidParameterError, shown
from rropt.core.lazy import numpy as np
from rropt.core.limits import MAX_SEED

if TYPE_CHECKING:
    RandomSource = Union[int, np.random.Generator, np.random.SeedSequence, np.random.BitGenerator, None]  # noqa: UP007
else:
    RandomSource = Any  # NumPy is imported when it is first used


def generator_of(rng: Any) -> np.random.Generator:
    """Return the generator of an argument ``rng``.

    Args:
        rng: a seed, an integer >= 0, which gives the same numbers in each call; a NumPy ``Generator``, which is used as
            it is and goes on; a ``SeedSequence`` or ``BitGenerator`` of NumPy; or ``None``, a new seed from the
            operating system in each call.

    Raises:
        InvalidParameterError: it is something else.

    >>> generator = generator_of(1)
    >>> int(generator.integers(10)), generator_of(generator) is generator
    (4, True)
    """
    is_seed = isinstance(rng, (int, np.integer)) and not isinstance(rng, bool) and 0 <= rng <= MAX_SEED
    if is_seed or rng is None:
        return np.random.default_rng(None if rng is None else int(rng))
    if isinstance(rng, (np.random.Generator, np.random.SeedSequence, np.random.BitGenerator)):
        return np.random.default_rng(rng)
    received = f"{shown(rng)}, of type {type(rng).__name__}"
    raise InvalidParameterError(
        f"`rng` is no source of random numbers: received {received}; allowed are a seed (an integer from 0 to 2^128 - "
        "1), a numpy.random.Generator, or None for a new seed"
    )


def seed_of(rng: Any) -> int:
    """Return a seed for a function that starts the same numbers several times: the seed itself, or one that is drawn.

    Args:
        rng: as for ``generator_of``.

    >>> seed_of(5), seed_of(generator_of(1)) == seed_of(generator_of(1))
    (5, True)
    """
    generator = generator_of(rng)
    return int(rng) if isinstance(rng, (int, np.integer)) else int(generator.integers(1 << 62))
