"""``python -m rropt.checker [--large] [--quiet | --full] FILE...``; ``-`` is standard input.

Exit status: 0 if all files are accepted, 1 if one is rejected, 2 if one cannot be read, 3 after an internal error.
"""

import os
import sys

from .documents import allowed_budget
from .verdicts import UNFORESEEN, check_text, lines_text, read_file, state_text

_USAGE = f"""\
usage: python -m {__package__} [--large] [--quiet | --full] FILE...
Judges certificates: accepted with the sentence that is proved, or rejected with a reason; of a bundle of
certificates one verdict for each. FILE may be - (standard input).
--large: allow the large budget, for designs of many inputs (minutes).
--quiet: the verdict alone. --full: long numbers, lists and matrices in full, in place of their SHA-256.
exit status: 0 all accepted, 1 one rejected, 2 one unreadable, 3 an internal error"""
BROKEN_PIPE, INTERRUPTED = 128 + 13, 128 + 2  # the exit statuses with which shells report SIGPIPE and SIGINT


def main(paths: list[str]) -> int:
    """Print one verdict per file and return the largest of their exit statuses."""
    if paths[:1] == ["--large"]:
        with allowed_budget("large"):
            return main(paths[1:])
    if not paths or paths[0] in ("-h", "--help"):
        print(_USAGE)
        return 0 if paths else 2
    status, how = 0, paths[0] if paths[0] in ("--quiet", "--full") else ""
    if how and not paths[1:]:
        print(_USAGE)
        return 2
    for path in paths[bool(how) :]:
        name = ascii(path)[1:-1]  # ASCII, so that every terminal can print it
        try:
            data = read_file(path)
            verdict, lines = (check_text(data), []) if how == "--quiet" else state_text(data, full=how == "--full")
        except OSError as error:
            print(f"{name}: cannot be read: {error.strerror or error}", file=sys.stderr)
            status = max(status, 2)
            continue
        print(f"{name}: {verdict}{lines_text(verdict, lines)}")
        status = max(status, 0 if verdict else 3 if verdict.reason.startswith(UNFORESEEN) else 1)
    return status


def guarded(paths: list[str]) -> int:
    """Run ``main`` and return its exit status, or the status that belongs to an error."""
    try:
        status = main(paths)
        sys.stdout.flush()
        return status
    except BrokenPipeError:  # the reader of the output, for example `head`, has closed the pipe
        for stream in (sys.stdout, sys.stderr):  # of both with `2>&1`
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        return BROKEN_PIPE
    except OSError as error:
        print(f"the verdicts cannot be written: {error.strerror or error}", file=sys.stderr)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 2
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return INTERRUPTED
    except Exception as error:
        print(f"internal error: {type(error).__name__}; please report it with the file", file=sys.stderr)
        return 3


def console() -> None:
    """Check the files of the command line and exit: the entry point of ``rropt-checker``."""
    sys.exit(guarded(sys.argv[1:]))


if __name__ == "__main__":
    console()
