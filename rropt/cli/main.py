"""``rropt``: the command line.

Exit status 0 = yes or accepted, 1 = a negative answer, 2 = bad input, or a file that could not be written, 3 = internal
error.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
import traceback
import warnings
from collections.abc import Sequence
from contextlib import nullcontext
from functools import partial
from typing import Any

from rropt.cli import interruptions
from rropt.cli.output import (
    begin_call,
    drop_buffer,
    possible_decimals,
    print_error,
    print_note,
    record_question,
    with_option_names,
)
from rropt.cli.parser import Parser, UsageError
from rropt.cli.pending import PendingFiles
from rropt.core.errors import RroptError, RroptWarning
from rropt.core.exact.display import in_full
from rropt.core.exact.numbers import decimal_comma_hint
from rropt.core.version import installed_version

_DESCRIPTION = "certified optimal randomized response"

_EPILOG = """\
  rropt design binary --prevalence 1/4 --epsilon "log(3)" --certificate c.json
  rropt check c.json
  rropt estimate --yes 831 --n 2435 --mechanism forced:2/3,1/6,1/6
numbers: 1/3, 0.1 or 0,1, 10%; log(3); a list has commas, 1/2,1/3, or semicolons, 0,5;0,25
exit status: 0 yes or accepted, 1 no or rejected, 2 bad input or a file that could not be written,
3 internal error, 130 or 143 interrupted"""


# the exit status with which shells report SIGPIPE: the reader left before the result was known to be printed
_BROKEN_PIPE = 128 + 13
_CRASH = 3
_DEBUG = "RROPT_DEBUG"


class _Version(argparse._VersionAction):
    """Print the version, which is looked up only then: the metadata of packages take as long to import as the rest."""

    def __call__(self, *call: Any) -> None:
        self.version = installed_version()
        super().__call__(*call)


def parser() -> Parser:
    """Return the parser of the command line."""
    top = Parser(prog="rropt", description=_DESCRIPTION, epilog=_EPILOG, module="rropt.cli")
    top.add_argument("--version", action=_Version, help="print the version")
    top.set_defaults(run=partial(_print_help, top))
    return top


def _print_help(top: Parser, _: argparse.Namespace) -> int:
    top.print_help(sys.stderr)
    return 2


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    if sys.stdout is None:
        print_note("rropt: standard output is closed: the result cannot be printed; send it to a file or to /dev/null")
        return 2
    # otherwise half of the time of loading many classes is spent on garbage collection
    gc.set_threshold(50_000, 20, 50)
    if "numpy" not in sys.modules:  # which reads them; our products are small, and two threads wait for each other
        for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
            os.environ.setdefault(name, "1")
    words = list(sys.argv[1:] if argv is None else argv)
    begin_call(words)
    try:
        try:
            args = parser().parse_args(words)
        except SystemExit as leaving:  # argparse has printed the help or the version
            args = argparse.Namespace(run=lambda _, status=leaving.code: status, spelled={})
        record_question(args)
        args.pending = PendingFiles(args)
        status = _run_command(args)
        if interruptions.received:
            return _report_interruption()
        return status if args.pending.write() else status or 2
    except RroptError as error:
        if interruptions.received:
            return _report_interruption()
        is_usage = isinstance(error, UsageError)  # the message names its command
        told = str(error)
        if not is_usage:
            told = f"{with_option_names(told)}{decimal_comma_hint(possible_decimals(words), told)}"
        print_note(told if is_usage else f"rropt: {told}")
        try:
            print_error(told, type(error).__name__)
            sys.stdout.flush()
        except OSError:  # the message is on standard error already
            drop_buffer(sys.stdout)
        return 2
    except KeyboardInterrupt:
        return _report_interruption()
    except Exception as error:
        return _report_interruption() if interruptions.received else _report_internal_error(error)
    finally:
        begin_call(())  # later output of the same process belongs to no command


def run_as_process() -> int:
    """Run the command of this process: SIGTERM interrupts it as Ctrl-C does."""
    try:
        interruptions.listen()
        status = main()
    except KeyboardInterrupt:  # another signal, while the first one was reported
        status = interruptions.status()
    interruptions.stop_listening()
    return status


def _report_interruption() -> int:
    print_note("rropt: interrupted; nothing was left half-written")
    return interruptions.status()


def _run_command(args: argparse.Namespace) -> int:
    """Run the command; its files are written even if its result cannot be printed."""
    status = _BROKEN_PIPE
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RroptWarning)  # commands print these warnings on standard error themselves
            with in_full() if getattr(args, "exact", False) and not args.json else nullcontext():
                status = args.run(args)
        sys.stdout.flush()
    except RroptError:
        raise
    except BrokenPipeError:  # the reader of the output, for example `head`, has closed the pipe
        drop_buffer(sys.stdout)
    except OSError as error:  # standard output cannot be written, for example because the disk is full
        print_note(f"rropt: cannot write the output: {error.strerror or error}")
        drop_buffer(sys.stdout)
        status = 2
    return status


def _report_internal_error(error: Exception) -> int:
    """Report an internal error in one line, with its location and how to see more."""
    if os.environ.get(_DEBUG):
        traceback.print_exception(error)
    frames = [(frame.f_globals.get("__name__", ""), line) for frame, line in traceback.walk_tb(error.__traceback__)]
    module, line = [own for own in frames if own[0].startswith(("rropt", "__main__"))][-1]
    # the text of the error may repeat a response that was given to randomize
    where = f"{type(error).__name__} in {module}, line {line}"
    print_note(f"rropt: internal error: {where}; please report it with the command; {_DEBUG}=1 shows more")
    return _CRASH


if __name__ == "__main__":
    sys.exit(run_as_process())
