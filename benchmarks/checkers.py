"""The checker in JavaScript beside the one in Python: ``python benchmarks/checkers.py``. It needs Node.

Each certificate is checked in a process of its own; the script prints lines of the table of peers, processor seconds.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from fractions import Fraction
from pathlib import Path

from side_by_side import absent, line, of_process, one_thread, pairs

import rropt

ASKED = 3
NODE = ["node", str(Path(__file__).parents[1] / "kernels" / "javascript" / "node.js"), "--quiet"]


def certificates() -> dict[str, str]:
    """Return the text of some certificates of the costly kinds, by their names."""
    weights = [Fraction(1, i) for i in range(1, 15)]
    unequal = [weight / sum(weights) for weight in weights]
    grouped = [Fraction(1, 10)] * 6 + [Fraction(1, 14)] * 4 + [Fraction(1, 35)] * 4
    asked = {
        "binary": {"categories": 2, "population": ["9/10", "1/10"]},
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
        "0/1 loss, k = 40": {"objective": "loss:zero-one", "population": [Fraction(1, 40)] * 40},
    }
    return {name: rropt.design.kary(epsilon="1", fast=True, **how).certificate.text for name, how in asked.items()}


def main() -> None:
    """Print a line for each certificate."""
    one_thread()
    with tempfile.TemporaryDirectory() as folder:
        for name, text in certificates().items():
            work = f"JavaScript checker, {name}"
            if shutil.which("node") is None:
                absent(work, "Node", ASKED)
                continue
            file = Path(folder) / "certificate.json"
            file.write_text(text, encoding="utf-8")
            python = [sys.executable, "-m", "rropt.checker", str(file)]
            javascript, own = pairs(
                lambda words=[*NODE, str(file)]: of_process(words)[0], lambda words=python: of_process(words)[0]
            )
            line(work, javascript, own, ASKED)


if __name__ == "__main__":
    main()
