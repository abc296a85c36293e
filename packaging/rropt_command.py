"""The command ``rropt``: from its first instruction on, Ctrl-C and SIGTERM end it with one line, and no traceback.

The module stands outside of the package: while modules are imported, there is nothing to clean up. ``rropt.cli.main``
takes over before the command begins.
"""

import os
import sys
from _signal import SIG_IGN, SIGINT, SIGTERM, getsignal, signal  # `signal` itself takes milliseconds to import


def _end(number: int, _frame: object) -> None:
    try:
        if "multiprocessing" not in sys.modules:  # a process of a pool leaves the message to the one that started it
            os.write(2, b"rropt: interrupted\n")
    except OSError:  # standard error is closed
        pass
    finally:
        os._exit(128 + number)


for _number in (SIGINT, SIGTERM):
    if getsignal(_number) is not SIG_IGN:  # for example under nohup
        signal(_number, _end)


def main() -> int:
    """Run one command and return its exit status."""
    from rropt.cli.main import run_as_process

    return run_as_process()
