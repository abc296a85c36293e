"""Commands of ``rropt``, each in a fork of one process that has imported its libraries: a fork costs no second import.

A line of standard input is a command as JSON: ``words``, the ``folder`` in which it runs and the file that takes what
it prints, ``said``, with ``.error`` beside it. Its exit status is printed on a line. ``fresh_install.py`` starts it
with the interpreter of the fresh environment.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import sys
from pathlib import Path


def _run(words: list[str], folder: str, said: str) -> int:
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    status = 3
    try:
        os.chdir(folder)
        for number, name in ((1, said), (2, f"{said}.error")):
            Path(name).unlink(missing_ok=True)  # a process that an earlier command left behind may still write to it
            os.dup2(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL), number)
        from rropt.cli.main import run_as_process

        sys.argv = ["rropt", *words]
        with contextlib.suppress(SystemExit):
            status = run_as_process()
        atexit._run_exitfuncs()  # as at the end of a process: joblib ends its processes there
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(status)


def main() -> None:
    """Run the commands of standard input."""
    os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}  # a fork keeps no threads
    import cvxpy  # noqa: F401
    import scipy.stats  # noqa: F401
    import sympy  # noqa: F401

    with contextlib.suppress(ImportError):  # of the extra fieldwork
        import duckdb  # noqa: F401

    answers = os.fdopen(os.dup(1), "w")
    for line in sys.stdin:
        print(_run(**json.loads(line)), file=answers, flush=True)


if __name__ == "__main__":
    main()
