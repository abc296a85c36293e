"""The forger of all statements at full size: the table of FUZZING.md, on standard output.

python benchmarks/fuzzing.py [COUNT] [SEED]        COUNT: false files of each statement, 20 000 if it is left out
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections import Counter
from pathlib import Path

TESTS = Path(__file__).parent.parent / "tests"
sys.path[:0] = [str(TESTS), str(TESTS / "checker"), str(TESTS / "support")]

from adversary import forger, stored  # noqa: E402
from adversary.fuzz.dropped import answer  # noqa: E402


def main() -> None:
    """Forge files of each statement, and print how many conditions rejected them, and how many were accepted."""
    count, seed = (int(sys.argv[i]) if len(sys.argv) > i else default for i, default in ((1, 20_000), (2, 1)))
    print("| statement | seeds | false files | accepted | conditions that reject them | s | most often |")
    print("|---|---|---|---|---|---|---|")
    whole, began = 0, time.process_time()
    for statement in stored.STATEMENTS:
        documents = [each for each in stored.accepted()[statement] if forger.is_fit(each)]
        documents = random.Random(seed).sample(documents, len(documents))
        start, places, accepted = time.process_time(), Counter[object](), 0
        for made in forger.forgeries(documents, count, seed):
            text = json.dumps(made)
            place = answer(text)  # without the invariants, which every verdict must meet besides
            places[place] += 1
            if place == "accepted":
                accepted += 1
                print(text, file=sys.stderr)
        whole += accepted
        most = ", ".join(f"{place[0]}:{place[1]} {n}" for place, n in places.most_common(3) if isinstance(place, tuple))
        spent = time.process_time() - start
        print(
            f"| {statement} | {len(documents)} | {count} | {accepted} | {len(places)} | {spent:.0f} | {most} |",
            flush=True,
        )
    spent = time.process_time() - began
    print(f"\n{count * len(stored.STATEMENTS)} false files, {whole} accepted, {spent:.0f} s of one processor.")


if __name__ == "__main__":
    main()
