"""``rropt design others``: the binary design of least width when some respondents do not follow it.

The binary design whose bounds of the prevalence are least wide when a share of the
respondents, the others, does not follow it, sampling error included; and how much wider
they are with the design of least variance. `rropt noncompliance` gives the bounds.

examples:
  rropt design others --epsilon 1/2 --delta 0.3 --theta 0.05 --n 1000 --prevalence 0.1
  rropt design others --gamma 9 --theta 0.05 --n 1000 --prevalence 0.1 --output mechanism.json
"""

from __future__ import annotations

import argparse
import json

from rropt.cli.arguments import read_criterion_level, read_level, whole_number
from rropt.cli.design_answers import FILES
from rropt.cli.options import declare
from rropt.cli.output import print_result

_OPTIONS = f"""
LEVEL required
--delta
--theta T required        share of others, in [0, 1]
--n N required            number of respondents
--prevalence PI required  guess in [0, 1], for the design of least variance
--model MODEL = adversarial  what others do: adversarial, always-no, always-yes, random
--confidence C = 0.95     of the interval
{FILES}
"""


def add(others: argparse.ArgumentParser) -> None:
    """Add the options of the kind."""
    declare(others, __doc__, _OPTIONS, run=run)


def run(args: argparse.Namespace) -> int:
    """Find the design and print it."""
    from rropt.noncompliance import design_for_others
    from rropt.problem import binary_problem

    epsilon, delta = read_level(args)
    level = {"epsilon": epsilon, "delta": delta, "prevalence": args.prevalence}
    found = design_for_others(
        **level, theta=args.theta, n=whole_number(args.n, "--n", 1), model=args.model, confidence=args.confidence
    )
    print_result(
        found, title="Design for respondents who may not comply", json=args.json, criterion=read_criterion_level(args)
    )
    if args.output is not None:
        problem = binary_problem(**level).to_dict()
        data = {**found.mechanism.to_dict(), "name": f"others, theta = {args.theta}", "problem": problem}
        args.pending.put(args.output, json.dumps(data, indent=1) + "\n", "mechanism")
    if args.certificate is not None:
        args.pending.put(args.certificate, found.certificate.file_text, "certificate")
    return 0
