"""The two rooms have the same files, named as those that define the problems; every posed result has both twins."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import rropt
from rropt.convex import MIRRORS
from rropt.core.results.twins import PosedTwice

ROOT = Path(rropt.__file__).parent
OWN = {  # what the files of a room share
    "symbolic": {
        "objectives/goal",
        "objectives/information_matrix",
        "objectives/closed_forms",
        "designs/solution_latex",
        "designs/two_inputs",
    },
    "convex": {"objectives/goal", "objectives/information_matrix"},
}
POSED = [
    "Admissibility",
    "BitsDesign",
    "ClosedLevels",
    "Comparison",
    "EveryLevel",
    "Family",
    "IntervalSolution",
    "Judgement",
    "MeanDesign",
    "ParityBound",
    "PartialOrder",
    "PramDesign",
    "Repair",
    "Solution",
    "StrataPlan",
]


def files(room: str) -> set[str]:
    """The files of a room in its folders, without those that its other files share."""
    found = (path.relative_to(ROOT / room).with_suffix("") for path in (ROOT / room).glob("*/*.py"))
    return {path.as_posix() for path in found if path.name != "__init__"} - OWN[room]


def test_both_rooms_have_the_files_of_the_problems() -> None:
    assert files("symbolic") == files("convex")
    places = {there: here for here, there in MIRRORS.items()}
    missing = [name for name in files("convex") if not (ROOT / f"{places.get(name, name)}.py").exists()]
    assert missing == []
    assert all((ROOT / f"{name}.py").exists() for name in MIRRORS)
    assert set(MIRRORS.values()) <= files("convex")


@pytest.mark.parametrize("name", POSED)
def test_a_result_has_both_twins(name: str) -> None:
    """A class that derives from ``PosedTwice`` without them would say "no posing is written"."""
    from rropt.designs import bits, mean_designs, pram, prevalence_intervals, repairs, solution
    from rropt.designs.orders import admissibility, partial_orders, sufficiency
    from rropt.designs.parametric import closed_levels, every_level
    from rropt.designs.problem_families import family
    from rropt.plans import group_plans
    from rropt.privacy import bound

    rooms = (bits, pram, prevalence_intervals, repairs, solution, admissibility, sufficiency, bound, group_plans)
    rooms = (*rooms, every_level, closed_levels, mean_designs, partial_orders, family)
    (kind,) = {getattr(room, name) for room in rooms if hasattr(room, name)}
    assert issubclass(kind, PosedTwice)
    for method in ("to_sympy", "to_cvxpy", "sympy_twin", "cvxpy_twin"):
        assert callable(getattr(kind, method))


def test_no_posed_result_is_forgotten() -> None:
    assert {kind.__name__ for kind in _below(PosedTwice)} <= set(POSED)


def _below(kind: type) -> set[type]:
    own = [each for each in kind.__subclasses__() if each.__module__.startswith("rropt.")]
    return set(own).union(*map(_below, own))


RESULTS = [  # problems that are no k-ary design; the files that pose them share nothing with what solves them
    *(f"{room}/{name}.py" for room in ("symbolic", "convex") for name in ("programs", "levels", "orders/garblings")),
    *(f"{room}/orders/admissibility.py" for room in ("symbolic", "convex")),
    *(f"{room}/privacy/{name}.py" for room in ("symbolic", "convex") for name in ("breaches", "parity_bound")),
    *(f"{room}/designs/{name}.py" for room in ("symbolic", "convex") for name in ("bits", "mean_designs")),
    *(f"{room}/designs/{name}.py" for room in ("symbolic", "convex") for name in ("pram", "repairs")),
    *(
        f"{room}/designs/parametric/{n}_level{s}.py"
        for room in ("symbolic", "convex")
        for n, s in (("every", ""), ("closed", "s"))
    ),
    *(f"{room}/designs/problem_families/family.py" for room in ("symbolic", "convex")),
    *(f"{room}/plans/group_plans.py" for room in ("symbolic", "convex")),
]


@pytest.mark.parametrize("name", RESULTS)
def test_the_posing_of_a_result_imports_nothing_of_the_engine(name: str) -> None:
    tree = ast.parse((ROOT / name).read_text())
    imported = {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    engine = ("rropt.designs", "rropt.objectives", "rropt.mechanisms", "rropt.privacy.bound", "rropt.plans")
    assert not [module for module in imported if module.startswith(engine)]
