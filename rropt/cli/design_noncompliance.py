"""``rropt design noncompliance``: the binary design of least width when some respondents do not follow it.

Find the binary design with the narrowest bounds on the prevalence when a proportion theta
of the respondents does not follow the device (non-compliers), sampling error included.
The command also prints how much wider the bounds are with the design of smallest
variance. `rropt noncompliance` computes the bounds.

examples:
  rropt design noncompliance --epsilon 1/2 --delta 0.3 --theta 0.05 --n 1000 --prevalence 0.1
  rropt design noncompliance --gamma 9 --theta 0.05 --n 1000 --prevalence 0.1 --output mechanism.json

arguments:
level options (required)
--delta
--theta T (required): proportion of non-compliers, in [0, 1]
--n N (required): number of respondents
--prevalence PI (required): assumed prevalence in [0, 1], for the design with minimum variance
--behaviour MODEL (default: adversarial): behaviour of the non-compliers: adversarial, always-no, always-yes, random
--confidence C (default: 0.95): confidence level of the interval
--certificate
design options
"""

from __future__ import annotations

import argparse

from rropt.cli.arguments import call_library, read_level
from rropt.cli.design_results import put_mechanism
from rropt.cli.output import print_result
from rropt.cli.pending import put_certificates


def run(args: argparse.Namespace) -> int:
    """Find the design and print it."""
    from rropt.designs.problem import binary_problem
    from rropt.survey import design_noncompliance

    read_level(args)
    found = call_library(design_noncompliance, args)
    put_mechanism(
        args, found.mechanism, f"non-compliers, theta = {args.theta}", call_library(binary_problem, args).to_dict()
    )
    put_certificates(args, found)
    print_result(args, found, title="Design for respondents who may not comply")
    return 0
