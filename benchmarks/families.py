"""Is each family with a name proved by one command, in at most 10 s of the prover and 2 s of the checker?

Run with ``python benchmarks/families.py [NAME ...]``. The first command of a row is ``rropt design family NAME --fast
--certificate FILE``, with the start of the program and the check of its own certificate; ``twins`` is what the same
command takes without ``--fast``. The checker is timed in this process. ``rropt design kary -k all`` runs too. The exit
status is 1 if a family is not proved, or if a time is above its limit.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from rropt.checker import check_text
from rropt.designs.problem_families.family_files import named_families

PROVE, CHECK = 10.0, 2.0  # s of processor time
EVERY_K = "loss:zero-one"  # the objective of ``rropt design kary -k all``


def run(*words: str) -> tuple[int, str, float]:
    """Return the exit status of a command, what it prints, and its processor time in seconds."""
    before = os.times()
    done = subprocess.run([sys.executable, "-m", "rropt", *words], capture_output=True, text=True, check=False)
    after = os.times()
    spent = after.children_user - before.children_user + after.children_system - before.children_system
    return done.returncode, done.stdout or done.stderr, spent


def row(name: str, folder: Path) -> bool:
    """Print the row of a family; return whether it meets the limits."""
    path = folder / f"{name}.json"
    status, _, proved = run("design", "family", name, "--fast", "--certificate", str(path))
    twins_status, printed, twins = run("design", "family", name, "--json")
    text = path.read_text("utf-8") if path.exists() else "{}"
    begin = time.process_time()
    accepted = bool(check_text(text))
    checked = time.process_time() - begin
    data = json.loads(text)
    count = len(data.get("claim", {}).get("formulas", []))
    is_met = accepted and status == twins_status == 0 and proved <= PROVE and checked <= CHECK
    verdict = "proved" if accepted and status == 0 else "NOT PROVED"
    posed = [one["agrees"] for one in json.loads(printed)["twins"].values()] if twins_status == 0 else []
    print(
        f"| {name} | {verdict} | {count} | {len(text) / 1000:.1f} | {proved:.1f} | {checked:.2f} | {twins:.1f} | "
        f"{', '.join(map(str, posed))} |",
        flush=True,
    )
    return is_met


def main(names: list[str]) -> int:
    """Print the table."""
    print("| family | verdict | formulas | KB | command, s | check, s | with twins, s | twins |")
    print("|---|---|---|---|---|---|---|---|")
    begin = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        met = [row(name, Path(folder)) for name in names]
    status, printed, spent = run("design", "kary", "-k", "all", "--objective", EVERY_K, "--epsilon", "all")
    met.append(status == 0 and spent <= PROVE and "certificate accepted" in printed)
    print(f"design kary -k all --objective {EVERY_K} --epsilon all: {'proved' if met[-1] else printed}, {spent:.1f} s")
    print(f"{sum(met)} of {len(met)} within the limits, {time.perf_counter() - begin:.0f} s")
    return 0 if all(met) else 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:] or sorted(named_families())))
