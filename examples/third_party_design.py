"""An objective, a region and a way of a third party, and the contract that they must satisfy.

The objective is the smallest probability of a true response, ``min_j p_jj``. The region caps every entry. The way finds
the optimum by a linear program and by a formula. ``rropt.testing`` then tests all three together.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import rropt
from rropt.core.certificates import certify_optimal
from rropt.core.errors import InvalidParameterError
from rropt.core.linear import ProgramBuilder
from rropt.core.linear import solve as solve_program
from rropt.designs import Route, RouteResult, Way, register_way
from rropt.objectives import Objective, register_objective
from rropt.privacy import RationalLevel, RationalLevels, Region, register_region
from rropt.testing import DesignRow, cases, judge


@register_objective
@dataclass(frozen=True, slots=True)
class SmallestTruth(Objective):
    """Maximise ``min_j p_jj``."""

    kind = "smallest-truth"
    sense = "maximise"
    title = "smallest probability of a true response"
    form = '{"kind": "smallest-truth"}'

    def value(self, mechanism: rropt.Mechanism, population: Sequence[object]) -> Fraction:
        return min(mechanism[j, j] for j in range(mechanism.inputs))

    def require(self, region: Region) -> None:
        if region.inputs != region.outputs:
            raise InvalidParameterError(
                f"needs one output per category: received {region.outputs}; write {region.inputs}"
            )


@register_region
@dataclass(frozen=True, slots=True)
class CappedEntries(Region):
    """Mechanisms with k inputs and outputs whose entries are at most ``cap``."""

    kind = "capped-entries"
    inputs: int
    cap: Fraction

    @property
    def outputs(self) -> int:  # type: ignore[override]
        return self.inputs

    def bracket(self, digits: int) -> RationalLevels:
        level = RationalLevel(Fraction(1), Fraction(1))  # there is no level
        return RationalLevels.single(level, level)

    def contains(self, mechanism: rropt.Mechanism) -> bool:
        return self.fits(mechanism) and max(map(max, mechanism.matrix)) <= self.cap

    def to_dict(self) -> dict[str, Any]:
        return {"kind": self.kind, "inputs": str(self.inputs), "cap": str(self.cap)}

    @classmethod
    def from_dict(cls, data: Any) -> "CappedEntries":
        return cls(int(data["inputs"]), Fraction(data["cap"]))


@dataclass(frozen=True, slots=True)
class Found(RouteResult):
    """A linear program with its optimum."""

    program: Any
    outcome: Any
    mechanism: rropt.Mechanism

    @property
    def designs(self) -> tuple[rropt.Mechanism, ...]:
        return (self.mechanism,)


def closed_form(problem: rropt.Problem, levels: RationalLevels) -> RouteResult:
    return RouteResult(problem.region.cap, problem.region.cap)  # p_jj = cap, for cap >= 1/k


def exact(problem: rropt.Problem, levels: RationalLevels) -> Found:
    k, cap = problem.region.inputs, problem.region.cap
    builder = ProgramBuilder("maximise")
    p = [[builder.variable(f"p{i}{j}") for j in range(k)] for i in range(k)]
    least = builder.variable("least", cost=1)
    for j in range(k):
        builder.row(f"column {j}", {p[i][j]: 1 for i in range(k)}, "=", 1)
        builder.row(f"truth {j}", {p[j][j]: 1, least: -1}, ">=", 0)
        for i in range(k):
            builder.row(f"cap {i}{j}", {p[i][j]: 1}, "<=", cap)
    program = builder.build()
    outcome = solve_program(program)
    mechanism = rropt.Mechanism([[outcome.primal[p[i][j]] for j in range(k)] for i in range(k)])
    return Found(outcome.value, outcome.value, program, outcome, mechanism)


def certify(problem: rropt.Problem, levels: RationalLevels, best: Found) -> Any:
    return certify_optimal(best.program, best.outcome)


def is_smallest_truth(problem: rropt.Problem) -> bool:
    return problem.region.kind == "capped-entries" and problem.objective.kind == "smallest-truth"


WAY = Way(
    "smallest truth",
    (Route("closed-form", closed_form), Route("exact", exact)),
    certify,
    Found,
    fits=is_smallest_truth,
)
register_way(WAY)


def row(k: int, cap: str) -> DesignRow:
    """Return a row: the optimum is the cap, because p_jj = cap is allowed and no entry exceeds it."""
    problem = rropt.Problem(CappedEntries(k, Fraction(cap)), SmallestTruth(), [Fraction(1, k)] * k)
    return DesignRow(f"k = {k}, cap = {cap}", problem, cap, "p_jj <= cap, and p_jj = cap is allowed", readable=False)


ROWS = [row(2, "3/4"), row(3, "3/5"), row(5, "1/5")]
CASES = cases(ROWS)  # for @pytest.mark.parametrize("case", CASES, ids=str)

if __name__ == "__main__":
    print(judge(ROWS))
