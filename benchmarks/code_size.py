"""Code lines, by package and by file: what is left of a file without docstrings, comments and blank lines.

    python benchmarks/code_size.py [FOLDER ...] [--files] [--without-imports]

A line counts when a token of the program begins or ends on it, or passes through it (a string over several lines),
and it does not belong to a docstring: an expression statement that is nothing but a string, wherever it stands (so
the words below an attribute count as a docstring too). Without a folder: every package of
`rropt/`, and `rropt/` in all. With `--files`, or for a named folder, every file too. With `--without-imports`,
the lines of import statements do not count. It only counts: files and packages are cut by idea, and no number of lines
is a limit.

    >>> code_lines('"Title."\\n\\nx = 1  # one\\n# two\\ny = (\\n    2,\\n)\\n')
    4
    >>> code_lines("import os\\nfrom sys import (\\n    argv,\\n)\\nx = 1\\n", imports=False)
    1
"""

from __future__ import annotations

import argparse
import ast
import io
import tokenize
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

_SILENT = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENCODING,
    tokenize.ENDMARKER,
}


def code_lines(text: str, imports: bool = True) -> int:
    """Return the number of code lines of a module, with or without its import statements."""
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in _SILENT:
            lines.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(text)):
        words = (
            isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        )
        if words or (not imports and isinstance(node, ast.Import | ast.ImportFrom)):
            lines.difference_update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return len(lines)


def modules(folder: Path) -> list[Path]:
    """Return the modules below a folder."""
    return sorted(folder.rglob("*.py"))


def line(name: str, files: Iterable[Path], imports: bool) -> None:
    """Print the code lines, the number of files and the lines of the longest file of a package."""
    texts = [file.read_text(encoding="utf-8") for file in files]
    longest = max((text.count("\n") for text in texts), default=0)
    print(f"{name:<40} {sum(code_lines(text, imports) for text in texts):>7} {len(texts):>6} {longest:>8}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", help="folders below the root, such as rropt/core/linear")
    parser.add_argument("--files", action="store_true", help="every file too")
    parser.add_argument("--without-imports", action="store_true", help="do not count import statements")
    args = parser.parse_args()
    everything = ["rropt", "fieldwork/rropt_fieldwork"]
    rooms = [path for name in everything for path in (ROOT / name).iterdir() if (path / "__init__.py").exists()]
    everything += [path.relative_to(ROOT).as_posix() for path in rooms]
    print(f"{'':<40} {'code':>7} {'files':>6} {'longest':>8}")
    for name in args.folders or sorted(everything):
        files = modules(ROOT / name)
        line(name, files, not args.without_imports)
        if args.files or args.folders:
            for file in files:
                line(f"  {file.relative_to(ROOT / name)}", [file], not args.without_imports)


if __name__ == "__main__":
    main()
