"""A class of a lower room calls a higher one in one way: a method that imports a function and returns its result.

The import contracts list these edges; this test holds the form of every import that goes up.
"""

from __future__ import annotations

import ast
import tomllib
from pathlib import Path

import pytest

import rropt

ROOT = Path(__file__).parents[2]


def _ranks() -> dict[str, int]:
    with (ROOT / "pyproject.toml").open("rb") as file:
        contracts = tomllib.load(file)["tool"]["importlinter"]["contracts"]
    (layers,) = (each["layers"] for each in contracts if each["id"] == "layers")
    return {name.strip(): place for place, layer in enumerate(layers) for name in layer.split("|")}


RANKS = _ranks()


def _goes_up(node: ast.stmt, room: str) -> bool:
    if not isinstance(node, ast.ImportFrom) or not node.module or not node.module.startswith("rropt."):
        return False
    target = node.module.split(".")[1]
    return target in RANKS and target != room and RANKS[target] <= RANKS[room]


def _is_typing_block(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def _calls_its_import(function: ast.FunctionDef) -> bool:
    """Return whether a method is its docstring, one import of a function, and the call of that function."""
    body = [node for node in function.body if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))]
    if len(body) != 2 or not isinstance(body[0], ast.ImportFrom) or not isinstance(body[1], ast.Return):
        return False
    called = body[1].value
    names = [alias.name for alias in body[0].names]
    return isinstance(called, ast.Call) and isinstance(called.func, ast.Name) and names == [called.func.id]


def wrong_imports(text: str, room: str) -> list[int]:
    """Return the lines of the imports of higher rooms that are neither for types nor a method's own."""
    page = ast.parse(text)
    types = [node for block in page.body if _is_typing_block(block) for node in ast.walk(block)]
    methods = [node for each in page.body if isinstance(each, ast.ClassDef) for node in each.body]
    fine = [each.body for each in methods if isinstance(each, ast.FunctionDef) and _calls_its_import(each)]
    allowed = {id(node) for node in types} | {id(node) for body in fine for node in body}
    return [
        node.lineno
        for node in ast.walk(page)
        if isinstance(node, ast.stmt) and _goes_up(node, room) and id(node) not in allowed
    ]


@pytest.mark.parametrize("room", [name for name in RANKS if name not in ("testing", "__main__", "cli", "checker")])
def test_only_methods_call_a_higher_room(room: str) -> None:
    found = []
    for file in Path(rropt.__file__).parent.rglob("*.py"):
        parts = file.relative_to(Path(rropt.__file__).parent).with_suffix("").parts
        if parts[0] == room:
            found += [f"{file.name}:{line}" for line in wrong_imports(file.read_text(encoding="utf-8"), room)]
    assert not found


@pytest.mark.parametrize(
    ("body", "is_fine"),
    [
        ("class A:\n    def f(self):\n        from rropt.plots import g\n\n        return g(self)", True),
        ("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from rropt.plots import Figure", True),
        ("class A:\n    def f(self):\n        from rropt.plots import g\n\n        x = 1\n        return g(x)", False),
        ("def f(one):\n    from rropt.plots import g\n\n    return g(one)", False),
        ("from rropt.plots import g", False),
    ],
)
def test_other_forms_are_found(body: str, is_fine: bool) -> None:
    assert (not wrong_imports(body, "designs")) == is_fine
    assert not wrong_imports(body, "cli")
