"""``python -m rropt.checker FILE...``: exit status 0 all accepted, 1 one rejected, 2 one unreadable."""

import sys

from .verdicts import check_file


def main(paths: list[str]) -> int:
    """Print one line per file and return the exit status."""
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
            status = 2
            continue
        print(f"{name}: {verdict}")
        status = max(status, 0 if verdict else 1)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
