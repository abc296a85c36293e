"""``rropt design problem``: the best mechanism of a problem that is in a file.

The best mechanism of a problem that stands in a file: the JSON object of
rropt.Problem.to_json and of certificates, with region, objective and population,
of any kind that is registered: by every route that accepts it, cross-checked, with
a certificate.

example of a file:
  {"region": {"kind": "differential-privacy", "inputs": "2", "outputs": "2",
              "epsilon": {"log": "2"}, "delta": "1/4", "family": "all"},
   "objective": {"kind": "variance"}, "population": ["3/4", "1/4"]}
"""

from __future__ import annotations

import argparse

from rropt.cli.design_results import ANSWERS, give_solution

OPTIONS = f"problem FILE  JSON with region, objective and population\n{ANSWERS}"


def run(args: argparse.Namespace) -> int:
    """Solve the problem of a file, print the design, and write the certificate."""
    from rropt.core.files import read_text
    from rropt.designs.problem import Problem

    args.criterion = None  # the file contains it
    problem = Problem.from_json(read_text(args.problem, what="problem"))
    return give_solution(args, lambda _: problem, title="Optimal design")
