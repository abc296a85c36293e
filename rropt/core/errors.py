"""Errors that rropt raises on purpose. Each is also a built-in exception, so callers can catch either class.

A message has four parts, in one line: the problem, the received value, the allowed values, and what to do. The names
of ``__all__`` are those of ``rropt.errors``.
"""

from __future__ import annotations

import difflib
import os
import traceback
from collections.abc import Collection, Iterable, Set
from pathlib import Path
from typing import TypeVar

from rropt.core.visible import visible

__all__ = [
    "CertificateError",
    "FileAccessError",
    "FileFormatError",
    "InfeasibleError",
    "InvalidMechanismError",
    "InvalidParameterError",
    "MissingExtraError",
    "RouteDisagreementError",
    "RroptError",
    "RroptWarning",
    "UnsupportedProblemError",
]

T = TypeVar("T")

_PACKAGE = f"{Path(__file__).parents[1]}{os.sep}"
_BEGINNING = 3  # characters of the beginning of a word that is taken for it
# Maximal number of characters of received input that a message repeats: enough to recognize it.
_SHOWN = 60


def shown(received: object) -> str:
    """Format received input for a message: quoted, printable, at most 60 characters of it.

    Args:
        received: any object; its text is never trusted. Of a table only its type is shown: it may contain answers.
    """
    if any(hasattr(type(received), name) for name in ("iloc", "column_names", "collect_schema")):
        return f"<{type(received).__name__}>"
    try:
        text = received if isinstance(received, str) else str(received)
    except Exception:  # a faulty __str__, or Python's limit on digits, must not hide the real error
        return f"<{type(received).__name__}>"
    cut = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}... ({len(text)} characters)"
    return repr(cut) if isinstance(received, str) else visible(" ".join(cut.split()))


def shown_with_type(received: object) -> str:
    """Format received input of a wrong type for a message, with the name of its type; a text is shown alone.

    >>> shown_with_type(5), shown_with_type("five")
    ('5, of type int', "'five'")
    """
    return shown(received) if isinstance(received, str) else f"{shown(received)}, of type {type(received).__name__}"


def shown_path(name: str) -> str:
    """Return a path for a message; a long path is shortened to its last part.

    Args:
        name: the path as the caller gave it.
    """
    return shown(name if len(name) <= _SHOWN else f"...{name[3 - _SHOWN :]}")


class RroptError(Exception):
    """The base class of every error that rropt raises on purpose.

    A notebook shows the lines of the caller and the message, and none of rropt's own lines, which ``%debug`` still has.
    """

    def _render_traceback_(self) -> list[str]:
        """Return the lines that IPython and Jupyter print."""
        frames = traceback.extract_tb(self.__traceback__)
        first = next((i for i, frame in enumerate(frames) if frame.filename.startswith(_PACKAGE)), len(frames))
        own = [frame for frame in frames[:first] if "IPython" not in Path(frame.filename).parts]
        lines = [line for text in traceback.format_list(own) for line in text.rstrip("\n").split("\n")]
        return [*(["Traceback (most recent call last):"] if lines else []), *lines, f"{type(self).__name__}: {self}"]


class InvalidParameterError(RroptError, ValueError):
    """A parameter has a form that is not allowed, or lies outside its domain."""


class InvalidMechanismError(RroptError, ValueError):
    """A matrix is not a mechanism: wrong shape, a negative entry, or a column that does not sum to 1."""


class InfeasibleError(RroptError, ValueError):
    """The problem has no solution: no mechanism satisfies the constraints and allows an estimate."""


class MissingExtraError(RroptError, ImportError):
    """An optional library is not installed; the message names the extra that installs it."""


class UnsupportedProblemError(RroptError, NotImplementedError):
    """The problem is well posed, but rropt has no method that solves it."""


class FileFormatError(RroptError, ValueError):
    """A file (mechanism, problem, certificate, data) cannot be read."""


class CertificateError(RroptError, ValueError):
    """The checker rejected a certificate, or it cannot be written."""


class FileAccessError(OSError, FileFormatError):  # in this order: ``ValueError.__new__`` refuses to make an OSError
    """A file cannot be opened, read or written."""


class RouteDisagreementError(RroptError, ArithmeticError):
    """Two methods returned disjoint brackets or different optima for one problem. This is an internal error."""


class RroptWarning(UserWarning):
    """A warning about a result; the command line prints it on standard error."""


def refusal(what: str, received: str, allowed: str = "", hint: str = "") -> str:
    """Return the message about input that is refused: its four parts in one line.

    Args:
        what: what is wrong, with the name of the argument.
        received: what was received.
        allowed: what is allowed, with its verb: ``are 1 and 2``; empty: not stated.
        hint: what to do.

    >>> refusal("N is out of range", "0", "is an integer from 1 on")
    'N is out of range: received 0; allowed is an integer from 1 on'
    """
    return "; ".join(filter(None, (f"{what}: received {received}", allowed and f"allowed {allowed}", hint)))


def similar_word(typed: str, words: Iterable[str]) -> str:
    """Return the question whether a similar word was meant; an empty text if no word is similar.

    Args:
        typed: the word that was received.
        words: the words that are known.
    """
    known = {word.lstrip("-"): word for word in words}  # the dashes of two options make nothing similar
    near = nearest_words(typed.lower().lstrip("-"), known, cutoff=0.7)
    return f"did you mean {known[near[0]]}?" if near else ""


def nearest_words(typed: str, words: Iterable[str], *, cutoff: float = 0.6) -> list[str]:
    """Return the word that was probably meant: the only one that begins so, or the most similar one; else nothing.

    >>> nearest_words("conf", ["counts", "confidence"]), nearest_words("cnfidence", ["counts", "confidence"])
    (['confidence'], ['confidence'])
    """
    listed = list(words)
    longer = sorted((word for word in listed if len(typed) >= _BEGINNING and word.startswith(typed)), key=len)
    if longer and all(word.startswith(longer[0]) for word in longer):  # such as prevalence and prevalences
        return longer[:1]
    return difflib.get_close_matches(typed, listed, n=1, cutoff=cutoff)


def refuse_given(given: Collection[str], why: str, *names: str) -> None:
    """Check that arguments which do not belong to a request are not given.

    Args:
        given: the names of all arguments that are given.
        why: the reason, as the message begins.
        names: the arguments that do not belong to the request.

    Raises:
        InvalidParameterError: one of them is given.
    """
    if wrong := [f"`{name}`" for name in names if name in given]:
        raise InvalidParameterError(refusal(why, ", ".join(wrong), hint="leave it out"))


def required(value: object, kind: type[T], name: str, advice: str) -> T:
    """Check that a value is an instance of a class, and return it.

    Args:
        value: the received value.
        kind: the allowed class.
        name: the name of the value in an error message, such as ``"the mechanism"``.
        advice: how to make an object of that class.

    Raises:
            InvalidParameterError: the value is not an instance of the class.
    """
    if not isinstance(value, kind):
        raise InvalidParameterError(
            f"{name} is of another kind: received {shown(value)}, of type {type(value).__name__}; allowed is a "
            f"{kind.__name__}; write {advice}"
        )
    return value


def one_of(value: object, allowed: Iterable[str], name: str) -> str:
    """Check that a value is one of some words, and return it.

    Args:
        value: what was received.
        allowed: the words.
        name: the argument, as the message calls it.

    Raises:
        InvalidParameterError: it is another value; the message lists the words.
    """
    words = tuple(allowed)
    if not isinstance(value, str) or value not in words:
        near = similar_word(value, words) if isinstance(value, str) else ""
        raise InvalidParameterError(
            refusal(f"{name} is unknown", shown_with_type(value), f"are {', '.join(words)}", near)
        )
    return value


def names_of(value: object, name: str) -> tuple[str, ...]:
    """Return the names of an argument such as ``columns``: one text, or several.

    Args:
        value: what was received.
        name: the argument, as the message calls it.

    Raises:
        InvalidParameterError: the value is neither a text nor a list of texts.
    """
    is_list = isinstance(value, Iterable) and not isinstance(value, str | bytes | dict | Set)  # a set has no order
    listed: tuple[object, ...] = tuple(value) if is_list else (value,)  # type: ignore[arg-type]
    if not all(isinstance(each, str) for each in listed):
        raise InvalidParameterError(
            f"`{name}` is no text and no list of texts: received {shown(value)}, of type {type(value).__name__}; "
            "allowed are names such as 'q1', or ['q1', 'q2']"
        )
    return tuple(str(each) for each in listed)


def name_of(value: object, name: str) -> str:
    """Return the name of an argument such as ``devices``, which is one text.

    Args:
        value: what was received.
        name: the argument, as the message calls it.

    Raises:
        InvalidParameterError: the value is no text.
    """
    if not isinstance(value, str):
        raise InvalidParameterError(
            f"`{name}` is no text: received {shown(value)}, of type {type(value).__name__}; allowed is a name such "
            "as 'q1'"
        )
    return value
