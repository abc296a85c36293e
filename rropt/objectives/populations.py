"""Populations as they come in: exact probabilities, one for each category."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from rropt.errors import InvalidParameterError, shown
from rropt.exact import rational


def exact_population(population: Sequence[object], inputs: int) -> tuple[Fraction, ...]:
    """Return a distribution over the inputs as exact numbers; a float means its shortest decimal.

    Raises:
        InvalidParameterError: no list of as many probabilities that sum to exactly 1.

    >>> exact_population([0.9, 0.1], 2)
    (Fraction(9, 10), Fraction(1, 10))
    """
    if isinstance(population, (str, bytes, dict)) or not hasattr(population, "__len__"):
        raise InvalidParameterError(
            f"population is not a list of {inputs} probabilities: received {shown(population)}; "
            "for a binary problem give (1 - prevalence, prevalence)"
        )
    if len(population) != inputs:
        raise InvalidParameterError(
            f"population has {len(population)} entries: the region has {inputs} inputs; give one share for each"
        )
    # what is a Fraction already may have come out of a solver, with more digits than are allowed to come in
    exact = tuple(p if type(p) is Fraction else rational(p, name=f"population[{j}]") for j, p in enumerate(population))
    if min(exact) < 0:
        raise InvalidParameterError(f"population has a negative entry: received {min(exact)}; probabilities are >= 0")
    if sum(exact) != 1:
        raise InvalidParameterError(
            f"population does not sum to 1: received the sum {sum(exact)}; write fractions such as 1/3"
        )
    return exact
