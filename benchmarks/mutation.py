"""Mutants of the library, judged by the tests: the figures of mutation.md, on standard output.

python benchmarks/mutation.py PACKAGE COUNT TESTS...        for example rropt.core 30 exact linear

A mutant has one operator, comparison or constant of one function changed; the seed is fixed. The tests are collected
once, and run once on the library as it is: which functions each of them calls is recorded. Then each mutant is judged
in a fork of the process by the tests that call its function, the quickest first, until one fails. RROPT_TESTS names a
folder of other tests, and RROPT_MUTANTS a file with the list of the mutants that are tried.
"""

from __future__ import annotations

import ast
import copy
import importlib
import json
import os
import pkgutil
import random
import resource
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import pytest

SECONDS = 20  # of the processor, beyond what was used before: what takes longer is noticed
TESTS = Path(os.environ.get("RROPT_TESTS", Path(__file__).parents[1] / "tests"))

_COMPARISONS = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
_OPERATORS = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv, ast.Pow: ast.Mult, ast.And: ast.Or, ast.Or: ast.And,
}  # fmt: skip


@dataclass(frozen=True)
class Mutant:
    """A change of one node of a function."""

    module: str
    function: str  # its qualified name in the module
    line: int
    number: int  # of the node, in the order of ``ast.walk`` in its top-level statement
    what: str

    @property
    def name(self) -> str:
        """What it is called in the table."""
        return f"{self.module}:{self.line} {self.function}: {self.what}"


def _change(node: ast.AST) -> str:
    """Change a node, and return what was done, or nothing."""
    match node:
        case ast.Compare(ops=[op]) if type(op) in _COMPARISONS:
            node.ops = [_COMPARISONS[type(op)]()]
            return f"{type(op).__name__} -> {type(node.ops[0]).__name__}"
        case ast.BinOp(op=op) | ast.BoolOp(op=op) if type(op) in _OPERATORS:
            node.op = _OPERATORS[type(op)]()
            return f"{type(op).__name__} -> {type(node.op).__name__}"
        case ast.UnaryOp(op=ast.USub()):
            node.op = ast.UAdd()
            return "- dropped"
        case ast.Constant(value=value) if type(value) is bool:
            node.value = not value
            return f"{value} -> {not value}"
        case ast.Constant(value=value) if type(value) is int:
            node.value = value + 1
            return f"{value} -> {value + 1}"
    return ""


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


def mutants(package: str) -> Iterator[Mutant]:
    """Iterate over all mutants of a package."""
    root = importlib.import_module(package)
    for info in sorted(pkgutil.walk_packages(root.__path__, f"{package}."), key=lambda info: info.name):
        if info.ispkg or info.name.endswith("__main__"):
            continue
        module = importlib.import_module(info.name)
        tree = ast.parse(Path(module.__file__ or "").read_text(encoding="utf-8"))
        for function, node in _functions(tree, ""):
            if _plain(module, function) is None:
                continue
            inside = {id(each) for line in node.body for each in ast.walk(line)}
            inside -= {id(each) for line in ast.walk(node) if isinstance(line, ast.Raise) for each in ast.walk(line)}
            for number, each in enumerate(ast.walk(node)):
                if id(each) in inside and (what := _change(copy.deepcopy(each))):
                    yield Mutant(info.name, function, getattr(each, "lineno", 0), number, what)


def apply(mutant: Mutant) -> None:
    """Give the function of a mutant its changed code, in this process."""
    module = importlib.import_module(mutant.module)
    path = module.__file__ or ""
    tree = ast.parse(Path(path).read_text(encoding="utf-8"))
    node = dict(_functions(tree, ""))[mutant.function]
    _change(list(ast.walk(node))[mutant.number])
    function = _plain(module, mutant.function)
    assert function is not None
    function.__code__ = _code(compile(ast.fix_missing_locations(tree), path, "exec"), mutant.function)


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
        self.places = {self._place(mutant): mutant for mutant in chosen}
        self.killed: dict[Mutant, str] = {}

    def _place(self, mutant: Mutant) -> tuple[str, str]:
        return str(importlib.import_module(mutant.module).__file__), mutant.function

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run every test once, then each mutant's tests in a fork."""
        callers: dict[tuple[str, str], list[tuple[float, int]]] = {}
        for i, item in enumerate(session.items):
            met: set[tuple[str, str]] = set()

            def watch(frame: Any, event: str, _: Any, met: set[tuple[str, str]] = met) -> None:
                if event == "call":
                    met.add((frame.f_code.co_filename, frame.f_code.co_qualname))

            began = time.process_time()
            sys.setprofile(watch)
            try:
                self._run(item, None)
            finally:
                sys.setprofile(None)
            for place in met & self.places.keys():
                callers.setdefault(place, []).append((time.process_time() - began, i))
        assert not session.testsfailed, "the tests fail on the library as it is"
        for mutant in self.chosen:
            listed = [session.items[i] for _, i in sorted(callers.get(self._place(mutant), []))]
            self.killed[mutant] = self._verdict(session, mutant, listed)
            print(f"{self.killed[mutant]:12} {len(listed):4} tests  {mutant.name}", flush=True)
        return True

    def _run(self, item: pytest.Item, following: pytest.Item | None) -> None:
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)

    def _verdict(self, session: pytest.Session, mutant: Mutant, items: list[pytest.Item]) -> str:
        if not items:
            return "not called"
        child = os.fork()
        if child == 0:
            limit = int(time.process_time()) + SECONDS
            resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, 1)
            os.dup2(null, 2)
            apply(mutant)
            for item in items:
                self._run(item, None)
                if session.testsfailed:
                    os._exit(1)
            os._exit(0)
        status = os.waitpid(child, 0)[1]
        return "survives" if status == 0 else "killed"


def main() -> None:
    """Judge a sample of mutants of a package, and print the share that is noticed."""
    package, count, *tests = sys.argv[1:]
    found = list(mutants(package))
    chosen = random.Random(36).sample(found, min(int(count), len(found)))
    if only := os.environ.get("RROPT_MUTANTS"):
        named = set(json.loads(Path(only).read_text(encoding="utf-8")))
        chosen = [mutant for mutant in chosen if mutant.name in named]
    os.chdir(TESTS)
    judge = Judge(chosen)
    options = ["-q", "-p", "no:cacheprovider", "-p", "no:randomly", "-s", "--no-header", "-n", "0"]
    if pytest.main([*options, *tests], plugins=[judge]) or not judge.killed:
        sys.exit(1)
    words = list(judge.killed.values())
    counts = ", ".join(f"{words.count(word)} {word}" for word in ("killed", "survives", "not called"))
    print(f"{package}: {len(found)} mutants, {len(words)} tried: {counts}")


if __name__ == "__main__":
    main()
