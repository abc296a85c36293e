"""Least counts of what may not disappear silently: oracles, vectors, boundary cases, mutants, figures, known optima.

``counts.txt`` has one line for each kind and group: ``vector rays 185``. A change that removes any of them lowers the
number in its line. This script reads the tests and the registry, and runs none.

``python tests/counts.py`` compares (exit status 1 where a count is below its line); ``--write`` writes today's counts.
``.ci/run`` compares.
"""

from __future__ import annotations

import ast
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LIST = Path(__file__).with_suffix(".txt")

# What the name or the docstring of a test says, in this order: one test counts once.
_SAYS = {
    "oracle": r"oracle|brute|naive|by_hand|by hand|z3|independent|(an)?other route|second checker|adversar|simulat|"
    r"fuzz",
    "figure": r"published|as printed|the papers?\b|student papers|figures? \d|table \d|textbook|nigeria|students|"
    r"example \d|of r\b|\(\d{4}\)|doping|insurance",
    "mutant": r"mutant|weaken|forge|planted|dishonest|\blies (are|is)|\b(a|consistent) lie\b|lying",
}
# Files whose functions compute by another route what is tested.
_ORACLES = re.compile(r"oracle|closed_forms|naive|by_hand|reaches|written_criteria|outcomes")
_MUTANTS = re.compile(r"MUTANT|FORGER|WEAK|CHANGES|ATTACK|DISHONEST|PLANTED|PATCHES|ARITHMETIC|CATCHING")

Name = tuple[str, str]


_BUILT = {"dropped_witnesses.jsonl": "dropped", "weaker.jsonl": "weakened", "built.jsonl": "built"}


def _rows(statement: ast.stmt) -> int:
    """Return the number of entries of a table of mutants."""
    target = statement.targets[0] if isinstance(statement, ast.Assign) else getattr(statement, "target", None)
    value = getattr(statement, "value", None)
    if not isinstance(target, ast.Name) or not _MUTANTS.search(target.id):
        return 0
    if isinstance(value, ast.Dict):
        return len(value.keys)
    return len(value.elts) if isinstance(value, ast.Set | ast.List | ast.Tuple) else 0


def _module(text: str, oracles: bool) -> Iterator[str]:
    """Yield the kinds of what one test file holds."""
    tree = ast.parse(text)
    for statement in tree.body:
        yield from ["mutant"] * _rows(statement)
        if oracles and isinstance(statement, ast.FunctionDef) and not statement.name.startswith(("test_", "_")):
            yield "oracle"
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            says = node.name.replace("_", " ") + " " + (ast.get_docstring(node) or "")
            yield from [kind for kind, words in _SAYS.items() if re.search(words, says, re.I)][:1]


def _tests(folder: Path) -> Iterator[Name]:
    for file in folder.rglob("*.*"):
        group, name = file.relative_to(folder).parts[0], file.relative_to(folder).as_posix()
        if file.suffix == ".py" and file.parent != folder:
            yield from ((kind, group) for kind in _module(file.read_text("utf-8"), bool(_ORACLES.search(name))))
        elif file.parent.name == "vectors" and file.suffix == ".jsonl":
            yield from [("vector", file.stem)] * len(file.read_text("utf-8").splitlines())
        elif file.name in _BUILT:
            yield from [("mutant", _BUILT[file.name])] * len(file.read_text("utf-8").splitlines())
        elif file.name == "quotations.json":
            for paper, (count, _) in json.loads(file.read_text("utf-8")).items():
                yield from [("quotation", paper)] * count
        elif file.name == "figures.csv":
            yield from [("figure", f"R/{file.parent.name}")] * (len(file.read_text("utf-8").splitlines()) - 1)
        elif file.suffix == ".csv":
            yield "data", group


def found(root: Path = ROOT) -> Counter[Name]:
    """Return how many of each kind and group are there."""
    counts = Counter(_tests(root / "tests"))
    for line in (root / "rropt/checker/conformance/witnesses.jsonl").read_text("utf-8").splitlines():
        entry = json.loads(line)
        counts["boundary", entry.get("statement") or entry["rule"]] += 1
    known = ast.parse((root / "rropt/testing/optima.py").read_text("utf-8"))
    calls = [node for node in ast.walk(known) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)]
    counts["optimum", "testing"] += sum(node.func.id in ("DesignRow", "ResultRow") for node in calls)  # some in loops
    for record in (root / "proofs").rglob("results.json"):
        counts.update(("figure", name.split(".")[0]) for name in json.loads(record.read_text("utf-8"))["claims"])
    for file in (root / "proofs").rglob("*.py"):
        counts["mutant", "registry"] += len(re.findall(r"\bmutant(?:_proof)?=", file.read_text("utf-8")))
    for file in (ROOT / "proofs").rglob("*.toml"):
        counts["mutant", "registry"] += len(re.findall(r"^false = ", file.read_text("utf-8"), re.MULTILINE))
    return counts


def written(counts: Counter[Name]) -> str:
    """Return the text of the list."""
    return "".join(f"{kind} {group} {number}\n" for (kind, group), number in sorted(counts.items()) if number)


def below(text: str, counts: Counter[Name]) -> list[str]:
    """Return one line for each count that is below its line."""
    lines = []
    for number, line in enumerate(text.splitlines(), 1):
        match = re.fullmatch(r"(\S+) (\S+) ([1-9][0-9]*)", line)
        if match is None:
            raise ValueError(f"line {number} is invalid: received {line!r}; write KIND GROUP NUMBER, or run --write")
        kind, group, least = match.groups()
        if counts[kind, group] < int(least):
            lines.append(
                f"{kind} {group}: found {counts[kind, group]}, expected at least {least}; bring back what has "
                f"disappeared, or lower the number in {LIST.name} and say why"
            )
    return lines


def main(arguments: list[str]) -> int:
    """Compare the list with what is there, or write it."""
    counts = found()
    if arguments == ["--write"]:
        LIST.write_text(written(counts), encoding="utf-8")
        return 0
    lines = below(LIST.read_text(encoding="utf-8"), counts)
    print(*lines, f"{counts.total()} counted, {len(lines)} counts too low", sep="\n")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
