"""``python -m rropt``: the command line."""

import sys

from rropt.cli.main import run_as_process

if __name__ == "__main__":
    sys.exit(run_as_process())
