"""``rropt design list``: the named designs, with their parameters."""

from __future__ import annotations

import argparse

from rropt.cli import options
from rropt.cli.command import Command
from rropt.cli.output import print_json, print_table

COMMAND = Command(
    "",
    arguments=(options.JSON,),
)


def run(args: argparse.Namespace) -> int:
    """Print every named design: its syntax, its device and its exact epsilon."""
    from rropt.mechanisms import DESIGNS

    if args.json:
        print_json({"mechanisms": [design.to_dict() for design in DESIGNS.values()]})
    else:
        rows = [design.line() for design in DESIGNS.values()]
        print_table(rows, title="Named designs", header=("design", "device and parameters", "exact epsilon"))
    return 0
