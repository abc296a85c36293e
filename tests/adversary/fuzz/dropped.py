"""Every condition of the checker, dropped in turn: found in its syntax, not listed.

A condition is a ``raise Rejected(...)``, or a call whose result nobody takes: it can only reject. It is dropped by a
``pass`` in its place; where an ``if`` with several alternatives guards it, each alternative is dropped as well. The
function with the change takes the place of the real one for as long as it is asked: all other code is the checker's.
"""

from __future__ import annotations

import ast
import copy
import importlib
import json
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from traceback import walk_tb
from types import CodeType, FunctionType
from typing import Any

import pytest

import rropt.checker
from adversary.writing import put, walk
from rropt.checker import verdicts
from rropt.checker.bundles import certificates_of, is_bundle
from rropt.checker.documents import Rejected, parse

FOLDER = Path(rropt.checker.__file__).parent
EFFECTS = ("spend", "spend_in_bulk", "_spend", "append", "add", "setdefault", "sort", "reset", "upto")
"""What is called for its effect: such a call is no condition."""
WITHOUT_CALLS = ("__main__", "sentences", "verdicts")
"""Modules in which no such call rejects a file (what ``verdicts`` asks after a statement: test_invariants.py)."""
MOST_MEMORY = 8 * 2**30  # bytes of addresses while a condition is dropped, some 4 GB of which the test itself takes

Place = tuple[str, int]  # a module and a line


@dataclass(frozen=True)
class Dropped:
    """A condition of a module that is dropped: the place of its ``raise`` or call, and the alternative if one is."""

    module: str
    function: str
    reason: str  # as it is written
    first: int
    last: int
    alternative: int | None

    @property
    def lines(self) -> range:
        """The lines of its ``raise`` or call."""
        return range(self.first, self.last + 1)

    @property
    def name(self) -> str:
        """What it is called: nothing in it depends on line numbers."""
        part = "" if self.alternative is None else f" [{self.alternative}]"
        return f"{self.module}.{self.function}: {self.reason}{part}"


def conditions() -> list[Dropped]:
    """Return all of them."""
    paths = [*FOLDER.glob("*.py"), *FOLDER.glob("parity_bound/*.py")]
    return [each for path in sorted(paths) for each in _of_module(_module(path))]


def _module(path: Path) -> str:
    return ".".join(path.relative_to(FOLDER).with_suffix("").parts)


def _path(module: str) -> Path:
    return FOLDER.joinpath(*module.split(".")).with_suffix(".py")


@cache
def _source(module: str) -> str:
    return _path(module).read_text(encoding="utf-8")


@cache
def _parsed(module: str) -> ast.Module:
    return ast.parse(_source(module))


def _statement(module: str, line: int) -> ast.Module:
    """Return a copy of the function or class at a line: to compile the others again would change nothing."""
    (found,) = (each for each in _parsed(module).body if each.lineno <= line <= (each.end_lineno or each.lineno))
    return ast.Module([copy.deepcopy(found)], [])


def _of_module(module: str) -> Iterator[Dropped]:
    for function, guard, node in _raises(_parsed(module), ""):
        if isinstance(node, ast.Expr) and module in WITHOUT_CALLS:
            continue
        reason = _reason(node)
        place = (module, function, reason, node.lineno, node.end_lineno or node.lineno)
        yield Dropped(*place, None)
        if isinstance(guard, ast.If) and isinstance(guard.test, ast.BoolOp) and isinstance(guard.test.op, ast.Or):
            for i in range(len(guard.test.values)):
                yield Dropped(*place, i)


def _raises(node: ast.AST, function: str) -> Iterator[tuple[str, ast.AST, ast.Raise | ast.Expr]]:
    """Iterate over function, parent and node of every ``raise Rejected(...)`` and call that can only reject."""
    for child in ast.iter_child_nodes(node):
        name = function
        if isinstance(child, (ast.FunctionDef, ast.ClassDef)):
            name = f"{function}.{child.name}" if function else child.name
        called = child.exc if isinstance(child, ast.Raise) else child.value if isinstance(child, ast.Expr) else None
        if isinstance(called, ast.Call):
            name_of = ast.unparse(called.func)
            if (name_of == "Rejected") if isinstance(child, ast.Raise) else name_of.split(".")[-1] not in EFFECTS:
                yield function, node, child  # type: ignore[misc]
        yield from _raises(child, name)


def _reason(node: ast.Raise | ast.Expr) -> str:
    if isinstance(node, ast.Expr):
        return ast.unparse(node)[:70]
    assert isinstance(node.exc, ast.Call)
    return ast.unparse(node.exc.args[0])[:70]


class _Dropping(ast.NodeTransformer):
    def __init__(self, condition: Dropped) -> None:
        self.condition = condition
        self.done = 0

    def _is_it(self, node: ast.AST) -> bool:
        return isinstance(node, ast.Raise | ast.Expr) and node.lineno == self.condition.first

    def visit_If(self, node: ast.If) -> ast.AST:
        """Drop one alternative of the condition."""
        if self.condition.alternative is not None and any(map(self._is_it, node.body)):
            assert isinstance(node.test, ast.BoolOp)
            node.test.values[self.condition.alternative] = ast.copy_location(ast.Constant(False), node.test)
            self.done += 1
        self.generic_visit(node)
        return node

    def visit_Raise(self, node: ast.Raise) -> ast.AST:
        """Drop the condition."""
        return self._without(node)

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        """Drop the condition."""
        return self._without(node)

    def _without(self, node: ast.stmt) -> ast.AST:
        if self.condition.alternative is None and self._is_it(node):
            self.done += 1
            return ast.copy_location(ast.Pass(), node)
        return node


@contextmanager
def without(condition: Dropped) -> Iterator[None]:
    """The checker, without a condition."""
    dropping = _Dropping(condition)
    tree = ast.fix_missing_locations(dropping.visit(_statement(condition.module, condition.first)))
    assert dropping.done == 1, condition
    path = str(_path(condition.module))
    function: Any = importlib.import_module(f"rropt.checker.{condition.module}")
    reached = []
    for name in condition.function.split("."):
        if isinstance(function, FunctionType):  # what it defines inside is a part of its code
            break
        function = getattr(function, name)
        reached.append(name)
    changed = _code(compile(tree, path, "exec"), ".".join(reached))
    real, function.__code__ = function.__code__, changed
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, hard))  # without a limit of sizes a file may ask for any size
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
        function.__code__ = real


def _code(code: CodeType, function: str) -> CodeType:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            if constant.co_qualname == function:
                return constant
            if function.startswith(f"{constant.co_qualname}."):
                return _code(constant, function)
    raise LookupError(function)


def answer(text: str) -> str | list[Place]:
    """Return ``accepted``, or where a file is rejected (its ``raise`` last), or ``fallen`` for any other exception.

    The invariants, which every verdict must meet after its statement, would hide a condition that a statement lacks.
    """
    try:
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(verdicts, "require_possible", lambda *_: None)
            document = parse(text.encode())
            bundled = certificates_of(document, verdicts.FORMAT) if is_bundle(document) else []
            for each in bundled or [document]:  # as the checker does, which says where it is rejected, too
                verdicts._check(each)
    except Rejected as rejection:
        frames = [(Path(frame.f_code.co_filename), line) for frame, line in walk_tb(rejection.__traceback__)]
        return [(_module(path), line) for path, line in frames if FOLDER in path.parents]
    except Exception:  # what falls accepts nothing
        return "fallen"
    return "accepted"


# Files that are no certificates: one thing changed in an honest one.

_NUMBERS = ("01", "2/4", "-0", "1/1", "0.5", "-1", "3", "1/7", "0")


def ill_formed(honest: Any) -> Iterator[str]:
    """Iterate over texts with one thing changed: a key, an entry, a number, a kind."""
    text = json.dumps(honest)
    yield text.replace('"format"', '"format": "x", "format"', 1)
    for path, value in [((), honest), *walk(honest)]:
        for other in others(value):
            yield json.dumps(put(honest, path, other))


def others(value: Any) -> Iterator[Any]:
    """Iterate over values of another kind or shape, and numbers."""
    yield from (None, [], {}, "unknown", {"x": "1"}, ["1"])
    if isinstance(value, dict):
        yield {**value, "more": "1"}
        for key in value:
            yield {name: each for name, each in value.items() if name != key}
    elif isinstance(value, list):
        yield [*value, "1"]
        yield value[:-1]
        yield value[::-1]
        yield value + value[-1:]
        if value and isinstance(value[0], list):
            yield [[*row, row[-1]] if isinstance(row, list) and row else row for row in value]
    elif isinstance(value, str):
        yield from _NUMBERS


@dataclass(frozen=True)
class Witness:
    """A file that shows that a condition is needed: false, planted, ill-formed or of the boundary suite."""

    kind: str
    text: str


def named_conditions() -> dict[str, Dropped]:
    """Return all conditions by their names; of several with one name the second is called ``... (2)``, and so on."""
    found: dict[str, Dropped] = {}
    for condition in conditions():
        name, count = condition.name, 1
        while name in found:
            count += 1
            name = f"{condition.name} ({count})"
        found[name] = condition
    return found


def serves(condition: Dropped, witness: Witness) -> bool:
    """Whether the checker rejects a file, and accepts it without the condition, or crashes where it stood."""
    places = answer(witness.text)
    if isinstance(places, str):
        return False
    with without(condition):
        given = answer(witness.text)
    is_there = any((condition.module, line) in places for line in condition.lines)
    return given == "accepted" or (given == "fallen" and is_there)


def witnesses(files: Iterator[tuple[str, str]], wanted: dict[str, Dropped], enough: int) -> dict[str, Witness]:
    """Return a witness of each condition for which one is among the files, (kind, text).

    Of each place ``enough`` files are tried, and as many false ones; where no file is rejected, those that were built
    (another place catches what is rejected there). A file that is accepted without the condition goes before one at
    which the checker crashes.
    """
    lines = {(each.module, line) for each in wanted.values() for line in each.lines}
    by_place: dict[Place, list[tuple[str, str]]] = {}
    planted = []
    for kind, text in files:
        places = answer(text)
        if kind == "planted" and isinstance(places, list):
            planted.append((kind, text))
        for place in lines.intersection(places) if isinstance(places, list) else ():
            listed = by_place.setdefault(place, [])
            if len(listed) < enough or (kind == "false" and sum(k == "false" for k, _ in listed) < enough):
                listed.append((kind, text))
    found = {}
    for name, condition in wanted.items():
        reached = [file for line in condition.lines for file in by_place.get((condition.module, line), ())]
        witness = _witness(condition, sorted(reached or planted))
        if witness is not None:
            found[name] = witness
    return found


def _witness(condition: Dropped, files: list[tuple[str, str]]) -> Witness | None:
    fallen = None
    with without(condition):
        for kind, text in files:
            given = answer(text)
            if given == "accepted":
                return Witness(kind, text)
            if given == "fallen" and fallen is None:
                fallen = Witness(kind, text)
    return fallen
