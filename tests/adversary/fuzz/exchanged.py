"""Mutants of parity-bound and its arithmetic: a comparison turned or moved by its boundary, an end exchanged.

A mutant is killed by a file or a statement about a cell on which it and the checker disagree; one that accepts what the
checker rejects is distinguished from one that is only stricter. From ``tests/checker``, by hand (a quarter of an hour):

    python -m fuzz.exchanged [STATEMENTS] [MODULE ...]

asks of every mutant its vectors and so many statements (0: the vectors alone). It prints every mutant that
survives, and how many there are by module.
"""

from __future__ import annotations

import ast
import random
import shutil
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from vectors import vectors

import rropt.checker

from . import cells
from .version_2 import judge_of
from .weakened import _loaded

FOLDER = Path(rropt.checker.__file__).parent
MODULES = tuple(
    f"parity_bound/{name}.py" for name in ("constants", "expansions", "judgement", "pieces", "statement")
) + ("intervals.py",)
SECONDS = 60  # that a mutant has: one that does not end accepts nothing
_PAIRS = [("low", "high"), ("at_low", "at_high"), ("start", "end"), ("_down", "_up"), ("min", "max"), ("lower", "top")]
_PAIRS += [("minimum", "maximum"), ("up", "down"), ("ZERO", "INFINITY"), ("next_minus", "next_plus"), ("N", "D")]
OTHER = {a: b for pair in _PAIRS for a, b in (pair, pair[::-1])}
_TURNED: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.Gt, ast.LtE),
    ast.LtE: (ast.GtE, ast.Lt),
    ast.Gt: (ast.Lt, ast.GtE),
    ast.GtE: (ast.LtE, ast.Gt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
}


class Mutant(NamedTuple):
    """One change of the text of a module."""

    file: str
    line: int
    text: str  # of the whole module
    what: str


def mutants(file: str) -> Iterator[Mutant]:
    """Iterate over all mutants of a module."""
    source = (FOLDER / file).read_text(encoding="utf-8")
    for index, node in enumerate(ast.walk(ast.parse(source))):
        for change, what in _changes(node):
            tree = ast.parse(source)
            target = next(islice(ast.walk(tree), index, None))
            before = ast.unparse(target)
            change(target)
            line = getattr(target, "lineno", 0)
            yield Mutant(file, line, ast.unparse(tree), f"{what}: {before} -> {ast.unparse(target)}"[:160])


def _changes(node: ast.AST) -> Iterator[tuple[Callable[[Any], None], str]]:
    if isinstance(node, ast.Compare):
        for place, op in enumerate(node.ops):
            for other in _TURNED.get(type(op), ()):
                yield lambda n, i=place, o=other: n.ops.__setitem__(i, o()), "comparison"
    if isinstance(node, ast.Name) and node.id in OTHER and isinstance(node.ctx, ast.Load):
        yield lambda n: setattr(n, "id", OTHER[n.id]), "name"
    if isinstance(node, ast.Attribute) and node.attr in OTHER and isinstance(node.ctx, ast.Load):
        yield lambda n: setattr(n, "attr", OTHER[n.attr]), "attribute"
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in OTHER:
        yield lambda n: setattr(n, "value", OTHER[n.value]), "text"
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant) and node.slice.value in (0, 1):
        yield lambda n: setattr(n.slice, "value", 1 - n.slice.value), "end"
    if isinstance(node, ast.BoolOp):
        yield lambda n: setattr(n, "op", ast.And() if isinstance(n.op, ast.Or) else ast.Or()), "and, or"


class Question(NamedTuple):
    """A file, or a statement about a cell, and what the checker answers."""

    asked: Any
    accepted: bool


def questions(texts: list[str], statements: int, seed: int = 0) -> list[Question]:
    """Return the checker's answers."""
    judge = judge_of()
    listed = [Question(text, bool(rropt.checker.check_text(text))) for text in texts]
    drawn = islice(cells.statements(random.Random(seed)), statements)
    return listed + [Question(each, judge(each) == "accepted") for each in drawn]


def killed(mutant: Mutant, asked: list[Question], place: Path) -> str:
    """Return how a mutant is killed: ``unsound``, ``strict``, ``falls``; nothing if it survives."""
    folder = place / "exchanged_checker"
    shutil.copytree(FOLDER, folder, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / mutant.file).write_text(mutant.text, encoding="utf-8")
    signal.signal(signal.SIGALRM, _too_long)
    signal.alarm(SECONDS)
    try:
        check, judge = _loaded(folder).check_text, judge_of(folder.name)
        for question in asked:
            is_file = isinstance(question.asked, str)
            now = bool(check(question.asked)) if is_file else judge(question.asked) == "accepted"
            if now != question.accepted:
                return "unsound" if now else "strict"
    except Exception:
        return "falls"
    finally:
        signal.alarm(0)
        for name in [name for name in sys.modules if name.split(".")[0] == folder.name]:
            del sys.modules[name]
        shutil.rmtree(folder)
    return ""


def _too_long(*_: object) -> None:
    raise TimeoutError


def main(statements: int, files: list[str]) -> None:
    """Print the mutants that survive."""
    asked = questions([vector["text"] for vector in vectors("parity-bound")], statements)
    print(f"{len(asked)} questions, {sum(q.accepted for q in asked)} accepted", flush=True)
    counts: Counter[tuple[str, str]] = Counter()
    with tempfile.TemporaryDirectory() as place:
        for file in files:
            for mutant in mutants(file):
                how = killed(mutant, asked, Path(place))
                counts[file, how or "survives"] += 1
                if not how:
                    print(f"{file}:{mutant.line} {mutant.what}", flush=True)
    for (file, how), count in sorted(counts.items()):
        print(f"{count:6} {file} {how}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 0, sys.argv[2:] or list(MODULES))
