"""All fuzzers of the checker's rules but ``parity-bound``, at full size: the table of FUZZING.md, on standard output.

python benchmarks/fuzzing.py [share]        share: of the full size, 1 if it is left out
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "checker"))

from adversary.fuzz.harness import Score
from adversary.fuzz.rules import CHUNK, FUZZERS


def main() -> None:
    """Run every chunk of every fuzzer, and print what became of the pieces."""
    share = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    whole, began = Score(["."]), time.process_time()
    print("| fuzzer | method | oracle | false files |\n|---|---|---|---|")
    rest = []
    for fuzzer in FUZZERS:
        score, start = Score(fuzzer.deciding), time.process_time()
        for chunk in range(fuzzer.full // CHUNK):
            score.add(fuzzer.run(round(CHUNK * share), chunk))
        seconds = time.process_time() - start
        for (_, method, oracle), count in sorted(score.tried.items()):
            print(f"| {fuzzer.name} | {method} | {oracle} | {count} |")
        reasons = ", ".join(f"{reason} {count}" for (_, reason), count in score.reasons.most_common())
        figures = [score.tried.total(), score.accepted.total(), score.stopped.total(), len(score.errors)]
        rest.append(f"| {fuzzer.name} | {' | '.join(map(str, figures))} | {seconds:.0f} | {reasons} |")
        whole.add(score)
    print("\n| fuzzer | false files | true ones, accepted | stopped earlier | errors | s | stopped by |")
    print("|---|---|---|---|---|---|---|")
    print("\n".join(rest))
    total, seconds = whole.tried.total(), time.process_time() - began
    speed = f"{seconds:.0f} s of one processor, {total / seconds:.0f} a second"
    print(f"\n{total} false files, {len(whole.errors)} accepted, {speed}.")


if __name__ == "__main__":
    main()
