"""Measure rropt beside a peer and print the lines of ``benchmarks/table.py``; other scripts use it.

A line is ``work | rropt | peer | ratio | asked | met``. Times are processor seconds; ``pairs`` returns medians of
alternating runs, as many as RROPT_PAIRS says (5 by default).
"""

from __future__ import annotations

import importlib.util
import io
import json
import os
import resource
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

PAIRS = int(os.environ.get("RROPT_PAIRS", "5"))  # fewer for a quick look
ROOT = Path(__file__).resolve().parent.parent
BEFORE = "443cdef8"  # the revision that the targets of the table call "today"
HEAD = "work | rropt | peer | ratio | asked | met"
_ANSWER = """
import json as _json, sys as _sys
print("true", flush=True)
for _text in _sys.stdin:
    print(_json.dumps(measured(*_json.loads(_text))), flush=True)
"""


def line(work: str, ours: float, theirs: float, asked: float, unit: str = "s") -> None:
    """Print a line of the table."""
    ratio = ours / theirs
    met = "yes" if ratio <= asked else "NO"
    print(f"{work} | {ours:.4g} {unit} | {theirs:.4g} {unit} | {ratio:.3g} | {asked:g} | {met}", flush=True)


def absent(work: str, why: str, asked: float) -> None:
    """Print a line that cannot be measured, and why: the name of a peer that is not installed, or a sentence."""
    told = why if " " in why else f"{why} is not installed"
    print(f"{work} | - | not measured: {told} | - | {asked:g} | -", flush=True)


def has(module: str) -> bool:
    """Return whether a peer in Python is installed."""
    return importlib.util.find_spec(module) is not None


def seconds(function: Callable[[], object]) -> float:
    """Return the processor seconds of a call in this process."""
    start = process_time()
    function()
    return process_time() - start


def of_process(words: Sequence[str]) -> tuple[float, float]:
    """Run a process without output; return its processor seconds and its peak memory in MiB.

    A process of its own runs it, since the peak memory of children is that of the largest one so far.
    """
    code = (
        "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL); "
        "use = resource.getrusage(resource.RUSAGE_CHILDREN); print(use.ru_utime + use.ru_stime, use.ru_maxrss / 1024)"
    )
    found = subprocess.run([sys.executable, "-c", code, *words], check=True, capture_output=True, text=True).stdout
    taken, memory = map(float, found.split())
    return taken, memory


def one_thread() -> None:
    """Let processes that this one starts use one thread, compiled modules, and no core files."""
    os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def pairs(ours: Callable[[], float], theirs: Callable[[], float], times: int = PAIRS) -> tuple[float, float]:
    """Measure both sides in turn, after a first run of each; return the medians."""
    ours(), theirs()
    runs = [(ours(), theirs()) for _ in range(times)]
    return median(a for a, _ in runs), median(b for _, b in runs)


@contextmanager
def measuring(code: str) -> Iterator[Callable[..., Any] | None]:
    """Yield a function that calls ``measured`` of a peer's code in a process of its own; None if a module is missing.

    The process stays, so that both sides can take turns without the peer's start. RROPT_PEER_PYTHON names the Python of
    an environment with the peers (``benchmarks/requirements.txt``), since some of them want other versions of what
    rropt uses. The default is this Python.
    """
    words = [os.environ.get("RROPT_PEER_PYTHON", sys.executable), "-c", code + _ANSWER]
    with (
        tempfile.TemporaryFile("w+") as errors,
        subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True) as peer,
    ):
        asking, told = peer.stdin, peer.stdout
        assert asking is not None
        assert told is not None

        def answer() -> Any:
            text = told.readline()
            if not text:
                errors.seek(0)
                raise RuntimeError(errors.read().strip().splitlines()[-1])
            return json.loads(text)

        def measured(*arguments: Any) -> Any:
            print(json.dumps(arguments), file=asking, flush=True)
            return answer()

        try:
            is_ready = answer()
        except RuntimeError as error:
            if "ModuleNotFoundError" not in str(error):
                raise
            is_ready = False
        yield measured if is_ready else None
        asking.close()


def earlier_tree(commit: str, folder: str) -> bool:
    """Write the tree of a revision into a folder; return False if this repository does not have it."""
    archive = subprocess.run(["git", "-C", str(ROOT), "archive", commit], capture_output=True, check=False)
    if archive.returncode:
        return False
    with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as files:
        files.extractall(folder, filter="data")
    return True
