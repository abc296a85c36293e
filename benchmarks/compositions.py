"""Equal and decimal levels beside dp_accounting: ``python benchmarks/compositions.py``.

Both sides compose the same randomized responses. dp_accounting discretizes the privacy loss by 1e-4 (1e-3 for 10 000
responses) and returns an upper bound in floats. rropt returns two bounds in exact arithmetic, with a certificate that
its checker has accepted (no certificate states a level above 1000: 10 000 responses have none). The script prints
lines of the table of peers, processor seconds. RROPT_PEER_PYTHON names the Python of an environment with dp_accounting.
"""

from __future__ import annotations

import json
from statistics import median
from time import process_time
from typing import Any

from side_by_side import PAIRS, absent, line, of_peer

import rropt

ASKED = {"1000 times": 0.1, "10000 times": 0.2, "20 decimal": 2.0, "160 decimal": 0.3}
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
print(json.dumps([value, sorted(taken)[len(taken) // 2]]))
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
    """Return our result, and the median of the processor times."""
    taken = []
    for _ in range(PAIRS):
        start = process_time()
        found = rropt.compose(*items, points=2, **asked)
        taken.append(process_time() - start)
    return found, median(taken)


def main() -> None:
    """Print a line for each case."""
    rropt.compose("log(3)*3", delta="1e-6", points=2)
    for name, items, levels, asked, at, step in cases():
        found, own = ours(items, {asked: at})
        proved = "certified" if found.certificate is not None else "no certificate"
        most = next((ratio for start, ratio in ASKED.items() if name.startswith(start)), 2.0)
        told = of_peer(PEER, json.dumps([levels, asked, float(at), step, PAIRS]))
        value = "not measured"
        if told is None:
            absent(f"compose, {name}", "dp_accounting", most)
        else:
            value, theirs = json.loads(told)
            line(f"compose, {name}", own, theirs, most)
        ends = f"{float(found.lower):.10g} to {float(found.upper):.10g}, {proved}"
        print(f"  rropt {own:.3f} s, {ends}; dp_accounting: {value}", flush=True)


if __name__ == "__main__":
    main()
