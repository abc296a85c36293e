"""Equal and decimal levels beside dp_accounting: ``python benchmarks/compositions.py [--peer-python PATH]``.

Both sides compose the same randomized responses. dp_accounting discretizes the privacy loss by 1e-4 (1e-3 for 10 000
responses) and returns an upper bound in floats. rropt returns two bounds in exact arithmetic, with a certificate that
its checker has accepted (no certificate states a level above 1000: 10 000 responses have none). The script prints
processor seconds, least of three alternating runs, and their ratio. ``--peer-python`` is the Python of an environment
with dp_accounting.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from time import process_time
from typing import Any

import rropt

ROUNDS = 3
PEER = """
import json, math, sys
from time import process_time
from dp_accounting.pld import privacy_loss_distribution as pld

levels, asked, at, width, rounds = json.loads(sys.argv[1])
def one(level):
    return pld.from_randomized_response(2 / (1 + math.exp(level)), 2, True, width)
def composed():
    whole = None
    for level, count in levels:
        part = one(level).self_compose(count) if count > 1 else one(level)
        whole = part if whole is None else whole.compose(part)
    return whole.get_epsilon_for_delta(at) if asked == "delta" else whole.get_delta_for_epsilon(at)
one(1.0).self_compose(2)
taken = []
for _ in range(rounds):
    start = process_time()
    value = composed()
    taken.append(process_time() - start)
print(json.dumps([value, min(taken)]))
"""


def cases() -> list[tuple[str, list[str], list[tuple[float, int]], str, str, float]]:
    """Return what is composed, for rropt and in floats, what is asked, and the step of dp_accounting."""
    log3 = 1.0986122886681098
    found = [
        (f"{n} times log 3, delta 1e-6", [f"log(3)*{n}"], [(log3, n)], "delta", "1e-6", step)
        for n, step in ((30, 1e-4), (100, 1e-4), (1000, 1e-4), (10_000, 1e-3))
    ]
    for k in (20, 40, 80, 160):
        levels = [repr(round(0.1 + 0.9 * i / (k - 1), 3)) for i in range(k)]
        at = repr(round(sum(map(float, levels)) / 2, 2))
        name = f"{k} decimal levels, epsilon {at}"
        found.append((name, levels, [(float(level), 1) for level in levels], "epsilon", at, 1e-4))
    return found


def ours(items: list[str], asked: dict[str, str]) -> tuple[Any, float]:
    """Return our result, and the least processor time."""
    taken = []
    for _ in range(ROUNDS):
        start = process_time()
        found = rropt.compose(*items, points=2, **asked)
        taken.append(process_time() - start)
    return found, min(taken)


def main(python: str) -> None:
    """Print a line for each case."""
    rropt.compose("log(3)*3", delta="1e-6", points=2)
    for name, items, levels, asked, at, step in cases():
        found, own = ours(items, {asked: at})
        proved = "certified" if found.certificate is not None else "no certificate"
        line = f"{name:34} rropt {own:.3f} s, {float(found.lower):.10g} to {float(found.upper):.10g}, {proved}"
        words = [python, "-c", PEER, json.dumps([levels, asked, float(at), step, ROUNDS])]
        peer = subprocess.run(words, capture_output=True, text=True, check=False)
        if peer.returncode:
            print(f"{line}; dp_accounting: {peer.stderr.strip().splitlines()[-1]}")
            continue
        value, theirs = json.loads(peer.stdout)
        print(f"{line}; dp_accounting {theirs:.3f} s, {value:.10g}; ratio {own / theirs:.2f}", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--peer-python", default=sys.executable, help="the Python of an environment with dp_accounting")
    main(parser.parse_args().peer_python)
