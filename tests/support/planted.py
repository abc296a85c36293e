"""Plant one fault at a time in the library, and decide whether the twins of a result see it.

A fault is *seen* if a twin raises ``RouteDisagreementError``: a contradiction, or the alarm that SymPy proves nothing
where a proof exists. A silent twin sees nothing, and another exception is no alarm: it is raised to the test. A fault
that leaves the result as it is has no effect; a row of a table without effect shows nothing, so that it is told apart.
"""

from __future__ import annotations
import __future__

import inspect
import sys
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from caches import forget

from rropt.core.errors import RouteDisagreementError, RroptError, UnsupportedProblemError

SEEN, REFUSED, WITHOUT_EFFECT, NOT_SEEN = "seen", "refused", "without effect", "not seen"
"""What becomes of a fault: a twin sees it, the engine's own check refuses it, the result stays, or none of these."""


class Fault(NamedTuple):
    """A fault in one place.

    Attributes:
        place: ``module:function``, ``module:CONSTANT`` or ``module:Class.method``.
        change: returns the wrong object from the right one.
    """

    place: str
    change: Callable[[Any], Any]


class Case(NamedTuple):
    """A fault in the engine, and a result that it changes.

    Attributes:
        fault: the fault.
        make: returns the result, without its twins.
    """

    fault: Fault
    make: Callable[[], Any]


def text(*changes: tuple[str, str]) -> Callable[[Any], Any]:
    """Change the source of a function: each old text, which stands in it, is replaced once by the new one."""

    def change(own: Any) -> Any:
        function = _function(own)
        source = textwrap.dedent(inspect.getsource(function))
        for old, new in changes:
            assert old in source, f"{old!r} is not in the source of {function.__qualname__}: adapt the planted fault"
            source = source.replace(old, new, 1)
        room: dict[str, Any] = {}
        flags = __future__.annotations.compiler_flag
        exec(compile(source, "<fault>", "exec", flags, dont_inherit=True), vars(sys.modules[function.__module__]), room)
        return room[function.__name__]

    return change


def times(factor: Any) -> Callable[[Any], Any]:
    """Multiply what a function returns."""
    return returned(lambda found: found * factor)


def value(wrong: Any) -> Callable[[Any], Any]:
    """Return this, whatever is asked."""
    return returned(lambda _: wrong)


def returned(change: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Change what a function returns."""
    return lambda own: lambda *given, **named: change(own(*given, **named))


def _function(own: Any) -> Any:
    own = getattr(own, "fget", None) or getattr(own, "func", None) or getattr(own, "__func__", own)
    return inspect.unwrap(own)


@contextmanager
def planted(fault: Fault) -> Iterator[None]:
    """Plant a fault in its module, in each module that imported it, and in tables; then the right object is back.

    A module that is loaded meanwhile gets the right one, too. The caches are empty before and after.
    """
    module, _, path = fault.place.partition(":")
    *classes, name = path.split(".")
    holder = import_module(module)
    for each in classes:
        holder = getattr(holder, each)
    own = vars(holder)[name]
    wrong = fault.change(own)
    assert wrong is not own
    if isinstance(wrong, cached_property):
        wrong.__set_name__(holder, name)
    forget()
    _exchange(holder, name, own, wrong, everywhere=not classes)
    try:
        yield
    finally:
        _exchange(holder, name, wrong, own, everywhere=not classes)
        forget()


def _exchange(holder: Any, name: str, old: Any, new: Any, *, everywhere: bool) -> None:
    setattr(holder, name, new)
    for loaded in [module for key, module in sys.modules.items() if _may_import(key, module)] * everywhere:
        for own, value in list(vars(loaded).items()):
            if value is old and (own == name or callable(value)):
                setattr(loaded, own, new)
            elif type(value) is dict:  # a table of functions
                value.update({key: new for key, each in value.items() if each is old})


def _may_import(key: str, module: Any) -> bool:
    """Return whether a module is one of the library, or of the tests."""
    return key.partition(".")[0] == "rropt" or str(_TESTS) in str(getattr(module, "__file__", ""))


_TESTS = Path(__file__).parents[1]


def alarms(found: Any) -> list[str]:
    """Return the alarms of both twins of a result; empty if none sees anything.

    Raises:
        Exception: a twin fails with an exception that is no alarm, and no twin has one.
    """
    said: list[str] = []
    failures: list[Exception] = []
    for method in (found.sympy_twin, found.cvxpy_twin):
        try:
            method()
        except RouteDisagreementError as error:
            said.append(str(error))
        except UnsupportedProblemError:
            pass
        except Exception as error:  # an exception of a twin is no alarm
            failures.append(error)
    if failures and not said:
        raise failures[0]
    return said


def seen(found: Any) -> bool:
    """Return whether a twin of a result has an alarm."""
    return bool(alarms(found))


def record_of(found: Any) -> str:
    """Return a result as text, without how it was found and what a certificate says of it."""
    if hasattr(found, "pieces"):
        return str([(str(getattr(one, "formula", None) or one.value), str(one.place)) for one in found.pieces])
    data = found.to_dict()
    return str({name: data[name] for name in sorted(data) if name not in ("found", "certificate", "bound_certificate")})


def outcome_in_twins(fault: Fault, found: Any) -> str:
    """Return what becomes of a fault in the twins of a result that the engine found without it."""
    with planted(fault):
        return SEEN if seen(found) else NOT_SEEN


def outcome_in_engine(fault: Fault, make: Callable[[], Any]) -> str:
    """Return what becomes of a fault with which the engine makes a result.

    It is refused if no result is made, or if no twin sees it and the checker rejects its certificate.
    ``make`` leaves the twins out. They are computed with the fault in place: they use nothing of the engine.
    """
    forget()
    clean = record_of(make())
    with planted(fault):
        try:
            found = make()
        except (RroptError, ArithmeticError):  # by name, as an internal error, or as an invalid mechanism
            return REFUSED
        if seen(found):
            return SEEN
        if not getattr(found, "is_certified", True):
            return REFUSED
        return NOT_SEEN if record_of(found) != clean else WITHOUT_EFFECT
