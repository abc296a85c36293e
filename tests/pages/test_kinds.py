"""No module outside their packages tests the kind of an objective or the class of a region.

A new objective or region is then one file. The few places that name kinds read them from users or from records.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from every_case import every_case
from package_modules import modules, place

import rropt.designs.decoded_designs
import rropt.privacy.criterion_region
from rropt.objectives import OBJECTIVES, Objective
from rropt.objectives.ray_criteria import RayCriterion
from rropt.objectives.ray_form import RayForm
from rropt.privacy import Region
from rropt.privacy.region import RationalLevels

LOADED = rropt.designs.decoded_designs, rropt.privacy.criterion_region  # classes that nothing above imports
OWN = ("objectives", "privacy", "checker", "claims")  # the checker trusts nobody, and the claims know no design

# files that pose, for a twin, the objectives of the file whose name they have
MIRRORS = ("symbolic/objectives/", "convex/objectives/")
READERS = {
    ("cli/design_kary.py", "run"),  # names that users write, and those of their options
    # which names and parameters of objectives users write
    *(
        ("designs/asked_problems.py", name)
        for name in ("kary_problem", "_in_runs", "_kary_shares", "_is_plain_trace", "_of_many")
    ),
    ("symbolic/regions.py", "definition"),  # writes each region as its own formula
    (
        "symbolic/designs/problem.py",
        "solution_twin",
    ),  # whose formulas have no value at a proportion 0
    ("symbolic/proportions.py", "sum_in_proportions"),  # the total variation has signs in the place of rows
    ("convex/witnesses.py", "_lines_of_targets"),  # the JSON of a problem, of which each criterion has its own prices
    ("convex/witnesses.py", "_prior"),
    ("convex/designs/problem.py", "_over_columns"),  # a twin reads the JSON only
    ("testing/optima.py", "_of_equal_weights"),  # the name of an optimum in closed form
    ("testing/restatements.py", "_duplicated"),  # what the parameters of an objective are after a category is copied
    ("testing/restatements.py", "_with_sizes"),
    ("designs/writers/linear_writer.py", "_sign"),  # the objective in a file
    ("designs/decoded_designs.py", "__eq__"),  # the squared loss is a chi-square under another name
    ("designs/solution.py", "asked_ends"),  # that loss was asked for, and the chi-square was solved
    ("designs/solution.py", "lines"),
    ("designs/printed_objectives.py", "_bound"),  # whose forms have a bound over the matrices of a box
    ("designs/pram.py", "weights_of"),  # the objective in a record of a PRAM design
    ("designs/engine/merged_categories.py", "_of_fewer"),  # a region of fewer categories has the class of the given one
}


def names_below(*bases: type) -> set[str]:
    """The names of all subclasses in rropt; the bases themselves check what users give."""
    found: set[str] = set()
    for base in bases:
        for each in base.__subclasses__():
            found |= (
                {each.__name__} if each.__module__.startswith(("rropt.", "rropt_fieldwork.")) else set()
            ) | names_below(each)
    return found


def kinds() -> set[str]:
    """The kinds of objectives in rropt; other tests register kinds of their own."""
    return {kind for kind, each in OBJECTIVES.items() if each.__module__.startswith(("rropt.", "rropt_fieldwork."))}


CLASSES = names_below(Objective, Region, RayForm, RayCriterion, RationalLevels)


def kind_tests(tree: ast.AST) -> Iterator[str]:
    """The functions that test a kind or a class, in the order of the file."""
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        for node in ast.walk(function):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ("isinstance", "issubclass"):
                named = {part.id for part in ast.walk(node.args[1]) if isinstance(part, ast.Name)}
            elif isinstance(node, ast.MatchClass):
                named = {ast.unparse(node.cls).rpartition(".")[2]}
            elif isinstance(node, ast.Compare) and "objective" in ast.unparse(node):
                named = {part.value for part in ast.walk(node) if isinstance(part, ast.Constant)} & kinds()
                if named:
                    yield function.name
                continue
            else:
                continue
            if named & CLASSES:
                yield function.name


def test_no_module_asks_for_the_kind_of_an_objective_or_region() -> None:
    named = re.compile("|".join(CLASSES | kinds()))
    found = {
        (place(path), name)
        for path in modules()
        if place(path).partition("/")[0] not in OWN
        if not place(path).startswith(MIRRORS)
        if named.search(text := path.read_text(encoding="utf-8"))  # to parse a file takes long
        for name in kind_tests(ast.parse(text))
    }
    assert found == READERS


@every_case(
    "text",
    [
        "def f(problem):\n    return problem.objective.kind == 'a-optimal'",
        "def f(problem):\n    return problem.objective.kind not in ('trace', 'loss')",
        "def f(x):\n    return isinstance(x.objective, (int, Contrast))",
        "def f(region):\n    return isinstance(region, PrivacyRegion)",
        "def f(criterion):\n    return isinstance(criterion, Eigenvalue)",
        "def f(x):\n    match x:\n        case TotalVariation():\n            return 1",
    ],
)
def test_the_scan_sees_every_form_of_such_a_test(text: str) -> None:
    assert list(kind_tests(ast.parse(text))) == ["f"]
