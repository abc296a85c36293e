"""Mutants of the library, judged by the tests: the figures of mutation.md, on standard output.

    pip install cosmic-ray
    python benchmarks/mutation.py PACKAGE COUNT TESTS...        for example rropt.core 100 exact linear

Cosmic Ray makes the mutants: each changes one operator, comparison, constant or loop in the body of one function. This
program draws places with a fixed seed, and one of the mutants of each place; it leaves out error messages and
annotations. The tests are collected once and run once on the library as it is; a probe at the top of each chosen
function records which tests call it. Then each mutant is judged in a fork of the process by these tests, the quickest
first, until one fails. RROPT_SEED is the seed; RROPT_TESTS names a folder of other tests, and RROPT_MUTANTS a file with
names of mutants: only these of the drawn mutants are tried.
"""

from __future__ import annotations

import ast
import builtins
import importlib
import json
import os
import pkgutil
import random
import resource
import signal
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import pytest
from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.operators.provider import OperatorProvider

SECONDS = float(os.environ.get("RROPT_SECONDS", 20))  # of tests for one mutant, as they take on the library as it is
ENDLESS = 5  # times as long: the mutant has a loop without end, which counts as killed
SEED = int(os.environ.get("RROPT_SEED", 36))
TESTS = Path(os.environ.get("RROPT_TESTS", Path(__file__).parents[1] / "tests"))
OPERATORS = {name: OperatorProvider()[name] for name in OperatorProvider() if not name.startswith("Variable")}
_LEFT_OUT = (ast.Raise, ast.Assert, ast.AnnAssign, ast.arguments)

Position = tuple[int, int]


@dataclass(frozen=True)
class Mutant:
    """A change that an operator of Cosmic Ray makes at one place of a function."""

    module: str
    function: str  # its qualified name in the module
    place: Position
    operator: str
    occurrence: int  # of what the operator changes, in the module

    @property
    def name(self) -> str:
        """What it is called in the table."""
        return f"{self.module}:{self.place[0]}:{self.place[1]} {self.function}: {self.operator} {self.occurrence}"


@cache
def _source(module: str) -> str:
    return Path(importlib.import_module(module).__file__ or "").read_text(encoding="utf-8")


def _functions(node: ast.AST, prefix: str) -> Iterator[tuple[str, ast.FunctionDef]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ClassDef):
            yield from _functions(child, f"{prefix}{child.name}.")
        elif isinstance(child, ast.FunctionDef):
            yield f"{prefix}{child.name}", child


def _plain(module: Any, function: str) -> FunctionType | None:
    """Return the function of this name as it is called, below its decorators."""
    found: Any = module
    for name in function.split("."):
        found = vars(found).get(name)
        if found is None:
            return None
    for inside in ("__func__", "fget", "func"):
        found = getattr(found, inside, found)
    while not isinstance(found, FunctionType) or hasattr(found, "__wrapped__"):
        if not hasattr(found, "__wrapped__"):
            return None
        found = found.__wrapped__
    return found if found.__module__ == module.__name__ and not found.__code__.co_freevars else None


def _spans(nodes: Iterable[ast.AST]) -> list[tuple[Position, Position]]:
    return [
        ((each.lineno, each.col_offset), (each.end_lineno or 0, each.end_col_offset or 0))
        for each in nodes
        if isinstance(each, ast.stmt | ast.expr)
    ]


def _within(place: Position, spans: list[tuple[Position, Position]]) -> bool:
    return any(start <= place < end for start, end in spans)


def _bodies(module: str) -> tuple[dict[str, list[tuple[Position, Position]]], list[tuple[Position, Position]]]:
    """Return where the bodies of the functions stand that can be changed, and what is left out in them."""
    tree = ast.parse(_source(module))
    loaded = importlib.import_module(module)
    bodies = {name: _spans(node.body) for name, node in _functions(tree, "") if _plain(loaded, name) is not None}
    left_out = [each for each in ast.walk(tree) if isinstance(each, _LEFT_OUT)]
    annotations = [each.annotation for each in left_out if isinstance(each, ast.AnnAssign)]
    return bodies, _spans([*(each for each in left_out if isinstance(each, ast.Raise | ast.Assert)), *annotations])


def mutants(package: str) -> dict[tuple[str, Position], list[Mutant]]:
    """Return all mutants of a package, by the place that they change."""
    found: dict[tuple[str, Position], list[Mutant]] = defaultdict(list)
    root = importlib.import_module(package)
    for info in sorted(pkgutil.walk_packages(root.__path__, f"{package}."), key=lambda info: info.name):
        if info.ispkg or info.name.endswith("__main__"):
            continue
        bodies, left_out = _bodies(info.name)
        nodes = list(ast_nodes(get_ast(_source(info.name))))
        for name, operator in OPERATORS.items():
            changes = operator()
            places = [start for node in nodes for start, _ in changes.mutation_positions(node)]
            for occurrence, place in enumerate(places):
                function = next((each for each, spans in bodies.items() if _within(place, spans)), None)
                if function is not None and not _within(place, left_out):
                    found[info.name, place].append(Mutant(info.name, function, place, name, occurrence))
    return found


def _give(module: str, function: str, code: CodeType) -> None:
    """Give a function changed code, in this process."""
    found = _plain(importlib.import_module(module), function)
    assert found is not None
    found.__code__ = _code(code, function)


def apply(mutant: Mutant) -> None:
    """Give the function of a mutant its changed code, in this process."""
    changed = mutate_code(_source(mutant.module), OPERATORS[mutant.operator](), mutant.occurrence)
    assert changed is not None
    _give(mutant.module, mutant.function, compile(changed, _file(mutant.module), "exec"))


def probe(module: str, function: str) -> None:
    """Let a function enter itself in ``builtins.met`` when it is called."""
    tree = ast.parse(_source(module))
    node = dict(_functions(tree, ""))[function]
    node.body[:0] = ast.parse(f"__import__('builtins').met.add(({module!r}, {function!r}))").body
    _give(module, function, compile(ast.fix_missing_locations(tree), _file(module), "exec"))


def _file(module: str) -> str:
    return str(importlib.import_module(module).__file__)


def _code(code: CodeType, function: str) -> CodeType:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            if constant.co_qualname == function:
                return constant
            if function.startswith(f"{constant.co_qualname}."):
                return _code(constant, function)
    raise LookupError(function)


class Judge:
    """A plugin of pytest: which tests call what, and which mutants they notice."""

    def __init__(self, chosen: list[Mutant]) -> None:
        self.chosen = chosen
        self.verdicts: dict[Mutant, str] = {}

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run every test once, then each mutant's tests in a fork."""
        if session.testsfailed:
            raise session.Failed("some tests cannot be collected")
        functions = {(mutant.module, mutant.function) for mutant in self.chosen}
        for function in functions:
            probe(*function)
        callers: dict[tuple[str, str], list[tuple[float, int]]] = {function: [] for function in functions}
        for function, seconds, i in self._calls(session):
            callers[function].append((seconds, i))
        for mutant in self.chosen:
            listed = sorted(callers[mutant.module, mutant.function])
            self.verdicts[mutant] = self._verdict(session, mutant, listed)
            print(f"{self.verdicts[mutant]:12} {len(listed):4} tests  {mutant.name}", flush=True)
        return True

    def _calls(self, session: pytest.Session) -> list[tuple[tuple[str, str], float, int]]:
        """Run every test once, in a fork: later forks would lack the threads that a library begins here (DuckDB).

        Returns:
            (function, seconds of processor time, number of the test) for each call of a chosen function.
        """
        builtins.met = set()  # type: ignore[attr-defined]
        with tempfile.TemporaryDirectory() as folder:
            written = Path(folder) / "calls.json"
            child = os.fork()
            if child == 0:
                calls = []
                for i, item in enumerate(session.items):
                    builtins.met = set()  # type: ignore[attr-defined]
                    began, failed = time.process_time(), session.testsfailed
                    self._run(item)
                    if session.testsfailed > failed:
                        print(f"left out, fails on the library as it is: {item.nodeid}", flush=True)
                        continue
                    seconds = time.process_time() - began
                    calls += [(function, seconds, i) for function in builtins.met]  # type: ignore[attr-defined]
                written.write_text(json.dumps(calls), encoding="utf-8")
                os._exit(0)
            os.waitpid(child, 0)
            return [(tuple(function), seconds, i) for function, seconds, i in json.loads(written.read_text("utf-8"))]

    def _run(self, item: pytest.Item) -> None:
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)

    def _verdict(self, session: pytest.Session, mutant: Mutant, callers: list[tuple[float, int]]) -> str:
        if not callers:
            return "not called"
        items, total = [], 0.0
        for seconds, i in callers:
            if items and total + seconds > SECONDS:
                break
            items.append(session.items[i])
            total += seconds
        child = os.fork()
        if child == 0:
            limit = int(time.process_time() + 10 + ENDLESS * total)
            resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
            resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
            signal.alarm(60 + 5 * limit)  # seconds of the clock: a fork can wait for a thread that it does not have
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, 1)
            os.dup2(null, 2)
            try:
                apply(mutant)
                for item in items:
                    self._run(item)
                    if session.testsfailed:
                        os._exit(1)
                os._exit(0)
            except SyntaxError:  # ** of a dictionary, taken for a power
                os._exit(2)
            finally:
                os._exit(1)
        status = os.waitpid(child, 0)[1]
        if status == 0:
            return "survives"
        if os.waitstatus_to_exitcode(status) == 2:
            return "no code"
        return "killed" if os.WIFEXITED(status) else "endless"


def main() -> None:
    """Judge a sample of mutants of a package, and print the share that is noticed."""
    package, count, *tests = sys.argv[1:]
    found = mutants(package)
    draw = random.Random(SEED)
    chosen = [draw.choice(found[place]) for place in draw.sample(sorted(found), min(int(count), len(found)))]
    if only := os.environ.get("RROPT_MUTANTS"):
        named = set(json.loads(Path(only).read_text(encoding="utf-8")))
        chosen = [mutant for mutant in chosen if mutant.name in named]
    os.chdir(TESTS)
    sys.path.insert(0, str(TESTS))
    judge = Judge(chosen)
    options = ["-q", "-p", "no:cacheprovider", "-p", "no:randomly", "-s", "--no-header", "-n", "0"]
    pytest.main([*options, *tests], plugins=[judge])
    words = list(judge.verdicts.values())
    if not words:
        sys.exit(1)
    kinds = ("killed", "endless", "survives", "not called", "no code")
    counts = ", ".join(f"{words.count(kind)} {kind}" for kind in kinds)
    noticed = sum(word in ("killed", "endless") for word in words)
    print(f"{package}: {sum(map(len, found.values()))} mutants of {len(found)} places, {len(words)} tried: {counts}")
    print(f"{package}: {100 * noticed / (len(words) - words.count('no code')):.0f} % killed")


if __name__ == "__main__":
    main()
