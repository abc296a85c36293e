"""An objective, a region and a way that are defined here: ``solve``, JSON, ``rropt design``, the report.

The least chance of a true answer, ``min_j p_jj``, made large: under a cap on every entry it is the cap (if that is at
least 1/k), under one privacy level it is gamma/(gamma + k - 1). The class certifies a plain linear program.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, ClassVar, Literal

import pytest

import rropt
from rropt.core.certificates import Certificate, certify_optimal
from rropt.core.errors import InvalidParameterError, RouteDisagreementError, UnsupportedProblemError
from rropt.core.exact import as_text, rational
from rropt.core.linear import LinearProgram, Optimal, ProgramBuilder
from rropt.core.linear import solve as solve_program
from rropt.designs import Route, RouteResult, Way, register_way
from rropt.designs.way_table import REGISTERED
from rropt.mechanisms import Mechanism
from rropt.objectives import OBJECTIVES, Objective, register_objective
from rropt.privacy import RationalLevel, RationalLevels, Region, register_region
from rropt.privacy.region import REGIONS, read_size

F = Fraction


@dataclass(frozen=True, slots=True)
class LeastTruth(Objective):
    """Maximise ``min_j p_jj``."""

    kind: ClassVar[str] = "least-truth"
    sense: ClassVar[Literal["minimise", "maximise"]] = "maximise"
    title: ClassVar[str] = "least chance of a true answer"
    form: ClassVar[str] = '{"kind": "least-truth"}'

    def value(self, mechanism: Mechanism, population: Sequence[object]) -> Fraction:
        """Return the least diagonal entry."""
        return min(mechanism[j, j] for j in range(mechanism.inputs))

    def require(self, region: Region) -> None:
        """Raise unless answers are categories."""
        if region.inputs != region.outputs:
            raise InvalidParameterError(f"answers are no categories: received {region.outputs}; allowed: as many")


@dataclass(frozen=True, slots=True)
class Capped(Region):
    """Mechanisms whose entries are at most a cap."""

    kind: ClassVar[str] = "capped"
    inputs: int
    outputs: int
    cap: Fraction

    def bracket(self, digits: int) -> RationalLevels:
        """Return a level that says nothing."""
        level = RationalLevel(F(1), F(1))
        return RationalLevels.single(level, level)

    def contains(self, mechanism: Mechanism) -> bool:
        """Return whether the largest entry is at most the cap."""
        return max(map(max, mechanism.matrix)) <= self.cap

    def to_dict(self) -> dict[str, Any]:
        """Return the form of problems."""
        return {"kind": self.kind, "size": str(self.inputs), "cap": as_text(self.cap)}

    @classmethod
    def from_dict(cls, data: Any) -> Region:
        """Return the region that ``to_dict`` wrote."""
        size = read_size(data["size"], "size")
        return cls(size, size, rational(data["cap"], name="cap"))


@dataclass(frozen=True, slots=True)
class Solved(RouteResult):
    """A program with its optimum."""

    program: LinearProgram
    outcome: Optimal
    mechanism: Mechanism

    @property
    def designs(self) -> tuple[Mechanism, ...]:
        """The mechanism."""
        return (self.mechanism,)


def cap_of(problem: rropt.Problem, levels: RationalLevels) -> Fraction:
    """Return the optimum by hand."""
    if isinstance(problem.region, Capped):
        return problem.region.cap
    gamma = levels.below.gamma
    return gamma / (gamma + problem.region.inputs - 1)


def by_hand(problem: rropt.Problem, levels: RationalLevels) -> RouteResult:
    """Return the bracket of the optimum by hand."""
    return RouteResult(cap_of(problem, levels), cap_of(problem, levels))


def by_program(problem: rropt.Problem, levels: RationalLevels) -> RouteResult:
    """Return an optimal vertex."""
    k, region = problem.region.inputs, problem.region
    builder = ProgramBuilder("maximise")
    p = [[builder.variable(f"p{i}{j}") for j in range(k)] for i in range(k)]
    least = builder.variable("least", cost=1)
    for j in range(k):
        builder.row(f"sum {j}", {p[i][j]: 1 for i in range(k)}, "=", 1)
        builder.row(f"least {j}", {p[j][j]: 1, least: -1}, ">=", 0)
    for i in range(k):
        for j in range(k):
            if isinstance(region, Capped):
                builder.row(f"cap {i}{j}", {p[i][j]: 1}, "<=", region.cap)
            for other in set(range(k)) - {j} if region.form == "parity" else ():
                gamma = levels.below.gamma
                builder.row(f"ratio {i}{j}{other}", {p[i][other]: gamma, p[i][j]: -1}, ">=", 0)
    program = builder.build()
    outcome = solve_program(program)
    assert isinstance(outcome, Optimal)
    rows = [[outcome.primal[i * k + j] for j in range(k)] for i in range(k)]
    return Solved(outcome.value, outcome.value, program, outcome, Mechanism(rows))


def is_least_truth(problem: rropt.Problem) -> bool:
    """Return whether the objective is the one above."""
    return problem.objective.kind == "least-truth"


def certify(problem: rropt.Problem, levels: RationalLevels, best: Solved) -> Certificate:
    """Return the certificate of the program."""
    return certify_optimal(best.program, best.outcome)


LEAST_TRUTHS = Way(
    "least truth",
    (Route("by-hand", by_hand), Route("program", by_program)),
    certify,
    Solved,
    fits=is_least_truth,
)


@pytest.fixture(autouse=True)
def registered() -> Iterator[None]:
    """Register the three, and forget them afterwards."""
    register_objective(LeastTruth)
    register_region(Capped)
    register_way(LEAST_TRUTHS)
    yield
    del OBJECTIVES["least-truth"], REGIONS["capped"]
    REGISTERED.pop()


def problem_of(k: int, cap: Fraction) -> rropt.Problem:
    return rropt.Problem(Capped(k, k, cap), LeastTruth(), [F(1, k)] * k)


def test_its_routes_are_held_against_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    assert list(rropt.solve(problem_of(3, F(1, 2)), routes="program").routes) == ["program"]
    with pytest.raises(UnsupportedProblemError, match="do not decide"):
        rropt.solve(problem_of(3, F(1, 2)), routes="by-hand")
    wrong = Route("by-hand", lambda problem, levels: RouteResult(F(1, 3), F(2, 5)))
    changed = replace(LEAST_TRUTHS, routes=(wrong, LEAST_TRUTHS.routes[1]))
    monkeypatch.setattr("rropt.designs.way_table.REGISTERED", [changed])
    with pytest.raises(RouteDisagreementError, match="by-hand and program"):
        rropt.solve(problem_of(3, F(1, 2)))


def test_a_way_whose_routes_all_refuse_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    routes = tuple(replace(route, accepts=lambda problem: False) for route in LEAST_TRUTHS.routes)
    monkeypatch.setattr("rropt.designs.way_table.REGISTERED", [replace(LEAST_TRUTHS, routes=routes)])
    with pytest.raises(UnsupportedProblemError, match="no route of the way"):
        rropt.solve(problem_of(3, F(1, 2)))


def test_the_command_line_and_the_report(cli, cli_json, tmp_path: Path) -> None:
    file, page, proof = tmp_path / "problem.json", tmp_path / "page.html", tmp_path / "proof.json"
    file.write_text(problem_of(3, F(3, 5)).to_json())
    arguments = ("design", "problem", str(file), "--report", str(page), "--certificate", str(proof))
    data = cli_json(*arguments)
    assert (data["value"], data["routes"]) == ("3/5", {"by-hand": "3/5", "program": "3/5"})
    assert rropt.check(data["certificate"])
    assert rropt.check(proof)
    assert "least chance of a true answer" in page.read_text()
    assert "accepted" in page.read_text()
    assert "least chance of a true answer" in cli(*arguments)[1]
    data = cli_json("design", "kary", "-k", "4", "--gamma", "3", "--objective", "least-truth")
    assert data["value"] == "1/2"
    status, _, err = cli("design", "kary", "-k", "4", "--gamma", "3", "--objective", "least")
    assert status == 2
    assert "least-truth" in err


def test_problem_files_of_the_library_and_bad_ones(cli, cli_json, tmp_path: Path) -> None:
    file = tmp_path / "problem.json"
    file.write_text(rropt.Problem.binary("1/4", epsilon="log(2)", delta="1/4").to_json())
    assert cli_json("design", "problem", str(file))["value"] == "15/16"
    for text in ("{}", "[1", json.dumps({"region": {"kind": "none"}, "objective": {}, "population": []})):
        file.write_text(text)
        status, out, err = cli("design", "problem", str(file), "--json")
        assert (status, out, err.count("\n")) == (2, "", 1)


def test_a_kind_has_one_class() -> None:
    class Other(LeastTruth):
        pass

    class OtherCap(Capped):
        pass

    with pytest.raises(InvalidParameterError, match="registered already"):
        register_objective(Other)
    with pytest.raises(InvalidParameterError, match="registered already"):
        register_region(OtherCap)
    assert OBJECTIVES["least-truth"] is LeastTruth
    problem = rropt.Problem(Capped(2, 2, F(1)), OBJECTIVES["trace"]([1, 1]), [F(1, 2)] * 2)
    with pytest.raises(UnsupportedProblemError, match="least truth"):
        rropt.solve(problem)
