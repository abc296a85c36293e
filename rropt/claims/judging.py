"""Run each package of claims in a separate process: ``python -m rropt.claims.judging``.

An import of a package can change a function of rropt or of another package. Such a change would affect the verdicts on
all claims in the same process. If several packages are installed, the process that prints the verdicts therefore
imports none of them. Each package is imported, listed and run in a process that imports no other package.
"""

from __future__ import annotations

import io
import json
import pickle
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from inspect import getdoc
from typing import Any

from rropt.claims.claim import Claim
from rropt.claims.guard import EngineChangedError
from rropt.claims.outcomes import Outcome
from rropt.claims.registry import Paper, find_claims, papers_of
from rropt.claims.verifying import Progress, run_all
from rropt.core.errors import InvalidParameterError

_TRUSTED = ("rropt", "sympy", "fractions", "decimal", "collections", "flint", "types", "copyreg")
_BUILTIN = {"set", "frozenset", "complex", "slice", "range", "bytearray", "object", "list", "dict", "tuple", "getattr"}


@dataclass(frozen=True, slots=True)
class Judged:
    """The outcomes that a process computed for the claims of a package.

    Attributes:
        claims: the claims by id; their functions are replaced by their documentation.
        outcomes: the outcomes by claim id; empty if the claims were only listed.
        papers: the papers by id.
    """

    claims: dict[str, Claim]
    outcomes: dict[str, Outcome]
    papers: dict[str, Paper]


class Words:
    """A placeholder for a function of a package in another process; it has only the documentation."""

    def __init__(self, text: str | None) -> None:
        self.__doc__ = text

    def __call__(self, *_: Any, **__: Any) -> Any:
        """Raise an error, since the function exists only in another process.

        Raises:
            InvalidParameterError: always.
        """
        raise InvalidParameterError("a function of a claim that was judged in a process of its own: it is not here")


def judged(
    package: str, patterns: Sequence[str], *, effort: int = 1, run: bool = True, progress: Progress | None = None
) -> Judged:
    """Return the outcomes that a separate process computes for the claims of a package.

    Args:
        package: the name of the package.
        patterns: papers, ids or globs; an empty list selects all claims.
        effort: a factor for the number of random points.
        run: whether to run the claims, or only to list them.
        progress: a function that is called after each claim.

    Raises:
        EngineChangedError: the process ends without a result.
    """
    request = {"path": sys.path, "package": package, "patterns": list(patterns), "effort": effort, "run": run}
    with subprocess.Popen(
        [sys.executable, "-m", "rropt.claims.judging"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(request).encode() + b"\n")
        process.stdin.close()
        for line in process.stdout:
            if line.startswith(b"done "):
                if progress is not None:
                    done, total, name = line.split()[1:4]
                    progress(int(done), int(total), Outcome(name.decode(), "", "", "", 0, 0.0))
            elif line == b"found\n":
                found = _Reader(io.BytesIO(process.stdout.read())).load()
                if isinstance(found, Judged):
                    return found
    raise EngineChangedError(f"the process that judges the package {package} ends without an answer")


class _Reader(pickle.Unpickler):
    """An unpickler that accepts only objects of the library and its dependencies, so it imports no package."""

    def find_class(self, module: str, name: str) -> Any:
        """Return a class that a result may contain.

        Raises:
            pickle.UnpicklingError: the class belongs to another package.
        """
        known = module == "builtins" and name in _BUILTIN
        if known or module.partition(".")[0] in _TRUSTED:
            return super().find_class(module, name)
        raise pickle.UnpicklingError(f"an answer holds an object of {module}")


def _as_words(value: Any) -> Any:
    """Convert a part of a claim to a form that another process can read: functions become their documentation."""
    if isinstance(value, (tuple, list)):
        return tuple(map(_as_words, value))
    if is_dataclass(value) and not isinstance(value, type) and type(value).__module__.startswith("rropt.claims."):
        found = object.__new__(type(value))
        for each in fields(value):
            object.__setattr__(found, each.name, _as_words(getattr(value, each.name)))
        return found
    if isinstance(value, dict):
        return {key: _as_words(part) for key, part in value.items()}
    if isinstance(value, Callable):  # type: ignore[arg-type]
        return Words(getdoc(value))
    return value if _travels(value) else Words(str(value))


def _travels(value: Any) -> bool:
    try:
        _Reader(io.BytesIO(pickle.dumps(value))).load()
    except Exception:  # the object of a user class
        return False
    return True


def _outcome_that_travels(outcome: Outcome) -> Outcome:
    """Convert an outcome to a form that another process can read: objects of unknown classes become text."""
    if _travels(outcome):
        return outcome
    return replace(Outcome.from_dict(outcome.to_dict()), certificates=outcome.certificates, steps=())


def _answer(request: dict[str, Any]) -> Judged:
    """Import one package, list its claims, and run them if requested."""
    entries = find_claims(request["patterns"], package=request["package"])

    def told(done: int, total: int, outcome: Outcome) -> None:
        sys.__stdout__.buffer.write(f"done {done} {total} {outcome.id}\n".encode())  # type: ignore[union-attr]
        sys.__stdout__.flush()  # type: ignore[union-attr]

    found = run_all(entries, effort=request["effort"], progress=told) if request["run"] else {}
    return Judged(
        {name: _as_words(claim) for name, (claim, _) in entries.items()},
        {name: _outcome_that_travels(outcome) for name, outcome in found.items()},
        papers_of(entries),
    )


def main() -> None:
    """Read a request from standard input and write the result to standard output."""
    request = json.loads(sys.stdin.readline())
    sys.path[:] = request["path"]
    out = sys.__stdout__.buffer  # type: ignore[union-attr]
    sys.stdout = sys.stderr  # output printed by a package must not mix with the result
    answer = _answer(request)
    out.write(b"found\n" + pickle.dumps(answer))
    out.flush()


if __name__ == "__main__":  # import the module, so the pickled classes belong to it and not to ``__main__``
    from rropt.claims import judging

    judging.main()
