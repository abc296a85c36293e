"""Records that declare a command: its help, and its arguments one by one.

The parser (``rropt.cli.parser``) reads them; ``rropt.cli.options`` has the arguments that several commands share.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Value:
    """The type of an argument whose text becomes a value after the question is recorded.

    Attributes:
        read: a function that maps the text, the option and the form of its value to the value.
        kind: the type of the text.
        beside: the names of other arguments that ``read`` takes as keywords, if the command has them.
    """

    read: Callable[..., Any]
    kind: type[str] = str
    beside: tuple[str, ...] = ()


@dataclass(frozen=True)
class Option:
    """An option with values, or a positional argument.

    Attributes:
        name: how it is typed: ``--delta``, ``-k``; without dashes the argument is positional.
        metavar: the form of its value in the help, such as ``D``. Several forms stand for as many values.
        help: one sentence or more in plain words. The help adds ``default`` and ``goes_with``.
        choices: the texts that are allowed; empty: all.
        nargs: the number of values if it varies: ``?`` none or one, ``*`` any, ``+`` one or more.
        type: a function that maps the text to a value, such as ``InputFile`` for a file to read and ``OutputFile``
            for one to write, or a ``Value``, such as ``whole(1)``; ``None``: the text itself.
        default: the text that is taken if none is typed.
        dest: the name of the value in ``args``; empty: that of the option, without dashes.
        required: whether the command needs it.
        repeated: whether it may be typed several times; the value is a list.
        goes_with: the argument without which it is not typed, such as ``--n``, or ``DATA``; or several of which one is
            needed, ``--n or --counts``.
        is_reading: whether it states how DATA are read: `rropt read --help` has its line, and the pages of other
            commands only its name.
    """

    name: str
    metavar: str | tuple[str, ...] | None = None
    help: str = ""
    choices: tuple[str, ...] = ()
    nargs: str | None = None
    type: Callable[[str], Any] | Value | None = None
    default: str | None = None
    dest: str = ""
    required: bool = False
    repeated: bool = False
    goes_with: str = ""
    is_reading: bool = False


@dataclass(frozen=True)
class Flag:
    """An option without a value: true if it is typed.

    Attributes:
        name: how it is typed, such as ``--json``.
        help: one sentence or more in plain words. The help adds ``goes_with``.
        dest: the name of the value in ``args``; empty: that of the option, without dashes.
        goes_with: as of ``Option``.
        is_reading: as of ``Option``.
    """

    name: str
    help: str
    dest: str = ""
    goes_with: str = ""
    is_reading: bool = False


@dataclass(frozen=True)
class OneOf:
    """Options of which at most one is typed.

    Attributes:
        options: the options.
        required: whether the command needs one of them.
    """

    options: Sequence[Option | Flag]
    required: bool = False


@dataclass(frozen=True)
class Command:
    """The help and the arguments of a command.

    Attributes:
        description: the text above the arguments: what the command is for.
        epilog: the text below them: examples, and what follows them.
        arguments: in the order of the help.
    """

    description: str
    epilog: str = ""
    arguments: Sequence[Option | Flag | OneOf] = ()
