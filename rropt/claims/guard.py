"""The guard: whether a registry's code has changed the engine that judges it.

A package of claims is Python and runs in the engine's process, so it can assign to the engine's functions, to those of
SymPy or of the standard library. The guard remembers what stands where before a package is imported and before a claim
is run, and looks again afterwards: names of modules, methods of classes, the code and the defaults of functions, the
entries of tables. What has changed is put back and told; where it cannot be put back, nothing counts any more.

It sees what is still changed when the package's code has returned. It is no sandbox: code that changes the engine and
changes it back before it returns, or this file, or memory, is not seen. Certificates are therefore judged once more by
``python -I -m rropt.checker``, a process of its own that never imports the package.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from operator import attrgetter, is_
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FunctionType, MethodType, ModuleType
from typing import Any

from rropt.certificates import Certificate
from rropt.errors import InvalidParameterError, RroptError
from rropt.files import write_text

_OWN = (
    *("rropt.checker", "rropt.claims", "rropt.certificates", "rropt.positivity", "rropt.exact"),
    *("rropt.errors", "rropt.mappings"),
)
_OTHERS = (  # that the engine calls; of SymPy what expressions are made of
    *("builtins", "fractions", "operator", "math", "itertools", "functools", "flint"),
    *("sympy", "sympy.core.add", "sympy.core.basic", "sympy.core.expr", "sympy.core.mul", "sympy.core.numbers"),
    *("sympy.core.power", "sympy.core.relational", "sympy.core.symbol", "sympy.core.sympify", "sympy.polys.polytools"),
)
_MOST = 1000  # entries of a table that are looked at
_FUNCTION = ("__code__", "__defaults__", "__kwdefaults__")
_SCRATCH = ("__doc__", "__annotations__", "__warningregistry__", "__abstractmethods__", "_abc_impl")
_FILES = 400  # of one process: more than that is too long for a command line


class EngineChangedError(RroptError, RuntimeError):
    """Code of a registry has changed the engine that judges it."""


def _places() -> Iterator[tuple[str, Any]]:
    """Iterate over the modules that are looked at."""
    for name, module in list(sys.modules.items()):
        if (name in _OTHERS or name.startswith(_OWN)) and isinstance(module, ModuleType):
            yield name, module


def _own_names(held: Any) -> dict[str, Any]:
    return {name: value for name, value in vars(held).items() if name not in _SCRATCH}


def snapshot() -> dict[tuple[str, str], tuple[Any, Any]]:
    """Return what stands where: by the name of an owner and of a part of it, the owner and the part."""
    found: dict[tuple[str, str], tuple[Any, Any]] = {
        ("sys", "trace"): (None, sys.gettrace()),
        ("sys", "profile"): (None, sys.getprofile()),
    }
    for name, module in _places():
        found["sys.modules", name] = (sys.modules, module)
        for part, value in _own_names(module).items():
            if isinstance(value, ModuleType) or part.startswith("__"):
                continue
            found[name, part] = (module, value)
            if getattr(value, "__module__", name) == name and name != "builtins":  # else it is looked at elsewhere
                _parts(found, f"{name}.{part}", value, own=name.startswith(_OWN))
    return found


def _parts(found: dict[tuple[str, str], tuple[Any, Any]], name: str, value: Any, *, own: bool) -> None:
    """Add the parts of a function, a class or a table."""
    if isinstance(value, type):
        for part, inner in vars(value).items():
            function = getattr(inner, "fget", getattr(inner, "__func__", inner))
            if part not in _SCRATCH and (own or callable(function)):
                found[name, part] = (value, inner)
                if own and type(function) is FunctionType:
                    _parts(found, f"{name}.{part}", function, own=own)
    elif isinstance(value, FunctionType):
        for part in _FUNCTION:
            found[name, part] = (value, getattr(value, part))
    elif own and isinstance(value, dict) and len(value) <= _MOST:
        for key, inner in value.items():
            found[name, repr(key)] = (partial(value.__setitem__, key), inner)
    elif own and isinstance(value, (list, set)) and len(value) <= _MOST:
        found[name, "entries"] = (None, tuple(value))


_PARTS = tuple(map(attrgetter, _FUNCTION))


@dataclass
class _Last:
    """What was seen last, and the snapshot of it: as long as nothing changes there is no other one.

    A look collects all objects of which a snapshot tells, without names: where they are the same, nothing has changed.
    What is looked into follows from the objects themselves, so it is found once, and then only looked at.

    Attributes:
        tables: names and entries of modules, classes and tables, as they are held.
        entries: lists and sets.
        functions: also those of methods and properties.
        seen: what they held.
        parts: the snapshot.
    """

    tables: list[Mapping[Any, Any]] = field(default_factory=list)
    entries: list[Iterable[Any]] = field(default_factory=list)
    functions: list[FunctionType] = field(default_factory=list)
    seen: Sequence[Any] = ()
    parts: dict[tuple[str, str], tuple[Any, Any]] = field(default_factory=dict)

    def taken(self) -> dict[tuple[str, str], tuple[Any, Any]]:
        """Return the snapshot of what there is now."""
        if not self.is_now():
            self._find()
            self.seen, self.parts = self._look(), snapshot()
        return self.parts

    def is_now(self) -> bool:
        """Return whether it is what there is."""
        try:
            now = self._look()
        except Exception:  # somebody's object, where one of the engine was
            return False
        return len(now) == len(self.seen) and all(map(is_, now, self.seen))

    def _look(self) -> list[Any]:
        seen: list[Any] = [sys.gettrace(), sys.getprofile(), *(module for _, module in _places())]
        for table in self.tables:
            seen += table
            seen += table.values()
        for each in self.entries:
            seen += each
        for part in _PARTS:
            seen += map(part, self.functions)
        return seen

    def _find(self) -> None:
        """Find what there is to look into."""
        self.tables, self.entries, self.functions = [], [], []
        for name, module in _places():
            self.tables.append(vars(module))
            for value in vars(module).values():
                if isinstance(value, type) and getattr(value, "__module__", name) == name:
                    self.tables.append(vars(value))
                    for inner in vars(value).values():
                        self._function(getattr(inner, "fget", getattr(inner, "__func__", inner)))
                elif isinstance(value, dict) and len(value) <= _MOST:
                    self.tables.append(value)
                elif isinstance(value, (list, set)) and len(value) <= _MOST:
                    self.entries.append(value)
                else:
                    self._function(value)

    def _function(self, value: Any) -> None:
        if type(value) is FunctionType:
            self.functions.append(value)


_LAST = _Last()


def differences(before: dict[tuple[str, str], tuple[Any, Any]]) -> list[str]:
    """Return what is no longer what it was, in words, and put it back where that is possible."""
    told = []
    modules = {part: value for (owner, part), (_, value) in before.items() if owner == "sys.modules"}
    for name, module in modules.items():  # first: what stands in a module is looked at in the right one
        if sys.modules.get(name) is not module:
            told.append(f"sys.modules.{name}")
            sys.modules[name] = module
    now = snapshot()
    owners = {owner: held for (owner, _), (held, _) in before.items()}
    for (owner, part), (held, value) in before.items():
        if (owner, part) not in now or not _same(now[owner, part][1], value):
            told.append(f"{owner}.{part}")
            _put_back(held, part, value)
    for (owner, part), (held, value) in now.items():
        is_new = (owner, part) not in before and owners.get(owner) is held  # what was imported meanwhile is no change
        if is_new and isinstance(held, (ModuleType, type)) and not isinstance(value, ModuleType):
            told.append(f"{owner}.{part}")
            delattr(held, part)
    return told


def _same(now: Any, before: Any) -> bool:
    if isinstance(before, tuple) and isinstance(now, tuple):
        return len(now) == len(before) and all(x is y for x, y in zip(now, before, strict=True))
    if isinstance(before, MethodType):  # made anew at every look
        return bool(now == before)
    return now is before


def _put_back(held: Any, part: str, value: Any) -> None:
    try:
        if isinstance(held, partial):
            held(value)
        elif part == "trace" and held is None:
            sys.settrace(value)
        elif part == "profile" and held is None:
            sys.setprofile(value)
        elif held is not None:
            setattr(held, part, value)
    except (TypeError, AttributeError):  # it is told all the same
        return


@contextmanager
def guarded(what: str) -> Iterator[None]:
    """Watch over code of a registry.

    Raises:
        InvalidParameterError: the code ends the program.
        EngineChangedError: the code has changed the engine, now or earlier in this process.
    """
    if _LASTING:
        raise EngineChangedError(f"the engine was changed before, and could not be put back: {_LASTING[0]}")
    before = _LAST.taken()
    try:
        yield
    except SystemExit as end:
        raise InvalidParameterError(f"{what} ends the program: received {end!r}; let a claim raise an error") from end
    finally:
        told = [] if before is _LAST.parts and _LAST.is_now() else differences(before)
        if told:
            _LASTING.extend(left[:1] if (left := differences(before)) else [])
            shown = ", ".join(told[:3]) + (f" and {len(told) - 3} more" if len(told) > 3 else "")
            raise EngineChangedError(f"{what} changes the engine that judges it: {shown}")


_LASTING: list[str] = []  # what could not be put back


def judged_apart(certificates: Sequence[Certificate]) -> list[int]:
    """Return the places of the certificates that the checker, in a process of its own, does not accept.

    Raises:
        EngineChangedError: that process gives no verdict.
    """
    refused: list[int] = []
    with TemporaryDirectory() as folder:
        paths = [str(Path(folder) / f"{place}.json") for place in range(len(certificates))]
        for path, certificate in zip(paths, certificates, strict=True):
            write_text(path, certificate.file_text)
        for first in range(0, len(paths), _FILES):
            some = paths[first : first + _FILES]
            run = subprocess.run(  # isolated: no variable and no folder of the user adds to what it imports
                [sys.executable, "-I", "-m", "rropt.checker", *some], capture_output=True, text=True, check=False
            )
            lines = run.stdout.splitlines()
            if len(lines) != len(some):
                raise EngineChangedError(f"the checker gives no verdict: {run.stderr.strip() or run.returncode}")
            refused += [
                first + place
                for place, (path, line) in enumerate(zip(some, lines, strict=True))
                if not line.startswith(f"{ascii(path)[1:-1]}: accepted")
            ]
    return refused
