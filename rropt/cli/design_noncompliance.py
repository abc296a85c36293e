"""``rropt design noncompliance``: the binary design of least width when some respondents do not follow it."""

from __future__ import annotations

import argparse

from rropt.cli import options
from rropt.cli.arguments import call_library, read_level, whole
from rropt.cli.command import Command, Option
from rropt.cli.design_results import put_mechanism
from rropt.cli.output import print_result
from rropt.cli.pending import put_certificates

COMMAND = Command(
    """\
Find the binary design with the narrowest bounds on the prevalence when a proportion theta
of the respondents does not follow the device (non-compliers), sampling error included.
The command also prints how much wider the bounds are with the design of smallest
variance. `rropt noncompliance` computes the bounds. No derivation is written, because a line
proves the design: the width falls as p00 + p11 grows, and the two conditions of privacy add
up to p00 + p11 <= 2 (gamma + delta)/(1 + gamma).""",
    epilog="""\
examples:
  rropt design noncompliance --epsilon 1/2 --delta 0.3 --theta 0.05 --n 1000 --prevalence 0.1
  rropt design noncompliance --gamma 9 --theta 0.05 --n 1000 --prevalence 0.1 --output mechanism.json""",
    arguments=(
        *options.REQUIRED_ONE_LEVEL,
        options.DELTA,
        Option("--theta", "T", help="proportion of non-compliers, in [0, 1]", required=True),
        Option("--n", "N", help="number of respondents", type=whole(1), required=True),
        Option(
            "--prevalence",
            "PI",
            help="assumed prevalence in [0, 1], for the design with minimum variance",
            required=True,
        ),
        Option(
            "--behaviour",
            "MODEL",
            help="behaviour of the non-compliers: adversarial, always-no, always-yes, random",
            default="adversarial",
        ),
        Option("--confidence", "C", help="confidence level of the interval", default="0.95"),
        options.CERTIFICATE,
        *options.DESIGN_FILES,
    ),
)


def run(args: argparse.Namespace) -> int:
    """Find the design and print it."""
    from rropt.design import noncompliance
    from rropt.designs.problem import Problem

    read_level(args)
    found = call_library(noncompliance, args, level=None)
    problem = Problem.binary(args.prevalence, epsilon=args.epsilon, delta=args.delta)
    put_mechanism(args, found.mechanism, f"non-compliers, theta = {args.theta}", problem.to_dict())
    put_certificates(args, found)
    print_result(args, found, title="Design for respondents who may not comply")
    return 0
