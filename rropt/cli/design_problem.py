"""``rropt design problem``: the best mechanism of a problem that is in a file."""

from __future__ import annotations

import argparse

from rropt.cli import options
from rropt.cli.command import Command, Option
from rropt.cli.design_results import give_solution
from rropt.cli.pending import InputFile

COMMAND = Command(
    """\
Find the best mechanism for a problem in a file. The file contains a JSON object with
region, objective and population, as rropt.Problem.to_json writes it (in certificates the
problem has another form). Every registered region and objective is allowed. All routes that
accept the problem solve it, their results must agree, and a certificate proves the optimum.

example of a file:
  {"region": {"kind": "differential-privacy", "inputs": "2", "outputs": "2",
              "epsilon": {"log": "2"}, "delta": "1/4", "family": "all"},
   "objective": {"kind": "variance"}, "population": ["3/4", "1/4"]}""",
    arguments=(
        Option("problem", "FILE", help="JSON with region, objective and population", type=InputFile),
        options.EFFORT,
        options.ROUTES,
        options.FAST,
        options.CERTIFICATE,
        options.DERIVATION,
        *options.DESIGN_FILES,
        *options.REPORTS,
    ),
)


def run(args: argparse.Namespace) -> int:
    """Solve the problem of a file, print the design, and write the certificate."""
    from rropt.core.certificates.record import budget_allowed
    from rropt.core.files import read_text
    from rropt.designs.problem import Problem

    args.criterion = None  # the file contains it
    problem = Problem.from_json(read_text(args.problem, what="problem"))
    with budget_allowed(args.effort):
        return give_solution(args, lambda _: problem)
