"""The checker in JavaScript beside the one in Python: ``python benchmarks/checkers.py``. It needs Node.

Each certificate is checked in a process of its own, in turns; the script prints the least processor seconds of each.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
from fractions import Fraction
from pathlib import Path

import rropt

ROUNDS = 3
NODE = ["node", str(Path(__file__).parents[1] / "kernels" / "javascript" / "node.js"), "--quiet"]


def certificates() -> dict[str, str]:
    """Return the text of some certificates of the costly kinds, by their names."""
    weights = [Fraction(1, i) for i in range(1, 15)]
    unequal = [weight / sum(weights) for weight in weights]
    grouped = [Fraction(1, 10)] * 6 + [Fraction(1, 14)] * 4 + [Fraction(1, 35)] * 4
    asked = {
        "binary": {"prevalence": "1/10"},
        "A-optimal, k = 10": {
            "objective": "a-optimal",
            "population": [*unequal[:9], 1 - sum(unequal[:9])],
            "outputs": "any",
        },
        "information, k = 14, unequal": {"objective": "mutual-information", "population": unequal, "outputs": "any"},
        "information, k = 14, three groups": {
            "objective": "mutual-information",
            "population": grouped,
            "outputs": "any",
        },
        "0/1 loss, k = 40": {"objective": "loss", "loss": "zero-one", "population": [Fraction(1, 40)] * 40},
    }
    return {name: rropt.design(epsilon="1", fast=True, **how).certificate.text for name, how in asked.items()}


def seconds(words: list[str]) -> float:
    """Return the least processor seconds of a process."""
    taken = []
    for _ in range(ROUNDS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        taken.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(taken)


def main() -> None:
    """Print a line for each certificate."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in certificates().items():
            file = Path(folder) / "certificate.json"
            file.write_text(text, encoding="utf-8")
            python, javascript = (
                seconds([sys.executable, "-m", "rropt.checker", str(file)]),
                seconds([*NODE, str(file)]),
            )
            print(f"{name:34} Python {python:.3f} s, JavaScript {javascript:.3f} s, ratio {javascript / python:.1f}")


if __name__ == "__main__":
    main()
