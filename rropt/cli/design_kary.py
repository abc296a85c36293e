"""``rropt design kary``: the best mechanism for k categories, with the constraints people need.

The mechanism with k categories that maximises the weighted trace (the chance of a
true answer) or minimises an expected loss, at a privacy level, a level per pair of
categories or an (epsilon, delta) level, with bounds on single entries; or, at one
level and of any number of answers, estimates the shares of a population with the least
total variance (a-optimal) or a contrast of them (c-optimal), tells most of the truth
(mutual-information), or sets two populations apart (total-variation, chi-square): by
theorem where there is one, by convex optimisation and by exact linear programming,
cross-checked, with a certificate. Bounds that no private mechanism meets are answered
by a certificate of that, and the level that they need (exit status 1).

"lower" and "upper" bracket the optimum at B(h) of a criterion itself, by a second solution at
a rational gamma above it; --certificate FILE.json writes its proof to FILE-bound.json.

examples:
  rropt design kary --categories 5 --epsilon 1 --objective trace
  rropt design kary --population 1/2,1/3,1/6 --gamma 3 --objective loss --loss zero-one
  rropt design kary --population 1/2,1/3,1/6 --epsilon 1 --objective a-optimal --outputs any
  rropt design kary --population 1/2,1/3,1/6 --epsilon 1 --objective c-optimal --contrast 1,-1,0
  rropt design kary --population 1/2,1/3,1/6 --epsilon 1 --objective mutual-information
  rropt design kary --population 1/2,1/3,1/6 --epsilon 1 --objective chi-square --against 1/3,1/3,1/3
  rropt design kary --categories 60 --epsilon 1 --distance abs --objective loss --loss absolute
  rropt design kary --categories 3 --epsilon 1 --objective trace --bounds bounds.json
bounds.json: {"diagonal": "1/2", "forbidden": [[0, 2]], "entries": [{"output": 0, "input": 1, "most": "1/5"}]}
  (outputs and inputs count from 0; CSV: output,input,least,most)
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rropt.cli.arguments import read_criterion_level, read_level, whole_number
from rropt.cli.design_answers import ANSWERS, expect_bound, give_design, give_infeasible, route_names
from rropt.cli.options import declare
from rropt.cli.output import note
from rropt.errors import InvalidParameterError, shown

if TYPE_CHECKING:
    from rropt.exact import Epsilon
    from rropt.objectives import Objective
    from rropt.privacy import Region
    from rropt.problem import Problem

_LONG_WORK = 900  # entries from which a remark says what is going on: below it takes less than a second or two
_MOST_CATEGORIES = 300  # beyond it the checker reads no certificate

_TABLE = f"""
--categories K required   number of categories, each equally frequent
| --population P1,..,PK   their shares, for a loss or an estimate: exact numbers that sum to 1
LEVEL
--delta
--levels FILE             a level for each pair of categories (JSON or CSV, k x k)
--distance abs|           abs: the level of categories j and l is abs(j - l) times the level given
--objective NAME required  what is optimised: trace, loss, a-optimal, c-optimal, mutual-information, total-variation,
    chi-square
--weights W1,..,WK        of the trace, per category (default: 1 each)
--loss NAME|FILE          zero-one, absolute, squared, or a file (rows: answers, columns: truths)
--contrast C1,..,CK       of c-optimal: what is estimated is the sum of these times the shares
--against Q1,..,QK        of total-variation and chi-square: shares of the other population
--outputs any|            any number of answers, as all but trace and loss have it in any case
--bounds FILE             bounds on entries of the mechanism (JSON or CSV)
{ANSWERS}
"""


def add(kary: argparse.ArgumentParser) -> None:
    """Add the options of the kind."""
    declare(kary, __doc__, _TABLE, run=run)


def run(args: argparse.Namespace) -> int:
    """Solve, print, and write the certificate."""
    from rropt.solvers.criterion_designs import solve_under
    from rropt.solvers.infeasible_designs import InfeasibleDesignError

    level = read_criterion_level(args) if args.levels is None else None
    expect_bound(args, level)
    problem = _problem(args)
    entries = problem.region.inputs * problem.region.outputs
    if entries >= _LONG_WORK:
        note(f"solving {problem}: {entries} entries, by every route that accepts it")
    try:
        optimum = solve_under(
            level,
            lambda other: problem if other is None else _problem(args, other),
            route_names(args),
        )
    except InfeasibleDesignError as error:
        return give_infeasible(args, error)
    return give_design(args, optimum, "Optimal design")


def _problem(args: argparse.Namespace, above: Epsilon | None = None) -> Problem:
    """Return the problem of the arguments, at the level ``above`` if that is given instead of their own."""
    from rropt.privacy.region_files import load_bounds
    from rropt.problem import Problem

    population = _population(args)
    objective = _objective(args, len(population))
    region = _region(args, len(population), objective.outputs(len(population)), above)
    return Problem(load_bounds(args.bounds, region) if args.bounds else region, objective, population)


def _population(args: argparse.Namespace) -> list[Fraction]:
    if args.categories is not None:
        k = whole_number(args.categories, "--categories", 2, _MOST_CATEGORIES)
        return [Fraction(1, k)] * k
    return _numbers(args.population, "--population")


def _objective(args: argparse.Namespace, k: int) -> Objective:
    """Return the objective named, of any registered kind, from those of its options that are given."""
    from rropt.objectives import OBJECTIVES

    kind = OBJECTIVES.get(args.objective)
    if kind is None:
        raise InvalidParameterError(
            f"--objective is unknown: received {shown(args.objective)}; allowed are {', '.join(OBJECTIVES)}"
        )
    given = {name: read(getattr(args, name)) for name, read in _OPTIONS.items() if getattr(args, name) is not None}
    for name in given:
        if name not in kind.options:
            raise InvalidParameterError(f"--{name} does not belong to the objective {kind.kind}: leave it out")
    if args.objective == "trace" and args.population is not None:
        raise InvalidParameterError(
            "--population does not belong to the objective trace: received "
            f"{shown(args.population)}; for the chance of a true answer give the shares as --weights, and --categories "
            "beside them; for the sum of the p_ii give --categories alone"
        )
    objective = kind.for_categories(k, **given)
    if args.outputs is not None and objective.outputs(k):
        raise InvalidParameterError(
            f"--outputs any does not belong to the objective {kind.kind}: it names the answers; leave it out"
        )
    return objective


def _loss(text: str) -> str | list[list[Any]]:
    """Return the name of a loss, or the matrix of a file."""
    from rropt.objectives.linear import LOSSES
    from rropt.privacy.region_files import load_matrix

    if text in LOSSES and not os.path.exists(text):  # noqa: PTH110  # Path.exists raises for names that no file can have
        return text
    return load_matrix(text, what="loss file")


def _region(args: argparse.Namespace, k: int, m: int, above: Epsilon | None) -> Region:
    from rropt.exact import Delta
    from rropt.privacy.pairwise_regions import PairwiseRegion
    from rropt.privacy.privacy_region import PrivacyRegion
    from rropt.privacy.region_files import load_levels

    if args.levels is None:
        epsilon, delta = read_level(args) if above is None else (above, Delta.of(0))  # a criterion has delta = 0
        if args.distance is None:
            return PrivacyRegion(epsilon, delta, inputs=k, outputs=m)
        _require_no_delta(args, "--distance")
        return PairwiseRegion.by_distance(k, epsilon, outputs=m)
    for option in ("epsilon", "gamma", "rho", "beta", "upper", "distance"):
        if getattr(args, option) is not None:
            raise InvalidParameterError(
                f"--levels holds a level for each pair: received --{option} beside it; leave one of them out"
            )
    _require_no_delta(args, "--levels")
    region = PairwiseRegion(load_levels(args.levels), outputs=m)
    if region.inputs != k:
        raise InvalidParameterError(f"--levels has {region.inputs} rows: there are {k} categories")
    return region


def _require_no_delta(args: argparse.Namespace, option: str) -> None:
    if args.delta != "0":
        raise InvalidParameterError(
            f"{option} gives a level to each pair, with delta = 0: received --delta {shown(args.delta)}; leave it out"
        )


def _numbers(text: str, option: str) -> list[Fraction]:
    from rropt.exact import listed, rational

    parts = listed(text)
    if len(parts) < 2 or len(parts) > _MOST_CATEGORIES:
        raise InvalidParameterError(
            f"{option} is not a list of numbers: received {shown(text)}; give 2 to {_MOST_CATEGORIES}, with commas "
            "between them"
        )
    return [rational(part, name=f"{option}, number {j}") for j, part in enumerate(parts)]


# The options of objectives, and how each is read.
_OPTIONS: dict[str, Callable[[str], Any]] = {
    "weights": lambda text: _numbers(text, "--weights"),
    "loss": _loss,
    "contrast": lambda text: _numbers(text, "--contrast"),
    "against": lambda text: _numbers(text, "--against"),
}
