"""Prints the least versions that pyproject.toml allows, for pip: ``name>=1.2`` becomes ``name==1.2``.

``make lowest`` runs the tests at these versions in a fresh environment, so that a bound that is too low is found. The
bounds stand in pyproject.toml alone; what is pinned there (``==``: the tools of ``make lint``) takes no part.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"]
groups = [project["dependencies"], *project["optional-dependencies"].values()]
least: dict[str, tuple[tuple[int, ...], str]] = {}  # a package that two groups name needs the larger of their bounds
for text in sorted({text for group in groups for text in group}):
    bound = re.fullmatch(r"([\w.-]+(?:\[\w+\])?)(>=|==)([\d.]+)((?: *;.*)?)", text)
    if bound is None and not text.startswith(f"{project['name']}["):
        raise SystemExit(f"pyproject.toml: {text!r} has no plain lower bound; write name>=version")
    if bound is not None and bound[2] == ">=":
        version = tuple(int(part) for part in bound[3].split("."))
        least[bound[1]] = max(least.get(bound[1], ((), "")), (version, f"{bound[1]}=={bound[3]}{bound[4]}"))
print(*(text for _, text in least.values()), sep="\n")
