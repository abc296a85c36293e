"""Blackwell sufficiency (A = C P), exact and certified, side by side with qif (libqif's Python package).

    python benchmarks/compare_blackwell.py [--qif-python PATH] [--large]

What is timed for rropt is everything from two mechanisms to an accepted certificate: the decision, writing the
certificate, and the checker's verdict on its text. qif is asked for its verdict alone, in a process of its own (it may
live in another environment: `--qif-python`), by floats (`double`, its default) or exactly (`rat`); it is stopped after
a time limit. Every answer is also judged: the truth is known by construction, or proved by the certificate.

Pairs: two k-ary randomized responses, odds 4 and 3, "yes" and "no"; random matrices with column denominators near 10^5
against each other ("no"); A = C P with C random over one denominator near 10^5 ("yes", A's denominators near 10^10);
and the family at the boundary, odds 2 and 2 (1 + d), d from 1e-3 to 1e-30.

One process for each side, one thread. Times are seconds of processor time, single runs, so that other work on the
machine does not count.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import subprocess
import sys
import time
from fractions import Fraction
from importlib.util import find_spec
from math import lcm

os.environ.setdefault("OMP_NUM_THREADS", "1")

from rropt.designs.orders import sufficient
from rropt.mechanisms import Mechanism

Rows = list[list[Fraction]]

LIMITS = {("response", 100): 1.0, ("response", 200): 10.0, ("random no", 200): 1.0, ("random yes", 100): 5.0}

# Reads {"kind", "source", "target"} (rows are outputs) from standard input; qif's channels have inputs as rows.
_QIF = """
import json, sys, time
from fractions import Fraction
import numpy, qif
job = json.load(sys.stdin)
def channel(rows):
    columns = list(zip(*rows))
    if job["kind"] == "double":
        return numpy.array([[float(Fraction(x)) for x in column] for column in columns])
    return numpy.array([[qif.rat(x) for x in column] for column in columns])
source, target = channel(job["source"]), channel(job["target"])
started = time.process_time()
answer = qif.refinement.refined_by(source, target)
print(json.dumps({"answer": answer is not None and answer is not False, "seconds": time.process_time() - started}))
"""


def response(k: int, odds: Fraction) -> Rows:
    rest = 1 / (odds + k - 1)
    return [[odds * rest if i == j else rest for j in range(k)] for i in range(k)]


def random_rows(k: int, generator: random.Random, *, denominator: int | None = None) -> Rows:
    columns = []
    for _ in range(k):
        weights = [generator.randint(1, 2 * 10**5 // k) for _ in range(k)]
        total = sum(weights)
        if denominator is not None:
            weights = [w * denominator // total for w in weights]
            weights[0] += denominator - sum(weights)
            total = denominator
        columns.append([Fraction(w, total) for w in weights])
    return [list(row) for row in zip(*columns, strict=True)]


def product(left: Rows, right: Rows) -> Rows:
    scale = lcm(*(x.denominator for row in left for x in row))
    integers = [[int(x * scale) for x in row] for row in left]
    columns = []
    for column in zip(*right, strict=True):
        common = lcm(*(x.denominator for x in column))
        whole = [int(x * common) for x in column]
        columns.append([Fraction(sum(map(int.__mul__, row, whole)), scale * common) for row in integers])
    return [list(row) for row in zip(*columns, strict=True)]


def ours(source: Mechanism, target: Mechanism) -> tuple[bool, float, str, int]:
    """Return the certified answer, the seconds, the route, and the bytes of the certificate."""
    started = time.process_time()
    answer = sufficient(source, target)
    certificate = answer.certificate()
    return bool(answer), time.process_time() - started, answer.route, len(certificate.text)


class Qif:
    """qif in a process of its own, or nothing when it is not installed."""

    def __init__(self, python: str, seconds: float) -> None:
        self.python, self.seconds = python, seconds
        self.version: str | None = None
        try:
            probe = subprocess.run(
                [python, "-c", "import qif; print(qif.__version__)"], capture_output=True, text=True, check=False
            )
        except OSError:
            return
        if probe.returncode == 0:
            self.version = probe.stdout.strip()

    def ask(self, source: Mechanism, target: Mechanism, kind: str, truth: bool) -> str:
        """Return what it says and how long it takes, as text."""
        if self.version is None:
            return "-"
        job = {"kind": kind, **{name: m.to_dict()["matrix"] for name, m in (("source", source), ("target", target))}}
        try:
            done = subprocess.run(
                [self.python, "-c", _QIF],
                input=json.dumps(job),
                capture_output=True,
                text=True,
                timeout=self.seconds,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return f"over {self.seconds:.0f} s"
        if done.returncode:
            return f"fails: {(done.stderr.strip().splitlines() or ['no message'])[-1][:40]}"
        data = json.loads(done.stdout.splitlines()[-1])
        word = "yes" if data["answer"] else "no"
        return f"{data['seconds']:8.3f} s {word:3}{'' if data['answer'] == truth else ' WRONG'}"


def line(name: str, k: int, source: Rows, target: Rows, truth: bool, qif: Qif, kinds: tuple[str, ...]) -> bool:
    pair = Mechanism(source), Mechanism(target)
    answer, seconds, route, size = ours(*pair)
    limit = LIMITS.get((name.split(",")[0], k))
    good = answer == truth and (limit is None or seconds < limit)
    others = "  ".join(f"{qif.ask(*pair, kind, truth) if kind in kinds else '':>24}" for kind in ("double", "rat"))
    target_text = "" if limit is None else f"{limit:.0f}"
    word, verdict = "yes" if answer else "no", "" if good else "  NOT AS REQUIRED"
    numbers = f"{word:>4} {seconds:8.3f} {target_text:>4} {size / 1e6:7.2f}"
    print(f"{name:<24} {k:>4} {numbers}  {route:<26} {others}{verdict}", flush=True)
    return good


def tables(qif: Qif, large: bool) -> bool:
    good = True
    heads = ("pair", "k", "", "seconds", "goal", "MB", "route", "qif double", "qif rat")
    print("{:<24} {:>4} {:>4} {:>8} {:>4} {:>7}  {:<26} {:>24}  {:>24}".format(*heads))
    for k in (10, 30, 70, 100, 200):
        strong, weak = response(k, Fraction(4)), response(k, Fraction(3))
        kinds = ("double", "rat") if k <= (100 if large else 70) else ("double",) if large or k <= 100 else ()
        good &= line("response, yes", k, strong, weak, True, qif, kinds)
        good &= line("response, no", k, weak, strong, False, qif, kinds)
    for k in (10, 30, 100, 200):
        generator = random.Random(k)
        p = random_rows(k, generator)
        made = product(random_rows(k, generator, denominator=99_991), p)
        kinds = ("double", "rat") if k <= 30 else ("double",) if k <= 100 or large else ()
        for run in range(3):
            good &= line("random no", k, p, random_rows(k, generator), False, qif, kinds if run == 0 else ())
        good &= line("random no, C P to P", k, made, p, False, qif, ())
        good &= line("random yes", k, p, made, True, qif, kinds)
    return good


def boundary(qif: Qif) -> bool:
    wrong = asked = other_wrong = 0
    print("\nthe boundary: odds 2 against 2 (1 + d), the answer is no; rropt / qif double")
    for k in (2, 3, 10, 30):
        cells = []
        for exponent in (3, 6, 7, 9, 12, 15, 16, 18, 24, 30):
            weak, strong = (Mechanism(response(k, odds)) for odds in (Fraction(2), 2 * (1 + Fraction(1, 10**exponent))))
            answers = [ours(weak, strong)[0], not ours(strong, weak)[0]]
            wrong += sum(answers)
            asked += 2
            theirs = qif.ask(weak, strong, "double", False)
            other_wrong += "WRONG" in theirs
            cells.append(f"1e-{exponent}: {'wrong' if any(answers) else 'right'}/{_word(theirs)}")
        print(f"  k = {k:>2}  {'  '.join(cells)}", flush=True)
    print(f"rropt: {wrong} wrong of {asked}; qif double: {other_wrong if qif.version else '-'} wrong of {asked // 2}")
    return not wrong


def _word(text: str) -> str:
    return "-" if text == "-" else "wrong" if "WRONG" in text else "right" if " s " in text else "fails"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--qif-python", metavar="PATH", help="a Python that has qif (default: this one)")
    parser.add_argument("--seconds", type=float, default=60.0, help="time limit of one question to qif (default: 60)")
    parser.add_argument("--large", action="store_true", help="ask qif also where it takes minutes")
    args = parser.parse_args()
    qif = Qif(args.qif_python or sys.executable, args.seconds)
    if qif.version is None:
        where = args.qif_python or ("this Python" if find_spec("qif") is None else "this Python (it does not import)")
        print(f"qif is NOT installed in {where}: rropt is timed alone. Install it with `pip install qif`.\n")
    print(
        f"Python {platform.python_version()}, {platform.machine()}, qif {qif.version or 'not installed'}, one thread\n"
    )
    sufficient(Mechanism.binary("3/4", "3/4"), Mechanism.binary("2/3", "2/3"))  # imports
    good = tables(qif, args.large)
    good &= boundary(qif)
    if not good:
        raise SystemExit("not as required")


if __name__ == "__main__":
    main()
