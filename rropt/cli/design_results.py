"""The answer of ``rropt design``: mechanism, certificates, report, and what is printed.

Under a criterion whose B(h) was rounded or enclosed the problem is solved on both sides of B(h). Regions grow with
gamma: with ``gamma <= B(h) <= gamma_above`` the optimum lies between the optima at these two levels; the returned
mechanism is the one at gamma, which meets the criterion.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rropt.cli.output import print_json, print_result, print_rounding, print_text
from rropt.cli.pending import put_certificates, put_derivation
from rropt.core.visible import size_text

if TYPE_CHECKING:
    from rropt.core.exact import Epsilon
    from rropt.core.results import Result
    from rropt.designs.infeasible_designs import InfeasibleDesignError
    from rropt.designs.problem import Problem
    from rropt.mechanisms import Mechanism


_MOST_PRINTED = 100  # entries of a matrix that is printed without --exact


def put_mechanism(args: argparse.Namespace, mechanism: Mechanism, title: str, problem: Any) -> None:
    """Write the file of the mechanism, if requested; its problem contains the level and the distribution."""
    if args.output is not None:
        if args.category_names is not None:
            mechanism = mechanism.labelled(args.category_names)
        data = {**mechanism.to_dict(), "name": title, "problem": problem}
        args.pending.put(args.output, json.dumps(data, indent=1) + "\n", "mechanism")


def give_solution(
    args: argparse.Namespace,
    problem_at: Callable[[Epsilon | None], Problem],
    beside: Callable[[Any], Result] | None = None,
) -> int:
    """Solve a problem and print the design, or print why there is none.

    Under a rounded criterion the problem is solved on both sides of B(h).

    Args:
        args: the arguments of the command.
        problem_at: a function that returns the problem at a level; ``None`` means its own level.
        beside: a function that returns a further result about the design, which is printed too.
    """
    from rropt.designs.criterion_designs import solve_under_criterion
    from rropt.designs.infeasible_designs import InfeasibleDesignError

    try:
        found = solve_under_criterion(args.criterion, problem_at, args.routes, fast=args.fast)
        return give_design(args, found, "Optimal design", () if beside is None else (beside(below(found)),))
    except InfeasibleDesignError as error:
        for path in {args.report, args.output, getattr(args, "derivation", None)} - {None}:
            args.pending.leave_out(path, "there is no design")
        print_rounding(args.criterion)
        return give_reason(args, error)


def give_reason(args: argparse.Namespace, error: InfeasibleDesignError) -> int:
    """Print why there is no design, and store the certificate of it."""
    put_certificates(args, error)
    if args.json:
        print_json({"infeasible": True, "reason": error.reason, "certificate": error.certificate.to_dict()})
    else:
        print_text(f"infeasible: {error.reason}\ncertificate {error.certificate.check()}")
    return 1


def give_design(args: argparse.Namespace, found: Any, title: str, beside: Sequence[Result] = ()) -> int:
    """Write the certificates and the report, and print the design and its remarks.

    Args:
        args: the arguments of the command.
        found: a design, or ``BothSides`` of a rounded criterion.
        title: the title of the printed design.
        beside: further results to print.
    """
    from rropt.designs.decoded_designs import DecodedLoss

    own, certificate = below(found), found.certificate
    if certificate is None:
        title, last = "Best design found", "no certificate"
    else:
        is_proved = not certificate.failure and getattr(own, "is_closed", True)
        title = title if is_proved else "Best design found, not proved optimal"
        last = f"certificate {certificate.check()}"
    put_certificates(args, found)
    put_derivation(args, own)
    mechanism = found.mechanism
    if (randomizer := vars(args).get("for")) is not None:
        from rropt.reports.played_designs import played_design

        played = played_design(own, randomizer)
        mechanism, beside = played.played, (*beside, played)
    # the problem whose region the mechanism is in: the certificate of a solution may state that of merged categories
    problem = own.problem.to_dict() if hasattr(own, "problem") else certificate.to_dict()["problem"]
    put_mechanism(args, mechanism, title, problem)
    if getattr(args, "report", None) is not None:
        put_report(args, found if found is own else found.solution(), beside, found.bound_certificate)
    made = own.report_cost() if hasattr(own, "report_cost") and own.problem.region.inputs > 2 else None
    cost = {"report_cost": made.to_dict()} if args.json and made is not None else {}
    is_short = made is not None and (
        made.entries is not None or (own.mechanism.is_small and mechanism.inputs * mechanism.outputs > _MOST_PRINTED)
    )
    has_matrices = not is_short or vars(args).get("exact", False)
    if not has_matrices:
        last += f"; --exact prints the matrix ({' x '.join(map(size_text, mechanism.shape))})"
    shown = [one for one in beside if args.json or not isinstance(one, DecodedLoss)]  # its lines are in the solution
    print_result(args, found, *shown, title=title, below=last, has_matrices=has_matrices, **cost)
    return 0


def below(found: Any) -> Any:
    """Return the design itself; of a rounded criterion, the design at the level below."""
    return getattr(found, "below", found)


def put_report(args: argparse.Namespace, solution: Any, beside: Sequence[Result] = (), bound: Any = None) -> None:
    """Write the report page of a design, with its remarks and the certificate of its bound."""
    from rropt.designs.decoded_designs import DecodedLoss
    from rropt.reports.design_pages import PlannedSurvey, design_page

    n, confidence = getattr(args, "n", None), getattr(args, "confidence", None) or "0.95"
    file = Path(getattr(args, "certificate", None) or "certificate.json").name
    survey = PlannedSurvey(args.question, n, confidence, file=file)
    asked = () if args.criterion is None else (args.criterion,)
    more = [line for one in (*asked, *beside) if not isinstance(one, DecodedLoss) for line in one.lines()]
    args.pending.put(
        args.report, lambda: design_page(solution, more, survey=survey, bound=bound).text_of(args.report), "report"
    )
