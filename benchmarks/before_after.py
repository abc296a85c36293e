"""Speed before and after: the same jobs in two trees of the repository, in turn, by processor time.

    python benchmarks/before_after.py [TAG] [--rounds N]

Both trees, a tag or commit and the last commit, are written out, and each job runs in a process
of its own with one tree or the other, A B A B. Printed are the least processor seconds of each and their ratio: what
else the machine does moves processor time far less than wall time, and the least far less than the mean. Jobs are
whole commands or scripts, imports included.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

BEFORE = "88e15b9"  # the commit before objectives, regions and mechanisms became protocols
ROOT = Path(__file__).resolve().parent.parent

COMMANDS = [
    "--help",
    "design binary --epsilon log(2) --delta 1/4 --prevalence 1/4",
    "design binary --level posterior:1/5,1/2 --prevalence 1/4",
    "design kary -k 60 --epsilon 1 --objective trace",
    "design kary -k 30 --level line:1 --objective loss:absolute",
    "privacy --level curve:sqrt(p)",
    "privacy --level curve:max(sqrt(p),2*p/(1+p),1-(1-p)*exp(-p))",
    "privacy forced:2/3,1/6,1/6 --profile",
    "compare warner:3/4 forced:2/3,1/6,1/6",
    "estimate --yes 831 --n 2435 --mechanism forced:2/3,1/6,1/6",
    "plan margin 0.05 --prevalence 1/4 --mechanism forced:2/3,1/6,1/6",
]
LOOPS = {
    "300 exact designs, certified": """
for i in range(1, 301):
    problem = rropt.Problem.binary("1/4", epsilon=f"log({7 + i}/7)", delta="1/9")
    assert rropt.check(rropt.solve(problem).certificate)""",
    "GRR of k = 200 with noise: parity and delta": """
k = 200
rows = [[Fraction(30_000 + 1_000 * (i == j) + (i * j) % 7) for j in range(k)] for i in range(k)]
sums = [sum(column) for column in zip(*rows)]
mechanism = rropt.Mechanism([[x / total for x, total in zip(row, sums)] for row in rows])
assert mechanism.parity() > 1 and mechanism.delta("log(101/100)") > 0""",
    "ten times a million randomized answers": """
answers = numpy.arange(10**6) % 2
for _ in range(10):
    randomize_many(answers, rropt.Mechanism("warner:3/4"))""",
    "k = 100 trace program": """
from rropt.mechanisms.sampling import randomize_many
from rropt.core.linear import ProgramBuilder, solve
k, builder = 100, ProgramBuilder("maximise")
p = [[builder.variable(f"p[{i},{j}]", cost=1 if i == j else 0) for j in range(k)] for i in range(k)]
t = [builder.variable(f"t[{i}]") for i in range(k)]
for i in range(k):
    for j in range(k):
        builder.row(f"least {i},{j}", {p[i][j]: 1, t[i]: -1}, ">=", 0)
        builder.row(f"most {i},{j}", {p[i][j]: 1, t[i]: -3}, "<=", 0)
    builder.row(f"column {i}", {p[j][i]: 1 for j in range(k)}, "=", 1)
assert solve(builder.build()).value == Fraction(300, 102)""",
}
PREAMBLE = "from fractions import Fraction\nimport numpy\nimport rropt\n"


def written_out(revision: str, folder: Path) -> Path:
    """Return the folder that holds the sources of a revision."""
    folder.mkdir()
    archive = subprocess.run(["git", "archive", revision], cwd=ROOT, check=True, capture_output=True).stdout
    subprocess.run(["tar", "-x", "-C", str(folder)], input=archive, check=True)
    return folder


def seconds(tree: Path, argv: list[str]) -> float:
    """Return the processor seconds of one process that imports rropt from a tree."""
    environment = {**os.environ, "PYTHONPATH": f"{tree}:{tree / 'proofs'}", "OMP_NUM_THREADS": "1"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([sys.executable, "-P", *argv], env=environment, capture_output=True, cwd=tree.parent)
    if done.returncode > 1 or b"Traceback" in done.stderr:  # 1 is an answer: no
        raise SystemExit(f"{argv} in {tree.name}: {done.stderr.decode()}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tag", nargs="?", default=BEFORE, help=f"the tree before (default: {BEFORE})")
    parser.add_argument("--rounds", type=int, default=3, help="runs of each job in each tree (default: 3)")
    args = parser.parse_args()
    command = "import sys; from rropt.cli.main import main; sys.exit(main(sys.argv[1:]))"
    jobs = {line: ["-c", command, *line.split()] for line in COMMANDS}
    jobs |= {name: ["-c", PREAMBLE + code] for name, code in LOOPS.items()}
    with tempfile.TemporaryDirectory() as folder:
        trees = [written_out(args.tag, Path(folder, "before")), written_out("HEAD", Path(folder, "after"))]
        print(f"{args.tag:>12} {'HEAD':>8} {'ratio':>6}   processor seconds, least of {args.rounds}, in turn")
        for name, argv in jobs.items():
            runs = [[seconds(tree, argv) for tree in trees] for _ in range(args.rounds + 1)][1:]  # first: compiles
            old, new = (min(times) for times in zip(*runs, strict=True))
            print(f"{old:12.2f} {new:8.2f} {new / old:6.2f}   {name}", flush=True)


if __name__ == "__main__":
    main()
