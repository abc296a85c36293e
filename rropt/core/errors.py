"""Errors that rropt raises on purpose: each is also the built-in that a caller would catch.

A message has four parts, in one line: what was wrong, what was received, what is allowed, what to do.
"""

from __future__ import annotations

from typing import TypeVar

from rropt.core.visible import visible

T = TypeVar("T")

# Longest piece of received input that a message repeats: enough to recognise it, never a screenful.
_SHOWN = 60


def shown(received: object) -> str:
    """Return received input in the form that messages show: quoted, printable, at most 60 characters."""
    try:
        text = received if isinstance(received, str) else str(received)
    except Exception:  # a broken __str__, or Python's limit on digits, must not hide the real error
        return f"<{type(received).__name__}>"
    cut = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}... ({len(text)} characters)"
    return repr(cut) if isinstance(received, str) else visible(cut.replace("\n", " "))


class RroptError(Exception):
    """The base class of every error that rropt raises on purpose."""


class InvalidParameterError(RroptError, ValueError):
    """A parameter has a form that is not allowed, or lies outside its domain."""


class InvalidMechanismError(RroptError, ValueError):
    """A matrix is not a mechanism: wrong shape, a negative entry, or a column that does not sum to 1."""


class InfeasibleError(RroptError, ValueError):
    """The problem has no solution: no mechanism meets the constraints and can be used for an estimate."""


class MissingExtraError(RroptError, ImportError):
    """An optional library is not installed; the message names the extra that installs it."""


class UnsupportedProblemError(RroptError, NotImplementedError):
    """The problem is well posed, but no route can solve it."""


class FileFormatError(RroptError, ValueError):
    """A file (mechanism, problem, certificate, data) cannot be read."""


class CertificateError(RroptError, ValueError):
    """The checker rejected a certificate, or it cannot be written."""


class FileAccessError(FileFormatError, OSError):
    """A file cannot be opened, read or written."""


class RouteDisagreementError(RroptError, ArithmeticError):
    """Two routes returned disjoint brackets or different optima for one problem. This is an internal error."""


class RroptWarning(UserWarning):
    """A warning about a result; the command line prints it on standard error."""


def required(value: object, kind: type[T], name: str, advice: str) -> T:
    """Return a value that is of a kind.

    Args:
        value: the received value.
        kind: the class that is allowed.
        name: what the value is in an error, such as ``"the mechanism"``.
        advice: how to make an object of that kind.

    Raises:
        InvalidParameterError: the argument is of another kind.
    """
    if not isinstance(value, kind):
        raise InvalidParameterError(
            f"{name} is of another kind: received {shown(value)}, of type {type(value).__name__}; allowed is a "
            f"{kind.__name__}; write {advice}"
        )
    return value
