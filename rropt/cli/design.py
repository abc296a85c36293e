"""``rropt design``: optimal mechanisms with certificates, also of a problem file."""

from __future__ import annotations

import argparse
from functools import partial
from importlib import import_module

from rropt.cli.design_answers import ANSWERS, give_design, give_infeasible, route_names
from rropt.cli.options import declare

KINDS = {
    "binary": "two categories, two answers",
    "kary": "k categories: trace, expected loss, or total variance of an estimate",
    "bits": "several yes-or-no questions under one privacy budget",
    "device": "dice, a deck, coins: the best use of a randomizer at hand",
    "others": "least width when some respondents do not follow it",
}


def add(design: argparse.ArgumentParser) -> None:
    """Add the kinds of design; the module of a kind is imported when its options are needed."""
    kinds = design.add_subparsers(metavar="KIND", required=True)
    for name, purpose in KINDS.items():
        kinds.add_parser(name, help=purpose, fill=partial(_fill, name))
    kinds.add_parser("problem", help="a problem file", fill=_add_problem)


def _fill(name: str, kind: argparse.ArgumentParser) -> None:
    import_module(f"rropt.cli.design_{name}").add(kind)


def _add_problem(problem: argparse.ArgumentParser) -> None:
    declare(
        problem,
        run_problem.__doc__,
        f"problem FILE  JSON with region, objective and population\n{ANSWERS}",
        run=run_problem,
    )


def run_problem(args: argparse.Namespace) -> int:
    """Solve, print, and write the certificate.


    The best mechanism of a problem that stands in a file: the JSON object of
    rropt.Problem.to_json and of certificates, with region, objective and population,
    of any kind that is registered: by every route that accepts it, cross-checked, with
    a certificate.


    example of a file:
      {"region": {"kind": "differential-privacy", "inputs": "2", "outputs": "2",
                  "epsilon": {"log": "2"}, "delta": "1/4", "family": "all"},
       "objective": {"kind": "variance"}, "population": ["3/4", "1/4"]}
    """
    from rropt.files import read_text
    from rropt.problem import Problem
    from rropt.solvers.criterion_designs import solve_under
    from rropt.solvers.infeasible_designs import InfeasibleDesignError

    problem = Problem.from_json(read_text(args.problem, what="problem"))
    try:
        return give_design(args, solve_under(None, lambda _: problem, route_names(args)), "Optimal design")
    except InfeasibleDesignError as error:
        return give_infeasible(args, error)
