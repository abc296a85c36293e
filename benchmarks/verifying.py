"""``rropt verify`` of all claims beside an earlier revision: ``python benchmarks/verifying.py [COMMIT] [PATTERN...]``.

The earlier tree is written out from the repository, and both trees run in turn with the same Python. Verdicts,
evidence, numbers of points and certificates must be equal claim by claim, apart from claims that only one of them has.
The script prints lines of the table of peers: processor seconds, and the printed time beside that of the clock (of one
paper if no pattern is given).
"""

from __future__ import annotations

import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from side_by_side import BEFORE, ROOT, absent, earlier_tree, line, one_thread

TIMED = "holohan2016"  # the paper whose printed time is compared with the clock
VERIFY = "import sys; from rropt.cli.main import main; sys.exit(main(sys.argv[1:]))"  # a revision may have no __main__
COMPARED = ("verdict", "evidence", "points", "sha256")


def run(tree: Path, patterns: list[str], *more: str) -> tuple[float, float, str]:
    """Return the processor seconds of a run, its seconds by the clock, and what it prints."""
    search = os.pathsep.join(map(str, (tree, tree / "proofs")))
    words = [sys.executable, "-c", VERIFY, "verify", *patterns, *more]
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    environment = {**os.environ, "PYTHONPATH": search}  # in its own folder, which comes first
    done = subprocess.run(words, capture_output=True, text=True, check=True, env=environment, cwd=tree)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    taken = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return taken, time.perf_counter() - start, done.stdout


def claims(text: str) -> dict[str, Any]:
    """Return the compared facts of each claim of a run with ``--json``."""
    return {each["id"]: {key: each.get(key) for key in COMPARED} for each in json.loads(text)["claims"]}


def main(commit: str, patterns: list[str]) -> None:
    """Print the lines."""
    one_thread()
    _, clock, text = run(ROOT, patterns or [TIMED])
    printed = float(re.search(r"claims? in ([0-9.]+) s", text)[1])  # type: ignore[index]
    line("rropt verify, printed time beside the clock", printed, clock, 1.0)
    work = f"rropt verify, beside revision {commit}"
    with tempfile.TemporaryDirectory() as folder:
        if not earlier_tree(commit, folder):
            absent(work, f"this repository has no revision {commit}", 0.5)
            return
        try:
            theirs, _, earlier = run(Path(folder), patterns, "--json")
        except subprocess.CalledProcessError as error:
            last = (error.stderr.strip() or f"exit status {error.returncode}").splitlines()[-1]
            absent(work, f"revision {commit} fails: {last}", 0.5)
            return
        own, _, text = run(ROOT, patterns, "--json")
    line(work, own, theirs, 0.5)
    before, now = claims(earlier), claims(text)
    both = before.keys() & now.keys()
    changed = {key: sorted(name for name in both if before[name][key] != now[name][key]) for key in COMPARED}
    told = "; ".join(f"{key} of {len(names)} ({', '.join(names[:3])})" for key, names in changed.items() if names)
    print(f"  {len(now)} claims, {len(before.keys() ^ now.keys())} of one revision alone, changed: {told or 'nothing'}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else BEFORE, sys.argv[2:])
