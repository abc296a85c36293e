"""The privacy accountant beside dp_accounting and prv_accountant, in one run: bounds, widths, processor time.

    python benchmarks/accountant.py [--full]

The other two are optional; a line says so where one is missing. A bracket of another accountant that misses the exact
value is marked ``WRONG``. ``--full`` adds 1000 different levels to a width of 1e-9 in delta, and shuffling at 10^5
respondents. Widths are upper less lower bound.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import rropt
from rropt.accounting import renyi_privacy

LEVELS = [(20 + i * 80 / 999) / 1000 for i in range(1000)]
WIDE = [10 * level for level in LEVELS]
TWENTY = [math.log((11 + i) / 10) for i in range(20)]
# what is composed (items of rropt, levels in floats), what is asked
CASES: list[tuple[str, list[str], list[tuple[float, int]], str, float]] = [
    ("100 answers at log 3, delta 1e-6", ["log(3)*100"], [(math.log(3), 100)], "epsilon", 1e-6),
    ("100 answers at log 3, delta 1e-3", ["log(3)*100"], [(math.log(3), 100)], "epsilon", 1e-3),
    ("10 answers at log 3, delta 1e-6", ["log(3)*10"], [(math.log(3), 10)], "epsilon", 1e-6),
    ("1 answer at log 3, delta 1e-6", ["log(3)"], [(math.log(3), 1)], "epsilon", 1e-6),
    ("100 answers at log 3, delta 1.1e-18", ["log(3)*100"], [(math.log(3), 100)], "epsilon", 1.1e-18),
    ("20 levels log 1.1 .. log 3, gamma 1000", [f"log({11 + i}/10)" for i in range(20)], [(x, 1) for x in TWENTY],
     "delta", math.log(1000)),
    ("1000 answers at log 1.1, gamma 100", ["log(11/10)*1000"], [(math.log(1.1), 1000)], "delta", math.log(100)),
]  # fmt: skip


def timed(function: Callable[[], Any]) -> tuple[Any, float]:
    """Return what a function returns, and its processor time."""
    start = time.process_time()
    found = function()
    return found, time.process_time() - start


def ours(items: list[str], asked: str, at: float) -> tuple[float, float]:
    """Return our bounds."""
    if asked == "epsilon":
        found = rropt.compose(*items, delta=repr(at), points=2)
    else:
        found = rropt.compose(*items, gamma=round(math.exp(at)), points=2)
    return float(found.lower), float(found.upper)


def of_dp_accounting(levels: list[tuple[float, int]], asked: str, at: float) -> tuple[float, float]:
    """Return the bounds of dp_accounting, optimistic and pessimistic."""
    from dp_accounting.pld import privacy_loss_distribution as pld

    ends = []
    for pessimistic in (False, True):
        whole = None
        for level, count in levels:
            p = 1 / (1 + math.exp(-level))
            one = pld.from_randomized_response(2 * (1 - p), 2, pessimistic, 1e-4).self_compose(count)
            whole = one if whole is None else whole.compose(one)
        ends.append(whole.get_epsilon_for_delta(at) if asked == "epsilon" else whole.get_delta_for_epsilon(at))
    return min(ends), max(ends)


def of_prv_accountant(levels: list[tuple[float, int]], asked: str, at: float) -> tuple[float, float]:
    """Return the bounds of prv_accountant."""
    from prv_accountant import PRVAccountant
    from prv_accountant.privacy_random_variables import PureDPMechanism

    mechanisms = [PureDPMechanism(level) for level, _ in levels]
    counts = [count for _, count in levels]
    accountant = PRVAccountant(prvs=mechanisms, max_self_compositions=counts, eps_error=0.01, delta_error=1e-10)
    if asked == "epsilon":
        lower, _, upper = accountant.compute_epsilon(at, counts)
    else:
        lower, _, upper = accountant.compute_delta(at, counts)
    return float(lower), float(upper)


def compared() -> None:
    """Print every case with every accountant."""
    print("| case | accountant | lower | upper | processor s | |")
    print("|---|---|---|---|---|---|")
    for name, items, levels, asked, at in CASES:
        (low, high), seconds = timed(partial(ours, items, asked, at))
        print(f"| {asked}: {name} | rropt | {low:.10g} | {high:.10g} | {seconds:.3f} | |")
        for other, run in (("dp_accounting", of_dp_accounting), ("prv_accountant", of_prv_accountant)):
            try:
                (least, most), seconds = timed(
                    lambda run=run, levels=levels, asked=asked, at=at: run(levels, asked, at)
                )
            except ImportError as error:
                print(f"| | {other} | | | | not installed: {error} |")
                continue
            except Exception as error:  # a failure of theirs is a result of the comparison
                print(f"| | {other} | | | | {type(error).__name__}: {str(error)[:80]} |")
                continue
            slack = 1e-9 * max(1.0, abs(high))
            word = "contains ours" if least <= low + slack and high <= most + slack else "WRONG"
            print(f"| | {other} | {least:.10g} | {most:.10g} | {seconds:.3f} | {word} |")


def targets(full: bool) -> None:
    """Print the times and widths that the accountant promises."""
    runs: list[tuple[str, Callable[[], Any]]] = [
        ("1000 equal answers, exact", lambda: rropt.compose("log(3)*1000", gamma=3**500, points=2)),
        ("20 different levels, exact", lambda: rropt.compose(*CASES[5][1], gamma=1000, points=2)),
        ("10^6 answers at 1/10, delta 1e-5", lambda: rropt.compose("1/10*1000000", delta="1e-5", points=2)),
        ("1000 levels in [1/5, 1], 1e-7", lambda: _levels(WIDE, "230", "1e-7")),
        ("zCDP, k = 10^6, epsilon 1", lambda: renyi_privacy(1, categories=10**6)),
        ("shuffling, n = 1000, epsilon 4", lambda: rropt.shuffle("4", 1000, delta="1e-6")),
    ]
    if full:
        runs += [
            ("1000 levels in [1/50, 1/10], 1e-9", lambda: _levels(LEVELS, "4.06", "1e-9")),
            ("1000 levels in [1/5, 1], 1e-9", lambda: _levels(WIDE, "230", "1e-9")),
            ("shuffling, n = 10^5, epsilon 4, 1e-5", lambda: rropt.shuffle("4", 10**5, delta="1e-6", tolerance="1e-5")),
            (
                "inverse, n = 10^5, (0.17279, 1e-6)",
                lambda: rropt.shuffle(n=10**5, epsilon="0.17279", delta="1e-6", tolerance="1e-4"),
            ),
        ]
    print("\n| case | lower | upper | width | processor s |")
    print("|---|---|---|---|---|")
    for name, run in runs:
        found, seconds = timed(run)
        width = float(found.upper - found.lower)
        print(f"| {name} | {float(found.lower):.10g} | {float(found.upper):.10g} | {width:.1e} | {seconds:.2f} |")


def _levels(levels: list[float], epsilon: str, tolerance: str) -> Any:
    return rropt.compose(*map(str, levels), epsilon=epsilon, tolerance=tolerance, points=2)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--full", action="store_true", help="the cases that take longer")
    arguments = parser.parse_args()
    compared()
    targets(arguments.full)
