"""Code lines, by package and by file: what is left of a file without docstrings, comments and blank lines.

    python benchmarks/code_size.py [FOLDER ...] [--files] [--strict]

A line counts when a token of the program begins or ends on it, or passes through it (a string over several lines),
and it does not belong to a docstring: an expression statement that is nothing but a string, wherever it stands (so
the words below an attribute count as a docstring too). Without a folder: the packages with a limit, every package of
`rropt/`, and `rropt/` in all. With `--files`, or for a named folder, every file too. With `--strict` the exit status is
1 when a package is larger than its limit, or a file longer than 300 lines.

    >>> code_lines('"Title."\\n\\nx = 1  # one\\n# two\\ny = (\\n    2,\\n)\\n')
    4
"""

from __future__ import annotations

import argparse
import ast
import io
import tokenize
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# Most code lines, and most files, that a package may have; None where nothing is asked. They are ratchets: what there
# is, and room for a small mend. Who makes a package smaller lowers its number; who raises one says in the commit why.
LIMITS: dict[str, tuple[int | None, int | None]] = {
    "rropt/linear": (1600, 16),
    "rropt/solvers": (5900, 44),
    "rropt/privacy/parity_bounds": (1400, None),
    "rropt/checker": (None, None),
    "rropt/cli": (2110, None),
    "rropt": (46_100, 390),
}
LONGEST_FILE = 300  # lines of any kind

_SILENT = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENCODING,
    tokenize.ENDMARKER,
}


def code_lines(text: str) -> int:
    """Return the number of code lines of a module."""
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in _SILENT:
            lines.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            lines.difference_update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return len(lines)


def modules(folder: Path) -> list[Path]:
    """Return the modules below a folder."""
    return sorted(folder.rglob("*.py"))


def line(name: str, files: Iterable[Path], limit: tuple[int | None, int | None] = (None, None)) -> bool:
    """Print the size of a package; return whether it keeps to its limits."""
    texts = [file.read_text(encoding="utf-8") for file in files]
    code, longest = sum(map(code_lines, texts)), max((text.count("\n") for text in texts), default=0)
    most_lines, most_files = limit
    sizes = (("code", code, most_lines), ("files", len(texts), most_files), ("longest file", longest, LONGEST_FILE))
    broken = [word for word, value, most in sizes if most is not None and value > most]
    allowed = " / ".join("-" if most is None else str(most) for most in limit)
    verdict = f"  over the limit: {', '.join(broken)}" if broken else ""
    print(f"{name:<40} {code:>7} {len(texts):>6} {longest:>8}  {allowed:>11}{verdict}")
    return not broken


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", help="folders below the root, such as rropt/linear")
    parser.add_argument("--files", action="store_true", help="every file too")
    parser.add_argument("--strict", action="store_true", help="exit status 1 when a limit is broken")
    args = parser.parse_args()
    packages = [path.name for path in sorted((ROOT / "rropt").iterdir()) if (path / "__init__.py").exists()]
    everything = dict.fromkeys([*LIMITS, *(f"rropt/{name}" for name in packages)])
    print(f"{'':<40} {'code':>7} {'files':>6} {'longest':>8}  {'limit':>11}")
    kept = True
    for name in args.folders or sorted(everything):
        files = modules(ROOT / name)
        kept &= line(name, files, LIMITS.get(name, (None, None)))
        if args.files or args.folders:
            for file in files:
                line(f"  {file.relative_to(ROOT / name)}", [file])
    if args.strict and not kept:
        raise SystemExit("a package is larger than its limit")


if __name__ == "__main__":
    main()
