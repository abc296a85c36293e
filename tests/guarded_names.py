"""The list of names that may not disappear: oracles, vectors, mutants and published figures.

``guarded_names.txt`` has one name in a line, with its kind. A name that is no longer found needs a successor that is
found, in the same line: ``oracle old -> oracle new``. This script reads the tests and the registry, and runs none.
A name does not contain its folder: a file may move.

``python tests/guarded_names.py`` looks (exit status 1 where a name is missing); ``--add`` writes the new names into the
list and takes none away. ``.ci/run`` looks; nothing counts tests.
"""

from __future__ import annotations

import ast
import csv
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LIST = Path(__file__).with_suffix(".txt")
KINDS = {
    "condition": "what a vector of a rule tests: rule, verdict, reason",
    "data": "a file of data that tests read",
    "figure": "a published figure: an entry of the registry, a test that names its source, a row computed by R",
    "mutant": "something false that must be noticed: an entry of a table, a weakened checker, a mutant of a claim",
    "oracle": "an independent computation: a function of an oracle's module, a test against one",
    "vector": "a certificate with its verdict",
}

# Files whose functions compute what is tested by another route.
_ORACLES = re.compile(r"(oracle|closed_forms|naive|by_hand|second/|written_criteria|outcomes)")
_SAYS_ORACLE = re.compile(
    r"oracle|brute|naive|by_hand|by hand|z3|independent|(an)?other route|second checker|adversar|simulat|fuzz", re.I
)
_SAYS_FIGURE = re.compile(
    r"published|as printed|the papers?\b|student papers|figures? \d|table \d|textbook|nigeria|students|example \d|"
    r"of r\b|\(\d{4}\)|doping|insurance",
    re.I,
)
_SAYS_MUTANT = re.compile(r"mutant|weaken|forge|planted|dishonest|\blies (are|is)|\b(a|consistent) lie\b|lying", re.I)
_MUTANT_TABLE = re.compile(r"MUTANT|FORGER|WEAK|CHANGES|ATTACK|DISHONEST|PLANTED|PATCHES|ARITHMETIC|CATCHING")


def _vectors(folder: Path) -> Iterator[tuple[str, str]]:
    for file in folder.rglob("vectors/*.jsonl"):
        for line in file.read_text(encoding="utf-8").splitlines():
            vector = json.loads(line)
            yield "vector", vector["name"]
            yield "condition", f"{file.stem}, {vector['verdict']}: {vector['reason']}"


def _data(folder: Path) -> Iterator[tuple[str, str]]:
    for file in folder.rglob("*"):
        if file.suffix in (".csv", ".json", ".gz", ".R") and not any(part.startswith(".") for part in file.parts[1:]):
            yield "data", file.name
        if file.name == "figures.csv":
            with file.open(newline="", encoding="utf-8") as stream:
                yield from (("figure", f"R: {' '.join(row[:3])}") for row in list(csv.reader(stream))[1:])


def _text(node: ast.expr | None) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _words_of(row: list[ast.expr]) -> ast.expr | None:
    """Return the words of a weakening (file, old text, new text, words), or what another row begins with."""
    return row[3] if len(row) > 3 else row[0] if row else None


def _tables(statement: ast.stmt) -> Iterator[tuple[str, str]]:
    """Yield the texts that name the entries of a table of mutants: keys, members, or first items."""
    targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
    names = [target.id for target in targets if isinstance(target, ast.Name)]
    value = getattr(statement, "value", None)
    if not names or not _MUTANT_TABLE.search(names[0]) or value is None:
        return
    if isinstance(value, ast.Dict):
        entries: list[ast.expr | None] = list(value.keys)
    elif isinstance(value, ast.Set | ast.List | ast.Tuple):
        entries = [_words_of(each.elts) if isinstance(each, ast.Tuple) else each for each in value.elts]
    else:
        return
    for entry in entries:
        if (text := _text(entry)) is not None:
            yield "mutant", f"{names[0]}: {text}"


def _functions(tree: ast.Module, oracles: bool) -> Iterator[tuple[str, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            # the name with its docstring; decorators hold where a figure comes from, too
            says = node.name.replace("_", " ") + " " + (ast.get_docstring(node) or "")
            for kind, words in (("oracle", _SAYS_ORACLE), ("figure", _SAYS_FIGURE), ("mutant", _SAYS_MUTANT)):
                if words.search(says):
                    yield kind, node.name
                    break
    if oracles:
        for node in tree.body:
            if isinstance(node, ast.FunctionDef) and not node.name.startswith(("test_", "_")):
                yield "oracle", node.name


def _tests(folder: Path) -> Iterator[tuple[str, str]]:
    for file in folder.rglob("*.py"):
        if file.name == Path(__file__).name:
            continue
        tree = ast.parse(file.read_text(encoding="utf-8"))
        for statement in tree.body:
            yield from _tables(statement)
        for node in ast.walk(tree):
            call = isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
            if call and node.func.id in ("Weakening", "_case") and (drops := _text(_words_of(node.args))) is not None:
                yield "mutant", f"weakened checker: {drops}"
        yield from _functions(tree, bool(_ORACLES.search(file.relative_to(folder).as_posix())))


def _claims(folder: Path) -> Iterator[tuple[str, str]]:
    for file in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Claim":
                given = {keyword.arg: keyword.value for keyword in node.keywords}
                if (name := _text(given.get("id"))) is not None:
                    yield "figure", name
                    if given.keys() & {"mutant", "mutant_proof"}:
                        yield "mutant", f"of {name}"


def found(tests: Path = ROOT / "tests", claims: Path = ROOT / "proofs") -> Counter[tuple[str, str]]:
    """Return the (kind, name) pairs that are there, and how often."""
    names: Counter[tuple[str, str]] = Counter()
    for part in (sorted(set(_vectors(tests))), _data(tests), _tests(tests), _claims(claims)):
        names.update((kind, " ".join(name.split()).replace(" -> ", " to ")) for kind, name in part)
    return names


def listed(text: str) -> tuple[Counter[tuple[str, str]], dict[tuple[str, str], tuple[str, str]]]:
    """Return the names of a list, and the successors of those that have one."""
    names: Counter[tuple[str, str]] = Counter()
    successors: dict[tuple[str, str], tuple[str, str]] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        pairs = []
        for part in line.split(" -> "):
            kind, _, name = part.strip().partition(" ")
            if kind not in KINDS or not name:
                raise ValueError(
                    f"line {number} is invalid: received {line!r}; write KIND NAME or KIND OLD -> KIND NEW"
                )
            pairs.append((kind, name))
        names[pairs[0]] += 1
        if len(pairs) > 1:
            successors[pairs[0]] = pairs[1]
    return names, successors


def missing(text: str, there: Counter[tuple[str, str]]) -> list[str]:
    """Return one line for each name of a list that is neither there nor has a successor that is."""
    names, successors = listed(text)
    lines = []
    for pair, times in sorted(names.items()):
        if there[pair] >= times:
            continue
        last, passed = pair, {pair}
        while last in successors and successors[last] not in passed:  # a successor may have one in its turn
            last = successors[last]
            passed.add(last)
        if last == pair:
            more = f" (found {there[pair]} times, listed {times} times)" if times > 1 else ""
            lines.append(f"{' '.join(pair)}: disappeared{more}; bring it back, or name its successor in {LIST.name}")
        elif not there[last]:
            lines.append(f"{' '.join(pair)}: its successor {' '.join(last)} is not there either")
    return lines


def extended(text: str, there: Counter[tuple[str, str]]) -> str:
    """Return a list with the names added that it lacks; no line is taken away."""
    names, _ = listed(text)
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    lines += [" ".join(pair) for pair in (there - names).elements()]
    head = [line for line in text.splitlines() if line.startswith("#")]
    return "\n".join([*head, *sorted(lines)]) + "\n"


def main(arguments: list[str]) -> int:
    """Look at the list, or extend it."""
    there = found()
    text = LIST.read_text(encoding="utf-8")
    if arguments == ["--add"]:
        LIST.write_text(extended(text, there), encoding="utf-8")
        return 0
    gone = missing(text, there)
    print(*gone, sep="\n", end="\n" if gone else "")
    print(f"{sum(listed(text)[0].values())} guarded names, {len(gone)} missing")
    return 1 if gone else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
