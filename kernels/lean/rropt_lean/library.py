"""The declarations that every file for Lean begins with: core, groups, linear programs, the checker and its proof."""

from __future__ import annotations

import functools
import sys

from .core import declare_core
from .duality import declare_checker, declare_programs
from .groups import declare_groups, declare_laws
from .soundness import declare_soundness
from .terms import Module

_DEEP = 200_000  # frames: a list of n items is a term of depth n


@functools.cache
def _library() -> Module:
    sys.setrecursionlimit(max(sys.getrecursionlimit(), _DEEP))
    module = Module()
    for declare in (declare_core, declare_groups, declare_programs):
        declare(module)
    module.statement = len(module.declarations)
    for declare in (declare_laws, declare_checker, declare_soundness):
        declare(module)
    return module


def library() -> Module:
    """Return a module with the general theorems."""
    return _library().copy()
