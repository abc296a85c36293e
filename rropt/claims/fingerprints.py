"""Fingerprints of claims: the hash of everything on which a recorded outcome depends.

These are the claim's own file, the files of its registry that it imports, the engine, and the certificate format. The
engine is the code of ``rropt.claims`` and of the packages that compute for it. The rules of the checker are not
included: they belong to the format, and if a verdict of the checker changes, a recorded outcome is not reproduced.
"""

from __future__ import annotations

import hashlib
import inspect
import re
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

from rropt.core.certificates import FORMAT

ENGINE = ("claims", "core/certificates", "core/exact", "core/linear")
"""The folders of the engine below ``rropt``; other parts of ``core`` read, write and format, and compute nothing."""

_DOCSTRING = r'(?:^|(?<=:\n))(?P<indent>[ \t]*)r?"""[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*"""(?=\n|$)'
_STRING = r'"""[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*"""|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\''
_COMMENTS = re.compile(rf"(?P<kept>{_STRING})|[ \t]*#[^\n]*", re.DOTALL)
_BLANKS = re.compile(rf"(?P<kept>{_STRING})|\n[ \t\n]*(?=\n)|\A\n+|\n+\Z", re.DOTALL)
_DOCSTRINGS = re.compile(_DOCSTRING, re.DOTALL)


def fingerprint(module: ModuleType | str) -> str:
    """Return the hash under which a claim's outcome is recorded.

    It depends on the claim's file, the files of its registry that it imports, the engine and the format.

    Args:
        module: the module of the claim; or the hash itself, if another process ran the claim.
    """
    if isinstance(module, str):
        return module
    sources: dict[str, str] = {}
    _collect(module, sources)
    text = "\n".join([engine_hash(), FORMAT, *(sources[name] for name in sorted(sources))])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _collect(module: ModuleType, sources: dict[str, str]) -> None:
    if module.__name__ in sources:
        return
    source = sources[module.__name__] = inspect.getsource(module)
    root = module.__name__.partition(".")[0]
    for name in re.findall(rf"^from ({re.escape(root)}[.\w]*) import", source, re.MULTILINE):
        _collect(import_module(name), sources)


@cache
def engine_hash(root: Path | None = None) -> str:
    """Return the hash of the engine's code: names of files, and their texts without comments and docstrings.

    Line endings, compiled files and blank lines do not change it.

    Args:
        root: the folder of the package ``rropt``; by default that of this file.
    """
    top = Path(__file__).parents[1] if root is None else root
    found = hashlib.sha256()
    for folder in ENGINE:
        for file in sorted((top / folder).rglob("*.py"), key=lambda file: file.relative_to(top).as_posix()):
            code = code_of(file.read_text(encoding="utf-8"))
            found.update(f"{file.relative_to(top).as_posix()} {len(code)}\n{code}\n".encode())
    return found.hexdigest()[:16]


def code_of(source: str) -> str:
    """Return a Python source without comments, docstrings and blank lines.

    An empty string stands in place of each docstring. A docstring follows the first line of a class or a function, or
    begins the file, has three double quotes, and stands alone on its lines.

    >>> code_of('def one() -> int:  # the unit\\n    \"\"\"Return 1.\"\"\"\\n\\n    return 1\\n')
    'def one() -> int:\\n    ""\\n    return 1'
    """
    bare = _BLANKS.sub(_kept, _COMMENTS.sub(_kept, source))
    return _DOCSTRINGS.sub(lambda found: f'{found["indent"]}""', bare)


def _kept(found: re.Match[str]) -> str:
    return found["kept"] or ""
