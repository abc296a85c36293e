"""The rows of the library keep the contract, and each defect of a third party falls at the property that names it."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from few_rows import few_rows
from testing.extreme_problems import extreme_problems, further_problems
from testing.hard_problems import hard_problems

import rropt
from rropt.core.certificates import Certificate
from rropt.core.errors import InvalidParameterError, UnsupportedProblemError
from rropt.designs import Route, RouteResult
from rropt.designs.way_table import REGISTERED, facts_of, way_of
from rropt.designs.ways import WAYS
from rropt.objectives import OBJECTIVES
from rropt.privacy.region import REGIONS
from rropt.testing import (
    PROPERTIES,
    BrokenContract,
    ContractRow,
    DesignRow,
    NotApplicable,
    ResultRow,
    cases,
    judge,
    known_optima,
    properties,
)
from rropt.testing.node_checker import node_verdicts

F = Fraction
ROWS = known_optima()
HARD = hard_problems()
EXTREME, FURTHER = extreme_problems(), further_problems()
FIRST = ("bracket", "value", "designs", "certificate", "private", "routes")  # quick once the row is solved: in each run
APART = ("javascript", "twins")  # of all rows in one process; of a part of the rows


@pytest.mark.parametrize(
    "row", [*ROWS, *HARD, *EXTREME, *(pytest.param(row, marks=pytest.mark.slow) for row in FURTHER)], ids=str
)
def test_a_row_has_its_optimum(row: ContractRow) -> None:
    judged = judge(row, FIRST)
    judged.require()
    assert len(judged.passed) >= 2


COSTLY = {  # rows of which the other properties take more than .3 s: they run with `make stress`
    "a contrast by two outputs",
    "A-optimality in groups: 12 equal proportions that are listed",
    "A-optimality under a Renyi divergence of order 2",
    "chi-square of 400 categories in two groups",
    "distances with rational multiples of an irrational level: e",
    "levels of different size: order 3",
    "losses of different sizes, bounds",
    "nearly constant rays",
    "payoff of a right guess: 20 categories, gamma = 5",
    "products of levels beside the level 1/4: chi-square",
    "products of levels beside the level 1/4: payoff",
    "total variation under a Renyi divergence of order 2",
    "total variation under Gaussian differential privacy",
    "total variation under zero-concentrated differential privacy",
}


def kind_of(row: ContractRow) -> tuple[str, ...]:
    """Return the kinds of the objective and the region of a problem, and the way that solves it."""
    if not isinstance(row, DesignRow):
        return (row.name,)
    problem = row.problem
    return problem.objective.kind, problem.region.to_dict()["kind"], way_of(problem).name


def first_of_each_kind(rows: list[ContractRow]) -> list[Any]:
    """Return the rows for pytest: the first that is not costly of each kind runs each time, the others are slow."""
    seen, marked = set(), []
    for row in rows:
        runs = row.name not in COSTLY and kind_of(row) not in seen
        seen |= {kind_of(row)} if runs else set()
        marked.append(row if runs else pytest.param(row, marks=pytest.mark.slow))
    return marked


ONE_OF_EACH_KIND = first_of_each_kind([*ROWS, *HARD])


@few_rows(20)
@pytest.mark.parametrize("row", ONE_OF_EACH_KIND, ids=str)
def test_a_row_keeps_the_contract(row: ContractRow) -> None:
    judge(row, leave_out=(*FIRST, *APART)).require()


@pytest.mark.parametrize("row", ONE_OF_EACH_KIND, ids=str)
def test_twins_of_a_row_agree(row: ContractRow) -> None:
    judge(row, ["twins"]).require()


@few_rows(4)
@pytest.mark.parametrize("row", [row for row in (*ROWS, *HARD) if row.name in COSTLY], ids=str)
def test_a_costly_row_is_read_again(row: ContractRow) -> None:
    judge(row, ["json"]).require()


def has_quick_proof(row: DesignRow) -> bool:
    """Return whether the certificate is quick: that of a divergence or of Gaussian privacy takes a second."""
    return row.problem.region.to_dict()["kind"] in ("differential-privacy", "privacy-levels", "bounded")


@few_rows(8)
@pytest.mark.parametrize(
    "row", [row if has_quick_proof(row) else pytest.param(row, marks=pytest.mark.slow) for row in EXTREME], ids=str
)
def test_an_extreme_row_is_read_again_and_has_no_better_rival(row: ContractRow) -> None:
    """A split category makes some of these problems last minutes, so that it is left out unless the row names it."""
    judge(row, ["false claims", "rivals", "relabelled", "json", "refusals", *row.equal]).require()
    judge(row, ["twins"] if row.twins else []).require()


def test_the_names_of_rows_are_unique_and_every_costly_row_is_there() -> None:
    names = [row.name for row in (*ROWS, *HARD, *EXTREME, *FURTHER)]
    assert len(names) == len(set(names))
    assert set(names) >= COSTLY


@pytest.mark.slow
def test_the_checker_in_javascript_gives_the_same_verdicts() -> None:
    """All certificates and all false claims in one process."""
    told = []
    for row in (*ROWS, *HARD):
        members = list(row.members(row.result))
        for certificate in row.certificates(row.result):
            told.append((str(row), certificate.text, "accepted"))
            told += [
                (f"{row}: {label}", text, "rejected") for label, text in properties.false_claims(certificate, members)
            ]
    try:
        verdicts = node_verdicts([text for _, text, _ in told])
    except NotApplicable as reason:
        pytest.skip(str(reason))
    wrong = [name for (name, _, word), verdict in zip(told, verdicts, strict=True) if not verdict.startswith(word)]
    assert not wrong
    assert len(told) > 3 * len(ROWS + tuple(HARD))


def test_every_way_objective_and_region_has_a_row() -> None:
    problems = [row.problem for row in ROWS if isinstance(row, DesignRow)]
    objectives = {problem.objective.kind for problem in problems}
    regions = {problem.region.to_dict()["kind"] for problem in problems}
    ways = {way_of(problem).name for problem in problems}
    regions |= {"every-level"} if any("at every level" in row.name for row in ROWS) else set()
    own = [
        {kind for kind, cls in kinds.items() if cls.__module__.startswith("rropt.")} for kinds in (OBJECTIVES, REGIONS)
    ]
    missing = (own[0] - objectives) | ((own[1] | {"criterion"}) - regions) | ({way.name for way in WAYS} - ways)
    assert not missing, "add a problem with a known optimum to rropt/testing/optima.py"
    assert all(row.source and " " in row.source for row in ROWS)


@pytest.fixture
def party() -> Iterator[ModuleType]:
    """The example of a third party; it is forgotten afterwards."""
    path = Path(__file__).parents[2] / "examples" / "third_party_design.py"
    spec = importlib.util.spec_from_file_location("third_party_design", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    yield module
    REGISTERED.remove(module.WAY)
    del OBJECTIVES["smallest-truth"], REGIONS["capped-entries"], sys.modules[spec.name]


def test_a_third_party_keeps_the_contract(party: ModuleType) -> None:
    judged = judge(party.ROWS)
    judged.require()
    silent = {name for name in PROPERTIES if any(f"property {name!r}" in text for text in judged.not_applicable)}
    assert silent - {"javascript"} == {"designs", "duplicated", "split", "twins"}  # the party poses nothing twice
    for case in party.CASES:
        if case.name not in silent:
            case()


def broken(row: ContractRow, names: list[str] | None = None) -> set[str]:
    """Return the properties that fall, each named with the row in its message."""
    found = set()
    for text in judge(row, names).broken:
        assert text.startswith(f"row {row.name!r}, property ")
        assert row.source in text
        found.add(text.split("'")[3])
    return found


def other_value(party: ModuleType, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(party.SmallestTruth, "value", lambda self, mechanism, population: F(1, 9))


def too_much(party: ModuleType, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(party.CappedEntries, "contains", lambda self, mechanism: self.fits(mechanism))


def too_little(party: ModuleType, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(party.CappedEntries, "contains", lambda self, mechanism: max(map(max, mechanism.matrix)) < self.cap)


def a_part_is_not_written(party: ModuleType, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(party.CappedEntries, "from_dict", lambda data: party.CappedEntries(int(data["inputs"]), F(2, 3)))


def two_lines(party: ModuleType, patch: pytest.MonkeyPatch) -> None:
    def read(data: Any) -> Any:
        if set(data) != {"kind", "inputs", "cap"}:
            raise InvalidParameterError("the region is wrong:\nno, really")
        return party.CappedEntries(int(data["inputs"]), F(data["cap"]))

    patch.setattr(party.CappedEntries, "from_dict", read)


def with_way(party: ModuleType, patch: pytest.MonkeyPatch, **changes: Any) -> None:
    patch.setattr("rropt.designs.way_table.REGISTERED", [replace(party.WAY, **changes)])


def routes_that_disagree(party: ModuleType, patch: pytest.MonkeyPatch) -> None:
    wrong = Route("closed-form", lambda problem, levels: RouteResult(F(1, 8), F(1, 8)))
    with_way(party, patch, routes=(wrong, party.WAY.routes[1]))


def a_bound_that_is_too_tight(party: ModuleType, patch: pytest.MonkeyPatch) -> None:
    def exact(problem: Any, levels: Any) -> Any:
        found = party.exact(problem, levels)
        return replace(found, lower=found.lower / 2, upper=found.upper / 2)

    with_way(party, patch, routes=(Route("exact", exact),))


def a_certificate_of_another_problem(party: ModuleType, patch: pytest.MonkeyPatch) -> None:
    def certify(problem: Any, levels: Any, best: Any) -> Certificate:
        other = party.exact(rropt.Problem(party.CappedEntries(2, F(4, 5)), problem.objective, ["1/2", "1/2"]), levels)
        return party.certify_optimal(other.program, other.outcome)

    with_way(party, patch, certify=certify)


def no_certificate(party: ModuleType, patch: pytest.MonkeyPatch) -> None:
    with_way(party, patch, certify=lambda problem, levels, best: Certificate.state("garbling", {}, {}, {}))


def a_mechanism_outside(party: ModuleType, patch: pytest.MonkeyPatch) -> None:
    truth = rropt.Mechanism([[int(i == j) for j in range(3)] for i in range(3)])
    with_way(party, patch, routes=(Route("exact", lambda *given: replace(party.exact(*given), mechanism=truth)),))


def an_argument_that_is_not_checked(party: ModuleType, patch: pytest.MonkeyPatch) -> None:
    def read(data: Any) -> Any:
        raise OSError("somewhere else")

    patch.setattr(party.SmallestTruth, "from_dict", read)


def a_value_in_floats(party: ModuleType, patch: pytest.MonkeyPatch) -> None:
    def value(self: Any, mechanism: Any, population: Any) -> float:
        return float(min(mechanism[j, j] for j in range(mechanism.inputs)))

    patch.setattr(party.SmallestTruth, "value", value)


def a_float_tolerance(party: ModuleType, patch: pytest.MonkeyPatch) -> None:
    def contains(self: Any, mechanism: Any) -> bool:
        return self.fits(mechanism) and float(max(map(max, mechanism.matrix))) <= self.cap * (1 + 1e-9)

    patch.setattr(party.CappedEntries, "contains", contains)


def any_shape(party: ModuleType, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(party.CappedEntries, "contains", lambda self, mechanism: max(map(max, mechanism.matrix)) <= self.cap)


def no_sizes_are_required(party: ModuleType, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(party.SmallestTruth, "require", lambda self, region: None)


def a_way_that_takes_any_region(party: ModuleType, patch: pytest.MonkeyPatch) -> None:
    with_way(party, patch, fits=lambda problem: problem.objective.kind == "smallest-truth")


def a_region_without_hash(party: ModuleType, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(party.CappedEntries, "__hash__", None)


def a_number_in_json(party: ModuleType, patch: pytest.MonkeyPatch) -> None:
    written = party.CappedEntries.to_dict
    patch.setattr(party.CappedEntries, "to_dict", lambda self: {**written(self), "inputs": self.inputs})


def a_default_for_a_missing_key(party: ModuleType, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(party.CappedEntries, "from_dict", lambda data: party.CappedEntries(3, F(data.get("cap", "3/5"))))


def a_region_that_depends_on_the_order(party: ModuleType, patch: pytest.MonkeyPatch) -> None:
    own = party.CappedEntries.contains
    patch.setattr(party.CappedEntries, "contains", lambda self, one: own(self, one) and one[0, 0] >= one[0, 1])


DEFECTS = {
    other_value: {"value"},
    too_much: {"rivals"},
    too_little: {"private"},
    a_part_is_not_written: {"json"},
    two_lines: {"json", "refusals"},
    routes_that_disagree: set(PROPERTIES) - {"designs", "refusals", "duplicated", "split"},  # nothing is solved
    a_bound_that_is_too_tight: {"bracket", "value", "certificate", "rivals", "routes", "relabelled"},
    a_certificate_of_another_problem: {"certificate"},
    no_certificate: {"certificate", "javascript", "json"},
    a_mechanism_outside: {"private", "value"},
    an_argument_that_is_not_checked: {"json", "refusals"},
    a_value_in_floats: {"value"},
    a_float_tolerance: {"rivals"},
    any_shape: {"private"},
    no_sizes_are_required: {"refusals"},
    a_way_that_takes_any_region: {"refusals"},
    a_region_without_hash: {"json"},
    a_number_in_json: {"json"},
    a_default_for_a_missing_key: {"json"},
    a_region_that_depends_on_the_order: {"relabelled"},
}


@few_rows(1)
@pytest.mark.parametrize("defect", DEFECTS, ids=lambda defect: defect.__name__)
def test_a_defect_falls_at_its_property(defect: Any, party: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    defect(party, monkeypatch)
    row = party.row(3, "3/5")
    without_node = {"javascript"} if not _has_node() else set()
    assert broken(row) == DEFECTS[defect] - without_node


def _has_node() -> bool:
    try:
        return node_verdicts(["{}"])[0].startswith("rejected")
    except NotApplicable:
        return False


def test_an_unknown_key_of_a_third_party_is_refused(party: ModuleType) -> None:
    written = party.row(3, "3/5").problem.region.to_dict()
    assert REGIONS.from_dict(written) == party.CappedEntries(3, F(3, 5))
    with pytest.raises(InvalidParameterError, match="unknown keys: received 'caps'"):
        REGIONS.from_dict({**written, "caps": "1/2"})


def test_a_wrong_row_falls(party: ModuleType) -> None:
    row = party.row(3, "3/5")
    for wrong in (F(1, 2), ("61/100", "62/100"), lambda: "2/5"):
        assert broken(replace(row, optimum=wrong), ["bracket", "routes"]) == {"bracket", "routes"}
    assert broken(replace(row, readable=True), ["json"]) == {"json"}
    assert broken(replace(row, certified=False), ["certificate"]) == {"certificate"}
    assert broken(replace(row, twins=("SymPy",)), ["twins"]) == {"twins"}
    other = party.row(3, "1/2").problem
    assert broken(replace(row, equal={"split": other}), ["split"]) == {"split"}
    assert broken(replace(row, refused={"nothing": lambda: 3}), ["refusals"]) == {"refusals"}
    wanted = {"a route": lambda: rropt.solve(row.problem, routes="none")}
    assert broken(replace(row, refused=wanted), ["refusals"]) == set()
    for wrong in ((1, 2, 3), ("2", "1"), object()):
        assert broken(replace(row, optimum=wrong), ["bracket"]) == {"bracket"}
    with pytest.raises(BrokenContract, match="property 'bracket'"):
        judge(replace(row, optimum="1/2")).require()


@pytest.mark.parametrize("name", ["false claims", "javascript"])
def test_a_checker_that_accepts_everything_is_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    row = next(row for row in ROWS if row.name == "trace: k = 3, gamma = 3")
    monkeypatch.setattr(properties, "check_text", lambda text: True)
    monkeypatch.setattr(properties, "node_verdicts", lambda texts: ["accepted"] * len(texts))
    with pytest.raises(BrokenContract, match="above the optimum"):
        cases([row], [name])[0]()


def test_definitions_are_read_again() -> None:
    """A mechanism that its region takes is compared with the definition of privacy, and a mechanism must be one."""
    row = next(row for row in ROWS if row.name == "trace: k = 3, gamma = 3")
    region, best = next(iter(row.members(row.result)))
    rows = [list(line) for line in best.matrix]
    assert rows[0][0] == F(3, 5)
    rows[0][0], rows[1][0] = rows[0][0] + F(1, 10**9), rows[1][0] - F(1, 10**9)
    with pytest.raises(BrokenContract, match="categories 0 and 1 exceed delta"):
        properties._require_private_rows(rows, region)
    with pytest.raises(BrokenContract, match="no distribution"):
        properties._require_private_rows([rows[0], rows[1], rows[1]], region)
    bounded = next(row for row in ROWS if row.name == "trace with a bounded entry")
    with pytest.raises(BrokenContract, match="outside its bounds"):
        properties._require_private_rows([[F(2, 3), F(1, 3)], [F(1, 3), F(2, 3)]], bounded.problem.region)


@dataclass(frozen=True)
class Steps:
    """A result with several brackets, as of a design at several levels."""

    at: dict[str, tuple[Fraction, Fraction]]

    def to_json(self) -> str:
        return "{}"

    @classmethod
    def from_json(cls, text: str) -> Steps:
        return cls({"2": (F(4, 3), F(4, 3)), "3": (F(3, 2), F(3, 2))})


def test_another_kind_of_solution_joins_as_a_row() -> None:
    known = {"2": F(4, 3), "3": F(3, 2)}
    row = ResultRow(
        "trace of two categories at two levels",
        lambda: Steps.from_json(""),
        known,
        "2 gamma/(gamma + 1)",
        bounds=lambda found: found.at,
        certified=False,
        equal={"relabelled": lambda: Steps.from_json("")},
    )
    assert judge(row, ["bracket", "json", "relabelled"])
    for wrong in ({"2": F(1)}, {"4": F(1)}):
        assert broken(replace(row, optimum={**known, **wrong}), ["bracket"]) == {"bracket"}


PAGE = (Path(__file__).parents[2] / "docs" / "howto" / "test-a-design.md").read_text(encoding="utf-8")


def test_the_page_runs(capsys: pytest.CaptureFixture[str]) -> None:
    """Its table has all properties, and a broken one is printed as the page shows it."""
    names: dict[str, Any] = {}
    for block in re.findall(r"^```py\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE):
        exec(compile(block, "docs/howto/test-a-design.md", "exec", dont_inherit=True), names)
    assert "0 are broken" in capsys.readouterr().out
    assert re.findall(r"^\| `(.*?)` \|", PAGE, re.MULTILINE) == list(PROPERTIES)
    wrong = replace(names["rows"][0], optimum="2/3", source="a textbook")
    assert judge(wrong, ["bracket"]).broken[0] in PAGE


@pytest.mark.slow
def test_pytest_names_the_row_and_the_property(tmp_path: Path) -> None:
    (block,) = re.findall(r"^```python\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    rows = """
import rropt
from rropt.testing import DesignRow
trace = rropt.Problem.kary(3, epsilon="log(3)", objective="trace")
rows = [DesignRow("right", trace, "9/5", "by hand"), DesignRow("wrong", trace, "8/5", "by mistake")]
"""
    (tmp_path / "my_package.py").write_text(rows, encoding="utf-8")
    (tmp_path / "test_mine.py").write_text(block, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", "bracket or split", "test_mine.py"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.returncode == 1
    assert "row 'wrong', property 'bracket': the bracket 9/5 does not contain the known optimum 8/5" in done.stdout
    assert "(optimum: by mistake)" in done.stdout
    assert re.search("1 failed, 1 passed, 2 skipped", done.stdout)


def test_a_table_is_checked() -> None:
    row = ROWS[0]
    for wrong, words in (([row, row], "same name"), ([3], "there is no row")):
        with pytest.raises(InvalidParameterError, match=words):
            cases(wrong)  # type: ignore[arg-type]
    with pytest.raises(InvalidParameterError, match="the property"):
        cases([row], ["brackets"])


def test_restated_problems_are_solved_by_other_ways() -> None:
    """The words of the suite are no copies: other facts, and often another way."""
    moved = 0
    for row in ROWS:
        for how in ("relabelled", "duplicated", "split") if isinstance(row, DesignRow) else ():
            try:
                other = row.restated(how)
                way = way_of(other.problem)
            except (NotApplicable, UnsupportedProblemError):
                continue
            if row.problem.population != [F(1, row.problem.region.inputs)] * row.problem.region.inputs:
                assert other.problem != row.problem or how == "relabelled"
            moved += way.name != way_of(row.problem).name or facts_of(other.problem) != facts_of(row.problem)
    assert moved >= 10
