"""``python -m rropt.checker FILE...``: exit status 0 all accepted, 1 one rejected, 2 one unreadable, 3 a defect."""

import os
import sys

from .verdicts import UNFORESEEN, check_file

BROKEN_PIPE, INTERRUPTED = 128 + 13, 128 + 2  # as shells report SIGPIPE and SIGINT


def main(paths: list[str]) -> int:
    """Print one line per file and return the exit status; the largest of the files' counts."""
    if not paths or paths[0] in ("-h", "--help"):
        print("usage: python -m rropt.checker FILE...\nJudges certificates: accepted, or rejected with a reason.")
        return 0 if paths else 2
    status = 0
    for path in paths:
        name = ascii(path)[1:-1]  # any terminal can show it
        try:
            verdict = check_file(path)
        except OSError as error:
            print(f"{name}: cannot be read: {error.strerror or error}", file=sys.stderr)
            status = max(status, 2)
            continue
        print(f"{name}: {verdict}")
        status = max(status, 0 if verdict else 3 if verdict.reason.startswith(UNFORESEEN) else 1)
    return status


def guarded(paths: list[str]) -> int:
    """Return the exit status of ``main``; what is no verdict has a status that no verdict has."""
    try:
        status = main(paths)
        sys.stdout.flush()
        return status
    except BrokenPipeError:  # the reader, e.g. `head`, has closed the pipe
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
    except OSError as error:
        print(f"the verdicts cannot be written: {error.strerror or error}", file=sys.stderr)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 2
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return INTERRUPTED
    except Exception as error:
        print(f"a defect of the checker: {type(error).__name__}; please report it with the file", file=sys.stderr)
        return 3


if __name__ == "__main__":
    sys.exit(guarded(sys.argv[1:]))
