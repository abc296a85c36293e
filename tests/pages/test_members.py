"""The page on members of base classes lists exactly those that at most one class below overrides."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from few_rows import few_rows

import rropt

PAGE = Path(__file__).parents[2] / "docs" / "developers" / "members.md"
FOLDERS = ("objectives", "privacy", "mechanisms")  # all classes below the four stand there
BASES = ("Objective", "RayForm", "Region", "Mechanism")


def _members(node: ast.ClassDef) -> set[str]:
    own: set[str] = set()
    for line in node.body:
        if isinstance(line, ast.FunctionDef):
            own.add(line.name)
        elif isinstance(line, ast.AnnAssign | ast.Assign):
            targets = [line.target] if isinstance(line, ast.AnnAssign) else line.targets
            own |= {target.id for target in targets if isinstance(target, ast.Name)}
    return own


@pytest.fixture(scope="module")
def classes() -> dict[str, tuple[list[str], set[str]]]:
    """Return the names of the bases, and the own members, of each class."""
    found: dict[str, tuple[list[str], set[str]]] = {}
    for folder in FOLDERS:
        for file in (Path(rropt.__file__).parent / folder).rglob("*.py"):
            text = file.read_text(encoding="utf-8")
            tree = ast.parse(text) if re.search(r"^class ", text, re.MULTILINE) else ast.Module([], [])
            for node in tree.body:
                if isinstance(node, ast.ClassDef):
                    bases = [base.value if isinstance(base, ast.Subscript) else base for base in node.bases]
                    found[node.name] = [base.id for base in bases if isinstance(base, ast.Name)], _members(node)
    return found


@few_rows(1)
@pytest.mark.parametrize("base", BASES)
def test_the_page_lists_the_members_that_few_classes_override(
    base: str, classes: dict[str, tuple[list[str], set[str]]]
) -> None:
    below, before = {base}, set[str]()
    while below != before:
        before = set(below)
        below |= {name for name, (bases, _) in classes.items() if below & set(bases)}
    overriding = [classes[name][1] for name in below - {base}]
    assert len(overriding) >= 7
    rare = {name for name in classes[base][1] if sum(name in own for own in overriding) <= 1}
    section = PAGE.read_text(encoding="utf-8").split(f"## {base}\n")[1].split("\n## ")[0]
    cells = [row.split("|")[1] for row in section.splitlines() if row.startswith("| `")]
    listed = [name for cell in cells for name in re.findall(r"`(\w+)`", cell)]
    assert sorted(listed) == sorted(name for name in rare if not name.startswith("_"))
