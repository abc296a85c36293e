"""The problem: a privacy region, an objective, and the population at which the objective is taken."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from rropt.errors import InvalidParameterError, shown
from rropt.exact import Delta, as_text, listed, rational, rational_where
from rropt.files import parse_json
from rropt.objectives import OBJECTIVES, EstimatorVariance, Objective, objective_from_dict
from rropt.objectives.objective import exact_population
from rropt.privacy import PairwiseRegion, PrivacyRegion, Region, region_from_dict
from rropt.privacy.given_levels import Level


@dataclass(frozen=True, slots=True)
class Problem:
    """An optimal design problem: frozen, hashable, and JSON both ways.

    Args:
        region: the mechanisms allowed.
        objective: what is made small or large.
        population: ``pi``, shape (k,): exact, nonnegative, summing to exactly 1. For a binary problem also
            ``(1 - prevalence, prevalence)``.

    Raises:
        InvalidParameterError: the population is no distribution on the region's inputs, or the objective has another
            shape than the region's mechanisms.
        InfeasibleError: nothing can be estimated at (epsilon, delta) = (0, 0).
        UnsupportedProblemError: the objective is not defined on this region.

    >>> problem = Problem(PrivacyRegion("log(2)", "1/4"), EstimatorVariance(), population=["3/4", "1/4"])
    >>> problem == Problem.from_json(problem.to_json())
    True
    """

    region: Region
    objective: Objective
    population: tuple[Fraction, ...]

    def __init__(self, region: Region, objective: Objective, population: Sequence[object]) -> None:
        if not isinstance(region, Region) or not isinstance(objective, Objective):
            raise InvalidParameterError(
                f"a problem needs a privacy region and an objective: received {shown(region)} and {shown(objective)}"
            )
        object.__setattr__(self, "region", region)
        object.__setattr__(self, "objective", objective)
        object.__setattr__(self, "population", _distribution(population, region.inputs))
        objective.require(region)

    @property
    def prevalence(self) -> Fraction:
        """Pr(X = 1) of a binary problem."""
        return self.population[1]

    def to_dict(self) -> dict[str, Any]:
        """Return the form of certificates: the whole problem, numbers as strings."""
        return {
            "region": self.region.to_dict(),
            "objective": self.objective.to_dict(),
            "population": [as_text(p) for p in self.population],
        }

    @classmethod
    def from_dict(cls, data: Any) -> Problem:
        """Return the problem that ``to_dict`` wrote."""
        if not isinstance(data, dict) or set(data) != {"region", "objective", "population"}:
            raise InvalidParameterError(
                f"not a problem: received {shown(data)}; allowed is an object with region, objective, population"
            )
        return cls(region_from_dict(data["region"]), objective_from_dict(data["objective"]), data["population"])

    def to_json(self) -> str:
        """Return the problem as JSON text."""
        return json.dumps(self.to_dict())

    @classmethod
    def from_json(cls, text: str) -> Problem:
        """Return the problem that ``to_json`` wrote."""
        return cls.from_dict(parse_json(text, what="problem"))

    def __str__(self) -> str:
        objective = self.objective
        return f"{objective.sense} {objective.kind} over {self.region}{objective.at(self.population)}"


def binary_problem(
    *, epsilon: object, prevalence: object, delta: object = 0, family: str = "all", outputs: int | Literal["any"] = 2
) -> Problem:
    """Return the problem of the least n Var of a binary design at a privacy level and a guessed prevalence.

    Args:
        epsilon: level in nats: a number, ``"log(q)"`` or ``"r*log(q)"``; or a ``rropt.level``, also of a criterion.
        prevalence: guess of Pr(X = 1), in [0, 1].
        delta: slack in [0, 1], or ``"exp(r)"``.
        family: ``"all"`` binary designs, or ``"warner"`` for p00 = p11 only.
        outputs: 2 or 3, or ``"any"``: the best mechanism of any number of answers.
    """
    pi = rational_where(prevalence, lambda pi: 0 <= pi <= 1, "0 <= pi <= 1", name="prevalence")
    region = PrivacyRegion(
        epsilon, delta, outputs=outputs, family=family
    )  # refuses what is no level, and a delta that is given twice
    if isinstance(epsilon, Level):
        return Problem(epsilon.region(outputs=outputs, family=family), EstimatorVariance(), (1 - pi, pi))
    return Problem(region, EstimatorVariance(), (1 - pi, pi))


def kary_problem(
    *,
    epsilon: object,
    objective: str = "trace",
    categories: object = None,
    population: Sequence[object] | str | None = None,
    delta: object = 0,
    distance: str | None = None,
    weights: Sequence[object] | str | None = None,
    loss: Any = None,
) -> Problem:
    """Return the problem of a design with k categories, as ``rropt design kary`` asks it.

    Args:
        epsilon: level in nats.
        objective: ``"trace"``, ``"loss"`` or ``"a-optimal"``, or another one that is registered.
        categories: k, each equally frequent; or
        population: the shares of the categories.
        delta: slack in [0, 1], or ``"exp(r)"``.
        distance: ``"abs"``: the level of categories j and l is ``abs(j - l) epsilon``; delta is then 0.
        weights: of the trace.
        loss: its name, or a matrix.

    >>> print(kary_problem(epsilon="log(2)", categories=3))
    maximise trace over epsilon = log(2), delta = 0, 3 inputs, 3 outputs
    """
    if (categories is None) == (population is None):
        raise InvalidParameterError(
            "the number of categories is given once: received categories and population, or neither; give one"
        )
    if population is None:
        k = int(rational_where(categories, lambda k: k.denominator == 1 and 2 <= k <= 300, "2 <= k <= 300", name="k"))
        population = [Fraction(1, k)] * k
    shares = listed(population) if isinstance(population, str) else list(population)
    kind = OBJECTIVES.get(objective)
    if kind is None:
        raise InvalidParameterError(
            f"objective is unknown: received {shown(objective)}; allowed are {', '.join(OBJECTIVES)}"
        )
    given = {"weights": listed(weights) if isinstance(weights, str) else weights, "loss": loss}
    given = {name: value for name, value in given.items() if value is not None}
    for name in given:
        if name not in kind.options:
            raise InvalidParameterError(f"{name} does not belong to the objective {objective}: leave it out")
    wanted = kind.for_categories(len(shares), **given)
    if distance is None:
        region: Region = PrivacyRegion(epsilon, delta, inputs=len(shares), outputs=wanted.outputs(len(shares)))
    elif distance != "abs" or Delta.of(delta) != Delta.of(0):
        raise InvalidParameterError(
            f"distance is abs, with delta = 0: received {shown(distance)} and {shown(delta)}; leave one out"
        )
    else:
        region = PairwiseRegion.by_distance(len(shares), epsilon, outputs=wanted.outputs(len(shares)))
    return Problem(region, wanted, shares)


def _distribution(population: Sequence[object], inputs: int) -> tuple[Fraction, ...]:
    exact = exact_population(population, inputs)
    return tuple(rational(p, name=f"population[{j}]") for j, p in enumerate(exact))  # looks at the digits of all
