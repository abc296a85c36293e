"""The table of twins: each problem has a file in both rooms, or its cell says why one is missing."""

from __future__ import annotations

import ast
import inspect
import re
import sys
from importlib import import_module
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from few_rows import few_rows

import rropt
from rropt.core.errors import UnsupportedProblemError
from rropt.core.results.twins import PosedTwice
from rropt.objectives import OBJECTIVES, Trace
from rropt.symbolic.objectives import module_of

ROOT = Path(__file__).parents[2]
ROOMS = {"SymPy": ROOT / "rropt" / "symbolic", "CVXPY": ROOT / "rropt" / "convex"}
ALONE = "one package only: "
REASON = re.compile(r"not convex|no closed form|no definition")


def table(part: bool = False) -> list[dict[str, str]]:
    """Return the rows of the table of problems, or of that of parts, by the heads of its columns."""
    whole = (ROOT / "docs" / "explanation" / "posed-twice.md").read_text()
    lines = whole.split("## Parts of the posings")[part].splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("| ")]
    head, *rows = cells
    return [dict(zip(head, row, strict=True)) for row in rows]


def test_a_missing_file_has_a_reason() -> None:
    for row in table():
        name = row["file"].strip("`")
        for room, folder in ROOMS.items():
            is_there = (folder / f"{name}.py").exists()
            assert row[room], f"{row['problem']}: the cell of {room} is empty"
            assert is_there or REASON.match(row[room]), f"{row['problem']}: no {room} twin, and no reason"
        assert row["exact"]
        assert row["certificate"]


def test_every_file_of_the_rooms_is_in_a_table() -> None:
    """A part that one package alone has stands beside its reason in the column of the other one."""
    named = {row["file"].strip("`") for row in table()}
    for room, folder in ROOMS.items():
        parts = {row["part"].strip("`"): row[f"in {room}"] for row in table(part=True)}
        own = {name for name, cell in parts.items() if not cell.startswith(ALONE)}
        found = {file.relative_to(folder).with_suffix("").as_posix() for file in folder.rglob("*.py")}
        found = {name for name in found if not name.endswith("__init__")}
        assert found <= named | own, f"{room}: {sorted(found - named - own)}"
        assert own <= found, f"{room}: {sorted(own - found)}"
        assert all(cell.removeprefix(ALONE) for cell in parts.values())


def test_every_objective_has_a_file_in_the_table() -> None:
    named = {row["file"].strip("`") for row in table()}
    for kind in OBJECTIVES.values():
        if kind.__module__.startswith("rropt."):
            place = module_of(object.__new__(kind)).removeprefix("rropt.symbolic.").replace(".", "/")
            assert place in named


def test_an_objective_that_nobody_has_posed_is_named() -> None:
    """As while its file in ``rropt/symbolic`` is not written yet."""
    unposed = type("Unposed", (Trace,), {"__module__": "rropt.objectives.unposed", "kind": "unposed"})
    with pytest.raises(UnsupportedProblemError, match=r"^no posing in symbols is written for the objective unposed$"):
        module_of(object.__new__(unposed))


def test_every_result_with_twins_has_both_methods() -> None:
    """And the functions that they import exist. A class that is not imported yet is found by its text."""
    for file in Path(rropt.__file__).parent.rglob("*.py"):
        if re.search(r"^class \w+\(.*\bPosedTwice\b", file.read_text(encoding="utf-8"), re.MULTILINE):
            import_module(".".join(("rropt", *file.relative_to(Path(rropt.__file__).parent).with_suffix("").parts)))
    made = [
        each for each in PosedTwice.__subclasses__() if getattr(sys.modules[each.__module__], each.__name__) is each
    ]
    found: list[Any] = [each for each in made if each.__module__.startswith("rropt.")]
    assert len(found) >= 10
    for each in found:
        for name in ("to_sympy", "to_cvxpy", "sympy_twin", "cvxpy_twin"):
            method = getattr(each, name)
            assert method is not getattr(PosedTwice, name), f"{each.__name__}.{name} is not written"
            (line,) = [node for node in ast.walk(ast.parse(dedent(inspect.getsource(method)))) if _is_import(node)]
            assert callable(getattr(import_module(line.module), line.names[0].name))


def _is_import(node: ast.AST) -> bool:
    return isinstance(node, ast.ImportFrom)


PROBLEMS: dict[str, dict[str, Any]] = {
    "n Var of a prevalence, two outputs": {"prevalence": "1/4"},
    "n Var of a prevalence, three outputs": {"prevalence": "1/4", "delta": "1/10", "outputs": 3},
    "n Var of a prevalence, any outputs": {"prevalence": "1/4", "delta": "1/10", "outputs": "any"},
    "weighted trace": {"categories": 3, "objective": "trace"},
    "expected loss": {"categories": 3, "objective": "loss:absolute"},
    "payoff": {"categories": 3, "objective": "payoff"},
    "total variation": {"objective": rropt.objectives.TotalVariation(["1/4", "3/4"]), "population": ["1/2", "1/2"]},
    "mutual information": {"categories": 3, "objective": "mutual-information"},
    "other divergences": {"objective": rropt.objectives.Hellinger(["1/4", "3/4"]), "population": ["1/2", "1/2"]},
    "A- and c-optimality, contrasts": {"categories": 3, "objective": "a-optimal"},
    "the same, at most m outputs or bounds": {"categories": 3, "objective": "a-optimal", "outputs": 3},
    "largest variance of the report of a number": {
        "categories": 3,
        "objective": rropt.objectives.ConditionalVariance([1, 2, 3]),
    },
    "D-optimality": {"categories": 3, "objective": "d-optimal"},
    "E-optimality": {"categories": 3, "objective": "e-optimal"},
    "worst case over a polytope": {"population": "1/4..1/2,1/4..3/4", "objective": "a-optimal"},
    "interval of prevalences": {"prevalence": "1/10..1/4"},
    "budget of several questions": {"design": "questions", "n": 2},
    "PRAM": {"design": "pram", "counts": [3, 2, 1]},
}


@few_rows(6)
@pytest.mark.parametrize("problem", PROBLEMS)
def test_the_cells_say_what_the_twins_do(problem: str) -> None:
    """A twin is posed unless its cell begins with the reason against it."""
    (row,) = [row for row in table() if row["problem"] == problem]
    asked = dict(PROBLEMS[problem])
    kind = asked.pop("design", "binary" if "prevalence" in asked else "kary")
    result = getattr(rropt.design, kind)(epsilon="log(3)", **asked)
    for room, twin in (("SymPy", result.twins.sympy), ("CVXPY", result.twins.cvxpy)):
        is_missing = REASON.match(row[room]) is not None and ";" not in row[room]
        assert twin.posed != is_missing, f"{problem}: {twin}"
        assert twin.posed or twin.why
        if room == "SymPy" and "form" in row[room] and "no closed form" not in row[room]:
            assert twin.form, str(twin)
