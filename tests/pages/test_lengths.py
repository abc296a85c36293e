"""Functions fit on a screen, and a plain call passes through few of them: the limits of `benchmarks/ways.py` hold."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

from package_modules import modules, place

WAYS = Path(__file__).parents[2] / "benchmarks" / "ways.py"
MOST_LINES = 70  # of code, without the docstring: what a screen shows
# a function with so many lines that are blank, indented further, or end its arguments: only such files are parsed
LONG = re.compile(rf"^( *)(?:async )?def .*\n(?:\n|\1 .*\n|\1\).*\n){{{MOST_LINES},}}", re.MULTILINE)


def lines_of_code(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """The lines of a function without its docstring."""
    first = function.body[0]
    is_text = (
        isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str)
    )
    text = (first.end_lineno or 0) - first.lineno + 1 if is_text else 0
    return (function.end_lineno or 0) - function.lineno + 1 - text


def test_no_function_is_longer_than_a_screen() -> None:
    long = [
        f"{place(file)}: {node.name} has {lines_of_code(node)} lines"
        for file in modules()
        if LONG.search(text := file.read_text(encoding="utf-8"))
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and lines_of_code(node) > MOST_LINES
    ]
    assert not long, f"cut them where a name helps: {long}"


def test_no_way_is_longer_than_its_limit() -> None:
    run = subprocess.run([sys.executable, str(WAYS), "--strict"], capture_output=True, text=True, check=False)
    assert run.returncode == 0, f"{run.stdout}{run.stderr}"
