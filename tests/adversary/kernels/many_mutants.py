"""Runs many mutants of accepted certificates through all kernels.

In the folder `tests`: `python -m adversary.kernels.many_mutants --help`.

It prints one line for each difference and a total after each batch. docs/developers/kernels.md records what was run.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from pathlib import Path

from rropt.checker import check_text
from rropt.checker.conformance import suite_files, vector_files
from rropt.checker.conformance.runner import verdict_of

from .conftest import ROOT, VECTORS, verdicts
from .mutants import changeable, mutants


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mutants", type=int, default=10_000, help="how many, over all rules")
    parser.add_argument("--share", type=int, default=50, help="mutants of one rule in one batch")
    parser.add_argument("--first", type=int, default=0, help="the number of the first batch: it is the seed")
    parser.add_argument("--rules", nargs="*", help="these rules alone")
    parser.add_argument("--javascript", default=f"node {ROOT}/kernels/javascript/node.js")
    parser.add_argument("--coq", default=f"{ROOT}/kernels/coq/_build/rropt-kernel")
    parser.add_argument("--no-javascript", action="store_true", help="the kernel in Coq alone")
    given = parser.parse_args()
    certificates = changeable([*suite_files(), *vector_files(VECTORS)])
    rules = {rule: found for rule, found in certificates.items() if not given.rules or rule in given.rules}
    seen = accepted = covered = differences = 0
    batch = given.first
    while seen < given.mutants:
        texts = [
            text
            for place, rule in enumerate(sorted(rules))
            for text in mutants(rules[rule], given.share, 1000 * batch + place)
        ]
        begun = time.process_time()
        told = {text: check_text(text) for text in texts}
        spent = time.process_time() - begun
        commands = {"Coq": given.coq.split()}
        if not given.no_javascript:
            commands["JavaScript"] = given.javascript.split()
        for name, command in commands.items():
            with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
                lines = verdicts(command, texts, Path(folder))
            for text, line in zip(texts, lines, strict=True):
                if name == "Coq":
                    if line.startswith("not covered"):
                        continue
                    covered += 1
                if verdict_of(line) != told[text].accepted:
                    differences += 1
                    found = {"kernel": name, "line": line, "Python": str(told[text]), "text": text}
                    print(json.dumps(found), flush=True)
        seen += len(texts)
        accepted += sum(each.accepted for each in told.values())
        batch += 1
        print(
            f"batch {batch}: {seen} mutants, {accepted} accepted in Python ({spent:.1f} s for this batch), "
            f"{covered} judged in Coq, {differences} differences",
            flush=True,
        )


if __name__ == "__main__":
    main()
