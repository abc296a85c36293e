"""``rropt design problem``: the best mechanism of a problem file, of any registered kind."""

from __future__ import annotations

import argparse
from typing import Any

from rropt.cli.design_answers import add_answers, give_design, give_infeasible, route_names

_PROBLEM = """\
The best mechanism of a problem that stands in a file: the JSON object of
rropt.Problem.to_json and of certificates, with region, objective and population,
of any kind that is registered: by every route that accepts it, cross-checked, with
a certificate."""

_EPILOG = """\
example of a file:
  {"region": {"kind": "differential-privacy", "inputs": "2", "outputs": "2",
              "epsilon": {"log": "2"}, "delta": "1/4", "family": "all"},
   "objective": {"kind": "variance"}, "population": ["3/4", "1/4"]}"""


def add_problem(kinds: Any) -> None:
    """Add the kind to the command ``design``."""
    problem = kinds.add_parser("problem", help="a problem file", description=_PROBLEM, epilog=_EPILOG)
    problem.add_argument("problem", metavar="FILE", help="JSON with region, objective and population")
    add_answers(problem)
    problem.set_defaults(run=run_problem)


def run_problem(args: argparse.Namespace) -> int:
    """Solve, print, and write the certificate."""
    from rropt.cli.criterion_optima import optimum_under
    from rropt.files import read_text
    from rropt.problem import Problem
    from rropt.solvers.infeasible_designs import InfeasibleDesignError

    problem = Problem.from_json(read_text(args.problem, what="problem"))
    try:
        return give_design(args, optimum_under(None, lambda _: problem, route_names(args)), "Optimal design")
    except InfeasibleDesignError as error:
        return give_infeasible(args, error)
