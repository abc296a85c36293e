"""``rropt design family``: the optimum of a family of problems for all parameters and every gamma."""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import Any

from rropt.cli import options
from rropt.cli.arguments import items
from rropt.cli.command import Command, Option
from rropt.cli.output import named_record, print_json, print_text
from rropt.cli.pending import InputFile, OutputFile, put_certificates, put_plot
from rropt.core.errors import InvalidParameterError, shown

COMMAND = Command(
    """\
Find the optimum of a family of design problems as a theorem: for all sizes k, all
prevalences or costs, and every gamma = exp(epsilon) > 1 at once. The categories form
classes of alike ones; sizes, proportions and costs are formulas in the parameters. The
optimum is the least of a few formulas. Each is attained by a mechanism, and a certificate
proves it. If a condition is not proved, the formulas are printed as conjectured, with the
condition (exit status 1).

families with names: zero-one, one-and-others, reject, reject-unequal, taxonomy,
taxonomy-groups, three-groups, screening, two-sizes, none-of-these, yes-no, three-levels,
three-proportions, five-levels

a family in a file (TOML); `right` is the cost at its own category, of a decision that
stands for one for each category of the class of its name:
  [parameters]
  k = "2.., whole"
  p = "0..1"
  [classes]
  none = {size = "1", share = "p"}
  brand = {size = "k", share = "(1-p)/k"}
  [[decisions]]
  name = "none"
  costs = {none = "0", brand = "1"}
  [[decisions]]
  name = "brand"
  costs = "1"
  right = "0\"""",
    epilog="""\
examples:
  rropt design family zero-one
  rropt design family none-of-these --certificate theorem.json
  rropt design family none-of-these --at k=7,p=1/3,gamma=4
  rropt design family family.toml --plot phases.svg""",
    arguments=(
        Option("family", "FILE|NAME", help="a file in TOML, or the name of a family", type=InputFile),
        Option(
            "--at",
            "NAME=X,..",
            help="also print the optimal design at these parameters, with gamma or epsilon: k=7,p=1/3,gamma=4",
            type=items,
        ),
        replace(
            options.EFFORT,
            help=(
                "how large the factors of an identity may be: powers of each variable up to 2, or up to 4 (large), "
                "which proves more and takes longer"
            ),
        ),
        options.FAST,
        options.CERTIFICATE,
        Option(
            "--plot",
            "FILE",
            help=(
                "write a picture: FILE.svg, FILE.png or FILE.pdf; the optimal formula by epsilon and the first "
                "parameter that is no whole number"
            ),
            type=OutputFile,
        ),
        options.JSON,
    ),
)


_DEGREES = {"default": 2, "large": 4}  # by --effort: of the factor of an identity, in each variable


def run(args: argparse.Namespace) -> int:
    """Solve a family, print its formulas, and write the certificate."""
    from rropt.designs.problem_families.family import FamilyConjecture, family

    found: Any = family(args.family, degree=_DEGREES[args.effort], fast=args.fast)
    give_family(args, found, None if args.at is None else found.at(**_values(args.at)))
    return 1 if isinstance(found, FamilyConjecture) else 0


def give_family(args: argparse.Namespace, found: Any, member: Any = None) -> None:
    """Print a family, and a member of it if one is given; write the certificate and the picture."""
    put_certificates(args, found, "the formulas are conjectured; leave --certificate out")
    put_plot(args, lambda: found, size="wide")
    if args.json:
        print_json(named_record(found, {**found.to_dict(), **({} if member is None else {"at": member.to_dict()})}))
    else:
        print_text(found.summary())
        if member is not None:
            print_text(member.summary())


def _values(pairs: list[str]) -> dict[str, str]:
    """Return the parameters of ``--at``."""
    values = {}
    for pair in pairs:
        name, sign, value = pair.partition("=")
        if not sign or not name or name in values:
            raise InvalidParameterError(f"--at is a list of NAME=VALUE: received {shown(pair)}; write k=7,gamma=4")
        values[name.strip()] = value.strip()
    return values
