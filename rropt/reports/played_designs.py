"""Designs that cards or dice play exactly, and what they lose against the optimum of a problem.

A sheet never rounds: an estimate with another mechanism than the one used is biased. So the design itself is chosen
among those of a device: k-ary randomized response and subset selection, each at the most informative chance of the true
category that the device has and that the region allows. The certificate of the optimum bounds the loss.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from rropt.core.errors import InvalidParameterError, UnsupportedProblemError, one_of
from rropt.core.results import Result, labelled
from rropt.designs.solution import Solution
from rropt.mechanisms import Mechanism
from rropt.mechanisms.named.builders import subset_rows
from rropt.privacy import Region
from rropt.reports.randomizer_steps import MOST_CARDS
from rropt.reports.sheet_devices import device_of

PLAYED = {"cards": tuple(range(2, MOST_CARDS + 1)), "dice": (36,)}  # equally likely outcomes
_MOST_CATEGORIES = 12  # of a sheet
_DRAWN = "`rropt sheet --form web` draws every mechanism in the browser"


@dataclass(frozen=True, slots=True)
class PlayedDesign(Result):
    """A design that a randomizing device plays exactly.

    Attributes:
        randomizer: the device.
        played: the mechanism.
        played_value: its objective.
        loss: how much worse the objective is than its optimum, at most.
        relative_loss: the same divided by the absolute value of the proved bound of the optimum.
    """

    randomizer: str
    played: Mechanism
    played_value: Fraction
    loss: Fraction
    relative_loss: Fraction | None

    LABELS: ClassVar[Mapping[str, str]] = labelled(
        randomizer="played with",
        played_value="objective when played",
        loss="loss, at most",
        relative_loss="relative loss, at most",
    )


def played_design(solution: Solution, randomizer: str) -> PlayedDesign:
    """Return the best design of a problem among those that a device plays.

    Args:
        solution: the optimum, whose bracket bounds the loss.
        randomizer: ``"cards"`` (up to 100 numbered cards) or ``"dice"`` (two dice).

    Raises:
        InvalidParameterError: the randomizer is unknown.
        UnsupportedProblemError: the device plays no informative mechanism of the region, there are more than 12
            categories, or the design is for the worst case over a polytope.
    """
    one_of(randomizer, PLAYED, "the device")
    if not isinstance(solution, Solution):
        raise UnsupportedProblemError(
            f"a device plays the design of one problem: received {type(solution).__name__}; give one prevalence"
        )
    problem = solution.problem
    if problem.populations is not None:
        raise UnsupportedProblemError(f"a device plays the design of one distribution: received {problem}; give one")
    objective, region = problem.objective, problem.region
    least = objective.sense == "minimise"
    if region.inputs > _MOST_CATEGORIES:
        raise UnsupportedProblemError(
            f"the device plays designs of few categories: received {region.inputs} categories; allowed are at most "
            f"{_MOST_CATEGORIES}; {_DRAWN}"
        )
    found = []
    for size in range(1, region.inputs):
        made = next(_playable(region, size, randomizer), None)
        if made is not None:
            found.append((objective.value(made, problem.population), made))
    if not found:
        is_short = 0 < region.outputs < region.inputs
        advice = f"allow {region.inputs} outputs" if is_short else f"raise the level, or try {' and '.join(PLAYED)}"
        raise UnsupportedProblemError(
            f"the device plays no informative mechanism of the region: received {randomizer} and {region}; {advice}; "
            f"{_DRAWN}"
        )
    return played_as(solution, randomizer, (min if least else max)(found, key=lambda each: each[0])[1])


def played_as(solution: Solution, randomizer: str, mechanism: Mechanism) -> PlayedDesign:
    """Return what a mechanism that a device plays loses against the proved bound of the optimum.

    Raises:
        InvalidParameterError: the mechanism is not in the region of the problem.
    """
    problem = solution.problem
    if not _is_allowed(problem.region, mechanism):
        raise InvalidParameterError(f"the mechanism that is played exceeds the level: allowed is {problem.region}")
    value = problem.objective.value(mechanism, problem.population)
    bound = solution.bracket.lower if problem.objective.sense == "minimise" else solution.bracket.upper
    loss = abs(value - bound)
    return PlayedDesign(randomizer, mechanism, value, loss, loss / abs(bound) if bound else None)


def _is_allowed(region: Region, mechanism: Mechanism) -> bool:
    """Return whether a mechanism is in a region, whose number of outputs is the largest one."""
    fewer = mechanism.outputs < region.outputs  # false if their number is unrestricted, which is 0
    return (region.unrestricted if fewer else region).contains(mechanism)


def _playable(region: Region, size: int, randomizer: str) -> Iterator[Mechanism]:
    """Yield the mechanisms of the region whose reports are sets of a size, from the most informative one on."""
    k: int = region.inputs
    hits = sorted(
        {
            Fraction(hit, total)
            for total in PLAYED[randomizer]
            for hit in range(1, total)
            if hit * k > total * size and (size > 1 or (total - hit) % (k - 1) == 0)
        }
    )
    allowed = bisect_left(hits, True, key=lambda hit: not _is_allowed(region, Mechanism(subset_rows(k, size, hit))))
    for hit in reversed(hits[:allowed]):
        made = Mechanism(subset_rows(k, size, hit))
        try:
            device_of(made, randomizer="auto" if randomizer == "dice" else randomizer)
        except UnsupportedProblemError:
            continue
        yield made
