"""Coverage of the four kinds of interval, summed exactly (not simulated), as a table in Markdown.

Run as `python benchmarks/coverage.py [FILE]`: the table is printed, or written to FILE. For every mechanism and n the
least coverage over a grid of prevalences, and the prevalence where it is; the mean over the grid beside it.
"""

from __future__ import annotations

import sys
import time
from fractions import Fraction
from pathlib import Path

from rropt.inference import INTERVAL_KINDS, coverage
from rropt.mechanisms import named_mechanism

CONFIDENCE = Fraction(19, 20)
MECHANISMS = ("warner:1", "forced:2/3,1/6,1/6", "warner:3/4", "crosswise:1/4", "generalised:1,1/4")
SIZES = (20, 50, 100, 200, 500)
PREVALENCES = [Fraction(i, 200) for i in (0, 1, 2, 4, 7, 10, 15, 20, 30, 40, 50, 67, 80, 100, 133, 160, 190, 200)]


def row(name: str, n: int) -> list[str]:
    cells = [f"`{name}`", str(n)]
    for kind in INTERVAL_KINDS:
        values = {pi: coverage(named_mechanism(name), n, pi, kind, CONFIDENCE) for pi in PREVALENCES}
        worst = min(values, key=lambda pi: values[pi])
        mean = float(sum(values.values()) / len(values))
        flag = "" if values[worst] >= CONFIDENCE else " **below**"
        cells.append(f"{float(values[worst]):.4f} at {float(worst):g}{flag} (mean {mean:.4f})")
    return cells


def table() -> str:
    lines = [
        f"Least coverage of nominal {float(CONFIDENCE):g} intervals over {len(PREVALENCES)} prevalences from 0 to 1",
        "",
        "| mechanism | n | " + " | ".join(INTERVAL_KINDS) + " |",
        "|---" * (2 + len(INTERVAL_KINDS)) + "|",
    ]
    start = time.perf_counter()
    for name in MECHANISMS:
        for n in SIZES:
            lines.append("| " + " | ".join(row(name, n)) + " |")
            print(f"{name}, n = {n}: {time.perf_counter() - start:.0f} s", file=sys.stderr)
    points = len(MECHANISMS) * len(SIZES) * len(PREVALENCES) * len(INTERVAL_KINDS)
    return "\n".join([*lines, "", f"{points} coverages, each summed in integers over all n + 1 outcomes.", ""])


def main() -> None:
    text = table()
    if len(sys.argv) > 1:
        Path(sys.argv[1]).write_text(text, encoding="utf-8")
    else:
        print(text)


if __name__ == "__main__":
    main()
