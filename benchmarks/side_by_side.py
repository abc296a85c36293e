"""Measure rropt beside a peer and print the lines of ``benchmarks/table.py``; other scripts use it.

A line is ``work | rropt | peer | ratio | asked | met``. Times are processor seconds; ``pairs`` returns medians of
alternating runs.
"""

from __future__ import annotations

import importlib.util
import os
import resource
import subprocess
import sys
from collections.abc import Callable, Sequence
from statistics import median
from time import process_time

PAIRS = 5
ABSENT = "peer not installed"
HEAD = "work | rropt | peer | ratio | asked | met"


def line(work: str, ours: float, theirs: float, asked: float, unit: str = "s") -> None:
    """Print a line of the table."""
    ratio = ours / theirs
    met = "yes" if ratio <= asked else "NO"
    print(f"{work} | {ours:.4g} {unit} | {theirs:.4g} {unit} | {ratio:.3g} | {asked:g} | {met}", flush=True)


def absent(work: str, peer: str, asked: float) -> None:
    """Print a line whose peer is not there."""
    print(f"{work} | - | {ABSENT}: {peer} | - | {asked:g} | -", flush=True)


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


def of_peer(code: str, *arguments: str) -> str | None:
    """Run Python code of a peer, and return what it prints; None if a module is missing.

    RROPT_PEER_PYTHON names the Python of an environment with the peers (``benchmarks/requirements.txt``), since some
    of them want other versions of what rropt uses. The default is this Python.
    """
    python = os.environ.get("RROPT_PEER_PYTHON", sys.executable)
    done = subprocess.run([python, "-c", code, *arguments], capture_output=True, text=True, check=False)
    if done.returncode and "ModuleNotFoundError" in done.stderr:
        return None
    if done.returncode:
        raise RuntimeError(done.stderr.strip().splitlines()[-1])
    return done.stdout
